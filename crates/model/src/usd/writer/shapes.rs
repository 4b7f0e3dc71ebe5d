//! Morph targets as blend shapes, with names that a skeleton's animation knows them by.

use std::collections::HashMap;

use openusd::sdf::Path;

use super::prim::{Names, Prim, Property, tokens};
use super::sheet::Sheet;
use super::values::{integers, vectors};
use crate::{Mesh, Model, Primitive};

/// Names of the targets of nodes' meshes, as animations use them.
#[derive(Default)]
pub struct Shapes {
    names: HashMap<usize, Vec<String>>,
    known: Names,
}

impl Shapes {
    /// The names of a node's targets, none of which another node has.
    pub fn names(&mut self, node: usize, mesh: &Mesh) -> Vec<String> {
        let known = &mut self.known;
        let name = |title: &String| known.unique(title, "shape");
        self.names.entry(node).or_insert_with(|| mesh.target_names.iter().map(name).collect()).clone()
    }
}

/// Adds a sheet's blend shapes to the prim of a mesh at a path.
pub fn add(sheet: &Sheet<'_>, names: &[String], prim: &mut Prim, path: &Path) {
    let moved = |of: fn(&Primitive) -> Option<&crate::Deltas<3>>| -> Vec<HashMap<u32, [f32; 3]>> {
        let mut all = vec![HashMap::new(); names.len()];
        for ((_, primitive), points) in sheet.primitives.iter().zip(&sheet.points) {
            let Some(deltas) = of(primitive) else { continue };
            for (all, moves) in all.iter_mut().zip(deltas.by_target(names.len())) {
                all.extend(moves.into_iter().map(|(vertex, delta)| (points[vertex as usize], delta)));
            }
        }
        all
    };
    let positions = moved(|primitive| primitive.morphs.as_ref()?.positions.as_ref());
    let normals = moved(|primitive| primitive.morphs.as_ref()?.normals.as_ref());
    let mut paths = Vec::new();
    for ((name, positions), normals) in names.iter().zip(positions).zip(normals) {
        let mut points: Vec<u32> = positions.keys().chain(normals.keys()).copied().collect();
        points.sort_unstable();
        points.dedup();
        if points.is_empty() {
            // Without points, offsets would be those of all points.
            points.push(0);
        }
        let list = |of: &HashMap<u32, [f32; 3]>| {
            let rows: Vec<[f32; 3]> =
                points.iter().map(|point| of.get(point).copied().unwrap_or_default()).collect();
            vectors(&rows)
        };
        let mut shape = Prim::new(name, "BlendShape");
        shape.properties.push(Property::uniform("offsets", "vector3f[]", list(&positions)));
        if !normals.is_empty() {
            shape.properties.push(Property::uniform("normalOffsets", "vector3f[]", list(&normals)));
        }
        shape.properties.push(Property::uniform("pointIndices", "int[]", integers(points.iter().copied())));
        paths.extend(path.append_path(name.as_str()));
        prim.children.push(shape);
    }
    let names = tokens(names.iter().map(String::as_str));
    prim.properties.push(Property::uniform("skel:blendShapes", "token[]", names));
    prim.properties.push(Property::to("skel:blendShapeTargets", paths));
}

/// Returns true if targets of a model move more than positions and normals.
pub fn move_more(model: &Model) -> bool {
    let mut all = model.meshes.iter().flat_map(|mesh| &mesh.primitives).filter_map(|one| one.morphs.as_ref());
    all.any(|morphs| morphs.colors.is_some() || morphs.texcoords.iter().any(Option::is_some))
}
