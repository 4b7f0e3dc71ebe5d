//! A model made of a composed scene.

use std::collections::{BTreeSet, HashMap};

use openusd::sdf::Path;

use super::Work;
use super::bindings::{self, Binding};
use super::cameras;
use super::clips::Motion;
use super::instancers;
use super::layers::Layers;
use super::lights;
use super::looks::Looks;
use super::meshes::{Wanted, morphs, polygons};
use super::nodes::{Moving, Nodes};
use super::pictures::Pictures;
use super::shapes::{self, Target};
use super::skeletons::{self, Skeleton};
use super::skins::{self, Skinned};
use super::stage::{CLIPS, Prim, Stage};
use super::values;
use crate::reading::LoadError;
use crate::reading::message::counted;
use crate::statistics::InfluenceStatistics;
use crate::{Clip, Instance, Mesh, Model, SceneRoots, Skin, SkinningMethod};

/// Progress range of the meshes.
const MESHES: std::ops::Range<f64> = 0.3..0.8;

/// Types of surfaces that are not read.
const UNREAD: [&str; 11] = [
    "BasisCurves",
    "Capsule",
    "Cone",
    "Cube",
    "Cylinder",
    "HermiteCurves",
    "NurbsCurves",
    "NurbsPatch",
    "Plane",
    "Points",
    "Sphere",
];

/// A model, and the skin of each of its meshes.
pub struct Scene {
    pub model: Model,
    pub skinned: Vec<Option<Skinned>>,
}

/// The scene as it is read.
struct Source<'a> {
    stage: &'a Stage,
    prims: Vec<Prim>,
    numbers: HashMap<Path, usize>,
    /// The subsets below each prim that has any.
    subsets: HashMap<usize, Vec<usize>>,
    bindings: Vec<Binding>,
    skeletons: HashMap<Path, Skeleton>,
}

/// The scene as one of its variants shows it.
struct Shown<'a> {
    stage: &'a Stage,
    bindings: &'a [Binding],
    moving: &'a [Moving],
}

/// A mesh's faces of one material.
struct Part {
    faces: Vec<usize>,
    material: Option<Path>,
}

