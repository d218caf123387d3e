//! Chance that is the same in every run: numbers, moves and games.
//!
//! Everything random follows from a seed, and each position says which, so a failure can be looked at again. With the
//! environment variable `ARBITER_LONG` set, all tests that use chance try many times as much. That takes some minutes
//! in a release build: `ARBITER_LONG=1 cargo test --release`.

use std::ops::ControlFlow;

use arbiter::rules::moves::{Step, Steps};
use arbiter::rules::play::{self, Game};
use arbiter::rules::turn::Scope;
use arbiter::rules::variant::Variant;

/// Whether the long runs are asked for.
pub fn is_long() -> bool {
    std::env::var_os("ARBITER_LONG").is_some()
}

/// A generator of numbers: xorshift64* (Marsaglia 2003, Vigna 2016).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        // Close seeds begin alike; a few rounds take them apart.
        for _ in 0..8 {
            random.bits();
        }
        random
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// Whether one of `odds` equal chances came.
    pub fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    /// One of these, where there is any.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() { None } else { Some(of[self.below(of.len())]) }
    }

    /// Puts them in another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end + 1));
        }
    }
}

/// A random game of at most so many moves: the start, and the game after each move.
pub fn playout(variant: &dyn Variant, start: Game, moves: usize, random: &mut Random) -> Vec<Game> {
    let mut games = vec![start];
    let mut played: Vec<Steps> = Vec::new();
    for _ in 0..moves {
        let game = &games[games.len() - 1];
        // Now and then a player takes the last move back where that is legal, so that positions come again.
        let back = if random.one_in(3) { played.iter().rev().nth(1).map(reversed) } else { None };
        let back = back.filter(|steps| play::judge(variant, game, steps).is_ok());
        let Some(steps) = back.or_else(|| random_move(variant, game, random)) else { break };
        let applied = play::apply(variant, game, &steps)
            .unwrap_or_else(|illegality| panic!("{steps:?} was offered: {illegality:?}"));
        played.push(steps);
        games.push(applied.game);
    }
    games
}

/// The same pieces the same ways back.
fn reversed(steps: &Steps) -> Steps {
    steps.iter().rev().map(|step| Step::new(step.to, step.from)).collect()
}

/// One legal move, chosen step by step; none in a finished game.
pub fn random_move(variant: &dyn Variant, game: &Game, random: &mut Random) -> Option<Steps> {
    if play::outcome(variant, game).is_some() {
        return None;
    }
    let mut steps = Steps::new();
    loop {
        let begun = play::begin(variant, game, &steps).expect("the steps are offered");
        if begun.complete && random.one_in(3) {
            return Some(steps);
        }
        let mut offered = Vec::new();
        let _ = play::steps(variant, &begun.turn, &Scope::ALL, None, &mut |step| {
            offered.push(*step);
            ControlFlow::Continue(())
        });
        match random.pick(&offered) {
            Some(step) => steps.push(step),
            None => return begun.complete.then_some(steps),
        }
    }
}

/// At most so many of a list, spread over it, the first and the last among them.
pub fn spread<T>(list: &[T], most: usize) -> impl Iterator<Item = &T> {
    let taken = list.len().min(most);
    (0..taken).map(move |index| &list[index * (list.len() - 1) / (taken - 1).max(1)])
}
