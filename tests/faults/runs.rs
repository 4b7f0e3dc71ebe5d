//! Runs of the program with one fault: what is asked for by the environment, and what must be true of every end.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::sinew;

/// The extra time that a run may take because of a fault.
const LONGER: Duration = Duration::from_secs(5);

/// After so long a run is ended.
const MAX: Duration = Duration::from_secs(60);

/// The most attempts to reach a fault.
const MAX_TRIES: usize = 5;

/// Runs at a time.
const WORKERS: usize = 2;

/// A call as the program's trace has it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function.
    pub name: String,
    /// The number of codes that it may answer with.
    pub codes: usize,
    /// True if it was made to fail.
    pub fails: bool,
    /// The file that it is about, if it is about one.
    pub path: String,
}

impl Call {
    /// Returns a description that is equal in each run: its name and its file, with [`PLACE`] for the place's folder and `*`
    /// from where a number of the run begins.
    fn kind(&self, place: &Place) -> String {
        let path = self.path.replace(place.folder(), PLACE);
        // Files that are not in their place yet, and standard output.
        let changing = [".sinew-", "pipe:["].iter().find_map(|part| Some(path.find(part)? + part.len()));
        let in_cache = || path.strip_suffix(".tmp").map(|rest| rest.trim_end_matches(char::is_numeric).len());
        match changing.or_else(in_cache) {
            Some(end) => format!("{} {}*", self.name, &path[..end]),
            None => format!("{} {path}", self.name),
        }
    }
}

/// A call to fail: one of the calls of a kind, with one of its codes. Threads run in any order, so a number among all calls
/// would be that of another call in the next run.
pub struct Fault {
    calls: String,
    number: usize,
    code: usize,
}

impl fmt::Display for Fault {
    /// As what asks for it by hand.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{} of {}", self.number, self.code, self.calls)
    }
}

/// All faults of a run's calls.
fn faults(calls: &[Call], place: &Place) -> Vec<Fault> {
    let mut counts = BTreeMap::new();
    let mut faults = Vec::new();
    for call in calls {
        let calls = call.kind(place);
        let count: &mut usize = counts.entry(calls.clone()).or_default();
        faults.extend((0..call.codes).map(|code| Fault { calls: calls.clone(), number: *count, code }));
        *count += 1;
    }
    faults
}

/// A command, and what it is to work on.
pub struct Task {
    /// Its name.
    pub name: &'static str,
    /// Its words.
    pub words: Vec<String>,
    /// Changes its environment.
    pub with: fn(&mut Command, &Path),
    /// Fills the folder that it writes to.
    pub prepare: fn(&Path),
    /// True if the user has never run the program before.
    pub is_first: bool,
    /// True if it reports errors and goes on.
    pub is_window: bool,
}

/// The end of a run.
pub struct Ended {
    /// The exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
    /// The calls of the kind that was asked for.
    pub calls: Vec<Call>,
    /// The time that it took.
    pub took: Duration,
    /// The files that it left where it writes, without those of hidden folders.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Ended {
    /// The call that failed.
    pub fn failed(&self) -> Option<&Call> {
        self.calls.iter().find(|call| call.fails)
    }

    /// The lines of standard error that say what went wrong.
    pub fn lines(&self) -> Vec<&str> {
        self.err.lines().filter(|line| !self.is_besides(line)).collect()
    }

    /// The lines that the same run without a fault does not say.
    fn lines_beyond(&self, well: &Self) -> Vec<&str> {
        let mut usual: Vec<&str> = well.err.lines().collect();
        let is_more = |line: &&str| match usual.iter().position(|said| said == line) {
            Some(number) => {
                usual.swap_remove(number);
                false
            }
            None => true,
        };
        self.err.lines().filter(is_more).collect()
    }

    /// Returns a fault that would be wrong in the end of any task.
    pub fn wrong(&self, task: &Task, well: &Self) -> Option<String> {
        let is_code = matches!(self.code, Some(0..=6));
        if !is_code {
            return Some(format!("exit {:?}: {}", self.code, self.err.trim()));
        }
        if self.took > well.took + LONGER {
            return Some(format!("took {:?}, not {:?}", self.took, well.took));
        }
        let lines = self.lines_beyond(well);
        let is_error = |line: &str| line.starts_with("error: ");
        let is_right = match self.code {
            // A window says what it could not do, and goes on.
            Some(0) => lines.iter().all(|line| self.is_besides(line) || task.is_window && is_error(line)),
            // Whatever else is to be said is in the same line.
            _ => matches!(lines.as_slice(), [line] if is_error(line)),
        };
        (!is_right).then(|| format!("exit {:?} with {lines:?}", self.code))
    }

