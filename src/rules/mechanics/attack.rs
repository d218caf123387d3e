//! Who attacks a square by ordinary movement, and which steps leave one's own king safe.

use arrayvec::ArrayVec;

use crate::rules::bitboard::Bitboard;
use crate::rules::board::Board;
use crate::rules::geometry::Direction;
use crate::rules::piece::{PieceKind, Side};
use crate::rules::square::Square;

use super::pawns;

/// The pieces of `by` that attack `square`, were `occupied` the occupied squares and the pieces on `gone` no longer
/// there.
///
/// An attack is a capture by ordinary movement, whether or not the capture would be open as a move.
pub fn attackers(board: &Board, square: Square, by: Side, occupied: Bitboard, gone: Bitboard) -> Bitboard {
    let mut found = leaping_attackers(board, square, by, gone);
    for lines in Lines::through(board, square, by, gone) {
        for &direction in lines.directions {
            found |= lines.attackers(board, square, direction, occupied);
        }
    }
    found
}

/// Whether any piece of `by` attacks `square`; the rest as for [`attackers`].
pub fn is_attacked(board: &Board, square: Square, by: Side, occupied: Bitboard, gone: Bitboard) -> bool {
    !leaping_attackers(board, square, by, gone).is_empty()
        || Lines::through(board, square, by, gone).any(|lines| {
            lines
                .directions
                .iter()
                .any(|&direction| !lines.attackers(board, square, direction, occupied).is_empty())
        })
}

/// The attackers whose way nothing can block.
fn leaping_attackers(board: &Board, square: Square, by: Side, gone: Bitboard) -> Bitboard {
    let geometry = board.geometry();
    let enemies = board.side(by) & !gone;
    let guards = board.kind(PieceKind::King) | board.kind(PieceKind::Ship) | board.kind(PieceKind::Archer);
    let pawn = |kind| pawns::attacks(geometry, kind, by.opponent(), square) & board.kind(kind);
    enemies
        & ((geometry.king_leaps(square) & guards)
            | (geometry.knight_leaps(square) & board.kind(PieceKind::Knight))
            | pawn(PieceKind::Pawn)
            | pawn(PieceKind::BerolinaPawn))
}

/// The orthogonal or the diagonal lines through a square, with the enemies on them that capture along them.
struct Lines {
    directions: &'static [Direction; 4],
    /// Those that capture the first piece they meet.
    sliders: Bitboard,
    /// Those that capture the first piece beyond the first.
    hoppers: Bitboard,
}

impl Lines {
    /// The lines through `square` on which `by` has a piece, not among `gone`, that captures along them.
    fn through(board: &Board, square: Square, by: Side, gone: Bitboard) -> impl Iterator<Item = Self> {
        let geometry = board.geometry();
        let enemies = board.side(by) & !gone;
        let queens = board.kind(PieceKind::Queen);
        let lines = |directions, squares: Bitboard, slider, hopper| Self {
            directions,
            sliders: squares & enemies & (board.kind(slider) | queens),
            hoppers: squares & enemies & board.kind(hopper),
        };
        let orthogonals = geometry.orthogonals(square);
        let diagonals = geometry.diagonals(square);
        [
            lines(&Direction::ORTHOGONAL, orthogonals, PieceKind::Rook, PieceKind::Ship),
            lines(&Direction::DIAGONAL, diagonals, PieceKind::Bishop, PieceKind::Archer),
        ]
        .into_iter()
        .filter(|lines| !(lines.sliders | lines.hoppers).is_empty())
    }

    /// The attackers along one of the lines, seen from the square.
    fn attackers(&self, board: &Board, square: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
        let geometry = board.geometry();
        let ray = geometry.ray(square, direction);
        let mut found = Bitboard::EMPTY;
        if !(ray & self.sliders).is_empty()
            && let Some(first) = geometry.first_on_ray(square, direction, occupied)
        {
            found |= Bitboard::of(first) & self.sliders;
        }
        if !(ray & self.hoppers).is_empty()
            && let Some(second) = geometry.hop(square, direction, occupied)
        {
            found |= Bitboard::of(second) & self.hoppers;
        }
        found
    }
}

