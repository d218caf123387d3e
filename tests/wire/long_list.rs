//! A list that no response could hold, walked in three ways.

use arbiter::grpc::v1;

use crate::{ask, data, naive, server};

/// Pages of a thousand, the stream and the naive generator find the same moves, pages and stream in the same order.
#[tokio::test]
async fn a_long_list_is_the_same_in_pages_as_a_stream_and_to_the_second_opinion() {
    let mut client = server::client().await;
    let variants = ask::variants(&mut client).await;
    let longest = data::all_rows(&variants).into_iter().max_by_key(|row| row.count).unwrap();
    assert!(longest.count > 100_000, "the longest list of the test data has {} moves", longest.count);

    let streamed = ask::move_texts(&mut client, &longest.position).await;
    assert_eq!(streamed.len() as u64, longest.count);

    let mut paged = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = v1::LegalMovesRequest {
            position: Some(longest.position.clone()),
            move_view: v1::MoveView::Text.into(),
            page_size: 1_000,
            page_token,
            ..Default::default()
        };
        let page = client.legal_moves(request).await.unwrap().into_inner();
        assert!(page.moves.len() == 1_000 || page.next_page_token.is_empty());
        paged.extend(page.moves.into_iter().map(|one| one.text));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert!(paged == streamed, "the pages joined are not the stream");

    let mut sorted = streamed;
    sorted.sort_unstable();
    let naive = naive::moves(&longest.position.variant, &longest.position.fen);
    assert!(sorted == naive, "{} moves, {} to the second opinion", sorted.len(), naive.len());
}
