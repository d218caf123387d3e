//! How large a request may be in itself, looked at before it is decoded.
//!
//! To decode multiplies: an empty step takes two bytes of a message and some two hundred of memory. So what is larger than
//! any position and move need is refused while it is bytes. Only the moves of a game to replay may be more: they are texts,
//! which take little more memory than bytes, and their number is bounded.

use std::sync::LazyLock;

use prost::encoding::{DecodeContext, decode_key, skip_field};
use prost::{Message, Name};
use prost_types::FileDescriptorSet;

use super::error::Error;
use super::replaying::MAX_MOVES;
use super::{DESCRIPTORS, v1};

/// The most bytes of a request, the moves of a game left out. The largest positions and moves take a third of it.
const MOST: usize = 16 << 10;

/// The number of the field with the moves of a game.
const MOVES: usize = 2;

/// Refuses a message that is a request and too large.
pub(super) fn check<M: Name>(bytes: &[u8]) -> Result<(), Error> {
    if bytes.len() <= MOST || !M::NAME.ends_with("Request") {
        return Ok(());
    }
    // What is no message is not measured, but refused when it is decoded, without being kept.
    let Some(mut fields) = fields(bytes) else { return Ok(()) };
    if M::NAME == v1::ReplayGameRequest::NAME {
        let moves = std::mem::take(&mut fields[MOVES]);
        if moves.count > MAX_MOVES {
            return Err(Error::TooManyMoves { count: moves.count });
        }
    }
    let bytes = fields.iter().map(|field| field.bytes).sum();
    if bytes <= MOST {
        return Ok(());
    }
    let largest = (0..FIELDS).max_by_key(|&number| fields[number].bytes).unwrap_or_default();
    Err(Error::RequestTooLarge { field: field_name::<M>(largest), bytes, most: MOST })
}

/// More than the numbers of a request's fields. Those that no request has are counted as the last.
const FIELDS: usize = 16;

/// All occurrences of a field.
#[derive(Clone, Copy, Default)]
struct Field {
    count: usize,
    bytes: usize,
}

/// The fields of a message, by number; none of what is no message.
fn fields(mut bytes: &[u8]) -> Option<[Field; FIELDS]> {
    let mut fields = [Field::default(); FIELDS];
    while !bytes.is_empty() {
        let before = bytes.len();
        let (number, wire_type) = decode_key(&mut bytes).ok()?;
        skip_field(wire_type, number, &mut bytes, DecodeContext::default()).ok()?;
        let field = &mut fields[(number as usize).min(FIELDS - 1)];
        field.count += 1;
        field.bytes += before - bytes.len();
    }
    Some(fields)
}

/// The name of a field in the contract.
fn field_name<M: Name>(number: usize) -> String {
    static FILES: LazyLock<FileDescriptorSet> =
        LazyLock::new(|| FileDescriptorSet::decode(DESCRIPTORS).unwrap_or_default());
    FILES
        .file
        .iter()
        .flat_map(|file| &file.message_type)
        .find(|message| message.name() == M::NAME)
        .and_then(|message| message.field.iter().find(|field| usize::try_from(field.number()) == Ok(number)))
        .map_or_else(|| format!("field {number}"), |field| field.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(bytes: usize) -> Option<v1::Position> {
        Some(v1::Position { fen: "K".repeat(bytes), ..Default::default() })
    }

    #[test]
    fn a_request_is_measured_without_the_moves_of_a_game() {
        let request = v1::GameStatusRequest { position: position(MOST - 8) };
        assert!(check::<v1::GameStatusRequest>(&request.encode_to_vec()).is_ok());
        let request = v1::GameStatusRequest { position: position(MOST) };
        let refused = check::<v1::GameStatusRequest>(&request.encode_to_vec());
        assert!(matches!(refused, Err(Error::RequestTooLarge { field, .. }) if field == "position"));

        let moves = vec!["e2e4".repeat(10); MAX_MOVES];
        let mut replay = v1::ReplayGameRequest { position: position(100), moves, ..Default::default() };
        assert!(check::<v1::ReplayGameRequest>(&replay.encode_to_vec()).is_ok());
        replay.position = position(MOST);
        let refused = check::<v1::ReplayGameRequest>(&replay.encode_to_vec());
        assert!(matches!(refused, Err(Error::RequestTooLarge { field, .. }) if field == "position"));
        replay.position = None;
        replay.moves = vec![String::new(); 1 << 20];
        let refused = check::<v1::ReplayGameRequest>(&replay.encode_to_vec());
        assert!(matches!(refused, Err(Error::TooManyMoves { count }) if count == 1 << 20));
    }

    /// Many small messages are what takes memory.
    #[test]
    fn elements_count_by_their_bytes() {
        let prefix = vec![v1::Step::default(); MOST];
        let request = v1::LegalStepsRequest { prefix, ..Default::default() };
        let refused = check::<v1::LegalStepsRequest>(&request.encode_to_vec());
        assert!(matches!(refused, Err(Error::RequestTooLarge { field, .. }) if field == "prefix"));
    }

    #[test]
    fn answers_and_what_is_no_message_are_not_measured() {
        let answer = v1::GameStatusResponse::default();
        let mut long = answer.encode_to_vec();
        prost::encoding::bytes::encode(1_000, &vec![0; 2 * MOST], &mut long);
        assert!(check::<v1::GameStatusResponse>(&long).is_ok());
        assert!(check::<v1::GameStatusRequest>(&vec![0xff; 2 * MOST]).is_ok());
    }
}
