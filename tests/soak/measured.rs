//! Runs the program and measures how long it takes and how much memory it has at its peak.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The processor time after which a run is interrupted: by SIGTERM, since Ctrl+C is ignored in the background.
const TIMEOUT: Duration = Duration::from_secs(90);
/// On the clock it has this many times as much, since other programs may run beside it.
const BUSY: u32 = 4;
/// An interrupted run that goes on for so long hangs.
const HANGS: Duration = Duration::from_secs(20);

/// The end of a run.
pub struct Measured {
    /// The exit code, as shells count: 128 and the signal's number after a signal.
    pub code: i32,
    /// Standard error.
    pub err: String,
    /// Seconds: of the clock, or of all processors where that is less, since other programs may run beside it.
    pub seconds: f64,
    /// The most memory that it held, in MiB.
    pub peak_mib: u64,
    /// True if it was interrupted, because it took too long.
    pub interrupted: bool,
    /// True if it then did not end.
    pub hung: bool,
}

/// Runs to the end. Memory is measured every few milliseconds.
pub fn measure(command: &mut Command) -> Measured {
    measure_within(command, TIMEOUT)
}

/// Runs to the end, or interrupts it when it has taken so much time.
pub fn measure_within(command: &mut Command, patience: Duration) -> Measured {
    let started = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let stderr = child.stderr.take().unwrap();
    let err = thread::spawn(|| text(stderr));
    let folder = format!("/proc/{}", child.id());
    let (mut peak_mib, mut processor, mut interrupted, mut hung) = (0, 0.0, None, false);
    let status = loop {
        peak_mib = peak_of(&folder).unwrap_or(0).max(peak_mib);
        processor = processor_seconds(&folder).unwrap_or(0.0).max(processor);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let is_late = processor > patience.as_secs_f64() || started.elapsed() > patience * BUSY;
        match interrupted {
            None if is_late => {
                interrupted = Some(Instant::now());
                assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().is_ok());
            }
            Some(since) if since.elapsed() > HANGS => {
                hung = true;
                child.kill().unwrap();
            }
            _ => {}
        }
        let pause = if started.elapsed().as_millis() < 200 { 1 } else { 5 };
        thread::sleep(Duration::from_millis(pause));
    };
    let clock = started.elapsed().as_secs_f64();
    let seconds = if clock < 1.0 || hung { clock } else { clock.min(processor) };
    let code = status.code().or_else(|| Some(128 + status.signal()?)).unwrap_or(-1);
    Measured { code, err: err.join().unwrap(), seconds, peak_mib, interrupted: interrupted.is_some(), hung }
}

/// All of a stream. What is beyond a mebibyte is read and left out.
fn text(mut stream: impl Read) -> String {
    let mut text = Vec::new();
    stream.by_ref().take(1 << 20).read_to_end(&mut text).unwrap();
    std::io::copy(&mut stream, &mut std::io::sink()).unwrap();
    String::from_utf8_lossy(&text).into_owned()
}

fn peak_of(folder: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("{folder}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

fn processor_seconds(folder: &str) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("{folder}/stat")).ok()?;
    // The fields after the name in brackets; both times are in hundredths of a second.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}
