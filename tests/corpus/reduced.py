#!/usr/bin/env python3
"""Reduces files of a corpus with `wavelens reduce` and, for LLVM IR and Machine IR, with `llvm-reduce`, and compares sizes, tests and time.

usage: reduced.py {llvm,mir,spirv,amdgpu} CORPUS.. [--cases 40] [--seed 1] [--wavelens wavelens] [--limit 300] [--keep FOLDER]

Each case is a file and a test that both tools use. By turns: the output of the tool for the file has an opcode that is rare in it, or
the tool rejects a damaged copy of the file with the same words. Sizes are those of the text without comments and repeated blanks.
What `llvm-reduce` made in FOLDER is not made again, so that a second run there measures only `wavelens`.
"""
import argparse
import glob
import json
import os
import random
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

SUFFIX = {"llvm": ".ll", "mir": ".mir", "spirv": ".spvasm", "amdgpu": ".s"}
COMMENT = {"llvm": r";.*", "mir": r"(?m)^\s*[#;].*| ;.*", "spirv": r";.*", "amdgpu": r";.*|//.*"}
OPCODE = {"llvm": r"^\s+([a-z]\w+_\w+)\b", "mir": r"(?m)^    .*?\b([A-Z][A-Z0-9]*_[A-Za-z0-9_]+)\b",
          "spirv": r"\b(Op[A-Z]\w+)", "amdgpu": r"^\s+([a-z]\w+_\w+)\b"}
WORDS = {"llvm": ["i32", "i64", "float", "half", "add", "fadd", "load", "ptr addrspace(1)", "ptr addrspace(5)", "ptr"]}


def run(command, limit=60):
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return None


def size(dialect, text):
    return len(re.sub(r"\s+", " ", re.sub(COMMENT[dialect], "", text)))


def run_line(text):
    """The arguments of the first `RUN: llc ... %s` line."""
    for line in re.findall(r"RUN:\s*(?:not )?llc (.*)", text):
        words = [w for w in line.split("|")[0].split("2>")[0].split() if w not in ("%s", "<", "-o", "-", "-filetype=null")]
        if not any("%" in w or w == ">" for w in words):
            return words
    return None


def commands(dialect, text, rng):
    """The command whose output or errors are tested; `{}` is the file."""
    if dialect in ("llvm", "mir"):
        words = run_line(text)
        if words is None or (dialect == "mir") != any(w.startswith(("-run-pass", "--run-pass")) for w in words):
            return None
        return ["llc-22", *words, "-o", "-", "{}"]
    if dialect == "amdgpu":
        target = re.search(r"amdgcn_target \"amdgcn-[\w-]*-(gfx\w+)", text)
        run = re.search(r"RUN:.*llvm-mc .*-mcpu=(gfx\w+)", text)
        cpu = target or run
        return cpu and ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + cpu[1], "{}"]
    return ["sh", "-c", "spirv-as --target-env spv1.6 -o {}.spv {} && spirv-val {}.spv && spirv-dis --raw-id {}.spv"]


def damage(text, dialect, rng):
    """The text with one operand or type changed."""
    lines = text.split("\n")
    at = [n for n, line in enumerate(lines) if re.match(r"\s+\S+.*[ ,]", line) and not re.match(r"\s*[;#/]", line)]
    if not at:
        return None
    n = rng.choice(at)
    names = re.findall(r"[%$]?\w+", lines[n])
    other = re.findall(r"[%$]?\w+", lines[rng.choice(at)])
    if len(names) < 2 or len(other) < 2:
        return None
    name, new = rng.choice(names[1:]), rng.choice(other[1:])
    lines[n] = re.sub(r"(?<!\w)" + re.escape(name) + r"(?!\w)", new, lines[n], count=1)
    return "\n".join(lines)


def error(dialect, output):
    """The words of the first error up to the first name or number. What a reader of LLVM rejects, llvm-reduce cannot read either."""
    form = r"(?:LLVM ERROR|Bad machine code|error: <unknown>:0:0): (.*)" if dialect in ("llvm", "mir") else r"error: (.*)"
    found = re.search(form, output)
    words = found and re.split(r"[0-9'\"`%@!$#<\[(*]", re.sub(r"^(?:line \d+|\d+): ", "", found[1]))[0].strip()
    return words if words and len(words) > 12 else None


def case(dialect, path, folder, wants_error, rng):
    """A file and a test script; nothing where the file gives none."""
    text = open(path, errors="replace").read()
    command = commands(dialect, text, rng)
    if not command or not 1500 < len(text) < 150_000:
        return None
    file = os.path.join(folder, "input" + SUFFIX[dialect])
    words = lambda file: [w.replace("{}", file) for w in command]
    if wants_error:
        # LLVM's own tests are tried on another processor.
        if dialect in ("llvm", "mir"):
            command = [w for w in command if not w.startswith(("-mcpu", "--mcpu"))]
            command.insert(1, "-mcpu=" + rng.choice(["gfx600", "gfx803", "gfx900", "gfx1030", "gfx1201"]))
            command += ["-verify-machineinstrs"] if rng.random() < .5 else []
        else:
            text = damage(text, dialect, rng)
            if text is None:
                return None
        open(file, "w").write(text)
        ran = run(words(file))
        kind = ran and ran.returncode and error(dialect, ran.stderr)
        if not kind:
            return None
        what = f"2>&1 >/dev/null | grep -qF {shlex.quote(kind)}"
    else:
        open(file, "w").write(text)
        ran = run(words(file))
        if not ran or ran.returncode:
            return None
        opcodes = re.findall(OPCODE[dialect], ran.stdout, re.M)
        rare = sorted(o for o in set(opcodes) if opcodes.count(o) <= 3 and not re.match(r"s_endpgm|s_nop|OpLabel|OpReturn$|S_ENDPGM|IMPLICIT_DEF|source_filename", o))
        if not rare:
            return None
        kind = rng.choice(rare)
        what = f"2>/dev/null | grep -qw {kind}"
    script = os.path.join(folder, "test.sh")
    line = " ".join("$F" if w == "{}" else shlex.quote(w).replace("{}", "$F") if w != command[-1] else '"' + w.replace("{}", "$F") + '"' for w in command)
    with open(script, "w") as out:
        out.write(f'#!/bin/sh\nF="$1"\nprintf x >> {count_file(folder)}\n{line} {what}\n')
    os.chmod(script, 0o755)
    if run([script, file]).returncode:
        return None
    return file, script, kind


