//! What travels below the messages: frames, bytes that are no message, methods that are not there.

use arbiter::grpc::v1;
use bytes::Bytes;
use prost::Message;
use tonic::Code;

use crate::ask::{self, Refusal};
use crate::random::Random;
use crate::raw::{METHODS, Raw, frame, path};
use crate::{data, server};

async fn raw() -> Raw {
    Raw::connect(server::shared()).await
}

/// The server still answers on this connection and on others.
async fn assert_answers(raw: &Raw) {
    for raw in [raw, &self::raw().await] {
        let answer = raw.ask("ListVariants", &v1::ListVariantsRequest {}).await;
        assert!(!answer.message::<v1::ListVariantsResponse>().variants.is_empty());
    }
}

fn valid_requests() -> Vec<(&'static str, Vec<u8>)> {
    let position = || Some(ask::initial("chess"));
    let filter = Some(v1::Filter { from_square: "e2".to_owned(), ..Default::default() });
    let steps = vec![ask::step("e2", "e4")];
    vec![
        ("ListVariants", v1::ListVariantsRequest {}.encode_to_vec()),
        (
            "GetInitialPosition",
            v1::GetInitialPositionRequest { variant: "chess".to_owned(), above_army: 0, position_view: 2 }
                .encode_to_vec(),
        ),
        (
            "LegalMoves",
            v1::LegalMovesRequest { position: position(), filter: filter.clone(), ..Default::default() }
                .encode_to_vec(),
        ),
        (
            "StreamLegalMoves",
            v1::StreamLegalMovesRequest { position: position(), filter, ..Default::default() }
                .encode_to_vec(),
        ),
        (
            "LegalSteps",
            v1::LegalStepsRequest { position: position(), prefix: steps.clone(), ..Default::default() }
                .encode_to_vec(),
        ),
        (
            "ApplyMove",
            v1::ApplyMoveRequest {
                position: position(),
                r#move: Some(v1::Move { steps, ..Default::default() }),
                position_view: 2,
            }
            .encode_to_vec(),
        ),
        ("GameStatus", v1::GameStatusRequest { position: position() }.encode_to_vec()),
        (
            "ReplayGame",
            v1::ReplayGameRequest {
                position: position(),
                moves: vec!["e2e4".to_owned(), "e7-e5".to_owned()],
                every_position: true,
                position_view: 2,
            }
            .encode_to_vec(),
        ),
    ]
}

#[tokio::test]
async fn valid_requests_are_answered() {
    let raw = raw().await;
    for (method, message) in valid_requests() {
        let answer = raw.call(&path(method), &[], frame(&message)).await;
        assert_eq!((answer.http.as_u16(), answer.status().code()), (200, Code::Ok), "{method}");
        assert_eq!(answer.headers["content-type"], "application/grpc");
        assert!(answer.reset.is_none());
    }
}

/// Answered, or refused in the contract's form. The message of a request is at fault, never the server.
fn check(method: &str, answer: &crate::raw::Answer) {
    assert_eq!(answer.http.as_u16(), 200, "{method}: {answer:?}");
    let status = answer.status();
    if status.code() != Code::Ok {
        Refusal::read(&status);
    }
}

#[tokio::test]
async fn random_bytes_as_messages() {
    let raw = raw().await;
    let mut random = Random::new(21);
    let rounds = if data::is_long() { 5_000 } else { 100 };
    for method in METHODS {
        for _ in 0..rounds {
            let bytes = random.bytes(60);
            check(method, &raw.call(&path(method), &[], frame(&bytes)).await);
        }
        assert_answers(&raw).await;
    }
}

#[tokio::test]
async fn damaged_messages() {
    let raw = raw().await;
    let mut random = Random::new(22);
    let rounds = if data::is_long() { 5_000 } else { 100 };
    for (method, message) in valid_requests().into_iter().filter(|(_, message)| !message.is_empty()) {
        for _ in 0..rounds {
            let mut bytes = message.clone();
            for _ in 0..1 + random.below(4) {
                let index = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[index] ^= 1 << random.below(8),
                    1 => bytes.insert(index, random.next() as u8),
                    _ if bytes.len() > 1 => {
                        bytes.remove(index);
                    }
                    _ => {}
                }
            }
            check(method, &raw.call(&path(method), &[], frame(&bytes)).await);
        }
        assert_answers(&raw).await;
    }
}

#[tokio::test]
async fn bytes_that_are_no_message() {
    let raw = raw().await;
    let field = |number: u8, kind: u8| number << 3 | kind;
    let mut deep = Vec::new();
    for _ in 0..100 {
        let mut outer = vec![field(1, 2)];
        prost::encoding::encode_varint(deep.len() as u64, &mut outer);
        outer.extend(deep);
        deep = outer;
    }
    let cases: Vec<Vec<u8>> = vec![
        // A length beyond the end, a number without end, a text that is no UTF-8.
        vec![field(1, 2), 0xff, 0x7f],
        vec![field(1, 0); 1],
        vec![0xff; 40],
        vec![field(1, 2), 4, field(1, 2), 2, 0xff, 0xfe],
        // Groups without end, deep inside each other, ended by another's end.
        vec![field(9, 3)],
        vec![field(9, 3); 200_000],
        vec![field(9, 3), field(8, 4)],
        vec![field(9, 4)],
        // Wire types and field numbers that there are not.
        vec![field(1, 6), 0],
        vec![field(1, 7), 0],
        vec![0, 0],
    ];
    for method in METHODS.iter().filter(|method| **method != "ListVariants") {
        for bytes in &cases {
            let answer = raw.call(&path(method), &[], frame(bytes)).await;
            let refusal = Refusal::read(&answer.status());
            // Where the first field is a text or is not there, some of these are messages.
            let known = ["UNDECODABLE_REQUEST", "MISSING_FIELD", "UNKNOWN_VARIANT"];
            assert!(known.contains(&refusal.reason.as_str()), "{method} {refusal:?}");
            assert_eq!(refusal.code, Code::InvalidArgument);
        }
        check(method, &raw.call(&path(method), &[], frame(&deep)).await);
    }
    for bytes in &cases[4..] {
        let answer = raw.call(&path("GameStatus"), &[], frame(bytes)).await;
        assert_eq!(Refusal::read(&answer.status()).reason, "UNDECODABLE_REQUEST", "{:?}", &bytes[..1]);
    }
    assert_answers(&raw).await;
}

