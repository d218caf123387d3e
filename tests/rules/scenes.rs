//! Positions drawn as the sources draw them, and short answers about moves in them.

use std::ops::ControlFlow;

use arbiter::rules::illegal::{IllegalReason, Illegality};
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Game, Query};
use arbiter::rules::square::Location;
use arbiter::rules::turn::Turn;
use arbiter::rules::variant::Variant;

use crate::table;

/// The placement of boards drawn side by side, a line a rank from the top, with `|` between boards and `.` for an empty
/// square. A board of spaces only has vanished.
pub fn placement(drawing: &str) -> String {
    let lines: Vec<Vec<&str>> =
        drawing.trim().lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    let boards: Vec<String> = (0..lines[0].len())
        .map(|board| {
            let ranks: Vec<String> = lines.iter().map(|line| rank(line[board])).collect();
            if ranks.concat().is_empty() { "*".to_owned() } else { ranks.join("/") }
        })
        .collect();
    boards.join("|")
}

/// A rank with its empty squares counted.
fn rank(drawn: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in drawn.chars().chain([' ']) {
        if letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        text.push(letter);
    }
    text.trim_end().to_owned()
}

/// The legal moves, in order, whose text begins with `beginning`.
pub fn moves_from(variant: &dyn Variant, game: &Game, beginning: &str) -> Vec<String> {
    let mut moves = table::listed(variant, game);
    moves.retain(|text| text.starts_with(beginning));
    moves
}

pub fn is_legal(variant: &dyn Variant, game: &Game, text: &str) -> bool {
    let legal = play::judge(variant, game, &table::steps(variant, text)).is_ok();
    assert_eq!(legal, table::listed(variant, game).iter().any(|listed| listed == text), "{text}");
    legal
}

/// Why a move is illegal: the reason, the step at fault and the squares that explain it.
pub fn refused(variant: &dyn Variant, game: &Game, text: &str) -> (IllegalReason, usize, String) {
    match play::judge(variant, game, &table::steps(variant, text)) {
        Err(illegality) => in_short(variant, &illegality),
        Ok(_) => panic!("{text} is legal"),
    }
}

pub fn in_short(variant: &dyn Variant, illegality: &Illegality) -> (IllegalReason, usize, String) {
    let refusal = &illegality.refusal;
    assert!(!refusal.message.is_empty());
    (refusal.reason, illegality.step_index, names(variant, refusal.squares.iter().copied()))
}

/// Squares as text.
pub fn names(variant: &dyn Variant, squares: impl IntoIterator<Item = Location>) -> String {
    let names: Vec<String> = squares.into_iter().map(|at| variant.card().square_name(at)).collect();
    names.join(" ")
}

/// Checks rows of a move, the reason why it is illegal, the step at fault and the squares that explain it.
pub fn check_refusals(variant: &dyn Variant, game: &Game, rows: &[(&str, IllegalReason, usize, &str)]) {
    for &(text, reason, step, squares) in rows {
        assert_eq!(refused(variant, game, text), (reason, step, squares.to_owned()), "{text}");
    }
}

/// The position after a legal move.
pub fn after(variant: &dyn Variant, game: &Game, text: &str) -> String {
    position_text::print(variant, &table::played(variant, game, text).position)
}

/// The first legal moves, in order.
pub fn first_moves(variant: &dyn Variant, game: &Game, count: usize) -> Vec<String> {
    let mut moves = Vec::new();
    let start = Turn::new(game.position.clone());
    let _ = play::moves(variant, &start, &Query::ALL, &mut |_, steps| {
        moves.push(move_text::print(variant.card(), steps));
        if moves.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    moves
}
