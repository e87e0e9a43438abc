"""Fifty bodies of 8 MB at once: afterwards their memory is the system's again. Skipped (77) under a sanitizer,
which keeps what is freed. What stays is the page cache of the writer (64 MB) and what the heaps of the
threads hold. Usage: memory.py WARPLORED"""
import json
import re
import subprocess
import sys
import threading
import time

from daemon import Daemon, make_token, need, scratch, skip

BODIES, NOTES = 50, 1950
MOST_MB = 256  # 155 were seen, and 545 with glibc's own threshold


def body(i):
    notes = [{"id": f"01KAJ5T5G0J1{i:010d}{k:04d}", "kind": "technique_card", "title": f"note {i} {k}",
              "body": "x" * 4000} for k in range(NOTES)]
    return json.dumps({"warplore": 1, "id": f"01KAJ5T5G0J2{i:014d}", "insights": notes}).encode()


def resident_mb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) // 1024


def main():
    program = sys.argv[1]
    if b"__asan_init" in subprocess.run(["nm", "-D", program], capture_output=True).stdout:
        skip("a sanitizer keeps what is freed")
    with scratch() as room:
        data = room + "/data"
        token = make_token(program, data, "contributor")
        service = Daemon(program, data)
        stored = []

        def send(i):
            while (answer := service.request("POST", "/api/v1/submissions", token, body(i), timeout=300))[0] == 503:
                time.sleep(0.5)
            stored.append(answer[0])

        threads = [threading.Thread(target=send, args=(i,)) for i in range(BODIES)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        need(stored == [201] * BODIES, f"all stored, not {stored}")
        end = time.monotonic() + 10
        while resident_mb(service.child.pid) > MOST_MB and time.monotonic() < end:
            time.sleep(0.2)
        need(resident_mb(service.child.pid) <= MOST_MB, f"{MOST_MB} MB at most, not {resident_mb(service.child.pid)}")
        service.stop()


main()
