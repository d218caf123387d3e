//! Every step that no legal move has in its place is refused with a reason that the game finds, and no other step is:
//! in positions of the vectors, for random steps between all squares and with random choices.
//!
//! With `ARBITER_LONG` set in the environment ten times as many steps are tried.

use std::ops::ControlFlow;

use arbiter::rules::illegal::IllegalReason;
use arbiter::rules::moves::{Removals, Step};
use arbiter::rules::notation::move_text;
use arbiter::rules::piece::PieceKind;
use arbiter::rules::play::{self, Game};
use arbiter::rules::square::{Location, Square};
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;

use crate::chance::Random;
use crate::table;

#[test]
fn a_step_is_refused_with_a_reason_exactly_where_it_is_not_offered() {
    let tries = if std::env::var_os("ARBITER_LONG").is_some() { 4_000 } else { 400 };
    for &variant in variants::ALL {
        let rows = table::rows(variant);
        let mut random = Random::new(3);
        for row in rows.iter().filter(|row| row.get("invalid").is_none()).step_by(12) {
            let game = table::game(variant, table::text(&row["position"]));
            if play::outcome(variant, &game).is_none() {
                try_steps(variant, &game, &[], tries, &mut random);
                let first = *random.among(&offered(variant, &Turn::new(game.position.clone())));
                try_steps(variant, &game, &[first], tries / 4, &mut random);
            }
        }
    }
}

fn offered(variant: &dyn Variant, turn: &Turn) -> Vec<Step> {
    let mut steps = Vec::new();
    let _ = play::steps(variant, turn, &Scope::ALL, None, &mut |step| {
        steps.push(*step);
        ControlFlow::Continue(())
    });
    steps
}

fn try_steps(variant: &dyn Variant, game: &Game, before: &[Step], tries: usize, random: &mut Random) {
    let begun = play::begin(variant, game, before).unwrap();
    let offered = offered(variant, &begun.turn);
    for _ in 0..tries {
        let step = if offered.is_empty() || random.below(4) > 0 {
            random_step(&begun.turn, random)
        } else {
            let step = *random.among(&offered);
            decorated(step, &begun.turn, random)
        };
        let steps = [before, &[step]].concat();
        let text = move_text::print(variant.card(), &steps);
        match play::begin(variant, game, &steps) {
            Ok(_) => assert!(offered.contains(&step), "{text}"),
            Err(illegality) => {
                assert!(!offered.contains(&step), "{text}");
                assert_eq!(illegality.step_index, before.len(), "{text}");
                let refusal = illegality.refusal;
                let is_known = refusal.message != "the step is not among those offered";
                assert!(is_known && refusal.reason != IllegalReason::StepMissing, "{text}: {refusal:?}");
            }
        }
    }
}

/// A square of any board, or mostly one with a piece.
fn random_square(turn: &Turn, occupied: bool, random: &mut Random) -> Location {
    let number = random.below(turn.position.boards().len() as u64) as u8;
    let board = turn.position.board(number);
    let pieces: Vec<Square> = board.occupied().into_iter().collect();
    if occupied && !pieces.is_empty() {
        return Location::new(number, *random.among(&pieces));
    }
    Location::new(number, Square::new(random.below(u64::from(board.geometry().squares())) as u8))
}

fn random_step(turn: &Turn, random: &mut Random) -> Step {
    let occupied = random.below(20) > 0;
    let from = random_square(turn, occupied, random);
    let mut to = random_square(turn, false, random);
    if random.below(20) > 0 {
        to.board = from.board;
    }
    let step = Step::new(from, to);
    if random.below(3) == 0 { decorated(step, turn, random) } else { step }
}

/// The step with one of its choices made anew.
fn decorated(step: Step, turn: &Turn, random: &mut Random) -> Step {
    let kinds = [None, Some(PieceKind::Queen), Some(PieceKind::Rook), Some(PieceKind::King)];
    match random.below(3) {
        0 => Step { promotion: *random.among(&kinds), ..step },
        1 => Step { twin: Some(random_square(turn, true, random)), ..step },
        _ => {
            let targets: Vec<Location> =
                (0..random.below(4)).map(|_| random_square(turn, true, random)).collect();
            Step { removals: Removals::new(targets).unwrap_or_default(), ..step }
        }
    }
}
