//! `sinew export`: writes skinned geometry to files.

mod moments;

use std::io;
use std::sync::Arc;

use crate::export::{Export, Format, List, Number, write, write_obj, write_terms};
use crate::model::Model;
use crate::output::{self, Inputs, Output};
use crate::render::Renderer;
use crate::skinning::mesh_normals::Coordinate;
use crate::skinning::pose::{Pose, PoseChoice};
use crate::skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, reference_model};
use crate::skinning::{MeshNormals, SkinningMode};

use crate::cli::args::{ExportArgs, Skinner};
use crate::cli::commands::materials::Materials;
use crate::cli::commands::rigged;
use crate::cli::machine::vulkan;
use crate::cli::subject::needs;
use crate::cli::subject::open;
use crate::cli::terminal::failure::Failure;
use crate::cli::terminal::frames::Stop;
use crate::cli::terminal::progress::bar;
use moments::{Moment, Place, moments};

/// Skins the model and writes the vertices.
pub fn run(args: &ExportArgs, mut inputs: Inputs) -> Result<(), Failure> {
    if args.rigged.rigged {
        return rigged::run(args, inputs);
    }
    if args.ddm {
        return terms(args, inputs);
    }
    let given = open::shown(&args.subject.model);
    let out = &args.output;
    let Some(format) = Format::of(out) else {
        let cause = "expected a file that ends in .json, .ply, .obj, .glb, .npy or .npz, or - for JSON to standard output";
        return Err(Failure::Usage(format!("{}: {cause}", out.display())));
    };
    let place = Place::of(args, format)?;
    let mut model = open::model(&args.subject.model, &args.subject.load, &mut inputs)?;
    if args.control_points {
        model = model.by_control_points().ok_or_else(|| Failure::Input {
            file: given.clone(),
            cause: "--control-points: it has none; its vertices are the file's own".to_owned(),
        })?;
    }
    let model = Arc::new(model);
    open::check_kept(&model, &args.subject.model)?;
    let choice =
        crate::cli::subject::pose::pose(&args.subject.posed, &args.subject.model, &model, &mut inputs)?;
    let inputs = inputs.close();
    let moments = moments(args, &place, choice, &given, &model)?;
    let materials = match (format, &place) {
        (Format::Obj, Place::Each(names)) => {
            Materials::of(&model, &names.without_number("materials"), &inputs)?
        }
        (Format::Obj, Place::One | Place::List) => Materials::of(&model, out, &inputs)?,
        (Format::Json | Format::Ply | Format::Glb | Format::Npy | Format::Npz, _) => None,
    };
    let outputs = place.paths(out, &moments).into_iter().map(|path| match &place {
        Place::One | Place::List => inputs.output(path),
        Place::Each(_) => inputs.numbered(path),
    });
    let outputs = outputs.collect::<Result<_, _>>()?;
    let mode = args.subject.mode.of(&model);
    needs::prepare(&model, [mode], &inputs);
    let normals = args.normals.normals.prepare(&model);
    let job =
        Job { args, mode, normals, place, outputs, given: &given, model: &model, moments, format, materials };
    job.skin()
}

/// Writes the terms of direct delta mush.
fn terms(args: &ExportArgs, mut inputs: Inputs) -> Result<(), Failure> {
    let out = &args.output;
    if Format::of(out) != Some(Format::Npz) {
        return Err(Failure::Usage(format!("{}: --ddm needs a file that ends in .npz", out.display())));
    }
    let model = open::model(&args.subject.model, &args.subject.load, &mut inputs)?;
    open::check_kept(&model, &args.subject.model)?;
    if model.instances.iter().all(|instance| instance.skin.is_none()) {
        let (file, cause) = (open::shown(&args.subject.model), "--ddm: it has no skin".to_owned());
        return Err(Failure::Input { file, cause });
    }
    let inputs = inputs.close();
    let output = inputs.output(out.clone())?;
    needs::prepare(&model, [SkinningMode::DirectDeltaMush], &inputs);
    output::write(&output, |stream| write_terms(&model, stream).map_err(Stop::from))
        .map_err(|stop| stop.on(&output))
}

struct Job<'a> {
    args: &'a ExportArgs,
    mode: SkinningMode,
    /// The model prepared for recomputed normals, if the flags ask for them.
    normals: Option<MeshNormals>,
    place: Place,
    /// One for all moments, or one for each.
    outputs: Vec<Output>,
    given: &'a str,
    model: &'a Arc<Model>,
    moments: Vec<Moment>,
    format: Format,
    materials: Option<Materials<'a>>,
}

