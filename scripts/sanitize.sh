#!/bin/sh
# Looks for memory errors that no test can see. What the toolchain lacks, it skips with one line.
#
#   scripts/sanitize.sh address [SECONDS]   tests of the libraries, C included, and five fuzz targets, with AddressSanitizer
#   scripts/sanitize.sh c                   programs in C and C++, the examples among them, under valgrind
#   scripts/sanitize.sh miri                tests of the libraries in Miri
set -eu
cd "$(dirname "$0")/.."

say() { echo "sanitize: $*"; }
host=$(rustc -vV | sed -n 's/^host: //p')

# The sanitizer is not stable yet, but the stable toolchain brings its library; nightly is the other choice.
address() {
    runtime=$(rustc --print sysroot)/lib/rustlib/$host/lib
    if ls "$runtime"/librustc*asan* >/dev/null 2>&1; then
        export RUSTC_BOOTSTRAP=1
    elif cargo +nightly --version >/dev/null 2>&1; then
        export RUSTUP_TOOLCHAIN=nightly
    else
        say "address: skipped: no library of the sanitizer in $runtime, and no nightly toolchain"
        return
    fi
    # ufbx is C. Both compilers know the sanitizer; clang also tells the fuzzer what a file reaches.
    compiler=cc
    ! command -v clang >/dev/null || compiler=clang
    # Nobody frees what a thread pool holds at the end.
    export ASAN_OPTIONS=detect_leaks=0
    # A test writes a file of deep nodes, and each frame of its stack is several times as large.
    export RUST_MIN_STACK=67108864
    CC=$compiler CFLAGS=-fsanitize=address RUSTFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR="$PWD/target/address" \
        cargo test --locked --target "$host" -p sinew-gltf-rules -p sinew-model -p sinew-skinning \
        --features sinew-model/gltf,sinew-model/fbx,sinew-model/usd --lib --tests
    coverage=
    [ $compiler = cc ] || coverage=,fuzzer-no-link
    CC=$compiler CFLAGS=-fsanitize=address$coverage CARGO_TARGET_DIR="$PWD/target/address" \
        scripts/fuzz.sh address "${1:-180}s" c_arrays fbx picture draco usd
}

# rustc has the sanitizer's library for programs alone, so those of C run under valgrind. The pool's threads never end and keep
# their memory, so a leak is what nothing points to any more.
c() {
    if ! command -v valgrind >/dev/null; then
        say 'c: skipped: no valgrind'
        return
    fi
    logs=$PWD/target/valgrind
    rm -rf "$logs" && mkdir -p "$logs"
    leaks='--leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect'
    SINEW_UNDER="valgrind $leaks --error-exitcode=99 --log-file=$logs/%p.txt" \
        cargo test --locked -p sinew-capi --test programs --test modes
    awk '/ERROR SUMMARY/ { runs++; errors += $4 }
        /definitely lost|indirectly lost/ { gsub(",", ""); lost += $4 }
        END { printf "sanitize: c: %d runs, %d errors, %d bytes lost\n", runs, errors, lost }' "$logs"/*.txt
}

# Miri runs a thousand times slower, so these are the tests of what is unsafe and of what unpacks bytes; all would take days.
# It has AVX2, not AVX-512, and would round approximate roots anew each time. The crates under rayon keep pointers in numbers
# and never end their threads.
miri() {
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        say 'miri: skipped: it is not installed; `rustup component add miri rust-src --toolchain nightly` does it'
        return
    fi
    flags='disable-isolation tree-borrows permissive-provenance ignore-leaks deterministic-floats'
    MIRIFLAGS=$(printf -- '-Zmiri-%s ' $flags)
    export MIRIFLAGS
    export CARGO_TARGET_DIR="$PWD/target/miri"
    RUSTFLAGS='-Ctarget-feature=+avx2,+fma' cargo +nightly miri test --locked -p sinew-skinning --lib -- \
        cpu::tests::any_combination cpu::tests::joints_at_both_ends cpu::tests::spans_that_do_not_fit \
        cpu::tests::without_influences tests::a_quarter_turn tests::no_joint_is_the_slot
    cargo +nightly miri test --locked -p sinew-gltf-rules -p sinew-model --lib -- decoding::tests \
        gltf::reader::accessor format::component
}

case "${1:-}" in
address | c | miri) "$@" ;;
*) say 'give address, c or miri' >&2 && exit 2 ;;
esac
