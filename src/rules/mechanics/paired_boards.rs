//! Moves of two steps, one on each of two boards, by a permitted pair of pieces. Kings are captured: a step that does
//! so ends the move.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::illegal::{IllegalReason, Refusal};
use crate::rules::moves::Step;
use crate::rules::outcome::Outcome;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::{Location, Square};
use crate::rules::turn::{Offer, Scope, Turn, Visit};

use super::castling::Castling;
use super::king_capture::{ending, free_reach, lacks_a_king};
use super::offering::piece_reach;
use super::pawns;
use super::reach::{Reach, View};
use super::twins::{Survey, Twins};
use super::{refusal, stepping};

/// The kinds, before any promotion, that may be moved together with this one.
const fn partners(kind: PieceKind) -> &'static [PieceKind] {
    match kind {
        PieceKind::King => &[PieceKind::King, PieceKind::Queen, PieceKind::Rook],
        PieceKind::Queen => &[PieceKind::King, PieceKind::Rook],
        PieceKind::Rook => &[PieceKind::King, PieceKind::Queen],
        PieceKind::Bishop => &[PieceKind::Knight, PieceKind::Pawn],
        PieceKind::Knight => &[PieceKind::Bishop, PieceKind::Pawn],
        PieceKind::Pawn => &[PieceKind::Knight, PieceKind::Bishop],
        PieceKind::BerolinaPawn
        | PieceKind::Ship
        | PieceKind::Archer
        | PieceKind::Prince
        | PieceKind::Commander => &[],
    }
}

/// The pieces of a side that may be moved together with one of this kind on the other board.
fn partner_pieces(board: &Board, side: Side, kind: PieceKind) -> Bitboard {
    let kinds = partners(kind).iter().fold(Bitboard::EMPTY, |kinds, &kind| kinds | board.kind(kind));
    board.side(side) & kinds
}

/// The other one of two boards.
const fn other(board: u8) -> u8 {
    board ^ 1
}

/// What of the second step can be known before the first is taken: who could make it.
struct SecondStep {
    /// By kind: whether some piece of it can go somewhere, if what its step would take along allows it.
    able: [bool; PieceKind::COUNT],
    /// Whether a pawn that cannot go anywhere could, were the enemy before it taken along by the first step.
    could_be_freed: bool,
}

impl SecondStep {
    /// Looks at the mover's pieces on a board.
    fn on(position: &Position, number: u8, twins: Option<&Survey<'_>>) -> Self {
        let (board, side) = (position.board(number), position.to_move);
        let view = View::new(board, side);
        let last_rank = pawns::last_rank(view.geometry, side);
        let mut found = Self { able: [false; PieceKind::COUNT], could_be_freed: false };
        for from in board.side(side) {
            let Some(Piece { kind, .. }) = board.piece(from) else { continue };
            if found.able[kind.index()] {
                continue;
            }
            // Castling is open only to a king that has another step.
            let mut targets = piece_reach(&view, kind, from, true).targets();
            if kind == PieceKind::Pawn {
                if twins.is_some_and(|twins| !twins.promote(Location::new(number, from))) {
                    targets &= !last_rank;
                }
                found.could_be_freed |= twins.is_some_and(Survey::reach_across_boards)
                    && !(view.geometry.pawn_forward(side, from) & view.enemies).is_empty();
            }
            found.able[kind.index()] = !targets.is_empty();
        }
        found
    }

    /// Whether it can follow a first step of this kind, one that captures or one that does not.
    fn can_follow(&self, first: PieceKind, captures: bool) -> bool {
        let partners = partners(first);
        partners.iter().any(|partner| self.able[partner.index()])
            || captures && self.could_be_freed && partners.contains(&PieceKind::Pawn)
    }

    /// Takes away the first steps that it cannot follow. The capture of a king needs nothing to follow it.
    fn keep_followed(&self, view: &View<'_>, kind: PieceKind, reached: &mut Reach) {
        if !self.can_follow(kind, false) {
            reached.quiet = Bitboard::EMPTY;
        }
        if !self.can_follow(kind, true) {
            reached.captures &= view.board.kind(PieceKind::King);
        }
    }
}

