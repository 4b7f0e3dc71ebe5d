//! Face culling: the sides that the rasterizer culls, and those that a shader must hide or distinguish.

use crate::frame::palettes::Winding;
use sinew_model::{Material, Topology};
use sinew_scene::shared::{SIDES_BY_RASTERIZER, SIDES_BY_VERTEX, SIDES_UNKNOWN};
use sinew_vulkan::vk;

/// Culling and shading of a draw's sides.
pub struct Sides {
    /// Faces that the rasterizer culls.
    pub cull: vk::CullModeFlags,
    /// Winding of front faces.
    pub front: vk::FrontFace,
    /// Value of [`SurfaceBlock::sides`].
    pub known_by: u32,
    /// Value of [`SurfaceBlock::hide_back`].
    pub hide_back: u32,
}

impl Sides {
    /// Returns the sides of points and lines, which have no back.
    pub fn of_lines() -> Self {
        Self {
            cull: vk::CullModeFlags::NONE,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            known_by: SIDES_BY_RASTERIZER,
            hide_back: 0,
        }
    }

    /// Returns the sides of a draw. `by_shader` is true if the vertex shader skins, so that it can tell which
    /// vertices are mirrored.
    pub fn new(material: &Material, topology: Topology, winding: Winding, by_shader: bool) -> Self {
        let rasterizer = |front| Self {
            cull: if material.double_sided { vk::CullModeFlags::NONE } else { vk::CullModeFlags::BACK },
            front,
            known_by: SIDES_BY_RASTERIZER,
            hide_back: 0,
        };
        let shader = |known_by, hide: bool| Self {
            cull: vk::CullModeFlags::NONE,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            known_by,
            hide_back: u32::from(hide),
        };
        match (topology, winding) {
            // Points and lines have no back.
            (Topology::Points | Topology::Lines, _) => rasterizer(vk::FrontFace::COUNTER_CLOCKWISE),
            (Topology::Triangles, Winding::Kept) => rasterizer(vk::FrontFace::COUNTER_CLOCKWISE),
            (Topology::Triangles, Winding::Turned) => rasterizer(vk::FrontFace::CLOCKWISE),
            (Topology::Triangles, Winding::Mixed) if by_shader => {
                shader(SIDES_BY_VERTEX, !material.double_sided)
            }
            // For vertices skinned earlier, the joints are unknown. Showing both sides loses nothing of a closed
            // surface, whose back is behind its front.
            (Topology::Triangles, Winding::Mixed) => shader(SIDES_UNKNOWN, false),
        }
    }
}
