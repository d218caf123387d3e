//! Doppleganger BordahBee, as its source spells it, and its Extreme form: BordahBee with twins that go together.
//!
//! Source: Gary K. Gifford, "Doppleganger BordahBee & DB Extreme", The Chess Variant Pages, 2006, which refers to his
//! "BordahBee" and "Doppelganger Chess".
//!
//! As in BordahBee:
//!
//! 1. Two boards A and B of 8 by 8 squares, each with the array of chess; White is at the low ranks of both and moves
//!    first.
//! 2. A move is two steps, one on each board, in either order. The second is made in the position that the first
//!    leaves.
//! 3. The two pieces moved are a permitted pair: a king with a king, queen or rook; a queen with a king or rook; a rook
//!    with a king or queen; a bishop with a knight or pawn; a knight with a bishop or pawn; a pawn with a knight or
//!    bishop. A promoting pawn is a pawn.
//! 4. There is no check. A step that captures a king ends the game at once, the mover wins, and no step may follow it.
//!    A player who has no legal move at the start of the turn loses.
//! 5. (Ruling.) Castling is a step of the king and asks only for the rights and for empty squares between king and
//!    rook. Any own rook on the home square will do.
//! 6. Pawns make double steps and capture en passant as in chess, in either step of the next move. The right dies with
//!    its pawn: when that is removed, or becomes a promoted piece.
//!
//! Twins, in the normal game within each board:
//!
//! 7. The two rooks of a colour on a board are twins, so are the two knights and the two bishops: group 0. Capturing
//!    one removes all others of its colour, kind and group from the board.
//! 8. Capturing a pawn, en passant too, removes one other enemy pawn of that board, of the mover's choice. If there is
//!    no other, only the captured one goes.
//! 9. No removal may put the mover in check. (Ruling: on each board from which a step removes twins, the mover's king,
//!    if not attacked after the capture itself, may not be attacked after the removals. A choice of pawns that breaks
//!    this is not open, and a capture that is left without an open choice, or whose forced removal breaks this, is
//!    illegal. A king that was attacked already, or is not there, restricts nothing, nor does a line that the capturer
//!    itself opens.)
//! 10. A pawn that reaches the last rank becomes a rook, bishop or knight, and always together with another pawn of the
//!     mover's own on the same board, of the mover's choice, which becomes the same where it stands. The two form a new
//!     group: the smallest number from 1 on that no piece of that colour and kind has on either board once the step's
//!     captures and removals are done. (Ruling: without another pawn, a pawn cannot step onto the last rank.)
//!
//! In the Extreme form twins reach across both boards:
//!
//! 11. Group 0 of the rooks, knights and bishops is the four of a colour on both boards, and group 0 of the queens the
//!     two. Capturing one of a group removes all others of it from both boards.
//! 12. Capturing a pawn removes one other enemy pawn of that board and two of the other board, of the mover's choice;
//!     where there are fewer, all there are. The removals are one set. Clause 9 is asked of both boards.
//! 13. Promotion also to queens. (Ruling: the second queen is made of an own pawn of the other board, and without one
//!     this promotion is not open.)
//!
//! 14. (Ruling.) The third occurrence of a position and a hundred moves in a row without a capture or pawn step draw.

use std::ops::ControlFlow;

use crate::rules::fault::Fault;
use crate::rules::illegal::Refusal;
use crate::rules::mechanics::castling::Castling;
use crate::rules::mechanics::choices::Choices;
use crate::rules::mechanics::twins::{Safety, SecondPawn, Twins};
use crate::rules::mechanics::{king_capture, paired_boards, refusal};
use crate::rules::moves::Step;
use crate::rules::outcome::{Outcome, Report, WinReason};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::Location;
use crate::rules::turn::{Offer, Scope, Turn, Visit};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// One of the two games.
#[derive(Debug)]
pub(super) struct DoppelgangerBordahBee {
    card: &'static Card,
    twins: Twins,
}

/// The normal game: clauses 7 to 10.
pub(super) static NORMAL: DoppelgangerBordahBee = DoppelgangerBordahBee {
    card: &NORMAL_CARD,
    twins: Twins {
        kinds: &[PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight],
        across_boards: false,
        promotions: &[
            (PieceKind::Rook, SecondPawn::SameBoard),
            (PieceKind::Bishop, SecondPawn::SameBoard),
            (PieceKind::Knight, SecondPawn::SameBoard),
        ],
        safety: Safety::NotExposed,
    },
};

