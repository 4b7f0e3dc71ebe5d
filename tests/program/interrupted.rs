//! Runs that are ended from outside: by signals, by limits, by an output that is closed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{self, run_well, sinew};

/// Commands that write for long, with the name of what they write.
const LONG: [(&str, &[&str]); 6] = [
    ("a.pc2", &["bake", "builtin:character", "--mode", "dqs", "--fps", "10000", "-o"]),
    (
        "a.webp",
        &["builtin:bend", "--frames", "1900", "--size", "64x64", "--quality", "draft", "--screenshot"],
    ),
    ("a.y4m", &["builtin:bend", "--frames", "1900", "--size", "64x64", "--quality", "draft", "--screenshot"]),
    ("a.mp4", &["builtin:bend", "--frames", "1900", "--size", "64x64", "--quality", "draft", "--screenshot"]),
    ("a.png", &["builtin:bend", "--size", "12000x12000", "--quality", "draft", "--screenshot"]),
    ("a.glb", &["bake", "builtin:character", "--mode", "dqs", "--fps", "100", "-o"]),
];

pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Starts a command that replaces an old file, and waits until it writes; `None` if it was too quick for that.
fn writing(out: &Path, words: &[&str]) -> Option<Child> {
    fs::write(out, "old").unwrap();
    let mut child = sinew(words).arg(out).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while names(out.parent().unwrap()).len() < 2 {
        if child.try_wait().unwrap().is_some() {
            return None;
        }
        assert!(start.elapsed().as_secs() < 60, "no file appears");
        std::thread::sleep(Duration::from_millis(1));
    }
    Some(child)
}

/// Ctrl+C, `kill` and a closed terminal leave the old file and nothing else, and shells see 130, 143 and 129.
#[test]
fn a_signal_leaves_the_old_file_and_nothing_else() {
    let mut caught = 0;
    for (name, words) in LONG {
        for (signal_name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join(name);
            let Some(child) = writing(&out, words) else { continue };
            signal(&child, signal_name);
            let ended = child.wait_with_output().unwrap();
            let said = String::from_utf8(ended.stderr).unwrap();
            // The file may have been whole before the signal came, and in its place.
            if ended.status.success() || fs::metadata(&out).unwrap().len() > 3 {
                continue;
            }
            assert_eq!((ended.status.signal(), said.as_str()), (Some(number), ""), "{name} {signal_name}");
            assert_eq!(names(folder.path()), [name], "{signal_name}");
            assert!(fs::read(&out).unwrap() == b"old", "{name} {signal_name}");
            caught += 1;
        }
    }
    assert!(caught >= 9, "only {caught} runs were long enough");
}

/// The program that writes a video goes with ours, however shortly before the signal it was started. The shell waits and
/// signals by itself: another program would come too late.
#[test]
fn a_signal_leaves_no_video_that_was_just_begun() {
    const SIGNAL_SOON: &str = r#""$0" "$@" & child=$!
        until set -- "$FOLDER"/.sinew*; [ -e "$1" ]; do kill -0 $child || exit 0; done
        while [ $WAIT -gt 0 ]; do WAIT=$((WAIT - 1)); done
        kill -HUP $child; wait $child"#;
    let words = ["builtin:bend", "--size", "64x64", "--clip", "0", "--fps", "20", "--screenshot"];
    let mut folders = Vec::new();
    for number in 0..60 {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a.mp4");
        let words = [&words[..], &[out.to_str().unwrap()]].concat();
        let mut command = shell(SIGNAL_SOON, &words);
        command.env("FOLDER", folder.path()).env("WAIT", (number % 20 * 1000).to_string());
        if command.output().unwrap().status.code() == Some(129) {
            folders.push(folder);
        }
    }
    assert!(folders.len() >= 30, "only {} runs were long enough", folders.len());
    // Alone, it would have made its file by then.
    std::thread::sleep(Duration::from_millis(500));
    let left = folders.iter().filter(|folder| !names(folder.path()).is_empty()).count();
    assert_eq!(left, 0, "of {}", folders.len());
}

