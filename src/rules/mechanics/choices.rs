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
    /// By board: the sets of pawns one of which is removed, compared square by square; empty where the step removes
    /// none there by choice.
    pub removals: [ArrayVec<Bitboard, MAX_REMOVAL_SETS>; MAX_BOARDS],
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
        let mut chosen = Some(Removals::NONE);
        let sets_are_open = (0..).zip(&self.removals).all(|(board, sets)| {
            let set = step.removals.on_board(board);
            chosen = chosen.and_then(|chosen| chosen.and(board, set));
            if sets.is_empty() { set.is_empty() } else { sets.contains(&set) }
        });
        // A target that is named twice is one of its set, but not of the removals.
        promotes && sets_are_open && chosen == Some(step.removals)
    }

    /// Visits the step with each choice, in the order of steps, those after `after` where it is a place among them,
    /// until `visit` breaks.
    pub fn each(
        &self,
        step: Step,
        after: Option<&Step>,
        visit: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.promotions.is_empty() {
            return self.each_removal(step, 0, after, visit);
        }
        for promotion in &self.promotions {
            let step = Step { promotion: Some(promotion.kind), ..step };
            match promotion.twins {
                None => self.each_removal(step, 0, after, visit)?,
                Some((board, pawns)) => {
                    for pawn in pawns {
                        let step = Step { twin: Some(Location::new(board, pawn)), ..step };
                        self.each_removal(step, 0, after, visit)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses a set for every board from `board` on.
    fn each_removal(
        &self,
        step: Step,
        board: u8,
        after: Option<&Step>,
        visit: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(sets) = self.removals.get(usize::from(board)) else {
            return if after.is_none_or(|after| step > *after) { visit(step) } else { ControlFlow::Continue(()) };
        };
        if sets.is_empty() {
            return self.each_removal(step, board + 1, after, visit);
        }
        for &set in sets {
            if let Some(removals) = step.removals.and(board, set) {
                self.each_removal(Step { removals, ..step }, board + 1, after, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}
