//! Tests `sinew report`, `sinew sweep` and what `sinew golden` does for CI, from outside.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::path::Path;

use serde_json::Value;
use sinew::analysis::metric::Metric;
use sinew::analysis::sweep::metrics;

use crate::common;

fn report(folder: &Path, words: &[&str]) {
    common::run_well(common::sinew(["report"]).args(words).arg("-o").arg(folder));
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_report_has_its_files_and_names_the_candy_wrapper() {
    let folder = tempfile::tempdir().unwrap();
    report(folder.path(), &["builtin:twist", "--modes", "rigid,lbs,dqs,cor"]);
    let json = read(&folder.path().join("report.json"));
    let worst = &json["worst"][0];
    assert_eq!(worst["mode"], "lbs");
    assert!(worst["value"].as_f64().unwrap() < 0.01, "{worst}");
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    for picture in worst["pictures"].as_array().unwrap() {
        let file = picture["file"].as_str().unwrap();
        assert!(page.contains(file));
        let image = sinew::image::read_png(&folder.path().join(file)).unwrap();
        assert_eq!(
            [u64::from(image.width), u64::from(image.height)].map(Some),
            [picture["width"].as_u64(), picture["height"].as_u64()]
        );
    }
    assert!(
        page.contains("<script src=\"sinew-model.js\">") && folder.path().join("sinew-model.js").exists()
    );
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
    let csv = std::fs::read_to_string(folder.path().join("report.csv")).unwrap();
    let frames = json["clips"][0]["times"].as_array().unwrap().len();
    assert_eq!(csv.lines().count(), 1 + 4 * frames);
    // A second run replaces the first.
    report(folder.path(), &["builtin:twist", "--no-pictures"]);
}

#[test]
fn a_report_has_the_clips_modes_and_frames_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["--no-pictures", "--clips", "walk,wave", "--modes", "lbs,dqs,blend", "--frames", "3"];
    report(folder.path(), &[&["builtin:character"][..], &words].concat());
    let json = read(&folder.path().join("report.json"));
    assert_eq!(json["modes"], serde_json::json!(["lbs", "dqs", "blend"]));
    let clips = json["clips"].as_array().unwrap();
    let names: Vec<&str> = clips.iter().map(|clip| clip["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["clip walk", "clip wave"]);
    assert!(clips.iter().all(|clip| clip["times"].as_array().unwrap().len() == 3));
    let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
    let head = "<th scope=\"col\">worst value</th><th scope=\"col\">limit</th><th scope=\"col\">lbs</th>\
                <th scope=\"col\">dqs = blend</th></tr>";
    assert!(page.contains(head), "{page}");
    let unknown = common::run(
        common::sinew(["report", "builtin:character", "--no-pictures", "--clips", "wlak", "-o"])
            .arg(folder.path()),
    );
    assert_eq!((unknown.code, unknown.err.lines().count()), (Some(1), 1));
    assert!(unknown.err.contains("--clips: ") && unknown.err.contains("walk"), "{}", unknown.err);
}

/// All files below a folder, with what is in them.
#[cfg(unix)]
fn tree(folder: &Path) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = std::path::PathBuf::from(path.file_name().unwrap());
        match path.is_dir() {
            true => found.extend(tree(&path).into_iter().map(|(below, bytes)| (name.join(below), bytes))),
            false => drop(found.insert(name, std::fs::read(&path).unwrap())),
        }
    }
    found
}