    /// Returns true if a line is allowed besides errors: a warning, the name of a file that a window has written, or the
    /// path of the kept pose.
    fn is_besides(&self, line: &str) -> bool {
        let is_warning = || ["warning: ", " WARN ", "note: "].iter().any(|start| line.starts_with(start));
        let is_written = || {
            let path = line.strip_prefix("wrote ").map(Path::new);
            let name = path.and_then(Path::file_name).and_then(OsStr::to_str);
            name.is_some_and(|name| self.files.contains_key(name))
        };
        let is_kept = || {
            line.strip_prefix("the edited pose is kept as ")
                .and_then(|rest| rest.strip_suffix("; the next window with this file offers it"))
                .is_some_and(|path| path.ends_with(".json"))
        };
        is_warning() || is_written() || is_kept()
    }
}

/// A folder for runs: `in` is read, `out` written, `home` is the user's.
pub struct Place {
    folder: tempfile::TempDir,
    /// The files in `home` before each run.
    home: BTreeMap<String, Vec<u8>>,
}

impl Place {
    /// A folder whose models `fill` writes.
    pub fn new(fill: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["in", "out", "home"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fill(&folder.path().join("in"));
        Self { folder, home: BTreeMap::new() }
    }

    /// A copy, for another run at the same time.
    fn twin(&self) -> Self {
        let twin = Self::new(|_| {});
        write(&twin.path("in"), &files(&self.path("in")));
        twin
    }

    fn folder(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    /// One of its folders.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a command, in which a call of the kind fails with one of its codes.
    pub fn run(&self, task: &Task, kind: &str, fault: Option<&Fault>) -> Ended {
        static TRACES: AtomicUsize = AtomicUsize::new(0);
        let out = self.path("out");
        let home = self.path("home");
        for folder in [&out, &home] {
            fs::remove_dir_all(folder).unwrap();
            fs::create_dir(folder).unwrap();
        }
        write(&home, &self.home);
        (task.prepare)(&out);
        let trace = tempfile::tempdir().unwrap();
        let trace = trace.path().join(TRACES.fetch_add(1, Ordering::Relaxed).to_string());
        let mut command = sinew(&task.words);
        command.current_dir(&out).env("SINEW_FAULT", kind);
        if let Some(Fault { calls, number, code }) = fault {
            command
                .env("SINEW_FAULT", format!("{kind}:{number}:{code}"))
                .env("SINEW_FAULT_CALL", calls.replace(PLACE, self.folder()));
        }
        command
            .env("SINEW_FAULT_TRACE", &trace)
            .env("SINEW_FAULT_FOLDER", self.folder.path())
            .env("HOME", &home);
        for (variable, name) in [
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CONFIG_HOME", "config"),
        ] {
            command.env(variable, home.join(name));
        }
        (task.with)(&mut command, self.folder.path());
        let (code, output, err, took) = ended(&mut command);
        let calls = fs::read_to_string(&trace).unwrap_or_default().lines().filter_map(call).collect();
        Ended { code, out: output, err, calls, took, files: files(&out) }
    }

    /// Runs a command until a fault is reached, a few times at most: a run may end before other threads, such as the
    /// driver's, have made all their calls.
    fn reach(&self, task: &Task, kind: &str, fault: &Fault) -> Ended {
        let mut end = self.run(task, kind, Some(fault));
        for _ in 1..MAX_TRIES {
            if end.failed().is_some() {
                break;
            }
            end = self.run(task, kind, Some(fault));
        }
        end
    }
}

/// A line of the trace.
fn call(line: &str) -> Option<Call> {
    let mut words = line.splitn(5, ' ').skip(1);
    Some(Call {
        name: words.next()?.to_owned(),
        codes: words.next()?.parse().ok()?,
        fails: words.next()? == "fails",
        path: words.next().unwrap_or_default().to_owned(),
    })
}

/// Exit code, standard output and error, and how long it took.
fn ended(command: &mut Command) -> (Option<i32>, Vec<u8>, String, Duration) {
    let start = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let out = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stdout.read_to_end(&mut bytes);
        bytes
    });
    let err = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stderr.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if start.elapsed() > MAX {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let took = start.elapsed();
    (status.and_then(|status| status.code()), out.join().unwrap(), err.join().unwrap(), took)
}

/// The files below a folder, by their names.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// The results of all faults of a task.
#[derive(Default)]
pub struct Tally {
    /// Calls without a fault.
    pub calls: usize,
    /// The faults that were not reached.
    pub missed: Vec<String>,
    /// The number of times that each end occurred.
    pub ends: BTreeMap<String, usize>,
    /// The faults found.
    pub wrong: Vec<String>,
}

impl Tally {
    /// Fails the test if anything was wrong.
    pub fn check(&self, name: &str, least: usize) {
        let Self { calls, missed, ends, wrong } = self;
        let faults = ends.values().sum::<usize>() + wrong.len();
        println!("{name}: {calls} calls, {faults} faults, {} not reached; {ends:?}", missed.len());
        assert!(faults >= least, "{name}: {faults} faults");
        let some = missed.len();
        assert!(some * 50 <= faults, "{name}: {some} faults were not reached:\n{}", missed.join("\n"));
        assert!(wrong.is_empty(), "{name}: {} of {faults}:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// Runs a task with every fault of a kind, some at a time. `judge` gets the place, the end without a fault and the one with
/// it; it says how it ended, or what is wrong.
pub fn every_fault(
    place: Place,
    task: &Task,
    kind: &str,
    judge: impl Fn(&Place, &Ended, &Ended) -> Result<String, String> + Sync,
) -> Tally {
    let mut places: Vec<Place> = (1..WORKERS).map(|_| place.twin()).collect();
    places.push(place);
    // The output names the files, so each place has a separate end.
    let places: Vec<(Place, Task, Ended)> =
        places.into_iter().map(|place| without_fault(place, task, kind)).collect();
    let (first, _, well) = &places[0];
    let tally = Mutex::new(Tally { calls: well.calls.len(), ..Tally::default() });
    let faults = Mutex::new(faults(&well.calls, first));
    std::thread::scope(|scope| {
        for (place, task, well) in &places {
            let (faults, tally, judge) = (&faults, &tally, &judge);
            scope.spawn(move || {
                loop {
                    let next = faults.lock().unwrap().pop();
                    let Some(fault) = next else { break };
                    let mut end = place.reach(task, kind, &fault);
                    if end.took > well.took + LONGER {
                        // A busy machine is slow once, a hang is one each time.
                        end = place.reach(task, kind, &fault);
                    }
                    let how = match end.failed() {
                        Some(_) => Some(end.wrong(task, well).map_or_else(|| judge(place, well, &end), Err)),
                        None if end.code == Some(0) => None,
                        None => Some(Err(format!("not reached, exit {:?}: {}", end.code, end.err.trim()))),
                    };
                    let mut tally = tally.lock().unwrap();
                    match how {
                        Some(Ok(how)) => *tally.ends.entry(how).or_default() += 1,
                        Some(Err(wrong)) => {
                            tally.wrong.push(format!("{}, {kind} {fault}: {wrong}", task.name))
                        }
                        None => tally.missed.push(format!("{fault}")),
                    }
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

/// The most runs that may add files to the caches.
const MAX_FILLING: usize = 5;

/// Runs a task without a fault. Fills the caches before, unless the run is a user's first.
fn without_fault(mut place: Place, task: &Task, kind: &str) -> (Place, Task, Ended) {
    let task = task.at(&place);
    let mut well = place.run(&task, kind, None);
    // Drivers fill their caches beside the run, which may end before they are done: until one run adds no file.
    for _ in 0..if task.is_first { 0 } else { MAX_FILLING } {
        let known = place.home.len();
        place.home = files(&place.path("home"));
        place.home.retain(|name, _| !name.contains("/unsaved/"));
        if place.home.len() == known {
            break;
        }
        well = place.run(&task, kind, None);
    }
    assert_eq!((well.code, well.lines()), (Some(0), Vec::new()), "{}: {}", task.name, well.err);
    (place, task, well)
}

/// Stands for the place's folder in a task's words.
pub const PLACE: &str = "PLACE";

impl Task {
    /// Returns this task at a place.
    fn at(&self, place: &Place) -> Self {
        let words = self.words.iter().map(|word| word.replace(PLACE, place.folder())).collect();
        Self { words, ..*self }
    }
}
