//! Failing system calls: these functions shadow the C library's functions of the same names.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fmt::Write;
use std::mem::transmute;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::{Kind, next, plan};
use crate::line::Line;

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dladdr(address: *const c_void, found: *mut Found) -> c_int;
    fn __errno_location() -> *mut c_int;
}

/// Result of `dladdr` for an address.
#[repr(C)]
struct Found {
    file: *const c_char,
    base: *const c_void,
    name: *const c_char,
    symbol: *const c_void,
}

/// The handle for "the library after the caller's".
const NEXT: *mut c_void = usize::MAX as *mut c_void;

const EPERM: c_int = 1;
const EIO: c_int = 5;
const EINTR: c_int = 4;
const EAGAIN: c_int = 11;
const EACCES: c_int = 13;
const EEXIST: c_int = 17;
const EMFILE: c_int = 24;
const ENOSPC: c_int = 28;
const ENOLCK: c_int = 37;

/// A short transfer: the call reads or writes a single byte and succeeds.
const SHORT: c_int = -1;

fn set_errno(code: c_int) {
    // SAFETY: the C library's own variable of this thread.
    unsafe { *__errno_location() = code };
}

/// Looks up the C library's function.
fn real(place: &AtomicPtr<c_void>, name: &CStr) -> *mut c_void {
    let known = place.load(Ordering::Relaxed);
    if !known.is_null() {
        return known;
    }
    // SAFETY: the name is a C string.
    let found = unsafe { dlsym(NEXT, name.as_ptr()) };
    place.store(found, Ordering::Relaxed);
    found
}

macro_rules! real {
    ($name:ident($($type:ty),*) -> $result:ty) => {{
        static REAL: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
        const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => c"",
        };
        type Real = unsafe extern "C" fn($($type),*) -> $result;
        // SAFETY: this is the function's type in the C library, which has it.
        unsafe { transmute::<*mut c_void, Real>(real(&REAL, NAME)) }
    }};
}

/// Returns the next code for a call on a path in the test's folder.
fn of_path(call: &str, path: *const c_char, codes: &[c_int]) -> Option<c_int> {
    let plan = plan().filter(|plan| plan.kind == Kind::File && !path.is_null())?;
    // SAFETY: the caller has handed a C string to the system.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    let is_meant = !plan.folder.is_empty() && path.starts_with(plan.folder);
    is_meant.then(|| next(Kind::File, call, codes.len(), path).and_then(|code| codes.get(code).copied()))?
}

/// Returns the next code for a call on an open file of the test's folder, or on standard output.
fn of_file(call: &str, file: c_int, codes: &[c_int]) -> Option<c_int> {
    let plan = plan().filter(|plan| plan.kind == Kind::File)?;
    let mut path = [0; 512];
    let path = path_of(file, &mut path);
    let is_meant = file == 1 || (!plan.folder.is_empty() && path.starts_with(plan.folder));
    is_meant.then(|| next(Kind::File, call, codes.len(), path).and_then(|code| codes.get(code).copied()))?
}

/// Returns the path of an open file.
fn path_of(file: c_int, path: &mut [u8; 512]) -> &[u8] {
    let mut link = Line::default();
    let _ = write!(link, "/proc/self/fd/{file}\0");
    let readlink = real!(readlink(*const c_char, *mut c_char, usize) -> isize);
    // SAFETY: a C string, and as much room as said.
    let count = unsafe { readlink(link.text().as_ptr().cast(), path.as_mut_ptr().cast(), path.len()) };
    path.get(..usize::try_from(count).unwrap_or(0)).unwrap_or_default()
}

macro_rules! calls {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty, $failed:expr, $of:ident($about:expr), $codes:expr;)*) => {
        $(
            #[allow(clippy::missing_safety_doc, reason = "as the C library's")]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $type),*) -> $result {
                match $of(stringify!($name), $about, &$codes) {
                    Some(code) => {
                        set_errno(code);
                        $failed
                    }
                    None => {
                        let real = real!($name($($type),*) -> $result);
                        // SAFETY: the caller's promises are the same.
                        unsafe { real($($argument),*) }
                    }
                }
            }
        )*
    };
}

/// Calls that transfer bytes, which may also transfer only a part.
macro_rules! transfers {
    ($($name:ident($file:ident, $data:ident: $data_type:ty, $count:ident $(, $rest:ident: $rest_type:ty)*), $codes:expr;)*) => {
        $(
            #[allow(clippy::missing_safety_doc, reason = "as the C library's")]
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($file: c_int, $data: $data_type, $count: usize $(, $rest: $rest_type)*) -> isize {
                let real = real!($name(c_int, $data_type, usize $(, $rest_type)*) -> isize);
                let kept = errno();
                let count = match of_file(stringify!($name), $file, &$codes) {
                    Some(SHORT) => $count.min(1),
                    Some(code) => {
                        set_errno(code);
                        return -1;
                    }
                    None => $count,
                };
                set_errno(kept);
                // SAFETY: the caller's promises are the same; less is asked for, if anything.
                unsafe { real($file, $data, count $(, $rest)*) }
            }
        )*
    };
}

