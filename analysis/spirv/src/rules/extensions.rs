//! Extensions and extended instruction sets (SPIR-V specification, section 3.52.4).

use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{EXTENSIONS, Extension, Kind, Op, extension};

use super::instruction;
use crate::code::Inst;
use crate::context::RuleContext;
use crate::scope::Scope;
use crate::tables::extensions::facts;
use wavelens_base::{Severity, Verdict, fail_at};

wavelens_syntax::rules! {
    UNKNOWN_EXTENSION {
        code: "unknown-extension",
        severity: Severity::Warning,
        title: "the name of an extension is not misspelled",
        explain: "Tools ignore extensions that they do not know, so that a misspelled name does not enable anything. Only names close to a known one are reported. Switch it off for extensions that are newer than this program.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_16bit_storag"
OpMemoryModel Logical GLSL450
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_16bit_storage"
OpMemoryModel Logical GLSL450
"#,
        source: "Khronos SPIR-V Registry, Extension Specifications; SPIRV-Tools extensions.cpp: \"Found unrecognized extension\"",
    }
}

/// A known extension with almost the same name; not another number of it, and not one that the module declares as well.
pub(crate) fn misspelled(scope: &Scope, name: &str) -> Option<u16> {
    if extension(name).is_some() {
        return None;
    }
    let near = closest(name, EXTENSIONS.iter().copied())?;
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    extension(near).filter(|known| letters(near) != letters(name) && !scope.has_extension(*known))
}

/// Whether an extension is known.
pub(crate) fn is_known(name: &str) -> bool {
    extension(name).is_some()
}

pub(crate) fn name(extension: u16) -> Option<&'static str> {
    EXTENSIONS.get(usize::from(extension)).copied()
}

/// Whether a capability needs an extension, and no other that is declared would do.
pub(crate) fn is_needed(scope: &Scope, extension: u16, capability: u32) -> bool {
    Kind::Capability.valued(capability).is_some_and(|user| {
        user.extensions.contains(&extension)
            && !user.extensions.iter().any(|other| scope.has_extension(*other))
            && !(user.first_version..=user.last_version).contains(&scope.version)
    })
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::Extension => check_extension(m, inst),
        Op::ExtInstImport => check_instruction_set(m, inst),
        _ => Ok(()),
    }
}

fn check_extension(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let name = inst.string(0);
    let Some(known) = extension(&name) else {
        let Some(near) = misspelled(m.scope, &name) else { return Ok(()) };
        let rule = match m.scope.misspelled_extensions.contains(&near) {
            true => &instruction::MISSING_EXTENSION,
            false => &UNKNOWN_EXTENSION,
        };
        let near = self::name(near).unwrap_or_default();
        return fail_at(rule, 0, format!("unknown extension \"{name}\"; did you mean \"{near}\"?"));
    };
    match facts(known) {
        Some(facts) if m.scope.version < facts.first_version => {
            let message = format!("{name} requires SPIR-V 1.{}", facts.first_version >> 8 & 0xff);
            fail_at(&instruction::WRONG_VERSION, 0, message)
        }
        _ => Ok(()),
    }
}

fn check_instruction_set(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if inst.string(1).starts_with("NonSemantic.")
        && m.scope.version <= 0x10500
        && !m.has_extension(Extension::SPV_KHR_non_semantic_info)
    {
        let message = "before SPIR-V 1.6, non-semantic instruction sets require the SPV_KHR_non_semantic_info extension";
        return fail_at(&instruction::MISSING_EXTENSION, 1, message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn names_of_extensions_sets_and_instructions_are_known() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpExtension "SPV_KHR_16bit_storag"
            ;           ^^^^^^^^^^^^^^^^^^^^^^ warning[unknown-extension]: unknown extension "SPV_KHR_16bit_storag"; did you mean "SPV_KHR_16bit_storage"?
            ;                                = fix: OpExtension "SPV_KHR_16bit_storage"
            OpExtension "SPV_KHR_no_such_thing"
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[newer-producer]: the rules do not have the extension `SPV_KHR_no_such_thing`: what the rules do not know is a warning
            %glsl = OpExtInstImport "GLSL.std.450"
            %what = OpExtInstImport "No.such.set"
            ;                       ^^^^^^^^^^^^^ warning[invalid-operand]: unknown extended instruction set "No.such.set"
            %near = OpExtInstImport "GLSL.std.45"
            ;                       ^^^^^^^^^^^^^ warning[invalid-operand]: unknown extended instruction set "GLSL.std.45"; did you mean "GLSL.std.450"?
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %float = OpTypeFloat 32
            %f1 = OpConstant %float 1
            %fn = OpTypeFunction %void
            %f = OpFunction %void None %fn
            %entry = OpLabel
            %c = OpExtInst %float %glsl Length %f1 %f1
            ;                                      ^^^ error[invalid-operand]: unexpected operand `%f1` of Length
            %e = OpExtInst %float %glsl Maximum %f1 %f1
            ;                           ^^^^^^^ warning[invalid-operand]: unknown instruction `Maximum` of the set GlslStd450
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
