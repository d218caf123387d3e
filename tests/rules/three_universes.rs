//! Three Universes Chess, clause by clause. Drawings show Red, Green and Blue side by side.

mod passages;

use arbiter::rules::fault::FaultCode;
use arbiter::rules::illegal::IllegalReason::*;
use arbiter::rules::notation::position_text;
use arbiter::rules::outcome::{ChangeCause, DrawReason, Outcome, WinReason};
use arbiter::rules::piece::Side;
use arbiter::rules::play::{self, Game};
use arbiter::rules::square::Location;
use arbiter::rules::variant::Variant;
use arbiter::rules::{MoveTextError, initial_position, read_move, variants};

use crate::scenes::{self, placement};
use crate::table;

fn variant() -> &'static dyn Variant {
    variants::find("three-universes").unwrap()
}

/// A position without en passant.
fn scene(to_move: char, drawing: &str) -> Game {
    table::game(variant(), &format!("{} {to_move} -|-|- -|-|- 0 1", placement(drawing)))
}

fn is_legal(game: &Game, text: &str) -> bool {
    scenes::is_legal(variant(), game, text)
}

fn after(game: &Game, text: &str) -> String {
    scenes::after(variant(), game, text)
}

/// The moves of one step from a square, in order.
fn steps_from(game: &Game, from: &str) -> Vec<String> {
    let mut moves = scenes::moves_from(variant(), game, from);
    moves.retain(|text| !text.contains('/'));
    moves
}

/// How the game stands after a legal move.
fn outcome_after(game: &Game, text: &str) -> Option<Outcome> {
    play::outcome(variant(), &table::played(variant(), game, text))
}

/// Clauses 1 to 3: 20 steps a board, and two of them on two boards in either order.
#[test]
fn a_move_is_one_step_or_two_from_different_boards() {
    let game = Game::new(initial_position(variant(), None).unwrap());
    let moves = table::listed(variant(), &game);
    assert_eq!(moves.len(), 60 + 60 * 40);
    assert_eq!(moves[..2], ["R:b1a3", "R:b1a3/G:b1a3"]);
    assert!(is_legal(&game, "R:e2e4/G:g1f3"));
    assert!(is_legal(&game, "G:g1f3/R:e2e4"));
    assert_eq!(scenes::refused(variant(), &game, "R:e2e4/R:d2d4"), (SameBoardTwice, 1, String::new()));
}

/// Clause 3: the second step is made in the position that the first leaves.
#[test]
fn the_second_step_sees_the_first() {
    let game = scene(
        'w',
        "
        ........ | k....... | ..k.....
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        .K...... | ........ | ........
        .......k | K..R.... | ......K.",
    );
    // Red's king leaves b2, and the rook then passes from a line further on.
    assert!(is_legal(&game, "G:d1-R:a2"));
    assert!(is_legal(&game, "R:b2c3/G:d1-R:b3"));
    assert!(!is_legal(&game, "R:b2c3/G:d1-R:a2"));
}

/// Clause 6.
const LAST_KING: &str = "
    r......k | ........ | ........
    ........ | ........ | ..p.....
    ........ | k....... | k.......
    ........ | ........ | ........
    ........ | ........ | ........
    .......R | ........ | ........
    ........ | .......K | ......K.
    N....... | R....... | ......R.";

#[test]
fn a_universe_without_kings_vanishes_with_all_its_pieces() {
    let game = scene('w', LAST_KING);
    assert_eq!(after(&game, "R:h3h8"), "*|8/8/k7/8/8/8/7K/R7|8/2p5/k7/8/8/8/6K1/6R1 b -|-|- -|-|- 0 1");
    let judged = play::judge(variant(), &game, &table::steps(variant(), "R:h3h8/G:h2h3")).unwrap();
    let changes: Vec<(usize, ChangeCause, String)> = judged
        .1
        .iter()
        .map(|(step, change)| (*step, change.cause, scenes::names(variant(), [change.at])))
        .collect();
    let expected = [
        (0, ChangeCause::Captured, "R:h8"),
        (0, ChangeCause::Moved, "R:h8"),
        (0, ChangeCause::Vanished, "R:a1"),
        (0, ChangeCause::Vanished, "R:a8"),
        (0, ChangeCause::Vanished, "R:h8"),
        (1, ChangeCause::Moved, "G:h3"),
    ];
    assert_eq!(changes, expected.map(|(step, cause, at)| (step, cause, at.to_owned())));
    assert!(judged.1.iter().all(|(_, change)| change.removed.is_some() != change.added.is_some()));
    // It is gone before the second step; before the first, White only has no king in it.
    let rows = [
        ("G:a1-R:b1", PassageNotOpen, 0, ""),
        ("R:h3h8/R:a1c2", BoardVanished, 1, ""),
        ("R:h3h8/G:a1-R:a1", BoardVanished, 1, ""),
        ("R:h3h8/B:g1-R:a1", BoardVanished, 1, ""),
        ("R:h3h8/B:g2-R:a1", PieceDoesNotMoveSo, 1, ""),
        ("R:h3h8/R:b5b6", BoardVanished, 1, ""),
    ];
    scenes::check_refusals(variant(), &game, &rows);
    let next = table::played(variant(), &game, "R:h3h8");
    let rows = [("R:a8a1", BoardVanished, 0, ""), ("G:a6a5/R:a8a1", BoardVanished, 1, "")];
    scenes::check_refusals(variant(), &next, &rows);
}

