package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A damage makes a row wrong. The comparison must find it out, or it could not fail at all.
type damage struct {
	variant, file, name string
	// What the disagreement must be about.
	about string
	// Gives a damaged copy of the row, or nil if the row is not one for this damage.
	copy func(row) (row, error)
}

// undetected gives the damages that were not found out, and rows that were called wrong without damage. It should be
// none.
func undetected(vectors vectors, variants map[string]*variant, arbiter *arbiter) ([]string, error) {
	var missed []string
	for _, damage := range damages {
		at := fmt.Sprintf("%s, %s: %s", damage.variant, damage.file, damage.name)
		whole, damaged, err := damage.first(vectors)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		variant, ok := variants[damage.variant]
		if !ok || whole == nil {
			missed = append(missed, at+": there is no row for it")
			continue
		}
		if found := ask(whole, variant, arbiter); len(found.disagreements) > 0 {
			missed = append(missed, at+": wrong without it: "+found.disagreements[0])
		}
		found := ask(damaged, variant, arbiter)
		if !strings.Contains(strings.Join(found.disagreements, "\n"), damage.about) {
			missed = append(missed, fmt.Sprintf("%s: only %q", at, found.disagreements))
		}
	}
	return missed, nil
}

// first gives the first row that is one for this damage, and its damaged copy.
func (d *damage) first(vectors vectors) (whole, damaged row, err error) {
	for _, row := range vectors[d.variant][d.file] {
		if damaged, err = d.copy(row); damaged != nil || err != nil {
			return row, damaged, err
		}
	}
	return nil, nil, nil
}

// on makes a copy of a row for which something holds, and spoils it.
func on[R row](fits func(R) bool, spoil func(R)) func(row) (row, error) {
	return func(given row) (row, error) {
		whole, ok := given.(R)
		if !ok || !fits(whole) {
			return nil, nil
		}
		text, err := json.Marshal(whole)
		if err != nil {
			return nil, err
		}
		var damaged R
		if err := json.Unmarshal(text, &damaged); err != nil {
			return nil, err
		}
		spoil(damaged)
		return damaged, nil
	}
}

func isValid(row *positionRow) bool       { return row.Invalid == "" }
func isInvalid(row *positionRow) bool     { return row.Invalid != "" }
func hasMoves(row *positionRow) bool      { return len(row.Moves) > 2 }
func hasFirstSteps(row *positionRow) bool { return len(row.ByFirstStep) > 0 }
func hasAfter(row *positionRow) bool      { return len(row.After) > 0 }
func isWon(row *positionRow) bool         { return row.Status.Winner == "w" }
func isGame(*gameRow) bool                { return true }
func isMove(row *longRow) bool            { return row.Move != "" }
func isError(row *longRow) bool           { return row.Error == "ILLEGAL_MOVE" }
func hasCandidates(row *longRow) bool     { return len(row.Candidates) > 0 }
func isDeep(row *perftRow) bool           { return len(row.Counts) > 1 && row.Counts[0] <= mostInnerPositions }

const emptyBoard = "8/8/8/8/8/8/8/8 w - - 0 1"

