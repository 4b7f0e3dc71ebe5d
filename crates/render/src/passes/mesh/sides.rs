//! Which sides of a surface the rasterizer culls, and which a shader has to hide or tell apart.

use crate::frame::palettes::Winding;
use sinew_model::{Material, Topology};
use sinew_scene::shared::{SIDES_BY_RASTERIZER, SIDES_BY_VERTEX, SIDES_UNKNOWN};
use sinew_vulkan::vk;

/// Which passes cull back faces, and which shade them differently.
pub struct Sides {
    /// Which faces the rasterizer culls.
    pub cull: vk::CullModeFlags,
    /// Which winding faces us.
    pub front: vk::FrontFace,
    /// For [`SurfaceBlock::sides`].
    pub known_by: u32,
    /// For [`SurfaceBlock::hide_back`].
    pub hide_back: u32,
}

impl Sides {
    /// Points and lines have no back.
    pub fn of_lines() -> Self {
        Self {
            cull: vk::CullModeFlags::NONE,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            known_by: SIDES_BY_RASTERIZER,
            hide_back: 0,
        }
    }

    /// The sides of a draw. `by_shader`: the vertex shader skins, and so knows which vertices are mirrored.
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
            // Vertices that were skinned before do not say which joints moved them. Showing both
            // sides loses nothing of a closed surface, whose back is behind its front.
            (Topology::Triangles, Winding::Mixed) => shader(SIDES_UNKNOWN, false),
        }
    }
}
