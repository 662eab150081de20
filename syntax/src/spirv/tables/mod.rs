//! The grammar of SPIR-V as data: instructions, operand kinds, enumerants, extended instruction sets.
//!
//! Everything is `static`; nothing but an index of the instructions' names is built at run time. `cargo xtask tables` writes `generated.rs` from
//! Khronos' machine-readable grammar, and a test checks that it is fresh.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

#[allow(non_upper_case_globals, non_camel_case_types, missing_docs)]
#[rustfmt::skip]
mod generated;

pub use generated::*;

/// An opcode; `Op::TypeInt` is `OpTypeInt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Op(pub u16);

/// How often an operand is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Exactly one.
    One,
    /// None or one; ends the instruction where it is missing.
    Optional,
    /// Any number, up to the end of the instruction.
    Many,
}

/// One place in an operand list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operand {
    /// What may be written there.
    pub kind: Kind,
    /// How often.
    pub quantifier: Quantifier,
}

/// A kind's enumerants, and their names in order with indexes into them.
type EnumerantTable = (&'static [Enumerant], &'static [(&'static str, u16)]);

/// An instruction of the core grammar.
#[derive(Debug)]
pub struct Instruction {
    /// Its number.
    pub op: Op,
    /// With `Op` in front.
    pub name: &'static str,
    /// In the order of the text; Result Type and Result come first.
    pub operands: &'static [Operand],
    /// Any of these capabilities enables it; none needed if empty.
    pub capabilities: &'static [u32],
    /// Indices into [`EXTENSIONS`]; any of these enables it.
    pub extensions: &'static [u16],
    /// First version word (`0x00010300` is 1.3) that has it in core; [`NEVER`] if none.
    pub first_version: u32,
    /// Last version word that has it; [`NEVER`] if it was never removed.
    pub last_version: u32,
    /// The section of the specification: `Memory`, `Control-Flow`, ...
    pub class: &'static str,
    /// Names of the operands, separated by `|`.
    operand_names: &'static str,
    /// Whether it has a Result Type.
    pub has_type: bool,
    /// Whether it has a Result `<id>`.
    pub has_result: bool,
}

/// A named value of an operand kind.
#[derive(Debug)]
pub struct Enumerant {
    /// As it is encoded; one bit for a mask.
    pub value: u32,
    /// As the specification spells it.
    pub name: &'static str,
    /// Operands that follow this value.
    pub parameters: &'static [Operand],
    /// Any of these enables it; none needed if empty.
    pub capabilities: &'static [u32],
    /// Indices into [`EXTENSIONS`]; any of these enables it.
    pub extensions: &'static [u16],
    /// As [`Instruction::first_version`].
    pub first_version: u32,
    /// As [`Instruction::last_version`].
    pub last_version: u32,
}

/// An instruction of an extended set.
#[derive(Debug)]
pub struct ExtInst {
    /// The word that names it in OpExtInst.
    pub number: u32,
    /// As the set spells it.
    pub name: &'static str,
    /// What follows the set and the number.
    pub operands: &'static [Operand],
    /// Any of these enables it; none needed if empty.
    pub capabilities: &'static [u32],
    /// Names of the operands, separated by `|`.
    operand_names: &'static str,
}

impl Instruction {
    /// Names of [`Instruction::operands`], in the specification's words: `Pointer`, `Memory Access`.
    pub fn operand_names(&self) -> impl Iterator<Item = &'static str> {
        self.operand_names.split('|')
    }
}

impl ExtInst {
    /// Names of [`ExtInst::operands`].
    pub fn operand_names(&self) -> impl Iterator<Item = &'static str> {
        self.operand_names.split('|').filter(|n| !n.is_empty())
    }
}

/// Version word of what no version has.
pub const NEVER: u32 = u32::MAX;

const fn v(major: u32, minor: u32) -> u32 {
    major << 16 | minor << 8
}

const fn one(kind: Kind) -> Operand {
    Operand { kind, quantifier: Quantifier::One }
}

const fn opt(kind: Kind) -> Operand {
    Operand { kind, quantifier: Quantifier::Optional }
}

const fn many(kind: Kind) -> Operand {
    Operand { kind, quantifier: Quantifier::Many }
}

#[expect(clippy::too_many_arguments, reason = "a row of the generated table")]
const fn x(
    opcode: u16,
    name: &'static str,
    operands: &'static [Operand],
    capabilities: &'static [u32],
    extensions: &'static [u16],
    first_version: u32,
    last_version: u32,
    class: &'static str,
    operand_names: &'static str,
) -> Instruction {
    let has_type = !operands.is_empty() && matches!(operands[0].kind, Kind::TypeId);
    let at = if has_type { 1 } else { 0 };
    let has_result = operands.len() > at && matches!(operands[at].kind, Kind::ResultId);
    Instruction {
        op: Op(opcode),
        name,
        operands,
        capabilities,
        extensions,
        first_version,
        last_version,
        class,
        operand_names,
        has_type,
        has_result,
    }
}

#[expect(clippy::too_many_arguments, reason = "a row of the generated table")]
const fn e(
    value: u32,
    name: &'static str,
    parameters: &'static [Operand],
    capabilities: &'static [u32],
    extensions: &'static [u16],
    first_version: u32,
    last_version: u32,
) -> Enumerant {
    Enumerant { value, name, parameters, capabilities, extensions, first_version, last_version }
}

fn by_name<'t, T>(name: &str, (values, names): (&'t [T], &[(&str, u16)])) -> Option<&'t T> {
    let at = names.binary_search_by(|(n, _)| (*n).cmp(name)).ok()?;
    values.get(usize::from(names.get(at)?.1))
}

