//! Lists of moves: pages, streams, filters, counts.

use std::collections::HashSet;

use arbiter::grpc::v1;

use crate::data;
use crate::server::{self, Client};
use crate::{ask, random::Random};

/// The most moves of a position whose whole list is asked for here, several times over.
const MOST_MOVES: u64 = 2_500;

fn asking(position: &v1::Position) -> v1::LegalMovesRequest {
    v1::LegalMovesRequest { position: Some(position.clone()), ..Default::default() }
}

async fn page(client: &mut Client, request: v1::LegalMovesRequest) -> v1::LegalMovesResponse {
    let response = client.legal_moves(request).await.unwrap().into_inner();
    assert!(prost::Message::encoded_len(&response) < 1 << 20, "a response over 1 MiB");
    response
}

/// All pages joined, none of them larger than asked for.
async fn joined(client: &mut Client, request: v1::LegalMovesRequest) -> Vec<v1::Move> {
    let mut request = request;
    let mut moves = Vec::new();
    loop {
        let answer = page(client, request.clone()).await;
        if request.page_size > 0 {
            assert!(answer.moves.len() <= request.page_size as usize);
        }
        assert!(!answer.moves.is_empty() || answer.next_page_token.is_empty(), "a page that brings nothing");
        moves.extend(answer.moves);
        if answer.next_page_token.is_empty() {
            return moves;
        }
        request.page_token = answer.next_page_token;
    }
}

fn streaming(request: &v1::LegalMovesRequest) -> v1::StreamLegalMovesRequest {
    v1::StreamLegalMovesRequest {
        position: request.position.clone(),
        filter: request.filter.clone(),
        move_view: request.move_view,
        distinct_positions: false,
    }
}

#[tokio::test]
async fn pages_joined_are_the_stream_and_the_list_in_both_views() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, MOST_MOVES, 16), |mut client, row| async move {
        let (fen, count) = (&row.position.fen, row.count as usize);
        let mut texts = Vec::new();
        for view in [v1::MoveView::Full, v1::MoveView::Text] {
            let mut request = asking(&row.position);
            request.move_view = view.into();
            let stream = ask::streamed(&mut client, streaming(&request)).await;
            assert_eq!(stream.len(), count, "{fen}");
            // Neither few moves a page nor very many pages.
            let least = 1 + count / 30;
            let some = least + Random::new(row.count).below(count);
            for size in [least, some, count, count + 1, 0] {
                request.page_size = size as i32;
                assert_eq!(joined(&mut client, request.clone()).await, stream, "{fen} {size}");
            }
            for one in &stream {
                if view == v1::MoveView::Text {
                    assert_eq!(*one, ask::text(&one.text), "the text alone");
                } else {
                    assert!(!one.steps.is_empty() && !one.long_text.is_empty(), "{one:?}");
                }
            }
            texts.push(stream.into_iter().map(|one| one.text).collect::<Vec<_>>());
        }
        assert_eq!(texts[0], texts[1], "the views differ in {fen}");
        // Unset means the full view.
        let unset = page(&mut client, asking(&row.position)).await;
        let mut full = asking(&row.position);
        full.move_view = v1::MoveView::Full.into();
        assert_eq!(unset, page(&mut client, full).await);
        let distinct: HashSet<&String> = texts[0].iter().collect();
        assert_eq!(distinct.len(), count, "a move comes twice in {fen}");
    })
    .await;
}

#[tokio::test]
async fn moves_come_in_the_documented_order() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, MOST_MOVES, 16), |mut client, row| {
        let variant = variants.iter().find(|variant| variant.id == row.position.variant).unwrap();
        async move {
            let moves = ask::streamed(&mut client, streaming(&asking(&row.position))).await;
            let places: Vec<Vec<Place>> =
                moves.iter().map(|one| one.steps.iter().map(|step| place(variant, step)).collect()).collect();
            assert!(places.is_sorted_by(|one, next| one < next), "{}", row.position.fen);
        }
    })
    .await;
}

/// A square's place in lists: board, rank, file.
type Spot = (usize, u8, u8);

/// What steps are ordered by: from, to, promotion, twin, removals. No promotion and no twin come before any.
type Place = (Spot, Spot, Option<usize>, Option<Spot>, Vec<Spot>);

fn place(variant: &v1::Variant, step: &v1::Step) -> Place {
    let spot = |board: &str, square: &str| {
        let board = variant.boards.iter().position(|spec| spec.name == board).unwrap();
        (board, square.as_bytes()[1], square.as_bytes()[0])
    };
    let located = |at: &v1::Location| spot(&at.board, &at.square);
    let to_board = if step.to_board.is_empty() { &step.board } else { &step.to_board };
    let promotions = [
        v1::PieceKind::Queen,
        v1::PieceKind::Rook,
        v1::PieceKind::Bishop,
        v1::PieceKind::Knight,
        v1::PieceKind::Ship,
        v1::PieceKind::Archer,
    ];
    (
        spot(&step.board, &step.from_square),
        spot(to_board, &step.to_square),
        promotions.iter().position(|kind| *kind == step.promotion()),
        step.twin.as_ref().map(located),
        step.removals.iter().map(located).collect(),
    )
}

