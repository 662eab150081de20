#!/usr/bin/env python3
"""Reduces the machine-readable grammar of SPIR-V to the facts that generate.py reads.

    reduce.py SPIRV_HEADERS/include/spirv/unified1 COMMIT facts/grammar.json.xz

The grammar is that of SPIRV-Headers (Copyright 2014-2026 The Khronos Group Inc., MIT). Needs Python 3.9, no packages.
"""
import glob, json, lzma, os, sys

KEPT = {"major_version", "minor_version", "revision", "instructions", "operand_kinds", "opname", "aliases", "opcode", "class",
        "operands", "kind", "name", "quantifier", "capabilities", "extensions", "version", "lastVersion", "category",
        "enumerants", "enumerant", "value", "parameters"}


def kept(value):
    if isinstance(value, list):
        return [kept(v) for v in value]
    if isinstance(value, dict):
        return {k: kept(v) for k, v in value.items() if k in KEPT}
    return value


folder, commit, out = sys.argv[1:]
grammars = {"commit": commit}
for path in sorted(glob.glob(os.path.join(folder, "*.grammar.json"))):
    with open(path) as f:
        grammars[os.path.basename(path).removesuffix(".grammar.json")] = kept(json.load(f))
with lzma.open(out, "wt") as f:
    json.dump(grammars, f, separators=(",", ":"))
