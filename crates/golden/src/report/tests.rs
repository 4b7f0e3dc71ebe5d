//! Tests that a report is written and removed as a whole, beside other runs and in folders with other files.

use super::*;
use crate::{Limits, Tolerances, Verdict};
use sinew_system::output::{Inputs, Role};

fn picture(level: u8) -> Image {
    Image { width: 8, height: 4, rgba: [level, 10, 20, 255].repeat(32) }
}

fn none() -> Closed {
    Inputs::none().close()
}

fn case(name: &str) -> Case {
    Case {
        name: name.to_owned(),
        group: name.to_owned(),
        line: 1,
        model: String::new(),
        settings: Vec::new(),
        tolerances: Tolerances::default(),
        stand_in: None,
    }
}

/// A run over some of the cases `walk`, `run` and `jump`.
struct Run {
    report: Report,
    list: List,
    outcomes: Vec<Outcome>,
}

impl Run {
    fn new(folder: &Path, names: &[&str]) -> Self {
        let all: Vec<Case> = ["walk", "run", "jump"].map(case).into();
        let list =
            List { cases: names.iter().map(|name| case(name)).collect(), tolerances: Tolerances::default() };
        Self { report: Report::new(folder, true, &all), list, outcomes: Vec::new() }
    }

    fn fails(mut self, name: &str) -> Self {
        let (a, b) = (picture(1), picture(200));
        let difference = Difference::between(&a, &b).unwrap();
        self.report.keep(&none(), name, Some(&a), Some(&difference), Some(&b)).unwrap();
        self
    }

    fn end(mut self) -> Result<(), ReportError> {
        for case in &self.list.cases {
            let is_failure = self.report.parts.contains_key(&case.name);
            self.outcomes.push(Outcome {
                name: case.name.clone(),
                verdict: if is_failure { Verdict::Missing } else { Verdict::Same },
                limits: Limits::default(),
                command: String::new(),
                skinned: Default::default(),
                blessed: None,
            });
        }
        let goldens = self.report.folder.with_file_name("goldens");
        fs::create_dir_all(&goldens).unwrap();
        for case in &self.list.cases {
            fs::write(golden_path(&goldens, case), "golden").unwrap();
        }
        self.report.finish(&none(), &goldens, &self.list, &self.outcomes, "device", &|_| String::new())
    }
}

fn page_of(folder: &Path) -> String {
    fs::read_to_string(folder.join(PAGE)).unwrap()
}

#[test]
fn a_report_comes_and_goes_whole() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("failures");
    let run = Run::new(&folder, &["walk"]).fails("walk");
    assert!(!folder.join("strips/walk.png").exists(), "it waits for the end of the run");
    run.end().unwrap();
    let strip = sinew_image::read_png(&folder.join("strips/walk.png")).unwrap();
    assert_eq!([strip.width, strip.height], [8 * 3 + 4 * 2, 4]);
    assert!(folder.join("difference/walk.png").exists() && page_of(&folder).contains("id=\"walk\""));
    Run::new(&folder, &["walk"]).end().unwrap();
    assert!(!folder.exists(), "something is left");
}

/// Shards begin and end in any order, and each replaces only the pictures that it has drawn.
#[test]
fn runs_at_once_share_a_report() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("failures");
    Run::new(&folder, &["walk", "run"]).fails("walk").fails("run").end().unwrap();
    let first = Run::new(&folder, &["walk"]).fails("walk");
    let second = Run::new(&folder, &["run", "jump"]).fails("jump");
    second.end().unwrap();
    first.end().unwrap();
    let page = page_of(&folder);
    for (name, is_failure) in [("walk", true), ("run", false), ("jump", true)] {
        let class = if is_failure { "fail" } else { "pass" };
        assert!(page.contains(&format!("<article class=\"{class}\" id=\"{name}\">")), "{name}: {page}");
        assert_eq!(folder.join(format!("actual/{name}.png")).exists(), is_failure, "{name}");
    }
    // One shard passes: the other's failures stay. Then the other passes as well.
    Run::new(&folder, &["walk"]).end().unwrap();
    assert!(!folder.join("actual/walk.png").exists() && folder.join("actual/jump.png").exists());
    Run::new(&folder, &["run", "jump"]).end().unwrap();
    assert!(!folder.exists());
}

