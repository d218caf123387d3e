//! The clauses of the rule books of `chess` and `gamma2`, each with the positions that show it.
//!
//! Clauses are cited by their numbers in `src/rules/variants/chess.rs` and `src/rules/variants/gamma2.rs`.

use arbiter::rules::notation::move_text;
use arbiter::rules::piece::PieceKind;
use arbiter::rules::{MoveTextError, read_move};

use crate::scenarios::{
    check_offered, check_played, check_refused, check_refused_steps, check_standing, variant,
};
use crate::table;

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn chess_pieces_move_by_their_clauses() {
    check_offered(
        "chess",
        "
        Clause 1: White moves first, in one of twenty ways; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; ; a2a3 a2a4 b1a3 b1c3 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g1f3 g1h3 g2g3 g2g4 h2h3 h2h4
        Clause 2: a rook; 7k/8/8/3p4/8/8/1P1R4/3K4 w - - 0 1; d2; d2c2 d2d3 d2d4 d2d5 d2e2 d2f2 d2g2 d2h2
        Clause 2: a bishop; 7k/8/5p2/8/3B4/8/1P6/K7 w - - 0 1; d4; d4a7 d4b6 d4c3 d4c5 d4e3 d4e5 d4f2 d4f6 d4g1
        Clause 2: a queen; 7k/8/8/8/8/2p5/8/K1Q4N w - - 0 1; c1; c1a3 c1b1 c1b2 c1c2 c1c3 c1d1 c1d2 c1e1 c1e3 c1f1 c1f4 c1g1 c1g5 c1h6
        Clause 2: a knight leaps; 7k/8/8/8/8/1p6/PPP5/N2K4 w - - 0 1; a1; a1b3
        Clause 2: a king; 7k/8/8/8/8/8/1r6/K7 w - - 0 1; ; a1b2
        Clause 3: one or two squares, captures diagonally; 7k/8/8/8/8/1p1p4/2P5/7K w - - 0 1; c2; c2b3 c2c3 c2c4 c2d3
        Clause 3: nothing straight ahead is captured; 7k/8/8/8/8/2n5/2P5/7K w - - 0 1; c2;
        Clause 3: both squares are empty; 7k/8/8/8/2n5/8/2P5/7K w - - 0 1; c2; c2c3
        Clause 3: two squares only from the second rank; 7k/8/8/8/8/2P5/8/7K w - - 0 1; c3; c3c4
        Clause 3: Black goes down; 7k/2p5/1P6/8/8/8/8/7K b - - 0 1; c7; c7b6 c7c5 c7c6
        Clause 5: four kinds, quiet or capturing; 3n3k/4P3/8/8/8/8/8/7K w - - 0 1; e7; e7d8b e7d8n e7d8q e7d8r e7e8b e7e8n e7e8q e7e8r
        ",
    );
}

#[test]
fn chess_pawns_are_captured_in_passing() {
    check_offered(
        "chess",
        "
        Clause 4: on the passed square; 7k/8/8/3pP3/8/8/8/7K w - d6 0 2; e5; e5d6 e5e6
        Clause 4: by the one neighbour; 7k/8/8/2PpP3/8/8/8/7K w - d6 0 2; c5; c5c6 c5d6
        Clause 4: and by the other; 7k/8/8/2PpP3/8/8/8/7K w - d6 0 2; e5; e5d6 e5e6
        Clause 4: in the next move only; 7k/8/8/3pP3/8/8/8/7K w - - 0 3; e5; e5e6
        Clause 4: not past an own king on the rank; 7k/8/8/K2pP2r/8/8/8/8 w - d6 0 2; e5; e5e6
        Clause 4: not out of a pin; 4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2; e5; e5e6
        Clause 4: along a pin; 7k/1b6/8/2pP4/4K3/8/8/8 w - c6 0 2; d5; d5c6
        Clause 4: not of a pawn that shields the king; 7k/b7/8/2pP4/8/8/8/6K1 w - c6 0 2; d5; d5d6
        Clause 4: it takes a pawn that gives check; 7k/8/8/3pP3/2K5/8/8/8 w - d6 0 2; e5; e5d6
        ",
    );
    check_played(
        "chess",
        "
        Clause 4: the pawn that passed goes; 7k/8/8/3pP3/8/8/8/7K w - d6 0 2; e5d6; 7k/8/3P4/8/8/8/8/7K b - - 0 2
        Clause 4: the right goes with the next move; 7k/8/8/3pP3/8/8/8/7K w - d6 0 2; h1g1; 7k/8/8/3pP3/8/8/8/6K1 b - - 1 2
        Clause 4: every double step is recorded; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; a2a4; rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b KQkq a3 0 1
        ",
    );
    check_refused(
        "chess",
        "
        Clause 4: not later; 7k/8/8/3pP3/8/8/8/7K w - - 0 3; e5d6; PieceDoesNotMoveSo 0
        Clause 4: two pawns leave the rank; 7k/8/8/K2pP2r/8/8/8/8 w - d6 0 2; e5d6; KingLeftAttacked 0 a5 h5
        ",
    );
}

