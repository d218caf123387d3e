//! Hostile values in every field: whatever is sent is answered, or refused with a reason that the caller can know.

use arbiter::grpc::v1;
use tonic::{Code, Response, Status};

use crate::ask::Refusal;
use crate::random::Random;
use crate::server;
use crate::{ask, data};

/// Texts that no client sends, and the beginnings and ends of some that they do.
fn texts(random: &mut Random) -> Vec<String> {
    let mut texts: Vec<String> = [
        " ",
        "\0",
        "\n",
        "a",
        "e2",
        "a1a1",
        "e2e4/",
        "Ke1-e1",
        "🦀🦀",
        "é2",
        "e\u{301}2",
        "\u{202e}2e",
        "*",
        "|",
        "-",
        "--",
        "/",
        "//",
        "x",
        "+",
        ":",
        "A:",
        "A:a1",
        "M:a1a2/A:a1a2",
        "R:a1-G:a1",
        "{1}",
        "K{",
        "K{1",
        "K}",
        "=",
        "%s%n",
        "null",
        "-1",
        "1e9",
        "99999999999999999999",
        "KQkq",
        "８",
        "ａ1",
        "\u{feff}a1",
    ]
    .map(str::to_owned)
    .to_vec();
    for length in [2, 3, 8, 40, 500] {
        texts.push((0..length).map(|_| letter(random)).collect());
        let alphabet: Vec<char> = "abchKQRBNPXSACI12345678/|-: x+,{}*w=".chars().collect();
        texts.push((0..length).map(|_| *random.pick(&alphabet)).collect());
    }
    texts.push("a1".repeat(512));
    texts.push("e2e4/".repeat(1_000));
    texts
}

/// The texts for the variant of this number: all for the first, with a huge one, and for each other one some, as
/// they strike what the variants have in common. In a long run all for all.
fn texts_for(number: usize, random: &mut Random) -> Vec<String> {
    let texts = texts(random);
    if number == 0 || data::is_long() {
        texts.into_iter().chain([huge_text()]).collect()
    } else {
        texts.into_iter().skip(number % 6).step_by(6).collect()
    }
}

/// A text of 1 MiB.
fn huge_text() -> String {
    "🦀///".repeat((1 << 20) / 7)
}

/// Any character.
fn letter(random: &mut Random) -> char {
    loop {
        if let Some(letter) = char::from_u32((random.next() % 0x11_0000) as u32) {
            return letter;
        }
    }
}

const NUMBERS: [i32; 10] = [-1, 1, 5, 11, 12, 99, 1 << 20, i32::MAX, i32::MIN, -1000];

/// Either answered, or refused in the contract's form.
fn check<T>(answer: Result<Response<T>, Status>) -> Option<T> {
    match answer {
        Ok(response) => Some(response.into_inner()),
        Err(status) => {
            Refusal::read(&status);
            None
        }
    }
}

