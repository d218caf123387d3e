//! Position text: an extended FEN.
//!
//! Fields separated by one space: placement (boards joined by `|`, `*` for a vanished one), side to move, castling
//! rights a board, en passant a board, half-move clock, move number, and in games with armies the army that Above
//! helps. Every position has one text; another text of the same meaning is refused.

use std::fmt::Write;

use crate::rules::board::{Board, CastlingRight, CastlingRights, EnPassant};
use crate::rules::fault::{Fault, FaultCode, Part};
use crate::rules::geometry::Geometry;
use crate::rules::mechanics::pawns;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::rules::play;
use crate::rules::position::Position;
use crate::rules::square::{Location, Square};
use crate::rules::variant::{Card, EnPassantForm, Variant};

/// The longest text that is read, in bytes; the longest of any position is about half of it.
pub const MAX_LENGTH: usize = 4096;

/// Prints a position.
pub fn print(variant: &dyn Variant, position: &Position) -> String {
    let card = variant.card();
    let mut text = String::with_capacity(128);
    let separate = |text: &mut String, number: u8| {
        if number > 0 {
            text.push('|');
        }
    };
    for (number, board) in position.numbered_boards() {
        separate(&mut text, number);
        print_placement(&mut text, board);
    }
    text.push(' ');
    text.push(position.to_move.letter());
    text.push(' ');
    for (number, board) in position.numbered_boards() {
        separate(&mut text, number);
        text.extend(board.castling.iter().map(CastlingRight::letter));
        if board.castling.is_empty() {
            text.push('-');
        }
    }
    text.push(' ');
    for (number, board) in position.numbered_boards() {
        separate(&mut text, number);
        print_en_passant(&mut text, card, board);
    }
    // Writing to a string cannot fail.
    let _ = write!(text, " {} {}", position.halfmove_clock, position.move_number);
    if let Some(army) = position.above_army {
        text.push(' ');
        text.push(army.letter());
    }
    text
}

fn print_placement(text: &mut String, board: &Board) {
    if board.vanished {
        text.push('*');
        return;
    }
    let geometry = board.geometry();
    for rank in (0..geometry.ranks()).rev() {
        let mut empty = 0;
        for file in 0..geometry.files() {
            let piece = geometry.square(file, rank).and_then(|square| board.piece(square));
            let Some(piece) = piece else {
                empty += 1;
                continue;
            };
            print_run(text, empty);
            empty = 0;
            let letter = piece.kind.letter();
            text.push(if piece.side.index() == 0 { letter } else { letter.to_ascii_lowercase() });
            if piece.twin_group > 0 {
                let _ = write!(text, "{{{}}}", piece.twin_group);
            }
        }
        print_run(text, empty);
        if rank > 0 {
            text.push('/');
        }
    }
}

fn print_run(text: &mut String, empty: u8) {
    if empty > 0 {
        let _ = write!(text, "{empty}");
    }
}

fn print_en_passant(text: &mut String, card: &Card, board: &Board) {
    let Some(EnPassant { passed, pawn }) = board.en_passant else { return text.push('-') };
    let geometry = board.geometry();
    let _ = write!(text, "{}", geometry.name(passed));
    if card.en_passant == EnPassantForm::PassedAndPawn {
        let _ = write!(text, "{}", geometry.name(pawn));
    }
}

/// Reads a position, or reports all its faults.
pub fn parse(variant: &dyn Variant, text: &str) -> Result<Position, Vec<Fault>> {
    if text.len() > MAX_LENGTH {
        let message = format!("the text is longer than {MAX_LENGTH} bytes, as no position is");
        return Err(vec![Fault::new(FaultCode::BadFields, Part::Whole, message)]);
    }
    let mut reader = Reader::new(variant);
    reader.read(text);
    let Reader { position, mut faults, complete, .. } = reader;
    faults.extend(play::faults(variant, &position, complete));
    if faults.is_empty() { Ok(position) } else { Err(faults) }
}

/// What was read so far.
struct Reader {
    card: &'static Card,
    position: Position,
    faults: Vec<Fault>,
    /// Whether all boards were read whole, so that what is missing on them is missing.
    complete: bool,
}

impl Reader {
    fn new(variant: &dyn Variant) -> Self {
        let card = variant.card();
        Self { card, position: card.empty_position(), faults: Vec::new(), complete: true }
    }

    fn fault(&mut self, code: FaultCode, part: Part, message: impl Into<String>) {
        self.faults.push(Fault::new(code, part, message));
    }

