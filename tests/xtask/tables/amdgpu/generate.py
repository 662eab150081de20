#!/usr/bin/env python3
"""Makes isa.bin and generated.rs from the AMDGPU instruction facts.

    generate.py DATA_DIR OUT_DIR

DATA_DIR holds what reduce.py wrote; supplement.py beside this file adds what LLVM 22 has and those rows lack.
Python 3.9+, no packages.
"""
import collections, gc, json, lzma, os, re, struct, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import kinds, llvm24, supplement


def load(data, name):
    with lzma.open(os.path.join(data, name + ".jsonl.xz"), "rt") as f:
        return [json.loads(l) for l in f]


# ---- features and processors -----------------------------------------------------------------

class Machine:
    def __init__(self, data):
        self.features = load(data, "features")
        self.processors = load(data, "processors")
        self.predicates = {p["name"]: p for p in load(data, "predicates")}
        supplement.machine(self)
        self.masks, self.levels = {}, {}
        by_name = {f["name"]: f for f in self.features}
        self.by_name = by_name
        self.sets = []
        for p in self.processors:
            got, todo = set(), list(p["features"])
            while todo:
                f = todo.pop()
                if f in got:
                    continue
                got.add(f)
                todo += by_name[f]["implies"] if f in by_name else []
            got |= set(p.get("alone", []))
            # with assembler-permissive-wavesize off and no explicit wave size, gfx10+ assembles for wave32
            self.sets.append(got)
        # what `-mattr=-real-true16` and `+real-true16` make of a processor
        self.named = len(self.processors)
        for p, have in list(zip(self.processors, self.sets)):
            if "FeatureTrue16BitInsts" in have:
                self.processors.append(p)
                self.sets.append(have ^ {"FeatureRealTrue16Insts"})

    def holds(self, predicate, have, level=22):
        p = self.predicates.get(predicate)
        if p is None or not p["asm"]:
            return True
        condition = llvm24.PREDICATES.get(predicate) if level == 24 else None
        return self.condition(condition or p["asm_condition"], have)

    def available(self, predicates, only=None, levels=(22, 24), gone=frozenset()):
        """Processors that have what these predicates ask for: a mask for each level and wave size. Those in `gone` do not at level 24."""
        masks = []
        for level in (22, 24):
            known = 0
            for i, p in enumerate(self.processors):
                lacks = level == 24 and p["name"] in gone
                known |= (level in levels and p.get("since", 22) <= level and (only is None or p["name"] in only) and not lacks) << i
            for wave in (0, 1):
                mask = known
                for predicate in predicates:
                    mask &= self.having(predicate, level, wave)
                masks.append(mask)
        return tuple(masks)

    def having(self, predicate, level, wave):
        """Processors that have what a predicate asks for: a mask."""
        key = predicate, level, wave
        if key not in self.masks:
            self.masks[key] = sum(self.holds(predicate, have, level) << i for i, have in enumerate(self.at_level(level, wave)))
        return self.masks[key]

    def at_level(self, level, wave):
        """The features of each processor, with waves of 32 lanes (0) or 64 (1)."""
        if (level, wave) not in self.levels:
            sizes = ["FeatureWavefrontSize32", "FeatureWavefrontSize64"]
            yes, no = sizes[wave], sizes[1 - wave]
            sets = enumerate(self.sets)
            sets = [llvm24.features(have, i < self.named) if level == 24 else have for i, have in sets]
            self.levels[level, wave] = [(have | {yes}) - {no} for have in sets]
        return self.levels[level, wave]

    def condition(self, c, have):
        if isinstance(c, str):
            return c in have
        if c[0] == "not":
            return not self.condition(c[1], have)
        parts = [self.condition(x, have) for x in c[1:]]
        return all(parts) if c[0] == "all_of" else any(parts)


# ---- templates -------------------------------------------------------------------------------

SINGLE = {"vcc", "vcc_lo", "vcc_hi", "exec", "exec_lo", "exec_hi", "m0", "scc", "null"}


