"""Plays games at random, in every variant, to their end or for some moves.

    python random_bot.py [VARIANT...] [--target HOST:PORT] [--plies N] [--seed N] [--quiet]

It chooses step by step as a player who clicks, which takes as few calls in a game of millions of moves as in
one of twenty.
"""

import argparse
import random

from arbiter_client import Arbiter, Played, Position, Step


def choose(arbiter: Arbiter, position: Position, chance: random.Random) -> list[Step]:
    """A legal move of a game that goes on: offered steps, until they are a move."""
    chosen: list[Step] = []
    while True:
        answer = arbiter.legal_steps(position, chosen)
        if not answer.legal:
            raise RuntimeError(f"an offered step leads nowhere: {answer.message}")
        # Where the move could end here or go on, both may happen.
        if answer.complete and (not answer.steps or chance.random() < 0.5):
            return chosen
        chosen.append(chance.choice(answer.steps))


def play(arbiter: Arbiter, variant: str, plies: int, chance: random.Random, quiet: bool) -> None:
    """Plays a game, and prints its moves and how it stands at the end."""
    position = arbiter.initial_position(variant)
    status = arbiter.status(position)
    moves: list[str] = []
    while not status.is_over and len(moves) < plies:
        played: Played = arbiter.play(position, choose(arbiter, position, chance))
        position, status = played.position, played.status
        moves.append(played.move.text)
    if not quiet:
        print(variant)
        for number in range(0, len(moves), 2):
            print(f"  {number // 2 + 1}.", *moves[number : number + 2])
    winner = f", {status.winner.name} wins" if status.winner else ""
    reason = f" by {status.reason.name}" if status.reason else ""
    print(
        f"{variant}: {status.state.name}{winner}{reason} after {len(moves)} moves: {position.fen}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays games at random.")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="only these")
    parser.add_argument("--target", default="127.0.0.1:50051", help="the server")
    parser.add_argument(
        "--plies", type=int, default=400, help="the most moves of a game, of both players together"
    )
    parser.add_argument("--seed", type=int, help="the same seed plays the same games")
    parser.add_argument("--quiet", action="store_true", help="print results only")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with Arbiter(arguments.target) as arbiter:
        for variant in arguments.variants or [variant.id for variant in arbiter.variants()]:
            play(arbiter, variant, arguments.plies, chance, arguments.quiet)


if __name__ == "__main__":
    main()
