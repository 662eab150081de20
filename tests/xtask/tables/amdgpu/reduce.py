#!/usr/bin/env python3
"""Reduces AMDGPU's target description to the facts that the generators read.

    llvm-tblgen --dump-json -I llvm/include -I llvm/lib/Target/AMDGPU llvm/lib/Target/AMDGPU/AMDGPU.td | reduce.py OUT_DIR

Writes *.jsonl.xz, one JSON object a line, derived from LLVM (Apache-2.0 WITH LLVM-exception). Python 3.9+, no packages.
"""
import json, lzma, os, re, sys

# Bits of an instruction that become flags.
FLAGS = """SALU VALU SOP1 SOP2 SOPC SOPK SOPP VOP1 VOP2 VOPC VOP3 VOP3P VINTRP SDWA DPP TRANS MUBUF MTBUF SMRD MIMG VIMAGE VSAMPLE EXP FLAT
DS LDSDIR VINTERP VOPD3 VM_CNT EXP_CNT LGKM_CNT Gather4 TENSOR_CNT ScalarStore ASYNC_CNT VOP3_OPSEL FPClamp IntClamp ClampLo ClampHi IsPacked
FlatGlobal ReadsModeReg FPAtomic IsMAI IsDOT FlatScratch IsAtomicNoRet IsAtomicRet IsWMMA TiedSourceNotRead IsNeverUniform GWS IsSWMMAC
IsSingle mayLoad mayStore hasSideEffects isBarrier isBranch isCall isCommutable isCompare isConvergent isIndirectBranch isMeta isMoveImm
isPreISelOpcode isReturn isTerminator isTrap""".split()

FOR_OPTIMIZERS = ("hasSideEffects", "isCommutable", "isCompare")


def names(records):
    return [r["def"] for r in records or []]


def operands(dag):
    """(ins Kind:$name, ...) as [[kind, name], ...]; what has no name is alone."""
    plain = lambda kind: kind["def"] if isinstance(kind, dict) else kind
    return [[plain(kind), name] if name else plain(kind) for kind, name in dag["args"]]


def expression(value):
    """A dag as [operator, argument, ...]."""
    if not isinstance(value, dict):
        return value
    if value["kind"] == "dag":
        return [value["operator"]["def"]] + [expression(argument) for argument, _ in value["args"]]
    return value["def"]


def runs(bits):
    """The bits of an encoding from the least significant: ["const", "0101"], ["field", name, first bit, count], ["any", count]."""
    out = []
    for bit in bits:
        last = out[-1] if out else [None]
        if bit is None:
            if last[0] == "any":
                last[1] += 1
            else:
                out.append(["any", 1])
        elif isinstance(bit, dict):
            name, index = bit.get("var", bit["printable"]), bit.get("index", 0)
            if last[0] == "field" and last[1] == name and last[2] + last[3] == index:
                last[3] += 1
            else:
                out.append(["field", name, index, 1])
        elif last[0] == "const":
            last[1] += str(bit)
        else:
            out.append(["const", str(bit)])
    return out


def predicates(record):
    return sorted(names(record["Predicates"]))


def present(row):
    return {key: value for key, value in row.items() if value not in (None, "", [], 0)}


def opcode(record):
    """What every opcode has that Machine IR can name."""
    return {
        "name": record["!name"],
        **present({
            "outs": operands(record["OutOperandList"]),
            "ins": operands(record["InOperandList"]),
            "constraints": record["Constraints"],
            "defs": names(record["Defs"]),
            "uses": names(record["Uses"]),
        }),
        "flags": [flag for flag in FLAGS if record.get(flag) == 1],
    }


