//! Gamma2 Chess: a wider board with Berolina pawns, ships and archers.
//!
//! Source: Kevin Pacey, "Gamma2 Chess", The Chess Variant Pages, 2023.
//!
//! 1. Board of 10 by 8 squares, files a to j. (Ruling: the source gives the array as a picture only, taken as first
//!    rank R N B S Q K A B N R from a to j and ten Berolina pawns before it; Black mirrors White file by file.)
//! 2. King, queen, rook, bishop and knight move as in chess.
//! 3. A Berolina pawn (X) moves without capturing one square diagonally forward; from its own second rank also two
//!    squares along the same diagonal when both are empty. It captures one square straight forward.
//! 4. En passant: a pawn that made a double step can be captured on the square that it passed, by a capture straight
//!    forward, in the next move only. Two pawns can pass the same square from different sides, so the position
//!    records the passed square and the pawn's.
//! 5. A pawn that reaches the last rank becomes a queen, rook, bishop, knight, ship or archer. (Ruling: "any piece
//!    type in the setup except a king" does not include a pawn.)
//! 6. A ship (S) without capturing slides like a rook or steps one square in any direction. It captures one square
//!    away in any direction, or along a rook line the first enemy beyond exactly one piece of either side.
//! 7. An archer (A) does the same along bishop lines.
//! 8. Castling as in chess, but the king goes three squares: f1 to i1 with the rook from j1 to h1, f1 to c1 with the
//!    rook from a1 to d1; Black likewise.
//! 9. Check, checkmate and stalemate as in chess. What attacks a king follows from the captures above.
//! 10. The third occurrence of a position and a hundred moves in a row without a capture or pawn step draw.

use std::ops::ControlFlow;

use crate::rules::fault::Fault;
use crate::rules::illegal::Refusal;
use crate::rules::mechanics::castling::{Castling, Wing};
use crate::rules::mechanics::choices::Choices;
use crate::rules::mechanics::{check, stepping};
use crate::rules::moves::Step;
use crate::rules::outcome::{Outcome, Report};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::Location;
use crate::rules::turn::{Scope, Turn, Visit};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// Gamma2 Chess.
#[derive(Debug)]
pub(super) struct Gamma2;

/// Clause 5.
const PROMOTIONS: [PieceKind; 6] = [
    PieceKind::Queen,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Ship,
    PieceKind::Archer,
];

/// Clause 8.
const CASTLING: Castling = Castling {
    king_file: 5,
    kingside: Wing { rook_file: 9, king_to: 8, rook_to: 7 },
    queenside: Wing { rook_file: 0, king_to: 2, rook_to: 3 },
    heeds_attack: true,
};

static CARD: Card = Card {
    id: "gamma2",
    title: "Gamma2 Chess",
    boards: &[BoardSpec {
        name: "",
        title: "Board",
        files: 10,
        ranks: 8,
        men: 20,
        sides: &[Side::White, Side::Black],
        kinds: &[
            PieceKind::King,
            PieceKind::Queen,
            PieceKind::Rook,
            PieceKind::Bishop,
            PieceKind::Knight,
            PieceKind::BerolinaPawn,
            PieceKind::Ship,
            PieceKind::Archer,
        ],
    }],
    sides: [Side::White, Side::Black],
    check_binds: true,
    rules: "Chess on a board of 10 by 8 with Berolina pawns, which move diagonally and capture straight, and ships and \
            archers, which slide on rook or bishop lines without capturing, step one square in any direction, and \
            capture beyond exactly one piece or one square away. The castling king goes three squares. Checkmate \
            wins; stalemate, the third occurrence of a position and a hundred moves in a row without a capture or \
            pawn step draw.",
    rules_version: "1",
    source: "Kevin Pacey, Gamma2 Chess, The Chess Variant Pages, 2023",
    initial: "rnbsqkabnr/xxxxxxxxxx/10/10/10/10/XXXXXXXXXX/RNBSQKABNR w KQkq - 0 1",
    max_steps: 1,
    castling: Some(CASTLING),
    en_passant: EnPassantForm::PassedAndPawn,
    twin_kinds: &[],
    pieces_change_boards: false,
    boards_vanish: false,
    has_armies: false,
};

impl Variant for Gamma2 {
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
        check::count(turn, &CASTLING, PieceKind::BerolinaPawn, PROMOTIONS.len())
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
