//! Positions given as structure, beside their text or instead of it.

use super::enums::{piece_kind, side};
use super::error::Error;
use super::v1;
use crate::rules::board::{CastlingRights, EnPassant};
use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::geometry::Geometry;
use crate::rules::notation::position_text;
use crate::rules::piece::Piece;
use crate::rules::play;
use crate::rules::position::{MAX_HALFMOVE_CLOCK, MAX_MOVE_NUMBER, Position};
use crate::rules::square::Location;
use crate::rules::variant::{Card, EnPassantForm, Variant};

/// Whether any field of the structure is set.
pub(super) fn is_set(message: &v1::Position) -> bool {
    let v1::Position {
        variant: _,
        fen: _,
        boards,
        to_move,
        above_army,
        halfmove_clock,
        move_number,
        history: _,
    } = message;
    !boards.is_empty() || *to_move != 0 || *above_army != 0 || *halfmove_clock != 0 || *move_number != 0
}

/// The position of a structure, or all its faults.
pub(super) fn read(variant: &dyn Variant, message: &v1::Position) -> Result<Position, Error> {
    let mut reader = Reader::new(variant.card());
    reader.read(message);
    let Reader { position, mut faults, complete, .. } = reader;
    let found = play::faults(variant, &position, complete);
    faults.extend(found.into_iter().map(|fault| (path(fault.part), fault)));
    if faults.is_empty() { Ok(position) } else { Err(Error::invalid_position(faults.into_iter())) }
}

/// The field of a part of the structure.
fn path(part: Part) -> String {
    match part {
        Part::Whole => "position.boards".to_owned(),
        Part::Placement(board) => format!("position.boards[{board}].pieces"),
        Part::ToMove => "position.to_move".to_owned(),
        Part::Castling(board) => format!("position.boards[{board}].castling"),
        Part::EnPassant(board) => format!("position.boards[{board}].en_passant"),
        Part::HalfmoveClock => "position.halfmove_clock".to_owned(),
        Part::MoveNumber => "position.move_number".to_owned(),
        Part::AboveArmy => "position.above_army".to_owned(),
    }
}

/// Refuses a structure of which something that is set is not as in the position.
pub(super) fn compare(card: &'static Card, position: &Position, message: &v1::Position) -> Result<(), Error> {
    if !is_set(message) {
        return Ok(());
    }
    let mut reader = Reader::new(card);
    reader.read(message);
    let conflict = |field: String| {
        let message = "the structure does not agree with the fen".to_owned();
        Err(Error::ConflictingForms { field, message })
    };
    if let Some((field, _)) = reader.faults.into_iter().next() {
        return conflict(field);
    }
    let other = reader.position;
    if message.to_move != 0 && other.to_move != position.to_move {
        return conflict(path(Part::ToMove));
    }
    if message.above_army != 0 && other.above_army != position.above_army {
        return conflict(path(Part::AboveArmy));
    }
    if message.halfmove_clock != 0 && other.halfmove_clock != position.halfmove_clock {
        return conflict(path(Part::HalfmoveClock));
    }
    if message.move_number != 0 && other.move_number != position.move_number {
        return conflict(path(Part::MoveNumber));
    }
    for (number, sent) in (0..).zip(&message.boards) {
        let (theirs, ours) = (other.board(number), position.board(number));
        let geometry = ours.geometry();
        let same_pieces =
            || geometry.all_squares().into_iter().all(|square| theirs.piece(square) == ours.piece(square));
        if !sent.pieces.is_empty() && !same_pieces() {
            return conflict(path(Part::Placement(number)));
        }
        if sent.vanished && !ours.vanished {
            return conflict(format!("position.boards[{number}].vanished"));
        }
        if !sent.castling.is_empty() && theirs.castling != ours.castling {
            return conflict(path(Part::Castling(number)));
        }
        if sent.en_passant.is_some() && theirs.en_passant != ours.en_passant {
            return conflict(path(Part::EnPassant(number)));
        }
    }
    Ok(())
}

/// A fault with the path of its field.
type FieldFault = (String, Fault);

/// What was read so far.
struct Reader {
    card: &'static Card,
    position: Position,
    faults: Vec<FieldFault>,
    complete: bool,
}

impl Reader {
    fn new(card: &'static Card) -> Self {
        Self { card, position: card.empty_position(), faults: Vec::new(), complete: true }
    }

    fn fault(&mut self, code: FaultCode, field: String, message: impl Into<String>) {
        self.faults.push((field, Fault::new(code, Part::Whole, message)));
    }

    fn read(&mut self, message: &v1::Position) {
        let v1::Position {
            variant: _,
            fen: _,
            boards,
            to_move,
            above_army,
            halfmove_clock,
            move_number,
            history: _,
        } = message;
        let wanted = self.card.boards.len();
        // Beside a text, boards may be left out as a whole.
        let may_be_none = !message.fen.is_empty();
        if boards.len() != wanted && !(boards.is_empty() && may_be_none) {
            self.complete = false;
            let count = boards.len();
            let message = format!("the position has {count} boards, not {wanted}");
            self.fault(FaultCode::BadBoardCount, path(Part::Whole), message);
        }
        for (number, board) in (0..).zip(boards.iter().take(wanted)) {
            self.read_board(number, board);
        }
        // A side that is none is left to the check of whose turn it is.
        if let Ok(Some(side)) = side(*to_move) {
            self.position.to_move = side;
        }
        match side(*above_army) {
            Ok(army) => self.position.above_army = army,
            Err(_) => self.fault(FaultCode::BadArmy, path(Part::AboveArmy), "there is no such side"),
        }
        // A clock beyond its range stays beyond it.
        let clamped = |value: u32, most: u16| value.min(u32::from(most) + 1) as u16;
        self.position.halfmove_clock = clamped(*halfmove_clock, MAX_HALFMOVE_CLOCK);
        self.position.move_number = clamped((*move_number).max(1), MAX_MOVE_NUMBER);
    }

