//! What the CPU knows of a figure, kept from picture to picture: its hull, its bounds, its onion skin.

use std::sync::Arc;

use glam::DVec3;

use sinew_model::{Model, Topology};
use sinew_scene::camera::{Bounds, Orbit, normal_of_flat};
use sinew_scene::framing;
use sinew_scene::overlay::{Ghost, Onion};
use sinew_scene::scene::{Crowd, Framing, Scene};
use sinew_scene::view::{JointColors, View};
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, skin_model};
use sinew_skinning::{Drawn, Fault, SkinningMode, diagonal};

/// A model, and what was computed of it for the last pictures.
pub struct Figure {
    /// The model that was uploaded.
    pub(crate) model: Arc<Model>,
    /// The outermost points of a pose or clip.
    hull: Option<(Framed, Vec<DVec3>)>,
    /// The outermost points with the joints, which reach further than the mesh where it is not shown.
    hull_with_joints: Option<(Framed, Vec<DVec3>)>,
    /// The normal of the broad side of a flat figure, for a pose or clip.
    broad_side: Option<(Framed, Option<DVec3>)>,
    /// The outermost points of a crowd.
    hull_of_crowd: Option<(PoseChoice, Crowd, Vec<DVec3>)>,
    /// The box around a pose in a mode.
    bounds: Option<(BoundsKey, Option<Bounds>)>,
    /// The diagonal of the bind pose.
    diagonal_m: Option<f64>,
    /// The colours of the joints, once something shows them.
    joint_colors: Option<Arc<JointColors>>,
    /// The onion skin, and the figure it is drawn for.
    ghosts: Option<(GhostsKey, Arc<Vec<Ghost>>)>,
    /// Laid out for the CPU once a picture asks for that; `None` inside where it cannot be.
    prepared: Option<Option<PreparedModel>>,
}

/// The pose that is framed, and what of its motion.
#[derive(Clone)]
struct Framed(PoseChoice, Framing);

impl Framed {
    fn of(scene: &Scene) -> Self {
        Self(scene.pose.clone(), scene.framed_by())
    }

    /// Compares with another pose and framing.
    fn is_same(&self, pose: &PoseChoice, framing: Framing) -> bool {
        self.1 == framing && framing.is_same(&self.0, pose)
    }
}

/// The figure whose onion skin is drawn: its mode, its pose, its fault, and the times that are shown.
type GhostsKey = (SkinningMode, PoseChoice, Option<Fault>, Onion);

/// The figure that a box is around: its mode, its pose and its fault.
type BoundsKey = (SkinningMode, PoseChoice, Option<Fault>);

impl Figure {
    pub(crate) fn new(model: Arc<Model>) -> Self {
        Self {
            model,
            hull: None,
            hull_with_joints: None,
            broad_side: None,
            hull_of_crowd: None,
            bounds: None,
            diagonal_m: None,
            joint_colors: None,
            ghosts: None,
            prepared: None,
        }
    }

    /// The outermost points of the pose, or of the whole of its clips; computed once, not each frame.
    pub fn hull(&mut self, pose: &PoseChoice, framing: Framing) -> &[DVec3] {
        let kept = self.hull.take().filter(|(framed, _)| framed.is_same(pose, framing));
        let hull = || (Framed(pose.clone(), framing), framing::hull_of(&self.model, pose, framing));
        &self.hull.insert(kept.unwrap_or_else(hull)).1
    }

    /// The outermost points of the scene's pose or clips; of a crowd, those of all its figures.
    pub fn hull_of_all(&mut self, scene: &Scene) -> &[DVec3] {
        let Some(crowd) = scene.crowd else { return self.hull(&scene.pose, scene.framed_by()) };
        let is_same = |(framed, of, _): &(PoseChoice, Crowd, Vec<DVec3>)| {
            *of == crowd && framed.is_same_motion(&scene.pose)
        };
        let framed = self.hull_of_crowd.take().filter(is_same).unwrap_or_else(|| {
            let hull = self.hull(&scene.pose, Framing::Clip);
            let bounds = Bounds::around(hull);
            let grid = crowd.grid(bounds.max - bounds.min);
            let points = grid.ends(crowd.count).flat_map(|end| hull.iter().map(move |point| *point + end));
            (scene.pose.clone(), crowd, points.collect())
        });
        &self.hull_of_crowd.insert(framed).2
    }

