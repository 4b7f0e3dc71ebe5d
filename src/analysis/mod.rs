//! Measurements and checks of the GPU against the CPU, and of both against the reference. It must not know
//! command lines or how results are printed.

pub mod body;
pub mod borrowed;
pub mod compare;
pub mod deformation;
pub mod diagnose;
pub mod explain;
pub mod inspect;
pub mod keys;
pub mod measure;
pub mod moved;
pub mod palette;
pub mod report;
pub mod sweep;
mod triangles;
pub mod turns;
pub mod verify;
pub mod weights;
pub mod why;
