//! Numbers with their nouns, as people write them.

/// A number and its noun: `1 mesh`, `2 meshes`.
pub fn many(count: usize, noun: &str) -> String {
    format!("{count} {}", form(count as u64, noun))
}

/// A noun as it stands behind a number.
pub fn form(count: u64, noun: &str) -> String {
    match (count, noun.rsplit(' ').next()) {
        (1, _) => noun.to_owned(),
        (_, Some("mesh")) => format!("{noun}es"),
        (_, Some("vertex")) => format!("{}ices", noun.strip_suffix("ex").unwrap_or(noun)),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_not_many() {
        for (one, more) in [
            ("clip", "clips"),
            ("mesh", "meshes"),
            ("vertex", "vertices"),
            ("closed part", "closed parts"),
            ("lost vertex", "lost vertices"),
        ] {
            assert_eq!(many(1, one), format!("1 {one}"));
            assert_eq!([0, 2, 21].map(|n| many(n, one)), [0, 2, 21].map(|n| format!("{n} {more}")));
        }
    }
}
