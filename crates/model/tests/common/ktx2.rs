//! Builds KTX2 files for tests.

#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

/// The colours of [`etc1s`]: five bits for red, green and blue, and the table of shades.
pub const ENDPOINTS: [[u8; 4]; 4] = [[31, 0, 0, 0], [0, 20, 9, 3], [10, 22, 31, 7], [16, 16, 16, 1]];

/// The shades of pixels of [`etc1s`]: two bits a pixel, by rows.
pub const SELECTORS: [u32; 4] = [0, 0x1b1b_1b1b, 0xffaa_5500, 0xe4e4_e4e4];

/// The symbol of [`etc1s`] for a run of the first remembered selector, behind the selectors and what is remembered.
const RUN: u32 = 7;

/// Plain RGB or RGBA pixels.
pub fn plain([width, height]: [u32; 2], pixels: &[u8]) -> Vec<u8> {
    let format = if pixels.len() as u32 == width * height * 4 { 43 } else { 29 };
    file(format, [width, height], 0, 1, &[0, 1], &[], pixels)
}

/// A block of UASTC of one colour.
pub fn uastc_block(color: [u8; 4]) -> [u8; 16] {
    (0x17_u128 | u128::from(u32::from_le_bytes(color)) << 5).to_le_bytes()
}

/// Blocks of UASTC, by rows.
pub fn uastc(size: [u32; 2], blocks: &[[u8; 16]], is_zstandard: bool) -> Vec<u8> {
    let blocks = blocks.as_flattened();
    match is_zstandard {
        true => file(0, size, 2, 166, &[3], &[], &zstandard(blocks)),
        false => file(0, size, 0, 166, &[3], &[], blocks),
    }
}

/// A frame of Zstandard whose only block holds the bytes as they are.
fn zstandard(bytes: &[u8]) -> Vec<u8> {
    let size = bytes.len() as u32;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    frame.extend(size.to_le_bytes());
    frame.extend(&(size << 3 | 1).to_le_bytes()[..3]);
    frame.extend(bytes);
    frame
}

/// Blocks of ETC1S, each with its endpoint and its selector, by rows, and perhaps such of alpha or, with `is_two`, green.
pub fn etc1s(size: [u32; 2], color: &[[u32; 2]], alpha: Option<&[[u32; 2]]>, is_two: bool) -> Vec<u8> {
    let columns = size[0].div_ceil(4) as usize;
    let [color, alpha] = [Some(color), alpha].map(|blocks| blocks.map(|blocks| slice(columns, blocks)));
    let (color, has_alpha) = (color.unwrap(), alpha.is_some());
    let alpha = alpha.unwrap_or_default();
    let (endpoints, selectors, tables) = (endpoints(), selectors(), tables());
    let mut global = vec![ENDPOINTS.len() as u8, 0, SELECTORS.len() as u8, 0];
    let lengths = [endpoints.len(), selectors.len(), tables.len(), 0];
    let image = [0, 0, color.len(), if has_alpha { color.len() } else { 0 }, alpha.len()];
    for number in lengths.into_iter().chain(image) {
        global.extend((number as u32).to_le_bytes());
    }
    global.extend([endpoints, selectors, tables].concat());
    let channels: &[u8] = match (is_two, has_alpha) {
        (true, _) => &[3, 4],
        (_, true) => &[0, 15],
        _ => &[0],
    };
    file(0, size, 1, 163, channels, &global, &[color, alpha].concat())
}

