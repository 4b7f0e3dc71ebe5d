#!/bin/sh
# Packs the stripped program into target/dist/sinew-VERSION-HOST.tar.gz, with its own and its libraries' licences, the
# manual pages and completions. Then tests the archive: unpacks it in an empty folder and draws a picture there.
# Packs the conformance suite as well: the same suite gives the same bytes, whenever and wherever it is packed.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked -p sinew -p sinew-capi
built=${CARGO_TARGET_DIR:-target}/release/sinew
name=sinew-$("$built" --version | cut -d ' ' -f 2)-$(rustc -vV | sed -n 's/^host: //p')
folder=target/dist/$name
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/include" "$folder/lib/pkgconfig" "$folder/lib/cmake/sinew" "$folder/share/man/man1" "$folder/share/bash-completion/completions" \
    "$folder/share/zsh/site-functions" "$folder/share/fish/vendor_completions.d"
cp "$built" "$folder/bin/sinew"
# The library for C. Both files find it from where they lie.
cp crates/capi/include/sinew.h include/sinew_modes.h "$folder/include"
for library in libsinew_c.a libsinew_c.so libsinew_c.dylib; do
    [ ! -e "$(dirname "$built")/$library" ] || cp "$(dirname "$built")/$library" "$folder/lib"
done
cat >"$folder/lib/pkgconfig/sinew.pc" <<'END'
prefix=${pcfiledir}/../..
Name: sinew
Description: Loads, poses, skins and judges characters
Version: VERSION
Cflags: -I${prefix}/include
Libs: -L${prefix}/lib -lsinew_c
Libs.private: -lm -lpthread -ldl
END
sed -i.was "s/VERSION/$("$built" --version | cut -d ' ' -f 2)/" "$folder/lib/pkgconfig/sinew.pc"
rm "$folder/lib/pkgconfig/sinew.pc.was"
cat >"$folder/lib/cmake/sinew/sinew-config.cmake" <<'END'
get_filename_component(sinew_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
add_library(sinew::sinew STATIC IMPORTED)
set_target_properties(sinew::sinew PROPERTIES
    IMPORTED_LOCATION "${sinew_root}/lib/libsinew_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${sinew_root}/include"
    INTERFACE_LINK_LIBRARIES "m;pthread;${CMAKE_DL_LIBS}")
END
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
