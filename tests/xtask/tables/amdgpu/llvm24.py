"""Instruction rows that LLVM 24 adds to those of LLVM 22.

`facts/llvm24.jsonl.xz` lists LLVM 24's opcodes (Apache-2.0 WITH LLVM-exception) that the other facts lack: name, mnemonic, assembler
variant, constant bits. The operands and fields of each are those of the same instruction in another generation's encoding.
"""
import json, lzma, os, re
import gfx125x
from kinds import copied

HERE = os.path.dirname(os.path.abspath(__file__))

GFX11_7 = ["gfx1170", "gfx1171", "gfx1172", "gfx11-7-generic"]
GFX12_5 = ["gfx1250", "gfx1250-strict", "gfx1251", "gfx12-5-generic"]
GFX13 = ["gfx1310", "gfx13-generic"]

# processor: (like, features added, features taken away)
PROCESSORS = {"gfx1154": ("gfx1153", [], [])}
PROCESSORS |= {n: ("gfx1150", ["FeatureGFX11_7Insts"], []) for n in GFX11_7}
PROCESSORS |= {n: ("gfx1250", [], []) for n in ("gfx1250-strict", "gfx12-5-generic")}
PROCESSORS |= {n: ("gfx1250", ["FeatureGFX13", "FeatureGFX13Insts", "FeatureImageInsts", "FeatureExtendedImageInsts",
                                        "FeatureNSAEncoding", "FeaturePartialNSAEncoding"], ["FeatureWavefrontSize32"]) for n in GFX13}
REQUIRES_COV6 = {"gfx11-7-generic", "gfx12-5-generic", "gfx13-generic"}

FEATURES = [("FeatureGFX11_7Insts", "gfx11-7-insts", []), ("FeatureGFX13Insts", "gfx13-insts", []), ("FeatureGFX13", "gfx13", [])]

# opcodes that LLVM lists for gfx13, where no processor has them
MISSING = re.compile(r"DS_ADD_(RTN_)?F64_gfx13$")
# mnemonics that LLVM 22 takes, or an instruction of another generation has, and LLVM 24 rejects on these processors
CUBE = "cube(id|ma|sc|tc)_f32"
GONE = [(("gfx940", "gfx941", "gfx942", "gfx950", "gfx9-4-generic"), rf"v_{CUBE}"),
        (GFX12_5, r"v_s?wmma\w*_(16x16x16_(?!.*f8f6f4)|16x16x32_iu4)\w*|v_swmmac_(\w+_16x16x32_\w+|i32_16x16x64_iu4)"),
        (GFX12_5 + GFX13, r".*v_dual_dot2acc_.*"),
        (["gfx1250-strict", "gfx12-5-generic"], r"v_wmma_f(16|32)_16x16x128_[bf]\w8_[bf]\w8|v_wmma_(scale(16)?_)?f32_32x16x128_f4"),
        (["gfx12-5-generic"], rf"v_({CUBE}|cvt_(pk_?)?norm_[iu]16_f(16|32)|lerp_u8|(m|q|mq)?sad_\w+|s?wmma(?!_f32_16x16x4_f32|_ld_scale)\w+)"),
        (GFX13, r"ds_atomic_(async_)?barrier_arrive_\w+|ds_load_tr(4_b64|6_b96)|s_set(kill|prio_inc_wg)|v_add_m(ax|in)_[iu]32|"
                r"v_(add_nc|sub_nc|lshl_add)_u64|v_mad_u32|v_cvt_f32_fp8_gfx1250")]
GONE = [(frozenset(processors), re.compile(mnemonics)) for processors, mnemonics in GONE]


def gone(asm):
    """Processors on which LLVM 24 lacks the instruction of this template."""
    # of a dual instruction, both halves
    words = re.sub(r"\{\w*\}", "", " ".join(re.findall(r"(?:^|:: )([^\s$]+)", asm))).lower()
    return frozenset().union(*(names for names, pattern in GONE if pattern.fullmatch(words)))


# mnemonics that only waves of 32 lanes have, from gfx12.5 on
WAVE32 = re.compile(r"v_(s?wmma|cvt_scale|permlane_(bcast|down|up|xor|idx_gen))")