/// What protects one's own king, surveyed once for all steps from a position.
///
/// Most steps are judged by masks: a checker must be met on the squares between it and the king or captured, a pinned
/// piece stays between the king and the pinning piece or captures it. Where a hopping enemy stands on a line of the
/// king, a step onto or off that line can make or break the screen, so such steps are judged one by one.
#[derive(Debug)]
pub struct Guard<'a> {
    board: &'a Board,
    side: Side,
    king: Option<Square>,
    /// Where a step of another piece answers every check: everywhere when there is none.
    answers: Bitboard,
    /// Own pieces alone between the king and an enemy slider.
    pinned: Bitboard,
    /// The king's lines that hold an enemy hopper.
    hop_lines: Bitboard,
    in_check: bool,
}

impl<'a> Guard<'a> {
    /// Surveys the board for `side`, which has at most one king on it; without a king every step is safe.
    pub fn new(board: &'a Board, side: Side) -> Self {
        let mut guard = Self {
            board,
            side,
            king: board.king(side),
            answers: Bitboard::ALL,
            pinned: Bitboard::EMPTY,
            hop_lines: Bitboard::EMPTY,
            in_check: false,
        };
        let Some(king) = guard.king else { return guard };
        let checkers = leaping_attackers(board, king, side.opponent(), Bitboard::EMPTY);
        for checker in checkers {
            guard.add_check(Bitboard::of(checker));
        }
        for lines in Lines::through(board, king, side.opponent(), Bitboard::EMPTY) {
            for &direction in lines.directions {
                guard.survey_line(king, direction, &lines);
            }
        }
        guard
    }

    /// Whether the king is attacked.
    pub const fn in_check(&self) -> bool {
        self.in_check
    }

    fn add_check(&mut self, answers: Bitboard) {
        self.in_check = true;
        self.answers &= answers;
    }

    fn survey_line(&mut self, king: Square, direction: Direction, lines: &Lines) {
        let board = self.board;
        let geometry = board.geometry();
        let ray = geometry.ray(king, direction);
        let (sliders, hoppers) = (ray & lines.sliders, ray & lines.hoppers);
        if (sliders | hoppers).is_empty() {
            return;
        }
        let occupied = board.occupied();
        let Some(first) = geometry.first_on_ray(king, direction, occupied) else { return };
        let second = geometry.first_on_ray(first, direction, occupied);
        if sliders.contains(first) {
            self.add_check(geometry.slide(king, direction, occupied));
        } else if board.side(self.side).contains(first)
            && second.is_some_and(|second| sliders.contains(second))
        {
            self.pinned.insert(first);
        }
        if !hoppers.is_empty() {
            self.hop_lines |= ray;
            if second.is_some_and(|second| hoppers.contains(second)) {
                self.in_check = true;
            }
        }
    }

    /// Those of `pieces`, none of them a king, whose every step leaves the king safe.
    pub fn unbound(&self, pieces: Bitboard) -> Bitboard {
        if self.in_check || !self.hop_lines.is_empty() { Bitboard::EMPTY } else { pieces & !self.pinned }
    }

    /// Those of a piece's targets that leave the king safe. The piece is no king, and what it captures stands on the
    /// target: en passant is asked of [`allows`](Self::allows).
    #[inline]
    pub fn filter(&self, from: Square, targets: Bitboard) -> Bitboard {
        let is_free = !self.in_check && (self.pinned | self.hop_lines).is_empty();
        if is_free { targets } else { self.filter_some(from, targets) }
    }

