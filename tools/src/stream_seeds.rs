//! Seeds of the fuzz targets of compressed meshes: the streams of the loader's tests, which other encoders made.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

fn cases(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn bytes(case: &Value, field: &str) -> Vec<u8> {
    STANDARD.decode(case[field].as_str().unwrap()).unwrap()
}

fn name(case: &Value) -> String {
    case["name"].as_str().unwrap().replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

/// A byte that says how the file describes the stream, and the stream.
pub fn draco() -> Vec<(String, Vec<u8>)> {
    let cases = cases(include_str!("../../crates/model/tests/data/draco.json"));
    cases.iter().map(|case| (name(case), [&[0], &bytes(case, "stream")[..]].concat())).collect()
}

/// Six bytes that say how the view is compressed (mode, filter, count, stride, the name of the extension), and the stream.
pub fn meshopt() -> Vec<(String, Vec<u8>)> {
    let cases = cases(include_str!("../../crates/model/tests/data/meshopt.json"));
    let place = |list: &[&str], word: &Value| list.iter().position(|known| word == known).unwrap() as u8;
    let seed = |(number, case): (usize, &Value)| {
        let mode = place(&["ATTRIBUTES", "TRIANGLES", "INDICES"], &case["mode"]);
        let filter = place(&["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"], &case["filter"]);
        let [count, stride] = ["count", "stride"].map(|field| case[field].as_u64().unwrap() as u16);
        let [low, high] = count.to_le_bytes();
        let more = (stride >> 8) as u8 | ((number % 2) as u8) << 1;
        let head = [mode, filter, low, high, stride as u8, more];
        (format!("{number}-{}", name(case)), [&head[..], &bytes(case, "encoded")].concat())
    };
    cases.iter().enumerate().map(seed).collect()
}
