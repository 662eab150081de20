//! Completion of what is not an id: strings, member indices, the operation of OpSpecConstantOp, and new ids.

use wavelens_base::{TextRange, TextSize};
use wavelens_spirv::flat::{NONE, hash_name};
use wavelens_spirv::type_names::member_name;
use wavelens_syntax::spirv::tables::{EXTENSIONS, INSTRUCTIONS, Kind, Op, is_spec_constant_op};

use super::Cx;
use super::place::{Typing, module};
use crate::answers::{Completion, CompletionKind};

/// The instruction sets that OpExtInstImport names.
const IMPORTS: &[&str] = &[
    "GLSL.std.450",
    "OpenCL.std",
    "NonSemantic.Shader.DebugInfo.100",
    "NonSemantic.DebugPrintf",
    "OpenCL.DebugInfo.100",
    "NonSemantic.ClspvReflection.5",
    "SPV_AMD_gcn_shader",
    "SPV_AMD_shader_ballot",
    "SPV_AMD_shader_explicit_vertex_parameter",
    "SPV_AMD_shader_trinary_minmax",
];

/// The values that this operand can have, if it is one of these kinds.
pub(super) fn complete(cx: &Cx<'_>, typing: &Typing, at: TextSize) -> Vec<Completion> {
    match (typing.op, typing.expected.map(|o| o.kind)) {
        (Some(Op::Extension), Some(Kind::LiteralString)) => strings(cx, typing, at, &EXTENSIONS),
        (Some(Op::ExtInstImport), Some(Kind::LiteralString)) => strings(cx, typing, at, IMPORTS),
        (Some(_), Some(Kind::SpecConstantOp)) => operations(typing),
        (
            Some(Op::MemberDecorate | Op::MemberName | Op::MemberDecorateString),
            Some(Kind::LiteralInteger),
        ) if typing.index == 1 => members(cx, typing),
        _ => Vec::new(),
    }
}

/// Names in quotation marks. A string that does not end yet reaches over the following lines: only this line's part is replaced.
fn strings(cx: &Cx<'_>, typing: &Typing, at: TextSize, names: &[&str]) -> Vec<Completion> {
    let rest = cx.text.get(usize::from(at)..).unwrap_or("");
    let line = rest.lines().next().unwrap_or("");
    let is_open = cx.slice(TextRange::new(typing.word.start(), at)).starts_with('"');
    let typed = match line.find('"').filter(|_| is_open) {
        Some(end) => end + 1,
        None => line.find(|c: char| c.is_whitespace()).unwrap_or(line.len()),
    };
    let range = TextRange::new(typing.word.start().min(at), at + TextSize::new(typed as u32));
    names.iter().map(|name| Completion::new(CompletionKind::Constant, range, format!("\"{name}\""))).collect()
}

/// The operations of OpSpecConstantOp, without `Op`.
fn operations(typing: &Typing) -> Vec<Completion> {
    let known = INSTRUCTIONS.iter().filter(|info| is_spec_constant_op(info.op));
    known
        .filter_map(|info| info.name.strip_prefix("Op"))
        .map(|name| Completion::new(CompletionKind::Opcode, typing.word, name))
        .collect()
}

/// The members of a structure by index, with name and type.
fn members(cx: &Cx<'_>, typing: &Typing) -> Vec<Completion> {
    let m = module(cx);
    let name = typing.written.first().and_then(|word| word.strip_prefix('%')).unwrap_or("");
    let Some(id) = cx.scope.names.get(&hash_name(name)).copied().filter(|id| *id != NONE) else {
        return Vec::new();
    };
    let member = |(index, ty): (usize, &u32)| {
        let name = member_name(&m, id, index as u32).map_or(String::new(), |name| format!("{name}: "));
        let detail = format!("{name}{}", m.type_name(*ty));
        Completion::new(CompletionKind::Constant, typing.word, index.to_string()).detail(detail)
    };
    m.members(id).iter().enumerate().map(member).collect()
}

/// A result id that the module does not use yet, for an instruction that starts here.
pub(super) fn fresh(cx: &Cx<'_>, typing: &Typing, at: TextSize) -> Option<Completion> {
    let before = cx.text.get(..usize::from(typing.word.start().min(at)))?;
    let is_start = before.rsplit('\n').next()?.trim().is_empty();
    let texts = cx.view.chunks().iter().map(|c| cx.view.text(*c));
    let number = |name: &str| -> Option<u32> {
        let digits = name.find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len());
        name.get(..digits)?.parse().ok()
    };
    let highest = |text: &str| text.split('%').skip(1).filter_map(number).max();
    let last = is_start.then(|| texts.filter_map(highest).max().unwrap_or(0))?;
    let label = format!("%{}", last.checked_add(1)?);
    let item = Completion::new(CompletionKind::Local, typing.word, label.clone());
    Some(item.detail("a new id").insert(format!("{label} = ")).rank(0))
}
