//! The process around the service: health, reflection, stopping, the command line.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use arbiter::grpc::v1;
use arbiter::server::Stop;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tokio::time::timeout;
use tokio_stream::once;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::transport::Server;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb;

use crate::ask;
use crate::server::{self, Client, Own};

const SERVICE: &str = "arbiter.v1.ArbiterService";

/// A test whose server hangs ends with this.
const PATIENCE: Duration = Duration::from_secs(60);

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

#[tokio::test]
async fn health_is_told_of_the_process_and_its_service() {
    let mut health = HealthClient::new(server::channel(server::shared()).await);
    for service in ["", SERVICE] {
        let answer = health.check(of(service)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service:?}");
        let mut watched = health.watch(of(service)).await.unwrap().into_inner();
        assert_eq!(watched.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
    }
    let unknown = health.check(of("arbiter.v2.ArbiterService")).await.unwrap_err();
    assert_eq!(unknown.code(), Code::NotFound);
}

#[tokio::test]
async fn reflection_lists_the_service_in_both_versions() {
    let channel = server::channel(server::shared()).await;
    let request = pb::v1::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(pb::v1::server_reflection_request::MessageRequest::ListServices(String::new())),
    };
    let mut client = pb::v1::server_reflection_client::ServerReflectionClient::new(channel.clone());
    let mut answers = client.server_reflection_info(once(request)).await.unwrap().into_inner();
    let answer = answers.message().await.unwrap().unwrap().message_response.unwrap();
    let pb::v1::server_reflection_response::MessageResponse::ListServicesResponse(list) = answer else {
        panic!("{answer:?}")
    };
    let names: Vec<String> = list.service.into_iter().map(|service| service.name).collect();
    assert!(names.iter().any(|name| name == SERVICE), "{names:?}");
    assert!(names.iter().any(|name| name == "grpc.health.v1.Health"), "{names:?}");

    let request = pb::v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(pb::v1alpha::server_reflection_request::MessageRequest::ListServices(
            String::new(),
        )),
    };
    let mut client = pb::v1alpha::server_reflection_client::ServerReflectionClient::new(channel);
    let mut answers = client.server_reflection_info(once(request)).await.unwrap().into_inner();
    let answer = answers.message().await.unwrap().unwrap().message_response.unwrap();
    let pb::v1alpha::server_reflection_response::MessageResponse::ListServicesResponse(list) = answer else {
        panic!("{answer:?}")
    };
    assert!(list.service.iter().any(|service| service.name == SERVICE), "{list:?}");
}

#[tokio::test]
async fn reflection_describes_the_contract() {
    let channel = server::channel(server::shared()).await;
    let mut client = pb::v1::server_reflection_client::ServerReflectionClient::new(channel);
    for symbol in [SERVICE, "arbiter.v1.Position", "arbiter.v1.ErrorReason", "arbiter.v1.LegalMovesRequest"] {
        let request = pb::v1::ServerReflectionRequest {
            host: String::new(),
            message_request: Some(pb::v1::server_reflection_request::MessageRequest::FileContainingSymbol(
                symbol.to_owned(),
            )),
        };
        let mut answers = client.server_reflection_info(once(request)).await.unwrap().into_inner();
        let answer = answers.message().await.unwrap().unwrap().message_response.unwrap();
        let pb::v1::server_reflection_response::MessageResponse::FileDescriptorResponse(files) = answer
        else {
            panic!("{symbol}: {answer:?}")
        };
        assert!(!files.file_descriptor_proto.is_empty());
    }
}

#[tokio::test]
async fn a_server_told_to_stop_says_so_ends_and_is_gone() {
    let Own { address, stop, running, .. } = Own::start(&["--drain-delay", "1"]).await;
    let channel = server::channel(address).await;
    let mut watched = Vec::new();
    for service in ["", SERVICE] {
        let mut health = HealthClient::new(channel.clone());
        let mut stream = health.watch(of(service)).await.unwrap().into_inner();
        assert_eq!(stream.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
        watched.push(stream);
    }
    let mut client = Client::new(channel);
    assert!(!ask::variants(&mut client).await.is_empty());
    assert!(!running.is_finished());
    stop.send(Stop::Gradually).unwrap();
    for stream in &mut watched {
        let told = timeout(PATIENCE, stream.message()).await.unwrap();
        assert_eq!(told.unwrap().unwrap().status(), ServingStatus::NotServing);
    }
    // Calls are still taken while balancers turn away.
    assert!(!ask::variants(&mut client).await.is_empty());
    // Then those who watch are told to go elsewhere, and do not hold the server up.
    for stream in &mut watched {
        let told = timeout(PATIENCE, stream.message()).await.unwrap();
        assert_eq!(told.unwrap_err().code(), Code::Unavailable);
    }
    timeout(PATIENCE, running).await.unwrap().unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "new connections are refused");
}

