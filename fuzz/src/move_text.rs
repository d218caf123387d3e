//! Texts of moves. Input: a byte for the game, a byte for a position of it, and the text.

use std::ops::ControlFlow;

use arbiter::rules::illegal::{IllegalReason, Illegality};
use arbiter::rules::moves::{MAX_STEPS, Step};
use arbiter::rules::notation::long_algebraic::{self, MAX_CANDIDATES};
use arbiter::rules::notation::move_text;
use arbiter::rules::play::{self, Game, Query};
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::variant::Variant;
use arbiter::rules::{MoveTextError, read_move};

use crate::games::{self, Place};
use crate::position_text::assert_sound;

/// The most moves between the squares of a move that are looked through for it.
const MOST_LISTED: usize = 1_000;

/// Reads the text in both forms; where it is a move, judges it.
pub fn check(data: &[u8]) {
    let [game, position, text @ ..] = data else { return };
    let Place { variant, game, .. } = games::place(*game, *position);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let card = variant.card();
    let exact = move_text::parse(card, text);
    let long = long_algebraic::parse(card, text);
    match read_move(*variant, game, text) {
        Ok(steps) => {
            if let Ok(exact) = &exact {
                assert_eq!(*exact, steps, "{text}");
            }
            let printed = move_text::print(card, &steps);
            let read = move_text::parse(card, &printed);
            assert_eq!(read.as_ref(), Ok(&steps), "{text} is printed as {printed}");
            match play::judge(*variant, game, &steps) {
                Ok((after, _)) => {
                    assert_sound(*variant, &after);
                    legal(*variant, game, &steps, text);
                }
                Err(illegality) => {
                    assert!(exact.is_ok(), "{text} names no legal move and was read as long algebraic");
                    illegal(*variant, game, &steps, &illegality, text);
                }
            }
        }
        Err(MoveTextError::Illegal(illegality)) => {
            assert!(exact.is_err() && long.is_ok(), "{text}: {illegality:?}");
            not_resolved(*variant, game, &illegality, text);
        }
        Err(MoveTextError::Unreadable(message)) => {
            assert!(exact.is_err() && long.is_err() && !message.is_empty(), "{text}: {message}");
        }
    }
}

/// A legal move is in the list, and its long text names it.
fn legal(variant: &dyn Variant, game: &Game, steps: &[Step], text: &str) {
    assert_ne!(is_listed(variant, game, steps), Some(false), "{text} is legal and not listed");
    for length in 0..steps.len() {
        let begun = play::begin(variant, game, &steps[..length]);
        assert!(begun.is_ok(), "{text} is legal, and no legal move begins with {length} of its steps");
    }
    let Some(long) = long_text(variant, game, steps) else { return };
    match read_move(variant, game, &long) {
        Ok(read) => assert_eq!(read, steps, "{long}"),
        Err(MoveTextError::Illegal(illegality)) => {
            assert_eq!(illegality.refusal.reason, IllegalReason::Ambiguous, "{long} of {text}");
            let is_named = illegality.candidates.iter().any(|candidate| candidate[..] == *steps);
            assert!(is_named || illegality.candidates_truncated, "{long} of {text}: {illegality:?}");
        }
        Err(MoveTextError::Unreadable(message)) => panic!("{long} of {text}: {message}"),
    }
}

/// The long algebraic text of a legal move.
pub fn long_text(variant: &dyn Variant, game: &Game, steps: &[Step]) -> Option<String> {
    let (_, before) = steps.split_last()?;
    let begun = play::begin(variant, game, before).ok()?;
    let start = Turn::new(game.position.clone());
    let mut text = String::new();
    let described = play::describe(&start, &begun.turn, steps);
    long_algebraic::print_to(&mut text, variant.card(), &described);
    Some(text)
}

/// An illegal move is not in the list, and the reason names the earliest step that no legal move has in its place.
fn illegal(variant: &dyn Variant, game: &Game, steps: &[Step], illegality: &Illegality, text: &str) {
    assert_ne!(is_listed(variant, game, steps), Some(true), "{text} is listed and not legal: {illegality:?}");
    assert!(!illegality.refusal.message.is_empty() && illegality.candidates.is_empty(), "{text}");
    let Illegality { step_index, refusal, .. } = illegality;
    let begins = |length: usize| play::begin(variant, game, &steps[..length]).is_ok();
    match refusal.reason {
        IllegalReason::GameOver => assert!(*step_index == 0 && !begins(0), "{text}: {illegality:?}"),
        IllegalReason::StepMissing if *step_index == steps.len() => {
            assert!(begins(steps.len()), "{text}: {illegality:?}");
        }
        _ => {
            assert!(*step_index < steps.len(), "{text}: {illegality:?}");
            assert!(begins(*step_index), "{text}: an earlier step is at fault than {illegality:?}");
            // The last step of a beginning can be at fault as an end.
            let may_end = *step_index + 1 == steps.len();
            assert!(may_end || !begins(step_index + 1), "{text}: {illegality:?} is at fault for nothing");
        }
    }
}

/// Long algebraic that names no legal move, or several.
fn not_resolved(variant: &dyn Variant, game: &Game, illegality: &Illegality, text: &str) {
    let Illegality { refusal, candidates, candidates_truncated, .. } = illegality;
    assert!(!refusal.message.is_empty(), "{text}");
    if refusal.reason != IllegalReason::Ambiguous {
        assert!(candidates.is_empty() && !candidates_truncated, "{text}: {illegality:?}");
        return;
    }
    assert!((2..=MAX_CANDIDATES).contains(&candidates.len()), "{text}: {illegality:?}");
    assert!(candidates.is_sorted_by(|one, next| one[..] < next[..]), "{text}: {illegality:?}");
    for candidate in candidates.iter().take(3) {
        let judged = play::judge(variant, game, candidate);
        assert!(judged.is_ok(), "{text} could mean {candidate:?}, which is not legal: {judged:?}");
    }
}

/// Whether the list has the move; unknown where very many moves go between its squares.
fn is_listed(variant: &dyn Variant, game: &Game, steps: &[Step]) -> Option<bool> {
    if steps.len() > MAX_STEPS || play::ended_without_search(variant, game).is_some() {
        return Some(false);
    }
    let mut scopes = [Scope::ALL; MAX_STEPS];
    for (scope, step) in scopes.iter_mut().zip(steps) {
        *scope = Scope::between(step.from, step.to);
    }
    let start = Turn::new(game.position.clone());
    let (mut seen, mut is_found) = (0, false);
    let _ = play::moves(variant, &start, &Query { scopes, after: None }, &mut |_, listed| {
        seen += 1;
        is_found = listed == steps;
        if is_found || seen >= MOST_LISTED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (is_found || seen < MOST_LISTED).then_some(is_found)
}
