//! Signature help in AMDGPU assembly.

use wavelens_isa::MachineOperand;
use wavelens_semantics::TextSize;

use super::Cx;
use super::queries::facts;
use crate::answers::Signature;

/// The operands of the instruction under the cursor, by the names of the instruction set documents.
pub fn signature(cx: &Cx<'_>, at: TextSize) -> Option<Signature> {
    let whole = facts(cx);
    let index = whole.at(cx.start() + at)?;
    let line = whole.lines.get(index)?;
    let inst = &line.instruction.encoded.inst();
    let own = line.instruction.range.checked_sub(cx.start())?;
    let typed = cx.text.get(usize::from(own.start())..usize::from(at.max(own.start())))?;
    let mut label = inst.mnemonic().to_owned();
    let mut parameters = Vec::new();
    for (i, operand) in inst.operands().iter().enumerate() {
        let shown = matches!(operand, MachineOperand::Reg(_)) || inst.operand_name(i).starts_with("src");
        if !shown {
            continue;
        }
        label.push_str(if parameters.is_empty() { " " } else { ", " });
        let start = label.len();
        label.push_str(inst.operand_name(i));
        parameters.push(start..label.len());
    }
    let active = typed.matches(',').count();
    let active = (typed.contains(' ') && active < parameters.len()).then_some(active);
    let documentation = super::formula::formula(inst.mnemonic()).unwrap_or_default();
    Some(Signature { label, parameters, active, documentation })
}
