//! Why moves are illegal.

use std::collections::HashSet;

use arbiter::grpc::v1;
use arbiter::grpc::v1::IllegalReason::{
    self, Ambiguous, CastlingNotAvailable, GameOver, KingLeftAttacked, NoPiece, NotYourPiece,
    NotationDisagrees, OwnPieceThere, PathBlocked, PieceDoesNotMoveSo, PromotionMissing, PromotionNotOpen,
    RemovalNotOpen, TooManySteps, TwinNotOpen,
};

use crate::random::Random;
use crate::server;
use crate::{ask, data};

/// Variant, position (none: the initial one), move, and the reason with the squares that explain it.
type Case = (&'static str, &'static str, &'static str, IllegalReason, &'static [&'static str]);

const CHESS: &[Case] = &[
    ("chess", "", "e3e4", NoPiece, &[]),
    ("chess", "", "e7e5", NotYourPiece, &[]),
    ("chess", "", "d1e2", OwnPieceThere, &[]),
    ("chess", "", "e2e5", PieceDoesNotMoveSo, &[]),
    ("chess", "", "e2d3", PieceDoesNotMoveSo, &[]),
    ("chess", "", "e2e2", OwnPieceThere, &[]),
    ("chess", "", "a1a3", PathBlocked, &["a2"]),
    ("chess", "", "f1h3", PathBlocked, &["g2"]),
    ("chess", "", "a1a8", PathBlocked, &["a2", "a7"]),
    ("chess", "", "e1g1", OwnPieceThere, &[]),
    ("chess", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", CastlingNotAvailable, &["b1"]),
    ("chess", "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "e1c1", CastlingNotAvailable, &[]),
    ("chess", "4k3/8/8/8/8/8/8/4Kb1R w K - 0 1", "e1g1", CastlingNotAvailable, &["f1"]),
    ("chess", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e3", PathBlocked, &["e3"]),
    ("chess", "4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e2e4", PathBlocked, &["e4"]),
    ("chess", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e4", PathBlocked, &["e3"]),
    ("chess", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", CastlingNotAvailable, &[]),
    ("chess", "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", CastlingNotAvailable, &["f8"]),
    ("chess", "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", CastlingNotAvailable, &["g8"]),
    ("chess", "3kr3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", CastlingNotAvailable, &["e8"]),
    ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", PromotionMissing, &[]),
    ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8s", PromotionNotOpen, &[]),
    ("chess", "", "e2e4q", PromotionNotOpen, &[]),
    ("chess", "", "g1f3q", PromotionNotOpen, &[]),
    ("chess", "", "e2e4+a2", TwinNotOpen, &[]),
    ("chess", "", "e2e4xa7", RemovalNotOpen, &[]),
    ("chess", "", "e2e4xa7,b7,c7,d7,e7", RemovalNotOpen, &[]),
    ("chess", "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1", "f2f3", KingLeftAttacked, &["e1", "h4"]),
    ("chess", "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1f1", KingLeftAttacked, &["f1", "e2"]),
    ("chess", "4k3/4r3/8/b7/8/8/8/4K3 w - - 0 1", "e1d2", KingLeftAttacked, &["d2", "a5"]),
    ("chess", "4k3/P3r3/8/8/8/8/8/4K3 w - - 0 1", "a7a8", PromotionMissing, &[]),
    ("chess", "4k3/P3r3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", KingLeftAttacked, &["e1", "e7"]),
    // En passant takes both pawns off the rank of the king.
    ("chess", "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "e5d6", KingLeftAttacked, &["a5", "h5"]),
    // The right of en passant is over.
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2", "e5d6", PieceDoesNotMoveSo, &[]),
    ("chess", "", "Ne2-e4", NotationDisagrees, &[]),
    ("chess", "", "e2xe4", NotationDisagrees, &[]),
    ("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4-d5", NotationDisagrees, &[]),
    ("chess", "", "Ng1-g3", PieceDoesNotMoveSo, &[]),
    ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7-a8", Ambiguous, &[]),
    ("chess", "R5k1/8/6K1/8/8/8/8/8 b - - 0 1", "g8f8", GameOver, &[]),
    ("chess", "R5k1/8/6K1/8/8/8/8/8 b - - 0 1", "Kg8-f8", GameOver, &[]),
    ("chess", "R5k1/8/6K1/8/8/8/8/8 b - - 0 1", "a2a4/a2a4/a2a4", GameOver, &[]),
    ("chess", "7k/8/8/8/8/8/1R6/K7 w - - 100 80", "b2b3", GameOver, &[]),
];

const GAMMA2: &[Case] = &[
    ("gamma2", "", "e3e4", NoPiece, &[]),
    ("gamma2", "", "j7j6", NotYourPiece, &[]),
    ("gamma2", "", "d1d2", OwnPieceThere, &[]),
    // Clause 3: quiet diagonally, captures straight.
    ("gamma2", "", "e2e4", PieceDoesNotMoveSo, &[]),
    ("gamma2", "9k/10/10/10/10/5x4/4X5/K9 w - - 0 1", "e2f3", PathBlocked, &["f3"]),
    ("gamma2", "9k/10/10/10/10/5x4/4X5/K9 w - - 0 1", "e2g4", PathBlocked, &["f3"]),
    ("gamma2", "9k/10/10/10/10/10/4X5/K9 w - - 0 1", "e2e3", PieceDoesNotMoveSo, &[]),
    // Clause 6: a ship captures beyond exactly one piece.
    ("gamma2", "3n5k/3x6/10/3x6/3S6/10/10/K9 w - - 0 1", "d4d8", PathBlocked, &["d5", "d7"]),
    ("gamma2", "9k/10/10/10/3S2n3/10/10/K9 w - - 0 1", "d4f6", PieceDoesNotMoveSo, &[]),
    ("gamma2", "9k/10/10/10/3S2n3/10/10/K9 w - - 0 1", "d4g4", PathBlocked, &["g4"]),
    ("gamma2", "", "f1i1", OwnPieceThere, &[]),
    ("gamma2", "4k5/10/10/10/10/10/10/RNB2K4 w - - 0 1", "f1c1", OwnPieceThere, &[]),
    ("gamma2", "4k5/10/10/10/10/10/10/RN1S1K4 w Q - 0 1", "f1c1", CastlingNotAvailable, &["b1", "d1"]),
    ("gamma2", "4k5/10/10/10/10/10/10/5K3R w - - 0 1", "f1i1", CastlingNotAvailable, &[]),
    ("gamma2", "4k1r3/10/10/10/10/10/10/5K3R w K - 0 1", "f1i1", CastlingNotAvailable, &["g8"]),
    ("gamma2", "9k/4X5/10/10/10/10/10/K9 w - - 0 1", "e7f8", PromotionMissing, &[]),
    ("gamma2", "", "e2f3s", PromotionNotOpen, &[]),
    ("gamma2", "", "e2f3+a2", TwinNotOpen, &[]),
    ("gamma2", "", "e2f3xa7", RemovalNotOpen, &[]),
    // Clause 9: stepping in as the screen of a ship.
    ("gamma2", "4s4k/10/10/3N6/10/10/10/4K5 w - - 0 1", "d5e3", KingLeftAttacked, &["e1", "e8"]),
    ("gamma2", "", "Se2-f3", NotationDisagrees, &[]),
    ("gamma2", "9k/4X5/10/10/10/10/10/K9 w - - 0 1", "e7-f8", Ambiguous, &[]),
    ("gamma2", "r4k3r/3s6/B9/10/8xX/1S8/9R/R1s1K5 w kq - 150 120", "a1a2", GameOver, &[]),
];

#[tokio::test]
async fn illegal_moves_are_answered_with_the_reason() {
    let mut client = server::client().await;
    for (variant, fen, chosen, reason, squares) in CHESS.iter().chain(GAMMA2) {
        let position = ask::at(variant, fen);
        let answer = ask::apply(&mut client, &position, ask::text(chosen)).await;
        assert!(!answer.legal, "{chosen} in {fen}");
        let illegality = answer.illegality.clone().unwrap();
        assert_eq!(illegality.reason(), *reason, "{chosen} in {fen}: {illegality:?}");
        let named: Vec<&str> = illegality.squares.iter().map(|at| at.square.as_str()).collect();
        assert_eq!(named, *squares, "{chosen} in {fen}: {illegality:?}");
        assert!(illegality.squares.iter().all(|at| at.board.is_empty()));
        assert_eq!(illegality.step_index, 0);
        assert!(!illegality.message.is_empty());
        assert_eq!(illegality.candidates.is_empty(), *reason != Ambiguous);
        let empty = v1::ApplyMoveResponse { illegality: Some(illegality), ..Default::default() };
        assert_eq!(answer, empty, "the rest is empty");
    }
}

#[tokio::test]
async fn a_step_too_many_is_the_one_at_fault() {
    let mut client = server::client().await;
    for (chosen, reason, index) in [
        ("e2e4/e7e5", TooManySteps, 1),
        ("e2e4/e7e5/g1f3", TooManySteps, 1),
        // The first step that is not offered decides.
        ("e2e5/e7e5", PieceDoesNotMoveSo, 0),
        ("e2-e4/d2-d4", TooManySteps, 1),
    ] {
        let answer = ask::apply(&mut client, &ask::initial("chess"), ask::text(chosen)).await;
        let illegality = answer.illegality.unwrap();
        assert_eq!((illegality.reason(), illegality.step_index), (reason, index), "{chosen}");
        assert!(illegality.squares.is_empty(), "{illegality:?}");
    }
}

#[tokio::test]
async fn ambiguous_text_is_answered_with_its_candidates_in_order() {
    let mut client = server::client().await;
    let cases = [
        ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7-a8", "a7a8q a7a8r a7a8b a7a8n"),
        ("chess", "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "Pa7xb8", "a7b8q a7b8r a7b8b a7b8n"),
        ("gamma2", "9k/4X5/10/10/10/10/10/K9 w - - 0 1", "e7-d8", "e7d8q e7d8r e7d8b e7d8n e7d8s e7d8a"),
    ];
    for (variant, fen, chosen, candidates) in cases {
        let answer = ask::apply(&mut client, &ask::at(variant, fen), ask::text(chosen)).await;
        let illegality = answer.illegality.unwrap();
        assert_eq!(illegality.candidates.join(" "), candidates);
        assert!(!illegality.candidates_truncated && illegality.squares.is_empty());
        for promotion in ["=Q", "Q", "q"] {
            let full = format!("{chosen}{promotion}");
            let answer = ask::apply(&mut client, &ask::at(variant, fen), ask::text(&full)).await;
            assert!(candidates.starts_with(&answer.r#move.unwrap().text), "{full}");
        }
    }
}

#[tokio::test]
async fn illegal_steps_are_answered_like_illegal_texts() {
    let mut client = server::client().await;
    let mut king = ask::step("e2", "e4");
    king.promotion = v1::PieceKind::King.into();
    let mut twin = ask::step("e2", "e4");
    twin.twin = Some(v1::Location { board: String::new(), square: "e2".to_owned() });
    // What the service fills in is ignored in requests.
    let mut filled = ask::step("e2", "e4");
    (filled.piece, filled.captured) = (v1::PieceKind::Queen.into(), 77);
    for (sent, reason) in [(king, Some(PromotionNotOpen)), (twin, Some(TwinNotOpen)), (filled, None)] {
        let chosen = v1::Move { steps: vec![sent], ..Default::default() };
        let answer = ask::apply(&mut client, &ask::initial("chess"), chosen).await;
        assert_eq!(answer.illegality.map(|illegality| illegality.reason()), reason);
    }
}

/// The reasons that squares explain always. A castling and a passage may be closed without anything in the way.
const SHOWN: [IllegalReason; 6] = [
    PathBlocked,
    IllegalReason::InfluenceOverruled,
    IllegalReason::MirrorBlocked,
    IllegalReason::RemovalOpensCheck,
    IllegalReason::OwnKingCaptured,
    KingLeftAttacked,
];

/// Steps at random: each move is in the list of legal moves, or is illegal for a reason that is told in full.
#[tokio::test]
async fn random_steps_are_listed_or_illegal_for_a_reason() {
    let variants = ask::variants(&mut server::client().await).await;
    ask::each(data::sample(&variants, 2_500, 16), |mut client, row| {
        let variant = variants.iter().find(|variant| variant.id == row.position.variant).unwrap();
        async move {
            let request =
                v1::StreamLegalMovesRequest { position: Some(row.position.clone()), ..Default::default() };
            let all = ask::streamed(&mut client, request).await;
            let listed: HashSet<&str> = all.iter().map(|one| one.text.as_str()).collect();
            let mut random = Random::new(row.count);
            for _ in 0..50 {
                let steps = random_steps(&mut random, variant, &all);
                let chosen = v1::Move { steps: steps.clone(), ..Default::default() };
                let answer = ask::apply(&mut client, &row.position, chosen).await;
                if answer.legal {
                    assert!(listed.contains(answer.r#move.unwrap().text.as_str()), "{steps:?}");
                    continue;
                }
                let at = format!("{steps:?} in {}: {:?}", row.position.fen, answer.illegality);
                let illegality = answer.illegality.unwrap();
                let reason = illegality.reason();
                assert!(
                    !matches!(reason, IllegalReason::Unspecified | Ambiguous | NotationDisagrees | GameOver),
                    "{at}"
                );
                let is_short = reason == IllegalReason::StepMissing;
                assert_eq!(illegality.step_index as usize >= steps.len(), is_short, "{at}");
                if !matches!(reason, CastlingNotAvailable | IllegalReason::PassageNotOpen) {
                    assert_eq!(illegality.squares.is_empty(), !SHOWN.contains(&reason), "{at}");
                }
                // A prefix is illegal for the same reason, unless a further step makes a legal move of it.
                let request = v1::LegalStepsRequest {
                    position: Some(row.position.clone()),
                    prefix: steps,
                    ..Default::default()
                };
                let prefix = client.legal_steps(request).await.unwrap().into_inner();
                if prefix.legal {
                    assert!(!prefix.complete && !prefix.steps.is_empty(), "{at}");
                } else {
                    assert_eq!(prefix.illegality, Some(illegality), "{at}");
                    assert!(!is_short, "{at}");
                }
            }
        }
    })
    .await;
}

/// The steps of a legal move with something changed, or steps from anywhere to anywhere.
fn random_steps(random: &mut Random, variant: &v1::Variant, all: &[v1::Move]) -> Vec<v1::Step> {
    let mut steps = random.pick(all).steps.clone();
    let index = random.below(steps.len());
    let spec = random.pick(&variant.boards);
    let mut square = || {
        let file = (b'a' + random.below(spec.files as usize) as u8) as char;
        format!("{file}{}", 1 + random.below(spec.ranks as usize))
    };
    let (from, to) = (square(), square());
    let other = random.pick(all).steps[0].clone();
    let step = &mut steps[index];
    match random.below(8) {
        0 => step.to_square = to,
        1 => step.from_square = from,
        2 => *step = v1::Step { board: spec.name.clone(), ..ask::step(&from, &to) },
        3 => step.promotion = 1 + random.below(11) as i32,
        4 => step.removals = vec![v1::Location { board: spec.name.clone(), square: to }],
        5 => step.twin = Some(v1::Location { board: spec.name.clone(), square: to }),
        6 => steps.push(other),
        _ => {
            steps.truncate(1);
        }
    }
    steps
}
