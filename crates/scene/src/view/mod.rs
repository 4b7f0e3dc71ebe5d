//! Views: data that surfaces show in place of light, such as directions, coordinates or joint weights, and the vertex
//! colours of views that depend on weights. It must not depend on how they are drawn.

mod colors;
mod difference;
mod facts;
mod joint_colors;
mod legend;
mod weights;

use std::fmt;
use std::str::FromStr;

pub use colors::Coloring;
pub use difference::{Against, Difference, OTHER};
pub use facts::{Besides, Facts, Ground, Posed, Ramp, Scale, Source, Surface, Vertex};
pub use joint_colors::{JointColors, neighbours};
pub use legend::Legend;

pub use crate::shared::Shows;
use legend::weighted_joints;
use sinew_model::Model;
use sinew_model::unknown::nearest;

/// Defines [`View`] from one row per view: variant, name, help and the other [`Facts`]. Rows after `@with_parameter` have one:
/// its type is the variant's, and help shows its word.
macro_rules! views {
    (
        $($(#[$default:meta])? $variant:ident = $name:literal: $help:literal { $($facts:tt)+ })+
        @with_parameter
        $($of:ident($parameter:ty) = $of_name:literal $word:literal: $of_help:literal { $($of_facts:tt)+ })+
    ) => {
        /// The content of surfaces.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub enum View {
            $($(#[$default])? #[doc = $help] $variant,)+
            $(#[doc = $of_help] $of($parameter),)+
        }

        /// The rows of the table.
        enum Row {
            $($variant,)+
            $($of,)+
        }

        /// The table.
        static FACTS: [Facts; [$($name,)+ $($of_name),+].len()] = {
            use facts::{Besides::*, Ground::*, Posed::*, Surface::*};
            [
                $(Facts { name: $name, form: $name, help: $help, $($facts)+ },)+
                $(Facts { name: $of_name, form: concat!($of_name, ":", $word), help: $of_help, $($of_facts)+ },)+
            ]
        };

        impl View {
            /// Returns the views without a parameter.
            pub const fn all() -> [Self; [$($name),+].len()] {
                [$(Self::$variant),+]
            }

            /// Returns the facts of the view.
            pub fn facts(&self) -> &'static Facts {
                let row = match self {
                    $(Self::$variant => Row::$variant,)+
                    $(Self::$of(_) => Row::$of,)+
                };
                &FACTS[row as usize]
            }

            /// Returns the parameter as text.
            fn parameter(&self) -> Option<String> {
                match self {
                    $(Self::$variant => None,)+
                    $(Self::$of(parameter) => Some(parameter.to_string()),)+
                }
            }

            /// Reads a view with a parameter, if there is such a view.
            fn with(name: &str, parameter: &str) -> Option<Self> {
                match name {
                    $($of_name => parameter.parse().ok().map(Self::$of),)+
                    _ => None,
                }
            }
        }
    };
}

views! {
    #[default]
    Shaded = "shaded": "surfaces with materials and light" {
        surface: Light, besides: Nothing, pose: Asked, ground: Any
    }
    Normals = "normals": "x, y and z, from -1 to 1, as red, green and blue, from 1 to 255" {
        surface: Computed(Shows::Normals), besides: Nothing, pose: Asked, ground: Paper
    }
    Tangents = "tangents": "like normals, and grey where the mesh has no tangents" {
        surface: Computed(Shows::Tangents), besides: Nothing, pose: Asked, ground: Paper
    }
    Uv = "uv": "u as red and v as green, on an 8 by 8 chequerboard" {
        surface: Computed(Shows::Texcoords), besides: Nothing, pose: Asked, ground: Paper
    }
    Weights = "weights": "a colour per joint, mixed by weight" {
        surface: Joints, besides: Nothing, pose: Asked, ground: Paper
    }
    Influences = "influences": "the number of joints that move a vertex, from dark (0) to pale (8 or more)" {
        surface: Numbers(weights::INFLUENCES), besides: Nothing, pose: Asked, ground: Paper
    }
    WeightSum = "weight-sum": "the sum of a vertex's weights in the file, before repair: 1 (grey), less (blue), more \
                               (orange), or no weights (dark)" {
        surface: Numbers(weights::SUM), besides: Nothing, pose: Asked, ground: Any
    }
    BlendShare = "blend-share": "the share of dqs in the mode blend, from dark (0, lbs) to pale (1)" {
        surface: Numbers(weights::SHARE), besides: Nothing, pose: Asked, ground: Paper
    }
    Wireframe = "wireframe": "the edges of the triangles" {
        surface: Edges, besides: Nothing, pose: Asked, ground: Paper
    }
    Centers = "centers": "the posed centres of rotation, about which the mode cor turns vertices, in the colour of \
                          their first joint" {
        surface: Computed(Shows::Paper), besides: Centers, pose: Asked, ground: Paper
    }
    SkinSpace = "skin-space": "the mesh after the inverse bind matrices alone, without pose and materials" {
        surface: Computed(Shows::Paper), besides: Nothing, pose: SkinSpace, ground: Any
    }
    Skeleton = "skeleton": "joints and bones, without the mesh" {
        surface: Hidden, besides: Skeleton, pose: Asked, ground: Paper
    }
    @with_parameter
    Joint(String) = "joint" "NAME": "the weight of one joint, from dark (0) to pale (1)" {
        surface: Numbers(weights::OF_JOINT), besides: Nothing, pose: Asked, ground: Paper
    }
    Part(String) = "part" "NAME": "the part that follows one joint: triangles of vertices with most weight on it, in its colour" {
        surface: Part, besides: Nothing, pose: Asked, ground: Paper
    }
    SpaceOf(String) = "skin-space" "NAME": "the mesh in the space of one joint, after its inverse bind matrix alone" {
        surface: Computed(Shows::Paper), besides: Nothing, pose: SkinSpace, ground: Any
    }
    Difference(Difference) = "difference" "MODE[@LENGTH]":
        "each vertex's distance from its position in MODE, or, with difference:other, in the file of --other, from dark \
         (0) to pale (LENGTH or more, such as 20mm; by default about a fiftieth of the model's diagonal)" {
        surface: Distances, besides: Nothing, pose: Asked, ground: Paper
    }
}

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
        let found = match text.split_once(':') {
            None => Self::all().into_iter().find(|view| view.facts().form == text),
            Some((name, parameter)) => Self::with(name, parameter).filter(|_| !parameter.is_empty()),
        };
        let nearest = || {
            let of_name = |facts: &&Facts| {
                facts.has_parameter() && text.split_once(':').is_some_and(|(name, _)| name == facts.name)
            };
            let form = FACTS.iter().find(of_name).map(|facts| facts.form);
            form.or_else(|| nearest(text, Self::all().map(|view| view.facts().name).into_iter()))
        };
        found.ok_or_else(|| NoView { nearest: nearest() })
    }
}

impl fmt::Display for View {
    /// Writes the text that [`View::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.facts().name;
        match self.parameter() {
            None => f.write_str(name),
            Some(parameter) => write!(f, "{name}:{parameter}"),
        }
    }
}

