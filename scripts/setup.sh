#!/bin/sh
# Installs whatever this machine lacks for building and testing sinew. It announces each step; if nothing is missing, it
# prints nothing and takes a fraction of a second.
#
#   scripts/setup.sh                for `make run`
#   scripts/setup.sh test           also rustfmt, clippy, cargo-deny and the tools that test the window
#   scripts/setup.sh drivers        as the first, and two more software drivers (SwiftShader and a newer Mesa) and a newer
#                                   validation layer
#
# Its own files go into .deps/, which git ignores and which may be deleted at any time.
set -eu
cd "$(dirname "$0")/.."

started=$(date +%s)
worked=no # yes once anything was installed or built
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

say() { echo "setup: $*"; worked=yes; }
has() { command -v "$1" >/dev/null 2>&1; }
any() { for file in "$@"; do [ -e "$file" ] && return; done; return 1; } # does any of these exist?

# ---- The system: package manager, package names and paths. -----------------------------------------

prefix=/usr
driver='lavapipe (software Vulkan driver)'
driver_file='lvp_icd*.json'
loader_file=libvulkan.so.1
if [ "$(uname -s)" = Darwin ]; then
    manager=none prefix=/usr/local install='brew install'
    if has brew; then manager=brew prefix=$(brew --prefix); fi
    driver='MoltenVK (Vulkan on Metal)'
    driver_file='MoltenVK_icd.json'
    loader_file=libvulkan.1.dylib
    p_cxx='' # part of Apple's command line tools, not a package
    p_loader=vulkan-loader p_driver=molten-vk p_layer=vulkan-validationlayers
    p_spirv=spirv-tools p_shaderc=shaderc p_source='cmake ninja python'
elif has apt-get; then
    manager=apt
    install='env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends'
    p_cxx=g++ p_loader=libvulkan1 p_driver=mesa-vulkan-drivers p_layer=vulkan-validationlayers
    p_spirv=spirv-tools p_shaderc='libshaderc-dev glslang-dev'
    p_source='cmake ninja-build python3 git'
    p_window='libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0' p_screen='xvfb xdotool xclip dbus'
    p_wayland='sway wl-clipboard libwayland-client0' p_fonts='fonts-dejavu-core fonts-symbola fonts-wqy-microhei'
elif has dnf; then
    manager=dnf
    install='dnf install -y'
    p_cxx=gcc-c++ p_loader=vulkan-loader p_driver=mesa-vulkan-drivers
    p_layer=vulkan-validation-layers p_spirv=spirv-tools p_shaderc=libshaderc-devel
    p_source='cmake ninja-build python3 git'
    p_window='libX11 libX11-xcb libXcursor libXi libxkbcommon-x11' p_screen='xorg-x11-server-Xvfb xdotool xclip dbus-daemon dbus-libs'
    p_wayland='sway wl-clipboard libwayland-client' p_fonts='dejavu-sans-fonts gdouros-symbola-fonts wqy-microhei-fonts'
elif has pacman; then
    manager=pacman
    install='pacman -S --needed --noconfirm'
    p_cxx=gcc p_loader=vulkan-icd-loader p_driver=vulkan-swrast p_layer=vulkan-validation-layers
    p_spirv=spirv-tools p_shaderc=shaderc p_source='cmake ninja python git'
    p_window='libx11 libxcursor libxi libxkbcommon-x11' p_screen='xorg-server-xvfb xdotool xclip dbus'
    p_wayland='sway wl-clipboard wayland' p_fonts='ttf-dejavu wqy-microhei'
else
    manager=none install=''
    p_cxx='' p_loader='' p_driver='' p_layer='' p_spirv='' p_shaderc='' p_source=''
fi

# ---- Find what is missing. -------------------------------------------------------------------------

no_manager='found no package manager that I know (apt, dnf, pacman, brew)'
missing=''  # one line for the user each
packages='' # the same for the package manager
lack() {    # lack WHAT PACKAGES
    missing="$missing
    - $1"
    packages="$packages $2"
}

