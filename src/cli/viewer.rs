//! `sinew [MODEL]` without an output: a window. What the window cannot do itself, writing pictures and talking to
//! the terminal, is done here. It must not know what is shown or how.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use sinew::image::{Image, write_png_with};
use sinew::model::Model;
use sinew::scene::Scene;
use sinew::viewer::{self, Errands, Options, Stopper, ViewerError};
use sinew::vulkan::PhysicalDevice;

use super::args::{LoadArgs, PictureArgs};
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
    let file = args.subject.model.clone();
    let mut errands = Desk { digests, load: args.subject.load.clone(), stamp: None, file: file.clone() };
    errands.stamp = errands.stamp_now();
    vulkan::watched(&args.vulkan.validate, |instance| {
        let options = Options {
            instance,
            device: args.vulkan.device.clone(),
            cache: vulkan::cache_folder(),
            pacing: args.window.vsync.into(),
            clock: args.window.clock(),
        };
        viewer::run(model, file, scene, options, &mut errands, stop_on_signals).map_err(|error| match error {
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
    load: LoadArgs,
    file: OsString,
    /// When the file was last written and how long it is, as of when it was last loaded.
    stamp: Option<(SystemTime, u64)>,
}

impl Desk {
    fn stamp_now(&self) -> Option<(SystemTime, u64)> {
        let metadata = std::fs::metadata(&self.file).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    }
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

    fn load(&mut self, file: &OsStr) -> Result<Model, String> {
        file.clone_into(&mut self.file);
        // Also of what cannot be loaded: it is tried again when it has changed.
        self.stamp = self.stamp_now();
        let (model, digests) =
            open::model_and_digests(file, &self.load).map_err(|failure| failure.to_string())?;
        open::check_size(&model, file, open::MOST_KEPT).map_err(|failure| failure.to_string())?;
        self.digests = digests;
        Ok(model)
    }

    fn has_changed(&mut self) -> bool {
        let now = self.stamp_now();
        // Who writes anew may take the old file away first.
        now.is_some() && now != self.stamp
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