# names of gfx1251's instructions on pairs of 64-bit numbers, opcode, kinds of sources, whether they take `neg_lo`, `neg_hi` and `clamp`
FLOATS, WHOLE = ["VSrc_v2f64"] * 3, ["VSrc_v2b64"] * 3
PACKED = [("v_pk_fma_f64", 0x3B, FLOATS, True), ("v_pk_mul_f64", 0x3C, FLOATS[:2], True), ("v_pk_add_f64", 0x4B, FLOATS[:2], True),
          ("v_pk_max_num_f64", 0x4E, FLOATS[:2], True), ("v_pk_min_num_f64", 0x4F, FLOATS[:2], True),
          ("v_pk_add_nc_u64", 0x4C, WHOLE[:2], True), ("v_pk_sub_nc_u64", 0x4D, WHOLE[:2], True),
          ("v_pk_lshl_add_u64", 0x7E, ["VSrc_v2b64", "VSrc_v2b32", "VSrc_v2b64"], False)]

SUFFIX = re.compile(r"_(gfx1170|gfx1250|gfx11|gfx12|gfx13)$")
OTHER = ["gfx1250", "gfx12", "gfx1170", "gfx11", "gfx10", "gfx9", "vi"]


# rows of gfx11 for which gfx11.7 has its own, or none
REPLACED = re.compile(r"V_(DUAL_|MED3_F|DOT2C_F32_F16|DOT2ACC_F32_F16|S?WMMA).*_gfx11$")


def listed():
    with lzma.open(os.path.join(HERE, "facts", "llvm24.jsonl.xz"), "rt") as f:
        return [json.loads(line) for line in f]


def machine(m):
    """The processors that LLVM 24 adds."""
    by_name = {p["name"]: p for p in m.processors}
    for name, option, implies in FEATURES:
        m.features.append({"name": name, "option": option, "implies": implies})
    for name, (like, more, less) in PROCESSORS.items():
        p = copied(by_name[like])
        p["name"] = name
        p["since"] = 24
        p["features"] = [f for f in p["features"] if f not in less] + more
        if name in REQUIRES_COV6:
            p["features"].append("FeatureRequiresCOV6")
        # oldest first: after the last one of its generation
        own = [i for i, q in enumerate(m.processors) if generation(q["name"]) == generation(name)]
        m.processors.insert(own[-1] + 1 if own else len(m.processors), p)


def generation(name):
    """12 of `gfx1201`, `gfx1250-strict` and `gfx12-generic`; `None` for names without a number."""
    found = re.match(r"gfx(\d{1,2})(-|[0-9a-f]{2}(-|$))", name)
    return found and int(found.group(1))


# what differs from LLVM 22's conditions: where registers have halves, whole ones are not accepted in their place
PREDICATES = {"UseFakeTrue16Insts": ["all_of", "FeatureTrue16BitInsts", ["not", "FeatureRealTrue16Insts"]]}


def features(have, is_default):
    """The features of a processor at level 24: before gfx13, registers have halves unless that is switched; from gfx13 on it is the reverse."""
    if "FeatureTrue16BitInsts" not in have:
        return have
    has_halves = is_default != ("FeatureGFX13" in have)
    return have | {"FeatureRealTrue16Insts"} if has_halves else have - {"FeatureRealTrue16Insts"}


def half(row):
    word = row["true16_predicate"]
    return "t16" if "RealTrue16" in word else "fake16" if "FakeTrue16" in word else ""


def constants(row):
    value = mask = pos = 0
    for b in row["bits"]:
        n = len(b[1]) if b[0] == "const" else b[1] if b[0] == "any" else b[3]
        if b[0] == "const":
            # the lowest bit is written first
            value |= int(b[1][::-1], 2) << pos
            mask |= ((1 << n) - 1) << pos
        pos += n
    return value, mask


def with_constants(row, value):
    row, pos, bits = copied(row), 0, []
    for b in row["bits"]:
        n = len(b[1]) if b[0] == "const" else b[1] if b[0] == "any" else b[3]
        if b[0] == "const":
            b = ["const", "".join(str(value >> (pos + i) & 1) for i in range(n))]
        bits.append(b)
        pos += n
    row["bits"] = bits
    return row


