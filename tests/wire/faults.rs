//! Positions that are refused, with all their faults.

use arbiter::grpc::v1;
use tonic::Code;

use crate::ask::{self, Refusal};
use crate::data;
use crate::server::{self, Client};

async fn refusal(client: &mut Client, position: v1::Position) -> Refusal {
    let refusal = ask::refused(client.game_status(v1::GameStatusRequest { position: Some(position) }).await);
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::InvalidArgument, "INVALID_POSITION"));
    assert!(!refusal.faults.is_empty());
    for fault in &refusal.faults {
        let known = v1::PositionFault::from_str_name(&format!("POSITION_FAULT_{fault}"));
        assert!(known.is_some(), "{fault} is no fault of the contract");
    }
    // Each sentence begins with the code of its fault.
    for (_, sentence) in &refusal.violations {
        let code = sentence.split(':').next().unwrap();
        assert!(refusal.faults.contains(code), "{sentence} is not among {:?}", refusal.faults);
    }
    refusal
}

fn listed(refusal: &Refusal) -> String {
    refusal.faults.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn invalid_texts_have_the_fault_of_the_test_data() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        for (fen, fault) in data::invalid_rows(&variant.id) {
            let refusal = refusal(&mut client, ask::at(&variant.id, &fen)).await;
            assert!(refusal.faults.contains(&fault), "{fen}: {:?}, not {fault}", refusal.faults);
            assert!(refusal.fields().iter().all(|field| *field == "position.fen"));
        }
    }
}

#[tokio::test]
async fn all_faults_of_a_text_are_reported_at_once() {
    let mut client = server::client().await;
    let cases = [
        ("8/8/8/8/8/8/8/P7 w - - 0 1", "MISSING_KING PAWN_ON_BACK_RANK", 3),
        (
            "KKk5/8/8/8/8/8/8/p7 x KQkq e3 10001 0",
            "BAD_CASTLING_RIGHT BAD_CLOCK BAD_TURN PAWN_ON_BACK_RANK TOO_MANY_KINGS",
            9,
        ),
        ("4k3/8/8/8/8/8/8/4K3 w QK e4 007 1 w", "BAD_CASTLING_RIGHT BAD_CLOCK BAD_EN_PASSANT BAD_FIELDS", 4),
        ("4k3/44/8/8/9/8/8/4K3 w - - 0 1", "BAD_BOARD_SIZE", 2),
        ("4k3/8/8/8/8/8/8 w - - 0 1", "BAD_BOARD_SIZE", 1),
        ("4k3/8/8/8/8/8/8/4K3|4k3/8/8/8/8/8/8/4K3 w -|- - 0 1", "BAD_BOARD_COUNT BAD_FIELDS", 2),
        ("4k3/8/8/8/8/8/8/R{1}R{0}R{100}1K3 w - - 0 1", "BAD_TWIN_GROUP", 3),
        ("*", "BAD_BOARD_SIZE BAD_FIELDS UNKNOWN_PIECE BAD_TURN", 5),
        ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", "BAD_CASTLING_RIGHT BAD_CLOCK BAD_FIELDS BAD_TURN", 5),
        (" ", "BAD_BOARD_SIZE BAD_FIELDS BAD_TURN", 4),
    ];
    for (fen, faults, violations) in cases {
        let refusal = refusal(&mut client, ask::at("chess", fen)).await;
        let mut wanted: Vec<&str> = faults.split(' ').collect();
        wanted.sort_unstable();
        assert_eq!(listed(&refusal), wanted.join(" "), "{fen}: {:?}", refusal.violations);
        assert_eq!(refusal.violations.len(), violations, "{fen}: {:?}", refusal.violations);
    }
}

