//! The positions that the laws of all games are tried on.

use std::fmt;

use arbiter::rules::board::{CastlingRight, EnPassant};
use arbiter::rules::initial_position;
use arbiter::rules::mechanics::castling::Castling;
use arbiter::rules::mechanics::pawns;
use arbiter::rules::notation::position_text;
use arbiter::rules::piece::{Piece, PieceKind, Side};
use arbiter::rules::play::{self, Game};
use arbiter::rules::position::Position;
use arbiter::rules::square::{Location, Square};
use arbiter::rules::turn::Scope;
use arbiter::rules::variant::{Card, EnPassantForm, Variant};

use crate::random::{Random, is_long, playout};
use crate::table;

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

/// What the positions of [`all`] may cost together: each something, and more if it has very many moves.
fn budget() -> u64 {
    if is_long() { 200_000 } else { 6_000 }
}

fn cost(moves: u64) -> u64 {
    20 + moves / 10
}

/// The most moves of a position that is tried.
fn most_moves() -> u64 {
    if is_long() { 150_000 } else { 6_000 }
}

/// Positions of the vectors, random ones, and those that random games from these and from the initial position come
/// through, as many as the budget allows.
pub fn all(variant: &'static dyn Variant) -> Vec<Sample> {
    let mut vectors = vectors(variant);
    Random::new(0).shuffle(&mut vectors);
    let mut samples = Vec::new();
    let mut spent = 0;
    let mut take = |sample: Sample| {
        let moves = number_of_moves(variant, &sample.game);
        spent += cost(moves.min(most_moves()));
        if moves <= most_moves() {
            samples.push(sample);
        }
        spent < budget()
    };
    // The sorts of starts take turns, so that all are tried where the budget is small.
    for seed in 1.. {
        let start = match seed % 6 {
            0 => None,
            1 | 3 => vectors.pop(),
            _ => Some(scattered(variant, seed)),
        };
        let game = start.as_ref().map_or_else(|| initial(variant, seed), |sample| sample.game.clone());
        let length = if start.is_none() { 40 } else { 8 };
        let games = playout(variant, game, length, &mut Random::new(seed));
        let last = games.len() - 1;
        let passed = games.into_iter().enumerate().filter(|(ply, _)| ply % 8 == 7 || *ply == last);
        let passed = passed.map(|(ply, game)| {
            let origin = format!("ply {ply} of the random game of seed {seed}");
            Sample { variant, game, origin }
        });
        if !start.into_iter().chain(passed).all(&mut take) {
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

/// A position of few pieces that stand anywhere, with pawns near their ends, castling rights and en passant.
fn scattered(variant: &'static dyn Variant, seed: u64) -> Sample {
    let random = &mut Random::new(seed);
    let game = loop {
        let mut position = variant.card().empty_position();
        position.to_move = variant.card().sides[random.below(2)];
        if variant.card().has_armies {
            position.above_army = random.pick(&[Side::White, Side::Black]);
        }
        for number in 0..variant.card().boards.len() as u8 {
            scatter(variant.card(), &mut position, number, random);
        }
        // Chance makes impossible positions too, such as one with the waiting king in check.
        if play::faults(variant, &position, true).is_empty() {
            break Game::new(position);
        }
    };
    Sample { variant, game, origin: format!("the random position of seed {seed}") }
}

fn scatter(card: &Card, position: &mut Position, number: u8, random: &mut Random) {
    let spec = &card.boards[usize::from(number)];
    let geometry = card.geometry(number);
    let put = |position: &mut Position, square: Square, piece: Piece| {
        let at = Location::new(number, square);
        if position.piece(at).is_none() {
            position.put(at, piece);
        }
    };
    let anywhere = |random: &mut Random| Square::new(random.below(usize::from(geometry.squares())) as u8);
    // Half of the pawns stand before their last rank or where double steps end.
    let pawn_place = |side: Side, random: &mut Random| {
        let ranks_gone = random.pick(&[3, geometry.ranks() - 2]).filter(|_| random.one_in(2));
        let Some(gone) = ranks_gone else { return anywhere(random) };
        let rank = if side.index() == 0 { gone } else { geometry.ranks() - 1 - gone };
        let file = random.below(usize::from(geometry.files())) as u8;
        geometry.square(file, rank).expect("the board has it")
    };
    let (kings, others): (Vec<PieceKind>, Vec<PieceKind>) =
        spec.kinds.iter().partition(|kind| **kind == PieceKind::King);
    let pawns: Vec<PieceKind> = others.iter().filter(|kind| kind.is_pawn()).copied().collect();
    for &side in spec.sides {
        if let Some(castling) = card.castling.filter(|_| random.one_in(2)) {
            for right in CastlingRight::ALL.into_iter().filter(|right| right.side == side) {
                let squares = castling.squares(position.board(number), right);
                put(position, squares.king_from, Piece::new(PieceKind::King, side));
                if random.one_in(2) {
                    put(position, squares.rook_from, Piece::new(PieceKind::Rook, side));
                }
            }
        }
        if !kings.is_empty() && position.board(number).king(side).is_none() {
            put(position, anywhere(random), Piece::new(PieceKind::King, side));
        }
    }
    for &side in spec.sides {
        for _ in 0..random.below(7) {
            let kinds = if random.one_in(3) && !pawns.is_empty() { &pawns } else { &others };
            let Some(kind) = random.pick(kinds) else { continue };
            let twin_group = if card.twin_kinds.contains(&kind) { random.below(3) as u8 } else { 0 };
            let square = if kind.is_pawn() { pawn_place(side, random) } else { anywhere(random) };
            put(position, square, Piece { kind, side, twin_group });
        }
    }
    for right in CastlingRight::ALL {
        let is_home = |castling: Castling| castling.is_home(position.board(number), right);
        if card.castling.is_some_and(is_home) && !random.one_in(4) {
            position.board_mut(number).castling.insert(right);
        }
    }
    if card.en_passant != EnPassantForm::None {
        position.board_mut(number).en_passant = random.pick(&double_steps(position, number));
        put_capturers(position, number, random);
    }
}

/// Puts a pawn beside the one that made a double step, mostly.
fn put_capturers(position: &mut Position, number: u8, random: &mut Random) {
    let board = position.board(number);
    let Some(EnPassant { passed, pawn }) = board.en_passant else { return };
    let Some(Piece { kind, side, .. }) = board.piece(pawn) else { return };
    let capturing = pawns::attacks(board.geometry(), kind, side, passed) & board.empty();
    if let Some(square) = random.pick(&capturing.into_iter().collect::<Vec<_>>()) {
        position.put(Location::new(number, square), Piece::new(kind, side.opponent()));
    }
}

/// The double steps of the side not to move that can have been made on a board.
fn double_steps(position: &Position, number: u8) -> Vec<EnPassant> {
    let board = position.board(number);
    let side = position.to_move.opponent();
    let mut found = Vec::new();
    for kind in [PieceKind::Pawn, PieceKind::BerolinaPawn] {
        for pawn in board.pieces(side, kind) {
            for passed in board.empty() {
                let made = EnPassant { passed, pawn };
                let origin = pawns::double_step_origin(board.geometry(), kind, side, made);
                if origin.is_some_and(|origin| board.empty().contains(origin)) {
                    found.push(made);
                }
            }
        }
    }
    found
}
