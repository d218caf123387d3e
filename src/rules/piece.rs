//! Sides, kinds of pieces, and pieces.

/// Whose a piece is, or who is to move.
///
/// White and Black are armies. Above and Below are players who stand over and under a board on which the two armies
/// fight; there the armies are nobody's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The army that starts at the low ranks, and in most games the player who moves first.
    White,
    /// The army that starts at the high ranks.
    Black,
    /// The player of the upper board.
    Above,
    /// The player of the lower board.
    Below,
}

impl Side {
    /// All sides.
    pub const ALL: [Self; 4] = [Self::White, Self::Black, Self::Above, Self::Below];

    /// 0 for White and Above, 1 for Black and Below.
    pub const fn index(self) -> usize {
        self as usize & 1
    }

    /// The other side of the same pair.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            Self::Above => Self::Below,
            Self::Below => Self::Above,
        }
    }

    /// The letter of the side to move in position text.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black | Self::Below => 'b',
            Self::Above => 'a',
        }
    }

    /// The name in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
            Self::Above => "Above",
            Self::Below => "Below",
        }
    }
}

/// What a piece is. The order is that of promotions and of all lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// One square in any direction.
    King,
    /// Slides in all eight directions.
    Queen,
    /// Slides along ranks and files.
    Rook,
    /// Slides along diagonals.
    Bishop,
    /// Leaps two squares one way and one the other.
    Knight,
    /// Moves straight forward, captures diagonally forward.
    Pawn,
    /// Moves diagonally forward, captures straight forward.
    BerolinaPawn,
    /// Slides along ranks and files or steps one square; captures one square away, or beyond exactly one piece on
    /// those lines.
    Ship,
    /// As the ship, along diagonals.
    Archer,
    /// One square in any direction, on a player's own board.
    Prince,
    /// Exactly two squares in any direction over an empty one, on a player's own board.
    Commander,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 11;

    /// The six of the standard array, in their order.
    pub const STANDARD: [Self; 6] =
        [Self::King, Self::Queen, Self::Rook, Self::Bishop, Self::Knight, Self::Pawn];

    /// All kinds, in their order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::King,
        Self::Queen,
        Self::Rook,
        Self::Bishop,
        Self::Knight,
        Self::Pawn,
        Self::BerolinaPawn,
        Self::Ship,
        Self::Archer,
        Self::Prince,
        Self::Commander,
    ];

    /// The number of the kind in its order.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter of position texts and long algebraic.
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'K',
            Self::Queen => 'Q',
            Self::Rook => 'R',
            Self::Bishop => 'B',
            Self::Knight => 'N',
            Self::Pawn => 'P',
            Self::BerolinaPawn => 'X',
            Self::Ship => 'S',
            Self::Archer => 'A',
            Self::Prince => 'I',
            Self::Commander => 'C',
        }
    }

    /// The kind with this capital letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The name in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::King => "king",
            Self::Queen => "queen",
            Self::Rook => "rook",
            Self::Bishop => "bishop",
            Self::Knight => "knight",
            Self::Pawn => "pawn",
            Self::BerolinaPawn => "Berolina pawn",
            Self::Ship => "ship",
            Self::Archer => "archer",
            Self::Prince => "prince",
            Self::Commander => "commander",
        }
    }

    /// The name as a title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::King => "King",
            Self::Queen => "Queen",
            Self::Rook => "Rook",
            Self::Bishop => "Bishop",
            Self::Knight => "Knight",
            Self::Pawn => "Pawn",
            Self::BerolinaPawn => "Berolina Pawn",
            Self::Ship => "Ship",
            Self::Archer => "Archer",
            Self::Prince => "Prince",
            Self::Commander => "Commander",
        }
    }

    /// Whether the kind is a pawn of either sort: its steps are irreversible, it may not stand on the first or last
    /// rank, and it promotes.
    pub const fn is_pawn(self) -> bool {
        matches!(self, Self::Pawn | Self::BerolinaPawn)
    }
}

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Whose it is.
    pub side: Side,
    /// Its twin group, 0 to 99: pieces of one side, kind and group are twins where the variant has twins, and 0 where
    /// it has none.
    pub twin_group: u8,
}

impl Piece {
    /// The highest twin group.
    pub const MAX_TWIN_GROUP: u8 = 99;

    /// A piece of twin group 0.
    pub const fn new(kind: PieceKind, side: Side) -> Self {
        Self { kind, side, twin_group: 0 }
    }
}
