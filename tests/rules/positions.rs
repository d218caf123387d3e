//! Positions that are refused, with all their faults, and texts that are not in the one form of a position.

use std::collections::BTreeSet;

use arbiter::rules::fault::{Fault, FaultCode};
use arbiter::rules::notation::position_text;
use arbiter::rules::piece::{Piece, PieceKind, Side};
use arbiter::rules::position::Position;
use arbiter::rules::square::Location;
use arbiter::rules::{initial_position, play, variants};

use crate::random::{self, Random};
use crate::refusals::mutated;
use crate::samples;
use crate::scenarios::{rows, variant};

/// The sorts of faults, each once, in their order.
fn codes(faults: &[Fault]) -> String {
    assert!(faults.iter().all(|fault| !fault.message.is_empty()));
    let codes: BTreeSet<FaultCode> = faults.iter().map(|fault| fault.code).collect();
    let names: Vec<String> = codes.iter().map(|code| format!("{code:?}")).collect();
    names.join(" ")
}

fn refused(id: &str, text: &str) -> String {
    match position_text::parse(variant(id), text) {
        Ok(_) => String::new(),
        Err(faults) => {
            assert!(!faults.is_empty(), "{text}");
            codes(&faults)
        }
    }
}

/// What it shows; the text; the sorts of its faults, none where it is sound.
fn check(id: &str, cases: &str) {
    for [shows, text, wanted] in rows(cases) {
        assert_eq!(refused(id, text), wanted, "{shows}: {text}");
    }
}

#[test]
fn positions_of_chess_that_cannot_be() {
    check(
        "chess",
        "
        sound; 4k3/8/8/8/8/8/8/4K3 w - - 0 1;
        two white kings; 4k3/8/8/8/8/8/8/K3K3 w - - 0 1; TooManyKings
        no black king; 8/8/8/8/8/8/8/4K3 w - - 0 1; MissingKing
        no king at all; 8/8/8/8/8/8/8/8 w - - 0 1; MissingKing
        one side has two kings and the other none; 8/8/8/8/8/8/8/K3K3 w - - 0 1; TooManyKings MissingKing
        a pawn on the last rank; P3k3/8/8/8/8/8/8/4K3 w - - 0 1; PawnOnBackRank
        a pawn on the first rank; 4k3/8/8/8/8/8/8/P3K3 w - - 0 1; PawnOnBackRank
        a black pawn on the eighth rank; p3k3/8/8/8/8/8/8/4K3 w - - 0 1; PawnOnBackRank
        nine pawns; 4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1; TooManyPawns
        seventeen men; 4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1; TooManyPieces
        a right without its rook; 4k3/8/8/8/8/8/8/4K2R w Q - 0 1; BadCastlingRight
        a right with the enemy's rook; 4k3/8/8/8/8/8/8/4K2r w K - 0 1; BadCastlingRight
        a right without its king; 4k3/8/8/8/8/8/4K3/7R w K - 0 1; BadCastlingRight
        two kings, the first attacked; 2k1k3/8/8/8/8/8/8/K1R5 w - - 0 1; TooManyKings OpponentInCheck
        two kings, the second attacked; 2k1k3/8/8/8/8/8/8/K3R3 w - - 0 1; TooManyKings OpponentInCheck
        the side that waits is in check; 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1; OpponentInCheck
        the kings side by side; 8/8/8/3kK3/8/8/8/8 w - - 0 1; OpponentInCheck
        the side to move is in check; 4k3/4R3/8/8/8/8/8/4K3 b - - 0 1;
        two boards; 4k3/8/8/8/8/8/8/4K3|8/8/8/8/8/8/8/8 w - - 0 1; BadBoardCount
        a vanished board; * w - - 0 1; BadBoardSize UnknownPiece
        seven ranks; 4k3/8/8/8/8/8/4K3 w - - 0 1; BadBoardSize
        nine ranks; 4k3/8/8/8/8/8/8/8/4K3 w - - 0 1; BadBoardSize
        a rank of seven squares; 4k3/8/8/8/8/8/7/4K3 w - - 0 1; BadBoardSize
        a rank of nine squares; 4k3/8/8/8/8/8/9/4K3 w - - 0 1; BadBoardSize
        ten pieces on a rank; 4k3/8/8/8/8/nnnnnnnnnn/8/4K3 w - - 0 1; BadBoardSize
        a ship; 4k3/8/8/8/8/S7/8/4K3 w - - 0 1; UnknownPiece
        a piece of no game; 4k3/8/8/8/8/z7/8/4K3 w - - 0 1; UnknownPiece
        a twin group; 4k3/8/8/8/8/8/8/R{1}3K3 w - - 0 1; BadTwinGroup
        both clocks; 4k3/8/8/8/8/8/8/4K3 w - - 10001 0; BadClock
        the highest clocks; 4k3/8/8/8/8/8/8/4K3 w - - 10000 10000;
        a clock that overflows; 4k3/8/8/8/8/8/8/4K3 w - - 65536 1; BadClock
        a clock below nought; 4k3/8/8/8/8/8/8/4K3 w - - -1 1; BadClock
        a clock with a sign; 4k3/8/8/8/8/8/8/4K3 w - - +1 1; BadClock
        another game's side to move; 4k3/8/8/8/8/8/8/4K3 a - - 0 1; BadTurn
        an army; 4k3/8/8/8/8/8/8/4K3 w - - 0 1 w; BadFields
        ",
    );
}

