//! Shared by the tests of the program and of the driver: runs the program and opens devices. This module must not
//! depend on what any test checks.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sinew::image::{Image, write_png};
use sinew::look::{Background, Look, Quality, Samples};
use sinew::model::{Model, builtin, gltf};
use sinew::render::open_device;
use sinew::scene::{Framing, Scene};
use sinew::skinning::SkinningMode;
use sinew::skinning::pose::PoseChoice;
use sinew::vulkan::{Device, DeviceChoice, InstanceOptions, Validation};

/// Only one test at a time has devices: the validation layer looks instances and devices up in maps that
/// another thread changes without a lock when it opens or closes one (Vulkan-ValidationLayers #4391), and
/// crashes now and then. The turn ends with the test's thread, whatever the test does.
fn wait_for_turn() {
    static TURN: Mutex<()> = Mutex::new(());
    thread_local! {
        static HELD: RefCell<Option<MutexGuard<'static, ()>>> = const { RefCell::new(None) };
    }
    HELD.with_borrow_mut(|held| {
        held.get_or_insert_with(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// Opens the best device under validation; fails the test without a driver or the layer.
pub fn open() -> Arc<Device> {
    wait_for_turn();
    let options = InstanceOptions { validation: Validation::Required, ..InstanceOptions::default() };
    let device = open_device(&options, &DeviceChoice::Best).unwrap_or_else(|error| panic!("{error}"));
    assert!(device.is_validated());
    device
}

/// Loads a built-in model.
pub fn builtin(name: &str) -> Arc<Model> {
    let glb = builtin::glb(name).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(gltf::load_bytes(&glb, None).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// A scene from the default viewpoint, without a ground and shadows on it: where nothing is drawn there is the
/// background.
pub fn scene(mode: SkinningMode, pose: PoseChoice, size: [u32; 2]) -> Scene {
    Scene {
        mode,
        pose,
        size,
        legend: false,
        framing: Framing::Clip,
        look: Look {
            quality: Quality::Draft,
            samples: Some(Samples::Four),
            background: Background::PAPER,
            ..Default::default()
        },
        ..Scene::new("test")
    }
}

/// A command for the program, as [`at_home`], so that it leaves files only in folders of the tests.
pub fn sinew<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = at_home(PROGRAM);
    command.args(arguments);
    command
}

/// The program's file.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_sinew");

/// A command that takes a folder of this test for the user's, with no `SINEW_LOG` and no config file.
pub fn at_home(program: impl AsRef<OsStr>) -> Command {
    let home = home();
    let mut command = Command::new(program);
    command
        .env_remove("SINEW_LOG")
        .env_remove("SINEW_CONFIG")
        .env("HOME", &home)
        .env("XDG_CACHE_HOME", caches());
    // For Mesa's drivers, wherever the environment puts their cache.
    command.env("MESA_SHADER_CACHE_DIR", caches());
    for (variable, folder) in
        [("XDG_STATE_HOME", "state"), ("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config")]
    {
        command.env(variable, home.join(folder));
    }
    command
}

/// The home folder for programs: one per test (a test is a thread), deleted at its end.
fn home() -> PathBuf {
    thread_local! {
        static HOME: tempfile::TempDir = tempfile::tempdir().unwrap();
    }
    HOME.with(|home| home.path().to_owned())
}

/// A folder in the build folder that stays from run to run, for compiled shaders of drivers, which take most of
/// the tests' time; a folder of this test if the build folder is not writable.
pub fn caches() -> PathBuf {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let is_ours = std::fs::create_dir_all(&kept).is_ok() && tempfile::tempfile_in(&kept).is_ok();
    if is_ours { kept } else { home().join("cache") }
}

/// Writes a picture for the program to read.
pub fn write_picture(image: &Image, path: &Path) {
    write_png(image, std::fs::File::create(path).unwrap()).unwrap();
}

/// The result of a run.
pub struct Run {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: String,
}

/// Runs to the end.
pub fn run(command: &mut Command) -> Run {
    let Output { status, stdout, stderr } = command.output().unwrap();
    Run { code: status.code(), out: stdout, err: String::from_utf8(stderr).unwrap() }
}

/// Runs; fails the test unless the program succeeds and prints no messages; returns standard output.
pub fn run_well(command: &mut Command) -> Vec<u8> {
    let run = run(command);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{command:?}");
    run.out
}
