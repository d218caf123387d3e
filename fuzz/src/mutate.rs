//! Changes of inputs that keep their form, so that what is changed is judged rather than refused: requests by the
//! compiled contract and by the rules, positions and move texts by legal moves.

use std::sync::LazyLock;

use arbiter::grpc::{DESCRIPTORS, v1};
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Game};
use arbiter::rules::variants;
use fastrand::Rng;
use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, MessageDescriptor, ReflectMessage, Value,
};

use crate::games::{self, Place};
use crate::move_text::long_text;
use crate::position_text::first_moves;
use crate::requests::{answered, asked};
use crate::service::METHODS;

/// The types of the requests, in the order of the methods.
static REQUESTS: LazyLock<Vec<MessageDescriptor>> = LazyLock::new(|| {
    let pool = DescriptorPool::decode(DESCRIPTORS).expect("the contract is compiled");
    let service = pool.get_service_by_name("arbiter.v1.ArbiterService").expect("the service is in it");
    let input = |name: &&str| service.methods().find(|method| method.name() == *name);
    METHODS.iter().map(|name| input(name).expect("the method is in it").input()).collect()
});

/// How libFuzzer changes bytes: in place, from one length to another of at most the second number.
pub type Plain = fn(&mut [u8], usize, usize) -> usize;

/// The most moves that are looked through for a legal one.
const MOST_MOVES: usize = 250;

/// Writes the changed input over the old one where it fits, else leaves the change to libFuzzer.
fn written(data: &mut [u8], size: usize, most: usize, changed: Option<Vec<u8>>, plain: Plain) -> usize {
    match changed {
        Some(changed) if changed.len() <= most => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        _ => plain(data, size, most),
    }
}

/// Changes an input of `position_text`: now and then the game goes on by a legal move, from the position of the input or,
/// where that is none, from another.
pub fn position_text(data: &mut [u8], size: usize, most: usize, seed: u32, plain: Plain) -> usize {
    let mut random = Rng::with_seed(seed.into());
    let changed = match &data[..size] {
        [number, chosen, text @ ..] if random.u8(..8) == 0 => {
            let variant = games::game(*number);
            let text = std::str::from_utf8(text).unwrap_or_default();
            let game = match position_text::parse(variant, text) {
                Ok(position) => Game::new(position),
                Err(_) => games::place(*number, random.u8(..)).game.clone(),
            };
            let moves = first_moves(variant, &game, random.usize(1..MOST_MOVES));
            let applied = moves.last().and_then(|steps| play::apply(variant, &game, steps).ok());
            applied.map(|applied| {
                let text = position_text::print(variant, &applied.game.position);
                [&[*number, *chosen], text.as_bytes()].concat()
            })
        }
        _ => None,
    };
    written(data, size, most, changed, plain)
}

/// Changes an input of `move_text`: now and then the text is made that of a legal move, at times with another position.
pub fn move_text(data: &mut [u8], size: usize, most: usize, seed: u32, plain: Plain) -> usize {
    let mut random = Rng::with_seed(seed.into());
    let changed = match data[..size] {
        [game, position, ..] if random.u8(..8) == 0 => {
            let position = if random.bool() { position } else { random.u8(..) };
            let Place { variant, game: at, .. } = games::place(game, position);
            let moves = first_moves(*variant, at, random.usize(1..MOST_MOVES));
            moves.last().map(|steps| {
                let long = if random.bool() { long_text(*variant, at, steps) } else { None };
                let text = long.unwrap_or_else(|| move_text::print(variant.card(), steps));
                [&[game, position], text.as_bytes()].concat()
            })
        }
        _ => None,
    };
    written(data, size, most, changed, plain)
}

/// Changes an input of `requests`.
pub fn request(data: &mut [u8], size: usize, most: usize, seed: u32, plain: Plain) -> usize {
    let mut random = Rng::with_seed(seed.into());
    let changed = match &data[..size] {
        [kind @ (b'0'..=b'7' | b'@'..=b'G'), message @ ..] => {
            let number = usize::from(kind - b'0') % 8;
            // Now and then the whole of a message becomes a part of a large one, or the other way around.
            let kind = if random.u8(..64) == 0 { kind ^ (b'0' ^ b'@') } else { *kind };
            let message = match random.u8(..8) {
                0 => None,
                1..4 => by_the_rules(number, message, &mut random),
                _ => by_the_contract(number, message, &mut random, plain),
            };
            message.map(|message| [&[kind], message.as_slice()].concat())
        }
        _ => None,
    };
    written(data, size, most, changed, plain)
}

