//! The frame of every call: checks of pointers, messages of failures, and no unwinding into C.

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::mem::offset_of;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use sinew_skinning::SkinningMode;

/// The result of a call. The numbers are the program's exit codes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sinew_status {
    /// Success.
    SINEW_OK = 0,
    /// A file is at fault.
    SINEW_INPUT = 1,
    /// An argument is at fault.
    SINEW_USAGE = 2,
    /// Memory ran out for the arrays that you passed. Where a computation runs out of it, the process ends.
    SINEW_MEMORY = 4,
    /// A fault of sinew; please report it. The handles of the call can still be used and freed.
    SINEW_BUG = 101,
}

/// The message of a call. Set `size`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_error {
    /// `sizeof(sinew_error)`.
    pub size: usize,
    /// One line in UTF-8, cut after whole characters; empty after success.
    pub message: [c_char; 512],
}

/// A failure of a call.
#[derive(Debug)]
pub struct Failure {
    status: sinew_status,
    /// The message.
    pub message: String,
}

impl Failure {
    /// An argument that cannot be used.
    pub fn usage(message: impl ToString) -> Self {
        Self { status: sinew_status::SINEW_USAGE, message: message.to_string() }
    }

    /// A file that cannot be used.
    pub fn input(message: impl ToString) -> Self {
        Self { status: sinew_status::SINEW_INPUT, message: message.to_string() }
    }

    /// Memory that could not be had.
    pub fn memory() -> Self {
        Self { status: sinew_status::SINEW_MEMORY, message: "out of memory".to_owned() }
    }

    /// A panic.
    fn bug(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        Self { status: sinew_status::SINEW_BUG, message: format!("sinew failed; please report it: {text}") }
    }
}

/// Runs the work of a call.
///
/// # Safety
/// `error` is null or points to a `sinew_error` whose `size` is set.
pub unsafe fn call(error: *mut sinew_error, work: impl FnOnce() -> Result<(), Failure>) -> sinew_status {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Failure::bug(&*panic)));
    let (status, message) = match done {
        Ok(()) => (sinew_status::SINEW_OK, String::new()),
        Err(failure) => (failure.status, failure.message),
    };
    // SAFETY: the caller promises it.
    unsafe { say(error, &message) };
    status
}

/// Runs the work of a call that makes something. `place` is null after a failure.
///
/// # Safety
/// `place` is null or may be written; `error` is as for [`call`].
pub unsafe fn make<T>(
    place: *mut *mut T,
    what: &str,
    error: *mut sinew_error,
    work: impl FnOnce() -> Result<*mut T, Failure>,
) -> sinew_status {
    let work = || {
        if place.is_null() {
            return Err(Failure::usage(format!("{what} is null")));
        }
        // SAFETY: it is not null.
        unsafe {
            place.write(ptr::null_mut());
            place.write(work()?);
        }
        Ok(())
    };
    // SAFETY: the caller promises it.
    unsafe { call(error, work) }
}

/// Makes a handle of a value.
pub fn handle<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Runs the work of a call that returns a value. A panic gives the fallback.
pub fn value<T>(fallback: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(fallback)
}

/// Frees a handle; null is left alone.
///
/// # Safety
/// `handle` is null, or from [`handle`] and not freed.
pub unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller promises it.
        value((), || drop(unsafe { Box::from_raw(handle) }));
    }
}

/// Writes a message.
///
/// # Safety
/// As for [`call`].
unsafe fn say(error: *mut sinew_error, message: &str) {
    const LENGTH: usize = 512;
    // A caller without room for the message gets none.
    // SAFETY: if it is not null, its size is set.
    if error.is_null() || unsafe { (*error).size } < offset_of!(sinew_error, message) + LENGTH {
        return;
    }
    let mut text = [0; LENGTH];
    // The last byte stays zero.
    let mut end = message.len().min(LENGTH - 1);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    for (to, from) in text.iter_mut().zip(&message.as_bytes()[..end]) {
        *to = if *from == 0 { b'?' as c_char } else { *from as c_char };
    }
    // SAFETY: it has room.
    unsafe { (*error).message = text };
}

/// Borrows a handle.
///
/// # Safety
/// `pointer` is null or points to a `T` that does not change meanwhile.
pub unsafe fn borrow<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller promises it.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::usage(format!("{what} is null")))
}

/// Borrows a text of the caller.
///
/// # Safety
/// `pointer` is null or ends with a zero.
pub unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(Failure::usage(format!("{what} is null")));
    }
    // SAFETY: it is not null and ends with a zero.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::usage(format!("{what} is not UTF-8")))
}

/// Finds a mode by its number in `sinew_mode`.
pub fn mode(number: i32) -> Result<SkinningMode, Failure> {
    let found = usize::try_from(number).ok().and_then(|number| SkinningMode::ALL.get(number));
    found.copied().ok_or_else(|| Failure::usage(format!("{number} is no sinew_mode")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(error: &sinew_error) -> &str {
        // SAFETY: `say` ends messages with a zero.
        unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_str().unwrap()
    }

    /// The number of values dropped.
    struct Drops<'a>(&'a std::cell::Cell<u32>);

    impl Drop for Drops<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
            panic!("on purpose");
        }
    }

    #[test]
    fn a_panic_ends_at_the_call() {
        let mut error = sinew_error { size: size_of::<sinew_error>(), message: [1; 512] };
        let mut made = ptr::dangling_mut::<u8>();
        let at = std::hint::black_box(7);
        // SAFETY: the pointers are to locals.
        unsafe {
            assert_eq!(call(&mut error, || panic!("on purpose")), sinew_status::SINEW_BUG);
            assert_eq!(said(&error), "sinew failed; please report it: on purpose");
            let status = make(&mut made, "made", &mut error, || Ok(handle([1_u8, 2][at])));
            assert_eq!(status, sinew_status::SINEW_BUG);
            assert!(made.is_null());
            let says = "sinew failed; please report it: index out of bounds: the len is 2 but the index is 7";
            assert_eq!(said(&error), says);
            assert_eq!(call(ptr::null_mut(), || panic!("on purpose")), sinew_status::SINEW_BUG);
            let drops = std::cell::Cell::new(0);
            free(handle(Drops(&drops)));
            assert_eq!(drops.get(), 1);
        }
        assert_eq!(value(3, || panic!("on purpose")), 3);
    }

    #[test]
    fn messages_are_cut_after_whole_characters() {
        let mut error = sinew_error { size: size_of::<sinew_error>(), message: [1; 512] };
        // SAFETY: the pointers are to locals.
        let fail = |error, message: String| unsafe { call(error, || Err(Failure::usage(message))) };
        fail(&mut error, "é".repeat(400));
        assert_eq!(said(&error), "é".repeat(255));
        fail(&mut error, "a\0b".to_owned());
        assert_eq!(said(&error), "a?b");
        for size in [0, 8, 511, size_of::<sinew_error>() - 1] {
            error = sinew_error { size, message: [1; 512] };
            fail(&mut error, "unheard".to_owned());
            assert_eq!(error.message, [1; 512]);
        }
    }
}
