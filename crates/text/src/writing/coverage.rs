//! Character coverage of a font file, from its `cmap` tables, which are a small part of it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Maximum size of a table to read; those of fonts for all of Unicode are below 1 MiB.
const MAX_BYTES: u32 = 4 << 20;

/// Maximum number of tables in a font.
const MAX_TABLES: u16 = 256;

/// Characters as ranges: the first and the last of each.
pub struct Coverage(Vec<[u32; 2]>);

impl Coverage {
    /// Reads the coverage of a file's first font; `None` if it has no outlines.
    pub fn read(file: &mut File) -> Option<Self> {
        let mut start = 0;
        let mut head = bytes_at(file, 0, 12)?;
        if head.starts_with(b"ttcf") {
            start = number(&bytes_at(file, 12, 4)?, 0)?;
            head = bytes_at(file, start, 12)?;
        }
        let tables = short(&head, 4).filter(|tables| *tables <= MAX_TABLES)?;
        let list = bytes_at(file, start.checked_add(12)?, u32::from(tables) * 16)?;
        let find = |tag: &[u8; 4]| list.chunks_exact(16).find(|table| table.starts_with(tag));
        // Other fonts hold only bitmaps, such as coloured emoji.
        let has_outlines = [b"glyf", b"CFF ", b"CFF2"].into_iter().any(|tag| find(tag).is_some());
        let cmap = find(b"cmap").filter(|_| has_outlines)?;
        Some(Self::parse(&bytes_at(file, number(cmap, 8)?, number(cmap, 12)?)?))
    }

    /// Returns true if a character is in a range. A font may still lack it: ranges have holes.
    pub fn may_have(&self, letter: char) -> bool {
        let letter = u32::from(letter);
        let after = self.0.partition_point(|range| range[0] <= letter);
        after.checked_sub(1).and_then(|last| self.0.get(last)).is_some_and(|range| letter <= range[1])
    }

    fn parse(cmap: &[u8]) -> Self {
        let mut ranges = Vec::new();
        for record in 0..short(cmap, 2).unwrap_or(0).min(64) {
            let offset = number(cmap, 4 + usize::from(record) * 8 + 4);
            let table = offset.and_then(|offset| cmap.get(offset as usize..)).unwrap_or_default();
            let _ = match short(table, 0) {
                Some(4) => segments(table, &mut ranges),
                Some(12 | 13) => groups(table, &mut ranges),
                _ => None,
            };
        }
        ranges.sort_unstable();
        // Tables repeat each other; overlapping ranges are merged.
        ranges.dedup_by(|later, earlier| {
            let is_within = later[0] <= earlier[1];
            earlier[1] = if is_within { earlier[1].max(later[1]) } else { earlier[1] };
            is_within
        });
        Self(ranges)
    }
}

/// Reads format 4: all ends, then all starts.
fn segments(table: &[u8], ranges: &mut Vec<[u32; 2]>) -> Option<()> {
    let twice = usize::from(short(table, 6)?) & !1;
    for at in (0..twice).step_by(2) {
        let (end, start) = (short(table, 14 + at)?, short(table, 16 + twice + at)?);
        if start <= end && start != u16::MAX {
            ranges.push([start, end].map(u32::from));
        }
    }
    Some(())
}

/// Reads formats 12 and 13: start, end and glyph of each group.
fn groups(table: &[u8], ranges: &mut Vec<[u32; 2]>) -> Option<()> {
    let count = number(table, 12)? as usize;
    for group in table.get(16..)?.chunks_exact(12).take(count) {
        let (start, end) = (number(group, 0)?, number(group, 4)?);
        if start <= end {
            ranges.push([start, end]);
        }
    }
    Some(())
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn bytes_at(file: &mut File, at: u32, count: u32) -> Option<Vec<u8>> {
    if count > MAX_BYTES {
        return None;
    }
    file.seek(SeekFrom::Start(u64::from(at))).ok()?;
    let mut bytes = vec![0; count as usize];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(bytes: &[u8]) -> Option<Coverage> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Coverage::read(&mut file)
    }

    #[test]
    fn a_font_says_what_it_has() {
        let coverage = read(epaint_default_fonts::HACK_REGULAR).unwrap();
        for (letter, has) in [('a', true), ('é', true), ('∞', true), ('骨', false), ('\u{1f9b4}', false)]
        {
            assert_eq!(coverage.may_have(letter), has, "{letter}");
        }
    }

    #[test]
    fn a_broken_font_has_nothing() {
        let whole = epaint_default_fonts::HACK_REGULAR;
        assert!(read(&[]).is_none() && read(b"ttcf").is_none() && read(&whole[..300]).is_none());
        for at in 0..400 {
            let mut broken = whole.to_vec();
            broken[at] ^= 0xff;
            let _ = read(&broken);
        }
        let endless = Coverage::parse(
            &[
                &[0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0][..],
                &[0xff; 4],
                &[0, 0, 0, 65, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1],
            ]
            .concat(),
        );
        assert!(endless.may_have('骨') && !endless.may_have('!'));
    }
}
