//! Random edits leave the incremental tree and findings equal to those from scratch.

use wavelens_base::{Dialect, Options, TextRange, TextSize};
use wavelens_ide::{Checked, Database, Document, Edit};
use wavelens_tests::random::{self, Random};
use wavelens_tests::{examples, macros, properties};

/// Edits `text` and undoes some edits; compares after each `stride`-th.
fn survive_edits(dialect: Dialect, text: &str, edits: usize, stride: usize) {
    let mut random = Random::new(edits as u64);
    let mut db = Database::default();
    let mut document = Document::new(&mut db, dialect, text, Options::default());
    let mut checked = Checked::default();
    let mut text = text.to_owned();
    let limit = text.len() * 2 + 1000;
    let original = text.clone();
    for step in 0..edits {
        let edit = random::edit(&mut random, &text);
        let before = text.clone();
        text.replace_range(edit.range.clone(), &edit.text);
        let range = |r: std::ops::Range<usize>| {
            TextRange::new(TextSize::new(r.start as u32), TextSize::new(r.end as u32))
        };
        let new_range = edit.range.start..edit.range.start + edit.text.len();
        document.edit(&mut db, &Edit { range: range(edit.range.clone()), text: edit.text });
        if random.below(4) == 0 {
            let undo = Edit { range: range(new_range), text: before[edit.range].to_owned() };
            document.edit(&mut db, &undo);
            text = before;
        }
        if text.len() > limit {
            text.clone_from(&original);
            document.set_text(&mut db, &text);
        }
        if step % stride == 0 {
            properties::equals_scratch(&mut db, &mut document, &mut checked, dialect, &text);
        }
    }
}

fn survive(dialect: Dialect) {
    let texts = examples(dialect);
    assert!(!texts.is_empty(), "no example of {dialect}");
    for text in &texts {
        survive_edits(dialect, text, 10_000 / texts.len(), 20);
    }
}

#[test]
fn llvm() {
    survive(Dialect::Llvm);
}

#[test]
fn mir() {
    survive(Dialect::Mir);
}

#[test]
fn spirv() {
    survive(Dialect::Spirv);
}

#[test]
fn amdgpu() {
    survive(Dialect::Amdgpu);
}

#[test]
fn many_small_functions() {
    let llvm = |n| format!("define i32 @f{n}(i32 %x) {{\n  %y = add i32 %x, {n}\n  ret i32 %y\n}}\n\n");
    let mir = |n| {
        format!(
            "---\nname: f{n}\nbody: |\n  bb.0:\n    %0:_(s32) = G_CONSTANT i32 {n}\n    S_ENDPGM 0\n...\n"
        )
    };
    survive_edits(Dialect::Llvm, &(0..200).map(llvm).collect::<String>(), 1000, 20);
    survive_edits(Dialect::Mir, &(0..200).map(mir).collect::<String>(), 1000, 20);
}

#[test]
fn a_large_machine_function() {
    let register = |n| format!("  - {{ id: {n}, class: vgpr_32 }}\n");
    let instruction =
        |n| format!("    %{n}:vgpr_32 = V_ADD_U32_e32 %{}, %{}, implicit $exec\n", n - 1, n / 2);
    let registers: String = (0..500).map(register).collect();
    let body: String = (1..500).map(instruction).collect();
    let text = format!(
        "---\nname: f\ntracksRegLiveness: true\nregisters:\n{registers}body: |\n  bb.0:\n    liveins: $vgpr0\n\n    %0:vgpr_32 = COPY $vgpr0\n{body}    S_ENDPGM 0\n...\n"
    );
    survive_slips(Dialect::Mir, &text, 100);
}

