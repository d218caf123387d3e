//! Values of the rules core as messages. Nothing here can fail.

use super::v1;
use crate::rules::board::{Board, CastlingRight};
use crate::rules::illegal::{IllegalReason, Illegality};
use crate::rules::moves::Step;
use crate::rules::notation::{long_algebraic, move_text, position_text};
use crate::rules::outcome::{Change, ChangeCause, DrawReason, Outcome, WinReason};
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::rules::play::{Described, Game, Status};
use crate::rules::square::Location;
use crate::rules::variant::{Card, EnPassantForm, Variant};

/// A game's position, with its structure in the full view.
pub(super) fn position(variant: &dyn Variant, game: &Game, view: v1::PositionView) -> v1::Position {
    let card = variant.card();
    let position = &game.position;
    let text = v1::Position {
        variant: card.id.to_owned(),
        fen: position_text::print(variant, position),
        history: game.history.iter().flat_map(|key| key.to_be_bytes()).collect(),
        ..Default::default()
    };
    if view != v1::PositionView::Full {
        return text;
    }
    v1::Position {
        boards: position.numbered_boards().map(|(number, at)| board(card, number, at)).collect(),
        to_move: side(position.to_move).into(),
        above_army: position.above_army.map_or(v1::Side::Unspecified, side).into(),
        halfmove_clock: position.halfmove_clock.into(),
        move_number: position.move_number.into(),
        ..text
    }
}

fn board(card: &Card, number: u8, board: &Board) -> v1::Board {
    let geometry = board.geometry();
    v1::Board {
        name: card.boards[usize::from(number)].name.to_owned(),
        files: geometry.files().into(),
        ranks: geometry.ranks().into(),
        vanished: board.vanished,
        pieces: board
            .occupied()
            .into_iter()
            .filter_map(|square| Some(piece(geometry.name(square).to_string(), board.piece(square)?)))
            .collect(),
        castling: board.castling.iter().map(CastlingRight::letter).collect(),
        en_passant: board.en_passant.map(|en_passant| v1::EnPassant {
            passed: geometry.name(en_passant.passed).to_string(),
            pawn: if card.en_passant == EnPassantForm::PassedAndPawn {
                geometry.name(en_passant.pawn).to_string()
            } else {
                String::new()
            },
        }),
    }
}

fn piece(square: String, piece: Piece) -> v1::Piece {
    v1::Piece {
        square,
        kind: piece_kind(piece.kind).into(),
        side: side(piece.side).into(),
        twin_group: piece.twin_group.into(),
    }
}

fn side(side: Side) -> v1::Side {
    match side {
        Side::White => v1::Side::White,
        Side::Black => v1::Side::Black,
        Side::Above => v1::Side::Above,
        Side::Below => v1::Side::Below,
    }
}

fn piece_kind(kind: PieceKind) -> v1::PieceKind {
    match kind {
        PieceKind::King => v1::PieceKind::King,
        PieceKind::Queen => v1::PieceKind::Queen,
        PieceKind::Rook => v1::PieceKind::Rook,
        PieceKind::Bishop => v1::PieceKind::Bishop,
        PieceKind::Knight => v1::PieceKind::Knight,
        PieceKind::Pawn => v1::PieceKind::Pawn,
        PieceKind::BerolinaPawn => v1::PieceKind::BerolinaPawn,
        PieceKind::Ship => v1::PieceKind::Ship,
        PieceKind::Archer => v1::PieceKind::Archer,
        PieceKind::Prince => v1::PieceKind::Prince,
        PieceKind::Commander => v1::PieceKind::Commander,
    }
}

fn location(card: &Card, at: Location) -> v1::Location {
    v1::Location { board: card.boards[usize::from(at.board)].name.to_owned(), square: square_name(card, at) }
}

fn square_name(card: &Card, at: Location) -> String {
    card.geometry(at.board).name(at.square).as_str().to_owned()
}

