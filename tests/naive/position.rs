//! Squares, pieces, boards and positions, as plain lists.

use super::variant::Variant;

/// The player who moves first and the pieces in capitals (White, Above), or the other (Black, Below).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    First,
    Second,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// The direction in which this side's pawns go, in ranks.
    pub fn forward(self) -> i32 {
        match self {
            Side::First => 1,
            Side::Second => -1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub side: Side,
    /// The capital letter of its kind.
    pub kind: char,
    /// The twin group; 0 where nothing is written.
    pub group: u32,
}

impl Piece {
    pub fn is(self, side: Side, kind: char) -> bool {
        self.side == side && self.kind == kind
    }

    pub fn is_pawn(self) -> bool {
        is_pawn_kind(self.kind)
    }
}

/// Pawns, the Berolina pawns of Gamma2 among them.
pub fn is_pawn_kind(kind: char) -> bool {
    kind == 'P' || kind == 'X'
}

/// A square of a board. The order of the fields gives the order of squares in texts: board, then rank, then file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub board: usize,
    pub rank: i32,
    pub file: i32,
}

impl Place {
    /// The square so many files and ranks away; it may lie off the board.
    pub fn shifted(self, (files, ranks): (i32, i32)) -> Place {
        Place { board: self.board, rank: self.rank + ranks, file: self.file + files }
    }

    /// The same square of another board.
    pub fn on_board(self, board: usize) -> Place {
        Place { board, ..self }
    }

    pub fn name(self) -> String {
        let file = (b'a' + self.file as u8) as char;
        format!("{file}{}", self.rank + 1)
    }
}

/// What a double step leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnPassant {
    pub passed: Place,
    pub pawn: Place,
}

#[derive(Clone, Debug)]
pub struct Board {
    /// Three Universes: this universe is no more.
    pub vanished: bool,
    /// Rank by rank from a1.
    pub squares: Vec<Option<Piece>>,
    /// Some of the letters `KQkq`.
    pub castling: String,
    /// From the opponent's last move, for the player to move.
    pub en_passant: Option<EnPassant>,
    /// From a double step of the move that is being made, for the opponent's next move.
    pub next_en_passant: Option<EnPassant>,
}

#[derive(Clone, Debug)]
pub struct Position {
    pub variant: Variant,
    pub boards: Vec<Board>,
    pub to_move: Side,
    pub halfmove_clock: u32,
    pub move_number: u32,
    /// Influence: the army that Above helps.
    pub above_helps: Option<Side>,
    /// The move that is being made has captured, or moved a pawn.
    pub clock_restarts: bool,
}

impl Position {
    pub fn is_square(&self, place: Place) -> bool {
        let files = 0..self.variant.files();
        let ranks = 0..self.variant.ranks();
        files.contains(&place.file) && ranks.contains(&place.rank) && !self.boards[place.board].vanished
    }

    fn index(&self, place: Place) -> usize {
        (place.rank * self.variant.files() + place.file) as usize
    }

    /// The piece there; none on an empty square and off the board.
    pub fn at(&self, place: Place) -> Option<Piece> {
        if self.is_square(place) { self.boards[place.board].squares[self.index(place)] } else { None }
    }

    pub fn is_empty_square(&self, place: Place) -> bool {
        self.is_square(place) && self.at(place).is_none()
    }

    pub fn put(&mut self, place: Place, piece: Option<Piece>) {
        let index = self.index(place);
        self.boards[place.board].squares[index] = piece;
    }

    /// Every square of a board, in text order. A vanished universe has none.
    pub fn squares_of(&self, board: usize) -> Vec<Place> {
        let mut squares = Vec::new();
        if self.boards[board].vanished {
            return squares;
        }
        for rank in 0..self.variant.ranks() {
            for file in 0..self.variant.files() {
                squares.push(Place { board, rank, file });
            }
        }
        squares
    }

    /// The pieces of one side on a board, in text order.
    pub fn pieces_of(&self, side: Side, board: usize) -> Vec<(Place, Piece)> {
        let mut pieces = Vec::new();
        for place in self.squares_of(board) {
            match self.at(place) {
                Some(piece) if piece.side == side => pieces.push((place, piece)),
                _ => {}
            }
        }
        pieces
    }

    /// The pawns of one side on a board, in text order.
    pub fn pawns_of(&self, side: Side, board: usize) -> Vec<Place> {
        self.pieces_of(side, board)
            .into_iter()
            .filter(|(_, piece)| piece.is_pawn())
            .map(|(place, _)| place)
            .collect()
    }

    pub fn king_of(&self, side: Side, board: usize) -> Option<Place> {
        self.squares_of(board)
            .into_iter()
            .find(|&place| self.at(place).is_some_and(|piece| piece.is(side, 'K')))
    }

    /// The rank on which a side's king starts.
    pub fn first_rank(&self, side: Side) -> i32 {
        match side {
            Side::First => 0,
            Side::Second => self.variant.ranks() - 1,
        }
    }

    /// The rank on which a side's pawns promote.
    pub fn last_rank(&self, side: Side) -> i32 {
        self.first_rank(side.other())
    }

    /// The letter of a player in position text.
    pub fn player_letter(&self, side: Side) -> char {
        match (side, self.variant) {
            (Side::First, Variant::Influence) => 'a',
            (Side::First, _) => 'w',
            (Side::Second, _) => 'b',
        }
    }

    /// `e4`, or `A:e4` where boards have names.
    pub fn name_with_board(&self, place: Place) -> String {
        match self.variant.board_names()[place.board] {
            "" => place.name(),
            board => format!("{board}:{}", place.name()),
        }
    }
}
