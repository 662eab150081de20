//! The targets of aliases and the resolvers of ifuncs.
//!
//! Source: LLVM Language Reference, "Aliases", "IFuncs".

use super::globals::{Target, strip};
use crate::arena::Tables;
use crate::body::Opcode;
use crate::context::ModuleContext;
use crate::operand::{Const, Operand, Value};
use crate::scope::{GlobalInfo, GlobalKind, Scope};
use crate::summary::{Alias, Function, Linkage};
use wavelens_base::{Diagnostic, ModuleDiagnostic, Severity, TextRange, Verdict, fail};

wavelens_syntax::rules! {
    ALIAS {
        code: "alias-target",
        severity: Severity::Error,
        title: "an alias or ifunc refers to a definition in this module",
        explain: "An alias is a second symbol for the same address, so the address must be in this module, known at \
            link time, and not depend on an alias that another module may replace. The resolver of an ifunc \
            is a function that returns a pointer.",
        example: r"@g = external global i32
@a = alias i32, ptr @g
",
        fixed: r"@g = global i32 0
@a = alias i32, ptr @g
",
        source: "LLVM `Verifier::visitAliaseeSubExpr`: \"Alias must point to a definition\"; LLVM Language \
            Reference, \"Aliases\" and \"IFuncs\"",
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let mut found = Vec::new();
    for alias in &cx.summary.cold.aliases {
        let verdict = if alias.is_ifunc { resolver(cx, alias) } else { aliasee(cx, alias) };
        found.extend(verdict.err().map(|fault| fault.diagnostic(|_| cx.item_range(alias.head.item))));
    }
    cx.diagnostics.append(&mut found);
}

fn bad_alias(message: impl Into<String>) -> Verdict {
    fail(&ALIAS, message)
}

fn is_defined(scope: &Scope, global: &GlobalInfo) -> bool {
    if global.head.linkage == Linkage::AvailableExternally {
        return false;
    }
    match global.kind {
        GlobalKind::Variable(_) => scope.variable(global).is_some_and(|(_, g)| g.init.is_some()),
        GlobalKind::Function(_) => {
            scope.function(global).is_some_and(|(_, f): (_, &Function)| f.is_definition)
        }
        GlobalKind::Alias(_) | GlobalKind::Ifunc(_) => true,
    }
}

fn aliasee(cx: &ModuleContext<'_>, alias: &Alias) -> Verdict {
    let scope = cx.scope;
    let tables = &cx.summary.tables;
    let target = cx.summary.operand(alias.target);
    match (target.value, tables.const_of(target)) {
        (Value::Global(_) | Value::Error, _) | (_, Some(Const::Expr(_) | Const::Error)) => {}
        _ => return bad_alias("the target of an alias must be a global or an expression with one"),
    }
    let available = alias.head.linkage == Linkage::AvailableExternally;
    let mut todo = vec![(cx.summary, target)];
    while let Some((summary, operand)) = todo.pop() {
        let tables = &summary.tables;
        match (operand.value, tables.const_of(operand)) {
            (Value::Global(symbol), _) => {
                let Some(global) = scope.global(symbol, &tables.names) else { continue };
                let shown = format!("`{}`", scope.global_name(global));
                let theirs = global.head.linkage == Linkage::AvailableExternally;
                if available && !theirs {
                    return bad_alias(format!(
                        "the target of an `available_externally` alias must be `available_externally`, {shown} is not"
                    ));
                }
                if !available && !is_defined(scope, global) {
                    return bad_alias(format!(
                        "the alias refers to {shown}, which is not defined in this module"
                    ));
                }
                // What that alias refers to is checked there, and cycles in `alias_cycles`.
                if let Some((_, next)) = scope.alias(global).filter(|(_, a)| !a.is_ifunc)
                    && matches!(
                        next.head.linkage,
                        Linkage::Weak | Linkage::LinkOnce | Linkage::Common | Linkage::ExternWeak
                    )
                {
                    return bad_alias(format!(
                        "the alias refers to {shown}, an alias that another module may replace"
                    ));
                }
            }
            (_, Some(Const::Expr(index))) => {
                if let Some(expr) = tables.cold.exprs.get(index as usize) {
                    todo.extend(expr.operands.of(&tables.operands).iter().map(|o| (summary, *o)));
                }
            }
            _ => {}
        }
        if todo.len() > 64 {
            break;
        }
    }
    Ok(())
}

/// Aliases that refer to themselves, directly or through others.
pub(crate) fn alias_cycles(scope: &Scope) -> Vec<ModuleDiagnostic> {
    /// The aliases that an alias refers to, through constant expressions.
    fn targets(scope: &Scope, alias: u32) -> Vec<u32> {
        let global = scope.globals.get(alias as usize);
        let Some((summary, alias)) = global.and_then(|g| scope.alias(g)).filter(|(_, a)| !a.is_ifunc) else {
            return Vec::new();
        };
        let (mut todo, mut found) = (vec![summary.operand(alias.target)], Vec::new());
        while let Some(operand) = todo.pop() {
            match (operand.value, summary.tables.const_of(operand)) {
                (Value::Global(symbol), _) => found.extend(scope.global_index(symbol, &summary.tables.names)),
                (_, Some(Const::Expr(index))) => {
                    let expr = summary.tables.cold.exprs.get(index as usize);
                    todo.extend(expr.map_or(&[][..], |e| e.operands.of(&summary.tables.operands)));
                }
                _ => {}
            }
        }
        found
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
        InCycle,
    }
    if scope.summaries.iter().all(|(_, s)| s.cold.aliases.is_empty()) {
        return Vec::new();
    }
    let mut marks = vec![Mark::New; scope.globals.len()];
    for start in 0..marks.len() as u32 {
        if marks[start as usize] != Mark::New {
            continue;
        }
        marks[start as usize] = Mark::OnPath;
        let mut path = vec![(start, targets(scope, start))];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            match next.pop() {
                Some(to) => match marks.get(to as usize) {
                    Some(Mark::New) => {
                        marks[to as usize] = Mark::OnPath;
                        path.push((to, targets(scope, to)));
                    }
                    Some(Mark::OnPath | Mark::InCycle) if path.iter().any(|(on, _)| *on == to) => {
                        for (on, _) in path.iter().rev() {
                            marks[*on as usize] = Mark::InCycle;
                            if *on == to {
                                break;
                            }
                        }
                    }
                    _ => {}
                },
                None => {
                    path.pop();
                    if marks[at as usize] == Mark::OnPath {
                        marks[at as usize] = Mark::Done;
                    }
                }
            }
        }
    }
    let cyclic = scope.globals.iter().zip(&marks).filter(|(_, mark)| **mark == Mark::InCycle);
    cyclic
        .filter_map(|(global, _)| {
            let (chunk, _) = scope.summaries.get(global.summary as usize)?;
            let diagnostic = Diagnostic::new(&ALIAS, TextRange::default(), "aliases form a cycle");
            Some(ModuleDiagnostic { chunk: *chunk, item: global.head.item, diagnostic })
        })
        .collect()
}

