//! The kinds of calls: what is sent, and how an answer is checked without much work.

use std::str::FromStr;

use arbiter::grpc::v1;
use bytes::{BufMut, Bytes, BytesMut};
use prost::Message;

/// What `--help` says about kinds.
pub(crate) const HELP: &str = "\
Kinds of calls, and what stands for WHAT (the first if none is given):
  single:VARIANT   ApplyMove of a first move in chess or any other variant
  status:VARIANT   GameStatus of the initial position
  list:SIZE        LegalMoves, a page of 1000 or SIZE moves, from a list of 1,987,067
  count:POSITION   LegalMoves, the number of moves alone, in extreme, extreme-half or universes
  stream:POSITION  StreamLegalMoves to its end, in universes, extreme-half or extreme";

/// A first move of each variant.
const FIRST_MOVES: [(&str, &str); 8] = [
    ("chess", "e2e4"),
    ("gamma2", "f2e3"),
    ("bordahbee", "A:e2e4/B:g1f3"),
    ("doppelganger", "e2e4"),
    ("doppelganger-bordahbee", "A:e2e4/B:g1f3"),
    ("doppelganger-bordahbee-extreme", "A:e2e4/B:g1f3"),
    ("influence", "A:b3b2"),
    ("three-universes", "R:b1a3/G:e2e4"),
];

/// A position with many moves, the board to which first steps are narrowed, and how many moves there are then.
struct Place {
    name: &'static str,
    variant: &'static str,
    fen: &'static str,
    board: &'static str,
    moves: u64,
}

/// Made up for a long list.
const EXTREME: &str = "4N3/1pnPRp1P/B1P1R1pP/1pNp3k/2B1Pp1p/P1Pq4/2KPp3/Q6b|\
                       2N1b3/p1Q5/1pnp1Pp1/PNP1K1pB/4PppP/1Pp2q2/R2PP1B1/R3k3 w -|- -|- 0 30";

/// A middlegame.
const UNIVERSES: &str = "r1bqkbnr/pppppN2/n7/5pp1/1PP4p/8/P2PPPPP/RNBQKB1R|\
                         rnb1kbnr/ppp3pp/1q6/3ppp2/P7/N2P1P2/RPP1P1PP/2BQKBNR|\
                         rnb1kb1r/1ppqpppp/5n2/p2p4/1P1P2PP/7N/P1P1PP2/RNBQKB1R b -|-|- -|-|- 1 10";

const PLACES: [Place; 3] = [
    Place {
        name: "extreme",
        variant: "doppelganger-bordahbee-extreme",
        fen: EXTREME,
        board: "",
        moves: 1_987_067,
    },
    Place {
        name: "extreme-half",
        variant: "doppelganger-bordahbee-extreme",
        fen: EXTREME,
        board: "A",
        moves: 993_049,
    },
    Place { name: "universes", variant: "three-universes", fen: UNIVERSES, board: "", moves: 6_248 },
];

/// The most moves of a page.
const MAX_PAGE: i32 = 10_000;

/// A page is also cut at 1 MiB. One that is larger than this was.
const CUT_PAGE_BYTES: usize = 900 << 10;

/// A kind of call.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// Its name, with all that it takes.
    pub(crate) name: String,
    /// The path of the method.
    pub(crate) path: &'static str,
    /// The request as gRPC frames it.
    pub(crate) frame: Bytes,
    /// What the answer must be.
    expected: Expected,
}

/// A kind of call and how much of the mix it is.
#[derive(Clone, Debug)]
pub(crate) struct Weighted {
    pub(crate) kind: Kind,
    pub(crate) weight: u32,
}

/// What an answer must be.
#[derive(Clone, Copy, Debug)]
enum Expected {
    /// A legal move.
    Legal,
    /// A game that goes on.
    Ongoing,
    /// So many moves, counted by the service.
    Count(u64),
    /// A page of so many moves, or one that was cut by its bytes.
    Page(u64),
    /// So many moves, all messages together.
    Stream(u64),
}

/// An answer that is being checked, message by message.
#[derive(Debug)]
pub(crate) struct Check {
    expected: Expected,
    messages: u64,
    moves: u64,
    is_wrong: bool,
}

/// A message with moves that are left undecoded: decoding them would cost more than all else that is done here.
#[derive(Clone, PartialEq, prost::Message)]
struct Moves {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    moves: Vec<Bytes>,
    #[prost(uint64, tag = "3")]
    total_size: u64,
}