/// Clause 6: a universe keeps its pieces while one king is left; clause 7: it vanishes with a winning step, too.
#[test]
fn a_universe_vanishes_with_the_step_that_wins() {
    let game = scene(
        'w',
        "
        ...k.... | ....k... | ........
        ........ | ........ | ........
        ........ | ........ | ...p....
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ...R.... | ....K... | ....K...",
    );
    let won = Some(Outcome::Won { winner: Side::White, reason: WinReason::KingCaptured });
    assert_eq!(outcome_after(&game, "R:d1d8"), won);
    assert_eq!(after(&game, "R:d1d8"), "*|4k3/8/8/8/8/8/8/4K3|8/8/3p4/8/8/8/8/4K3 b -|-|- -|-|- 0 1");
    assert_eq!(scenes::refused(variant(), &game, "R:d1d8/G:e1e2"), (TooManySteps, 1, String::new()));
}

/// Clause 7.
#[test]
fn the_king_in_green_or_both_others_decide() {
    let drawing = "
        k...R... | k...R... | k...R...
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ....K... | ....K... | ....K...";
    let game = scene('w', drawing);
    let won = Some(Outcome::Won { winner: Side::White, reason: WinReason::KingCaptured });
    assert_eq!(outcome_after(&game, "R:e8a8"), None);
    assert_eq!(outcome_after(&game, "R:e8a8/B:e8d8"), None);
    for text in ["G:e8a8", "B:e8d8/G:e8a8", "R:e8a8/B:e8a8", "B:e8a8/R:e8a8"] {
        assert_eq!(outcome_after(&game, text), won, "{text}");
    }
    // No step follows one that wins, and a game that is won has no moves.
    assert_eq!(scenes::refused(variant(), &game, "G:e8a8/R:e8a8"), (TooManySteps, 1, String::new()));
    let over = table::played(variant(), &game, "G:e8a8");
    assert_eq!(scenes::refused(variant(), &over, "R:a8b8"), (GameOver, 0, String::new()));
    assert_eq!(table::listed(variant(), &over), [""; 0]);
    // Kings that the opponent could capture are told of, also in a game that is over.
    assert_eq!(scenes::names(variant(), play::status(variant(), &over).attacked_kings), "R:a8 B:a8");
}

/// Red after White's double step there, with a passage of Black's to the pawn.
const PASSED: &str = "
    ....k... | ....r... | .k......
    ........ | ........ | ........
    ........ | ........ | ........
    ........ | ........ | ........
    ...pP... | ........ | ........
    ........ | ....k... | ........
    ........ | ........ | ........
    ....K... | ....K... | .K......";

fn with_en_passant() -> Game {
    table::game(variant(), &format!("{} b -|-|- e3|-|- 0 1", placement(PASSED)))
}

/// Clause 8.
#[test]
fn en_passant_is_open_to_either_step() {
    let game = with_en_passant();
    for (text, red) in [
        ("R:d4e3", "4k3/8/8/8/8/4p3/8/4K3"),
        ("R:d4e3/B:b8a8", "4k3/8/8/8/8/4p3/8/4K3"),
        ("B:b8a8/R:d4e3", "4k3/8/8/8/8/4p3/8/4K3"),
        ("G:e8-R:e7/R:d4e3", "4k3/4r3/8/8/8/4p3/8/4K3"),
    ] {
        let after = after(&game, text);
        assert_eq!(after.split('|').next().unwrap(), red, "{text}");
        assert!(after.contains(" w -|-|- -|-|- 0 2"), "{text}");
    }
    let judged = play::judge(variant(), &game, &table::steps(variant(), "B:b8a8/R:d4e3")).unwrap();
    let captured = judged.1.iter().find(|(_, change)| change.cause == ChangeCause::Captured).unwrap();
    assert_eq!(scenes::names(variant(), [captured.1.at]), "R:e4");
}

