#!/usr/bin/env python3
"""Removes or weakens one wait at a time from what `si-insert-waitcnts` made, and lets that pass and `missing-wait` judge the same code.

usage: judged_waits.py FILE.ll.. --cpu gfx942 [--wavelens wavelens] [--llc llc-22] [--each 12] [--seed 1] [--flags "--amdgpu-..."] [--keep DIR]

Each file has one function. The pass runs a second time on Machine IR with one wait less: what it inserts is what is missing. The same Machine
IR is compiled to assembly and checked; `check --fix` repairs it. All variants of a function are functions of one file. Printed are waits
that are missing and not reported ("missed"), reported ones that LLVM does not insert ("alarm"), proposals that are weaker than LLVM's or
leave out a counter ("weaker", "fewer"), findings in unchanged code and those that stay after the fix. Ends with 1 if there is any. LLVM also asks for
waits that nothing needs: of those that are not reported, `open_waits.py` proves for `xcnt`, `vm_vsrc` and `va_vdst` that nothing is left open. It is asked
about reported ones too, where that is rare: LLVM and `check` then agree on a wait that is not needed.
"""
import argparse
import collections
import concurrent.futures
import difflib
import os
import random
import re
import subprocess
import sys
import tempfile

from open_waits import leaves_nothing_open
from repaired_waits import check, counters

BATCH = 200
CODES = ("missing-wait", "missing-alu-wait", "lds-copy-wait", "barrier-wait", "overwritten-load")
# S_WAITCNT's fields by generation: counter, lowest bits, number of bits, higher bits.
FIELDS = {
    "old": {"vmcnt": [(0, 4)], "expcnt": [(4, 3)], "lgkmcnt": [(8, 4)]},
    "gfx9": {"vmcnt": [(0, 4), (14, 2)], "expcnt": [(4, 3)], "lgkmcnt": [(8, 4)]},
    "gfx10": {"vmcnt": [(0, 4), (14, 2)], "expcnt": [(4, 3)], "lgkmcnt": [(8, 6)]},
    "gfx11": {"vmcnt": [(10, 6)], "expcnt": [(0, 3)], "lgkmcnt": [(4, 6)]},
}
# Of S_WAITCNT_DEPCTR, those that the pass inserts: in expert scheduling mode.
DEPCTR = {"va_vdst": [(12, 4)], "vm_vsrc": [(2, 3)]}
WAIT = re.compile(r"^\s+S_WAIT(CNT|CNT_VSCNT|CNT_DEPCTR|CNT_VMCNT|CNT_LGKMCNT|CNT_EXPCNT|_\w+CNT(?:_\w+CNT)?)(_soft|_gfx\w+|_vi|_si)? (.*)$")
# LLVM 24 names the counters: `.Vmcnt_3_Lgkmcnt_0`, `.VaVdst_0`.
NAMED = {"Vmcnt": "vmcnt", "Expcnt": "expcnt", "Lgkmcnt": "lgkmcnt", "VaVdst": "va_vdst", "VmVsrc": "vm_vsrc"}
# What the pass writes at the start of a function, each time it runs.
ENTRY = re.compile(r"^\s+(S_SETREG_IMM32_B32 (1, 1601|2, 2074),|\$sgpr64_sgpr65 = S_MOV_B64 0|V_NOP_e32|GLOBAL_PREFETCH_B8_SADDR \$sgpr64_)")
# The operand with the number, whatever precedes and follows it.
NUMBER = re.compile(r"(?<![\w$%.!])(\d+)(?![\w.])")


def generation(cpu):
    major = int(cpu[3:-2])
    return "old" if major < 9 else f"gfx{major}" if major < 12 else "gfx12"


def mir_counters(line, cpu):
    """What a line of Machine IR waits for: counter to number."""
    match = WAIT.match(line)
    if match and match[3].startswith("."):
        return {NAMED[name]: int(number) for name, number in re.findall(r"([A-Za-z]+)_(\d+)", match[3]) if name in NAMED}
    found = re.search(NUMBER, match[3]) if match else None
    if not found:
        return {}
    name, number = match[1], int(found[1])
    if name in ("CNT", "CNT_DEPCTR"):
        fields = DEPCTR if name == "CNT_DEPCTR" else FIELDS.get(generation(cpu), {})
        found = {}
        for counter, parts in fields.items():
            value = shift = most = 0
            for low, bits in parts:
                value |= (number >> low & (1 << bits) - 1) << shift
                most |= ((1 << bits) - 1) << shift
                shift += bits
            if value != most:
                found[counter] = value
        return found
    if name == "CNT_VSCNT":
        return {"vscnt": number}
    name = name.lower()
    if name in ("_loadcnt_dscnt", "_storecnt_dscnt"):
        return {name.split("_")[1]: number >> 8, "dscnt": number & 255}
    return {re.sub("^_|^cnt_", "", name): number}


