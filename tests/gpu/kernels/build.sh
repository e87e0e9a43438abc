#!/bin/sh
# Build one program per version into DIR: build.sh DIR [operator…]. Two compilers at a time (JOBS).
# Versions that need sm_90a (wgmma, register reallocation) say so in a line "// arch: sm_90a".
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: build.sh DIR [operator...]}
shift
mkdir -p "$out/obj"
out=$(cd "$out" && pwd)
cd "$here"
[ $# -gt 0 ] || set -- $(ls -d */ | tr -d / | while read -r d; do [ ! -f "$d/op.cu" ] || echo "$d"; done)
export out NVCC="${NVCC:-nvcc}" FLAGS="-O3 -std=c++17 -lineinfo -I."

compile() { # SOURCE OBJECT
    [ -f "$2" ] && [ "$2" -nt "$1" ] && [ "$2" -nt common.h ] && [ "$2" -nt op.h ] && return
    arch='-arch=sm_90'
    grep -q '^// arch: sm_90a' "$1" && arch='-gencode=arch=compute_90a,code=sm_90a'
    echo "nvcc $1" && $NVCC $FLAGS $arch -Xptxas -v -c -o "$2" "$1" 2>"$2.log" || { cat "$2.log"; rm -f "$2"; return 1; }
}
one() { # SOURCE of a version
    op=$(dirname "$1") v=$(basename "$1" .cu)
    compile "$1" "$out/obj/${op}_$v.o"
    new=yes
    for o in bench "${op}_op" "${op}_$v"; do
        [ "$out/${op}_$v" -nt "$out/obj/$o.o" ] || new=
    done
    [ $new ] || $NVCC -arch=sm_90 -cudart static -o "$out/${op}_$v" "$out/obj/bench.o" "$out/obj/${op}_op.o" "$out/obj/${op}_$v.o"
}
if [ "${ONE:-}" ]; then
    case $ONE in
    bench.cu) compile bench.cu "$out/obj/bench.o" ;;
    */op.cu) compile "$ONE" "$out/obj/$(dirname "$ONE")_op.o" ;;
    *) one "$ONE" ;;
    esac
    exit
fi
run_all() { xargs -P "${JOBS:-2}" -I{} env ONE={} sh "$here/build.sh" "$out"; }
{ echo bench.cu; for op; do echo "$op/op.cu"; done; } | run_all
for op; do ls "$op"/v*.cu; done | run_all
