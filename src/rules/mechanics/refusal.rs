//! Why a step is not offered: the questions that games ask one after the other, in the order of reasons.
//!
//! Each function answers with a refusal or finds nothing to say; a game chains them as its rules ask.

use crate::rules::bitboard::Bitboard;
use crate::rules::board::{Board, CastlingRight};
use crate::rules::illegal::{IllegalReason, Refusal};
use crate::rules::moves::Step;
use crate::rules::piece::{Piece, PieceKind};
use crate::rules::position::Position;
use crate::rules::square::{Location, Square};

use super::attack::{Aftermath, attackers};
use super::castling::{Castling, CastlingSquares, crossed, obstacles, occupied_after};
use super::pawns;
use super::reach::{View, reach};

/// Whether a piece that the mover may move stands on the from-square and none of its side on the to-square. Pieces of
/// neither player are open to both.
pub fn of_standing(position: &Position, step: &Step) -> Option<Refusal> {
    let name = |at: Location| position.board(at.board).geometry().name(at.square);
    let Some(piece) = position.piece(step.from) else {
        let message = format!("no piece stands on {}", name(step.from));
        return Some(Refusal::new(IllegalReason::NoPiece, [], message));
    };
    if piece.side == position.to_move.opponent() {
        let message = format!("the {} on {} is {}'s", piece.kind.name(), name(step.from), piece.side.name());
        return Some(Refusal::new(IllegalReason::NotYourPiece, [], message));
    }
    let there = position.piece(step.to).filter(|there| there.side == piece.side)?;
    let message = format!("the own {} stands on {}", there.kind.name(), name(step.to));
    Some(Refusal::new(IllegalReason::OwnPieceThere, [], message))
}

/// Whether the piece moves so on its board, which it does not leave, and the way is free. `doubles` says whether pawns
/// double-step.
pub fn of_movement(
    board: &Board,
    piece: Piece,
    step: &Step,
    castling: Option<&Castling>,
    doubles: bool,
) -> Option<Refusal> {
    let (from, to) = (step.from.square, step.to.square);
    let name = |square| board.geometry().name(square);
    if step.from.board != step.to.board {
        let message = format!("a {} does not go to another board", piece.kind.name());
        return Some(Refusal::new(IllegalReason::PieceDoesNotMoveSo, [], message));
    }
    if piece.kind == PieceKind::King
        && let Some(castling) = castling
        && let Some((right, squares)) = castling.meant_by(board, piece.side, from, to)
    {
        return of_castling(board, step.from.board, castling, right, squares);
    }
    let blockers = match way(board, piece, from, to, doubles) {
        Way::Free => return None,
        Way::None => {
            let message = format!("a {} does not go from {} to {}", piece.kind.name(), name(from), name(to));
            return Some(Refusal::new(IllegalReason::PieceDoesNotMoveSo, [], message));
        }
        Way::Blocked(blockers) => blockers,
    };
    let message = format!("the way is blocked on {}", names(board, blockers));
    Some(Refusal::new(IllegalReason::PathBlocked, on_board(step.from.board, blockers), message))
}

fn on_board(number: u8, squares: Bitboard) -> impl Iterator<Item = Location> {
    squares.into_iter().map(move |square| Location::new(number, square))
}

fn names(board: &Board, squares: Bitboard) -> String {
    let names: Vec<String> =
        squares.into_iter().map(|square| board.geometry().name(square).to_string()).collect();
    names.join(" and ")
}

/// How a piece's way to a square looks.
enum Way {
    /// It moves so.
    Free,
    /// It never moves so, or not to capture, or only to capture.
    None,
    /// It moves so, but these pieces stand in its way.
    Blocked(Bitboard),
}

fn way(board: &Board, piece: Piece, from: Square, to: Square, doubles: bool) -> Way {
    let occupied = board.occupied();
    let lone = Board::new(board.geometry());
    let (view, lone) = (View::new(board, piece.side), View::new(&lone, piece.side));
    let between = board.geometry().between(from, to);
    if piece.kind.is_pawn() {
        if pawns::reach(&view, piece.kind, from, doubles).targets().contains(to) {
            return Way::Free;
        }
        let moves_so = pawns::reach(&lone, piece.kind, from, doubles).quiet.contains(to);
        let blockers = between.with(to) & occupied;
        return if moves_so && !blockers.is_empty() { Way::Blocked(blockers) } else { Way::None };
    }
    if reach(&view, piece.kind, from).targets().contains(to) {
        return Way::Free;
    }
    if !reach(&lone, piece.kind, from).quiet.contains(to) {
        return Way::None;
    }
    // With nothing between, the square itself is taken by what the piece cannot capture from there: a hopper captures
    // afar only over exactly one piece.
    let between = between & occupied;
    Way::Blocked(if between.is_empty() { Bitboard::of(to) } else { between })
}

