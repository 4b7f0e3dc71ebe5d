//! Guarantees of the program from run to run: the same bytes for the same picture, a cache that does no harm,
//! and no window library for a screenshot.

use std::path::Path;

use sinew::image::{Image, read_png};

use crate::common::{PROGRAM, caches, run_well, sinew};

/// The picture of these flags, as a PNG file's bytes.
fn picture(arguments: &str, environment: &[(&str, &str)]) -> Vec<u8> {
    let mut command = sinew(arguments.split(' ').chain(["--screenshot", "-"]));
    run_well(command.envs(environment.iter().copied()))
}

fn decoded(png: &[u8]) -> Image {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), png).unwrap();
    read_png(file.path()).unwrap()
}

/// Counts the pixels that differ.
fn difference(a: &[u8], b: &[u8]) -> usize {
    let (a, b) = (decoded(a), decoded(b));
    assert_eq!((a.width, a.height), (b.width, b.height));
    a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4)).filter(|(a, b)| a != b).count()
}

#[test]
fn a_picture_is_the_same_from_run_to_run_for_any_number_of_threads() {
    for arguments in ["builtin:twist --time 1 --mode dqs --size 160x120", "builtin:character --size 128x128"]
    {
        let first = picture(arguments, &[]);
        assert!(first == picture(arguments, &[]), "{arguments}: the second run differs");
        // For the software driver; others ignore it.
        for threads in ["0", "1", "4"] {
            assert!(
                first == picture(arguments, &[("LP_NUM_THREADS", threads)]),
                "{arguments}: {threads} threads"
            );
        }
    }
}

#[test]
fn modes_differ_where_joints_turn_and_agree_in_the_bind_pose() {
    let [rigid, lbs, dqs] = ["rigid", "lbs", "dqs"].map(|mode| {
        let draw = |pose: &str| picture(&format!("builtin:twist --mode {mode} {pose} --size 128x128"), &[]);
        (draw("--time 1"), draw("--pose bind"))
    });
    for (name, a, b) in [("rigid, lbs", &rigid, &lbs), ("lbs, dqs", &lbs, &dqs), ("rigid, dqs", &rigid, &dqs)]
    {
        let pixels = difference(&a.0, &b.0);
        assert!(pixels > 200, "{name} differ in only {pixels} pixels");
        // Weights sum to one exactly, so skinning by identities changes no bit.
        assert_eq!(difference(&a.1, &b.1), 0, "{name} in the bind pose");
    }
}

#[test]
fn the_pipeline_cache_is_kept_and_never_harms() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("caches");
    let draw_with = |own: &Path| {
        let mut command = sinew(["builtin:strip", "--size", "32x32", "--screenshot", "-"]);
        // The software driver would keep its own cache there too, and print messages about it.
        command.env("XDG_CACHE_HOME", own).env("MESA_SHADER_CACHE_DIR", caches());
        run_well(command.current_dir(folder.path()))
    };
    let first = draw_with(&own);
    let cache = only_file(&own.join("sinew"));
    assert!(cache.file_name().unwrap().to_str().unwrap().starts_with("pipelines-"));
    let kept = std::fs::read(&cache).unwrap();

    // A second run uses it, and makes the same picture. (How much time it saves is up to the driver.)
    assert!(draw_with(&own) == first);
    assert_eq!(only_file(&own.join("sinew")), cache);

    // Whatever the file holds, the program draws the picture, and writes a good file after it.
    let flipped: Vec<u8> = kept.iter().map(|byte| !byte).collect();
    let foreign = [&kept[..kept.len() / 2], &[0xff; 999][..], &kept[kept.len() / 2..]].concat();
    for broken in
        [&b""[..], b"garbage", &kept[..kept.len() - 1], &kept[..20.min(kept.len())], &flipped, &foreign]
    {
        std::fs::write(&cache, broken).unwrap();
        assert!(draw_with(&own) == first, "a cache of {} broken bytes", broken.len());
        let mended = std::fs::read(&cache).unwrap();
        assert!(mended.starts_with(&kept[..8]) && mended != broken, "is not mended");
    }

    // A folder in place of the file, a file in place of the folder, and no place at all.
    std::fs::remove_file(&cache).unwrap();
    std::fs::create_dir(&cache).unwrap();
    assert!(draw_with(&own) == first);
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(draw_with(&file) == first);
    assert!(draw_with(Path::new("relative")) == first);
    assert!(!folder.path().join("relative").exists(), "a relative XDG_CACHE_HOME is to be ignored");
    let mut homeless = sinew(["builtin:strip", "--size", "32x32", "--screenshot", "-"]);
    assert!(
        run_well(
            homeless.env_remove("XDG_CACHE_HOME").env_remove("HOME").env("MESA_SHADER_CACHE_DIR", caches())
        ) == first
    );
}

/// A read-only folder; for the superuser, who may write to it, this tests nothing.
#[test]
#[cfg(unix)]
fn a_read_only_cache_folder_does_no_harm() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let environment = [("XDG_CACHE_HOME", folder.path().to_str().unwrap())];
    assert!(!picture("builtin:strip --size 32x32", &environment).is_empty());
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The only file in a folder.
fn only_file(folder: &Path) -> std::path::PathBuf {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = files.as_slice() else { panic!("{} holds {files:?}", folder.display()) };
    file.clone()
}

/// The libraries that the program itself loads, as the dynamic linker reports them; a driver may load anything.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_picture_needs_no_window_library() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let environment = [("LD_DEBUG", "files"), ("LD_DEBUG_OUTPUT", log.to_str().unwrap())];
    assert!(!picture("builtin:strip --size 16x16", &environment).is_empty());
    let log = std::fs::read_to_string(only_file(folder.path())).unwrap();

    // `file=libvulkan.so.1 [0];  dynamically loaded by /path/to/sinew [0]`, or `needed by …`.
    let by_us = format!("by {} [", PROGRAM);
    let loaded: Vec<&str> = log
        .lines()
        .filter(|line| line.contains(&by_us))
        .filter_map(|line| line.split_once("file=")?.1.split(' ').next())
        .collect();
    assert!(loaded.iter().any(|library| library.starts_with("libc.so")), "nothing needed: {loaded:?}");
    assert!(loaded.iter().any(|library| library.starts_with("libvulkan")), "nothing loaded: {loaded:?}");
    for window in ["libX", "libxcb", "libxkb", "libwayland", "libEGL", "libGL"] {
        assert!(!loaded.iter().any(|library| library.starts_with(window)), "{window} in {loaded:?}");
    }
}
