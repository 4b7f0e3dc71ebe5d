//! The figures of a crowd in groups of one size, which share a draw: as many as fit a palette or a piece of work.

use std::ops::Range;

/// Figures in groups; the last may have fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// How many figures a group has, at least one.
    pub each: u32,
    /// How many figures there are.
    pub figures: u32,
    /// Bytes from group to group.
    pub stride: u64,
}

/// Some figures of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The group's number.
    pub group: u32,
    /// The first figure's number in the group.
    pub first: u32,
    /// How many.
    pub count: u32,
}

impl Groups {
    /// How many groups there are.
    pub fn count(&self) -> u32 {
        self.figures.div_ceil(self.each.max(1))
    }

    /// Bytes of all groups.
    pub fn size(&self) -> u64 {
        self.stride * u64::from(self.count())
    }

    /// The figures with these numbers, group by group.
    pub fn pieces(&self, figures: Range<u32>) -> impl Iterator<Item = Piece> {
        let each = self.each.max(1);
        let groups = figures.start / each..figures.end.div_ceil(each);
        groups.map(move |group| {
            let all = group * each..(group + 1) * each;
            let (first, end) = (figures.start.max(all.start), figures.end.min(all.end));
            Piece { group, first: first - all.start, count: end.saturating_sub(first) }
        })
    }

    /// Where a group begins.
    pub fn offset(&self, group: u32) -> u64 {
        self.stride * u64::from(group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_drawn_once() {
        let groups = Groups { each: 3, figures: 8, stride: 10 };
        assert_eq!((groups.count(), groups.size(), groups.offset(2)), (3, 30, 20));
        let some = |group, first, count| Piece { group, first, count };
        assert_eq!(groups.pieces(0..8).collect::<Vec<_>>(), [some(0, 0, 3), some(1, 0, 3), some(2, 0, 2)]);
        assert_eq!(groups.pieces(4..5).collect::<Vec<_>>(), [some(1, 1, 1)]);
        assert_eq!(groups.pieces(2..4).collect::<Vec<_>>(), [some(0, 2, 1), some(1, 0, 1)]);
        assert_eq!(groups.pieces(0..0).count(), 0);
        assert_eq!(Groups::default().count(), 0);
    }
}
