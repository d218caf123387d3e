//! What tests of a game's clauses say: which moves are legal in a position, where they lead, and why others are not.

use std::ops::ControlFlow;

use arbiter::rules::illegal::IllegalReason;
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Game};
use arbiter::rules::position::Position;
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;

use crate::changes::changes_lead_there;
use crate::{naive, table};

/// A game under test.
pub struct Rules(&'static dyn Variant);

impl Rules {
    pub fn of(id: &str) -> Self {
        Self(variants::find(id).unwrap_or_else(|| panic!("{id} is not registered")))
    }

    /// Plays legal moves, each from its own position, and compares where they lead.
    pub fn lead(&self, cases: &[(&str, &str, &str)]) {
        for &(at, played, wanted) in cases {
            let game = table::game(self.0, at);
            let applied = play::apply(self.0, &game, &table::steps(self.0, played))
                .unwrap_or_else(|illegality| panic!("{at} {played}: {illegality:?}"));
            let after = &applied.game.position;
            assert_eq!(position_text::print(self.0, after), wanted, "{at} {played}");
            assert_eq!(naive::play(self.0.card().id, at, played), wanted, "{at} {played}");
            changes_lead_there(&game.position, &applied.changes, after, &format!("{at} {played}"));
        }
    }

    /// Plays moves that end the game, and compares the status: `won w king_captured`.
    pub fn end(&self, cases: &[(&str, &str, &str)]) {
        for &(at, played, wanted) in cases {
            let game = table::played(self.0, &table::game(self.0, at), played);
            assert_eq!(self.status_of(&game), wanted, "{at} {played}");
        }
    }

    /// Compares the statuses of positions.
    pub fn stand(&self, cases: &[(&str, &str)]) {
        for &(at, wanted) in cases {
            assert_eq!(self.status_of(&table::game(self.0, at)), wanted, "{at}");
        }
    }

    fn status_of(&self, game: &Game) -> String {
        let status = table::status_in_words(self.0, &play::status(self.0, game));
        let words = ["state", "winner", "reason"].map(|word| status[word].as_str().unwrap_or(""));
        let checked = table::texts(&status["checked"]).join(" ");
        [words[0], words[1], words[2], &checked].iter().filter(|word| !word.is_empty()).fold(
            String::new(),
            |text, word| if text.is_empty() { (*word).to_owned() } else { format!("{text} {word}") },
        )
    }

    /// Compares which first steps, by their texts, begin with these characters: `A:e4d5` has all its choices.
    pub fn choose(&self, at: &str, beginning: &str, wanted: &[&str]) {
        let start = Turn::new(table::position(self.0, at));
        let mut found = Vec::new();
        let _ = play::steps(self.0, &start, &Scope::ALL, None, &mut |step| {
            found.push(move_text::print(self.0.card(), &[*step]));
            ControlFlow::Continue(())
        });
        found.retain(|step| step.starts_with(beginning));
        assert_eq!(found, wanted, "{at} {beginning}");
    }

    /// Tries legal moves in one position.
    pub fn allow(&self, at: &str, moves: &[&str]) {
        let game = table::game(self.0, at);
        for &played in moves {
            table::played(self.0, &game, played);
        }
    }

    /// Tries illegal moves in one position: the text, the reason, the step that it strikes, and its squares.
    pub fn refuse(&self, at: &str, cases: &[(&str, &str, usize, &[&str])]) {
        let game = table::game(self.0, at);
        for &(played, reason, step_index, squares) in cases {
            let Err(illegality) = play::apply(self.0, &game, &table::steps(self.0, played)) else {
                panic!("{at} {played} is legal")
            };
            let refusal = &illegality.refusal;
            let names: Vec<String> =
                refusal.squares.iter().map(|&square| self.0.card().square_name(square)).collect();
            assert_eq!(
                (code(refusal.reason).as_str(), illegality.step_index, names),
                (reason, step_index, squares.iter().map(|&name| name.to_owned()).collect()),
                "{at} {played}: {}",
                refusal.message
            );
        }
    }

    /// Carries out steps without asking whether they are legal.
    pub fn made(&self, at: &str, steps: &str) -> Position {
        let mut turn = Turn::new(table::position(self.0, at));
        for step in table::steps(self.0, steps) {
            self.0.make(&mut turn, &step, &mut |_| ());
        }
        turn.position
    }
}

/// The name of a reason as clients see it: `NoPiece` is `NO_PIECE`.
fn code(reason: IllegalReason) -> String {
    let mut code = String::new();
    for letter in format!("{reason:?}").chars() {
        if letter.is_ascii_uppercase() && !code.is_empty() {
            code.push('_');
        }
        code.push(letter.to_ascii_uppercase());
    }
    code
}
