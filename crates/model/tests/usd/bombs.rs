//! Files that claim more than they have, whole models that are cut off, and arcs that multiply prims: each ends in one line, or
//! loads, within the limits of memory and time.

use std::time::Instant;

use sinew_model::usd::{Form, write_usd};

use crate::crates::Parts;
use crate::hostile::{judge, layer, ran, verdict};
use crate::usd_seeds;
use crate::written::models;

/// Cuts of each file; `SINEW_MUTATIONS` makes it all.
fn cuts() -> usize {
    if std::env::var_os("SINEW_MUTATIONS").is_some() { usize::MAX } else { 8 }
}

#[test]
fn models_cut_off_are_refused() {
    let models = models();
    if models.is_empty() {
        println!("NOT RUN: cuts of models, because the corpus is missing");
    }
    let mut count = 0;
    for (name, model, method, _) in models.into_iter().step_by(2).take(6) {
        for form in [Form::Text, Form::Binary, Form::Archive] {
            let bytes = write_usd(&model, form, &name, method).unwrap().bytes;
            let all = bytes.len().div_ceil(997);
            for length in (0..bytes.len()).step_by(997 * all.div_ceil(cuts())) {
                let loads = judge(&bytes[..length], &format!("cut {length} {name} {form:?}"));
                assert!(!loads || form == Form::Text, "{name} {form:?} cut at {length}");
                count += 1;
            }
        }
    }
    println!("{count} files cut off");
}

#[test]
fn any_number_may_claim_a_trillion() {
    for (name, bytes) in usd_seeds::all() {
        for at in
            (8..bytes.len().saturating_sub(8)).step_by(if name.ends_with("usdc") { 4 } else { bytes.len() })
        {
            let mut broken = bytes.clone();
            broken[at..at + 8].copy_from_slice(&(1u64 << 40).to_le_bytes());
            judge(&broken, &format!("a trillion at {at} {name}"));
        }
    }
}

/// A block of LZ4 that unpacks to 255 times its size.
fn bomb(size: usize) -> Vec<u8> {
    let mut block = vec![0, 0x1f, 0, 1, 0];
    block.resize(size, 255);
    block.extend([0, 0x10, 0]);
    block
}

#[test]
fn blocks_that_unpack_to_much_are_refused() {
    let (_, bytes) = usd_seeds::all().into_iter().find(|(name, _)| name == "skin.usdc").unwrap();
    let parts = Parts::of(&bytes).unwrap();
    for place in 0..10 {
        let mut number = 0;
        let broken = parts.file_with(|bytes| {
            number += 1;
            if number == place + 1 { bomb(1 << 20) } else { crate::crates::block(bytes) }
        });
        assert_eq!(number, 10);
        assert!(!judge(&broken, &format!("bomb {place}")), "{place}");
    }
    for count in [1 << 20, 1 << 26, 1 << 27, 1 << 40] {
        for size in [16, 1 << 20, 1 << 22] {
            let broken = parts.clone().with_packed(count, &bomb(size)).unwrap().file();
            assert!(!judge(&broken, &format!("bomb {size} of {count}")), "{size} of {count}");
        }
    }
}

#[test]
fn archives_do_not_grow() {
    let layer = layer("def \"A\"\n{\n}");
    let one = usd_seeds::archive(&[("a.usda", layer.as_bytes())]);
    let directory = one.len() - 22 - 52;
    for size in [0x7fff_ffffu32, 0xffff_ffff, one.len() as u32, layer.len() as u32 + 1000] {
        for both in [&[directory][..], &[directory, 0]] {
            let mut broken = one.clone();
            for place in both {
                let at = if *place == 0 { 18 } else { place + 20 };
                broken[at..at + 8].copy_from_slice(&[size.to_le_bytes(), size.to_le_bytes()].concat());
            }
            assert!(!judge(&broken, &format!("archive of {size}")), "{size}");
        }
    }
    for method in [8, 93] {
        let mut broken = one.clone();
        broken[directory + 10] = method;
        assert!(verdict(&broken, None).contains("no uncompressed layer"));
    }
}

#[test]
fn files_that_name_each_other_end() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let naming = |prim: &str, arcs: &str, more: &str| {
        format!("#usda 1.0\n(\ndefaultPrim = \"{prim}\"\n)\ndef \"{prim}\" (\n{arcs}\n)\n{{\n{more}\n}}\n")
    };
    for arc in [
        "references",
        "payload",
        "prepend references",
        "inherits = </B>\nreferences",
        "specializes = </A>\npayload",
    ] {
        for child in [
            "",
            "def \"C\" (\nreferences = @./a.usda@\n)\n{\n}",
            "def \"C\" (\npayload = @./b.usda@\n)\n{\n}",
        ] {
            for (first, second) in [("b", "a"), ("a", "a"), ("b", "b")] {
                let text = naming("A", &format!("{arc} = @./{first}.usda@"), child);
                write("a.usda", &text);
                write("b.usda", &naming("B", &format!("{arc} = @./{second}.usda@"), child));
                let said = verdict(text.as_bytes(), Some(folder.path()));
                println!("{arc} {first} {second} {}: {said}", child.len());
            }
        }
    }
}

#[test]
fn classes_that_double_are_too_many() {
    for arc in ["inherits", "specializes"] {
        let level = |level: usize| {
            let twin = |name| format!("def \"{name}\" (\n{arc} = </L{}>\n)\n{{\n}}\n", level + 1);
            format!("class \"L{level}\"\n{{\n{}{}}}\n", twin("a"), twin("b"))
        };
        let prims =
            (0..40).map(level).collect::<String>() + &format!("def \"A\" (\n{arc} = </L0>\n)\n{{\n}}\n");
        let start = Instant::now();
        let before = ran(start);
        let said = verdict(layer(&prims).as_bytes(), None);
        println!("{arc}: {said}, after {:.1?}", ran(start).saturating_sub(before));
        assert!(said != "loads", "{arc}");
    }
}

#[test]
fn empty_prims_take_seconds() {
    // The library has no optimisations in tests.
    let count = if cuts() == usize::MAX { 100_000 } else { 20_000 };
    let prims: String = (0..count).map(|prim| format!("def \"a{prim}\"{{}}\n")).collect();
    let start = Instant::now();
    let before = ran(start);
    assert_eq!(verdict(layer(&prims).as_bytes(), None), "loads");
    println!("{count} prims: {:.1?}", ran(start).saturating_sub(before));
}
