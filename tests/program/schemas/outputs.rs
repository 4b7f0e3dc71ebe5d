//! Runs of the program whose JSON the schemas describe, and the files that these read.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::common::{run, run_well, sinew};
use crate::edited::{packed, unpacked};

/// Schemas, and runs that print JSON by them.
pub const PRINTED: [(&str, &str); 48] = [
    ("compare", "compare builtin:bend --modes lbs,dqs --frames 2 --json"),
    ("compare", "compare builtin:robot --against mush --modes lbs --clip 0 --clip 1 --frames 2 --json"),
    ("compare", "compare builtin:bend --normals recomputed --modes lbs,dqs --frames 2 --json"),
    ("compare", "compare builtin:bend --modes lbs,dqs --pose bind --json"),
    ("compare", "compare large.glb --modes lbs,dqs --frames 2 --json"),
    ("compare", "compare larger.glb --modes lbs,dqs --frames 2 --json"),
    ("compare", "compare builtin:bend builtin:twist --clip bend=twist --frames 2 --json"),
    ("compare", "compare builtin:robot builtin:bend --frames 2 --json"),
    ("compare", "compare rigs/morph-animated.glb rigs/morph-normals.glb --frames 2 --json"),
    ("compare", "compare rigs/influences-04.glb rigs/quantized.glb --frames 2 --json"),
    ("compare", "compare builtin:strip strip.npy --json"),
    ("compare", "compare builtin:strip frames.npy --json"),
    ("compare", "compare builtin:bend builtin:twist --weights --poses 2 --json"),
    ("compare", "compare builtin:bend builtin:strip --weights --json"),
    ("verify", "verify builtin:strip rigs/broken.glb --samples 2 --json"),
    ("verify", "verify rigs/instances-gpu.glb larger.glb --fast --samples 2 --json"),
    ("golden", "golden . --json"),
    ("golden", "golden . --update --json"),
    ("diff", "diff strip.png strip.png --json"),
    ("diff", "diff strip.png later.png --json"),
    ("diagnose", "diagnose builtin:strip --like strip.png --json"),
    ("diagnose", "diagnose builtin:bend --like bend.json --time 0.5 --expect lbs -o theirs.glb --json"),
    ("diagnose", "diagnose builtin:bend --like bend.json --clip bend --time 0.6 --json"),
    ("diagnose", "diagnose builtin:strip --like far.json --json"),
    ("export", "export builtin:strip --pose bind --on reference -o -"),
    ("export", "export builtin:strip --frames 2 --on gpu -o -"),
    (
        "export",
        "export builtin:strip --normals recomputed --joint upper=0,20,0 --joint-move upper=1,0,0 -o -",
    ),
    (
        "export",
        "export builtin:strip --mode blend --blend 0.3 --blend joint:upper=0.5 --joint-scale upper=2 -o -",
    ),
    ("export", "export builtin:robot --clip 0 --clip 1 --blend-clip 1@0.4 --on cpu -o -"),
    ("export", "export rigs/morph-animated.glb --morph #0:#0=0.5 --on cpu -o -"),
    ("export", "export rigs/instances-gpu.glb --on cpu -o -"),
    ("export", "export rigs/fbx-linear.fbx --on cpu -o -"),
    ("export", "export rigs/fbx-linear.fbx --control-points --on cpu -o -"),
    ("export-rigged", "export builtin:bend --rigged --max-joints 2 --max-influences 1 -o rigged.glb --json"),
    ("export-rigged", "convert builtin:strip -o converted.glb --json"),
    ("inspect", "inspect builtin:strip --ddm --weights --json"),
    ("inspect", "inspect builtin:tube-12 --weights --json"),
    ("inspect", "inspect builtin:robot --weights --json"),
    ("inspect", "inspect builtin:bend --clip-from builtin:robot --json"),
    ("inspect", "inspect builtin:bend --clip-from builtin:twist --json"),
    ("inspect", "inspect builtin:character --json"),
    ("inspect", "inspect builtin:elbow --json"),
    ("inspect", "inspect builtin:bend --reader both --json"),
    ("inspect", "inspect avatar.glb --json"),
    ("inspect", "inspect rigs/scale-shear.glb --json"),
    ("inspect", "inspect rigs/weights-nan.glb --json"),
    ("inspect", "inspect rigs/fbx-dual-quaternion.fbx --json"),
    ("inspect", "inspect larger.glb --json"),
];

