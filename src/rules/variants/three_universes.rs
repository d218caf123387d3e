//! Three Universes Chess: chess on three boards at once, with passages between them through one's own kings.
//!
//! Source: (zzo38) A. Black, "Three Universes Chess", The Chess Variant Pages, 2007.
//!
//! 1. Three boards of 8 by 8 squares, the Red, the Green and the Blue Universe, each with the usual array of chess.
//!    White moves first.
//! 2. Pieces move as in chess, with double step, en passant and promotion to queen, rook, bishop or knight. There is no
//!    castling and no check: a king may be left or moved where it can be captured.
//! 3. A move is one step, or two steps whose pieces start from different boards. The second step is made in the
//!    position that the first leaves. (Ruling: a piece that its first step took to another board may move again, as it
//!    then starts from that board.)
//! 4. A rook or bishop, never a queen, whose line reaches the mover's own king with no piece between may pass on from
//!    the mover's own king of another universe, in the same direction: from the square next to that king to any empty
//!    square up to and including the first enemy piece; own pieces stop it. Only one passage in a step, and none to
//!    or from a universe in which the mover has no king.
//! 5. From Green one passes to Red or to Blue, from Red or Blue only to Green.
//! 6. When both kings of a universe have been captured, it vanishes at once with all its pieces: before a second step,
//!    and also with a step that wins.
//! 7. A player wins by capturing the opponent's king in Green, or when both of the opponent's kings in Red and Blue
//!    have been captured. The game ends at that step, and no step may follow it.
//! 8. (Ruling.) En passant is open for the whole of the next move, whichever step of it captures so, while the pawn
//!    still stands and the passed square is empty: a piece can have come there from another universe.
//! 9. (Ruling.) A player without any legal step draws. The third occurrence of a position and a hundred moves in a row
//!    without a capture or pawn step on any board draw, too.
//! 10. For information only: a king is attacked when a single enemy step could capture it, passages included.
//! 11. (Ruling.) A position has at most one king of each side in a universe, a universe that has not vanished has a
//!     king, and not both players have lost.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::geometry::Direction;
use crate::rules::illegal::{IllegalReason, Refusal};
use crate::rules::mechanics::attack::is_attacked;
use crate::rules::mechanics::choices::Choices;
use crate::rules::mechanics::offering::{self, piece_reach};
use crate::rules::mechanics::reach::{Reach, View};
use crate::rules::mechanics::{king_capture, pawns, refusal, stepping};
use crate::rules::moves::Step;
use crate::rules::outcome::{ChangeCause, DrawReason, Outcome, Report};
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::{Location, Square};
use crate::rules::turn::{Scope, Turn, Visit};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// Three Universes Chess.
#[derive(Debug)]
pub(super) struct ThreeUniverses;

/// Clause 1.
const RED: u8 = 0;
const GREEN: u8 = 1;
const BLUE: u8 = 2;

/// Clause 2.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

static CARD: Card = Card {
    id: "three-universes",
    title: "Three Universes Chess",
    boards: &[
        BoardSpec::standard("R", "Red Universe"),
        BoardSpec::standard("G", "Green Universe"),
        BoardSpec::standard("B", "Blue Universe"),
    ],
    sides: [Side::White, Side::Black],
    check_binds: false,
    rules: "Chess on three boards, the Red, the Green and the Blue Universe, without castling and check. A move is one \
            step, or two that start from different boards. Rooks and bishops pass through one's own king in one \
            universe and on from one's own king in another, in the same direction, between Green and Red or Green and \
            Blue. A universe that has lost both its kings vanishes with all its pieces. Capturing the king in Green \
            wins, and so does capturing both others. No legal step, the third occurrence of a position and a hundred \
            moves in a row without a capture or pawn step draw.",
    rules_version: "1",
    source: "(zzo38) A. Black, Three Universes Chess, The Chess Variant Pages, 2007",
    initial: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|\
              rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w -|-|- -|-|- 0 1",
    max_steps: 2,
    castling: None,
    en_passant: EnPassantForm::Passed,
    twin_kinds: &[],
    pieces_change_boards: true,
    boards_vanish: true,
    has_armies: false,
};

