//! The way of a vertex to a pixel: the blended matrix, then the matrices of a camera.

use glam::{DMat4, DVec4};

use super::explanation::{Explanation, Screen};
use super::gather::{find, slots};
use super::modes;
use super::place::bind_place;
use crate::palette::{columns, finite};
use sinew_model::{Model, NotDrawn, VertexIndex};
use sinew_skinning::pose::Pose;
use sinew_skinning::posed;
use sinew_skinning::reference::JointMotion;
use sinew_skinning::{SkinningMode, skin_of};

/// A camera's matrices, in Vulkan's convention with y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// The world as the camera sees it.
    pub view_from_world: DMat4,
    /// The projection.
    pub clip_from_view: DMat4,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
}

impl Explanation {
    /// Adds the vertex's way to a pixel in a mode.
    ///
    /// # Errors
    /// If no instance draws the vertex.
    pub fn add_screen(
        &mut self,
        model: &Model,
        pose: &Pose,
        vertex: VertexIndex,
        mode: SkinningMode,
        sight: &Sight,
    ) -> Result<(), NotDrawn> {
        let found = find(model, vertex)?;
        let slots = slots(model, pose, found, vertex.vertex);
        let motions: Vec<(JointMotion, f64)> = slots.iter().map(|slot| (slot.motion, slot.weight)).collect();
        let own = |mode| posed::own_of(model, mode, pose, vertex);
        let surrounded = |mode| posed::surrounded_transform(model, mode, pose, vertex);
        let has_skin = skin_of(model, found.instance, found.primitive.influences.is_some()).is_some();
        let blend = DMat4::from(modes::transform(mode, &motions, has_skin, &own, &surrounded));
        let bind = bind_place(model, found.instance, found.primitive, vertex.vertex, Some(pose));
        let bind = bind.position.extend(1.0);
        let world = blend * bind;
        let view = sight.view_from_world * world;
        let clip = sight.clip_from_view * view;
        let ndc = clip.truncate() / clip.w;
        let pixel = [(ndc.x, sight.size[0]), (ndc.y, sight.size[1])]
            .map(|(along, side)| (along * 0.5 + 0.5) * f64::from(side));
        let vector = |of: DVec4| finite(of.to_array());
        self.screen = Some(Screen {
            mode,
            size: sight.size,
            bind: vector(bind),
            world_from_bind: columns(&blend),
            world: vector(world),
            view_from_world: columns(&sight.view_from_world),
            view: vector(view),
            clip_from_view: columns(&sight.clip_from_view),
            clip: vector(clip),
            ndc: finite(ndc.to_array()),
            pixel: finite(pixel).filter(|_| clip.w > 0.0),
        });
        Ok(())
    }
}
