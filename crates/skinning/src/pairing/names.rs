//! Pairs the names of two files: equal ones, then those that differ only by an exporter's changes.

use std::borrow::Cow;
use std::collections::HashMap;

/// The parts that two names must share, the strictest first.
const WAYS: [for<'a> fn(&'a str) -> Cow<'a, str>; 4] = [
    |name| name.into(),
    |name| behind_the_last(name).into(),
    |name| name.to_lowercase().into(),
    |name| behind_the_last(name).to_lowercase().into(),
];

/// Pairs by equal names, then by names that are equal behind the last `|` or `:`, then without case. Equal names pair in
/// their order; any other way needs one name on each side. Empty names pair with none. Sets partners in `of_first`, and
/// skips entries that have one or are not free.
pub fn pair(first: &[&str], second: &[&str], of_first: &mut [Option<usize>], is_free: &mut [bool]) {
    for (number, way) in WAYS.into_iter().enumerate() {
        let mine = by_key(first, way, |at| of_first.get(at).is_some_and(Option::is_none));
        let theirs = by_key(second, way, |at| is_free.get(at).copied().unwrap_or(false));
        for (key, mine) in mine {
            let Some(theirs) = theirs.get(&key) else { continue };
            let is_exact = number == 0;
            if !is_exact && (mine.len(), theirs.len()) != (1, 1) {
                continue;
            }
            for (one, &other) in mine.into_iter().zip(theirs) {
                if let (Some(place), Some(free)) = (of_first.get_mut(one), is_free.get_mut(other)) {
                    (*place, *free) = (Some(other), false);
                }
            }
        }
    }
}

/// Groups the indices of free names by the part that a way takes; skips names without such a part.
fn by_key<'a>(
    names: &[&'a str],
    way: for<'b> fn(&'b str) -> Cow<'b, str>,
    is_free: impl Fn(usize) -> bool,
) -> HashMap<Cow<'a, str>, Vec<usize>> {
    let mut found: HashMap<Cow<str>, Vec<usize>> = HashMap::new();
    for (number, name) in names.iter().enumerate().filter(|(number, _)| is_free(*number)) {
        let key = way(name);
        if !key.is_empty() {
            found.entry(key).or_default().push(number);
        }
    }
    found
}

/// Returns a name without an exporter's prefix, as in `Rig|Walk` or `mixamo:Walk`.
fn behind_the_last(name: &str) -> &str {
    name.rsplit(['|', ':']).next().unwrap_or(name)
}
