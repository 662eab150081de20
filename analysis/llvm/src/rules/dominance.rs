//! A definition must dominate its uses; blocks end with terminators; phis agree with predecessors.

use wavelens_syntax::llvm::SYNTAX_ERROR;

use super::debug_info::becomes_record;
use crate::body::{Body, InstId, LocalKind, Opcode};
use crate::context::RuleContext;
use crate::fixes;
use crate::lower::rules::DUPLICATE_NAME;
use crate::operand::{LocalId, Operand, OperandId, Value};
use crate::types::Span;
use wavelens_base::{Diagnostic, Place, Related, Severity, TextEdit, TextRange, TextSize};

wavelens_syntax::rules! {
    DOMINANCE {
        code: "dominance",
        severity: Severity::Error,
        title: "a definition dominates each of its uses",
        explain: "On each path from the entry block to a use, the value must have been computed. A use in a `phi` \
            is at the end of the incoming block.",
        example: r"define i32 @f(i1 %c, i32 %a) {
entry:
  br i1 %c, label %then, label %exit
then:
  %x = add i32 %a, 1
  br label %exit
exit:
  ret i32 %x
}
",
        fixed: r"define i32 @f(i1 %c, i32 %a) {
entry:
  br i1 %c, label %then, label %exit
then:
  %x = add i32 %a, 1
  br label %exit
exit:
  %r = phi i32 [ %a, %entry ], [ %x, %then ]
  ret i32 %r
}
",
        source: "LLVM `Verifier::verifyDominatesUse`: \"Instruction does not dominate all uses!\"; LLVM Language \
            Reference, \"Well-Formedness\"",
    }

    PHI_NODE {
        code: "phi-node",
        severity: Severity::Error,
        title: "phis are at the start of a block and have one entry per incoming edge",
        explain: "A `phi` selects its value by the edge through which control entered the block. It therefore \
            precedes all other instructions and has exactly one entry for each incoming edge.",
        example: r"define i32 @f(i1 %c, i32 %a) {
entry:
  br i1 %c, label %then, label %exit
then:
  br label %exit
exit:
  %r = phi i32 [ %a, %entry ]
  ret i32 %r
}
",
        fixed: r"define i32 @f(i1 %c, i32 %a) {
entry:
  br i1 %c, label %then, label %exit
then:
  br label %exit
exit:
  %r = phi i32 [ %a, %entry ], [ 0, %then ]
  ret i32 %r
}
",
        source: "LLVM `Verifier::visitBasicBlock`: \"PHINode should have one entry for each predecessor of its \
            parent basic block!\" and \"PHI nodes not grouped at top of basic block!\"; LLVM Language \
            Reference, \"'phi' Instruction\"",
    }

    ENTRY_BLOCK {
        code: "entry-block",
        severity: Severity::Error,
        title: "the entry block has no predecessors",
        explain: "A function starts in its first block. Because that block must not be a branch target, it contains \
            no phis, and its instructions are executed exactly once per call.",
        example: r"define void @f() {
entry:
  br label %entry
}
",
        fixed: r"define void @f() {
entry:
  br label %loop
loop:
  br label %loop
}
",
        source: "LLVM `Verifier::visitFunction`: \"Entry block to function must not have predecessors!\"; LLVM \
            Language Reference, \"Functions\"",
    }
}

pub(crate) fn function(cx: &mut RuleContext<'_>) {
    entry(cx);
    phis(cx);
    for (id, inst) in cx.insts() {
        if inst.opcode == Opcode::Phi {
            phi_uses(cx, id, inst.operands);
            continue;
        }
        uses(cx, id, inst.operands);
        if let Some(call) = cx.body.call(inst) {
            use_of(cx, id, call.callee);
            for bundle in call.bundles.of(&cx.body.cold.bundles) {
                uses(cx, id, bundle.operands);
            }
        }
    }
}

fn entry(cx: &mut RuleContext<'_>) {
    if cx.body.blocks.is_empty() {
        return;
    }
    let Some(block) = cx.cfg().predecessors(0).first().copied() else { return };
    let range = cx.body.terminator(block).map_or(cx.body.range, |(id, _)| cx.body.inst_range(id));
    let entry = cx.body.blocks.first().and_then(|b| cx.body.local(b.local));
    let message =
        format!("branch to the entry block `{}`, which must not have predecessors", block_name(cx, 0));
    let diagnostic = cx.report(&ENTRY_BLOCK, range, message);
    if let Some(entry) = entry {
        diagnostic
            .related
            .push(Related { place: Place::Here(entry.range), message: "the entry block".into() });
    }
}

