//! Example lines for every row of the instruction table, to compare with a reference assembler.

use crate::{
    generation::Policies,
    operands::{cpol, modifiers, syntax::Syntax},
    tables::{
        self, Formal, Row, flag,
        kind::{Class, Imm, Kind, ModKind, Regs, Ty},
        name,
    },
    target::Target,
};

/// Registers of a class: first, last, and one between.
fn registers(r: Regs, k: usize, t: Target) -> String {
    let tuple = |prefix: &str, n: u8, last: u32, step: u32| {
        let n = u32::from(n);
        let top = (last + 1 - n) / step * step;
        let lo = match k % 3 {
            0 => (k as u32 * 2 / 3 * step).min(top) / step * step,
            1 => top,
            _ => (top / 2) / step * step,
        };
        if n == 1 { format!("{prefix}{lo}") } else { format!("{prefix}[{lo}:{}]", lo + n - 1) }
    };
    let even = if t.facts().aligns_vector_tuples { 2 } else { 1 };
    let vector = |prefix: &str, n: u8, last: u32| tuple(prefix, n, last, if n > 1 { even } else { 1 });
    let scalar = |n: u8| {
        let sgprs = u32::from(t.facts().named_sgprs) - 1;
        let step = u32::from(n).next_power_of_two().min(4);
        if k % 5 == 4 && (n <= 2 || n == 4 || n == 8) {
            return tuple("ttmp", n, 11, step);
        }
        tuple("s", n, sgprs, step)
    };
    match r {
        Regs::None => "off".into(),
        Regs::V(n) => vector("v", n, 255),
        Regs::A(n) => vector("a", n, 255),
        Regs::Av(n) => vector(if k % 4 == 3 { "a" } else { "v" }, n, 255),
        Regs::VLo => vector("v", 1, 127),
        Regs::V16 => vector("v", 1, 255) + if k.is_multiple_of(2) { ".l" } else { ".h" },
        Regs::V16Lo => vector("v", 1, 127) + if k.is_multiple_of(2) { ".l" } else { ".h" },
        Regs::S(n) | Regs::SXNull(n) => scalar(n),
        Regs::S64 | Regs::S64XExec | Regs::S64XExecXNull => match k % 7 {
            3 => "vcc".into(),
            5 if r == Regs::S64 => "exec".into(),
            _ => scalar(2),
        },
        Regs::S1 | Regs::S1XExec => {
            if t.wave64() {
                if k % 3 == 2 { "vcc".into() } else { scalar(2) }
            } else if k % 3 == 2 {
                "vcc_lo".into()
            } else {
                scalar(1)
            }
        }
        Regs::VOrLds | Regs::Vs32 => vector("v", 1, 255),
        Regs::Vs32Lo => vector("v", 1, 127),
        Regs::Vs16 => vector("v", 1, 255) + if k.is_multiple_of(2) { ".h" } else { ".l" },
        Regs::Vs16Lo => vector("v", 1, 127) + if k.is_multiple_of(2) { ".h" } else { ".l" },
        Regs::Vs64 => vector("v", 2, 255),
        Regs::Vs128 => vector("v", 4, 255),
        Regs::S32XM0 | Regs::S32XM0XExec => match k % 6 {
            3 => "vcc_lo".into(),
            _ => scalar(1),
        },
        _ => match k % 6 {
            2 => "m0".into(),
            3 => "vcc_hi".into(),
            _ => scalar(1),
        },
    }
}

fn numbers(ty: Ty, literal: bool, k: usize) -> String {
    let inline = ["0", "64", "-16", "1.0", "-4.0", "0.5", "-1", "2.0", "0.15915494", "-0.5", "17"];
    if !literal || k.is_multiple_of(2) {
        return inline[k / 2 % inline.len()].into();
    }
    let list: &[&str] = match ty.scalar_bits() {
        16 => &[
            "0x3456", "100", "-100", "1.5", "-17", "0xffff", "-32768", "0x8000", "0.1", "-2.5", "0x3118",
            "65504.0",
        ],
        64 => &[
            "0x12345678",
            "100",
            "-17",
            "0x7fffffff",
            "0xffffffff",
            "-2147483648",
            "0x123456789abcdef0",
            "1.5",
            "-0.1",
            "0x3ff0000000000000",
            "3.5",
        ],
        _ => &[
            "0x12345678",
            "-17",
            "1.5",
            "0xffffffff",
            "65",
            "-2147483648",
            "0.1",
            "0x3e22f983",
            "0x3f800000",
            "-3.25",
            "label",
        ],
    };
    list[k / 2 % list.len()].into()
}

