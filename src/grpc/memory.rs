//! A bound on the memory that all calls together hold for what is large: requests being read, answers being sent,
//! positions that a list remembers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::error::Error;

/// The memory for what is large. Clones share it.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Account>);

#[derive(Debug)]
struct Account {
    held: AtomicUsize,
    most: usize,
}

impl Memory {
    /// So many bytes.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Account { held: AtomicUsize::new(0), most }))
    }

    /// How many bytes are held now.
    pub fn held(&self) -> usize {
        self.0.held.load(Ordering::Relaxed)
    }

    /// Refuses new work when all is held. What is held already may grow a little beyond, as what an answer takes is
    /// known only when it is made.
    pub(super) fn admit(&self) -> Result<(), Error> {
        if self.held() < self.0.most { Ok(()) } else { Err(Error::Busy) }
    }

    /// A share of nothing yet.
    pub(super) fn share(&self) -> Share {
        Share { memory: self.clone(), bytes: AtomicUsize::new(0) }
    }
}

/// A part of the memory, given back when it goes.
#[derive(Debug)]
pub(super) struct Share {
    memory: Memory,
    bytes: AtomicUsize,
}

impl Share {
    /// Holds so many bytes from now on, instead of what was held.
    pub(super) fn hold(&self, bytes: usize) {
        self.memory.0.held.fetch_add(bytes, Ordering::Relaxed);
        let before = self.bytes.swap(bytes, Ordering::Relaxed);
        self.memory.0.held.fetch_sub(before, Ordering::Relaxed);
    }

    /// Holds so many bytes instead of what was held, if there is room for more.
    pub(super) fn try_hold(&self, bytes: usize) -> Result<(), Error> {
        if bytes > self.bytes.load(Ordering::Relaxed) {
            self.memory.admit()?;
        }
        self.hold(bytes);
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.hold(0);
    }
}
