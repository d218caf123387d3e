//! How games end, and what a move changes on the boards.

use super::piece::{Piece, Side};
use super::square::Location;

/// Why a game is won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// The loser's king is attacked and no move saves it.
    Checkmate,
    /// The kings that the loser needed were captured.
    KingCaptured,
    /// The loser has no legal move, in a game where that loses.
    NoLegalMove,
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The player to move has no legal move and is not in check.
    Stalemate,
    /// The position occurred for the third time.
    ThreefoldRepetition,
    /// A hundred moves without a capture or pawn step.
    FiftyMoves,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Won {
        /// Who won.
        winner: Side,
        /// Why.
        reason: WinReason,
    },
    /// Nobody won.
    Drawn {
        /// Why.
        reason: DrawReason,
    },
}

/// What happened to a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChangeCause {
    /// It was moved by the step.
    Moved,
    /// It was captured.
    Captured,
    /// It went because its twin was captured.
    TwinRemoved,
    /// It is a pawn that the mover chose to remove.
    PawnRemoved,
    /// It is the pawn that reached the last rank.
    Promoted,
    /// It is the second pawn of a twin promotion.
    TwinPromoted,
    /// It is the rook of a castling king.
    Castled,
    /// It vanished with its board.
    Vanished,
}

/// One change on the boards; the changes of a move, in order, are enough to animate it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    /// What happened.
    pub cause: ChangeCause,
    /// The square on which the change shows.
    pub at: Location,
    /// For a piece that came from another square, that square.
    pub from: Option<Location>,
    /// The piece that is gone from `at`.
    pub removed: Option<Piece>,
    /// The piece that now stands on `at`.
    pub added: Option<Piece>,
}

/// Who is told of each change on the boards.
pub type Report<'a> = &'a mut dyn FnMut(Change);
