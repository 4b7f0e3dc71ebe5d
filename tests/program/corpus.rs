//! `sinew corpus`: runs that are killed, divided and merged end in the same tables, and assets that crash, hang or grow are rows.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Run, run, run_well, sinew};

/// Writes the built-in models into `models` of a folder, and a file that is no model.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("models");
    assert_eq!(run(sinew(["builtins", "--write"]).arg(&models)).code, Some(0));
    fs::remove_file(models.join("character.glb")).unwrap();
    fs::create_dir(models.join("below")).unwrap();
    fs::write(models.join("below/broken.glb"), "no model").unwrap();
    folder
}

/// The beginning of a ledger.
const START: &str = "{\"program\":\"sinew ";

fn corpus(folder: &Path, words: &[&str]) -> Command {
    let mut command = sinew(["corpus"]);
    command.args(words).current_dir(folder);
    command
}

/// The tables of a run.
fn tables(folder: &Path, out: &str) -> Vec<String> {
    let files = ["assets.csv", "clips.csv", "triage.json", "index.html"];
    files.iter().map(|file| fs::read_to_string(folder.join(out).join(file)).unwrap()).collect()
}

/// Returns a child of any of a process's threads.
fn child_of(threads: &str) -> Option<String> {
    let threads = fs::read_dir(threads).unwrap().flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    children.filter_map(|text| text.split_whitespace().next().map(str::to_owned)).next()
}

fn lines(folder: &Path, out: &str) -> usize {
    fs::read_to_string(folder.join(out).join("corpus.jsonl")).map_or(0, |text| text.lines().count())
}

#[test]
fn a_run_that_was_killed_in_its_first_line_goes_on() {
    let folder = folder();
    let folder = folder.path();
    let check = ["check", "builtin:bend", "--pages", "0", "-o", "out"];
    run_well(&mut corpus(folder, &check));
    let ledger = folder.join("out/corpus.jsonl");
    let (whole, all) = (fs::read(&ledger).unwrap(), tables(folder, "out"));
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
    for kept in [0, 1, START.len(), first / 2, first, first + 1] {
        fs::remove_dir_all(folder.join("out")).unwrap();
        fs::create_dir(folder.join("out")).unwrap();
        fs::write(&ledger, &whole[..kept]).unwrap();
        run_well(&mut corpus(folder, &check));
        assert!(tables(folder, "out") == all, "{kept} bytes of {first}");
        assert!(fs::read(&ledger).unwrap().starts_with(&whole[..=first]), "{kept}");
    }
    // A part of the first line may have another level, files beside it, or lines after it.
    for torn in ["", "0.0.1\",\"corpus\":\"check\",\"level\":\"nor", "0.0.1\",\"cor\n", "\n{\"asset\":\"x"] {
        fs::write(&ledger, format!("{START}{torn}")).unwrap();
        run_well(&mut corpus(folder, &check));
        assert!(tables(folder, "out") == all, "{torn}");
        let text = String::from_utf8(run_well(&mut corpus(folder, &check))).unwrap();
        assert!(text.contains(", 0 run now"), "{torn:?}: {text}");
    }
    // Beside another file, less is no ledger.
    fs::write(&ledger, "{\"pro").unwrap();
    fs::write(folder.join("out/mine.txt"), "").unwrap();
    assert_eq!(run(&mut corpus(folder, &check)).code, Some(5));
    assert_eq!(fs::read_to_string(&ledger).unwrap(), "{\"pro");
}