/// A killed run keeps the pages of the models that it has finished, and the same command goes on.
#[test]
#[cfg(unix)]
fn a_killed_report_goes_on_where_it_was() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let words = ["builtin:strip", "builtin:twist", "builtin:character", "--frames", "20"];
    report(&place("whole"), &words);
    let whole = tree(&place("whole"));
    let mut child = common::sinew(["report"]).args(words).arg("-o").arg(place("cut")).spawn().unwrap();
    let start = std::time::Instant::now();
    while !place("cut/index.html").is_file() {
        assert!(child.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 120, "no index appears");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    // With a signal that no program can handle.
    child.kill().unwrap();
    child.wait().unwrap();
    let begun = read(&place("cut/site.json"));
    let done: Vec<&str> =
        begun["reports"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(begun["left"].as_u64(), Some(3 - done.len() as u64));
    assert!((1..3).contains(&done.len()), "{begun}");
    // The page may be one model behind the list, because it comes after that.
    let index = std::fs::read_to_string(place("cut/index.html")).unwrap();
    assert!(index.contains("of 3 models so far</h1>") && index.contains("Not complete: "), "{index}");
    let of_first = |name: &str| place("cut").join(done[0]).join(name);
    assert!(index.contains(&format!("href=\"{}/index.html\"", done[0])));
    for (file, bytes) in &whole {
        let there = std::fs::read(place("cut").join(file)).ok();
        let is_done = done.iter().any(|name| file.starts_with(name));
        assert!(!is_done || there.as_ref() == Some(bytes), "{}", file.display());
    }
    // A site joined from such a folder is not complete, either.
    let merged =
        common::run(common::sinew(["report", "--merge"]).args([place("cut"), "-o".into(), place("all")]));
    assert_eq!((merged.code, merged.err.matches(": not complete, ").count()), (Some(0), 1), "{}", merged.err);
    assert_eq!(read(&place("all/site.json"))["left"], begun["left"]);
    let first = std::fs::metadata(of_first("report.json")).unwrap().ino();
    let again = || common::run(common::sinew(["report"]).args(words).arg("-o").arg(place("cut")));
    let run = again();
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("note: builtin:strip: its report is up to date"), "{}", run.err);
    assert_eq!(std::fs::metadata(of_first("report.json")).unwrap().ino(), first);
    assert!(tree(&place("cut")) == whole, "the same bytes as in one go");
    // A changed page, an unfinished file or other flags make it measure again.
    std::fs::write(of_first("index.html"), "mine").unwrap();
    assert_eq!(again().err.matches("is up to date").count(), 2);
    assert!(tree(&place("cut")) == whole);
    std::fs::write(of_first(".sinew-1-0.tmp"), "sinew: unfinished files of one run\n").unwrap();
    assert_eq!(again().err.matches("is up to date").count(), 2);
    assert!(tree(&place("cut")) == whole);
    let picture = whole.keys().find(|file| file.extension().is_some_and(|found| found == "png")).unwrap();
    std::fs::write(place("cut").join(picture), "mine").unwrap();
    assert_eq!(again().err.matches("is up to date").count(), 2);
    assert!(tree(&place("cut")) == whole);
    // A link is neither read nor replaced, even if it leads to the same bytes.
    std::fs::rename(place("cut").join(picture), place("mine.png")).unwrap();
    std::os::unix::fs::symlink(place("mine.png"), place("cut").join(picture)).unwrap();
    let linked = again();
    assert_eq!((linked.code, linked.err.matches("is up to date").count()), (Some(5), 2), "{}", linked.err);
    assert!(linked.err.contains("a link") && std::fs::read(place("mine.png")).unwrap() == whole[picture]);
    std::fs::remove_file(place("cut").join(picture)).unwrap();
    let other = common::run(
        common::sinew(["report", "builtin:strip", "builtin:twist", "--frames", "3", "-o"]).arg(place("cut")),
    );
    assert!(other.code == Some(0) && !other.err.contains("up to date"), "{}", other.err);
}

#[test]
fn a_folder_with_other_files_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "mine").unwrap();
    let run =
        common::run(common::sinew(["report", "builtin:bend", "--no-pictures", "-o"]).arg(folder.path()));
    assert_eq!((run.code, run.err.lines().count()), (Some(5), 1), "{}", run.err);
    assert_eq!(std::fs::read_to_string(folder.path().join("index.html")).unwrap(), "mine");
}

