"""What an attacker of memory would meet in the programs: addresses that move, tables of calls that are
read-only before main, guarded stacks, checked copies. Skipped (77) without readelf, and for builds
with a sanitizer or without optimization, which have other aims.
Usage: hardening.py PROGRAM..."""
import shutil
import subprocess
import sys


def readelf(program, *options):
    return subprocess.run(["readelf", "-W", *options, program], check=True, capture_output=True,
                          text=True).stdout


def main():
    if shutil.which("readelf") is None:
        sys.exit(77)
    for program in sys.argv[1:]:
        symbols = readelf(program, "--dyn-syms")
        if "__asan_" in symbols or "__tsan_" in symbols or "_chk@" not in symbols:
            print("skipped: a sanitizer, or not optimized")
            sys.exit(77)
        segments, dynamic = readelf(program, "-l"), readelf(program, "-d")
        stack = next(line for line in segments.splitlines() if "GNU_STACK" in line)
        wanted = {
            "position independent": "FLAGS_1" in dynamic and "PIE" in dynamic,
            "bound at start": "BIND_NOW" in dynamic or " NOW" in dynamic,
            "read-only relocations": "GNU_RELRO" in segments,
            "no executable stack": "RWE" not in stack,
            "guarded stacks": "__stack_chk_fail" in symbols,
            "no search path of its own": "RPATH" not in dynamic and "RUNPATH" not in dynamic,
        }
        missing = [name for name, there in wanted.items() if not there]
        if missing:
            print("FAILED:", program, "is not:", ", ".join(missing))
            sys.exit(1)


main()
