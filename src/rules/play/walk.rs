//! The one walk through steps and moves, in their fixed order, that can begin after any place in it.
//!
//! Moves are ordered by their first step, a move of one step before those that continue it; steps by their fields.
//! The walk begins at the from-square of the place and skips only what shares the squares of the place's steps, so it
//! costs what it visits and not what came before.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::moves::{MAX_STEPS, Step, Steps};
use crate::rules::position::MAX_BOARDS;
use crate::rules::square::Location;
use crate::rules::turn::{Offer, Scope, Turn};
use crate::rules::variant::Variant;

/// Which moves are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// For each step of the move, which steps.
    pub scopes: [Scope; MAX_STEPS],
    /// The place to begin after: the last move or step that was had.
    pub after: Option<&'a [Step]>,
}

impl Query<'_> {
    /// All moves.
    pub const ALL: Query<'static> = Query { scopes: [Scope::ALL; MAX_STEPS], after: None };

    /// The moves whose first step is of this scope.
    pub const fn first_step(scope: Scope) -> Query<'static> {
        Query { scopes: [scope, Scope::ALL], after: None }
    }
}

/// Visits the steps that a variant offers next, those after `after` in order, until `visit` breaks. Dead ends are
/// among them: see [`Variant::offers`].
pub(super) fn offered(
    variant: &dyn Variant,
    turn: &Turn,
    scope: &Scope,
    after: Option<&Step>,
    visit: &mut dyn FnMut(&Step) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let scope = starting_at(scope, after);
    variant.offers(turn, &scope, &mut |offer| each_step(variant, turn, offer, after, visit))
}

/// Visits the steps of an offer, those after `after`, until `visit` breaks.
pub(super) fn each_step(
    variant: &dyn Variant,
    turn: &Turn,
    offer: &Offer,
    after: Option<&Step>,
    visit: &mut dyn FnMut(&Step) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let place = after.filter(|after| offer.from == after.from);
    for square in offer.targets {
        let to = Location::new(offer.to_board, square);
        let step = Step::new(offer.from, to);
        if place.is_some_and(|after| to < after.to) {
            continue;
        }
        let place = place.filter(|after| to == after.to);
        if offer.choosing.contains(square) {
            variant.choices(turn, offer.from, to).each(step, place, visit)?;
        } else if place.is_none_or(|after| step > *after) {
            visit(&step)?;
        }
    }
    ControlFlow::Continue(())
}

/// Whether the variant offers exactly this step.
pub(super) fn is_offered(variant: &dyn Variant, turn: &Turn, step: &Step) -> bool {
    is_offered_within(variant, turn, &Scope::ALL, step)
}