#[test]
fn shares_are_disjoint_and_merge_into_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let models = ["builtin:twist", "builtin:bend", "builtin:strip", "builtin:tube-2"];
    let place = |name: &str| folder.path().join(name);
    let shares = ["1/3", "2/3", "3/3"];
    for share in shares {
        let words: Vec<&str> = models.iter().copied().chain(["--no-pictures", "--shard", share]).collect();
        report(&place(&share.replace('/', "-")), &words);
    }
    let mut merge = common::sinew(["report", "--merge"]);
    for share in shares {
        merge.arg(place(&share.replace('/', "-")));
    }
    // Metrics have their earlier names in the report of one share.
    let inside = place("1-3").join(read(&place("1-3/site.json"))["reports"][0].as_str().unwrap());
    let mut text = std::fs::read_to_string(inside.join("report.json")).unwrap();
    for metric in Metric::ALL {
        let old = metric.facts().old.iter().next();
        text = old.map_or(text.clone(), |old| {
            text.replace(&format!("\"{}\"", metric.name()), &format!("\"{old}\""))
        });
    }
    assert!(text.contains("\"distance_m\"") && text.contains("\"turned\""), "{text}");
    std::fs::write(inside.join("report.json"), text).unwrap();
    common::run_well(merge.arg("-o").arg(place("all")));
    report(&place("whole"), &models.iter().copied().chain(["--no-pictures"]).collect::<Vec<_>>());
    let folders = |name: &str| {
        let site = read(&place(name).join("site.json"));
        let mut names: Vec<String> = site["reports"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(folders("all"), folders("whole"));
    assert_eq!(folders("all").len(), models.len());
    for inside in folders("all") {
        for file in ["index.html", "report.csv"] {
            let text = |name: &str| std::fs::read_to_string(place(name).join(&inside).join(file)).unwrap();
            assert_eq!(text("all"), text("whole"));
        }
    }
    let sum: usize = shares.iter().map(|share| folders(&share.replace('/', "-")).len()).sum();
    assert_eq!(sum, models.len());
}

/// A report may come from anywhere, and so may what lies in its folder.
#[test]
#[cfg(unix)]
fn merging_reads_no_links_no_pipes_and_no_endless_files() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    report(&place("made"), &["builtin:strip"]);
    let json = read(&place("made/report.json"));
    let picture = place("made").join(json["worst"][0]["pictures"][0]["file"].as_str().unwrap());
    let merge = |out: &str| {
        let start = std::time::Instant::now();
        let run =
            common::run(common::sinew(["report", "--merge"]).arg(place("made")).arg("-o").arg(place(out)));
        assert!(start.elapsed().as_secs() < 30, "{out}");
        (run.code, run.err)
    };
    assert_eq!(merge("sound").0, Some(0));
    // Its page would be written over before all is read.
    let page = std::fs::read(place("made/index.html")).unwrap();
    let (code, err) = merge("made");
    assert!(code == Some(2) && err.contains("overwrite a report"), "{err}");
    assert!(std::fs::read(place("made/index.html")).unwrap() == page);
    std::fs::write(place("secret"), "secret").unwrap();
    for kind in ["secret", "/dev/zero", "pipe"] {
        std::fs::remove_file(&picture).unwrap();
        match kind {
            "pipe" => assert!(std::process::Command::new("mkfifo").arg(&picture).status().unwrap().success()),
            _ => std::os::unix::fs::symlink(folder.path().join(kind), &picture).unwrap(),
        }
        let (code, err) = merge("no");
        assert_eq!((code, err.lines().count()), (Some(1), 1), "{kind}: {err}");
        assert!(err.contains(picture.file_name().unwrap().to_str().unwrap()), "{err}");
    }
    let file = std::fs::File::create(place("made/report.json")).unwrap();
    file.set_len(2 << 30).unwrap();
    let (code, err) = merge("no");
    assert_eq!((code, err.lines().count()), (Some(1), 1), "{err}");
}

