//! Why moves are illegal in the games of twins and of several boards: every reason that they can give.

use arbiter::grpc::v1;
use arbiter::grpc::v1::IllegalReason::{
    self, BoardVanished, CastlingNotAvailable, GameOver, InfluenceOverruled, KingLeftAttacked, MirrorBlocked,
    MirrorDiffers, NoInfluence, NoPiece, NotYourPiece, OwnKingCaptured, OwnPieceThere, PairNotAllowed,
    PassageNotOpen, PathBlocked, PieceDoesNotMoveSo, PromotionMissing, PromotionNotOpen, RemovalMissing,
    RemovalNotOpen, RemovalOpensCheck, SameBoardTwice, StepMissing, TooManySteps, TwinMissing, TwinNotOpen,
};

use crate::{ask, server};

/// Move, reason, the step that it strikes, and the squares that explain it.
type Case = (&'static str, IllegalReason, u32, &'static [&'static str]);

/// Variant, position (none: the initial one), and what is illegal in it.
const CASES: &[(&str, &str, &[Case])] = &[
    (
        "bordahbee",
        "",
        &[
            ("A:e2e4", StepMissing, 1, &[]),
            ("A:e2e4/A:g1f3", SameBoardTwice, 1, &[]),
            ("A:e2e4/B:d2d4", PairNotAllowed, 1, &[]),
            ("A:e2e4/B:g1f3/A:d2d4", TooManySteps, 2, &[]),
            ("A:e2e5/B:g1f3", PieceDoesNotMoveSo, 0, &[]),
            ("A:e2e4/B:a1a3", PathBlocked, 1, &["B:a2"]),
        ],
    ),
    (
        "bordahbee",
        "4k3/8/8/8/8/8/8/3QK1N1|4k3/8/8/8/8/8/PP6/KN6 w -|- -|- 0 1",
        &[("A:d1d2", PairNotAllowed, 0, &[])],
    ),
    (
        "bordahbee",
        "8/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 b -|- -|- 0 1",
        &[("A:e1e2/B:e8e7", GameOver, 0, &[])],
    ),
    (
        "bordahbee",
        "4k3/P7/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1",
        &[("A:a7a8/B:b1c3", PromotionMissing, 0, &[]), ("A:a7a8s/B:b1c3", PromotionNotOpen, 0, &[])],
    ),
    (
        "bordahbee",
        "4rrrk/8/8/8/8/8/8/4K2R|4k3/8/8/8/8/8/8/RN2K2R w K|KQ -|- 0 1",
        &[("A:e1g1/B:e1c1", CastlingNotAvailable, 1, &["B:b1"])],
    ),
    (
        "doppelganger",
        "4k3/p7/8/3p4/4P3/7p/8/4K3 w - - 0 1",
        &[
            ("e4d5", RemovalMissing, 0, &[]),
            ("e4d5xd5", RemovalNotOpen, 0, &[]),
            ("e4d5xa7,h3", RemovalNotOpen, 0, &[]),
            ("e4d5+a7xa7", TwinNotOpen, 0, &[]),
        ],
    ),
    (
        "doppelganger",
        "8/6P1/6k1/8/1P6/7R/8/K7 w - - 0 1",
        &[
            ("g7g8", PromotionMissing, 0, &[]),
            ("g7g8q", PromotionNotOpen, 0, &[]),
            ("g7g8r", TwinMissing, 0, &[]),
            ("g7g8r+h3", TwinNotOpen, 0, &[]),
        ],
    ),
    ("doppelganger", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", &[("e2d2", KingLeftAttacked, 0, &["e1", "e8"])]),
    ("doppelganger", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", &[("g8h8", GameOver, 0, &[])]),
    (
        "doppelganger-bordahbee",
        "",
        &[
            ("A:e2e4", StepMissing, 1, &[]),
            ("A:e2e4/A:g1f3", SameBoardTwice, 1, &[]),
            ("A:e2e4/B:d2d4", PairNotAllowed, 1, &[]),
            ("A:e2e4/B:g1f3/A:d2d4", TooManySteps, 2, &[]),
            ("A:e2e4/B:g1f3xa7", RemovalNotOpen, 1, &[]),
            ("A:e2e4/B:g1f3+a2", TwinNotOpen, 1, &[]),
        ],
    ),
    (
        "doppelganger-bordahbee",
        "8/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 b -|- -|- 0 1",
        &[("A:e1e2/B:e8e7", GameOver, 0, &[])],
    ),
    (
        "doppelganger-bordahbee-extreme",
        "",
        &[
            ("A:e2e4", StepMissing, 1, &[]),
            ("A:e2e4/A:g1f3", SameBoardTwice, 1, &[]),
            ("A:e2e4/B:d2d4", PairNotAllowed, 1, &[]),
            ("A:e2e4/B:g1f3/A:d2d4", TooManySteps, 2, &[]),
            ("A:e2e4/B:g1f3xa7", RemovalNotOpen, 1, &[]),
            ("A:e2e4/B:g1f3+a2", TwinNotOpen, 1, &[]),
        ],
    ),
    (
        "doppelganger-bordahbee-extreme",
        "8/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 b -|- -|- 0 1",
        &[("A:e1e2/B:e8e7", GameOver, 0, &[])],
    ),
    (
        "doppelganger-bordahbee",
        "4k3/p7/8/3p4/4P3/7p/8/4K3|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1",
        &[("A:e4d5/B:b1c3", RemovalMissing, 0, &[]), ("A:e4d5xB:a7/B:b1c3", RemovalNotOpen, 0, &[])],
    ),
    (
        "doppelganger-bordahbee",
        "4r2k/8/8/3pp2p/2P5/8/8/4K3|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1",
        &[("A:c4d5xe5/B:b1c3", RemovalOpensCheck, 0, &["A:e1", "A:e8"])],
    ),
    (
        "doppelganger-bordahbee",
        "8/6P1/6k1/8/1P6/7R/8/K7|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1",
        &[("A:g7g8r/B:b1c3", TwinMissing, 0, &[]), ("A:g7g8q+b4/B:b1c3", PromotionNotOpen, 0, &[])],
    ),
    (
        "doppelganger-bordahbee-extreme",
        "4k3/p7/8/3p4/4P3/7p/8/4K3|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1",
        &[("A:e4d5/B:b1c3", RemovalMissing, 0, &[])],
    ),
    (
        "doppelganger-bordahbee-extreme",
        "8/6P1/6k1/8/1P6/7R/8/K7|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1",
        &[("A:g7g8q/B:b1c3", PromotionNotOpen, 0, &[])],
    ),
    (
        "doppelganger-bordahbee-extreme",
        "4r2k/8/8/3pp2p/2P5/8/8/4K3|4k3/8/8/8/8/8/8/1N2K3 w -|- -|- 0 1",
        &[("A:c4d5xe5/B:b1c3", RemovalOpensCheck, 0, &["A:e1", "A:e8"])],
    ),
    (
        "influence",
        "4/2I1/3I/1C2/4/I1I1/4|k3/2P1/3r/1Q2/P2P/P1N1/3K|4/4/3c/4/i3/4/4 a -|-|- -|-|- 0 1 w",
        &[
            ("A:d1d2", NoPiece, 0, &[]),
            ("B:a3a4", NotYourPiece, 0, &[]),
            ("M:a2a3", OwnPieceThere, 0, &[]),
            ("M:c2c4", PieceDoesNotMoveSo, 0, &[]),
            ("M:d5d2", PathBlocked, 0, &["M:d3"]),
            ("M:a3a4", NoInfluence, 0, &[]),
            ("M:d5c5", InfluenceOverruled, 0, &["B:d5"]),
            ("M:c6c7", PromotionMissing, 0, &[]),
            ("M:c6c7s", PromotionNotOpen, 0, &[]),
            ("M:b4b5/A:b4b6", MirrorDiffers, 1, &[]),
            ("A:b4b6/M:c2d4", TooManySteps, 1, &[]),
            ("M:b4b5/A:b4b5/A:c6c7", TooManySteps, 2, &[]),
            ("M:c6c7q+a2", TwinNotOpen, 0, &[]),
            ("M:b4b5xd5", RemovalNotOpen, 0, &[]),
        ],
    ),
    (
        "influence",
        "4/4/4/4/2I1/III1/1C2|K3/4/4/4/4/4/1N1k|4/4/4/4/4/4/4 a -|-|- -|-|- 0 1 w",
        &[("M:b1c3/A:b1c3", MirrorBlocked, 1, &["A:c3"])],
    ),
    (
        "influence",
        "3I/4/I3/4/4/4/4|3k/4/r3/4/4/4/K3|4/4/4/4/4/4/4 a -|-|- -|-|- 0 1 w",
        &[("M:a5a1", OwnKingCaptured, 0, &["M:a1"])],
    ),
    (
        "influence",
        "4/4/C3/4/4/3I/4|3k/4/r3/4/4/4/K3|4/4/i3/4/4/4/4 a -|-|- -|-|- 0 1 w",
        &[("A:a5c5", KingLeftAttacked, 0, &["M:a1", "M:a5"])],
    ),
    (
        "three-universes",
        "7k/2K5/8/8/2N5/8/8/8|7k/R5P1/3p4/8/8/p6R/K5Q1/8|8/B7/8/8/3K4/8/7R/R7 w -|-|- -|-|- 0 1",
        &[
            ("R:a1a2", NoPiece, 0, &[]),
            ("R:h8h7", NotYourPiece, 0, &[]),
            ("G:a7g7", OwnPieceThere, 0, &[]),
            ("G:a2c2", PieceDoesNotMoveSo, 0, &[]),
            ("G:a7a1", PathBlocked, 0, &["G:a2", "G:a3"]),
            ("G:a7-R:c6", PassageNotOpen, 0, &["G:a3"]),
            ("B:a1-R:c6", PassageNotOpen, 0, &[]),
            ("R:c4e5/R:c7c8", SameBoardTwice, 1, &[]),
            ("G:g7g8", PromotionMissing, 0, &[]),
            ("G:g7g8s", PromotionNotOpen, 0, &[]),
            ("G:a7a6/R:c7c8/B:a1a2", TooManySteps, 2, &[]),
            ("G:g7h8q/R:c7c8", TooManySteps, 1, &[]),
            ("G:g7g8q+g7", TwinNotOpen, 0, &[]),
            ("G:a7a6xd6", RemovalNotOpen, 0, &[]),
        ],
    ),
    (
        "three-universes",
        "r6k/8/8/8/8/7R/8/N7|8/8/k7/8/8/8/7K/R7|8/2p5/k7/8/8/8/6K1/6R1 w -|-|- -|-|- 0 1",
        &[("R:h3h8/R:b5b6", BoardVanished, 1, &[])],
    ),
    (
        "three-universes",
        "8/8/8/8/8/8/8/4K3|4K3/8/8/8/8/8/8/8|8/8/8/8/8/8/8/4k3 b -|-|- -|-|- 0 1",
        &[("B:e1e2", GameOver, 0, &[])],
    ),
];

#[tokio::test]
async fn every_reason_comes_with_its_step_and_squares() {
    let mut client = server::client().await;
    for (variant, fen, cases) in CASES {
        let position = ask::at(variant, fen);
        for (chosen, reason, step_index, squares) in *cases {
            let answer = ask::apply(&mut client, &position, ask::text(chosen)).await;
            assert!(!answer.legal, "{variant} {fen}: {chosen}");
            let illegality = answer.illegality.unwrap();
            let at = format!("{variant} {fen}: {chosen}: {illegality:?}");
            assert_eq!((illegality.reason(), illegality.step_index), (*reason, *step_index), "{at}");
            let name = |at: &v1::Location| match at.board.as_str() {
                "" => at.square.clone(),
                board => format!("{board}:{}", at.square),
            };
            let named: Vec<String> = illegality.squares.iter().map(name).collect();
            assert_eq!(named, *squares, "{at}");
            assert!(!illegality.message.is_empty(), "{at}");
        }
    }
}
