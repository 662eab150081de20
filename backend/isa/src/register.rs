//! Registers: names, tuples, and what a target has of them.

use crate::{
    tables::{feature, kind::Regs},
    target::{Level, Target},
};

/// Which register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RegFile {
    /// `v0`..`v255`.
    Vgpr,
    /// `a0`..`a255`.
    Agpr,
    /// `s0`..`s105`.
    Sgpr,
    /// `ttmp0`..`ttmp15`.
    Ttmp,
    /// Everything with a name of its own; the index is a [`Special`].
    Special,
}

/// Dwords of named registers. A pair such as `vcc` is a [`Reg`] of two dwords that starts at the low one.
#[allow(missing_docs, reason = "names of registers, see `Special::name`")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u16)]
pub enum Special {
    FlatScratchLo,
    FlatScratchHi,
    XnackMaskLo,
    XnackMaskHi,
    VccLo,
    VccHi,
    TbaLo,
    TbaHi,
    TmaLo,
    TmaHi,
    ExecLo,
    ExecHi,
    M0,
    Null,
    Scc,
    Vccz,
    Execz,
    LdsDirect,
    SharedBaseLo,
    SharedBaseHi,
    SharedLimitLo,
    SharedLimitHi,
    PrivateBaseLo,
    PrivateBaseHi,
    PrivateLimitLo,
    PrivateLimitHi,
    PopsExitingWaveId,
    FlatScratchBaseLo,
    FlatScratchBaseHi,
    /// Only implicit: rounding and denormal modes.
    Mode,
    Pc,
}

/// Which half of a 32-bit vector register a 16-bit operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Half {
    /// The whole register.
    #[default]
    Full,
    /// `v0.l`
    Lo,
    /// `v0.h`
    Hi,
}

/// A register or a tuple of consecutive ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reg {
    /// The register file.
    pub file: RegFile,
    /// First dword: register number, or a [`Special`] as a number.
    pub index: u16,
    /// Number of dwords, at least 1 (also for a half).
    pub dwords: u8,
    /// Which half of a 32-bit register.
    pub half: Half,
}

/// Why something that looks like a register is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegError {
    /// First index above the last one.
    Reversed,
    /// Larger than any file of that name.
    OutOfRange,
    /// No tuple of that many dwords exists.
    BadCount,
    /// Scalar pairs start at an even register, larger scalar tuples at a multiple of four.
    Alignment,
}

/// Every name and its register: first dword, dwords, encoding. Where generations differ, the encoding is 0 here and
/// [`Reg::encoding`] knows.
#[rustfmt::skip]
static SPECIALS: &[(&str, Special, u8)] = &[
    ("vcc", Special::VccLo, 2), ("vcc_lo", Special::VccLo, 1), ("vcc_hi", Special::VccHi, 1),
    ("exec", Special::ExecLo, 2), ("exec_lo", Special::ExecLo, 1), ("exec_hi", Special::ExecHi, 1),
    ("m0", Special::M0, 1), ("null", Special::Null, 1),
    ("src_scc", Special::Scc, 1), ("scc", Special::Scc, 1),
    ("src_vccz", Special::Vccz, 1), ("vccz", Special::Vccz, 1),
    ("src_execz", Special::Execz, 1), ("execz", Special::Execz, 1),
    ("src_lds_direct", Special::LdsDirect, 1), ("lds_direct", Special::LdsDirect, 1),
    ("flat_scratch", Special::FlatScratchLo, 2), ("flat_scratch_lo", Special::FlatScratchLo, 1),
    ("flat_scratch_hi", Special::FlatScratchHi, 1),
    ("xnack_mask", Special::XnackMaskLo, 2), ("xnack_mask_lo", Special::XnackMaskLo, 1),
    ("xnack_mask_hi", Special::XnackMaskHi, 1),
    ("tba", Special::TbaLo, 2), ("tba_lo", Special::TbaLo, 1), ("tba_hi", Special::TbaHi, 1),
    ("tma", Special::TmaLo, 2), ("tma_lo", Special::TmaLo, 1), ("tma_hi", Special::TmaHi, 1),
    ("src_shared_base", Special::SharedBaseLo, 2), ("shared_base", Special::SharedBaseLo, 2),
    ("src_shared_limit", Special::SharedLimitLo, 2), ("shared_limit", Special::SharedLimitLo, 2),
    ("src_private_base", Special::PrivateBaseLo, 2), ("private_base", Special::PrivateBaseLo, 2),
    ("src_private_limit", Special::PrivateLimitLo, 2), ("private_limit", Special::PrivateLimitLo, 2),
    ("src_pops_exiting_wave_id", Special::PopsExitingWaveId, 1),
    ("pops_exiting_wave_id", Special::PopsExitingWaveId, 1),
    ("src_flat_scratch_base_lo", Special::FlatScratchBaseLo, 1), ("flat_scratch_base_lo", Special::FlatScratchBaseLo, 1),
    ("src_flat_scratch_base_hi", Special::FlatScratchBaseHi, 1), ("flat_scratch_base_hi", Special::FlatScratchBaseHi, 1),
    ("pc", Special::Pc, 2),
];

