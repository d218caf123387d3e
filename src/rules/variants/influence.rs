//! Influence Chess: two armies fight on the middle board, moved by two players who stand above and below it.
//!
//! Source: Samuel H. Bell, "Influence Chess", The Chess Variant Pages, 2002.
//!
//! 1. Three boards of 4 files by 7 ranks: Above, Middle and Below. The player Above has four Princes and a Commander on
//!    the board Above, the player Below the same on the board Below. Above moves first.
//! 2. On Middle stand a white army, N Q K R from a to d on the first rank, and a black one, R K Q N on the last, each
//!    with four pawns before it. Each player helps one of them. Which one is drawn by lot and so part of the position;
//!    Above helps White unless it is said otherwise. It is the player who wins, not the army.
//! 3. The pieces on Middle move as in chess, without double step, en passant and castling. A pawn that reaches the last
//!    rank becomes a queen, rook, bishop or knight.
//! 4. On its own board a Prince moves one square in any direction. (Ruling: a Commander moves exactly two squares in
//!    any of the eight directions over an empty square.) Both move to empty squares only.
//! 5. A move is one of three. An own step: one of the mover's Princes or the Commander moves on its board.
//! 6. An influenced step: a piece on Middle, of either army, moves from a square over which the mover has influence.
//!    That is to have a piece on the same square of the own board while the opponent has no stronger one on that
//!    square of theirs. A Commander is stronger than a Prince; equal is not stronger.
//! 7. An influenced step with its mirror: the own piece on that square then makes the identical move on the own board.
//!    The mirror needs an empty square to go to, and between the two squares of a line only empty ones; a knight's
//!    mirror jumps.
//! 8. A move is legal only if after it the opponent could not capture the king of the mover's army by an influenced
//!    step. Attackers without influence do not matter, nor what that capture would leave.
//! 9. (Ruling.) The king of the mover's own army is never captured. The king of the other army is moved by influence
//!    like any piece.
//! 10. A player whose army's king could be captured so is in check. No legal move in check is checkmate and loses;
//!     (ruling) no legal move without check is stalemate, a draw.
//! 11. (Ruling.) The third occurrence of a position and a hundred moves in a row without a capture or pawn step on
//!     Middle draw.
//! 12. (Ruling.) A position has exactly one king of each army, at most one Commander a player, and no king that the
//!     player to move could capture at once.

use std::ops::ControlFlow;

use crate::rules::bitboard::Bitboard;
use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::illegal::{IllegalReason, Refusal};
use crate::rules::mechanics::attack::attackers;
use crate::rules::mechanics::choices::Choices;
use crate::rules::mechanics::offering::{offer, piece_reach};
use crate::rules::mechanics::reach::{Reach, View, reach};
use crate::rules::mechanics::{kings, pawns, refusal, stepping};
use crate::rules::moves::Step;
use crate::rules::outcome::{DrawReason, Outcome, Report, WinReason};
use crate::rules::piece::{PieceKind, Side};
use crate::rules::position::Position;
use crate::rules::square::{Location, Square};
use crate::rules::turn::{Scope, Turn, Visit};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// Influence Chess.
#[derive(Debug)]
pub(super) struct Influence;

/// Clause 1.
const ABOVE: u8 = 0;
const MIDDLE: u8 = 1;
const BELOW: u8 = 2;

/// Clause 3.
const PROMOTIONS: [PieceKind; 4] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];

/// Clause 1: the board of one player alone.
const fn players_board(name: &'static str, title: &'static str, player: &'static [Side]) -> BoardSpec {
    BoardSpec {
        name,
        title,
        files: 4,
        ranks: 7,
        men: 5,
        sides: player,
        kinds: &[PieceKind::Prince, PieceKind::Commander],
    }
}

