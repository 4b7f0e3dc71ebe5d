//! Writes skinned geometry as a static glTF model with its materials, for one moment: without joints, skins or clips.

use std::io::Write;

use super::{Export, ExportError, Number, Source, Surfaces};
use sinew_model::gltf::write_glb;
use sinew_model::{Instance, LocalTransform, Mesh, Model, Primitive, Rig};
use sinew_skinning::posed::SkinnedPrimitive;

pub(super) fn write<T: Number>(export: &Export<'_, T>, out: &mut dyn Write) -> Result<(), ExportError> {
    let model = Model {
        materials: export.model.materials.clone(),
        pictures: export.model.pictures.clone(),
        ..still_model(export)
    };
    Ok(out.write_all(&write_glb(&model)?)?)
}

/// Returns the geometry as a model without materials.
pub(super) fn still_model<T: Number>(export: &Export<'_, T>) -> Model {
    let mut model = Model::default();
    let surfaces = export.surfaces();
    let mut of_instance = None;
    for (skinned, source) in export.parts() {
        // Primitives of one instance are consecutive and stay one mesh.
        if of_instance != Some(skinned.instance) {
            of_instance = Some(skinned.instance);
            begin_instance(&mut model, export.model, &source);
        }
        if let Some(mesh) = model.meshes.last_mut() {
            mesh.primitives.push(still(skinned, &source, &surfaces));
        }
    }
    model
}

/// Adds a mesh and a node at the origin for it: skinned vertices are already in world space.
fn begin_instance(model: &mut Model, original: &Model, source: &Source<'_>) {
    let number = model.meshes.len();
    let name = original.rig.names.get(source.instance.node).cloned().unwrap_or_default();
    let Rig { names, parents, rest, file_index, .. } = &mut model.rig;
    names.push(name);
    parents.push(None);
    rest.push(LocalTransform::IDENTITY);
    file_index.push(number as u32);
    model.meshes.push(Mesh { name: source.mesh.name.clone(), ..Mesh::default() });
    model.instances.push(Instance { node: number, mesh: number, skin: None });
}

/// Returns the primitive with its skinned vertices, and without influences and morph targets.
fn still<T: Number>(
    skinned: &SkinnedPrimitive<T>,
    source: &Source<'_>,
    surfaces: &Surfaces<'_>,
) -> Primitive {
    let (texcoords, colors) = (surfaces.texcoords(source), surfaces.colors(source));
    Primitive {
        positions: skinned.positions.iter().map(|p| p.map(narrow)).collect(),
        normals: skinned.normals.as_ref().map(|normals| normals.iter().map(|n| n.map(narrow)).collect()),
        tangents: skinned.tangents.as_ref().map(|tangents| tangents.iter().map(|t| t.map(narrow)).collect()),
        texcoords,
        colors,
        influences: None,
        morphs: None,
        indices: source.primitive.indices.clone(),
        unequal_sums: Vec::new(),
        first_joints: Vec::new(),
        shares: None,
        control_points: source.primitive.control_points.clone(),
        ..*source.primitive
    }
}

fn narrow<T: Number>(x: T) -> f32 {
    x.into() as f32
}
