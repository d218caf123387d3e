package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	arbiterv1 "arbiter/v1"
)

const (
	// Lists up to this length are also fetched with their steps.
	mostWithSteps = 3_000
	// Perft asks the service about each inner position; not more than these.
	mostInnerPositions = 450
	// The most violations that an error lists.
	mostViolations = 16
)

// ask makes the checks of a row. An error that they do not expect is a disagreement.
func ask(row row, variant *variant, arbiter *arbiter) *comparison {
	found := &comparison{}
	if err := row.check(variant, arbiter, found); err != nil {
		found.same(err.Error(), "no error", "answers for %s", shown(row))
	}
	return found
}

// check asks about a position: that it is refused with its fault, or has its moves, status and successors.
func (r *positionRow) check(variant *variant, arbiter *arbiter, found *comparison) error {
	position := &arbiterv1.Position{Variant: r.Variant, Fen: r.Position}
	if r.Invalid != "" {
		return r.checkFault(position, arbiter, found)
	}
	if r.After == nil {
		return errors.New("the row has no list of positions after moves")
	}
	if err := r.checkStatus(position, variant, arbiter, found); err != nil {
		return err
	}
	if err := r.checkMoves(position, variant, arbiter, found); err != nil {
		return err
	}
	return r.checkAfter(position, arbiter, found)
}

func (r *positionRow) checkFault(position *arbiterv1.Position, arbiter *arbiter, found *comparison) error {
	answer, err := arbiter.status(position)
	if err == nil {
		found.same(answer, r.Invalid, "status of %s", r.Position)
		return nil
	}
	failure := status.Convert(err)
	reason, faults, violations := details(failure)
	found.same(failure.Code(), codes.InvalidArgument, "code of %s", r.Position)
	found.same(reason, arbiterv1.ErrorReason_ERROR_REASON_INVALID_POSITION, "reason of %s", r.Position)
	hasFault := false
	for _, fault := range faults {
		hasFault = hasFault || fault == r.Invalid
		_, isKnown := arbiterv1.PositionFault_value["POSITION_FAULT_"+fault]
		found.same(isKnown, true, "whether the contract has the fault %s of %s", fault, r.Position)
	}
	found.same(hasFault, true, "whether %s is among the faults %v of %s", r.Invalid, faults, r.Position)
	fields := map[string]bool{}
	for _, violation := range violations {
		fields[violation.GetField()] = true
	}
	found.same(fields, map[string]bool{"position.fen": true}, "fields of %s", r.Position)
	// A fault that the position has several times is told each time, its code once.
	fewest := len(faults)
	if fewest > mostViolations {
		fewest = mostViolations
	}
	told := fewest <= len(violations) && len(violations) <= mostViolations
	found.same(told, true, "whether all of %v are told of %s", faults, r.Position)
	return nil
}

// details gives what the service attached to an error: the reason, the faults of a position, the fields at fault.
func details(failure *status.Status) (
	reason arbiterv1.ErrorReason, faults []string, violations []*errdetails.BadRequest_FieldViolation,
) {
	for _, detail := range failure.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == "arbiter" {
				reason = arbiterv1.ErrorReason(arbiterv1.ErrorReason_value["ERROR_REASON_"+detail.GetReason()])
				if joined, ok := detail.GetMetadata()["faults"]; ok {
					faults = strings.Split(joined, ",")
				}
			}
		case *errdetails.BadRequest:
			violations = detail.GetFieldViolations()
		}
	}
	return reason, faults, violations
}

