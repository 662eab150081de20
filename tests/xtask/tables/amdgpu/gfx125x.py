"""Rows of gfx1250 and gfx1251 that LLVM 22 has and the facts lack, written out: operands, modifiers, opcode.

Sources: the CDNA 5 instruction formats as `llvm-mc` of LLVM 22 assembles them (Apache-2.0 WITH LLVM-exception).
"""
import re
from kinds import copied

# kinds of sources: the long form's kind, the first and the other sources' kinds under DPP
FORMS = {
    "b32": ("VSrc_b32", "VGPRSrc_32", "VCSrc_b32"), "f32": ("VSrc_f32", "VGPRSrc_32", "VCSrc_f32"),
    "b16": ("VSrc_b16", "VGPRSrc_32", "VCSrc_b16"), "t16": ("VSrcT_b16", "VGPRSrc_16", "VCSrcT_b16"),
    "f16": ("VSrc_f16", "VGPRSrc_32", "VCSrc_f16"), "tf16": ("VSrcT_f16", "VGPRSrc_16", "VCSrcT_f16"),
    "v2f16": ("VSrc_v2f16", "VGPRSrc_32", "VCSrc_v2f16"), "b64": ("VSrc_b64",) * 3, "v2b32": ("VSrc_v2b32",) * 3, "s32": ("SSrc_b32",) * 3,
    "u64": ("VSrc_b64", "VRegSrc_64", "VRegSrc_64"), "f64": ("VSrc_f64", "VRegSrc_64", "VRegSrc_64"),
}
FORMS.update({f"v{n}": (f"VRegSrc_{n}",) * 3 for n in (32, 64, 96, 128, 256, 512, 1024)})
# kinds of source modifiers, likewise
MODS = {
    "f32": ("FP32InputMods", "FPVRegInputMods", "FP32VCSrcInputMods"),
    "i32": ("Int32InputMods", "IntVRegInputMods", "Int32VCSrcInputMods"),
    "i16": ("anonymous_14335", "anonymous_9873", "anonymous_9878"),
    "t16": ("anonymous_14294", "anonymous_14301", "anonymous_14304"),
    "f16": ("anonymous_14212", "anonymous_9803", "anonymous_9810"),
    "tf16": ("anonymous_14165", "anonymous_14174", "anonymous_14177"),
    "f32t": ("FP32T16DstInputMods", "FPVRegT16DstInputMods", "FP32VCSrcInputMods"),
    "i32t": ("Int32T16DstInputMods", "IntVRegT16DstInputMods", "Int32VCSrcInputMods"),
}
DST = {16: "VOPDstOperand_t16", 32: "anonymous_9774", 64: "anonymous_9780"}
DST.update({n: f"VReg_{n}" for n in (96, 128, 192, 256, 512)})
KINDS = {"clamp": "Clamp0", "omod": "omod0", "op_sel": "op_sel0", "byte_sel": "ByteSel0", "bitop3": "bitop3_0",
         "scale_sel": "ScaleSel"}
# bits of a modifier in the 64-bit form: (bit of the operand, bit of the encoding)
PLACES = {"clamp": [(0, 15)], "omod": [(0, 59), (1, 60)], "byte_sel": [(0, 13), (1, 14)], "op_sel": [],
          "bitop3": [(0, 61), (1, 62), (2, 63), (3, 8), (4, 9), (5, 10), (6, 59), (7, 60)],
          "scale_sel": [(0, 11), (1, 12), (2, 13), (3, 14)]}


def fields(bits):
    """{encoding bit: 0, 1 or (operand, bit)} as the facts write bits."""
    out = []
    for i in range(max(bits) + 1):
        b = bits.get(i, 0)
        if isinstance(b, tuple):
            if out and out[-1][0] == "field" and out[-1][1] == b[0] and out[-1][2] + out[-1][3] == b[1]:
                out[-1][3] += 1
            else:
                out.append(["field", b[0], b[1], 1])
        elif out and out[-1][0] == "const":
            out[-1][1] += str(b)
        else:
            out.append(["const", str(b)])
    return out


