//! Recognises files of other formats by their first bytes; file names are often wrong.

use std::fmt;

/// Kind of a file that is not glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// A model or a scene in another format.
    Model(&'static str),
    /// Another file type under a model's name, with advice.
    Other(&'static str),
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(_) if [USD, USDZ].contains(self) => {
                let (Self::Model(what) | Self::Other(what)) = self;
                write!(
                    f,
                    "{what}, which this build cannot read: wheels and archives of sinew can, and so can a build \
                     with 'cargo build --release --features usd'"
                )
            }
            Self::Model(what) => write!(
                f,
                "{what}; sinew reads glTF 2.0 (.gltf, .glb){}: export it as glTF, for example with Blender",
                match (cfg!(feature = "fbx"), cfg!(feature = "usd")) {
                    (false, false) => "",
                    (true, false) => ", FBX and OBJ",
                    (false, true) => " and USD",
                    (true, true) => ", FBX, OBJ and USD",
                }
            ),
            Self::Other(what) => f.write_str(what),
        }
    }
}

const UTF_16: Foreign = Foreign::Other("UTF-16 text, but glTF is UTF-8 (save it as UTF-8)");
const FBX: Foreign = Foreign::Model("an FBX file");
const BVH: Foreign = Foreign::Model("a BVH file");
const OBJ: Foreign = Foreign::Model("an OBJ file");
const USD: Foreign = Foreign::Model("a USD file");
const USDZ: Foreign = Foreign::Model("a USDZ file");
const PICTURE: &str = "an image, not a model (name the model that uses it)";

/// First bytes of files, by kind.
const STARTS: [(&[u8], Foreign); 30] = [
    (b"\xff\xfe\0\0", Foreign::Other("UTF-32 text, but glTF is UTF-8 (save it as UTF-8)")),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
    (b"{\0", UTF_16),
    (b"\0{", UTF_16),
    (b"Kaydara FBX", FBX),
    (b"; FBX", FBX),
    (b";FBX", FBX),
    (b"FBXHeaderExtension", FBX),
    (b"BLENDER", Foreign::Model("a Blender file")),
    (b"#usda", USD),
    (b"PXR-USDC", USD),
    (b"Ogawa", Foreign::Model("an Alembic file")),
    (b"//Maya ASCII", Foreign::Model("a Maya file")),
    (b"FOR4", Foreign::Model("a Maya file")),
    (b"FOR8", Foreign::Model("a Maya file")),
    (b"solid ", Foreign::Model("an STL file")),
    (b"ply\n", Foreign::Model("a PLY file")),
    (b"ply\r", Foreign::Model("a PLY file")),
    (b"HIERARCHY", BVH),
    (b"#VRML", Foreign::Model("a VRML file")),
    (b"xof 0", Foreign::Model("a DirectX file")),
    (b"\x1f\x8b", Foreign::Other("gzip-compressed data, not a model (unpack it first)")),
    (b"\x28\xb5\x2f\xfd", Foreign::Other("Zstandard-compressed data, not a model (Blender's files may be)")),
    (b"7z\xbc\xaf\x27\x1c", Foreign::Other("a 7-Zip archive, not a model (unpack it first)")),
    (b"Rar!\x1a\x07", Foreign::Other("a RAR archive, not a model (unpack it first)")),
    (b"\x89PNG\r\n", Foreign::Other(PICTURE)),
    (b"\xff\xd8\xff", Foreign::Other(PICTURE)),
    (b"GIF8", Foreign::Other(PICTURE)),
    (b"%PDF-", Foreign::Other("a PDF document, not a model")),
];

/// First characters of text formats, in any case and after any whitespace.
const TEXTS: [(&[u8], Foreign); 3] = [
    (
        b"version https://git-lfs",
        Foreign::Other("a Git LFS pointer, not the model itself (git lfs pull fetches it)"),
    ),
    (b"<!doctype html", Foreign::Other("an HTML page, not a model (a failed download?)")),
    (b"<html", Foreign::Other("an HTML page, not a model (a failed download?)")),
];

/// Root elements of XML formats.
const ELEMENTS: [(&[u8], Foreign); 3] = [
    (b"<COLLADA", Foreign::Model("a Collada file")),
    (b"<X3D", Foreign::Model("an X3D file")),
    (b"<svg", Foreign::Other(PICTURE)),
];

/// Prefixes of lines in an OBJ file.
const OBJ_LINES: [&[u8]; 9] = [b"v ", b"vn ", b"vt ", b"f ", b"o ", b"g ", b"s ", b"mtllib ", b"usemtl "];

/// Number of bytes to check if the first ones do not decide.
const LOOK_BYTES: usize = 4096;

