//! Views: what surfaces show instead of their light, such as directions, coordinates or joint weights, and the vertex
//! colours of views that depend on weights. It must not know how they are drawn.

mod colors;
mod difference;
mod joint_colors;
mod legend;
mod weights;

use std::fmt;
use std::str::FromStr;

pub use colors::Coloring;
pub use difference::{Against, Difference, OTHER};
pub use joint_colors::{JointColors, neighbours};
pub use legend::Legend;

use legend::weighted_joints;
use sinew_image::balance;
use sinew_model::Model;
use sinew_model::unknown::nearest;
use weights::{LEAST_OFF, MAX_INFLUENCES, scale};

/// Defines [`View`] from one line per view: variant, name and help.
macro_rules! views {
    ($($(#[$default:meta])? $variant:ident = $name:literal: $help:literal,)+) => {
        /// The content of surfaces.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub enum View {
            $($(#[$default])? #[doc = $help] $variant,)+
            /// The weight of one joint, named like its node.
            Joint(String),
            /// The mesh after the inverse bind matrix of one joint alone.
            SpaceOf(String),
            /// The distance between the vertices of this mode and another.
            Difference(Difference),
        }

        /// The views without a parameter, with their names and help.
        const NAMED: [(&str, View, &str); [$($name),+].len()] = [$(($name, View::$variant, $help)),+];

        impl View {
            /// Returns the name that users type; a joint's name follows it.
            const fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                    Self::Joint(_) => "joint",
                    Self::SpaceOf(_) => "skin-space",
                    Self::Difference(_) => "difference",
                }
            }
        }
    };
}

views! {
    #[default]
    Shaded = "shaded": "the surface in its light",
    Normals = "normals": "x, y, z from -1 to 1 are red, green, blue from 1 to 255",
    Tangents = "tangents": "like normals; grey where the mesh has no tangents",
    Uv = "uv": "u is red, v is green, on an 8 by 8 chequerboard",
    Weights = "weights": "a colour per joint, mixed by weight",
    Influences = "influences": "the number of joints that move a vertex, from dark (0) to pale (8 or more)",
    WeightSum = "weight-sum": "the sum of a vertex's weights in the file, before the loader repairs it: grey is 1, \
                               blue less, orange more, dark means no weights",
    BlendShare = "blend-share": "how much of dqs the mode blend takes, from dark (0, lbs) to pale (1)",
    Wireframe = "wireframe": "the edges of the triangles",
    Centers = "centers": "where the pose takes the centres of rotation, about which the mode cor turns vertices, in \
                          the colour of their first joint",
    SkinSpace = "skin-space": "the mesh after the inverse bind matrices alone, with no pose applied and without \
                               materials",
    Skeleton = "skeleton": "joints and bones, without the mesh",
}

/// The help of the views of single joints.
const JOINT_HELP: (&str, &str) = ("joint:NAME", "the weight of one joint, from dark (0) to pale (1)");

/// The help of the views of the spaces of single joints.
const SPACE_HELP: (&str, &str) =
    ("skin-space:NAME", "the mesh in the space of one joint: after its inverse bind matrix alone");

/// Error for text that names no view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}{}", View::names(), nearest.map_or_else(String::new, |nearest| format!("; did you mean '{nearest}'?")))]
pub struct NoView {
    /// The view with the closest spelling.
    pub nearest: Option<&'static str>,
}

impl FromStr for View {
    type Err = NoView;

    fn from_str(text: &str) -> Result<Self, NoView> {
        if let Some(against) = text.strip_prefix("difference:") {
            let difference = against.parse().map(Self::Difference);
            return difference.map_err(|_| NoView { nearest: Some(difference::HELP.0) });
        }
        match text.strip_prefix("joint:") {
            Some(joint) if !joint.is_empty() => Ok(Self::Joint(joint.to_owned())),
            None if text.strip_prefix("skin-space:").is_some_and(|joint| !joint.is_empty()) => {
                Ok(Self::SpaceOf(text.trim_start_matches("skin-space:").to_owned()))
            }
            _ => match NAMED.into_iter().find(|(name, ..)| *name == text) {
                Some((_, view, _)) => Ok(view),
                None => Err(NoView { nearest: nearest(text, NAMED.iter().map(|(name, ..)| *name)) }),
            },
        }
    }
}

impl fmt::Display for View {
    /// Writes the text that [`View::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joint(joint) | Self::SpaceOf(joint) => write!(f, "{}:{joint}", self.name()),
            Self::Difference(difference) => write!(f, "{}:{difference}", self.name()),
            plain => f.write_str(plain.name()),
        }
    }
}

