#!/bin/bash
#SBATCH --job-name=heddle
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --time=08:00:00
#SBATCH --signal=INT@120
#SBATCH --requeue
# One search on the nodes of a Slurm job.  The first node has the server and the coordinator, all work.
#
#     sbatch --export=ALL,RUN=parser-7 slurm.sh parser.c
#
# Two minutes before its time is up the run is left in order; the same command, submitted again, goes on.
# The directory it is submitted from must be one that all nodes see.
set -eu
: "${RUN:?say what the run is called: --export=ALL,RUN=NAME}"
first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
url=nats://$first:${PORT:-4222}
nats-server -js -a "$first" -p "${PORT:-4222}" -sd "$RUN.store" >"$RUN.server.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
# The token must be there before machines that want it; compiling is in the 20 seconds.
[ -e "$RUN.token" ] || heddle run --cluster "$url" --run "$RUN" --token "$RUN.token" --no-workers -t 20 -q -o "$RUN.out" "$@" || true
srun --overlap heddle worker --cluster "$url" --token "$RUN.token" &
heddle run --cluster "$url" --run "$RUN" --token "$RUN.token" --no-workers -o "$RUN.out" "$@"
