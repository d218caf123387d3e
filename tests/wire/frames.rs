//! HTTP/2 by hand, for what no client library would do: frames are sent as told, and nothing is answered by itself.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::server::soon;

pub const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Kinds of frames.
pub const DATA: u8 = 0;
pub const HEADERS: u8 = 1;
pub const RST_STREAM: u8 = 3;
pub const SETTINGS: u8 = 4;
pub const PING: u8 = 6;
pub const GOAWAY: u8 = 7;
pub const WINDOW_UPDATE: u8 = 8;

/// Flags of frames.
pub const END_STREAM: u8 = 1;
pub const ACK: u8 = 1;
pub const END_HEADERS: u8 = 4;

/// Settings.
pub const MAX_CONCURRENT_STREAMS: u16 = 3;
pub const INITIAL_WINDOW_SIZE: u16 = 4;
pub const MAX_HEADER_LIST_SIZE: u16 = 6;

/// Reasons.
pub const NO_ERROR: u32 = 0;
pub const REFUSED_STREAM: u32 = 7;
pub const CANCEL: u32 = 8;
pub const ENHANCE_YOUR_CALM: u32 = 11;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    pub kind: u8,
    pub flags: u8,
    pub stream: u32,
    pub payload: Vec<u8>,
}

impl Frame {
    pub fn new(kind: u8, flags: u8, stream: u32, payload: impl Into<Vec<u8>>) -> Self {
        Self { kind, flags, stream, payload: payload.into() }
    }

    /// The headers of a call.
    pub fn headers(stream: u32, path: &str) -> Self {
        // POST and http stand in HPACK's table; the others are written out.
        let mut block = vec![0x83, 0x86];
        for (name, value) in [
            (":path", path),
            (":authority", "arbiter"),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
        ] {
            block.push(0);
            for text in [name, value] {
                // A length of more than this takes another form.
                assert!(text.len() < 127);
                block.push(text.len() as u8);
                block.extend(text.bytes());
            }
        }
        Self::new(HEADERS, END_HEADERS, stream, block)
    }

    /// A whole message of a call, and its end.
    pub fn message(stream: u32, message: &[u8]) -> Self {
        Self::new(DATA, END_STREAM, stream, crate::raw::frame(message))
    }

    pub fn reset(stream: u32) -> Self {
        Self::new(RST_STREAM, 0, stream, CANCEL.to_be_bytes())
    }

    /// Room for so many more bytes.
    pub fn window(stream: u32, bytes: u32) -> Self {
        Self::new(WINDOW_UPDATE, 0, stream, bytes.to_be_bytes())
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = (self.payload.len() as u32).to_be_bytes()[1..].to_vec();
        bytes.extend([self.kind, self.flags]);
        bytes.extend(self.stream.to_be_bytes());
        bytes.extend(&self.payload);
        bytes
    }

    /// The last four bytes of the first eight or fewer: the reason of a reset or of a farewell.
    pub fn reason(&self) -> u32 {
        let at = if self.kind == GOAWAY { 4 } else { 0 };
        u32::from_be_bytes(self.payload[at..at + 4].try_into().unwrap())
    }

    /// The value of a setting.
    pub fn setting(&self, id: u16) -> Option<u32> {
        self.payload.chunks(6).find_map(|setting| {
            let (name, value) = setting.split_at(2);
            (name == id.to_be_bytes()).then(|| u32::from_be_bytes(value.try_into().unwrap()))
        })
    }
}

pub struct Frames {
    stream: TcpStream,
}

impl Frames {
    /// A connection with these settings.
    pub async fn connect(address: SocketAddr, settings: &[(u16, u32)]) -> Self {
        Self::over(TcpStream::connect(address).await.unwrap(), settings).await
    }

    pub async fn over(mut stream: TcpStream, settings: &[(u16, u32)]) -> Self {
        stream.write_all(PREFACE).await.unwrap();
        let mut this = Self { stream };
        let settings: Vec<u8> = settings
            .iter()
            .flat_map(|(id, value)| [&id.to_be_bytes()[..], &value.to_be_bytes()].concat())
            .collect();
        assert!(this.send(&[Frame::new(SETTINGS, 0, 0, settings)]).await);
        this
    }

    /// Sends frames, in one piece; whether the connection took them.
    pub async fn send(&mut self, frames: &[Frame]) -> bool {
        let bytes: Vec<u8> = frames.iter().flat_map(Frame::bytes).collect();
        self.stream.write_all(&bytes).await.is_ok()
    }

    /// Sends a whole call.
    pub async fn ask(&mut self, stream: u32, path: &str, message: &[u8]) {
        assert!(self.send(&[Frame::headers(stream, path), Frame::message(stream, message)]).await);
    }

    /// The next frame; none when the connection has ended.
    pub async fn next(&mut self) -> Option<Frame> {
        soon(async {
            let mut head = [0; 9];
            self.stream.read_exact(&mut head).await.ok()?;
            let [a, b, c, kind, flags, stream @ ..] = head;
            let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
            self.stream.read_exact(&mut payload).await.ok()?;
            Some(Frame { kind, flags, stream: u32::from_be_bytes(stream), payload })
        })
        .await
    }

    /// The first frame of a kind, passing over others; none when the connection ends before.
    pub async fn first(&mut self, kind: u8) -> Option<Frame> {
        loop {
            let frame = self.next().await?;
            if frame.kind == kind {
                return Some(frame);
            }
        }
    }

    /// Reads a stream to its end: the reason of its reset, or none where it ended well.
    pub async fn end_of(&mut self, stream: u32) -> Option<u32> {
        loop {
            let frame = self.next().await.expect("the connection goes on");
            if frame.stream != stream {
                continue;
            }
            match frame.kind {
                RST_STREAM => return Some(frame.reason()),
                DATA | HEADERS if frame.flags & END_STREAM != 0 => return None,
                _ => {}
            }
        }
    }

    /// Reads to the end of the connection: whether it was an end, and not a break in which what was sent last is lost.
    pub async fn ends_well(&mut self) -> bool {
        let mut rest = Vec::new();
        soon(self.stream.read_to_end(&mut rest)).await.is_ok()
    }

    /// Waits until the other side has closed the connection.
    pub async fn closed(&mut self) {
        while self.next().await.is_some() {}
    }
}
