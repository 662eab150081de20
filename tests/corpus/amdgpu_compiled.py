#!/usr/bin/env python3
"""AMDGPU assembly: the kernels beside this script, compiled for every target the compiler lists.

usage: amdgpu_compiled.py OUT [--clang clang-22] [--llc llc-22]

Writes OUT/<target>/<kernel>.<level>.s. Targets that cannot run a kernel (missing instructions) are
passed over; what llvm-mc says of the results is for the caller to check.
"""
import argparse
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST = "gfx900 gfx90a gfx942 gfx1100 gfx1200 gfx700 gfx803 gfx906 gfx908 gfx950 gfx1010 gfx1030 gfx1151 gfx1250".split()
LEVELS = [("O2", ["-O2"]), ("O0", ["-O0"]), ("O1-g", ["-O1", "-g"]), ("Os", ["-Os"]), ("O3", ["-O3", "-mllvm", "-global-isel", "-mllvm", "-global-isel-abort=2"]), ("O1", ["-O1"])]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out")
    ap.add_argument("--clang", default="clang-22")
    ap.add_argument("--llc", default="llc-22")
    a = ap.parse_args()
    listing = subprocess.run([a.llc, "-mtriple=amdgcn", "-mcpu=help"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    processors = (listing.stderr + listing.stdout).split("Available features")[0]
    cpus = re.findall(r"^\s+(gfx[\w-]+)\s+-", processors, re.M)
    cpus = [c for c in FIRST if c in cpus] + [c for c in cpus if c not in FIRST]
    made = failed = 0
    for level, flags in LEVELS:
        for cpu in cpus:
            folder = os.path.join(a.out, cpu)
            os.makedirs(folder, exist_ok=True)
            for src in sorted(glob.glob(os.path.join(HERE, "kernels", "*.cl"))):
                target = os.path.join(folder, f"{os.path.basename(src)[:-3]}.{level}.s")
                if os.path.exists(target):
                    continue
                cmd = [a.clang, "-x", "cl", "-cl-std=CL2.0", "--target=amdgcn-amd-amdhsa", "-nogpulib", "-w", f"-mcpu={cpu}",
                       "-fno-crash-diagnostics", *flags, "-S", "-o", target, src]
                try:
                    ok = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=120).returncode == 0
                except subprocess.TimeoutExpired:
                    ok = False
                made, failed = made + ok, failed + (not ok)
                if not ok and os.path.exists(target):
                    os.remove(target)
    print(made, "made,", failed, "passed over")


if __name__ == "__main__":
    sys.exit(main())
