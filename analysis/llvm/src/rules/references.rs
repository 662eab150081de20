//! References: what is named must exist.

use rustc_hash::FxHashSet;
use wavelens_syntax::is_one_slip;

use crate::arena::Tables;
use crate::context::{ModuleContext, RuleContext, TablesContext};
use crate::intrinsic_match::is_old_name;
use crate::lower::rules::UNDEFINED_VALUE;
use crate::metadata::MdValue;
use crate::names::{Symbol, display, suggestion};
use crate::operand::{Const, OperandId, Value};
use crate::scope::GlobalKind;
use crate::tables::Intrinsic;
use crate::types::Type;
use wavelens_base::{Fix, Lack, Rule, Severity, TextEdit, TextRange};

wavelens_syntax::rules! {
    UNDEFINED_TYPE {
        code: "undefined-type",
        severity: Severity::Error,
        title: "each named type that is used is defined",
        explain: "A struct type `%T` that the module does not define would have no fields and no size. An opaque \
            type is defined as `%T = type opaque`.",
        example: "@g = external global %T\n",
        fixed: r"%T = type { i32 }
@g = external global %T
",
        source: "LLVM `LLParser`: \"use of undefined type named 'T'\"; LLVM Language Reference, \"Structure Type\"",
    }

    UNDEFINED_METADATA {
        code: "undefined-metadata",
        severity: Severity::Error,
        title: "each metadata node that is used is defined",
        explain: "A reference `!7` needs a definition `!7 = ...` in the module, before or after the use. It is \
            often missing after part of a file was copied.",
        example: "!named = !{!0}\n",
        fixed: r"!named = !{!0}
!0 = !{}
",
        source: "LLVM `LLParser`: \"use of undefined metadata '!0'\"; LLVM Language Reference, \"Metadata\"",
    }

    UNDEFINED_COMDAT {
        code: "undefined-comdat",
        severity: Severity::Error,
        title: "each comdat that is used is defined",
        explain: "A reference `comdat($c)` needs a definition `$c = comdat any` (or another selection kind) in the \
            module.",
        example: r"define void @f() comdat($group) {
  ret void
}
",
        fixed: r"$group = comdat any
define void @f() comdat($group) {
  ret void
}
",
        source: "LLVM `LLParser`: \"use of undefined comdat '$group'\"; LLVM Language Reference, \"Comdats\"",
    }
}

pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let callees: FxHashSet<u32> = cx.body.calls.iter().map(|c| c.callee.0).collect();
    tables(&mut cx.tables_context(), &callees);
}

pub(crate) fn module(cx: &mut ModuleContext<'_>) {
    tables(&mut cx.tables_context(), &FxHashSet::default());
    let summary = cx.summary;
    let names = &summary.tables.names;
    for (head, comdat) in summary.comdat_uses() {
        let Some(name) = comdat.as_name().map(|name| names.get(name)) else { continue };
        // A declaration must not be in one, defined or not.
        let is_declared = || summary.functions.iter().any(|f| f.head.item == head.item && !f.is_definition);
        if cx.scope.comdat(name).is_none() && !is_declared() {
            let range = cx.item_range(head.item);
            let at = cx.lowered.item_spans.get(head.item as usize).copied().unwrap_or(range);
            let name = display('$', name);
            let definition = format!("{name} = comdat any");
            let message = format!("use of undefined comdat `{name}`");
            cx.report(&UNDEFINED_COMDAT, range, message).set_guess(
                format!("Define it: `{definition}`"),
                vec![TextEdit::new(TextRange::empty(at.start()), definition + "\n")],
            );
        }
    }
    for (value, range) in summary.cold.named_metadata_values.iter().zip(&cx.ranges.cold.named_metadata_values)
    {
        if let MdValue::Number(number) = value
            && !cx.scope.has_metadata(*number)
        {
            let name = format!("!{number}");
            let diagnostic =
                cx.report(&UNDEFINED_METADATA, *range, format!("use of undefined metadata `{name}`"));
            diagnostic.lack = Some(Lack::InFile(name.into()));
        }
    }
}