static CARD: Card = Card {
    id: "influence",
    title: "Influence Chess",
    boards: &[
        players_board("A", "Above", &[Side::Above]),
        BoardSpec {
            name: "M",
            title: "Middle",
            files: 4,
            ranks: 7,
            men: 8,
            sides: &[Side::White, Side::Black],
            kinds: &[
                PieceKind::King,
                PieceKind::Queen,
                PieceKind::Rook,
                PieceKind::Bishop,
                PieceKind::Knight,
                PieceKind::Pawn,
            ],
        },
        players_board("B", "Below", &[Side::Below]),
    ],
    sides: [Side::Above, Side::Below],
    check_binds: true,
    rules: "Two armies fight on the middle of three boards of 4 by 7. Above and Below each help one of them, with \
            Princes and a Commander on a board of their own. A move is a step on the own board, or a step of a piece of \
            either army from a square over or under which the mover has a piece and the opponent no stronger one; \
            the mover's piece may make the identical step. A Commander is stronger than a Prince and goes exactly \
            two squares, a Prince one. No move may let the opponent capture the king of the mover's army. Checkmate \
            wins; stalemate, the third occurrence of a position and a hundred moves in a row without a capture or \
            pawn step in the middle draw.",
    rules_version: "1",
    source: "Samuel H. Bell, Influence Chess, The Chess Variant Pages, 2002",
    initial: "4/4/I1I1/1C2/1I1I/4/4|rkqn/pppp/4/4/4/PPPP/NQKR|4/4/1i1i/2c1/i1i1/4/4 a -|-|- -|-|- 0 1 w",
    max_steps: 2,
    castling: None,
    en_passant: EnPassantForm::None,
    twin_kinds: &[],
    pieces_change_boards: false,
    boards_vanish: false,
    has_armies: true,
};

impl Variant for Influence {
    fn card(&self) -> &'static Card {
        &CARD
    }

    /// Clause 12.
    fn check(&self, position: &Position, faults: &mut Vec<Fault>) {
        kings::check_present(position, MIDDLE, faults);
        kings::check_single(position, MIDDLE, faults);
        for player in CARD.sides {
            let commanders = |number: u8| position.board(number).pieces(player, PieceKind::Commander).count();
            if (0..position.boards().len() as u8).map(commanders).sum::<u32>() > 1 {
                let message = format!("{} has more than one commander", player.name());
                faults.push(Fault::new(FaultCode::TooManyPieces, Part::Placement(board_of(player)), message));
            }
        }
        let waiting = position.to_move.opponent();
        if attacked_king(position, waiting).is_some() {
            let (mover, waiting) = (position.to_move.name(), waiting.name());
            let message = format!("{mover} could capture the king of {waiting}'s army at once");
            faults.push(Fault::new(FaultCode::OpponentInCheck, Part::Placement(MIDDLE), message));
        }
    }

    /// Clause 5: a move begins on either board; clause 7: it goes on with a mirror only.
    fn offers(&self, turn: &Turn, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
        let position = &turn.position;
        if let Some(first) = turn.taken.first() {
            offer_mirror(position, &first.step, scope, visit)
        } else if position.to_move == Side::Above {
            offer_own(position, scope, visit)?;
            offer_influenced(position, scope, visit)
        } else {
            offer_influenced(position, scope, visit)?;
            offer_own(position, scope, visit)
        }
    }

    fn choices(&self, _turn: &Turn, _from: Location, _to: Location) -> Choices {
        Choices::promotion(&PROMOTIONS)
    }

    fn make(&self, turn: &mut Turn, step: &Step, report: Report<'_>) {
        stepping::carry_out(turn, step, None, report);
    }

    /// Clause 8.
    fn complete(&self, turn: &Turn) -> Result<(), Refusal> {
        let position = &turn.position;
        match attacked_king(position, position.to_move) {
            None => Ok(()),
            Some(attacked) => Err(king_left_attacked(position, attacked)),
        }
    }

    fn refusal(&self, turn: &Turn, step: &Step) -> Refusal {
        let position = &turn.position;
        let refusal = match turn.taken.first() {
            None => refusal_of_first(position, step),
            Some(first) => refusal_of_second(position, &first.step, step),
        };
        refusal.unwrap_or_else(|| refusal::unexplained(step))
    }

    fn attacked_kings(&self, position: &Position, side: Side) -> Vec<Location> {
        attacked_king(position, side).map(|(king, _)| Location::new(MIDDLE, king)).into_iter().collect()
    }

    /// Clause 10.
    fn without_moves(&self, position: &Position) -> Outcome {
        let player = position.to_move;
        match attacked_king(position, player) {
            Some(_) => Outcome::Won { winner: player.opponent(), reason: WinReason::Checkmate },
            None => Outcome::Drawn { reason: DrawReason::Stalemate },
        }
    }
}

/// Clause 1: the board that holds only this player's pieces.
fn board_of(player: Side) -> u8 {
    if player == Side::Above { ABOVE } else { BELOW }
}