fn file(prefix: &str) -> Option<RegFile> {
    match prefix {
        "v" => Some(RegFile::Vgpr),
        "a" | "acc" => Some(RegFile::Agpr),
        "s" => Some(RegFile::Sgpr),
        "ttmp" => Some(RegFile::Ttmp),
        _ => None,
    }
}

/// Looks up `v7`, `a0`, `acc0`, `s5`, `ttmp3`, `v7.l`, `vcc`, `exec_lo`, `src_shared_base`, `null`, ...
/// `None` when the word names no register on any target, also for an index that no file has (whether the target has it
/// is checked when assembling).
pub fn named_register(name: &str) -> Option<Reg> {
    let (stem, half) = match name.strip_suffix(".l") {
        Some(s) => (s, Half::Lo),
        None => match name.strip_suffix(".h") {
            Some(s) => (s, Half::Hi),
            None => (name, Half::Full),
        },
    };
    let digits = stem.len() - stem.bytes().rev().take_while(u8::is_ascii_digit).count();
    if digits < stem.len()
        && let Some(file) = file(stem.get(..digits)?)
    {
        let index: u32 = stem.get(digits..)?.parse().ok()?;
        return tuple(file, i64::from(index), i64::from(index), half).ok();
    }
    if half != Half::Full {
        return None;
    }
    SPECIALS.iter().find(|s| s.0 == name).map(|&(_, s, n)| Reg::special(s, n))
}

/// Scalar registers with numbers where VCC follows them in the encoding.
const NUMBERED_BEFORE_VCC: u16 = 106;

/// The tuple `prefix[lo:hi]`, where `prefix` is `v`, `a`, `acc`, `s` or `ttmp`; `prefix[lo]` has `lo == hi`.
/// `None` when the prefix names no register file.
pub fn register_range(prefix: &str, lo: i64, hi: i64, half: Half) -> Option<Result<Reg, RegError>> {
    file(prefix).map(|f| tuple(f, lo, hi, half))
}

/// Names of registers without a number, other spellings included: `vcc`, `exec_lo`, `src_scc`.
pub fn special_registers() -> impl Iterator<Item = &'static str> {
    SPECIALS.iter().map(|special| special.0)
}

/// Every named register and pair.
pub(crate) fn specials() -> impl Iterator<Item = Reg> {
    let first = |at: usize, s: &(&str, Special, u8)| {
        SPECIALS.iter().position(|o| (o.1, o.2) == (s.1, s.2)) == Some(at)
    };
    SPECIALS.iter().enumerate().filter(move |(i, s)| first(*i, s)).map(|(_, s)| Reg::special(s.1, s.2))
}

/// Whether a numbered register or tuple of this size starts here.
pub(crate) fn is_tuple(reg: Reg) -> bool {
    let (low, dwords) = (i64::from(reg.index), i64::from(reg.dwords));
    tuple(reg.file, low, low + dwords - 1, reg.half)
        .is_ok_and(|found| found.index + u16::from(found.dwords) <= 256)
        && (reg.half == Half::Full || reg.file == RegFile::Vgpr && reg.dwords == 1)
}

fn tuple(file: RegFile, lo: i64, hi: i64, half: Half) -> Result<Reg, RegError> {
    if lo < 0 || hi < 0 || lo > i64::from(u32::MAX) || hi > i64::from(u32::MAX) {
        return Err(RegError::OutOfRange);
    }
    if lo > hi {
        return Err(RegError::Reversed);
    }
    let n = hi - lo + 1;
    let ok = match file {
        RegFile::Vgpr | RegFile::Agpr => matches!(n, 1..=12 | 16 | 32),
        RegFile::Sgpr => matches!(n, 1..=12 | 16),
        _ => matches!(n, 1 | 2 | 4 | 8 | 16),
    };
    if !ok {
        return Err(RegError::BadCount);
    }
    let scalar = matches!(file, RegFile::Sgpr | RegFile::Ttmp);
    if scalar {
        let align = (n as u64).next_power_of_two().min(4) as i64;
        if lo % align != 0 {
            return Err(RegError::Alignment);
        }
    }
    let size = match file {
        // gfx1250 has tuples that end beyond the last register with a name of its own
        RegFile::Vgpr if lo < 256 && n > 1 => 256 + 32,
        RegFile::Vgpr | RegFile::Agpr => 256,
        RegFile::Sgpr => 106,
        _ => 16,
    };
    if hi >= size {
        return Err(RegError::OutOfRange);
    }
    Ok(Reg { file, index: lo as u16, dwords: n as u8, half })
}

