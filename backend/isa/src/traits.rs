//! How an instruction is built, as rules about pipelines ask.

use crate::{
    inst::{Inst, MachineOperand, RowId},
    tables::{flag, flag_set},
};

/// A set of [`Traits`] constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Traits(u64);

impl Traits {
    /// Scalar ALU.
    pub const SALU: Traits = Traits(flag::SALU);
    /// Vector ALU.
    pub const VALU: Traits = Traits(flag::VALU);
    /// Scalar instructions without a result.
    pub const SOPP: Traits = Traits(flag::SOPP);
    /// Encoded with three sources.
    pub const VOP3: Traits = Traits(flag::VOP3);
    /// Sub-dword addressing.
    pub const SDWA: Traits = Traits(flag::SDWA);
    /// Lane permutation of a source.
    pub const DPP: Traits = Traits(flag::DPP);
    /// Untyped and typed buffer instructions.
    pub const BUFFER: Traits = Traits(flag_set::BUFFER);
    /// Image instructions.
    pub const IMAGE: Traits = Traits(flag_set::IMAGE);
    /// Flat, global and scratch.
    pub const FLAT: Traits = Traits(flag::FLAT);
    /// Global and scratch: flat instructions that know their segment.
    pub const SEGMENT: Traits = Traits(flag_set::SEGMENT);
    /// Vector memory.
    pub const VMEM: Traits = Traits(flag_set::VMEM);
    /// Scalar memory.
    pub const SMEM: Traits = Traits(flag::SMRD);
    /// LDS and GDS.
    pub const DS: Traits = Traits(flag::DS);
    /// Interpolation from gfx11 on, which waits for `expcnt` itself.
    pub const VINTERP: Traits = Traits(flag::VINTERP);
    /// Reads LDS without an address.
    pub const LDS_DIRECT: Traits = Traits(flag::LDSDIR);
    /// Exports.
    pub const EXPORT: Traits = Traits(flag::EXP);
    /// Transcendental functions.
    pub const TRANS: Traits = Traits(flag::TRANS);
    /// Dot products.
    pub const DOT: Traits = Traits(flag::IS_DOT);
    /// MFMA, SMFMAC and the moves between accumulation and vector registers.
    pub const MAI: Traits = Traits(flag::IS_MAI);
    /// WMMA and SWMMAC.
    pub const WMMA: Traits = Traits(flag_set::WMMA);
    /// Global wave sync.
    pub const GWS: Traits = Traits(flag::GWS);
    /// May write memory.
    pub const MAY_STORE: Traits = Traits(flag::MAY_STORE);
    /// Floating point atomics.
    pub const FLOAT_ATOMIC: Traits = Traits(flag::FPATOMIC);

    /// What is in one of two sets.
    pub const fn or(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Whether the set has anything of `other`.
    pub const fn any(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }
}

impl RowId {
    pub(crate) fn traits(self) -> Traits {
        Traits(self.row().flags())
    }
}

impl Inst {
    /// How the instruction is built.
    pub fn traits(&self) -> Traits {
        self.row.traits()
    }

    /// The operand of a name in the instruction table, such as `vdst`, `src0` or `op_sel`.
    pub(crate) fn operand(&self, name: &str) -> Option<MachineOperand> {
        self.operands().get(self.row.operand_index(name)?).copied()
    }

    /// The number in a named operand.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.operand(name)? {
            MachineOperand::Imm(value) => Some(value),
            _ => None,
        }
    }
}
