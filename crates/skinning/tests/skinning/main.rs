//! Poses and skins as their callers see them.

#[path = "../../../model/tests/common/file.rs"]
mod file;

mod animation;
mod properties;
