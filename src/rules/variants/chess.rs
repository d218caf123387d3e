//! FIDE chess, the base of all the other games.
//!
//! Source: the FIDE Laws of Chess (in force from 1 January 2023), articles 1 to 5 and 9.
//!
//! 1. Board of 8 by 8 squares with the usual array. White moves first.
//! 2. King, queen, rook, bishop and knight move as in the laws' article 3.
//! 3. A pawn moves one square straight forward to an empty square, or two from its second rank when both are empty,
//!    and captures one square diagonally forward.
//! 4. En passant: a pawn that made a double step can be captured on the square that it passed, in the next move only.
//! 5. A pawn that reaches the last rank becomes a queen, rook, bishop or knight.
//! 6. Castling: the king goes two squares towards a rook, which goes to the square that the king crossed. King and
//!    rook have not moved, the squares between them are empty, and the king is attacked neither before, nor on the
//!    way, nor after.
//! 7. No move may leave one's own king attacked. An attacked king without a legal move is checkmated and loses; no
//!    legal move without attack is stalemate, a draw.
//! 8. The third occurrence of a position and a hundred moves in a row without a capture or pawn step are draws at
//!    once. (Ruling: the laws let a player claim them at three and fifty; the service needs no claim.)
//! 9. (Ruling.) Dead positions by lack of material are not adjudicated; a client may claim them itself.

use std::ops::ControlFlow;

use crate::rules::fault::Fault;
use crate::rules::illegal::Refusal;
use crate::rules::mechanics::castling::Castling;
use crate::rules::mechanics::choices::Choices;
use crate::rules::mechanics::{check, stepping};
use crate::rules::moves::Step;
use crate::rules::outcome::{Outcome, Report};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::Location;
use crate::rules::turn::{Scope, Turn, Visit};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// FIDE chess.
#[derive(Debug)]
pub(super) struct Chess;

/// Clause 5.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// Clause 6.
const CASTLING: Castling = Castling::EIGHT_FILES;

static CARD: Card = Card {
    id: "chess",
    title: "FIDE Chess",
    boards: &[BoardSpec::standard("", "Board")],
    sides: [Side::White, Side::Black],
    check_binds: true,
    rules: "Chess by the laws of FIDE. Checkmate wins. Stalemate, the third occurrence of a position and a hundred \
            moves in a row without a capture or pawn step draw, without a claim. Dead positions by lack of material \
            are not adjudicated.",
    rules_version: "1",
    source: "FIDE Laws of Chess, in force from 1 January 2023, https://handbook.fide.com/chapter/E012023",
    initial: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    max_steps: 1,
    castling: Some(CASTLING),
    en_passant: EnPassantForm::Passed,
    twin_kinds: &[],
    pieces_change_boards: false,
    boards_vanish: false,
    has_armies: false,
};

impl Variant for Chess {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn check(&self, position: &Position, faults: &mut Vec<Fault>) {
        check::check_kings(position, faults);
    }

    fn offers(&self, turn: &Turn, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
        check::offers(turn, scope, &CASTLING, visit)
    }

    fn count_offers(&self, turn: &Turn) -> u64 {
        check::count(turn, &CASTLING, PieceKind::Pawn, PROMOTIONS.len())
    }

    fn choices(&self, _turn: &Turn, _from: Location, _to: Location) -> Choices {
        Choices::promotion(&PROMOTIONS)
    }

    fn make(&self, turn: &mut Turn, step: &Step, report: Report<'_>) {
        stepping::carry_out(turn, step, Some(&CASTLING), report);
    }

    fn refusal(&self, turn: &Turn, step: &Step) -> Refusal {
        check::refusal(turn, step, &CASTLING, &PROMOTIONS)
    }

    fn attacked_kings(&self, position: &Position, side: Side) -> Vec<Location> {
        check::attacked_king(position, side).into_iter().collect()
    }

    fn without_moves(&self, position: &Position) -> Outcome {
        check::mate_or_stalemate(position)
    }
}