MNEMONIC = re.compile(r"[^\s$]+")
SUFFIX = re.compile(r"\{\w*\}")
TOKEN = re.compile(r"\$(\w+)|([\[\]*!/])|([^\s,$\[\]*!/]+)")


def tokenize(asm):
    """(mnemonic, [("op", name) | ("tok", text)], text after the mnemonic)"""
    m = MNEMONIC.match(asm)
    rest = asm[m.end():]
    out = [("op", name) if name else ("tok", sign or word) for name, sign, word in TOKEN.findall(rest)]
    # `{_e64}` is printed, and empty for the parser
    return SUFFIX.sub("", m.group()).lower(), out, rest


def printed(asm):
    """The mnemonic as it is printed."""
    return MNEMONIC.match(asm).group().replace("{", "").replace("}", "").lower()


class Pool:
    """Interns values, numbering them in order of first use."""

    def __init__(self):
        self.ids, self.items = {}, []

    def __call__(self, v):
        if v not in self.ids:
            self.ids[v] = len(self.items)
            self.items.append(v)
        return self.ids[v]


# flags that say how an instruction is encoded, which a sibling of another encoding must not lend
ENCODINGS = {"DPP", "SDWA", "VOP1", "VOP2", "VOPC", "VOP3", "IsSingle", "VOPD3"}

VARIANTS = ["Default", "VOP3", "SDWA", "SDWA9", "DPP", "VOP3_DPP", "NonParsable", "Disable"]

NAMED = ["glc"]


