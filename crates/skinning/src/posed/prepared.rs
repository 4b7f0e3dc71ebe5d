//! A model laid out once for the fast path, and skinned in one pose after another: as a whole, or one primitive at a time
//! into the caller's spans.

use std::collections::HashMap;

use super::{Own, SkinnedPrimitive, drawn, vertices_of};
use crate::SkinningMode;
use crate::Slot;
use crate::cpu::{Directions, Error, Exactness, Level, Order, Out, Prepared, Settings, Threads};
use crate::ddm_terms;
use crate::fault::Fault;
use crate::morph::{self, Morphed};
use crate::palette::{Palette, skin_of};
use crate::pose::{Pose, PoseChoice};
use sinew_model::{Model, Primitive};

/// Settings of the fast path for the twin's bits, on all cores. The program shows and writes this CPU result.
pub const AS_TWIN: Settings = Settings {
    level: Level::Best,
    threads: Threads::Pool,
    exactness: Exactness::Twin,
    order: Order::Source,
    directions: Directions::Unit,
};

/// A whole model laid out once for the fast path. Instances that draw a primitive with the same skin share its layout.
pub struct PreparedModel {
    layouts: Vec<Prepared>,
    /// The layout of each primitive of each instance, in the order of [`SkinnedPrimitive::all_of`].
    drawn: Vec<usize>,
    /// The number of times that the layouts were changed for a mode.
    changes: u64,
    work: Work,
}

/// Poses a model and skins its primitives, in memory that is reused from pose to pose.
#[derive(Default)]
pub struct Skinner {
    /// The pose of the next primitives.
    pose: Pose,
    work: Work,
}

/// Working memory for skinning the primitives of a pose.
#[derive(Default)]
struct Work {
    palette: Palette,
    /// The weights of morph targets, and the vertices that they move.
    weights: Vec<f32>,
    moved: Morphed,
    /// The layouts of primitives that morph, with separate vertices.
    morphed: HashMap<usize, MorphedLayout>,
}

/// A layout with morphed vertices.
struct MorphedLayout {
    prepared: Prepared,
    /// The weights of the morphed vertices.
    weights: Vec<f32>,
    /// [`PreparedModel::changes`] at the time of the copy.
    changes: u64,
}

/// One primitive of an instance, as [`SkinnedPrimitive::all_of`] counts them.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    /// The primitive's index in that order.
    pub number: usize,
    /// The instance's index.
    pub instance: usize,
    /// The primitive.
    pub primitive: &'a Primitive,
}

impl Skinner {
    /// Sets the pose of the next primitives. Clips are at `time_secs`, in place of the choice's time.
    pub fn set_pose(&mut self, model: &Model, choice: &PoseChoice, time_secs: f64, fault: Option<Fault>) {
        self.pose.set_at(model, choice, time_secs, fault);
        self.work.begin(&self.pose);
    }

    /// Sets the pose of the next primitives to a known one.
    pub fn take_pose(&mut self, pose: &Pose) {
        self.pose.clone_from(pose);
        self.work.begin(pose);
    }

    /// Returns the pose of the next primitives.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the slots that move the primitives of an instance, with their mode. They are its skin's, or, for primitives
    /// without influences, its node's as the only joint. Only those of `joints` are valid.
    pub fn slots(
        &mut self,
        model: &Model,
        instance: usize,
        has_influences: bool,
        mode: SkinningMode,
        joints: &[u32],
    ) -> (SkinningMode, &[Slot]) {
        slots(&mut self.work.palette, (model, &self.pose), instance, has_influences, mode, joints)
    }
}

impl Work {
    /// Clears the previous pose.
    fn begin(&mut self, pose: &Pose) {
        self.palette.forget();
        morph::weights_into(pose, &mut self.weights);
    }
}

fn slots<'a>(
    palette: &'a mut Palette,
    (model, pose): (&Model, &Pose),
    number: usize,
    has_influences: bool,
    mode: SkinningMode,
    joints: &[u32],
) -> (SkinningMode, &'a [Slot]) {
    let Some(instance) = model.instances.get(number) else { return (SkinningMode::Rigid, &[]) };
    let is_skinned = skin_of(model, instance, has_influences).is_some();
    let mode = if is_skinned { mode } else { SkinningMode::Rigid };
    palette.matrices(model, number, has_influences, pose);
    (mode, palette.slots(mode, joints))
}

