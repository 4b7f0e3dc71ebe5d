#!/bin/sh
# Measures skinning on this machine's GPU and writes every figure to a folder, in less than ten minutes:
#
#     scripts/gpu-figures.sh target/release/sinew FOLDER [MODEL]
#
# MODEL is skinned and drawn as a crowd; the built-in character if it is left out. DEVICE selects another device.
set -u
program=$1 folder=$2 model=${3:-builtin:character}
mkdir -p "$folder"

measure() { # measure NAME SECONDS WORDS…: one command, cut off after some seconds, into NAME.txt
    name=$1 seconds=$2
    shift 2
    echo "$name: sinew $*"
    timeout "$seconds" "$program" "$@" ${DEVICE:+--device "$DEVICE"} >"$folder/$name.txt" 2>&1 ||
        echo "exit code $?, see $folder/$name.txt"
}

"$program" devices --measure >"$folder/devices.txt" 2>&1
measure verify 60 verify --samples 8
measure verify-fast 60 verify --samples 8 --fast
for palette in ubo ssbo shared; do
    measure "vertices-$palette" 60 bench --only skin --vertices 2000000 --fast --palette "$palette"
    measure "crowd-$palette" 45 bench "$model" --only skin --crowd 10000 --modes lbs,dqs,cor --fast --palette "$palette"
done
for quality in plain full; do
    measure "frames-$quality" 45 bench "$model" --crowd 1000,10000 --quality "$quality" --modes lbs,dqs \
        --skin gpu --against skin=compute --frames 30
done
measure palettes 30 bench "$model" --crowd 10000 --skin gpu --palette ubo --against palette=ssbo --quality plain --frames 30
