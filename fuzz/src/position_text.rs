//! Texts of positions. Input: a byte for the game, a byte for a move, and the text.

use std::ops::ControlFlow;

use arbiter::rules::moves::Steps;
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Game, Query};
use arbiter::rules::position::Position;
use arbiter::rules::turn::Turn;
use arbiter::rules::variant::Variant;

use crate::{games, second_opinion};

/// From this byte for a move on, the naive generator is asked, too. It is slow, so it is asked seldom.
const ASKS_TWICE: u8 = 0xf0;

/// Reads the text; where it is a position, takes a move of it.
pub fn check(data: &[u8]) {
    let [game, chosen, text @ ..] = data else { return };
    let variant = games::game(*game);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let position = match position_text::parse(variant, text) {
        Ok(position) => position,
        Err(faults) => {
            assert!(!faults.is_empty(), "refused without a fault: {text}");
            assert!(faults.iter().all(|fault| !fault.message.is_empty()), "{faults:?}");
            return;
        }
    };
    // Each position has one text, so a text that is read is the one that is printed.
    assert_eq!(position_text::print(variant, &position), text);
    assert_sound(variant, &position);
    let game = Game::new(position);
    let moves = first_moves(variant, &game, usize::from(*chosen) + 1);
    // A game goes on exactly while there is a move.
    assert_eq!(play::status(variant, &game).outcome.is_some(), moves.is_empty(), "{text}");
    // Where there are not so many moves, the last one serves.
    if let Some(steps) = moves.last() {
        take(variant, &game, steps);
    }
    if *chosen >= ASKS_TWICE {
        second_opinion::check(variant, &game);
    }
}

/// The position has no faults, and is read back from its text as the same one.
pub fn assert_sound(variant: &dyn Variant, position: &Position) {
    let faults = play::faults(variant, position, true);
    let text = position_text::print(variant, position);
    assert!(faults.is_empty(), "{text}: {faults:?}");
    match position_text::parse(variant, &text) {
        Ok(read) => assert_eq!(read, *position, "{text}"),
        Err(faults) => panic!("{text} was printed and is not read: {faults:?}"),
    }
}

/// The first legal moves, at most so many; none of a game that is over.
pub fn first_moves(variant: &dyn Variant, game: &Game, most: usize) -> Vec<Steps> {
    let mut moves: Vec<Steps> = Vec::new();
    if play::ended_without_search(variant, game).is_some() {
        return moves;
    }
    let start = Turn::new(game.position.clone());
    let _ = play::moves(variant, &start, &Query::ALL, &mut |_, steps| {
        moves.extend(Steps::try_from(steps));
        if moves.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(moves.is_sorted_by(|one, next| one[..] < next[..]), "{moves:?}");
    moves
}

/// Takes a listed move, and looks at what it leads to.
fn take(variant: &dyn Variant, game: &Game, steps: &Steps) {
    let text = move_text::print(variant.card(), steps);
    let read = move_text::parse(variant.card(), &text);
    assert_eq!(read.as_deref(), Ok(&steps[..]), "{text}");
    let applied = play::apply(variant, game, steps);
    let applied = applied.unwrap_or_else(|illegality| panic!("{text} is listed: {illegality:?}"));
    let (before, after) = (&game.position, &applied.game.position);
    assert_sound(variant, after);
    assert_eq!(after.to_move, before.to_move.opponent(), "{text}");
    assert!([0, before.halfmove_clock + 1].contains(&after.halfmove_clock), "{text}");
    assert!(applied.game.history.len() <= Game::history_limit(after), "{text}");
    // The state of the game can be told, whatever the move has left.
    let status = play::status(variant, &applied.game);
    assert_eq!(status.to_move, after.to_move, "{text}");
}
