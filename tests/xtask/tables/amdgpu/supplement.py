"""What LLVM 22 knows and the facts lack: processors, features and instruction rows, and corrections to rows."""
import json, os, re
import gfx125x, llvm24
from kinds import copied


def machine(m):
    """Adds gfx1251, which LLVM 22 has as gfx1250 with a few features more."""
    m.predicates["NotGFX1250"] = {"name": "NotGFX1250", "asm": True,
                                  "asm_condition": ["all_of", ["not", "FeatureGFX1250Insts"]]}
    # LLVM 22 has features for these, which every processor with a name has
    m.predicates["IsNamed"] = {"name": "IsNamed", "asm": True, "asm_condition": ["all_of", "FeatureFP64"]}
    have = {p["name"] for p in m.processors}
    if "gfx1251" not in have:
        p = next(p for p in m.processors if p["name"] == "gfx1250")
        q = copied(p)
        q["name"] = "gfx1251"
        q["features"] = q["features"] + ["FeatureDPALU_DPP"]
        m.processors.append(q)
    # The assembler takes a processor without features to be of the first generation, with none of its features.
    next(p for p in m.processors if p["name"] == "generic")["alone"] = ["FeatureSouthernIslands"]
    # LLVM 22 takes halves of registers (`v0.l`) on these as it does on gfx1100.
    for p in m.processors:
        if p["name"] in ("gfx11-generic", "gfx1150", "gfx1151", "gfx1152", "gfx1153"):
            p["features"] = p["features"] + ["FeatureRealTrue16Insts"]
        # LLVM 22 lists it for these, LLVM 21 does not
        if re.match(r"gfx1(1|20|2-)", p["name"]):
            p["features"] = p["features"] + ["FeatureBackOffBarrier"]
    llvm24.machine(m)


def learned(rows):
    """Rows found by learn.py: another row's operands with constant bits of their own."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "llvm22.json")
    by_name = {r["name"]: r for r in rows}
    with open(path) as f:
        found = json.load(f)
        # what takes whole registers takes their halves too, with `+real-true16`
        found += [[new, like.replace("_fake16_", "_t16_"), value, subst] for new, like, value, subst in found if "_fake16_" in like]
        for new, like, value, subst in found:
            r = copied(by_name[like])
            r["asm"] = re.sub(r"^[^\s$]+", new, r["asm"])
            r["name"] = f"{new.upper()}_like_{like}"
            r.pop("pseudo", None)
            r["lent"] = like
            for part in ("outs", "ins"):
                r[part] = [[subst.get(n, subst.get(k, k)), n] for k, n in r.get(part, [])]
            if r["variant"] == "VOP3" and re.match(r"v_(add_nc|sub_nc|mul|max|min)_[ui]64", new):
                r["ins"] = [["VSrc_b64" if n == "src1" else k, n] for k, n in r["ins"]]
            if re.match(r"v_(max|min)_[ui]64", new):
                r["flags"] = r["flags"] + ["IsSingle"]
            if new.startswith("flat_"):
                # may access LDS, unlike the global instruction whose operands it has
                r["flags"] = [flag for flag in r["flags"] if flag != "FlatGlobal"]
            if "_load_async_to_lds_" in new:
                # the address in LDS, where a load has its result
                r["outs"], r["ins"] = [], r["outs"] + r["ins"]
            v, pos, bits = int(value, 16), 0, []
            for b in r["bits"]:
                n = len(b[1]) if b[0] == "const" else b[1] if b[0] == "any" else b[3]
                if b[0] == "const":
                    b = ["const", "".join(str(v >> (pos + i) & 1) for i in range(n))]
                bits.append(b)
                pos += n
            r["bits"] = bits
            where = "isGFX12Plus" if re.match(r"s_barrier_(init|join|leave)", new) else "isGFX125xOnly"
            r["asm_predicate"] = where
            r["predicates"] = [p for p in r.get("predicates", []) if "True16" in p or "Wave" in p] + [where]
            r["true16_predicate"] = next((p for p in r["predicates"] if "True16" in p), r["true16_predicate"])
            if r.get("decoder_namespace"):
                r["decoder_namespace"] = "GFX1250_FAKE16" if "FAKE16" in r["decoder_namespace"] else "GFX1250"
            rows.append(r)


def policies(r):
    """Gives gfx1250's `nv` and `scale_offset` their bits."""
    if not re.search(r"_gfx12(50)?$|_like_\w+_gfx12$", r["name"]) or not any(n == "cpol" for _, n in r.get("ins", [])):
        return
    bits = gfx125x.expand(r["bits"])
    nv, scale = (20, 56) if "SMRD" in r.get("flags", []) else (7, 48)
    bits[nv] = ("cpol", 5)
    if "FLAT" in r.get("flags", []) or nv == 20:
        bits[scale] = ("cpol", 11)
    r["bits"] = gfx125x.fields(bits)


