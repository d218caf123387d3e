//! How many kings the two armies have on a board.

use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;

/// The sides that have kings.
const ARMIES: [Side; 2] = [Side::White, Side::Black];

/// Reports each army that has no king on the board.
pub fn check_present(position: &Position, board: u8, faults: &mut Vec<Fault>) {
    for side in ARMIES {
        if position.board(board).king(side).is_none() {
            let message = format!("{} has no king", side.name());
            faults.push(Fault::new(FaultCode::MissingKing, Part::Placement(board), message));
        }
    }
}

/// Reports each army that has more than one king on the board.
pub fn check_single(position: &Position, board: u8, faults: &mut Vec<Fault>) {
    for side in ARMIES {
        let kings = position.board(board).pieces(side, PieceKind::King);
        if kings.is_many() {
            let message = format!("{} has {} kings, and may have one", side.name(), kings.count());
            faults.push(Fault::new(FaultCode::TooManyKings, Part::Placement(board), message));
        }
    }
}
