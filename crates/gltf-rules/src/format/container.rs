//! The GLB container: the ranges of the JSON and the binary chunk in a file's bytes.
//! It must not depend on what is in either.

use std::borrow::Cow;

use super::container_error::ContainerError;

/// The two parts of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Container<'a> {
    /// The JSON text.
    pub json: &'a [u8],
    /// True if the file is a GLB.
    pub is_glb: bool,
    /// The binary chunk of a GLB that has one.
    pub binary: Option<&'a [u8]>,
    /// Rules that the container breaks without harm, each once.
    pub faults: Vec<Fault>,
}

/// A rule that a container breaks without harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The rule, by the Khronos glTF validator's name.
    pub code: &'static str,
    /// The first finding.
    pub message: String,
    /// Number of further findings of the same rule.
    pub more: usize,
}

impl Fault {
    /// Formats the finding and the number of further ones.
    pub fn text(&self) -> Cow<'_, str> {
        match self.more {
            0 => Cow::Borrowed(&self.message),
            more => Cow::Owned(format!("{} (and {more} more)", self.message)),
        }
    }
}

const MAGIC: &[u8; 4] = b"glTF";
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";

/// Finds the JSON and the binary chunk; bytes without the GLB magic are all JSON.
pub fn split(bytes: &[u8]) -> Result<Container<'_>, ContainerError> {
    if bytes.is_empty() {
        return Err(ContainerError::Empty);
    }
    if bytes.starts_with(MAGIC) {
        return split_glb(bytes);
    }
    Ok(Container { json: without_bom(bytes), is_glb: false, binary: None, faults: bom_fault(bytes) })
}

fn split_glb(bytes: &[u8]) -> Result<Container<'_>, ContainerError> {
    let mut rest = body(bytes)?;
    let mut chunks = Chunks::default();
    while let Some((header, after)) = rest.split_first_chunk::<8>() {
        let [l0, l1, l2, l3, kind @ ..] = *header;
        let claimed = u32::from_le_bytes([l0, l1, l2, l3]);
        let Some((data, next)) = after.split_at_checked(claimed as usize) else {
            return Err(ContainerError::ChunkCut { chunk: chunks.count, claimed, actual: after.len() });
        };
        chunks.add(kind, data)?;
        // Chunks start on multiples of four, which some writers forget to count.
        rest = next;
    }
    let Chunks { json, binary, mut faults, .. } = chunks;
    if !rest.is_empty() {
        // Fewer bytes than a chunk's header hold nothing.
        let message = || format!("{} bytes after the last GLB chunk are not a chunk", rest.len());
        note(&mut faults, "GLB_UNEXPECTED_END_OF_CHUNK_HEADER", message);
    }
    match json {
        Some(json) => {
            faults.extend(bom_fault(json));
            Ok(Container { json: without_padding(json), is_glb: true, binary, faults })
        }
        None => Err(ContainerError::NoJson),
    }
}

/// The chunks of a GLB, after its header.
fn body(bytes: &[u8]) -> Result<&[u8], ContainerError> {
    let Some((header, _)) = bytes.split_first_chunk::<12>() else {
        return Err(ContainerError::HeaderCut(bytes.len()));
    };
    let [_, _, _, _, v0, v1, v2, v3, l0, l1, l2, l3] = *header;
    let version = u32::from_le_bytes([v0, v1, v2, v3]);
    let claimed = u32::from_le_bytes([l0, l1, l2, l3]);
    if version != 2 {
        return Err(ContainerError::Version(version));
    }
    // Bytes behind the claimed length are no part of the container and are left alone.
    bytes.get(12..claimed as usize).ok_or(ContainerError::Length { claimed, actual: bytes.len() })
}

/// The chunks of a GLB so far.
#[derive(Default)]
struct Chunks<'a> {
    count: usize,
    json: Option<&'a [u8]>,
    binary: Option<&'a [u8]>,
    faults: Vec<Fault>,
}

impl<'a> Chunks<'a> {
    fn add(&mut self, kind: [u8; 4], data: &'a [u8]) -> Result<(), ContainerError> {
        let chunk = self.count;
        let mut fault = |code, what| note(&mut self.faults, code, || format!("GLB chunk {chunk} {what}"));
        if !data.len().is_multiple_of(4) {
            fault("GLB_CHUNK_LENGTH_UNALIGNED", "has a length that is not a multiple of four");
        }
        match (chunk, kind) {
            (0, JSON) if data.is_empty() => fault("GLB_EMPTY_CHUNK", "is empty"),
            (_, JSON) if chunk > 0 => fault("GLB_DUPLICATE_CHUNK", "is JSON again and was left out"),
            (2.., BIN) if self.binary.is_some() => {
                fault("GLB_DUPLICATE_CHUNK", "is binary again and was left out")
            }
            (2.., BIN) => fault("GLB_UNEXPECTED_BIN_CHUNK", "is binary, but not the second; it was left out"),
            (0, JSON) => self.json = Some(data),
            (0, _) => return Err(ContainerError::NoJson),
            // The format allows the binary chunk in second place only; others are extensions.
            (1, BIN) => self.binary = Some(data),
            _ => {}
        }
        self.count = chunk.saturating_add(1);
        Ok(())
    }
}

/// Notes a fault. Those that break a rule again are only counted: a file may have millions of chunks.
fn note(faults: &mut Vec<Fault>, code: &'static str, message: impl FnOnce() -> String) {
    match faults.iter_mut().find(|known| known.code == code) {
        Some(known) => known.more = known.more.saturating_add(1),
        None => faults.push(Fault { code, message: message(), more: 0 }),
    }
}

