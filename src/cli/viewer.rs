//! `sinew [MODEL]` without an output: a window. What the window cannot do itself, writing pictures and talking to
//! the terminal, is done here. It must not know what is shown or how.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use sinew::image::{Image, write_png_with};
use sinew::model::Model;
use sinew::pose::{self, ClipMix};
use sinew::scene::Scene;
use sinew::viewer::{self, Errands, Options, Stopper, ViewerError};
use sinew::vulkan::{PhysicalDevice, Preload};

use super::args::{LoadArgs, PictureArgs};
use super::open::{self, BUILTIN, Digests};
use super::recent::Recent;
use super::{Failure, picture, say, vulkan};

/// The most pictures of one name that are written beside each other.
const MOST_OF_ONE_NAME: u32 = 10_000;

/// Shows the model until its window is closed.
pub fn run(args: &PictureArgs) -> Result<(), Failure> {
    // Until the window is closed: an instance of its own keeps the libraries no longer than that.
    let _drivers = Preload::start();
    let (model, digests) = open::model_and_digests(&args.subject.model, &args.subject.load)?;
    let model = Arc::new(model);
    let scene = picture::scene(args, &model)?;
    let start = open::start(args, &model)?;
    let name = scene.model.clone();
    tracing::info!("{scene}");
    let file = args.subject.model.clone();
    let mut errands = Desk {
        digests,
        load: args.subject.load.clone(),
        stamp: stamp(&file),
        file: file.clone(),
        recent: Recent::open(),
    };
    errands.recent.remember(&file);
    vulkan::watched(&args.vulkan.validate, |instance| {
        let options = Options {
            instance,
            device: args.vulkan.device.clone(),
            cache: vulkan::cache_folder(),
            pacing: args.window.vsync.into(),
            start,
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
    /// What was shown before.
    recent: Recent,
    /// When the file was last written and how long it is, as of when it was last loaded.
    stamp: Option<(SystemTime, u64)>,
}

/// When a file was last written, and how long it is.
fn stamp(file: &OsStr) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl Errands for Desk {
    fn write_picture(
        &mut self,
        scene: &Scene,
        picture: &Image,
        device: &PhysicalDevice,
    ) -> Result<String, String> {
        let notes = picture::notes(&self.digests, device, scene.to_string());
        let path = free_name(&scene.model, "", "png")?;
        write_png_with(picture, &notes, &path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(format!("wrote {}", path.display()))
    }

    fn write_pose(&mut self, file: &str, mix: &ClipMix, model: &Model) -> Result<String, String> {
        let path = free_name(file, "-pose", "json")?;
        pose::file::save(&path, mix, model).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(format!("wrote {}", path.display()))
    }

    fn recent(&self) -> Vec<OsString> {
        self.recent.besides(&self.file)
    }

    fn load(&mut self, file: &OsStr) -> Result<Model, String> {
        let is_other = file != self.file;
        let stamp = stamp(file);
        let mut load = self.load.clone();
        if is_other {
            // The scene was asked for by name in another file.
            load.scene = None;
        } else {
            // Also of what cannot be loaded: it is tried again when it has changed.
            self.stamp = stamp;
        }
        let (model, digests) = open::model_and_digests(file, &load).map_err(|failure| failure.to_string())?;
        open::check_size(&model, file, open::MOST_KEPT).map_err(|failure| failure.to_string())?;
        (self.digests, self.load, self.stamp) = (digests, load, stamp);
        file.clone_into(&mut self.file);
        self.recent.remember(file);
        Ok(model)
    }

    fn has_changed(&mut self) -> bool {
        let now = stamp(&self.file);
        // Who writes anew may take the old file away first.
        now.is_some() && now != self.stamp
    }

    fn say(&mut self, text: &str) {
        text.lines().for_each(say);
    }
}

/// A name beside the model that no file has yet; of a built-in model, in the folder at hand.
fn free_name(model: &str, what: &str, ending: &str) -> Result<PathBuf, String> {
    let base = match model.strip_prefix(BUILTIN) {
        Some(name) => PathBuf::from(name),
        None => Path::new(model).with_extension(""),
    };
    let stem = base.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = |number| base.with_file_name(format!("{stem}{what}-{number:03}.{ending}"));
    let free = (1..=MOST_OF_ONE_NAME).map(numbered).find(|path| !path.exists());
    free.ok_or_else(|| format!("{model}: there are {MOST_OF_ONE_NAME} files beside it already"))
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
        assert_eq!(free_name(model, "", "png"), Ok(named(1)));
        std::fs::write(named(1), "").unwrap();
        std::fs::write(named(2), "").unwrap();
        assert_eq!(free_name(model, "", "png"), Ok(named(3)));
        let builtin = free_name("builtin:tube-7", "-pose", "json").unwrap();
        assert!(builtin.to_str().unwrap().starts_with("tube-7-pose-0"), "{}", builtin.display());
    }
}