def instruction(record):
    """One real instruction in one encoding."""
    row = opcode(record)
    row["flags"] = [flag for flag in row["flags"] if flag not in FOR_OPTIMIZERS]
    return {
        **row,
        "asm": record["AsmString"],
        "variant": record["AsmVariantName"],
        "size": record["Size"],
        "bits": runs(record["Inst"]),
        "sched": names(record["SchedRW"]),
        "asm_predicate": record["AssemblerPredicate"]["def"],
        "wave_predicate": record["WaveSizePredicate"]["def"],
        "true16_predicate": record["True16Predicate"]["def"],
        **present({
            "predicates": predicates(record),
            "asm_only": record["isAsmParserOnly"],
            "decoder_namespace": record["DecoderNamespace"],
            "match_converter": record["AsmMatchConverter"],
            "pseudo": record.get("PseudoInstr"),
        }),
    }


def function(text):
    """A function by its name; a closure by the word and the kind of immediate that it names."""
    if not (text or "").startswith("["):
        return text
    word, kind = re.search(r'"([^"]*)"', text), re.search(r"ImmTy\w+", text)
    return " ".join([f"'{word.group(1)}'"] + ([kind.group(0)] if kind else []))


def operand(all_records, record):
    match = record.get("ParserMatchClass")
    match = all_records[match["def"]] if match else {}
    default = re.search(r"ImmTy\w+", match.get("DefaultMethod") or "")
    default_ops = record.get("DefaultOps")
    kind = record.get("Type")
    return {
        "name": record["!name"],
        "classes": record["!superclasses"],
        **present({
            "operand_type": record.get("OperandType"),
            "print": function(record.get("PrintMethod")),
            "decoder": record.get("DecoderMethod"),
            "encoder": record.get("EncoderMethod"),
            "reg_class": record["RegClass"]["def"] if record.get("RegClass") else None,
            "type": kind["def"] if isinstance(kind, dict) else kind,
            "match_class": match.get("!name"),
            "match_name": match.get("Name"),
            "match_predicate": match.get("PredicateMethod"),
            "parser": function(match.get("ParserMethod")),
            "default": default.group(0) if default else None,
            "default_ops": expression(default_ops) if default_ops else None,
            "optional": match.get("IsOptional"),
        }),
    }


def alias(record):
    if "FromMnemonic" in record:
        row = {"from": record["FromMnemonic"], "to": record["ToMnemonic"], "variant": record["AsmVariantName"]}
    else:
        result = record["ResultInst"]
        row = {"inst_alias": record["AsmString"], "result": [result["operator"]["def"]] + operands(result)}
    return {**row, "predicates": predicates(record)}


def reduce(records):
    """Names of the files with their rows."""
    instances = records["!instanceof"]
    of = lambda kind: [records[name] for name in instances[kind]]
    opcodes = of("Instruction")
    yield "mir-opcodes", [opcode(r) for r in opcodes]
    yield "instructions", [instruction(r) for r in opcodes if not r["isPseudo"] and not r["isCodeGenOnly"]]
    yield "operands", [operand(records, r) for r in of("DAGOperand")]
    yield "register-classes", [
        {"name": r["!name"], "classes": r["!superclasses"], "size": r["Size"], "alignment": r["Alignment"],
         "types": names(r["RegTypes"]), "members": expression(r["MemberList"])} for r in of("RegisterClass")]
    yield "processors", [
        {"name": r["Name"], "features": names(r["Features"]), "sched": r["SchedModel"]["def"]} for r in of("Processor")]
    yield "features", [
        {"name": r["!name"], "option": r["Name"], "attribute": r["FieldName"], "value": r["Value"], "about": r["Desc"],
         "implies": names(r["Implies"])} for r in of("SubtargetFeature")]
    yield "predicates", [
        {"name": r["!name"], "cond": r["CondString"], "asm": bool(r.get("AssemblerMatcherPredicate")),
         "asm_condition": expression(r.get("AssemblerCondDag"))} for r in of("Predicate")]
    yield "aliases", [alias(r) for r in of("MnemonicAlias") + of("InstAlias")]


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    for name, rows in reduce(json.load(sys.stdin)):
        with lzma.open(os.path.join(out, name + ".jsonl.xz"), "wt") as f:
            for row in rows:
                f.write(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
