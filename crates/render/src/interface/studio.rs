//! The studio from `build.rs`: mirror images and the light on matt surfaces.

use super::packed::Packed;

include!(concat!(env!("OUT_DIR"), "/studio.rs"));