/// One more than the largest opcode.
const OPCODES: usize = INSTRUCTIONS[INSTRUCTIONS.len() - 1].op.0 as usize + 1;

/// The place of each opcode among [`INSTRUCTIONS`]: one past the last for numbers that name no instruction.
static PLACES: [u16; OPCODES] = {
    let mut places = [INSTRUCTIONS.len() as u16; OPCODES];
    let mut at = 0;
    while at < INSTRUCTIONS.len() {
        places[INSTRUCTIONS[at].op.0 as usize] = at as u16;
        at += 1;
    }
    places
};

impl Op {
    /// The place of this opcode among [`INSTRUCTIONS`]; one past the last or `None` for numbers that name no instruction.
    pub fn place(self) -> Option<usize> {
        PLACES.get(usize::from(self.0)).copied().map(usize::from)
    }

    /// The grammar of this opcode; `None` for numbers that name no instruction.
    pub fn info(self) -> Option<&'static Instruction> {
        INSTRUCTIONS.get(self.place()?)
    }

    /// The opcode with this name, given without `Op`.
    pub fn from_name(name: &str) -> Option<&'static Instruction> {
        static NAMES: LazyLock<FxHashMap<&str, u16>> =
            LazyLock::new(|| generated::INSTRUCTION_NAMES.iter().copied().collect());
        INSTRUCTIONS.get(usize::from(*NAMES.get(name)?))
    }

    /// The name with `Op`, or `OpUnknown`.
    pub fn name(self) -> &'static str {
        self.info().map_or("OpUnknown", |i| i.name)
    }
}

impl Kind {
    /// Whether values are named bits that `|` combines.
    pub fn is_mask(self) -> bool {
        generated::is_mask(self)
    }

    /// All named values, ascending by value; empty for kinds without names.
    pub fn enumerants(self) -> &'static [Enumerant] {
        generated::enumerants(self).map_or(&[], |(values, _)| values)
    }

    /// The value with this name or alias.
    pub fn named(self, name: &str) -> Option<&'static Enumerant> {
        by_name(name, generated::enumerants(self)?)
    }

    /// Further names of values.
    pub fn aliases(self) -> impl Iterator<Item = (&'static str, &'static Enumerant)> {
        let (values, names) = generated::enumerants(self).unwrap_or_default();
        let named = names.iter().filter_map(|(name, at)| Some((*name, values.get(usize::from(*at))?)));
        named.filter(|(name, value)| *name != value.name)
    }

    /// The named value with this number.
    pub fn valued(self, value: u32) -> Option<&'static Enumerant> {
        let values = self.enumerants();
        values.get(values.binary_search_by_key(&value, |e| e.value).ok()?)
    }

    /// Whether an operand of this kind is one word that refers to an id.
    pub fn is_id(self) -> bool {
        matches!(self, Kind::Id | Kind::TypeId | Kind::ResultId | Kind::MemorySemanticsId | Kind::ScopeId)
    }
}

impl ExtSet {
    /// Names of the sets that OpExtInstImport names in full.
    pub const IMPORTS: [&'static str; 12] = [
        "GLSL.std.450",
        "OpenCL.std",
        "SPV_AMD_shader_explicit_vertex_parameter",
        "SPV_AMD_shader_trinary_minmax",
        "SPV_AMD_gcn_shader",
        "SPV_AMD_shader_ballot",
        "DebugInfo",
        "OpenCL.DebugInfo.100",
        "NonSemantic.Shader.DebugInfo.100",
        "NonSemantic.Shader.DebugInfo.101",
        "TOSA.001000.1",
        "Arm.MotionEngine.100",
    ];

    /// The set that OpExtInstImport names; `None` if it is not known and not `NonSemantic.`.
    pub fn from_import(name: &str) -> Option<ExtSet> {
        Some(match name {
            "GLSL.std.450" => ExtSet::GlslStd450,
            "OpenCL.std" => ExtSet::OpenClStd,
            "SPV_AMD_shader_explicit_vertex_parameter" => ExtSet::AmdExplicitVertexParameter,
            "SPV_AMD_shader_trinary_minmax" => ExtSet::AmdTrinaryMinmax,
            "SPV_AMD_gcn_shader" => ExtSet::AmdGcnShader,
            "SPV_AMD_shader_ballot" => ExtSet::AmdShaderBallot,
            "DebugInfo" => ExtSet::DebugInfo,
            "OpenCL.DebugInfo.100" => ExtSet::OpenClDebugInfo100,
            "TOSA.001000.1" => ExtSet::Tosa,
            "Arm.MotionEngine.100" => ExtSet::ArmMotionEngine100,
            _ if name.starts_with("Arm.ExperimentalMLOperations.") => ExtSet::ArmExperimentalMlOperations,
            _ if name.starts_with("NonSemantic.Shader.DebugInfo.") => ExtSet::ShaderDebugInfo100,
            _ if name.starts_with("NonSemantic.Graph.DebugInfo.") => ExtSet::GraphDebugInfo,
            _ if name.starts_with("NonSemantic.ClspvReflection.") => ExtSet::ClspvReflection,
            _ if name.starts_with("NonSemantic.VkspReflection.") => ExtSet::VkspReflection,
            _ if name.starts_with("NonSemantic.") => ExtSet::NonSemanticUnknown,
            _ => return None,
        })
    }

