//! Lists of moves and steps, cut into pages and batches. All of them are the walk of [`play`], begun after a place.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use prost::Message;

use super::error::Error;
use super::from_proto::Asked;
use super::memory::{Memory, Share};
use super::work::Stop;
use super::{to_proto, v1};
use crate::rules::moves::{MAX_STEPS, Step};
use crate::rules::play::{self, Query};
use crate::rules::turn::{Scope, Turn};

/// The most bytes of items in a page. The rest of 1 MiB is for the other fields of the response.
pub(super) const PAGE_BYTES: usize = (1 << 20) - (64 << 10);

/// The most moves and bytes of a batch: enough that a batch's own cost does not show, and little enough that the first
/// comes at once and a stream holds little memory.
const BATCH_MOVES: usize = 2_000;
const BATCH_BYTES: usize = 48 << 10;

/// The most memory for keys of positions that were had.
const DISTINCT_BYTES: usize = 32 << 20;

/// A hash set has room for 8/7 of its entries rounded up to a power of two, each with the key's 8 bytes and one more.
const KEY_BYTES: usize = 9;

/// The keys that fit.
const MAX_DISTINCT: usize = (DISTINCT_BYTES / KEY_BYTES).next_power_of_two() / 2 * 7 / 8;

/// How often a walk without anything to show asks whether it is still wanted.
const STOP_INTERVAL: u32 = 1_024;

/// Items, and the place after which more follow, if any do.
#[derive(Debug)]
pub(super) struct Page<T> {
    /// The items.
    pub(super) items: Vec<T>,
    /// The last item had, where more follow.
    pub(super) next_after: Option<Vec<Step>>,
}

/// Room for so many items and bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// How many items fit.
    pub(super) items: usize,
    /// How many bytes of items fit.
    pub(super) bytes: usize,
}

impl Room {
    /// The room of a batch of a stream.
    pub(super) const BATCH: Self = Self { items: BATCH_MOVES, bytes: BATCH_BYTES };

    /// Takes the room of one item, or says that it does not fit. A first item always fits.
    fn take(&mut self, item: &impl Message, is_first: bool) -> bool {
        let length = item.encoded_len();
        let bytes = length + prost::length_delimiter_len(length) + 1;
        if self.items == 0 || bytes > self.bytes && !is_first {
            return false;
        }
        self.items -= 1;
        self.bytes = self.bytes.saturating_sub(bytes);
        true
    }
}

/// Positions that were reached, by key.
#[derive(Debug)]
pub(super) struct Reached {
    keys: HashSet<u64, BuildHasherDefault<KeyIsHash>>,
    /// How many are remembered at most.
    most: usize,
    /// What they take of the memory of all calls.
    share: Share,
}

impl Reached {
    /// None yet.
    pub(super) fn new(memory: &Memory) -> Self {
        Self { keys: HashSet::default(), most: MAX_DISTINCT, share: memory.share() }
    }

    /// Makes room for another key.
    fn make_room(&mut self) -> Result<(), Error> {
        let Self { keys, most, share } = self;
        if keys.len() >= *most {
            return Err(Error::DistinctTooLarge);
        }
        if keys.len() == keys.capacity() {
            // The set doubles, and for a moment the old one is there beside the new one.
            share.try_hold((keys.len().max(1) * 2 * 8 / 7).next_power_of_two() * KEY_BYTES)?;
            keys.reserve(1);
        }
        Ok(())
    }
}

/// A key is mixed already and serves as its own hash.
#[derive(Debug, Default)]
struct KeyIsHash(u64);

impl Hasher for KeyIsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Keys are hashed by `write_u64`; this is for the trait's sake.
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// A walk through the moves of a position in which the game is not over, with what it carries from batch to batch.
#[derive(Debug)]
pub(super) struct Walk {
    /// The position.
    pub(super) asked: Asked,
    /// Which first steps.
    pub(super) scope: Scope,
    /// What to show of each move.
    pub(super) view: v1::MoveView,
    /// The place to begin after.
    pub(super) after: Option<Vec<Step>>,
    /// Where only moves to positions not reached before are wanted, those reached.
    pub(super) reached: Option<Reached>,
}

