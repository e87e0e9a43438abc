#!/usr/bin/env python3
"""Ingest with each kind of journal, as ratios of ingest without one, measured in turn in one run; then how
fast a new node catches up.

    journal.py WARPLORED BENCH_LOAD [--rounds 3] [--documents 4000] [--clients 32] [--pairs 1] [--node N]
        [--only NAMES] [--slow LIBRARY MS]

--node N: a new node that applies N documents of one experiment each, instead of the above.
PostgreSQL is started by the script, on this machine; skipped (77) where it is not installed.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
# pylint: disable=wrong-import-position
from daemon import Daemon, copy_key, make_token, need, scratch, until
from postgres import Postgres


def load(args, daemon, token, documents, pairs):
    out = subprocess.run([args.load, str(daemon.port), token, "post", str(args.clients), str(documents), str(pairs)],
                         check=True, capture_output=True, text=True).stdout
    print("   ", out.strip(), flush=True)
    return float(re.search(r" per_second=([0-9]+)", out).group(1))


def measured(args, folder, options):
    data = folder + "/data"
    token = make_token(args.program, data, "contributor")
    d = Daemon(args.program, data, *options, "--queue", "10000", "--threads", "256")
    rate = load(args, d, token, args.documents, args.pairs)
    d.stop()
    shutil.rmtree(data)
    return rate


def ingest(args, folder):
    if args.only and "PostgreSQL" not in args.only:
        return turns(args, folder, None, None)
    single = Postgres(folder, "single")
    primary = Postgres(folder, "primary")
    standby = Postgres(folder, "standby", of=primary)
    primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    primary.sql("SELECT pg_reload_conf()")
    until(lambda: "sync" in primary.sql("SELECT sync_state FROM pg_stat_replication"), 60, "a synchronous standby")
    turns(args, folder, single, primary)
    return standby.kill()


def turns(args, folder, single, primary):
    rates = {}
    for _ in range(args.rounds):
        for name, server in (("none", None), ("directory", None), ("directory, lag", None), ("PostgreSQL", single),
                             ("PostgreSQL, standby", primary)):
            if args.only and name not in args.only.split("; "):
                continue
            options = []
            if name.startswith("directory"):
                options = ["--journal", folder + "/journal"] + (["--journal-lag", "500"] if "lag" in name else [])
            elif server:
                server.sql("DROP TABLE IF EXISTS journal")
                options = ["--journal", server.address()]
            print(name, flush=True)
            rates.setdefault(name, []).append(measured(args, folder, options))
            shutil.rmtree(folder + "/journal", ignore_errors=True)
    for name, r in rates.items():
        ratio = statistics.median(a / b for a, b in zip(r, rates["none"]))
        print(f"{name:20} {statistics.median(r):8.0f} documents/s  {ratio:.2f} of none")


def new_node(args, folder):
    """Fill a journal, then let a new node apply it."""
    server = Postgres(folder, "single")
    token = make_token(args.program, folder + "/first", "contributor")
    d = Daemon(args.program, folder + "/first", "--journal", server.address(), "--queue", "10000", "--threads", "256")
    load(args, d, token, args.node, args.pairs)
    d.stop()
    for name, journal in (("PostgreSQL", server.address()),):
        begin = time.monotonic()
        copy_key(folder + "/first", folder + "/new")
        d = Daemon(args.program, folder + "/new", "--journal", journal)
        seconds = time.monotonic() - begin
        found = re.search(r"event=journal .*entry=(\d+) applied=(\d+) ms=(\d+)", d.log())
        need(found, "a line about the journal: " + d.log()[-500:])
        entries, ms = int(found.group(2)), int(found.group(3))
        print(f"{name}: {entries} entries applied at {entries / ms * 1000:.0f} a second, ready after {seconds:.1f} s")
        d.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("load")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=4000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--pairs", type=int, default=1)
    parser.add_argument("--node", type=int, default=0)
    parser.add_argument("--slow", help="LIBRARY MS: the library slow_sync, and what a sync of a segment takes longer", nargs=2)
    parser.add_argument("--only", help="none; directory; directory, lag; PostgreSQL; PostgreSQL, standby")
    args = parser.parse_args()
    if args.slow:
        os.environ.update(LD_PRELOAD=os.path.abspath(args.slow[0]), SLOW_SYNC_MS=args.slow[1])
    with scratch() as folder:
        if args.node:
            new_node(args, folder)
        else:
            ingest(args, folder)


main()
