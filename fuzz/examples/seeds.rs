//! Writes the seeds of all targets, made of the vectors in tests/, each target's into a folder of its own:
//!
//! ```sh
//! cargo run --example seeds -- FOLDER
//! ```
//!
//! `positions.txt` is written anew as well. What the targets find more than the seeds is in `corpus`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use arbiter::grpc::v1;
use arbiter::rules::notation::move_text;
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;
use arbiter_fuzz::games::{self, Place};
use arbiter_fuzz::move_text::long_text;
use arbiter_fuzz::position_text::first_moves;
use arbiter_fuzz::requests::answered;
use arbiter_fuzz::service::METHODS;
use prost::Message;
use serde_json::Value;

/// The positions of a game that other targets than `position_text` begin from, and the most moves of one.
const PLACES: usize = 40;
const MOST_MOVES: u64 = 3_000;

/// The moves of a position that become seeds.
const MOVES: usize = 4;

/// Of how many positions of a game requests and tokens are made.
const ASKED: usize = 6;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("a folder to write to is missing")?);
    write_positions()?;
    write_position_texts(&folder)?;
    write_move_texts(&folder)?;
    write_requests(&folder)?;
    write_page_tokens(&folder)
}

/// The rows of the vectors of a game.
fn rows(variant: &dyn Variant) -> Result<Vec<Value>> {
    let file = format!("../tests/vectors/{}.jsonl", variant.card().id);
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file))?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn position(row: &Value) -> &str {
    row["position"].as_str().unwrap_or_default()
}

fn write(folder: &Path, target: &str, name: &str, content: &[u8]) -> Result<()> {
    let folder = folder.join(target);
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(name), content)?)
}

/// Positions of all games, spread over the vectors.
fn write_positions() -> Result<()> {
    let mut text = String::new();
    for variant in variants::ALL {
        let mut rows = rows(*variant)?;
        rows.retain(|row| row["count"].as_u64().is_some_and(|count| count <= MOST_MOVES));
        for index in 0..PLACES {
            let fen = position(&rows[index * rows.len() / PLACES]);
            text += &format!("{}\t{fen}\n", variant.card().id);
        }
    }
    Ok(fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("positions.txt"), text)?)
}

/// The digit of a game.
fn digit(number: usize) -> u8 {
    b'0' + number as u8
}

fn write_position_texts(folder: &Path) -> Result<()> {
    for (number, variant) in variants::ALL.iter().enumerate() {
        for (index, row) in rows(*variant)?.iter().enumerate() {
            let content = [&[digit(number), index as u8], position(row).as_bytes()].concat();
            write(folder, "position_text", &format!("{number}-{index:03}"), &content)?;
        }
    }
    Ok(())
}

fn write_move_texts(folder: &Path) -> Result<()> {
    for (number, variant) in variants::ALL.iter().enumerate() {
        for (index, Place { game, .. }) in games::places_of(*variant).iter().enumerate() {
            let moves = first_moves(*variant, game, 250);
            for (nth, steps) in moves.iter().step_by(moves.len().div_ceil(MOVES).max(1)).enumerate() {
                let exact = move_text::print(variant.card(), steps);
                let long = long_text(*variant, game, steps).unwrap_or_default();
                for (form, text) in [("exact", exact), ("long", long)] {
                    let content = [&[digit(number), index as u8], text.as_bytes()].concat();
                    write(folder, "move_text", &format!("{number}-{index:02}-{nth}-{form}"), &content)?;
                }
            }
        }
    }
    Ok(())
}

/// Positions of a game, spread over those that there are.
fn asked(variant: &dyn Variant) -> impl Iterator<Item = (usize, &'static Place)> {
    games::places_of(variant).iter().enumerate().step_by(PLACES / ASKED)
}

