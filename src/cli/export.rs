//! `sinew export`: writes skinned geometry to a file.

use std::sync::Arc;

use crate::export::{Export, Format, Number, write, write_obj};
use crate::model::Model;
use crate::output::{self, Inputs, Output};
use crate::render::Renderer;
use crate::skinning::pose::{Pose, PoseChoice};
use crate::skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, reference_model};

use super::args::{ExportArgs, Skinner};
use super::failure::Failure;
use super::materials::Materials;
use super::{centers, open, rigged, vulkan};

/// Skins the model and writes the vertices.
pub fn run(args: &ExportArgs, mut inputs: Inputs) -> Result<(), Failure> {
    if args.rigged.rigged {
        return rigged::run(args, inputs);
    }
    let given = open::shown(&args.subject.model);
    let out = &args.output;
    let Some(format) = Format::of(out) else {
        let cause =
            "expected a file that ends in .json, .ply, .obj or .glb, or - for JSON to standard output";
        return Err(Failure::Usage(format!("{}: {cause}", out.display())));
    };
    let mut model = open::model(&args.subject.model, &args.subject.load, &mut inputs)?;
    if args.control_points {
        model = model.by_control_points().ok_or_else(|| Failure::Input {
            file: given.clone(),
            cause: "--control-points: it has none; its vertices are the file's own".to_owned(),
        })?;
    }
    let model = Arc::new(model);
    open::check_size(&model, &args.subject.model, open::MOST_KEPT)?;
    let choice = super::pose::pose(&args.subject.posed, &args.subject.model, &model, &mut inputs)?;
    let materials = match format {
        Format::Obj => Materials::of(&model, out, &inputs)?,
        Format::Json | Format::Ply | Format::Glb => None,
    };
    let out = inputs.output(out)?;
    let mut pose = Pose::default();
    pose.set(&model, &choice);
    let mode = args.subject.mode.of(&model);
    centers::prepare(&model, [mode], &inputs);
    let job = Job { args, out, given: &given, model: &model, choice: choice.clone(), format, materials };
    match args.on {
        Skinner::Gpu => {
            let skin = |renderer: &mut Renderer| {
                let mut gpu = renderer.upload(Arc::clone(&model))?;
                Ok(renderer.skin(&mut gpu, mode, &choice)?)
            };
            job.write(&vulkan::with_renderer(&args.vulkan, |renderer| {
                skin(renderer).map_err(|failure: Failure| failure.about(&given))
            })?)
        }
        Skinner::Cpu => {
            let skin = || Ok(PreparedModel::new(&model)?.skin(&model, mode, &pose, &AS_TWIN)?);
            job.write(&skin().map_err(|failure: Failure| failure.about(&given))?)
        }
        Skinner::Reference => {
            let truth = reference_model(&model, mode, &pose);
            job.write(&truth.into_iter().map(|truth| truth.skinned).collect::<Vec<_>>())
        }
    }
}

struct Job<'a> {
    args: &'a ExportArgs,
    out: Output,
    given: &'a str,
    model: &'a Model,
    choice: PoseChoice,
    format: Format,
    materials: Option<Materials<'a>>,
}

impl Job<'_> {
    fn write<T: Number>(&self, primitives: &[SkinnedPrimitive<T>]) -> Result<(), Failure> {
        let export = Export {
            given: self.given,
            model: self.model,
            mode: self.args.subject.mode.of(self.model),
            pose: self.choice.clone(),
            on: self.args.on.name(),
            primitives,
        };
        // None of the formats can hold NaN or infinity.
        if let Some(place) = export.not_finite() {
            let cause = format!("{place} is not finite after skinning");
            return Err(Failure::Input { file: self.given.to_owned(), cause });
        }
        if let Some(materials) = &self.materials {
            materials.write()?;
        }
        let written = output::write(&self.out, |stream| match &self.materials {
            Some(materials) => write_obj(&export, &materials.library, stream),
            None => write(&export, self.format, stream),
        });
        written.map_err(|cause| Failure::output(self.out.path(), cause))
    }
}