/// Changes some fields, whatever they mean.
fn by_the_contract(number: usize, message: &[u8], random: &mut Rng, plain: Plain) -> Option<Vec<u8>> {
    let mut message = DynamicMessage::decode(REQUESTS[number].clone(), message).ok()?;
    for _ in 0..random.u8(1..4) {
        change(&mut message, random, plain);
    }
    Some(message.encode_to_vec())
}

fn change(message: &mut DynamicMessage, random: &mut Rng, plain: Plain) {
    let fields: Vec<FieldDescriptor> = message.descriptor().fields().collect();
    let Some(field) = random.choice(&fields) else { return };
    if field.is_list() {
        if let Some(items) = message.get_field_mut(field).as_list_mut() {
            change_list(items, field, random, plain);
        }
    } else if random.u8(..8) == 0 {
        message.clear_field(field);
    } else {
        let value = message.get_field_mut(field);
        change_value(value, field, random, plain);
    }
}

fn change_list(items: &mut Vec<Value>, field: &FieldDescriptor, random: &mut Rng, plain: Plain) {
    let index = random.usize(..items.len() + 1);
    match random.u8(..6) {
        _ if index == items.len() => {
            let item = random.choice(&*items).cloned();
            items.push(item.unwrap_or_else(|| Value::default_value(&field.kind())));
        }
        0 => drop(items.remove(index)),
        1 => items.swap(0, index),
        _ => change_value(&mut items[index], field, random, plain),
    }
}

fn change_value(value: &mut Value, field: &FieldDescriptor, random: &mut Rng, plain: Plain) {
    match value {
        Value::Bool(flag) => *flag = !*flag,
        Value::I32(number) | Value::EnumNumber(number) => *number = integer(random),
        Value::U32(number) => *number = integer(random) as u32,
        Value::String(text) => *text = changed_text(field.name(), text, random, plain),
        Value::Bytes(bytes) => {
            let length = if random.u8(..8) == 0 { random.usize(..20) } else { 8 * random.usize(..6) };
            let mut changed = bytes.to_vec();
            changed.resize_with(length, || random.u8(..));
            *bytes = changed.into();
        }
        Value::Message(message) => change(message, random, plain),
        // The contract has no others.
        _ => *value = Value::default_value(&field.kind()),
    }
}

/// Small numbers above all: those of enum values, clocks and pages.
fn integer(random: &mut Rng) -> i32 {
    match random.u8(..8) {
        0 => random.i32(..),
        1 => *random.choice(&[-1, 99, 100, 9_999, 10_000, 10_001]).unwrap_or(&0),
        _ => random.i32(0..13),
    }
}

fn changed_text(field: &str, text: &str, random: &mut Rng, plain: Plain) -> String {
    let word = |random: &mut Rng, words: &[&str]| (*random.choice(words).unwrap_or(&"")).to_owned();
    match field {
        _ if random.u8(..4) == 0 => bytes_changed(text, plain),
        "variant" => variants::ALL[random.usize(..variants::ALL.len())].card().id.to_owned(),
        "name" | "board" | "to_board" => word(random, &["", "A", "B", "M", "R", "G"]),
        "castling" => word(random, &["", "K", "Q", "KQ", "k", "q", "kq", "KQkq", "Kq", "Qk"]),
        "square" | "from_square" | "to_square" | "passed" | "pawn" => square(random),
        _ => bytes_changed(text, plain),
    }
}

fn square(random: &mut Rng) -> String {
    format!("{}{}", char::from(random.u8(b'a'..=b'j')), random.u8(1..=8))
}

/// The text as libFuzzer changes bytes: with its dictionary, and with what it has seen texts compared with.
fn bytes_changed(text: &str, plain: Plain) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let size = bytes.len();
    bytes.resize(size + 16, 0);
    let most = bytes.len();
    let size = plain(&mut bytes, size, most);
    String::from_utf8_lossy(&bytes[..size]).into_owned()
}

/// Requests about a position.
trait About: Message + Default {
    fn position(&mut self) -> &mut Option<v1::Position>;
}

macro_rules! about {
    ($($request:ident)*) => {
        $(impl About for v1::$request {
            fn position(&mut self) -> &mut Option<v1::Position> {
                &mut self.position
            }
        })*
    };
}

about!(LegalMovesRequest StreamLegalMovesRequest LegalStepsRequest ApplyMoveRequest GameStatusRequest ReplayGameRequest);

