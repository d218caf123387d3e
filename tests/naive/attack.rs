//! Which squares are attacked.

use super::position::{Place, Position, Side};
use super::reach::reaches;
use super::variant::Variant;

impl Position {
    /// Whether some piece of `by` could capture what stands on a square.
    ///
    /// rule: attack is by ordinary movement; it ignores whether the capture would be open as a move (a lone pawn that
    /// could not promote still attacks).
    pub fn is_attacked(&self, target: Place, by: Side) -> bool {
        // Only in Three Universes can a piece capture on another board than its own.
        let boards = if self.variant == Variant::ThreeUniverses {
            0..self.boards.len()
        } else {
            target.board..target.board + 1
        };
        for board in boards {
            for (from, _) in self.pieces_of(by, board) {
                if reaches(self, from).iter().any(|reach| reach.captures == Some(target)) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a side's king stands on a board and is attacked there.
    pub fn king_is_attacked(&self, side: Side, board: usize) -> bool {
        self.king_of(side, board).is_some_and(|king| self.is_attacked(king, side.other()))
    }
}
