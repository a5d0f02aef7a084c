//! The index over all tools, and changes to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::block::Block;
use super::block_writer::{self, Changes};
use super::document::Document;
use super::entry::Entry;
use super::explain::{self, Explanation};
use super::near;
use super::rank::{self, Hit, Query};
use super::scope::Scope;
use super::slot_set::BLOCK_SLOTS;

/// Tools that an editor holds before it writes them out, so that loading a large catalogue needs
/// no memory for all of its analyzed text at once.
const MAX_PENDING: usize = 4 * BLOCK_SLOTS;

/// An immutable index over all tools of a registry snapshot, for every caller.
///
/// Cloning is cheap; [`edit`](Self::edit) makes a changed copy that shares what did not change.
#[derive(Debug, Clone, Default)]
pub struct SearchIndex {
    /// By block number, ascending; no block is empty.
    blocks: Arc<BTreeMap<u32, Arc<Block>>>,
}

impl SearchIndex {
    /// An index of no tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a changed copy. This index stays as it is.
    #[must_use]
    pub fn edit(&self) -> IndexEditor {
        IndexEditor {
            blocks: (*self.blocks).clone(),
            pending: BTreeMap::new(),
            pending_tools: 0,
        }
    }

    /// Prepares searches among the tools whose slots are in `view`. Slots without a tool are
    /// ignored.
    ///
    /// Takes time linear in the view, a few nanoseconds per tool.
    #[must_use]
    pub fn scope(&self, view: &RoaringBitmap) -> Scope {
        Scope::new(self, view)
    }

    /// The tools of the scope that answer the query, best first; equal scores in order of name.
    ///
    /// `scope` must come from this index.
    #[must_use]
    pub fn search(&self, scope: &Scope, query: &Query<'_>) -> Vec<Hit> {
        rank::search(scope, query)
    }

    /// Where the score of the tool at `slot` for `query` comes from; a score of 0 if it does not
    /// match or is not in the scope. The filter and limit of the query play no part.
    #[must_use]
    pub fn explain(&self, scope: &Scope, query: &Query<'_>, slot: u32) -> Explanation {
        explain::explain(scope, query.text, slot)
    }

    /// Slots of tools in the scope whose names resemble `text` or one of its words, nearest
    /// first; equally near ones in order of name.
    #[must_use]
    pub fn near_names(&self, scope: &Scope, text: &str, limit: usize) -> Vec<u32> {
        near::near_names(scope, text, limit)
    }

    /// Each block with the slot of its first position.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u32, &Arc<Block>)> {
        self.blocks
            .iter()
            .map(|(&number, block)| (number * BLOCK_SLOTS as u32, block))
    }
}

/// Changes on the way to a new [`SearchIndex`].
#[derive(Debug)]
pub struct IndexEditor {
    blocks: BTreeMap<u32, Arc<Block>>,
    /// By block number.
    pending: BTreeMap<u32, Changes>,
    pending_tools: usize,
}

impl IndexEditor {
    /// Puts a tool at `slot`, in place of the one that may be there.
    pub fn insert(&mut self, slot: u32, document: &Document<'_>) {
        self.change(slot, Some(Box::new(Entry::new(document))));
        self.pending_tools += 1;
        if self.pending_tools >= MAX_PENDING {
            self.write();
        }
    }

    /// Removes the tool at `slot`, if there is one.
    pub fn remove(&mut self, slot: u32) {
        self.change(slot, None);
    }

    /// The changed index.
    #[must_use]
    pub fn finish(mut self) -> SearchIndex {
        self.write();
        SearchIndex {
            blocks: Arc::new(self.blocks),
        }
    }

    fn change(&mut self, slot: u32, entry: Option<Box<Entry>>) {
        let (number, position) = (slot / BLOCK_SLOTS as u32, slot % BLOCK_SLOTS as u32);
        let changes = self.pending.entry(number).or_default();
        changes.insert(position as u16, entry);
    }

    fn write(&mut self) {
        for (number, changes) in std::mem::take(&mut self.pending) {
            let old = self.blocks.get(&number).map(Arc::as_ref);
            match block_writer::rewrite(old, &changes) {
                Some(block) => self.blocks.insert(number, Arc::new(block)),
                None => self.blocks.remove(&number),
            };
        }
        self.pending_tools = 0;
    }
}
