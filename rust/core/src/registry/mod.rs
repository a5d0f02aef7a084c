//! The registry: all tools of all sources, published as immutable snapshots.
//!
//! Readers never wait: they take the current [`Snapshot`] and work on it. Writers are one after the
//! other; each publishes the next version in one step.

mod change;
mod cow;
mod current;
mod facets;
mod publish;
mod snapshot;

use std::sync::Arc;

use change::Change;
use current::Current;

pub use publish::PublishReport;
pub use snapshot::Snapshot;

use crate::{
    Error, Limits, Result,
    call::ValidatorCache,
    source::{ExpectedSource, SourceDefinition},
    view::{Selection, View, ViewCache},
};

/// All tools that the process knows.
#[derive(Debug)]
pub struct Registry {
    current: Current<Published>,
    limits: Limits,
    validators: ValidatorCache,
    deep_work: DeepWork,
    scripts: bool,
}

/// Runs work that recurses as deep as schemas are nested (up to `max_json_depth`, and deeper where
/// references are followed), which can be more than a small stack holds. What is given must be
/// called once before it returns.
pub type DeepWork = fn(&mut (dyn FnMut() + Send));

/// What the swap of the current snapshot is made of. `tests/registry_interleavings.rs` puts other
/// parts in place, with which every order of the steps of threads can be tried.
mod sync {
    pub(super) use std::sync::{Arc, Mutex, PoisonError};

    pub(super) use arc_swap::ArcSwap;
}

/// The current snapshot and the views made of it. The views end with the snapshot: they hold it,
/// it does not hold them.
#[derive(Debug)]
struct Published {
    snapshot: Arc<Snapshot>,
    views: ViewCache,
}

impl Published {
    fn new(snapshot: Snapshot, limits: &Limits) -> Self {
        Self {
            snapshot: Arc::new(snapshot),
            views: ViewCache::new(limits.cached_views),
        }
    }
}

impl Registry {
    /// An empty registry at version 0.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::with_deep_work(limits, |work| work())
    }

    /// An empty registry whose deep work is run by `deep_work`, for threads with small stacks.
    #[must_use]
    pub fn with_deep_work(limits: Limits, deep_work: DeepWork) -> Self {
        Self {
            deep_work,
            current: Current::new(Published::new(Snapshot::empty(), &limits)),
            validators: ValidatorCache::new(&limits),
            limits,
            scripts: false,
        }
    }

    /// This registry, whose sessions have `codemode`: whoever says so runs the scripts.
    #[must_use]
    pub fn with_scripts(mut self) -> Self {
        self.scripts = true;
        self
    }

    /// Whether somebody runs the scripts of its sessions.
    #[must_use]
    pub fn has_scripts(&self) -> bool {
        self.scripts
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
        let mut names = Vec::new();
        let reports = self.current.replace(|current| {
            let mut change = Change::of(&current.snapshot);
            let mut put = |source: SourceDefinition| {
                names.push(source.name.clone());
                publish::put(&mut change, source, &self.limits)
            };
            let reports: Vec<_> = sources.into_iter().map(&mut put).collect();
            let next = reports.iter().any(Result::is_ok).then(|| change.finish());
            (next.map(|next| Published::new(next, &self.limits)), reports)
        });
        // Whoever listens to events may come back here, so the lock is open again by now.
        for (name, report) in names.iter().zip(&reports) {
            if let Ok(report) = report {
                tracing::debug!(
                    source = %name,
                    version = report.version,
                    published = report.published,
                    changed = report.changed,
                    removed = report.removed,
                    quarantined = report.quarantined.len(),
                    "source published"
                );
            }
        }
        reports
    }

    /// Announces a source that is to come, until it is put or removed: sessions offer the tools of
    /// ours that would reach it, and say that it was not searched. False where a source of this name
    /// is there already, which is not expected then.
    ///
    /// # Errors
    ///
    /// No name, a limit on names, domain and tags, or more sources than `max_sources`.
    pub fn expect(&self, source: ExpectedSource) -> Result<bool> {
        source.check(&self.limits)?;
        self.current.replace(|current| {
            let snapshot = &current.snapshot;
            if snapshot.source(&source.name).is_some() {
                return (None, Ok(false));
            }
            if snapshot.expected.get(&source.name).map(AsRef::as_ref) == Some(&source) {
                return (None, Ok(true));
            }
            let mut change = Change::of(snapshot);
            change.unexpect(&source.name);
            let sources = change.sources() + change.expected() + 1;
            let limit = self.limits.max_sources;
            if let Err(error) =
                Error::check_limit("number of sources", "max_sources", sources, limit)
            {
                return (None, Err(error));
            }
            change.expect(source.clone());
            let next = Published::new(change.finish(), &self.limits);
            (Some(next), Ok(true))
        })
    }

    /// Removes a source and its tools, or what was expected of it. False where there is none of
    /// this name.
    pub fn remove(&self, source: &str) -> bool {
        let version = self.current.replace(|current| {
            let mut change = Change::of(&current.snapshot);
            if !(change.remove_source(source) | change.unexpect(source)) {
                return (None, None);
            }
            let version = change.version();
            let next = Published::new(change.finish(), &self.limits);
            (Some(next), Some(version))
        });
        let Some(version) = version else {
            return false;
        };
        tracing::debug!(source = %source, version, "source removed");
        true
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

    /// Runs `work` where the stack is large enough for it.
    pub(crate) fn deep<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let mut work = Some(work);
        let mut done = None;
        (self.deep_work)(&mut || done = work.take().map(|work| work()));
        done.expect("deep work is called before it returns")
    }
}
