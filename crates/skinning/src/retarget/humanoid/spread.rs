//! Pairs the joints of two figures, part by part. Chains of different lengths are spread over each other.

use super::figure::Figure;

/// A joint of the target rig, the joint that it follows, and whether the shape of a tree alone pairs them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The joint of the target rig.
    pub target: usize,
    /// The joint of the clips' rig.
    pub source: usize,
    /// True if the shape of a tree names one of the two.
    pub by_shape: bool,
}

/// Pairs two figures. `source_of` returns the partner of a joint that has one, and `is_used` tells whether a joint of the
/// clips' rig has a partner.
pub fn pairs<'a>(
    (target, source): (&'a Figure, &'a Figure),
    source_of: impl Fn(usize) -> Option<usize>,
    is_used: impl Fn(usize) -> bool,
) -> Vec<Guess> {
    let mut found = Vec::new();
    for (part, joints) in target.parts() {
        // The last joints behind a known pair belong to the end.
        let mut spans = vec![(joints, source.joints(part), false)];
        while let Some((targets, sources, is_end)) = spans.pop() {
            // A known pair divides both chains.
            let known = targets.iter().enumerate().find_map(|(number, joint)| {
                let partner = source_of(*joint)?;
                Some((number, sources.iter().position(|source| *source == partner)?))
            });
            if let Some((to, from)) = known {
                let (before, after) = (targets.split_at(to), sources.split_at(from));
                spans.push((before.0, after.0, false));
                let behind = |joints: &'a [usize]| joints.split_first().map_or(joints, |(_, behind)| behind);
                spans.push((behind(before.1), behind(after.1), true));
                continue;
            }
            let targets: Vec<usize> =
                targets.iter().copied().filter(|joint| source_of(*joint).is_none()).collect();
            let sources: Vec<usize> = sources.iter().copied().filter(|joint| !is_used(*joint)).collect();
            found.extend(spread(&targets, &sources, is_end).map(|(to, from)| Guess {
                target: to,
                source: from,
                by_shape: target.is_by_shape(to) || source.is_by_shape(from),
            }));
        }
    }
    found
}

/// Pairs two chains: the first joints, the last ones, and those between by their relative place. A single joint follows the
/// first, or the last at an end.
fn spread<'a>(
    targets: &'a [usize],
    sources: &'a [usize],
    is_end: bool,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let count = targets.len().min(sources.len());
    let place = move |chain: &[usize], number: usize| {
        // Rounded to the nearest.
        let (steps, last) = (count.saturating_sub(1), chain.len().saturating_sub(1));
        let twice = number.saturating_mul(last).saturating_mul(2).saturating_add(steps);
        let single = if is_end { last } else { 0 };
        chain.get(twice.checked_div(steps.saturating_mul(2)).unwrap_or(single)).copied()
    };
    (0..count).filter_map(move |number| Some((place(targets, number)?, place(sources, number)?)))
}

#[cfg(test)]
mod tests {
    use super::super::part::Part;
    use super::*;

    fn paired(targets: usize, sources: usize, known: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let mut figures = [Figure::default(), Figure::default()];
        let [target, source] = &mut figures;
        target.add(Part::Torso, &(0..targets).collect::<Vec<_>>(), false);
        source.add(Part::Torso, &(0..sources).collect::<Vec<_>>(), false);
        let source_of = |joint| known.iter().find(|(to, _)| *to == joint).map(|(_, from)| *from);
        let is_used = |joint| known.iter().any(|(_, from)| *from == joint);
        let mut found: Vec<_> = pairs((target, source), source_of, is_used)
            .iter()
            .map(|guess| (guess.target, guess.source))
            .collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn ends_meet_ends() {
        assert_eq!(paired(3, 3, &[]), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(paired(3, 5, &[]), [(0, 0), (1, 2), (2, 4)]);
        assert_eq!(paired(5, 2, &[]), [(0, 0), (4, 1)]);
        assert_eq!(paired(1, 4, &[]), [(0, 0)]);
        assert_eq!(paired(4, 6, &[]), [(0, 0), (1, 2), (2, 3), (3, 5)]);
        assert_eq!(paired(0, 3, &[]), []);
        for (targets, sources) in (1..9).flat_map(|one| (1..9).map(move |other| (one, other))) {
            let found = paired(targets, sources, &[]);
            assert_eq!(found.len(), targets.min(sources));
            assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1), "{found:?}");
        }
    }

    #[test]
    fn known_pairs_divide_chains() {
        assert_eq!(paired(4, 4, &[(1, 2)]), [(0, 0), (3, 3)]);
        assert_eq!(paired(3, 3, &[(0, 0), (2, 1)]), []);
        // One with a joint elsewhere is no part of the chain.
        assert_eq!(paired(3, 2, &[(0, 9)]), [(1, 0), (2, 1)]);
        assert_eq!(paired(4, 2, &[(1, 0)]), [(3, 1)]);
    }
}
