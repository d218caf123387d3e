//! The test data, and the small steps that tests are made of.

use std::ops::ControlFlow;
use std::path::Path;

use arbiter::rules::moves::{Step, Steps};
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::outcome::{DrawReason, Outcome, WinReason};
use arbiter::rules::play::{self, Game, Query, Status};
use arbiter::rules::position::Position;
use arbiter::rules::turn::Turn;
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;
use serde_json::Value;

/// The text of a data file.
pub fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a game's data file.
pub fn rows(variant: &dyn Variant) -> Vec<Value> {
    let rows: Vec<Value> = read(&format!("{}.jsonl", variant.card().id))
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row is JSON"))
        .collect();
    assert!(rows.len() > 50, "{} has only {} rows", variant.card().id, rows.len());
    rows
}

/// The entries of a data file that is one list, of registered games.
pub fn entries(name: &str) -> Vec<(&'static dyn Variant, Value)> {
    let list: Vec<Value> = serde_json::from_str(&read(name)).expect("the file is a JSON list");
    let entries: Vec<_> = list
        .into_iter()
        .filter_map(|entry| Some((variants::find(text(&entry["variant"]))?, entry)))
        .collect();
    assert!(entries.len() > 10, "{name} has only {} entries of registered games", entries.len());
    entries
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

pub fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list")).iter().map(text).collect()
}

pub fn position(variant: &dyn Variant, text: &str) -> Position {
    position_text::parse(variant, text).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

pub fn game(variant: &dyn Variant, text: &str) -> Game {
    Game::new(position(variant, text))
}

pub fn steps(variant: &dyn Variant, text: &str) -> Vec<Step> {
    move_text::parse(variant.card(), text).unwrap_or_else(|message| panic!("{text}: {message}"))
}

/// All legal moves, in the order of the list. A finished game has none.
pub fn legal(variant: &dyn Variant, game: &Game) -> Vec<Steps> {
    if play::outcome(variant, game).is_some() { Vec::new() } else { asked(variant, game, &Query::ALL) }
}

/// The moves that a query lets through, of a game that goes on.
pub fn asked(variant: &dyn Variant, game: &Game, query: &Query<'_>) -> Vec<Steps> {
    let mut moves = Vec::new();
    let start = Turn::new(game.position.clone());
    let _ = play::moves(variant, &start, query, &mut |_, steps| {
        moves.extend(Steps::try_from(steps));
        ControlFlow::Continue(())
    });
    moves
}

/// The texts of all legal moves, in the order of the list.
pub fn listed(variant: &dyn Variant, game: &Game) -> Vec<String> {
    legal(variant, game).iter().map(|steps| move_text::print(variant.card(), steps)).collect()
}

/// The texts of all legal moves, in the order of texts.
pub fn sorted(variant: &dyn Variant, game: &Game) -> Vec<String> {
    let mut moves = listed(variant, game);
    moves.sort_unstable();
    moves
}

/// Plays a legal move.
pub fn played(variant: &dyn Variant, game: &Game, text: &str) -> Game {
    match play::apply(variant, game, &steps(variant, text)) {
        Ok(applied) => applied.game,
        Err(illegality) => panic!("{text} is illegal: {illegality:?}"),
    }
}

/// A status in the words of the vectors.
pub fn status_in_words(variant: &dyn Variant, status: &Status) -> Value {
    let (state, winner, reason) = match status.outcome {
        None => ("ongoing", None, None),
        Some(Outcome::Won { winner, reason }) => {
            let reason = match reason {
                WinReason::Checkmate => "checkmate",
                WinReason::KingCaptured => "king_captured",
                WinReason::NoLegalMove => "no_legal_move",
            };
            ("won", Some(winner.letter().to_string()), Some(reason))
        }
        Some(Outcome::Drawn { reason }) => {
            let reason = match reason {
                DrawReason::Stalemate => "stalemate",
                DrawReason::ThreefoldRepetition => "threefold_repetition",
                DrawReason::FiftyMoves => "fifty_moves",
            };
            ("drawn", None, Some(reason))
        }
    };
    let checked: Vec<String> =
        status.attacked_kings.iter().map(|&king| variant.card().square_name(king)).collect();
    serde_json::json!({ "state": state, "winner": winner, "reason": reason, "checked": checked })
}
