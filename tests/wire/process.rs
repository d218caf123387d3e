//! The process around the service: reflection, the command line.

use tokio::net::TcpListener;
use tokio::process::Command;
use tokio_stream::once;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic_reflection::pb;

use crate::server;

const SERVICE: &str = "arbiter.v1.ArbiterService";

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
