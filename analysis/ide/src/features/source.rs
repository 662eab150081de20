//! Places in the files that debug information names.

use wavelens_base::{TextRange, TextSize};

use super::ask;
use crate::answers::SourcePlace;
use crate::db::View;

/// Links of a file; more are left out.
const MOST: usize = 2000;

/// The place in the source that the word at an offset of the file is about.
pub fn source_place(view: View<'_>, offset: TextSize) -> Option<SourcePlace> {
    let (index, _, at) = view.chunk_at(offset)?;
    let place = ask!(view, index, source::place(at)).flatten()?;
    Some(SourcePlace { origin: place.origin + view.start(index), ..place })
}

/// Names of source files in the text.
pub fn source_links(view: View<'_>) -> Vec<SourcePlace> {
    let mut all = Vec::new();
    for index in 0..view.chunks().len() {
        view.db.unwind_if_revision_cancelled();
        let own = ask!(view, index, source::links()).unwrap_or_default().into_iter();
        all.extend(own.map(|place| SourcePlace { origin: place.origin + view.start(index), ..place }));
        if all.len() >= MOST {
            break;
        }
    }
    all
}

/// Where code of some places of the source begins: the first line of each run of lines.
pub fn code_of_source(view: View<'_>, is_wanted: impl Fn(&SourcePlace) -> bool) -> Vec<TextRange> {
    let mut found = Vec::new();
    if source_links(view).is_empty() {
        return found;
    }
    for (index, chunk) in view.chunks().iter().enumerate() {
        view.db.unwind_if_revision_cancelled();
        let mut was_wanted = false;
        let mut start = 0;
        for line in view.text(*chunk).split_inclusive('\n') {
            let own = line.trim();
            let first = TextSize::new((start + line.len() - line.trim_start().len()) as u32);
            start += line.len();
            // Directives and metadata only say it of instructions.
            if own.is_empty() || [".loc", "OpLine", "!"].iter().any(|word| own.starts_with(word)) {
                continue;
            }
            let place = ask!(view, index, source::place(first)).flatten();
            let is_wanted = place.is_some_and(|place| is_wanted(&place));
            if is_wanted && !was_wanted {
                found.push(TextRange::at(first + view.start(index), TextSize::of(own)));
            }
            was_wanted = is_wanted;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use super::*;
    use crate::features::tests::at_cursor;

    /// The place at each `$0` in turn, then the links.
    fn check(dialect: Dialect, marked: &str, expected: Expect) {
        let plain = marked.replace("$0", "");
        let show = |place: SourcePlace| {
            let SourcePlace { origin, directory, file, line, column, text } = place;
            let at = &plain[std::ops::Range::<usize>::from(origin)];
            let text = text.map_or(String::new(), |text| {
                let range = text.range.map(|range| &plain[std::ops::Range::<usize>::from(range)]);
                format!(" `{}` in {range:?}", text.line)
            });
            format!("{at:?} -> {directory} {file}:{line}:{column}{text}\n")
        };
        let mut shown = String::new();
        for (before, _) in marked.match_indices("$0").map(|(at, _)| marked.split_at(at)) {
            let offset = TextSize::new(before.replace("$0", "").len() as u32);
            let place = at_cursor(dialect, &plain, |view, _| source_place(view, offset));
            shown.push_str(&place.map_or("nothing\n".to_owned(), show));
        }
        shown.push_str("links\n");
        at_cursor(dialect, &plain, |view, _| shown.extend(source_links(view).into_iter().map(show)));
        expected.assert_eq(&shown);
    }

    #[test]
    fn lines_of_the_source_lead_to_their_code() {
        let code = |dialect, text: &str, line| {
            let text = text.to_owned() + "$0";
            at_cursor(dialect, &text.replace("$0", ""), |view, _| {
                let found = code_of_source(view, |place| place.line == line);
                let shown = found.into_iter().map(|range| &text[std::ops::Range::<usize>::from(range)]);
                shown.collect::<Vec<_>>().join(" | ")
            })
        };
        let kernel = ".file 1 \"/src\" \"k.hip\"\nf:\n  .loc 1 12 3\n  s_nop 0\n  s_nop 1\n  .loc 1 13 3\n  s_nop 2\n\
            g:\n  s_nop 3\n  .loc 1 12 9\n  s_endpgm\n";
        assert_eq!(code(Dialect::Amdgpu, kernel, 12), "s_nop 0 | s_endpgm");
        assert_eq!(code(Dialect::Amdgpu, kernel, 13), "s_nop 2");
        assert_eq!(code(Dialect::Amdgpu, kernel, 14), "");
    }

    #[test]
    fn llvm_ir_leads_to_its_source() {
        check(
            Dialect::Llvm,
            r#"define void @f() !d$0bg !4 {
  call vo$0id @g(), !dbg $0!6
  ret vo$0id
}
declare void @g()
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: "a$0.c", directory: "/src/app")
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, unit: !0)
!5 = !DILexicalBlock(scope: !4, file: !1, line: 4)
!6 = !DILocation(line: 1$02, column: 7, scope: !5)
"#,
            expect![[r#"
                "!dbg !4" -> /src/app a.c:3:0
                "void" -> /src/app a.c:12:7
                "!dbg !6" -> /src/app a.c:12:7
                nothing
                "filename: \"a.c\"" -> /src/app a.c:0:0
                "line: 12" -> /src/app a.c:12:7
                links
                "a.c" -> /src/app a.c:0:0
            "#]],
        );
    }

    #[test]
    fn spirv_leads_to_its_source() {
        check(
            Dialect::Spirv,
            "%file = OpString \"sha$0der.frag\"\nOpSource GLSL 450 %file \"void main() {\n  int x = 1;\n}\"\n\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
             OpLine %file 2 7\nOpN$0op\nOpNoLine\nOpN$0op\nOpReturn\nOpFunctionEnd\n",
            expect![[r#"
                "%file = OpString \"shader.frag\"" ->  shader.frag:0:0
                "OpNop" ->  shader.frag:2:7 `  int x = 1;` in Some("  int x = 1;")
                nothing
                links
                "shader.frag" ->  shader.frag:0:0
            "#]],
        );
        check(
            Dialect::Spirv,
            "%set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n%file = OpString \"a.hlsl\"\n\
             %text = OpString \"float4 main() {\n  return 0;\n}\"\n%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n\
             %c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%fn = OpTypeFunction %void\n\
             %src = OpExtInst %void %set DebugSource %file %text\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
             %d = OpExtInst %void %set DebugLine %src %c2 %c2 %c3 %c3\nOpN$0op\nOpReturn\nOpFunctionEnd\n",
            expect![[r#"
                "OpNop" ->  a.hlsl:2:3 `  return 0;` in Some("  return 0;")
                links
                "a.hlsl" ->  a.hlsl:0:0
            "#]],
        );
    }

    #[test]
    fn machine_ir_and_assembly_lead_to_their_source() {
        check(
            Dialect::Mir,
            "--- |\n  define void @f() !dbg !4 { ret void }\n  !llvm.dbg.cu = !{!0}\n  !0 = distinct \
             !DICompileUnit(language: DW_LANG_C, file: !1)\n  !1 = !DIFile(filename: \"a.c\", directory: \"/src\")\n  !4 \
             = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 3, unit: !0)\n  !6 = !DILocation(line: \
             12, column: 7, scope: !4)\n...\n---\nname: f\nbody: |\n  bb.0:\n    S_N$0OP 0, debug-location \
             !6\n    S_ENDPGM 0\n...\n",
            expect![[r#"
                "!6" -> /src a.c:12:7
                links
                "a.c" -> /src a.c:0:0
            "#]],
        );
        check(
            Dialect::Amdgpu,
            ".file 1 \"/src\" \"kernel.hip\"\nf:\n  .loc 1 12 3\n  .local x\n  s_n$0op 0\n  s_endpgm\n",
            expect![[r#"
                "  s_nop 0" -> /src kernel.hip:12:3
                links
                "kernel.hip" -> /src kernel.hip:0:0
            "#]],
        );
    }
}
