//! Makes every Vulkan call of a window fail once, while a user edits the pose and shows it in all modes for three pictures
//! each. The window goes on, or ends with one line. The edits are kept, and the validation layer reports nothing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, Weak};

use crate::files;
use crate::models;
use crate::runs::{Ended, PLACE, Place, Task, every_fault};
use crate::screen::Screen;

/// The screen of all windows here, while a test holds it.
fn screen() -> Arc<Screen> {
    static SCREEN: Mutex<Weak<Screen>> = Mutex::new(Weak::new());
    let mut known = SCREEN.lock().unwrap();
    known.upgrade().unwrap_or_else(|| {
        let screen = Arc::new(Screen::start(640, 480));
        *known = Arc::downgrade(&screen);
        screen
    })
}

/// Chooses a joint and turns it, then shows all modes.
const MODES: &str = "ArrowDown,ArrowDown,F7 1 3 4 5";

/// Chooses a joint and turns it, then saves the pose.
const SAVE: &str = "ArrowDown,ArrowDown,F7,ctrl+P";

fn on_screen(command: &mut Command, keys: &str) {
    command
        .env("DISPLAY", screen().display())
        .env("WINIT_X11_SCALE_FACTOR", "1")
        .env("DBUS_SESSION_BUS_ADDRESS", "none:")
        .env("RAYON_NUM_THREADS", "2")
        .env("SINEW_FAULT_KEYS", keys)
        .env_remove("WAYLAND_DISPLAY");
}

fn in_all_modes(command: &mut Command, _: &Path) {
    on_screen(command, MODES);
}

fn saving(command: &mut Command, place: &Path) {
    files::quick(command, place);
    on_screen(command, SAVE);
}

fn nothing(_: &Path) {}

fn unsaved(place: &Path) -> PathBuf {
    place.join("home/state/sinew/unsaved")
}

/// The model lies where its pose is saved.
fn beside(out: &Path) {
    models::write(out);
}

/// The poses that are kept.
fn poses(place: &Place) -> Vec<String> {
    let files = std::fs::read_dir(unsaved(&place.path("."))).into_iter().flatten().flatten();
    let files =
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
    files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Returns true if the joint was turned before the fault: after three pictures.
fn is_edited(end: &Ended) -> bool {
    let calls = end.calls.iter().take_while(|call| !call.fails);
    let shown = calls.filter(|call| call.name == "vkQueuePresentKHR").count();
    // The third is shown, and the keys are pressed after it.
    shown > 3
}

fn task(name: &'static str, with: fn(&mut Command, &Path), words: &str) -> Task {
    let words = words.replace("MODEL", &format!("{PLACE}/in/model.gltf"));
    Task {
        name,
        words: words.split(' ').map(str::to_owned).collect(),
        with,
        prepare: nothing,
        is_first: false,
        is_window: true,
    }
}

fn judge(place: &Place, _: &Ended, end: &Ended) -> Result<String, String> {
    let failed = end.failed().ok_or("no fault")?;
    if ["validation error(s)", "VUID", "outlive", "leaked"].iter().any(|word| end.err.contains(word)) {
        return Err(end.err.trim().to_owned());
    }
    let kept = poses(place);
    let is_named = end.err.contains("the edited pose is kept as ");
    if kept.len() != usize::from(is_named) || (is_edited(end) || end.code == Some(0)) && !is_named {
        return Err(format!("{} poses are kept: {}", kept.len(), end.err.trim()));
    }
    match end.code {
        Some(0) => Ok("went on".to_owned()),
        Some(4) => Ok("exit 4".to_owned()),
        // There is no Vulkan, or no driver that can.
        Some(3) if failed.name.starts_with("vkCreateInstance") || failed.name.starts_with("vkEnumerate") => {
            Ok("exit 3".to_owned())
        }
        code => Err(format!("exit {code:?}: {}", end.lines().join(" "))),
    }
}

#[test]
fn every_call_of_a_window_fails_once() {
    let _screen = screen();
    let words = "MODEL --mode lbs --time 1 --size 64x48 --quality draft --paused";
    let task = task("window", in_all_modes, words);
    every_fault(Place::new(models::write), &task, "vulkan", judge).check("window", 500);
}

/// The pose is in its file, or kept and the reason said; whatever else cannot be read or written, the window does without.
fn judge_saving(place: &Place, well: &Ended, end: &Ended) -> Result<String, String> {
    let failed = end.failed().ok_or("no fault")?;
    let saved = "model-pose-001.json";
    if let Some(name) = end.files.keys().find(|name| files::is_half(name) && failed.name != "unlink") {
        return Err(format!("{name} is left"));
    }
    // Without the real path of its folder, the program cannot tell whether a file is in it.
    let is_model =
        ["model.gltf", "model.bin", "color.png", "/out"].iter().any(|name| failed.path.ends_with(name));
    let pose = end.files.iter().find(|(name, _)| name.contains("-pose-")).map(|(_, bytes)| bytes);
    let expected = well.files.get(saved).ok_or("no pose without a fault")?;
    match (end.code, pose) {
        (Some(0), Some(pose)) if pose == expected => Ok("saved".to_owned()),
        (Some(0), None) if poses(place).len() == 1 && end.err.contains("error: ") => Ok("kept".to_owned()),
        (Some(1), None) if is_model => Ok("exit 1".to_owned()),
        (code, pose) => {
            Err(format!("exit {code:?}, {:?} bytes saved: {}", pose.map(Vec::len), end.err.trim()))
        }
    }
}

fn save_task() -> Task {
    let words = format!("{PLACE}/out/model.gltf --mode lbs --time 1 --size 64x48 --quality draft --paused");
    let words = words.split(' ').map(str::to_owned).collect();
    Task { name: "saved pose", words, with: saving, prepare: beside, is_first: false, is_window: true }
}

#[test]
fn every_call_for_a_file_of_a_window_fails_once() {
    let _screen = screen();
    every_fault(Place::new(|_| {}), &save_task(), "file", judge_saving).check("saved pose", 60);
}

/// Judges a window that was refused one of its threads.
fn judge_threads(place: &Place, well: &Ended, end: &Ended) -> Result<String, String> {
    match end.code {
        Some(4) if end.err.contains("thread") && poses(place).is_empty() => Ok("exit 4".to_owned()),
        _ => judge_saving(place, well, end),
    }
}

#[test]
fn every_thread_of_a_window_is_refused_once() {
    let _screen = screen();
    let place = Place::new(|_| {});
    every_fault(place, &save_task(), "thread", judge_threads).check("threads of a window", 8);
}