#[test]
fn en_passant_of_chess_that_cannot_be() {
    check(
        "chess",
        "
        sound; 4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1;
        sound, also where the clock is above nought; 4k3/8/8/8/4P3/8/8/4K3 b - e3 7 1;
        of the side to move; 4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1; BadEnPassant
        of Black, and Black to move; 4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1; BadEnPassant
        no pawn; 4k3/8/8/8/8/8/8/4K3 b - e3 0 1; BadEnPassant
        a piece that is no pawn; 4k3/8/8/8/4N3/8/8/4K3 b - e3 0 1; BadEnPassant
        a pawn of the other side; 4k3/8/8/8/4p3/8/8/4K3 b - e3 0 1; BadEnPassant
        the passed square is taken; 4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1; BadEnPassant
        the pawn's home is taken; 4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1; BadEnPassant
        on the fourth rank; 4k3/8/8/4P3/8/8/8/4K3 b - e4 0 1; BadEnPassant
        on the second rank; 4k3/8/8/8/8/4P3/8/4K3 b - e2 0 1; BadEnPassant
        on the eighth rank; 4k3/8/8/8/8/8/8/4K3 w - e8 0 1; BadEnPassant
        off the board; 4k3/8/8/8/4P3/8/8/4K3 b - e9 0 1; BadEnPassant
        off the board; 4k3/8/8/8/4P3/8/8/4K3 b - i3 0 1; BadEnPassant
        no rank; 4k3/8/8/8/4P3/8/8/4K3 b - e 0 1; BadEnPassant
        too long; 4k3/8/8/8/4P3/8/8/4K3 b - e3e4 0 1; BadEnPassant
        in capitals; 4k3/8/8/8/4P3/8/8/4K3 b - E3 0 1; BadEnPassant
        no square; 4k3/8/8/8/4P3/8/8/4K3 b - -- 0 1; BadEnPassant
        ",
    );
}

