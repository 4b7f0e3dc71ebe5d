#!/bin/sh
# Installs packages of PyPI into a virtual environment, .deps/NAME, once: scripts/tools.sh NAME PACKAGE==VERSION…
# Without Python or PyPI it says so in one line, and fails.
set -eu
cd "$(dirname "$0")/.."
name=$1 folder=.deps/$1
shift
# Its programs name the folder in which they were installed; a checkout may move.
[ "$(cat "$folder/wanted" 2>/dev/null)" != "$*" ] || ! "$folder/bin/pip" --version >/dev/null 2>&1 || exit 0
python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "$name: left out, as there is no python3 with venv"; exit 1; }
echo "$name: installing $* into $folder"
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --retries 1 --disable-pip-version-check --only-binary :all: "$@" 2>"$folder/pip.txt" ||
    { echo "$name: left out, as PyPI does not give it: $folder/pip.txt"; exit 1; }
echo "$*" >"$folder/wanted"
