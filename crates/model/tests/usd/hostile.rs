//! Hostile files: each loads, or is refused in one line, within the limits of memory and time, and the library never panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use sinew_model::{Options, load_bytes};

use crate::breaking::{Random, break_bytes, flip_bytes};
use crate::counting::most_held;
use crate::crates::Parts;
use crate::sound::assert_sound_types;
use crate::usd_seeds;

/// The longest time for the slowest file, in a build with few optimisations.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The number of times to break each seed; `SINEW_MUTATIONS` overrides it.
fn rounds() -> u64 {
    std::env::var("SINEW_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}

/// The time that this thread has run, without the time that it waited for others; all time on systems that do not tell.
pub fn ran(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

/// The result of loading a file, in words. Panics if it breaks a rule.
pub fn verdict(bytes: &[u8], base: Option<&Path>) -> String {
    let limit = (256 << 20) + 64 * bytes.len() as u64;
    let start = Instant::now();
    let before = ran(start);
    let (result, most) = most_held(|| load_bytes(bytes, base, &Options::default()));
    let took = ran(start).saturating_sub(before);
    assert!(most <= limit, "{most} bytes held at once, but {limit} are allowed");
    assert!(took < TIMEOUT, "it took {took:.1?}");
    match result {
        Ok(loaded) => {
            assert_sound_types(&loaded.model);
            "loads".into()
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n') && text.len() < 4000, "{text:?}");
            assert!(!text.contains("the library cannot go on"), "the library has panicked");
            text
        }
    }
}

/// Judges a file, and keeps it if it breaks a rule.
pub fn judge(bytes: &[u8], name: &str) -> bool {
    match catch_unwind(AssertUnwindSafe(|| verdict(bytes, None))) {
        Ok(verdict) => verdict == "loads",
        Err(_) => {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name.replace(' ', "-"));
            std::fs::write(&file, bytes).unwrap();
            panic!("{name}: kept as {}", file.display());
        }
    }
}

#[test]
fn seeds_load_and_their_starts_do_not() {
    for (name, bytes) in usd_seeds::all() {
        let said = verdict(&bytes, None);
        // It names a file, which memory does not have.
        assert!(said == "loads" || name.starts_with("sublayer"), "{name}: {said}");
        if let Some(parts) = Parts::of(&bytes) {
            assert_eq!(verdict(&parts.file(), None), said, "{name} packed again");
        }
        for length in (0..bytes.len()).step_by(97) {
            let loads = judge(&bytes[..length], &format!("cut {length} {name}"));
            assert!(!loads || name.ends_with("usda"), "{name} cut at {length}");
        }
    }
}

#[test]
fn layers_of_old_versions_read_alike() {
    let load = |bytes: &[u8]| load_bytes(bytes, None, &Options::default()).map(|loaded| loaded.model);
    for (name, bytes) in usd_seeds::all() {
        let Some(parts) = Parts::of(&bytes) else { continue };
        for minor in 4..=6 {
            let old = parts.clone().older(minor).unwrap().file();
            let [wanted, found] = [&bytes[..], &old].map(|bytes| format!("{:?}", load(bytes)));
            assert_eq!(found, wanted, "{name} of version 0.{minor}");
            for round in 1..=rounds() / 10 {
                let mut parts = parts.clone().older(minor).unwrap();
                let random = &mut Random::new(round);
                (0..=random.below(3)).for_each(|_| parts.damage(random));
                judge(&parts.file(), &format!("broken {round} of version {minor} {name}"));
            }
        }
        let mut older = bytes.clone();
        older[9] = 3;
        assert!(verdict(&older, None).ends_with("its version 0.3.0 is not read"));
    }
    let text = layer("def Xform \"A\"\n{\nasset[] files = [@a@, @b@]\n}");
    let mut parts = Parts::of(&usd_seeds::binary(&text)).unwrap();
    assert_eq!(parts.empty_texts(), 1);
    assert_eq!(verdict(&parts.file(), None), "loads");
}

#[test]
fn broken_seeds_end_no_program() {
    for (name, bytes) in usd_seeds::all() {
        let (parts, mut loaded) = (Parts::of(&bytes), 0);
        for seed in 1..=rounds() {
            let random = &mut Random::new(seed);
            let mut broken = bytes.clone();
            match (&parts, random.below(4)) {
                (Some(parts), 1..) => {
                    let mut parts = parts.clone();
                    (0..=random.below(3)).for_each(|_| parts.damage(random));
                    broken = parts.file();
                }
                (_, 0 | 2) => flip_bytes(&mut broken[8..], random),
                _ => break_bytes(&mut broken, random),
            }
            loaded += u64::from(judge(&broken, &format!("broken {seed} {name}")));
        }
        println!("{name}: {} files, of which {loaded} loaded", rounds());
    }
}

#[test]
fn any_number_may_be_none() {
    for (name, bytes) in usd_seeds::all() {
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let parts: Vec<&str> = text.split_inclusive([' ', '(', '[', ',', ')', ']', '\n']).collect();
        for (at, part) in parts.iter().enumerate().skip(1) {
            let end = part.trim_end_matches([' ', '(', '[', ',', ')', ']', '\n']);
            if end.parse::<f64>().is_err() {
                continue;
            }
            for number in ["nan", "-inf", "1e308", "-1", "4294967295", "1e-320"] {
                let other = part.replacen(end, number, 1);
                let broken = [&parts[..at], &[other.as_str()], &parts[at + 1..]].concat().concat();
                judge(broken.as_bytes(), &format!("{number} at {at} {name}"));
            }
        }
    }
}

/// A layer of prims in text.
pub fn layer(prims: &str) -> String {
    format!("#usda 1.0\n{prims}\n")
}

#[test]
fn arcs_that_go_round_end() {
    for arc in ["references", "payload", "inherits", "specializes"] {
        for (from, to) in [("A", "A"), ("A", "B"), ("A", "A/C"), ("A/C", "A"), ("A", "")] {
            let prims = format!(
                "def \"A\" (\n{arc} = </{from}>\n)\n{{\ndef \"C\" (\n{arc} = </{to}>\n)\n{{\n}}\n}}\n\
                 def \"B\" (\n{arc} = </A>\n)\n{{\n}}"
            );
            judge(layer(&prims).as_bytes(), &format!("{arc} {}", from.replace('/', "-")));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    for arc in ["subLayers = [\n@./b.usda@\n]", "subLayers = [\n@./a.usda@\n]"] {
        write("a.usda", &format!("#usda 1.0\n(\n{arc}\n)\ndef \"A\"\n{{\n}}\n"));
        write(
            "b.usda",
            "#usda 1.0\n(\nsubLayers = [\n@./a.usda@\n]\n)\ndef \"A\" (\nreferences = @./a.usda@</A>\n)\n{\n}\n",
        );
        let text = std::fs::read(folder.path().join("a.usda")).unwrap();
        verdict(&text, Some(folder.path()));
    }
}

#[test]
fn long_chains_of_classes_are_refused() {
    let link = |link: usize| format!("def \"A{link}\" (\ninherits = </A{}>\n)\n{{\n}}\n", link + 1);
    let said = verdict(layer(&(0..5000).map(link).collect::<String>()).as_bytes(), None);
    assert!(said.contains("inherits from more than 256 prims"), "{said}");
    let folder = tempfile::tempdir().unwrap();
    let naming = |class: &str, prim: &str| {
        format!(
            "#usda 1.0\n(\nsubLayers = [\n@./b.usda@\n]\n)\nover \"{prim}\" (\ninherits = </{class}>\n)\n{{\n}}\n"
        )
    };
    std::fs::write(folder.path().join("b.usda"), naming("A", "B").replace("@./b.usda@", "")).unwrap();
    let said = verdict(naming("B", "A").as_bytes(), Some(folder.path()));
    assert!(said.contains("goes round"), "{said}");
}

#[test]
fn prims_that_double_are_too_many() {
    let level = |level: usize| {
        let twin = |name| format!("def \"{name}\" (\nreferences = </L{}>\n)\n{{\n}}\n", level + 1);
        format!("def \"L{level}\"\n{{\n{}{}}}\n", twin("a"), twin("b"))
    };
    let prims: String = (0..40).map(level).collect();
    let said = verdict(layer(&prims).as_bytes(), None);
    assert!(said.contains("need more than the 256 MiB"), "{said}");
}

#[test]
fn many_times_take_little() {
    let samples: String = (0..200_000).map(|time| format!("{time}: ({time}, 0, 0),\n")).collect();
    let text = format!(
        "def Xform \"A\"\n{{\ndouble3 xformOp:translate.timeSamples = {{\n{samples}}}\n\
         uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}}"
    );
    println!("{}", verdict(layer(&text).as_bytes(), None));
    let far = "def Xform \"A\"\n{\nfloat3 xformOp:rotateXYZ.timeSamples = {\n-1e300: (0, 0, 0),\n1e300: (1, 0, 0),\n}\n\
               uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\"]\n}";
    println!("{}", verdict(layer(far).as_bytes(), None));
}

#[test]
fn small_things_by_the_thousand() {
    let prims: String = (0..10_000).map(|prim| format!("def \"a{prim}\"{{}}\n")).collect();
    println!("prims: {}", verdict(layer(&prims).as_bytes(), None));
    let values = "0,".repeat(2_000_000);
    let text = format!("def Mesh \"A\"\n{{\nint[] faceVertexCounts = [{values}]\n}}");
    println!("numbers: {}", verdict(layer(&text).as_bytes(), None));
    let text =
        format!("def \"A\"\n{{\n{}}}", (0..10_000).map(|at| format!("int a{at}\n")).collect::<String>());
    println!("attributes: {}", verdict(layer(&text).as_bytes(), None));
    let text = format!("def \"A\"\n{{\ntoken[] a = [{}]\n}}", "\"\",".repeat(500_000));
    println!("words: {}", verdict(layer(&text).as_bytes(), None));
}

#[test]
fn archives_with_lies_are_refused() {
    let layer = layer("def \"A\"\n{\n}");
    let one = usd_seeds::archive(&[("a.usda", layer.as_bytes())]);
    assert_eq!(verdict(&one, None), "loads");
    let end = one.len() - 22;
    let directory = end - 46 - 6;
    let words = [(end + 10, 2), (end + 16, 4), (directory + 10, 2), (directory + 20, 4), (directory + 24, 4)];
    let more = [
        (directory + 28, 2),
        (directory + 30, 2),
        (directory + 32, 2),
        (directory + 42, 4),
        (26, 2),
        (28, 2),
    ];
    for (at, size) in words.into_iter().chain(more) {
        let mut broken = one.clone();
        broken[at..at + size].fill(0xff);
        assert!(!judge(&broken, &format!("archive {at}")), "{at}");
    }
    // Many entries for the same bytes.
    let mut overlapping = one[..directory].to_vec();
    for _ in 0..60_000 {
        overlapping.extend(&one[directory..end]);
    }
    let at = (directory as u32).to_le_bytes();
    overlapping.extend(
        [
            b"PK\x05\x06\0\0\0\0",
            &60_000u16.to_le_bytes()[..],
            &60_000u16.to_le_bytes(),
            &[0; 4],
            &at,
            &[0, 0],
        ]
        .concat(),
    );
    // Their entries take more bytes than the layer, so that they do not overlap as far as sizes tell; one layer is read.
    assert_eq!(verdict(&overlapping, None), "loads");
    let large = layer + &" ".repeat(10_000);
    let one = usd_seeds::archive(&[("a.usda", large.as_bytes()), ("b.usda", b"")]);
    let end = one.len() - 22;
    let mut broken = one.clone();
    // The second entry has the bytes of the first.
    let second = end - 52;
    broken.copy_within(second - 52 + 20..second - 52 + 28, second + 20);
    broken[second + 42..second + 46].fill(0);
    assert!(verdict(&one, None) == "loads" && verdict(&broken, None).contains("archive is broken"));
}