def vop3(name, opcode, dst, srcs, tail=(), dpp=False, true16="", tied="", flags=()):
    """Rows of one instruction. srcs: (form, modifiers or None) each; tail: modifiers in the order they are written."""
    out = []
    for form in ["e64", "dpp", "dpp8"] if dpp else ["e64"]:
        at = 0 if form == "e64" else 1
        bits = {26: 1, 27: 0, 28: 1, 29: 0, 30: 1, 31: 1, 63: 0}
        bits.update({16 + i: opcode >> i & 1 for i in range(10)})
        bits.update({i: ("vdst", i) for i in range(8)})
        ins, asm = [], []
        if at:
            ins.append([DST[dst], "old"])
        half = "op_sel" in tail or any(m in ("t16", "tf16", "f16", "i16") for _, m in srcs)
        for i, (f, m) in enumerate(srcs):
            k = at * (2 if i else 1)
            if m:
                mod = f"src{i}_modifiers"
                ins.append([MODS[m][k], mod])
                if m not in ("i16", "t16", "i32", "i32t"):
                    bits[61 + i] = (mod, 0)
                    bits[8 + i] = (mod, 1)
                if half:
                    bits[11 + i] = (mod, 2)
            ins.append([FORMS[f][k], f"src{i}"])
            asm.append(f"$src{i}_modifiers" if m and m not in ("i16", "t16", "i32", "i32t") else f"$src{i}")
            if at and i == 0:
                continue
            bits.update({32 + 9 * i + b: (f"src{i}", b) for b in range(9)})
        if half or dst == 16:
            bits[14] = ("src0_modifiers", 3)
        if "byte_sel" in tail:
            bits.pop(13, None)
        for t in tail:
            if t == "clamp" and tied:
                ins.append([KINDS[t], t])
            bits.update({place: (t, b) for b, place in PLACES[t]})
        if tied:
            ins.append([tied, "vdst_in"])
        ins += [[KINDS[t], t] for t in tail if not (t == "clamp" and tied)]
        text = name + ("$vdst, " if DST[dst].startswith(("VOPDst", "anon")) else " $vdst, ") + ", ".join(asm) + "".join("$" + t for t in tail)
        row = {"name": f"{name.upper()}_{true16 and true16 + '_'}{form if form == 'e64' else 'e64_' + form}_gfx1250"}
        row["variant"], row["size"], row["match_converter"] = "VOP3", 8, "cvtVOP3OpSel" if half else "cvtVOP3"
        row["flags"] = ["VALU", "VOP3", "IsSingle", *flags] + ["VOP3_OPSEL"] * ("op_sel" in tail)
        row["constraints"] = "$vdst = $vdst_in" if tied else None
        if at:
            row["variant"], row["size"], row["match_converter"] = "VOP3_DPP", 12, "cvtVOP3" + form.upper()
            row["flags"] = row["flags"] + ["DPP"]
            row["constraints"] = "$old = $vdst"
            dpp_operands(row, form, bits, ins, 32, 64)
            text += " $dpp_ctrl$row_mask$bank_mask$bound_ctrl$fi" if form == "dpp" else " $dpp8$fi"
        finish(row, text, dst, ins, bits, true16)
        out.append(row)
    return out


