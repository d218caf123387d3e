//! Lists the variants, plays some moves of Three Universes Chess, asks why a move is illegal and reads an error.
//!
//! `arbiter::grpc::v1` is the generated client of this repository. A program of its own generates the same from `proto/`
//! with `tonic-prost-build` and needs `tokio`, `tonic`, `tonic-prost`, `tonic-types` and `prost`.

#![allow(clippy::print_stdout, reason = "a program for the command line")]

use std::error::Error;
use std::time::Duration;

use arbiter::grpc::v1::arbiter_service_client::ArbiterServiceClient;
use arbiter::grpc::v1::{ApplyMoveRequest, ApplyMoveResponse, ListVariantsRequest, Move, Position};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_types::StatusExt;

/// In the last of them a bishop goes through the kings of Green and Red to the other universe, and captures there.
const MOVES: [&str; 5] =
    ["G:e2e4/R:d2d4", "G:e7e5/B:g8f6", "G:e1e2/B:g1f3", "R:e7e6/B:b8c6", "G:f1-R:b4/R:b4f8"];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:50051".to_owned());
    // One channel serves a whole program: it carries many calls at once, its clones are cheap, and it connects anew when
    // the connection breaks. It closes with its last clone. tonic reads no service config, so it repeats nothing by itself.
    let endpoint = Endpoint::from_shared(format!("http://{address}"))?;
    let channel = endpoint.connect_timeout(Duration::from_secs(10)).connect().await?;
    let mut arbiter = ArbiterServiceClient::new(channel);

    list_variants(&mut arbiter).await?;

    // The variant alone is its initial position.
    let mut position = Position { variant: "three-universes".to_owned(), ..Position::default() };
    for text in MOVES {
        let played = apply(&mut arbiter, &position, text).await?;
        if !played.legal {
            let why = played.illegality.unwrap_or_default().message;
            return Err(format!("{text} is illegal: {why}").into());
        }
        let (played_move, status) = (played.r#move.unwrap_or_default(), played.status.unwrap_or_default());
        // A value that is newer than this program reads as unspecified here; the field itself holds its number.
        let (state, to_move) = (status.state().as_str_name(), status.to_move().as_str_name());
        println!("{}: {state}, {to_move} to move", played_move.long_text);
        // The position goes back as it came: by its history the service notices repetition.
        position = played.position.ok_or("a legal move without a position")?;
    }

    // An illegal move is an answer, not an error.
    let refused = apply(&mut arbiter, &position, "G:h8-B:b8").await?;
    let illegality = refused.illegality.ok_or("G:h8-B:b8 is legal")?;
    let squares: Vec<String> =
        illegality.squares.iter().map(|at| format!("{}:{}", at.board, at.square)).collect();
    let reason = illegality.reason().as_str_name();
    println!("G:h8-B:b8: {reason} at {}: {}", squares.join(" "), illegality.message);

    // A position that cannot be is an error.
    let fen = "8/8/8/8/8/8/8/KK6 w - - 0 1".to_owned();
    let impossible = Position { variant: "chess".to_owned(), fen, ..Position::default() };
    match apply(&mut arbiter, &impossible, "a1a2").await {
        Ok(_) => Err("the position was accepted".into()),
        Err(error) => print_error(error),
    }
}

async fn list_variants(arbiter: &mut ArbiterServiceClient<Channel>) -> Result<(), Status> {
    let mut request = Request::new(ListVariantsRequest {});
    request.set_timeout(Duration::from_secs(10));
    for variant in arbiter.list_variants(request).await?.into_inner().variants {
        let size = |name: &str, files, ranks| format!("{name} {files}x{ranks}").trim_start().to_owned();
        let boards: Vec<String> =
            variant.boards.iter().map(|board| size(&board.name, board.files, board.ranks)).collect();
        println!("{}: {} on {}", variant.id, variant.title, boards.join(", "));
    }
    Ok(())
}

/// Plays a move. Each call has a deadline of its own.
async fn apply(
    arbiter: &mut ArbiterServiceClient<Channel>,
    position: &Position,
    text: &str,
) -> Result<ApplyMoveResponse, Status> {
    let mut request = Request::new(ApplyMoveRequest {
        position: Some(position.clone()),
        r#move: Some(Move { text: text.to_owned(), ..Move::default() }),
        ..ApplyMoveRequest::default()
    });
    request.set_timeout(Duration::from_secs(10));
    Ok(arbiter.apply_move(request).await?.into_inner())
}

/// Prints what an error of the service says. Any other error, which has no reason, it gives back.
fn print_error(error: Status) -> Result<(), Box<dyn Error>> {
    let details = error.get_error_details();
    let Some(info) = details.error_info().filter(|info| info.domain == "arbiter") else {
        return Err(error.into());
    };
    let faults = info.metadata.get("faults").map_or("", String::as_str);
    println!("code {}: {} ({faults})", i32::from(error.code()), info.reason);
    for violation in details.bad_request().map_or(&[][..], |request| &request.field_violations) {
        println!("  {}: {}", violation.field, violation.description);
    }
    Ok(())
}