/// Changes a request into one that makes sense.
fn by_the_rules(number: usize, message: &[u8], random: &mut Rng) -> Option<Vec<u8>> {
    match number {
        2 => sensible(message, random, |request: &mut v1::LegalMovesRequest, played, random| {
            if random.bool() {
                request.filter = filter(played, random);
            } else {
                let first: Option<v1::LegalMovesResponse> = answered(
                    METHODS[2],
                    &v1::LegalMovesRequest {
                        page_token: String::new(),
                        page_size: random.i32(1..8),
                        include_total: false,
                        move_view: v1::MoveView::Text.into(),
                        ..request.clone()
                    },
                );
                request.page_token = first.unwrap_or_default().next_page_token;
            }
        }),
        3 => sensible(message, random, |request: &mut v1::StreamLegalMovesRequest, played, random| {
            request.filter = filter(played, random);
        }),
        4 => sensible(message, random, |request: &mut v1::LegalStepsRequest, played, random| {
            let taken = random.usize(..=played.steps.len());
            match random.u8(..3) {
                0 => request.filter = filter(played, random),
                1 => request.prefix = played.steps[..taken].to_vec(),
                _ => {
                    let first: Option<v1::LegalStepsResponse> = answered(
                        METHODS[4],
                        &v1::LegalStepsRequest {
                            page_token: String::new(),
                            page_size: random.i32(1..8),
                            ..request.clone()
                        },
                    );
                    request.page_token = first.unwrap_or_default().next_page_token;
                }
            }
        }),
        5 => sensible(message, random, |request: &mut v1::ApplyMoveRequest, played, random| {
            let (text, steps) = (played.text.clone(), played.steps.clone());
            let long = played.long_text.clone();
            request.r#move = Some(match random.u8(..4) {
                0 => v1::Move { text, ..Default::default() },
                1 => v1::Move { steps, ..Default::default() },
                2 => v1::Move { text: long, ..Default::default() },
                _ => v1::Move { text, steps, ..Default::default() },
            });
        }),
        6 => sensible(message, random, |_: &mut v1::GameStatusRequest, _, _| ()),
        7 => sensible(message, random, |request: &mut v1::ReplayGameRequest, played, random| {
            // The first move of the game, and now and then no other.
            if random.bool() {
                request.moves.clear();
            }
            request.moves.insert(0, if random.bool() { &played.text } else { &played.long_text }.clone());
        }),
        _ => None,
    }
}

/// A filter that lets a move through.
fn filter(played: &v1::Move, random: &mut Rng) -> Option<v1::Filter> {
    let step = played.steps.first()?;
    let some = |random: &mut Rng, text: &str| if random.bool() { text.to_owned() } else { String::new() };
    Some(v1::Filter {
        board: some(random, &step.board),
        from_square: some(random, &step.from_square),
        to_board: some(random, if step.to_board.is_empty() { &step.board } else { &step.to_board }),
        to_square: some(random, &step.to_square),
        captures_only: random.u8(..4) == 0 && step.captured != 0,
    })
}

/// Changes the position, or has `change` make something of a legal move of it.
fn sensible<Q: About>(
    message: &[u8],
    random: &mut Rng,
    change: fn(&mut Q, &v1::Move, &mut Rng),
) -> Option<Vec<u8>> {
    let mut request = Q::decode(message).ok()?;
    let here = asked(request.position().as_ref());
    let Some((variant, game)) = here.filter(|_| random.u8(..8) > 0) else {
        let place = games::place(random.u8(..), random.u8(..));
        *request.position() = Some(text_of(place));
        return Some(request.encode_to_vec());
    };
    let moves = first_moves(variant, &game, random.usize(1..MOST_MOVES));
    let played = moves.last().and_then(|steps| {
        let position = request.position().clone();
        let text = move_text::print(variant.card(), steps);
        let chosen = Some(v1::Move { text, ..Default::default() });
        let view = v1::PositionView::Full.into();
        let played = v1::ApplyMoveRequest { position, r#move: chosen, position_view: view };
        answered::<v1::ApplyMoveResponse>(METHODS[5], &played)
    });
    match (random.u8(..6), played) {
        (0, _) | (_, None) => {
            let places = games::places_of(variant);
            *request.position() = random.choice(places).map(text_of);
        }
        // The game goes on, with its history; at times without its text.
        (1, Some(played)) => {
            *request.position() = played.position;
            if let Some(position) = request.position()
                && random.bool()
            {
                position.fen.clear();
            }
        }
        (2, Some(played)) => {
            let text = v1::Position { boards: Vec::new(), ..played.position.unwrap_or_default() };
            let (to_move, above_army, halfmove_clock, move_number) = (0, 0, 0, 0);
            *request.position() =
                Some(v1::Position { to_move, above_army, halfmove_clock, move_number, ..text });
        }
        (_, Some(played)) => change(&mut request, &played.r#move.unwrap_or_default(), random),
    }
    Some(request.encode_to_vec())
}

fn text_of(place: &Place) -> v1::Position {
    let (variant, fen) = (place.variant.card().id.to_owned(), place.fen.to_owned());
    v1::Position { variant, fen, ..Default::default() }
}
