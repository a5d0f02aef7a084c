//! The memory of one engine.
//!
//! The engine gets its memory here rather than from the system, so that the limit counts what is
//! really taken, and so that all of it comes back when the engine is gone: one that ran out of memory
//! in a bad place may have forgotten some of what it had.

use std::{
    alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc},
    ptr,
    rc::Rc,
};

use rquickjs::allocator::Allocator;

use crate::sandbox::Bound;

/// What stands before every block; the blocks of an engine are a ring of such.
#[derive(Debug)]
#[repr(C, align(16))]
struct Header {
    next: *mut Header,
    previous: *mut Header,
    /// Bytes behind the header.
    size: usize,
}

const HEADER: usize = size_of::<Header>();

/// Hands out at most `limit` bytes, headers included, and frees on drop what was not given back.
#[derive(Debug)]
pub(crate) struct Memory {
    /// A block of no bytes, so that the ring is never empty.
    ring: Box<Header>,
    used: usize,
    limit: usize,
    bound: Rc<Bound>,
}

impl Memory {
    /// Notes in `bound` when something was asked for that is over the limit.
    pub fn new(limit: usize, bound: Rc<Bound>) -> Self {
        let mut ring = Box::new(Header {
            next: ptr::null_mut(),
            previous: ptr::null_mut(),
            size: 0,
        });
        let first: *mut Header = &mut *ring;
        (ring.next, ring.previous) = (first, first);
        Self {
            ring,
            used: 0,
            limit,
            bound,
        }
    }

    /// The layout of a block with room for `size` bytes, unless it is too large for the limit when
    /// `released` bytes come back.
    fn layout(&self, size: usize, released: usize) -> Option<Layout> {
        let within = || {
            let bytes = size.checked_add(HEADER)?;
            let after = (self.used - released).checked_add(bytes)?;
            let layout = Layout::from_size_align(bytes, align_of::<Header>()).ok()?;
            (after <= self.limit).then_some(layout)
        };
        let layout = within();
        if layout.is_none() {
            self.bound.ran_out.set(true);
        }
        // A script that is to stop gets nothing more. Most operations of the engine need memory, also
        // of those which do not ask whether to go on: so they fail now, and the engine asks soon.
        layout.filter(|_| size <= released || !self.bound.is_over())
    }

    /// What is given where there is no memory.
    fn refuse(&self) -> *mut u8 {
        self.bound.collections.put_off();
        ptr::null_mut()
    }

    fn allocate(&mut self, size: usize, allocate: unsafe fn(Layout) -> *mut u8) -> *mut u8 {
        let Some(layout) = self.layout(size, 0) else {
            return self.refuse();
        };
        // SAFETY: a layout with a header is not of size zero.
        let block = unsafe { allocate(layout) }.cast::<Header>();
        if block.is_null() {
            return self.refuse();
        }
        let ring: *mut Header = &mut *self.ring;
        self.used += layout.size();
        // SAFETY: the block was allocated with room for a header and its alignment; the ring holds
        // live blocks only, for whatever is freed leaves it first.
        unsafe {
            let next = (*ring).next;
            block.write(Header {
                next,
                previous: ring,
                size,
            });
            (*next).previous = block;
            (*ring).next = block;
            block.add(1).cast()
        }
    }
}

/// The header of what was handed out.
///
/// # Safety
///
/// `pointer` was handed out by a [`Memory`] and not given back.
unsafe fn header(pointer: *mut u8) -> *mut Header {
    // SAFETY: every pointer that is handed out has a header right before it.
    unsafe { pointer.cast::<Header>().sub(1) }
}

/// The layout that a block was allocated with.
///
/// # Safety
///
/// `block` is live.
unsafe fn layout_of(block: *mut Header) -> Layout {
    // SAFETY: the block is live; its size gave a valid layout when it was allocated.
    unsafe { Layout::from_size_align_unchecked((*block).size + HEADER, align_of::<Header>()) }
}