def build(data):
    m = Machine(data)
    rows = load(data, "instructions")
    aliases = load(data, "aliases")
    pseudo_flags = {}
    for o in load(data, "mir-opcodes"):
        pseudo_flags[o["name"].lower()] = o.get("flags", [])
    # a real instruction's named flags are not complete: the pseudo that it encodes has the rest
    for r in rows:
        stems = {(r.get("pseudo") or "").lower(), (r.get("pseudo") or "").lower().removesuffix("_e64")}
        if "VALU" in r.get("flags", []):
            base = re.sub(r"(_dpp8|_dpp)?_(gfx\w+|vi|si|ci)$", "", r["name"].lower())
            stems |= {base, base + "_e64", base.removesuffix("_e64"), base.removesuffix("_e32")}
        if "dpp8" in r["name"]:  # LLVM does not lend this one
            ENCODINGS_HERE = ENCODINGS | {"IsDOT"}
        else:
            ENCODINGS_HERE = ENCODINGS
        more = sorted({f for s in stems for f in pseudo_flags.get(s, []) if f not in ENCODINGS_HERE})
        r["flags"] = r.get("flags", []) + [f for f in more if f not in r.get("flags", [])]
    operand_info = {o["name"]: o for o in load(data, "operands")}
    supplement.rows(rows, aliases, operand_info)
    llvm24.rows(rows, m.processors, report="LLVM24_REPORT" in os.environ)

    classes = {}
    for c in load(data, "register-classes"):
        classes[c["name"]] = c

    strings = Pool()
    strings("")
    names = Pool()   # operand names
    tokens = Pool()  # words in templates
    kind_ids = Pool()
    formals_pool, oplist_pool, layout_pool = Pool(), Pool(), Pool()
    mask_pool, avail_pool, regset_pool, tie_pool = Pool(), Pool(), Pool(), Pool()
    flag_ids = Pool()
    sched_ids = Pool()
    regset_pool(())
    tie_pool(())
    for n in kinds.WELL_KNOWN_NAMES:
        names(n)
    for t in kinds.WELL_KNOWN_TOKENS:
        tokens(t)
    for f in kinds.WELL_KNOWN_FLAGS:
        flag_ids(f)

    avail_cache = {}

    def avail(preds, only=None, levels=(22, 24), gone=frozenset()):
        key = tuple(sorted(set(preds))), only, levels, gone
        if key not in avail_cache:
            avail_cache[key] = avail_pool(m.available(*key))
        return avail_cache[key]

    def levels(r):
        return (24,) if r.get("since") else (22,) if r.get("until") else (22, 24)

    def row_preds(r):
        return r.get("predicates", []) + [r["asm_predicate"], r["wave_predicate"], r["true16_predicate"]]

    def formals(toks, where):
        out = []
        for kind, v in toks:
            if kind == "tok":
                out.append((2 if v.lower() in SINGLE else 0, 0, tokens(v)))
            else:
                k, idx = where[v]
                out.append((1, idx, kind_ids(k)))
        return formals_pool(tuple(out))

    table, by_row_name = [], {}
    candidates = collections.defaultdict(list)
    for seq, r in enumerate(rows):
        ops = [tuple(o) for o in r.get("outs", [])] + [tuple(o) for o in r.get("ins", [])]
        index = {}
        for i, (k, n) in enumerate(ops):
            index.setdefault(n, i)
        value = mask = pos = 0
        fields = []
        for b in r["bits"]:
            if b[0] == "const":
                # the lowest bit is written first
                value |= int(b[1][::-1], 2) << pos
                mask |= ((1 << len(b[1])) - 1) << pos
                pos += len(b[1])
            elif b[0] == "any":
                pos += b[1]
            else:
                name, first, count = b[1], b[2], b[3]
                if name == "Offset":
                    name = "offset"
                if name in index:
                    if fields and fields[-1][0] == index[name] and fields[-1][3] + fields[-1][2] == pos \
                            and fields[-1][1] + fields[-1][2] == first:
                        last = fields.pop()
                        fields.append((last[0], last[1], last[2] + count, last[3]))
                    else:
                        fields.append((index[name], first, count, pos))
                pos += count
        # the layout of an operand-less name (swz and friends) stays clear
        oplist = oplist_pool((len(r.get("outs", [])), tuple((kind_ids(k), names(n)) for k, n in ops)))
        flags = 0
        for f in r.get("flags", []) + kinds.extra_flags(r):
            if f in flag_ids.ids:
                flags |= 1 << flag_ids(f)
        mnemonic, toks, tail = tokenize(r["asm"])
        where = {n: (k, i) for i, (k, n) in enumerate(ops) if index[n] == i}
        # ins and outs may share a name only when tied
        fml = formals([t for t in toks if t[0] == "tok" or t[1] in where], where)
        ties = []
        for a, b in re.findall(r"\$(\w+)\s*=\s*\$(\w+)", r.get("constraints") or ""):
            if a in index and b in index:
                ia, ib = index[a], index[b]
                # the second of the pair in operand order copies the first
                ties.append((max(ia, ib), min(ia, ib)))
        early = "@earlyclobber" in (r.get("constraints") or "")
        a = avail(row_preds(r), r["only"], levels(r), llvm24.gone(r["asm"]))
        entry = dict(value=value, mask=mask_pool(mask), layout=layout_pool(tuple(fields)), oplist=oplist,
                     mnemonic=strings(printed(r["asm"])), tail=strings(tail), formals=fml, avail=a, size=r["size"],
                     variant=VARIANTS.index(r["variant"]), flags=flags,
                     defs=regset_pool(tuple(r.get("defs", []))), uses=regset_pool(tuple(r.get("uses", []))),
                     ties=tie_pool(tuple(sorted(ties))), sched=sched_ids((r.get("sched") or [""])[0]),
                     special=kinds.special(r), early=early, conv=kinds.CONVERTERS.index(r.get("match_converter") or ""),
                     ns=kinds.NAMESPACES.index(r.get("decoder_namespace") or "") if not r.get("asm_only") else 255)
        row_id = len(table)
        table.append(entry)
        by_row_name[r["name"]] = (row_id, r, index, ops)
        if entry["variant"] < 6:
            npred = len([p for p in set(row_preds(r)) if p in m.predicates and m.predicates[p]["asm"]])
            candidates[mnemonic].append((entry["variant"], len(toks), -npred, seq, row_id, fml, a))
    seq = len(rows)
    for al in [al for al in aliases if "inst_alias" in al] + llvm24.aliases(aliases, by_row_name):
        target = al["result"][0]
        if target not in by_row_name:
            continue
        row_id, r, index, ops = by_row_name[target]
        mnemonic, toks, _ = tokenize(al["inst_alias"])
        where, i = {}, 0
        for part in al["result"][1:]:
            # tied inputs are not repeated in an alias
            if isinstance(part, list):
                j = index.get(part[1], i)
                where[part[1]] = (part[0], j)
            i += 1
        if any(t[0] == "op" and t[1] not in where for t in toks):
            continue
        a = avail(al.get("predicates", []), r["only"], levels(r), llvm24.gone(r["asm"]))
        fml = formals(toks, where)
        npred = len([p for p in set(al.get("predicates", [])) if p in m.predicates and m.predicates[p]["asm"]])
        for v in (0, 1):
            candidates[mnemonic].append((v, len(toks), -npred, seq, row_id, fml, a))
        seq += 1

    # mnemonic aliases; the assembler strips encoding suffixes first
    renames = []
    for al in aliases + llvm24.RENAMES:
        if "from" not in al or re.search(r"_(e32|e64|dpp|sdwa)$", al["from"]):
            continue
        renames.append((al["from"].lower(), al["to"].lower(), avail(al.get("predicates", []), al.get("only"), levels(al), llvm24.gone_name(al))))
    renames = sorted(set(renames))

    return m, dict(strings=strings, names=names, tokens=tokens, kinds=kind_ids, formals=formals_pool, oplists=oplist_pool,
                   layouts=layout_pool, masks=mask_pool, avails=avail_pool, regsets=regset_pool, ties=tie_pool,
                   flags=flag_ids, sched=sched_ids, rows=table, candidates=candidates, renames=renames,
                   operand_info=operand_info, classes=classes)


