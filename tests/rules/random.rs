//! Chance that is the same in every run, and the positions that the laws are tried on.
//!
//! Everything random follows from a seed, and each position says which, so a failure can be looked at again. With the
//! environment variable `ARBITER_LONG` set, all tests that use chance try many times as much, which takes minutes.

use std::fmt;
use std::ops::ControlFlow;

use arbiter::rules::initial_position;
use arbiter::rules::moves::{Step, Steps};
use arbiter::rules::notation::position_text;
use arbiter::rules::piece::Side;
use arbiter::rules::play::{self, Game};
use arbiter::rules::turn::Scope;
use arbiter::rules::variant::Variant;

use crate::table;

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

/// A game at some point, and how it came there.
pub struct Sample {
    pub variant: &'static dyn Variant,
    pub game: Game,
    pub origin: String,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = position_text::print(self.variant, &self.game.position);
        write!(f, "{}, {}: {position}", self.variant.card().id, self.origin)
    }
}

/// How many moves the positions of [`samples`] have together, about: games in which a position has thousands of moves
/// are tried on fewer positions.
fn budget() -> u64 {
    if is_long() { 1_000_000 } else { 12_000 }
}

/// The most moves of a position that is tried.
fn most_moves() -> u64 {
    if is_long() { 200_000 } else { 4_000 }
}

/// The positions of the vectors, in random order, and those that random games from them and from the initial position
/// come through, as many as the budget allows.
pub fn samples(variant: &'static dyn Variant) -> Vec<Sample> {
    let mut vectors = vectors(variant);
    Random::new(0).shuffle(&mut vectors);
    let mut samples = Vec::new();
    let mut spent = 0;
    let mut take = |sample: Sample| {
        let moves = number_of_moves(variant, &sample.game);
        spent += moves.min(most_moves()) + 1;
        if moves <= most_moves() {
            samples.push(sample);
        }
        spent < budget()
    };
    // Games and vectors take turns, so that both are tried where the budget is small.
    for seed in 1.. {
        let vector = vectors.pop();
        let start = match &vector {
            Some(sample) if seed % 2 == 0 => sample.game.clone(),
            _ => initial(variant, seed),
        };
        let games = playout(variant, start, 40, &mut Random::new(seed));
        let last = games.len() - 1;
        let passed = games.into_iter().enumerate().filter(|(ply, _)| ply % 8 == 7 || *ply == last);
        let passed = passed.map(|(ply, game)| {
            let origin = format!("ply {ply} of the random game of seed {seed}");
            Sample { variant, game, origin }
        });
        if !vector.into_iter().chain(passed).all(&mut take) {
            break;
        }
    }
    samples
}

/// The sound positions of a game's vectors.
pub fn vectors(variant: &'static dyn Variant) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (line, row) in (1..).zip(table::rows(variant)) {
        if row.get("invalid").is_none() {
            let game = table::game(variant, table::text(&row["position"]));
            samples.push(Sample { variant, game, origin: format!("line {line} of the vectors") });
        }
    }
    samples
}

/// The initial position; in games with armies, one of the two.
pub fn initial(variant: &dyn Variant, seed: u64) -> Game {
    let army = [Side::White, Side::Black][seed as usize / 2 % 2];
    let army = variant.card().has_armies.then_some(army);
    Game::new(initial_position(variant, army).expect("the initial position is sound"))
}

/// How many legal moves there are.
pub fn number_of_moves(variant: &dyn Variant, game: &Game) -> u64 {
    if play::outcome(variant, game).is_some() {
        return 0;
    }
    let start = play::begin(variant, game, &[]).expect("the game goes on");
    play::count(variant, &start.turn, &Scope::ALL, &|| false).expect("nothing stops the count")
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
