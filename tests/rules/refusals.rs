//! The laws of illegal moves, in every registered game: they are told from legal ones, and always get the right reason
//! of the right step, whatever is tried.

use arbiter::rules::geometry::Geometry;
use arbiter::rules::illegal::{IllegalReason, Illegality};
use arbiter::rules::moves::{MAX_STEPS, Removals, Step, Steps};
use arbiter::rules::notation::move_text;
use arbiter::rules::piece::PieceKind;
use arbiter::rules::play;
use arbiter::rules::square::{Location, Square};
use arbiter::rules::{MoveTextError, read_move, variants};

use crate::random::{self, Random};
use crate::samples::{self, Sample};
use crate::table;

/// What the last resort of the games' refusals says, which is never to be read.
const UNEXPLAINED: &str = "the step is not among those offered";

/// How many illegal moves are tried in each position.
fn tries() -> u64 {
    if random::is_long() { 2_000 } else { 150 }
}

#[test]
fn what_is_not_listed_is_refused_with_a_reason() {
    for &variant in variants::ALL {
        for sample in samples::all(variant) {
            let moves = table::legal(variant, &sample.game);
            for seed in 0..tries() {
                let steps = broken(&sample, &moves, &mut Random::new(seed));
                let at = format!("{sample}: {} (seed {seed})", move_text::print(variant.card(), &steps));
                match play::apply(variant, &sample.game, &steps) {
                    Ok(_) => assert!(is_listed(&moves, &steps), "{at} is not listed and legal"),
                    Err(illegality) => {
                        assert!(!is_listed(&moves, &steps), "{at} is listed and {illegality:?}");
                        if play::outcome(variant, &sample.game).is_none() {
                            check_reason(&sample, &moves, &steps, &illegality, &at);
                        }
                    }
                }
            }
        }
    }
}

fn is_listed(moves: &[Steps], steps: &[Step]) -> bool {
    moves.binary_search_by(|listed| listed[..].cmp(steps)).is_ok()
}

fn begins_a_move(moves: &[Steps], prefix: &[Step]) -> bool {
    let place = moves.partition_point(|listed| listed[..] < *prefix);
    moves.get(place).is_some_and(|listed| listed.starts_with(prefix))
}

fn check_reason(sample: &Sample, moves: &[Steps], steps: &[Step], illegality: &Illegality, at: &str) {
    let Illegality { step_index, refusal, candidates, candidates_truncated } = illegality;
    let explained = !refusal.message.is_empty() && refusal.message != UNEXPLAINED;
    assert!(explained, "{at}: {refusal:?}");
    assert!(candidates.is_empty() && !candidates_truncated, "{at}: {refusal:?}");

    // The earliest step decides that no legal move has in its place. Where a legal move begins with all the steps, a
    // further one is missing, or the king is attacked as long as it does not come.
    let followed = (0..=steps.len()).rev().find(|&end| begins_a_move(moves, &steps[..end])).unwrap_or(0);
    let waits = followed == steps.len() && refusal.reason == IllegalReason::KingLeftAttacked;
    let is_missing = followed == steps.len() && !waits;
    assert_eq!(*step_index, if waits { followed - 1 } else { followed }, "{at}: {refusal:?}");
    assert_eq!(refusal.reason == IllegalReason::StepMissing, is_missing, "{at}: {refusal:?}");

    if let Some(step) = steps.get(followed) {
        let turn = play::begin(sample.variant, &sample.game, &steps[..followed]).expect(at).turn;
        let is_full = followed == sample.variant.card().max_steps || turn.outcome.is_some();
        let prefix = &steps[..followed];
        let goes_on = moves.iter().any(|listed| listed.len() > followed && listed.starts_with(prefix));
        let is_whole = is_listed(moves, prefix) && !goes_on;
        let too_many = refusal.reason == IllegalReason::TooManySteps;
        assert!(if too_many { is_whole } else { !is_full }, "{at}: {refusal:?}");
        let board = turn.position.board(step.from.board);
        if !too_many && !board.vanished {
            // This reason comes before all others.
            let is_empty = board.piece(step.from.square).is_none();
            assert_eq!(refusal.reason == IllegalReason::NoPiece, is_empty, "{at}: {refusal:?}");
        }
        if refusal.reason == IllegalReason::PathBlocked {
            let stands = |at: &Location| turn.position.piece(*at).is_some();
            assert!(refusal.squares.iter().all(stands), "{at}: {refusal:?}");
        }
    }
    let (least, most) = number_of_squares(refusal.reason);
    assert!((least..=most).contains(&refusal.squares.len()), "{at}: {refusal:?}");
}

/// How many squares explain a reason, at least and at most.
fn number_of_squares(reason: IllegalReason) -> (usize, usize) {
    match reason {
        // What stands in the way.
        IllegalReason::PathBlocked | IllegalReason::MirrorBlocked => (1, Square::MAX),
        // The overruling piece; the king that would be captured.
        IllegalReason::InfluenceOverruled | IllegalReason::OwnKingCaptured => (1, 1),
        // The king and its attackers.
        IllegalReason::KingLeftAttacked | IllegalReason::RemovalOpensCheck => (2, Square::MAX),
        // What is in the way or attacks, if that is why.
        IllegalReason::CastlingNotAvailable | IllegalReason::PassageNotOpen => (0, Square::MAX),
        IllegalReason::NoPiece
        | IllegalReason::NotYourPiece
        | IllegalReason::OwnPieceThere
        | IllegalReason::PieceDoesNotMoveSo
        | IllegalReason::BoardVanished
        | IllegalReason::SameBoardTwice
        | IllegalReason::PairNotAllowed
        | IllegalReason::NoInfluence
        | IllegalReason::MirrorDiffers
        | IllegalReason::PromotionMissing
        | IllegalReason::PromotionNotOpen
        | IllegalReason::TwinMissing
        | IllegalReason::TwinNotOpen
        | IllegalReason::RemovalMissing
        | IllegalReason::RemovalNotOpen
        | IllegalReason::StepMissing
        | IllegalReason::TooManySteps
        | IllegalReason::NotationDisagrees
        | IllegalReason::Ambiguous
        | IllegalReason::GameOver => (0, 0),
    }
}

