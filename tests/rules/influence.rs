//! Influence Chess: the diagrams of its page, then clause by clause. Drawings show Above, Middle and Below side by side.

mod diagrams;

use arbiter::rules::fault::FaultCode;
use arbiter::rules::illegal::IllegalReason::*;
use arbiter::rules::notation::position_text;
use arbiter::rules::outcome::{DrawReason, Outcome, WinReason};
use arbiter::rules::piece::Side;
use arbiter::rules::play::{self, Game};
use arbiter::rules::turn::Turn;
use arbiter::rules::variant::Variant;
use arbiter::rules::{initial_position, variants};

use crate::scenes::{self, placement};
use crate::table;

fn variant() -> &'static dyn Variant {
    variants::find("influence").unwrap()
}

/// A position with `player` to move, where Above helps the army `helped`.
fn scene(player: char, helped: char, drawing: &str) -> Game {
    table::game(variant(), &format!("{} {player} -|-|- -|-|- 0 1 {helped}", placement(drawing)))
}

fn is_legal(game: &Game, text: &str) -> bool {
    scenes::is_legal(variant(), game, text)
}

fn refused(game: &Game, text: &str) -> (arbiter::rules::illegal::IllegalReason, usize, String) {
    scenes::refused(variant(), game, text)
}

/// Clauses 1 and 2.
#[test]
fn the_lot_decides_which_army_above_helps() {
    let white = initial_position(variant(), None).unwrap();
    assert_eq!(white.above_army, Some(Side::White));
    let black = initial_position(variant(), Some(Side::Black)).unwrap();
    assert!(position_text::print(variant(), &black).ends_with(" a -|-|- -|-|- 0 1 b"));
    let faults = initial_position(variant(), Some(Side::Above)).unwrap_err();
    assert_eq!(faults[0].code, FaultCode::BadArmy);
    let moves = scenes::first_moves(variant(), &Game::new(white), 3);
    assert_eq!(moves, ["A:b3a2", "A:b3b2", "A:b3c2"]);
}

/// Clause 3.
#[test]
fn pawns_step_once_and_promote_for_either_player() {
    let game = scene(
        'a',
        'w',
        "
        .... | ...k | ....
        .... | .... | ....
        .... | .... | ....
        .... | .... | ....
        .... | .p.. | ....
        I... | P... | ....
        .... | ...K | ....",
    );
    let moves = ["M:a2a3", "M:a2a3/A:a2a3", "M:a2b3", "M:a2b3/A:a2b3"];
    assert_eq!(scenes::moves_from(variant(), &game, "M:"), moves);

    // A black pawn that the friend of White promotes: on b1 or capturing on c1, each with its mirror.
    let game = scene(
        'a',
        'w',
        "
        .... | K..k | ....
        .... | .... | ....
        .... | .... | ....
        .... | .... | ....
        .... | .... | ....
        .C.. | .p.. | ....
        .... | ..N. | ....",
    );
    let moves = scenes::moves_from(variant(), &game, "M:");
    assert_eq!(moves[..4], ["M:b2b1q", "M:b2b1q/A:b2b1", "M:b2b1r", "M:b2b1r/A:b2b1"]);
    assert_eq!(moves[14..], ["M:b2c1n", "M:b2c1n/A:b2c1"]);
    assert_eq!(
        scenes::after(variant(), &game, "M:b2c1r/A:b2c1"),
        "4/4/4/4/4/4/2C1|K2k/4/4/4/4/4/2r1|4/4/4/4/4/4/4 b -|-|- -|-|- 0 1 w"
    );
}

