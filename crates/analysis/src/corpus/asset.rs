//! The result of one asset: findings, figures, and a row for each clip and mode.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Makes an enum of names with sentences about them.
macro_rules! named {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $text:literal $more:expr,)+ } $more_name:ident: $more_type:ty) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// All, in the order of tables.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// The name in files and flags.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            #[doc = concat!("The ", stringify!($more_name), ".")]
            pub const fn $more_name(self) -> $more_type {
                match self { $(Self::$variant => $more,)+ }
            }
        }
    };
}

/// The weight of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// A finding that may be intended.
    Warning,
    /// A finding that shows.
    Error,
}

named! {
    /// The kinds of findings, the worst first.
    Kind {
        /// The process of the asset ended by a signal or with an unknown code.
        Crash "crash" Weight::Error,
        /// The process of the asset took longer than its limit.
        Time "time" Weight::Error,
        /// The process of the asset took more memory than its limit.
        Memory "memory" Weight::Error,
        /// An old file without a partner.
        Gone "gone" Weight::Error,
        /// A file that cannot be read.
        Unreadable "unreadable" Weight::Error,
        /// Vertices that joints moved, and that no joint moves now.
        Skin "skin" Weight::Error,
        /// Meshes that only one of the files has.
        Mesh "mesh" Weight::Error,
        /// Joints that moved vertices are gone.
        Joints "joints" Weight::Error,
        /// Joints that hang on other parents.
        Parents "parents" Weight::Error,
        /// A rest pose that is larger or smaller.
        Scale "scale" Weight::Error,
        /// A rest pose that is turned.
        Axes "axes" Weight::Error,
        /// A rest pose that is moved, or differs in shape.
        Rest "rest" Weight::Warning,
        /// Vertices at other places of the mesh.
        Shape "shape" Weight::Error,
        /// Weights that differ.
        Weights "weights" Weight::Error,
        /// Vertices that move differently, with equal joints and weights.
        Binding "binding" Weight::Error,
        /// Clips that are gone.
        Clips "clips" Weight::Error,
        /// Clips of another length.
        Length "length" Weight::Error,
        /// Keys with another interpolation, which shows between them.
        Interpolation "interpolation" Weight::Error,
        /// Poses that differ between the old keys, and agree at them.
        Resampled "resampled" Weight::Warning,
        /// Joints that move differently in a clip.
        Motion "motion" Weight::Error,
        /// Morph targets that are gone, or whose weights differ.
        Morphs "morphs" Weight::Error,
        /// Normals that differ.
        Normals "normals" Weight::Error,
        /// Texture coordinates or vertex colours that are gone.
        Streams "streams" Weight::Error,
        /// Materials or textures that differ.
        Materials "materials" Weight::Error,
        /// Results of two implementations that differ.
        Verify "verify" Weight::Error,
        /// A joint that moves the other side's vertices.
        Leak "leak" Weight::Error,
        /// A joint that moves vertices far from its home.
        Far "far" Weight::Error,
        /// A seam whose sides have different weights.
        Split "split" Weight::Error,
        /// A patch that is cut off from its joint's home.
        Island "island" Weight::Warning,
        /// A vertex that differs from its neighbours.
        Outlier "outlier" Weight::Warning,
        /// Weights too small for 8 bits.
        Tiny "tiny" Weight::Warning,
        /// A broken rule of the format.
        Rule "rule" Weight::Warning,
    }
    weight: Weight
}

