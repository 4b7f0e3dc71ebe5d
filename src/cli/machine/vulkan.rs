//! Opens Vulkan for one command, and closes it before collecting the last validation messages.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::render::{Renderer, open_device};
use crate::threads::ScopedTask;
use crate::vulkan::InstanceOptions;

use crate::cli::args::{ValidateArgs, VulkanArgs};
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::print::say;

/// The exit code of a device or memory that fails.
const FAILED: u8 = 4;

/// The folder of the driver's cache, if its disk is full.
static FULL: OnceLock<PathBuf> = OnceLock::new();

/// Prepares the process for drivers that run out of memory or disk. Call it before there is a second thread.
pub fn prepare_process() {
    #[cfg(target_os = "linux")]
    {
        sinew_system::end_at_crashes(FAILED);
        if let Some(folder) = crate::vulkan::spare_full_disk() {
            // The first call is the only one.
            let _ = FULL.set(folder);
        }
    }
}

/// Runs `work` with a renderer on the chosen device.
pub fn with_renderer<R>(
    args: &VulkanArgs,
    work: impl FnOnce(&mut Renderer) -> Result<R, Failure>,
) -> Result<R, Failure> {
    watched(&args.validate, |options| with_device(&options, args, || Ok(()), |renderer, ()| work(renderer)))
}

/// Runs `prepare`, which needs no device, while the device is opened, then `work` with its result. If both fail, the
/// error of `prepare` is reported.
pub fn with_renderer_while<P: Send, R>(
    args: &VulkanArgs,
    prepare: impl FnOnce() -> Result<P, Failure> + Send,
    work: impl FnOnce(&mut Renderer, P) -> Result<R, Failure>,
) -> Result<R, Failure> {
    thread::scope(|scope| {
        let prepared = ScopedTask::begin(scope, prepare);
        let wait = || prepared.result().unwrap_or_else(|panic| resume_unwind(panic));
        watched(&args.validate, |options| with_device(&options, args, wait, work))
    })
}

fn with_device<P, R>(
    options: &InstanceOptions,
    args: &VulkanArgs,
    prepared: impl FnOnce() -> Result<P, Failure>,
    work: impl FnOnce(&mut Renderer, P) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let opened = open_device(options, &args.device());
    let device = match opened {
        Ok(device) => device,
        Err(error) => return prepared().and(Err(error.into())),
    };
    let renderer = Renderer::new(Arc::clone(&device), cache_folder().as_deref());
    let result = prepared().and_then(|prepared| work(&mut renderer?, prepared));
    device.close();
    result
}

/// Runs `work`, which opens and closes Vulkan. Validation errors and leaks, which show only after everything is closed,
/// fail the command, independent of the result of `work`.
pub fn watched<R>(
    args: &ValidateArgs,
    work: impl FnOnce(InstanceOptions) -> Result<R, Failure>,
) -> Result<R, Failure> {
    if let Some(folder) = FULL.get() {
        say(&format!("note: {}: the disk is full, so the driver's cache is off", folder.display()));
    }
    let options = args.options();
    let messages = Arc::clone(&options.messages);
    let result = work(options);
    match messages.errors().as_slice() {
        [] => result,
        [first, rest @ ..] => Err(Failure::Validation { count: rest.len() + 1, first: first.clone() }),
    }
}

/// sinew's folder among this system's caches.
pub fn cache_folder() -> Option<PathBuf> {
    user_folder("XDG_CACHE_HOME", if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" })
}

/// sinew's folder in the one that the environment variable names, or below the home folder.
pub fn user_folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let folder =
        |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let users = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else {
        folder(variable).or_else(|| folder("HOME").map(|home| home.join(below_home)))
    };
    Some(users?.join("sinew"))
}
