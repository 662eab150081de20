//! From bytes to an instruction.

use std::sync::OnceLock;

use crate::{
    convert::{DST_OP_SEL, OP_SEL_0},
    encode,
    inst::{Inst, MAX_OPERANDS, MachineOperand},
    literal::{LITERAL, LITERAL64, inline_code},
    register::{Half, Reg, RegFile, Special},
    tables::{
        PROCESSORS, Row, feature, flag,
        kind::{Class, Enc, Imm, Kind, OpType, Regs, Ty},
        name, special,
    },
    target::Target,
    validate,
};

/// An instruction found in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decoded {
    /// The instruction.
    pub inst: Inst,
    /// Bytes taken: 4 to 20.
    pub len: usize,
}

/// Rows by bits 23 to 31 of the first dword, the most specific first.
struct Index(Vec<Vec<u16>>);

static INDICES: [OnceLock<Index>; 768] = [const { OnceLock::new() }; 768];
const SHIFT: u32 = 23;
const BUCKETS: usize = 512;

fn index(t: Target) -> &'static Index {
    let slot = (t.number() * 6 + t.level() as usize * 2 + usize::from(t.wave64())).min(INDICES.len() - 1);
    debug_assert!(PROCESSORS.len() * 6 <= INDICES.len());
    INDICES[slot].get_or_init(|| {
        let mut buckets = vec![Vec::new(); BUCKETS];
        for id in 0..Row::count() as u16 {
            let row = Row::new(id);
            let image = row.has(flag::MIMG | flag::VIMAGE | flag::VSAMPLE);
            let sized = image || matches!(row.special(), special::MFMA_F8F6F4 | special::WMMA_F8F6F4);
            if !row.namespace().map_or(sized, |n| is_of_generation(n, t.major())) || !t.can(row.avail()) {
                continue;
            }
            let mask = (row.mask() >> SHIFT) as usize & (BUCKETS - 1);
            let value = (row.value() >> SHIFT) as usize & mask;
            for (k, b) in buckets.iter_mut().enumerate() {
                if k & mask == value {
                    b.push(id);
                }
            }
        }
        for b in &mut buckets {
            b.sort_by_key(|id| {
                let row = Row::new(*id);
                let fake = row.namespace().is_some_and(|n| n.ends_with("FAKE16"));
                if row.has(flag::MIMG | flag::VIMAGE | flag::VSAMPLE) {
                    // rows of one opcode differ in sizes: the smallest that fits
                    let no_result = row.tail().trim_start().starts_with("off");
                    return (0, u32::MAX - 64, u8::from(no_result), dwords(row), *id);
                }
                // the form with a result knows one bit more, and has a field where the other has zeros
                let returns = row.has(flag::FLAT) && row.has(flag::IS_ATOMIC_RET);
                let open = if returns { 0 } else { u32::MAX - row.mask().count_ones() };
                (u8::from(fake), open, u8::from(row.variant() > 5), 0, *id)
            });
        }
        Index(buckets)
    })
}

/// Whether an encoding of this name, such as `GFX90A` or `GFX11W64`, belongs to the generation. LLVM has no decoder before gfx8
/// and names encodings by the generation that shares them.
fn is_of_generation(namespace: &str, major: u8) -> bool {
    let Some(name) = namespace.strip_prefix("GFX").filter(|_| major >= 8) else { return true };
    let digits = if name.starts_with('1') { 2 } else { 1 };
    match name.get(..digits).and_then(|d| d.parse().ok()) {
        Some(8) => major == 8 || major == 9,
        generation => generation == Some(major),
    }
}

/// Registers of all vector operands together.
fn dwords(row: Row) -> u32 {
    (0..row.operands()).map(|i| u32::from(vector_dwords(row.kind(i).regs))).sum()
}

/// Whether a row loads the scales of a matrix instruction, alone or with that instruction. Its encoding tells it from others by the source
/// that it lacks.
fn is_scale(row: Row) -> bool {
    row.find(name::MATRIX_A_SCALE).is_some()
}

