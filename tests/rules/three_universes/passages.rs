//! Passages through kings: the source's example, and what opens and stops them.

use std::ops::ControlFlow;

use arbiter::rules::illegal::IllegalReason::*;
use arbiter::rules::play::{self, Game};
use arbiter::rules::read_move;
use arbiter::rules::square::Location;
use arbiter::rules::turn::{Scope, Turn};

use super::{after, is_legal, scene, steps_from, variant};
use crate::{scenes, table};

/// The source's example, a rook on Green a7 with kings on Green a2 and Red c7: or another piece in its place, and
/// something on Red c4 and on Red's first rank.
fn passage(to_move: char, piece: char, on_c4: char, first_rank: &str) -> Game {
    let drawing = format!(
        "
        ........ | ........ |
        ..K..... | {piece}....... |
        ........ | ........ |
        ........ | ........ |
        ..{on_c4}..... | ........ |
        ........ | ........ |
        ........ | K....... |
        {first_rank} | .......k | "
    );
    scene(to_move, &drawing)
}

/// Clause 4, as the source shows it.
#[test]
fn a_rook_passes_through_its_king_and_goes_on_in_the_same_direction() {
    let game = passage('w', 'R', '.', ".......k");
    let passages: Vec<String> =
        steps_from(&game, "G:a7").into_iter().filter(|text| text.contains('-')).collect();
    assert_eq!(passages, ["G:a7-R:c1", "G:a7-R:c2", "G:a7-R:c3", "G:a7-R:c4", "G:a7-R:c5", "G:a7-R:c6"]);
    assert_eq!(after(&game, "G:a7-R:c4"), "8/2K5/8/8/2R5/8/8/7k|8/8/8/8/8/8/K7/7k|* b -|-|- -|-|- 1 1");
    for text in ["Ra7-c4", "G:Ra7-c4", "G:Ra7-R:c4", "Ra7-R:c4"] {
        assert_eq!(
            read_move(variant(), &game, text).unwrap(),
            table::steps(variant(), "G:a7-R:c4"),
            "{text}"
        );
    }
}

/// Clause 4: what stops a passage, and who has none.
#[test]
fn a_passage_ends_at_the_first_piece_and_takes_an_enemy() {
    let passages = |piece: char, on_c4: char| {
        let mut steps = steps_from(&passage('w', piece, on_c4, ".......k"), "G:a7");
        steps.retain(|text| text.contains("-R"));
        steps
    };
    assert_eq!(passages('R', '.'), ["c1", "c2", "c3", "c4", "c5", "c6"].map(|to| format!("G:a7-R:{to}")));
    assert_eq!(passages('R', 'n'), ["G:a7-R:c4", "G:a7-R:c5", "G:a7-R:c6"]);
    assert_eq!(passages('R', 'N'), ["G:a7-R:c5", "G:a7-R:c6"]);
    for other in ['Q', 'B', 'N'] {
        assert_eq!(passages(other, '.'), [""; 0]);
    }
}

/// Clause 4: bishops pass along diagonals; clause 5: from Green to both others, in the order of boards.
#[test]
fn a_bishop_passes_from_green_to_both_others_and_back_to_green_only() {
    let drawing = "
        ........ | .....B.. | k.......
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ..K..... | ........
        ....K... | ........ | .......K
        ........ | ........ | ........
        ........ | ........ | ......B.
        k....... | k....... | ........";
    let game = scene('w', drawing);
    let to_red = ["G:f8-R:b1", "G:f8-R:c2", "G:f8-R:d3"];
    let on_green = ["G:f8d6", "G:f8h6", "G:f8e7", "G:f8g7"];
    let to_blue = ["G:f8-B:e1", "G:f8-B:f2", "G:f8-B:g3"];
    assert_eq!(steps_from(&game, "G:f8"), [&to_red[..], &on_green, &to_blue].concat());
    // On Blue the bishop has no line to its king.
    assert!(steps_from(&game, "B:g2").iter().all(|text| !text.contains('-')));
    // From a line to it one comes to Green alone, and there no further than to the own bishop.
    let game = scene('w', &drawing.replace("......B.", ".....B.."));
    let mut passing = steps_from(&game, "B:f2");
    passing.retain(|text| text.contains('-'));
    assert_eq!(passing, ["B:f2-G:d6", "B:f2-G:e7"]);
}

/// One offer a destination board, in board order.
#[test]
fn passages_are_offered_board_by_board() {
    let game = scene(
        'w',
        "
        ........ | ........ | k.......
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | ........ | ........
        ........ | R...K... | ........
        ..K..... | ........ | ..K.....
        ........ | ........ | ........
        k....... | k....... | ........",
    );
    let from = variant().card().geometry(1).named("a4").unwrap();
    let mut scope = Scope::ALL;
    scope.from =
        std::array::from_fn(
            |board| {
                if board == 1 { [from].into_iter().collect() } else { [].into_iter().collect() }
            },
        );
    let mut boards = Vec::new();
    let _ = variant().offers(&Turn::new(game.position), &scope, &mut |offer| {
        assert_eq!(offer.from, Location::new(1, from));
        boards.push((offer.to_board, offer.targets.count()));
        ControlFlow::Continue(())
    });
    assert_eq!(boards, [(0, 5), (1, 10), (2, 5)]);
}

/// Clause 3: a piece that passed may move again from the board where it has come to be.
#[test]
fn a_piece_may_move_twice_through_a_passage() {
    let game = passage('w', 'R', '.', ".......k");
    assert!(is_legal(&game, "G:a7-R:c4/R:c4h4"));
    assert!(is_legal(&game, "G:a7-R:c4/R:c7c8"));
    // And back, by way of the same two kings.
    assert!(is_legal(&game, "G:a7-R:c6/R:c6-G:a3"));
    assert_eq!(scenes::refused(variant(), &game, "G:a7-R:c4/G:a2a3"), (SameBoardTwice, 1, String::new()));
    // A rook that moved on its own board has started from it.
    assert_eq!(scenes::refused(variant(), &game, "G:a7a6/G:a6-R:c4"), (SameBoardTwice, 1, String::new()));
}

/// Clause 10.
#[test]
fn kings_are_attacked_through_passages() {
    let attacked = |on_c4: char| {
        let game = passage('b', 'R', on_c4, "..k.....");
        scenes::names(variant(), play::status(variant(), &game).attacked_kings)
    };
    assert_eq!(attacked('.'), "R:c1");
    assert_eq!(attacked('p'), "");
    assert_eq!(attacked('N'), "");
}