# Look for files and commands only: the package manager would take seconds on every `make run`, and does not know what
# came from elsewhere (a Vulkan SDK, a source build).
find_missing() {
    missing='' packages=''
    has cc && has c++ || lack 'a C and C++ compiler (cc, c++)' "$p_cxx"
    # The patterns below are unquoted on purpose: the shell expands them.
    any $prefix/lib/$loader_file /usr/lib64/$loader_file /usr/lib/*-linux-gnu*/$loader_file \
        /usr/local/lib/$loader_file ||
        lack 'the Vulkan loader (libvulkan)' "$p_loader"
    any $prefix/share/vulkan/icd.d/$driver_file $prefix/etc/vulkan/icd.d/$driver_file \
        /etc/vulkan/icd.d/$driver_file /usr/local/share/vulkan/icd.d/$driver_file ||
        lack "$driver" "$p_driver"
    layer=vulkan/explicit_layer.d/VkLayer_khronos_validation.json
    any $prefix/share/$layer /etc/$layer /usr/local/share/$layer ||
        lack 'the Vulkan validation layers' "$p_layer"
    has spirv-val || lack 'spirv-val (SPIR-V tools)' "$p_spirv"
}

give_up() { # give_up REASON
    {
        echo "setup: $1"
        if [ -n "$missing" ]; then
            echo "setup: this machine lacks:$missing"
            [ -z "${packages# }" ] || echo "setup: to install it yourself: $install$packages"
            echo 'setup: after that, run the same command again'
        fi
    } >&2
    exit 1
}

as_root() {
    if [ $manager = brew ] || [ "$(id -u)" = 0 ]; then
        "$@"
    elif has sudo; then
        sudo "$@"
    else
        give_up 'installing packages needs root, and there is no sudo'
    fi
}