impl Special {
    const ALL: [Special; 31] = [
        Special::FlatScratchLo,
        Special::FlatScratchHi,
        Special::XnackMaskLo,
        Special::XnackMaskHi,
        Special::VccLo,
        Special::VccHi,
        Special::TbaLo,
        Special::TbaHi,
        Special::TmaLo,
        Special::TmaHi,
        Special::ExecLo,
        Special::ExecHi,
        Special::M0,
        Special::Null,
        Special::Scc,
        Special::Vccz,
        Special::Execz,
        Special::LdsDirect,
        Special::SharedBaseLo,
        Special::SharedBaseHi,
        Special::SharedLimitLo,
        Special::SharedLimitHi,
        Special::PrivateBaseLo,
        Special::PrivateBaseHi,
        Special::PrivateLimitLo,
        Special::PrivateLimitHi,
        Special::PopsExitingWaveId,
        Special::FlatScratchBaseLo,
        Special::FlatScratchBaseHi,
        Special::Mode,
        Special::Pc,
    ];
}

const FILES: [RegFile; 5] = [RegFile::Vgpr, RegFile::Agpr, RegFile::Sgpr, RegFile::Ttmp, RegFile::Special];
const HALVES: [Half; 3] = [Half::Full, Half::Lo, Half::Hi];

impl Reg {
    /// Bits of [`Reg::pack`].
    pub(crate) const PACKED_BITS: u32 = 26;

    /// All of it in a few bits: file, half, dwords, and 13 bits of the index.
    pub(crate) fn pack(self) -> u32 {
        let (file, half) = (self.file as u32, self.half as u32);
        file | half << 3 | u32::from(self.dwords) << 5 | u32::from(self.index & 0x1FFF) << 13
    }

    pub(crate) fn unpack(bits: u32) -> Reg {
        Reg {
            file: FILES.get((bits & 7) as usize).copied().unwrap_or(RegFile::Vgpr),
            half: HALVES.get((bits >> 3 & 3) as usize).copied().unwrap_or_default(),
            dwords: (bits >> 5) as u8,
            index: (bits >> 13 & 0x1FFF) as u16,
        }
    }

    /// A special register of so many dwords.
    pub const fn special(s: Special, dwords: u8) -> Reg {
        Reg { file: RegFile::Special, index: s as u16, dwords, half: Half::Full }
    }

    pub(crate) const NULL: Reg = Reg::special(Special::Null, 1);
    pub(crate) const VCC: Reg = Reg::special(Special::VccLo, 2);
    pub(crate) const VCC_LO: Reg = Reg::special(Special::VccLo, 1);

    /// The named register, unless it belongs to a numbered file.
    pub fn as_special(self) -> Option<Special> {
        if self.file == RegFile::Special { Special::ALL.get(usize::from(self.index)).copied() } else { None }
    }

    /// Whether it counts for the constant bus: all registers except vector registers and `lds_direct`.
    pub(crate) fn is_scalar(self) -> bool {
        match self.file {
            RegFile::Vgpr | RegFile::Agpr => false,
            RegFile::Sgpr | RegFile::Ttmp => true,
            RegFile::Special => self.as_special() != Some(Special::LdsDirect),
        }
    }

    pub(crate) fn is_vector(self) -> bool {
        matches!(self.file, RegFile::Vgpr | RegFile::Agpr)
    }

    /// Whether the two share a dword.
    pub fn overlaps(self, other: Reg) -> bool {
        self.file == other.file
            && self.index < other.index + u16::from(other.dwords)
            && other.index < self.index + u16::from(self.dwords)
    }

    /// The number in an operand field of 8 bits; vector registers count from 0.
    pub(crate) fn encoding(self, target: Target) -> u16 {
        match self.file {
            RegFile::Vgpr | RegFile::Agpr | RegFile::Sgpr => self.index,
            RegFile::Ttmp => self.index + target.facts().first_ttmp,
            RegFile::Special => self.as_special().map_or(0, |s| special_encoding(s, target)),
        }
    }