impl Scene {
    /// Reads a scene.
    ///
    /// # Errors
    /// If it is broken, or asks for more memory than a file of its size may take.
    pub fn read(stage: &Stage, layers: &Layers, work: &mut Work<'_>) -> Result<Self, LoadError> {
        let prims = stage.prims(work.budget)?;
        let mut nodes = Nodes::of(stage, &prims)?;
        let skeletons = skeletons::read(stage, &prims, &mut nodes, work)?;
        let numbers = prims.iter().map(|prim| prim.path.clone()).zip(0..).collect();
        let bindings = bindings::of(stage, &prims);
        let mut subsets: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, prim) in prims.iter().enumerate().filter(|(_, prim)| prim.kind == "GeomSubset") {
            prim.parent.iter().for_each(|parent| subsets.entry(*parent).or_default().push(number));
        }
        let source = Source { stage, prims, numbers, subsets, bindings, skeletons };
        let mut scene = Self { model: Model::default(), skinned: Vec::new() };
        let pictures = Pictures::of(stage, &source.prims, layers);
        let mut looks = Looks::new(stage, pictures);
        let (mut all_targets, mut cages) = (Vec::new(), 0usize);
        let (inside, mut meshes) = (instancers::inside(&source.prims), HashMap::new());
        for (number, prim) in source.prims.iter().enumerate() {
            work.watch.part(MESHES, number, source.prims.len())?;
            let node = nodes.of.get(&prim.path).copied();
            let (Some(node), Some(binding), "Mesh") = (node, source.bindings.get(number), prim.kind.as_str())
            else {
                continue;
            };
            let mesh = scene.model.meshes.len();
            let targets = source.mesh(prim, binding, &mut looks, &mut cages, &mut scene, work)?;
            let is_skinned = scene.skinned.last().is_some_and(Option::is_some);
            meshes.insert(number, (mesh, is_skinned));
            if binding.is_shown() && inside.get(number) != Some(&true) {
                let skin = scene.skinned.last().and_then(Option::as_ref).map(|skinned| {
                    scene.model.skins.push(skinned.skin.clone());
                    scene.model.skins.len().saturating_sub(1)
                });
                scene.model.instances.push(Instance { node, mesh, skin });
            }
            all_targets.push((node, number, targets));
        }
        let Source { stage, prims, numbers, bindings, .. } = &source;
        let copies =
            instancers::Source { stage, prims, numbers, bindings, meshes: &meshes }.read(&mut nodes, work)?;
        scene.set_shares();
        source.clips(&mut nodes, &all_targets, &mut scene.model, work)?;
        source.warn(cages, work);
        source.set_rest_weights(&mut nodes, &all_targets, instancers::weights(&copies, &scene.model.meshes));
        scene.model.instances.extend(copies);
        scene.model.cameras = cameras::read(stage, &source.prims, &nodes, work);
        scene.model.lights = lights::read(stage, &source.prims, &source.bindings, &nodes, work);
        scene.model.rig = nodes.rig;
        (scene.model.materials, scene.model.pictures) = looks.finish(work)?;
        scene.model.scenes = vec![SceneRoots { name: String::new(), roots: vec![0] }];
        scene.model.scene = Some(0);
        scene.model.frames_per_second = Some(stage.rate());
        Ok(scene)
    }

    /// Gives vertices shares where skins of the file have different methods.
    fn set_shares(&mut self) {
        let methods = |skin: &Skin| skin.method;
        let first = self.model.skins.first().and_then(methods);
        if self.model.skins.iter().all(|skin| methods(skin) == first) {
            return;
        }
        for (mesh, skinned) in self.model.meshes.iter_mut().zip(&self.skinned) {
            let Some(skinned) = skinned else { continue };
            let is_dual = skinned.skin.method == Some(SkinningMethod::DualQuaternion);
            let share = if is_dual { 1.0 } else { 0.0 };
            for primitive in &mut mesh.primitives {
                primitive.shares = Some(vec![share; primitive.positions.len()]);
            }
        }
    }
}

