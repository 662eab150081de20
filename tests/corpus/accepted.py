#!/usr/bin/env python3
"""List the files of a corpus that the reference tool accepts, by the same commands as the parity check.

usage: accepted.py llvm|mir|amdgpu|spirv FOLDER [--spirv-ref PROGRAM] > accepted.txt

Rejected files and the first line of the tool's answer go to standard error. Files that carry no
target of their own are tried for AMDGPU as gfx900.
"""
import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

EXT = {"llvm": ".ll", "mir": ".mir", "amdgpu": ".s", "spirv": ".spvasm"}


def head(path, size):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read(size)


def command(a, path):
    if a.dialect == "llvm":
        return ["llvm-as-22", "-o", os.devnull, path]
    if a.dialect == "mir":
        triple = [] if "target triple" in head(path, 4000) else ["-mtriple=amdgcn-amd-amdhsa", "-mcpu=gfx900"]
        return ["llc-22", *triple, "-run-pass=none", "-verify-machineinstrs", "-o", os.devnull, path]
    if a.dialect == "amdgpu":
        text = head(path, 8000)
        m = re.search(r"\.amdgcn_target\s+\"[^\"]*--(gfx[\w-]+)", text) or re.search(r"-mcpu[= ](gfx[\w-]+)", text)
        return ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + (m.group(1) if m else "gfx900"), "-filetype=obj", "-o", os.devnull, path]
    text = head(path, 4000)
    m = re.search(r";\s*(?:target-env|TARGET_ENV):?\s*(\S+)", text)
    v = re.search(r";\s*Version:\s*(\d\.\d)", text)
    env = m.group(1) if m else "spv" + v.group(1) if v else "spv1.6"
    return [a.spirv_ref, "--target-env", env, path]


def verdict(a, path):
    try:
        p = subprocess.run(command(a, path), stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return False, "timeout"
    if a.dialect == "spirv":
        return p.returncode == 0 and b'"ok":true' in p.stdout, (p.stdout + p.stderr)[:300].decode("utf-8", "replace").strip()
    return p.returncode == 0, p.stderr[:300].decode("utf-8", "replace").strip().split("\n")[0]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("dialect", choices=EXT)
    ap.add_argument("folder")
    ap.add_argument("--spirv-ref", default="spirv-ref")
    ap.add_argument("--jobs", type=int, default=1)
    a = ap.parse_args()
    files = []
    for root, dirs, names in os.walk(a.folder):
        dirs[:] = sorted(d for d in dirs if d != "rejected")
        files += [os.path.join(root, n) for n in sorted(names) if n.endswith(EXT[a.dialect])]
    with ThreadPoolExecutor(a.jobs) as pool:
        for path, (ok, why) in zip(files, pool.map(lambda f: verdict(a, f), files)):
            print(path if ok else f"{path}: {why}", file=sys.stdout if ok else sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
