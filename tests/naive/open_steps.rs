//! The steps that a player may choose from: the ways in which pieces move, with castling, and with every choice of
//! promotion, twin and removal. (Influence Chess adds its own conditions, in `influence`.)

use super::position::{Place, Position, Side, is_pawn_kind};
use super::reach::{Reach, reaches};
use super::step::{Step, side_of_letter};
use super::variant::Variant;

/// The open steps of the player to move that start on a board. Where there is check, king safety is still to be asked.
pub fn open_steps(position: &Position, board: usize) -> Vec<Step> {
    let mut found = Vec::new();
    for (from, piece) in position.pieces_of(position.to_move, board) {
        for reach in reaches(position, from) {
            let bare = Step::new(from, piece.kind, reach);
            for promoted in with_promotions(position, &bare) {
                found.extend(with_removals(position, &promoted));
            }
        }
    }
    found.extend(castling(position, board));
    found
}

/// One step for each promotion and twin where a pawn reaches its last rank; else the step itself.
pub fn with_promotions(position: &Position, step: &Step) -> Vec<Step> {
    let Some(piece) = position.at(step.from) else {
        return Vec::new();
    };
    if !is_pawn_kind(step.kind) || step.to.rank != position.last_rank(piece.side) {
        return vec![step.clone()];
    }
    let mut found = Vec::new();
    for &kind in position.variant.promotions() {
        let promoted = Step { promotion: Some(kind), ..step.clone() };
        if !position.variant.has_twins() {
            found.push(promoted);
            continue;
        }
        // rule: always of two pawns: the second is another own pawn of the same board; in Extreme the second queen is
        // made of a pawn of the other board. Without it the pawn cannot step onto the last rank.
        let twin_board = if kind == 'Q' { 1 - step.from.board } else { step.from.board };
        for twin in position.pawns_of(piece.side, twin_board) {
            if twin != step.from {
                found.push(Step { twin: Some(twin), ..promoted.clone() });
            }
        }
    }
    found
}

/// One step for each choice of removals that is open; a step that removes nothing is itself the only one.
fn with_removals(position: &Position, step: &Step) -> Vec<Step> {
    let captured = step.captures.and_then(|place| position.at(place));
    let Some(captured) = captured.filter(|_| position.variant.has_twins()) else {
        return vec![step.clone()];
    };
    let after_capture = position.after_moving_and_capturing(step);
    let enemy = captured.side;
    match captured.kind {
        'P' => with_pawn_removals(&after_capture, step, enemy),
        // rule: capturing a rook, knight or bishop removes its twins; in Extreme a queen's too. The captured piece is
        // gone already, so every piece of its group that still stands is another.
        'R' | 'N' | 'B' => with_group_removed(&after_capture, step, enemy, captured.kind, captured.group),
        'Q' if position.variant == Variant::Extreme => {
            with_group_removed(&after_capture, step, enemy, captured.kind, captured.group)
        }
        _ => vec![step.clone()],
    }
}

/// rule: every other piece of the same colour, kind and group (in Extreme on both boards).
fn with_group_removed(
    after_capture: &Position,
    step: &Step,
    enemy: Side,
    kind: char,
    group: u32,
) -> Vec<Step> {
    let mut forced = Vec::new();
    for board in boards_with_removals(after_capture, step) {
        let twins: Vec<Place> = after_capture
            .pieces_of(enemy, board)
            .into_iter()
            .filter(|(_, piece)| piece.kind == kind && piece.group == group)
            .map(|(place, _)| place)
            .collect();
        if !may_remove(after_capture, board, &twins) {
            return Vec::new();
        }
        forced.extend(twins);
    }
    vec![Step { forced, ..step.clone() }]
}

