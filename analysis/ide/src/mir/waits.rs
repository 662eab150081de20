//! The counters in the operand of AMDGPU's `S_WAITCNT`.

use wavelens_amdgpu::wait_counters::waitcnt_fields;
use wavelens_isa::{Counter, Generation, Target};
use wavelens_mir::model::{Function, Instruction};

use super::Cx;

/// `vmcnt(0) lgkmcnt(1)` of `S_WAITCNT 3952`, where the processor is known.
pub(super) fn fields(cx: &Cx<'_>, f: &Function, inst: &Instruction) -> Option<String> {
    if f.opcode_text(inst) != "S_WAITCNT" {
        return None;
    }
    let bits = u32::try_from(f.operands_of(inst).first()?.immediate()?).ok()?;
    let own = cx.scope.functions.get(&f.properties.name.text);
    let target =
        Target::named(cx.scope.cpu_of(own)?).filter(|target| target.generation() != Generation::Unnamed)?;
    let fields = waitcnt_fields(target, bits);
    let names = [("vmcnt", Counter::Vm), ("expcnt", Counter::Exp), ("lgkmcnt", Counter::Lgkm)];
    let shown = names.into_iter().filter_map(|(name, counter)| {
        let (_, left) = fields.iter().find(|(own, _)| *own == counter)?;
        Some(format!("{name}({left})"))
    });
    let shown: Vec<String> = shown.collect();
    Some(if shown.is_empty() { "waits for nothing".to_owned() } else { shown.join(" ") })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, TextRange, TextSize};

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn waits_and_labels_have_hints() {
        let text = "# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass none %s\n---\nname: f\nbody: |\n  bb.0:\n    S_WAITCNT 3952\n  bb.1:\n    S_WAITCNT 65535\n    S_CBRANCH_SCC1 %bb.1, implicit $scc\n  bb.2:\n  ; predecessors: %bb.1\n    S_ENDPGM 0\n...\n";
        let shown = at_cursor(Dialect::Mir, text, |view, _| {
            let mut shown = text.to_owned();
            let hints = features::hints(view, TextRange::up_to(TextSize::of(text)));
            for hint in hints.into_iter().rev() {
                shown.insert_str(usize::from(hint.offset), &format!("«{}»", hint.label));
            }
            shown.lines().filter(|l| l.contains('«')).map(|l| format!("{}\n", l.trim())).collect::<String>()
        });
        expect![[r#"
            S_WAITCNT 3952«vmcnt(0)»
            bb.1:«← %bb.0, %bb.1»«loop header, depth 1»
            S_WAITCNT 65535«waits for nothing»
        "#]]
        .assert_eq(&shown);
    }
}
