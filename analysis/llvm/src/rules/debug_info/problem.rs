//! What is wrong with a node, and how it is reported.

use super::node::Node;
use crate::metadata::FieldName;
use crate::metadata_view::Md;
use wavelens_base::{Diagnostic, Place, Severity, TextRange};

wavelens_syntax::rules! {
    INVALID {
        code: "invalid-debug-info",
        severity: Severity::Warning,
        title: "debug-info nodes, records and `!dbg` attachments are well formed",
        explain: "One invalid debug-info node, record or `!dbg` attachment makes LLVM drop all debug information of \
            the module, with a warning. It rejects the module only if something else still refers to the node \
            (`!named = !{!5}`).\n\n\
            Switch it off for modules whose debug information does not matter.",
        example: r#"define void @f() !dbg !3 {
  ret void, !dbg !4
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 1, scope: !1)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
"#,
        fixed: r#"define void @f() !dbg !3 {
  ret void, !dbg !4
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 1, scope: !3)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
"#,
        source: "LLVM `Verifier::visitFunction`: \"DILocation's scope must be a DILocalScope\" and the other \
            `CheckDI` checks (\"ignoring invalid debug info\"); LLVM Language Reference, \"Specialized \
            Metadata Nodes\"",
    }
}

/// Something wrong with a node.
pub(super) struct Problem<'s> {
    /// `None`: the whole node.
    pub(super) field: Option<FieldName>,
    pub(super) message: String,
    pub(super) related: Option<(Node<'s>, &'static str)>,
}

pub(super) type Problems<'s> = Vec<Problem<'s>>;

impl<'s> Problem<'s> {
    /// About the value of a field.
    pub(super) fn field(field: FieldName, message: impl Into<String>) -> Self {
        Problem { field: Some(field), message: message.into(), related: None }
    }

    /// About the whole node.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Problem { field: None, message: message.into(), related: None }
    }

    pub(super) fn about(mut self, node: Node<'s>, words: &'static str) -> Self {
        self.related = Some((node, words));
        self
    }

    /// Points at the value of a field of `node`.
    pub(super) fn of(self, node: Node<'s>, value: Md<'s>) -> Self {
        match value {
            Md::Node(at) => self.about(Node { at, ..node }, "the referenced node"),
            _ => self,
        }
    }

    pub(super) fn related(&self) -> Option<(Place, &'static str)> {
        let (node, words) = self.related?;
        Some((node.place()?, words))
    }
}

/// A finding about debug information that LLVM drops for it.
pub(super) fn dropped(range: TextRange, problem: &Problem<'_>) -> Diagnostic {
    related(
        Diagnostic::new(
            &INVALID,
            range,
            format!("LLVM drops the module's debug information: {}", problem.message),
        ),
        problem,
    )
}

/// A finding about debug information for which LLVM rejects the module.
pub(super) fn rejected(range: TextRange, problem: &Problem<'_>) -> Diagnostic {
    let found = Diagnostic::new(&INVALID, range, problem.message.clone());
    related(Diagnostic { severity: Severity::Error, ..found }, problem)
}

fn related(diagnostic: Diagnostic, problem: &Problem<'_>) -> Diagnostic {
    match problem.related() {
        Some((place, words)) => diagnostic.related(place, words),
        None => diagnostic,
    }
}
