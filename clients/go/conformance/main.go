// Replays the vectors of the rules through the service and compares.
//
//	conformance [--target HOST:PORT] [--vectors FOLDER] [--jobs N] [VARIANT...]
//
// Without a target, a server of one's own is asked: the program in the environment variable ARBITER, or
// target/release/arbiter. The exit code is 1 at any disagreement, and if there is nothing to compare.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Of many disagreements in a file, only the first few are shown.
const mostShown = 5

func main() {
	disagreements, err := run(os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || disagreements > 0 {
		os.Exit(1)
	}
}

// run gives the number of disagreements, those of the self-test included.
func run(arguments []string, output io.Writer) (int, error) {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	target := flags.String("target", "", "the server to ask, if not one of its own")
	folder := flags.String("vectors", filepath.Join(repository(), "tests", "vectors"), "the folder of the vectors")
	jobs := flags.Int("jobs", 4, "how many rows are asked about at a time")
	flags.SetOutput(output)
	if err := flags.Parse(arguments); errors.Is(err, flag.ErrHelp) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	if *jobs < 1 {
		return 0, fmt.Errorf("%d jobs do nothing", *jobs)
	}
	vectors, err := readVectors(*folder)
	if err != nil {
		return 0, err
	}
	if *target == "" {
		server, err := startServer()
		if err != nil {
			return 0, err
		}
		defer server.stop()
		*target = server.address
	}
	arbiter, connection, err := connect(*target)
	if err != nil {
		return 0, err
	}
	defer connection.Close()
	return compare(vectors, flags.Args(), arbiter, *jobs, output)
}

// compare replays the vectors of some variants, or of all, after it has tried whether it would find wrong ones.
func compare(vectors vectors, chosen []string, arbiter *arbiter, jobs int, output io.Writer) (int, error) {
	listed, err := arbiter.variants()
	if err != nil {
		return 0, err
	}
	known := map[string]*variant{}
	var all []string
	for _, each := range listed {
		known[each.GetId()] = newVariant(each)
		all = append(all, each.GetId())
	}
	for id := range vectors {
		if known[id] == nil {
			return 0, fmt.Errorf("there are vectors of %s, which the server does not have", id)
		}
	}
	if len(chosen) == 0 {
		chosen = all
	}
	for _, id := range chosen {
		if known[id] == nil {
			return 0, fmt.Errorf("the server has no variant %s", id)
		}
	}

	missed, err := undetected(vectors, known, arbiter)
	if err != nil {
		return 0, err
	}
	for _, each := range missed {
		fmt.Fprintf(output, "self-test: not found out: %s\n", each)
	}
	total := &result{}
	fmt.Fprintf(output, "%-32s%-40s%6s%8s%10s%9s\n", "variant", "file", "rows", "checks", "disagree", "seconds")
	for _, id := range chosen {
		for _, file := range filesOf(id) {
			start := time.Now()
			found := replay(vectors[id][file], known[id], arbiter, jobs)
			if found.rows == 0 {
				found.disagreements = []string{fmt.Sprintf("%s has no rows of %s", file, id)}
			}
			fmt.Fprintf(
				output, "%-32s%-40s%6d%8d%10d%9.1f\n",
				id, file, found.rows, found.checks, len(found.disagreements), time.Since(start).Seconds(),
			)
			for index, text := range found.disagreements {
				if index < mostShown {
					fmt.Fprintf(output, "  %s\n", text)
				}
			}
			total.add(found)
		}
	}
	fmt.Fprintf(
		output, "%d rows, %d checks: %d disagreements, %d damages not found out\n",
		total.rows, total.checks, len(total.disagreements), len(missed),
	)
	return len(total.disagreements) + len(missed), nil
}

// A result is what was compared of several rows.
type result struct {
	rows int
	comparison
}

func (r *result) add(other *result) {
	r.rows += other.rows
	r.checks += other.checks
	r.disagreements = append(r.disagreements, other.disagreements...)
}

// replay asks about rows, some at a time. What was found stands in their order.
func replay(rows []row, variant *variant, arbiter *arbiter, jobs int) *result {
	found := make([]*comparison, len(rows))
	next := make(chan int)
	var workers sync.WaitGroup
	for job := 0; job < jobs; job++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for index := range next {
				found[index] = ask(rows[index], variant, arbiter)
			}
		}()
	}
	for index := range rows {
		next <- index
	}
	close(next)
	workers.Wait()

	all := &result{}
	for _, each := range found {
		all.add(&result{rows: 1, comparison: *each})
	}
	return all
}