/// Whether the right to castle is left, the way between king and rook free, and the king never attacked.
fn of_castling(
    board: &Board,
    number: u8,
    castling: &Castling,
    right: CastlingRight,
    squares: CastlingSquares,
) -> Option<Refusal> {
    let refusal = |squares: Bitboard, message: String| {
        Some(Refusal::new(IllegalReason::CastlingNotAvailable, on_board(number, squares), message))
    };
    if !board.castling.contains(right) {
        let wing = if right.kingside { "king's" } else { "queen's" };
        let message = format!("{} has no right to castle on the {wing} side", right.side.name());
        return refusal(Bitboard::EMPTY, message);
    }
    let in_the_way = obstacles(board, squares);
    if !in_the_way.is_empty() {
        let message = format!("between king and rook stand pieces on {}", names(board, in_the_way));
        return refusal(in_the_way, message);
    }
    if !castling.heeds_attack {
        return None;
    }
    let home = squares.king_from;
    let mut on_the_way: Vec<Square> = crossed(board, squares).into_iter().collect();
    on_the_way.sort_by_key(|square| square.index().abs_diff(home.index()));
    on_the_way
        .into_iter()
        .map(|square| (square, board.occupied().without(home).with(square)))
        .chain([(squares.king_to, occupied_after(board, squares))])
        .find_map(|(square, occupied)| {
            let enemies = attackers(board, square, right.side.opponent(), occupied, Bitboard::EMPTY);
            if enemies.is_empty() {
                return None;
            }
            let message = format!(
                "the king may not castle out of, through or into check, and {} is attacked from {}",
                board.geometry().name(square),
                names(board, enemies)
            );
            refusal(enemies, message)
        })
}

/// Whether the step promotes exactly when a pawn reaches the last rank, to a kind that is open.
pub fn of_promotion(board: &Board, piece: Piece, step: &Step, kinds: &[PieceKind]) -> Option<Refusal> {
    let reaches_end =
        piece.kind.is_pawn() && pawns::last_rank(board.geometry(), piece.side).contains(step.to.square);
    match step.promotion {
        None if reaches_end => Some(Refusal::new(
            IllegalReason::PromotionMissing,
            [],
            format!("a pawn that reaches {} promotes", board.geometry().name(step.to.square)),
        )),
        Some(kind) if !reaches_end => Some(Refusal::new(
            IllegalReason::PromotionNotOpen,
            [],
            format!("the step promotes nothing to a {}", kind.name()),
        )),
        Some(kind) if !kinds.contains(&kind) => Some(Refusal::new(
            IllegalReason::PromotionNotOpen,
            [],
            format!("a pawn does not become a {}", kind.name()),
        )),
        _ => None,
    }
}

/// Refuses a second pawn and removals, in games that know neither.
pub fn of_twins_in_a_game_without(step: &Step) -> Option<Refusal> {
    if step.twin.is_some() {
        let message = "a promotion turns no second pawn here";
        return Some(Refusal::new(IllegalReason::TwinNotOpen, [], message));
    }
    if !step.removals.is_empty() {
        let message = "a capture removes no further pawn here";
        return Some(Refusal::new(IllegalReason::RemovalNotOpen, [], message));
    }
    None
}

/// Refuses, for this reason, what leaves the king of a board attacked: the squares are the king, then its attackers.
pub fn of_attacked_king(reason: IllegalReason, number: u8, after: &Aftermath<'_>) -> Option<Refusal> {
    let king = after.king()?;
    let attackers = after.attackers();
    let refused = || Refusal { reason, ..king_left_attacked(after.board(), number, king, attackers) };
    (!attackers.is_empty()).then(refused)
}

/// Says that the king on this square of a board could be captured from there.
pub fn king_left_attacked(board: &Board, number: u8, king: Square, attackers: Bitboard) -> Refusal {
    let king_name = board.geometry().name(king);
    let message = format!("the king on {king_name} would be attacked from {}", names(board, attackers));
    let squares = std::iter::once(king).chain(attackers).map(|square| Location::new(number, square));
    Refusal::new(IllegalReason::KingLeftAttacked, squares, message)
}

/// For a step that is refused although no question above finds why: the questions and the offers disagree, which
/// tests over all games rule out.
pub fn unexplained(step: &Step) -> Refusal {
    Refusal::new(
        IllegalReason::PieceDoesNotMoveSo,
        [step.from, step.to],
        "the step is not among those offered",
    )
}
