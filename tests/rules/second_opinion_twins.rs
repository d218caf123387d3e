//! The games of two boards and of twins, held against the second opinion of `naive` on random positions: of playouts
//! from the initial position, and made up from few pieces, where promotions, twin groups and ends are near.
//!
//! With `ARBITER_LONG` set in the environment, thousands of positions and longer lists are compared, which takes
//! minutes.

use std::ops::ControlFlow;

use arbiter::rules::moves::{Step, Steps};
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Game, Query};
use arbiter::rules::position::Position;
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::variant::Variant;
use arbiter::rules::{initial_position, variants};

use crate::chance::Random;
use crate::clauses::changes_lead_there;
use crate::{naive, table};

/// The games compared here, each with the longest list that is compared in a short run.
const GAMES: [(&str, u64); 4] = [
    ("bordahbee", 600),
    ("doppelganger", 1_000),
    ("doppelganger-bordahbee", 700),
    ("doppelganger-bordahbee-extreme", 1_000),
];

/// The sizes of a run.
struct Run {
    playouts: u64,
    made_up: u64,
    longest: u64,
}

fn run(longest: u64) -> Run {
    if std::env::var_os("ARBITER_LONG").is_some() {
        Run { playouts: 60, made_up: 4_000, longest: 60_000 }
    } else {
        Run { playouts: 4, made_up: 80, longest }
    }
}

#[test]
fn random_playouts_agree_with_the_second_opinion() {
    for (id, longest) in GAMES {
        let variant = variants::find(id).unwrap();
        let run = run(longest);
        let mut random = Random::new(1);
        let mut compared = 0;
        for _ in 0..run.playouts {
            let mut game = Game::new(initial_position(variant, None).unwrap());
            for _ in 0..60 {
                compared += u64::from(agrees(variant, &game.position, run.longest, &mut random));
                match random_move(variant, &game, &mut random) {
                    Some(steps) => game = play::apply(variant, &game, &steps).unwrap().game,
                    None => break,
                }
            }
        }
        assert!(compared > 8 * run.playouts, "{id}: only {compared} positions were compared");
    }
}

#[test]
fn made_up_positions_agree_with_the_second_opinion() {
    for (id, longest) in GAMES {
        let variant = variants::find(id).unwrap();
        let run = run(longest);
        let mut random = Random::new(2);
        let mut compared = 0;
        for _ in 0..run.made_up {
            if let Some(position) = made_up(variant, &mut random) {
                compared += u64::from(agrees(variant, &position, run.longest, &mut random));
            }
        }
        assert!(compared > run.made_up / 4, "{id}: only {compared} positions were compared");
    }
}

/// Compares a position's moves, its status, and where some of its moves lead; whether it did so, as it does not where
/// the list is long.
fn agrees(variant: &dyn Variant, position: &Position, longest: u64, random: &mut Random) -> bool {
    let id = variant.card().id;
    let text = position_text::print(variant, position);
    let game = Game::new(position.clone());
    let start = Turn::new(position.clone());
    let is_over = play::outcome(variant, &game).is_some();
    let count = if is_over { 0 } else { play::count(variant, &start, &Scope::ALL, &|| false).unwrap() };
    if count > longest {
        return false;
    }
    let listed = if is_over { Vec::new() } else { moves_after(variant, &start, None) };
    assert_eq!(listed.len() as u64, count, "{id} {text}");
    let mut moves: Vec<String> = listed.iter().map(|steps| move_text::print(variant.card(), steps)).collect();
    moves.sort_unstable();
    assert_eq!(moves, naive::moves(id, &text), "{id} {text}");

    let status = table::status_in_words(variant, &play::status(variant, &game));
    let naive::Status { state, winner, reason, checked } = naive::status(id, &text);
    let winner = winner.map(String::from);
    let second =
        serde_json::json!({ "state": state, "winner": winner, "reason": reason, "checked": checked });
    assert_eq!(status, second, "{id} {text}");
    if listed.is_empty() {
        return true;
    }
    for _ in 0..3 {
        let steps = random.among(&listed);
        let applied = play::apply(variant, &game, steps).unwrap();
        let played = move_text::print(variant.card(), steps);
        let after = &applied.game.position;
        assert_eq!(position_text::print(variant, after), naive::play(id, &text, &played), "{id} {text}");
        changes_lead_there(position, &applied.changes, after);
    }
    let place = random.below(count) as usize;
    assert_eq!(moves_after(variant, &start, Some(&listed[place])), listed[place + 1..], "{id} {text}");
    no_dead_end_is_offered(variant, &start, &listed, &text);
    en_passant_counts_where_it_is_possible(variant, position, &text);
    true
}