impl Job<'_> {
    /// Skins every frame with the processor of the flags, and writes it.
    fn skin(&self) -> Result<(), Failure> {
        let Self { args, mode, model, given, .. } = *self;
        let about = |failure: Failure| failure.about(given);
        match args.on {
            Skinner::Gpu => vulkan::with_renderer(&args.vulkan, |renderer: &mut Renderer| {
                let mut gpu = renderer.upload(Arc::clone(model)).map_err(Failure::from).map_err(about)?;
                self.write(|pose| renderer.skin(&mut gpu, mode, pose).map_err(Failure::from).map_err(about))
            }),
            Skinner::Cpu => {
                let mut prepared = PreparedModel::new(model).map_err(Failure::from).map_err(about)?;
                self.write(|choice| {
                    let mut pose = Pose::default();
                    pose.set(model, choice);
                    prepared.skin(model, mode, &pose, &AS_TWIN).map_err(Failure::from).map_err(about)
                })
            }
            Skinner::Reference => self.write(|choice| {
                let mut pose = Pose::default();
                pose.set(model, choice);
                let truth = reference_model(model, mode, &pose);
                Ok(truth.into_iter().map(|truth| truth.skinned).collect())
            }),
        }
    }

    fn write<T: Number + Coordinate>(
        &self,
        mut skin: impl FnMut(&PoseChoice) -> Result<Vec<SkinnedPrimitive<T>>, Failure>,
    ) -> Result<(), Failure> {
        let bar = bar(self.moments.len() as u64, "frames");
        let mut write_one = |moment: &Moment, to: &mut dyn FnMut(&Export<'_, T>) -> Result<(), Stop>| {
            let mut primitives = skin(&moment.pose).map_err(Stop::Frame)?;
            if let Some(normals) = &self.normals {
                let mut pose = Pose::default();
                pose.set(self.model, &moment.pose);
                normals.apply(self.model, &pose, &mut primitives);
            }
            to(&self.export(moment, &primitives)?)?;
            bar.inc(1);
            Ok::<(), Stop>(())
        };
        match (&self.place, self.outputs.as_slice(), List::new(self.format, self.moments.len())) {
            (Place::List, [place], Some(mut list)) => output::write(place, |stream| {
                for moment in &self.moments {
                    write_one(moment, &mut |export| Ok(list.add(export, stream)?))?;
                }
                Ok(list.end(stream)?)
            })
            .map_err(|stop: Stop| stop.on(place)),
            (Place::One | Place::Each(_), places, _) => {
                for (moment, place) in self.moments.iter().zip(places) {
                    // The first brings the materials of an .obj.
                    let written = || {
                        output::write(place, |stream| {
                            write_one(moment, &mut |export| self.moment(moment, export, stream))
                        })
                    };
                    output::together(written, Stop::at).map_err(|stop| stop.on(place))?;
                }
                Ok(())
            }
            (Place::List, _, _) => Ok(()),
        }?;
        bar.finish_and_clear();
        Ok(())
    }

    /// The skinned primitives of a moment, if all their numbers are finite: most formats can hold no others.
    fn export<'a, T: Number>(
        &'a self,
        moment: &Moment,
        primitives: &'a [SkinnedPrimitive<T>],
    ) -> Result<Export<'a, T>, Stop> {
        let export = Export {
            given: self.given,
            model: self.model,
            mode: self.mode,
            normals: self.args.normals.normals,
            pose: moment.pose.clone(),
            on: self.args.on.name(),
            primitives,
        };
        match export.not_finite() {
            Some(place) => {
                let cause = format!("{place} is not finite after skinning");
                Err(Stop::Frame(Failure::Input { file: self.given.to_owned(), cause }))
            }
            None => Ok(export),
        }
    }

    fn moment<T: Number>(
        &self,
        moment: &Moment,
        export: &Export<'_, T>,
        stream: &mut dyn io::Write,
    ) -> Result<(), Stop> {
        match &self.materials {
            Some(materials) => {
                // All moments share them.
                if self.moments.first().is_some_and(|first| first.number == moment.number) {
                    materials.write().map_err(Stop::Frame)?;
                }
                Ok(write_obj(export, &materials.library, stream)?)
            }
            None => Ok(write(export, self.format, stream)?),
        }
    }
}
