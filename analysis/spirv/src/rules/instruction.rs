//! Capabilities, extensions and versions that instructions and their operands need, and the universal limits.

use wavelens_syntax::spirv::tables::{
    BuiltIn, Capability, Decoration, Enumerant, Extension, GroupOperation, Instruction, Kind, NEVER, Op,
};
use wavelens_syntax::wording;

use super::{capability, extensions};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::lower::rules::{LIMIT, UNKNOWN_OPCODE};
use crate::scope::Scope;
use wavelens_base::{Fault, Lack, Part, Rule, Severity, Verdict, fail, fail_at};

wavelens_syntax::rules! {
    MISSING_CAPABILITY {
        code: "missing-capability",
        severity: Severity::Error,
        title: "the module declares a capability that enables the instruction or operand",
        explain: "A consumer decides by the declared capabilities whether it can run the module. A capability also implies others, which need not be declared.",
        example: r#"OpCapability Linkage
OpMemoryModel Logical GLSL450
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
"#,
        source: "SPIR-V specification, Enabling Capabilities; SPIRV-Tools validate_instruction.cpp: \"requires one of these capabilities\"",
    }

    MISSING_EXTENSION {
        code: "missing-extension",
        severity: Severity::Error,
        title: "the module declares an extension that enables the instruction or operand",
        explain: "A consumer that does not support an extension rejects the module at OpExtension instead of failing later.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpCapability RayQueryKHR
OpMemoryModel Logical GLSL450
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpCapability RayQueryKHR
OpExtension "SPV_KHR_ray_query"
OpMemoryModel Logical GLSL450
"#,
        source: "SPIR-V specification, OpExtension; SPIRV-Tools validate_instruction.cpp: \"requires one of these extensions\"",
    }

    WRONG_VERSION {
        code: "wrong-version",
        severity: Severity::Error,
        title: "an instruction or operand is part of the SPIR-V version of the module",
        explain: "The version comes from the target environment: the option `--target-env`, a `; target-env: spv1.6` comment, or a `; Version: 1.6` comment.",
        example: r#"; target-env: spv1.0
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpModuleProcessed "pass"
"#,
        fixed: r#"; target-env: spv1.1
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpModuleProcessed "pass"
"#,
        source: "SPIR-V specification, Instructions; SPIRV-Tools validate_instruction.cpp: \"requires SPIR-V version\", \"or later\"",
    }
}

/// The version of the module, which a `; Version:` comment states, is not too new for the environment.
pub(crate) fn module_version(scope: &mut Scope) {
    let newest = scope.env.version();
    if scope.version > newest {
        let message = format!(
            "the module is SPIR-V {}, and {} allows at most {}",
            version(scope.version),
            scope.env.name(),
            version(newest)
        );
        scope.report(0, &WRONG_VERSION, message);
    }
}

pub(crate) fn version(word: u32) -> String {
    format!("{}.{}", word >> 16, word >> 8 & 0xff)
}

/// Capabilities that the environment's version knows, or that something enables.
fn visible<'c>(scope: &Scope, capabilities: &'c [u32]) -> impl Iterator<Item = u32> + Clone + 'c {
    let version = scope.version;
    capabilities.iter().copied().filter(move |c| {
        Kind::Capability.valued(*c).is_some_and(|e| {
            e.first_version <= version && version <= e.last_version
                || !e.extensions.is_empty()
                || !e.capabilities.is_empty()
        })
    })
}

fn names(capabilities: impl Iterator<Item = u32>) -> String {
    let names: Vec<&str> = capabilities.filter_map(|c| Kind::Capability.valued(c)).map(|e| e.name).collect();
    wording::alternatives(names)
}

fn extension_names(extensions: &[u16]) -> String {
    wording::alternatives(extensions.iter().filter_map(|e| extensions::name(*e)))
}

/// Whether the capabilities ask for nothing that the module lacks.
fn satisfied(scope: &Scope, capabilities: impl Iterator<Item = u32> + Clone) -> bool {
    let mut any = false;
    for c in capabilities {
        if scope.has_capability(c) {
            return true;
        }
        any = true;
    }
    !any
}

pub(crate) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some(info) = inst.op().info() else { return Ok(()) };
    if inst.op() == Op::Capability {
        capability::check(m, inst)?;
    }
    if matches!(
        inst.op(),
        Op::ImageSparseSampleProjImplicitLod
            | Op::ImageSparseSampleProjExplicitLod
            | Op::ImageSparseSampleProjDrefImplicitLod
            | Op::ImageSparseSampleProjDrefExplicitLod
    ) {
        return fail(&UNKNOWN_OPCODE, format!("{} is reserved and must not be used", info.name));
    }
    opcode_capability(m, info)?;
    for (index, operand) in inst.operands().iter().enumerate() {
        let kind = operand.kind;
        if kind.is_id() || matches!(kind, Kind::LiteralInteger | Kind::LiteralString | Kind::TypedLiteral) {
            continue;
        }
        let word = inst.word(usize::from(operand.offset));
        if kind.is_mask() {
            let mut rest = word;
            while rest != 0 {
                let bit = 1u32 << (31 - rest.leading_zeros());
                rest &= !bit;
                operand_capability(m, inst, index, kind, bit)?;
            }
        } else {
            operand_capability(m, inst, index, kind, word)?;
        }
    }
    limits(m, inst)?;
    opcode_version(m, info)
}

