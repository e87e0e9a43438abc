#!/bin/sh
# Everything that needs a real GPU, in one command, on a host with an unpacked `./dev pack` archive:
#
#     accept.sh PACK OUT [cases] [overhead] [durations] [million] [counters] [compare]
#
# PACK: the unpacked archive. OUT gets one log per stage (and what it measured, as JSON). Programs are
# built here with nvcc, or taken from PROGRAMS, a folder where they lie already built: those of
# capture/measure.sh, `five`, `memory` and `copies` of counters, `copy` and `copy3` of compare. Without stages: all of them,
# about 25 minutes, of which compare takes most (REPEATS, default 100; LANES repeats at a time, default
# 2: they disturb each other, which makes the test harder, and more of them save little time, because
# starting a process is most of it). Exit status: 77 without a GPU, 1 when a stage is not as it should be.
# With an AMD GPU the stages are those of amd/accept.py.
set -u
here=$(cd "$(dirname "$0")" && pwd)
pack=$(cd "$1" && pwd) && mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 2
shift 2
nvidia-smi -L >/dev/null 2>&1 || [ ! -e /dev/kfd ] || exec python3 -B "$here/amd/accept.py" "$pack" "$out" "$@"
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU" >&2; exit 77; }
library=$pack/lib/warplore/libwarplore_cupti.so warplore=$pack/bin/warplore
programs=${PROGRAMS:-$out/programs} repeats=${REPEATS:-100} lanes=${LANES:-2} bad=0
[ $# -gt 0 ] || set -- cases overhead durations million counters compare

build() { # SOURCE NAME [flags…]: once
    source=$1 name=$2 && shift 2
    [ -x "$programs/$name" ] || nvcc -O3 -std=c++17 -arch=native -cudart static "$@" -o "$programs/$name" "$source"
}
stage() { # NAME COMMAND…: its log, and whether it went well
    name=$1 && shift
    start=$(date +%s)
    "$@" >"$out/$name.log" 2>&1 && word=ok || { word=NOT; bad=1; }
    echo "$word $name, $(($(date +%s) - start)) s: $out/$name.log"
}
compare() { # A B VERDICTS LEAST: at least LEAST % of the repeats give one of VERDICTS
    python3 "$here/compare/repeats.py" "$warplore" "$repeats" "$programs/$1" "$programs/$2" --lanes "$lanes" --json "$out/compare_$2.json" &&
        python3 - "$out/compare_$2.json" "$3" "$4" <<'PY'
import json, sys
answers = json.load(open(sys.argv[1]))
answers = answers if isinstance(answers, list) else answers["answers"]
good = sum(a["verdict"] in sys.argv[2].split(",") for a in answers)
print(f"{good} of {len(answers)} gave {sys.argv[2]}, asked for {sys.argv[3]} %")
sys.exit(100 * good < float(sys.argv[3]) * len(answers))
PY
}
mkdir -p "$programs"
[ -n "${PROGRAMS:-}" ] && export PROGRAMS
WARPLORE_STATE=$out/state && export WARPLORE_STATE
for s; do
    case $s in
    cases | durations | million) stage "$s" "$here/capture/measure.sh" "$library" "--$s" ;;
    overhead) stage overhead "$here/capture/measure.sh" "$library" --overhead 9 ;;
    counters)
        build "$here/counters/five.cu" five
        build "$here/counters/memory.cu" memory -lcuda
        build "$here/counters/copies.cu" copies
        for p in memory copies; do
            stage "counters_$p" python3 "$here/counters/compare.py" same "$library" "$programs/$p"
        done
        stage counters python3 "$here/counters/compare.py" run "$library" "$programs/five" "$out/cells.json"
        ;;
    compare)
        build "$here/compare/copies.cu" copy && build "$here/compare/copies.cu" copy3 -DEXTRA_PCT=3
        stage compare_same compare copy copy inconclusive,neutral 99
        stage compare_three_percent compare copy copy3 loss 95
        ;;
    *) echo "accept.sh: no stage $s" >&2; exit 2 ;;
    esac
done
exit $bad
