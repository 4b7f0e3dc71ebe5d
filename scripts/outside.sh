#!/bin/sh
# Builds and runs a program that depends on sinew, in an empty folder, as the README says; also after a failed build
# without the README's --config line. Run scripts/setup.sh first.
#
#   scripts/outside.sh          shares what the tests have built
#   scripts/outside.sh fresh    builds the libraries from nothing, and says how long it takes
set -eu
sinew=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$sinew/target}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset SHADERC_LIB_DIR
config() { [ ! -e "$sinew/.deps/shaderc.toml" ] || echo "--config $sinew/.deps/shaderc.toml"; }

project() { # project NAME DEPENDENCY: creates one in its own folder; standard input is its program
    mkdir -p "$folder/$1/src"
    cd "$folder/$1"
    cat >src/main.rs
    cp "$sinew/Cargo.lock" .
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n%s\n' "$1" "$2" >Cargo.toml
}

# Only shaderc needs the line; nothing is built yet. Where the system's shaderc does not link by itself (Debian 12), the
# first build fails, and cargo keeps the output of the crate's build script.
project probe "$(grep "^shaderc = " "$sinew/crates/render/Cargo.toml")" <<'END'
fn main() {
    shaderc::Compiler::new().expect("it starts");
}
END
if CARGO_TARGET_DIR="$folder/built" cargo build --offline >first.txt 2>&1; then
    echo 'outside: shaderc links here without being told where it is'
else
    echo 'outside: shaderc does not link here without being told where it is, as expected of Debian 12'
fi
CARGO_TARGET_DIR="$folder/built" cargo run --quiet --offline $(config)

# The libraries alone: no shaderc, no Vulkan, no window. `fresh` builds them from nothing and says how long that takes;
# otherwise all but our own crates are those of the tests, by the same profile.
ours() {
    sed -n '/^\[profile\.dev/,/^\[profile\.release/p' "$sinew/Cargo.toml" |
        sed '/^\[profile\.release/d; /package.sinew/,/opt-level/ s/opt-level = 2/opt-level = 0/' >>Cargo.toml
}
project libraries "sinew-model = { path = \"$sinew/crates/model\" }
sinew-skinning = { path = \"$sinew/crates/skinning\" }
sinew-analysis = { path = \"$sinew/crates/analysis\" }" <<'END'
use sinew_analysis::measure::{Plan, compare_modes};
use sinew_model::{Options, builtin, gltf, load_bytes};
use sinew_skinning::pose::PoseChoice;
use sinew_skinning::{Drawn, SkinningMode};

fn main() {
    let model = gltf::load_bytes(&builtin::glb("bend").expect("it is built in"), None).expect("it is a model");
    // Without the feature, the reader of USD is not there and says how to get it.
    let error = load_bytes(b"#usda 1.0", None, &Options::default()).expect_err("it is USD").to_string();
    assert!(error.contains("--features usd") && !error.contains('\n'), "{error}");
    let plan = Plan::new(vec![SkinningMode::DualQuat], SkinningMode::Linear);
    let clip = PoseChoice::clip(0, 0.0);
    let print = |frame: sinew_analysis::measure::Frame| {
        println!("{:.3} m apart", frame.modes[0].distance.max_m);
        Ok::<(), ()>(())
    };
    compare_modes(&model, &Drawn::new(&model), &plan, &clip, &[1.0], print).expect("printing does not fail");
}
END
ours_here() { cargo tree --offline -e normal --prefix none | grep -oE '^sinew-[a-z-]+' | sort -u | tr '\n' ' '; }
echo "outside: the libraries are $(ours_here)"
if cargo tree --offline -e all | grep -E '(shaderc|shaderc-sys|ufbx|openusd|ash|clap|winit|egui|wayland-client|cc|cmake) v'; then
    echo 'outside: the libraries bring more than they need'
    exit 1
fi
built=$target
if [ "${1:-}" = fresh ]; then built=$folder/libraries-built; else ours; fi
started=$(date +%s)
said=$(CARGO_TARGET_DIR="$built" cargo run --quiet --offline)
case $said in
*' m apart') echo "outside: model, skinning and analysis build and run, in $(($(date +%s) - started)) s" ;;
*) echo "outside: the program says: $said" && exit 1 ;;
esac

# The rules of glTF, by the line that their README shows.
project rules "sinew-gltf-rules = { path = \"$sinew/crates/gltf-rules\" }" <<'END'
fn main() {
    let file = br#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 1}]}"#;
    for finding in sinew_gltf_rules::check(file, |_| Err("it is not read")) {
        println!("{} {}", finding.code, finding.pointer());
    }
}
END
[ "$(ours_here)" = 'sinew-gltf-rules ' ] || { echo "outside: the rules bring $(ours_here)"; exit 1; }
if [ "${1:-}" != fresh ]; then ours; fi
said=$(CARGO_TARGET_DIR="$built" cargo run --quiet --offline)
[ "$said" = 'UNRESOLVED_REFERENCE /nodes/0/mesh' ] || { echo "outside: the program says: $said"; exit 1; }
echo 'outside: the rules of glTF build and run alone'

# All of sinew.
project outside "sinew = { path = \"$sinew\", features = [\"usd\"] }" <<'END'
fn main() {
    let glb = sinew::model::builtin::glb("twist").expect("it is built in");
    let model = sinew::model::gltf::load_bytes(&glb, None).expect("it is a model");
    println!("{} joints", model.skins[0].joints.len());
}
END
ours
started=$(date +%s)
said=$(CARGO_TARGET_DIR="$target" cargo run --quiet --offline $(config))
[ "$said" = '2 joints' ] || { echo "outside: the program says: $said"; exit 1; }
echo "outside: a program that has sinew as a dependency builds and runs, in $(($(date +%s) - started)) s"
