#!/bin/sh
# Installs other programs into .deps/peers, for tests of `sinew compare` and `sinew diagnose` and for the runners of
# conformance/peers: gltf-transform and engines in JavaScript (npm), Blender and USD (pip). Each is optional: what does not
# fit this machine is named and left out. Tests start them as processes; sinew links none of them. `make peers` calls it.
set -eu
cd "$(dirname "$0")/.."
mkdir -p .deps/peers
cd .deps/peers
missing=

# Versions are pinned, so that a test fails for a change of ours alone.
# npm removes packages that an installation does not name, so all go in at once.
NPM="@gltf-transform/cli@4.5.1 three@0.187.0 @babylonjs/core@9.28.0 @babylonjs/loaders@9.28.0 playwright-core@1.65.1 meshoptimizer@1.2.0
playcanvas@2.23.3 @galacean/engine@1.6.13 cesium@1.145.0 filament@1.53.4 @khronosgroup/gltf-viewer@1.1.0 rhodonite@0.15.3"
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

# Engines that skin in shaders run in Debian's Chromium, by playwright-core.
command -v chromium >/dev/null || missing="$missing chromium (apt-get install chromium)"

# Each wheel of bpy is for one version of Python: 4.5 for 3.11. momentum and Ogre have none for it, but for 3.12.
# install FOLDER PYTHON PACKAGE... makes a venv, and installs one package after the other.
install() {
    folder=$1 python=$2
    shift 2
    if ! $python -c 'import venv, ensurepip' 2>/dev/null; then
        missing="$missing $* (no $python with venv)"
        return
    fi
    [ -x "$folder/bin/pip" ] || $python -m venv "$folder"
    for package; do
        name=${package%%=*}
        flags=
        # momentum imports torch, with 4 GB of CUDA, and does without for its geometry (conformance/peers/momentum.py).
        [ "$name" != pymomentum-cpu ] || flags=--no-deps
        "$folder/bin/pip" show --quiet "$name" 2>/dev/null && continue
        "$folder/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $flags "$package" >"$name.txt" 2>&1 ||
            { tail -n 1 "$name.txt"; missing="$missing $name ($name.txt)"; }
    done
}
install python python3 numpy==1.26.4 bpy==4.5.14 usd-core==25.11 panda3d==1.10.16 panda3d-gltf==1.3.0 raylib==6.2.0.0 vtk==9.7.2 ufbx==0.0.5
python312=python3.12
for candidate in python3.12 "$HOME"/.pyenv/versions/3.12*/bin/python3; do
    if "$candidate" -c '' 2>/dev/null; then python312=$candidate; fi
done
install python312 "$python312" numpy==2.5.5 scipy==1.18.1 ogre-python==14.6.2.post1 pymomentum-cpu==0.1.114.post0
# raylib draws, and needs a display.
command -v xvfb-run >/dev/null || missing="$missing raylib (no xvfb-run)"
echo "peers: in .deps/peers${missing:+; left out:$missing}"
