//! Cameras, each on a separate node below the file's node. FBX cameras look along x, with z to their right, and glTF
//! cameras along −z.

use glam::{DMat3, DQuat, DVec3};

use super::matrices::positive;
use super::nodes::Nodes;
use crate::reading::message::one_line;
use crate::{Camera, LocalTransform, Projection};

/// The windows of the program that wrote a file, which old files have among their cameras.
const VIEWPORTS: [&str; 7] = [
    "Producer Perspective",
    "Producer Top",
    "Producer Bottom",
    "Producer Front",
    "Producer Back",
    "Producer Right",
    "Producer Left",
];

/// Reads all cameras on nodes, except viewports.
pub fn read(scene: &ufbx::Scene, nodes: &mut Nodes) -> Vec<Camera> {
    // The file's units.
    let unit = positive(scene.settings.unit_meters).unwrap_or(1.0);
    let mut cameras = Vec::new();
    for (number, node) in scene.nodes.iter().enumerate() {
        let is_viewport = VIEWPORTS.iter().any(|name| *node.element.name == **name);
        let Some(camera) = node.camera.as_ref().filter(|_| !is_viewport) else { continue };
        let Some(projection) = projection(camera, unit) else { continue };
        let turn = DQuat::from_mat3(&DMat3::from_cols(DVec3::Z, DVec3::Y, DVec3::NEG_X));
        let name =
            one_line(if camera.element.name.is_empty() { &node.element.name } else { &camera.element.name });
        let rest = LocalTransform::Trs { translation: DVec3::ZERO, rotation: turn, scale: DVec3::ONE };
        let node = nodes.add_below(number, format!("view of {name}"), rest);
        cameras.push(Camera {
            name: name.into(),
            file_index: camera.element.typed_id as usize,
            node,
            projection,
        });
    }
    cameras.sort_by_key(|camera| camera.file_index);
    cameras
}

fn projection(camera: &ufbx::Camera, unit: f64) -> Option<Projection> {
    let near = positive(camera.near_plane * unit)?;
    let far = positive(camera.far_plane * unit).filter(|far| *far > near);
    match camera.projection_mode {
        ufbx::ProjectionMode::Perspective => {
            let yfov_radians = positive(camera.field_of_view_deg.y.to_radians())?;
            let is_open = yfov_radians < std::f64::consts::PI;
            let aspect = positive(camera.aspect_ratio);
            is_open.then_some(Projection::Perspective { yfov_radians, aspect, near, far })
        }
        ufbx::ProjectionMode::Orthographic => Some(Projection::Orthographic {
            half_width: positive(camera.orthographic_size.x * unit / 2.0)?,
            half_height: positive(camera.orthographic_size.y * unit / 2.0)?,
            near,
            far: far?,
        }),
    }
}
