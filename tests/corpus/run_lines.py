#!/usr/bin/env python3
"""Compares `wavelens isa` with the `llc` of RUN lines.

Draws tests of LLVM (`.ll`, `.mir`) at random whose first `llc` RUN line the installed `llc` accepts, and compares the instructions, or the
result of the passes that the line names, with what `wavelens isa --run-line N` prints. Ends with 1 if one differs.

    run_lines.py --program target/release/wavelens llvm/test/CodeGen/AMDGPU --count 500 --seed 1
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

COMMENTS = re.compile(r"\s*(;|//|#).*")


def run_lines(text):
    """The commands of RUN lines with their numbers, as lit counts them."""
    commands, open_line = [], ""
    for line in text.splitlines():
        found = re.search(r"RUN:\s*(.*)", line)
        if not found or re.match(r"[\w-]*RUN", line.lstrip("/;# ")) is None:
            continue
        open_line += found.group(1)
        if open_line.endswith("\\"):
            open_line = open_line[:-1] + " "
            continue
        commands.append(open_line)
        open_line = ""
    return list(enumerate(commands, 1))


def reference(command, path, suffix):
    """The RUN line up to `llc`, as a shell runs it; `None` where another program than `sed`, `opt` and `llc` takes part."""
    stages = []
    for stage in re.split(r"\s*(?<!\\)\|\s*", command):
        words = stage.split()
        if not words or words[0] not in ("llc", "opt", "sed", "cat"):
            return None
        stage = stage.replace("2>&1", "").replace("%s", shlex.quote(path))
        if words[0] == "llc":
            if re.search(r"[;&>]|%", stage.replace(path, "")):
                stage = re.sub(r"\s*2>\s*\S+", "", stage)
                stage = re.sub(r"(-o[ =]?|>\s*)(%\S+|/dev/null)", "", stage)
                if re.search(r"[;&>]|%", stage.replace(path, "")):
                    return None
            stage = re.sub(r"-filetype=\w+", "", stage)
            stage = re.sub(r"\s-o[ =]?\S+", "", stage)
            stage = re.sub(r"^llc\b", f"llc-{suffix}", stage)
            return " | ".join(stages + [stage + " -o -"])
        stages.append(re.sub(r"^opt\b", f"opt-{suffix}", stage))
    return None


def normal(text):
    """What is compared: the instructions of assembly, or all of Machine IR but for the module's name."""
    if "\nbody:" in text or text.startswith(("--- |", "---\n", "; ModuleID")):
        # Metadata that has no number is printed by its address.
        lines = (re.sub(r"<0x[0-9a-f]+>", "<address>", line.rstrip()) for line in text.splitlines())
        return [line for line in lines if line and "ModuleID" not in line and "source_filename" not in line]
    lines = (COMMENTS.sub("", line) for line in text.splitlines() if line[:1].isspace())
    lines = (" ".join(line.split()) for line in lines)
    return [line for line in lines if line and not line.startswith(".")]


def compare(path, arguments):
    """How a test differs, in a word with a detail; `None` if the RUN line is not accepted."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found = [(number, line) for number, line in run_lines(text) if re.search(r"\bllc\b", line)]
    if not found:
        return None
    number, line = found[0]
    command = reference(line, path, arguments.llvm)
    if command is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        run = dict(capture_output=True, text=True, errors="replace", timeout=120, cwd=folder)
        try:
            expected = subprocess.run(["bash", "-o", "pipefail", "-c", command], **run)
            if expected.returncode:
                return None
            ours = subprocess.run([arguments.program, "isa", "--format", "json", "--run-line", str(number), path], **run)
        except subprocess.TimeoutExpired:
            return None
    wanted = normal(expected.stdout)
    try:
        lines = [line["text"] for line in json.loads(ours.stdout)["lines"]]
    except (ValueError, KeyError):
        # Without functions there is no code.
        if not wanted and "contains no code" in ours.stderr:
            return "same", ""
        reason = " ".join(ours.stderr.split()).replace(path, "FILE")
        return "no result", reason[:200]
    shown = normal("\n".join(lines))
    if shown == wanted:
        return "same", ""
    first = next((i for i, (a, b) in enumerate(zip(shown, wanted)) if a != b), min(len(shown), len(wanted)))
    pair = (shown[first] if first < len(shown) else "(end)", wanted[first] if first < len(wanted) else "(end)")
    return "other", f"`{pair[0]}` for `{pair[1]}` | {command.replace(path, '%s')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", help="folder with LLVM's tests")
    parser.add_argument("--program", default="wavelens")
    parser.add_argument("--llvm", default="22", help="suffix of llc and opt")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the result of each test")
    arguments = parser.parse_args()
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.abspath(arguments.tests))
             for name in names if name.endswith((".ll", ".mir"))]
    random.Random(arguments.seed).shuffle(sorted_paths := sorted(paths))
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        pending = iter(sorted_paths)
        while sum(counts.values()) < arguments.count:
            wave = [path for path, _ in zip(pending, range(4 * arguments.jobs))]
            if not wave:
                break
            for path, result in zip(wave, pool.map(lambda path: compare(path, arguments), wave)):
                if result is None or sum(counts.values()) >= arguments.count:
                    continue
                counts[result[0]] += 1
                if arguments.list or result[0] != "same":
                    print(f"{result[0]}: {os.path.relpath(path, arguments.tests)}: {result[1]}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.most_common()))
    return 1 if set(counts) - {"same"} else 0


if __name__ == "__main__":
    sys.exit(main())
