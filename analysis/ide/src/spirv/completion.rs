//! Completion in SPIR-V assembly.

use wavelens_base::{TextRange, TextSize};
use wavelens_spirv::scope::Scope;
use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Kind};

use super::completion_ids::ids;
use super::completion_literals as literals;
use super::completion_needs::Needs;
use super::completion_opcodes::Next;
use super::place::{Typing, requirements, typing};
use super::{Cx, help};
use crate::answers::{Completion, CompletionKind};

/// Everything that is valid at the cursor; the driver keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let Some(typing) = typing(cx, at) else { return Vec::new() };
    let range = typing.word;
    let mut found = literals::complete(cx, &typing, at);
    found.extend(typing.starts.then(|| literals::fresh(cx, &typing, at)).flatten());
    match typing.expected.map(|o| o.kind) {
        Some(Kind::ExtInstNumber) => {
            for known in typing.set.map_or(&[][..], |s| s.instructions()) {
                let operands: Vec<&str> = known.operand_names().collect();
                found.push(
                    Completion::new(CompletionKind::Function, range, known.name).detail(operands.join(", ")),
                );
            }
        }
        Some(kind) if kind.is_id() => ids(cx, &typing, kind, &mut found),
        Some(Kind::SpecConstantOp) => {}
        Some(kind) => enumerants(cx, kind, &typing, &mut found),
        None => {}
    }
    if typing.starts {
        let needed = Needs::new(cx);
        let next = Next::new(cx, &typing);
        for info in &INSTRUCTIONS {
            let needs = lacking(cx.scope, info.capabilities);
            let is_vendors = VENDORS.iter().any(|vendor| info.name.ends_with(vendor));
            let rank = 10 + 10 * u8::from(!needs.is_empty()) + 10 * u8::from(is_vendors) + next.rank(info);
            let also = needed.of(info.capabilities, info.extensions, info.first_version);
            let detail = if needs.is_empty() { info.class.to_owned() } else { needs };
            found.push(
                Completion::new(CompletionKind::Opcode, range, info.name)
                    .rank(rank)
                    .also(also)
                    .detail(detail)
                    .documentation(documented(
                        help::instruction(info),
                        requirements(
                            info.capabilities,
                            info.extensions,
                            info.first_version,
                            info.last_version,
                        ),
                    )),
            );
        }
    }
    found
}

/// What a word means, and below it what it requires.
fn documented(words: Option<String>, needs: String) -> String {
    let parts: Vec<String> = words.into_iter().chain(Some(needs).filter(|needs| !needs.is_empty())).collect();
    parts.join("\n\n")
}

/// Endings of the opcodes of one vendor.
const VENDORS: [&str; 9] = ["INTEL", "ALTERA", "NV", "AMD", "AMDX", "QCOM", "ARM", "HUAWEI", "IMG"];

/// `needs Geometry` where the module declares no capability that would do.
fn lacking(scope: &Scope, capabilities: &[u32]) -> String {
    if capabilities.is_empty() || capabilities.iter().any(|c| scope.has_capability(*c)) {
        return String::new();
    }
    let names: Vec<&str> =
        capabilities.iter().filter_map(|c| Kind::Capability.valued(*c)).map(|e| e.name).collect();
    format!("needs {}", names.join(" or "))
}

