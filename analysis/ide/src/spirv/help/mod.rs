//! What words of SPIR-V mean, in our own words, with a link to the specification.

use std::sync::LazyLock;

use wavelens_syntax::spirv::tables::{ExtInst, ExtSet, INSTRUCTIONS, Instruction, Kind};

use crate::descriptions::Descriptions;

const SPECIFICATION: &str = "https://registry.khronos.org/SPIR-V/specs/unified1";
const REGISTRY: &str = "https://github.khronos.org/SPIRV-Registry";

static INSTRUCTIONS_TEXT: LazyLock<Descriptions> =
    LazyLock::new(|| Descriptions::read(include_str!("instructions.txt")));
static ENUMERANTS_TEXT: LazyLock<Descriptions> =
    LazyLock::new(|| Descriptions::read(include_str!("enumerants.txt")));
static EXTENDED_TEXT: LazyLock<Descriptions> =
    LazyLock::new(|| Descriptions::read(include_str!("extended.txt")));

/// What an instruction does.
pub(super) fn instruction(info: &Instruction) -> Option<String> {
    let text = INSTRUCTIONS_TEXT.find("", info.name)?;
    Some(format!("{text} [Specification]({SPECIFICATION}/SPIRV.html#{})", info.name))
}

/// What a named value means; `None` for kinds whose names say all there is.
pub(super) fn enumerant(kind: Kind, name: &str) -> Option<String> {
    let text = ENUMERANTS_TEXT.find(&format!("{kind:?}"), name)?;
    Some(format!("{text} [Specification]({SPECIFICATION}/SPIRV.html#{})", section(kind)))
}

/// The anchor of the section about a kind.
fn section(kind: Kind) -> String {
    match kind {
        Kind::BuiltIn => "BuiltIn".to_owned(),
        Kind::Scope => "Scope_-id-".to_owned(),
        Kind::MemorySemantics => "Memory_Semantics_-id-".to_owned(),
        Kind::MemoryAccess => "Memory_Operands".to_owned(),
        Kind::FPFastMathMode => "FP_Fast_Math_Mode".to_owned(),
        _ => {
            let mut anchor = String::new();
            for c in format!("{kind:?}").chars() {
                if c.is_uppercase() && !anchor.is_empty() {
                    anchor.push('_');
                }
                anchor.push(c);
            }
            anchor
        }
    }
}

/// What an extended instruction computes.
pub(super) fn extended(set: ExtSet, inst: &ExtInst) -> Option<String> {
    let section = match set {
        ExtSet::OpenClDebugInfo100 | ExtSet::ShaderDebugInfo100 => "DebugInfo".to_owned(),
        set => format!("{set:?}"),
    };
    let text = EXTENDED_TEXT.find(&section, inst.name)?;
    Some(match page(set) {
        Some(page) => format!("{text} [Specification]({page})"),
        None => text,
    })
}

fn page(set: ExtSet) -> Option<String> {
    Some(match set {
        ExtSet::GlslStd450 => format!("{SPECIFICATION}/GLSL.std.450.html"),
        ExtSet::OpenClStd => format!("{SPECIFICATION}/OpenCL.ExtendedInstructionSet.100.html"),
        ExtSet::OpenClDebugInfo100 => format!("{SPECIFICATION}/OpenCL.DebugInfo.100.html"),
        ExtSet::DebugInfo => format!("{SPECIFICATION}/DebugInfo.html"),
        ExtSet::ShaderDebugInfo100 => format!("{REGISTRY}/nonsemantic/NonSemantic.Shader.DebugInfo.html"),
        ExtSet::ClspvReflection => format!("{REGISTRY}/nonsemantic/NonSemantic.ClspvReflection.html"),
        ExtSet::VkspReflection => format!("{REGISTRY}/nonsemantic/NonSemantic.VkspReflection.html"),
        ExtSet::Tosa => format!("{REGISTRY}/extended/TOSA.001000.1.html"),
        ExtSet::ArmMotionEngine100 => format!("{REGISTRY}/extended/Arm.MotionEngine.100.html"),
        ExtSet::GraphDebugInfo => format!("{REGISTRY}/nonsemantic/NonSemantic.Graph.DebugInfo.html"),
        ExtSet::AmdExplicitVertexParameter => amd("shader_explicit_vertex_parameter"),
        ExtSet::AmdTrinaryMinmax => amd("shader_trinary_minmax"),
        ExtSet::AmdGcnShader => amd("gcn_shader"),
        ExtSet::AmdShaderBallot => amd("shader_ballot"),
        ExtSet::ArmExperimentalMlOperations | ExtSet::NonSemanticUnknown => return None,
    })
}

