//! Splits a workload into dispatches that fit a device's limits.

/// Limits of one dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// Bytes that a shader may see of a storage buffer.
    pub range: u64,
    /// Work groups in a row, and rows.
    pub groups: [u32; 2],
    /// Slots that a shader may see.
    pub slots: u64,
}

/// The size of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// Vertices of a figure.
    pub vertices: u32,
    /// Figures.
    pub figures: u32,
}

/// Bytes of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VertexBytes {
    /// In all source streams.
    pub source: u64,
    /// In all results.
    pub result: u64,
}

/// Bytes for the gaps before streams.
const GAPS: u64 = 256;

impl Split {
    /// Returns the largest dispatches that fit, in whole work groups of `group` vertices: of vertices first, then of
    /// figures. Each has at least one group and one figure.
    pub(super) fn new(
        (vertices, figures, slots): (u32, u32, u32),
        bytes: VertexBytes,
        group: u32,
        limits: Limits,
    ) -> Self {
        let widest = bytes.source.max(bytes.result).max(1);
        let room = limits.range.saturating_sub(GAPS) / widest;
        let groups = (room / u64::from(group.max(1))).clamp(1, limits.groups[0].max(1).into());
        let vertices = u64::from(vertices).min(groups * u64::from(group)).max(1);
        let by_result = limits.range / (vertices * bytes.result.max(1));
        let by_slots = limits.slots / u64::from(slots.max(1));
        let figures = by_result.min(by_slots).min(limits.groups[1].into()).clamp(1, figures.max(1).into());
        // Both are at most their parameters, which have 32 bits.
        Self { vertices: vertices as u32, figures: figures as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: VertexBytes = VertexBytes { source: 80, result: 40 };
    const LIMITS: Limits = Limits { range: 1 << 27, groups: [65_535; 2], slots: 512 };

    #[test]
    fn a_dispatch_fits_every_limit() {
        let split = |all, limits| {
            let Split { vertices, figures } = Split::new(all, BYTES, 64, limits);
            (vertices, figures)
        };
        assert_eq!(split((1728, 1, 24), LIMITS), (1728, 1));
        // 512 slots, or the result of 1,941 figures.
        assert_eq!(split((1728, 10_000, 24), LIMITS), (1728, 21));
        assert_eq!(split((1728, 10_000, 24), Limits { slots: 1 << 21, ..LIMITS }), (1728, 1941));
        // 80 bytes of each vertex in 128 MiB, in whole groups.
        assert_eq!(split((2_000_000, 1, 64), LIMITS), (1_677_696, 1));
        let wide = Limits { range: 1 << 40, groups: [1000, 7], slots: 1 << 40 };
        assert_eq!(split((2_000_000, 1, 64), wide), (64_000, 1));
        assert_eq!(split((20, 100, 64), wide), (20, 7));
        // At least one of each.
        assert_eq!(split((0, 0, 0), Limits { range: 0, groups: [0; 2], slots: 0 }), (1, 1));
    }
}