#[test]
fn chess_kings_castle_by_clause_6() {
    check_offered(
        "chess",
        "
        either way; r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1; e1; e1c1 e1d1 e1d2 e1e2 e1f1 e1f2 e1g1
        Black too; r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1; e8; e8c8 e8d7 e8d8 e8e7 e8f7 e8f8 e8g8
        b1 may be attacked, which the king does not cross; 1r6/6k1/8/8/8/8/8/R3K2R w KQ - 0 1; e1c; e1c1
        the rook may be attacked; 7r/1k6/8/8/8/8/8/R3K2R w KQ - 0 1; e1g; e1g1
        ",
    );
    check_played(
        "chess",
        "
        on the king's side; r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1; e1g1; r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1
        on the queen's side; r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1; e1c1; r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1
        the king has moved; r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1; e1e2; r3k2r/8/8/8/8/8/4K3/R6R b kq - 1 1
        a rook has moved; r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1; a1b1; r3k2r/8/8/8/8/8/8/1R2K2R b Kkq - 1 1
        both rooks are gone; r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1; h1h8; r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1
        ",
    );
    check_refused(
        "chess",
        "
        a right is missing; r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1; e1g1; CastlingNotAvailable 0
        the other is missing; r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1; e1c1; CastlingNotAvailable 0
        no rook is there; r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 0 1; e1g1; CastlingNotAvailable 0
        b1 is taken, which the rook crosses; r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1; e1c1; CastlingNotAvailable 0 b1
        the right is gone and enemies stand between; r3k2r/8/8/8/8/8/8/R3Kbn1 w Qkq - 0 1; e1g1; CastlingNotAvailable 0
        an enemy stands on the last square; 4k3/8/8/8/8/8/8/R1n1K2R w KQ - 0 1; e1c1; CastlingNotAvailable 0 c1
        two stand between; 4k3/8/8/8/8/8/8/RN1QK2R w KQ - 0 1; e1c1; CastlingNotAvailable 0 b1 d1
        an own piece stands on the last square; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e1g1; OwnPieceThere 0
        out of check; 4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1; e1g1; CastlingNotAvailable 0 e8
        through check; 5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1; e1g1; CastlingNotAvailable 0 f8
        into check; 6r1/1k6/8/8/8/8/8/R3K2R w KQ - 0 1; e1g1; CastlingNotAvailable 0 g8
        through an attack of a pawn; 6k1/8/8/8/8/8/2p5/R3K2R w KQ - 0 1; e1c1; CastlingNotAvailable 0 c2
        nothing promotes; r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1; e1g1q; PromotionNotOpen 0
        a king that is not at home; 4k3/8/8/8/8/4K3/8/R6R w - - 0 1; e3g3; PieceDoesNotMoveSo 0
        ",
    );
}

