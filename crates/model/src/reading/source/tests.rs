use super::*;

#[test]
fn large_files_are_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    let size = LARGE as usize + 12_345;
    let bytes: Vec<u8> = (0..size).map(|number| (number % 251) as u8).collect();
    std::fs::write(&path, &bytes).unwrap();
    assert!(read_file(&path, size as u64).unwrap() == bytes);
    assert!(matches!(read_file(&path, size as u64 - 1), Err(SourceError::TooLarge(_))));
    // The size when it was queried, and the bytes that came later.
    let mut file = File::open(&path).unwrap();
    let mut read = read_large(&mut file, 5_000_000).unwrap();
    file.read_to_end(&mut read).unwrap();
    assert!(read == bytes);
    assert!(read_large(&mut file, size + 1).is_err(), "the file is shorter");
}

#[test]
fn paths_stay_inside() {
    let inside = |uri, path: &str| assert_eq!(relative_path(uri).unwrap(), Path::new(path), "{uri}");
    inside("a.bin", "a.bin");
    inside("./tex/a%20b%C3%A9.png", "tex/a bé.png");
    inside("tex\\a.png", "tex/a.png");
    inside("tex/../a.bin", "a.bin");
    inside("模型.bin", "模型.bin");
    inside("100%.png", "100%.png");
    for uri in [
        "../a",
        "a/../../b",
        "%2e%2e/a",
        "%2E%2E%2Fa",
        "..\\a",
        "/etc/passwd",
        "%2fetc/passwd",
        "\\\\host\\share",
        "file:///etc/passwd",
        "FILE:a",
        "http://x/y",
        "C:\\a",
        "",
        ".",
        "a/..",
        "a%00b",
        "%ff",
    ] {
        let refused = relative_path(uri);
        assert!(
            matches!(refused, Err(SourceError::Refused(_) | SourceError::Outside(_))),
            "{uri}: {refused:?}"
        );
    }
}

#[test]
fn paths_lead_out_where_they_may() {
    let to = |uri, path: &str| assert_eq!(any_path(uri).unwrap(), Path::new(path), "{uri}");
    to("a%20b.bin", "a b.bin");
    to("../a", "../a");
    to("%2e%2e/a", "../a");
    to("..\\tex\\a.png", "../tex/a.png");
    to("/etc/a", "/etc/a");
    #[cfg(not(windows))]
    for uri in ["file:///etc/a", "FILE:/etc/a", "file://localhost/etc/a", "file:///etc%2Fa"] {
        to(uri, "/etc/a");
    }
    for uri in [
        "http://x/y",
        "https:x",
        "ftp://x/y",
        "file://server/share/a",
        "file:////server/share",
        "//server/share/a",
        "\\\\server\\share",
        "%2f%2fserver/share",
        "",
        "file:",
        "file://",
        "a%00b",
        "%ff",
    ] {
        assert!(matches!(any_path(uri), Err(SourceError::Refused(_))), "{uri}");
    }
}

#[test]
fn data_uris_decode() {
    let mut sources = Sources::new(None, false, Budget::default(), 0);
    for uri in [
        "data:application/octet-stream;base64,AQID",
        "DATA:;BASE64,AQID",
        "data:,%01%02%03",
        "data:;base64,AQ%49D",
    ] {
        assert_eq!(sources.fetch(uri).unwrap(), [1, 2, 3], "{uri}");
    }
    assert_eq!(sources.fetch("data:;base64,AQ").unwrap(), [1]);
    for uri in ["data:;base64,+//+", "data:;base64,-__-"] {
        assert_eq!(sources.fetch(uri).unwrap(), [0xfb, 0xff, 0xfe], "{uri}");
    }
    assert_eq!(sources.fetch("data:;base64,AQ==").unwrap(), [1]);
    for uri in ["data:;base64,A", "data:;base64,A*ID", "data:;base64,AQ\nID", "data:base64"] {
        assert!(matches!(sources.fetch(uri), Err(SourceError::Data(_))), "{uri}");
    }
}

#[test]
fn without_a_folder_no_file_is_read() {
    assert!(matches!(
        Sources::new(None, false, Budget::default(), 0).fetch("Cargo.toml"),
        Err(SourceError::Refused(_))
    ));
}

#[test]
fn only_regular_files_within_the_limit_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ü x.bin");
    std::fs::write(&file, [7; 10]).unwrap();
    let mut sources = Sources::new(Some(folder.path()), false, Budget::default(), 0);
    assert_eq!(sources.fetch("%C3%BC%20x.bin").unwrap(), [7; 10]);
    assert_eq!(sources.bytes_left, MAX_FILE_BYTES - 10);
    assert!(matches!(sources.fetch("none.bin"), Err(SourceError::Missing)));
    sources.bytes_left = 9;
    assert!(matches!(sources.fetch("ü x.bin"), Err(SourceError::TooLargeTogether)));
    assert!(matches!(read_file(&file, 9), Err(SourceError::TooLarge(9))));
    assert!(matches!(read_file(folder.path(), 9), Err(SourceError::NotAFile)));
}

