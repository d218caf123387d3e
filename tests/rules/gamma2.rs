//! Clauses of Gamma2 Chess.

use crate::clauses::Rules;

#[test]
fn clauses_6_and_7_a_pinned_hopper_does_not_leap_over_the_piece_that_pins_it() {
    let rules = Rules::of("gamma2");
    let archer = "4k5/10/10/2x7/3b6/4A5/5K4/10 w - - 0 1";
    rules.allow(archer, &["e3d4"]);
    rules.refuse(archer, &[("e3c5", "KING_LEFT_ATTACKED", 0, &["f2", "d4"])]);
    let ship = "4k4r/9x/10/9r/10/9S/10/9K w - - 0 1";
    rules.allow(ship, &["j3j4"]);
    rules.refuse(ship, &[("j3j7", "KING_LEFT_ATTACKED", 0, &["j1", "j5"])]);
}

#[test]
fn clauses_6_and_8_a_castling_rook_can_become_the_screen_of_a_ship() {
    let rules = Rules::of("gamma2");
    let at = "7k2/10/10/10/10/10/10/3s1K3R w K - 0 1";
    rules.refuse(at, &[("f1i1", "CASTLING_NOT_AVAILABLE", 0, &["d1"])]);
    let at = "7k2/10/10/10/10/10/10/R4K1s2 w Q - 0 1";
    rules.refuse(at, &[("f1c1", "CASTLING_NOT_AVAILABLE", 0, &["h1"])]);
}
