//! What is shown of a surface instead of its light: directions, coordinates, or what its joints' weights are.
//! It must not know how it is drawn; what depends on weights becomes a colour a vertex here.

use std::fmt;
use std::str::FromStr;

use crate::image::{heat, hue};
use crate::model::{Primitive, Rig, Skin};
use crate::srgb;

/// What is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The surface under its light.
    #[default]
    Shaded,
    /// Directions of normals: x, y, z from −1 to 1 are red, green, blue.
    Normals,
    /// Directions of tangents, the same way; grey where the mesh has none.
    Tangents,
    /// Texture coordinates: u is red, v is green, on a board of eight by eight.
    Uv,
    /// A colour for each joint, mixed by the vertex's weights.
    Weights,
    /// The weight of a joint, named as its node is.
    Joint(String),
    /// How many joints move a vertex: none is dark, eight and more are bright.
    Influences,
}

/// Text that names no view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected shaded, normals, tangents, uv, weights, influences or joint:NAME")]
pub struct NoView;

/// Views without a name in them.
const NAMED: [(&str, View); 6] = [
    ("shaded", View::Shaded),
    ("normals", View::Normals),
    ("tangents", View::Tangents),
    ("uv", View::Uv),
    ("weights", View::Weights),
    ("influences", View::Influences),
];

impl FromStr for View {
    type Err = NoView;

    fn from_str(text: &str) -> Result<Self, NoView> {
        match text.strip_prefix("joint:") {
            Some(joint) if !joint.is_empty() => Ok(Self::Joint(joint.to_owned())),
            _ => NAMED.into_iter().find(|(name, _)| *name == text).map(|(_, view)| view).ok_or(NoView),
        }
    }
}

impl fmt::Display for View {
    /// What [`View::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joint(joint) => write!(f, "joint:{joint}"),
            other => {
                let name =
                    NAMED.into_iter().find(|(_, view)| view == other).map_or("shaded", |(name, _)| name);
                f.write_str(name)
            }
        }
    }
}

/// As many influences as are told apart.
const MOST_INFLUENCES: usize = 8;

impl View {
    /// Whether each vertex has a colour of its own.
    pub fn is_by_vertex(&self) -> bool {
        matches!(self, Self::Weights | Self::Joint(_) | Self::Influences)
    }

    /// The linear colours of a primitive's vertices, where the view is by vertex. What no skin moves has
    /// no joint.
    pub fn vertex_colors(
        &self,
        primitive: &Primitive,
        skin: Option<&Skin>,
        rig: &Rig,
    ) -> Option<Vec<[f32; 4]>> {
        let color = |bytes: [u8; 3]| bytes.map(|byte| srgb::to_linear(f64::from(byte) / 255.0));
        let wanted = |joint: usize| {
            let node = skin.and_then(|skin| skin.joints.get(joint));
            let name = node.and_then(|node| rig.names.get(*node));
            matches!((self, name), (Self::Joint(wanted), Some(name)) if wanted == name)
        };
        let of_vertex = |vertex: usize| -> [f64; 3] {
            let influences = influences(primitive, skin, vertex);
            match self {
                Self::Weights => {
                    let mixed = influences.fold([0.0; 3], |mixed, (joint, weight)| {
                        let [r, g, b] = color(hue(joint)).map(|light| light * f64::from(weight));
                        [mixed[0] + r, mixed[1] + g, mixed[2] + b]
                    });
                    mixed.map(|light| light.min(1.0))
                }
                Self::Joint(_) => {
                    let weight: f32 =
                        influences.filter(|(joint, _)| wanted(*joint)).map(|(_, weight)| weight).sum();
                    color(heat(weight))
                }
                _ => color(heat(influences.count().min(MOST_INFLUENCES) as f32 / MOST_INFLUENCES as f32)),
            }
        };
        let alpha = |vertex: usize| {
            let color = primitive.colors.as_ref().and_then(|colors| colors.get(vertex));
            color.map_or(1.0, |color| color[3])
        };
        let vertices = 0..primitive.positions.len();
        self.is_by_vertex().then(|| {
            vertices
                .map(|vertex| {
                    let [r, g, b] = of_vertex(vertex).map(|light| light as f32);
                    [r, g, b, alpha(vertex)]
                })
                .collect()
        })
    }
}