fn uses(cx: &mut RuleContext<'_>, id: InstId, span: Span) {
    for index in span.range() {
        use_of(cx, id, OperandId(index as u32));
    }
}

fn use_of(cx: &mut RuleContext<'_>, id: InstId, operand: OperandId) {
    let Value::Local(local) = cx.body.tables.operand(operand).value else { return };
    let Some(LocalKind::Inst(def)) = cx.body.local(local).map(|l| l.kind) else { return };
    let block = cx.block_of_inst(id);
    let def_block = cx.block_of_inst(InstId(def));
    // The usual case: defined before, in the same block.
    if def_block == block && def < id.0 && !ends_early(cx.body, InstId(def)) {
        return;
    }
    if cx.dominates(InstId(def), block, Some(id)) || !cx.are_edges_known() {
        return;
    }
    if def == id.0 {
        // A type that does not fit is reported.
        if cx.ty(cx.body.tables.operand(operand).ty) != cx.local_ty(local) {
            return;
        }
        let name = cx.body.local(local).map(|l| cx.display_local(l.name)).unwrap_or_default();
        let message = format!("`{name}` is used in its own definition: only a phi may refer to itself");
        cx.report(&DOMINANCE, cx.operand_range(operand), message);
    } else {
        report(cx, local, operand);
    }
}

/// Whether an instruction's result only exists in a successor: `invoke` and `callbr`.
fn ends_early(body: &Body, def: InstId) -> bool {
    body.insts.get(def.0 as usize).is_some_and(|i| matches!(i.opcode, Opcode::Invoke | Opcode::CallBr))
}

fn report(cx: &mut RuleContext<'_>, local: LocalId, operand: OperandId) {
    let Some(definition) = cx.body.local(local) else { return };
    let name = cx.display_local(definition.name);
    let range = cx.operand_range(operand);
    let place = Place::Here(definition.range);
    cx.report(&DOMINANCE, range, format!("definition of `{name}` does not dominate this use"))
        .related
        .push(Related { place, message: "defined here".into() });
}

/// A phi uses each value at the end of the block that it comes from.
fn phi_uses(cx: &mut RuleContext<'_>, _id: InstId, span: Span) {
    for index in span.range().step_by(2) {
        let value = OperandId(index as u32);
        let from = cx.body.tables.operand(OperandId(index as u32 + 1));
        let Value::Local(local) = cx.body.tables.operand(value).value else { continue };
        let Some(LocalKind::Inst(def)) = cx.body.local(local).map(|l| l.kind) else { continue };
        let Some(block) = cx.body.block_of(from) else { continue };
        if !cx.dominates(InstId(def), block, None) && cx.are_edges_known() {
            report(cx, local, value);
        }
    }
}

fn phis(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    let mut expected: Vec<u32> = Vec::new();
    for block in 0..body.blocks.len() as u32 {
        let mut past = false;
        let mut known = false;
        // Where the line of the first instruction starts that is not a phi.
        let mut start = None;
        for (id, inst) in body.block_insts(block) {
            if inst.opcode == Opcode::Error {
                continue;
            }
            if inst.opcode != Opcode::Phi {
                past |= !body.call(inst).is_some_and(|call| becomes_record(cx, call));
                continue;
            }
            if past {
                let range = body.inst_range(id);
                let line = fixes::line(cx.text, range.start());
                let target = *start.get_or_insert_with(|| {
                    let first = body.block_insts(block).find(|(_, i)| i.opcode != Opcode::Phi);
                    first.map(|(id, _)| fixes::line(cx.text, body.inst_range(id).start()).start())
                });
                let moved = cx.text.get(std::ops::Range::<usize>::from(line)).unwrap_or("").to_owned();
                let diagnostic = cx.report(&PHI_NODE, range, "`phi` after a non-phi instruction");
                if let Some(target) = target.filter(|_| line.contains_range(range)) {
                    diagnostic.set_fix(
                        "Move it to the start of the block",
                        vec![TextEdit::new(line, ""), TextEdit::new(TextRange::empty(target), moved)],
                    );
                }
                continue;
            }
            if !known {
                expected.clear();
                expected.extend(cx.cfg().predecessors(block));
                expected.sort_unstable();
                known = true;
            }
            phi(cx, id, inst.operands, &expected);
        }
    }
}

