//! Makes chosen calls fail, to test error handling (feature `faults`): Vulkan calls, system calls for files and
//! threads, and large allocations. Each call is counted. The chosen one is skipped and returns one of its possible
//! errors.

#![allow(unsafe_code, reason = "makes system calls that have no safe wrapper")]

#[cfg(target_os = "linux")]
mod system;

use std::ffi::{CStr, c_char, c_int};
use std::fmt::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::line::Line;

unsafe extern "C" {
    fn getenv(name: *const c_char) -> *const c_char;
}

/// Kinds of counted calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Vulkan calls.
    Vulkan,
    /// File calls in the test's folder, and writes to standard output.
    File,
    /// Creation of the program's threads.
    Thread,
    /// Allocations of more than [`LARGE`].
    Memory,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Vulkan, Self::File, Self::Thread, Self::Memory];

    const fn name(self) -> &'static str {
        match self {
            Self::Vulkan => "vulkan",
            Self::File => "file",
            Self::Thread => "thread",
            Self::Memory => "memory",
        }
    }
}

/// Size up to which allocations are not counted.
const LARGE: usize = 1 << 20;

/// The fault that the environment requests.
struct Plan {
    kind: Kind,
    /// Index of the call, and index of its code.
    fault: Option<(usize, usize)>,
    /// The calls that have an index, given by name and subject; `None` for all.
    numbered: Option<&'static [u8]>,
    /// Descriptor of the trace, which gets one line per call; -1 for none.
    trace: c_int,
    /// The folder whose files count.
    folder: &'static [u8],
}

static PLAN: OnceLock<Option<Plan>> = OnceLock::new();

impl Plan {
    /// Returns true if a call has an index. The order of threads varies, but not among calls of one name for one file.
    fn numbers(&self, call: &str, about: &[u8]) -> bool {
        let Some(numbered) = self.numbered else { return true };
        let file = numbered.strip_prefix(call.as_bytes()).and_then(|rest| rest.strip_prefix(b" "));
        file.is_some_and(|file| match file.strip_suffix(b"*") {
            Some(start) => about.starts_with(start),
            None => about == file,
        })
    }
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Returns the plan. Allocations need it, too, so finding it allocates nothing in Rust.
fn plan() -> Option<&'static Plan> {
    PLAN.get_or_init(|| {
        let mut words = std::str::from_utf8(variable(c"SINEW_FAULT")?).ok()?.split(':');
        let name = words.next()?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name)?;
        let mut number = || words.next()?.parse().ok();
        let fault = number().zip(number());
        let trace = variable(c"SINEW_FAULT_TRACE").map_or(-1, open_trace);
        let numbered = variable(c"SINEW_FAULT_CALL");
        let folder = variable(c"SINEW_FAULT_FOLDER").unwrap_or_default();
        Some(Plan { kind, fault, numbered, trace, folder })
    })
    .as_ref()
}

/// Reads an environment variable.
fn variable(name: &CStr) -> Option<&'static [u8]> {
    // SAFETY: the name is a C string, and the program does not change its environment.
    let value = unsafe { getenv(name.as_ptr()) };
    // SAFETY: as above; what is not null is a C string.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }.to_bytes())
}

/// Returns simulated key presses for the window: one after every three pictures. The window closes after the last.
pub fn keys() -> Option<&'static str> {
    variable(c"SINEW_FAULT_KEYS").and_then(|keys| std::str::from_utf8(keys).ok())
}

/// Counts a call of a kind and returns the index of its code if it fails.
pub fn next(kind: Kind, call: &str, codes: usize, about: &[u8]) -> Option<usize> {
    let plan = plan().filter(|plan| plan.kind == kind)?;
    let number = plan.numbers(call, about).then(|| CALLS.fetch_add(1, Ordering::Relaxed));
    let code = plan.fault.filter(|(call, code)| number == Some(*call) && *code < codes).map(|(_, code)| code);
    if plan.trace >= 0 {
        let mut line = Line::default();
        let failed = if code.is_some() { "fails" } else { "made" };
        // A line that is too long is truncated.
        let _ = match number {
            Some(number) => write!(line, "{number}"),
            None => write!(line, "-"),
        };
        let _ = write!(line, " {call} {codes} {failed} ");
        line.add(about);
        line.add(b"\n");
        note(plan.trace, line.text());
    }
    code
}

/// Returns true if an allocation must fail.
pub(crate) fn refuses(bytes: usize) -> bool {
    bytes > LARGE && next(Kind::Memory, "allocate", 1, b"").is_some()
}

#[cfg(target_os = "linux")]
use system::{note, open_trace};

#[cfg(not(target_os = "linux"))]
fn note(_: c_int, _: &[u8]) {}

#[cfg(not(target_os = "linux"))]
fn open_trace(_: &[u8]) -> c_int {
    -1
}
