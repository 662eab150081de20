#!/usr/bin/env python3
"""Packs what `dump` printed into the committed tables of `wavelens_isa::mir`.

    pack.py DUMP.txt OUT.bin [MIR-OPCODES.jsonl.xz OPCODE.rs]

The second form adds operand names, and writes the constants of opcodes. Layout (all integers little-endian): magic, count of sections, then (offset, length)
of each; sections are read in place by `table.rs`, which documents them.
"""
import json, lzma, struct, sys, collections

dump, out = sys.argv[1:3]
named = {}
if len(sys.argv) > 3:
    for line in lzma.open(sys.argv[3], "rt"):
        o = json.loads(line)
        named[o["name"]] = [x[1] for x in o.get("outs", []) + o.get("ins", []) if len(x) == 2]

rows = collections.defaultdict(list)
cpus, cpu = [], None
for line in open(dump):
    f = line.rstrip("\n").split("\t")
    if f[0] == "cpu":
        cpu = {"name": f[1], "reserved": [], "hwmode": {}}
        cpus.append(cpu)
    elif f[0] == "reserved":
        cpu["reserved"] = [int(x) for x in f[1:]]
    elif f[0] == "hwmode":
        cpu["hwmode"] = {int(a): int(b) for a, b in (x.split(":") for x in f[1:])}
    else:
        rows[f[0]].append(f[1:])

u16 = lambda *v: struct.pack("<%dH" % len(v), *v)
u32 = lambda *v: struct.pack("<%dI" % len(v), *v)
ids = lambda s: [int(x) for x in s.split(",")[1:]]


def front_coded(names):
    """Names in order, in blocks of 16: the first whole, the others as (shared prefix, rest)."""
    blocks, data = [], bytearray()
    last = b""
    for i, n in enumerate(names):
        n = n.encode()
        if i % 16 == 0:
            blocks.append(len(data))
            shared = 0
        else:
            shared = 0
            while shared < min(len(last), len(n), 255) and last[shared] == n[shared]:
                shared += 1
        rest = n[shared:]
        data += bytes([shared]) + u16(len(rest)) + rest
        last = n
    return u32(len(names), len(blocks)) + u32(*blocks) + bytes(data)


class Pool:
    """Distinct byte strings, by number."""

    def __init__(self):
        self.items, self.index = [], {}

    def add(self, b):
        if b not in self.index:
            self.index[b] = len(self.items)
            self.items.append(b)
        return self.index[b]

    def pack(self):
        offsets, at = [], 0
        for b in self.items:
            offsets.append(at)
            at += len(b)
        return u32(len(self.items)) + u32(*offsets, at) + b"".join(self.items)


# ---- registers
regs = rows["reg"]
nregs = len(regs)
units = [ids(r[5]) for r in regs]
subs = [dict((int(a), int(b)) for a, b in (x.split(":") for x in r[6].split(",")[1:])) for r in regs]
# By index: the part of each register that has one.
parts = collections.defaultdict(dict)
for r, d in enumerate(subs):
    for s, i in d.items():
        parts[i][r] = s
order = sorted(range(nregs), key=lambda i: regs[i][1].encode())
unit_pool, unit_at = [], {}
reg_rows = bytearray()
for i, r in enumerate(regs):
    u = sorted(units[i])
    if u and u == list(range(u[0], u[0] + len(u))):
        start = u[0]
    else:
        key = tuple(u)
        if key not in unit_at:
            unit_at[key] = len(unit_pool)
            unit_pool += u
        start = 0x80000000 | unit_at[key]
    flags = (int(r[3]) >= 0) | (int(r[4]) << 1) | (int(r[7][1:]) << 2)
    reg_rows += u32(start) + u16(len(u), int(r[2]) & 0xFFFF, int(r[8]) if r[8] else 0xFFFF, flags)
nunits = 1 + max((u for l in units for u in l), default=0)
root = [None] * nunits
for i in sorted(range(nregs), key=lambda i: len(units[i])):
    for u in units[i]:
        if root[u] is None:
            root[u] = i
