//! The shape of a board: its squares' names, the lines through them, and the leaps from them.
//!
//! One table a size, computed at compile time. A ray is a set of squares, so sliding is a mask and a search for its
//! first occupied bit.

use super::bitboard::Bitboard;
use super::piece::Side;
use super::square::Square;

/// A direction on a board, seen from White: north is towards the high ranks, east towards the last file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Along the file, to higher ranks.
    North,
    /// Along the rank, to later files.
    East,
    /// Diagonally, to higher ranks and later files.
    NorthEast,
    /// Diagonally, to higher ranks and earlier files.
    NorthWest,
    /// Along the file, to lower ranks.
    South,
    /// Along the rank, to earlier files.
    West,
    /// Diagonally, to lower ranks and earlier files.
    SouthWest,
    /// Diagonally, to lower ranks and later files.
    SouthEast,
}

impl Direction {
    /// The four directions of a rook.
    pub const ORTHOGONAL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
    /// The four directions of a bishop.
    pub const DIAGONAL: [Self; 4] = [Self::NorthEast, Self::NorthWest, Self::SouthWest, Self::SouthEast];
    /// All eight.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::NorthEast,
        Self::NorthWest,
        Self::South,
        Self::West,
        Self::SouthWest,
        Self::SouthEast,
    ];

    /// Files and ranks of one step.
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::North => (0, 1),
            Self::East => (1, 0),
            Self::NorthEast => (1, 1),
            Self::NorthWest => (-1, 1),
            Self::South => (0, -1),
            Self::West => (-1, 0),
            Self::SouthWest => (-1, -1),
            Self::SouthEast => (1, -1),
        }
    }

    /// Whether squares along the direction have rising numbers.
    pub const fn is_rising(self) -> bool {
        (self as u8) < 4
    }

    /// Whether it is a rook's direction.
    pub const fn is_orthogonal(self) -> bool {
        matches!(self, Self::North | Self::East | Self::South | Self::West)
    }
}

/// The entry after the last square: what lies beyond a ray that nothing stops.
const NOWHERE: usize = Square::MAX;

/// A board size with its tables.
pub struct Geometry {
    files: u8,
    ranks: u8,
    /// By direction, then square: the squares from it to the edge. One entry more, empty, for [`NOWHERE`].
    rays: [[Bitboard; Square::MAX + 1]; 8],
    /// By square: all squares on a line with it, of ranks and files, and of diagonals.
    orthogonals: [Bitboard; Square::MAX],
    diagonals: [Bitboard; Square::MAX],
    king_leaps: [Bitboard; Square::MAX],
    knight_leaps: [Bitboard; Square::MAX],
    /// By side, then square: the square straight ahead.
    pawn_forward: [[Bitboard; Square::MAX]; 2],
    /// By side, then square: the squares diagonally ahead.
    pawn_diagonals: [[Bitboard; Square::MAX]; 2],
    /// By side, then square of its second rank: the square two straight ahead.
    pawn_doubles: [[Bitboard; Square::MAX]; 2],
    rank_squares: [Bitboard; 8],
    first_file: Bitboard,
    last_file: Bitboard,
}

/// The sizes in use.
static GEOMETRIES: [Geometry; 3] = [Geometry::new(8, 8), Geometry::new(10, 8), Geometry::new(4, 7)];

