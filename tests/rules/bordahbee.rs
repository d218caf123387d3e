//! The clauses of BordahBee.

use crate::clauses::Rules;

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR \
                       w KQkq|KQkq -|- 0 1";

fn rules() -> Rules {
    Rules::of("bordahbee")
}

#[test]
fn clause_2_a_move_is_a_step_on_each_board_in_either_order() {
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R \
                 b KQkq|KQkq e3|- 0 1";
    rules().lead(&[(INITIAL, "A:e2e4/B:g1f3", after), (INITIAL, "B:g1f3/A:e2e4", after)]);
    rules().refuse(
        INITIAL,
        &[
            ("A:e2e4", "STEP_MISSING", 1, &[]),
            ("A:e2e4/A:g1f3", "SAME_BOARD_TWICE", 1, &[]),
            ("A:e2e4/A:g1g3", "PIECE_DOES_NOT_MOVE_SO", 1, &[]),
            ("A:e2e4/B:g1f3/A:d2d4", "TOO_MANY_STEPS", 2, &[]),
            ("A:e3e4/B:g1f3", "NO_PIECE", 0, &[]),
            ("A:e7e5/B:g1f3", "NOT_YOUR_PIECE", 0, &[]),
            ("A:e2e4/B:g1e2", "OWN_PIECE_THERE", 1, &[]),
            ("A:g1f3/B:e2e5", "PIECE_DOES_NOT_MOVE_SO", 1, &[]),
            ("A:c1e3/B:g1f3", "PATH_BLOCKED", 0, &["A:d2"]),
            ("A:g1-B:f3/B:e2e4", "PIECE_DOES_NOT_MOVE_SO", 0, &[]),
            ("A:g1-B:e2/B:e2e4", "OWN_PIECE_THERE", 0, &[]),
        ],
    );
}

#[test]
fn clause_3_the_two_pieces_are_a_permitted_pair() {
    let at = "4k3/8/8/8/8/8/7P/RNBQK3|4k3/8/8/8/8/8/7P/RNBQK3 w -|- -|- 0 1";
    let steps = [('K', "e1f1"), ('Q', "d1d2"), ('R', "a1a2"), ('B', "c1b2"), ('N', "b1a3"), ('P', "h2h3")];
    let permitted = ["KK", "KQ", "KR", "QK", "QR", "RK", "RQ", "BN", "BP", "NB", "NP", "PN", "PB"];
    for (first, first_step) in steps {
        for (second, second_step) in steps {
            let played = format!("A:{first_step}/B:{second_step}");
            if permitted.contains(&format!("{first}{second}").as_str()) {
                rules().allow(at, &[&played]);
            } else {
                rules().refuse(at, &[(&played, "PAIR_NOT_ALLOWED", 1, &[])]);
            }
        }
    }
}

#[test]
fn clause_3_a_promoting_pawn_is_a_pawn() {
    let at = "4k3/P7/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/QN2K3 w -|- -|- 0 1";
    rules().lead(&[(at, "A:a7a8q/B:b1c3", "Q3k3/8/8/8/8/8/8/4K3|4k3/8/8/8/8/2N5/8/Q3K3 b -|- -|- 0 1")]);
    rules().refuse(
        at,
        &[("A:a7a8q/B:e1f1", "PAIR_NOT_ALLOWED", 1, &[]), ("A:a7a8q/B:a1a2", "PAIR_NOT_ALLOWED", 1, &[])],
    );
}