fn errno() -> c_int {
    // SAFETY: the C library's own variable of this thread.
    unsafe { *__errno_location() }
}

transfers! {
    read(file, data: *mut c_void, count), [EIO, EINTR, SHORT];
    pread64(file, data: *mut c_void, count, at: i64), [EIO, EINTR, SHORT];
    write(file, data: *const c_void, count), [EIO, ENOSPC, EINTR, SHORT];
    writev(file, data: *const c_void, count), [EIO, ENOSPC, EINTR, SHORT];
}

calls! {
    open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int, -1, of_path(path),
        [EIO, EMFILE, EACCES, EINTR, ENOSPC];
    rename(from: *const c_char, to: *const c_char) -> c_int, -1, of_path(to), [EIO, ENOSPC, EACCES];
    linkat(
        from_at: c_int, from: *const c_char, to_at: c_int, to: *const c_char, flags: c_int
    ) -> c_int, -1, of_path(to), [EIO, EPERM, EEXIST];
    fsync(file: c_int) -> c_int, -1, of_file(file), [EIO, ENOSPC, EINTR];
    unlink(path: *const c_char) -> c_int, -1, of_path(path), [EIO, EACCES];
    mkdir(path: *const c_char, mode: c_uint) -> c_int, -1, of_path(path), [EIO, ENOSPC, EACCES];
    ftruncate64(file: c_int, size: i64) -> c_int, -1, of_file(file), [EIO, EINTR];
    lseek64(file: c_int, by: i64, from: c_int) -> i64, -1, of_file(file), [EIO];
    flock(file: c_int, how: c_int) -> c_int, -1, of_file(file), [EINTR, ENOLCK];
    fchmod(file: c_int, mode: c_uint) -> c_int, -1, of_file(file), [EIO, EACCES];
    statx(at: c_int, path: *const c_char, flags: c_int, mask: c_uint, out: *mut c_void) -> c_int, -1, of_path(path),
        [EIO, EACCES];
    realpath(path: *const c_char, out: *mut c_char) -> *mut c_char, std::ptr::null_mut(), of_path(path), [EIO, EACCES];
    readlink(path: *const c_char, out: *mut c_char, count: usize) -> isize, -1, of_path(path), [EIO, EACCES];
    opendir(path: *const c_char) -> *mut c_void, std::ptr::null_mut(), of_path(path), [EIO, EMFILE, EACCES];
}

/// Creates a thread. It returns the error code directly, not in `errno`.
#[allow(clippy::missing_safety_doc, reason = "as the C library's")]
#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_create(
    thread: *mut c_void,
    attributes: *const c_void,
    start: *const c_void,
    argument: *mut c_void,
) -> c_int {
    if is_ours(start) && next(Kind::Thread, "pthread_create", 1, b"").is_some() {
        return EAGAIN;
    }
    let real = real!(pthread_create(*mut c_void, *const c_void, *const c_void, *mut c_void) -> c_int);
    // SAFETY: the caller's promises are the same.
    unsafe { real(thread, attributes, start, argument) }
}

/// Returns true if a function belongs to the program, not to a driver.
fn is_ours(function: *const c_void) -> bool {
    let base = |address: *const c_void| {
        let none = std::ptr::null();
        let mut found = Found { file: std::ptr::null(), base: none, name: std::ptr::null(), symbol: none };
        // SAFETY: any address will do.
        (unsafe { dladdr(address, &mut found) } != 0).then_some(found.base)
    };
    base(function).is_some_and(|there| base(is_ours as *const c_void) == Some(there))
}

/// Opens the trace file; -1 if that fails.
pub(super) fn open_trace(path: &'static [u8]) -> c_int {
    const APPEND_TO_NEW: c_int = 0o1 | 0o100 | 0o2000 | 0o2_000_000;
    let open = real!(open64(*const c_char, c_int, c_uint) -> c_int);
    // SAFETY: the environment's values are C strings.
    unsafe { open(path.as_ptr().cast(), APPEND_TO_NEW, 0o600) }
}

/// Writes a line of the trace.
pub(super) fn note(trace: c_int, line: &[u8]) {
    let kept = errno();
    let write = real!(write(c_int, *const c_void, usize) -> isize);
    // SAFETY: as many bytes are there.
    unsafe { write(trace, line.as_ptr().cast(), line.len()) };
    set_errno(kept);
}