def stems(name):
    """Names of the same instruction elsewhere, the closest first."""
    m = SUFFIX.search(name)
    if not m:
        return
    base = name[:m.start()]
    for b in (base, base.replace("_gfx1250", "_gfx12"), base.replace("_gfx1250", ""), base.replace("_gfx12", "_gfx9"), base.replace("_gfx9", "_gfx12"),
              base.replace("BF16", "F16"), base.replace("_twoaddr", ""), re.sub(r"^(V_CVT_PK_(?:FP8|BF8)_F16)\1", r"\1", base),
              re.sub(r"^(V_CVT_PK_(?:FP8|BF8)_F16)\1", "V_SAT_PK_U8_I16V_SAT_PK_U8_I16", base)):
        for suffix in [m.group(1)] + OTHER:
            yield f"{b}_{suffix}"
            if b.endswith("_dpp"):
                yield f"{b[:-4]}_{suffix}_dpp"


def aliases(aliases, rows):
    """The aliases of rows that gfx13 encodes in its own way."""
    made = []
    for al in [al for al in aliases if "inst_alias" in al and al["result"][0].endswith("_gfx12")]:
        own = al["result"][0].replace("_gfx12", "_gfx13")
        if own in rows:
            conditions = [p for p in al.get("predicates", []) if "True16" in p or "Wave" in p]
            made.append(al | {"result": [own] + al["result"][1:], "predicates": conditions})
    return made


def changed(rows):
    """What LLVM 24 takes and LLVM 22 does not, of instructions that both have."""
    out = []
    load = next(r for r in rows if r["name"] == "S_LOAD_B32_IMM_gfx12")
    policy = {i: b for i, b in gfx125x.expand(load["bits"]).items() if i < 32 and isinstance(b, tuple) and b[0] == "cpol"}
    for r in rows:
        newer = r.pop("newer", None)
        replaces = bool(newer) and newer.pop("replaces", False)
        if newer:
            # for rows of gfx13 that are like this one
            r["later"] = newer
        if re.match(r"S_(BUFFER_)?(PREFETCH_(INST|DATA)|ATC_PROBE)(?!\w*gfx13)", r["name"]) and r["name"].endswith("gfx12"):
            # gfx12.5 keeps a policy for the cache
            bits = gfx125x.expand(r["bits"])
            bits.update(policy)
            newer = {"asm": r["asm"] + "$cpol", "ins": r["ins"] + [["CPol", "cpol"]], "bits": gfx125x.fields(bits)}
        if newer:
            only = r["only"] if replaces else tuple(GFX12_5)
            out.append(copied(r) | newer | {"name": r["name"] + "_24", "since": 24, "only": only})
            if replaces:
                r["until"] = 22
    return out


