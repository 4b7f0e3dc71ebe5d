#!/bin/sh
# Builds the wheel and the archives of the last commit in two clones in different folders, and compares them byte by byte.
# target/reproducible keeps both.
set -eu
cd "$(dirname "$0")/.."
unset CARGO_TARGET_DIR
root=$PWD kept=$PWD/target/reproducible
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
rm -rf "$kept"
for clone in one another/two; do
    git clone --quiet . "$folder/$clone"
    cd "$folder/$clone"
    # Compilers and what they link are the machine's.
    ln -s "$root/.deps" .deps
    { scripts/wheel.sh build && scripts/dist.sh; } >"$folder/said.txt" 2>&1 || { cat "$folder/said.txt"; exit 1; }
    mkdir -p "$kept/${clone#*/}"
    mv target/wheels/*.whl target/dist/*.tar.gz "$kept/${clone#*/}"
    cd "$root"
    rm -rf "${folder:?}/$clone"
done
cd "$kept/one"
[ "$(ls | wc -l)" = 3 ] || { echo 'reproducible: something was left out:' && cat "$folder/said.txt" && exit 1; }
diff -r . ../two
sha256sum ./*
echo "reproducible: the same bytes from two clones of $(git -C "$root" rev-parse --short HEAD)"
