//! The clauses of Doppelganger BordahBee and of its Extreme form.

use crate::clauses::Rules;

fn normal() -> Rules {
    Rules::of("doppelganger-bordahbee")
}

fn extreme() -> Rules {
    Rules::of("doppelganger-bordahbee-extreme")
}

fn both() -> [Rules; 2] {
    [normal(), extreme()]
}

#[test]
fn clauses_1_to_3_are_those_of_the_game_without_twins() {
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR \
                   w KQkq|KQkq -|- 0 1";
    for rules in both() {
        rules.lead(&[(
            initial,
            "B:g1f3/A:e2e4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R \
             b KQkq|KQkq e3|- 0 1",
        )]);
        rules.refuse(
            initial,
            &[
                ("A:e2e4", "STEP_MISSING", 1, &[]),
                ("A:e2e4/A:g1f3", "SAME_BOARD_TWICE", 1, &[]),
                ("A:e2e4/B:d2d4", "PAIR_NOT_ALLOWED", 1, &[]),
                ("A:e2e4/B:g1f3/A:d2d4", "TOO_MANY_STEPS", 2, &[]),
                ("A:e2e4/B:c1a3", "PATH_BLOCKED", 1, &["B:b2"]),
                ("A:e1g1/B:g1f3", "OWN_PIECE_THERE", 0, &[]),
                ("A:e2e4/B:g1f3xa7", "REMOVAL_NOT_OPEN", 1, &[]),
                ("A:e2e4/B:g1f3+a2", "TWIN_NOT_OPEN", 1, &[]),
            ],
        );
    }
}