    /// The points that a scene's picture has to hold; the joints are among them where it shows nothing else.
    pub fn hull_of(&mut self, scene: &Scene) -> &[DVec3] {
        if scene.view != View::Skeleton {
            return self.hull_of_all(scene);
        }
        let framing = scene.framed_by();
        let kept = self.hull_with_joints.take().filter(|(framed, _)| framed.is_same(&scene.pose, framing));
        let framed = kept.unwrap_or_else(|| {
            let mut points = self.hull(&scene.pose, framing).to_vec();
            points.extend(framing::joints(&self.model, &scene.pose, framing));
            (Framed::of(scene), points)
        });
        &self.hull_with_joints.insert(framed).1
    }

    /// The normal of the side that a scene's picture shows of a flat figure; `None` for any other.
    pub(crate) fn broad_side(&mut self, scene: &Scene) -> Option<DVec3> {
        let framing = scene.framed_by();
        let kept = self.broad_side.take().filter(|(framed, _)| framed.is_same(&scene.pose, framing));
        let found = kept.unwrap_or_else(|| {
            let normal = normal_of_flat(self.hull(&scene.pose, framing));
            (Framed::of(scene), normal.map(|normal| self.visible_side(&scene.pose, normal)))
        });
        // A crowd of flat figures is not flat.
        self.broad_side.insert(found).1.filter(|_| scene.crowd.is_none())
    }

    /// Of two sides of a flat figure the one that most of its triangles face; if they can be seen from both, the nearer.
    fn visible_side(&mut self, choice: &PoseChoice, normal: DVec3) -> DVec3 {
        // Every time in a clip is seen from the same side.
        let choice = if let PoseChoice::Clips(_) = choice { &PoseChoice::Rest } else { choice };
        let mut pose = Pose::default();
        pose.set(&self.model, choice);
        let skinned = self.skin(SkinningMode::Linear, &pose);
        let (mut facing, mut all) = (0.0, 0.0);
        for SkinnedPrimitive { instance, primitive, positions, .. } in &skinned {
            let mesh =
                self.model.instances.get(*instance).and_then(|shown| self.model.meshes.get(shown.mesh));
            let Some(primitive) = mesh.and_then(|mesh| mesh.primitives.get(*primitive)) else { continue };
            let material = primitive.material.and_then(|material| self.model.materials.get(material));
            if primitive.topology != Topology::Triangles || material.is_some_and(|both| both.double_sided) {
                continue;
            }
            let place = |corner: u32| positions.get(corner as usize).map(|at| DVec3::from(at.map(f64::from)));
            for &[a, b, c] in primitive.indices.as_chunks::<3>().0 {
                if let (Some(a), Some(b), Some(c)) = (place(a), place(b), place(c)) {
                    let towards = (b - a).cross(c - a).dot(normal);
                    facing += towards;
                    all += towards.abs();
                }
            }
        }
        match facing.abs() > all * 0.1 {
            true => normal * facing.signum(),
            false => Orbit::nearer_side(normal),
        }
    }

    /// Takes a hull that was computed elsewhere.
    pub(crate) fn set_hull(&mut self, pose: &PoseChoice, framing: Framing, hull: Vec<DVec3>) {
        self.hull = Some((Framed(pose.clone(), framing), hull));
        self.broad_side = None;
    }

    /// The colours of the joints.
    pub(crate) fn joint_colors(&mut self) -> Arc<JointColors> {
        let model = &self.model;
        Arc::clone(self.joint_colors.get_or_insert_with(|| Arc::new(JointColors::new(model))))
    }

    /// The diagonal of the box around the bind pose, in metres.
    pub(crate) fn diagonal(&mut self) -> f64 {
        *self.diagonal_m.get_or_insert_with(|| diagonal(&self.model, &Drawn::new(&self.model)))
    }