def clamped(r):
    """Gives a long form `clamp`."""
    if any(n == "clamp" for _, n in r["ins"]):
        return
    bits = gfx125x.expand(r["bits"])
    bits[15] = ("clamp", 0)
    r["bits"] = gfx125x.fields(bits)
    at = next((i for i, (_, n) in enumerate(r["ins"]) if n in ("dpp_ctrl", "dpp8")), len(r["ins"]))
    r["ins"] = r["ins"][:at] + [["Clamp0", "clamp"]] + r["ins"][at:]
    operands, dpp, control = r["asm"].partition(" $dpp")
    r["asm"] = operands + "$clamp" + dpp + control


def halves(r):
    """Gives an interpolation in two steps the bits that select halves of its sources and of its result."""
    bits = gfx125x.expand(r["bits"])
    bits.update({11: ("src0_modifiers", 2), 13: ("src2_modifiers", 2), 14: ("src0_modifiers", 3)})
    r.update(bits=gfx125x.fields(bits), asm=r["asm"] + "$op_sel", ins=r["ins"] + [["op_sel0", "op_sel"]])


def selected(r):
    """What a long form with whole registers has once it selects halves of its source and of its result."""
    bits = gfx125x.expand(r["bits"])
    bits.update({11: ("src0_modifiers", 2), 14: ("src0_modifiers", 3)})
    converter = "cvtVOP3OpSel" if r["variant"] == "VOP3" else r["match_converter"]
    return {"bits": gfx125x.fields(bits), "asm": r["asm"].replace("$src0_modifiers", "$src0_modifiers$op_sel"),
            "ins": r["ins"] + [["op_sel0", "op_sel"]], "match_converter": converter}


# rows that LLVM 22 no longer has
GONE = re.compile(r"^V_PK_FMAC_F16_dpp8?_gfx1[12]|^V_FMAC_F64_(e64_)?dpp8_gfx12")


