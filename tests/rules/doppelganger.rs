//! The clauses of Doppelganger Chess.

use crate::clauses::Rules;

fn rules() -> Rules {
    Rules::of("doppelganger")
}

#[test]
fn clause_3_a_captured_piece_takes_its_twins_along() {
    rules().lead(&[
        // A knight goes with its twin, wherever that stands.
        ("4k3/8/2n5/8/B7/8/n7/4K3 w - - 5 9", "a4c6", "4k3/8/2B5/8/8/8/8/4K3 b - - 0 9"),
        // Of other groups, kinds and colours nothing goes.
        ("4k3/8/2n{1}5/n6n/B7/2N5/n{1}1b5/4K3 w - - 5 9", "a4c6", "4k3/8/2B5/n6n/8/2N5/2b5/4K3 b - - 0 9"),
        (
            "4k3/8/2n5/n{2}6n/B7/2N5/n{1}1b5/4K3 w - - 5 9",
            "a4c6",
            "4k3/8/2B5/n{2}7/8/2N5/n{1}1b5/4K3 b - - 0 9",
        ),
        // Queens have no twins.
        ("4k3/8/2q5/8/B7/8/q7/5K2 w - - 5 9", "a4c6", "4k3/8/2B5/8/8/8/q7/5K2 b - - 0 9"),
    ]);
    rules().refuse(
        "4k3/8/2n5/8/B7/8/n7/4K3 w - - 5 9",
        &[("a4c6xa2", "REMOVAL_NOT_OPEN", 0, &[]), ("a4b5xa2", "REMOVAL_NOT_OPEN", 0, &[])],
    );
}

#[test]
fn clause_4_a_captured_pawn_takes_another_along() {
    let at = "4k3/p7/8/3p4/4P3/7p/8/4K3 w - - 0 1";
    rules().choose(at, "e4d5", &["e4d5xh3", "e4d5xa7"]);
    rules().lead(&[
        (at, "e4d5xh3", "4k3/p7/8/3P4/8/8/8/4K3 b - - 0 1"),
        (at, "e4d5xa7", "4k3/8/8/3P4/8/7p/8/4K3 b - - 0 1"),
        // En passant too.
        ("4k3/p7/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6xa7", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"),
        // Where there is no other, only the captured one goes.
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1"),
    ]);
    rules().refuse(
        at,
        &[
            ("e4d5", "REMOVAL_MISSING", 0, &[]),
            ("e4d5xd5", "REMOVAL_NOT_OPEN", 0, &[]),
            ("e4d5xe4", "REMOVAL_NOT_OPEN", 0, &[]),
            ("e4d5xb7", "REMOVAL_NOT_OPEN", 0, &[]),
            ("e4d5xa7,a7", "REMOVAL_NOT_OPEN", 0, &[]),
            ("e4d5xa7,h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("e4e5xa7", "REMOVAL_NOT_OPEN", 0, &[]),
            ("e4d5qxa7", "PROMOTION_NOT_OPEN", 0, &[]),
            ("e4d5+a7xa7", "TWIN_NOT_OPEN", 0, &[]),
        ],
    );
    rules().refuse(
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        &[("e4d5xd5", "REMOVAL_NOT_OPEN", 0, &[]), ("e4d5xa7", "REMOVAL_NOT_OPEN", 0, &[])],
    );
}

#[test]
fn clause_5_removed_twins_neither_attack_nor_cover() {
    // The check from e8 is answered by capturing the other rook.
    let at = "3kr3/8/8/r7/8/2B5/8/4K3 w - - 0 1";
    rules().stand(&[(at, "ongoing e1")]);
    rules().lead(&[(at, "c3a5", "3k4/8/8/B7/8/8/8/4K3 b - - 0 1")]);
    rules().refuse(at, &[("c3b4", "KING_LEFT_ATTACKED", 0, &["e1", "e8"])]);
    // The knight on e4 covers the king, and would go with its twin.
    let at = "3kr3/8/1n6/8/4n3/4B3/8/4K3 w - - 0 1";
    rules().refuse(at, &[("e3b6", "KING_LEFT_ATTACKED", 0, &["e1", "e8"])]);
    // So would the pawn on e4, if it were chosen to go with another.
    let at = "3kr3/8/1p6/8/4p3/4B3/7p/4K3 w - - 0 1";
    rules().choose(at, "e3b6", &["e3b6xh2"]);
    rules().refuse(
        at,
        &[("e3b6xe4", "KING_LEFT_ATTACKED", 0, &["e1", "e8"]), ("e3b6", "REMOVAL_MISSING", 0, &[])],
    );
    // A capture that is left without an open choice is illegal.
    let at = "3kr3/8/1p6/8/4p3/4B3/8/4K3 w - - 0 1";
    rules().choose(at, "e3b6", &[]);
    rules().refuse(at, &[("e3b6xe4", "KING_LEFT_ATTACKED", 0, &["e1", "e8"])]);
    // A pawn that gives check can be the one chosen to go.
    let at = "4k3/8/8/3p4/4K2p/8/5B2/8 w - - 0 1";
    rules().stand(&[(at, "ongoing e4")]);
    rules().choose(at, "f2", &["f2h4xd5"]);
    // The king captures, and the twin that covered its new square goes.
    let at = "4k3/1b6/8/8/8/5b2/4K3/8 w - - 0 1";
    rules().lead(&[(at, "e2f3", "4k3/8/8/8/8/5K2/8/8 b - - 0 1")]);
}

#[test]
fn clause_5_mate_and_stalemate_know_of_twins() {
    // No mate is it where a twin of the mating rook is in reach.
    rules().stand(&[
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "won w checkmate g8"),
        ("R5k1/5ppp/8/2R5/8/1n6/8/4K3 b - - 0 1", "ongoing g8"),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "drawn stalemate"),
        // The lone pawn cannot promote.
        ("k7/8/1Q6/8/8/8/7p/4K3 b - - 0 1", "drawn stalemate"),
    ]);
    rules().lead(&[("R5k1/5ppp/8/2R5/8/1n6/8/4K3 b - - 0 1", "b3c5", "6k1/5ppp/8/2n5/8/8/8/4K3 w - - 0 2")]);
}

