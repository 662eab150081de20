#!/usr/bin/env python3
"""Writes generated.rs from the Khronos machine-readable grammar of SPIR-V.

    generate.py facts/grammar.json.xz > generated.rs

The facts are what reduce.py keeps of SPIRV-Headers (Copyright 2014-2026 The Khronos Group Inc., MIT). Needs Python 3.9, no
packages.
"""
import json, lzma, os, re, sys

with lzma.open(sys.argv[1], "rt") as f:
    GRAMMARS = json.load(f)

# Sets as OpExtInstImport names them, the grammar file, and the prefix that keeps their operand kinds apart.
SETS = [
    ("GlslStd450", "glsl.std.450", ""),
    ("OpenClStd", "opencl.std.100", ""),
    ("AmdExplicitVertexParameter", "spv-amd-shader-explicit-vertex-parameter", ""),
    ("AmdTrinaryMinmax", "spv-amd-shader-trinary-minmax", ""),
    ("AmdGcnShader", "spv-amd-gcn-shader", ""),
    ("AmdShaderBallot", "spv-amd-shader-ballot", ""),
    ("DebugInfo", "debuginfo", ""),
    ("OpenClDebugInfo100", "opencl.debuginfo.100", "Cl"),
    ("ShaderDebugInfo100", "nonsemantic.shader.debuginfo", "Shader"),
    ("GraphDebugInfo", "nonsemantic.graph.debuginfo", "Graph"),
    ("ClspvReflection", "nonsemantic.clspvreflection", ""),
    ("VkspReflection", "nonsemantic.vkspreflection", ""),
    ("Tosa", "tosa.001000.1", "Tosa"),
    ("ArmMotionEngine100", "arm.motion-engine.100", "Motion"),
    ("ArmExperimentalMlOperations", "arm.experimental-ml-operations", "Ml"),
]

# What the SPIR-V registry has and the grammar of these facts does not: names of extensions, and instructions and enumerants in the grammar's
# own form. A row that the grammar has by now is an error.
with open(os.path.join(os.path.dirname(__file__), "newer.json")) as f:
    NEWER = json.load(f)

RENAMED = {"IdRef": "Id", "IdResultType": "TypeId", "IdResult": "ResultId", "IdMemorySemantics": "MemorySemanticsId",
           "IdScope": "ScopeId", "LiteralContextDependentNumber": "TypedLiteral",
           "LiteralExtInstInteger": "ExtInstNumber", "LiteralSpecConstantOpInteger": "SpecConstantOp"}
PAIRS = {"PairIdRefIdRef": "Id", "PairLiteralIntegerIdRef": "PairLiteralId", "PairIdRefLiteralInteger": "PairIdLiteral"}
FIXED = ["Id", "TypeId", "ResultId", "MemorySemanticsId", "ScopeId", "LiteralInteger", "LiteralFloat", "LiteralString",
         "TypedLiteral", "ExtInstNumber", "SpecConstantOp", "PairLiteralId", "PairIdLiteral", "Any"]


core = GRAMMARS["spirv.core"]
opnames = {i["opname"] for i in core["instructions"]}
for i in NEWER["instructions"]:
    assert i["opname"] not in opnames, f"{i['opname']} is in the grammar: remove it from newer.json"
    core["instructions"].append(i)
for newer in NEWER["operand_kinds"]:
    kind = next(k for k in core["operand_kinds"] if k["kind"] == newer["kind"])
    names = {e["enumerant"] for e in kind["enumerants"]}
    for e in newer["enumerants"]:
        assert e["enumerant"] not in names, f"{e['enumerant']} is in the grammar: remove it from newer.json"
        kind["enumerants"].append(e)
sets = []
for rust, file, prefix in SETS:
    g = GRAMMARS["extinst." + file]
    own = {k["kind"] for k in g.get("operand_kinds", [])}
    for k in g.get("operand_kinds", []):
        k["kind"] = prefix + k["kind"]
    for i in g["instructions"]:
        for o in i.get("operands", []):
            if o["kind"] in own:
                o["kind"] = prefix + o["kind"]
    sets.append((rust, g))

kinds = [k for k in core["operand_kinds"] if "enumerants" in k]
for _, g in sets:
    kinds += [k for k in g.get("operand_kinds", []) if "enumerants" in k]
kinds.sort(key=lambda k: k["kind"])

extensions = set(NEWER["extensions"])
for e in [*core["instructions"], *(e for k in kinds for e in k["enumerants"])]:
    extensions.update(e.get("extensions", []))
