//! Lists of legal moves: walked in the core, and streamed over loopback in the text view.
//!
//! For each game the initial position and a middlegame, and the longest list that is kept for a bench. Every count is
//! asserted: all sides of a line found the same moves.

#![allow(clippy::expect_used, reason = "a bench that panics has failed, which is its purpose")]

use std::hint::black_box;
use std::ops::ControlFlow;

use arbiter::grpc::v1;
use arbiter::grpc::v1::arbiter_service_client::ArbiterServiceClient;
use arbiter::rules::notation::position_text;
use arbiter::rules::play::{self, Query};
use arbiter::rules::turn::{Scope, Turn};
use arbiter::rules::variant::Variant;
use arbiter::rules::variants;
use arbiter_benches::{compare, serve_arbiter};
use tokio::runtime::Runtime;
use tonic::transport::Channel;

/// A middlegame for each game whose moves have two steps, and positions with very long lists.
const POSITIONS: &[(&str, &str, &str)] = &[
    (
        "bordahbee",
        "middlegame",
        "rn1q1rk1/3p2p1/b1p2pQ1/pp2P2p/1P3P1P/b1P2R1N/P3P1P1/RNB1KB2|r1b1kb1r/pp3pNp/n2p1q2/2p1N1p1/8/2P1Q3/Pn1KPPPP/1RB2B1R b Q|kq -|- 0 12",
    ),
    (
        "doppelganger-bordahbee",
        "middlegame",
        "2bqkbnr/2pp1p2/rpn4p/6p1/PP1PN2P/4P1P1/1BP1NP2/R2QKB1R|r1bq3r/ppppk1pp/n4b1n/4N3/P1P4P/2N5/1P1PPPP1/R1BQKB1R b KQk|KQ d3|- 0 10",
    ),
    (
        "doppelganger-bordahbee-extreme",
        "middlegame",
        "rn1qkbn1/p3p2r/b4ppp/1ppp4/1P1P2P1/N4N2/P1P1PP1P/R1BQKB1R|rnb1kbnr/pp1ppppp/8/qPp3P1/4PP2/B6N/P1PP2BP/RN1QK2R b KQq|KQkq d3|- 0 9",
    ),
    (
        "doppelganger-bordahbee-extreme",
        "a position made up for a long list",
        "4N3/1pnPRp1P/B1P1R1pP/1pNp3k/2B1Pp1p/P1Pq4/2KPp3/Q6b|2N1b3/p1Q5/1pnp1Pp1/PNP1K1pB/4PppP/1Pp2q2/R2PP1B1/R3k3 w -|- -|- 0 30",
    ),
    (
        "three-universes",
        "middlegame",
        "r1bqkbnr/pppppN2/n7/5pp1/1PP4p/8/P2PPPPP/RNBQKB1R|rnb1kbnr/ppp3pp/1q6/3ppp2/P7/N2P1P2/RPP1P1PP/2BQKBNR|\
         rnb1kb1r/1ppqpppp/5n2/p2p4/1P1P2PP/7N/P1P1PP2/RNBQKB1R b -|-|- -|-|- 1 10",
    ),
    (
        "influence",
        "middlegame",
        "1I2/4/I3/1C2/I3/3I/4|rkqn/pppp/4/4/P3/1PPP/NQKR|4/i3/i2i/2c1/4/1i2/4 b -|-|- -|-|- 3 14 w",
    ),
];

/// How often a short list is gone through in a round of a side.
const MAX_ROUNDS: u64 = 1_000;

/// About how many moves a round of a side walks through.
const MOVES_A_ROUND: u64 = 200_000;

fn main() {
    let runtime = Runtime::new().expect("the runtime starts");
    let channel = runtime.block_on(serve_arbiter());
    for variant in variants::ALL {
        list(&runtime, &channel, *variant, "initial position", variant.card().initial);
    }
    for (id, name, text) in POSITIONS {
        let variant = variants::find(id).expect("the game is registered");
        list(&runtime, &channel, variant, name, text);
    }
}

fn list(runtime: &Runtime, channel: &Channel, variant: &dyn Variant, name: &str, text: &str) {
    let position = position_text::parse(variant, text).expect("the position is sound");
    let start = Turn::new(position);
    let count = play::count(variant, &start, &Scope::ALL, &|| false).expect("nothing stops it");
    let rounds = (MOVES_A_ROUND / count).clamp(1, MAX_ROUNDS);
    let request = |distinct_positions| v1::StreamLegalMovesRequest {
        position: Some(v1::Position {
            variant: variant.card().id.to_owned(),
            fen: text.to_owned(),
            ..Default::default()
        }),
        move_view: v1::MoveView::Text.into(),
        distinct_positions,
        ..Default::default()
    };
    let walk = || {
        let mut moves = 0;
        for _ in 0..rounds {
            let _ = play::moves(variant, &start, &Query::ALL, &mut |_, steps| {
                black_box(steps);
                moves += 1;
                ControlFlow::Continue(())
            });
        }
        assert_eq!(moves, count * rounds);
        moves
    };
    let stream = |distinct| {
        let request = request(distinct);
        let moves = (0..rounds).map(|_| runtime.block_on(streamed(channel.clone(), request.clone()))).sum();
        assert!(distinct || moves == count * rounds);
        moves
    };
    compare(
        &format!("{} {name}, {count} moves", variant.card().id),
        ("streamed", &mut || stream(false)),
        ("walked", &mut { walk }),
    );
    // A list too long to tell all its positions apart is refused, which is no measure.
    if variant.card().max_steps > 1 && count < 1_000_000 {
        // Moves found, not moves sent: both sides walk through the whole list.
        compare(
            &format!("{} {name}, distinct positions", variant.card().id),
            ("streamed once each", &mut || {
                stream(true);
                count * rounds
            }),
            ("streamed all", &mut || stream(false)),
        );
    }
}

/// Reads a stream of moves to its end and counts them.
async fn streamed(channel: Channel, request: v1::StreamLegalMovesRequest) -> u64 {
    let answer = ArbiterServiceClient::new(channel).stream_legal_moves(request).await;
    let mut batches = answer.expect("the call succeeds").into_inner();
    let mut moves = 0;
    while let Some(batch) = batches.message().await.expect("the stream goes on") {
        moves += black_box(batch).moves.len() as u64;
    }
    moves
}