#[test]
fn killed_and_divided_runs_end_in_the_same_tables() {
    let folder = folder();
    let folder = folder.path();
    let text = String::from_utf8(run_well(&mut corpus(folder, &["check", "models", "-o", "whole"]))).unwrap();
    let count = 9;
    assert!(
        text.starts_with(&format!("{count} models at level quick: {} without errors", count - 1)),
        "{text}"
    );
    let whole = tables(folder, "whole");
    assert!(whole[0].contains("\nbelow/broken.glb,1,unreadable,"), "{}", whole[0]);
    assert_eq!(whole[0].lines().count(), count + 1);

    // Kill the run as soon as it has results, again and again.
    for results in [2, 4, 7] {
        let mut run = corpus(folder, &["check", "models", "-o", "killed", "--jobs", "1"]).spawn().unwrap();
        let start = Instant::now();
        while lines(folder, "killed") <= results && run.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(2));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    // A part of a line is what a kill leaves at worst.
    let ledger = folder.join("killed/corpus.jsonl");
    let mut text = fs::read_to_string(&ledger).unwrap();
    text += "{\"asset\":\"bend.glb\",\"run\"";
    fs::write(&ledger, text).unwrap();
    let before = lines(folder, "killed");
    run_well(&mut corpus(folder, &["check", "models", "-o", "killed"]));
    assert!(tables(folder, "killed") == whole);
    assert!(lines(folder, "killed") - before < count, "finished assets were run again");
    // Nothing is left to run; a changed file is.
    let text =
        String::from_utf8(run_well(&mut corpus(folder, &["check", "models", "-o", "killed"]))).unwrap();
    assert!(text.contains(", 0 run now"), "{text}");
    fs::copy(folder.join("models/bend.glb"), folder.join("models/strip.glb")).unwrap();
    let text =
        String::from_utf8(run_well(&mut corpus(folder, &["check", "models", "-o", "killed"]))).unwrap();
    assert!(text.contains(", 1 run now"), "{text}");

    for share in ["1/3", "2/3", "3/3"] {
        let out = format!("share-{}", &share[..1]);
        run_well(&mut corpus(folder, &["check", "models", "-o", &out, "--shard", share]));
    }
    run_well(&mut corpus(folder, &["merge", "share-1", "share-2", "share-3", "-o", "merged"]));
    assert!(tables(folder, "merged") == tables(folder, "killed"));
    let other =
        corpus(folder, &["check", "models", "-o", "normal", "--level", "normal", "--shard", "1/9"]).status();
    assert!(other.unwrap().success());
    let Run { code, err, .. } = run(&mut corpus(folder, &["merge", "share-1", "normal", "-o", "mixed"]));
    assert!(code == Some(1) && err.contains("another action, level or program version"), "{err}");
}

#[test]
fn pairs_are_compared_and_judged() {
    let folder = folder();
    let folder = folder.path();
    fs::create_dir(folder.join("new")).unwrap();
    for name in ["bend.glb", "strip.glb", "tube-8.glb"] {
        fs::copy(folder.join("models").join(name), folder.join("new").join(name)).unwrap();
    }
    run_well(
        sinew(["weights", "models/bend.glb", "--set", "upper=1", "-o", "new/bend.glb"]).current_dir(folder),
    );
    let words = ["compare", "models", "new", "-o", "out", "--junit", "out.xml"];
    let text = String::from_utf8(run_well(&mut corpus(folder, &words))).unwrap();
    let rows = &tables(folder, "out")[0];
    let kind = |name: &str| {
        let row = rows.lines().find(|row| row.starts_with(&format!("{name},"))).unwrap();
        row.split(',').nth(2).unwrap().to_owned()
    };
    assert_eq!(
        ["bend.glb", "strip.glb", "tube-8.glb", "twist.glb"].map(kind),
        ["weights", "", "", "gone"],
        "{text}"
    );
    assert!(fs::read_to_string(folder.join("out.xml")).unwrap().contains("bend.glb weights"));
    let words = ["compare", "models", "new", "-o", "out", "--fail-on", "weights"];
    let Run { code, err, .. } = run(&mut corpus(folder, &words));
    assert!(code == Some(6) && err.contains("bend.glb weights"), "{code:?} {err}");
    fs::write(folder.join("pairs.csv"), "old,new\nmodels/strip.glb,new/strip.glb\n").unwrap();
    let text = run_well(&mut corpus(folder, &["compare", "pairs.csv", "-o", "listed"]));
    assert!(String::from_utf8(text).unwrap().starts_with("1 pair at level quick: 1 without errors"));
}

