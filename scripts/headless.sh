#!/bin/sh
# Builds the program without a window, checks that no window library is among its dependencies, and draws a picture.
set -eu
cd "$(dirname "$0")/.."
# Libraries are those of the tests, by the same features. The program itself is not optimised: it draws one small picture.
cargo build --locked --quiet --no-default-features --features sinew-model/gltf --config profile.dev.package.sinew.opt-level=0
if cargo tree --locked --no-default-features -e normal | grep -E '(winit|egui|arboard|wayland-client|x11rb) v'; then
    echo 'headless: libraries of the window are among the dependencies'
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Copied, because cargo puts the tests' program in the same place.
cp "${CARGO_TARGET_DIR:-target}/debug/sinew" "$folder/sinew"
XDG_CACHE_HOME=$folder "$folder/sinew" builtin:twist --size 64x64 --screenshot "$folder/picture.png"
code=0
"$folder/sinew" 2>"$folder/said.txt" || code=$?
[ $code = 2 ] && grep -q 'has no window' "$folder/said.txt" || { cat "$folder/said.txt"; exit 1; }
echo 'headless: the program without a window draws, and says that it has none'