/// Named values of the position; in a mask those after `|`, without the ones that the mask has.
fn enumerants(cx: &Cx<'_>, kind: Kind, typing: &Typing, found: &mut Vec<Completion>) {
    let typed = cx.slice(typing.word);
    let (before, start) = match typed.rfind('|').filter(|_| kind.is_mask()) {
        Some(bar) => (typed.get(..bar).unwrap_or(""), typing.word.start() + TextSize::new(bar as u32 + 1)),
        None => ("", typing.word.start()),
    };
    let range = TextRange::new(start, typing.word.end());
    let needed = Needs::new(cx);
    for known in kind.enumerants() {
        if kind.is_mask()
            && (before.split('|').any(|b| b == known.name) || !before.is_empty() && known.value == 0)
        {
            continue;
        }
        let needs = match kind {
            Kind::Capability => String::new(),
            _ => lacking(cx.scope, known.capabilities),
        };
        let rank = if needs.is_empty() { 10 } else { 20 };
        let also = match kind {
            Kind::Capability => needed.of(&[], known.extensions, known.first_version),
            _ => needed.of(known.capabilities, known.extensions, known.first_version),
        };
        let detail = if needs.is_empty() { format!("{kind:?}") } else { needs };
        let documentation =
            requirements(known.capabilities, known.extensions, known.first_version, known.last_version);
        found.push(
            Completion::new(CompletionKind::Constant, range, known.name)
                .detail(detail)
                .documentation(documented(help::enumerant(kind, known.name), documentation))
                .also(also)
                .rank(rank),
        );
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    const SHADER: &str = include_str!("testdata/view.spvasm");

    /// The first suggestions for a line typed at the end of the shader's only block.
    fn check(line: &str, expected: Expect) {
        let fixture = SHADER.replacen("OpReturn", &format!("{line}\n OpReturn"), 1);
        let found = at_cursor(Dialect::Spirv, &fixture, features::complete);
        let lines = found.items.iter().take(8).map(|c| format!("{}  {}\n", c.label, c.detail));
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn ids_are_of_the_class_that_the_position_wants() {
        // The structure itself is none of its members.
        check(
            "%90 = OpTypeStruct %8 %$0",
            expect![[r#"
            %8  vec4
            %arr  vec4[4]
            %9  mat4
            %17  ptr Uniform mat4
            %2  void
            %3  void()
            %7  float
            %10  uint
        "#]],
        );
        check(
            "%90 = OpLoad %8 %$0",
            expect![[r#"
                %6  ptr Input vec4
                %5  ptr Output vec4
            "#]],
        );
        check(
            "%90 = OpLoad %$0",
            expect![[r#"
                %8  vec4
                %9  mat4
                %17  ptr Uniform mat4
                %2  void
                %3  void()
                %7  float
                %10  uint
                %View  struct View
            "#]],
        );
        check(
            "OpStore %5 %$0",
            expect![[r#"
                %29  vec4
                %23  vec4(0.5, 0.5, 0.5, 0.5)
                %28  vec4
                %25  vec4
            "#]],
        );
        check(
            "%90 = OpFAdd %8 %2$0",
            expect![[r#"
                %29  vec4
                %23  vec4(0.5, 0.5, 0.5, 0.5)
                %28  vec4
                %25  vec4
            "#]],
        );
        check(
            "OpBranch $0",
            expect![[r#"
            %24  
        "#]],
        );
        check(
            "%90 = OpExtInst %8 %$0",
            expect![[r#"
            %1  GLSL.std.450
        "#]],
        );
        check(
            "%90 = OpFunctionCall %2 $0",
            expect![[r#"
            %4  main
        "#]],
        );
        check(
            "OpSwitch %20 %24 1 $0",
            expect![[r#"
            %24  
        "#]],
        );
    }

    #[test]
    fn ids_are_of_the_type_that_the_operand_has() {
        check(
            "%90 = OpFNegate %8 %$0",
            expect![[r#"
            %29  vec4
            %23  vec4(0.5, 0.5, 0.5, 0.5)
            %28  vec4
            %25  vec4
        "#]],
        );
        check("OpBranchConditional %$0", expect![[r#""#]]);
        check(
            "%90 = OpCompositeExtract %7 %$0",
            expect![[r#"
            %29  vec4
            %23  vec4(0.5, 0.5, 0.5, 0.5)
            %28  vec4
            %25  vec4
            %27  mat4
        "#]],
        );
        check(
            "%90 = OpAccessChain %17 %view %$0",
            expect![[r#"
                %16  0
            "#]],
        );
    }

    #[test]
    fn instructions_that_the_module_lacks_and_that_declare_the_name() {
        let first = |text: &str| {
            let found = at_cursor(Dialect::Spirv, text, features::complete);
            let lines = found.items.iter().take(3).map(|c| format!("{} ", c.label));
            lines.collect::<String>()
        };
        expect!["OpCapability OpMemoryModel OpExtension "].assert_eq(&first("OpCapability Shader\nOp$0\n"));
        expect!["OpTypeVoid OpExtInstImport OpFunction "]
            .assert_eq(&first("OpCapability Shader\n%void = Op$0\n"));
        expect!["OpTypeStruct OpTypeVoid OpConstant "]
            .assert_eq(&first("OpDecorate %a Block\n%void = OpTypeVoid\n%a = Op$0\n"));
        let named = "OpName %a \"a\"\nOpName %$0\n%a = OpTypeVoid\n%b = OpTypeBool\n%f = OpTypeFunction %a\n%m = OpFunction %a None %f\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
        expect!["%f %b %l "].assert_eq(&first(named));
    }

    #[test]
    fn debug_information_refers_to_texts() {
        let text = "OpExtension \"SPV_KHR_non_semantic_info\"\n%set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n\
            %name = OpString \"x\"\n%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n\
            %source = OpExtInst %void %set DebugSource %n$0\n";
        at_cursor(Dialect::Spirv, text, |view, at| {
            let first = features::complete(view, at).items.into_iter().next();
            assert_eq!(first.map(|item| item.label).as_deref(), Some("%name"));
        });
    }

    #[test]
    fn words_are_those_of_the_position_with_what_they_need() {
        check(
            "%90 = OpExtInst %8 %1 FM$0",
            expect![[r#"
            FMax  x, y
            FMin  x, y
            FMix  x, y, a
            Fma  a, b, c
            FClamp  x, minVal, maxVal
            FindSMsb  Value
            FindUMsb  Value
        "#]],
        );
        check(
            "%90 = OpVariable %17 Func$0",
            expect![[r#"
            Function  StorageClass
        "#]],
        );
        check(
            "%90 = OpLoad %8 %6 Volatile|$0",
            expect![[r#"
            Aligned  MemoryAccess
            Nontemporal  MemoryAccess
            AliasScopeINTELMask  needs MemoryAccessAliasingINTEL
            MakePointerAvailable  needs VulkanMemoryModel
            MakePointerVisible  needs VulkanMemoryModel
            NoAliasINTELMask  needs MemoryAccessAliasingINTEL
            NonPrivatePointer  needs VulkanMemoryModel
        "#]],
        );
        check(
            "OpEmit$0",
            expect![[r#"
                OpEmitMeshTasksEXT  needs MeshShadingEXT
                OpEmitStreamVertex  needs GeometryStreams
                OpEmitVertex  needs Geometry
                OpTerminateInvocation  Control-Flow
                OpCooperativeMatrixStoreKHR  needs CooperativeMatrixKHR
                OpDemoteToHelperInvocation  needs DemoteToHelperInvocation
                OpEndPrimitive  needs Geometry
                OpEndStreamPrimitive  needs GeometryStreams
            "#]],
        );
    }
}
