//! The frame of every call: checks of pointers, messages of failures, and no unwinding into C.

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use sinew_skinning::SkinningMode;

/// The result of a call. The numbers are the program's exit codes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sinew_status {
    /// Success.
    SINEW_OK = 0,
    /// A file is at fault.
    SINEW_INPUT = 1,
    /// An argument is.
    SINEW_USAGE = 2,
    /// Memory ran out.
    SINEW_MEMORY = 4,
    /// sinew failed; please report it.
    SINEW_BUG = 101,
}

/// A message, in memory of the caller. Set `size` to `sizeof(sinew_error)`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_error {
    /// The size of this struct in bytes, which later versions may enlarge.
    pub size: usize,
    /// One line in UTF-8, cut after whole characters; empty after success.
    pub message: [c_char; 512],
}

/// A failure of a call.
pub struct Failure {
    status: sinew_status,
    message: String,
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
}

/// Runs the work of a call.
///
/// # Safety
/// `error` is null or points to a `sinew_error` whose `size` is set.
pub unsafe fn call(error: *mut sinew_error, work: impl FnOnce() -> Result<(), Failure>) -> sinew_status {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(Failure { status: sinew_status::SINEW_BUG, message: "sinew failed; please report it".to_owned() })
    });
    let (status, message) = match done {
        Ok(()) => (sinew_status::SINEW_OK, String::new()),
        Err(failure) => (failure.status, failure.message),
    };
    // SAFETY: the caller promises it.
    unsafe { say(error, &message) };
    status
}

/// Writes a message.
///
/// # Safety
/// As for [`call`].
unsafe fn say(error: *mut sinew_error, message: &str) {
    if error.is_null() {
        return;
    }
    // SAFETY: it is not null.
    if unsafe { (*error).size } < size_of::<sinew_error>() {
        return;
    }
    let mut text = [0; 512];
    // The last byte stays zero.
    let mut end = message.len().min(text.len() - 1);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    for (to, from) in text.iter_mut().zip(&message.as_bytes()[..end]) {
        *to = if *from == 0 { b'?' as c_char } else { *from as c_char };
    }
    // SAFETY: it is as large as this version's struct.
    unsafe { (*error).message = text };
}

/// Borrows what a pointer of the caller points to.
///
/// # Safety
/// `pointer` is null or points to a `T` that does not change meanwhile.
pub unsafe fn borrow<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Failure> {
    // SAFETY: the caller promises it.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::usage(format!("{what} is null")))
}

/// Writes a handle to where the caller wants it.
///
/// # Safety
/// `place` is null or may be written.
pub unsafe fn hand_over<T>(place: *mut *mut T, value: T, what: &str) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::usage(format!("{what} is null")));
    }
    // SAFETY: it is not null.
    unsafe { place.write(Box::into_raw(Box::new(value))) };
    Ok(())
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
