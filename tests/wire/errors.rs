//! Requests that cannot be judged: reasons and the fields at fault.

use arbiter::grpc::v1;
use tonic::Code;

use crate::ask::{self, Refusal};
use crate::server::{self, Client};

/// What every method that takes a position says of a bad one.
async fn of_position(client: &mut Client, position: Option<v1::Position>) -> Vec<Refusal> {
    let moves = v1::LegalMovesRequest { position: position.clone(), ..Default::default() };
    let stream = v1::StreamLegalMovesRequest { position: position.clone(), ..Default::default() };
    let steps = v1::LegalStepsRequest { position: position.clone(), ..Default::default() };
    let apply = v1::ApplyMoveRequest {
        position: position.clone(),
        r#move: Some(ask::text("e2e4")),
        position_view: 0,
    };
    let status = v1::GameStatusRequest { position: position.clone() };
    let replay = v1::ReplayGameRequest { position, ..Default::default() };
    vec![
        ask::refused(client.legal_moves(moves).await),
        ask::refused(client.stream_legal_moves(stream).await),
        ask::refused(client.legal_steps(steps).await),
        ask::refused(client.apply_move(apply).await),
        ask::refused(client.game_status(status).await),
        ask::refused(client.replay_game(replay).await),
    ]
}

#[tokio::test]
async fn every_method_refuses_a_bad_position_alike() {
    let mut client = server::client().await;
    let variant = |id: &str| Some(ask::initial(id));
    let fen = |fen: &str| Some(ask::at("chess", fen));
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let cases = [
        (None, "MISSING_FIELD", "position"),
        (variant(""), "MISSING_FIELD", "position.variant"),
        (Some(ask::at("", initial)), "MISSING_FIELD", "position.variant"),
        (variant("chess960"), "UNKNOWN_VARIANT", "position.variant"),
        (variant("Chess"), "UNKNOWN_VARIANT", "position.variant"),
        (variant(" chess"), "UNKNOWN_VARIANT", "position.variant"),
        (fen("8/8/8/8/8/8/8/8 w - - 0 1"), "INVALID_POSITION", "position.fen"),
        (Some(v1::Position { to_move: 1, ..ask::initial("chess") }), "INVALID_POSITION", "position.boards"),
        (
            Some(v1::Position { history: vec![1; 7], ..ask::initial("chess") }),
            "INVALID_HISTORY",
            "position.history",
        ),
        (
            Some(v1::Position { history: vec![1; 8], ..ask::initial("chess") }),
            "INVALID_HISTORY",
            "position.history",
        ),
        (
            Some(v1::Position { to_move: v1::Side::Black.into(), ..ask::at("chess", initial) }),
            "CONFLICTING_FORMS",
            "position.to_move",
        ),
    ];
    for (position, reason, field) in cases {
        for refusal in of_position(&mut client, position.clone()).await {
            assert_eq!(refusal.code, Code::InvalidArgument);
            assert_eq!(refusal.reason, reason, "{position:?}");
            assert_eq!(refusal.fields()[0], field, "{position:?}");
            assert!(refusal.retry.is_none());
        }
    }
}

fn assert_at(refusal: &Refusal, reason: &str, field: &str) {
    assert_eq!(refusal.code, Code::InvalidArgument);
    assert_eq!((refusal.reason.as_str(), refusal.fields()), (reason, vec![field]), "{refusal:?}");
}

#[tokio::test]
async fn initial_positions_need_a_known_variant() {
    let mut client = server::client().await;
    for (variant, view, reason, field) in [
        ("", 0, "MISSING_FIELD", "variant"),
        ("go", 0, "UNKNOWN_VARIANT", "variant"),
        ("CHESS", 0, "UNKNOWN_VARIANT", "variant"),
        ("chess", 3, "INVALID_ARGUMENT_VALUE", "position_view"),
        ("chess", -1, "INVALID_ARGUMENT_VALUE", "position_view"),
    ] {
        let request =
            v1::GetInitialPositionRequest { variant: variant.to_owned(), above_army: 0, position_view: view };
        assert_at(&ask::refused(client.get_initial_position(request).await), reason, field);
    }
}