# ---- output ----------------------------------------------------------------------------------

def hash_name(s):
    h = 0xCBF29CE4
    for c in s.encode():
        h = ((h ^ c) * 0x01000193) & 0xFFFFFFFF
    return h ^ (h >> 15)


def blob(m, t):
    text = bytearray()
    spans = []

    for s in t["strings"].items:
        spans.append((len(text), len(s)))
        text += s.encode()
    out_strings = b"".join(struct.pack("<IH", a, b) for a, b in spans)

    mn = sorted(t["candidates"])
    cands, heads, late = bytearray(), bytearray(), []
    n = 0
    from_names = {name for name, _, _ in t["renames"]}
    for name in mn:
        lst = sorted(set(t["candidates"][name]))
        renamed = name in from_names
        heads += struct.pack("<IHIH", *string_span(text, name), n, len(lst) | renamed << 15)
        for v, _, _, _, row, fml, a in lst:
            cands += struct.pack("<HHHBB", row, fml, a, v, 0)
            n += 1
    size = 1
    while size < 2 * len(mn):
        size *= 2
    slots = [0xFFFF] * size
    for i, name in enumerate(mn):
        h = hash_name(name) & (size - 1)
        while slots[h] != 0xFFFF:
            h = (h + 1) & (size - 1)
        slots[h] = i
    out_slots = struct.pack("<%dH" % size, *slots)

    def listing(items, pack):
        offs, body = [], bytearray()
        for it in items:
            offs.append(len(body))
            body += pack(it)
        return struct.pack("<%dI" % (len(offs) + 1), len(offs), *offs) + bytes(body), len(offs)

    def p_formals(f):
        return bytes([len(f)]) + b"".join(struct.pack("<BBH", a, b, c) for a, b, c in f)

    def p_ops(o):
        outs, ops = o
        return bytes([outs, len(ops)]) + b"".join(struct.pack("<HH", k, n) for k, n in ops)

    def p_layout(l):
        return bytes([len(l)]) + b"".join(bytes(f) for f in l)

    def p_regset(s):
        return bytes([len(s)]) + bytes(kinds.IMPLICIT.index(x) for x in s)

    def p_ties(s):
        return bytes([len(s)]) + b"".join(bytes(x) for x in s)

    rows = bytearray()
    for r in t["rows"]:
        rows += struct.pack("<16sHHHHHHHBBQBBBBBBBB", r["value"].to_bytes(16, "little"), r["mask"], r["layout"], r["oplist"],
                            r["mnemonic"], r["tail"], r["formals"], r["avail"], r["size"], r["variant"], r["flags"],
                            r["defs"], r["uses"], r["ties"], r["sched"], r["special"], r["ns"], int(r["early"]), r["conv"])
    renames = bytearray()
    for a, b, av in t["renames"]:
        renames += struct.pack("<IHIHH", *string_span(text, a), *string_span(text, b), av)
    masks = b"".join(x.to_bytes(16, "little") for x in t["masks"].items)
    avails = b"".join(mask.to_bytes(16, "little") for masks in t["avails"].items for mask in masks)
    sections = [bytes(text), out_strings, bytes(heads), out_slots, bytes(cands),
                listing(t["formals"].items, p_formals)[0], listing(t["oplists"].items, p_ops)[0],
                listing(t["layouts"].items, p_layout)[0], bytes(rows), masks, avails,
                listing(t["regsets"].items, p_regset)[0], listing(t["ties"].items, p_ties)[0], bytes(renames)]
    counts = [len(t["strings"].items), len(mn), size, n, len(t["formals"].items), len(t["oplists"].items),
              len(t["layouts"].items), len(t["rows"])]
    counts += [len(t["regsets"].items), len(t["ties"].items), len(t["renames"])]
    head = b"AMDGPUT1" + struct.pack("<%dI" % (2 * len(sections)),
                                     *[x for i, s in enumerate(sections)
                                       for x in (sum(len(q) for q in sections[:i]), len(s))])
    base = len(head)
    return head + b"".join(sections), base, len(sections)