fn amd(name: &str) -> String {
    format!("{REGISTRY}/extensions/AMD/SPV_AMD_{name}.html")
}

/// How many of what a capability enables are listed.
const LISTED: usize = 12;

/// The instructions and named values that need a capability, as a line of text; empty if nothing does.
pub(super) fn enabled_by(capability: u32) -> String {
    let instructions = INSTRUCTIONS.iter().filter(|i| i.capabilities.contains(&capability));
    let named =
        [Kind::Decoration, Kind::BuiltIn, Kind::ExecutionModel, Kind::ExecutionMode, Kind::StorageClass];
    let values = named.into_iter().flat_map(|kind| {
        let values = kind.enumerants().iter().filter(|e| e.capabilities.contains(&capability));
        values.map(move |e| format!("{kind:?} {}", e.name))
    });
    listed("Enables", instructions.map(|i| i.name.to_owned()).chain(values).collect())
}

/// `Enables a, b and 3 others`; empty if there are none.
fn listed(verb: &str, names: Vec<String>) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = names.iter().take(LISTED).map(|n| format!("`{n}`")).collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} others"),
    };
    format!("{verb} {}{more}", shown.join(", "))
}

/// What an extension adds, with a link.
pub(super) fn extension(name: &str) -> Option<String> {
    let index = wavelens_syntax::spirv::tables::extension(name)?;
    let vendor = name.split('_').nth(1)?;
    let instructions = INSTRUCTIONS.iter().filter(|i| i.extensions.contains(&index));
    let capabilities = Kind::Capability.enumerants().iter().filter(|e| e.extensions.contains(&index));
    let names = capabilities.map(|e| e.name.to_owned()).chain(instructions.map(|i| i.name.to_owned()));
    let adds = listed("Adds", names.collect());
    Some(format!(
        "Extension of SPIR-V. {adds}\n\n[Specification]({REGISTRY}/extensions/{vendor}/{name}.html)"
    ))
}

