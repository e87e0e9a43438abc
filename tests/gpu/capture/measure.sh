#!/bin/sh
# Build the programs of this folder (where nvcc is) and run measure.py on them.
#
#     measure.sh LIBRARY [--cases] [--overhead ROUNDS] [--durations] [--million]
#
# LIBRARY: libwarplore_cupti.so. PROGRAMS in the environment: a folder with programs that were built
# before, used as it is. Exit status 77 where there is no GPU or nothing to build with.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cuda=${CUDA_HOME:-/usr/local/cuda}
library=$1
shift
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU" >&2; exit 77; }
programs=${PROGRAMS:-}
if [ -z "$programs" ]; then
    nvcc=$(command -v nvcc || echo "$cuda/bin/nvcc")
    [ -x "$nvcc" ] || { echo "no nvcc" >&2; exit 77; }
    programs=$(mktemp -d)
    trap 'rm -rf "$programs"' EXIT
    for name in tiny long kinds contexts ends forks subscriber; do
        "$nvcc" -O2 -std=c++17 -arch=native -cudart static -o "$programs/$name" "$here/$name.cu" \
            -ldl -lpthread
    done
    cc -O2 -shared -fPIC -I"$cuda/include" -o "$programs/libbare.so" "$here/bare_activity.c" \
        -L"$cuda/lib64" -lcupti
fi
LD_LIBRARY_PATH="$cuda/lib64:$cuda/extras/CUPTI/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH
python3 -B "$here/measure.py" "$programs" "$library" "$@"
