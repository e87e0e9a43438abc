"""What was measured on a GPU, as one JSON file per stage: made on the GPU host, kept in tests/fixtures/gpu,
read by tables.py."""
import json
import os
import subprocess
import time


def device():
    """{"device": …, "driver": …} of the first GPU; empty where there is none."""
    try:
        text = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                              capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return {}
    parts = [p.strip() for p in text.splitlines()[0].split(",")] if text.strip() else []
    return dict(zip(("device", "driver"), parts))


def write(folder, stage, what):
    """FOLDER/STAGE.json; FOLDER None: nothing is kept."""
    if not folder:
        return
    os.makedirs(folder, exist_ok=True)
    head = {"stage": stage, "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **device()}
    path = os.path.join(folder, stage + ".json")
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump({**head, **what}, f, separators=(",", ":"))
        f.write("\n")
    os.replace(path + ".new", path)
