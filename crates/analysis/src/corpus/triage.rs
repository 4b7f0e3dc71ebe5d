//! Groups findings of many assets by kind and likeness, with the worst and a typical one of each group.

use std::collections::BTreeMap;

use serde::Serialize;

use super::asset::{Asset, Finding, Kind};

/// Alike findings of several assets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The kind.
    pub kind: Kind,
    /// The text that they have in common; may be empty.
    pub like: String,
    /// The number of assets.
    pub assets: usize,
    /// The asset with the largest finding, and that finding.
    pub worst: (String, Finding),
    /// The asset with the median finding, and that finding.
    pub typical: (String, Finding),
}

/// Groups the findings of assets by name, the worst kinds first. An asset counts once for each group, with its largest finding.
pub fn triage<'a>(assets: impl IntoIterator<Item = (&'a str, &'a Asset)>) -> Vec<Group> {
    let mut groups: BTreeMap<(Kind, &str), BTreeMap<&str, &Finding>> = BTreeMap::new();
    for (name, asset) in assets {
        for finding in &asset.findings {
            let group = groups.entry((finding.kind, finding.like.as_str())).or_default();
            let own = group.entry(name).or_insert(finding);
            if finding.size > own.size {
                *own = finding;
            }
        }
    }
    let mut groups: Vec<Group> =
        groups.into_iter().filter_map(|((kind, like), of)| group(kind, like, of)).collect();
    groups.sort_by(|a, b| a.kind.cmp(&b.kind).then(b.assets.cmp(&a.assets)).then(a.like.cmp(&b.like)));
    groups
}

fn group(kind: Kind, like: &str, of: BTreeMap<&str, &Finding>) -> Option<Group> {
    let mut all: Vec<(&str, &Finding)> = of.into_iter().collect();
    // Of equal sizes, the first by name.
    all.sort_by(|(a, x), (b, y)| y.size.total_cmp(&x.size).then(a.cmp(b)));
    let owned = |(name, finding): &(&str, &Finding)| ((*name).to_owned(), (*finding).clone());
    Some(Group {
        kind,
        like: like.to_owned(),
        assets: all.len(),
        worst: owned(all.first()?),
        typical: owned(all.get(all.len() / 2)?),
    })
}
