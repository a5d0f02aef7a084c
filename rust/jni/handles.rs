//! Numbers that stand for native objects in Java.
//!
//! A number is never a pointer: it names a place in a table and the generation of what is there, so
//! that a closed, stale, foreign or invented number is found out. Who uses an object holds it by
//! `Arc`, so that it may be closed meanwhile.

use std::sync::{Arc, PoisonError, RwLock};

use jni::sys::jlong;

use crate::error::{Error, Result};

/// The objects of one kind. A number has, from the highest bit: 0, two bits of kind, 30 bits of
/// generation, 31 bits of place.
#[derive(Debug)]
pub struct Handles<T> {
    kind: u8,
    what: &'static str,
    places: RwLock<Places<T>>,
}

#[derive(Debug)]
struct Places<T> {
    entries: Vec<Entry<T>>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Entry<T> {
    generation: u32,
    object: Option<Arc<T>>,
}

const PLACE_BITS: u32 = 31;
const GENERATION_BITS: u32 = 30;
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;

impl<T> Handles<T> {
    /// An empty table. `kind`, 0 to 3, tells its numbers from those of other tables; `what` is the
    /// word for its objects in messages.
    pub const fn new(kind: u8, what: &'static str) -> Self {
        assert!(kind < 4, "there are two bits for the kind");
        let places = Places {
            entries: Vec::new(),
            free: Vec::new(),
        };
        Self {
            kind,
            what,
            places: RwLock::new(places),
        }
    }

    /// Keeps `object` and gives it a number.
    pub fn insert(&self, object: T) -> jlong {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        let place = places.free.pop().unwrap_or_else(|| {
            // Generation 1, so that no number is 0.
            places.entries.push(Entry {
                generation: 1,
                object: None,
            });
            places.entries.len() as u32 - 1
        });
        assert!(
            place as usize <= LAST_PLACE,
            "two thousand million open handles"
        );
        let entry = &mut places.entries[place as usize];
        entry.object = Some(Arc::new(object));
        let generation = u64::from(entry.generation);
        (u64::from(self.kind) << (PLACE_BITS + GENERATION_BITS)
            | generation << PLACE_BITS
            | u64::from(place)) as jlong
    }

    /// The object of a number.
    ///
    /// # Errors
    ///
    /// [`Error::Closed`] where there is none.
    pub fn get(&self, handle: jlong) -> Result<Arc<T>> {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        self.place(&places, handle)
            .and_then(|place| places.entries[place].object.clone())
            .ok_or(Error::Closed(self.what))
    }

    /// Forgets a number, and drops its object unless somebody is using it. A number that is
    /// forgotten already changes nothing.
    pub fn close(&self, handle: jlong) {
        let closed = {
            let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
            let Some(place) = self.place(&places, handle) else {
                return;
            };
            let entry = &mut places.entries[place];
            let object = entry.object.take();
            // A place that has had every generation is given up rather than start over.
            if entry.generation < LAST_GENERATION {
                entry.generation += 1;
                places.free.push(place as u32);
            }
            object
        };
        // Outside the lock: dropping a registry takes its time.
        drop(closed);
    }

    fn place(&self, places: &Places<T>, handle: jlong) -> Option<usize> {
        let bits = handle as u64;
        let place = bits as usize & LAST_PLACE;
        let generation = (bits >> PLACE_BITS) as u32 & LAST_GENERATION;
        let entry = places.entries.get(place)?;
        let known = bits >> (PLACE_BITS + GENERATION_BITS) == u64::from(self.kind)
            && entry.generation == generation
            && entry.object.is_some();
        known.then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashMap,
        sync::atomic::{AtomicI64, Ordering},
        thread,
    };

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_closed_number_stays_closed_when_its_place_is_used_again() {
        let table = Handles::new(1, "thing");
        let first = table.insert("first");
        table.close(first);
        let second = table.insert("second");
        assert_ne!(first, second);
        assert!(matches!(table.get(first), Err(Error::Closed("thing"))));
        table.close(first);
        assert_eq!(*table.get(second).unwrap(), "second");
    }

