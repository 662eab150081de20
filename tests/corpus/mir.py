#!/usr/bin/env python3
"""Machine IR: kernels and C functions, one at a time, stopped after a dozen different passes.

usage: mir.py OUT [--per-function N] [--ll FILE_OR_FOLDER ...] [--clang clang-22 --llc llc-22 --extract llvm-extract-22]

Kernels (beside this script) for AMDGPU of several generations, and the functions of --ll files and of
the programs beside this script for x86-64 and AArch64; SelectionDAG and GlobalISel; with and without
-simplify-mir and debug info. What llc does not take back itself moves to OUT/rejected with the reason
beside it (.why).
"""
import argparse
import glob
import hashlib
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GPUS = ["gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx700", "gfx1250"]
COMMON = ["finalize-isel", "early-tailduplication", "early-machinelicm", "machine-cse", "machine-sink", "peephole-opt", "dead-mi-elimination",
          "phi-node-elimination", "twoaddressinstruction", "register-coalescer", "machine-scheduler", "greedy", "virtregrewriter",
          "stack-slot-coloring", "machine-cp", "machinelicm", "prologepilog", "branch-folder", "postrapseudos", "livevars", "processimpdefs"]
GISEL = ["irtranslator", "legalizer", "regbankselect", "instruction-select"]
PASSES = {
    "amdgcn": COMMON + ["si-fix-sgpr-copies", "si-fold-operands", "si-load-store-opt", "si-peephole-sdwa", "si-lower-control-flow", "si-wqm", "si-optimize-exec-masking-pre-ra",
                        "si-lower-sgpr-spills", "si-memory-legalizer", "si-insert-waitcnts", "si-insert-hard-clauses", "post-RA-hazard-rec", "branch-relaxation",
                        "amdgpu-insert-delay-alu", "amdgpu-resource-usage", "gcn-dpp-combine", "si-shrink-instructions", "si-optimize-exec-masking"],
    "x86_64": COMMON + ["x86-cmov-conversion", "x86-domain-reassignment", "x86-flags-copy-lowering", "x86-fixup-bw-insts", "block-placement", "cfi-instr-inserter", "livedebugvalues", "tailduplication"],
    "aarch64": COMMON + ["aarch64-ldst-opt", "aarch64-simd-scalar", "aarch64-ccmp", "aarch64-condopt", "block-placement", "branch-relaxation", "livedebugvalues", "aarch64-expand-pseudo"],
}
GISEL_PASSES = {
    "amdgcn": GISEL * 2 + ["amdgpu-prelegalizer-combiner", "amdgpu-postlegalizer-combiner", "amdgpu-regbank-combiner", "si-insert-waitcnts", "virtregrewriter"],
    "x86_64": GISEL * 2 + ["virtregrewriter", "prologepilog"],
    "aarch64": GISEL * 2 + ["aarch64-prelegalizer-combiner", "aarch64-postlegalizer-combiner", "aarch64-postlegalizer-lowering", "prologepilog", "localizer"],
}
seen = set()


def run(cmd, timeout=60):
    try:
        p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout)
        return p.returncode, p.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return None, "timeout"


