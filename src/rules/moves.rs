//! Moves and the steps that they consist of.

use arrayvec::ArrayVec;

use super::bitboard::Bitboard;
use super::piece::PieceKind;
use super::square::Location;

/// The most steps that a legal move of any variant has.
pub const MAX_STEPS: usize = 2;

/// The most pawns that the mover chooses to remove with one capture.
pub const MAX_REMOVALS: usize = 3;

/// The pawns that the mover chose to remove, in board order, then square order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Removals([Option<Location>; MAX_REMOVALS]);

impl Removals {
    /// No removal.
    pub const NONE: Self = Self([None; MAX_REMOVALS]);

    /// These removals in their canonical order, or nothing where they are too many.
    pub fn new(targets: impl IntoIterator<Item = Location>) -> Option<Self> {
        let mut removals = Self::NONE;
        let mut count = 0;
        for target in targets {
            *removals.0.get_mut(count)? = Some(target);
            count += 1;
        }
        removals.0[..count].sort_unstable();
        Some(removals)
    }

    /// These and a set of squares of a board that comes after theirs, or nothing where they are too many.
    #[must_use]
    pub fn and(mut self, board: u8, squares: Bitboard) -> Option<Self> {
        let mut count = self.iter().count();
        for square in squares {
            *self.0.get_mut(count)? = Some(Location::new(board, square));
            count += 1;
        }
        Some(self)
    }

    /// Those on a board.
    pub fn on_board(&self, board: u8) -> Bitboard {
        self.iter().filter(|target| target.board == board).map(|target| target.square).collect()
    }

    /// The removals, in order.
    pub fn iter(&self) -> impl Iterator<Item = Location> {
        self.0.into_iter().flatten()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }
}

/// One piece taken from a square to a square, with what the mover chooses of its consequences.
///
/// Steps are ordered as their fields stand here: this is the order of all lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// Where the piece stands.
    pub from: Location,
    /// Where it goes.
    pub to: Location,
    /// What the pawn becomes, where it promotes.
    pub promotion: Option<PieceKind>,
    /// The second pawn of a twin promotion.
    pub twin: Option<Location>,
    /// The pawns that the mover chose to remove with a capture.
    pub removals: Removals,
}

impl Step {
    /// A step without choices.
    pub const fn new(from: Location, to: Location) -> Self {
        Self { from, to, promotion: None, twin: None, removals: Removals::NONE }
    }
}

/// The steps of a legal move, or of the beginning of one.
pub type Steps = ArrayVec<Step, MAX_STEPS>;
