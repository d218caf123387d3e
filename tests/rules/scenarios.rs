//! What scenarios are checked by: rows of text, a case a row, their columns parted by `;`.

use arbiter::rules::illegal::Illegality;
use arbiter::rules::moves::Step;
use arbiter::rules::notation::position_text;
use arbiter::rules::variant::Variant;
use arbiter::rules::{MoveTextError, play, read_move, variants};

use crate::{naive, table};

pub fn variant(id: &str) -> &'static dyn Variant {
    variants::find(id).expect("the game is registered")
}

/// The rows of a text, in so many columns.
pub fn rows<const COLUMNS: usize>(text: &str) -> impl Iterator<Item = [&str; COLUMNS]> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| {
        let columns: Vec<&str> = line.split(';').map(str::trim).collect();
        columns.try_into().unwrap_or_else(|columns| panic!("{columns:?} are not {COLUMNS} columns"))
    })
}

/// What it shows; the position; the first letters of moves; all legal moves that begin with them, sorted.
pub fn check_offered(id: &str, cases: &str) {
    for [shows, at, start, wanted] in rows(cases) {
        let listed = table::sorted(variant(id), &table::game(variant(id), at));
        assert_eq!(listed, naive::moves(id, at), "{shows}: {at}");
        let listed: Vec<&str> =
            listed.iter().map(String::as_str).filter(|text| text.starts_with(start)).collect();
        assert_eq!(listed.join(" "), wanted, "{shows}: {at}");
    }
}

/// What it shows; the position; a move; the position after it.
pub fn check_played(id: &str, cases: &str) {
    for [shows, at, text, wanted] in rows(cases) {
        let after = table::played(variant(id), &table::game(variant(id), at), text);
        assert_eq!(position_text::print(variant(id), &after.position), wanted, "{shows}: {at} {text}");
    }
}

/// What it shows; the position; an illegal move in either form; the reason with its step and squares.
pub fn check_refused(id: &str, cases: &str) {
    for [shows, at, text, wanted] in rows(cases) {
        let game = table::game(variant(id), at);
        match read_move(variant(id), &game, text) {
            Ok(steps) => check_refused_steps(id, at, &steps, wanted),
            Err(MoveTextError::Illegal(illegality)) => {
                assert_eq!(in_words(id, &illegality), wanted, "{shows}: {at} {text}");
            }
            Err(MoveTextError::Unreadable(message)) => panic!("{shows}: {text}: {message}"),
        }
    }
}

/// The same for one move that is given by steps.
pub fn check_refused_steps(id: &str, at: &str, steps: &[Step], wanted: &str) {
    match play::apply(variant(id), &table::game(variant(id), at), steps) {
        Ok(_) => panic!("{at}: {steps:?} is legal"),
        Err(illegality) => assert_eq!(in_words(id, &illegality), wanted, "{at}: {steps:?}"),
    }
}

/// Reason, step, and squares.
fn in_words(id: &str, illegality: &Illegality) -> String {
    let squares = illegality.refusal.squares.iter().map(|&at| variant(id).card().square_name(at));
    let words = [format!("{:?}", illegality.refusal.reason), illegality.step_index.to_string()];
    words.into_iter().chain(squares).collect::<Vec<_>>().join(" ")
}

/// What it shows; the position; how the game stands: state, winner, reason, and the attacked kings.
pub fn check_standing(id: &str, cases: &str) {
    for [shows, at, wanted] in rows(cases) {
        let status = play::status(variant(id), &table::game(variant(id), at));
        let status = table::status_in_words(variant(id), &status);
        let words = ["state", "winner", "reason"].iter().filter_map(|field| status[field].as_str());
        let words: Vec<&str> = words.chain(table::texts(&status["checked"])).collect();
        assert_eq!(words.join(" "), wanted, "{shows}: {at}");
    }
}
