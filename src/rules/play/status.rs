//! How the game stands.

use std::ops::ControlFlow;

use crate::rules::outcome::{DrawReason, Outcome};
use crate::rules::piece::Side;
use crate::rules::square::Location;
use crate::rules::turn::Turn;
use crate::rules::variant::Variant;

use super::repetition::{Game, HISTORY_LIMIT};
use super::walk::{Query, moves};

/// The half-move clock at which the game is drawn: fifty moves by each side.
const FIFTY_MOVES: u16 = HISTORY_LIMIT as u16;

/// The occurrences of a position at which the game is drawn.
const THREEFOLD: usize = 3;

/// How the game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// How it ended; none while it goes on.
    pub outcome: Option<Outcome>,
    /// Who is to move, also in a finished game.
    pub to_move: Side,
    /// The kings of the side to move that the opponent attacks, in board order.
    pub attacked_kings: Vec<Location>,
    /// How often the position has occurred, this time included.
    pub repetitions: usize,
}

/// How the game stands.
pub fn status(variant: &dyn Variant, game: &Game) -> Status {
    Status {
        outcome: outcome(variant, game),
        to_move: game.position.to_move,
        attacked_kings: variant.attacked_kings(&game.position, game.position.to_move),
        repetitions: game.repetitions(variant),
    }
}

/// How the game ended. Where several ends coincide, the order is win, stalemate, repetition, fifty moves.
pub fn outcome(variant: &dyn Variant, game: &Game) -> Option<Outcome> {
    variant
        .ending(&game.position)
        .or_else(|| (!has_move(variant, game)).then(|| variant.without_moves(&game.position)))
        .or_else(|| drawn_by_clock(variant, game))
}

/// How the game ended, as far as that shows without looking for a legal move. Where it does not show, a list of the
/// legal moves does: it is empty.
pub fn ended_without_search(variant: &dyn Variant, game: &Game) -> Option<Outcome> {
    variant.ending(&game.position).or_else(|| drawn_by_clock(variant, game))
}

fn drawn_by_clock(variant: &dyn Variant, game: &Game) -> Option<Outcome> {
    let reason = if game.repetitions(variant) >= THREEFOLD {
        DrawReason::ThreefoldRepetition
    } else if game.position.halfmove_clock >= FIFTY_MOVES {
        DrawReason::FiftyMoves
    } else {
        return None;
    };
    Some(Outcome::Drawn { reason })
}

fn has_move(variant: &dyn Variant, game: &Game) -> bool {
    let start = Turn::new(game.position.clone());
    moves(variant, &start, &Query::ALL, &mut |_, _| ControlFlow::Break(())).is_break()
}
