//! Arbiter: the exact rules of chess variants, most of them played on several boards at once, behind gRPC.
//!
//! [`rules`] is the core, which a program can also use without the service.

pub mod rules;
