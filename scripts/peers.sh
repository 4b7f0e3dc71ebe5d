#!/bin/sh
# Installs other programs into .deps/peers, for tests of `sinew compare` and `sinew diagnose`: gltf-transform, three.js and
# Babylon.js (npm), Blender and USD (pip). Each is optional: what does not fit this machine is named and left out. Tests
# start them as processes; sinew links none of them. `make peers` calls it.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .deps/peers
cd .deps/peers
missing=

# Versions are pinned, so that a test fails for a change of ours alone.
# npm removes packages that an installation does not name, so all go in at once.
NPM="@gltf-transform/cli@4.5.1 three@0.187.0 @babylonjs/core@9.28.0 @babylonjs/loaders@9.28.0"
if ! command -v npm >/dev/null; then
    missing="$missing $NPM (no npm)"
elif [ "$(cat npm.version 2>/dev/null)" != "$NPM" ]; then
    # shellcheck disable=SC2086
    if npm install --no-save --no-audit --no-fund --silent --prefix . $NPM >npm.txt 2>&1; then
        echo "$NPM" >npm.version
    else
        tail -n 5 npm.txt
        missing="$missing $NPM (npm.txt)"
    fi
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
