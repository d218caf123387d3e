//! The shared vectors: positions with all their moves, statuses, results, faults, perft counts, and whole games.

use std::collections::BTreeMap;

use arbiter::rules::illegal::IllegalReason;
use arbiter::rules::notation::position_text;
use arbiter::rules::play::{self, Game};
use arbiter::rules::variant::Variant;
use arbiter::rules::{MoveTextError, notation::move_text, read_move, variants};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::table::{self, text, texts};

#[test]
fn positions_have_the_moves_statuses_and_results_of_the_vectors() {
    for &variant in variants::ALL {
        for row in table::rows(variant) {
            if row.get("invalid").is_none() {
                check_row(variant, &row);
            }
        }
    }
}

fn check_row(variant: &dyn Variant, row: &Value) {
    let at = text(&row["position"]);
    let game = table::game(variant, at);
    assert_eq!(position_text::print(variant, &game.position), at, "the text does not round-trip");

    let moves = table::sorted(variant, &game);
    if let Some(wanted) = row.get("moves") {
        assert_eq!(moves, texts(wanted), "{at}");
    }
    assert_eq!(moves.len() as u64, row["count"].as_u64().unwrap(), "{at}");
    let hash: String = Sha256::digest(moves.join("\n")).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, text(&row["sha256"]), "{at}");
    if let Some(wanted) = row.get("by_first_step") {
        let mut by_first_step: BTreeMap<&str, u64> = BTreeMap::new();
        for text in &moves {
            *by_first_step.entry(text.split('/').next().unwrap()).or_default() += 1;
        }
        assert_eq!(serde_json::to_value(by_first_step).unwrap(), *wanted, "{at}");
    }

    let status = table::status_in_words(variant, &play::status(variant, &game));
    assert_eq!(status, row["status"], "{at}");
    for pair in row["after"].as_array().unwrap() {
        let (step, wanted) = (text(&pair[0]), text(&pair[1]));
        let after = table::played(variant, &game, step);
        assert_eq!(position_text::print(variant, &after.position), wanted, "{at} {step}");
    }
}

#[test]
fn invalid_positions_are_refused_with_the_fault_of_the_vectors() {
    for &variant in variants::ALL {
        let mut refused = 0;
        for row in table::rows(variant) {
            let Some(wanted) = row.get("invalid") else { continue };
            let at = text(&row["position"]);
            let faults = position_text::parse(variant, at).expect_err(at);
            let codes: Vec<String> = faults.iter().map(|fault| upper(&format!("{:?}", fault.code))).collect();
            assert!(codes.iter().any(|code| code == text(wanted)), "{at}: {codes:?}, not {wanted}");
            refused += 1;
        }
        assert!(refused > 5);
    }
}

/// `TooManyKings` as `TOO_MANY_KINGS`.
fn upper(name: &str) -> String {
    let mut upper = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !upper.is_empty() {
            upper.push('_');
        }
        upper.push(letter.to_ascii_uppercase());
    }
    upper
}

#[test]
fn games_go_as_in_the_vectors() {
    for (variant, entry) in table::entries("games.json") {
        let mut game = table::game(variant, text(&entry["start"]));
        let moves = texts(&entry["moves"]);
        for (index, (at, wanted)) in moves.iter().zip(texts(&entry["positions"])).enumerate() {
            game = table::played(variant, &game, at);
            assert_eq!(position_text::print(variant, &game.position), wanted, "after {at}");
            let status = table::status_in_words(variant, &play::status(variant, &game));
            assert_eq!(status, entry["statuses"][index], "{wanted}");
            assert!(game.history.len() <= Game::history_limit(&game.position));
        }
    }
}

#[test]
fn long_algebraic_names_the_moves_of_the_vectors() {
    for (variant, entry) in table::entries("long.json") {
        let (at, written) = (text(&entry["position"]), text(&entry["text"]));
        let game = table::game(variant, at);
        let read = read_move(variant, &game, written);
        match entry.get("error").map(text) {
            None => {
                let steps = read.unwrap_or_else(|error| panic!("{at} {written}: {error:?}"));
                assert_eq!(move_text::print(variant.card(), &steps), text(&entry["move"]), "{at}");
            }
            Some("AMBIGUOUS_MOVE") => {
                let Err(MoveTextError::Illegal(illegality)) = read else {
                    panic!("{at} {written}: {read:?}")
                };
                assert_eq!(illegality.refusal.reason, IllegalReason::Ambiguous);
                let mut candidates: Vec<String> = illegality
                    .candidates
                    .iter()
                    .map(|steps| move_text::print(variant.card(), steps))
                    .collect();
                candidates.sort_unstable();
                assert_eq!(candidates, texts(&entry["candidates"]), "{at} {written}");
            }
            Some("ILLEGAL_MOVE") => {
                let Err(MoveTextError::Illegal(illegality)) = read else {
                    panic!("{at} {written}: {read:?}")
                };
                assert_ne!(illegality.refusal.reason, IllegalReason::Ambiguous, "{at} {written}");
            }
            Some(other) => panic!("{other} is no error of the vectors"),
        }
    }
}