extensions = sorted(extensions)
cap_value = {}
for k in kinds:
    if k["kind"] == "Capability":
        for e in k["enumerants"]:
            for n in [e["enumerant"], *e.get("aliases", [])]:
                cap_value[n] = int(str(e["value"]), 0)

out = []
w = out.append


def operands(ops):
    parts = []
    for o in ops or []:
        kind, q = o["kind"], o.get("quantifier", "")
        if kind in PAIRS:
            kind = PAIRS[kind]
        kind = RENAMED.get(kind, kind)
        parts.append({"": "one", "?": "opt", "*": "many"}[q] + "(" + kind + ")")
    return "&[" + ", ".join(parts) + "]"


# Where the grammar gives an operand no name of its own.
KIND_NAMES = {"TypeId": "Result Type", "ResultId": "Result", "ScopeId": "Scope", "MemorySemanticsId": "Semantics"}


def operand_names(ops):
    """The operands' names, one for each, separated by `|`."""
    out = []
    for o in ops or []:
        kind = RENAMED.get(o["kind"], o["kind"])
        name = " ".join(o.get("name", "").replace("'", "").replace("|", " ").replace("\n", " ").split())
        out.append(name.removesuffix(", ...") or KIND_NAMES.get(kind) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind))
    return '"' + "|".join(out) + '"'


def caps(e):
    return "&[" + ", ".join(str(cap_value[c]) for c in e.get("capabilities", [])) + "]"


def exts(e):
    return "&[" + ", ".join(str(extensions.index(x)) for x in e.get("extensions", [])) + "]"


def version(v, default):
    if v is None:
        return default
    if v == "None":
        return "NEVER"
    a, b = v.split(".")
    return f"v({a}, {b})"


def ident(n):
    n = re.sub(r"\W", "_", n)
    return ("_" + n) if n[0].isdigit() or n == "Self" else n


w("// Generated by `cargo xtask tables` from the SPIR-V grammar of SPIRV-Headers: do not edit.")
w("// Copyright 2014-2026 The Khronos Group Inc., MIT.")
w(f"// Commit {GRAMMARS['commit'][:12]}: SPIR-V {core['major_version']}.{core['minor_version']} revision {core['revision']}.")
w("")
w("use super::Kind::*;")
w("use super::{Enumerant, EnumerantTable, ExtInst, Instruction, NEVER, Op, e, many, one, opt, v, x};")
w("")
w("/// What an operand may be.")
w("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]")
w("#[repr(u8)]")
w("pub enum Kind {")
for k in FIXED + [k["kind"] for k in kinds]:
    w(f"    {k},")
w("}")
w("")
w("impl Op {")
for i in core["instructions"]:
    for n in [i["opname"], *i.get("aliases", [])]:
        w(f"    pub const {ident(n[2:])}: Op = Op({i['opcode']});")
w("}")
w("")
for k in kinds:
    w(f"/// Values of the operand kind `{k['kind']}`.")
    w("#[derive(Debug)]")
    w(f"pub enum {k['kind']} {{}}")
    w(f"impl {k['kind']} {{")
    seen = set()
    for e in k["enumerants"]:
        for n in [e["enumerant"], *e.get("aliases", [])]:
            if n not in seen:
                seen.add(n)
                w(f"    pub const {ident(n)}: u32 = {int(str(e['value']), 0)};")
    w("}")
w("")
w("/// Index of an extension in [`EXTENSIONS`].")
w("#[derive(Debug)]")
w("pub enum Extension {}")
w("impl Extension {")
for n, e in enumerate(extensions):
    w(f"    pub const {e}: u16 = {n};")
w("}")
w("")
w("/// Extensions by name, sorted.")
w(f"pub static EXTENSIONS: [&str; {len(extensions)}] = [")
for e in extensions:
    w(f'    "{e}",')
w("];")
w("")
insts = sorted(core["instructions"], key=lambda i: i["opcode"])
w("/// All instructions, ascending by opcode.")
w(f"pub static INSTRUCTIONS: [Instruction; {len(insts)}] = [")
for i in insts:
    ops = list(i.get("operands", []))
    if i["opname"] in ("OpExtInst", "OpExtInstWithForwardRefsKHR") and ops[-1].get("quantifier") == "*":
        ops.pop()  # the set's own grammar says what follows
    w(f'    x({i["opcode"]}, "{i["opname"]}", {operands(ops)}, {caps(i)}, {exts(i)}, '
      f'{version(i.get("version"), "v(1, 0)")}, {version(i.get("lastVersion"), "NEVER")}, "{i.get("class", "")}", '
      f'{operand_names(ops)}),')
