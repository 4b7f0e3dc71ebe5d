//! Finds draws that differ only in their node's transform, so that they can be instances of one draw.

use std::collections::HashMap;

use crate::model::draws::Draw;

/// The draws that share a batch with others.
#[derive(Debug, Default, PartialEq)]
pub struct Sharing {
    /// Indices of draws, at least two per list, in their order.
    lists: Vec<Vec<u32>>,
    /// Each draw's list, if it is on one.
    list_of: Vec<Option<u32>>,
    /// True for draws that duplicate an earlier one.
    repeats: Vec<bool>,
}

impl Sharing {
    /// Lists the draws of each batch that no joint and no target moves. `is_repeat` returns true for duplicate
    /// primitives.
    pub fn new(draws: &[Draw], is_repeat: impl Fn(usize, usize) -> bool) -> Self {
        let repeats: Vec<bool> = draws.iter().map(|draw| is_repeat(draw.mesh, draw.primitive)).collect();
        let is_plain = |draw: &Draw| !draw.skinned && draw.morph.is_none();
        let mut counts: HashMap<(usize, usize, usize), u32> = HashMap::new();
        let key = |draw: &Draw| (draw.mesh, draw.primitive, draw.batch);
        for draw in draws.iter().filter(|draw| is_plain(draw)) {
            *counts.entry(key(draw)).or_default() += 1;
        }
        counts.retain(|_, count| *count > 1);
        let mut found = Self { repeats, ..Self::default() };
        let mut numbers: HashMap<(usize, usize, usize), u32> = HashMap::new();
        for (number, draw) in (0u32..).zip(draws) {
            let is_shared = is_plain(draw) && counts.contains_key(&key(draw));
            let list = is_shared.then(|| {
                *numbers.entry(key(draw)).or_insert_with(|| {
                    found.lists.push(Vec::new());
                    found.lists.len() as u32 - 1
                })
            });
            if let Some(list) = list {
                found.lists[list as usize].push(number);
            }
            found.list_of.push(list);
        }
        found
    }

    /// Returns the lists.
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// Returns true if a draw duplicates an earlier one.
    pub fn is_repeat(&self, draw: usize) -> bool {
        self.repeats[draw]
    }

    /// Returns the index of a draw's list, and true if the draw is its first.
    pub fn of(&self, draw: usize) -> Option<(usize, bool)> {
        let list = self.list_of[draw]? as usize;
        Some((list, self.lists[list].first() == Some(&(draw as u32))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_draws_of_the_same_batch_at_rest_share() {
        let draw = |mesh, batch, skinned, morph: Option<usize>| Draw {
            number: 0,
            instance: 0,
            mesh,
            primitive: 0,
            batch,
            palette_offset: 0,
            morph,
            skinned,
        };
        let draws = [
            draw(0, 0, false, None),
            draw(0, 1, false, None),
            draw(1, 0, false, None),
            draw(0, 0, true, None),
            draw(0, 0, false, Some(0)),
            draw(0, 0, false, None),
            draw(1, 0, false, None),
            draw(0, 0, false, None),
        ];
        let sharing = Sharing::new(&draws, |mesh, _| mesh == 1);
        let repeats: Vec<_> = (0..draws.len()).filter(|number| sharing.is_repeat(*number)).collect();
        assert_eq!(repeats, [2, 6]);
        assert_eq!(sharing.lists(), [vec![0, 5, 7], vec![2, 6]]);
        let of: Vec<_> = (0..draws.len()).map(|number| sharing.of(number)).collect();
        let [first, second] = [(0, true), (1, true)].map(Some);
        assert_eq!(
            of,
            [first, None, second, None, None, Some((0, false)), Some((1, false)), Some((0, false))]
        );
    }
}
