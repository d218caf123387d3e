//! Castling: the king's step towards a rook, which crosses to the king's other side.

use crate::rules::bitboard::Bitboard;
use crate::rules::board::{Board, CastlingRight};
use crate::rules::geometry::Direction;
use crate::rules::piece::{PieceKind, Side};
use crate::rules::square::Square;

/// How a variant castles, in files numbered from 0. Kings and rooks are at home on their side's first rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castling {
    /// The file of the king at home.
    pub king_file: u8,
    /// Castling with the rook on the last file.
    pub kingside: Wing,
    /// Castling with the rook on the first file.
    pub queenside: Wing,
    /// Whether the king may not castle out of, through or into attack.
    pub heeds_attack: bool,
}

/// One of the two directions of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wing {
    /// The file of the rook at home.
    pub rook_file: u8,
    /// The file that the king goes to.
    pub king_to: u8,
    /// The file that the rook goes to.
    pub rook_to: u8,
}

/// The squares of one castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingSquares {
    /// Where the king is at home.
    pub king_from: Square,
    /// Where it goes.
    pub king_to: Square,
    /// Where the rook is at home.
    pub rook_from: Square,
    /// Where it goes.
    pub rook_to: Square,
}

impl Castling {
    /// On eight files: the king goes two squares from the fifth towards a rook in a corner. Attack forbids it.
    pub const EIGHT_FILES: Self = Self {
        king_file: 4,
        kingside: Wing { rook_file: 7, king_to: 6, rook_to: 5 },
        queenside: Wing { rook_file: 0, king_to: 2, rook_to: 3 },
        heeds_attack: true,
    };

    /// The squares of castling with this right.
    pub fn squares(&self, board: &Board, right: CastlingRight) -> CastlingSquares {
        let wing = if right.kingside { self.kingside } else { self.queenside };
        let geometry = board.geometry();
        let rank = if right.side.index() == 0 { 0 } else { geometry.ranks() - 1 };
        let square = |file| Square::new(rank * geometry.files() + file);
        CastlingSquares {
            king_from: square(self.king_file),
            king_to: square(wing.king_to),
            rook_from: square(wing.rook_file),
            rook_to: square(wing.rook_to),
        }
    }

    /// Whether the king and the rook of a right are at home.
    #[inline]
    pub fn is_home(&self, board: &Board, right: CastlingRight) -> bool {
        let squares = self.squares(board, right);
        let own = |kind| board.pieces(right.side, kind);
        own(PieceKind::King).contains(squares.king_from) && own(PieceKind::Rook).contains(squares.rook_from)
    }

    /// Takes away the rights whose king or rook is not at home, however it came away.
    pub fn keep_rights(&self, board: &mut Board) {
        for right in board.castling.iter() {
            if !self.is_home(board, right) {
                board.castling.remove(right);
            }
        }
    }

    /// The castlings of a side that rights and empty squares between king and rook allow.
    pub fn open(&self, board: &Board, side: Side) -> impl Iterator<Item = CastlingSquares> {
        let wings = [(true, Direction::East), (false, Direction::West)];
        wings.into_iter().filter_map(move |(kingside, towards)| {
            let right = CastlingRight { side, kingside };
            if !board.castling.contains(right) {
                return None;
            }
            let squares = self.squares(board, right);
            let first = board.geometry().first_on_ray(squares.king_from, towards, board.occupied());
            (first == Some(squares.rook_from)).then_some(squares)
        })
    }

    /// The castling, open or not, that a king's step between these squares would be.
    pub fn meant_by(
        &self,
        board: &Board,
        side: Side,
        from: Square,
        to: Square,
    ) -> Option<(CastlingRight, CastlingSquares)> {
        CastlingRight::ALL
            .into_iter()
            .filter(|right| right.side == side)
            .map(|right| (right, self.squares(board, right)))
            .find(|(_, squares)| squares.king_from == from && squares.king_to == to)
    }
}

/// The pieces between king and rook.
pub fn obstacles(board: &Board, squares: CastlingSquares) -> Bitboard {
    board.geometry().between(squares.king_from, squares.rook_from) & board.occupied()
}

/// The squares that the king crosses, with the one that it leaves and without the one that it reaches.
pub fn crossed(board: &Board, squares: CastlingSquares) -> Bitboard {
    board.geometry().between(squares.king_from, squares.king_to).with(squares.king_from)
}

/// The squares of all pieces once king and rook have castled.
pub fn occupied_after(board: &Board, squares: CastlingSquares) -> Bitboard {
    let gone = board.occupied().without(squares.king_from).without(squares.rook_from);
    gone.with(squares.king_to).with(squares.rook_to)
}