fn file(
    format: u32,
    size: [u32; 2],
    scheme: u32,
    model: u8,
    channels: &[u8],
    global: &[u8],
    level: &[u8],
) -> Vec<u8> {
    let mut descriptor = vec![0, 0, 0, 0, 2, 0, 24 + 16 * channels.len() as u8, 0, model, 1, 2, 0];
    descriptor.resize(24, 0);
    for channel in channels {
        descriptor.extend([0, 0, 0, *channel]);
        descriptor.extend([0; 12]);
    }
    let length = descriptor.len() as u32 + 4;
    let start = 104 + u64::from(length);
    let mut bytes = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    let [width, height] = size;
    for number in [format, 1, width, height, 0, 0, 1, 1, scheme, 104, length, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    let [global_bytes, level_bytes] = [global.len() as u64, level.len() as u64];
    for number in [start, global_bytes, start + global_bytes, level_bytes, level_bytes] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(length.to_le_bytes());
    [&bytes, &descriptor, global, level].concat()
}

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn put(&mut self, number: u32, count: usize) {
        self.0.extend((0..count).map(|bit| number >> bit & 1 == 1));
    }

    /// A symbol of a table whose codes all have this length; the first bit is the highest.
    fn symbol(&mut self, symbol: u32, count: usize) {
        self.0.extend((0..count).rev().map(|bit| symbol >> bit & 1 == 1));
    }

    /// A table of symbols whose codes all have one length, and more symbols whose codes are one longer.
    fn table(&mut self, [count, more]: [usize; 2], length: usize) {
        let order = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];
        self.put((count + more) as u32, 14);
        self.put(21, 5);
        for symbol in order {
            self.put(u32::from(symbol == length || (more > 0 && symbol == length + 1)), 3);
        }
        for symbol in 0..count + more {
            self.put(u32::from(symbol >= count), 1);
        }
    }

    fn bytes(self) -> Vec<u8> {
        let byte = |bits: &[bool]| (0..).zip(bits).fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at);
        self.0.chunks(8).map(byte).collect()
    }
}

fn endpoints() -> Vec<u8> {
    let mut bits = Bits::default();
    (0..3).for_each(|_| bits.table([32, 0], 5));
    bits.table([8, 0], 3);
    bits.put(0, 1);
    let mut last = [16, 16, 16, 0];
    for endpoint in ENDPOINTS {
        let [red, green, blue, table] = [0, 1, 2, 3].map(|at| u32::from(endpoint[at].wrapping_sub(last[at])));
        bits.symbol(table & 7, 3);
        [red, green, blue].into_iter().for_each(|channel| bits.symbol(channel & 31, 5));
        last = endpoint;
    }
    bits.bytes()
}

fn selectors() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(0, 3);
    bits.table([256, 0], 8);
    bits.put(SELECTORS[0], 32);
    for pair in SELECTORS.windows(2) {
        (pair[0] ^ pair[1]).to_le_bytes().into_iter().for_each(|row| bits.symbol(row.into(), 8));
    }
    bits.bytes()
}

fn tables() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.table([255, 2], 8);
    bits.table([ENDPOINTS.len(), 0], 2);
    bits.table([8, 0], 3);
    bits.table([64, 0], 6);
    bits.put(3, 13);
    bits.bytes()
}

/// Packs a slice: an endpoint comes from the neighbour on the left, above, or above and left, if one has it. Three blocks
/// and more at the start with the first selector become a run.
fn slice(columns: usize, blocks: &[[u32; 2]]) -> Vec<u8> {
    let endpoint = |column: usize, row: usize| blocks.get(row * columns + column).map(|block| block[0]);
    let neighbour = |column: usize, row: usize| {
        let own = endpoint(column, row);
        let is = |column: Option<usize>, row: Option<usize>| {
            own.is_some() && own == column.zip(row).and_then(|(column, row)| endpoint(column, row))
        };
        let (left, up) = (column.checked_sub(1), row.checked_sub(1));
        match () {
            () if column >= columns || own.is_none() => 3,
            () if is(left, Some(row)) => 0,
            () if is(Some(column), up) => 1,
            () if is(left, up) => 2,
            () => 3,
        }
    };
    let run = blocks.iter().take_while(|block| block[1] == 0).count().min(65);
    let run = if run < 3 { 0 } else { run };
    let mut bits = Bits::default();
    let mut last = 0;
    for (at, [endpoint, selector]) in blocks.iter().copied().enumerate() {
        let (column, row) = (at % columns, at / columns);
        if column % 2 == 0 && row % 2 == 0 {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| neighbour(column + x, row + y));
            let symbol = four.into_iter().rev().fold(0, |symbol, two| symbol << 2 | two);
            // The last symbol of the table that is used has a longer code.
            if symbol < 255 { bits.symbol(symbol, 8) } else { bits.symbol(510, 9) }
        }
        if neighbour(column, row) == 3 {
            bits.symbol((endpoint + 4 - last) % 4, 2);
        }
        last = endpoint;
        if at == 0 && run > 0 {
            bits.symbol(RUN, 3);
            bits.symbol(run as u32 - 3, 6);
        } else if at >= run {
            bits.symbol(selector, 3);
        }
    }
    bits.bytes()
}
