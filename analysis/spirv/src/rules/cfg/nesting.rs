//! How deep the constructs of structured control flow are nested.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::Op;

use super::{Report, report};
use crate::blocks::Body;
use crate::context::RuleContext;
use crate::lower::rules::LIMIT;

/// The universal limit (SPIR-V specification, section 2.17).
const DEEPEST: u32 = 1023;

/// What a header says of another block.
#[derive(Clone, Copy)]
enum Role {
    Continue(u32),
    Merge(u32),
}

/// Whether all blocks are within the limit. The first that is not is reported.
pub(super) fn is_limited(m: &RuleContext<'_>, body: &Body, to: Report<'_>) -> bool {
    let depths = depths(m, body);
    let Some(block) = depths.iter().position(|depth| *depth > DEEPEST) else { return true };
    if let Some(block) = body.blocks.get(block) {
        let message = format!(
            "the nesting depth of control flow at `{}` exceeds the limit of {DEEPEST}",
            m.name(block.label)
        );
        report(to, block.first, &LIMIT, None, message);
    }
    false
}

/// The depth of each block, as SPIRV-Tools counts it (source/val/function.cpp, GetBlockDepth).
fn depths(m: &RuleContext<'_>, body: &Body) -> Vec<u32> {
    let mut roles: FxHashMap<u32, Role> = FxHashMap::default();
    for (header, block) in (0..).zip(&body.blocks) {
        let Some(merge) = block.merge.and_then(|at| m.inst(at)) else { continue };
        let block = |operand: usize| body.by_label.get(&merge.operand(operand)).copied();
        if let Some(end) = block(0) {
            roles.entry(end).or_insert(Role::Merge(header));
        }
        if merge.op() == Op::LoopMerge
            && let Some(target) = block(1)
        {
            roles.insert(target, Role::Continue(header));
        }
    }
    let is_header = |block: u32| body.blocks.get(block as usize).is_some_and(|block| block.merge.is_some());
    let mut depths = vec![0; body.blocks.len()];
    let others = (0..depths.len() as u32).filter(|block| !body.is_reachable(*block));
    for block in body.order.iter().copied().chain(others) {
        let of = |block: u32| depths.get(block as usize).copied().unwrap_or(0);
        let dominator = body.dominators.immediate(block);
        let outside = dominator.map_or(0, of);
        let depth = match roles.get(&block) {
            Some(Role::Continue(header)) if *header == block => 1 + outside,
            Some(Role::Continue(header)) => 1 + of(*header),
            Some(Role::Merge(header)) => of(*header),
            None => outside + u32::from(dominator.is_some_and(is_header)),
        };
        if let Some(slot) = depths.get_mut(block as usize) {
            *slot = depth;
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    /// So many selections in each other.
    fn nested(count: usize) -> String {
        let open = |i| {
            format!(
                "OpSelectionMerge %merge{i} None\nOpBranchConditional %true %block{i} %merge{i}\n%block{i} = OpLabel\n"
            )
        };
        let close = |i| format!("OpBranch %merge{i}\n%merge{i} = OpLabel\n");
        (0..count).map(open).chain((0..count).rev().map(close)).collect()
    }

    #[test]
    fn selections_are_nested_up_to_a_limit() {
        let shader = |body: String| Shader { body: body.leak(), ..Shader::NEW }.findings();
        expect![[""]].assert_eq(&shader(nested(1023)));
        expect![[r#"
            error[universal-limit] `%block1023 = OpLabel`: the nesting depth of control flow at `%block1023` exceeds the limit of 1023
        "#]].assert_eq(&shader(nested(1024)));
    }
}
