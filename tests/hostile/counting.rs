//! An allocator that counts the bytes a thread holds, and the most it ever held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MAX: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

fn count(bytes: isize) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    MAX.set(MAX.get().max(held));
}

// SAFETY: the system's allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    // Counts only the growth: if the system copies, it alone holds the bytes twice.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        count(bytes as isize - layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, bytes) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The result of a call, and the most bytes this thread held during it beyond those it held before.
pub fn most_held<R>(call: impl FnOnce() -> R) -> (R, u64) {
    let before = HELD.get();
    MAX.set(before);
    let result = call();
    (result, (MAX.get() - before).try_into().unwrap_or(0))
}

#[test]
fn what_is_held_for_a_moment_counts() {
    let (length, most) = most_held(|| vec![7_u8; 1_000_000].len());
    assert_eq!((length, most), (1_000_000, 1_000_000));
    let (_, most) = most_held(|| vec![0_u8; 5000]);
    assert_eq!(most, 5000);
}
