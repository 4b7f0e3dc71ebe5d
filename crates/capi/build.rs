//! Names the shared library, and warns of a build whose failures would end the caller's process.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    // Programs that are linked by path find the library by name.
    match set("CARGO_CFG_TARGET_OS").as_str() {
        "linux" | "android" | "freebsd" => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsinew_c.so"),
        "macos" => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libsinew_c.dylib"),
        _ => {}
    }
    if set("CARGO_CFG_PANIC") == "abort" {
        println!(
            "cargo:warning=a fault of sinew would end the caller's process; build with --profile library"
        );
    }
}
