"""Each method, against a real server."""

import pickle
from itertools import islice

import pytest

from arbiter_client import (
    Arbiter,
    ChangeCause,
    Filter,
    Illegal,
    IllegalMoveError,
    IllegalReason,
    LegalSteps,
    Location,
    Move,
    MoveView,
    PieceKind,
    Played,
    Position,
    PositionView,
    Reason,
    Side,
    State,
    Status,
    Step,
)

CHESS = Position(variant="chess")
UNIVERSES = Position(variant="three-universes")
TWINS = Position(variant="doppelganger", fen="4k3/p7/8/3p4/4P3/7p/8/4K3 w - - 0 1")


def legal(answer: LegalSteps | Illegal) -> LegalSteps:
    assert answer.legal
    return answer


def illegal(answer: Played | Illegal | LegalSteps) -> Illegal:
    assert not answer.legal
    return answer


def test_variants_say_what_a_client_needs_to_draw_them(arbiter: Arbiter) -> None:
    variants = {variant.id: variant for variant in arbiter.variants()}
    assert len(variants) == 8
    assert [board.name for board in variants["three-universes"].boards] == ["R", "G", "B"]
    assert list(variants["influence"].sides) == [Side.ABOVE, Side.BELOW]
    assert PieceKind.SHIP in [piece.kind for piece in variants["gamma2"].pieces]


def test_initial_positions_come_as_text_or_with_their_boards(arbiter: Arbiter) -> None:
    text = arbiter.initial_position("chess")
    assert text.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert not text.boards
    full = arbiter.initial_position("chess", view=PositionView.FULL)
    assert len(full.boards[0].pieces) == 32
    assert full.to_move == Side.WHITE
    for army, letter in ((Side.UNSPECIFIED, "w"), (Side.WHITE, "w"), (Side.BLACK, "b")):
        assert arbiter.initial_position("influence", above_army=army).fen.endswith(f" 1 {letter}")


def test_lists_by_pages_by_stream_and_by_count_agree(arbiter: Arbiter) -> None:
    streamed = list(arbiter.stream_legal_moves(UNIVERSES))
    assert list(arbiter.legal_moves(UNIVERSES)) == streamed
    assert list(arbiter.legal_moves(UNIVERSES, page_size=999)) == streamed
    assert arbiter.count_legal_moves(UNIVERSES) == len(streamed) == 2_460
    texts = list(arbiter.stream_legal_moves(UNIVERSES, view=MoveView.TEXT))
    assert texts == list(arbiter.legal_moves(UNIVERSES, view=MoveView.TEXT))
    assert texts == [Move(text=move.text) for move in streamed]


