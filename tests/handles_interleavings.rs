//! The table of handles, as it is compiled into the bridge, with every order of the steps that
//! threads can take in it: the lock is one of a scheduler that tries them all. The lock is all that
//! threads share in the table, so what holds in every order of its steps holds always.

#[path = "../rust/jni/handles.rs"]
mod handles;

mod sync {
    pub(crate) use shuttle::sync::{Arc, PoisonError, RwLock};
}

mod error {
    pub type Result<T> = std::result::Result<T, Error>;

    #[derive(Debug)]
    pub enum Error {
        Closed(&'static str),
    }
}

use std::sync::{
    Weak,
    atomic::{AtomicUsize, Ordering},
};

use error::Error;
use handles::Handles;
use shuttle::{sync::Arc, thread};

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

/// Something that is dropped once, and that uses its table while it is.
struct Thing {
    name: &'static str,
    drops: Arc<AtomicUsize>,
    table: Weak<Handles<Thing>>,
}

impl Drop for Thing {
    fn drop(&mut self) {
        self.drops.fetch_add(1, Ordering::Relaxed);
        if let Some(table) = self.table.upgrade() {
            // Would wait for itself if objects were dropped under the lock of the table.
            assert!(table.get(0).is_err());
        }
    }
}

/// A table, and how many of its things were dropped.
#[derive(Clone)]
struct World {
    table: Arc<Handles<Thing>>,
    drops: Arc<AtomicUsize>,
}

impl World {
    fn of(table: Handles<Thing>) -> Self {
        Self {
            table: Arc::new(table),
            drops: Arc::default(),
        }
    }

    fn new() -> Self {
        Self::of(Handles::new(1, "thing"))
    }

    fn insert(&self, name: &'static str) -> i64 {
        self.table.insert(Thing {
            name,
            drops: Arc::clone(&self.drops),
            table: Arc::downgrade(&self.table),
        })
    }

    fn name(&self, number: i64) -> Option<&'static str> {
        match self.table.get(number) {
            Ok(thing) => Some(thing.name),
            Err(Error::Closed(what)) => {
                assert_eq!(what, "thing");
                None
            }
        }
    }

    fn drops(&self) -> usize {
        self.drops.load(Ordering::Relaxed)
    }

    fn spawn<R: Send + 'static>(
        &self,
        work: impl FnOnce(Self) -> R + Send + 'static,
    ) -> thread::JoinHandle<R> {
        let world = self.clone();
        thread::spawn(move || work(world))
    }
}

#[test]
fn closing_a_number_from_two_threads_closes_it_once() {
    in_every_order(|| {
        let world = World::new();
        let number = world.insert("it");
        let other = world.spawn(move |world| world.table.close(number));
        world.table.close(number);
        other.join().unwrap();
        assert_eq!(world.name(number), None);
        assert_eq!(world.drops(), 1);
        // Closed twice, its place would be free twice, and two numbers would have it.
        let (second, third) = (world.insert("second"), world.insert("third"));
        assert_eq!(world.name(second), Some("second"));
        assert_eq!(world.name(third), Some("third"));
    });
}

#[test]
fn a_number_never_gives_what_came_to_its_place_later() {
    in_every_order(|| {
        let world = World::new();
        let first = world.insert("first");
        let user = world.spawn(move |world| {
            let seen = [world.name(first), world.name(first)];
            assert!(
                matches!(seen, [_, None] | [Some("first"), Some("first")]),
                "{seen:?}"
            );
        });
        world.table.close(first);
        let second = world.insert("second");
        assert_ne!(first, second);
        assert_eq!(world.name(second), Some("second"));
        user.join().unwrap();
    });
}

#[test]
fn a_late_close_never_closes_what_came_to_the_place() {
    in_every_order(|| {
        let world = World::new();
        let first = world.insert("first");
        let late = world.spawn(move |world| world.table.close(first));
        world.table.close(first);
        let second = world.insert("second");
        late.join().unwrap();
        assert_eq!(world.name(second), Some("second"));
        assert_eq!(world.drops(), 1);
    });
}

/// Too many orders to try them all, so some are drawn.
#[test]
fn threads_that_open_and_close_have_numbers_of_their_own() {
    let model = || {
        let world = World::new();
        let first = world.insert("first");
        let late = world.spawn(move |world| world.table.close(first));
        let other = world.spawn(|world| {
            let third = world.insert("third");
            assert_eq!(world.name(third), Some("third"));
            third
        });
        world.table.close(first);
        let second = world.insert("second");
        late.join().unwrap();
        let third = other.join().unwrap();
        assert!(first != second && second != third && third != first);
        assert_eq!(world.name(second), Some("second"));
        assert_eq!(world.name(third), Some("third"));
        assert_eq!(world.drops(), 1);
    };
    shuttle::check_random(model, 2_000);
}

#[test]
fn what_is_in_use_is_dropped_by_who_uses_it_last() {
    in_every_order(|| {
        let world = World::new();
        let number = world.insert("used");
        let user = world.spawn(move |world| {
            let Ok(used) = world.table.get(number) else {
                return;
            };
            thread::yield_now();
            assert_eq!((used.name, world.drops()), ("used", 0));
        });
        world.table.close(number);
        user.join().unwrap();
        assert_eq!(world.drops(), 1);
    });
}

#[test]
fn the_last_generation_of_a_place_is_its_end() {
    in_every_order(|| {
        let world = World::of(Handles::worn(1, "thing"));
        let last = world.insert("last");
        let other = world.spawn(move |world| world.table.close(last));
        world.table.close(last);
        let next = world.insert("next");
        other.join().unwrap();
        assert_eq!(world.name(last), None);
        assert_eq!(world.name(next), Some("next"));
        assert_eq!(world.drops(), 1);
    });
}
