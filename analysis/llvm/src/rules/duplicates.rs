//! Names of the module: each is defined once, numbers ascend, and what describes the target comes first.

use rustc_hash::FxHashMap;
use wavelens_syntax::wording;

use crate::lower::rules::{DUPLICATE_NAME, WRONG_NUMBER};
use crate::mangling::full_name;
use crate::names::{Names, Symbol};
use crate::scope::Scope;
use crate::summary::GlobalHead;
use crate::tables::Intrinsic;
use wavelens_base::{ChunkId, Diagnostic, ModuleDiagnostic, Place, Rule, Severity, TextRange};

wavelens_syntax::rules! {
    MISPLACED_TARGET {
        code: "misplaced-target",
        severity: Severity::Error,
        title: "`source_filename`, `target datalayout` and `target triple` precede all other entities",
        explain: "The data layout and triple decide how the rest of the file is read. After the first other entity \
            LLVM does not accept them.",
        example: r#"@g = global i32 0
target triple = "amdgcn-amd-amdhsa"
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
@g = global i32 0
"#,
        source: "LLVM `LLParser`: \"expected top-level entity\" (`LLParser::parseTargetDefinitions` reads them \
            before all else)",
    }
}

/// First places of one kind of name: summary and item.
#[derive(Default)]
struct FirstDefinitions<'s> {
    named: FxHashMap<&'s str, (u32, u32)>,
    numbered: FxHashMap<u32, (u32, u32)>,
}

impl<'s> FirstDefinitions<'s> {
    /// The first place of the name, if this is not it.
    fn before(&mut self, symbol: Symbol, names: &'s Names, place: (u32, u32)) -> Option<(u32, u32)> {
        let first = match symbol.as_name() {
            Some(name) => *self.named.entry(names.get(name)).or_insert(place),
            None => *self.numbered.entry(symbol.as_number().unwrap_or(0)).or_insert(place),
        };
        (first != place).then_some(first)
    }
}

pub(crate) fn check(scope: &Scope) -> Vec<ModuleDiagnostic> {
    let mut out = Vec::new();
    let mut report =
        |chunk: ChunkId, item: u32, rule: &'static Rule, message: String, first: Option<(u32, u32)>| {
            let mut diagnostic = Diagnostic::new(rule, TextRange::default(), message);
            if let Some((summary, item)) = first {
                diagnostic = diagnostic.related(scope.place(summary, item), wording::PREVIOUS);
            }
            out.push(ModuleDiagnostic { chunk, item, diagnostic });
        };
    let (mut types, mut globals, mut comdats) =
        (FirstDefinitions::default(), FirstDefinitions::default(), FirstDefinitions::default());
    let mut next = 0;
    let mut entities = false;
    for (index, (chunk, summary)) in scope.summaries.iter().enumerate() {
        let (index, names) = (index as u32, &summary.tables.names);
        for target in &summary.cold.targets {
            if entities || target.value {
                let message = "the name of the source file, the target triple and the data layout must precede all other entities".to_owned();
                report(*chunk, target.item, &MISPLACED_TARGET, message, None);
            }
        }
        entities |= summary.has_entities;
        for def in &summary.cold.type_defs {
            if let Some(first) = types.before(def.name, names, (index, def.item)) {
                let message = wording::redefinition(def.name.display('%', names));
                report(*chunk, def.item, &DUPLICATE_NAME, message, Some(first));
            }
        }
        for comdat in &summary.cold.comdats {
            let symbol = Symbol::name(comdat.name);
            if let Some(first) = comdats.before(symbol, names, (index, comdat.item)) {
                let message = wording::redefinition(symbol.display('$', names));
                report(*chunk, comdat.item, &DUPLICATE_NAME, message, Some(first));
            }
        }
        let mut heads: Vec<_> = summary.globals.iter().map(|g| g.head).collect();
        heads.extend(summary.cold.aliases.iter().map(|a| a.head));
        heads.extend(summary.functions.iter().map(|f| f.head));
        heads.sort_unstable_by_key(|h| h.item);
        for head in heads {
            if let Some(number) = head.name.as_number() {
                if number < next {
                    let message = format!("expected number `@{next}` or higher");
                    report(*chunk, head.item, &WRONG_NUMBER, message, None);
                } else {
                    next = number + 1;
                }
            } else if names.is_unnamed(head.name) {
                next += 1;
            } else if let Some(first) = globals.before(head.name, names, (index, head.item)) {
                let mut message = wording::redefinition(head.name.display('@', names));
                if let Some(own) = overload(scope, index, head, names) {
                    message.push_str(&format!(
                        "; the name of an overloaded intrinsic has its types: this is `@{own}`"
                    ));
                }
                report(*chunk, head.item, &DUPLICATE_NAME, message, Some(first));
            }
        }
    }
    metadata_numbers(scope, &mut out);
    out
}

/// The name of a declared intrinsic by its types, if its own lacks them.
fn overload(scope: &Scope, summary: u32, head: GlobalHead, names: &Names) -> Option<String> {
    let name = names.get(head.name.as_name()?);
    let intrinsic = Intrinsic::lookup(name).filter(|intrinsic| intrinsic.is_overloaded())?;
    // In the order of the file.
    let found = scope.globals.binary_search_by_key(&(summary, head.item), |g| (g.summary, g.head.item));
    let global = scope.globals.get(found.ok()?)?;
    let own = full_name(&scope.structs, &scope.types, intrinsic, global.value_type)?;
    (own != name).then_some(own)
}

