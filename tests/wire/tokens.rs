//! Page tokens: whose they are, and what does not pass for one.

use arbiter::grpc::v1;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use tonic::Code;

use crate::ask::{self, Refusal};
use crate::random::Random;
use crate::server::{self, Client};

/// A position of chess in which White has legal moves, some of them captures.
const MIDGAME: &str = "r4R2/1k5b/p1r1q3/PB4np/1P1Npb2/B7/5QK1/R7 w - - 4 46";

fn moves_of(position: v1::Position) -> v1::LegalMovesRequest {
    v1::LegalMovesRequest { position: Some(position), page_size: 2, ..Default::default() }
}

fn steps_of(position: v1::Position) -> v1::LegalStepsRequest {
    v1::LegalStepsRequest { position: Some(position), page_size: 2, ..Default::default() }
}

async fn token(client: &mut Client, request: &v1::LegalMovesRequest) -> String {
    client.legal_moves(request.clone()).await.unwrap().into_inner().next_page_token
}

async fn refused(client: &mut Client, request: v1::LegalMovesRequest) -> Refusal {
    ask::refused(client.legal_moves(request).await)
}

fn assert_reason(refusal: &Refusal, reason: &str) {
    assert_eq!(refusal.code, Code::InvalidArgument);
    assert_eq!((refusal.reason.as_str(), refusal.fields()), (reason, vec!["page_token"]));
}

#[tokio::test]
async fn a_token_belongs_to_its_request() {
    let mut client = server::client().await;
    let own = moves_of(ask::at("chess", MIDGAME));
    let token = token(&mut client, &own).await;
    let others = [
        moves_of(ask::initial("chess")),
        moves_of(ask::initial("gamma2")),
        moves_of(ask::at("chess", &MIDGAME.replace(" 4 46", " 4 47"))),
        moves_of(ask::at("chess", &MIDGAME.replace(" 4 46", " 5 46"))),
        moves_of(ask::at("chess", &MIDGAME.replace('Q', "R"))),
        moves_of(v1::Position { history: vec![0; 8], ..ask::at("chess", MIDGAME) }),
        filtered(v1::Filter { captures_only: true, ..Default::default() }),
        filtered(v1::Filter { from_square: "d4".to_owned(), ..Default::default() }),
        filtered(v1::Filter { to_square: "d4".to_owned(), ..Default::default() }),
    ];
    for mut other in others {
        other.page_token.clone_from(&token);
        assert_reason(&refused(&mut client, other).await, "PAGE_TOKEN_MISMATCH");
    }
    let mut steps = steps_of(ask::at("chess", MIDGAME));
    steps.page_token.clone_from(&token);
    let refusal = ask::refused(client.legal_steps(steps).await);
    assert_reason(&refusal, "PAGE_TOKEN_MISMATCH");
}

fn filtered(filter: v1::Filter) -> v1::LegalMovesRequest {
    v1::LegalMovesRequest { filter: Some(filter), ..moves_of(ask::at("chess", MIDGAME)) }
}

#[tokio::test]
async fn a_token_serves_any_form_of_its_request() {
    let mut client = server::client().await;
    let own = moves_of(ask::at("chess", MIDGAME));
    let token = token(&mut client, &own).await;
    let rest = v1::LegalMovesRequest { page_size: 0, page_token: token.clone(), ..own.clone() };
    let wanted = client.legal_moves(rest.clone()).await.unwrap().into_inner().moves;
    let full = ask::full(&mut client, &ask::at("chess", MIDGAME)).await;
    let same = [
        v1::LegalMovesRequest { include_total: true, ..rest.clone() },
        v1::LegalMovesRequest { filter: Some(v1::Filter::default()), ..rest.clone() },
        v1::LegalMovesRequest { position: Some(full.clone()), ..rest.clone() },
        v1::LegalMovesRequest { position: Some(v1::Position { fen: String::new(), ..full }), ..rest.clone() },
        v1::LegalMovesRequest { page_size: 7_000, ..rest.clone() },
    ];
    for request in same {
        assert_eq!(client.legal_moves(request).await.unwrap().into_inner().moves, wanted);
    }
    let text = v1::LegalMovesRequest { move_view: v1::MoveView::Text.into(), ..rest.clone() };
    let texts = client.legal_moves(text).await.unwrap().into_inner().moves;
    assert_eq!(texts.len(), wanted.len());
    assert!(texts.iter().zip(&wanted).all(|(text, full)| text.text == full.text));
    // An empty token is the first page.
    let first = v1::LegalMovesRequest { page_token: String::new(), ..own };
    assert_eq!(client.legal_moves(first).await.unwrap().into_inner().next_page_token, token);
}

