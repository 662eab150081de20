#!/usr/bin/env python3
"""Compares `wavelens trace` with what `opt` and `llc` print after each pass.

usage: traced.py FILE.ll.. [--values 100] [--seed 1] [--wavelens wavelens] [--verbose]

In each kernel one value is replaced by its exclusive or with a literal that no other instruction has, so that its instruction can be
recognized in every printed state without debug information, whatever its registers are. For each pass the judge counts the opcodes
of the instructions with the literal and of the exclusive ors. A history is right if it has a step for each pass after which the opcodes are others, and wrong if it says
that the value is gone after a pass that leaves them there.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import tempfile

LITERAL = 0x5A5A1234
# `or` where no bit is set in both, and fused forms are other instructions.
OWN = re.compile(r"(?i)\b(?:[vs]_)?xor\w*\b")
MARKED = re.compile(rf"(?<![-\w]){LITERAL}\b|(?i:0x{LITERAL:x})\b")
OPCODE = re.compile(r"\s*(?:(?:disjoint|nuw|nsw|exact) )*(\w+)")
TARGETS = ["gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"]
PIPELINES = ["", "default<O1>", "default<O2>", "default<O3>"]
# "lost" does not say that the value is gone, only that it cannot be followed: its later passes are missing then.
GONE = ("deleted", "merged", "constant")


def run(command, limit=60):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=limit)


def planted(text, rng):
    """The module with a marked value, the kernel's name; nothing where it has other instructions of the kind."""
    text = re.sub(r"(?m)^\s*;.*\n", "", text)
    kernels = list(re.finditer(r"^define[^\n]*amdgpu_kernel[^\n]*@([\w.]+)\(.*?^}", text, re.S | re.M))
    if not kernels or OWN.search(text):
        return None
    kernel = rng.choice(kernels)
    body = kernel[0]
    found = list(re.finditer(r"(?m)^\s+(%[A-Za-z]\w*) = (?:load|add|mul|sub|or|and|shl|lshr|select|zext|trunc|call)\b[^\n]*?\bi32\b[^\n]*\n", body))
    found = [f for f in found if re.match(r"\s+%\w+ = (?:load i32|(?:add|mul|sub|or|and|shl|lshr)(?: nuw| nsw| exact| disjoint)* i32|select i1 [^,]*, i32|(?:zext|trunc) .* to i32|(?:tail )?call (?:range\S+ )?i32)", f[0])]
    if not found:
        return None
    at = rng.choice(found)
    name = re.escape(at[1]) + r"(?![\w.])"
    rest = re.sub(name, "%marked", body[at.end():])
    if "%marked" not in rest:
        return None
    body = body[:at.end()] + f"  %marked = xor i32 {at[1]}, {LITERAL}\n" + rest
    return text[:kernel.start()] + body + text[kernel.end():], kernel[1]


def opcode(line):
    found = OPCODE.match(line.split(" = ")[-1])
    return found[1].lower().removesuffix("_e32").removesuffix("_e64") if found else ""


def is_own(line):
    return bool(MARKED.search(line) or OWN.fullmatch(opcode(line)))


def states(printed, function):
    """Pass and opcodes of the marked instructions after each pass that printed the function."""
    for dump in re.split(r"(?m)^(?:# )?\*\*\* IR Dump ", printed)[1:]:
        banner, _, rest = dump.partition("\n")
        if "***define" in banner:
            rest = banner.split("***", 1)[1] + "\n" + rest
        if not banner.startswith(("After", "At Start")):
            continue
        pass_ = banner.removeprefix("After ").split(" ***")[0].split(" on ")[0]
        for form in (rf"(?ms)^# Machine code for function {re.escape(function)}:(.*?)^# End machine code", rf"(?ms)^define [^\n]*@{re.escape(function)}\((.*?)^}}"):
            body = re.search(form, rest)
            if body:
                lines = [re.sub(r"^\d+B\t|, !dbg.*|debug-location.*|::.*|;.*", "", line) for line in body[1].splitlines()]
                # In LLVM IR an instruction with another literal computes another value.
                lines = [line for line in lines if form[5] == "#" or str(LITERAL) in line]
                # Other passes make `not` of a value.
                lines = [line for line in lines if not re.search(r"DBG_|dbg_value|#dbg|, -1\b|XNOR|xnor", line)]
                yield pass_, collections.Counter(opcode(line) for line in lines if is_own(line))