#[tokio::test]
async fn views_that_are_none_are_refused() {
    let mut client = server::client().await;
    let position = Some(ask::initial("chess"));
    for view in [4, -1, i32::MAX, i32::MIN] {
        let request =
            v1::LegalMovesRequest { position: position.clone(), move_view: view, ..Default::default() };
        assert_at(&ask::refused(client.legal_moves(request).await), "INVALID_ARGUMENT_VALUE", "move_view");
        let request = v1::ApplyMoveRequest {
            position: position.clone(),
            r#move: Some(ask::text("e2e4")),
            position_view: view,
        };
        assert_at(&ask::refused(client.apply_move(request).await), "INVALID_ARGUMENT_VALUE", "position_view");
        let request =
            v1::ReplayGameRequest { position: position.clone(), position_view: view, ..Default::default() };
        assert_at(
            &ask::refused(client.replay_game(request).await),
            "INVALID_ARGUMENT_VALUE",
            "position_view",
        );
    }
    // A stream does not count.
    for view in [v1::MoveView::Count as i32, 4, -1] {
        let request =
            v1::StreamLegalMovesRequest { position: position.clone(), move_view: view, ..Default::default() };
        let refusal = ask::refused(client.stream_legal_moves(request).await);
        assert_at(&refusal, "INVALID_ARGUMENT_VALUE", "move_view");
    }
}

/// A change of an empty filter, and the field that is then at fault.
type BadFilter = (fn(&mut v1::Filter), &'static str);

const BAD_FILTERS: &[BadFilter] = &[
    (|filter| filter.board = "Z".to_owned(), "filter.board"),
    (|filter| filter.board = "chess".to_owned(), "filter.board"),
    (|filter| filter.to_board = "Z".to_owned(), "filter.to_board"),
    (|filter| filter.from_square = "z1".to_owned(), "filter.from_square"),
    (|filter| filter.from_square = "E2".to_owned(), "filter.from_square"),
    (|filter| filter.from_square = "a0".to_owned(), "filter.from_square"),
    (|filter| filter.from_square = "a10".to_owned(), "filter.from_square"),
    (|filter| filter.to_square = "a9".to_owned(), "filter.to_square"),
    (|filter| filter.to_square = " a1".to_owned(), "filter.to_square"),
];

#[tokio::test]
async fn filters_name_boards_and_squares_of_the_variant() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let position = Some(ask::initial(&variant.id));
        for (change, field) in BAD_FILTERS {
            let mut filter = v1::Filter::default();
            change(&mut filter);
            let filter = Some(filter);
            let request = v1::LegalMovesRequest {
                position: position.clone(),
                filter: filter.clone(),
                ..Default::default()
            };
            assert_at(&ask::refused(client.legal_moves(request).await), "INVALID_FILTER", field);
            let request = v1::StreamLegalMovesRequest {
                position: position.clone(),
                filter: filter.clone(),
                ..Default::default()
            };
            assert_at(&ask::refused(client.stream_legal_moves(request).await), "INVALID_FILTER", field);
            let request = v1::LegalStepsRequest { position: position.clone(), filter, ..Default::default() };
            assert_at(&ask::refused(client.legal_steps(request).await), "INVALID_FILTER", field);
        }
    }
    // The squares of a variant, and not of another.
    for (variant, square, is_there) in
        [("chess", "h8", true), ("chess", "j8", false), ("gamma2", "j8", true), ("gamma2", "k1", false)]
    {
        let filter = v1::Filter { to_square: square.to_owned(), ..Default::default() };
        let request = v1::LegalMovesRequest {
            position: Some(ask::initial(variant)),
            filter: Some(filter),
            ..Default::default()
        };
        assert_eq!(client.legal_moves(request).await.is_ok(), is_there, "{variant} {square}");
    }
}

/// A change of the step e2e4 of chess, and the reason and field that are then at fault.
type BadStep = (fn(&mut v1::Step), &'static str, &'static str);

const BAD_STEPS: &[BadStep] = &[
    (|step| step.from_square.clear(), "MISSING_FIELD", "from_square"),
    (|step| step.to_square.clear(), "MISSING_FIELD", "to_square"),
    (|step| step.from_square = "e9".to_owned(), "INVALID_ARGUMENT_VALUE", "from_square"),
    (|step| step.to_square = "i4".to_owned(), "INVALID_ARGUMENT_VALUE", "to_square"),
    (|step| step.to_square = "e4 ".to_owned(), "INVALID_ARGUMENT_VALUE", "to_square"),
    (|step| step.board = "A".to_owned(), "INVALID_ARGUMENT_VALUE", "board"),
    (|step| step.to_board = "B".to_owned(), "INVALID_ARGUMENT_VALUE", "to_board"),
    (|step| step.promotion = 12, "INVALID_ARGUMENT_VALUE", "promotion"),
    (|step| step.promotion = i32::MIN, "INVALID_ARGUMENT_VALUE", "promotion"),
    (|step| step.twin = Some(v1::Location::default()), "MISSING_FIELD", "twin.square"),
    (|step| step.twin = Some(location("A", "a2")), "INVALID_ARGUMENT_VALUE", "twin.board"),
    (|step| step.twin = Some(location("", "zz")), "INVALID_ARGUMENT_VALUE", "twin.square"),
    (
        |step| step.removals = vec![location("", "a7"), location("", "")],
        "MISSING_FIELD",
        "removals[1].square",
    ),
    (|step| step.removals = vec![location("B", "a7")], "INVALID_ARGUMENT_VALUE", "removals[0].board"),
];

