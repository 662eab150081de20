#!/usr/bin/env python3
"""cascades.py PROGRAM FOLDER [--seed N] [--count N] [--worst N] [--misplaced]: damages exactly one word in copies of files without errors, and counts
what a reader meets: errors a file on average, and the share of files whose first error is at the damaged line or at a line that names the damaged
word. --worst prints the variants with the most errors, --misplaced those whose first error is elsewhere."""
import argparse, collections, os, random, re, subprocess, tempfile

WORD = re.compile(r"[%@$!#^.]?[\w.$]+|\"[^\"]*\"")
COMMENT = re.compile(r"\s*(;|//|#\s|$)")
FINDING = re.compile(r"(.*?):(\d+):(\d+): error: (.*) \[([\w-]+)\]$")


def code(line):
    return re.split(r"\s(?:;|//)", line)[0]


def damage(text, rng):
    """The text with one word changed, the word's line (from 1), the word, and what is there instead; None where nothing can be changed."""
    lines = text.split("\n")
    for _ in range(100):
        at = rng.randrange(len(lines))
        words = [] if COMMENT.match(lines[at]) else list(WORD.finditer(code(lines[at])))
        if not words:
            continue
        found = rng.choice(words)
        word, place, kind = found[0], rng.randrange(len(found[0])), rng.randrange(5)
        others = [other for other in WORD.findall(code(rng.choice(lines))) if other != word]
        if kind == 0 and len(word) > 1:  # a letter is lost
            new = word[:place] + word[place + 1 :]
        elif kind == 1:  # a letter is doubled
            new = word[:place] + word[place] + word[place:]
        elif kind == 2:  # a letter is another one
            new = word[:place] + rng.choice("abcdefgxyz0123456789") + word[place + 1 :]
        elif kind == 3 and others:  # a word of another line
            new = rng.choice(others)
        else:  # nothing
            new = ""
        if new != word:
            lines[at] = lines[at][: found.start()] + new + lines[at][found.end() :]
            return "\n".join(lines), at + 1, word, new
    return None


def errors(program, folder):
    """The errors of each file in a folder, as line and text, in order."""
    found = collections.defaultdict(list)
    command = [program, "check", "--quiet", "--format", "concise", folder]
    for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
        if m := FINDING.match(line):
            found[m[1]].append((int(m[2]), f"{m[2]}:{m[3]} {m[4]} [{m[5]}]"))
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("program")
    p.add_argument("folder")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=500)
    p.add_argument("--worst", type=int, default=10)
    p.add_argument("--misplaced", action="store_true")
    a = p.parse_args()
    rng = random.Random(a.seed)
    wrong = errors(a.program, a.folder)
    files = [os.path.join(a.folder, name) for name in sorted(os.listdir(a.folder))]
    files = [path for path in files if path not in wrong]
    with tempfile.TemporaryDirectory() as out:
        variants = {}
        for number in range(a.count):
            source = rng.choice(files)
            with open(source, errors="replace") as f:
                made = damage(f.read(), rng)
            if made:
                path = os.path.join(out, f"{number:05}_{os.path.basename(source)}")
                with open(path, "w") as f:
                    f.write(made[0])
                variants[path] = made
        found = errors(a.program, out)

        def is_misplaced(path):
            text, line, word, new = variants[path]
            first = found[path][0][0]
            names = [name for name in (w.strip('%@$!#^"') for w in (word, new)) if name]
            return first != line and not any(name in text.split("\n")[first - 1] for name in names)

        def show(path):
            text, line, word, new = variants[path]
            lines = text.split("\n")
            print(f"\n{os.path.basename(path)}:{line}: `{word}` is `{new}`: {lines[line - 1].strip()[:120]}")
            for at, message in found[path][:7]:
                print(f"    {message[:150]} | {lines[at - 1].strip()[:60]}")
            if len(found[path]) > 7:
                print(f"    {len(found[path])} in all")

        total, misplaced = sum(map(len, found.values())), [path for path in found if is_misplaced(path)]
        share = 100 * (1 - len(misplaced) / max(len(found), 1))
        print(f"{len(variants)} variants of {len(files)} files, {len(found)} with errors")
        print(f"{total / max(len(found), 1):.2f} errors a file; the first one is at the damage in {share:.1f} %")
        for path in sorted(found, key=lambda path: -len(found[path]))[: a.worst]:
            show(path)
        if a.misplaced:
            print("\nThe first error is elsewhere:")
            for path in misplaced:
                show(path)


if __name__ == "__main__":
    main()
