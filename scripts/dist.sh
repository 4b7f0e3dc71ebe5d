#!/bin/sh
# Packs the program and the library for C into target/dist/sinew-VERSION-HOST.tar.gz, with their own and their libraries'
# licences, the manual pages and completions; scripts/release.sh says for which systems. Then tests the archive: unpacks it in
# an empty folder, draws a picture there, and compiles a program in C against it.
# Packs the conformance suite as well. `make reproducible` shows that the same sources give the same bytes.
set -eu
cd "$(dirname "$0")/.."
. scripts/release.sh
release
program=$built/sinew
version=$("$program" --version | cut -d ' ' -f 2)
name=sinew-$version-$(rustc -vV | sed -n 's/^host: //p')
folder=target/dist/$name
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/include" "$folder/lib/pkgconfig" "$folder/lib/cmake/sinew" "$folder/share/man/man1" "$folder/share/bash-completion/completions" \
    "$folder/share/zsh/site-functions" "$folder/share/fish/vendor_completions.d"
cp "$program" "$folder/bin"
# The library for C. Both files find it from where they lie.
cp crates/capi/include/sinew.h include/sinew_modes.h "$folder/include"
for file in libsinew_c.a libsinew_c.so libsinew_c.dylib; do
    [ ! -e "$library/$file" ] || cp "$library/$file" "$folder/lib"
done
sed "s/VERSION/$version/" >"$folder/lib/pkgconfig/sinew.pc" <<'END'
prefix=${pcfiledir}/../..
Name: sinew
Description: Loads, poses, skins and judges characters
Version: VERSION
Cflags: -I${prefix}/include
Libs: -L${prefix}/lib -lsinew_c
Libs.private: -lm -lpthread -ldl
END
# The code in C has debug information, with paths.
[ -z "$triple" ] || strip --strip-debug "$folder/lib/libsinew_c.a"
cat >"$folder/lib/cmake/sinew/sinew-config.cmake" <<'END'
get_filename_component(sinew_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
add_library(sinew::sinew STATIC IMPORTED)
set_target_properties(sinew::sinew PROPERTIES
    IMPORTED_LOCATION "${sinew_root}/lib/libsinew_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${sinew_root}/include"
    INTERFACE_LINK_LIBRARIES "m;pthread;${CMAKE_DL_LIBS}")
END
cp README.md SECURITY.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder"
"$built/licences" >"$folder/LICENCES-OF-LIBRARIES.txt"
"$program" man --write "$folder/share/man/man1"
"$program" completions bash >"$folder/share/bash-completion/completions/sinew"
"$program" completions zsh >"$folder/share/zsh/site-functions/_sinew"
"$program" completions fish >"$folder/share/fish/vendor_completions.d/sinew.fish"
pack() { # pack NAME: target/dist/NAME.tar.gz
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar \
        -cf - -C target/dist "$1" | gzip -n9 >"target/dist/$1.tar.gz"
    echo "dist: $PWD/target/dist/$1.tar.gz, $(($(wc -c <"target/dist/$1.tar.gz") / 1024)) KiB"
}
pack "$name"

empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
unpacked=$empty/$name
tar -xzf "target/dist/$name.tar.gz" -C "$empty"
(cd "$empty" && XDG_CACHE_HOME="$empty/cache" "$unpacked/bin/sinew" --screenshot picture.png)
[ -s "$empty/picture.png" ] || { echo 'dist: the unpacked program has drawn nothing'; exit 1; }

# The example skins the same vertices however it is linked.
skin() { # skin HOW PROGRAM: runs it
    LD_LIBRARY_PATH="$unpacked/lib" "$2" assets/character.glb 1 0.4 >"$empty/$1.txt"
    [ -s "$empty/$1.txt" ] && cmp "$empty/$1.txt" "$empty/static.txt" && echo "dist: the example in C runs, linked by $1"
}
cc -std=c99 -I"$unpacked/include" crates/capi/examples/skin.c "$unpacked/lib/libsinew_c.a" -lm -lpthread -ldl -o "$empty/a"
skin static "$empty/a"
if command -v pkg-config >/dev/null; then
    # shellcheck disable=SC2046
    cc -std=c99 crates/capi/examples/skin.c $(PKG_CONFIG_PATH="$unpacked/lib/pkgconfig" pkg-config --cflags --libs sinew) -o "$empty/b"
    ldd "$empty/b" | grep -q libsinew_c.so || { echo 'dist: pkg-config has not chosen the shared library'; exit 1; }
    skin pkg-config "$empty/b"
else
    echo 'dist: pkg-config is not there to test sinew.pc'
fi
PATH=$PATH:$PWD/.deps/cmake/bin
if cmake --version >/dev/null 2>&1 || scripts/tools.sh cmake cmake==4.1.2; then
    mkdir "$empty/c"
    cat >"$empty/c/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.10)
project(example C)
find_package(sinew REQUIRED)
add_executable(example $PWD/crates/capi/examples/skin.c)
target_link_libraries(example sinew::sinew)
END
    cmake -S "$empty/c" -B "$empty/c" -DCMAKE_PREFIX_PATH="$unpacked" >"$empty/cmake.txt" &&
        cmake --build "$empty/c" >>"$empty/cmake.txt" || { cat "$empty/cmake.txt"; exit 1; }
    skin CMake "$empty/c/example"
fi

suite=sinew-conformance-$version
rm -rf "target/dist/$suite"
"$program" conformance --write "target/dist/$suite"
pack "$suite"
[ "$(wc -c <"target/dist/$suite.tar.gz")" -lt 5000000 ] || { echo 'dist: the conformance suite takes more than 5 MB'; exit 1; }