#[test]
fn clause_3_a_first_step_that_every_choice_leads_nowhere_is_no_pair() {
    // On B only the capture on c3 is left to the pawn, and the twin that goes with it covers the king.
    let at = "k7/7p/8/8/8/2p5/8/1N2K3|k3r3/8/8/4n3/8/1pn5/1P6/4K3 w -|- -|- 0 1";
    normal().choose(at, "A:b1", &[]);
    normal().refuse(
        at,
        &[
            ("A:b1a3/B:e1e2", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:b1a3/B:b2c3", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:b1c3xh7/B:b2c3", "PAIR_NOT_ALLOWED", 0, &[]),
            // What is wrong with the choice comes later in the order of reasons.
            ("A:b1c3/B:b2c3", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:e1e2/B:b2c3", "PAIR_NOT_ALLOWED", 1, &[]),
            ("B:b2c3/A:b1a3", "REMOVAL_OPENS_CHECK", 0, &["B:e1", "B:e8"]),
        ],
    );
    // In the Extreme form a capture on A takes the pawn on b3 along, and sets the pawn behind it free.
    let at = "k7/7p/8/8/8/2p5/8/1N2K3|k7/8/8/8/8/1p6/1P6/4K3 w -|- -|- 0 1";
    extreme().choose(at, "A:b1", &["A:b1c3xh7,B:b3"]);
    extreme().allow(at, &["A:b1c3xh7,B:b3/B:b2b4"]);
    extreme().refuse(
        at,
        &[
            ("A:b1a3/B:b2b3", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:b1c3/B:b2b3", "REMOVAL_MISSING", 0, &[]),
            ("A:b1c3xh7/B:b2b3", "REMOVAL_MISSING", 0, &[]),
        ],
    );
    normal().choose(at, "A:b1", &[]);
    normal().refuse(at, &[("A:b1c3xh7/B:b2b3", "PAIR_NOT_ALLOWED", 0, &[])]);
}

#[test]
fn clause_4_capturing_a_king_ends_the_game_and_the_move() {
    let at = "4k3/8/8/8/8/8/8/4RK2|4k3/8/8/8/8/8/PP6/KN6 w -|- -|- 3 9";
    let promoting = "4k3/3P4/8/8/8/8/P7/4K3|4k3/8/8/8/8/8/P7/4K2R w -|- -|- 0 1";
    let second = "4k3/8/8/8/8/8/8/4K3|4k3/p7/8/8/8/8/8/K3R3 w -|- -|- 0 1";
    for rules in both() {
        rules.lead(&[(at, "A:e1e8", "4R3/8/8/8/8/8/8/5K2|4k3/8/8/8/8/8/PP6/KN6 b -|- -|- 0 9")]);
        rules.end(&[
            (at, "A:e1e8", "won w king_captured"),
            (second, "A:e1e2/B:e1e8", "won w king_captured"),
            (second, "B:e1e8", "won w king_captured"),
        ]);
        rules.refuse(
            at,
            &[
                ("A:e1e8/B:b1c3", "TOO_MANY_STEPS", 1, &[]),
                ("A:e1e8xa7", "REMOVAL_NOT_OPEN", 0, &[]),
                ("A:e1e7", "PAIR_NOT_ALLOWED", 0, &[]),
            ],
        );
        rules.stand(&[("8/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 b -|- -|- 100 1", "won w king_captured")]);
    }
    normal().choose(promoting, "A:d7e8", &["A:d7e8r+a2", "A:d7e8b+a2", "A:d7e8n+a2"]);
    extreme().choose(promoting, "A:d7e8", &["A:d7e8q+B:a2", "A:d7e8r+a2", "A:d7e8b+a2", "A:d7e8n+a2"]);
}

#[test]
fn clause_4_a_player_without_a_legal_move_loses() {
    let at = "4k3/8/8/8/8/8/8/3QK3|4k3/8/8/8/8/8/PP6/KN6 w -|- -|- 100 1";
    // Here the lone pawn of A cannot promote, so that the knight of B has no partner.
    let lone = "4k3/P7/8/8/8/8/8/4K3|4k3/8/8/8/8/p7/P7/KN6 w -|- -|- 0 1";
    for rules in both() {
        rules.stand(&[(at, "won b no_legal_move")]);
        rules.refuse(at, &[("A:d1d2/B:b1c3", "GAME_OVER", 0, &[])]);
    }
    normal().choose(lone, "B:b1", &[]);
    normal().refuse(lone, &[("B:b1c3/A:a7a8r", "PAIR_NOT_ALLOWED", 0, &[])]);
    extreme().choose(lone, "B:b1", &["B:b1d2", "B:b1a3", "B:b1c3"]);
}

#[test]
fn clause_5_castling_heeds_no_attack_and_takes_any_rook() {
    let at = "4rrrk/8/8/8/8/8/8/4K2R{1}|4k3/8/8/8/8/8/8/RN2K3 w K|Q -|- 0 1";
    for rules in both() {
        rules.lead(&[(at, "A:e1g1/B:e1e2", "4rrrk/8/8/8/8/8/8/5R{1}K1|4k3/8/8/8/8/8/4K3/RN6 b -|- -|- 1 1")]);
        rules.refuse(
            at,
            &[
                ("A:e1e2/B:e1c1", "CASTLING_NOT_AVAILABLE", 1, &["B:b1"]),
                ("A:e1c1/B:e1e2", "CASTLING_NOT_AVAILABLE", 0, &[]),
                ("A:e1g1/B:b1c3", "PAIR_NOT_ALLOWED", 1, &[]),
            ],
        );
    }
}

#[test]
fn clause_5_a_right_goes_with_a_rook_removed_as_a_twin() {
    let at = "r3k2r/8/8/8/8/8/8/R3K3|r3k2r{1}/8/8/8/8/8/8/4K3 w Qkq|kq -|- 0 1";
    normal().lead(&[(at, "A:a1a8/B:e1e2", "R3k3/8/8/8/8/8/8/4K3|r3k2r{1}/8/8/8/8/8/4K3/8 b -|kq -|- 0 1")]);
    extreme().lead(&[(at, "A:a1a8/B:e1e2", "R3k3/8/8/8/8/8/8/4K3|4k2r{1}/8/8/8/8/8/4K3/8 b -|k -|- 0 1")]);
}

#[test]
fn clause_6_the_right_to_capture_en_passant_dies_with_its_pawn() {
    // The knight of A captures a pawn, with which the pawn that passed d6 on B may go.
    let at = "k7/p7/3p4/8/2N5/8/8/4K3|k7/p6p/8/3pP3/8/8/8/4K3 w -|- -|d6 0 2";
    extreme().allow(at, &["A:c4d6xa7,B:a7,B:h7/B:e5d6", "A:c4d6xa7,B:d5,B:h7/B:e5e6"]);
    extreme().refuse(at, &[("A:c4d6xa7,B:d5,B:h7/B:e5d6", "PIECE_DOES_NOT_MOVE_SO", 1, &[])]);
    // In the normal game nothing goes from B.
    normal().lead(&[(at, "A:c4d6xa7/B:e5d6xh7", "k7/8/3N4/8/8/8/8/4K3|k7/p7/3P4/8/8/8/8/4K3 b -|- -|- 0 2")]);
    // A pawn that has just stepped twice and becomes a promoted piece is no pawn any more.
    let at = "4k3/1P6/8/8/8/8/8/4K3|4k3/8/8/8/8/8/4P3/4K3 w -|- -|- 0 1";
    assert!(extreme().made(at, "B:e2e4").board(1).en_passant.is_some());
    assert_eq!(extreme().made(at, "B:e2e4/A:b7b8q+B:e4").board(1).en_passant, None);
}

#[test]
fn clauses_7_and_11_a_captured_piece_takes_its_group_along() {
    let knights = "4k3/n7/2n5/n{1}7/B7/2N5/8/4K3|4k3/8/2n5/8/n{1}7/8/7P/4K3 w -|- -|- 5 9";
    let queens = "4k3/8/2q5/8/B7/8/8/4K3|4k3/q7/8/8/8/8/7P/4K3 w -|- -|- 5 9";
    normal().lead(&[
        (knights, "A:a4c6/B:h2h3", "4k3/8/2B5/n{1}7/8/2N5/8/4K3|4k3/8/2n5/8/n{1}7/7P/8/4K3 b -|- -|- 0 9"),
        (queens, "A:a4c6/B:h2h3", "4k3/8/2B5/8/8/8/8/4K3|4k3/q7/8/8/8/7P/8/4K3 b -|- -|- 0 9"),
    ]);
    extreme().lead(&[
        (knights, "A:a4c6/B:h2h3", "4k3/8/2B5/n{1}7/8/2N5/8/4K3|4k3/8/8/8/n{1}7/7P/8/4K3 b -|- -|- 0 9"),
        (queens, "A:a4c6/B:h2h3", "4k3/8/2B5/8/8/8/8/4K3|4k3/8/8/8/8/7P/8/4K3 b -|- -|- 0 9"),
        (
            "4k3/8/2q{1}5/8/B7/8/8/4K3|4k3/q7/8/q{1}7/8/8/7P/4K3 w -|- -|- 5 9",
            "A:a4c6/B:h2h3",
            "4k3/8/2B5/8/8/8/8/4K3|4k3/q7/8/8/8/7P/8/4K3 b -|- -|- 0 9",
        ),
    ]);
}

#[test]
fn clauses_8_and_12_a_captured_pawn_takes_others_along() {
    let at = "4k3/p7/3p4/8/2N5/7p/8/4K3|4k3/p2p3p/8/8/8/8/7P/4K3 w -|- -|- 0 1";
    normal().choose(at, "A:c4d6", &["A:c4d6xh3", "A:c4d6xa7"]);
    normal().refuse(
        at,
        &[
            ("A:c4d6/B:h2h3", "REMOVAL_MISSING", 0, &[]),
            ("A:c4d6xB:a7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xa7,h3/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xd6/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("B:h2h3/A:c4d6", "REMOVAL_MISSING", 1, &[]),
        ],
    );
    extreme().choose(
        at,
        "A:c4d6",
        &[
            "A:c4d6xh3,B:a7,B:d7",
            "A:c4d6xh3,B:a7,B:h7",
            "A:c4d6xh3,B:d7,B:h7",
            "A:c4d6xa7,B:a7,B:d7",
            "A:c4d6xa7,B:a7,B:h7",
            "A:c4d6xa7,B:d7,B:h7",
        ],
    );
    // The removals are one set: their order does not matter.
    extreme().allow(at, &["A:c4d6xB:h7,a7,B:d7/B:h2h3", "A:c4d6xa7,B:h7,B:d7/B:h2h3"]);
    extreme().refuse(
        at,
        &[
            ("A:c4d6/B:h2h3", "REMOVAL_MISSING", 0, &[]),
            ("A:c4d6xa7/B:h2h3", "REMOVAL_MISSING", 0, &[]),
            ("A:c4d6xB:a7,B:d7/B:h2h3", "REMOVAL_MISSING", 0, &[]),
            ("A:c4d6xB:a7,B:d7,B:h7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xa7,h3,B:a7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xa7,B:a7,B:a7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xa7,B:a7,B:d7,B:h7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xa7,h3,B:a7,B:d7,B:h7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xa7,a7,a7,a7,B:a7,B:d7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4c5xa7,h3,B:a7,B:d7,B:h7/B:h2h3", "PIECE_DOES_NOT_MOVE_SO", 0, &[]),
            ("A:c4d6xd6,B:a7,B:d7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4d6xa7,B:a7,B:h2/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
            ("A:c4e5xa7,B:a7,B:d7/B:h2h3", "REMOVAL_NOT_OPEN", 0, &[]),
        ],
    );
    // Captured on B, the pairs of A come first in the order.
    extreme().choose(
        "4k3/p6p/8/8/8/8/7P/4K3|4k3/p7/3p4/8/2N5/7p/8/4K3 w -|- -|- 0 1",
        "B:c4d6",
        &["B:c4d6xA:a7,A:h7,h3", "B:c4d6xA:a7,A:h7,a7"],
    );
    // Where there are fewer, all there are.
    for (at, wanted) in [
        ("4k3/8/3p4/8/2N5/8/8/4K3|4k3/p7/8/8/8/8/7P/4K3 w -|- -|- 0 1", "A:c4d6xB:a7"),
        ("4k3/p7/3p4/8/2N5/8/8/4K3|4k3/8/8/8/8/8/7P/4K3 w -|- -|- 0 1", "A:c4d6xa7"),
        ("4k3/8/3p4/8/2N5/8/8/4K3|4k3/8/8/8/8/8/7P/4K3 w -|- -|- 0 1", "A:c4d6"),
    ] {
        extreme().choose(at, "A:c4d6", &[wanted]);
    }
    // En passant too.
    extreme().lead(&[(
        "4k3/p7/8/3pP3/8/8/8/4K3|4k3/7p/8/8/8/8/8/4K1N1 w -|- d6|- 0 2",
        "A:e5d6xa7,B:h7/B:g1f3",
        "4k3/8/3P4/8/8/8/8/4K3|4k3/8/8/8/8/5N2/8/4K3 b -|- -|- 0 2",
    )]);
}

#[test]
fn clause_9_no_removal_puts_the_mover_in_check() {
    let on = |board: &str| format!("{board}|4k3/8/8/8/8/8/7P/4K3 w -|- -|- 0 1");
    let opens = ("REMOVAL_OPENS_CHECK", 0, &["A:e1", "A:e8"][..]);
    for rules in both() {
        // The knight on e4 covers the king, and would go with its twin.
        rules.refuse(&on("k3r3/8/1n6/8/3Bn3/8/8/4K3"), &[("A:d4b6/B:h2h3", opens.0, opens.1, opens.2)]);
        // So would the pawn on e4, if it were chosen.
        let pawns = on("k3r3/8/1p6/8/3Bp3/8/7p/4K3");
        rules.choose(&pawns, "A:d4b6", &["A:d4b6xh2"]);
        rules.refuse(&pawns, &[("A:d4b6xe4/B:h2h3", opens.0, opens.1, opens.2)]);
        // A capture that is left without an open choice is illegal.
        let lone = on("k3r3/8/1p6/8/3Bp3/8/8/4K3");
        rules.choose(&lone, "A:d4b6", &[]);
        rules.refuse(
            &lone,
            &[("A:d4b6xe4/B:h2h3", opens.0, opens.1, opens.2), ("A:d4b6/B:h2h3", "REMOVAL_MISSING", 0, &[])],
        );
        // A king that is attacked already restricts nothing, nor one to which the capturer itself opens a line.
        rules.allow(&on("k3r3/8/1n6/8/3Bn3/8/8/4K2r"), &["A:d4b6/B:h2h3"]);
        rules.allow(&on("k3r3/8/1n6/8/7b/4B1n1/8/4K3"), &["A:e3b6/B:h2h3"]);
        // A king that captures is asked about where it arrives.
        let king = "k2r4/8/8/3n4/8/3n4/4K3/8|4k3/8/8/8/8/8/7P/4K3 w -|- -|- 0 1";
        rules.refuse(king, &[("A:e2d3/B:e1e2", opens.0, 0, &["A:d3", "A:d8"])]);
    }
}

#[test]
fn clause_12_removals_from_the_other_board_put_nobody_in_check_either() {
    let opens = ("REMOVAL_OPENS_CHECK", 0, &["B:e1", "B:e8"][..]);
    // Two pawns of B cover the king together: one of them has to stay.
    let pair = "7k/p7/3p4/8/2N5/8/8/K7|k3r3/7p/4p3/8/4p3/8/7P/4K3 w -|- -|- 0 1";
    extreme().choose(pair, "A:c4d6", &["A:c4d6xa7,B:e4,B:h7", "A:c4d6xa7,B:e6,B:h7"]);
    extreme().refuse(pair, &[("A:c4d6xa7,B:e4,B:e6/B:h2h3", opens.0, opens.1, opens.2)]);
    normal().choose(pair, "A:c4d6", &["A:c4d6xa7"]);
    // Where both must go the capture is illegal.
    let both_go = "7k/p7/3p4/8/2N5/8/8/K7|k3r3/8/4p3/8/4p3/8/7P/4K3 w -|- -|- 0 1";
    extreme().choose(both_go, "A:c4d6", &[]);
    extreme().refuse(both_go, &[("A:c4d6xa7,B:e4,B:e6/B:h2h3", opens.0, opens.1, opens.2)]);
    // So it is with a knight of the captured one's group.
    let knights = "7k/8/3n4/8/2N5/8/8/K7|k3r3/8/8/8/4n3/8/7P/4K3 w -|- -|- 0 1";
    extreme().refuse(knights, &[("A:c4d6/B:h2h3", opens.0, opens.1, opens.2)]);
    normal().allow(knights, &["A:c4d6/B:h2h3"]);
    // Unless the king of B is attacked already when the step is made.
    let attacked = "7k/8/3n4/8/2N5/8/8/K7|k3r3/8/8/8/4n3/8/7P/4K2r w -|- -|- 0 1";
    extreme().allow(attacked, &["A:c4d6/B:h2h3"]);
    // A first step can close the line that a removal of the second opens, not the other way round.
    let closes = "k3r3/p6p/4p3/8/8/2N5/8/4K3|4k3/8/1p6/8/3B4/8/8/4K3 w -|- -|- 0 1";
    extreme().allow(closes, &["A:c3e4/B:d4b6xA:e6,A:a7", "B:d4b6xA:a7,A:h7/A:c3e4"]);
    extreme().refuse(
        closes,
        &[
            ("B:d4b6xA:e6,A:a7/A:c3e4", "REMOVAL_OPENS_CHECK", 0, &["A:e1", "A:e8"]),
            ("A:c3a4/B:d4b6xA:e6,A:a7", "REMOVAL_OPENS_CHECK", 1, &["A:e1", "A:e8"]),
        ],
    );
}

#[test]
fn clauses_10_and_13_two_pawns_promote_together() {
    let at = "4k3/6P1/8/8/1P6/8/P7/4K3|4k3/8/8/8/8/8/7P/R{1}1N1K3 w -|- -|- 0 1";
    let same_board = ["A:g7g8r+a2", "A:g7g8r+b4", "A:g7g8b+a2", "A:g7g8b+b4", "A:g7g8n+a2", "A:g7g8n+b4"];
    normal().choose(at, "A:g7", &same_board);
    extreme().choose(at, "A:g7", &[&["A:g7g8q+B:h2"][..], &same_board].concat());
    for rules in both() {
        // The group is counted over both boards: R{1} stands on B.
        rules.lead(&[
            (
                at,
                "A:g7g8r+b4/B:c1d3",
                "4k1R{2}1/8/8/8/1R{2}6/8/P7/4K3|4k3/8/8/8/8/3N4/7P/R{1}3K3 b -|- -|- 0 1",
            ),
            (
                at,
                "A:g7g8n+a2/B:c1d3",
                "4k1N{1}1/8/8/8/1P6/8/N{1}7/4K3|4k3/8/8/8/8/3N4/7P/R{1}3K3 b -|- -|- 0 1",
            ),
        ]);
        rules.refuse(
            at,
            &[
                ("A:g7g8/B:c1d3", "PROMOTION_MISSING", 0, &[]),
                ("A:g7g8r/B:c1d3", "TWIN_MISSING", 0, &[]),
                ("A:g7g8r+B:h2/B:c1d3", "TWIN_NOT_OPEN", 0, &[]),
                ("A:g7g8r+g7/B:c1d3", "TWIN_NOT_OPEN", 0, &[]),
                ("A:g7g8r+e1/B:c1d3", "TWIN_NOT_OPEN", 0, &[]),
                ("A:g7g8r+b4/B:a1a2", "PAIR_NOT_ALLOWED", 1, &[]),
                ("B:c1d3/A:g7g8r", "TWIN_MISSING", 1, &[]),
            ],
        );
    }
    normal().refuse(
        at,
        &[
            ("A:g7g8q/B:c1d3", "PROMOTION_NOT_OPEN", 0, &[]),
            ("A:g7g8q+B:h2/B:c1d3", "PROMOTION_NOT_OPEN", 0, &[]),
        ],
    );
    extreme().lead(&[(
        at,
        "A:g7g8q+B:h2/B:c1d3",
        "4k1Q{1}1/8/8/8/1P6/8/P7/4K3|4k3/8/8/8/8/3N4/7Q{1}/R{1}3K3 b -|- -|- 0 1",
    )]);
    extreme().refuse(
        at,
        &[("A:g7g8q/B:c1d3", "TWIN_MISSING", 0, &[]), ("A:g7g8q+b4/B:c1d3", "TWIN_NOT_OPEN", 0, &[])],
    );
    // Without a second pawn where it must stand, a promotion is not open.
    let alone = "4k3/6P1/8/8/8/8/8/4K3|4k3/8/8/8/8/8/7P/2N1K3 w -|- -|- 0 1";
    normal().choose(alone, "A:g7", &[]);
    normal().refuse(alone, &[("A:g7g8r/B:c1d3", "PROMOTION_NOT_OPEN", 0, &[])]);
    extreme().choose(alone, "A:g7", &["A:g7g8q+B:h2"]);
    extreme().refuse(alone, &[("A:g7g8r/B:c1d3", "PROMOTION_NOT_OPEN", 0, &[])]);
    let none_on_b = "4k3/6P1/8/8/8/8/P7/4K3|4k3/8/8/8/8/8/8/2N1K3 w -|- -|- 0 1";
    extreme().choose(none_on_b, "A:g7", &["A:g7g8r+a2", "A:g7g8b+a2", "A:g7g8n+a2"]);
    extreme().refuse(none_on_b, &[("A:g7g8q+a2/B:c1d3", "PROMOTION_NOT_OPEN", 0, &[])]);
}

#[test]
fn a_second_step_is_judged_in_the_position_that_the_first_leaves() {
    // The knight on g1 goes with its twin of A, and the king of B castles over its square.
    let at = "4k3/8/8/n7/8/8/8/R3K3|4k3/8/8/8/8/8/8/4K1nR w -|K -|- 0 1";
    extreme().lead(&[(at, "A:a1a5/B:e1g1", "4k3/8/8/R7/8/8/8/4K3|4k3/8/8/8/8/8/8/5RK1 b -|- -|- 0 1")]);
    extreme().refuse(at, &[("A:a1a2/B:e1g1", "CASTLING_NOT_AVAILABLE", 1, &["B:g1"])]);
    normal().refuse(at, &[("A:a1a5/B:e1g1", "CASTLING_NOT_AVAILABLE", 1, &["B:g1"])]);
}

#[test]
fn clause_14_a_hundred_moves_without_capture_or_pawn_step_draw() {
    let at = "4k3/8/8/8/8/8/8/4K2r|4k3/8/8/8/8/8/8/4K2r w -|- -|- 99 80";
    for rules in both() {
        rules.stand(&[(at, "ongoing A:e1 B:e1")]);
        rules.end(&[(at, "A:e1e2/B:e1e2", "drawn fifty_moves")]);
        rules.refuse(&at.replace("99", "100"), &[("A:e1e2/B:e1e2", "GAME_OVER", 0, &[])]);
    }
}
