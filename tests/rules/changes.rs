//! What the changes of a move must be.

use std::collections::BTreeMap;

use arbiter::rules::outcome::{Change, ChangeCause};
use arbiter::rules::piece::Piece;
use arbiter::rules::position::Position;
use arbiter::rules::square::Location;

/// The pieces of a position by their squares.
fn pieces(position: &Position) -> BTreeMap<Location, Piece> {
    position
        .numbered_boards()
        .flat_map(|(number, board)| {
            board
                .occupied()
                .into_iter()
                .filter_map(move |square| Some((Location::new(number, square), board.piece(square)?)))
        })
        .collect()
}

/// The changes, one after the other, carry the pieces of one position into those of the other; those of a step are in
/// the order of causes, and of squares within a cause. `origin` says in a failure where they come from.
pub fn changes_lead_there(before: &Position, changes: &[(usize, Change)], after: &Position, origin: &str) {
    let mut standing = pieces(before);
    for (_, change) in changes {
        let moved = change.from.map(|from| standing.remove(&from).expect("a piece goes from there"));
        if let Some(removed) = change.removed {
            assert_eq!(standing.remove(&change.at), Some(removed), "{origin}: {change:?}");
        }
        if let Some(added) = change.added {
            assert!(moved.is_none_or(|moved| moved == added), "{origin}: {change:?}");
            assert_eq!(standing.insert(change.at, added), None, "{origin}: {change:?}");
        }
    }
    assert_eq!(standing, pieces(after), "{origin}: {changes:?}");
    let place = |(step, change): &(usize, Change)| {
        let causes = [
            ChangeCause::Captured,
            ChangeCause::Moved,
            ChangeCause::Castled,
            ChangeCause::TwinRemoved,
            ChangeCause::PawnRemoved,
            ChangeCause::Promoted,
            ChangeCause::TwinPromoted,
            ChangeCause::Vanished,
        ];
        (*step, causes.iter().position(|&cause| cause == change.cause), change.at)
    };
    assert!(changes.is_sorted_by_key(place), "{origin}: {changes:?}");
}
