//! How pieces other than pawns move: where they can go and what they can capture, without asking about king safety.

use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::geometry::{Direction, Geometry};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::square::Square;
use crate::rules::turn::Scope;

/// Where a piece can go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// The empty squares that it can move to.
    pub quiet: Bitboard,
    /// The squares at which it can capture.
    pub captures: Bitboard,
}

impl Reach {
    /// All squares that it can move to.
    pub fn targets(self) -> Bitboard {
        self.quiet | self.captures
    }

    /// Those of the squares, on the board of this number, that a scope asks for.
    #[inline(always)]
    pub fn within(self, scope: &Scope, board: u8) -> Bitboard {
        let asked = if scope.captures_only { self.captures } else { self.targets() };
        asked & scope.to(board)
    }
}

/// A board as one side sees it: what does not change while its pieces' steps are looked for.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The board.
    pub board: &'a Board,
    /// Its shape.
    pub geometry: &'static Geometry,
    /// Who looks.
    pub side: Side,
    /// The squares of all pieces.
    pub occupied: Bitboard,
    /// The squares of the other side's pieces.
    pub enemies: Bitboard,
}

impl<'a> View<'a> {
    /// The board as `side` sees it.
    pub fn new(board: &'a Board, side: Side) -> Self {
        let enemies = board.side(side.opponent());
        Self { board, geometry: board.geometry(), side, occupied: board.occupied(), enemies }
    }
}

/// Where a piece of this kind can go from a square. Pawns reach by [`pawns::reach`](super::pawns::reach).
#[inline(always)]
pub fn reach(view: &View<'_>, kind: PieceKind, from: Square) -> Reach {
    let &View { geometry, occupied, enemies, .. } = view;
    let squares = match kind {
        PieceKind::King | PieceKind::Prince => geometry.king_leaps(from),
        PieceKind::Knight => geometry.knight_leaps(from),
        PieceKind::Queen => {
            slides(geometry, from, &Direction::ORTHOGONAL, occupied)
                | slides(geometry, from, &Direction::DIAGONAL, occupied)
        }
        PieceKind::Rook => slides(geometry, from, &Direction::ORTHOGONAL, occupied),
        PieceKind::Bishop => slides(geometry, from, &Direction::DIAGONAL, occupied),
        PieceKind::Commander => double_steps(geometry, from, occupied),
        PieceKind::Ship => return hopper(view, from, &Direction::ORTHOGONAL),
        PieceKind::Archer => return hopper(view, from, &Direction::DIAGONAL),
        PieceKind::Pawn | PieceKind::BerolinaPawn => return Reach::default(),
    };
    Reach { quiet: squares & !occupied, captures: squares & enemies }
}

/// The squares that slides in these directions reach, each up to and including the first occupied one.
pub fn slides(geometry: &Geometry, from: Square, directions: &[Direction], occupied: Bitboard) -> Bitboard {
    directions
        .iter()
        .fold(Bitboard::EMPTY, |squares, &direction| squares | geometry.slide(from, direction, occupied))
}

/// Slides or steps to empty squares; captures one square away, or beyond exactly one piece on its lines.
fn hopper(view: &View<'_>, from: Square, directions: &[Direction]) -> Reach {
    let &View { geometry, occupied, enemies, .. } = view;
    let near = geometry.king_leaps(from);
    let far: Bitboard =
        directions.iter().filter_map(|&direction| geometry.hop(from, direction, occupied)).collect();
    Reach {
        quiet: (slides(geometry, from, directions, occupied) | near) & !occupied,
        captures: (near | far) & enemies,
    }
}

/// The squares exactly two away along a line whose middle square is empty.
fn double_steps(geometry: &Geometry, from: Square, occupied: Bitboard) -> Bitboard {
    Direction::ALL
        .into_iter()
        .filter_map(|direction| {
            let (east, north) = direction.delta();
            let middle = geometry.offset(from, east, north)?;
            if occupied.contains(middle) { None } else { geometry.offset(middle, east, north) }
        })
        .collect()
}
