//! Files in a `.usdz` archive. They are stored as they are, so nothing can unpack to more than the archive's size.

/// Signatures of the records of an archive.
const END: &[u8] = b"PK\x05\x06";
const ENTRY: &[u8] = b"PK\x01\x02";
const FILE: &[u8] = b"PK\x03\x04";

/// Bytes of the last record without its comment, which may have 65,535.
const END_BYTES: usize = 22;

/// The files of an archive, in its order; `None` if it is broken, or if files overlap. Compressed and encrypted files are left
/// out.
pub fn entries(archive: &[u8]) -> Option<Vec<(&str, &[u8])>> {
    let first = archive.len().saturating_sub(END_BYTES.saturating_add(usize::from(u16::MAX)));
    let tail = archive.get(first..)?;
    let end = tail.windows(END.len()).rposition(|part| part == END)?;
    let end = tail.get(end..)?;
    let count = u16_at(end, 10)?;
    let mut directory = archive.get(u32_at(end, 16)?..)?;
    let mut found = Vec::new();
    let mut left = archive.len();
    for _ in 0..count {
        if !directory.starts_with(ENTRY) {
            return None;
        }
        let [flags, method] = [u16_at(directory, 8)?, u16_at(directory, 10)?];
        let [packed, size] = [u32_at(directory, 20)?, u32_at(directory, 24)?];
        let [name, extra, comment] = [u16_at(directory, 28)?, u16_at(directory, 30)?, u16_at(directory, 32)?];
        let start = u32_at(directory, 42)?;
        let name_bytes = directory.get(46..)?.get(..name)?;
        directory = directory.get(46..)?.get(name..)?.get(extra..)?.get(comment..)?;
        if method != 0 || flags & 1 != 0 || packed != size {
            continue;
        }
        let local = archive.get(start..).filter(|local| local.starts_with(FILE))?;
        let data = local.get(30..)?.get(u16_at(local, 26)?..)?.get(u16_at(local, 28)?..)?.get(..size)?;
        left = left.checked_sub(size)?;
        if let Ok(name) = std::str::from_utf8(name_bytes) {
            found.push((name, data));
        }
    }
    Some(found)
}

/// The file of a name.
pub fn entry<'a>(archive: &'a [u8], name: &str) -> Option<&'a [u8]> {
    entries(archive)?.into_iter().find(|(own, _)| *own == name).map(|(_, data)| data)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|bytes| usize::from(u16::from_le_bytes(*bytes)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize)
}
