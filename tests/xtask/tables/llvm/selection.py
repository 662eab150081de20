#!/usr/bin/env python3
"""Which processors of AMDGPU have each `llvm.amdgcn` intrinsic, at which types: asks LLVM to compile a call of each.

    selection.py [--llvm LIBRARY] [--only WORD]
    selection.py --newer LLC

Writes `analysis/llvm/src/tables/amdgpu_selection.txt`; with `--only` and `--newer`, the rows of some intrinsics. LIBRARY is `libLLVM.so` of the version that the tables come from. Each call is compiled to an object file in a child process, since the compiler ends its process at what it cannot select. LLC is a newer version's, which is asked for the intrinsics that the older one lacks.
"""
import argparse
import concurrent.futures
import ctypes
import functools
import itertools
import os
import re
import signal
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../..")
TABLES = os.path.join(ROOT, "analysis/llvm/src/tables")
# The second is for shaders, which HSA does not have.
TRIPLES = ["amdgcn-amd-amdhsa", "amdgcn-amd-amdpal"]

# Processors whose features differ only in what code generation does without, by `facts/processors.jsonl.xz` (bugs, sizes, hazards); the first
# one is asked. Then the same processors with waves of 64 lanes.
GROUPS = """
gfx942
gfx1100 gfx1101 gfx1102 gfx1103
gfx1200 gfx1201 gfx12-generic
gfx90a
gfx900 gfx902 gfx909 gfx90c
gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx10-3-generic
gfx1250
gfx950
gfx908
gfx906
gfx1100/64
gfx1200/64
gfx1030/64
gfx802 gfx801 gfx803 gfx805 carrizo iceland tonga fiji polaris10 polaris11 tongapro
gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 kaveri hawaii kabini mullins bonaire
gfx600 gfx601 gfx602 tahiti pitcairn verde hainan oland
gfx1010 gfx10-1-generic
gfx1012 gfx1011
gfx1150 gfx1151 gfx1152
gfx1013
gfx810 stoney
gfx1153
gfx11-generic
gfx9-generic
gfx9-4-generic
gfx904
gfx1251
""".split("\n")[1:-1]

# What depends on the number of lanes.
OF_WAVES = ("ballot", "inverse.ballot", "icmp", "fcmp", "permlane", "wave", "global.load.tr", "ds.bpermute", "ds.swizzle", "s.quadmask", "s.wqm")
# Only passes of the compiler write these.
REPLACED = re.compile("(flat|global)[.]atomic[.]f(add|min|max)(?!.num)")  # by `atomicrmw`
OF_PASSES = {"if", "else", "if.break", "loop", "end.cf", "init.exec", "init.exec.from.input", "wqm.demote.internal", "dead"}
# Types that are asked for, for want of time not all of them: of others nothing is known where one of these is selected.
ANY = ["i32", "f32", "v2f16"]
INTEGERS = ["i32", "i64"]
FLOATS = ["f16", "bf16", "f32", "f64"]
LOADED = "i32 i64 v2i32 v3i32 v4i32 v4i16 v4f16 v8i16 v8f16".split()
# What only shaders have.
OF_SHADERS = ("exp", "interp", "lds.", "kill", "live.mask", "ps.live", "wqm", "s.sendmsg", "init.whole", "set.inactive", "ds.ordered", "ds.add.gs", "ds.sub.gs")


def spell(ty):
    """`<4 x float>` of `v4f32`."""
    if match := re.fullmatch(r"v(\d+)(.+)", ty):
        return f"<{match[1]} x {spell(match[2])}>"
    if match := re.fullmatch(r"p(\d+)", ty):
        return "ptr" if match[1] == "0" else f"ptr addrspace({match[1]})"
    return {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}.get(ty, ty)


def intrinsics(is_newer):
    data = open(os.path.join(TABLES, "intrinsic_data.rs")).read()

    def strings(name):
        return re.findall(r'"((?:[^"\\]|\\.)*)"', re.search(name + r"[^=]*= &?\[(.*?)\];", data, re.S)[1])

    signatures, properties = strings("SIGNATURES"), strings("PROPERTIES")
    for line in open(os.path.join(TABLES, "intrinsics.txt")):
        if line.startswith("llvm.amdgcn."):
            name, signature, of, *since = line.split()
            # What is newer than the library is unknown to it.
            if (int((since or ["0"])[0]) > 22) == is_newer:
                yield name[len("llvm.amdgcn."):], signatures[int(signature)], properties[int(of)].split()


