//! What is defined and nothing refers to. LLVM accepts it, and drops it when it prints the module.

use super::super::uses::{LooseEnds, Sort, Unused, Uses};
use super::use_lists;
use wavelens_base::{ChunkId, Diagnostic, ModuleDiagnostic, Rule, Severity, Tag, TextRange};

wavelens_syntax::rules! {
    UNUSED_GLOBAL {
        code: "unused-global",
        severity: Severity::Hint,
        title: "a `private` or `internal` global is referenced",
        explain: "No other module can refer to a global with local linkage. If nothing in this module does, \
            optimizers delete it.\n\n\
            Switch it off for files that are fragments of a larger module.",
        example: "@table = internal constant i32 1\n",
        fixed: "@table = constant i32 1\n",
        source: "No rule of the language: LLVM accepts it (pass `globaldce` removes such globals)",
    }

    UNUSED_METADATA {
        code: "unused-metadata",
        severity: Severity::Hint,
        title: "a numbered metadata node is referenced",
        explain: "No attachment, record, named metadata or other node refers to this node. LLVM drops it when it \
            reads the file.\n\n\
            Switch it off for files that are fragments of a larger module.",
        example: "!0 = !{}\n",
        fixed: r"!named = !{!0}
!0 = !{}
",
        source: "No rule of the language: LLVM accepts it and omits the node when it prints the module",
    }

    UNUSED_DEFINITION {
        code: "unused-definition",
        severity: Severity::Hint,
        title: "a named type, attribute group or comdat is referenced",
        explain: "Nothing refers to this definition, and LLVM omits it when it prints the module.\n\n\
            Switch it off for files that are fragments of a larger module.",
        example: "%T = type { i32 }\n",
        fixed: r"%T = type { i32 }
@g = external global %T
",
        source: "No rule of the language: LLVM accepts it and omits the definition when it prints the module",
    }
}

pub(crate) fn check<'a>(ends: &LooseEnds, uses: impl Iterator<Item = &'a Uses>) -> Vec<ModuleDiagnostic> {
    let mut unused = Unused::default();
    uses.for_each(|uses| unused.add(uses));
    unused.set_ends(ends.clone());
    unused.findings()
}

impl Unused {
    /// The findings about what nothing refers to.
    pub fn findings(&self) -> Vec<ModuleDiagnostic> {
        let mut found = findings(self.loose_ends());
        found.append(&mut use_lists::findings(self.ordered_uses()));
        found
    }

    /// The findings closest to a place, at least `limit` if there are so many: in each direction, of names and of nodes. `is_before` tells
    /// which chunks precede the place.
    pub fn findings_around(
        &self,
        is_before: impl Fn(ChunkId) -> bool,
        limit: usize,
    ) -> Vec<ModuleDiagnostic> {
        findings(self.loose_ends_around(is_before, limit))
    }
}

/// What is wrong with what nothing refers to.
fn findings(unused: LooseEnds) -> Vec<ModuleDiagnostic> {
    let finding = |rule: &'static Rule, chunk: ChunkId, item: u32, message: String| {
        let diagnostic = Diagnostic::new(rule, TextRange::default(), message).tag(Tag::Unnecessary);
        ModuleDiagnostic { chunk, item, diagnostic }
    };
    let names = unused.names.into_iter().map(|end| {
        let name = end.name;
        let (rule, message) = match end.sort {
            Sort::Global => (&UNUSED_GLOBAL, format!("unused global `{name}`")),
            Sort::Type => (&UNUSED_DEFINITION, format!("unused type `{name}`")),
            Sort::Attributes => (&UNUSED_DEFINITION, format!("unused attribute group `{name}`")),
            Sort::Comdat => (&UNUSED_DEFINITION, format!("unused comdat `{name}`")),
        };
        finding(rule, end.chunk, end.item, message)
    });
    let metadata = unused.metadata.into_iter().map(|(number, chunk, item)| {
        finding(&UNUSED_METADATA, chunk, item, format!("unused metadata node `!{number}`"))
    });
    names.chain(metadata).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn definitions_without_uses() {
        marks(expect![[r#"
            %used = type { i32 }
            %unused = type { %used }
            ;^^^^^^ hint[unused-definition]: unused type `%unused`
            %recursive = type { ptr, %used }
            $c = comdat any
            $d = comdat any
            ;^ hint[unused-definition]: unused comdat `$d`
            @a = internal global i32 1
            @b = private global ptr @a
            ;^ hint[unused-global]: unused global `@b`
            @c = global i32 1, comdat
            @in.a.section = internal global i32 1, section "x"
            define internal void @loop() {
            ;                    ^^^^^ hint[unused-global]: unused global `@loop`
              call void @loop()
              ret void
            }
            define void @f() #0 {
              %x = alloca %recursive, !kind !3
              ret void
            }
            attributes #0 = { nounwind }
            attributes #1 = { cold }
            ;          ^^ hint[unused-definition]: unused attribute group `#1`
            !named = !{!0}
            !0 = !{!1}
            !1 = !{}
            !2 = distinct !{!2, !1}
            ;^ hint[unused-metadata]: unused metadata node `!2`
            !3 = !{}
        "#]]);
    }

    #[test]
    fn nothing_is_unused_in_what_cannot_be_read() {
        marks(expect![[r#"
            @a = internal global i32 1
            define ptr @f() {
              ret ptr
            ;        ^ error[syntax-error]: expected a value, found the end of the line
            ;        = line 4:1: LLVM reports it here
            }
        "#]]);
    }
}
