//! Lines and columns of debug information, against the text of their source.

use rustc_hash::FxHashMap;
use wavelens_syntax::spirv::tables::{ExtSet, Op, ShaderDebugInfo100 as D};

use super::debug_info::{has_source_location, is_debug};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::scope::Scope;
use wavelens_base::{Fault, Severity, Verdict, fail_at};

wavelens_syntax::rules! {
    DEBUG_SOURCE_RANGE {
        code: "debug-source-range",
        severity: Severity::Hint,
        title: "lines and columns of debug information are in the text of their DebugSource",
        explain: "SPIRV-Tools 2026.2 and newer reject a line after the last one of the text, a column after the end of its line, and a \
            DebugLine that starts at line 0; older versions accept them. glslang writes such columns itself, so this is a hint. Where the \
            newest validator decides, report it as an error: `--severity debug-source-range=error`, or the same in `wavelens.toml`.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
%file = OpString "a.comp"
%text = OpString "void main() {}"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%n1 = OpConstant %uint 1
%n2 = OpConstant %uint 2
%n4 = OpConstant %uint 4
%source = OpExtInst %void %set DebugSource %file %text
%unit = OpExtInst %void %set DebugCompilationUnit %n1 %n4 %source %n2
%block = OpExtInst %void %set DebugLexicalBlock %source %n2 %n1 %unit
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
%file = OpString "a.comp"
%text = OpString "void main() {}"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%n1 = OpConstant %uint 1
%n2 = OpConstant %uint 2
%n4 = OpConstant %uint 4
%source = OpExtInst %void %set DebugSource %file %text
%unit = OpExtInst %void %set DebugCompilationUnit %n1 %n4 %source %n2
%block = OpExtInst %void %set DebugLexicalBlock %source %n1 %n1 %unit
"#,
        source: "SPIRV-Tools validate_extensions.cpp, ValidateOperandDebugSource and DebugLine",
    }
}

/// By DebugSource, how many columns each line of its text has: one more than bytes.
pub(crate) type SourceLines = FxHashMap<Id, Vec<u32>>;

/// The lines of each DebugSource that has its text.
pub(crate) fn source_lines(scope: &Scope) -> SourceLines {
    let mut found = SourceLines::default();
    // A DebugSourceContinued belongs to the DebugSource before it, and goes on in the last line if that has no end.
    let (mut source, mut is_open) = (None, false);
    for inst in scope.code.iter().filter(|inst| inst.is_whole() && is_of_debug_set(*inst)) {
        let text = match inst.ext_number() {
            D::DebugSource => {
                source = Some(inst.id());
                is_open = false;
                inst.word(6)
            }
            D::DebugSourceContinued => inst.word(5),
            _ => {
                source = None;
                continue;
            }
        };
        let Some((id, text)) = source.zip(text_of(scope, text)) else { continue };
        let lines = found.entry(id).or_default();
        if is_open && let Some(last) = lines.pop() {
            append(lines, &text, last);
        } else {
            append(lines, &text, 1);
        }
        is_open = !text.is_empty() && !text.ends_with('\n');
    }
    found
}

/// Adds the lines of a text, the first of which has columns already.
fn append(lines: &mut Vec<u32>, text: &str, mut columns: u32) {
    let mut bytes = text.bytes().peekable();
    let mut is_ended = true;
    while let Some(byte) = bytes.next() {
        is_ended = matches!(byte, b'\n' | b'\r');
        if is_ended {
            bytes.next_if(|next| byte == b'\r' && *next == b'\n');
            lines.push(columns);
            columns = 1;
        } else {
            columns += 1;
        }
    }
    if !is_ended {
        lines.push(columns);
    }
}

/// The string that an id names.
fn text_of(scope: &Scope, id: Id) -> Option<String> {
    let inst = scope.def(id).filter(|inst| inst.is_whole())?;
    (inst.op() == Op::String).then(|| inst.string(1).to_string())
}

fn is_of_debug_set(inst: Inst<'_>) -> bool {
    matches!(inst.raw.set, Some(ExtSet::ShaderDebugInfo100 | ExtSet::OpenClDebugInfo100))
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !is_of_debug_set(inst) {
        return Ok(());
    }
    let shader = inst.raw.set == Some(ExtSet::ShaderDebugInfo100);
    let value = |word: usize| if shader { m.uint(inst.word(word)) } else { Some(u64::from(inst.word(word))) };
    let at = |source: usize, line: usize, column: usize| {
        let Some((number, column_value)) = value(line).zip(value(column)) else { return Ok(()) };
        let Some(columns) = line_of(m, inst, source, line, number)? else { return Ok(()) };
        check_column(column, column_value, number, columns)
    };
    match inst.ext_number() {
        number if has_source_location(number) => at(7, 8, 9),
        D::DebugLexicalBlock => at(5, 6, 7),
        D::DebugTypeTemplateParameter => at(8, 9, 10),
        D::DebugLine if shader => {
            let (Some(first), Some(last)) = (value(6), value(7)) else { return Ok(()) };
            let (Some(start), Some(end)) = (value(8), value(9)) else { return Ok(()) };
            if first == 0 {
                return wrong(6, "Line Start must be at least 1, is 0");
            }
            let Some(columns) = line_of(m, inst, 5, 7, last)? else { return Ok(()) };
            if first != last
                && let Some(columns) = line_of(m, inst, 5, 6, first)?
            {
                check_column(8, start, first, columns)?;
            }
            check_column(9, end, last, columns)
        }
        _ => Ok(()),
    }
}