impl Variant for ThreeUniverses {
    fn card(&self) -> &'static Card {
        &CARD
    }

    /// Clause 11.
    fn check(&self, position: &Position, faults: &mut Vec<Fault>) {
        king_capture::check_kings(position, has_lost, faults);
        for (number, board) in position.numbered_boards() {
            let part = Part::Placement(number);
            if board.vanished && !board.occupied().is_empty() {
                let message = "no piece can stand in a universe that has vanished";
                faults.push(Fault::new(FaultCode::PieceOnWrongBoard, part, message));
            }
            if !board.vanished && board.kind(PieceKind::King).is_empty() {
                let message = "a universe without any king has vanished";
                faults.push(Fault::new(FaultCode::UniverseWithoutKings, part, message));
            }
        }
    }

    fn offers(&self, turn: &Turn, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
        for (number, board) in turn.position.numbered_boards() {
            if !has_started_from(turn, number) {
                offer_from(&turn.position, number, board, scope, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn choices(&self, _turn: &Turn, _from: Location, _to: Location) -> Choices {
        Choices::promotion(&PROMOTIONS)
    }

    fn make(&self, turn: &mut Turn, step: &Step, report: Report<'_>) {
        let captured = stepping::carry_out(turn, step, None, report);
        if captured.is_some_and(|piece| piece.kind == PieceKind::King) {
            vanish_without_kings(turn, step.to.board, report);
            turn.outcome = self.ending(&turn.position);
        }
    }

    fn refusal(&self, turn: &Turn, step: &Step) -> Refusal {
        let position = &turn.position;
        refusal_of_vanished(position, step.from)
            .or_else(|| refusal::of_standing(position, step))
            .or_else(|| {
                let piece = position.piece(step.from)?;
                refusal_of_way(position, piece, step).or_else(|| refusal_of_same_board(turn, step)).or_else(
                    || {
                        let board = position.board(step.from.board);
                        refusal::of_promotion(board, piece, step, &PROMOTIONS)
                    },
                )
            })
            .or_else(|| refusal::of_twins_in_a_game_without(step))
            .unwrap_or_else(|| refusal::unexplained(step))
    }

    /// Clause 10.
    fn attacked_kings(&self, position: &Position, side: Side) -> Vec<Location> {
        position
            .numbered_boards()
            .filter_map(|(number, board)| Some(Location::new(number, board.king(side)?)))
            .filter(|&king| {
                is_attacked_on_its_board(position, king, side) || is_passed_to(position, king, side)
            })
            .collect()
    }

    /// Clause 7.
    fn ending(&self, position: &Position) -> Option<Outcome> {
        king_capture::ending(position, has_lost)
    }

    /// Clause 9.
    fn without_moves(&self, _position: &Position) -> Outcome {
        Outcome::Drawn { reason: DrawReason::Stalemate }
    }
}

/// Clause 3: whether a step of the move has started from this board.
fn has_started_from(turn: &Turn, board: u8) -> bool {
    turn.taken.iter().any(|taken| taken.step.from.board == board)
}

/// Offers the steps of the pieces on one board.
fn offer_from(
    position: &Position,
    number: u8,
    board: &Board,
    scope: &Scope,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let side = position.to_move;
    let view = View::new(board, side);
    let last_rank = pawns::last_rank(board.geometry(), side);
    for from in board.side(side) & scope.from(number) {
        let Some(piece) = board.piece(from) else { continue };
        let choosing = if piece.kind.is_pawn() { last_rank } else { Bitboard::EMPTY };
        let mut offer = |to_board: u8, reach: Reach| {
            offering::offer(
                piece.kind,
                Location::new(number, from),
                to_board,
                reach,
                choosing,
                scope,
                &mut *visit,
            )
        };
        let here = piece_reach(&view, piece.kind, from, true);
        let Some(direction) = passage(board, piece, from) else {
            offer(number, here)?;
            continue;
        };
        for (to_board, other) in position.numbered_boards() {
            if to_board == number {
                offer(number, here)?;
            } else if are_joined(number, to_board) {
                offer(to_board, beyond_king(other, side, direction))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Clause 4: the lines along which a piece of this kind passes through kings.
fn passing_lines(kind: PieceKind) -> &'static [Direction] {
    if kind == PieceKind::Rook {
        &Direction::ORTHOGONAL
    } else if kind == PieceKind::Bishop {
        &Direction::DIAGONAL
    } else {
        &[]
    }
}

/// Clause 4: the direction in which a piece passes through its side's king, where it can.
fn passage(board: &Board, piece: Piece, from: Square) -> Option<Direction> {
    let lines = passing_lines(piece.kind);
    if lines.is_empty() {
        return None;
    }
    let king = board.king(piece.side);
    let meets_king = |&direction: &Direction| {
        king.is_some() && board.geometry().first_on_ray(from, direction, board.occupied()) == king
    };
    lines.iter().copied().find(meets_king)
}

/// Clause 4: where a passage in this direction leads on another board.
fn beyond_king(board: &Board, side: Side, direction: Direction) -> Reach {
    let Some(king) = board.king(side) else { return Reach::default() };
    let squares = board.geometry().slide(king, direction, board.occupied());
    Reach { quiet: squares & !board.occupied(), captures: squares & board.side(side.opponent()) }
}

/// Clause 5.
const fn are_joined(one: u8, other: u8) -> bool {
    one != other && (one == GREEN || other == GREEN)
}

/// Clause 6: lets a universe vanish that has lost both its kings. A right to capture en passant goes with its pawn.
fn vanish_without_kings(turn: &mut Turn, number: u8, report: Report<'_>) {
    let board = turn.position.board_mut(number);
    if !board.kind(PieceKind::King).is_empty() {
        return;
    }
    board.vanished = true;
    for square in board.occupied() {
        stepping::remove(turn, Location::new(number, square), ChangeCause::Vanished, report);
    }
}

/// Clause 7.
fn has_lost(position: &Position, side: Side) -> bool {
    let has_king = |number| position.board(number).king(side).is_some();
    !has_king(GREEN) || !has_king(RED) && !has_king(BLUE)
}

/// Clause 10: whether an enemy of the king's own board attacks it.
fn is_attacked_on_its_board(position: &Position, king: Location, side: Side) -> bool {
    let board = position.board(king.board);
    is_attacked(board, king.square, side.opponent(), board.occupied(), Bitboard::EMPTY)
}

/// Clause 10: whether an enemy of another board could pass to the king and capture it.
fn is_passed_to(position: &Position, king: Location, side: Side) -> bool {
    let enemy = side.opponent();
    let here = position.board(king.board);
    position.numbered_boards().filter(|&(number, _)| are_joined(number, king.board)).any(|(_, board)| {
        board.side(enemy).into_iter().any(|from| {
            let direction = board.piece(from).and_then(|piece| passage(board, piece, from));
            direction
                .is_some_and(|direction| beyond_king(here, enemy, direction).captures.contains(king.square))
        })
    })
}

fn refusal_of_vanished(position: &Position, at: Location) -> Option<Refusal> {
    position.board(at.board).vanished.then(|| {
        let message = format!("the {} has vanished", CARD.boards[usize::from(at.board)].title);
        Refusal::new(IllegalReason::BoardVanished, [], message)
    })
}

/// Whether the piece goes so, on its board or to another.
fn refusal_of_way(position: &Position, piece: Piece, step: &Step) -> Option<Refusal> {
    if step.from.board == step.to.board || passing_lines(piece.kind).is_empty() {
        refusal::of_movement(position.board(step.from.board), piece, step, None, true)
    } else {
        refusal_of_vanished(position, step.to).or_else(|| refusal_of_passage(position, piece, step))
    }
}

/// Clauses 4 and 5: whether the passage to another board is open.
fn refusal_of_passage(position: &Position, piece: Piece, step: &Step) -> Option<Refusal> {
    let refuse = |blockers: Vec<Location>, message: &'static str| {
        Some(Refusal::new(IllegalReason::PassageNotOpen, blockers, message))
    };
    if !are_joined(step.from.board, step.to.board) {
        return refuse(Vec::new(), "there is no passage between Red and Blue");
    }
    let (here, there) = (position.board(step.from.board), position.board(step.to.board));
    let (Some(entry), Some(exit)) = (here.king(piece.side), there.king(piece.side)) else {
        return refuse(Vec::new(), "a passage needs an own king in both universes");
    };
    let geometry = here.geometry();
    let direction = geometry.direction(step.from.square, entry);
    let Some(direction) = direction.filter(|direction| passing_lines(piece.kind).contains(direction)) else {
        return refuse(Vec::new(), "the piece has no line to its king");
    };
    if !geometry.ray(exit, direction).contains(step.to.square) {
        return refuse(Vec::new(), "the line does not go on there from the king of the other universe");
    }
    let blockers = |board: &Board, number, from, to| {
        let squares = board.geometry().between(from, to) & board.occupied();
        squares.into_iter().map(move |square| Location::new(number, square))
    };
    let mut all: Vec<Location> = blockers(here, step.from.board, step.from.square, entry).collect();
    all.extend(blockers(there, step.to.board, exit, step.to.square));
    if all.is_empty() { None } else { refuse(all, "pieces stand in the way of the passage") }
}

/// Clause 3.
fn refusal_of_same_board(turn: &Turn, step: &Step) -> Option<Refusal> {
    has_started_from(turn, step.from.board).then(|| {
        let message = "the two steps of a move start from different boards";
        Refusal::new(IllegalReason::SameBoardTwice, [], message)
    })
}
