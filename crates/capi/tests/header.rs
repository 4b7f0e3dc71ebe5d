//! `include/sinew.h` is what cbindgen makes of this crate, and every call in it is guarded.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    config.after_includes = Some(format!(
        "\n// The version of this header; sinew_version returns that of the library.\n#define SINEW_VERSION \"{version}\""
    ));
    let mut text = Vec::new();
    cbindgen::generate_with_config(here, config).unwrap().write(&mut text);
    // Rust's heading for what the caller must see to; that handles are handles goes without saying.
    let text = String::from_utf8(text).unwrap().replace("//\n// # Safety\n// ", "//\n// Required: ");
    let text =
        text.replace("//\n// Required: `model` is null or a model.\n", "").replace(": As for", ": as for");
    assert!(text.is_ascii(), "some compilers read a header in another encoding");
    let header = here.join("include/sinew.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&header, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&header).is_ok_and(|there| there == text),
        "include/sinew.h differs; UPDATE_HEADER=1 cargo test -p sinew-capi --test header writes it"
    );
}

/// Nothing unwinds into C: every function runs its work in one of `call.rs`, which catch panics.
#[test]
fn every_call_is_guarded() {
    const GUARDS: [&str; 6] = ["call(error,", "make(", "value(", "free(", "count(model,", "name(model,"];
    let mut calls = 0;
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap() {
        let source = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for function in source.split("extern \"C\" fn ").skip(1) {
            let (signature, rest) = function.split_once("{\n").unwrap();
            let body = rest.split("\n}").next().unwrap();
            let is_guarded = GUARDS.iter().any(|guard| body.contains(guard));
            let is_constant = signature.starts_with("sinew_version");
            assert!(is_guarded || is_constant, "{signature}");
            calls += 1;
        }
    }
    assert!(calls > 20);
}
