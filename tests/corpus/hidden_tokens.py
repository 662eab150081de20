#!/usr/bin/env python3
"""hidden_tokens.py PROGRAM FOLDER [--count N] [--seed S] [--typing] [--missed N]: hides one word at a time in files without errors, asks for
completion in its place, and counts how often the word is among the first ten proposals. Words are mnemonics, keywords, types, registers and names
that are used; not what a line defines, numbers, strings and comments. With --typing the rest of the line is not there yet."""
import argparse, collections, os, pathlib, random, re, subprocess

from language_server import LANGUAGES, Server

WORD = re.compile(r"[%@$!#^.]?[A-Za-z_][\w.$]*(?:(?<=implicit)-def)?|[%@$!#^]\d+|\"[^\"]*\"")
MIR_WORD = re.compile(r"[a-z]+(?:-[a-z]+)+\b|" + WORD.pattern)
COMMENT = re.compile(r";|//|(?<!\S)#(?!\d)|/\*")
DEFINITION = re.compile(r"\s*(\"[^\"]*\"|[%@!^]?[\w.$-]+)(?::[\w.()]+)?\s*(?:=(?!=)|:(?!\S))")


def places(text, suffix):
    """Lines and spans of the words that may be hidden."""
    if suffix == ".spvasm":  # texts may go over several lines
        text = re.sub(r';[^\n]*|"(?:[^"\\]|\\.)*"', lambda text: re.sub(r"[^\n\"]", " ", text[0]), text)
    pattern = MIR_WORD if suffix == ".mir" else WORD
    for number, line in enumerate(text.split("\n")):
        comment = COMMENT.search(re.sub(r"\"[^\"]*\"", lambda s: "x" * len(s[0]), line))
        end = comment.start() if comment else len(line)
        defined = DEFINITION.match(line)
        for word in pattern.finditer(line, 0, end):
            is_text = word[0].startswith('"') or re.fullmatch(r"0x\w+|e\d+", word[0]) or (word.start() and re.match(r"[\w.$\"]", line[word.start() - 1]))
            is_definition = defined and word.start() < defined.end(1) or re.match(r"\s*(define|declare)\b", line) and word[0].startswith("@")
            is_name = re.match(r"\s*(\.set\s+\S|attributes\s+#|name:)", line) is not None or re.match(r"\s*(define|declare)\b", line) and word[0].startswith("%")
            is_separator = word[0] == "x" and re.search(r"\d $", line[: word.start()])
            if not is_text and not is_definition and not is_name and not is_separator:
                yield number, word.start(), word.end()


def proposals(result):
    items = result.get("items", []) if isinstance(result, dict) else result or []
    return sorted(items, key=lambda item: (not item.get("preselect", False), item.get("sortText", item["label"])))


def spelled(item):
    """What an item would write, without the placeholders of a snippet."""
    text = item.get("textEdit", {}).get("newText") or item.get("insertText") or item["label"]
    return re.sub(r"\$\{?\d.*", "", text) if item.get("insertTextFormat") == 2 else text


def is_found(word, item):
    return any(re.match(re.escape(word) + r"(?![\w.$])", text) for text in (spelled(item).lstrip(), item["label"]))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("program")
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=300)
    p.add_argument("--typing", action="store_true")
    p.add_argument("--sigil", action="store_true", help="the sigil of a name is written already")
    p.add_argument("--missed", type=int, default=0, help="show that many of the words that were not found")
    args = p.parse_args()
    rng = random.Random(args.seed)
    files = sorted(f for f in args.folder.rglob("*") if f.suffix in LANGUAGES and f.stat().st_size < 400_000)
    rng.shuffle(files)
    capabilities = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}
    server, found, missed = Server(args.program, capabilities), collections.Counter(), []
    while files and sum(found.values()) < args.count:
        path = files[sum(found.values()) % len(files)]
        text = path.read_text(errors="replace")
        candidates = list(places(text, path.suffix))
        check = subprocess.run([args.program, "check", "--quiet", str(path)], capture_output=True)
        if not candidates or check.returncode != 0:
            files.remove(path)
            continue
        number, start, end = rng.choice(candidates)
        lines = text.split("\n")
        word = lines[number][start:end]
        line = lines[number]
        start += args.sigil and word[0] in "%@$!#"
        lines[number] = line[:start] + ("" if args.typing else line[end:])
        document = {"uri": path.resolve().as_uri(), "languageId": LANGUAGES[path.suffix], "version": 1, "text": "\n".join(lines)}
        server.notify("textDocument/didOpen", {"textDocument": document})
        position = {"line": number, "character": len(line[:start].encode("utf-16-le")) // 2}
        items = proposals(server.request("textDocument/completion", {"textDocument": {"uri": document["uri"]}, "position": position}))
        server.notify("textDocument/didClose", {"textDocument": {"uri": document["uri"]}})
        hit = any(is_found(word, item) for item in items[:10])
        found[hit] += 1
        if not hit:
            rank = next((n for n, item in enumerate(items) if is_found(word, item)), None)
            missed.append(f"{os.path.basename(path)}:{number + 1}: {line[:start]}>>{word}<<{line[end:]}\n    rank {rank} of {len(items)}: {' | '.join(i['label'] for i in items[:10])}")
    for each in missed[: args.missed]:
        print(each)
    total = sum(found.values())
    print(f"{found[True]} of {total} words are among the first ten proposals ({100 * found[True] / max(total, 1):.0f} %)")


if __name__ == "__main__":
    main()
