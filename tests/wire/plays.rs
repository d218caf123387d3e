//! ApplyMove and GameStatus: what a move does, and how the game stands.

use std::collections::BTreeMap;

use arbiter::grpc::v1;
use serde_json::{Value, json};

use crate::random::Random;
use crate::server::{self, Client};
use crate::{ask, data};

async fn full_moves(client: &mut Client, position: &v1::Position) -> Vec<v1::Move> {
    let request = v1::StreamLegalMovesRequest { position: Some(position.clone()), ..Default::default() };
    ask::streamed(client, request).await
}

/// A few of the moves, all of them where they are few.
fn some(moves: &[v1::Move], most: usize) -> Vec<&v1::Move> {
    let mut random = Random::new(moves.len() as u64);
    if moves.len() <= most {
        return moves.iter().collect();
    }
    (0..most).map(|_| random.pick(moves)).collect()
}

#[tokio::test]
async fn a_listed_move_is_legal_in_every_form_of_it() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 2_500, 16), |mut client, row| async move {
        let position = &row.position;
        let all = full_moves(&mut client, position).await;
        let mut by_long_text: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for one in &all {
            by_long_text.entry(&one.long_text).or_default().push(&one.text);
        }
        for one in some(&all, 8) {
            let answer = ask::apply(&mut client, position, ask::text(&one.text)).await;
            assert!(answer.legal && answer.illegality.is_none(), "{} in {}", one.text, position.fen);
            assert_eq!(answer.r#move.as_ref(), Some(one));
            let steps = v1::Move { steps: one.steps.clone(), ..Default::default() };
            let both = v1::Move { long_text: "ignored".to_owned(), text: one.text.clone(), ..steps.clone() };
            for form in [steps, both] {
                assert_eq!(ask::apply(&mut client, position, form).await, answer);
            }
            let long = ask::apply(&mut client, position, ask::text(&one.long_text)).await;
            let namesakes = &by_long_text[one.long_text.as_str()];
            if namesakes.len() == 1 {
                assert_eq!(long, answer, "{}", one.long_text);
            } else {
                let illegality = long.illegality.unwrap();
                assert_eq!(illegality.reason(), v1::IllegalReason::Ambiguous);
                assert_eq!(illegality.candidates, namesakes[..namesakes.len().min(100)]);
                assert_eq!(illegality.candidates_truncated, namesakes.len() > 100);
            }
        }
    })
    .await;
}

#[tokio::test]
async fn changes_carry_the_position_into_the_one_after() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 2_500, 24), |mut client, row| async move {
        let before = ask::full(&mut client, &row.position).await;
        let all = full_moves(&mut client, &before).await;
        for one in some(&all, 8) {
            let request = v1::ApplyMoveRequest {
                position: Some(before.clone()),
                r#move: Some(ask::text(&one.text)),
                position_view: v1::PositionView::Full.into(),
            };
            let answer = client.apply_move(request).await.unwrap().into_inner();
            let after = answer.position.unwrap();
            assert_eq!(
                changed(&before, &answer.changes),
                placement(&after),
                "{} in {}",
                one.text,
                before.fen
            );
            check_order(&answer.changes, one);
            assert_ne!(after.to_move, before.to_move);
            assert_eq!(ask::status(&mut client, &after).await, answer.status.unwrap());
        }
    })
    .await;
}

/// What stands where: by board and square.
type Placement = BTreeMap<(String, String), v1::Piece>;

fn placement(position: &v1::Position) -> Placement {
    let on = |board: &v1::Board| {
        let name = board.name.clone();
        let pieces = board.pieces.clone().into_iter();
        pieces.map(move |piece| ((name.clone(), piece.square.clone()), piece)).collect::<Vec<_>>()
    };
    position.boards.iter().flat_map(on).collect()
}

/// The placement after changes, as the contract says how to apply them.
fn changed(position: &v1::Position, changes: &[v1::Change]) -> Placement {
    let key = |at: &v1::Location| (at.board.clone(), at.square.clone());
    let mut placement = placement(position);
    for change in changes {
        if let Some(from) = &change.from {
            assert!(placement.remove(&key(from)).is_some(), "nothing left {from:?}");
        }
        let at = change.at.as_ref().unwrap();
        if let Some(removed) = &change.removed {
            assert_eq!(placement.remove(&key(at)).as_ref(), Some(removed));
        }
        if let Some(added) = &change.added {
            assert_eq!(added.square, at.square);
            assert!(placement.insert(key(at), added.clone()).is_none(), "{at:?} is taken");
        }
    }
    placement
}