/// Clause 4, and the own steps of clause 5.
#[test]
fn a_commander_goes_exactly_two_squares_over_an_empty_one() {
    let drawing = "
        .... | K... | ....
        .... | .... | ....
        .I.. | .... | ....
        .C.. | .... | ....
        .... | .... | ....
        .... | .... | ....
        .... | ...k | ....";
    let game = scene('a', 'w', drawing);
    let commander = ["A:b4b2", "A:b4d2", "A:b4d4", "A:b4d6"];
    let prince = ["A:b5a4", "A:b5c4", "A:b5a5", "A:b5c5", "A:b5a6", "A:b5b6", "A:b5c6"];
    assert_eq!(table::listed(variant(), &game), [&commander[..], &prince[..]].concat());
    let rows = [
        ("A:b4b6", PathBlocked, 0, "A:b5"),
        ("A:b4b5", OwnPieceThere, 0, ""),
        ("A:b4c5", PieceDoesNotMoveSo, 0, ""),
        ("A:b5b7", PieceDoesNotMoveSo, 0, ""),
    ];
    scenes::check_refusals(variant(), &game, &rows);
    // Below has the same men on the board Below, and there Middle comes first in the order of moves.
    let game = scene('b', 'w', &drawing.replace(".I.. | .... | ....", ".... | .... | .i.."));
    assert_eq!(scenes::moves_from(variant(), &game, "A:"), [""; 0]);
    assert_eq!(table::listed(variant(), &game)[0], "B:b5a4");
}

/// Clause 7.
#[test]
fn a_mirror_needs_an_empty_square_and_an_empty_line_and_jumps_as_a_knight() {
    let game = scene(
        'a',
        'w',
        "
        .... | K... | ....
        .... | .... | ....
        .... | .... | ....
        .... | .... | ....
        ..I. | .... | ....
        III. | .... | ....
        .C.. | .N.k | ....",
    );
    assert!(is_legal(&game, "M:b1a3/A:b1a3"));
    assert!(is_legal(&game, "M:b1c3"));
    let rows = [
        ("M:b1c3/A:b1c3", MirrorBlocked, 1, "A:c3"),
        ("M:b1a3/A:b1c3", OwnPieceThere, 1, ""),
        ("M:b1a3/A:b1d1", MirrorDiffers, 1, ""),
        ("M:b1a3/A:a2a3", MirrorDiffers, 1, ""),
        ("M:b1a3/A:a3b1", NoPiece, 1, ""),
    ];
    scenes::check_refusals(variant(), &game, &rows);
}

/// Clause 8.
#[test]
fn a_commander_may_not_leave_a_piece_that_it_overrules_to_capture_the_king() {
    let game = scene(
        'a',
        'w',
        "
        .... | ...k | ....
        .... | .... | ....
        C... | r... | i...
        .... | .... | ....
        .... | .... | ....
        ...I | .... | ....
        .... | K... | ....",
    );
    assert_eq!(play::status(variant(), &game).attacked_kings, []);
    assert_eq!(refused(&game, "A:a5c5"), (KingLeftAttacked, 0, "M:a1 M:a5".to_owned()));
    assert!(is_legal(&game, "A:d2d3"));
    // It may leave with the rook; the rook alone may go where Below has nobody.
    assert!(is_legal(&game, "M:a5a4/A:a5a4"));
    assert!(is_legal(&game, "M:a5b5"));
}

/// Clause 8: the capture alone is asked for, not what it would leave.
#[test]
fn a_pinned_piece_attacks_the_king() {
    let game = scene(
        'a',
        'w',
        "
        .... | .... | ....
        .... | .... | ....
        I... | R.rk | ..i.
        .... | .... | ....
        .... | .... | ....
        .... | .... | ....
        .... | ..K. | ....",
    );
    assert_eq!(scenes::names(variant(), play::status(variant(), &game).attacked_kings), "M:c1");
    assert_eq!(table::listed(variant(), &game), ["M:a5c5", "M:a5c5/A:a5c5"]);
}

/// Clause 9.
#[test]
fn ones_own_king_is_never_captured_and_the_other_is_moved_like_any_piece() {
    let game = scene(
        'a',
        'w',
        "
        ...I | ...k | ....
        .... | .... | ....
        I... | r... | ....
        .... | .... | ....
        .... | .... | ....
        .... | .... | ....
        .... | K... | ....",
    );
    assert_eq!(refused(&game, "M:a5a1"), (OwnKingCaptured, 0, "M:a1".to_owned()));
    assert_eq!(refused(&game, "M:a5a1/A:a5a1"), (OwnKingCaptured, 0, "M:a1".to_owned()));
    assert!(is_legal(&game, "M:a5a2"));
    assert!(is_legal(&game, "M:d7c7"));
    assert!(is_legal(&game, "M:d7c7/A:d7c7"));
}

