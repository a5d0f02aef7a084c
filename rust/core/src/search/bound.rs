//! What a term is worth in a block at most.
//!
//! Kept with each term of a block, for every view of it: a search passes over the tools and blocks
//! that could not come in among the best. Averages differ from view to view, so what is kept is
//! counted with typical lengths of fields, and a view knows by how much its own counts can exceed
//! that.

use super::entry::{Lengths, Occurrence};
use super::fields::{B, FIELDS};
use super::score::weighted_count;

/// Terms in each field of an ordinary tool, in the order of `Field`. Wrong ones cost time alone.
const TYPICAL_LENGTHS: [f32; FIELDS] = [4.0, 3.0, 16.0, 8.0, 40.0, 3.0, 1.5, 2.0, 2.5, 10.0, 1.5];

/// What [`super::score::Statistics`] has, for the typical lengths.
const TYPICAL_SLOPE: [f32; FIELDS] = {
    let mut slope = [0.0; FIELDS];
    let mut field = 0;
    while field < FIELDS {
        slope[field] = B / TYPICAL_LENGTHS[field];
        field += 1;
    }
    slope
};

/// The highest weighted count of a term among the tools of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Highest {
    /// The upper half of the bits of an `f32`, rounded up: it is counted with typical lengths.
    count: u16,
    /// Which fields hold the term: a bit for each.
    fields: u16,
}

const _: () = assert!(FIELDS <= 16, "every field needs a bit");

impl Highest {
    /// Whether no tool was added: then it is not known.
    pub(super) fn is_unknown(self) -> bool {
        self.fields == 0
    }

    /// Adds a tool that holds the term.
    pub(super) fn add(&mut self, occurrences: &[Occurrence], lengths: &Lengths) {
        for occurrence in occurrences {
            self.fields |= 1 << occurrence.field as u16;
        }
        let count = weighted_count(&TYPICAL_SLOPE, occurrences, lengths);
        // One more than the upper half is above the whole, whatever the lower half was, and far
        // above what rounding can make of a sum.
        let rounded_up = (count.to_bits() >> 16) as u16 + 1;
        self.count = self.count.max(rounded_up);
    }

    /// What no weighted count of the term exceeds in a view whose counts exceed the typical ones by
    /// no more than `excess`.
    pub(super) fn count(self, excess: &Excess) -> f32 {
        let mut times: f32 = 1.0;
        let mut left = self.fields;
        while left != 0 {
            times = times.max(excess.0[left.trailing_zeros() as usize % FIELDS]);
            left &= left - 1;
        }
        f32::from_bits(u32::from(self.count) << 16) * times
    }
}

/// For each field how many times what it counts with typical lengths it may count in a view.
#[derive(Debug)]
pub(super) struct Excess([f32; FIELDS]);

impl Excess {
    /// Of a view with these slopes. As `1 - B + slope * length` is at least `slope / typical slope`
    /// times what it is with the typical slope, if that is below 1, and never less otherwise.
    pub(super) fn of(slope: &[f32; FIELDS]) -> Self {
        Self(std::array::from_fn(|field| match slope[field] {
            // No tool of the view has the field.
            0.0 => 1.0,
            slope => (TYPICAL_SLOPE[field] / slope).max(1.0),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::Field;
    use super::*;

    #[test]
    fn no_count_of_any_view_exceeds_the_bound() {
        let fields = [Field::Name, Field::Description, Field::Tag];
        for length in [1, 2, 7, 40, 900] {
            for count in [1, 3] {
                let occurrences = fields.map(|field| Occurrence { field, count });
                let lengths = [length; FIELDS];
                let mut highest = Highest::default();
                highest.add(&occurrences, &lengths);
                assert!(!highest.is_unknown());
                for average in [0.5, 1.0, 3.3, 16.0, 700.0] {
                    let slope = [B / average; FIELDS];
                    let counted = weighted_count(&slope, &occurrences, &lengths);
                    assert!(highest.count(&Excess::of(&slope)) > counted);
                }
            }
        }
    }
}