/// The fields of the sources that an instruction in this encoding lacks.
fn unused_sources(row: Row) -> impl Iterator<Item = u32> {
    const SOURCES: [u32; 3] = [32, 41, 50];
    // with DPP only comparisons that write no register
    let is_long = row.has(flag::VOP3 | flag::VOP3P)
        && (row.size() == 8 || is_scale(row) || row.has(flag::DPP) && row.special() == special::VCMPX64);
    let constant = move |at: u32| {
        let field = 0x1FF << at;
        row.mask() & field == field && (row.value() & field == 0 || is_scale(row))
    };
    SOURCES.into_iter().filter(move |at| is_long && constant(*at))
}

/// The constant bits of a row. LLVM 24 writes the inline constant 0 into sources that the instruction does not have.
pub(crate) fn constant_bits(row: Row, t: Target) -> u128 {
    if !t.is_newer() || !t.facts().fills_unused_sources {
        return row.value();
    }
    unused_sources(row).fold(row.value(), |word, at| word & !(0x1FF << at) | 0x80 << at)
}

/// The constant bits that tell a row from others: hardware does not read the sources that an instruction lacks.
fn significant_bits(row: Row) -> u128 {
    match is_scale(row) {
        true => row.mask(),
        false => unused_sources(row).fold(row.mask(), |mask, at| mask & !(0x1FF << at)),
    }
}

/// Decodes the instruction at the start of `bytes`; `None` if the target does not have such an instruction.
pub fn decode(target: Target, bytes: &[u8]) -> Option<Decoded> {
    let mut word = [0u8; 16];
    for (w, b) in word.iter_mut().zip(bytes) {
        *w = *b;
    }
    let word = u128::from_le_bytes(word);
    let bucket = index(target).0.get((word >> SHIFT) as usize & (BUCKETS - 1))?;
    let mut second = None;
    for id in bucket {
        let row = Row::new(*id);
        let mask = significant_bits(row);
        if bytes.len() < row.size() || word & mask != constant_bits(row, target) & mask {
            continue;
        }
        let Some(d) = attempt(target, row, *id, word, bytes) else { continue };
        // what encodes back to the same bytes is certainly meant
        let again = encode::encode(&d.inst, target);
        if again.bytes.get(..usize::from(again.len)) == bytes.get(..d.len) {
            return Some(d);
        }
        second.get_or_insert(d);
    }
    second
}

/// Bytes of an instruction whose opcode is not known, by its encoding: those of the shortest one that the target encodes in the same way,
/// and those of the literal or DPP control that its sources ask for.
pub fn unknown_length(target: Target, bytes: &[u8]) -> usize {
    /// The bits of the first dword that name the encoding, from gfx8 on for all encodings of more than one dword.
    const ENCODING: u128 = 0xFC00_0000;
    let mut word = [0u8; 16];
    for (w, b) in word.iter_mut().zip(bytes) {
        *w = *b;
    }
    let word = u128::from_le_bytes(word);
    let rows = || index(target).0.iter().flatten().map(|id| Row::new(*id));
    let same = |row: &Row| row.mask() & ENCODING == ENCODING && (row.value() ^ word) & ENCODING == 0;
    let Some(closest) = rows().filter(same).min_by_key(|row| row.size()) else { return 4 };
    let mut length = closest.size();
    if length == 8 && closest.has(flag::VOP3 | flag::VOP3P) && target.has(feature::VOP3_LITERAL) {
        let source = |at: u32| (word >> at) as u16 & 0x1FF;
        let is_dpp = target.facts().has_vop3_dpp && matches!(source(32), 0xE9 | 0xEA | 0xFA);
        if is_dpp || [32, 41, 50].into_iter().any(|at| source(at) == LITERAL) {
            length += 4;
        }
    }
    length.min(bytes.len().max(4))
}

struct Reader<'b> {
    t: Target,
    bytes: &'b [u8],
    /// Bytes taken so far.
    at: usize,
    literal: Option<u64>,
    /// The operand just read is a literal where an inline constant would do.
    forced: bool,
}

impl Reader<'_> {
    /// The literal after the instruction, of `n` bytes.
    fn literal(&mut self, n: usize) -> Option<u64> {
        if let Some(v) = self.literal {
            return Some(v);
        }
        let mut v = 0;
        for (i, b) in self.bytes.get(self.at..self.at + n)?.iter().enumerate() {
            v |= u64::from(*b) << (8 * i);
        }
        self.at += n;
        self.literal = Some(v);
        Some(v)
    }

    /// The separate address registers of an image instruction, a byte each, in whole dwords.
    fn addresses(&mut self, row: Row, raw: &mut RawOperands) -> Option<()> {
        let (first, end) = (row.find(name::VADDR0)?, row.find(name::SRSRC)?);
        let extra = end.saturating_sub(first + 1);
        for i in 0..extra {
            let value = u64::from(*self.bytes.get(row.size() + i)?);
            raw[first + 1 + i] = RawOperand { value, known: 0xFF };
        }
        self.at += extra.next_multiple_of(4);
        (self.at <= self.bytes.len()).then_some(())
    }
}

