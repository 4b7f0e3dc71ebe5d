//! Runs an asset's process within limits of time and memory. A process that crashes, hangs or takes too much memory becomes a
//! finding.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use sinew_system::end_with_parent;

use crate::analysis::corpus::{Asset, Kind, Level};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::signals;
use crate::threads::Task as Thread;

use super::assets::{Files, Task};
use super::digest::digests;
use super::one::{Digests, Printed};

/// The largest size of a result, in bytes.
const MAX_RESULT: u64 = 1 << 28;

/// The largest size of a message, in bytes.
const MAX_MESSAGE: u64 = 1 << 14;

/// The longest wait between two looks at a process.
const MAX_WAIT: Duration = Duration::from_millis(20);

/// Limits of a process.
pub struct Limits {
    pub secs: u32,
    pub mebibytes: u32,
    /// The number of processes at once.
    pub jobs: usize,
}

impl Limits {
    /// The limit that ended the process of a result.
    pub fn that_ended(&self, result: &Asset) -> Option<u32> {
        result.findings.iter().find_map(|finding| match finding.kind {
            Kind::Time => Some(self.secs),
            Kind::Memory => Some(self.mebibytes),
            _ => None,
        })
    }
}

/// The result of a process.
pub struct Outcome {
    pub result: Asset,
    /// The digest of each file of the asset.
    pub inputs: Digests,
    /// A small picture as base64; may be empty.
    pub thumbnail: String,
    pub secs: f64,
    /// The largest memory that was seen; `None` where the system does not say.
    pub mebibytes: Option<f64>,
}

/// The end of a process.
pub enum End {
    Exit(ExitStatus),
    Time,
    Memory,
}

/// Checks or compares an asset in a process.
///
/// # Errors
/// If no process can be started at all.
pub fn run(task: &Task, level: Level, limits: &Limits) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let files = match &task.files {
        Files::One(file) => vec![file],
        Files::Pair(old, new) => vec![old, new],
        Files::Alone(file) => {
            let mut result = Asset::default();
            result.add(Kind::Gone, "", "no file corresponds to it in the new folder", 1.0);
            let inputs = digests([file.as_path()]);
            return Ok(Outcome { result, inputs, thumbnail: String::new(), secs: 0.0, mebibytes: None });
        }
    };
    let mut command = sinew(&["corpus", "one", "--no-config", "--level", level.name(), "--"])?;
    command.args(&files);
    let Ended { end, said, errors, mebibytes } = process(command, limits)?;
    let secs = start.elapsed().as_secs_f64();
    let mut lines = said.splitn(2, |byte| *byte == b'\n');
    let named = lines.next().and_then(|line| serde_json::from_slice::<Digests>(line).ok());
    let inputs = named.unwrap_or_else(|| digests(files.into_iter().map(AsRef::as_ref)));
    if let End::Exit(status) = &end
        && status.success()
        && let Some(Printed { result, thumbnail }) =
            lines.next().and_then(|line| serde_json::from_slice(line).ok())
    {
        return Ok(Outcome { result, inputs, thumbnail, secs, mebibytes });
    }
    let mut result = Asset::default();
    let (kind, like, mut words) = reason(&end, &errors, limits);
    if let Files::One(file) = &task.files
        && let Some(cause) = words.strip_prefix(&format!("{}: ", file.display()))
    {
        // The asset has its name.
        words = cause.to_owned();
    }
    result.add(kind, like, words, 1.0);
    Ok(Outcome { result, inputs, thumbnail: String::new(), secs, mebibytes })
}

/// A command of this program.
///
/// # Errors
/// If the system does not say where the program is.
pub fn sinew(words: &[&str]) -> Result<Command, Failure> {
    let mut command = Command::new(std::env::current_exe().map_err(Failure::Threads)?);
    command.args(words);
    Ok(command)
}

/// A process that has ended.
pub struct Ended {
    pub end: End,
    /// The text that it wrote to standard output.
    pub said: Vec<u8>,
    /// The text that it wrote to standard error.
    pub errors: Vec<u8>,
    /// The largest memory that was seen; `None` where the system does not say.
    pub mebibytes: Option<f64>,
}

/// Runs a process within the limits.
///
/// # Errors
/// If it cannot be started.
pub fn process(mut command: Command, limits: &Limits) -> Result<Ended, Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if limits.jobs > 1 {
        // Each has a core.
        command.env("RAYON_NUM_THREADS", "1");
    }
    // A killed run no longer watches the limits.
    end_with_parent(&mut command);
    let start = Instant::now();
    let mut child = command.spawn().map_err(Failure::Threads)?;
    let said = child.stdout.take().map(|stream| Thread::begin(move || all_of(stream, MAX_RESULT)));
    let errors = child.stderr.take().map(|stream| Thread::begin(move || all_of(stream, MAX_MESSAGE)));
    let (end, mebibytes) = watch(&mut child, start, limits).map_err(Failure::Threads)?;
    if let End::Exit(status) = &end {
        signals::wait_for_own(*status);
    }
    let text =
        |thread: Option<Thread<Vec<u8>>>| thread.and_then(|thread| thread.result().ok()).unwrap_or_default();
    Ok(Ended { end, said: text(said), errors: text(errors), mebibytes })
}

/// Describes the end of a process without a result.
pub fn reason(end: &End, errors: &[u8], limits: &Limits) -> (Kind, String, String) {
    let text = String::from_utf8_lossy(errors);
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line).to_owned();
    match end {
        End::Time => (Kind::Time, String::new(), format!("it took more than {} s", limits.secs)),
        End::Memory => (Kind::Memory, String::new(), format!("it took more than {} MiB", limits.mebibytes)),
        End::Exit(status) if status.code() == Some(1) => (Kind::Unreadable, String::new(), line),
        End::Exit(status) => {
            (Kind::Crash, status.to_string(), format!("its process ended with {status}: {line}"))
        }
    }
}

/// Waits for a process, and ends it at a limit. Returns the largest memory that was seen.
fn watch(child: &mut Child, start: Instant, limits: &Limits) -> io::Result<(End, Option<f64>)> {
    let mut most: Option<f64> = None;
    let mut wait = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((End::Exit(status), most));
        }
        let now = memory(child.id());
        most = most.into_iter().chain(now).reduce(f64::max);
        let end = match () {
            () if start.elapsed() >= Duration::from_secs(u64::from(limits.secs)) => Some(End::Time),
            () if now.is_some_and(|now| now > f64::from(limits.mebibytes)) => Some(End::Memory),
            () => None,
        };
        if let Some(end) = end {
            // It may have ended just now.
            let _ = child.kill();
            child.wait()?;
            return Ok((end, most));
        }
        std::thread::sleep(wait);
        wait = (wait * 2).min(MAX_WAIT);
    }
}

/// Returns the largest memory of a process so far in MiB, where the system says.
fn memory(process: u32) -> Option<f64> {
    #[allow(clippy::disallowed_methods, reason = "a file of the system")]
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// Reads a stream to its end, and keeps its start.
fn all_of(mut stream: impl Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before an error counts; without an end, it is no result.
    let _ = stream.by_ref().take(most).read_to_end(&mut bytes);
    let _ = io::copy(&mut stream, &mut io::sink());
    bytes
}
