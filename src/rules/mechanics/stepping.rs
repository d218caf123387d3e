//! Carrying out a step: what every game does with a piece that moves.

use crate::rules::moves::Step;
use crate::rules::outcome::{Change, ChangeCause, Report};
use crate::rules::piece::{Piece, PieceKind};
use crate::rules::square::Location;
use crate::rules::turn::{Taken, Turn};

use super::castling::Castling;
use super::pawns;

/// Carries out a plain step: captures, moves, castles, promotes. Gives what was captured. Games in which a capture or
/// a promotion has further consequences take the parts and do theirs in between.
pub fn carry_out(
    turn: &mut Turn,
    step: &Step,
    castling: Option<&Castling>,
    report: Report<'_>,
) -> Option<Piece> {
    let captured = capture(turn, step, report);
    let moved = advance(turn, step, castling, report);
    if let Some(kind) = step.promotion {
        promote(turn, step.to, kind, 0, ChangeCause::Promoted, report);
    }
    keep_rights_after(turn, castling, captured, moved);
    captured
}

/// Captures what the step captures, and says what it was.
pub fn capture(turn: &mut Turn, step: &Step, report: Report<'_>) -> Option<Piece> {
    let at = captured_at(turn, step)?;
    turn.irreversible = true;
    remove(turn, at, ChangeCause::Captured, report)
}

/// Where the piece stands that a step captures: on its target, or beside the passed square.
pub fn captured_at(turn: &Turn, step: &Step) -> Option<Location> {
    let position = &turn.position;
    if position.piece(step.to).is_some() {
        return Some(step.to);
    }
    let board = position.board(step.to.board);
    let mover = position.piece(step.from)?;
    let en_passant = board.en_passant?;
    (mover.kind.is_pawn()
        && en_passant.passed == step.to.square
        && pawns::attacks(board.geometry(), mover.kind, mover.side, step.from.square)
            .contains(step.to.square))
    .then_some(Location::new(step.to.board, en_passant.pawn))
}

/// Takes a piece off the boards.
pub fn remove(turn: &mut Turn, at: Location, cause: ChangeCause, report: Report<'_>) -> Option<Piece> {
    let removed = turn.position.take(at)?;
    report(Change { cause, at, from: None, removed: Some(removed), added: None });
    Some(removed)
}

/// Moves the piece, lets the rook follow a castling king, and gives what moved. What stood on the target is gone
/// already; a pawn that promotes does so afterwards.
pub fn advance(
    turn: &mut Turn,
    step: &Step,
    castling: Option<&Castling>,
    report: Report<'_>,
) -> Option<Piece> {
    let piece = shift(turn, step.from, step.to, ChangeCause::Moved, report)?;
    turn.taken.push(Taken { step: *step, kind: piece.kind });
    if piece.kind.is_pawn() {
        turn.irreversible = true;
        let board = turn.position.board_mut(step.to.board);
        if let Some(made) = pawns::double_step(board.geometry(), step.from.square, step.to.square) {
            board.en_passant = Some(made);
            turn.doubled |= 1 << step.to.board;
        }
    }
    if piece.kind == PieceKind::King
        && step.from.board == step.to.board
        && let Some(castling) = castling
    {
        let board = turn.position.board(step.to.board);
        let meant = castling.meant_by(board, piece.side, step.from.square, step.to.square);
        if let Some((_, squares)) = meant {
            let at = |square| Location::new(step.to.board, square);
            shift(turn, at(squares.rook_from), at(squares.rook_to), ChangeCause::Castled, report);
        }
    }
    Some(piece)
}

/// Turns a pawn into another piece of its side where it stands.
pub fn promote(
    turn: &mut Turn,
    at: Location,
    kind: PieceKind,
    twin_group: u8,
    cause: ChangeCause,
    report: Report<'_>,
) {
    let Some(pawn) = turn.position.take(at) else { return };
    let added = Piece { kind, side: pawn.side, twin_group };
    turn.position.put(at, added);
    report(Change { cause, at, from: None, removed: Some(pawn), added: Some(added) });
}

fn shift(
    turn: &mut Turn,
    from: Location,
    to: Location,
    cause: ChangeCause,
    report: Report<'_>,
) -> Option<Piece> {
    let piece = turn.position.take(from)?;
    turn.position.put(to, piece);
    report(Change { cause, at: to, from: Some(from), removed: None, added: Some(piece) });
    Some(piece)
}

/// Takes away, on every board, the castling rights whose king or rook is gone from home after a step that captured and
/// moved these pieces. A right goes with its king or rook: no other step can end one.
pub fn keep_rights_after(
    turn: &mut Turn,
    castling: Option<&Castling>,
    captured: Option<Piece>,
    moved: Option<Piece>,
) {
    let concerns = |piece: Piece| matches!(piece.kind, PieceKind::King | PieceKind::Rook);
    let Some(castling) = castling else { return };
    if !captured.is_some_and(concerns) && !moved.is_some_and(concerns) {
        return;
    }
    for board in 0..turn.position.boards().len() as u8 {
        if !turn.position.board(board).castling.is_empty() {
            castling.keep_rights(turn.position.board_mut(board));
        }
    }
}
