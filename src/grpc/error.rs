//! Why a request cannot be judged.

use crate::rules::fault::Fault;

/// A fault of a position with the request field that it is in.
#[derive(Debug)]
pub(super) struct FieldFault {
    /// The path of the field.
    pub(super) field: String,
    /// What is wrong with it.
    pub(super) fault: Fault,
}

/// Why a request cannot be judged. `field` is the path of the field at fault, as the contract names it.
#[derive(Debug)]
pub(super) enum Error {
    /// A required field is unset.
    MissingField { field: String },
    /// No such variant.
    UnknownVariant { field: String, id: String },
    /// A position that is malformed or impossible, with all its faults.
    InvalidPosition(Vec<FieldFault>),
    /// A history that cannot belong to its position.
    InvalidHistory { message: String },
    /// Text of no move.
    UnreadableMove { field: String, message: String },
    /// Two forms of one thing that differ.
    ConflictingForms { field: String, message: String },
    /// A value that cannot stand where it stands.
    InvalidValue { field: String, message: String },
    /// A filter by a board or square that is not there.
    InvalidFilter { field: String, message: String },
    /// A negative page size.
    InvalidPageSize { page_size: i32 },
    /// A page token that is damaged or not the service's.
    InvalidPageToken,
    /// The page token of another request.
    PageTokenMismatch,
    /// A page token of an older order of moves.
    PageTokenExpired,
    /// A request that is larger than any that can be judged, most of it in one field.
    RequestTooLarge { field: String, bytes: usize, most: usize },
    /// More moves to replay than are accepted.
    TooManyMoves { count: usize },
    /// More distinct positions than are remembered.
    DistinctTooLarge,
    /// No room for more work now.
    Busy,
    /// The caller left or the time is up; the work was given up.
    Stopped,
    /// A defect.
    Internal { message: String },
}

impl Error {
    /// A value that cannot stand in `field`.
    pub(super) fn value(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InvalidValue { field: field.into(), message: message.into() }
    }

    /// A position with these faults, each with the path of its field.
    pub(super) fn invalid_position(faults: impl Iterator<Item = (String, Fault)>) -> Self {
        Self::InvalidPosition(faults.map(|(field, fault)| FieldFault { field, fault }).collect())
    }

    /// The required `field` is unset.
    pub(super) fn missing(field: impl Into<String>) -> Self {
        Self::MissingField { field: field.into() }
    }
}

/// The most characters of a request's text that a sentence quotes. Escaping a text costs far more than reading it, so
/// a long one is not quoted whole even where the sentence is cut later.
const MAX_QUOTED: usize = 40;

/// A text of a request in quotation marks; of a long one the beginning.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}
