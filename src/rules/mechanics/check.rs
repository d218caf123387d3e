//! Games of one board in which check binds: what they offer, when they end, and what makes their positions sound.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::illegal::{IllegalReason, Refusal};
use crate::rules::moves::Step;
use crate::rules::outcome::{DrawReason, Outcome, WinReason};
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::{Location, Square};
use crate::rules::turn::{Offer, Scope, Turn, Visit};

use super::attack::{Aftermath, Guard, is_attacked};
use super::castling::{Castling, crossed, occupied_after};
use super::offering::piece_reach;
use super::reach::{Reach, View};
use super::twins::{self, Twins};
use super::{kings, pawns, refusal, stepping};

/// The number of the only board.
const BOARD: u8 = 0;

/// A position surveyed for the steps of the side to move.
struct Survey<'a> {
    view: View<'a>,
    guard: Guard<'a>,
    castling: &'a Castling,
    last_rank: Bitboard,
}

impl<'a> Survey<'a> {
    fn new(turn: &'a Turn, castling: &'a Castling) -> Self {
        let board = turn.position.board(BOARD);
        let side = turn.position.to_move;
        Self {
            view: View::new(board, side),
            guard: Guard::new(board, side),
            castling,
            last_rank: pawns::last_rank(board.geometry(), side),
        }
    }

    /// The legal targets of a piece, and those of its targets, legal or not, that capture.
    #[inline(always)]
    fn targets(&self, kind: PieceKind, from: Square, scope: &Scope) -> (Bitboard, Bitboard) {
        let board = self.view.board;
        let is_pawn = kind.is_pawn();
        let reach = piece_reach(&self.view, kind, from, true);
        let captures = reach.captures;
        let reached = reach.within(scope, BOARD);
        let legal = if kind == PieceKind::King {
            let castles = if scope.captures_only || self.guard.in_check() || board.castling.is_empty() {
                Bitboard::EMPTY
            } else {
                castling_targets(board, self.view.side, self.castling, &self.guard) & scope.to(BOARD)
            };
            safe_one_by_one(&self.guard, from, reached) | castles
        } else if is_pawn && board.en_passant.is_some() {
            let passed = reached & captures & !self.view.enemies;
            let safe = self.guard.filter(from, reached & !passed);
            if passed.is_empty() { safe } else { safe | safe_en_passant(board, &self.guard, from, passed) }
        } else {
            self.guard.filter(from, reached)
        };
        (legal, captures)
    }
}

/// Offers the legal steps of the side to move, piece by piece.
pub fn offers(turn: &Turn, scope: &Scope, castling: &Castling, visit: Visit<'_>) -> ControlFlow<()> {
    let survey = Survey::new(turn, castling);
    let board = survey.view.board;
    for from in board.side(survey.view.side) & scope.from(BOARD) {
        let Some(piece) = board.piece(from) else { continue };
        let (targets, captures) = survey.targets(piece.kind, from, scope);
        if targets.is_empty() {
            continue;
        }
        let is_pawn = piece.kind.is_pawn();
        visit(&Offer {
            kind: piece.kind,
            from: Location::new(BOARD, from),
            to_board: BOARD,
            targets,
            captures: targets & captures,
            choosing: if is_pawn { targets & survey.last_rank } else { Bitboard::EMPTY },
        })?;
    }
    ControlFlow::Continue(())
}

/// Offers the legal steps of the side to move in a game with twins, whose removals come before king safety.
pub fn offers_with_twins(
    turn: &Turn,
    scope: &Scope,
    castling: &Castling,
    twins: &Twins,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let survey = Survey::new(turn, castling);
    let twins = twins::Survey::new(twins, turn);
    let board = survey.view.board;
    for square in board.side(survey.view.side) & scope.from(BOARD) {
        let Some(Piece { kind, .. }) = board.piece(square) else { continue };
        let from = Location::new(BOARD, square);
        // No removal follows a quiet step, so that it is safe or not as in a game without twins.
        let (safe, captures) = survey.targets(kind, square, scope);
        let mut reached = Reach { quiet: safe & !captures, captures: captures & scope.to(BOARD) };
        let choosing = twins.keep_open(kind, from, &mut reached);
        let (targets, captures) = (reached.targets(), reached.captures);
        if !targets.is_empty() {
            visit(&Offer { kind, from, to_board: BOARD, targets, captures, choosing })?;
        }
    }
    ControlFlow::Continue(())
}