fn opcode_capability(m: &RuleContext<'_>, info: &Instruction) -> Verdict {
    if info.capabilities.is_empty() {
        return Ok(());
    }
    let ballot = matches!(
        info.op,
        Op::GroupIAddNonUniformAMD
            | Op::GroupFAddNonUniformAMD
            | Op::GroupFMinNonUniformAMD
            | Op::GroupUMinNonUniformAMD
            | Op::GroupSMinNonUniformAMD
            | Op::GroupFMaxNonUniformAMD
            | Op::GroupUMaxNonUniformAMD
            | Op::GroupSMaxNonUniformAMD
    );
    if ballot && m.has_extension(Extension::SPV_AMD_shader_ballot) {
        return Ok(());
    }
    let needed = visible(m.scope, info.capabilities);
    if satisfied(m.scope, needed.clone()) {
        return Ok(());
    }
    Err(missing_capability(info.name, &names(needed)))
}

fn operand_capability(m: &RuleContext<'_>, inst: Inst<'_>, index: usize, kind: Kind, word: u32) -> Verdict {
    match kind {
        // Naming these built-ins is free, using them is not.
        Kind::BuiltIn
            if matches!(word, BuiltIn::PointSize | BuiltIn::ClipDistance | BuiltIn::CullDistance) =>
        {
            return Ok(());
        }
        Kind::FPRoundingMode if m.scope.features.free_fp_rounding_mode => return Ok(()),
        Kind::GroupOperation
            if m.scope.features.group_ops_reduce_and_scans && word <= GroupOperation::ExclusiveScan =>
        {
            return Ok(());
        }
        _ => {}
    }
    let Some(value) = kind.valued(word) else { return Ok(()) };
    const ROUNDING: &[u32] = &[
        Capability::StorageUniformBufferBlock16,
        Capability::StorageUniform16,
        Capability::StoragePushConstant16,
        Capability::StorageInputOutput16,
    ];
    let rounding = kind == Kind::Decoration && word == Decoration::FPRoundingMode;
    if rounding && m.scope.features.free_fp_rounding_mode {
        return Ok(());
    }
    let needed = match rounding {
        true if m.scope.env.is_vulkan() => ROUNDING,
        true => &[],
        false => value.capabilities,
    };
    if inst.op() != Op::Capability && !needed.is_empty() {
        let known = visible(m.scope, needed);
        if !satisfied(m.scope, known.clone()) {
            return Err(missing_capability(value.name, &names(known)).at(Part::Operand(index)));
        }
    }
    operand_version(m, index, value)
}

fn operand_version(m: &RuleContext<'_>, index: usize, value: &Enumerant) -> Verdict {
    let module = m.scope.version;
    let reserved = value.first_version == NEVER;
    if !reserved && value.first_version <= module && module <= value.last_version {
        return Ok(());
    }
    if value.last_version < module {
        return fail_at(
            &WRONG_VERSION,
            index,
            format!(
                "{} is not supported after SPIR-V {}, the module has version {}",
                value.name,
                version(value.last_version),
                version(module)
            ),
        );
    }
    if !reserved && value.extensions.is_empty() {
        return fail_at(
            &WRONG_VERSION,
            index,
            format!(
                "{} requires SPIR-V {}, the module has version {}",
                value.name,
                version(value.first_version),
                version(module)
            ),
        );
    }
    if !value.extensions.is_empty() && !has_any(m, value.extensions) {
        let fault = missing_extension(value.name, "the ", value.extensions);
        return Err(fault.at(Part::Operand(index)));
    }
    Ok(())
}

fn opcode_version(m: &RuleContext<'_>, info: &Instruction) -> Verdict {
    let module = m.scope.version;
    if info.last_version < module {
        return fail(
            &WRONG_VERSION,
            format!(
                "{} is not supported after SPIR-V {}, the module has version {}",
                info.name,
                version(info.last_version),
                version(module)
            ),
        );
    }
    if info.op != Op::TerminateInvocation && !info.capabilities.is_empty() {
        return Ok(());
    }
    if has_any(m, info.extensions) || module >= info.first_version {
        return Ok(());
    }
    match (info.first_version, info.extensions) {
        (NEVER, []) => fail(&WRONG_VERSION, format!("{} is reserved for future use", info.name)),
        (NEVER, extensions) => Err(missing_extension(info.name, "the ", extensions)),
        (first, []) => fail(
            &WRONG_VERSION,
            format!(
                "{} requires SPIR-V {}, the module has version {}",
                info.name,
                version(first),
                version(module)
            ),
        ),
        (first, extensions) => {
            Err(missing_extension(info.name, &format!("SPIR-V {} or the ", version(first)), extensions))
        }
    }
}

