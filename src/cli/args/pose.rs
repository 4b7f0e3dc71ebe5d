//! Values of the flags that set and edit the pose.

use std::path::{Path, PathBuf};

use crate::skinning::pose::{is_share, is_vector, is_weight, rotation_from_degrees, unit_rotation};
use glam::{DQuat, DVec3};

/// The value of `--pose`: a fixed pose or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoseSource {
    /// The mesh as stored.
    Bind,
    /// The file's node transforms.
    Rest,
    /// A pose file.
    File(PathBuf),
}

impl From<PathBuf> for PoseSource {
    fn from(word: PathBuf) -> Self {
        match word.to_str() {
            Some("bind") => Self::Bind,
            Some("rest") => Self::Rest,
            _ => Self::File(word),
        }
    }
}

impl PoseSource {
    /// Resolves the path of a pose file that is relative to `folder`.
    pub fn seen_from(self, folder: &Path) -> Self {
        match self {
            Self::File(path) => Self::File(folder.join(path)),
            pose @ (Self::Bind | Self::Rest) => pose,
        }
    }
}

/// The value of `--ghost`.
#[derive(Clone, Debug, PartialEq)]
pub enum GhostFlag {
    /// A fixed pose or a file.
    Pose(PoseSource),
    /// Another time of the shown clips, in seconds.
    Time(f64),
}

impl GhostFlag {
    /// Parses a flag.
    pub fn parse(word: PathBuf) -> Result<Self, String> {
        let Some(time) = word.to_str().and_then(|word| word.strip_prefix("time=")) else {
            return Ok(Self::Pose(word.into()));
        };
        let time = time.parse().ok().filter(|time: &f64| time.is_finite());
        time.map(Self::Time).ok_or_else(|| "expected time=SECONDS, such as time=0.35".to_owned())
    }

    /// Returns the pose file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Pose(PoseSource::File(path)) => Some(path),
            Self::Pose(PoseSource::Bind | PoseSource::Rest) | Self::Time(_) => None,
        }
    }

    /// Resolves the path of a pose file that is relative to `folder`.
    pub fn seen_from(self, folder: &Path) -> Self {
        match self {
            Self::Pose(pose) => Self::Pose(pose.seen_from(folder)),
            Self::Time(_) => self,
        }
    }
}

/// A joint and its fixed rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct JointFlag {
    /// Name or number of the node.
    pub node: String,
    /// Relative to the parent; a unit quaternion.
    pub rotation: DQuat,
}

/// A joint and its fixed translation or scale.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorFlag {
    /// Name or number of the node.
    pub node: String,
    /// Finite, also in `f32`.
    pub vector: DVec3,
}

/// A morph target, or all of one name, with a fixed weight.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphFlag {
    /// `NODE:TARGET` or `TARGET`.
    pub target: String,
    /// Always finite.
    pub weight: f64,
}

/// The share of dual quaternion skinning in the mode *blend*, of one joint or of all.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareFlag {
    /// Name or number of the joint's node; `None` for all joints without a separate share.
    pub joint: Option<String>,
    /// From 0 to 1.
    pub share: f64,
}

/// Parses `SHARE` or `joint:NAME=SHARE`.
pub fn share(text: &str) -> Result<ShareFlag, String> {
    let of_joint = text.strip_prefix("joint:").and_then(|rest| rest.rsplit_once('='));
    let (joint, share) = match of_joint.filter(|(joint, _)| !joint.is_empty()) {
        Some((joint, share)) => (Some(joint.to_owned()), share),
        None => (None, text),
    };
    match number(share).filter(|share| is_share(*share)) {
        Some(share) => Ok(ShareFlag { joint, share }),
        None => {
            Err("expected SHARE or joint:NAME=SHARE with a share from 0 to 1, such as joint:elbow=0.5"
                .to_owned())
        }
    }
}

/// Parses `NAME=X,Y,Z` or `NAME=X,Y,Z,W`.
pub fn joint(text: &str) -> Result<JointFlag, String> {
    let expected =
        || "expected NAME=X,Y,Z in degrees or NAME=X,Y,Z,W, a quaternion, such as elbow=0,0,45".to_owned();
    let (node, numbers) = named_numbers(text).ok_or_else(expected)?;
    let rotation = match *numbers.as_slice() {
        [x, y, z] => rotation_from_degrees([x, y, z]),
        [x, y, z, w] => DQuat::from_xyzw(x, y, z, w),
        _ => return Err(expected()),
    };
    let length = rotation.length();
    let rotation = unit_rotation(rotation)
        .ok_or_else(|| format!("expected a quaternion of length 1, found length {length}"))?;
    Ok(JointFlag { node: node.to_owned(), rotation })
}

/// Parses `NAME=X,Y,Z`.
pub fn translation(text: &str) -> Result<VectorFlag, String> {
    let (node, numbers) = named_numbers(text).unwrap_or_default();
    match *numbers.as_slice() {
        [x, y, z] if is_vector(DVec3::new(x, y, z)) => {
            Ok(VectorFlag { node: node.to_owned(), vector: DVec3::new(x, y, z) })
        }
        _ => Err("expected NAME=X,Y,Z, the joint's place in its parent, such as hips=0,0.9,0".to_owned()),
    }
}

/// Parses `NAME=F` or `NAME=X,Y,Z`.
pub fn scale(text: &str) -> Result<VectorFlag, String> {
    let (node, numbers) = named_numbers(text).unwrap_or_default();
    let vector = match *numbers.as_slice() {
        [factor] => DVec3::splat(factor),
        [x, y, z] => DVec3::new(x, y, z),
        _ => DVec3::NAN,
    };
    match is_vector(vector) {
        true => Ok(VectorFlag { node: node.to_owned(), vector }),
        false => Err("expected NAME=FACTOR or NAME=X,Y,Z, such as head=1.5 or head=1,1.2,1".to_owned()),
    }
}

