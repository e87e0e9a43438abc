#!/bin/sh
# Everything that needs a real GPU, in one command, on a host with an unpacked `./dev pack` archive:
#
#     accept.sh PACK OUT [STAGE…]
#
# PACK: the unpacked archive. OUT gets one log per stage, and in OUT/raw what was measured as JSON: kept as
# tests/fixtures/gpu/STAGE-DEVICE.json (counters: tests/fixtures/collect/counters-DEVICE.json), it makes the
# tables of the docs (tables.py). Without stages, these, in LIMIT seconds (default 460, and the first round
# of compare). A stage that takes longer than what is left, or 60 s, is ended:
#
#     cases       programs that launch, fork, spawn, crash, use graphs, PyTorch, Triton, with the library and without
#     durations   against %globaltimer and against batches behind one event pair
#     counters    against ncu, and that a counted program keeps its memory
#     million     a million launches each from PyTorch and Triton
#     overhead    of tiny launches, against a bare CUPTI loop; of kernels of 3 ms
#     training    of a training step of PyTorch
#     compare     pairs with 0, 1, 2, 3 and 10 % more work in turns, until the time is over: at least one
#                 session of each; REPEATS bounds it instead
#
# And commands of their own, each within LIMIT seconds:
#
#     first       the first counted launch of a process, by kernel and by number of metrics
#     profile     records of PyTorch, Triton and NVRTC programs: ranges, machine code, autotuning, graphs
#     campaign    the campaign of kernels/ with its counters, into OUT/records: again until it says that all
#                 is recorded; then see kernels/README.md
#
# Programs are built here with nvcc, or taken from PROGRAMS, a folder where they lie already built (build.sh).
# LANES (default 2): sessions of compare at a time. Exit status: 77 without a GPU, 1 when a stage is not as it
# should be. With an AMD GPU the stages are those of amd/accept.py.
set -u
here=$(cd "$(dirname "$0")" && pwd)
pack=$(cd "$1" && pwd) && mkdir -p "$2/raw" && out=$(cd "$2" && pwd) || exit 2
shift 2
nvidia-smi -L >/dev/null 2>&1 || [ ! -e /dev/kfd ] || exec python3 -B "$here/amd/accept.py" "$pack" "$out" "$@"
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU" >&2; exit 77; }
library=$pack/lib/warplore/libwarplore_cupti.so warplore=$pack/bin/warplore
programs=${PROGRAMS:-$out/programs} lanes=${LANES:-2} bad=0
end=$(($(date +%s) + ${LIMIT:-460}))
[ $# -gt 0 ] || set -- cases durations counters million overhead training compare

left() { echo $((end - $(date +%s))); }
stage() { # NAME COMMAND…: its log, and whether it went well
    name=$1 && shift
    start=$(date +%s) most=$(left)
    [ "$most" -gt 60 ] || most=60
    case $1 in compare | campaign) ;; *) set -- timeout "$most" "$@" ;; esac # these look at the clock themselves
    "$@" >"$out/$name.log" 2>&1 && word=ok || { word=NOT; bad=1; }
    echo "$word $name, $(($(date +%s) - start)) s: $out/$name.log"
}
measure() { # STAGE OPTION…
    s=$1 && shift
    stage "$s" "$here/capture/measure.sh" "$library" --raw "$out/raw" "$@"
}
compare() { # all pairs in turns
    round=0 parts=
    while :; do
        for pct in 0 1 2 3 10; do
            [ $round -eq 0 ] || [ -n "${REPEATS:-}" ] || [ "$(left)" -gt 25 ] || break 2
            file=$out/raw/compare-$pct-$round.json
            python3 "$here/compare/repeats.py" "$warplore" "$lanes" "$programs/copy0" "$programs/copy$pct" --lanes "$lanes" --json "$file" || return 1
            parts="$parts $pct,1,$lanes,$file"
        done
        round=$((round + 1))
        [ $round -lt "${REPEATS:-1000}" ] || break
    done
    # shellcheck disable=SC2086
    python3 "$here/compare/keep.py" "$out/raw/compare.json" "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)" "${CUDA:-13.0}" $parts &&
        python3 - "$out/raw/compare.json" <<'PY'
import collections, json, sys
seen = collections.Counter((s["more_pct"], s["verdict"]) for s in json.load(open(sys.argv[1]))["sessions"])
print(*sorted(seen.items()), sep="\n")
sys.exit(any(v in ("win", "loss") for p, v in seen if p == 0) or any(v != "loss" for p, v in seen if p >= 3))
PY
}
campaign() {
    JOBS=${JOBS:-16} "$here/kernels/build.sh" "$programs/kernels" && python3 "$here/kernels/campaign.py" \
        "$programs/kernels" "$warplore" "$out/records" --metrics basic --seconds $(($(left) - 30))
}
PROGRAMS=$programs "$here/build.sh" "$programs" "$@" || { echo "the programs cannot be built" >&2; exit 77; }
export PROGRAMS="$programs" WARPLORE_STATE="$out/state"
for s; do
    case $s in
    cases | durations | million) measure "$s" "--$s" ;;
    overhead) measure overhead --overhead 7 ;;
    training) measure training --training 5 ;;
    counters)
        for p in memory copies; do
            stage "counters_$p" python3 "$here/counters/compare.py" same "$library" "$programs/$p"
        done
        stage counters python3 "$here/counters/compare.py" run "$library" "$programs/five" "$out/raw/counters.json"
        ;;
    first) stage first python3 "$here/counters/compare.py" first "$library" "$programs/five" "$out/raw" ;;
    compare) stage compare compare ;;
    campaign) stage campaign campaign ;;
    profile) stage profile "$here/profile.sh" "$pack" "$out/profile" ;;
    *) echo "accept.sh: no stage $s" >&2; exit 2 ;;
    esac
done
python3 -B "$here/tables.py" --of "$out/raw" || bad=1
exit $bad
