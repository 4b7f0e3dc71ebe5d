#!/bin/sh
# Builds the program without a window, without a warning, checks that no window library is among its dependencies, and draws
# a picture.
set -eu
cd "$(dirname "$0")/.."
# Our own crates are not optimised: they draw one small picture. The others are those of the tests.
set --
for crate in sinew $(ls crates | sed "s,^,sinew-,"); do
    set -- "$@" --config "profile.dev.package.$crate.opt-level=0"
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo build --locked --quiet --no-default-features --features usd "$@" 2>"$folder/warnings.txt" && [ ! -s "$folder/warnings.txt" ] ||
    { cat "$folder/warnings.txt"; exit 1; }
if cargo tree --locked --no-default-features --features usd -e normal | grep -E '(winit|egui|arboard|wayland-client|x11rb) v'; then
    echo 'headless: libraries of the window are among the dependencies'
    exit 1
fi
# Copied, because cargo puts the tests' program in the same place.
cp "${CARGO_TARGET_DIR:-target}/debug/sinew" "$folder/sinew"
XDG_CACHE_HOME=$folder "$folder/sinew" builtin:twist --size 64x64 --screenshot "$folder/picture.png"
code=0
"$folder/sinew" 2>"$folder/said.txt" || code=$?
[ $code = 2 ] && grep -q 'has no window' "$folder/said.txt" || { cat "$folder/said.txt"; exit 1; }
echo 'headless: the program without a window draws, and says that it has none'
