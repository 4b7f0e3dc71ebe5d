//! Draws the pictures of a run with one renderer; each model is loaded once and kept while later pictures need it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::golden::Drawn;
use crate::model::Model;
use crate::output::Closed;
use crate::render::{GpuModel, Renderer};
use crate::scene::Scene;
use crate::view::View;

use crate::cli::args::PictureArgs;
use crate::cli::commands::picture;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;

/// The renderer, and the models that later pictures still need.
pub struct Studio<'a> {
    renderer: &'a mut Renderer,
    /// The number of pictures still to draw of each model.
    uses: HashMap<String, usize>,
    loaded: HashMap<String, Loaded>,
}

/// A model on the GPU, and the same model with nothing to draw.
struct Loaded {
    model: Arc<Model>,
    gpu: GpuModel,
    blank: GpuModel,
}

impl<'a> Studio<'a> {
    /// Prepares to draw these pictures, in this order.
    pub fn new(renderer: &'a mut Renderer, pictures: &[PictureArgs]) -> Self {
        let mut uses = HashMap::new();
        for picture in pictures {
            let count: &mut usize = uses.entry(key(picture)).or_default();
            *count = count.saturating_add(1);
        }
        Self { renderer, uses, loaded: HashMap::new() }
    }

    /// Draws a picture; returns it with its scene.
    pub fn draw(&mut self, args: &PictureArgs, inputs: &Closed) -> Result<(Drawn, Scene), Failure> {
        let key = key(args);
        let mut loaded = match self.loaded.remove(&key) {
            Some(loaded) => loaded,
            None => self.load(args, inputs)?,
        };
        let result = self.draw_loaded(args, &mut loaded, inputs);
        let left = self.uses.get_mut(&key).map_or(0, |left| {
            *left = left.saturating_sub(1);
            *left
        });
        if left > 0 {
            self.loaded.insert(key, loaded);
        } else {
            // The GPU may still read what is about to be freed.
            self.renderer.device().wait_idle()?;
        }
        result.map_err(|failure| failure.about(&open::shown(&args.subject.model)))
    }

    fn load(&self, args: &PictureArgs, inputs: &Closed) -> Result<Loaded, Failure> {
        let model = Arc::new(open::model(&args.subject.model, &args.subject.load, &mut inputs.again())?);
        // Keep the cameras and the nodes they hang on, so the background stays the same.
        let blank = Model {
            rig: model.rig.clone(),
            cameras: model.cameras.clone(),
            clips: model.clips.clone(),
            ..Model::default()
        };
        let named = |error| Failure::from(error).about(&open::shown(&args.subject.model));
        let gpu = self.renderer.upload(Arc::clone(&model)).map_err(named)?;
        let blank = self.renderer.upload(Arc::new(blank)).map_err(named)?;
        Ok(Loaded { model, gpu, blank })
    }

    fn draw_loaded(
        &mut self,
        args: &PictureArgs,
        loaded: &mut Loaded,
        inputs: &Closed,
    ) -> Result<(Drawn, Scene), Failure> {
        let scene = picture::scene(args, &loaded.model, &mut inputs.again())?;
        // Else a picture would show them only if another came before it.
        picture::find_needs(&scene, &loaded.model, inputs);
        if let Some(other) = picture::other(args, &scene, &loaded.model, &mut inputs.again())? {
            let blank = Model { rig: other.model.rig.clone(), ..Model::default() };
            self.renderer.upload_other(&mut loaded.gpu, Some(&other.model))?;
            self.renderer.upload_other(&mut loaded.blank, Some(&Arc::new(blank)))?;
        }
        let image = self.renderer.picture(&mut loaded.gpu, &scene)?;
        let skinned = self.renderer.skinned().clone();
        let blank = Some(self.renderer.picture(&mut loaded.blank, &without_skeleton(&scene))?);
        Ok((Drawn { image, blank, skinned }, scene))
    }
}

/// The scene without a skeleton view.
fn without_skeleton(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    if !scene.view.has_surfaces() {
        // Without a mesh, a view of data shows nothing.
        scene.view = View::Normals;
    }
    scene
}

/// Identifies a model: by name and by the options of its read.
fn key(args: &PictureArgs) -> String {
    format!("{:?} {:?}", args.subject.model, args.subject.load)
}
