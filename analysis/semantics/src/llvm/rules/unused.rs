//! What is defined and nothing refers to. LLVM accepts it, and drops it when it prints the module.

use super::super::uses::{LooseEnds, Sort, Unused, Uses};
use crate::{ChunkId, Diagnostic, ModuleDiagnostic, Rule, Severity, Tag, TextRange};

pub(super) static UNUSED_GLOBAL: Rule = Rule {
    code: "unused-global",
    severity: Severity::Hint,
    explain: "Nothing in the module refers to this `private` or `internal` global, and nothing outside can.\n\n\
              ```llvm\n@table = internal constant i32 1   ; never mentioned again\n```\n\n\
              Source: none; LLVM accepts it.",
    ..Rule::UNDOCUMENTED
};

pub(super) static UNUSED_METADATA: Rule = Rule {
    code: "unused-metadata",
    severity: Severity::Hint,
    explain: "No attachment, record, named metadata or other node refers to this metadata node.\n\n\
              Source: none; LLVM accepts it, and leaves it out when it prints the module.",
    ..Rule::UNDOCUMENTED
};

pub(super) static UNUSED_DEFINITION: Rule = Rule {
    code: "unused-definition",
    severity: Severity::Hint,
    explain: "Nothing refers to this type, attribute group or comdat.\n\n\
              Source: none; LLVM accepts it, and leaves it out when it prints the module.",
    ..Rule::UNDOCUMENTED
};

pub(super) const RULES: &[&Rule] = &[&UNUSED_GLOBAL, &UNUSED_METADATA, &UNUSED_DEFINITION];

pub fn check<'a>(ends: &LooseEnds, uses: impl Iterator<Item = &'a Uses>) -> Vec<ModuleDiagnostic> {
    let mut unused = Unused::default();
    uses.for_each(|uses| unused.add(uses));
    unused.set_ends(ends.clone());
    unused.findings()
}

/// What is wrong with what nothing refers to.
pub fn findings(unused: LooseEnds) -> Vec<ModuleDiagnostic> {
    let finding = |rule: &'static Rule, chunk: ChunkId, item: u32, message: String| {
        let diagnostic = Diagnostic::new(rule, TextRange::default(), message).tag(Tag::Unnecessary);
        ModuleDiagnostic { chunk, item, diagnostic }
    };
    let names = unused.names.into_iter().map(|end| {
        let name = end.name;
        let (rule, message) = match end.sort {
            Sort::Global => {
                (&UNUSED_GLOBAL, format!("`{name}` is local to this module, and nothing in it refers to it"))
            }
            Sort::Type => (&UNUSED_DEFINITION, format!("no type or value uses `{name}`")),
            Sort::Attributes => {
                (&UNUSED_DEFINITION, format!("no function or call has the attributes `{name}`"))
            }
            Sort::Comdat => (&UNUSED_DEFINITION, format!("no global is in the comdat `{name}`")),
        };
        finding(rule, end.chunk, end.item, message)
    });
    let metadata = unused.metadata.into_iter().map(|(number, chunk, item)| {
        finding(&UNUSED_METADATA, chunk, item, format!("nothing refers to `!{number}`"))
    });
    names.chain(metadata).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn definitions_without_uses() {
        check(
            r#"%used = type { i32 }
%unused = type { %used }
%recursive = type { ptr, %used }
$c = comdat any
$d = comdat any
@a = internal global i32 1
@b = private global ptr @a
@c = global i32 1, comdat
@in.a.section = internal global i32 1, section "x"
define internal void @loop() {
  call void @loop()
  ret void
}
define void @f() #0 {
  %x = alloca %recursive, !kind !3
  ret void
}
attributes #0 = { nounwind }
attributes #1 = { cold }
!named = !{!0}
!0 = !{!1}
!1 = !{}
!2 = distinct !{!2, !1}
!3 = !{}
"#,
            expect![[r#"
                hint[unused-definition] 2:1 `%unused`: no type or value uses `%unused`
                hint[unused-definition] 5:1 `$d`: no global is in the comdat `$d`
                hint[unused-global] 7:1 `@b`: `@b` is local to this module, and nothing in it refers to it
                hint[unused-global] 10:22 `@loop`: `@loop` is local to this module, and nothing in it refers to it
                hint[unused-definition] 19:12 `#1`: no function or call has the attributes `#1`
                hint[unused-metadata] 23:1 `!2`: nothing refers to `!2`
            "#]],
        );
    }

    #[test]
    fn nothing_is_unused_in_what_cannot_be_read() {
        check(
            "@a = internal global i32 1\ndefine ptr @f() {\n  ret ptr\n}\n",
            expect![[r#"
            error[syntax-error] 4:1 `}`: expected a value, found `}`
        "#]],
        );
    }
}
