//! Declares the capability or extension that an instruction lacks.

use wavelens_base::Severity;
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::rules::instruction;
use wavelens_syntax::spirv::tables::{EXTENSIONS, Kind, Op};

use super::Here;
use crate::answers::Action;
use crate::db::findings_of;

/// More alternatives than this do not help.
const LIMIT: usize = 6;

pub(super) fn actions(here: &Here<'_>) -> Vec<Action> {
    let range = here.range() + here.cx.start();
    let finding = findings_of(here.cx.view, here.cx.index)
        .into_iter()
        // A declaration changes neither the place of an instruction nor its number of operands.
        .filter(|f| {
            let is_other = matches!(f.rule.code, "module-layout" | "missing-operand");
            f.severity == Severity::Error && range.contains_range(f.range) && !is_other
        })
        .min_by_key(|f| !matches!(f.rule.code, "missing-capability" | "missing-extension"));
    let Some(finding) = finding else { return Vec::new() };
    let missing = instruction::missing(here.m, here.inst);
    // The multi-vendor one first.
    let mut declarable = missing.capabilities.clone();
    declarable.sort_by_key(|c| Kind::Capability.valued(*c).is_none_or(|c| c.name.ends_with("NV")));
    let capabilities = declarable.iter().filter_map(|c| {
        let capability = Kind::Capability.valued(*c)?;
        let name = capability.name;
        let mut edits = vec![here.insert(Op::Capability, &format!("OpCapability {name}"))?];
        // Older versions have it in an extension.
        let has = |extension: &u16| here.m.has_extension(*extension);
        let is_old = here.m.scope.version < capability.first_version;
        let extension =
            capability.extensions.first().filter(|_| is_old && !capability.extensions.iter().any(has));
        let extension = extension.and_then(|number| EXTENSIONS.get(usize::from(*number)));
        edits.extend(extension.and_then(|e| here.insert(Op::Extension, &format!("OpExtension \"{e}\""))));
        let action = Action::in_file(format!("Declare the capability {name}"), edits);
        let likely = is_implied(here.m, *c) || here.m.scope.has_unknown_declaration();
        Some(Action { likely, ..action })
    });
    let extensions = missing.extensions.iter().filter_map(|name| {
        let edit = here.insert(Op::Extension, &format!("OpExtension \"{name}\""))?;
        let action = Action::in_file(format!("Declare the extension {name}"), vec![edit]);
        Some(Action { likely: here.m.scope.has_unknown_declaration(), ..action })
    });
    capabilities.chain(extensions).take(LIMIT).map(|a| a.fixing(finding.clone())).collect()
}

/// Whether something else in the module lacks a capability that brings this one: then that one was most likely declared.
fn is_implied(m: &RuleContext<'_>, capability: u32) -> bool {
    let brings = |other: u32| {
        let implied = Kind::Capability.valued(other).map_or(&[][..], |other| other.capabilities);
        other != capability && implied.contains(&capability)
    };
    m.scope.code.iter().any(|inst| instruction::missing(m, inst).capabilities.into_iter().any(brings))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::check;

    #[test]
    fn a_capability_goes_behind_the_others() {
        check(
            "Float64",
            "; c\n  OpCapability Shader ; first\n  OpCapability Linkage\n  OpMemoryModel Logical GLSL450\n%1 = OpType$0Float 64\n",
            expect![[r#"
                [QuickFix] Declare the capability Float64
                [Rewrite] Name `%1` with OpName
                [Rewrite] Remove the unused `%1`
                ---
                ; c
                  OpCapability Shader ; first
                  OpCapability Linkage
                  OpCapability Float64
                  OpMemoryModel Logical GLSL450
                %1 = OpTypeFloat 64
            "#]],
        );
    }

    #[test]
    fn the_declaration_is_far_from_the_use() {
        check(
            "GeometryStreams",
            "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n%f = OpFunction %v None %t\n%l = OpLabel\nOpEmit$0StreamVertex %l\nOpReturn\nOpFunctionEnd\n",
            expect![[r#"
                [QuickFix] Declare the capability GeometryStreams
                ---
                OpCapability Shader
                OpCapability Linkage
                OpCapability GeometryStreams
                OpMemoryModel Logical GLSL450
                %v = OpTypeVoid
                %t = OpTypeFunction %v
                %f = OpFunction %v None %t
                %l = OpLabel
                OpEmitStreamVertex %l
                OpReturn
                OpFunctionEnd
            "#]],
        );
    }

    #[test]
    fn an_extension_goes_behind_the_capabilities() {
        check(
            "SPV_",
            "OpCapability Shader\nOpCapability Ray$0QueryKHR\nOpMemoryModel Logical GLSL450\n",
            expect![[r#"
                [QuickFix] Declare the extension SPV_KHR_ray_query
                ---
                OpCapability Shader
                OpCapability RayQueryKHR
                OpExtension "SPV_KHR_ray_query"
                OpMemoryModel Logical GLSL450
            "#]],
        );
    }
}