/// The bits of an operand that fields of the encoding hold.
#[derive(Clone, Copy, Default)]
struct RawOperand {
    value: u64,
    /// Which bits of the value a field holds; 0 for operands without fields.
    known: u64,
}

type RawOperands = [RawOperand; MAX_OPERANDS];

fn raw_operands(row: Row, word: u128) -> Option<RawOperands> {
    let mut raw = [RawOperand::default(); MAX_OPERANDS];
    for f in row.fields() {
        let mask = if f.count >= 64 { u64::MAX } else { (1 << f.count) - 1 };
        let value = (word >> f.pos) as u64 & mask;
        let operand = raw.get_mut(usize::from(f.operand))?;
        operand.value |= value << f.first;
        operand.known |= mask << f.first;
    }
    Some(raw)
}

fn attempt(t: Target, row: Row, id: u16, word: u128, bytes: &[u8]) -> Option<Decoded> {
    let mut inst = Inst::new(id);
    let n = row.operands();
    let mut raw = raw_operands(row, word)?;
    // the mandatory literal is what a literal source shows too
    let mandatory = |i: &usize| matches!(row.kind(*i).optype, OpType::KImm(_));
    let literal = (0..n).filter(mandatory).filter_map(|i| raw.get(i)).find(|r| r.known != 0).map(|r| r.value);
    let mut reader = Reader { t, bytes, at: row.size(), literal, forced: false };
    if t.facts().has_image_dim && row.has(flag::MIMG) {
        reader.addresses(row, &mut raw)?;
    }
    for (i, raw) in raw.iter().enumerate().take(n).filter(|(_, raw)| raw.known != 0) {
        // the selector of eight-lane DPP: anything else is a source of another form
        if row.name(i) == name::FI && raw.known >= 0xFF && !matches!(raw.value, 0xE9 | 0xEA) {
            return None;
        }
        inst.ops[i] = operand(&mut reader, row, row.kind(i), *raw)?;
        if std::mem::take(&mut reader.forced) {
            inst.literals |= 1 << i.min(31);
        }
    }
    share_register_file(&mut inst, row, &raw);
    if row.has(flag::VOPD) {
        complete_dual(&mut inst, row);
    }
    set_register_halves(&mut inst, row);
    complete_operands(&mut inst, row, &raw)?;
    if row.has(flag::EXP) {
        remove_disabled_exports(&mut inst, row);
    }
    let missing = |o: &MachineOperand| matches!(o, MachineOperand::Reg(r) if r.file == RegFile::Vgpr && !r.exists_on(t));
    if inst.operands().iter().any(missing) || !validate::sizes_fit(&inst, row, t) {
        return None;
    }
    Some(Decoded { inst, len: reader.at })
}

/// What a dual instruction encodes once for both halves.
fn complete_dual(inst: &mut Inst, row: Row) {
    // the result of the second half has the opposite parity
    if !row.has(flag::VOPD3)
        && let (Some(x), Some(y)) = (row.find(name::VDST_X), row.find(name::VDST_Y))
        && let (MachineOperand::Reg(a), MachineOperand::Reg(b)) = (inst.ops[x], inst.ops[y])
    {
        inst.ops[y] = MachineOperand::Reg(Reg { index: (b.index & !1) | (!a.index & 1), ..b });
    }
    if let (Some(x), Some(y)) = (row.find(name::IMM_X), row.find(name::IMM)) {
        inst.ops[x] = inst.ops[y];
    }
}

