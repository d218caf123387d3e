//! The ten diagrams of the page of Influence Chess. White, at the bottom there in small letters, has capitals here; where
//! a diagram leaves out the kings, they stand far from the action.

use arbiter::rules::illegal::IllegalReason::*;
use arbiter::rules::outcome::{Outcome, WinReason};
use arbiter::rules::piece::Side;
use arbiter::rules::play;

use super::{is_legal, refused, scene, variant};
use crate::{scenes, table};

/// The first diagram: nobody of Below's over the knight.
#[test]
fn diagram_1_a_piece_over_a_square_that_is_free_below_moves_the_knight() {
    let game = scene(
        'a',
        'w',
        "
        .... | K... | ....
        .... | .... | ....
        I.I. | .... | ...i
        .C.. | .... | ...i
        .I.I | ...n | ici.
        .... | .... | ....
        .... | k... | ....",
    );
    for marked in ["M:d3c5", "M:d3b4", "M:d3b2", "M:d3c1"] {
        assert!(is_legal(&game, marked), "{marked}");
    }
}

#[test]
fn diagram_2_a_piece_of_the_same_strength_does_not_overrule() {
    let game = scene(
        'a',
        'w',
        "
        .... | K... | ....
        .... | .... | ....
        I.I. | .... | ...i
        .C.. | .... | ...i
        .I.I | ...n | ic.i
        .... | .... | ....
        .... | k... | ....",
    );
    for marked in ["M:d3c5", "M:d3b4", "M:d3b2", "M:d3c1"] {
        assert!(is_legal(&game, marked), "{marked}");
    }
}

#[test]
fn diagram_3_a_stronger_piece_overrules() {
    let game = scene(
        'a',
        'w',
        "
        .... | K... | ....
        .... | .... | ....
        I.I. | .... | ...i
        .C.. | .... | ...i
        .I.I | ...n | i.ic
        .... | .... | ....
        .... | k... | ....",
    );
    for text in ["M:d3c5", "M:d3b4", "M:d3b2", "M:d3c1"] {
        assert_eq!(refused(&game, text), (InfluenceOverruled, 0, "B:d3".to_owned()));
    }
    assert_eq!(scenes::moves_from(variant(), &game, "M:d3"), [""; 0]);
}

#[test]
fn diagram_4_nothing_overrules_a_commander() {
    let game = scene(
        'a',
        'w',
        "
        .... | K... | ....
        .... | .... | ....
        I.I. | .... | ...i
        .I.. | .... | ...i
        .I.C | ...n | i.ic
        .... | .... | ....
        .... | k... | ....",
    );
    for text in ["M:d3c5", "M:d3b4", "M:d3b2", "M:d3c1"] {
        assert!(is_legal(&game, text), "{text}");
    }
}

#[test]
fn diagram_5_a_prince_makes_the_rooks_move() {
    let game = scene(
        'a',
        'w',
        "
        .... | .... | ....
        .... | .... | ..c.
        .... | K... | ...i
        .... | .... | ...i
        ...I | ...r | i.i.
        .... | .... | ....
        IIIC | .k.. | ....",
    );
    assert!(is_legal(&game, "M:d3d7"));
    assert!(is_legal(&game, "M:d3d7/A:d3d7"));
}

#[test]
fn diagram_6_a_blocked_way_bars_the_mirror_only() {
    let game = scene(
        'a',
        'w',
        "
        .... | .... | ....
        .... | .... | ..c.
        ...I | K... | ...i
        .... | .... | ...i
        ...I | ...r | i.i.
        .... | .... | ....
        .... | .k.. | ....",
    );
    assert!(is_legal(&game, "M:d3d7"));
    assert_eq!(refused(&game, "M:d3d7/A:d3d7"), (MirrorBlocked, 1, "A:d5".to_owned()));
}

#[test]
fn diagram_7_a_rook_without_influence_attacks_no_king() {
    let drawing = "
        .... | ..K. | ..i.
        .... | .... | ....
        .I.. | ...r | ....
        ...I | .... | ....
        .I.C | .... | i.ii
        .... | .k.. | ....
        .... | .... | ..c.";
    assert!(is_legal(&scene('b', 'b', drawing), "M:c7d7"));
    // Were a Prince over the rook, it could capture the king.
    let game = scene('b', 'b', &drawing.replace(".I.. | ...r", "...I | ...r"));
    assert_eq!(refused(&game, "M:c7d7"), (KingLeftAttacked, 0, "M:d7 M:d5".to_owned()));
}

#[test]
fn diagram_8_a_queen_that_the_opponent_can_use_may_not_be_brought_near_the_king() {
    let game = scene(
        'a',
        'w',
        "
        .... | k... | ....
        .... | .... | ..i.
        .I.. | .... | ....
        .... | .... | ....
        .IIC | ..q. | i.ic
        .... | ..K. | ....
        I... | .... | i...",
    );
    let attacked = (KingLeftAttacked, 0, "M:c2 M:c6".to_owned());
    assert_eq!(refused(&game, "M:c3c6"), attacked);
    // A Prince is no stronger than Below's, so its mirror does not help.
    assert_eq!(refused(&game, "M:c3c6/A:c3c6"), attacked);
}

#[test]
fn diagram_9_the_commanders_mirror_protects_from_the_queen() {
    let game = scene(
        'a',
        'w',
        "
        .... | k... | ....
        .... | .... | ..i.
        .I.. | .... | ....
        .... | .... | ....
        .ICI | ..q. | i.ic
        .... | ..K. | ....
        I... | .... | i...",
    );
    assert!(is_legal(&game, "M:c3c6/A:c3c6"));
    assert!(!is_legal(&game, "M:c3c6"));
    assert_eq!(refused(&game, "M:c3c6"), (KingLeftAttacked, 0, "M:c2 M:c6".to_owned()));
    // The step alone is a beginning, and no move.
    let steps = table::steps(variant(), "M:c3c6");
    let begun = play::begin(variant(), &game, &steps).unwrap();
    assert!(!begun.complete);
    let both = table::steps(variant(), "M:c3c6/A:c3c6");
    assert!(play::begin(variant(), &game, &both).unwrap().complete);
}

#[test]
fn diagram_10_a_king_that_cannot_be_influenced_is_mated() {
    let game = scene(
        'b',
        'b',
        "
        .... | ...K | ....
        .... | PPP. | ..c.
        .I.I | .... | ....
        .... | .... | ....
        .I.C | ...r | i.ii
        .... | .k.. | ....
        I... | .... | .i..",
    );
    let status = play::status(variant(), &game);
    assert_eq!(status.outcome, Some(Outcome::Won { winner: Side::Above, reason: WinReason::Checkmate }));
    assert_eq!(scenes::names(variant(), status.attacked_kings), "M:d7");
    assert_eq!(refused(&game, "M:d7c7"), (GameOver, 0, String::new()));
    assert_eq!(refused(&game, "A:a1b1"), (GameOver, 0, String::new()));
}
