//! Reads bytes as a picture: a texture (PNG, JPEG, WebP, KTX2, TGA), an environment (Radiance), and, as a file, what `diff` compares
//! and the notes that `show` prints.

#![no_main]

#[path = "../../tests/hostile/breaking.rs"]
mod breaking;

mod lines;

use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use sinew::cli::trial::run;
use sinew::environment::open_radiance;
use sinew::model::decoding::{Format, Limits};

/// Larger pictures take too long, and nothing new happens in them.
const LIMITS: Limits = Limits { side: 1 << 12, bytes: 1 << 20 };

/// Where the bytes become a file.
fn place() -> &'static PathBuf {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    PLACE.get_or_init(|| {
        let memory = PathBuf::from("/dev/shm");
        let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
        folder.join(format!("sinew-fuzz-{}", std::process::id()))
    })
}

fn texture(bytes: &[u8], format: Format) {
    let seen = format.look(bytes, LIMITS);
    match format.decode(bytes, LIMITS) {
        Ok(pixels) => {
            let layout = seen.expect("what can be decoded has a header");
            assert_eq!(layout, pixels.layout);
            let count = layout.width as usize * layout.height as usize;
            assert_eq!(pixels.into_rgba().len(), count * 4);
        }
        Err(error) => lines::assert_one(&error.to_string()),
    }
}

/// What the program prints of it.
fn printed(words: &[&str]) {
    match run(words) {
        Ok(printed) => assert!(!printed.is_empty() && printed.ends_with(b"\n")),
        Err((code, error)) => {
            assert!(matches!(code, 1 | 6), "{code}: {error}");
            lines::assert_one(&error);
        }
    }
}

fn light(bytes: &[u8]) {
    let packed = match open_radiance(bytes) {
        Ok(packed) => packed,
        Err(error) => return lines::assert_one(&error.to_string()),
    };
    let [width, height] = packed.size;
    if width * height > 1 << 18 {
        return;
    }
    let mut rows = 0;
    let read = packed.rows(|number, row| {
        assert!(number == rows && row.len() == width);
        assert!(row.iter().flatten().all(|light| light.is_finite() && *light >= 0.0));
        rows += 1;
    });
    match read {
        Ok(()) => assert_eq!(rows, height),
        Err(error) => lines::assert_one(&error.to_string()),
    }
}

fuzz_target!(|bytes: &[u8]| {
    if bytes.starts_with(b"#?") {
        return light(bytes);
    }
    let Some(format) = Format::of(bytes) else { return };
    texture(bytes, format);
    // The command line takes longer than all else.
    if bytes.len() % 8 != 0 {
        return;
    }
    std::fs::write(place(), bytes).expect("a file can be written");
    let path = place().to_str().expect("a plain path");
    printed(&["show", path]);
    let is_small = |layout: sinew::model::decoding::Layout| {
        u64::from(layout.width) * u64::from(layout.height) <= 1 << 12
    };
    if format.look(bytes, LIMITS).is_ok_and(is_small) {
        printed(&["diff", path, path]);
    }
});