/// Operands without fields: tied ones, numbers that are 0, and bits that the opcode implies.
fn complete_operands(inst: &mut Inst, row: Row, raw: &RawOperands) -> Option<()> {
    for (a, b) in row.ties() {
        match (inst.ops.get(a).copied(), inst.ops.get(b).copied()) {
            (Some(MachineOperand::None), Some(y)) => inst.ops[a] = y,
            (Some(x), Some(MachineOperand::None)) => inst.ops[b] = x,
            _ => {}
        }
    }
    for (i, raw) in raw.iter().enumerate().take(row.operands()) {
        if inst.ops[i] == MachineOperand::None && row.kind(i).optype == OpType::Imm && raw.known == 0 {
            inst.ops[i] = MachineOperand::Imm(0);
        }
    }
    if row.has(flag::IS_ATOMIC_RET)
        && let Some(i) = row.find(name::CPOL).filter(|i| raw[*i].known & 1 == 0)
    {
        let MachineOperand::Imm(v) = inst.ops[i] else { return None };
        inst.ops[i] = MachineOperand::Imm(v | 1);
    }
    if row.has(flag::MIMG_BVH_A16)
        && let Some(i) = row.find(name::A16)
    {
        inst.ops[i] = MachineOperand::Imm(1);
    }
    Some(())
}

fn remove_disabled_exports(inst: &mut Inst, row: Row) {
    let (enabled, compressed) = (inst.imm(name::EN), inst.imm(name::COMPR) != 0);
    for (i, src) in [name::SRC0, name::SRC1, name::SRC2, name::SRC3].into_iter().enumerate() {
        let on = if compressed { i < 2 && enabled >> (2 * i) & 3 != 0 } else { enabled >> i & 1 == 1 };
        if let (Some(at), false) = (row.find(src), on) {
            inst.ops[at] = MachineOperand::None;
        }
    }
}

/// One bit says whether result and data are accumulators: that of the operand which has it counts for both.
fn share_register_file(inst: &mut Inst, row: Row, raw: &RawOperands) {
    const ACCUMULATOR: u64 = 0x200;
    let has_bit = |i: usize| raw.get(i).is_some_and(|raw| raw.known & ACCUMULATOR != 0);
    let places = [name::VDST, name::VDATA, name::DATA0, name::DATA1].map(|n| row.find(n));
    let known = places.iter().flatten().copied().find(|i| has_bit(*i));
    let Some(MachineOperand::Reg(leader)) = known.and_then(|i| inst.ops.get(i).copied()) else { return };
    for i in places.into_iter().flatten().filter(|i| !has_bit(*i) && matches!(row.kind(*i).regs, Regs::Av(_)))
    {
        if let MachineOperand::Reg(reg) = inst.ops[i] {
            inst.ops[i] = MachineOperand::Reg(Reg { file: leader.file, ..reg });
        }
    }
}

/// Sets the halves of 16-bit registers, which the modifiers hold.
fn set_register_halves(inst: &mut Inst, row: Row) {
    let half = |high: bool| if high { Half::Hi } else { Half::Lo };
    for (src, modifier) in crate::matched::SOURCES {
        let (Some(i), Some(m)) = (row.find(src), row.find(modifier)) else { continue };
        let (MachineOperand::Reg(r), MachineOperand::Imm(bits)) = (inst.ops[i], inst.ops[m]) else {
            continue;
        };
        if row.kind(i).enc == Enc::T16 && r.file == RegFile::Vgpr && takes_halves(row.kind(i).regs) {
            inst.ops[i] = MachineOperand::Reg(Reg { half: half(bits & OP_SEL_0 != 0), ..r });
        }
    }
    if let Some(i) = row.find(name::VDST)
        && let MachineOperand::Reg(r) = inst.ops[i]
        && row.kind(i).enc == Enc::T16
        && r.file == RegFile::Vgpr
        && takes_halves(row.kind(i).regs)
    {
        let high = inst.imm(name::SRC0_MODIFIERS) & DST_OP_SEL != 0;
        inst.ops[i] = MachineOperand::Reg(Reg { half: half(high), ..r });
    }
}

fn takes_halves(r: Regs) -> bool {
    matches!(r, Regs::V16 | Regs::V16Lo | Regs::Vs16 | Regs::Vs16Lo)
}

fn vector(file: RegFile, index: u64, n: u8) -> Option<Reg> {
    let index = u16::try_from(index & 0xFF).ok()?;
    // on gfx1250 tuples end beyond v255
    let end = if file == RegFile::Vgpr { 256 + 32 } else { 256 };
    (index + u16::from(n) <= end).then_some(Reg { file, index, dwords: n, half: Half::Full })
}

