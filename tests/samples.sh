#!/bin/bash
# Orders that are drawn at random never show a class that `optimal` has not run: tests/samples.c, which
# comes after the suites that run the same programs, so that they are compiled already.
#
#     HEDDLE=build/heddle tests/samples.sh      prints "ok - NAME" or "not ok - NAME: reason"
set -u
cd "$(dirname "$0")/.." || exit 1
name="random orders show no class that optimal has not run"
if out=$("$(dirname "${HEDDLE:-build/heddle}")/tests/samples" 2>&1); then
    echo "ok - $name"
else
    echo "not ok - $name: $(head -n 1 <<<"$out")"
fi
