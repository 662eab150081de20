//! Registers: names, tuples and encodings.

/// Which register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RegFile {
    /// `v0`..`v255` (`v1023` on gfx1250).
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
    pub file: RegFile,
    /// First dword: register number, or a [`Special`] as a number.
    pub index: u16,
    /// Number of dwords, at least 1 (also for a half).
    pub dwords: u8,
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
}

/// Looks up `v7`, `a0`, `acc0`, `s5`, `ttmp3`, `v7.l`, `vcc`, `exec_lo`, `src_shared_base`, `null`, ...
/// `None` when the word names no register on any target (whether the target has it is checked when assembling).
pub fn named_register(_name: &str) -> Option<Reg> {
    None
}

/// The tuple `prefix[lo:hi]`, where `prefix` is `v`, `a`, `acc`, `s` or `ttmp`; `prefix[lo]` has `lo == hi`.
/// `None` when the prefix names no register file.
pub fn register_range(_prefix: &str, _lo: i64, _hi: i64, _half: Half) -> Option<Result<Reg, RegError>> {
    None
}