    /// Whether `llvm-mc` takes this register on the target at all.
    pub(crate) fn exists_on(self, target: Target) -> bool {
        let facts = target.facts();
        match self.file {
            RegFile::Vgpr => self.index + u16::from(self.dwords) <= 256 || facts.has_vgpr_msb,
            RegFile::Agpr => true,
            RegFile::Ttmp => self.index + u16::from(self.dwords) <= facts.ttmps,
            RegFile::Sgpr if self.ends_in_vcc(target) => target.is_newer() && self.index.is_multiple_of(4),
            RegFile::Sgpr => self.index + u16::from(self.dwords) <= facts.named_sgprs,
            RegFile::Special => match self.as_special() {
                Some(
                    Special::SharedBaseLo
                    | Special::SharedBaseHi
                    | Special::SharedLimitLo
                    | Special::SharedLimitHi,
                ) => facts.has_apertures,
                // LLVM 24 knows that scratch memory is part of the global address space there
                Some(
                    Special::PrivateBaseLo
                    | Special::PrivateBaseHi
                    | Special::PrivateLimitLo
                    | Special::PrivateLimitHi,
                ) => facts.has_apertures && !(facts.has_flat_scratch_base && target.level() == Level::Llvm24),
                Some(Special::FlatScratchBaseLo | Special::FlatScratchBaseHi) => facts.has_flat_scratch_base,
                Some(Special::PopsExitingWaveId) => facts.has_pops_exiting_wave_id,
                Some(Special::TbaLo | Special::TbaHi | Special::TmaLo | Special::TmaHi) => {
                    facts.has_trap_addresses
                }
                Some(Special::XnackMaskLo | Special::XnackMaskHi) => {
                    facts.has_xnack_mask && target.has(feature::SUPPORTS_XNACK)
                }
                Some(Special::Null) => facts.has_null,
                Some(Special::Execz | Special::Vccz) => facts.has_execz,
                Some(Special::FlatScratchLo | Special::FlatScratchHi) => facts.flat_scratch.is_some(),
                Some(_) => true,
                None => false,
            },
        }
    }

    /// Whether a tuple continues in VCC after the last scalar register with a number.
    pub(crate) fn ends_in_vcc(self, target: Target) -> bool {
        let named = target.facts().named_sgprs;
        let end = self.index + u16::from(self.dwords);
        self.file == RegFile::Sgpr
            && named == NUMBERED_BEFORE_VCC
            && self.index < named
            && (named < end && end <= named + 2)
    }

    /// Whether the register is in a class.
    pub(crate) fn is_in(self, class: Regs) -> bool {
        let n = self.dwords;
        let full = self.half == Half::Full;
        match class {
            Regs::None => false,
            Regs::V(k) => self.file == RegFile::Vgpr && n == k && full,
            Regs::A(k) => self.file == RegFile::Agpr && n == k && full,
            Regs::Av(k) => self.is_vector() && n == k && full,
            Regs::VLo => self.file == RegFile::Vgpr && n == 1 && full && self.index < 128,
            Regs::V16 => self.file == RegFile::Vgpr && !full,
            Regs::V16Lo => self.file == RegFile::Vgpr && !full && self.index < 128,
            Regs::S32 => self.scalar32(),
            Regs::S32XM0 => self.scalar32() && self != Reg::special(Special::M0, 1),
            Regs::S32XExec => self.scalar32() && !self.is_exec(),
            Regs::S32XM0XExec => self.scalar32() && !self.is_exec() && self != Reg::special(Special::M0, 1),
            Regs::S32XExecHi => self.scalar32() && self != Reg::special(Special::ExecHi, 1),
            Regs::S64 | Regs::S64XExec => self.scalar64() && (class == Regs::S64 || !self.is_exec()),
            Regs::S64XExecXNull => self.scalar64() && !self.is_exec(),
            Regs::S(k) | Regs::SXNull(k) => {
                matches!(self.file, RegFile::Sgpr | RegFile::Ttmp) && n == k && full
            }
            Regs::S1 => self.scalar32() || self.scalar64(),
            Regs::S1XExec => (self.scalar32() || self.scalar64()) && !self.is_exec(),
            Regs::SOrLds => self.scalar32() || self.is_lds(),
            Regs::VOrLds => self.is_in(Regs::V(1)) || self.is_lds(),
            Regs::Vs32 => self.is_in(Regs::V(1)) || self.scalar32() || self.is_lds(),
            Regs::Vs32Lo => self.is_in(Regs::VLo) || self.scalar32() || self.is_lds(),
            Regs::Vs16 => self.is_in(Regs::V16) || self.scalar32() || self.is_lds(),
            Regs::Vs16Lo => self.is_in(Regs::V16Lo) || self.scalar32() || self.is_lds(),
            Regs::Vs64 => self.is_in(Regs::V(2)) || self.scalar64(),
            Regs::Vs128 => self.is_in(Regs::V(4)) || self.is_in(Regs::S(4)) || self.is_inline_value(),
        }
    }

