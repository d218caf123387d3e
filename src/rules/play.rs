//! What no game may change: which moves are legal, why others are not, what a move does, how the game stands.
//!
//! Everything here is a free function over a [`Variant`](super::variant::Variant). A game answers which steps are
//! possible after the steps already taken; a move is a sequence of such steps, and whatever is asked about moves is
//! answered by walking them.

mod describe;
mod judge;
mod nearest;
mod perft;
mod repetition;
mod soundness;
mod status;
mod walk;

pub use describe::{Described, describe, describe_step, take};
pub use judge::{Applied, Begun, apply, begin, judge, position_after};
pub use nearest::{Nearest, nearest};
pub use perft::perft;
pub use repetition::{Game, HISTORY_LIMIT, key, text_key};
pub use soundness::faults;
pub use status::{Status, ended_without_search, outcome, status};
pub use walk::{Query, VisitMove, count, moves, steps};
