#!/usr/bin/env python3
"""messages.py PROGRAM [PATH...] [--seed N] [--count N] [--forms]: draws findings at random, each with its line and the notes of other places, for
reading: would a compiler engineer know what to do next? Paths are files, folders, and the catalogues in tests/data, which are split into
their cases; without paths, the catalogues and the pages of codes. Equal messages are drawn once;
with --forms, also those that differ only in what they quote, in numbers and in the lists at their ends."""
import argparse, glob, json, os, random, re, subprocess, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FENCE = re.compile(r"^```(llvm|mir|spirv|asm)\n(.*?)^```$", re.M | re.S)
ENDINGS = {"llvm": "ll", "mir": "mir", "spirv": "spvasm", "asm": "s"}


def cases(path):
    """The texts in a file, each with its ending."""
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    if path.endswith(".md"):
        found = FENCE.search(text)
        return [(found[2], ENDINGS[found[1]])] if found else []
    ending = "spvasm" if path.endswith(".spvasm") else path.rsplit(".", 1)[-1]
    if "; ---- case:" in text:
        return [(case.split("\n", 1)[-1], ending) for case in text.split("; ---- case:")[1:]]
    if ending == "txt":
        bodies = [case.split("\n", 1)[-1].replace("[[", "").replace("]]", "") for case in re.split(r"^== ", text, flags=re.M)[1:]]
        head = "--- \nname: f\ntracksRegLiveness: true\nbody: |\n"
        indent = lambda body: "".join("  " + line + "\n" for line in body.rstrip().split("\n"))
        return [(b if b.startswith("---") else head + indent(b) + "...\n", "mir") for b in bodies]
    return [(text, ending)]


def files(paths):
    for path in paths:
        if os.path.isdir(path):
            yield from sorted(p for p in glob.glob(os.path.join(path, "**", "*.*"), recursive=True) if os.path.isfile(p))
        else:
            yield path


def form(message):
    """The message without what it quotes, names of instructions and processors, numbers, and what only some readers need."""
    message = re.sub(r"`[^`]*`", "`x`", re.split(r"; | on (?:gfx|the generic)| \[VUID| \(RUN", message)[0])
    return re.sub(r"\b(Op[A-Z]|[-\d]|[a-z]+_)[\w.]*", "0", message)


def findings(program, texts):
    """Maps each message to its code, its line, and the lines of other places."""
    drawn = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (text, ending) in enumerate(texts):
            with open(os.path.join(folder, f"{number}.{ending}"), "w", encoding="utf-8") as f:
                f.write(text)
        out = subprocess.run([program, "check", "--quiet", "--pedantic", "--format", "json", folder], capture_output=True, text=True).stdout
        for result in map(json.loads, out.splitlines()):
            with open(result["file"], encoding="utf-8") as f:
                lines = f.read().split("\n")
            for d in result["diagnostics"]:
                line = lambda place: lines[place["line"] - 1] if "file" not in place and place["line"] <= len(lines) else ""
                shown = line(d).encode()
                part = shown[d["column"] - 1 : d["end_column"] - 1 if d["end_line"] == d["line"] else None].decode(errors="replace")
                related = [f"{r['message']}: {line(r).strip()}" for r in d.get("related", [])]
                drawn.setdefault(d["message"], (result["dialect"], d["code"], line(d).strip(), part, related, d.get("help", [])))
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("paths", nargs="*", default=[os.path.join(ROOT, p) for p in ("tests/data", "docs/codes")])
    a = parser.parse_intermixed_args()
    texts = [case for path in files(a.paths) for case in cases(path)]
    found = findings(os.path.abspath(a.program), texts)
    rng = random.Random(a.seed)
    if a.forms:
        shuffled = rng.sample(sorted(found), len(found))
        found = {m: found[m] for m in {form(m): m for m in shuffled}.values()}
    chosen = rng.sample(sorted(found), min(a.count, len(found)))
    for number, message in enumerate(chosen, 1):
        dialect, code, line, part, related, help = found[message]
        print(f"{number:3} {dialect} [{code}] {message}\n      {line[:160]}\n      at: {part[:80]}")
        for note in related + help:
            print(f"      = {note[:160]}")
    print(f"{len(chosen)} of {len(found)} messages, seed {a.seed}")


if __name__ == "__main__":
    main()