var damages = []damage{
	{"chess", "chess.jsonl", "state", "status of", on(isValid, func(row *positionRow) {
		row.Status.State = "drawn"
	})},
	{"chess", "chess.jsonl", "winner", "status of", on(isWon, func(row *positionRow) {
		row.Status.Winner = "b"
	})},
	{"chess", "chess.jsonl", "reason", "status of", on(isWon, func(row *positionRow) {
		row.Status.Reason = "stalemate"
	})},
	{"chess", "chess.jsonl", "attacked king", "status of", on(isValid, func(row *positionRow) {
		row.Status.Checked = []string{"a1"}
	})},
	{"gamma2", "gamma2.jsonl", "count", "moves counted of", on(isValid, func(row *positionRow) {
		row.Count++
	})},
	{"gamma2", "gamma2.jsonl", "count of the list", "moves listed of", on(isValid, func(row *positionRow) {
		row.Count++
	})},
	{"gamma2", "gamma2.jsonl", "hash", "hash of", on(isValid, func(row *positionRow) {
		row.SHA256 = strings.Repeat("0", 64)
	})},
	{"doppelganger", "doppelganger.jsonl", "move", "moves of", on(hasMoves, func(row *positionRow) {
		row.Moves[0] = "a1a1"
	})},
	{"doppelganger", "doppelganger.jsonl", "move too few", "moves of", on(hasMoves, func(row *positionRow) {
		row.Moves = row.Moves[1:]
	})},
	{"three-universes", "three-universes.jsonl", "first step", "first steps of",
		on(hasFirstSteps, func(row *positionRow) {
			row.ByFirstStep["R:a1a2"] = 1_000
		})},
	{"bordahbee", "bordahbee.jsonl", "position after", "position after", on(hasAfter, func(row *positionRow) {
		row.After[0][1] = emptyBoard
	})},
	{"chess", "chess.jsonl", "illegal called legal", "legality of", on(hasAfter, func(row *positionRow) {
		row.After[0][0] = "a1a8"
	})},
	{"chess", "chess.jsonl", "no positions after", "answers for", on(hasAfter, func(row *positionRow) {
		row.After = nil
	})},
	{"chess", "chess.jsonl", "impossible position", "answers for", on(isValid, func(row *positionRow) {
		row.Position = emptyBoard
	})},
	{"influence", "influence.jsonl", "fault", "whether BOTH_LOST is among", on(isInvalid, func(row *positionRow) {
		row.Invalid = "BOTH_LOST"
	})},
	{"influence", "influence.jsonl", "possible called impossible", "status of",
		on(isValid, func(row *positionRow) {
			row.Invalid = "BAD_CLOCK"
		})},
	{"influence", "influence.jsonl", "impossible called possible", "answers for",
		on(isInvalid, func(row *positionRow) {
			row.Invalid, row.After = "", [][2]string{}
		})},
	{"chess", "games.json", "position", "positions of", on(isGame, func(row *gameRow) {
		row.Positions[0] = emptyBoard
	})},
	{"chess", "games.json", "status on the way", "status after", on(isGame, func(row *gameRow) {
		row.Statuses[0].State = "won"
	})},
	{"chess", "games.json", "last status", "end of", on(isGame, func(row *gameRow) {
		row.Statuses[len(row.Statuses)-1].State = "won"
	})},
	{"chess", "games.json", "illegal move", "legality of", on(isGame, func(row *gameRow) {
		row.Moves[0] = "a1a8"
	})},
	{"chess", "games.json", "text of a move", "moves of", on(isGame, func(row *gameRow) {
		row.Moves[0] = row.Moves[0][:2] + "-" + row.Moves[0][2:]
	})},
	{"chess", "games.json", "status too few", "answers for", on(isGame, func(row *gameRow) {
		row.Statuses = row.Statuses[1:]
	})},
	{"gamma2", "long.json", "move", "move meant by", on(isMove, func(row *longRow) {
		row.Move = "a1a2"
	})},
	{"gamma2", "long.json", "legal called illegal", "move meant by", on(isMove, func(row *longRow) {
		row.Error = "ILLEGAL_MOVE"
	})},
	{"chess", "long.json", "illegal called legal", "verdict on", on(isMove, func(row *longRow) {
		row.Text = "Ka1-b8"
	})},
	{"three-universes", "long.json", "candidates", "candidates of", on(hasCandidates, func(row *longRow) {
		row.Candidates = row.Candidates[1:]
	})},
	{"three-universes", "long.json", "ambiguous called illegal", "verdict on", on(hasCandidates, func(row *longRow) {
		row.Error = "ILLEGAL_MOVE"
	})},
	{"bordahbee", "long.json", "illegal called ambiguous", "verdict on", on(isError, func(row *longRow) {
		row.Error = "AMBIGUOUS_MOVE"
	})},
	{"influence", "perft.json", "count", "perft 1 of", on(isDeep, func(row *perftRow) {
		row.Counts[0]++
	})},
	{"influence", "perft.json", "deeper count", "perft 2 of", on(isDeep, func(row *perftRow) {
		row.Counts[1]++
	})},
}
