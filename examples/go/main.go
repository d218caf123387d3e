// Lists the variants, plays some moves of Three Universes Chess, asks why a move is illegal and reads an error.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	arbiterv1 "arbiter/v1"
)

// No call has side effects, so any call can be repeated, here when the server is starting, stopping or out of reach.
// Before grpc-go 1.40, retries also need GRPC_GO_RETRY=on in the environment.
const serviceConfig = `{
  "methodConfig": [{
    "name": [{"service": "arbiter.v1.ArbiterService"}],
    "retryPolicy": {
      "maxAttempts": 4, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
}`

// In the last of them a bishop goes through the kings of Green and Red to the other universe, and captures there.
var moves = []string{
	"G:e2e4/R:d2d4", "G:e7e5/B:g8f6", "G:e1e2/B:g1f3", "R:e7e6/B:b8c6", "G:f1-R:b4/R:b4f8",
}

func main() {
	address := "127.0.0.1:50051"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	if err := run(address); err != nil {
		log.Fatal(err)
	}
}

func run(address string) error {
	// One connection serves a whole program: it carries many calls at once and is made anew when it breaks.
	// From grpc-go 1.63, grpc.NewClient and insecure.NewCredentials() take the place of Dial and WithInsecure.
	connection, err := grpc.Dial(address, grpc.WithInsecure(), grpc.WithDefaultServiceConfig(serviceConfig))
	if err != nil {
		return err
	}
	defer connection.Close()
	arbiter := arbiterv1.NewArbiterServiceClient(connection)

	if err := listVariants(arbiter); err != nil {
		return err
	}

	// The variant alone is its initial position.
	position := &arbiterv1.Position{Variant: "three-universes"}
	for _, text := range moves {
		played, err := apply(arbiter, position, text)
		if err != nil {
			return err
		}
		if !played.GetLegal() {
			return fmt.Errorf("%s is illegal: %s", text, played.GetIllegality().GetMessage())
		}
		state := played.GetStatus()
		fmt.Printf("%s: %s, %s to move\n", played.GetMove().GetLongText(), state.GetState(), state.GetToMove())
		// The position goes back as it came: by its history the service notices repetition.
		position = played.GetPosition()
	}

	// An illegal move is an answer, not an error.
	refused, err := apply(arbiter, position, "G:h8-B:b8")
	if err != nil {
		return err
	}
	if refused.GetLegal() {
		return errors.New("G:h8-B:b8 is legal")
	}
	illegality := refused.GetIllegality()
	fmt.Printf("G:h8-B:b8: %s at %s: %s\n",
		illegality.GetReason(), squares(illegality.GetSquares()), illegality.GetMessage())

	// A position that cannot be is an error.
	impossible := &arbiterv1.Position{Variant: "chess", Fen: "8/8/8/8/8/8/8/KK6 w - - 0 1"}
	if _, err = apply(arbiter, impossible, "a1a2"); err == nil {
		return errors.New("the position was accepted")
	}
	return printError(err)
}

func listVariants(arbiter arbiterv1.ArbiterServiceClient) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	listed, err := arbiter.ListVariants(ctx, &arbiterv1.ListVariantsRequest{})
	if err != nil {
		return err
	}
	for _, variant := range listed.GetVariants() {
		var boards []string
		for _, board := range variant.GetBoards() {
			size := fmt.Sprintf("%s %dx%d", board.GetName(), board.GetFiles(), board.GetRanks())
			boards = append(boards, strings.TrimSpace(size))
		}
		fmt.Printf("%s: %s on %s\n", variant.GetId(), variant.GetTitle(), strings.Join(boards, ", "))
	}
	return nil
}

// apply plays a move. Each call has a deadline of its own.
func apply(
	arbiter arbiterv1.ArbiterServiceClient, position *arbiterv1.Position, text string,
) (*arbiterv1.ApplyMoveResponse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return arbiter.ApplyMove(ctx, &arbiterv1.ApplyMoveRequest{
		Position: position,
		Move:     &arbiterv1.Move{Text: text},
	})
}

func squares(locations []*arbiterv1.Location) string {
	var texts []string
	for _, location := range locations {
		texts = append(texts, location.GetBoard()+":"+location.GetSquare())
	}
	return strings.Join(texts, " ")
}

// printError prints what an error of the service says. Any other error, which has no reason, it gives back.
func printError(err error) error {
	failed := status.Convert(err)
	var reason *errdetails.ErrorInfo
	var violations []*errdetails.BadRequest_FieldViolation
	for _, detail := range failed.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			reason = detail
		case *errdetails.BadRequest:
			violations = detail.GetFieldViolations()
		}
	}
	if reason.GetDomain() != "arbiter" {
		return err
	}
	fmt.Printf("code %d: %s (%s)\n", failed.Code(), reason.GetReason(), reason.GetMetadata()["faults"])
	for _, violation := range violations {
		fmt.Printf("  %s: %s\n", violation.GetField(), violation.GetDescription())
	}
	return nil
}