/// The Extreme form: clauses 11 to 13.
pub(super) static EXTREME: DoppelgangerBordahBee = DoppelgangerBordahBee {
    card: &EXTREME_CARD,
    twins: Twins {
        kinds: &[PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight],
        across_boards: true,
        promotions: &[
            (PieceKind::Queen, SecondPawn::OtherBoard),
            (PieceKind::Rook, SecondPawn::SameBoard),
            (PieceKind::Bishop, SecondPawn::SameBoard),
            (PieceKind::Knight, SecondPawn::SameBoard),
        ],
        safety: Safety::NotExposed,
    },
};

/// Clause 5.
const CASTLING: Castling = Castling { heeds_attack: false, ..Castling::EIGHT_FILES };

static NORMAL_CARD: Card = Card {
    id: "doppelganger-bordahbee",
    title: "Doppleganger BordahBee",
    boards: &[BoardSpec::standard("A", "Board A"), BoardSpec::standard("B", "Board B")],
    sides: [Side::White, Side::Black],
    check_binds: false,
    rules: "BordahBee, two steps a move on two boards by a permitted pair of pieces, with twins on each board. \
            Capturing a rook, knight or bishop removes its twin; capturing a pawn removes another enemy pawn of that \
            board, of the mover's choice. No removal may open an attack on the mover's own king. Pawns promote in \
            twos, to rooks, knights or bishops, which form a new group of twins. Capturing a king wins at once; a \
            player without a legal move loses.",
    rules_version: "1",
    source: "Gary K. Gifford, Doppleganger BordahBee & DB Extreme, The Chess Variant Pages, 2006",
    initial: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq -|- \
              0 1",
    max_steps: 2,
    castling: Some(CASTLING),
    en_passant: EnPassantForm::Passed,
    twin_kinds: &[PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight],
    pieces_change_boards: false,
    boards_vanish: false,
    has_armies: false,
};

static EXTREME_CARD: Card = Card {
    id: "doppelganger-bordahbee-extreme",
    title: "Doppleganger BordahBee Extreme",
    rules: "Doppleganger BordahBee with twins that reach across both boards. Capturing a rook, knight, bishop or queen \
            removes all its twins from both boards; capturing a pawn removes another enemy pawn of that board and two \
            of the other board, of the mover's choice. No removal may open an attack on the mover's own kings. Pawns \
            also promote to queens, of which the second is made of an own pawn on the other board. Capturing a king \
            wins at once; a player without a legal move loses.",
    twin_kinds: &[PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight],
    ..NORMAL_CARD
};

impl Variant for DoppelgangerBordahBee {
    fn card(&self) -> &'static Card {
        self.card
    }

    fn check(&self, position: &Position, faults: &mut Vec<Fault>) {
        king_capture::check_kings(position, king_capture::lacks_a_king, faults);
    }

    fn offers(&self, turn: &Turn, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
        paired_boards::offers(turn, scope, &CASTLING, Some(&self.twins), visit)
    }

    fn choices(&self, turn: &Turn, from: Location, to: Location) -> Choices {
        self.twins.choices(turn, from, to)
    }

    fn follows(&self, turn: &Turn, offer: &Offer, next: &Scope) -> Option<bool> {
        paired_boards::follows(turn, offer, next)
    }

    fn make(&self, turn: &mut Turn, step: &Step, report: Report<'_>) {
        let captured = self.twins.carry_out(turn, step, &CASTLING, report);
        turn.outcome = paired_boards::ending_by(turn, captured);
    }

    fn complete(&self, turn: &Turn) -> Result<(), Refusal> {
        paired_boards::complete(turn)
    }

    fn refusal(&self, turn: &Turn, step: &Step) -> Refusal {
        paired_boards::refusal(turn, step, &CASTLING, Some(&self.twins))
            .or_else(|| self.twins.refusal(turn, step))
            .unwrap_or_else(|| refusal::unexplained(step))
    }

    fn dead_end(&self, _turn: &Turn) -> Refusal {
        paired_boards::dead_end()
    }

    fn attacked_kings(&self, position: &Position, side: Side) -> Vec<Location> {
        king_capture::attacked_kings(position, side)
    }

    fn ending(&self, position: &Position) -> Option<Outcome> {
        king_capture::ending(position, king_capture::lacks_a_king)
    }

    fn without_moves(&self, position: &Position) -> Outcome {
        // Clause 4.
        Outcome::Won { winner: position.to_move.opponent(), reason: WinReason::NoLegalMove }
    }
}
