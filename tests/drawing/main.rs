//! Tests drawing and skinning in this process, on the software driver, with validation.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../crates/render/build/environment.rs"]
#[allow(dead_code, reason = "the build writes more of it than tests hold against")]
mod environment;
#[path = "../../crates/model/tests/common/file.rs"]
mod file;
#[path = "../common/hues.rs"]
mod hues;
#[path = "../soak/models.rs"]
#[allow(dead_code, reason = "larger ones are for make soak")]
mod models;
#[path = "../common/proven.rs"]
mod proven;
#[path = "../common/studio.rs"]
mod studio;

mod arrangements;
mod conformance;
mod contrast;
mod crowds;
mod equal_vertices;
mod looks;
mod morphs;
mod mush;
mod no_joint;
mod normals;
mod overlays;
mod pictures;
mod proof;
mod sensitivity;
mod shading;
mod studio_light;
mod surfaces;
mod views;
