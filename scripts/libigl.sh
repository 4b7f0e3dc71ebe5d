#!/bin/sh
# Installs libigl beside the other programs of scripts/peers.sh, for the test of direct delta mush alone: the conformance table
# is of that script's versions. Later versions have no direct delta mush in Python.
set -eu
cd "$(dirname "$0")/../.deps/peers"
[ -x python/bin/pip ] || { echo "peers: left out: libigl (no Python)"; exit 0; }
python/bin/python -c 'import igl; igl.direct_delta_mush' 2>/dev/null && exit 0
python/bin/pip install --quiet --disable-pip-version-check --only-binary :all: libigl==2.5.1 >libigl.txt 2>&1 ||
    echo "peers: left out: libigl (.deps/peers/libigl.txt)"
