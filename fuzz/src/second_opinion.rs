//! The naive generator of the tests, which shares no code with the rules, asked about small positions.

use std::ops::ControlFlow;

use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::outcome::{DrawReason, Outcome, WinReason};
use arbiter::rules::play::{self, Game, Query};
use arbiter::rules::turn::Turn;
use arbiter::rules::variant::Variant;

use crate::naive;

/// The most men of a position about which it is asked: it takes milliseconds even for these.
const MOST_MEN: u32 = 9;

/// Both find the same moves and the same state of the game.
pub fn check(variant: &dyn Variant, game: &Game) {
    let card = variant.card();
    let men: u32 = game.position.boards().iter().map(|board| board.occupied().count()).sum();
    if men > MOST_MEN {
        return;
    }
    let position = position_text::print(variant, &game.position);
    assert_eq!(moves(variant, game), naive::moves(card.id, &position), "{}: {position}", card.id);
    let status = play::status(variant, game);
    let (state, winner, reason) = match status.outcome {
        None => ("ongoing", None, None),
        Some(Outcome::Won { winner, reason }) => ("won", Some(winner.letter()), Some(win(reason))),
        Some(Outcome::Drawn { reason }) => ("drawn", None, Some(draw(reason))),
    };
    let checked = status.attacked_kings.iter().map(|&king| card.square_name(king)).collect();
    let ours = naive::Status { state, winner, reason, checked };
    assert_eq!(ours, naive::status(card.id, &position), "{}: {position}", card.id);
}

/// The texts of all legal moves, sorted.
fn moves(variant: &dyn Variant, game: &Game) -> Vec<String> {
    let mut texts = Vec::new();
    if play::ended_without_search(variant, game).is_some() {
        return texts;
    }
    let start = Turn::new(game.position.clone());
    let _ = play::moves(variant, &start, &Query::ALL, &mut |_, steps| {
        texts.push(move_text::print(variant.card(), steps));
        ControlFlow::Continue(())
    });
    texts.sort();
    texts
}

fn win(reason: WinReason) -> &'static str {
    match reason {
        WinReason::Checkmate => "checkmate",
        WinReason::KingCaptured => "king_captured",
        WinReason::NoLegalMove => "no_legal_move",
    }
}

fn draw(reason: DrawReason) -> &'static str {
    match reason {
        DrawReason::Stalemate => "stalemate",
        DrawReason::ThreefoldRepetition => "threefold_repetition",
        DrawReason::FiftyMoves => "fifty_moves",
    }
}
