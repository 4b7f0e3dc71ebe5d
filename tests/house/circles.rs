//! Files of a crate that depend on each other in a circle, which no compiler refuses.

use crate::{MAY_KNOW, after, files_below, folder_of, word};

/// Files of a crate may not know each other in a circle, not even by way of a folder's `mod.rs`.
#[test]
fn no_files_go_round_in_a_circle() {
    let mut files = 0;
    for (name, _) in MAY_KNOW {
        let sources = modules(name);
        files += sources.len();
        let found = circle(&sources);
        assert!(found.is_none(), "sinew-{name}: {}", found.unwrap_or_default().join(" "));
    }
    assert!(files > 500, "{files} files");

    let source = |module: &str, text: &str| (module.to_owned(), text.to_owned());
    let there = [source("a", "mod b;\npub use b::B;"), source("a::b", "use super::c::C;")];
    let back = |text| there.iter().cloned().chain([source("a::c", text)]).collect::<Vec<_>>();
    assert_eq!(circle(&back("use crate::d::D;")), None);
    for text in [
        "use super::b::B;",
        "use super::B;",
        "#[cfg(test)]\nmod tests;\nuse super::B;",
        "use super::{B, other};",
        "use crate::a::{B, other};",
        "fn f() { crate::a::b::f() }",
    ] {
        assert!(circle(&back(text)).is_some(), "{text}");
    }
}

/// Finds modules that depend on each other in a circle: those left after repeatedly removing modules without dependencies.
fn circle(sources: &[(String, String)]) -> Option<Vec<&str>> {
    let arrows = |(module, text): &(String, String)| -> Vec<usize> {
        let paths = paths(module, text);
        let targets = paths.iter().filter_map(|path| target(sources, path));
        targets.filter(|&target| sources[target].0 != *module).collect()
    };
    let arrows: Vec<Vec<usize>> = sources.iter().map(arrows).collect();
    // The root of a crate names what it has.
    let mut left: Vec<usize> = (0..sources.len()).filter(|&module| !sources[module].0.is_empty()).collect();
    loop {
        let kept: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&module| arrows[module].iter().any(|to| left.contains(to)))
            .collect();
        if kept.len() == left.len() {
            break;
        }
        left = kept;
    }
    (!left.is_empty()).then(|| left.into_iter().map(|module| sources[module].0.as_str()).collect())
}

/// The module that a path leads to; what a `mod.rs` re-exports belongs to the file it comes from.
fn target(sources: &[(String, String)], path: &str) -> Option<usize> {
    let find = |wanted: &str| sources.iter().position(|(module, _)| module == wanted);
    let mut prefix = path;
    loop {
        if let Some(found) = find(prefix) {
            let item = word(path[prefix.len()..].trim_start_matches("::"));
            let exports = |line: &&str| {
                let used = line.strip_prefix("pub use ").or_else(|| line.strip_prefix("pub(crate) use "));
                used.is_some_and(|used| !item.is_empty() && used.split(is_no_word).any(|word| word == item))
            };
            let flat = sources[found].1.replace(",\n   ", ",");
            let from = flat
                .lines()
                .find(exports)
                .and_then(|line| line.split_once("use "))
                .map(|(_, used)| word(used));
            let file = from
                .map(|file| if prefix.is_empty() { file.to_owned() } else { format!("{prefix}::{file}") });
            return file.and_then(|file| find(&file)).or(Some(found));
        }
        prefix = match (prefix.rfind("::"), prefix.is_empty()) {
            (Some(end), _) => &prefix[..end],
            (None, false) => "",
            (None, true) => return None,
        };
    }
}

fn is_no_word(c: char) -> bool {
    !c.is_alphanumeric() && c != '_'
}

/// The whole paths of the program's own modules that a file mentions, groups taken apart.
fn paths(module: &str, text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let code: String = text.lines().map(|line| line.split("//").next().unwrap().to_owned() + "\n").collect();
    let mut paths = Vec::new();
    for start in ["crate::", "sinew::", "super::"] {
        for rest in after(&code, start) {
            let mut base = if start == "super::" { parent(module).to_owned() } else { String::new() };
            let mut rest = rest;
            while let Some(further) = rest.strip_prefix("super::") {
                (base, rest) = (parent(&base).to_owned(), further);
            }
            let end = rest.find(|c: char| is_no_word(c) && c != ':').unwrap_or(rest.len());
            let (path, behind) = rest.split_at(end);
            let names = match behind.strip_prefix('{') {
                Some(group) if path.is_empty() || path.ends_with("::") => group.split('}').next().unwrap(),
                _ => "",
            };
            for name in names.split(',') {
                let parts = [base.as_str(), path.trim_matches(':'), name.trim().trim_matches(':')];
                paths.push(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("::"));
            }
        }
    }
    paths
}

fn parent(module: &str) -> &str {
    module.rfind("::").map_or("", |at| &module[..at])
}

/// All modules of a crate by their paths, with their texts; the crate's root has an empty path.
fn modules(name: &str) -> Vec<(String, String)> {
    let folder = folder_of(name);
    files_below(&folder, "rs")
        .iter()
        .filter(|path| {
            !path.ends_with("tests.rs") && !path.components().any(|part| part.as_os_str() == "tests")
        })
        .map(|path| {
            let file = path.strip_prefix(&folder).unwrap().with_extension("");
            let module = file.to_str().unwrap().replace(['/', '\\'], "::");
            let module = if module == "lib" { "" } else { module.trim_end_matches("::mod") };
            (module.to_owned(), std::fs::read_to_string(path).unwrap())
        })
        .filter(|(module, _)| module != "main")
        .collect()
}
