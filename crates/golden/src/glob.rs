//! Finds the files that match a pattern such as `models/*.glb`.

use std::path::Path;

/// Returns true if a word has wildcards: `*` for any letters, `?` for one.
pub fn is_pattern(word: &str) -> bool {
    word.contains(['*', '?'])
}

/// Returns the files in a folder that match a pattern, sorted; only the last part of the pattern may have wildcards.
///
/// # Errors
/// If the folder cannot be read, another part has wildcards, or no file matches.
pub fn files(folder: &Path, pattern: &str) -> Result<Vec<String>, String> {
    let (parent, last) = pattern.rsplit_once('/').map_or(("", pattern), |(parent, last)| (parent, last));
    if is_pattern(parent) {
        return Err(format!("'{pattern}': only the file name may have * or ?"));
    }
    let place = folder.join(parent);
    let entries = std::fs::read_dir(&place).map_err(|error| format!("'{pattern}': {error}"))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let fits = |name: &String| matches(last.as_bytes(), name.as_bytes()) && place.join(name).is_file();
    let mut names: Vec<String> = names.filter(fits).collect();
    names.sort();
    let whole = |name: String| if parent.is_empty() { name } else { format!("{parent}/{name}") };
    match names.is_empty() {
        true => Err(format!("no file matches '{pattern}'")),
        false => Ok(names.into_iter().map(whole).collect()),
    }
}

/// Returns true if a name matches a pattern. Backtracks to the last `*` only, so it takes at most pattern times name steps.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while place < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(b'?') => (at, place) = (at + 1, place + 1),
            Some(letter) if name.get(place) == Some(letter) => (at, place) = (at + 1, place + 1),
            _ => match star {
                Some((behind, from)) => {
                    star = Some((behind, from + 1));
                    (at, place) = (behind + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|letter| *letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, name, fits) in [
            ("*.glb", "fox.glb", true),
            ("*.glb", "fox.gltf", false),
            ("f?x*", "fox", true),
            ("f?x*", "fx", false),
            ("*a*b*", "xaybz", true),
            ("*a*b", "aab", true),
            ("*", "", true),
            ("", "a", false),
            ("?", "", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), fits, "{pattern} {name}");
        }
        assert!(!matches("a*".repeat(50).as_bytes(), "a".repeat(49).as_bytes()));
    }

    #[test]
    fn files_are_found_in_order() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("m")).unwrap();
        for name in ["m/b.glb", "m/a.glb", "m/c.txt", "d.glb"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(files(folder.path(), "m/*.glb"), Ok(vec!["m/a.glb".to_owned(), "m/b.glb".to_owned()]));
        assert_eq!(files(folder.path(), "*.glb"), Ok(vec!["d.glb".to_owned()]));
        for wrong in ["x/*.glb", "m/*.obj", "*/a.glb"] {
            assert!(files(folder.path(), wrong).is_err(), "{wrong}");
        }
    }
}