# Registers that are one unit and no more: wide ones share it with their low parts, and a call may keep only those.
single = collections.defaultdict(list)
for i, own in enumerate(units):
    if len(own) == 1:
        single[own[0]].append(i)

# ---- classes
classes = sorted(rows["class"], key=lambda c: int(c[0]))
n = len(classes)
members = [set(ids(c[5])) for c in classes]


def runs(values):
    """Sorted numbers as (first, count, stride)."""
    v, result, i = sorted(values), [], 0
    while i < len(v):
        if i + 1 < len(v):
            stride, j = v[i + 1] - v[i], i + 1
            while j + 1 < len(v) and v[j + 1] - v[j] == stride:
                j += 1
            if j - i >= 2 or stride == 1:
                result.append((v[i], j - i + 1, stride))
                i = j + 1
                continue
        result.append((v[i], 1, 1))
        i += 1
    return result


class_pool = Pool()
class_rows = bytearray()
subclass = bytearray()
width = (n + 7) // 8
smallest = {}
# Of classes with the same registers the one with most superclasses says most.
supers = collections.Counter(s for row in classes for s in ids(row[6]))
# By register, its classes: the smallest class of some registers is among those of any of them.
holding = collections.defaultdict(list)
for c in sorted(range(n), key=lambda c: (len(members[c]), -supers[c])):
    for r in members[c]:
        holding[r].append(c)