/// Changes come by steps, and in a step by causes; each has the fields of its cause.
fn check_order(changes: &[v1::Change], played: &v1::Move) {
    use v1::ChangeCause::{
        Captured, Castled, Moved, PawnRemoved, Promoted, TwinPromoted, TwinRemoved, Unspecified, Vanished,
    };
    let order = [Captured, Moved, Castled, TwinRemoved, PawnRemoved, Promoted, TwinPromoted, Vanished];
    let place = |change: &v1::Change| {
        (change.step_index, order.iter().position(|cause| *cause == change.cause()).unwrap())
    };
    assert!(changes.is_sorted_by_key(place), "{changes:?}");
    for change in changes {
        let cause = change.cause();
        assert_ne!(cause, Unspecified);
        assert_eq!(change.from.is_some(), matches!(cause, Moved | Castled), "{change:?}");
        assert_eq!(change.removed.is_some(), !matches!(cause, Moved | Castled), "{change:?}");
        assert_eq!(
            change.added.is_some(),
            matches!(cause, Moved | Castled | Promoted | TwinPromoted),
            "{change:?}"
        );
    }
    for (index, step) in played.steps.iter().enumerate() {
        let of_step: Vec<&v1::Change> =
            changes.iter().filter(|change| change.step_index as usize == index).collect();
        let count = |cause| of_step.iter().filter(|change| change.cause() == cause).count();
        assert_eq!(count(Moved), 1);
        assert_eq!(count(Promoted), usize::from(step.promotion != 0));
        assert_eq!(count(TwinPromoted), usize::from(step.twin.is_some()));
        assert_eq!(count(PawnRemoved), step.removals.len());
        let captured = of_step.iter().find(|change| change.cause() == Captured);
        let kind = captured.and_then(|change| Some(change.removed.as_ref()?.kind));
        assert_eq!(kind.unwrap_or(0), step.captured);
    }
}

#[tokio::test]
async fn positions_stand_and_go_on_as_in_the_test_data() {
    let variants = ask::variants(&mut server::client().await).await;
    let rows = variants.iter().flat_map(|variant| {
        let rows = data::values(&variant.id).into_iter().filter(|row| row.get("invalid").is_none());
        rows.map(|row| (variant.id.clone(), row))
    });
    ask::each(rows, |mut client, (variant, row)| async move {
        let position = ask::at(&variant, row["position"].as_str().unwrap());
        let status = ask::status(&mut client, &position).await;
        assert_eq!(in_words(&status), row["status"], "{}", position.fen);
        assert_eq!(status.repetitions, 1);
        // One of the moves: the rules are tried elsewhere with all.
        if let Some(pair) = row["after"].as_array().unwrap().first() {
            let answer = ask::apply(&mut client, &position, ask::text(pair[0].as_str().unwrap())).await;
            assert_eq!(answer.position.unwrap().fen, pair[1].as_str().unwrap(), "{}", position.fen);
        }
    })
    .await;
}

/// A status in the words of the test data.
pub fn in_words(status: &v1::Status) -> Value {
    let winner = match status.winner() {
        v1::Side::Unspecified => None,
        v1::Side::White => Some("w"),
        v1::Side::Black | v1::Side::Below => Some("b"),
        v1::Side::Above => Some("a"),
    };
    let word = |name: &str, prefix: &str| name.strip_prefix(prefix).unwrap().to_lowercase();
    let reason = Some(status.reason()).filter(|reason| *reason != v1::Reason::Unspecified);
    let checked: Vec<String> = status.attacked_kings.iter().map(named).collect();
    json!({
        "state": word(status.state().as_str_name(), "STATE_"),
        "winner": winner,
        "reason": reason.map(|reason| word(reason.as_str_name(), "REASON_")),
        "checked": checked,
    })
}

fn named(at: &v1::Location) -> String {
    if at.board.is_empty() { at.square.clone() } else { format!("{}:{}", at.board, at.square) }
}

