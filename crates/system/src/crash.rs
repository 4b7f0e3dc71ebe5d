//! Replaces a crash of the driver with one line and an exit code, if the system refuses it memory or disk space.
//!
//! Drivers that draw on the CPU do not check their allocations, and they write to mapped files.

#![allow(unsafe_code, reason = "makes system calls that have no safe wrapper")]

use std::fmt::Write;
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};

use libc::{
    RLIM_INFINITY, RLIMIT_AS, SA_ONSTACK, SA_SIGINFO, SIGABRT, SIGALRM, SIGBUS, SIGSEGV, c_int, c_void,
    siginfo_t,
};

use crate::line::Line;
use crate::process;

/// The exit code.
static CODE: AtomicI32 = AtomicI32::new(1);

/// Limit on the address space in KiB, the unit of `ulimit -v`.
static LIMIT_KIB: AtomicU64 = AtomicU64::new(0);

/// Id of the thread that ends the program.
static ENDS: AtomicUsize = AtomicUsize::new(0);

/// Timeout for removing unfinished files: the crash may have left the allocator locked.
const LAST_WORK_SECS: u32 = 2;

/// Installs handlers that end the program with one line and this exit code if a driver crashes: at a mapped file on a
/// full disk, or, under a `ulimit -v`, at memory that it did not get. Other crashes are unchanged.
pub fn end_at_crashes(code: u8) {
    CODE.store(code.into(), Ordering::Relaxed);
    on(SIGBUS);
    if let Some(kib) = limit_kib() {
        LIMIT_KIB.store(kib, Ordering::Relaxed);
        // Thread heaps would reserve 64 MiB each, and the driver waits for ever for a thread that gets no memory.
        process::keep_little_memory();
        on(SIGSEGV);
        on(SIGABRT);
    }
}

/// Returns the limit on the address space, if there is one.
fn limit_kib() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: RLIM_INFINITY, rlim_max: RLIM_INFINITY };
    // SAFETY: it writes to a structure that lives as long as the call.
    let is_known = unsafe { libc::getrlimit(RLIMIT_AS, &mut limit) } == 0;
    (is_known && limit.rlim_cur != RLIM_INFINITY).then_some(limit.rlim_cur >> 10)
}

fn on(signal: c_int) {
    let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = crashed;
    // SAFETY: all zeros are a valid value of this structure: no flags, and an empty set of signals.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler as usize;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    // SAFETY: the handler lives as long as the program, and does what a handler may do, or ends the program soon.
    unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) };
}

extern "C" fn crashed(signal: c_int, _: *mut siginfo_t, _: *mut c_void) {
    // SAFETY: it only returns a number, which is not 0.
    let this = unsafe { libc::pthread_self() } as usize;
    match ENDS.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {}
        // The cleanup crashed, too.
        Err(first) if first == this => exit(),
        Err(_) => loop {
            // SAFETY: it waits for signals; another thread ends the program.
            unsafe { libc::pause() };
        },
    }
    if signal == SIGABRT && std::thread::panicking() {
        // A fault of ours, which has said so.
        // SAFETY: it sets the system's own handler, under which the signal that is sent again ends the program.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
    say(signal);
    // SAFETY: both are allowed in a handler, and `alarmed` is one that lives as long as the program.
    unsafe {
        libc::signal(SIGALRM, alarmed as extern "C" fn(c_int) as usize);
        libc::alarm(LAST_WORK_SECS);
    }
    process::work_before_end();
    exit()
}

fn say(signal: c_int) {
    let mut line = Line::default();
    let _ = match signal {
        SIGBUS => writeln!(
            line,
            "error: the Vulkan driver crashed (SIGBUS): the disk with its cache may be full; make room, or set \
             MESA_SHADER_CACHE_DISABLE=true"
        ),
        _ => writeln!(
            line,
            "error: out of memory: the Vulkan driver crashed ({}); raise the limit ('ulimit -v {}')",
            if signal == SIGSEGV { "SIGSEGV" } else { "SIGABRT" },
            LIMIT_KIB.load(Ordering::Relaxed)
        ),
    };
    // SAFETY: the bytes live as long as the call.
    unsafe { libc::write(2, line.text().as_ptr().cast(), line.text().len()) };
}

extern "C" fn alarmed(_: c_int) {
    exit()
}

fn exit() -> ! {
    // SAFETY: it runs nothing more of the program.
    unsafe { libc::_exit(CODE.load(Ordering::Relaxed)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// Environment variable that selects the crash of the test's child process.
    const CRASH: &str = "SINEW_TEST_CRASH";

    /// Returns exit code and standard error of a process that crashes this way.
    fn crash(how: &str, limit: &str) -> (Option<i32>, String) {
        let ended = Command::new("sh")
            .args([
                "-c",
                &format!(
                    "ulimit -c 0; {limit} exec \"$0\" --exact crash::tests::crashes_are_one_line --nocapture"
                ),
            ])
            .arg(std::env::current_exe().unwrap())
            .env(CRASH, how)
            .stdout(Stdio::null())
            .output()
            .unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    }

    #[test]
    fn crashes_are_one_line() {
        if let Ok(how) = std::env::var(CRASH) {
            end_at_crashes(4);
            match how.as_str() {
                "panic" => panic!("ours"),
                how => {
                    // SAFETY: it sends this process the signal of a crash.
                    unsafe { libc::raise(how.parse().unwrap()) };
                }
            }
            return;
        }
        let limit = "ulimit -v 4194304;";
        for (signal, limit, line) in [
            (SIGBUS, "", "error: the Vulkan driver crashed (SIGBUS): the disk"),
            (
                SIGSEGV,
                limit,
                "error: out of memory: the Vulkan driver crashed (SIGSEGV); raise the limit ('ulimit -v 4194304')",
            ),
            (
                SIGABRT,
                limit,
                "error: out of memory: the Vulkan driver crashed (SIGABRT); raise the limit ('ulimit -v 4194304')",
            ),
        ] {
            let (code, said) = crash(&signal.to_string(), limit);
            assert_eq!((code, said.lines().count()), (Some(4), 1), "{signal}: {said}");
            assert!(said.starts_with(line), "{said}");
        }
        // Without a limit, a crash is unchanged.
        let (code, said) = crash(&SIGABRT.to_string(), "");
        assert_eq!((code, said.as_str()), (None, ""));
    }
}
