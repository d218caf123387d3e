//! The keys by which repetition knows positions, and the history that games carry.

use std::collections::BTreeMap;

use arbiter::rules::illegal::IllegalReason;
use arbiter::rules::notation::position_text;
use arbiter::rules::outcome::{DrawReason, Outcome, WinReason};
use arbiter::rules::piece::Side;
use arbiter::rules::play::{self, Game};
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;

use crate::{samples, table};

/// Keys of positions: game, position, and key in hexadecimal digits.
///
/// They are part of v1 and never change: clients hold keys in the histories of their games, and hand them to any
/// release. A test that fails here says that the program broke, not that the numbers are old. Rows of games are only
/// added.
const PINNED: &str = "
    chess; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; 65f47386543d85a1
    chess; rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1; d09231acb1404408
    chess; rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3; 0255d294a53ff5e6
    chess; rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3; b9654dd82ad0ea97
    chess; 7k/8/8/K2pP2r/8/8/8/8 w - d6 0 2; 421d23333929487f
    chess; r3k2r/8/8/8/8/8/8/R3K2R w Kq - 17 40; dd8546f1425934cd
    chess; r3k2r/8/8/8/8/8/8/R3K2R b - - 3 41; ec25e68151711ff1
    gamma2; rnbsqkabnr/xxxxxxxxxx/10/10/10/10/XXXXXXXXXX/RNBSQKABNR w KQkq - 0 1; 473e3bc09501956f
    gamma2; rnbsqkabnr/xxxxxxxxxx/10/10/6X3/10/XXXX1XXXXX/RNBSQKABNR b KQkq f3g4 0 1; 380311f47385c192
    gamma2; 5k4/10/10/10/4XxX3/10/10/5K4 b - f3g4 0 1; 4413f678d53a2d5c
    gamma2; 5k4/10/10/10/4XxX3/10/10/5K4 b - f3e4 0 1; eec850755121a0af
    gamma2; 5k4/10/10/10/4XxX3/10/10/5K4 b - - 0 2; f896a0319b1fe703
    gamma2; r4k3r/10/10/10/10/10/10/R4K3R w Qk - 9 30; c37f323d4faed513
    doppelganger; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; 65f47386543d85a1
    doppelganger; 4k3/8/8/1R{1}6/8/2N{12}5/8/R{1}3K2R b K - 4 50; 4d3778996572ee45
    doppelganger; 4k3/8/8/1R6/8/2N{12}5/8/R{1}3K2R b K - 4 50; 8fdf87ea33d1343e
    bordahbee; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq -|- 0 1; c35945e75836b1b0
    bordahbee; rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq|KQkq e3|- 0 1; 83b1dff9c8c4253d
    bordahbee; 4k3/8/8/8/8/8/8/4K2R|4k3/8/8/8/8/8/8/R3K3 w K|Q -|- 0 30; da9c342c3191a8aa
    bordahbee; 4k3/8/8/8/8/8/8/R3K3|4k3/8/8/8/8/8/8/4K2R w Q|K -|- 0 30; 1d405f93febd3b75
    doppelganger-bordahbee; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq -|- 0 1; c35945e75836b1b0
    doppelganger-bordahbee; 4k3/8/8/8/8/8/8/R{2}3K2R{2}|4k3/8/8/8/8/8/8/R3K3 w -|Q -|- 0 30; 52e2d564794fcb4e
    doppelganger-bordahbee; 4k3/8/8/8/8/8/8/R3K2R|4k3/8/8/8/8/8/8/R{2}3K3 b K|- -|- 0 30; 4b514756be5c0b28
    doppelganger-bordahbee-extreme; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq -|- 0 1; c35945e75836b1b0
    doppelganger-bordahbee-extreme; 4k3/8/8/3Q{1}4/8/8/8/4K3|4k3/8/8/8/8/8/3Q{1}4/4K3 w -|- -|- 1 70; 462de296c13cc1dd
    doppelganger-bordahbee-extreme; 4k3/8/8/3Q4/8/8/8/4K3|4k3/8/8/8/8/8/3Q4/4K3 w -|- -|- 1 70; a937669ebd227c0e
    influence; 4/4/I1I1/1C2/1I1I/4/4|rkqn/pppp/4/4/4/PPPP/NQKR|4/4/1i1i/2c1/i1i1/4/4 a -|-|- -|-|- 0 1 w; 11770ef5f323fe57
    influence; 4/4/I1I1/1C2/1I1I/4/4|rkqn/pppp/4/4/4/PPPP/NQKR|4/4/1i1i/2c1/i1i1/4/4 a -|-|- -|-|- 0 1 b; f4758500935bf4ee
    influence; 4/1C2/I1I1/4/1I1I/4/4|rkqn/pppp/4/4/4/PPPP/NQKR|4/4/1i1i/2c1/i1i1/4/4 b -|-|- -|-|- 1 1 w; 63764381795f4e9a
    three-universes; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w -|-|- -|-|- 0 1; 489daeed926fa3f5
    three-universes; rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b -|-|- -|e3|- 0 1; 414003e502c4d91a
    three-universes; *|4k3/8/8/8/8/8/8/R3K3|4k3/8/8/8/8/8/8/4K2R w -|-|- -|-|- 0 60; 78c008bd9339f04b
    three-universes; 4k3/8/8/8/8/8/8/4K2R|4k3/8/8/8/8/8/8/R3K3|* w -|-|- -|-|- 0 60; 8ef9c43af6b88964
