//! Tests `sinew golden` on the project's own goldens and in general.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use crate::common;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, run, run_well, sinew, write_picture};
use serde_json::Value;
use sinew::image::{Image, read_png};
use sinew::skinning::SkinningMode;

/// The project's own list.
fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The command without `UPDATE_GOLDEN` from the environment.
fn golden(folder: &Path, flags: &[&str]) -> Command {
    let mut command = sinew(["golden"]);
    command.arg(folder).args(flags).env_remove("UPDATE_GOLDEN");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with a list.
fn folder(list: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("golden.toml"), list).unwrap();
    folder
}

/// Two cases of one model.
const PAIR: &str = r#"
[defaults]
model = "builtin:twist"
size = "48x48"
[[case]]
name = "twist"
time = 1
mode = ["lbs", "dqs"]
"#;

#[test]
fn our_own_pictures_are_as_they_should_be() {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden-failures");
    // Runs in the repository's folder, so that the commands in messages work when copied, and heeds UPDATE_GOLDEN.
    let mut command = sinew(["golden", "tests/golden", "--json", "--output"]);
    let Run { code, out, err } = run(command.arg(&output).current_dir(env!("CARGO_MANIFEST_DIR")));
    let found: Value = serde_json::from_slice(&out).unwrap_or_default();
    let cases = found["cases"].as_array().cloned().unwrap_or_default();
    let failed = cases.iter().filter(|case| case["passed"] != true);
    let failed = failed.map(|case| format!("{} {} {}\n", case["name"], case["verdict"], case["detail"]));
    assert_eq!(
        code,
        Some(0),
        "\n{}{err}To accept them: UPDATE_GOLDEN=all cargo test --test program golden, or the command above",
        failed.collect::<String>()
    );
    // They prove the shaders, not only their twins.
    for mode in SkinningMode::ALL {
        let by_shader = |case: &&Value| {
            case["skinned"][mode.name()].as_array().is_some_and(|by| by.contains(&"gpu".into()))
        };
        assert!(cases.iter().any(|case| by_shader(&case)), "no shader has skinned a golden of {mode}");
    }
    assert!(cases.iter().any(|case| case["skinned"]["dqs"][0] == "compute"));
}

#[test]
fn our_own_goldens_are_small() {
    let pictures: Vec<PathBuf> = fs::read_dir(own())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
        .collect();
    assert!(pictures.len() >= 150, "only {} pictures", pictures.len());
    for path in pictures {
        let (image, bytes) = (read_png(&path).unwrap(), fs::metadata(&path).unwrap().len());
        assert!(image.width <= 256 && image.height <= 256, "{}: {image:?}", path.display());
        assert!(bytes <= 20 * 1024, "{}: {bytes} bytes", path.display());
    }
}

/// A mesh without these streams gives a grey silhouette, which proves nothing.
#[test]
fn our_own_goldens_show_what_their_view_is_about() {
    let mut seen = 0;
    for entry in fs::read_dir(own()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with("-tangents") && !name.ends_with("-uv") {
            continue;
        }
        seen += 1;
        let image = read_png(&path).unwrap();
        let colors: HashSet<&[u8]> =
            image.rgba.chunks_exact(4).filter(|rgba| rgba[0].abs_diff(rgba[1]) > 24).collect();
        assert!(colors.len() >= 32, "{name} has {} colours", colors.len());
    }
    assert!(seen >= 12, "only {seen} goldens of tangents and texture coordinates");
}

