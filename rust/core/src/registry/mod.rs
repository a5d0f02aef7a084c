//! The registry: all tools of all sources, published as immutable snapshots.
//!
//! Readers never wait: they take the current [`Snapshot`] and work on it. Writers are one after the
//! other; each publishes the next version in one step.

mod cow;
mod facets;
mod publish;
mod snapshot;

use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;

pub use publish::PublishReport;
pub use snapshot::Snapshot;

use crate::{
    Limits, Result,
    call::ValidatorCache,
    source::SourceDefinition,
    view::{Selection, View, ViewCache},
};

/// All tools that the process knows.
#[derive(Debug)]
pub struct Registry {
    current: ArcSwap<Published>,
    writing: Mutex<()>,
    limits: Limits,
    validators: ValidatorCache,
}

/// The current snapshot and the views made of it. The views end with the snapshot: they hold it,
/// it does not hold them.
#[derive(Debug)]
struct Published {
    snapshot: Arc<Snapshot>,
    views: ViewCache,
}

impl Registry {
    /// An empty registry at version 0.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            current: ArcSwap::from_pointee(Published {
                snapshot: Arc::new(Snapshot::empty()),
                views: ViewCache::new(limits.cached_views),
            }),
            writing: Mutex::new(()),
            validators: ValidatorCache::new(limits.validator_cache),
            limits,
        }
    }

    /// Adds or replaces a whole source. Tools that cannot be published are left out and reported;
    /// a tool that is as it was costs next to nothing.
    ///
    /// # Errors
    ///
    /// Where the source as a whole cannot be taken: no name, over a limit, an unreadable list. The
    /// registry is unchanged then.
    pub fn put(&self, source: SourceDefinition) -> Result<PublishReport> {
        let _one_writer = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let name = source.name.clone();
        let (next, report) = publish::put(&self.snapshot(), source, &self.limits)?;
        self.publish(next);
        tracing::debug!(
            source = %name,
            version = report.version,
            published = report.published,
            changed = report.changed,
            removed = report.removed,
            quarantined = report.quarantined.len(),
            "source published"
        );
        Ok(report)
    }

    /// Removes a source and its tools. False where there is none of this name.
    pub fn remove(&self, source: &str) -> bool {
        let _one_writer = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(next) = publish::remove(&self.snapshot(), source) else {
            return false;
        };
        tracing::debug!(source = %source, version = next.version, "source removed");
        self.publish(next);
        true
    }

    fn publish(&self, next: Snapshot) {
        self.current.store(Arc::new(Published {
            snapshot: Arc::new(next),
            views: ViewCache::new(self.limits.cached_views),
        }));
    }

    /// The current snapshot.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.load().snapshot)
    }

    /// The current version, without taking the snapshot.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.current.load().snapshot.version
    }

    /// What a caller with these rights may discover now. Equal rights share one view, and so do
    /// different rights to the same tools.
    #[must_use]
    pub fn view(&self, rights: &Arc<Selection>) -> Arc<View> {
        let current = self.current.load();
        current.views.view(&current.snapshot, rights)
    }

    /// The limits in force.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn validators(&self) -> &ValidatorCache {
        &self.validators
    }
}
