//! Influence Chess: whose influence moves which piece of the Middle board, and the mirror on one's own board.

use super::open_steps::with_promotions;
use super::position::{Place, Position, Side};
use super::reach::{Reach, reaches};
use super::step::Step;

const ABOVE: usize = 0;
const MIDDLE: usize = 1;
const BELOW: usize = 2;

/// The board that holds only this player's pieces.
fn own_board(player: Side) -> usize {
    match player {
        Side::First => ABOVE,
        Side::Second => BELOW,
    }
}

/// The army of the Middle board that this player helps.
fn army_of(position: &Position, player: Side) -> Side {
    let above_helps = position.above_helps.expect("the army that Above helps");
    match player {
        Side::First => above_helps,
        Side::Second => above_helps.other(),
    }
}

/// rule: the mover has a piece on the square of the own board, and the opponent has no stronger piece on that square of
/// theirs (Commander is stronger than Prince; equal is not stronger).
fn has_influence(position: &Position, player: Side, square: Place) -> bool {
    let kind_on = |board| position.at(square.on_board(board)).map(|piece| piece.kind);
    let own = kind_on(own_board(player));
    let theirs = kind_on(own_board(player.other()));
    match own {
        None => false,
        Some('C') => true,
        Some(_) => theirs != Some('C'),
    }
}

/// The first steps open to the player to move: own steps, and influenced steps of either army. King safety is asked
/// when the move is complete.
pub fn first_steps(position: &Position) -> Vec<Step> {
    let player = position.to_move;
    let mut found = Vec::new();
    for (from, piece) in position.pieces_of(player, own_board(player)) {
        for reach in reaches(position, from) {
            found.push(Step::new(from, piece.kind, reach));
        }
    }
    let own_king = position.king_of(army_of(position, player), MIDDLE);
    for from in position.squares_of(MIDDLE) {
        let Some(piece) = position.at(from) else {
            continue;
        };
        if !has_influence(position, player, from) {
            continue;
        }
        for reach in reaches(position, from) {
            // rule: capturing the king of one's own army is never legal.
            if reach.captures.is_some() && reach.captures == own_king {
                continue;
            }
            found.extend(with_promotions(position, &Step::new(from, piece.kind, reach)));
        }
    }
    found
}

/// The mirror that may follow an influenced step, in the position after it.
///
/// rule: the own piece on that square makes the identical move on the own board. It needs an empty destination, and for
/// a straight or diagonal move of several squares empty squares between; a knight's mirror jumps.
pub fn mirror(after_first: &Position, first: &Step) -> Option<Step> {
    if first.from.board != MIDDLE {
        return None;
    }
    let board = own_board(after_first.to_move);
    let from = first.from.on_board(board);
    let to = first.to.on_board(board);
    let piece = after_first.at(from)?;
    if !after_first.is_empty_square(to) {
        return None;
    }
    let (files, ranks) = (to.file - from.file, to.rank - from.rank);
    let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    if is_line {
        let direction = (files.signum(), ranks.signum());
        let mut between = from.shifted(direction);
        while between != to {
            if !after_first.is_empty_square(between) {
                return None;
            }
            between = between.shifted(direction);
        }
    }
    let reach = Reach { to, captures: None, passes: None };
    Some(Step::new(from, piece.kind, reach))
}

/// The king of the player's army, when the opponent could capture it with an influenced step.
///
/// rule: asked of that capture alone, not of what it would leave. Attackers without influence do not matter.
pub fn king_in_check(position: &Position, player: Side) -> Option<Place> {
    let army = army_of(position, player);
    let king = position.king_of(army, MIDDLE)?;
    let opponent = player.other();
    position
        .pieces_of(army.other(), MIDDLE)
        .into_iter()
        .filter(|&(from, _)| has_influence(position, opponent, from))
        .any(|(from, _)| reaches(position, from).iter().any(|reach| reach.captures == Some(king)))
        .then_some(king)
}
