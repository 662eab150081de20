#!/usr/bin/env python3
"""Compares the source lines of `wavelens isa` with the line table that `llc` writes for locations of `opt -passes=debugify`.

usage: attributed.py FILE.ll.. [--kernels 200] [--seed 1] [--wavelens wavelens]

An instruction is wrong if `wavelens isa` names another line than its row of the line table. A row with line 0 has none.
"""
import argparse
import bisect
import collections
import json
import os
import random
import re
import subprocess
import tempfile

TARGETS = ["gfx803", "gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"]
TRIPLE = "-mtriple=amdgcn-amd-amdhsa"


def run(command, limit=90):
    try:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    return ran.stdout if ran.returncode == 0 else None


def instructions(lines):
    """Numbers of the lines, from 1, that start an instruction in what `opt` printed."""
    in_body, found = False, []
    for number, line in enumerate(lines, 1):
        if line.startswith("define "):
            in_body = True
        elif line.startswith("}"):
            in_body = False
        elif in_body and re.match(r"  [^\s;\]#]", line):
            found.append(number)
    return found


def truth(file, target, level, folder):
    """Mnemonic and source line of each instruction of the object, by function; 0 where it has none."""
    marked, made = os.path.join(folder, "marked.ll"), os.path.join(folder, "marked.o")
    if run(["opt-22", "-passes=debugify", "-debugify-level=locations", "-S", "-o", marked, file]) is None:
        return None
    text = open(marked).read()
    locations = dict(re.findall(r"(?m)^!(\d+) = !DILocation\(line: (\d+),", text))
    plain, lines = open(file).read().splitlines(), text.splitlines()
    of, own = instructions(plain), instructions(lines)
    if len(of) != len(own):
        return None
    # The location may be on a further line of the instruction.
    source = {}
    for n, (user, at) in enumerate(zip(of, own)):
        end = own[n + 1] - 1 if n + 1 < len(own) else len(lines)
        location = re.search(r"!dbg !(\d+)", "\n".join(lines[at - 1:end]))
        if location and location[1] in locations:
            source[int(locations[location[1]])] = user
    if run(["llc-22", TRIPLE, f"-mcpu={target}", f"-O{level}", "-use-unknown-locations=Enable", "-filetype=obj", "-o", made, marked]) is None:
        return None
    code = run(["llvm-objdump-22", "-d", "--no-show-raw-insn", made])
    table = run(["llvm-dwarfdump-22", "--debug-line", made])
    if code is None or table is None:
        return None
    rows = sorted({int(a, 16): int(line) for a, line in re.findall(r"(?m)^0x([0-9a-f]{16})\s+(\d+)\s", table)}.items())
    starts, found, name = [a for a, _ in rows], collections.defaultdict(list), None
    for line in code.splitlines():
        label = re.match(r"[0-9a-f]{16} <([^>]+)>:", line)
        name = label[1] if label else name
        instruction = re.match(r"\s+(\w+).*// ([0-9A-F]{12}):", line)
        if instruction and name:
            row = bisect.bisect_right(starts, int(instruction[2], 16)) - 1
            found[name].append((instruction[1], source.get(rows[row][1], 0) if row >= 0 else 0))
    return found


def ours(file, target, level, wavelens):
    printed = run([wavelens, "isa", "--mcpu", target, "--opt", str(level), "--format", "json", file])
    if printed is None:
        return None
    found, name = collections.defaultdict(list), None
    for line in json.loads(printed)["lines"]:
        label = re.match(r"([\w.$]+):", line["text"])
        name = label[1] if label and not label[1].startswith(".L") else name
        if "encoding" in line:
            found[name].append((line["text"].split()[0], line.get("source_line", 0)))
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--kernels", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--wavelens", default="wavelens")
    arguments = arguments.parse_args()
    rng, folder, totals = random.Random(arguments.seed), tempfile.mkdtemp(), collections.Counter()
    files = sorted(arguments.files)
    rng.shuffle(files)
    for path in files:
        if totals["kernels"] >= arguments.kernels:
            break
        text = open(path, errors="replace").read()
        if "amdgpu_kernel" not in text or "DICompileUnit" in text or len(text) > 150_000:
            continue
        file, target, level = os.path.join(folder, "user.ll"), rng.choice(TARGETS), rng.randrange(4)
        if run(["opt-22", TRIPLE, "-passes=verify", "-S", "-o", file, path]) is None:
            continue
        expected = truth(file, target, level, folder)
        found = expected and ours(file, target, level, arguments.wavelens)
        if not found:
            totals["not compiled"] += 1
            continue
        for name in re.findall(r"(?m)^define[^\n]*amdgpu_kernel[^\n]*@([\w.]+)\(", text):
            theirs, own = expected.get(name, []), found.get(name, [])
            plain = lambda rows: [re.sub(r"_(e32|e64|dpp|sdwa)$", "", m) for m, _ in rows if m != "s_code_end"]
            count = min(len(plain(own)), len(plain(theirs)))
            # Padding follows the code in the object.
            if not own or plain(own)[:count] != plain(theirs)[:count] or set(plain(theirs)[count:]) - {"s_nop", "v_cndmask_b32"}:
                totals["other code"] += 1
                continue
            totals["kernels"] += 1
            wrong = [(n, o, t) for n, (o, t) in enumerate(zip(own, theirs)) if o[1] and o[1] != t[1]]
            totals["kernels without a wrong line"] += not wrong
            totals["instructions"] += len(own)
            totals["with a line"] += sum(o[1] != 0 for o in own)
            totals["with a line in the table"] += sum(t[1] != 0 for t in theirs[:len(own)])
            for n, o, t in wrong[:3]:
                print(path, name, target, f"O{level}", f"instruction {n}: ours {o}, table {t}", flush=True)
    print("seed", arguments.seed, dict(totals))


if __name__ == "__main__":
    main()