def dpp_operands(row, form, bits, ins, src0, extra):
    """Puts the DPP selector in the first source's place (bit src0) and its fields at bit extra."""
    bits.update({extra + b: ("src0", b) for b in range(8)})
    if form == "dpp":
        bits.update({src0 + b: 250 >> b & 1 for b in range(9)})
        bits.update({extra + 8 + b: ("dpp_ctrl", b) for b in range(9)})
        bits.update({extra + 17: 0, extra + 18: ("fi", 0), extra + 19: ("bound_ctrl", 0)})
        bits.update({extra + 24 + b: ("bank_mask", b) for b in range(4)})
        bits.update({extra + 28 + b: ("row_mask", b) for b in range(4)})
        ins += [["dpp_ctrl", "dpp_ctrl"], ["DppRowMask", "row_mask"], ["DppBankMask", "bank_mask"],
                ["DppBoundCtrl", "bound_ctrl"], ["Dpp16FI", "fi"]]
    else:
        bits.update({src0 + b: ("fi", b) for b in range(9)})
        bits.update({extra + 8 + b: ("dpp8", b) for b in range(24)})
        ins += [["dpp8", "dpp8"], ["Dpp8FI", "fi"]]


def finish(row, text, dst, ins, bits, true16):
    row.update(asm=text, outs=[[DST.get(dst, dst), "vdst"]], ins=ins, bits=fields(bits), asm_predicate="isGFX125xOnly",
               predicates=["isGFX125xOnly"], wave_predicate="NoWavePredicate", true16_predicate="NoTrue16Predicate",
               decoder_namespace="GFX1250" if true16 != "fake16" else "GFX1250_FAKE16", defs=[], uses=["EXEC"],
               sched=["Write32Bit"])
    if true16:
        row["true16_predicate"] = "UseRealTrue16Insts" if true16 == "t16" else "UseFakeTrue16Insts"
        row["predicates"].append(row["true16_predicate"])


def halves(name, opcode, make):
    """The forms for halves of registers and for whole ones."""
    return make(name, opcode, "t16") + make(name, opcode, "fake16")


