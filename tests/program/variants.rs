//! `--variant`: selects variants of a USD file, in every command that loads one, and in the command that `show` prints.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;

use crate::common::{run, run_well, sinew};

const TEXT: &str = r#"#usda 1.0
def Mesh "Cloth" (
    variants = { string colour = "red" }
    prepend variantSets = "colour"
)
{
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    uniform token subdivisionScheme = "none"
    variantSet "colour" = {
        "dark blue" { color3f[] primvars:displayColor = [(0, 0, 1)] }
        "red" { color3f[] primvars:displayColor = [(1, 0, 0)] }
    }
}
"#;

#[test]
fn variants_are_selected_listed_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |arguments: &[&str]| {
        let mut command = sinew(arguments);
        command.current_dir(folder.path());
        command
    };
    std::fs::write(folder.path().join("cloth.usda"), TEXT).unwrap();
    let sets = |flags: &[&str]| {
        let out = run_well(&mut at(&[&["inspect", "cloth.usda", "--json"], flags].concat()));
        serde_json::from_slice::<Value>(&out).unwrap()["variants"].clone()
    };
    assert_eq!(sets(&[])[0]["selected"], "red");
    let set = &sets(&["--variant", "colour=dark blue"])[0];
    assert_eq!((&set["prim"], &set["set"]), (&"/Cloth".into(), &"colour".into()));
    assert_eq!((&set["selected"], set["choices"].as_array().unwrap().len()), (&"dark blue".into(), 2));
    let text = run_well(&mut at(&["inspect", "cloth.usda"]));
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("'colour' of '/Cloth': 'red', of 'dark blue', 'red'"), "{text}");

    let picture = ["cloth.usda", "--variant", "colour=dark blue", "--size", "64x64", "--screenshot", "x.png"];
    run_well(&mut at(&picture));
    let shown = String::from_utf8(run_well(&mut at(&["show", "x.png"]))).unwrap();
    assert!(shown.contains("--variant='colour=dark blue'"), "{shown}");

    for (arguments, code, said) in [
        (
            ["inspect", "cloth.usda", "--variant", "colour=rad"],
            1,
            "it has no variant 'rad' (did you mean 'red'?)",
        ),
        (
            ["inspect", "cloth.usda", "--variant", "color=red"],
            1,
            "it has no variant set 'color' (did you mean 'colour'?)",
        ),
        (
            ["inspect", "builtin:strip", "--variant", "colour=red"],
            1,
            "it has no variant set 'colour', and no variant sets at all",
        ),
        (["inspect", "cloth.usda", "--variant", "red"], 2, "expected a set of variants and the name of one"),
    ] {
        let run = run(&mut at(&arguments));
        assert!(run.code == Some(code) && run.err.contains(said), "{}", run.err);
    }
}
