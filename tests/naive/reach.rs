//! How each kind of piece moves, without castling and without asking what the move leaves behind.

use super::position::{Piece, Place, Position, Side};
use super::variant::Variant;

/// A square that a piece can go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    pub to: Place,
    /// The square of the piece captured on the way: `to`, except en passant.
    pub captures: Option<Place>,
    /// The square that a double step passes.
    pub passes: Option<Place>,
}

fn quiet(to: Place) -> Reach {
    Reach { to, captures: None, passes: None }
}

fn capture(to: Place) -> Reach {
    Reach { to, captures: Some(to), passes: None }
}

/// The boards of Three Universes.
const RED: usize = 0;
const GREEN: usize = 1;
const BLUE: usize = 2;

/// Files and ranks.
type Direction = (i32, i32);

const STRAIGHT: [Direction; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Direction; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ALL_EIGHT: [Direction; 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [Direction; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Everywhere that the piece on a square can go, each way once.
pub fn reaches(position: &Position, from: Place) -> Vec<Reach> {
    let Some(piece) = position.at(from) else {
        return Vec::new();
    };
    match piece.kind {
        'K' => leaps(position, from, piece, &ALL_EIGHT),
        'N' => leaps(position, from, piece, &KNIGHT),
        'Q' => slides(position, from, piece, &ALL_EIGHT),
        'R' => slides(position, from, piece, &STRAIGHT),
        'B' => slides(position, from, piece, &DIAGONAL),
        'P' => pawn(position, from, piece),
        'X' => berolina_pawn(position, from, piece),
        'S' => ship_or_archer(position, from, piece, &STRAIGHT),
        'A' => ship_or_archer(position, from, piece, &DIAGONAL),
        'I' => prince(position, from),
        'C' => commander(position, from),
        other => panic!("no piece {other}"),
    }
}

fn is_enemy(position: &Position, place: Place, side: Side) -> bool {
    position.at(place).is_some_and(|piece| piece.side != side)
}

/// Straight to a square, whatever stands between.
fn leaps(position: &Position, from: Place, piece: Piece, directions: &[Direction]) -> Vec<Reach> {
    let mut found = Vec::new();
    for &direction in directions {
        let to = from.shifted(direction);
        if position.is_empty_square(to) {
            found.push(quiet(to));
        } else if is_enemy(position, to, piece.side) {
            found.push(capture(to));
        }
    }
    found
}

/// From square to square until something stands in the way.
fn slides(position: &Position, from: Place, piece: Piece, directions: &[Direction]) -> Vec<Reach> {
    let mut found = Vec::new();
    for &direction in directions {
        let end = slide(position, from, piece.side, direction, &mut found);
        found.extend(passages(position, piece, end, direction));
    }
    found
}

/// One line of a slide. Gives the first square that it cannot go through, which may be off the board.
fn slide(
    position: &Position,
    from: Place,
    side: Side,
    direction: Direction,
    found: &mut Vec<Reach>,
) -> Place {
    let mut to = from.shifted(direction);
    while position.is_empty_square(to) {
        found.push(quiet(to));
        to = to.shifted(direction);
    }
    if is_enemy(position, to, side) {
        found.push(capture(to));
    }
    to
}

/// Three Universes: a slide that ended at the square `end` may go on in another universe.
fn passages(position: &Position, piece: Piece, end: Place, direction: Direction) -> Vec<Reach> {
    let mut found = Vec::new();
    if position.variant != Variant::ThreeUniverses {
        return found;
    }
    // rule: a rook or bishop (never a queen) whose line, with no piece between, reaches the mover's own king ...
    let reaches_own_king = position.at(end).is_some_and(|other| other.is(piece.side, 'K'));
    if !matches!(piece.kind, 'R' | 'B') || !reaches_own_king {
        return found;
    }
    // rule: from Green one may pass to Red or to Blue; from Red or Blue only to Green.
    let universes: &[usize] = if end.board == GREEN { &[RED, BLUE] } else { &[GREEN] };
    for &universe in universes {
        // rule: ... may go on from the mover's own king of another universe, in the same direction, sliding from the
        // square next to that king. Without that king there is no passage.
        if let Some(king) = position.king_of(piece.side, universe) {
            slide(position, king, piece.side, direction, &mut found);
        }
    }
    found
}

fn pawn(position: &Position, from: Place, piece: Piece) -> Vec<Reach> {
    let forward = piece.side.forward();
    let mut found = Vec::new();
    let one = from.shifted((0, forward));
    let two = one.shifted((0, forward));
    if position.is_empty_square(one) {
        found.push(quiet(one));
        if may_double_step(position, from, piece) && position.is_empty_square(two) {
            found.push(Reach { to: two, captures: None, passes: Some(one) });
        }
    }
    for sideways in [-1, 1] {
        let to = from.shifted((sideways, forward));
        found.extend(pawn_capture(position, to, piece));
    }
    found
}

fn berolina_pawn(position: &Position, from: Place, piece: Piece) -> Vec<Reach> {
    let forward = piece.side.forward();
    let mut found = Vec::new();
    // rule: moves without capturing one square diagonally forward; from its own second rank also two squares along
    // the same diagonal when both squares are empty.
    for sideways in [-1, 1] {
        let one = from.shifted((sideways, forward));
        let two = one.shifted((sideways, forward));
        if position.is_empty_square(one) {
            found.push(quiet(one));
            if may_double_step(position, from, piece) && position.is_empty_square(two) {
                found.push(Reach { to: two, captures: None, passes: Some(one) });
            }
        }
    }
    // rule: captures one square straight forward; so it does en passant.
    let to = from.shifted((0, forward));
    found.extend(pawn_capture(position, to, piece));
    found
}

fn may_double_step(position: &Position, from: Place, piece: Piece) -> bool {
    let second_rank = position.first_rank(piece.side) + piece.side.forward();
    position.variant.has_double_step() && from.rank == second_rank
}

/// The capture of what stands on `to`, or of the pawn that has just passed it.
fn pawn_capture(position: &Position, to: Place, piece: Piece) -> Option<Reach> {
    if is_enemy(position, to, piece.side) {
        return Some(capture(to));
    }
    // rule: the right exists only while the pawn that made the double step still stands there as a pawn, and it can
    // be used only while the passed square is empty.
    let right = position.boards[to.board].en_passant?;
    let pawn = position.at(right.pawn)?;
    let usable =
        right.passed == to && position.is_empty_square(to) && pawn.is_pawn() && pawn.side != piece.side;
    usable.then_some(Reach { to, captures: Some(right.pawn), passes: None })
}

/// Gamma2: the ship has the lines of a rook, the archer those of a bishop.
fn ship_or_archer(position: &Position, from: Place, piece: Piece, lines: &[Direction]) -> Vec<Reach> {
    // rule: steps one square in any direction, and captures one square away in any direction.
    let mut found = leaps(position, from, piece, &ALL_EIGHT);
    for &direction in lines {
        // rule: without capturing, slides.
        let mut to = from.shifted(direction);
        while position.is_empty_square(to) {
            // rule: the same from-square and to-square are one step, however many ways of moving allow it.
            if !found.contains(&quiet(to)) {
                found.push(quiet(to));
            }
            to = to.shifted(direction);
        }
        // rule: captures the first enemy piece beyond exactly one intervening piece (of either colour; any number of
        // empty squares on either side of it). `to` is that piece, or off the board.
        to = to.shifted(direction);
        while position.is_empty_square(to) {
            to = to.shifted(direction);
        }
        if is_enemy(position, to, piece.side) {
            found.push(capture(to));
        }
    }
    found
}

/// Influence: one square in any direction, to empty squares only.
fn prince(position: &Position, from: Place) -> Vec<Reach> {
    let mut found = Vec::new();
    for direction in ALL_EIGHT {
        let to = from.shifted(direction);
        if position.is_empty_square(to) {
            found.push(quiet(to));
        }
    }
    found
}

/// Influence: exactly two squares in any of the eight directions, the square between empty.
fn commander(position: &Position, from: Place) -> Vec<Reach> {
    let mut found = Vec::new();
    for direction in ALL_EIGHT {
        let between = from.shifted(direction);
        let to = between.shifted(direction);
        if position.is_empty_square(between) && position.is_empty_square(to) {
            found.push(quiet(to));
        }
    }
    found
}
