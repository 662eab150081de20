#!/usr/bin/env python3
"""Compares `wavelens trace` with what `opt` and `llc` print after each pass.

usage: traced.py FILE.ll.. [--values 100] [--seed 1] [--wavelens wavelens] [--verbose]

In each kernel one value is replaced by its exclusive or (or its product) with a literal that no other instruction has, so that its
instruction can be recognized in every printed state without debug information, whatever its registers are. For each pass the judge
counts the opcodes of the instructions with the literal and of the exclusive ors (multiplications). A history is right if it has a step
for each pass after which the opcodes are others, and wrong if it says that the value is gone after a pass that leaves them there.
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
# The operation, and the opcodes that are the value's own: there must be no others in the module. `or` where no bit is set in both is
# another instruction.
OPERATIONS = {
    "xor": re.compile(r"(?i)\b(?:(?:[vs]_)?xor\w*|v_xad_u32\w*)\b"),
    "mul": re.compile(r"(?i)\b(?:[vs]_)?mul(?:_lo_[ui]32|_i32|_u32_u24|_hi_u32)?(?:_e64|_e32)?\b|\b(?:[vs]_)?mad_(?:co_)?[ui]64_[ui]32(?:_e64|_gfx\d+_e64)?\b"),
}
NUMBER = re.compile(r"(?<![\w%$.])-?(?:0x[0-9a-fA-F]+|[1-9]\d*)\b")
# The product of a sum is a sum with a multiple of the literal.
MULTIPLES = {LITERAL * n & 0xFFFFFFFF for n in range(-256, 257) if n}
OPCODE = re.compile(r"\s*(?:(?:disjoint|nuw|nsw|exact) )*(\w+)")
TARGETS = ["gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"]
LEVELS = [0, 1, 2, 2, 3]
PIPELINES = ["", "default<O1>", "default<O2>", "default<O3>"]
# "lost" does not say that the value is gone, only that it cannot be followed: its later passes are missing then.
GONE = ("deleted", "merged", "constant")


def run(command, limit=120):
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "timed out")


def planted(text, rng, operation):
    """The module with a marked value, the kernel's name; nothing where it has other instructions of the kind."""
    text = re.sub(r"(?m)^\s*;.*\n", "", text)
    kernels = list(re.finditer(r"^define[^\n]*amdgpu_kernel[^\n]*@([\w.]+)\(.*?^}", text, re.S | re.M))
    if not kernels or OPERATIONS[operation].search(text):
        return None
    kernel = rng.choice(kernels)
    body = kernel[0]
    found = list(re.finditer(r"(?m)^\s+(%[\w.]+) = (?:load|add|mul|sub|or|and|shl|lshr|select|zext|trunc|call)\b[^\n]*?\bi32\b[^\n]*\n", body))
    found = [f for f in found if re.match(r"\s+%[\w.]+ = (?:load i32|(?:add|mul|sub|or|and|shl|lshr)(?: nuw| nsw| exact| disjoint)* i32|select i1 [^,]*, i32|(?:zext|trunc) .* to i32|(?:tail )?call (?:range\S+ )?i32)", f[0])]
    if not found:
        return None
    at = rng.choice(found)
    name = re.escape(at[1]) + r"(?![\w.])"
    rest = re.sub(name, "%marked", body[at.end():])
    if "%marked" not in rest:
        return None
    body = body[:at.end()] + f"  %marked = {operation} i32 {at[1]}, {LITERAL}\n" + rest
    return text[:kernel.start()] + body + text[kernel.end():], kernel[1]


def opcode(line):
    found = OPCODE.match(line.split(" = ")[-1])
    return found[1].lower().removesuffix("_e32").removesuffix("_e64") if found else ""


def is_own(line, operation):
    literals = MULTIPLES if operation == "mul" else {LITERAL}
    has_literal = any(int(number, 0) & 0xFFFFFFFF in literals for number in NUMBER.findall(line))
    return bool(has_literal or OPERATIONS[operation].fullmatch(opcode(line)))


def states(printed, function, operation):
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
                yield pass_, collections.Counter(opcode(line) for line in lines if is_own(line, operation))


def compiled(text_file, function, target, pipeline, level, operation):
    """The states of the function after the passes of `opt` and `llc`, and the assembly."""
    made = run(["opt-22", "-print-changed", "-print-loop-func-scope", f"-passes={pipeline or 'verify'}", f"-mcpu={target}", "-mtriple=amdgcn-amd-amdhsa", "-S", "-o", text_file + ".opt", text_file])
    if made.returncode:
        return None
    printed = list(states(made.stderr, function, operation))
    made = run(["llc-22", "-print-after-all", "-print-loop-func-scope", f"-mcpu={target}", "-mtriple=amdgcn-amd-amdhsa", f"-O{level}", "-o", "-", text_file + ".opt"])
    return None if made.returncode else (printed + list(states(made.stderr, function, operation)), made.stdout)


def judge(text_file, function, target, pipeline, level, operation):
    """The passes after which the opcodes are others, those after which none is left, and the assembly's own lines."""
    made = compiled(text_file, function, target, pipeline, level, operation)
    if made is None:
        return None
    (printed, assembly), changed, gone, last = made, [], [], collections.Counter({operation: 1})
    for pass_, own in printed:
        if own != last:
            (changed if own else gone).append(pass_)
        last = own
        if not own:
            return changed, gone, False, []
    body = re.search(rf"(?ms)^{re.escape(function)}:(.*?)^\s*\.(?:size|end_amdhsa|section)", assembly)
    return changed, gone, bool(last), [l for l in body[1].splitlines() if is_own(l, operation)] if body else []


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
        operation = rng.choice(list(OPERATIONS))
        # `llc` compiles a function for the processor that it names, whatever is asked for.
        plain = re.sub(r'"target-(?:cpu|features)"="[^"]*"', "", open(path, errors="replace").read())
        made = planted(plain, rng, operation)
        if totals["values"] >= arguments.values:
            break
        if not made:
            continue
        text, function = made
        file = os.path.join(folder, "a.ll")
        target, pipeline, level = rng.choice(TARGETS), rng.choice(PIPELINES), rng.choice(LEVELS)
        how = (function, target, pipeline, level, operation)
        open(file, "w").write(plain)
        before = compiled(file, *how)
        if before is None or any(own for _, own in before[0]):
            # The compiler makes such instructions itself.
            continue
        open(file, "w").write(text)
        truth = judge(file, *how)
        if truth is None:
            continue
        command = [arguments.wavelens, "trace", "--value", "%marked", "--function", function, "--mcpu", target, "--opt", str(level), "--format", "json"]
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
        if is_there and lines and not any(is_own(t, operation) for t in emitted):
            missing.append("assembly")
        if is_there and emitted and not any(is_own(t, operation) for t in emitted) and not last.get("note"):
            wrong.append("assembly " + "; ".join(emitted))
        totals["right"] += not missing and not wrong
        totals["wrong claims"] += bool(wrong)
        if missing or wrong:
            print(os.path.basename(path), function, target, pipeline, f"O{level}", operation, "missing", missing, "wrong", wrong)
            if arguments.verbose:
                print("  judge", changed, gone, lines)
                for s in steps:
                    print("  ", name_of(s), s["change"], s.get("note", ""), [p["text"] for p in s["before"]], [p["text"] for p in s["after"]])
    print("seed", arguments.seed, "kernels", len(kernels), dict(totals))


if __name__ == "__main__":
    main()
