//! JSON of the program and docs/schemas describe each other: a key that only one of them has fails the test.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod outputs;
mod schema;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sinew::analysis::corpus::{Figure, Kind, Level};
use sinew::analysis::diagnose::{By, Deviation};
use sinew::analysis::metric::Metric;
use sinew::analysis::report::LocationKind;
use sinew::analysis::weights;
use sinew::golden::Verdict;
use sinew::golden::diagnose::Suspect;
use sinew::pairing::How;
use sinew::scene::Processor;
use sinew::skinning::delta_mush::Weights;
use sinew::skinning::{Normals, SkinningMode, Yardstick, retarget};

use outputs::{Output, PRINTED, WRITTEN, outputs};
use schema::{Schema, texts};

/// Keys that no run prints: the schema, the key after its definition, and the reason.
const SELDOM: [(&str, &str, &str); 6] = [
    ("compare", "place.copy", "of equal copies, the original is the worst"),
    ("diagnose", "worst.copy", "of equal copies, the original is the worst"),
    ("export-rigged", "place.copy", "of equal copies, the original is the worst"),
    ("inspect", "face.found", "a file with many of ARKit's names"),
    ("inspect", "face.missing", "a file with many of ARKit's names"),
    ("verify", "checked.ddm_left_out", "a model whose terms are too large for the device"),
];

/// Definitions whose names are literals of the program.
const LITERALS: [(&str, &[&str]); 11] = [
    ("action", &["check", "compare"]),
    ("alpha_mode", &["OPAQUE", "MASK", "BLEND"]),
    ("camera_kind", &["perspective", "orthographic"]),
    ("format", &["glTF", "FBX", "OBJ", "USD", "BVH"]),
    ("interpolation", &["STEP", "LINEAR", "CUBICSPLINE"]),
    ("light_kind", &["directional", "point", "spot"]),
    ("method", &["rigid", "linear", "dual quaternion", "blended"]),
    ("skinner", &["gpu", "cpu", "reference"]),
    ("slot", &SLOTS),
    ("support", &["supported", "approximate", "unsupported"]),
    ("topology", &["triangles", "lines", "points"]),
];

/// The uses of textures.
const SLOTS: [&str; 15] = [
    "base color",
    "metallic-roughness",
    "normal",
    "occlusion",
    "emissive",
    "specular",
    "specular color",
    "clearcoat",
    "clearcoat roughness",
    "clearcoat normal",
    "sheen color",
    "sheen roughness",
    "transmission",
    "diffuse",
    "specular-glossiness",
];

/// Returns the names that a definition lists, as the program has them; `None` without such a definition.
fn names(definition: &str) -> Option<Value> {
    let modes = SkinningMode::ALL.map(SkinningMode::name);
    Some(match definition {
        "by" => {
            json!([By::Order, By::ControlPoints, By::TextureCoordinates, By::BindPlace, By::PosedPlace])
        }
        "deviation" => {
            Deviation::all().chain(Deviation::of_directions()).map(|one| one.to_string()).collect()
        }
        "figure" => json!(Figure::ALL.as_slice()),
        "how" => json!([How::Order, How::Place, How::Surface]),
        "kind" => json!(Kind::ALL.as_slice()),
        "level" => json!(Level::ALL.map(Level::name)),
        "location_kind" => json!([LocationKind::Joint, LocationKind::Part, LocationKind::Vertex]),
        "metric" => json!(Metric::ALL.as_slice()),
        "mode" => json!(modes),
        "neighbour_weights" => json!([Weights::Uniform, Weights::Lengths]),
        "normals" => json!([Normals::Recomputed.name()]),
        "pair_by" => {
            use retarget::By;
            let all = [By::Map, By::Name, By::PlainName, By::Place, By::Words, By::Humanoid, By::Shape];
            json!(all.map(By::name))
        }
        "processor" => json!([Processor::Gpu, Processor::Compute, Processor::Cpu].map(Processor::name)),
        "suspect" => Suspect::all().map(|suspect| suspect.symptom().name).collect(),
        "verdict" => ["same", "within"].into_iter().chain(Verdict::FAULTS).collect(),
        "weight_kind" => json!(weights::Kind::ALL),
        "yardstick" => modes.into_iter().chain([Yardstick::MUSH]).collect(),
        _ => json!(LITERALS.iter().find(|(name, _)| *name == definition)?.1),
    })
}