func (r *positionRow) checkStatus(
	position *arbiterv1.Position, variant *variant, arbiter *arbiter, found *comparison,
) error {
	now, err := arbiter.status(position)
	if err != nil {
		return err
	}
	found.same(inWords(now), r.Status, "status of %s", r.Position)
	found.same(now.GetRepetitions(), uint32(1), "repetitions of %s", r.Position)
	// A game without moves gives the position as the service understands it.
	replayed, err := arbiter.replay(&arbiterv1.ReplayGameRequest{Position: position})
	if err != nil {
		return err
	}
	found.same(replayed.GetPosition().GetFen(), r.Position, "text by replay")
	found.same(replayed.GetStatus(), now, "status by replay of %s", r.Position)
	if state := now.GetState(); state != arbiterv1.State_STATE_WON && state != arbiterv1.State_STATE_DRAWN {
		return nil
	}
	board := variant.GetBoards()[0].GetName()
	refused, err := arbiter.play(position, withBoard(board, "a1a2"))
	if err != nil {
		return err
	}
	found.same(
		refused.GetIllegality().GetReason(), arbiterv1.IllegalReason_ILLEGAL_REASON_GAME_OVER,
		"why nothing can be played in %s", r.Position,
	)
	refusal, err := arbiter.steps(position, nil)
	if err != nil {
		return err
	}
	found.same(
		refusal.GetIllegality().GetReason(), arbiterv1.IllegalReason_ILLEGAL_REASON_GAME_OVER,
		"why nothing is offered in %s", r.Position,
	)
	return nil
}

func (r *positionRow) checkMoves(
	position *arbiterv1.Position, variant *variant, arbiter *arbiter, found *comparison,
) error {
	streamed, err := arbiter.streamed(position)
	if err != nil {
		return err
	}
	// Pages of such a size that small lists take several of them, too.
	paged, err := arbiter.moves(position, arbiterv1.MoveView_MOVE_VIEW_TEXT, r.Count/3+1)
	if err != nil {
		return err
	}
	counted, err := arbiter.count(position)
	if err != nil {
		return err
	}
	found.same(texts(paged), streamed, "pages and stream of %s", r.Position)
	found.same(counted, uint64(r.Count), "moves counted of %s", r.Position)
	found.same(len(streamed), r.Count, "moves listed of %s", r.Position)
	if err := r.checkSteps(position, streamed, arbiter, found); err != nil {
		return err
	}

	sorted := append([]string(nil), streamed...)
	sort.Strings(sorted)
	hash := sha256.Sum256([]byte(strings.Join(sorted, "\n")))
	found.same(hex.EncodeToString(hash[:]), r.SHA256, "hash of %s", r.Position)
	if r.Moves != nil {
		found.same(sorted, r.Moves, "moves of %s", r.Position)
	}
	if r.ByFirstStep != nil {
		firstSteps := map[string]int{}
		for _, text := range sorted {
			first, _, _ := strings.Cut(text, "/")
			firstSteps[first]++
		}
		found.same(firstSteps, r.ByFirstStep, "first steps of %s", r.Position)
	}
	if r.Count > mostWithSteps {
		return nil
	}

	full, err := arbiter.moves(position, arbiterv1.MoveView_MOVE_VIEW_FULL, 0)
	if err != nil {
		return err
	}
	var fromSteps []string
	for _, move := range full {
		fromSteps = append(fromSteps, moveText(move.GetSteps()))
	}
	found.same(texts(full), streamed, "texts of %s", r.Position)
	found.same(fromSteps, streamed, "steps of %s", r.Position)
	outOfOrder, err := variant.outOfOrder(full)
	if err != nil {
		return err
	}
	found.same(outOfOrder, []string(nil), "moves out of order of %s", r.Position)
	return nil
}

// checkSteps chooses the longest of the listed moves step by step: what is offered is what the list goes on with.
func (r *positionRow) checkSteps(
	position *arbiterv1.Position, listed []string, arbiter *arbiter, found *comparison,
) error {
	var longest string
	var begun [][]string
	for _, text := range listed {
		if len(text) > len(longest) {
			longest = text
		}
		begun = append(begun, strings.Split(text, "/"))
	}
	if longest == "" {
		return nil
	}
	steps := strings.Split(longest, "/")
	var prefix []*arbiterv1.Step
	for count := 0; ; count++ {
		at := fmt.Sprintf("%q in %s", moveText(prefix), r.Position)
		answer, err := arbiter.steps(position, prefix)
		if err != nil {
			return err
		}
		if !found.same(answer.GetLegal(), true, "legality after %s", at) {
			return nil
		}
		isComplete, following := goesOn(begun, count)
		found.same(answer.GetComplete(), isComplete, "whether the move is complete after %s", at)
		var offered []string
		for _, step := range answer.GetSteps() {
			offered = append(offered, stepText(step))
		}
		if !found.same(offered, following, "steps offered after %s", at) || count == len(steps) {
			return nil
		}
		var chosen [][]string
		for _, move := range begun {
			if len(move) > count && move[count] == steps[count] {
				chosen = append(chosen, move)
			}
		}
		begun = chosen
		for index, text := range offered {
			if text == steps[count] {
				prefix = append(prefix, answer.GetSteps()[index])
			}
		}
	}
}

