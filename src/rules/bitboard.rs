//! Sets of squares of one board.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use super::square::Square;

/// A set of squares of one board, one bit a square. The largest board has 80 squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square that any board can have, and the bits beyond it.
    pub const ALL: Self = Self(u128::MAX);

    /// The set whose bits these are; bit n is the square of index n.
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    /// The bits of the set.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The squares from `square` on, in square order.
    pub const fn starting_at(square: Square) -> Self {
        Self(u128::MAX << square.index())
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// How many squares are in the set.
    pub const fn count(self) -> u32 {
        let (low, high) = self.halves();
        if high == 0 { low.count_ones() } else { low.count_ones() + high.count_ones() }
    }

    /// The squares below 64, and those above. Most boards have no more than 64, so a look at one half is mostly
    /// enough, and the branch that asks is foreseen.
    const fn halves(self) -> (u64, u64) {
        (self.0 as u64, (self.0 >> 64) as u64)
    }

    /// Whether two or more squares are in the set.
    pub const fn is_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The first square in square order.
    pub const fn first(self) -> Option<Square> {
        let (low, high) = self.halves();
        if low != 0 {
            Some(Square::new(low.trailing_zeros() as u8))
        } else if high != 0 {
            Some(Square::new(64 + high.trailing_zeros() as u8))
        } else {
            None
        }
    }

    /// The last square in square order.
    pub const fn last(self) -> Option<Square> {
        let (low, high) = self.halves();
        if high != 0 {
            Some(Square::new(127 - high.leading_zeros() as u8))
        } else if low != 0 {
            Some(Square::new(63 - low.leading_zeros() as u8))
        } else {
            None
        }
    }

    /// The set and `square`.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }

    /// The set without `square`.
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }

    /// Adds `square`.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    /// Takes `square` out.
    pub const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set, in square order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}