fn with_mods(s: String, m: ModKind, k: usize) -> String {
    match (m, k % 5) {
        (ModKind::Fp, 1) if s.starts_with('-') => format!("neg({s})"),
        (ModKind::Fp, 1) => format!("-{s}"),
        (ModKind::Fp, 2) => format!("|{s}|"),
        (ModKind::Fp, 3) => format!("-|{s}|"),
        (ModKind::Int, 2) => format!("sext({s})"),
        _ => s,
    }
}

/// A modifier with the `k`-th of some values.
fn immediate(imm: Imm, k: usize, row: Row, t: Target) -> String {
    let pick = |list: &[&str]| list[k % list.len()].to_owned();
    let names = |name: &str, list: &[&str]| format!("{name}:{}", list[k % list.len()]);
    match imm {
        Imm::A16 => pick(&["a16", "noa16"]),
        Imm::R128A16 => {
            if t.facts().has_a16_for_r128 {
                "a16".into()
            } else {
                "r128".into()
            }
        }
        Imm::ABID => names("abid", &["1", "7", "15"]),
        Imm::CBSZ => names("cbsz", &["1", "3", "7"]),
        Imm::BLGP => names("blgp", &["1", "4", "7"]),
        Imm::DMask => names("dmask", &["0x1", "0x3", "0x7", "0xf"]),
        Imm::ByteSel => names("byte_sel", &["1", "2", "3"]),
        Imm::BitOp3 => names("bitop3", &["0x1b", "255", "7"]),
        Imm::DppBankMask => names("bank_mask", &["0x1", "0xe", "0x0"]),
        Imm::DppRowMask => names("row_mask", &["0xa", "0x1", "0x0"]),
        Imm::DppFI => names("fi", &["1", "0"]),
        Imm::DppBoundCtrl => names("bound_ctrl", &["1", "0"]),
        Imm::Offset => {
            if row.has(flag::MUBUF | flag::MTBUF) {
                names("offset", &["4095", "4", "16"])
            } else {
                names("offset", &["65535", "4", "0x10"])
            }
        }
        Imm::SMEMOffsetMod | Imm::OptSMEMOffsetMod => names("offset", &["0x12345", "0", "4"]),
        Imm::FlatOffset => {
            if t.facts().flat_offset_is_signed {
                names("offset", &["-64", "8000000", "4"])
            } else {
                names("offset", &["2047", "16", "-1"])
            }
        }
        Imm::Offset0 => names("offset0", &["255", "127", "1"]),
        Imm::Offset1 => names("offset1", &["255", "127", "2"]),
        Imm::WaitEXP => names("wait_exp", &["1", "7"]),
        Imm::WaitVAVDst => names("wait_va_vdst", &["1", "15"]),
        Imm::WaitVDST => names("wait_vdst", &["1", "15"]),
        Imm::WaitVMVSrc => names("wait_vm_vsrc", &["1", "0"]),
        Imm::OpSel => names("op_sel", &["[1,0,0]", "[0,1]", "[1,1,1,1]", "[0,0,1]", "[1]", "[0,0,0,1]"]),
        Imm::OpSelHi => names("op_sel_hi", &["[1,0,0]", "[0,1]", "[0,0,0]", "[1,1,1]", "[0]"]),
        Imm::NegLo => names("neg_lo", &["[1,0,0]", "[0,1]", "[1,1,0]", "[0,0,1]"]),
        Imm::NegHi => names("neg_hi", &["[1,0,0]", "[0,1]", "[1,1,0]", "[0,0,1]"]),
        Imm::IndexKey8bit => names("index_key", &["3", "1"]),
        Imm::IndexKey16bit | Imm::IndexKey32bit => names("index_key", &["1", "0"]),
        Imm::OModSI => pick(&["mul:2", "mul:4", "div:2"]),
        Imm::SDWADstSel => names("dst_sel", &["BYTE_0", "WORD_1", "DWORD", "BYTE_3"]),
        Imm::SDWASrc0Sel => names("src0_sel", &["BYTE_1", "WORD_0", "DWORD", "BYTE_2"]),
        Imm::SDWASrc1Sel => names("src1_sel", &["WORD_1", "DWORD", "BYTE_0"]),
        Imm::SDWADstUnused => names("dst_unused", &["UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"]),
        Imm::ScaleSel => names("scale_sel", &["1", "7"]),
        _ => special(imm, k, row, t),
    }
}

