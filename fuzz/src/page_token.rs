//! Page tokens of LegalMoves and LegalSteps. Input: a byte for the game, one for a position, one for the request (see
//! [`Asked`]), one for the token, the size of the first page, and the text of the token's place.
//!
//! A token carries a check sum, so one that is changed as it is would only ever be refused as damaged. Therefore the
//! place is changed, and the token is put together around it as the service does.

use std::ops::ControlFlow;

use arbiter::grpc::v1;
use arbiter::rules::bitboard::Bitboard;
use arbiter::rules::moves::{Removals, Step};
use arbiter::rules::notation::move_text;
use arbiter::rules::piece::PieceKind;
use arbiter::rules::play::{self, Query};
use arbiter::rules::position::MAX_BOARDS;
use arbiter::rules::square::Location;
use arbiter::rules::turn::{Scope, Turn};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use prost::Message;
use sha2::{Digest, Sha256};
use tonic::{Code, Status};

use crate::games::{self, Place};
use crate::position_text::first_moves;
use crate::service;

/// The most items of lists that are walked to their end and compared whole.
const MOST_ITEMS: usize = 300;

/// The parts of a token: version and order, the name of the request, the place, the check sum.
const VERSIONS: usize = 2;
const NAME: usize = 8;
const SUM: usize = 4;

/// A request for pages, from its byte: the method, the filter, and for LegalSteps whether a step was chosen.
struct Asked {
    place: &'static Place,
    /// The steps chosen before, as messages and as they are; none for LegalMoves.
    prefix: Option<(Vec<v1::Step>, Vec<Step>)>,
    filter: v1::Filter,
    scope: Scope,
}

impl Asked {
    fn new(place: &'static Place, byte: u8) -> Self {
        let mut asked = Self { place, prefix: None, filter: v1::Filter::default(), scope: Scope::ALL };
        let number = usize::from(byte >> 3);
        if byte & 1 > 0 {
            asked.prefix = Some((Vec::new(), Vec::new()));
            if byte & 4 > 0 {
                let steps = asked.steps_page(String::new(), 1 + number as i32).unwrap_or_default().0;
                let chosen: Vec<v1::Step> = steps.last().cloned().into_iter().collect();
                let read = chosen.iter().map(|step| asked.step(step)).collect();
                asked.prefix = Some((chosen, read));
            }
        } else if byte & 4 > 0 {
            let moves = first_moves(place.variant, &place.game, number + 1);
            if let Some(Step { from, .. }) = moves.last().map(|steps| steps[0]) {
                let card = place.variant.card();
                card.boards[usize::from(from.board)].name.clone_into(&mut asked.filter.board);
                asked.filter.from_square = card.geometry(from.board).name(from.square).to_string();
                asked.scope.from = [Bitboard::EMPTY; MAX_BOARDS];
                asked.scope.from[usize::from(from.board)] = Bitboard::of(from.square);
            }
        }
        asked.filter.captures_only = byte & 2 > 0;
        asked.scope.captures_only = byte & 2 > 0;
        asked
    }

    fn position(&self) -> Option<v1::Position> {
        let (variant, fen) = (self.place.variant.card().id.to_owned(), self.place.fen.to_owned());
        Some(v1::Position { variant, fen, ..Default::default() })
    }

