#!/bin/sh
# Build the programs of this folder (../build.sh, where nvcc is) and run measure.py on them.
#
#     measure.sh LIBRARY [--raw DIR] [--cases] [--overhead ROUNDS] [--training ROUNDS] [--durations] [--million]
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
    programs=$(mktemp -d)
    trap 'rm -rf "$programs"' EXIT
    "$here/../build.sh" "$programs" cases || { echo "the programs cannot be built" >&2; exit 77; }
fi
LD_LIBRARY_PATH="$cuda/lib64:$cuda/extras/CUPTI/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LD_LIBRARY_PATH
python3 -B "$here/measure.py" "$programs" "$library" "$@"