/// Parses `NAME=NUMBER,…`.
fn named_numbers(text: &str) -> Option<(&str, Vec<f64>)> {
    let (node, numbers) = text.rsplit_once('=').filter(|(node, _)| !node.is_empty())?;
    Some((node, numbers.split(',').map(number).collect::<Option<_>>()?))
}

/// Parses `NAME=W` or `NODE:TARGET=W`.
pub fn morph(text: &str) -> Result<MorphFlag, String> {
    let found = text.rsplit_once('=').filter(|(target, _)| !target.is_empty());
    let found = found.and_then(|(target, weight)| Some((target, number(weight).filter(|w| is_weight(*w))?)));
    match found {
        Some((target, weight)) => Ok(MorphFlag { target: target.to_owned(), weight }),
        None => Err("expected TARGET=W or NODE:TARGET=W with a weight, such as smile=0.5".to_owned()),
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_1_SQRT_2;

    #[test]
    fn joints_are_angles_or_quaternions() {
        let h = FRAC_1_SQRT_2;
        let z = DQuat::from_xyzw(0.0, 0.0, h, h);
        for (text, node, rotation) in [
            ("elbow=0,0,90", "elbow", z),
            ("elbow=0, 0, 90", "elbow", z),
            ("a=b=0,0,90", "a=b", z),
            ("-x=180,0,0", "-x", DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0)),
            ("#12=0,0,0,-1", "#12", DQuat::from_xyzw(0.0, 0.0, 0.0, -1.0)),
            ("mixamorig:Hips=0,1e0,0,0", "mixamorig:Hips", DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0)),
            ("elbow=0,0,0.6,0.8", "elbow", DQuat::from_xyzw(0.0, 0.0, 0.6, 0.8)),
        ] {
            assert_eq!(joint(text), Ok(JointFlag { node: node.to_owned(), rotation }), "{text}");
        }
        // Quaternions with three digits are normalized; ones of length 1 keep every digit.
        let rounded = joint("elbow=0,0,.707,.707").unwrap().rotation;
        assert!((rounded - z).length() < 1e-15);
        for wrong in [
            "",
            "elbow",
            "=0,0,90",
            "elbow=",
            "elbow=1",
            "elbow=1,2",
            "elbow=1,2,3,4,5",
            "elbow=0,0,x",
            "elbow=0,0,NaN",
            "elbow=0,0,inf",
            "elbow=0,0,1e999",
            "elbow=0,0,0,0",
            "elbow=0,0,1,1",
            "elbow=0,0,0,1e300",
        ] {
            assert!(joint(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn places_have_three_numbers_and_scales_one_or_three() {
        let flag =
            |node: &str, x, y, z| Ok(VectorFlag { node: node.to_owned(), vector: DVec3::new(x, y, z) });
        assert_eq!(translation("hips=0, .9,-1e-3"), flag("hips", 0.0, 0.9, -0.001));
        assert_eq!(translation("a=b=1,2,3"), flag("a=b", 1.0, 2.0, 3.0));
        assert_eq!(scale("head=1.5"), flag("head", 1.5, 1.5, 1.5));
        assert_eq!(scale("#3=1,0,-2"), flag("#3", 1.0, 0.0, -2.0));
        for wrong in
            ["", "hips", "=1,2,3", "hips=", "hips=1,2", "hips=1,2,x", "hips=1,2,1e39", "hips=1,2,3,4"]
        {
            assert!(translation(wrong).is_err() && scale(wrong).is_err(), "{wrong}");
        }
        assert!(translation("hips=1").is_err());
    }

    #[test]
    fn shares_are_of_a_joint_or_of_all() {
        let flag = |joint: Option<&str>, share| Ok(ShareFlag { joint: joint.map(str::to_owned), share });
        for (text, joint, value) in [
            ("0.4", None, 0.4),
            ("1", None, 1.0),
            ("joint:elbow=0", Some("elbow"), 0.0),
            ("joint:a=b=0.25", Some("a=b"), 0.25),
            ("joint:#12=.5", Some("#12"), 0.5),
        ] {
            assert_eq!(share(text), flag(joint, value), "{text}");
        }
        for wrong in
            ["", "half", "1.1", "-0.1", "NaN", "joint:=0.5", "joint:elbow", "elbow=0.5", "joint:elbow=2"]
        {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn morph_weights_follow_the_last_equals_sign() {
        for (text, target, weight) in
            [("smile=0.5", "smile", 0.5), ("face:smile=-2", "face:smile", -2.0), ("a=b=1e-3", "a=b", 0.001)]
        {
            assert_eq!(morph(text), Ok(MorphFlag { target: target.to_owned(), weight }), "{text}");
        }
        for wrong in ["", "smile", "=1", "smile=", "smile=x", "smile=NaN", "smile=1e39", "smile=1,2"] {
            assert!(morph(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_named_as_a_pose_is_reached_by_its_folder() {
        assert_eq!(PoseSource::from(PathBuf::from("bind")), PoseSource::Bind);
        assert_eq!(PoseSource::from(PathBuf::from("rest")), PoseSource::Rest);
        let file = PoseSource::from(PathBuf::from("./bind"));
        assert_eq!(file, PoseSource::File("./bind".into()));
        assert_eq!(file.seen_from(Path::new("a")), PoseSource::File("a/./bind".into()));
        assert_eq!(PoseSource::Rest.seen_from(Path::new("a")), PoseSource::Rest);
    }
}