    fn filter_some(&self, from: Square, targets: Bitboard) -> Bitboard {
        let Some(king) = self.king else { return targets };
        let doubtful = if self.hop_lines.is_empty() {
            Bitboard::EMPTY
        } else if self.in_check || self.hop_lines.contains(from) {
            targets
        } else {
            targets & self.hop_lines
        };
        let mut safe = targets & !doubtful & self.answers;
        if self.pinned.contains(from) {
            // On the line as far as the pinning enemy: a hop beyond it would leave the line open.
            let geometry = self.board.geometry();
            let occupied = self.board.occupied().without(from);
            safe &= geometry
                .direction(king, from)
                .map_or(Bitboard::EMPTY, |direction| geometry.slide(king, direction, occupied));
        }
        for target in doubtful {
            if self.allows(from, target, Bitboard::of(target)) {
                safe.insert(target);
            }
        }
        safe
    }

    /// Whether the king is safe once the piece on `from`, the king or another, stands on `to` and the enemies on
    /// `removed` are gone.
    pub fn allows(&self, from: Square, to: Square, removed: Bitboard) -> bool {
        !Aftermath::seen_from(self.king, self.board, self.side, from, to, removed).is_attacked()
    }
}

/// A board as a step leaves it, seen from the mover's king, if one is there.
#[derive(Clone, Copy, Debug)]
pub struct Aftermath<'a> {
    board: &'a Board,
    /// Whose the attackers are.
    by: Side,
    king: Option<Square>,
    occupied: Bitboard,
    /// The enemies that are there no longer.
    gone: Bitboard,
}

impl<'a> Aftermath<'a> {
    /// The board as it stands, for a step on another board.
    pub fn untouched(board: &'a Board, side: Side) -> Self {
        let (king, occupied) = (board.king(side), board.occupied());
        Self { board, by: side.opponent(), king, occupied, gone: Bitboard::EMPTY }
    }

    /// The board once the piece of `side` on `from` stands on `to` and the enemies on `removed` are gone.
    pub fn of_step(board: &'a Board, side: Side, from: Square, to: Square, removed: Bitboard) -> Self {
        Self::seen_from(board.king(side), board, side, from, to, removed)
    }

    fn seen_from(
        king: Option<Square>,
        board: &'a Board,
        side: Side,
        from: Square,
        to: Square,
        removed: Bitboard,
    ) -> Self {
        let king = if king == Some(from) { Some(to) } else { king };
        let gone = removed & board.side(side.opponent());
        let occupied = (board.occupied() & !gone).without(from).with(to);
        Self { board, by: side.opponent(), king, occupied, gone }
    }

    /// The same with these enemies gone too.
    #[must_use]
    pub fn without(self, removed: Bitboard) -> Self {
        Self { occupied: self.occupied & !removed, gone: self.gone | removed, ..self }
    }

    /// The board before the step.
    pub const fn board(&self) -> &'a Board {
        self.board
    }

    /// Where the king stands.
    pub const fn king(&self) -> Option<Square> {
        self.king
    }

    /// Whether the king is attacked.
    pub fn is_attacked(&self) -> bool {
        self.king.is_some_and(|king| is_attacked(self.board, king, self.by, self.occupied, self.gone))
    }

    /// Who attacks the king.
    pub fn attackers(&self) -> Bitboard {
        self.king
            .map_or(Bitboard::EMPTY, |king| attackers(self.board, king, self.by, self.occupied, self.gone))
    }

    /// The sets of enemy pawns that alone stand between the king and a slider: were all of one gone, the slider would
    /// attack the king. Removing pawns opens no other attack.
    pub fn shields(&self) -> ArrayVec<Bitboard, 8> {
        let mut shields = ArrayVec::new();
        let Some(king) = self.king else { return shields };
        let geometry = self.board.geometry();
        let pawns = self.board.pieces(self.by, PieceKind::Pawn) & !self.gone;
        for lines in Lines::through(self.board, king, self.by, self.gone) {
            for &direction in lines.directions {
                let Some(slider) = geometry.first_on_ray(king, direction, lines.sliders) else { continue };
                let way = geometry.slide(king, direction, Bitboard::of(slider)).without(slider);
                let between = way & self.occupied;
                if !between.is_empty() && (between & !pawns).is_empty() {
                    shields.push(between);
                }
            }
        }
        shields
    }
}