/// A move in the full view.
pub(super) fn full_move(card: &Card, described: &[Described]) -> v1::Move {
    let steps: Vec<Step> = described.iter().map(|described| described.step).collect();
    let mut long_text = String::new();
    long_algebraic::print_to(&mut long_text, card, described);
    v1::Move {
        text: move_text::print(card, &steps),
        steps: described.iter().map(|described| step(card, described)).collect(),
        long_text,
    }
}

/// A move in the text view.
pub(super) fn text_move(card: &Card, steps: &[Step]) -> v1::Move {
    v1::Move { text: move_text::print(card, steps), ..Default::default() }
}

/// A step with its piece and what it captures.
pub(super) fn step(card: &Card, described: &Described) -> v1::Step {
    let Described { step, kind, captured } = described;
    let Step { from, to, promotion, twin, removals } = step;
    v1::Step {
        board: card.boards[usize::from(from.board)].name.to_owned(),
        from_square: square_name(card, *from),
        to_board: if to.board == from.board {
            String::new()
        } else {
            card.boards[usize::from(to.board)].name.to_owned()
        },
        to_square: square_name(card, *to),
        promotion: promotion.map_or(v1::PieceKind::Unspecified, piece_kind).into(),
        twin: twin.map(|twin| location(card, twin)),
        removals: removals.iter().map(|removal| location(card, removal)).collect(),
        piece: piece_kind(*kind).into(),
        captured: captured.map_or(v1::PieceKind::Unspecified, piece_kind).into(),
    }
}

/// What a move changes, each with the number of its step.
pub(super) fn changes(card: &Card, changes: &[(usize, Change)]) -> Vec<v1::Change> {
    changes.iter().map(|(index, item)| change(card, *index, item)).collect()
}

fn change(card: &Card, index: usize, change: &Change) -> v1::Change {
    let Change { cause, at, from, removed, added } = change;
    let cause = match cause {
        ChangeCause::Moved => v1::ChangeCause::Moved,
        ChangeCause::Captured => v1::ChangeCause::Captured,
        ChangeCause::TwinRemoved => v1::ChangeCause::TwinRemoved,
        ChangeCause::PawnRemoved => v1::ChangeCause::PawnRemoved,
        ChangeCause::Promoted => v1::ChangeCause::Promoted,
        ChangeCause::TwinPromoted => v1::ChangeCause::TwinPromoted,
        ChangeCause::Castled => v1::ChangeCause::Castled,
        ChangeCause::Vanished => v1::ChangeCause::Vanished,
    };
    let at_square = |item: &Piece| piece(square_name(card, *at), *item);
    v1::Change {
        step_index: index as u32,
        cause: cause.into(),
        at: Some(location(card, *at)),
        from: from.map(|from| location(card, from)),
        removed: removed.as_ref().map(at_square),
        added: added.as_ref().map(at_square),
    }
}

/// How the game stands.
pub(super) fn status(card: &Card, status: &Status) -> v1::Status {
    let Status { outcome, to_move, attacked_kings, repetitions } = status;
    let (state, winner, reason) = match outcome {
        None => (v1::State::Ongoing, None, v1::Reason::Unspecified),
        Some(Outcome::Won { winner, reason }) => {
            let reason = match reason {
                WinReason::Checkmate => v1::Reason::Checkmate,
                WinReason::KingCaptured => v1::Reason::KingCaptured,
                WinReason::NoLegalMove => v1::Reason::NoLegalMove,
            };
            (v1::State::Won, Some(*winner), reason)
        }
        Some(Outcome::Drawn { reason }) => {
            let reason = match reason {
                DrawReason::Stalemate => v1::Reason::Stalemate,
                DrawReason::ThreefoldRepetition => v1::Reason::ThreefoldRepetition,
                DrawReason::FiftyMoves => v1::Reason::FiftyMoves,
            };
            (v1::State::Drawn, None, reason)
        }
    };
    v1::Status {
        state: state.into(),
        winner: winner.map_or(v1::Side::Unspecified, side).into(),
        reason: reason.into(),
        to_move: side(*to_move).into(),
        attacked_kings: attacked_kings.iter().map(|king| location(card, *king)).collect(),
        repetitions: *repetitions as u32,
    }
}

