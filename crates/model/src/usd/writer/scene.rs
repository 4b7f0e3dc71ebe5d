//! A model as a layer: what hangs on which node, the motion of each clip, and what the format has no place for.

use std::collections::HashMap;

use glam::DMat4;
use openusd::sdf::{FieldKey, Path, Value};

use super::frames::Frames;
use super::looks::Looks;
use super::mesh::{Draft, Worn};
use super::motion::{OPERATIONS, Rounding, Shaped, animation, samples};
use super::prim::{Layer, Names, Prim, Property, token, tokens};
use super::shapes::{self, Shapes};
use super::sheet::{Sheet, sheets};
use super::skeletons::{Skeleton, Skeletons, above};
use super::tree::{Tree, entitle, rests};
use super::values::matrices;
use super::{Part, fault, on_nodes};
use crate::gltf::WriteError;
use crate::usd::stage::CLIP_NAMES;
use crate::{Instance, Model, Period, Property as Animated, SkinningMethod, Tangents, Topology};

/// The largest change of scales by rounding that is not told.
const UNSEEN: f64 = 2e-6;

/// The deepest tree of nodes that is written; readers have limits, too.
const MAX_DEPTH: usize = 250;

/// A layer, and what it needs besides.
pub struct Scene {
    pub layer: Layer,
    /// The name of the file of each picture that materials use.
    pub pictures: Vec<(usize, String)>,
    pub losses: Vec<String>,
    pub meshes: Vec<Vec<Part>>,
}

/// A name as an identifier.
pub fn identifier(name: &str) -> String {
    Names::default().unique(name, "model")
}

/// The parts of a scene in the making.
struct Work<'a> {
    model: &'a Model,
    method: Option<SkinningMethod>,
    frames: Option<&'a Frames>,
    tree: Tree,
    skeletons: Skeletons,
    /// The path of each skeleton.
    paths: Vec<Path>,
    /// Nodes whose blend shapes each skeleton moves.
    shaped: Vec<Vec<Shaped>>,
    shapes: Shapes,
    looks: Looks,
    /// Nodes that clips move.
    moves: Vec<bool>,
    /// The parts of each mesh.
    parts: HashMap<Path, Vec<Part>>,
    rounding: Rounding,
    losses: Vec<String>,
    /// The motion of the only clip.
    own: Option<Prim>,
}

impl Scene {
    /// Makes the layer of a model.
    ///
    /// # Errors
    /// If a name cannot be part of a path.
    pub fn of(
        model: &Model,
        stem: &str,
        method: Option<SkinningMethod>,
        frames: Option<&Frames>,
    ) -> Result<Self, WriteError> {
        if depth(model) > MAX_DEPTH {
            return Err(fault(format!("its nodes are more than {MAX_DEPTH} deep")));
        }
        let files: Vec<Option<String>> = (0..model.pictures.len())
            .map(|number| {
                model.pictures[number].as_ref().map(|_| format!("{}-image{number}.png", identifier(stem)))
            })
            .collect();
        let mut skeletons = Skeletons::of(model);
        let has_morphs = |instance: &Instance| has_morphs(model, instance);
        if model.instances.iter().any(|instance| instance.skin.is_none() && has_morphs(instance)) {
            // Blend shapes need a skeleton, even where nothing else does.
            let (paths, bind) = (vec!["joint".to_owned()], vec![Some(DMat4::IDENTITY)]);
            skeletons.all.push(Skeleton { place: None, joints: Vec::new(), paths, bind });
        }
        let kind = if skeletons.all.is_empty() { "Xform" } else { "SkelRoot" };
        let root = Prim::new(&identifier(stem), kind);
        let path = Path::abs_root().append_path(root.name.as_str()).map_err(fault)?;
        let mut moves = vec![false; model.rig.len()];
        for channel in model.clips.iter().flat_map(|clip| &clip.channels) {
            let is_weight = matches!(channel.property, Animated::Weights | Animated::Weight(_));
            moves[channel.node] |= !is_weight;
        }
        let no_path = || fault("a name cannot be part of a path");
        let mut tree = Tree::of(model, &skeletons, root, &moves).ok_or_else(no_path)?;
        let scope = tree.reserve(None, "Materials", "").ok_or_else(no_path)?;
        let looks = Looks::of(model, &path, scope.name().unwrap_or_default(), &files);
        let mut paths = Vec::new();
        for skeleton in &skeletons.all {
            paths.push(tree.reserve(skeleton.place, "Skeleton", "").ok_or_else(no_path)?);
        }
        let shaped = vec![Vec::new(); skeletons.all.len()];
        let (shapes, rounding) = (Shapes::default(), Rounding::default());
        let (parts, losses, own) = (HashMap::new(), Vec::new(), None);
        let mut work = Work {
            model,
            method,
            frames,
            tree,
            skeletons,
            paths,
            shaped,
            shapes,
            looks,
            moves,
            parts,
            rounding,
            losses,
            own,
        };
        for instance in &model.instances {
            work.mesh(instance).ok_or_else(no_path)?;
        }
        work.things().ok_or_else(no_path)?;
        work.skeleton_prims();
        work.clips().ok_or_else(no_path)?;
        Ok(work.finish(files))
    }
}