/// Whether the variant offers exactly this step, and the scope lets it through.
fn is_offered_within(variant: &dyn Variant, turn: &Turn, scope: &Scope, step: &Step) -> bool {
    let Step { from, to, .. } = *step;
    let mut narrowed = Scope { captures_only: scope.captures_only, ..Scope::between(from, to) };
    for board in 0..MAX_BOARDS {
        narrowed.from[board] &= scope.from[board];
        narrowed.to[board] &= scope.to[board];
    }
    let found = variant.offers(turn, &narrowed, &mut |offer| {
        let is_among = if offer.choosing.contains(to.square) {
            variant.choices(turn, from, to).contains(step)
        } else {
            *step == Step::new(from, to)
        };
        if is_among { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// The scope without the from-squares before that of `after`.
fn starting_at(scope: &Scope, after: Option<&Step>) -> Scope {
    let mut later = *scope;
    let Some(Step { from, .. }) = after else { return later };
    for board in 0..MAX_BOARDS {
        later.from[board] &= match board.cmp(&usize::from(from.board)) {
            std::cmp::Ordering::Less => Bitboard::EMPTY,
            std::cmp::Ordering::Equal => Bitboard::starting_at(from.square),
            std::cmp::Ordering::Greater => Bitboard::ALL,
        };
    }
    later
}

/// Whether the steps that may follow are the last that the move can have.
fn is_last(variant: &dyn Variant, turn: &Turn) -> bool {
    turn.taken.len() + 1 >= variant.card().max_steps
}

/// Whether no step may follow: the game has ended, or the move has all its steps.
pub(super) fn is_full(variant: &dyn Variant, turn: &Turn) -> bool {
    turn.outcome.is_some() || turn.taken.len() >= variant.card().max_steps
}

/// The turn after a further step.
pub(super) fn made(variant: &dyn Variant, turn: &Turn, step: &Step) -> Turn {
    let mut next = turn.clone();
    variant.make(&mut next, step, &mut |_| ());
    next
}

/// Makes `next` the turn after a further step; what it was before serves as space.
pub(super) fn make_into(next: &mut Turn, variant: &dyn Variant, turn: &Turn, step: &Step) {
    next.clone_from(turn);
    variant.make(next, step, &mut |_| ());
}

/// Whether a legal move begins with the steps taken.
pub(super) fn is_completable(variant: &dyn Variant, turn: &Turn) -> bool {
    turn.outcome.is_some()
        || !turn.taken.is_empty() && variant.complete(turn).is_ok()
        || steps(variant, turn, &Scope::ALL, None, &mut |_| ControlFlow::Break(())).is_break()
}

/// Visits the steps with which a legal move goes on from the steps taken, until `visit` breaks.
pub fn steps(
    variant: &dyn Variant,
    turn: &Turn,
    scope: &Scope,
    after: Option<&Step>,
    visit: &mut dyn FnMut(&Step) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if is_full(variant, turn) {
        return ControlFlow::Continue(());
    }
    if is_last(variant, turn) {
        return offered(variant, turn, scope, after, visit);
    }
    let mut next = turn.clone();
    variant.offers(turn, &starting_at(scope, after), &mut |offer| {
        let surely = variant.follows(turn, offer, &Scope::ALL) == Some(true);
        each_step(variant, turn, offer, after, &mut |step| {
            if !surely {
                make_into(&mut next, variant, turn, step);
            }
            if surely || is_completable(variant, &next) { visit(step) } else { ControlFlow::Continue(()) }
        })
    })
}

/// Who is told of each move: the turn before its last step, and its steps.
pub type VisitMove<'a> = &'a mut dyn FnMut(&Turn, &[Step]) -> ControlFlow<()>;

/// Visits the legal moves from a position in which the game is not over, in order, until `visit` breaks.
pub fn moves(
    variant: &dyn Variant,
    start: &Turn,
    query: &Query<'_>,
    visit: VisitMove<'_>,
) -> ControlFlow<()> {
    let mut steps = Steps::new();
    descend(variant, start, &query.scopes, query.after, &mut steps, visit)
}

fn descend(
    variant: &dyn Variant,
    turn: &Turn,
    scopes: &[Scope],
    after: Option<&[Step]>,
    steps: &mut Steps,
    visit: VisitMove<'_>,
) -> ControlFlow<()> {
    let Some((scope, scopes)) = scopes.split_first() else { return ControlFlow::Continue(()) };
    let (place, deeper) = match after.and_then(<[Step]>::split_first) {
        Some((first, rest)) => (Some(first), rest),
        None => (None, &[][..]),
    };
    let last = is_last(variant, turn);
    // What follows the place begins below it: in the moves that continue its own step. A place need not be one of the
    // moves asked for, and then none of them continues it.
    if let Some(step) = place
        && !last
        && is_offered_within(variant, turn, scope, step)
    {
        steps.push(*step);
        let next = made(variant, turn, step);
        if next.outcome.is_none() {
            descend(variant, &next, scopes, Some(deeper), steps, visit)?;
        }
        steps.pop();
    }
    if last {
        return offered(variant, turn, scope, place, &mut |step| {
            steps.push(*step);
            visit(turn, steps)?;
            steps.pop();
            ControlFlow::Continue(())
        });
    }
    let mut next = turn.clone();
    offered(variant, turn, scope, place, &mut |step| {
        steps.push(*step);
        make_into(&mut next, variant, turn, step);
        if next.outcome.is_some() || variant.complete(&next).is_ok() {
            visit(turn, steps)?;
        }
        if next.outcome.is_none() {
            descend(variant, &next, scopes, None, steps, visit)?;
        }
        steps.pop();
        ControlFlow::Continue(())
    })
}

/// Counts the legal moves whose first step is of this scope, or gives up soon after `stop` says so. Last steps are
/// counted by whole sets of targets.
pub fn count(variant: &dyn Variant, turn: &Turn, scope: &Scope, stop: &dyn Fn() -> bool) -> Option<u64> {
    if is_last(variant, turn) && *scope == Scope::ALL {
        return Some(variant.count_offers(turn));
    }
    let mut total = 0;
    let mut next = turn.clone();
    let ended = offered(variant, turn, scope, None, &mut |step| {
        if is_last(variant, turn) {
            total += 1;
            return ControlFlow::Continue(());
        }
        make_into(&mut next, variant, turn, step);
        total += u64::from(next.outcome.is_some() || variant.complete(&next).is_ok());
        if next.outcome.is_none() {
            match count(variant, &next, &Scope::ALL, stop) {
                Some(more) => total += more,
                None => return ControlFlow::Break(()),
            }
        }
        if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    ended.is_continue().then_some(total)
}