impl PreparedModel {
    /// Lays out the model.
    ///
    /// # Errors
    /// If a primitive has more vertices than an index can count, or spans of different lengths.
    pub fn new(model: &Model) -> Result<Self, Error> {
        let mut unmorphed = Morphed::default();
        let mut numbers = HashMap::new();
        let (mut layouts, mut laid_out) = (Vec::new(), Vec::new());
        for (_, instance, p, primitive) in drawn(model) {
            let skin =
                instance.skin.filter(|_| skin_of(model, instance, primitive.influences.is_some()).is_some());
            let key = (instance.mesh, p, skin);
            let number = match numbers.get(&key) {
                Some(number) => *number,
                None => {
                    let vertices = vertices_of(model, instance, primitive, &[], &mut unmorphed, Own::NONE);
                    layouts.push(Prepared::of(&vertices)?);
                    numbers.insert(key, layouts.len() - 1);
                    layouts.len() - 1
                }
            };
            laid_out.push(number);
        }
        Ok(Self { layouts, drawn: laid_out, changes: 0, work: Work::default() })
    }

    /// Lays out a mode's input for each vertex besides joints and weights; finds the model's centres if the mode needs them
    /// and they are not known yet.
    ///
    /// # Errors
    /// If the model is not the one that was laid out.
    pub fn set_mode(&mut self, model: &Model, mode: SkinningMode, pose: &Pose) -> Result<(), Error> {
        let Self { layouts, drawn: laid_out, changes, .. } = self;
        let mut shares = Vec::new();
        for ((_, instance, p, primitive), &layout) in drawn(model).zip(laid_out.iter()) {
            let Some(skin) = skin_of(model, instance, primitive.influences.is_some()) else { continue };
            let layout = &mut layouts[layout];
            match mode {
                SkinningMode::Blended => {
                    shares.clear();
                    pose.skins.shares.of_vertices_into(skin, primitive, &mut shares);
                    let Own { shares, .. } = Own::of(model, instance, p, mode, &shares, None);
                    layout.set_shares(shares)?;
                    *changes += 1;
                }
                SkinningMode::CenterOfRotation if !layout.has_centers() => {
                    layout.set_centers(Own::of(model, instance, p, mode, &[], None).centers)?;
                    *changes += 1;
                }
                SkinningMode::DirectDeltaMush => {
                    if let Some(rows) =
                        ddm_terms::of(model, instance.mesh).filter(|rows| !layout.has_ddm(rows))
                    {
                        layout.set_ddm(Some((&rows, p)))?;
                        *changes += 1;
                    }
                }
                SkinningMode::Rigid
                | SkinningMode::Linear
                | SkinningMode::DualQuat
                | SkinningMode::DualQuatBlender
                | SkinningMode::DualQuatRigid
                | SkinningMode::CenterOfRotation => {}
            }
        }
        Ok(())
    }

    /// Skins a primitive of an instance in the skinner's pose. Call [`PreparedModel::set_mode`] first.
    ///
    /// # Errors
    /// If the processor lacks the level in the settings, or the model is not the one that was laid out.
    pub fn skin_primitive(
        &self,
        skinner: &mut Skinner,
        model: &Model,
        drawn: Drawn<'_>,
        mode: SkinningMode,
        out: Out<'_>,
        settings: &Settings,
    ) -> Result<(), Error> {
        let Skinner { pose, work } = skinner;
        self.skin_with((pose, work), model, drawn, mode, out, settings)
    }

    fn skin_with(
        &self,
        (pose, work): (&Pose, &mut Work),
        model: &Model,
        Drawn { number, instance, primitive }: Drawn<'_>,
        mode: SkinningMode,
        out: Out<'_>,
        settings: &Settings,
    ) -> Result<(), Error> {
        let layout = self.drawn.get(number).and_then(|&layout| Some((layout, self.layouts.get(layout)?)));
        let Some((layout, prepared)) = layout else {
            return Err(Error::Length { span: "primitives", given: number, expected: self.drawn.len() });
        };
        let Work { palette, weights, moved, morphed } = work;
        let has_influences = primitive.influences.is_some();
        let is_skinned = model
            .instances
            .get(instance)
            .is_some_and(|instance| skin_of(model, instance, has_influences).is_some());
        let used = if is_skinned { mode } else { SkinningMode::Rigid };
        let (mode, slots) =
            slots(palette, (model, pose), instance, has_influences, mode, prepared.used_joints(used));
        let weights = match model.instances.get(instance) {
            Some(instance) => morph::weights_of(&model.rig, instance, weights),
            None => &[],
        };
        let moves = primitive.morphs.is_some() && weights.iter().any(|weight| *weight != 0.0);
        let prepared = match moves {
            true => {
                let own = morphed.entry(layout).or_insert_with(|| MorphedLayout::of(self, prepared));
                own.morph(self, prepared, (primitive, weights), moved)?;
                &own.prepared
            }
            false => prepared,
        };
        prepared.skin(mode, slots, out, settings)
    }

