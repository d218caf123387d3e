//! Reading and printing positions and moves.

#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench that panics has failed, which is its purpose")]

use std::hint::black_box;

use arbiter::rules::notation::{long_algebraic, move_text, position_text};
use arbiter::rules::play::Game;
use arbiter::rules::{initial_position, read_move, variants};
use criterion::{Criterion, criterion_group, criterion_main};

fn texts(criterion: &mut Criterion) {
    for variant in variants::ALL {
        let card = variant.card();
        let position = initial_position(*variant, None).expect("the initial position is sound");
        criterion.bench_function(&format!("{} read position", card.id), |bench| {
            bench.iter(|| position_text::parse(*variant, black_box(card.initial)));
        });
        criterion.bench_function(&format!("{} print position", card.id), |bench| {
            bench.iter(|| position_text::print(*variant, black_box(&position)));
        });
    }
    let chess = variants::find("chess").expect("chess is registered");
    let game = Game::new(initial_position(chess, None).expect("the initial position is sound"));
    let steps = move_text::parse(chess.card(), "e2e4").expect("the text is a move");
    criterion.bench_function("read move", |bench| {
        bench.iter(|| move_text::parse(chess.card(), black_box("e2e4")));
    });
    criterion.bench_function("print move", |bench| {
        bench.iter(|| move_text::print(chess.card(), black_box(&steps)));
    });
    assert!(long_algebraic::parse(chess.card(), "Ng1-f3").is_ok());
    criterion.bench_function("read long algebraic", |bench| {
        bench.iter(|| read_move(chess, &game, black_box("Ng1-f3")));
    });
}

criterion_group!(benches, texts);
criterion_main!(benches);
