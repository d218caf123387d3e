package main

// Errors as Go reads them: the code, and the details in the trailers of calls and of streams.

import (
	"context"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang/protobuf/proto"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"

	arbiterv1 "arbiter/v1"
)

// A wantedError is what an error must say. Without a reason it must have no details; without a field, no field at fault.
type wantedError struct {
	code   codes.Code
	reason string
	field  string
	retry  bool
}

func invalid(reason, field string) wantedError {
	return wantedError{code: codes.InvalidArgument, reason: reason, field: field}
}

func invalidValue(field string) wantedError { return invalid("INVALID_ARGUMENT_VALUE", field) }

// wantError holds an error to what it must say: each detail once, where it is due, and no other.
func wantError(t *testing.T, err error, wanted wantedError) {
	t.Helper()
	failure, ok := status.FromError(err)
	if err == nil || !ok {
		t.Errorf("%v is no error of gRPC", err)
		return
	}
	found := wantedError{code: failure.Code()}
	kinds := map[string]int{}
	for _, detail := range failure.Details() {
		kinds[reflect.TypeOf(detail).String()]++
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			found.reason = detail.GetReason()
			if detail.GetDomain() != "arbiter" {
				t.Errorf("the domain of %v is %q", err, detail.GetDomain())
			}
			if _, known := arbiterv1.ErrorReason_value["ERROR_REASON_"+detail.GetReason()]; !known {
				t.Errorf("%s is no reason of the contract", detail.GetReason())
			}
		case *errdetails.BadRequest:
			for _, violation := range detail.GetFieldViolations() {
				found.field = violation.GetField()
				if violation.GetField() != wanted.field || violation.GetDescription() == "" {
					t.Errorf("%v has the violation %v, not one of %s", err, violation, wanted.field)
				}
			}
		case *errdetails.RetryInfo:
			delay := detail.GetRetryDelay()
			found.retry = delay.GetSeconds() >= 0 && (delay.GetSeconds() > 0 || delay.GetNanos() > 0)
		default:
			t.Errorf("%v has the detail %v", err, detail)
		}
	}
	for kind, count := range kinds {
		if count > 1 {
			t.Errorf("%v has %d of %s", err, count, kind)
		}
	}
	if found != wanted {
		t.Errorf("%v says %+v, not %+v", err, found, wanted)
	}
	if size := proto.Size(failure.Proto()); size >= 4096 {
		t.Errorf("%v takes %d bytes of the trailers", err, size)
	}
}

var chess = &arbiterv1.Position{Variant: "chess"}

// of gives a chess position with this text.
func of(fen string) *arbiterv1.Position { return &arbiterv1.Position{Variant: "chess", Fen: fen} }

func TestErrorsSayReasonAndField(t *testing.T) {
	arbiter := asking(t, real.address)
	judge := func(position *arbiterv1.Position) error {
		_, err := arbiter.status(position)
		return err
	}
	move := func(move *arbiterv1.Move) error {
		_, err := arbiter.apply(&arbiterv1.ApplyMoveRequest{Position: chess, Move: move})
		return err
	}
	page := func(request *arbiterv1.LegalMovesRequest) error {
		request.Position = chess
		_, err := arbiter.page(request)
		return err
	}
	replay := func(moves ...string) error {
		_, err := arbiter.replay(&arbiterv1.ReplayGameRequest{Position: chess, Moves: moves})
		return err
	}
	faulty := of("P7/8/8/8/8/8/8/KK6 w K - 999999 1")
	both := &arbiterv1.Move{Text: "e2e4", Steps: []*arbiterv1.Step{{FromSquare: "d2", ToSquare: "d4"}}}
	halfKey := &arbiterv1.Position{Variant: "chess", History: []byte("1234")}
	filter := &arbiterv1.Filter{ToSquare: "z9"}
	game := strings.Fields(strings.Repeat("e2e4 ", 20_001))
	large, larger := of(strings.Repeat("8", 20<<10)), of(strings.Repeat("8", 5<<20))
	for name, each := range map[string]struct {
		err    error
		wanted wantedError
	}{
		"no variant":       {judge(&arbiterv1.Position{}), invalid("MISSING_FIELD", "position.variant")},
		"unknown variant":  {judge(&arbiterv1.Position{Variant: "♔"}), invalid("UNKNOWN_VARIANT", "position.variant")},
		"bad position":     {judge(of("♔")), invalid("INVALID_POSITION", "position.fen")},
		"many faults":      {judge(faulty), invalid("INVALID_POSITION", "position.fen")},
		"half a key":       {judge(halfKey), invalid("INVALID_HISTORY", "position.history")},
		"unreadable move":  {move(&arbiterv1.Move{Text: "e2e4\x00"}), invalid("UNREADABLE_MOVE", "move.text")},
		"no move":          {move(nil), invalid("MISSING_FIELD", "move")},
		"two moves":        {move(both), invalid("CONFLICTING_FORMS", "move.steps")},
		"negative size":    {page(&arbiterv1.LegalMovesRequest{PageSize: -1}), invalid("INVALID_PAGE_SIZE", "page_size")},
		"bad token":        {page(&arbiterv1.LegalMovesRequest{PageToken: "?"}), invalid("INVALID_PAGE_TOKEN", "page_token")},
		"bad filter":       {page(&arbiterv1.LegalMovesRequest{Filter: filter}), invalid("INVALID_FILTER", "filter.to_square")},
		"unreadable game":  {replay("e2e4", "e7é5"), invalid("UNREADABLE_MOVE", "moves[1]")},
		"too many moves":   {replay(game...), invalid("TOO_MANY_MOVES", "moves")},
		"too large":        {judge(large), invalid("REQUEST_TOO_LARGE", "position")},
		"over the message": {judge(larger), wantedError{code: codes.OutOfRange, reason: "REQUEST_TOO_LARGE"}},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, each.err, each.wanted) })
	}
}