/// A scalar register by its number in an operand, as `n` dwords.
fn scalar(code: u64, n: u8, t: Target) -> Option<Reg> {
    let facts = t.facts();
    let numbered = |file, index: u64| {
        let align = u64::from(n).next_power_of_two().min(4);
        index.is_multiple_of(align).then_some(Reg { file, index: index as u16, dwords: n, half: Half::Full })
    };
    let named = |s: Special| Some(Reg::special(s, n.min(2)));
    let pair = |lo: Special, hi: Special, odd: bool| match (odd, n) {
        (false, 1 | 2) => named(lo),
        (true, 1) => named(hi),
        _ => None,
    };
    let odd = code & 1 == 1;
    let r = match code {
        _ if code < facts.named_sgprs.into() => numbered(RegFile::Sgpr, code),
        102 | 103 => pair(Special::FlatScratchLo, Special::FlatScratchHi, odd),
        104 | 105 if facts.flat_scratch == Some(104) => {
            pair(Special::FlatScratchLo, Special::FlatScratchHi, odd)
        }
        104 | 105 => pair(Special::XnackMaskLo, Special::XnackMaskHi, odd),
        106 | 107 => pair(Special::VccLo, Special::VccHi, odd),
        108..=123 if facts.first_ttmp == 108 => numbered(RegFile::Ttmp, code - 108),
        108 | 109 => pair(Special::TbaLo, Special::TbaHi, odd),
        110 | 111 => pair(Special::TmaLo, Special::TmaHi, odd),
        112..=123 => numbered(RegFile::Ttmp, code - 112),
        124 | 125 if code == u64::from(facts.m0) => (n == 1).then_some(Reg::special(Special::M0, 1)),
        124 | 125 => Some(Reg::NULL),
        126 | 127 => pair(Special::ExecLo, Special::ExecHi, odd),
        230 => named(Special::FlatScratchBaseLo),
        231 => named(Special::FlatScratchBaseHi),
        235 => Some(Reg::special(Special::SharedBaseLo, 2)),
        236 => Some(Reg::special(Special::SharedLimitLo, 2)),
        237 => Some(Reg::special(Special::PrivateBaseLo, 2)),
        238 => Some(Reg::special(Special::PrivateLimitLo, 2)),
        239 => Some(Reg::special(Special::PopsExitingWaveId, 1)),
        251 => Some(Reg::special(Special::Vccz, 1)),
        252 => Some(Reg::special(Special::Execz, 1)),
        253 => Some(Reg::special(Special::Scc, 1)),
        254 => (n == 1).then_some(Reg::special(Special::LdsDirect, 1)),
        _ => None,
    }?;
    r.exists_on(t).then_some(r)
}

/// Dwords of a scalar operand of a class.
fn scalar_dwords(r: Regs, t: Target) -> u8 {
    match r {
        Regs::S64 | Regs::S64XExec | Regs::S64XExecXNull | Regs::Vs64 => 2,
        Regs::S(n) | Regs::SXNull(n) => n,
        Regs::S1 | Regs::S1XExec if t.wave64() => 2,
        Regs::V(n) | Regs::A(n) | Regs::Av(n) => n,
        _ => 1,
    }
}

/// The value of an inline code.
fn constant(code: u64, ty: Ty) -> Option<i64> {
    let float = |f: f64| -> i64 {
        let single = (f as f32).to_bits();
        match ty {
            Ty::F64 | Ty::I64 => f.to_bits() as i64,
            Ty::F16 | Ty::V2F16 => match code {
                240 => 0x3800,
                241 => 0xB800,
                242 => 0x3C00,
                243 => 0xBC00,
                244 => 0x4000,
                245 => 0xC000,
                246 => 0x4400,
                247 => 0xC400,
                _ => 0x3118,
            },
            Ty::BF16 | Ty::V2BF16 => i64::from(single >> 16),
            _ => i64::from(single),
        }
    };
    Some(match code {
        128..=192 => code as i64 - 128,
        193..=208 => 192 - code as i64,
        240 => float(0.5),
        241 => float(-0.5),
        242 => float(1.0),
        243 => float(-1.0),
        244 => float(2.0),
        245 => float(-2.0),
        246 => float(4.0),
        247 => float(-4.0),
        248 => match ty {
            Ty::F64 | Ty::I64 => 0x3FC4_5F30_6DC9_C882,
            Ty::F16 | Ty::V2F16 => 0x3118,
            Ty::BF16 | Ty::V2BF16 => 0x3E22,
            _ => 0x3E22_F983,
        },
        _ => return None,
    })
}

