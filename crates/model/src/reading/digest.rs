//! Computes the SHA-256 of files, so that a picture can name its inputs.

use sha2::{Digest, Sha256};

/// The SHA-256 of bytes as 64 hexadecimal digits, as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Computes one digest for a set of files: of `sha256sum`'s output for them, in order of their names. `None` if there
/// are none.
pub fn sha256_of_files(mut files: Vec<(String, String)>) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    files.sort();
    files.dedup();
    let list: String = files.iter().map(|(name, sha256)| format!("{sha256}  {name}\n")).collect();
    Some(sha256(list.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the examples of FIPS 180-4, and the output of coreutils for a list.
    #[test]
    fn digests_are_those_of_sha256sum() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(sha256_of_files(Vec::new()), None);
        let file = |name: &str, bytes: &[u8]| (name.to_owned(), sha256(bytes));
        let both = sha256_of_files(vec![file("b.bin", b"abc"), file("a.png", b""), file("b.bin", b"abc")]);
        assert_eq!(both.as_deref(), Some("bc99cb78cd322d2d2b03cc997390d3876dd360b332659c3ee8eae73a6d724c37"));
    }
}