/// The joints that move a vertex, and how much.
fn influences<'a>(
    primitive: &'a Primitive,
    skin: Option<&'a Skin>,
    vertex: usize,
) -> impl Iterator<Item = (usize, f32)> + 'a {
    let spans = primitive.influences.as_ref().filter(|_| skin.is_some()).map(|influences| &influences.spans);
    spans.into_iter().flatten().flat_map(move |span| {
        let joints = span.joints.get(vertex).copied().unwrap_or([-1; 4]);
        let weights = span.weights.get(vertex).copied().unwrap_or_default();
        joints.into_iter().zip(weights).filter_map(|(joint, weight)| {
            let joint = usize::try_from(joint).ok()?;
            (weight > 0.0).then_some((joint, weight))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Influences, Span};
    use glam::DMat4;

    #[test]
    fn views_are_read_and_printed() {
        for (name, view) in NAMED {
            assert_eq!((name.parse(), view.to_string()), (Ok(view), name.to_owned()));
        }
        let joint = View::Joint("left arm:2".to_owned());
        assert_eq!((joint.to_string().parse(), "joint:left arm:2".parse()), (Ok(joint.clone()), Ok(joint)));
        for wrong in ["", "joint", "joint:", "Shaded", "depth"] {
            assert_eq!(wrong.parse::<View>(), Err(NoView), "{wrong}");
        }
    }

    #[test]
    fn colours_are_those_of_the_weights() {
        let span = Span {
            joints: vec![[1, 0, -1, -1], [0, -1, -1, -1], [-1; 4]],
            weights: vec![[0.75, 0.25, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0; 4]],
        };
        let primitive = Primitive {
            positions: vec![[0.0; 3]; 3],
            influences: Some(Influences { spans: vec![span] }),
            colors: Some(vec![[0.1, 0.2, 0.3, 0.5]; 3]),
            ..Primitive::default()
        };
        let skin =
            Skin { name: String::new(), joints: vec![3, 1], joint_from_bind: vec![DMat4::IDENTITY; 2] };
        let names = ["", "elbow", "", "shoulder"].map(str::to_owned).to_vec();
        let rig = Rig { names, ..Rig::default() };
        let linear = |bytes: [u8; 3]| bytes.map(|byte| srgb::to_linear(f64::from(byte) / 255.0) as f32);
        let colors = |view: View| {
            let colors = view.vertex_colors(&primitive, Some(&skin), &rig).unwrap();
            assert!(colors.iter().all(|color| color[3] == 0.5));
            colors.into_iter().map(|[r, g, b, _]| [r, g, b]).collect::<Vec<_>>()
        };
        let elbow = colors(View::Joint("elbow".to_owned()));
        assert_eq!(elbow, [linear(heat(0.75)), linear(heat(0.0)), linear(heat(0.0))]);
        assert_eq!(colors(View::Influences), [0.25, 0.125, 0.0].map(|share| linear(heat(share))));
        let [first, second, nothing] = colors(View::Weights)[..] else { panic!("three vertices") };
        assert_eq!((second, nothing), (linear(hue(0)), [0.0; 3]));
        let mixed = [0, 1, 2].map(|channel| 0.75 * linear(hue(1))[channel] + 0.25 * linear(hue(0))[channel]);
        assert!(first.iter().zip(mixed).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{first:?}");
        assert_eq!(View::Normals.vertex_colors(&primitive, Some(&skin), &rig), None);
        let unskinned = View::Influences.vertex_colors(&primitive, None, &rig).unwrap();
        assert_eq!(unskinned[0][..3], linear(heat(0.0)));
    }
}
