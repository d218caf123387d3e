//! What makes a position impossible in every game; each game adds its own by [`Variant::check`].

use crate::rules::board::EnPassant;
use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::mechanics::pawns;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::rules::position::{MAX_HALFMOVE_CLOCK, MAX_MOVE_NUMBER, Position};
use crate::rules::variant::{BoardSpec, Card, EnPassantForm, Variant};

/// What can be relied on in a position that was read with faults.
#[derive(Clone, Copy)]
struct Known {
    /// The boards were read whole: what does not stand on them is missing.
    boards: bool,
    /// One of the game's sides is to move.
    turn: bool,
}

impl Known {
    /// Whether a fault that a game reports of its own is certain.
    fn proves(self, code: FaultCode) -> bool {
        // Who waits in check depends on who is to move, and on what stands between.
        let is_of_turn = code == FaultCode::OpponentInCheck;
        let is_of_lack =
            matches!(code, FaultCode::MissingKing | FaultCode::UniverseWithoutKings | FaultCode::BothLost);
        (self.turn || !is_of_turn) && (self.boards || !(is_of_turn || is_of_lack))
    }
}

/// All faults of a position; none if it can be played.
///
/// `complete` says whether the boards were read whole. Where they were not, only what stands on them is judged, and
/// not what is missing.
pub fn faults(variant: &dyn Variant, position: &Position, complete: bool) -> Vec<Fault> {
    let card = variant.card();
    let mut faults = Vec::new();
    let known = Known { boards: complete, turn: card.sides.contains(&position.to_move) };
    if !known.turn {
        let sides = card.sides.map(Side::name).join(" or ");
        faults.push(Fault::new(FaultCode::BadTurn, Part::ToMove, format!("{sides} is to move")));
    }
    check_army(card, position, &mut faults);
    for (number, spec) in (0..).zip(card.boards) {
        check_pieces(card, spec, position, number, &mut faults);
        check_castling(card, position, number, known, &mut faults);
        check_en_passant(card, position, number, known, &mut faults);
    }
    check_men(card, position, &mut faults);
    check_clocks(position, &mut faults);
    variant.check(position, &mut faults);
    faults.retain(|fault| known.proves(fault.code));
    faults
}

fn check_army(card: &Card, position: &Position, faults: &mut Vec<Fault>) {
    let message = match position.above_army {
        None if card.has_armies => "the army that Above helps is missing",
        Some(Side::White | Side::Black) if card.has_armies => return,
        Some(_) if card.has_armies => "Above helps the white or the black army",
        Some(_) => "the players of this game help no armies",
        None => return,
    };
    faults.push(Fault::new(FaultCode::BadArmy, Part::AboveArmy, message));
}

/// Each piece is of a kind and side of its board, and pawns stand where pawns can.
fn check_pieces(card: &Card, spec: &BoardSpec, position: &Position, number: u8, faults: &mut Vec<Fault>) {
    let board = position.board(number);
    let geometry = board.geometry();
    let part = Part::Placement(number);
    for square in board.occupied() {
        let Some(Piece { kind, side, twin_group }) = board.piece(square) else { continue };
        let name = || format!("{} {} on {}", side.name(), kind.name(), geometry.name(square));
        if !card.has(kind) {
            faults.push(Fault::new(FaultCode::UnknownPiece, part, format!("the game has no {}", name())));
        } else if !spec.kinds.contains(&kind) || !spec.sides.contains(&side) {
            let message = format!("{} cannot stand on this board", name());
            faults.push(Fault::new(FaultCode::PieceOnWrongBoard, part, message));
        }
        if twin_group > 0 && (!card.twin_kinds.contains(&kind) || twin_group > Piece::MAX_TWIN_GROUP) {
            let message = format!("{} cannot have the twin group {twin_group}", name());
            faults.push(Fault::new(FaultCode::BadTwinGroup, part, message));
        }
        if kind.is_pawn() && [0, geometry.ranks() - 1].contains(&geometry.rank(square)) {
            let message = format!("{} stands on a last rank", name());
            faults.push(Fault::new(FaultCode::PawnOnBackRank, part, message));
        }
    }
    for &side in spec.sides {
        let pawns = board.pieces(side, PieceKind::Pawn) | board.pieces(side, PieceKind::BerolinaPawn);
        if pawns.count() > u32::from(geometry.files()) {
            let message = format!("{} has {} pawns on one board", side.name(), pawns.count());
            faults.push(Fault::new(FaultCode::TooManyPawns, part, message));
        }
    }
}