#[test]
fn the_models_own_file_counts() {
    let folder = tempfile::tempdir().unwrap();
    for (name, size) in [("a.bin", 6), ("b.bin", 5), ("c.bin", 4)] {
        std::fs::write(folder.path().join(name), vec![7; size]).unwrap();
    }
    let beside = |own_bytes| Sources::new(Some(folder.path()), false, Budget::default(), own_bytes as usize);
    let mut sources = beside(MAX_FILE_BYTES - 10);
    assert_eq!(sources.fetch("a.bin").unwrap(), [7; 6]);
    let error = sources.fetch("b.bin").unwrap_err();
    assert_eq!(error.to_string(), "with it, the model's files exceed 1024 MiB");
    assert_eq!(sources.fetch("c.bin").unwrap(), [7; 4]);
    // A file of the largest size leaves nothing for others; a larger one is not read.
    for own_bytes in [MAX_FILE_BYTES, MAX_FILE_BYTES + 1] {
        assert!(matches!(beside(own_bytes).fetch("c.bin"), Err(SourceError::TooLargeTogether)));
    }
}

#[test]
fn a_file_read_again_is_no_more_of_the_model() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.bin"), [7; 10]).unwrap();
    let mut sources = Sources::new(Some(folder.path()), false, Budget::default(), 0);
    for bit in (0..29).rev() {
        while sources.budget.take(1 << bit) {}
    }
    // Its ten bytes allow 640, and each read takes ten.
    for time in 0..64 {
        assert!(sources.fetch(["a.bin", "./a.bin", "b/../%61.bin"][time % 3]).is_ok(), "{time}");
    }
    assert!(matches!(sources.fetch("a.bin"), Err(SourceError::TooOften)));
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_claim_to_be_empty_are_limited_too() {
    assert!(matches!(read_file(Path::new("/proc/self/status"), 9), Err(SourceError::TooLarge(9))));
}

#[cfg(unix)]
#[test]
fn devices_are_not_read_and_links_are() {
    assert!(matches!(read_file(Path::new("/dev/zero"), 9), Err(SourceError::NotAFile)));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("real.bin"), [1]).unwrap();
    std::os::unix::fs::symlink("real.bin", folder.path().join("link.bin")).unwrap();
    assert_eq!(
        Sources::new(Some(folder.path()), false, Budget::default(), 0).fetch("link.bin").unwrap(),
        [1]
    );
}

#[test]
fn files_whose_place_nobody_can_tell_are_refused() {
    let here = || Ok(PathBuf::from("/models/fox"));
    let failed = || Err(io::Error::from(io::ErrorKind::PermissionDenied));
    let missing = || Err(io::Error::from(io::ErrorKind::NotFound));
    assert!(stays_inside(here(), Ok(PathBuf::from("/models/fox/a.bin"))).is_ok());
    for (folder, target) in [
        (here(), Ok(PathBuf::from("/models/foxes/a.bin"))),
        (here(), failed()),
        (here(), missing()),
        (failed(), Ok(PathBuf::from("/models/fox/a.bin"))),
        (failed(), failed()),
    ] {
        assert!(matches!(stays_inside(folder, target), Err(SourceError::Outside(_))));
    }
}

/// Tests two links, each to a path that the system accepts, to a folder whose own path is too long for it.
#[cfg(target_os = "linux")]
#[test]
fn a_link_is_not_followed_from_a_folder_whose_path_is_too_long() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("models");
    let mut model_folder = folder.clone();
    for link in ["first", "second"] {
        let link = folder.join(link);
        (0..11).for_each(|_| model_folder.push("d".repeat(200)));
        std::fs::create_dir_all(&model_folder).unwrap();
        symlink(&model_folder, &link).unwrap();
        model_folder = link;
    }
    std::fs::write(outside.path().join("secret.bin"), [1]).unwrap();
    std::fs::write(model_folder.join("a.bin"), [2]).unwrap();
    symlink(outside.path().join("secret.bin"), model_folder.join("link.bin")).unwrap();
    assert!(model_folder.canonicalize().is_err());
    let fetch =
        |outside, uri: &str| Sources::new(Some(&model_folder), outside, Budget::default(), 0).fetch(uri);
    let refused = fetch(false, "link.bin").unwrap_err();
    assert!(matches!(refused, SourceError::Outside(_)), "{refused}");
    assert!(matches!(fetch(false, "none.bin"), Err(SourceError::Missing)));
    assert_eq!(fetch(true, "link.bin").unwrap(), [1]);
}

/// A link that comes between looking and opening leads no further than one that was there before.
#[cfg(target_os = "linux")]
#[test]
fn a_file_is_looked_at_again_once_it_is_open() {
    let [inside, outside] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for folder in [&inside, &outside] {
        std::fs::write(folder.path().join("a.bin"), "a").unwrap();
    }
    let open = |folder: &tempfile::TempDir| File::open(folder.path().join("a.bin")).unwrap();
    for (allow_outside, is_refused) in [(false, true), (true, false)] {
        let sources = Sources::new(Some(inside.path()), allow_outside, Budget::default(), 0);
        assert!(sources.is_inside(&open(&inside)).is_ok());
        assert_eq!(sources.is_inside(&open(&outside)).is_err(), is_refused);
    }
}