def string_span(text, s):
    b = s.encode()
    i = text.find(b)
    if i < 0:
        i = len(text)
        text += b
    return i, len(b)


def camel(n):
    return re.sub(r"(?:^|_)(\w)", lambda x: x.group(1).upper(), n)


def rust(m, t):
    o = []
    w = o.append
    w("// Generated by `cargo xtask tables` from LLVM's AMDGPU target description (Apache-2.0 WITH LLVM-exception).")
    w("// Do not edit.\n")
    w("use super::kind::*;\n")
    w("/// Names of operands in the instruction table.")
    w("#[allow(dead_code, reason = \"a generated vocabulary\")]\npub(crate) mod name {")
    for i, n in enumerate(t["names"].items):
        if n in kinds.WELL_KNOWN_NAMES:
            w(f"    pub(crate) const {kinds.const_name(n)}: u16 = {i};")
    w("}\n")
    w("pub(crate) static NAMES: &[&str] = &[" + ", ".join('"%s"' % n for n in t["names"].items) + "];\n")
    w("/// Words in assembly templates.")
    w("pub(crate) static TOKENS: &[&str] = &[" + ", ".join('"%s"' % n for n in t["tokens"].items) + "];\n")
    w("/// Bits of a row's flags.")
    w("#[allow(dead_code, reason = \"a generated vocabulary\")]\npub(crate) mod flag {")
    for i, n in enumerate(t["flags"].items):
        w(f"    pub(crate) const {kinds.const_name(n)}: u64 = 1 << {i};")
    w("}\n")
    w("/// Opcode groups that single checks ask for.")
    w("#[allow(dead_code, reason = \"a generated vocabulary\")]\npub(crate) mod special {")
    for i, n in enumerate(kinds.SPECIALS):
        if n:
            w(f"    pub(crate) const {n}: u8 = {i};")
    w("}\n")
    w("/// How parsed operands become machine operands.")
    w("#[allow(dead_code, reason = \"a generated vocabulary\")]\npub(crate) mod converter {")
    for i, n in enumerate(kinds.CONVERTERS):
        if n:
            w(f"    pub(crate) const {kinds.converter_name(n[3:])}: u8 = {i};")
    w("}\n")
    w("pub(crate) static SCHED: &[&str] = &[" + ", ".join('"%s"' % n for n in t["sched"].items) + "];\n")
    w("pub(crate) static IMPLICIT: &[&str] = &[" + ", ".join('"%s"' % n for n in kinds.IMPLICIT) + "];\n")
    w("pub(crate) static NAMESPACES: &[&str] = &[" + ", ".join('"%s"' % n for n in kinds.NAMESPACES) + "];\n")
    feats = [f for f in m.features]
    w("/// Bits of a processor's features.")
    w("#[allow(dead_code, reason = \"a generated vocabulary\")]\npub(crate) mod feature {")
    for i, f in enumerate(feats):
        if f["name"] in kinds.USED_FEATURES:
            w(f"    pub(crate) const {kinds.feature_name(f['name'])}: u16 = {i};")
    w("}\n")
    w("pub(crate) static FEATURE_NAMES: &[&str] = &[" + ", ".join('"%s"' % f["option"] for f in feats) + "];\n")
    w("pub(crate) struct Processor {\n    pub(crate) name: &'static str,\n    pub(crate) features: [u64; 4],\n    pub(crate) sched: &'static str,\n}\n")
    w("/// How many of the processors have a name of their own. The others are those that can have halves of registers as operands,")
    w("/// with that feature switched on or off.")
    w(f"pub(crate) const NAMED: usize = {m.named};\n")
    w("pub(crate) static PROCESSORS: &[Processor] = &[")
    for p, s in zip(m.processors, m.sets):
        bits = 0
        for i, f in enumerate(feats):
            if f["name"] in s:
                bits |= 1 << i
        words = ", ".join("0x%x" % ((bits >> (64 * k)) & (2**64 - 1)) for k in range(4))
        w(f'    Processor {{ name: "{p["name"]}", features: [{words}], sched: "{p.get("sched", "")}" }},')
    w("];\n")
    w("pub(crate) static KINDS: &[Kind] = &[")
    for k in t["kinds"].items:
        w("    " + kinds.kind(k, t["operand_info"].get(k), t["classes"]) + ",")
    w("];")
    return "\n".join(o) + "\n"


