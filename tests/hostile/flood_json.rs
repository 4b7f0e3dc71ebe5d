//! Text that expands to much more than its size, or that is deep, long or repeated: objects, nesting, chains,
//! strings.

use crate::judge::{document, items, many, verdict};

const TOO_MANY: &str = "more JSON objects than a file of this size may have";

/// A document with this many of one item in the list of that name.
fn list(name: &str, count: usize, item: &str) -> String {
    document(0, &format!(r#""{name}":[{}]"#, many(count, item)))
}

#[test]
fn a_million_of_everything() {
    let lists = [
        "scenes",
        "nodes",
        "meshes",
        "skins",
        "animations",
        "materials",
        "textures",
        "images",
        "samplers",
        "accessors",
        "bufferViews",
        "cameras",
    ];
    for name in lists {
        assert_eq!(verdict(&list(name, 1_000_000, "{}"), &[]), TOO_MANY, "{name}");
    }
    for name in ["nodes", "meshes", "materials", "textures", "images", "scenes", "animations"] {
        assert_eq!(verdict(&list(name, 300_000, "{}"), &[]), "loads", "{name}");
    }
    // A million are fine if the text is long enough for them.
    let named = r#"{"name":"a node with a name that is long enough to be one of a million"}"#;
    assert_eq!(verdict(&list("nodes", 1_000_000, named), &[]), "loads");
}

#[test]
fn lists_within_lists() {
    for (list, item) in [
        ("meshes", r#"{"primitives":[ITEMS]}"#),
        ("meshes", r#"{"primitives":[{"attributes":{"POSITION":0},"targets":[ITEMS]}]}"#),
        ("animations", r#"{"channels":[ITEMS]}"#),
        ("materials", r#"{"extensions":{"A":[ITEMS]}}"#),
        ("meshes", r#"{"extras":[ITEMS]}"#),
    ] {
        for inner in ["{}", r#"{"":0}"#] {
            let whole = item.replace("ITEMS", &many(1_000_000, inner));
            assert_eq!(verdict(&document(0, &format!(r#""{list}":[{whole}]"#)), &[]), TOO_MANY, "{item}");
        }
        for inner in ["0", "[]", "\"\"", "null"] {
            let whole = item.replace("ITEMS", &many(1_000_000, inner));
            verdict(&document(0, &format!(r#""{list}":[{whole}]"#)), &[]);
        }
    }
    let names = items(80_000, |set| format!(r#""JOINTS_{set}":0"#));
    let primitive = format!(r#""meshes":[{{"primitives":[{{"attributes":{{{names}}}}}]}}]"#);
    assert!(verdict(&document(0, &primitive), &[]).contains("has no POSITION"));
}

#[test]
fn deep_nesting() {
    for depth in [100, 127, 128, 500_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = format!("{}0{}", open.repeat(depth), close.repeat(depth));
            for members in [
                format!(r#""extras":{nested}"#),
                format!(r#""materials":[{{"extensions":{{"a":{nested}}}}}]"#),
                format!(r#""nodes":[{{"extras":{nested}}}]"#),
                format!(r#""nodes":{nested}"#),
            ] {
                verdict(&document(0, &members), &[]);
            }
        }
    }
}

#[test]
fn chains_of_nodes() {
    for nodes in [30_000, 200_000] {
        let links = items(nodes - 1, |parent| format!(r#"{{"children":[{}]}}"#, parent + 1));
        let cycle = format!(r#""nodes":[{links},{{"children":[0]}}]"#);
        assert_eq!(verdict(&document(0, &cycle), &[]), "nodes[0]: is its own ancestor");
        let chain = format!(r#""nodes":[{links},{{}}]"#);
        assert_eq!(verdict(&document(0, &chain), &[]), "loads");
    }
    // A number that overflows in the end is still no reason to stop.
    let huge = items(100, |node| {
        let child = if node < 99 { format!(r#""children":[{}],"#, node + 1) } else { String::new() };
        format!(r#"{{{child}"scale":[1e38,1e38,1e38],"rotation":[1e30,1e38,1e-30,1e38]}}"#)
    });
    assert!(verdict(&document(0, &format!(r#""nodes":[{huge}]"#)), &[]).starts_with("loads"));
}

#[test]
fn long_strings() {
    let long = "x".repeat(1_000_000);
    for members in [
        format!(r#""{long}":0"#),
        format!(r#""nodes":[{{"name":"{long}","{long}":0}}]"#),
        format!(r#""nodes":[{{"mesh":"{long}"}}]"#),
        format!(r#""meshes":[{{"primitives":[{{"attributes":{{"{long}":-1}}}}]}}]"#),
        format!(r#""buffers":[{{"uri":"{long}","byteLength":1}}]"#),
        format!(r#""extensionsRequired":["{long}"]"#),
        format!(r#""animations":[{{"channels":[{{"sampler":0,"target":{{"path":"{long}"}}}}]}}]"#),
        format!(
            r#""accessors":[{{"componentType":5126,"count":1,"type":"{long}"}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#
        ),
        format!(r#""materials":[{{"alphaMode":"{long}"}}]"#),
        format!(r#""scene":{}"#, "9".repeat(1_000_000)),
    ] {
        let members = format!(r#"{{"asset":{{"version":"2.0"}},{members}}}"#);
        verdict(&members, &[]);
    }
    verdict(&format!(r#"{{"asset":{{"version":"{long}"}}}}"#), &[]);
}

#[test]
fn odd_addresses() {
    for uri in [
        "%2e%2e%2f".repeat(100_000),
        "a/".repeat(300_000),
        "a/../".repeat(200_000),
        "%".repeat(1_000_000),
        "%00".to_owned(),
        "%ff%fe".to_owned(),
        format!("data:;base64,{}", "%".repeat(1_000_000)),
        format!("data:{}", ";".repeat(1_000_000)),
        "data:;base64,".to_owned() + &"A".repeat(1_000_001),
        "\\u0000\\ud800".to_owned(),
    ] {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"{uri}","byteLength":1}}]}}"#);
        let text = verdict(&text, &[]);
        assert!(text != "loads", "{}", &uri[..20.min(uri.len())]);
    }
}

#[test]
fn names_given_twice() {
    for members in [
        r#""nodes":[{}],"nodes":[{}]"#,
        r#""nodes":[{"name":"a","name":"b"}]"#,
        r#""meshes":[{"primitives":[{"attributes":{"POSITION":0},"attributes":{"POSITION":0}}]}]"#,
    ] {
        assert!(verdict(&document(0, members), &[]).contains("duplicate field"), "{members}");
    }
    let twice = r#""meshes":[{"primitives":[{"attributes":{"POSITION":0,"POSITION":0}}]}]"#;
    assert!(verdict(&document(0, twice), &[]).contains("there is no accessor 0"));
}
