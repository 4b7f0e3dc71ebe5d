//! The camera of a scene in its pose.

use crate::model::figure::Figure;
use sinew_scene::camera::{Camera, Orbit, Viewpoint};
use sinew_scene::scene::Scene;
use sinew_skinning::pose::Pose;

/// Returns the camera for a picture of this size. A camera of the file follows its node. If the model lacks that
/// camera, the default viewpoint replaces it, since a scene may outlive its model.
pub fn camera(figure: &mut Figure, scene: &Scene, size: [u32; 2], pose: &Pose) -> Camera {
    let orbit = match &scene.camera {
        Viewpoint::Orbit(orbit) => *orbit,
        Viewpoint::InFile { camera, .. } => {
            let camera = figure.model.cameras.get(*camera);
            // A fault does not move the camera.
            let mut right = Pose::default();
            let pose = match scene.inject {
                Some(_) => {
                    right.set(&figure.model, &scene.pose);
                    &right
                }
                None => pose,
            };
            let placed = camera.and_then(|camera| Some((camera, pose.world_from_node.get(camera.node)?)));
            if let Some((camera, world_from_node)) = placed {
                return Camera::through(&camera.projection, world_from_node, size);
            }
            Orbit::default()
        }
    };
    let orbit = orbit.facing(figure.broad_side(scene));
    Camera::new(&orbit, figure.hull_of(scene), size)
}