/// Schemas, runs that write JSON by them into files, and these files.
pub const WRITTEN: [(&str, &str, &str); 8] = [
    ("report", "report builtin:bend --modes dqs,blend --frames 3 -o bend", "bend/report.json"),
    ("report", "report builtin:strip --frames 3 --no-pictures -o strip", "strip/report.json"),
    ("corpus", "corpus check rigs -o checked --level full", "checked/triage.json"),
    ("corpus-line", "corpus check rigs -o checked --level full", "checked/corpus.jsonl"),
    ("corpus-line", "corpus check builtin:strip -o checked", "checked/corpus.jsonl"),
    ("corpus-line", "corpus check builtin:strip -o limited --limit-memory 1", "limited/corpus.jsonl"),
    ("corpus", "corpus compare pairs.csv -o compared --level normal", "compared/triage.json"),
    ("corpus-line", "corpus compare pairs.csv -o compared --level normal", "compared/corpus.jsonl"),
];

/// Runs that write inputs of others.
const INPUTS: [&str; 6] = [
    "builtin:strip --mode dqs --size 64x64 --screenshot strip.png",
    "builtin:strip --mode dqs --size 64x64 --time 1 --screenshot later.png",
    "export builtin:strip --time 0.5 -o strip.npy",
    "export builtin:strip --frames 4 -o frames.npy",
    "export builtin:strip --time 0.5 -o strip.json",
    "export builtin:bend --time 0.5 -o bend.json",
];

/// Conformance rigs that runs read.
const RIGS: [&str; 12] = [
    "fbx-dual-quaternion.fbx",
    "fbx-linear.fbx",
    "influences-01.glb",
    "influences-04.glb",
    "instances-gpu.glb",
    "keys-cubic.glb",
    "keys-linear.glb",
    "morph-animated.glb",
    "morph-normals.glb",
    "quantized.glb",
    "scale-shear.glb",
    "weights-nan.glb",
];

/// An output of the program.
pub struct Output {
    pub schema: &'static str,
    pub command: &'static str,
    pub document: Value,
}

/// Returns all outputs. The first call runs the program.
pub fn outputs() -> &'static [Output] {
    static OUTPUTS: OnceLock<Vec<Output>> = OnceLock::new();
    OUTPUTS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        write_inputs(folder.path());
        let is_read = |command: &&str| cfg!(feature = "fbx") || !command.contains(".fbx");
        let ask = |command: &str| {
            run(sinew(command.split(' ')).current_dir(folder.path()).env_remove("UPDATE_GOLDEN"))
        };
        let mut outputs = Vec::new();
        for (schema, command) in PRINTED.into_iter().filter(|(_, command)| is_read(command)) {
            let run = ask(command);
            let document =
                serde_json::from_slice(&run.out).unwrap_or_else(|_| panic!("{command}: {}", run.err));
            outputs.push(Output { schema, command, document });
        }
        for (schema, command, file) in WRITTEN {
            let run = ask(command);
            let text = fs::read_to_string(folder.path().join(file));
            let text = text.unwrap_or_else(|_| panic!("{command}: {}", run.err));
            let documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
            outputs.extend(documents.map(|document| Output { schema, command, document: document.unwrap() }));
        }
        outputs
    })
}