/// Detects the kind of the bytes; `None` if they may be glTF.
pub fn of(bytes: &[u8]) -> Option<Foreign> {
    if let Some((_, found)) = STARTS.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(*found);
    }
    if let Some(archive) = bytes.strip_prefix(b"PK\x03\x04") {
        return Some(zip(archive));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some(Foreign::Other(PICTURE));
    }
    let look = bytes.get(..LOOK_BYTES).unwrap_or(bytes);
    let text = look.strip_prefix(b"\xef\xbb\xbf").unwrap_or(look).trim_ascii_start();
    let starts = |start: &[u8]| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start));
    if let Some((_, found)) = TEXTS.iter().find(|(start, _)| starts(start)) {
        return Some(*found);
    }
    if starts(b"<") {
        let has = |element: &[u8]| text.windows(element.len()).any(|part| part == element);
        let found = ELEMENTS.iter().find(|(element, _)| has(element)).map(|(_, found)| *found);
        return Some(found.unwrap_or(Foreign::Other("XML or HTML text, not a model")));
    }
    is_obj(text).then_some(OBJ)
}

/// Returns true if `ufbx` reads files of this kind.
#[cfg(feature = "fbx")]
pub fn is_fbx_or_obj(bytes: &[u8]) -> bool {
    matches!(of(bytes), Some(found) if found == FBX || found == OBJ)
}

/// Returns true for BVH files.
pub fn is_bvh(bytes: &[u8]) -> bool {
    of(bytes) == Some(BVH)
}

/// Returns true for USD files of any kind.
#[cfg(feature = "usd")]
pub fn is_usd(bytes: &[u8]) -> bool {
    matches!(of(bytes), Some(found) if found == USD || found == USDZ)
}

/// Detects a USDZ file, an archive whose first file is USD; `archive` follows the signature.
fn zip(archive: &[u8]) -> Foreign {
    let length = archive
        .get(22..24)
        .and_then(|length| length.first_chunk())
        .map_or(0, |length| usize::from(u16::from_le_bytes(*length)));
    let name = archive.get(26..).and_then(|rest| rest.get(..length)).unwrap_or_default();
    let is_usd = [&b".usd"[..], b".usda", b".usdc"].iter().any(|ending| name.ends_with(ending));
    match is_usd {
        true => USDZ,
        false => Foreign::Other("a ZIP archive, not a model (unpack it first)"),
    }
}

/// Returns true if the first line that is not a comment belongs to an OBJ file.
fn is_obj(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    first.is_some_and(|line| OBJ_LINES.iter().any(|start| line.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_called_by_their_names() {
        let utf16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let zip = |name: &[u8]| [b"PK\x03\x04", &[0; 22][..], &[name.len() as u8, 0, 0, 0], name].concat();
        for (bytes, name) in [
            (&b"<!DOCTYPE html>\n<html></html>"[..], "an HTML page"),
            (b"\r\n <HTML lang='en'>", "an HTML page"),
            (b"<?xml version='1.0'?>", "XML or HTML"),
            (b"<?xml version='1.0'?>\n<COLLADA version='1.4.1'>", "a Collada file; "),
            (b"\xef\xbb\xbf<?xml version='1.0'?><X3D>", "an X3D file; "),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d", "a Git LFS pointer"),
            (b"\xff\xfe{\0", "UTF-16"),
            (b"\xfe\xff\0{", "UTF-16"),
            (&utf16, "UTF-16"),
            (b"\xff\xfe\0\0{\0\0\0", "UTF-32"),
            (b"\x1f\x8b\x08", "gzip"),
            (&zip(b"a.gltf"), "a ZIP archive"),
            (&zip(b"a.usdc"), "a USDZ file, which this build cannot"),
            (b"PK\x03\x04", "a ZIP archive"),
            (b"Kaydara FBX Binary  \0\x1a\0", "an FBX file; "),
            (b"; FBX 7.5.0 project file", "an FBX file; "),
            (b"BLENDER-v279", "a Blender file; "),
            (b"#usda 1.0", "a USD file, which this build cannot"),
            (b"# made by hand\n\nmtllib a.mtl\n", "an OBJ file; "),
            (b"v 1 2 3\n", "an OBJ file; "),
            (b"ply\nformat ascii 1.0", "a PLY file; "),
            (b"\x89PNG\r\n\x1a\n", "an image"),
            (b"\xff\xd8\xff\xe0", "an image"),
            (b"RIFF\0\0\0\0WEBPVP8 ", "an image"),
        ] {
            let text = of(bytes).unwrap().to_string();
            assert!(text.starts_with(name), "{text}");
        }
        let text = of(b"BLENDER").unwrap().to_string();
        let others = match (cfg!(feature = "fbx"), cfg!(feature = "usd")) {
            (false, false) => "",
            (true, false) => ", FBX and OBJ",
            (false, true) => " and USD",
            (true, true) => ", FBX, OBJ and USD",
        };
        assert_eq!(
            text,
            format!(
                "a Blender file; sinew reads glTF 2.0 (.gltf, .glb){others}: export it as glTF, for example with Blender"
            )
        );
    }

    #[test]
    fn what_may_be_gltf_is_nothing_else() {
        for bytes in [&b"{}"[..], b" {}", b"\xef\xbb\xbf{}", b"glTF\x02\0\0\0", b"", b"null", b"# x", b"v"] {
            assert_eq!(of(bytes), None);
        }
    }
}