/// Clause 10.
#[test]
fn a_player_without_moves_and_without_check_draws() {
    let drawing = "
        .... | k... | ....
        .... | .... | ....
        .... | .... | ....
        .... | ...r | ....
        .... | .... | ....
        .... | .... | ....
        .... | ...K | ....";
    let stalemate = Some(Outcome::Drawn { reason: DrawReason::Stalemate });
    assert_eq!(play::status(variant(), &scene('a', 'w', drawing)).outcome, stalemate);
    let mate = Some(Outcome::Won { winner: Side::Below, reason: WinReason::Checkmate });
    let game = scene('a', 'w', &drawing.replace("...r | ....", "...r | ...i"));
    assert_eq!(play::status(variant(), &game).outcome, mate);
}

/// Clause 11.
#[test]
fn only_captures_and_pawn_steps_on_middle_reset_the_clock() {
    let drawing = "
        .... | ..k. | ....
        .... | .... | ....
        .... | .... | ....
        I... | R..p | ....
        .... | .... | ....
        .I.. | .P.. | ....
        .... | K... | ....";
    let at = format!("{} a -|-|- -|-|- 7 3 w", placement(drawing));
    let game = table::game(variant(), &at);
    for (text, clock) in [("A:a4a5", 8), ("M:a4b4/A:a4b4", 8), ("M:a4d4", 0), ("M:b2b3", 0)] {
        assert_eq!(table::played(variant(), &game, text).position.halfmove_clock, clock, "{text}");
    }
}

