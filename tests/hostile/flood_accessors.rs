//! Small files that ask for much memory or time by naming the same bytes often, or none at all.

use crate::judge::{document, items, many, verdict};

const FULL: &str = "elements need more than the";

/// An accessor on the only view.
fn accessor(component: u32, kind: &str, count: usize) -> String {
    format!(r#"{{"bufferView":0,"componentType":{component},"type":"{kind}","count":{count}}}"#)
}

/// An accessor of only zeros.
fn zeros(component: u32, kind: &str, count: usize) -> String {
    format!(r#"{{"componentType":{component},"type":"{kind}","count":{count}}}"#)
}

/// Numbers from 0 on, which can be key times.
fn counted(count: u16) -> Vec<u8> {
    (0..count).flat_map(|number| f32::from(number).to_le_bytes()).collect()
}

#[test]
fn a_million_primitives_share_one_accessor() {
    let bytes = vec![0; 500_000];
    for (primitives, bytes) in [(20_000, &bytes[..]), (1_000_000, &bytes[..])] {
        let primitives = many(primitives, r#"{"attributes":{"POSITION":0}}"#);
        let accessor = accessor(5126, "VEC3", bytes.len() / 12);
        let members = format!(r#""accessors":[{accessor}],"meshes":[{{"primitives":[{primitives}]}}]"#);
        let text = verdict(&document(bytes.len(), &members), bytes);
        assert!(text.contains(FULL), "{text}");
    }
    // The same number of primitives load if they take no more memory than they seem to.
    let primitives = many(100_000, r#"{"attributes":{"POSITION":0}}"#);
    let members =
        format!(r#""accessors":[{}],"meshes":[{{"primitives":[{primitives}]}}]"#, accessor(5126, "VEC3", 3));
    assert_eq!(verdict(&document(36, &members), &[0; 36]), "loads");
}

#[test]
fn every_attribute_is_the_same_accessor() {
    let accessors = [accessor(5126, "VEC3", 30_000), accessor(5126, "VEC2", 30_000)].join(",");
    for attributes in
        [r#""POSITION":0,"COLOR_0":0"#, r#""POSITION":0,"NORMAL":0,"TEXCOORD_0":1,"TEXCOORD_1":1"#]
    {
        let primitives = many(10_000, &format!(r#"{{"attributes":{{{attributes}}}}}"#));
        let members = format!(r#""accessors":[{accessors}],"meshes":[{{"primitives":[{primitives}]}}]"#);
        let text = verdict(&document(360_000, &members), &[0; 360_000]);
        assert!(text.contains(FULL), "{text}");
    }
}

#[test]
fn strips_unroll_to_three_times_their_length() {
    let accessors = [zeros(5126, "VEC3", 3), accessor(5121, "SCALAR", 500_000)].join(",");
    for mode in [2, 3, 5, 6] {
        let primitives =
            many(10_000, &format!(r#"{{"attributes":{{"POSITION":0}},"indices":1,"mode":{mode}}}"#));
        let members = format!(r#""accessors":[{accessors}],"meshes":[{{"primitives":[{primitives}]}}]"#);
        let strip: Vec<u8> = (0..500_000).map(|index| (index % 3) as u8).collect();
        let text = verdict(&document(strip.len(), &members), &strip);
        assert!(text.contains(FULL), "{text}");
    }
}

#[test]
fn many_sets_of_joints() {
    for (sets, vertices, primitives, expected) in
        [(1, 60_000, 1000, FULL), (4, 60_000, 1000, FULL), (5000, 15_000, 1, FULL), (4, 400_000, 1, "loads")]
    {
        let attributes = items(sets, |set| format!(r#""JOINTS_{set}":1,"WEIGHTS_{set}":2"#));
        let primitives = many(primitives, &format!(r#"{{"attributes":{{"POSITION":0,{attributes}}}}}"#));
        let accessors = [(5126, "VEC3"), (5121, "VEC4"), (5126, "VEC4")]
            .map(|(component, kind)| accessor(component, kind, vertices));
        let members = format!(
            r#""accessors":[{}],"nodes":[{{"mesh":0,"skin":0}}],"skins":[{{"joints":[0]}}],
            "meshes":[{{"primitives":[{primitives}]}}]"#,
            accessors.join(",")
        );
        let bytes = vec![0; vertices * 16];
        let text = verdict(&document(bytes.len(), &members), &bytes);
        assert!(text.contains(expected), "{sets} sets: {text}");
    }
}

#[test]
fn more_replacements_than_elements() {
    let primitives = many(15_000, r#"{"attributes":{"POSITION":0}}"#);
    let members = format!(
        r#""accessors":[{{"componentType":5121,"normalized":true,"count":3,"type":"VEC3","sparse":{{
            "count":160000,"indices":{{"bufferView":0,"componentType":5121}},"values":{{"bufferView":0}}}}}}],
        "meshes":[{{"primitives":[{primitives}]}}]"#
    );
    let text = verdict(&document(500_000, &members), &[0; 500_000]);
    assert_eq!(text, "accessors[0].sparse.count: 160000 replacements for 3 elements");
}

#[test]
fn claims_without_bytes() {
    for count in ["4294967295", "4294967296", "1e18", "18446744073709551615"] {
        let vertices = zeros(5126, "VEC4", 1).replace("\"count\":1", &format!("\"count\":{count}"));
        for members in [
            format!(r#""accessors":[{vertices}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#)
                .replace("VEC4", "VEC3"),
            format!(
                r#""accessors":[{vertices}],"nodes":[{{}}],"animations":[{{"samplers":[{{"input":0,"output":0}}],
                "channels":[{{"sampler":0,"target":{{"node":0,"path":"rotation"}}}}]}}]"#
            )
            .replace("VEC4", "SCALAR"),
            format!(
                r#""accessors":[{vertices}],"nodes":[{{}}],"skins":[{{"joints":[0],"inverseBindMatrices":0}}]"#
            )
            .replace("VEC4", "MAT4"),
        ] {
            let text = verdict(&document(0, &members), &[]);
            assert!(!text.starts_with("loads"), "{count}: {text}");
        }
    }
}

/// A thousand bytes that claim eight million vertices without storing any.
#[test]
fn vertices_made_of_nothing() {
    let not_stored = "that the file does not store";
    let positions = |count: usize| {
        format!(
            r#""accessors":[{}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]"#,
            zeros(5126, "VEC3", count)
        )
    };
    assert_eq!(verdict(&document(0, &positions(300_000)), &[]), "loads");
    let text = verdict(&document(0, &positions(8_000_000)), &[]);
    assert!(text.starts_with("accessors[0].count: 8000000 elements") && text.contains(not_stored), "{text}");
    // A larger file may have more, and the same bytes count again each time.
    let bytes = vec![0; 1_600_000];
    assert_eq!(verdict(&document(bytes.len(), &positions(7_999_998)), &bytes), "loads");
    let primitives = many(100, r#"{"attributes":{"POSITION":0}}"#);
    let members = format!(
        r#""accessors":[{}],"meshes":[{{"primitives":[{primitives}]}}]"#,
        zeros(5126, "VEC3", 300_000)
    );
    let text = verdict(&document(0, &members), &[]);
    assert!(text.contains(not_stored), "{text}");
}

#[test]
fn many_skins_share_their_matrices() {
    let loads = |text: String| assert!(text.starts_with("loads"), "{text}");
    let shared = many(15_000, r#"{"joints":[0],"inverseBindMatrices":0}"#);
    let members = |count: usize, accessors: usize, skins: &str| {
        let matrices = many(accessors, &accessor(5126, "MAT4", count));
        format!(r#""accessors":[{matrices}],"nodes":[{{}}],"skins":[{skins}]"#)
    };
    // They are read once.
    loads(verdict(&document(448_000, &members(7000, 1, &shared)), &[0; 448_000]));
    loads(verdict(&document(64, &members(1, 1, &shared)), &[0; 64]));
    // Under many names the same bytes count as often.
    let apart = items(15_000, |skin| format!(r#"{{"joints":[0],"inverseBindMatrices":{skin}}}"#));
    let text = verdict(&document(448_000, &members(7000, 15_000, &apart)), &[0; 448_000]);
    assert!(text.contains(FULL), "{text}");
    // Matrices that the file does not have, one for every two characters.
    let joints = format!(r#""nodes":[{{}}],"skins":[{{"joints":[{}]}}]"#, many(4_000_000, "0"));
    loads(verdict(&document(0, &joints), &[]));
}

#[test]
fn many_channels_share_their_keys() {
    let nodes = many(6000, "{}");
    for keys in [13_000, 1] {
        let channels =
            items(6000, |node| format!(r#"{{"sampler":0,"target":{{"node":{node},"path":"scale"}}}}"#));
        // Keys may need few of so many values, but the loader reads all of them.
        let accessors = [accessor(5126, "SCALAR", keys), accessor(5126, "VEC3", 13_000)].join(",");
        let members = format!(
            r#""accessors":[{accessors}],"nodes":[{nodes}],
            "animations":[{{"samplers":[{{"input":0,"output":1}}],"channels":[{channels}]}}]"#
        );
        let text = verdict(&document(164_000, &members), &counted(41_000));
        assert!(text.contains(FULL), "{text}");
    }
}
