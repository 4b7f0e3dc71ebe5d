//! `sinew [MODEL]` without an output: a window. What the window cannot do itself, writing pictures and talking to
//! the terminal, is done here. It must not know what is shown or how.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::image::{Image, write_png_with};
use sinew::scene::Scene;
use sinew::viewer::{self, Errands, Options, Stopper, ViewerError};
use sinew::vulkan::PhysicalDevice;

use super::args::PictureArgs;
use super::open::{self, BUILTIN, Digests};
use super::{Failure, picture, say, vulkan};

/// The most pictures of one name that are written beside each other.
const MOST_OF_ONE_NAME: u32 = 10_000;

/// Shows the model until its window is closed.
pub fn run(args: &PictureArgs) -> Result<(), Failure> {
    let (model, digests) = open::model_and_digests(&args.subject.model, &args.subject.load)?;
    let model = Arc::new(model);
    let scene = picture::scene(args, &model)?;
    let name = scene.model.clone();
    tracing::info!("{scene}");
    let mut errands = Desk { digests };
    vulkan::watched(&args.vulkan.validate, |instance| {
        let options = Options {
            instance,
            device: args.vulkan.device.clone(),
            cache: vulkan::cache_folder(),
            pacing: args.window.vsync.into(),
            clock: args.window.clock(),
        };
        viewer::run(model, scene, options, &mut errands, stop_on_signals).map_err(|error| match error {
            ViewerError::Vulkan(error) => Failure::from(error).about(&name),
            error => Failure::Window(error.to_string()),
        })
    })
}

/// Ctrl+C in the terminal and a polite kill close the window as its own button does.
fn stop_on_signals(stopper: Stopper) {
    if let Err(error) = ctrlc::set_handler(move || stopper.stop()) {
        tracing::warn!("signals end the program at once: {error}");
    }
}

/// Where the window's errands are run.
struct Desk {
    digests: Digests,
}

impl Errands for Desk {
    fn write_picture(&mut self, scene: &Scene, picture: &Image, device: &PhysicalDevice) -> String {
        let notes = picture::notes(&self.digests, device, scene.to_string());
        let Some(path) = free_name(&scene.model) else {
            return format!("{}: there are {MOST_OF_ONE_NAME} pictures of it already", scene.model);
        };
        match write_png_with(picture, &notes, &path) {
            Ok(()) => format!("wrote {}", path.display()),
            Err(error) => format!("{}: {error}", path.display()),
        }
    }

    fn say(&mut self, text: &str) {
        text.lines().for_each(say);
    }
}

/// A name beside the model that no file has yet; of a built-in model, in the folder at hand.
fn free_name(model: &str) -> Option<PathBuf> {
    let base = match model.strip_prefix(BUILTIN) {
        Some(name) => PathBuf::from(name),
        None => Path::new(model).with_extension(""),
    };
    let stem = base.file_name()?.to_string_lossy().into_owned();
    let numbered = |number| base.with_file_name(format!("{stem}-{number:03}.png"));
    (1..=MOST_OF_ONE_NAME).map(numbered).find(|path| !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_go_beside_the_model_and_over_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("my.fox.glb");
        let named = |number| folder.path().join(format!("my.fox-00{number}.png"));
        let model = model.to_str().unwrap();
        assert_eq!(free_name(model), Some(named(1)));
        std::fs::write(named(1), "").unwrap();
        std::fs::write(named(2), "").unwrap();
        assert_eq!(free_name(model), Some(named(3)));
        let builtin = free_name("builtin:tube-7").unwrap();
        assert!(builtin.to_str().unwrap().starts_with("tube-7-"), "{}", builtin.display());
    }
}
