//! Enum values of requests as those of the rules core.

use super::error::Error;
use super::v1;
use crate::rules::piece::{PieceKind, Side};

/// A side, where one is set.
pub(super) fn side(value: i32) -> Result<Option<Side>, prost::UnknownEnumValue> {
    Ok(match v1::Side::try_from(value)? {
        v1::Side::Unspecified => None,
        v1::Side::White => Some(Side::White),
        v1::Side::Black => Some(Side::Black),
        v1::Side::Above => Some(Side::Above),
        v1::Side::Below => Some(Side::Below),
    })
}

/// A kind of piece, where one is set.
pub(super) fn piece_kind(value: i32) -> Result<Option<PieceKind>, prost::UnknownEnumValue> {
    Ok(match v1::PieceKind::try_from(value)? {
        v1::PieceKind::Unspecified => None,
        v1::PieceKind::King => Some(PieceKind::King),
        v1::PieceKind::Queen => Some(PieceKind::Queen),
        v1::PieceKind::Rook => Some(PieceKind::Rook),
        v1::PieceKind::Bishop => Some(PieceKind::Bishop),
        v1::PieceKind::Knight => Some(PieceKind::Knight),
        v1::PieceKind::Pawn => Some(PieceKind::Pawn),
        v1::PieceKind::BerolinaPawn => Some(PieceKind::BerolinaPawn),
        v1::PieceKind::Ship => Some(PieceKind::Ship),
        v1::PieceKind::Archer => Some(PieceKind::Archer),
        v1::PieceKind::Prince => Some(PieceKind::Prince),
        v1::PieceKind::Commander => Some(PieceKind::Commander),
    })
}

/// How much of a position to answer with.
pub(super) fn position_view(value: i32) -> Result<v1::PositionView, Error> {
    let view = v1::PositionView::try_from(value)
        .map_err(|_| Error::value("position_view", format!("{value} is no view of positions")))?;
    Ok(if view == v1::PositionView::Unspecified { v1::PositionView::Fen } else { view })
}

/// How much of each move to answer with.
pub(super) fn move_view(value: i32) -> Result<v1::MoveView, Error> {
    let view = v1::MoveView::try_from(value)
        .map_err(|_| Error::value("move_view", format!("{value} is no view of moves")))?;
    Ok(if view == v1::MoveView::Unspecified { v1::MoveView::Full } else { view })
}
