#!/usr/bin/env python3
"""What the capture files of a folder hold, as JSON: an oracle that shares no code with the reader.

    read_capture.py DIR [--durations KERNEL]

Prints one object: per process pid, ended, launches by kernel name and by launch API, totals, loss,
states, devices; with --durations the ordered nanoseconds of one kernel, a line each."""
import glob
import json
import os
import struct
import sys
from collections import Counter

MAGIC = int.from_bytes(b"LCP1", "little")
HEAD = struct.Struct("<4I")
START = struct.Struct("<2I2Q16s2I")
DEVICE = struct.Struct("<2I16s4I")
SHAPE = struct.Struct("<5I9I5I")
LAUNCH = struct.Struct("<2Q2I")
NAMED = struct.Struct("<2Q4I")
TIE = struct.Struct("<2I")
STATE = struct.Struct("<2I2Q")
METRIC = struct.Struct("<4Id")
APIS = ["unknown", "stream", "cooperative", "graph", "device"]
STATES = [None, "attached", "other_profiler", "taken_over", "vendor_too_old", "vendor_missing",
          "vendor_error", "permission", "counter_unknown", "counter_done", "counter_partial", "counter_unclean",
          "code_left_out", "ranges_refused", "ranges_seen"]
TOTALS = ["h2d", "d2h", "d2d", "other", "fill"]
LOSS = ["dropped", "bad", "no_memory", "write_failed"]


def frames(data):
    at = 0
    while at + HEAD.size <= len(data):
        magic, kind, size, _ = HEAD.unpack_from(data, at)
        if magic != MAGIC:
            raise ValueError(f"bad magic at byte {at}")
        body = data[at + HEAD.size:at + HEAD.size + size]
        if len(body) < size:
            return
        yield kind, body
        at += HEAD.size + (size + 7) // 8 * 8


class Process:
    def __init__(self, path):
        self.path = path
        self.names, self.shapes, self.states, self.devices = {0: None}, {}, [], []
        self.launches, self.metrics = [], []
        self.ties, self.calls = {}, {}  # range by call, call by number of the launch
        self.totals, self.loss, self.ended, self.start = [0] * 15, [0] * 4, False, None
        with open(path, "rb") as f:
            for kind, body in frames(f.read()):
                self.take(kind, body)

    def take(self, kind, body):
        assert not self.ended, "a frame after END"
        if kind == 1:
            self.start = START.unpack(body)
        elif kind == 2:
            n, length = struct.unpack_from("<2I", body)
            assert n not in self.names and len(body) == 8 + length
            self.names[n] = body[8:].decode()
        elif kind == 3:
            self.devices.append(DEVICE.unpack(body))
        elif kind == 4:
            shape = SHAPE.unpack(body)
            assert shape[0] not in self.shapes and shape[1] in self.names
            self.shapes[shape[0]] = shape
        elif kind == 5:
            for launch in LAUNCH.iter_unpack(body):
                assert launch[2] in self.shapes, "a launch of an unknown shape"
                self.launches.append(launch)
        elif kind == 11:
            for launch in NAMED.iter_unpack(body):
                assert launch[2] in self.shapes, "a launch of an unknown shape"
                self.calls[len(self.launches)] = launch[4]
                self.launches.append(launch[:4])
        elif kind == 12:
            for call, text in TIE.iter_unpack(body):
                assert self.ties.setdefault(call, text) == text, "a call in two ranges"
        elif kind == 6:
            self.totals = struct.unpack("<15Q", body)
        elif kind == 7:
            self.loss = struct.unpack("<4Q", body)
        elif kind == 8:
            self.states.append(STATE.unpack(body))
        elif kind == 9:
            self.metrics.append(METRIC.unpack(body))
        elif kind == 10:
            self.ended = True
        else:
            raise ValueError(f"kind {kind}")

    def name(self, launch):
        return self.names[self.shapes[launch[2]][1]]

    def summary(self):
        by = Counter((s, st) for _, _, s, st in self.launches)
        names, apis = Counter(), Counter()
        for (s, _), n in by.items():
            names[self.names[self.shapes[s][1]]] += n
            apis[APIS[self.shapes[s][3]]] += n
        return {
            "file": os.path.basename(self.path), "pid": self.start[1], "ended": self.ended,
            "cupti": self.start[5], "driver": self.start[6], "launches": len(self.launches),
            "kernels": dict(names.most_common(20)), "n_kernels": len(names), "apis": dict(apis),
            "shapes": len(self.shapes), "streams": len({st for _, st in by}),
            "totals": {k: self.totals[3 * i:3 * i + 3] for i, k in enumerate(TOTALS)
                       if self.totals[3 * i]},
            "loss": dict(zip(LOSS, self.loss)),
            "states": [[STATES[c], self.names[t], a, b] for c, t, a, b in self.states],
            "devices": [[d[0], self.names[d[1]], d[2].hex(), *d[3:]] for d in self.devices],
            "ranges": dict(Counter(self.names[self.ties.get(call, 0)] for call in self.calls.values())),
            "clusters": sorted({s[11:14] for s in self.shapes.values()}),
        }


def read(folder):
    return [Process(p) for p in sorted(glob.glob(os.path.join(folder, "*.capture")))]


def main():
    found = read(sys.argv[1])
    if len(sys.argv) > 3 and sys.argv[2] == "--durations":
        for p in found:
            for launch in p.launches:
                if sys.argv[3] in p.name(launch):
                    print(launch[1])
        return
    json.dump([p.summary() for p in found], sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
