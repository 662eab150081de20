//! Definitions come before their uses on every way.

use wavelens_syntax::spirv::tables::{Kind, Op};

use super::{DOMINANCE, Report, report};
use crate::blocks::Body;
use crate::code::{Id, LOCAL};
use crate::context::{Definition, RuleContext};
use crate::flat::NONE;

/// Values are used where they are computed on every path.
pub(super) fn uses(m: &RuleContext<'_>, body: &Body, to: Report<'_>) {
    // The block of each instruction of the function, from its first.
    let end = body.blocks.last().map_or(body.first, |block| block.last + 1);
    let mut blocks = vec![NONE; (end - body.first) as usize];
    for (index, block) in (0..).zip(&body.blocks) {
        let insts = (block.first + 1 - body.first) as usize..(block.last - body.first) as usize;
        blocks.get_mut(insts).unwrap_or_default().fill(index);
    }
    let block_of = |id: Id| match m.definition(id) {
        Definition::Here(at) | Definition::Module(at) => {
            blocks.get(at.checked_sub(body.first)? as usize).copied().filter(|block| *block != NONE)
        }
        Definition::Elsewhere | Definition::Missing => None,
    };
    for (index, block) in body.blocks.iter().enumerate() {
        let index = index as u32;
        if !body.is_reachable(index) {
            continue;
        }
        for at in block.first + 1..=block.last {
            let Some(inst) = m.inst(at).filter(|i| i.is_whole()) else { continue };
            for (operand, kind, id) in inst.ids() {
                if id & LOCAL == 0 && m.is_function() || kind == Kind::TypeId {
                    continue;
                }
                let Some(defined) = block_of(id).filter(|block| inst.op() == Op::Phi || *block != index)
                else {
                    continue;
                };
                let (place, used) = if inst.op() == Op::Phi {
                    match body.by_label.get(&inst.operand(operand + 1)) {
                        Some(parent) if operand % 2 == 0 && body.is_reachable(*parent) => {
                            (*parent, "comes from")
                        }
                        _ => continue,
                    }
                } else {
                    (index, "is used in")
                };
                if !body.dominates(defined, place) {
                    let label = |block: u32| body.blocks.get(block as usize).map_or(NONE, |b| b.label);
                    let (value, place) = (m.name(id), m.name(label(place)));
                    let message = match label(defined) {
                        own if own == id => {
                            format!("`{value}` {used} block `{place}`, which it does not dominate")
                        }
                        own => format!(
                            "`{value}` {used} block `{place}`, but is defined in block `{}`, which does not dominate it",
                            m.name(own)
                        ),
                    };
                    report(to, at, &DOMINANCE, Some(operand), message);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn a_value_comes_before_its_uses_on_every_way() {
        let shader = Shader {
            body: "OpSelectionMerge %end None
OpBranchConditional %true %a %end
%a = OpLabel
%x = OpCopyObject %float %f1
OpBranch %end
%end = OpLabel
%y = OpCopyObject %float %x",
            ..Shader::NEW
        };
        expect![[r#"
            error[dominance] `%x`: `%x` is used in block `%end`, but is defined in block `%a`, which does not dominate it
              36:1 `%x = OpCopyObject %float %f1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    /// A value of OpPhi has to reach the end of its predecessor, not the block of the OpPhi.
    #[test]
    fn values_of_phis_dominate_their_predecessors() {
        let shader = Shader {
            body: "OpSelectionMerge %end None
OpBranchConditional %true %a %b
%a = OpLabel
%x = OpCopyObject %float %f1
OpBranch %end
%b = OpLabel
%y = OpCopyObject %float %f1
OpBranch %end
%end = OpLabel
%p = OpPhi %float %x %a %y %b
%q = OpPhi %float %y %a %y %b
%r = OpPhi %float %x %a %x %b",
            ..Shader::NEW
        };
        expect![[r#"
            error[dominance] `%y`: `%y` comes from block `%a`, but is defined in block `%b`, which does not dominate it
              39:1 `%y = OpCopyObject %float %f1`: defined here
            error[dominance] `%x`: `%x` comes from block `%b`, but is defined in block `%a`, which does not dominate it
              36:1 `%x = OpCopyObject %float %f1`: defined here
        "#]].assert_eq(&shader.findings());
    }
}