#[test]
fn a_sweep_is_a_table_a_list_and_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.png");
    let words = ["sweep", "builtin:twist", "--joint", "upper", "--axis", "y", "--steps", "3", "--json", "-o"];
    let json: Value = serde_json::from_slice(&common::run_well(common::sinew(words).arg(&sheet))).unwrap();
    let steps = json["steps"].as_array().unwrap();
    let degrees: Vec<f64> = steps.iter().map(|step| step["degrees"].as_f64().unwrap()).collect();
    assert_eq!(degrees, [0.0, 90.0, 180.0]);
    let section = |step: usize, mode: usize| steps[step]["modes"][mode]["section_smallest"].as_f64().unwrap();
    assert!((section(1, 1) - 0.5_f64.sqrt()).abs() < 1e-3 && (section(1, 2) - 1.0).abs() < 1e-3);
    let image = sinew::image::read_png(&sheet).unwrap();
    assert!(image.width >= 3 * 60 && image.height > 3 * 60);
    let csv = common::run_well(&mut common::sinew([
        "sweep",
        "builtin:twist",
        "--joint",
        "upper",
        "--steps",
        "2",
        "--modes",
        "lbs",
        "--csv",
    ]));
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().count(), 3);
    // Both forms have the names of the metrics, and their values.
    let names: Vec<&str> = metrics().map(Metric::name).collect();
    assert_eq!(csv.lines().next(), Some(format!("degrees,mode,{}", names.join(",")).as_str()));
    let lbs = &steps[0]["modes"][1];
    assert_eq!(lbs["at"]["section_smallest"], "upper");
    assert!(names.iter().all(|name| lbs[name].is_number()), "{lbs}");
    let unknown = common::run(&mut common::sinew(["sweep", "builtin:twist", "--joint", "quux"]));
    assert_eq!((unknown.code, unknown.err.lines().count()), (Some(1), 1));
    assert!(unknown.err.contains("quux"), "{}", unknown.err);
}