/// Steps of any kind: mostly a legal move with one or two things changed, sometimes nothing but chance.
pub fn broken(sample: &Sample, moves: &[Steps], random: &mut Random) -> Vec<Step> {
    let listed = if moves.is_empty() || random.one_in(5) { None } else { Some(random.below(moves.len())) };
    let mut steps = match listed {
        Some(index) => moves[index].to_vec(),
        None => (0..=random.below(2)).map(|_| random_step(sample, random)).collect(),
    };
    for _ in 0..=random.below(2) {
        let another = listed.map(|_| random.below(moves.len()));
        break_something(sample, &mut steps, another.map(|index| &moves[index][..]), random);
    }
    steps
}

fn break_something(sample: &Sample, steps: &mut Vec<Step>, another: Option<&[Step]>, random: &mut Random) {
    if random.one_in(4) {
        let last = another.and_then(<[Step]>::last).copied();
        match random.below(5) {
            0 => steps.reverse(),
            1 => drop(steps.pop()),
            2 => steps.push(random_step(sample, random)),
            3 => steps.extend(last),
            _ => {
                steps.pop();
                steps.extend(last);
            }
        }
        return;
    }
    let index = random.below(steps.len().max(1));
    let Some(step) = steps.get_mut(index) else { return };
    match random.below(7) {
        0 => step.from = random_location(sample, random),
        1 => step.to = random_location(sample, random),
        2 => step.to = on_board(sample, step.from.board, random),
        3 => step.promotion = random.pick(&PieceKind::ALL).filter(|_| !random.one_in(3)),
        4 => step.twin = Some(random_location(sample, random)).filter(|_| !random.one_in(3)),
        5 => {
            let count = random.below(6);
            let targets = (0..count).map(|_| random_location(sample, random));
            step.removals = Removals::new(targets);
        }
        _ => *step = random_step(sample, random),
    }
}

/// A piece of the mover's to any square, mostly of its board.
fn random_step(sample: &Sample, random: &mut Random) -> Step {
    let position = &sample.game.position;
    let own: Vec<Location> = position
        .numbered_boards()
        .flat_map(|(number, board)| {
            board.side(position.to_move).into_iter().map(move |square| Location::new(number, square))
        })
        .collect();
    let from = random.pick(&own).filter(|_| !random.one_in(4)).unwrap_or(random_location(sample, random));
    let to =
        if random.one_in(6) { random_location(sample, random) } else { on_board(sample, from.board, random) };
    Step::new(from, to)
}

fn random_location(sample: &Sample, random: &mut Random) -> Location {
    let board = random.below(sample.variant.card().boards.len()) as u8;
    on_board(sample, board, random)
}

fn on_board(sample: &Sample, board: u8, random: &mut Random) -> Location {
    let geometry: &Geometry = sample.variant.card().geometry(board);
    Location::new(board, Square::new(random.below(usize::from(geometry.squares())) as u8))
}

#[test]
fn texts_of_any_kind_are_read_or_refused() {
    for &variant in variants::ALL {
        for sample in samples::all(variant) {
            let moves = table::legal(variant, &sample.game);
            for seed in 0..tries() / 3 {
                let random = &mut Random::new(seed);
                let text = move_text::print(variant.card(), &broken(&sample, &moves, random));
                let text = mutated(&text, random);
                match read_move(variant, &sample.game, &text) {
                    Ok(steps) => assert!(steps.len() <= text.len(), "{sample}: {text:?}"),
                    Err(MoveTextError::Unreadable(message)) => assert!(!message.is_empty()),
                    Err(MoveTextError::Illegal(illegality)) => {
                        let reason = illegality.refusal.reason;
                        let many = illegality.candidates.len() > 1;
                        assert_eq!(reason == IllegalReason::Ambiguous, many, "{sample}: {text:?}");
                        assert!(illegality.step_index <= MAX_STEPS + text.len(), "{sample}: {text:?}");
                    }
                }
            }
        }
    }
}

/// The text with a character or two put in, left out, or exchanged.
pub fn mutated(text: &str, random: &mut Random) -> String {
    const LETTERS: &[u8] = b"abcdefghij0123456789KQRBNPXSAICkqrbnpxsaicwRGM:/-+=x,|{}* \t\n";
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let place = random.below(letters.len() + 1);
        let letter = match random.below(12) {
            0 => random.pick(&['é', '\0', '♞', '𝟠', '\u{301}']),
            _ => random.pick(LETTERS).map(char::from),
        };
        match random.below(3) {
            0 => letters.splice(place..place, letter).for_each(drop),
            1 => letters.drain(place..(place + 1).min(letters.len())).for_each(drop),
            _ => letters.splice(place..(place + 1).min(letters.len()), letter).for_each(drop),
        }
    }
    letters.into_iter().collect()
}
