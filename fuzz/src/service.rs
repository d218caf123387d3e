//! The service stack as a server runs it, called in this process, and what holds of every answer.

use std::sync::Arc;
use std::time::Duration;

use arbiter::grpc::{Bounded, Deadlines, Intake, Memory, Pool, PoolJob, Referee, Transport, WorkLimits, v1};
use http_body_util::{BodyExt, Full};
use tokio::runtime::{Builder, Runtime};
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Request, StatusCode};
use tonic::codegen::{Bytes, Service};
use tonic::{Code, Status};
use tonic_types::StatusExt;
use v1::arbiter_service_server::ArbiterServiceServer;

/// The methods, in the order of the contract.
pub const METHODS: [&str; 8] = [
    "ListVariants",
    "GetInitialPosition",
    "LegalMoves",
    "StreamLegalMoves",
    "LegalSteps",
    "ApplyMove",
    "GameStatus",
    "ReplayGame",
];

/// No unary response is larger.
const MOST_BYTES: usize = 1 << 20;

/// Errors, with message and details, are smaller.
const MOST_ERROR_BYTES: usize = 4 << 10;

/// The frames that are read of a stream, each with a batch; then it is dropped, as by a client that has had enough.
const MOST_FRAMES: usize = 2;

/// The most bytes of a request, as a server has it by default.
const MOST_REQUEST_BYTES: usize = 4 << 20;

/// A pool that runs each job where it is given.
#[derive(Debug)]
struct InPlace;

impl Pool for InPlace {
    fn threads(&self) -> usize {
        1
    }

    fn spawn(&self, job: PoolJob) {
        job();
    }
}

struct Stack {
    runtime: Runtime,
    service: Bounded<Transport<ArbiterServiceServer<Referee>>>,
}

thread_local! {
    static STACK: Stack = Stack {
        runtime: Builder::new_current_thread().enable_time().build().expect("a runtime can be made"),
        service: service(),
    };
}

fn service() -> Bounded<Transport<ArbiterServiceServer<Referee>>> {
    let memory = Memory::new(1 << 30);
    let intake = Intake::new(1, memory.clone());
    let limits = WorkLimits { queue: 100, list_share: 100, memory };
    // An input that takes so long is a finding, of the fuzzer's own limit.
    let deadlines = Deadlines { default: Duration::from_secs(60), latest: Duration::from_secs(60) };
    intake.before(Referee::new(Arc::new(InPlace), &limits).into_service(deadlines, MOST_REQUEST_BYTES))
}

/// A whole answer, or the beginning of a stream.
#[derive(Debug)]
pub struct Answer {
    /// How the call ended; `OK` also for a stream that was dropped.
    pub status: Status,
    /// The encoded messages.
    pub messages: Vec<Bytes>,
}

/// Calls a method with a message.
pub fn ask(method: &str, message: &[u8]) -> Answer {
    let mut body = vec![0];
    body.extend((message.len() as u32).to_be_bytes());
    body.extend(message);
    call(method, body)
}

/// Calls a method with the body of an HTTP request, and checks the form of the answer.
pub fn call(method: &str, body: Vec<u8>) -> Answer {
    let request = Request::post(format!("/arbiter.v1.ArbiterService/{method}"))
        .header("te", "trailers")
        .header("content-type", "application/grpc")
        .body(Body::new(Full::new(Bytes::from(body))))
        .expect("the request is well formed");
    let (headers, data, trailers) = STACK.with(|stack| {
        let mut service = stack.service.clone();
        stack.runtime.block_on(async {
            let Ok(response) = service.call(request).await;
            let (parts, mut body) = response.into_parts();
            assert_eq!(parts.status, StatusCode::OK, "{method}");
            let (mut data, mut trailers) = (Vec::new(), None);
            for _ in 0..MOST_FRAMES {
                let Some(frame) = body.frame().await else { break };
                match frame.expect("an answer in this process does not break off").into_data() {
                    Ok(bytes) => data.push(bytes),
                    Err(frame) => trailers = frame.into_trailers().ok(),
                }
            }
            (parts.headers, data.concat(), trailers)
        })
    });
    let status = [trailers.as_ref(), Some(&headers)]
        .into_iter()
        .flatten()
        .find_map(|headers| Some((Status::from_header_map(headers)?, headers)));
    let status = match status {
        Some((status, headers)) => {
            assert_status(&status, headers);
            status
        }
        // Only a stream is read in part.
        None => {
            assert_eq!(method, "StreamLegalMoves", "an answer without a status");
            Status::ok("")
        }
    };
    Answer { status, messages: messages(data.into(), method != "StreamLegalMoves") }
}

