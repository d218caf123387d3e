//! The text forms of positions and moves. The forms are exact: what is printed reads back as the same, and every
//! position and step has one text.

pub mod long_algebraic;
pub mod move_text;
pub mod position_text;