/// The depth of the tree of nodes.
fn depth(model: &Model) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(model.rig.len());
    for node in 0..model.rig.len() {
        depths.push(above(&model.rig, node).map_or(1, |parent| depths[parent] + 1));
    }
    depths.into_iter().max().unwrap_or(0)
}

fn has_morphs(model: &Model, instance: &Instance) -> bool {
    model.meshes.get(instance.mesh).is_some_and(|mesh| !mesh.target_names.is_empty())
}

impl Work<'_> {
    /// Adds the meshes of an instance; `None` if a name cannot be part of a path.
    fn mesh(&mut self, instance: &Instance) -> Option<()> {
        let model = self.model;
        let mesh = &model.meshes[instance.mesh];
        let skin = instance.skin.and_then(|skin| Some((&model.skins[skin], self.skeletons.bound[skin]?)));
        let names =
            if has_morphs(model, instance) { self.shapes.names(instance.node, mesh) } else { Vec::new() };
        let skeleton = match (&skin, names.is_empty()) {
            (Some((_, bound)), _) => Some(bound.skeleton),
            // The last is for meshes without skins.
            (None, false) => self.skeletons.all.len().checked_sub(1),
            (None, true) => None,
        };
        if let Some(skeleton) = skeleton.filter(|_| !names.is_empty()) {
            self.shaped[skeleton].push((instance.node, names.clone()));
        }
        // What a skin moves follows no node: it lies where its node would, or beside the skeleton.
        let place = match (self.tree.path(instance.node), skeleton) {
            (None, Some(skeleton)) => self.skeletons.all[skeleton].place,
            _ => Some(instance.node),
        };
        for sheet in sheets(model, mesh) {
            let title = if mesh.name.is_empty() { &model.rig.names[instance.node] } else { &mesh.name };
            let path = self.tree.reserve(place, title, "mesh")?;
            let has_influences = sheet.primitives.iter().all(|(_, primitive)| primitive.influences.is_some());
            let method = self.method_of(instance, &sheet);
            let worn = skin.filter(|_| has_influences).map(|(skin, bound)| Worn {
                skeleton: &self.skeletons.all[bound.skeleton],
                joints: &skin.joints,
                geometry: bound.geometry,
                method,
            });
            let skeleton = skeleton.filter(|_| worn.is_some() || !names.is_empty());
            let look = |(_, primitive): &(usize, &crate::Primitive)| {
                self.looks.paths.get(primitive.material?).cloned()
            };
            let materials = sheet.primitives.iter().map(look).collect();
            let parts = sheet.primitives.iter().zip(&sheet.points);
            let parts = parts.map(|((primitive, _), points)| Part {
                node: instance.node,
                primitive: *primitive,
                points: points.clone(),
            });
            self.parts.insert(path.clone(), parts.collect());
            let skeleton = skeleton.map(|skeleton| self.paths[skeleton].clone());
            let (shapes, frames) = (names.clone(), self.frames.map(|frames| (frames, instance.mesh)));
            let draft = Draft { sheet, path, worn, skeleton, shapes, materials, frames };
            let mut prim = draft.prim();
            entitle(&mut prim, title);
            self.tree.put(place, prim);
        }
        Some(())
    }

    /// The skinning method of a sheet: the asked one, or that of its skin.
    fn method_of(&mut self, instance: &Instance, sheet: &Sheet<'_>) -> SkinningMethod {
        let own = instance.skin.and_then(|skin| self.model.skins[skin].method);
        let method = self.method.or(own).unwrap_or(SkinningMethod::Linear);
        let mut lose = |what: &str| self.losses.push(what.to_owned());
        match method {
            SkinningMethod::Linear | SkinningMethod::DualQuaternion => method,
            SkinningMethod::Rigid => {
                lose("rigid skinning, which is classicLinear there");
                SkinningMethod::Linear
            }
            SkinningMethod::Blended => {
                let share = |primitive: &crate::Primitive, vertex: usize| {
                    primitive.shares.as_ref().map_or(1.0, |shares| shares[vertex])
                };
                let shares = sheet.at_points(share);
                if shares.iter().any(|share| *share != 0.0 && *share != 1.0)
                    || shares.windows(2).any(|two| two[0] != two[1])
                {
                    lose("meshes whose vertices blend both skinning methods, which are classicLinear there");
                    return SkinningMethod::Linear;
                }
                match shares.first() {
                    Some(1.0) => SkinningMethod::DualQuaternion,
                    _ => SkinningMethod::Linear,
                }
            }
        }
    }

    /// Adds cameras and lights.
    fn things(&mut self) -> Option<()> {
        for camera in &self.model.cameras {
            let path = self.tree.reserve(Some(camera.node), &camera.name, "camera")?;
            self.tree.put(Some(camera.node), on_nodes::camera(camera, path.name()?));
        }
        for light in &self.model.lights {
            let path = self.tree.reserve(Some(light.node), &light.name, "light")?;
            self.tree.put(Some(light.node), on_nodes::light(light, path.name()?));
        }
        Some(())
    }

    /// Adds the skeletons.
    fn skeleton_prims(&mut self) {
        let rig = &self.model.rig;
        let mut from_node: Vec<DMat4> = Vec::with_capacity(rig.len());
        for node in 0..rig.len() {
            let local = rig.rest[node].parent_from_node();
            let world = above(rig, node).map_or(local, |parent| from_node[parent].mul_mat4(&local));
            from_node.push(world);
        }
        for (skeleton, path) in self.skeletons.all.iter().zip(&self.paths) {
            let rest = skeleton.joints.iter().map(|node| rig.rest[*node].parent_from_node());
            let mut rest: Vec<DMat4> = rest.collect();
            rest.resize(skeleton.paths.len(), DMat4::IDENTITY);
            let world =
                |number: usize| skeleton.joints.get(number).map_or(DMat4::IDENTITY, |node| from_node[*node]);
            let bind: Vec<DMat4> = (0..)
                .zip(&skeleton.bind)
                .map(|(number, bind)| bind.unwrap_or_else(|| world(number)))
                .collect();
            let mut prim = Prim::new(path.name().unwrap_or_default(), "Skeleton");
            prim.apply(&["SkelBindingAPI"]);
            prim.properties.extend([
                Property::uniform("joints", "token[]", tokens(skeleton.paths.iter().map(String::as_str))),
                Property::uniform("bindTransforms", "matrix4d[]", matrices(&bind)),
                Property::uniform("restTransforms", "matrix4d[]", matrices(&rest)),
            ]);
            let short = skeleton.paths.iter().map(|path| path.rsplit('/').next().unwrap_or_default());
            let titled =
                skeleton.joints.iter().zip(short).map(|(node, short)| (rig.names[*node].as_str(), short));
            let titled: Vec<(&str, &str)> =
                titled.map(|(title, short)| (if title.is_empty() { short } else { title }, short)).collect();
            if titled.iter().any(|(title, short)| title != short) {
                let titles = tokens(titled.iter().map(|(title, _)| *title));
                prim.properties.push(Property::uniform("jointNames", "token[]", titles));
            }
            self.tree.put(skeleton.place, prim);
        }
    }

    /// Adds the motion of clips: to the prims themselves, or as variants if there are several.
    fn clips(&mut self) -> Option<()> {
        let model = self.model;
        if model.clips.is_empty() {
            return self.still();
        }
        let titles = model.clips.iter().map(|clip| clip.name.replace(char::is_control, " "));
        let titles = Value::StringVec(titles.collect());
        let dictionary = Value::Dictionary(HashMap::from([(CLIP_NAMES.to_owned(), titles)]));
        self.tree.prim(None).facts.push((FieldKey::CustomData.as_str(), dictionary));
        let mut names = Names::default();
        let mut variants = Vec::new();
        for clip in &model.clips {
            let name = names.unique(&clip.name, "clip");
            let mut own = Prim::default();
            for number in 0..self.skeletons.all.len() {
                let (skeleton, shaped) = (&self.skeletons.all[number], &self.shaped[number]);
                let made = animation(model, Some(clip), skeleton, shaped, &name, &mut self.rounding);
                let Some(prim) = made else { continue };
                let path = self.paths[number].append_path(name.as_str()).ok()?;
                let source = Property::to("skel:animationSource", vec![path]);
                own.below(&below_root(&self.paths[number])).properties.push(source);
                let place = self.skeletons.all[number].place;
                let skeleton = self.paths[number].name().unwrap_or_default().to_owned();
                let skeletons = &mut self.tree.prim(place).children;
                skeletons.iter_mut().find(|child| child.name == skeleton)?.children.push(prim);
            }
            for node in (0..model.rig.len()).filter(|node| self.moves[*node]) {
                let Some(path) = self.tree.path(node) else { continue };
                let moved = samples(clip, node, model.frame_rate());
                let prim = own.below(&below_root(path));
                for ((property, name, type_name), rest) in OPERATIONS.iter().zip(rests(&model.rig.rest[node]))
                {
                    let keys = moved.iter().find(|(own, _)| own == property).map(|(_, keys)| keys.clone());
                    prim.properties
                        .push(Property::of(name, type_name, rest).sampled(keys.unwrap_or_default()));
                }
            }
            variants.push((name, own));
        }
        match variants.len() {
            1 => self.own = variants.pop().map(|(_, own)| own),
            _ => self.tree.prim(None).clips = variants,
        }
        Some(())
    }

    /// Adds weights of blend shapes at rest.
    fn still(&mut self) -> Option<()> {
        for number in 0..self.skeletons.all.len() {
            let (skeleton, shaped) = (&self.skeletons.all[number], &self.shaped[number]);
            let made = animation(self.model, None, skeleton, shaped, "rest", &mut self.rounding);
            let Some(prim) = made else { continue };
            let place = skeleton.place;
            let path = self.paths[number].append_path("rest").ok()?;
            let name = self.paths[number].name().unwrap_or_default().to_owned();
            let prims = &mut self.tree.prim(place).children;
            let skeleton = prims.iter_mut().find(|child| child.name == name)?;
            skeleton.children.push(prim);
            skeleton.properties.push(Property::to("skel:animationSource", vec![path]));
        }
        Some(())
    }

    fn finish(mut self, files: Vec<Option<String>>) -> Scene {
        let model = self.model;
        self.tell();
        if let Some(scope) = self.looks.scope.take() {
            self.tree.put(None, scope);
        }
        let mut root = self.tree.into_root(model);
        if let Some(own) = self.own {
            root.adopt(own);
        }
        let mut meshes = Vec::new();
        let path = Path::abs_root().append_path(root.name.as_str()).unwrap_or_default();
        list_meshes(&root, &path, &mut self.parts, &mut meshes);
        let rate = self.frames.map_or(model.frame_rate(), |frames| frames.rate);
        let period = match self.frames.map(|frames| (frames.times.first(), frames.times.last())) {
            Some((Some(start), Some(end))) => Some(Period { start: *start, end: *end }),
            _ => (!model.clips.is_empty()).then(|| model.period_of_all(0..model.clips.len())),
        };
        let double = |key: FieldKey, number: f64| (key.as_str(), Value::Double(number));
        let mut facts = vec![
            (FieldKey::Documentation.as_str(), Value::String(format!("sinew {}", env!("CARGO_PKG_VERSION")))),
            ("metersPerUnit", Value::Double(1.0)),
            ("upAxis", token("Y")),
            double(FieldKey::TimeCodesPerSecond, rate),
            double(FieldKey::FramesPerSecond, rate),
        ];
        if let Some(period) = period {
            facts.push(double(FieldKey::StartTimeCode, period.start * rate));
            facts.push(double(FieldKey::EndTimeCode, period.end * rate));
        }
        let pictures =
            self.looks.pictures.iter().filter_map(|picture| Some((*picture, files[*picture].clone()?)));
        let pictures = pictures.collect();
        self.losses.sort();
        self.losses.dedup();
        Scene { layer: root.into_layer(facts), pictures, losses: self.losses, meshes }
    }

    /// Notes what the format has no place for.
    fn tell(&mut self) {
        let model = self.model;
        let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let mut lose = |is_lost: bool, what: &str| {
            if is_lost {
                self.losses.push(what.to_owned());
            }
        };
        lose(primitives().any(|one| one.topology != Topology::Triangles), "lines and points");
        lose(primitives().any(|one| model.tangents(one) == Tangents::FromFile), "tangents");
        lose(shapes::move_more(model), "morphs of colours and texture coordinates");
        lose(
            self.skeletons.unbound > 0,
            "inverse bind matrices that have no inverse, or of which one joint has several",
        );
        lose(!model.rig.limits.is_empty(), "limits of joints");
        lose(!model.rig.constraints.is_empty(), "constraints of nodes");
        lose(!model.rig.drivers.is_empty(), "drivers of morph weights");
        lose(model.avatar.is_some(), "an avatar's bones, expressions and springs");
        for what in &self.looks.left_out {
            lose(true, what);
        }
        if self.rounding.0 > UNSEEN {
            let share = self.rounding.0;
            lose(true, &format!("digits of joints' scales, which change by up to {share:.1e} of their size"));
        }
    }
}

/// The names on the way to a path, below the root.
fn below_root(path: &Path) -> Vec<String> {
    path.as_str().split('/').skip(2).map(str::to_owned).collect()
}

/// Collects the parts of meshes in the order of their prims.
fn list_meshes(prim: &Prim, path: &Path, parts: &mut HashMap<Path, Vec<Part>>, out: &mut Vec<Vec<Part>>) {
    out.extend(parts.remove(path));
    for child in &prim.children {
        if let Ok(path) = path.append_path(child.name.as_str()) {
            list_meshes(child, &path, parts, out);
        }
    }
}
