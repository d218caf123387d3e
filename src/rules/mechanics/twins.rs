//! Twins: captures that take more than the captured piece, and promotions of two pawns at once.

mod refusal;

use std::cell::OnceCell;
use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::moves::{Removals, Step};
use crate::rules::outcome::{ChangeCause, Report};
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::rules::position::{MAX_BOARDS, Position};
use crate::rules::square::Location;
use crate::rules::turn::Turn;

use super::attack::Aftermath;
use super::castling::Castling;
use super::choices::{Choices, Promotion};
use super::reach::Reach;
use super::{pawns, stepping};

/// How a game treats twins.
#[derive(Debug)]
pub struct Twins {
    /// The kinds of which a capture takes all twins: the pieces of the same side, kind and group.
    pub kinds: &'static [PieceKind],
    /// Whether it takes them from every board, and not only from its own. Where it does, the capture of a pawn also
    /// takes two pawns of each other board.
    pub across_boards: bool,
    /// What two pawns can become together, in order of kinds, and where the second of them stands.
    pub promotions: &'static [(PieceKind, SecondPawn)],
    /// What the safety of the mover's king asks of a capture.
    pub safety: Safety,
}

/// Where the second pawn of a promotion stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecondPawn {
    /// On the board of the first.
    SameBoard,
    /// On the other one of two boards.
    OtherBoard,
}

/// What the safety of the mover's king asks of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// The king may not be attacked when everything is gone that goes.
    Unattacked,
    /// On no board may a removal open an attack: a king that is not attacked after the capture alone may not be
    /// attacked after the removals.
    NotExposed,
}

/// A capture, seen in the position before it.
#[derive(Clone, Copy, Debug)]
struct Capture<'a> {
    position: &'a Position,
    from: Location,
    to: Location,
    /// Where the captured piece stands; en passant not on the target.
    at: Location,
    captured: Piece,
}

impl<'a> Capture<'a> {
    /// The capture that a step makes, if it makes one.
    fn by(turn: &'a Turn, step: &Step) -> Option<Self> {
        let at = stepping::captured_at(turn, step)?;
        let position = &turn.position;
        Some(Self { position, from: step.from, to: step.to, at, captured: position.piece(at)? })
    }

    /// A board after the capture alone.
    fn after(&self, number: u8) -> Aftermath<'a> {
        let board = self.position.board(number);
        if number == self.to.board {
            let captured = Bitboard::of(self.at.square);
            Aftermath::of_step(board, self.position.to_move, self.from.square, self.to.square, captured)
        } else {
            Aftermath::untouched(board, self.position.to_move)
        }
    }

    /// These pieces of a board without the captured one.
    fn others(&self, number: u8, pieces: Bitboard) -> Bitboard {
        if number == self.at.board { pieces.without(self.at.square) } else { pieces }
    }
}

impl Twins {
    /// What a capture takes from a board without asking: the captured piece's twins.
    fn forced(&self, capture: &Capture<'_>, number: u8) -> Bitboard {
        if !self.kinds.contains(&capture.captured.kind) || !self.reaches(capture, number) {
            return Bitboard::EMPTY;
        }
        capture.others(number, group(capture.position, number, capture.captured))
    }

    /// The pawns of a board of which the mover chooses some to go with a captured pawn, and how many.
    fn asked(&self, capture: &Capture<'_>, number: u8) -> (Bitboard, u32) {
        let Piece { kind, side, .. } = capture.captured;
        if kind != PieceKind::Pawn || !self.reaches(capture, number) {
            return (Bitboard::EMPTY, 0);
        }
        let pawns = capture.others(number, capture.position.board(number).pieces(side, PieceKind::Pawn));
        let most = if number == capture.at.board { 1 } else { 2 };
        (pawns, most.min(pawns.count()))
    }

    fn reaches(&self, capture: &Capture<'_>, number: u8) -> bool {
        self.across_boards || number == capture.at.board
    }

