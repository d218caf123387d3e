//! Page tokens: a place in a list, bound to the request that it belongs to.
//!
//! A token is URL-safe base64 of: the token's version, the version of the order of lists, 8 bytes that name the
//! request, the move text of the last item had, and 4 bytes that show damage. It grants nothing, so nothing is signed:
//! a place is judged like a move of a request.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::error::Error;

/// The version of the form described above.
const VERSION: u8 = 1;

/// The version of the order of moves and steps. A new order makes older tokens useless, so it has a new version.
const ORDER: u8 = 1;

/// Names a request: its method, position and all else that the list depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Request([u8; 8]);

impl Request {
    /// The name of the request of these parts.
    pub(super) fn new(parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Self(first_bytes(&hash.finalize()))
    }
}

/// The token of the place after `place`, in the list of `request`.
pub(super) fn write(request: Request, place: &str) -> String {
    let mut bytes = vec![VERSION, ORDER];
    bytes.extend(request.0);
    bytes.extend(place.as_bytes());
    bytes.extend(check(&bytes));
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The place of a token of `request`.
pub(super) fn read(request: Request, token: &str) -> Result<String, Error> {
    let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| Error::InvalidPageToken)?;
    let (content, sum) = bytes.split_last_chunk::<4>().ok_or(Error::InvalidPageToken)?;
    if check(content) != *sum {
        return Err(Error::InvalidPageToken);
    }
    let [version, order, rest @ ..] = content else { return Err(Error::InvalidPageToken) };
    if *version != VERSION {
        return Err(Error::InvalidPageToken);
    }
    if *order != ORDER {
        return Err(Error::PageTokenExpired);
    }
    let (name, place) = rest.split_first_chunk::<8>().ok_or(Error::InvalidPageToken)?;
    if *name != request.0 {
        return Err(Error::PageTokenMismatch);
    }
    String::from_utf8(place.to_vec()).map_err(|_| Error::InvalidPageToken)
}

fn check(bytes: &[u8]) -> [u8; 4] {
    first_bytes(&Sha256::digest(bytes))
}

fn first_bytes<const N: usize>(hash: &[u8]) -> [u8; N] {
    std::array::from_fn(|index| hash.get(index).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_by_its_request_only() {
        let request = Request::new(&["LegalMoves", "a", "bc"]);
        let token = write(request, "e2e4");
        assert_eq!(read(request, &token).ok().as_deref(), Some("e2e4"));
        let other = Request::new(&["LegalMoves", "ab", "c"]);
        assert!(matches!(read(other, &token), Err(Error::PageTokenMismatch)));
    }

    #[test]
    fn any_change_of_a_token_is_seen() {
        let request = Request::new(&["LegalMoves"]);
        let token = write(request, "A:e2e4/B:g1f3");
        for index in 0..token.len() {
            for letter in ['A', 'b', '7', '_', '=', '!'] {
                let mut damaged: Vec<char> = token.chars().collect();
                if damaged[index] == letter {
                    continue;
                }
                damaged[index] = letter;
                let damaged: String = damaged.into_iter().collect();
                assert!(matches!(read(request, &damaged), Err(Error::InvalidPageToken)), "{damaged}");
            }
        }
    }

    #[test]
    fn a_token_of_another_order_has_expired() {
        let request = Request::new(&["LegalMoves"]);
        let mut bytes = vec![VERSION, ORDER + 1];
        bytes.extend(request.0);
        bytes.extend(b"e2e4");
        bytes.extend(check(&bytes));
        let token = URL_SAFE_NO_PAD.encode(bytes);
        assert!(matches!(read(request, &token), Err(Error::PageTokenExpired)));
    }
}
