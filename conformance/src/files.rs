//! The suite's files, as the repository stores them.

use crate::Manifest;

/// Every rig's file name and bytes.
pub static RIGS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/rigs.rs"));

/// The manifest, as text.
pub const MANIFEST: &str = include_str!("../manifest.json");

/// The page that explains the suite.
pub const README: &str = include_str!("../README.md");

/// The licence of the rigs and of the expected vertices.
pub const LICENCE: &str = include_str!("../rigs/LICENSE");

/// Returns the bytes of a rig's file, or `None` for an unknown name.
pub fn rig(file: &str) -> Option<&'static [u8]> {
    RIGS.iter().find(|(name, _)| *name == file).map(|(_, bytes)| *bytes)
}

/// Returns the manifest.
#[allow(clippy::expect_used, reason = "no file of a user is read here")]
pub fn manifest() -> Manifest {
    serde_json::from_str(MANIFEST).expect("a tool writes it, and a test reads it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_its_rig_and_every_rig_a_case() {
        let manifest = manifest();
        let mut named: Vec<&str> = manifest.cases.iter().map(|case| case.file.as_str()).collect();
        named.sort_unstable();
        let stored: Vec<&str> = RIGS.iter().map(|(name, _)| *name).collect();
        assert_eq!(named, stored);
        assert!(rig("influences-04.glb").is_some() && rig("unknown.glb").is_none());
    }

    #[test]
    fn rigs_are_small() {
        let large = RIGS.iter().filter(|(_, bytes)| bytes.len() >= 10_000).count();
        assert!(large * 4 <= RIGS.len(), "{large} of {} rigs take 10 kB or more", RIGS.len());
        for (name, bytes) in RIGS {
            assert!(bytes.len() < 200_000, "{name} takes {} bytes", bytes.len());
        }
    }
}