def new_rows():
    out = vop3("v_bitop3_b32", 0x234, 32, [("b32", None)] * 3, ["bitop3"], True)
    out += halves("v_bitop3_b16", 0x233, lambda n, o, t: vop3(
        n, o, 16 if t == "t16" else 32, [("t16", "t16") if t == "t16" else ("b16", "i16")] * 3, ["bitop3", "op_sel"], True, t))
    for n, o in (("i8", 0x290), ("u8", 0x291)):
        # under DPP LLVM 22 has only the form for whole registers
        made = halves(f"v_ashr_pk_{n}_i32", o, lambda n, o, t: vop3(
            n, o, 16 if t == "t16" else 32, [("b32", "i32")] * 3, ["op_sel"], True, t))
        out += [r | {"since": 24} if "t16_e64_dpp" in r["name"] and "fake16" not in r["name"] else r for r in made]
        out += [r | {"name": r["name"].replace("_I32_", "_I32_whole_")} for r in vop3(
            f"v_ashr_pk_{n}_i32", o, 32, [("b32", "i32")] * 3, ["op_sel"], True, "t16")[1:]]
    for n, o in (("bf16", 0x36D), ("f16", 0x36F)):
        out += vop3(f"v_cvt_pk_{n}_f32", o, 32, [("f32", "f32")] * 2, ["clamp", "omod"], True)
    for n, o in (("bf16", 0x36E), ("f16", 0x370)):
        out += vop3(f"v_cvt_sr_pk_{n}_f32", o, 32, [("f32", "f32")] * 2 + [("b32", "i32")], ["clamp", "omod"], True)
    for n, o in (("fp8", 0x372), ("bf8", 0x373)):
        out += halves(f"v_cvt_pk_{n}_f16", o, lambda n, o, t: vop3(
            n, o, 16 if t == "t16" else 32, [("v2f16", "f32t" if t == "t16" else "f32")], ["op_sel", "clamp"], True, t))
    out += halves("v_cvt_pk_fp8_f32", 0x369, lambda n, o, t: vop3(
        n, o, 16 if t == "t16" else 32, [("f32", "f32t" if t == "t16" else "f32"), ("f32", "f32")], ["op_sel", "clamp"], True, t,
        "VGPR_16" if t == "t16" else "VGPR_32"))
    out += vop3("v_cvt_sr_fp8_f32", 0x36B, 32, [("f32", "f32"), ("b32", "i32")], ["byte_sel", "clamp"], True, "", "VGPR_32")
    for n, o in (("fp8", 0x374), ("bf8", 0x375)):
        out += halves(f"v_cvt_sr_{n}_f16", o, lambda n, o, t: vop3(
            n, o, 32, [("tf16", "tf16") if t == "t16" else ("f16", "f16"), ("b32", "i32")], ["op_sel", "byte_sel"], True, t, "VGPR_32"))
    out += vop3("v_perm_pk16_b4_u4", 0x23F, 64, [("b32", None), ("b32", None), ("v2b32", None)])
    out += vop3("v_perm_pk16_b6_u4", 0x242, 96, [("b32", None), ("b64", None), ("v2b32", None)])
    out += vop3("v_perm_pk16_b8_u4", 0x243, 128, [("b64", None), ("b64", None), ("v2b32", None)])
    for i, n in enumerate(("bcast", "up", "down", "xor")):
        out += vop3(f"v_permlane_{n}_b32", 0x270 + i, 32, [("v32", None), ("s32", None), ("s32", None)])
    out += vop3("v_permlane_idx_gen_b32", 0x314, 32, [("v32", None), ("s32", None)])
    # conversions of 8 or 16 numbers at once; sizes in bits of the wide side and of the narrow one
    wide = {"f32": 32, "f16": 16, "bf16": 16}
    narrow = {"fp8": 8, "bf8": 8, "fp4": 4, "fp6": 6, "bf6": 6}
    scale = {0x2AA: "8_f32_fp8", 0x2AD: "8_f32_bf8", 0x2A1: "8_f32_fp4", 0x2A8: "8_f16_fp8", 0x2A9: "8_bf16_fp8", 0x2AB: "8_f16_bf8",
             0x2AC: "8_bf16_bf8", 0x29F: "8_f16_fp4", 0x2A0: "8_bf16_fp4", 0x2C9: "16_f32_fp6", 0x2CC: "16_f32_bf6",
             0x2C7: "16_f16_fp6", 0x2CA: "16_f16_bf6", 0x2C8: "16_bf16_fp6", 0x2CB: "16_bf16_bf6"}
    for o, n in scale.items():
        count, to, of = n.split("_")
        out += vop3(f"v_cvt_scale_pk{n}", o, int(count) * wide[to], [(f"v{int(count) * narrow[of]}", None), ("b32", None)], ["scale_sel"])
    back = {0x2C3: "8_fp8_f32", 0x2C5: "8_bf8_f32", 0x2B0: "8_fp4_f32", 0x2C4: "8_fp8_f16", 0x2C6: "8_bf8_f16", 0x2B3: "8_fp4_f16",
            0x2B4: "8_fp8_bf16", 0x2B5: "8_bf8_bf16", 0x2B8: "8_fp4_bf16", 0x2CD: "16_fp6_f32", 0x2CE: "16_bf6_f32",
            0x2CF: "16_fp6_f16", 0x2D0: "16_bf6_f16", 0x2D1: "16_fp6_bf16", 0x2D2: "16_bf6_bf16"}
    random = {0x298: "8_fp8_f32", 0x299: "8_bf8_f32", 0x297: "8_fp4_f32", 0x2BF: "8_fp8_f16", 0x2C1: "8_bf8_f16", 0x2B9: "8_fp4_f16",
              0x2C0: "8_fp8_bf16", 0x2C2: "8_bf8_bf16", 0x2BC: "8_fp4_bf16", 0x2D3: "16_fp6_f32", 0x2D4: "16_bf6_f32",
              0x2D5: "16_fp6_f16", 0x2D6: "16_bf6_f16", 0x2D7: "16_fp6_bf16", 0x2D8: "16_bf6_bf16"}
    for table, sr in ((back, ""), (random, "sr_")):
        for o, n in table.items():
            count, to, of = n.split("_")
            srcs = [(f"v{int(count) * wide[of]}", None)] + [("b32", None)] * bool(sr) + [("f32", None)]
            out += vop3(f"v_cvt_scalef32_{sr}pk{n}", o, int(count) * narrow[to], srcs)
    return out


