#!/bin/sh
# Installs three-vrm's node constraints into .deps/vrm, for the test of constraints alone: the conformance table is of the
# versions in scripts/peers.sh.
set -eu
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo "peers: left out: three-vrm (no npm)"; exit 0; }
mkdir -p .deps/vrm
[ -e .deps/vrm/node_modules/@pixiv/three-vrm-node-constraint ] && exit 0
npm install --no-save --no-audit --no-fund --silent --prefix .deps/vrm @pixiv/three-vrm-node-constraint@3.5.5 three@0.187.0 \
    >.deps/vrm/npm.txt 2>&1 || echo "peers: left out: three-vrm (.deps/vrm/npm.txt)"
