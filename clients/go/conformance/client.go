package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"

	arbiterv1 "arbiter/v1"
)

// patience is the deadline of every call.
const patience = 60 * time.Second

// An arbiter asks the service.
type arbiter struct {
	stub arbiterv1.ArbiterServiceClient
}

// connect makes the connection that all calls share.
func connect(target string, options ...grpc.DialOption) (*arbiter, *grpc.ClientConn, error) {
	connection, err := grpc.Dial(target, append(options, grpc.WithInsecure())...)
	if err != nil {
		return nil, nil, err
	}
	return &arbiter{arbiterv1.NewArbiterServiceClient(connection)}, connection, nil
}

func (a *arbiter) variants() ([]*arbiterv1.Variant, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer, err := a.stub.ListVariants(ctx, &arbiterv1.ListVariantsRequest{})
	return answer.GetVariants(), err
}

func (a *arbiter) status(position *arbiterv1.Position) (*arbiterv1.Status, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer, err := a.stub.GameStatus(ctx, &arbiterv1.GameStatusRequest{Position: position})
	return answer.GetStatus(), err
}

func (a *arbiter) apply(request *arbiterv1.ApplyMoveRequest) (*arbiterv1.ApplyMoveResponse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return a.stub.ApplyMove(ctx, request)
}

// play plays a move given as text.
func (a *arbiter) play(position *arbiterv1.Position, text string) (*arbiterv1.ApplyMoveResponse, error) {
	return a.apply(&arbiterv1.ApplyMoveRequest{Position: position, Move: &arbiterv1.Move{Text: text}})
}

func (a *arbiter) replay(request *arbiterv1.ReplayGameRequest) (*arbiterv1.ReplayGameResponse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return a.stub.ReplayGame(ctx, request)
}

func (a *arbiter) page(request *arbiterv1.LegalMovesRequest) (*arbiterv1.LegalMovesResponse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return a.stub.LegalMoves(ctx, request)
}

// count gives the number of legal moves.
func (a *arbiter) count(position *arbiterv1.Position) (uint64, error) {
	page, err := a.page(&arbiterv1.LegalMovesRequest{
		Position: position,
		MoveView: arbiterv1.MoveView_MOVE_VIEW_COUNT,
	})
	return page.GetTotalSize(), err
}

// moves gives all legal moves, page by page.
func (a *arbiter) moves(
	position *arbiterv1.Position, view arbiterv1.MoveView, pageSize int,
) ([]*arbiterv1.Move, error) {
	request := &arbiterv1.LegalMovesRequest{Position: position, MoveView: view, PageSize: int32(pageSize)}
	var moves []*arbiterv1.Move
	for {
		page, err := a.page(request)
		if err != nil {
			return nil, err
		}
		moves = append(moves, page.GetMoves()...)
		token := page.GetNextPageToken()
		if token == "" {
			return moves, nil
		}
		if token == request.PageToken {
			return nil, fmt.Errorf("after %d moves the next page is the same again", len(moves))
		}
		request.PageToken = token
	}
}

// steps asks for all the steps that can come next, page by page, in one answer.
func (a *arbiter) steps(position *arbiterv1.Position, prefix []*arbiterv1.Step) (*arbiterv1.LegalStepsResponse, error) {
	request := &arbiterv1.LegalStepsRequest{Position: position, Prefix: prefix}
	all := &arbiterv1.LegalStepsResponse{}
	for {
		page, err := a.stepsPage(request)
		if err != nil {
			return nil, err
		}
		page.Steps = append(all.GetSteps(), page.GetSteps()...)
		all = page
		if all.GetNextPageToken() == "" {
			return all, nil
		}
		if all.GetNextPageToken() == request.PageToken {
			return nil, fmt.Errorf("after %d steps the next page is the same again", len(all.GetSteps()))
		}
		request.PageToken = all.GetNextPageToken()
	}
}

func (a *arbiter) stepsPage(request *arbiterv1.LegalStepsRequest) (*arbiterv1.LegalStepsResponse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return a.stub.LegalSteps(ctx, request)
}

// streamed gives the texts of all legal moves, taken from the stream.
func (a *arbiter) streamed(position *arbiterv1.Position) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	stream, err := a.stub.StreamLegalMoves(ctx, &arbiterv1.StreamLegalMovesRequest{
		Position: position,
		MoveView: arbiterv1.MoveView_MOVE_VIEW_TEXT,
	})
	if err != nil {
		return nil, err
	}
	var all []string
	for {
		batch, err := stream.Recv()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, texts(batch.GetMoves())...)
	}
}

func texts(moves []*arbiterv1.Move) []string {
	all := make([]string, len(moves))
	for index, move := range moves {
		all[index] = move.GetText()
	}
	return all
}
