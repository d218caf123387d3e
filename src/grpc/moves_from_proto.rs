//! Moves and steps of requests as steps of the rules core.

use super::enums::piece_kind;
use super::error::{Error, quoted};
use super::from_proto::Asked;
use super::v1;
use crate::rules::illegal::Illegality;
use crate::rules::moves::{Removals, Step};
use crate::rules::square::Location;
use crate::rules::variant::Card;
use crate::rules::{MoveTextError, read_move};

/// The steps of a readable text, or why it names no legal move although it is readable.
pub(super) type Read = Result<Vec<Step>, Box<Illegality>>;

/// The steps of a move's text.
pub(super) fn text(asked: &Asked, field: String, text: &str) -> Result<Read, Error> {
    match read_move(asked.variant, &asked.game, text) {
        Ok(steps) => Ok(Ok(steps)),
        Err(MoveTextError::Illegal(illegality)) => Ok(Err(illegality)),
        Err(MoveTextError::Unreadable(message)) => Err(Error::UnreadableMove { field, message }),
    }
}

/// The steps of a move message, which is required.
pub(super) fn chosen(asked: &Asked, message: Option<v1::Move>) -> Result<Read, Error> {
    let v1::Move { text: written, steps: sent, long_text: _ } =
        message.ok_or_else(|| Error::missing("move"))?;
    if written.is_empty() && sent.is_empty() {
        return Err(Error::missing("move"));
    }
    if written.is_empty() {
        return Ok(Ok(steps(asked.variant.card(), "move.steps", &sent)?));
    }
    let read = text(asked, "move.text".to_owned(), &written)?;
    if !sent.is_empty() {
        let sent = steps(asked.variant.card(), "move.steps", &sent)?;
        if read.as_ref().is_ok_and(|read| *read != sent) {
            let message = "the steps are not the move that the text names".to_owned();
            return Err(Error::ConflictingForms { field: "move.steps".to_owned(), message });
        }
    }
    Ok(read)
}

/// The steps of step messages in the field of this path.
pub(super) fn steps(card: &Card, field: &str, messages: &[v1::Step]) -> Result<Vec<Step>, Error> {
    messages
        .iter()
        .enumerate()
        .map(|(index, message)| step(card, &format!("{field}[{index}]"), message))
        .collect()
}

fn step(card: &Card, path: &str, message: &v1::Step) -> Result<Step, Error> {
    let v1::Step {
        board,
        from_square,
        to_board,
        to_square,
        promotion,
        twin,
        removals,
        piece: _,
        captured: _,
    } = message;
    let from = location(card, (path, "board", board), (path, "from_square", from_square), None)?;
    let to = location(card, (path, "to_board", to_board), (path, "to_square", to_square), Some(from.board))?;
    let promotion = piece_kind(*promotion)
        .map_err(|_| Error::value(format!("{path}.promotion"), "there is no such kind of piece"))?;
    let target = |field: String, message: &v1::Location| {
        let v1::Location { board, square } = message;
        location(card, (&field, "board", board), (&field, "square", square), Some(from.board))
    };
    let twin = twin.as_ref().map(|twin| target(format!("{path}.twin"), twin)).transpose()?;
    let targets = removals
        .iter()
        .enumerate()
        .map(|(index, removal)| target(format!("{path}.removals[{index}]"), removal))
        .collect::<Result<Vec<_>, _>>()?;
    let removals = Removals::new(targets);
    Ok(Step { from, to, promotion, twin, removals })
}

/// A field: the path of its message, its name, its text.
type Field<'a> = (&'a str, &'a str, &'a str);

/// The square of a board's and a square's name; without a board's name on `own`, or on the only board.
fn location(
    card: &Card,
    (board_path, board_field, board): Field<'_>,
    (path, field, square): Field<'_>,
    own: Option<u8>,
) -> Result<Location, Error> {
    let number = if board.is_empty() {
        let only = (card.boards.len() == 1).then_some(0);
        own.or(only).ok_or_else(|| Error::missing(format!("{board_path}.{board_field}")))?
    } else {
        let message = || format!("there is no board {}", quoted(board));
        card.board(board).ok_or_else(|| Error::value(format!("{board_path}.{board_field}"), message()))?
    };
    let path = format!("{path}.{field}");
    if square.is_empty() {
        return Err(Error::missing(path));
    }
    let found = card.geometry(number).named(square);
    let square = found.ok_or_else(|| Error::value(path, format!("there is no square {}", quoted(square))))?;
    Ok(Location::new(number, square))
}
