//! The forms in which a position can be given: its text, its structure, both.

use arbiter::grpc::v1;
use tonic::Code;

use crate::server::{self, Client};
use crate::{ask, data};

/// The position as the service says it back in the full view.
async fn understood(client: &mut Client, position: &v1::Position) -> v1::Position {
    ask::replayed(client, position, v1::PositionView::Full)
        .await
        .unwrap_or_else(|status| panic!("{}: {}", position.fen, ask::Refusal::read(&status).violations[0].1))
}

#[tokio::test]
async fn text_structure_and_both_are_the_same_position() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::all_rows(&variants), |mut client, row| async move {
        let text = row.position;
        let both = understood(&mut client, &text).await;
        assert_eq!(both.fen, text.fen);
        assert_eq!(understood(&mut client, &both).await, both, "a response sent back");
        let structure = v1::Position { fen: String::new(), ..both.clone() };
        assert_eq!(understood(&mut client, &structure).await, both, "the structure alone");
        // Pieces can come in any order, sizes and names may be left out, the move number 1 too.
        let mut loose = structure;
        for board in &mut loose.boards {
            board.pieces.reverse();
            (board.files, board.ranks) = (0, 0);
            board.name.clear();
        }
        if loose.move_number == 1 {
            loose.move_number = 0;
        }
        assert_eq!(understood(&mut client, &loose).await, both, "a loose structure");
        loose.fen.clone_from(&text.fen);
        assert_eq!(understood(&mut client, &loose).await, both, "a loose structure beside the text");
    })
    .await;
}

