//! Measurements of the effect of skinning modes on a character, checks of weights and of the GPU against the CPU, and
//! exports of skinned geometry. This crate must not depend on Vulkan, scenes or command lines.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stderr, clippy::print_stdout))]

pub mod body;
pub mod borrowed;
pub mod compare;
pub mod corpus;
pub mod ddm;
pub mod deformation;
pub mod diagnose;
pub mod explain;
pub mod export;
pub mod inspect;
pub mod keys;
pub mod measure;
pub mod metric;
pub mod moved;
pub mod palette;
pub mod point_cache;
pub mod report;
pub mod sweep;
mod triangles;
pub mod turns;
mod unskinned;
pub mod verify;
pub mod vertices;
pub mod view_page;
pub mod weights;
pub mod why;

/// The README is tested with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
