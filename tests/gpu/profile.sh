#!/bin/sh
# Profiles of real programs, on a GPU host with PyTorch and an unpacked `./dev pack` archive:
#
#     profile.sh PACK OUT [eager] [compiled] [triton]
#
# Prints the first screen of each and leaves the records in OUT. The rest needs no GPU; adopting a line
# needs a service, to which the record is submitted:
#
#     warplore profile OUT/eager.json --line 1
#     warplore submit OUT/eager.json
#     warplore adopt PROFILE 1 --operator gemm --dims M=4096,N=4096,K=1024 --dtype bf16
#
# Exit status: 77 without a GPU or PyTorch, 1 when a program has no profile. About 90 s, most of it
# torch.compile; no program gets more than LIMIT seconds (60).
set -u
here=$(cd "$(dirname "$0")/profile" && pwd)
pack=$(cd "$1" && pwd) && mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
[ $# -gt 0 ] || set -- eager compiled triton
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU" >&2; exit 77; }
python3 -c 'import torch; torch.zeros(1).cuda()' 2>/dev/null || { echo "no PyTorch that sees the GPU" >&2; exit 77; }
WARPLORE_STATE=$out/state && export WARPLORE_STATE
bad=0
for s; do
    case $s in
    triton) set -- "$here/softmax.py" ;;
    *) set -- "$here/train.py" "$s" ;;
    esac
    start=$(date +%s)
    echo "== $s"
    timeout "${LIMIT:-60}" "$pack/bin/warplore" run --verbose --no-upload --strict --out "$out/$s.json" -- python3 "$@" 2>&1 || bad=1
    [ -s "$out/$s.json" ] || bad=1
    echo "== $s: $(($(date +%s) - start)) s, $(wc -c <"$out/$s.json" 2>/dev/null || echo 0) bytes"
done
exit $bad