#[test]
fn clause_3_a_first_step_without_a_partner_is_refused_at_once() {
    // On B the king is walled in, so that neither the queen nor the king of A finds a partner.
    let at = "4k3/8/8/8/8/8/8/3QK1N1|4k3/8/8/8/8/8/PP6/KN6 w -|- -|- 0 1";
    rules().choose(at, "A:d1", &[]);
    rules().choose(at, "A:g1", &["A:g1e2", "A:g1f3", "A:g1h3"]);
    rules().refuse(
        at,
        &[
            ("A:d1d2", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:d1d2/B:b1c3", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:d1d2q", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:d1e3", "PIECE_DOES_NOT_MOVE_SO", 0, &[]),
        ],
    );
}

#[test]
fn clause_4_en_passant_is_open_to_either_step_of_the_next_move() {
    let at = "4k3/8/8/3pP3/8/8/8/4K3|4k3/8/8/8/8/8/8/1N2K3 w -|- d6|- 0 2";
    let after = "4k3/8/3P4/8/8/8/8/4K3|4k3/8/8/8/8/2N5/8/4K3 b -|- -|- 0 2";
    rules().lead(&[
        (at, "A:e5d6/B:b1c3", after),
        (at, "B:b1c3/A:e5d6", after),
        // The right is gone on every board after the move, used or not.
        (at, "A:e5e6/B:b1c3", "4k3/8/4P3/3p4/8/8/8/4K3|4k3/8/8/8/8/2N5/8/4K3 b -|- -|- 0 2"),
        (at, "A:e1e2/B:e1e2", "4k3/8/8/3pP3/8/8/4K3/8|4k3/8/8/8/8/8/4K3/1N6 b -|- -|- 1 2"),
    ]);
}

#[test]
fn clause_4_a_pawn_promotes_to_queen_rook_bishop_or_knight() {
    let at = "4k3/P7/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1";
    rules().choose(at, "A:a7", &["A:a7a8q", "A:a7a8r", "A:a7a8b", "A:a7a8n"]);
    rules().refuse(
        at,
        &[
            ("A:a7a8/B:b1c3", "PROMOTION_MISSING", 0, &[]),
            ("A:a7a8s/B:b1c3", "PROMOTION_NOT_OPEN", 0, &[]),
            ("B:b1c3q/A:a7a8q", "PROMOTION_NOT_OPEN", 0, &[]),
            ("A:a7a8q+a2/B:b1c3", "TWIN_NOT_OPEN", 0, &[]),
            ("A:a7a8q/B:b1c3xa7", "REMOVAL_NOT_OPEN", 1, &[]),
        ],
    );
}

#[test]
fn clause_5_a_king_may_be_left_and_moved_into_attack() {
    let at = "4k3/8/8/8/8/8/7r/4K3|4k3/8/8/8/8/8/8/3RK2r w -|- -|- 0 1";
    rules().stand(&[(at, "ongoing B:e1")]);
    rules().lead(&[(at, "A:e1e2/B:d1d2", "4k3/8/8/8/8/8/4K2r/8|4k3/8/8/8/8/8/3R4/4K2r b -|- -|- 1 1")]);
}

#[test]
fn clause_6_a_step_that_captures_a_king_ends_the_game_and_the_move() {
    // The rook of A takes the king in one step, although nothing on B could move with a rook.
    let at = "4k3/8/8/8/8/8/8/K3R3|4k3/8/8/8/8/8/PP6/KN6 w -|- -|- 7 1";
    rules().lead(&[(at, "A:e1e8", "4R3/8/8/8/8/8/8/K7|4k3/8/8/8/8/8/PP6/KN6 b -|- -|- 0 1")]);
    rules().end(&[(at, "A:e1e8", "won w king_captured")]);
    rules().choose(at, "A:", &["A:e1e8"]);
    rules().refuse(
        at,
        &[
            ("A:e1e8/B:b1c3", "TOO_MANY_STEPS", 1, &[]),
            ("A:e1e7", "PAIR_NOT_ALLOWED", 0, &[]),
            ("A:e1e8q", "PROMOTION_NOT_OPEN", 0, &[]),
        ],
    );
    let second = "4k3/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/K3R3 w -|- -|- 0 1";
    rules()
        .end(&[(second, "A:e1e2/B:e1e8", "won w king_captured"), (second, "B:e1e8", "won w king_captured")]);
    // Each promotion that captures a king is a move of its own.
    let promoting = "4k3/3P4/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 w -|- -|- 0 1";
    rules().choose(promoting, "A:d7e8", &["A:d7e8q", "A:d7e8r", "A:d7e8b", "A:d7e8n"]);
    // A position in which a king is missing is a finished game.
    let lost = "8/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 w -|- -|- 0 1";
    rules().stand(&[(lost, "won w king_captured")]);
    rules().refuse(lost, &[("A:e1e2/B:e1e2", "GAME_OVER", 0, &[]), ("A:a1a2", "GAME_OVER", 0, &[])]);
}

#[test]
fn clause_7_a_player_without_a_legal_move_loses() {
    let at = "4k3/8/8/8/8/8/8/3QK3|4k3/8/8/8/8/8/PP6/KN6 w -|- -|- 0 1";
    rules().stand(&[
        (at, "won b no_legal_move"),
        // That comes before the fifty moves.
        (&at.replace(" 0 1", " 100 1"), "won b no_legal_move"),
    ]);
    rules().refuse(at, &[("A:d1d2/B:b1c3", "GAME_OVER", 0, &[]), ("B:b1c3", "GAME_OVER", 0, &[])]);
}

#[test]
fn clause_8_castling_asks_for_rights_and_empty_squares_only() {
    // The king of A is attacked, crosses an attacked square and arrives on one.
    let at = "4rrrk/8/8/8/8/8/8/4K2R|4k3/8/8/8/8/8/8/RN2K2R w K|KQ -|- 0 1";
    rules().lead(&[
        (at, "A:e1g1/B:e1g1", "4rrrk/8/8/8/8/8/8/5RK1|4k3/8/8/8/8/8/8/RN3RK1 b -|- -|- 1 1"),
        (at, "B:h1h8/A:e1g1", "4rrrk/8/8/8/8/8/8/5RK1|4k2R/8/8/8/8/8/8/RN2K3 b -|Q -|- 1 1"),
    ]);
    rules().refuse(
        at,
        &[
            ("A:e1g1/B:e1c1", "CASTLING_NOT_AVAILABLE", 1, &["B:b1"]),
            ("A:e1c1/B:e1g1", "CASTLING_NOT_AVAILABLE", 0, &[]),
            ("A:e1g1/B:b1c3", "PAIR_NOT_ALLOWED", 1, &[]),
            ("A:e1g1/A:f1f2", "SAME_BOARD_TWICE", 1, &[]),
            ("A:e1g1q/B:e1g1", "PROMOTION_NOT_OPEN", 0, &[]),
        ],
    );
}

#[test]
fn clause_9_a_hundred_moves_without_capture_or_pawn_step_draw() {
    let at = "4k3/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 w -|- -|- 99 80";
    rules().end(&[(at, "A:e1e2/B:e1e2", "drawn fifty_moves")]);
    rules().refuse(&at.replace("99", "100"), &[("A:e1e2/B:e1e2", "GAME_OVER", 0, &[])]);
}