/// No side has more men than it starts with: on all boards that it stands on together.
fn check_men(card: &Card, position: &Position, faults: &mut Vec<Fault>) {
    for side in Side::ALL {
        let boards = || (0..).zip(card.boards).filter(|(_, spec)| spec.sides.contains(&side));
        let most: u32 = boards().map(|(_, spec)| spec.men).sum();
        let men: u32 = boards().map(|(number, _)| position.board(number).side(side).count()).sum();
        if men > most {
            let message = format!("{} has {men} pieces, and starts with {most}", side.name());
            faults.push(Fault::new(FaultCode::TooManyPieces, Part::Whole, message));
        }
    }
}

fn check_castling(card: &Card, position: &Position, number: u8, known: Known, faults: &mut Vec<Fault>) {
    let board = position.board(number);
    for right in board.castling.iter() {
        let message = match &card.castling {
            None => "there is no castling in this game".to_owned(),
            Some(castling) if !known.boards || castling.is_home(board, right) => continue,
            Some(_) => format!("{} without its king and rook at home", right.letter()),
        };
        faults.push(Fault::new(FaultCode::BadCastlingRight, Part::Castling(number), message));
    }
}

/// The pawn stands where the double step ends, and its way is empty behind it.
fn check_en_passant(card: &Card, position: &Position, number: u8, known: Known, faults: &mut Vec<Fault>) {
    let board = position.board(number);
    let Some(EnPassant { passed, pawn }) = board.en_passant else { return };
    let mut fault = |message: String| {
        faults.push(Fault::new(FaultCode::BadEnPassant, Part::EnPassant(number), message));
    };
    let geometry = board.geometry();
    let kind = match card.en_passant {
        EnPassantForm::None => return fault("there is no en passant in this game".to_owned()),
        EnPassantForm::Passed => PieceKind::Pawn,
        EnPassantForm::PassedAndPawn => PieceKind::BerolinaPawn,
    };
    if !known.turn {
        return;
    }
    let side = position.to_move.opponent();
    let Some(origin) = pawns::double_step_origin(geometry, kind, side, EnPassant { passed, pawn }) else {
        let (passed, pawn) = (geometry.name(passed), geometry.name(pawn));
        return fault(format!("no double step of {} passes {passed} and ends on {pawn}", side.name()));
    };
    if !known.boards {
        return;
    }
    if !board.pieces(side, kind).contains(pawn) {
        fault(format!("no pawn of {} stands on {}", side.name(), geometry.name(pawn)));
    }
    // Where pieces come from other boards, one may have arrived since on a square that the pawn crossed.
    if card.pieces_change_boards {
        return;
    }
    for square in [passed, origin] {
        if board.occupied().contains(square) {
            fault(format!("{} was crossed by the pawn and is not empty", geometry.name(square)));
        }
    }
}

fn check_clocks(position: &Position, faults: &mut Vec<Fault>) {
    if position.halfmove_clock > MAX_HALFMOVE_CLOCK {
        let message = format!("the half-move clock is at most {MAX_HALFMOVE_CLOCK}");
        faults.push(Fault::new(FaultCode::BadClock, Part::HalfmoveClock, message));
    }
    if !(1..=MAX_MOVE_NUMBER).contains(&position.move_number) {
        let message = format!("the move number is from 1 to {MAX_MOVE_NUMBER}");
        faults.push(Fault::new(FaultCode::BadClock, Part::MoveNumber, message));
    }
}