const KNIGHT_DELTAS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Geometry {
    /// The geometry of a board of `files` by `ranks`.
    ///
    /// # Panics
    /// For a size that no variant has: sizes come from the identity cards of variants, never from input.
    pub fn of(files: u8, ranks: u8) -> &'static Self {
        GEOMETRIES
            .iter()
            .find(|geometry| geometry.files == files && geometry.ranks == ranks)
            .unwrap_or_else(|| panic!("no board has {files} files and {ranks} ranks"))
    }

    const fn new(files: u8, ranks: u8) -> Self {
        let mut geometry = Self {
            files,
            ranks,
            rays: [[Bitboard::EMPTY; Square::MAX + 1]; 8],
            orthogonals: [Bitboard::EMPTY; Square::MAX],
            diagonals: [Bitboard::EMPTY; Square::MAX],
            king_leaps: [Bitboard::EMPTY; Square::MAX],
            knight_leaps: [Bitboard::EMPTY; Square::MAX],
            pawn_forward: [[Bitboard::EMPTY; Square::MAX]; 2],
            pawn_diagonals: [[Bitboard::EMPTY; Square::MAX]; 2],
            pawn_doubles: [[Bitboard::EMPTY; Square::MAX]; 2],
            rank_squares: [Bitboard::EMPTY; 8],
            first_file: Bitboard::EMPTY,
            last_file: Bitboard::EMPTY,
        };
        let mut rank = 0;
        while rank < ranks {
            geometry.rank_squares[rank as usize] = Bitboard::from_bits(((1 << files) - 1) << (rank * files));
            geometry.first_file.insert(Square::new(rank * files));
            geometry.last_file.insert(Square::new(rank * files + files - 1));
            rank += 1;
        }
        let mut index = 0;
        while index < files as usize * ranks as usize {
            let square = Square::new(index as u8);
            if geometry.rank(square) == 1
                && let Some(double) = geometry.offset(square, 0, 2)
            {
                geometry.pawn_doubles[0][index].insert(double);
            }
            if geometry.rank(square) == ranks - 2
                && let Some(double) = geometry.offset(square, 0, -2)
            {
                geometry.pawn_doubles[1][index].insert(double);
            }
            let mut way = 0;
            while way < 8 {
                let (east, north) = Direction::ALL[way].delta();
                let mut at = geometry.offset(square, east, north);
                if let Some(next) = at {
                    geometry.king_leaps[index].insert(next);
                    let side = if north > 0 { 0 } else { 1 };
                    if east == 0 {
                        geometry.pawn_forward[side][index].insert(next);
                    } else if north != 0 {
                        geometry.pawn_diagonals[side][index].insert(next);
                    }
                }
                while let Some(next) = at {
                    geometry.rays[way][index].insert(next);
                    if Direction::ALL[way].is_orthogonal() {
                        geometry.orthogonals[index].insert(next);
                    } else {
                        geometry.diagonals[index].insert(next);
                    }
                    at = geometry.offset(next, east, north);
                }
                let (east, north) = KNIGHT_DELTAS[way];
                if let Some(next) = geometry.offset(square, east, north) {
                    geometry.knight_leaps[index].insert(next);
                }
                way += 1;
            }
            index += 1;
        }
        geometry
    }

    /// How many files the board has.
    pub const fn files(&self) -> u8 {
        self.files
    }

    /// How many ranks the board has.
    pub const fn ranks(&self) -> u8 {
        self.ranks
    }

    /// How many squares the board has.
    pub const fn squares(&self) -> u8 {
        self.files * self.ranks
    }

    /// The square of a file and a rank, both numbered from 0, where the board has it.
    pub const fn square(&self, file: u8, rank: u8) -> Option<Square> {
        if file < self.files && rank < self.ranks {
            Some(Square::new(rank * self.files + file))
        } else {
            None
        }
    }

    /// The file of a square, numbered from 0.
    pub const fn file(&self, square: Square) -> u8 {
        square.index() as u8 % self.files
    }

    /// The rank of a square, numbered from 0.
    pub const fn rank(&self, square: Square) -> u8 {
        square.index() as u8 / self.files
    }

    /// The square so many files east and ranks north of `square`, where the board has it.
    pub const fn offset(&self, square: Square, east: i8, north: i8) -> Option<Square> {
        let file = self.file(square) as i8 + east;
        let rank = self.rank(square) as i8 + north;
        if file < 0 || rank < 0 { None } else { self.square(file as u8, rank as u8) }
    }

    /// All squares of a rank, numbered from 0.
    pub const fn rank_squares(&self, rank: u8) -> Bitboard {
        self.rank_squares[rank as usize]
    }

    /// All squares of the board.
    pub const fn all_squares(&self) -> Bitboard {
        Bitboard::from_bits((1 << self.squares()) - 1)
    }

    /// The squares from `square` to the edge, without `square`.
    pub const fn ray(&self, square: Square, direction: Direction) -> Bitboard {
        self.rays[direction as usize][square.index()]
    }

    /// The first square of `occupied` on the ray.
    pub fn first_on_ray(&self, square: Square, direction: Direction, occupied: Bitboard) -> Option<Square> {
        let met = self.ray(square, direction) & occupied;
        if direction.is_rising() { met.first() } else { met.last() }
    }

    /// The squares that a slide can reach: up to and including the first occupied one.
    pub fn slide(&self, square: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
        let rays = &self.rays[direction as usize];
        let ray = rays[square.index()];
        let met = ray & occupied;
        let stop = if direction.is_rising() { met.first() } else { met.last() };
        ray ^ rays[stop.map_or(NOWHERE, Square::index)]
    }

    /// The square, if any, that a hop over exactly one piece lands on: the second occupied square of the ray.
    pub fn hop(&self, square: Square, direction: Direction, occupied: Bitboard) -> Option<Square> {
        let screen = self.first_on_ray(square, direction, occupied)?;
        self.first_on_ray(screen, direction, occupied)
    }

    /// The squares on a rank or file with `square`, without it.
    pub fn orthogonals(&self, square: Square) -> Bitboard {
        self.orthogonals[square.index()]
    }

    /// The squares on a diagonal with `square`, without it.
    pub fn diagonals(&self, square: Square) -> Bitboard {
        self.diagonals[square.index()]
    }

    /// The direction from one square to another along a rank, file or diagonal.
    pub fn direction(&self, from: Square, to: Square) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.ray(from, direction).contains(to))
    }

    /// The squares strictly between two squares of one line; none where they share no line.
    pub fn between(&self, from: Square, to: Square) -> Bitboard {
        self.direction(from, to)
            .map_or(Bitboard::EMPTY, |direction| self.slide(from, direction, Bitboard::of(to)).without(to))
    }

    /// The squares one step away in any direction.
    pub fn king_leaps(&self, square: Square) -> Bitboard {
        self.king_leaps[square.index()]
    }

    /// The squares a knight's leap away.
    pub fn knight_leaps(&self, square: Square) -> Bitboard {
        self.knight_leaps[square.index()]
    }

    /// The rank from which a side's pawns may double-step: the second from its own edge.
    pub const fn pawn_home(&self, side: Side) -> Bitboard {
        self.rank_squares(if side.index() == 0 { 1 } else { self.ranks - 2 })
    }

    /// Every square of a set moved straight ahead of a side's pawn; what would leave the board is dropped.
    pub fn all_forward(&self, side: Side, squares: Bitboard) -> Bitboard {
        let bits = squares.bits();
        let moved = if side.index() == 0 { bits << self.files } else { bits >> self.files };
        Bitboard::from_bits(moved) & self.all_squares()
    }

    /// Every square of a set that has one file more to the east, moved by a file.
    pub fn all_east(&self, squares: Bitboard) -> Bitboard {
        Bitboard::from_bits((squares & !self.last_file).bits() << 1)
    }

    /// Every square of a set that has one file more to the west, moved by a file.
    pub fn all_west(&self, squares: Bitboard) -> Bitboard {
        Bitboard::from_bits((squares & !self.first_file).bits() >> 1)
    }

    /// The square straight ahead of a side's pawn.
    pub fn pawn_forward(&self, side: Side, square: Square) -> Bitboard {
        self.pawn_forward[side.index()][square.index()]
    }

    /// The square two straight ahead of a side's pawn on its second rank, of others none.
    pub fn pawn_double(&self, side: Side, square: Square) -> Bitboard {
        self.pawn_doubles[side.index()][square.index()]
    }

    /// The squares diagonally ahead of a side's pawn.
    pub fn pawn_diagonals(&self, side: Side, square: Square) -> Bitboard {
        self.pawn_diagonals[side.index()][square.index()]
    }

    /// The square's name: its file's letter and its rank's number, as in `e4`.
    pub fn name(&self, square: Square) -> SquareName {
        SquareName([b'a' + self.file(square), b'1' + self.rank(square)])
    }

    /// The square of a name, where the board has it.
    pub fn named(&self, name: &str) -> Option<Square> {
        let [file, rank] = name.as_bytes() else { return None };
        self.square(file.checked_sub(b'a')?, rank.checked_sub(b'1')?)
    }
}

/// The name of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SquareName([u8; 2]);

impl SquareName {
    /// Its letters, one by one: the quickest way to print it.
    pub fn letters(self) -> [char; 2] {
        self.0.map(char::from)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        // They are ASCII.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl std::fmt::Display for SquareName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::fmt::Display for Geometry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} files and {} ranks", self.files, self.ranks)
    }
}

impl std::fmt::Debug for Geometry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Geometry({self})")
    }
}

impl PartialEq for Geometry {
    fn eq(&self, other: &Self) -> bool {
        self.files == other.files && self.ranks == other.ranks
    }
}

impl Eq for Geometry {}