/// Errors that explain what is found about phis: one is cut off, or a label is defined twice, so that nobody knows which edges are meant.
pub(crate) struct Causes<'t> {
    text: &'t str,
    explains_all: bool,
    /// Where syntax errors start, in order.
    starts: Vec<TextSize>,
}

impl<'t> Causes<'t> {
    pub(crate) fn new(errors: &[Diagnostic], text: &'t str) -> Self {
        let is_label = |error: &&Diagnostic| fixes::after(text, error.range.end()).starts_with(':');
        let is_syntax = |error: &&Diagnostic| error.rule == &SYNTAX_ERROR;
        // A terminator is missing before a label.
        let mut causes = errors.iter().filter(|error| is_syntax(error) || error.rule == &DUPLICATE_NAME);
        let explains_all = causes.any(|error| is_label(&error));
        let mut starts: Vec<TextSize> = errors.iter().filter(is_syntax).map(|e| e.range.start()).collect();
        starts.sort_unstable();
        Causes { text, explains_all, starts }
    }

    pub(crate) fn explain(&self, found: &Diagnostic) -> bool {
        let next = self.starts.partition_point(|start| *start < found.range.end());
        let until = |start: &TextSize| self.text.get(found.range.end().into()..(*start).into());
        let is_near = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).nth(1).is_none();
        found.rule == &PHI_NODE
            && (self.explains_all || self.starts.get(next).and_then(until).is_some_and(is_near))
    }
}

/// How often a number is in a sorted list.
fn count(sorted: &[u32], number: u32) -> usize {
    sorted.partition_point(|n| *n <= number) - sorted.partition_point(|n| *n < number)
}

fn phi(cx: &mut RuleContext<'_>, id: InstId, span: Span, expected: &[u32]) {
    let body = cx.body;
    let operands = body.operands(span);
    let range = body.inst_range(id);
    if operands.is_empty() {
        if !expected.is_empty() {
            cx.report(&PHI_NODE, range, "a `phi` must have at least one entry");
        }
        return;
    }
    let mut entries: Vec<(u32, usize)> = Vec::with_capacity(operands.len() / 2);
    for (n, pair) in operands.chunks_exact(2).enumerate() {
        let Some(block) = pair.get(1).and_then(|o| body.block_of(*o)) else { return };
        entries.push((block, n));
    }
    entries.sort_unstable();
    for pair in entries.windows(2) {
        if let [(a, i), (b, j)] = pair
            && a == b
            && !same(operands.get(i * 2), operands.get(j * 2), body)
        {
            let range = block_range(body, span, *j);
            let message = "entries for the same block must have the same value";
            let other = Place::Here(block_range(body, span, *i));
            let other = Related { place: other, message: "the other entry".into() };
            cx.report(&PHI_NODE, range, message).related.push(other);
            return;
        }
    }
    if entries.iter().map(|e| e.0).eq(expected.iter().copied()) {
        return;
    }
    let blocks: Vec<u32> = entries.iter().map(|e| e.0).collect();
    let present = |block| count(&blocks, block);
    for (block, n) in &entries {
        let (wanted, has) = (count(expected, *block), present(*block));
        if wanted == 0 && !cx.are_edges_known() {
            return;
        }
        if wanted == 0 || has > wanted {
            let range = block_range(body, span, *n);
            let name = block_name(cx, *block);
            let message = if wanted == 0 {
                format!("`{name}` is not a predecessor of this block")
            } else {
                format!("more entries for `{name}` than edges from it")
            };
            let value = body.ranges.operand(OperandId(span.start + *n as u32 * 2));
            let entry = fixes::phi_entry(cx.text, value, range).filter(|_| entries.len() > 1);
            let entry = entry.map(|entry| fixes::with_comma(cx.text, entry));
            let diagnostic = cx.report(&PHI_NODE, range, message);
            if let Some(entry) = entry {
                diagnostic.set_fix("Remove this entry", vec![TextEdit::new(entry, "")]);
            }
            return;
        }
    }
    let missing = expected.iter().find(|b| count(expected, **b) > present(**b));
    if let Some(missing) = missing {
        let block = block_name(cx, *missing);
        let message = format!("missing entry for the predecessor `{block}`");
        let last = entries.len() as u32 * 2 - 2;
        let value = body.ranges.operand(OperandId(span.start + last));
        let end = fixes::phi_entry(cx.text, value, block_range(body, span, entries.len() - 1));
        let label = body.blocks.get(*missing as usize).and_then(|b| body.local(b.local)).map(|l| l.range);
        let diagnostic = cx.report(&PHI_NODE, range, message);
        if let Some(label) = label {
            diagnostic
                .related
                .push(Related { place: Place::Here(label), message: "the predecessor's branch".into() });
        }
        if let Some(end) = end {
            let entry = format!("[ poison, {block} ]");
            diagnostic.set_guess(
                format!("Add `{entry}`"),
                vec![TextEdit::new(TextRange::empty(end.end()), format!(", {entry}"))],
            );
        }
    }
}