#[test]
fn a_report_is_whole_however_runs_interleave() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("failures");
    for round in 0..20 {
        std::thread::scope(|scope| {
            for name in ["walk", "run", "jump"] {
                let folder = &folder;
                scope.spawn(move || Run::new(folder, &[name]).fails(name).end().unwrap());
            }
        });
        let page = page_of(&folder);
        for name in ["walk", "run", "jump"] {
            let is_there = folder.join(format!("strips/{name}.png")).exists();
            assert!(is_there && page.contains(&format!("id=\"{name}\"")), "{name} in round {round}");
        }
        if round % 2 == 1 {
            std::thread::scope(|scope| {
                for name in ["walk", "run", "jump"] {
                    let folder = &folder;
                    scope.spawn(move || Run::new(folder, &[name]).end().unwrap());
                }
            });
            assert!(!folder.exists(), "something is left in round {round}");
        }
    }
}

/// A run that ends early leaves the report as it was.
#[test]
fn a_run_that_does_not_end_changes_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("failures");
    Run::new(&folder, &["walk"]).fails("walk").end().unwrap();
    let before = page_of(&folder);
    drop(Run::new(&folder, &["walk", "run"]).fails("run"));
    assert!(page_of(&folder) == before && !folder.join("actual/run.png").exists());
    assert_eq!(fs::read_dir(folder.join("actual")).unwrap().count(), 1);
}

/// A file of an earlier report may be an input of this run.
#[test]
fn what_the_run_reads_stays() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("failures");
    Run::new(&folder, &["walk"]).fails("walk").end().unwrap();
    let kept = folder.join("actual/walk.png");
    let mut inputs = Inputs::none();
    inputs.add(&kept, Role::Golden).unwrap();
    assert!(Report::check(&folder, true, &[], &inputs.close()).is_err());
    assert!(kept.exists() && folder.join("expected/walk.png").exists() && folder.join(MARK).exists());
}

#[test]
fn what_is_not_ours_is_neither_removed_nor_written_among() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("failures");
    Run::new(&folder, &["walk"]).fails("walk").end().unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("actual/mine.png"), "mine").unwrap();
    let mut run = Run::new(&folder, &["walk"]);
    let error = run.report.keep(&none(), "walk", None, None, Some(&picture(1))).unwrap_err();
    assert!(error.to_string().contains("did not write"), "{error}");
    let mark = folder.join(MARK);
    let outside = parent.path().join("outside.png");
    fs::write(&outside, "theirs").unwrap();
    let listed = fs::read_to_string(&mark).unwrap();
    fs::write(&mark, format!("{listed}../outside.png\nactual/../../outside.png\nnotes.txt\n/etc/passwd\n"))
        .unwrap();
    Run::new(&folder, &["walk"]).end().unwrap();
    assert!(folder.join("notes.txt").exists() && folder.join("actual/mine.png").exists());
    assert!(outside.exists() && !folder.join("strips").exists() && !mark.exists());
}

#[cfg(unix)]
#[test]
fn no_link_in_a_report_is_followed() {
    use std::os::unix::fs::symlink;
    let parent = tempfile::tempdir().unwrap();
    let (folder, elsewhere) = (parent.path().join("failures"), parent.path().join("elsewhere"));
    for path in [&folder, &elsewhere] {
        fs::create_dir(path).unwrap();
    }
    fs::write(elsewhere.join("walk.png"), "theirs").unwrap();
    fs::write(elsewhere.join("page"), "theirs").unwrap();
    symlink("../elsewhere", folder.join("expected")).unwrap();
    symlink("../elsewhere/page", folder.join(PAGE)).unwrap();
    fs::write(folder.join(MARK), "index.html\nexpected/walk.png\n").unwrap();
    let stays = || {
        for name in ["walk.png", "page"] {
            assert_eq!(fs::read_to_string(elsewhere.join(name)).unwrap(), "theirs", "{name}");
        }
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 2);
    };
    let mut run = Run::new(&folder, &["walk"]);
    let error = run.report.keep(&none(), "walk", None, None, Some(&picture(1))).unwrap_err();
    assert!(error.to_string().contains("a link"), "{error}");
    stays();
    Run::new(&folder, &["walk"]).end().unwrap();
    stays();
    // The folder itself is a link, and the user did not name it.
    symlink("elsewhere", parent.path().join("linked")).unwrap();
    let all = [case("walk")];
    let mut report = Report::new(&parent.path().join("linked"), false, &all);
    let error = report.keep(&none(), "walk", None, None, Some(&picture(1))).unwrap_err();
    assert!(error.to_string().contains("a link"), "{error}");
    stays();
}
