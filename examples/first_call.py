"""Plays a move of Gamma2 Chess, asks why another is illegal, and hands the position back."""

import grpc
from arbiter.v1 import illegality_pb2, move_pb2, playing_pb2, position_pb2, service_pb2_grpc

with grpc.insecure_channel("127.0.0.1:50051") as channel:
    arbiter = service_pb2_grpc.ArbiterServiceStub(channel)

    # The variant alone is its initial position.
    position = position_pb2.Position(variant="gamma2")
    move = move_pb2.Move(text="f2e3")
    played = arbiter.ApplyMove(playing_pb2.ApplyMoveRequest(position=position, move=move))
    print("after", played.move.long_text, "the position is", played.position.fen)

    # An illegal move is an answer, not an error. The position goes back as it came, with its history.
    move = move_pb2.Move(text="a8a5")
    refused = arbiter.ApplyMove(playing_pb2.ApplyMoveRequest(position=played.position, move=move))
    reason = illegality_pb2.IllegalReason.Name(refused.illegality.reason)
    squares = [location.square for location in refused.illegality.squares]
    print("a8a5 is illegal:", reason, squares, "-", refused.illegality.message)
