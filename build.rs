//! Has the linker leave out the tables for unwinding, a tenth of the program: in release no panic unwinds.
//!
//! Only the linker that comes with rustc gets the script, because others (mold) do not support it.

use std::env;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let own_linker = env::var_os("RUSTC_LINKER").is_none()
        && env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| !flags.contains("link"));
    let known = is("TARGET", "x86_64-unknown-linux-gnu") && is("HOST", "x86_64-unknown-linux-gnu");
    if !(is("PROFILE", "release") && known && own_linker) {
        return Ok(());
    }
    let script = PathBuf::from(env::var("OUT_DIR")?).join("no_unwind_tables.ld");
    let text = "SECTIONS { /DISCARD/ : { *(.eh_frame) *(.eh_frame_hdr) *(.gcc_except_table*) } } INSERT AFTER .rodata;\n";
    std::fs::write(&script, text).map_err(|error| format!("{}: {error}", script.display()))?;
    println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", script.display());
    Ok(())
}
