//! The rules: every game, and what can be asked about a position of it.
//!
//! Nothing here knows of networks, clocks or threads. [`variants`] is the register of games, [`play`] answers
//! questions about positions and moves, [`notation`] reads and prints them. Below these lie the questions that a game
//! answers ([`variant`]), what games share ([`mechanics`]) and the plain vocabulary.

pub mod bitboard;
pub mod board;
pub mod fault;
pub mod geometry;
pub mod illegal;
pub mod key;
pub mod mechanics;
pub mod moves;
pub mod notation;
pub mod outcome;
pub mod piece;
pub mod play;
pub mod position;
pub mod square;
pub mod turn;
pub mod variant;
pub mod variants;

use fault::Fault;
use illegal::Illegality;
use moves::Step;
use notation::{long_algebraic, move_text, position_text};
use piece::Side;
use play::Game;
use position::Position;
use variant::Variant;

/// The initial position; in games with armies, with Above helping `above_army` or White.
pub fn initial_position(variant: &dyn Variant, above_army: Option<Side>) -> Result<Position, Vec<Fault>> {
    let mut position = position_text::parse(variant, variant.card().initial)?;
    if above_army.is_some() {
        position.above_army = above_army;
        let faults = play::faults(variant, &position, true);
        if !faults.is_empty() {
            return Err(faults);
        }
    }
    Ok(position)
}

/// What can be wrong with a move's text.
#[derive(Debug)]
pub enum MoveTextError {
    /// It is of no form that is read.
    Unreadable(String),
    /// It is long algebraic that names no legal move, or several.
    Illegal(Box<Illegality>),
}

/// The steps that a text names: exactly, legal or not, or in long algebraic, which needs the game to be understood.
pub fn read_move(variant: &dyn Variant, game: &Game, text: &str) -> Result<Vec<Step>, MoveTextError> {
    let card = variant.card();
    let exact = match move_text::parse(card, text) {
        Ok(steps) => return Ok(steps),
        Err(message) => message,
    };
    match long_algebraic::parse(card, text) {
        Ok(long) => match long_algebraic::resolve(variant, game, &long) {
            Ok(steps) => Ok(steps.to_vec()),
            Err(illegality) => Err(MoveTextError::Illegal(Box::new(illegality))),
        },
        Err(long) => {
            let message = format!("neither move text ({exact}) nor long algebraic ({long})");
            Err(MoveTextError::Unreadable(message))
        }
    }
}