fn location(board: &str, square: &str) -> v1::Location {
    v1::Location { board: board.to_owned(), square: square.to_owned() }
}

#[tokio::test]
async fn steps_name_boards_and_squares_of_the_variant() {
    let mut client = server::client().await;
    let position = Some(ask::initial("chess"));
    for (change, reason, field) in BAD_STEPS {
        let mut bad = ask::step("e2", "e4");
        change(&mut bad);
        let steps = vec![ask::step("e2", "e4"), bad];
        let request = v1::ApplyMoveRequest {
            position: position.clone(),
            r#move: Some(v1::Move { steps: steps.clone(), ..Default::default() }),
            position_view: 0,
        };
        let refusal = ask::refused(client.apply_move(request).await);
        assert_at(&refusal, reason, &format!("move.steps[1].{field}"));
        let request =
            v1::LegalStepsRequest { position: position.clone(), prefix: steps, ..Default::default() };
        assert_at(&ask::refused(client.legal_steps(request).await), reason, &format!("prefix[1].{field}"));
    }
    // Where boards have names a step must name the one it starts on.
    for variant in ask::variants(&mut client).await.into_iter().filter(|variant| variant.boards.len() > 1) {
        let request = v1::LegalStepsRequest {
            position: Some(ask::initial(&variant.id)),
            prefix: vec![ask::step("a1", "a2")],
            ..Default::default()
        };
        assert_at(&ask::refused(client.legal_steps(request).await), "MISSING_FIELD", "prefix[0].board");
    }
}

#[tokio::test]
async fn moves_must_be_there_and_readable() {
    let mut client = server::client().await;
    let long_text = v1::Move { long_text: "e2-e4".to_owned(), ..Default::default() };
    for chosen in [None, Some(v1::Move::default()), Some(long_text)] {
        let request =
            v1::ApplyMoveRequest { position: Some(ask::initial("chess")), r#move: chosen, position_view: 0 };
        assert_at(&ask::refused(client.apply_move(request).await), "MISSING_FIELD", "move");
    }
    let unreadable = [
        " ",
        "e4",
        "O-O",
        "0-0",
        "e2 e4",
        "e2e4 ",
        "e2e4\n",
        "E2E4",
        "e2e9",
        "i2i4",
        "e2e4k",
        "e7e8=",
        "e2e4/",
        "/e2e4",
        "e2e4//e7e5",
        "A:e2e4",
        "e2e4-e5",
        "e2e4+",
        "e2e4x",
        "e2e4xa7,",
        "Ze2-e4",
        "e2–e4",
        "é2e4",
        "e2e4🦀",
        "e7-e8=K",
        "e7-e8==Q",
        "--",
        "x",
        ":",
        "a:b:c:d",
        "\0",
        "null",
    ];
    for text in unreadable {
        let request = v1::ApplyMoveRequest {
            position: Some(ask::initial("chess")),
            r#move: Some(ask::text(text)),
            position_view: 0,
        };
        assert_at(&ask::refused(client.apply_move(request).await), "UNREADABLE_MOVE", "move.text");
    }
}

#[tokio::test]
async fn a_negative_page_size_is_refused_by_both_lists() {
    let mut client = server::client().await;
    for page_size in [-1, i32::MIN] {
        let position = Some(ask::initial("chess"));
        let request = v1::LegalMovesRequest { position: position.clone(), page_size, ..Default::default() };
        assert_at(&ask::refused(client.legal_moves(request).await), "INVALID_PAGE_SIZE", "page_size");
        let request = v1::LegalStepsRequest { position, page_size, ..Default::default() };
        assert_at(&ask::refused(client.legal_steps(request).await), "INVALID_PAGE_SIZE", "page_size");
    }
}
