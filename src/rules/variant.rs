//! The questions that every game answers, and the identity card that it carries.

use std::fmt::Debug;
use std::ops::ControlFlow;

use super::fault::Fault;
use super::geometry::Geometry;
use super::illegal::Refusal;
use super::mechanics::castling::Castling;
use super::mechanics::choices::Choices;
use super::moves::Step;
use super::outcome::{Outcome, Report};
use super::piece::{PieceKind, Side};
use super::position::Position;
use super::square::Location;
use super::turn::{Offer, Scope, Turn, Visit};

/// A board of a variant.
#[derive(Debug)]
pub struct BoardSpec {
    /// The letter before squares in texts; empty in single-board variants.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// How many files, from a on.
    pub files: u8,
    /// How many ranks, from 1 on.
    pub ranks: u8,
    /// How many men each side of the board has on it at the start.
    pub men: u32,
    /// The sides whose pieces stand on it; capitals are the first one's.
    pub sides: &'static [Side],
    /// The kinds that can stand on it.
    pub kinds: &'static [PieceKind],
}

impl BoardSpec {
    /// A board of eight by eight squares, with the sixteen men a side of the standard array.
    pub const fn standard(name: &'static str, title: &'static str) -> Self {
        Self {
            name,
            title,
            files: 8,
            ranks: 8,
            men: 16,
            sides: &[Side::White, Side::Black],
            kinds: &PieceKind::STANDARD,
        }
    }
}

/// How en passant is written in position text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnPassantForm {
    /// There is none.
    None,
    /// The passed square, from which the pawn's follows.
    Passed,
    /// The passed square and the pawn's.
    PassedAndPawn,
}

/// What a variant is: everything about it that is data.
#[derive(Debug)]
pub struct Card {
    /// The identifier in requests.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The boards, in order.
    pub boards: &'static [BoardSpec],
    /// The sides in order of play.
    pub sides: [Side; 2],
    /// Whether a move may not leave the mover's king to be captured.
    pub check_binds: bool,
    /// The rules in one paragraph.
    pub rules: &'static str,
    /// The version of the rulings; it grows when an answer changes.
    pub rules_version: &'static str,
    /// Where the game was published.
    pub source: &'static str,
    /// The initial position as position text.
    pub initial: &'static str,
    /// How many steps a move has at most.
    pub max_steps: usize,
    /// How the king castles, where it does.
    pub castling: Option<Castling>,
    /// How en passant is written.
    pub en_passant: EnPassantForm,
    /// The kinds that can bear a twin group.
    pub twin_kinds: &'static [PieceKind],
    /// Whether pieces go from board to board.
    pub pieces_change_boards: bool,
    /// Whether boards vanish.
    pub boards_vanish: bool,
    /// Whether the players help armies drawn by lot.
    pub has_armies: bool,
}

impl Card {
    /// The number of the board of this name.
    pub fn board(&self, name: &str) -> Option<u8> {
        (0..).zip(self.boards).find(|(_, spec)| spec.name == name).map(|(board, _)| board)
    }

    /// The shape of the board of this number.
    pub fn geometry(&self, board: u8) -> &'static Geometry {
        let spec = &self.boards[usize::from(board)];
        Geometry::of(spec.files, spec.ranks)
    }

    /// Empty boards of the variant, with nobody of it to move yet.
    pub fn empty_position(&self) -> Position {
        let geometries = (0..self.boards.len() as u8).map(|board| self.geometry(board));
        let nobody = if self.sides[0] == Side::White { Side::Above } else { Side::White };
        Position::empty(geometries, nobody)
    }

    /// A square as texts name it: with its board's name where boards have names.
    pub fn square_name(&self, at: Location) -> String {
        let square = self.geometry(at.board).name(at.square);
        let board = self.boards[usize::from(at.board)].name;
        if board.is_empty() { square.to_string() } else { format!("{board}:{square}") }
    }

    /// Whether the variant has pieces of this kind.
    pub fn has(&self, kind: PieceKind) -> bool {
        self.boards.iter().any(|board| board.kinds.contains(&kind))
    }

    /// All kinds of the variant, in order.
    pub fn kinds(&self) -> impl Iterator<Item = PieceKind> {
        PieceKind::ALL.into_iter().filter(|&kind| self.has(kind))
    }
}

/// A game's rules.
///
/// Positions handed to a variant were accepted by its [`check`](Variant::check), or come from such a position by
/// legal steps. What no game may change (whose turn it is, clocks, repetition, what a list is) is not asked here but
/// done in [`play`](super::play).
pub trait Variant: Sync + Debug {
    /// The identity card.
    fn card(&self) -> &'static Card;

    /// Reports the faults that this game finds in a position, beside those that all games share.
    fn check(&self, position: &Position, faults: &mut Vec<Fault>);

    /// Offers the steps that the mover may take next, in order of from-squares and boards, until `visit` breaks.
    ///
    /// Everything that forbids a step forbids it here, king safety included, with one exception: a step that is not
    /// the last that the move can have may be offered although no further step completes it;
    /// [`play`](super::play) finds such dead ends. A step that is the last completes a legal move.
    fn offers(&self, turn: &Turn, scope: &Scope, visit: Visit<'_>) -> ControlFlow<()>;

    /// How many steps [`offers`](Variant::offers) offers when all are asked for, choices included. A game may know a
    /// faster way than to look at each.
    fn count_offers(&self, turn: &Turn) -> u64 {
        let mut total = 0;
        let _ = self.offers(turn, &Scope::ALL, &mut |offer| {
            total += u64::from(offer.targets.count());
            // Each target with choices stands for their number, and was counted once.
            for square in offer.choosing {
                let to = Location::new(offer.to_board, square);
                total += self.choices(turn, offer.from, to).count() - 1;
            }
            ControlFlow::Continue(())
        });
        total
    }

    /// What the mover chooses of an offered step to one of its `choosing` targets.
    fn choices(&self, turn: &Turn, from: Location, to: Location) -> Choices;

    /// Whether steps of the scope `next` can follow those of an offer, as far as that is known without taking them: one
    /// can follow every step of the offer that does not end the game, whatever is chosen in it, or none can follow any.
    /// Where it is not known, [`play`](super::play) takes the steps and looks, one by one.
    fn follows(&self, _turn: &Turn, _offer: &Offer, _next: &Scope) -> Option<bool> {
        None
    }

    /// Carries out an offered step.
    fn make(&self, turn: &mut Turn, step: &Step, report: Report<'_>);

    /// Whether the steps taken, at least one, are a move; if not, why.
    fn complete(&self, _turn: &Turn) -> Result<(), Refusal> {
        Ok(())
    }

    /// Why a step that is not offered is not. Only called for such steps.
    fn refusal(&self, turn: &Turn, step: &Step) -> Refusal;

    /// Why no legal move begins with the steps taken, although each was offered.
    fn dead_end(&self, turn: &Turn) -> Refusal {
        self.complete(turn).err().unwrap_or_else(Refusal::step_missing)
    }

    /// The kings of a side that the opponent could capture, in board order.
    fn attacked_kings(&self, position: &Position, side: Side) -> Vec<Location>;

    /// How the game has ended by what is left on the boards; none while it goes on.
    fn ending(&self, _position: &Position) -> Option<Outcome> {
        None
    }

    /// How the game ends when the player to move has no legal move.
    fn without_moves(&self, position: &Position) -> Outcome;
}