/// Asks about positions, each time by another method.
async fn ask_about(positions: Vec<v1::Position>) {
    ask::each(positions.into_iter().enumerate(), |mut client, (index, position)| async move {
        let position = Some(position);
        match index % 4 {
            0 => {
                check(client.game_status(v1::GameStatusRequest { position }).await);
            }
            1 => {
                let chosen = Some(ask::text("a2-a3"));
                let request = v1::ApplyMoveRequest { position, r#move: chosen, position_view: 2 };
                check(client.apply_move(request).await);
            }
            2 => {
                let request = v1::LegalStepsRequest { position, page_size: 5, ..Default::default() };
                check(client.legal_steps(request).await);
            }
            _ => {
                let request = v1::LegalMovesRequest { position, page_size: 5, ..Default::default() };
                check(client.legal_moves(request).await);
            }
        }
    })
    .await;
}

/// Changes of one text in a position with its structure.
const TEXTS_OF_POSITION: &[fn(&mut v1::Position, String)] = &[
    |position, text| position.variant = text,
    |position, text| position.fen = text,
    |position, text| position.history = text.into_bytes(),
    |position, text| position.boards[0].name = text,
    |position, text| position.boards[0].castling = text,
    |position, text| position.boards[0].pieces[0].square = text,
    |position, text| {
        position.boards[0].en_passant = Some(v1::EnPassant { passed: text, pawn: String::new() });
    },
    |position, text| {
        position.boards[0].en_passant = Some(v1::EnPassant { passed: "e3".to_owned(), pawn: text });
    },
];

const NUMBERS_OF_POSITION: &[fn(&mut v1::Position, i32)] = &[
    |position, number| position.to_move = number,
    |position, number| position.above_army = number,
    |position, number| position.halfmove_clock = number as u32,
    |position, number| position.move_number = number as u32,
    |position, number| position.boards[0].files = number as u32,
    |position, number| position.boards[0].ranks = number as u32,
    |position, number| position.boards[0].pieces[0].kind = number,
    |position, number| position.boards[0].pieces[0].side = number,
    |position, number| position.boards[0].pieces[0].twin_group = number as u32,
];

#[tokio::test]
async fn hostile_positions() {
    let mut client = server::client().await;
    let mut random = Random::new(11);
    for (number, variant) in (0..).zip(ask::variants(&mut client).await) {
        let with_text = ask::full(&mut client, &ask::initial(&variant.id)).await;
        let alone = v1::Position { fen: String::new(), ..with_text.clone() };
        let mut positions = Vec::new();
        for start in [with_text, alone] {
            let mut changed = |change: &dyn Fn(&mut v1::Position)| {
                let mut position = start.clone();
                change(&mut position);
                positions.push(position);
            };
            for change in TEXTS_OF_POSITION {
                for text in texts_for(number, &mut random) {
                    changed(&|position| change(position, text.clone()));
                }
            }
            for change in NUMBERS_OF_POSITION {
                for number in NUMBERS {
                    changed(&|position| change(position, number));
                }
            }
        }
        ask_about(positions).await;
    }
}

/// Position texts with some letters changed, left out or doubled: near to what is valid, and at times valid.
#[tokio::test]
async fn damaged_position_texts() {
    let mut client = server::client().await;
    let mut random = Random::new(12);
    let alphabet: Vec<char> = "KQRBNPXSACIkqrbnpxsaci0123456789/|- wb{}*éa".chars().collect();
    let variants = ask::variants(&mut client).await;
    let rounds = if data::is_long() { 1_500 } else { data::share(1_000, &variants) };
    for variant in &variants {
        let mut starts: Vec<v1::Position> =
            data::rows(&variant.id).into_iter().map(|row| row.position).collect();
        starts.push(
            ask::replayed(&mut client, &ask::initial(&variant.id), v1::PositionView::Fen).await.unwrap(),
        );
        let mut damaged = Vec::new();
        for _ in 0..rounds {
            let mut letters: Vec<char> = random.pick(&starts).fen.chars().collect();
            for _ in 0..1 + random.below(3) {
                let index = random.below(letters.len());
                match random.below(3) {
                    0 => letters[index] = *random.pick(&alphabet),
                    1 => letters.insert(index, *random.pick(&alphabet)),
                    _ => {
                        letters.remove(index);
                    }
                }
            }
            damaged.push(ask::at(&variant.id, &letters.into_iter().collect::<String>()));
        }
        // What is accepted is in its one spelling.
        ask::each(damaged.clone(), |mut client, position| async move {
            if let Ok(understood) = ask::replayed(&mut client, &position, v1::PositionView::Fen).await {
                assert_eq!(understood, position);
            }
        })
        .await;
        ask_about(damaged).await;
    }
}

/// Structures with some pieces and rights changed at random.
#[tokio::test]
async fn damaged_structures() {
    let mut client = server::client().await;
    let mut random = Random::new(13);
    let variants = ask::variants(&mut client).await;
    let rounds = if data::is_long() { 1_500 } else { data::share(600, &variants) };
    for variant in &variants {
        let mut starts = vec![ask::full(&mut client, &ask::initial(&variant.id)).await];
        for row in data::rows(&variant.id).into_iter().step_by(10) {
            starts.push(ask::full(&mut client, &row.position).await);
        }
        let mut damaged = Vec::new();
        for _ in 0..rounds {
            let mut position = random.pick(&starts).clone();
            position.fen.clear();
            for _ in 0..1 + random.below(3) {
                disturb(&mut random, &mut position);
            }
            damaged.push(position);
        }
        // What is accepted comes back the same from its text.
        ask::each(damaged.clone(), |mut client, position| async move {
            if let Ok(understood) = ask::replayed(&mut client, &position, v1::PositionView::Full).await {
                let text = ask::at(&position.variant, &understood.fen);
                assert_eq!(ask::full(&mut client, &text).await, understood);
            }
        })
        .await;
        ask_about(damaged).await;
    }
}

fn disturb(random: &mut Random, position: &mut v1::Position) {
    let square =
        |random: &mut Random| format!("{}{}", (b'a' + random.below(10) as u8) as char, random.below(9));
    let number = random.below(position.boards.len());
    let board = &mut position.boards[number];
    match random.below(9) {
        0 => board.vanished = !board.vanished,
        1 => board.castling = (*random.pick(&["K", "Q", "KQ", "kq", "KQkq", "qk", ""])).to_owned(),
        2 => {
            board.en_passant = Some(v1::EnPassant {
                passed: square(random),
                pawn: if random.below(2) == 0 { String::new() } else { square(random) },
            });
        }
        3 => position.to_move = random.below(6) as i32,
        4 => position.halfmove_clock = random.below(12_000) as u32,
        5 => board.pieces.clear(),
        _ => {
            let piece = v1::Piece {
                square: square(random),
                kind: random.below(13) as i32,
                side: random.below(6) as i32,
                twin_group: if random.below(3) == 0 { random.below(110) as u32 } else { 0 },
            };
            let index = random.below(board.pieces.len() + 1);
            if index < board.pieces.len() && random.below(2) == 0 {
                board.pieces[index] = piece;
            } else {
                board.pieces.insert(index, piece);
            }
        }
    }
}

/// Changes of one text in a step.
const TEXTS_OF_STEP: &[fn(&mut v1::Step, String)] = &[
    |step, text| step.board = text,
    |step, text| step.from_square = text,
    |step, text| step.to_board = text,
    |step, text| step.to_square = text,
    |step, text| step.twin = Some(v1::Location { board: text, square: "a2".to_owned() }),
    |step, text| step.twin = Some(v1::Location { board: String::new(), square: text }),
    |step, text| step.removals = vec![v1::Location { board: text, square: "a2".to_owned() }],
    |step, text| step.removals = vec![v1::Location { board: String::new(), square: text }],
];

const NUMBERS_OF_STEP: &[fn(&mut v1::Step, i32)] = &[
    |step, number| step.promotion = number,
    |step, number| step.piece = number,
    |step, number| step.captured = number,
];

#[tokio::test]
async fn hostile_moves_and_steps() {
    let mut client = server::client().await;
    let mut random = Random::new(14);
    for (number, variant) in (0..).zip(ask::variants(&mut client).await) {
        let position = ask::initial(&variant.id);
        let chosen = ask::move_texts_of_page(&mut client, &position).await.remove(0);
        let steps = ask::apply(&mut client, &position, ask::text(&chosen)).await.r#move.unwrap().steps;
        let mut moves: Vec<v1::Move> = texts(&mut random).iter().map(|text| ask::text(text)).collect();
        let mut disturbed = |change: &dyn Fn(&mut v1::Step)| {
            let mut steps = steps.clone();
            let index = random.below(steps.len());
            change(&mut steps[index]);
            moves.push(v1::Move { steps, ..Default::default() });
        };
        for change in TEXTS_OF_STEP {
            for text in texts_for(number, &mut Random::new(15)) {
                disturbed(&|step| change(step, text.clone()));
            }
        }
        for change in NUMBERS_OF_STEP {
            for number in NUMBERS {
                disturbed(&|step| change(step, number));
            }
        }
        moves.push(ask::text(&huge_text()));
        ask::each(moves, |mut client, chosen| {
            let position = Some(position.clone());
            async move {
                if chosen.text.is_empty() {
                    let (position, prefix) = (position.clone(), chosen.steps.clone());
                    let request = v1::LegalStepsRequest { position, prefix, ..Default::default() };
                    check(client.legal_steps(request).await);
                } else {
                    let (position, moves) = (position.clone(), vec![chosen.text.clone()]);
                    let request = v1::ReplayGameRequest { position, moves, ..Default::default() };
                    check(client.replay_game(request).await);
                }
                let request = v1::ApplyMoveRequest { position, r#move: Some(chosen), position_view: 0 };
                check(client.apply_move(request).await);
            }
        })
        .await;
    }
}

const TEXTS_OF_FILTER: &[fn(&mut v1::Filter, String)] = &[
    |filter, text| filter.board = text,
    |filter, text| filter.from_square = text,
    |filter, text| filter.to_board = text,
    |filter, text| filter.to_square = text,
];

#[tokio::test]
async fn hostile_lists() {
    let mut client = server::client().await;
    let mut random = Random::new(16);
    for (number, variant) in (0..).zip(ask::variants(&mut client).await) {
        let mut requests = Vec::new();
        for text in texts_for(number, &mut random) {
            for change in TEXTS_OF_FILTER {
                let mut filter = v1::Filter { captures_only: random.below(2) == 0, ..Default::default() };
                change(&mut filter, text.clone());
                requests.push(v1::LegalMovesRequest { filter: Some(filter), ..Default::default() });
            }
            requests.push(v1::LegalMovesRequest { page_token: text, ..Default::default() });
        }
        for number in NUMBERS {
            requests.push(v1::LegalMovesRequest { page_size: number, ..Default::default() });
            requests.push(v1::LegalMovesRequest { move_view: number, ..Default::default() });
        }
        for request in &mut requests {
            request.position = Some(ask::initial(&variant.id));
        }
        ask::each(requests.into_iter().enumerate(), |mut client, (index, request)| async move {
            let v1::LegalMovesRequest { position, filter, move_view, page_size, page_token, .. } =
                request.clone();
            match index % 3 {
                0 => {
                    check(client.legal_moves(request).await);
                }
                1 => {
                    let distinct_positions = false;
                    let request =
                        v1::StreamLegalMovesRequest { position, filter, move_view, distinct_positions };
                    if let Some(mut stream) = check(client.stream_legal_moves(request).await) {
                        while stream.message().await.unwrap().is_some() {}
                    }
                }
                _ => {
                    let prefix = Vec::new();
                    let request = v1::LegalStepsRequest { position, prefix, filter, page_size, page_token };
                    check(client.legal_steps(request).await);
                }
            }
        })
        .await;
        for text in texts(&mut random) {
            let (above_army, position_view) = (*random.pick(&NUMBERS), *random.pick(&NUMBERS));
            let request = v1::GetInitialPositionRequest { variant: text, above_army, position_view };
            check(client.get_initial_position(request).await);
        }
    }
}

#[tokio::test]
async fn very_many_and_very_large() {
    let mut client = server::client().await;
    let mut variants = ask::variants(&mut client).await;
    // One of the games with the fewest boards and one with the most: what is large costs the tests much.
    variants.sort_by_key(|variant| variant.boards.len());
    let chosen = [variants.remove(0), variants.remove(variants.len() - 1)];
    ask::each(chosen, |mut client, variant| async move {
        let id = &variant.id;
        let initial = ask::full(&mut client, &ask::initial(id)).await;
        let position = Some(ask::initial(id));
        let board = variant.boards[0].name.clone();
        let too_large = |refusal: Refusal, field: &str| {
            assert_eq!((refusal.code, refusal.reason.as_str()), (Code::InvalidArgument, "REQUEST_TOO_LARGE"));
            assert_eq!(refusal.fields(), [field]);
        };
        let steps = vec![v1::Step { board, ..ask::step("a2", "a3") }; 100_000];
        let request =
            v1::LegalStepsRequest { position: position.clone(), prefix: steps.clone(), ..Default::default() };
        too_large(ask::refused(client.legal_steps(request).await), "prefix");
        let chosen = Some(v1::Move { steps, ..Default::default() });
        let request = v1::ApplyMoveRequest { position: position.clone(), r#move: chosen, position_view: 0 };
        too_large(ask::refused(client.apply_move(request).await), "move");
        // Two bytes each on the wire, and far more in memory.
        let prefix = vec![v1::Step::default(); 2_000_000];
        let request = v1::LegalStepsRequest { position: position.clone(), prefix, ..Default::default() };
        too_large(ask::refused(client.legal_steps(request).await), "prefix");
        let mut many = v1::Position { fen: String::new(), ..initial.clone() };
        let piece = many.boards[0].pieces[0].clone();
        many.boards[0].pieces.resize(100_000, piece);
        let mut boards = v1::Position { fen: String::new(), ..initial };
        boards.boards.resize(100_000, v1::Board::default());
        let huge = ask::at(id, &"K".repeat(3 << 20));
        let spaces = ask::at(id, &" ".repeat(3 << 20));
        for position in [many, boards, huge, spaces] {
            let status = client.game_status(v1::GameStatusRequest { position: Some(position) }).await;
            too_large(ask::refused(status), "position");
        }
        let mut step = ask::step("a2", "a3");
        step.board.clone_from(&variant.boards[0].name);
        step.removals = vec![v1::Location { board: String::new(), square: "a2".to_owned() }; 1_000];
        let chosen = Some(v1::Move { steps: vec![step], ..Default::default() });
        let request = v1::ApplyMoveRequest { position: position.clone(), r#move: chosen, position_view: 0 };
        let judged = client.apply_move(request).await.expect("removals that are too many are judged");
        assert!(!judged.into_inner().legal, "{id}");
        let moves = vec!["x".repeat(1_500); 2_000];
        let request = v1::ReplayGameRequest { position, moves, ..Default::default() };
        assert_eq!(ask::refused(client.replay_game(request).await).fields(), ["moves[0]"]);
    })
    .await;
}
