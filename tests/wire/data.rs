//! Positions and games to ask about.

use std::ops::ControlFlow;
use std::path::Path;

use arbiter::grpc::v1;
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Game, Query};
use arbiter::rules::turn::Turn;
use arbiter::rules::variants;
use prost::Message;
use serde_json::Value;

use crate::random::Random;
use crate::{ask, server};

/// A position of the test data with the number of its legal moves.
#[derive(Clone)]
pub struct Row {
    pub position: v1::Position,
    pub count: u64,
}

/// The valid positions of a variant in the test data; those of a variant without data are none.
pub fn rows(variant: &str) -> Vec<Row> {
    values(variant)
        .iter()
        .filter(|row| row.get("invalid").is_none())
        .map(|row| Row { position: ask::at(variant, fen(row)), count: row["count"].as_u64().unwrap() })
        .collect()
}

/// The valid positions of all variants in the test data.
pub fn all_rows(variants: &[v1::Variant]) -> Vec<Row> {
    variants.iter().flat_map(|variant| rows(&variant.id)).collect()
}

/// Positions of each variant with some legal moves, at most `most`: about `total` of them together, spread over the
/// test data. In a long run all.
pub fn sample(variants: &[v1::Variant], most: u64, total: usize) -> Vec<Row> {
    let mut sample = Vec::new();
    for variant in variants {
        let mut fitting = rows(&variant.id);
        fitting.retain(|row| (1..=most).contains(&row.count));
        let wanted = if is_long() { fitting.len() } else { share(total, variants) };
        let stride = fitting.len().checked_div(wanted).unwrap_or(1).max(1);
        sample.extend(fitting.iter().step_by(stride).take(wanted).cloned());
    }
    sample
}

/// Of each variant the position of the test data with the most legal moves, but not more than take a few seconds to
/// list. In a long run whatever they are.
pub fn largest(variants: &[v1::Variant]) -> Vec<Row> {
    let most = if is_long() { u64::MAX } else { 25_000 };
    let largest = |variant: &v1::Variant| {
        rows(&variant.id).into_iter().filter(|row| row.count <= most).max_by_key(|row| row.count)
    };
    variants.iter().filter_map(largest).collect()
}

/// A request for a page that is about as large as pages are.
pub async fn large_page() -> Vec<u8> {
    let mut client = server::client().await;
    let largest = largest(&ask::variants(&mut client).await);
    let position = largest.into_iter().max_by_key(|row| row.count).unwrap().position;
    v1::LegalMovesRequest { position: Some(position), page_size: 10_000, ..Default::default() }
        .encode_to_vec()
}

/// The part of a total that is for each variant, at least 1: tests take no longer where there are more variants.
pub fn share(total: usize, variants: &[v1::Variant]) -> usize {
    (total / variants.len()).max(1)
}

/// Whether a long run is wanted: the environment variable `ARBITER_LONG` is set. Then the laws are asked of all
/// positions of the test data rather than of some, and more of hostile input is sent. That takes about ten minutes.
pub fn is_long() -> bool {
    std::env::var_os("ARBITER_LONG").is_some()
}

/// The invalid positions of a variant in the test data, each with the code of a fault that it has.
pub fn invalid_rows(variant: &str) -> Vec<(String, String)> {
    values(variant)
        .iter()
        .filter_map(|row| Some((fen(row).to_owned(), row.get("invalid")?.as_str()?.to_owned())))
        .collect()
}

fn fen(row: &Value) -> &str {
    row["position"].as_str().unwrap()
}

/// The rows of a variant in the test data, as they stand there.
pub fn values(variant: &str) -> Vec<Value> {
    let text = read(&format!("{variant}.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The entries of a file that is one list.
pub fn list(name: &str) -> Vec<Value> {
    serde_json::from_str(&read(name)).unwrap()
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    std::fs::read_to_string(path).unwrap_or_default()
}

/// A game of so many moves from the initial position that does not end: pieces walk about at random, and a pawn moves
/// when it must be.
pub fn long_game(variant: &str, length: usize) -> Vec<String> {
    let variant = variants::find(variant).unwrap();
    let mut random = Random::new(5);
    let mut game = Game::new(position_text::parse(variant, variant.card().initial).unwrap());
    let mut texts = Vec::new();
    while texts.len() < length {
        let mut moves = Vec::new();
        let start = Turn::new(game.position.clone());
        let _ = play::moves(variant, &start, &Query::ALL, &mut |_, steps| {
            moves.push(steps.to_vec());
            ControlFlow::Continue(())
        });
        let wants_pawn = game.position.halfmove_clock > 60;
        let next = (0..200).find_map(|attempt| {
            let steps = random.pick(&moves);
            let applied = play::apply(variant, &game, steps).unwrap();
            let is_wanted = (applied.game.position.halfmove_clock == 0) == wants_pawn || attempt > 100;
            let goes_on = play::outcome(variant, &applied.game).is_none();
            (is_wanted && goes_on).then(|| (move_text::print(variant.card(), steps), applied.game))
        });
        let (text, after) = next.expect("the game goes on");
        texts.push(text);
        game = after;
    }
    texts
}