/// Whether a constant adds to an address or makes one of an integer.
fn is_computed(tables: &Tables, mut operand: Operand) -> bool {
    for _ in 0..16 {
        let Some(Const::Expr(index)) = tables.const_of(operand) else { return false };
        let Some(expr) = tables.cold.exprs.get(index as usize) else { return false };
        let [inner, indices @ ..] = expr.operands.of(&tables.operands) else { return false };
        let is_offset = |index: &Operand| tables.int_of(*index).is_some_and(|value| value != 0);
        match expr.opcode {
            Opcode::IntToPtr => return true,
            Opcode::GetElementPtr if indices.iter().any(is_offset) => return true,
            _ => operand = *inner,
        }
    }
    false
}

fn resolver(cx: &ModuleContext<'_>, ifunc: &Alias) -> Verdict {
    let scope = cx.scope;
    let (mut summary, mut operand) = (cx.summary, cx.summary.operand(ifunc.target));
    for _ in 0..16 {
        if is_computed(&summary.tables, operand) {
            return bad_alias("the resolver of an ifunc must be a function, without an offset");
        }
        let symbol = match strip(&summary.tables, operand) {
            Target::Global(symbol) => symbol,
            Target::Unknown => return Ok(()),
            Target::Other => return bad_alias("the resolver of an ifunc must be a function"),
        };
        let Some(global) = scope.global(symbol, &summary.tables.names) else { return Ok(()) };
        if let Some((next, alias)) = scope.alias(global) {
            (summary, operand) = (next, next.operand(alias.target));
            continue;
        }
        let shown = format!("`{}`", scope.global_name(global));
        let Some((_, function)) = scope.function(global) else {
            return bad_alias(format!("the resolver of an ifunc must be a function, {shown} is not"));
        };
        if !function.is_definition || function.head.linkage == Linkage::AvailableExternally {
            return bad_alias(format!("{shown}, the resolver of an ifunc, is not defined in this module"));
        }
        let result = scope.canonical(global.summary, function.result);
        if !result.is_error() && !cx.types.is_ptr(result) {
            let result = cx.display_ty(result);
            return bad_alias(format!(
                "{shown}, the resolver of an ifunc, must return a pointer, returns `{result}`"
            ));
        }
        return Ok(());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn cycles_of_aliases() {
        marks(expect![[r#"
            @a = alias i32, ptr @b
            @b = alias i32, ptr @c
            ;^ error[alias-target]: aliases form a cycle
            @c = alias i32, getelementptr (i32, ptr @b, i64 1)
            ;^ error[alias-target]: aliases form a cycle
            @d = alias i32, ptr @d
            ;^ error[alias-target]: aliases form a cycle
            @e = alias i32, ptr @g
            @g = global i32 0
        "#]]);
    }

    #[test]
    fn long_chains_of_aliases_are_followed() {
        let alias = |n: u32| format!("@a{} = alias i32, ptr @a{n}\n", n + 1);
        let chain: String = (0..2_000).map(alias).collect();
        check(&format!("@a0 = global i32 0\n{chain}"), expect![""]);
    }
}
