//! Prints the licences of everything linked into the program and the libraries for C and Python: `cargo run -p sinew-tools --bin licences`.
//! Packages with the same text share it. A package without a licence file fails the run, unless another package
//! has the text of its expression.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

type Error = Box<dyn std::error::Error>;

/// The features of the program that is packed (scripts/release.sh).
const FEATURES: &str = "sinew/usd,sinew/parquet";

fn main() -> Result<(), Error> {
    let metadata = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version=1", "--locked", "--features", FEATURES])
        .args(["--filter-platform", &host()?])
        .output()?;
    if !metadata.status.success() {
        return Err(String::from_utf8_lossy(&metadata.stderr).into());
    }
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    print(&packages(&metadata)?)
}

/// A dependency of the program.
struct Package {
    name: String,
    expression: String,
    /// Its licence files.
    texts: Vec<String>,
}

/// The target triple of the program.
fn host() -> Result<String, Error> {
    let said = Command::new("rustc").arg("-vV").output()?;
    let said = String::from_utf8(said.stdout)?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    Ok(host.to_owned())
}

/// The packages linked into what is packed, without its own crates and build dependencies.
fn packages(metadata: &Value) -> Result<Vec<Package>, Error> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let is_root =
        |package: &Value| ["sinew", "sinew-capi", "sinew-python"].iter().any(|name| package["name"] == *name);
    let mut open: Vec<String> =
        all.iter().filter(|(_, package)| is_root(package)).map(|(id, _)| id.clone()).collect();
    let mut linked = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !linked.insert(id.clone()) {
            continue;
        }
        for dependency in list(&nodes[&id]["deps"]) {
            if list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) {
                open.push(text(&dependency["pkg"]));
            }
        }
    }
    let foreign = linked.iter().map(|id| &all[id]).filter(|package| !package["source"].is_null());
    foreign
        .map(|package| {
            let folder = PathBuf::from(text(&package["manifest_path"]));
            let folder = folder.parent().ok_or("a manifest lies in no folder")?;
            let name = format!("{} {}", text(&package["name"]), text(&package["version"]));
            Ok(Package { name, expression: text(&package["license"]), texts: licence_files(folder)? })
        })
        .collect()
}

/// The licence files of a package and of its fonts.
fn licence_files(folder: &Path) -> Result<Vec<String>, Error> {
    let mut texts = Vec::new();
    for (folder, all) in [(folder.to_owned(), false), (folder.join("fonts"), true)] {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            let is_licence =
                ["LICEN", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start))
                    || (all && name.ends_with(".TXT"));
            if is_licence && path.is_file() {
                let text = String::from_utf8_lossy(&std::fs::read(&path)?).replace("\r\n", "\n");
                texts.push(text.trim().to_owned());
            }
        }
    }
    Ok(texts)
}

/// Prints a list of packages and then each text once.
fn print(packages: &[Package]) -> Result<(), Error> {
    let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Package { name, texts: own, .. } in packages {
        for text in own {
            texts.entry(text).or_default().push(name);
        }
    }
    // Many packages omit their licence; the text is the same as that of others under the same expression.
    let covered: BTreeSet<&str> = packages
        .iter()
        .filter(|package| !package.texts.is_empty())
        .flat_map(|package| package.expression.split([' ', '/', '(', ')']))
        .collect();
    let mut out = String::from("sinew is linked with these libraries, whose licences follow.\n\n");
    for Package { name, expression, texts } in packages {
        let is_covered =
            expression.split([' ', '/', '(', ')']).any(|word| word.contains('-') && covered.contains(word))
                || covered.contains(expression.as_str());
        if texts.is_empty() && !is_covered && !expression.split([' ', '/']).any(|word| covered.contains(word))
        {
            return Err(format!(
                "{name} ({expression}) has no licence file, and no other package has its text"
            )
            .into());
        }
        let without = if texts.is_empty() { " (the package holds no licence file)" } else { "" };
        writeln!(out, "{name}: {expression}{without}")?;
    }
    for (text, names) in texts {
        writeln!(out, "\n{}\n{}\n\n{text}", "-".repeat(80), names.join(", "))?;
    }
    println!("{out}");
    Ok(())
}