/// The columns of a line in the text of a source; `None` where the text or the line is not given.
fn line_of(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    source: usize,
    at: usize,
    line: u64,
) -> Result<Option<u32>, Box<Fault>> {
    let id = inst.word(source);
    let Some(lines) =
        m.scope.source_lines.get(&id).filter(|lines| !lines.is_empty() && is_debug(m, id, &[D::DebugSource]))
    else {
        return Ok(None);
    };
    if line > lines.len() as u64 {
        let name = m.name(id);
        wrong(at, format!("line {line} is after the last line of the text of `{name}`, {}", lines.len()))?;
    }
    Ok((line as usize).checked_sub(1).and_then(|line| lines.get(line)).copied())
}

fn check_column(at: usize, column: u64, line: u64, columns: u32) -> Verdict {
    if column <= u64::from(columns) {
        return Ok(());
    }
    wrong(at, format!("column {column} is after the end of line {line}, column {columns}"))
}

fn wrong(word: usize, message: impl Into<String>) -> Verdict {
    fail_at(&DEBUG_SOURCE_RANGE, word.saturating_sub(1), message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::append;
    use crate::rules::testing::marks;

    #[test]
    fn ends_of_lines_are_those_of_any_system() {
        let lines = |text: &str| {
            let mut lines = Vec::new();
            append(&mut lines, text, 1);
            lines
        };
        assert_eq!(lines("ab\r\nc\rdef\n"), [3, 2, 4]);
        assert_eq!(lines("ab\n\nc"), [3, 1, 2]);
        assert_eq!(lines(""), []);
    }

    #[test]
    fn lines_and_columns_are_in_the_text() {
        marks(expect![[r#"
            ; target-env: spv1.6
            OpCapability Shader
            OpCapability Linkage
            OpExtension "SPV_KHR_non_semantic_info"
            %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
            OpMemoryModel Logical GLSL450
            %file = OpString "a.comp"
            %text = OpString "ab
            cd"
            %more = OpString "ef
            "
            %void = OpTypeVoid
            %uint = OpTypeInt 32 0
            %n0 = OpConstant %uint 0
            %n1 = OpConstant %uint 1
            %n2 = OpConstant %uint 2
            %n3 = OpConstant %uint 3
            %n4 = OpConstant %uint 4
            %n5 = OpConstant %uint 5
            %n6 = OpConstant %uint 6
            %source = OpExtInst %void %set DebugSource %file %text
            %rest = OpExtInst %void %set DebugSourceContinued %more
            %bare = OpExtInst %void %set DebugSource %file
            %unit = OpExtInst %void %set DebugCompilationUnit %n1 %n4 %source %n2
            %b1 = OpExtInst %void %set DebugLexicalBlock %source %n1 %n3 %unit
            %b2 = OpExtInst %void %set DebugLexicalBlock %source %n1 %n4 %unit
            ;                                                        ^^^ hint[debug-source-range]: column 4 is after the end of line 1, column 3
            ;                                                          = line 18:1: defined here
            %b3 = OpExtInst %void %set DebugLexicalBlock %source %n2 %n5 %unit
            %b4 = OpExtInst %void %set DebugLexicalBlock %source %n2 %n6 %unit
            ;                                                        ^^^ hint[debug-source-range]: column 6 is after the end of line 2, column 5
            ;                                                          = line 20:1: defined here
            %b5 = OpExtInst %void %set DebugLexicalBlock %source %n3 %n1 %unit
            ;                                                    ^^^ hint[debug-source-range]: line 3 is after the last line of the text of `%source`, 2
            ;                                                      = line 17:1: defined here
            %b6 = OpExtInst %void %set DebugLexicalBlock %bare %n6 %n6 %unit
            %b7 = OpExtInst %void %set DebugLexicalBlock %source %n0 %n6 %unit
            %type = OpTypeFunction %void
            %f = OpFunction %void None %type
            %l = OpLabel
            %d1 = OpExtInst %void %set DebugLine %source %n0 %n1 %n1 %n1
            ;                                            ^^^ hint[debug-source-range]: Line Start must be at least 1, is 0
            ;                                              = line 14:1: defined here
            %d2 = OpExtInst %void %set DebugLine %source %n1 %n2 %n4 %n1
            ;                                                    ^^^ hint[debug-source-range]: column 4 is after the end of line 1, column 3
            ;                                                      = line 18:1: defined here
            %d3 = OpExtInst %void %set DebugLine %source %n1 %n2 %n3 %n6
            ;                                                        ^^^ hint[debug-source-range]: column 6 is after the end of line 2, column 5
            ;                                                          = line 20:1: defined here
            %d4 = OpExtInst %void %set DebugLine %source %n1 %n1 %n1 %n4
            ;                                                        ^^^ hint[debug-source-range]: column 4 is after the end of line 1, column 3
            ;                                                          = line 18:1: defined here
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