/// The next run that writes to a folder removes the remains of a killed one.
#[test]
fn the_next_run_removes_what_a_killed_one_has_left() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.pc2");
    let (_, words) = LONG[0];
    let child = writing(&out, words).expect("baking takes long");
    // The video of points, the list of what this run writes, and only after it what is written of the video.
    let start = Instant::now();
    while names(folder.path()).len() < 3 {
        assert!(start.elapsed().as_secs() < 60, "no second file appears");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "KILL");
    child.wait_with_output().unwrap();
    assert_eq!(names(folder.path()).len(), 3);
    let picture = folder.path().join("b.png");
    let ended = sinew(["builtin:bend", "--size", "16x16", "--screenshot"]).arg(&picture).output().unwrap();
    assert!(ended.status.success());
    assert_eq!(names(folder.path()), ["a.pc2", "b.png"]);
}

/// Runs a shell's line with the program as `$0` and its words as `$@`.
pub fn shell(line: &str, words: &[&str]) -> Command {
    let program = sinew(words);
    let mut command = Command::new("sh");
    command.args(["-c", line]).arg(program.get_program()).args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// `nohup` has the end of a terminal ignored, and means it.
#[test]
fn ignored_signals_stay_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.pc2");
    let words = ["bake", "builtin:twist", "--fps", "3000", "-o", out.to_str().unwrap()];
    let mut child = shell("trap '' HUP; exec \"$0\" \"$@\"", &words).spawn().unwrap();
    let start = Instant::now();
    while names(folder.path()).is_empty() {
        assert!(start.elapsed().as_secs() < 60, "no file appears");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "HUP");
    assert!(child.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["a.pc2"]);
}

/// A limit on the size of files is a failure to write.
#[test]
fn a_file_that_may_not_grow_is_exit_code_5() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.pc2");
    let words = ["bake", "builtin:character", "--fps", "100", "-o", out.to_str().unwrap()];
    let ended = shell("ulimit -f 100; exec \"$0\" \"$@\"", &words).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(5), "{said}");
    assert!(
        said.starts_with("error: ") && said.contains("a.pc2: File too large") && said.lines().count() == 1,
        "{said}"
    );
    assert_eq!(names(folder.path()), [""; 0]);
}

/// A file that may not be written to is not replaced, though its folder would allow that. Root may write to all files.
#[test]
fn a_protected_file_is_not_replaced() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    const SOMEBODY: u32 = 65_534;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.ply");
    fs::write(&out, "old").unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o444)).unwrap();
    let mut command = sinew(["export", "builtin:strip", "--on", "cpu", "-o"]);
    command.arg(&out);
    if fs::metadata(&out).unwrap().uid() == 0 {
        for path in [folder.path(), &out] {
            chown(path, Some(SOMEBODY), Some(SOMEBODY)).unwrap();
        }
        command.uid(SOMEBODY);
    }
    let ended = command.output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(5), "{said}");
    assert!(said.contains("a.ply: Permission denied") && said.lines().count() == 1, "{said}");
    assert_eq!((fs::read(&out).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["a.ply".to_owned()]));
}

