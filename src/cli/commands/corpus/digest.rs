//! Digests of files, which tell whether an asset has changed.

#![allow(clippy::disallowed_methods, reason = "reads files for their digests alone")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// The digests of files by their paths.
pub fn digests<'a>(files: impl IntoIterator<Item = &'a Path>) -> BTreeMap<String, String> {
    files.into_iter().map(|file| (file.to_string_lossy().into_owned(), digest(file))).collect()
}

/// Returns the digest of a file's bytes; empty for one that cannot be read.
pub fn digest(path: &Path) -> String {
    let hashed = || -> io::Result<String> {
        // A pipe would be waited for.
        if !path.metadata()?.is_file() {
            return Ok(String::new());
        }
        let mut file = File::open(path)?;
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            hash.update(buffer.get(..count).unwrap_or_default());
        }
        Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    };
    hashed().unwrap_or_default()
}
