//! Preparing a module for the compiler: every instruction gets a debug location that names its line in the user's text.
//!
//! No line is added or removed before the end, so that the compiler's own messages name the user's lines. The locations of
//! instructions are replaced; everything else of a file's own debug info stays, because taking it out can change the code.
//! A column that nobody writes ([`LINE_MARK`]) tells our locations from the file's own.

use std::fmt::Write;

use rustc_hash::FxHashMap;
use wavelens_base::{Dialect, TextRange, TextSize};
use wavelens_codegen::asm::LINE_MARK;
use wavelens_syntax::llvm::{LlvmKind, parse};
use wavelens_syntax::machine::{Element, Node};

type LlvmNode<'t> = Node<'t, LlvmKind>;

/// What stays of the target that function attributes name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keeps {
    /// The processor that the compiler is given has one wave size.
    #[default]
    Nothing,
    /// The processor that the compiler is given has both sizes: a function can choose one.
    WaveSize,
    /// The module is compiled as it is.
    All,
}

/// The module's text with line locations.
pub fn with_line_locations(text: &str, keeps: Keeps) -> String {
    let mut writer = Instrument {
        text,
        keeps,
        copied: 0,
        out: String::with_capacity(text.len() * 5 / 4),
        ..Instrument::default()
    };
    writer.free_id = first_free_metadata_id(text);
    writer.places = places(text);
    for span in wavelens_syntax::split(Dialect::Llvm, text) {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        let parse = parse(chunk);
        writer.chunk_start = span.range.start().into();
        for node in parse.root(chunk).children() {
            writer.entity(node);
        }
    }
    writer.finish()
}

#[derive(Default)]
struct Instrument<'t> {
    text: &'t str,
    out: String,
    /// Bytes of `text` that `out` holds or leaves out.
    copied: usize,
    chunk_start: usize,
    /// Lines counted up to byte `counted`.
    line: u32,
    counted: usize,
    free_id: u32,
    functions: Vec<u32>,
    has_debug_version: bool,
    keeps: Keeps,
    units: Vec<&'t str>,
    /// Scope and inlining of the module's own locations, by reference (`!7`): code generation may look at them.
    places: FxHashMap<String, String>,
}

impl<'t> Instrument<'t> {
    fn entity(&mut self, node: LlvmNode<'_>) {
        match node.kind() {
            LlvmKind::FUNCTION if node.child(LlvmKind::BODY).is_some() => self.function(node),
            LlvmKind::FUNCTION | LlvmKind::ATTR_GROUP_DEF => self.drop_target_attributes(node),
            LlvmKind::METADATA_DEF => {
                self.has_debug_version |= node.text().contains("\"Debug Info Version\"")
            }
            LlvmKind::NAMED_METADATA_DEF if node.text().starts_with("!llvm.dbg.cu") => {
                let range = self.range(node.range());
                let operands =
                    self.text.get(range.clone()).and_then(|t| t.split_once('{')?.1.rsplit_once('}'));
                self.units.extend(operands.map(|(inside, _)| inside));
                self.remove(range);
            }
            _ => {}
        }
    }

    fn function(&mut self, function: LlvmNode<'_>) {
        if has_buffers(function) {
            return self.drop_target_attributes(function);
        }
        let own = function.children().find(|n| n.kind() == LlvmKind::ATTACHMENT && is_dbg(*n));
        let own = own.and_then(|n| Some(n.child(LlvmKind::METADATA_REF)?.text().to_owned()));
        let made = format!("!{}", DebugInfo::subprogram(self.free_id, self.functions.len()));
        let subprogram = own.as_ref().unwrap_or(&made);
        for child in function.children() {
            match child.kind() {
                LlvmKind::ATTR => self.target_attribute(child),
                LlvmKind::BODY => {
                    if own.is_none() {
                        let start = self.range(child.range()).start;
                        let line = self.line_of(start);
                        self.functions.push(line);
                        self.copy_until(start);
                        // Writing to a String cannot fail, here and below.
                        let _ = write!(self.out, "!dbg {subprogram} ");
                    }
                    for block in child.children().filter(|b| b.kind() == LlvmKind::BLOCK) {
                        let instructions = block.children().filter(|n| n.kind() == LlvmKind::INST);
                        instructions.for_each(|inst| self.instruction(inst, subprogram));
                    }
                }
                _ => {}
            }
        }
    }