#[tokio::test]
async fn long_algebraic_is_read_as_in_the_test_data() {
    let mut client = server::client().await;
    let known: Vec<String> = ask::variants(&mut client).await.into_iter().map(|variant| variant.id).collect();
    for entry in data::list("long.json") {
        let word = |key: &str| entry[key].as_str().unwrap().to_owned();
        if !known.contains(&word("variant")) {
            continue;
        }
        let position = ask::at(&word("variant"), &word("position"));
        let request = v1::ApplyMoveRequest {
            position: Some(position.clone()),
            r#move: Some(ask::text(&word("text"))),
            position_view: 0,
        };
        match entry.get("error").map(|error| error.as_str().unwrap()) {
            None => {
                let answer = client.apply_move(request).await.unwrap().into_inner();
                assert_eq!(answer.r#move.unwrap().text, word("move"), "{entry}");
            }
            Some("AMBIGUOUS_MOVE") => {
                let answer = client.apply_move(request).await.unwrap().into_inner();
                let illegality = answer.illegality.unwrap();
                assert_eq!(illegality.reason(), v1::IllegalReason::Ambiguous);
                let mut candidates = illegality.candidates;
                candidates.sort_unstable();
                assert_eq!(json!(candidates), entry["candidates"], "{entry}");
            }
            Some("ILLEGAL_MOVE") => {
                let answer = client.apply_move(request).await.unwrap().into_inner();
                assert_ne!(answer.illegality.unwrap().reason(), v1::IllegalReason::Ambiguous, "{entry}");
            }
            Some(_) => {
                let refusal = ask::refused(client.apply_move(request).await);
                assert_eq!(
                    (refusal.reason.as_str(), refusal.fields()),
                    ("UNREADABLE_MOVE", vec!["move.text"])
                );
            }
        }
    }
}

#[tokio::test]
async fn a_move_can_end_the_game() {
    let mut client = server::client().await;
    let cases = [
        // Clause 7 of chess: mate, then stalemate.
        ("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", v1::State::Won, v1::Reason::Checkmate),
        ("chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", v1::State::Drawn, v1::Reason::Stalemate),
        // Clause 8 of chess: fifty moves by each side; a mate with the last of them counts.
        ("chess", "7k/8/8/8/8/8/1R6/K7 w - - 99 80", "b2b3", v1::State::Drawn, v1::Reason::FiftyMoves),
        ("chess", "6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 80", "e1e8", v1::State::Won, v1::Reason::Checkmate),
        // Clauses 9 and 10 of Gamma2.
        ("gamma2", "9k/7ppp/10/10/10/10/10/K3R5 w - - 0 1", "e1e8", v1::State::Won, v1::Reason::Checkmate),
        ("gamma2", "9k/10/8K1/10/10/10/10/7Q2 w - - 0 1", "h1h7", v1::State::Drawn, v1::Reason::Stalemate),
        ("gamma2", "9k/10/10/10/10/10/1R8/K9 w - - 99 80", "b2b3", v1::State::Drawn, v1::Reason::FiftyMoves),
    ];
    for (variant, fen, chosen, state, reason) in cases {
        let fen = if variant == "gamma2" { fen.replace('p', "x") } else { fen.to_owned() };
        let answer = ask::apply(&mut client, &ask::at(variant, &fen), ask::text(chosen)).await;
        let status = answer.status.unwrap_or_else(|| panic!("{chosen} in {fen}: {:?}", answer.illegality));
        assert_eq!((status.state(), status.reason()), (state, reason), "{chosen} in {fen}");
        let winner = if state == v1::State::Won { v1::Side::White } else { v1::Side::Unspecified };
        assert_eq!((status.winner(), status.to_move()), (winner, v1::Side::Black));
        let is_mate = reason == v1::Reason::Checkmate;
        assert_eq!(!status.attacked_kings.is_empty(), is_mate, "{status:?}");
        // What is over stays over.
        let after = answer.position.unwrap();
        assert_eq!(ask::status(&mut client, &after).await, status);
        let further = ask::apply(&mut client, &after, ask::text("a1a2")).await;
        assert_eq!(further.illegality.unwrap().reason(), v1::IllegalReason::GameOver);
    }
}
