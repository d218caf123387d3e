//! One attempt at a call on one connection, and what gRPC makes of its end.

use bytes::{Buf, Bytes, BytesMut};
use h2::client::{ResponseFuture, SendRequest};
use h2::{Reason, RecvStream};
use http::{HeaderMap, Request, StatusCode};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::kinds::{Check, Kind};

/// How an attempt, or a call, ended.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) code: Code,
    /// An answer with the code OK that is not what it must be.
    pub(crate) is_wrong: bool,
    /// The reason in the status's `ErrorInfo`.
    pub(crate) reason: Option<String>,
    /// Whether the status says when to try again.
    pub(crate) has_retry_info: bool,
    pub(crate) message: String,
    /// The server has not looked at the call, so that it can be tried again whatever the policy is.
    pub(crate) is_unseen: bool,
    /// The answer had begun, so that the call cannot be tried again.
    pub(crate) is_committed: bool,
}

impl End {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            is_wrong: false,
            reason: None,
            has_retry_info: false,
            message: message.into(),
            is_unseen: false,
            is_committed: false,
        }
    }

    /// The name of the code in reports.
    pub(crate) fn name(&self) -> &'static str {
        if self.is_wrong { "WRONG_ANSWER" } else { code_name(self.code) }
    }

    pub(crate) fn is_good(&self) -> bool {
        self.code == Code::Ok && !self.is_wrong
    }

    fn of_status(status: &Status) -> Self {
        let details = status.get_error_details();
        Self {
            reason: details.error_info().map(|info| info.reason.clone()),
            has_retry_info: details.retry_info().is_some(),
            ..Self::new(status.code(), status.message())
        }
    }

    /// What an error of HTTP/2 means: the codes of streams as gRPC's protocol lists them, and UNAVAILABLE for a
    /// connection that was lost.
    fn of_error(error: &h2::Error) -> Self {
        let message = error.to_string();
        if error.is_go_away() && error.is_remote() {
            // Streams that the server may have looked at end otherwise.
            return Self { is_unseen: true, ..Self::new(Code::Unavailable, message) };
        }
        if !error.is_reset() {
            return Self::new(Code::Unavailable, message);
        }
        match error.reason() {
            Some(Reason::REFUSED_STREAM) => Self { is_unseen: true, ..Self::new(Code::Unavailable, message) },
            Some(Reason::CANCEL) => Self::new(Code::Cancelled, message),
            Some(Reason::ENHANCE_YOUR_CALM) => Self::new(Code::ResourceExhausted, message),
            Some(Reason::INADEQUATE_SECURITY) => Self::new(Code::PermissionDenied, message),
            _ => Self::new(Code::Internal, message),
        }
    }
}

/// Makes the call on a connection.
pub(crate) async fn attempt(sender: SendRequest<Bytes>, kind: &Kind, request: Request<()>) -> End {
    let sent = match sender.ready().await {
        Ok(mut sender) => sender.send_request(request, false),
        Err(error) => Err(error),
    };
    let (response, mut stream) = match sent {
        Ok(sent) => sent,
        // The connection was lost before.
        Err(error) => return End { is_unseen: true, ..End::of_error(&error) },
    };
    let mut is_committed = false;
    let ended = match stream.send_data(kind.frame.clone(), true) {
        Ok(()) => answer(response, kind, &mut is_committed).await,
        Err(error) => Err(error),
    };
    let end = ended.unwrap_or_else(|error| End::of_error(&error));
    End { is_committed, is_unseen: end.is_unseen && !is_committed, ..end }
}

/// Reads the answer, and says when its first headers have come that are not also its last.
async fn answer(response: ResponseFuture, kind: &Kind, is_committed: &mut bool) -> Result<End, h2::Error> {
    let (head, mut body) = response.await?.into_parts();
    if head.status != StatusCode::OK {
        return Ok(of_http(head.status));
    }
    if let Some(end) = of_headers(&head.headers) {
        return Ok(end);
    }
    *is_committed = true;
    let mut check = kind.check();
    read(&mut body, &mut check).await?;
    let trailers = body.trailers().await?.unwrap_or_default();
    let mut end =
        of_headers(&trailers).unwrap_or_else(|| End::new(Code::Unknown, "the answer has no status"));
    end.is_wrong = end.code == Code::Ok && !check.is_right();
    Ok(end)
}

/// Reads the messages of an answer.
async fn read(body: &mut RecvStream, check: &mut Check) -> Result<(), h2::Error> {
    let mut buffer = BytesMut::new();
    while let Some(data) = body.data().await {
        let data = data?;
        body.flow_control().release_capacity(data.len())?;
        buffer.extend_from_slice(&data);
        while let Some(message) = take_message(&mut buffer) {
            check.message(message);
        }
    }
    Ok(())
}

/// Takes a message that is there as a whole: a flag, a length of four bytes, and as many bytes.
fn take_message(buffer: &mut BytesMut) -> Option<Bytes> {
    let length = u32::from_be_bytes(buffer.get(1..5)?.try_into().ok()?) as usize;
    if buffer.len() < 5 + length {
        return None;
    }
    buffer.advance(5);
    Some(buffer.split_to(length).freeze())
}

fn of_headers(headers: &HeaderMap) -> Option<End> {
    Status::from_header_map(headers).map(|status| End::of_status(&status))
}

/// What an answer that is not gRPC's means, for example a proxy's, as gRPC's protocol says.
fn of_http(status: StatusCode) -> End {
    let code = match status.as_u16() {
        400 => Code::Internal,
        401 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 => Code::Unimplemented,
        429 | 502 | 503 | 504 => Code::Unavailable,
        _ => Code::Unknown,
    };
    End::new(code, format!("HTTP status {status}"))
}

/// The name of a code as the protocol writes it.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_taken_when_they_are_whole() {
        let mut buffer = BytesMut::from(&b"\0\0\0\0\x02ab\0\0\0\0\0\0\0\0\0\x01"[..]);
        assert_eq!(take_message(&mut buffer).as_deref(), Some(&b"ab"[..]));
        assert_eq!(take_message(&mut buffer).as_deref(), Some(&b""[..]));
        assert_eq!(take_message(&mut buffer), None);
        buffer.extend_from_slice(b"c");
        assert_eq!(take_message(&mut buffer).as_deref(), Some(&b"c"[..]));
        assert_eq!(take_message(&mut buffer), None);
    }

    #[test]
    fn an_end_on_the_wire_has_the_code_that_grpc_gives_it() {
        assert_eq!(of_http(StatusCode::SERVICE_UNAVAILABLE).name(), "UNAVAILABLE");
        assert_eq!(of_http(StatusCode::IM_A_TEAPOT).name(), "UNKNOWN");
        let reset = End::of_error(&h2::Error::from(Reason::REFUSED_STREAM));
        // An error made from a reason alone is no reset that came from a server.
        assert!(!reset.is_unseen);
        let mut headers = HeaderMap::new();
        assert!(of_headers(&headers).is_none());
        headers.insert("grpc-status", http::HeaderValue::from_static("8"));
        let end = of_headers(&headers);
        assert_eq!(end.as_ref().map(End::name), Some("RESOURCE_EXHAUSTED"));
        assert_eq!(end.and_then(|end| end.reason), None);
    }
}
