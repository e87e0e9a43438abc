#!/bin/sh
# Build the programs of the stages of accept.sh into DIR: build.sh DIR [STAGE…]. Where there is no GPU, too:
# ARCH (default native) names the chip, sm_90 for an H100 or H200. What is there already is not built again.
# PyTorch's and Triton's programs need no building; those of the campaign are built by kernels/build.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cuda=${CUDA_HOME:-/usr/local/cuda}
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
nvcc=$(command -v nvcc || echo "$cuda/bin/nvcc")
cu() { # SOURCE NAME [flags…]
    source=$here/$1 name=$2 && shift 2
    [ -x "$out/$name" ] || "$nvcc" -O3 -std=c++17 -arch="${ARCH:-native}" -cudart static "$@" -o "$out/$name" "$source" -ldl -lpthread
}
[ $# -gt 0 ] || set -- cases durations counters first overhead compare profile
for s; do
    case $s in
    cases | overhead | million | training | durations)
        for p in tiny long kinds contexts ends forks subscriber durations; do cu "capture/$p.cu" $p; done
        [ -e "$out/libbare.so" ] || cc -O2 -shared -fPIC -I"$cuda/include" -o "$out/libbare.so" "$here/capture/bare_activity.c" -L"$cuda/lib64" -L"$cuda/extras/CUPTI/lib64" -lcupti
        ;;
    counters | first)
        cu counters/five.cu five
        cu counters/memory.cu memory -lcuda
        cu counters/copies.cu copies
        ;;
    profile) cu profile/at_run_time.cu at_run_time -lcuda -lnvrtc ;;
    compare) for pct in 0 1 2 3 10; do cu compare/copies.cu "copy$pct" -DEXTRA_PCT=$pct; done ;;
    esac
done
