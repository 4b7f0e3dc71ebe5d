//! Lists the rigs, so that the crate contains every file of `rigs/`.

use std::fmt::Write;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let variable = |name: &str| std::env::var(name).map_err(std::io::Error::other);
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("rigs");
    println!("cargo::rerun-if-changed=rigs");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        names.push(
            entry?.file_name().into_string().map_err(|name| std::io::Error::other(format!("{name:?}")))?,
        );
    }
    names.sort();
    let mut list = "[\n".to_owned();
    for name in names.iter().filter(|name| *name != "LICENSE") {
        let path = folder.join(name);
        writeln!(list, "    ({name:?}, include_bytes!({path:?}).as_slice()),")
            .map_err(std::io::Error::other)?;
    }
    list.push_str("]\n");
    std::fs::write(Path::new(&variable("OUT_DIR")?).join("rigs.rs"), list)
}
