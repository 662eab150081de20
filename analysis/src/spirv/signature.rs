//! Signature help in SPIR-V assembly.

use wavelens_syntax::spirv::tables::{Kind, Quantifier};

use super::Cx;
use super::place::{requirements, typing};
use crate::TextSize;
use crate::ide::Signature;

pub fn signature(cx: &Cx<'_>, at: TextSize) -> Option<Signature> {
    let typing = typing(cx, at)?;
    let info = typing.op?.info()?;
    let mut label = info.name.to_owned();
    let (mut parameters, mut active) = (Vec::new(), None);
    if info.has_result {
        label.insert_str(0, "%result = ");
    }
    for (index, operand) in info.operands.iter().enumerate() {
        if operand.kind == Kind::ResultId {
            continue;
        }
        label.push(' ');
        let start = label.len();
        let mark = match operand.quantifier {
            Quantifier::One => "",
            Quantifier::Optional => "?",
            Quantifier::Many => "*",
        };
        label.push_str(&format!("{:?}{mark}", operand.kind));
        if index == typing.index {
            active = Some(parameters.len());
        }
        parameters.push(start..label.len());
    }
    let documentation =
        requirements(info.capabilities, info.extensions, info.first_version, info.last_version);
    Some(Signature { label, parameters, active, documentation })
}
