//! Long algebraic: the form of printed games, read where it names exactly one legal move.
//!
//! ```text
//! move = step *( "/" step )
//! step = [board ":"] [letter] from ("-" | "x") [board ":"] to [["="] promotion]
//! ```
//!
//! A step without a letter is a pawn's; `x` stands exactly for captures; castling is the king's step. A board or a
//! promotion that is left out matches any; twins and removals cannot be written and match any.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::illegal::{IllegalReason, Illegality, Refusal};
use crate::rules::moves::{MAX_STEPS, Step, Steps};
use crate::rules::piece::PieceKind;
use crate::rules::play::{self, Described, Game, Nearest, Query};
use crate::rules::position::MAX_BOARDS;
use crate::rules::square::{Location, Square};
use crate::rules::turn::{Scope, Turn};
use crate::rules::variant::{Card, Variant};

use super::move_text::{MAX_LENGTH, promotion, read_board, read_square};

/// How many candidates an ambiguous text is answered with.
pub const MAX_CANDIDATES: usize = 100;

/// Prints a move for people.
pub fn print_to(text: &mut String, card: &Card, steps: &[Described]) {
    for (index, Described { step, kind, captured }) in steps.iter().enumerate() {
        if index > 0 {
            text.push('/');
        }
        let from = card.square_name(step.from);
        let (board, square) = from.split_at(from.len() - 2);
        text.push_str(board);
        if !kind.is_pawn() {
            text.push(kind.letter());
        }
        text.push_str(square);
        text.push(if captured.is_some() { 'x' } else { '-' });
        let to = card.square_name(step.to);
        text.push_str(if step.to.board == step.from.board { &to[to.len() - 2..] } else { &to });
        if let Some(kind) = step.promotion {
            text.push('=');
            text.push(kind.letter());
        }
    }
}

/// A step as the text names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pattern {
    board: Option<u8>,
    /// No kind means a pawn of any sort.
    kind: Option<PieceKind>,
    from: Square,
    captures: bool,
    to_board: Option<u8>,
    to: Square,
    promotion: Option<PieceKind>,
}

/// A text in the form of long algebraic, not yet held against a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LongMove(Vec<Pattern>);

/// Reads the form, or says what cannot be read.
pub fn parse(card: &Card, text: &str) -> Result<LongMove, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("the text is longer than {MAX_LENGTH} bytes, as no move is"));
    }
    text.split('/').map(|step| parse_step(card, step)).collect::<Result<_, _>>().map(LongMove)
}

fn parse_step(card: &Card, text: &str) -> Result<Pattern, String> {
    let mut rest = text;
    let board = read_board(card, &mut rest)?;
    let letter = rest.chars().next().filter(char::is_ascii_uppercase);
    let kind = match letter {
        None => None,
        Some(letter) => {
            rest = &rest[1..];
            let kind = card.kinds().find(|kind| kind.letter() == letter);
            Some(kind.ok_or_else(|| format!("the game has no piece {letter:?}"))?)
        }
    };
    // The boards of a variant are of one size.
    let from = read_square(card, 0, &mut rest)?;
    let captures = match rest.chars().next() {
        Some('-') => false,
        Some('x') => true,
        _ => return Err(format!("{text:?} has no - or x between its squares")),
    };
    rest = &rest[1..];
    let to_board = read_board(card, &mut rest)?;
    let to = read_square(card, 0, &mut rest)?;
    let promotion = match rest.strip_prefix('=').unwrap_or(rest) {
        "" if rest.is_empty() => None,
        named => {
            let mut letters = named.chars();
            let letter = letters.next().filter(|_| letters.clone().next().is_none());
            let letter = letter.ok_or_else(|| format!("{rest:?} at the end of {text:?} is not read"))?;
            Some(promotion(letter.to_ascii_lowercase())?)
        }
    };
    Ok(Pattern { board, kind, from, captures, to_board, to, promotion })
}

impl Pattern {
    fn scope(&self) -> Scope {
        Scope { from: on(self.board, self.from), to: on(self.to_board, self.to), captures_only: false }
    }

    /// Whether the step goes where the text says, and promotes so if the text says.
    fn names(&self, described: &Described) -> bool {
        self.promotion.is_none_or(|kind| described.step.promotion == Some(kind))
    }

    /// Whether the letter and the `-` or `x` are right.
    fn agrees(&self, described: &Described) -> bool {
        self.captures == described.captured.is_some()
            && self.kind.map_or(described.kind.is_pawn(), |kind| kind == described.kind)
    }
}

/// By board: the square, on the board that is named, or on all.
fn on(board: Option<u8>, square: Square) -> [Bitboard; MAX_BOARDS] {
    std::array::from_fn(|number| match board {
        Some(board) if usize::from(board) != number => Bitboard::EMPTY,
        _ => Bitboard::of(square),
    })
}