def functions(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return re.findall(r'^define [^@\n]*@([\w.$]+)\(', f.read(), re.M)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out")
    ap.add_argument("--per-function", type=int, default=3)
    ap.add_argument("--no-kernels", action="store_true", help="only what --ll names")
    ap.add_argument("--max", type=int, default=100000)
    ap.add_argument("--seed", default="1")
    ap.add_argument("--ll", nargs="*", default=[])
    ap.add_argument("--clang", default="clang-22")
    ap.add_argument("--llc", default="llc-22")
    ap.add_argument("--extract", default="llvm-extract-22")
    a = ap.parse_args()
    tmp = tempfile.mkdtemp()
    jobs = []  # (arch, cpu, file, function)
    for src in sorted(glob.glob(os.path.join(HERE, "kernels", "*.cl"))) if not a.no_kernels else []:
        for cpu in GPUS:
            level, debug = ("-O0", ["-g"]) if cpu in ("gfx90a", "gfx1200") else ("-O2", ["-g"] if cpu == "gfx1030" else [])
            opt = ["-O1"] if level == "-O0" and cpu == "gfx1200" else [level]
            ll = os.path.join(tmp, f"{os.path.basename(src)[:-3]}-{cpu}.ll")
            if run([a.clang, "-x", "cl", "-cl-std=CL2.0", "--target=amdgcn-amd-amdhsa", "-nogpulib", "-w", f"-mcpu={cpu}", *opt, *debug, "-S", "-emit-llvm", "-o", ll, src])[0] == 0:
                jobs += [("amdgcn", cpu, ll, f) for f in functions(ll)]
    for path in a.ll:
        for ll in [path] if os.path.isfile(path) else sorted(glob.glob(os.path.join(path, "**", "*.ll"), recursive=True)):
            with open(ll, encoding="utf-8", errors="replace") as f:
                m = re.search(r'^target triple = "(\w+)', f.read(20000), re.M)
            arch = m.group(1).replace("arm64", "aarch64") if m else ""
            if arch == "amdgcn":  # the file must name the CPU: later readers have only the file
                with open(ll, encoding="utf-8", errors="replace") as f:
                    text = f.read()
                for cpu in GPUS if '"target-cpu"' not in text else []:
                    copy = os.path.join(tmp, f"{os.path.basename(ll)[:-3]}-{cpu}.ll")
                    with open(copy, "w", encoding="utf-8") as f:
                        f.write(re.sub(r"^(define [^\n]*?)( #\d+)? \{$", rf'\1\2 "target-cpu"="{cpu}" {{', text, flags=re.M))
                    jobs += [("amdgcn", cpu, copy, x) for x in functions(copy) for _ in range(2)]
            elif arch in PASSES and os.path.getsize(ll) < 400_000:
                fs = functions(ll)
                random.Random(ll).shuffle(fs)
                jobs += [(arch, "generic", ll, f) for f in fs[:4]]
    random.Random(a.seed).shuffle(jobs)
    made = rejected = 0
    one = os.path.join(tmp, "one.ll")
    for n, (arch, cpu, ll, function) in enumerate(jobs):
        if made >= a.max:
            break
        if run([a.extract, "-S", f"--func={function}", ll, "-o", one])[0] != 0:
            continue
        rng = random.Random(f"{a.seed}{n}{os.path.basename(ll)}{function}")
        for _ in range(a.per_function):
            gisel = rng.random() < 0.4
            name = rng.choice((GISEL_PASSES if gisel else PASSES)[arch])
            flags = ["-global-isel", "-global-isel-abort=0"] if gisel else []
            flags += ["-simplify-mir"] if rng.random() < 0.4 else []
            flags += [rng.choice(["-O0", "-O1", "-O2", "-O3"]) if name in ("finalize-isel", "prologepilog", *GISEL) else "-O2"]
            tag = f"{os.path.basename(ll)[:-3][-40:]}.{function[-40:]}.{'g.' if gisel else ''}{name}{'.s' if '-simplify-mir' in flags else ''}{flags[-1]}"
            folder = os.path.join(a.out, arch if arch != "amdgcn" else cpu)
            target = os.path.join(folder, re.sub(r"[^\w.-]", "_", tag) + ".mir")
            os.makedirs(folder, exist_ok=True)
            rc, _ = run([a.llc, *flags, f"-stop-after={name}", "-o", target, one])
            if rc != 0:
                if os.path.exists(target):
                    os.remove(target)
                continue
            with open(target, "rb") as f:
                data = f.read()
            digest = hashlib.sha1(data).digest()
            if digest in seen or b"\nname:" not in data or len(data) > 600_000:
                os.remove(target)
                continue
            seen.add(digest)
            rc, err = run([a.llc, "-run-pass=none", "-verify-machineinstrs", "-o", os.devnull, target])
            if rc == 0:
                made += 1
            else:
                rejected += 1
                folder = os.path.join(a.out, "rejected")
                os.makedirs(folder, exist_ok=True)
                to = os.path.join(folder, os.path.basename(target))
                os.replace(target, to)
                with open(to + ".why", "w") as f:
                    f.write(err[:3000])
    print(made, "accepted,", rejected, "rejected")


if __name__ == "__main__":
    sys.exit(main())
