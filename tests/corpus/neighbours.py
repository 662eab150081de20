#!/usr/bin/env python3
"""neighbours.py PROGRAM FOLDER [--seconds N] [--only WORD]: for each file of the folder, opens it next to a good document, edits it again and again,
and measures how long the good one waits: for hovers, and for the findings of its own edits. Prints each file with which a hover took over 100 ms in
the 95th percentile, or findings over a second. `cargo xtask growth --write FOLDER --largest 1000` makes a folder of hostile texts."""
import argparse, pathlib, statistics, time

from language_server import LANGUAGES, Server

GOOD = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n" + "".join(
    f"define i32 @g{n}(i32 %a) {{\n  %b = call i32 @f(i32 %a)\n  ret i32 %b\n}}\n" for n in range(200)
)


def timed(action):
    """Seconds that it takes to get something; a minute if there is nothing."""
    start = time.perf_counter()
    return time.perf_counter() - start if action() is not None else 60.0


def findings_of(uri, version):
    def wanted(message):
        params = message.get("params", {})
        is_findings = message.get("method") == "textDocument/publishDiagnostics"
        return is_findings and params["uri"] == uri and (params.get("version") or 0) >= version

    return wanted


def edit(server, uri, version, line, text, end):
    place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": end}}
    server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": place, "text": text}]})


def measure(program, path, seconds):
    """Seconds of hovers, and of findings."""
    server = Server(program, options={"diagnosticsDebounceMs": 0})
    good, bad = "file:///t/good.ll", f"file:///t/bad{path.suffix}"
    opened = {"uri": good, "languageId": "llvm", "version": 1, "text": GOOD}
    server.notify("textDocument/didOpen", {"textDocument": opened})
    server.wait(findings_of(good, 1))
    text = path.read_text(errors="replace")
    server.notify("textDocument/didOpen", {"textDocument": {"uri": bad, "languageId": LANGUAGES[path.suffix], "version": 1, "text": text}})
    hovers, findings, version, own = [], [], 1, 1
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        version += 1
        edit(server, bad, version, 0, " " if version % 2 == 0 else "", 0 if version % 2 == 0 else 1)
        at = {"textDocument": {"uri": good}, "position": {"line": 1, "character": 14}}
        hovers.append(timed(lambda: server.request("textDocument/hover", at, 60)))
        if version % 5 == 0:
            own += 1
            edit(server, good, own, 2, " " if own % 2 == 0 else "", 0 if own % 2 == 0 else 1)
            findings.append(timed(lambda: server.wait(findings_of(good, own), 60)))
        time.sleep(0.03)
    server.process.kill()
    return hovers, findings


def percentile(values):
    return sorted(values)[int(0.95 * (len(values) - 1))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.folder.iterdir() if path.suffix in LANGUAGES and arguments.only in path.name)
    slow, all_hovers, all_findings = 0, [], []
    for path in paths:
        hovers, findings = measure(arguments.program, path, arguments.seconds)
        all_hovers.append(percentile(hovers))
        all_findings.append(max(findings, default=0))
        if all_hovers[-1] > 0.1 or all_findings[-1] > 1:
            slow += 1
            print(f"{path.name}: hover {1000 * all_hovers[-1]:.0f} ms, findings {1000 * all_findings[-1]:.0f} ms", flush=True)
    show = lambda values: f"median {1000 * statistics.median(values):.0f}, largest {1000 * max(values):.0f} ms"
    print(f"{len(paths)} neighbours, {slow} over the bounds; hover p95: {show(all_hovers)}; findings: {show(all_findings)}")


if __name__ == "__main__":
    main()