";

#[test]
fn keys_are_the_ones_of_v1() {
    for variant in variants::ALL {
        let id = variant.card().id;
        let rows = PINNED.lines().map(|row| row.trim().split("; ").collect::<Vec<_>>());
        let rows: Vec<_> = rows.filter(|columns| columns[0] == id).collect();
        assert!(rows.len() > 2, "{id} has only {} pinned keys", rows.len());
        for columns in rows {
            let key = play::key(*variant, &table::position(*variant, columns[1]));
            assert_eq!(format!("{key:016x}"), columns[2], "{id}: {}", columns[1]);
        }
    }
}

#[test]
fn text_keys_tell_texts_apart_but_for_the_move_number() {
    for &variant in variants::ALL {
        let mut texts: BTreeMap<u64, String> = BTreeMap::new();
        let mut keys: BTreeMap<String, u64> = BTreeMap::new();
        for sample in samples::all(variant) {
            let mut position = sample.game.position.clone();
            let key = play::text_key(&position);
            position.move_number = 1;
            let text = position_text::print(variant, &position);
            assert_eq!(*texts.entry(key).or_insert_with(|| text.clone()), text, "{sample}");
            assert_eq!(*keys.entry(text).or_insert(key), key, "{sample}");
        }
    }
}

/// FIDE chess, by which the history is shown: it is kept the same way in all games.
fn chess() -> &'static dyn Variant {
    variants::find("chess").expect("the game is registered")
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn outcome_of(game: &Game) -> Option<Outcome> {
    play::status(chess(), game).outcome
}

const fn drawn(reason: DrawReason) -> Option<Outcome> {
    Some(Outcome::Drawn { reason })
}

/// Plays moves one after the other, and gives how often each position that they lead to has occurred.
fn repetitions(start: &str, moves: &str) -> Vec<usize> {
    let mut game = table::game(chess(), start);
    let played = moves.split(' ').map(|text| {
        game = table::played(chess(), &game, text);
        play::status(chess(), &game).repetitions
    });
    played.collect()
}

#[test]
fn the_third_occurrence_draws() {
    const ROUND: &str = "g1f3 g8f6 f3g1 f6g8";
    let twice = format!("{ROUND} {ROUND}");
    assert_eq!(repetitions(INITIAL, &twice), [1, 1, 1, 2, 2, 2, 2, 3]);

    let mut game = table::game(chess(), INITIAL);
    for (ply, text) in twice.split(' ').enumerate() {
        assert_eq!(outcome_of(&game), None, "ply {ply}");
        game = table::played(chess(), &game, text);
    }
    assert_eq!(outcome_of(&game), drawn(DrawReason::ThreefoldRepetition));
    let illegality =
        play::apply(chess(), &game, &table::steps(chess(), "e2e4")).expect_err("the game is over");
    assert_eq!(illegality.refusal.reason, IllegalReason::GameOver);
}

#[test]
fn what_cannot_come_again_is_another_position() {
    let cases = [
        // The capture en passant was possible the first time only.
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "g8f6 g1f3 f6g8 f3g1", 1),
        // It never was, whatever the text says.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "g8f6 g1f3 f6g8 f3g1", 2),
        // The castling rights went with the first move of the king.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2 e8e7 e2e1 e7e8", 1),
        // There were none left.
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1e2 e8e7 e2e1 e7e8", 2),
        // The same squares, but the other player to move.
        ("7k/8/8/8/8/8/8/KQ6 w - - 0 1", "b1c1 h8h7 c1d1 h7h8 d1b1", 1),
    ];
    for (start, moves, wanted) in cases {
        assert_eq!(repetitions(start, moves).last(), Some(&wanted), "{start} {moves}");
    }
}

