//! ReplayGame.

use arbiter::grpc::v1;
use serde_json::Value;

use crate::plays::in_words;
use crate::server::{self, Client};
use crate::{ask, data};

fn replaying<S: AsRef<str>>(position: v1::Position, moves: &[S]) -> v1::ReplayGameRequest {
    v1::ReplayGameRequest {
        position: Some(position),
        moves: moves.iter().map(|text| text.as_ref().to_owned()).collect(),
        ..Default::default()
    }
}

async fn replay(client: &mut Client, request: v1::ReplayGameRequest) -> v1::ReplayGameResponse {
    let response = client.replay_game(request).await.unwrap().into_inner();
    assert!(prost::Message::encoded_len(&response) < 1 << 20, "a response over 1 MiB");
    response
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[tokio::test]
async fn games_go_as_in_the_test_data() {
    let mut client = server::client().await;
    let known: Vec<String> = ask::variants(&mut client).await.into_iter().map(|variant| variant.id).collect();
    for entry in data::list("games.json") {
        let variant = entry["variant"].as_str().unwrap().to_owned();
        if !known.contains(&variant) {
            continue;
        }
        let start = ask::at(&variant, entry["start"].as_str().unwrap());
        let moves = texts(&entry["moves"]);
        let mut request = replaying(start.clone(), &moves);
        request.every_position = true;
        let answer = replay(&mut client, request).await;
        assert!(answer.legal && answer.bad_move_index.is_none() && answer.illegality.is_none());
        assert_eq!(answer.canonical_moves, moves);
        assert_eq!(answer.next_move_index, 0);
        let fens: Vec<&str> = answer.positions.iter().map(|position| position.fen.as_str()).collect();
        assert_eq!(fens, texts(&entry["positions"]));
        assert_eq!(answer.positions.last(), answer.position.as_ref());
        // One move after the other comes to the same positions, histories and statuses.
        let mut position = start;
        for (index, chosen) in moves.iter().enumerate() {
            let played = ask::apply(&mut client, &position, ask::text(chosen)).await;
            position = played.position.unwrap();
            assert_eq!(position, answer.positions[index], "after {chosen}");
            assert_eq!(in_words(&played.status.unwrap()), entry["statuses"][index], "{}", position.fen);
        }
        assert_eq!(answer.status.unwrap(), ask::status(&mut client, &position).await);
    }
}

#[tokio::test]
async fn without_moves_the_start_is_judged() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::all_rows(&variants), |mut client, row| async move {
        let wanted = v1::ReplayGameResponse {
            legal: true,
            position: Some(row.position.clone()),
            status: Some(ask::status(&mut client, &row.position).await),
            ..Default::default()
        };
        let mut request = replaying::<&str>(row.position, &[]);
        request.every_position = true;
        assert_eq!(replay(&mut client, request).await, wanted);
    })
    .await;
}

#[tokio::test]
async fn a_bad_move_is_told_with_the_position_before_it() {
    let mut client = server::client().await;
    let moves = ["e2e4", "e7-e5", "Ng1-f3", "d7d6", "Bf1-b5", "a7a6"];
    for bad in 0..=moves.len() {
        let mut given: Vec<&str> = moves.to_vec();
        // Black is in check after the bishop's move, so the last move is bad already.
        let first_bad = bad.min(5);
        if bad < 5 {
            given[bad] = "e1e3";
        }
        let mut request = replaying(ask::initial("chess"), &given);
        request.every_position = true;
        let answer = replay(&mut client, request).await;
        assert!(!answer.legal);
        // Presence is told: a bad first move has the index 0 and not none.
        assert_eq!(answer.bad_move_index, Some(first_bad as u32));
        let illegality = answer.illegality.unwrap();
        let reason = if bad < 5 && bad % 2 == 0 {
            // White's king stands behind his pawn at first, and then not.
            if bad == 0 { v1::IllegalReason::PathBlocked } else { v1::IllegalReason::PieceDoesNotMoveSo }
        } else if bad < 5 {
            v1::IllegalReason::NotYourPiece
        } else {
            v1::IllegalReason::KingLeftAttacked
        };
        let reason = if bad == 0 { v1::IllegalReason::PieceDoesNotMoveSo } else { reason };
        assert_eq!(illegality.reason(), reason, "{given:?}");
        let canonical = ["e2e4", "e7e5", "g1f3", "d7d6", "f1b5"];
        assert_eq!(answer.canonical_moves, canonical[..first_bad]);
        let before = replay(&mut client, replaying(ask::initial("chess"), &canonical[..first_bad])).await;
        assert_eq!((answer.position, answer.status), (before.position, before.status));
        assert_eq!((answer.positions.len(), answer.next_move_index), (first_bad, 0));
    }
}

