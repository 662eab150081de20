"""What LLVM 22 knows and the facts lack: processors, features and instruction rows, and corrections to rows."""
import copy, json, os, re


def machine(m):
    """Adds gfx1251, which LLVM 22 has as gfx1250 with a few features more."""
    m.predicates["NotGFX1250"] = {"name": "NotGFX1250", "asm": True,
                                  "asm_condition": ["all_of", ["not", "FeatureGFX1250Insts"]]}
    have = {p["name"] for p in m.processors}
    if "gfx1251" not in have:
        p = next(p for p in m.processors if p["name"] == "gfx1250")
        q = copy.deepcopy(p)
        q["name"] = "gfx1251"
        m.processors.append(q)
    # LLVM 22 takes halves of registers (`v0.l`) on these as it does on gfx1100.
    for p in m.processors:
        if p["name"] in ("gfx1150", "gfx1151", "gfx1152", "gfx1153"):
            p["features"] = p["features"] + ["FeatureRealTrue16Insts"]


def learned(rows):
    """Rows found by learn.py: another row's operands with constant bits of their own."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "llvm22.json")
    by_name = {r["name"]: r for r in rows}
    with open(path) as f:
        for new, like, value, subst in json.load(f):
            r = copy.deepcopy(by_name[like])
            r["asm"] = re.sub(r"^[^\s$]+", new, r["asm"])
            r["name"] = f"{new.upper()}_like_{like}"
            r.pop("pseudo", None)
            r["lent"] = like
            for part in ("outs", "ins"):
                r[part] = [[subst.get(n, subst.get(k, k)), n] for k, n in r.get(part, [])]
            v, pos, bits = int(value, 16), 0, []
            for b in r["bits"]:
                n = len(b[1]) if b[0] == "const" else b[1] if b[0] == "any" else b[3]
                if b[0] == "const":
                    b = ["const", "".join(str(v >> (pos + i) & 1) for i in range(n))]
                bits.append(b)
                pos += n
            r["bits"] = bits
            r["asm_predicate"] = "isGFX125xOnly"
            r["predicates"] = [p for p in r.get("predicates", []) if "True16" in p or "Wave" in p] + ["isGFX125xOnly"]
            if r.get("decoder_namespace"):
                r["decoder_namespace"] = "GFX1250_FAKE16" if "FAKE16" in r["decoder_namespace"] else "GFX1250"
            rows.append(r)


# rows that LLVM 22 no longer has
GONE = re.compile(r"^V_PK_FMAC_F16_dpp8?_gfx1[12]|^S_SETKILL_gfx12|^V_FMAC_F64_(e64_)?dpp8?_gfx12")


def rows(rows, aliases, operands):
    rows[:] = [r for r in rows if not GONE.match(r["name"])]
    learned(rows)
    for r in rows:
        n = r["name"]
        if re.match(r"V_PK_(ADD|MUL|FMA)_F32_vi|V_PK_M(AX|IN)IMUM3_F16_vi", n):
            r["predicates"] = r.get("predicates", []) + ["NotGFX1250"]
        if "BF16_" in n and "_t16" in n and "gfx1250" in n:
            r["predicates"] = r.get("predicates", []) + ["UseRealTrue16Insts"]
        if re.match(r"V_(TANH|COS|EXP|LOG|RCP|RSQ|SIN|SQRT)_BF16", n):
            r["asm"] = r["asm"].replace("$omod", "").replace("$clamp", "")
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
        if n.startswith("TENSOR_"):
            r["flags"] = [f for f in r.get("flags", []) if f != "VALU"] + ["mayLoad" if "LOAD" in n else "mayStore"]
        if "DUAL" in n and "DOT2ACC_F32_BF16" in n and "e96" not in n:
            r["predicates"] = r.get("predicates", []) + ["NotGFX1250"]
        # LLVM 22 takes float compares with DPP only when the result is written out
        if re.match(r"V_CMP_(?!CLASS_F32)\w+F(16|32)(_t16|_fake16)?_e32_dpp_gfx1", r["name"]):
            r["variant"] = "NonParsable"
        if r.get("match_converter") == "cvtScaledMFMA":
            # LLVM 22 takes only vector registers as scales
            r["ins"] = [["VGPR_32" if n.startswith("scale_src") else k, n] for k, n in r["ins"]]
