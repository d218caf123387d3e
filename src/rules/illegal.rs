//! Why a move is illegal.

use std::borrow::Cow;

use super::moves::Steps;
use super::square::Location;

/// The reasons, in the order in which they are looked for within a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IllegalReason {
    /// No piece stands on the from-square.
    NoPiece,
    /// The piece there is not the mover's to move.
    NotYourPiece,
    /// A piece of the mover's own stands on the to-square.
    OwnPieceThere,
    /// The piece does not move, or not capture, in that way.
    PieceDoesNotMoveSo,
    /// It moves so, but something stands in the way.
    PathBlocked,
    /// The king may not castle now.
    CastlingNotAvailable,
    /// The line to or beyond the king does not allow the passage.
    PassageNotOpen,
    /// The board has vanished.
    BoardVanished,
    /// The second step starts from the board of the first.
    SameBoardTwice,
    /// The two moved pieces are no permitted pair.
    PairNotAllowed,
    /// The mover has no piece above or below the from-square.
    NoInfluence,
    /// The opponent has a stronger piece there.
    InfluenceOverruled,
    /// The second step is not the first one's mirror.
    MirrorDiffers,
    /// The mirror's way or destination is not empty.
    MirrorBlocked,
    /// The pawn reaches the last rank and no promotion is named.
    PromotionMissing,
    /// That promotion is not open to the step.
    PromotionNotOpen,
    /// The second pawn of a twin promotion is not named.
    TwinMissing,
    /// The second pawn named is not open to the step.
    TwinNotOpen,
    /// A pawn to remove is not named.
    RemovalMissing,
    /// A removal named is not open to the step.
    RemovalNotOpen,
    /// A removal would put the mover in check.
    RemovalOpensCheck,
    /// The step would capture the king of the mover's own army.
    OwnKingCaptured,
    /// The mover's king could be captured.
    KingLeftAttacked,
    /// The move needs a further step.
    StepMissing,
    /// The move has more steps than it may have.
    TooManySteps,
    /// A piece letter or an `x` of the text is not so.
    NotationDisagrees,
    /// The text names several legal moves.
    Ambiguous,
    /// The game is over.
    GameOver,
}

/// A reason with what it is about, before it is known which step of the move it strikes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Why.
    pub reason: IllegalReason,
    /// The squares that explain it: the blockers, or the king and its attackers. Most reasons need none.
    pub squares: Vec<Location>,
    /// A sentence for people. Most are fixed, so that a walk that only asks whether there is a refusal allocates nothing.
    pub message: Cow<'static, str>,
}

impl Refusal {
    /// A refusal about these squares.
    pub fn new(
        reason: IllegalReason,
        squares: impl IntoIterator<Item = Location>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { reason, squares: squares.into_iter().collect(), message: message.into() }
    }

    /// The steps taken are not yet a move.
    pub const fn step_missing() -> Self {
        Self {
            reason: IllegalReason::StepMissing,
            squares: Vec::new(),
            message: Cow::Borrowed("the move needs a further step"),
        }
    }
}

/// Why a move is illegal, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Illegality {
    /// The step that the reason strikes, from 0. A missing step has the number that it would have.
    pub step_index: usize,
    /// Why.
    pub refusal: Refusal,
    /// The legal moves that an ambiguous text may mean, the first of them where they are many.
    pub candidates: Vec<Steps>,
    /// Whether there are more of them.
    pub candidates_truncated: bool,
}

impl Illegality {
    /// A refusal of the step of this number.
    pub const fn new(step_index: usize, refusal: Refusal) -> Self {
        Self { step_index, refusal, candidates: Vec::new(), candidates_truncated: false }
    }
}