impl View {
    /// Returns the views without a parameter.
    pub fn all() -> [Self; NAMED.len()] {
        NAMED.map(|(_, view, _)| view)
    }

    /// Returns the names of all views, for use in a sentence.
    pub fn names() -> String {
        let names: Vec<&str> = NAMED.iter().map(|(name, ..)| *name).collect();
        format!("{}, {}, {} or {}", names.join(", "), JOINT_HELP.0, SPACE_HELP.0, difference::HELP.0)
    }

    /// Returns the help: a sentence about each view.
    pub fn help() -> String {
        let named = NAMED.iter().map(|(name, _, help)| (*name, *help)).chain([
            JOINT_HELP,
            SPACE_HELP,
            difference::HELP,
        ]);
        named.map(|(name, help)| format!("{name}: {help}.")).collect::<Vec<_>>().join(" ")
    }

    /// Returns true if each vertex has its own colour.
    pub fn is_by_vertex(&self) -> bool {
        match self {
            Self::Weights
            | Self::Joint(_)
            | Self::Influences
            | Self::WeightSum
            | Self::BlendShare
            | Self::Difference(_) => true,
            Self::Shaded
            | Self::Normals
            | Self::Tangents
            | Self::Uv
            | Self::Wireframe
            | Self::Centers
            | Self::SkinSpace
            | Self::SpaceOf(_)
            | Self::Skeleton => false,
        }
    }

    /// Returns the difference whose colours change with the pose, if the view shows one. It is recomputed in each
    /// frame.
    pub fn moving(&self) -> Option<&Difference> {
        match self {
            Self::Difference(difference) => Some(difference),
            Self::Shaded
            | Self::Normals
            | Self::Tangents
            | Self::Uv
            | Self::Weights
            | Self::Joint(_)
            | Self::Influences
            | Self::WeightSum
            | Self::BlendShare
            | Self::Wireframe
            | Self::Centers
            | Self::SkinSpace
            | Self::SpaceOf(_)
            | Self::Skeleton => None,
        }
    }

    /// Returns true if the view shows the distance to the other of two files.
    pub fn is_against_other(&self) -> bool {
        self.moving().is_some_and(|difference| difference.against == Against::Other)
    }

    /// Returns true if the view implies a pose: that of the inverse bind matrices alone.
    pub fn has_own_pose(&self) -> bool {
        matches!(self, Self::SkinSpace | Self::SpaceOf(_))
    }

    /// Returns true if surfaces show only the edges of their triangles.
    pub fn has_wires(&self) -> bool {
        matches!(self, Self::Wireframe)
    }

    /// Returns true if surfaces are lit.
    pub fn is_shaded(&self) -> bool {
        matches!(self, Self::Shaded)
    }