/// What was asked before the server was told to stop is answered.
#[tokio::test]
async fn calls_under_way_are_answered_while_the_server_stops() {
    let own = Own::start(&[]).await;
    let mut client = Client::new(server::channel(own.address).await);
    let request = v1::ReplayGameRequest {
        position: Some(ask::initial("chess")),
        moves: crate::data::long_game("chess", 1_500),
        ..Default::default()
    };
    let call = tokio::spawn(async move { client.replay_game(request).await });
    // Time to send the request. Should the server not have begun with it by then, it answers all the same.
    tokio::time::sleep(Duration::from_millis(100)).await;
    own.stop.send(Stop::Now).unwrap();
    assert!(timeout(PATIENCE, call).await.unwrap().unwrap().unwrap().into_inner().legal);
    timeout(PATIENCE, own.running).await.unwrap().unwrap().unwrap();
}

async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

/// Runs the program and says how it ended and what it printed.
async fn arbiter(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_arbiter")).args(arguments).output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[tokio::test]
async fn the_healthcheck_tells_a_serving_server_from_others() {
    let address = server::shared().to_string();
    assert_eq!(arbiter(&["healthcheck", "--address", &address]).await.0, 0);
    let everywhere = address.replace("127.0.0.1", "0.0.0.0");
    assert_eq!(arbiter(&["healthcheck", "--address", &everywhere]).await.0, 0);
    // Nobody listens on a port that was just given back.
    let nobody = listener().await.local_addr().unwrap().to_string();
    let (code, _, errors) = arbiter(&["healthcheck", "--address", &nobody]).await;
    assert!(code == 1 && errors.contains(&nobody), "{code} {errors}");
    // A server that says that it does not serve.
    let listener = listener().await;
    let address = listener.local_addr().unwrap().to_string();
    let (reporter, service) = tonic_health::server::health_reporter();
    reporter.set_service_status("", tonic_health::ServingStatus::NotServing).await;
    let serving =
        Server::builder().add_service(service).serve_with_incoming(TcpListenerStream::new(listener));
    tokio::spawn(serving);
    let (code, _, errors) = arbiter(&["healthcheck", "--address", &address]).await;
    assert!(code == 1 && errors.contains("NOT_SERVING"), "{code} {errors}");
}

#[tokio::test]
async fn perft_is_counted_on_the_command_line() {
    let (code, printed, _) = arbiter(&["perft", "chess", "3"]).await;
    assert!(code == 0 && printed.starts_with("8902 "), "{code} {printed}");
    let (code, printed, _) = arbiter(&["perft", "gamma2", "2", "--divide"]).await;
    assert_eq!((code, printed.lines().count()), (0, 41));
    let fen = "R5k1/8/6K1/8/8/8/8/8 b - - 0 1";
    let (code, printed, _) = arbiter(&["perft", "chess", "1", "--fen", fen]).await;
    assert!(code == 0 && printed.starts_with("0 "), "{printed}");
    for wrong in [
        &["perft", "go", "1"][..],
        &["perft", "chess", "1", "--fen", "8/8 w"],
        &["perft", "chess", "one"],
        &["perft"],
        &["resign"],
    ] {
        let (code, printed, errors) = arbiter(wrong).await;
        assert!(code != 0 && printed.is_empty() && !errors.is_empty(), "{wrong:?}");
    }
}

#[tokio::test]
async fn the_program_serves_until_it_is_told_to_stop() {
    let mut serving = Command::new(env!("CARGO_BIN_EXE_arbiter"))
        .args(["serve", "--listen", "127.0.0.1:0", "--drain-delay", "0", "--log-format", "json"])
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(serving.stderr.take().unwrap()).lines();
    let address: SocketAddr = loop {
        let line = lines.next_line().await.unwrap().expect("the program says where it serves");
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        if let Some(address) = line["fields"]["address"].as_str() {
            break address.parse().unwrap();
        }
    };
    let mut client = Client::new(server::channel(address).await);
    assert!(!ask::variants(&mut client).await.is_empty());
    drop(client);
    let terminated =
        Command::new("kill").arg("-TERM").arg(serving.id().unwrap().to_string()).status().await.unwrap();
    assert!(terminated.success());
    assert!(timeout(PATIENCE, serving.wait()).await.unwrap().unwrap().success());
}
