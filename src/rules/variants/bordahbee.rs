//! BordahBee: two boards of chess, and a move on each by a permitted pair of pieces.
//!
//! Source: Gary K. Gifford, "BordahBee", The Chess Variant Pages, to which his "Doppleganger BordahBee & DB Extreme"
//! (2006) refers; known from there and from its public page.
//!
//! 1. Two boards A and B of 8 by 8 squares, each with the array of chess; White is at the low ranks of both and moves
//!    first.
//! 2. A move is two steps, one on each board, in either order. The second is made in the position that the first
//!    leaves.
//! 3. The two pieces moved are a permitted pair: a king with a king, queen or rook; a queen with a king or rook; a rook
//!    with a king or queen; a bishop with a knight or pawn; a knight with a bishop or pawn; a pawn with a knight or
//!    bishop. A promoting pawn is a pawn.
//! 4. Pieces step as in chess: pawns with double step and en passant. (Ruling: a pawn on the last rank becomes a queen,
//!    rook, bishop or knight. The right to capture en passant lasts for the whole of the next move, whichever of its
//!    steps uses it.)
//! 5. There is no check: a king may be left or moved into attack.
//! 6. A step that captures a king ends the game at once, and the mover wins; no step may follow it. So a move is one
//!    step where that captures a king.
//! 7. A player who has no legal move at the start of the turn loses.
//! 8. (Ruling.) Castling is a step of the king. As nothing forbids moving into check, it asks only for the rights and
//!    for empty squares between king and rook.
//! 9. (Ruling.) The third occurrence of a position and a hundred moves in a row without a capture or pawn step draw.

use std::ops::ControlFlow;

use crate::rules::fault::Fault;
use crate::rules::illegal::Refusal;
use crate::rules::mechanics::castling::Castling;
use crate::rules::mechanics::choices::Choices;
use crate::rules::mechanics::{king_capture, paired_boards, refusal, stepping};
use crate::rules::moves::Step;
use crate::rules::outcome::{Outcome, Report, WinReason};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::Location;
use crate::rules::turn::{Offer, Scope, Turn, Visit};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// BordahBee.
#[derive(Debug)]
pub(super) struct BordahBee;

/// Clause 4.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// Clause 8.
const CASTLING: Castling = Castling { heeds_attack: false, ..Castling::EIGHT_FILES };

static CARD: Card = Card {
    id: "bordahbee",
    title: "BordahBee",
    boards: &[BoardSpec::standard("A", "Board A"), BoardSpec::standard("B", "Board B")],
    sides: [Side::White, Side::Black],
    check_binds: false,
    rules: "Two boards of chess. A move is two steps, one on each board in either order, by a permitted pair: king \
            with king, queen or rook; queen with rook; bishop with knight or pawn; knight with pawn. There is no \
            check, and castling asks only for unmoved pieces and empty squares between them. Capturing a king wins at \
            once and ends the move. A player without a legal move loses. The third occurrence of a position and a \
            hundred moves in a row without a capture or pawn step draw.",
    rules_version: "1",
    source: "Gary K. Gifford, BordahBee, The Chess Variant Pages",
    initial: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq -|- \
              0 1",
    max_steps: 2,
    castling: Some(CASTLING),
    en_passant: EnPassantForm::Passed,
    twin_kinds: &[],
    pieces_change_boards: false,
    boards_vanish: false,
    has_armies: false,
};

impl Variant for BordahBee {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn check(&self, position: &Position, faults: &mut Vec<Fault>) {
        king_capture::check_kings(position, king_capture::lacks_a_king, faults);
    }

    fn offers(&self, turn: &Turn, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
        paired_boards::offers(turn, scope, &CASTLING, None, visit)
    }

    fn choices(&self, _turn: &Turn, _from: Location, _to: Location) -> Choices {
        Choices::promotion(&PROMOTIONS)
    }

    fn follows(&self, turn: &Turn, offer: &Offer, next: &Scope) -> Option<bool> {
        paired_boards::follows(turn, offer, next)
    }

    fn make(&self, turn: &mut Turn, step: &Step, report: Report<'_>) {
        let captured = stepping::carry_out(turn, step, Some(&CASTLING), report);
        turn.outcome = paired_boards::ending_by(turn, captured);
    }

    fn complete(&self, turn: &Turn) -> Result<(), Refusal> {
        paired_boards::complete(turn)
    }

    fn refusal(&self, turn: &Turn, step: &Step) -> Refusal {
        paired_boards::refusal(turn, step, &CASTLING, None)
            .or_else(|| {
                let piece = turn.position.piece(step.from)?;
                refusal::of_promotion(turn.position.board(step.from.board), piece, step, &PROMOTIONS)
            })
            .or_else(|| refusal::of_twins_in_a_game_without(step))
            .unwrap_or_else(|| refusal::unexplained(step))
    }

    fn dead_end(&self, _turn: &Turn) -> Refusal {
        paired_boards::dead_end()
    }

    fn attacked_kings(&self, position: &Position, side: Side) -> Vec<Location> {
        king_capture::attacked_kings(position, side)
    }

    fn ending(&self, position: &Position) -> Option<Outcome> {
        king_capture::ending(position, king_capture::lacks_a_king)
    }

    fn without_moves(&self, position: &Position) -> Outcome {
        // Clause 7.
        Outcome::Won { winner: position.to_move.opponent(), reason: WinReason::NoLegalMove }
    }
}
