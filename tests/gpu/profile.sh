#!/bin/sh
# Records of real programs, on a GPU host with an unpacked `./dev pack` archive:
#
#     profile.sh PACK OUT [STAGE…]
#
#     at_run_time   a CUDA program: NVRTC, NVTX ranges of threads, CUDA graphs (built here, or in PROGRAMS)
#     eager         PyTorch in two processes: the first screen of its profile
#     compiled      the same with torch.compile
#     ranges        the same in emit_nvtx(record_shapes=True)
#     triton        a Triton program
#     code          the same with the machine code of its kernels
#     autotune      a matrix product of Triton's autotuner, as a run with its sweep
#
# Prints the first screen of each, leaves the records in OUT, and checks them (profile/check.py). Records to
# keep become tests/fixtures/collect/profiles/STAGE-DEVICE.json, which a test checks in the same way. Adopting
# a line needs a service, to which the record is submitted:
#
#     warplore profile OUT/ranges.json --line 1
#     warplore submit OUT/ranges.json
#     warplore adopt PROFILE 1.1 --operator gemm --dims M=4096,K=1024,N=4096 --dtype bf16
#
# Machine code needs nvdisasm in PATH, CUDA_HOME/bin or /usr/local/cuda/bin; without it the records say so.
# Exit status: 77 without a GPU or PyTorch, 1 when a record is not as it should be. About 3 minutes, most of
# it torch.compile and building; no program gets more than LIMIT seconds (60).
set -u
here=$(cd "$(dirname "$0")" && pwd)
pack=$(cd "$1" && pwd) && mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
[ $# -gt 0 ] || set -- at_run_time eager compiled ranges triton code autotune
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU" >&2; exit 77; }
export WARPLORE_STATE="$out/state" TRITON_CACHE_DIR="$out/triton" TRITON_CACHE_AUTOTUNING=1
programs=${PROGRAMS:-$out/programs} bad=0 skipped=0
rm -rf "$out/triton" # of an earlier call: only what a program compiles itself is read
for s; do
    options= program=python3
    case $s in
    at_run_time)
        options="--metrics launch__registers_per_thread,sm__cycles_active.sum" program=$programs/at_run_time
        "$here/build.sh" "$programs" profile || { echo "the program cannot be built" >&2; bad=1; continue; }
        set --
        ;;
    triton) set -- "$here/profile/softmax.py" ;;
    code) options=--isa && set -- "$here/profile/softmax.py" ;;
    autotune)
        options="--isa --operator gemm --dims M=4096,N=4096,K=4096 --dtype bf16 --language triton"
        options="$options --kernel-regex matmul_tiles --technique compute.tensor_core" && set -- "$here/profile/matmul.py"
        ;;
    *) set -- "$here/profile/train.py" "$s" ;;
    esac
    if [ "$program" = python3 ] && ! python3 -c 'import torch; torch.zeros(1).cuda()' 2>/dev/null; then
        echo "== $s: no PyTorch that sees the GPU" && skipped=1
        continue
    fi
    start=$(date +%s)
    echo "== $s"
    # shellcheck disable=SC2086
    timeout "${LIMIT:-60}" "$pack/bin/warplore" run --verbose --no-upload --strict $options --out "$out/$s.json" -- "$program" "$@" 2>&1 || bad=1
    [ -s "$out/$s.json" ] && python3 -B "$here/profile/check.py" "$out/$s.json" || bad=1
    echo "== $s: $(($(date +%s) - start)) s, $(wc -c <"$out/$s.json" 2>/dev/null || echo 0) bytes"
done
[ $bad -eq 0 ] && [ $skipped -eq 1 ] && exit 77
exit $bad
