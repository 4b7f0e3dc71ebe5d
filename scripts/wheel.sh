#!/bin/sh
# Builds the Python package with the program inside, and tests it in empty environments.
#
#   scripts/wheel.sh          into target/wheels, for any Linux with glibc 2.17 or newer (on other systems, for this one)
#   scripts/wheel.sh test     a quick one from what the tests have built, with this machine's Python alone
#
# maturin and zig, which links for old systems, come from PyPI into .deps/wheel. Without Python or PyPI it says so.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-release}
tools=$PWD/.deps/wheel
target=${CARGO_TARGET_DIR:-$PWD/target}

python3 -c 'import venv, ensurepip' 2>/dev/null || { echo 'wheel: left out, as there is no python3 with venv'; exit 0; }
WANTED='maturin==1.16.0 cargo-zigbuild==0.24.1 ziglang==0.17.1'
[ "$mode" = test ] && WANTED='maturin==1.16.0'
if ! grep -qsF "$WANTED" "$tools/wanted"; then
    echo "wheel: installing $WANTED into .deps/wheel"
    [ -x "$tools/bin/pip" ] || python3 -m venv "$tools"
    # shellcheck disable=SC2086
    "$tools/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $WANTED ||
        { echo 'wheel: left out, as PyPI could not be reached'; exit 0; }
    echo "$WANTED" >"$tools/wanted"
fi
export PATH="$tools/bin:$PATH"
config() { [ ! -e .deps/shaderc.toml ] || echo "--config .deps/shaderc.toml"; }

# maturin takes the program from wheel-data/scripts.
data=target/wheel-data/scripts
rm -rf target/wheel-data
mkdir -p $data
case $mode-$(uname -s) in
test-*)
    [ -x "$target/debug/sinew" ] || cargo build --locked --bin sinew
    cp "$target/debug/sinew" $data/
    set -- --profile dev --skip-auditwheel
    ;;
release-Linux)
    triple=$(uname -m)-unknown-linux-gnu
    # shellcheck disable=SC2046
    # Build scripts are linked by this machine's compiler, whose library for C++ is stdc++.
    export CXXSTDLIB=stdc++
    cargo zigbuild --release --locked $(config) --target "$triple.2.17" --bin sinew
    cp "$target/$triple/release/sinew" $data/
    set -- --release --zig --compatibility manylinux2014 --target "$triple"
    ;;
*)
    cargo build --release --locked
    cp "$target/release/sinew" $data/
    set -- --release
    ;;
esac
# From the folder of the package, as maturin reads its pyproject.toml there.
out=target/wheels
[ "$mode" != test ] || out=target/wheels-test
rm -rf "$out"
(cd crates/python && maturin build --quiet "$@" -o "../../$out")
wheel=$(ls -t "$out"/*.whl | head -n 1)
size=$(wc -c <"$wheel")
echo "wheel: $wheel, $((size / 1024)) KiB"
[ "$size" -lt 20971520 ] || [ "$mode" = test ] || { echo 'wheel: it is over 20 MiB'; exit 1; }

# Each Python that is here, in an environment of its own, without compilers on its path.
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
tested=
for python in $([ "$mode" = test ] && echo python3 || ls -d "$HOME"/.pyenv/versions/3.*/bin/python /usr/bin/python3 2>/dev/null); do
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2] if sys.version_info >= (3, 9) else "")')
    case " $tested " in *" $version "*) continue ;; esac
    [ -n "$version" ] && "$python" -c 'import venv, ensurepip' 2>/dev/null || continue
    "$python" -m venv "$empty/$version"
    "$empty/$version/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: "$wheel"
    (cd "$empty" && env -i PATH="$empty/$version/bin" HOME="$empty" SINEW_DOCS="$OLDPWD/docs/guides" \
        ${VK_DRIVER_FILES:+VK_DRIVER_FILES="$VK_DRIVER_FILES" VK_ICD_FILENAMES="$VK_DRIVER_FILES"} \
        "$empty/$version/bin/python" -W error -m unittest discover -q -s "$OLDPWD/crates/python/tests" 2>tests.txt) ||
        { cat "$empty/tests.txt"; exit 1; }
    echo "wheel: Python $version: $(grep '^Ran' "$empty/tests.txt")"
    tested="$tested $version"
done