def like(rows):
    """Rows that another generation has in the same form, with opcodes of their own."""
    by = {r["name"]: r for r in rows}
    out = []

    def lend(source, name, old, new, values, **changes):
        r = copied(by[source])
        r["asm"] = re.sub(r"^" + old, new, r["asm"])
        r["name"], r["lent"] = name, source
        r.pop("pseudo", None)
        r["predicates"] = [p for p in r.get("predicates", []) if "True16" in p] + ["isGFX125xOnly"]
        r["asm_predicate"] = "isGFX125xOnly"
        r["decoder_namespace"] = "GFX1250_FAKE16" if "fake16" in source else "GFX1250"
        pos, bits = 0, []
        for b in r["bits"]:
            n = len(b[1]) if b[0] == "const" else b[1] if b[0] == "any" else b[3]
            if b[0] == "const":
                b = ["const", "".join(str(values >> (pos + i) & 1) for i in range(n))]
            bits.append(b)
            pos += n
        r["bits"] = bits
        r.update(changes)
        out.append(r)

    # opcodes in VOP1 and their long forms, which add 0x180
    short = [("v_prng_b32", "v_not_b32", "V_NOT_B32_{}_gfx12", 0x4B, [""]),
             ("v_sat_pk4_i4_i8", "v_sat_pk_u8_i16", "V_SAT_PK_U8_I16V_SAT_PK_U8_I16_{}_gfx12", 0x73, ["t16", "fake16"]),
             ("v_sat_pk4_u4_u8", "v_sat_pk_u8_i16", "V_SAT_PK_U8_I16V_SAT_PK_U8_I16_{}_gfx12", 0x74, ["t16", "fake16"])]
    for name, old, pattern, op, kinds in short:
        for k in kinds:
            for form in ("e32", "dpp", "dpp8", "e64", "e64_dpp", "e64_dpp8"):
                source = pattern.format(f"{k}_{form}" if k else form)
                long = form.startswith("e64")
                v = (0xD4000000 | (0x180 + op) << 16) if long else 0x7E000000 | op << 9
                if "dpp" in form and "dpp8" not in form:
                    v |= 250 << (32 if long else 0)
                lend(source, f"{name.upper()}_{k and k + '_'}{form}_gfx1250", old, name, v)
    lend("V_PERMLANE16_SWAP_B32_e32_gfx9", "V_PERMLANE16_SWAP_B32_e32_gfx1250", "", "", 0x7E000000 | 0x49 << 9)
    lend("V_PERMLANE16_SWAP_B32_e64_gfx9", "V_PERMLANE16_SWAP_B32_e64_gfx1250", "", "", 0xD4000000 | 0x1C9 << 16)
    for scope, seg in (("flat", 0xEC), ("global", 0xEE)):
        for source, name in (("GLOBAL_LOAD_DWORD_gfx12", ""), ("GLOBAL_LOAD_DWORD_SADDR_gfx12", "SADDR_")):
            asm = by[source]["asm"].replace("global_load_b32 $vdst, ", scope + "_prefetch_b8 ")
            if scope == "flat":
                asm = asm.replace(", off", "")
            lend(source, f"{scope.upper()}_PREFETCH_B8_{name}gfx1250", "", "", seg << 24 | 0x5D << 14 | (0 if name else 0x7C), asm=asm, outs=[])
            bits = {i: (seg << 24 | 0x5D << 14 | 0x7C) >> i & 1 for i in range(64)}
            if name:
                bits.update({i: ("saddr", i) for i in range(7)})
            bits.update({50 + i: ("cpol", (i + 3) % 5) for i in range(5)})
            bits.update({64 + i: ("vaddr", i) for i in range(8)})
            bits.update({72 + i: ("offset", i) for i in range(24)})
            out[-1]["bits"] = fields(bits)
    return out