/// How many steps [`offers`] offers of all, a promoting pawn having `promotions` kinds to choose from. Pawns that
/// nothing binds are counted by whole sets.
pub fn count(turn: &Turn, castling: &Castling, pawn: PieceKind, promotions: usize) -> u64 {
    let survey = Survey::new(turn, castling);
    let View { board, side, .. } = survey.view;
    let own = board.side(side);
    // Pawns that may capture en passant are looked at one by one.
    let beside = board.en_passant.map_or(Bitboard::EMPTY, |en_passant| {
        pawns::attacks(board.geometry(), pawn, side.opponent(), en_passant.passed)
    });
    let unbound = survey.guard.unbound(own & board.kind(pawn) & !beside);
    let (mut steps, mut promoting) = pawns::count(&survey.view, pawn, unbound, true);
    for from in own & !unbound {
        let Some(piece) = board.piece(from) else { continue };
        let (targets, _) = survey.targets(piece.kind, from, &Scope::ALL);
        steps += targets.count();
        if piece.kind.is_pawn() {
            promoting += (targets & survey.last_rank).count();
        }
    }
    // A step to the last rank stands for as many as there are kinds, and was counted once.
    u64::from(steps) + u64::from(promoting) * (promotions as u64 - 1)
}

/// The king's own steps that end out of attack.
fn safe_one_by_one(guard: &Guard<'_>, from: Square, targets: Bitboard) -> Bitboard {
    targets.into_iter().filter(|&to| guard.allows(from, to, Bitboard::of(to))).collect()
}

/// The passed square, where capturing the pawn that passed it leaves the king safe.
fn safe_en_passant(board: &Board, guard: &Guard<'_>, from: Square, passed: Bitboard) -> Bitboard {
    let Some(en_passant) = board.en_passant else { return Bitboard::EMPTY };
    passed.into_iter().filter(|&to| guard.allows(from, to, Bitboard::of(en_passant.pawn))).collect()
}

/// Where the king, not in check, may castle to.
fn castling_targets(board: &Board, side: Side, castling: &Castling, guard: &Guard<'_>) -> Bitboard {
    castling
        .open(board, side)
        .filter(|squares| {
            let safe_way = crossed(board, *squares)
                .without(squares.king_from)
                .into_iter()
                .all(|square| guard.allows(squares.king_from, square, Bitboard::EMPTY));
            let after = occupied_after(board, *squares);
            safe_way && !is_attacked(board, squares.king_to, side.opponent(), after, Bitboard::EMPTY)
        })
        .map(|squares| squares.king_to)
        .collect()
}

/// A side's king, if the opponent attacks it. (More kings than one are a fault: then the first that is attacked.)
pub fn attacked_king(position: &Position, side: Side) -> Option<Location> {
    let board = position.board(BOARD);
    let mut kings = board.pieces(side, PieceKind::King).into_iter();
    kings
        .find(|&king| is_attacked(board, king, side.opponent(), board.occupied(), Bitboard::EMPTY))
        .map(|king| Location::new(BOARD, king))
}

/// Mate or stalemate of the side to move, which has no legal move.
pub fn mate_or_stalemate(position: &Position) -> Outcome {
    match attacked_king(position, position.to_move) {
        Some(_) => Outcome::Won { winner: position.to_move.opponent(), reason: WinReason::Checkmate },
        None => Outcome::Drawn { reason: DrawReason::Stalemate },
    }
}

/// Each side has exactly one king, and the side not to move does not stand in check.
pub fn check_kings(position: &Position, faults: &mut Vec<Fault>) {
    kings::check_present(position, BOARD, faults);
    kings::check_single(position, BOARD, faults);
    let waiting = position.to_move.opponent();
    if attacked_king(position, waiting).is_some() {
        let message = format!("{} is in check and not to move", waiting.name());
        faults.push(Fault::new(FaultCode::OpponentInCheck, Part::Placement(BOARD), message));
    }
}

/// Why no piece of the mover's makes such a step, king safety and what the step chooses aside.
pub fn refusal_of_movement(turn: &Turn, step: &Step, castling: &Castling) -> Option<Refusal> {
    let position = &turn.position;
    refusal::of_standing(position, step).or_else(|| {
        let piece = position.piece(step.from)?;
        refusal::of_movement(position.board(BOARD), piece, step, Some(castling), true)
    })
}

/// Why a step is not offered by [`offers`].
pub fn refusal(turn: &Turn, step: &Step, castling: &Castling, promotions: &[PieceKind]) -> Refusal {
    let position = &turn.position;
    let board = position.board(BOARD);
    refusal_of_movement(turn, step, castling)
        .or_else(|| refusal::of_promotion(board, position.piece(step.from)?, step, promotions))
        .or_else(|| refusal::of_twins_in_a_game_without(step))
        .or_else(|| {
            let removed =
                stepping::captured_at(turn, step).map_or(Bitboard::EMPTY, |at| Bitboard::of(at.square));
            let (from, to) = (step.from.square, step.to.square);
            let after = Aftermath::of_step(board, position.to_move, from, to, removed);
            refusal::of_attacked_king(IllegalReason::KingLeftAttacked, BOARD, &after)
        })
        .unwrap_or_else(|| refusal::unexplained(step))
}