impl Walk {
    /// The next moves, as many as there is room for.
    pub(super) fn next_page(&mut self, mut room: Room, stop: &Stop) -> Result<Page<v1::Move>, Error> {
        let variant = self.asked.variant;
        let card = variant.card();
        let start = Turn::new(self.asked.game.position.clone());
        let query = Query { scopes: first_step(self.scope), after: self.after.as_deref() };
        let mut items = Vec::new();
        let mut last: Option<Vec<Step>> = None;
        let mut is_full = false;
        let mut unseen = 0;
        let mut failure = None;
        let reached = &mut self.reached;
        let _ = play::moves(variant, &start, &query, &mut |before, steps| {
            unseen += 1;
            if unseen % STOP_INTERVAL == 0 && stop.is_set() {
                failure = Some(Error::Stopped);
                return ControlFlow::Break(());
            }
            let position = reached.as_ref().and_then(|_| play::position_after(variant, before, steps));
            let key = position.as_ref().map_or(0, play::text_key);
            if let Some(reached) = reached {
                if reached.keys.contains(&key) {
                    return ControlFlow::Continue(());
                }
                if let Err(error) = reached.make_room() {
                    failure = Some(error);
                    is_full = true;
                    return ControlFlow::Break(());
                }
            }
            let item = if self.view == v1::MoveView::Text {
                to_proto::text_move(card, steps)
            } else {
                to_proto::full_move(card, &play::describe(&start, before, steps))
            };
            if !room.take(&item, items.is_empty()) {
                is_full = true;
                return ControlFlow::Break(());
            }
            items.push(item);
            if let Some(Reached { keys, .. }) = reached {
                keys.insert(key);
            }
            match &mut last {
                Some(last) => {
                    last.clear();
                    last.extend_from_slice(steps);
                }
                None => last = Some(steps.to_vec()),
            }
            ControlFlow::Continue(())
        });
        match failure {
            // What was found before is good; the next call says it again.
            Some(Error::DistinctTooLarge | Error::Busy) if !items.is_empty() => {}
            Some(error) => return Err(error),
            None => {}
        }
        Ok(Page { items, next_after: last.filter(|_| is_full) })
    }
}

/// The scopes of moves whose first step is of this scope.
fn first_step(scope: Scope) -> [Scope; MAX_STEPS] {
    Query::first_step(scope).scopes
}

/// How many moves there are whose first step is of the scope.
pub(super) fn count(asked: &Asked, scope: &Scope, stop: &Stop) -> Result<u64, Error> {
    let start = Turn::new(asked.game.position.clone());
    play::count(asked.variant, &start, scope, &|| stop.is_set()).ok_or(Error::Stopped)
}

/// The steps that can follow, as many as there is room for.
pub(super) fn next_steps(
    asked: &Asked,
    turn: &Turn,
    scope: &Scope,
    after: Option<&Step>,
    mut room: Room,
    stop: &Stop,
) -> Result<Page<v1::Step>, Error> {
    let card = asked.variant.card();
    let mut items = Vec::new();
    let mut last = None;
    let mut is_full = false;
    let mut is_stopped = false;
    let _ = play::steps(asked.variant, turn, scope, after, &mut |step| {
        if stop.is_set() {
            is_stopped = true;
            return ControlFlow::Break(());
        }
        let Some(described) = play::describe_step(turn, step) else { return ControlFlow::Continue(()) };
        let item = to_proto::step(card, &described);
        if !room.take(&item, items.is_empty()) {
            is_full = true;
            return ControlFlow::Break(());
        }
        items.push(item);
        last = Some(*step);
        ControlFlow::Continue(())
    });
    if is_stopped {
        return Err(Error::Stopped);
    }
    Ok(Page { items, next_after: last.filter(|_| is_full).map(|step| vec![step]) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grpc::from_proto;
    use crate::rules::variants;

    #[test]
    fn too_many_distinct_positions_end_a_walk_after_those_that_fitted() -> Result<(), Error> {
        // The initial positions of all games have more moves than seven, and all of different positions.
        for variant in variants::ALL {
            let position = v1::Position { variant: variant.card().id.to_owned(), ..Default::default() };
            let mut walk = Walk {
                asked: from_proto::game(Some(position))?,
                scope: Scope::ALL,
                view: v1::MoveView::Text,
                after: None,
                reached: Some(Reached { most: 7, ..Reached::new(&Memory::new(1 << 20)) }),
            };
            let first = walk.next_page(Room::BATCH, &Stop::default())?;
            assert_eq!(first.items.len(), 7);
            walk.after = first.next_after;
            assert!(walk.after.is_some());
            let second = walk.next_page(Room::BATCH, &Stop::default());
            assert!(matches!(second, Err(Error::DistinctTooLarge)), "{second:?}");
        }
        Ok(())
    }
}