fn source(rd: &mut Reader<'_>, row: Row, k: &Kind, ty: Option<Ty>, v: u64) -> Option<MachineOperand> {
    let n = scalar_dwords(k.regs, rd.t);
    if v >= 256 {
        return vector(RegFile::Vgpr, v, vector_dwords(k.regs)).map(MachineOperand::Reg);
    }
    if let Some(ty) = ty {
        if let Some(c) = constant(v, ty) {
            return Some(MachineOperand::Imm(c));
        }
        if v == u64::from(LITERAL) && !row.has(flag::DPP | flag::SDWA) {
            let lit = i64::from(rd.literal(4)? as u32);
            if ty == Ty::F64 {
                let high = matches!(k.optype, OpType::Src(_));
                return Some(MachineOperand::Imm(if high { lit << 32 } else { lit }));
            }
            rd.forced = inline_code(lit, ty, rd.t).is_some();
            return Some(MachineOperand::Imm(lit));
        }
        if v == u64::from(LITERAL64) && rd.t.has(feature::F64_BIT_LITERALS) {
            let lit = rd.literal(8)?;
            rd.forced = lit >> 32 == 0;
            return Some(MachineOperand::Imm(lit as i64));
        }
    }
    scalar(v, n, rd.t).map(MachineOperand::Reg)
}

fn vector_dwords(r: Regs) -> u8 {
    match r {
        Regs::Vs64 => 2,
        Regs::V(n) | Regs::A(n) | Regs::Av(n) => n,
        _ => 1,
    }
}

fn operand(rd: &mut Reader<'_>, row: Row, k: &'static Kind, raw: RawOperand) -> Option<MachineOperand> {
    let v = raw.value;
    let reg = |r: Option<Reg>| r.map(MachineOperand::Reg);
    match k.optype {
        OpType::Imm | OpType::InputMods => return Some(MachineOperand::Imm(number(rd.t, row, k, v))),
        OpType::PcRel => return Some(MachineOperand::Imm(i64::from(v as u16 as i16))),
        OpType::KImm(ty) => {
            return Some(MachineOperand::Imm(match ty {
                Ty::F16 if v >> 16 == 0xFFFF => i64::from(v as u32 as i32),
                Ty::F16 => v as i64 & 0xFFFF,
                _ => v as i64,
            }));
        }
        OpType::Reg | OpType::Src(_) | OpType::Inline(_) | OpType::NoInline(_) | OpType::Splat(_) => {}
    }
    if k.enc == Enc::SdwaVopcDst {
        if v & 0x80 == 0 {
            return Some(MachineOperand::Reg(if rd.t.wave64() { Reg::VCC } else { Reg::VCC_LO }));
        }
        return reg(scalar(v & 0x7F, scalar_dwords(Regs::S1, rd.t), rd.t));
    }
    if k.enc == Enc::SdwaSrc {
        if v & 0x100 == 0 {
            return reg(vector(RegFile::Vgpr, v, 1));
        }
        return source(rd, row, k, k.optype.src(), v & 0xFF);
    }
    let wide = raw.known & 0x100 != 0;
    match k.regs {
        Regs::V(d) | Regs::A(d) | Regs::Av(d) => {
            let accumulator = match k.regs {
                Regs::A(_) => true,
                Regs::Av(_) => v & 0x200 != 0,
                _ => false,
            };
            if wide && v & 0x100 == 0 {
                // matrix sources take constants where a register is wanted
                let ty = k.optype.src()?;
                return source(rd, row, k, Some(ty), v & 0xFF);
            }
            reg(vector(if accumulator { RegFile::Agpr } else { RegFile::Vgpr }, v, d))
        }
        Regs::VLo => {
            if wide && v & 0x100 == 0 || v & 0x80 != 0 {
                return None;
            }
            reg(vector(RegFile::Vgpr, v, 1))
        }
        Regs::V16 => {
            if wide && v & 0x100 == 0 {
                return None;
            }
            reg(vector(RegFile::Vgpr, v, 1).map(|r| Reg { half: Half::Lo, ..r }))
        }
        Regs::V16Lo => {
            if wide && v & 0x100 == 0 {
                return None;
            }
            let half = if v & 0x80 != 0 { Half::Hi } else { Half::Lo };
            reg(vector(RegFile::Vgpr, v & 0x7F, 1).map(|r| Reg { half, ..r }))
        }
        Regs::Vs16Lo if v >= 256 => {
            let half = if v & 0x80 != 0 { Half::Hi } else { Half::Lo };
            reg(vector(RegFile::Vgpr, v & 0x7F, 1).map(|r| Reg { half, ..r }))
        }
        Regs::Vs16 if v >= 256 => reg(vector(RegFile::Vgpr, v, 1).map(|r| Reg { half: Half::Lo, ..r })),
        Regs::Vs32Lo if v >= 256 && v & 0x80 != 0 => None,
        Regs::VOrLds if v < 256 => {
            (v == 254).then_some(MachineOperand::Reg(Reg::special(Special::LdsDirect, 1)))
        }
        _ => source(rd, row, k, k.optype.src(), v),
    }
}

