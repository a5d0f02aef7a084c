//! Numbers that stand for native objects in Java.
//!
//! A number is never a pointer: it names a place in a table and the generation of what is there, so
//! that a closed, stale, foreign or invented number is found out. Who uses an object holds it by
//! `Arc`, so that it may be closed meanwhile.

use jni::sys::jlong;

use crate::{
    error::{Error, Result},
    sync::{Arc, PoisonError, RwLock},
};

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

    /// A table whose first place has the last generation, to try what comes then.
    #[cfg(test)]
    pub fn worn(kind: u8, what: &'static str) -> Self {
        let table = Self::new(kind, what);
        let last = Entry {
            generation: LAST_GENERATION,
            object: None,
        };
        {
            let mut places = table.places.write().unwrap_or_else(PoisonError::into_inner);
            places.entries.push(last);
            places.free.push(0);
        }
        table
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