/// Clause 8: the right goes with the pawn.
#[test]
fn en_passant_dies_when_the_first_step_captures_the_pawn() {
    let game = with_en_passant();
    assert!(is_legal(&game, "G:e8-R:e4"));
    let refused = scenes::refused(variant(), &game, "G:e8-R:e4/R:d4e3");
    assert_eq!(refused, (PieceDoesNotMoveSo, 1, String::new()));
}

/// Clause 8: a piece that passed to the passed square bars it, or is captured there itself.
#[test]
fn en_passant_needs_the_passed_square_empty() {
    let game = scene(
        'w',
        "
        ........ | ........ | .k......
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ....k..r | ........
        ...p.... | ........ | ........
        K......k | ........ | ........
        ....P... | ........ | ........
        ........ | R.K..... | .K......",
    );
    // Black's own rook comes to the passed square, or stops before it.
    let doubled = table::played(variant(), &game, "R:e2e4");
    assert!(is_legal(&doubled, "G:h5-R:f3/R:d4e3"));
    let refused = scenes::refused(variant(), &doubled, "G:h5-R:e3/R:d4e3");
    assert_eq!(refused, (OwnPieceThere, 1, String::new()));
    // White's rook comes there within the move of the double step, which is recorded all the same.
    let text = "8/8/8/8/3pP3/K3R2k/8/8|8/8/8/4k2r/8/8/8/2K5|1k6/8/8/8/8/8/8/1K6 b -|-|- e3|-|- 0 1";
    assert_eq!(after(&game, "R:e2e4/G:a1-R:e3"), text);
    let barred = table::game(variant(), text);
    assert!(after(&barred, "R:d4e3").starts_with("8/8/8/8/4P3/K3p2k/8/8|"), "it captures the rook alone");
    assert_eq!(after(&barred, "B:b8a8").split(' ').nth(3), Some("-|-|-"));
}

/// Clause 9.
#[test]
fn a_player_without_steps_draws() {
    let drawing = "
         | .......k | .......k
         | ........ | ........
         | ........ | ........
         | ........ | ........
         | .p...... | .p......
         | pPp..... | pPp.....
         | PRP..... | PRP.....
         | KB...... | KB......";
    let status = play::status(variant(), &scene('w', drawing));
    assert_eq!(status.outcome, Some(Outcome::Drawn { reason: DrawReason::Stalemate }));
    assert_eq!(play::status(variant(), &scene('b', drawing)).outcome, None);
}

/// Clause 11.
#[test]
fn impossible_positions_are_refused() {
    let codes = |text: &str| {
        let faults = position_text::parse(variant(), text).err().unwrap_or_default();
        faults.iter().map(|fault| fault.code).collect::<Vec<_>>()
    };
    for (placement, faults) in [
        ("k6K/8/8/8/8/8/8/8|k6K/8/8/8/8/8/8/8|*", &[][..]),
        ("k6K/8/8/8/8/8/8/8|k6K/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8", &[FaultCode::UniverseWithoutKings]),
        ("k5KK/8/8/8/8/8/8/8|k6K/8/8/8/8/8/8/8|*", &[FaultCode::TooManyKings]),
        ("k7/8/8/8/8/8/8/8|k6K/8/8/8/8/8/8/8|*", &[]),
        ("k7/8/8/8/8/8/8/8|K7/8/8/8/8/8/8/8|*", &[FaultCode::BothLost]),
        ("*|k6K/8/8/8/8/8/8/8|*", &[FaultCode::BothLost]),
        ("k6K/8/8/8/8/8/8/8|*|k6K/8/8/8/8/8/8/8", &[FaultCode::BothLost]),
    ] {
        assert_eq!(codes(&format!("{placement} w -|-|- -|-|- 0 1")), faults, "{placement}");
    }
    let text = "*|k6K/8/8/8/8/8/8/8|k6K/8/8/8/8/8/8/8 w -|-|- e6|-|- 0 1";
    assert_eq!(codes(text), [FaultCode::BadEnPassant]);
    // A piece that came from another universe may stand on a square that the pawn crossed.
    let text = "k6K/8/8/8/4P3/4R3/8/8|k6K/8/8/8/8/8/8/8|k6K/8/8/8/8/8/8/8 b -|-|- e3|-|- 0 1";
    assert_eq!(codes(text), []);
    // The structure form can put pieces where no text can.
    let mut position = table::position(variant(), "k6K/8/8/8/8/8/8/8|k6K/8/8/8/8/8/8/8|* w -|-|- -|-|- 0 1");
    let piece = position.piece(Location::new(1, position.board(1).king(Side::White).unwrap())).unwrap();
    let at = Location::new(2, variant().card().geometry(2).named("a1").unwrap());
    position.put(at, piece);
    let faults = play::faults(variant(), &position, true);
    assert_eq!(faults.iter().map(|fault| fault.code).collect::<Vec<_>>(), [FaultCode::PieceOnWrongBoard]);
}

