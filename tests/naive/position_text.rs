//! Reading and writing position text, an extended FEN.

use super::position::{Board, EnPassant, Piece, Place, Position, Side};
use super::variant::Variant;

impl Position {
    pub fn parse(variant: &str, text: &str) -> Position {
        let variant = Variant::from_name(variant);
        let fields: Vec<&str> = text.split(' ').collect();
        let placements: Vec<&str> = fields[0].split('|').collect();
        let castling: Vec<&str> = fields[2].split('|').collect();
        let en_passant: Vec<&str> = fields[3].split('|').collect();
        let to_move = match fields[1] {
            "w" | "a" => Side::First,
            "b" => Side::Second,
            other => panic!("no player {other}"),
        };
        let mut boards = Vec::new();
        for number in 0..variant.board_names().len() {
            boards.push(Board {
                vanished: placements[number] == "*",
                squares: parse_placement(variant, placements[number]),
                castling: castling[number].replace('-', ""),
                en_passant: parse_en_passant(en_passant[number], number, to_move),
                next_en_passant: None,
            });
        }
        Position {
            variant,
            boards,
            to_move,
            halfmove_clock: fields[4].parse().expect("half-move clock"),
            move_number: fields[5].parse().expect("move number"),
            above_helps: match fields.get(6) {
                None => None,
                Some(&"w") => Some(Side::First),
                Some(&"b") => Some(Side::Second),
                Some(other) => panic!("no army {other}"),
            },
            clock_restarts: false,
        }
    }

    pub fn print(&self) -> String {
        let placements: Vec<String> =
            (0..self.boards.len()).map(|board| self.print_placement(board)).collect();
        let castling: Vec<String> =
            self.boards.iter().map(|board| dash_if_empty(board.castling.clone())).collect();
        let en_passant: Vec<String> =
            self.boards.iter().map(|board| dash_if_empty(self.print_en_passant(board))).collect();
        let mut text = format!(
            "{} {} {} {} {} {}",
            placements.join("|"),
            self.player_letter(self.to_move),
            castling.join("|"),
            en_passant.join("|"),
            self.halfmove_clock,
            self.move_number
        );
        match self.above_helps {
            None => {}
            Some(Side::First) => text.push_str(" w"),
            Some(Side::Second) => text.push_str(" b"),
        }
        text
    }

    fn print_placement(&self, board: usize) -> String {
        if self.boards[board].vanished {
            return "*".to_string();
        }
        let mut ranks = Vec::new();
        for rank in (0..self.variant.ranks()).rev() {
            let mut text = String::new();
            let mut empty = 0;
            for file in 0..self.variant.files() {
                let Some(piece) = self.at(Place { board, rank, file }) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(match piece.side {
                    Side::First => piece.kind,
                    Side::Second => piece.kind.to_ascii_lowercase(),
                });
                if piece.group > 0 {
                    text += &format!("{{{}}}", piece.group);
                }
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            ranks.push(text);
        }
        ranks.join("/")
    }

    fn print_en_passant(&self, board: &Board) -> String {
        match board.en_passant {
            None => String::new(),
            // In Gamma2 two pawns can pass the same square from different sides, so the pawn is named too.
            Some(right) if self.variant == Variant::Gamma2 => right.passed.name() + &right.pawn.name(),
            Some(right) => right.passed.name(),
        }
    }
}

fn dash_if_empty(text: String) -> String {
    if text.is_empty() { "-".to_string() } else { text }
}

fn parse_placement(variant: Variant, text: &str) -> Vec<Option<Piece>> {
    let size = (variant.files() * variant.ranks()) as usize;
    if text == "*" {
        return vec![None; size];
    }
    // Text has the top rank first; our list begins with a1.
    let squares: Vec<Option<Piece>> = text.split('/').rev().flat_map(parse_rank).collect();
    assert_eq!(squares.len(), size, "the number of squares in {text}");
    squares
}

fn parse_rank(text: &str) -> Vec<Option<Piece>> {
    let mut squares = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_digit() {
            let mut number = letter.to_string();
            while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                number.push(digit);
            }
            let empty: usize = number.parse().expect("a number of empty squares");
            squares.extend(vec![None; empty]);
            continue;
        }
        let mut group = String::from("0");
        if letters.next_if_eq(&'{').is_some() {
            group = letters.by_ref().take_while(|&c| c != '}').collect();
        }
        squares.push(Some(Piece {
            side: if letter.is_ascii_uppercase() { Side::First } else { Side::Second },
            kind: letter.to_ascii_uppercase(),
            group: group.parse().expect("a twin group"),
        }));
    }
    squares
}

fn parse_en_passant(text: &str, board: usize, to_move: Side) -> Option<EnPassant> {
    if text == "-" {
        return None;
    }
    let passed = parse_square(&text[0..2], board);
    let pawn = if text.len() > 2 {
        parse_square(&text[2..4], board)
    } else {
        // The pawn of the player who has just moved stands one square beyond the square that it passed.
        passed.shifted((0, to_move.other().forward()))
    };
    Some(EnPassant { passed, pawn })
}

fn parse_square(text: &str, board: usize) -> Place {
    let bytes = text.as_bytes();
    Place { board, file: i32::from(bytes[0]) - i32::from(b'a'), rank: i32::from(bytes[1]) - i32::from(b'1') }
}