/// Offers the steps that can come next, in games with these twins or without.
pub fn offers(
    turn: &Turn,
    scope: &Scope,
    castling: &Castling,
    twins: Option<&Twins>,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let twins = twins.map(|twins| Survey::new(twins, turn));
    for number in 0..turn.position.boards().len() as u8 {
        let movers = movers(turn, number) & scope.from(number);
        if movers.is_empty() {
            continue;
        }
        let board = Surveyed::new(turn, number, castling, twins.as_ref());
        for from in movers {
            if let Some(offer) = board.offer(from, scope) {
                visit(&offer)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The pieces of a board that may make the next step: all, or the partners of the one that made the first.
fn movers(turn: &Turn, number: u8) -> Bitboard {
    let (board, side) = (turn.position.board(number), turn.position.to_move);
    match turn.taken.first() {
        None => board.side(side),
        Some(first) if first.step.from.board == number => Bitboard::EMPTY,
        Some(first) => partner_pieces(board, side, first.kind),
    }
}

/// A board surveyed for the next step.
struct Surveyed<'a> {
    number: u8,
    view: View<'a>,
    castling: &'a Castling,
    twins: Option<&'a Survey<'a>>,
    /// Before the first step.
    second: Option<SecondStep>,
}

impl<'a> Surveyed<'a> {
    fn new(turn: &'a Turn, number: u8, castling: &'a Castling, twins: Option<&'a Survey<'a>>) -> Self {
        let position = &turn.position;
        let view = View::new(position.board(number), position.to_move);
        let second = turn.taken.is_empty().then(|| SecondStep::on(position, other(number), twins));
        Self { number, view, castling, twins, second }
    }

    /// The steps of a piece, if it has any.
    #[inline(always)]
    fn offer(&self, square: Square, scope: &Scope) -> Option<Offer> {
        let kind = self.view.board.piece(square)?.kind;
        let from = Location::new(self.number, square);
        let mut reached = free_reach(&self.view, kind, square, Some(self.castling));
        reached.quiet &= if scope.captures_only { Bitboard::EMPTY } else { scope.to(self.number) };
        reached.captures &= scope.to(self.number);
        if let Some(second) = &self.second {
            second.keep_followed(&self.view, kind, &mut reached);
        }
        let choosing = match self.twins {
            Some(twins) => twins.keep_open(kind, from, &mut reached),
            None if kind.is_pawn() => pawns::last_rank(self.view.geometry, self.view.side),
            None => Bitboard::EMPTY,
        };
        let (targets, captures) = (reached.targets(), reached.captures);
        let choosing = choosing & targets;
        let offer = Offer { kind, from, to_board: self.number, targets, captures, choosing };
        (!targets.is_empty()).then_some(offer)
    }
}

/// Whether a second step of the scope `next` can follow the offered first ones: none where no partner stands there, and
/// one whatever they take along where a partner has a quiet step without a promotion.
pub fn follows(turn: &Turn, offer: &Offer, next: &Scope) -> Option<bool> {
    let number = other(offer.from.board);
    let (board, side) = (turn.position.board(number), turn.position.to_move);
    let partners = partner_pieces(board, side, offer.kind) & next.from(number);
    if partners.is_empty() {
        return Some(false);
    }
    let view = View::new(board, side);
    let last_rank = pawns::last_rank(view.geometry, side);
    let steps_quietly = |from| {
        board.piece(from).is_some_and(|Piece { kind, .. }| {
            let quiet = piece_reach(&view, kind, from, true).quiet & next.to(number);
            !(if kind.is_pawn() { quiet & !last_rank } else { quiet }).is_empty()
        })
    };
    (!next.captures_only && partners.into_iter().any(steps_quietly)).then_some(true)
}

/// How a step that captured this ended the game, if it did.
pub fn ending_by(turn: &Turn, captured: Option<Piece>) -> Option<Outcome> {
    captured.filter(|piece| piece.kind == PieceKind::King)?;
    ending(&turn.position, lacks_a_king)
}

/// Whether the steps taken are a move: two, or fewer that captured a king.
pub fn complete(turn: &Turn) -> Result<(), Refusal> {
    if turn.outcome.is_some() || turn.taken.len() == 2 {
        return Ok(());
    }
    Err(Refusal::new(IllegalReason::StepMissing, [], "the move needs a step on the other board"))
}

/// Why a first step leads nowhere.
pub fn dead_end() -> Refusal {
    let message = "no piece that may be moved with this one can move on the other board";
    Refusal::new(IllegalReason::PairNotAllowed, [], message)
}

/// Why a step is not offered, but for what it chooses and takes along.
pub fn refusal(turn: &Turn, step: &Step, castling: &Castling, twins: Option<&Twins>) -> Option<Refusal> {
    let position = &turn.position;
    refusal::of_standing(position, step).or_else(|| {
        let piece = position.piece(step.from)?;
        let board = position.board(step.from.board);
        refusal::of_movement(board, piece, step, Some(castling), true)
            .or_else(|| of_pair(turn, step, piece.kind, twins))
    })
}

fn of_pair(turn: &Turn, step: &Step, kind: PieceKind, twins: Option<&Twins>) -> Option<Refusal> {
    let position = &turn.position;
    if let Some(first) = turn.taken.first() {
        if first.step.from.board == step.from.board {
            let message = "the second step is made on the other board than the first";
            return Some(Refusal::new(IllegalReason::SameBoardTwice, [], message));
        }
        if !partners(first.kind).contains(&kind) {
            let message = format!("a {} and a {} are not moved together", first.kind.name(), kind.name());
            return Some(Refusal::new(IllegalReason::PairNotAllowed, [], message));
        }
        return None;
    }
    let captured = stepping::captured_at(turn, step).and_then(|at| position.piece(at));
    let captures_king = captured.is_some_and(|captured| captured.kind == PieceKind::King);
    let twins = twins.map(|twins| Survey::new(twins, turn));
    let second = SecondStep::on(position, other(step.from.board), twins.as_ref());
    (!captures_king && !second.can_follow(kind, captured.is_some())).then(dead_end)
}