#[test]
fn clause_6_two_pawns_promote_together() {
    let at = "8/6P1/8/8/1P6/8/P3k3/K7 w - - 0 1";
    rules().choose(at, "g7", &["g7g8r+a2", "g7g8r+b4", "g7g8b+a2", "g7g8b+b4", "g7g8n+a2", "g7g8n+b4"]);
    rules().lead(&[
        (at, "g7g8r+b4", "6R{1}1/8/8/8/1R{1}6/8/P3k3/K7 b - - 0 1"),
        // Groups are counted by kind and colour.
        (
            "5r2/6P1/8/8/1P6/8/2N{1}1k3/K5n{2}r{3} w - - 0 1",
            "g7f8n+b4",
            "5N{2}2/8/8/8/1N{2}6/8/2N{1}1k3/K5n{2}r{3} b - - 0 1",
        ),
        // The smallest free number, not the next.
        (
            "8/6P1/6k1/8/1P6/7R/2R{3}5/K7 w - - 0 1",
            "g7g8r+b4",
            "6R{1}1/8/6k1/8/1R{1}6/7R/2R{3}5/K7 b - - 0 1",
        ),
        (
            "8/6P1/6k1/8/1P6/7R{1}/2R{2}5/K7 w - - 0 1",
            "g7g8r+b4",
            "6R{3}1/8/6k1/8/1R{3}6/7R{1}/2R{2}5/K7 b - - 0 1",
        ),
    ]);
    rules().refuse(
        at,
        &[
            ("g7g8", "PROMOTION_MISSING", 0, &[]),
            ("g7g8+b4", "PROMOTION_MISSING", 0, &[]),
            ("g7g8q", "PROMOTION_NOT_OPEN", 0, &[]),
            ("g7g8q+b4", "PROMOTION_NOT_OPEN", 0, &[]),
            ("g7g8r", "TWIN_MISSING", 0, &[]),
            ("g7g8r+g7", "TWIN_NOT_OPEN", 0, &[]),
            ("g7g8r+g8", "TWIN_NOT_OPEN", 0, &[]),
            ("g7g8r+a1", "TWIN_NOT_OPEN", 0, &[]),
            ("g7g8r+e2", "TWIN_NOT_OPEN", 0, &[]),
            ("b4b5+a2", "TWIN_NOT_OPEN", 0, &[]),
            ("b4b5r+a2", "PROMOTION_NOT_OPEN", 0, &[]),
            ("g7g8r+b4xa7", "REMOVAL_NOT_OPEN", 0, &[]),
        ],
    );
}

