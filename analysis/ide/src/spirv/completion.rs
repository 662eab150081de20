//! Completion in SPIR-V assembly.

use wavelens_base::{TextRange, TextSize};
use wavelens_spirv::scope::Scope;
use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Kind};

use super::completion_context as context;
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
            let wanted = context::Extended::new(cx, &typing);
            for known in typing.set.map_or(&[][..], |s| s.instructions()) {
                let operands: Vec<&str> = known.operand_names().collect();
                let item = Completion::new(CompletionKind::Function, range, known.name);
                found.push(item.rank(20 + wanted.delay(known)).detail(operands.join(", ")));
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
            let is_vendors = context::VENDORS.iter().any(|vendor| info.name.ends_with(vendor));
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
    let wanted = if kind == Kind::Capability { context::needed_capabilities(cx) } else { Default::default() };
    let plain = kind.enumerants().iter().map(|known| (known.name, known));
    // Aliases of a vendor, where the module has its capability.
    let spelled: Vec<_> =
        kind.aliases().filter(|(name, known)| context::is_spelled(cx, name, known)).collect();
    for (name, known) in plain.chain(spelled.iter().copied()) {
        if kind.is_mask()
            && (before.split('|').any(|b| b == known.name) || !before.is_empty() && known.value == 0)
        {
            continue;
        }
        let needs = match kind {
            Kind::Capability => String::new(),
            _ => lacking(cx.scope, known.capabilities),
        };
        let is_wanted = wanted.contains(&known.value)
            || kind == Kind::BuiltIn && context::is_named_for(typing, known.name);
        let is_declared = kind == Kind::Capability && cx.scope.has_capability(known.value);
        let rank = if is_wanted {
            0
        } else if is_declared {
            70
        } else if needs.is_empty() {
            30
        } else {
            40
        };
        let also = match kind {
            Kind::Capability => needed.of(&[], known.extensions, known.first_version),
            _ => needed.of(known.capabilities, known.extensions, known.first_version),
        };
        let detail = if needs.is_empty() { format!("{kind:?}") } else { needs };
        let documentation =
            requirements(known.capabilities, known.extensions, known.first_version, known.last_version);
        found.push(
            Completion::new(CompletionKind::Constant, range, name)
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
        expect!["%l %m %f "].assert_eq(&first(named));
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

    /// What each position of each kind of instruction takes: a line up to the position, and the first proposals.
    #[test]
    fn each_position_takes_its_types() {
        let lines = [
            "%a = OpLoad ",
            "%a = OpLoad %vec4 ",
            "%a = OpLoad %float ",
            "OpStore ",
            "OpStore %out ",
            "OpStore %local ",
            "%a = OpAccessChain ",
            "%a = OpAccessChain %p_uniform_float ",
            "%a = OpAccessChain %p_uniform_float %uniform ",
            "%a = OpAccessChain %p_uniform_float %uniform %c0 ",
            "%a = OpAccessChain %p_uniform_float %uniform %c1 ",
            "%a = OpVectorShuffle %vec2 ",
            "%a = OpVectorShuffle %vec2 %v4 ",
            "%a = OpCompositeExtract %float ",
            "%a = OpCompositeExtract %vec4 ",
            "%a = OpCompositeInsert %s ",
            "%a = OpCompositeInsert %s %f1 ",
            "%a = OpCompositeConstruct %vec4 ",
            "%a = OpCompositeConstruct %vec4 %v2 ",
            "%a = OpCompositeConstruct %vec4 %v3 %f1 ",
            "%a = OpCompositeConstruct %s ",
            "%a = OpCompositeConstruct %s %v4 ",
            "%a = OpCompositeConstruct %mat2 ",
            "%a = OpCopyObject %ivec2 ",
            "%a = OpSelect %vec2 ",
            "%a = OpSelect %vec2 %bv ",
            "%a = OpSelect %vec2 %bv %v2 ",
            "%a = OpPhi %float ",
            "%a = OpPhi %float %f1 ",
            "%a = OpFAdd %vec2 ",
            "%a = OpFAdd %vec2 %v2 ",
            "%a = OpFNegate %float ",
            "%a = OpIAdd %ivec2 ",
            "%a = OpIAdd %int ",
            "%a = OpUDiv %uvec2 ",
            "%a = OpSNegate %int ",
            "%a = OpShiftLeftLogical %ivec2 ",
            "%a = OpShiftLeftLogical %ivec2 %iv ",
            "%a = OpLogicalNot %bool ",
            "%a = OpIEqual %bvec2 ",
            "%a = OpIEqual %bvec2 %iv ",
            "%a = OpFOrdLessThan %bvec2 ",
            "%a = OpFOrdLessThan %bvec2 %v2 ",
            "%a = OpFOrdLessThan %bool ",
            "%a = OpAny %bool ",
            "%a = OpIsNan %bvec2 ",
            "%a = OpDot %float ",
            "%a = OpDot %float %v2 ",
            "%a = OpVectorTimesScalar %vec2 ",
            "%a = OpVectorTimesScalar %vec2 %v2 ",
            "%a = OpMatrixTimesVector %vec2 ",
            "%a = OpMatrixTimesVector %vec2 %m2 ",
            "%a = OpVectorTimesMatrix %vec2 ",
            "%a = OpMatrixTimesScalar %mat2 ",
            "%a = OpMatrixTimesScalar %mat2 %m2 ",
            "%a = OpTranspose %mat2 ",
            "%a = OpOuterProduct %mat2 ",
            "%a = OpFConvert %dvec2 ",
            "%a = OpFConvert %float ",
            "%a = OpConvertFToS %ivec2 ",
            "%a = OpConvertSToF %vec2 ",
            "%a = OpConvertUToF %float ",
            "%a = OpBitcast %ivec2 ",
            "%a = OpBitcast %double ",
            "%a = OpBitcast %float ",
            "%a = OpVectorExtractDynamic %float ",
            "%a = OpVectorExtractDynamic %float %v4 ",
            "%a = OpVectorInsertDynamic %vec4 ",
            "%a = OpSampledImage %sampled ",
            "%a = OpSampledImage %sampled %tex ",
            "%a = OpImageFetch %vec4 ",
            "%a = OpImageFetch %vec4 %tex ",
            "%a = OpImageQuerySizeLod %ivec2 ",
            "%a = OpImageQuerySizeLod %ivec2 %tex ",
            "%a = OpImageSampleImplicitLod %vec4 ",
            "%a = OpAtomicIAdd %uint ",
            "%a = OpAtomicIAdd %uint %counter ",
            "%a = OpAtomicIAdd %uint %counter %c1 ",
            "%a = OpAtomicIAdd %uint %counter %c1 %c0 ",
            "OpAtomicStore ",
            "OpControlBarrier ",
            "%a = OpFunctionCall ",
            "%a = OpFunctionCall %float ",
            "%a = OpFunctionCall %float %half ",
            "%a = OpFunctionCall %float %half %f1 ",
            "%a = OpExtInst %float ",
            "%a = OpExtInst %float %set FAbs ",
            "%a = OpExtInst %vec2 %set FMix ",
            "%a = OpExtInst %vec2 %set FMix %v2 ",
            "%a = OpExtInst %int %set SAbs ",
            "%a = OpExtInst %float %set Length ",
            "%a = OpExtInst %uint %set PackHalf2x16 ",
            "OpBranch ",
            "OpBranchConditional ",
            "OpBranchConditional %true ",
            "OpBranchConditional %true %then ",
            "OpSelectionMerge ",
            "OpSwitch ",
            "OpSwitch %i1 ",
            "OpReturnValue ",
            "OpCopyMemory ",
            "OpCopyMemory %local ",
            "%a = OpTypeArray ",
            "%a = OpTypeArray %float ",
            "%a = OpTypeVector ",
            "%a = OpTypeMatrix ",
            "%a = OpTypeSampledImage ",
            "%a = OpTypePointer Function ",
            "%a = OpTypeFunction ",
            "%a = OpConstantComposite %vec2 ",
            "%a = OpConstantComposite %s ",
            "%a = OpConstantNull ",
            "%a = OpVariable ",
            "%a = OpVariable %p_local Function ",
            "OpName ",
            "OpDecorate ",
            "OpMemberDecorate ",
            "OpMemberDecorate %s ",
            "OpLine ",
            "OpEntryPoint Fragment ",
            "OpEntryPoint Fragment %main \"main\" ",
            "OpExecutionMode ",
            "OpExecutionMode %main ",
            "OpMemoryModel ",
            "OpCapability ",
            "%a = OpSpecConstantOp %int ",
            "OpUnreach",
            "OpImageWr",
            "%",
        ];
        let module = include_str!("testdata/positions.spvasm");
        let mut shown = String::new();
        for line in lines {
            let found = at_cursor(
                Dialect::Spirv,
                &module.replacen("$0", &format!("{line}$0"), 1),
                features::complete,
            );
            let labels: Vec<&str> = found.items.iter().take(7).map(|item| item.label.as_str()).collect();
            shown += &format!("{}: {}\n", line.trim_end(), labels.join(" "));
        }
        expect![[r#"
            %a = OpLoad: %image %vec4 %s %arr %p_uniform_float %sampled %sampler
            %a = OpLoad %vec4: %in %out
            %a = OpLoad %float: %local
            OpStore: %local %out
            OpStore %out: %v4
            OpStore %local: %f1
            %a = OpAccessChain: %p_uniform_float %p_local %p_uint %p_image %p_out %p_uniform %p_in
            %a = OpAccessChain %p_uniform_float: %uniform
            %a = OpAccessChain %p_uniform_float %uniform: OpBranch %i1 %c1 OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue
            %a = OpAccessChain %p_uniform_float %uniform %c0: %c0 %c2 OpBranch %c1 %i1 OpBranchConditional OpSelectionMerge
            %a = OpAccessChain %p_uniform_float %uniform %c1: OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn OpLoopMerge
            %a = OpVectorShuffle %vec2: %v4 %v2 %v3
            %a = OpVectorShuffle %vec2 %v4: %v4 %v2 %v3
            %a = OpCompositeExtract %float: %list %v2 %v4 %pair %m2 %v3
            %a = OpCompositeExtract %vec4: %pair
            %a = OpCompositeInsert %s: %pair %tex %list %v2 %v4 %dv %f1
            %a = OpCompositeInsert %s %f1: %pair
            %a = OpCompositeConstruct %vec4: %v2 %v4 %f1 %v3 OpBranch OpBranchConditional OpSelectionMerge
            %a = OpCompositeConstruct %vec4 %v2: %v2 OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpCompositeConstruct %vec4 %v3 %f1: OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn OpLoopMerge
            %a = OpCompositeConstruct %s: %v4 OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpCompositeConstruct %s %v4: %f1 OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpCompositeConstruct %mat2: %v2 OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpCopyObject %ivec2: %iv
            %a = OpSelect %vec2: %bv
            %a = OpSelect %vec2 %bv: %v2
            %a = OpSelect %vec2 %bv %v2: %v2
            %a = OpPhi %float: %f1 OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpPhi %float %f1: %join %then %entry OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd
            %a = OpFAdd %vec2: %v2
            %a = OpFAdd %vec2 %v2: %v2
            %a = OpFNegate %float: %f1
            %a = OpIAdd %ivec2: %uv %iv
            %a = OpIAdd %int: %c2 %i1 %c0 %c1
            %a = OpUDiv %uvec2: %uv
            %a = OpSNegate %int: %c2 %i1 %c0 %c1
            %a = OpShiftLeftLogical %ivec2: %uv %iv
            %a = OpShiftLeftLogical %ivec2 %iv: %iv %uv
            %a = OpLogicalNot %bool: %true
            %a = OpIEqual %bvec2: %uv %iv
            %a = OpIEqual %bvec2 %iv: %iv %uv
            %a = OpFOrdLessThan %bvec2: %v2 %dv
            %a = OpFOrdLessThan %bvec2 %v2: %v2
            %a = OpFOrdLessThan %bool: %f1 %d1
            %a = OpAny %bool: %bv
            %a = OpIsNan %bvec2: %v2 %dv
            %a = OpDot %float: %f1 %tex %list %v2 %v4 %pair %dv
            %a = OpDot %float %v2: %v2
            %a = OpVectorTimesScalar %vec2: %v2
            %a = OpVectorTimesScalar %vec2 %v2: %f1
            %a = OpMatrixTimesVector %vec2: %v2 %tex %list %v4 %pair %dv %f1
            %a = OpMatrixTimesVector %vec2 %m2: %v2
            %a = OpVectorTimesMatrix %vec2: %v2 %tex %list %v4 %pair %dv %f1
            %a = OpMatrixTimesScalar %mat2: %m2 %tex %list %v2 %v4 %pair %dv
            %a = OpMatrixTimesScalar %mat2 %m2: %f1
            %a = OpTranspose %mat2: %m2
            %a = OpOuterProduct %mat2: %m2 %tex %list %v2 %v4 %pair %dv
            %a = OpFConvert %dvec2: %v2
            %a = OpFConvert %float: %d1
            %a = OpConvertFToS %ivec2: %v2 %dv
            %a = OpConvertSToF %vec2: %uv %iv
            %a = OpConvertUToF %float: %c2 %i1 %c0 %c1
            %a = OpBitcast %ivec2: %v2 %uv %iv %texture %local %in %out
            %a = OpBitcast %double: %v2 %uv %iv %d1
            %a = OpBitcast %float: %f1 %c2 %i1 %c0 %c1
            %a = OpVectorExtractDynamic %float: %v2 %v4 %v3
            %a = OpVectorExtractDynamic %float %v4: %c2 %i1 %c0 %c1
            %a = OpVectorInsertDynamic %vec4: %v4 %tex %list %v2 %pair %dv %f1
            %a = OpSampledImage %sampled: %tex
            %a = OpSampledImage %sampled %tex: 
            %a = OpImageFetch %vec4: %tex
            %a = OpImageFetch %vec4 %tex: %uv %iv
            %a = OpImageQuerySizeLod %ivec2: %tex
            %a = OpImageQuerySizeLod %ivec2 %tex: %c2 %i1 %c0 %c1
            %a = OpImageSampleImplicitLod %vec4: 
            %a = OpAtomicIAdd %uint: %counter
            %a = OpAtomicIAdd %uint %counter: %c2 %i1 %c0 %c1
            %a = OpAtomicIAdd %uint %counter %c1: %c1 %c2 %c0 %i1
            %a = OpAtomicIAdd %uint %counter %c1 %c0: %c0 %c1 %c2
            OpAtomicStore: %texture %local %in %out
            OpControlBarrier: %c2 %i1 %c0 %c1
            %a = OpFunctionCall: %image %s %arr %p_uniform_float %sampled %sampler %dvec2
            %a = OpFunctionCall %float: %half %main
            %a = OpFunctionCall %float %half: %f1 OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpFunctionCall %float %half %f1: OpBranch %i1 OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpExtInst %float: %set
            %a = OpExtInst %float %set FAbs: %f1
            %a = OpExtInst %vec2 %set FMix: %v2
            %a = OpExtInst %vec2 %set FMix %v2: %v2
            %a = OpExtInst %int %set SAbs: %c2 %c0 %c1 %i1
            %a = OpExtInst %float %set Length: %f1 %v3 %v4 %v2
            %a = OpExtInst %uint %set PackHalf2x16: %v2
            OpBranch: %join %then %entry
            OpBranchConditional: %true
            OpBranchConditional %true: %then %join %entry
            OpBranchConditional %true %then: %join %then %entry
            OpSelectionMerge: %join %then %entry
            OpSwitch: %c2 %i1 %c0 %c1
            OpSwitch %i1: %join %then %entry
            OpReturnValue: 
            OpCopyMemory: %texture %local %in %out
            OpCopyMemory %local: %local
            %a = OpTypeArray: %float %image %s %arr %p_uniform_float %sampled %sampler
            %a = OpTypeArray %float: %c2 %i1 %c0 %c1
            %a = OpTypeVector: %float %int %image %uint %bool %double %s
            %a = OpTypeMatrix: %vec2 %dvec2 %bvec2 %uvec2 %ivec2 %vec4 %vec3
            %a = OpTypeSampledImage: %image
            %a = OpTypePointer Function: %float %image %s %arr %vec4 %p_uniform_float %sampled
            %a = OpTypeFunction: %float %void %image %s %arr %p_uniform_float %sampled
            %a = OpConstantComposite %vec2: %f1 OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn
            %a = OpConstantComposite %s: OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn OpLoopMerge
            %a = OpConstantNull: %image %s %arr %p_uniform_float %sampled %sampler %dvec2
            %a = OpVariable: %p_local %p_uint %p_image %p_uniform %p_out %p_in %p_uniform_float
            %a = OpVariable %p_local Function: OpBranch OpBranchConditional OpSelectionMerge OpFunctionEnd OpReturnValue OpReturn OpLoopMerge
            OpName: %join %tex %list %then %pair %dv %bv
            OpDecorate: %join %tex %list %then %pair %dv %bv
            OpMemberDecorate: %s
            OpMemberDecorate %s: 1 0
            OpLine: %file
            OpEntryPoint Fragment: %main %half
            OpEntryPoint Fragment %main "main": %in %texture OpBranch OpBranchConditional %out OpSelectionMerge OpFunctionEnd
            OpExecutionMode: %main %half
            OpExecutionMode %main: OriginUpperLeft DepthGreater DepthLess DepthReplacing DepthUnchanged EarlyAndLateFragmentTestsAMD EarlyFragmentTests
            OpMemoryModel: Logical Physical32 Physical64 PhysicalStorageBuffer64
            OpCapability: AbortKHR Addresses ArbitraryPrecisionFixedPointALTERA ArbitraryPrecisionFloatingPointALTERA ArbitraryPrecisionIntegersALTERA ArithmeticFenceEXT AsmINTEL
            %a = OpSpecConstantOp %int: AccessChain Bitcast BitwiseAnd BitwiseOr BitwiseXor CompositeExtract CompositeInsert
            OpUnreach: OpUnreachable OpRayQueryGetIntersectionBarycentricsKHR OpRayQueryGetIntersectionFrontFaceKHR OpRayQueryGetIntersectionInstanceCustomIndexKHR OpRayQueryGetIntersectionInstanceIdKHR OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR OpRayQueryGetIntersectionObjectRayDirectionKHR
            OpImageWr: OpImageWrite OpSubgroupImageBlockWriteINTEL OpSubgroupImageMediaBlockWriteINTEL
            %: %1
        "#]].assert_eq(&shown);
    }
}