/// Clause 2.
fn army_of(position: &Position, player: Side) -> Option<Side> {
    let army = position.above_army?;
    Some(if player == Side::Above { army } else { army.opponent() })
}

/// The squares of a player's Commander, of which there is at most one.
fn commanders(position: &Position, player: Side) -> Bitboard {
    position.board(board_of(player)).kind(PieceKind::Commander)
}

/// Clause 6: the squares from which a player moves the pieces on Middle, while the opponent's Commander stands on
/// `overruled`.
fn influence(position: &Position, player: Side, overruled: Bitboard) -> Bitboard {
    commanders(position, player) | (position.board(board_of(player)).occupied() & !overruled)
}

/// Clause 8: the king of a player's army and the pieces that could capture it by the opponent's influence, if any.
fn attacked_king(position: &Position, player: Side) -> Option<(Square, Bitboard)> {
    attacked_king_while(position, player, commanders(position, player))
}

/// The same, while the player's Commander stands on `commanders`.
fn attacked_king_while(
    position: &Position,
    player: Side,
    commanders: Bitboard,
) -> Option<(Square, Bitboard)> {
    let army = army_of(position, player)?;
    let middle = position.board(MIDDLE);
    let open = influence(position, player.opponent(), commanders);
    // (More kings than one are a fault: then the first that is attacked.)
    middle.pieces(army, PieceKind::King).into_iter().find_map(|king| {
        let attackers = attackers(middle, king, army.opponent(), middle.occupied(), !open);
        (!attackers.is_empty()).then_some((king, attackers))
    })
}

/// Clause 5.
fn offer_own(position: &Position, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
    let player = position.to_move;
    let number = board_of(player);
    let board = position.board(number);
    let view = View::new(board, player);
    for from in board.occupied() & scope.from(number) {
        let Some(piece) = board.piece(from) else { continue };
        let reach = reach(&view, piece.kind, from);
        let from = Location::new(number, from);
        offer(piece.kind, from, number, reach, Bitboard::EMPTY, scope, &mut *visit)?;
    }
    ControlFlow::Continue(())
}

/// Clause 6.
fn offer_influenced(position: &Position, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
    let player = position.to_move;
    let board = position.board(MIDDLE);
    let open = influence(position, player, commanders(position, player.opponent()));
    // Clause 9.
    let spared = own_king(position).map_or(Bitboard::EMPTY, Bitboard::of);
    for from in board.occupied() & open & scope.from(MIDDLE) {
        let Some(piece) = board.piece(from) else { continue };
        let mut reach = piece_reach(&View::new(board, piece.side), piece.kind, from, false);
        reach.captures &= !spared;
        let last_rank = pawns::last_rank(board.geometry(), piece.side);
        let choosing = if piece.kind.is_pawn() { last_rank } else { Bitboard::EMPTY };
        let from = Location::new(MIDDLE, from);
        offer(piece.kind, from, MIDDLE, reach, choosing, scope, &mut *visit)?;
    }
    ControlFlow::Continue(())
}

/// Where the king of the mover's army stands.
fn own_king(position: &Position) -> Option<Square> {
    position.board(MIDDLE).king(army_of(position, position.to_move)?)
}

