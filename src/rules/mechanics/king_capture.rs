//! Games in which kings are captured: nothing forbids leaving a king attacked, and lost kings lose the game.

use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::outcome::{Outcome, WinReason};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::{Location, Square};

use super::attack::Aftermath;
use super::castling::Castling;
use super::kings;
use super::offering::piece_reach;
use super::reach::{Reach, View};

/// Where a piece can go where no attack forbids a step: by its movement, castling included where there is any.
#[inline(always)]
pub fn free_reach(view: &View<'_>, kind: PieceKind, from: Square, castling: Option<&Castling>) -> Reach {
    let mut reached = piece_reach(view, kind, from, true);
    if kind == PieceKind::King
        && let Some(castling) = castling
    {
        for squares in castling.open(view.board, view.side) {
            reached.quiet.insert(squares.king_to);
        }
    }
    reached
}

/// The kings of a side that the opponent attacks by ordinary movement, in board order.
pub fn attacked_kings(position: &Position, side: Side) -> Vec<Location> {
    position
        .numbered_boards()
        .filter_map(|(number, board)| {
            let after = Aftermath::untouched(board, side);
            let king = after.king()?;
            after.is_attacked().then_some(Location::new(number, king))
        })
        .collect()
}

/// Whether a side lacks a king on some board: in most games it has lost.
pub fn lacks_a_king(position: &Position, side: Side) -> bool {
    position.boards().iter().any(|board| board.king(side).is_none())
}

/// How the game has ended, where one of its two sides has lost by its missing kings.
pub fn ending(position: &Position, has_lost: impl Fn(&Position, Side) -> bool) -> Option<Outcome> {
    [position.to_move, position.to_move.opponent()]
        .into_iter()
        .find(|&side| has_lost(position, side))
        .map(|side| Outcome::Won { winner: side.opponent(), reason: WinReason::KingCaptured })
}

/// Each side has at most one king on each board, and not both sides have lost.
pub fn check_kings(position: &Position, has_lost: impl Fn(&Position, Side) -> bool, faults: &mut Vec<Fault>) {
    for (number, _) in position.numbered_boards() {
        kings::check_single(position, number, faults);
    }
    if [position.to_move, position.to_move.opponent()].into_iter().all(|side| has_lost(position, side)) {
        let message = "both players have lost the kings that they need";
        faults.push(Fault::new(FaultCode::BothLost, Part::Whole, message));
    }
}