def split(text):
    """Parts between the commas that are not inside brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "({<") - (char in ")}>")
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [p for p in [*parts, text[start:]] if p]


def matrix_slots(name, slots):
    """Types of each slot of a matrix instruction, with as many elements in each lane as the shape in its name gives for waves of 32 and of 64
    lanes, and for GFX11, where both halves of a wave hold the same operands and a half as result takes 32 bits."""
    words = [w for w in name.split(".") if not w.startswith("scale")]
    depth = int(words[2].split("x")[2])
    element = {"f16": "f16", "bf16": "bf16", "f32": "f32"}.get(words[3])
    width = {"f32": 32, "f16": 16, "bf16": 16, "iu8": 8, "iu4": 4, "f4": 4, "f8f6f4": 8}.get(words[3], 8)
    sparse = name.startswith("swmmac")
    rows = int(words[2].split("x")[0])
    for share, lanes in itertools.product((16, 8, 4), (16, 8, 4)):
        count = depth * share // 16 // (2 if sparse else 1)

        def operand(kind, count, share=share):
            if kind == "int" and width == 16:
                return f"v{count}i16"
            if kind == "int":
                dwords = count * width // 32
                return f"v{dwords}i32" if dwords > 1 else "i32"
            return f"v{count}{element}"

        def sum_of(kind, word, lanes=lanes):
            lanes = lanes * rows // 16
            return f"v{lanes}" + ("i16" if word == "bf16" else "i32") if kind == "int" else f"v{lanes}{word}"

        result, start = words[1], words[1]
        if words[1] == "bf16f32":
            result, start = "bf16", "f32"
        types = [sum_of(slots[0], result), operand(slots[1], count * (rows // 16 if rows > 16 else 1))]
        rest = slots[2:]
        if rest and (sparse or "f8f6f4" in name or ".f4" in name):
            types.append(operand(rest.pop(0), count * (2 if sparse else 1)))
        if sparse:
            for index in ("i8", "i16", "i32", "i64"):
                yield (*types, *([sum_of(rest[0], start)] if len(rest) > 1 else []), index)
        else:
            yield (*types, *[sum_of(kind, start) for kind in rest])


def overloads(name, slots):
    if not slots:
        return [()]
    if name.startswith(("wmma.", "swmmac.")):
        return list(matrix_slots(name, slots))
    if name.startswith("mfma.scale"):
        return list(itertools.product(*[["v4i32", "v6i32", "v8i32"]] * 2))
    if name.startswith("image."):
        data = "i32" if "atomic" in name else "v4f32"
        if any(w in name for w in ("atomic.fadd", "atomic.fmin", "atomic.fmax")):
            data = "f32"
        if "atomic.pk.add" in name:
            data = "v2bf16" if "bf16" in name else "v2f16"
        anys = [n for n, kind in enumerate(slots) if kind == "any"]
        rest = anys if "store" in name or "atomic" in name or slots[0] != "any" else anys[1:]
        of_rest = dict(zip(reversed(rest), ["v4i32", "v8i32"] if len(rest) > 1 else ["v8i32"]))
        stored = {0: data} if slots[0] == "float*" and "atomic" in name else {0: "v4f32"} if "store" in name or slots[0] == "any" else {}
        return [tuple(of_rest.get(n) or stored.get(n) or {"any": data, "int": "i32"}.get(kind, "f32") for n, kind in enumerate(slots))]
    kinds = {"any": ANY, "int": INTEGERS, "float*": FLOATS, "vec": ["v2f16"], "ptr*": ["p0", "p1"]}
    if ".atomic." in name:
        kinds |= {"any": ["i32", "i64"], "float*": ["f32", "f64", "v2f16", "v2bf16"]}
    elif name.startswith("exp"):
        kinds["any"] = ["f32"]
    elif re.search("load|read[.]tr", name) and "buffer" not in name:
        kinds["any"] = LOADED
    elif name in ("icmp", "fcmp"):
        # The result has a bit for each lane.
        return list(itertools.product(INTEGERS, ["i32"] if name == "icmp" else ["f32"]))
    elif len(slots) > 1:
        kinds |= {"int": ["i32"], "float*": ["f32"]}
    chosen = list(itertools.product(*[kinds[kind] for kind in slots]))
    # The result is what the operation replaces.
    return [types for types in chosen if types[0] == types[-1]] if ".atomic.f" in name and len(slots) > 2 else chosen


DIMENSION = re.compile(r"(image\.(?!msaa|bvh).*)\.(1d|1darray|2darray|2dmsaa|2darraymsaa|3d|cube)(\.nortn)?")


def asked_as(name):
    """The intrinsic that stands for one: LLVM selects buffer accesses alike whatever the descriptor's type and whether it is structured, and
    image instructions alike in all dimensions."""
    name = re.sub(r"^(struct|raw)\.(?:ptr\.)?(?=t?buffer|atomic\.buffer)", "raw.ptr.", name)
    if match := DIMENSION.fullmatch(name):
        return f"{match[1]}.2d{match[3] or ''}"
    return name


def cases(only, is_newer=False):
    """Name, suffix of its types, a note about an immediate, and a module with one function `f` that calls it."""
    for name, signature, properties in intrinsics(is_newer):
        if name in OF_PASSES or REPLACED.match(name) or asked_as(name) != name or "..." in signature or only and not name.startswith(tuple(only.split(","))):
            continue
        result, arguments = re.fullmatch(r"((?:ptr\(\d+\)|\{.*?\}|[^(])*?)\((.*)\)", signature).groups()
        slots = dict((int(n), kind) for kind, n in re.findall(r"(any|int|float\*|vec|ptr\*)@(\d+)", signature))
        immediates = {int(p[3:]) for p in properties if p.startswith("imm")}
        low = {int(m[1]): int(m[2]) for p in properties if (m := re.fullmatch(r"range(\d+):(-?\d+):.*", p))}
        notes = [""]
        if ".lds" in name and "load" in name and not name.startswith(("cluster", "global.load.async.to", "tensor", "lds.")):
            notes = ["#1", "#2", "#4", "#12", "#16"]
        if ".atomic." in name and result:
            # Some processors have it without a result only.
            notes = ["", "~"]
        for types in overloads(name, [slots[n] for n in sorted(slots)]):
            def ty(text):
                text = re.sub(r"(any|int|float\*|vec|ptr\*)@", "@", text)
                text = re.sub(r"@(\d+)", lambda m: spell(types[int(m[1])]), text)
                return re.sub(r"ptr\((\d+)\)", r"ptr addrspace(\1)", text)
            for note in notes:
                parameters, values = [], []
                sized = next((n for n in sorted(immediates)), None)
                for n, argument in enumerate(split(arguments)):
                    spelled = ty(argument)
                    if spelled == "metadata":
                        values.append("metadata !0")
                    elif n in immediates:
                        value = low.get(n, 0)
                        if note.startswith("#") and n == sized:
                            value = note[1:]
                        if name.startswith("ds.ordered") and n == 5:
                            # A count of dwords, since GFX10.
                            value = 1 << 24
                        if name in ("icmp", "fcmp"):
                            # Predicates: `eq`, `oeq`.
                            value = 32 if name == "icmp" else 1
                        if name.startswith("ds.ordered") and n in (6, 7) or name.startswith("s.sendmsg") and n == 0:
                            value = 1
                        if name.startswith("image.") and n == 0 and spelled == "i32":
                            value = 1 if "gather4" in name or "msaa" in name else 15
                            if "atomic" in name:
                                value = 0
                        value = "true" if spelled == "i1" and value else "false" if spelled == "i1" else value
                        values.append(f"{spelled} {value}")
                    else:
                        parameters.append(f"{spelled} %a{n}")
                        values.append(f"{spelled} %a{n}")
                returned = ty(result)
                for convention in ("amdgpu_kernel", "amdgpu_ps"):
                    body = f"call {returned} @llvm.amdgcn.{name}{''.join('.' + t for t in types)}({', '.join(values)})"
                    if returned != "void" and note != "~":
                        body = f"%r = {body}\n  store {returned} %r, ptr addrspace(1) %out"
                    text = f"define {convention} void @f({', '.join([*parameters, 'ptr addrspace(1) %out'])}) {{\n  {body}\n  ret void\n}}\n!0 = !{{!\"agent\"}}\n"
                    if convention == "amdgpu_ps" and name.startswith("ds.ordered"):
                        text = text.replace(str(1 << 24), "0")
                    yield (name, ".".join(types), note), convention, text


class Library:
    """LLVM by its C interface."""

    def __init__(self, path):
        self.llvm = llvm = ctypes.CDLL(path)
        for word in ("TargetInfo", "Target", "TargetMC", "AsmParser", "AsmPrinter"):
            getattr(llvm, "LLVMInitializeAMDGPU" + word)()
        for name in ("LLVMContextCreate", "LLVMCreateMemoryBufferWithMemoryRangeCopy", "LLVMCreateTargetMachine"):
            getattr(llvm, name).restype = ctypes.c_void_p
        self.target = ctypes.c_void_p()
        llvm.LLVMGetTargetFromTriple(TRIPLES[0].encode(), ctypes.byref(self.target), None)

    def compiles(self, text, triple, cpu, features):
        llvm, pointer, by = self.llvm, ctypes.c_void_p, ctypes.byref
        context = pointer(llvm.LLVMContextCreate())
        data = text.encode()
        buffer = pointer(llvm.LLVMCreateMemoryBufferWithMemoryRangeCopy(data, ctypes.c_size_t(len(data)), b"f"))
        module, message, out = pointer(), ctypes.c_char_p(), pointer()
        if llvm.LLVMParseIRInContext(context, buffer, by(module), by(message)) or llvm.LLVMVerifyModule(module, 2, by(message)):
            return False
        llvm.LLVMSetTarget(module, triple.encode())
        machine = pointer(llvm.LLVMCreateTargetMachine(self.target, triple.encode(), cpu.encode(), features.encode(), 2, 2, 0))
        failed = llvm.LLVMTargetMachineEmitToMemoryBuffer(machine, module, 1, by(message), by(out))
        llvm.LLVMDisposeTargetMachine(machine)
        return not failed


class Program:
    """LLVM's program `llc`, for versions whose library does not load here."""

    def __init__(self, path):
        self.path = path

    def compiles(self, text, triple, cpu, features, option):
        command = [self.path, "-mtriple=" + triple, "-mcpu=" + cpu, "-mattr=" + features, "-filetype=obj", "-o", os.devnull, "-"]
        command += [option] if option else []
        try:
            return subprocess.run(command, input=text.encode(), stderr=subprocess.DEVNULL, timeout=20).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def ask(compiler, questions, option=None):
    """An answer to each question, a text with a processor; a child that the compiler ends is followed by another one."""
    if isinstance(compiler, Program):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return list(pool.map(lambda question: compiler.compiles(*question, option), questions))
    answers, at = [False] * len(questions), 0
    while at < len(questions):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            if option:
                words = (ctypes.c_char_p * 2)(b"llc", option.encode())
                compiler.llvm.LLVMParseCommandLineOptions(2, words, None)
            # A child that lives on gathers memory.
            for question in questions[at:at + 2000]:
                # Of processor time: some calls are never legalized.
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.4)
                os.write(write, b"1" if compiler.compiles(*question) else b"0")
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            said = pipe.read()
        _, status = os.waitpid(child, 0)
        for n, byte in enumerate(said):
            answers[at + n] = byte == ord("1")
        at += len(said) + (status != 0)
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/lib/libLLVM.so.22.1")
    parser.add_argument("--newer", metavar="LLC", help="ask a newer version's program for what the library lacks")
    parser.add_argument("--only", help="names, separated by commas, or how they begin")
    parser.add_argument("--out", default=os.path.join(TABLES, "amdgpu_selection.txt"))
    args = parser.parse_args()
    texts = {}
    for key, convention, text in cases(args.only, bool(args.newer)):
        texts.setdefault(key, []).append(text)
    # What SelectionDAG selects, and what GlobalISel does.
    by_dag, by_global = dict.fromkeys(texts, 0), dict.fromkeys(texts, 0)

    def is_matrix(key):
        return key[0].startswith(("wmma", "swmmac"))

    # Loaded before the children are made, which share it.
    library = Program(args.newer) if args.newer else Library(args.llvm)

    def ask_group(bit, keys, masks, option, way=0):
        cpu, _, wave = GROUPS[bit].split()[0].partition("/")
        questions = [(texts[k][way], TRIPLES[way], cpu, "+wavefrontsize64" if wave else "") for k in keys]
        for key, answer in zip(keys, ask(library, questions, option)):
            masks[key] |= answer << bit

    for bit, group in enumerate(GROUPS):
        asked = [k for k in texts if (group.startswith(("gfx11", "gfx12")) if is_matrix(k) else "/" not in group or k[0].startswith(OF_WAVES))]
        base = next(n for n, other in enumerate(GROUPS) if other.split()[0] == group.split()[0].split("/")[0])
        for masks, option in ((by_dag, None), (by_global, "-global-isel")):
            questions = asked
            if masks is by_global:
                # Both select matrices by the same patterns; of what a processor lacks one form is asked.
                has = {k[0] for k in asked if by_dag[k] >> bit & 1}
                first = {k[0]: k for k in reversed(asked)}
                questions = [k for k in asked if not is_matrix(k) and (k[0] in has or first[k[0]] == k)]
            ask_group(bit, questions, masks, option)
            ask_group(bit, [k for k in questions if k[0].startswith(OF_SHADERS) and not masks[k] >> bit & 1], masks, option, 1)
            if "/" in group:
                # What does not depend on the number of lanes was not asked again.
                for key in set(masks) - set(asked):
                    masks[key] |= (masks[key] >> base & 1) << bit
        for key in asked:
            if is_matrix(key):
                by_global[key] = by_dag[key]
            elif key not in questions:
                by_global[key] |= by_global[first[key[0]]] & 1 << bit
        count = [sum(m >> bit & 1 for m in masks.values()) for masks in (by_dag, by_global)]
        print(group, count, "of", len(texts), file=sys.stderr, flush=True)
        # A run may be interrupted: the table is about the groups so far.
        if not (args.only or args.newer):
            write(args.out, {key: (by_dag[key], by_global[key]) for key in texts}, GROUPS[:bit + 1])
    if args.only or args.newer:
        merge(args.out, {key: (by_dag[key], by_global[key]) for key in texts})