/// Whether the module declares one of these extensions; a misspelled name is reported where it is.
fn has_any(m: &RuleContext<'_>, extensions: &[u16]) -> bool {
    extensions.iter().any(|e| m.has_extension(*e) || m.scope.misspelled_extensions.contains(e))
}

/// Something needs capabilities, of which any one would do.
fn missing_capability(user: &str, names: &str) -> Box<Fault> {
    let fault = Fault::new(&MISSING_CAPABILITY, format!("{user} requires the {names} capability"));
    fault.with_lack(Lack::InFile(names.into()))
}

/// A type may only be stored without a capability; `what` is done with it.
pub(super) fn missing_arithmetic(
    rule: &'static Rule,
    operand: usize,
    what: &str,
    capability: &str,
) -> Box<Fault> {
    let message = wording::requires(what, format_args!("the {capability} capability"));
    Fault::new(rule, message).at(Part::Operand(operand)).with_lack(Lack::InFile(capability.into()))
}

/// Something needs extensions, of which any one would do; `or` is what would do as well.
fn missing_extension(user: &str, or: &str, extensions: &[u16]) -> Box<Fault> {
    let names = extension_names(extensions);
    let fault = Fault::new(&MISSING_EXTENSION, format!("{user} requires {or}{names} extension"));
    fault.with_lack(Lack::InFile(names.into()))
}

/// What an instruction lacks: capabilities of which any would do, or else extensions of which any would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Missing {
    /// Any one of these suffices.
    pub capabilities: Vec<u32>,
    /// Any one of these suffices.
    pub extensions: Vec<&'static str>,
}

/// What the module must declare for the instruction; only the first missing declaration, as [`check`] reports it.
pub fn missing(m: &RuleContext<'_>, inst: Inst<'_>) -> Missing {
    let lacks = |needed: &[u32]| -> Option<Missing> {
        let known = visible(m.scope, needed);
        if inst.op() == Op::Capability || satisfied(m.scope, known.clone()) {
            return None;
        }
        Some(Missing { capabilities: known.collect(), ..Missing::default() })
    };
    let lacks_extension = |first_version: u32, extensions: &[u16]| -> Option<Missing> {
        if extensions.is_empty()
            || m.scope.version >= first_version
            || extensions.iter().any(|e| m.has_extension(*e))
        {
            return None;
        }
        let names = extensions.iter().filter_map(|e| extensions::name(*e));
        Some(Missing { extensions: names.collect(), ..Missing::default() })
    };
    let width = |of_int: bool| -> Option<u32> {
        Some(match (of_int, inst.operand(1)) {
            (true, 8) => Capability::Int8,
            (true, 16) => Capability::Int16,
            (true, 64) => Capability::Int64,
            (false, 16) => Capability::Float16,
            (false, 64) => Capability::Float64,
            _ => return None,
        })
    };
    let width = match inst.op() {
        Op::TypeInt => width(true),
        Op::TypeFloat if inst.count() == 2 => width(false),
        _ => None,
    };
    let info = inst.op().info();
    let opcode =
        info.and_then(|i| lacks(i.capabilities).or_else(|| lacks_extension(i.first_version, i.extensions)));
    let width = || width.and_then(|capability| lacks(&[capability]));
    let operands = || {
        inst.operands().iter().filter(|o| !o.kind.enumerants().is_empty()).find_map(|operand| {
            let word = inst.word(usize::from(operand.offset));
            let is_set = |value: u32| match operand.kind.is_mask() {
                true => value != 0 && word & value == value,
                false => word == value,
            };
            let values = operand.kind.enumerants().iter().filter(|e| is_set(e.value));
            values.into_iter().find_map(|value| {
                lacks(value.capabilities).or_else(|| lacks_extension(value.first_version, value.extensions))
            })
        })
    };
    opcode.or_else(width).or_else(operands).unwrap_or_default()
}

fn limits(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::TypeStruct if inst.count() > 16384 => {
            fail(&LIMIT, format!("{} members exceed the limit of 16383", inst.count() - 1))
        }
        Op::TypeStruct if nesting(m, inst) > 255 => {
            fail(&LIMIT, "structure nesting exceeds the limit of 255")
        }
        Op::Switch if inst.count() > 2 + 2 * 16383 => {
            fail(&LIMIT, format!("{} branches exceed the limit of 16383", (inst.count() - 2) / 2))
        }
        _ => Ok(()),
    }
}

