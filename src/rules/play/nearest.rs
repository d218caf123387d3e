//! What is likeliest meant by a step of which only the squares are given, and perhaps the promotion.

use std::ops::ControlFlow;

use crate::rules::illegal::IllegalReason;
use crate::rules::moves::{Removals, Step};
use crate::rules::piece::PieceKind;
use crate::rules::square::Location;
use crate::rules::turn::{Scope, Turn};
use crate::rules::variant::Variant;

use super::walk::{is_full, offered, steps};

/// The step that is likeliest meant.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// The step, with its choices made.
    pub step: Step,
    /// Whether a legal move goes on with it.
    pub leads_on: bool,
}

/// The step between the squares of this one, and with its promotion if it has one, that comes nearest to a legal move:
/// the first with which one goes on, else the first that is offered, else the one that is refused last of all reasons.
pub fn nearest(variant: &dyn Variant, turn: &Turn, step: &Step) -> Nearest {
    if is_full(variant, turn) {
        return Nearest { step: *step, leads_on: false };
    }
    let scope = Scope::between(step.from, step.to);
    let mut found = None;
    let mut find = |offered: &Step| {
        if step.promotion.is_some_and(|kind| offered.promotion != Some(kind)) {
            return ControlFlow::Continue(());
        }
        found = Some(*offered);
        ControlFlow::Break(())
    };
    let leads_on = steps(variant, turn, &scope, None, &mut find).is_break();
    if !leads_on {
        let _ = offered(variant, turn, &scope, None, &mut find);
    }
    Nearest { step: found.unwrap_or_else(|| refused_last(variant, turn, step)), leads_on }
}

/// Makes the choices of a step that is not offered, one after the other, so that as few reasons as can be come before
/// the one for which it is refused.
fn refused_last(variant: &dyn Variant, turn: &Turn, step: &Step) -> Step {
    let position = &turn.position;
    let reason = |step: &Step| variant.refusal(turn, step).reason;
    let best = |steps: Vec<Step>| steps.into_iter().max_by_key(reason);
    let mut step = *step;
    if reason(&step) == IllegalReason::PromotionMissing {
        let kinds = PieceKind::ALL.into_iter().filter(|kind| variant.card().has(*kind));
        let promoted = kinds.map(|kind| Step { promotion: Some(kind), ..step }).collect();
        step = best(promoted).unwrap_or(step);
    }
    let pawns = |side, number: u8| {
        let pawns = position.board(number).pieces(side, PieceKind::Pawn);
        pawns.into_iter().map(move |square| Location::new(number, square))
    };
    let boards = || 0..position.boards().len() as u8;
    if reason(&step) == IllegalReason::TwinMissing {
        let twins = boards().flat_map(|number| pawns(position.to_move, number));
        let with_twins = twins.map(|twin| Step { twin: Some(twin), ..step }).collect();
        step = best(with_twins).unwrap_or(step);
    }
    if reason(&step) == IllegalReason::RemovalMissing {
        // One pawn goes from the board of the capture and two from any other, or fewer where there are no more.
        let enemy = position.to_move.opponent();
        let elsewhere: Vec<Location> = boards()
            .filter(|number| *number != step.to.board)
            .flat_map(|number| pawns(enemy, number).take(2))
            .collect();
        let here = pawns(enemy, step.to.board).map(Some).chain([None]);
        let sets = here.flat_map(|here| {
            [&[], &elsewhere[..]].map(|there| Removals::new(here.iter().chain(there).copied()))
        });
        step = best(sets.map(|removals| Step { removals, ..step }).collect()).unwrap_or(step);
    }
    step
}
