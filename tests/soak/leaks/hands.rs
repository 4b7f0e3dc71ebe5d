//! Random keys and mouse, for many minutes.

use std::ffi::OsStr;
use std::time::{Duration, Instant};

use super::random::Random;
use super::resident::{MAX_GROWTH, Resident};
use crate::common::{Run, run, sinew};
use crate::screen::{Screen, Window};

/// Every key of the window but those that close it or open a dialog for files.
const KEYS: &str = "space p l bracketright bracketleft r period comma greater less Home End Next Prior b shift+b \
    c v shift+v j x n g m shift+l f shift+f z KP_4 KP_6 KP_8 KP_2 KP_1 KP_3 KP_7 ctrl+KP_1 ctrl+KP_3 ctrl+KP_7 \
    KP_5 q w s a d e shift+e plus minus k shift+k Left Right o u shift+u h i shift+i Down Up F5 shift+F5 F6 \
    shift+F6 F7 shift+F7 y shift+y shift+p shift+m ctrl+shift+c ctrl+v F8 shift+F8 ctrl+p t ctrl+Next ctrl+Prior \
    F3 ctrl+s ctrl+c question F1 ctrl+z ctrl+z ctrl+shift+z 1 2 3 4 5";

/// Typed into the search.
const WORDS: [&str; 6] = ["joint", "mode", "view", "walk", "dqs", "zzz"];

/// Memory is measured after each tenth of the time.
const TENTHS: u32 = 10;

/// The number of measurements each time. Two idle windows differ by up to 2 MB of 180, because freed memory leaves scattered
/// pages in use. Fewer measurements would show those rather than growth.
const MEASUREMENTS: usize = 3;

/// The number of open files.
const BUILTINS: usize = 7;

/// The picture while nothing but the line below it takes room.
const SIZE: [u32; 2] = [900, 640];
const CALM_SIZE: &str = "900x640";

/// Longer than a window takes for a frame, mostly.
const FRAME: Duration = Duration::from_millis(250);

/// Longer than it takes for any frame.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The time in which a window releases unused memory, also while a clip plays.
const TIDIES: Duration = Duration::from_secs(75);

/// The variable for lavapipe's number of drawing threads. With any, it sorts triangles into a further 36 MiB while they
/// still draw the last. How many of these a full picture takes is chance, and each stays full until as full a picture
/// comes again. After the wireframe of 98,832 triangles, 57 to 65 MiB of them stayed in a window that showed 10,656.
const DRAWING_THREADS: &str = "LP_NUM_THREADS";

/// Returns xdotool's arguments for one random user action.
fn action(random: &mut Random) -> Vec<String> {
    let keys: Vec<&str> = KEYS.split_whitespace().collect();
    let place = |random: &mut Random| SIZE.map(|side| random.below(side).to_string());
    let at = |random: &mut Random| {
        let [x, y] = place(random);
        vec!["mousemove".to_owned(), x, y]
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match random.below(40) {
        0..28 => words(&["key", random.of(&keys)]),
        28 => {
            // Without the number xdotool would type all that follows.
            let leave = random.of(&["Return", "ctrl+k"]);
            let word = random.of(&WORDS);
            words(&["key", "ctrl+k", "type", "--args", "1", "--delay", "5", word, "key", leave])
        }
        // Whatever is asked is answered.
        29 => words(&["key", "n"]),
        30..33 => at(random),
        33..36 => [at(random), words(&["click", random.of(&["1", "2", "3"])])].concat(),
        36..38 => [at(random), words(&["click", random.of(&["4", "5"])])].concat(),
        _ => {
            let button = random.of(&["1", "2", "3"]);
            let (from, to) = (at(random), at(random));
            [from, words(&["mousedown", button]), to, words(&["mouseup", button])].concat()
        }
    }
}

/// Shows the next file. If there are edits, which may wait below the bind pose, the window asks, and the answer is no; if it
/// does not ask, names are shown or hidden.
const NEXT_FILE: [&str; 2] = ["ctrl+Next", "n"];

/// The next keys that bring a window closer to the first file in its first look; none once it shows that. `line` is what it
/// prints as its command line.
fn calmer<'a>(line: &str, sizes: &mut impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let flags = [
        ("--split", "k"),
        ("--wipe", "k"),
        ("--quality", "q"),
        ("--onion", "o"),
        ("--skin", "c"),
        ("--view", "v"),
    ];
    if let Some((_, key)) = flags.iter().find(|(flag, _)| line.contains(flag)) {
        return vec![key];
    }
    let overlays = [
        ("skeleton", "j"),
        ("axes", "x"),
        ("names", "n"),
        ("grid", "g"),
        ("bounds", "m"),
        ("wireframe", "shift+l"),
    ];
    let shown =
        line.split("--overlay").nth(1).and_then(|rest| rest.split([' ', '=']).nth(1)).unwrap_or_default();
    if let Some((_, key)) = overlays.iter().find(|(name, _)| shown.contains(name)) {
        return vec![key];
    }
    // Not sooner: of four pictures full of lines and names, a frame takes so long that a file is left before it is shown.
    if !line.contains("bend.glb") {
        return NEXT_FILE.to_vec();
    }
    // Panel, list and status take room.
    if line.contains(CALM_SIZE) { Vec::new() } else { sizes.next().into_iter().collect() }
}

