package main

// The contract read a second time: what statuses, steps and changes mean, and in which order moves come. None of it is
// needed to use the service. It is written down here once more, from the contract alone, to find out whether the
// service keeps to it.

import (
	"fmt"
	"strconv"
	"strings"

	arbiterv1 "arbiter/v1"
)

// A variant is what the service says of it, with the places of its boards in their order.
type variant struct {
	*arbiterv1.Variant
	boards map[string]int
}

func newVariant(listed *arbiterv1.Variant) *variant {
	boards := map[string]int{}
	for index, board := range listed.GetBoards() {
		boards[board.GetName()] = index
	}
	return &variant{listed, boards}
}

// promotions are the letters of what a pawn can become, and the order in which lists have it.
var promotions = map[arbiterv1.PieceKind]struct {
	letter string
	order  int
}{
	arbiterv1.PieceKind_PIECE_KIND_UNSPECIFIED: {"", 0},
	arbiterv1.PieceKind_PIECE_KIND_QUEEN:       {"q", 1},
	arbiterv1.PieceKind_PIECE_KIND_ROOK:        {"r", 2},
	arbiterv1.PieceKind_PIECE_KIND_BISHOP:      {"b", 3},
	arbiterv1.PieceKind_PIECE_KIND_KNIGHT:      {"n", 4},
	arbiterv1.PieceKind_PIECE_KIND_SHIP:        {"s", 5},
	arbiterv1.PieceKind_PIECE_KIND_ARCHER:      {"a", 6},
}

// inWords writes a status as the vectors do. A value that this program does not know is its number.
func inWords(status *arbiterv1.Status) statusWords {
	words := statusWords{
		State:   strings.ToLower(strings.TrimPrefix(status.GetState().String(), "STATE_")),
		Checked: []string{},
	}
	switch side := status.GetWinner(); side {
	case arbiterv1.Side_SIDE_UNSPECIFIED:
	case arbiterv1.Side_SIDE_WHITE:
		words.Winner = "w"
	case arbiterv1.Side_SIDE_BLACK, arbiterv1.Side_SIDE_BELOW:
		words.Winner = "b"
	case arbiterv1.Side_SIDE_ABOVE:
		words.Winner = "a"
	default:
		words.Winner = side.String()
	}
	if reason := status.GetReason(); reason != arbiterv1.Reason_REASON_UNSPECIFIED {
		words.Reason = strings.ToLower(strings.TrimPrefix(reason.String(), "REASON_"))
	}
	for _, king := range status.GetAttackedKings() {
		words.Checked = append(words.Checked, withBoard(king.GetBoard(), king.GetSquare()))
	}
	return words
}

// withBoard names a square with its board.
func withBoard(board, square string) string {
	if board == "" {
		return square
	}
	return board + ":" + square
}

// moveText gives the exact text of a move, from its steps.
func moveText(steps []*arbiterv1.Step) string {
	var all []string
	for _, step := range steps {
		all = append(all, stepText(step))
	}
	return strings.Join(all, "/")
}

func stepText(step *arbiterv1.Step) string {
	local := func(at *arbiterv1.Location) string {
		if at.GetBoard() == step.GetBoard() {
			return at.GetSquare()
		}
		return withBoard(at.GetBoard(), at.GetSquare())
	}
	text := withBoard(step.GetBoard(), step.GetFromSquare())
	if step.GetToBoard() != "" {
		text += "-" + step.GetToBoard() + ":"
	}
	text += step.GetToSquare()
	if promotion, ok := promotions[step.GetPromotion()]; ok {
		text += promotion.letter
	} else {
		text += "=" + step.GetPromotion().String()
	}
	if step.GetTwin() != nil {
		text += "+" + local(step.GetTwin())
	}
	var removals []string
	for _, removal := range step.GetRemovals() {
		removals = append(removals, local(removal))
	}
	if removals != nil {
		text += "x" + strings.Join(removals, ",")
	}
	return text
}

// listEnd ends the lists in a place. It comes before all that can go on a list.
const listEnd = -1

// place gives what moves are ordered by: numbers, of which the first that differ decide.
func (v *variant) place(move *arbiterv1.Move) ([]int, error) {
	var place []int
	var wrong error
	add := func(board, square string) {
		index, ok := v.boards[board]
		if !ok || len(square) < 2 {
			wrong = fmt.Errorf("%s has no square %s", v.GetId(), withBoard(board, square))
			return
		}
		rank, err := strconv.Atoi(square[1:])
		if err != nil {
			wrong = err
		}
		place = append(place, index, rank, int(square[0]))
	}
	for _, step := range move.GetSteps() {
		add(step.GetBoard(), step.GetFromSquare())
		toBoard := step.GetToBoard()
		if toBoard == "" {
			toBoard = step.GetBoard()
		}
		add(toBoard, step.GetToSquare())
		promotion, ok := promotions[step.GetPromotion()]
		if !ok {
			wrong = fmt.Errorf("nothing is promoted to %s", step.GetPromotion())
		}
		place = append(place, promotion.order)
		if step.GetTwin() != nil {
			add(step.GetTwin().GetBoard(), step.GetTwin().GetSquare())
		}
		place = append(place, listEnd)
		for _, removal := range step.GetRemovals() {
			add(removal.GetBoard(), removal.GetSquare())
		}
		place = append(place, listEnd)
	}
	return place, wrong
}

// before tells whether the first of two places comes before the second.
func before(first, second []int) bool {
	for index := range first {
		if index >= len(second) || first[index] != second[index] {
			return index < len(second) && first[index] < second[index]
		}
	}
	return len(first) < len(second)
}

// A spot is a square on its board, a man what stands there.
type (
	spot struct{ board, square string }
	man  struct {
		kind  arbiterv1.PieceKind
		side  arbiterv1.Side
		group uint32
	}
)

// placement tells what stands where.
func placement(position *arbiterv1.Position) map[spot]man {
	standing := map[spot]man{}
	for _, board := range position.GetBoards() {
		for _, piece := range board.GetPieces() {
			standing[spot{board.GetName(), piece.GetSquare()}] = manOf(piece)
		}
	}
	return standing
}

func manOf(piece *arbiterv1.Piece) man {
	return man{piece.GetKind(), piece.GetSide(), piece.GetTwinGroup()}
}

// changed tells what stands where after changes, applied as the contract says.
func changed(position *arbiterv1.Position, changes []*arbiterv1.Change) (map[spot]man, error) {
	standing := placement(position)
	clear := func(at *arbiterv1.Location) error {
		spot := spot{at.GetBoard(), at.GetSquare()}
		if _, ok := standing[spot]; !ok {
			return fmt.Errorf("a change clears %s, which is empty", withBoard(spot.board, spot.square))
		}
		delete(standing, spot)
		return nil
	}
	for _, change := range changes {
		if change.GetFrom() != nil {
			if err := clear(change.GetFrom()); err != nil {
				return nil, err
			}
		}
		if change.GetRemoved() != nil {
			if err := clear(change.GetAt()); err != nil {
				return nil, err
			}
		}
		if change.GetAdded() != nil {
			standing[spot{change.GetAt().GetBoard(), change.GetAt().GetSquare()}] = manOf(change.GetAdded())
		}
	}
	return standing, nil
}