impl Kind {
    fn new(name: String, method: &str, request: &impl Message, expected: Expected) -> Self {
        let path = match method {
            "ApplyMove" => "/arbiter.v1.ArbiterService/ApplyMove",
            "GameStatus" => "/arbiter.v1.ArbiterService/GameStatus",
            "LegalMoves" => "/arbiter.v1.ArbiterService/LegalMoves",
            _ => "/arbiter.v1.ArbiterService/StreamLegalMoves",
        };
        Self { name, path, frame: framed(request), expected }
    }

    /// The check of an answer that begins.
    pub(crate) fn check(&self) -> Check {
        Check { expected: self.expected, messages: 0, moves: 0, is_wrong: false }
    }
}

impl FromStr for Weighted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, weight) = text.split_once('=').unwrap_or((text, "1"));
        let weight = weight.parse().ok().filter(|weight| (1..=1_000_000).contains(weight));
        let weight = weight.ok_or_else(|| "a weight is a number from 1 to 1,000,000".to_owned())?;
        let (kind, what) = kind.split_once(':').unwrap_or((kind, ""));
        let kind = match kind {
            "single" => single(or(what, "chess"))?,
            "status" => status(or(what, "chess"))?,
            "list" => list(or(what, "1000"))?,
            "count" => count(place(or(what, "extreme"))?),
            "stream" => stream(place(or(what, "universes"))?),
            _ => return Err(format!("there is no kind {kind:?}")),
        };
        Ok(Self { kind, weight })
    }
}

fn or<'a>(what: &'a str, default: &'a str) -> &'a str {
    if what.is_empty() { default } else { what }
}

fn single(variant: &str) -> Result<Kind, String> {
    let (id, text) = first_move(variant)?;
    let request = v1::ApplyMoveRequest {
        position: Some(v1::Position { variant: id.to_owned(), ..Default::default() }),
        r#move: Some(v1::Move { text: text.to_owned(), ..Default::default() }),
        ..Default::default()
    };
    Ok(Kind::new(format!("single:{id}"), "ApplyMove", &request, Expected::Legal))
}

fn status(variant: &str) -> Result<Kind, String> {
    let (id, _) = first_move(variant)?;
    let position = Some(v1::Position { variant: id.to_owned(), ..Default::default() });
    let request = v1::GameStatusRequest { position };
    Ok(Kind::new(format!("status:{id}"), "GameStatus", &request, Expected::Ongoing))
}

fn list(size: &str) -> Result<Kind, String> {
    let page_size: i32 = size
        .parse()
        .ok()
        .filter(|size| (1..=MAX_PAGE).contains(size))
        .ok_or_else(|| format!("a page has from 1 to {MAX_PAGE} moves"))?;
    let request =
        v1::LegalMovesRequest { position: Some(PLACES[0].position()), page_size, ..Default::default() };
    let expected = Expected::Page(page_size.unsigned_abs().into());
    Ok(Kind::new(format!("list:{page_size}"), "LegalMoves", &request, expected))
}

fn count(place: &Place) -> Kind {
    let request = v1::LegalMovesRequest {
        position: Some(place.position()),
        filter: place.filter(),
        move_view: v1::MoveView::Count.into(),
        ..Default::default()
    };
    Kind::new(format!("count:{}", place.name), "LegalMoves", &request, Expected::Count(place.moves))
}

fn stream(place: &Place) -> Kind {
    let request = v1::StreamLegalMovesRequest {
        position: Some(place.position()),
        filter: place.filter(),
        move_view: v1::MoveView::Text.into(),
        ..Default::default()
    };
    Kind::new(format!("stream:{}", place.name), "StreamLegalMoves", &request, Expected::Stream(place.moves))
}

fn first_move(variant: &str) -> Result<(&'static str, &'static str), String> {
    let found = FIRST_MOVES.iter().find(|(id, _)| *id == variant);
    found.copied().ok_or_else(|| format!("there is no variant {variant:?}"))
}

fn place(name: &str) -> Result<&'static Place, String> {
    PLACES.iter().find(|place| place.name == name).ok_or_else(|| format!("there is no position {name:?}"))
}

impl Place {
    fn position(&self) -> v1::Position {
        v1::Position { variant: self.variant.to_owned(), fen: self.fen.to_owned(), ..Default::default() }
    }

