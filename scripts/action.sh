#!/usr/bin/env bash
# The steps of action.yml, which CI systems other than GitHub's can run too.
#
#   SINEW_WHEEL=… scripts/action.sh install       installs the wheel, and a software driver where there is none, unless
#                                                 SINEW_NO_DRIVER is set
#   SINEW_COMMAND=… scripts/action.sh check       runs a check; its results go to SINEW_OUTPUT and the job's summary
#
# Systems do not let pip install among their own packages: the wheel goes into a virtual environment, SINEW_HOME.
set -euo pipefail
home=${SINEW_HOME:-${RUNNER_TEMP:-.}/sinew-home}
! command -v cygpath >/dev/null || home=$(cygpath "$home")
export PATH="$home/bin:$home/Scripts:$PATH"

case ${1:-} in
install)
    python3 -m venv "$home"
    python -m pip install --quiet --disable-pip-version-check "$SINEW_WHEEL"
    # Only pictures need a driver.
    if [ -z "${VK_DRIVER_FILES:-}${SINEW_NO_DRIVER:-}" ] && command -v apt-get >/dev/null &&
        ! ls /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json 2>/dev/null | grep -q .; then
        sudo=$(command -v sudo || true)
        $sudo apt-get update -qq
        $sudo apt-get install -qq --no-install-recommends libvulkan1 mesa-vulkan-drivers
    fi
    ;;
check)
    output=${SINEW_OUTPUT:-sinew-results}
    mkdir -p "$output"
    rm -f "$output/summary.md" "$output/results.xml"
    # Quoted words stay one argument; nothing in them is run.
    words=()
    while IFS= read -r -d '' word; do words+=("$word"); done < <(python3 -c 'import shlex, sys
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
    sinew "${words[@]}" --junit "$output/results.xml" --markdown "$summary" >"$output/output.txt" 2>"$output/errors.txt" || status=$?
    cat "$output/output.txt"
    cat "$output/errors.txt" >&2
    # What cannot be checked has no report.
    [ -e "$summary" ] || { echo '```' && cat "$output/errors.txt" && echo '```'; } >"$summary"
    [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    exit "$status"
    ;;
*)
    echo 'usage: scripts/action.sh install | check' >&2
    exit 2
    ;;
esac