def main():
    data, out = sys.argv[1:]
    # Nothing here goes in circles, and looking for it takes a third of the time.
    gc.disable()
    m, t = build(data)
    b, base, n = blob(m, t)
    r = rust(m, t)
    p = subprocess.run(["rustfmt", "--edition", "2024", "--config-path", os.path.join(HERE, "..", "..", "..", "..")], input=r.encode(), capture_output=True)
    if p.returncode == 0:
        r = p.stdout.decode()
    else:
        sys.stderr.write(p.stderr.decode()[:2000])
    with open(os.path.join(out, "isa.bin"), "wb") as f:
        f.write(b)
    with open(os.path.join(out, "generated.rs"), "w") as f:
        f.write(r)
    print("bytes", len(b), "rows", len(t["rows"]), "kinds", len(t["kinds"].items), "names", len(t["names"].items),
          "tokens", t["tokens"].items, "formals", len(t["formals"].items), "oplists", len(t["oplists"].items),
          "layouts", len(t["layouts"].items), "masks", len(t["masks"].items), "avails", len(t["avails"].items),
          "flags", len(t["flags"].items), "strings", len(t["strings"].items), "processors", len(m.processors),
          "features", len(m.features), "regsets", len(t["regsets"].items), "ties", len(t["ties"].items))


if __name__ == "__main__":
    main()