/// The one legal move that the text names, or why there is none.
pub fn resolve(variant: &dyn Variant, game: &Game, text: &LongMove) -> Result<Steps, Illegality> {
    // A game that is over says so before the text is held against it.
    play::begin(variant, game, &[])?;
    let patterns = &text.0;
    let mut candidates = Vec::new();
    let mut disagreement = None;
    if patterns.len() <= MAX_STEPS {
        let start = Turn::new(game.position.clone());
        let mut scopes = [Scope::ALL; MAX_STEPS];
        for (scope, pattern) in scopes.iter_mut().zip(patterns) {
            *scope = pattern.scope();
        }
        let query = Query { scopes, after: None };
        let _ = play::moves(variant, &start, &query, &mut |before, steps| {
            let described = play::describe(&start, before, steps);
            let mut pairs = patterns.iter().zip(&described);
            if steps.len() != patterns.len() || !pairs.all(|(pattern, step)| pattern.names(step)) {
                return ControlFlow::Continue(());
            }
            let mut pairs = patterns.iter().zip(&described);
            match pairs.position(|(pattern, step)| !pattern.agrees(step)) {
                None => candidates.extend(Steps::try_from(steps)),
                Some(index) => {
                    disagreement.get_or_insert((index, described[index]));
                }
            }
            if candidates.len() > MAX_CANDIDATES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
    match candidates.len() {
        1 => Ok(candidates.swap_remove(0)),
        0 => {
            let disagreement =
                disagreement.map(|(index, described)| disagrees(variant.card(), index, &described));
            Err(no_such_move(variant, game, patterns, disagreement))
        }
        _ => Err(ambiguous(candidates)),
    }
}

fn disagrees(card: &Card, index: usize, described: &Described) -> Illegality {
    let Described { step, kind, captured } = described;
    let from = card.square_name(step.from);
    let what = match captured {
        Some(captured) => format!("captures a {}", captured.name()),
        None => "captures nothing".to_owned(),
    };
    let message = format!("the piece on {from} is a {}, and its step {what}", kind.name());
    Illegality::new(index, Refusal::new(IllegalReason::NotationDisagrees, [], message))
}

fn ambiguous(mut candidates: Vec<Steps>) -> Illegality {
    let candidates_truncated = candidates.len() > MAX_CANDIDATES;
    candidates.truncate(MAX_CANDIDATES);
    let message = "the text names several legal moves";
    let refusal = Refusal::new(IllegalReason::Ambiguous, [], message);
    Illegality { step_index: 0, refusal, candidates, candidates_truncated }
}

/// Why no legal move is of these patterns: the reason against the likeliest move that the text can mean. A board that
/// is left out is the first on which such a piece stands that is not the opponent's; of what the form cannot say, or
/// leaves out, no reason is made.
///
/// Where such a piece does not stand there, the reason is `disagreement`: what the text says of another legal move that
/// is not so.
fn no_such_move(
    variant: &dyn Variant,
    game: &Game,
    patterns: &[Pattern],
    disagreement: Option<Illegality>,
) -> Illegality {
    let position = &game.position;
    let mut turn = Turn::new(position.clone());
    let mut used = None;
    let mut is_as_written = true;
    let mut steps = Vec::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let stands = |board: &u8, strict: bool| {
            let piece = position.board(*board).piece(pattern.from);
            piece.is_some_and(|piece| {
                !strict
                    || piece.side != position.to_move.opponent()
                        && pattern.kind.map_or(piece.kind.is_pawn(), |kind| kind == piece.kind)
            })
        };
        let boards = || (0..position.boards().len() as u8).filter(|board| Some(*board) != used);
        let board = pattern
            .board
            .or_else(|| boards().find(|board| stands(board, true)))
            .or_else(|| boards().find(|board| stands(board, false)))
            .unwrap_or(0);
        used = Some(board);
        is_as_written &= stands(&board, true);
        let from = Location::new(board, pattern.from);
        let to = Location::new(pattern.to_board.unwrap_or(board), pattern.to);
        let written = Step { promotion: pattern.promotion, ..Step::new(from, to) };
        let Nearest { step, leads_on } = play::nearest(variant, &turn, &written);
        steps.push(step);
        if !leads_on {
            break;
        }
        if let Some(described) = play::take(variant, &mut turn, &step)
            && !pattern.agrees(&described)
        {
            return disagrees(variant.card(), index, &described);
        }
    }
    let illegality = play::judge(variant, game, &steps).err();
    illegality.filter(|_| is_as_written || disagreement.is_none()).or(disagreement).unwrap_or_else(|| {
        let message = "the text says of the move what is not so";
        Illegality::new(0, Refusal::new(IllegalReason::NotationDisagrees, [], message))
    })
}
