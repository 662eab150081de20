#!/usr/bin/env python3
"""Counts for how many kernels with spills or few waves `wavelens advise` finds a change that helps, and repeats each by the command shown.

usage: advised.py FILE.ll.. [--kernels 50] [--seed 1] [--wavelens wavelens] [--minutes 20]

A kernel counts if a change gives a wave without more spills, or fewer spills without fewer waves (a gain); others are trades. The
command of the first gain must print the same registers, waves and spills.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import time

TARGETS = ["gfx906", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100"]


def run(command):
    try:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        return None
    return ran.stdout if ran.returncode == 0 else None


def figures(kernel):
    return {key: kernel.get(key, 0) for key in ("vgprs", "agprs", "sgprs", "occupancy", "vgpr_spills", "sgpr_spills", "scratch", "lds")}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--kernels", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--wavelens", default="wavelens")
    arguments.add_argument("--minutes", type=float, default=20)
    arguments = arguments.parse_args()
    rng, last = random.Random(arguments.seed), time.monotonic() + arguments.minutes * 60
    files, totals, how = sorted(arguments.files), collections.Counter(), collections.Counter()
    rng.shuffle(files)
    for path in files:
        if totals["kernels"] >= arguments.kernels or time.monotonic() > last:
            break
        text = open(path, errors="replace").read()
        names = re.findall(r"^define[^\n]*amdgpu_kernel[^\n]*@([\w.]+)\(", text, re.M)
        if not names or len(text) > 600_000:
            continue
        own = re.findall(r"-mcpu=(gfx\w+)", text)
        target, name = rng.choice([t for t in own if t in TARGETS] or TARGETS), rng.choice(names)
        options = ["--function", name, "--mcpu", target]
        base = run([arguments.wavelens, "isa", *options, "--format", "json", path])
        kernel = next((k for k in json.loads(base)["kernels"] if k["name"] == name), None) if base else None
        if not kernel or kernel.get("limit") == "hardware" and not kernel["vgpr_spills"] + kernel["sgpr_spills"]:
            continue
        advice = run([arguments.wavelens, "advise", *options, "--format", "json", path])
        found = next((a for a in json.loads(advice) if a["kernel"] == name), None) if advice else None
        if not found or not found["trials"]:
            continue
        totals["kernels"] += 1
        gains = [t for t in found["trials"] if t["effect"] == "gain"]
        where = f"{os.path.basename(path)} {name} {target} {kernel['occupancy']} waves, {kernel['vgprs']} VGPRs, limit {kernel.get('limit')}, spills {kernel['vgpr_spills']}+{kernel['sgpr_spills']}"
        if not gains:
            trades = [t for t in found["trials"] if t["effect"] == "trade"]
            totals["trades only"] += bool(trades)
            print("trade" if trades else "none ", where, flush=True)
            continue
        totals["gains"] += 1
        how[gains[0]["change"]] += 1
        again = run([arguments.wavelens, "isa", *options, *gains[0]["options"], "--format", "json", path])
        same = again and any(figures(k) == figures(gains[0]["resources"]) for k in json.loads(again)["kernels"] if k["name"] == name)
        totals["repeated"] += bool(same)
        if not same:
            print("DIFFERS", where, gains[0]["options"])
    print("seed", arguments.seed, dict(totals), dict(how))


if __name__ == "__main__":
    main()
