#!/usr/bin/env python3
"""Compares the waves that `wavelens isa` reports with `; Occupancy:` of `llc`, over processors, registers, LDS and workgroup sizes.

usage: occupancy.py [--cases 300] [--seed 1] [--wavelens wavelens]

Each kernel clobbers the registers of one row of the table. It is compared twice: compiled by `wavelens isa` from LLVM IR, and read
from the assembly that llc printed.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import tempfile

PROCESSORS = ["gfx600", "gfx700", "gfx803", "gfx810", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030",
              "gfx1100", "gfx1101", "gfx1102", "gfx1150", "gfx1151", "gfx1200", "gfx1201", "gfx1250"]
VGPRS = [1, 16, 23, 24, 25, 28, 32, 33, 40, 48, 49, 64, 65, 72, 80, 81, 84, 96, 97, 104, 120, 128, 129, 144, 168, 192, 200, 256]
AGPRS = [0, 0, 1, 4, 16, 33, 64, 100, 128, 129, 200, 256]
SGPRS = [10, 40, 49, 57, 65, 73, 80, 81, 84, 88, 90, 96, 97, 100]
LDS = [0, 0, 0, 512, 4096, 8192, 10000, 16384, 32768, 40000, 65536]
WORKGROUPS = ["", "", "1,64", "64,64", "1,256", "128,128", "256,256", "1,1024", "1024,1024", "320,320"]
AGPR_PROCESSORS = ("gfx908", "gfx90a", "gfx942", "gfx950")


def kernel(name, vgprs, agprs, sgprs, lds, workgroup, wave64):
    """A kernel that uses the last register of each kind."""
    clobbers = [f"~{{v{vgprs - 1}}}", f"~{{s{sgprs - 1}}}"] + ([f"~{{a{agprs - 1}}}"] if agprs else [])
    attributes = [f'"amdgpu-flat-work-group-size"="{workgroup}"'] if workgroup else []
    attributes += ['"target-features"="+wavefrontsize64"'] if wave64 else []
    store = f"  store volatile i8 0, ptr addrspace(3) @{name}.lds\n" if lds else ""
    shared = f"@{name}.lds = internal addrspace(3) global [{lds} x i8] poison\n" if lds else ""
    return (f'{shared}define amdgpu_kernel void @{name}() {" ".join(attributes)} {{\n{store}'
            f'  call void asm sideeffect "", "{",".join(clobbers)}"()\n  ret void\n}}\n')


def waves(command, file):
    ran = subprocess.run(command + [file], capture_output=True, text=True)
    if ran.returncode:
        return None
    found = json.loads(ran.stdout)["kernels"]
    return {k["name"]: k["occupancy"] for k in found}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cases", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--wavelens", default="wavelens")
    arguments = arguments.parse_args()
    rng, folder, totals = random.Random(arguments.seed), tempfile.mkdtemp(), collections.Counter()
    each = max(1, arguments.cases // len(PROCESSORS))
    for cpu in PROCESSORS:
        rows, text = {}, 'target triple = "amdgcn-amd-amdhsa"\n'
        for n in range(each):
            row = (rng.choice(VGPRS), rng.choice(AGPRS) if cpu in AGPR_PROCESSORS else 0, rng.choice(SGPRS), rng.choice(LDS),
                   rng.choice(WORKGROUPS), cpu.startswith(("gfx10", "gfx11", "gfx120")) and rng.random() < .3)
            rows[f"k{n}"] = row
            text += kernel(f"k{n}", *row)
        ll, asm = os.path.join(folder, cpu + ".ll"), os.path.join(folder, cpu + ".s")
        open(ll, "w").write(text)
        made = subprocess.run(["llc-22", "-O2", "-mcpu=" + cpu, "-o", asm, ll], capture_output=True, text=True)
        if made.returncode:
            print(cpu, made.stderr.splitlines()[:1])
            continue
        truth = {}
        name = None
        for line in open(asm):
            begins = re.match(r"(k\d+):", line)
            name = begins[1] if begins else name
            found = re.match(r"; Occupancy: (\d+)", line)
            if found and name:
                truth[name] = int(found[1])
        for source, file in (("ir", ll), ("assembly", asm)):
            ours = waves([arguments.wavelens, "isa", "--opt", "2", "--mcpu", cpu, "--format", "json"], file)
            if ours is None:
                print(cpu, source, "is not compiled")
                continue
            for name, row in rows.items():
                totals[source] += 1
                totals[source + " equal"] += ours.get(name) == truth.get(name)
                if ours.get(name) != truth.get(name):
                    print(cpu, source, dict(zip(("vgprs", "agprs", "sgprs", "lds", "workgroup", "wave64"), row)), "llc", truth.get(name), "wavelens", ours.get(name))
    print("seed", arguments.seed, dict(totals))


if __name__ == "__main__":
    main()
