//! The studio as `build.rs` has made it: mirror images and the light on matt surfaces.
//! It must not know how they are used.

include!(concat!(env!("OUT_DIR"), "/studio.rs"));
