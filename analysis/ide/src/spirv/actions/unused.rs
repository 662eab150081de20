//! Removes ids that nothing uses.

use wavelens_base::{TextEdit, TextRange};
use wavelens_check::dialect::Lowered;
use wavelens_spirv::flat::{Flat, FlatInst, Form, NONE};
use wavelens_spirv::ops;
use wavelens_syntax::spirv::tables::Op;

use super::Here;
use crate::answers::Action;

/// Removes what defines the id at the cursor, with its names and decorations, if nothing else mentions it.
pub(super) fn action(here: &Here<'_>) -> Option<Action> {
    let flat = &here.cx.lowered.flat;
    let raw = flat.insts.get(here.index)?;
    let name = flat.names.get(raw.result as usize).filter(|_| raw.result != NONE)?;
    if !is_pure(raw.op) {
        return None;
    }
    let mut edits = vec![removal(here.cx.text, here.range()).map_range(here.cx.start())];
    for (index, chunk) in here.cx.view.chunks().iter().enumerate() {
        let Lowered::Spirv(lowered) = here.cx.view.lowered(*chunk) else { continue };
        let other = &lowered.flat;
        let Some(local) = other.names.iter().position(|n| n.hash == name.hash) else { continue };
        for (item, inst) in other.insts.iter().enumerate() {
            if index == here.cx.index && item == here.index || !mentions(other, inst, local as u32) {
                continue;
            }
            if !describes(other, inst, local as u32) {
                return None;
            }
            let range = *lowered.inst_ranges.get(item)?;
            edits.push(removal(here.cx.view.text(*chunk), range).map_range(here.cx.view.start(index)));
        }
    }
    Some(Action::in_file(format!("Remove the unused `%{}`", flat.name(raw.result)), edits))
}

fn mentions(flat: &Flat, inst: &FlatInst, local: u32) -> bool {
    flat.operands_of(inst).iter().any(|o| o.form == Form::Id && o.value == local)
}

/// Whether an instruction only names or decorates the id, and goes with it.
fn describes(flat: &Flat, inst: &FlatInst, local: u32) -> bool {
    let names = matches!(
        inst.op,
        Op::Name
            | Op::MemberName
            | Op::Decorate
            | Op::DecorateId
            | Op::DecorateString
            | Op::MemberDecorate
            | Op::MemberDecorateString
    );
    let first = flat.operands_of(inst).first().is_some_and(|o| o.form == Form::Id && o.value == local);
    let others = flat.operands_of(inst).iter().skip(1).any(|o| o.form == Form::Id && o.value == local);
    names && first && !others
}

/// Whether an instruction does nothing but make its result.
fn is_pure(op: Op) -> bool {
    ops::generates_type(op)
        || matches!(op, Op::String | Op::ExtInstImport | Op::Variable | Op::Undef | Op::CopyObject | Op::Phi)
        || op.info().is_some_and(|i| {
            matches!(
                i.class,
                "Constant-Creation"
                    | "Conversion"
                    | "Composite"
                    | "Arithmetic"
                    | "Bit"
                    | "Relational_and_Logical"
            )
        })
}

struct Removal(TextRange);

impl Removal {
    fn map_range(self, start: wavelens_base::TextSize) -> TextEdit {
        TextEdit { range: self.0 + start, text: String::new() }
    }
}

/// The whole line of an instruction if it stands alone on it.
fn removal(text: &str, range: TextRange) -> Removal {
    let (start, end) = (usize::from(range.start()), usize::from(range.end()));
    let before = text.get(..start).unwrap_or("");
    let line = before.rfind('\n').map_or(0, |n| n + 1);
    let after = text.get(end..).unwrap_or("");
    let rest = after.split_inclusive('\n').next().unwrap_or("");
    let is_alone = text.get(line..start).unwrap_or("x").trim().is_empty()
        && (rest.trim().is_empty() || rest.trim_start().starts_with(';'));
    match is_alone {
        true => Removal(TextRange::new((line as u32).into(), ((end + rest.len()) as u32).into())),
        false => Removal(range),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::check;

    #[test]
    fn names_and_decorations_go_too() {
        check(
            "Remove",
            "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpName %x \"x\"\nOpDecorate %x SpecId 1\n%1 = OpTypeInt 32 0\n%$0x = OpSpecConstant %1 7 ; gone\n%y = OpConstant %1 8\n",
            expect![[r#"
                [Rewrite] Remove the unused `%x`
                ---
                OpCapability Shader
                OpCapability Linkage
                OpMemoryModel Logical GLSL450
                %1 = OpTypeInt 32 0
                %y = OpConstant %1 8
            "#]],
        );
    }

    #[test]
    fn what_is_used_stays() {
        check(
            "Remove",
            "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpName %int \"int\"\n%$0int = OpTypeInt 32 0\n%y = OpConstant %int 8\n",
            expect![[r#""#]],
        );
    }
}