fn sign_extend(v: u64, bits: u32) -> i64 {
    (v << (64 - bits)) as i64 >> (64 - bits)
}

/// A number in a field, with its sign where it has one.
fn number(t: Target, row: Row, k: &Kind, v: u64) -> i64 {
    let facts = t.facts();
    let signed_bits = match k.class {
        Class::Imm(Imm::FlatOffset) => {
            let is_signed = row.has(flag::FLAT_GLOBAL | flag::FLAT_SCRATCH) || facts.flat_offset_is_signed;
            is_signed.then_some(facts.flat_offset_bits)
        }
        Class::Imm(Imm::Offset) if row.has(flag::MUBUF | flag::MTBUF) => {
            facts.has_wide_buffer_offset().then_some(facts.buffer_offset_bits + 1)
        }
        Class::SmemOffset | Class::Imm(Imm::SMEMOffsetMod | Imm::OptSMEMOffsetMod) => {
            let is_signed = facts.scalar_offset_is_signed
                && (!row.has(flag::SMEM_BUFFER) || facts.scalar_buffer_field_is_signed);
            is_signed.then_some(facts.scalar_offset_bits)
        }
        _ => None,
    };
    signed_bits.map_or(v as i64, |bits| sign_extend(v, bits))
}

#[cfg(test)]
mod tests {
    use super::decode;
    use crate::{Level, Target, print};

    #[test]
    fn bits_of_a_source_that_does_not_exist_are_ignored() {
        let target = Target::of_id("gfx1250").expect("a processor");
        let text = |word: u64| decode(target, &word.to_le_bytes()).map(|found| print(target, &found.inst));
        for word in [0x1802_3d1c_cc29_0006, 0x1c02_3d1c_cc29_0006] {
            assert_eq!(text(word).as_deref(), Some("v_pk_add_f32 v[6:7], v[28:29], v[30:31]"));
        }
        // Here they tell the encoding from others.
        assert_eq!(text(0x0402_a55e_cc35_0000).as_deref(), Some("v_wmma_ld_scale_paired_b32 v94, v82"));
        assert_eq!(text(0x0002_a55e_cc35_0000), None);
    }

    #[test]
    fn sources_that_do_not_exist_are_encoded_as_by_the_level() {
        let target = Target::of_id("gfx1250").expect("a processor").at_level(Level::Llvm24);
        let text = |word: u64| decode(target, &word.to_le_bytes()).map(|found| print(target, &found.inst));
        assert_eq!(text(0x0202_a55e_cc35_0000).as_deref(), Some("v_wmma_ld_scale_paired_b32 v94, v82"));
        assert_eq!(text(0x0402_a55e_cc35_0000), None);
        let pair: Vec<u8> = [0x0202_ed85_cc35_0000u64, 0x0562_2130_cc33_0058]
            .into_iter()
            .flat_map(u64::to_le_bytes)
            .collect();
        let found = decode(target, &pair).map(|found| (print(target, &found.inst), found.len));
        let expected = "v_wmma_scale_f32_16x16x128_f8f6f4 v[88:95], v[48:63], v[16:31], v[88:95], v133, v118";
        assert_eq!(found, Some((expected.to_owned(), 16)));
    }
}
