//! The rules core against the naive generator of `tests/naive`, which shares no code with it, in every registered game.
//!
//! With `ARBITER_LONG` set, thousands of positions are compared instead of hundreds.

use arbiter::rules::notation::position_text;
use arbiter::rules::play::{self, Game};
use arbiter::rules::position::Position;
use arbiter::rules::square::Location;
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;
use serde_json::json;

use crate::random::{self, Random};
use crate::samples::{self, Sample};
use crate::{naive, table};

#[test]
fn both_find_the_same_moves_statuses_and_results() {
    for &variant in variants::ALL {
        for sample in samples::all(variant) {
            check_position(&sample);
        }
    }
}

fn check_position(sample: &Sample) {
    let &Sample { variant, ref game, .. } = sample;
    let id = variant.card().id;
    let at = position_text::print(variant, &game.position);
    // The naive generator knows no history.
    let game = Game::new(game.position.clone());

    assert_eq!(table::sorted(variant, &game), naive::moves(id, &at), "{sample}");
    let status = play::status(variant, &game);
    let naive::Status { state, winner, reason, checked } = naive::status(id, &at);
    let wanted = json!({ "state": state, "winner": winner, "reason": reason, "checked": checked });
    assert_eq!(table::status_in_words(variant, &status), wanted, "{sample}");
    assert_eq!(status.to_move.letter(), naive::player_to_move(id, &at), "{sample}");

    let moves = table::listed(variant, &game);
    for text in random::spread(&moves, 10) {
        let after = table::played(variant, &game, text).position;
        assert_eq!(position_text::print(variant, &after), naive::play(id, &at, text), "{sample}: {text}");
    }
    check_en_passant(sample);
}

/// An en-passant square is part of what is repeated exactly when a legal move captures there.
fn check_en_passant(sample: &Sample) {
    let &Sample { variant, ref game, .. } = sample;
    let card = variant.card();
    let key = play::key(variant, &game.position);
    let possible = || naive::en_passant_possible(card.id, &position_text::print(variant, &game.position));
    for (number, board) in game.position.numbered_boards() {
        let Some(en_passant) = board.en_passant else { continue };
        let mut without = game.position.clone();
        without.board_mut(number).en_passant = None;
        let passed = card.square_name(Location::new(number, en_passant.passed));
        let matters = key != play::key(variant, &without);
        assert_eq!(matters, possible().contains(&passed), "{sample}: {passed}");
    }
}

#[test]
fn both_know_positions_again_in_the_same_way() {
    for &variant in variants::ALL {
        let mut left: u64 = if random::is_long() { 300_000 } else { 8_000 };
        for seed in 1.. {
            let games = random::playout(variant, samples::initial(variant, seed), 50, &mut Random::new(seed));
            check_repetition(variant, &games, &format!("{} seed {seed}", variant.card().id));
            let moves: u64 = games.iter().map(|game| samples::number_of_moves(variant, game)).sum();
            left = left.saturating_sub(moves + 1);
            if left == 0 {
                break;
            }
        }
    }
}

fn check_repetition(variant: &dyn Variant, games: &[Game], origin: &str) {
    let text = |position: &Position| position_text::print(variant, position);
    let naive_keys: Vec<String> =
        games.iter().map(|game| naive::repetition_key(variant.card().id, &text(&game.position))).collect();
    let keys: Vec<u64> = games.iter().map(|game| play::key(variant, &game.position)).collect();
    for (late, game) in games.iter().enumerate() {
        let at = format!("{origin}, ply {late}: {}", text(&game.position));
        for early in 0..late {
            let same = naive_keys[early] == naive_keys[late];
            assert_eq!(keys[early] == keys[late], same, "{at}, and ply {early}");
        }
        let occurrences = naive_keys[..=late].iter().filter(|key| **key == naive_keys[late]).count();
        assert_eq!(play::status(variant, game).repetitions, occurrences, "{at}");
    }
}

#[test]
fn both_count_the_same_sequences_of_moves() {
    let most = if random::is_long() { 200_000 } else { 2_500 };
    for &variant in variants::ALL {
        let mut vectors = samples::vectors(variant);
        Random::new(1).shuffle(&mut vectors);
        for sample in vectors.iter().take(if random::is_long() { 60 } else { 20 }) {
            let at = position_text::print(variant, &sample.game.position);
            let count = |depth| play::perft(variant, &sample.game.position, depth);
            // Each depth multiplies the count by about the number of moves.
            let (moves, mut expected) = (count(1), 1_u64);
            for depth in 0..=3 {
                if expected <= most {
                    assert_eq!(
                        count(depth),
                        naive::perft(variant.card().id, &at, depth),
                        "{sample}: {depth}"
                    );
                }
                expected = expected.saturating_mul(moves);
            }
        }
    }
}