#[test]
fn an_asset_that_crashes_hangs_or_grows_is_a_row() {
    let folder = folder();
    let folder = folder.path();
    let heavy = ["check", "builtin:character", "--level", "full", "-o"];
    let with = |out: &str, more: &[&str]| {
        run_well(&mut corpus(folder, &[&heavy[..], &[out], more].concat()));
        tables(folder, out)[0].lines().nth(1).unwrap().to_owned()
    };
    assert!(
        with("time", &["--limit-time", "1"]).starts_with("builtin:character,1,time,,it took more than 1 s")
    );
    if cfg!(target_os = "linux") {
        let row = with("memory", &["--limit-memory", "8"]);
        assert!(row.starts_with("builtin:character,1,memory,,it took more than 8 MiB"), "{row}");
        let mut run = corpus(folder, &[&heavy[..], &["crash"]].concat()).spawn().unwrap();
        let start = Instant::now();
        let parent = run.id().to_string();
        let children = format!("/proc/{parent}/task");
        // Rust's handler returns from a first SIGSEGV that no access caused.
        while !child_of(&children)
            .is_some_and(|child| Command::new("kill").args(["-ABRT", &child]).status().unwrap().success())
        {
            assert!(start.elapsed() < Duration::from_secs(30));
        }
        assert!(run.wait().unwrap().success());
        let row = tables(folder, "crash")[0].lines().nth(1).unwrap().to_owned();
        assert!(row.starts_with("builtin:character,1,crash,"), "{row}");
    }
}

#[test]
fn removed_models_leave_tables_and_merges_and_may_return() {
    let folder = folder();
    let folder = folder.path();
    let check = ["check", "models", "-o", "out", "--pages", "0"];
    let merge = |out: &str| {
        run_well(&mut corpus(folder, &["merge", "out", "-o", out, "--pages", "0"]));
        tables(folder, out)
    };
    let said = || String::from_utf8(run_well(&mut corpus(folder, &check))).unwrap();
    said();
    let whole = merge("merged");
    assert!(whole == tables(folder, "out") && whole[0].contains("\nbend.glb,"));
    fs::rename(folder.join("models/bend.glb"), folder.join("kept.glb")).unwrap();
    assert!(said().contains(", 0 run now"));
    let less = tables(folder, "out");
    assert!(!less[0].contains("\nbend.glb,"));
    for out in ["merged", "fresh"] {
        assert!(merge(out) == less, "{out}");
    }
    // A ledger that was merged has it no longer, either.
    run_well(&mut corpus(folder, &["merge", "merged", "-o", "again", "--pages", "0"]));
    assert!(tables(folder, "again") == less);
    // It returns without another run.
    fs::rename(folder.join("kept.glb"), folder.join("models/bend.glb")).unwrap();
    assert!(said().contains(", 0 run now"));
    assert!(merge("merged") == whole && merge("fresh") == whole);
}

#[test]
fn tables_of_another_build_are_removed_if_the_ledger_has_them() {
    let folder = folder();
    let folder = folder.path();
    let check = ["check", "builtin:bend", "-o", "out", "--pages", "0"];
    run_well(&mut corpus(folder, &check));
    let table = |name: &str| folder.join("out").join(name);
    let is_current = |name: &str| fs::read(table(name)).is_ok_and(|bytes| bytes.starts_with(b"PAR1"));
    assert_eq!(is_current("assets.parquet"), cfg!(feature = "parquet"));
    // As another build would leave it: one table that its ledger has, and one that it does not have.
    let note = "{\"wrote\":[\"assets.parquet\"]}\n";
    fs::write(table("corpus.jsonl"), fs::read_to_string(table("corpus.jsonl")).unwrap() + note).unwrap();
    fs::write(table("assets.parquet"), "old").unwrap();
    fs::write(table("clips.parquet"), "mine").unwrap();
    run_well(&mut corpus(folder, &check));
    if cfg!(feature = "parquet") {
        assert!(is_current("assets.parquet") && is_current("clips.parquet"));
    } else {
        assert!(!table("assets.parquet").exists());
        assert_eq!(fs::read_to_string(table("clips.parquet")).unwrap(), "mine");
    }
}

