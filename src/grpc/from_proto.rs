//! Requests as values of the rules core: positions, filters, views. A field at fault is named by its path.

use std::ops::RangeInclusive;

use super::error::{Error, quoted};
use super::structure;
use super::v1;
use crate::rules::bitboard::Bitboard;
use crate::rules::notation::position_text;
use crate::rules::play::Game;
use crate::rules::position::MAX_BOARDS;
use crate::rules::turn::Scope;
use crate::rules::variant::{Card, Variant};
use crate::rules::{initial_position, variants};

/// A game of a variant: what most requests are about.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The variant.
    pub(super) variant: &'static dyn Variant,
    /// The position with its history.
    pub(super) game: Game,
}

/// The variant of an identifier.
pub(super) fn variant(field: &str, id: &str) -> Result<&'static dyn Variant, Error> {
    if id.is_empty() {
        return Err(Error::missing(field));
    }
    variants::find(id).ok_or_else(|| Error::UnknownVariant { field: field.to_owned(), id: id.to_owned() })
}

/// The game of a position message, which is required.
pub(super) fn game(message: Option<v1::Position>) -> Result<Asked, Error> {
    let message = message.ok_or_else(|| Error::missing("position"))?;
    let variant = variant("position.variant", &message.variant)?;
    let position = if !message.fen.is_empty() {
        let position = position_text::parse(variant, &message.fen).map_err(|faults| {
            Error::invalid_position(faults.into_iter().map(|fault| ("position.fen".to_owned(), fault)))
        })?;
        structure::compare(variant.card(), &position, &message)?;
        position
    } else if structure::is_set(&message) {
        structure::read(variant, &message)?
    } else {
        initial_position(variant, None).map_err(|faults| {
            Error::invalid_position(faults.into_iter().map(|fault| (String::new(), fault)))
        })?
    };
    let history = history(&message.history, Game::history_limit(&position))?;
    Ok(Asked { variant, game: Game { position, history } })
}

fn history(bytes: &[u8], limit: usize) -> Result<Vec<u64>, Error> {
    let (keys, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        let message = format!("a history of {} bytes does not consist of 8-byte keys", bytes.len());
        return Err(Error::InvalidHistory { message });
    }
    if keys.len() > limit {
        let message =
            format!("a history of {} keys is more than the {limit} that the position can have", keys.len());
        return Err(Error::InvalidHistory { message });
    }
    Ok(keys.iter().map(|key| u64::from_be_bytes(*key)).collect())
}

/// The page sizes that are served: what 0 means, and the largest.
const DEFAULT_PAGE_SIZE: usize = 1_000;
const PAGE_SIZES: RangeInclusive<usize> = 1..=10_000;

/// How many items a page may hold.
pub(super) fn page_size(page_size: i32) -> Result<usize, Error> {
    let size = usize::try_from(page_size).map_err(|_| Error::InvalidPageSize { page_size })?;
    Ok(if size == 0 { DEFAULT_PAGE_SIZE } else { size.min(*PAGE_SIZES.end()) })
}

/// The steps that a filter lets through.
pub(super) fn scope(card: &Card, filter: Option<&v1::Filter>) -> Result<Scope, Error> {
    let Some(v1::Filter { board, from_square, to_board, to_square, captures_only }) = filter else {
        return Ok(Scope::ALL);
    };
    Ok(Scope {
        from: squares(card, ("filter.board", board), ("filter.from_square", from_square))?,
        to: squares(card, ("filter.to_board", to_board), ("filter.to_square", to_square))?,
        captures_only: *captures_only,
    })
}

/// By board, the squares of this name on boards of this name; an empty name stands for all.
fn squares(
    card: &Card,
    (board_field, board): (&str, &str),
    (square_field, square): (&str, &str),
) -> Result<[Bitboard; MAX_BOARDS], Error> {
    let fault = |field: &str, message: String| Error::InvalidFilter { field: field.to_owned(), message };
    if !board.is_empty() && card.board(board).is_none() {
        return Err(fault(board_field, format!("there is no board {}", quoted(board))));
    }
    let mut squares = [Bitboard::EMPTY; MAX_BOARDS];
    let mut is_found = square.is_empty();
    for (number, spec) in (0..).zip(card.boards) {
        let named = card.geometry(number).named(square);
        is_found |= named.is_some();
        if board.is_empty() || spec.name == board {
            squares[usize::from(number)] =
                if square.is_empty() { Bitboard::ALL } else { named.map_or(Bitboard::EMPTY, Bitboard::of) };
        }
    }
    if is_found {
        Ok(squares)
    } else {
        Err(fault(square_field, format!("there is no square {}", quoted(square))))
    }
}