#[test]
fn chess_kings_are_kept_safe_by_clause_7() {
    check_offered(
        "chess",
        "
        a pinned rook stays on its line; 4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1; e2; e2e3 e2e4 e2e5 e2e6 e2e7 e2e8
        a pinned knight stays; 4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1; e2;
        of a double check only the king goes; 4r2k/8/8/8/8/3n4/8/R3K1Q1 w Q - 0 1; ; e1d1 e1d2 e1f1
        a check is met or its giver captured; 4r1k1/8/8/6B1/8/5P1R/3P1P2/3QKR2 w - - 0 1; ; d1e2 g5e3 g5e7
        kings keep apart; 8/8/8/3k4/8/3K4/8/8 w - - 0 1; d3; d3c2 d3c3 d3d2 d3e2 d3e3
        ",
    );
    check_refused(
        "chess",
        "
        out of a pin; 4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1; e2d2; KingLeftAttacked 0 e1 e8
        back along the line of check; 4r2k/8/8/8/8/8/4K3/8 w - - 0 1; e2e1; KingLeftAttacked 0 e1 e8
        onto a protected piece; 7k/8/8/8/8/2b5/1r5P/K7 w - - 0 1; a1b2; KingLeftAttacked 0 b2 c3
        a double check is not answered; 4r2k/8/8/8/8/3n4/8/R3K3 w Q - 0 1; a1a8; KingLeftAttacked 0 e1 d3 e8
        ",
    );
    check_standing(
        "chess",
        "
        checkmate; R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1; won w checkmate g8
        checkmate by Black; rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3; won b checkmate e1
        stalemate; 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1; drawn stalemate
        check; R5k1/5pp1/8/8/8/8/8/4K3 b - - 0 1; ongoing g8
        Clause 8: a hundred moves; 7k/8/8/8/8/8/1R6/K7 w - - 100 80; drawn fifty_moves
        Clause 8: not yet; 7k/8/8/8/8/8/1R6/K7 w - - 99 80; ongoing
        Clause 9: kings alone; 7k/8/8/8/8/8/8/K7 w - - 0 1; ongoing
        ",
    );
}