/// An operand with a syntax of its own, with the `k`-th of some values.
fn special(imm: Imm, k: usize, row: Row, t: Target) -> String {
    let pick = |list: &[&str]| list[k % list.len()].to_owned();
    match imm {
        Imm::Dim => format!("dim:SQ_RSRC_IMG_{}", modifiers::DIMS[k % 8]),
        Imm::DPP8 => pick(&["dpp8:[7,6,5,4,3,2,1,0]", "dpp8:[0,0,0,0,0,0,0,0]", "dpp8:[1,2,3,4,5,6,7,0]"]),
        Imm::DPPCtrl => {
            let mut list = vec!["quad_perm:[3,2,1,0]", "row_shl:1", "row_shr:15", "row_mirror", "row_ror:5"];
            if t.facts().has_row_share {
                list.extend(["row_share:3", "row_xmask:15"]);
            } else {
                list.extend(["wave_shl:1", "row_bcast:31"]);
            }
            if t.facts().has_row_newbcast {
                list.push("row_newbcast:2");
            }
            pick(&list)
        }
        Imm::Swizzle => pick(&[
            "offset:swizzle(QUAD_PERM,0,1,2,3)",
            "offset:swizzle(BITMASK_PERM,\"01pip\")",
            "offset:65535",
            "offset:swizzle(SWAP,16)",
            "offset:swizzle(REVERSE,8)",
            "offset:swizzle(BROADCAST,32,31)",
        ]),
        Imm::Hwreg => {
            pick(&["hwreg(HW_REG_MODE)", "hwreg(HW_REG_GPR_ALLOC, 1, 31)", "0xc1d1", "hwreg(51, 1, 31)"])
        }
        Imm::SendMsg => pick(&[
            "sendmsg(MSG_INTERRUPT)",
            "sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD)",
            "0x1234",
            "sendmsg(2, 3, 1)",
        ]),
        Imm::GPRIdxMode => pick(&["gpr_idx(SRC0,DST)", "gpr_idx()", "15"]),
        Imm::Endpgm => pick(&["1", "0xffff"]),
        Imm::InterpSlot => pick(&["p10", "p20", "p0"]),
        Imm::InterpAttr => pick(&["attr0.x", "attr31.w", "attr32.y"]),
        Imm::ExpTgt => pick(&["mrt0", "mrtz", "pos0", "mrt7"]),
        Imm::SWaitCnt => pick(&[
            "0",
            "vmcnt(0) & lgkmcnt(1)",
            "expcnt(2)",
            "vmcnt_sat(100)",
            "0xffff",
            "lgkmcnt(0), vmcnt(3)",
        ]),
        Imm::DepCtr => pick(&["0", "depctr_sa_sdst(0) depctr_va_vdst(3)", "0xffff", "depctr_vm_vsrc(1)"]),
        Imm::SDelayALU => pick(&[
            "0",
            "instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_1)",
            "instid0(SALU_CYCLE_1)",
        ]),
        Imm::FORMAT => String::new(),
        Imm::CPol => policy(k, row, t),
        _ => match Syntax::of(imm) {
            Some(Syntax::Flag(word)) => word.into(),
            Some(Syntax::Word { name, words }) => {
                let word = (0..5).rev().find_map(|i| words.get((k + i) % 5)).unwrap_or(&"0");
                format!("{name}:{word}")
            }
            _ => String::new(),
        },
    }
}