/// Clause 7: the mirror of the first step, where it is open and clause 8 allows it.
fn offer_mirror(position: &Position, first: &Step, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()> {
    let player = position.to_move;
    let Some(mirror) = mirror_of(player, first) else { return ControlFlow::Continue(()) };
    let Some(piece) = position.piece(mirror.from) else { return ControlFlow::Continue(()) };
    let is_asked = scope.from(mirror.from.board).contains(mirror.from.square);
    let is_open = mirror_blockers(position, &mirror).is_empty();
    if !is_asked || !is_open || attacked_after_mirror(position, &mirror).is_some() {
        return ControlFlow::Continue(());
    }
    let reach = Reach { quiet: Bitboard::of(mirror.to.square), captures: Bitboard::EMPTY };
    offer(piece.kind, mirror.from, mirror.to.board, reach, Bitboard::EMPTY, scope, visit)
}

/// Clause 7: the step on the player's board that is identical to a first step on Middle.
fn mirror_of(player: Side, first: &Step) -> Option<Step> {
    let own = |at: Location| Location::new(board_of(player), at.square);
    (first.from.board == MIDDLE).then(|| Step::new(own(first.from), own(first.to)))
}

/// Clause 7: the pieces in the way of a mirror and where it ends.
fn mirror_blockers(position: &Position, mirror: &Step) -> Bitboard {
    let board = position.board(mirror.from.board);
    let (from, to) = (mirror.from.square, mirror.to.square);
    board.geometry().between(from, to).with(to) & board.occupied()
}

/// Clause 8, asked of a mirror before it is made: of the mover's own pieces only a Commander protects from influence.
fn attacked_after_mirror(position: &Position, mirror: &Step) -> Option<(Square, Bitboard)> {
    let mut commanders = commanders(position, position.to_move);
    if commanders.contains(mirror.from.square) {
        commanders = Bitboard::of(mirror.to.square);
    }
    attacked_king_while(position, position.to_move, commanders)
}

fn king_left_attacked(position: &Position, (king, attackers): (Square, Bitboard)) -> Refusal {
    refusal::king_left_attacked(position.board(MIDDLE), MIDDLE, king, attackers)
}

/// Why a first step is not offered. Clause 8 is asked of the whole move.
fn refusal_of_first(position: &Position, step: &Step) -> Option<Refusal> {
    let piece = position.piece(step.from);
    refusal::of_standing(position, step)
        .or_else(|| refusal::of_movement(position.board(step.from.board), piece?, step, None, false))
        .or_else(|| refusal_of_influence(position, step))
        .or_else(|| refusal::of_promotion(position.board(step.from.board), piece?, step, &PROMOTIONS))
        .or_else(|| refusal::of_twins_in_a_game_without(step))
        .or_else(|| {
            let king = Location::new(MIDDLE, own_king(position)?);
            let message = "the king of one's own army is never captured";
            (step.to == king).then(|| Refusal::new(IllegalReason::OwnKingCaptured, [king], message))
        })
}

/// Clause 6.
fn refusal_of_influence(position: &Position, step: &Step) -> Option<Refusal> {
    let player = position.to_move;
    let square = step.from.square;
    let overruling = commanders(position, player.opponent());
    if step.from.board != MIDDLE || influence(position, player, overruling).contains(square) {
        return None;
    }
    let on = position.board(MIDDLE).geometry().name(square);
    if !position.board(board_of(player)).occupied().contains(square) {
        let message = format!("{} has no piece on {on} of the own board", player.name());
        return Some(Refusal::new(IllegalReason::NoInfluence, [], message));
    }
    let message = format!("the commander of {} on {on} is stronger", player.opponent().name());
    let commander = Location::new(board_of(player.opponent()), square);
    Some(Refusal::new(IllegalReason::InfluenceOverruled, [commander], message))
}

/// Clause 7: why a second step is not offered after this first one.
fn refusal_of_second(position: &Position, first: &Step, step: &Step) -> Option<Refusal> {
    let Some(mirror) = mirror_of(position.to_move, first) else {
        let message = "a step on the own board is the whole move";
        return Some(Refusal::new(IllegalReason::TooManySteps, [], message));
    };
    if (step.from, step.to) != (mirror.from, mirror.to) {
        return refusal::of_standing(position, step).or_else(|| {
            let message = "the second step is not the first one on the own board";
            Some(Refusal::new(IllegalReason::MirrorDiffers, [], message))
        });
    }
    let board = position.board(mirror.from.board);
    let piece = position.piece(step.from)?;
    refusal_of_mirror_blocked(position, &mirror)
        .or_else(|| refusal::of_promotion(board, piece, step, &[]))
        .or_else(|| refusal::of_twins_in_a_game_without(step))
        .or_else(|| Some(king_left_attacked(position, attacked_after_mirror(position, &mirror)?)))
}

fn refusal_of_mirror_blocked(position: &Position, mirror: &Step) -> Option<Refusal> {
    let blockers = mirror_blockers(position, mirror);
    let geometry = position.board(mirror.from.board).geometry();
    let names: Vec<String> = blockers.into_iter().map(|square| geometry.name(square).to_string()).collect();
    let message = format!("the mirror is blocked on {}", names.join(" and "));
    let squares = blockers.into_iter().map(|square| Location::new(mirror.from.board, square));
    (!blockers.is_empty()).then(|| Refusal::new(IllegalReason::MirrorBlocked, squares, message))
}
