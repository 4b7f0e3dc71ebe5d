//! The program with a window, whatever shows it.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::common::Run;

/// The longest wait, for debug builds with validation next to other tests.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A running program, and what it says on standard error.
pub struct Program {
    child: Child,
    lines: Receiver<String>,
}

impl Program {
    /// Starts the program.
    pub fn start(command: &mut Command) -> Self {
        Self::start_on(command, Stdio::null())
    }

    /// Starts it on an input.
    pub fn start_on(command: &mut Command, stdin: Stdio) -> Self {
        let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, lines }
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Forgets what it has said so far.
    pub fn forget_said(&self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// Waits for a line on standard error.
    pub fn said(&self, start: &str) -> String {
        self.said_in_time(start).unwrap_or_else(|| panic!("no '{start}' was said"))
    }

    /// A line on standard error, if it comes before patience ends.
    pub fn said_in_time(&self, start: &str) -> Option<String> {
        let by = Instant::now() + TIMEOUT;
        loop {
            let left = by.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).ok()?;
            if line.starts_with(start) {
                return Some(line);
            }
        }
    }

    /// Fails the test if it has ended.
    pub fn assert_alive(&mut self, what: &str) {
        if let Some(status) = self.child.try_wait().unwrap() {
            let lines: Vec<String> = self.lines.iter().collect();
            panic!("{what}: the program has ended, {status}: {}", lines.join("\n"));
        }
    }

    /// Returns true if it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Returns true if it ends in this time.
    pub fn ends_in(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        while !self.has_ended() {
            if start.elapsed() > time {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        true
    }

    /// Waits for it to end.
    pub fn wait(mut self) -> Run {
        assert!(self.ends_in(TIMEOUT), "the window does not close");
        let status = self.child.wait().unwrap();
        let mut out = Vec::new();
        self.child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
        let err = self.lines.iter().collect::<Vec<_>>().join("\n");
        if !status.success() {
            // Shown if a test expects another code.
            println!("{status}: {err}");
        }
        Run { code: status.code(), out, err }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