impl View {
    /// Returns the facts of every view.
    pub fn table() -> &'static [Facts] {
        &FACTS
    }

    /// Returns the names of all views, for use in a sentence.
    pub fn names() -> String {
        let [rest @ .., last] = &FACTS.each_ref().map(|facts| facts.form);
        format!("{} or {last}", rest.join(", "))
    }

    /// Returns the help: a line about each view.
    pub fn help() -> String {
        FACTS.each_ref().map(|facts| format!("{}: {}.", facts.form, facts.help)).join("\n")
    }

    /// Returns true if each vertex has its own colour.
    pub fn is_by_vertex(&self) -> bool {
        self.facts().surface.is_by_vertex()
    }

    /// Returns the difference whose colours change with the pose, if the view shows one. It is recomputed in each
    /// frame.
    pub fn moving(&self) -> Option<&Difference> {
        match self {
            Self::Difference(difference) => Some(difference),
            _ => None,
        }
    }

    /// Returns the name of the joint whose surface the view shows.
    pub fn joint(&self) -> Option<&String> {
        match self {
            Self::Joint(name) | Self::Part(name) => Some(name),
            _ => None,
        }
    }

    /// Returns true if the view shows the distance to the other of two files.
    pub fn is_against_other(&self) -> bool {
        self.moving().is_some_and(|difference| difference.against == Against::Other)
    }

    /// Returns true if the view implies a pose: that of the inverse bind matrices alone.
    pub fn has_own_pose(&self) -> bool {
        self.facts().pose == Posed::SkinSpace
    }

    /// Returns true if surfaces show only the edges of their triangles.
    pub fn has_wires(&self) -> bool {
        matches!(self.facts().surface, Surface::Edges)
    }

    /// Returns true if surfaces are lit.
    pub fn is_shaded(&self) -> bool {
        matches!(self.facts().surface, Surface::Light)
    }

    /// Returns true if the view has surfaces.
    pub fn has_surfaces(&self) -> bool {
        !matches!(self.facts().surface, Surface::Hidden)
    }

    /// Returns true if the view shows joints and bones.
    pub fn has_skeleton(&self) -> bool {
        self.facts().besides == Besides::Skeleton
    }

    /// Returns true if the view shows the centres of rotation.
    pub fn has_centers(&self) -> bool {
        self.facts().besides == Besides::Centers
    }

    /// Returns true if the view shows one figure and not a crowd.
    pub fn is_of_one_figure(&self) -> bool {
        self.facts().besides != Besides::Nothing || self.moving().is_some()
    }

    /// Returns true if something has the colours of joints.
    pub fn has_joint_colors(&self) -> bool {
        self.facts().besides != Besides::Nothing
            || matches!(self.facts().surface, Surface::Joints | Surface::Part)
    }

    /// Returns true if colours depend on the shares of the pose.
    pub fn reads_shares(&self) -> bool {
        matches!(self.facts().surface, Surface::Numbers(Scale { source: Source::Shares(_), .. }))
    }

    /// Returns the legend, if its colours stand for numbers or joints. `joints` are those of the model; `flat` is
    /// true if surfaces are not softly lit.
    pub fn legend(&self, model: &Model, joints: &JointColors, flat: bool) -> Option<Legend> {
        match self.facts().surface {
            Surface::Joints => Some(weighted_joints(model, joints)),
            Surface::Numbers(scale) => Some(scale.legend(self.parameter(), flat)),
            // The scale of distances depends on the figure's size, and may change with the pose.
            Surface::Part
            | Surface::Distances
            | Surface::Light
            | Surface::Hidden
            | Surface::Edges
            | Surface::Computed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::legend::RAMP_STEPS;
    use super::*;
    use glam::DMat4;
    use sinew_image::{balance, glow, heat};
    use sinew_model::srgb;
    use sinew_model::{Influences, Instance, Mesh, Span};
    use sinew_model::{Primitive, Rig, Skin};
    use sinew_skinning::SkinningMode;
    use sinew_skinning::pose::{JointShare, Shares};
    use weights::imbalance;

    #[test]
    fn views_are_read_and_printed() {
        for view in View::all() {
            let name = view.facts().name;
            assert_eq!((name.parse(), view.to_string()), (Ok(view), name.to_owned()));
        }
        let joint = View::Joint("left arm:2".to_owned());
        assert_eq!((joint.to_string().parse(), "joint:left arm:2".parse()), (Ok(joint.clone()), Ok(joint)));
        for (wrong, nearest) in [
            ("", None),
            ("joint", None),
            ("joint:", Some("joint:NAME")),
            ("Shaded", Some("shaded")),
            ("metres", None),
            ("skin-space:", Some("skin-space:NAME")),
            ("weigths", Some("weights")),
        ] {
            assert_eq!(wrong.parse::<View>(), Err(NoView { nearest }), "{wrong}");
        }
        for (text, against, top_m) in [
            ("difference:lbs", Against::Mode(SkinningMode::Linear), None),
            ("difference:rigid@0.02m", Against::Mode(SkinningMode::Rigid), Some(0.02)),
            ("difference:mush@1m", Against::Mush, Some(1.0)),
            ("difference:other@0.5m", Against::Other, Some(0.5)),
        ] {
            let view = View::Difference(Difference { against, top_m });
            assert_eq!((text.parse(), view.to_string()), (Ok(view), text.to_owned()));
        }
        for wrong in
            ["difference:", "difference:x", "difference:lbs@", "difference:lbs@0m", "difference:lbs@5"]
        {
            let nearest = Some("difference:MODE[@LENGTH]");
            assert_eq!(wrong.parse::<View>(), Err(NoView { nearest }), "{wrong}");
        }
    }

    /// A view must not look like another kind of surface in `view.frag`.
    #[test]
    fn computed_views_show_what_no_other_surface_does() {
        let all = View::table();
        let shown = |facts: &Facts| [true, false].map(|flat| facts.surface.shows(flat));
        let of_others: Vec<Shows> = all.iter().filter(|facts| !is_computed(facts)).flat_map(shown).collect();
        for facts in all.iter().filter(|facts| is_computed(facts)) {
            let is_own = shown(facts).iter().all(|shows| !of_others.contains(shows));
            assert!(
                is_own,
                "{} computes the colours of another kind of view: give it its own Shows",
                facts.form
            );
        }
        for (number, facts) in all.iter().enumerate() {
            let twin = all[..number].iter().find(|other| other.form == facts.form);
            assert!(twin.is_none(), "two views are called {}", facts.form);
            let is_moving = matches!(facts.surface, Surface::Distances);
            assert!(is_moving == (facts.name == "difference"), "View::moving lacks {}", facts.form);
        }
    }

    fn is_computed(facts: &Facts) -> bool {
        matches!(facts.surface, Surface::Computed(_))
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
        let part = View::Part("elbow".to_owned()).vertex_colors(&primitive, Some(&skin), lit).unwrap();
        assert_eq!(part.iter().map(|color| color[3]).collect::<Vec<_>>(), [1.0, 0.0, 0.0]);
        assert_eq!(part[0][..3], elbow);
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