    /// Skins the model by the fast path; `model` must be the one that was laid out.
    ///
    /// # Errors
    /// If the processor lacks the level in the settings, or the model is another one.
    pub fn skin(
        &mut self,
        model: &Model,
        mode: SkinningMode,
        pose: &Pose,
        settings: &Settings,
    ) -> Result<Vec<SkinnedPrimitive<f32>>, Error> {
        let mut primitives = Vec::with_capacity(self.drawn.len());
        self.skin_each(model, mode, pose, settings, |primitive| primitives.push(primitive))?;
        Ok(primitives)
    }

    /// Runs [`PreparedModel::skin`] into the memory of earlier results.
    ///
    /// # Errors
    /// If the processor lacks the level in the settings, or the model is another one.
    pub fn skin_into(
        &mut self,
        model: &Model,
        mode: SkinningMode,
        pose: &Pose,
        settings: &Settings,
        out: &mut Vec<SkinnedPrimitive<f32>>,
    ) -> Result<(), Error> {
        self.set_mode(model, mode, pose)?;
        let mut work = std::mem::take(&mut self.work);
        work.begin(pose);
        if out.len() != self.drawn.len() {
            *out = SkinnedPrimitive::all_of(model);
        }
        let mut primitives = drawn(model).zip(out).enumerate();
        let skinned = primitives.try_for_each(|(number, ((instance, _, _, primitive), out))| {
            let drawn = Drawn { number, instance, primitive };
            self.skin_with((pose, &mut work), model, drawn, mode, out.out(), settings)
        });
        self.work = work;
        skinned
    }

    /// Skins the drawn primitive with a number, in the order of [`SkinnedPrimitive::all_of`]; none if there are fewer. `model`
    /// must be the one that was laid out.
    ///
    /// # Errors
    /// If the processor lacks the level in the settings, or the model is another one.
    pub fn skin_one(
        &mut self,
        model: &Model,
        number: usize,
        mode: SkinningMode,
        pose: &Pose,
        settings: &Settings,
    ) -> Result<Option<SkinnedPrimitive<f32>>, Error> {
        let Some((instance, _, p, primitive)) = drawn(model).nth(number) else { return Ok(None) };
        self.set_mode(model, mode, pose)?;
        let mut work = std::mem::take(&mut self.work);
        work.begin(pose);
        let mut out = SkinnedPrimitive::of(primitive, instance, p);
        let drawn = Drawn { number, instance, primitive };
        let skinned = self.skin_with((pose, &mut work), model, drawn, mode, out.out(), settings);
        self.work = work;
        skinned.map(|()| Some(out))
    }

    /// Skins the model by the fast path and passes on each primitive, so that they need not all be kept; `model` must be the
    /// one that was laid out.
    ///
    /// # Errors
    /// If the processor lacks the level in the settings, or the model is another one.
    pub fn skin_each(
        &mut self,
        model: &Model,
        mode: SkinningMode,
        pose: &Pose,
        settings: &Settings,
        mut each: impl FnMut(SkinnedPrimitive<f32>),
    ) -> Result<(), Error> {
        self.set_mode(model, mode, pose)?;
        let mut work = std::mem::take(&mut self.work);
        work.begin(pose);
        let mut primitives = drawn(model).enumerate();
        let skinned = primitives.try_for_each(|(number, (instance, _, p, primitive))| {
            let mut out = SkinnedPrimitive::of(primitive, instance, p);
            let drawn = Drawn { number, instance, primitive };
            self.skin_with((pose, &mut work), model, drawn, mode, out.out(), settings)?;
            each(out);
            Ok(())
        });
        self.work = work;
        skinned
    }
}

impl MorphedLayout {
    fn of(model: &PreparedModel, prepared: &Prepared) -> Self {
        Self { prepared: prepared.clone(), weights: Vec::new(), changes: model.changes }
    }

    /// Morphs the vertices, unless they already have these weights.
    fn morph(
        &mut self,
        model: &PreparedModel,
        prepared: &Prepared,
        (primitive, weights): (&Primitive, &[f32]),
        moved: &mut Morphed,
    ) -> Result<(), Error> {
        if self.changes != model.changes {
            *self = Self::of(model, prepared);
        }
        if self.weights != weights {
            self.prepared.reshape(&moved.vertices(primitive, weights))?;
            self.weights.clear();
            self.weights.extend_from_slice(weights);
        }
        Ok(())
    }
}
