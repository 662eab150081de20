//! From SPIR-V assembly to the files that OpLine and NonSemantic.Shader.DebugInfo.100 name, and to source text inside the module.

use wavelens_base::{TextRange, TextSize};
use wavelens_spirv::code::{Id, Inst};
use wavelens_spirv::context::RuleContext;
use wavelens_syntax::spirv::tables::{ExtSet, Op, ShaderDebugInfo100};

use super::Cx;
use super::place::{definition_range, inst_at, module, text_at};
use crate::answers::{EmbeddedText, SourcePlace};

/// Instructions that are looked through for the line before one.
const STEPS: u32 = 10_000;

/// The place in the source of the instruction at an offset.
pub fn place(cx: &Cx<'_>, at: TextSize) -> Option<SourcePlace> {
    let m = module(cx);
    let index = inst_at(cx, at)?;
    let origin = *cx.lowered.inst_ranges.get(index)?;
    let here = m.first + index as u32;
    if m.inst(here)?.op() == Op::String {
        return file_of_string(&m, here, origin);
    }
    for at in (here.saturating_sub(STEPS).max(m.first)..=here).rev() {
        let inst = m.inst(at)?;
        match inst.op() {
            Op::Line => return of_line(cx, &m, inst, origin),
            Op::NoLine => return None,
            // A line ends with its block.
            Op::FunctionEnd | Op::Function => return None,
            op if wavelens_spirv::ops::is_terminator(op) && at != here => return None,
            _ if debug(&m, inst) == Some(ShaderDebugInfo100::DebugLine) => {
                return of_debug_line(cx, &m, inst, origin);
            }
            _ if debug(&m, inst) == Some(ShaderDebugInfo100::DebugNoLine) => return None,
            _ => {}
        }
    }
    None
}

/// Strings that name files.
pub fn links(cx: &Cx<'_>) -> Vec<SourcePlace> {
    let m = module(cx);
    let strings = m.insts().filter(|inst| inst.op() == Op::String);
    strings
        .filter_map(|inst| {
            let range = *cx.lowered.inst_ranges.get((inst.at - m.first) as usize)?;
            let written = cx.slice(range);
            let (first, last) = (written.find('"')? + 1, written.rfind('"')?);
            let start = range.start() + TextSize::new(first as u32);
            let inner = TextRange::at(start, TextSize::new(last.checked_sub(first)? as u32));
            file_of_string(&m, inst.at, inner)
        })
        .collect()
}

/// The number of an instruction of the debug information for shaders.
fn debug(m: &RuleContext<'_>, inst: Inst<'_>) -> Option<u32> {
    let set = (inst.op() == Op::ExtInst).then(|| m.scope.import(m.global(inst.operand(2))))??;
    (set == ExtSet::ShaderDebugInfo100).then(|| inst.ext_number())
}

/// A string that looks like the name of a file: the module uses it as one, or it has an ending.
fn file_of_string(m: &RuleContext<'_>, at: u32, origin: TextRange) -> Option<SourcePlace> {
    let name = m.inst(at)?.string(1).to_string();
    let is_file = !name.contains('\n') && name.len() < 1024 && has_ending(&name);
    is_file.then_some(SourcePlace {
        origin,
        directory: String::new(),
        file: name,
        line: 0,
        column: 0,
        text: None,
    })
}

fn has_ending(name: &str) -> bool {
    let last = name.rsplit(['/', '\\']).next().unwrap_or("");
    last.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=8).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

fn of_line(cx: &Cx<'_>, m: &RuleContext<'_>, inst: Inst<'_>, origin: TextRange) -> Option<SourcePlace> {
    let (file, line) = (inst.operand(0), inst.operand(1));
    let name = m.def(file).filter(|def| def.op() == Op::String)?.string(1).to_string();
    // OpSource may hold the text of the file.
    let preamble = || (0..m.scope.code.insts.len() as u32).filter_map(|at| m.scope.code.inst(at));
    let source =
        preamble().find(|inst| inst.op() == Op::Source && inst.opt_operand(2) == Some(m.global(file)));
    let text = source
        .filter(|source| source.count() > 3)
        .and_then(|source| embedded(cx, &source.string(3), line, module_text(cx, m, source.at)));
    Some(SourcePlace { origin, directory: String::new(), file: name, line, column: inst.operand(2), text })
}

fn of_debug_line(cx: &Cx<'_>, m: &RuleContext<'_>, inst: Inst<'_>, origin: TextRange) -> Option<SourcePlace> {
    let number = |operand: usize| m.uint(inst.operand(operand)).and_then(|n| u32::try_from(n).ok());
    let source = m.def(inst.operand(4))?;
    if debug(m, source) != Some(ShaderDebugInfo100::DebugSource) {
        return None;
    }
    let string = |id: Id| m.def(id).filter(|def| def.op() == Op::String);
    let line = number(5)?;
    let text = source
        .opt_operand(5)
        .and_then(|id| embedded(cx, &string(id)?.string(1), line, definition_range(cx, m, id)));
    Some(SourcePlace {
        origin,
        directory: String::new(),
        file: string(source.operand(4))?.string(1).to_string(),
        line,
        column: number(7).unwrap_or(0),
        text,
    })
}

/// The range in the file of an instruction of the preamble.
fn module_text(cx: &Cx<'_>, m: &RuleContext<'_>, at: u32) -> Option<TextRange> {
    let (chunk, item) = *m.scope.origin.get(at as usize)?;
    let index = cx.view.index_of(chunk)?;
    let wavelens_check::dialect::Lowered::Spirv(lowered) = cx.view.lowered(*cx.view.chunks().get(index)?)
    else {
        return None;
    };
    Some(*lowered.inst_ranges.get(item as usize)? + cx.view.start(index))
}

/// A line of a text. `whole` is the range of the instruction that holds the text.
fn embedded(cx: &Cx<'_>, text: &str, line: u32, whole: Option<TextRange>) -> Option<EmbeddedText> {
    let line = text.lines().nth(line.checked_sub(1)? as usize)?;
    // Lines that are written with escapes, or twice, are not found: the instruction is shown.
    let found = whole.and_then(|whole| {
        let written = text_at(cx, whole)?;
        let mut places = written.match_indices(line).filter(|_| !line.trim().is_empty());
        let (at, _) = places.next().filter(|_| places.next().is_none())?;
        Some(TextRange::at(whole.start() + TextSize::new(at as u32), TextSize::of(line)))
    });
    Some(EmbeddedText { line: line.to_owned(), range: found.or(whole) })
}
