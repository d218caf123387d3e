//! Arbiter: the exact rules of chess variants, most of them played on several boards at once, behind gRPC.
//!
//! [`rules`] is the core, which a program can also use without the service. [`grpc`] is the edge that turns requests
//! into questions to it, and has the client. `server`, with the feature of this name, is the process around the edge.

pub mod grpc;
pub mod rules;
#[cfg(feature = "server")]
pub mod server;
