#!/usr/bin/env python3
"""Finds rows that LLVM 22 has and the facts lack, by asking its assembler, and writes them to llvm22.json.

    learn.py FACTS_DIR [llvm-mc-22]

Every entry of LIKE says that an instruction has the operands of another one. A sample line of each of that one's rows is
assembled under the new name; the bits that the row's fields do not cover are the new row's constant bits.
"""
import json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.argv, ARGS = [sys.argv[0]], sys.argv[1:]

B64 = {"src0": "VSrc_b64", "src1": "VReg_64", "vdst": "anonymous_9780"}
BF = {"VSrc_v2f16": "VSrc_v2bf16", "VCSrc_v2f16": "VCSrc_v2bf16"}
WIDE = {"vdst": "anonymous_9780", "src2": "VSrc_b64"}

# (mnemonic, like, {operand name or kind: kind})
LIKE = [("v_tanh_f32", "v_sqrt_f32", {}), ("v_tanh_f16", "v_sqrt_f16", {})]
LIKE += [(f"v_{n}_bf16", "v_tanh_bf16", {}) for n in "cos exp log rcp rsq sin sqrt".split()]
LIKE += [(f"v_add_{a}_{b}", "v_add3_u32", {}) for a in ("max", "min") for b in ("i32", "u32")]
LIKE += [(f"v_{n}_u64", "v_lshlrev_b64", B64) for n in ("add_nc", "sub_nc", "mul", "max", "min")]
LIKE += [(f"v_{n}_i64", "v_lshlrev_b64", B64) for n in ("max", "min")]
LIKE += [("v_mad_u32", "v_mad_u32_u24", {}), ("v_mad_nc_u64_u32", "v_mad_u32_u24", WIDE), ("v_mad_nc_i64_i32", "v_mad_u32_u24", WIDE)]
LIKE += [(f"v_pk_{n}_bf16", "v_pk_add_f16", BF) for n in ("add", "mul", "max_num", "min_num")]
LIKE += [("v_pk_fma_bf16", "v_pk_fma_f16", BF)]
LIKE += [(f"v_pk_{a}3_num_f16", "v_pk_fma_f16", {}) for a in ("max", "min")]
LIKE += [(f"v_pk_{a}imum3_f16", "v_pk_fma_f16", {}) for a in ("max", "min")]
LIKE += [(f"v_pk_{a}_{b}16", "v_pk_mad_i16", {}) for a in ("add_max", "add_min", "max3", "min3") for b in "iu"]
LIKE += [(f"v_pk_{n}_f32", "v_pk_add_f16", {"vdst": "anonymous_9780", "src0": "VSrc_v2f32", "src1": "VSrc_v2f32"}) for n in ("add", "mul")]
LIKE += [("v_pk_fma_f32", "v_pk_fma_f16", {"vdst": "anonymous_9780", "src0": "VSrc_v2f32", "src1": "VSrc_v2f32", "src2": "VSrc_v2f32"})]
LIKE += [("v_fma_mix_f32_bf16", "v_fma_mix_f32", {}), ("v_fma_mixhi_bf16", "v_fma_mixhi_f16", {}), ("v_fma_mixlo_bf16", "v_fma_mixlo_f16", {})]
LIKE += [(f"{s}_load_monitor_b{n}", f"{s}_load_b{n}", {}) for s in ("flat", "global") for n in (32, 64, 128)]
LIKE += [(f"cluster_load_b{n}", f"global_load_b{n}", {}) for n in (32, 64, 128)]
LIKE += [(f"{s}_load_async_to_lds_b{n}", "global_load_b32", {}) for s in ("global", "cluster") for n in (8, 32, 64, 128)]
LIKE += [(f"global_store_async_from_lds_b{n}", "global_store_b32", {}) for n in (8, 32, 64, 128)]
LIKE += [(f"{s}_atomic_{n}_f64", f"{s}_atomic_add_u64", {}) for s in ("buffer", "flat", "global") for n in ("add", "max_num", "min_num")]
LIKE += [("ds_add_f64", "ds_add_u64", {}), ("ds_add_rtn_f64", "ds_add_rtn_u64", {})]
LIKE += [("s_set_vgpr_msb", "s_nop", {}), ("s_get_shader_cycles_u64", "s_get_pc_i64", {}), ("s_barrier_leave", "s_wait_idle", {}),
         ("s_barrier_join", "s_barrier_signal", {}), ("s_wakeup_barrier", "s_barrier_signal", {}), ("s_barrier_init", "s_barrier_signal", {}),
         ("s_add_pc_i64", "s_set_pc_i64", {"src0": "SSrc_b64"})]
