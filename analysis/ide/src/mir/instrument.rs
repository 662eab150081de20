//! Preparing Machine IR for the compiler: every instruction gets a debug location that names its line in the user's text.
//!
//! The line metadata is added after the last entity of the embedded IR; a file without IR gets a module with the functions that
//! `llc` would create. No line gets another number, so that messages of the compiler name lines of the user's text: added lines end
//! in `\r`, which LLVM's YAML reader accepts as a line end but does not count.

use std::collections::HashMap;
use std::fmt::Write;

use wavelens_base::{Dialect, TextRange};
use wavelens_codegen::asm::LINE_MARK;
use wavelens_syntax::llvm::LlvmKind;
use wavelens_syntax::machine::{Element, Node};
use wavelens_syntax::mir::{MirKind, ir_text, parse};

use crate::llvm::instrument::{DebugInfo, first_free_metadata_id, is_dbg};

/// The file's text with line locations.
pub fn with_line_locations(text: &str) -> String {
    let mut module = Module { first: first_free_metadata_id(text), ..Module::default() };
    let spans = wavelens_syntax::split(Dialect::Mir, text);
    let mut functions = Vec::new();
    for span in &spans {
        let start = usize::from(span.range.start());
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        match ir_text(chunk) {
            Some(ir) => module.read(&ir, start, text),
            None => functions.push((start, chunk)),
        }
    }
    let mut edits = Vec::new();
    for (start, chunk) in functions {
        module.function(chunk, start, text, &mut edits);
    }
    let made = module.entities();
    match module.ir_end {
        Some(end) => edits.push(Edit::insert(end, format!(" {}", made.join(" ")))),
        None if !module.lines.is_empty() => edits.push(Edit::insert(0, module.made_up(&made, text))),
        None => {}
    }
    edits.extend(module.bodies);
    // Stable: edits at the same offset keep their order.
    edits.sort_by_key(|e| e.range.start);
    apply(text, &edits)
}

struct Edit {
    range: std::ops::Range<usize>,
    text: String,
}

impl Edit {
    fn insert(at: usize, text: String) -> Self {
        Edit { range: at..at, text }
    }
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut copied = 0;
    for edit in edits {
        out.push_str(text.get(copied..edit.range.start).unwrap_or(""));
        out.push_str(&edit.text);
        copied = copied.max(edit.range.end);
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    out
}

/// The embedded IR, and what it must get.
#[derive(Default)]
struct Module {
    first: u32,
    /// Subprogram of each function, by its name without `@`.
    subprograms: HashMap<String, String>,
    /// Lines of functions that had none.
    lines: Vec<u32>,
    /// Where functions get their subprogram.
    bodies: Vec<Edit>,
    /// After the last entity.
    ir_end: Option<usize>,
    has_version: bool,
    /// Names of machine functions of a file without IR.
    made_up: Vec<String>,
}

impl Module {
    fn read(&mut self, ir: &str, start: usize, text: &str) {
        let tree = wavelens_syntax::llvm::parse(ir);
        for node in tree.root(ir).children() {
            self.ir_end = Some(start + usize::from(node.range().end()));
            match node.kind() {
                LlvmKind::FUNCTION => self.ir_function(node, start, text),
                LlvmKind::METADATA_DEF => self.has_version |= node.text().contains("\"Debug Info Version\""),
                _ => {}
            }
        }
    }

    fn ir_function(&mut self, node: Node<'_, LlvmKind>, start: usize, text: &str) {
        let (Some(name), Some(body)) = (node.token(LlvmKind::GLOBAL), node.child(LlvmKind::BODY)) else {
            return;
        };
        let own = node.children().find(|n| n.kind() == LlvmKind::ATTACHMENT && is_dbg(*n));
        let own = own.and_then(|n| Some(n.child(LlvmKind::METADATA_REF)?.text().to_owned()));
        let subprogram = own.unwrap_or_else(|| {
            let made = format!("!{}", DebugInfo::subprogram(self.first, self.lines.len()));
            let at = start + usize::from(body.range().start());
            self.lines.push(line_of(text, at));
            self.bodies.push(Edit::insert(at, format!("!dbg {made} ")));
            made
        });
        self.subprograms.insert(wavelens_mir::lower::bare(name.text(), "@"), subprogram);
    }

    /// Locations for the instructions of a machine function.
    fn function(&mut self, chunk: &str, start: usize, text: &str, edits: &mut Vec<Edit>) {
        let tree = parse(chunk);
        let root = tree.root(chunk);
        let Some(name) = wavelens_mir::lower::function_name(root) else { return };
        let subprogram = match self.subprograms.get(name.as_str()) {
            Some(known) => known.clone(),
            // `llc` refuses a function that its module lacks.
            None if self.ir_end.is_some() => return,
            None => {
                let made = format!("!{}", DebugInfo::subprogram(self.first, self.lines.len()));
                self.lines.push(line_of(text, start));
                self.made_up.push(name.clone());
                self.subprograms.insert(name, made.clone());
                made
            }
        };
        let (mut line, mut counted) = (line_of(text, start), 0);
        for inst in root.descendants().filter(|n| n.kind() == MirKind::INSTRUCTION) {
            let at = usize::from(inst.range().start());
            line += chunk.get(counted..at).unwrap_or("").matches('\n').count() as u32;
            counted = at;
            if let Some((range, before)) = location_place(inst) {
                let range = std::ops::Range::<usize>::from(range);
                let mut location = before.to_owned();
                // Writing to a String cannot fail.
                let _ = write!(
                    location,
                    "debug-location !DILocation(line: {}, column: {LINE_MARK}, scope: {subprogram})",
                    line + 1
                );
                edits.push(Edit { range: start + range.start..start + range.end, text: location });
            }
        }
    }