/// Files that belong together are those of one run: where one cannot be written, all stay as they were.
#[test]
fn a_report_or_materials_that_fail_leave_those_before() {
    let folder = tempfile::tempdir().unwrap();
    // In blocks of 512 bytes: the last file is larger, those before it are smaller. Drivers keep memory in files, too, which
    // the limit would hit, so none is asked for.
    for (place, last, first, then, way, blocks) in [
        (
            "report",
            "index.html",
            ["report", "builtin:tube-2"],
            ["report", "builtin:strip"],
            &["--no-pictures"][..],
            150,
        ),
        (
            "export/a.obj",
            "a.obj",
            ["export", "builtin:bend"],
            ["export", "builtin:character"],
            &["--on", "cpu"],
            1000,
        ),
    ] {
        let inside = folder.path().join(place.split('/').next().unwrap());
        let place = folder.path().join(place);
        fs::create_dir_all(&inside).unwrap();
        run_well(sinew(first).args(way).arg("-o").arg(&place));
        let read = || -> Vec<(String, Vec<u8>)> {
            let names = names(&inside).into_iter();
            names.map(|name| (name.clone(), fs::read(inside.join(name)).unwrap())).collect()
        };
        let before = read();
        assert!(before.len() > 1, "{then:?}: {} files", before.len());
        let words = [&then[..], way, &["-o", place.to_str().unwrap()]].concat();
        let ended = shell(&format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), &words).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(5), "{said}");
        assert!(said.contains(&format!("{last}: File too large")) && said.lines().count() == 1, "{said}");
        assert!(read() == before, "{then:?}: {:?}", names(&inside));
    }
}

/// A closed standard output takes nothing, which is a failure to write; /dev/null takes everything.
#[test]
fn a_closed_output_is_exit_code_5() {
    for words in [
        &["--help"][..],
        &["--version"],
        &["builtins"],
        &["inspect", "builtin:bend"],
        &["devices"],
        &["palette", "builtin:bend", "--mode", "dqs"],
        &["completions", "bash"],
        &["builtin:bend", "--size", "16x16", "--screenshot", "-"],
    ] {
        let ended = shell("exec \"$0\" \"$@\" >&-", words).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(5), "{words:?}: {said}");
        assert_eq!(said, "error: -: standard output is closed\n", "{words:?}");
        let ended = sinew(words).stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
        assert!(ended.success(), "{words:?}");
        let ended = shell("exec \"$0\" \"$@\" <>/dev/null >&0", words).status().unwrap();
        assert!(ended.success(), "{words:?}");
    }
}

/// Runs that are refused threads work with fewer, or end with one line and exit code 4 within seconds. The system does not
/// count the administrator's processes, so another user runs the program then.
#[test]
#[cfg(target_os = "linux")]
fn refused_threads_are_exit_code_4() {
    let folder = tempfile::tempdir().unwrap();
    let [program, picture] = ["sinew", "a.png"].map(|name| folder.path().join(name));
    fs::copy(common::PROGRAM, &program).unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    fs::set_permissions(folder.path(), open).unwrap();
    let id = Command::new("id").arg("-u").output().unwrap();
    let is_administrator = id.stdout == b"0\n";
    let mut codes = Vec::new();
    for most in [1, 3, 4, 5, 8, 10, 200] {
        let limited = "prlimit --nproc=\"$0\" \"$@\"";
        let other = "setpriv --reuid=65534 --regid=65534 --clear-groups prlimit --nproc=\"$0\" \"$@\"";
        let mut command = common::at_home("sh");
        command.args(["-c", if is_administrator { other } else { limited }]).arg(most.to_string());
        command.arg(&program).args(["builtin:bend", "--size", "16x16", "--screenshot"]).arg(&picture);
        let start = Instant::now();
        // The layer starts threads, too.
        let ended = command
            .env("XDG_DATA_DIRS", folder.path())
            .env("XDG_CACHE_HOME", folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(start.elapsed().as_secs() < 30, "{most}: {said}");
        assert!(!said.contains("panicked"), "{most}: {said}");
        match ended.status.code() {
            Some(0) => {}
            Some(4) => {
                assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{said}")
            }
            code => panic!("{most}: {code:?}: {said}"),
        }
        codes.push(ended.status.code().unwrap());
    }
    assert_eq!(codes.first(), Some(&4));
    assert!(!is_administrator || codes.last() == Some(&0), "{codes:?}");
}

/// Returns true if the driver has ended the process because the system refused it memory. SwiftShader throws if it gets no
/// thread, and one of SwiftShader's threads uses memory that it did not get. The compiler in Mesa 25 gives up if it has no
/// room for a shader's code. (Every backtrace of those lies in the driver's libraries alone.)
pub fn is_ended_by_driver(ended: &Output, said: &str) -> bool {
    let driver = String::from_utf8(run_well(&mut sinew(["devices"]))).unwrap();
    let (is_swiftshader, is_mesa_25) = (driver.contains("SwiftShader"), driver.contains("Mesa 25"));
    match ended.status.signal() {
        Some(6) if is_swiftshader => {
            said.contains("libc++abi: terminating due to uncaught exception of type std::")
        }
        Some(6) => is_mesa_25 && said.contains("LLVM ERROR: "),
        Some(11) => is_swiftshader,
        _ => false,
    }
}

/// Refused memory causes one line and exit code 4, and no files are left.
#[test]
#[cfg(target_os = "linux")]
fn refused_memory_is_exit_code_4() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.png");
    let words = ["builtin:bend", "--size", "2000x2000", "--screenshot", out.to_str().unwrap()];
    let mut refused = 0;
    // The system itself takes 70 to load the program of the tests.
    for megabytes in [80, 96, 192, 384, 768, 1024, 1536, 4096] {
        let line = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes << 10);
        // The layer crashes where it gets no memory.
        let ended = shell(&line, &words).env("XDG_DATA_DIRS", folder.path()).output().unwrap();
        let said = String::from_utf8(ended.stderr.clone()).unwrap();
        match ended.status.code() {
            Some(0) => {}
            Some(4) => {
                assert_eq!(
                    said.lines().filter(|line| line.starts_with("error: ")).count(),
                    1,
                    "{megabytes}: {said}"
                );
                assert!(names(folder.path()).is_empty(), "{megabytes}");
                refused += 1;
            }
            _ if is_ended_by_driver(&ended, &said) => refused += 1,
            code => panic!("{megabytes}: {code:?}: {said}"),
        }
        let _ = fs::remove_file(&out);
    }
    assert!(refused >= 4, "only {refused} runs were refused memory");
}

