#!/usr/bin/env bash
# The steps of action.yml, which CI systems other than GitHub's can run too.
#
#   SINEW_WHEEL=… scripts/action.sh install       installs the wheel, and a software driver where there is none
#   SINEW_COMMAND=… scripts/action.sh check       runs a check; its results go to SINEW_OUTPUT and the job's summary
set -euo pipefail

case ${1:-} in
install)
    python3 -m pip install --quiet --disable-pip-version-check "$SINEW_WHEEL"
    # Only pictures need a driver.
    if command -v apt-get >/dev/null && ! ls /usr/share/vulkan/icd.d/*.json >/dev/null 2>&1; then
        sudo=$(command -v sudo || true)
        $sudo apt-get update -qq
        $sudo apt-get install -qq --no-install-recommends libvulkan1 mesa-vulkan-drivers
    fi
    ;;
check)
    output=${SINEW_OUTPUT:-sinew-results}
    mkdir -p "$output"
    # Quoted words stay one argument; nothing in them is run.
    mapfile -d '' -t words < <(python3 -c 'import shlex, sys
for word in shlex.split(sys.argv[1]):
    sys.stdout.write(word + "\0")' "$SINEW_COMMAND")
    case ${words[0]:-} in
    golden) words+=(--output "$output/pictures") ;;
    compare | conformance | inspect) ;;
    *)
        echo "action: '${words[0]:-}' is none of compare, golden, conformance, inspect" >&2
        exit 2
        ;;
    esac
    summary=$output/summary.md
    status=0
    sinew "${words[@]}" --junit "$output/results.xml" --markdown "$summary" >"$output/output.txt" || status=$?
    cat "$output/output.txt"
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -e "$summary" ]; then
        cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    fi
    exit "$status"
    ;;
*)
    echo 'usage: scripts/action.sh install | check' >&2
    exit 2
    ;;
esac
