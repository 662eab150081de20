//! From bytes to an instruction.

mod operand;

use std::sync::OnceLock;

use self::operand::{operand, vector_dwords};
use crate::{
    convert::{DST_OP_SEL, OP_SEL_0},
    encode,
    inst::{Inst, MAX_OPERANDS, MachineOperand},
    literal::LITERAL,
    register::{Half, Reg, RegFile},
    tables::{
        PROCESSORS, Row, feature, flag, flag_set,
        kind::{Enc, OpType, Regs},
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
            let image = row.has(flag_set::IMAGE);
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
                if row.has(flag_set::IMAGE) {
                    // rows of one opcode differ in sizes: the smallest that fits
                    let no_result = row.tail().trim_start().starts_with("off");
                    return (0, u32::MAX - 64, u8::from(no_result), dwords(row), 0, *id);
                }
                // the form with a result knows one bit more, and has a field where the other has zeros
                let returns = row.has(flag::FLAT) && row.has(flag::IS_ATOMIC_RET);
                let open = if returns { 0 } else { u32::MAX - row.mask().count_ones() };
                // of two with the same fields the newer one has a text for more of them
                let without_text = if row.has(flag::VOP3) { usize::MAX - row.tail().len() } else { 0 };
                (u8::from(fake), open, u8::from(row.variant() > 5), 0, without_text, *id)
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
    let is_long = row.has(flag_set::LONG)
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
    if length == 8 && closest.has(flag_set::LONG) && target.has(feature::VOP3_LITERAL) {
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
    /// It has 32 bits.
    short: bool,
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
    let mut reader = Reader { t, bytes, at: row.size(), literal, forced: false, short: false };
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
            inst.force(i, std::mem::take(&mut reader.short));
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
    fn numbers_of_scalar_halves_are_literals() {
        let bytes = [0x05, 0x00, 0x81, 0xd6, 0xff, 0x00, 0x01, 0x02, 0xff, 0xff, 0x00, 0x00];
        let target = Target::of_id("gfx1200").expect("a processor").at_level(Level::Llvm24);
        let found = decode(target, &bytes).expect("an instruction");
        assert_eq!(print(target, &found.inst), "v_s_exp_f16 s5, -1");
        let encoded = crate::encode::encode(&found.inst, target);
        assert_eq!(encoded.bytes.get(..usize::from(encoded.len)), Some(&bytes[..]));
    }

    #[test]
    fn wide_pairs_and_short_literals() {
        let target = Target::of_id("gfx1251").expect("a processor").at_level(Level::Llvm24);
        for (bytes, text) in [
            (
                &[4, 1, 0x4b, 0xcc, 8, 0x19, 2, 0x22][..],
                "v_pk_add_f64 v[4:7], v[8:11], v[12:15] neg_lo:[1,0] neg_hi:[1,0]",
            ),
            (&[4, 0, 0x4b, 0xcc, 0x70, 0x18, 2, 2], "v_pk_add_f64 v[4:7], ttmp[4:7], v[12:15]"),
            (&[4, 0, 0x7e, 0xcc, 8, 0x19, 0x40, 0], "v_pk_lshl_add_u64 v[4:7], v[8:11], s[12:13], s[16:19]"),
            (&[0xff, 0x7c, 0, 0x7e, 0, 0, 0xf0, 0x3f], "v_fract_f64_e32 v[0:1], lit(0x3ff00000)"),
            (&[0xff, 1, 0x80, 0xbe, 1, 0, 0, 0], "s_mov_b64 s[0:1], lit(0x1)"),
            (&[0xfe, 1, 0x80, 0xbe, 1, 0, 0, 0, 0, 0, 0, 0], "s_mov_b64 s[0:1], lit64(0x1)"),
        ] {
            let found = decode(target, bytes).expect("an instruction");
            assert_eq!(print(target, &found.inst), text);
            let encoded = crate::encode::encode(&found.inst, target);
            assert_eq!(encoded.bytes.get(..usize::from(encoded.len)), Some(bytes), "{text}");
        }
    }

    /// Words and commas that LLVM 24 prints.
    #[test]
    fn the_text_of_newer_instructions() {
        for (processor, bytes, text) in [
            ("gfx1310", [1, 5, 0xfa, 0x7c, 0, 0, 0, 0], "v_cmp_class_f16_e32 vcc_lo, v1, v2"),
            ("gfx1100", [0x0f, 0, 0, 0xf8, 0, 1, 2, 3], "exp mrt0, v0, v1, v2, v3"),
            ("gfx1100", [1, 0, 0x8b, 0xbf, 0, 0, 0, 0], "s_wait_event { dont_wait_export_ready: 1 }"),
            ("gfx1200", [0, 0, 0x8b, 0xbf, 0, 0, 0, 0], "s_wait_event { export_ready: 0 }"),
            // LLVM reads the field into the other bit
            ("gfx1200", [2, 0, 0x8b, 0xbf, 0, 0, 0, 0], "s_wait_event 0x2"),
            ("gfx1100", [0, 0x1a, 8, 0xf4, 0, 0, 0, 2], "s_load_b128 [s104,s105,vcc_lo,vcc_hi], s[0:1], s1"),
            (
                "gfx900",
                [5, 0x68, 0x77, 0xd2, 0, 4, 0x0e, 4],
                "v_interp_p2_f16 v5, v2, attr0.x, v3 op_sel:[1,0,1,1]",
            ),
            ("gfx1100", [5, 0x40, 0x16, 0xcc, 1, 5, 0x0e, 0x7c], "v_dot4_i32_i8 v5, v1, v2, v3"),
        ] {
            let target = Target::of_id(processor).expect("a processor").at_level(Level::Llvm24);
            let found = decode(target, &bytes).expect("an instruction");
            assert_eq!(print(target, &found.inst), text);
        }
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
