//! Errors as gRPC statuses: the one place where a status is made.
//!
//! Every status has an `ErrorInfo`, and a `BadRequest` where a field is at fault. Message and details stay small: many
//! clients drop the trailers of a call when they are larger than 8 KiB.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;

use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Response};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use super::error::{Error, FieldFault, quoted};
use super::v1::{ErrorReason, PositionFault};
use crate::rules::fault::FaultCode;

/// The domain of all reasons.
const DOMAIN: &str = "arbiter";

/// How long a caller waits before it tries a busy service again.
const RETRY_AFTER: Duration = Duration::from_millis(500);

/// The most field violations of one error.
const MAX_VIOLATIONS: usize = 16;

/// The most characters of a field path or a sentence; longer ones are cut.
const MAX_TEXT: usize = 160;

/// The most bytes of details. They travel as base64, so message and details together stay under 4 KiB.
const MAX_DETAILS: usize = 2_800;

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::MissingField { field } => {
                at_field(ErrorReason::MissingField, field, "the field is required".to_owned())
            }
            Error::UnknownVariant { field, id } => {
                at_field(ErrorReason::UnknownVariant, field, format!("there is no variant {}", quoted(&id)))
            }
            Error::InvalidPosition(faults) => invalid_position(faults),
            Error::InvalidHistory { message } => {
                at_field(ErrorReason::InvalidHistory, "position.history".to_owned(), message)
            }
            Error::UnreadableMove { field, message } => at_field(ErrorReason::UnreadableMove, field, message),
            Error::ConflictingForms { field, message } => {
                at_field(ErrorReason::ConflictingForms, field, message)
            }
            Error::InvalidValue { field, message } => {
                at_field(ErrorReason::InvalidArgumentValue, field, message)
            }
            Error::InvalidFilter { field, message } => at_field(ErrorReason::InvalidFilter, field, message),
            Error::InvalidPageSize { page_size } => at_field(
                ErrorReason::InvalidPageSize,
                "page_size".to_owned(),
                format!("the page size {page_size} is negative"),
            ),
            Error::InvalidPageToken => page_token(
                ErrorReason::InvalidPageToken,
                "the page token is damaged or not from this service",
            ),
            Error::PageTokenMismatch => {
                page_token(ErrorReason::PageTokenMismatch, "the page token belongs to another request")
            }
            Error::PageTokenExpired => page_token(
                ErrorReason::PageTokenExpired,
                "the page token is of an older order of moves: begin with the first page",
            ),
            Error::RequestTooLarge { field, bytes, most } => at_field(
                ErrorReason::RequestTooLarge,
                field,
                format!("the request has {bytes} bytes, and none that can be judged has more than {most}"),
            ),
            Error::TooManyMoves { count } => at_field(
                ErrorReason::TooManyMoves,
                "moves".to_owned(),
                format!("{count} moves are more than one call replays"),
            ),
            Error::DistinctTooLarge => plain(
                Code::ResourceExhausted,
                ErrorReason::DistinctTooLarge,
                "the moves lead to more positions than are remembered to tell them apart",
            ),
            Error::Busy => BUSY.clone(),
            Error::Stopped => plain(
                Code::DeadlineExceeded,
                ErrorReason::DeadlineExceeded,
                "the time for the call is over, or the caller left",
            ),
            Error::Internal { message } => {
                plain(Code::Internal, ErrorReason::Internal, &format!("a defect of the service: {message}"))
            }
        }
    }
}

/// The answer of a call whose handler panicked.
pub fn panicked() -> Response<Body> {
    Status::from(Error::Internal { message: "the handler panicked".to_owned() }).into_http()
}

/// The answer of a health check to a name that is not the service's.
pub fn no_such_service() -> Status {
    Status::not_found("there is no such service")
}

/// The end of what goes on until the service ends.
pub fn going_away() -> Status {
    plain(Code::Unavailable, ErrorReason::Unavailable, "the service is stopping")
}

/// The code and the reason of a call that ended with these headers or trailers; no reason where all is well.
pub fn verdict(headers: &HeaderMap) -> (Code, Option<String>) {
    // Most calls are well, and then the code is all that there is to read.
    match headers.get(Status::GRPC_STATUS).map(|code| Code::from_bytes(code.as_bytes())) {
        Some(Code::Ok) => (Code::Ok, None),
        _ => Status::from_header_map(headers)
            .map_or((Code::Unknown, None), |status| (status.code(), reason(&status))),
    }
}

/// The reason in the details of an error of ours.
fn reason(status: &Status) -> Option<String> {
    let info = status.get_details_error_info()?;
    (info.domain == DOMAIN).then_some(info.reason)
}

/// All reasons that there are.
pub fn reasons() -> impl Iterator<Item = &'static str> {
    (1..).map_while(|number| ErrorReason::try_from(number).ok()).map(name)
}

/// Bytes that are no message of the type.
pub(super) fn undecodable(message: &str) -> Status {
    let message = format!("the request is no message of its type: {message}");
    plain(Code::InvalidArgument, ErrorReason::UndecodableRequest, &message)
}