@functools.cache
def features(cpu):
    """What clang says that a processor has."""
    command = ["clang-22", "-x", "cl", "-target", TRIPLES[0], "-mcpu=" + cpu, "-nogpulib", "-S", "-emit-llvm", "-o", "-", "-"]
    text = subprocess.run(command, input="void f() {}", capture_output=True, text=True, check=True).stdout
    return sorted(f[1:] for f in re.search(r'"target-features"="([^"]*)"', text)[1].split(",") if f.startswith("+"))


def lines(masks):
    """The rows of intrinsics, sorted by name."""
    rows = {}
    for (name, types, note), mask in masks.items():
        if any(mask):
            rows.setdefault(name, {}).setdefault(mask, []).append(types + note or "*")
    for name, forms in sorted(rows.items()):
        alike = len(forms) == 1 and not name.startswith(("wmma", "swmmac", "mfma")) and "#" not in str(forms)
        entries = []
        for (dag, by_global), names in sorted(forms.items()):
            bits = f"{dag:x}" if dag == by_global else f"{dag:x}/{by_global:x}"
            entries.append(("*" if alike else ",".join(sorted(names))) + ":" + bits)
        yield " ".join([name, *entries])


def merge(path, masks):
    """Replaces the rows of some intrinsics."""
    with open(path) as file:
        text = file.read().splitlines()
    header = [line for line in text if line.startswith(("#", "processors ", "features "))]
    asked = {name for name, _, _ in masks}
    rows = [line for line in text[len(header):] if line.split()[0] not in asked] + list(lines(masks))
    with open(path, "w") as out:
        out.write("\n".join(header + sorted(rows, key=lambda line: line.split()[0])) + "\n")


def write(path, masks, groups):
    with open(path, "w") as out:
        print("# What LLVM 22, and LLVM 24 of what is newer (Apache-2.0 WITH LLVM-exception), selects for each processor, asked by tests/xtask/tables/llvm/selection.py;", file=out)
        print("# do not edit. Groups of processors, then intrinsics: forms, and the groups that have them as bits, by SelectionDAG and,", file=out)
        print("# if others, by GlobalISel.", file=out)
        for group in groups:
            print("processors", group, file=out)
        for group in groups:
            print("features", *features(group.split()[0].split("/")[0]), file=out)
        for line in lines(masks):
            print(line, file=out)


if __name__ == "__main__":
    main()
