//! Why long algebraic names no legal move. What this form cannot say, or leaves out, is not what is missing.

use crate::scenarios::check_refused;

#[test]
fn a_promotion_that_is_left_out_is_any() {
    check_refused(
        "chess",
        "
        no capture; 7k/P7/8/8/8/8/8/K7 w - - 0 1; a7xa8; NotationDisagrees 0
        no rook; 7k/P7/8/8/8/8/8/K7 w - - 0 1; Ra7-a8; NotationDisagrees 0
        blocked; 4r2k/4P3/8/8/8/8/8/K7 w - - 0 1; e7-e8; PathBlocked 0 e8
        nothing to capture; 4r2k/4P3/8/8/8/8/8/K7 w - - 0 1; e7-d8; PieceDoesNotMoveSo 0
        pinned; k7/r3P2K/8/8/8/8/8/8 w - - 0 1; e7-e8; KingLeftAttacked 0 h7 a7
        pinned, with a promotion; k7/r3P2K/8/8/8/8/8/8 w - - 0 1; e7-e8=Q; KingLeftAttacked 0 h7 a7
        one that is written has to be open; 7k/P7/8/8/8/8/8/K7 w - - 0 1; a7-a8=S; PromotionNotOpen 0
        and to promote; 7k/P7/8/8/8/8/8/K7 w - - 0 1; Ka1-a2=Q; PromotionNotOpen 0
        ",
    );
    check_refused("gamma2", "pinned; k9/r4X3K/10/10/10/10/10/10 w - - 0 1; f7-g8; KingLeftAttacked 0 j7 a7");
    check_refused(
        "bordahbee",
        "
        the second step; 7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1; A:a7-a8/B:Nh1-h5; PieceDoesNotMoveSo 1
        the same, written; 7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1; A:a7-a8=Q/B:Nh1-h5; PieceDoesNotMoveSo 1
        a third; 7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1; A:a7-a8/B:Nh1-f2/A:Ka1-a2; TooManySteps 2
        no second; 7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1; A:a7-a8; StepMissing 1
        no partner; 7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1; A:a7-a8/B:Ka1-a2; PairNotAllowed 1
        ",
    );
}

#[test]
fn twins_are_any() {
    check_refused(
        "doppelganger-bordahbee-extreme",
        "
        several; 8/1B1p2p1/2Np4/3kp3/5P1P/8/1K5p/8|8/2P2P2/1b6/RBk5/4P3/4K3/8/8 b -|- -|- 83 9999; A:Ph2-h1b/B:Bb6-a7; Ambiguous 0
        the second step; 8/1B1p2p1/2Np4/3kp3/5P1P/8/1K5p/8|8/2P2P2/1b6/RBk5/4P3/4K3/8/8 b -|- -|- 83 9999; A:Ph2-h1b/B:Bb6-a8; PieceDoesNotMoveSo 1
        its sign; 8/1B1p2p1/2Np4/3kp3/5P1P/8/1K5p/8|8/2P2P2/1b6/RBk5/4P3/4K3/8/8 b -|- -|- 83 9999; A:Ph2-h1b/B:Bb6-c7; NotationDisagrees 1
        no second; 8/1B1p2p1/2Np4/3kp3/5P1P/8/1K5p/8|8/2P2P2/1b6/RBk5/4P3/4K3/8/8 b -|- -|- 83 9999; A:Ph2-h1b; StepMissing 1
        ",
    );
    check_refused(
        "doppelganger",
        "
        no second pawn; k7/7P/8/8/8/8/8/K7 w - - 0 1; h7-h8; PromotionNotOpen 0
        no second pawn, with a promotion; k7/7P/8/8/8/8/8/K7 w - - 0 1; h7-h8=R; PromotionNotOpen 0
        pinned; k7/r5PK/8/8/8/8/P7/8 w - - 0 1; g7-g8; KingLeftAttacked 0 h7 a7
        pinned, with a promotion; k7/r5PK/8/8/8/8/P7/8 w - - 0 1; g7-g8=R; KingLeftAttacked 0 h7 a7
        ",
    );
}

#[test]
fn removals_are_any() {
    check_refused(
        "doppelganger",
        "
        a capture without its sign; k7/p6p/8/8/8/3p4/8/3RK3 w - - 0 1; Rd1-d3; NotationDisagrees 0
        no bishop; k7/p6p/8/8/8/3p4/8/3RK3 w - - 0 1; Bd1xd3; NotationDisagrees 0
        no pawn can go with it; 3kr3/8/1p6/8/4p3/4B3/8/4K3 w - - 0 1; Be3xb6; KingLeftAttacked 0 e1 e8
        ",
    );
    check_refused(
        "doppelganger-bordahbee",
        "
        the second step; k7/p6p/8/3p4/8/2N5/8/K7|k7/8/8/8/8/8/P7/K7 w -|- -|- 0 9; A:Nc3xd5/B:a2-a5; PieceDoesNotMoveSo 1
        without boards; k7/p6p/8/3p4/8/2N5/8/K7|k7/8/8/8/8/8/P7/K7 w -|- -|- 0 9; Nc3xd5/a2-a5; PieceDoesNotMoveSo 1
        ",
    );
    for id in ["doppelganger-bordahbee", "doppelganger-bordahbee-extreme"] {
        check_refused(
            id,
            "no pawn can go with it; k3r3/8/1p6/8/3Bp3/8/8/4K3|4k3/p6p/8/8/8/8/7P/4K3 w -|- -|- 0 1; A:Bd4xb6/B:h2-h3; RemovalOpensCheck 0 A:e1 A:e8",
        );
    }
}

#[test]
fn the_earliest_step_is_at_fault_for_its_letter_too() {
    check_refused(
        "bordahbee",
        "
        its letter; 7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1; A:Na7-a8/B:Nh1-h5; NotationDisagrees 0
        its sign; 7k/P7/8/8/8/8/8/K7|7k/8/8/8/8/8/8/K6N w -|- -|- 0 1; A:a7xa8/B:Nh1-f2; NotationDisagrees 0
        ",
    );
}
