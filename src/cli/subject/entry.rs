//! Entries of the user's cache for what takes a while to find: their limits, their names, and the key of a surface.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::cli::machine::kept;
use crate::model::Primitive;

/// The maximum number of entries, and the most bytes of all together.
pub const MAX_ENTRIES: usize = 64;
pub const MAX_BYTES: u64 = 256 << 20;

/// The shortest computation whose result is cached.
pub const WORTH_KEEPING: Duration = Duration::from_millis(100);

/// Adds the surface and the weights of a primitive to a digest.
pub fn add_primitive(digest: &mut Sha256, primitive: &Primitive) {
    let spans = primitive.influences.as_ref().map_or(&[][..], |influences| &influences.spans);
    let topology = primitive.topology as usize;
    for length in [topology, primitive.positions.len(), primitive.indices.len(), spans.len()] {
        digest.update((length as u64).to_le_bytes());
    }
    digest.update(bytemuck::cast_slice::<_, u8>(&primitive.positions));
    digest.update(bytemuck::cast_slice::<_, u8>(&primitive.indices));
    for span in spans {
        digest.update(bytemuck::cast_slice::<_, u8>(&span.joints));
        digest.update(bytemuck::cast_slice::<_, u8>(&span.weights));
    }
}

/// Removes the oldest entries of a kind beside a new one where there are too many.
pub fn tidy(file: &Path, prefix: &str) {
    let is_entry = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(prefix) && name.ends_with(".bin")
    };
    if let Some(folder) = file.parent() {
        kept::tidy(folder, is_entry, [MAX_ENTRIES as u64, MAX_BYTES], Some(file));
    }
}

/// Returns the start of a key as a part of a file's name.
pub fn hex(key: &[u8; 32]) -> String {
    key.iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
