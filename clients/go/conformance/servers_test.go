package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"

	arbiterv1 "arbiter/v1"
)

// All tests share a server of the service and the vectors of the project.
var (
	real       *server
	allVectors vectors
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if allVectors, err = readVectors(filepath.Join(repository(), "tests", "vectors")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if real, err = startServer(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer real.stop()
		return m.Run()
	}())
}

// asking connects to a server for the time of a test.
func asking(t *testing.T, target string, options ...grpc.DialOption) *arbiter {
	t.Helper()
	arbiter, connection, err := connect(target, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return arbiter
}

// A standIn is a server that says what a test wants to hear, as one of a later release could.
type standIn struct {
	arbiterv1.UnimplementedArbiterServiceServer
	applyMove  func(*arbiterv1.ApplyMoveRequest) (*arbiterv1.ApplyMoveResponse, error)
	gameStatus func(*arbiterv1.GameStatusRequest) (*arbiterv1.GameStatusResponse, error)
	legalMoves func(*arbiterv1.LegalMovesRequest) (*arbiterv1.LegalMovesResponse, error)
}

func (s *standIn) ApplyMove(
	_ context.Context, request *arbiterv1.ApplyMoveRequest,
) (*arbiterv1.ApplyMoveResponse, error) {
	return s.applyMove(request)
}

func (s *standIn) GameStatus(
	_ context.Context, request *arbiterv1.GameStatusRequest,
) (*arbiterv1.GameStatusResponse, error) {
	return s.gameStatus(request)
}

func (s *standIn) LegalMoves(
	_ context.Context, request *arbiterv1.LegalMovesRequest,
) (*arbiterv1.LegalMovesResponse, error) {
	return s.legalMoves(request)
}

// askingStandIn serves for the time of a test, and connects.
func askingStandIn(t *testing.T, answers *standIn) *arbiter {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	arbiterv1.RegisterArbiterServiceServer(server, answers)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return asking(t, listener.Addr().String())
}

// heavy is a position with more than 100,000 moves.
func heavy(t *testing.T) *arbiterv1.Position {
	t.Helper()
	const id = "doppelganger-bordahbee-extreme"
	most := &positionRow{}
	for _, row := range allVectors[id][id+".jsonl"] {
		if row, ok := row.(*positionRow); ok && row.Count > most.Count {
			most = row
		}
	}
	if most.Count <= 100_000 {
		t.Fatalf("the longest list has %d moves", most.Count)
	}
	return &arbiterv1.Position{Variant: id, Fen: most.Position}
}
