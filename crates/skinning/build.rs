//! Hands the numbers that shaders share to the build scripts of crates that depend on this one.

#[path = "src/shared.rs"]
mod shared;

fn main() {
    println!("cargo::rerun-if-changed=src/shared.rs");
    println!("cargo::metadata=glsl={}", shared::glsl().replace('\n', " "));
}
