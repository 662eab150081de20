//! Inlay hints in SPIR-V assembly: what a number stands for, what an access chain selects, what a block is for.

use wavelens_base::TextRange;
use wavelens_spirv::code::Id;
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::flat::{FlatOperand, Form, NONE};
use wavelens_spirv::ops;
use wavelens_spirv::type_names::debug_name;
use wavelens_syntax::spirv::tables::{Decoration, Kind, Op};

use super::paths::{path, path_to};
use super::place::module;
use super::{Cx, labels, literals};
use crate::answers::{Hint, HintKind};
use crate::spirv::fold::constant_value;

/// The hints in the chunk.
pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    let m = module(cx);
    let flat = &cx.lowered.flat;
    // Names already say what they are; numbers do not.
    let names: Vec<Option<(String, HintKind)>> = m
        .ids
        .iter()
        .zip(0..)
        .map(|(id, local)| {
            if !flat.names.starts_with_digit(local) || *id == NONE {
                return None;
            }
            if let Some(value) = constant_value(&m, *id) {
                return Some((value, HintKind::Note));
            }
            let named = debug_name(&m, *id).or_else(|| bound_name(&m, *id)).map(|n| (n, HintKind::Note));
            let named = named.or_else(|| Some((path_to(&m, *id)?, HintKind::Access)));
            named.or_else(|| ops::generates_type(m.op(*id)).then(|| (m.type_name(*id), HintKind::Type)))
        })
        .collect();
    let of_operand = |o: &FlatOperand, range: TextRange| {
        let id = m.ids.get(o.value as usize).copied().unwrap_or(NONE);
        if let Some(label) = literals::named_value(&m, o.kind, id) {
            return Some(Hint::new(range.end(), label, HintKind::Note));
        }
        let (label, kind) = names.get(o.value as usize)?.as_ref()?;
        let label: String = label.chars().take(32).collect();
        Some(Hint::new(range.end(), label, *kind).minor_if(true))
    };
    let operands = flat.operands.iter().zip(&cx.lowered.operand_ranges);
    let operands = operands.filter(|(o, _)| o.form == Form::Id && o.kind != Kind::ResultId);
    let mut hints: Vec<Hint> = operands.filter_map(|(o, range)| of_operand(o, *range)).collect();
    let end = |index: u32| Some(cx.lowered.inst_ranges.get(index as usize)?.end());
    for index in 0..flat.insts.len() as u32 {
        let Some(inst) = m.inst(m.first + index).filter(|inst| inst.is_whole()) else { continue };
        literals::hints(cx, &m, index as usize, inst, &mut hints);
        let Some(end) = end(index) else { continue };
        if let Some(path) = path(&m, inst) {
            hints.push(Hint::new(end, path, HintKind::Access));
        }
        if inst.op() == Op::SpecConstantOp
            && let Some(value) = constant_value(&m, inst.id())
        {
            hints.push(Hint::new(end, format!("= {value}"), HintKind::Note));
        }
    }
    for (at, text) in labels::labels(&m) {
        if let Some(end) = end(at - m.first) {
            hints.extend(text.hints(end));
        }
    }
    hints.sort_by_key(|h| h.offset);
    hints
}

