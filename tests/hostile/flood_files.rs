//! Files beside the model: named thousands of times, and links that go in circles or away.

use std::path::Path;

use sinew::model::gltf::load;

use crate::judge::{items, judge_within, many, memory_limit, words};

/// Writes a model of that text, loads it and returns the verdict; `bytes` is the size of it and its files.
fn verdict(folder: &Path, members: &str, bytes: usize) -> String {
    let path = folder.join("model.gltf");
    std::fs::write(&path, format!(r#"{{"asset":{{"version":"2.0"}},{members}}}"#)).unwrap();
    // While the loader reads the file, it holds that besides the result.
    words(&judge_within(memory_limit(bytes) + 2 * bytes as u64, || load(&path)))
}

#[test]
fn a_file_named_a_thousand_times() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.bin"), vec![0; 1 << 20]).unwrap();
    let uri = |number: usize| format!(r#"{{"byteLength":1,"uri":"{}a.bin"}}"#, "./".repeat(number % 50));
    let text = verdict(folder.path(), &format!(r#""buffers":[{}]"#, items(2000, uri)), 1_300_000);
    assert!(text.contains("references to it need more memory"), "{text}");
}

#[cfg(unix)]
#[test]
fn links_that_go_round() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("b.bin", folder.path().join("a.bin")).unwrap();
    std::os::unix::fs::symlink("a.bin", folder.path().join("b.bin")).unwrap();
    std::os::unix::fs::symlink(".", folder.path().join("d")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero")).unwrap();
    for uri in ["a.bin", "d/d/d/d/d/a.bin", "zero", "d/zero", &"d/".repeat(5000)] {
        let text = verdict(
            folder.path(),
            &format!(r#""buffers":[{}]"#, many(3, &format!(r#"{{"byteLength":1,"uri":"{uri}"}}"#))),
            40_000,
        );
        assert!(text.starts_with("buffers[0].uri: "), "{text}");
    }
}