/// A change of the structure of chess's initial position, the faults that it makes, and the fields that they are in.
type Case = (fn(&mut v1::Position), &'static str, &'static [&'static str]);

const STRUCTURES: &[Case] = &[
    (|position| position.boards.clear(), "BAD_BOARD_COUNT", &["position.boards"]),
    (|position| position.boards.push(v1::Board::default()), "BAD_BOARD_COUNT", &["position.boards"]),
    (|position| position.boards[0].files = 9, "BAD_BOARD_SIZE", &["position.boards[0].files"]),
    (|position| position.boards[0].ranks = 0xffff_ffff, "BAD_BOARD_SIZE", &["position.boards[0].ranks"]),
    (|position| position.boards[0].name = "A".to_owned(), "BAD_FIELDS", &["position.boards[0].name"]),
    (|position| position.boards[0].vanished = true, "BAD_FIELDS", &["position.boards[0].vanished"]),
    (|position| position.to_move = 0, "BAD_TURN", &["position.to_move"]),
    (|position| position.to_move = 3, "BAD_TURN", &["position.to_move"]),
    (|position| position.to_move = 1234, "BAD_TURN", &["position.to_move"]),
    (|position| position.above_army = 1, "BAD_ARMY", &["position.above_army"]),
    (|position| position.above_army = -1, "BAD_ARMY", &["position.above_army"]),
    (|position| position.halfmove_clock = 10_001, "BAD_CLOCK", &["position.halfmove_clock"]),
    (|position| position.move_number = 10_001, "BAD_CLOCK", &["position.move_number"]),
    (|position| position.move_number = u32::MAX, "BAD_CLOCK", &["position.move_number"]),
    (
        |position| position.boards[0].castling = "QK".to_owned(),
        "BAD_CASTLING_RIGHT",
        &["position.boards[0].castling"],
    ),
    (
        |position| position.boards[0].pieces[0].square = "a9".to_owned(),
        "BAD_CASTLING_RIGHT BAD_FIELDS",
        &["position.boards[0].pieces[0].square", "position.boards[0].castling"],
    ),
    (
        |position| position.boards[0].pieces[1].square = "c1".to_owned(),
        "BAD_FIELDS",
        &["position.boards[0].pieces[2].square"],
    ),
    (
        |position| position.boards[0].pieces[1].kind = 0,
        "UNKNOWN_PIECE",
        &["position.boards[0].pieces[1].kind"],
    ),
    (
        |position| position.boards[0].pieces[1].kind = 7,
        "UNKNOWN_PIECE",
        &["position.boards[0].pieces[1].kind"],
    ),
    (
        |position| position.boards[0].pieces[1].kind = -5,
        "UNKNOWN_PIECE",
        &["position.boards[0].pieces[1].kind"],
    ),
    (|position| position.boards[0].pieces[1].side = 0, "BAD_FIELDS", &["position.boards[0].pieces[1].side"]),
    (
        |position| position.boards[0].pieces[1].side = 3,
        "PIECE_ON_WRONG_BOARD",
        &["position.boards[0].pieces"],
    ),
    (
        |position| position.boards[0].pieces[1].twin_group = 1,
        "BAD_TWIN_GROUP",
        &["position.boards[0].pieces"],
    ),
    (
        |position| position.boards[0].pieces[1].twin_group = u32::MAX,
        "BAD_TWIN_GROUP",
        &["position.boards[0].pieces[1].twin_group"],
    ),
    // The king stands there all the same.
    (
        |position| position.boards[0].pieces[4].twin_group = 100,
        "BAD_TWIN_GROUP",
        &["position.boards[0].pieces[4].twin_group"],
    ),
    (
        |position| position.boards[0].en_passant = Some(v1::EnPassant::default()),
        "BAD_EN_PASSANT",
        &["position.boards[0].en_passant.passed"],
    ),
    (
        |position| {
            let (passed, pawn) = ("e6".to_owned(), "e5".to_owned());
            position.boards[0].en_passant = Some(v1::EnPassant { passed, pawn });
        },
        "BAD_EN_PASSANT",
        &["position.boards[0].en_passant.pawn"],
    ),
    (
        |position| {
            let (passed, pawn) = ("e6".to_owned(), String::new());
            position.boards[0].en_passant = Some(v1::EnPassant { passed, pawn });
        },
        "BAD_EN_PASSANT",
        &["position.boards[0].en_passant", "position.boards[0].en_passant"],
    ),
    (
        |position| {
            let piece = position.boards[0].pieces[1].clone();
            position.boards[0].pieces.push(v1::Piece { square: "e5".to_owned(), ..piece });
        },
        "TOO_MANY_PIECES",
        &["position.boards"],
    ),
    // Too many pieces to be read: nothing is said of what they might be.
    (
        |position| {
            let piece = position.boards[0].pieces[1].clone();
            position.boards[0].pieces.resize(65, piece);
        },
        "BAD_FIELDS",
        &["position.boards[0].pieces"],
    ),
];

#[tokio::test]
async fn faults_of_a_structure_name_their_fields() {
    let mut client = server::client().await;
    let initial = ask::full(&mut client, &ask::initial("chess")).await;
    let structure = v1::Position { fen: String::new(), ..initial };
    for (index, (change, faults, fields)) in STRUCTURES.iter().enumerate() {
        let mut position = structure.clone();
        change(&mut position);
        let refusal = refusal(&mut client, position).await;
        assert_eq!(listed(&refusal), *faults, "{index}: {:?}", refusal.violations);
        assert_eq!(refusal.fields(), *fields, "{index}: {:?}", refusal.violations);
    }
    // All of those that can go together.
    let mut position = structure;
    for change in [1, 2, 4, 6, 9, 11, 12, 14, 20, 23] {
        STRUCTURES[change].0(&mut position);
    }
    let refusal = refusal(&mut client, position).await;
    let wanted = "BAD_ARMY BAD_BOARD_COUNT BAD_BOARD_SIZE BAD_CASTLING_RIGHT BAD_CLOCK BAD_FIELDS BAD_TURN BAD_TWIN_GROUP";
    assert_eq!(listed(&refusal), wanted);
}

#[tokio::test]
async fn many_faults_are_cut_to_sixteen_and_few_bytes() {
    let mut client = server::client().await;
    for variant in ask::variants(&mut client).await {
        let initial = ask::full(&mut client, &ask::initial(&variant.id)).await;
        let mut position = v1::Position { fen: String::new(), ..initial };
        for board in &mut position.boards {
            let squares = board.files * board.ranks;
            let bad = v1::Piece { square: "🦀".repeat(5), kind: 99, side: 99, twin_group: 9_999 };
            board.pieces = vec![bad; squares as usize];
            board.castling = "é".repeat(300);
            board.name = "\u{202e}".repeat(200);
        }
        let refusal = refusal(&mut client, position.clone()).await;
        let wanted = ["BAD_FIELDS", "BAD_TWIN_GROUP", "UNKNOWN_PIECE", "BAD_CASTLING_RIGHT"];
        assert!(wanted.iter().all(|fault| refusal.faults.contains(*fault)), "{:?}", refusal.faults);
        assert!((10..=16).contains(&refusal.violations.len()), "{}", refusal.violations.len());
        // Far more bad pieces than squares, and far more boards.
        for board in &mut position.boards {
            let bad = board.pieces[0].clone();
            board.pieces.resize(100, bad);
        }
        self::refusal(&mut client, position.clone()).await;
        let mut board = position.boards[0].clone();
        board.pieces.truncate(1);
        position.boards = vec![board; 12];
        self::refusal(&mut client, position).await;
        // The same in text.
        let fen = "🦀{0}?".repeat(400);
        self::refusal(&mut client, ask::at(&variant.id, &fen)).await;
    }
}
