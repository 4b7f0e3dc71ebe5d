#!/bin/sh
# Installs other programs into .deps/peers, for tests that hold `sinew compare` to what they make of models: gltf-transform
# (npm), Blender's exporters and USD (pip). Each is optional: what does not fit this machine is named and left out. Tests
# start them as processes; sinew links none of them. `make peers` calls it.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .deps/peers
cd .deps/peers
missing=

# Versions are pinned, so that a test fails for a change of ours alone.
if ! command -v npm >/dev/null; then
    missing="$missing @gltf-transform/cli (no npm)"
elif [ ! -x node_modules/.bin/gltf-transform ]; then
    npm install --no-save --no-audit --no-fund --silent --prefix . @gltf-transform/cli@4.5.1 >npm.txt 2>&1 ||
        { tail -n 5 npm.txt; missing="$missing @gltf-transform/cli (npm.txt)"; }
fi

# Each wheel of bpy is for one version of Python: 4.5 for 3.11.
if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    missing="$missing bpy usd-core (no python3 with venv)"
else
    [ -x python/bin/pip ] || python3 -m venv python
    for package in bpy==4.5.14 usd-core==25.11; do
        name=${package%%=*}
        python/bin/pip show --quiet "$name" >/dev/null 2>&1 ||
            python/bin/pip install --quiet --disable-pip-version-check --only-binary :all: "$package" >"$name.txt" 2>&1 ||
            { tail -n 1 "$name.txt"; missing="$missing $name ($name.txt)"; }
    done
fi
echo "peers: in .deps/peers${missing:+; left out:$missing}"
