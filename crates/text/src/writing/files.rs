//! The system's font files, those with the most suitable names first.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Maximum number of folders and files to visit; systems with all available fonts have 5,000.
const MAX: usize = 20_000;

/// Maximum depth of nested folders.
const MAX_DEPTH: usize = 8;

/// Names of upright, plain fonts with many characters, the best first.
const WANTED: [&str; 24] = [
    "notosanscjk-regular",
    "notosanscjk",
    "notosansarabic-regular",
    "notosanshebrew-regular",
    "notosans-regular",
    "dejavusans.",
    "sourcehansans",
    "pingfang",
    "hiragino",
    "applesdgothicneo",
    "msyh.",
    "yugothm.",
    "malgun.",
    "segoeui.",
    "arial.",
    "wqy-microhei",
    "wqy-zenhei",
    "droidsansfallback",
    "nanumgothic.",
    "freesans.",
    "notoemoji",
    "seguisym.",
    "seguiemj.",
    "symbola",
];

/// Name parts of fonts for other uses, and their penalty.
const UNWANTED: [(&str, usize); 16] = [
    ("italic", 8),
    ("oblique", 8),
    ("bold", 4),
    ("black", 4),
    ("heavy", 4),
    ("thin", 4),
    ("light", 4),
    ("condensed", 4),
    ("narrow", 4),
    ("extra", 2),
    ("medium", 1),
    ("serif", 1),
    ("mono", 1),
    ("display", 1),
    ("poster", 2),
    ("title", 2),
];

/// Lists the font files in folders and below, the best first. The order is the same on every run.
pub fn all(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut open: VecDeque<(PathBuf, usize)> = folders.iter().map(|folder| (folder.clone(), 0)).collect();
    let (mut found, mut looked_at) = (Vec::new(), 0_usize);
    while let Some((folder, depth)) = open.pop_front() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            looked_at += 1;
            if looked_at > MAX {
                break;
            }
            // A pipe or a device is not a font. Links may form a cycle, which the maximum depth ends.
            match std::fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() && depth < MAX_DEPTH => open.push_back((path, depth + 1)),
                Ok(metadata) if metadata.is_file() && is_font(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort_by_cached_key(|path| (rank(path), path.file_name().map(OsStr::to_owned), path.clone()));
    found.dedup();
    found
}

fn is_font(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    ending.is_some_and(|ending| ["ttf", "otf", "ttc", "otc"].contains(&ending.as_str()))
}

/// Ranks a font; lower is better.
fn rank(path: &Path) -> usize {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let unwanted: usize = UNWANTED.iter().filter(|(part, _)| name.contains(part)).map(|(_, much)| much).sum();
    let wanted = WANTED.iter().position(|wanted| name.starts_with(wanted)).unwrap_or(WANTED.len());
    unwanted * (WANTED.len() + 1) + wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_fonts_come_first_and_other_files_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("truetype/dejavu");
        std::fs::create_dir_all(&below).unwrap();
        for name in ["Zapf.otf", "DejaVuSans-Bold.ttf", "DejaVuSans.ttf", "README", "symbola.TTF"] {
            std::fs::write(below.join(name), "").unwrap();
        }
        std::fs::write(folder.path().join("NotoSansCJK-Regular.ttc"), "").unwrap();
        let folders = [folder.path().join("missing"), folder.path().to_owned(), below.clone()];
        let found = all(&folders);
        let names: Vec<&str> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        let expected =
            ["NotoSansCJK-Regular.ttc", "DejaVuSans.ttf", "symbola.TTF", "Zapf.otf", "DejaVuSans-Bold.ttf"];
        assert_eq!(names, expected);
    }
}