def judge(text_file, function, target, pipeline):
    """The passes after which the opcodes are others, those after which none is left, and the assembly's own lines."""
    printed = []
    source = text_file
    made = run(["opt-22", "-print-changed", f"-passes={pipeline or 'verify'}", f"-mcpu={target}", "-mtriple=amdgcn-amd-amdhsa", "-S", "-o", text_file + ".opt", text_file])
    if made.returncode:
        return None
    printed, source = list(states(made.stderr, function)), text_file + ".opt"
    made = run(["llc-22", "-print-after-all", f"-mcpu={target}", "-mtriple=amdgcn-amd-amdhsa", "-O2", "-o", "-", source])
    if made.returncode:
        return None
    printed += states(made.stderr, function)
    changed, gone, last = [], [], collections.Counter({"xor": 1})
    for pass_, own in printed:
        if own != last:
            (changed if own else gone).append(pass_)
        last = own
        if not own:
            return changed, gone, False, []
    body = re.search(rf"(?ms)^{re.escape(function)}:(.*?)^\s*\.(?:size|end_amdhsa|section)", made.stdout)
    return changed, gone, bool(last), [l for l in body[1].splitlines() if is_own(l)] if body else []


def name_of(step):
    return f"{step['pass']} ({step['argument']})" if step.get("argument") else step["pass"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--values", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--wavelens", default="wavelens")
    arguments.add_argument("--verbose", action="store_true")
    arguments = arguments.parse_args()
    files = sorted(arguments.files)
    random.Random(arguments.seed).shuffle(files)
    folder, totals, kernels = tempfile.mkdtemp(), collections.Counter(), set()
    for n, path in enumerate(files * 4):
        rng = random.Random(f"{arguments.seed} {n} {path}")
        made = planted(open(path, errors="replace").read(), rng)
        if totals["values"] >= arguments.values:
            break
        if not made:
            continue
        text, function = made
        file = os.path.join(folder, "a.ll")
        open(file, "w").write(text)
        target, pipeline = rng.choice(TARGETS), rng.choice(PIPELINES)
        truth = judge(file, function, target, pipeline)
        if truth is None:
            continue
        command = [arguments.wavelens, "trace", "--value", "%marked", "--function", function, "--mcpu", target, "--opt", "2", "--format", "json"]
        ran = run(command + (["--passes", pipeline] if pipeline else []) + [file])
        if ran.returncode:
            totals["failed"] += 1
            print("FAILED", os.path.basename(path), ran.stderr.strip()[:200])
            continue
        totals["values"] += 1
        kernels.add((path, function))
        steps = json.loads(ran.stdout)["steps"]
        changed, gone, is_there, lines = truth
        named = [name_of(s) for s in steps]
        # What the selection makes first is a step of its own; a pass that only repeats a state is none.
        missing = [p for p in dict.fromkeys(changed + gone) if p not in named and p != "At Start"]
        wrong = [f"{name_of(s)} {s['change']}" for s in steps if s["change"] in GONE and name_of(s) not in gone]
        last = steps[-1] if steps else {"change": "", "after": []}
        emitted = [p["text"] for p in last["after"]] if last["change"] == "emitted" else []
        if is_there and lines and not any(is_own(t) for t in emitted):
            missing.append("assembly")
        if emitted and not any(is_own(t) for t in emitted) and not last.get("note"):
            wrong.append("assembly " + "; ".join(emitted))
        totals["right"] += not missing and not wrong
        totals["wrong claims"] += bool(wrong)
        if missing or wrong:
            print(os.path.basename(path), function, target, pipeline, "missing", missing, "wrong", wrong)
            if arguments.verbose:
                print("  judge", changed, gone, lines)
                for s in steps:
                    print("  ", name_of(s), s["change"], s.get("note", ""), [p["text"] for p in s["before"]], [p["text"] for p in s["after"]])
    print("seed", arguments.seed, "kernels", len(kernels), dict(totals))


if __name__ == "__main__":
    main()
