//! A virtual screen, and a window of the program on it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sinew::image::Image;

use crate::common::{Run, sinew};
use crate::program::{Program, TIMEOUT};

/// The longest wait for the first frame, which may be black.
const FIRST_FRAME: Duration = Duration::from_secs(10);

/// The file in which windows of this test keep their state.
pub fn state_file() -> PathBuf {
    let command = sinew([""; 0]);
    let state = command.get_envs().find(|(name, _)| *name == "XDG_STATE_HOME");
    PathBuf::from(state.unwrap().1.unwrap()).join("sinew/state.json")
}

/// Says that the hint was seen, where no window has left anything.
pub fn see_hint() {
    let state = state_file();
    if !state.exists() {
        std::fs::create_dir_all(state.parent().unwrap()).unwrap();
        std::fs::write(&state, r#"{"window": {"has_seen_hint": true}}"#).unwrap();
    }
}

/// An X server.
pub struct Screen {
    server: Child,
    display: String,
    folder: tempfile::TempDir,
}

impl Screen {
    /// Starts a server with a screen of this size, on any free display, whose keys do not repeat by themselves.
    pub fn start(width: u32, height: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-r",
                // It would refuse a window that opens while the one before it goes.
                "-noreset",
                "-nolisten",
                "tcp",
                "-screen",
                "0",
                &format!("{width}x{height}x24"),
            ])
            .arg("-fbdir")
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb: {error}; apt install xvfb xdotool"));
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb has no display");
        Self { server, display: format!(":{}", number.trim()), folder }
    }

    /// Opens a window; without a window manager it stays in the upper left corner.
    pub fn open(&self, words: &[&str]) -> Window<'_> {
        self.open_at_scale(words, "1")
    }

    /// The name of the display.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Opens a window on a screen with `scale` pixels per point, for a user who has seen the hint before.
    pub fn open_at_scale(&self, words: &[&str], scale: &str) -> Window<'_> {
        see_hint();
        // Whatever the machine has, there is no desktop with a file dialog.
        self.open_in(words, scale, "none:", Stdio::null(), &[])
    }

    /// Opens a window on a desktop whose session bus has this address.
    pub fn open_on_bus(&self, words: &[&str], bus: &str) -> Window<'_> {
        see_hint();
        self.open_in(words, "1", bus, Stdio::null(), &[])
    }

    /// Opens a window on the model that `file` holds, which comes through standard input.
    pub fn open_piped(&self, words: &[&str], file: File) -> Window<'_> {
        see_hint();
        self.open_in(words, "1", "none:", Stdio::from(file), &[])
    }

    /// Opens a window in an environment with these variables.
    pub fn open_with(&self, words: &[&str], environment: &[(&str, &OsStr)]) -> Window<'_> {
        see_hint();
        self.open_in(words, "1", "none:", Stdio::null(), environment)
    }

    /// Opens a window with whatever the one before has left.
    pub fn open_as_it_is(&self, words: &[&str], scale: &str) -> Window<'_> {
        self.open_in(words, scale, "none:", Stdio::null(), &[])
    }

    fn open_in(
        &self,
        words: &[&str],
        scale: &str,
        bus: &str,
        stdin: Stdio,
        environment: &[(&str, &OsStr)],
    ) -> Window<'_> {
        let program = Program::start_on(
            sinew(words)
                .env("DISPLAY", &self.display)
                .env("WINIT_X11_SCALE_FACTOR", scale)
                .env("DBUS_SESSION_BUS_ADDRESS", bus)
                .env("PATH", self.folder.path())
                .env_remove("WAYLAND_DISPLAY")
                .envs(environment.iter().copied()),
            stdin,
        );
        let mut window = Window { screen: self, program, id: String::new() };
        let id = window.xdotool(&["search", "--sync", "--onlyvisible", "--name", "sinew"]);
        window.id = id.lines().next().unwrap_or_default().to_owned();
        assert!(!window.id.is_empty(), "no window");
        window.xdotool(&["windowfocus", "--sync", &window.id]);
        // Keys that come before the first frame find sizes that were never shown.
        let start = Instant::now();
        while start.elapsed() < FIRST_FRAME
            && self.corner(64, 64).rgba.chunks(4).all(|rgba| rgba[..3] == [0; 3])
        {
            std::thread::sleep(Duration::from_millis(15));
        }
        window
    }

    /// Ends the server, as a crash would.
    pub fn kill(&self) {
        let pid = self.server.id().to_string();
        assert!(Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
    }

    /// The contents of the screen, as Xvfb stores them.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        File::open(self.folder.path().join("Xvfb_screen0")).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    /// The upper left corner of the screen.
    fn corner(&self, width: u32, height: u32) -> Image {
        let bytes = self.bytes();
        // The X window dump format: big-endian words, then colours of twelve bytes, then rows of BGRX.
        let word = |number: usize| {
            u32::from_be_bytes(bytes[number * 4..number * 4 + 4].try_into().unwrap()) as usize
        };
        let (header, bytes_a_row, colors) = (word(0), word(12), word(19));
        assert_eq!(word(11), 32, "bits a pixel");
        let pixels = &bytes[header + colors * 12..];
        // Tests look many times a second.
        let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
        for row in pixels.chunks(bytes_a_row).take(height as usize) {
            rgba.extend_from_slice(&row[..width as usize * 4]);
        }
        for pixel in rgba.chunks_exact_mut(4) {
            pixel.swap(0, 2);
            pixel[3] = 255;
        }
        Image { width, height, rgba }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A window of the program.
pub struct Window<'a> {
    screen: &'a Screen,
    program: Program,
    id: String,
}

impl Window<'_> {
    /// The X server's number for the window.
    pub fn id(&self) -> String {
        self.id.clone()
    }

    /// The number of the program's process.
    pub fn process(&self) -> String {
        self.program.id().to_string()
    }

    /// Presses keys while the program cannot run: it finds all of them at once, as after a frame that took long.
    pub fn keys_at_once(&self, keys: &[&str]) {
        let signal = |name: &str| {
            assert!(Command::new("kill").args([name, &self.process()]).status().unwrap().success());
        };
        signal("-STOP");
        for key in keys {
            self.key(key);
        }
        signal("-CONT");
    }

    /// Runs xdotool on the window's screen.
    pub fn xdotool(&self, words: &[&str]) -> String {
        let done = Command::new("timeout")
            .args(["60", "xdotool"])
            .args(words)
            .env("DISPLAY", &self.screen.display)
            .output()
            .unwrap();
        assert!(done.status.success(), "xdotool {words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// Presses and releases a key.
    pub fn key(&self, key: &str) {
        self.xdotool(&["key", key]);
    }

    /// Resizes the window, and optionally waits until it has the size.
    pub fn resize(&self, width: &str, height: &str, wait: bool) {
        let mut words = vec!["windowsize"];
        words.extend(wait.then_some("--sync"));
        words.extend([self.id.as_str(), width, height]);
        self.xdotool(&words);
    }

    /// The upper left corner of the screen, once it stands still.
    pub fn picture(&self, width: u32, height: u32) -> Image {
        self.settle();
        self.screen.corner(width, height)
    }

    /// Waits until the screen shows a picture, pixel for pixel.
    pub fn shows(&mut self, expected: &Image, what: &str) {
        if let Err(differing) = self.comes_to_show(expected, what, TIMEOUT) {
            panic!("{what}: {differing}");
        }
    }

    /// Waits for so long at most until the screen shows a picture, pixel for pixel; says what differs if it does not.
    pub fn comes_to_show(&mut self, expected: &Image, what: &str, most: Duration) -> Result<(), String> {
        let start = Instant::now();
        loop {
            let found = self.screen.corner(expected.width, expected.height);
            if found.rgba == expected.rgba {
                return Ok(());
            }
            self.assert_alive(what);
            if start.elapsed() > most {
                let pixels = (0..).zip(found.rgba.chunks(4).zip(expected.rgba.chunks(4)));
                let differing = pixels.filter(|(_, (a, b))| a != b).map(|(at, _)| at);
                let places: Vec<[u32; 2]> =
                    differing.map(|at: u32| [at % expected.width, at / expected.width]).collect();
                let (first, last) = (places.first(), places.last());
                let (count, all) = (places.len(), expected.rgba.len() / 4);
                return Err(format!("{count} of {all} pixels differ, from {first:?} to {last:?}"));
            }
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Waits until the screen's corner satisfies `is_it`.
    pub fn shows_what(&mut self, size: [u32; 2], what: &str, is_it: impl Fn(&Image) -> bool) {
        let start = Instant::now();
        while !is_it(&self.screen.corner(size[0], size[1])) {
            self.assert_alive(what);
            assert!(start.elapsed() < TIMEOUT, "{what} is not shown");
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// The text in the clipboard.
    pub fn clipboard(&self) -> String {
        let done = Command::new("timeout")
            .args(["20", "xclip", "-o", "-selection", "clipboard", "-t", "UTF8_STRING"])
            .env("DISPLAY", &self.screen.display)
            .output()
            .unwrap_or_else(|error| panic!("xclip: {error}; apt install xclip"));
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// Presses the key that copies the command line, and returns it.
    pub fn command_line(&self) -> String {
        self.key("ctrl+c");
        self.said("sinew ")
    }

    /// Types text, letter by letter.
    pub fn type_text(&self, text: &str) {
        self.xdotool(&["type", "--delay", "20", text]);
    }

    /// Waits until some rows of the screen differ from all that they showed before, and adds what they show.
    pub fn says_anew(&mut self, rows: [u32; 2], width: u32, said: &mut Vec<Vec<u8>>, what: &str) {
        let start = Instant::now();
        loop {
            self.settle();
            let now = self.screen.corner(width, rows[1]).rgba[(rows[0] * width * 4) as usize..].to_vec();
            if !said.contains(&now) {
                said.push(now);
                return;
            }
            self.assert_alive(what);
            assert!(start.elapsed() < TIMEOUT, "{what} is not said");
        }
    }

    /// Moves the mouse to a pixel.
    pub fn point_at(&self, [x, y]: [u32; 2]) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Clicks at a pixel.
    pub fn click(&self, [x, y]: [u32; 2]) {
        self.xdotool(&["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
    }

    /// Drags the left button from one pixel to another.
    pub fn drag(&self, from: [u32; 2], to: [u32; 2]) {
        let [from, to] = [from, to].map(|place| place.map(|at| at.to_string()));
        self.xdotool(&["mousemove", &from[0], &from[1], "mousedown", "1"]);
        self.settle();
        self.xdotool(&["mousemove", &to[0], &to[1]]);
        self.settle();
        self.xdotool(&["mouseup", "1"]);
    }

    /// Presses the left button at one pixel and moves to another, without letting go.
    pub fn press(&self, from: [u32; 2], to: [u32; 2]) {
        let [from, to] = [from, to].map(|place| place.map(|at| at.to_string()));
        self.xdotool(&["mousemove", &from[0], &from[1], "mousedown", "1"]);
        self.settle();
        self.xdotool(&["mousemove", &to[0], &to[1]]);
        self.settle();
    }

    /// Lets go of the left button.
    pub fn let_go(&self) {
        self.settle();
        self.xdotool(&["mouseup", "1"]);
    }

    /// Puts a text into the clipboard, as another program would.
    pub fn copied(&self, text: &str) {
        let mut xclip = Command::new("xclip")
            .args(["-i", "-selection", "clipboard"])
            .env("DISPLAY", &self.screen.display)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("xclip: {error}; apt install xclip"));
        xclip.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(xclip.wait().unwrap().success());
    }

    /// Waits until the screen differs from a picture.
    pub fn differs_from(&mut self, image: &Image) {
        let start = Instant::now();
        while self.screen.corner(image.width, image.height).rgba == image.rgba {
            self.assert_alive("moving");
            assert!(start.elapsed() < TIMEOUT, "nothing moves");
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Waits until the screen has not changed and the program has done nothing for a while, or until a time limit.
    pub fn settle(&self) {
        let start = Instant::now();
        let state = || (self.screen.bytes(), self.processor_millis());
        let mut last = state();
        let mut still = 0;
        while still < 10 && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(30));
            let now = state();
            still = if now == last && !self.is_busy() { still + 1 } else { 0 };
            last = now;
        }
    }

    /// Returns true if a thread of the program waits for the processor, or has it.
    fn is_busy(&self) -> bool {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.program.id()));
        let states = threads.into_iter().flatten().flatten();
        let mut states = states.filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
        states.any(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('R')))
    }

    /// Forgets what was said on standard error so far.
    pub fn forget_said(&self) {
        self.program.forget_said();
    }

    /// Waits for a line on standard error.
    pub fn said(&self, start: &str) -> String {
        let before = self.processor_millis();
        let line = self.program.said_in_time(start);
        line.unwrap_or_else(|| panic!("no '{start}' was said; {}", self.what_it_does(before)))
    }

    /// Describes how busy the program was while a test waited for it, since it had used `before` milliseconds of the
    /// processor. Saves a picture of the screen and names it.
    fn what_it_does(&self, before: u64) -> String {
        let busy = self.processor_millis().saturating_sub(before);
        let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("silent-window.xwd");
        std::fs::write(&picture, self.screen.bytes()).unwrap();
        format!("{busy} ms of the processor in {TIMEOUT:?}; {}", picture.display())
    }

    /// Processor time that the program has used, in milliseconds.
    pub fn processor_millis(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.program.id())).unwrap();
        // The fields after the name in brackets; both times are in hundredths of a second.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()) * 10
    }

    /// Fails the test if the program has ended.
    pub fn assert_alive(&mut self, what: &str) {
        self.program.assert_alive(what);
    }

    /// Closes the window with its key and waits for the program to end.
    pub fn close(self) -> Run {
        self.xdotool(&["windowfocus", "--sync", &self.id]);
        self.key("ctrl+q");
        self.wait()
    }

    /// Closes a window with edits, which are not saved. It answers again and again: a slow window may not have asked yet.
    pub fn close_without_saving(mut self) -> Run {
        self.xdotool(&["windowfocus", "--sync", &self.id]);
        self.key("ctrl+q");
        self.settle();
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            self.key("n");
            if self.program.ends_in(Duration::from_secs(10)) {
                break;
            }
        }
        self.wait()
    }

    /// Ends the program with a signal.
    pub fn end_by(self, signal: &str) -> Run {
        let pid = self.program.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        self.wait()
    }

    /// Waits for the program to end.
    pub fn wait(mut self) -> Run {
        if !self.program.has_ended() {
            let before = self.processor_millis();
            assert!(
                self.program.ends_in(TIMEOUT),
                "the window does not close; {}",
                self.what_it_does(before)
            );
        }
        self.program.wait()
    }
}