#[tokio::test]
async fn totals_are_told_only_when_asked_for_and_whatever_the_page() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 10_000, 40), |mut client, row| async move {
        let fen = &row.position.fen;
        let mut request = asking(&row.position);
        request.page_size = 3;
        request.move_view = v1::MoveView::Text.into();
        let first = page(&mut client, request.clone()).await;
        assert_eq!(first.total_size, 0, "{fen}");
        request.include_total = true;
        assert_eq!(page(&mut client, request.clone()).await.total_size, row.count, "{fen}");
        request.page_token.clone_from(&first.next_page_token);
        assert_eq!(page(&mut client, request.clone()).await.total_size, row.count, "{fen}");
        request.move_view = v1::MoveView::Count.into();
        for include_total in [false, true] {
            request.include_total = include_total;
            let counted = page(&mut client, request.clone()).await;
            let wanted = v1::LegalMovesResponse { total_size: row.count, ..Default::default() };
            assert_eq!(counted, wanted, "{fen}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_filter_lets_through_the_moves_whose_first_step_it_fits() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, MOST_MOVES, 8), |mut client, row| async move {
        let mut random = Random::new(row.count);
        let mut request = asking(&row.position);
        let all = ask::streamed(&mut client, streaming(&request)).await;
        // Each of the five fields set or not.
        for set in 0..32 {
            let step = random.pick(&all).steps[0].clone();
            let to_board = if step.to_board.is_empty() { step.board.clone() } else { step.to_board };
            let filter = v1::Filter {
                board: if set & 1 == 0 { String::new() } else { step.board },
                from_square: if set & 2 == 0 { String::new() } else { step.from_square },
                to_board: if set & 4 == 0 { String::new() } else { to_board },
                to_square: if set & 8 == 0 { String::new() } else { step.to_square },
                captures_only: set & 16 != 0,
            };
            let wanted: Vec<&v1::Move> =
                all.iter().filter(|one| lets_through(&filter, &one.steps[0])).collect();
            request.filter = Some(filter);
            let stream = ask::streamed(&mut client, streaming(&request)).await;
            assert_eq!(stream.iter().collect::<Vec<_>>(), wanted, "{:?}", request.filter);
            request.page_size = 1 + (wanted.len() / 2) as i32;
            assert_eq!(joined(&mut client, request.clone()).await, stream, "{:?}", request.filter);
            let count = v1::LegalMovesRequest { move_view: v1::MoveView::Count.into(), ..request.clone() };
            let total = page(&mut client, count).await.total_size;
            assert_eq!(total, wanted.len() as u64, "{:?} {}", request.filter, row.position.fen);
        }
    })
    .await;
}

fn lets_through(filter: &v1::Filter, step: &v1::Step) -> bool {
    let fits = |wanted: &str, given: &str| wanted.is_empty() || wanted == given;
    let to_board = if step.to_board.is_empty() { &step.board } else { &step.to_board };
    fits(&filter.board, &step.board)
        && fits(&filter.from_square, &step.from_square)
        && fits(&filter.to_board, to_board)
        && fits(&filter.to_square, &step.to_square)
        && (!filter.captures_only || step.captured() != v1::PieceKind::Unspecified)
}

#[tokio::test]
async fn page_sizes_have_a_default_and_a_maximum() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::largest(&variants), |mut client, row| async move {
        let mut request = asking(&row.position);
        request.move_view = v1::MoveView::Text.into();
        for (size, most) in [(0, 1_000), (10_000, 10_000), (10_001, 10_000), (i32::MAX, 10_000)] {
            request.page_size = size;
            let answer = page(&mut client, request.clone()).await;
            assert_eq!(answer.moves.len() as u64, row.count.min(most), "{} {size}", row.position.fen);
            assert_eq!(answer.next_page_token.is_empty(), row.count <= most);
        }
        // In the full view the largest page is cut by its bytes as well.
        request.move_view = v1::MoveView::Full.into();
        let answer = page(&mut client, request.clone()).await;
        assert!(answer.moves.len() as u64 <= row.count.min(10_000));
        assert_eq!(answer.next_page_token.is_empty(), answer.moves.len() as u64 == row.count);
        for size in [-1, i32::MIN] {
            request.page_size = size;
            let refusal = ask::refused(client.legal_moves(request.clone()).await);
            assert_eq!((refusal.reason.as_str(), refusal.fields()), ("INVALID_PAGE_SIZE", vec!["page_size"]));
        }
    })
    .await;
}

#[tokio::test]
async fn distinct_positions_keep_the_first_move_to_each_position() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 300, 8), |mut client, row| async move {
        let all = streaming(&asking(&row.position));
        let mut wanted = Vec::new();
        let mut reached = HashSet::new();
        for one in ask::streamed(&mut client, all.clone()).await {
            let after = ask::apply(&mut client, &row.position, ask::text(&one.text)).await.position.unwrap();
            if reached.insert(after.fen) {
                wanted.push(one);
            }
        }
        let distinct = v1::StreamLegalMovesRequest { distinct_positions: true, ..all };
        assert_eq!(ask::streamed(&mut client, distinct).await, wanted, "{}", row.position.fen);
    })
    .await;
}

#[tokio::test]
async fn a_finished_game_lists_nothing() {
    let variants = ask::variants(&mut server::client().await).await;
    let finished = data::all_rows(&variants).into_iter().filter(|row| row.count == 0);
    ask::each(finished, |mut client, row| async move {
        let mut request = asking(&row.position);
        assert!(ask::streamed(&mut client, streaming(&request)).await.is_empty());
        request.include_total = true;
        assert_eq!(page(&mut client, request.clone()).await, v1::LegalMovesResponse::default());
        request.move_view = v1::MoveView::Count.into();
        assert_eq!(page(&mut client, request).await, v1::LegalMovesResponse::default());
    })
    .await;
}
