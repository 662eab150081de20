//! The elements of `!DIExpression(...)`.

use crate::context::RuleContext;
use wavelens_base::TextRange;
use wavelens_llvm::tables::debug_words::is_debug_word;

wavelens_syntax::rules! {
    BAD_EXPRESSION {
        code: "bad-debug-expression",
        severity: wavelens_base::Severity::Error,
        title: "the elements of `!DIExpression` are DWARF operations, encodings and unsigned numbers",
        explain: "Consumers evaluate the expression to find the value of a variable.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() !dbg !3 { ret void }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0)
  !4 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 1)
  !5 = !DILocation(line: 1, column: 1, scope: !3)
...
---
name: f
body: |
  bb.0:
    DBG_VALUE $vgpr0, $noreg, !4, !DIExpression(DW_OP_plsu), debug-location !5
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() !dbg !3 { ret void }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!2}
  !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "a.c", directory: "/")
  !2 = !{i32 2, !"Debug Info Version", i32 3}
  !3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0)
  !4 = !DILocalVariable(name: "x", scope: !3, file: !1, line: 1)
  !5 = !DILocation(line: 1, column: 1, scope: !3)
...
---
name: f
body: |
  bb.0:
    DBG_VALUE $vgpr0, $noreg, !4, !DIExpression(DW_OP_deref), debug-location !5
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseDIExpression: \"invalid DWARF op\"",
    }
}

/// What is wrong with the elements of a `!DIExpression(...)`.
fn expression_problem(text: &str) -> Option<String> {
    let inside = text.split_once('(')?.1.trim_end().strip_suffix(')')?;
    if inside.trim().is_empty() {
        return None;
    }
    inside.split(',').map(str::trim).find_map(|element| {
        let known = if element.starts_with("DW_OP_") || element.starts_with("DW_ATE_") {
            is_debug_word(element)
        } else {
            element.bytes().all(|b| b.is_ascii_digit()) && element.parse::<u64>().is_ok()
        };
        (!known).then(|| {
            format!("expected a `DW_OP_` operation, a `DW_ATE_` encoding or an unsigned 64-bit number, found `{element}`")
        })
    })
}

/// Whether an expression is valid; reports what is wrong with it.
pub(super) fn check(cx: &mut RuleContext<'_>, range: TextRange) -> bool {
    match expression_problem(text_of(cx, range)) {
        Some(message) => {
            cx.report(&BAD_EXPRESSION, range, message);
            false
        }
        None => true,
    }
}

pub(super) fn text_of<'a>(cx: &RuleContext<'a>, range: TextRange) -> &'a str {
    cx.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
}
