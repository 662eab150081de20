//! What the assembler rejects in an instruction whose words it has read.

use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{ExtSet, Instruction, Kind, Op};

use super::instruction;
use crate::code::Inst;
use crate::context::RuleContext;
use crate::flat::RAW;
use crate::lower::rules::INVALID_OPERAND;
use wavelens_base::{Verdict, fail, fail_at};

/// What the assembler refuses in an instruction whose operands it has read.
pub fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if let Some(info) = inst.op().info()
        && !is_in_version(info, m.scope.version)
    {
        let version = instruction::version(m.scope.version);
        return fail(
            &instruction::WRONG_VERSION,
            format!("{} is not supported in SPIR-V {version}", info.name),
        );
    }
    match inst.op() {
        Op::ExtInstImport if inst.is_whole() && ExtSet::from_import(&inst.string(1)).is_none() => {
            let name = inst.string(1);
            let near = closest(&name, ExtSet::IMPORTS.iter().copied());
            let near = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
            fail_at(&INVALID_OPERAND, 1, format!("unknown extended instruction set \"{name}\"{near}"))
        }
        // Literals of these types are read by what is injected here.
        Op::TypeInt | Op::TypeFloat if inst.raw.flags & RAW != 0 => injected_type(inst),
        _ => Ok(()),
    }
}

/// The assembler knows no instruction that only other versions have.
fn is_in_version(info: &Instruction, version: u32) -> bool {
    (info.first_version..=info.last_version).contains(&version)
        || !info.extensions.is_empty()
        || !info.capabilities.is_empty()
}

fn injected_type(inst: Inst<'_>) -> Verdict {
    let is_float = inst.op() == Op::TypeFloat;
    match *inst.words() {
        [_, _, _, encoding] if is_float && Kind::FPEncoding.valued(encoding).is_none() => {
            fail(&INVALID_OPERAND, format!("{encoding} is not an FPEncoding"))
        }
        [_, _, _, _] => Ok(()),
        [_, _, _] if is_float => Ok(()),
        _ => {
            let (name, operands) = (inst.op().name(), inst.words().len().saturating_sub(2));
            let takes = if is_float { "one or two" } else { "two" };
            fail(&INVALID_OPERAND, format!("{name} expects {takes} operands, found {operands}"))
        }
    }
}

#[cfg(test)]
mod tests;
