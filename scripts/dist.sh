#!/bin/sh
# Packs the stripped program into target/dist/sinew-VERSION-HOST.tar.gz, with its own and its libraries' licences, the
# manual pages and completions. Then tests the archive: unpacks it in an empty folder and draws a picture there.
# Packs the conformance suite as well: the same suite gives the same bytes, whenever and wherever it is packed.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked
built=${CARGO_TARGET_DIR:-target}/release/sinew
name=sinew-$("$built" --version | cut -d ' ' -f 2)-$(rustc -vV | sed -n 's/^host: //p')
folder=target/dist/$name
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/share/man/man1" "$folder/share/bash-completion/completions" \
    "$folder/share/zsh/site-functions" "$folder/share/fish/vendor_completions.d"
cp "$built" "$folder/bin/sinew"
cp README.md SECURITY.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
cargo run --locked --quiet -p sinew-tools --bin licences >"$folder/LICENCES-OF-LIBRARIES.txt"
"$built" man --write "$folder/share/man/man1"
"$built" completions bash >"$folder/share/bash-completion/completions/sinew"
"$built" completions zsh >"$folder/share/zsh/site-functions/_sinew"
"$built" completions fish >"$folder/share/fish/vendor_completions.d/sinew.fish"
tar -czf "target/dist/$name.tar.gz" -C target/dist "$name"

empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
archive=$PWD/target/dist/$name.tar.gz
(cd "$empty" && tar -xzf "$archive" && XDG_CACHE_HOME="$empty/cache" "$name/bin/sinew" --screenshot picture.png)
[ -s "$empty/picture.png" ] || { echo 'dist: the unpacked program has drawn nothing'; exit 1; }
echo "dist: $archive, $(($(wc -c <"$archive") / 1024)) KiB; the program alone $(($(wc -c <"$folder/bin/sinew") / 1024)) KiB"

suite=sinew-conformance-$("$built" --version | cut -d ' ' -f 2)
rm -rf "target/dist/$suite"
"$built" conformance --write "target/dist/$suite"
tar --sort=name --mtime='1980-01-01 00:00Z' --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar \
    -cf - -C target/dist "$suite" | gzip -n9 >"target/dist/$suite.tar.gz"
size=$(wc -c <"target/dist/$suite.tar.gz")
[ "$size" -lt 5000000 ] || { echo "dist: the conformance suite takes $size bytes, more than 5 MB"; exit 1; }
echo "dist: $PWD/target/dist/$suite.tar.gz, $((size / 1024)) KiB"
