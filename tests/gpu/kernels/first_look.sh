#!/bin/sh
# Check and time everything once: first_look.sh DIR OUT, with DIR as built by build.sh. Results go to
# OUT/first_look.txt; the times are CUDA events around each launch, not a profiler's.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 out=$2
: >"$out/first_look.txt"
look() { timeout 120 "$@" >>"$out/first_look.txt" 2>&1 || echo "EXIT $? of: $*" >>"$out/first_look.txt"; }
for f in "$bin"/*_v*; do
    n=60
    case $f in *_f32_v0 | *_f32_v1 | *histogram_v0 | *_bf16_v0) n=20 ;; esac
    look "$f" --check --events --warmup 10 --iterations $n
done
for f in "$here"/*/t[0-9]*.py "$here"/*/library.py; do
    look python3 "$f" --check --events --warmup 10 --iterations 60
done
