//! Unsafe process-level code: memory, exit, standard output.

#![allow(unsafe_code, reason = "makes system calls that have no safe wrapper")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fmt::Write;
#[cfg(target_os = "linux")]
use std::io;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::line::Line;

#[cfg(unix)]
unsafe extern "C" {
    fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    fn write(descriptor: c_int, bytes: *const c_void, count: usize) -> isize;
    fn _exit(code: c_int) -> !;
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe extern "C" {
    fn malloc_trim(kept: usize) -> c_int;
    fn mallopt(what: c_int, value: c_int) -> c_int;
}

static HAD_NO_OUTPUT: AtomicBool = AtomicBool::new(false);

/// Returns true if the program was started with standard output closed. Rust's runtime opens /dev/null in its place
/// before `main`, so writing there reports no error.
pub fn was_started_without_output() -> bool {
    HAD_NO_OUTPUT.load(Ordering::Relaxed)
}

/// A pointer to a function that the system calls before Rust's runtime starts.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
#[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
static LOOK: extern "C" fn() = look;

#[cfg(any(target_os = "linux", target_os = "macos"))]
extern "C" fn look() {
    const GET_FLAGS: c_int = 1;
    // SAFETY: it only asks for the flags of a descriptor, be it open or not.
    let is_open = unsafe { fcntl(1, GET_FLAGS) } != -1;
    HAD_NO_OUTPUT.store(!is_open, Ordering::Relaxed);
}

/// Makes a process end with the thread that starts it, even if a signal kills this process. It works on Linux, and does nothing
/// elsewhere.
pub fn end_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        let parent = std::process::id();
        let ask = move || {
            // SAFETY: it sets a number of the new process.
            let is_set = unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } == 0;
            // SAFETY: it reads a number of the new process. The parent may have ended before the call above.
            let is_child = u32::try_from(unsafe { libc::getppid() }) == Ok(parent);
            match is_set && is_child {
                true => Ok(()),
                false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
            }
        };
        // SAFETY: between fork and exec, the function only makes two system calls; it takes no lock and no memory.
        unsafe {
            command.pre_exec(ask);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Returns freed memory to the system. The C library keeps free memory between used pieces, and drivers that draw on
/// the CPU allocate and free much on their threads.
pub fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it changes nothing that is in use, and takes the allocator's own locks.
    unsafe {
        malloc_trim(0);
    }
}

/// Limits the free memory that the C library keeps, for a long-lived process. Large allocations come from the system
/// and return to it at once; all others share one heap. By default, the library soon takes pieces of up to 32 MiB from
/// its heaps, where small ones end up between them. It also gives each driver thread a separate heap, whose free memory
/// no other thread can use. Call it before such threads exist.
pub fn keep_little_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        const MIB: c_int = 1 << 20;
        const TRIM_THRESHOLD: c_int = -1;
        const MMAP_THRESHOLD: c_int = -3;
        const MAX_HEAPS: c_int = -8;
        // The heap's end may keep the same amount free, because each frame takes it again.
        for (what, number) in [(MMAP_THRESHOLD, 4 * MIB), (TRIM_THRESHOLD, 4 * MIB), (MAX_HEAPS, 1)] {
            // SAFETY: it sets a number of the allocator, under the allocator's own lock.
            unsafe {
                mallopt(what, number);
            }
        }
    }
}

static BEFORE_END: OnceLock<fn()> = OnceLock::new();

/// Runs the program's cleanup before an early end.
pub(super) fn work_before_end() {
    if let Some(work) = BEFORE_END.get() {
        work();
    }
}

/// The system's allocator for a program that ends with one line and an exit code, instead of a crash, if memory is
/// refused.
pub struct EndWhereRefused {
    /// The exit code.
    pub code: u8,
}

impl EndWhereRefused {
    /// Sets the cleanup to run before the end. It must not wait for other threads. If an allocation in it fails, the
    /// program ends at once.
    pub fn before_end(work: fn()) {
        // The first one set stays.
        let _ = BEFORE_END.set(work);
    }

    fn checked(&self, memory: *mut u8, bytes: usize) -> *mut u8 {
        if memory.is_null() && bytes > 0 {
            self.end(bytes);
        }
        memory
    }

    /// Ends the program as if the system had refused memory, if a test requests it.
    #[cfg(feature = "faults")]
    fn refuse(&self, bytes: usize) {
        if super::faults::refuses(bytes) {
            self.end(bytes);
        }
    }

    #[cold]
    fn end(&self, bytes: usize) {
        static ENDS: AtomicBool = AtomicBool::new(false);
        thread_local! {
            /// Size that this thread was refused when it began to end the program; 0 before. It needs no allocation.
            static REFUSED: Cell<usize> = const { Cell::new(0) };
        }
        let bytes = match REFUSED.get() {
            0 => {
                REFUSED.set(bytes);
                while ENDS.swap(true, Ordering::Relaxed) {
                    // Another thread is ending the program.
                    std::thread::sleep(Duration::from_secs(1));
                }
                work_before_end();
                bytes
            }
            // The cleanup allocated nevertheless; the rest of it is skipped.
            first => first,
        };
        let mut line = Line::default();
        let _ = writeln!(line, "error: out of memory: the system refused {bytes} bytes");
        #[cfg(unix)]
        // SAFETY: the bytes are there for as long as it takes. `_exit` runs nothing more of the program, which could need
        // memory.
        unsafe {
            write(2, line.text().as_ptr().cast(), line.text().len());
            _exit(self.code.into())
        }
    }
}

// SAFETY: the system's allocator does all the work; what it returns is handed on as it is.
unsafe impl GlobalAlloc for EndWhereRefused {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        #[cfg(feature = "faults")]
        self.refuse(layout.size());
        // SAFETY: the caller's promises are the same.
        self.checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        #[cfg(feature = "faults")]
        self.refuse(layout.size());
        // SAFETY: the caller's promises are the same.
        self.checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        #[cfg(feature = "faults")]
        self.refuse(size);
        // SAFETY: the caller's promises are the same.
        self.checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Stdio;
    use std::time::Instant;

    /// Environment variable that makes the test the program that ends.
    const ENDS: &str = "SINEW_TEST_ENDS";

    #[test]
    fn work_that_is_refused_memory_does_not_stop_the_end() {
        const END: EndWhereRefused = EndWhereRefused { code: 4 };
        if std::env::var_os(ENDS).is_some() {
            EndWhereRefused::before_end(|| END.end(7));
            END.end(1 << 30);
        }
        let mut program = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "process::tests::work_that_is_refused_memory_does_not_stop_the_end",
                "--nocapture",
            ])
            .env(ENDS, "yes")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while program.try_wait().unwrap().is_none() {
            if start.elapsed() > Duration::from_secs(20) {
                program.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let ended = program.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        let line = "error: out of memory: the system refused 1073741824 bytes\n";
        assert_eq!((ended.status.code(), said.as_str()), (Some(4), line));
    }
}