/// What stands for a name: the built-in or the location of a variable, the set that is imported.
fn bound_name(m: &RuleContext<'_>, id: Id) -> Option<String> {
    let def = m.def(id)?;
    if def.op() == Op::ExtInstImport {
        return Some(def.string(1).to_string());
    }
    let decorations = m.decorations(id);
    let own = decorations.iter().filter(|d| d.member.is_none());
    own.into_iter().find_map(|d| {
        let value = m.scope.params(d).first().copied()?;
        match d.kind {
            Decoration::BuiltIn => Kind::BuiltIn.valued(value).map(|e| e.name.to_owned()),
            Decoration::Location => Some(format!("location {value}")),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, TextRange, TextSize};

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn numbers_say_what_they_stand_for() {
        let text = include_str!("testdata/view.spvasm");
        let shown = at_cursor(Dialect::Spirv, text, |view, _| {
            let mut hints = features::hints(view, TextRange::up_to(TextSize::of(text)));
            hints.sort_by_key(|h| std::cmp::Reverse(h.offset));
            let mut shown = text.to_owned();
            for hint in hints {
                shown.insert_str(usize::from(hint.offset), &format!(" <{}>", hint.label));
            }
            let lines = shown.lines().filter(|l| l.contains(" <") && !l.contains("Decorate"));
            lines.map(|l| format!("{}\n", l.trim_start())).collect::<String>()
        });
        expect![[r#"
            OpEntryPoint Vertex %4 <main> "main" %5 <Position> %6 <location 0>
            OpName %4 <main> "main"
            %3 = OpTypeFunction %2 <void>
            %8 = OpTypeVector %7 <float> 4
            %9 = OpTypeMatrix %8 <vec4> 4
            %10 = OpTypeInt 32 0 <unsigned>
            %11 = OpConstant %10 <uint> 4
            %arr = OpTypeArray %8 <vec4> %11 <ArrayStride 16> <4>
            %View = OpTypeStruct %9 <m, ColMajor, Offset 0, MatrixStride 16> <mat4> %arr <Block> <lights, Offset 64>
            %view = OpVariable %12 <ptr Uniform struct View> Uniform <DescriptorSet 0, Binding 2>
            %13 = OpTypePointer Output %8 <vec4>
            %5 = OpVariable %13 <ptr Output vec4> Output <BuiltIn Position>
            %14 = OpTypePointer Input %8 <vec4>
            %6 = OpVariable %14 <ptr Input vec4> Input <Location 0>
            %15 = OpTypeInt 32 1 <signed>
            %16 = OpConstant %15 <int> 0
            %17 = OpTypePointer Uniform %9 <mat4>
            %20 = OpSpecConstant %10 <uint> 3 <SpecId 7>
            %21 = OpSpecConstantOp %10 <uint> IMul %20 <3> %11 <= 12> <4>
            %22 = OpConstant %7 <float> 0.5
            %23 = OpConstantComposite %8 <vec4> %22 <0.5> %22 <0.5> %22 <0.5> %22 <0.5>
            %4 = OpFunction %2 <void> None %3 <void()>
            %25 = OpLoad %8 <vec4> %6 <location 0>
            %26 = OpAccessChain %17 <ptr Uniform mat4> %view %16 <view.m> <0>
            %27 = OpLoad %9 <mat4> %26 <view.m>
            %28 = OpMatrixTimesVector %8 <vec4> %27 %25
            %29 = OpExtInst %8 <vec4> %1 <GLSL.std.450> FMax %28 %23 <vec4(0.5, 0.5, 0.5, 0.5)>
            OpStore %5 <Position> %29
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn chains_and_labels_in_words() {
        let text = "\
OpName %u \"u\"
OpName %S \"Light\"
OpMemberName %S 0 \"pos\"
OpMemberName %S 1 \"col\"
OpMemberName %U 0 \"lights\"
OpMemberDecorate %U 0 Offset 0
OpName %i \"i\"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%float = OpTypeFloat 32
%vec = OpTypeVector %float 4
%int = OpTypeInt 32 1
%c1 = OpConstant %int 1
%c4 = OpConstant %int 4
%c264 = OpConstant %int 264
%S = OpTypeStruct %vec %vec
%arr = OpTypeArray %S %c4
%U = OpTypeStruct %arr
%pU = OpTypePointer Uniform %U
%pF = OpTypePointer Uniform %float
%pV = OpTypePointer Uniform %vec
%pI = OpTypePointer Function %int
%img = OpTypeImage %float 2D 0 1 0 2 Rgba8
%c0 = OpConstant %int 0
%u = OpVariable %pU Uniform
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpVariable %pI Function
%n = OpLoad %int %i
OpBranch %head
%head = OpLabel
OpLoopMerge %exit %cont None
OpBranch %body
%body = OpLabel
%100 = OpAccessChain %pV %u %c0 %n %c1
%101 = OpAccessChain %pF %100 %c1
%102 = OpLoad %vec %100
%103 = OpCompositeExtract %float %102 2
%104 = OpVectorShuffle %vec %102 %102 0 5 4294967295 1
OpMemoryBarrier %c1 %c264
OpSelectionMerge %join None
OpSwitch %n %join 7 %join
%join = OpLabel
OpBranch %cont
%cont = OpLabel
OpBranchConditional %true %head %exit
%exit = OpLabel
OpReturn
OpFunctionEnd
";
        let shown = at_cursor(Dialect::Spirv, text, |view, _| {
            let mut hints = features::hints(view, TextRange::up_to(TextSize::of(text)));
            hints.sort_by_key(|h| std::cmp::Reverse(h.offset));
            let mut shown = text.to_owned();
            for hint in hints {
                shown.insert_str(usize::from(hint.offset), &format!("«{}»", hint.label));
            }
            shown.lines().filter(|l| l.contains('«')).map(|l| format!("{l}\n")).collect::<String>()
        });
        expect![[r#"
            OpMemberDecorate %U 0«lights» Offset 0
            %int = OpTypeInt 32 1«signed»
            %S = OpTypeStruct %vec«pos» %vec«col»
            %U = OpTypeStruct %arr«lights, Offset 0»
            %img = OpTypeImage %float 2D 0 1 0 2 Rgba8«not depth, arrayed, single-sampled, storage»
            %head = OpLabel«loop header, depth 1»«← %entry, %cont»
            %body = OpLabel«loop depth 1»«← %head»
            %100 = OpAccessChain %pV %u %c0 %n %c1«u.lights[i].col»
            %101 = OpAccessChain %pF %100«u.lights[i].col» %c1«u.lights[i].col.y»
            %102 = OpLoad %vec %100«u.lights[i].col»
            %103 = OpCompositeExtract %float %102 2«%102.z»
            %104 = OpVectorShuffle %vec %102 %102 0 5 4294967295 1«%102.x, %102.y, undefined, %102.y»
            OpMemoryBarrier %c1«Device» %c264«AcquireRelease | WorkgroupMemory»
            OpSwitch %n «default:»%join «case»7 %join
            %join = OpLabel«merge of the selection at %body, loop depth 1»«← %body»
            %cont = OpLabel«continue target of the loop at %head, loop depth 1»«← %join»
            %exit = OpLabel«merge of the loop at %head»«← %cont»
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn specialization_constants_fold_to_their_defaults() {
        let text = "\
%1 = OpTypeInt 32 0
%2 = OpTypeInt 32 1
%3 = OpTypeBool
%4 = OpTypeVector %2 2
%5 = OpSpecConstant %1 6
%6 = OpConstant %1 7
%7 = OpConstant %2 -7
%8 = OpConstant %2 2
%9 = OpSpecConstantOp %1 IMul %5 %6
%10 = OpSpecConstantOp %3 ULessThan %9 %6
%11 = OpSpecConstantOp %2 Select %10 %7 %8
%12 = OpConstantComposite %4 %7 %8
%13 = OpSpecConstantOp %4 IAdd %12 %12
%14 = OpSpecConstantOp %2 CompositeExtract %13 0
%15 = OpSpecConstantOp %2 SMod %7 %8
%16 = OpSpecConstantOp %2 UDiv %7 %5
%17 = OpConstantNull %4
%99 = OpTypeStruct %9 %10 %11 %12 %13 %14 %15 %16 %17
";
        // The hints after the names in the last line.
        let hints = at_cursor(Dialect::Spirv, text, |view, _| {
            let at = TextSize::new(text.find("OpTypeStruct").unwrap_or(0) as u32);
            let hints = features::hints(view, TextRange::new(at, TextSize::of(text)));
            let last = hints.into_iter().filter(|h| h.offset > at);
            last.map(|h| format!("{}\n", h.label)).collect::<String>()
        });
        expect![[r#"
            42
            false
            2
            ivec2(-7, 2)
            ivec2(-14, 4)
            -14
            1
            715827881
            ivec2(0)
        "#]]
        .assert_eq(&hints);
    }
}
