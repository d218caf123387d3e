//! Perft of the one-board games beside shakmaty's perft of chess, in one run.

#![allow(clippy::expect_used, reason = "a bench that panics has failed, which is its purpose")]

use arbiter::rules::{initial_position, play, variants};
use arbiter_benches::compare;

/// The leaves of chess at depth 5 and gamma2 at depth 4, from the initial positions.
const CHESS_LEAVES: u64 = 4_865_609;
const GAMMA2_LEAVES: u64 = 2_790_554;

fn main() {
    let perft = |id: &str, depth: u32, leaves: u64| {
        let variant = variants::find(id).expect("the game is registered");
        let position = initial_position(variant, None).expect("the initial position is sound");
        move || {
            assert_eq!(play::perft(variant, &position, depth), leaves);
            leaves
        }
    };
    let mut shakmaty = || {
        let leaves = shakmaty::perft(&shakmaty::Chess::default(), 5);
        assert_eq!(leaves, CHESS_LEAVES);
        leaves
    };
    compare("chess perft 5", ("arbiter", &mut perft("chess", 5, CHESS_LEAVES)), ("shakmaty", &mut shakmaty));
    compare(
        "gamma2 perft 4 beside chess perft 5",
        ("arbiter", &mut perft("gamma2", 4, GAMMA2_LEAVES)),
        ("shakmaty", &mut shakmaty),
    );
}
