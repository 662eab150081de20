#!/usr/bin/env python3
"""Format the files of a corpus and compare what the reference tools make of them before and after.

usage: formatted.py --wavelens PROGRAM --dialect llvm|mir|amdgpu|spirv [--limit N] [--seed S] FOLDER...

Every file is formatted in a copy. Then: formatting it again changes nothing; the syntax trees differ in white space alone; and the
reference tool makes the same of both (llvm-as: the same bitcode, llc -run-pass=none: the same text, spirv-as: the same binary,
llvm-mc: the same object, or the same errors). Prints one line for each difference, and the figures at the end; the exit status is 1 if
there was a difference. Files that the reference tool does not accept are compared too, but for its answer.
"""
import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

EXT = {"llvm": ".ll", "mir": ".mir", "amdgpu": ".s", "spirv": ".spvasm"}
BATCH = 400


def run(command, path=None, data=None):
    try:
        return subprocess.run(command, stdin=None if data else subprocess.DEVNULL, input=data, capture_output=True, timeout=300, cwd=path)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, b"", b"timeout")


def run_line(text, tool):
    """The options about the machine in the first RUN line of a tool."""
    text = re.sub(rb"\\\n[^\n]*?RUN:", b" ", text)
    for line in re.findall(rb"RUN:([^\n]*)", text):
        first = re.split(r"[|;<>]|&&", line.decode("utf-8", "replace"))[0]
        try:
            words = [w for w in shlex.split(first) if w not in ("not", "--crash")]
        except ValueError:
            continue
        if not words or os.path.basename(words[0]) != tool:
            continue
        options = []
        for i, word in enumerate(words):
            if re.match(r"--?(mtriple|triple|march|arch|mcpu|mattr|defsym|amdhsa-code-object-version)=", word):
                options.append(word)
            elif re.match(r"--?(mtriple|triple|march|arch|mcpu|mattr|defsym|I)$", word) and i + 1 < len(words):
                options += [word, words[i + 1]]
        return options
    return None


def answer(dialect, path, text, folder=None):
    """What the reference tool makes of a file: whether it accepts it, and its output. Included files are looked for in `folder`."""
    if dialect == "llvm":
        # The name of the file is part of the output.
        p = run(["llvm-as-22", "-o", "-", "-"], data=text or b"\n")
    elif dialect == "mir":
        options = run_line(text, "llc")
        if options is None:
            options = [] if b"target triple" in text[:4000] else ["-mtriple=amdgcn-amd-amdhsa", "-mcpu=gfx900"]
        p = run(["llc-22", *options, "-run-pass=none", "-o", "-", path])
    elif dialect == "spirv":
        env = re.search(rb";\s*(?:target-env|TARGET_ENV):?\s*(\S+)", text[:4000])
        version = re.search(rb";\s*Version:\s*(\d\.\d)", text[:4000])
        name = env.group(1).decode() if env else "spv" + version.group(1).decode() if version else "spv1.6"
        p = run(["spirv-as", "--target-env", name, "-o", "-", path])
    else:
        options = run_line(text, "llvm-mc")
        if options is None:
            found = re.search(rb"\.amdgcn_target\s+\"[^\"]*--(gfx[\w-]+)", text[:8000])
            options = ["-triple=amdgcn-amd-amdhsa", "-mcpu=" + (found.group(1).decode() if found else "gfx900")]
        p = run(["llvm-mc-22", *options, "-I", folder or os.path.dirname(path), "-filetype=obj", "-o", "-", path])
    if p.returncode == 0:
        # Addresses of metadata that llc prints without a number.
        return True, re.sub(rb"<0x[0-9a-f]+>", b"<address>", p.stdout) if dialect == "mir" else p.stdout
    # Lines and columns move.
    return False, b"\n".join(re.findall(rb":\d+:\d+: (?:error|warning): ([^\n]*)", p.stderr))