    fn filter(&self) -> Option<v1::Filter> {
        (!self.board.is_empty()).then(|| v1::Filter { board: self.board.to_owned(), ..Default::default() })
    }
}

/// A message behind its flag (not compressed) and its length.
fn framed(message: &impl Message) -> Bytes {
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(message.encoded_len() as u32);
    frame.put_slice(&message.encode_to_vec());
    frame.freeze()
}

impl Check {
    /// Looks at a message of the answer.
    pub(crate) fn message(&mut self, message: Bytes) {
        self.messages += 1;
        let bytes = message.len();
        let is_right = match self.expected {
            Expected::Legal => v1::ApplyMoveResponse::decode(message).is_ok_and(|answer| answer.legal),
            Expected::Ongoing => v1::GameStatusResponse::decode(message)
                .is_ok_and(|answer| answer.status.is_some_and(|status| status.state() == v1::State::Ongoing)),
            Expected::Count(moves) => Moves::decode(message).is_ok_and(|answer| answer.total_size == moves),
            Expected::Page(moves) => Moves::decode(message).is_ok_and(|answer| {
                let had = answer.moves.len() as u64;
                had == moves || had < moves && bytes > CUT_PAGE_BYTES
            }),
            Expected::Stream(_) => Moves::decode(message).is_ok_and(|answer| {
                self.moves += answer.moves.len() as u64;
                true
            }),
        };
        self.is_wrong |= !is_right;
    }

    /// Whether the answer was right, now that it ended well.
    pub(crate) fn is_right(&self) -> bool {
        !self.is_wrong
            && match self.expected {
                Expected::Stream(moves) => self.moves == moves,
                Expected::Legal | Expected::Ongoing | Expected::Count(_) | Expected::Page(_) => {
                    self.messages == 1
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Result<Kind, String> {
        Weighted::from_str(text).map(|weighted| weighted.kind)
    }

    #[test]
    fn kinds_are_read_with_what_they_take() -> Result<(), String> {
        let weighted = Weighted::from_str("single:gamma2=3")?;
        assert_eq!((weighted.kind.name.as_str(), weighted.weight), ("single:gamma2", 3));
        assert_eq!(kind("list")?.name, "list:1000");
        assert_eq!(kind("stream=2")?.name, "stream:universes");
        for text in ["", "lists", "single:go", "list:0", "list:10001", "count:chess", "single=0", "single=x"]
        {
            assert!(Weighted::from_str(text).is_err(), "{text}");
        }
        Ok(())
    }

    #[test]
    fn a_frame_is_a_flag_a_length_and_the_message() -> Result<(), String> {
        let frame = kind("status:chess")?.frame;
        // Field 1, a position, in it field 1, its variant.
        assert_eq!(&frame[..], b"\0\0\0\0\x09\x0a\x07\x0a\x05chess");
        Ok(())
    }

    #[test]
    fn a_right_answer_is_told_from_a_wrong_one() -> Result<(), String> {
        let answered = |kind: &Kind, answers: &[Moves]| {
            let mut check = kind.check();
            answers.iter().for_each(|answer| check.message(answer.encode_to_vec().into()));
            check.is_right()
        };
        let moves = |count, total_size| Moves { moves: vec![Bytes::from_static(b"move"); count], total_size };
        let count = kind("count:universes")?;
        assert!(answered(&count, &[moves(0, 6_248)]));
        assert!(!answered(&count, &[moves(0, 6_247)]));
        assert!(!answered(&count, &[]));
        assert!(!answered(&count, &[moves(0, 6_248), moves(0, 6_248)]));
        let page = kind("list:100")?;
        assert!(answered(&page, &[moves(100, 0)]));
        assert!(!answered(&page, &[moves(99, 0)]));
        let stream = kind("stream:universes")?;
        assert!(answered(&stream, &[moves(6_000, 0), moves(248, 0)]));
        assert!(!answered(&stream, &[moves(6_000, 0), moves(247, 0)]));
        let mut check = kind("single:chess")?.check();
        check.message(v1::ApplyMoveResponse::default().encode_to_vec().into());
        assert!(!check.is_right(), "an illegal move is an answer, but not to a legal move");
        let mut check = kind("single:chess")?.check();
        check.message(Bytes::from_static(b"\xff"));
        assert!(!check.is_right());
        Ok(())
    }
}