    fn is_lds(self) -> bool {
        self == Reg::special(Special::LdsDirect, 1)
    }

    pub(crate) fn is_exec(self) -> bool {
        self.file == RegFile::Special
            && (self.index == Special::ExecLo as u16 || self.index == Special::ExecHi as u16)
    }

    fn scalar32(self) -> bool {
        self.dwords == 1
            && match self.file {
                RegFile::Sgpr | RegFile::Ttmp => self.half == Half::Full,
                RegFile::Special => !matches!(
                    self.as_special(),
                    Some(Special::LdsDirect | Special::Mode | Special::Pc) | None
                ),
                _ => false,
            }
    }

    fn scalar64(self) -> bool {
        self.dwords == 2
            && match self.file {
                RegFile::Sgpr | RegFile::Ttmp => true,
                // Sources take the bounds of apertures; results and addresses do not.
                RegFile::Special => self.as_special() != Some(Special::Pc) && !self.is_inline_value(),
                _ => false,
            }
    }

    /// A named inline value such as `src_shared_base`, which any source of 32 or 64 bits takes.
    pub(crate) fn is_inline_value(self) -> bool {
        matches!(
            self.as_special(),
            Some(
                Special::SharedBaseLo
                    | Special::SharedLimitLo
                    | Special::PrivateBaseLo
                    | Special::PrivateLimitLo
                    | Special::PopsExitingWaveId
                    | Special::FlatScratchBaseLo
                    | Special::FlatScratchBaseHi
                    | Special::Vccz
                    | Special::Execz
                    | Special::Scc
                    | Special::Null
            )
        )
    }

    /// The name as `llvm-mc` prints it.
    pub fn name(self) -> String {
        let prefix = match self.file {
            RegFile::Vgpr => "v",
            RegFile::Agpr => "a",
            RegFile::Sgpr => "s",
            RegFile::Ttmp => "ttmp",
            RegFile::Special => {
                return SPECIALS
                    .iter()
                    .find(|s| s.1 as u16 == self.index && s.2 == self.dwords)
                    .or_else(|| SPECIALS.iter().find(|s| s.1 as u16 == self.index))
                    .map_or_else(String::new, |s| s.0.to_owned());
            }
        };
        match (self.dwords, self.half) {
            (_, Half::Lo) => format!("{prefix}{}.l", self.index),
            (_, Half::Hi) => format!("{prefix}{}.h", self.index),
            (1, _) => format!("{prefix}{}", self.index),
            (n, _) if self.file == RegFile::Sgpr && self.index + u16::from(n) > NUMBERED_BEFORE_VCC => {
                let vcc = ["vcc_lo", "vcc_hi"].into_iter().map(str::to_owned);
                let names = (self.index..NUMBERED_BEFORE_VCC).map(|i| format!("s{i}")).chain(vcc);
                format!("[{}]", names.take(n.into()).collect::<Vec<_>>().join(","))
            }
            (n, _) => format!("{prefix}[{}:{}]", self.index, self.index + u16::from(n) - 1),
        }
    }
}

fn special_encoding(s: Special, target: Target) -> u16 {
    let facts = target.facts();
    match s {
        Special::FlatScratchLo => facts.flat_scratch.unwrap_or(102),
        Special::FlatScratchHi => facts.flat_scratch.unwrap_or(102) + 1,
        Special::XnackMaskLo => 104,
        Special::XnackMaskHi => 105,
        Special::VccLo => 106,
        Special::VccHi => 107,
        Special::TbaLo => 108,
        Special::TbaHi => 109,
        Special::TmaLo => 110,
        Special::TmaHi => 111,
        Special::ExecLo => 126,
        Special::ExecHi => 127,
        Special::M0 => facts.m0,
        Special::Null => facts.null,
        Special::FlatScratchBaseLo => 230,
        Special::FlatScratchBaseHi => 231,
        Special::SharedBaseLo | Special::SharedBaseHi => 235,
        Special::SharedLimitLo | Special::SharedLimitHi => 236,
        Special::PrivateBaseLo | Special::PrivateBaseHi => 237,
        Special::PrivateLimitLo | Special::PrivateLimitHi => 238,
        Special::PopsExitingWaveId => 239,
        Special::Vccz => 251,
        Special::Execz => 252,
        Special::Scc => 253,
        Special::LdsDirect => 254,
        Special::Mode | Special::Pc => 0,
    }
}