    /// The box around everything the model draws, as it stands; `None` where it has no vertices.
    pub(crate) fn bounds(&mut self, mode: SkinningMode, choice: &PoseChoice, pose: &Pose) -> Option<Bounds> {
        let key = (mode, choice.clone(), pose.fault());
        // Every tile of a large picture asks again.
        if let Some((_, bounds)) = self.bounds.as_ref().filter(|(known, _)| *known == key) {
            return *bounds;
        }
        let mut bounds = Bounds::EMPTY;
        let skinned = self.skin(mode, pose);
        for position in skinned.iter().flat_map(|primitive| &primitive.positions) {
            bounds.add(DVec3::from(position.map(f64::from)));
        }
        let bounds = bounds.min.cmple(bounds.max).all().then_some(bounds);
        self.bounds = Some((key, bounds));
        bounds
    }

    /// The figure at other times, where the scene shows an onion skin.
    pub(crate) fn ghosts(&mut self, scene: &Scene) -> Arc<Vec<Ghost>> {
        let (Some(onion), PoseChoice::Clips(mix)) = (scene.onion, &scene.pose) else { return Arc::default() };
        let asked = (scene.mode, scene.pose.clone(), scene.inject, onion);
        // Every tile of a large picture asks for the same.
        if let Some((_, ghosts)) = self.ghosts.as_ref().filter(|(drawn, _)| *drawn == asked) {
            return Arc::clone(ghosts);
        }
        let period = self.model.period_of_all(mix.all());
        let mut pose = Pose::default();
        let ghost = |(time_secs, away)| {
            let choice = PoseChoice::Clips(ClipMix { time_secs, ..mix.clone() });
            pose.set_with(&self.model, &choice, scene.inject);
            Ghost { away, skinned: self.skin(scene.mode, &pose) }
        };
        let ghosts: Arc<Vec<Ghost>> = Arc::new(onion.times(mix.time_secs, period).map(ghost).collect());
        self.ghosts = Some((asked, Arc::clone(&ghosts)));
        ghosts
    }

    /// Lays the model out for the fast path, and for the scene's mode; `None` where that blends with a fault, which the
    /// twin alone does, or the model cannot be laid out. Goes back with [`Figure::keep`].
    pub(crate) fn prepare(&mut self, scene: &Scene, pose: &Pose) -> Option<PreparedModel> {
        if pose.fault().is_some_and(|fault| fault.is_in_blending(scene.mode)) {
            return None;
        }
        let model = &self.model;
        let prepared = self.prepared.take().unwrap_or_else(|| PreparedModel::new(model).ok());
        let Some(mut prepared) = prepared else {
            self.prepared = Some(None);
            return None;
        };
        match prepared.set_mode(model, scene.mode, pose) {
            Ok(()) => Some(prepared),
            Err(_) => {
                self.prepared = Some(None);
                None
            }
        }
    }

    /// Takes back what [`Figure::prepare`] gave.
    pub(crate) fn keep(&mut self, prepared: PreparedModel) {
        self.prepared = Some(Some(prepared));
    }

    /// Everything the model draws, skinned by the CPU.
    pub fn skin(&mut self, mode: SkinningMode, pose: &Pose) -> Vec<SkinnedPrimitive<f32>> {
        let model = &self.model;
        // The fast path blends without faults.
        if pose.fault().is_some_and(|fault| fault.is_in_blending(mode)) {
            return skin_model(model, mode, pose);
        }
        let prepared = self.prepared.get_or_insert_with(|| PreparedModel::new(model).ok());
        let skinned = prepared.as_mut().map(|prepared| prepared.skin(model, mode, pose, &AS_TWIN));
        match skinned {
            Some(Ok(skinned)) => skinned,
            // The twin takes longer and gives the same bits, for any model built by hand, too.
            Some(Err(_)) | None => skin_model(model, mode, pose),
        }
    }

    /// Frees the model's pictures, which are on the GPU, unless someone else holds the model.
    pub(crate) fn release_pictures(&mut self) {
        if let Some(model) = Arc::get_mut(&mut self.model) {
            model.pictures.iter_mut().for_each(|picture| *picture = None);
        }
    }
}
