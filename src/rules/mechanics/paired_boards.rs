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
use super::pawns;
use super::reach::{Reach, View, reach};
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
    fn on(position: &Position, number: u8, twins: Option<&Twins>) -> Self {
        let (board, side) = (position.board(number), position.to_move);
        let view = View::new(board, side);
        let last_rank = pawns::last_rank(view.geometry, side);
        let mut found = Self { able: [false; PieceKind::COUNT], could_be_freed: false };
        for from in board.side(side) {
            let Some(Piece { kind, .. }) = board.piece(from) else { continue };
            if found.able[kind.index()] {
                continue;
            }
            let mut targets = step_reach(&view, kind, from).targets();
            if kind == PieceKind::Pawn {
                if twins.is_some_and(|twins| !twins.promotes(position, Location::new(number, from))) {
                    targets = targets & !last_rank;
                }
                found.could_be_freed |= twins.is_some_and(|twins| twins.across_boards)
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

/// Where a piece can go but for castling, which is open only to a king that has another step.
fn step_reach(view: &View<'_>, kind: PieceKind, from: Square) -> Reach {
    if kind.is_pawn() { pawns::reach(view, kind, from, true) } else { reach(view, kind, from) }
}

/// Offers the steps that can come next, in games with these twins or without.
pub fn offers(
    turn: &Turn,
    scope: &Scope,
    castling: &Castling,
    twins: Option<&Twins>,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let position = &turn.position;
    let side = position.to_move;
    let survey = twins.map(|twins| Survey::new(twins, turn));
    for (number, board) in position.numbered_boards() {
        let mut movers = board.side(side) & scope.from(number);
        if let Some(first) = turn.taken.first() {
            if first.step.from.board == number {
                continue;
            }
            movers &= partner_pieces(board, side, first.kind);
        }
        if movers.is_empty() {
            continue;
        }
        let second = turn.taken.is_empty().then(|| SecondStep::on(position, other(number), twins));
        let view = View::new(board, side);
        let last_rank = pawns::last_rank(view.geometry, side);
        for square in movers {
            let Some(Piece { kind, .. }) = board.piece(square) else { continue };
            let from = Location::new(number, square);
            let Reach { quiet, captures } = free_reach(&view, kind, square, Some(castling));
            let quiet = if scope.captures_only { Bitboard::EMPTY } else { quiet };
            let mut reached = Reach { quiet: quiet & scope.to(number), captures: captures & scope.to(number) };
            if let Some(second) = &second {
                second.keep_followed(&view, kind, &mut reached);
            }
            let mut choosing = Bitboard::EMPTY;
            if kind == PieceKind::Pawn && !(reached.targets() & last_rank).is_empty() {
                if twins.is_none_or(|twins| twins.promotes(position, from)) {
                    choosing = last_rank;
                } else {
                    reached.quiet &= !last_rank;
                    reached.captures &= !last_rank;
                }
            }
            if let Some(survey) = &survey
                && !reached.captures.is_empty()
            {
                let (open, choosing_removals) = survey.open(from, reached.captures);
                reached.captures = open;
                choosing = choosing | choosing_removals;
            }
            let targets = reached.targets();
            if !targets.is_empty() {
                let captures = reached.captures;
                let choosing = choosing & targets;
                visit(&Offer { kind, from, to_board: number, targets, captures, choosing })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Whether a second step can follow the offered first ones whatever they take along: some partner has a quiet step
/// without a promotion.
pub fn surely_goes_on(turn: &Turn, offer: &Offer) -> bool {
    let (board, side) = (turn.position.board(other(offer.from.board)), turn.position.to_move);
    let view = View::new(board, side);
    let last_rank = pawns::last_rank(view.geometry, side);
    partner_pieces(board, side, offer.kind).into_iter().any(|from| {
        board.piece(from).is_some_and(|Piece { kind, .. }| {
            let quiet = step_reach(&view, kind, from).quiet;
            !(if kind.is_pawn() { quiet & !last_rank } else { quiet }).is_empty()
        })
    })
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
    let second = SecondStep::on(position, other(step.from.board), twins);
    (!captures_king && !second.can_follow(kind, captured.is_some())).then(dead_end)
}