install_packages() { # install_packages NAMES…
    [ $# != 0 ] || return 0
    [ $manager != none ] || give_up "$no_manager"
    say "installing with $manager:" "$@"
    # A fresh system or container has empty or old package lists.
    [ $manager != apt ] || as_root apt-get update -q || return
    as_root $install "$@"
}

# ---- shaderc ----------------------------------------------------------------------------------------
# .cargo/config.toml tells the crate shaderc-sys to link the library in .deps/shaderc. In order of preference that is: a
# library of the system, if it links; the system's static archives merged into one; a build from source, which takes
# minutes, once.

deps=.deps/shaderc

links() { # links LIBRARY: can a program link it, and does the program start?
    [ -e "$tmp/probe.cc" ] || cat >"$tmp/probe.cc" <<'END'
extern "C" void *shaderc_compiler_initialize(void);
int main() { return shaderc_compiler_initialize() == nullptr; }
END
    c++ -pthread -o "$tmp/probe" "$tmp/probe.cc" "$1" 2>/dev/null && "$tmp/probe"
}

find_library() { # find_library FILE: prints its path, or nothing
    for dir in ${VULKAN_SDK:+"$VULKAN_SDK/lib"} $prefix/lib /usr/local/lib; do
        [ ! -e "$dir/$1" ] || { echo "$dir/$1"; return; }
    done
    # The compiler knows every distribution's folder; for an unknown file it prints the bare name.
    file=$(c++ -print-file-name="$1" 2>/dev/null) || return 0
    [ ! -e "$file" ] || echo "$file"
}

shaderc_of_system() {
    # Static first: such a program runs whatever the library search path is.
    for name in libshaderc_combined.a libshaderc_shared.so libshaderc.so \
        libshaderc_shared.dylib libshaderc.dylib; do
        library=$(find_library $name)
        if [ -n "$library" ] && links "$library"; then
            say "shaderc: using $library"
            mkdir -p $deps && ln -sf "$library" $deps/$name
            return
        fi
    done
    return 1
}

shaderc_merged() {
    # Debian 12 and its relatives build libshaderc without glslang and SPIRV-Tools, which it needs: neither the static
    # nor the shared library links. The missing parts are in the static archives next to it, but shaderc-sys links only
    # one archive, so merge them all. The list covers several versions of glslang; each has only some of the archives.
    script="CREATE $tmp/libshaderc_combined.a"
    for part in shaderc_combined glslang MachineIndependent GenericCodeGen OSDependent OGLCompiler \
        HLSL SPIRV glslang-default-resource-limits SPIRV-Tools-opt SPIRV-Tools; do
        library=$(find_library lib$part.a)
        [ -z "$library" ] || script="$script
ADDLIB $library"
    done
    printf '%s\nSAVE\nEND\n' "$script" | ar -M >/dev/null 2>&1 || return
    links "$tmp/libshaderc_combined.a" || return
    say "shaderc: merging the system's static libraries into $deps/libshaderc_combined.a"
    mkdir -p $deps && mv "$tmp/libshaderc_combined.a" $deps/
}

shaderc_from_source() {
    missing='' packages=''
    has cmake && has python3 && has git ||
        lack 'cmake, python3 and git, to build shaderc from source' "$p_source"
    [ -z "$missing" ] || install_packages $packages || give_up 'installing them failed'
    say 'shaderc: this system has none that links; building it from source (10 minutes on two cores, once)'
    # The crate contains the sources and builds them if SHADERC_LIB_DIR does not exist. The result goes where all builds
    # find it, or debug and release would each build it again. (`check`, because `build -p shaderc-sys` does not work
    # for a dependency of build scripts only.)
    SHADERC_LIB_DIR="$tmp/none" CARGO_TARGET_DIR=.deps/shaderc-build cargo check --release --locked
    mkdir -p $deps
    mv .deps/shaderc-build/release/build/shaderc-sys-*/out/lib/libshaderc_combined.a $deps/
    rm -rf .deps/shaderc-build
}

shaderc_at_hand() {
    [ -n "${SHADERC_LIB_DIR:-}" ] || any $deps/libshaderc* || shaderc_of_system || shaderc_merged
}

# A project that depends on sinew does not see this repository's .cargo/config.toml. It uses this file instead:
# cargo build --config …/sinew/.deps/shaderc.toml. The file replaces shaderc-sys's build script, not just
# SHADERC_LIB_DIR: cargo would keep that script's output from an earlier failed build.
shaderc_for_others() {
    [ -z "${SHADERC_LIB_DIR:-}" ] || return 0
    for library in $deps/libshaderc*; do
        case $library in
        *.a) kind=static ;;
        *) kind=dylib ;;
        esac
        name=${library##*/lib}
        runtime=stdc++
        [ "$(uname -s)" != Darwin ] || runtime=c++
        cat >.deps/shaderc.toml <<END
[target.$(rustc -vV | sed -n 's/^host: //p').shaderc]
rustc-link-search = ["native=$PWD/$deps"]
rustc-link-lib = ["$kind=${name%%.*}", "$runtime"]
END
        return
    done
}

# ---- cargo-deny --------------------------------------------------------------------------------------
# Checks licences, sources and versions of the dependencies (deny.toml). Older ones lack keys of that file, or do not
# understand what today's cargo tells them.

deny=.deps/cargo-deny
deny_version=0.20.2

deny_at_hand() {
    version=$(PATH="$PWD/$deny/bin:$PATH" cargo-deny --version 2>/dev/null) && ! older "${version##* }" 0.20
}

deny_from_source() {
    say 'cargo-deny: building it from source (a minute or two, once)'
    # Not optimised: it builds in half the time, and checks in two seconds.
    cargo install --quiet --debug --locked --root $deny cargo-deny@$deny_version
}

# ---- Install. ---------------------------------------------------------------------------------------

