//! Move text: the exact form of moves.
//!
//! ```text
//! move     = step *( "/" step )
//! step     = [board ":"] from ["-" board ":"] to [promotion] [twin] [removals]
//! promotion= one small letter: q r b n s a
//! twin     = "+" [board ":"] square
//! removals = "x" target *("," target)
//! target   = [board ":"] square
//! ```
//!
//! The board stands before the from-square where boards have names, before the to-square only where the step ends on
//! another board, and before a twin or target only where that is not the step's own board.

use crate::rules::geometry::Geometry;
use crate::rules::moves::{Removals, Step};
use crate::rules::piece::PieceKind;
use crate::rules::square::{Location, Square};
use crate::rules::variant::Card;

/// The longest text that is read, in bytes; the longest of any move is less than a tenth of it.
pub const MAX_LENGTH: usize = 1024;

/// Prints a move or the beginning of one.
pub fn print(card: &Card, steps: &[Step]) -> String {
    // Room for a step with a board and a choice; lists print millions of them.
    let mut text = String::with_capacity(12 * steps.len());
    print_to(&mut text, card, steps);
    text
}

/// Prints a move after what `text` holds.
pub fn print_to(text: &mut String, card: &Card, steps: &[Step]) {
    for (index, step) in steps.iter().enumerate() {
        if index > 0 {
            text.push('/');
        }
        print_step(text, card, step);
    }
}

fn print_step(text: &mut String, card: &Card, step: &Step) {
    let own = step.from.board;
    print_board(text, card, own);
    print_square(text, card, step.from);
    if step.to.board != own {
        text.push('-');
        print_board(text, card, step.to.board);
    }
    print_square(text, card, step.to);
    if let Some(kind) = step.promotion {
        text.push(kind.letter().to_ascii_lowercase());
    }
    let print_target = |text: &mut String, mark: char, at: Location| {
        text.push(mark);
        if at.board != own {
            print_board(text, card, at.board);
        }
        print_square(text, card, at);
    };
    if let Some(twin) = step.twin {
        print_target(text, '+', twin);
    }
    for (index, target) in step.removals.iter().enumerate() {
        print_target(text, if index == 0 { 'x' } else { ',' }, target);
    }
}

fn print_board(text: &mut String, card: &Card, board: u8) {
    let name = card.boards[usize::from(board)].name;
    if !name.is_empty() {
        text.push_str(name);
        text.push(':');
    }
}

fn print_square(text: &mut String, card: &Card, at: Location) {
    for letter in card.geometry(at.board).name(at.square).letters() {
        text.push(letter);
    }
}

/// Reads a move, or says what cannot be read. Whether it is legal is not asked; targets are accepted in any order.
pub fn parse(card: &Card, text: &str) -> Result<Vec<Step>, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("the text is longer than {MAX_LENGTH} bytes, as no move is"));
    }
    if text.is_empty() {
        return Err("the text is empty".to_owned());
    }
    text.split('/').map(|step| parse_step(card, step)).collect()
}

fn parse_step(card: &Card, text: &str) -> Result<Step, String> {
    let mut rest = text;
    let board = match read_board(card, &mut rest)? {
        Some(board) => board,
        None if card.boards.len() == 1 => 0,
        None => return Err(format!("{text:?} names no board before its first square")),
    };
    let from = Location::new(board, read_square(card, board, &mut rest)?);
    let to_board = match rest.strip_prefix('-') {
        None => board,
        Some(after) => {
            rest = after;
            match read_board(card, &mut rest)? {
                Some(other) if other != board => other,
                Some(_) => return Err(format!("{text:?} names its own board a second time")),
                None => return Err(format!("{text:?} names no board after the -")),
            }
        }
    };
    let to = Location::new(to_board, read_square(card, to_board, &mut rest)?);
    let mut step = Step::new(from, to);
    if let Some(letter) = rest.chars().next().filter(char::is_ascii_lowercase)
        && letter != 'x'
    {
        step.promotion = Some(promotion(letter)?);
        rest = &rest[1..];
    }
    if let Some(after) = rest.strip_prefix('+') {
        rest = after;
        step.twin = Some(read_target(card, board, &mut rest)?);
    }
    if let Some(after) = rest.strip_prefix('x') {
        rest = after;
        let mut targets = vec![read_target(card, board, &mut rest)?];
        while let Some(after) = rest.strip_prefix(',') {
            rest = after;
            targets.push(read_target(card, board, &mut rest)?);
        }
        step.removals = Removals::new(targets);
    }
    if rest.is_empty() { Ok(step) } else { Err(format!("{rest:?} at the end of {text:?} is not read")) }
}

/// The kind that a pawn can promote to, of a small letter.
pub fn promotion(letter: char) -> Result<PieceKind, String> {
    PieceKind::from_letter(letter.to_ascii_uppercase())
        .filter(|kind| {
            matches!(
                kind,
                PieceKind::Queen
                    | PieceKind::Rook
                    | PieceKind::Bishop
                    | PieceKind::Knight
                    | PieceKind::Ship
                    | PieceKind::Archer
            )
        })
        .ok_or_else(|| format!("{letter:?} is no promotion"))
}

/// Reads `board ":"` where it stands.
pub(super) fn read_board(card: &Card, rest: &mut &str) -> Result<Option<u8>, String> {
    let Some((name, after)) = rest.split_once(':') else { return Ok(None) };
    // The colon of a later target is not this one's.
    if name.len() != 1 {
        return Ok(None);
    }
    let board = card.board(name).ok_or_else(|| format!("there is no board {name:?}"))?;
    *rest = after;
    Ok(Some(board))
}

pub(super) fn read_square(card: &Card, board: u8, rest: &mut &str) -> Result<Square, String> {
    let geometry: &Geometry = card.geometry(board);
    let (name, after) = rest.split_at_checked(2).unwrap_or((rest, ""));
    let square =
        geometry.named(name).ok_or_else(|| format!("{name:?} is no square of a board of {geometry}"))?;
    *rest = after;
    Ok(square)
}

fn read_target(card: &Card, own: u8, rest: &mut &str) -> Result<Location, String> {
    let board = read_board(card, rest)?.unwrap_or(own);
    Ok(Location::new(board, read_square(card, board, rest)?))
}