fn tables(cx: &mut TablesContext<'_, '_>, callees: &FxHashSet<u32>) {
    let (tables, ranges) = (cx.tables, cx.ranges);
    for (n, (symbol, range)) in ranges.cold.named_types.iter().enumerate() {
        if cx.scope.named_type(*symbol, &tables.names).is_none() {
            let name = symbol.display('%', &tables.names);
            let written = symbol.as_name().map_or("", |n| tables.names.get(n));
            let near = suggestion(n + 1, cx.scope.type_names().len(), written, cx.scope.type_names());
            let near = near.map(|n| (display('%', n), false));
            let message = format!("use of undefined type `{name}`");
            undefined(cx, &UNDEFINED_TYPE, format!("type {name}"), vec![*range], message, near);
        }
    }
    let mut seen: FxHashSet<Symbol> = FxHashSet::default();
    let mut reported: FxHashSet<Symbol> = FxHashSet::default();
    for (index, operand) in tables.operands.iter().enumerate() {
        let range = ranges.operands.get(index).copied().unwrap_or_default();
        match operand.value {
            Value::Global(symbol) => {
                // The usual case: known, and seen before.
                if seen.contains(&symbol) {
                    continue;
                }
                if cx.scope.global_index(symbol, &tables.names).is_some() {
                    seen.insert(symbol);
                } else if !reported.contains(&symbol) && !is_free(tables, symbol, OperandId(index as u32)) {
                    undefined_global(cx, symbol, range, callees.contains(&(index as u32)), &mut reported);
                }
            }
            Value::Const(id) => match tables.constant(id) {
                Const::NoCfi(symbol) if cx.scope.global_index(symbol, &tables.names).is_none() => {
                    undefined_global(cx, symbol, range, false, &mut reported);
                }
                Const::DsoLocalEquivalent(symbol) => match cx.scope.global(symbol, &tables.names) {
                    None => undefined_global(cx, symbol, range, false, &mut reported),
                    Some(global)
                        if !matches!(
                            cx.types.get(global.value_type),
                            Type::Function { .. } | Type::Error
                        ) =>
                    {
                        cx.report(
                            &UNDEFINED_VALUE,
                            range,
                            "the operand of `dso_local_equivalent` must be a function",
                        );
                    }
                    Some(_) => {}
                },
                Const::BlockAddress(index) => block_address(cx, index, range),
                _ => {}
            },
            _ => {}
        }
    }
    let mut missing: FxHashSet<u32> = FxHashSet::default();
    let attachments = tables.cold.attachments.iter().map(|a| a.value).zip(&ranges.cold.attachments);
    let fields = tables.cold.md_fields.iter().map(|f| f.value).zip(&ranges.cold.md_fields);
    let values = tables.cold.md_values.iter().copied().zip(&ranges.cold.md_values);
    for (value, range) in attachments.chain(fields).chain(values) {
        if let MdValue::Number(number) = value
            && !cx.scope.has_metadata(number)
            && missing.insert(number)
        {
            let name = format!("!{number}");
            let diagnostic =
                cx.report(&UNDEFINED_METADATA, *range, format!("use of undefined metadata `{name}`"));
            diagnostic.lack = Some(Lack::InFile(name.into()));
        }
    }
}

/// Whether LLVM reads an undefined name: it drops those of intrinsics that only metadata refers to.
fn is_free(tables: &Tables, symbol: Symbol, id: OperandId) -> bool {
    let value = MdValue::Value(id);
    let fields = tables.cold.md_fields.iter().map(|f| f.value);
    symbol.as_name().is_some_and(|name| tables.names.get(name).starts_with("llvm."))
        && fields.chain(tables.cold.md_values.iter().copied()).any(|v| v == value)
}

fn undefined_global(
    cx: &mut TablesContext<'_, '_>,
    symbol: Symbol,
    range: TextRange,
    callee: bool,
    reported: &mut FxHashSet<Symbol>,
) {
    let text = symbol.as_name().map_or("", |n| cx.tables.names.get(n));
    let name = symbol.display('@', &cx.tables.names);
    let plain = || format!("use of undefined value `{name}`");
    let message = if text.starts_with("llvm.") {
        match (Intrinsic::lookup(text), callee) {
            // Calls declare intrinsics.
            (Some(_), true) => return,
            (None, true) if is_old_name(text) => return,
            (Some(_), false) => format!("intrinsic `{name}` must only be called"),
            (None, true) => format!("unknown intrinsic `{name}`"),
            (None, false) => plain(),
        }
    } else {
        plain()
    };
    if reported.insert(symbol) {
        let near = match cx.scope.globals.len() {
            // Each function of a large module can name another.
            MANY_GLOBALS.. => cx.scope.near_global(text),
            count => suggestion(reported.len(), count, text, cx.scope.global_names()),
        };
        // Names that begin so belong to LLVM.
        let near = near.map(|n| (display('@', n), text.starts_with("llvm.") && is_one_slip(text, n)));
        let mut places = vec![range];
        if near.is_some() {
            let operands = cx.tables.operands.iter().zip(&cx.ranges.operands);
            let uses = operands.filter(|(o, _)| o.value == Value::Global(symbol)).map(|(_, r)| *r);
            places.extend(uses.filter(|r| *r != range));
        }
        undefined(cx, &UNDEFINED_VALUE, name.to_string(), places, message, near);
    }
}

