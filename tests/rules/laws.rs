//! The laws that hold in every registered game: of lists of moves, and of what moves do.
//!
//! Each law is tried on the positions of [`samples::all`]. Where a position has very many moves, the laws of single
//! moves look at some of them, spread over the list.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use arbiter::rules::bitboard::Bitboard;
use arbiter::rules::illegal::IllegalReason;
use arbiter::rules::moves::{MAX_STEPS, Step, Steps};
use arbiter::rules::notation::{long_algebraic, move_text, position_text};
use arbiter::rules::piece::Side;
use arbiter::rules::play::{self, Applied, Query};
use arbiter::rules::position::MAX_BOARDS;
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::{MoveTextError, initial_position, read_move, variants};

use crate::changes::changes_lead_there;
use crate::random::{Random, spread};
use crate::samples::{self, Sample};
use crate::{refusals, table};

/// A position with its legal moves.
struct Listed {
    sample: Sample,
    moves: Vec<Steps>,
}

fn check(law: fn(&Listed)) {
    for &variant in variants::ALL {
        for sample in samples::all(variant) {
            let moves = table::legal(variant, &sample.game);
            law(&Listed { sample, moves });
        }
    }
}

fn applied(sample: &Sample, steps: &[Step]) -> Applied {
    play::apply(sample.variant, &sample.game, steps)
        .unwrap_or_else(|illegality| panic!("{sample}: {steps:?} is legal: {illegality:?}"))
}

#[test]
fn cards_are_sound() {
    let ids: BTreeSet<&str> = variants::ALL.iter().map(|variant| variant.card().id).collect();
    assert_eq!(ids.len(), variants::ALL.len(), "no two games have one identifier");
    for &variant in variants::ALL {
        let card = variant.card();
        let id = card.id;
        assert_eq!(variants::find(id).map(|found| found.card().id), Some(id));
        for text in [card.title, card.rules, card.rules_version, card.source] {
            assert!(!text.is_empty() && text.trim() == text, "{id}: {text:?}");
        }
        assert!((1..=MAX_BOARDS).contains(&card.boards.len()), "{id}");
        assert!((1..=MAX_STEPS).contains(&card.max_steps), "{id}");
        for (number, board) in (0..).zip(card.boards) {
            assert_eq!(card.board(board.name), Some(number), "{id}: no two boards have one name");
            // Only a single board goes without a name.
            assert_eq!(board.name.len(), usize::from(card.boards.len() > 1), "{id}: {board:?}");
            assert!(board.kinds.is_sorted(), "{id}: {board:?}");
        }
        let initial = initial_position(variant, None).expect(id);
        assert_eq!(position_text::print(variant, &initial), card.initial);
        for army in [Side::White, Side::Black] {
            assert_eq!(initial_position(variant, Some(army)).is_ok(), card.has_armies, "{id}");
        }
        for (number, spec) in (0..).zip(card.boards) {
            for &side in spec.sides {
                let men = initial.board(number).side(side).count();
                assert_eq!(men, spec.men, "{id}: {} starts with its men", side.name());
            }
        }
    }
}

#[test]
fn a_legal_move_leads_to_a_sound_position_of_the_other_side() {
    check(|Listed { sample, moves }| {
        let before = &sample.game.position;
        for steps in spread(moves, 25) {
            let after = applied(sample, steps).game.position;
            let text = position_text::print(sample.variant, &after);
            let read = position_text::parse(sample.variant, &text)
                .unwrap_or_else(|faults| panic!("{sample}: {steps:?} leads to {text}: {faults:?}"));
            assert_eq!(read, after, "{sample}: {steps:?}");
            assert_eq!(position_text::print(sample.variant, &read), text, "{sample}: {steps:?}");
            assert_eq!(after.to_move, before.to_move.opponent(), "{sample}: {steps:?}");
            let number = before.move_number + before.to_move.index() as u16;
            assert_eq!(after.move_number, number.min(10_000), "{sample}: {steps:?}");
            let clock = after.halfmove_clock;
            assert!(clock == 0 || clock == before.halfmove_clock + 1, "{sample}: {steps:?}");
        }
    });
}

