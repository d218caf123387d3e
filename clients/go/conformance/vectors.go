package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A row is one entry of the vectors: something that the service is asked about, with what it must say.
type row interface {
	check(variant *variant, arbiter *arbiter, found *comparison) error
}

// A positionRow is a position with its moves, status and some successors, or with the fault for which it is refused.
type positionRow struct {
	Variant  string      `json:"variant"`
	Position string      `json:"position"`
	Invalid  string      `json:"invalid,omitempty"`
	Status   statusWords `json:"status"`
	Count    int         `json:"count"`
	// SHA-256 of the texts of the moves, sorted and joined by line feeds.
	SHA256      string         `json:"sha256"`
	Moves       []string       `json:"moves,omitempty"`
	ByFirstStep map[string]int `json:"by_first_step,omitempty"`
	// Pairs of a move and the position after it.
	After [][2]string `json:"after"`
}

// statusWords is a status as the vectors write it. What is null there is empty here.
type statusWords struct {
	State   string   `json:"state"`
	Winner  string   `json:"winner"`
	Reason  string   `json:"reason"`
	Checked []string `json:"checked"`
}

// A gameRow is a whole game, with position and status after each move.
type gameRow struct {
	Variant   string        `json:"variant"`
	Kind      string        `json:"kind"`
	Start     string        `json:"start"`
	Moves     []string      `json:"moves"`
	Positions []string      `json:"positions"`
	Statuses  []statusWords `json:"statuses"`
}

// A longRow is a move in long algebraic text: the move that it names, or why it names none.
type longRow struct {
	Variant    string   `json:"variant"`
	Position   string   `json:"position"`
	Text       string   `json:"text"`
	Move       string   `json:"move,omitempty"`
	Error      string   `json:"error,omitempty"`
	Candidates []string `json:"candidates,omitempty"`
}

// A perftRow has the numbers of sequences of one move, of two, and so on.
type perftRow struct {
	Name     string   `json:"name"`
	Position string   `json:"position"`
	Counts   []int    `json:"counts"`
	By       []string `json:"by"`
}

// vectors are all rows, by variant and file.
type vectors map[string]map[string][]row

// filesOf names the files that must hold rows of a variant.
func filesOf(variant string) []string {
	return []string{variant + ".jsonl", "games.json", "long.json", "perft.json"}
}

// readVectors reads all vectors of a folder.
func readVectors(folder string) (vectors, error) {
	all := vectors{}
	add := func(variant, file string, entry row) {
		if all[variant] == nil {
			all[variant] = map[string][]row{}
		}
		all[variant][file] = append(all[variant][file], entry)
	}

	paths, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("there are no vectors in %s", folder)
	}
	for _, path := range paths {
		file := filepath.Base(path)
		variant := strings.TrimSuffix(file, ".jsonl")
		err := read(path, func(row *positionRow) error {
			if row.Variant != variant {
				return fmt.Errorf("a row of %q", row.Variant)
			}
			add(variant, file, row)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	err = read(filepath.Join(folder, "games.json"), func(rows []*gameRow) error {
		for _, row := range rows {
			add(row.Variant, "games.json", row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = read(filepath.Join(folder, "long.json"), func(rows []*longRow) error {
		for _, row := range rows {
			add(row.Variant, "long.json", row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = read(filepath.Join(folder, "perft.json"), func(byVariant map[string][]*perftRow) error {
		for variant, rows := range byVariant {
			for _, row := range rows {
				add(variant, "perft.json", row)
			}
		}
		return nil
	})
	return all, err
}

// read takes the JSON values of a file, one after the other. A key that the rows here do not have is an error, as
// nothing would be asked about it.
func read[T any](path string, take func(T) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	for {
		var value T
		err := decoder.Decode(&value)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = take(value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}