#[test]
fn positions_of_gamma2_that_cannot_be() {
    check(
        "gamma2",
        "
        sound; 5k4/10/10/10/6X3/10/10/5K4 b - f3g4 0 1;
        eleven pawns; 5k4/10/10/10/10/X9/XXXXXXXXXX/5K4 w - - 0 1; TooManyPawns
        twenty-one men; 5k4/10/10/10/10/S9/XXXXXXXXXX/RNBSQKABNR w - - 0 1; TooManyPieces
        no king; 10/10/10/10/10/10/10/5K4 w - - 0 1; MissingKing
        two kings; 5k4/10/10/10/10/10/10/4KK4 w - - 0 1; TooManyKings
        a pawn on the last rank; 5k3X/10/10/10/10/10/10/5K4 w - - 0 1; PawnOnBackRank
        a pawn of chess; 5k4/10/10/10/10/10/P9/5K4 w - - 0 1; UnknownPiece
        a prince; 5k4/10/10/10/10/10/I9/5K4 w - - 0 1; UnknownPiece
        a ship attacks the side that waits; 5k4/10/5x4/10/10/5S4/10/5K4 w - - 0 1; OpponentInCheck
        an archer beside the king that waits; 5k4/4A5/10/10/10/10/10/5K4 w - - 0 1; OpponentInCheck
        a right of the king on e1; 5k4/10/10/10/10/10/10/R3K4R w K - 0 1; BadCastlingRight
        a twin group; 5k4/10/10/10/10/10/10/R{2}4K4 w - - 0 1; BadTwinGroup
        a board of chess; 4k3/8/8/8/8/8/8/4K3 w - - 0 1; BadBoardSize
        two numbers for one run; 5k4/91/10/10/10/10/10/5K4 w - - 0 1; BadBoardSize
        two numbers for one run; 5k4/19/10/10/10/10/10/5K4 w - - 0 1; BadBoardSize
        two numbers for one run; 5k4/55/10/10/10/10/10/5K4 w - - 0 1; BadBoardSize
        a run with a leading nought; 5k4/010/10/10/10/10/10/5K4 w - - 0 1; BadBoardSize
        a rank of nine squares; 5k4/9/10/10/10/10/10/5K4 w - - 0 1; BadBoardSize
        the passed square alone; 5k4/10/10/10/6X3/10/10/5K4 b - f3 0 1; BadEnPassant
        a pawn that stands elsewhere; 5k4/10/10/10/6X3/10/10/5K4 b - f3e4 0 1; BadEnPassant
        a step straight ahead; 5k4/10/10/10/5X4/10/10/5K4 b - f3f4 0 1; BadEnPassant
        two squares that are no double step; 5k4/10/10/10/7X2/10/10/5K4 b - f3h4 0 1; BadEnPassant
        from beyond the edge; 5k4/10/10/10/1X8/10/10/5K4 b - a3b4 0 1; BadEnPassant
        the passed square is taken; 5k4/10/10/10/6X3/5n4/10/5K4 b - f3g4 0 1; BadEnPassant
        the pawn's home is taken; 5k4/10/10/10/6X3/10/4N5/5K4 b - f3g4 0 1; BadEnPassant
        of the side to move; 5k4/10/10/10/6X3/10/10/5K4 w - f3g4 0 1; BadEnPassant
        the two squares exchanged; 5k4/10/10/10/6X3/10/10/5K4 b - g4f3 0 1; BadEnPassant
        three squares; 5k4/10/10/10/6X3/10/10/5K4 b - f3g4g4 0 1; BadEnPassant
        a square and a half; 5k4/10/10/10/6X3/10/10/5K4 b - f3g 0 1; BadEnPassant
        ",
    );
}

#[test]
fn all_faults_are_reported_at_once() {
    check(
        "chess",
        "
        of each part; P7/8/8/8/8/z7/8/R{1}3KK2 x KQ e3 x 0; TooManyKings MissingKing PawnOnBackRank BadCastlingRight UnknownPiece BadTwinGroup BadClock BadTurn
        a twin group does not make it another pawn; 4k3/8/8/3Pp{1}3/8/8/8/4K3 w - e6 0 1; BadTwinGroup
        a fault hides none; 4k3/4R3/8/8/8/8/8/4K3 w K e6 10001 1; BadCastlingRight BadEnPassant OpponentInCheck BadClock
        what is missing is not told of boards that are; 8/8/8 w KQkq e6 0 1; BadBoardSize
        but what stands there is; P7/z7/8 w KQkq e6 0 0; PawnOnBackRank BadBoardSize UnknownPiece BadClock
        all of it; kk6/8/8/8/8/8/8/KK6/8 w - - 0 1; TooManyKings BadBoardSize
        who is attacked there is not known; 4k3/4R3/8/8/8/8/8/4K3/8 w - - 0 1; BadBoardSize
        nor whose pawn stepped, but which could; 8/8/8 w - e3 0 1; BadEnPassant BadBoardSize
        three fields; 4k3/8/8/8/8/8/8/K3K3 w K; TooManyKings BadCastlingRight BadFields
        ",
    );
    check(
        "three-universes",
        "
        rights that the game has not; 4k3/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3|8 w K|-|- -|-|- 0 1; BadCastlingRight BadBoardSize
        a board less; 4k3/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/KK6 w -|-|k -|-|- 0 1; TooManyKings BadCastlingRight BadBoardCount
        ",
    );
    check(
        "influence",
        "
        a commander of each side, one of them astray; C2c/4/4/4/4/4/4|K2k/4/4/4/4/4/4|4/4/4/4/4/4/4 a -|-|- -|-|- 0 1 w; PieceOnWrongBoard
        two of one side, one of them astray; C3/4/4/4/4/4/4|K2k/4/4/4/4/4/4|C3/4/4/4/4/4/4 a -|-|- -|-|- 0 1 w; TooManyPieces PieceOnWrongBoard
        two kings, the second attacked; 4/4/4/3C/4/4/4|k2k/4/4/3R/4/4/K3|4/4/4/4/4/4/4 a -|-|- -|-|- 0 1 w; TooManyKings OpponentInCheck
        what the game has not; 4/4/4/CC2/4/4/4|1k2/4/4/4/4/4/KK2|4 a K|-|- a3|-|- 0 1 w; TooManyKings TooManyPieces BadCastlingRight BadEnPassant BadBoardSize
        ",
    );
    let faults =
        position_text::parse(variant("chess"), "pk6/8/8/8/8/8/8/P3K2P w KQ - 0 1").expect_err("three pawns");
    let count = |code| faults.iter().filter(|fault| fault.code == code).count();
    assert_eq!(count(FaultCode::PawnOnBackRank), 3, "{faults:?}");
    assert_eq!(count(FaultCode::BadCastlingRight), 2, "{faults:?}");
}