// SAFETY: blocks are aligned to 16 and have at least the size asked for, which `usable_size` tells
// exactly; null is given where there is none.
unsafe impl Allocator for Memory {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        self.allocate(size, alloc)
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        // Too much to be counted is too much.
        self.allocate(count.saturating_mul(size), alloc_zeroed)
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        // SAFETY: the caller says that the pointer came from here, so its block is live and in the
        // ring, as are its neighbours; it leaves the ring before it is freed as it was allocated.
        unsafe {
            let block = header(pointer);
            (*(*block).previous).next = (*block).next;
            (*(*block).next).previous = (*block).previous;
            let layout = layout_of(block);
            self.used -= layout.size();
            dealloc(block.cast(), layout);
        }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, size: usize) -> *mut u8 {
        if pointer.is_null() {
            return self.alloc(size);
        }
        // SAFETY: the caller says that the pointer came from here, so its block is live and in the
        // ring. Where it moves, its neighbours are told; where it cannot grow, it stays as it is.
        unsafe {
            let block = header(pointer);
            let before = layout_of(block);
            let Some(layout) = self.layout(size, before.size()) else {
                return self.refuse();
            };
            let moved = realloc(block.cast(), before, layout.size()).cast::<Header>();
            if moved.is_null() {
                return self.refuse();
            }
            self.used = self.used - before.size() + layout.size();
            (*moved).size = size;
            (*(*moved).previous).next = moved;
            (*(*moved).next).previous = moved;
            moved.add(1).cast()
        }
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller says that the pointer came from here.
        unsafe { (*header(pointer)).size }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let ring: *mut Header = &mut *self.ring;
        let mut block = self.ring.next;
        while block != ring {
            // SAFETY: the ring holds live blocks only, each once; the engine that had them is gone.
            unsafe {
                let next = (*block).next;
                dealloc(block.cast(), layout_of(block));
                block = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn memory_is_counted_kept_apart_and_freed(steps in prop::collection::vec((0usize..4, 0usize..8, 0usize..2_000), 0..100)) {
            let mut memory = Memory::new(20_000, Rc::default());
            let mut live: Vec<(*mut u8, usize, u8)> = Vec::new();
            for (number, (step, which, size)) in steps.into_iter().enumerate() {
                let mark = number as u8;
                let made = match step {
                    0 => memory.alloc(size),
                    1 => memory.calloc(1, size),
                    _ if live.is_empty() => continue,
                    2 => {
                        let (pointer, ..) = live.swap_remove(which % live.len());
                        // SAFETY: it is live.
                        unsafe { memory.dealloc(pointer) };
                        continue;
                    }
                    _ => {
                        let at = which % live.len();
                        // SAFETY: it is live.
                        let moved = unsafe { memory.realloc(live[at].0, size) };
                        if moved.is_null() {
                            continue;
                        }
                        live.swap_remove(at);
                        moved
                    }
                };
                if !made.is_null() {
                    // SAFETY: it has this many bytes.
                    unsafe { made.write_bytes(mark, size) };
                    live.push((made, size, mark));
                }
                let used: usize = live.iter().map(|(_, size, _)| size + HEADER).sum();
                prop_assert_eq!(memory.used, used);
                prop_assert!(used <= 20_000);
            }
            for (pointer, size, mark) in live {
                // SAFETY: it is live and was written to.
                let bytes = unsafe { std::slice::from_raw_parts(pointer, size) };
                prop_assert!(bytes.iter().all(|byte| *byte == mark));
                // SAFETY: it is live.
                prop_assert_eq!(unsafe { Memory::usable_size(pointer) }, size);
            }
        }
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let mut memory = Memory::new(usize::MAX, Rc::default());
        assert!(memory.alloc(usize::MAX).is_null());
        assert!(memory.alloc(isize::MAX as usize).is_null());
        assert!(memory.calloc(usize::MAX, 2).is_null());
    }
}
