//! Games and positions by one byte of input.

use std::sync::LazyLock;

use arbiter::rules::notation::position_text;
use arbiter::rules::play::Game;
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;

/// Positions to begin from: lines of a game's identifier, a tab and a position text.
const POSITIONS: &str = include_str!("../positions.txt");

/// The positions of all games, by the number of the game.
static PLACES: LazyLock<Vec<Vec<Place>>> = LazyLock::new(|| variants::ALL.iter().map(places).collect());

/// A position to begin from.
#[derive(Debug)]
pub struct Place {
    /// Its game.
    pub variant: &'static dyn Variant,
    /// Its text.
    pub fen: &'static str,
    /// The game that begins with it.
    pub game: Game,
}

fn places(variant: &&'static dyn Variant) -> Vec<Place> {
    let lines = POSITIONS.lines().filter_map(|line| line.split_once('\t'));
    lines
        .filter(|(id, _)| *id == variant.card().id)
        .map(|(_, fen)| {
            let position = position_text::parse(*variant, fen);
            let position = position.unwrap_or_else(|faults| panic!("{fen} is no position: {faults:?}"));
            Place { variant: *variant, fen, game: Game::new(position) }
        })
        .collect()
}

/// The number of the game of a byte: digits name the games in the order of the register.
fn number(byte: u8) -> usize {
    usize::from(byte.wrapping_sub(b'0')) % variants::ALL.len()
}

/// The game of a byte.
pub fn game(byte: u8) -> &'static dyn Variant {
    variants::ALL[number(byte)]
}

/// The positions of a game.
pub fn places_of(variant: &dyn Variant) -> &'static [Place] {
    let number = variants::ALL.iter().position(|one| one.card().id == variant.card().id);
    number.map_or(&[], |number| PLACES[number].as_slice())
}

/// The position of two bytes, the second of which is its number among those of the game.
pub fn place(game: u8, position: u8) -> &'static Place {
    let places = &PLACES[number(game)];
    &places[usize::from(position) % places.len()]
}