/// A low limit of open files causes one line, whatever it was too low for: the driver's libraries, or the picture. For a
/// driver, the line names the limit.
#[test]
#[cfg(target_os = "linux")]
fn few_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.png");
    let words = ["builtin:bend", "--size", "16x16", "--screenshot", out.to_str().unwrap()];
    let mut named = 0;
    // The parent process may have left files open, too.
    for most in 4..16 {
        let line = format!("ulimit -n {most}; exec \"$0\" \"$@\"");
        let ended = shell(&line, &words).env("XDG_DATA_DIRS", folder.path()).output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
        match (ended.status.code(), errors.as_slice()) {
            (Some(0), []) => {}
            // The program has not begun.
            (Some(127), []) if said.contains("while loading shared libraries") => {}
            (Some(4), [error]) if error.contains("perhaps because of 'ulimit -n") => named += 1,
            (Some(5), [error]) if error.contains("Too many open files") => named += 1,
            code => panic!("{most}: {code:?}: {said}"),
        }
        let _ = fs::remove_file(&out);
    }
    assert!(named > 0, "no run had too few files");
}

/// A small stack is enough, because the program allocates its own.
#[test]
#[cfg(target_os = "linux")]
fn a_small_stack_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.png");
    for words in [
        &["--help"][..],
        &["inspect", "builtin:character", "--json"],
        &["builtin:bend", "--size", "16x16", "--screenshot", out.to_str().unwrap()],
    ] {
        for kilobytes in [64, 256] {
            let line = format!("ulimit -s {kilobytes}; exec \"$0\" \"$@\"");
            // The layer runs on the driver's threads, whose stacks are as small.
            let ended = shell(&line, words).env("XDG_DATA_DIRS", folder.path()).output().unwrap();
            let said = String::from_utf8(ended.stderr).unwrap();
            assert_eq!(ended.status.code(), Some(0), "{kilobytes} {words:?}: {said}");
        }
    }
}
