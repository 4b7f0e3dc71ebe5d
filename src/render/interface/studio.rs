//! The studio that `build.rs` has made: mirror images and the light on matt surfaces.

include!(concat!(env!("OUT_DIR"), "/studio.rs"));
