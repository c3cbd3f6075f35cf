#!/bin/sh
# A scenario of N x N nodes for grid.c: the route is the diagonal, the range eight neighbours.  Nodes on the route and
# their neighbours may each lose the first packet that they receive.
#
#     bench/system/grid.sh N > bench/system/grid-N.yaml
#     bench/system/grid.sh N mesh > bench/system/mesh-N.yaml       N nodes that hear everything; all of them may lose the first packet
#     bench/system/grid.sh N flood > bench/system/flood-N.yaml     the grid, and everybody sends on what he hears
set -eu
n=$1
shape=${2:-grid}
if [ "$shape" = mesh ]; then
    cat <<END
# Made by bench/system/grid.sh $n mesh: everybody hears everything, and sends it on once.
nodes:
  - {name: "node{index}", count: $n, program: grid.c, flags: -DFLOOD, arguments: ["{index}", "{count}", "{hop:node0}"]}
topology:
  shape: mesh
links:
  - {fifo: true, latency: 10 ms}
faults:
  - {drop: 1, per: node, received: 1}
END
    exit
fi
title="" flags=""
[ "$shape" = grid ] || title=" $shape" flags="
    flags: -DFLOOD"
cat <<END
# Made by bench/system/grid.sh $n$title: data collection in a grid (paper 004, section IV-A).
nodes:
  - name: node{index}
    count: $((n * n))
    program: grid.c$flags
    arguments: ["{index}", "{count}", "{hop:node0}"]
topology:
  shape: grid
  columns: $n
  range: 8
links:
  - fifo: true
    latency: 10 ms
faults:
  - drop: 1
    per: node
    received: 1
    to:
END
# The neighbours of the diagonal are at most two columns away from it.
row=0
while [ $row -lt "$n" ]; do
    column=0
    while [ $column -lt "$n" ]; do
        away=$((row - column))
        if [ $away -ge -2 ] && [ $away -le 2 ]; then
            echo "      - node$((row * n + column))"
        fi
        column=$((column + 1))
    done
    row=$((row + 1))
done