def expand(bits):
    """{encoding bit: 0, 1 or (operand, bit)}, the inverse of fields()."""
    out, pos = {}, 0
    for b in bits:
        if b[0] == "field":
            out.update({pos + i: (b[1], b[2] + i) for i in range(b[3])})
            pos += b[3]
        elif b[0] == "const":
            out.update({pos + i: int(c) for i, c in enumerate(b[1])})
            pos += len(b[1])
        else:
            out.update({pos + i: 0 for i in range(b[1])})
            pos += b[1]
    return out


# 64-bit instructions that gfx1251 has with DPP: one and two sources in the short form, and only the long form
DP_SHORT = """v_ceil_f64 v_cvt_f32_f64 v_cvt_f64_f32 v_cvt_f64_i32 v_cvt_f64_u32 v_cvt_i32_f64 v_cvt_u32_f64 v_floor_f64 v_fract_f64
v_frexp_exp_i32_f64 v_frexp_mant_f64 v_rndne_f64 v_trunc_f64 v_lshlrev_b64 v_max_num_f64 v_min_num_f64 v_mul_f64 v_add_f64
v_add_nc_u64 v_sub_nc_u64""".split()
DP_LONG = """v_ashrrev_i64 v_div_fixup_f64 v_div_fmas_f64 v_div_scale_f64 v_fma_f64 v_ldexp_f64 v_lshrrev_b64 v_mad_co_i64_i32
v_mad_co_u64_u32 v_mad_nc_i64_i32 v_mad_nc_u64_u32 v_mad_u32 v_maximum_f64 v_minimum_f64 v_max_i64 v_max_u64 v_min_i64
v_min_u64 v_mul_hi_i32 v_mul_hi_u32 v_mul_lo_u32 v_lshl_add_u64 v_fmac_f64 v_mov_b64""".split()
SHARED = {"VSrc_b32": ("VGPRSrc_32", "VCSrc_b32"), "VSrc_f32": ("VGPRSrc_32", "VCSrc_f32"), "VSrc_b64": ("VReg_64", "VCSrc_b64"),
          "VSrc_f64": ("VReg_64", "VCSrc_f64"), "FP64InputMods": ("FPVRegInputMods", "FP64VCSrcInputMods"),
          "FP32InputMods": ("FPVRegInputMods", "FP32VCSrcInputMods"), "Int32InputMods": ("IntVRegInputMods", "Int32VCSrcInputMods")}


def double(rows):
    """DPP forms of 64-bit instructions."""
    out = []
    for r in rows:
        mnemonic = re.match(r"[^\s$]+", r["asm"]).group().replace("{_e64}", "")
        ours = re.search(r"_(gfx12|gfx1250)$|_like_.*_gfx12$", r["name"]) and "dpp" not in r["name"]
        long = r["variant"] == "VOP3"
        if not ours or not (mnemonic in DP_SHORT or (mnemonic in DP_LONG and long)) or r["variant"] not in ("Default", "VOP3"):
            continue
        d = copied(r)
        bits = expand(r["bits"])
        d["name"] += "_dpp"
        d.pop("pseudo", None)
        ins = [["VReg_64" if r["outs"][0][0] == "anonymous_9780" else r["outs"][0][0], "old"]]
        float_mods = not long and any(k == "VSrc_f64" or (k == "VSrc_f32") for k, _ in r["ins"])
        for k, n in r["ins"]:
            second = n[:4] in ("src1", "src2")
            if not long and n in ("src0", "src1"):
                if float_mods:
                    ins.append(["FPVRegInputMods", n + "_modifiers"])
                ins.append(["VGPRSrc_32" if k in ("VSrc_b32", "VSrc_f32") else "VReg_64", n])
            else:
                ins.append([SHARED.get(k, (k, k))[second], n])
        asm = r["asm"]
        if float_mods:
            asm = asm.replace("$src0", "$src0_modifiers").replace("$src1", "$src1_modifiers")
        extra = 64 if long else 32
        dpp_operands(d, "dpp", bits, ins, 32 if long else 0, extra)
        if float_mods:
            for i, n in enumerate(x for x in ("src0", "src1") if "$" + x in r["asm"]):
                bits.update({extra + 20 + 2 * i: (n + "_modifiers", 0), extra + 21 + 2 * i: (n + "_modifiers", 1)})
        d.update(asm=asm + " $dpp_ctrl$row_mask$bank_mask$bound_ctrl$fi", ins=ins, bits=fields({i: bits.get(i, 0) for i in range(extra + 32)}),
                 variant="VOP3_DPP" if long else "DPP", size=r["size"] + 4 if long else 8, constraints="$old = $vdst",
                 match_converter="cvtVOP3DPP" if long else "cvtDPP", flags=r["flags"] + ["DPP"], decoder_namespace="GFX1250",
                 predicates=r.get("predicates", []) + ["HasDPALU_DPP", "isGFX125xOnly"])
        out.append(d)
    return out