    fn read(&mut self, text: &str) {
        let fields: Vec<&str> = text.split(' ').collect();
        let wanted = if self.card.has_armies { 7 } else { 6 };
        if fields.len() != wanted {
            let message =
                format!("the text has {} fields separated by single spaces, not {wanted}", fields.len());
            self.fault(FaultCode::BadFields, Part::Whole, message);
        }
        let mut fields = fields.into_iter();
        if let Some(field) = fields.next() {
            self.read_placement(field);
        }
        if let Some(field) = fields.next() {
            self.read_to_move(field);
        }
        if let Some(field) = fields.next() {
            self.read_by_board(field, "castling", Self::read_castling);
        }
        if let Some(field) = fields.next() {
            self.read_by_board(field, "en-passant", Self::read_en_passant);
        }
        if let Some(field) = fields.next() {
            self.position.halfmove_clock = self.read_clock(field, Part::HalfmoveClock, 0);
        }
        if let Some(field) = fields.next() {
            self.position.move_number = self.read_clock(field, Part::MoveNumber, 1);
        }
        if let Some(field) = fields.next()
            && self.card.has_armies
        {
            self.position.above_army = match field {
                "w" => Some(Side::White),
                "b" => Some(Side::Black),
                _ => None,
            };
        }
    }

    fn read_placement(&mut self, field: &str) {
        let boards: Vec<&str> = field.split('|').collect();
        let wanted = self.card.boards.len();
        if boards.len() != wanted {
            self.complete = false;
            let message = format!("the placement has {} boards, not {wanted}", boards.len());
            self.fault(FaultCode::BadBoardCount, Part::Whole, message);
        }
        for (number, board) in (0..).zip(boards.into_iter().take(wanted)) {
            if board == "*" && self.card.boards_vanish {
                self.position.board_mut(number).vanished = true;
            } else {
                self.read_board(number, board);
            }
        }
    }

    fn read_board(&mut self, number: u8, text: &str) {
        let geometry = self.position.board(number).geometry();
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != usize::from(geometry.ranks()) {
            let message = format!("the board has {} ranks, not {}", ranks.len(), geometry.ranks());
            self.bad_size(number, message);
        }
        for (rank, text) in (0..geometry.ranks()).rev().zip(ranks) {
            let (name, files) = (rank + 1, geometry.files());
            let message = match self.read_rank(number, geometry, rank, text) {
                Some(width) if width == usize::from(files) => continue,
                Some(width) => format!("rank {name} has {width} squares, not {files}"),
                None => format!("a run of empty squares on rank {name} is not a number from 1 to {files}"),
            };
            self.bad_size(number, message);
        }
    }

    fn bad_size(&mut self, number: u8, message: String) {
        self.complete = false;
        self.fault(FaultCode::BadBoardSize, Part::Placement(number), message);
    }

