//! What games share: how pieces move, attack, castle and promote.
//!
//! A mechanism is a plain function or a small type. It knows boards and pieces and no game; a game is a recipe of
//! mechanisms.

pub mod attack;
pub mod castling;
pub mod check;
pub mod choices;
pub mod king_capture;
pub mod kings;
pub mod offering;
pub mod paired_boards;
pub mod pawns;
pub mod reach;
pub mod refusal;
pub mod stepping;
pub mod twins;