    fn instruction(&mut self, node: LlvmNode<'_>, subprogram: &str) {
        if calls_debug_intrinsic(node) {
            return;
        }
        let range = self.range(node.range());
        let (mut comma, mut place) = (None, None);
        for element in node.elements() {
            match element {
                Element::Token(t) if t.kind() == LlvmKind::COMMA => comma = Some(t.range()),
                Element::Node(n) if n.kind() == LlvmKind::ATTACHMENT && is_dbg(n) => {
                    place = n.child(LlvmKind::METADATA_REF).and_then(|r| self.places.get(r.text()).cloned());
                    let start = comma.map_or(n.range().start(), TextRange::start);
                    let range = self.range(TextRange::new(start, n.range().end()));
                    self.remove(range);
                }
                _ => {}
            }
        }
        let line = self.line_of(range.start) + 1;
        self.copy_until(range.end);
        let place = place.unwrap_or_else(|| format!("scope: {subprogram}"));
        let _ = write!(self.out, ", !dbg !DILocation(line: {line}, column: {LINE_MARK}, {place})");
    }

    fn drop_target_attributes(&mut self, node: LlvmNode<'_>) {
        let attributes = || node.children().filter(|n| n.kind() == LlvmKind::ATTR);
        attributes().for_each(|attribute| self.target_attribute(attribute));
        // LLVM refuses a group without attributes.
        let last = attributes().last().filter(|_| node.kind() == LlvmKind::ATTR_GROUP_DEF);
        if let Some(last) = last.filter(|_| self.keeps != Keeps::All && attributes().all(names_target)) {
            let end = self.range(last.range()).end;
            self.copy_until(end);
            self.out.push_str(PLACEHOLDER);
        }
    }

    /// `"target-cpu"` would beat the processor that is asked for; `"target-features"` goes with it, but for the size of waves.
    fn target_attribute(&mut self, attribute: LlvmNode<'_>) {
        if self.keeps == Keeps::All || !names_target(attribute) {
            return;
        }
        let features = attribute.text().strip_prefix(FEATURES);
        let range = self.range(attribute.range());
        self.remove(range);
        let features = features.unwrap_or("").split(['"', ',']).filter(|f| f.contains("wavefrontsize"));
        let kept = features.collect::<Vec<_>>().join(",");
        if self.keeps == Keeps::WaveSize && !kept.is_empty() {
            let _ = write!(self.out, "\"target-features\"=\"{kept}\"");
        }
    }

    fn range(&self, range: TextRange) -> std::ops::Range<usize> {
        std::ops::Range::<usize>::from(range + TextSize::new(self.chunk_start as u32))
    }

    fn copy_until(&mut self, end: usize) {
        self.out.push_str(self.text.get(self.copied..end).unwrap_or(""));
        self.copied = self.copied.max(end);
    }

    /// Leaves a range out, but for its line ends.
    fn remove(&mut self, range: std::ops::Range<usize>) {
        self.copy_until(range.start);
        let lines = self.text.get(range.clone()).unwrap_or("").matches('\n').count();
        self.out.extend(std::iter::repeat_n('\n', lines));
        self.copied = self.copied.max(range.end);
    }

    /// The line of an offset, counted from 0. Offsets must not go back.
    fn line_of(&mut self, offset: usize) -> u32 {
        let passed = self.text.get(self.counted..offset).unwrap_or("");
        self.line += passed.bytes().filter(|b| *b == b'\n').count() as u32;
        self.counted = self.counted.max(offset);
        self.line
    }

    fn finish(mut self) -> String {
        self.copy_until(self.text.len());
        let units: Vec<&str> = self.units.iter().map(|u| u.trim()).filter(|u| !u.is_empty()).collect();
        let made = DebugInfo {
            first: self.free_id,
            lines: &self.functions,
            units: &units.join(", "),
            has_version: self.has_debug_version,
        };
        self.out.push('\n');
        self.out.push_str(&made.entities().join("\n"));
        self.out.push('\n');
        self.out
    }
}

