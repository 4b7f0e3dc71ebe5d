//! Breaks every built-in model in thousands of ways that are the same on every run.

use serde_json::Value;
use sinew::model::builtin;

use crate::breaking::{Random, break_bytes, break_json, flip_bytes};
use crate::file::glb;
use crate::judge::judge_all;

/// Returns the number of times to break each model; `SINEW_MUTATIONS` overrides it.
pub fn rounds() -> u64 {
    std::env::var("SINEW_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2000)
}

/// A model as bytes, and as its parts.
struct Subject {
    whole: Vec<u8>,
    text: Vec<u8>,
    json: Value,
    binary: Vec<u8>,
}

impl Subject {
    fn new(name: &str) -> Self {
        let whole = builtin::glb(name).unwrap();
        let chunk = |at: usize| {
            let length = u32::from_le_bytes(whole[at..at + 4].try_into().unwrap()) as usize;
            whole[at + 8..at + 8 + length].to_vec()
        };
        let text = chunk(12);
        let binary = chunk(20 + text.len());
        let json = serde_json::from_slice(&text).unwrap();
        Self { whole, text, json, binary }
    }

    fn broken(&self, seed: u64) -> Vec<u8> {
        let random = &mut Random::new(seed);
        match seed % 10 {
            0 | 1 => {
                let mut bytes = self.whole.clone();
                break_bytes(&mut bytes, random);
                bytes
            }
            2 => self.whole[..random.below(self.whole.len())].to_vec(),
            3 | 4 => {
                let mut binary = self.binary.clone();
                flip_bytes(&mut binary, random);
                glb(&self.text, &binary)
            }
            5 => {
                let mut text = self.text.clone();
                break_bytes(&mut text, random);
                glb(&text, &self.binary)
            }
            _ => {
                let mut json = self.json.clone();
                // Mostly once, because few files load that are broken twice.
                for _ in 0..=random.below(6) / 3 {
                    break_json(&mut json, random);
                }
                glb(json.to_string().as_bytes(), &self.binary)
            }
        }
    }
}

/// Breaks a model as many times as [`rounds`] says.
fn break_builtin(name: &str) {
    let subject = Subject::new(name);
    let rounds = rounds();
    let loaded = judge_all(name, rounds, |seed| subject.broken(seed));
    assert!(loaded > rounds / 10, "{name}: only {loaded} loaded, so little was tried");
    assert!(loaded < rounds * 9 / 10, "{name}: {loaded} loaded, so little was broken");
}

/// One test per model, and a check that none is missing.
macro_rules! builtins {
    ($($test:ident = $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                break_builtin($name);
            }
        )*

        #[test]
        fn no_builtin_is_forgotten() {
            for listed in builtin::list() {
                let start = listed.name.trim_end_matches('N');
                assert!([$($name),*].iter().any(|name| name.starts_with(start)), "{}", listed.name);
            }
        }
    };
}

builtins! {
    character = "character",
    robot = "robot",
    twist = "twist",
    bend = "bend",
    elbow = "elbow",
    strip = "strip",
    tube_2 = "tube-2",
    tube_8 = "tube-8",
    tube_64 = "tube-64",
}
