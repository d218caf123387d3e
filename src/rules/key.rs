//! The keys by which positions are told apart for repetition.
//!
//! A key is the exclusive or of one 64-bit number a fact: each piece on its square, each castling right, each en
//! passant that counts, the side to move, the army that a player helps, each vanished board. The number of a fact is a
//! code that packs it, well mixed. In the code the sort of fact is the top byte, the board stands above bit 32, and
//! what else there is to say of the fact in the low 32 bits.
//!
//! Codes and mixing are part of v1: clients keep keys between calls to any replica of any release, so they never
//! change, and a test pins them.

use super::piece::{Piece, Side};
use super::square::Location;

/// The sorts of facts.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
enum Fact {
    Piece = 1,
    CastlingRight = 2,
    EnPassant = 3,
    ToMove = 4,
    AboveArmy = 5,
    Vanished = 6,
    HalfmoveClock = 7,
}

/// The output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
const fn mix(code: u64) -> u64 {
    let mut bits = code.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

const fn number(fact: Fact, board: u8, detail: u32) -> u64 {
    mix((fact as u64) << 56 | (board as u64) << 32 | detail as u64)
}

/// A piece on a square.
pub const fn piece(at: Location, piece: Piece) -> u64 {
    let detail = (at.square.index() as u32) << 24
        | (piece.side as u32) << 16
        | (piece.kind as u32) << 8
        | piece.twin_group as u32;
    number(Fact::Piece, at.board, detail)
}

/// A castling right, by its number in the order of letters.
pub const fn castling_right(board: u8, right: usize) -> u64 {
    number(Fact::CastlingRight, board, right as u32)
}

/// An en passant: the passed square and the pawn's square.
pub const fn en_passant(board: u8, passed: usize, pawn: usize) -> u64 {
    number(Fact::EnPassant, board, (passed as u32) << 8 | pawn as u32)
}

/// The side to move.
pub const fn to_move(side: Side) -> u64 {
    number(Fact::ToMove, 0, side as u32)
}

/// The army that the player Above helps.
pub const fn above_army(side: Side) -> u64 {
    number(Fact::AboveArmy, 0, side as u32)
}

/// A vanished board.
pub const fn vanished(board: u8) -> u64 {
    number(Fact::Vanished, board, 0)
}

/// The half-move clock: no part of repetition, but of the position text.
pub const fn halfmove_clock(clock: u16) -> u64 {
    number(Fact::HalfmoveClock, 0, clock as u32)
}