/// Why a move is illegal.
pub(super) fn illegality(card: &Card, illegality: &Illegality) -> v1::Illegality {
    let Illegality { step_index, refusal, candidates, candidates_truncated } = illegality;
    v1::Illegality {
        reason: illegal_reason(refusal.reason).into(),
        step_index: *step_index as u32,
        message: refusal.message.to_string(),
        squares: refusal.squares.iter().map(|square| location(card, *square)).collect(),
        candidates: candidates.iter().map(|steps| move_text::print(card, steps)).collect(),
        candidates_truncated: *candidates_truncated,
    }
}

fn illegal_reason(reason: IllegalReason) -> v1::IllegalReason {
    match reason {
        IllegalReason::NoPiece => v1::IllegalReason::NoPiece,
        IllegalReason::NotYourPiece => v1::IllegalReason::NotYourPiece,
        IllegalReason::OwnPieceThere => v1::IllegalReason::OwnPieceThere,
        IllegalReason::PieceDoesNotMoveSo => v1::IllegalReason::PieceDoesNotMoveSo,
        IllegalReason::PathBlocked => v1::IllegalReason::PathBlocked,
        IllegalReason::CastlingNotAvailable => v1::IllegalReason::CastlingNotAvailable,
        IllegalReason::PassageNotOpen => v1::IllegalReason::PassageNotOpen,
        IllegalReason::BoardVanished => v1::IllegalReason::BoardVanished,
        IllegalReason::SameBoardTwice => v1::IllegalReason::SameBoardTwice,
        IllegalReason::PairNotAllowed => v1::IllegalReason::PairNotAllowed,
        IllegalReason::NoInfluence => v1::IllegalReason::NoInfluence,
        IllegalReason::InfluenceOverruled => v1::IllegalReason::InfluenceOverruled,
        IllegalReason::MirrorDiffers => v1::IllegalReason::MirrorDiffers,
        IllegalReason::MirrorBlocked => v1::IllegalReason::MirrorBlocked,
        IllegalReason::PromotionMissing => v1::IllegalReason::PromotionMissing,
        IllegalReason::PromotionNotOpen => v1::IllegalReason::PromotionNotOpen,
        IllegalReason::TwinMissing => v1::IllegalReason::TwinMissing,
        IllegalReason::TwinNotOpen => v1::IllegalReason::TwinNotOpen,
        IllegalReason::RemovalMissing => v1::IllegalReason::RemovalMissing,
        IllegalReason::RemovalNotOpen => v1::IllegalReason::RemovalNotOpen,
        IllegalReason::RemovalOpensCheck => v1::IllegalReason::RemovalOpensCheck,
        IllegalReason::OwnKingCaptured => v1::IllegalReason::OwnKingCaptured,
        IllegalReason::KingLeftAttacked => v1::IllegalReason::KingLeftAttacked,
        IllegalReason::StepMissing => v1::IllegalReason::StepMissing,
        IllegalReason::TooManySteps => v1::IllegalReason::TooManySteps,
        IllegalReason::NotationDisagrees => v1::IllegalReason::NotationDisagrees,
        IllegalReason::Ambiguous => v1::IllegalReason::Ambiguous,
        IllegalReason::GameOver => v1::IllegalReason::GameOver,
    }
}

/// A variant's identity card.
pub(super) fn variant(card: &Card) -> v1::Variant {
    v1::Variant {
        id: card.id.to_owned(),
        title: card.title.to_owned(),
        boards: card
            .boards
            .iter()
            .map(|spec| v1::BoardSpec {
                name: spec.name.to_owned(),
                title: spec.title.to_owned(),
                files: spec.files.into(),
                ranks: spec.ranks.into(),
            })
            .collect(),
        pieces: card
            .kinds()
            .map(|kind| v1::PieceSpec {
                kind: piece_kind(kind).into(),
                letter: kind.letter().to_string(),
                title: kind.title().to_owned(),
            })
            .collect(),
        sides: card.sides.iter().map(|&player| side(player).into()).collect(),
        check_binds: card.check_binds,
        rules: card.rules.to_owned(),
        rules_version: card.rules_version.to_owned(),
        source: card.source.to_owned(),
    }
}
