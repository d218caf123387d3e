//! The games of several boards beside the naive generator, on random playouts.
//!
//! The default run compares a few hundred positions. With ARBITER_LONG set in the environment it is thousands, which
//! takes a minute in a release build.

use std::collections::HashMap;
use std::ops::ControlFlow;

use arbiter::rules::mechanics::refusal;
use arbiter::rules::moves::{Step, Steps};
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::outcome::{Change, ChangeCause};
use arbiter::rules::piece::PieceKind;
use arbiter::rules::play::{self, Game, Query};
use arbiter::rules::position::Position;
use arbiter::rules::square::{Location, Square};
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::variant::Variant;
use arbiter::rules::{initial_position, variants};

use crate::{naive, table};

/// The games, and how many positions of each the default run compares: the naive generator is slow where moves are
/// counted in thousands.
const GAMES: [(&str, usize); 2] = [("influence", 400), ("three-universes", 120)];

/// How many times as many the long run compares.
const LONG: usize = 20;

/// The generator of Steele, Lea and Flood: the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % limit as u64) as usize
    }
}

#[test]
fn random_playouts_agree_with_the_naive_generator() {
    let is_long = std::env::var_os("ARBITER_LONG").is_some();
    for (id, count) in GAMES {
        let variant = variants::find(id).unwrap();
        let mut random = Random(20_260_101);
        let wanted = if is_long { count * LONG } else { count };
        let starts = starts(variant);
        let mut keys = Keys::default();
        let mut compared = 0;
        while compared < wanted {
            let mut next = Some(Game::new(starts[random.below(starts.len())].clone()));
            while let Some(game) = next.filter(|_| compared < wanted) {
                let moves = legal_moves(variant, &game);
                compare(variant, &game, &moves, &mut random, &mut keys);
                compared += 1;
                let steps = moves.get(random.below(moves.len().max(1)));
                next = steps.map(|steps| Game::new(play::judge(variant, &game, steps).unwrap().0));
            }
        }
    }
}

/// The initial position and the sound positions of the vectors.
fn starts(variant: &dyn Variant) -> Vec<Position> {
    let rows = table::rows(variant).into_iter().filter(|row| row.get("invalid").is_none());
    let listed = rows.map(|row| table::position(variant, table::text(&row["position"])));
    std::iter::once(initial_position(variant, None).unwrap()).chain(listed).collect()
}

fn legal_moves(variant: &dyn Variant, game: &Game) -> Vec<Steps> {
    let mut moves = Vec::new();
    if play::outcome(variant, game).is_none() {
        let start = Turn::new(game.position.clone());
        let _ = play::moves(variant, &start, &Query::ALL, &mut |_, steps| {
            moves.extend(Steps::try_from(steps));
            ControlFlow::Continue(())
        });
    }
    moves
}

/// Compares the moves, the status, and what some of the moves lead to.
fn compare(variant: &dyn Variant, game: &Game, moves: &[Steps], random: &mut Random, keys: &mut Keys) {
    let id = variant.card().id;
    let at = position_text::print(variant, &game.position);
    let mut texts: Vec<String> = moves.iter().map(|steps| move_text::print(variant.card(), steps)).collect();
    assert!(moves.is_sorted(), "the order of {at}");
    texts.sort_unstable();
    assert_eq!(texts, naive::moves(id, &at), "{at}");
    if game.position.halfmove_clock < 100 && play::outcome(variant, game).is_none() {
        assert_eq!(play::perft(variant, &game.position, 1), moves.len() as u64, "the count of {at}");
    }

    let naive::Status { state, winner, reason, checked } = naive::status(id, &at);
    let winner = winner.map(String::from);
    let status =
        serde_json::json!({ "state": state, "winner": winner, "reason": reason, "checked": checked });
    assert_eq!(table::status_in_words(variant, &play::status(variant, game)), status, "{at}");
    keys.check(variant, &game.position, &at);

    check_places(variant, game, moves, random);
    check_random_steps(variant, game, moves, random);
    for _ in 0..3.min(moves.len()) {
        let steps = &moves[random.below(moves.len())];
        let text = move_text::print(variant.card(), steps);
        let (after, changes) = play::judge(variant, game, steps).unwrap();
        let printed = position_text::print(variant, &after);
        assert_eq!(printed, naive::play(id, &at, &text), "{at} {text}");
        // The keys that steps keep up to date are those of the position read anew.
        let read = table::position(variant, &printed);
        assert_eq!(after, read, "{at} {text}");
        assert_eq!(play::text_key(&after), play::text_key(&read), "{at} {text}");
        check_changes(&game.position, &after, &changes, &text);
    }
}