# flat instructions with a scalar base, which gfx1250 shares with the global ones
FLAT = """load_u8 load_i8 load_u16 load_i16 load_b32 load_b64 load_b96 load_b128 load_d16_u8 load_d16_i8 load_d16_b16 load_d16_hi_u8
load_d16_hi_i8 load_d16_hi_b16 store_b8 store_b16 store_b32 store_b64 store_b96 store_b128 store_d16_hi_b8 store_d16_hi_b16
atomic_swap_b32 atomic_cmpswap_b32 atomic_add_u32 atomic_add_f32 atomic_sub_u32 atomic_min_i32 atomic_min_u32 atomic_max_i32
atomic_max_u32 atomic_and_b32 atomic_or_b32 atomic_xor_b32 atomic_inc_u32 atomic_dec_u32 atomic_swap_b64 atomic_cmpswap_b64
atomic_add_u64 atomic_sub_u64 atomic_min_i64 atomic_min_u64 atomic_max_i64 atomic_max_u64 atomic_and_b64 atomic_or_b64
atomic_xor_b64 atomic_inc_u64 atomic_dec_u64 atomic_cond_sub_u32 atomic_sub_clamp_u32 atomic_min_num_f32 atomic_max_num_f32
atomic_pk_add_f16 atomic_pk_add_bf16 load_monitor_b32 load_monitor_b64 load_monitor_b128 atomic_add_f64 atomic_max_num_f64
atomic_min_num_f64""".split()
LIKE += [("flat_" + n, ("global_" + n).replace("load_monitor", "load").replace("f64", "u64").replace("max_num_u64", "add_u64").replace("min_num_u64", "add_u64"), {"": "saddr"}) for n in FLAT]


def text(kind, name, k, regs):
    """A plain operand of a kind."""
    r = regs(kind)
    m = re.match(r"Regs::(V|A|Av|S|SXNull)\((\d+)\)", r)
    base = 2 + 4 * k
    if m:
        n = int(m.group(2))
        p = "s" if m.group(1).startswith("S") else "a" if m.group(1) == "A" else "v"
        return f"{p}{base}" if n == 1 else f"{p}[{base * 4}:{base * 4 + n - 1}]"
    if r.endswith(("V16", "V16Lo", "Vs16", "Vs16Lo")):
        return f"v{base}.l"
    if r.endswith(("Vs32", "Vs32Lo", "VLo")):
        return f"v{base}"
    if r.endswith("Vs64"):
        return f"v[{base}:{base + 1}]"
    if r.endswith(("S64", "S64XExec", "S64XExecXNull")):
        return f"s[{base}:{base + 1}]"
    if r.startswith("Regs::S"):
        return f"s{base}"
    return None


