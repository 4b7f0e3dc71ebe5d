//! The commands, one file each, with their output. They must not depend on how anything is computed or drawn.

pub mod bake;
pub mod bench;
pub mod builtins;
pub mod compare;
pub mod completions;
pub mod conformance;
pub mod devices;
pub mod diagnose;
pub mod diff;
pub mod explain;
pub mod export;
pub mod fit;
pub mod golden;
pub mod inspect;
pub mod lesson;
pub mod materials;
pub mod palette;
pub mod picture;
pub mod report;
pub mod report_bug;
pub mod rigged;
pub mod serve;
pub mod show;
pub mod sweep;
pub mod verify;
pub mod why;
