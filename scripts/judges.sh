#!/bin/sh
# Installs libigl and Dem Bones beside the other programs of scripts/peers.sh, for the tests of direct delta mush and of `sinew
# fit` alone, and Ray into .deps/ray, for the test of `python -m sinew.corpus`: the conformance table is of that script's
# versions. Later versions of libigl have no direct delta mush in Python.
set -eu
cd "$(dirname "$0")/../.deps/peers"
[ -x python/bin/pip ] || { echo "peers: left out: libigl, py-dem-bones (no Python)"; exit 0; }
# install PACKAGE CODE... installs a package unless the code runs already.
install() {
    name=${1%%=*}
    python/bin/python -c "$2" 2>/dev/null && return
    python/bin/pip install --quiet --disable-pip-version-check --only-binary :all: "$1" >"$name.txt" 2>&1 ||
        echo "peers: left out: $name (.deps/peers/$name.txt)"
}
install libigl==2.5.1 'import igl; igl.direct_delta_mush'
install py-dem-bones==0.13.1 'import py_dem_bones'
../../scripts/tools.sh ray ray==2.60.0 numpy==1.26.4 || true
