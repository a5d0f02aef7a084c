//! A set of slots of one block.

use roaring::RoaringBitmap;

/// Slots in one block. Large enough that a query visits few blocks, small enough that rewriting
/// one after a change is quick and its scores fit the first-level cache.
pub(super) const BLOCK_SLOTS: usize = 4_096;

/// Which slots of a block: one bit each, by position in the block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SlotSet([u64; BLOCK_SLOTS / 64]);

impl SlotSet {
    pub(super) const fn empty() -> Self {
        Self([0; BLOCK_SLOTS / 64])
    }

    /// The slots of `bitmap` that fall in the block that starts at slot `first`.
    pub(super) fn of_bitmap(bitmap: &RoaringBitmap, first: u32) -> Self {
        let last = first + (BLOCK_SLOTS as u32 - 1);
        if bitmap.contains_range(first..=last) {
            return Self([u64::MAX; BLOCK_SLOTS / 64]);
        }
        let mut set = Self::empty();
        for slot in bitmap.range(first..=last) {
            set.insert((slot - first) as u16);
        }
        set
    }

    pub(super) fn insert(&mut self, slot: u16) {
        self.0[usize::from(slot) / 64] |= 1 << (slot % 64);
    }

    #[inline]
    pub(super) fn contains(&self, slot: u16) -> bool {
        // The mask keeps the position inside the array, so no bounds check is left.
        let word = self.0[usize::from(slot) / 64 % (BLOCK_SLOTS / 64)];
        word >> (slot % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(super) fn intersection(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let next = move |left: &u64| Some(left & (left - 1)).filter(|&left| left != 0);
            std::iter::successors(Some(word).filter(|&word| word != 0), next)
                .map(move |left| (i * 64) as u16 + left.trailing_zeros() as u16)
        })
    }
}
