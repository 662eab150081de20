//! Virtual registers from block to block: what a block reads comes out of every block before it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::flow::Flow;
use super::{liveness, phis};
use crate::context::{Inst, RuleContext};
use crate::model::*;
use wavelens_base::cfg::Cfg;
use wavelens_base::{Diagnostic, TextRange};

wavelens_syntax::rules! {
    NOT_DOMINATED {
        code: "definition-does-not-dominate",
        severity: wavelens_base::Severity::Error,
        title: "a definition of a virtual register dominates its uses",
        explain: "On a path without a definition the register would have an unknown value. Use PHI to join values, or IMPLICIT_DEF where any value is acceptable.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2

    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.2

    %0:sreg_32 = S_MOV_B32 0
    S_BRANCH %bb.2

  bb.2:
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2

    %0:sreg_32 = S_MOV_B32 0
    S_CBRANCH_SCC0 %bb.2, implicit undef $scc
    S_BRANCH %bb.1

  bb.1:
    successors: %bb.2

    S_BRANCH %bb.2

  bb.2:
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineFunctionAfter: \"Virtual register defs don't dominate all uses.\"",
    }
}

/// What later blocks need must come out of every earlier one. `wanted`, by block: the registers that it reads before it defines
/// them, with the first use.
pub(super) fn check(
    cx: &mut RuleContext<'_>,
    instructions: &[Option<Inst<'_>>],
    flow: &Flow,
    wanted: &[FxHashMap<u32, TextRange>],
) {
    let mut needed: FxHashSet<(u32, u32)> = FxHashSet::default();
    let mut places: FxHashMap<u32, TextRange> = FxHashMap::default();
    let mut need = |cfg: &Cfg, register: u32, block: u32| {
        !flow.live_out.has(register, block)
            && !flow.dominates(cfg, register, block)
            && needed.insert((register, block))
    };
    for (block, wanted) in (0..).zip(wanted) {
        for predecessor in cx.cfg.predecessors(block) {
            for (register, place) in wanted {
                if need(&cx.cfg, *register, *predecessor) {
                    let first = places.entry(*register).or_insert(*place);
                    if place.start() < first.start() {
                        *first = *place;
                    }
                }
            }
        }
        for (value, register, predecessor) in phis::incoming(cx, block, instructions) {
            let reads = !value.has(operand_flag::UNDEF) && !value.has(operand_flag::INTERNAL);
            if reads && need(&cx.cfg, register, predecessor) {
                places.entry(register).or_insert(value.range);
            }
        }
    }
    for (block, register) in flow.unmet(&cx.cfg, needed) {
        let name = cx.f.register_text(register);
        let place = places.get(&register).copied().unwrap_or_else(|| cx.block_range(block));
        let diagnostic = if flow.killed.has(register, block) {
            let text = cx.block_text(block);
            let message = format!("`{name}` was killed in `{text}`, but is used here");
            let killed = cx.first_operand(place, |operand| liveness::kills(cx, operand, register));
            liveness::with_kill(Diagnostic::new(&liveness::USE_AFTER_KILL, place, message), killed)
        } else {
            let message = format!("definition of `{name}` does not dominate this use");
            let diagnostic = Diagnostic::new(&NOT_DOMINATED, place, message);
            let definition = cx.virtual_of(register).definition;
            match definition.and_then(|(_, operand)| cx.f.operands.get(operand as usize)) {
                Some(operand) => {
                    diagnostic.related(wavelens_base::Place::Here(operand.range), "definition is here")
                }
                None => diagnostic,
            }
        };
        cx.diagnostics.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn dominance() {
        marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                successors: %bb.1, %bb.2
                S_CBRANCH_SCC1 %bb.2, implicit undef $scc
              bb.1:
                successors: %bb.2
                %0:vgpr_32 = IMPLICIT_DEF
              bb.2:
                %1:vgpr_32 = COPY %0
            ;                     ^^ error[definition-does-not-dominate]: definition of `%0` does not dominate this use
            ;                      = line 10:5: definition is here
                S_ENDPGM 0
            ...
        "#]]);
    }
}
