//! Reads FBX and OBJ files into the same [`Model`] as glTF, by the `ufbx` crate. What a file's author sees is what poses
//! and skins here: pivots, inherited scales and geometric offsets become nodes that say the same.
//!
//! The root node turns the file's axes to y up and its units to metres; everything below it is in the file's own.

mod clips;
mod curves;
mod matrices;
mod meshes;
mod morphs;
mod nodes;
mod skins;

use self::nodes::Nodes;
use crate::{Instance, Model, SceneRoots};

/// How to read a file.
#[derive(Clone, Debug)]
pub struct Options {
    /// Samples a second at which motion is read, at least; `None` takes the file's frame rate.
    pub rate: Option<f64>,
    /// The most bytes that reading may take.
    pub most_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { rate: None, most_bytes: usize::try_from(4u64 << 30).unwrap_or(usize::MAX) }
    }
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It is broken, or asks for more memory than it may take.
    #[error("{0}")]
    Broken(String),
}

/// The deepest tree of nodes that is read.
const DEEPEST: u32 = 512;

/// Loads a file's bytes; external files are not looked for.
///
/// # Errors
/// If the file is broken or too large.
pub fn load_bytes(bytes: &[u8], options: &Options) -> Result<Model, Error> {
    let limited = || ufbx::AllocatorOpts { memory_limit: options.most_bytes, ..Default::default() };
    let how = ufbx::LoadOpts {
        temp_allocator: limited(),
        result_allocator: limited(),
        node_depth_limit: DEEPEST,
        clean_skin_weights: true,
        generate_missing_normals: true,
        normalize_normals: true,
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        // The root has the conversion, so that nothing else changes.
        space_conversion: ufbx::SpaceConversion::TransformRoot,
        geometry_transform_handling: ufbx::GeometryTransformHandling::HelperNodes,
        inherit_mode_handling: ufbx::InheritModeHandling::HelperNodes,
        ..Default::default()
    };
    let scene =
        ufbx::load_memory(bytes, how).map_err(|error| Error::Broken(error.description.to_string()))?;
    Ok(model_of(&scene, options))
}

fn model_of(scene: &ufbx::Scene, options: &Options) -> Model {
    let mut nodes = Nodes::of(scene);
    let targets: Vec<_> = scene.meshes.iter().map(|mesh| morphs::targets_of(mesh)).collect();
    let meshes =
        scene.meshes.iter().zip(&targets).map(|(mesh, targets)| meshes::read(mesh, targets)).collect();
    // Old files say of every node that it is not shown.
    let are_all_hidden = !scene.nodes.iter().any(|node| node.visible && node.mesh.is_some());
    let (mut instances, mut skins) = (Vec::new(), Vec::new());
    for (number, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.as_ref().filter(|_| node.visible || are_all_hidden) else { continue };
        let bones = nodes.bones_in(scene, number, mesh);
        let skin = skins::skin_of(scene, mesh, number, &bones).map(|skin| {
            skins.push(skin);
            skins.len() - 1
        });
        instances.push(Instance { node: number, mesh: mesh.element.typed_id as usize, skin });
    }
    morphs::set_rest(scene, &targets, &mut nodes.rig);
    let clips = clips::clips_of(scene, &targets, &nodes.copies, options);
    let scenes = vec![SceneRoots { name: String::new(), roots: vec![0] }];
    Model { rig: nodes.rig, meshes, skins, scenes, scene: Some(0), instances, clips, ..Model::default() }
}