#[test]
fn clause_6_a_lone_pawn_cannot_step_onto_the_last_rank() {
    let at = "5r2/6P1/8/8/8/8/4k3/K7 w - - 0 1";
    rules().choose(at, "g7", &[]);
    rules().refuse(
        at,
        &[
            ("g7g8", "PROMOTION_MISSING", 0, &[]),
            ("g7g8r", "PROMOTION_NOT_OPEN", 0, &[]),
            ("g7f8n", "PROMOTION_NOT_OPEN", 0, &[]),
            ("g7g8r+g7", "PROMOTION_NOT_OPEN", 0, &[]),
        ],
    );
    // Several promotions, one after the other, make one group each.
    let before = "8/5PP1/8/8/8/8/PP2k3/K7 w - - 0 1";
    let after = "5N{1}2/6P1/8/8/8/8/1N{1}P1k3/K7 w - - 0 2";
    rules().lead(&[
        (before, "f7f8n+b2", "5N{1}2/6P1/8/8/8/8/PN{1}2k3/K7 b - - 0 1"),
        (after, "g7g8n+c2", "5N{1}N{2}1/8/8/8/8/8/1N{1}N{2}1k3/K7 b - - 0 2"),
        (after, "g7g8r+c2", "5N{1}R{1}1/8/8/8/8/8/1N{1}R{1}1k3/K7 b - - 0 2"),
    ]);
}

#[test]
fn clause_7_a_castling_right_goes_with_its_rook() {
    rules().lead(&[
        // The rook on h8 goes as the twin of the one on a8.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "R3k3/8/8/8/8/8/8/4K2R b K - 0 1"),
        // A rook of another group stays, and with it its right.
        ("r3k2r{1}/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a8", "R3k2r{1}/8/8/8/8/8/8/4K2R b Kk - 0 1"),
        // Any own rook on the home square will do.
        ("4k3/8/8/8/8/8/8/4K2R{2} w K - 0 1", "e1g1", "4k3/8/8/8/8/8/8/5R{2}K1 b - - 1 1"),
    ]);
    let through = "4kr2/8/8/8/8/8/8/R3K1NR w KQ - 0 1";
    rules().allow(through, &["e1c1"]);
    rules().refuse(through, &[("e1g1", "OWN_PIECE_THERE", 0, &[]), ("e1c1r", "PROMOTION_NOT_OPEN", 0, &[])]);
    rules().refuse(
        "4kr2/8/8/8/8/8/8/RN2K2R w KQ - 0 1",
        &[("e1g1", "CASTLING_NOT_AVAILABLE", 0, &["f8"]), ("e1c1", "CASTLING_NOT_AVAILABLE", 0, &["b1"])],
    );
    rules().refuse(
        "4kr2/8/8/8/8/8/8/RN2K2R w - - 0 1",
        &[("e1g1", "CASTLING_NOT_AVAILABLE", 0, &[]), ("e1c1", "CASTLING_NOT_AVAILABLE", 0, &[])],
    );
}

#[test]
fn clause_8_the_right_to_capture_en_passant_dies_with_its_pawn() {
    // A pawn that has just stepped twice and becomes a promoted piece is no pawn any more.
    let at = "4k3/1P6/8/8/8/8/4P3/4K3 w - - 0 1";
    let made = rules().made(at, "e2e4");
    assert!(made.board(0).en_passant.is_some());
    let made = rules().made(at, "e2e4/b7b8n+e4");
    assert_eq!(made.board(0).en_passant, None);
}

#[test]
fn clause_9_a_pawn_that_could_not_promote_attacks_all_the_same() {
    let at = "5k2/7P/8/8/8/8/8/K7 b - - 0 1";
    rules().refuse(at, &[("f8g8", "KING_LEFT_ATTACKED", 0, &["g8", "h7"])]);
}

#[test]
fn clause_10_fifty_moves_draw_and_finished_games_have_no_moves() {
    let at = "4k3/8/8/8/8/8/8/R3K3 w - - 99 80";
    rules().end(&[(at, "a1a2", "drawn fifty_moves")]);
    rules().refuse("4k3/8/8/8/8/8/8/R3K3 w - - 100 80", &[("a1a2", "GAME_OVER", 0, &[])]);
    rules().refuse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", &[("g8h8", "GAME_OVER", 0, &[])]);
}
