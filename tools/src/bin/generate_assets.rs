//! Writes the built-in models: `cargo run --release -p sinew-tools --bin generate_assets`.

use sinew_model::builtin;
use sinew_tools::recipes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.is_empty() {
        wanted = builtin::FILES.map(str::to_owned).into();
    }
    for name in wanted {
        let glb = match recipes::recipe(&name) {
            Some(recipe) => recipes::file(&name, &recipe())?,
            // The program computes tubes itself.
            None => builtin::glb(&name)?,
        };
        std::fs::write(recipes::path(&name), &glb)?;
        println!("{name}.glb: {} bytes", glb.len());
    }
    Ok(())
}
