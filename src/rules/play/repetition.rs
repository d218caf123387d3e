//! Games: a position with the keys of the positions before it, and how a position is told apart from others.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::key;
use crate::rules::mechanics::pawns;
use crate::rules::piece::PieceKind;
use crate::rules::position::{MAX_BOARDS, Position};
use crate::rules::square::Location;
use crate::rules::turn::{Scope, Turn};
use crate::rules::variant::Variant;

use super::walk::{each_step, is_full, make_into, steps};

/// The most earlier positions that can matter: a draw comes after a hundred moves without a capture or pawn step.
pub const HISTORY_LIMIT: usize = 100;

/// A position and the keys of the earlier positions since the last irreversible move, oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The position.
    pub position: Position,
    /// The keys of the positions before it; at most [`Game::history_limit`] of them.
    pub history: Vec<u64>,
}

impl Game {
    /// A game that begins, as far as is known, with this position.
    pub const fn new(position: Position) -> Self {
        Self { position, history: Vec::new() }
    }

    /// How many earlier positions can belong to a position: one a move since the last irreversible one.
    pub fn history_limit(position: &Position) -> usize {
        usize::from(position.halfmove_clock).min(HISTORY_LIMIT)
    }

    /// How often the position has occurred, this time included.
    pub fn repetitions(&self, variant: &dyn Variant) -> usize {
        if self.history.is_empty() {
            return 1;
        }
        let key = key(variant, &self.position);
        1 + self.history.iter().filter(|&&earlier| earlier == key).count()
    }

    /// The game after a move to `position`.
    pub(super) fn followed_by(&self, variant: &dyn Variant, position: Position) -> Self {
        let limit = Self::history_limit(&position);
        let mut history = Vec::new();
        if limit > 0 {
            let kept = self.history.len().saturating_sub(limit - 1);
            history.extend_from_slice(&self.history[kept..]);
            history.push(key(variant, &self.position));
        }
        Self { position, history }
    }
}

/// The key by which repetition knows a position: the same for positions with the same player to move, the same pieces
/// with the same twin groups on the same squares, the same castling rights, and the same en-passant captures possible.
pub fn key(variant: &dyn Variant, position: &Position) -> u64 {
    let mut bits = key_without_en_passant(position);
    for (number, board) in position.numbered_boards() {
        if let Some(en_passant) = board.en_passant
            && en_passant_is_possible(variant, position, number)
        {
            bits ^= key::en_passant(number, en_passant.passed.index(), en_passant.pawn.index());
        }
    }
    bits
}

/// A key of the position text, but for the move number: every en-passant square counts, and the half-move clock.
pub fn text_key(position: &Position) -> u64 {
    let mut bits = key_without_en_passant(position) ^ key::halfmove_clock(position.halfmove_clock);
    for (number, board) in position.numbered_boards() {
        if let Some(en_passant) = board.en_passant {
            bits ^= key::en_passant(number, en_passant.passed.index(), en_passant.pawn.index());
        }
    }
    bits
}

fn key_without_en_passant(position: &Position) -> u64 {
    let mut bits = position.placement_key() ^ key::to_move(position.to_move);
    if let Some(army) = position.above_army {
        bits ^= key::above_army(army);
    }
    for (number, board) in position.numbered_boards() {
        for right in board.castling.iter() {
            bits ^= key::castling_right(number, right.index());
        }
        if board.vanished {
            bits ^= key::vanished(number);
        }
    }
    bits
}

/// Whether some legal move captures en passant on this board. A game that has ended on the boards has no legal move.
fn en_passant_is_possible(variant: &dyn Variant, position: &Position, number: u8) -> bool {
    if variant.ending(position).is_some() {
        return false;
    }
    let board = position.board(number);
    let side = position.to_move;
    let Some(en_passant) = board.en_passant else { return false };
    let capturers = [PieceKind::Pawn, PieceKind::BerolinaPawn]
        .into_iter()
        .map(|kind| {
            pawns::attacks(board.geometry(), kind, side.opponent(), en_passant.passed)
                & board.pieces(side, kind)
        })
        .fold(Bitboard::EMPTY, |pawns, more| pawns | more);
    if capturers.is_empty() {
        return false;
    }
    let mut scope = Scope { from: [Bitboard::EMPTY; MAX_BOARDS], ..Scope::ALL };
    scope.from[usize::from(number)] = capturers;
    scope.to[usize::from(number)] = Bitboard::of(en_passant.passed);
    let passed = Location::new(number, en_passant.passed);
    can_take(variant, &Turn::new(position.clone()), &scope, passed)
}

/// Whether a legal move takes one of these steps onto the empty square `passed`, now or as a further step.
fn can_take(variant: &dyn Variant, turn: &Turn, scope: &Scope, passed: Location) -> bool {
    if is_full(variant, turn) {
        return false;
    }
    let now = turn.position.piece(passed).is_none()
        && steps(variant, turn, scope, None, &mut |_| ControlFlow::Break(())).is_break();
    if now || turn.taken.len() + 1 >= variant.card().max_steps {
        return now;
    }
    let mut next = turn.clone();
    let found = variant.offers(turn, &Scope::ALL, &mut |offer| {
        if variant.follows(turn, offer, scope) == Some(false) {
            return ControlFlow::Continue(());
        }
        each_step(variant, turn, offer, None, &mut |step| {
            make_into(&mut next, variant, turn, step);
            if can_take(variant, &next, scope, passed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    });
    found.is_break()
}
