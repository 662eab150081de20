#!/usr/bin/env python3
"""Damages one place of a file, lets `wavelens check --fix` repair it, and compares with what was there.

usage: repaired_edits.py FILE.. --dialect llvm|mir|spirv|amdgpu [--wavelens wavelens] [--count 500] [--seed 1] [--mcpu gfx942] [--keep DIR]

One edit a variant: a letter, a digit, a suffix, a type, an operand, a missing word, a deleted line. What `--fix` changes must restore the
original or its meaning: the same text, or the same bitcode, words or encoding from LLVM 22 or spirv-as. Printed is every variant that was
changed to something else. The share of repaired ones is among the variants with an error; a variant whose right repair is one of several
choices, or is only shown, is "named". `--unnamed` prints the others. Ends with 1 if a change is wrong.
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

BATCH = 100
TYPES = {
    "llvm": ["i1", "i8", "i16", "i32", "i64", "float", "double", "half", "ptr", "<2 x i32>", "<4 x float>", "void"],
    "mir": ["vgpr_32", "sreg_32", "sreg_64", "vreg_64", "s32", "s64", "p0", "p1"],
    "spirv": ["%float", "%int", "%uint", "%bool", "%void", "%v4float", "%v2float"],
    "amdgpu": ["b32", "b64", "u32", "i32", "f32", "f64", "f16", "u16", "b16", "dword", "dwordx2", "dwordx4", "fp8", "bf8", "fp4", "bf16"],
}
COMMENT = {"llvm": ";", "mir": ";", "spirv": ";", "amdgpu": ";"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words(line):
    return list(re.finditer(r"[A-Za-z_][\w.]*", line))


def letter(rng, line, _):
    word = rng.choice(words(line))
    at = rng.randrange(word.start(), word.end())
    how = rng.randrange(4)
    if how == 0:
        return line[:at] + line[at + 1 :]
    if how == 1:
        return line[:at] + rng.choice(LETTERS) + line[at:]
    if how == 2 and at + 1 < word.end():
        return line[:at] + line[at + 1] + line[at] + line[at + 2 :]
    return line[:at] + rng.choice(LETTERS) + line[at + 1 :]


def digit(rng, line, _):
    number = rng.choice(list(re.finditer(r"\d", line)))
    how = rng.randrange(3)
    at = number.start()
    if how == 0:
        return line[:at] + line[at + 1 :]
    if how == 1:
        return line[:at] + rng.choice("0123456789") + line[at:]
    return line[:at] + rng.choice("0123456789") + line[at + 1 :]


def suffix(rng, line, _):
    word = rng.choice([w for w in words(line) if re.search("[._]", w[0])])
    cut = max(word[0].rfind("_"), word[0].rfind("."))
    if rng.randrange(2):
        return line[: word.start() + cut] + line[word.end() :]
    other = rng.choice(["_e32", "_e64", ".i32", ".i64", ".f32", "_b32", "_b64", "_x2", "_lo", "_hi", "_KHR", "_1"])
    return line[: word.start() + cut] + other + line[word.end() :]


def type_(rng, line, dialect):
    types = TYPES[dialect]
    pattern = "|".join(sorted(map(re.escape, types), key=len, reverse=True))
    found = rng.choice(list(re.finditer(rf"(?<![A-Za-z0-9%])(?:{pattern})(?![A-Za-z0-9])", line)))
    return line[: found.start()] + rng.choice([t for t in types if t != found[0]]) + line[found.end() :]


def operand(rng, line, _):
    found = list(re.finditer(r"[%@$!]?[\w.]+(?:\[[^\]]*\])?", line))
    one, other = rng.sample(found, 2)
    how = rng.randrange(3)
    if how == 0:
        return line[: one.start()] + other[0] + line[one.end() :]
    if how == 1:
        # Memory operands of Machine IR are not the last operand.
        code, separator, memory = line.partition(" :: ")
        comma = re.search(r",\s*[^,]+$", code)
        return code[: comma.start()] + separator + memory
    first, second = sorted((one, other), key=lambda m: m.start())
    return line[: first.start()] + second[0] + line[first.end() : second.start()] + first[0] + line[second.end() :]


def missing_word(rng, line, _):
    word = rng.choice(list(re.finditer(r"\S+\s*", line.strip("\n"))))
    return line[: word.start()] + line[word.end() :]


def deleted(rng, line, _):
    return None


KINDS = {"letter": letter, "digit": digit, "suffix": suffix, "type": type_, "operand": operand, "missing word": missing_word, "deleted line": deleted}


def is_code(line, dialect):
    text = line.strip()
    return bool(text) and not text.startswith((COMMENT[dialect], "#", "//", "...", "---", "source_filename", "target"))


def edits(text, dialect, rng):
    """One damaged text, and its kind and line."""
    lines = text.split("\n")
    code = [n for n, line in enumerate(lines) if is_code(line, dialect)]
    for _ in range(50):
        at, kind = rng.choice(code), rng.choice(list(KINDS))
        line, _, comment = lines[at].partition(COMMENT[dialect])
        try:
            made = KINDS[kind](rng, line, dialect)
        except (IndexError, ValueError, AttributeError):
            continue
        if made == line:
            continue
        middle = [] if made is None else [made + (COMMENT[dialect] + comment if comment else "")]
        return "\n".join(lines[:at] + middle + lines[at + 1 :]), kind, at
    return None


def check(command, paths):
    found = {}
    for first in range(0, len(paths), BATCH):
        done = subprocess.run([*command, "--format", "json", *paths[first : first + BATCH]], capture_output=True, text=True)
        for row in map(json.loads, filter(None, done.stdout.split("\n"))):
            found[row["file"]] = row["diagnostics"]
    return found


def unordered(module):
    """A module's words with its capabilities and extensions in one order."""
    words, at, declarations = memoryview(module).cast("I"), 5, []
    while at < len(words) and words[at] & 0xffff in (10, 17):
        declarations.append(bytes(words[at : at + (words[at] >> 16)]))
        at += words[at] >> 16
    return b"".join(sorted(declarations)) + bytes(words[at:])


