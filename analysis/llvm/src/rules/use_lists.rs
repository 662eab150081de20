//! Use-list order directives: they permute the uses that a value has.
//!
//! Source: LLVM Language Reference, "Use-list Order Directives".

use crate::body::{Body, LocalKind, Opcode};
use crate::context::{ModuleContext, RuleContext};
use crate::lower::rules::USE_LIST_ORDER;
use crate::operand::{LocalId, Operand, Value};
use crate::scope::GlobalInfo;
use crate::summary::Ordered;
use crate::uses::OrderedUses;
use wavelens_base::{Diagnostic, ModuleDiagnostic, TextRange};

/// What is wrong with as many indexes for a value with so many uses.
fn mistake(name: &str, uses: u32, indexes: u32) -> Option<String> {
    match uses {
        0 => Some(format!("`{name}` has no uses")),
        1 => Some(format!("`{name}` has only one use")),
        _ => (uses != indexes)
            .then(|| format!("expected {uses} indexes, one for each use of `{name}`, found {indexes}")),
    }
}

/// How often the instructions of a body use each local. Operands of phi that are blocks are not uses.
fn counts(body: &Body) -> Vec<u32> {
    let mut counts = vec![0; body.locals.len()];
    let mut add = |operand: &Operand| {
        if let Value::Local(local) = operand.value
            && let Some(count) = counts.get_mut(local.0 as usize)
        {
            *count += 1;
        }
    };
    for inst in &body.insts {
        let step = if inst.opcode == Opcode::Phi { 2 } else { 1 };
        body.operands(inst.operands).iter().step_by(step).for_each(&mut add);
        if let Some(call) = body.call(inst) {
            add(&body.tables.operand(call.callee));
            body.operands(call.destinations).iter().for_each(&mut add);
            for bundle in call.bundles.of(&body.cold.bundles) {
                body.operands(bundle.operands).iter().for_each(&mut add);
            }
        }
    }
    counts
}

