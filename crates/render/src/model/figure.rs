//! CPU data of a figure, kept from picture to picture: its hull, its bounds, its onion skin.

use std::sync::Arc;

use glam::DVec3;

use sinew_model::{Model, Topology};
use sinew_scene::camera::{Bounds, Orbit, normal_of_flat};
use sinew_scene::framing;
use sinew_scene::overlay::{Ghost, Onion};
use sinew_scene::scene::{Crowd, Framing, GhostPose, Scene};
use sinew_scene::view::JointColors;
use sinew_skinning::delta_mush::DeltaMush;
use sinew_skinning::pose::{ClipMix, Pose, PoseChoice};
use sinew_skinning::posed::{AS_TWIN, PreparedModel, SkinnedPrimitive, skin_model};
use sinew_skinning::{Drawn, Fault, Measure, MeshNormals, Normals, SkinningMode, Yardstick, diagonal};

/// A model, and data computed for the last pictures.
pub struct Figure {
    /// The uploaded model.
    pub(crate) model: Arc<Model>,
    /// The outermost points of a pose or clip.
    hull: Option<(Framed, Vec<DVec3>)>,
    /// The outermost points including the joints, which extend beyond the mesh if it is not shown.
    hull_with_joints: Option<(Framed, Vec<DVec3>)>,
    /// The normal of the broad side of a flat figure, for a pose or clip.
    broad_side: Option<(Framed, Option<DVec3>)>,
    /// The outermost points of a crowd.
    hull_of_crowd: Option<(PoseChoice, Crowd, Vec<DVec3>)>,
    /// The bounding box of a pose in a mode.
    bounds: Option<(BoundsKey, Option<Bounds>)>,
    /// The diagonal of the bind pose.
    diagonal_m: Option<f64>,
    /// The colours of the joints, once computed.
    joint_colors: Option<Arc<JointColors>>,
    /// The onion skin and another pose, and their key.
    ghosts: Option<(GhostsKey, Arc<Vec<Ghost>>)>,
    /// The outermost points of all panes of a storyboard.
    hull_of_panes: Option<(Vec<Pane>, Vec<DVec3>)>,
    /// The outermost points including those of poses behind the figure.
    hull_with_ghost: Option<(Pane, Vec<DVec3>)>,
    /// The layout for the CPU, once a picture needs it; `None` inside if there cannot be one.
    prepared: Option<Option<PreparedModel>>,
    /// The model prepared for delta mush, once a picture needs it.
    mush: Option<Arc<DeltaMush>>,
    /// The model prepared for recomputed normals, once a picture needs it.
    mesh_normals: Option<Arc<MeshNormals>>,
}

/// The framed pose, and the part of its motion.
#[derive(Clone)]
struct Framed(PoseChoice, Framing);

impl Framed {
    fn of(scene: &Scene) -> Self {
        Self(scene.pose.clone(), scene.framed_by())
    }

    /// Returns true if another pose and framing give this hull.
    fn is_same(&self, pose: &PoseChoice, framing: Framing) -> bool {
        self.1 == framing && framing.is_same(&self.0, pose)
    }
}

/// The facts of a pane on which its outermost points depend.
struct Pane {
    framed: Framed,
    behind: Vec<PoseChoice>,
    has_skeleton: bool,
}

impl Pane {
    fn of(scene: &Scene) -> Self {
        Self { framed: Framed::of(scene), behind: scene.behind(), has_skeleton: scene.view.has_skeleton() }
    }

    fn is_same(&self, scene: &Scene) -> bool {
        self.framed.is_same(&scene.pose, scene.framed_by())
            && self.behind == scene.behind()
            && self.has_skeleton == scene.view.has_skeleton()
    }
}

/// The key of an onion skin and another pose: the mode or delta mush, the pose, the fault, the times, and that pose.
type GhostsKey = (Yardstick, PoseChoice, Option<Fault>, Option<Onion>, Option<GhostPose>);

/// The key of a bounding box: its mode or delta mush, its pose and its fault.
type BoundsKey = (Yardstick, PoseChoice, Option<Fault>);

