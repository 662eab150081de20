#!/usr/bin/env python3
"""Checks the source lines that `wavelens isa` finds for Vulkan SPIR-V, which the driver does not name.

usage: spirv_lines.py [FILE.spvasm..] [--generate N] [--seed 1] [--mcpu gfx1030] [--wavelens wavelens] [--verbose]

Where the truth is known without compiling anything again: a literal that one line alone uses must come from that line, and so must an
instruction that only one operation can become, where that operation is on one line alone. Generated shaders (GLSL; `glslangValidator`
and `spirv-dis` are needed) have such a literal in each line.
"""
import argparse
import collections
import json
import os
import random
import re
import struct
import subprocess
import tempfile

# Machine instructions, and the only operations of SPIR-V that become them.
OWN = {
    r"v_sin_f(16|32)": r"GLSL.std.450 (Sin|Tan)\b|\b(Sin|Tan) ", r"v_cos_f(16|32)": r"\b(Cos|Tan) ", r"v_sqrt_f(16|32)": r"\b(Sqrt|Length|Distance|Acos|Asin|Normalize) ",
    r"v_floor_f32": r"\b(Floor|Fract|RoundEven|Round) |OpFMod", r"v_ceil_f32": r"\bCeil ", r"v_fract_f32": r"\b(Fract|Sin|Cos|Tan|Floor) |OpFMod",
    r"v_bfrev_b32|s_brev_b32": r"OpBitReverse|FindUMsb|FindSMsb", r"v_bcnt_u32_b32|s_bcnt1\w*": r"OpBitCount|BallotBitCount",
    r"image_sample\w*": r"OpImage(Sparse)?Sample", r"image_gather\w*": r"OpImage\w*Gather", r"image_store\w*": r"OpImageWrite",
    r"(buffer|global|flat)_atomic_\w+": r"OpAtomic", r"s_barrier": r"OpControlBarrier", r"ds_bpermute_b32": r"OpGroupNonUniform\w*Shuffle|OpGroupNonUniform",
}
INLINE = {struct.unpack("<I", struct.pack("<f", f))[0] for s in (.5, 1, 2, 4) for f in (s, -s)} | {0x3E22F983}


def run(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=60)


def bits(type_, word):
    """The 32 bits of a constant; nothing for other sizes and inline constants."""
    if type_ == "float":
        value = float.fromhex(word) if "0x" in word else float(word)
        found = struct.unpack("<I", struct.pack("<f", value))[0]
        return None if found in INLINE or found == 0 else found
    value = int(word, 0)
    return value & 0xFFFFFFFF if value > 64 or value < -16 else None


def literals(lines):
    """Literals that one line uses alone, with the line from 1."""
    types, constants, uses = {}, {}, collections.defaultdict(set)
    for number, line in enumerate(lines, 1):
        line = line.split(";")[0]
        made = re.match(r"\s*(%\w+) = OpType(Float|Int) 32\b", line)
        if made:
            types[made[1]] = made[2].lower()
        constant = re.match(r"\s*(%\w+) = OpConstant (%\w+) (\S+)", line)
        if constant and constant[2] in types:
            constants[constant[1]] = bits(types[constant[2]], constant[3])
        elif not re.match(r"\s*Op(Name|Decorate|MemberDecorate)", line):
            for name in re.findall(r"%\w+", line):
                uses[name].add((number, line))
    by_bits = collections.Counter(v for v in constants.values() if v is not None)
    # Indices become offsets in bytes.
    scaled = {v * size for v in by_bits for size in (2, 4, 8, 12, 16)}
    found = {}
    for name, value in constants.items():
        if value is None or value in scaled or by_bits[value] > 1 or len(uses[name]) != 1:
            continue
        number, line = next(iter(uses[name]))
        # The literals of these are computed, or part of several instructions.
        if not re.search(r"OpConstantComposite|OpSpec|OpType|AccessChain|OpStore|OpPhi|OpSelect|OpReturn|OpComposite|OpVectorShuffle|OpCopy|OpFunctionCall|OpSwitch|OpConstant", line):
            found[value] = number
    return found


def own(lines):
    """Forms of machine instructions that can only come from one line."""
    found = []
    for form, operation in OWN.items():
        at = [number for number, line in enumerate(lines, 1) if re.search(operation, line.split(";")[0] + " ")]
        if len(at) == 1:
            found.append((re.compile(form + r"(_e32|_e64|_dpp|_sdwa)?\b"), at[0]))
    return found


def judge(file, arguments, totals):
    lines = open(file, errors="replace").read().splitlines()
    ran = run([arguments.wavelens, "isa", "--mcpu", arguments.mcpu, "--format", "json", file])
    if ran.returncode:
        totals["not compiled"] += 1
        if arguments.verbose:
            print("not compiled", file, ran.stderr.strip()[:200])
        return
    totals["shaders"] += 1
    made = json.loads(ran.stdout)
    experiments = made.get("experiments", {"tried": 0, "possible": 0})
    totals["tried"] += experiments["tried"]
    totals["possible"] += experiments["possible"]
    of_literal, of_form = literals(lines), own(lines)
    for line in made["lines"]:
        text, source = line["text"].strip(), line.get("source_line")
        if "encoding" not in line:
            continue
        totals["instructions"] += 1
        totals["with a line"] += source is not None
        wanted = {of_literal[int(w, 16)] for w in re.findall(r"(?<![\w:])0x[0-9a-f]+\b", text) if int(w, 16) in of_literal}
        wanted |= {at for form, at in of_form if form.match(text)}
        if len(wanted) != 1:
            continue
        wanted = wanted.pop()
        totals["with a known truth"] += 1
        if source is None:
            totals["left open"] += 1
            if arguments.verbose:
                print(f"open  {text}  {lines[wanted - 1].strip()}")
        elif source == wanted:
            totals["right"] += 1
        else:
            totals["other line"] += 1
            print(f"{file}: {text}\n    ours  {source}: {lines[source - 1].strip()}\n    truth {wanted}: {lines[wanted - 1].strip()}")


