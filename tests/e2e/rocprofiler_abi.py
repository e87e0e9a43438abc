#!/usr/bin/env python3
"""Compile rocprofiler_abi.c against every real rocprofiler-sdk there is: `rocprofiler_abi.py CC ROOT`

Looked for in WARPLORE_HEADERS (default: ROOT/../shared/headers), as folders rocprofiler-sdk-VERSION
with source/include beside one `hsa` with the headers of HSA and hsakmt, and in /opt/rocm/include.
Skipped (77) where there is none. The tracing headers also want those of HIP, of ROCm 6 and later;
none of their types is used, so empty ones take their places."""
import glob
import os
import re
import subprocess
import sys
import tempfile

CC, ROOT = sys.argv[1:3]
# headers that are left out, and the types that the others name of them
EMPTY = ["hip.h", "hsa.h", "ompt.h", "rccl.h", "rocdecode.h", "rocjpeg.h", "hip/api_args.h",
         "rocdecode/api_args.h", "rocdecode/api_id.h", "ext_version.h", "intercept_table.h",
         "internal_threading.h", "pc_sampling.h", "spm.h"]
TYPES = [f"rocprofiler_{a}_api_{b}_t" for a in ("hip", "hsa", "rccl", "rocdecode", "rocjpeg")
         for b in ("args", "retval", "id")] + ["rocprofiler_ompt_args_t", "rocprofiler_scratch_memory_args_t",
                                               "rocprofiler_scratch_alloc_flag_t"]


def stubs(folder, types):
    for name in EMPTY:
        path = os.path.join(folder, "rocprofiler-sdk", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write("#ifndef STUB_TYPES\n#define STUB_TYPES\n")
            f.writelines(f"typedef struct {{ int unused; }} {t};\n" for t in types)
            f.write("#endif\n")


def version_header(folder, major):
    with open(os.path.join(folder, "rocprofiler-sdk", "version.h"), "w", encoding="utf-8") as f:
        f.write(f"#define ROCPROFILER_VERSION_MAJOR {major}\n#define ROCPROFILER_VERSION {major * 10000}\n")
    os.makedirs(os.path.join(folder, "rocprofiler-sdk-roctx"))
    with open(os.path.join(folder, "rocprofiler-sdk-roctx", "version.h"), "w", encoding="utf-8") as f:
        f.write("")


def defined(include):
    """The types of TYPES that the headers which stay define themselves."""
    text = ""
    for path in glob.glob(os.path.join(include, "rocprofiler-sdk", "*.h")):
        if os.path.basename(path) not in EMPTY:
            with open(path, encoding="utf-8") as f:
                text += f.read()
    return {t for t in TYPES if re.search(rf"}}\s*{t};", text)}


def check(name, include, extra, major):
    with tempfile.TemporaryDirectory() as folder:
        stubs(folder, [t for t in TYPES if t not in defined(include)])
        version_header(folder, major)
        for link, target in extra.items():
            os.symlink(target, os.path.join(folder, link))
        done = subprocess.run(
            [CC, "-std=c17", "-fsyntax-only", "-w", "-D_GNU_SOURCE", f"-DHEADERS_MAJOR={major}", "-I", folder,
             "-I", ROOT, "-isystem", include, os.path.join(ROOT, "tests/e2e/rocprofiler_abi.c")],
            capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name}:\n{done.stderr[:4000]}")
    print("holds:", name)


def main():
    headers = os.environ.get("WARPLORE_HEADERS") or os.path.join(ROOT, "..", "shared", "headers")
    found = sorted(glob.glob(os.path.join(headers, "rocprofiler-sdk-*", "source", "include")))
    for include in found:
        name = include.split(os.sep)[-3]
        hsa = os.path.abspath(os.path.join(headers, "hsa"))
        check(name, include, {"hsa": os.path.join(hsa, "runtime/hsa-runtime/inc"),
                              "hsakmt": os.path.join(hsa, "libhsakmt/include/hsakmt")},
              int(name.rsplit("-", 1)[1].split(".")[0]))
    installed = "/opt/rocm/include/rocprofiler-sdk/version.h"
    if os.path.exists(installed):
        with open(installed, encoding="utf-8") as f:
            major = int(re.search(r"VERSION_MAJOR +(\d+)", f.read()).group(1))
        check(installed, "/opt/rocm/include", {}, major)
    elif not found:
        print("no headers of rocprofiler-sdk in", headers)
        sys.exit(77)


if __name__ == "__main__":
    main()
