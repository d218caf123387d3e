//! The codec of all methods: prost's, but a request that is too large or no message of its type is the caller's fault.
//!
//! The decoder cannot know which side it is on, so a client of this crate, too, sees an undecodable response so.

use prost::bytes::Buf;
use prost::{Message, Name};
use tonic::codec::{DecodeBuf, Decoder};
use tonic::{Status, codec};
use tonic_prost::{ProstCodec, ProstDecoder, ProstEncoder};

use super::{request_size, status};

/// prost's codec with decoding errors as `INVALID_ARGUMENT`.
#[derive(Debug)]
pub struct Codec<T, U>(ProstCodec<T, U>);

impl<T, U> Default for Codec<T, U> {
    fn default() -> Self {
        Self(ProstCodec::default())
    }
}

impl<T, U> codec::Codec for Codec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Name + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ProstEncoder<T>;
    type Decoder = Undecodable<U>;

    fn encoder(&mut self) -> Self::Encoder {
        self.0.encoder()
    }

    fn decoder(&mut self) -> Self::Decoder {
        Undecodable(self.0.decoder())
    }
}

/// prost's decoder with its errors as the caller's.
#[derive(Debug)]
pub struct Undecodable<U>(ProstDecoder<U>);

impl<U: Message + Name + Default> Decoder for Undecodable<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, bytes: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        // The buffer holds the message, whole and in one piece.
        request_size::check::<U>(bytes.chunk())?;
        self.0.decode(bytes).map_err(|error| status::undecodable(error.message()))
    }
}
