# Sourced by dist.sh and wheel.sh in the repository's root. release builds the program and the library for C, for any Linux
# with glibc 2.17 or newer; on other systems, and without zig, for this one. It sets `built` and `library` to their folders.
#
# maturin and zig, which links for old systems, come from PyPI into .deps/wheel.

target=${CARGO_TARGET_DIR:-$PWD/target}
# Files of an archive have this date: the same sources give the same bytes.
export SOURCE_DATE_EPOCH=315532800
# The paths of libraries do not say in whose home they are.
flags="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"

tools() {
    scripts/tools.sh wheel maturin==1.16.0 cargo-zigbuild==0.24.1 ziglang==0.17.1 && PATH="$PWD/.deps/wheel/bin:$PATH"
}

program='--release -p sinew -p sinew-tools --features sinew/usd,sinew/parquet --bin sinew --bin licences'
release() {
    triple=
    if [ "$(uname -s)" = Linux ] && tools; then
        triple=$(uname -m)-unknown-linux-gnu
        # Build scripts are linked by this machine's compiler, whose library for C++ is stdc++.
        export CXXSTDLIB=stdc++
        for packages in "$program" '--profile library -p sinew-capi'; do
            # shellcheck disable=SC2046,SC2086
            RUSTFLAGS=$flags cargo zigbuild --locked $([ ! -e .deps/shaderc.toml ] || echo --config .deps/shaderc.toml) \
                --target "$triple.2.17" $packages
        done
    else
        # shellcheck disable=SC2086
        cargo build --locked $program && cargo build --locked --profile library -p sinew-capi
    fi
    built=$target/${triple:+$triple/}release library=$target/${triple:+$triple/}library
    [ -z "$triple" ] || needs_no_newer_glibc "$built/sinew" "$library/libsinew_c.so"
}

needs_no_newer_glibc() { # needs_no_newer_glibc FILES…
    newest=$(objdump -T "$@" | grep -o 'GLIBC_2[0-9.]*' | cut -d _ -f 2 | sort -V | tail -n 1)
    echo "release: needs glibc $newest: $*"
    [ "$(printf '%s\n2.17\n' "$newest" | sort -V | tail -n 1)" = 2.17 ]
}
