//! Tests runs that the system gives little: memory, or room on a disk.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use crate::common::{run, sinew};
use crate::interrupted::{is_ended_by_driver, names, shell};

/// Runs with so much address space, and standard input.
fn with_address_space(mebibytes: u64, words: &[&str], input: &str) -> Output {
    let line = format!("ulimit -c 0; ulimit -v {}; exec timeout 60 \"$0\" \"$@\"", mebibytes << 10);
    let mut command = shell(&line, words);
    // The layer crashes where it gets no memory.
    command
        .env("XDG_DATA_DIRS", "/nowhere")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may end without reading it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Commands end with one line where they get no memory, whatever the driver does then, and none waits for ever.
#[test]
fn refused_memory_ends_commands_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.webp");
    let out = out.to_str().unwrap();
    let still = folder.path().join("a.png");
    let lines = format!(
        "{{\"load\": \"builtin:bend\"}}\n{{\"set\": {{\"size\": \"200x200\"}}}}\n\
         {{\"screenshot\": {still:?}}}\n{{\"screenshot\": {out:?}}}\n"
    );
    let mut refused = 0;
    for mebibytes in (200..=650).step_by(25) {
        let sequence = ["builtin:bend", "--frames", "6", "--size", "200x200", "--screenshot", out];
        let verify = ["verify", "builtin:bend"];
        for (words, input) in [(&sequence[..], ""), (&["serve"], &lines), (&verify, "")] {
            let ended = with_address_space(mebibytes, words, input);
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            match ended.status.code() {
                Some(0) => {}
                Some(4) => {
                    let errors = said.lines().filter(|line| line.starts_with("error: ")).count();
                    assert_eq!(errors, 1, "{mebibytes} {words:?}: {said}");
                    refused += 1;
                }
                _ if is_ended_by_driver(&ended, &said) => refused += 1,
                code => panic!("{mebibytes} {words:?}: {code:?} {:?}: {said}", ended.status),
            }
            for name in names(folder.path()) {
                assert!(["a.png", "a.webp"].contains(&name.as_str()), "{mebibytes} {words:?} leaves {name}");
                fs::remove_file(folder.path().join(name)).unwrap();
            }
        }
    }
    assert!(refused >= 8, "only {refused} runs were refused memory");
}

/// A cache folder without room is left alone, because the driver would die of it.
#[test]
fn a_full_disk_under_the_drivers_cache_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.png");
    // It has no room for files, ever.
    let mut full = sinew(["builtin:bend", "--size", "16x16", "--screenshot"]);
    let ended = run(full.arg(&out).env("MESA_SHADER_CACHE_DIR", "/proc/self"));
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (Some(0), "note: /proc/self: the disk is full, so the driver's cache is off\n")
    );
    // No note appears without a driver, or with the cache off.
    let mut inspect = sinew(["inspect", "builtin:bend"]);
    assert_eq!(run(inspect.env("MESA_SHADER_CACHE_DIR", "/proc/self")).err, "");
    let mut off = sinew(["builtin:bend", "--size", "16x16", "--screenshot"]);
    off.arg(&out).env("MESA_SHADER_CACHE_DIR", "/proc/self").env("MESA_SHADER_CACHE_DISABLE", "true");
    assert_eq!(run(&mut off).err, "");
}

/// A disk that has room for the cache's index, but not for its pages, is harmless. The test needs a mount namespace.
#[test]
fn a_disk_that_is_full_does_not_end_the_program() {
    let may_mount = shell("unshare -rm true", &[]).status().is_ok_and(|status| status.success());
    if !may_mount {
        println!("not shown: this system lets users mount nothing");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let out = folder.path().join("a.png");
    let script = "mount -t tmpfs -o size=64k tmpfs \"$DISK\" && mkdir \"$DISK/mesa_shader_cache\" \
                  && { head -c 1M /dev/zero > \"$DISK/full\"; exec \"$0\" \"$@\"; }";
    let words = ["builtin:bend", "--size", "64x64", "--screenshot", out.to_str().unwrap()];
    let mut command = shell("exec unshare -rm sh -c \"$SCRIPT\" \"$0\" \"$@\"", &words);
    command.env("SCRIPT", script).env("DISK", &disk).env("MESA_SHADER_CACHE_DIR", &disk);
    let ended = run(command.env_remove("MESA_SHADER_CACHE_DISABLE"));
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.err.contains("the disk is full, so the driver's cache is off"), "{}", ended.err);
}
