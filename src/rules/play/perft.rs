//! Counting the sequences of legal moves to a depth.

use std::ops::ControlFlow;

use crate::rules::position::Position;
use crate::rules::turn::{Scope, Turn};
use crate::rules::variant::Variant;

use super::judge::finish;
use super::walk::{Query, count, make_into, moves};

/// Counts the sequences of `depth` legal moves. Draws by repetition and fifty moves are not asked; a finished game
/// has none.
pub fn perft(variant: &dyn Variant, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if variant.ending(position).is_some() {
        return 0;
    }
    nodes(variant, &Turn::new(position.clone()), depth)
}

fn nodes(variant: &dyn Variant, turn: &Turn, depth: u32) -> u64 {
    if depth == 1 {
        return count(variant, turn, &Scope::ALL, &|| false).unwrap_or(0);
    }
    let mut total = 0;
    let mut next = turn.clone();
    let _ = moves(variant, turn, &Query::ALL, &mut |before, steps| {
        let Some(last) = steps.last() else { return ControlFlow::Continue(()) };
        make_into(&mut next, variant, before, last);
        if next.outcome.is_none() {
            finish(&mut next);
            total += nodes(variant, &next, depth - 1);
        }
        ControlFlow::Continue(())
    });
    total
}
