//! Writes a model three times, with worse weights: `cargo run --release -p sinew-tools --bin spoil_weights -- MODEL.glb FOLDER`.
//! In place of a file, the name of a built-in model will do.

use std::path::Path;

use sinew_model::{builtin, gltf};
use sinew_tools::spoil::{Spoil, spoil};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [given, folder] = &words[..] else { return Err("give a model and a folder".into()) };
    let path = Path::new(given);
    let bytes = if path.is_file() { std::fs::read(path)? } else { builtin::glb(given)? };
    let model = gltf::load_bytes(&bytes, path.parent())?;
    std::fs::create_dir_all(folder)?;
    for (name, how) in Spoil::ALL {
        let mut spoilt = model.clone();
        spoil(&mut spoilt, how);
        let file = Path::new(folder).join(format!("{name}.glb"));
        std::fs::write(&file, gltf::write_glb(&spoilt)?)?;
        println!("{}", file.display());
    }
    Ok(())
}