#[test]
fn lists_rise_in_the_order_of_steps_and_their_texts_read_back() {
    check(|Listed { sample, moves }| {
        // A move of one step stands before those that continue it, as a list does before a longer one.
        assert!(moves.is_sorted_by(|one, next| one[..] < next[..]), "{sample}");
        for steps in moves {
            let text = move_text::print(sample.variant.card(), steps);
            let read = move_text::parse(sample.variant.card(), &text).expect(&text);
            assert_eq!(read[..], steps[..], "{sample}: {text}");
        }
        for steps in spread(moves, 150) {
            let judged = play::judge(sample.variant, &sample.game, steps);
            assert!(judged.is_ok(), "{sample}: {steps:?} is listed: {judged:?}");
        }
    });
}

#[test]
fn long_texts_name_their_move() {
    check(|Listed { sample, moves }| {
        let variant = sample.variant;
        for steps in spread(moves, 25) {
            let text = long_text(sample, steps);
            match read_move(variant, &sample.game, &text) {
                Ok(read) => assert_eq!(read[..], steps[..], "{sample}: {text}"),
                Err(MoveTextError::Illegal(illegality)) => {
                    assert_eq!(illegality.refusal.reason, IllegalReason::Ambiguous, "{sample}: {text}");
                    let named = illegality.candidates.contains(steps) || illegality.candidates_truncated;
                    assert!(named, "{sample}: {text} does not name {steps:?}");
                }
                Err(MoveTextError::Unreadable(message)) => panic!("{sample}: {text}: {message}"),
            }
        }
    });
}

fn long_text(sample: &Sample, steps: &[Step]) -> String {
    let start = Turn::new(sample.game.position.clone());
    let before_last = begun(sample, &steps[..steps.len() - 1]);
    let mut text = String::new();
    let described = play::describe(&start, &before_last, steps);
    long_algebraic::print_to(&mut text, sample.variant.card(), &described);
    text
}

fn begun(sample: &Sample, steps: &[Step]) -> Turn {
    play::begin(sample.variant, &sample.game, steps)
        .unwrap_or_else(|illegality| panic!("{sample}: {steps:?} begins a move: {illegality:?}"))
        .turn
}

#[test]
fn a_finished_game_offers_nothing_and_says_so() {
    let mut finished = 0;
    for &variant in variants::ALL {
        for sample in samples::all(variant).into_iter().chain(samples::vectors(variant)) {
            if play::outcome(variant, &sample.game).is_none() {
                continue;
            }
            finished += 1;
            // The moves that there would be, did the game not end by itself.
            let would_be = table::asked(variant, &sample.game, &Query::ALL);
            let mut tries: Vec<Vec<Step>> = spread(&would_be, 20).map(|steps| steps.to_vec()).collect();
            tries.push(Vec::new());
            tries.extend((0..20).map(|seed| refusals::broken(&sample, &would_be, &mut Random::new(seed))));
            for steps in tries {
                let begun = play::begin(variant, &sample.game, &steps).map(|_| ()).expect_err("it is over");
                let applied = play::apply(variant, &sample.game, &steps).map(|_| ()).expect_err("it is over");
                assert_eq!(begun, applied, "{sample}: {steps:?}");
                assert_eq!(applied.refusal.reason, IllegalReason::GameOver, "{sample}: {steps:?}");
                assert_eq!(applied.step_index, 0, "{sample}: {steps:?}");
            }
        }
    }
    assert!(finished > 4 * variants::ALL.len(), "only {finished} games are over");
}

#[test]
fn the_steps_that_may_follow_are_those_of_legal_moves() {
    check(|Listed { sample, moves }| {
        if play::outcome(sample.variant, &sample.game).is_some() {
            return;
        }
        check_next_steps(sample, moves, &[]);
        let mut firsts: Vec<Step> = moves.iter().map(|steps| steps[0]).collect();
        firsts.dedup();
        for first in spread(&firsts, 8) {
            check_next_steps(sample, moves, &[*first]);
        }
        for steps in spread(moves, 8).filter(|steps| steps.len() == MAX_STEPS) {
            check_next_steps(sample, moves, steps);
        }
    });
}

