//! Thousands of small files, each broken at random but the same on every run: none may panic, and
//! each that loads must be sound.

use sinew::model::gltf::load_bytes;

use crate::character::{Character, glb};
use crate::sound::assert_sound;

/// Rounds of each kind, more where `SINEW_MUTATIONS` says so.
fn rounds() -> u64 {
    std::env::var("SINEW_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2000)
}

/// Numbers that look random (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            4 => bytes[at..end].fill([0, 0xff, b'9', 0x7f][random.below(4)]),
            _ => {
                if random.below(8) == 0 {
                    bytes.truncate(at.max(1));
                }
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Replaces one of the numbers in a text.
fn replace_number(text: &str, random: &mut Random) -> String {
    const NUMBERS: [&str; 16] = [
        "0",
        "1",
        "2",
        "3",
        "5",
        "7",
        "11",
        "64",
        "5120",
        "5123",
        "5125",
        "5126",
        "-1",
        "4294967296",
        "1e39",
        "18446744073709551615",
    ];
    let starts: Vec<usize> = text
        .char_indices()
        .filter(|(at, c)| {
            c.is_ascii_digit() && !text[..*at].ends_with(|c: char| c.is_ascii_digit() || c == '_')
        })
        .map(|(at, _)| at)
        .collect();
    let start = starts[random.below(starts.len())];
    let length = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(1);
    format!("{}{}{}", &text[..start], NUMBERS[random.below(NUMBERS.len())], &text[start + length..])
}

/// Loads bytes that may be broken; says whether they loaded.
fn load_any(bytes: &[u8]) -> bool {
    match load_bytes(bytes, None) {
        Ok(model) => {
            assert_sound(&model);
            true
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
            false
        }
    }
}

#[test]
fn broken_bytes_do_no_harm() {
    let whole = Character::new().glb();
    for seed in 1..=rounds() {
        let mut bytes = whole.clone();
        mutate(&mut bytes, &mut Random::new(seed));
        load_any(&bytes);
    }
}

#[test]
fn every_truncation_is_an_error() {
    let whole = Character::new().glb();
    for length in 0..whole.len() {
        assert!(!load_any(&whole[..length]), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn broken_data_does_no_harm() {
    let character = Character::new();
    let mut loaded = 0;
    for seed in 1..=rounds() {
        let mut binary = character.binary.clone();
        mutate(&mut binary, &mut Random::new(seed));
        loaded += u64::from(load_any(&glb(character.json.to_string().as_bytes(), &binary)));
    }
    assert!(loaded > rounds() / 4, "only {loaded} loaded, so little was tried");
}

#[test]
fn broken_json_does_no_harm() {
    let character = Character::new();
    let text = character.json.to_string();
    for seed in 1..=rounds() {
        let mut bytes = text.clone().into_bytes();
        mutate(&mut bytes, &mut Random::new(seed));
        load_any(&glb(&bytes, &character.binary));
    }
}

#[test]
fn other_numbers_do_no_harm() {
    let character = Character::new();
    let text = character.json.to_string();
    let mut loaded = 0;
    for seed in 1..=rounds() {
        let mut random = Random::new(seed);
        let mut changed = replace_number(&text, &mut random);
        for _ in 0..random.below(4) {
            changed = replace_number(&changed, &mut random);
        }
        loaded += u64::from(load_any(&glb(changed.as_bytes(), &character.binary)));
    }
    assert!(loaded > rounds() / 20, "only {loaded} loaded, so little was tried");
}
