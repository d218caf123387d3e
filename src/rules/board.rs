//! One board with its pieces, castling rights and en-passant square.

use super::bitboard::Bitboard;
use super::geometry::Geometry;
use super::piece::{Piece, PieceKind, Side};
use super::square::Square;

/// The castling rights of one board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct CastlingRights(u8);

/// One of the four rights, in the order of their letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CastlingRight {
    /// Whose king and rook.
    pub side: Side,
    /// Whether the rook is the one on the last file (the king's side), else that on the first.
    pub kingside: bool,
}

impl CastlingRight {
    /// All four, in the order of their letters `KQkq`.
    pub const ALL: [Self; 4] = [
        Self { side: Side::White, kingside: true },
        Self { side: Side::White, kingside: false },
        Self { side: Side::Black, kingside: true },
        Self { side: Side::Black, kingside: false },
    ];

    /// The number of the right in its order.
    pub const fn index(self) -> usize {
        self.side.index() * 2 + !self.kingside as usize
    }

    /// The letter of position text.
    pub const fn letter(self) -> char {
        ['K', 'Q', 'k', 'q'][self.index()]
    }
}

impl CastlingRights {
    /// No right.
    pub const NONE: Self = Self(0);

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the right is there.
    pub const fn contains(self, right: CastlingRight) -> bool {
        self.0 >> right.index() & 1 != 0
    }

    /// Adds a right.
    pub const fn insert(&mut self, right: CastlingRight) {
        self.0 |= 1 << right.index();
    }

    /// Takes a right away.
    pub const fn remove(&mut self, right: CastlingRight) {
        self.0 &= !(1 << right.index());
    }

    /// The rights, in order.
    pub fn iter(self) -> impl Iterator<Item = CastlingRight> {
        CastlingRight::ALL.into_iter().filter(move |&right| self.contains(right))
    }
}

/// What a double step leaves for the opponent's next move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnPassant {
    /// The square that the pawn passed, onto which it is captured.
    pub passed: Square,
    /// The square on which the pawn stands.
    pub pawn: Square,
}

/// One board of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    geometry: &'static Geometry,
    sides: [Bitboard; 2],
    kinds: [Bitboard; PieceKind::COUNT],
    cells: [Option<Piece>; Square::MAX],
    /// The castling rights that are left.
    pub castling: CastlingRights,
    /// The double step of the last move on this board.
    pub en_passant: Option<EnPassant>,
    /// Whether the board and all its squares are gone from the game.
    pub vanished: bool,
}

impl Board {
    /// An empty board.
    pub fn new(geometry: &'static Geometry) -> Self {
        Self {
            geometry,
            sides: [Bitboard::EMPTY; 2],
            kinds: [Bitboard::EMPTY; PieceKind::COUNT],
            cells: [None; Square::MAX],
            castling: CastlingRights::NONE,
            en_passant: None,
            vanished: false,
        }
    }

    /// The shape of the board.
    pub const fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The piece on a square.
    pub const fn piece(&self, square: Square) -> Option<Piece> {
        self.cells[square.index()]
    }

    /// The squares of all pieces.
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The squares without a piece.
    pub fn empty(&self) -> Bitboard {
        self.geometry.all_squares() & !self.occupied()
    }

    /// The squares of one side's pieces.
    pub const fn side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The squares of the pieces of one kind, of either side.
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of one side's pieces of one kind.
    pub fn pieces(&self, side: Side, kind: PieceKind) -> Bitboard {
        self.side(side) & self.kind(kind)
    }

    /// Where a side's king stands, where it has one.
    pub fn king(&self, side: Side) -> Option<Square> {
        self.pieces(side, PieceKind::King).first()
    }

    /// Puts a piece on an empty square. Only [`Position`](super::position::Position) does so, which keeps its key.
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.cells[square.index()].is_none(), "the square is taken");
        self.cells[square.index()] = Some(piece);
        self.sides[piece.side.index()].insert(square);
        self.kinds[piece.kind.index()].insert(square);
    }

    /// Takes the piece off a square.
    pub(super) fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.cells[square.index()].take()?;
        self.sides[piece.side.index()].remove(square);
        self.kinds[piece.kind.index()].remove(square);
        Some(piece)
    }
}
