//! Loads small files with sparse accessors: which accessor, how many elements, of what type and where they lie come from
//! the input.

#![no_main]

#[path = "../../crates/model/tests/common/file.rs"]
mod file;
#[path = "../../crates/model/tests/common/sound.rs"]
mod sound;

mod check;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;

/// What an accessor may be used for.
const USES: [&str; 12] = [
    "POSITION",
    "NORMAL",
    "TANGENT",
    "TEXCOORD_0",
    "COLOR_0",
    "JOINTS_0",
    "WEIGHTS_0",
    "indices",
    "target",
    "matrices",
    "input",
    "output",
];

/// The type and the component that go with each use.
const FITTING: [(&str, u32); 12] = [
    ("VEC3", 5126),
    ("VEC3", 5126),
    ("VEC4", 5126),
    ("VEC2", 5126),
    ("VEC4", 5121),
    ("VEC4", 5121),
    ("VEC4", 5126),
    ("SCALAR", 5123),
    ("VEC3", 5126),
    ("MAT4", 5126),
    ("SCALAR", 5126),
    ("VEC4", 5126),
];

/// The JSON and the bytes of a file.
#[derive(Debug)]
struct Case {
    json: String,
    binary: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let vertices = u.int_in_range(1..=9)?;
        let mut accessors = Vec::new();
        let mut used = Vec::new();
        // Positions always, each of the others in a quarter of all files.
        for (which, name) in USES.iter().enumerate() {
            if which == 0 || u.ratio(1, 4)? {
                used.push((*name, accessors.len()));
                accessors.push(accessor(u, FITTING[which], vertices)?);
            }
        }
        let mut views = Vec::new();
        for _ in 0..6 {
            let stride =
                if u.ratio(1, 4)? { format!(",\"byteStride\":{}", number(u, 16)?) } else { String::new() };
            let (offset, length) = (number(u, 12)?, number(u, 120)?);
            views.push(format!("{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}{stride}}}"));
        }
        let binary = u.bytes(u.len())?.to_vec();
        let json = document(&used, &accessors, &views, binary.len());
        Ok(Self { json, binary })
    }
}

/// A small number, rarely one at the limits.
fn number(u: &mut Unstructured<'_>, most: u64) -> Result<u64> {
    Ok(match u.int_in_range(0..=15_u8)? {
        0 => *u.choose(&[u64::MAX, u64::from(u32::MAX), 1 << 31, 1 << 32, 1 << 40, 1 << 63, 65_536])?,
        1 => u64::from(u.arbitrary::<u16>()?),
        _ => u.int_in_range(0..=most)?,
    })
}

fn accessor(u: &mut Unstructured<'_>, (kind, component): (&str, u32), vertices: u64) -> Result<String> {
    let odd = u.ratio(1, 8)?;
    let kind = if odd { *u.choose(&["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4", "MAT2"])? } else { kind };
    let component =
        if u.ratio(1, 8)? { *u.choose(&[5120, 5121, 5122, 5123, 5125, 5126])? } else { component };
    let count = if u.ratio(1, 8)? { number(u, 12)? } else { vertices };
    let mut json = format!("{{\"type\":\"{kind}\",\"componentType\":{component},\"count\":{count}");
    if u.arbitrary()? {
        json += &format!(",\"bufferView\":{},\"byteOffset\":{}", number(u, 5)?, number(u, 8)?);
    }
    if u.ratio(1, 4)? {
        json += ",\"normalized\":true";
    }
    if u.ratio(3, 4)? {
        let indices = *u.choose(&[5121, 5121, 5123, 5125, 5126])?;
        json += &format!(
            ",\"sparse\":{{\"count\":{},\"indices\":{{\"bufferView\":{},\"componentType\":{indices},\
             \"byteOffset\":{}}},\"values\":{{\"bufferView\":{},\"byteOffset\":{}}}}}",
            number(u, 4)?,
            number(u, 5)?,
            number(u, 4)?,
            number(u, 5)?,
            number(u, 4)?,
        );
    }
    Ok(json + "}")
}

fn document(used: &[(&str, usize)], accessors: &[String], views: &[String], bytes: usize) -> String {
    let find = |wanted: &str| used.iter().find(|(name, _)| *name == wanted).map(|(_, at)| *at);
    let attributes: Vec<String> = used
        .iter()
        .filter(|(name, _)| name.starts_with(char::is_uppercase))
        .map(|(name, at)| format!("\"{name}\":{at}"))
        .collect();
    let indices = find("indices").map_or(String::new(), |at| format!(",\"indices\":{at}"));
    let targets = find("target").map_or(String::new(), |at| format!(",\"targets\":[{{\"POSITION\":{at}}}]"));
    let matrices = find("matrices").map_or(String::new(), |at| format!(",\"inverseBindMatrices\":{at}"));
    let clip = find("input").zip(find("output")).map_or(String::new(), |(input, output)| {
        format!(
            ",\"animations\":[{{\"samplers\":[{{\"input\":{input},\"output\":{output}}}],\
             \"channels\":[{{\"sampler\":0,\"target\":{{\"node\":1,\"path\":\"rotation\"}}}}]}}]"
        )
    });
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{\"mesh\":0,\"skin\":0}},{{}},{{}}],\
         \"skins\":[{{\"joints\":[1,2]{matrices}}}],\"meshes\":[{{\"primitives\":[{{\"attributes\":{{{}}}\
         {indices}{targets}}}]}}]{clip},\"accessors\":[{}],\"bufferViews\":[{}],\
         \"buffers\":[{{\"byteLength\":{bytes}}}]}}",
        attributes.join(","),
        accessors.join(","),
        views.join(","),
    )
}

fuzz_target!(|case: Case| check::load(&file::glb(case.json.as_bytes(), &case.binary)));
