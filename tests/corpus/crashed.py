#!/usr/bin/env python3
"""Makes compilers fail on tests of a corpus, reduces the tests with `wavelens reduce --while crash`, and runs the RUN line of each result.

usage: crashed.py CORPUS.. [--cases 40] [--seed 1] [--wavelens wavelens] [--limit 120] [--keep FOLDER]

Each case is a `.ll` or `.mir` file whose RUN line names another processor than it was written for, or with one damaged operand, and on
which `llc` ends with a message of its verifier, of instruction selection or of an assertion. A result is right if its own RUN line, run
with nothing else, fails with the same message.
"""
import argparse
import glob
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

from reduced import damage, run, size

PROCESSORS = ["gfx600", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1201"]
RUN = re.compile(r"^([;#] ?RUN: *)llc (.*)$", re.M)


def arguments(text):
    """The arguments of the first RUN line that compiles the file itself."""
    for _, line in RUN.findall(text):
        words = [w.strip("\"'") for w in line.split("|")[0].split("2>")[0].split()]
        words = [w for w in words if w not in ("%s", "<", "-o", "-", "-filetype=null", "/dev/null")]
        if not any("%" in w or w in (">", "&&") for w in words):
            return words
    return None


def cause(text):
    """What `llc` says about a failure on a text by its own RUN line: the message without names, numbers and operands."""
    words = arguments(text)
    if words is None:
        return None
    suffix = ".mir" if any(w.lstrip("-").startswith("run-pass") for w in words) or "\nbody:" in text else ".ll"
    with tempfile.NamedTemporaryFile("w", suffix=suffix) as file:
        file.write(text)
        file.flush()
        ran = run(["llc-22", *words, "-o", "/dev/null", file.name])
    if ran is None or ran.returncode == 0 or "is not a recognized processor" in ran.stderr:
        return None
    said = re.search(r"Assertion `.*?' failed|(?:Bad machine code|LLVM ERROR|error: <unknown>:0:0): (.*)", ran.stderr)
    if said is None:
        # A signal without a word: the pass that was running.
        running = re.search(r"Running pass '([^']*)'", ran.stderr)
        return running and "pass " + running[1]
    words = re.split(r"[<(]", said[1] or said[0])[0]
    return " ".join(w for w in words.split() if not re.match(r"(t|0x)?\d|%", w)) or None


def case(path, rng):
    text = open(path, errors="replace").read()
    if not 1500 < len(text) < 60_000 or arguments(text) is None:
        return None
    first = RUN.search(text)
    line = re.sub(r"\s*-?-mcpu=\S+", "", first[2])
    if rng.random() < .5:
        dialect = "mir" if path.endswith(".mir") else "llvm"
        text = damage(text, dialect, rng) or text
        line = first[2]
    else:
        line = "-mcpu=" + rng.choice(PROCESSORS) + " " + line
    # The other RUN lines are of other processors.
    rest = re.sub(r"^[;#] ?RUN:.*\n", "", text, flags=re.M)
    text = f"{first[1]}llc {line}\n{rest}"
    kind = cause(text)
    # A wrong command line is not a failure on the text.
    return None if kind is None or "is not registered" in kind or "command line" in kind else (text, kind)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", nargs="+")
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wavelens", default="wavelens")
    parser.add_argument("--limit", type=int, default=120, help="seconds for each case")
    parser.add_argument("--keep", help="folder for the cases and their results")
    parser.add_argument("--ending", default="ll,mir")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    endings = options.ending.split(",")
    files = sorted(f for c in options.corpus for e in endings for f in glob.glob(f"{c}/**/*.{e}", recursive=True))
    rng.shuffle(files)
    keep = options.keep or tempfile.mkdtemp()
    os.makedirs(keep, exist_ok=True)
    shares, wrong, done, seen = [], [], 0, set()
    for path in files:
        if done >= options.cases:
            break
        made = case(path, random.Random(f"{options.seed} {path}"))
        # A cause that a third of the tests share teaches little more the third time.
        if not made or (made[1] in seen and rng.random() < .7):
            continue
        text, kind = made
        seen.add(kind)
        dialect = "mir" if path.endswith(".mir") else "llvm"
        name = os.path.join(keep, f"{done}-{os.path.basename(path)}")
        result = os.path.join(keep, f"{done}-reduced.{path.rsplit('.', 1)[1]}")
        open(name, "w").write(text)
        if os.path.exists(result):
            os.remove(result)
        ran = run([options.wavelens, "reduce", "--while", "crash", "--invalid", "-o", result, "--time-limit", str(options.limit), name], options.limit * 2)
        after = open(result).read() if os.path.exists(result) else ""
        same = cause(after) if after else (ran.stderr.strip() if ran else "no end")
        done += 1
        if same == kind:
            shares.append(size(dialect, after) / size(dialect, text))
        else:
            wrong.append(name)
        print("same" if same == kind else f"DIFFERENT: {same}", os.path.basename(path), kind, size(dialect, text), size(dialect, after), flush=True)
    print(f"seed {options.seed}: {len(shares)} of {done} fail alone with the same cause")
    if shares:
        print(f"median of what is left: {statistics.median(shares):.3f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