def rows(rows, aliases, operands):
    rows[:] = [r for r in rows if not GONE.match(r["name"])]
    learned(rows)
    gfx125x.kinds(operands)
    rows += gfx125x.like(rows) + gfx125x.new_rows() + gfx125x.double(rows) + gfx125x.matrix()
    # names of older generations that the assembler still takes
    aliases += [{"from": f"{s}_atomic_{n}_f64", "to": f"{s}_atomic_{n}_num_f64", "predicates": ["isGFX125xOnly"]}
                for s in ("buffer", "flat", "global") for n in ("min", "max")]
    aliases += [{"from": f, "to": t, "predicates": ["isGFX125xOnly"]} for f, t in [
        ("v_fma_mix_f32_f16", "v_fma_mix_f32"), ("global_load_b96_tr_b6", "global_load_tr6_b96"), *(
            (f"{s}_load_{wide}_tr_b{n}", f"{s}_load_tr{n}_{wide}") for s in ("ds", "global")
            for wide, n in (("b64", 4), ("b64", 8), ("b128", 16)))]]
    aliases += [{"from": f"v_{n}_{half}16", "to": f"v_{n}", "predicates": ["isGFX125xOnly"]} for half in ("t", "fake") for n in llvm24.HALVES]
    for al in aliases:
        if re.match(r"v_dot[48]_i32_i[48]$", al.get("from", "")):
            # LLVM 24 has rows for them
            al["until"] = 22
    for r in rows:
        n = r["name"]
        policies(r)
        if re.match(r"V_(CUBE|LERP|SAD_|CVT_PKNORM)", n):
            r["predicates"] = r.get("predicates", []) + ["IsNamed"]
        if n.startswith("S_SETKILL_gfx12"):
            r["predicates"] = r.get("predicates", []) + ["NotGFX1250"]
        if re.match(r"V_PK_(ADD_M|MAX3_[IU]|MIN3_[IU])", n.upper()) and "LIKE" in n.upper():
            r["asm"] = r["asm"].replace("$neg_lo", "").replace("$neg_hi", "")
        if n.startswith("V_MAD_U32_like"):
            r["asm"] = r["asm"].replace("$clamp", "")
        if re.match(r"V_FMA_MIX\w*_BF16_like", n):
            r["ins"] = [[k.replace("VCSrc_f16", "VCSrc_bf16"), x] for k, x in r["ins"]]
        if re.match(r"GLOBAL_ATOMIC_(ADD_F32|PK_ADD_F16)_(SADDR_)?RTN_gfx940", n):
            r["outs"], r["ins"] = ([[k.replace("AVLdSt_32", "VGPR_32"), x] for k, x in r[p]] for p in ("outs", "ins"))
        if re.match(r"V_PK_FMAC_F16_e32_gfx1[12]", n):
            r["ins"] = [["VSrc_Splat_v2f16" if k == "VSrc_v2f16" else k, x] for k, x in r["ins"]]
        if "HasDPALU_DPP" in r.get("predicates", []) and not re.search(r"gfx12|_like_", n):
            r["predicates"] = r["predicates"] + ["NotGFX1250"]
        if re.match(r"V_CVT_PK_(FP8|BF8)_F16_.*gfx1250$", n):
            r["ins"] = [["VSrc_NoInline_v2f16" if k == "VSrc_v2f16" else k, x] for k, x in r["ins"]]
        if re.match(r"V_PK_(ADD|MUL|FMA)_F32_vi|V_PK_M(AX|IN)IMUM3_F16_vi", n):
            r["predicates"] = r.get("predicates", []) + ["NotGFX1250"]
        if "BF16_" in n and "_t16" in n and "gfx1250" in n:
            r["true16_predicate"] = "UseRealTrue16Insts"
            r["predicates"] = r.get("predicates", []) + ["UseRealTrue16Insts"]
        if re.match(r"V_ADD_(MIN|MAX)_[IU]32_like|V_(ADD|SUB)_NC_U64_like_\w+_e64|V_(S?WMMA)C?_I32_16X16X\d+_IU8_w32_twoaddr_gfx1250|V_SWMMAC_I32_16X16X128_IU8", n):
            clamped(r)
        if re.match(r"V_CVT_SR_[BF][FP]8_F16_.*e64", n):
            # LLVM 24 always reads the low half
            r["newer"] = {"asm": r["asm"].replace("$op_sel", ""), "ins": [x for x in r["ins"] if x[1] != "op_sel"], "replaces": True,
                          "whole": "_fake16_" in n}
        if re.match(r"V_CVT_PK_[BF][FP]8_F16\w*_e64", n):
            r["newer"] = {"asm": r["asm"].replace("$clamp", ""), "ins": [x for x in r["ins"] if x[1] != "clamp"], "replaces": True}
        if re.match(r"V_INTERP_P2_F16_gfx9", n):
            halves(r)
        if re.match(r"V_PK_FMAC_F16_sdwa", n):
            r["ins"] = [["AnySDWAInputMods" if k == "Int32SDWAInputMods" else k, x] for k, x in r["ins"]]
        if n.startswith("S_WAIT_EVENT"):
            r["newer"] = {"ins": [["WaitEvent", "simm16"]], "replaces": True}
        if re.match(r"V_(TANH|COS|EXP|LOG|RCP|RSQ|SIN|SQRT)_BF16", n):
            r["newer"] = {"asm": r["asm"]}
            r["asm"] = r["asm"].replace("$omod", "").replace("$clamp", "")
            if "_fake16_e64" in n:
                r["newer"] = selected(r | r["newer"]) | {"replaces": True}
        if re.match(r"TENSOR_(LOAD_TO|STORE_FROM)_LDS", n):
            # an address group that is not there is null
            flat = []
            for x in r["bits"]:
                if x[0] == "field":
                    flat += [["field", x[1], x[2] + i, 1] for i in range(x[3])]
                else:
                    flat += [["const", c] for c in x[1]] if x[0] == "const" else [["any", 1]] * x[1]
            flat[56:64] = [["const", c] for c in "00111110"]
            r["bits"] = flat
            # LLVM 24 takes null for the last two groups
            later = ("vaddr2", "vaddr3")
            if any(x in later for _, x in r["ins"]):
                r["newer"] = {"ins": [[k + "_XNULL" if x in ("vaddr0", "vaddr1") else k, x] for k, x in r["ins"]], "replaces": True}
            r["ins"] = [[k + "_XNULL" if x.startswith("vaddr") else k, x] for k, x in r["ins"]]
        if n.startswith("TENSOR_"):
            r["flags"] = [f for f in r.get("flags", []) if f != "VALU"] + ["mayLoad" if "LOAD" in n else "mayStore"]
        if re.match(r"V_CVT_PK_FP8_F32_.*_gfx12$|V_CVT_SR_FP8_F32_gfx12_.*_gfx12$", n):
            # gfx1250 has them with `clamp`
            r["predicates"] = r.get("predicates", []) + ["NotGFX1250"]
        if re.match(r"V_DUAL_DOT2C_F32_BF16_e32_X_\w+_gfx1250$", n) and "e96" not in n:
            # always in the long encoding
            r["predicates"] = r.get("predicates", []) + ["NotGFX1250"]
        if r.get("match_converter") == "cvtScaledMFMA":
            # LLVM 22 takes only vector registers as scales
            r["ins"] = [["VGPR_32" if n.startswith("scale_src") else k, n] for k, n in r["ins"]]
