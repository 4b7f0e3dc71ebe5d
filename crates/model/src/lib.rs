//! A model as plain data: the result of loading any file, and all that the rest of sinew sees of it. It must not depend
//! on file formats (only [`gltf`], [`bvh`], `fbx` and `usd` below do), Vulkan or skinning modes.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::expect_used))]
#![cfg_attr(not(test), warn(clippy::print_stderr, clippy::print_stdout))]

pub mod builtin;
pub mod bvh;
pub mod decoding;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod gltf;
mod reading;
pub mod srgb;

mod avatar;
mod camera;
mod centers;
mod clip;
mod constraint;
mod control_points;
mod ddm;
mod differences;
mod driver;
mod face;
mod find_camera;
mod human_bone;
mod influences;
mod light;
mod load;
mod loaded;
mod material;
mod mesh;
mod model;
mod morph;
mod rig;
mod sample;
mod scene;
pub mod statistics;
mod texture;
pub mod unknown;
#[cfg(feature = "usd")]
pub mod usd;
mod vertex_name;

pub use avatar::{Avatar, Expression};
pub use camera::{Camera, Projection};
pub use centers::{Centers, MeshCenters};
pub use clip::{Channel, Clip, Interpolation, Period, Property};
pub use constraint::{Constraint, Follow};
pub use ddm::{Ddm, DdmOddities, DdmRow, DdmRows, DdmSettings, DdmTerm};
pub use differences::differences;
pub use driver::Driver;
pub use face::{FACE, face_name};
pub use human_bone::{Finger, HumanBone, Side};
pub use influences::{
    Dropped, Limited, Limits, MAX_INFLUENCES, RawSet, SUM_TOLERANCE, UnknownJoint,
    prepare as prepare_influences,
};
pub use light::{Light, LightKind};
pub use load::{
    ENDINGS, files_of, inspect_bytes, load_bytes, load_bytes_and_digest, stored_influences, stored_weights,
};
pub use loaded::Loaded;
pub use material::{
    AlphaMode, Clearcoat, Material, NormalMap, Occlusion, Sheen, Specular, SpecularGlossiness, TextureUse,
    Transmission,
};
pub use mesh::{Influences, Mesh, Primitive, Span, Steps, Topology};
pub use model::{Instance, Model, Tangents, Warning};
pub use morph::{Deltas, Morphs, Moves};
pub use reading::{FilePart, LoadError, ModelFile, Options, Reader, Watch};
pub use rig::{LocalTransform, Rig, Skin, SkinningMethod, TurnLimits};
pub use sample::{sample_times, slerp, unit_rotation};
pub use scene::SceneRoots;
pub use texture::{Encoding, Filter, Picture, Sampling, TextureRef, TextureTransform, Wrap};
pub use vertex_name::{NoVertexName, NotDrawn, Owner, PrimitiveName, VertexIndex, VertexName};

/// Runs the README's examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