/// What a set of extended instructions is for, with a link.
pub(super) fn set(name: &str) -> Option<String> {
    let set = ExtSet::from_import(name)?;
    let text = match set {
        ExtSet::GlslStd450 => "Mathematical and packing functions of shaders.",
        ExtSet::OpenClStd => "Functions of OpenCL C.",
        ExtSet::AmdExplicitVertexParameter => "Interpolation at explicit vertices.",
        ExtSet::AmdTrinaryMinmax => "Minimum, maximum and median of three values.",
        ExtSet::AmdGcnShader => "Cube maps and time, as GCN has them.",
        ExtSet::AmdShaderBallot => "Operations across the invocations of a subgroup.",
        ExtSet::DebugInfo | ExtSet::OpenClDebugInfo100 | ExtSet::ShaderDebugInfo100 => "Debug information.",
        ExtSet::ClspvReflection => "What clspv tells about kernels and their arguments.",
        ExtSet::VkspReflection => "What Vulkan SPIR-V reflection tells about pipelines.",
        ExtSet::GraphDebugInfo => "Names of graphs, operators and tensors.",
        ExtSet::Tosa => "Operators on tensors.",
        ExtSet::ArmMotionEngine100 => "Motion estimation between images.",
        ExtSet::ArmExperimentalMlOperations => "Operators of machine learning that are being tried.",
        ExtSet::NonSemanticUnknown => "Instructions that do not change the module's meaning.",
    };
    let count = match set.instructions().len() {
        0 => String::new(),
        n => format!(" {n} instructions."),
    };
    let link = page(set).map(|page| format!("\n\n[Specification]({page})")).unwrap_or_default();
    Some(format!("{text}{count}{link}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds whose values all have a description.
    const KINDS: &[Kind] = &[
        Kind::Capability,
        Kind::Decoration,
        Kind::BuiltIn,
        Kind::ExecutionModel,
        Kind::AddressingModel,
        Kind::MemoryModel,
        Kind::Dim,
        Kind::StorageClass,
        Kind::ExecutionMode,
        Kind::Scope,
        Kind::MemorySemantics,
        Kind::MemoryAccess,
        Kind::ImageOperands,
        Kind::FunctionControl,
        Kind::SelectionControl,
        Kind::LoopControl,
        Kind::LinkageType,
        Kind::GroupOperation,
        Kind::FPFastMathMode,
        Kind::FunctionParameterAttribute,
    ];

    const SETS: &[ExtSet] = &[
        ExtSet::GlslStd450,
        ExtSet::OpenClStd,
        ExtSet::AmdExplicitVertexParameter,
        ExtSet::AmdTrinaryMinmax,
        ExtSet::AmdGcnShader,
        ExtSet::AmdShaderBallot,
        ExtSet::DebugInfo,
        ExtSet::OpenClDebugInfo100,
        ExtSet::ShaderDebugInfo100,
        ExtSet::ClspvReflection,
        ExtSet::VkspReflection,
        ExtSet::Tosa,
        ExtSet::GraphDebugInfo,
        ExtSet::ArmMotionEngine100,
        ExtSet::ArmExperimentalMlOperations,
    ];

    #[test]
    fn every_instruction_is_described() {
        let missing: Vec<_> =
            INSTRUCTIONS.iter().filter(|i| instruction(i).is_none()).map(|i| i.name).collect();
        assert!(INSTRUCTIONS.len() > 700 && missing.is_empty(), "{missing:?}");
        let known: Vec<_> = INSTRUCTIONS.iter().map(|i| ("", i.name)).collect();
        assert_eq!(INSTRUCTIONS_TEXT.unused(&known), [""; 0]);
    }

    #[test]
    fn every_named_value_is_described() {
        let all = || KINDS.iter().flat_map(|kind| kind.enumerants().iter().map(move |e| (*kind, e.name)));
        let missing: Vec<_> = all().filter(|(kind, name)| enumerant(*kind, name).is_none()).collect();
        assert!(all().count() > 600 && missing.is_empty(), "{missing:?}");
        let known: Vec<_> = all().map(|(kind, name)| (format!("{kind:?}"), name)).collect();
        let known: Vec<_> = known.iter().map(|(kind, name)| (kind.as_str(), *name)).collect();
        assert_eq!(ENUMERANTS_TEXT.unused(&known), [""; 0]);
    }

    #[test]
    fn every_extended_instruction_is_described() {
        let all = || SETS.iter().flat_map(|set| set.instructions().iter().map(move |inst| (*set, inst)));
        let missing: Vec<_> = all()
            .filter(|(set, inst)| extended(*set, inst).is_none())
            .map(|(set, i)| (set, i.name))
            .collect();
        assert!(all().count() > 400 && missing.is_empty(), "{missing:?}");
        let known: Vec<_> = all().map(|(set, inst)| (format!("{set:?}"), inst.name)).collect();
        let mut known: Vec<_> = known.iter().map(|(set, name)| (set.as_str(), *name)).collect();
        known.extend(SETS[7..9].iter().flat_map(|s| s.instructions()).map(|i| ("DebugInfo", i.name)));
        assert_eq!(EXTENDED_TEXT.unused(&known), [""; 0]);
    }
}