// goesOn tells of moves that have so many steps in common whether one ends there, and which steps come next in others.
func goesOn(moves [][]string, count int) (ends bool, following []string) {
	for _, move := range moves {
		if len(move) == count {
			ends = true
		} else if last := len(following) - 1; last < 0 || following[last] != move[count] {
			following = append(following, move[count])
		}
	}
	return ends, following
}

// outOfOrder gives the texts of moves that do not come after the move before them.
func (v *variant) outOfOrder(moves []*arbiterv1.Move) ([]string, error) {
	var found []string
	var last []int
	for index, move := range moves {
		place, err := v.place(move)
		if err != nil {
			return nil, err
		}
		if index > 0 && !before(last, place) {
			found = append(found, move.GetText())
		}
		last = place
	}
	return found, nil
}

func (r *positionRow) checkAfter(position *arbiterv1.Position, arbiter *arbiter, found *comparison) error {
	if len(r.After) == 0 {
		return nil
	}
	full := arbiterv1.PositionView_POSITION_VIEW_FULL
	replayed, err := arbiter.replay(&arbiterv1.ReplayGameRequest{Position: position, PositionView: full})
	if err != nil {
		return err
	}
	start := replayed.GetPosition()
	for _, after := range r.After {
		text, wanted := after[0], after[1]
		answer, err := arbiter.apply(&arbiterv1.ApplyMoveRequest{
			Position:     start,
			Move:         &arbiterv1.Move{Text: text},
			PositionView: full,
		})
		if err != nil {
			return err
		}
		if !found.same(answer.GetLegal(), true, "legality of %s in %s", text, r.Position) {
			continue
		}
		found.same(answer.GetPosition().GetFen(), wanted, "position after %s in %s", text, r.Position)
		found.same(answer.GetMove().GetText(), text, "move %s in %s", text, r.Position)
		standing, err := changed(start, answer.GetChanges())
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		found.same(standing, placement(answer.GetPosition()), "changes of %s in %s", text, r.Position)
	}
	return nil
}

// check asks about a game: as a whole, and move by move, with the history that makes repetition known.
func (r *gameRow) check(_ *variant, arbiter *arbiter, found *comparison) error {
	count := len(r.Moves)
	if count == 0 || len(r.Positions) != count || len(r.Statuses) != count {
		return errors.New("the game has no moves, or not a position and a status for each")
	}
	position := &arbiterv1.Position{Variant: r.Variant, Fen: r.Start}
	at := fmt.Sprintf("the game of %s from %s", r.Kind, r.Start)
	replayed, err := arbiter.replay(&arbiterv1.ReplayGameRequest{
		Position: position, Moves: r.Moves, EveryPosition: true,
	})
	if err != nil {
		return err
	}
	positions := replayed.GetPositions()
	var fens []string
	for _, each := range positions {
		fens = append(fens, each.GetFen())
	}
	found.same(replayed.GetIllegality().GetMessage(), "", "illegality in %s", at)
	found.same(replayed.BadMoveIndex == nil && replayed.GetLegal(), true, "legality of %s", at)
	found.same(replayed.GetCanonicalMoves(), r.Moves, "moves of %s", at)
	if !found.same(fens, r.Positions, "positions of %s", at) {
		return nil
	}
	found.same(replayed.GetPosition(), positions[count-1], "last position of %s", at)
	found.same(inWords(replayed.GetStatus()), r.Statuses[count-1], "end of %s", at)
	for index, text := range r.Moves {
		answer, err := arbiter.play(position, text)
		if err != nil {
			return err
		}
		if !found.same(answer.GetLegal(), true, "legality of %s in %s", text, at) {
			return nil
		}
		position = answer.GetPosition()
		found.same(position, positions[index], "replay and play of %s in %s", text, at)
		found.same(position.GetFen(), r.Positions[index], "position after %s in %s", text, at)
		found.same(inWords(answer.GetStatus()), r.Statuses[index], "status after %s in %s", text, at)
	}
	last, err := arbiter.status(position)
	found.same(last, replayed.GetStatus(), "status at the end of %s", at)
	return err
}

