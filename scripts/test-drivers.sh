#!/bin/sh
# Runs the tests that need a driver on one software driver after the other, and prints what each has run. `make
# test-drivers` calls it, with the command of the tests in CARGO_TEST.
set -u
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
table=$folder/table.txt
printf '%-12s %-44s %7s %7s %7s  %s\n' tests driver passed failed ignored seconds >"$table"

run() { # run ICD TESTS: one program of tests on one driver
    export VK_DRIVER_FILES="$1" VK_ICD_FILENAMES="$1"
    case $2 in lib) which=--lib ;; *) which="--test $2" ;; esac
    driver=$(target/debug/sinew devices --json |
        sed -n 's/.*"driver\(_version\)*": *"\([^"]*\)".*/\2/p' | head -n 2 | paste -sd ' ' - | cut -c 1-44)
    started=$(date +%s)
    # shellcheck disable=SC2086 # several words each
    env $CARGO_TEST $which >"$folder/said.txt" 2>&1 || { failed=1; cat "$folder/said.txt"; }
    counts=$(sed -n 's/^test result: .* \([0-9]*\) passed; \([0-9]*\) failed; \([0-9]*\) ignored.*/\1 \2 \3/p' "$folder/said.txt" |
        awk '{ passed += $1; failed += $2; ignored += $3 } END { printf "%7d %7d %7d", passed, failed, ignored }')
    row=$(printf '%-12s %-44s %s  %d' "$2" "$driver" "$counts" $(($(date +%s) - started)))
    echo "$row"
    echo "$row" >>"$table"
}

# SwiftShader has surfaces for xcb and Wayland, while the window's are Xlib's: it has no windows to test.
for icd in "$@"; do
    case $icd in *swiftshader*) windows='' ;; *) windows=viewer ;; esac
    for tests in lib corpus drawing hostile program vulkan $windows; do
        run "$icd" "$tests"
    done
done
echo
cat "$table"
echo 'SwiftShader has no surfaces of Xlib, which the window needs: viewer does not run there.'
exit $failed
