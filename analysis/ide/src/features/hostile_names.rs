//! Names made of what Markdown, HTML and terminals obey, in all that an editor shows of them. Another reader of Markdown judges.

use pulldown_cmark::{Event, Options as Extensions, Parser, Tag, TagEnd};
use wavelens_base::{Dialect, TextRange, TextSize};

use super::tests::at_cursor;
use super::{complete, hints, hover, signature};
use crate::db::View;

const PIECES: [&str; 30] = [
    "a",
    "b c",
    "`",
    "``",
    "```",
    "````",
    "~~~",
    "![x](http://e.example/t.png)",
    "[x](command:y)",
    "[x]:",
    "[x][y]",
    "<img src=x>",
    "<!--",
    "<a href=http://e.example>",
    "http://e.example",
    "www.e.example",
    "me@e.example",
    "|",
    "*",
    "_",
    "# ",
    "\u{1b}[31m",
    "\u{1b}]0;t\u{7}",
    "\u{9b}2J",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{7f}",
    "\u{feff}",
    "é",
];

/// 500 names.
fn names() -> impl Iterator<Item = String> {
    let mut state = 1_u64;
    let mut below = move |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    (0..500).map(move |index| {
        let more: String = (0..below(4)).map(|_| PIECES[below(PIECES.len())]).collect();
        format!("{}{more}", PIECES[index % PIECES.len()])
    })
}

#[track_caller]
fn is_harmless(markdown: &str) {
    is_visible(markdown);
    let is_manual =
        |url: &str| ["https://llvm.org/", "https://registry.khronos.org/"].iter().any(|m| url.starts_with(m));
    let extensions =
        Extensions::ENABLE_TABLES | Extensions::ENABLE_STRIKETHROUGH | Extensions::ENABLE_TASKLISTS;
    // Code, and links that are allowed.
    let mut depth = 0;
    for (event, range) in Parser::new_ext(markdown, extensions).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => depth += 1,
            Event::Start(Tag::Link { dest_url, .. }) if is_manual(&dest_url) => depth += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Link) => depth -= 1,
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_) => {
                panic!("{event:?} in {markdown:?}")
            }
            // Editors make a link of an address.
            Event::Text(_) if depth == 0 => {
                let text = &markdown[range];
                assert!(
                    !["://", "www."].iter().any(|start| text.contains(start)),
                    "{text:?} in {markdown:?}"
                );
            }
            _ => {}
        }
    }
}

#[track_caller]
fn is_visible(text: &str) {
    assert_eq!(wavelens_syntax::visible::text(text), text);
}

fn look_at(view: View<'_>, text: &str, name: &str, completes: bool) {
    let mut places: Vec<usize> = text.match_indices(name).map(|(at, _)| at).collect();
    places.extend(text.match_indices("¤").map(|(at, _)| at));
    for at in places {
        let at = TextSize::new(at as u32);
        if let Some(found) = hover(view, at) {
            is_harmless(&found.markdown);
        }
        if let Some(found) = signature(view, at) {
            is_visible(&found.label);
            is_harmless(&found.documentation);
        }
    }
    for at in text.match_indices("= ").chain(text.match_indices("\n  ")).filter(|_| completes).take(4) {
        for item in complete(view, TextSize::new((at.0 + at.1.len()) as u32)).items {
            is_visible(&item.label);
            is_visible(&item.detail);
            is_harmless(&item.documentation);
        }
    }
    for hint in hints(view, TextRange::up_to(TextSize::of(text))) {
        is_visible(&hint.label);
        is_harmless(&hint.tooltip);
    }
}

fn check(dialect: Dialect, template: &str) {
    for (index, name) in names().enumerate() {
        let text = template.replace('N', &name);
        // Every piece is in some name that is proposed; to propose all of them takes minutes.
        let completes = index < PIECES.len();
        at_cursor(dialect, &text, |view, _| look_at(view, &text, &name, completes));
    }
}

#[test]
fn names_of_llvm_ir() {
    check(
        Dialect::Llvm,
        r#"@"N" = global i32 0
%"tN" = type { i32, i32 }
declare void @"dN"(i32, ptr)
define i32 @"fN"(i32 %"N") "N"="N" {
"bN":
  %"vN" = add i32 %"N", 1
  %g = getelementptr %"tN", ptr @"N", i32 0, i32 1
  call void @"dN"(i32 %"vN", ptr %g), !dbg !6
  br label %"cN"
"cN":
  ret i32 %"vN", !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!7}
!7 = !{i32 2, !"Debug Info Version", i32 3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: "N", directory: "N")
!4 = distinct !DISubprogram(name: "N", linkageName: "N", scope: !1, file: !1, line: 1, unit: !0)
!6 = !DILocation(line: 1, scope: !4)
"#,
    );
}

#[test]
fn names_of_machine_ir() {
    check(
        Dialect::Mir,
        r#"--- |
  @"N" = global i32 0
  define void @f(ptr %"N") {
  "bN":
    ret void
  }
...
---
name: f
stack:
  - { id: 0, name: 'N', size: 4, alignment: 4 }
constants:
  - { id: 0, value: 'N', alignment: 4 }
body: |
  bb.0."bN":
    %0:sgpr_32 = S_LOAD_DWORD_IMM undef $sgpr0_sgpr1, 0, 0 :: (load (s32) from %ir."N")
    S_NOP 0, implicit %stack.0, implicit %const.0
    %1:sgpr_32 = S_MOV_B32 @"N"
    S_ENDPGM 0
...
"#,
    );
}

#[test]
fn names_of_spirv() {
    check(
        Dialect::Spirv,
        r#"OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %f "N"
OpExecutionMode %f OriginUpperLeft
%file = OpString "N"
OpSource GLSL 450 %file "N"
OpName %int "N"
OpName %f "N"
OpName %v "N"
OpMemberName %st 0 "N"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%st = OpTypeStruct %int
%ptr = OpTypePointer Private %st
%v = OpVariable %ptr Private
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%l = OpLabel
OpLine %file 1 1
%x = OpLoad %st %v
OpReturn
OpFunctionEnd
"#,
    );
}

#[test]
fn names_of_assembly() {
    check(
        Dialect::Amdgpu,
        r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
; N
.macro m a ; N
  s_nop 0
.endm
  m 1
.set x, 1 ; N
  s_mov_b32 s0, x
"N":
  s_branch "N"
.amdgpu_lds "lN", 4 ; N
.file 1 "N"
.loc 1 1 1
  s_nop 0
"#,
    );
}
