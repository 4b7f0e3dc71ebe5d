//! The package, packed from what the tests have built, passes its tests in an empty environment without a compiler.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::Path;
use std::process::Command;

#[test]
fn the_package_passes_its_tests_in_an_empty_environment() {
    let own = std::env::current_exe().unwrap();
    let libraries = own.parent().unwrap();
    let [prefix, suffix] = [std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX];
    let library = libraries.join(format!("{prefix}_sinew{suffix}"));
    let program = libraries.parent().unwrap().join("sinew");
    assert!(program.exists(), "`cargo build` makes the program that the package holds");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/wheel.sh");
    let done = Command::new(script).arg("test").args([program, library]).output().unwrap();
    println!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success());
}
