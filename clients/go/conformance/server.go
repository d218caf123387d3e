package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// startLimit is how long a server may take to start.
const startLimit = 30 * time.Second

// repository is the folder of the project, told from where this file was when it was compiled.
func repository() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// A server is a process of the service that this program has started.
type server struct {
	address string
	command *exec.Cmd
	ended   chan struct{}
}

// startServer runs the program in the environment variable ARBITER, or target/release/arbiter, on a free port.
func startServer(flags ...string) (*server, error) {
	program := os.Getenv("ARBITER")
	if program == "" {
		program = filepath.Join(repository(), "target", "release", "arbiter")
	}
	arguments := []string{"serve", "--listen", "127.0.0.1:0", "--log", "info", "--log-format", "json"}
	command := exec.Command(program, append(arguments, flags...)...)
	reader, writer := io.Pipe()
	command.Stdout, command.Stderr = writer, writer
	if err := command.Start(); err != nil {
		return nil, err
	}
	started := &server{command: command, ended: make(chan struct{})}
	go func() {
		_ = command.Wait()
		writer.Close()
		close(started.ended)
	}()

	address := make(chan string, 1)
	said := &strings.Builder{}
	go func() {
		address <- findAddress(io.TeeReader(reader, said))
		// A pipe that nobody reads would hold the server up.
		_, _ = io.Copy(io.Discard, reader)
	}()
	select {
	case started.address = <-address:
		if started.address != "" {
			return started, nil
		}
		started.stop()
		return nil, fmt.Errorf("%s does not serve: %s", program, said)
	case <-time.After(startLimit):
		started.stop()
		return nil, fmt.Errorf("%s says for %s not where it serves", program, startLimit)
	}
}

// findAddress reads the log up to the line that says where the server listens. Empty: there is none.
func findAddress(log io.Reader) string {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct {
			Fields struct {
				Address string `json:"address"`
			} `json:"fields"`
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Fields.Address != "" {
			return line.Fields.Address
		}
	}
	return ""
}

// stop ends the server and waits until it is gone.
func (s *server) stop() {
	_ = s.command.Process.Kill()
	<-s.ended
}
