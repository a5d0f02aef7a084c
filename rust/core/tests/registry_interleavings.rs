//! The swap of the current snapshot and the containers that snapshots share, as they are compiled
//! into the core, with every order of the steps that threads can take in them.
//!
//! The lock of the writers is one of a scheduler that tries all orders. The atomic pointer is taken
//! to do what it promises, that loading and storing are one step each; its inside is not tried here.

use std::sync::atomic::{AtomicUsize, Ordering};

use cow::{Shards, Slots};
use current::Current;
use shuttle::{sync::Arc, thread};

#[path = "../src/registry/cow.rs"]
mod cow;
#[path = "../src/registry/current.rs"]
mod current;

mod sync {
    pub(super) use shuttle::sync::{Arc, Mutex, PoisonError};

    /// The pointer: whoever loads or stores may be interrupted before and after, not between.
    #[derive(Debug)]
    pub(super) struct ArcSwap<T>(Mutex<Arc<T>>);

    impl<T> ArcSwap<T> {
        pub fn from_pointee(first: T) -> Self {
            Self(Mutex::new(Arc::new(first)))
        }

        pub fn load(&self) -> Box<Arc<T>> {
            Box::new(self.load_full())
        }

        pub fn load_full(&self) -> Arc<T> {
            Arc::clone(&self.0.lock().unwrap())
        }

        pub fn store(&self, next: Arc<T>) {
            // What was there is dropped outside of the step.
            let before = std::mem::replace(&mut *self.0.lock().unwrap(), next);
            drop(before);
        }
    }
}

/// More orders than any model here has; one that has more has not been tried in all of them.
const ORDERS: usize = 20_000;

/// Tries `model` in every order of the steps of its threads.
fn in_every_order(model: fn()) {
    let tried = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&tried);
    let count_and_run = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        model();
    };
    shuttle::check_dfs(count_and_run, Some(ORDERS));
    let tried = tried.load(Ordering::Relaxed);
    assert!((2..ORDERS).contains(&tried), "tried in {tried} orders");
}

/// Made as a snapshot is: two slots in chunks of their own, and what is found by name.
#[derive(Debug, Clone)]
struct Content {
    version: u64,
    slots: Slots<u64>,
    by_name: Shards<&'static str, u64>,
}

/// In another chunk than slot 0.
const FAR: u32 = 300;

impl Content {
    fn empty() -> Current<Self> {
        Current::new(Self {
            version: 0,
            slots: Slots::new(),
            by_name: Shards::new(),
        })
    }

    /// Says the version everywhere, with room for other threads in between.
    fn next(&self, writer: &'static str) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.slots.set(0, Some(next.version));
        thread::yield_now();
        next.slots.set(FAR, Some(next.version));
        next.by_name.insert(writer, next.version);
        next.by_name.remove("nobody");
        next
    }

    fn is_whole(&self) -> bool {
        let said = (self.version > 0).then_some(self.version);
        let newest = ["first", "second"]
            .into_iter()
            .filter_map(|writer| self.by_name.get(writer).copied())
            .max();
        [
            self.slots.get(0).copied(),
            self.slots.get(FAR).copied(),
            newest,
        ] == [said; 3]
    }
}

fn write(current: &Current<Content>, writer: &'static str) -> u64 {
    current.replace(|content| {
        let next = content.next(writer);
        let version = next.version;
        (Some(next), version)
    })
}

#[test]
fn of_two_writers_neither_is_lost() {
    in_every_order(|| {
        let current = Arc::new(Content::empty());
        let shared = Arc::clone(&current);
        let other = thread::spawn(move || write(&shared, "second"));
        let mine = write(&current, "first");
        let others = other.join().unwrap();
        let last = current.load();
        assert_eq!((mine + others, last.version), (3, 2));
        assert_eq!(last.by_name.get("first"), Some(&mine));
        assert_eq!(last.by_name.get("second"), Some(&others));
        assert!(last.is_whole());
    });
}

/// What a reader must find, however far the writers are.
fn read_twice(current: &Current<Content>) {
    let before = Arc::clone(&current.load());
    let version = before.version;
    assert!(before.is_whole(), "{before:?}");
    let after = Arc::clone(&current.load());
    assert!(after.is_whole(), "{after:?}");
    assert!(version <= after.version);
    // Who has a version keeps it as it was.
    assert!(before.is_whole() && before.version == version);
}

#[test]
fn a_reader_sees_whole_versions_that_never_go_back_and_never_change() {
    in_every_order(|| {
        let current = Arc::new(Content::empty());
        let shared = Arc::clone(&current);
        let writer = thread::spawn(move || write(&shared, "first"));
        read_twice(&current);
        writer.join().unwrap();
        assert_eq!(current.load().version, 1);
    });
}

/// Too many orders to try them all, so some are drawn.
#[test]
fn readers_among_three_writers_see_whole_versions() {
    let model = || {
        let current = Arc::new(Content::empty());
        let writers = ["first", "second", "first"].map(|name| {
            let shared = Arc::clone(&current);
            thread::spawn(move || write(&shared, name))
        });
        let shared = Arc::clone(&current);
        let reader = thread::spawn(move || read_twice(&shared));
        read_twice(&current);
        reader.join().unwrap();
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(current.load().is_whole());
        assert_eq!(current.load().version, 3);
    };
    shuttle::check_random(model, 1_000);
}

#[test]
fn a_writer_sees_its_own_version_or_a_later_one() {
    in_every_order(|| {
        let current = Arc::new(Content::empty());
        let shared = Arc::clone(&current);
        let other = thread::spawn(move || write(&shared, "second"));
        let mine = write(&current, "first");
        let seen = Arc::clone(&current.load());
        assert!(seen.is_whole() && seen.version >= mine);
        other.join().unwrap();
    });
}

#[test]
fn a_writer_that_makes_nothing_leaves_all_as_it_is() {
    in_every_order(|| {
        let current = Arc::new(Content::empty());
        let shared = Arc::clone(&current);
        let other = thread::spawn(move || write(&shared, "second"));
        let seen = current.replace(|content| (None, content.version));
        assert!(seen <= 1);
        other.join().unwrap();
        assert!(current.load().is_whole());
        assert_eq!(current.load().version, 1);
    });
}
