//! What makes a move of one or two steps, game by game, and how games end.

use super::influence;
use super::open_steps::open_steps;
use super::position::{Place, Position, Side};
use super::step::Step;
use super::variant::Variant;

/// One or two steps, in order.
pub type Move = Vec<Step>;

pub fn move_text(start: &Position, mv: &[Step]) -> String {
    let steps: Vec<String> = mv.iter().map(|step| step.text(start)).collect();
    steps.join("/")
}

/// The position after a whole move.
pub fn after_move(start: &Position, mv: &[Step]) -> Position {
    let mut position = start.clone();
    for step in mv {
        position = position.after_step(step);
    }
    position.after_turn()
}

/// All legal moves; a draw by fifty moves is not asked.
pub fn legal_moves(start: &Position) -> Vec<Move> {
    first_steps(start).iter().flat_map(|first| moves_beginning_with(start, first)).collect()
}

/// The steps with which a move might begin.
pub fn first_steps(start: &Position) -> Vec<Step> {
    // rule: a game that is over has no legal moves.
    if winner_by_kings(start).is_some() {
        return Vec::new();
    }
    if start.variant == Variant::Influence {
        return influence::first_steps(start);
    }
    (0..start.boards.len()).flat_map(|board| open_steps(start, board)).collect()
}

/// The legal moves that begin with a step.
pub fn moves_beginning_with(start: &Position, first: &Step) -> Vec<Move> {
    let after_first = start.after_step(first);
    match start.variant {
        Variant::Chess | Variant::Gamma2 | Variant::Doppelganger => one_step_moves(&after_first, first),
        Variant::BordahBee | Variant::DoppelgangerBordahBee | Variant::Extreme => {
            paired_moves(&after_first, first)
        }
        Variant::Influence => influence_moves(&after_first, first),
        Variant::ThreeUniverses => three_universes_moves(&after_first, first),
    }
}

/// rule: a move is legal if the mover's own king is not attacked after everything in it is done.
fn one_step_moves(after_first: &Position, first: &Step) -> Vec<Move> {
    if after_first.king_is_attacked(after_first.to_move, 0) { Vec::new() } else { vec![vec![first.clone()]] }
}

/// rule: a move is one step if that step captures a king, else two, one on each board, of a permitted pair.
fn paired_moves(after_first: &Position, first: &Step) -> Vec<Move> {
    if winner_by_kings(after_first).is_some() {
        return vec![vec![first.clone()]];
    }
    let other_board = 1 - first.from.board;
    open_steps(after_first, other_board)
        .into_iter()
        .filter(|second| is_permitted_pair(first.kind, second.kind))
        .map(|second| vec![first.clone(), second])
        .collect()
}

/// rule: K with K, Q or R; Q with K or R; R with K or Q; B with N or P; N with B or P; P with N or B (kinds before
/// promotion).
fn is_permitted_pair(first: char, second: char) -> bool {
    let partners = match first {
        'K' => "KQR",
        'Q' => "KR",
        'R' => "KQ",
        'B' => "NP",
        'N' => "BP",
        'P' => "NB",
        _ => "",
    };
    partners.contains(second)
}

/// rule: an own step, an influenced step, or an influenced step with its mirror; legal only if after it the opponent
/// could not capture the king of the mover's army.
fn influence_moves(after_first: &Position, first: &Step) -> Vec<Move> {
    let player = after_first.to_move;
    let mut found = Vec::new();
    if influence::king_in_check(after_first, player).is_none() {
        found.push(vec![first.clone()]);
    }
    if let Some(mirror) = influence::mirror(after_first, first) {
        let after_mirror = after_first.after_step(&mirror);
        if influence::king_in_check(&after_mirror, player).is_none() {
            found.push(vec![first.clone(), mirror]);
        }
    }
    found
}