#[tokio::test]
async fn an_unreadable_text_is_refused_wherever_it_stands() {
    let mut client = server::client().await;
    let illegal = "e2e5";
    for (moves, index) in [
        (vec!["?"], 0),
        (vec!["e2e4", ""], 1),
        (vec![illegal, "e7e5", "e9e1"], 2),
        (vec!["e2e4", illegal, "0-0", "??"], 2),
    ] {
        let refusal = ask::refused(client.replay_game(replaying(ask::initial("chess"), &moves)).await);
        assert_eq!(refusal.reason, "UNREADABLE_MOVE", "{moves:?}");
        assert_eq!(refusal.fields(), [format!("moves[{index}]")]);
    }
}

#[tokio::test]
async fn so_many_moves_and_not_more() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        // Far more moves than the game has: all behind the first bad one must still be readable.
        let first = &ask::move_texts(&mut client, &ask::initial(&variant.id)).await[0];
        let answer = replay(&mut client, replaying(ask::initial(&variant.id), &vec![first; 20_000])).await;
        assert!(!answer.legal && answer.bad_move_index.is_some());
        let refusal = ask::refused(
            client.replay_game(replaying(ask::initial(&variant.id), &vec![first; 20_001])).await,
        );
        assert_eq!((refusal.reason.as_str(), refusal.fields()), ("TOO_MANY_MOVES", vec!["moves"]));
    }
}

/// A game whose positions take more than 1 MiB.
const LENGTH: usize = 2_500;

#[tokio::test]
async fn positions_are_cut_by_bytes_and_go_on_in_the_next_call() {
    let mut client = server::client().await;
    for variant in ["chess", "gamma2"] {
        let moves = data::long_game(variant, LENGTH);
        let mut request = replaying(ask::initial(variant), &moves);
        let plain = replay(&mut client, request.clone()).await;
        assert!(plain.legal && plain.positions.is_empty() && plain.next_move_index == 0);
        request.every_position = true;
        request.position_view = v1::PositionView::Full.into();
        let mut positions: Vec<v1::Position> = Vec::new();
        let mut calls = 0;
        loop {
            let answer = replay(&mut client, request.clone()).await;
            calls += 1;
            assert!(answer.legal);
            // All but the list of positions tells of the whole rest of the game.
            assert_eq!(answer.canonical_moves, request.moves);
            assert_eq!(answer.status, plain.status);
            assert_eq!(answer.position.as_ref().unwrap().fen, plain.position.as_ref().unwrap().fen);
            positions.extend(answer.positions.clone());
            let next = answer.next_move_index as usize;
            if next == 0 {
                assert_eq!(positions.last(), answer.position.as_ref());
                break;
            }
            assert_eq!(next, answer.positions.len());
            request.position = answer.positions.last().cloned();
            request.moves.drain(..next);
        }
        assert!(calls > 1, "{variant}: nothing was cut");
        assert_eq!(positions.len(), moves.len());
        // In steps of some moves one comes to the same positions.
        for index in [0, 1, 99, 700, LENGTH - 1] {
            let part = replay(&mut client, replaying(ask::initial(variant), &moves[..=index])).await;
            let (mine, other) = (&positions[index], part.position.unwrap());
            assert_eq!((&mine.fen, &mine.history), (&other.fen, &other.history));
        }
    }
}
