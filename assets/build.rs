//! Packs the models, which take less than half of the room then.

use std::path::Path;

use miniz_oxide::deflate::compress_to_vec_zlib;

fn main() -> std::io::Result<()> {
    let out = std::env::var("OUT_DIR").map_err(std::io::Error::other)?;
    for name in ["character", "robot", "twist", "bend", "elbow", "strip"] {
        let file = format!("{name}.glb");
        println!("cargo::rerun-if-changed={file}");
        let packed = compress_to_vec_zlib(&std::fs::read(&file)?, 9);
        std::fs::write(Path::new(&out).join(file + ".z"), packed)?;
    }
    Ok(())
}
