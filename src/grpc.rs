//! The gRPC edge: requests in, questions to the rules, answers out.
//!
//! Generated types stay in here. `from_proto` makes values of the rules core from requests and says which field is at
//! fault, `to_proto` cannot fail, `status` turns each error into a gRPC status, `listing` cuts lists into pages and
//! batches, `service` is the eight methods. `intake` bounds what is open at once, `work` what is computed at once,
//! `deadline` how long it lasts, and `transport` makes the transport keep the contract too.

pub mod codec;
mod deadline;
mod enums;
mod error;
mod from_proto;
mod intake;
mod listing;
mod memory;
mod moves_from_proto;
mod page_token;
mod replaying;
mod request_size;
mod rest;
mod service;
mod status;
mod structure;
mod to_proto;
mod transport;
mod work;

pub use deadline::Deadlines;
pub use intake::{Bounded, Intake};
pub use memory::Memory;
pub use service::Referee;
pub use status::{going_away, no_such_service, panicked, reasons, verdict};
pub use transport::Transport;
pub use work::{Pool, PoolJob, WorkLimits};

/// The generated contract: messages, the client, and the trait of the service.
#[expect(
    unused_qualifications,
    clippy::allow_attributes_without_reason,
    clippy::doc_lazy_continuation,
    clippy::doc_markdown,
    reason = "generated from proto/, where everything is documented"
)]
pub mod v1 {
    tonic::include_proto!("arbiter.v1");
}

/// The compiled contract, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