impl Source<'_> {
    /// Reads a mesh and its skin; returns its morph targets.
    fn mesh(
        &self,
        prim: &Prim,
        binding: &Binding,
        looks: &mut Looks<'_>,
        cages: &mut usize,
        scene: &mut Scene,
        work: &mut Work<'_>,
    ) -> Result<Vec<Target>, LoadError> {
        let path = format!("meshes[{}]", scene.model.meshes.len());
        let wanted = self.wanted(prim, binding, looks, work);
        let mut shape = polygons(self.stage, prim, &wanted, &path, work)?;
        let skeleton = binding.skeleton.as_ref().and_then(|path| self.skeletons.get(path));
        let points = shape.points.len();
        let skinned = skins::read(self.stage, &self.prims, binding, skeleton, points, &path, work)?;
        if let Some(skinned) = &skinned {
            shape.bind(skinned);
        }
        *cages = cages.saturating_add(usize::from(shape.is_cage));
        let influences = skinned.as_ref().and_then(|skinned| skinned.influences(&path, work));
        let mut targets = Vec::new();
        if binding.in_root {
            targets = shapes::read(self.stage, &self.prims, &self.numbers, prim, work)?;
        }
        let mut primitives = Vec::new();
        for (number, part) in self.parts(prim, binding, shape.face_count()).into_iter().enumerate() {
            let path = format!("{path}.primitives[{number}]");
            let surface = looks.surface(part.material.as_ref(), work);
            let is_colored = surface.is_none_or(|surface| surface.colors.is_some());
            let faces = part.faces.into_iter();
            let mut primitive = shape.primitive(faces, skinned.as_ref(), is_colored, &path, work)?;
            if primitive.indices.is_empty() {
                continue;
            }
            primitive.file_index = number;
            let points = primitive.control_points.as_deref().unwrap_or_default();
            primitive.influences = influences.as_ref().map(|all| all.pick(points));
            if let Some(skinned) = &skinned {
                work.warnings
                    .influences(&path, || InfluenceStatistics::of(&skinned.sets, skinned.skin.joints.len()));
            }
            primitive.morphs = morphs(&targets, &primitive, skinned.as_ref(), &path, work)?;
            primitive.material = looks.number(part.material.as_ref(), shape.double_sided, &shape.sets, work);
            primitives.push(primitive);
        }
        let target_names = targets.iter().map(|target| target.name.clone()).collect();
        scene.model.meshes.push(Mesh { name: self.stage.title(prim), primitives, target_names });
        scene.skinned.push(skinned);
        Ok(targets)
    }

    /// The values of a mesh that its materials show.
    fn wanted(&self, mesh: &Prim, binding: &Binding, looks: &mut Looks<'_>, work: &mut Work<'_>) -> Wanted {
        let mut wanted = Wanted::default();
        let subsets = self.subsets(mesh).filter_map(|(number, _)| self.bindings.get(number));
        for material in std::iter::once(binding).chain(subsets).map(|binding| binding.material.as_ref()) {
            let Some(surface) = looks.surface(material, work) else { continue };
            wanted.sets.extend(surface.sets());
            wanted.colors = wanted.colors.or_else(|| surface.colors.clone());
        }
        wanted
    }

    /// The subsets of a mesh's faces for materials, with their numbers.
    fn subsets(&self, mesh: &Prim) -> impl Iterator<Item = (usize, &Prim)> {
        let own = self.numbers.get(&mesh.path).and_then(|own| self.subsets.get(own));
        let all = own.into_iter().flatten().filter_map(|number| Some((*number, self.prims.get(*number)?)));
        all.filter(|(_, subset)| {
            let kind = self.stage.text(subset, "elementType");
            self.stage.text(subset, "familyName").as_deref() == Some("materialBind")
                && kind.is_none_or(|kind| kind == "face")
        })
    }

    /// The faces of a mesh by their materials: subsets for materials, and all others.
    fn parts(&self, mesh: &Prim, binding: &Binding, faces: usize) -> Vec<Part> {
        let mut left: BTreeSet<usize> = (0..faces).collect();
        let mut parts = Vec::new();
        for (number, subset) in self.subsets(mesh) {
            let indices = self.stage.value(subset, "indices").and_then(|list| values::integers(&list));
            let own = indices.into_iter().flatten().filter_map(|face| usize::try_from(face).ok());
            let faces: Vec<usize> = own.filter(|face| left.remove(face)).collect();
            let material = self.bindings.get(number).and_then(|binding| binding.material.clone());
            parts.push(Part { faces, material });
        }
        if !left.is_empty() {
            let part = Part { faces: left.into_iter().collect(), material: binding.material.clone() };
            parts.insert(0, part);
        }
        parts
    }

    /// Reads all motion: as one clip, or as one for each variant of the set that chooses clips.
    fn clips(
        &self,
        nodes: &mut Nodes,
        meshes: &[(usize, usize, Vec<Target>)],
        model: &mut Model,
        work: &mut Work<'_>,
    ) -> Result<(), LoadError> {
        let variants = self.stage.clip_variants(&self.prims).filter(|_| !work.clip_is_chosen);
        let Some((prim, variants)) = variants.filter(|(_, names)| names.len() > 1) else {
            let moving = std::mem::take(&mut nodes.moving);
            let shown = Shown { stage: self.stage, bindings: &self.bindings, moving: &moving };
            let name = self.stage.clip_names().into_iter().next().unwrap_or_default();
            let end = self.stage.range().map(|[_, end]| end);
            model.clips.extend(self.clip(&shown, &name, end, nodes, meshes, work)?);
            return Ok(());
        };
        let names = self.stage.clip_names();
        for (number, variant) in variants.into_iter().enumerate() {
            let name = names.get(number).unwrap_or(&variant);
            // The scene is composed once more.
            work.budget.charge("animations", self.prims.len(), size_of::<Binding>())?;
            work.budget.charge("animations", 1, self.stage.size() / 8)?;
            work.watch.part(MESHES, 1, 1)?;
            let stage = self.stage.with_variant(prim, CLIPS, &variant)?;
            let (bindings, moving) = (bindings::of(&stage, &self.prims), nodes.moving(&stage, &self.prims));
            let shown = Shown { stage: &stage, bindings: &bindings, moving: &moving };
            model.clips.extend(self.clip(&shown, name, None, nodes, meshes, work)?);
            if let Some(fault) = stage.fault() {
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Reads the motion of a scene; `None` if nothing moves.
    fn clip(
        &self,
        shown: &Shown<'_>,
        title: &str,
        end: Option<f64>,
        nodes: &mut Nodes,
        meshes: &[(usize, usize, Vec<Target>)],
        work: &mut Work<'_>,
    ) -> Result<Option<Clip>, LoadError> {
        let mut motion = Motion::new(shown.stage);
        let mut name = None;
        let animation = |skeleton: &Path| {
            let binding = shown.bindings.get(*self.numbers.get(skeleton)?)?;
            let animation = self.prims.get(*self.numbers.get(binding.animation.as_ref()?)?)?;
            (animation.kind == "SkelAnimation").then_some(animation)
        };
        for prim in &self.prims {
            let Some((skeleton, moved)) = self.skeletons.get(&prim.path).zip(animation(&prim.path)) else {
                continue;
            };
            name.get_or_insert_with(|| shown.stage.title(moved));
            motion.add_joints(moved, skeleton, nodes, work)?;
        }
        for (node, number, targets) in meshes.iter().filter(|(.., targets)| !targets.is_empty()) {
            let skeleton = shown.bindings.get(*number).and_then(|binding| binding.skeleton.as_ref());
            if let Some(animation) = skeleton.and_then(animation) {
                name.get_or_insert_with(|| shown.stage.title(animation));
                motion.add_weights(animation, targets, *node, work)?;
            }
        }
        motion.add_places(shown.moving, work)?;
        let name = if title.is_empty() { name.unwrap_or_default() } else { title.to_owned() };
        Ok(motion.into_clip(name, end))
    }

    /// Gives nodes of meshes a weight of 0 for each target.
    fn set_rest_weights(
        &self,
        nodes: &mut Nodes,
        meshes: &[(usize, usize, Vec<Target>)],
        copies: HashMap<usize, usize>,
    ) {
        let mut counts = copies;
        counts.extend(meshes.iter().map(|(node, _, targets)| (*node, targets.len())));
        if counts.values().all(|count| *count == 0) {
            return;
        }
        for node in 0..nodes.rig.len() {
            let count = counts.get(&node).copied().unwrap_or(0);
            nodes.rig.rest_weights.extend(std::iter::repeat_n(0.0, count));
            nodes.rig.weight_ends.push(nodes.rig.rest_weights.len() as u32);
        }
    }

    /// Warns of what the file has and is not shown.
    fn warn(&self, cages: usize, work: &mut Work<'_>) {
        if cages > 0 {
            let meshes = counted(cages, "mesh", "meshes");
            let message = format!("{meshes} shown as the cage of a smooth surface; it is not subdivided");
            work.warnings.add("NOT_SUBDIVIDED", "meshes", message);
        }
        let count = |is: &dyn Fn(&Prim) -> bool| self.prims.iter().filter(|prim| is(prim)).count();
        let mut tell = |count: usize, one: &str, more: &str| {
            if count > 0 {
                work.warnings.add("NOT_READ", "prims", format!("{} not read", counted(count, one, more)));
            }
        };
        tell(
            count(&|prim| UNREAD.contains(&prim.kind.as_str())),
            "surface that is no mesh is",
            "surfaces that are no meshes are",
        );
        let moving = |prim: &Prim| prim.kind == "Mesh" && self.stage.times(prim, "points").len() > 1;
        tell(count(&moving), "mesh with moving points is", "meshes with moving points are");
        let blinking = |prim: &Prim| self.stage.times(prim, "visibility").len() > 1;
        let blinking = count(&blinking);
        if blinking > 0 {
            let parts = counted(blinking, "part that comes and goes is", "parts that come and go are");
            work.warnings.add("NOT_READ", "prims", format!("{parts} shown as at the first time"));
        }
    }
}