/// Writes the files that runs read.
fn write_inputs(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    let rigs = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/rigs");
    fs::create_dir(folder.join("rigs")).unwrap();
    for rig in RIGS.into_iter().filter(|rig| cfg!(feature = "fbx") || !rig.ends_with(".fbx")) {
        write(&format!("rigs/{rig}"), &fs::read(rigs.join(rig)).unwrap());
    }
    write("rigs/broken.glb", b"no model");
    let pairs = "rigs/keys-linear.glb,rigs/keys-cubic.glb\nrigs/influences-04.glb,rigs/influences-01.glb\n";
    write("pairs.csv", pairs.as_bytes());
    let edited = |rig: &str, edit: &dyn Fn(&mut Value)| {
        let (mut json, binary) = unpacked(&fs::read(rigs.join(rig)).unwrap());
        edit(&mut json);
        packed(&json, &binary)
    };
    write("large.glb", &edited("influences-04.glb", &|json| enlarge(json, 1e31, 5)));
    write("larger.glb", &edited("influences-04.glb", &|json| enlarge(json, 1e30, 6)));
    write("avatar.glb", &edited("morph-animated.glb", &make_avatar));
    for command in INPUTS {
        run_well(sinew(command.split(' ')).current_dir(folder));
    }
    let mut far: Value = serde_json::from_slice(&fs::read(folder.join("strip.json")).unwrap()).unwrap();
    for number in far["primitives"][0]["positions"].as_array_mut().unwrap() {
        *number = json!((number.as_f64().unwrap() + 1.0) * 1e160);
    }
    write("far.json", far.to_string().as_bytes());
    // A golden for each verdict.
    let mut list = "[defaults]\nmodel = \"builtin:strip\"\nmode = \"dqs\"\nsize = \"64x64\"\n".to_owned();
    for (name, picture, more) in [
        ("same", "strip.png", ""),
        ("within", "later.png", "tolerance = { flip_mean = 1, flip_tile = 1 }"),
        ("differs", "later.png", ""),
        ("resized", "later.png", "size = \"48x48\""),
        ("unreadable", "pairs.csv", ""),
        ("missing", "", ""),
        ("not-drawn", "", "model = \"rigs/broken.glb\""),
    ] {
        list += &format!("[[case]]\nname = \"{name}\"\n{more}\n");
        if !picture.is_empty() {
            fs::copy(folder.join(picture), folder.join(format!("{name}.png"))).unwrap();
        }
    }
    write("golden.toml", list.as_bytes());
}

/// Adds nodes of this scale above all others.
fn enlarge(json: &mut Value, scale: f64, count: usize) {
    for _ in 0..count {
        let below = json["scenes"][0]["nodes"].take();
        let nodes = json["nodes"].as_array_mut().unwrap();
        nodes.push(json!({"scale": [scale, scale, scale], "children": below}));
        json["scenes"][0]["nodes"] = json!([nodes.len() - 1]);
    }
}

/// Adds an avatar, a camera, a light and a variant.
fn make_avatar(json: &mut Value) {
    json["extensionsUsed"] = json!(["KHR_lights_punctual", "KHR_materials_variants", "VRMC_vrm"]);
    json["extensions"] = json!({
        "KHR_lights_punctual": {"lights": [{"type": "point"}]},
        "KHR_materials_variants": {"variants": [{"name": "red"}]},
        "VRMC_vrm": {
            "specVersion": "1.0",
            "meta": {"name": "A", "authors": ["B"], "licenseUrl": "C"},
            "humanoid": {"humanBones": {"hips": {"node": 1}}},
            "expressions": {"preset": {"happy": {
                "morphTargetBinds": [{"node": 0, "index": 0, "weight": 1}],
            }}},
        },
    });
    json["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]);
    json["nodes"][1]["camera"] = json!(0);
    json["nodes"][1]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    json["materials"] = json!([{}]);
    json["meshes"][0]["primitives"][0]["extensions"] =
        json!({"KHR_materials_variants": {"mappings": [{"material": 0, "variants": [0]}]}});
}
