//! A step: its text, and what it does to a position.

use super::position::{EnPassant, Place, Position, Side, is_pawn_kind};
use super::reach::Reach;
use super::variant::Variant;

/// One step, with all that follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub from: Place,
    pub to: Place,
    /// The kind of the piece that moves, before promotion.
    pub kind: char,
    pub captures: Option<Place>,
    /// The square that a double step passes.
    pub passes: Option<Place>,
    /// Castling: where the rook stands, and where it goes.
    pub rook: Option<(Place, Place)>,
    pub promotion: Option<char>,
    /// The second pawn of a twin promotion.
    pub twin: Option<Place>,
    /// The pawns that the mover chose to remove, in text order.
    pub chosen: Vec<Place>,
    /// The twins that go by rule; never written.
    pub forced: Vec<Place>,
}

impl Step {
    pub fn new(from: Place, kind: char, reach: Reach) -> Step {
        Step {
            from,
            to: reach.to,
            kind,
            captures: reach.captures,
            passes: reach.passes,
            rook: None,
            promotion: None,
            twin: None,
            chosen: Vec::new(),
            forced: Vec::new(),
        }
    }

    pub fn is_en_passant(&self) -> bool {
        self.captures.is_some_and(|captured| captured != self.to)
    }

    pub fn text(&self, position: &Position) -> String {
        let mut text = position.name_with_board(self.from);
        if self.to.board == self.from.board {
            text.push_str(&self.to.name());
        } else {
            text.push('-');
            text.push_str(&position.name_with_board(self.to));
        }
        if let Some(kind) = self.promotion {
            text.push(kind.to_ascii_lowercase());
        }
        // In twin and targets the board is left out when it is the step's own board.
        let name = |place: Place| {
            if place.board == self.from.board { place.name() } else { position.name_with_board(place) }
        };
        if let Some(twin) = self.twin {
            text.push('+');
            text.push_str(&name(twin));
        }
        if !self.chosen.is_empty() {
            let targets: Vec<String> = self.chosen.iter().map(|&place| name(place)).collect();
            text.push('x');
            text.push_str(&targets.join(","));
        }
        text
    }
}

impl Position {
    /// The position after a step of the player to move, whose turn it still is.
    pub fn after_step(&self, step: &Step) -> Position {
        let mut next = self.after_moving_and_capturing(step);
        for &place in step.chosen.iter().chain(&step.forced) {
            next.put(place, None);
        }
        if let Some(kind) = step.promotion {
            next.promote(step, kind);
        }
        if let Some(passed) = step.passes {
            next.boards[step.to.board].next_en_passant = Some(EnPassant { passed, pawn: step.to });
        }
        // rule: any capture or pawn step in a move sets the half-move clock to 0.
        if step.captures.is_some() || is_pawn_kind(step.kind) {
            next.clock_restarts = true;
        }
        next.drop_castling_rights();
        next.let_universes_vanish();
        next
    }

    /// Only the piece itself and what it captures, before any removal or promotion.
    pub fn after_moving_and_capturing(&self, step: &Step) -> Position {
        let mut next = self.clone();
        if let Some(captured) = step.captures {
            next.put(captured, None);
        }
        next.put(step.to, self.at(step.from));
        next.put(step.from, None);
        if let Some((from, to)) = step.rook {
            next.put(to, self.at(from));
            next.put(from, None);
        }
        next
    }

    fn promote(&mut self, step: &Step, kind: char) {
        // rule: the two pawns form a new group: the smallest number from 1 up that no piece of that colour and kind on
        // any board has when the step is made (after its captures and removals).
        let mut group = 0;
        if self.variant.has_twins() {
            group = 1;
            while self.has_group(self.to_move, kind, group) {
                group += 1;
            }
        }
        for place in [Some(step.to), step.twin].into_iter().flatten() {
            let mut piece = self.at(place).expect("a pawn that promotes");
            piece.kind = kind;
            piece.group = group;
            self.put(place, Some(piece));
        }
    }

    fn has_group(&self, side: Side, kind: char, group: u32) -> bool {
        (0..self.boards.len())
            .flat_map(|board| self.pieces_of(side, board))
            .any(|(_, piece)| piece.kind == kind && piece.group == group)
    }

    /// Where a side's king and rook stand as long as they may castle: the king, and the rook of a castling letter.
    pub fn castling_homes(&self, side: Side, letter: char) -> (Place, Place) {
        let king_file = if self.variant == Variant::Gamma2 { 5 } else { 4 };
        let rook_file = match letter.to_ascii_uppercase() {
            'K' => self.variant.files() - 1,
            _ => 0,
        };
        let square = |file| Place { board: 0, rank: self.first_rank(side), file };
        (square(king_file), square(rook_file))
    }

    /// rule: a castling right goes when its rook is removed as a twin, or becomes absent in any other way; and when the
    /// king or the rook moves. As neither can come back within the step, it is enough to look at their homes.
    fn drop_castling_rights(&mut self) {
        for board in 0..self.boards.len() {
            let mut kept = String::new();
            for letter in self.boards[board].castling.chars() {
                let side = side_of_letter(letter);
                let (king, rook) = self.castling_homes(side, letter);
                let is_home = |home: Place, kind: char| {
                    self.at(home.on_board(board)).is_some_and(|piece| piece.is(side, kind))
                };
                if is_home(king, 'K') && is_home(rook, 'R') {
                    kept.push(letter);
                }
            }
            self.boards[board].castling = kept;
        }
    }

    /// rule: when both kings of a universe have been captured, that universe and all the pieces in it vanish at once.
    fn let_universes_vanish(&mut self) {
        if self.variant != Variant::ThreeUniverses {
            return;
        }
        for board in 0..self.boards.len() {
            let no_king =
                self.king_of(Side::First, board).is_none() && self.king_of(Side::Second, board).is_none();
            if no_king {
                let board = &mut self.boards[board];
                board.vanished = true;
                board.squares.fill(None);
                board.castling.clear();
                board.en_passant = None;
                board.next_en_passant = None;
            }
        }
    }

    /// The position when the move is complete: the turn passes, the clocks and en passant are set.
    pub fn after_turn(mut self) -> Position {
        // rule: the half-move clock counts moves since the last capture or pawn step on any board.
        self.halfmove_clock = if self.clock_restarts { 0 } else { self.halfmove_clock + 1 };
        self.clock_restarts = false;
        // rule: the move number grows by one after the second player's move, and stays at 10,000 once there.
        if self.to_move == Side::Second && self.move_number < 10_000 {
            self.move_number += 1;
        }
        // rule: the right lasts for the opponent's next move only, and exists only while the pawn still stands there.
        for board in 0..self.boards.len() {
            let right = self.boards[board].next_en_passant.take();
            self.boards[board].en_passant = right.filter(|right| {
                self.at(right.pawn).is_some_and(|piece| piece.is_pawn() && piece.side == self.to_move)
            });
        }
        self.to_move = self.to_move.other();
        self
    }
}

/// The side that a castling letter belongs to.
pub fn side_of_letter(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}
