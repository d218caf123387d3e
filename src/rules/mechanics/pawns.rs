//! Pawns of both sorts: quiet steps, double steps, captures, en passant, promotion.
//!
//! The pawn moves straight and captures diagonally, the Berolina pawn the other way round; all else is the same.

use crate::rules::bitboard::Bitboard;
use crate::rules::board::EnPassant;
use crate::rules::geometry::{Direction, Geometry};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::square::Square;

use super::reach::{Reach, View};

/// The directions in which a side's pawn of this kind moves without capturing.
fn quiet_directions(kind: PieceKind, side: Side) -> &'static [Direction] {
    match (kind, side.index()) {
        (PieceKind::BerolinaPawn, 0) => &[Direction::NorthEast, Direction::NorthWest],
        (PieceKind::BerolinaPawn, _) => &[Direction::SouthWest, Direction::SouthEast],
        (_, 0) => &[Direction::North],
        (_, _) => &[Direction::South],
    }
}

/// The squares that a side's pawn of this kind attacks.
pub fn attacks(geometry: &Geometry, kind: PieceKind, side: Side, from: Square) -> Bitboard {
    if kind == PieceKind::BerolinaPawn {
        geometry.pawn_forward(side, from)
    } else {
        geometry.pawn_diagonals(side, from)
    }
}

/// The squares one quiet step away.
fn singles(geometry: &Geometry, kind: PieceKind, side: Side, from: Square) -> Bitboard {
    if kind == PieceKind::BerolinaPawn {
        geometry.pawn_diagonals(side, from)
    } else {
        geometry.pawn_forward(side, from)
    }
}

/// The rank on which a side's pawns promote.
pub fn last_rank(geometry: &Geometry, side: Side) -> Bitboard {
    geometry.rank_squares(if side.index() == 0 { geometry.ranks() - 1 } else { 0 })
}

/// Where a pawn can go. The double step is asked for by `doubles`; en passant follows from the board.
#[inline(always)]
pub fn reach(view: &View<'_>, kind: PieceKind, from: Square, doubles: bool) -> Reach {
    let &View { board, geometry, side, occupied, enemies } = view;
    let mut quiet = singles(geometry, kind, side, from) & !occupied;
    if doubles && !quiet.is_empty() {
        quiet |= if kind == PieceKind::BerolinaPawn {
            diagonal_doubles(view, from, quiet)
        } else {
            geometry.pawn_double(side, from) & !occupied
        };
    }
    let attacked = attacks(geometry, kind, side, from);
    let mut captures = attacked & enemies;
    if board.en_passant.is_some()
        && let Some(passed) = en_passant_target(view)
        && attacked.contains(passed)
    {
        captures.insert(passed);
    }
    Reach { quiet, captures }
}

/// From a second rank, the free squares beyond each free one of `singles`, along the same diagonal.
fn diagonal_doubles(view: &View<'_>, from: Square, singles: Bitboard) -> Bitboard {
    let &View { geometry, side, occupied, .. } = view;
    if !geometry.pawn_home(side).contains(from) {
        return Bitboard::EMPTY;
    }
    let back = geometry.pawn_double(side, from);
    let beyond = |middle| geometry.pawn_diagonals(side, middle) & !back;
    singles.into_iter().fold(Bitboard::EMPTY, |squares, middle| squares | beyond(middle)) & !occupied
}

/// The square on which a side may capture en passant: the passed one, while it is empty and the pawn is an enemy's.
fn en_passant_target(view: &View<'_>) -> Option<Square> {
    let EnPassant { passed, pawn } = view.board.en_passant?;
    (view.enemies.contains(pawn) && !view.occupied.contains(passed)).then_some(passed)
}

/// What a pawn's step leaves for en passant, where it is a double step: one that goes further than to a next square.
pub fn double_step(geometry: &Geometry, from: Square, to: Square) -> Option<EnPassant> {
    let far = from.index().abs_diff(to.index()) > usize::from(geometry.files()) + 1;
    let passed = Square::new(((from.index() + to.index()) / 2) as u8);
    far.then_some(EnPassant { passed, pawn: to })
}

/// The square that a double step came from, where a side's pawn of this kind can have made it.
pub fn double_step_origin(
    geometry: &Geometry,
    kind: PieceKind,
    side: Side,
    en_passant: EnPassant,
) -> Option<Square> {
    let EnPassant { passed, pawn } = en_passant;
    quiet_directions(kind, side).iter().find_map(|direction| {
        let (east, north) = direction.delta();
        let origin = geometry.offset(passed, -east, -north)?;
        (geometry.offset(passed, east, north) == Some(pawn) && geometry.pawn_home(side).contains(origin))
            .then_some(origin)
    })
}

/// The square of a pawn that moves straight and passed `passed`.
pub fn straight_pawn_beyond(geometry: &Geometry, side: Side, passed: Square) -> Option<Square> {
    geometry.pawn_forward(side, passed).first()
}

/// How many quiet steps and captures all these pawns of one kind have together, and how many of both go to the last
/// rank. En passant is not counted. The same as the sum over [`reach`], by whole sets of squares.
pub fn count(view: &View<'_>, kind: PieceKind, pawns: Bitboard, doubles: bool) -> (u32, u32) {
    let &View { geometry, side, occupied, enemies, .. } = view;
    let ahead = geometry.all_forward(side, pawns);
    let sideways = [geometry.all_east(ahead), geometry.all_west(ahead)];
    let is_berolina = kind == PieceKind::BerolinaPawn;
    let free = !occupied;
    let quiet = if is_berolina { sideways } else { [ahead, Bitboard::EMPTY] }.map(|squares| squares & free);
    let captures =
        if is_berolina { [ahead, Bitboard::EMPTY] } else { sideways }.map(|squares| squares & enemies);
    let mut count = 0;
    let mut last = 0;
    for squares in quiet.into_iter().chain(captures) {
        count += squares.count();
        last += (squares & last_rank(geometry, side)).count();
    }
    if doubles {
        let ranks_ahead = geometry.all_forward(side, geometry.pawn_home(side));
        let beyond = quiet.map(|squares| geometry.all_forward(side, squares & ranks_ahead));
        let ends =
            if is_berolina { [geometry.all_east(beyond[0]), geometry.all_west(beyond[1])] } else { beyond };
        count += ends.map(|squares| (squares & free).count()).iter().sum::<u32>();
    }
    (count, last)
}
