//! Runs the check step of action.yml and the hook of .pre-commit-hooks.yaml as scripts, on inputs that pass and that fail.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{PROGRAM, Run, at_home, run, run_well, sinew};
use crate::conformance::place;

/// A command that finds the program of this build on its path.
fn with_program(program: &str) -> Command {
    let mut command = at_home(program);
    let paths = std::env::var("PATH").unwrap();
    let folder = Path::new(PROGRAM).parent().unwrap();
    command.env("PATH", format!("{}:{paths}", folder.display())).env_remove("UPDATE_GOLDEN");
    command
}

/// Runs the check step as action.yml does. Its results go to `checked`.
fn check(folder: &Path, words: &str) -> Run {
    let _ = fs::remove_dir_all(folder.join("checked"));
    let mut command = with_program("bash");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/action.sh")).arg("check");
    command
        .env("SINEW_COMMAND", words)
        .env("SINEW_OUTPUT", "checked")
        .env("GITHUB_STEP_SUMMARY", "summary.md");
    run(command.current_dir(folder))
}

/// Fails unless a check ends with this code, prints, and leaves a summary and XML with failures or without.
#[track_caller]
fn assert_checked(folder: &Path, words: &str, code: i32) {
    let Run { code: found, out, err } = check(folder, words);
    assert_eq!((found, err.is_empty()), (Some(code), code == 0), "{words}: {err}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(!out.is_empty() && read("checked/output.txt").as_bytes() == out, "{words}");
    assert!(read("summary.md").ends_with(&read("checked/summary.md")), "{words}");
    let verdict = if code == 0 { ": passes (" } else { " fail" };
    assert!(read("checked/summary.md").lines().next().unwrap().contains(verdict), "{words}");
    // Python's parser refuses what is not XML.
    let count = "import sys, xml.etree.ElementTree as tree
print(len(tree.parse(sys.argv[1]).getroot().findall('.//failure')))";
    let counted =
        run_well(Command::new("python3").args(["-c", count]).arg(folder.join("checked/results.xml")));
    assert_eq!(counted == b"0\n", code == 0, "{words}");
}

#[test]
fn the_action_checks_and_writes_its_results() {
    if run(Command::new("sh").args(["-c", "python3 -c ''"])).code != Some(0) {
        eprintln!("left out: the action needs python3");
        return;
    }
    let suite = place();
    let folder = suite.path();
    fs::write(folder.join("a rod.glb"), sinew::model::builtin::glb("twist").unwrap()).unwrap();
    fs::create_dir(folder.join("pictures")).unwrap();
    let list = "[[case]]\nname = \"rod\"\nmodel = \"../a rod.glb\"\nsize = \"48x48\"\ntime = 1\n";
    fs::write(folder.join("pictures/golden.toml"), list).unwrap();
    run_well(sinew(["golden", "pictures", "--update"]).current_dir(folder));

    for words in [
        "compare 'a rod.glb' builtin:twist --all-clips --fail-above 1mm",
        "conformance --judge results",
        "golden pictures",
        "inspect 'a rod.glb' --weights --strict",
    ] {
        assert_checked(folder, words, 0);
    }
    fs::write(folder.join("pictures/golden.toml"), format!("{list}mode = \"dqs\"\n")).unwrap();
    fs::copy(folder.join("results/influences-04.dqs.npz"), folder.join("results/influences-04.lbs.npz"))
        .unwrap();
    for words in [
        "compare builtin:twist --all-clips --fail-above 1mm",
        "conformance --judge results",
        "inspect builtin:tube-12 --weights --strict",
        "golden pictures",
    ] {
        assert_checked(folder, words, 6);
    }
    for part in ["expected", "difference", "actual"] {
        assert!(folder.join("checked/pictures").join(part).join("rod.png").exists(), "{part}");
    }

    // Errors keep their code; words are neither other commands nor run by the shell.
    for (words, code, says) in [
        ("inspect nix.glb --weights", 1, "nix.glb: no such file"),
        ("golden nix", 1, "nix"),
        ("compare --nope", 2, "--nope"),
        ("export builtin:twist -o x.obj", 2, "'export' is none of compare, golden, conformance, inspect"),
        ("", 2, "'' is none of"),
        ("inspect '$(touch ran)' --weights", 1, "$(touch ran)"),
    ] {
        let Run { code: found, err, .. } = check(folder, words);
        assert!(found == Some(code) && err.contains(says), "{words}: {found:?} {err}");
        let summary = fs::read_to_string(folder.join("checked/summary.md")).unwrap_or_default();
        assert!(err.starts_with("action: ") || summary.contains(says), "{words}: {summary}");
        assert!(!folder.join("checked/results.xml").exists(), "{words}");
    }
    assert!(!folder.join("ran").exists());
}

#[test]
fn the_hook_refuses_bad_models_and_names_them() {
    let hooks =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml")).unwrap();
    let entry = hooks.lines().find_map(|line| line.trim().strip_prefix("entry: ")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for name in ["bend", "tube-12"] {
        let file = folder.path().join(format!("a {name}.glb"));
        fs::write(file, sinew::model::builtin::glb(name).unwrap()).unwrap();
    }
    fs::write(folder.path().join("cut.glb"), b"glTF").unwrap();
    let hook = |files: &[&str]| {
        // The entry's words, then the files: as pre-commit starts it.
        let mut command = with_program("sh");
        command.args(["-c", &format!("{entry} \"$@\""), "hook"]).args(files);
        let Run { code, out, err } = run(command.current_dir(folder.path()));
        (code, String::from_utf8(out).unwrap() + &err)
    };
    assert_eq!(hook(&["a bend.glb"]), (Some(0), String::new()));
    let (code, said) = hook(&["cut.glb", "a bend.glb", "a tube-12.glb"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("cut.glb") && said.contains("a tube-12.glb") && !said.contains("bend"), "{said}");
}
