//! A plain HTTP/2 client, which sends what it is told and shows what comes back.

use std::net::SocketAddr;

use bytes::Bytes;
use h2::client::{self, SendRequest};
use h2::{Reason, RecvStream};
use http::{HeaderMap, Method, Request, StatusCode};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tonic::{Code, Status};

/// A connection.
#[derive(Clone)]
pub struct Raw {
    send: SendRequest<Bytes>,
    address: SocketAddr,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub http: StatusCode,
    pub headers: HeaderMap,
    pub data: Vec<u8>,
    pub trailers: HeaderMap,
    /// Why the server broke off, if it did.
    pub reset: Option<Reason>,
}

impl Answer {
    /// The status, from the trailers or, where there is nothing else, from the headers.
    pub fn status(&self) -> Status {
        Status::from_header_map(&self.trailers)
            .or_else(|| Status::from_header_map(&self.headers))
            .unwrap_or_else(|| panic!("no status: {self:?}"))
    }

    /// The only message.
    pub fn message<T: Message + Default>(&self) -> T {
        assert_eq!(self.status().code(), Code::Ok);
        T::decode(&self.data[5..]).unwrap()
    }
}

impl Raw {
    pub async fn connect(address: SocketAddr) -> Self {
        Self::with_window(address, 1 << 20).await
    }

    /// A connection each of whose streams takes no more bytes than this until it has read them.
    pub async fn with_window(address: SocketAddr, window: u32) -> Self {
        let socket = TcpStream::connect(address).await.unwrap();
        Self::over(socket, address, window).await.unwrap()
    }

    /// A connection over this stream.
    pub async fn over<S>(stream: S, address: SocketAddr, window: u32) -> Result<Self, h2::Error>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (send, connection) = client::Builder::new()
            .initial_window_size(window)
            .initial_connection_window_size(1 << 20)
            .handshake(stream)
            .await?;
        // It ends when the server goes away, which the calls see as well.
        tokio::spawn(async move {
            let _ = connection.await;
        });
        Ok(Self { send, address })
    }

    /// Whether the connection takes another call.
    pub async fn takes_calls(&self) -> bool {
        self.send.clone().ready().await.is_ok()
    }

    /// Opens a call and sends these pieces of a body; `ends` says whether that is all.
    pub async fn open(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        pieces: Vec<Bytes>,
        ends: bool,
    ) -> Result<(client::ResponseFuture, h2::SendStream<Bytes>), h2::Error> {
        self.open_as("application/grpc", path, headers, pieces, ends).await
    }

    /// Opens a call of another content type.
    pub async fn open_as(
        &self,
        content_type: &str,
        path: &str,
        headers: &[(&str, &str)],
        pieces: Vec<Bytes>,
        ends: bool,
    ) -> Result<(client::ResponseFuture, h2::SendStream<Bytes>), h2::Error> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(format!("http://{}{path}", self.address))
            .header("te", "trailers")
            .header("content-type", content_type);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let is_empty = pieces.is_empty() && ends;
        let (response, mut body) =
            self.send.clone().ready().await?.send_request(request.body(()).unwrap(), is_empty)?;
        let count = pieces.len();
        for (index, piece) in pieces.into_iter().enumerate() {
            // The server may have answered and closed the stream before it read all.
            if body.send_data(piece, ends && index + 1 == count).is_err() {
                break;
            }
        }
        Ok((response, body))
    }

    /// A whole call with this body.
    pub async fn call(&self, path: &str, headers: &[(&str, &str)], body: impl Into<Bytes>) -> Answer {
        let body = body.into();
        let pieces = if body.is_empty() { Vec::new() } else { vec![body] };
        let (response, _body) = self.open(path, headers, pieces, true).await.unwrap();
        Self::answer(response).await.unwrap()
    }

    /// The answer to a call, to its end.
    pub async fn answer(response: client::ResponseFuture) -> Result<Answer, h2::Error> {
        let (parts, mut body) = response.await?.into_parts();
        let mut answer = Answer {
            http: parts.status,
            headers: parts.headers,
            data: Vec::new(),
            trailers: HeaderMap::new(),
            reset: None,
        };
        loop {
            match next_data(&mut body).await {
                Some(Ok(data)) => answer.data.extend_from_slice(&data),
                // An answer to a request that was not read to its end is followed by such a reset.
                Some(Err(error)) => {
                    answer.reset = error.reason().filter(|reason| *reason != Reason::NO_ERROR);
                    return Ok(answer);
                }
                None => break,
            }
        }
        if let Ok(Some(trailers)) = body.trailers().await {
            answer.trailers = trailers;
        }
        Ok(answer)
    }

    /// A whole call of a method of the service with this message.
    pub async fn ask(&self, method: &str, message: &impl Message) -> Answer {
        self.call(&path(method), &[], frame(&message.encode_to_vec())).await
    }
}

/// A client that connects again when its connection takes no more calls, as gRPC's clients do.
pub struct Reconnecting {
    raw: Raw,
    pub connections: usize,
}

impl Reconnecting {
    pub async fn new(address: SocketAddr) -> Self {
        Self { raw: Raw::connect(address).await, connections: 1 }
    }

    /// A whole call with this body, which must not be lost.
    pub async fn call(&mut self, path: &str, body: &Bytes) -> Answer {
        loop {
            if let Ok((response, _body)) = self.raw.open(path, &[], vec![body.clone()], true).await {
                match Raw::answer(response).await {
                    Ok(answer) => return answer,
                    // By this the server says that it has not begun with the call, so it can be made elsewhere.
                    Err(error) => assert!(
                        error.is_go_away() && error.is_remote() && error.reason() == Some(Reason::NO_ERROR),
                        "a call was lost: {error}"
                    ),
                }
            }
            self.raw = Raw::connect(self.raw.address).await;
            self.connections += 1;
        }
    }
}

/// The next bytes, and room for as many more.
pub async fn next_data(body: &mut RecvStream) -> Option<Result<Bytes, h2::Error>> {
    let data = body.data().await?;
    if let Ok(data) = &data {
        // A stream that was reset takes no more.
        let _ = body.flow_control().release_capacity(data.len());
    }
    Some(data)
}

/// The path of a method of the service.
pub fn path(method: &str) -> String {
    format!("/arbiter.v1.ArbiterService/{method}")
}

/// A message with its five bytes of frame.
pub fn frame(message: &[u8]) -> Bytes {
    let mut bytes = vec![0];
    bytes.extend((message.len() as u32).to_be_bytes());
    bytes.extend(message);
    bytes.into()
}

/// The methods of the service.
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