#[test]
fn chess_says_why_a_move_is_illegal() {
    const PROMOTING: &str = "7k/4P3/8/8/8/8/8/7K w - - 0 1";
    check_refused(
        "chess",
        "
        an empty square; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e4e5; NoPiece 0
        Black's pawn; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e7e5; NotYourPiece 0
        onto an own pawn; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; a1a2; OwnPieceThere 0
        nowhere; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; a1a1; OwnPieceThere 0
        a pawn three squares; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e2e5; PieceDoesNotMoveSo 0
        a pawn diagonally to an empty square; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e2d3; PieceDoesNotMoveSo 0
        a rook past a pawn; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; a1a3; PathBlocked 0 a2
        past several; 7k/8/8/8/8/8/8/RnbqK3 w Q - 0 1; a1f1; PathBlocked 0 b1 c1 d1 e1
        a pawn against an enemy; 7k/8/8/8/8/2n5/2P5/7K w - - 0 1; c2c3; PathBlocked 0 c3
        a double step over an enemy; 7k/8/8/8/8/2n5/2P5/7K w - - 0 1; c2c4; PathBlocked 0 c3
        Clause 5: no kind is named; 7k/4P3/8/8/8/8/8/7K w - - 0 1; e7e8; PromotionMissing 0
        Clause 5: no such kind in the game; 7k/4P3/8/8/8/8/8/7K w - - 0 1; e7e8s; PromotionNotOpen 0
        Clause 5: before the last rank; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e2e4q; PromotionNotOpen 0
        Clause 5: no pawn; 7k/4P3/8/8/8/8/8/7K w - - 0 1; h1g1r; PromotionNotOpen 0
        no twins; 7k/4P3/8/8/8/8/8/7K w - - 0 1; e7e8q+e7; TwinNotOpen 0
        no removals; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e2e4xd7; RemovalNotOpen 0
        a further step; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e2e4/d2d4; TooManySteps 1
        the first step decides; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e2e5/d2d4; PieceDoesNotMoveSo 0
        a letter that is not so; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; Ne2-e4; NotationDisagrees 0
        a capture that is none; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; e2xe4; NotationDisagrees 0
        a capture without its sign; 7k/8/8/8/8/1p6/2P5/7K w - - 0 1; c2-b3; NotationDisagrees 0
        any of four promotions; 7k/4P3/8/8/8/8/8/7K w - - 0 1; e7-e8; Ambiguous 0
        long algebraic of no legal move; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; Ra1-a3; PathBlocked 0 a2
        the game is over; 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1; h8h7; GameOver 0
        over by the clock; 7k/8/8/8/8/8/1R6/K7 w - - 100 80; b2b3; GameOver 0
        over, before all else; 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1; Qf7-f8; GameOver 0
        ",
    );
    check_refused_steps("chess", INITIAL, &[], "StepMissing 0");
    check_refused_steps("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[], "GameOver 0");
    for kind in [PieceKind::King, PieceKind::Pawn] {
        let mut steps = table::steps(variant("chess"), "e7e8");
        steps[0].promotion = Some(kind);
        check_refused_steps("chess", PROMOTING, &steps, "PromotionNotOpen 0");
    }
}

#[test]
fn an_ambiguous_text_names_its_candidates_in_the_order_of_the_list() {
    let game = table::game(variant("chess"), "7k/4P3/8/8/8/8/8/7K w - - 0 1");
    let Err(MoveTextError::Illegal(illegality)) = read_move(variant("chess"), &game, "e7-e8") else {
        panic!("the text names four moves")
    };
    let texts = illegality.candidates.iter().map(|steps| move_text::print(variant("chess").card(), steps));
    assert_eq!(texts.collect::<Vec<_>>(), ["e7e8q", "e7e8r", "e7e8b", "e7e8n"]);
}

#[test]
fn gamma2_pawns_move_by_clauses_3_to_5() {
    check_offered(
        "gamma2",
        "
        Clause 1: ten pawns, two ships, two archers; rnbsqkabnr/xxxxxxxxxx/10/10/10/10/XXXXXXXXXX/RNBSQKABNR w KQkq - 0 1; d; d1d7 d2b4 d2c3 d2e3 d2f4
        Clause 2: knights as in chess; rnbsqkabnr/xxxxxxxxxx/10/10/10/10/XXXXXXXXXX/RNBSQKABNR w KQkq - 0 1; i1; i1h3 i1j3
        Clause 3: one or two squares diagonally; 5k4/10/10/10/10/10/4X5/5K4 w - - 0 1; e2; e2c4 e2d3 e2f3 e2g4
        Clause 3: at the edge; 5k4/10/10/10/10/10/X9/5K4 w - - 0 1; a2; a2b3 a2c4
        Clause 3: near the edge; 5k4/10/10/10/10/10/8X1/5K4 w - - 0 1; i2; i2g4 i2h3 i2j3
        Clause 3: the first square is empty; 5k4/10/10/10/10/3n6/4X5/5K4 w - - 0 1; e2; e2f3 e2g4
        Clause 3: the second square is empty; 5k4/10/10/10/6n3/10/4X5/5K4 w - - 0 1; e2; e2c4 e2d3 e2f3
        Clause 3: two squares only from the second rank; 5k4/10/10/10/10/4X5/10/5K4 w - - 0 1; e3; e3d4 e3f4
        Clause 3: a capture straight ahead; 5k4/10/10/10/10/4n5/4X5/6K3 w - - 0 1; e2; e2c4 e2d3 e2e3 e2f3 e2g4
        Clause 3: Black goes down; 5k4/4x5/10/10/10/10/10/5K4 b - - 0 1; e7; e7c5 e7d6 e7f6 e7g5
        Clause 4: straight onto the passed square; 5k4/10/10/10/5xX3/10/10/5K4 b - f3g4 0 1; f4; f4e3 f4f3 f4g3
        Clause 4: in the next move only; 5k4/10/10/10/5xX3/10/10/5K4 b - - 0 2; f4; f4e3 f4g3
        Clause 4: not past an own king on the rank; 10/10/10/10/k4xX2R/10/10/5K4 b - f3g4 0 1; f4; f4e3 f4g3
        Clause 4: not of a pawn that shields the king; 6k3/10/10/10/5xX3/10/10/5KR3 b - f3g4 0 1; f4; f4e3 f4g3
        Clause 5: six kinds, quiet or capturing; 4n4k/4X5/10/10/10/10/10/5K4 w - - 0 1; e7; e7d8a e7d8b e7d8n e7d8q e7d8r e7d8s e7e8a e7e8b e7e8n e7e8q e7e8r e7e8s e7f8a e7f8b e7f8n e7f8q e7f8r e7f8s
        ",
    );
    check_played(
        "gamma2",
        "
        Clause 3: a double step records both squares; 5k4/10/10/10/10/10/4X5/5K4 w - - 3 1; e2g4; 5k4/10/10/10/6X3/10/10/5K4 b - f3g4 0 1
        Clause 4: the pawn that passed from e2; 5k4/10/10/10/4XxX3/10/10/5K4 b - f3g4 0 1; f4f3; 5k4/10/10/10/4X5/5x4/10/5K4 w - - 0 2
        Clause 4: the pawn that passed from g2; 5k4/10/10/10/4XxX3/10/10/5K4 b - f3e4 0 1; f4f3; 5k4/10/10/10/6X3/5x4/10/5K4 w - - 0 2
        Clause 5: to an archer; 4n4k/4X5/10/10/10/10/10/5K4 w - - 0 1; e7e8a; 4A4k/10/10/10/10/10/10/5K4 b - - 0 1
        Clause 5: to a ship; 9k/4X5/10/10/10/10/10/5K4 w - - 0 1; e7f8s; 5S3k/10/10/10/10/10/10/5K4 b - - 0 1
        ",
    );
    check_refused(
        "gamma2",
        "
        Clause 3: not straight without capturing; 5k4/10/10/10/10/10/4X5/5K4 w - - 0 1; e2e3; PieceDoesNotMoveSo 0
        Clause 3: not two straight ahead; 5k4/10/10/10/10/10/4X5/5K4 w - - 0 1; e2e4; PieceDoesNotMoveSo 0
        Clause 3: no capture diagonally; 5k4/10/10/10/10/3n6/4X5/5K4 w - - 0 1; e2d3; PathBlocked 0 d3
        Clause 3: not over a piece; 5k4/10/10/10/10/3n6/4X5/5K4 w - - 0 1; e2c4; PathBlocked 0 d3
        Clause 4: not later; 5k4/10/10/10/5xX3/10/10/5K4 b - - 0 2; f4f3; PieceDoesNotMoveSo 0
        Clause 4: two pawns leave the rank; 10/10/10/10/k4xX2R/10/10/5K4 b - f3g4 0 1; f4f3; KingLeftAttacked 0 a4 j4
        Clause 5: always; 9k/4X5/10/10/10/10/10/5K4 w - - 0 1; e7d8; PromotionMissing 0
        ",
    );
    let mut steps = table::steps(variant("gamma2"), "e7d8");
    for kind in [PieceKind::King, PieceKind::BerolinaPawn, PieceKind::Pawn] {
        steps[0].promotion = Some(kind);
        let at = "9k/4X5/10/10/10/10/10/5K4 w - - 0 1";
        check_refused_steps("gamma2", at, &steps, "PromotionNotOpen 0");
    }
}

#[test]
fn gamma2_ships_and_archers_move_by_clauses_6_and_7() {
    check_offered(
        "gamma2",
        "
        Clause 6: slides and steps; 9k/10/10/10/10/4S5/10/K9 w - - 0 1; e3; e3a3 e3b3 e3c3 e3d2 e3d3 e3d4 e3e1 e3e2 e3e4 e3e5 e3e6 e3e7 e3e8 e3f2 e3f3 e3f4 e3g3 e3h3 e3i3 e3j3
        Clause 6: captures beyond an enemy; 9k/4n5/10/4x5/3X1X4/3XSX4/3XXX4/K9 w - - 0 1; e3; e3e4 e3e7
        Clause 6: captures beyond an own piece; 9k/4n5/10/4X5/3X1X4/3XSX4/3XXX4/K9 w - - 0 1; e3; e3e4 e3e7
        Clause 6: not beyond two; 9k/4n5/4X5/4x5/3X1X4/3XSX4/3XXX4/K9 w - - 0 1; e3; e3e4
        Clause 6: not without a screen; 9k/10/10/4n5/3X1X4/3XSX4/3XXX4/K9 w - - 0 1; e3; e3e4
        Clause 6: captures on every neighbouring square; 9k/10/10/10/3nnn4/3nSn4/3nnn4/K9 w - - 0 1; e3; e3d2 e3d3 e3d4 e3e2 e3e4 e3f2 e3f3 e3f4
        Clause 6: beyond a neighbour too; 9k/4n5/10/10/3XnX4/3XSX4/3XXX4/K9 w - - 0 1; e3; e3e4 e3e7
        Clause 7: slides and steps; 9k/10/10/10/10/4A5/10/K9 w - - 0 1; e3; e3a7 e3b6 e3c1 e3c5 e3d2 e3d3 e3d4 e3e2 e3e4 e3f2 e3f3 e3f4 e3g1 e3g5 e3h6 e3i7
        Clause 7: captures beyond one piece on its diagonal; 9k/8n1/10/6x3/3XX5/3XAX4/3XXX4/K9 w - - 0 1; e3; e3f4 e3i7
        Clause 7: not beyond two; 9k/8n1/7X2/6x3/3XX5/3XAX4/3XXX4/K9 w - - 0 1; e3; e3f4
        Clause 7: not on ranks and files; k9/4n5/10/4X5/3X1X4/3XAX4/3XXX4/K9 w - - 0 1; e3; e3e4
        ",
    );
    check_refused(
        "gamma2",
        "
        Clause 6: an enemy without a screen; 9k/10/10/4n5/10/4S5/10/K9 w - - 0 1; e3e5; PathBlocked 0 e5
        Clause 6: an empty square beyond a screen; 9k/10/10/4n5/10/4S5/10/K9 w - - 0 1; e3e6; PathBlocked 0 e5
        Clause 6: two screens; 9k/4n5/4x5/4X5/10/4S5/10/K9 w - - 0 1; e3e7; PathBlocked 0 e5 e6
        Clause 6: two squares diagonally; 9k/10/10/4n5/10/4S5/10/K9 w - - 0 1; e3g5; PieceDoesNotMoveSo 0
        Clause 7: two squares straight; 9k/10/10/10/10/4A5/10/K9 w - - 0 1; e3e5; PieceDoesNotMoveSo 0
        Clause 7: an enemy without a screen; k9/10/7n2/10/10/4A5/10/K9 w - - 0 1; e3h6; PathBlocked 0 h6
        ",
    );
}

#[test]
fn gamma2_kings_castle_by_clause_8() {
    check_offered(
        "gamma2",
        "
        either way; r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1; f1; f1c1 f1e1 f1e2 f1f2 f1g1 f1g2 f1i1
        Black too; r4k3r/10/10/10/10/10/10/R4K3R b KQkq - 0 1; f8; f8c8 f8e7 f8e8 f8f7 f8g7 f8g8 f8i8
        b1 may be attacked, which the king does not cross; 1r8/6k3/10/10/10/10/10/R4K3R w KQ - 0 1; f1c; f1c1
        ",
    );
    check_played(
        "gamma2",
        "
        on the king's side; r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1; f1i1; r4k3r/10/10/10/10/10/10/R6RK1 b kq - 1 1
        on the queen's side; r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1; f1c1; r4k3r/10/10/10/10/10/10/2KR5R b kq - 1 1
        Black on the king's side; r4k3r/10/10/10/10/10/10/R4K3R b KQkq - 0 1; f8i8; r6rk1/10/10/10/10/10/10/R4K3R w KQ - 1 2
        ",
    );
    check_refused(
        "gamma2",
        "
        a right is missing; r4k3r/10/10/10/10/10/10/R4K3R w Qkq - 0 1; f1i1; CastlingNotAvailable 0
        two squares; r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1; f1h1; PieceDoesNotMoveSo 0
        b1 is taken; r4k3r/10/10/10/10/10/10/RN3K3R w KQkq - 0 1; f1c1; CastlingNotAvailable 0 b1
        out of check; 5r4/7k2/10/10/10/10/10/R4K3R w KQ - 0 1; f1i1; CastlingNotAvailable 0 f8
        through check; 7r2/6k3/10/10/10/10/10/R4K3R w KQ - 0 1; f1i1; CastlingNotAvailable 0 h8
        into check; 8r1/6k3/10/10/10/10/10/R4K3R w KQ - 0 1; f1i1; CastlingNotAvailable 0 i8
        the king meets e1 first; 3rr4k/10/10/10/10/10/10/R4K4 w Q - 0 1; f1c1; CastlingNotAvailable 0 e8
        through the attack of a ship beyond one piece; 6s3/7k2/6x3/10/10/10/10/R4K3R w KQ - 0 1; f1i1; CastlingNotAvailable 0 g8
        the rook becomes the screen of a ship; 7k2/10/10/10/10/10/10/3s1K3R w K - 0 1; f1i1; CastlingNotAvailable 0 d1
        on the other side too; 7k2/10/10/10/10/10/10/R4K1s2 w Q - 0 1; f1c1; CastlingNotAvailable 0 h1
        ",
    );
}

#[test]
fn gamma2_kings_are_kept_safe_by_clause_9() {
    check_offered(
        "gamma2",
        "
        the screen of a check leaves the line, or captures the ship; 4s5/9k/10/10/4R5/10/10/4K5 w - - 0 1; e4; e4a4 e4b4 e4c4 e4d4 e4e8 e4f4 e4g4 e4h4 e4i4 e4j4
        a second screen comes between; 4s5/10/9k/10/10/2N1x5/10/3QK5 w - - 0 1; ; c3e2 c3e4 d1e2 e1d2 e1f1 e1f2
        of two screens neither leaves; 4s5/9k/10/10/4N5/4N5/10/4K5 w - - 0 1; e; e1d1 e1d2 e1e2 e1f1 e1f2
        of three each may; 4s5/9k/10/10/4N5/4NR4/4N5/4K5 w - - 0 1; e2; e2c1 e2c3 e2d4 e2f4 e2g1 e2g3
        a ship that is pinned stays on the line; 4r5/9k/10/10/4S5/10/10/4K5 w - - 0 1; e4; e4e2 e4e3 e4e5 e4e6 e4e7
        an archer does not hop beyond the queen that pins it; 6k3/5a4/10/10/2Q7/10/X9/5K4 b - - 0 1; f7; f7d5 f7e6
        ",
    );
    check_refused(
        "gamma2",
        "
        an own piece becomes the screen; 4s5/9k/10/10/10/2N7/10/4K5 w - - 0 1; c3e4; KingLeftAttacked 0 e1 e8
        a pawn becomes the screen; 4s5/9k/10/10/10/10/3X6/4K5 w - - 0 1; d2e3; KingLeftAttacked 0 e1 e8
        a screen of two leaves; 4s5/9k/10/10/4N5/4N5/10/4K5 w - - 0 1; e3c4; KingLeftAttacked 0 e1 e8
        the screen stays on the line; 4s5/9k/10/10/4R5/10/10/4K5 w - - 0 1; e4e5; KingLeftAttacked 0 e1 e8
        next to an archer; 9k/10/10/10/10/4a5/10/4K5 w - - 0 1; e1e2; KingLeftAttacked 0 e2 e3
        straight before a pawn; 9k/10/10/4x5/10/4K5/10/10 w - - 0 1; e3e4; KingLeftAttacked 0 e4 e5
        ",
    );
    check_standing(
        "gamma2",
        "
        a pawn attacks straight ahead; 10/10/4k5/4X5/10/10/10/4K5 b - - 0 1; ongoing e6
        and not diagonally; 10/10/3k6/4X5/10/10/10/4K5 b - - 0 1; ongoing
        a ship attacks beyond a screen; 4s5/9k/10/10/4R5/10/10/4K5 w - - 0 1; ongoing e1
        and not without; 4s5/9k/10/10/10/10/10/4K5 w - - 0 1; ongoing
        and not beyond two; 4s5/9k/10/4x5/4R5/10/10/4K5 w - - 0 1; ongoing
        checkmate; R8k/R9/10/10/10/10/10/4K5 b - - 0 1; won w checkmate j8
        stalemate; 9k/7K2/8Q1/10/10/10/10/10 b - - 0 1; drawn stalemate
        Clause 10: a hundred moves; 9k/10/10/10/10/10/R9/4K5 w - - 100 80; drawn fifty_moves
        ",
    );
}
