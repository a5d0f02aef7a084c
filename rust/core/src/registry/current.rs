//! The one value that readers take without waiting, and that writers replace one after the other.

use std::ops::Deref;

use super::sync::{Arc, ArcSwap, Mutex, PoisonError};

/// A value that never changes, until the next one takes its place in one step.
#[derive(Debug)]
pub(super) struct Current<T> {
    value: ArcSwap<T>,
    writing: Mutex<()>,
}

impl<T> Current<T> {
    pub fn new(first: T) -> Self {
        Self {
            value: ArcSwap::from_pointee(first),
            writing: Mutex::new(()),
        }
    }

    /// The current value. Cheap, and never waits.
    pub fn load(&self) -> impl Deref<Target = Arc<T>> {
        self.value.load()
    }

    /// Has `change` make the next value of the current one, while no other writer makes one. Where
    /// it makes none or panics, the current value stays.
    pub fn replace<R>(&self, change: impl FnOnce(&T) -> (Option<T>, R)) -> R {
        // A writer that panicked has put nothing in place.
        let _one_writer = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, answer) = change(&self.value.load_full());
        if let Some(next) = next {
            self.value.store(Arc::new(next));
        }
        answer
    }
}
