//! What the pieces of a move are: for texts that people read, and for clients that draw.

use arrayvec::ArrayVec;

use crate::rules::mechanics::stepping;
use crate::rules::moves::{MAX_STEPS, Step};
use crate::rules::piece::PieceKind;
use crate::rules::turn::Turn;
use crate::rules::variant::Variant;

/// A step with the piece that takes it and the one that it captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Described {
    /// The step.
    pub step: Step,
    /// The piece, before it promotes.
    pub kind: PieceKind,
    /// What it captures.
    pub captured: Option<PieceKind>,
}

/// Describes the steps of a move: `start` is the turn before the first, `before_last` that before the last.
pub fn describe(start: &Turn, before_last: &Turn, steps: &[Step]) -> ArrayVec<Described, MAX_STEPS> {
    let last = steps.len().saturating_sub(1);
    steps
        .iter()
        .enumerate()
        .filter_map(|(index, step)| describe_step(if index == last { before_last } else { start }, step))
        .collect()
}

/// Describes a step that `turn` offers.
pub fn describe_step(turn: &Turn, step: &Step) -> Option<Described> {
    let kind = turn.position.piece(step.from)?.kind;
    let captured = stepping::captured_at(turn, step).and_then(|at| turn.position.piece(at));
    Some(Described { step: *step, kind, captured: captured.map(|piece| piece.kind) })
}

/// Takes a step that `turn` offers, and describes it.
pub fn take(variant: &dyn Variant, turn: &mut Turn, step: &Step) -> Option<Described> {
    let described = describe_step(turn, step)?;
    variant.make(turn, step, &mut |_| ());
    Some(described)
}