/// rule: one step, or two steps whose pieces start from different boards; no step may follow one that ends the game.
fn three_universes_moves(after_first: &Position, first: &Step) -> Vec<Move> {
    let mut found = vec![vec![first.clone()]];
    if winner_by_kings(after_first).is_some() {
        return found;
    }
    for board in 0..after_first.boards.len() {
        if board != first.from.board {
            for second in open_steps(after_first, board) {
                found.push(vec![first.clone(), second]);
            }
        }
    }
    found
}

/// The winner where a king, or in Three Universes enough kings, have been captured.
fn winner_by_kings(position: &Position) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|&side| has_lost_by_kings(position, side)).map(Side::other)
}

fn has_lost_by_kings(position: &Position, side: Side) -> bool {
    let lost_king = |board| position.king_of(side, board).is_none();
    match position.variant {
        // rule: a step that captures a king ends the game at once.
        Variant::BordahBee | Variant::DoppelgangerBordahBee | Variant::Extreme => {
            lost_king(0) || lost_king(1)
        }
        // rule: win by capturing the opponent's king in Green, or when both of their Red and Blue kings have been
        // captured.
        Variant::ThreeUniverses => lost_king(1) || (lost_king(0) && lost_king(2)),
        // Elsewhere kings are not captured.
        Variant::Chess | Variant::Gamma2 | Variant::Doppelganger | Variant::Influence => false,
    }
}

/// How a game ended; without a winner it is drawn.
pub struct End {
    pub winner: Option<Side>,
    pub reason: &'static str,
}

/// rule: where several ends coincide, the order is: win, stalemate, (threefold repetition,) fifty moves.
pub fn end_of_game(position: &Position) -> Option<End> {
    if let Some(winner) = winner_by_kings(position) {
        return Some(End { winner: Some(winner), reason: "king_captured" });
    }
    let has_legal_move =
        first_steps(position).iter().any(|first| !moves_beginning_with(position, first).is_empty());
    if !has_legal_move {
        return Some(end_without_moves(position));
    }
    is_fifty_moves_draw(position).then_some(End { winner: None, reason: "fifty_moves" })
}

fn end_without_moves(position: &Position) -> End {
    let opponent = position.to_move.other();
    let is_checked = !attacked_kings(position).is_empty();
    match position.variant {
        // rule: a player who has no legal move at the start of their turn loses.
        Variant::BordahBee | Variant::DoppelgangerBordahBee | Variant::Extreme => {
            End { winner: Some(opponent), reason: "no_legal_move" }
        }
        // rule: no legal move in check is checkmate; without check it is a draw.
        Variant::Chess | Variant::Gamma2 | Variant::Doppelganger | Variant::Influence if is_checked => {
            End { winner: Some(opponent), reason: "checkmate" }
        }
        // rule (Three Universes): a player without any legal step draws.
        _ => End { winner: None, reason: "stalemate" },
    }
}

/// rule: fifty moves by both sides (half-move clock 100) without a capture or pawn step is a draw.
pub fn is_fifty_moves_draw(position: &Position) -> bool {
    position.halfmove_clock >= 100
}

/// The attacked kings of the player to move, in board order.
pub fn attacked_kings(position: &Position) -> Vec<Place> {
    let player = position.to_move;
    if position.variant == Variant::Influence {
        return influence::king_in_check(position, player).into_iter().collect();
    }
    (0..position.boards.len())
        .filter(|&board| position.king_is_attacked(player, board))
        .filter_map(|board| position.king_of(player, board))
        .collect()
}

/// The passed squares onto which some legal move captures en passant, in board order.
pub fn usable_en_passant(position: &Position) -> Vec<Place> {
    let mut usable = Vec::new();
    if position.boards.iter().all(|board| board.en_passant.is_none()) {
        return usable;
    }
    for first in first_steps(position) {
        for step in moves_beginning_with(position, &first).into_iter().flatten() {
            if step.is_en_passant() && !usable.contains(&step.to) {
                usable.push(step.to);
            }
        }
    }
    usable.sort();
    usable
}