    /// Reads one rank and says how many squares it has, if its runs of empty squares are numbers.
    fn read_rank(&mut self, number: u8, geometry: &Geometry, rank: u8, text: &str) -> Option<usize> {
        let mut file = Some(0_usize);
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if letter.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let (run, after) = rest.split_at(end);
                rest = after;
                let run = number_of(run).filter(|run| (1..=u16::from(geometry.files())).contains(run));
                file = file.zip(run).map(|(file, run)| file + usize::from(run));
                continue;
            }
            rest = &rest[letter.len_utf8()..];
            let group = self.read_twin_group(number, &mut rest);
            let square = file.and_then(|file| geometry.square(u8::try_from(file).ok()?, rank));
            file = file.map(|file| file + 1);
            match self.piece(number, letter) {
                None => {
                    let message = format!("the game has no piece {:?}", letter);
                    self.fault(FaultCode::UnknownPiece, Part::Placement(number), message);
                }
                Some(piece) => {
                    if let Some(square) = square {
                        let piece = Piece { twin_group: group, ..piece };
                        self.position.put(Location::new(number, square), piece);
                    }
                }
            }
        }
        file
    }

    /// The piece of a letter, of a kind that the game has.
    fn piece(&self, number: u8, letter: char) -> Option<Piece> {
        let kind = PieceKind::from_letter(letter.to_ascii_uppercase())?;
        if !self.card.has(kind) {
            return None;
        }
        let pair = self.card.boards[usize::from(number)].sides.first()?;
        let is_first = letter.is_ascii_uppercase() == (pair.index() == 0);
        Some(Piece::new(kind, if is_first { *pair } else { pair.opponent() }))
    }

    /// Reads `{n}` where it follows; 0 where nothing does.
    fn read_twin_group(&mut self, number: u8, rest: &mut &str) -> u8 {
        let Some(after) = rest.strip_prefix('{') else { return 0 };
        let closed = after.split_once('}');
        *rest = closed.map_or("", |(_, after)| after);
        let group = closed
            .and_then(|(digits, _)| u8::try_from(number_of(digits)?).ok())
            .filter(|group| (1..=Piece::MAX_TWIN_GROUP).contains(group));
        if group.is_none() {
            let message = format!("a twin group is a number from 1 to {} in braces", Piece::MAX_TWIN_GROUP);
            self.fault(FaultCode::BadTwinGroup, Part::Placement(number), message);
        }
        group.unwrap_or(0)
    }

    fn read_to_move(&mut self, field: &str) {
        let side = self.card.sides.into_iter().find(|side| {
            let mut letters = field.chars();
            letters.next() == Some(side.letter()) && letters.next().is_none()
        });
        if let Some(side) = side {
            self.position.to_move = side;
        }
    }

    /// Reads a field with a part a board.
    fn read_by_board(&mut self, field: &str, name: &str, read: fn(&mut Self, u8, &str)) {
        let parts: Vec<&str> = field.split('|').collect();
        let wanted = self.card.boards.len();
        if parts.len() != wanted {
            let message = format!("the {name} field has {} parts, not {wanted}", parts.len());
            self.fault(FaultCode::BadFields, Part::Whole, message);
        }
        for (number, part) in (0..).zip(parts.into_iter().take(wanted)) {
            read(self, number, part);
        }
    }

    fn read_castling(&mut self, number: u8, text: &str) {
        match castling_rights(text) {
            Some(rights) => self.position.board_mut(number).castling = rights,
            None => {
                let message = "castling rights are letters of KQkq in that order, or -";
                self.fault(FaultCode::BadCastlingRight, Part::Castling(number), message);
            }
        }
    }

    fn read_en_passant(&mut self, number: u8, text: &str) {
        if text == "-" {
            return;
        }
        let geometry = self.position.board(number).geometry();
        match en_passant(self.card, geometry, text) {
            Some(en_passant) => self.position.board_mut(number).en_passant = Some(en_passant),
            None => {
                let message = match self.card.en_passant {
                    EnPassantForm::None => "there is no en passant in this game, so the field is -",
                    EnPassantForm::Passed => "en passant is the square that a double step passed, or -",
                    EnPassantForm::PassedAndPawn => {
                        "en passant is the square that a double step passed and the pawn's square, or -"
                    }
                };
                self.fault(FaultCode::BadEnPassant, Part::EnPassant(number), message);
            }
        }
    }

    /// Reads a number; the value stands in for one that is none, which is a fault.
    fn read_clock(&mut self, field: &str, part: Part, value: u16) -> u16 {
        number_of(field).unwrap_or_else(|| {
            let message = "a clock is a whole number without leading zeros, at most 10000";
            self.fault(FaultCode::BadClock, part, message);
            value
        })
    }
}

/// The number that digits without leading zeros are.
fn number_of(digits: &str) -> Option<u16> {
    let canonical = digits == "0" || !digits.starts_with('0');
    if canonical && digits.bytes().all(|digit| digit.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The rights of letters in their order, or of `-`.
pub fn castling_rights(text: &str) -> Option<CastlingRights> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Some(rights);
    }
    let mut letters = text.chars().peekable();
    for right in CastlingRight::ALL {
        if letters.next_if_eq(&right.letter()).is_some() {
            rights.insert(right);
        }
    }
    (letters.next().is_none() && !rights.is_empty()).then_some(rights)
}

/// The en passant of a text in the game's form.
fn en_passant(card: &Card, geometry: &Geometry, text: &str) -> Option<EnPassant> {
    match card.en_passant {
        EnPassantForm::None => None,
        EnPassantForm::Passed => en_passant_beyond(geometry, geometry.named(text)?),
        EnPassantForm::PassedAndPawn => {
            let (passed, pawn) = text.split_at_checked(2)?;
            Some(EnPassant { passed: geometry.named(passed)?, pawn: geometry.named(pawn)? })
        }
    }
}

/// The en passant of a pawn that moves straight, from the passed square: White's on the lower half of the board.
pub fn en_passant_beyond(geometry: &Geometry, passed: Square) -> Option<EnPassant> {
    let side = if geometry.rank(passed) < geometry.ranks() / 2 { Side::White } else { Side::Black };
    let pawn = pawns::straight_pawn_beyond(geometry, side, passed)?;
    Some(EnPassant { passed, pawn })
}
