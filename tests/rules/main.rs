//! Tests of the rules core: the vectors, the laws that hold for every game, a second opinion, and the texts.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that panics has failed, which is its purpose"
)]
#![allow(unreachable_pub, reason = "nothing outside a test reaches into it")]

#[path = "../naive/mod.rs"]
mod naive;

mod table;
mod vectors;
