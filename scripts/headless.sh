#!/bin/sh
# Builds the program without a window, checks that no window library is among its dependencies, and draws a picture.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}/headless
# Unoptimised, since it draws one small picture.
CARGO_TARGET_DIR=$target CARGO_PROFILE_DEV_DEBUG=0 cargo build --locked --quiet --no-default-features \
    --config profile.dev.opt-level=0 --config 'profile.dev.package."*".opt-level=0'
if cargo tree --locked --no-default-features -e normal | grep -E '(winit|egui|arboard|wayland-client|x11rb) v'; then
    echo 'headless: libraries of the window are among the dependencies'
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
XDG_CACHE_HOME=$folder "$target/debug/sinew" builtin:twist --size 64x64 --screenshot "$folder/picture.png"
code=0
"$target/debug/sinew" 2>"$folder/said.txt" || code=$?
[ $code = 2 ] && grep -q 'has no window' "$folder/said.txt" || { cat "$folder/said.txt"; exit 1; }
echo 'headless: the program without a window draws, and says that it has none'