func TestAllFaultsOfAPositionAreRead(t *testing.T) {
	_, err := asking(t, real.address).status(of("P7/8/8/8/8/8/8/KK6 w K - 999999 1"))
	reason, faults, violations := details(status.Convert(err))
	if reason != arbiterv1.ErrorReason_ERROR_REASON_INVALID_POSITION {
		t.Errorf("the reason is %s", reason)
	}
	found := map[string]bool{}
	for _, fault := range faults {
		found[fault] = true
	}
	wanted := map[string]bool{
		"TOO_MANY_KINGS": true, "MISSING_KING": true, "PAWN_ON_BACK_RANK": true, "BAD_CASTLING_RIGHT": true, "BAD_CLOCK": true,
	}
	if !reflect.DeepEqual(found, wanted) || len(violations) < len(wanted) {
		t.Errorf("the faults are %v, with %d violations", faults, len(violations))
	}
}

func TestAPageSizeOverTheLimitIsTakenAsTheLimit(t *testing.T) {
	page, err := asking(t, real.address).page(&arbiterv1.LegalMovesRequest{
		Position: heavy(t), MoveView: arbiterv1.MoveView_MOVE_VIEW_TEXT, PageSize: 1 << 30,
	})
	if err != nil {
		t.Fatal(err)
	}
	if count := len(page.GetMoves()); count != 10_000 || page.GetNextPageToken() == "" {
		t.Errorf("a page of %d moves, the next is %q", count, page.GetNextPageToken())
	}
}

// bytesCodec sends bytes as they are.
type bytesCodec struct{}

func (bytesCodec) Marshal(value interface{}) ([]byte, error) { return value.([]byte), nil }
func (bytesCodec) Unmarshal([]byte, interface{}) error       { return nil }
func (bytesCodec) Name() string                              { return "proto" }

