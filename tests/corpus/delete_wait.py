#!/usr/bin/env python3
"""Removes one wait at a time from AMDGPU assembly and counts how many of the removals `missing-wait` reports.

usage: delete_wait.py FILE.. [--wavelens wavelens] [--each 10] [--seed 1] [--missed]

Only removals count that leave a dependency open: on some path, an operation that the wait covered is still outstanding when
an instruction names one of the registers that it fills. That is found from the text alone, by a data flow of its own. --each is
how many such removals of one file are tried; --missed prints those that are not reported.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

REGISTER = re.compile(r"\b([vsa])(?:(\d+)\b|\[(\d+)(?::(\d+))?\])")
LABEL = re.compile(r"^\s*([\w.$@]+):")
END = ("s_endpgm", "s_setpc", "s_rfe", "s_set_pc")
CALL = ("s_swappc", "s_call", "s_swap_pc")
SPLIT = {"s_wait_loadcnt": "load", "s_wait_samplecnt": "sample", "s_wait_bvhcnt": "bvh", "s_wait_dscnt": "ds", "s_wait_kmcnt": "km",
         "s_waitcnt_vmcnt": "vm", "s_waitcnt_lgkmcnt": "lgkm"}

# What one line does. `fills` and `names` are sets of dwords; `counters` what it raises; `waits` pairs of counter and number.
Line = collections.namedtuple("Line", "number name fills names counters kind waits goal")


def dwords(text):
    out = set()
    for file, one, first, last in REGISTER.findall(text):
        first = int(one or first)
        out.update((file, i) for i in range(first, int(last or first) + 1))
    return out


def waits(name, rest):
    number = re.search(r"-?\b(0x[0-9a-f]+|\d+)\s*$", rest)
    if name == "s_waitcnt":
        if re.fullmatch(r"0(x0+)?", rest.strip()):
            return [("vm", 0), ("lgkm", 0)]
        return [(c, int(n, 0)) for c, n in re.findall(r"\b(vm|lgkm)cnt\((\w+)\)", rest)]
    if name in SPLIT and number:
        return [(SPLIT[name], int(number[1], 0))]
    if name == "s_wait_loadcnt_dscnt" and number:
        return [("load", int(number[1], 0) >> 8 & 63), ("ds", int(number[1], 0) & 63)]
    if name == "s_wait_storecnt_dscnt" and number:
        return [("ds", int(number[1], 0) & 63)]
    return []


def memory(name, rest, major):
    """Counters that an instruction raises, the unit that runs it, and whether it fills its first operand."""
    returns = bool(re.search(r"\b(glc|sc0)\b|TH_ATOMIC\w*RETURN", rest))
    load, lds, scalar = ("load", "ds", "km") if major >= 12 else ("vm", "lgkm", "lgkm")
    if re.match(r"s_(buffer_|scratch_)?load_", name) or name.startswith(("s_memtime", "s_memrealtime")):
        return [scalar], "scalar", True
    if name.startswith("ds_") and not name.startswith("ds_nop"):
        fills = bool(re.match(r"ds_(read|load|\w*rtn|b?permute|swizzle|consume|append|bpermute)", name)) and not name.endswith("_lds")
        return [lds], "lds", fills
    if not re.match(r"(buffer|tbuffer|global|flat|scratch|image)_", name) or re.match(r"buffer_(wb|inv|gl)", name):
        return [], "", False
    if re.match(r"global_(wb|inv)", name):
        return ([load], "vector", False) if "inv" in name else ([], "", False)
    if "async" in name:
        return [], "", False
    is_store = "_store" in name or "_atomic" in name and not returns
    if is_store:
        return ([load] if major < 10 else []) + ([lds] if name.startswith("flat_") else []), "vector", False
    if major >= 12 and name.startswith("image_bvh"):
        load = "bvh"
    elif major >= 12 and re.match(r"image_(sample|gather|get_lod)", name):
        load = "sample"
    to_lds = "_lds_" in name or re.search(r"\blds\b", rest)
    return [load] + ([lds] if name.startswith("flat_") else []), "vector", not to_lds


def read(text):
    """The lines that are instructions, the places of labels, and the generation."""
    processor = re.search(r"gfx(\d+)-(\d+)-generic|gfx(\d+?)[0-9a-f]{2}\b", text)
    major = int(processor[1] or processor[3]) if processor else 9
    lines, labels = [], {}
    for number, line in enumerate(text.split("\n")):
        line = re.split(r"//|;|/\*", line)[0].rstrip()
        while (label := LABEL.match(line)) and not line[: label.end()].strip().endswith("::"):
            labels[label[1]] = len(lines)
            line = line[label.end():]
        words = line.split(None, 1)
        if not words or words[0].startswith(".") or "=" in line.split("(")[0] and ":" not in line:
            continue
        name, rest = words[0], words[1] if len(words) > 1 else ""
        counters, kind, fills = memory(name, rest, major)
        names = dwords(rest)
        filled = dwords(rest.split(",")[0]) if fills else set()
        goal = rest.strip() if name == "s_branch" or name.startswith("s_cbranch") else None
        lines.append(Line(number, name, filled, names, counters, kind, waits(name, rest), goal))
    return lines, labels


class Flow:
    """What is outstanding where. An operation is (line, counter); with it go the registers that it still fills, and the least number
    of operations of its counter that were issued after it, over all paths."""

    def __init__(self, lines, labels):
        self.lines, self.labels = lines, labels

    def after(self, at):
        line = self.lines[at]
        next_ = [] if line.name.startswith(END) or line.name == "s_branch" or at + 1 == len(self.lines) else [at + 1]
        goal = self.labels.get(line.goal) if line.goal else None
        return next_ + ([goal] if goal is not None and goal < len(self.lines) else [])

    def step(self, at, state, removed, uses):
        """The state after a line: operations, each with its registers and how many are newer."""
        line = self.lines[at]
        if line.name.startswith(CALL):
            return {}
        out = {}
        for operation, (left, newer) in state.items():
            producer, counter = self.lines[operation[0]], operation[1]
            if at != removed and any(c == counter and newer >= n and (producer.kind != "scalar" or n == 0) for c, n in line.waits):
                continue
            touched = left & line.names
            if touched:
                # Memory of one kind fills registers in order.
                in_order = touched <= line.fills and line.kind == producer.kind and "scalar" != line.kind
                if not in_order:
                    uses.append((operation, at))
                    continue
                left = left - touched
                if not left:
                    continue
            newer += counter in line.counters
            if newer < 63:
                out[operation] = (left, newer)
        if line.fills:
            # A flat operation waits for one of its counters at least.
            out[(at, line.counters[0])] = (frozenset(line.fills), 0)
        return out

    def run(self, start, state, removed=None, fresh=True):
        """States before each line from a start, and the uses that come too early."""
        before, uses = {start: dict(state)}, []
        work = [start]
        while work:
            at = work.pop()
            out = self.step(at, before[at], removed, uses)
            if not fresh:
                out.pop((at, self.lines[at].counters[0] if self.lines[at].counters else None), None)
            for next_ in self.after(at):
                known = before.setdefault(next_, None)
                if known is None:
                    before[next_] = dict(out)
                    work.append(next_)
                    continue
                changed = False
                for operation, (left, newer) in out.items():
                    old = known.get(operation)
                    new = (left | old[0], min(newer, old[1])) if old else (left, newer)
                    if new != old:
                        known[operation] = new
                        changed = True
                if changed:
                    work.append(next_)
        return before, uses


def removals(text):
    """Waits whose removal leaves a dependency open: line, and one use that then comes too early."""
    lines, labels = read(text)
    flow = Flow(lines, labels)
    before, early = {}, set()
    # Every piece that no branch reaches is entered from outside.
    entries = [0] if lines else []
    while entries:
        found, uses = flow.run(entries.pop(), {})
        before.update(found)
        early.update(uses)
        rest = next((i for i in range(len(lines)) if i not in before), None)
        if rest is not None:
            entries.append(rest)
    for at, line in enumerate(lines):
        if not line.waits:
            continue
        covered = {}
        for operation, (left, newer) in before[at].items():
            scalar = lines[operation[0]].kind == "scalar"
            if any(c == operation[1] and newer >= n and (not scalar or n == 0) for c, n in line.waits):
                covered[operation] = (left, newer)
        if not covered:
            continue
        _, uses = flow.run(at, covered, removed=at, fresh=False)
        new = [u for u in uses if u not in early]
        if new:
            (operation, _), use = new[0]
            yield line.number, lines[operation].number, lines[use].number


def findings(wavelens, files):
    done = subprocess.run([wavelens, "check", "--format", "json", *files], capture_output=True, text=True)
    for row in map(json.loads, filter(None, done.stdout.split("\n"))):
        waits = [d["line"] for d in row["diagnostics"] if d["code"] == "missing-wait"]
        yield row["file"], collections.Counter(waits), sum(d["severity"] == "error" for d in row["diagnostics"])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--wavelens", default="wavelens")
    ap.add_argument("--each", type=int, default=10)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--missed", action="store_true")
    a = ap.parse_args()
    rng = random.Random(a.seed)
    tried = found = 0
    for path in a.files:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if "s_set_vgpr_msb" in text:
            continue
        open_ = list(removals(text))
        with tempfile.TemporaryDirectory() as folder:
            original = os.path.join(folder, "original.s")
            with open(original, "w", encoding="utf-8") as file:
                file.write(text)
            made = {}
            for removal in rng.sample(open_, min(a.each, len(open_))):
                lines = text.split("\n")
                lines[removal[0]] = ""
                name = os.path.join(folder, f"{removal[0]}.s")
                with open(name, "w", encoding="utf-8") as file:
                    file.write("\n".join(lines))
                made[name] = removal
            known, results = collections.Counter(), {}
            for name, reported, errors in findings(a.wavelens, [original, *made] if made else []):
                if name == original:
                    known = reported
                    if errors:
                        made = {}
                else:
                    results[name] = reported
            for name, removal in made.items():
                tried += 1
                if results.get(name, collections.Counter()) - known:
                    found += 1
                elif a.missed:
                    wait, operation, use = (n + 1 for n in removal)
                    print(f"{path}:{wait}: not reported: line {use} uses what line {operation} fills")
    print(f"{found} of {tried} removals are reported" + (f", {100 * found / tried:.1f} %" if tried else ""))


if __name__ == "__main__":
    sys.exit(main())