/// The list goes on after any place in it, and the beginnings of moves are those of legal moves.
fn check_places(variant: &dyn Variant, game: &Game, moves: &[Steps], random: &mut Random) {
    let start = Turn::new(game.position.clone());
    for _ in 0..2.min(moves.len()) {
        let place = random.below(moves.len());
        let mut rest = moves[place + 1..].iter().take(100);
        let query = Query { after: Some(&moves[place]), ..Query::ALL };
        let _ = play::moves(variant, &start, &query, &mut |_, steps| match rest.next() {
            Some(next) => {
                assert_eq!(next.as_slice(), steps);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        });
        assert_eq!(rest.next(), None);

        let first = &moves[place][..1];
        let begun = play::begin(variant, game, first).unwrap();
        assert_eq!(begun.complete, moves.iter().any(|steps| steps.as_slice() == first));
        let mut offered = Vec::new();
        let _ = play::steps(variant, &begun.turn, &Scope::ALL, None, &mut |step| {
            offered.push(*step);
            ControlFlow::Continue(())
        });
        let seconds = moves.iter().filter(|steps| steps[0] == first[0]).filter_map(|steps| steps.get(1));
        assert!(seconds.eq(&offered), "the steps after {first:?}");
    }
}

/// A step taken at random is legal if it is in the list, and is else refused with a reason that was found.
fn check_random_steps(variant: &dyn Variant, game: &Game, moves: &[Steps], random: &mut Random) {
    let boards = game.position.boards().len();
    let pieces: Vec<Location> = game
        .position
        .numbered_boards()
        .flat_map(|(number, board)| {
            board.occupied().into_iter().map(move |square| Location::new(number, square))
        })
        .collect();
    for _ in 0..40 {
        let mut steps = Steps::new();
        if random.below(2) == 0 && !moves.is_empty() {
            steps.push(moves[random.below(moves.len())][0]);
        }
        let from = pieces[random.below(pieces.len())];
        let to_board = if random.below(3) == 0 { random.below(boards) as u8 } else { from.board };
        let squares = usize::from(variant.card().geometry(to_board).squares());
        let mut step = Step::new(from, Location::new(to_board, Square::new(random.below(squares) as u8)));
        if random.below(8) == 0 {
            step.promotion = Some(PieceKind::Queen);
        }
        steps.push(step);
        let in_list = moves.binary_search(&steps).is_ok();
        match play::judge(variant, game, &steps) {
            Ok(_) => assert!(in_list, "{steps:?}"),
            Err(illegality) => {
                assert!(!in_list, "{steps:?}");
                let unexplained = refusal::unexplained(&step).message;
                assert_ne!(illegality.refusal.message, unexplained, "{steps:?}");
            }
        }
    }
}

/// The changes of a move turn the pieces before it into those after it, each piece as the change says.
fn check_changes(before: &Position, after: &Position, changes: &[(usize, Change)], text: &str) {
    let pieces = |position: &Position| {
        let mut pieces = HashMap::new();
        for (number, board) in position.numbered_boards() {
            for square in board.occupied() {
                pieces.extend(board.piece(square).map(|piece| ((number, square), piece)));
            }
        }
        pieces
    };
    let mut current = pieces(before);
    for (_, Change { cause, at, from, removed, added }) in changes {
        let at = (at.board, at.square);
        if let Some(from) = from {
            assert_eq!(current.remove(&(from.board, from.square)), *added, "{text}");
        }
        if let Some(removed) = removed {
            assert_eq!(current.remove(&at), Some(*removed), "{text}");
        }
        if let Some(added) = added {
            assert_eq!(current.insert(at, *added), None, "{text}");
        }
        if *cause == ChangeCause::Vanished {
            assert!(after.board(at.0).vanished, "{text}");
        }
    }
    assert_eq!(current, pieces(after), "{text}");
    assert!(changes.is_sorted_by_key(|(step, _)| *step), "{text}");
}

/// Repetition keys by what the naive generator says that they tell apart.
#[derive(Default)]
struct Keys {
    by_text: HashMap<String, u64>,
    by_key: HashMap<u64, String>,
}

impl Keys {
    fn check(&mut self, variant: &dyn Variant, position: &Position, at: &str) {
        let text = naive::repetition_key(variant.card().id, at);
        let key = play::key(variant, position);
        assert_eq!(*self.by_text.entry(text.clone()).or_insert(key), key, "{at}");
        assert_eq!(*self.by_key.entry(key).or_insert(text.clone()), text, "{at}");
    }
}