def encoded(line, cpu, changed):
    """A line with the number of one counter changed, or None."""
    match = WAIT.match(line)
    (counter, value), = changed.items()
    start, end = match.span(3)
    if match[3].startswith("."):
        named = next(name for name in NAMED if NAMED[name] == counter)
        return line[:start] + re.sub(rf"{named}_\d+", f"{named}_{value}", match[3])
    name, number = match[1], int(re.search(NUMBER, match[3])[1])
    new = number
    if name in ("CNT", "CNT_DEPCTR"):
        fields = DEPCTR if name == "CNT_DEPCTR" else FIELDS[generation(cpu)]
        for low, bits in fields[counter]:
            new = new & ~(((1 << bits) - 1) << low) | (value & (1 << bits) - 1) << low
            value >>= bits
    elif "CNT_" in name and "cnt_" not in name.lower().strip("_").replace("vscnt", "") and name != "CNT_VSCNT":
        new = value << 8 | number & 255 if not counter.startswith("ds") else number & ~255 | value
    else:
        new = value
    return line[:start] + re.sub(NUMBER, str(new), match[3], count=1)


def conventions(lines, cpu):
    """Waits that the calling convention asks for: at the entry of a function that is not a kernel, before calls and
    returns. LLVM also waits for all after each access to GWS, before invalidations and, before gfx90a and gfx10, before barriers."""
    found, is_entry = set(), False
    for at, line in enumerate(lines):
        if line.startswith("body:") or re.match(r"\s+body:", line):
            is_entry = True
        elif WAIT.match(line):
            after = next((l for l in lines[at + 1 :] if not WAIT.match(l)), "")
            last = next((l for l in reversed(lines[:at]) if not WAIT.match(l)), "")
            if is_entry or re.search(r"\bDS_GWS_", last) or re.search(r"\b(S_SETPC|SI_TCRETURN|SI_CALL|S_SWAPPC|SI_RETURN|S_BARRIER|BUFFER_WBINVL1|BUFFER_GL[01]_INV)", after):
                found.add(at)
        elif is_entry and re.match(r"\s+[$A-Z]", line):
            is_entry = False
    return found


def changes(lines, cpu):
    by_convention = conventions(lines, cpu)
    for at, line in enumerate(lines):
        waits = mir_counters(line, cpu)
        if not waits or at in by_convention:
            continue
        yield at, "removed", []
        for counter in waits:
            most = 63
            if waits[counter] < most and not (counter in ("expcnt",) and waits[counter] >= 6):
                yield at, "weakened", [encoded(line, cpu, {counter: waits[counter] + 1})]


def without_entry(lines):
    """A function's lines without what the pass writes at its start."""
    kept, is_entry = [], True
    for line in lines:
        if is_entry and ENTRY.match(line):
            continue
        is_entry = is_entry and not re.match(r"\s+(\S.* = )?[A-Z][A-Z_0-9]{3}", line)
        kept.append(line)
    return kept


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)