/// The nesting depth of a structure.
fn nesting(m: &RuleContext<'_>, structure: Inst<'_>) -> u32 {
    let members = structure.words().get(2..).unwrap_or_default().iter();
    let is_before = |id: &&Id| m.def(**id).is_some_and(|d| d.op() == Op::TypeStruct && d.at < structure.at);
    let depths = members.filter(is_before).map(|id| m.scope.structure_depths.get(id).copied().unwrap_or(1));
    1 + depths.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn structures_are_nested_up_to_a_limit() {
        let module = |depth: usize| {
            let inner = (1..depth).map(|i| format!("%s{} = OpTypeStruct %s{i} %s{i}\n", i + 1));
            let types = format!("%s1 = OpTypeStruct %float\n{}", inner.collect::<String>());
            Shader { types: &types, ..Shader::NEW }.findings()
        };
        expect![[""]].assert_eq(&module(255));
        expect![[r#"
            error[universal-limit] `%s256 = OpTypeStruct %s255 %s255`: structure nesting exceeds the limit of 255
        "#]].assert_eq(&module(256));
        // Each way through the structures would be one of 2 to the power of 600.
        assert_eq!(module(600).lines().count(), 600 - 255);
    }

    #[test]
    fn numbers_of_members_and_branches_are_limited() {
        let module = |members: usize, branches: usize| {
            let members = " %float".repeat(members);
            let branches: String = (0..branches).map(|value| format!(" {value} %end")).collect();
            let shader = Shader {
                types: &format!("%members = OpTypeStruct{members}"),
                body: &format!("OpSelectionMerge %end None\nOpSwitch %u3 %end{branches}\n%end = OpLabel"),
                ..Shader::NEW
            };
            let findings = shader.findings();
            findings
                .lines()
                .filter_map(|line| line.rsplit_once("`: "))
                .map(|(_, message)| message.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(module(16383, 16383), [""; 0]);
        assert_eq!(
            module(16384, 16384),
            ["16384 members exceed the limit of 16383", "16384 branches exceed the limit of 16383"]
        );
    }

    #[test]
    fn what_an_instruction_needs_is_declared() {
        let shader = Shader {
            head: "; target-env: spv1.3",
            annotations: "OpDecorate %f1 SpecId 1",
            types: "%a = OpTypePipe ReadOnly
%b = OpTypePointer PhysicalStorageBuffer %float",
            body: "OpEmitVertex
%c = OpGroupNonUniformElect %bool %u3
%again = OpGroupNonUniformElect %bool %u3
%d = OpCopyLogical %float %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[decoration-target] `%f1`: SpecId can decorate only scalar specialization constants, `%f1` is the result of OpConstant
              24:1 `%f1`: defined here
            error[missing-capability] `%a = OpTypePipe ReadOnly`: OpTypePipe requires the Pipes capability
            error[missing-capability] `PhysicalStorageBuffer`: PhysicalStorageBuffer requires the PhysicalStorageBufferAddresses capability
            error[missing-capability] `OpEmitVertex`: OpEmitVertex requires the Geometry capability
            error[missing-capability] `%c = OpGroupNonUniformElect %bool %u3`: OpGroupNonUniformElect requires the GroupNonUniform capability
              35:1 `%again = OpGroupNonUniformElect %bool %u3`: also here
            error[wrong-version] `%d = OpCopyLogical %float %f1`: OpCopyLogical is not supported in SPIR-V 1.3
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn the_environment_that_is_asked_for_is_before_a_version_comment() {
        let module = |version: &str| {
            format!(
                "{version}OpCapability Shader\nOpCapability Linkage\nOpCapability Kernel\nOpMemoryModel Logical GLSL450\n"
            )
        };
        let codes = |version: &str, environment: &str| -> Vec<&str> {
            let options = wavelens_base::Options {
                target_env: Some(environment.to_owned()),
                ..wavelens_base::Options::default()
            };
            let found = wavelens_check::check_text(wavelens_base::Dialect::Spirv, &module(version), &options);
            found.into_iter().map(|f| f.rule.code).collect()
        };
        let vulkan = ["environment-capability"; 2];
        assert_eq!(codes("", "vulkan1.3"), vulkan);
        assert_eq!(codes("; Version: 1.3\n", "vulkan1.3"), vulkan);
        assert_eq!(codes("; Version: 1.3\n", "spv1.3"), [""; 0]);
        assert_eq!(codes("; Version: 1.4\n", "spv1.3"), ["wrong-version"]);
        assert_eq!(codes("; target-env: spv1.6\n", "vulkan1.3"), vulkan);
    }
}
