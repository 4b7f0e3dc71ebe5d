//! Structs that begin with their size, so that later versions can add members.

use crate::call::Failure;

/// A struct that begins with its size in bytes.
///
/// # Safety
/// The first member is a `usize`, there is no padding, and zero is a value of every member.
pub unsafe trait Growing: Copy {
    /// The name in C.
    const NAME: &'static str;
    /// The size in version 0.1, the smallest that a caller can have.
    const FIRST_SIZE: usize;
}

/// The size of a `usize` and of a pointer.
pub const WORD: usize = size_of::<usize>();

/// Larger sizes are no size, but memory that was never set.
const MAX_SIZE: usize = 4096;

/// Reads a struct of the caller, who may have an earlier version or a later one. Members that the caller's version lacks are
/// zero; those that this version lacks must be.
///
/// # Safety
/// `from` is null or has as many bytes as its size says.
pub unsafe fn read_sized<T: Growing>(from: *const T) -> Result<T, Failure> {
    let name = T::NAME;
    if from.is_null() {
        return Err(Failure::usage(format!("{name} is null")));
    }
    // SAFETY: it is not null, and begins with its size.
    let size = unsafe { from.cast::<usize>().read_unaligned() };
    if !(T::FIRST_SIZE..=MAX_SIZE).contains(&size) {
        return Err(Failure::usage(format!("{name}.size is {size}; set it to sizeof({name})")));
    }
    let bytes = from.cast::<u8>();
    for later in size_of::<T>()..size {
        // SAFETY: the caller promises so many bytes.
        if unsafe { bytes.add(later).read() } != 0 {
            return Err(Failure::usage(format!("{name} has a member that this version of sinew lacks")));
        }
    }
    let mut whole = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: both have so many bytes. Zeros are valid, and the members that are copied are the caller's. The first is the size.
    unsafe {
        bytes.copy_to_nonoverlapping(whole.as_mut_ptr().cast(), size.min(size_of::<T>()));
        whole.as_mut_ptr().cast::<usize>().write(size_of::<T>());
        Ok(whole.assume_init())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A struct of which `added` came later.
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Grown {
        size: usize,
        first: usize,
        added: usize,
    }

    // SAFETY: all members are numbers of one size.
    unsafe impl Growing for Grown {
        const NAME: &'static str = "grown";
        const FIRST_SIZE: usize = 2 * WORD;
    }

    #[test]
    fn earlier_and_later_callers_are_understood() {
        let read = |words: [usize; 5]| {
            // SAFETY: there are five words, and no size below says more, but one that is refused.
            let read = unsafe { read_sized(words.as_ptr().cast::<Grown>()) };
            read.map(|grown| [grown.size, grown.first, grown.added]).map_err(|failure| failure.message)
        };
        assert_eq!(read([2 * WORD, 5, 6, 7, 8]), Ok([3 * WORD, 5, 0]));
        assert_eq!(read([3 * WORD, 5, 6, 7, 8]), Ok([3 * WORD, 5, 6]));
        assert_eq!(read([5 * WORD, 5, 6, 0, 0]), Ok([3 * WORD, 5, 6]));
        let later = "grown has a member that this version of sinew lacks";
        assert_eq!(read([5 * WORD, 5, 6, 0, 8]), Err(later.to_owned()));
        for size in [0, WORD, 2 * WORD - 1, 4097, usize::MAX] {
            assert_eq!(
                read([size, 5, 6, 7, 8]),
                Err(format!("grown.size is {size}; set it to sizeof(grown)"))
            );
        }
    }
}