    /// A page: its items as lists of steps, and the token of the next.
    fn page(&self, page_token: String, page_size: i32) -> Result<(Vec<Vec<Step>>, String), Status> {
        if self.prefix.is_some() {
            let (steps, next) = self.steps_page(page_token, page_size)?;
            return Ok((steps.iter().map(|step| vec![self.step(step)]).collect(), next));
        }
        let answer: v1::LegalMovesResponse = ask(
            "LegalMoves",
            &v1::LegalMovesRequest {
                position: self.position(),
                filter: Some(self.filter.clone()),
                move_view: v1::MoveView::Text.into(),
                page_size,
                page_token,
                include_total: false,
            },
        )?;
        let card = self.place.variant.card();
        let read = |text: &str| move_text::parse(card, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let moves = answer.moves.iter().map(|one| read(&one.text)).collect();
        Ok((moves, answer.next_page_token))
    }

    fn steps_page(&self, page_token: String, page_size: i32) -> Result<(Vec<v1::Step>, String), Status> {
        let prefix = self.prefix.iter().flat_map(|(messages, _)| messages).cloned().collect();
        let (position, filter) = (self.position(), Some(self.filter.clone()));
        let request = v1::LegalStepsRequest { position, prefix, filter, page_size, page_token };
        let answer: v1::LegalStepsResponse = ask("LegalSteps", &request)?;
        Ok((answer.steps, answer.next_page_token))
    }

    /// A step of an answer.
    fn step(&self, message: &v1::Step) -> Step {
        let card = self.place.variant.card();
        let at = |board: &str, square: &str, own: u8| {
            let board = if board.is_empty() { own } else { card.board(board).expect("a board of the game") };
            Location::new(board, card.geometry(board).named(square).expect("a square of the board"))
        };
        let from = at(&message.board, &message.from_square, 0);
        let target = |location: &v1::Location| at(&location.board, &location.square, from.board);
        Step {
            from,
            to: at(&message.to_board, &message.to_square, from.board),
            // The kinds of the contract are those of the rules, after one that stands for none.
            promotion: message
                .promotion
                .checked_sub(1)
                .and_then(|kind| PieceKind::ALL.get(kind as usize).copied()),
            twin: message.twin.as_ref().map(target),
            removals: Removals::new(message.removals.iter().map(target)),
        }
    }

    /// The first items of the list, found without pages.
    fn items(&self) -> Vec<Vec<Step>> {
        let Place { variant, game, .. } = self.place;
        let mut items = Vec::new();
        if play::ended_without_search(*variant, game).is_some() {
            return items;
        }
        let mut visit = |steps: &[Step]| {
            items.push(steps.to_vec());
            if items.len() > MOST_ITEMS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let _ = match &self.prefix {
            None => {
                let query = Query { scopes: [self.scope, Scope::ALL], after: None };
                let start = Turn::new(game.position.clone());
                play::moves(*variant, &start, &query, &mut |_, steps| visit(steps))
            }
            Some((_, prefix)) => match play::begin(*variant, game, prefix) {
                Ok(begun) => {
                    play::steps(*variant, &begun.turn, &self.scope, None, &mut |step| visit(&[*step]))
                }
                Err(_) => ControlFlow::Continue(()),
            },
        };
        items
    }

    /// Walks the pages from a token to their end, or until there was much, and gives the items and whether they ended.
    fn walked(&self, first: (Vec<Vec<Step>>, String), mut page_size: i32) -> (Vec<Vec<Step>>, bool) {
        let (mut items, mut token) = first;
        while !token.is_empty() {
            if items.len() > MOST_ITEMS {
                return (items, false);
            }
            page_size = page_size.saturating_mul(4);
            let (more, next) =
                self.page(token, page_size).expect("a token that the service has just written");
            assert!(!more.is_empty(), "a token leads to nothing, and the page before said that more follows");
            items.extend(more);
            token = next;
        }
        (items, true)
    }
}

fn ask<A: Message + Default>(method: &str, request: &impl Message) -> Result<A, Status> {
    let answer = service::ask(method, &request.encode_to_vec());
    match answer.messages.first() {
        Some(message) => Ok(A::decode(&message[..]).expect("a response is of its type")),
        None => Err(answer.status),
    }
}

/// A token with its check sum.
fn signed(content: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode([content, &Sha256::digest(content)[..SUM]].concat())
}

/// Makes a token of the input, asks with it, and walks on from it.
pub fn check(data: &[u8]) {
    let [game, position, request, kind, page_size, text @ ..] = data else { return };
    let asked = Asked::new(games::place(*game, *position), *request);
    let page_size = 1 + i32::from(page_size % 32);
    // The first page of one item shows how the tokens of the request begin.
    let first = asked.page(String::new(), 1).expect("a request that the service answers");
    let own = URL_SAFE_NO_PAD.decode(&first.1).expect("a token is in its form");
    let head = own.get(..VERSIONS + NAME).map_or_else(|| vec![1; VERSIONS + NAME], <[u8]>::to_vec);
    let (token, allowed): (String, &[&str]) = match kind % 8 {
        // As it stands.
        0 => (
            String::from_utf8_lossy(text).into_owned(),
            &["INVALID_PAGE_TOKEN", "PAGE_TOKEN_MISMATCH", "PAGE_TOKEN_EXPIRED"],
        ),
        // Another beginning, signed.
        1 => (signed(text), &["INVALID_PAGE_TOKEN", "PAGE_TOKEN_MISMATCH", "PAGE_TOKEN_EXPIRED"]),
        // Its own with a byte changed, not signed.
        2 => {
            let mut damaged = own.clone();
            let [index, change, ..] = *text else { return };
            let length = damaged.len().max(1);
            let Some(byte) = damaged.get_mut(usize::from(index) % length) else { return };
            *byte ^= change.max(1);
            (URL_SAFE_NO_PAD.encode(damaged), &["INVALID_PAGE_TOKEN"])
        }
        // Another place, signed.
        _ => (signed(&[&head, text].concat()), &["INVALID_PAGE_TOKEN", "PAGE_TOKEN_MISMATCH"]),
    };
    match asked.page(token.clone(), page_size) {
        Err(status) => {
            assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
            assert!(!token.is_empty(), "the first page is refused: {status:?}");
            let reason = service::reason(&status);
            assert!(allowed.contains(&reason.as_str()), "{reason} of {token}");
        }
        Ok(page) => {
            assert!(kind % 8 != 2, "a damaged token is taken: {token}");
            let place = place(&asked, &token, &own);
            follows(&asked, place, asked.walked(page, page_size));
        }
    }
}

/// The place of a token that was taken; none of one that says nothing, as in a finished game.
fn place(asked: &Asked, token: &str, own: &[u8]) -> Option<Vec<Step>> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    let text = bytes.get(VERSIONS + NAME..bytes.len().checked_sub(SUM)?)?;
    assert!(
        own.is_empty() || own[..VERSIONS + NAME] == bytes[..VERSIONS + NAME],
        "the token of another request"
    );
    move_text::parse(asked.place.variant.card(), std::str::from_utf8(text).ok()?).ok()
}

/// The items that were walked are those of the list after the place.
fn follows(asked: &Asked, place: Option<Vec<Step>>, (walked, is_ended): (Vec<Vec<Step>>, bool)) {
    assert!(walked.is_sorted_by(|one, next| one < next), "{walked:?}");
    // Of a step's place only its first step counts, as steps are what is listed.
    let place = place.map(|steps| if asked.prefix.is_some() { steps[..1].to_vec() } else { steps });
    if let (Some(place), Some(first)) = (&place, walked.first()) {
        assert!(place < first, "{first:?} is not after {place:?}");
    }
    let items = asked.items();
    let is_whole = items.len() <= MOST_ITEMS;
    let after: Vec<_> =
        items.into_iter().filter(|item| place.as_ref().is_none_or(|place| place < item)).collect();
    let length = if is_whole && is_ended { usize::MAX } else { walked.len().min(after.len()) };
    let (walked, after) = (&walked[..walked.len().min(length)], &after[..after.len().min(length)]);
    assert_eq!(walked, after, "after {place:?}");
}