/// Clause 12.
#[test]
fn impossible_positions_are_refused() {
    let drawing = "
        .C.. | k... | ....
        .... | .... | ....
        .... | .... | ....
        ...I | ...R | ....
        .... | .... | ....
        .... | .... | ..i.
        .... | K... | .c..";
    let codes = |drawing: &str| {
        let text = format!("{} a -|-|- -|-|- 0 1 w", placement(drawing));
        let faults = position_text::parse(variant(), &text).err().unwrap_or_default();
        faults.iter().map(|fault| fault.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(drawing), []);
    let changed = |from, to| codes(&drawing.replace(from, to));
    assert_eq!(changed("..i.", "..c."), [FaultCode::TooManyPieces]);
    assert_eq!(changed("| K... |", "| .... |"), [FaultCode::MissingKing]);
    assert_eq!(changed("| K... |", "| K..K |"), [FaultCode::TooManyKings]);
    assert_eq!(changed("..i.", "..I."), [FaultCode::PieceOnWrongBoard]);
    // Whether the rook attacks the king is a matter of influence.
    assert_eq!(changed("| ...R |", "| k..R |"), [FaultCode::TooManyKings, FaultCode::OpponentInCheck]);
    assert_eq!(codes(&drawing.replace("k...", "...k")), [FaultCode::OpponentInCheck]);
    assert_eq!(codes(&drawing.replace("k...", "...k").replace("...I", "I...")), []);
}

/// A position with something to say about every reason.
const RICH: &str = "
    .... | k... | ....
    ..I. | ..P. | ....
    ...I | ...r | ...c
    .C.. | .Q.. | ....
    .... | P..P | i...
    I.I. | P.N. | ....
    .... | ...K | ....";

#[test]
fn each_reason_is_given_in_its_order() {
    let game = scene('a', 'w', RICH);
    let rows = [
        ("A:d1d2", NoPiece, 0, ""),
        ("M:b1b2", NoPiece, 0, ""),
        ("B:d1d2", NoPiece, 0, ""),
        ("B:a3a4", NotYourPiece, 0, ""),
        ("A:c6d5", OwnPieceThere, 0, ""),
        ("M:a2a3", OwnPieceThere, 0, ""),
        ("A:a2a4", PieceDoesNotMoveSo, 0, ""),
        ("A:b4-M:b5", PieceDoesNotMoveSo, 0, ""),
        ("M:b4-A:b5", PieceDoesNotMoveSo, 0, ""),
        ("M:c2c4", PieceDoesNotMoveSo, 0, ""),
        ("M:a2b3", PieceDoesNotMoveSo, 0, ""),
        ("M:a2a4", PieceDoesNotMoveSo, 0, ""),
        ("M:d1b1", PieceDoesNotMoveSo, 0, ""),
        ("M:d5d2", PathBlocked, 0, "M:d3"),
        ("M:a3a4", NoInfluence, 0, ""),
        ("M:d5c5", InfluenceOverruled, 0, "B:d5"),
        ("M:c6c7", PromotionMissing, 0, ""),
        ("M:c6c7s", PromotionNotOpen, 0, ""),
        ("M:b4b5q", PromotionNotOpen, 0, ""),
        ("A:b4b6q", PromotionNotOpen, 0, ""),
        ("M:c6c7q+a2", TwinNotOpen, 0, ""),
        ("M:b4b5xd5", RemovalNotOpen, 0, ""),
        ("M:b4b5/A:d1d2", NoPiece, 1, ""),
        ("M:b4b5/B:a3a4", NotYourPiece, 1, ""),
        ("M:b4b5/A:c6d5", OwnPieceThere, 1, ""),
        ("M:b4b5/A:b4b6", MirrorDiffers, 1, ""),
        ("M:b4b5/M:c2b4", MirrorDiffers, 1, ""),
        ("M:c6c7q/A:c6c7q", PromotionNotOpen, 1, ""),
        ("M:b4b5/A:b4b5+a2", TwinNotOpen, 1, ""),
        ("M:b4b5/A:b4b5xa2", RemovalNotOpen, 1, ""),
        ("A:b4b6/M:c2d4", TooManySteps, 1, ""),
        ("A:b4b6/A:b6b4", TooManySteps, 1, ""),
        ("M:b4b5/A:b4b5/A:c6c7", TooManySteps, 2, ""),
    ];
    scenes::check_refusals(variant(), &game, &rows);
    let missing = play::judge(variant(), &game, &[]).unwrap_err();
    assert_eq!(scenes::in_short(variant(), &missing), (StepMissing, 0, String::new()));
    for text in ["M:b4b5/A:b4b5", "A:b4b6", "M:c6c7q/A:c6c7", "M:c2d4"] {
        assert!(is_legal(&game, text), "{text}");
    }
}

/// A mirror after a step that leaves the king attacked, asked for without the step's own refusal.
#[test]
fn a_mirror_that_does_not_protect_is_refused_for_the_king() {
    let game = scene(
        'a',
        'w',
        "
        .... | k... | ....
        .... | .... | ..i.
        .... | .... | ....
        .... | .... | ....
        ..I. | ..q. | ....
        .... | ..K. | ....
        .... | .... | ....",
    );
    let steps = table::steps(variant(), "M:c3c6/A:c3c6");
    let mut turn = Turn::new(game.position);
    variant().make(&mut turn, &steps[0], &mut |_| ());
    assert_eq!(variant().refusal(&turn, &steps[1]).reason, KingLeftAttacked);
}

/// A board that a text leaves out is that of a piece which the mover may move, of either army.
#[test]
fn long_algebraic_is_refused_for_the_piece_that_it_means() {
    let game = scene('a', 'w', RICH);
    let read = |text: &str| arbiter::rules::read_move(variant(), &game, text);
    assert_eq!(read("Qb4-b5/Cb4-b5").unwrap(), table::steps(variant(), "M:b4b5/A:b4b5"));
    assert_eq!(read("Cb4-b6").unwrap(), table::steps(variant(), "A:b4b6"));
    for (text, reason) in [
        ("Nc2-c4", PieceDoesNotMoveSo),
        ("Rd5-c5", InfluenceOverruled),
        ("a3-a4", NoInfluence),
        ("Qb4-b5/Cb4-b6", MirrorDiffers),
        ("Nc2xd4", NotationDisagrees),
    ] {
        match read(text) {
            Err(arbiter::rules::MoveTextError::Illegal(illegality)) => {
                assert_eq!(illegality.refusal.reason, reason, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
