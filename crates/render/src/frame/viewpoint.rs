//! The camera of a scene in its pose.

use std::collections::HashMap;

use crate::model::figure::Figure;
use glam::{DVec2, Vec3};
use sinew_model::VertexIndex;
use sinew_scene::camera::{Camera, Orbit, Viewpoint};
use sinew_scene::picking::{self, Hit, Ray};
use sinew_scene::scene::{Located, Scene};
use sinew_skinning::SkinningMode;
use sinew_skinning::pose::Pose;

impl Figure {
    /// Returns the camera of each of the scene's panes, in the scene's pose.
    pub fn camera(&mut self, scene: &Scene, pose: &Pose) -> Camera {
        camera(self, scene, scene.pane_size(), pose)
    }

    /// Returns the vertex and triangle under a pixel of the scene's picture, in its pose and in the mode shown there. Ignores
    /// the other of two files, and crowds.
    pub fn pick(&mut self, scene: &Scene, pose: &Pose, pixel: DVec2) -> Option<Hit> {
        let Located { pixel, mode, is_other, .. } = scene.locate(pixel);
        if is_other || scene.crowd.is_some() {
            return None;
        }
        let (origin, direction) = self.camera(scene, pose).sight(pixel, scene.pane_size());
        let skinned = self.skin(mode.into(), pose);
        picking::pick(&self.model, &skinned, &Ray { origin, direction })
    }

    /// Returns the vertices in sight between two pixels of the scene's picture, in the pane of the first. Ignores the other of
    /// two files, and crowds.
    pub fn pick_within(&mut self, scene: &Scene, pose: &Pose, [from, to]: [DVec2; 2]) -> Vec<VertexIndex> {
        let Located { pixel, mode, is_other, .. } = scene.locate(from);
        if is_other || scene.crowd.is_some() {
            return Vec::new();
        }
        let to = to - (from - pixel);
        let camera = self.camera(scene, pose);
        let skinned = self.skin(mode.into(), pose);
        let view = (&camera, scene.pane_size());
        picking::pick_within(&self.model, &skinned, view, [pixel.min(to), pixel.max(to)])
    }

    /// Returns the pixels of vertices in a pane's picture in this mode.
    pub fn pixels_of(
        &mut self,
        scene: &Scene,
        pose: &Pose,
        mode: SkinningMode,
        vertices: &[VertexIndex],
    ) -> Vec<DVec2> {
        let camera = self.camera(scene, pose);
        let skinned = self.skin(mode.into(), pose);
        let drawn: HashMap<(usize, usize), _> =
            skinned.iter().map(|drawn| ((drawn.instance, drawn.primitive), &drawn.positions)).collect();
        let pixel = |index: &VertexIndex| {
            let place = drawn.get(&(index.instance, index.primitive))?.get(index.vertex)?;
            camera.pixel(Vec3::from(*place).as_dvec3(), scene.pane_size())
        };
        vertices.iter().filter_map(pixel).collect()
    }
}

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
