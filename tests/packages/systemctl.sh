#!/bin/bash
# In place of systemd, which a change root has not: starts what a unit says, as its user.
set -eu
unit=${2:-}
case $1 in
enable) [[ $unit == --now ]] && exec "$0" start "$3"; exit 0 ;;
restart) "$0" stop "$unit"; exec "$0" start "$unit" ;;
start | stop) ;;
*) exit 0 ;;
esac
if [[ $unit == postgresql ]]; then
  pg_ctlcluster 15 main status >/dev/null && running=1 || running=0
  [[ $1 == start && $running == 1 || $1 == stop && $running == 0 ]] || pg_ctlcluster 15 main "$1"
  exit
fi
file=/lib/systemd/system/$unit.service pid=/run/$unit.pid
if [[ $1 == stop ]]; then
  [[ -s $pid ]] || exit 0
  kill "$(<"$pid")" 2>/dev/null || true
  while kill -0 "$(<"$pid")" 2>/dev/null; do sleep 0.1; done
  rm -f "$pid"
  exit 0
fi
[[ -s $pid ]] && kill -0 "$(<"$pid")" 2>/dev/null && exit 0
user=$(sed -n 's/^User=//p' "$file") state=$(sed -n 's/^StateDirectory=//p' "$file")
[[ -d /var/lib/$state ]] || install -d -m 700 -o "$user" -g "$user" "/var/lib/$state"
read -ra command < <(sed -n 's/^ExecStart=//p' "$file")
setsid setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs "${command[@]}" </dev/null >>"/tmp/$unit.log" 2>&1 &
echo $! >"$pid"