for c, row in enumerate(classes):
    m = class_pool.add(b"".join(u16(*r) for r in runs(members[c])))
    row_bits = bytearray(width)
    for s in ids(row[6]):
        row_bits[s // 8] |= 1 << (s % 8)
    subclass += row_bits
    pairs = []
    for x in ids(row[7]):
        inner = frozenset(map(parts[x].get, members[c])) - {None}
        if inner not in smallest:
            smallest[inner] = next((k for k in holding[min(inner)] if inner <= members[k]), 0xFFFF)
        pairs.append((x, smallest[inner]))
    p = class_pool.add(b"".join(u16(*q) for q in sorted(pairs)))
    types = []
    for t in row[8].split(",")[1:]:
        lanes, size = (t.lstrip("v").split("x") + [None])[:2] if "x" in t else (0, t)
        types.append((int(lanes) | (0x8000 if t.startswith("v") else 0), int(size)))
    t = class_pool.add(b"".join(u16(*q) for q in types))
    class_rows += u32(m, p, t) + u16(int(row[2]), int(row[3]) | int(row[4]) << 1, len(members[c]))
class_names = front_coded([c[1] for c in classes])
class_order = sorted(range(n), key=lambda c: classes[c][1].encode())

# ---- opcodes
ops = rows["op"]
by_name = sorted(range(len(ops)), key=lambda o: ops[o][1].encode())
rank = {o: i for i, o in enumerate(by_name)}
lists, implicit, names_pool, descs = Pool(), Pool(), Pool(), Pool()
implicit.add(u16(0))
name_ids = {}
generic_end = int(rows["generic_end"][0][0])
op_desc = {}
for o, row in enumerate(ops):
    oplist = b""
    count = 0
    for x in row[5].split(",")[1:]:
        rc, fl, ty, tied, early = (int(v) for v in x.split(":"))
        oplist += struct.pack("<hBBBB", rc, fl, ty, tied & 0xFF, early)
        count += 1
    d, u = ids(row[6]), ids(row[7])
    imp = implicit.add(u16(len(d)) + u16(*d) + u16(*u))
    # LLVM 22 added variants for accumulation registers with the same operands.
    nm = named.get(row[1]) or named.get(row[1].removesuffix("_agpr"), [])
    nm = nm if len(nm) == count else []
    key = tuple(name_ids.setdefault(x, len(name_ids)) for x in nm)
    desc = struct.pack("<QQBxHHH", int(row[3]), int(row[4]) if named else 0, int(row[2]), lists.add(oplist), imp, names_pool.add(u16(*key)))
    op_desc[o] = descs.add(desc)
assert len(descs.items) < 65536
op_rows = b"".join(u16(op_desc[o], o if o < generic_end else 0xFFFF) for o in by_name)

# ---- the rest
text = lambda *keys: "\n".join(k + " " + " ".join(r) for k in keys for r in rows[k])
masks = b""
mask_names = []
for name, kept in rows["mask"]:
    kept = set(ids(kept))
    b = bytearray((nunits + 7) // 8)
    for u in range(nunits):
        if root[u] in kept or any(i in kept for i in single[u]):
            b[u // 8] |= 1 << (u % 8)
    masks += bytes(b)
    mask_names.append(name)
modes = sorted({k for c in cpus for k in c["hwmode"]})
nmodes = (modes[-1] + 1) if modes else 0
mode_pool, reserved_pool = Pool(), Pool()
cpu_text = []
for c in cpus:
    m = mode_pool.add(struct.pack("<%dh" % nmodes, *(c["hwmode"].get(i, -1) for i in range(nmodes))))
    b = bytearray((nunits + 7) // 8)
    reserved = set(c["reserved"])
    for u in range(nunits):
        if root[u] in reserved:
            b[u // 8] |= 1 << (u % 8)
    cpu_text.append("%s %d %d" % (c["name"], m, reserved_pool.add(bytes(b))))
misc = "\n".join([
    "datalayout " + rows["datalayout"][0][0],
    "vectoridx " + rows["vectoridx"][0][0],
    "callframe " + " ".join(str(rank.get(int(x), 65535)) if int(x) < len(ops) else "65535" for x in rows["callframe"][0]),
    "formatter " + rows["formatter"][0][0],
    "units %d" % nunits,
    text("stackid", "bank", "targetindex", "flag", "bitflag", "memflag", "vregflag"),
    *("mask " + m for m in mask_names),
    *("cpu " + c for c in cpu_text),
])
subidx = rows["subidx"]
sections = [
    front_coded([ops[o][1] for o in by_name]),
    op_rows,
    descs.pack(),
    lists.pack(),
    implicit.pack(),
    names_pool.pack(),
    front_coded([k for k, _ in sorted(name_ids.items(), key=lambda p: p[1])]),
    front_coded([regs[i][1] for i in order]),
    u16(*order),
    bytes(reg_rows),
    u16(*unit_pool),
    class_names,
    u16(*class_order),
    bytes(class_rows),
    class_pool.pack(),
    bytes(subclass),
    front_coded(["none"] + [s[1] for s in subidx]),
    u16(0, 0) + b"".join(u16(min(int(s[2]), 65535), min(int(s[3]), 65535)) for s in subidx),
    misc.encode(),
    masks,
    mode_pool.pack(),
    reserved_pool.pack(),
]
at, index = 8 + 8 * len(sections), b""
for s in sections:
    index += u32(at, len(s))
    at += len(s)
with open(out, "wb") as f:
    f.write(b"WLMT" + u32(len(sections)) + index + b"".join(sections))
print(out, at, [len(s) for s in sections], "unnamed", sum(1 for o in ops if o[1] not in named), file=sys.stderr)

if len(sys.argv) > 4:
    with open(sys.argv[4], "w") as f:
        f.write("//! Numbers of the opcodes that all targets share, from LLVM 22's `TargetOpcodes.def` (Apache-2.0 WITH LLVM-exception).\n")
        f.write("//!\n//! Made by `cargo xtask tables`.\n\n/// Not a shared opcode.\npub const NONE: u16 = u16::MAX;\n\n")
        for o in range(generic_end):
            f.write("pub const %s: u16 = %d;\n" % (ops[o][1].upper(), o))
        f.write("\n/// Number of shared opcodes.\npub const COUNT: u16 = %d;\n" % generic_end)