    /// Returns the legend, if its colours stand for numbers or joints. `joints` are those of the model; `flat` is
    /// true if surfaces are not softly lit.
    pub fn legend(&self, model: &Model, joints: &JointColors, flat: bool) -> Option<Legend> {
        let heat = scale(flat);
        let ramp = |title: String, ticks: &[(f32, &str)], color: &dyn Fn(f32) -> [u8; 3]| {
            let ticks = ticks.iter().map(|(at, text)| (*at, (*text).to_owned())).collect();
            Some(legend::ramp(title, ticks, color))
        };
        match self {
            Self::Weights => Some(weighted_joints(model, joints)),
            Self::Joint(joint) => {
                let ticks = [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")];
                ramp(format!("weight of {joint}"), &ticks, &heat)
            }
            Self::Influences => {
                let ticks = ["0", "1", "2", "3", "4", "5", "6", "7", "8+"];
                let ticks: Vec<_> = ticks
                    .iter()
                    .enumerate()
                    .map(|(count, text)| (count as f32 / MAX_INFLUENCES as f32, *text))
                    .collect();
                ramp("joints per vertex".to_owned(), &ticks, &heat)
            }
            Self::WeightSum => {
                let off = |ten: f32| 0.5 + 0.5 * (1.0 - ten / LEAST_OFF);
                let ticks = [
                    (1.0 - off(0.0), "0"),
                    (1.0 - off(-2.0), "-1%"),
                    (0.5, "1"),
                    (off(-2.0), "+1%"),
                    (off(0.0), "2+"),
                ];
                ramp("sum of weights, as stored".to_owned(), &ticks, &|number| balance(number * 2.0 - 1.0))
            }
            Self::BlendShare => {
                let ticks = [(0.0, "lbs"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "dqs")];
                ramp("share of dqs in blend".to_owned(), &ticks, &heat)
            }
            // Its scale depends on the figure's size, and may change with the pose.
            Self::Difference(_)
            | Self::Shaded
            | Self::Normals
            | Self::Tangents
            | Self::Uv
            | Self::Wireframe
            | Self::Centers
            | Self::SkinSpace
            | Self::SpaceOf(_)
            | Self::Skeleton => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::legend::RAMP_STEPS;
    use super::*;
    use glam::DMat4;
    use sinew_image::{glow, heat};
    use sinew_model::srgb;
    use sinew_model::{Influences, Instance, Mesh, Span};
    use sinew_model::{Primitive, Rig, Skin};
    use sinew_skinning::SkinningMode;
    use sinew_skinning::pose::{JointShare, Shares};
    use weights::imbalance;

    #[test]
    fn views_are_read_and_printed() {
        for (name, view, _) in NAMED {
            assert_eq!((name.parse(), view.to_string()), (Ok(view), name.to_owned()));
        }
        let joint = View::Joint("left arm:2".to_owned());
        assert_eq!((joint.to_string().parse(), "joint:left arm:2".parse()), (Ok(joint.clone()), Ok(joint)));
        for (wrong, nearest) in [
            ("", None),
            ("joint", None),
            ("joint:", None),
            ("Shaded", Some("shaded")),
            ("depth", None),
            ("weigths", Some("weights")),
        ] {
            assert_eq!(wrong.parse::<View>(), Err(NoView { nearest }), "{wrong}");
        }
        for (text, against, top_m) in [
            ("difference:lbs", Against::Mode(SkinningMode::Linear), None),
            ("difference:rigid@0.02m", Against::Mode(SkinningMode::Rigid), Some(0.02)),
            ("difference:other@0.5m", Against::Other, Some(0.5)),
        ] {
            let view = View::Difference(Difference { against, top_m });
            assert_eq!((text.parse(), view.to_string()), (Ok(view), text.to_owned()));
        }
        for wrong in
            ["difference:", "difference:x", "difference:lbs@", "difference:lbs@0m", "difference:lbs@5"]
        {
            assert_eq!(wrong.parse::<View>(), Err(NoView { nearest: Some(difference::HELP.0) }), "{wrong}");
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
        let skin = Skin {
            name: String::new(),
            joints: vec![3, 1],
            joint_from_bind: [DMat4::IDENTITY; 2].into(),
            method: None,
        };
        let names = ["", "elbow", "", "shoulder"].map(str::to_owned).to_vec();
        let rig = Rig { names, parents: vec![None; 4], ..Rig::default() };
        let model = Model { rig: rig.clone(), skins: vec![skin.clone()], ..Model::default() };
        let joints = JointColors::new(&model);
        let linear = |bytes: [u8; 3]| bytes.map(|byte| srgb::to_linear(f64::from(byte) / 255.0) as f32);
        let shares = Shares::default();
        let lit = Coloring { rig: &rig, shares: &shares, joints: &joints, flat: false };
        let colors = |view: View, flat: bool| {
            let coloring = Coloring { flat, ..lit };
            let colors = view.vertex_colors(&primitive, Some(&skin), coloring).unwrap();
            assert!(colors.iter().all(|color| color[3] == 0.5));
            colors.into_iter().map(|[r, g, b, _]| [r, g, b]).collect::<Vec<_>>()
        };
        for (flat, scale) in [(false, glow as fn(f32) -> [u8; 3]), (true, heat)] {
            let elbow = colors(View::Joint("elbow".to_owned()), flat);
            assert_eq!(elbow, [linear(scale(0.75)), linear(scale(0.0)), linear(scale(0.0))]);
            assert_eq!(colors(View::Influences, flat), [0.25, 0.125, 0.0].map(|share| linear(scale(share))));
        }
        let [first, second, nothing] = colors(View::Weights, false)[..] else { panic!("three vertices") };
        // The skin's joint 0 is the shoulder, node 3; its joint 1 is the elbow, node 1.
        let [shoulder, elbow] = [3, 1].map(|node| linear(joints.of(node)));
        assert_eq!((second, nothing), (shoulder, [0.0; 3]));
        let mixed = [0, 1, 2].map(|channel| 0.75 * elbow[channel] + 0.25 * shoulder[channel]);
        assert!(first.iter().zip(mixed).all(|(found, wanted)| (found - wanted).abs() < 1e-6), "{first:?}");
        assert_eq!(View::Normals.vertex_colors(&primitive, Some(&skin), lit), None);
        let without = View::WeightSum.vertex_colors(&primitive, None, lit).unwrap();
        assert_eq!(without[0][..3], [0.02; 3]);
        let unskinned = View::Influences.vertex_colors(&primitive, None, lit).unwrap();
        assert_eq!(unskinned[0][..3], linear(glow(0.0)));

        let mut shares = Shares::default();
        assert!(shares.set_all(0.5));
        shares.put(1, JointShare { name: "elbow".to_owned(), share: 0.0 });
        let coloring = Coloring { shares: &shares, ..lit };
        let shared = View::BlendShare.vertex_colors(&primitive, Some(&skin), coloring).unwrap();
        // Three quarters of the elbow's nothing and a quarter of a half; the shoulder alone; no joint at all.
        for (found, share) in shared.iter().zip([0.125, 0.5, 0.5]) {
            assert_eq!(found[..3], linear(glow(share)));
        }

        let off = Primitive { unequal_sums: vec![(1, 0.0), (2, 1.01)], ..primitive.clone() };
        let sums = View::WeightSum.vertex_colors(&off, Some(&skin), lit).unwrap();
        let expected = [0.0, -1.0, 2.0 / 3.0].map(|imbalance| linear(balance(imbalance)));
        for (found, expected) in sums.iter().zip(expected) {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01), "{found:?} {expected:?}");
        }
    }

    #[test]
    fn legends_tell_the_colours_of_vertices() {
        let span = Span { joints: vec![[2, 0, -1, -1]], weights: vec![[0.75, 0.25, 0.0, 0.0]] };
        let primitive = Primitive {
            positions: vec![[0.0; 3]],
            influences: Some(Influences { spans: vec![span] }),
            ..Primitive::default()
        };
        let skin = Skin {
            name: String::new(),
            joints: vec![2, 1, 0],
            joint_from_bind: [DMat4::IDENTITY; 3].into(),
            method: None,
        };
        let names = ["wrist", "elbow", ""].map(str::to_owned).to_vec();
        let model = Model {
            rig: Rig { names, parents: vec![None; 3], ..Rig::default() },
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            skins: vec![skin],
            instances: vec![Instance { node: 0, mesh: 0, skin: Some(0) }],
            ..Model::default()
        };
        // The elbow moves nothing.
        let joints = JointColors::new(&model);
        let entries = vec![(joints.of(2), "joint 0".to_owned()), (joints.of(0), "wrist".to_owned())];
        let expected = Legend::List { entries, more: 0, hatched: false };
        assert_eq!(View::Weights.legend(&model, &joints, false), Some(expected));
        let mut bare = model.clone();
        bare.instances.push(Instance { node: 0, mesh: 0, skin: None });
        let hatched = View::Weights.legend(&bare, &joints, false);
        assert!(matches!(hatched, Some(Legend::List { hatched: true, .. })), "{hatched:?}");
        for (view, number, text, expected) in [
            (View::Joint("a".to_owned()), 1, "0.25", glow(0.25)),
            (View::Influences, 3, "3", glow(3.0 / 8.0)),
            (View::WeightSum, 0, "0", balance(imbalance(0.0))),
            (View::WeightSum, 1, "-1%", balance(imbalance(0.99))),
            (View::WeightSum, 2, "1", balance(imbalance(1.0))),
            (View::WeightSum, 3, "+1%", balance(imbalance(1.01))),
            (View::WeightSum, 4, "2+", balance(imbalance(2.0))),
        ] {
            let Some(Legend::Ramp { ticks, colors, .. }) = view.legend(&model, &joints, false) else {
                panic!("{view}")
            };
            let (at, found) = &ticks[number];
            let shown = colors[(at * f32::from(RAMP_STEPS)).round() as usize];
            let off = shown.into_iter().zip(expected).map(|(a, b)| a.abs_diff(b)).max();
            assert!(found == text && off <= Some(1), "{view}: {found} at {at}");
        }
        assert_eq!(View::Normals.legend(&model, &joints, false), None);
    }
}
