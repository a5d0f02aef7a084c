//! What numbers are good for; `tests/handles_interleavings.rs` tries threads in every order.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    thread,
};

use proptest::prelude::*;

use crate::{error::Error, handles::Handles};

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
    let table = Handles::worn(0, "thing");
    let last = table.insert(0);
    table.close(last);
    let next = table.insert(1);
    assert!(next < last, "a place of its own, in its first generation");
    assert!(table.get(last).is_err());
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
