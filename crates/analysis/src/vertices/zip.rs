//! The members of a zip archive, stored or deflated, with their checksums.

use std::borrow::Cow;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::ReadError;
use super::budget::Budget;
use super::bytes::Bytes;

/// Size of the record at the end, without its comment.
const END: usize = 22;

/// The longest comment, and the number that stands for one in an extension for large archives.
const MAX_COMMENT: usize = 0xffff;

/// Memory of a byte of content: unpacked, and twice as doubles, of which a half float fills four bytes per byte.
const PER_BYTE: u64 = 9;

/// An archive.
pub struct Archive<'a> {
    bytes: &'a [u8],
    /// The members in the order of the directory.
    pub members: Vec<Member>,
}

/// A member of an archive.
#[derive(Debug)]
pub struct Member {
    /// The name, of any length.
    pub name: String,
    is_encrypted: bool,
    method: u16,
    crc: u32,
    packed: usize,
    size: usize,
    /// The position of the header in front of the content.
    start: usize,
}

impl<'a> Archive<'a> {
    /// Reads the directory.
    pub fn of(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let broken = |message: &str| ReadError::broken("", message);
        let end = end_of(bytes)
            .ok_or_else(|| broken("no zip archive, or one that is cut off: its directory is missing"))?;
        let mut end = Bytes(end);
        let mut fields = || {
            end.take(4)?;
            let disks = [end.u16()?, end.u16()?];
            // Members of this disk, and the directory's size.
            end.take(2)?;
            let count = end.u16()?;
            end.take(4)?;
            Some((disks, count, end.u32()?))
        };
        let (disks, count, start) = fields().ok_or_else(|| broken("the archive's last record is cut off"))?;
        if disks != [0, 0] || count == u16::MAX || start == u32::MAX {
            let message = "an archive of several parts, or one in the zip64 format";
            return Err(ReadError::unsupported("", message, "save less than 4 GiB by np.savez"));
        }
        let directory = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
        let mut directory =
            Bytes(directory.ok_or_else(|| broken("the archive's directory lies beyond its end"))?);
        let members = (0..count).map(|number| {
            let place = format!("member {number}");
            member(&mut directory)
                .ok_or_else(|| ReadError::broken(place, "its entry in the directory is damaged"))
        });
        Ok(Self { bytes, members: members.collect::<Result<_, _>>()? })
    }

    /// Returns the content of a member, after counting its memory.
    pub fn content(&self, member: &Member, budget: &mut Budget) -> Result<Cow<'a, [u8]>, ReadError> {
        let name = member.name.as_str();
        if member.is_encrypted {
            return Err(ReadError::unsupported(name, "is encrypted", "save the archive without a password"));
        }
        if [member.packed, member.size, member.start].contains(&(u32::MAX as usize)) {
            return Err(ReadError::unsupported(
                name,
                "is in the zip64 format",
                "save less than 4 GiB by np.savez",
            ));
        }
        let packed =
            self.packed(member).ok_or_else(|| ReadError::cut(name, Some(member.packed), self.bytes.len()))?;
        budget.charge(name, member.size as u64, PER_BYTE)?;
        let content = match member.method {
            0 => Cow::Borrowed(packed),
            8 => {
                let inflated = decompress_to_vec_with_limit(packed, member.size);
                Cow::Owned(
                    inflated
                        .map_err(|error| ReadError::broken(name, format!("cannot be unpacked: {error}")))?,
                )
            }
            method => {
                let message = format!("is compressed by method {method}");
                return Err(ReadError::unsupported(name, message, "use np.savez or np.savez_compressed"));
            }
        };
        if content.len() != member.size {
            let message = format!("has {} bytes, but its entry says {}", content.len(), member.size);
            return Err(ReadError::broken(name, message));
        }
        if crc32fast::hash(&content) != member.crc {
            return Err(ReadError::broken(name, "its checksum does not match: the file is damaged"));
        }
        Ok(content)
    }

    /// Returns the bytes behind a member's own header, whose name and extra field may differ from the directory's.
    fn packed(&self, member: &Member) -> Option<&'a [u8]> {
        let mut header = Bytes(self.bytes.get(member.start..)?);
        header.take(4).filter(|magic| magic == b"PK\x03\x04")?;
        header.take(22)?;
        let lengths = [header.u16()?, header.u16()?];
        for length in lengths {
            header.take(usize::from(length))?;
        }
        header.take(member.packed)
    }
}

/// Returns the last record, which nothing but its comment follows.
fn end_of(bytes: &[u8]) -> Option<&[u8]> {
    let last = bytes.len().checked_sub(END)?;
    (last.saturating_sub(MAX_COMMENT)..=last).rev().map(|start| bytes.get(start..)).find_map(|record| {
        let comment = record?.get(20..END)?.try_into().ok().map(u16::from_le_bytes)?;
        let fits = record?.len().checked_sub(END) == Some(usize::from(comment));
        record.filter(|record| fits && record.starts_with(b"PK\x05\x06"))
    })
}

/// Takes an entry of the directory.
fn member(directory: &mut Bytes<'_>) -> Option<Member> {
    directory.take(4).filter(|magic| magic == b"PK\x01\x02")?;
    // Versions; a version does not tell whether it is needed.
    directory.take(4)?;
    let (flags, method) = (directory.u16()?, directory.u16()?);
    // Time and date.
    directory.take(4)?;
    let (crc, packed, size) = (directory.u32()?, directory.size()?, directory.size()?);
    let lengths = [directory.u16()?, directory.u16()?, directory.u16()?].map(usize::from);
    // Disk and attributes.
    directory.take(8)?;
    let start = directory.size()?;
    let [name, extra, comment] = lengths;
    let name = String::from_utf8_lossy(directory.take(name)?).into_owned();
    directory.take(extra.checked_add(comment)?)?;
    Some(Member { name, is_encrypted: flags & 1 != 0, method, crc, packed, size, start })
}
