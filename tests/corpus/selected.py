#!/usr/bin/env python3
"""Whether the warnings about what AMDGPU's code generation refuses agree with llc.

    selected.py own DIR [--wavelens PROGRAM]                 warnings about LLVM's tests that llc compiles and that link: false ones
    selected.py pairs DIR OUT [--count N] [--seed S]         run llc for other processors than a test's own, one JSON line each
    selected.py judge OUT [--wavelens PROGRAM]               how many of the pairs that llc refuses have a warning, and which do not

DIR is `llvm/test/CodeGen/AMDGPU` of an LLVM source tree. A pair is a RUN line that compiles to the end, with another processor. Its text
has a debug location for each instruction (`opt -passes=debugify`), so that llc names the one that it refuses; a warning counts at that
instruction, or at the function where llc names no more. `--tools -22 --level 22` chooses LLVM's programs.
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
import tempfile

PROCESSORS = "tahiti bonaire fiji gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1012 gfx1030 gfx1100 gfx1150 gfx1200 gfx1250".split()
CODES = {
    "asm-constraint", "asm-instruction", "asm-operand", "pass-intrinsic", "target-attribute", "target-convention", "target-intrinsic",
    "target-operation", "target-variable", "unknown-intrinsic",
}


def llc_lines(path):
    """The options of each `llc` that compiles the file to the end."""
    text = open(path, encoding="utf-8", errors="replace").read()
    joined = re.sub(r"\\\n\s*;\s*RUN:\s*", " ", text)
    for command in re.findall(r"^;\s*RUN:\s*(.*)$", joined, re.M):
        first = command.split("|")[0].strip()
        if not first.startswith("llc ") or "stop-" in first or "-run-pass" in first or "%t" in first:
            continue
        try:
            words = shlex.split(re.sub(r"\d?>&?\s*\S+|<\s*\S+|%s", " ", first))[1:]
        except ValueError:
            continue
        yield [w for i, w in enumerate(words) if w != "-" and not w.startswith("-o") and (i == 0 or words[i - 1] != "-o")]


def tool(name, tools):
    """A program of LLVM: with a suffix, or in a folder."""
    return name + tools if tools.startswith("-") else f"{tools}/{name}"


def compile(job):
    path, options, tools = job
    with tempfile.TemporaryDirectory() as folder:
        command = [tool("llc", tools), "-disable-symbolication", *options, "-o", "/dev/null", path]
        try:
            done = subprocess.run(command, stderr=subprocess.PIPE, timeout=30, cwd=folder, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return None
    # LLVM 24 warns of triples without a processor, and says that this will be an error.
    said = [line for line in done.stderr.splitlines() if not line.startswith("warning: codegen with no subarch")]
    lines = [line for line in said if re.search(r"error|ERROR|UNREACHABLE|not supported|Bad machine code", line)]
    # An option of another version, or a test in several parts.
    if re.search("Broken module|Unknown command line|ositional arguments|input module cannot be|expected|Cannot find option", done.stderr):
        return None
    return {"file": path, "options": options, "code": done.returncode, "reason": (lines or said or [""])[0][:300], **place(lines, done.stderr)}


def is_usable(path, options, tools):
    """Whether what llc writes becomes an object file with instructions of the processor, all functions, and no references to intrinsics."""
    options = [o for o in options if not re.match(r"-?-filetype=", o)]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.o")
        command = [tool("llc", tools), "-disable-symbolication", *options, "-filetype=obj", "-o", out, path]
        try:
            done = subprocess.run(command, stderr=subprocess.PIPE, timeout=60, cwd=folder, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return True
        # What llc does not know it leaves out.
        if done.returncode or "error:" in done.stderr or "is not a recognized" in done.stderr:
            return False
        names = subprocess.run([tool("llvm-nm", "-22"), "--undefined-only", out], capture_output=True, text=True).stdout
        code = subprocess.run([tool("llvm-objdump", tools), "-d", out], capture_output=True, text=True).stdout
        written = re.findall(r"^define .*?@\"?([\w.$]+)", open(path, encoding="utf-8", errors="replace").read(), re.M)
        has_all = all(f"<{name}>:" in code for name in written)
        return has_all and " llvm." not in names and "\t.long 0x" not in code


def place(lines, said):
    """The number of the instruction that llc refuses in a text with a debug location for each, and its function."""
    first = lines[0] if lines and "in function" not in lines[0].split("(in function")[0] else ""
    at = re.search(r"\.ll:(\d+):1\b", first)
    # Without a place, llc names none; a crash that follows is another function's.
    is_placed = first or not re.search("could not allocate", (lines or [""])[0])
    function = is_placed and re.search(r"[Ii]n function:? '?([\w.$]+)|on function '@([\w.$]+)'|in function ([\w.$]+)", said)
    return {"at": at and int(at[1]), "function": function and next(filter(None, function.groups()))}


def located(job):
    """A pair; if llc refuses it, with the place that llc names: GlobalISel names it in a remark."""
    path, options, tools, folder, number = job
    plain = compile((path, options, tools))
    if plain is None or plain["code"] == 0:
        return plain and {**plain, "test": path}
    text = os.path.join(folder, f"{number}.ll")
    opt = [tool("opt", tools), "-passes=debugify", "-debugify-level=locations", "-S", "-o", text, path]
    if subprocess.run(opt, stderr=subprocess.DEVNULL).returncode:
        return None
    result = compile((text, options, tools))
    if result and result["code"] and not result["at"] and "legalize" in result["reason"] + "select":
        remark = compile((text, [*options, "-global-isel-abort=2", "-pass-remarks-missed=gisel.*"], tools))
        result["at"] = remark and "able to" in remark["reason"] and remark["at"] or None
    return result and {**result, "test": path}


def tests(folder):
    for parent, _, names in sorted(os.walk(folder)):
        yield from (os.path.join(parent, name) for name in sorted(names) if name.endswith(".ll"))


def findings(program, paths, level="22"):
    done = subprocess.run([program, "check", "--format=json", "--llvm-level", level, *paths], capture_output=True, text=True)
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        yield answer, [
            f for f in answer.get("findings", answer.get("diagnostics", [])) if f["code"] in CODES and f["severity"] != "hint"
        ]


def own(args):
    count = files = 0
    for answer, found in findings(args.wavelens, [args.dir], args.level):
        files += 1
        if found:
            path = answer.get("path") or answer.get("file")
            lines = list(llc_lines(path))
            results = [compile((path, options, args.tools)) for options in lines]
            if not results or any(result and result["code"] for result in results):
                continue
            if not all(is_usable(path, options, args.tools) for options in lines):
                continue
            for f in found:
                count += 1
                print(f["code"], os.path.relpath(path, args.dir), f.get("line"), f["message"], sep="\t")
    print(f"{files} files, {count} warnings where llc compiles")


def pairs(args):
    choice = random.Random(args.seed)
    lines = [(path, options) for path in tests(args.dir) if os.path.getsize(path) < args.bytes for options in llc_lines(path)]
    jobs, folder = [], os.path.abspath(args.out) + ".d"
    os.makedirs(folder, exist_ok=True)
    for path, options in choice.sample(lines, min(args.count, len(lines))):
        # A triple of LLVM 24 names the processor.
        options = [re.sub(r"(-mtriple=amdg)pu[\d.]+\w*", r"\1cn", o) for o in options]
        if "amdgcn" in " ".join(options):
            rest = [o for o in options if not re.match(r"-?-(mcpu|mattr)=", o)]
            jobs.append((path, [*rest, "-mcpu=" + choice.choice(PROCESSORS)], args.tools, folder, len(jobs)))
    with concurrent.futures.ThreadPoolExecutor(2) as pool, open(args.out, "w") as out:
        for result in filter(None, pool.map(located, jobs)):
            out.write(json.dumps(result) + "\n")


def places(text):
    """The number of the instruction and the function on each line of a text that `debugify` wrote."""
    numbers = {node: int(line) for node, line in re.findall(r"^(!\d+) = !DILocation\(line: (\d+)", text, re.M)}
    found, function = {}, None
    for row, line in enumerate(text.split("\n"), 1):
        if name := re.match(r"define .*?@\"?([\w.$]+)", line):
            function = name[1]
        elif line == "}":
            function = None
        at = re.search(r"!dbg (!\d+)", line)
        found[row] = (numbers.get(at[1]) if at else None, function)
    return found


def judge(args):
    results = [json.loads(line) for line in open(args.out)]
    missed, examples, hits, elsewhere, false, unusable = collections.Counter(), {}, 0, 0, 0, 0
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, result in enumerate(results):
            text = open(result["file"], encoding="utf-8", errors="replace").read()
            # The pair's RUN line takes the place of the test's.
            texts[number] = f"; RUN: llc {' '.join(result['options'])} < %s\n" + text.replace("RUN:", "X:")
            open(os.path.join(folder, f"{number}.ll"), "w").write(texts[number])
        found = {int(os.path.basename(a.get("path") or a.get("file"))[:-3]): f for a, f in findings(args.wavelens, [folder], args.level)}
    for number, result in enumerate(results):
        name = (os.path.basename(result["test"]), " ".join(result["options"]))
        own = found.get(number, [])
        where = places(texts[number]) if own and result["code"] else {}
        rows = [where[f["line"]] for f in own] if where else []
        is_right = any(at == result["at"] if at and result["at"] else function in (None, result["function"]) or not result["function"] for at, function in rows)
        if result["code"] == 0:
            if own and not is_usable(result["file"], result["options"], args.tools):
                unusable += len(own)
                continue
            for f in own:
                false += 1
                print("false:", f["code"], *name, f.get("line"), f["message"], sep="\t")
        elif is_right:
            hits += 1
        else:
            elsewhere += bool(own)
            reason = result["reason"].split("LLVM ERROR:")[-1]
            kind = re.sub(r"0x[0-9a-f]+|t\d+|:\d+:\d+|%\S+|\d+", "#", reason)[:70]
            missed[kind] += 1
            shown = f"[{result['at']} {result['function']}]" + " elsewhere: " * bool(own) + "; ".join(f["message"] for f in own[:1])
            examples.setdefault(kind, []).append((str(number), *name, reason[:200], shown))
    refused = sum(1 for result in results if result["code"])
    print(f"{len(results)} pairs: {false} false warnings, {unusable} about what does not assemble or link; {refused} refused, {hits} of them with a warning there, {elsewhere} with one elsewhere")
    for kind, count in missed.most_common():
        for example in examples[kind][:3]:
            print(count, *example, sep="\t")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, places in (("own", ["dir"]), ("pairs", ["dir", "out"]), ("judge", ["out"])):
        command = commands.add_parser(name)
        for place in places:
            command.add_argument(place)
        command.add_argument("--wavelens", default="wavelens")
        command.add_argument("--count", type=int, default=1000)
        command.add_argument("--seed", type=int, default=1)
        command.add_argument("--bytes", type=int, default=1 << 30, help="no larger tests")
        command.add_argument("--tools", default="-22")
        command.add_argument("--level", default="22")
    args = parser.parse_args()
    {"own": own, "pairs": pairs, "judge": judge}[args.command](args)


if __name__ == "__main__":
    main()
