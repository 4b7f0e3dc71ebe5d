//! The vertex colours of views that depend on weights.

use super::View;
use super::facts::{Source, Surface, Vertex};
use super::joint_colors::JointColors;
use super::weights::NO_WEIGHTS;
use sinew_model::srgb;
use sinew_model::{Primitive, Rig, Skin};
use sinew_skinning::pose::Shares;

/// Inputs of vertex colours besides the vertices.
#[derive(Clone, Copy)]
pub struct Coloring<'a> {
    /// The model's rig.
    pub rig: &'a Rig,
    /// The shares of the pose.
    pub shares: &'a Shares,
    /// The colours of the joints.
    pub joints: &'a JointColors,
    /// True if surfaces are flat, and scales begin at black.
    pub flat: bool,
}

impl View {
    /// Returns the linear colours of a primitive's vertices, if the view has vertex colours that no motion changes. A
    /// primitive that no skin moves has no joint.
    pub fn vertex_colors(
        &self,
        primitive: &Primitive,
        skin: Option<&Skin>,
        Coloring { rig, shares, joints, flat }: Coloring<'_>,
    ) -> Option<Vec<[f32; 4]>> {
        let color = |bytes: [u8; 3]| bytes.map(|byte| srgb::to_linear(f64::from(byte) / 255.0));
        let surface = self.facts().surface;
        let of_joint = |joint: usize| {
            let node = skin.and_then(|skin| skin.joints.get(joint));
            color(node.map_or([128; 3], |node| joints.of(*node)))
        };
        let of_vertex = |index: usize| -> Option<[f64; 3]> {
            let vertex = Vertex { view: self, rig, skin, primitive, index };
            let number = match surface {
                Surface::Part => {
                    return Some(vertex.influences().next().map_or(NO_WEIGHTS, |(joint, _)| of_joint(joint)));
                }
                Surface::Joints => {
                    let mixed = vertex.influences().fold([0.0; 3], |mixed, (joint, weight)| {
                        let [r, g, b] = of_joint(joint).map(|light| light * f64::from(weight));
                        [mixed[0] + r, mixed[1] + g, mixed[2] + b]
                    });
                    return Some(mixed.map(|light| light.min(1.0)));
                }
                Surface::Numbers(scale) => match scale.source {
                    Source::Model(number) => number(&vertex).map(|number| scale.color(number, flat)),
                    Source::Shares(number) => number(&vertex, shares).map(|number| scale.color(number, flat)),
                },
                Surface::Distances
                | Surface::Light
                | Surface::Hidden
                | Surface::Edges
                | Surface::Computed(_) => return None,
            };
            Some(number.map_or(NO_WEIGHTS, color))
        };
        let alpha = |index: usize| {
            if matches!(surface, Surface::Part) {
                let vertex = Vertex { view: self, rig, skin, primitive, index };
                return f32::from(u8::from(vertex.is_of_part()));
            }
            let color = primitive.colors.as_ref().and_then(|colors| colors.get(index));
            color.map_or(1.0, |color| color[3])
        };
        if !self.is_by_vertex() {
            return None;
        }
        let vertices = 0..primitive.positions.len();
        let colors = vertices.map(|vertex| {
            let [r, g, b] = of_vertex(vertex)?.map(|light| light as f32);
            Some([r, g, b, alpha(vertex)])
        });
        colors.collect()
    }
}