def unflagged(mir):
    """Machine IR without `killed` and `dead`: where they are missing costs nothing but registers."""
    return re.sub(r"\b(killed|dead) ", "", mir)


def meaning(path, a):
    """What the reference tool makes of a file, or None if it rejects it."""
    if a.dialect == "llvm":
        done = subprocess.run(["opt-22", "-passes=strip-dead-prototypes,strip-nondebug", "-S", "-o", "-", path], capture_output=True, text=True)
        out = re.sub(r"; ModuleID.*|source_filename.*", "", done.stdout)
    elif a.dialect == "mir":
        with open(path, encoding="utf-8") as file:
            run = re.search(r"RUN:.*\bllc\b(.*)", file.read())
        target = re.findall(r"-(?:mtriple|march|mcpu)[= ]\S+", run[1]) if run else []
        command = ["llc-22", *" ".join(target).split(), "-run-pass=none", "-o", "-", path]
        done = subprocess.run(command, capture_output=True, text=True)
        out = unflagged(re.sub(r"; ModuleID.*|source_filename.*", "", done.stdout))
    elif a.dialect == "spirv":
        done = subprocess.run(["spirv-as", "--preserve-numeric-ids", "-o", "-", path], capture_output=True)
        out = unordered(done.stdout)
    else:
        cpu = re.search(r"gfx\w+", os.path.basename(path))
        done = subprocess.run(["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu[0] if cpu else a.mcpu}", "-filetype=obj", "-o", "-", path], capture_output=True)
        out = done.stdout
    return out if done.returncode == 0 else None