/// A byte order mark is not JSON, but editors write it.
fn without_bom(json: &[u8]) -> &[u8] {
    json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json)
}

/// Returns the fault for a byte order mark.
fn bom_fault(json: &[u8]) -> Vec<Fault> {
    let message = "the text starts with a byte order mark, which was left out".to_owned();
    let has_bom = without_bom(json).len() < json.len();
    has_bom.then_some(Fault { code: "INVALID_JSON", message, more: 0 }).into_iter().collect()
}

/// JSON chunks are padded with spaces; some writers pad with zeros instead.
fn without_padding(json: &[u8]) -> &[u8] {
    let mut json = without_bom(json);
    while let Some(rest) = json.strip_suffix(b"\0") {
        json = rest;
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(version: u32, length: Option<u32>, chunks: &[(&[u8; 4], u32, &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, claimed, data) in chunks {
            body.extend(claimed.to_le_bytes());
            body.extend(*kind);
            body.extend(*data);
        }
        let mut out = MAGIC.to_vec();
        out.extend(version.to_le_bytes());
        out.extend(length.unwrap_or(12 + body.len() as u32).to_le_bytes());
        out.extend(body);
        out
    }

    #[test]
    fn takes_a_glb_apart() {
        let bytes = glb(2, None, &[(b"JSON", 4, b"{}\0\0"), (b"BIN\0", 4, &[1, 2, 3, 4])]);
        assert_eq!(
            split(&bytes),
            Ok(Container { json: b"{}", is_glb: true, binary: Some(&[1, 2, 3, 4]), faults: vec![] })
        );
    }

    #[test]
    fn plain_json_is_left_whole() {
        for bytes in [b"\xef\xbb\xbf{}".to_vec(), glb(2, None, &[(b"JSON", 8, b"\xef\xbb\xbf{}   ")])] {
            let Container { json, faults, .. } = split(&bytes).unwrap();
            assert_eq!((json.trim_ascii(), faults.len(), faults[0].code), (&b"{}"[..], 1, "INVALID_JSON"));
        }
        assert_eq!(split(b""), Err(ContainerError::Empty));
    }

    #[test]
    fn unknown_chunks_are_skipped_and_trailing_bytes_ignored() {
        let mut bytes = glb(2, None, &[(b"JSON", 2, b"{}"), (b"BIN\0", 0, b""), (b"XXXX", 3, b"abc")]);
        bytes.extend([0; 5]);
        let whole = |bytes: &[u8]| {
            let Container { json, binary, faults, .. } = split(bytes).unwrap();
            assert_eq!((json.trim_ascii(), binary), (&b"{}"[..], Some(&[][..])));
            faults.into_iter().map(|fault| fault.code).collect::<Vec<_>>()
        };
        assert_eq!(whole(&bytes), ["GLB_CHUNK_LENGTH_UNALIGNED"]);
        let bytes = glb(2, None, &[(b"JSON", 4, b"{}  "), (b"BIN\0", 0, b""), (b"BIN\0", 4, b"abcd")]);
        assert_eq!(whole(&bytes), ["GLB_DUPLICATE_CHUNK"]);
        let bytes = glb(2, None, &[(b"JSON", 4, b"{}  "), (b"BIN\0", 0, b""), (b"JSON", 0, b"")]);
        assert_eq!(whole(&bytes), ["GLB_DUPLICATE_CHUNK"]);
        let mut bytes = glb(2, Some(12 + 12 + 8 + 5), &[(b"JSON", 4, b"{}  "), (b"BIN\0", 0, b"")]);
        bytes.extend([0; 5]);
        assert_eq!(whole(&bytes), ["GLB_UNEXPECTED_END_OF_CHUNK_HEADER"]);
    }

    #[test]
    fn of_many_faulty_chunks_the_first_is_told_and_the_others_are_counted() {
        let mut chunks: Vec<(&[u8; 4], u32, &[u8])> = vec![(b"JSON", 2, b"{}")];
        chunks.resize(100_001, (b"JSON", 1, b" "));
        let bytes = glb(2, None, &chunks);
        let Container { json, faults, .. } = split(&bytes).unwrap();
        let said: Vec<_> = faults.iter().map(|fault| (fault.code, fault.text())).collect();
        assert_eq!(json, b"{}");
        assert_eq!(
            said,
            [
                (
                    "GLB_CHUNK_LENGTH_UNALIGNED",
                    "GLB chunk 0 has a length that is not a multiple of four (and 100000 more)".into()
                ),
                ("GLB_DUPLICATE_CHUNK", "GLB chunk 1 is JSON again and was left out (and 99999 more)".into()),
            ]
        );
    }

    #[test]
    fn lying_headers_are_refused() {
        assert_eq!(split(b"glTF\x02\0\0\0"), Err(ContainerError::HeaderCut(8)));
        assert_eq!(split(&glb(1, None, &[])), Err(ContainerError::Version(1)));
        assert!(ContainerError::Version(1).to_string().contains("glTF 1.0"));
        for claimed in [0, 11, 13, u32::MAX] {
            let bytes = glb(2, Some(claimed), &[]);
            assert_eq!(split(&bytes), Err(ContainerError::Length { claimed, actual: 12 }));
        }
        assert_eq!(split(&glb(2, None, &[])), Err(ContainerError::NoJson));
        assert_eq!(split(&glb(2, None, &[(b"BIN\0", 0, b"")])), Err(ContainerError::NoJson));
        let bytes = glb(2, None, &[(b"JSON", u32::MAX, b"{}")]);
        assert_eq!(split(&bytes), Err(ContainerError::ChunkCut { chunk: 0, claimed: u32::MAX, actual: 2 }));
    }
}
