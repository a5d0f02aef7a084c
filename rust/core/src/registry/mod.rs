//! The registry: all tools of all sources, published as immutable snapshots.
//!
//! Readers never wait: they take the current [`Snapshot`] and work on it. Writers are one after the
//! other; each publishes the next version in one step.

mod change;
mod cow;
mod facets;
mod publish;
mod snapshot;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use change::Change;

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
        let mut reports = self.put_all([source]);
        reports.remove(0)
    }

    /// Adds or replaces several sources in one new version; much faster than one after the other.
    /// One answer for each, in their order, as of [`Registry::put`]; a source that cannot be taken
    /// does not keep the others back.
    pub fn put_all(
        &self,
        sources: impl IntoIterator<Item = SourceDefinition>,
    ) -> Vec<Result<PublishReport>> {
        let _one_writer = self.writing();
        let mut change = Change::of(&self.snapshot());
        let reports: Vec<_> = sources
            .into_iter()
            .map(|source| {
                let name = source.name.clone();
                let report = publish::put(&mut change, source, &self.limits)?;
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
            })
            .collect();
        if reports.iter().any(Result::is_ok) {
            self.publish(change.finish());
        }
        reports
    }

    /// Removes a source and its tools. False where there is none of this name.
    pub fn remove(&self, source: &str) -> bool {
        let _one_writer = self.writing();
        let mut change = Change::of(&self.snapshot());
        let removed = change.remove_source(source);
        if removed {
            tracing::debug!(source = %source, version = change.version(), "source removed");
            self.publish(change.finish());
        }
        removed
    }

    fn writing(&self) -> MutexGuard<'_, ()> {
        // A writer that panicked has published nothing.
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
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
