//! Makes chosen calls fail, for tests of what follows (feature `faults`): calls of Vulkan, of the system for files and
//! threads, and large allocations. Each is counted; the chosen one is not made, and answers with a code that it may answer.

#![allow(unsafe_code, reason = "asks the system for what no safe call gives")]

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

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Calls of Vulkan.
    Vulkan,
    /// Calls for files of the test's folder, and writes to standard output.
    File,
    /// Threads that the program itself makes.
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

/// Allocations up to this many bytes are not counted.
const LARGE: usize = 1 << 20;

/// What the environment asks for.
struct Plan {
    kind: Kind,
    /// The number of the call, and that of its code.
    fault: Option<(usize, usize)>,
    /// The calls that have numbers: a name and what it is about, or all.
    numbered: Option<&'static [u8]>,
    /// Where each call is noted as one line; -1 for nowhere.
    trace: c_int,
    /// The folder whose files are meant.
    folder: &'static [u8],
}

static PLAN: OnceLock<Option<Plan>> = OnceLock::new();

impl Plan {
    /// Whether a call has a number. Threads run in any order; among calls of one name for one file that does not matter.
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

/// The plan. Allocations ask for it, too, so finding it takes no memory of Rust's.
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

/// A variable of the environment.
fn variable(name: &CStr) -> Option<&'static [u8]> {
    // SAFETY: the name is a C string, and the program does not change its environment.
    let value = unsafe { getenv(name.as_ptr()) };
    // SAFETY: as above; what is not null is a C string.
    (!value.is_null()).then(|| unsafe { CStr::from_ptr(value) }.to_bytes())
}

/// What somebody at the window does in place of the test, as keys: one after every three pictures, then it is closed.
pub fn keys() -> Option<&'static str> {
    variable(c"SINEW_FAULT_KEYS").and_then(|keys| std::str::from_utf8(keys).ok())
}

/// Counts a call of a kind; returns the number of the code if it fails.
pub fn next(kind: Kind, call: &str, codes: usize, about: &[u8]) -> Option<usize> {
    let plan = plan().filter(|plan| plan.kind == kind)?;
    let number = plan.numbers(call, about).then(|| CALLS.fetch_add(1, Ordering::Relaxed));
    let code = plan.fault.filter(|(call, code)| number == Some(*call) && *code < codes).map(|(_, code)| code);
    if plan.trace >= 0 {
        let mut line = Line::default();
        let failed = if code.is_some() { "fails" } else { "made" };
        // A line that is too long is cut.
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

/// Whether an allocation is refused.
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
