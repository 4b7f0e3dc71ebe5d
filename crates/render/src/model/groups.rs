//! The figures of a crowd in groups of one size, which share a draw: as many as fit a palette or a work unit.

use std::ops::Range;

/// Figures in groups; the last may have fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// Number of figures per group, at least one.
    pub each: u32,
    /// Number of figures.
    pub figures: u32,
    /// Bytes from group to group.
    pub stride: u64,
}

/// A range of figures in one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The group's index.
    pub group: u32,
    /// The first figure's index in the group.
    pub first: u32,
    /// Number of figures.
    pub count: u32,
}

impl Groups {
    /// Returns the number of groups.
    pub fn count(&self) -> u32 {
        self.figures.div_ceil(self.each.max(1))
    }

    /// Returns the size of all groups in bytes.
    pub fn size(&self) -> u64 {
        self.stride * u64::from(self.count())
    }

    /// Splits a range of figures by group.
    pub fn pieces(&self, figures: Range<u32>) -> impl Iterator<Item = Piece> {
        let each = self.each.max(1);
        let groups = figures.start / each..figures.end.div_ceil(each);
        groups.map(move |group| {
            let all = group * each..(group + 1) * each;
            let (first, end) = (figures.start.max(all.start), figures.end.min(all.end));
            Piece { group, first: first - all.start, count: end.saturating_sub(first) }
        })
    }

    /// Returns the offset of a group.
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
