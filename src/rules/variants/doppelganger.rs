//! Doppelganger Chess: chess with twins that go together.
//!
//! Source: Gary K. Gifford, "Doppelganger Chess", The Chess Variant Pages, to which his "Doppleganger BordahBee & DB
//! Extreme" (2006) refers; known from there and from its public page.
//!
//! 1. Board, array and steps of the pieces as in chess, castling included. White moves first.
//! 2. The two rooks of a colour are twins, so are the two knights and the two bishops: group 0. Queens, kings and pawns
//!    have no fixed twin.
//! 3. Capturing a rook, knight or bishop also removes its twins: every other piece of the same colour, kind and group.
//! 4. Capturing a pawn, en passant too, also removes one other enemy pawn of the mover's choice. If there is no other,
//!    only the captured one goes.
//! 5. Check, checkmate and stalemate as in chess, judged when everything in a move is done: removed twins attack nothing
//!    and cover nothing. So a capture whose removals open a line onto one's own king is illegal, and a check can be
//!    answered by capturing the checker's twin.
//! 6. A pawn that reaches the last rank becomes a rook, bishop or knight, and always together with another pawn of the
//!    mover's own, of the mover's choice, which becomes the same where it stands. The two form a new group: the smallest
//!    number from 1 on that no piece of that colour and kind has once the captures and removals are done. (Ruling:
//!    without another pawn, a pawn cannot step onto the last rank, as a promotion must add two pieces.)
//! 7. A castling right also goes when its rook is removed as a twin. (Ruling: any own rook on the home square will do,
//!    of whatever group.)
//! 8. The right to capture en passant dies with its pawn: when that is removed, or becomes a promoted piece.
//! 9. (Ruling.) An attack is by ordinary movement, whether or not the capture would be open as a move: a lone pawn that
//!    could not promote attacks all the same.
//! 10. (Ruling.) The third occurrence of a position and a hundred moves in a row without a capture or pawn step draw.

use std::ops::ControlFlow;

use crate::rules::fault::Fault;
use crate::rules::illegal::Refusal;
use crate::rules::mechanics::castling::Castling;
use crate::rules::mechanics::choices::Choices;
use crate::rules::mechanics::twins::{Safety, SecondPawn, Twins};
use crate::rules::mechanics::{check, refusal};
use crate::rules::moves::Step;
use crate::rules::outcome::{Outcome, Report};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::Location;
use crate::rules::turn::{Scope, Turn, Visit};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// Doppelganger Chess.
#[derive(Debug)]
pub(super) struct Doppelganger;

/// Clause 1.
const CASTLING: Castling = Castling::EIGHT_FILES;

/// Clauses 2 to 6.
const TWINS: Twins = Twins {
    kinds: &[PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight],
    across_boards: false,
    promotions: &[
        (PieceKind::Rook, SecondPawn::SameBoard),
        (PieceKind::Bishop, SecondPawn::SameBoard),
        (PieceKind::Knight, SecondPawn::SameBoard),
    ],
    safety: Safety::Unattacked,
};

static CARD: Card = Card {
    id: "doppelganger",
    title: "Doppelganger Chess",
    boards: &[BoardSpec::standard("", "Board")],
    sides: [Side::White, Side::Black],
    check_binds: true,
    rules: "Chess with twins. Capturing a rook, knight or bishop also removes its twins; capturing a pawn also removes \
            another enemy pawn of the mover's choice. Check is judged when everything is removed. Pawns promote in \
            twos, to rooks, knights or bishops, which form a new group of twins; a pawn without a second one cannot \
            reach the last rank. Checkmate wins; stalemate, the third occurrence of a position and a hundred moves in \
            a row without a capture or pawn step draw.",
    rules_version: "1",
    source: "Gary K. Gifford, Doppelganger Chess, The Chess Variant Pages",
    initial: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    max_steps: 1,
    castling: Some(CASTLING),
    en_passant: EnPassantForm::Passed,
    twin_kinds: TWINS.kinds,
    pieces_change_boards: false,
    boards_vanish: false,
    has_armies: false,
};

impl Variant for Doppelganger {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn check(&self, position: &Position, faults: &mut Vec<Fault>) {
        check::check_kings(position, faults);
    }

    fn offers(&self, turn: &Turn, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
        check::offers_with_twins(turn, scope, &CASTLING, &TWINS, visit)
    }

    fn choices(&self, turn: &Turn, from: Location, to: Location) -> Choices {
        TWINS.choices(turn, from, to)
    }

    fn make(&self, turn: &mut Turn, step: &Step, report: Report<'_>) {
        TWINS.carry_out(turn, step, &CASTLING, report);
    }

    fn refusal(&self, turn: &Turn, step: &Step) -> Refusal {
        check::refusal_of_movement(turn, step, &CASTLING)
            .or_else(|| TWINS.refusal(turn, step))
            .unwrap_or_else(|| refusal::unexplained(step))
    }

    fn attacked_kings(&self, position: &Position, side: Side) -> Vec<Location> {
        check::attacked_king(position, side).into_iter().collect()
    }

    fn without_moves(&self, position: &Position) -> Outcome {
        check::mate_or_stalemate(position)
    }
}