#[tokio::test]
async fn empty_messages_are_requests() {
    let raw = raw().await;
    for method in METHODS {
        let answer = raw.call(&path(method), &[], frame(&[])).await;
        let status = answer.status();
        if method == "ListVariants" {
            assert_eq!(status.code(), Code::Ok);
        } else {
            assert_eq!(Refusal::read(&status).reason, "MISSING_FIELD", "{method}");
        }
    }
}

/// Fields that the server does not know are of a later version of the contract, and are passed over.
#[tokio::test]
async fn unknown_fields_are_passed_over() {
    let raw = raw().await;
    for (method, mut message) in valid_requests() {
        prost::encoding::string::encode(1_000, &"later".to_owned(), &mut message);
        prost::encoding::uint64::encode(1_001, &u64::MAX, &mut message);
        let answer = raw.call(&path(method), &[], frame(&message)).await;
        assert_eq!(answer.status().code(), Code::Ok, "{method}");
    }
}

#[tokio::test]
async fn frames_that_are_none() {
    let raw = raw().await;
    let (_, whole) = valid_requests().remove(6);
    let frame_of = |flag: u8, length: usize, message: &[u8]| {
        let mut bytes = vec![flag];
        bytes.extend((length as u32).to_be_bytes());
        bytes.extend(message);
        Bytes::from(bytes)
    };
    let cases = [
        ("no frame", Bytes::new()),
        ("half a head", Bytes::from_static(&[0, 0, 0])),
        ("a head alone", frame_of(0, 10, &[])),
        ("less than it says", frame_of(0, whole.len() + 1, &whole)),
        ("more than it says", frame_of(0, whole.len() - 1, &whole)),
        ("a flag that is none", frame_of(7, whole.len(), &whole)),
        ("compressed, in no known way", frame_of(1, whole.len(), &whole)),
    ];
    for (name, body) in cases {
        let answer = raw.call(&path("GameStatus"), &[], body).await;
        let refusal = Refusal::read(&answer.status());
        assert_eq!(refusal.code, Code::InvalidArgument, "{name}: {refusal:?}");
        assert_eq!(refusal.reason, "UNDECODABLE_REQUEST", "{name}");
    }
    assert_answers(&raw).await;
}

#[tokio::test]
async fn messages_over_the_limit() {
    let raw = raw().await;
    let large = ask::at("chess", &"8".repeat((4 << 20) + 1));
    for method in METHODS {
        let message = v1::GameStatusRequest { position: Some(large.clone()) }.encode_to_vec();
        let answer = raw.call(&path(method), &[], frame(&message)).await;
        let refusal = Refusal::read(&answer.status());
        assert_eq!(
            (refusal.code, refusal.reason.as_str()),
            (Code::OutOfRange, "REQUEST_TOO_LARGE"),
            "{method}"
        );
        // A length that is only claimed.
        let head = Bytes::from_static(&[0, 0xff, 0xff, 0xff, 0xff]);
        let answer = raw.call(&path(method), &[], head).await;
        assert_eq!(Refusal::read(&answer.status()).code, Code::OutOfRange, "{method}");
    }
    assert_answers(&raw).await;
}

#[tokio::test]
async fn methods_that_are_not_there() {
    let raw = raw().await;
    for path in [
        "/arbiter.v1.ArbiterService/Resign",
        "/arbiter.v1.ArbiterService/legalmoves",
        "/arbiter.v1.ArbiterService/",
        "/arbiter.v2.ArbiterService/LegalMoves",
        "/ArbiterService/LegalMoves",
        "/",
    ] {
        let answer = raw.call(path, &[], frame(&[])).await;
        assert_eq!(answer.status().code(), Code::Unimplemented, "{path}");
    }
    assert_answers(&raw).await;
}

#[tokio::test]
async fn what_a_server_of_grpc_does_not_take() {
    let raw = raw().await;
    let (method, message) = valid_requests().remove(6);
    for (header, value) in [
        ("grpc-encoding", "gzip"),
        ("grpc-encoding", "snappy"),
        ("grpc-encoding", "identity"),
        ("grpc-accept-encoding", "br"),
        ("grpc-timeout", "soon"),
        ("grpc-timeout", "99999999999H"),
        ("grpc-timeout", "-1S"),
        ("grpc-timeout", ""),
        ("grpc-timeout", "99999999H"),
        ("x-unknown-bin", "***"),
    ] {
        let answer = raw.call(&path(method), &[(header, value)], frame(&message)).await;
        let code = answer.status().code();
        assert!(matches!(code, Code::Ok | Code::Unimplemented), "{header} {value}: {code:?}");
    }
    assert_answers(&raw).await;
}