fn write_requests(folder: &Path) -> Result<()> {
    let write = |method: usize, name: &str, message: &[u8]| {
        let content = [&[digit(method)], message].concat();
        write(folder, "requests", &format!("{}-{name}", METHODS[method]), &content)
    };
    write(0, "all", &[])?;
    for (number, variant) in variants::ALL.iter().enumerate() {
        let id = variant.card().id.to_owned();
        let initial = v1::GetInitialPositionRequest { variant: id.clone(), ..Default::default() };
        write(1, &number.to_string(), &initial.encode_to_vec())?;
        for (index, Place { fen, game, .. }) in asked(*variant) {
            let position =
                Some(v1::Position { variant: id.clone(), fen: (*fen).to_owned(), ..Default::default() });
            for (name, message) in of_position(position.clone()) {
                write(name, &format!("{number}-{index:02}"), &message)?;
            }
            let Some(steps) = first_moves(*variant, game, 50).pop() else { continue };
            let text = move_text::print(variant.card(), &steps);
            for (nth, (name, message)) in of_move(position, text).into_iter().enumerate() {
                write(name, &format!("{number}-{index:02}-{nth}"), &message)?;
            }
        }
    }
    Ok(())
}

/// Requests about a position: the number of the method and the message.
fn of_position(position: Option<v1::Position>) -> [(usize, Vec<u8>); 4] {
    let at = || position.clone();
    let moves = v1::LegalMovesRequest { position: at(), page_size: 4, ..Default::default() };
    let stream = v1::StreamLegalMovesRequest { position: at(), ..Default::default() };
    let steps = v1::LegalStepsRequest { position: at(), page_size: 4, ..Default::default() };
    let status = v1::GameStatusRequest { position: at() };
    [
        (2, moves.encode_to_vec()),
        (3, stream.encode_to_vec()),
        (4, steps.encode_to_vec()),
        (6, status.encode_to_vec()),
    ]
}

/// Requests about a legal move of a position.
fn of_move(position: Option<v1::Position>, text: String) -> Vec<(usize, Vec<u8>)> {
    let at = || position.clone();
    let moves = vec![text.clone()];
    let chosen = Some(v1::Move { text, ..Default::default() });
    let full = v1::PositionView::Full.into();
    let by_text = v1::ApplyMoveRequest { position: at(), r#move: chosen, position_view: full };
    let played = answered::<v1::ApplyMoveResponse>(METHODS[5], &by_text).unwrap_or_default();
    let steps = played.r#move.unwrap_or_default().steps;
    let prefix = steps.first().cloned().into_iter().collect();
    let by_steps = v1::Move { steps, ..Default::default() };
    let by_steps = v1::ApplyMoveRequest { position: at(), r#move: Some(by_steps), position_view: 0 };
    let next = v1::LegalStepsRequest { position: at(), prefix, page_size: 4, ..Default::default() };
    let game = v1::ReplayGameRequest { position: at(), moves, every_position: true, position_view: full };
    // The position after the move as structure, with its history.
    let after = played.position.map(|after| v1::Position { fen: String::new(), ..after });
    let status = v1::GameStatusRequest { position: after };
    vec![
        (4, next.encode_to_vec()),
        (5, by_text.encode_to_vec()),
        (5, by_steps.encode_to_vec()),
        (6, status.encode_to_vec()),
        (7, game.encode_to_vec()),
    ]
}

fn write_page_tokens(folder: &Path) -> Result<()> {
    for (number, variant) in variants::ALL.iter().enumerate() {
        for (index, Place { game, .. }) in asked(*variant) {
            let Some(steps) = first_moves(*variant, game, 12).pop() else { continue };
            // Requests of both methods, with and without a filter or a step chosen before, and all forms of tokens.
            for (request, kind) in (0..8).zip([3, 3, 4, 5, 6, 7, 2, 1]) {
                let place = if request & 1 == 0 { &steps[..] } else { &steps[..1] };
                let text = move_text::print(variant.card(), place);
                let content = [&[digit(number), index as u8, request, kind, 3], text.as_bytes()].concat();
                write(folder, "page_token", &format!("{number}-{index:02}-{request}"), &content)?;
            }
        }
    }
    Ok(())
}