/// rule: one other enemy pawn of that board (in Extreme also two of the other board), of the mover's choice; where
/// there are fewer, all there are.
fn with_pawn_removals(after_capture: &Position, step: &Step, enemy: Side) -> Vec<Step> {
    // The choices on the two boards are free of each other, as what stands on one board attacks nothing on the other.
    let mut choices: Vec<Vec<Place>> = vec![Vec::new()];
    for board in boards_with_removals(after_capture, step) {
        let pawns = after_capture.pawns_of(enemy, board);
        let number = if board == step.to.board { 1 } else { 2 };
        let sets: Vec<Vec<Place>> = subsets(&pawns, number.min(pawns.len()))
            .into_iter()
            .filter(|set| may_remove(after_capture, board, set))
            .collect();
        let mut longer = Vec::new();
        for choice in &choices {
            for set in &sets {
                longer.push([choice.clone(), set.clone()].concat());
            }
        }
        choices = longer;
    }
    choices.into_iter().map(|chosen| Step { chosen, ..step.clone() }).collect()
}

/// The boards from which a capture removes twins, in order.
fn boards_with_removals(position: &Position, step: &Step) -> Vec<usize> {
    if position.variant == Variant::Extreme { vec![0, 1] } else { vec![step.to.board] }
}

/// All sets of so many of the places, each in the order of the places.
fn subsets(places: &[Place], number: usize) -> Vec<Vec<Place>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (index, &first) in places.iter().enumerate() {
        for rest in subsets(&places[index + 1..], number - 1) {
            found.push([vec![first], rest].concat());
        }
    }
    found
}

/// rule: no removal may put the mover in check. For each board on which a step removes twins: if the mover's king on
/// that board is not attacked after the capture itself (before the removals), it may not be attacked after them. If
/// the mover has no king on that board, or it was attacked already, there is no restriction.
fn may_remove(after_capture: &Position, board: usize, removed: &[Place]) -> bool {
    // Doppelganger Chess has ordinary check instead, asked when everything in the move is done.
    if !after_capture.variant.is_bordahbee_family() || removed.is_empty() {
        return true;
    }
    let mover = after_capture.to_move;
    let mut after_removal = after_capture.clone();
    for &place in removed {
        after_removal.put(place, None);
    }
    // The two questions may be put in either order; this one is mostly enough.
    !after_removal.king_is_attacked(mover, board) || after_capture.king_is_attacked(mover, board)
}

/// rule: king and rook unmoved (a right in the position), all squares between them empty; with check, the king may not
/// castle out of or through check. (Into check: as for any step, when the move is done.)
fn castling(position: &Position, board: usize) -> Vec<Step> {
    let mut found = Vec::new();
    let mover = position.to_move;
    for letter in position.boards[board].castling.chars() {
        if side_of_letter(letter) != mover {
            continue;
        }
        let (king, rook) = position.castling_homes(mover, letter);
        let (king, rook) = (king.on_board(board), rook.on_board(board));
        let toward_rook = (rook.file - king.file).signum();
        let between = |end: Place| {
            let mut squares = Vec::new();
            let mut square = king.shifted((toward_rook, 0));
            while square != end {
                squares.push(square);
                square = square.shifted((toward_rook, 0));
            }
            squares
        };
        if !between(rook).iter().all(|&square| position.is_empty_square(square)) {
            continue;
        }
        // The king goes two squares (in Gamma2 three), and the rook jumps to the square beside it.
        let distance = if position.variant == Variant::Gamma2 { 3 } else { 2 };
        let king_to = king.shifted((distance * toward_rook, 0));
        let rook_to = king_to.shifted((-toward_rook, 0));
        if position.variant.has_check() {
            // rule: the king is put on each square it crosses, its home vacated and the rook unmoved.
            let crossed = between(king_to);
            let is_attacked_on = |square: Place| {
                let mut on_the_way = position.clone();
                on_the_way.put(king, None);
                on_the_way.put(square, position.at(king));
                on_the_way.is_attacked(square, mover.other())
            };
            if is_attacked_on(king) || crossed.into_iter().any(is_attacked_on) {
                continue;
            }
        }
        let reach = Reach { to: king_to, captures: None, passes: None };
        found.push(Step { rook: Some((rook, rook_to)), ..Step::new(king, 'K', reach) });
    }
    found
}
