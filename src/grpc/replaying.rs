//! Replaying a stored game.

use prost::Message;

use super::error::Error;
use super::from_proto::{self, Asked};
use super::listing::PAGE_BYTES;
use super::work::Stop;
use super::{enums, moves_from_proto, to_proto, v1};
use crate::rules::illegal::Illegality;
use crate::rules::notation::{long_algebraic, move_text};
use crate::rules::play;

/// The most moves of one call.
pub(super) const MAX_MOVES: usize = 20_000;

/// Plays the moves of a request as far as they are legal.
pub(super) fn replay(request: v1::ReplayGameRequest, stop: &Stop) -> Result<v1::ReplayGameResponse, Error> {
    let v1::ReplayGameRequest { position, moves, every_position, position_view } = request;
    let mut asked = from_proto::game(position)?;
    let view = enums::position_view(position_view)?;
    if moves.len() > MAX_MOVES {
        return Err(Error::TooManyMoves { count: moves.len() });
    }
    let card = asked.variant.card();
    let mut canonical_moves = Vec::new();
    let mut positions = Positions::new(every_position);
    let mut bad: Option<(usize, Illegality)> = None;
    for (index, text) in moves.iter().enumerate() {
        if stop.is_set() {
            return Err(Error::Stopped);
        }
        // Behind a bad move nothing can be judged any more, but a text can still be unreadable.
        if bad.is_some() {
            check_readable(&asked, index, text)?;
            continue;
        }
        let played = moves_from_proto::text(&asked, format!("moves[{index}]"), text)?
            .map_err(|illegality| *illegality)
            .and_then(|steps| Ok((play::apply(asked.variant, &asked.game, &steps)?, steps)));
        match played {
            Err(illegality) => bad = Some((index, illegality)),
            Ok((applied, steps)) => {
                canonical_moves.push(move_text::print(card, &steps));
                asked.game = applied.game;
                positions.add(|| to_proto::position(asked.variant, &asked.game, view));
            }
        }
    }
    let response = v1::ReplayGameResponse {
        legal: bad.is_none(),
        bad_move_index: bad.as_ref().map(|(index, _)| *index as u32),
        illegality: bad.as_ref().map(|(_, illegality)| to_proto::illegality(card, illegality)),
        canonical_moves,
        position: Some(to_proto::position(asked.variant, &asked.game, view)),
        status: Some(to_proto::status(card, &play::status(asked.variant, &asked.game))),
        positions: Vec::new(),
        next_move_index: 0,
    };
    let room = PAGE_BYTES.saturating_sub(response.encoded_len());
    let (positions, next_move_index) = positions.fitting(room);
    Ok(v1::ReplayGameResponse { positions, next_move_index, ..response })
}

fn check_readable(asked: &Asked, index: usize, text: &str) -> Result<(), Error> {
    let card = asked.variant.card();
    if move_text::parse(card, text).is_ok() {
        return Ok(());
    }
    match long_algebraic::parse(card, text) {
        Ok(_) => Ok(()),
        Err(message) => Err(Error::UnreadableMove { field: format!("moves[{index}]"), message }),
    }
}

/// The positions of a game, as many as a response can hold.
struct Positions {
    wanted: bool,
    kept: Vec<v1::Position>,
    bytes: usize,
    /// The positions that there were, kept or not.
    count: usize,
}

impl Positions {
    const fn new(wanted: bool) -> Self {
        Self { wanted, kept: Vec::new(), bytes: 0, count: 0 }
    }

    /// Adds a position unless there is no room for it, or for one before it.
    fn add(&mut self, position: impl FnOnce() -> v1::Position) {
        self.count += 1;
        if self.wanted && self.bytes <= PAGE_BYTES {
            let position = position();
            self.bytes += size(&position);
            self.kept.push(position);
        }
    }

    /// Those that fit into so many bytes, and the number of the move after them where that is not all.
    fn fitting(mut self, room: usize) -> (Vec<v1::Position>, u32) {
        let mut bytes = 0;
        let fitting = self.kept.iter().take_while(|position| {
            bytes += size(position);
            bytes <= room
        });
        let fitting = fitting.count();
        self.kept.truncate(fitting);
        let is_cut = self.wanted && fitting < self.count;
        (self.kept, if is_cut { fitting as u32 } else { 0 })
    }
}

/// The bytes that a position takes in the response.
fn size(position: &v1::Position) -> usize {
    let length = position.encoded_len();
    length + prost::length_delimiter_len(length) + 1
}
