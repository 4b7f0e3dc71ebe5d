//! Writes characters of many proportions, and a copy of each with a known fault:
//! `cargo run --release -p sinew-tools --bin plant_faults -- FOLDER COUNT [SEED]`.
//!
//! `old` has the characters, `new` the copies, `faults.csv` the kind of each fault.

use std::fmt::Write;
use std::path::Path;

use sinew_model::{builtin, gltf};
use sinew_tools::plant::{Dice, FAULTS, vary};

/// The built-in models that become characters, with the number of each in ten.
const CHARACTERS: [&str; 10] =
    ["robot", "robot", "robot", "robot", "character", "elbow", "robot", "bend", "tube-9", "character"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (folder, count, seed) = match &words[..] {
        [folder, count] => (folder, count.parse()?, 1),
        [folder, count, seed] => (folder, count.parse()?, seed.parse()?),
        _ => return Err("give a folder, a count, and perhaps a seed".into()),
    };
    let folder = Path::new(folder);
    let [old, new] = ["old", "new"].map(|side| folder.join(side));
    std::fs::create_dir_all(&old)?;
    std::fs::create_dir_all(&new)?;
    let mut list = String::from("asset,kind\n");
    let (mut fault, count): (usize, usize) = (0, count);
    for number in 0..count {
        let mut dice = Dice::new(seed * 1_000_003 + number as u64);
        let mut model = gltf::load_bytes(&builtin::glb(CHARACTERS[number % CHARACTERS.len()])?, None)?;
        vary(&mut model, &mut dice);
        let name = format!("{number:03}.glb");
        let bytes = gltf::write_glb(&model)?;
        std::fs::write(old.join(&name), &bytes)?;
        // A fault that this character cannot have is left to the next one.
        let (kind, faulty) = (0..FAULTS.len())
            .find_map(|step| {
                let (kind, plant) = FAULTS[(fault + step) % FAULTS.len()];
                let mut copy = gltf::load_bytes(&bytes, None).ok()?;
                plant(&mut copy, &mut dice).then_some((kind, copy))
            })
            .ok_or("no fault fits")?;
        fault += 1;
        std::fs::write(new.join(&name), gltf::write_glb(&faulty)?)?;
        writeln!(list, "{name},{kind}")?;
    }
    std::fs::write(folder.join("faults.csv"), list)?;
    println!("{count} characters in {}", folder.display());
    Ok(())
}
