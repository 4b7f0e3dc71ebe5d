//! ETC1S: blocks of one colour in four shades. A book lists colours (endpoints), another the shades of a block's pixels
//! (selectors), and each block names one of both.

use super::bits::Bits;
use super::canvas::Canvas;
use super::codes::Codes;
use super::slices::{Block, Tables};

/// The packed parts of an image.
pub struct Parts<'a> {
    pub endpoints: &'a [u8],
    pub endpoint_count: u16,
    pub selectors: &'a [u8],
    pub selector_count: u16,
    pub tables: &'a [u8],
    pub color: &'a [u8],
    pub alpha: Option<&'a [u8]>,
}

/// Offsets of a colour's channels, by table and shade.
const SHADES: [[i16; 4]; 8] = [
    [-8, -2, 2, 8],
    [-17, -5, 5, 17],
    [-29, -9, 9, 29],
    [-42, -13, 13, 42],
    [-60, -18, 18, 60],
    [-80, -24, 24, 80],
    [-106, -33, 33, 106],
    [-183, -47, 47, 183],
];

/// A colour, with five bits a channel, and the table of its shades.
#[derive(Clone, Copy)]
struct Endpoint {
    color: [u8; 3],
    table: u8,
}

impl Endpoint {
    /// Its colour in each shade.
    fn shades(self) -> [[u8; 3]; 4] {
        let color = self.color.map(|five| i16::from(five << 3 | five >> 2));
        let shades = SHADES.get(usize::from(self.table)).copied().unwrap_or_default();
        shades.map(|shade| color.map(|channel| channel.saturating_add(shade).clamp(0, 255) as u8))
    }
}

/// Draws an image; `None` if its data is damaged.
pub fn draw(parts: &Parts, canvas: &mut Canvas) -> Option<()> {
    let endpoints = endpoints(parts.endpoints, parts.endpoint_count)?;
    let selectors = selectors(parts.selectors, parts.selector_count)?;
    let tables = Tables::read(parts.tables, [parts.endpoint_count, parts.selector_count])?;
    let size = canvas.blocks();
    let shaded = |block: Block| {
        let shades = endpoints.get(usize::from(block.endpoint))?.shades();
        let selector = *selectors.get(usize::from(block.selector))?;
        let shade = move |pixel: usize| {
            let selector = selector.wrapping_shr((pixel as u32).wrapping_mul(2)) & 3;
            shades.get(selector as usize).copied().unwrap_or_default()
        };
        Some(shade)
    };
    tables.blocks(parts.color, size, |block| {
        let shade = shaded(block)?;
        canvas.block(block.place, |number, pixel| {
            let [red, green, blue] = shade(number);
            *pixel = [red, green, blue, u8::MAX];
        });
        Some(())
    })?;
    let Some(alpha) = parts.alpha else { return Some(()) };
    tables.blocks(alpha, size, |block| {
        let shade = shaded(block)?;
        canvas.block(block.place, |number, pixel| {
            let ([_, green, _], [.., alpha]) = (shade(number), pixel);
            *alpha = green;
        });
        Some(())
    })
}

/// Reads the book of colours: each is stored as the difference from the one before.
fn endpoints(bytes: &[u8], count: u16) -> Option<Vec<Endpoint>> {
    let mut bits = Bits::new(bytes);
    let [dark, middle, bright, tables] =
        [Codes::read(&mut bits)?, Codes::read(&mut bits)?, Codes::read(&mut bits)?, Codes::read(&mut bits)?];
    let is_grey = bits.take(1)? == 1;
    let mut last = Endpoint { color: [16; 3], table: 0 };
    let mut endpoints = Vec::new();
    for _ in 0..count {
        last.table = (u32::from(last.table).wrapping_add(tables.next(&mut bits)?) & 7) as u8;
        for channel in last.color.iter_mut().take(if is_grey { 1 } else { 3 }) {
            let codes = match *channel {
                0..=9 => &dark,
                10..=21 => &middle,
                _ => &bright,
            };
            *channel = (u32::from(*channel).wrapping_add(codes.next(&mut bits)?) & 31) as u8;
        }
        let [grey, ..] = last.color;
        endpoints.push(if is_grey { Endpoint { color: [grey; 3], ..last } } else { last });
    }
    Some(endpoints)
}

/// Reads the book of selectors: two bits a pixel, by rows, the lowest first.
fn selectors(bytes: &[u8], count: u16) -> Option<Vec<u32>> {
    let mut bits = Bits::new(bytes);
    // Books of other files, and mixed ones, are of older formats.
    if bits.take(2)? != 0 {
        return None;
    }
    let is_raw = bits.take(1)? == 1;
    let codes = if is_raw { Codes::default() } else { Codes::read(&mut bits)? };
    let mut selectors: Vec<u32> = Vec::new();
    for _ in 0..count {
        let selector = match selectors.last() {
            Some(last) if !is_raw => {
                let mut rows = last.to_le_bytes();
                for row in &mut rows {
                    *row ^= codes.next(&mut bits)? as u8;
                }
                u32::from_le_bytes(rows)
            }
            _ => bits.take(32)?,
        };
        selectors.push(selector);
    }
    Some(selectors)
}
