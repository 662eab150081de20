//! ThinLTO summaries: what their entries refer to.

use rustc_hash::FxHashSet;

use crate::arena::IndexKind;
use crate::context::ModuleContext;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    UNDEFINED_SUMMARY {
        code: "undefined-summary",
        severity: Severity::Error,
        title: "entries of a ThinLTO summary refer to entries and globals that exist",
        explain: "Summary entries refer to each other by number: to a `module` entry, to `gv` entries, and to \
            `typeid` entries, which follow their uses. The thin link would otherwise read a wrong entry.",
        example: r#"@g = global i32 0
^0 = module: (path: "a.bc", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "g", summaries: (variable: (module: ^7, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0), varFlags: (readonly: 0, writeonly: 0, constant: 0))))
"#,
        fixed: r#"@g = global i32 0
^0 = module: (path: "a.bc", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "g", summaries: (variable: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0), varFlags: (readonly: 0, writeonly: 0, constant: 0))))
"#,
        source: "LLVM `LLParser::validateEndOfIndex`: \"use of undefined summary '^7'\"; LLVM Language Reference, \
            \"ThinLTO Summary\"",
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let mut seen = FxHashSet::default();
    for index_use in &cx.ranges.cold.index_uses {
        let number = index_use.number;
        let place = (cx.summary_index, index_use.item);
        let defined = cx.scope.index_entry(index_use.kind, number);
        let message = match (index_use.kind, defined) {
            (IndexKind::TypeId, Some(at)) if at < place => {
                format!("the definition of type id `^{number}` must follow its uses")
            }
            (_, Some(_)) => continue,
            (IndexKind::Module, None) => format!("use of undefined summary module `^{number}`"),
            (IndexKind::TypeId, None) => format!("use of undefined summary type id `^{number}`"),
            (_, None) => format!("use of undefined summary global value `^{number}`"),
        };
        if seen.insert((index_use.kind, number)) {
            let finding = cx.report(&UNDEFINED_SUMMARY, index_use.range, message);
            // LLVM does not look a module up.
            if index_use.kind == IndexKind::Module {
                finding.severity = Severity::Warning;
            }
        }
    }
    for (name, item, range) in &cx.ranges.cold.index_names {
        let name = cx.summary.tables.names.get(*name);
        let message = match cx.scope.global_place(name) {
            None => format!("use of undefined global `@{name}`"),
            Some((summary, global)) if (summary, global) > (cx.summary_index, *item) => {
                format!("the definition of `@{name}` must precede its summary entry")
            }
            Some(_) => continue,
        };
        cx.report(&UNDEFINED_SUMMARY, *range, message);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;

    #[test]
    fn a_word_is_suggested_from_those_that_are_expected() {
        let text = "declare void @f(ptr captures(frob), ptr captures(adress))\ndeclare void @g(frob i32)\n\
                    ^0 = typeid: (name: \"t\", summary: (typeTestRes: (kind: unsta, sizeM1BitWidth: 0)))\n";
        for line in text.lines() {
            let found = wavelens_check::testing::findings(wavelens_base::Dialect::Llvm, line);
            assert!(!found.contains("from"), "{found}");
        }
        let found = wavelens_check::testing::findings(
            wavelens_base::Dialect::Llvm,
            "declare void @f(ptr captures(adress))",
        );
        assert!(found.contains("did you mean `address`?"), "{found}");
    }

    #[test]
    fn references() {
        let text = r#"@g = global i32 0
^0 = module: (path: "a", hash: (0, 0, 0, 0, 0))
^1 = typeid: (name: "early", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0)))
^2 = gv: (name: "g", summaries: (variable: (module: ^9, flags: (linkage: external), varFlags: (readonly: 1), refs: (^3, readonly ^4))))
^3 = gv: (guid: 7, summaries: (function: (module: ^0, flags: (linkage: external), insts: 1, typeIdInfo: (typeTests: (^1, ^5, 7)))))
^5 = typeid: (name: "late", summary: (typeTestRes: (kind: unsat, sizeM1BitWidth: 0)))
^6 = gv: (name: "h")
^7 = flags: 8
^8 = gv: (name: "late")
@late = global i32 0
"#;
        expect![[r#"
            4: undefined-summary: use of undefined summary module `^9`
            4: undefined-summary: use of undefined summary global value `^4`
            5: undefined-summary: the definition of type id `^1` must follow its uses
            7: undefined-summary: use of undefined global `@h`
            9: undefined-summary: the definition of `@late` must precede its summary entry
        "#]]
        .assert_eq(&findings(text));
    }

    #[test]
    fn syntax() {
        expect![[r#"
            1: syntax-error: the number must fit in 32 bits
            2: syntax-error: expected `function`, `variable` or `alias`, found `code`
            3: syntax-error: expected a number without a sign, found `-1`
            4: syntax-error: expected a number, found `(`
        "#]]
        .assert_eq(&findings(
            "^0 = module: (path: \"a\", hash: (0, 0, 4294967296, 0, 0))\n^1 = gv: (guid: 1, summaries: (code: 2))\n\
             ^2 = gv: (guid: 1, summaries: (alias: (module: ^0, flags: (live: -1), aliasee: ^1)))\n^3 = blockcount: (7)\n",
        ));
    }
}