/// The status of a request that the transport refused, with the reason that the contract has for it; none for a status
/// that has its reason, or that the contract does not speak of.
pub(super) fn of_transport(status: &Status) -> Option<Status> {
    if !status.details().is_empty() {
        None
    } else if status.code() == Code::OutOfRange {
        Some(plain(Code::OutOfRange, ErrorReason::RequestTooLarge, status.message()))
    } else if status.code() == Code::Internal {
        // Frames that are none, or no message at all. A defect of ours has its reason.
        Some(undecodable(status.message()))
    } else {
        None
    }
}

fn plain(code: Code, reason: ErrorReason, message: &str) -> Status {
    let mut details = ErrorDetails::new();
    details.set_error_info(name(reason), DOMAIN, HashMap::new());
    Status::with_error_details(code, cut(message), details)
}

/// A busy service answers this to many calls and has no time, so it is made once.
static BUSY: LazyLock<Status> = LazyLock::new(|| {
    let mut details = ErrorDetails::new();
    details.set_error_info(name(ErrorReason::Busy), DOMAIN, HashMap::new());
    details.set_retry_info(Some(RETRY_AFTER));
    let message = "the service is busy: try again later";
    Status::with_error_details(Code::ResourceExhausted, message, details)
});

fn page_token(reason: ErrorReason, message: &str) -> Status {
    at_field(reason, "page_token".to_owned(), message.to_owned())
}

fn at_field(reason: ErrorReason, field: String, message: String) -> Status {
    let summary = format!("{field}: {message}");
    invalid_argument(reason, &summary, HashMap::new(), vec![(field, message)])
}

fn invalid_position(faults: Vec<FieldFault>) -> Status {
    let mut codes: Vec<&str> = Vec::new();
    for FieldFault { fault, .. } in &faults {
        let code = fault_name(fault.code);
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    let metadata = HashMap::from([("faults".to_owned(), codes.join(","))]);
    let first = faults.first().map(|first| first.fault.message.as_str()).unwrap_or_default();
    let summary = match faults.len() {
        1 => format!("the position is invalid: {first}"),
        count => format!("the position has {count} faults; the first: {first}"),
    };
    let violations = faults
        .into_iter()
        .map(|FieldFault { field, fault }| (field, format!("{}: {}", fault_name(fault.code), fault.message)))
        .collect();
    invalid_argument(ErrorReason::InvalidPosition, &summary, metadata, violations)
}

fn invalid_argument(
    reason: ErrorReason,
    message: &str,
    metadata: HashMap<String, String>,
    mut violations: Vec<(String, String)>,
) -> Status {
    violations.truncate(MAX_VIOLATIONS);
    loop {
        let mut details = ErrorDetails::new();
        details.set_error_info(name(reason), DOMAIN, metadata.clone());
        for (field, sentence) in &violations {
            details.add_bad_request_violation(cut(field), cut(sentence));
        }
        let status = Status::with_error_details(Code::InvalidArgument, cut(message), details);
        if status.details().len() <= MAX_DETAILS || violations.pop().is_none() {
            return status;
        }
    }
}

/// The name of a reason without its prefix.
fn name(reason: ErrorReason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix("ERROR_REASON_").unwrap_or(name)
}

/// Cuts a text to what an error may hold, and takes out what a header cannot.
fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_TEXT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The name of a fault, without its prefix.
fn fault_name(code: FaultCode) -> &'static str {
    let fault = match code {
        FaultCode::TooManyKings => PositionFault::TooManyKings,
        FaultCode::MissingKing => PositionFault::MissingKing,
        FaultCode::PawnOnBackRank => PositionFault::PawnOnBackRank,
        FaultCode::TooManyPawns => PositionFault::TooManyPawns,
        FaultCode::TooManyPieces => PositionFault::TooManyPieces,
        FaultCode::BadCastlingRight => PositionFault::BadCastlingRight,
        FaultCode::BadEnPassant => PositionFault::BadEnPassant,
        FaultCode::OpponentInCheck => PositionFault::OpponentInCheck,
        FaultCode::BadBoardCount => PositionFault::BadBoardCount,
        FaultCode::BadBoardSize => PositionFault::BadBoardSize,
        FaultCode::UnknownPiece => PositionFault::UnknownPiece,
        FaultCode::PieceOnWrongBoard => PositionFault::PieceOnWrongBoard,
        FaultCode::BadTwinGroup => PositionFault::BadTwinGroup,
        FaultCode::UniverseWithoutKings => PositionFault::UniverseWithoutKings,
        FaultCode::BothLost => PositionFault::BothLost,
        FaultCode::BadClock => PositionFault::BadClock,
        FaultCode::BadTurn => PositionFault::BadTurn,
        FaultCode::BadArmy => PositionFault::BadArmy,
        FaultCode::BadFields => PositionFault::BadFields,
    };
    let name = fault.as_str_name();
    name.strip_prefix("POSITION_FAULT_").unwrap_or(name)
}
