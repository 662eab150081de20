//! `module asm`: the lines of a module, assembled for its processor.

use wavelens_amdgpu::rules::symbol::undefined_symbol::UNDEFINED_SYMBOL;
use wavelens_isa::is_amdgpu;

use super::asm_instructions::{ASM_INSTRUCTION, Placed, assembled_for, template};
use super::target::target;
use crate::attribute_set::AttributeSet;
use crate::scope::Scope;
use crate::types::{Span, TypeId};
use wavelens_base::{Diagnostic, Severity, TextRange};

/// What does not assemble, if all lines are in this chunk.
pub(crate) fn check(text: &str, scope: &Scope, out: &mut Vec<Diagnostic>) {
    let has_assembly = scope.summaries.iter().filter(|(_, summary)| summary.cold.has_assembly).count();
    if has_assembly == 1 && scope.triple.as_deref().is_some_and(is_amdgpu) {
        out.extend(find(text, scope).unwrap_or_default());
    }
}

fn find(text: &str, scope: &Scope) -> Option<Vec<Diagnostic>> {
    let lines: Vec<(usize, &str)> = lines(text).collect();
    let (_, summary) = scope.summaries.first()?;
    let attributes = AttributeSet::new(scope, &summary.tables, Span::default(), |_| TypeId::ERROR);
    let target = target(scope, &attributes);
    let mut placed: Vec<Placed> = Vec::new();
    for (start, line) in lines {
        placed.extend(template(line, u32::try_from(start).ok()?)?);
        let end = placed.last().map_or_else(TextRange::default, |(_, range)| TextRange::empty(range.end()));
        placed.push((b'\n', end));
    }
    let (bytes, origin): (Vec<u8>, Vec<TextRange>) = placed.into_iter().unzip();
    let found = assembled_for(target, &String::from_utf8(bytes).ok()?);
    let at = |offset: usize| origin.get(offset).copied();
    let placed = |d: &Diagnostic| {
        let start = at(d.range.start().into()).or_else(|| origin.last().copied())?;
        let end = usize::from(d.range.end()).checked_sub(1).and_then(at).unwrap_or(start);
        let range = if end.end() >= start.end() { start.cover(end) } else { start };
        Some(Diagnostic::new(&ASM_INSTRUCTION, range, d.message.clone()))
    };
    // The module's own symbols are not seen here.
    let is_wrong = |d: &&Diagnostic| d.severity == Severity::Error && d.rule != &UNDEFINED_SYMBOL;
    Some(found.iter().filter(is_wrong).filter_map(placed).collect())
}

/// The lines with `module asm`, with their places.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let own = start;
        start += line.len();
        line.starts_with("module asm").then_some((own, line))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::check;

    #[test]
    fn lines_are_assembled_together() {
        let text = |run: &str| {
            format!(
                "{run}target triple = \"amdgcn-amd-amdhsa\"\nmodule asm \".macro twice x\"\nmodule asm \"v_mov_b32 \\5Cx, \\5Cx\"\nmodule asm \".endm\"\n\
                 module asm \"f: twice v0\\0Av_foo\"\nmodule asm \".long g, s_x\"\nmodule asm \"s_wait_loadcnt 0\"\n@g = addrspace(1) global i32 0\n"
            )
        };
        let run = "; RUN: llc -mtriple=amdgcn -mcpu=gfx942 < %s\n";
        check(
            &text(run),
            expect![[r#"
                warning[asm-instruction] 6:27 `v_foo`: unknown instruction `v_foo`
                warning[asm-instruction] 8:13 `s_wait_loadcnt`: `s_wait_loadcnt` is not supported on gfx942; use `s_waitcnt vmcnt(0)`
            "#]],
        );
        check(
            &text(""),
            expect![[r#"
            warning[asm-instruction] 5:27 `v_foo`: unknown instruction `v_foo`
        "#]],
        );
        let after = "; RUN: llc -mtriple=amdgcn -mcpu=gfx942 < %s\ntarget triple = \"amdgcn-amd-amdhsa\"\ndefine void @f() {\n  ret void\n}\nmodule asm \"v_foo\"\n";
        check(
            after,
            expect![[r#"
            warning[asm-instruction] 6:13 `v_foo`: unknown instruction `v_foo`
        "#]],
        );
    }
}