/// Without a flag besides the joint: seven steps, the axis and the way that clips use, and a sentence.
#[test]
fn a_sweep_needs_the_joint_alone() {
    let run = |words: &[&str]| common::run_well(common::sinew(["sweep"]).args(words));
    let json = |words: &[&str]| -> Value { serde_json::from_slice(&run(words)).unwrap() };
    let twist = json(&["builtin:twist", "--joint", "upper", "--json"]);
    assert_eq!((&twist["axis"], &twist["axis_by"]), (&"y".into(), &"clips".into()));
    let steps = twist["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 7);
    assert_eq!((steps[3]["degrees"].as_f64(), steps[6]["degrees"].as_f64()), (Some(90.0), Some(180.0)));
    assert_eq!(
        twist["sentence"],
        "90° about y: lbs keeps 71 % of the section, dqs 100 %, cor 100 %, ddm 76 %."
    );
    let text = String::from_utf8(run(&["builtin:twist", "--joint", "upper"])).unwrap();
    assert!(
        text.contains("turns about its y axis, which the clips use most; everything else is at rest"),
        "{text}"
    );
    assert_eq!(text.lines().last(), twist["sentence"].as_str());
    // A flag wins, and the sentence tells of the modes that are asked for.
    let asked = json(&["builtin:twist", "--joint", "upper", "--axis", "x", "--modes", "rigid", "--json"]);
    assert_eq!((&asked["axis"], &asked["axis_by"]), (&"x".into(), &"flag".into()));
    assert!(asked["sentence"].as_str().unwrap().starts_with("90° about x: rigid keeps "), "{asked}");
    // A word for the place in the body does for a name.
    let elbow = common::run(&mut common::sinew(["sweep", "--joint", "elbow", "--steps", "2", "--json"]));
    let found: Value = serde_json::from_slice(&elbow.out).unwrap();
    assert_eq!(found["joint"], "forearm.L");
    assert!(elbow.err.contains("'elbow' is forearm.L to forearm.R; forearm.L is turned"), "{}", elbow.err);
}

#[test]
fn why_names_frame_figures_mode_and_vertices() {
    let folder = tempfile::tempdir().unwrap();
    let strip = folder.path().join("strip.png");
    let words = ["why", "builtin:twist", "--joint", "uppeer", "--frames", "21", "--json", "-o"];
    let json: Value = serde_json::from_slice(&common::run_well(common::sinew(words).arg(&strip))).unwrap();
    assert_eq!(
        (&json["joint"], &json["asked"], &json["mode"]),
        (&"upper".into(), &"uppeer".into(), &"lbs".into())
    );
    assert_eq!((&json["worst"]["name"], &json["turn"]["axis"]), (&"clip twist".into(), &"y".into()));
    assert_eq!((&json["turn"]["is_twist"], &json["choose"]["mode"]), (&true.into(), &"dqs".into()));
    let lbs = json["modes"].as_array().unwrap().iter().find(|mode| mode["mode"] == "lbs").unwrap();
    assert!(lbs["kept"].as_f64().unwrap() < 0.01 && lbs["change_m"].as_f64().unwrap() < -0.1, "{lbs}");
    let blamed = json["blame"][0]["vertex"].as_str().unwrap();
    common::run_well(&mut common::sinew(["explain", "builtin:twist", "--vertex", blamed]));
    // A square for each mode, and no two look the same but those that do no harm.
    let image = sinew::image::read_png(&strip).unwrap();
    let modes = json["modes"].as_array().unwrap().len() as u32;
    assert_eq!(image.width, image.height * modes);
    let side = image.height as usize;
    let pane = |number: usize| -> Vec<&[u8]> {
        image
            .rgba
            .chunks_exact(4 * image.width as usize)
            .map(|row| &row[4 * number * side..4 * (number + 1) * side])
            .collect()
    };
    assert!(pane(0) != pane(1) && pane(1) != pane(2));

    let text =
        String::from_utf8(common::run_well(&mut common::sinew(["why", "--joint", "elbow", "--frames", "5"])));
    let text = text.unwrap();
    assert!(
        text.contains("'elbow' matches two joints. forearm.") && text.contains(" is shown; forearm."),
        "{text}"
    );
    for line in [
        "Worst in lbs: clip ",
        "Why: lbs averages ",
        "Choose: ",
        "Vertices to blame",
        "See it:   sinew ",
        "Sweep it: sinew sweep ",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let fails = |words: &[&str], says: &str| {
        let run = common::run(common::sinew(["why"]).args(words));
        assert_eq!((run.code, run.err.lines().count()), (Some(1), 1), "{words:?}: {}", run.err);
        assert!(run.err.contains(says), "{words:?}: {}", run.err);
    };
    fails(&["--joint", "quux"], "quux");
    fails(&["--joint", "root"], "no vertex bends there");
    fails(&["--clip", "quux"], "--clip: ");
}

#[test]
fn a_list_is_begun_for_models_and_shares_are_disjoint() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        common::run(common::sinew(["builtins", "--write"]).arg(folder.path().join("models"))).code,
        Some(0)
    );
    let tests = folder.path().join("tests");
    let model = folder.path().join("models/twist.glb");
    common::run_well(common::sinew(["golden"]).arg(&tests).arg("--init").arg(&model).arg("builtin:strip"));
    let list = std::fs::read_to_string(tests.join("golden.toml")).unwrap();
    assert!(list.contains("model = \"../models/twist.glb\""), "{list}");
    let json = |words: &[&str]| -> Value {
        let out = common::run_well(common::sinew(["golden"]).arg(&tests).args(words).arg("--json"));
        serde_json::from_slice(&out).unwrap()
    };
    let all = json(&[])["passed"].as_u64().unwrap();
    assert!(all >= 9, "{all}");
    let junit = folder.path().join("junit.xml");
    let first = json(&["--shard", "1/2", "--junit", junit.to_str().unwrap()])["passed"].as_u64().unwrap();
    let second = json(&["--shard", "2/2"])["passed"].as_u64().unwrap();
    assert_eq!(first + second, all);
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert_eq!(xml.matches("<testcase ").count() as u64, first);
    // The list is the user's from now on.
    let again = common::run(common::sinew(["golden"]).arg(&tests).arg("--init").arg(&model));
    assert_eq!((again.code, again.err.lines().count()), (Some(5), 1), "{}", again.err);
    std::fs::write(
        tests.join("golden.toml"),
        "[[case]]\nname = \"every\"\nmodel = \"../models/t*.glb\"\npose = \"bind\"\n",
    )
    .unwrap();
    let run = common::run(common::sinew(["golden"]).arg(&tests).arg("--update"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(tests.join("every-twist.png").is_file() && tests.join("every-tube-8.png").is_file());
    let empty = common::run(common::sinew(["golden"]).arg(folder.path()));
    assert!(empty.code == Some(1) && empty.err.contains("--init"), "{}", empty.err);
}
