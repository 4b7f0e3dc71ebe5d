//! Opens Vulkan for one command, and closes it so that nothing it had to say is lost.
//! It must not know what the command does.

use std::path::PathBuf;
use std::sync::Arc;

use sinew::render::{Renderer, open_device};
use sinew::vulkan::InstanceOptions;

use super::Failure;
use super::args::{ValidateArgs, VulkanArgs};

/// Runs `work` with a renderer on the chosen device.
pub fn with_renderer<R>(
    args: &VulkanArgs,
    work: impl FnOnce(&mut Renderer) -> Result<R, Failure>,
) -> Result<R, Failure> {
    watched(&args.validate, |options| {
        let device = open_device(&options, &args.device)?;
        let renderer = Renderer::new(Arc::clone(&device), cache_folder().as_deref());
        let result = renderer.map_err(Failure::from).and_then(|mut renderer| work(&mut renderer));
        device.close();
        result
    })
}

/// Runs `work`, which opens Vulkan and closes it again. Errors of the validation layer and leaks, which
/// show only when everything is gone, fail the command whatever came of it.
pub fn watched<R>(
    args: &ValidateArgs,
    work: impl FnOnce(InstanceOptions) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let options = args.options();
    let messages = Arc::clone(&options.messages);
    let result = work(options);
    match messages.errors().as_slice() {
        [] => result,
        [first, rest @ ..] => Err(Failure::Validation { count: rest.len() + 1, first: first.clone() }),
    }
}

/// Where this system keeps caches, in a folder of our own.
fn cache_folder() -> Option<PathBuf> {
    let folder =
        |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else {
        folder("XDG_CACHE_HOME").or_else(|| {
            let below_home = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
            folder("HOME").map(|home| home.join(below_home))
        })
    };
    Some(caches?.join("sinew"))
}
