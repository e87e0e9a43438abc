#!/bin/sh
# One suite of the evaluation as a test: eval.sh PROGRAM SOURCE SUITE [options…]. Skips (77) without the
# data, which are in $WARPLORE_DATA or beside the checkout.
set -u
program=$1 data=${WARPLORE_DATA:-$2/../shared/data}
shift 2
folder=tuning
[ "$1" = shapes ] && folder=miopen
[ "$1" = words ] && folder=agent-logs
[ -d "$data/$folder" ] || { echo "no $folder in $data"; exit 77; }
exec "$program" "$@" --data "$data"
