//! Why long algebraic names no legal move. What this form cannot say, or leaves out, is not what is missing.

use arbiter::rules::illegal::IllegalReason::{self, *};
use arbiter::rules::{MoveTextError, read_move};

use crate::scenarios::variant;
use crate::table;

/// Checks rows of a text, the reason why it names no legal move, and the step at fault.
fn check(id: &str, position: &str, rows: &[(&str, IllegalReason, usize)]) {
    let variant = variant(id);
    let game = table::game(variant, position);
    for &(text, reason, step) in rows {
        match read_move(variant, &game, text) {
            Err(MoveTextError::Illegal(illegality)) => {
                assert_eq!((illegality.refusal.reason, illegality.step_index), (reason, step), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_promotion_that_is_left_out_is_any() {
    check(
        "chess",
        "7k/P7/8/8/8/8/8/K7 w - - 0 1",
        &[("a7xa8", NotationDisagrees, 0), ("Ra7-a8", NotationDisagrees, 0)],
    );
    check(
        "chess",
        "4r2k/4P3/8/8/8/8/8/K7 w - - 0 1",
        &[("e7-e8", PathBlocked, 0), ("e7-d8", PieceDoesNotMoveSo, 0)],
    );
    check(
        "chess",
        "k7/r3P2K/8/8/8/8/8/8 w - - 0 1",
        &[("e7-e8", KingLeftAttacked, 0), ("e7-e8=Q", KingLeftAttacked, 0)],
    );
    check("gamma2", "k9/r4X3K/10/10/10/10/10/10 w - - 0 1", &[("f7-g8", KingLeftAttacked, 0)]);
    check(
        "bordahbee",
        "7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1",
        &[
            ("A:a7-a8/B:Nh1-h5", PieceDoesNotMoveSo, 1),
            ("A:a7-a8=Q/B:Nh1-h5", PieceDoesNotMoveSo, 1),
            ("A:a7-a8/B:Nh1-f2/A:Ka1-a2", TooManySteps, 2),
            ("A:a7-a8", StepMissing, 1),
            ("A:a7-a8/B:Ka1-a2", PairNotAllowed, 1),
        ],
    );
    // A promotion that is written has to be open.
    check(
        "chess",
        "7k/P7/8/8/8/8/8/K7 w - - 0 1",
        &[("a7-a8=S", PromotionNotOpen, 0), ("Ka1-a2=Q", PromotionNotOpen, 0)],
    );
}

#[test]
fn twins_are_any() {
    check(
        "doppelganger-bordahbee-extreme",
        "8/1B1p2p1/2Np4/3kp3/5P1P/8/1K5p/8|8/2P2P2/1b6/RBk5/4P3/4K3/8/8 b -|- -|- 83 9999",
        &[
            ("A:Ph2-h1b/B:Bb6-a7", Ambiguous, 0),
            ("A:Ph2-h1b/B:Bb6-a8", PieceDoesNotMoveSo, 1),
            ("A:Ph2-h1b/B:Bb6-c7", NotationDisagrees, 1),
            ("A:Ph2-h1b", StepMissing, 1),
        ],
    );
    // Without a second pawn no promotion is open.
    check(
        "doppelganger",
        "k7/7P/8/8/8/8/8/K7 w - - 0 1",
        &[("h7-h8", PromotionNotOpen, 0), ("h7-h8=R", PromotionNotOpen, 0)],
    );
    check(
        "doppelganger",
        "k7/r5PK/8/8/8/8/P7/8 w - - 0 1",
        &[("g7-g8=R", KingLeftAttacked, 0), ("g7-g8", KingLeftAttacked, 0)],
    );
}

#[test]
fn removals_are_any() {
    check(
        "doppelganger",
        "k7/p6p/8/8/8/3p4/8/3RK3 w - - 0 1",
        &[("Rd1-d3", NotationDisagrees, 0), ("Bd1xd3", NotationDisagrees, 0)],
    );
    check(
        "doppelganger-bordahbee",
        "k7/p6p/8/3p4/8/2N5/8/K7|k7/8/8/8/8/8/P7/K7 w -|- -|- 0 9",
        &[("A:Nc3xd5/B:a2-a5", PieceDoesNotMoveSo, 1), ("Nc3xd5/a2-a5", PieceDoesNotMoveSo, 1)],
    );
    // No pawn can go with this one without a check.
    check("doppelganger", "3kr3/8/1p6/8/4p3/4B3/8/4K3 w - - 0 1", &[("Be3xb6", KingLeftAttacked, 0)]);
    for variant in ["doppelganger-bordahbee", "doppelganger-bordahbee-extreme"] {
        let on = |board: &str| format!("{board}|4k3/p6p/8/8/8/8/7P/4K3 w -|- -|- 0 1");
        let at = on("k3r3/8/1p6/8/3Bp3/8/8/4K3");
        check(variant, &at, &[("A:Bd4xb6/B:h2-h3", RemovalOpensCheck, 0)]);
    }
}

#[test]
fn the_earliest_step_is_at_fault_for_its_letter_too() {
    check(
        "bordahbee",
        "7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1",
        &[("A:Na7-a8/B:Nh1-h5", NotationDisagrees, 0), ("A:a7xa8/B:Nh1-f2", NotationDisagrees, 0)],
    );
}
