//! Tests of the rules core: the vectors, the laws that hold for every game, a second opinion, and the texts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed, which is its purpose"
)]
#![allow(unreachable_pub, reason = "nothing outside a test reaches into it")]

#[path = "../naive/mod.rs"]
mod naive;

mod bordahbee;
mod changes;
mod chess_and_gamma2;
mod clauses;
mod doppelganger;
mod doppelganger_bordahbee;
mod found;
mod gamma2;
mod influence;
mod keys;
mod laws;
mod long_algebraic;
mod perft;
mod positions;
mod random;
mod refusals;
mod samples;
mod scenarios;
mod scenes;
mod second_opinion;
mod table;
mod three_universes;
mod vectors;
