package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	arbiterv1 "arbiter/v1"
)

// copied makes a folder with the vectors, in which one file is changed.
func copied(t *testing.T, changed string, change func(text string) string) string {
	t.Helper()
	folder := t.TempDir()
	names, err := filepath.Glob(filepath.Join(repository(), "tests", "vectors", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == changed {
			text = []byte(change(string(text)))
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// miscounted says that the initial position of chess has 21 moves.
func miscounted(text string) string { return strings.Replace(text, `"count":20,`, `"count":21,`, 1) }

// emptied leaves nothing but an empty list.
func emptied(string) string { return "[]" }

func TestTheRunnerTellsOfDisagreements(t *testing.T) {
	unchanged := func(text string) string { return text }
	var output bytes.Buffer
	count, err := run([]string{"--target", real.address, "--vectors", copied(t, "", unchanged), "chess"}, &output)
	if count != 0 || err != nil {
		t.Fatalf("of the whole vectors it says %d, %v: %s", count, err, &output)
	}
	output.Reset()
	count, err = run([]string{
		"--target", real.address, "--vectors", copied(t, "chess.jsonl", miscounted), "--jobs", "1", "chess",
	}, &output)
	if err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{
		"  moves counted of rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1: 20, not 21\n",
		"  moves listed of rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1: 20, not 21\n",
		"108 rows, ",
		": 2 disagreements, ",
	} {
		if count < 2 || !strings.Contains(output.String(), wanted) {
			t.Errorf("of a wrong row it says %d: %s", count, &output)
		}
	}
	output.Reset()
	count, err = run([]string{
		"--target", real.address, "--vectors", copied(t, "long.json", emptied), "chess",
	}, &output)
	if err != nil || count == 0 || !strings.Contains(output.String(), "long.json has no rows of chess\n") {
		t.Errorf("of a file without rows it says %d, %v: %s", count, err, &output)
	}
}

func TestTheRunnerFailsWhereItCannotCompare(t *testing.T) {
	another := func(text string) string { return strings.ReplaceAll(text, `"variant":"chess"`, `"variant":"xiangqi"`) }
	misspelt := func(text string) string { return strings.Replace(text, `"after"`, `"aftre"`, 1) }
	cut := func(text string) string { return text[:len(text)-9] }
	for name, arguments := range map[string][]string{
		"no vectors":           {"--vectors", t.TempDir()},
		"no such folder":       {"--vectors", filepath.Join(t.TempDir(), "none")},
		"key of no meaning":    {"--vectors", copied(t, "chess.jsonl", misspelt)},
		"row of another game":  {"--vectors", copied(t, "chess.jsonl", another)},
		"half a file":          {"--vectors", copied(t, "games.json", cut)},
		"variant that is none": {"xiangqi"},
		"no jobs":              {"--jobs", "0"},
		"unknown flag":         {"--moon"},
		"nobody there":         {"--target", "127.0.0.1:1"},
	} {
		if name != "nobody there" {
			arguments = append([]string{"--target", real.address}, arguments...)
		}
		if _, err := run(arguments, io.Discard); err == nil {
			t.Errorf("%s: the runner says nothing", name)
		}
	}
}

func TestAProgramThatDoesNotServeIsNoServer(t *testing.T) {
	for program, wanted := range map[string]string{"/bin/false": "does not serve", "/no/such/program": "no such file"} {
		t.Setenv("ARBITER", program)
		if _, err := startServer(); err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("%s: %v", program, err)
		}
	}
}

func TestPlacesFollowTheOrderOfTheContract(t *testing.T) {
	boards := newVariant(&arbiterv1.Variant{Boards: []*arbiterv1.BoardSpec{{Name: "B"}, {Name: "A"}}})
	at := func(board, square string) *arbiterv1.Location {
		return &arbiterv1.Location{Board: board, Square: square}
	}
	step := func(board, from, toBoard, to string) *arbiterv1.Step {
		return &arbiterv1.Step{Board: board, FromSquare: from, ToBoard: toBoard, ToSquare: to}
	}
	promoted := func(kind arbiterv1.PieceKind, twin *arbiterv1.Location, removals ...*arbiterv1.Location) *arbiterv1.Step {
		return &arbiterv1.Step{
			Board: "A", FromSquare: "a7", ToSquare: "a8", Promotion: kind, Twin: twin, Removals: removals,
		}
	}
	queen, ship := arbiterv1.PieceKind_PIECE_KIND_QUEEN, arbiterv1.PieceKind_PIECE_KIND_SHIP
	// Boards have the variant's order, ranks come before files and are numbers, the own board is at its place, a move
	// comes before those that continue it, lists before those that go on.
	moves := [][]*arbiterv1.Step{
		{step("B", "b1", "", "a2")},
		{step("B", "b1", "", "a2"), step("A", "a1", "", "a2")},
		{step("B", "b1", "", "b2")},
		{step("B", "b1", "A", "a1")},
		{step("B", "a2", "", "a3")},
		{step("B", "a10", "", "a3")},
		{step("A", "a1", "B", "a9")},
		{step("A", "a1", "", "a2")},
		{promoted(0, nil)},
		{promoted(queen, nil)},
		{promoted(queen, nil, at("B", "a7"))},
		{promoted(queen, nil, at("B", "a7"), at("A", "a7"))},
		{promoted(queen, nil, at("B", "b7"))},
		{promoted(queen, at("B", "b4"))},
		{promoted(queen, at("A", "a2"))},
		{promoted(ship, nil)},
	}
	for index, steps := range moves {
		for other, others := range moves {
			one, err := boards.place(&arbiterv1.Move{Steps: steps})
			if err != nil {
				t.Fatal(err)
			}
			two, err := boards.place(&arbiterv1.Move{Steps: others})
			if err != nil {
				t.Fatal(err)
			}
			if before(one, two) != (index < other) {
				t.Errorf("whether %s comes before %s", moveText(steps), moveText(others))
			}
		}
	}
	for index, wanted := range map[int]string{
		1: "B:b1a2/A:a1a2", 6: "A:a1-B:a9", 11: "A:a7a8qxB:a7,a7", 13: "A:a7a8q+B:b4", 14: "A:a7a8q+a2", 15: "A:a7a8s",
	} {
		if text := moveText(moves[index]); text != wanted {
			t.Errorf("%s, not %s", text, wanted)
		}
	}
}

func TestDifferencesAreShownWhereTheyBegin(t *testing.T) {
	for _, each := range []struct {
		got, wanted any
		text        string
	}{
		{[]string{"a", "b"}, []string{"a", "c", "d"}, `at index 1 "b", not "c" (2 texts, not 3)`},
		{[]string{"a"}, []string{"a", "c"}, `at index 1 the end, not "c" (1 texts, not 2)`},
		{arbiterv1.State(66), arbiterv1.State_STATE_WON, "66, not STATE_WON"},
		{strings.Repeat("x", 500), "", `"` + strings.Repeat("x", 199) + `... (502 bytes), not ""`},
	} {
		if text := difference(each.got, each.wanted); text != each.text {
			t.Errorf("%s, not %s", text, each.text)
		}
	}
}
