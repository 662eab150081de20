#!/usr/bin/env python3
"""Compares the findings of `wavelens check` with those of LLVM's pass `lint`, instruction by instruction.

usage: linted.py PATH.. [--wavelens wavelens] [--opt opt-22] [--damage N] [--seed 1] [--show 20]

Each file is printed by `opt -S` first, so that the pass shows instructions as the text has them. Counted: findings of the pass, those with a
finding of wavelens on the same line, and what wavelens reports on other lines, by code. `--damage N` adds N functions, each with one
instruction that is undefined, made of templates with random types, sizes and numbers.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import tempfile

CODES = {
    "abi-attribute-mismatch", "alloca-outside-entry", "attribute-violated", "call-mismatch", "code-access", "division-by-zero",
    "invalid-dereference", "memory-effect", "misaligned-access", "noalias-overlap", "noreturn-returns", "out-of-bounds", "poison-result",
    "returned-alloca", "store-to-constant", "tail-call-alloca", "undefined-branch", "undefined-result", "unnamed-function",
    "unreachable-after", "use-after-lifetime",
}
HEADER = """@g = global [4 x i32] zeroinitializer, align 4
@c = constant i32 1
declare void @two(ptr noalias, ptr)
declare void @one(ptr)
declare i32 @value(i32)
declare void @sret(ptr sret(i64))
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.va_end.p0(ptr)
define fastcc void @fast() {
  ret void
}
"""


def damaged(rng, number):
    """A function with one undefined instruction, and some that are not."""
    bits = rng.choice([8, 16, 32, 64])
    ty, lanes, name = f"i{bits}", rng.choice([2, 4, 8]), f"f{number}"
    over = bits + rng.randrange(0, 9)
    shift = rng.choice(["shl", "lshr", "ashr"])
    div = rng.choice(["udiv", "sdiv", "urem", "srem"])
    pointer = rng.choice(["null", "undef", "inttoptr (i64 -1 to ptr)", "getelementptr inbounds (i8, ptr null, i64 8)"])
    bodies = [
        f"  %r = {shift} {ty} %x, {over}\n  ret void",
        f"  %r = {div} {ty} %x, 0\n  ret void",
        f"  %z = sub {ty} %x, %x\n  %r = {div} {ty} 7, %z\n  ret void",
        f"  %r = {div} <2 x {ty}> <{ty} 1, {ty} 2>, <{ty} 1, {ty} 0>\n  ret void",
        f"  %r = {rng.choice(['xor', 'sub'])} {ty} undef, undef\n  ret void",
        f"  %r = load {ty}, ptr {pointer}\n  ret void",
        f"  store {ty} %x, ptr {pointer}\n  ret void",
        f"  %s = alloca ptr\n  store ptr {pointer}, ptr %s\n  %q = load ptr, ptr %s\n  store {ty} %x, ptr %q\n  ret void",
        f"  call void {rng.choice(['null', 'undef'])}()\n  ret void",
        "  store i32 0, ptr @c\n  ret void",
        "  store i32 0, ptr @fast\n  ret void",
        f"  %r = load {ty}, ptr @fast\n  ret void",
        f"  %a = alloca {ty}\n  %q = getelementptr i8, ptr %a, i64 {bits // 8}\n  store i8 0, ptr %q\n  ret void",
        f"  %a = alloca [{lanes} x {ty}]\n  %q = getelementptr [{lanes} x {ty}], ptr %a, i64 0, i64 {lanes}\n  %r = load {ty}, ptr %q\n  ret void",
        "  %q = getelementptr i8, ptr @g, i64 -4\n  %r = load i32, ptr %q\n  ret void",
        f"  %a = alloca {ty}, align {bits // 8}\n  store {ty} %x, ptr %a, align {bits // 8 * 2 ** rng.randrange(1, 3)}\n  ret void",
        "  %q = getelementptr i8, ptr @g, i64 4\n  %r = load i32, ptr %q, align 8\n  ret void",
        "  call void @llvm.memset.p0.i64(ptr @g, i8 0, i64 17, i1 false)\n  ret void",
        "  call void @llvm.memcpy.p0.p0.i64(ptr null, ptr @g, i64 4, i1 false)\n  ret void",
        "  call void @llvm.memcpy.p0.p0.i64(ptr @g, ptr @c, i64 8, i1 false)\n  ret void",
        "  call void @llvm.va_end.p0(ptr null)\n  ret void",
        "  call void @two(ptr %p, ptr %p)\n  ret void",
        "  %a = alloca i32\n  call void @two(ptr %a, ptr %a)\n  ret void",
        f"  %a = alloca {ty}\n  tail call void @one(ptr %a)\n  ret void",
        "  %a = alloca i32\n  call void @sret(ptr sret(i64) %a)\n  ret void",
        "  call void @fast()\n  ret void",
        "  call void @value(i32 1)\n  ret void",
        "  %r = call i32 @value()\n  ret void",
        "  call void @one(i64 1)\n  ret void",
        f"  %r = extractelement <{lanes} x {ty}> %v, i32 {lanes + rng.randrange(0, 3)}\n  ret void",
        f"  %r = insertelement <{lanes} x {ty}> %v, {ty} %x, i64 {lanes}\n  ret void",
        "  indirectbr ptr %p, []",
        "  indirectbr ptr @g, [label %a]\na:\n  ret void",
        "  br label %a\na:\n  %r = alloca i32\n  ret void",
        f"  %r = add {ty} %x, 1\n  unreachable",
        "  %r = va_arg ptr null, i32\n  ret void",
        "  br i1 %b, label %a, label %n\na:\n  br label %n\nn:\n  %q = phi ptr [ null, %0 ], [ null, %a ]\n  store i8 0, ptr %q\n  ret void",
    ]
    body = rng.choice(bodies)
    attributes = ""
    if rng.random() < 0.03:
        body, attributes = "  ret void", " noreturn"
    text = f"define void @{name}({ty} %x, ptr %p, <{lanes} x {ty}> %v, i1 %b){attributes} {{\n{body}\n}}\n"
    if rng.random() < 0.03:
        text = f"define ptr @{name}() {{\n  %a = alloca i32\n  ret ptr %a\n}}\n"
    return HEADER + text


def files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".ll"))


def lint(opt, path):
    """Message and instruction of each finding of the pass."""
    ran = subprocess.run([opt, "-passes=lint", "-disable-output", path], capture_output=True, text=True, errors="replace")
    found, message = [], None
    for line in ran.stderr.splitlines():
        if re.match(r"(Undefined|Unusual|Pessimization|get_active)", line):
            message = line
        elif message:
            found.append((message, line.strip()))
            message = None
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("paths", nargs="*")
    arguments.add_argument("--wavelens", default="wavelens")
    arguments.add_argument("--opt", default="opt-22")
    arguments.add_argument("--damage", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", type=int, default=20)
    arguments = arguments.parse_args()
    rng = random.Random(arguments.seed)
    totals, other, missed, lines = collections.Counter(), collections.Counter(), [], 0
    extra = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        paths = [(path, path) for path in files(arguments.paths)]
        for number in range(arguments.damage):
            path = os.path.join(folder, f"damage{number}.ll")
            with open(path, "w") as file:
                file.write(damaged(rng, number))
            paths.append((f"damage {number}", path))
        for number, (name, path) in enumerate(paths):
            printed = os.path.join(folder, f"{number}.printed.ll")
            if subprocess.run([arguments.opt, "-S", "-o", printed, path], capture_output=True).returncode != 0:
                continue
            totals["files"] += 1
            text = open(printed, errors="replace").read().splitlines()
            lines += len(text)
            ran = subprocess.run([arguments.wavelens, "check", "--format", "json", printed], capture_output=True, text=True)
            try:
                findings = json.loads(ran.stdout.splitlines()[0])
            except (IndexError, ValueError):
                continue
            found = findings.get("diagnostics") or findings.get("findings") or []
            by_line = collections.defaultdict(list)
            for finding in found:
                if finding["code"] in CODES:
                    at = finding["range"]["start"]["line"] if "range" in finding else finding["line"]
                    by_line[at].append((finding["code"], finding["severity"]))
            # The line numbers of the output are counted from 1.
            content = {at: text[at - 1].strip() if at <= len(text) else "" for at in by_line}
            wanted = set()
            for message, instruction in lint(arguments.opt, printed):
                totals["lint"] += 1
                instruction = re.sub(r", !dbg !\d+.*", "", instruction)
                hit = [at for at, line in content.items() if re.sub(r", !dbg !\d+.*", "", line) == instruction]
                if message.startswith("Unusual: Unnamed"):
                    hit = [at for at, codes in by_line.items() if any(code == "unnamed-function" for code, _ in codes)]
                wanted.update(hit)
                if hit:
                    totals["found"] += 1
                else:
                    missed.append((name, message, instruction))
            for at, codes in by_line.items():
                for code, severity in codes:
                    if at not in wanted:
                        other[code, severity] += 1
                        extra[code].append((name, at, content[at]))
    print(f"{totals['files']} files, {lines} lines: {totals['lint']} findings of the pass, {totals['found']} of them found")
    for name, message, instruction in missed[: arguments.show]:
        print(f"  missed in {name}: {message}: {instruction}")
    for (code, severity), count in sorted(other.items()):
        print(f"  only here: {count} {severity} {code}")
        for name, at, line in extra[code][: arguments.show // 4]:
            print(f"    {name}: {line[:140]}")


if __name__ == "__main__":
    main()
