//! A second opinion on the rules: a slow and simple generator of legal moves.
//!
//! It is for tests only. It goes from position text to move texts with a parser of its own, and shares nothing with
//! `src/rules` but the two text forms (position text and move text), so that a mistake in one of the two is seen as a
//! disagreement. What it does is what `docs/rules.md` says, in the plainest way that we know: boards are lists of
//! squares, pieces walk one square at a time, every candidate step is tried on a full copy of the position, and a king
//! is safe when no enemy capture, of all that there are, lands on it. Comments that begin with "rule:" quote the
//! sentence that the code below them carries out.
//!
//! - `variant`: which board, pieces and peculiarities a variant has
//! - `position`: squares, pieces, boards
//! - `position_text`: reading and writing position text
//! - `reach`: how each kind of piece moves
//! - `step`: a step, its text, and the position after it
//! - `open_steps`: promotions, twins, removals and castling: all steps that a player may choose from
//! - `attack`: which kings are attacked
//! - `influence`: the steps of Influence Chess
//! - `games`: what makes a move of one or two steps, and how games end
//!
//! It takes only valid positions, and panics on text that it cannot read.

// Every test binary that includes this module uses another part of it.
#![allow(dead_code, reason = "each test uses a part")]
#![allow(clippy::wildcard_enum_match_arm, reason = "most rules are the same in all games but one or two")]

mod attack;
mod games;
mod influence;
mod open_steps;
mod position;
mod position_text;
mod reach;
mod step;
mod variant;

use position::Position;

/// How a game stands, judged from one position alone (so without threefold repetition).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// `ongoing`, `won` or `drawn`.
    pub state: &'static str,
    /// `w` or `b`; in Influence `a` (Above) or `b` (Below).
    pub winner: Option<char>,
    /// `checkmate`, `king_captured`, `no_legal_move`, `stalemate` or `fifty_moves`.
    pub reason: Option<&'static str>,
    /// The attacked kings of the player to move, in board order, with the board's name where boards have names.
    pub checked: Vec<String>,
}

/// The legal moves in move text, sorted and each once. A finished game has none.
pub fn moves(variant: &str, position: &str) -> Vec<String> {
    let start = Position::parse(variant, position);
    // rule: a game that is over has no legal moves.
    if games::is_fifty_moves_draw(&start) {
        return Vec::new();
    }
    let mut texts: Vec<String> =
        games::legal_moves(&start).iter().map(|mv| games::move_text(&start, mv)).collect();
    texts.sort();
    // No `dedup` here: a move generated twice is a mistake, and must be seen.
    for pair in texts.windows(2) {
        assert!(pair[0] != pair[1], "generated twice: {}", pair[0]);
    }
    texts
}

/// The position text after a legal move. Panics when the move is not legal (a draw by fifty moves is not asked).
pub fn play(variant: &str, position: &str, mv: &str) -> String {
    let start = Position::parse(variant, position);
    let first_text = mv.split('/').next().unwrap_or_default();
    for first in games::first_steps(&start) {
        // Only moves that begin in the right way are worked out, as there may be a hundred thousand others.
        if first.text(&start) != first_text {
            continue;
        }
        for candidate in games::moves_beginning_with(&start, &first) {
            if games::move_text(&start, &candidate) == mv {
                return games::after_move(&start, &candidate).print();
            }
        }
    }
    panic!("{mv} is not a legal move of {variant} in {position}");
}

/// How the game stands, without history.
pub fn status(variant: &str, position: &str) -> Status {
    let position = Position::parse(variant, position);
    let end = games::end_of_game(&position);
    Status {
        state: match &end {
            None => "ongoing",
            Some(end) if end.winner.is_some() => "won",
            Some(_) => "drawn",
        },
        winner: end.as_ref().and_then(|end| end.winner).map(|side| position.player_letter(side)),
        reason: end.as_ref().map(|end| end.reason),
        checked: games::attacked_kings(&position)
            .into_iter()
            .map(|king| position.name_with_board(king))
            .collect(),
    }
}

/// The number of sequences of `depth` legal moves. Draws by fifty moves are not asked.
pub fn perft(variant: &str, position: &str, depth: u32) -> u64 {
    fn count(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = games::legal_moves(position);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|mv| count(&games::after_move(position, mv), depth - 1)).sum()
    }
    count(&Position::parse(variant, position), depth)
}

/// The passed squares (with the board's name where boards have names) onto which some legal move captures en passant.
pub fn en_passant_possible(variant: &str, position: &str) -> Vec<String> {
    let position = Position::parse(variant, position);
    games::usable_en_passant(&position).into_iter().map(|square| position.name_with_board(square)).collect()
}

/// A text that is equal for two positions exactly when they are the same for threefold repetition.
pub fn repetition_key(variant: &str, position: &str) -> String {
    // rule: the same player is to move, the same pieces (with the same twin groups) stand on the same squares, the
    // castling rights are the same, and the same en-passant captures are possible.
    let mut position = Position::parse(variant, position);
    let usable = games::usable_en_passant(&position);
    for board in &mut position.boards {
        if board.en_passant.is_some_and(|right| !usable.contains(&right.passed)) {
            board.en_passant = None;
        }
    }
    position.halfmove_clock = 0;
    position.move_number = 1;
    position.print()
}

/// Whose turn it is: `w` or `b`; in Influence `a` or `b`.
pub fn player_to_move(variant: &str, position: &str) -> char {
    let position = Position::parse(variant, position);
    position.player_letter(position.to_move)
}