/// What is wrong with as many indexes for a local. A `blockaddress` anywhere is one more use of a block.
fn local_mistake(body: &Body, counts: &[u32], local: LocalId, indexes: u32) -> Option<String> {
    let uses = counts.get(local.0 as usize).copied()?;
    let known = body.local(local).filter(|l| l.kind != LocalKind::Undefined)?;
    let may_be_addressed = matches!(known.kind, LocalKind::Block(_));
    if may_be_addressed && uses > 0 && uses + 1 == indexes {
        return None;
    }
    mistake(&known.name.display('%', &body.tables.names), uses, indexes)
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let body = cx.body;
    if body.cold.use_list_orders.is_empty() || body.insts.iter().any(|i| i.opcode == Opcode::Error) {
        return;
    }
    let counts = counts(body);
    for (local, indexes, range) in &body.cold.use_list_orders {
        if let Some(message) = local_mistake(body, &counts, *local, *indexes) {
            cx.report(&USE_LIST_ORDER, *range, message);
        }
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let (scope, summary) = (cx.scope, cx.summary);
    for order in &summary.cold.use_list_orders {
        let Ordered::Block { function, .. } = order.of else { continue };
        let global = scope.global(function, &summary.tables.names);
        let is_before =
            |global: &&GlobalInfo| (global.summary, global.head.item) < (cx.summary_index, order.item);
        let name = function.display('@', &summary.tables.names);
        let message = match global.filter(is_before) {
            _ if scope.follows(24) => {
                "`uselistorder_bb` is not part of the language since LLVM 24".to_owned()
            }
            None => format!("`{name}` is not defined before this directive"),
            Some(global) => match scope.function(global) {
                Some((_, f)) if f.is_definition => continue,
                Some(_) => format!("`{name}` is a declaration and has no blocks"),
                None => format!("`{name}` is not a function"),
            },
        };
        let range = cx.item_range(order.item);
        cx.report(&USE_LIST_ORDER, range, message);
    }
    blocks(cx);
}

/// Blocks of the chunk's functions that a directive anywhere names.
fn blocks(cx: &mut ModuleContext<'_>) {
    let (scope, lowered) = (cx.scope, cx.lowered);
    if !scope.orders_blocks {
        return;
    }
    for body in &lowered.bodies {
        let Some(function) = cx.summary.functions.get(body.function as usize) else { continue };
        let own = scope.global_index(function.head.name, &cx.summary.tables.names);
        for (index, (_, other)) in scope.summaries.iter().enumerate() {
            for order in &other.cold.use_list_orders {
                let Ordered::Block { function: named, block } = order.of else { continue };
                let names = &other.tables.names;
                if own.is_none() || scope.global_index(named, names) != own {
                    continue;
                }
                let name = block.display('%', names);
                let wanted = block.as_name().and_then(|name| body.tables.names.find(names.get(name)));
                let local = (0..).map(LocalId).zip(&body.locals).find(|(_, local)| {
                    wanted.is_some() && local.name.as_name() == wanted && local.kind != LocalKind::Undefined
                });
                let message = match local {
                    None => Some(format!("a directive orders the uses of the undefined block `{name}`")),
                    Some((_, local)) if !matches!(local.kind, LocalKind::Block(_)) => {
                        Some(format!("a directive orders the uses of `{name}`, which is not a block"))
                    }
                    Some((id, _)) => local_mistake(body, &counts(body), id, order.count),
                };
                let Some(message) = message else { continue };
                let range = cx.lowered.items.get(function.head.item as usize).copied().unwrap_or_default();
                let place = scope.place(index as u32, order.item);
                let diagnostic = Diagnostic::new(&USE_LIST_ORDER, range, message);
                cx.diagnostics.push(diagnostic.related(place, "ordered here"));
            }
        }
    }
}

/// Findings about the uses of globals.
pub(crate) fn findings(orders: impl Iterator<Item = OrderedUses>) -> Vec<ModuleDiagnostic> {
    let finding = |order: OrderedUses| {
        let message = mistake(&order.name, order.uses, order.indexes)?;
        let diagnostic = Diagnostic::new(&USE_LIST_ORDER, TextRange::default(), message);
        Some(ModuleDiagnostic { chunk: order.chunk, item: order.item, diagnostic })
    };
    orders.filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn uses_of_locals() {
        marks(expect![[r#"
            define i32 @f(i32 %x, i1 %c) {
              %y = add i32 %x, %x
              %z = call i32 @f(i32 %y, i1 %c) [ "b"(i32 %y) ]
              br i1 %c, label %a, label %b
            a:
              br label %b
            b:
              %p = phi i32 [ %y, %a ], [ %x, %0 ]
              ret i32 %p
              uselistorder i32 %x, { 1, 0, 2 }
              uselistorder i32 %x, { 1, 0 }
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: expected 3 indexes, one for each use of `%x`, found 2
              uselistorder i32 %y, { 2, 1, 0 }
              uselistorder i32 %y, { 3, 1, 0, 2 }
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: expected 3 indexes, one for each use of `%y`, found 4
              uselistorder i32 %z, { 1, 0 }
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: `%z` has no uses
              uselistorder i32 %p, { 1, 0 }
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: `%p` has only one use
              uselistorder label %b, { 1, 0 }
              uselistorder label %b, { 1, 0, 2 }
              uselistorder label %b, { 1, 0, 2, 3 }
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: expected 2 indexes, one for each use of `%b`, found 4
              uselistorder label %a, { 1, 0 }
            }
        "#]]);
    }

    #[test]
    fn uses_of_globals() {
        marks(expect![[r#"
            @a = global i32 0
            @b = global [2 x ptr] [ptr @a, ptr null]
            @c = global i32 0
            @d = global ptr @c
            @e = global i32 0
            define ptr @f(ptr %p) {
              store ptr @c, ptr @c
            ;                   ^^ warning[out-of-bounds]: store of 8 bytes at offset 0 of `@c`, which has 4 bytes, is undefined behavior
            ;                    = line 3:1: declared here
              %x = call ptr @f(ptr @e)
              ret ptr %x
            }
            uselistorder ptr @a, { 2, 1, 0 }
            uselistorder ptr @b, { 1, 0 }
            uselistorder ptr @c, { 1, 0 }
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: expected 3 indexes, one for each use of `@c`, found 2
            uselistorder ptr @c, { 1, 0, 2 }
            uselistorder ptr @e, { 1, 0 }
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: `@e` has only one use
            uselistorder ptr @f, { 1, 0 }
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: `@f` has only one use
            !0 = !{ptr @b}
            !named = !{!0}
        "#]]);
        // What follows may use it, but not what the directive counts.
        marks(expect![[r#"
            @a = global i32 0
            uselistorder ptr @a, { 1, 0 }
            @b = global ptr @a
        "#]]);
    }

    #[test]
    fn blocks_by_name() {
        marks(expect![[r#"
            uselistorder_bb @f, %a, { 1, 0 }
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: `@f` is not defined before this directive
            @v = global i32 0
            declare void @g()
            define void @f(i1 %c) {
            ;           ^^ error[use-list-order]: a directive orders the uses of `%c`, which is not a block
            ;            = line 15:1: ordered here
            ;           ^^ error[use-list-order]: a directive orders the uses of the undefined block `%d`
            ;            = line 16:1: ordered here
            ;           ^^ error[use-list-order]: expected 2 indexes, one for each use of `%b`, found 4
            ;            = line 19:1: ordered here
              br i1 %c, label %a, label %b
            a:
              br label %b
            b:
              ret void
            }
            uselistorder_bb @v, %a, { 1, 0 }
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: `@v` is not a function
            uselistorder_bb @g, %a, { 1, 0 }
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[use-list-order]: `@g` is a declaration and has no blocks
            uselistorder_bb @f, %0, { 1, 0 }
            ;                   ^^ error[use-list-order]: the block of `uselistorder_bb` must have a name
            uselistorder_bb null, %a, { 1, 0 }
            ;               ^^^^ error[use-list-order]: the first operand of `uselistorder_bb` must be a function
            uselistorder_bb @f, %c, { 1, 0 }
            uselistorder_bb @f, %d, { 1, 0 }
            uselistorder_bb @f, %b, { 1, 0 }
            uselistorder_bb @f, %b, { 2, 1, 0 }
            uselistorder_bb @f, %b, { 3, 2, 1, 0 }
        "#]]);
    }
}