#[test]
fn the_processes_of_a_killed_run_end() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = folder();
    let mut run = corpus(folder.path(), &["check", "builtin:character", "--level", "full", "-o", "out"])
        .spawn()
        .unwrap();
    let (start, threads) = (Instant::now(), format!("/proc/{}/task", run.id()));
    let is_stopped = |child: &String| {
        let is_sinew =
            fs::read_to_string(format!("/proc/{child}/cmdline")).is_ok_and(|words| words.contains("one"));
        is_sinew && Command::new("kill").args(["-STOP", child]).status().unwrap().success()
    };
    // A stopped process does not end by itself.
    let child = loop {
        if let Some(child) = child_of(&threads).filter(is_stopped) {
            break child;
        }
        assert!(start.elapsed() < Duration::from_secs(30));
    };
    run.kill().unwrap();
    run.wait().unwrap();
    let start = Instant::now();
    let lives = || {
        let status = fs::read_to_string(format!("/proc/{child}/status")).unwrap_or_default();
        status.contains("State:") && !status.contains("State:\tZ")
    };
    while lives() {
        if start.elapsed() > Duration::from_secs(10) {
            let _ = Command::new("kill").args(["-KILL", &child]).status();
            panic!("{child} goes on without its run");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn pages_get_their_pictures_when_there_is_vulkan() {
    let folder = folder();
    let folder = folder.path();
    let far =
        ["weights", "models/bend.glb", "--set", "upper=0.7", "--where", "vertex:node0:0:5", "-o", "far.glb"];
    run_well(sinew(far).current_dir(folder));
    let check = ["check", "far.glb", "-o", "out", "--pages", "1"];
    let pages = || -> Vec<String> {
        let pages = fs::read_dir(folder.join("out/pages")).unwrap().flatten();
        pages.map(|page| page.file_name().into_string().unwrap()).collect()
    };
    let is_linked = |page: &str| tables(folder, "out")[3].contains(&format!("href=\"pages/{page}\""));
    let mut without = corpus(folder, &check);
    let nowhere = folder.join("no-driver.json");
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        without.env(variable, &nowhere);
    }
    for _ in 0..2 {
        let Run { code, err, .. } = run(&mut without);
        assert!(code == Some(0) && !err.contains("no page"), "{code:?} {err}");
        let [page] = pages().try_into().unwrap();
        assert!(page.ends_with("-without-pictures.html") && is_linked(&page), "{page}");
        let text = fs::read_to_string(folder.join("out/pages").join(&page)).unwrap();
        assert!(text.contains("<h2>Findings") && !text.contains("data:image/png"), "{page}");
    }
    for _ in 0..2 {
        run_well(&mut corpus(folder, &check));
        let [page] = pages().try_into().unwrap();
        assert!(!page.contains("without-pictures") && is_linked(&page), "{page}");
        let text = fs::read_to_string(folder.join("out/pages").join(&page)).unwrap();
        assert!(text.contains("<figcaption>bind pose</figcaption>"), "{page}");
    }
}

#[test]
fn folders_that_are_not_its_own_are_refused() {
    let folder = folder();
    let folder = folder.path();
    let refused = |words: &[&str], code: i32, says: &str| {
        let Run { code: found, err, .. } = run(&mut corpus(folder, words));
        assert!(found == Some(code) && err.contains(says), "{words:?}: {found:?} {err}");
    };
    refused(&["check", "builtin:bend", "-o", "models"], 5, "choose an empty folder");
    refused(&["check", "models", "-o", "."], 2, "which this run fills");
    refused(&["check", "nowhere", "-o", "out"], 1, "nowhere: no such file or folder");
    refused(&["compare", "models", "-o", "out"], 2, "two folders");
    refused(&["compare", "models/bend.glb", "-o", "out"], 2, "two models");
    refused(&["compare", "a", "b", "c", "-o", "out"], 2, "two folders");
    refused(&["check", "models"], 2, "--output");
    let over = ["check", "models", "-o", "out", "--junit", "models/bend.glb"];
    refused(&over, 2, "models/bend.glb: the output would overwrite");
    refused(&["merge", "models", "-o", "out"], 1, "no corpus.jsonl");
    assert!(!folder.join("out").exists());
}

#[test]
fn results_that_may_change_are_not_kept() {
    let folder = folder();
    let folder = folder.path();
    let check = |more: &[&str]| {
        let words = [&["check", "models", "--pages", "0", "-o", "out"][..], more].concat();
        let said = String::from_utf8(run_well(&mut corpus(folder, &words))).unwrap();
        let row = |name: &str| {
            let table = tables(folder, "out").swap_remove(0);
            table.lines().find(|line| line.starts_with(name)).unwrap().to_owned()
        };
        (said, row("parts.gltf"), row("bend.glb"))
    };
    // A file beside it is missing, and comes.
    let parts = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"parts.bin\",\"byteLength\":4}]}";
    fs::write(folder.join("models/parts.gltf"), parts).unwrap();
    let (_, lacking, _) = check(&[]);
    assert!(lacking.starts_with("parts.gltf,1,unreadable,"), "{lacking}");
    fs::write(folder.join("models/parts.bin"), [0; 4]).unwrap();
    let (said, found, _) = check(&[]);
    assert!(said.contains(", 1 run now") && !found.contains("parts.bin"), "{said}{found}");
    assert!(check(&[]).0.contains(", 0 run now"));
    if cfg!(target_os = "linux") {
        let folder = folder.join("out");
        fs::remove_dir_all(folder).unwrap();
        let (_, _, small) = check(&["--limit-memory", "5"]);
        assert!(small.starts_with("bend.glb,1,memory,"), "{small}");
        assert!(check(&["--limit-memory", "5"]).0.contains(", 0 run now"));
        let (_, _, large) = check(&[]);
        assert!(!large.contains("memory"), "{large}");
    }
}

#[test]
fn lists_of_spreadsheets_are_read_and_ambiguous_ones_refused() {
    let folder = folder();
    let folder = folder.path();
    let compare = |text: &str| {
        fs::write(folder.join("pairs.csv"), text).unwrap();
        run(&mut corpus(folder, &["compare", "pairs.csv", "--pages", "0", "-o", "out"]))
    };
    let listed = compare("\u{feff}old,new\r\n\"models/bend.glb\",models/bend.glb\r\n");
    assert_eq!(listed.code, Some(0), "{}", listed.err);
    assert!(listed.out.starts_with(b"1 pair at level quick: 1 without errors"));
    let twice = compare("models/bend.glb,models/bend.glb\nmodels/twist.glb,models/bend.glb\n");
    assert_eq!(twice.code, Some(1));
    assert!(twice.err.contains("row 2: an earlier row has the same new model"), "{}", twice.err);
    for missing in [&["check", "missing.glb"][..], &["compare", "models/bend.glb", "missing.glb"]] {
        let refused = run(corpus(folder, missing).args(["-o", "none"]));
        assert_eq!(refused.code, Some(1));
        assert!(refused.err.contains("missing.glb: no such file or folder"), "{}", refused.err);
    }
    if cfg!(target_os = "linux") {
        // A pipe is not waited for.
        assert!(Command::new("mkfifo").arg(folder.join("pipe.glb")).status().unwrap().success());
        run_well(&mut corpus(folder, &["check", "pipe.glb", "--pages", "0", "-o", "piped"]));
        assert!(tables(folder, "piped")[0].contains("\npipe.glb,1,unreadable,,not a regular file,"));
    }
}

#[test]
fn merges_keep_everything_and_overwrite_nothing() {
    let folder = folder();
    let folder = folder.path();
    let merge = |from: &[&str], out: &str, more: &[&str]| {
        run(&mut corpus(folder, &[&["merge"], from, &["--pages", "0", "-o", out], more].concat()))
    };
    for (level, out) in [("quick", "quick"), ("normal", "normal")] {
        let words = ["check", "models", "--pages", "0", "--level", level, "-o", out];
        run_well(&mut corpus(folder, &words));
    }
    for report in ["models/bend.glb", "normal/corpus.jsonl"] {
        let before = fs::read(folder.join(report)).unwrap();
        let refused = merge(&["normal"], "merged", &["--junit", report]);
        assert!(refused.code == Some(2) && refused.err.contains("would overwrite"), "{}", refused.err);
        assert!(fs::read(folder.join(report)).unwrap() == before, "{report}");
    }
    // Results of another level are equal for some models.
    assert_eq!(merge(&["normal"], "quick", &[]).code, Some(0));
    assert_eq!(merge(&["quick"], "last", &[]).code, Some(0));
    assert!(tables(folder, "last") == tables(folder, "normal"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_to_all_processes_leaves_no_result_of_it() {
    use std::os::unix::process::CommandExt;

    let folder = folder();
    let folder = folder.path();
    for attempt in 0..8 {
        let out = format!("out-{attempt}");
        let words = ["check", "models", "--jobs", "3", "--pages", "0", "--level", "normal", "-o", &out];
        let mut run = corpus(folder, &words).process_group(0).spawn().unwrap();
        let threads = format!("/proc/{}/task", run.id());
        let start = Instant::now();
        while child_of(&threads).is_none() && start.elapsed() < Duration::from_secs(30) {}
        Command::new("kill").args(["-TERM", "--", &format!("-{}", run.id())]).status().unwrap();
        assert!(!run.wait().unwrap().success());
        let ledger = fs::read_to_string(folder.join(&out).join("corpus.jsonl")).unwrap();
        assert!(!ledger.contains("signal"), "{ledger}");
    }
}