#[tokio::test]
async fn parts_of_the_structure_can_stand_beside_the_text() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 3_000, 40), |mut client, row| async move {
        let text = row.position;
        let both = understood(&mut client, &text).await;
        let bare = |board: &v1::Board| v1::Board { name: board.name.clone(), ..Default::default() };
        let parts = [
            v1::Position { to_move: both.to_move, ..text.clone() },
            v1::Position { above_army: both.above_army, ..text.clone() },
            v1::Position { halfmove_clock: both.halfmove_clock, ..text.clone() },
            v1::Position { move_number: both.move_number, ..text.clone() },
            v1::Position { boards: both.boards.clone(), ..text.clone() },
            v1::Position { boards: both.boards.iter().map(bare).collect(), ..text.clone() },
        ];
        for part in parts {
            assert_eq!(understood(&mut client, &part).await, both, "{part:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_variant_alone_is_its_initial_position() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let alone = understood(&mut client, &ask::initial(&variant.id)).await;
        let request = v1::GetInitialPositionRequest { variant: variant.id, above_army: 0, position_view: 2 };
        let initial = client.get_initial_position(request).await.unwrap().into_inner().position;
        assert_eq!(Some(alone), initial);
    }
}

/// A change of a structure, and the beginning of the path of the field that then contradicts the text.
type Contradiction = (&'static str, fn(&mut v1::Position));

const CONTRADICTIONS: &[Contradiction] = &[
    ("position.to_move", |position| position.to_move = if position.to_move % 2 == 1 { 2 } else { 1 }),
    ("position.to_move", |position| position.to_move = 99),
    ("position.above_army", |position| {
        position.above_army = if position.above_army == 2 { 1 } else { 2 };
    }),
    ("position.above_army", |position| position.above_army = -7),
    ("position.halfmove_clock", |position| position.halfmove_clock = 5),
    ("position.halfmove_clock", |position| position.halfmove_clock = u32::MAX),
    ("position.move_number", |position| position.move_number = 9),
    ("position.move_number", |position| position.move_number = u32::MAX),
    ("position.boards", |position| position.boards.push(v1::Board::default())),
    ("position.boards[0].name", |position| position.boards[0].name = "Z".to_owned()),
    ("position.boards[0].files", |position| position.boards[0].files += 1),
    ("position.boards[0].ranks", |position| position.boards[0].ranks = u32::MAX),
    ("position.boards[0].vanished", |position| {
        position.boards[0] = v1::Board { vanished: true, ..Default::default() };
    }),
    ("position.boards[0].pieces", |position| {
        position.boards[0].pieces.pop();
    }),
    ("position.boards[0].pieces", |position| {
        let squares = |board: &v1::Board| (board.pieces[0].square.clone(), board.pieces[1].square.clone());
        let (first, second) = squares(&position.boards[0]);
        position.boards[0].pieces[0].square = second;
        position.boards[0].pieces[1].square = first;
        position.boards[0].pieces[0].side = 3 - position.boards[0].pieces[0].side;
    }),
    ("position.boards[0].pieces[0].square", |position| position.boards[0].pieces[0].square = "z9".to_owned()),
    ("position.boards[0].pieces[0].kind", |position| position.boards[0].pieces[0].kind = 77),
    ("position.boards[0].pieces[0].side", |position| position.boards[0].pieces[0].side = 0),
    ("position.boards[0].pieces[0].twin_group", |position| position.boards[0].pieces[0].twin_group = 100),
    ("position.boards[0].pieces", |position| position.boards[0].pieces[0].twin_group = 7),
    ("position.boards[0].castling", |position| position.boards[0].castling = "Kq".to_owned()),
    ("position.boards[0].castling", |position| position.boards[0].castling = "-".to_owned()),
    ("position.boards[0].en_passant", |position| {
        position.boards[0].en_passant = Some(v1::EnPassant::default());
    }),
    ("position.boards[0].en_passant", |position| {
        let (passed, pawn) = ("b3".to_owned(), String::new());
        position.boards[0].en_passant = Some(v1::EnPassant { passed, pawn });
    }),
];

#[tokio::test]
async fn a_contradiction_is_named_by_its_field() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let both = understood(&mut client, &ask::initial(&variant.id)).await;
        for (path, change) in CONTRADICTIONS {
            let mut contradicting = both.clone();
            change(&mut contradicting);
            let request = v1::GameStatusRequest { position: Some(contradicting) };
            let refusal = ask::refused(client.game_status(request).await);
            assert_eq!(refusal.code, Code::InvalidArgument);
            assert_eq!(refusal.reason, "CONFLICTING_FORMS", "{} {path}: {refusal:?}", variant.id);
            assert_eq!(refusal.violations.len(), 1);
            assert!(refusal.violations[0].0.starts_with(path), "{path}: {:?}", refusal.violations);
        }
    }
}

#[tokio::test]
async fn text_and_steps_of_a_move_must_be_one_move() {
    let mut client = server::client().await;
    let mut promotion = ask::step("a7", "a8");
    promotion.promotion = v1::PieceKind::Queen.into();
    let cases = [
        ("", "e2e4", ask::step("e2", "e4"), true),
        ("", "e2-e4", ask::step("e2", "e4"), true),
        ("", "e2e4", ask::step("e2", "e3"), false),
        ("", "e2-e4", ask::step("d2", "d4"), false),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", promotion.clone(), true),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", promotion, false),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", ask::step("a7", "a8"), false),
    ];
    for (fen, text, step, is_same) in cases {
        let chosen = v1::Move { steps: vec![step], ..ask::text(text) };
        let request = v1::ApplyMoveRequest {
            position: Some(ask::at("chess", fen)),
            r#move: Some(chosen),
            position_view: 0,
        };
        match client.apply_move(request).await {
            Ok(answer) => assert!(is_same && answer.into_inner().legal, "{text}"),
            Err(status) => {
                let refusal = ask::Refusal::read(&status);
                assert!(!is_same, "{text}: {refusal:?}");
                assert_eq!(
                    (refusal.reason.as_str(), refusal.fields()),
                    ("CONFLICTING_FORMS", vec!["move.steps"])
                );
            }
        }
    }
}