/// Pictures are exactly equal on any driver, from run to run and for any number of the driver's threads.
#[test]
fn pictures_are_the_same_for_any_number_of_threads() {
    let list = fs::read_to_string(own().join("golden.toml")).unwrap();
    // Whichever driver draws here.
    let exact = ["[defaults.tolerance.swiftshader]", "[defaults.tolerance.nvidia]", "\"mesa 25\" ="]
        .into_iter()
        .enumerate()
        .fold(list, |list, (number, tolerance)| {
            let none = if tolerance.starts_with('[') {
                format!("[defaults.tolerance.none{number}]")
            } else {
                format!("none{number} =")
            };
            assert!(list.contains(tolerance), "{tolerance} was not taken away");
            list.replace(tolerance, &none)
        });
    // One mode per picture: the driver divides work between threads by position, whatever mode moved it there.
    let exact = exact.replace(r#"mode = ["rigid", "lbs", "dqs"]"#, r#"mode = "dqs""#);
    assert!(exact.contains(r#"mode = "dqs""#) && !exact.contains("\"rigid\""), "three modes are left");
    let folder = folder(&exact);
    run_well(golden(folder.path(), &["--update"]).env("LP_NUM_THREADS", "2"));
    for threads in ["0", "1", "8"] {
        let mut command = golden(folder.path(), &["--json"]);
        let out = run_well(command.env("LP_NUM_THREADS", threads));
        let found: Value = serde_json::from_slice(&out).unwrap();
        for case in found["cases"].as_array().unwrap() {
            assert_eq!(case["verdict"], "same", "{threads} threads: {case}");
        }
    }
}

#[test]
fn a_picture_goes_from_missing_to_blessed_to_different() {
    let folder = folder(PAIR);
    let path = |name: &str| folder.path().join(name);
    let failures = path("failures");

    // Missing goldens fail, and nothing is written next to the list.
    let Run { code, out, err } = run(&mut golden(folder.path(), &[]));
    assert_eq!(code, Some(6), "{err}");
    assert_eq!(text(&out).matches("missing").count(), 2, "{}", text(&out));
    let bless = format!("sinew golden {} --update twist-lbs twist-dqs", folder.path().display());
    assert!(err.contains("2 of 2") && err.contains(&bless) && err.lines().count() == 1, "{err}");
    assert!(!path("twist-lbs.png").exists() && failures.join("index.html").exists());

    // Once accepted they pass, and the report is gone.
    let table = text(&run_well(&mut golden(folder.path(), &["--update"])));
    assert_eq!(table.matches("blessed    new, 48x48 pixels").count(), 2, "{table}");
    assert!(!failures.exists());
    let table = text(&run_well(&mut golden(folder.path(), &[])));
    assert!(table.contains("twist-lbs  same") && table.contains("2 of 2 pictures"), "{table}");

    // A golden of another mode fails, with pictures, figures and commands.
    fs::copy(path("twist-dqs.png"), path("twist-lbs.png")).unwrap();
    let Run { code, out, err } = run(&mut golden(folder.path(), &["--json"]));
    assert_eq!(code, Some(6), "{err}");
    let found: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!((&found["passed"], &found["failed"]), (&1.into(), &1.into()));
    let case = &found["cases"][0];
    assert_eq!((&case["name"], &case["verdict"]), (&"twist-lbs".into(), &"differs".into()));
    assert!(case["figures"]["differing_pixels"].as_u64() > Some(20), "{case}");
    let command = case["command"].as_str().unwrap();
    assert!(command.starts_with("sinew builtin:twist --mode lbs ") && command.contains("48x48"), "{command}");
    for (part, width) in [("strips", 48 * 3 + 8), ("expected", 48), ("difference", 48), ("actual", 48)] {
        let image = read_png(&failures.join(part).join("twist-lbs.png")).unwrap();
        assert_eq!([image.width, image.height], [width, 48], "{part}");
    }
    assert_eq!(
        read_png(&failures.join("expected/twist-lbs.png")).unwrap(),
        read_png(&path("twist-dqs.png")).unwrap()
    );
    let page = fs::read_to_string(failures.join("index.html")).unwrap();
    for text in
        ["id=\"twist-lbs\"", "difference/twist-lbs.png", "expected/twist-dqs.png", "--update twist-lbs"]
    {
        assert!(page.contains(text), "{text} is not in the page");
    }
    assert!(page.contains(&command.replace('\'', "&#39;")), "the command is not in the page");

    // The command in the report draws exactly that picture.
    let words = command.strip_prefix("sinew ").unwrap().split(' ');
    run_well(sinew(words).current_dir(folder.path()));
    assert_eq!(
        read_png(&path("twist-lbs.png")).unwrap(),
        read_png(&failures.join("actual/twist-lbs.png")).unwrap()
    );
    run_well(&mut golden(folder.path(), &[]));
}

/// A picture of centres of rotation needs none before it that has found them.
#[test]
fn a_picture_alone_is_the_same_as_among_others() {
    let alone = r#"
[[case]]
name = "centers"
model = "builtin:bend"
camera = "15,10"
time = 1
mode = "cor"
view = "centers"
explain = "0:0:4730"
size = "128x128"
"#;
    let others = r#"
[[case]]
name = "before"
model = "builtin:bend"
time = 0.5
mode = "cor"
size = "128x128"
"#;
    let among = folder(&format!("{others}{alone}"));
    run(&mut golden(among.path(), &["--update"]));
    let folder = folder(alone);
    fs::copy(among.path().join("centers.png"), folder.path().join("centers.png")).unwrap();
    let table = text(&run_well(&mut golden(folder.path(), &[])));
    assert!(table.contains("centers  same"), "{table}");
}

#[test]
fn only_what_is_named_is_taken() {
    let folder = folder(&format!("{PAIR}[[case]]\nname = \"rest\"\npose = \"rest\""));
    let path = |name: &str| folder.path().join(name);
    let is_there = || ["twist-lbs.png", "twist-dqs.png", "rest.png"].map(|name| path(name).exists());

    let Run { code, err, .. } = run(&mut golden(folder.path(), &["--update", "twist-dgs"]));
    assert_eq!((code, is_there()), (Some(2), [false; 3]), "{err}");
    assert!(
        err.contains(
            "no case 'twist-dgs' (did you mean 'twist-dqs'?); the cases are twist-lbs, twist-dqs, rest"
        ),
        "{err}"
    );

    let Run { code, err, .. } = run(&mut golden(folder.path(), &["--update", "twist-dqs"]));
    assert_eq!((code, is_there()), (Some(6), [false, true, false]), "{err}");
    // The environment variable accepts all cases of one name.
    let Run { code, err, .. } = run(golden(folder.path(), &[]).env("UPDATE_GOLDEN", "twist"));
    assert_eq!((code, is_there()), (Some(6), [true, true, false]), "{err}");
    assert_eq!(run(golden(folder.path(), &[]).env("UPDATE_GOLDEN", "twst")).code, Some(2));
    assert_eq!(run(golden(folder.path(), &[]).env("UPDATE_GOLDEN", "0")).code, Some(6));
    let table = run_well(golden(folder.path(), &[]).env("UPDATE_GOLDEN", "all"));
    assert!(text(&table).contains("rest       blessed"), "{}", text(&table));

    // A golden within the limits stays, unless it is named.
    let list = fs::read_to_string(path("golden.toml")).unwrap();
    fs::write(path("golden.toml"), list.replace("[[case]]", "tolerance.channel = 255\n[[case]]")).unwrap();
    fs::copy(path("twist-lbs.png"), path("twist-dqs.png")).unwrap();
    let kept = fs::read(path("twist-dqs.png")).unwrap();
    assert!(text(&run_well(&mut golden(folder.path(), &["--update"]))).contains("twist-dqs  within"));
    assert!(fs::read(path("twist-dqs.png")).unwrap() == kept);
    let table = text(&run_well(&mut golden(folder.path(), &["--update", "twist-dqs"])));
    assert!(table.contains("twist-dqs  blessed") && table.contains("pixels changed"), "{table}");
    assert!(fs::read(path("twist-dqs.png")).unwrap() != kept);
}

#[test]
fn pictures_that_show_nothing_are_refused() {
    // The camera is too far away to see anything.
    let folder = folder(&format!("{PAIR}[[case]]\nname = \"far\"\ncamera = \"0,0,1e7\""));
    let path = |name: &str| folder.path().join(name);
    let Run { code, out, .. } = run(&mut golden(folder.path(), &["--update"]));
    assert_eq!(code, Some(6));
    assert!(text(&out).contains("! far        empty") && !path("far.png").exists(), "{}", text(&out));
    assert_eq!(run(&mut golden(folder.path(), &["--update", "far"])).code, Some(6));
    assert!(!path("far.png").exists() && path("twist-lbs.png").exists());

    // A golden that shows nothing fails, however large the tolerance.
    let list = PAIR.replace("[[case]]", "tolerance.channel = 255\n[[case]]");
    fs::write(path("golden.toml"), list).unwrap();
    write_picture(
        &Image { width: 48, height: 48, rgba: [9, 9, 9, 255].repeat(48 * 48) },
        &path("twist-lbs.png"),
    );
    let Run { code, out, .. } = run(&mut golden(folder.path(), &[]));
    assert_eq!(code, Some(6));
    assert!(text(&out).contains("! twist-lbs  hollow"), "{}", text(&out));

    // So does one of another size, and a file that is not an image.
    write_picture(
        &Image { width: 1, height: 2, rgba: vec![1, 2, 3, 255, 5, 6, 7, 255] },
        &path("twist-lbs.png"),
    );
    fs::write(path("twist-dqs.png"), "no picture").unwrap();
    let Run { code, out, .. } = run(&mut golden(folder.path(), &[]));
    assert_eq!(code, Some(6));
    assert!(
        text(&out).contains("! twist-lbs  resized    48x48 pixels, but the golden has 1x2"),
        "{}",
        text(&out)
    );
    assert!(text(&out).contains("! twist-dqs  unreadable"), "{}", text(&out));
    run_well(&mut golden(folder.path(), &["--update"]));
}

#[test]
fn what_is_wrong_with_a_list_has_its_line() {
    for (list, code, says) in [
        ("", 1, "golden.toml:1: expected at least one [[case]]"),
        (
            "[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"\ncamra = \"front\"",
            1,
            "golden.toml:4: unknown key 'camra'",
        ),
        (
            "[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"\nallow_outside = true",
            1,
            "did you mean 'allow-outside'?",
        ),
        (
            "[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"\nscreenshot = \"x.png\"",
            1,
            "golden.toml:4: a case cannot set 'screenshot'",
        ),
        (
            "[defaults]\nsize = \"big\"\n[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"",
            1,
            "golden.toml:2: case 'a': ",
        ),
        (
            "[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"\ntime = \"soon\"",
            1,
            "golden.toml:4: case 'a': ",
        ),
        (
            "\n[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"\npose = \"rest\"\ntime = 1",
            1,
            "golden.toml:2: case 'a': ",
        ),
        ("[[case]]\nname = \"../a\"\nmodel = \"builtin:twist\"", 1, "golden.toml:2: the name '../a'"),
        (
            "[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"\nclip = \"fly\"",
            1,
            "builtin:twist: it has no clip 'fly'",
        ),
        ("[[case]]\nname = \"a\"\nmodel = \"no.glb\"", 1, "no.glb: "),
        (
            "[[case]]\nname = \"a\"\nmodel = \"builtin:twist\"\nsize = \"65535x16384\"",
            1,
            "golden.toml:1: case 'a': 65535x16384 is more than the 67108864 pixels of the largest golden",
        ),
    ] {
        let folder = folder(list);
        let found = run(&mut golden(folder.path(), &[]));
        assert_eq!(found.code, Some(code), "{list}: {}", found.err);
        assert!(found.err.starts_with("error: ") && found.err.lines().count() == 1, "{}", found.err);
        assert!(found.err.contains(says), "{list}: {}", found.err);
    }
    let empty = tempfile::tempdir().unwrap();
    let found = run(&mut golden(empty.path(), &[]));
    assert_eq!(found.code, Some(1));
    assert!(found.err.contains("golden.toml: "), "{}", found.err);
}

/// A model that cannot be loaded does not keep the other cases from being compared.
#[test]
fn one_bad_model_does_not_hide_the_others() {
    let folder = folder(&format!("{PAIR}[[case]]\nname = \"gone\"\nmodel = \"models/gone.glb\""));
    let found = run(&mut golden(folder.path(), &["--update"]));
    assert_eq!(found.code, Some(1), "{}", found.err);
    let model = folder.path().join("models/gone.glb");
    assert!(found.err.starts_with(&format!("error: {}: ", model.display())), "{}", found.err);
    assert!(text(&found.out).contains("! gone       not-drawn"), "{}", text(&found.out));
    assert!(folder.path().join("twist-dqs.png").exists() && !folder.path().join("gone.png").exists());
    let page = fs::read_to_string(folder.path().join("failures/index.html")).unwrap();
    assert!(page.contains("id=\"gone\"") && page.contains("no such file"), "{page}");
}

#[test]
fn what_is_not_ours_stays() {
    let folder = folder(PAIR);
    let mine = folder.path().join("failures/mine.txt");
    fs::create_dir(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "mine").unwrap();
    // The report's place is taken; with another folder it is written.
    let found = run(&mut golden(folder.path(), &[]));
    assert_eq!(found.code, Some(5), "{}", found.err);
    assert!(found.err.contains("failures: ") && found.err.contains("--output"), "{}", found.err);
    let other = folder.path().join("deep/report");
    let found = run(golden(folder.path(), &["--output"]).arg(&other));
    assert_eq!(found.code, Some(6), "{}", found.err);
    assert!(other.join("index.html").exists());
    run_well(golden(folder.path(), &["--update", "--output"]).arg(&other));
    assert!(!other.exists() && mine.exists());
    run_well(&mut golden(folder.path(), &[]));
    assert!(mine.exists());

    // A golden without a case causes a warning, and stays.
    fs::copy(folder.path().join("twist-lbs.png"), folder.path().join("old.png")).unwrap();
    let found = run(&mut golden(folder.path(), &["--update"]));
    assert_eq!(found.code, Some(0));
    assert!(
        found.err.starts_with("warning: ") && found.err.contains("no case uses old.png"),
        "{}",
        found.err
    );
    assert!(folder.path().join("old.png").exists());
}
