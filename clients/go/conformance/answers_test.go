package main

// What the self-test is for rows, this is for answers: each kind of wrong answer must be found out.

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	arbiterv1 "arbiter/v1"
)

// A lie changes what the service says, on its way to the caller.
type lie struct {
	name string
	row  func(*testing.T) (variant string, row row)
	// What the disagreement must be about.
	about string
	// Changes an answer, or a batch of a stream, in place.
	answer func(any)
	// Gives another error.
	failure func(*status.Status) error
}

func (l *lie) unary(
	ctx context.Context, method string, request, reply interface{},
	connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	err := invoke(ctx, method, request, reply, connection, options...)
	if err != nil && l.failure != nil {
		return l.failure(status.Convert(err))
	}
	if err == nil && l.answer != nil {
		l.answer(reply)
	}
	return err
}

func (l *lie) stream(
	ctx context.Context, description *grpc.StreamDesc,
	connection *grpc.ClientConn, method string, open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(ctx, description, connection, method, options...)
	return lyingStream{stream, l}, err
}

type lyingStream struct {
	grpc.ClientStream
	lie *lie
}

func (s lyingStream) RecvMsg(batch interface{}) error {
	err := s.ClientStream.RecvMsg(batch)
	if err == nil && s.lie.answer != nil {
		s.lie.answer(batch)
	}
	return err
}

// told changes answers of one type.
func told[M any](change func(M)) func(any) {
	return func(answer any) {
		if answer, ok := answer.(M); ok {
			change(answer)
		}
	}
}

// first gives the first row of a file for which something holds.
func first[R row](variant, file string, fits func(R) bool) func(*testing.T) (string, row) {
	return func(t *testing.T) (string, row) {
		for _, row := range allVectors[variant][file] {
			if row, ok := row.(R); ok && fits(row) {
				return variant, row
			}
		}
		t.Fatalf("no row of %s", file)
		return "", nil
	}
}

var (
	// The initial position of chess, in which b1a3 and b1c3 come first.
	initial = first("chess", "chess.jsonl", func(row *positionRow) bool { return row.Count == 20 })
	won     = first("chess", "chess.jsonl", isWon)
	bad     = first("influence", "influence.jsonl", isInvalid)
	game    = first("bordahbee", "games.json", isGame)
	refused = first("bordahbee", "long.json", isError)
	meant   = first("bordahbee", "long.json", isMove)
	several = first("three-universes", "long.json", hasCandidates)
	deep    = first("influence", "perft.json", isDeep)
)

// full changes the moves of pages that have their steps.
func full(change func(*arbiterv1.Move)) func(any) {
	return told(func(page *arbiterv1.LegalMovesResponse) {
		for _, move := range page.GetMoves() {
			if len(move.GetSteps()) > 0 {
				change(move)
			}
		}
	})
}

// played changes the answers to legal moves.
func played(change func(*arbiterv1.ApplyMoveResponse)) func(any) {
	return told(func(answer *arbiterv1.ApplyMoveResponse) {
		if answer.GetLegal() {
			change(answer)
		}
	})
}

// illegal changes why moves are illegal.
func illegal(change func(*arbiterv1.Illegality)) func(any) {
	return told(func(answer *arbiterv1.ApplyMoveResponse) {
		if answer.GetIllegality() != nil {
			change(answer.GetIllegality())
		}
	})
}

type (
	page    = *arbiterv1.LegalMovesResponse
	batch   = *arbiterv1.StreamLegalMovesResponse
	choice  = *arbiterv1.LegalStepsResponse
	stands  = *arbiterv1.GameStatusResponse
	replays = *arbiterv1.ReplayGameResponse
	plays   = *arbiterv1.ApplyMoveResponse
	listed  = *arbiterv1.Move
	reason  = *arbiterv1.Illegality
)

// swap exchanges the first two moves of the initial position.
func swap(moves []*arbiterv1.Move) {
	if len(moves) > 1 && moves[0].GetText() == "b1a3" {
		moves[0], moves[1] = moves[1], moves[0]
	}
}

