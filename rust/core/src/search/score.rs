//! The numbers of the ranking function: counts and averages, and what an occurrence is worth.

use super::bound::Excess;
use super::entry::{Lengths, Occurrence};
use super::fields::{B, FIELDS, K1};

/// Sums over tools, from which averages are taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Totals {
    pub(super) tools: u64,
    /// Tools that have the field.
    pub(super) with_field: [u64; FIELDS],
    /// Terms in the field, over all tools.
    pub(super) length: [u64; FIELDS],
}

impl Totals {
    pub(super) fn add_tool(&mut self, lengths: &Lengths) {
        self.tools += 1;
        for (field, &length) in lengths.iter().enumerate() {
            self.with_field[field] += u64::from(length > 0);
            self.length[field] += u64::from(length);
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.tools += other.tools;
        for field in 0..FIELDS {
            self.with_field[field] += other.with_field[field];
            self.length[field] += other.length[field];
        }
    }
}

/// Counts and averages over the tools of a view.
#[derive(Debug)]
pub(super) struct Statistics {
    pub(super) tools: u64,
    /// `B` by the average length of each field, among the tools that have the field.
    slope: [f32; FIELDS],
    /// By how much counts may exceed those with typical lengths.
    pub(super) excess: Excess,
}

impl Statistics {
    pub(super) fn new(totals: &Totals) -> Self {
        let slope = std::array::from_fn(|field| match totals.length[field] {
            0 => 0.0,
            length => (f64::from(B) * totals.with_field[field] as f64 / length as f64) as f32,
        });
        Self {
            tools: totals.tools,
            excess: Excess::of(&slope),
            slope,
        }
    }

    /// How much a term that `frequency` tools hold says about a tool.
    pub(super) fn inverse_frequency(&self, frequency: u32) -> f32 {
        let (tools, frequency) = (self.tools as f64, f64::from(frequency));
        // libm's logarithm has the same bits on every platform; the system's has not.
        libm::log(1.0 + (tools - frequency + 0.5) / (frequency + 0.5)) as f32
    }

    /// What a tool holds of a term, over its fields; see [`weighted_count`].
    #[inline]
    pub(super) fn weighted_count(&self, occurrences: &[Occurrence], lengths: &Lengths) -> f32 {
        weighted_count(&self.slope, occurrences, lengths)
    }

    /// The same, [saturated](saturate).
    #[inline]
    pub(super) fn saturated_count(&self, occurrences: &[Occurrence], lengths: &Lengths) -> f32 {
        if let &[Occurrence { field, count }] = occurrences {
            // Most are of this kind, and a division less is a third of the time.
            let weighted = f32::from(count) * field.weight();
            let length = f32::from(lengths[field as usize]);
            let norm = 1.0 - B + self.slope[field as usize] * length;
            return weighted * MAX_SATURATION / (weighted + K1 * norm);
        }
        saturate(self.weighted_count(occurrences, lengths))
    }
}

/// Weighted occurrences of a term in a tool, over its fields. `slope` is `B` by the average length
/// of each field.
#[inline]
pub(super) fn weighted_count(
    slope: &[f32; FIELDS],
    occurrences: &[Occurrence],
    lengths: &Lengths,
) -> f32 {
    let mut sum = 0.0;
    for &Occurrence { field, count } in occurrences {
        let length = f32::from(lengths[field as usize]);
        sum += f32::from(count) * field.weight() / (1.0 - B + slope[field as usize] * length);
    }
    sum
}

/// Repetition saturates: from 0 for no occurrence towards [`MAX_SATURATION`].
#[inline]
pub(super) fn saturate(weighted_count: f32) -> f32 {
    weighted_count * MAX_SATURATION / (weighted_count + K1)
}

/// No weighted count gives more than this.
pub(super) const MAX_SATURATION: f32 = K1 + 1.0;
