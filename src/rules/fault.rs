//! What makes a position invalid.

/// The sorts of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultCode {
    /// More kings of a side than the variant allows.
    TooManyKings,
    /// A king is missing that the variant needs.
    MissingKing,
    /// A pawn stands on the first or last rank.
    PawnOnBackRank,
    /// More pawns of a side on a board than the board has files.
    TooManyPawns,
    /// More pieces of a side than it starts with.
    TooManyPieces,
    /// A castling right without its king and rook at home, or in a variant without castling.
    BadCastlingRight,
    /// An en-passant square that no double step can have produced.
    BadEnPassant,
    /// The side not to move has a king that could be captured.
    OpponentInCheck,
    /// Not as many boards as the variant has.
    BadBoardCount,
    /// A board of another size than the variant's.
    BadBoardSize,
    /// A piece that the variant does not have.
    UnknownPiece,
    /// A piece on a board where its kind or side cannot be.
    PieceOnWrongBoard,
    /// A twin group on a piece that cannot have it, or out of range.
    BadTwinGroup,
    /// A universe without any king that has not vanished.
    UniverseWithoutKings,
    /// Both players have lost.
    BothLost,
    /// A clock out of its range.
    BadClock,
    /// No side of the variant is to move.
    BadTurn,
    /// Not an army that a player can help.
    BadArmy,
    /// The text is not made of the fields of a position.
    BadFields,
}

/// The part of a position that a fault is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The position as a whole.
    Whole,
    /// The pieces of a board.
    Placement(u8),
    /// The side to move.
    ToMove,
    /// The castling rights of a board.
    Castling(u8),
    /// The en-passant square of a board.
    EnPassant(u8),
    /// The half-move clock.
    HalfmoveClock,
    /// The move number.
    MoveNumber,
    /// The army that Above helps.
    AboveArmy,
}

/// One fault of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its sort.
    pub code: FaultCode,
    /// Where it is.
    pub part: Part,
    /// A sentence for people.
    pub message: String,
}

impl Fault {
    /// A fault.
    pub fn new(code: FaultCode, part: Part, message: impl Into<String>) -> Self {
        Self { code, part, message: message.into() }
    }
}