    #[test]
    fn a_number_of_another_table_is_refused() {
        let (registries, sessions) = (Handles::new(0, "registry"), Handles::new(1, "session"));
        let registry = registries.insert(1);
        let session = sessions.insert(2);
        assert!(sessions.get(registry).is_err());
        sessions.close(registry);
        assert!(sessions.get(session).is_ok());
    }

    #[test]
    fn an_object_in_use_outlives_its_number() {
        let table = Handles::new(0, "thing");
        let number = table.insert(String::from("used"));
        let used = table.get(number).unwrap();
        table.close(number);
        assert_eq!(*used, "used");
        assert_eq!(Arc::strong_count(&used), 1);
    }

    #[test]
    fn a_place_that_had_every_generation_is_given_up() {
        let table = Handles::new(0, "thing");
        table.insert(0);
        table.places.write().unwrap().entries[0].generation = LAST_GENERATION;
        table.close((u64::from(LAST_GENERATION) << PLACE_BITS) as jlong);
        let next = table.insert(1);
        assert_eq!(next as usize & LAST_PLACE, 1);
    }

    /// Knows its number, and counts that it is gone.
    struct Numbered<'a> {
        number: AtomicI64,
        alive: &'a AtomicI64,
    }

    impl Drop for Numbered<'_> {
        fn drop(&mut self) {
            self.alive.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Each thread closes numbers that others are using, and uses numbers that others have closed.
    #[test]
    fn threads_get_the_object_of_a_number_or_none_and_each_is_dropped_once() {
        let alive = AtomicI64::new(0);
        let table = Handles::<Numbered<'_>>::new(0, "thing");
        let numbers: Vec<AtomicI64> = (0..16).map(|_| AtomicI64::new(0)).collect();
        thread::scope(|scope| {
            for worker in 0..8 {
                let (table, numbers, alive) = (&table, &numbers, &alive);
                scope.spawn(move || {
                    for step in 0..2_000 {
                        let shared = &numbers[(worker * 7 + step * 5) % numbers.len()];
                        let number = shared.load(Ordering::Acquire);
                        if step % 3 != 0 {
                            if let Ok(object) = table.get(number) {
                                assert_eq!(object.number.load(Ordering::Acquire), number);
                            }
                            continue;
                        }
                        table.close(number);
                        alive.fetch_add(1, Ordering::Relaxed);
                        let number = table.insert(Numbered {
                            number: AtomicI64::new(0),
                            alive,
                        });
                        let object = table.get(number).expect("nobody knows it yet");
                        object.number.store(number, Ordering::Release);
                        // What stood here is lost to the others, and so is closed.
                        table.close(shared.swap(number, Ordering::AcqRel));
                    }
                });
            }
        });
        for number in &numbers {
            table.close(number.load(Ordering::Acquire));
        }
        assert_eq!(alive.load(Ordering::Relaxed), 0);
    }

    proptest! {
        #[test]
        fn invented_numbers_are_closed_ones(handle: i64) {
            let table = Handles::new(2, "thing");
            let number = table.insert(());
            prop_assert_eq!(table.get(handle).is_ok(), handle == number);
        }

        #[test]
        fn the_table_does_what_a_map_does(steps in prop::collection::vec((any::<bool>(), 0usize..8), 0..200)) {
            let table = Handles::new(3, "thing");
            let mut model = HashMap::new();
            let mut numbers = Vec::new();
            for (step, (open, which)) in steps.into_iter().enumerate() {
                if open || numbers.is_empty() {
                    let number = table.insert(step);
                    prop_assert!(number > 0 && model.insert(number, step).is_none());
                    numbers.push(number);
                } else {
                    let number = numbers[which % numbers.len()];
                    table.close(number);
                    model.remove(&number);
                }
                for number in &numbers {
                    prop_assert_eq!(table.get(*number).ok().map(|o| *o), model.get(number).copied());
                }
            }
        }
    }
}