    /// Whether removing its instructions leaves the module's meaning alone.
    pub fn is_non_semantic(self) -> bool {
        matches!(
            self,
            ExtSet::NonSemanticUnknown
                | ExtSet::ShaderDebugInfo100
                | ExtSet::GraphDebugInfo
                | ExtSet::ClspvReflection
                | ExtSet::VkspReflection
        )
    }

    /// Whether it describes debug information.
    pub fn is_debug_info(self) -> bool {
        matches!(self, ExtSet::OpenClDebugInfo100 | ExtSet::ShaderDebugInfo100 | ExtSet::DebugInfo)
    }

    /// All instructions, ascending by number.
    pub fn instructions(self) -> &'static [ExtInst] {
        generated::ext_instructions(self).0
    }

    /// The instruction with a name.
    pub fn named(self, name: &str) -> Option<&'static ExtInst> {
        by_name(name, generated::ext_instructions(self))
    }

    /// The instruction with a number.
    pub fn numbered(self, number: u32) -> Option<&'static ExtInst> {
        let all = self.instructions();
        all.get(all.binary_search_by_key(&number, |i| i.number).ok()?)
    }
}

/// Index in [`EXTENSIONS`] of an extension's name.
pub fn extension(name: &str) -> Option<u16> {
    EXTENSIONS.binary_search(&name).ok().map(|i| i as u16)
}

/// The opcodes that OpSpecConstantOp takes (SPIR-V specification, OpSpecConstantOp).
pub fn is_spec_constant_op(op: Op) -> bool {
    matches!(
        op,
        Op::SConvert
            | Op::FConvert
            | Op::ConvertFToS
            | Op::ConvertSToF
            | Op::ConvertFToU
            | Op::ConvertUToF
            | Op::UConvert
            | Op::ConvertPtrToU
            | Op::ConvertUToPtr
            | Op::GenericCastToPtr
            | Op::PtrCastToGeneric
            | Op::Bitcast
            | Op::QuantizeToF16
            | Op::SNegate
            | Op::Not
            | Op::IAdd
            | Op::ISub
            | Op::IMul
            | Op::UDiv
            | Op::SDiv
            | Op::UMod
            | Op::SRem
            | Op::SMod
            | Op::ShiftRightLogical
            | Op::ShiftRightArithmetic
            | Op::ShiftLeftLogical
            | Op::BitwiseOr
            | Op::BitwiseAnd
            | Op::BitwiseXor
            | Op::FNegate
            | Op::FAdd
            | Op::FSub
            | Op::FMul
            | Op::FDiv
            | Op::FRem
            | Op::FMod
            | Op::VectorShuffle
            | Op::CompositeExtract
            | Op::CompositeInsert
            | Op::LogicalOr
            | Op::LogicalAnd
            | Op::LogicalNot
            | Op::LogicalEqual
            | Op::LogicalNotEqual
            | Op::Select
            | Op::IEqual
            | Op::INotEqual
            | Op::ULessThan
            | Op::SLessThan
            | Op::UGreaterThan
            | Op::SGreaterThan
            | Op::ULessThanEqual
            | Op::SLessThanEqual
            | Op::UGreaterThanEqual
            | Op::SGreaterThanEqual
            | Op::AccessChain
            | Op::InBoundsAccessChain
            | Op::PtrAccessChain
            | Op::InBoundsPtrAccessChain
            | Op::CooperativeMatrixLengthNV
            | Op::CooperativeMatrixLengthKHR
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_agree_with_the_constants() {
        assert_eq!(Op::from_name("TypeInt").map(|i| i.op), Some(Op::TypeInt));
        assert_eq!(Op::TypeInt.name(), "OpTypeInt");
        assert!(Op::IAdd.info().is_some_and(|i| i.has_type && i.has_result));
        assert_eq!(Kind::StorageClass.named("Uniform").map(|e| e.value), Some(StorageClass::Uniform));
        assert_eq!(ExtSet::GlslStd450.named("FMin").map(|i| i.number), Some(GlslStd450::FMin));
        assert_eq!(extension("SPV_KHR_ray_query"), Some(Extension::SPV_KHR_ray_query));
        assert!(Kind::MemoryAccess.is_mask() && !Kind::Decoration.is_mask());
    }
}
