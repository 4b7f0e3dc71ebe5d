//! `include/sinew.h` is what cbindgen makes of this crate.

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = cbindgen::generate_with_config(
        here,
        cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap(),
    );
    let mut text = Vec::new();
    made.unwrap().write(&mut text);
    let text = String::from_utf8(text).unwrap();
    let header = here.join("include/sinew.h");
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&header, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&header).is_ok_and(|there| there == text),
        "include/sinew.h differs; UPDATE_HEADER=1 cargo test -p sinew-capi --test header writes it"
    );
}