/// Line tables for functions that have no debug info of their own.
pub(crate) struct DebugInfo<'a> {
    /// The first free metadata number.
    pub first: u32,
    /// The line of each function, counted from 0; function `i` has the number that [`DebugInfo::subprogram`] gives.
    pub lines: &'a [u32],
    /// Compile units that are there already, as an operand list.
    pub units: &'a str,
    /// Whether the module has the flag `Debug Info Version`.
    pub(crate) has_version: bool,
}

impl DebugInfo<'_> {
    /// The metadata number of a function's subprogram.
    pub(crate) fn subprogram(first: u32, index: usize) -> u32 {
        first + 3 + index as u32
    }

    /// The module's new entities; none holds a line end.
    pub(crate) fn entities(&self) -> Vec<String> {
        let units = self.units;
        if self.lines.is_empty() {
            return vec![format!("!llvm.dbg.cu = !{{{units}}}")];
        }
        let (file, unit, kind) = (self.first, self.first + 1, self.first + 2);
        let mut out = vec![
            format!("!{file} = !DIFile(filename: \"-\", directory: \"\")"),
            format!(
                "!{unit} = distinct !DICompileUnit(language: DW_LANG_C, file: !{file}, emissionKind: LineTablesOnly)"
            ),
            format!("!{kind} = !DISubroutineType(types: !{{}})"),
        ];
        for (index, line) in self.lines.iter().enumerate() {
            out.push(format!(
                "!{} = distinct !DISubprogram(name: \"f{index}\", scope: !{file}, file: !{file}, line: {}, type: !{kind}, unit: !{unit}, spFlags: DISPFlagDefinition)",
                Self::subprogram(self.first, index),
                line + 1,
            ));
        }
        let separator = if units.is_empty() { "" } else { ", " };
        out.push(format!("!llvm.dbg.cu = !{{{units}{separator}!{unit}}}"));
        if !self.has_version {
            let flag = Self::subprogram(self.first, self.lines.len());
            out.push(format!("!llvm.module.flags = !{{!{flag}}}"));
            out.push(format!("!{flag} = !{{i32 2, !\"Debug Info Version\", i32 3}}"));
        }
        out
    }
}

/// Scope and inlining of every numbered location of a module.
fn places(text: &str) -> FxHashMap<String, String> {
    let mut places = FxHashMap::default();
    for span in wavelens_syntax::split(Dialect::Llvm, text) {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        if chunk.starts_with("define") || !chunk.contains("!DILocation") {
            continue;
        }
        for definition in parse(chunk).root(chunk).children().filter(|n| n.kind() == LlvmKind::METADATA_DEF) {
            let number = definition.token(LlvmKind::NUMBER);
            let node = definition.child(LlvmKind::METADATA_NODE);
            let (Some(number), Some(node)) = (number, node) else { continue };
            let is_place = |n: &LlvmNode<'_>| {
                n.first_token().is_some_and(|t| matches!(t.text(), "scope:" | "inlinedAt:"))
            };
            if node.first_token().is_some_and(|t| t.text() == "!DILocation") {
                let fields = node.children().filter(|n| n.kind() == LlvmKind::FIELD && is_place(n));
                let place: Vec<&str> = fields.map(|f| f.text()).collect();
                places.insert(format!("!{}", number.text()), place.join(", "));
            }
        }
    }
    places
}

pub(crate) fn is_dbg(attachment: LlvmNode<'_>) -> bool {
    attachment.first_token().is_some_and(|t| t.text() == "!dbg")
}

const CPU: &str = "\"target-cpu\"";
const FEATURES: &str = "\"target-features\"";

/// An attribute that means nothing to LLVM.
const PLACEHOLDER: &str = "\"wavelens\"";

fn names_target(attribute: LlvmNode<'_>) -> bool {
    attribute.text().starts_with(CPU) || attribute.text().starts_with(FEATURES)
}

/// Whether a function has pointers to buffers in its type or its body. LLVM makes such functions anew, and forgets to list the
/// compile unit that it makes with them.
fn has_buffers(function: LlvmNode<'_>) -> bool {
    function.text().contains("addrspace(7)")
}

