//! Reads bytes as vertices: the first names the format and the options, the rest are the file.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;

mod lines;

use libfuzzer_sys::fuzz_target;
use sinew_analysis::vertices::{Layout, Options, read};

const EXTENSIONS: [&str; 10] = ["", "npy", "npz", "obj", "ply", "json", "pc2", "mdd", "glb", "bin"];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, file)) = bytes.split_first() else { return };
    let extension = EXTENSIONS[usize::from(*first) % EXTENSIONS.len()];
    let options =
        Options { layout: Layout::ALL[usize::from(first >> 6 & 1)], frame: (first >> 7 == 1).then_some(1) };
    match read(file, extension, &options) {
        Ok(given) => {
            assert!(given.parts.iter().any(|part| !part.positions.is_empty()));
            for part in &given.parts {
                let count = part.positions.len();
                assert!(part.normals.as_ref().is_none_or(|rows| rows.len() == count));
                assert!(part.tangents.as_ref().is_none_or(|rows| rows.len() == count));
                assert!(part.texcoords.as_ref().is_none_or(|rows| rows.len() == count));
            }
        }
        Err(error) => lines::assert_one(&error.to_string()),
    }
});