#[test]
fn a_position_has_one_text() {
    check(
        "chess",
        "
        runs that touch; 4k3/44/8/8/8/8/8/4K3 w - - 0 1; BadBoardSize
        a run with a leading nought; 4k3/08/8/8/8/8/8/4K3 w - - 0 1; BadBoardSize
        an empty run; 4k3/8/8/8/8/8/8/04K3 w - - 0 1; BadBoardSize
        rights in another order; r3k2r/8/8/8/8/8/8/R3K2R w QKkq - 0 1; BadCastlingRight
        a right twice; r3k2r/8/8/8/8/8/8/R3K2R w KKQ - 0 1; BadCastlingRight
        rights and none; r3k2r/8/8/8/8/8/8/R3K2R w KQ- - 0 1; BadCastlingRight
        rights by files; r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1; BadCastlingRight
        a clock with leading noughts; 4k3/8/8/8/8/8/8/4K3 w - - 007 1; BadClock
        a clock with two noughts; 4k3/8/8/8/8/8/8/4K3 w - - 00 1; BadClock
        a number with a leading nought; 4k3/8/8/8/8/8/8/4K3 w - - 0 01; BadClock
        a clock that is none; 4k3/8/8/8/8/8/8/4K3 w - - x 1; BadClock
        a clock of other digits; 4k3/8/8/8/8/8/8/4K3 w - - ٣ 1; BadClock
        the twin group 0; 4k3/8/8/8/8/8/8/R{0}3K3 w - - 0 1; BadTwinGroup
        a twin group that does not end; 4k3/8/8/8/8/8/8/R{1 w - - 0 1; BadBoardSize BadTwinGroup
        capitals for the side to move; 4k3/8/8/8/8/8/8/4K3 W - - 0 1; BadTurn
        the side's whole name; 4k3/8/8/8/8/8/8/4K3 white - - 0 1; BadTurn
        two spaces; 4k3/8/8/8/8/8/8/4K3  w - - 0 1; BadCastlingRight BadClock BadTurn BadFields
        a field more; 4k3/8/8/8/8/8/8/4K3 w - - 0 1 1; BadFields
        a field less; 4k3/8/8/8/8/8/8/4K3 w - - 0; BadFields
        the placement alone; 4k3/8/8/8/8/8/8/4K3; BadTurn BadFields
        a tab for a space; 4k3/8/8/8/8/8/8/4K3\tw - - 0 1; BadEnPassant BadBoardSize UnknownPiece BadTurn BadFields
        a letter of another script; 4k3/8/8/8/8/8/8/4К3 w - - 0 1; MissingKing UnknownPiece
        a figurine; 4♚3/8/8/8/8/8/8/4K3 w - - 0 1; MissingKing UnknownPiece
        a slash too many; 4k3/8/8/8/8/8/8/4K3/ w - - 0 1; BadBoardSize
        an empty rank; 4k3//8/8/8/8/8/4K3 w - - 0 1; BadBoardSize
        ",
    );
    let sound = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for text in [format!("{sound} "), format!("{sound}\n"), format!(" {sound}"), format!("{sound}\0")] {
        assert_ne!(refused("chess", &text), "", "{text:?}");
    }
}

/// Does something to a sound position, with the help of an empty square.
type Spoil = fn(&mut Position, Location);

#[test]
fn faults_that_no_text_can_have_are_found_too() {
    let chess = variant("chess");
    let sound = initial_position(chess, None).expect("the initial position is sound");
    let at = |name| Location::new(0, chess.card().geometry(0).named(name).expect("a square"));
    let cases: [(&str, Spoil); 6] = [
        ("BadArmy", |position, _| position.above_army = Some(Side::White)),
        ("BadTurn", |position, _| position.to_move = Side::Above),
        ("UnknownPiece", |position, at| position.put(at, Piece::new(PieceKind::Commander, Side::White))),
        ("PieceOnWrongBoard", |position, at| position.put(at, Piece::new(PieceKind::Rook, Side::Above))),
        ("BadTwinGroup", |position, at| {
            position.put(at, Piece { twin_group: 100, ..Piece::new(PieceKind::Rook, Side::White) });
        }),
        ("BadClock", |position, _| position.move_number = 0),
    ];
    for (wanted, spoil) in cases {
        let mut position = sound.clone();
        spoil(&mut position, at("e4"));
        let found = codes(&play::faults(chess, &position, true));
        assert!(found.contains(wanted), "{found}, and not {wanted}");
    }
    let faults = initial_position(chess, Some(Side::Black)).expect_err("chess has no armies");
    assert_eq!(codes(&faults), "BadArmy");
}

#[test]
fn texts_that_are_too_long_are_refused_unread() {
    for &variant in variants::ALL {
        let id = variant.card().id;
        for text in ["8/".repeat(2_500), "R{1}".repeat(1_250), "1".repeat(5_000), " ".repeat(5_000)] {
            assert_eq!(refused(id, &text), "BadFields", "{id}");
            assert_ne!(refused(id, &text[..position_text::MAX_LENGTH]), "", "{id}");
        }
        assert_ne!(refused(id, ""), "", "{id}");
    }
}

#[test]
fn braces_are_closed() {
    for &variant in variants::ALL {
        for sample in samples::vectors(variant) {
            let text = position_text::print(variant, &sample.game.position);
            for (place, brace) in text.match_indices(['{', '}']) {
                let without = [&text[..place], &text[place + brace.len()..]].concat();
                assert_ne!(refused(variant.card().id, &without), "", "{without}");
            }
        }
    }
}

/// How many texts are tried for each game.
fn tries() -> u64 {
    if random::is_long() { 200_000 } else { 2_000 }
}

#[test]
fn any_text_is_refused_or_the_text_of_its_position() {
    for &variant in variants::ALL {
        let mut sound = 0;
        let texts: Vec<String> = samples::vectors(variant)
            .iter()
            .map(|sample| position_text::print(variant, &sample.game.position))
            .collect();
        for seed in 0..tries() {
            let random = &mut Random::new(seed);
            let text = &texts[random.below(texts.len())];
            let text = match random.below(4) {
                0 => noise(random),
                1 => joined(text, &texts[random.below(texts.len())], random),
                _ => mutated(text, random),
            };
            match position_text::parse(variant, &text) {
                Ok(position) => {
                    assert_eq!(position_text::print(variant, &position), text, "seed {seed}");
                    sound += 1;
                }
                Err(faults) => assert_ne!(codes(&faults), "", "seed {seed}: {text:?}"),
            }
        }
        // Some changes leave a text sound; were it none, only refusals would be tried.
        assert!(sound > 20, "{}: only {sound} changed texts are sound", variant.card().id);
    }
}

/// Bytes of any value, read as text.
fn noise(random: &mut Random) -> String {
    let bytes: Vec<u8> = (0..random.below(80)).map(|_| random.bits() as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Fields of one text and of another.
fn joined(one: &str, other: &str, random: &mut Random) -> String {
    let fields = one.split(' ').zip(other.split(' '));
    let fields: Vec<&str> = fields.map(|(one, other)| if random.one_in(3) { other } else { one }).collect();
    fields.join(" ")
}
