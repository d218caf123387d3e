//! ListVariants and GetInitialPosition.

use std::collections::HashSet;

use arbiter::grpc::v1;

use crate::ask;
use crate::server;

#[tokio::test]
async fn variants_describe_themselves() {
    let mut client = server::client().await;
    let variants = ask::variants(&mut client).await;
    let ids: HashSet<&str> = variants.iter().map(|variant| variant.id.as_str()).collect();
    assert_eq!(ids.len(), variants.len(), "two variants have one id");
    assert!(ids.contains("chess") && ids.contains("gamma2"));
    for variant in &variants {
        let id = &variant.id;
        assert!(!variant.title.is_empty() && !variant.source.is_empty(), "{id}");
        assert!(!variant.rules.is_empty() && !variant.rules.contains('\n'), "{id}: one paragraph");
        assert!(!variant.rules_version.is_empty(), "{id}");
        assert_eq!(variant.sides.len(), 2, "{id}");
        let names: HashSet<&str> = variant.boards.iter().map(|board| board.name.as_str()).collect();
        assert_eq!(names.len(), variant.boards.len(), "{id}");
        for board in &variant.boards {
            let wanted = usize::from(variant.boards.len() > 1);
            assert_eq!(board.name.len(), wanted, "{id}: {:?}", board.name);
            assert!(board.name.chars().all(|letter| letter.is_ascii_uppercase()), "{id}");
            assert!((1..=26).contains(&board.files) && (1..=9).contains(&board.ranks), "{id}");
        }
        let letters: HashSet<&str> = variant.pieces.iter().map(|piece| piece.letter.as_str()).collect();
        assert_eq!(letters.len(), variant.pieces.len(), "{id}");
        for piece in &variant.pieces {
            assert_ne!(piece.kind(), v1::PieceKind::Unspecified, "{id}");
            assert!(
                piece.letter.len() == 1 && piece.letter.chars().all(|letter| letter.is_ascii_uppercase())
            );
            assert!(!piece.title.is_empty(), "{id}");
        }
    }
}

#[tokio::test]
async fn chess_and_gamma2_are_as_the_notation_says() {
    let mut client = server::client().await;
    let variants = ask::variants(&mut client).await;
    for (id, files, letters, fen) in [
        ("chess", 8, "KQRBNP", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("gamma2", 10, "KQRBNXSA", "rnbsqkabnr/xxxxxxxxxx/10/10/10/10/XXXXXXXXXX/RNBSQKABNR w KQkq - 0 1"),
    ] {
        let variant = variants.iter().find(|variant| variant.id == id).unwrap();
        assert!(variant.check_binds);
        assert_eq!((variant.boards[0].files, variant.boards[0].ranks), (files, 8));
        assert_eq!(variant.pieces.iter().map(|piece| piece.letter.as_str()).collect::<String>(), letters);
        assert_eq!(variant.sides, [v1::Side::White as i32, v1::Side::Black as i32]);
        assert_eq!(initial(&mut client, id, 0, v1::PositionView::Unspecified).await.fen, fen);
    }
}

#[tokio::test]
async fn initial_positions_are_what_a_variant_alone_means() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let id = &variant.id;
        let unset = initial(&mut client, id, 0, v1::PositionView::Unspecified).await;
        let text = initial(&mut client, id, 0, v1::PositionView::Fen).await;
        assert_eq!(unset, text, "unset means the text");
        assert_eq!(text, ask::at(id, &text.fen), "variant, text, and an empty history");
        let full = initial(&mut client, id, 0, v1::PositionView::Full).await;
        assert_eq!(full, ask::full(&mut client, &ask::initial(id)).await, "{id}");
        assert_eq!(full.to_move, variant.sides[0]);
        assert_eq!((full.halfmove_clock, full.move_number), (0, 1));
        check_structure(&variant, &full);
    }
}

#[tokio::test]
async fn an_army_is_chosen_where_there_are_armies() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let id = &variant.id;
        let has_armies = variant.sides[0] == v1::Side::Above as i32;
        for army in [v1::Side::White, v1::Side::Black] {
            let request = v1::GetInitialPositionRequest {
                variant: id.clone(),
                above_army: army.into(),
                position_view: v1::PositionView::Full.into(),
            };
            let answer = client.get_initial_position(request).await;
            if has_armies {
                assert_eq!(answer.unwrap().into_inner().position.unwrap().above_army(), army);
            } else {
                let refusal = ask::refused(answer);
                assert_eq!(refusal.reason, "INVALID_ARGUMENT_VALUE", "{id}");
                assert_eq!(refusal.fields(), ["above_army"]);
            }
        }
        let unset = initial(&mut client, id, 0, v1::PositionView::Full).await;
        assert_eq!(unset.above_army(), if has_armies { v1::Side::White } else { v1::Side::Unspecified });
        for army in [v1::Side::Above as i32, v1::Side::Below as i32, 5, -1, i32::MAX, i32::MIN] {
            let request =
                v1::GetInitialPositionRequest { variant: id.clone(), above_army: army, position_view: 0 };
            let refusal = ask::refused(client.get_initial_position(request).await);
            assert_eq!(
                (refusal.reason.as_str(), refusal.fields()),
                ("INVALID_ARGUMENT_VALUE", vec!["above_army"])
            );
        }
    }
}

async fn initial(client: &mut server::Client, id: &str, army: i32, view: v1::PositionView) -> v1::Position {
    let request = v1::GetInitialPositionRequest {
        variant: id.to_owned(),
        above_army: army,
        position_view: view.into(),
    };
    client.get_initial_position(request).await.unwrap().into_inner().position.unwrap()
}

/// The boards are the variant's, and their pieces stand in square order on squares that are there.
fn check_structure(variant: &v1::Variant, position: &v1::Position) {
    assert_eq!(position.boards.len(), variant.boards.len());
    for (board, spec) in position.boards.iter().zip(&variant.boards) {
        assert_eq!((&board.name, board.files, board.ranks), (&spec.name, spec.files, spec.ranks));
        let squares: Vec<(u8, u8)> = board
            .pieces
            .iter()
            .map(|piece| match *piece.square.as_bytes() {
                [file, rank] => (rank - b'1', file - b'a'),
                _ => panic!("{} is no square", piece.square),
            })
            .collect();
        assert!(squares.is_sorted_by(|one, next| one < next), "{squares:?}");
        assert!(
            squares.iter().all(|(rank, file)| u32::from(*rank) < spec.ranks && u32::from(*file) < spec.files)
        );
        let kinds: HashSet<i32> = variant.pieces.iter().map(|piece| piece.kind).collect();
        assert!(board.pieces.iter().all(|piece| kinds.contains(&piece.kind)));
        assert!(board.pieces.iter().all(|piece| piece.side() != v1::Side::Unspecified));
    }
}