def main():
    import generate, kinds
    data = ARGS[0]
    mc = ARGS[1] if len(ARGS) > 1 else "llvm-mc-22"
    m = generate.Machine(data)
    have = next(s for p, s in zip(m.processors, m.sets) if p["name"] == "gfx1250")
    have = (have | {"FeatureWavefrontSize32"}) - {"FeatureWavefrontSize64"}
    rows = generate.load(data, "instructions")
    info = {o["name"]: o for o in generate.load(data, "operands")}
    by = {}
    for r in rows:
        if r["variant"] in ("NonParsable", "Disable"):
            continue
        preds = r.get("predicates", []) + [r["asm_predicate"], r["wave_predicate"], r["true16_predicate"]]
        if all(m.holds(p, have) for p in preds):
            by.setdefault(generate.tokenize(r["asm"])[0], []).append(r)

    def regs(kind):
        o = info.get(kind)
        try:
            return kinds.regs(o["reg_class"] if o and o.get("reg_class") else kind)
        except KeyError:
            return ""

    tasks = []
    for new, like, subst in LIKE:
        saddr = subst.get("") == "saddr"
        for r in by.get(like, []):
            names = {n for _, n in r.get("outs", []) + r.get("ins", [])}
            if saddr and "saddr" not in names:
                continue
            ops = [[subst.get(n, subst.get(k, k)), n] for k, n in r.get("outs", []) + r.get("ins", [])]
            kind_of = {}
            for k, n in ops:
                kind_of.setdefault(n, k)
            lines = []
            for k in (0, 1):
                _, toks, _ = generate.tokenize(r["asm"])
                parts, i = [], k
                for t, v in toks:
                    if t == "tok":
                        parts.append(v)
                        continue
                    kd = kind_of[v]
                    i += 1
                    o = info.get(kd) or {}
                    if o.get("optional"):
                        if o.get("name", "").startswith("CPol") and "IsAtomicRet" in r.get("flags", []):
                            parts.append("\0th:TH_ATOMIC_RETURN")
                        continue
                    if o.get("operand_type") == "OPERAND_INPUT_MODS":
                        kd = kind_of[v.replace("_modifiers", "")]
                    p = o.get("parser") or ""
                    if "CPol_GLC" in kd:
                        parts.append("\0th:TH_ATOMIC_RETURN")
                    elif p == "parseDPPCtrl":
                        parts.append("\0quad_perm:[0,1,2,3]")
                    elif p == "parseDPP8":
                        parts.append("\0dpp8:[0,1,2,3,4,5,6,7]")
                    elif kd in ("SplitBarrier",):
                        parts.append("-1")
                    else:
                        parts.append(text(kd, v, i, regs) or "5")
                suffix = {"VOP3": "_e64", "DPP": "_dpp", "VOP3_DPP": "_e64_dpp"}.get(r["variant"], "")
                if r["variant"] == "Default" and set(r.get("flags", [])) & {"VOP1", "VOP2", "VOPC"}:
                    suffix = "_e32"
                lines.append(new + suffix + " " + ", ".join(parts).replace(", \0", " ").replace("\0", ""))
            tasks.append((new, r["name"], subst, r, lines))
    src = "\n".join(l for t in tasks for l in t[4]) + "\n"
    p = subprocess.run([mc, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1250", "-show-encoding"], input=src.encode(), capture_output=True)
    bad = {int(x) for x in re.findall(r"<stdin>:(\d+):\d+: error", p.stderr.decode())}
    enc = re.findall(r"encoding: \[([^\]]*)\]", p.stdout.decode())
    it = iter(enc)
    code = {}
    for i in range(1, 2 * len(tasks) + 1):
        if i not in bad:
            code[i] = int.from_bytes(bytes(int(x, 16) for x in next(it).split(",")), "little")
    out, lost = [], []
    for i, (new, like, subst, r, lines) in enumerate(tasks):
        a, b = code.get(2 * i + 1), code.get(2 * i + 2)
        mask = pos = 0
        for f in r["bits"]:
            n = len(f[1]) if f[0] == "const" else f[1] if f[0] == "any" else f[3]
            if f[0] == "const":
                mask |= ((1 << n) - 1) << pos
            pos += n
        if a is None or b is None or a & mask != b & mask:
            lost.append((new, like, lines[0]))
            continue
        out.append([new, like, hex(a & mask), {k: v for k, v in subst.items() if k}])
    with open(os.path.join(HERE, "llvm22.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(x) for x in out) + "\n]\n")
    print(len(out), "rows;", len(lost), "not taken")
    done = {x[0] for x in out}
    for x in lost:
        if x[0] not in done:
            print("  lost", *x, sep=" | ")


if __name__ == "__main__":
    main()
