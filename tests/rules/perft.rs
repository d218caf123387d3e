//! Counts of sequences of moves, of the vectors for every registered game, and the published ones for FIDE chess.
//!
//! Counts that take a debug build long are left out; with `ARBITER_LONG` set, those up to ten million are made too.

use arbiter::rules::play;
use arbiter::rules::variants;
use serde_json::Value;

use crate::{random, table};

/// The highest count that is made.
fn most() -> u64 {
    if random::is_long() { 10_000_000 } else { 300_000 }
}

/// Counts from depth 1 on, as far as they are not too high.
fn check(id: &str, name: &str, at: &str, counts: &[u64]) {
    let variant = variants::find(id).expect("the game is registered");
    let position = table::position(variant, at);
    assert_eq!(play::perft(variant, &position, 0), 1, "{id}, {name}: depth 0");
    for (depth, &count) in (1..).zip(counts).take_while(|(_, count)| **count <= most()) {
        assert_eq!(play::perft(variant, &position, depth), count, "{id}, {name}: depth {depth} of {at}");
    }
}

#[test]
fn counts_are_those_of_the_vectors() {
    let tables: Value = serde_json::from_str(&table::read("perft.json")).expect("the file is JSON");
    for variant in variants::ALL {
        let id = variant.card().id;
        let entries = tables[id].as_array().unwrap_or_else(|| panic!("{id} has no counts"));
        assert!(entries.len() > 2, "{id} has only {} positions", entries.len());
        for entry in entries {
            let counts = entry["counts"].as_array().expect("a list of counts");
            let counts: Vec<u64> = counts.iter().map(|count| count.as_u64().expect("a count")).collect();
            check(id, table::text(&entry["name"]), table::text(&entry["position"]), &counts);
        }
    }
}

/// The positions and counts of "Perft Results", Chess Programming Wiki.
const PUBLISHED: [(&str, &str, &[u64]); 7] = [
    (
        "the initial position",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609],
    ),
    (
        "position 2, Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    ),
    (
        "position 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2_812, 43_238, 674_624, 11_030_083],
    ),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "position 4 with the colours changed",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487],
    ),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594],
    ),
];

#[test]
fn counts_of_chess_are_the_published_ones() {
    for (name, at, counts) in PUBLISHED {
        check("chess", name, at, counts);
    }
}

#[test]
fn perft_asks_for_mate_and_not_for_fifty_moves() {
    check("chess", "after fifty moves", "7k/8/8/8/8/8/1R6/K7 w - - 100 80", &[16]);
    check("chess", "checkmate", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", &[0, 0]);
    check("chess", "stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[0, 0]);
}
