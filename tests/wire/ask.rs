//! How tests ask the server, and how they read its refusals.

use std::collections::BTreeSet;
use std::future::Future;
use std::time::Duration;

use arbiter::grpc::v1;
use futures_util::{StreamExt, stream};
use tonic::{Code, Response, Status};
use tonic_types::StatusExt;

use crate::server::{self, Client};

/// The initial position of a variant.
pub fn initial(variant: &str) -> v1::Position {
    v1::Position { variant: variant.to_owned(), ..Default::default() }
}

/// A position of a variant by its text.
pub fn at(variant: &str, fen: &str) -> v1::Position {
    v1::Position { fen: fen.to_owned(), ..initial(variant) }
}

/// A move by its text.
pub fn text(text: &str) -> v1::Move {
    v1::Move { text: text.to_owned(), ..Default::default() }
}

/// A step by its squares, in a game with one board.
pub fn step(from: &str, to: &str) -> v1::Step {
    v1::Step { from_square: from.to_owned(), to_square: to.to_owned(), ..Default::default() }
}

pub async fn variants(client: &mut Client) -> Vec<v1::Variant> {
    client.list_variants(v1::ListVariantsRequest {}).await.unwrap().into_inner().variants
}

pub async fn apply(client: &mut Client, position: &v1::Position, chosen: v1::Move) -> v1::ApplyMoveResponse {
    let request =
        v1::ApplyMoveRequest { position: Some(position.clone()), r#move: Some(chosen), position_view: 0 };
    client.apply_move(request).await.unwrap().into_inner()
}

pub async fn status(client: &mut Client, position: &v1::Position) -> v1::Status {
    let request = v1::GameStatusRequest { position: Some(position.clone()) };
    client.game_status(request).await.unwrap().into_inner().status.unwrap()
}

/// The position with its structure.
pub async fn full(client: &mut Client, position: &v1::Position) -> v1::Position {
    replayed(client, position, v1::PositionView::Full).await.unwrap()
}

/// The position as the server understands it: that of a game without moves.
pub async fn replayed(
    client: &mut Client,
    position: &v1::Position,
    view: v1::PositionView,
) -> Result<v1::Position, Status> {
    let request = v1::ReplayGameRequest {
        position: Some(position.clone()),
        position_view: view.into(),
        ..Default::default()
    };
    Ok(client.replay_game(request).await?.into_inner().position.unwrap())
}

/// All moves of a position as the stream gives them.
pub async fn streamed(client: &mut Client, request: v1::StreamLegalMovesRequest) -> Vec<v1::Move> {
    let mut stream = client.stream_legal_moves(request).await.unwrap().into_inner();
    let mut moves = Vec::new();
    while let Some(batch) = stream.message().await.unwrap() {
        assert!(!batch.moves.is_empty(), "a batch without moves");
        moves.extend(batch.moves);
    }
    moves
}

/// The texts of all legal moves, in order.
pub async fn move_texts(client: &mut Client, position: &v1::Position) -> Vec<String> {
    let request = v1::StreamLegalMovesRequest {
        position: Some(position.clone()),
        move_view: v1::MoveView::Text.into(),
        ..Default::default()
    };
    streamed(client, request).await.into_iter().map(|one| one.text).collect()
}

/// The texts of the first few legal moves, which is light work.
pub async fn move_texts_of_page(client: &mut Client, position: &v1::Position) -> Vec<String> {
    let request = v1::LegalMovesRequest {
        position: Some(position.clone()),
        move_view: v1::MoveView::Text.into(),
        page_size: 5,
        ..Default::default()
    };
    client.legal_moves(request).await.unwrap().into_inner().moves.into_iter().map(|one| one.text).collect()
}

/// Goes through the items, several at a time, each with a client of the shared server.
pub async fn each<T, F: Future<Output = ()>>(
    items: impl IntoIterator<Item = T>,
    mut ask: impl FnMut(Client, T) -> F,
) {
    let client = server::client().await;
    stream::iter(items).for_each_concurrent(16, |item| ask(client.clone(), item)).await;
}

/// An error as the contract describes it.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: Code,
    pub reason: String,
    /// The codes of a position's faults.
    pub faults: BTreeSet<String>,
    /// Field paths and sentences.
    pub violations: Vec<(String, String)>,
    pub retry: Option<Duration>,
}

impl Refusal {
    /// Reads a status, and checks what holds for every one: that it is an error whose cause the caller can know, of
    /// the contract's form and size.
    pub fn read(status: &Status) -> Self {
        assert!(!matches!(status.code(), Code::Ok | Code::Internal | Code::Unknown), "{status:?}");
        let details = status.check_error_details().unwrap();
        let info = details.error_info().unwrap_or_else(|| panic!("{status:?} has no ErrorInfo"));
        assert_eq!(info.domain, "arbiter");
        let reason = v1::ErrorReason::from_str_name(&format!("ERROR_REASON_{}", info.reason));
        assert!(reason.is_some(), "{} is no reason of the contract", info.reason);
        let violations: Vec<(String, String)> = details
            .bad_request()
            .map(|bad| bad.field_violations.as_slice())
            .unwrap_or_default()
            .iter()
            .map(|violation| (violation.field.clone(), violation.description.clone()))
            .collect();
        assert!(violations.len() <= 16, "{} violations", violations.len());
        assert!(violations.iter().all(|(_, sentence)| !sentence.is_empty()), "{violations:?}");
        let size = size(status);
        assert!(size < 4096, "an error of {size} bytes: {status:?}");
        let faults = info.metadata.get("faults").map(|faults| faults.split(',').map(str::to_owned).collect());
        Self {
            code: status.code(),
            reason: info.reason.clone(),
            faults: faults.unwrap_or_default(),
            violations,
            retry: details.retry_info().and_then(|info| info.retry_delay),
        }
    }

    /// The paths of the fields at fault.
    pub fn fields(&self) -> Vec<&str> {
        self.violations.iter().map(|(field, _)| field.as_str()).collect()
    }
}

/// The bytes that message and details of a status take on the wire.
fn size(status: &Status) -> usize {
    let mut headers = http::HeaderMap::new();
    status.add_header(&mut headers).unwrap();
    ["grpc-message", "grpc-status-details-bin"]
        .iter()
        .filter_map(|name| headers.get(*name))
        .map(http::HeaderValue::len)
        .sum()
}

/// The refusal of a call that must be refused.
pub fn refused<T: std::fmt::Debug>(answer: Result<Response<T>, Status>) -> Refusal {
    match answer {
        Ok(response) => panic!("not refused: {response:?}"),
        Err(status) => Refusal::read(&status),
    }
}
