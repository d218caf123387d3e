"""Plays a move of BordahBee, which is a step on each of two boards, click by click."""

import sys

from arbiter_client import Arbiter, Filter, Illegal, LegalSteps, Step


def offered(answer: LegalSteps | Illegal) -> LegalSteps:
    """The steps of an answer. What was offered before is legal, so there always are."""
    if not answer.legal:
        sys.exit(answer.message)
    return answer


def main() -> None:
    target = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051"
    with Arbiter(target) as arbiter:
        position = arbiter.initial_position("bordahbee")
        chosen: list[Step] = []

        # Without a step chosen, the steps offered start where there is a piece that can be moved.
        answer = offered(arbiter.legal_steps(position))
        print("pieces to move:", ", ".join(sorted({f"{s.board}:{s.from_square}" for s in answer.steps})))

        # The player clicks e2 on board A, then e4.
        from_e2 = Filter(board="A", from_square="e2")
        answer = offered(arbiter.legal_steps(position, chosen, filter=from_e2))
        print("from A:e2 to:", ", ".join(step.to_square for step in answer.steps))
        chosen += [step for step in answer.steps if step.to_square == "e4"]

        # With a pawn moved on one board, only a knight may move on the other.
        answer = offered(arbiter.legal_steps(position, chosen))
        print("a whole move already:", answer.complete)
        print("then:", ", ".join(f"{s.board}:{s.from_square}{s.to_square}" for s in answer.steps))
        chosen += [step for step in answer.steps if step.to_square == "f3"]

        played = arbiter.play(position, chosen)
        print("played", played.move.text, "and the position is", played.position.fen)
        for change in played.changes:
            source = f" from {change.origin.square}" if change.origin else ""
            print(f"  {change.cause.name} {change.at.board}:{change.at.square}{source}")

        # An illegal move is an answer that says why.
        refused = arbiter.apply_move(played.position, "A:e7e5/B:d7d5")
        if not refused.legal:
            print("A:e7e5/B:d7d5 is illegal:", refused.reason.name, "-", refused.message)


if __name__ == "__main__":
    main()
