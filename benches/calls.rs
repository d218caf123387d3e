//! Calls over loopback beside an echo of the same sizes, in one run.
//!
//! Both servers and the clients are in this process, on the same threads, so the ratio is what the service's own work
//! costs beside the transport.

#![allow(clippy::expect_used, reason = "a bench that panics has failed, which is its purpose")]

use std::future::Future;

use arbiter::grpc::v1;
use arbiter::grpc::v1::arbiter_service_client::ArbiterServiceClient;
use arbiter_benches::{compare, connect, listen, serve_arbiter};
use prost::Message;
use tokio::runtime::Runtime;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Server};
use tonic::{Request, Response, Status};

#[allow(
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    clippy::allow_attributes_without_reason,
    reason = "generated"
)]
mod echo {
    tonic::include_proto!("echo.v1");
}

use echo::echo_service_client::EchoServiceClient;
use echo::echo_service_server::{EchoService, EchoServiceServer};

/// Connections, calls under way on each, and calls of a round on each of those.
const CONNECTIONS: usize = 4;
const CALLERS: usize = 8;
const CALLS: usize = 50;

struct Echo;

#[tonic::async_trait]
impl EchoService for Echo {
    async fn echo(
        &self,
        request: Request<echo::EchoRequest>,
    ) -> Result<Response<echo::EchoResponse>, Status> {
        let payload = vec![b'e'; request.into_inner().response_size as usize];
        Ok(Response::new(echo::EchoResponse { payload }))
    }
}

fn main() {
    let runtime = Runtime::new().expect("the runtime starts");
    let arbiter = runtime.block_on(arbiter_channels());
    let echo = runtime.block_on(echo_channels());

    let list = v1::LegalMovesRequest {
        position: Some(start()),
        move_view: v1::MoveView::Text.into(),
        ..Default::default()
    };
    let answer = runtime.block_on(ArbiterServiceClient::new(arbiter[0].clone()).legal_moves(list.clone()));
    let answer = answer.expect("the call succeeds").into_inner();
    assert_eq!(answer.moves.len(), 20);
    let beside = echo_request(&list, &answer);
    compare(
        "LegalMoves of the chess start position (text view)",
        ("arbiter", &mut || {
            run(&runtime, &arbiter, |channel| {
                let list = list.clone();
                async move { ArbiterServiceClient::new(channel).legal_moves(list).await.map(drop) }
            })
        }),
        ("echo", &mut || run_echo(&runtime, &echo, &beside)),
    );

    let play = v1::ApplyMoveRequest {
        position: Some(start()),
        r#move: Some(v1::Move { text: "e2e4".to_owned(), ..Default::default() }),
        ..Default::default()
    };
    let answer = runtime.block_on(ArbiterServiceClient::new(arbiter[0].clone()).apply_move(play.clone()));
    let answer = answer.expect("the call succeeds").into_inner();
    assert!(answer.legal);
    let beside = echo_request(&play, &answer);
    compare(
        "ApplyMove of e2e4",
        ("arbiter", &mut || {
            run(&runtime, &arbiter, |channel| {
                let play = play.clone();
                async move { ArbiterServiceClient::new(channel).apply_move(play).await.map(drop) }
            })
        }),
        ("echo", &mut || run_echo(&runtime, &echo, &beside)),
    );
}

/// The chess start position as a client sends it that got it from the service.
fn start() -> v1::Position {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    v1::Position { variant: "chess".to_owned(), fen: fen.to_owned(), ..Default::default() }
}

/// An echo of about the sizes of a request and its answer.
fn echo_request(request: &impl Message, answer: &impl Message) -> echo::EchoRequest {
    let payload = vec![b'e'; request.encoded_len()];
    echo::EchoRequest { payload, response_size: answer.encoded_len() as u32 }
}

/// Connections to the service.
async fn arbiter_channels() -> Vec<Channel> {
    // Each connects on its own to its own server; they share the threads.
    let mut channels = Vec::new();
    for _ in 0..CONNECTIONS {
        channels.push(serve_arbiter().await);
    }
    channels
}

/// Connections to the echo.
async fn echo_channels() -> Vec<Channel> {
    let mut channels = Vec::new();
    for _ in 0..CONNECTIONS {
        let (listener, address) = listen().await;
        let connections = TcpListenerStream::new(listener).map(|connection| {
            connection.and_then(|connection| connection.set_nodelay(true).map(|()| connection))
        });
        let server = Server::builder().add_service(EchoServiceServer::new(Echo));
        tokio::spawn(server.serve_with_incoming(connections));
        channels.push(connect(address).await);
    }
    channels
}

/// Makes a round of calls and says how many.
fn run<F>(runtime: &Runtime, channels: &[Channel], call: impl Fn(Channel) -> F) -> u64
where
    F: Future<Output = Result<(), Status>> + Send + 'static,
{
    runtime.block_on(async {
        let mut tasks = Vec::new();
        for channel in channels {
            for _ in 0..CALLERS {
                let calls: Vec<F> = (0..CALLS).map(|_| call(channel.clone())).collect();
                tasks.push(tokio::spawn(async move {
                    for call in calls {
                        call.await.expect("the call succeeds");
                    }
                }));
            }
        }
        for task in tasks {
            task.await.expect("the caller ends");
        }
    });
    (channels.len() * CALLERS * CALLS) as u64
}

fn run_echo(runtime: &Runtime, channels: &[Channel], request: &echo::EchoRequest) -> u64 {
    run(runtime, channels, |channel| {
        let request = request.clone();
        async move { EchoServiceClient::new(channel).echo(request).await.map(drop) }
    })
}