    /// Whether the mover's king allows these pieces to go from a board as the capture alone leaves it.
    fn allows(&self, after: &Aftermath<'_>, removed: Bitboard) -> bool {
        match self.safety {
            Safety::Unattacked => !after.without(removed).is_attacked(),
            Safety::NotExposed => {
                removed.is_empty() || !after.without(removed).is_attacked() || after.is_attacked()
            }
        }
    }

    /// Visits the sets of one or two of these pawns, compared square by square, that may go from a board, until `visit`
    /// breaks.
    fn open_sets(
        &self,
        board: u8,
        after: &Aftermath<'_>,
        (pawns, number): (Bitboard, u32),
        mut visit: impl FnMut(Removals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut shields = after.shields();
        if !shields.is_empty() && after.is_attacked() {
            shields.clear();
        }
        let is_open = |set: Bitboard| match self.safety {
            Safety::Unattacked => !after.without(set).is_attacked(),
            Safety::NotExposed => !shields.iter().any(|&shield| (shield & !set).is_empty()),
        };
        let mut later = pawns;
        for first in pawns {
            later.remove(first);
            let removal = Removals::of(Location::new(board, first));
            if number < 2 {
                if is_open(Bitboard::of(first)) {
                    visit(removal)?;
                }
                continue;
            }
            for second in later {
                let both = removal.and(Removals::of(Location::new(board, second)));
                if let Some(both) = both
                    && is_open(Bitboard::of(first).with(second))
                {
                    visit(both)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The pawns that can be the second of a promotion.
    fn second_pawns(position: &Position, side: Side, from: Location, place: SecondPawn) -> (u8, Bitboard) {
        let number = match place {
            SecondPawn::SameBoard => from.board,
            SecondPawn::OtherBoard => from.board ^ 1,
        };
        let pawns = position.board(number).pieces(side, PieceKind::Pawn);
        (number, if number == from.board { pawns.without(from.square) } else { pawns })
    }

    /// What the mover chooses of a step.
    pub fn choices(&self, turn: &Turn, from: Location, to: Location) -> Choices {
        let position = &turn.position;
        let mut choices = Choices::default();
        if promotes_at(position, from, to) {
            for &(kind, place) in self.promotions {
                let twins = Self::second_pawns(position, position.to_move, from, place);
                if !twins.1.is_empty() {
                    choices.promotions.push(Promotion { kind, twins: Some(twins) });
                }
            }
        }
        let Some(capture) = Capture::by(turn, &Step::new(from, to)) else { return choices };
        for (number, _) in position.numbered_boards() {
            let asked = self.asked(&capture, number);
            if asked.1 > 0 {
                let sets = &mut choices.removals[usize::from(number)];
                let _ = self.open_sets(number, &capture.after(number), asked, |set| {
                    // There is room for all pairs of eight pawns, and more are on no board.
                    sets.try_push(set).map_or(ControlFlow::Break(()), ControlFlow::Continue)
                });
            }
        }
        choices
    }

    /// Carries out an offered step with all that follows from it, and gives what was captured.
    pub fn carry_out(
        &self,
        turn: &mut Turn,
        step: &Step,
        castling: &Castling,
        report: Report<'_>,
    ) -> Option<Piece> {
        let captured = stepping::capture(turn, step, report);
        let moved = stepping::advance(turn, step, Some(castling), report);
        if let Some(captured) = captured.filter(|captured| self.kinds.contains(&captured.kind)) {
            for number in 0..turn.position.boards().len() as u8 {
                if self.across_boards || number == step.to.board {
                    for square in group(&turn.position, number, captured) {
                        stepping::remove(
                            turn,
                            Location::new(number, square),
                            ChangeCause::TwinRemoved,
                            report,
                        );
                    }
                }
            }
        }
        for target in step.removals.iter() {
            stepping::remove(turn, target, ChangeCause::PawnRemoved, report);
        }
        if let Some(kind) = step.promotion {
            let group = new_group(&turn.position, kind);
            stepping::promote(turn, step.to, kind, group, ChangeCause::Promoted, report);
            if let Some(twin) = step.twin {
                stepping::promote(turn, twin, kind, group, ChangeCause::TwinPromoted, report);
            }
        }
        stepping::keep_rights_after(turn, Some(castling), captured, moved);
        captured
    }
}

/// What twins leave open to the side to move, surveyed once for all steps of a turn.
#[derive(Debug)]
pub struct Survey<'a> {
    twins: &'a Twins,
    turn: &'a Turn,
    /// By board: whether pawns enough may go from it when one is captured on another board, whatever that capture is.
    gives: [OnceCell<bool>; MAX_BOARDS],
}

impl<'a> Survey<'a> {
    /// What is open in the position that a turn has come to.
    pub const fn new(twins: &'a Twins, turn: &'a Turn) -> Self {
        Self { twins, turn, gives: [const { OnceCell::new() }; MAX_BOARDS] }
    }

    /// Whether captures take twins from every board.
    pub const fn reach_across_boards(&self) -> bool {
        self.twins.across_boards
    }

    /// Whether some promotion is open to a pawn of the mover's: there is a second one for it.
    pub fn promote(&self, from: Location) -> bool {
        let position = &self.turn.position;
        self.twins
            .promotions
            .iter()
            .any(|&(_, place)| !Twins::second_pawns(position, position.to_move, from, place).1.is_empty())
    }

    /// Takes away what is not open of where a piece can go, and gives the targets at which the mover has to choose.
    pub fn keep_open(&self, kind: PieceKind, from: Location, reached: &mut Reach) -> Bitboard {
        let mut choosing = Bitboard::EMPTY;
        if kind.is_pawn() {
            let position = &self.turn.position;
            let last_rank = pawns::last_rank(position.board(from.board).geometry(), position.to_move);
            if (reached.targets() & last_rank).is_empty() || self.promote(from) {
                choosing = last_rank;
            } else {
                reached.quiet &= !last_rank;
                reached.captures &= !last_rank;
            }
        }
        if !reached.captures.is_empty() {
            let (open, choosing_removals) = self.open_captures(from, reached.captures);
            reached.captures = open;
            choosing |= choosing_removals;
        }
        choosing & reached.targets()
    }

    /// Those of a piece's captures that are open, and of them those at which the mover chooses what else goes.
    fn open_captures(&self, from: Location, captures: Bitboard) -> (Bitboard, Bitboard) {
        let (mut open, mut choosing) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for to in captures {
            let step = Step::new(from, Location::new(from.board, to));
            let Some(capture) = Capture::by(self.turn, &step) else { continue };
            let mut chooses = false;
            let is_open = self.turn.position.numbered_boards().all(|(number, _)| {
                let asked = self.twins.asked(&capture, number);
                chooses |= asked.1 > 0;
                let gives = || {
                    let found = |_| ControlFlow::Break(());
                    self.twins.open_sets(number, &capture.after(number), asked, found).is_break()
                };
                if asked.1 == 0 {
                    self.twins.allows(&capture.after(number), self.twins.forced(&capture, number))
                } else if number == from.board {
                    gives()
                } else {
                    *self.gives[usize::from(number)].get_or_init(gives)
                }
            });
            if is_open {
                open.insert(to);
                if chooses {
                    choosing.insert(to);
                }
            }
        }
        (open, choosing)
    }
}

/// Whether a step is a pawn's to its last rank.
fn promotes_at(position: &Position, from: Location, to: Location) -> bool {
    position.piece(from).is_some_and(|piece| {
        let geometry = position.board(to.board).geometry();
        piece.kind.is_pawn() && pawns::last_rank(geometry, piece.side).contains(to.square)
    })
}

/// The pieces of a board of the side, kind and group of this one.
fn group(position: &Position, number: u8, of: Piece) -> Bitboard {
    let board = position.board(number);
    board.pieces(of.side, of.kind).into_iter().filter(|&square| board.piece(square) == Some(of)).collect()
}

/// The smallest number from 1 on that no group of this kind of the mover's has, on any board.
fn new_group(position: &Position, kind: PieceKind) -> u8 {
    let mut taken = 1_u128;
    for board in position.boards() {
        for square in board.pieces(position.to_move, kind) {
            taken |= board.piece(square).map_or(0, |piece| 1 << piece.twin_group);
        }
    }
    taken.trailing_ones() as u8
}
