//! Moves and the steps that they consist of.

use arrayvec::ArrayVec;

use super::piece::PieceKind;
use super::square::{Location, Square};

/// The most steps that a legal move of any variant has.
pub const MAX_STEPS: usize = 2;

/// The pawns that the mover chose to remove, in board order, then square order. Compared target by target.
///
/// Held as four numbers of sixteen bits, the first target highest, each one more than its board and square in two
/// bytes, and 0 for none: lists of removals run to millions, and so they are compared and joined as one number. No game
/// has more than three removed with one capture, so four are too many already, and what comes behind them is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Removals(u64);

/// How many targets are held.
const ROOM: usize = 4;

/// The bits of one target.
const TARGET_BITS: usize = 16;

impl Removals {
    /// No removal.
    pub const NONE: Self = Self(0);

    /// These removals in their canonical order. Of more than there is room for the first, which are too many as well.
    pub fn new(targets: impl IntoIterator<Item = Location>) -> Self {
        let mut sorted: Vec<Location> = targets.into_iter().collect();
        sorted.sort_unstable();
        Self::joined(sorted)
    }

    /// These removals, which are in order, as far as there is room for them.
    fn joined(targets: impl IntoIterator<Item = Location>) -> Self {
        let and = |removals: Self, target| removals.and(Self::of(target)).unwrap_or(removals);
        targets.into_iter().fold(Self::NONE, and)
    }

    /// The removal of one pawn.
    pub const fn of(target: Location) -> Self {
        let number = (target.board as u64) << 8 | target.square.index() as u64;
        Self((number + 1) << (TARGET_BITS * (ROOM - 1)))
    }

    /// These and some that come after them, or nothing where they are too many.
    #[must_use]
    pub const fn and(self, later: Self) -> Option<Self> {
        if self.len() == ROOM {
            return if later.is_empty() { Some(self) } else { None };
        }
        let behind = TARGET_BITS * self.len();
        let moved = later.0 >> behind;
        if moved << behind == later.0 { Some(Self(self.0 | moved)) } else { None }
    }

    /// The first so many of them.
    #[must_use]
    pub fn first(self, count: usize) -> Self {
        if count == 0 {
            Self::NONE
        } else {
            Self(self.0 & u64::MAX << (TARGET_BITS * (ROOM - count.min(ROOM))))
        }
    }

    /// Those on a board.
    #[must_use]
    pub fn on_board(self, board: u8) -> Self {
        Self::joined(self.iter().filter(|target| target.board == board))
    }

    /// The removals, in order.
    pub fn iter(self) -> impl Iterator<Item = Location> {
        (0..self.len()).map(move |index| {
            let number = (self.0 >> (TARGET_BITS * (ROOM - 1 - index)) & 0xffff) - 1;
            Location::new((number >> 8) as u8, Square::new(number as u8))
        })
    }

    /// How many there are.
    pub const fn len(self) -> usize {
        let empty = self.0.trailing_zeros() as usize / TARGET_BITS;
        ROOM.saturating_sub(empty)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Removals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
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
