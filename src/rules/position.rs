//! A position of any variant: plain data.

use arrayvec::ArrayVec;

use super::board::Board;
use super::geometry::Geometry;
use super::key;
use super::piece::{Piece, Side};
use super::square::Location;

/// The most boards that a variant has.
pub const MAX_BOARDS: usize = 3;

/// The highest half-move clock of a position.
pub const MAX_HALFMOVE_CLOCK: u16 = 10_000;

/// The highest move number of a position; there it stays.
pub const MAX_MOVE_NUMBER: u16 = 10_000;

/// What stands where, who is to move, and what the rules remember of the moves before.
///
/// Two fields are read by few games and argued for here. The army that Above helps is drawn by lot, so it can be
/// neither computed from the boards nor fixed by the variant. Twin groups, in [`Piece`], tell promoted pieces apart
/// that look the same. Everything else serves every game.
#[derive(PartialEq, Eq, Debug)]
pub struct Position {
    boards: ArrayVec<Board, MAX_BOARDS>,
    placement_key: u64,
    /// Who is to move.
    pub to_move: Side,
    /// The army that the player Above helps; none in games without such players.
    pub above_army: Option<Side>,
    /// Moves since the last capture or pawn step.
    pub halfmove_clock: u16,
    /// The number of the move, from 1; it grows after the second player's move.
    pub move_number: u16,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self { boards: self.boards.clone(), ..*self }
    }

    /// Copies the boards in use into the place of the old ones. A walk through moves does this once a move, and moving
    /// whole positions about would cost it more than its rules.
    fn clone_from(&mut self, source: &Self) {
        let Self { boards, placement_key, to_move, above_army, halfmove_clock, move_number } = self;
        boards.clone_from(&source.boards);
        *placement_key = source.placement_key;
        *to_move = source.to_move;
        *above_army = source.above_army;
        *halfmove_clock = source.halfmove_clock;
        *move_number = source.move_number;
    }
}

impl Position {
    /// Empty boards of these shapes.
    pub fn empty(geometries: impl IntoIterator<Item = &'static Geometry>, to_move: Side) -> Self {
        Self {
            boards: geometries.into_iter().map(Board::new).collect(),
            placement_key: 0,
            to_move,
            above_army: None,
            halfmove_clock: 0,
            move_number: 1,
        }
    }

    /// The boards, in the variant's order.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The board of this number.
    pub fn board(&self, board: u8) -> &Board {
        &self.boards[usize::from(board)]
    }

    /// The board of this number, to change what is not its pieces.
    pub fn board_mut(&mut self, board: u8) -> &mut Board {
        &mut self.boards[usize::from(board)]
    }

    /// The boards with their numbers.
    pub fn numbered_boards(&self) -> impl Iterator<Item = (u8, &Board)> {
        (0..).zip(&self.boards)
    }

    /// The piece on a square.
    pub fn piece(&self, at: Location) -> Option<Piece> {
        self.board(at.board).piece(at.square)
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, at: Location, piece: Piece) {
        self.board_mut(at.board).put(at.square, piece);
        self.placement_key ^= key::piece(at, piece);
    }

    /// Takes the piece off a square. A pawn that goes takes with it the right to capture it en passant.
    pub fn take(&mut self, at: Location) -> Option<Piece> {
        let board = self.board_mut(at.board);
        let piece = board.take(at.square)?;
        if board.en_passant.is_some_and(|en_passant| en_passant.pawn == at.square) {
            board.en_passant = None;
        }
        self.placement_key ^= key::piece(at, piece);
        Some(piece)
    }

    /// The key of the pieces on their squares, kept up to date by every change.
    pub const fn placement_key(&self) -> u64 {
        self.placement_key
    }
}