fn block_range(body: &Body, span: Span, n: usize) -> TextRange {
    body.ranges.operand(OperandId(span.start + n as u32 * 2 + 1))
}

fn block_name(cx: &RuleContext<'_>, block: u32) -> String {
    let local = cx.body.blocks.get(block as usize).and_then(|b| cx.body.local(b.local));
    local.map_or_else(String::new, |l| cx.display_local(l.name))
}

/// Do two operands mean the same value? Constants are compared by what is written.
fn same(a: Option<&Operand>, b: Option<&Operand>, body: &Body) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    match (a.value, b.value) {
        (Value::Const(x), Value::Const(y)) => {
            let (x, y) = (body.tables.constant(x), body.tables.constant(y));
            use crate::operand::Const::{Aggregate, Expr, Splat, Wide};
            match (x, y) {
                // These are not interned: what cannot be compared is passed over.
                (Aggregate { .. } | Expr(_) | Splat(_) | Wide(_), _)
                | (_, Aggregate { .. } | Expr(_) | Splat(_) | Wide(_)) => true,
                _ => x == y,
            }
        }
        (Value::Error, _) | (_, Value::Error) => true,
        (x, y) => x == y,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn a_value_that_is_used_in_its_own_definition() {
        marks(expect![[r#"
            define i32 @f() {
              br label %l
            l:
              %p = phi i32 [ 0, %0 ], [ %p, %l ]
              %x = add i32 %x, %p
            ;              ^^ error[dominance]: `%x` is used in its own definition: only a phi may refer to itself
              br label %l
            }
        "#]]);
    }

    #[test]
    fn phis_and_dominance() {
        marks(expect![[r#"
            define i32 @f(i1 %c) {
            entry:
              br i1 %c, label %a, label %b

            a:
              %x = add i32 1, 2
              br label %join

            b:
              br label %join

            join:
              %one = phi i32 [ %x, %a ]
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^ error[phi-node]: missing entry for the predecessor `%b`
            ;                         = line 9:1: the predecessor's branch
            ;                         = guess:   %one = phi i32 [ %x, %a ], [ poison, %b ]
              %two = phi i32 [ 1, %a ], [ 2, %b ], [ 3, %entry ]
            ;                                           ^^^^^^ error[phi-node]: `%entry` is not a predecessor of this block
            ;                                                = fix:   %two = phi i32 [ 1, %a ], [ 2, %b ]
              %three = add i32 %x, %one
            ;                  ^^ error[dominance]: definition of `%x` does not dominate this use
            ;                   = line 6:3: defined here
              %four = phi i32 [ 1, %a ], [ 2, %b ]
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[phi-node]: `phi` after a non-phi instruction
            ;                                    = fix:   %four = phi i32 [ 1, %a ], [ 2, %b ]
            ;                                    = fix:   %three = add i32 %x, %one
              br label %entry
            ; ^^^^^^^^^^^^^^^ error[entry-block]: branch to the entry block `%entry`, which must not have predecessors
            ;               = line 2:1: the entry block
            }
        "#]]);
    }

    #[test]
    fn phis_without_entries_suit_blocks_without_predecessors() {
        marks(expect![[r#"
            define void @f() {
              ret void
            x:
            ;^ hint[unreachable-block]: unreachable block `%x`
              %e = phi i32
              ret void
            }
        "#]]);
    }

    #[test]
    fn nothing_is_known_where_a_target_is_not() {
        marks(expect![[r#"
            define i32 @f(i1 %c) {
            entry:
              br i1 %c, label %a, label %itme
            ;                           ^^^^^ error[undefined-value]: use of undefined block `%itme`
            a:
              %x = add i32 1, 2
              br label %end
            end:
              %p = phi i32 [ %x, %a ], [ 0, %b ]
              ret i32 %x
            b:
              br br label %end
            ;    ^^ error[syntax-error]: expected a type, found `br`
            }
        "#]]);
    }
}