#[test]
fn the_history_holds_what_can_come_again() {
    // Moves from a position, and the length of the history after each.
    let cases: [(&str, &str, &[usize]); 4] = [
        (INITIAL, "g1f3 g8f6 f3g1 f6g8", &[1, 2, 3, 4]),
        // A pawn step, and a capture, clear it.
        (INITIAL, "g1f3 g8f6 e2e4 f6e4 f3g1 e4f6", &[1, 2, 0, 0, 1, 2]),
        // What is not known of the moves before is not made up.
        ("7k/8/8/8/8/8/1R6/K7 w - - 50 80", "b2b3 h8h7 b3b4", &[1, 2, 3]),
        // Castling can come only once, but is no capture or pawn step.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 9", "e1g1 e8c8 g1g2", &[1, 2, 3]),
    ];
    for (start, moves, wanted) in cases {
        let mut game = table::game(chess(), start);
        for (text, &length) in moves.split(' ').zip(wanted) {
            let key = play::key(chess(), &game.position);
            game = table::played(chess(), &game, text);
            assert_eq!(game.history.len(), length, "{start}: {text}");
            // The oldest first, the position that the move left last.
            assert!(length == 0 || game.history.last() == Some(&key), "{start}: {text}");
        }
    }
}

#[test]
fn the_history_is_no_longer_than_the_clock_and_a_hundred() {
    for (clock, limit) in [(0, 0), (1, 1), (99, 99), (100, 100), (10_000, 100)] {
        let at = format!("7k/8/8/8/8/8/1R6/K7 w - - {clock} 80");
        assert_eq!(Game::history_limit(&table::position(chess(), &at)), limit, "{at}");
    }
    // A history that is as long as it can be, of positions that never come again.
    let start = table::position(chess(), "7k/8/8/8/8/8/1R6/K7 w - - 99 80");
    let before = Game { position: start, history: (0..99).collect() };
    let after = table::played(chess(), &before, "b2b3");
    assert_eq!(after.history[..99], before.history);
    assert_eq!(after.history.len(), 100);
    // One that is too long for its clock loses its oldest keys.
    let start = table::position(chess(), "7k/8/8/8/8/8/1R6/K7 w - - 2 80");
    let after = table::played(chess(), &Game { position: start, history: vec![1, 2, 3] }, "b2b3");
    assert_eq!(after.history[..2], [2, 3]);
    assert_eq!(after.history.len(), 3);
}

#[test]
fn fifty_moves_draw_unless_the_last_one_ends_the_game_otherwise() {
    let won = Some(Outcome::Won { winner: Side::White, reason: WinReason::Checkmate });
    let cases = [
        ("7k/8/8/8/8/8/1R6/K7 w - - 98 80", "b2b3", None),
        ("7k/8/8/8/8/8/1R6/K7 w - - 99 80", "b2b3", drawn(DrawReason::FiftyMoves)),
        ("7k/8/8/8/8/8/1R6/K7 b - - 99 80", "h8h7", drawn(DrawReason::FiftyMoves)),
        ("7k/8/8/8/8/8/1R4P1/K7 w - - 99 80", "g2g3", None),
        ("7k/8/8/8/8/1p6/1R6/K7 w - - 99 80", "b2b3", None),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "a1a8", won),
        ("7k/8/6K1/5Q2/8/8/8/8 w - - 99 80", "f5f7", drawn(DrawReason::Stalemate)),
    ];
    for (start, text, wanted) in cases {
        let after = table::played(chess(), &table::game(chess(), start), text);
        assert_eq!(outcome_of(&after), wanted, "{start} {text}");
    }
}

#[test]
fn ends_that_coincide_come_in_order() {
    // Each position stands as if it had occurred twice before.
    let repeated = |at: &str| {
        let position = table::position(chess(), at);
        let key = play::key(chess(), &position);
        Game { position, history: vec![key, key] }
    };
    let won = Some(Outcome::Won { winner: Side::White, reason: WinReason::Checkmate });
    let cases = [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80", won),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80", drawn(DrawReason::Stalemate)),
        ("7k/8/8/8/8/8/1R6/K7 w - - 100 80", drawn(DrawReason::ThreefoldRepetition)),
        ("7k/8/8/8/8/8/1R6/K7 w - - 4 80", drawn(DrawReason::ThreefoldRepetition)),
    ];
    for (at, wanted) in cases {
        assert_eq!(outcome_of(&repeated(at)), wanted, "{at}");
        assert_eq!(play::status(chess(), &repeated(at)).repetitions, 3, "{at}");
    }
}