    fn read_board(&mut self, number: u8, message: &v1::Board) {
        let v1::Board { name, files, ranks, vanished, pieces, castling, en_passant } = message;
        let spec = &self.card.boards[usize::from(number)];
        let geometry = self.card.geometry(number);
        let at = |field: &str| format!("position.boards[{number}].{field}");
        if !name.is_empty() && name != spec.name {
            let message = format!("board {number} is named {:?}", spec.name);
            self.fault(FaultCode::BadFields, at("name"), message);
        }
        for (field, value, wanted) in [("files", files, spec.files), ("ranks", ranks, spec.ranks)] {
            if *value != 0 && *value != u32::from(wanted) {
                self.complete = false;
                let message = format!("the board has {wanted} {field}, not {value}");
                self.fault(FaultCode::BadBoardSize, at(field), message);
            }
        }
        let unreadable = if *vanished && !self.card.boards_vanish {
            Some(("vanished", "no board of this game vanishes".to_owned()))
        } else if *vanished && !pieces.is_empty() {
            Some(("pieces", "a board that vanished has no pieces".to_owned()))
        } else if pieces.len() > usize::from(geometry.squares()) {
            Some(("pieces", format!("{} pieces are more than the board has squares", pieces.len())))
        } else {
            None
        };
        if let Some((field, message)) = unreadable {
            self.complete = false;
            self.fault(FaultCode::BadFields, at(field), message);
        } else {
            self.position.board_mut(number).vanished = *vanished;
            for (index, piece) in pieces.iter().enumerate() {
                self.read_piece(number, index, piece);
            }
        }
        match castling_rights(castling) {
            Some(rights) => self.position.board_mut(number).castling = rights,
            None => {
                let message = "castling rights are letters of KQkq in that order, or empty";
                self.fault(FaultCode::BadCastlingRight, at("castling"), message);
            }
        }
        if let Some(message) = en_passant {
            match read_en_passant(self.card, geometry, message) {
                Ok(en_passant) => self.position.board_mut(number).en_passant = Some(en_passant),
                Err((field, message)) => {
                    self.fault(FaultCode::BadEnPassant, at(&format!("en_passant.{field}")), message);
                }
            }
        }
    }

    fn read_piece(&mut self, number: u8, index: usize, message: &v1::Piece) {
        let v1::Piece { square, kind, side: whose, twin_group } = message;
        let at = |field: &str| format!("position.boards[{number}].pieces[{index}].{field}");
        let square = self.card.geometry(number).named(square);
        if square.is_none() {
            self.fault(FaultCode::BadFields, at("square"), "there is no such square");
        }
        let kind = piece_kind(*kind).ok().flatten();
        let kind = kind.filter(|kind| self.card.has(*kind));
        if kind.is_none() {
            self.fault(FaultCode::UnknownPiece, at("kind"), "the game has no such piece");
        }
        let whose = side(*whose).ok().flatten();
        if whose.is_none() {
            self.fault(FaultCode::BadFields, at("side"), "the piece belongs to no side");
        }
        let group = u8::try_from(*twin_group).ok().filter(|group| *group <= Piece::MAX_TWIN_GROUP);
        if group.is_none() {
            let message = format!("a twin group is at most {}", Piece::MAX_TWIN_GROUP);
            self.fault(FaultCode::BadTwinGroup, at("twin_group"), message);
        }
        let (Some(square), Some(kind), Some(side)) = (square, kind, whose) else { return };
        let location = Location::new(number, square);
        if self.position.piece(location).is_some() {
            self.fault(FaultCode::BadFields, at("square"), "another piece stands there");
        } else {
            self.position.put(location, Piece { kind, side, twin_group: group.unwrap_or(0) });
        }
    }
}

fn castling_rights(text: &str) -> Option<CastlingRights> {
    match text {
        "" => Some(CastlingRights::NONE),
        "-" => None,
        letters => position_text::castling_rights(letters),
    }
}

/// The en passant of a message, or the field at fault and why.
fn read_en_passant(
    card: &Card,
    geometry: &Geometry,
    message: &v1::EnPassant,
) -> Result<EnPassant, (&'static str, &'static str)> {
    let v1::EnPassant { passed, pawn } = message;
    let passed = geometry.named(passed).ok_or(("passed", "there is no such square"))?;
    match card.en_passant {
        EnPassantForm::None => Err(("passed", "there is no en passant in this game")),
        EnPassantForm::Passed if !pawn.is_empty() => {
            Err(("pawn", "the pawn's square follows from the passed one and is left empty"))
        }
        EnPassantForm::Passed => position_text::en_passant_beyond(geometry, passed)
            .ok_or(("passed", "no double step passes there")),
        EnPassantForm::PassedAndPawn => {
            let pawn = geometry.named(pawn).ok_or(("pawn", "there is no such square"))?;
            Ok(EnPassant { passed, pawn })
        }
    }
}
