//! The built-in models, as the bytes of `.glb` files that are loaded like any other file.

use super::gltf::write_glb;
use super::unknown::nearest;

mod tube;
mod weights;

pub use weights::on_grid;

/// A built-in model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// The name; in `tube-N`, N is the number of joints.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
}

/// The model that is shown if none is named.
pub const DEFAULT: &str = "character";

const LIST: [Builtin; 7] = [
    Builtin {
        name: DEFAULT,
        summary: "a figure 1.8 m tall, with fingers; clips idle, walk, wave, range-of-motion",
    },
    Builtin {
        name: "robot",
        summary: "boxes with rigid weights, in a T pose; relief vertices at the joints of its right side; clips bend, salute",
    },
    Builtin { name: "twist", summary: "a chequered rod twisted by 180 degrees: the candy wrapper" },
    Builtin { name: "bend", summary: "a chequered rod bent by 180 degrees: the collapsing elbow" },
    Builtin {
        name: "elbow",
        summary: "the bent rod with a corrective shape, a morph target whose weight follows its angle",
    },
    Builtin { name: "strip", summary: "ten vertices and two joints, as in the glTF tutorial on skins" },
    Builtin { name: "tube-N", summary: "a swaying tube with a chain of N joints, from 2 to 4096" },
];

/// The built-in models that lie in `assets/` as files: all but most of the tubes.
pub const FILES: [&str; 9] =
    [DEFAULT, "robot", "twist", "bend", "elbow", "strip", "tube-8", "tube-512", "tube-513"];

/// No built-in model has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no built-in model '{name}'{}; choose character, robot, twist, bend, elbow, strip or tube-N with N from {} to {}",
    meant(name), tube::JOINTS.start(), tube::JOINTS.end())]
pub struct UnknownBuiltin {
    /// The unknown name.
    pub name: String,
}

/// A question that suggests the built-in model with the most similar name.
fn meant(name: &str) -> String {
    let near = nearest(name, LIST.iter().map(|model| model.name));
    near.map_or_else(String::new, |near| format!(" (did you mean '{near}'?)"))
}

/// The built-in models, the default first.
pub fn list() -> &'static [Builtin] {
    &LIST
}

/// The `.glb` file of a built-in model.
///
/// ```
/// use sinew_model::builtin;
///
/// assert!(builtin::glb("tube-3")?.starts_with(b"glTF"));
/// assert!(builtin::glb("teapot").is_err());
/// # Ok::<(), builtin::UnknownBuiltin>(())
/// ```
///
/// # Errors
/// If there is no such model.
pub fn glb(name: &str) -> Result<Vec<u8>, UnknownBuiltin> {
    let unknown = || UnknownBuiltin { name: name.to_owned() };
    if let Some(glb) = sinew_assets::glb(name) {
        return Ok(glb);
    }
    let joints = name.strip_prefix("tube-").and_then(joint_count).ok_or_else(unknown)?;
    // Writing fails only for bad textures and above 4 GiB; a tube has no textures and stays far below.
    write_glb(&tube::tube(joints)).map_err(|_| unknown())
}

/// The number of joints from a tube's name: digits only, within the limits.
fn joint_count(digits: &str) -> Option<usize> {
    let plain = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|n| plain && tube::JOINTS.contains(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_gives_a_file() {
        for builtin in list() {
            let name = builtin.name.replace("-N", "-17");
            assert!(glb(&name).unwrap().starts_with(b"glTF"), "{name}");
        }
        assert_eq!(list()[0].name, DEFAULT);
    }

    #[test]
    fn tubes_have_from_2_to_4096_joints() {
        for name in ["tube-2", "tube-4096"] {
            assert!(glb(name).is_ok(), "{name}");
        }
        for name in [
            "tube-1",
            "tube-0",
            "tube-4097",
            "tube-02",
            "tube-+2",
            "tube-",
            "tube-N",
            "tube-99999999999999999999",
            "",
        ] {
            let error = glb(name).unwrap_err().to_string();
            assert!(
                error.contains("character, robot, twist, bend, elbow, strip or tube-N with N from 2 to 4096"),
                "{error}"
            );
            assert!(!error.contains('\n'));
        }
    }
}