#[test]
fn a_large_machine_function_with_blocks() {
    let block = |n: usize| {
        format!(
            "  bb.{n}:\n    successors: %bb.{next}\n    liveins: $vgpr0, $sgpr0_sgpr1\n\n    %{v}:vgpr_32 = COPY $vgpr0 ; copied\n    \
             %{w}:vgpr_32 = V_ADD_U32_e32 %{v}, %{v}, implicit $exec\n    \
             GLOBAL_STORE_DWORD_SADDR %{v}, %{w}, $sgpr0_sgpr1, 0, 0, implicit $exec :: (store (s32), addrspace 1)\n    \
             BUNDLE implicit-def $sgpr4, implicit-def $scc {{\n      $sgpr4 = S_ADD_I32 1, {n}, implicit-def $scc\n      S_NOP 0\n    }}\n    \
             S_BRANCH %bb.{next}\n\n",
            next = n + 1,
            v = 2 * n,
            w = 2 * n + 1,
        )
    };
    let blocks: String = (0..90).map(block).collect();
    let text =
        format!("---\nname: f\ntracksRegLiveness: true\nbody: |\n{blocks}  bb.90:\n    S_ENDPGM 0\n...\n");
    survive_slips(Dialect::Mir, &text, 100);
}

/// Slips, with few at a time so that the file keeps its meaning, and each fixed later. Every state is compared.
fn survive_slips(dialect: Dialect, text: &str, slips: usize) {
    let mut random = Random::new(slips as u64);
    let mut db = Database::default();
    let mut document = Document::new(&mut db, dialect, text, Options::default());
    let mut checked = Checked::default();
    properties::equals_scratch(&mut db, &mut document, &mut checked, dialect, text);
    let mut states = vec![text.to_owned()];
    for _ in 0..slips {
        let before = states.last().expect("one at least").clone();
        let (edit, after) = if states.len() > 1 + random.below(4) {
            states.pop();
            let after = states.last().expect("one at least").clone();
            (difference(&before, &after), after)
        } else {
            let slip = random::slip(&mut random, &before);
            let mut after = before.clone();
            after.replace_range(slip.range.clone(), &slip.text);
            states.push(after.clone());
            (difference(&before, &after), after)
        };
        document.edit(&mut db, &edit);
        if random.below(2) == 0 {
            // What is known afterwards may be up to date in part.
            checked.findings_around(&db, document.file(), edit.range.start(), 1);
        }
        properties::equals_scratch(&mut db, &mut document, &mut checked, dialect, &after);
    }
}

/// The edit that makes one text the other.
fn difference(old: &str, new: &str) -> Edit {
    let front = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - front;
    let back = old.bytes().rev().zip(new.bytes().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let range = TextRange::new(TextSize::new(front as u32), TextSize::new((old.len() - back) as u32));
    Edit { range, text: new[front..new.len() - back].to_owned() }
}

#[test]
fn amdgpu_with_few_macros() {
    survive_slips(Dialect::Amdgpu, &macros::few(1200), 40);
}

#[test]
fn amdgpu_with_many_macros() {
    survive_slips(Dialect::Amdgpu, &macros::many(1200), 40);
}

#[test]
fn amdgpu_with_macros_by_hand() {
    survive_slips(Dialect::Amdgpu, &macros::by_hand(1200), 40);
}

/// Functions that call each other and use variables, with names and decorations of what their bodies define.
fn spirv_functions(count: usize) -> String {
    let mut text = "OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %f0 \"main\" %g
OpExecutionMode %f0 LocalSize 1 1 1
"
    .to_owned();
    text.extend((0..count).step_by(2).map(|n| format!("OpName %v{n} \"v{n}\"\n")));
    text.extend((0..count).step_by(3).map(|n| format!("OpDecorate %v{n} RelaxedPrecision\n")));
    text += "OpDecorate %g Binding 0
OpDecorate %g DescriptorSet 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%one = OpConstant %float 1
%private = OpTypePointer Private %float
%physical = OpTypePointer PhysicalStorageBuffer %float
%g = OpVariable %private Private
%h = OpVariable %private Private
";
    text.extend((0..count).map(|n| {
        format!(
            "%f{n} = OpFunction %void None %fn
%l{n} = OpLabel
%v{n} = OpFAdd %float %one %one
%w{n} = OpFMul %float %v{n} %one
OpStore %g %w{n}
%p{n} = OpUndef %physical
%c{n} = OpFunctionCall %void %f{}
OpReturn
OpFunctionEnd
",
            n + 1
        )
    }));
    text + &format!("%f{count} = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n")
}

#[test]
fn spirv_with_names_in_bodies() {
    survive_slips(Dialect::Spirv, &spirv_functions(30), 300);
}

#[test]
fn many_small_functions_of_spirv() {
    survive_edits(Dialect::Spirv, &spirv_functions(40), 400, 5);
}
