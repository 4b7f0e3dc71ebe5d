//! The character: modelled as a solid, meshed, painted, bound to its skeleton and animated. It must not depend on
//! more of each step than its name.

use glam::{DMat4, DQuat, DVec3};
use sinew_model::{
    Instance, LocalTransform, Material, Mesh, Model, NormalMap, Primitive, Rig, Skin, TextureRef,
};

mod bind;
mod clips;
mod figure;
mod fingers;
mod heat;
mod paint;
mod shapes;
mod skeleton;
mod solid;
mod surface;
mod territory;
mod wrap;

use skeleton::Skeleton;
use surface::{Surface, cut, march, remesh};

/// The character.
pub fn character() -> Model {
    let skeleton = skeleton::skeleton();
    let solid = figure::figure();
    let (surface, image) = skin(&solid);
    let influences = bind::bind(&surface, &image, &skeleton);
    let at = |v: u32| surface.places[v as usize];
    let normal = |v: u32| solid.gradient(at(v)).normalize_or_zero();
    let painted = paint::paint(&surface, &wrap::Cloth::new(&skeleton), &normal);

    // A vertex where colours or pieces of cloth meet appears once for each.
    let mut body = Primitive {
        positions: painted.vertices.iter().map(|&v| at(v).as_vec3().to_array()).collect(),
        normals: Some(painted.vertices.iter().map(|&v| normal(v).as_vec3().to_array()).collect()),
        tangents: Some(painted.tangents),
        texcoords: vec![painted.texcoords],
        colors: Some(painted.colors),
        indices: painted.triangles.into_iter().flatten().collect(),
        material: Some(0),
        ..Primitive::default()
    };
    let mut spread = influences;
    for span in &mut spread.spans {
        span.joints = painted.vertices.iter().map(|&v| span.joints[v as usize]).collect();
        span.weights = painted.vertices.iter().map(|&v| span.weights[v as usize]).collect();
    }
    body.influences = Some(spread);

    let mut model = Model {
        rig: rig(&skeleton),
        meshes: vec![Mesh { name: "character".into(), primitives: vec![body], ..Mesh::default() }],
        skins: vec![Skin {
            name: "character".into(),
            joints: (1..=skeleton.joints.len()).collect(),
            joint_from_bind: skeleton.joints.iter().map(|j| world_from(j).inverse()).collect(),
            method: None,
        }],
        instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
        clips: clips::clips(&skeleton),
        materials: vec![Material {
            name: "body".into(),
            metallic: 0.0,
            roughness: 0.5,
            normal: Some(NormalMap { texture: TextureRef::default(), scale: 1.0 }),
            ..Material::default()
        }],
        pictures: vec![Some(wrap::padding())],
        ..Model::default()
    };
    shapes::add(&mut model);
    model
}

/// The surface of the figure, cut where colours meet, and each vertex's mirror image.
fn skin(solid: &solid::Solid) -> (Surface, Vec<u32>) {
    // Only the left half, and a little of the right one to cut away.
    let (low, high) = (DVec3::new(-0.012, -0.016, -0.20), DVec3::new(0.78, 1.83, 0.22));
    let rough = march::march(solid, low, high, 0.004);
    let mut surface = remesh::remesh(rough, solid, &edge_length);
    let mut fixed = vec![false; surface.places.len()];
    cut::cut(&mut surface, solid, &mut fixed, &|p| p.x);
    for seam in paint::seams() {
        cut::cut(&mut surface, solid, &mut fixed, &seam);
    }
    let image = cut::mirror(&mut surface);
    (surface, image)
}

fn rig(skeleton: &Skeleton) -> Rig {
    let mut rig = Rig {
        names: vec!["character".into()],
        parents: vec![None],
        rest: vec![LocalTransform::IDENTITY],
        file_index: vec![0],
        ..Rig::default()
    };
    for (number, joint) in skeleton.joints.iter().enumerate() {
        let parent_from_world =
            joint.parent.map_or(DMat4::IDENTITY, |p| world_from(&skeleton.joints[p]).inverse());
        let local = parent_from_world * world_from(joint);
        let parent = joint.parent.map(|p| &skeleton.joints[p]);
        // Fingers keep their turns in the hand.
        let rotation = match raised(joint) {
            Some(own) => {
                let above = parent.map(|parent| raised(parent).unwrap_or_else(|| parent.rotation()));
                above.unwrap_or_default().inverse() * own
            }
            None => parent.map_or(DQuat::IDENTITY, |parent| parent.rotation().inverse()) * joint.rotation(),
        };
        rig.names.push(joint.name.clone());
        rig.parents.push(joint.parent.map(|p| p as u32 + 1));
        rig.rest.push(LocalTransform::Trs {
            translation: local.w_axis.truncate(),
            rotation: rotation.normalize(),
            scale: DVec3::ONE,
        });
        rig.file_index.push(number as u32 + 1);
    }
    rig
}

/// Returns the rotation of a joint of the arms at rest, in the world: the bind pose's A raised to a T, straight and level.
/// All clips have keys for these joints.
fn raised(joint: &skeleton::Joint) -> Option<DQuat> {
    let is_of_arm = ["upper_arm.", "forearm.", "hand."].iter().any(|name| joint.name.starts_with(name));
    let along = DVec3::X * joint.at.x.signum();
    is_of_arm.then(|| DQuat::from_rotation_arc(joint.axes.y_axis, along) * joint.rotation())
}

fn world_from(joint: &skeleton::Joint) -> DMat4 {
    DMat4::from_rotation_translation(joint.rotation(), joint.at)
}

/// The wanted length of edges: short where the form is fine.
fn edge_length(p: DVec3) -> f64 {
    let p = DVec3::new(p.x.abs(), p.y, p.z);
    // Centre, radius within which the length applies, length.
    const FINE: [([f64; 3], f64, f64); 9] = [
        ([0.640, 0.990, 0.020], 0.110, 0.0056),
        ([0.0, 1.655, 0.085], 0.042, 0.0046),
        ([0.0, 1.660, 0.060], 0.060, 0.0065),
        ([0.078, 1.672, -0.014], 0.030, 0.0046),
        ([0.0, 1.700, 0.0], 0.120, 0.0110),
        ([0.145, 0.030, 0.050], 0.130, 0.0100),
        ([0.480, 1.150, -0.010], 0.120, 0.0110),
        ([0.120, 0.500, 0.0], 0.080, 0.0140),
        ([0.300, 1.300, -0.020], 0.160, 0.0140),
    ];
    let mut length: f64 = 0.0175;
    for (center, radius, fine) in FINE {
        let beyond = ((p - DVec3::from(center)).length() - radius).max(0.0);
        length = length.min(fine + 0.12 * beyond);
    }
    // The edge of the sole.
    length.min(0.0075 + 0.3 * (p.y - 0.020).max(0.0))
}