/// The place of the entity that follows one in the file, or the file's end.
pub(super) fn next_item(scope: &Scope, summary: usize, item: u32) -> Option<Place> {
    let (own, after) = scope.summaries.get(summary..)?.split_first()?;
    if item + 1 < own.1.items {
        return Some(Place::Item { chunk: own.0, item: item + 1 });
    }
    let next = after.iter().find(|(_, summary)| summary.items > 0);
    Some(match next {
        Some((chunk, _)) => Place::Item { chunk: *chunk, item: 0 },
        None => {
            let (chunk, last) = after.last().unwrap_or(own);
            Place::Item { chunk: *chunk, item: last.items }
        }
    })
}

fn metadata_numbers(scope: &Scope, out: &mut Vec<ModuleDiagnostic>) {
    let definitions: usize = scope.summaries.iter().map(|(_, s)| s.cold.metadata.len()).sum();
    // The usual case: there may be millions.
    if definitions == scope.metadata_count() {
        return;
    }
    let mut seen: FxHashMap<u32, Place> = FxHashMap::default();
    let numbers = scope.summaries.iter().flat_map(|(_, s)| s.cold.metadata.iter().map(|def| def.number));
    let mut free = numbers.max().map_or(0, |last| last.saturating_add(1));
    for (index, (chunk, summary)) in scope.summaries.iter().enumerate() {
        for def in &summary.cold.metadata {
            let place = Place::Item { chunk: *chunk, item: def.item };
            let first = *seen.entry(def.number).or_insert(place);
            if first == place {
                continue;
            }
            let message = wording::redefinition(format_args!("!{}", def.number));
            let mut diagnostic = Diagnostic::new(&DUPLICATE_NAME, TextRange::default(), message)
                .related(first, wording::PREVIOUS);
            // LLVM looks at the number when it has read the node, and reports the token that follows.
            if let Some(next) = next_item(scope, index, def.item) {
                diagnostic = diagnostic.related(next, wording::REFERENCE);
            }
            diagnostic =
                diagnostic.guess(format!("Renumber to `!{free}`"), TextRange::default(), format!("!{free}"));
            free = free.saturating_add(1);
            out.push(ModuleDiagnostic { chunk: *chunk, item: def.item, diagnostic });
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks};

    #[test]
    fn the_second_node_and_where_llvm_reports_it() {
        marks(expect![[r#"
            !named = !{!0}
            !0 = !{}
            !0 = !{}
            ;^ error[duplicate-name]: redefinition of `!0`
            ;= line 2:1: previous definition is here
            ;= line 4:13: LLVM reports it here
            ;= guess: !1 = !{}
            define void @f() {
              ret void
            }
        "#]]);
    }

    #[test]
    fn llvm_reports_a_second_node_at_the_end_if_nothing_follows() {
        marks(expect![[r#"
            !0 = !{}
            ;^ hint[unused-metadata]: unused metadata node `!0`
            !0 = !{}
            ;^ error[duplicate-name]: redefinition of `!0`
            ;= line 1:1: previous definition is here
            ;= line 4:1: LLVM reports it here
            ;= guess: !1 = !{}
            ;^ hint[unused-metadata]: unused metadata node `!0`
            ; end
        "#]]);
    }

    #[test]
    fn uses_of_a_repeated_number_are_not_judged() {
        marks(expect![[r#"
            define void @f() {
              ret void, !dbg !0
            }
            !llvm.module.flags = !{!1}
            !0 = !{}
            !1 = !{i32 2, !"Debug Info Version", i32 3}
            !0 = !DILocation(line: 1, scope: !2)
            ;^ error[duplicate-name]: redefinition of `!0`
            ;= line 5:1: previous definition is here
            ;= line 8:1: LLVM reports it here
            ;= guess: !3 = !DILocation(line: 1, scope: !2)
            ;                         ^^^^^^^^^ warning[invalid-debug-info]: LLVM drops the module's debug information: expected a subprogram or lexical block for `scope` of `!DILocation`, found a tuple
            ;                                 = line 8:1: the referenced node
            !2 = !{}
        "#]]);
    }

    #[test]
    fn an_intrinsic_of_two_types_needs_two_names() {
        marks(expect![[r#"
            declare void @llvm.amdgcn.s.prefetch.data(ptr addrspace(4), i32)
            declare void @llvm.amdgcn.s.prefetch.data(ptr addrspace(1), i32)
            ;            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[duplicate-name]: redefinition of `@llvm.amdgcn.s.prefetch.data`; the name of an overloaded intrinsic has its types: this is `@llvm.amdgcn.s.prefetch.data.p1`
            ;                                       = line 1:14: previous definition is here
            define void @f(ptr addrspace(1) %g) {
              call void @llvm.amdgcn.s.prefetch.data(ptr addrspace(1) %g, i32 0)
              ret void
            }
        "#]]);
    }

    #[test]
    fn names_and_numbers() {
        expect![[r#"
            2: duplicate-name: redefinition of `@g`
            3: unused-metadata: unused metadata node `!0`
            4: duplicate-name: redefinition of `!0`
            4: unused-metadata: unused metadata node `!0`
            5: misplaced-target: the name of the source file, the target triple and the data layout must precede all other entities
        "#]]
        .assert_eq(&findings(
            "@g = global i32 0\n@g = global i32 1\n!0 = !{}\n!0 = !{}\ntarget triple = \"amdgcn\"\n",
        ));
    }
}