fn policy(k: usize, row: Row, t: Target) -> String {
    let returns = row.has(flag::IS_ATOMIC_RET);
    if t.facts().policies == Policies::Hints {
        let kind = if row.has(flag::IS_ATOMIC_RET | flag::IS_ATOMIC_NO_RET) {
            if returns { "TH_ATOMIC_RETURN" } else { "TH_ATOMIC_NT" }
        } else if row.has(flag::MAY_STORE) && !row.has(flag::MAY_LOAD) {
            "TH_STORE_NT"
        } else {
            "TH_LOAD_NT"
        };
        return match k % 3 {
            0 => format!("th:{kind} scope:SCOPE_SE"),
            1 => format!("th:{kind}"),
            _ if returns => format!("th:{kind} scope:SCOPE_SYS"),
            _ => "scope:SCOPE_DEV".into(),
        };
    }
    let mut words = Vec::new();
    let scalar = row.has(flag::SMRD);
    for (word, bit) in [("glc", cpol::GLC), ("slc", cpol::SLC), ("dlc", cpol::DLC)] {
        let is_glc = bit == cpol::GLC;
        if is_glc && row.has(flag::IS_ATOMIC_NO_RET)
            || !cpol::supported(bit, t)
            || (scalar && bit == cpol::SLC)
        {
            continue;
        }
        if (is_glc && returns) || k >> (bit.trailing_zeros() as usize) & 1 == 1 {
            words.push(match (t.facts().policies == Policies::Scopes && !scalar, word) {
                (true, "glc") => "sc0",
                (true, "slc") => "nt",
                _ => word,
            });
        }
    }
    words.join(" ")
}

fn operand(kind: &'static Kind, k: usize, row: Row, t: Target) -> String {
    match kind.class {
        Class::Reg(r) => registers(r, k, t),
        Class::BoolReg => registers(Regs::S1, k, t),
        Class::VRegOrOff => {
            if k % 4 == 3 {
                "off".into()
            } else {
                registers(Regs::V(1), k, t)
            }
        }
        Class::DppReg(m) => {
            let pair =
                t.facts().has_row_newbcast && matches!(kind_after(row, kind), Some(Regs::V(2) | Regs::Vs64));
            with_mods(registers(Regs::V(if pair { 2 } else { 1 }), k, t), m, k)
        }
        Class::RegMods(r, m) => with_mods(registers(r, k, t), m, k),
        Class::Sdwa(ty, m) => {
            let s = match k % 4 {
                1 if t.facts().sdwa_takes_scalars => registers(Regs::S32, k, t),
                2 if t.facts().sdwa_takes_scalars => numbers(ty, false, k),
                _ => registers(Regs::V(1), k, t),
            };
            with_mods(s, m, k)
        }
        Class::AnyRegOrImm => match k % 3 {
            0 | 1 => registers(Regs::V(1), k, t),
            _ => numbers(Ty::I16, false, k),
        },
        Class::Src { regs, inline, lit, mods, .. } => {
            let s = match k % 4 {
                1 if matches!(regs, Regs::Vs32 | Regs::Vs32Lo | Regs::Vs16 | Regs::Vs16Lo) => {
                    registers(Regs::S32, k, t)
                }
                1 if regs == Regs::Vs64 => registers(Regs::S64, k, t),
                1 if regs == Regs::Vs128 => registers(Regs::S(4), k, t),
                2 => numbers(inline, false, k),
                3 => numbers(lit.unwrap_or(inline), lit.is_some(), k),
                _ => registers(regs, k, t),
            };
            with_mods(s, mods, k)
        }
        Class::KImm(_) => ["0x1234", "1.0", "100", "-2.5"][k % 4].into(),
        Class::Branch => ["4", "-1", "32767", "somewhere"][k % 4].into(),
        Class::S16 => ["0x1234", "-1", "65535", "0"][k % 4].into(),
        Class::U16 => ["0x1234", "1", "65535", "0"][k % 4].into(),
        Class::SmrdOffset8 => ["0xff", "1", "0"][k % 3].into(),
        Class::SmrdLiteral => ["0x12345678", "0x100"][k % 2].into(),
        Class::SmemOffset => ["0x1234", "0", "0xfffff"][k % 3].into(),
        Class::SplitBarrier => ["-1", "0", "16"][k % 3].into(),
        Class::PlainImm => ["0x34", "0", "1", "100"][k % 4].into(),
        Class::AttrChan => String::new(),
        Class::CPolWith(glc) => {
            let rest = if t.facts().policies == Policies::Hints { "" } else { policy(k, row, t).leak() };
            match (glc, t.facts().policies == Policies::Hints) {
                (true, true) => "th:TH_ATOMIC_RETURN".into(),
                (false, true) => ["th:TH_ATOMIC_NT", "scope:SCOPE_SE"][k % 2].into(),
                _ => rest.into(),
            }
        }
        Class::Imm(i) => immediate(i, k, row, t),
    }
}