named! {
    /// The figures of an asset.
    Figure {
        /// Vertices.
        Vertices "vertices" "drawn vertices of the file, or of the old one",
        /// Triangles.
        Triangles "triangles" "triangles of that file",
        /// Joints.
        Joints "joints" "joints of its skins",
        /// Clips.
        Clips "clips" "its clips",
        /// Problems.
        Problems "problems" "values beyond the limit of their metric in the mode of the file; each clip, metric and place counts once",
        /// Smoothness.
        Smoothness "smoothness" "mean over edges of the sum of (Δw)² between their ends, over all skins",
        /// Locality.
        Locality "locality" "share of weight whose joint is not near",
        /// The largest distance.
        DistanceMax "distance_max" "largest distance of a vertex from its match in any measured pose, without the difference of the rest poses, as a share of the old diagonal",
        /// The mean distance.
        DistanceMean "distance_mean" "mean of these distances over vertices and poses",
        /// The mean difference of weights.
        WeightsL1 "weights_l1" "mean over matched vertices of the sum of |Δw| over joints",
        /// The largest difference of weights.
        WeightsL1Max "weights_l1_max" "largest sum of |Δw| of a vertex",
        /// Precision of influences.
        InfluencePrecision "influence_precision" "share of the new file's influences above 0.0001 that the old file has, over matched vertices",
        /// Recall of influences.
        InfluenceRecall "influence_recall" "share of the old file's influences above 0.0001 that the new file has",
        /// Precision of joints.
        JointPrecision "joint_precision" "share of new joints within 2 % of the diagonal of an old joint in the rest pose",
        /// Recall of joints.
        JointRecall "joint_recall" "share of old joints within 2 % of the diagonal of a new joint",
        /// Precision of bones.
        BonePrecision "bone_precision" "share of new bones, from a parent joint to its child, of which both ends are within 2 % of the diagonal of the ends of an old bone",
        /// Recall of bones.
        BoneRecall "bone_recall" "share of old bones with such a new bone",
        /// Chamfer distance of joints.
        JointChamfer "joint_chamfer" "mean distance from a joint to the nearest of the other file, averaged over both directions, as a share of the diagonal (CD-J2J)",
        /// The largest distance in random poses.
        RandomMax "random_max" "largest distance of a vertex from its match over ten random poses, as a share of the diagonal",
        /// The mean distance in random poses.
        RandomMean "random_mean" "mean of these distances",
    }
    meaning: &'static str
}

/// The result of one asset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asset {
    /// The findings, the worst kinds first.
    pub findings: Vec<Finding>,
    /// The figures that were measured.
    pub figures: BTreeMap<Figure, f64>,
    /// A row for each clip and mode.
    pub rows: Vec<Row>,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind.
    pub kind: Kind,
    /// A short text that alike findings of other assets have in common, such as `×100`.
    pub like: String,
    /// The finding in words.
    pub words: String,
    /// The size, by which the worst of alike findings is found.
    pub size: f64,
    /// The place and time at which it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// The place and time of a finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The clip by name; `None` for the rest pose.
    pub clip: Option<String>,
    /// The time in seconds.
    pub time: f64,
    /// The vertex, as `--vertex` accepts it; `None` for the whole.
    pub vertex: Option<String>,
}

/// The figures of a clip in a mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The clip by name, or `rest pose`.
    pub clip: String,
    /// The mode.
    pub mode: String,
    /// The worst values by metric or figure.
    pub values: BTreeMap<String, f64>,
}

impl Asset {
    /// Adds a finding.
    pub fn add(&mut self, kind: Kind, like: impl Into<String>, words: impl Into<String>, size: f64) {
        self.add_at(kind, like, words, size, None);
    }

    /// Adds a finding with its place.
    pub fn add_at(
        &mut self,
        kind: Kind,
        like: impl Into<String>,
        words: impl Into<String>,
        size: f64,
        place: Option<Place>,
    ) {
        let size = if size.is_finite() { size } else { f64::MAX };
        self.findings.push(Finding { kind, like: like.into(), words: words.into(), size, place });
    }

    /// Sets a figure, if it is a finite number.
    pub fn set(&mut self, figure: Figure, value: f64) {
        if value.is_finite() {
            self.figures.insert(figure, value);
        }
    }

    /// Sorts the findings, the worst first.
    pub fn sort(&mut self) {
        self.findings.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.size.total_cmp(&a.size)));
    }

    /// Returns true if a finding has at least this weight.
    pub fn has(&self, weight: Weight) -> bool {
        self.findings.iter().any(|finding| finding.kind.weight() >= weight)
    }
}
