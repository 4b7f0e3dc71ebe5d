//! Writes the built-in models: `cargo run --release -p sinew-tools --bin generate_assets`.

use miniz_oxide::deflate::compress_to_vec_zlib;
use sinew_tools::recipes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/model/assets");
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.is_empty() {
        wanted = recipes::ALL.iter().map(|(name, _)| name.to_string()).collect();
    }
    for name in wanted {
        let recipe = recipes::recipe(&name).ok_or_else(|| format!("there is no recipe for '{name}'"))?;
        let glb = recipes::file(&name, &recipe())?;
        let (file, bytes) = match recipes::PACKED.contains(&name.as_str()) {
            true => (format!("{name}.glb.z"), compress_to_vec_zlib(&glb, 9)),
            false => (format!("{name}.glb"), glb),
        };
        std::fs::write(folder.join(&file), &bytes)?;
        println!("{file}: {} bytes", bytes.len());
    }
    Ok(())
}
