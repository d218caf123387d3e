//! Whether a move is legal, why not, and what it does.

use std::ops::ControlFlow;

use crate::rules::illegal::{IllegalReason, Illegality, Refusal};
use crate::rules::moves::Step;
use crate::rules::outcome::Change;
use crate::rules::position::{MAX_HALFMOVE_CLOCK, MAX_MOVE_NUMBER, Position};
use crate::rules::turn::{Scope, Turn};
use crate::rules::variant::Variant;

use super::repetition::Game;
use super::status::{ended_without_search, outcome};
use super::walk::{is_completable, is_full, is_offered, made, offered, steps};

/// Steps taken from a position, as far as they go.
#[derive(Debug)]
pub struct Begun {
    /// The boards after the steps.
    pub turn: Turn,
    /// What each step changed: the number of the step and the change.
    pub changes: Vec<(usize, Change)>,
    /// Whether the steps are a legal move.
    pub complete: bool,
}

/// A legal move carried out.
#[derive(Debug)]
pub struct Applied {
    /// The game after the move.
    pub game: Game,
    /// What each step changed.
    pub changes: Vec<(usize, Change)>,
}

/// Takes the first steps of a move, or says why no legal move begins with them. No step at all is the beginning of
/// every move, and of none where the game is over.
pub fn begin(variant: &dyn Variant, game: &Game, steps: &[Step]) -> Result<Begun, Illegality> {
    // A move that is found legal shows that there is one, so only the empty beginning has to look for it.
    let is_over = if steps.is_empty() { outcome(variant, game) } else { ended_without_search(variant, game) };
    if is_over.is_some() {
        return Err(game_over());
    }
    let mut turn = Turn::new(game.position.clone());
    let mut changes = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if is_full(variant, &turn) || !is_offered(variant, &turn, step) {
            return Err(why_not(variant, game, &steps[..index], step));
        }
        variant.make(&mut turn, step, &mut |change| changes.push((index, change)));
    }
    let complete = !steps.is_empty() && (turn.outcome.is_some() || variant.complete(&turn).is_ok());
    if !complete && !is_completable(variant, &turn) {
        return Err(match steps.split_last() {
            Some((last, before)) => why_not(variant, game, before, last),
            None => game_over(),
        });
    }
    Ok(Begun { turn, changes, complete })
}

/// Whether the steps are a legal move; if so, the position after it and what changed.
pub fn judge(
    variant: &dyn Variant,
    game: &Game,
    steps: &[Step],
) -> Result<(Position, Vec<(usize, Change)>), Illegality> {
    let Begun { mut turn, changes, complete } = begin(variant, game, steps)?;
    if !complete {
        return Err(incomplete(variant, &turn));
    }
    finish(&mut turn);
    Ok((turn.position, changes))
}

/// Plays a move, or says why it is illegal.
pub fn apply(variant: &dyn Variant, game: &Game, steps: &[Step]) -> Result<Applied, Illegality> {
    let (position, changes) = judge(variant, game, steps)?;
    Ok(Applied { game: game.followed_by(variant, position), changes })
}

/// The position after a legal move, from the turn before its last step.
pub fn position_after(variant: &dyn Variant, before_last: &Turn, steps: &[Step]) -> Option<Position> {
    let mut turn = made(variant, before_last, steps.last()?);
    finish(&mut turn);
    Some(turn.position)
}

/// Ends a complete move: the turn passes, the clocks go on, and of en passant only this move's double steps stay.
pub(super) fn finish(turn: &mut Turn) {
    let position = &mut turn.position;
    for board in 0..position.boards().len() as u8 {
        if turn.doubled >> board & 1 == 0 {
            position.board_mut(board).en_passant = None;
        }
    }
    position.halfmove_clock =
        if turn.irreversible { 0 } else { (position.halfmove_clock + 1).min(MAX_HALFMOVE_CLOCK) };
    if position.to_move.index() == 1 {
        position.move_number = (position.move_number + 1).min(MAX_MOVE_NUMBER);
    }
    position.to_move = position.to_move.opponent();
    turn.taken.clear();
    turn.irreversible = false;
    turn.doubled = 0;
}

/// Why no legal move begins with `before`, which are offered one after the other, and `step`, which is not offered or
/// leads nowhere. The earliest step after which no legal move goes on decides.
fn why_not(variant: &dyn Variant, game: &Game, before: &[Step], step: &Step) -> Illegality {
    if outcome(variant, game).is_some() {
        return game_over();
    }
    let mut turn = Turn::new(game.position.clone());
    for (index, taken) in before.iter().enumerate() {
        variant.make(&mut turn, taken, &mut |_| ());
        if !is_completable(variant, &turn) {
            return Illegality::new(index, variant.dead_end(&turn));
        }
    }
    let index = before.len();
    if is_full(variant, &turn) {
        let message = format!("the move is complete after {index} of its steps");
        return Illegality::new(index, Refusal::new(IllegalReason::TooManySteps, [], message));
    }
    if is_offered(variant, &turn, step) {
        variant.make(&mut turn, step, &mut |_| ());
        return Illegality::new(index, variant.dead_end(&turn));
    }
    let refusal = variant.refusal(&turn, step);
    // Where it is what the step chooses that is wrong, what it could choose may lead nowhere, which is a reason too.
    let refusal = match dead_end_between(variant, &turn, step) {
        Some(dead_end) if dead_end.reason < refusal.reason => dead_end,
        _ => refusal,
    };
    Illegality::new(index, refusal)
}

/// Why no legal move goes on with a step between the squares of this one, where such steps are offered.
fn dead_end_between(variant: &dyn Variant, turn: &Turn, step: &Step) -> Option<Refusal> {
    let scope = Scope::between(step.from, step.to);
    if steps(variant, turn, &scope, None, &mut |_| ControlFlow::Break(())).is_break() {
        return None;
    }
    let mut dead_end = None;
    let _ = offered(variant, turn, &scope, None, &mut |offered| {
        dead_end = Some(variant.dead_end(&made(variant, turn, offered)));
        ControlFlow::Break(())
    });
    dead_end
}

/// Why steps with which a legal move begins are none themselves. A step that is missing has the number that it would
/// have; any other reason strikes the last step taken.
fn incomplete(variant: &dyn Variant, turn: &Turn) -> Illegality {
    let steps = turn.taken.len();
    let refusal = if steps == 0 { None } else { variant.complete(turn).err() };
    let refusal = refusal.unwrap_or_else(Refusal::step_missing);
    let is_missing = refusal.reason == IllegalReason::StepMissing;
    Illegality::new(if is_missing { steps } else { steps.saturating_sub(1) }, refusal)
}

fn game_over() -> Illegality {
    Illegality::new(0, Refusal::new(IllegalReason::GameOver, [], "the game is over"))
}
