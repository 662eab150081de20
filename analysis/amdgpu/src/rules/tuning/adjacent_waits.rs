//! Two waits in a row that one instruction can do.

use wavelens_isa::Counter;

use crate::context::RuleContext;
use crate::wait_counters::waits;
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    ADJACENT_WAITS {
        code: "adjacent-waits",
        severity: wavelens_base::Severity::Hint,
        title: "two waits in a row should be one instruction where one can wait for both",
        explain: "`s_waitcnt` waits for several counters at once, and from gfx12 on `s_wait_loadcnt_dscnt` and `s_wait_storecnt_dscnt` do. Two \
waits for the same counter are as strong as the stronger of them. The rule reports hints, and only on request (`pedantic`).",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\ns_waitcnt vmcnt(2)\ns_waitcnt lgkmcnt(0)\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\ns_waitcnt vmcnt(2) lgkmcnt(0)\n",
        source: "instruction set manuals, \"Manually Resolved Dependencies: S_WAITCNT\"; LLVM SIInsertWaitcnts",
    }
}

/// Reports the pairs of one function.
pub(super) fn function(cx: &mut RuleContext<'_>) {
    let graph = cx.graph;
    for (index, pair) in graph.instructions.windows(2).enumerate() {
        let [first, second] = pair else { continue };
        let names = [first.encoded.mnemonic(), second.encoded.mnemonic()];
        if !names.iter().all(|name| name.starts_with("s_wait"))
            || first.nested
            || second.nested
            || graph.block_of(index) != graph.block_of(index + 1)
            || graph.follows_gap(index + 1)
        {
            continue;
        }
        let mut fields = waits(graph.target, first);
        for (counter, left) in waits(graph.target, second) {
            match fields.iter_mut().find(|(c, _)| *c == counter) {
                Some((_, known)) => *known = left.min(*known),
                None => fields.push((counter, left)),
            }
        }
        let Some(one) = combined(names, &mut fields) else { continue };
        let message = format!("this wait and the one before can be one: `{one}`");
        let diagnostic = Diagnostic::new(&ADJACENT_WAITS, second.range, message)
            .related(Place::Here(first.range), "the wait before");
        let between = usize::from(first.range.end())..usize::from(second.range.start());
        cx.diagnostics.push(match cx.text.get(between).is_some_and(|t| t.trim().is_empty()) {
            true => diagnostic.fix("Combine the two waits", first.range.cover(second.range), one),
            false => diagnostic,
        });
    }
}

/// The instruction that waits for all fields of two waits.
fn combined(names: [&str; 2], fields: &mut [(Counter, u32)]) -> Option<String> {
    let name = |counter| match counter {
        Counter::Vm => "vmcnt",
        Counter::Exp => "expcnt",
        _ => "lgkmcnt",
    };
    if names == ["s_waitcnt"; 2] {
        fields.sort_by_key(|(counter, _)| {
            [Counter::Vm, Counter::Exp].iter().position(|c| c == counter).unwrap_or(2)
        });
        let words: Vec<String> = fields.iter().map(|(c, left)| format!("{}({left})", name(*c))).collect();
        return Some(format!("s_waitcnt {}", words.join(" "))).filter(|_| !words.is_empty());
    }
    fields.sort_by_key(|(counter, _)| *counter == Counter::Ds);
    match fields {
        [(_, left)] if names[0] == names[1] && names[0].starts_with("s_wait_") => {
            Some(format!("{} {left:#x}", names[0]))
        }
        [(Counter::Load, load), (Counter::Ds, ds)] => {
            Some(format!("s_wait_loadcnt_dscnt {:#x}", *load << 8 | *ds))
        }
        [(Counter::Store, store), (Counter::Ds, ds)] => {
            Some(format!("s_wait_storecnt_dscnt {:#x}", *store << 8 | *ds))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{marks, marks_pedantic};

    #[test]
    fn one_instruction_waits_for_both() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt vmcnt(2)
                s_waitcnt vmcnt(1) lgkmcnt(0)
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[adjacent-waits]: this wait and the one before can be one: `s_waitcnt vmcnt(1) lgkmcnt(0)`
                ;                           = line 1:1: the wait before
                s_nop 0
                s_waitcnt vmcnt(0)
                l:
                s_waitcnt lgkmcnt(0)
                ;^^^^^^^^^^^^^^^^^^^ hint[idle-wait]: this waits for nothing: no operation is outstanding here
            "#]],
        );
        marks_pedantic(
            "gfx1200",
            expect![[r#"
                s_wait_dscnt 0x1
                s_wait_loadcnt 0x2
                ;^^^^^^^^^^^^^^^^^ hint[adjacent-waits]: this wait and the one before can be one: `s_wait_loadcnt_dscnt 0x201`
                ;                = line 1:1: the wait before
                ;                = fix: s_wait_loadcnt_dscnt 0x201
                s_nop 0
                s_wait_kmcnt 0x0
                s_wait_loadcnt 0x0
                s_nop 0
                s_wait_storecnt 0x3
                s_wait_storecnt 0x2
                ;^^^^^^^^^^^^^^^^^^ hint[adjacent-waits]: this wait and the one before can be one: `s_wait_storecnt 0x2`
                ;                 = line 7:1: the wait before
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                s_waitcnt vmcnt(0)
                s_waitcnt lgkmcnt(0)
            "#]],
        );
    }
}