def repairs(text, findings):
    """The texts that the fixes of a file's findings make, one fix at a time."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line.encode()) + 1)
    place = lambda edit, end: starts[edit[f"{end}line"] - 1] + edit[f"{end}column"] - 1
    for finding in findings:
        fixes = finding.get("fixes", [])
        # Of several names none is a fix: they are the choice.
        if "did you mean" in finding["message"]:
            names = re.findall(r"`([^`]+)`", finding["message"].split("did you mean")[1])
            fixes = fixes + [{"edits": [{**finding, "text": name}]} for name in names]
        for fix in fixes:
            made = text.encode()
            for edit in sorted(fix["edits"], key=lambda edit: place(edit, ""), reverse=True):
                made = made[: place(edit, "")] + edit["text"].encode() + made[place(edit, "end_") :]
            yield made.decode(errors="replace")


def is_named(path, damaged, findings, original, a, folder):
    """Whether one of the fixes makes the original or its meaning."""
    made = list(dict.fromkeys(repairs(damaged, findings)))
    if original in made:
        return True
    name = os.path.join(folder, "repair-" + os.path.basename(path))
    for text in made:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        new = meaning(name, a)
        if new is not None and new == meaning(path, a):
            return True
    return False


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--dialect", required=True, choices=list(TYPES))
    ap.add_argument("--wavelens", default="wavelens")
    ap.add_argument("--count", type=int, default=500)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--mcpu", default="gfx942")
    ap.add_argument("--keep")
    ap.add_argument("--unnamed", action="store_true")
    a = ap.parse_args()
    command = [a.wavelens, "check", "--llvm-level", "22"]
    rng = random.Random(a.seed)
    clean = [path for path, found in check(command, a.files).items() if not any(d["severity"] in ("error", "warning") for d in found)]
    if not clean:
        sys.exit("no file without findings")
    texts = {path: open(path, encoding="utf-8").read() for path in sorted(clean)}
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = a.keep or temporary
        os.makedirs(folder, exist_ok=True)
        made = {}
        while len(made) < a.count:
            path = rng.choice(list(texts))
            edit = edits(texts[path], a.dialect, rng)
            if edit:
                name = os.path.join(folder, f"{len(made)}-{os.path.basename(path)}")
                with open(name, "w", encoding="utf-8") as file:
                    file.write(edit[0])
                made[name] = (path, *edit)
        names = list(made)
        before = check(command, names)
        for first in range(0, len(names), BATCH):
            subprocess.run([*command, "--fix", *names[first : first + BATCH]], capture_output=True)
        for name, (path, damaged, kind, at) in made.items():
            with open(name, encoding="utf-8") as file:
                text = file.read()
            findings = before.get(name, [])
            has_error = any(d["severity"] == "error" for d in findings)
            if text == damaged:
                word = "left" if has_error else "hint or nothing" if not any(d["severity"] == "warning" for d in findings) else "warning left"
            elif text == texts[path]:
                word = "restored"
            else:
                # LLVM 22 does not read the tests of newer versions.
                is_same = a.dialect == "mir" and unflagged(text) == unflagged(texts[path])
                old, new = ("", "") if is_same else (meaning(path, a), meaning(name, a))
                word = "same meaning" if old is not None and old == new else "WRONG"
                added = [l[2:] for l in difflib.ndiff(damaged.split("\n"), text.split("\n")) if l[0] in "+-"]
                # What a deleted load was counted for cannot be known; a wait more changes no result.
                if word == "WRONG" and added and all(re.match(r"\s*s_(wait|nop)", l) for l in added):
                    word = "waits added"
            if word == "left" and is_named(path, damaged, findings, texts[path], a, temporary):
                word = "named"
            counts[kind, word] += 1
            if word == "left" and a.unnamed:
                shown = damaged.split("\n")[at] if kind != "deleted line" else ""
                first = [(d["line"], d["code"], d["message"], d.get("help")) for d in findings if d["severity"] == "error"][0]
                print(f"left ({kind}): {name}:{at + 1}\n    was {texts[path].split(chr(10))[at].strip()}\n    now {shown.strip()}\n    {first}")
            if word == "WRONG":
                wrong += 1
                lines = texts[path].split("\n")
                change = [l for l in difflib.unified_diff(damaged.split("\n"), text.split("\n"), lineterm="", n=0) if not l.startswith(("---", "+++", "@@"))]
                print(f"WRONG: {name}:{at + 1} ({kind})\n    was  {lines[at].strip()}\n    " + "\n    ".join(change[:8]) + f"\n    {[d['message'] for d in findings][:2]}")
    for (kind, word), count in sorted(counts.items()):
        print(f"{kind}, {word}: {count}")
    total = collections.Counter()
    for (_, word), count in counts.items():
        total[word] += count
    right = total["restored"] + total["same meaning"]
    print(f"changed {right + wrong}, right {right} ({100 * right / max(1, right + wrong):.1f} %); repaired of those with an error or a change: {100 * right / max(1, right + wrong + total['left'] + total['named']):.1f} %, repaired or named: {100 * (right + total['named']) / max(1, right + wrong + total['left'] + total['named']):.1f} %")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