impl Figure {
    /// Prepares a model that nothing has drawn yet.
    pub fn new(model: Arc<Model>) -> Self {
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
            hull_of_panes: None,
            hull_with_ghost: None,
            prepared: None,
            mush: None,
            mesh_normals: None,
        }
    }

    /// Returns the outermost points of the pose, or of the whole of its clips; caches them between frames.
    pub fn hull(&mut self, pose: &PoseChoice, framing: Framing) -> &[DVec3] {
        let kept = self.hull.take().filter(|(framed, _)| framed.is_same(pose, framing));
        let hull = || (Framed(pose.clone(), framing), framing::hull_of(&self.model, pose, framing));
        &self.hull.insert(kept.unwrap_or_else(hull)).1
    }

    /// Returns the outermost points of the scene's pose or clips; for a crowd, those of all its figures.
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

    /// Returns the points that a scene's picture must contain: those of all panes of a storyboard that share a viewpoint. In the
    /// skeleton view, they include the joints, and with another pose behind the figure also that one's.
    pub fn hull_of(&mut self, scene: &Scene) -> &[DVec3] {
        let panes = scene.sharing();
        if !panes.is_empty() {
            return self.hull_of_panes(&panes);
        }
        let behind = scene.behind();
        if behind.is_empty() {
            return self.hull_without_ghost(scene);
        }
        let kept = self.hull_with_ghost.take().filter(|(framed, _)| framed.is_same(scene));
        let framed = kept.unwrap_or_else(|| {
            let mut points = self.hull_without_ghost(scene).to_vec();
            for pose in &behind {
                points.extend(framing::hull_of(&self.model, pose, Framing::Time));
            }
            (Pane::of(scene), points)
        });
        &self.hull_with_ghost.insert(framed).1
    }

    /// Returns the points that all of some panes must contain.
    fn hull_of_panes(&mut self, panes: &[Scene]) -> &[DVec3] {
        let is_same = |(framed, _): &(Vec<Pane>, _)| {
            framed.len() == panes.len() && framed.iter().zip(panes).all(|(pane, scene)| pane.is_same(scene))
        };
        let kept = self.hull_of_panes.take().filter(is_same);
        let found = kept.unwrap_or_else(|| {
            let points = panes.iter().flat_map(|pane| self.hull_of(pane).to_vec()).collect();
            (panes.iter().map(Pane::of).collect(), points)
        });
        &self.hull_of_panes.insert(found).1
    }

    fn hull_without_ghost(&mut self, scene: &Scene) -> &[DVec3] {
        if !scene.view.has_skeleton() {
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

    /// Returns the normal of the visible side of a flat figure; `None` for any other.
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

    /// Returns the normal of the side that most triangles of a flat figure face; if both sides are visible, the
    /// nearer one.
    fn visible_side(&mut self, choice: &PoseChoice, normal: DVec3) -> DVec3 {
        // A clip shows one side at every time.
        let choice = if let PoseChoice::Clips(_) = choice { &PoseChoice::Rest } else { choice };
        let mut pose = Pose::default();
        pose.set(&self.model, choice);
        let skinned = self.skin(SkinningMode::Linear.into(), &pose);
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

    /// Sets a hull that was computed elsewhere.
    pub(crate) fn set_hull(&mut self, pose: &PoseChoice, framing: Framing, hull: Vec<DVec3>) {
        self.hull = Some((Framed(pose.clone(), framing), hull));
        self.broad_side = None;
    }

    /// Returns the colours of the joints.
    pub(crate) fn joint_colors(&mut self) -> Arc<JointColors> {
        let model = &self.model;
        Arc::clone(self.joint_colors.get_or_insert_with(|| Arc::new(JointColors::new(model))))
    }

    /// Returns the diagonal of the bind pose's bounding box, in metres.
    pub(crate) fn diagonal(&mut self) -> f64 {
        *self.diagonal_m.get_or_insert_with(|| diagonal(&self.model, &Drawn::new(&self.model)))
    }

    /// Returns the bounding box of everything the model draws, in its pose; `None` if it has no vertices.
    pub(crate) fn bounds(&mut self, drawn: Yardstick, choice: &PoseChoice, pose: &Pose) -> Option<Bounds> {
        let key = (drawn, choice.clone(), pose.fault());
        // Each tile of a large picture needs it.
        if let Some((_, bounds)) = self.bounds.as_ref().filter(|(known, _)| *known == key) {
            return *bounds;
        }
        let mut bounds = Bounds::EMPTY;
        let skinned = self.skin(drawn, pose);
        for position in skinned.iter().flat_map(|primitive| &primitive.positions) {
            bounds.add(DVec3::from(position.map(f64::from)));
        }
        let bounds = bounds.min.cmple(bounds.max).all().then_some(bounds);
        self.bounds = Some((key, bounds));
        bounds
    }

    /// Returns the figure at other times and in another pose, if the scene shows them.
    pub(crate) fn ghosts(&mut self, scene: &Scene) -> Arc<Vec<Ghost>> {
        if scene.onion.is_none() && scene.ghost.is_none() {
            return Arc::default();
        }
        let asked = (scene.drawn(), scene.pose.clone(), scene.inject, scene.onion, scene.ghost.clone());
        // Each tile of a large picture needs them.
        if let Some((_, ghosts)) = self.ghosts.as_ref().filter(|(drawn, _)| *drawn == asked) {
            return Arc::clone(ghosts);
        }
        let mut choices = Vec::new();
        if let (Some(onion), PoseChoice::Clips(mix)) = (scene.onion, &scene.pose) {
            let period = self.model.period_of_all(mix.all());
            let at = |time_secs| PoseChoice::Clips(ClipMix { time_secs, ..mix.clone() });
            choices.extend(onion.times(mix.time_secs, period).map(|(time, away)| (at(time), Some(away))));
        }
        choices.extend(scene.ghost_pose().map(|pose| (pose, None)));
        let mut pose = Pose::default();
        let ghost = |(choice, away)| {
            pose.set_with(&self.model, &choice, scene.inject);
            Ghost { away, skinned: self.skin(scene.drawn(), &pose) }
        };
        let ghosts: Arc<Vec<Ghost>> = Arc::new(choices.into_iter().map(ghost).collect());
        self.ghosts = Some((asked, Arc::clone(&ghosts)));
        ghosts
    }

    /// Lays out the model for the fast path, and for the scene's mode. `None` if the model cannot be laid out, or if
    /// the mode blends with a fault or the scene draws delta mush, which only the twin supports. Return it with [`Figure::keep`].
    pub(crate) fn prepare(&mut self, scene: &Scene, pose: &Pose) -> Option<PreparedModel> {
        if scene.mush.is_drawn || pose.fault().is_some_and(|fault| fault.is_in_blending(scene.mode)) {
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

    /// Stores the layout from [`Figure::prepare`] again.
    pub(crate) fn keep(&mut self, prepared: PreparedModel) {
        self.prepared = Some(Some(prepared));
    }

    /// Prepares the model for measuring in a mode, or in delta mush.
    pub(crate) fn measure(&mut self, yardstick: Yardstick) -> Measure {
        let Some(settings) = yardstick.mush() else { return yardstick.measure(&self.model) };
        let known = self.mush.take().filter(|mush| mush.settings() == settings);
        let mush = known.unwrap_or_else(|| Arc::new(DeltaMush::new(&self.model, settings)));
        self.mush = Some(Arc::clone(&mush));
        Measure { mode: yardstick.mode(), mush: Some(mush) }
    }

    /// Prepares the model for normals from this source.
    pub(crate) fn mesh_normals(&mut self, normals: Normals) -> Option<Arc<MeshNormals>> {
        if normals == Normals::Recomputed && self.mesh_normals.is_none() {
            self.mesh_normals = normals.prepare(&self.model).map(Arc::new);
        }
        self.mesh_normals.as_ref().filter(|_| normals == Normals::Recomputed).map(Arc::clone)
    }

    /// Skins everything the model draws, on the CPU. Normals are those of the mode.
    pub fn skin(&mut self, drawn: Yardstick, pose: &Pose) -> Vec<SkinnedPrimitive<f32>> {
        if let Some(mush) = self.measure(drawn).mush {
            return mush.skin(&self.model, pose);
        }
        let (mode, model) = (drawn.mode(), &self.model);
        // The fast path blends without faults.
        if pose.fault().is_some_and(|fault| fault.is_in_blending(mode)) {
            return skin_model(model, mode, pose);
        }
        let prepared = self.prepared.get_or_insert_with(|| PreparedModel::new(model).ok());
        let skinned = prepared.as_mut().map(|prepared| prepared.skin(model, mode, pose, &AS_TWIN));
        match skinned {
            Some(Ok(skinned)) => skinned,
            // The twin takes longer and gives identical bits, even for a hand-built model.
            Some(Err(_)) | None => skin_model(model, mode, pose),
        }
    }

    /// Frees the CPU copies of the model's textures, unless the model is shared.
    pub(crate) fn release_pictures(&mut self) {
        if let Some(model) = Arc::get_mut(&mut self.model) {
            model.pictures.iter_mut().for_each(|picture| *picture = None);
        }
    }
}