var wrongAnswers = []lie{
	{name: "page too short", row: initial, about: "pages and stream of", answer: told(func(answer page) {
		answer.Moves = answer.Moves[:len(answer.Moves)/2]
	})},
	{name: "stream too short", row: initial, about: "moves listed of", answer: told(func(answer batch) {
		answer.Moves = answer.Moves[1:]
	})},
	{name: "no next page", row: initial, about: "pages and stream of", answer: told(func(answer page) {
		answer.NextPageToken = ""
	})},
	{name: "the same page for ever", row: initial, about: "answers for", answer: told(func(answer page) {
		answer.NextPageToken = "again"
	})},
	{name: "miscounted", row: initial, about: "moves counted of", answer: told(func(answer page) {
		answer.TotalSize++
	})},
	{name: "order", row: initial, about: "moves out of order of", answer: func(answer any) {
		told(func(answer page) { swap(answer.Moves) })(answer)
		told(func(answer batch) { swap(answer.Moves) })(answer)
	}},
	{name: "text", row: initial, about: "texts of", answer: full(func(move listed) {
		move.Text = "a1a1"
	})},
	{name: "square of a step", row: initial, about: "steps of", answer: full(func(move listed) {
		move.Steps[0].ToSquare = "a1"
	})},
	{name: "unknown promotion", row: initial, about: "steps of", answer: full(func(move listed) {
		move.Steps[0].Promotion = 66
	})},
	{name: "twin", row: initial, about: "steps of", answer: full(func(move listed) {
		move.Steps[0].Twin = &arbiterv1.Location{Square: "a2"}
	})},
	{name: "removal", row: initial, about: "steps of", answer: full(func(move listed) {
		move.Steps[0].Removals = []*arbiterv1.Location{{Square: "a2"}}
	})},
	{name: "unknown board", row: initial, about: "answers for", answer: full(func(move listed) {
		move.Steps[0].Board = "Z"
	})},
	{name: "step withheld", row: initial, about: "steps offered after", answer: told(func(answer choice) {
		answer.Steps = answer.Steps[1:]
	})},
	{name: "other step offered", row: initial, about: "steps offered after", answer: told(func(answer choice) {
		answer.Steps[0].ToSquare = "a1"
	})},
	{name: "same steps for ever", row: initial, about: "answers for", answer: told(func(answer choice) {
		answer.NextPageToken = "again"
	})},
	{name: "nothing called a move", row: initial, about: "whether the move is complete", answer: told(func(answer choice) {
		answer.Complete = true
	})},
	{name: "beginning called illegal", row: initial, about: "legality after", answer: told(func(answer choice) {
		answer.Legal = false
	})},
	{name: "steps after the end", row: won, about: "why nothing is offered", answer: told(func(answer choice) {
		answer.Illegality = nil
	})},
	{name: "unknown state", row: initial, about: "status of", answer: told(func(answer stands) {
		answer.Status.State = 66
	})},
	{name: "repetitions", row: initial, about: "repetitions of", answer: told(func(answer stands) {
		answer.Status.Repetitions = 2
	})},
	{name: "status by replay", row: initial, about: "status by replay of", answer: told(func(answer replays) {
		answer.Status.ToMove = arbiterv1.Side_SIDE_BLACK
	})},
	{name: "text by replay", row: initial, about: "text by replay", answer: told(func(answer replays) {
		answer.Position.Fen = emptyBoard
	})},
	{name: "game not over", row: won, about: "why nothing can be played", answer: illegal(func(answer reason) {
		answer.Reason = arbiterv1.IllegalReason_ILLEGAL_REASON_NO_PIECE
	})},
	{name: "no change", row: initial, about: "changes of", answer: played(func(answer plays) {
		answer.Changes = nil
	})},
	{name: "change of nothing", row: initial, about: "answers for", answer: played(func(answer plays) {
		answer.Changes[0].From = &arbiterv1.Location{Square: "e5"}
	})},
	{name: "piece missing after", row: initial, about: "changes of", answer: played(func(answer plays) {
		answer.Position.Boards[0].Pieces = answer.Position.Boards[0].Pieces[1:]
	})},
	{name: "twin group after", row: initial, about: "changes of", answer: played(func(answer plays) {
		answer.Position.Boards[0].Pieces[0].TwinGroup = 7
	})},
	{name: "position after", row: initial, about: "position after", answer: played(func(answer plays) {
		answer.Position.Fen = emptyBoard
	})},
	{name: "another move played", row: initial, about: "move ", answer: played(func(answer plays) {
		answer.Move.Text = "a1a1"
	})},
	{name: "legal called illegal", row: initial, about: "legality of", answer: told(func(answer plays) {
		answer.Legal = false
	})},
	{name: "history lost", row: game, about: "replay and play of", answer: played(func(answer plays) {
		answer.Position.History = nil
	})},
	{name: "field that only one answer has", row: game, about: "replay and play of", answer: played(func(answer plays) {
		grown(answer.Position)
	})},
	{name: "bad move in a legal game", row: game, about: "legality of", answer: told(func(answer replays) {
		answer.BadMoveIndex = new(uint32)
	})},
	{name: "illegality in a legal game", row: game, about: "illegality in", answer: told(func(answer replays) {
		answer.Illegality = &arbiterv1.Illegality{Message: "the moon is full"}
	})},
	{name: "moves of the game", row: game, about: "moves of", answer: told(func(answer replays) {
		answer.CanonicalMoves[0] = "a1a1"
	})},
	{name: "positions of the game", row: game, about: "positions of", answer: told(func(answer replays) {
		answer.Positions = answer.Positions[1:]
	})},
	{name: "last position of the game", row: game, about: "last position of", answer: told(func(answer replays) {
		answer.Position.History = nil
	})},
	{name: "end of the game", row: game, about: "end of", answer: told(func(answer replays) {
		answer.Status.Winner = 66
	})},
	{name: "status on the way", row: game, about: "status after", answer: played(func(answer plays) {
		answer.Status.Reason = 66
	})},
	{name: "status at the end", row: game, about: "status at the end of", answer: told(func(answer stands) {
		answer.Status.Repetitions = 66
	})},
	{name: "another move meant", row: meant, about: "move meant by", answer: played(func(answer plays) {
		answer.Move.Text = "a1a1"
	})},
	{name: "unknown reason", row: refused, about: "is a reason of the contract", answer: illegal(func(answer reason) {
		answer.Reason = 66
	})},
	{name: "no reason", row: refused, about: "is a reason of the contract", answer: illegal(func(answer reason) {
		answer.Reason = 0
	})},
	{name: "no sentence", row: refused, about: "whether people are told", answer: illegal(func(answer reason) {
		answer.Message = ""
	})},
	{name: "candidates", row: several, about: "candidates of", answer: illegal(func(answer reason) {
		answer.Candidates = answer.Candidates[1:]
	})},
	{name: "ambiguous called illegal", row: several, about: "verdict on", answer: illegal(func(answer reason) {
		answer.Reason = arbiterv1.IllegalReason_ILLEGAL_REASON_NO_PIECE
	})},
	{name: "listed and illegal", row: deep, about: "answers for", answer: told(func(answer plays) {
		answer.Legal = false
	})},
	{name: "perft", row: deep, about: "perft 2 of", answer: told(func(answer page) {
		answer.TotalSize++
	})},
}