def statement(rng, names, depth):
    """Statements of GLSL, each with a literal of its own."""
    ints, floats = names
    literal = lambda: str(rng.randrange(0x10000, 0x7FFFFFFF)) + "u"
    real = lambda: f"{rng.uniform(3, 900):.5f}"
    pad = "  " * (depth + 1)
    kind = rng.random()
    if kind < .12 and depth < 3:
        body = [s for _ in range(rng.randrange(2, 5)) for s in statement(rng, names, depth + 1)]
        return [f"{pad}if ({rng.choice(ints)} < {literal()}) {{", *body, f"{pad}}}"]
    if kind < .18 and depth < 2:
        body = [s for _ in range(rng.randrange(2, 5)) for s in statement(rng, names, depth + 1)]
        n = f"n{rng.randrange(1 << 30)}"
        return [f"{pad}for (uint {n} = 0u; {n} < b.data[7]; {n}++) {{", *body, f"{pad}}}"]
    if kind < .3:
        return [f"{pad}b.data[gl_GlobalInvocationID.x + {rng.choice(ints)}] = {rng.choice(ints)} ^ {literal()};"]
    if kind < .4:
        return [f"{pad}{rng.choice(ints)} += b.data[{rng.choice(ints)} & {literal()}];"]
    if kind < .5:
        return [f"{pad}{rng.choice(floats)} = uintBitsToFloat({rng.choice(ints)} | {literal()});"]
    if kind < .6:
        return [f"{pad}{rng.choice(ints)} ^= floatBitsToUint({rng.choice(floats)} * {real()});"]
    if kind < .8:
        to, one, two = rng.choice(ints), rng.choice(ints), rng.choice(ints)
        operation = rng.choice(["({} + L) ^ {}", "({} * L) + {}", "({} & L) + {}", "({} | L) - {}", "min({}, L) ^ {}", "max({}, L) + {}", "({} - L) & {}", "L - ({} >> ({} & 7u))"])
        return [f"{pad}{to} = {operation.format(one, two).replace('L', literal())};"]
    to, one, two = rng.choice(floats), rng.choice(floats), rng.choice(floats)
    operation = rng.choice(["{} * L + {}", "({} + L) * {}", "max({}, L) - {}", "min({}, L) * {}", "sqrt({}) * L + {}", "sin({} * L) + {}", "floor({} * L) - {}", "exp2({}) + L * {}", "mix({}, L, {})"])
    return [f"{pad}{to} = {operation.format(one, two).replace('L', real())};"]


def generate(rng, folder, number):
    ints, floats = [f"i{n}" for n in range(5)], [f"f{n}" for n in range(4)]
    text = ["#version 450", "layout(local_size_x = 64) in;", "layout(binding = 0) buffer B { uint data[]; } b;", "void main() {"]
    text += [f"  uint {name} = b.data[gl_GlobalInvocationID.x + {n * 1000}u];" for n, name in enumerate(ints)]
    text += [f"  float {name} = uintBitsToFloat(b.data[gl_GlobalInvocationID.x + {7000 + n * 1000}u]);" for n, name in enumerate(floats)]
    for _ in range(rng.randrange(8, 40)):
        text += statement(rng, (ints, floats), 0)
    text += [f"  b.data[gl_GlobalInvocationID.x + {20000 + n * 1000}u] = {name};" for n, name in enumerate(ints)]
    text += [f"  b.data[gl_GlobalInvocationID.x + {30000 + n * 1000}u] = floatBitsToUint({name});" for n, name in enumerate(floats)] + ["}"]
    source, binary, file = (os.path.join(folder, f"{number}{suffix}") for suffix in (".comp", ".spv", ".spvasm"))
    open(source, "w").write("\n".join(text) + "\n")
    made = run(["glslangValidator", "-V", "--target-env", "vulkan1.2", "-o", binary, source])
    if made.returncode:
        raise SystemExit(made.stdout)
    if rng.random() < .5:
        run(["spirv-opt", "-O", binary, "-o", binary])
    open(file, "w").write(run(["spirv-dis", binary]).stdout)
    return file


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("files", nargs="*")
    arguments.add_argument("--generate", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--mcpu", default="gfx1030")
    arguments.add_argument("--limit", type=int, default=1000)
    arguments.add_argument("--wavelens", default="wavelens")
    arguments.add_argument("--verbose", action="store_true")
    arguments = arguments.parse_args()
    rng, totals, folder = random.Random(arguments.seed), collections.Counter(), tempfile.mkdtemp()
    files = rng.sample(sorted(arguments.files), min(arguments.limit, len(arguments.files)))
    for file in files + [generate(rng, folder, n) for n in range(arguments.generate)]:
        judge(file, arguments, totals)
    print("seed", arguments.seed, dict(totals))


if __name__ == "__main__":
    main()