/// Leaves what is open, and shows the first file in its first look: memory is compared in the same state only. Returns
/// whether it came to that.
fn calm(window: &Window<'_>) -> bool {
    // The picture takes the keys away from the panel.
    window.click([450, 250]);
    // Where nothing is open, Escape clears the joint that was chosen before.
    for _ in 0..4 {
        window.xdotool(&["key", "Down", "key", "Escape"]);
    }
    window.xdotool(&["key", "shift+F8", "key", "2"]);
    let mut sizes = ["i", "F3", "i", "shift+i", "i", "F3", "i"].into_iter().cycle();
    // Random input has copied command lines, too.
    std::thread::sleep(FRAME * 4);
    window.forget_said();
    let mut line = window.command_line();
    let mut was_calm = false;
    for _ in 0..80 {
        let keys = calmer(&line, &mut sizes);
        // The line may be that of the frame before.
        if keys.is_empty() && was_calm {
            return true;
        }
        was_calm = keys.is_empty();
        for key in keys {
            window.key(key);
        }
        line = line_after(window, &line);
    }
    println!("not calm: {}", window.command_line());
    false
}

/// Shows each file once, and in the last what takes as many pipelines as a window keeps: each mode in each quality, and in a
/// view, skinned by shaders. Afterwards it has the same in memory as after the last tour.
fn tour(window: &Window<'_>) {
    for _ in 0..BUILTINS {
        for key in NEXT_FILE {
            window.key(key);
        }
        std::thread::sleep(TIMEOUT);
    }
    for _ in 0..4 {
        if !window.command_line().contains("--skin gpu") {
            window.key("c");
            std::thread::sleep(FRAME * 2);
        }
    }
    for key in ["q", "q", "q", "v"] {
        for mode in ["1", "2", "3", "4", "5"] {
            window.key(mode);
            std::thread::sleep(FRAME);
        }
        window.key(key);
    }
}

/// The command line of a window once it differs from the one before, or of two seconds later: frames that show very much
/// take as long.
fn line_after(window: &Window<'_>, before: &str) -> String {
    let start = Instant::now();
    loop {
        std::thread::sleep(FRAME);
        let line = window.command_line();
        if line != before || start.elapsed() > TIMEOUT {
            return line;
        }
    }
}

/// Random keys and mouse on an open window.
struct Hands<'a> {
    window: Window<'a>,
    random: Random,
    actions: usize,
}

impl Hands<'_> {
    /// Acts for a while.
    fn act(&mut self, time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time {
            let words: Vec<String> = (0..8).flat_map(|_| action(&mut self.random)).collect();
            self.window.xdotool(&words.iter().map(String::as_str).collect::<Vec<_>>());
            self.actions += 8;
            // About as fast as a user; a slow machine takes longer.
            std::thread::sleep(Duration::from_millis(300));
            self.window.assert_alive(&format!("after {} actions", self.actions));
        }
    }

    /// Looks at memory again and again, each time in the same state.
    fn look(&self, resident: &mut Resident) {
        let process = self.window.process();
        let before = super::resident::resident(&process);
        let become_calm = || assert!((0..3).any(|_| calm(&self.window)), "the window does not become calm");
        become_calm();
        for _ in 0..MEASUREMENTS {
            tour(&self.window);
            become_calm();
            std::thread::sleep(TIDIES);
            resident.note(&process);
            println!("{} actions, {before} kB, once it is calm {} kB", self.actions, resident.last());
        }
    }

    /// Closes the window in order; returns the number of actions.
    fn close(self) -> usize {
        let Run { code, err, .. } = self.window.close_without_saving();
        assert_eq!(code, Some(0), "{err}");
        assert!(self.actions > 50, "{} actions", self.actions);
        self.actions
    }
}

/// Opens a window of many files with these flags, and sends random input to it.
fn with_hands<T>(flags: &[&str], act: impl FnOnce(Hands<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(sinew(["builtins", "--write"]).arg(folder.path())).code, Some(0));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), BUILTINS);
    let screen = Screen::start(1000, 720);
    let size = SIZE.map(|side| side.to_string()).join("x");
    let words = [&[folder.path().to_str().unwrap(), "--size", &size][..], flags].concat();
    let window = screen.open_with(&words, &[(DRAWING_THREADS, OsStr::new("0"))]);
    act(Hands { window, random: Random::new(19), actions: 0 })
}

/// Returns the duration of the random input; `SINEW_SOAK_SECONDS` makes it shorter.
fn time() -> Duration {
    let seconds = std::env::var("SINEW_SOAK_SECONDS").map_or(1200, |seconds| seconds.parse().unwrap());
    Duration::from_secs(seconds)
}

#[test]
fn random_hands_leave_no_memory_behind() {
    let growth = with_hands(&[], |mut hands| {
        let mut resident = Resident::default();
        for _ in 0..TENTHS {
            hands.act(time() / TENTHS);
            hands.look(&mut resident);
        }
        resident.growth(&format!("random hands, {} actions", hands.close()))
    });
    assert!(growth < MAX_GROWTH, "{growth:.2} %");
}

#[test]
fn random_hands_leave_nothing_alive() {
    let actions = with_hands(&["--validate"], |mut hands| {
        hands.act(time() / 6);
        hands.close()
    });
    println!("random hands, with the layer: {actions} actions");
}
