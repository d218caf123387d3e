//! Repetition: the history that the client hands back.

use arbiter::grpc::v1;

use crate::ask::{self, Refusal};
use crate::server;

/// Knights out and back: after four moves the position is the one before them.
const DANCES: [(&str, [&str; 4]); 2] =
    [("chess", ["g1f3", "g8f6", "f3g1", "f6g8"]), ("gamma2", ["i1h3", "i8h6", "h3i1", "h6i8"])];

#[tokio::test]
async fn a_history_handed_back_makes_the_third_occurrence_a_draw() {
    let mut client = server::client().await;
    for (variant, dance) in DANCES {
        let mut position = ask::initial(variant);
        for ply in 0..8 {
            let answer = ask::apply(&mut client, &position, ask::text(dance[ply % 4])).await;
            let status = answer.status.unwrap();
            position = answer.position.unwrap();
            assert_eq!(position.history.len(), 8 * (ply + 1));
            // The initial position comes again after four moves and after eight.
            assert_eq!(status.repetitions as usize, 1 + (ply + 1) / 4, "{variant} {ply}");
            let is_over = ply == 7;
            assert_eq!(status.state() == v1::State::Drawn, is_over);
            assert_eq!(status.reason() == v1::Reason::ThreefoldRepetition, is_over);
            assert_eq!(ask::status(&mut client, &position).await, status);
        }
        // The game is over for every method that is given the history.
        assert!(ask::move_texts(&mut client, &position).await.is_empty());
        let further = ask::apply(&mut client, &position, ask::text(dance[0])).await;
        assert_eq!(further.illegality.unwrap().reason(), v1::IllegalReason::GameOver);
        let steps = v1::LegalStepsRequest { position: Some(position.clone()), ..Default::default() };
        let steps = client.legal_steps(steps).await.unwrap().into_inner();
        assert_eq!(steps.illegality.unwrap().reason(), v1::IllegalReason::GameOver);
        let count = v1::LegalMovesRequest {
            position: Some(position.clone()),
            move_view: v1::MoveView::Count.into(),
            ..Default::default()
        };
        assert_eq!(client.legal_moves(count).await.unwrap().into_inner().total_size, 0);
        // Without it nothing is known of repetition.
        position.history.clear();
        assert_eq!(ask::status(&mut client, &position).await.repetitions, 1);
        assert!(!ask::move_texts(&mut client, &position).await.is_empty());
    }
}

#[tokio::test]
async fn without_history_nothing_repeats() {
    let mut client = server::client().await;
    for (variant, dance) in DANCES {
        let mut position = ask::initial(variant);
        for ply in 0..20 {
            let answer = ask::apply(&mut client, &position, ask::text(dance[ply % 4])).await;
            assert_eq!(answer.status.unwrap().repetitions, 1);
            position = ask::at(variant, &answer.position.unwrap().fen);
        }
    }
}

#[tokio::test]
async fn an_irreversible_move_empties_the_history() {
    let mut client = server::client().await;
    for (variant, dance) in DANCES {
        let mut position = ask::initial(variant);
        for chosen in dance {
            position = ask::apply(&mut client, &position, ask::text(chosen)).await.position.unwrap();
        }
        assert_eq!(position.history.len(), 32);
        let pawn = if variant == "chess" { "e2e4" } else { "e2f3" };
        position = ask::apply(&mut client, &position, ask::text(pawn)).await.position.unwrap();
        assert!(position.history.is_empty());
    }
}

/// Positions are the same whatever en-passant square is recorded, unless some legal move can use it.
#[tokio::test]
async fn an_en_passant_square_counts_only_where_it_can_be_used() {
    let mut client = server::client().await;
    for (fen, repeated) in
        [("4k1n1/8/8/8/8/8/4P3/4K1N1 w - - 0 1", true), ("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1", false)]
    {
        let mut position = ask::at("chess", fen);
        let mut repetitions = 0;
        for chosen in ["e2e4", "g8f6", "g1f3", "f6g8", "f3g1"] {
            let answer = ask::apply(&mut client, &position, ask::text(chosen)).await;
            position = answer.position.unwrap();
            repetitions = answer.status.unwrap().repetitions;
        }
        assert_eq!(repetitions, 1 + u32::from(repeated), "{fen}");
    }
}

/// Clients keep histories between calls to servers of any build, so the keys never change.
#[tokio::test]
async fn keys_are_pinned() {
    let mut client = server::client().await;
    let keys = ["65f47386543d85a1", "473e3bc09501956f"];
    for ((variant, dance), wanted) in DANCES.into_iter().zip(keys) {
        let answer = ask::apply(&mut client, &ask::initial(variant), ask::text(dance[0])).await;
        let key = <[u8; 8]>::try_from(answer.position.unwrap().history).unwrap();
        assert_eq!(format!("{:016x}", u64::from_be_bytes(key)), wanted, "{variant}");
    }
}

#[tokio::test]
async fn a_history_that_cannot_belong_to_its_position_is_refused() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let initial = ask::full(&mut client, &ask::initial(&variant.id)).await;
        // Length of the history, half-move clock, and whether they can go together.
        let cases = [
            (0, 0, true),
            (7, 50, false),
            (8, 0, false),
            (8, 1, true),
            (9, 1, false),
            (16, 1, false),
            (792, 99, true),
            (800, 99, false),
            (800, 200, true),
            (808, 200, false),
            (10_000, 200, false),
        ];
        for (length, clock, is_possible) in cases {
            let fen = initial.fen.replace(" 0 1", &format!(" {clock} 300"));
            let position = v1::Position { history: vec![7; length], ..ask::at(&variant.id, &fen) };
            let request = v1::GameStatusRequest { position: Some(position) };
            match client.game_status(request).await {
                Ok(answer) => {
                    assert!(is_possible, "{length} bytes at {clock} in {}", variant.id);
                    assert_eq!(answer.into_inner().status.unwrap().repetitions, 1);
                }
                Err(status) => {
                    let refusal = Refusal::read(&status);
                    assert!(!is_possible, "{refusal:?}");
                    assert_eq!(refusal.reason, "INVALID_HISTORY");
                    assert_eq!(refusal.fields(), ["position.history"]);
                }
            }
        }
    }
}