# No rust-toolchain file pins a version: any Rust from Cargo.toml's rust-version on works.
has cargo && has rustc || give_up 'there is no cargo on the PATH: get Rust from https://rustup.rs, then run this again'
wanted=$(sed -n 's/^rust-version *= *"\([0-9.]*\)".*/\1/p' Cargo.toml)
found=$(rustc --version | cut -d ' ' -f 2)
older() { # older A B: is version A (major.minor) older than B?
    [ "${1%%.*}" -lt "${2%%.*}" ] && return
    a=${1#*.} b=${2#*.}
    [ "${1%%.*}" -eq "${2%%.*}" ] && [ "${a%%.*}" -lt "${b%%.*}" ]
}
! older "$found" "${wanted:-1.85}" ||
    give_up "Rust $found is too old, $wanted is needed: run \`rustup update\`, or get rustup from https://rustup.rs"

find_missing
[ -z "$missing" ] || [ $manager != none ] || give_up "$no_manager"
others=$packages
shaderc_at_hand || lack 'shaderc (compiles the shaders)' "$p_shaderc"
if [ -n "$missing" ]; then
    # If only the shaderc packages fail to install, continue: it can be built from source.
    install_packages $packages ||
        { [ "$others" != "$packages" ] && install_packages $others; } ||
        give_up 'installing them failed'
    find_missing
    [ -z "$missing" ] || give_up 'the packages are installed, and yet not all is there'
    shaderc_at_hand || shaderc_from_source
fi
[ -e .deps/shaderc.toml ] || shaderc_for_others

for extra in "$@"; do
    case $extra in
    test)
        if ! { cargo fmt --version && cargo clippy --version; } >/dev/null 2>&1; then
            has rustup || give_up 'the tests need rustfmt and clippy: install them as you installed Rust'
            say 'adding rustfmt and clippy with rustup'
            rustup component add rustfmt clippy
        fi
        deny_at_hand || deny_from_source || give_up 'building cargo-deny failed'
        # The window's tests need a virtual screen and a compositor without one; those of names in other scripts need
        # fonts, small ones.
        if [ "$(uname -s)" = Linux ]; then
            missing='' packages=''
            has Xvfb && has xdotool && has xclip && has dbus-daemon || lack 'Xvfb, xdotool, xclip and dbus-daemon, for the tests of the window' "${p_screen:-}"
            has sway && has swaymsg && has wl-paste ||
                lack 'sway and wl-clipboard, for the tests of the window on Wayland' "${p_wayland:-}"
            for font in DejaVuSans.ttf wqy-microhei.ttc 'Symbola*.ttf'; do
                # Arch packages no font of emoji in one colour.
                [ $manager = pacman ] && [ "$font" = 'Symbola*.ttf' ] && continue
                [ -n "$(find /usr/share/fonts /usr/local/share/fonts -iname "$font" 2>/dev/null)" ] ||
                    { lack 'fonts for Hebrew, Arabic, Chinese, Japanese, Korean and emoji' "${p_fonts:-}" && break; }
            done
            has ffmpeg || lack 'ffmpeg, for the tests of videos' ffmpeg
            for library in libX11 libX11-xcb libXcursor libXi libxkbcommon-x11; do
                any /usr/lib64/$library.so.[0-9] /usr/lib/*-linux-gnu*/$library.so.[0-9] /usr/lib/$library.so.[0-9] ||
                    { lack "the libraries of X11's windows ($library)" "${p_window:-}" && break; }
            done
            [ -z "$missing" ] || install_packages $packages || give_up 'installing them failed'
        fi
        ;;
    drivers)
        # Packages are unpacked without being installed.
        fetched() { # fetched PACKAGE OPTION…: unpacks a package of Debian's into $tmp/PACKAGE
            package=$1
            shift
            # As root, apt downloads as a user who may not write here, and warns about it.
            (cd "$tmp" && apt-get -q -o APT::Sandbox::User=root "$@" download "$package" &&
                dpkg-deb -x "$package"_*.deb "$package")
        }
        libraries=$tmp/mesa-vulkan-drivers/usr/lib/$(uname -m)-linux-gnu
        if [ ! -e .deps/swiftshader/vk_swiftshader_icd.json ] || [ ! -e .deps/layer/VkLayer_khronos_validation.json ]; then
            # Only Debian's Chromium has it as files of its own, and a current validation layer beside it.
            in_apt() { apt-cache show chromium-common >/dev/null 2>&1; }
            [ $manager = apt ] && { in_apt || { as_root apt-get update -q && in_apt; }; } ||
                give_up 'only Debian packages SwiftShader: build it yourself, then `make test-drivers SWIFTSHADER_ICD=…/vk_swiftshader_icd.json`'
            say 'SwiftShader: downloading the Debian package chromium-common (30 MB) and unpacking its driver and its layer into .deps/'
            fetched chromium-common
            mkdir -p .deps/swiftshader
            mv "$tmp"/chromium-common/usr/lib/chromium/libvk_swiftshader.so .deps/swiftshader/
            mv "$tmp"/chromium-common/usr/lib/chromium/vk_swiftshader_icd.json .deps/swiftshader/
            mkdir -p .deps/layer
            mv "$tmp"/chromium-common/usr/lib/chromium/libVkLayer_khronos_validation.so .deps/layer/
            # The package has no manifest for it; loaders look for these extensions there.
            cat >.deps/layer/VkLayer_khronos_validation.json <<'END'
{
    "file_format_version": "1.2.0",
    "layer": {
        "name": "VK_LAYER_KHRONOS_validation",
        "type": "GLOBAL",
        "library_path": "./libVkLayer_khronos_validation.so",
        "api_version": "1.4.300",
        "implementation_version": "1",
        "description": "Khronos validation layer of Chromium",
        "instance_extensions": [
            { "name": "VK_EXT_debug_report", "spec_version": "9" },
            { "name": "VK_EXT_debug_utils", "spec_version": "1" },
            { "name": "VK_EXT_layer_settings", "spec_version": "2" },
            { "name": "VK_EXT_validation_features", "spec_version": "2" }
        ],
        "device_extensions": [
            { "name": "VK_EXT_debug_marker", "spec_version": "4" },
            { "name": "VK_EXT_tooling_info", "spec_version": "1" },
            { "name": "VK_EXT_validation_cache", "spec_version": "1" }
        ]
    }
}
END
        fi
        # Debian 12 has a newer Mesa among its backports, for the same LLVM. Elsewhere the system's is as new.
        release=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")
        if [ "$release" = bookworm ] && [ ! -e .deps/mesa/lvp_icd.json ]; then
            say 'Mesa: downloading mesa-vulkan-drivers (11 MB) of bookworm-backports and unpacking lavapipe into .deps/mesa'
            uri=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $release" | head -n 1)
            [ -n "$uri" ] || give_up 'apt does not know where packages come from: run `apt-get update`'
            mkdir -p "$tmp/lists/partial"
            echo "deb $uri $release-backports main" >"$tmp/backports.list"
            backports="-o Dir::Etc::sourcelist=$tmp/backports.list -o Dir::Etc::sourceparts=- -o Dir::State::lists=$tmp/lists"
            apt-get -q -o APT::Sandbox::User=root $backports update
            fetched mesa-vulkan-drivers $backports
            mkdir -p .deps/mesa
            mv "$libraries/libvulkan_lvp.so" .deps/mesa/
            sed 's|"library_path": "|&./|' "$tmp/mesa-vulkan-drivers/usr/share/vulkan/icd.d/lvp_icd.json" >.deps/mesa/lvp_icd.json
        fi
        ;;
    *)
        give_up "what is \"$extra\"? I know: test, drivers"
        ;;
    esac
done

[ $worked = no ] || echo "setup: done in $(($(date +%s) - started)) s"
