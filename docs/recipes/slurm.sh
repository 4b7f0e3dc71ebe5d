#!/bin/sh
# Checks a folder of models as an array of Slurm jobs, and merges the shares in a job after them:
#
#   sh slurm.sh MODELS OUT 64
#
# If a share fails, run it again, and then the merge:
#
#   sbatch --array=17 slurm.sh MODELS OUT 64
#   sbatch slurm.sh MODELS OUT 64 merge
#SBATCH --job-name=sinew
#SBATCH --cpus-per-task=4
#SBATCH --mem=18G
#SBATCH --time=12:00:00
#SBATCH --requeue
set -eu
models=$1 out=$2 shares=$3
if [ "${4:-}" = merge ]; then
    exec sinew corpus merge "$out"/share-*-of-"$shares" -o "$out/all" --fail-on error
elif [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    share=$SLURM_ARRAY_TASK_ID
    exec sinew corpus check "$models" -o "$out/share-$share-of-$shares" --shard "$share/$shares" --jobs "$SLURM_CPUS_PER_TASK" \
        --pages 0
fi
mkdir -p "$out"
job=$(sbatch --parsable --array="1-$shares" "$0" "$models" "$out" "$shares")
sbatch --dependency="afterok:${job%%;*}" --cpus-per-task=1 "$0" "$models" "$out" "$shares" merge
