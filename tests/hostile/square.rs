//! Thousands of small files, each broken at random but the same on every run: none may panic, and
//! each that loads must be sound.

use crate::breaking::{Random, break_bytes, break_json};
use crate::builtins::rounds;
use crate::character;
use crate::file::glb;
use crate::judge::{judge, judge_all};

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

#[test]
fn broken_bytes_do_no_harm() {
    let whole = character::new().glb();
    judge_all("square bytes", rounds(), |seed| {
        let mut bytes = whole.clone();
        break_bytes(&mut bytes, &mut Random::new(seed));
        bytes
    });
}

#[test]
fn every_truncation_is_an_error() {
    let whole = character::new().glb();
    for length in 0..whole.len() {
        assert!(judge(&whole[..length]).is_err(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn broken_data_does_no_harm() {
    let character = character::new();
    let text = character.json.to_string();
    let loaded = judge_all("square data", rounds(), |seed| {
        let mut binary = character.binary.clone();
        break_bytes(&mut binary, &mut Random::new(seed));
        glb(text.as_bytes(), &binary)
    });
    assert!(loaded > rounds() / 4, "only {loaded} loaded, so little was tried");
}

#[test]
fn broken_text_does_no_harm() {
    let character = character::new();
    let text = character.json.to_string();
    judge_all("square text", rounds(), |seed| {
        let mut bytes = text.clone().into_bytes();
        break_bytes(&mut bytes, &mut Random::new(seed));
        glb(&bytes, &character.binary)
    });
}

#[test]
fn broken_json_does_no_harm() {
    let character = character::new();
    let loaded = judge_all("square json", rounds(), |seed| {
        let random = &mut Random::new(seed);
        let mut json = character.json.clone();
        for _ in 0..=random.below(6) / 3 {
            break_json(&mut json, random);
        }
        glb(json.to_string().as_bytes(), &character.binary)
    });
    assert!(loaded > rounds() / 20, "only {loaded} loaded, so little was tried");
}

#[test]
fn other_numbers_do_no_harm() {
    let character = character::new();
    let text = character.json.to_string();
    let loaded = judge_all("square numbers", rounds(), |seed| {
        let mut random = Random::new(seed);
        let mut changed = replace_number(&text, &mut random);
        for _ in 0..random.below(4) {
            changed = replace_number(&changed, &mut random);
        }
        glb(changed.as_bytes(), &character.binary)
    });
    assert!(loaded > rounds() / 20, "only {loaded} loaded, so little was tried");
}