/// From so many globals on only names that differ by one slip are suggested, from an index.
const MANY_GLOBALS: usize = 2000;

/// Reports the first of `places`; where a name is near, a fix, which may be certain, writes it in all of them.
fn undefined(
    cx: &mut TablesContext<'_, '_>,
    rule: &'static Rule,
    name: String,
    places: Vec<TextRange>,
    mut message: String,
    near: Option<(String, bool)>,
) {
    let range = places.first().copied().unwrap_or_default();
    if let Some((near, _)) = &near {
        message.push_str(&format!("; did you mean `{near}`?"));
    }
    let diagnostic = cx.report(rule, range, message);
    diagnostic.lack = Some(Lack::InFile(name.into()));
    if let Some((near, certain)) = near {
        let edits = places.into_iter().map(|range| TextEdit::new(range, near.clone())).collect();
        diagnostic.fix = Some(Fix { title: format!("Replace with `{near}`"), certain, edits });
    }
}

fn block_address(cx: &mut TablesContext<'_, '_>, index: u32, range: TextRange) {
    let Some(address) = cx.tables.cold.block_addresses.get(index as usize) else { return };
    let name = address.function.display('@', &cx.tables.names);
    let problem = match cx.scope.global(address.function, &cx.tables.names) {
        None => format!("use of undefined function `{name}`"),
        Some(global) => match (global.kind, cx.scope.function(global)) {
            (GlobalKind::Function(_), Some((_, function))) if function.is_definition => return,
            (GlobalKind::Function(_), _) => {
                format!("`{name}` is a declaration: its blocks do not have addresses")
            }
            _ => format!("`{name}` is not a function"),
        },
    };
    cx.report(&UNDEFINED_VALUE, range, problem);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn names_that_nothing_defines() {
        marks(expect![[r#"
            %pair = type { i32, i32 }
            @counter = global i32 0
            define i32 @f(i32 %value) comdat($group) {
            ;          ^^ error[undefined-comdat]: use of undefined comdat `$group`
            ;           = guess: $group = comdat any
              %x = alloca %pear
            ;             ^^^^^ error[undefined-type]: use of undefined type `%pear`
              %y = load i32, ptr @countre
            ;                    ^^^^^^^^ error[undefined-value]: use of undefined value `@countre`; did you mean `@counter`?
            ;                           = guess:   %y = load i32, ptr @counter
            ;                           = guess:   store i32 %y, ptr @counter
              store i32 %y, ptr @countre
              %z = add i32 %valeu, %valeu
            ;              ^^^^^^ error[undefined-value]: use of undefined value `%valeu`; did you mean `%value`?
            ;                   = guess:   %z = add i32 %value, %value
              call void @other()
            ;           ^^^^^^ error[undefined-value]: use of undefined value `@other`
              %m = call i32 @llvm.umaxx.i32(i32 1, i32 2), !range !7
            ;               ^^^^^^^^^^^^^^^ error[undefined-value]: unknown intrinsic `@llvm.umaxx.i32`
            ;                                              ^^^^^^^^^ error[undefined-metadata]: use of undefined metadata `!7`
              ret i32 %z
            }
        "#]]);
    }

    #[test]
    fn names_whose_type_is_missing_are_no_types() {
        marks(expect![[r#"
            define i32 @f(i32 %x) {
              call void @f(%x)
            ;              ^^ error[syntax-error]: missing type before `%x`
              store %x, ptr null
            ;       ^^ error[syntax-error]: missing type before `%x`
              call void @llvm.dbg.value(metadata %x, metadata !{}, metadata !{})
            ;                                    ^^ error[syntax-error]: missing type before `%x`
              %y = load i32, %x
            ;                ^^ error[syntax-error]: missing type before `%x`
            ;                 = line 6:3: LLVM reports it here
              %z = load i32, %y
            ;                ^^ error[syntax-error]: missing type before `%y`
            ;                 = line 7:3: LLVM reports it here
              store i32 1, %x
            ;              ^^ error[syntax-error]: missing type before `%x`
            ;               = line 8:3: LLVM reports it here
              ret %x
            ;     ^^ error[syntax-error]: missing type before `%x`
            ;      = line 9:1: LLVM reports it here
            }
            !0 = !{i32 %x}
            ;          ^^ error[local-in-constant]: `%x` is local to a function: it must not be used outside
        "#]]);
    }

    #[test]
    fn what_a_foreign_character_breaks_is_reported_once() {
        check(
            "define void @f(i1 %c) {\nentry:\n  br i1 %c, label %a, label %end\na:\n  br label %end\nend\u{a0}:\n  %i = phi i32 [0, %entry], [1, %a]\n  ret void\n}\n",
            expect![[r#"
                error[undefined-value] 3:29 `%end`: use of undefined block `%end`
                error[syntax-error] 6:4 ` `: unexpected invisible character U+00A0 (no-break space)
                  fix: Remove the invisible character
                  | end:
            "#]],
        );
        marks(expect![[r#"
            !llvm.module.flags = !{!0, !1}
            !0 = é!{i32 1, !"a", i32 2}
            ;    ^ error[syntax-error]: unexpected character `é`
            ;    = fix: !0 = !{i32 1, !"a", i32 2}
            !1 = !{i32 1, !"amd
            ;              ^^^^ error[syntax-error]: expected the number of a metadata node, found `"amd`
        "#]]);
    }

    #[test]
    fn the_block_that_nothing_names_is_offered_for_an_undefined_one() {
        marks(expect![[r#"
            define void @f(i1 %c) {
            entry:
              br i1 %c, label %then, label %exit
            ;                              ^^^^^ error[undefined-value]: use of undefined block `%exit`
            ;                                  = guess:   br i1 %c, label %then, label %done
            ;                                  = guess: then:
            ;                                  = guess:   br label %done
            then:
              br label %exit
            done:
              ret void
            }
            define void @g(i1 %c) {
            entry:
              br i1 %c, label %exit, label %exit
            ;       ^^ hint[constant-branch]: this branch always goes to `%exit`
            ;                 ^^^^^ error[undefined-value]: use of undefined block `%exit`
            then:
              ret void
            done:
              ret void
            }
        "#]]);
    }

    #[test]
    fn a_result_is_not_suggested_for_its_own_operand() {
        marks(expect![[r#"
            define i32 @f(i32 %b) {
              %value = add i32 %valeu, %b
            ;                  ^^^^^^ error[undefined-value]: use of undefined value `%valeu`
              ret i32 %value
            }
        "#]]);
    }

    #[test]
    fn functions_without_an_end() {
        marks(expect![[r#"
            define void @f()
            ;               ^ error[syntax-error]: expected `{` and the function's body, found the end of the definition
            ;               = line 2:1: LLVM reports it here
            define void @g() {
              ret void
            define void @h() {
            ;^ error[syntax-error]: missing `}` at the end of function `@g`
              ret void
            }
        "#]]);
    }

    #[test]
    fn labels_that_are_used_as_values() {
        marks(expect![[r#"
            define void @f() {
              br i1 %end, label %end, label %end
            ;       ^^^^ error[type-mismatch]: expected `i1`, found the basic block `%end`, whose type is `label`
            ;          = line 3:1: defined here
            ;          = line 2:21: LLVM reports it here
            end:
              ret void
            }
        "#]]);
    }

    #[test]
    fn parameters_that_cannot_be_read_are_not_undefined() {
        marks(expect![[r#"
            define i32 @f(half ptr %a, i32 %b) {
            ;                  ^^^ error[syntax-error]: expected the parameter's name, `,` or `)` after its type, found `ptr`
              ret i32 %b
            }
        "#]]);
    }

    #[test]
    fn a_number_that_is_missing_or_too_much() {
        marks(expect![[r#"
            define i32 @f(i32 %x) {
              %1 = alloca i32
              %x2 = sub i32 0, %x
              store i32 %2, ptr %1
            ;           ^^ error[undefined-value]: use of undefined value `%2`; did you mean `%x2`?
            ;            = guess:   store i32 %x2, ptr %1
              %tmp1 = add i32 %tmp, 1
            ;                 ^^^^ error[undefined-value]: use of undefined value `%tmp`
              %tmp3 = add i32 %tmp1, %x3
            ;                        ^^^ error[undefined-value]: use of undefined value `%x3`; did you mean `%x`?
            ;                          = guess:   %tmp3 = add i32 %tmp1, %x
              ret i32 %tmp
            }
        "#]]);
    }

    #[test]
    fn a_declaration_in_a_comdat_is_reported_once() {
        marks(expect![[r#"
            declare void @c() comdat
            ;            ^^ error[global-variable]: `@c` is a declaration and must not be in a comdat
        "#]]);
    }

    #[test]
    fn suggestions_end_where_names_are_many() {
        let near = |nth| super::suggestion(nth, 10_000, "itme", ["item"]);
        assert_eq!((near(1), near(20), near(21)), (Some("item"), Some("item"), None));
    }
}
