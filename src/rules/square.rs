//! Where a piece can stand: a square of a board.

/// A square of one board, numbered from 0 in square order: a1, b1, …, a2, b2, …
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The most squares that a board can have.
    pub const MAX: usize = 80;

    /// The square of this number, which is below [`Square::MAX`]. Squares made from input come from
    /// [`Geometry::square`](super::geometry::Geometry::square), which knows the board's size.
    pub const fn new(index: u8) -> Self {
        debug_assert!((index as usize) < Self::MAX);
        Self(index)
    }

    /// The number of the square.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A square of one of the boards of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The board, numbered from 0 in the variant's order of boards.
    pub board: u8,
    /// The square on that board.
    pub square: Square,
}

impl Location {
    /// The square on the board of this number.
    pub const fn new(board: u8, square: Square) -> Self {
        Self { board, square }
    }
}
