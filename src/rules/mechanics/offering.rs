//! Offering where a piece can go.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::piece::PieceKind;
use crate::rules::square::{Location, Square};
use crate::rules::turn::{Offer, Scope, Visit};

use super::pawns;
use super::reach::{Reach, View, reach};

/// Where a piece of any kind can go. The double step of pawns is asked for by `doubles`.
#[inline(always)]
pub fn piece_reach(view: &View<'_>, kind: PieceKind, from: Square, doubles: bool) -> Reach {
    if kind.is_pawn() { pawns::reach(view, kind, from, doubles) } else { reach(view, kind, from) }
}

/// Offers those squares of a reach on one board that the scope asks for, if there are any. At `choosing` among them
/// the mover has more to choose.
pub fn offer(
    kind: PieceKind,
    from: Location,
    to_board: u8,
    reach: Reach,
    choosing: Bitboard,
    scope: &Scope,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let targets = reach.within(scope, to_board);
    if targets.is_empty() {
        return ControlFlow::Continue(());
    }
    let captures = targets & reach.captures;
    visit(&Offer { kind, from, to_board, targets, captures, choosing: targets & choosing })
}
