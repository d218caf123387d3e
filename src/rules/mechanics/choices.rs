//! What the mover chooses within a step: a promotion, the second pawn of a twin promotion, the pawns removed.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::rules::bitboard::Bitboard;
use crate::rules::moves::{Removals, Step};
use crate::rules::piece::PieceKind;
use crate::rules::position::MAX_BOARDS;
use crate::rules::square::Location;

/// The most kinds that a pawn can promote to.
const MAX_PROMOTIONS: usize = 6;

/// The most sets of pawns that can be removed from one board: pairs of eight pawns.
const MAX_REMOVAL_SETS: usize = 28;

/// A kind to promote to, and the pawns one of which promotes with it where the game promotes in pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promotion {
    /// The kind.
    pub kind: PieceKind,
    /// The board of the second pawn and the pawns to choose from.
    pub twins: Option<(u8, Bitboard)>,
}

/// Everything that the mover can choose at one target.
#[derive(Clone, Default, Debug)]
pub struct Choices {
    /// The promotions, in order of kinds; empty where the step does not promote.
    pub promotions: ArrayVec<Promotion, MAX_PROMOTIONS>,
    /// By board: the sets of pawns one of which is removed, in order; empty where the step removes none there by
    /// choice.
    pub removals: [ArrayVec<Removals, MAX_REMOVAL_SETS>; MAX_BOARDS],
}

impl Choices {
    /// Promotion to one of these kinds and nothing else to choose.
    pub fn promotion(kinds: &[PieceKind]) -> Self {
        let promotions = kinds.iter().map(|&kind| Promotion { kind, twins: None }).collect();
        Self { promotions, ..Self::default() }
    }

    /// How many choices there are.
    pub fn count(&self) -> u64 {
        let promotions: u64 = self
            .promotions
            .iter()
            .map(|promotion| promotion.twins.map_or(1, |(_, pawns)| u64::from(pawns.count())))
            .sum();
        let promotions = if self.promotions.is_empty() { 1 } else { promotions };
        self.removals.iter().map(|sets| sets.len().max(1) as u64).product::<u64>() * promotions
    }

    /// Whether this is one of the choices that a step makes.
    pub fn contains(&self, step: &Step) -> bool {
        let promotes = match self.promotions.iter().find(|promotion| Some(promotion.kind) == step.promotion) {
            Some(Promotion { twins: Some((board, pawns)), .. }) => {
                step.twin.is_some_and(|twin| twin.board == *board && pawns.contains(twin.square))
            }
            Some(Promotion { twins: None, .. }) => step.twin.is_none(),
            None => self.promotions.is_empty() && step.promotion.is_none() && step.twin.is_none(),
        };
        let removes = (0..).zip(&self.removals).all(|(board, sets)| {
            let set = step.removals.on_board(board);
            if sets.is_empty() { set.is_empty() } else { sets.contains(&set) }
        });
        promotes && removes
    }

    /// Visits the step with each choice, in the order of steps, those after `after` where it is a place among them,
    /// until `visit` breaks.
    pub fn each(
        &self,
        step: Step,
        after: Option<&Step>,
        visit: &mut dyn FnMut(&Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let sets: ArrayVec<&[Removals], MAX_BOARDS> =
            self.removals.iter().filter(|sets| !sets.is_empty()).map(|sets| &sets[..]).collect();
        if self.promotions.is_empty() {
            return each_removal(&sets, step, after, visit);
        }
        for promotion in &self.promotions {
            let step = Step { promotion: Some(promotion.kind), ..step };
            match promotion.twins {
                None => each_removal(&sets, step, after, visit)?,
                Some((board, pawns)) => {
                    for pawn in pawns {
                        let step = Step { twin: Some(Location::new(board, pawn)), ..step };
                        each_removal(&sets, step, after, visit)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Visits the step with one of the sets of each board removed.
fn each_removal(
    sets: &[&[Removals]],
    step: Step,
    after: Option<&Step>,
    visit: &mut dyn FnMut(&Step) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((sets, further)) = sets.split_first() else {
        return if after.is_none_or(|after| step > *after) {
            visit(&step)
        } else {
            ControlFlow::Continue(())
        };
    };
    let chosen = step.removals;
    // What begins with less than the place begins with comes before it as a whole.
    let is_before = |set: Removals, after: &Step| {
        chosen.and(set).is_some_and(|removals| removals < after.removals.first(removals.len()))
    };
    let passed = after.map_or(0, |after| sets.partition_point(|&set| is_before(set, after)));
    let mut step = step;
    for &set in &sets[passed..] {
        let Some(removals) = chosen.and(set) else { continue };
        step.removals = removals;
        if further.is_empty() && after.is_none() {
            visit(&step)?;
        } else {
            each_removal(further, step, after, visit)?;
        }
    }
    ControlFlow::Continue(())
}
