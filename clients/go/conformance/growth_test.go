package main

// Servers of a later release, which say more than this program knows, and numbers of 64 bits.

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	arbiterv1 "arbiter/v1"
)

func TestUnknownEnumValuesAreTheirNumbers(t *testing.T) {
	for number, digits := range map[int32]string{66: "66", math.MaxInt32: "2147483647", -1: "-1"} {
		arbiter := askingStandIn(t, &standIn{
			applyMove: func(request *arbiterv1.ApplyMoveRequest) (*arbiterv1.ApplyMoveResponse, error) {
				if request.GetPositionView() != arbiterv1.PositionView(number) {
					t.Errorf("%d arrived as %d", number, request.GetPositionView())
				}
				if promotion := request.GetMove().GetSteps()[0].GetPromotion(); promotion != arbiterv1.PieceKind(number) {
					t.Errorf("%d arrived as %d", number, promotion)
				}
				return &arbiterv1.ApplyMoveResponse{
					Status: &arbiterv1.Status{
						State:  arbiterv1.State(number),
						Winner: arbiterv1.Side(number),
						Reason: arbiterv1.Reason(number),
					},
					Changes:    []*arbiterv1.Change{{Cause: arbiterv1.ChangeCause(number)}},
					Illegality: &arbiterv1.Illegality{Reason: arbiterv1.IllegalReason(number)},
					Move:       request.GetMove(),
				}, nil
			},
		})
		step := &arbiterv1.Step{FromSquare: "e7", ToSquare: "e8", Promotion: arbiterv1.PieceKind(number)}
		answer, err := arbiter.apply(&arbiterv1.ApplyMoveRequest{
			Move:         &arbiterv1.Move{Steps: []*arbiterv1.Step{step}},
			PositionView: arbiterv1.PositionView(number),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []protoreflect.Enum{
			answer.GetStatus().GetState(),
			answer.GetStatus().GetWinner(),
			answer.GetStatus().GetReason(),
			answer.GetChanges()[0].GetCause(),
			answer.GetIllegality().GetReason(),
			answer.GetMove().GetSteps()[0].GetPromotion(),
		} {
			if value.Number() != protoreflect.EnumNumber(number) {
				t.Errorf("%T %d became %d", value, number, value.Number())
			}
			if printed := value.(interface{ String() string }).String(); printed != digits {
				t.Errorf("%T %d is printed as %q", value, number, printed)
			}
			if known := value.Descriptor().Values().ByNumber(value.Number()); known != nil {
				t.Errorf("%T %d is taken for %s", value, number, known.Name())
			}
		}

		// What is read from such an answer is no known value either.
		words := inWords(answer.GetStatus())
		if !reflect.DeepEqual(words, statusWords{digits, digits, digits, []string{}}) {
			t.Errorf("the status is read as %+v", words)
		}
		if text := moveText(answer.GetMove().GetSteps()); text != "e7e8="+digits {
			t.Errorf("the move is read as %s", text)
		}
		board := newVariant(&arbiterv1.Variant{Boards: []*arbiterv1.BoardSpec{{}}})
		if place, err := board.place(answer.GetMove()); err == nil {
			t.Errorf("a promotion to %d has the place %v", number, place)
		}
	}
}

func TestTheServiceRefusesEnumValuesThatItDoesNotKnow(t *testing.T) {
	arbiter := asking(t, real.address)
	chess := &arbiterv1.Position{Variant: "chess"}
	_, err := arbiter.apply(&arbiterv1.ApplyMoveRequest{
		Position: chess, Move: &arbiterv1.Move{Text: "e2e4"}, PositionView: 66,
	})
	wantError(t, err, invalidValue("position_view"))
	step := &arbiterv1.Step{FromSquare: "e2", ToSquare: "e4", Promotion: 66}
	_, err = arbiter.apply(&arbiterv1.ApplyMoveRequest{
		Position: chess, Move: &arbiterv1.Move{Steps: []*arbiterv1.Step{step}},
	})
	wantError(t, err, invalidValue("move.steps[0].promotion"))
	_, err = arbiter.page(&arbiterv1.LegalMovesRequest{Position: chess, MoveView: 66})
	wantError(t, err, invalidValue("move_view"))
}

// later is a field that no message of the contract has: number 1000, a string of bytes that are no text.
var later = protowire.AppendBytes(protowire.AppendTag(nil, 1000, protowire.BytesType), []byte{0xff, 0x00, 0x80})

// grown gives a message with that field.
func grown[M proto.Message](message M) M {
	message.ProtoReflect().SetUnknown(later)
	return message
}

// grownPosition is a position of a later release: it and each message in it has the field.
func grownPosition() *arbiterv1.Position {
	piece := grown(&arbiterv1.Piece{Square: "e1", Kind: arbiterv1.PieceKind_PIECE_KIND_KING, Side: 66})
	passed := grown(&arbiterv1.EnPassant{Passed: "e3"})
	board := grown(&arbiterv1.Board{Files: 8, Ranks: 8, Pieces: []*arbiterv1.Piece{piece}, EnPassant: passed})
	return grown(&arbiterv1.Position{
		Variant: "chess", Fen: "some", Boards: []*arbiterv1.Board{board}, History: []byte("12345678"),
	})
}

func TestUnknownFieldsGoBackUntouched(t *testing.T) {
	sent := wire(t, grownPosition())
	if count := bytes.Count(sent, later); count != 4 {
		t.Fatalf("the field is there %d times", count)
	}
	var received []*arbiterv1.Position
	arbiter := askingStandIn(t, &standIn{
		applyMove: func(request *arbiterv1.ApplyMoveRequest) (*arbiterv1.ApplyMoveResponse, error) {
			received = append(received, request.GetPosition())
			return &arbiterv1.ApplyMoveResponse{Legal: true, Position: grownPosition()}, nil
		},
	})
	first, err := arbiter.play(&arbiterv1.Position{Variant: "chess"}, "e2e4")
	if err != nil {
		t.Fatal(err)
	}
	// As it came, after it was stored, and as a copy.
	stored := &arbiterv1.Position{}
	if err := proto.Unmarshal(wire(t, first.GetPosition()), stored); err != nil {
		t.Fatal(err)
	}
	copied := proto.Clone(first.GetPosition()).(*arbiterv1.Position)
	for _, position := range []*arbiterv1.Position{first.GetPosition(), stored, copied} {
		if _, err := arbiter.play(position, "e7e5"); err != nil {
			t.Fatal(err)
		}
		if arrived := wire(t, received[len(received)-1]); !bytes.Equal(arrived, sent) {
			t.Errorf("it went back as %x, not %x", arrived, sent)
		}
	}
	// The comparison of this program sees them, too.
	bare := grownPosition()
	bare.ProtoReflect().SetUnknown(nil)
	if equal(bare, grownPosition()) || !equal(copied, grownPosition()) {
		t.Error("unknown fields are not compared")
	}
}

// wire gives the bytes of a message. They are the same for equal messages, as no message of the contract has a map.
func wire(t *testing.T, message proto.Message) []byte {
	t.Helper()
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func TestTheServiceTakesFieldsThatItDoesNotKnow(t *testing.T) {
	arbiter := asking(t, real.address)
	wanted, err := arbiter.play(&arbiterv1.Position{Variant: "gamma2"}, "f2e3")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := arbiter.apply(grown(&arbiterv1.ApplyMoveRequest{
		Position: grown(&arbiterv1.Position{Variant: "gamma2"}),
		Move:     grown(&arbiterv1.Move{Text: "f2e3"}),
	}))
	if err != nil {
		t.Fatal(err)
	}
	if !answer.GetLegal() || !proto.Equal(answer, wanted) {
		t.Errorf("it answers %v, not %v", answer, wanted)
	}
}

func TestCountsAreExactUpTo64Bits(t *testing.T) {
	for _, count := range []uint64{0, 1<<53 + 1, 1 << 63, 1<<63 + 1, math.MaxUint64} {
		arbiter := askingStandIn(t, &standIn{
			legalMoves: func(*arbiterv1.LegalMovesRequest) (*arbiterv1.LegalMovesResponse, error) {
				return &arbiterv1.LegalMovesResponse{TotalSize: count}, nil
			},
		})
		counted, err := arbiter.count(&arbiterv1.Position{Variant: "chess"})
		if err != nil {
			t.Fatal(err)
		}
		if counted != count {
			t.Errorf("%d became %d", count, counted)
		}
	}
}

// The keys of earlier positions are bytes in the contract. A program that keeps them as numbers needs all 64 bits.
func TestKeysOfEarlierPositionsNeedAll64Bits(t *testing.T) {
	arbiter := asking(t, real.address)
	// The key of this position is over 2^63, and this position is what the moves come back to.
	played, err := arbiter.play(&arbiterv1.Position{Variant: "chess"}, "b1c3")
	if err != nil {
		t.Fatal(err)
	}
	position := of(played.GetPosition().GetFen())
	moves := []string{"b8c6", "c3b1", "c6b8", "b1c3", "b8c6", "c3b1", "c6b8", "b1c3"}
	for index, text := range moves {
		keys := numbers(t, position.GetHistory())
		if len(keys) != index {
			t.Fatalf("%d keys after %d moves", len(keys), index)
		}
		position.History = fromNumbers(keys)
		if played, err = arbiter.play(position, text); err != nil {
			t.Fatal(err)
		}
		position = played.GetPosition()
	}
	keys := numbers(t, position.GetHistory())
	if keys[0] < 1<<63 || keys[4] != keys[0] {
		t.Fatalf("the keys are %x", keys)
	}
	for _, each := range []struct {
		lost        uint64
		repetitions uint32
	}{{0, 3}, {1 << 63, 1}} {
		kept := make([]uint64, len(keys))
		for index, key := range keys {
			kept[index] = key &^ each.lost
		}
		position.History = fromNumbers(kept)
		now, err := arbiter.status(position)
		if err != nil {
			t.Fatal(err)
		}
		if now.GetRepetitions() != each.repetitions {
			t.Errorf("without the bits %x the position occurs %d times", each.lost, now.GetRepetitions())
		}
	}
}

func numbers(t *testing.T, history []byte) []uint64 {
	t.Helper()
	if len(history)%8 != 0 {
		t.Fatalf("a history of %d bytes", len(history))
	}
	var keys []uint64
	for ; len(history) > 0; history = history[8:] {
		keys = append(keys, binary.BigEndian.Uint64(history))
	}
	return keys
}

func fromNumbers(keys []uint64) []byte {
	history := make([]byte, 0, 8*len(keys))
	for _, key := range keys {
		history = binary.BigEndian.AppendUint64(history, key)
	}
	return history
}