// check asks for a move in long algebraic form.
func (r *longRow) check(_ *variant, arbiter *arbiter, found *comparison) error {
	at := r.Text + " in " + r.Position
	answer, err := arbiter.play(&arbiterv1.Position{Variant: r.Variant, Fen: r.Position}, r.Text)
	if err != nil {
		return err
	}
	if answer.GetLegal() {
		wanted := r.Move
		if r.Error != "" {
			wanted = r.Error
		}
		found.same(answer.GetMove().GetText(), wanted, "move meant by %s", at)
		return nil
	}
	illegality := answer.GetIllegality()
	verdict := "ILLEGAL_MOVE"
	if illegality.GetReason() == arbiterv1.IllegalReason_ILLEGAL_REASON_AMBIGUOUS {
		verdict = "AMBIGUOUS_MOVE"
	}
	found.same(verdict, r.Error, "verdict on %s", at)
	candidates := append([]string(nil), illegality.GetCandidates()...)
	sort.Strings(candidates)
	found.same(candidates, r.Candidates, "candidates of %s", at)
	name, isKnown := arbiterv1.IllegalReason_name[int32(illegality.GetReason())]
	isReason := isKnown && illegality.GetReason() != arbiterv1.IllegalReason_ILLEGAL_REASON_UNSPECIFIED
	found.same(isReason, true, "whether %q is a reason of the contract, for %s", name, at)
	found.same(illegality.GetMessage() != "", true, "whether people are told why, of %s", at)
	return nil
}

// check counts sequences of moves, as deep as does not take too many calls.
func (r *perftRow) check(variant *variant, arbiter *arbiter, found *comparison) error {
	if len(r.Counts) == 0 {
		return errors.New("the row has no counts")
	}
	inner := []*arbiterv1.Position{{Variant: variant.GetId(), Fen: r.Position}}
	for index, count := range r.Counts {
		var sum uint64
		for _, position := range inner {
			counted, err := arbiter.count(position)
			if err != nil {
				return err
			}
			sum += counted
		}
		found.same(sum, uint64(count), "perft %d of %s", index+1, r.Name)
		if count > mostInnerPositions || index+1 == len(r.Counts) {
			break
		}
		var next []*arbiterv1.Position
		for _, position := range inner {
			reached, err := successors(position, arbiter)
			if err != nil {
				return err
			}
			next = append(next, reached...)
		}
		inner = next
	}
	return nil
}

// successors gives the positions after each legal move. The moves go back to the service as they were listed.
func successors(position *arbiterv1.Position, arbiter *arbiter) ([]*arbiterv1.Position, error) {
	moves, err := arbiter.moves(position, arbiterv1.MoveView_MOVE_VIEW_FULL, 0)
	if err != nil {
		return nil, err
	}
	var reached []*arbiterv1.Position
	for _, move := range moves {
		answer, err := arbiter.apply(&arbiterv1.ApplyMoveRequest{Position: position, Move: move})
		if err != nil {
			return nil, err
		}
		if !answer.GetLegal() {
			return nil, fmt.Errorf("%s was listed and is illegal", move.GetText())
		}
		reached = append(reached, answer.GetPosition())
	}
	return reached, nil
}