def tree(wavelens, dialect, path):
    """The syntax tree without places, white space, and the borders of the parts in which a file is read."""
    p = run([wavelens, "parse", "--dialect", dialect, path])
    lines, embedded = [], b""
    for line in p.stdout.split(b"\n"):
        if re.search(rb"(WHITESPACE|NEWLINE|EOL|ROOT|BLOCK_SCALAR)@", line):
            continue
        line = re.sub(rb"@\d+\.\.\d+", b"", line).rstrip()
        if b"IR_TEXT " in line:
            # The module in Machine IR is formatted as LLVM IR.
            embedded += re.sub(rb"\\[nr]|\s", b"", line.split(b"IR_TEXT ", 1)[1].strip()[1:-1])
            continue
        if embedded:
            lines, embedded = [*lines, embedded], b""
        lines.append(line.strip() if dialect == "mir" else line)
    return lines


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--wavelens", default="wavelens")
    ap.add_argument("--dialect", choices=EXT, required=True)
    ap.add_argument("--limit", type=int, default=0)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--max-size", type=int, default=1 << 20, help="bytes of the largest file")
    ap.add_argument("--no-trees", action="store_true", help="do not compare syntax trees")
    ap.add_argument("folders", nargs="+")
    a = ap.parse_args()
    files = []
    for folder in a.folders:
        for root, _, names in os.walk(folder):
            files += [os.path.join(root, n) for n in names if n.endswith(EXT[a.dialect])]
    files = sorted(f for f in files if os.path.getsize(f) <= a.max_size)
    if a.limit and len(files) > a.limit:
        files = sorted(random.Random(a.seed).sample(files, a.limit))
    figures = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(files), BATCH):
            batch(a, files[start : start + BATCH], folder, figures)
    print(f"{a.dialect}: " + ", ".join(f"{name} {n}" for name, n in sorted(figures.items())))
    sys.exit(1 if any(name.startswith("different") for name in figures) else 0)


def batch(a, files, folder, figures):
    copies = []
    for number, path in enumerate(files):
        copy = os.path.join(folder, str(number), os.path.basename(path))
        shutil.rmtree(os.path.dirname(copy), ignore_errors=True)
        os.makedirs(os.path.dirname(copy))
        shutil.copyfile(path, copy)
        copies.append(copy)
    if a.dialect == "amdgpu":
        # Included files are next to them.
        befores = [answer(a.dialect, path, open(path, "rb").read()) for path in files]
    else:
        befores = [answer(a.dialect, copy, open(copy, "rb").read()) for copy in copies]
    trees = [None if a.no_trees else tree(a.wavelens, a.dialect, copy) for copy in copies]
    originals = [open(copy, "rb").read() for copy in copies]
    done = run([a.wavelens, "fmt", "--quiet", "--dialect", a.dialect, *copies])
    if done.returncode not in (0, 1):
        print("fmt:", done.stderr.decode("utf-8", "replace")[:300])
    again = run([a.wavelens, "fmt", "--quiet", "--check", "--dialect", a.dialect, *copies])
    unstable = again.stdout.decode("utf-8", "replace")
    for path, copy, before, old, original in zip(files, copies, befores, trees, originals):
        text = open(copy, "rb").read()
        figures["files"] += 1
        figures["formatted"] += text != original
        figures["accepted"] += before[0]
        if copy in unstable:
            figures["different when formatted again"] += 1
            print("again:", path)
        if old is not None and text != original and tree(a.wavelens, a.dialect, copy) != old:
            figures["different trees"] += 1
            print("tree:", path)
        if text == original:
            continue
        if a.dialect == "amdgpu":
            after_path = os.path.join(os.path.dirname(copy), "formatted.s")
            shutil.copyfile(copy, after_path)
            after = answer(a.dialect, after_path, text, os.path.dirname(path))
        else:
            after = answer(a.dialect, copy, text)
        if after != before:
            figures["different answers"] += 1
            print("answer:", path, before[0], after[0])


if __name__ == "__main__":
    main()