/// The messages of a body of whole frames.
fn messages(mut data: Bytes, is_unary: bool) -> Vec<Bytes> {
    let mut messages = Vec::new();
    while !data.is_empty() {
        assert!(data.len() >= 5, "a frame is cut off");
        let prefix = data.split_to(5);
        let length = u32::from_be_bytes([prefix[1], prefix[2], prefix[3], prefix[4]]) as usize;
        assert_eq!(prefix[0], 0, "a frame is compressed, which nobody asked for");
        assert!(length <= data.len(), "a message is cut off");
        messages.push(data.split_to(length));
    }
    assert!(!is_unary || messages.len() <= 1, "{} messages", messages.len());
    assert!(messages.iter().all(|message| message.len() <= MOST_BYTES), "a response is over 1 MiB");
    messages
}

/// The code is one of the contract's, and an error has its details.
fn assert_status(status: &Status, headers: &HeaderMap) {
    let code = status.code();
    // The transport's own, without details: it does not know the encoding of a frame.
    if code == Code::Ok || code == Code::Unimplemented && status.details().is_empty() {
        return;
    }
    let parts = ["grpc-message", "grpc-status-details-bin"];
    let size: usize = parts.iter().filter_map(|name| Some(headers.get(*name)?.len())).sum();
    assert!(size < MOST_ERROR_BYTES, "an error of {size} bytes: {status:?}");
    let details = status.check_error_details().expect("the details can be read");
    let Some(info) = details.error_info() else { panic!("an error without ErrorInfo: {status:?}") };
    assert_eq!(info.domain, "arbiter");
    let reason = v1::ErrorReason::from_str_name(&format!("ERROR_REASON_{}", info.reason));
    let Some(reason) = reason else { panic!("{} is no reason of the contract", info.reason) };
    assert!(codes(reason).contains(&code), "{reason:?} with {code:?}");
    let violations = details.bad_request().map_or(&[][..], |bad| &bad.field_violations);
    assert!(violations.len() <= 16 && violations.iter().all(|one| !one.description.is_empty()), "{status:?}");
}

/// The codes that the contract has for a reason. There is none for a defect, which no input may cause; none for busy
/// and stopping services, which this one is not; and no call here has a deadline.
fn codes(reason: v1::ErrorReason) -> &'static [Code] {
    use v1::ErrorReason as Reason;
    match reason {
        Reason::Unspecified | Reason::Internal | Reason::Busy | Reason::Unavailable => &[],
        Reason::DeadlineExceeded => &[],
        Reason::DistinctTooLarge => &[Code::ResourceExhausted],
        Reason::RequestTooLarge => &[Code::OutOfRange, Code::InvalidArgument],
        Reason::InvalidPosition
        | Reason::InvalidHistory
        | Reason::UnknownVariant
        | Reason::UnreadableMove
        | Reason::ConflictingForms
        | Reason::InvalidPageToken
        | Reason::PageTokenMismatch
        | Reason::PageTokenExpired
        | Reason::InvalidPageSize
        | Reason::InvalidFilter
        | Reason::InvalidArgumentValue
        | Reason::MissingField
        | Reason::TooManyMoves
        | Reason::UndecodableRequest => &[Code::InvalidArgument],
    }
}

/// The reason of a refusal, without prefix.
pub fn reason(status: &Status) -> String {
    status.get_error_details().error_info().map(|info| info.reason.clone()).unwrap_or_default()
}
