//! Writes the built-in models: `cargo run --release -p sinew-tools --bin generate_assets`.

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
        std::fs::write(folder.join(format!("{name}.glb")), &glb)?;
        println!("{name}.glb: {} bytes", glb.len());
    }
    Ok(())
}
