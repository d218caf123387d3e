//! Why a step is not open because of what twins ask of it.

use arrayvec::ArrayVec;

use crate::rules::bitboard::Bitboard;
use crate::rules::illegal::{IllegalReason, Refusal};
use crate::rules::mechanics::attack::Aftermath;
use crate::rules::mechanics::refusal;
use crate::rules::moves::Step;
use crate::rules::piece::PieceKind;
use crate::rules::position::Position;
use crate::rules::turn::Turn;

use super::{Capture, Safety, Twins};

impl Twins {
    /// Why what a step chooses, or what it takes along, is not open: a step that a piece of the mover's can make.
    pub fn refusal(&self, turn: &Turn, step: &Step) -> Option<Refusal> {
        let capture = Capture::by(turn, step);
        self.of_promotion(&turn.position, step)
            .or_else(|| self.of_removals(&turn.position, capture.as_ref(), step))
            .or_else(|| self.of_king(&turn.position, capture.as_ref(), step))
    }

    /// Whether the step promotes as it must, together with a second pawn that is there for it.
    fn of_promotion(&self, position: &Position, step: &Step) -> Option<Refusal> {
        let piece = position.piece(step.from)?;
        let kinds: ArrayVec<PieceKind, { PieceKind::COUNT }> =
            self.promotions.iter().map(|&(kind, _)| kind).collect();
        let refused = refusal::of_promotion(position.board(step.from.board), piece, step, &kinds);
        if refused.is_some() {
            return refused;
        }
        let promotion = self.promotions.iter().find(|&&(kind, _)| Some(kind) == step.promotion);
        let Some(&(kind, place)) = promotion else {
            step.twin?;
            let message = "the step promotes nothing, and so no second pawn";
            return Some(Refusal::new(IllegalReason::TwinNotOpen, [], message));
        };
        let (number, pawns) = Self::second_pawns(position, piece.side, step.from, place);
        let name = kind.name();
        if pawns.is_empty() {
            let message = format!("no second pawn is there to become a {name} too");
            return Some(Refusal::new(IllegalReason::PromotionNotOpen, [], message));
        }
        match step.twin {
            None => {
                let message = format!("the step does not say which second pawn becomes a {name} too");
                Some(Refusal::new(IllegalReason::TwinMissing, [], message))
            }
            Some(twin) if twin.board == number && pawns.contains(twin.square) => None,
            Some(twin) => {
                let twin = position.board(twin.board).geometry().name(twin.square);
                let message = format!("on {twin} stands no pawn that can become a {name} too");
                Some(Refusal::new(IllegalReason::TwinNotOpen, [], message))
            }
        }
    }

    /// Whether the step removes as many other pawns as it must, and such as it may.
    fn of_removals(
        &self,
        position: &Position,
        capture: Option<&Capture<'_>>,
        step: &Step,
    ) -> Option<Refusal> {
        let asked = |number| capture.map_or((Bitboard::EMPTY, 0), |capture| self.asked(capture, number));
        let wanted: u32 = (0..position.boards().len() as u8).map(|number| asked(number).1).sum();
        let given = step.removals.len();
        if given < wanted as usize {
            let message = format!("the capture takes {wanted} pawns of choice along, and {given} are named");
            return Some(Refusal::new(IllegalReason::RemovalMissing, [], message));
        }
        let mut seen = Vec::new();
        step.removals.iter().find_map(|target| {
            let (pawns, most) = asked(target.board);
            let name = position.board(target.board).geometry().name(target.square);
            let message = if !pawns.contains(target.square) {
                format!("no pawn on {name} can be chosen to go with the capture")
            } else if seen.contains(&target) {
                format!("the pawn on {name} is named twice")
            } else if seen.iter().filter(|other| other.board == target.board).count() >= most as usize {
                format!("the capture takes no more than {most} pawns of choice from that board")
            } else {
                seen.push(target);
                return None;
            };
            Some(Refusal::new(IllegalReason::RemovalNotOpen, [], message))
        })
    }

    /// Whether the mover's king allows the step with all that it takes along.
    fn of_king(&self, position: &Position, capture: Option<&Capture<'_>>, step: &Step) -> Option<Refusal> {
        let reason = match self.safety {
            Safety::Unattacked => IllegalReason::KingLeftAttacked,
            Safety::NotExposed => IllegalReason::RemovalOpensCheck,
        };
        position.numbered_boards().find_map(|(number, board)| {
            let (after, removed) = match capture {
                Some(capture) => {
                    let chosen: Bitboard =
                        step.removals.on_board(number).iter().map(|target| target.square).collect();
                    (capture.after(number), self.forced(capture, number) | chosen)
                }
                None if number == step.to.board => {
                    let (from, to) = (step.from.square, step.to.square);
                    let after = Aftermath::of_step(board, position.to_move, from, to, Bitboard::EMPTY);
                    (after, Bitboard::EMPTY)
                }
                None => return None,
            };
            if self.allows(&after, removed) {
                return None;
            }
            refusal::of_attacked_king(reason, number, &after.without(removed))
        })
    }
}
