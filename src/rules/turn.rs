//! A move under way.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::bitboard::Bitboard;
use super::moves::{MAX_STEPS, Step};
use super::outcome::Outcome;
use super::piece::PieceKind;
use super::position::{MAX_BOARDS, Position};
use super::square::Location;

/// A step that was carried out, with the kind of the piece before any promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The step.
    pub step: Step,
    /// What moved.
    pub kind: PieceKind,
}

/// The position that the steps taken so far have left, and what the rest of the move must know of them.
///
/// While a move is under way the side to move is still the mover; the clocks are those before the move.
#[derive(PartialEq, Eq, Debug)]
pub struct Turn {
    /// The boards as the steps left them.
    pub position: Position,
    /// The steps so far.
    pub taken: ArrayVec<Taken, MAX_STEPS>,
    /// How the game ended, where a step ended it.
    pub outcome: Option<Outcome>,
    /// Whether a step captured or was a pawn's.
    pub irreversible: bool,
    /// The boards, as bits, on which this move made a double step.
    pub doubled: u8,
}

impl Clone for Turn {
    fn clone(&self) -> Self {
        Self { position: self.position.clone(), taken: self.taken.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { position, taken, outcome, irreversible, doubled } = self;
        position.clone_from(&source.position);
        taken.clone_from(&source.taken);
        *outcome = source.outcome;
        *irreversible = source.irreversible;
        *doubled = source.doubled;
    }
}

impl Turn {
    /// The beginning of a move.
    pub fn new(position: Position) -> Self {
        Self { position, taken: ArrayVec::new(), outcome: None, irreversible: false, doubled: 0 }
    }
}

/// The steps of one piece to one board: what a variant offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The piece's kind.
    pub kind: PieceKind,
    /// Where it stands.
    pub from: Location,
    /// The board that the steps end on.
    pub to_board: u8,
    /// Where it may go: somewhere.
    pub targets: Bitboard,
    /// The targets at which it captures; en passant is a capture onto an empty square.
    pub captures: Bitboard,
    /// The targets at which the mover has more to choose: each stands for as many steps as there are choices, and for
    /// at least one.
    pub choosing: Bitboard,
}

/// Who is told of each offer, and says whether to go on.
pub type Visit<'a> = &'a mut dyn FnMut(&Offer) -> ControlFlow<()>;

/// Which steps are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// By board: the squares from which.
    pub from: [Bitboard; MAX_BOARDS],
    /// By board: the squares to which.
    pub to: [Bitboard; MAX_BOARDS],
    /// Whether only captures.
    pub captures_only: bool,
}

impl Scope {
    /// Every step.
    pub const ALL: Self =
        Self { from: [Bitboard::ALL; MAX_BOARDS], to: [Bitboard::ALL; MAX_BOARDS], captures_only: false };

    /// The steps between two squares.
    pub fn between(from: Location, to: Location) -> Self {
        Self { from: only(from), to: only(to), captures_only: false }
    }

    /// The squares of a board from which steps are asked for.
    pub fn from(&self, board: u8) -> Bitboard {
        self.from[usize::from(board)]
    }

    /// The squares of a board to which steps are asked for.
    pub fn to(&self, board: u8) -> Bitboard {
        self.to[usize::from(board)]
    }
}

/// By board, the set of this square alone.
fn only(location: Location) -> [Bitboard; MAX_BOARDS] {
    let mut squares = [Bitboard::EMPTY; MAX_BOARDS];
    squares[usize::from(location.board)] = Bitboard::of(location.square);
    squares
}