/// Returns JSON pointers to a value and to those in it; of a list, to its first item.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().take(1).for_each(|item| pointers(item, &format!("{at}/0"), found));
        }
        Value::Object(map) => {
            for (key, value) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                pointers(value, &format!("{at}/{key}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_output_is_as_its_schema_describes_it() {
    let mut faults: Vec<String> = Vec::new();
    let mut printed: BTreeSet<String> = BTreeSet::new();
    for Output { schema, command, document } in outputs() {
        let found = Schema::named(schema).check(document);
        faults.extend(found.faults.into_iter().take(5).map(|fault| format!("{command}: {fault}")));
        printed.extend(found.keys.into_iter().map(|key| format!("{schema} {key}")));
    }
    assert!(faults.is_empty(), "not as docs/schemas describes it:\n{}", faults.join("\n"));
    let mut described = BTreeSet::new();
    for schema in Schema::all() {
        for (path, part) in schema.parts() {
            let owner = path.strip_prefix("/$defs/").unwrap_or(&path);
            let keys = part["properties"].as_object().into_iter().flatten();
            described.extend(keys.map(|(key, _)| format!("{} {owner}.{key}", schema.name)));
        }
    }
    let unprinted = &described - &printed;
    let seldom: BTreeSet<String> = SELDOM.map(|(schema, key, _)| format!("{schema} {key}")).into();
    let stray = &seldom - &unprinted;
    assert!(stray.is_empty(), "not seldom, but printed or not described: {stray:?}");
    let unprinted = &unprinted - &seldom;
    assert!(unprinted.is_empty() || !cfg!(feature = "fbx"), "described, but not printed: {unprinted:#?}");
}

/// Returns the keys that a schema requires wherever it has them.
fn required(schema: &Schema) -> BTreeSet<String> {
    let (mut all, mut optional) = (BTreeSet::new(), BTreeSet::new());
    for (_, part) in schema.parts() {
        let required: BTreeSet<&str> = texts(&part["required"]).collect();
        for (key, _) in part["properties"].as_object().into_iter().flatten() {
            if required.contains(key.as_str()) { &mut all } else { &mut optional }.insert(key.clone());
        }
    }
    &all - &optional
}

/// Returns wrong values in place of one: of another type, with a new key, and without each of the required keys.
fn wrong(value: &Value, required: &BTreeSet<String>) -> Vec<Value> {
    let mut wrong = vec![json!({"unknown": true})];
    let Value::Object(map) = value else { return wrong };
    let mut with = map.clone();
    with.insert("unknown".to_owned(), json!(true));
    wrong.push(with.into());
    for key in map.keys().filter(|key| required.contains(*key)) {
        let mut without = map.clone();
        without.remove(key);
        wrong.push(without.into());
    }
    wrong
}

#[test]
fn outputs_that_are_changed_are_refused() {
    let mut tried: BTreeSet<(&str, String)> = BTreeSet::new();
    let mut refused = 0;
    for Output { schema: name, document, .. } in outputs() {
        let schema = Schema::named(name);
        let required = required(&schema);
        let mut found = Vec::new();
        pointers(document, "", &mut found);
        for pointer in found.into_iter().filter(|pointer| tried.insert((name, pointer.clone()))) {
            for value in wrong(document.pointer(&pointer).unwrap(), &required) {
                let mut changed = document.clone();
                let words = format!("{name}: {value} passes at {pointer}");
                *changed.pointer_mut(&pointer).unwrap() = value;
                assert!(!schema.check(&changed).faults.is_empty(), "{words}");
                refused += 1;
            }
        }
    }
    assert!(refused > 1500, "only {refused} changes");
}

#[test]
fn schemas_list_the_names_of_the_program() {
    let mut lists = 0;
    for schema in Schema::all() {
        for (definition, part) in schema.root["$defs"].as_object().into_iter().flatten() {
            if let Some(list) = part.get("enum") {
                assert_eq!(Some(list), names(definition).as_ref(), "{}: {definition}", schema.name);
                lists += 1;
            }
        }
    }
    assert!(lists > 30, "only {lists} lists");
}

#[test]
fn schemas_have_only_keywords_that_are_checked() {
    let schemas = Schema::all();
    let names: BTreeSet<&str> = schemas.iter().map(|schema| schema.name.as_str()).collect();
    let used = PRINTED.iter().map(|(name, _)| *name).chain(WRITTEN.iter().map(|(name, ..)| *name));
    assert_eq!(names, used.collect(), "a schema without runs, or runs without a schema");
    let faults: Vec<String> = schemas.iter().flat_map(Schema::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));

    let planted =
        json!({"$defs": {"a": {"pattern": "b"}}, "required": ["c"], "items": {"$ref": "#/$defs/d"}});
    let planted = Schema { name: "planted".to_owned(), root: planted };
    assert_eq!(planted.faults().len(), 5, "{:?}", planted.faults());
}