SIZES = {"f8": 512, "f6": 384, "f4": 256}
MATRIX = ["matrix_a_fmt", "matrix_b_fmt", "matrix_a_scale", "matrix_b_scale", "matrix_a_scale_fmt", "matrix_b_scale_fmt",
          "matrix_a_reuse", "matrix_b_reuse"]


def operand_name(n):
    """`matrix_a_fmt` as the facts name its kind."""
    return "".join(p.upper() if p == "fmt" and n.count("_") == 2 else p.capitalize() for p in n.split("_"))


def kinds(info):
    """Kinds of operands that only these rows have."""
    for n in MATRIX[:6] + ["scale_sel"]:
        k = operand_name(n)
        o = copied(info["MatrixAReuse"])
        o.update(name=k, match_name=k, match_predicate="is" + k, parser="parse" + k, default="ImmTy" + k, print=f"'{n}'")
        info[k] = o
    for n in ("NoInline", "Splat"):
        o = copied(info["VSrc_v2f16"])
        o.update(name=f"VSrc_{n}_v2f16", operand_type=f"OPERAND_REG_IMM_{n.upper()}_V2FP16")
        info[f"VSrc_{n}_v2f16"] = o
    # two numbers of 64 bits, one literal for both
    for k, like in (("VSrc_v2f64", "VSrc_f64"), ("VSrc_v2b64", "VSrc_b64")):
        info[k] = copied(info[like])
        info[k].update(name=k, match_name=k, reg_class="VS_128")
    info["AnySDWAInputMods"] = copied(info["Int32SDWAInputMods"])
    info["AnySDWAInputMods"].update(name="AnySDWAInputMods", parser="Any")
    info["WaitEvent"] = copied(info["s16imm"])
    info["WaitEvent"].update(name="WaitEvent", match_name="WaitEvent", match_predicate="isWaitEvent", print="printWaitEvent")
    o = copied(info["VRegSrc_512"])
    o.update(name="VRegSrc_384", reg_class="VReg_384")
    info["VRegSrc_384"] = o


