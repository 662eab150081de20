//! Signature help in Machine IR: an instruction's operands.

use wavelens_base::TextSize;

use super::Cx;
use super::generic_docs;
use super::hover::signature_text;
use super::ide_support::{function, ir};
use crate::answers::Signature;

/// The signature of the call or instruction around an offset of the chunk.
pub fn signature(cx: &Cx<'_>, at: TextSize) -> Option<Signature> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::signature::signature(&inner, at);
    }
    let f = function(cx)?;
    let inst =
        f.instructions.iter().find(|i| i.range.start() <= at && at <= i.range.end() + TextSize::new(2))?;
    let name = f.opcode_text(inst);
    let (label, parameters) = signature_text(cx, name)?;
    let active = f.operands_of(inst).iter().filter(|o| o.range.end() < at).count();
    let documentation = generic_docs::words(name).unwrap_or("").to_owned();
    let active = (active < parameters.len()).then_some(active);
    Some(Signature { label, parameters, active, documentation })
}