/// Registers of the operand that follows one of this kind.
fn kind_after(row: Row, kind: &'static Kind) -> Option<Regs> {
    (0..row.operands()).find(|i| std::ptr::eq(row.kind(*i), kind)).map(|i| row.kind(i + 1).regs)
}

/// Lines for row `id` (0 up to [`rows`]), when the target has it: registers at both ends, inline constants, literals,
/// modifiers.
pub fn samples(target: Target, id: usize, count: usize) -> Vec<String> {
    let row = Row::new(id as u16);
    if row.variant() > 5 || !target.can(row.avail()) {
        return Vec::new();
    }
    let suffix = match row.variant() {
        0 if row.has(flag::VOP1 | flag::VOP2 | flag::VOPC) => "_e32",
        1 => "_e64",
        2 | 3 => "_sdwa",
        4 => "_dpp",
        5 => "_e64_dpp",
        _ => "",
    };
    let formals = row.formals();
    let mut out = Vec::new();
    let data = row.find(name::VDATA).map_or(1, |i| match row.kind(i).regs {
        Regs::V(n) | Regs::Av(n) => n,
        _ => 1,
    });
    let image = row.has(flag::MIMG | flag::VIMAGE | flag::VSAMPLE);
    for k in 0..if image { count.max(8) } else { count } {
        // the first lines go through the values in order, the others mix them
        let mixed = |i: usize| if k < 8 { k + i } else { mix(id, k, i) };
        let mut text = row.mnemonic().to_owned();
        let strip = ["_e32", "_e64_dpp", "_e64"].iter().find_map(|s| text.strip_suffix(s)).map(str::to_owned);
        if let Some(s) = strip {
            text = s;
        }
        if k % 2 == 1 {
            text += suffix;
        }
        let mut first = true;
        let mut i = 0;
        while let Some(f) = formals.get(i) {
            let (part, optional) = match f {
                Formal::Token(id) | Formal::Single(id) => (tables::token(id).to_owned(), false),
                Formal::Operand { kind, index } => {
                    let kind = tables::kind_of(kind);
                    let n = row.name(index.into());
                    let s = if image && n == name::DMASK {
                        let bits = if row.has(flag::GATHER4) { 1 } else { data.min(4) };
                        format!("dmask:{:#x}", (1 << bits) - 1)
                    } else if image && n == name::TFE {
                        if data == 5 { "tfe".into() } else { String::new() }
                    } else if image && matches!(n, name::A16 | name::D16 | name::LWE | name::R128) {
                        String::new()
                    } else {
                        let i = if matches!(kind.class, Class::Imm(_)) && k < 8 { 0 } else { index.into() };
                        operand(kind, mixed(i), row, target)
                    };
                    (s, kind.optional)
                }
            };
            i += 1;
            let wanted = !optional
                || (image && part.starts_with('d'))
                || !mixed(i).is_multiple_of(3)
                || part.starts_with("th:TH_ATOMIC_RETURN");
            let forced = row.has(flag::IS_ATOMIC_RET) && (part.contains("glc") || part.contains("sc0"));
            if part.is_empty() || !(wanted || forced) {
                continue;
            }
            let token = matches!(f, Formal::Token(_));
            let previous_token = text.ends_with(['[', ':']);
            if first || optional || (token && part != "off") || previous_token {
                if part != "]" {
                    text.push(' ');
                }
            } else if text.ends_with(|c: char| c != ' ') {
                text += if after_second(&text) { " " } else { ", " };
            }
            text += &part;
            first = part == "::";
        }
        out.push(text);
    }
    out
}

/// A number that looks random and depends on all three.
fn mix(row: usize, k: usize, operand: usize) -> usize {
    let mut x = (row as u64) << 20 ^ (k as u64) << 8 ^ operand as u64;
    for m in [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9] {
        x = (x ^ x >> 29).wrapping_mul(m);
    }
    (x >> 40) as usize
}

/// No comma follows the mnemonic of a dual instruction's second half.
fn after_second(text: &str) -> bool {
    text.rsplit_once(":: ").is_some_and(|(_, rest)| !rest.trim().is_empty() && !rest.trim().contains(' '))
}

/// Number of rows in the instruction table.
pub fn rows() -> usize {
    Row::count()
}
