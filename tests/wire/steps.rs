//! LegalSteps: walking through a move click by click.

use arbiter::grpc::v1;

use crate::random::Random;
use crate::server::{self, Client};
use crate::{ask, data};

async fn next(
    client: &mut Client,
    position: &v1::Position,
    prefix: &[v1::Step],
    filter: Option<v1::Filter>,
    page_size: i32,
) -> v1::LegalStepsResponse {
    let mut request = v1::LegalStepsRequest {
        position: Some(position.clone()),
        prefix: prefix.to_vec(),
        filter,
        page_size,
        page_token: String::new(),
    };
    let mut whole: Option<v1::LegalStepsResponse> = None;
    loop {
        let page = client.legal_steps(request.clone()).await.unwrap().into_inner();
        assert!(page_size == 0 || page.steps.len() <= page_size as usize);
        assert!(prost::Message::encoded_len(&page) < 1 << 20);
        request.page_token.clone_from(&page.next_page_token);
        let is_last = page.next_page_token.is_empty();
        match &mut whole {
            None => whole = Some(page),
            Some(whole) => {
                assert_eq!((page.legal, page.complete), (whole.legal, whole.complete));
                assert_eq!(page.changes, whole.changes, "the same on every page");
                whole.steps.extend(page.steps);
            }
        }
        if is_last {
            return v1::LegalStepsResponse { next_page_token: String::new(), ..whole.unwrap() };
        }
    }
}

/// Every walk by offered steps to a complete prefix is a legal move, and these are all, in the order of the list.
#[tokio::test]
async fn walks_by_clicks_are_the_legal_moves() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 3_000, 8), |mut client, row| async move {
        let v1::Position { fen, .. } = &row.position;
        let request =
            v1::StreamLegalMovesRequest { position: Some(row.position.clone()), ..Default::default() };
        let all = ask::streamed(&mut client, request).await;
        let longest = all.iter().map(|one| one.steps.len()).max().unwrap_or_default();
        let mut walked = Vec::new();
        // Prefixes still to be looked at, the next one last.
        let mut prefixes = vec![Vec::new()];
        while let Some(prefix) = prefixes.pop() {
            let page_size = if prefix.is_empty() { 7 } else { 0 };
            let answer = next(&mut client, &row.position, &prefix, None, page_size).await;
            assert!(answer.legal && answer.illegality.is_none(), "{prefix:?} in {fen}");
            assert!(answer.complete || !answer.steps.is_empty(), "a dead end: {prefix:?} in {fen}");
            assert!(answer.changes.is_empty() == prefix.is_empty());
            if answer.complete {
                walked.push(prefix.clone());
            }
            let longer = answer.steps.into_iter().map(|step| [prefix.as_slice(), &[step]].concat());
            if prefix.len() + 1 < longest {
                prefixes.extend(longer.rev());
                continue;
            }
            // Nothing follows the last step that a move can have: one of them is asked about.
            let whole: Vec<_> = longer.collect();
            if let Some(last) = whole.last() {
                let answer = next(&mut client, &row.position, last, None, 0).await;
                assert!(answer.complete && answer.steps.is_empty(), "{last:?} in {fen}");
            }
            walked.extend(whole);
        }
        assert!(walked.iter().eq(all.iter().map(|one| &one.steps)), "{fen}");
    })
    .await;
}

/// As a player does it: a piece, a destination, what is left to choose, and so on until the move is complete.
#[tokio::test]
async fn a_player_clicks_a_move_together() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 20_000, 40), |mut client, row| async move {
        let mut random = Random::new(row.count);
        let position = &row.position;
        let mut prefix: Vec<v1::Step> = Vec::new();
        loop {
            let answer = next(&mut client, position, &prefix, None, 0).await;
            assert!(answer.legal);
            if answer.complete && (answer.steps.is_empty() || random.below(2) == 0) {
                check_played(&mut client, position, &prefix, &answer.changes).await;
                break;
            }
            let clicked = random.pick(&answer.steps);
            let mut filter = v1::Filter {
                board: clicked.board.clone(),
                from_square: clicked.from_square.clone(),
                ..Default::default()
            };
            let of_piece = next(&mut client, position, &prefix, Some(filter.clone()), 0).await;
            assert!(of_piece.steps.contains(clicked));
            assert_eq!((of_piece.complete, &of_piece.changes), (answer.complete, &answer.changes));
            let own = if clicked.to_board.is_empty() { &clicked.board } else { &clicked.to_board };
            filter.to_board.clone_from(own);
            filter.to_square.clone_from(&clicked.to_square);
            let of_target = next(&mut client, position, &prefix, Some(filter), 0).await;
            assert!(of_target.steps.contains(clicked));
            let plain =
                |step: &v1::Step| v1::Step { promotion: 0, twin: None, removals: Vec::new(), ..step.clone() };
            assert!(
                of_target.steps.iter().all(|step| plain(step) == plain(clicked)),
                "they differ in choices"
            );
            prefix.push(clicked.clone());
        }
    })
    .await;
}

async fn check_played(
    client: &mut Client,
    position: &v1::Position,
    prefix: &[v1::Step],
    changes: &[v1::Change],
) {
    let chosen = v1::Move { steps: prefix.to_vec(), ..Default::default() };
    let played = ask::apply(client, position, chosen).await;
    assert!(played.legal, "{prefix:?} in {}", position.fen);
    assert_eq!(played.changes, changes);
    assert_eq!(played.r#move.unwrap().steps, prefix);
}

#[tokio::test]
async fn an_illegal_prefix_is_an_answer() {
    let mut client = server::client().await;
    let position = ask::initial("chess");
    let cases = [
        (vec![ask::step("e2", "e5")], v1::IllegalReason::PieceDoesNotMoveSo, 0),
        (vec![ask::step("e2", "e4"), ask::step("e7", "e5")], v1::IllegalReason::TooManySteps, 1),
        (vec![ask::step("e3", "e4"), ask::step("e7", "e5")], v1::IllegalReason::NoPiece, 0),
    ];
    for (prefix, reason, index) in cases {
        let answer = next(&mut client, &position, &prefix, None, 0).await;
        let illegality = answer.illegality.clone().unwrap();
        assert_eq!((illegality.reason(), illegality.step_index), (reason, index), "{prefix:?}");
        let empty = v1::LegalStepsResponse { illegality: Some(illegality), ..Default::default() };
        assert_eq!(answer, empty, "the rest is empty");
    }
}

#[tokio::test]
async fn a_finished_game_offers_no_step() {
    let variants = ask::variants(&mut server::client().await).await;
    let finished = data::all_rows(&variants).into_iter().filter(|row| row.count == 0);
    ask::each(finished, |mut client, row| async move {
        let answer = next(&mut client, &row.position, &[], None, 0).await;
        let illegality = answer.illegality.clone().unwrap();
        assert_eq!(illegality.reason(), v1::IllegalReason::GameOver);
        let empty = v1::LegalStepsResponse { illegality: Some(illegality), ..Default::default() };
        assert_eq!(answer, empty);
    })
    .await;
}