def matrix():
    """Matrix products in 8-, 6- and 4-bit formats, with and without scales."""
    out = []
    scale = {8: ("matrix_b_scale_fmt", 0), 9: ("matrix_b_scale_fmt", 1), 11: ("matrix_a_scale", 0), 13: ("matrix_a_reuse", 0),
             14: ("matrix_b_reuse", 0), 59: ("matrix_b_scale", 0), 61: ("matrix_a_scale_fmt", 0), 62: ("matrix_a_scale_fmt", 1)}
    scale.update({32 + i: ("scale_src0", i) for i in range(9)})
    scale.update({41 + i: ("scale_src1", i) for i in range(9)})

    def head(op):
        bits = {i: 0 for i in range(64)}
        bits.update({i: 0xCC000000 >> i & 1 for i in range(24, 32)})
        bits.update({16 + i: op >> i & 1 for i in range(8)})
        return bits

    def product(op, formats):
        bits = head(op)
        bits.update({i: ("vdst", i) for i in range(8)})
        for k, s in enumerate(("src0", "src1", "src2")):
            bits.update({32 + 9 * k + i: (s, i) for i in range(9)})
        bits.update({10: ("src2_modifiers", 1), 63: ("src2_modifiers", 0)})
        if formats:
            bits.update({11 + i: ("matrix_a_fmt", i) for i in range(3)})
            bits.update({59: ("matrix_b_fmt", 0), 60: ("matrix_b_fmt", 1), 14: ("matrix_b_fmt", 2)})
        else:
            bits.update({14: 1, 59: 1, 60: 1})
        return bits

    def row(name, suffix, dst, ins, words, bits, flags):
        r = {"name": f"{name.upper()}{suffix}_gfx1250", "variant": "VOP3", "size": (max(bits) + 8) // 8, "constraints": None,
             "match_converter": "cvtVOP3P", "flags": ["VALU", "VOP3", "VOP3P", "IsPacked", *flags]}
        text = name + (" " + words)
        finish(r, text, dst or 32, ins, bits, "")
        if not dst:
            r["outs"] = []
        out.append(r)

    def imm(names):
        return [[operand_name(n), n] for n in names]

    for a, na in SIZES.items():
        for b, nb in SIZES.items():
            ins = [[f"VRegSrc_{na}", "src0"], [f"VRegSrc_{nb}", "src1"], ["PackedF16InputMods", "src2_modifiers"], ["VISrc_256_f32", "src2"]]
            neg = [["neg_lo0", "neg_lo"], ["neg_hi0", "neg_hi"]]
            row("v_wmma_f32_16x16x128_f8f6f4", f"_{a}_{b}", 256, ins + imm(MATRIX[:2]) + neg,
                "$vdst, $src0, $src1, $src2$matrix_a_fmt$matrix_b_fmt$neg_lo$neg_hi", product(0x33, True), ["IsWMMA"])
            for n, k, op in (("scale", "VCSrc_b32", 0x35), ("scale16", "VCSrc_b64", 0x3A)):
                scales = [[k, "scale_src0"], [k, "scale_src1"]]
                bits = {**head(op), **scale, 58: 1, **{64 + i: v for i, v in product(0x33, True).items()}}
                row(f"v_wmma_{n}_f32_16x16x128_f8f6f4", f"_{a}_{b}", 256, ins + scales + imm(MATRIX) + neg,
                    "$vdst, $src0, $src1, $src2, $scale_src0, $scale_src1" + "".join("$" + m for m in MATRIX) + "$neg_lo$neg_hi", bits, ["IsWMMA"])
    for n, k, op in (("scale", "VCSrc_b32", 0x35), ("scale16", "VCSrc_b64", 0x3A)):
        scales = [[k, "scale_src0"], [k, "scale_src1"]]
        ins = [["VRegSrc_512", "src0"], ["VRegSrc_256", "src1"], ["PackedF16InputMods", "src2_modifiers"], ["VISrc_512_b32", "src2"]]
        bits = {**head(op), **scale, 58: 1, **{64 + i: v for i, v in product(0x88, False).items()}}
        row(f"v_wmma_{n}_f32_32x16x128_f4", "", 512, ins + scales + imm(MATRIX[2:]) + [["neg_lo0", "neg_lo"], ["neg_hi0", "neg_hi"]],
            "$vdst, $src0, $src1, $src2, $scale_src0, $scale_src1" + "".join("$" + m for m in MATRIX[2:]) + "$neg_lo$neg_hi", bits, ["IsWMMA"])
        name = "v_wmma_ld_scale_paired_b32" if n == "scale" else "v_wmma_ld_scale16_paired_b64"
        row(name, "", 0, scales + imm(MATRIX[2:]), "$scale_src0, $scale_src1" + "".join("$" + m for m in MATRIX[2:]), {**head(op), **scale, 58: 1}, [])
    return out