func TestErrorsOfTheTransport(t *testing.T) {
	_, connection, err := connect(real.address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	invoke := func(method string, request []byte) error {
		return connection.Invoke(ctx, "/arbiter.v1.ArbiterService/"+method, request, nil, grpc.ForceCodec(bytesCodec{}))
	}
	wantError(t, invoke("GameStatus", []byte{0xff}), invalid("UNDECODABLE_REQUEST", ""))
	wantError(t, invoke("NoSuchMethod", nil), wantedError{code: codes.Unimplemented})

	// Nobody listens on port 1.
	_, err = asking(t, "127.0.0.1:1").status(chess)
	wantError(t, err, wantedError{code: codes.Unavailable})
}

// open asks for a stream, and fails the test if that alone is an error: those of a stream come when it is read.
func open(
	ctx context.Context, t *testing.T, arbiter *arbiter, request *arbiterv1.StreamLegalMovesRequest,
) arbiterv1.ArbiterService_StreamLegalMovesClient {
	t.Helper()
	stream, err := arbiter.stub.StreamLegalMoves(ctx, request)
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// drain reads a stream to its end, which is no error, or to its error.
func drain(stream arbiterv1.ArbiterService_StreamLegalMovesClient) (moves int, err error) {
	for {
		batch, err := stream.Recv()
		if err == io.EOF {
			return moves, nil
		}
		if err != nil {
			return moves, err
		}
		moves += len(batch.GetMoves())
	}
}

func TestErrorsOfStreams(t *testing.T) {
	arbiter := asking(t, real.address)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for field, request := range map[string]*arbiterv1.StreamLegalMovesRequest{
		"filter.board": {Position: chess, Filter: &arbiterv1.Filter{Board: "Ä"}},
		"move_view":    {Position: chess, MoveView: arbiterv1.MoveView_MOVE_VIEW_COUNT},
	} {
		reason := map[string]string{"filter.board": "INVALID_FILTER", "move_view": "INVALID_ARGUMENT_VALUE"}[field]
		moves, err := drain(open(ctx, t, arbiter, request))
		wantError(t, err, invalid(reason, field))
		if moves != 0 {
			t.Errorf("%d moves came before the error", moves)
		}
	}
	// A caller who leaves is told so by the own library, without details.
	leaving, leave := context.WithCancel(ctx)
	stream := open(leaving, t, arbiter, &arbiterv1.StreamLegalMovesRequest{Position: heavy(t)})
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	leave()
	_, err := drain(stream)
	wantError(t, err, wantedError{code: codes.Canceled})
}

func TestAStreamCanFailAfterItsFirstMoves(t *testing.T) {
	t.Parallel()
	server, err := startServer("--max-deadline", "2")
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	stream := open(ctx, t, asking(t, server.address), &arbiterv1.StreamLegalMovesRequest{Position: heavy(t)})
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	// The rest of the list is larger than what the connection takes unread, so the server waits until its deadline.
	time.Sleep(2500 * time.Millisecond)
	moves, err := drain(stream)
	wantError(t, err, wantedError{code: codes.DeadlineExceeded, reason: "DEADLINE_EXCEEDED"})
	if moves == 0 {
		t.Error("no moves came before the error")
	}
}

func TestABusyServerSaysWhenToComeBack(t *testing.T) {
	t.Parallel()
	server, err := startServer("--max-calls", "2", "--list-share", "100")
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	arbiter := asking(t, server.address)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for call := 0; call < 2; call++ {
		stream := open(ctx, t, arbiter, &arbiterv1.StreamLegalMovesRequest{Position: heavy(t)})
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
	}
	_, err = arbiter.status(chess)
	wantError(t, err, wantedError{code: codes.ResourceExhausted, reason: "BUSY", retry: true})

	// The streams are left, and there is room again.
	cancel()
	for try := 0; ; try++ {
		if _, err = arbiter.status(chess); err == nil {
			return
		}
		if try == 100 {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// refusing asks a stand-in that refuses with these details.
func refusing(t *testing.T, attached ...proto.Message) *status.Status {
	t.Helper()
	refusal, err := status.New(codes.FailedPrecondition, "not tonight").WithDetails(attached...)
	if err != nil {
		t.Fatal(err)
	}
	// First comes a detail of a type that nobody here knows.
	sent := refusal.Proto()
	unknown := &anypb.Any{TypeUrl: "type.googleapis.com/google.rpc.FullMoon", Value: []byte{0xff}}
	sent.Details = append([]*anypb.Any{unknown}, sent.Details...)
	arbiter := askingStandIn(t, &standIn{
		gameStatus: func(*arbiterv1.GameStatusRequest) (*arbiterv1.GameStatusResponse, error) {
			return nil, status.ErrorProto(sent)
		},
	})
	_, err = arbiter.status(chess)
	return status.Convert(err)
}

func TestDetailsOfALaterRelease(t *testing.T) {
	info := func(domain, reason string) *errdetails.ErrorInfo {
		faults := map[string]string{"faults": "MISSING_KING,TOO_ROUND"}
		return &errdetails.ErrorInfo{Domain: domain, Reason: reason, Metadata: faults}
	}
	failure := refusing(t, info("arbiter", "INVALID_POSITION"))
	if failure.Code() != codes.FailedPrecondition || failure.Message() != "not tonight" {
		t.Errorf("the error is read as %v", failure)
	}
	attached := failure.Details()
	if _, isError := attached[0].(error); len(attached) != 2 || !isError {
		t.Errorf("the details are read as %v", attached)
	}
	reason, faults, _ := details(failure)
	if reason != arbiterv1.ErrorReason_ERROR_REASON_INVALID_POSITION ||
		!reflect.DeepEqual(faults, []string{"MISSING_KING", "TOO_ROUND"}) {
		t.Errorf("beside an unknown detail, %s and %v are read", reason, faults)
	}
	// A reason that this program does not know is none of those it knows, and neither is one of somebody else.
	for _, other := range []*errdetails.ErrorInfo{info("arbiter", "FULL_MOON"), info("proxy.example", "BUSY")} {
		reason, _, _ := details(refusing(t, other))
		if reason != arbiterv1.ErrorReason_ERROR_REASON_UNSPECIFIED {
			t.Errorf("%v is taken for %s", other, reason)
		}
	}
}