def written(by_name):
    """Rows of which no other generation has the like."""
    out = []

    def add(r, name, where, **more):
        r.pop("pseudo", None)
        r.update(name=name, since=24, only=tuple(where), asm_predicate="", predicates=[], **more)
        out.append(r)

    # two numbers of 64 bits in four registers: whole, without `op_sel`
    for name, op, kinds, has_modifiers in PACKED:
        like = by_name["V_PK_FMA_F32_like_V_PK_FMA_F16_gfx12" if len(kinds) == 3 else "V_PK_ADD_F32_like_V_PK_ADD_F16_gfx12"]
        r = with_constants(like, 0xCC000000 | op << 16)
        dropped = ["op_sel", "op_sel_hi"]
        if not has_modifiers:
            dropped += ["neg_lo", "neg_hi", "clamp"] + [f"src{i}_modifiers" for i in range(3)]
        bits = {i: 0 if isinstance(b, tuple) and (b[0] in dropped or "_modifiers" in b[0] and b[1] > 1) else b
                for i, b in gfx125x.expand(r["bits"]).items()}
        r["ins"] = [[kinds[int(n[3])] if re.match(r"src\d$", n) else k, n] for k, n in r["ins"] if n not in dropped]
        asm = f"{name} $vdst, " + ", ".join(f"$src{i}" for i in range(len(kinds))) + "$neg_lo$neg_hi$clamp" * has_modifiers
        add(r, f"{name.upper()}_gfx1250", ["gfx1251"], outs=[["VReg_128", "vdst"]], asm=asm, bits=gfx125x.fields(bits), decoder_namespace="GFX1250")
    r = with_constants(by_name["V_WMMA_F32_16X16X4_F32_w32_twoaddr_gfx1250"], 0x18000000CC5B0000)
    r["asm"] = r["asm"].replace("v_wmma_f32_16x16x4_f32", "v_wmma_f64_16x16x4_f64")
    r["ins"] = [[{"src0": "VRegSrc_128", "src1": "VRegSrc_128", "src2": "VISrc_512_f64"}.get(n, k), n] for k, n in r["ins"]]
    add(r, "V_WMMA_F64_16X16X4_F64_gfx1250", ["gfx1251"], outs=[["VDst_512", "vdst"]])
    # 32 numbers at once, which gfx950 has in other forms
    for i, n in enumerate(f"{to}_{of}" for to in ("bf6", "fp6") for of in ("bf16", "f16", "f32")):
        source = (f"v{1024 if n.endswith('_f32') else 512}", None)
        for sr, op in (("", 0x295 + i), ("sr_", 0x2A4 + i)):
            name = f"v_cvt_scalef32_{sr}pk32_{n}"
            for r in gfx125x.vop3(name, op, 192, [source] + [("b32", None)] * bool(sr) + [("f32", None)]):
                add(r, f"{name.upper()}_e64_gfx13", GFX13, decoder_namespace="GFX13")
    # signed dot products by their older names, which set the bits that make a source signed
    for gen, of in (("gfx11", "gfx11"), ("gfx12", "gfx12"), ("gfx13", "gfx12")):
        for signed, like in (("V_DOT4_I32_I8", "V_DOT4_I32_IU8"), ("V_DOT8_I32_I4", "V_DOT8_I32_IU4")):
            r = copied(by_name[f"{like}_{of}"])
            r.update(name=f"{signed}_{gen}", since=24, bits=r["bits"][:-3] + [["const", "110"]],
                     asm=r["asm"].replace(like.lower(), signed.lower()), asm_only=gen != "gfx11")
            if gen == "gfx13":
                add(r, r["name"], GFX13, decoder_namespace="GFX13")
            else:
                out.append(r)
    for name, value in (("S_WAKEUP_imm", 0xBF830000), ("S_BARRIER_LEAVE_IMM", 0xBFB10000)):
        r = with_constants(by_name["S_SLEEP_gfx12"], value)
        add(r, f"{name}_gfx13", GFX13, asm=f"{name[:-4].lower()} $simm16", decoder_namespace="GFX13")
    return out


# instructions on 16 bits whose opcodes' names LLVM knows as mnemonics
HALVES = [f"{n}_bf16" for n in "cos exp log rcp rsq sin sqrt".split()] + ["sat_pk4_i4_i8", "sat_pk4_u4_u8", "tanh_f16"]
# names of older generations that LLVM 24 takes
RENAMES = [{"from": f"{s}_atomic_f{n}_x2", "to": f"{s}_atomic_{n}_num_f64", "only": tuple(GFX13), "since": 24}
           for s in ("buffer", "flat", "global") for n in ("min", "max")]
RENAMES += [{"from": f"v_cvt_{n}", "to": f"v_cvt_{to}", "only": tuple(where), "since": 24} for where, to, names in [
    (GFX12_5 + GFX13, "f32_fp8", ["f32_fp8_op_sel"]), (GFX11_7, "f32_fp8", ["f32_fp8_op_sel"]), (GFX11_7, "f32_bf8", ["f32_bf8_op_sel"]),
    *((GFX12_5 + GFX13, f"pk_{n}8_f16", [f"pk_{n}8_f16_{half}16" for half in ("t", "fake")]) for n in ("bf", "fp")),
    *((GFX11_7, f"pk_f32_{n}8", [f"pk_f32_{n}8_{half}16" for half in ("t", "fake")]) for n in ("bf", "fp"))] for n in names]
RENAMES += [{"from": f"v_{n}_{half}16", "to": f"v_{n}", "only": tuple(GFX13), "since": 24} for half in ("t", "fake") for n in HALVES]
RENAMES += [{"from": "v_perm_pk4_b8_u8", "to": "v_perm_b32", "only": tuple(GFX13), "since": 24}]
RENAMES += [{"from": f"image_atomic_{n}_flt", "to": f"image_atomic_{n}_num_flt", "only": tuple(GFX13), "since": 24} for n in ("min", "max")]
RENAMES += [{"from": f"v_med3_f{n}", "to": f"v_med3_num_f{n}", "only": tuple(GFX11_7), "since": 24} for n in (16, 32)]


def gone_name(alias):
    """Processors on which LLVM 24 lacks this other name of an instruction: gfx13 has image_atomic_min_num_flt itself."""
    return frozenset(GFX13) if re.fullmatch(r"image_atomic_(min|max)_flt", alias["to"]) else frozenset()


