//! The modes of UASTC.

/// A code: its bits, the lowest first, and their number.
type Code = (u32, u32);

/// The layout of a block.
pub struct Mode {
    pub code: Code,
    /// Bits for encoders of other formats.
    pub hint_bits: u32,
    /// The bits of a weight.
    pub weight_bits: u32,
    /// The bits of a colour's number, and the base of the digit above them; 1 for none.
    pub range: (u32, u32),
    /// The kind of partitions, and the number of their subsets.
    pub partitions: Option<(usize, u32)>,
    /// True if one channel has separate weights.
    pub has_planes: bool,
    /// 2: grey and alpha; 3: RGB; 4: RGBA.
    pub channels: usize,
}

impl Mode {
    /// The number of subsets.
    pub fn subsets(&self) -> usize {
        self.partitions.map_or(1, |(_, count)| count as usize)
    }

    /// The sample of a number and a digit.
    pub fn value(&self, bits: u32, digit: u32) -> u8 {
        let (high, is_odd) = (bits >> 1, bits & 1 == 1);
        let (step, spread) = match self.range {
            (5, 1) => return (bits << 3 | bits >> 2) as u8,
            (4, 1) => return (bits << 4 | bits) as u8,
            (2, 3) => (93, high << 8 | high << 4 | high << 2 | high << 1),
            (4, 3) => (22, high << 6 | high),
            (6, 3) => (5, high << 4 | high >> 4),
            (3, 5) => (26, high << 7 | high << 1 | high >> 1),
            (5, 5) => (6, high << 5 | high >> 3),
            _ => return bits as u8,
        };
        let mirror = if is_odd { 0x1ff } else { 0 };
        let sum = digit.wrapping_mul(step).wrapping_add(spread) ^ mirror;
        ((mirror & 0x80) | sum >> 2) as u8
    }
}

/// The code of a block of one colour.
pub const SOLID: Code = (0x17, 5);

const fn mode(code: Code, hint_bits: u32, weight_bits: u32, range: (u32, u32), channels: usize) -> Mode {
    Mode { code, hint_bits, weight_bits, range, partitions: None, has_planes: false, channels }
}

const fn parted(mode: Mode, kind: usize, count: u32) -> Mode {
    Mode { partitions: Some((kind, count)), ..mode }
}

const fn planar(mode: Mode) -> Mode {
    Mode { has_planes: true, ..mode }
}

/// All modes but that of one colour.
pub const MODES: [Mode; 18] = [
    mode((0x1, 4), 15, 4, (6, 3), 3),
    mode((0x35, 6), 15, 2, (8, 1), 3),
    parted(mode((0x1d, 5), 15, 3, (4, 1), 3), 0, 2),
    parted(mode((0x3, 5), 15, 2, (2, 3), 3), 1, 3),
    parted(mode((0x13, 5), 15, 2, (3, 5), 3), 0, 2),
    mode((0xb, 5), 15, 3, (8, 1), 3),
    planar(mode((0x1b, 5), 15, 2, (5, 5), 3)),
    parted(mode((0x7, 5), 15, 2, (3, 5), 3), 2, 2),
    parted(mode((0xf, 5), 23, 2, (4, 1), 4), 0, 2),
    mode((0x2, 3), 17, 4, (4, 3), 4),
    planar(mode((0x0, 2), 17, 2, (4, 3), 4)),
    mode((0x6, 3), 17, 3, (6, 3), 4),
    planar(mode((0x1f, 5), 23, 1, (8, 1), 4)),
    mode((0xd, 5), 23, 2, (8, 1), 4),
    mode((0x5, 7), 23, 4, (8, 1), 2),
    parted(mode((0x15, 6), 23, 2, (8, 1), 2), 0, 2),
    planar(mode((0x25, 6), 23, 2, (8, 1), 2)),
    mode((0x9, 4), 15, 5, (5, 1), 3),
];

/// Kinds of partitions: the bits of their number, and the seed of each in ASTC.
pub const PARTITIONS: [(u32, &[u16]); 3] = [
    (
        5,
        &[
            28, 20, 16, 29, 91, 9, 107, 72, 149, 204, 50, 114, 496, 17, 78, 39, 252, 828, 43, 156, 116, 210,
            476, 273, 684, 359, 246, 195, 694, 524,
        ],
    ),
    (4, &[260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254]),
    (5, &[36, 48, 61, 137, 161, 183, 226, 281, 302, 307, 479, 495, 593, 594, 605, 799, 812, 988, 993]),
];
