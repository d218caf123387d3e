//! What the fuzz targets ask of Arbiter. A target hands bytes to a `check` here, which panics where a law is broken.
//!
//! - `games`: games and positions by one byte of input
//! - `position_text`, `move_text`: the texts, and what follows from a text that is read
//! - `second_opinion`: the naive generator of the tests, asked about small positions
//! - `service`: the real service stack in this process, and what holds of every answer
//! - `requests`, `page_token`: calls of the eight methods, and tokens of pages
//! - `mutate`: changes of inputs that keep their form

pub mod games;
pub mod move_text;
pub mod mutate;
pub mod page_token;
pub mod position_text;
pub mod requests;
mod second_opinion;
pub mod service;

#[path = "../../tests/naive/mod.rs"]
mod naive;
