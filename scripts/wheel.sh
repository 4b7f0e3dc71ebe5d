#!/bin/sh
# Builds the Python package with the program inside, and tests it in empty environments.
#
#   scripts/wheel.sh                         into target/wheels, with each Python that is here (scripts/release.sh: for which systems)
#   scripts/wheel.sh build                   without the tests
#   scripts/wheel.sh test PROGRAM LIBRARY    packs what the tests have built, with one Python
#
# Without Python or PyPI it says so.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
. scripts/release.sh

# Each Python gets a separate environment.
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
version_of() { "$1" -c 'import ensurepip, sys, venv; print("%d.%d" % sys.version_info[:2] if sys.version_info >= (3, 9) else "")' 2>/dev/null; }

if [ "${1:-}" = test ]; then
    pythons=$(command -v python3 || echo none)
    version=$(version_of "$pythons") && [ -n "$version" ] || { echo 'wheel: left out, as there is no python3 from 3.9 on with venv'; exit 0; }
    wheel=$(python3 scripts/pack.py "$2" "$3" "$empty")
    # Later runs need no PyPI.
    numpy=.deps/numpy/$version
    [ -e "$numpy" ] || python3 -m pip download --quiet --retries 1 --disable-pip-version-check --only-binary :all: --dest "$numpy" numpy 2>/dev/null ||
        { rm -rf "$numpy" && echo 'wheel: left out, as NumPy could not be had from PyPI' && exit 0; }
    export PIP_NO_INDEX=1 PIP_FIND_LINKS="$root/$numpy"
else
    tools || exit 0
    release
    # maturin takes the program from there.
    rm -rf target/wheel-data target/wheels
    mkdir -p target/wheel-data/scripts target/wheel-data/data/share/doc/sinew
    cp "$built/sinew" target/wheel-data/scripts
    cp LICENSE-APACHE LICENSE-MIT target/wheel-data/data/share/doc/sinew
    "$built/licences" >target/wheel-data/data/share/doc/sinew/LICENCES-OF-LIBRARIES.txt
    # From the folder of the package, as maturin reads its pyproject.toml there.
    # shellcheck disable=SC2086
    (cd crates/python && RUSTFLAGS=$flags maturin build --quiet ${triple:+--zig --compatibility manylinux2014 --target $triple} -o "$root/target/wheels")
    wheel=$(echo "$root"/target/wheels/*.whl)
    size=$(wc -c <"$wheel")
    echo "wheel: $wheel, $((size / 1024)) KiB"
    [ "$size" -lt 20000000 ] || { echo 'wheel: it is over 20 MB'; exit 1; }
    [ "${1:-}" != build ] || exit 0
    pythons="$(ls -d "$HOME"/.pyenv/versions/3.*/bin/python3 2>/dev/null || true) $(command -v python3)"
fi

tested=
for python in $pythons; do
    version=$(version_of "$python") || continue
    case " $tested " in *" $version "*) continue ;; esac
    [ -n "$version" ] || continue
    bin=$empty/$version/bin
    PATH="$(dirname "$python"):$PATH" SINEW_HOME="$empty/$version" SINEW_NO_DRIVER=1 SINEW_WHEEL="$wheel" PIP_ONLY_BINARY=:all: scripts/action.sh install
    # Nothing but the environment is on the path: no compiler. A shell's background jobs ignore Ctrl+C, which the tests send.
    # shellcheck disable=SC2046
    (cd "$empty" && env $(env --default-signal true 2>/dev/null && echo --default-signal) -i PATH="$bin" HOME="$empty" PYTHONDONTWRITEBYTECODE=1 SINEW_DOCS="$root/docs/guides" \
        ${VK_DRIVER_FILES:+VK_DRIVER_FILES="$VK_DRIVER_FILES" VK_ICD_FILENAMES="$VK_DRIVER_FILES"} \
        "$bin/python" -W error -m unittest discover -q -s "$root/crates/python/tests" 2>tests.txt) ||
        { cat "$empty/tests.txt"; exit 1; }
    echo "wheel: Python $version: $(grep '^Ran' "$empty/tests.txt")"
    tested="$tested $version"
done
[ -n "$tested" ] || { echo 'wheel: no Python has tested it'; exit 1; }