def rows(rows, processors, report=False):
    by_name = {r["name"]: r for r in rows}
    # gfx13 encodes everything in its own way, gfx11.7 what REPLACED names
    older = tuple(p["name"] for p in processors if p["name"] not in GFX13)
    for r in rows:
        r["only"] = tuple(n for n in older if n not in GFX11_7) if REPLACED.match(r["name"]) else older
        if r["name"] == "V_ILLEGAL":
            r["only"] += tuple(GFX13)
    rows += changed(rows) + written(by_name)
    by_name.update((r["name"], r) for r in rows)
    by_bits = {}
    for r in rows:
        if r["variant"] in ("NonParsable", "Disable"):
            continue
        mnemonic = re.sub(r"\{\w*\}", "", re.match(r"[^\s$]+", r["asm"]).group()).lower()
        gen = (re.findall(r"gfx1\d\d\d|gfx1\d|like_\w+_(gfx1\d)", r["name"]) or [""])
        ns = r.get("decoder_namespace") or ""
        by_bits.setdefault((mnemonic, r["variant"], constants(r)[0], half(r), ns[:5]), r)
    lost = []
    for name, mnemonic, variant, bits in listed():
        if MISSING.match(name) or name in by_name:
            continue
        value = int(bits, 16)
        suffix = SUFFIX.search(name).group(1) if SUFFIX.search(name) else ""
        halves = "t16" if "_t16_" in name else "fake16" if "_fake16_" in name else ""
        generation = {"gfx1250": "GFX12", "gfx12": "GFX12", "gfx11": "GFX11", "gfx1170": "GFX11"}.get(suffix)
        if generation and suffix != "gfx1170":
            own = [by_bits.get((mnemonic, variant, value, h, generation)) for h in (halves, "")]
            own = [r for r in own if r]
            if own:
                by_name.setdefault(name, own[0])
                continue
        like = None
        for stem in stems(name):
            r = by_name.get(stem)
            if r is None or stem == name:
                continue
            v, mask = constants(r)
            if value & ~mask == 0 and r["variant"] == variant:
                like = r
                break
        if like is None:
            lost.append((name, mnemonic))
            continue
        r = with_constants(like, value) | like.get("later", {})
        r.pop("until", None)
        r["name"] = name
        # a suffix is printed, and read apart
        ending = lambda m: "".join(re.findall(r"\{\w*\}", m)) or "{_e32}" * (m.endswith("_e32") and not mnemonic.endswith("_e32"))
        r["asm"] = re.sub(r"^[^\s$]+", lambda m: mnemonic + ending(m.group()), r["asm"])
        r["lent"] = like["name"]
        r.pop("pseudo", None)
        where = {"gfx1170": GFX11_7, "gfx11": GFX11_7, "gfx13": GFX13}.get(suffix, GFX12_5)
        r["since"] = 24
        r["only"] = tuple(where)
        r["predicates"] = [p for p in r.get("predicates", []) if "True16" in p or "Wave" in p]
        r["asm_predicate"] = ""
        space = {"gfx1170": "GFX11", "gfx11": "GFX11", "gfx13": "GFX13"}.get(suffix, "GFX1250")
        if r.get("decoder_namespace"):
            r["decoder_namespace"] = space + ("_FAKE16" if halves == "fake16" else "")
        if re.match(r"V_CVT_PK_[BF][FP]8_F16.*_e32_gfx13", name):
            r["ins"] = [["VSrc_NoInline_v2f16" if n == "src0" else k, n] for k, n in r["ins"]]
        rows.append(r)
        by_name[name] = r
    # what takes whole registers where halves are operands too
    whole = [r for r in rows if r.pop("whole", False) and r.get("since")]
    rows += [copied(r) | {"name": r["name"] + "_whole", "asm_only": True, "true16_predicate": "UseRealTrue16Insts",
                          "predicates": [p.replace("UseFake", "UseReal") for p in r["predicates"]]} for r in whole]
    for r in rows:
        newest = "isGFX125xOnly" in r.get("predicates", []) or r["only"][0] in GFX12_5 + GFX13
        if newest and WAVE32.match(r["asm"]):
            r["predicates"] = r.get("predicates", []) + ["isWave32"]
    if report:
        print("rows of LLVM 24 without a likeness:", len(lost))
        for x in lost:
            print("  ", *x)