fn check_next_steps(sample: &Sample, moves: &[Steps], prefix: &[Step]) {
    let begun = play::begin(sample.variant, &sample.game, prefix)
        .unwrap_or_else(|illegality| panic!("{sample}: {prefix:?} begins a move: {illegality:?}"));
    let is_move = moves.iter().any(|steps| steps[..] == *prefix);
    assert_eq!(begun.complete, is_move, "{sample}: {prefix:?}");

    let mut wanted: Vec<Step> =
        moves.iter().filter_map(|steps| steps.strip_prefix(prefix)?.first()).copied().collect();
    wanted.dedup();
    for size in [wanted.len().max(1), 3] {
        let mut joined = Vec::new();
        loop {
            let page = steps_after(sample, &begun.turn, joined.last(), size);
            joined.extend_from_slice(&page);
            if page.len() < size {
                break;
            }
        }
        assert_eq!(joined, wanted, "{sample}: {prefix:?}");
    }
}

fn steps_after(sample: &Sample, turn: &Turn, after: Option<&Step>, size: usize) -> Vec<Step> {
    let mut page = Vec::new();
    let _ = play::steps(sample.variant, turn, &Scope::ALL, after, &mut |step| {
        page.push(*step);
        if page.len() == size { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    page
}

#[test]
fn pages_joined_are_the_list() {
    check(|Listed { sample, moves }| {
        for (size, most) in [(1, 120), (2, 250), (7, 900), (100, usize::MAX)] {
            if moves.len() <= most {
                assert_eq!(joined_pages(sample, &Scope::ALL, size), *moves, "{sample}: pages of {size}");
            }
        }
    });
}

fn joined_pages(sample: &Sample, scope: &Scope, size: usize) -> Vec<Steps> {
    let mut joined: Vec<Steps> = Vec::new();
    // A game that is over is not walked.
    while play::outcome(sample.variant, &sample.game).is_none() {
        let last = joined.last().cloned();
        let query = Query { after: last.as_deref(), ..Query::first_step(*scope) };
        let start = Turn::new(sample.game.position.clone());
        let before = joined.len();
        let _ = play::moves(sample.variant, &start, &query, &mut |_, steps| {
            joined.extend(Steps::try_from(steps));
            if joined.len() == before + size { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if joined.len() < before + size {
            break;
        }
    }
    joined
}

#[test]
fn filters_and_counts_agree_with_the_list() {
    check(|Listed { sample, moves }| {
        if play::outcome(sample.variant, &sample.game).is_some() {
            return;
        }
        let start = Turn::new(sample.game.position.clone());
        let mut random = Random::new(moves.len() as u64);
        let scopes = (0..4).map(|_| random_scope(&mut random)).chain(
            // What a click asks for: the steps of one piece, and those between two squares.
            spread(moves, 3).flat_map(|steps| {
                let step = steps[0];
                let between = Scope::between(step.from, step.to);
                [between, Scope { to: Scope::ALL.to, ..between }, Scope { captures_only: true, ..between }]
            }),
        );
        for scope in scopes.chain([Scope::ALL]) {
            let lets_through = |steps: &&Steps| {
                let step = steps[0];
                let captured = play::describe_step(&start, &step).expect("a piece steps").captured;
                scope.from(step.from.board).contains(step.from.square)
                    && scope.to(step.to.board).contains(step.to.square)
                    && (!scope.captures_only || captured.is_some())
            };
            let wanted: Vec<Steps> = moves.iter().filter(lets_through).cloned().collect();
            let query = Query::first_step(scope);
            assert_eq!(table::asked(sample.variant, &sample.game, &query), wanted, "{sample}: {scope:?}");
            let count = play::count(sample.variant, &start, &scope, &|| false);
            assert_eq!(count, Some(wanted.len() as u64), "{sample}: {scope:?}");
            if wanted.len() < 300 {
                assert_eq!(joined_pages(sample, &scope, 5), wanted, "{sample}: {scope:?}");
            }
        }
    });
}

fn random_scope(random: &mut Random) -> Scope {
    let mut squares = |odds| {
        std::array::from_fn::<_, MAX_BOARDS, _>(|_| {
            let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
            if random.one_in(odds) { Bitboard::ALL } else { Bitboard::from_bits(bits) }
        })
    };
    Scope { from: squares(2), to: squares(3), captures_only: random.one_in(3) }
}

#[test]
fn changes_carry_the_pieces_to_where_the_move_leaves_them() {
    check(|Listed { sample, moves }| {
        for steps in spread(moves, 25) {
            let Applied { game, changes } = applied(sample, steps);
            let origin = format!("{sample}: {steps:?}");
            changes_lead_there(&sample.game.position, &changes, &game.position, &origin);
            assert!(changes.iter().all(|(index, _)| *index < steps.len()), "{sample}: {steps:?}");
        }
    });
}