// refusal gives an error with these details instead of the service's own.
func refusal(code codes.Code, info *errdetails.ErrorInfo, fields ...string) func(*status.Status) error {
	violations := &errdetails.BadRequest{}
	for _, field := range fields {
		violations.FieldViolations = append(violations.FieldViolations, &errdetails.BadRequest_FieldViolation{Field: field})
	}
	return func(*status.Status) error {
		refused, err := status.New(code, "no").WithDetails(info, violations)
		if err != nil {
			return err
		}
		return refused.Err()
	}
}

func info(domain, reason, faults string) *errdetails.ErrorInfo {
	return &errdetails.ErrorInfo{Domain: domain, Reason: reason, Metadata: map[string]string{"faults": faults}}
}

var impossible = info("arbiter", "INVALID_POSITION", "BAD_FIELDS")

var wrongErrors = []lie{
	{name: "code", row: bad, about: "code of",
		failure: refusal(codes.NotFound, impossible, "position.fen")},
	{name: "reason", row: bad, about: "reason of",
		failure: refusal(codes.InvalidArgument, info("arbiter", "BUSY", ""), "position.fen")},
	{name: "unknown reason", row: bad, about: "reason of",
		failure: refusal(codes.InvalidArgument, info("arbiter", "FULL_MOON", ""), "position.fen")},
	{name: "domain", row: bad, about: "reason of",
		failure: refusal(codes.InvalidArgument, info("proxy.example", "INVALID_POSITION", ""), "position.fen")},
	{name: "unknown fault", row: bad, about: "whether the contract has the fault FULL_MOON",
		failure: refusal(codes.InvalidArgument, info("arbiter", "INVALID_POSITION", "FULL_MOON"), "position.fen")},
	{name: "other fault", row: bad, about: "is among the faults",
		failure: refusal(codes.InvalidArgument, info("arbiter", "INVALID_POSITION", "BOTH_LOST"), "position.fen")},
	{name: "field", row: bad, about: "fields of",
		failure: refusal(codes.InvalidArgument, impossible, "position.variant")},
	{name: "no field", row: bad, about: "fields of", failure: refusal(codes.InvalidArgument, impossible)},
	{name: "fault without its violation", row: bad, about: "are told of",
		failure: refusal(codes.InvalidArgument, info("arbiter", "INVALID_POSITION", "BAD_FIELDS,BAD_CLOCK"), "position.fen")},
	{name: "too many violations", row: bad, about: "are told of",
		failure: refusal(codes.InvalidArgument, impossible, strings.Fields(strings.Repeat("position.fen ", 17))...)},
	{name: "no details", row: bad, about: "reason of", failure: func(failure *status.Status) error {
		return status.Error(failure.Code(), failure.Message())
	}},
	{name: "no error", row: bad, about: "status of", failure: func(*status.Status) error { return nil }},
	{name: "busy", row: bad, about: "code of", failure: refusal(codes.ResourceExhausted, info("arbiter", "BUSY", ""))},
}

func TestWrongAnswersAreFoundOut(t *testing.T) {
	honest := asking(t, real.address)
	listed, err := honest.variants()
	if err != nil {
		t.Fatal(err)
	}
	variants := map[string]*variant{}
	for _, each := range listed {
		variants[each.GetId()] = newVariant(each)
	}
	for _, each := range append(wrongAnswers, wrongErrors...) {
		each := each
		t.Run(each.name, func(t *testing.T) {
			id, row := each.row(t)
			if found := ask(row, variants[id], honest); len(found.disagreements) > 0 {
				t.Fatalf("without a lie: %q", found.disagreements)
			}
			liar := asking(t, real.address,
				grpc.WithUnaryInterceptor(each.unary), grpc.WithStreamInterceptor(each.stream))
			found := ask(row, variants[id], liar)
			if !strings.Contains(strings.Join(found.disagreements, "\n"), each.about) {
				t.Errorf("nothing about %q in %q", each.about, found.disagreements)
			}
		})
	}
}
