//! Tests folders that a stranger has prepared: with links out of them under every name that sinew writes or removes, and
//! with lists that name other files. Nothing outside such a folder may change.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::common::{Run, run, run_well, sinew};

/// A folder of a stranger, and one with files that must stay.
struct Trap(tempfile::TempDir);

/// The content of the files that must stay.
const THEIRS: &str = "theirs";

impl Trap {
    fn new() -> Self {
        let trap = Self(tempfile::tempdir().unwrap());
        for folder in ["it", "elsewhere"] {
            fs::create_dir(trap.path(folder)).unwrap();
        }
        trap
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path("it").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes `name` in the folder a link to a file elsewhere.
    fn link(&self, name: &str) {
        let there = self.path("elsewhere").join(name.replace('/', "_"));
        fs::write(&there, THEIRS).unwrap();
        self.link_to(name, &there);
    }

    /// Makes `name` in the folder a link to a folder elsewhere that has these files.
    fn link_folder(&self, name: &str, files: &[&str]) {
        let there = self.path("elsewhere").join(name.replace('/', "_"));
        fs::create_dir_all(&there).unwrap();
        for file in files {
            fs::write(there.join(file), THEIRS).unwrap();
        }
        self.link_to(name, &there);
    }

    fn link_to(&self, name: &str, there: &Path) {
        let here = self.path("it").join(name);
        fs::create_dir_all(here.parent().unwrap()).unwrap();
        symlink(there, here).unwrap();
    }

    fn elsewhere(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn all(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => all(&path, found),
                    false => drop(found.insert(path.clone(), fs::read(&path).unwrap())),
                }
            }
        }
        let mut found = BTreeMap::new();
        all(&self.path("elsewhere"), &mut found);
        found
    }

    /// Runs a command beside the folder; whatever it says, nothing elsewhere changes. Returns its exit code.
    #[track_caller]
    fn run(&self, words: &[&str]) -> Option<i32> {
        let before = self.elsewhere();
        let Run { code, err, .. } = run(sinew(words).current_dir(self.0.path()));
        assert!(matches!(code, Some(0 | 5 | 6)), "{words:?}: {code:?} {err}");
        assert!(before == self.elsewhere(), "{words:?} has changed files elsewhere: {err}");
        code
    }
}

const LIST: &str = "[[case]]\nname = \"walk\"\nmodel = \"builtin:strip\"\nsize = \"16x16\"\n";

/// Every list that may lie in a folder of failures, old and new.
const LEDGERS: [&str; 2] = [
    "index.html\nexpected/walk.png\nstrips/walk.png\nactual/walk.png\n../../elsewhere/x\n",
    "index.html\n{\"case\":\"walk\",\"passes\":false,\"word\":\"differs\",\"detail\":\"\",\"allowed\":\"\",\
     \"command\":\"\",\"device\":\"\",\"parts\":[\"expected\",\"strips\",\"actual\",\"../../elsewhere\"]}\n",
];

#[test]
fn goldens_of_a_stranger_change_nothing_elsewhere() {
    for ledger in LEDGERS {
        let part = || {
            let trap = Trap::new();
            trap.write("golden.toml", LIST);
            trap.write("failures/.sinew-golden", ledger);
            trap
        };
        for name in ["expected", "strips", "actual", "difference"] {
            let trap = part();
            trap.link_folder(&format!("failures/{name}"), &["walk.png"]);
            trap.run(&["golden", "it"]);
            trap.run(&["golden", "it", "--update"]);
            trap.run(&["golden", "it"]);
        }
        for name in ["index.html", "actual/walk.png", "strips/walk.png", "expected/walk.png"] {
            let trap = part();
            trap.link(&format!("failures/{name}"));
            trap.run(&["golden", "it"]);
            trap.run(&["golden", "it", "--update"]);
            trap.run(&["golden", "it"]);
            let link = trap.path("it/failures").join(name);
            assert!(link.is_symlink(), "{name}: a link is no file that sinew wrote");
        }
        // The folder itself, and its list.
        let trap = Trap::new();
        trap.write("golden.toml", LIST);
        trap.link_folder("failures", &["index.html"]);
        fs::write(trap.path("elsewhere/failures/.sinew-golden"), ledger).unwrap();
        assert_eq!(trap.run(&["golden", "it"]), Some(5));
        let trap = Trap::new();
        trap.write("golden.toml", LIST);
        trap.write("failures/mine.txt", "mine");
        trap.link("failures/.sinew-golden");
        fs::write(trap.path("elsewhere/failures_.sinew-golden"), ledger).unwrap();
        assert_eq!(trap.run(&["golden", "it"]), Some(5));
    }
}