fn calls_debug_intrinsic(inst: LlvmNode<'_>) -> bool {
    inst.token(LlvmKind::CALL_KW).is_some()
        && inst.children().filter(|n| n.kind() == LlvmKind::VALUE).any(|n| n.text().starts_with("@llvm.dbg."))
}

/// One more than the greatest number after a `!`.
pub(crate) fn first_free_metadata_id(text: &str) -> u32 {
    let numbers = text.split('!').skip(1).filter_map(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest.get(..digits)?.parse::<u32>().ok()
    });
    numbers.max().map_or(0, |n| n + 1)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn instructions_name_their_lines_and_own_locations_go() {
        let text = "define void @f() #0 !dbg !5 {
  call void @llvm.dbg.value(metadata i32 0, metadata !3, metadata !DIExpression()), !dbg !7
    #dbg_value(i32 0, !3, !DIExpression(), !7)
  store i32 0, ptr null, !dbg !7, !tbaa !3
  ret void
}
attributes #0 = { \"target-cpu\"=\"gfx900\" nounwind }
!llvm.dbg.cu = !{!1}
!7 = !DILocation(line: 9, column: 2, scope: !8, inlinedAt: !9)
";
        expect![[r#"
            define void @f() #0 !dbg !5 {
              call void @llvm.dbg.value(metadata i32 0, metadata !3, metadata !DIExpression()), !dbg !7
                #dbg_value(i32 0, !3, !DIExpression(), !7)
              store i32 0, ptr null, !tbaa !3, !dbg !DILocation(line: 4, column: 65535, scope: !8, inlinedAt: !9)
              ret void, !dbg !DILocation(line: 5, column: 65535, scope: !5)
            }
            attributes #0 = {  nounwind }

            !7 = !DILocation(line: 9, column: 2, scope: !8, inlinedAt: !9)

            !llvm.dbg.cu = !{!1}
        "#]]
        .assert_eq(&with_line_locations(text, Keeps::WaveSize));
    }

    #[test]
    fn functions_keep_their_wave_size_where_there_are_two() {
        let text = "define void @f() \"target-features\"=\"+gfx9-insts,+wavefrontsize64,-wavefrontsize32\" {
  ret void
}
define void @g(ptr addrspace(7) %b) \"target-features\"=\"+dpp\" {
  ret void
}
";
        let functions = |keeps| {
            let text = with_line_locations(text, keeps);
            text.lines().take(6).collect::<Vec<_>>().join("\n")
        };
        expect![[r#"
            define void @f() "target-features"="+wavefrontsize64,-wavefrontsize32" !dbg !3 {
              ret void, !dbg !DILocation(line: 2, column: 65535, scope: !3)
            }
            define void @g(ptr addrspace(7) %b)  {
              ret void
            }"#]]
        .assert_eq(&functions(Keeps::WaveSize));
        assert!(functions(Keeps::All).contains("+gfx9-insts"));
        assert!(!functions(Keeps::Nothing).contains("wavefrontsize"));
    }

    /// LLVM 22 makes it anew, with a compile unit that no list has, and then refuses the module.
    #[test]
    fn a_function_that_uses_buffers_has_no_lines() {
        let text = "define void @f(ptr addrspace(8) %r) {
  %p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)
  store i32 0, ptr addrspace(7) %p
  ret void
}
";
        assert!(!with_line_locations(text, Keeps::All).contains("!dbg"));
        assert!(with_line_locations("define void @f() {\n  ret void\n}\n", Keeps::All).contains("!dbg"));
    }

    #[test]
    fn a_group_is_not_left_without_attributes() {
        let group = |attributes: &str| {
            let text = format!("attributes #0 = {{ {attributes} }}\n");
            with_line_locations(&text, Keeps::Nothing).lines().next().map(str::to_owned)
        };
        let cpu = "\"target-cpu\"=\"gfx942\"";
        assert_eq!(group(cpu).as_deref(), Some("attributes #0 = { \"wavelens\" }"));
        assert_eq!(group(&format!("nounwind {cpu}")).as_deref(), Some("attributes #0 = { nounwind  }"));
    }
}
