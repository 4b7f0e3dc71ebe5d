//! Writes the rigs of the conformance suite and its manifest:
//! `cargo run --release -p sinew-tools --bin generate_conformance`.

use sinew_tools::conformance;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = conformance::folder();
    let rigs = folder.join("rigs");
    let recipes = conformance::all();
    let names: Vec<String> = recipes.iter().map(|recipe| recipe.file_name()).collect();
    for entry in std::fs::read_dir(&rigs)? {
        let entry = entry?;
        let name = entry.file_name();
        if name != "LICENSE" && !names.iter().any(|known| name == known.as_str()) {
            std::fs::remove_file(entry.path())?;
        }
    }
    for (recipe, name) in recipes.iter().zip(&names) {
        let bytes = recipe.bytes();
        println!("{name}: {} bytes", bytes.len());
        std::fs::write(rigs.join(name), bytes)?;
    }
    std::fs::write(folder.join("manifest.json"), conformance::text(&conformance::manifest(&recipes)?)?)?;
    Ok(())
}
