//! Two containers whose clones share everything that did not change, so that publishing one
//! changed tool of 100,000 copies kilobytes, not megabytes.

use std::{
    hash::{BuildHasher, Hash},
    sync::Arc,
};

use rustc_hash::{FxBuildHasher, FxHashMap};

const CHUNK: usize = 256;

/// A vector of optional items, shared in chunks.
#[derive(Debug, Clone)]
pub(crate) struct Slots<T> {
    chunks: Vec<Arc<Vec<Option<T>>>>,
}

impl<T: Clone> Slots<T> {
    pub fn new() -> Self {
        Self { chunks: Vec::new() }
    }

    pub fn get(&self, slot: u32) -> Option<&T> {
        let slot = slot as usize;
        self.chunks.get(slot / CHUNK)?.get(slot % CHUNK)?.as_ref()
    }

    pub fn set(&mut self, slot: u32, item: Option<T>) {
        let slot = slot as usize;
        while self.chunks.len() <= slot / CHUNK {
            self.chunks.push(Arc::new(vec![None; CHUNK]));
        }
        Arc::make_mut(&mut self.chunks[slot / CHUNK])[slot % CHUNK] = item;
    }
}

const SHARDS: usize = 512;

/// A hash map, shared in shards.
#[derive(Debug, Clone)]
pub(crate) struct Shards<K, V> {
    shards: Vec<Arc<FxHashMap<K, V>>>,
}

impl<K: Hash + Eq + Clone, V: Clone> Shards<K, V> {
    pub fn new() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Arc::default()).collect(),
        }
    }

    fn shard(key: &(impl Hash + ?Sized)) -> usize {
        // The low bits choose the bucket inside the shard; the shard takes others.
        (FxBuildHasher.hash_one(key) >> 32) as usize % SHARDS
    }

    pub fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.shards[Self::shard(key)].get(key)
    }

    pub fn insert(&mut self, key: K, value: V) {
        Arc::make_mut(&mut self.shards[Self::shard(&key)]).insert(key, value);
    }

    pub fn remove<Q>(&mut self, key: &Q)
    where
        K: std::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        Arc::make_mut(&mut self.shards[Self::shard(key)]).remove(key);
    }
}
