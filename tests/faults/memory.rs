//! Refuses every allocation of more than one megabyte once: the program ends with one line and exit code 4, and leaves
//! nothing half written.

use std::path::Path;

use crate::files::{is_half, task};
use crate::models;
use crate::runs::{Ended, Place, every_fault};

/// The earlier content of an output.
const OLD: &[u8] = b"old";

fn old(out: &Path) {
    for name in ["a.png", "a.gif", "a.glb", "a.pc2"] {
        std::fs::write(out.join(name), OLD).unwrap();
    }
}

fn judge(_: &Place, well: &Ended, end: &Ended) -> Result<String, String> {
    for (name, bytes) in &end.files {
        if is_half(name) {
            return Err(format!("{name} is left"));
        }
        if bytes != OLD && well.files.get(name) != Some(bytes) {
            return Err(format!("{name} is half written: {} bytes", bytes.len()));
        }
    }
    match end.code {
        Some(4) if end.err.contains("out of memory") => Ok("exit 4".to_owned()),
        code => Err(format!("exit {code:?}: {}", end.err.trim())),
    }
}

#[test]
fn every_large_allocation_is_refused_once() {
    for (name, words) in [
        (
            "picture",
            "builtin:character --mode cor --time 1 --size 1200x1000 --quality draft --screenshot a.png",
        ),
        ("terms", "builtin:character --mode ddm --time 1 --size 64x64 --quality draft --screenshot a.png"),
        ("export of terms", "export builtin:character --ddm -o a.npz"),
        (
            "delta mush",
            "builtin:character --mode mush --time 1 --size 64x64 --quality draft --screenshot a.png",
        ),
        ("texture", "MODEL --mode dqs --time 1 --size 64x64 --quality draft --screenshot a.png"),
        (
            "many joints",
            "builtin:tube-2000 --mode dqs --time 1 --size 64x64 --quality draft --screenshot a.png",
        ),
        ("crowd", "builtin:character --crowd 300 --size 64x64 --quality draft --screenshot a.png"),
        ("animation", "MODEL --frames 3 --size 800x800 --quality draft --screenshot a.gif"),
        ("export", "export builtin:character --rigged -o a.glb"),
        ("bake", "bake builtin:character --mode dqs --fps 4 -o a.glb"),
        ("point cache", "bake builtin:character --mode dqs --fps 4 -o a.pc2"),
        ("inspection", "inspect builtin:tube-4096 --json"),
    ] {
        let place = Place::new(|folder| models::write_with(folder, 1024));
        every_fault(place, &task(name, words, old), "memory", judge).check(name, 1);
    }
}