/// All moves, or those after a place, in their order.
fn moves_after(variant: &dyn Variant, start: &Turn, after: Option<&Steps>) -> Vec<Steps> {
    let mut moves = Vec::new();
    let query = Query { after: after.map(|steps| &steps[..]), ..Query::ALL };
    let _ = play::moves(variant, start, &query, &mut |_, steps| {
        moves.extend(Steps::try_from(steps));
        ControlFlow::Continue(())
    });
    moves
}

/// The steps offered first are those with which the moves begin.
fn no_dead_end_is_offered(variant: &dyn Variant, start: &Turn, moves: &[Steps], text: &str) {
    let mut offered = Vec::new();
    let _ = play::steps(variant, start, &Scope::ALL, None, &mut |step| {
        offered.push(*step);
        ControlFlow::Continue(())
    });
    let mut begun: Vec<Step> = moves.iter().filter_map(|steps| steps.first()).copied().collect();
    begun.dedup();
    assert!(begun.is_sorted(), "{text}");
    assert_eq!(offered, begun, "{text}");
}

/// An en-passant square changes the key exactly where some legal move captures on it.
fn en_passant_counts_where_it_is_possible(variant: &dyn Variant, position: &Position, text: &str) {
    let mut possible = Vec::new();
    for (number, board) in position.numbered_boards() {
        let Some(en_passant) = board.en_passant else { continue };
        let mut without = position.clone();
        without.board_mut(number).en_passant = None;
        if play::key(variant, position) != play::key(variant, &without) {
            let passed = arbiter::rules::square::Location::new(number, en_passant.passed);
            possible.push(variant.card().square_name(passed));
        }
    }
    assert_eq!(possible, naive::en_passant_possible(variant.card().id, text), "{text}");
}

/// One of the legal moves, each with the same chance.
fn random_move(variant: &dyn Variant, game: &Game, random: &mut Random) -> Option<Vec<Step>> {
    if play::outcome(variant, game).is_some() {
        return None;
    }
    let start = Turn::new(game.position.clone());
    let count = play::count(variant, &start, &Scope::ALL, &|| false).unwrap();
    let mut before = random.below(count);
    let mut found = None;
    let _ = play::moves(variant, &start, &Query::ALL, &mut |_, steps| {
        if before == 0 {
            found = Some(steps.to_vec());
            return ControlFlow::Break(());
        }
        before -= 1;
        ControlFlow::Continue(())
    });
    found
}

/// What stands on made-up boards, pawns most often.
const LETTERS: [char; 18] =
    ['P', 'P', 'P', 'P', 'p', 'p', 'p', 'p', 'R', 'R', 'r', 'r', 'B', 'b', 'N', 'n', 'Q', 'q'];

/// A position of few pieces, mostly with kings, pawns near their last rank and groups of twins, if it is sound.
fn made_up(variant: &dyn Variant, random: &mut Random) -> Option<Position> {
    let card = variant.card();
    let placements: Vec<String> = card
        .boards
        .iter()
        .map(|_| {
            let mut squares = vec![None; 64];
            for king in ["K", "k"] {
                if random.below(20) > 0 {
                    squares[random.below(64) as usize] = Some(king.to_owned());
                }
            }
            for _ in 0..2 + random.below(12) {
                let square = random.below(64) as usize;
                let letter = *random.among(&LETTERS);
                let is_pawn = letter.eq_ignore_ascii_case(&'p');
                if squares[square].is_some() || is_pawn && !(8..56).contains(&square) {
                    continue;
                }
                let kind = letter.to_ascii_uppercase();
                let bears_groups = card.twin_kinds.iter().any(|twin| twin.letter() == kind);
                let group = if bears_groups { random.below(3) } else { 0 };
                squares[square] =
                    Some(if group > 0 { format!("{letter}{{{group}}}") } else { letter.to_string() });
            }
            placement(&squares)
        })
        .collect();
    let none = vec!["-"; placements.len()].join("|");
    let side = if random.below(2) == 0 { 'w' } else { 'b' };
    let text = format!("{} {side} {none} {none} 0 1", placements.join("|"));
    position_text::parse(variant, &text).ok()
}

fn placement(squares: &[Option<String>]) -> String {
    let rank = |rank: &[Option<String>]| {
        let mut text = String::new();
        let mut empty = 0;
        for square in rank {
            match square {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push_str(piece);
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    squares.chunks(8).map(rank).collect::<Vec<_>>().join("/")
}
