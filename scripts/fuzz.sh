#!/bin/sh
# Fuzzes each target for a while, as many at a time as there are cores, and prints what each has run. `make fuzz` calls it.
#
#   scripts/fuzz.sh SANITIZER FOR TARGET…   SANITIZER is none or address; FOR is 60s, or 1000000 for so many executions
#
# Each target starts from generated seeds and the finds of earlier runs in fuzz/corpus. Failing inputs are kept in
# fuzz/artifacts, and all that a target says in target/fuzz/TARGET.txt.
set -eu
cd "$(dirname "$0")/.."

# The build of all targets, and the seeds, before the clock starts.
prepare() {
    cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
    # The seeds come from a program of its own, which nobody watches.
    env -u CC -u CFLAGS -u CARGO_TARGET_DIR -u RUSTC_BOOTSTRAP \
        cargo run --locked --quiet -p sinew-tools --features usd --bin fuzz_seeds -- fuzz/seeds
    mkdir -p target/fuzz
    for target in "$@"; do
        cargo fuzz build --sanitizer "$FUZZ_SANITIZER" "$target"
    done
}

# Where a sanitizer watches, everything is slower and larger.
fuzz() { # fuzz TARGET
    case $1 in
    fbx | picture | usd) words=-dict=fuzz/$1.dict ;;
    glb | gltf_json | show) words=-dict=fuzz/gltf.dict ;;
    config | golden_list | pose_file) words=-dict=fuzz/texts.dict ;;
    *) words= ;;
    esac
    case $FUZZ_FOR in *s) length=-max_total_time=${FUZZ_FOR%s} ;; *) length=-runs=$FUZZ_FOR ;; esac
    case $FUZZ_SANITIZER in none) limits='-timeout=5 -rss_limit_mb=512' ;; *) limits='-timeout=25 -rss_limit_mb=2048' ;; esac
    log=target/fuzz/$1.txt
    mkdir -p "fuzz/corpus/$1"
    # shellcheck disable=SC2086 # several words each, or none
    if cargo fuzz run --sanitizer "$FUZZ_SANITIZER" "$1" "fuzz/corpus/$1" "fuzz/seeds/$1" -- \
        $length $words $limits -max_len=24000 -print_final_stats=1 >"$log" 2>&1; then
        printf '%-12s %9d executions, nothing found\n' "$1" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
    else
        tail -n 40 "$log"
        echo "$1 failed: all it said is in $log" >&2
        # xargs goes on with the other targets, and fails at the end.
        exit 1
    fi
}

if [ "$1" = one ]; then
    fuzz "$2"
    exit
fi
export FUZZ_SANITIZER="$1" FUZZ_FOR="$2"
shift 2
prepare "$@"
printf '%s\n' "$@" | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" "$0" one