def inserted(before, after, cpu):
    """The waits of one text that the other lacks: counter to the least number, and the lines."""
    if before == after:
        return {}, []
    found, shown = {}, []
    strip = lambda lines: [re.sub(r"\s+", " ", l).strip() for l in lines]
    old, new = strip(before), strip(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    # Lines at both ends are the same: only what is between is compared.
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        had = {}
        for line in before[a1:a2]:
            for counter, number in mir_counters(line, cpu).items():
                had[counter] = min(number, had.get(counter, number))
        for line in after[b1:b2]:
            for counter, number in mir_counters(line, cpu).items():
                if counter not in had or number < had[counter]:
                    found[counter] = min(number, found.get(counter, number))
                    shown.append(line.strip())
    return found, shown


def narrowed(before, after):
    """Both texts without equal lines at their ends."""
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return before[first : len(before) - last], after[first : len(after) - last]


def proposed(findings):
    """What the findings propose: counter to the least number."""
    made = {}
    for finding in findings:
        if finding["code"] not in CODES or finding["code"] == "barrier-wait":
            continue
        for text in re.findall(r"`(s_wait[^`]*)`", finding["message"])[:1]:
            for one in text.split("\n"):
                found = counters(one)
                if one.startswith("s_wait_xcnt"):
                    found = {"xcnt": int(one.split()[1], 0)}
                for counter, number in found.items():
                    made[counter] = min(number, made.get(counter, number))
                for counter, number in re.findall(r"depctr_(\w+)\((\d+)\)", one):
                    made[counter] = min(int(number), made.get(counter, int(number)))
    return made


class Kernel:
    """Machine IR of one function, as text that functions of other names are made of."""

    def __init__(self, text):
        first = text.index("\n---\nname:")
        self.module, self.body = text[:first], text[first + 1 :]
        if self.body.count("\n---\nname:"):
            raise ValueError("more than one function")
        self.name = re.search(r"name:\s+(\S+)", self.body)[1].strip("'\"")
        self.lines = self.body.split("\n")
        start = re.search(rf'^ *define [^\n]*@"?{re.escape(self.name)}"?\(', self.module, re.M)
        end = self.module.index("\n  }\n", start.start()) + 5
        self.before, self.definition, self.after = self.module[: start.start()], self.module[start.start() : end], self.module[end:]

    def variant(self, number, lines):
        """The function's two texts under another name."""
        name = f"variant.{number}"
        rename = lambda text: re.sub(rf'@"?{re.escape(self.name)}"?(?=\()', f'@"{name}"', text, count=1)
        body = re.sub(r"(name:\s+)\S+", rf"\g<1>{name}", "\n".join(lines), count=1)
        return rename(self.definition), body

    def file(self, bodies):
        made = [self.variant(number, lines) for number, lines in enumerate(bodies)]
        return self.before + "\n".join(d for d, _ in made) + self.after + "\n" + "\n".join(b.rstrip("\n").removesuffix("...") + "...\n" for _, b in made)


def functions(text):
    """The lines of each variant in Machine IR."""
    return {int(m[1]): m[0].split("\n") for m in re.finditer(r"^---\nname:\s+variant\.(\d+)\n.*?^\.\.\.$", text, re.M | re.S)}


def by_variant(path, findings):
    """Findings of a file of assembly by variant."""
    found, number, at = collections.defaultdict(list), None, {}
    with open(path, encoding="utf-8") as file:
        for line_number, line in enumerate(file, 1):
            label = re.match(r'"?variant\.(\d+)"?:', line)
            number = int(label[1]) if label else number
            at[line_number] = number
    for finding in findings:
        found[at.get(finding["line"])].append(finding)
    return found


def texts_by_variant(path):
    """Lines of assembly by variant."""
    texts, number = collections.defaultdict(list), None
    with open(path, encoding="utf-8") as file:
        for line in file:
            label = re.match(r'"?variant\.(\d+)"?:', line)
            number = int(label[1]) if label else None if line.startswith((".Lfunc_end", "\t.section")) else number
            if not label:
                texts[number].append(line)
    return texts


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", nargs="+")
    ap.add_argument("--cpu", required=True)
    ap.add_argument("--wavelens", default="wavelens")
    ap.add_argument("--llc", default="llc-22")
    ap.add_argument("--each", type=int, default=12, help="variants of a function")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--flags", default="")
    ap.add_argument("--keep")
    a = ap.parse_args()
    total = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = a.keep or temporary
        os.makedirs(folder, exist_ok=True)
        is_bad = judge(a, folder, total)
    for (kind, word), count in sorted(total.items()):
        print(f"{kind}, {word}: {count}")
    return 1 if is_bad else 0


def prepare(a, folder, path):
    """Variants of a file's function: name of the assembly, changes, and what the pass inserts into each. The first one is unchanged."""
    base = [a.llc, "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={a.cpu}", *a.flags.split()]
    stem = os.path.join(folder, re.sub(r"\.(ll|mir)$", "", os.path.basename(path)))
    option = "-run-pass=si-insert-waitcnts" if path.endswith(".mir") else "-stop-after=si-insert-waitcnts"
    post = run([*base, option, "-o", "-", path])
    if post.returncode:
        return "llc fails"
    # With 32 lanes the printer names the half, and the reader compares with the descriptor.
    text = re.sub(r"(implicit(?:-def)?(?: \w+)* )\$vcc_lo\b", r"\1$vcc", post.stdout)
    try:
        kernel = Kernel(text)
    except (ValueError, TypeError):
        return "not one function"
    every = list(changes(kernel.lines, a.cpu))
    every = random.Random(a.seed).sample(every, min(a.each, len(every)))
    bodies = [kernel.lines] + [kernel.lines[:at] + instead + kernel.lines[at + 1 :] for at, _, instead in every]
    with open(stem + ".mir", "w", encoding="utf-8") as file:
        file.write(kernel.file(bodies))
    again = kernel.file([without_entry(lines) for lines in bodies])
    second = run([*base, "-run-pass=si-insert-waitcnts", "-x=mir", "-o", "-", "-"], again)
    asm = run([*base, "-start-after=si-insert-waitcnts", "-o", stem + ".s", stem + ".mir"])
    if second.returncode or asm.returncode:
        return "not taken back: " + (second.stderr + asm.stderr)[:200]
    # What is printed differs from what was written in more than waits: both are printed by the same program.
    same = run([*base, "-run-pass=none", "-o", "-", stem + ".mir"])
    old, new = functions(same.stdout), functions(second.stdout)
    answers = [inserted(*narrowed(old[n], new[n]), a.cpu) for n in range(len(bodies))]
    if answers[0][0]:
        return "not stable"
    texts = [(at, kind, kernel.lines[at].strip()) for at, kind, _ in every]
    return path, stem + ".s", texts, answers


def judge(a, folder, total):
    made, is_bad = [], False
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in pool.map(lambda path: prepare(a, folder, path), a.files):
            if isinstance(done, str):
                total["file", done.split(":")[0]] += 1
                if ":" in done:
                    print(done)
            else:
                made.append(done)
    names = [name for _, name, _, _ in made]
    # Hints are overwritten loads that nothing reads, and, without replay, waits for addresses.
    hints = ["overwritten-load"] + ["missing-wait"] * a.cpu.startswith("gfx125")
    before = {name: by_variant(name, found) for name, found in check(a.wavelens, names, hints).items()}
    places = {}
    for path, name, texts, answers in made:
        found, codes = before.get(name, {}), texts_by_variant(name)
        # llc's Machine IR does not keep the padding of user SGPRs: registers that it initializes are not asked for.
        for finding in (f for f in found.get(0, []) if f["code"] != "uninitialized-register"):
            is_bad = True
            total["unchanged", finding["code"]] += 1
            print(f"unchanged: {path}: {finding['line']}: {finding['code']}: {finding['message']}")
        for number, (at, kind, text) in enumerate(texts, 1):
            llvm, shown = answers[number]
            findings = [f for f in found.get(number, []) if f["code"] in CODES]
            ours = proposed(findings)
            is_proven = leaves_nothing_open(codes[number], llvm)
            if findings and all(f["code"] == "barrier-wait" for f in findings) and set(llvm) <= {"lgkmcnt", "dscnt"}:
                word = "before a barrier"
            elif not findings:
                word = "proven to leave nothing open" if is_proven else "MISSED" if llvm else "nothing open"
            elif not llvm:
                word = "ALARM"
            elif any(counter in ours and ours[counter] > least for counter, least in llvm.items()):
                word = "WEAKER"
            else:
                word = "FEWER" if set(llvm) - set(ours) else "as strong"
            if is_proven and word == "as strong":
                word = "as strong, though nothing is open"
            total[kind, word] += 1
            if word.isupper():
                is_bad = True
                lines = [f["line"] for f in findings]
                print(f"{word}: {path} {name} variant.{number}: {text} ({kind}); LLVM {llvm} {shown[:2]}; ours {ours} at {lines}")
    for first in range(0, len(names), BATCH):
        subprocess.run([a.wavelens, "check", "--fix", *names[first : first + BATCH]], capture_output=True)
    for name, findings in check(a.wavelens, names).items():
        for finding in findings:
            if finding["code"] in CODES:
                is_bad = True
                total["after the fix", finding["code"]] += 1
                print(f"STILL: {name}: {finding['line']}: {finding['message']}")
    return is_bad


if __name__ == "__main__":
    sys.exit(main())