#[tokio::test]
async fn a_token_of_steps_belongs_to_its_prefix() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let own = steps_of(ask::initial(&variant.id));
        let first = client.legal_steps(own.clone()).await.unwrap().into_inner();
        assert!(!first.next_page_token.is_empty());
        for step in first.steps {
            // Where nothing can follow the step there is no list, and any token is of another one.
            let mut request = own.clone();
            request.prefix = vec![step];
            request.page_token.clone_from(&first.next_page_token);
            assert_reason(&ask::refused(client.legal_steps(request).await), "PAGE_TOKEN_MISMATCH");
        }
        let mut request = moves_of(ask::initial(&variant.id));
        request.page_token.clone_from(&first.next_page_token);
        assert_reason(&refused(&mut client, request).await, "PAGE_TOKEN_MISMATCH");
    }
}

#[tokio::test]
async fn a_damaged_token_is_none() {
    let mut client = server::client().await;
    let own = moves_of(ask::at("chess", MIDGAME));
    let token = token(&mut client, &own).await;
    let mut random = Random::new(3);
    let mut damaged = vec![
        token[1..].to_owned(),
        token[..token.len() - 1].to_owned(),
        format!("{token}A"),
        format!("{token}="),
        format!(" {token}"),
        token.to_lowercase(),
        token.repeat(2),
        "A".repeat(10_000),
        "é".repeat(1000),
        "\0".to_owned(),
        "0".to_owned(),
        "e2e4".to_owned(),
    ];
    for _ in 0..100 {
        let mut bytes = URL_SAFE_NO_PAD.decode(&token).unwrap();
        let index = random.below(bytes.len());
        bytes[index] ^= 1 << random.below(8);
        damaged.push(URL_SAFE_NO_PAD.encode(bytes));
        damaged.push(URL_SAFE_NO_PAD.encode(random.bytes(40)));
    }
    for page_token in damaged.into_iter().filter(|damaged| !damaged.is_empty() && *damaged != token) {
        let request = v1::LegalMovesRequest { page_token: page_token.clone(), ..own.clone() };
        assert_reason(&refused(&mut client, request).await, "INVALID_PAGE_TOKEN");
        let request = v1::LegalStepsRequest { page_token, ..steps_of(ask::at("chess", MIDGAME)) };
        assert_reason(&ask::refused(client.legal_steps(request).await), "INVALID_PAGE_TOKEN");
    }
}

/// A token made anew after `change` changed what is in it: versions of the token and of the order, the name of the
/// request, the place.
fn forged(token: &str, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = URL_SAFE_NO_PAD.decode(token).unwrap();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    let sum = Sha256::digest(&bytes);
    bytes.extend(&sum[..4]);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[tokio::test]
async fn a_token_of_another_order_has_expired_and_a_forged_place_is_judged() {
    let mut client = server::client().await;
    let own = moves_of(ask::at("chess", MIDGAME));
    let token = token(&mut client, &own).await;
    let with = |page_token: String| v1::LegalMovesRequest { page_token, ..own.clone() };
    let expired = forged(&token, |bytes| bytes[1] += 1);
    assert_reason(&refused(&mut client, with(expired)).await, "PAGE_TOKEN_EXPIRED");
    let newer = forged(&token, |bytes| bytes[0] += 1);
    assert_reason(&refused(&mut client, with(newer)).await, "INVALID_PAGE_TOKEN");
    let big = "A1".repeat(3_000);
    for place in ["", "a1", "e2e4", "h1h9", "a1a1", "a5a6/a5a6", "zz", "\u{0}", "Kg2-g1", "ü", &big] {
        let place = forged(&token, |bytes| {
            bytes.truncate(10);
            bytes.extend(place.as_bytes());
        });
        assert_reason(&refused(&mut client, with(place)).await, "INVALID_PAGE_TOKEN");
    }
    let bytes = forged(&token, |bytes| bytes.extend([0xff, 0xfe]));
    assert_reason(&refused(&mut client, with(bytes)).await, "INVALID_PAGE_TOKEN");
}