#[test]
fn a_golden_that_is_a_link_is_not_replaced() {
    let trap = Trap::new();
    trap.write("golden.toml", LIST);
    trap.link("walk.png");
    assert_eq!(trap.run(&["golden", "it", "--update"]), Some(5));
    assert!(trap.path("it/walk.png").is_symlink());
    // A list that is a link to nothing is not written through.
    let trap = Trap::new();
    trap.link_to("golden.toml", &trap.path("elsewhere/new.toml"));
    assert_eq!(trap.run(&["golden", "it", "--init", "builtin:strip"]), Some(5));
}

#[test]
fn reports_and_files_in_a_folder_of_a_stranger_follow_no_links() {
    let mark = "{\"program\":\"sinew 0.1.0\"}";
    for name in ["index.html", "report.csv"] {
        let trap = Trap::new();
        trap.write("report.json", mark);
        trap.link(name);
        assert_eq!(trap.run(&["report", "builtin:strip", "--no-pictures", "-o", "it"]), Some(5), "{name}");
    }
    // A site: the folder of a model, whose name is no secret.
    let trap = Trap::new();
    let two = ["report", "builtin:strip", "builtin:bend", "--no-pictures", "-o", "it"];
    run_well(sinew(two).current_dir(trap.0.path()));
    let strip = fs::read_dir(trap.path("it")).unwrap().map(|entry| entry.unwrap().path());
    let strip = strip.into_iter().find(|path| path.to_string_lossy().contains("strip-")).unwrap();
    fs::rename(&strip, trap.path("elsewhere/site")).unwrap();
    symlink(trap.path("elsewhere/site"), &strip).unwrap();
    assert_eq!(trap.run(&two), Some(5));
    for (words, name) in [
        (&["builtins", "--write", "it"][..], "bend.glb"),
        (&["man", "--write", "it"], "sinew.1"),
        (&["builtin:strip", "--size", "8x8", "--turntable", "2", "-s", "it/a-{frame}.png"], "a-0001.png"),
        (&["bake", "builtin:strip", "--fps", "1", "-o", "it/a-{frame}.ply"], "a-0001.ply"),
        (&["bake", "builtin:twist", "--fps", "1", "-o", "it/a-{frame}.obj"], "a.mtl"),
        (&["export", "builtin:twist", "--on", "cpu", "-o", "it/a.obj"], "a.mtl"),
    ] {
        let trap = Trap::new();
        trap.link(name);
        assert_eq!(trap.run(words), Some(5), "{words:?}");
    }
}

/// Two shards of a list run at once into one folder, as CI does.
#[test]
fn shards_run_at_once_and_share_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..8).map(|number| format!("c{number}")).collect();
    let case = |name: &String| LIST.replace("walk", name);
    fs::write(folder.path().join("golden.toml"), names.iter().map(case).collect::<String>()).unwrap();
    for _ in 0..2 {
        let shards = ["1/3", "2/3", "3/3"].map(|shard| {
            let mut command = sinew(["golden", ".", "--shard", shard]);
            command.current_dir(folder.path());
            std::thread::spawn(move || run(&mut command))
        });
        for shard in shards {
            let Run { code, err, .. } = shard.join().unwrap();
            assert_eq!(code, Some(6), "{err}");
        }
        let page = fs::read_to_string(folder.path().join("failures/index.html")).unwrap();
        for name in &names {
            assert!(page.contains(&format!("id=\"{name}\"")), "{name} is not on the page");
            assert!(folder.path().join(format!("failures/actual/{name}.png")).is_file(), "{name}");
        }
        let left = fs::read_dir(folder.path().join("failures")).unwrap().count();
        assert_eq!(left, 4, "two folders of pictures, the page and the list");
    }
    // Accepted by all, it goes.
    run_well(sinew(["golden", ".", "--update"]).current_dir(folder.path()));
    assert!(!folder.path().join("failures").exists());
}
