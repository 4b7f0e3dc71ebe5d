//! Divides a list of models among machines, by their paths alone.

use std::fmt;
use std::str::FromStr;

/// One machine's share of a list: `3/8` is the third of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this share, from 1.
    pub number: u32,
    /// The number of shares.
    pub of: u32,
}

/// Text that is not a share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a share such as 3/8, the third of eight; found '{given}'")]
pub struct NoShard {
    /// The text.
    pub given: String,
}

impl Shard {
    /// Returns true if a path belongs to the share.
    pub fn has(&self, path: &str) -> bool {
        shard_of(path, self.of) == self.number
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(given: &str) -> Result<Self, NoShard> {
        // `parse` would accept a sign.
        let number =
            |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let found = given.split_once('/').and_then(|(number_text, of)| {
            let shard = Self { number: number(number_text)?, of: number(of)? };
            (1..=shard.of).contains(&shard.number).then_some(shard)
        });
        found.ok_or_else(|| NoShard { given: given.to_owned() })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Returns the share of a path, from 1: the same on all machines. With `of` at most 1, all belong to the first.
///
/// It is the FNV-1a hash of the path's bytes (Fowler, Noll and Vo), with its bits mixed as in MurmurHash3 (Appleby). Without
/// the mixing, its last bits depend on the last bits of each byte only.
pub fn shard_of(path: &str, of: u32) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in path.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^= hash >> 33;
    (hash % u64::from(of.max(1))) as u32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_same_everywhere_complete_and_even() {
        let paths: Vec<String> = (0..8000).map(|number| format!("models/{number:04}.glb")).collect();
        for of in [1, 2, 3, 8] {
            let shards: Vec<Shard> = (1..=of).map(|number| Shard { number, of }).collect();
            let mut counts = vec![0; of as usize];
            for path in &paths {
                let mine: Vec<&Shard> = shards.iter().filter(|shard| shard.has(path)).collect();
                assert_eq!(mine.len(), 1, "{path}");
                counts[mine[0].number as usize - 1] += 1;
            }
            let even = 8000 / of;
            assert!(counts.iter().all(|&count: &u32| count.abs_diff(even) < even / 5), "{counts:?}");
        }
        assert_eq!(shard_of("", 0), 1);
        for (path, eighth, thousandth) in [("", 7, 343), ("fox.glb", 3, 595), ("models/figur ü.gltf", 5, 541)]
        {
            assert_eq!((shard_of(path, 8), shard_of(path, 1000)), (eighth, thousandth), "{path}");
        }
    }

    #[test]
    fn shares_are_read_and_written() {
        let shard: Shard = "3/8".parse().unwrap();
        assert_eq!((shard.number, shard.of, shard.to_string().as_str()), (3, 8, "3/8"));
        for wrong in ["", "3", "0/8", "9/8", "3/0", "-1/8", "+1/8", "1/8/2", "a/b", "1/99999999999"] {
            let error = wrong.parse::<Shard>().unwrap_err();
            assert!(error.to_string().contains(wrong) && error.to_string().contains("3/8"), "{error}");
        }
    }
}