    fn entities(&self) -> Vec<String> {
        if self.lines.is_empty() {
            return Vec::new();
        }
        // A second list of units is added to the first.
        DebugInfo { first: self.first, lines: &self.lines, units: "", has_version: self.has_version }
            .entities()
    }

    /// A module for files without one, before their first line.
    fn made_up(&self, entities: &[String], text: &str) -> String {
        let mut out = "--- |\r".to_owned();
        for (index, name) in self.made_up.iter().enumerate() {
            let quoted = name.replace('\\', "\\5C").replace('"', "\\22");
            let subprogram = DebugInfo::subprogram(self.first, index);
            let _ = write!(out, "  define void @\"{quoted}\"() !dbg !{subprogram} {{ unreachable }}\r");
        }
        for entity in entities {
            let _ = write!(out, "  {entity}\r");
        }
        let has_start = text.lines().find(|l| !l.trim().is_empty() && !l.starts_with('#'));
        out.push_str(if has_start.is_some_and(|l| l.starts_with("---")) { "...\r" } else { "---\r" });
        out
    }
}

fn line_of(text: &str, at: usize) -> u32 {
    text.get(..at).unwrap_or("").matches('\n').count() as u32
}

/// Where the location of an instruction is inserted, and the text before it. `None` for debug instructions: their locations
/// identify inlined variables.
fn location_place(inst: Node<'_, MirKind>) -> Option<(TextRange, &'static str)> {
    let opcode = inst.token(MirKind::IDENT)?;
    if opcode.text().starts_with("DBG_") {
        return None;
    }
    let (mut end, mut before) = (opcode.range().end(), " ");
    for element in inst.elements() {
        match element {
            Element::Token(t) if t.kind() == MirKind::COLON_COLON || t.kind() == MirKind::LBRACE => break,
            Element::Token(t) if t.kind() == MirKind::COMMA && t.range().start() >= end => {
                (end, before) = (t.range().end(), " ");
            }
            Element::Node(n)
                if n.kind() == MirKind::TRAILER && n.token(MirKind::DEBUG_LOCATION_KW).is_some() =>
            {
                return Some((n.range(), ""));
            }
            Element::Node(n) if n.range().start() >= opcode.range().end() => {
                (end, before) = (n.range().end(), ", ");
            }
            _ => {}
        }
    }
    Some((TextRange::empty(end), before))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn visible(text: &str) -> String {
        with_line_locations(text).replace('\r', "\\r")
    }

    #[test]
    fn a_file_without_ir_gets_a_module_that_moves_no_line() {
        let text = "---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF ; nothing
    %1:_(s32) = G_ADD %0, %0, debug-instr-number 4
    DBG_VALUE %1, $noreg, !1, !DIExpression(), debug-location !2
    S_NOP 0, debug-location !2
    BUNDLE implicit $vcc {
      %2:_(s32) = G_LOAD %3 :: (load (s32))
    }
...
";
        expect![[r#"
            --- |\r  define void @"f"() !dbg !6 { unreachable }\r  !3 = !DIFile(filename: "-", directory: "")\r  !4 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, emissionKind: LineTablesOnly)\r  !5 = !DISubroutineType(types: !{})\r  !6 = distinct !DISubprogram(name: "f0", scope: !3, file: !3, line: 1, type: !5, unit: !4, spFlags: DISPFlagDefinition)\r  !llvm.dbg.cu = !{!4}\r  !llvm.module.flags = !{!7}\r  !7 = !{i32 2, !"Debug Info Version", i32 3}\r...\r---
        "#]]
        .assert_eq(&format!("{}\n", visible(text).lines().next().unwrap_or("")));
        expect![[r#"
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF debug-location !DILocation(line: 5, column: 65535, scope: !6) ; nothing
                %1:_(s32) = G_ADD %0, %0, debug-instr-number 4, debug-location !DILocation(line: 6, column: 65535, scope: !6)
                DBG_VALUE %1, $noreg, !1, !DIExpression(), debug-location !2
                S_NOP 0, debug-location !DILocation(line: 8, column: 65535, scope: !6)
                BUNDLE implicit $vcc, debug-location !DILocation(line: 9, column: 65535, scope: !6) {
                  %2:_(s32) = G_LOAD %3, debug-location !DILocation(line: 10, column: 65535, scope: !6) :: (load (s32))
                }
            ...
        "#]]
        .assert_eq(&visible(text).split_inclusive('\n').skip(1).collect::<String>());
    }

    #[test]
    fn functions_of_embedded_ir_get_a_subprogram_or_keep_their_own() {
        let text = "--- |
  define void @f() {
    ret void
  }
  define void @g() !dbg !1 {
    ret void
  }
  !1 = !{} ; last
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: g
body: |
  bb.0:
    S_ENDPGM 0
...
";
        expect![[r#"
            --- |
              define void @f() !dbg !5 {
                ret void
              }
              define void @g() !dbg !1 {
                ret void
              }
              !1 = !{} !2 = !DIFile(filename: "-", directory: "") !3 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: LineTablesOnly) !4 = !DISubroutineType(types: !{}) !5 = distinct !DISubprogram(name: "f0", scope: !2, file: !2, line: 2, type: !4, unit: !3, spFlags: DISPFlagDefinition) !llvm.dbg.cu = !{!3} !llvm.module.flags = !{!6} !6 = !{i32 2, !"Debug Info Version", i32 3} ; last
            ...
            ---
            name: f
            body: |
              bb.0:
                S_ENDPGM 0, debug-location !DILocation(line: 14, column: 65535, scope: !5)
            ...
            ---
            name: g
            body: |
              bb.0:
                S_ENDPGM 0, debug-location !DILocation(line: 20, column: 65535, scope: !1)
            ...
        "#]]
        .assert_eq(&visible(text));
    }
}
