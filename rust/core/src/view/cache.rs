use std::{
    hash::{Hash, Hasher},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use quick_cache::sync::Cache;
use roaring::RoaringBitmap;
use rustc_hash::{FxHashMap, FxHasher};

use super::{Selection, View};
use crate::registry::Snapshot;

/// The views of one snapshot: found at once for rights that were seen before, and one and the same
/// for different rights to the same tools.
#[derive(Debug)]
pub(crate) struct ViewCache {
    by_rights: Cache<Arc<Selection>, Arc<View>>,
    by_tools: Mutex<FxHashMap<u64, Vec<Weak<View>>>>,
}

impl ViewCache {
    pub fn new(capacity: usize) -> Self {
        Self {
            by_rights: Cache::new(capacity),
            by_tools: Mutex::default(),
        }
    }

    pub fn view(&self, snapshot: &Arc<Snapshot>, rights: &Arc<Selection>) -> Arc<View> {
        if let Some(view) = self.by_rights.get(rights) {
            return view;
        }
        let view = self.shared(snapshot, rights.select(snapshot));
        self.by_rights.insert(Arc::clone(rights), Arc::clone(&view));
        view
    }

    fn shared(&self, snapshot: &Arc<Snapshot>, tools: RoaringBitmap) -> Arc<View> {
        let mut hasher = FxHasher::default();
        tools.len().hash(&mut hasher);
        tools.iter().for_each(|slot| slot.hash(&mut hasher));
        let mut by_tools = self.by_tools.lock().unwrap_or_else(PoisonError::into_inner);
        let same = by_tools.entry(hasher.finish()).or_default();
        same.retain(|view| view.strong_count() > 0);
        if let Some(view) = same
            .iter()
            .filter_map(Weak::upgrade)
            .find(|view| *view.tools == tools)
        {
            return view;
        }
        let view = Arc::new(View::new(snapshot, tools));
        same.push(Arc::downgrade(&view));
        if by_tools.len() > 2 * self.by_rights.capacity() as usize {
            by_tools.retain(|_, views| views.iter().any(|view| view.strong_count() > 0));
        }
        view
    }
}
