//! From an instruction to text, as `llvm-mc` prints it.

mod number;

use crate::{
    convert::{ABS, DST_OP_SEL, NEG, OP_SEL_0, OP_SEL_1},
    inst::{Inst, MachineOperand},
    operands::{
        cpol, dpp, export, format, hwreg, modifiers, sendmsg, swizzle,
        syntax::{self, Syntax},
        wait,
    },
    processor::{MICROCODE_BITS, MICROCODE_VERSIONS},
    register::{Reg, RegFile},
    tables::{
        Row, converter, feature, flag, flag_set,
        kind::{Class, Imm, OpType, Print, Ty},
        name, special,
    },
    target::{Level, Target},
};

use number::{hex, immediate, signed_hex};

struct Printer<'i> {
    inst: &'i Inst,
    row: Row,
    t: Target,
    out: String,
}

/// Writes the instruction as `llvm-mc` prints it, without leading white space.
pub fn print(target: Target, inst: &Inst) -> String {
    let row = inst.row.row();
    let mut p = Printer { inst, row, t: target, out: row.mnemonic().to_owned() };
    p.template();
    p.out
}

impl Printer<'_> {
    fn template(&mut self) {
        let tail = self.row.tail();
        let mut rest = tail;
        while let Some(at) = rest.find('$') {
            let (before, after) = rest.split_at(at);
            self.out += before;
            let after = after.get(1..).unwrap_or("");
            let n = after.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let (word, next) = after.split_at(n);
            let index = (0..self.row.operands()).find(|i| self.inst.operand_name(*i) == word);
            if let Some(i) = index {
                self.operand(i);
            }
            rest = next;
        }
        self.out += rest;
        self.out.truncate(self.out.trim_end().len());
    }

    fn vcc(&self) -> &'static str {
        if self.t.wave64() { "vcc" } else { "vcc_lo" }
    }

    /// A compare whose result register is not written out.
    fn implied_result(&self) -> bool {
        let vcc =
            self.row.defs().iter().any(|d| crate::tables::IMPLICIT.get(usize::from(*d)) == Some(&"VCC"));
        self.row.has(flag::VOPC)
            && !self.row.has(flag::VOP3)
            && vcc
            && self.row.outs() == 0
            && !self.row.tail().trim_start().starts_with("vcc")
    }

    /// An addition or selection whose carry registers are not written out.
    fn implied_carry(&self) -> bool {
        let m = self.row.mnemonic();
        let uses =
            self.row.uses().iter().any(|d| crate::tables::IMPLICIT.get(usize::from(*d)) == Some(&"VCC"));
        uses && !self.row.tail().contains("vcc")
            && (m.starts_with("v_cndmask")
                || m.contains("_co_ci_")
                || m.starts_with("v_addc")
                || m.starts_with("v_subb"))
            && !self.row.has(flag::VOP3)
            && !self.row.has(flag::VOPD)
    }

    fn imm(&self, i: usize) -> i64 {
        match self.inst.ops.get(i) {
            Some(MachineOperand::Imm(v)) => *v,
            _ => 0,
        }
    }

    fn flag(&mut self, v: i64, word: &str) {
        if v != 0 {
            self.out.push(' ');
            self.out += word;
        }
    }

    /// A number that is not printed when it is 0.
    fn number(&mut self, name: &str, v: i64) {
        if v != 0 {
            self.out += &format!("{name}{v}");
        }
    }

    fn spaced(&mut self, text: &str) {
        if !text.is_empty() {
            self.out.push(' ');
            self.out += text;
        }
    }

    fn selection(&mut self, name: &str, imm: Imm, v: i64) {
        self.out += name;
        self.out += syntax::word(imm, v).unwrap_or("");
    }

    /// The first operand, with the suffix of the mnemonic in front.
    fn destination(&mut self, i: usize, print: Print) {
        if print == Print::VINTRPDst {
            self.out += if self.t.facts().prints_e32 { "_e32 " } else { " " };
            self.regular(i);
            return;
        }
        if i == 0 {
            if !self.row.encoding().is_empty() {
                self.out.push('_');
                self.out += self.row.encoding();
            }
            self.out.push(' ');
        }
        self.regular(i);
        if i == 0 && self.implied_carry() && self.row.mnemonic().contains("_co_ci_") {
            self.out += ", ";
            self.out += self.vcc();
        }
    }

    /// A source without modifiers, or the value that follows its modifiers.
    fn source(&mut self, i: usize, are_modifiers: bool) {
        let first = i == 0 || (i == 1 && self.row.name(0) == name::SRC0_MODIFIERS);
        if first && self.implied_result() {
            self.out += self.vcc();
            self.out += ", ";
        }
        self.regular(if are_modifiers { i + 1 } else { i });
        self.after_source(i);
        if self.row.has(flag::MTBUF) && self.row.name(i) == name::SOFFSET {
            self.spaced(&format::print(self.inst.imm(name::FORMAT), self.t));
        }
    }

    fn operand(&mut self, i: usize) {
        let kind = self.row.kind(i);
        let v = self.imm(i);
        match kind.print {
            Print::VOPDst | Print::VINTRPDst => self.destination(i, kind.print),
            Print::Operand => self.source(i, kind.optype == OpType::InputMods),
            Print::RegularOperand => self.regular(i),
            Print::OperandAndFPInputMods | Print::OperandAndIntInputMods => self.modified(i, v),
            Print::U16ImmOperand if self.row.mnemonic() == "s_version" => self.version(v),
            // Assembled from any other number, it has no upper half.
            Print::U16ImmOperand if v < 0 && matches!(kind.optype, OpType::KImm(Ty::F16)) => {
                self.out += &v.to_string();
            }
            Print::U16ImmOperand => {
                let v = if (-0x8000..=0xFFFF).contains(&v) { v & 0xFFFF } else { v & 0xFFFF_FFFF };
                self.out += &hex(v as u64);
            }
            Print::U32ImmOperand | Print::SMRDOffset8 | Print::SMRDLiteralOffset => {
                self.out += &hex(v as u64 & 0xFFFF_FFFF);
            }
            Print::FP64ImmOperand => {
                let text =
                    if v as u32 != 0 { format!("lit64({})", hex(v as u64)) } else { hex(v as u64 >> 32) };
                self.out += &text;
            }
            Print::SMEMOffset => self.out += &signed_hex(v),
            Print::Offset if self.t.facts().has_wide_buffer_offset() && self.row.has(flag_set::BUFFER) => {
                self.number(" offset:", v);
            }
            Print::Offset if v != 0 => self.out += &format!(" offset:{}", v & 0xFFFF),
            Print::Offset => {}
            Print::FlatOffset => self.number(" offset:", v),
            Print::CPol => self.out += &cpol::print(v, self.row, self.t),
            Print::Dim => {
                let dim = modifiers::DIMS.get(v as usize & 7).copied().unwrap_or("");
                self.out += &format!(" dim:SQ_RSRC_IMG_{dim}");
            }
            Print::R128A16 => {
                let word = if self.t.has(feature::R128_A16) { "a16" } else { "r128" };
                self.flag(v, word);
            }
            Print::FORMAT => {}
            Print::DPP8 => {
                let lanes: Vec<String> = (0..8).map(|k| (v >> (3 * k) & 7).to_string()).collect();
                self.out += &format!("dpp8:[{}]", lanes.join(","));
            }
            Print::DPPCtrl => self.out += &dpp::print(v, self.t),
            Print::DppBoundCtrl => self.flag(v, "bound_ctrl:1"),
            Print::DppFI => self.flag(i64::from(v == 1 || v == 0xEA), "fi:1"),
            Print::SDWADstSel => self.selection("dst_sel:", Imm::SDWADstSel, v),
            Print::SDWASrc0Sel => self.selection("src0_sel:", Imm::SDWASrc0Sel, v),
            Print::SDWASrc1Sel => self.selection("src1_sel:", Imm::SDWASrc1Sel, v),
            Print::SDWADstUnused => self.selection("dst_unused:", Imm::SDWADstUnused, v),
            Print::ExpSrc0 => self.export_source(0),
            Print::ExpSrc1 => self.export_source(1),
            Print::ExpSrc2 => self.export_source(2),
            Print::ExpSrc3 => self.export_source(3),
            Print::ExpTgt => {
                let name = export::name(v & 63, self.t);
                self.spaced(&name.unwrap_or_else(|| format!("invalid_target_{}", v & 63)));
                // LLVM 22 does not read this comma.
                if self.t.level() == Level::Llvm24 {
                    self.out.push(',');
                }
            }
            Print::OpSel => self.op_sel(),
            Print::OpSelHi => self.packed(" op_sel_hi:[", OP_SEL_1),
            Print::NegLo => self.packed(" neg_lo:[", NEG),
            Print::NegHi => self.packed(" neg_hi:[", ABS),
            Print::OModSI => match v {
                1 => self.out += " mul:2",
                2 => self.out += " mul:4",
                3 => self.out += " div:2",
                _ => {}
            },
            Print::Hwreg => self.out += &hwreg::print(v, self.t),
            Print::SendMsg => self.out += &sendmsg::print(v, self.t),
            Print::SWaitCnt => self.out += &wait::print_waitcnt(v, self.t),
            Print::DepCtr => self.out += &wait::print_depctr(v, self.t),
            Print::SDelayALU => self.out += &wait::print_delay(v),
            Print::WaitEvent => self.out += &wait::print_event(v, self.t),
            Print::Swizzle => self.spaced(&swizzle::print(v, self.t)),
            Print::Endpgm if v != 0 => self.out += &format!(" {}", v & 0xFFFF),
            Print::Endpgm => {}
            Print::InterpSlot => {
                self.out += ["p10", "p20", "p0"].get(v as usize).copied().unwrap_or("invalid_param");
            }
            Print::InterpAttr => self.out += &format!("attr{v}"),
            Print::InterpAttrChan => {
                self.out.push('.');
                self.out.push(char::from(b"xyzw"[v as usize & 3]));
            }
            Print::GPRIdxMode => self.out += &modifiers::print_gpr_idx(v),
            Print::BLGP
                if v != 0
                    && self.t.facts().negates_f64_products
                    && self.row.special() == special::MFMA_F64_GFX940 =>
            {
                self.out += &format!(" neg:[{},{},{}]", v & 1, v >> 1 & 1, v >> 2 & 1);
            }
            Print::BLGP => self.number(" blgp:", v),
            Print::BitOp3 if v > 10 => self.out += &format!(" bitop3:{v:#x}"),
            Print::BitOp3 => self.number(" bitop3:", v),
            Print::IndexKey8bit | Print::IndexKey16bit | Print::IndexKey32bit => {
                self.number(" index_key:", v);
            }
            Print::Named(prefix) => self.named(prefix, i, v),
        }
    }

    /// `word` or `name:number`.
    fn named(&mut self, prefix: &str, i: usize, v: i64) {
        let Class::Imm(imm) = self.row.kind(i).class else { return };
        match imm {
            _ if matches!(Syntax::of(imm), Some(Syntax::Flag(_))) => self.flag(v, prefix),
            Imm::DppRowMask | Imm::DppBankMask => self.out += &format!(" {prefix}:{v:#x}"),
            Imm::WaitEXP | Imm::WaitVAVDst | Imm::WaitVDST | Imm::WaitVMVSrc => {
                self.out += &format!(" {prefix}:{v}");
            }
            Imm::SMEMOffsetMod | Imm::OptSMEMOffsetMod => {
                self.out += &format!(" {prefix}:{}", signed_hex(v));
            }
            Imm::DMask if v != 0 => self.out += &format!(" {prefix}:{}", signed_hex(v)),
            _ => {
                if v != 0 {
                    self.out += &match syntax::word(imm, v) {
                        Some(w) => format!(" {prefix}:{w}"),
                        None => format!(" {prefix}:{v}"),
                    };
                }
            }
        }
    }

    /// The second source of a carry instruction is followed by its implied carry-in.
    fn after_source(&mut self, i: usize) {
        let at = if self.row.kind(i).optype == OpType::InputMods { i + 1 } else { i };
        if self.row.name(at) == name::SRC1 && self.implied_carry() {
            self.out += ", ";
            self.out += self.vcc();
        }
    }

    fn modified(&mut self, i: usize, bits: i64) {
        if (i == 0 || (i == 1 && self.row.has(flag::DPP) && self.row.name(0) == name::OLD))
            && self.implied_result()
        {
            self.out += self.vcc();
            self.out += ", ";
        }
        let number = matches!(self.inst.ops.get(i + 1), Some(MachineOperand::Imm(_)));
        if self.row.kind(i).print == Print::OperandAndIntInputMods {
            let sext = bits & 16 != 0;
            if sext {
                self.out += "sext(";
            }
            self.regular(i + 1);
            if sext {
                self.out.push(')');
            }
        } else {
            let (neg, abs) = (bits & NEG != 0, bits & ABS != 0);
            let call = neg && !abs && number;
            if neg {
                self.out += if call { "neg(" } else { "-" };
            }
            if abs {
                self.out.push('|');
            }
            self.regular(i + 1);
            if abs {
                self.out.push('|');
            }
            if call {
                self.out.push(')');
            }
        }
        self.after_source(i);
    }

    fn regular(&mut self, i: usize) {
        let kind = self.row.kind(i);
        match self.inst.ops.get(i).copied().unwrap_or_default() {
            MachineOperand::None => self.out += "off",
            MachineOperand::Reg(r) => self.out += &register_name(r),
            MachineOperand::Symbol(_) => self.out.push('0'),
            MachineOperand::Imm(v) => {
                let text = match kind.optype {
                    OpType::PcRel => (v as u16).to_string(),
                    OpType::Src(ty) if self.inst.is_forced(i) => {
                        number::forced(v, self.inst.forced_code(i, ty, self.t))
                    }
                    OpType::Src(ty)
                    | OpType::Inline(ty)
                    | OpType::NoInline(ty)
                    | OpType::Splat(ty)
                    | OpType::KImm(ty) => immediate(v, ty, self.t),
                    _ => immediate(v, Ty::I32, self.t),
                };
                self.out += &text;
            }
        }
    }

    /// The operand of `s_version`: a microcode version, with bits for wave sizes.
    fn version(&mut self, v: i64) {
        let bits = MICROCODE_BITS.iter().fold(0, |all, (_, bit)| all | bit);
        match MICROCODE_VERSIONS.iter().find(|(_, version)| *version == v & 0xFFFF & !bits) {
            None => self.out += &hex(v as u64 & 0xFFFF),
            Some((name, _)) => {
                self.out += name;
                for (name, _) in MICROCODE_BITS.iter().filter(|(_, bit)| v & bit != 0) {
                    self.out += " | ";
                    self.out += name;
                }
            }
        }
    }

    /// The `n`-th source of an export: a register, or `off` where it is disabled.
    fn export_source(&mut self, n: usize) {
        let compressed = self.inst.imm(name::COMPR) != 0;
        let names = [name::SRC0, name::SRC1, name::SRC2, name::SRC3];
        let at = names[if compressed { n / 2 } else { n } & 3];
        if self.inst.imm(name::EN) >> n & 1 == 1
            && let Some(r) = self.inst.reg(at)
        {
            self.out += &register_name(r);
            return;
        }
        self.out += "off";
    }

    /// Modifier bits of the sources; what a source without modifiers counts as.
    fn source_bits(&self, default: i64) -> Vec<i64> {
        let matrix = self.row.has(flag_set::WMMA);
        let mut out = Vec::with_capacity(3);
        for (src, modifier) in crate::matched::SOURCES {
            // interpolation has its attribute in the place of the second source
            let has_gap = self.row.converter() == converter::VOP3_INTERP;
            if self.row.find(src).is_none() && !matrix && !has_gap {
                break;
            }
            out.push(match self.inst.named(modifier) {
                Some(MachineOperand::Imm(v)) => v,
                Some(_) => 0,
                None => default,
            });
        }
        out
    }

    /// Whether `op_sel` has an entry for the result.
    fn selects_half_of_result(&self) -> bool {
        let row = self.row;
        if row.has(flag::VOP3P | flag::IS_MAI) {
            return false;
        }
        let compares = row.find(name::SDST).is_some() && !row.has(flag::DPP);
        let marked = row.has(flag::VOP3_OPSEL) && (compares || row.find(name::VDST).is_some());
        let bit = DST_OP_SEL.trailing_zeros();
        marked
            || row.find(name::SRC0_MODIFIERS).is_some_and(|i| {
                row.fields().any(|f| {
                    let first = u32::from(f.first);
                    usize::from(f.operand) == i && (first..first + u32::from(f.count)).contains(&bit)
                })
            })
    }

    fn packed(&mut self, name_text: &str, bit: i64) {
        let bits = self.source_bits(if self.row.has(flag::IS_MAI) { 0 } else { bit & OP_SEL_1 });
        let with_dst = bit == OP_SEL_0 && self.selects_half_of_result();
        let default = i64::from(self.row.has(flag::IS_PACKED) && bit == OP_SEL_1);
        let first = bits.first().copied().unwrap_or(0);
        if bits.iter().all(|b| i64::from(b & bit != 0) == default) && !(with_dst && first & DST_OP_SEL != 0) {
            return;
        }
        let mut parts: Vec<&str> = bits.iter().map(|b| if b & bit != 0 { "1" } else { "0" }).collect();
        if with_dst {
            parts.push(if first & DST_OP_SEL != 0 { "1" } else { "0" });
        }
        self.out += name_text;
        self.out += &parts.join(",");
        self.out.push(']');
    }

    fn op_sel(&mut self) {
        if self.row.special() == special::PERMLANE16 {
            let bit = |n| i64::from(self.inst.imm(n) & OP_SEL_0 != 0);
            let (fi, bc) = (bit(name::SRC0_MODIFIERS), bit(name::SRC1_MODIFIERS));
            if fi + bc > 0 {
                self.out += &format!(" op_sel:[{fi},{bc}]");
            }
            return;
        }
        let m = self.row.mnemonic();
        if matches!(m, "v_cvt_f32_fp8" | "v_cvt_f32_bf8" | "v_cvt_pk_f32_fp8" | "v_cvt_pk_f32_bf8")
            && self.row.has(flag::VOP3)
            && self.t.facts().selects_bytes_of_floats
        {
            let v = self.inst.imm(name::SRC0_MODIFIERS);
            let (a, b) = (i64::from(v & OP_SEL_0 != 0), i64::from(v & OP_SEL_1 != 0));
            if a + b > 0 {
                self.out += &format!(" op_sel:[{a},{b}]");
            }
            return;
        }
        self.packed(" op_sel:[", OP_SEL_0);
    }
}

fn register_name(r: Reg) -> String {
    if r.file == RegFile::Special && r == Reg::special(crate::register::Special::LdsDirect, 1) {
        return "src_lds_direct".into();
    }
    r.name()
}