def count_file(folder):
    """Where a test counts its runs: what `wavelens reduce` starts writes below the folder for temporary files alone."""
    return os.path.join(tempfile.gettempdir(), f"reduced-{zlib.crc32(folder.encode()):08x}")


def measure(command, folder, limit):
    open(count_file(folder), "w").close()
    start = time.monotonic()
    ran = run(command, limit)
    return time.monotonic() - start, os.path.getsize(count_file(folder)), ran


def llvm_reduce(dialect, file, script, folder, limit):
    """What `llvm-reduce` makes of a case, or made of it in an earlier run; nothing if it cannot read the file."""
    theirs, known = os.path.join(folder, "theirs" + SUFFIX[dialect]), os.path.join(folder, "theirs.json")
    key = file_key(file, script)
    if os.path.exists(known):
        kept = json.load(open(known))
        if without_count(kept["case"]) == key:
            return kept["row"]
    if os.path.exists(theirs):
        os.remove(theirs)
    triple = re.search(r"triple[= ](\S+?)\"? ", open(script).read())
    took, tests, _ = measure(["llvm-reduce-22", "--test=" + script, "-o", theirs, "--mtriple=" + (triple[1] if triple else "amdgcn"), file], folder, limit * 2)
    row = None
    if os.path.exists(theirs) and tests >= 3:
        row = {"theirs": size(dialect, open(theirs).read()), "their tests": tests, "their time": took}
    json.dump({"case": key, "row": row}, open(known, "w"))
    return row


def file_key(*paths):
    return without_count("\n".join(open(path).read() for path in paths))


def without_count(text):
    return re.sub(r"(?m)^printf x.*\n", "", text)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("dialect", choices=SUFFIX)
    arguments.add_argument("corpus", nargs="+")
    arguments.add_argument("--cases", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--wavelens", default="wavelens")
    arguments.add_argument("--limit", type=int, default=300, help="seconds for each tool and case")
    arguments.add_argument("--keep", help="folder for the cases and their results")
    arguments = arguments.parse_args()
    rng, dialect = random.Random(arguments.seed), arguments.dialect
    files = sorted(f for c in arguments.corpus for f in glob.glob(f"{c}/**/*{SUFFIX[dialect]}", recursive=True))
    rng.shuffle(files)
    keep = os.path.abspath(arguments.keep or tempfile.mkdtemp())
    rows = []
    for path in files:
        if len(rows) >= arguments.cases:
            break
        folder = os.path.join(keep, f"{dialect}-{len(rows)}")
        os.makedirs(folder, exist_ok=True)
        made = case(dialect, path, folder, len(rows) % 2 == 1, random.Random(f"{arguments.seed} {path}"))
        if made is None:
            continue
        file, script, kind = made
        ours = os.path.join(folder, "ours" + SUFFIX[dialect])
        if os.path.exists(ours):
            os.remove(ours)
        row = llvm_reduce(dialect, file, script, folder, arguments.limit) if dialect in ("llvm", "mir") else {}
        # It cannot read every file.
        if row is None:
            continue
        took, tests, _ = measure([arguments.wavelens, "reduce", "-o", ours, "--time-limit", str(arguments.limit), file, "--", script], folder, arguments.limit * 2)
        before = size(dialect, open(file).read())
        kept = os.path.exists(ours) and not run([script, ours]).returncode
        row = {"before": before, "ours": size(dialect, open(ours).read()) if kept else None, "tests": tests, "time": took} | row
        rows.append(row)
        print(os.path.basename(path), kind, {k: round(v, 1) if v else v for k, v in row.items()}, flush=True)
    print("seed", arguments.seed, "cases", len(rows), "not kept", sum(r["ours"] is None for r in rows))
    rows = [r for r in rows if r["ours"] is not None]
    median = lambda key: statistics.median(r[key] for r in rows)
    print({key: round(median(key), 1) for key in rows[0]})
    if "theirs" in rows[0]:
        share = lambda a, b: statistics.median(r[a] / r[b] for r in rows)
        print("medians of ratios: size %.2f, tests %.2f, time %.2f; smaller or equal in %d" % (
            share("ours", "theirs"), share("tests", "their tests"), share("time", "their time"),
            sum(r["ours"] <= r["theirs"] for r in rows)))
        print("time of all: %.0f s to %.0f s" % (sum(r["time"] for r in rows), sum(r["their time"] for r in rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
