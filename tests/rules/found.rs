//! What fuzzing found, each made as small as it could be.

use std::ops::ControlFlow;

use arbiter::rules::bitboard::Bitboard;
use arbiter::rules::initial_position;
use arbiter::rules::moves::{MAX_STEPS, Steps};
use arbiter::rules::play::{self, Query};
use arbiter::rules::position::MAX_BOARDS;
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;

fn listed(variant: &dyn Variant, start: &Turn, query: &Query<'_>) -> Vec<Steps> {
    let mut moves = Vec::new();
    let _ = play::moves(variant, start, query, &mut |_, steps| {
        moves.extend(Steps::try_from(steps));
        ControlFlow::Continue(())
    });
    moves
}

/// A page token can be put together with any legal move as its place, one of another piece than the filter's, too.
#[test]
fn a_list_goes_on_after_a_place_outside_of_its_scope() {
    for &variant in variants::ALL {
        let start = Turn::new(initial_position(variant, None).unwrap());
        let all = listed(variant, &start, &Query::ALL);
        let (first, last) = (all.first().unwrap(), all.last().unwrap());
        for (place, piece) in [(first, last), (last, first)] {
            let from = piece[0].from;
            let mut scope = Scope { from: [Bitboard::EMPTY; MAX_BOARDS], ..Scope::ALL };
            scope.from[usize::from(from.board)] = Bitboard::of(from.square);
            let mut scopes = [Scope::ALL; MAX_STEPS];
            scopes[0] = scope;
            let wanted: Vec<_> =
                all.iter().filter(|steps| steps[0].from == from && steps[..] > place[..]).cloned().collect();
            let found = listed(variant, &start, &Query { scopes, after: Some(place) });
            assert_eq!(found, wanted, "{} after {place:?}", variant.card().id);
        }
    }
}