#[test]
fn each_reason_is_given_in_its_order() {
    let game = scene(
        'w',
        "
        .......k | .......k | ........
        ..K..... | R.....P. | B.......
        ........ | ...p.... | ........
        ........ | ........ | ........
        ..N..... | ........ | ...K....
        ........ | p......R | ........
        ........ | K.....Q. | .......R
        ........ | ........ | R.......",
    );
    let rows = [
        ("R:a1a2", NoPiece, 0, ""),
        ("R:h8h7", NotYourPiece, 0, ""),
        ("G:a7g7", OwnPieceThere, 0, ""),
        ("G:a7-R:c4", OwnPieceThere, 0, ""),
        ("G:a2c2", PieceDoesNotMoveSo, 0, ""),
        ("G:g2-R:c6", PieceDoesNotMoveSo, 0, ""),
        ("R:c4-G:c5", PieceDoesNotMoveSo, 0, ""),
        ("G:g7f8q", PieceDoesNotMoveSo, 0, ""),
        ("G:a7a1", PathBlocked, 0, "G:a2 G:a3"),
        ("G:a7-R:c6", PassageNotOpen, 0, "G:a3"),
        ("G:a7-R:c3", PassageNotOpen, 0, "G:a3 R:c4"),
        ("G:a7-R:d6", PassageNotOpen, 0, ""),
        ("G:a7-R:c8", PassageNotOpen, 0, ""),
        ("G:h3-R:c6", PassageNotOpen, 0, ""),
        ("B:a1-R:c6", PassageNotOpen, 0, ""),
        ("B:a7-G:a3", PassageNotOpen, 0, ""),
        ("R:c4e5/R:c7c8", SameBoardTwice, 1, ""),
        ("R:c4e5/R:c4e3", NoPiece, 1, ""),
        ("G:g7g8", PromotionMissing, 0, ""),
        ("G:g7h8", PromotionMissing, 0, ""),
        ("G:g7g8s", PromotionNotOpen, 0, ""),
        ("G:a7a6q", PromotionNotOpen, 0, ""),
        ("G:g7g8q+g7", TwinNotOpen, 0, ""),
        ("G:a7a6xd6", RemovalNotOpen, 0, ""),
        ("G:a7a6/R:c7c8/B:a1a2", TooManySteps, 2, ""),
        ("G:g7h8q/R:c7c8", TooManySteps, 1, ""),
    ];
    scenes::check_refusals(variant(), &game, &rows);
    let missing = play::judge(variant(), &game, &[]).unwrap_err();
    assert_eq!(scenes::in_short(variant(), &missing), (StepMissing, 0, String::new()));
    for text in ["G:a7a3/R:c4e5", "G:g7h8q", "B:a7-G:b1"] {
        assert!(is_legal(&game, text), "{text}");
    }
}

/// The source's own notation.
#[test]
fn long_algebraic_is_read_where_it_names_one_move() {
    let game = scene(
        'w',
        "
        ...k.... | ........ | ....k...
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | .n...... | ........
        ........ | P....... | ........
        ........ | ........ | ........
        ........ | ........ | ........
        .N.K.... | K......k | .N..K...",
    );
    let read = |text: &str| read_move(variant(), &game, text);
    assert_eq!(read("R:Nb1-c3/Pa4xb5").unwrap(), table::steps(variant(), "R:b1c3/G:a4b5"));
    match read("Nb1-c3/Pa4xb5") {
        Err(MoveTextError::Illegal(illegality)) => {
            let candidates: Vec<_> = illegality.candidates.iter().map(|steps| steps.to_vec()).collect();
            let texts = ["R:b1c3/G:a4b5", "B:b1c3/G:a4b5"];
            assert_eq!(candidates, texts.map(|text| table::steps(variant(), text)));
            assert_eq!(illegality.refusal.reason, Ambiguous);
        }
        other => panic!("{other:?}"),
    }
    for (text, reason, step) in [
        ("R:Nb1-c3/Pa4-b5", NotationDisagrees, 1),
        ("R:Nb1-c4/Pa4xb5", PieceDoesNotMoveSo, 0),
        ("R:Nb1-c3/R:Kd1-d2", SameBoardTwice, 1),
    ] {
        match read(text) {
            Err(MoveTextError::Illegal(illegality)) => {
                assert_eq!((illegality.refusal.reason, illegality.step_index), (reason, step), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}
