//! The built-in models, as the bytes of `.glb` files. It must not depend on what a model is.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

use miniz_oxide::inflate::decompress_to_vec_zlib;

/// Includes a file that the build has packed.
macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".glb.z")).as_slice()
    };
}

/// Returns the file of a model, or `None` for an unknown name.
#[allow(clippy::expect_used, reason = "no file of a user is read here")]
pub fn glb(name: &str) -> Option<Vec<u8>> {
    let stream = match name {
        "character" => packed!("character"),
        "robot" => packed!("robot"),
        "twist" => packed!("twist"),
        "bend" => packed!("bend"),
        "elbow" => packed!("elbow"),
        "strip" => packed!("strip"),
        _ => return None,
    };
    Some(decompress_to_vec_zlib(stream).expect("the build packed it, and a test unpacks it"))
}

/// Includes the README, so that its examples run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

#[cfg(test)]
mod tests {
    use super::glb;

    #[test]
    fn models_are_the_files_to_the_byte() {
        for name in ["character", "robot", "twist", "bend", "elbow", "strip"] {
            let file = format!("{}/{name}.glb", env!("CARGO_MANIFEST_DIR"));
            assert!(glb(name).unwrap() == std::fs::read(file).unwrap(), "{name}");
        }
        assert_eq!(glb("tube-8"), None);
    }
}