w("];")
names = sorted((n[2:], idx) for idx, i in enumerate(insts) for n in [i["opname"], *i.get("aliases", [])])
w("/// Names without `Op`, sorted, and the index in [`INSTRUCTIONS`]; aliases too.")
w(f"pub(super) static INSTRUCTION_NAMES: [(&str, u16); {len(names)}] = [")
for n, idx in names:
    w(f'    ("{n}", {idx}),')
w("];")


def enum_table(kind, es):
    es = sorted(es, key=lambda e: int(str(e["value"]), 0))
    unique = []
    for e in es:
        if unique and int(str(unique[-1]["value"]), 0) == int(str(e["value"]), 0):
            unique[-1].setdefault("aliases", []).append(e["enumerant"])
        else:
            unique.append(dict(e))
    w(f"static {kind.upper()}_VALUES: [Enumerant; {len(unique)}] = [")
    for e in unique:
        w(f'    e({int(str(e["value"]), 0)}, "{e["enumerant"]}", {operands(e.get("parameters"))}, {caps(e)}, {exts(e)}, '
          f'{version(e.get("version"), "v(1, 0)")}, {version(e.get("lastVersion"), "NEVER")}),')
    w("];")
    names = sorted((n, idx) for idx, e in enumerate(unique) for n in [e["enumerant"], *e.get("aliases", [])])
    w(f"static {kind.upper()}_NAMES: [(&str, u16); {len(names)}] = [" +
      ", ".join(f'("{n}", {idx})' for n, idx in names) + "];")


for k in kinds:
    enum_table(k["kind"], k["enumerants"])
w("/// Enumerants of a kind, ascending by value, and their names, sorted; `None` for kinds without enumerants.")
w("pub(super) fn enumerants(kind: Kind) -> Option<EnumerantTable> {")
w("    Some(match kind {")
for k in kinds:
    u = k["kind"].upper()
    w(f"        {k['kind']} => (&{u}_VALUES, &{u}_NAMES),")
w("        _ => return None,")
w("    })")
w("}")
w("/// Whether values of a kind are combined with `|`.")
w("pub(super) fn is_mask(kind: Kind) -> bool {")
w("    matches!(kind, " + " | ".join(k["kind"] for k in kinds if k["category"] == "BitEnum") + ")")
w("}")
w("")
for rust, g in sets:
    w(f"/// Instructions of the extended set `{rust}`.")
    w("#[derive(Debug)]")
    w(f"pub enum {rust} {{}}")
    w(f"impl {rust} {{")
    for i in g["instructions"]:
        w(f"    pub const {ident(i['opname'])}: u32 = {i['opcode']};")
    w("}")
    es = sorted(g["instructions"], key=lambda i: i["opcode"])
    w(f"static {rust.upper()}_INSTRUCTIONS: [ExtInst; {len(es)}] = [")
    for i in es:
        w(f'    ExtInst {{ number: {i["opcode"]}, name: "{i["opname"]}", operands: {operands(i.get("operands"))}, '
          f'capabilities: {caps(i)}, operand_names: {operand_names(i.get("operands"))} }},')
    w("];")
    names = sorted((i["opname"], idx) for idx, i in enumerate(es))
    w(f"static {rust.upper()}_INSTRUCTION_NAMES: [(&str, u16); {len(names)}] = [" +
      ", ".join(f'("{n}", {idx})' for n, idx in names) + "];")
w("/// The extended instruction sets that are known.")
w("#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]")
w("pub enum ExtSet {")
for rust, _ in sets:
    w(f"    {rust},")
w("    /// A `NonSemantic.` set that is not known: all operands are ids.")
w("    NonSemanticUnknown,")
w("}")
w("pub(super) fn ext_instructions(set: ExtSet) -> (&'static [ExtInst], &'static [(&'static str, u16)]) {")
w("    match set {")
for rust, _ in sets:
    w(f"        ExtSet::{rust} => (&{rust.upper()}_INSTRUCTIONS, &{rust.upper()}_INSTRUCTION_NAMES),")
w("        ExtSet::NonSemanticUnknown => (&[], &[]),")
w("    }")
w("}")
print("\n".join(out))
