//! The vertex colours of views that depend on weights.

use super::View;
use super::joint_colors::JointColors;
use super::weights::{MAX_INFLUENCES, NO_WEIGHTS, imbalance, influences, scale};
use sinew_image::balance;
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
        let heat = scale(flat);
        let color = |bytes: [u8; 3]| bytes.map(|byte| srgb::to_linear(f64::from(byte) / 255.0));
        let wanted = |joint: usize| {
            let node = skin.and_then(|skin| skin.joints.get(joint));
            let name = node.and_then(|node| rig.names.get(*node));
            matches!((self, name), (Self::Joint(wanted), Some(name)) if wanted == name)
        };
        let of_vertex = |vertex: usize| -> Option<[f64; 3]> {
            let influences = influences(primitive, skin, vertex);
            Some(match self {
                Self::Weights => {
                    let mixed = influences.fold([0.0; 3], |mixed, (joint, weight)| {
                        let node = skin.and_then(|skin| skin.joints.get(joint));
                        let own = node.map_or([128; 3], |node| joints.of(*node));
                        let [r, g, b] = color(own).map(|light| light * f64::from(weight));
                        [mixed[0] + r, mixed[1] + g, mixed[2] + b]
                    });
                    mixed.map(|light| light.min(1.0))
                }
                Self::Joint(_) => {
                    let weight: f32 =
                        influences.filter(|(joint, _)| wanted(*joint)).map(|(_, weight)| weight).sum();
                    color(heat(weight))
                }
                Self::WeightSum if skin.is_none() || primitive.influences.is_none() => NO_WEIGHTS,
                Self::WeightSum => {
                    let sums = &primitive.unequal_sums;
                    let found = sums.binary_search_by_key(&vertex, |(vertex, _)| *vertex as usize);
                    let sum = found.ok().and_then(|found| sums.get(found)).map_or(1.0, |(_, sum)| *sum);
                    color(balance(imbalance(sum)))
                }
                Self::Influences => {
                    color(heat(influences.count().min(MAX_INFLUENCES) as f32 / MAX_INFLUENCES as f32))
                }
                Self::BlendShare => match skin.filter(|_| primitive.influences.is_some()) {
                    Some(skin) => color(heat(shares.of_vertex(skin, primitive, vertex))),
                    None => NO_WEIGHTS,
                },
                Self::Shaded
                | Self::Normals
                | Self::Tangents
                | Self::Uv
                | Self::Wireframe
                | Self::Centers
                | Self::SkinSpace
                | Self::SpaceOf(_)
                | Self::Skeleton
                | Self::Difference(_) => return None,
            })
        };
        let alpha = |vertex: usize| {
            let color = primitive.colors.as_ref().and_then(|colors| colors.get(vertex));
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