def test_pages_are_fetched_as_they_are_taken(arbiter: Arbiter, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = []
    fetch = arbiter.legal_moves_page

    def counting(*given: object, **named: object) -> object:
        fetched.append(named["page_token"])
        return fetch(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(arbiter, "legal_moves_page", counting)
    moves = arbiter.legal_moves(UNIVERSES, page_size=10)
    assert fetched == []
    assert len(list(islice(moves, 25))) == 25
    assert len(fetched) == 3


def test_a_page_tells_its_successor_and_the_total(arbiter: Arbiter) -> None:
    first = arbiter.legal_moves_page(CHESS, page_size=15, include_total=True)
    assert (len(first.moves), first.total_size) == (15, 20)
    last = arbiter.legal_moves_page(CHESS, page_size=15, page_token=first.next_page_token)
    assert (len(last.moves), last.next_page_token, last.total_size) == (5, "", 0)


def test_filters_narrow_every_kind_of_list(arbiter: Arbiter) -> None:
    to_e4 = Filter(board="G", from_square="e2", to_square="e4")
    moves = list(arbiter.legal_moves(UNIVERSES, filter=to_e4))
    assert len(moves) == arbiter.count_legal_moves(UNIVERSES, filter=to_e4) == 41
    assert moves == list(arbiter.stream_legal_moves(UNIVERSES, filter=to_e4))
    assert {move.text.split("/")[0] for move in moves} == {"G:e2e4"}
    assert len(legal(arbiter.legal_steps(UNIVERSES, filter=to_e4)).steps) == 1


def test_distinct_positions_are_fewer(arbiter: Arbiter) -> None:
    distinct = list(arbiter.stream_legal_moves(UNIVERSES, distinct_positions=True))
    assert len(distinct) < 2_460


def test_clicking_leads_to_a_move(arbiter: Arbiter) -> None:
    chosen: list[Step] = []
    answer = legal(arbiter.legal_steps(UNIVERSES, chosen))
    assert not answer.complete
    for board, square in (("R", "e4"), ("G", "f3")):
        wanted = [step for step in answer.steps if (step.board, step.to_square) == (board, square)]
        chosen.append(wanted[0])
        answer = legal(arbiter.legal_steps(UNIVERSES, chosen))
        assert answer.complete
    assert answer.steps == ()
    assert [change.cause for change in answer.changes] == [ChangeCause.MOVED] * 2
    assert arbiter.play(UNIVERSES, chosen).move.text == "R:e2e4/G:g1f3"


def test_steps_over_several_pages_come_together(arbiter: Arbiter, heavy: Position) -> None:
    answer = legal(arbiter.legal_steps(heavy))
    assert len(answer.steps) > 1_000
    firsts = {move.text.split("/")[0] for move in arbiter.stream_legal_moves(heavy, view=MoveView.TEXT)}
    assert len(answer.steps) == len(firsts)


def test_an_illegal_prefix_is_an_answer(arbiter: Arbiter) -> None:
    answer = arbiter.legal_steps(CHESS, [Step(from_square="e2", to_square="e5")])
    assert not answer.legal
    assert answer.reason is IllegalReason.PIECE_DOES_NOT_MOVE_SO


@pytest.mark.parametrize(
    "move",
    [
        "e4d5xh3",
        Move(text="e4d5xh3"),
        Move(steps=[Step(from_square="e4", to_square="d5", removals=[Location(square="h3")])]),
        [Step(from_square="e4", to_square="d5", removals=[Location(square="h3")])],
    ],
)
def test_moves_are_played_in_every_form(arbiter: Arbiter, move: str | Move | list[Step]) -> None:
    answer = arbiter.apply_move(TWINS, move, view=PositionView.FULL)
    assert answer.legal
    assert answer.move.text == "e4d5xh3"
    assert answer.position.fen == "4k3/p7/8/3P4/8/8/8/4K3 b - - 0 1"
    captured, moved, removed = answer.changes
    assert (captured.cause, moved.cause, removed.cause) == (
        ChangeCause.CAPTURED,
        ChangeCause.MOVED,
        ChangeCause.PAWN_REMOVED,
    )
    assert moved.origin == Location(square="e4")
    assert (captured.origin, captured.added) == (None, None)
    assert removed.removed is not None
    assert removed.removed.kind == PieceKind.PAWN
    assert answer.status == Status(State.ONGOING, Side.UNSPECIFIED, Reason.UNSPECIFIED, Side.BLACK, (), 1)


def test_promotions_can_be_built_from_the_enums(arbiter: Arbiter) -> None:
    position = Position(variant="chess", fen="8/4P3/8/8/8/7k/8/K7 w - - 0 1")
    step = Step(from_square="e7", to_square="e8", promotion=PieceKind.ROOK)
    assert arbiter.play(position, [step]).move.text == "e7e8r"


@pytest.mark.parametrize(
    ("position", "move", "reason", "squares"),
    [
        (CHESS, "a1a4", IllegalReason.PATH_BLOCKED, ["a2"]),
        (CHESS, "e7e5", IllegalReason.NOT_YOUR_PIECE, []),
        (TWINS, "e4d5", IllegalReason.REMOVAL_MISSING, []),
        (Position(variant="bordahbee"), "A:e2e4/B:d2d4", IllegalReason.PAIR_NOT_ALLOWED, []),
        (
            Position(variant="chess", fen="4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1"),
            "e2d2",
            IllegalReason.KING_LEFT_ATTACKED,
            ["e1", "e8"],
        ),
    ],
)
def test_an_illegal_move_is_an_answer_with_its_reason(
    arbiter: Arbiter, position: Position, move: str, reason: IllegalReason, squares: list[str]
) -> None:
    answer = illegal(arbiter.apply_move(position, move))
    assert answer.reason is reason
    assert [at.square for at in answer.squares] == squares
    assert answer.message
    with pytest.raises(IllegalMoveError, match=reason.name) as raised:
        arbiter.play(position, move)
    assert raised.value.illegal == answer


def test_an_ambiguous_move_lists_its_candidates(arbiter: Arbiter) -> None:
    answer = illegal(arbiter.apply_move(TWINS, "e4xd5"))
    assert answer.reason is IllegalReason.AMBIGUOUS
    assert answer.candidates == ("e4d5xh3", "e4d5xa7")
    assert not answer.candidates_truncated


def test_repetition_is_noticed_where_positions_are_handed_back(arbiter: Arbiter) -> None:
    position, repetitions = arbiter.initial_position("chess"), []
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        played = arbiter.play(position, move)
        position = played.position
        repetitions.append(played.status.repetitions)
    assert repetitions == [1, 1, 1, 2, 2, 2, 2, 3]
    assert played.status.reason is Reason.THREEFOLD_REPETITION
    assert played.status.is_over
    # A stored position remembers as well.
    stored = pickle.loads(pickle.dumps(position))
    assert arbiter.status(stored) == played.status
    assert illegal(arbiter.apply_move(Position.FromString(position.SerializeToString()), "g1f3")).reason is (
        IllegalReason.GAME_OVER
    )


def test_a_won_game_is_told(arbiter: Arbiter) -> None:
    played = arbiter.play(Position(variant="chess", fen="6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"), "e1e8")
    status = played.status
    assert (status.state, status.winner, status.reason) == (State.WON, Side.WHITE, Reason.CHECKMATE)
    assert status.attacked_kings == (Location(square="g8"),)
    assert list(arbiter.legal_moves(played.position)) == []


def test_replay_gives_the_end_or_the_first_bad_move(arbiter: Arbiter) -> None:
    good = arbiter.replay(CHESS, ["e2e4", "e7-e5", "Ng1-f3"], every_position=True)
    assert (good.legal, good.bad_move_index, good.illegal) == (True, None, None)
    assert good.moves == ("e2e4", "e7e5", "g1f3")
    assert good.positions[-1] == good.position
    bad = arbiter.replay(CHESS, ["e2e5", "e7e5"])
    assert (bad.legal, bad.bad_move_index, bad.moves, bad.positions) == (False, 0, (), ())
    assert bad.illegal is not None
    assert bad.illegal.reason is IllegalReason.PIECE_DOES_NOT_MOVE_SO
    with pytest.raises(TypeError, match="a list of texts"):
        arbiter.replay(CHESS, "e2e4")


def test_positions_of_a_long_game_come_whole(arbiter: Arbiter) -> None:
    # Any moves that do not end the game.
    position = arbiter.initial_position("three-universes")
    moves: list[str] = []
    while len(moves) < 1_000:
        listed = arbiter.legal_moves_page(position, view=MoveView.TEXT, page_size=200).moves
        for move in listed[len(moves) % 7 :]:
            played = arbiter.play(position, move)
            if not played.status.is_over:
                break
        position = played.position
        moves.append(played.move.text)
    whole = arbiter.replay(UNIVERSES, moves, every_position=True, view=PositionView.FULL)
    assert len(whole.positions) == len(moves)
    assert whole.positions[-1] == whole.position
    assert whole.position.fen == position.fen
    assert sum(each.ByteSize() for each in whole.positions) > 1 << 20
    for index in (0, 150, 999):
        assert arbiter.replay(UNIVERSES, moves[: index + 1]).position.fen == whole.positions[index].fen


def test_answers_can_be_pickled(arbiter: Arbiter) -> None:
    answers = [
        arbiter.apply_move(CHESS, "e2e4"),
        arbiter.apply_move(CHESS, "e2e5"),
        arbiter.legal_steps(CHESS),
        arbiter.status(CHESS),
        arbiter.replay(CHESS, ["e2e4"]),
    ]
    assert pickle.loads(pickle.dumps(answers)) == answers
