#!/usr/bin/env python3
"""Removes or weakens one wait of AMDGPU assembly at a time, lets `wavelens check --fix` repair it, and compares.

usage: repaired_waits.py FILE.. [--wavelens wavelens] [--count 1000] [--seed 1]

A removed wait may be one that nothing needs: `delete_wait.py` tells which leave a dependency open. Here the question is what is proposed:
printed are files with findings as they are, repairs after which a wait is still missing, and those whose waits are weaker than the
one that was there. Ends with 1 if there is any.
"""
import argparse
import collections
import difflib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

OLD = ("vmcnt", "lgkmcnt", "expcnt")
PAIRS = {"s_wait_loadcnt_dscnt": ("loadcnt", "dscnt"), "s_wait_storecnt_dscnt": ("storecnt", "dscnt")}
OTHERS = ("s_waitcnt_depctr", "s_wait_alu", "s_wait_event", "s_wait_idle", "s_wait_xcnt")
BATCH = 200


def counters(line):
    """What a line waits for: counter to number. Empty if it does not wait."""
    name, _, rest = re.split(r"//|;", line)[0].strip().partition(" ")
    rest = rest.strip()
    if name == "s_waitcnt":
        return {counter: int(number) for counter, number in re.findall(r"(\w+)\((\d+)\)", rest)}
    if name in OTHERS or not name.startswith("s_wait"):
        return {}
    number = int(rest.split(",")[-1].strip(), 0)
    if name in PAIRS:
        first, second = PAIRS[name]
        return {first: number >> 8, second: number & 255}
    return {re.sub("^s_wait(cnt)?_", "", name): number}


def written(indent, waits):
    """Lines that wait for counters."""
    old = " ".join(f"{counter}({waits[counter]})" for counter in OLD if counter in waits)
    lines = [f"{indent}s_waitcnt {old}"] if old else []
    for counter, number in waits.items():
        if counter == "vscnt":
            lines.append(f"{indent}s_waitcnt_vscnt null, {number:#x}")
        elif counter not in OLD:
            lines.append(f"{indent}s_wait_{counter} {number:#x}")
    return lines


def changes(lines):
    """Each change as (line, kind, lines instead)."""
    for at, line in enumerate(lines):
        waits = counters(line)
        if not waits:
            continue
        indent = line[: len(line) - len(line.lstrip())]
        yield at, "removed", []
        for counter in waits:
            yield at, "weakened", written(indent, {**waits, counter: waits[counter] + 1})
            if len(waits) > 1:
                yield at, "dropped", written(indent, {c: n for c, n in waits.items() if c != counter})


def check(wavelens, paths, hints=()):
    """Findings by file that are more than hints, and hints of some codes."""
    found = {}
    for first in range(0, len(paths), BATCH):
        options = ["--pedantic"] if hints else []
        command = [wavelens, "check", "--format", "json", *options, *paths[first : first + BATCH]]
        done = subprocess.run(command, capture_output=True, text=True)
        for row in map(json.loads, filter(None, done.stdout.split("\n"))):
            found[row["file"]] = [d for d in row["diagnostics"] if d["severity"] in ("error", "warning") or d["code"] in hints]
    return found


def verdict(original, repaired, before, after):
    """What a repair did, in a word."""
    is_wait = lambda d: d["code"] == "missing-wait"
    if not any(map(is_wait, before)):
        return "nothing reported"
    if any(map(is_wait, after)):
        return "STILL MISSING"
    old, new = ([line.strip() for line in lines] for lines in (original, repaired))
    if old == new:
        return "restored"
    lost, made = {}, {}
    for tag, a1, a2, b1, b2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for line in old[a1:a2]:
                lost.update(counters(line))
            for line in new[b1:b2]:
                for counter, number in counters(line).items():
                    made[counter] = min(number, made.get(counter, number))
    if any(counter in made and made[counter] > number for counter, number in lost.items()):
        return "WEAKER"
    return "without a counter" if set(lost) - set(made) else "as strong"


def repaired(wavelens, chosen, texts):
    """Makes some of the changes, repairs and counts them; prints the wrong ones."""
    counts, made = collections.Counter(), {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (path, at, kind, instead) in enumerate(chosen):
            name = os.path.join(folder, f"{number}-{os.path.basename(path)}")
            with open(name, "w", encoding="utf-8") as file:
                file.write("\n".join(texts[path][:at] + instead + texts[path][at + 1 :]))
            made[name] = (path, at, kind)
        before = check(wavelens, list(made))
        reported = [name for name, found in before.items() if any(d["code"] == "missing-wait" for d in found)]
        if reported:
            subprocess.run([wavelens, "check", "--fix", *reported], capture_output=True)
        after = check(wavelens, reported)
        for name, (path, at, kind) in made.items():
            with open(name, encoding="utf-8") as file:
                text = file.read().split("\n")
            word = verdict(texts[path], text, before.get(name, []), after.get(name, []))
            counts[kind, word] += 1
            if word.isupper():
                print(f"{word}: {path}:{at + 1}: {texts[path][at].strip()} ({kind})", flush=True)
    return counts


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--wavelens", default="wavelens")
    ap.add_argument("--count", type=int, default=1000)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    texts = {}
    for path in a.files:
        with open(path, encoding="utf-8", errors="replace") as file:
            texts[path] = file.read().split("\n")
    as_they_are = sum((found for found in check(a.wavelens, a.files).values()), [])
    for finding in as_they_are:
        print("unchanged:", finding["code"], finding["message"])
    every = [(path, *change) for path, lines in texts.items() for change in changes(lines)]
    random.Random(a.seed).shuffle(every)
    chosen = every[: a.count]
    counts = collections.Counter()
    for first in range(0, len(chosen), BATCH):
        counts += repaired(a.wavelens, chosen[first : first + BATCH], texts)
        print(f"{min(first + BATCH, len(chosen))} of {len(chosen)}", file=sys.stderr, flush=True)
    for (kind, word), count in sorted(counts.items()):
        print(f"{kind}, {word}: {count}")
    return 1 if as_they_are or any(word.isupper() for _, word in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
