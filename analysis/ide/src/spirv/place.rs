//! The entity at a place of a chunk; shared by the editor features.

use wavelens_base::{TextRange, TextSize};
use wavelens_check::dialect::Lowered;
use wavelens_spirv::code::{Id, Inst};
use wavelens_spirv::context::{Definition, RuleContext};
use wavelens_spirv::flat::{NONE, hash_name};
use wavelens_spirv::ops;
use wavelens_syntax::spirv::SpirvKind::{self, *};
use wavelens_syntax::spirv::lex;
use wavelens_syntax::spirv::tables::{EXTENSIONS, ExtInst, Kind, NEVER, Op, Operand, Quantifier};

use super::Cx;
use crate::answers::TokenKind;

/// The chunk as the rules see it.
pub(super) fn module<'db>(cx: &Cx<'db>) -> RuleContext<'db> {
    RuleContext::new(&cx.lowered.flat, cx.scope, cx.id())
}

/// Index in the chunk of the instruction at an offset.
pub(super) fn inst_at(cx: &Cx<'_>, at: TextSize) -> Option<usize> {
    let ranges = &cx.lowered.inst_ranges;
    let index = ranges.partition_point(|r| r.start() <= at).checked_sub(1)?;
    ranges.get(index).filter(|r| r.contains_inclusive(at)).map(|_| index)
}

/// The operand of an instruction at an offset: its index.
pub(super) fn operand_at(cx: &Cx<'_>, inst: usize, at: TextSize) -> Option<usize> {
    let raw = cx.lowered.flat.insts.get(inst)?;
    let ranges = cx.lowered.operand_ranges.get(raw.first as usize..(raw.first + raw.count) as usize)?;
    ranges.iter().position(|r| r.contains_inclusive(at) && !r.is_empty())
}

/// The file range of the instruction that defines an id.
pub(super) fn definition_range(cx: &Cx<'_>, m: &RuleContext<'_>, id: Id) -> Option<TextRange> {
    match m.definition(id) {
        Definition::Here(at) => Some(*cx.lowered.inst_ranges.get(at as usize)? + cx.start()),
        Definition::Module(at) => {
            let (chunk, item) = *m.scope.origin.get(at as usize)?;
            let index = cx.view.index_of(chunk)?;
            let Lowered::Spirv(lowered) = cx.view.lowered(*cx.view.chunks().get(index)?) else { return None };
            Some(*lowered.inst_ranges.get(item as usize)? + cx.view.start(index))
        }
        Definition::Elsewhere | Definition::Missing => None,
    }
}

/// The text at a range of the file inside one chunk.
pub(super) fn text_at<'db>(cx: &Cx<'db>, range: TextRange) -> Option<&'db str> {
    let (index, chunk, _) = cx.view.chunk_at(range.start())?;
    let range = std::ops::Range::<usize>::from(range - cx.view.start(index));
    cx.view.text(chunk).get(range)
}

/// What an id is, for colours and completion.
pub(super) fn token_kind(op: Op, in_function: bool) -> TokenKind {
    match op {
        Op::Function => TokenKind::Function,
        Op::FunctionParameter => TokenKind::Parameter,
        Op::Label => TokenKind::Label,
        Op::Variable | Op::UntypedVariableKHR if !in_function => TokenKind::Variable,
        Op::ExtInstImport => TokenKind::Macro,
        op if ops::generates_type(op) => TokenKind::Type,
        op if op.info().is_some_and(|i| i.class == "Constant-Creation") => TokenKind::Constant,
        _ => TokenKind::Local,
    }
}

/// The opcode that defines a name of the chunk.
pub(super) fn defining_op(cx: &Cx<'_>, local: u32) -> Option<Op> {
    let name = cx.lowered.flat.names.get(local as usize)?;
    if name.def != NONE {
        return cx.lowered.flat.insts.get(name.def as usize).map(|i| i.op);
    }
    let id = *cx.scope.names.get(&name.hash)?;
    let inst = cx.scope.defs.get(id as usize).and_then(|d| cx.scope.code.inst(*d));
    inst.map(Inst::op).or_else(|| cx.scope.bodies.get(&id).map(|b| b.op))
}

/// A decoration with its parameters.
pub(super) fn decoration_text(m: &RuleContext<'_>, decoration: &wavelens_spirv::scope::Decoration) -> String {
    let known = Kind::Decoration.valued(decoration.kind);
    let mut text = known.map_or("?", |e| e.name).to_owned();
    let Some(inst) = m.scope.code.inst(decoration.inst) else { return text };
    let params = inst.operands().iter().enumerate().filter(|(_, o)| o.offset >= decoration.params as u16);
    for (index, operand) in params {
        text.push(' ');
        let word = inst.operand(index);
        match operand.kind {
            Kind::LiteralString => text.push_str(&format!("\"{}\"", inst.string(index))),
            kind if kind.is_id() => text.push_str(&m.name(word)),
            kind => match kind.valued(word).filter(|_| !kind.is_mask()) {
                Some(value) => text.push_str(value.name),
                None => text.push_str(&word.to_string()),
            },
        }
    }
    text
}

/// What a value or instruction requires, as text; empty if nothing.
pub(super) fn requirements(capabilities: &[u32], extensions: &[u16], first: u32, last: u32) -> String {
    let mut lines = Vec::new();
    let list = |names: Vec<&str>| names.join("`, `");
    if !capabilities.is_empty() {
        let names = capabilities.iter().filter_map(|c| Kind::Capability.valued(*c)).map(|e| e.name).collect();
        lines.push(format!("Capability: `{}`", list(names)));
    }
    if !extensions.is_empty() {
        let names = extensions.iter().filter_map(|e| EXTENSIONS.get(usize::from(*e)).copied()).collect();
        lines.push(format!("Extension: `{}`", list(names)));
    }
    let version = |v: u32| format!("{}.{}", v >> 16, v >> 8 & 0xff);
    if first != NEVER && first > 0x10000 {
        lines.push(format!("Since SPIR-V {}", version(first)));
    }
    if last != NEVER {
        lines.push(format!("Until SPIR-V {}", version(last)));
    }
    lines.join("  \n")
}

/// Where in an instruction a cursor is.
#[derive(Debug)]
pub(super) struct Typing {
    /// The word under the cursor; empty between words.
    pub word: TextRange,
    /// The instruction being written, unless a new one may start only here.
    pub op: Option<Op>,
    /// What the grammar wants here.
    pub expected: Option<Operand>,
    /// Position of `expected` in the instruction's grammar; past the end for parameters of enumerants.
    pub index: usize,
    /// The set of the extended instruction being written.
    pub set: Option<wavelens_syntax::spirv::tables::ExtSet>,
    /// The extended instruction being written, and the position of `expected` in its grammar.
    pub inst: Option<&'static ExtInst>,
    /// Index of the instruction around the offset.
    pub(crate) in_inst: Option<usize>,
    /// The words after the opcode, up to the cursor, without commas.
    pub written: Vec<String>,
    /// Whether a new instruction may start here.
    pub starts: bool,
}

/// Reads the words before a cursor.
pub(super) fn typing(cx: &Cx<'_>, at: TextSize) -> Option<Typing> {
    let lexed = lex(cx.text);
    let significant: Vec<usize> = (0..lexed.len())
        .take_while(|i| lexed.start(*i) < u32::from(at))
        .filter(|i| !matches!(lexed.kind(*i), WHITESPACE | COMMENT | COMMA | L_PAREN | R_PAREN))
        .collect();
    let inside_comment = (0..lexed.len())
        .take_while(|i| lexed.start(*i) < u32::from(at))
        .last()
        .is_some_and(|i| lexed.kind(i) == COMMENT && lexed.range(i).end() >= at);
    if inside_comment {
        return None;
    }
    let under = significant.last().copied().filter(|i| lexed.range(*i).end() >= at && lexed.kind(*i) != EQ);
    let before = significant.split_last().filter(|_| under.is_some()).map_or(&significant[..], |(_, b)| b);
    let word = under.map_or(TextRange::empty(at), |i| lexed.range(i));
    let kind = |i: &usize| -> SpirvKind { lexed.kind(*i) };
    let after_eq = before.last().map(kind) == Some(EQ);
    let nothing = Typing {
        word,
        op: None,
        expected: None,
        index: 0,
        set: None,
        inst: None,
        in_inst: None,
        written: Vec::new(),
        starts: true,
    };
    let Some(opcode) = before.iter().rposition(|i| kind(i) == OPCODE).filter(|_| !after_eq) else {
        return Some(nothing);
    };
    let text = |i: usize| lexed.text(cx.text, i);
    let name = before.get(opcode).map_or("", |i| text(*i)).strip_prefix("Op");
    let Some(info) = name.and_then(Op::from_name) else { return Some(nothing) };
    let written: Vec<&str> = before.get(opcode + 1..).unwrap_or_default().iter().map(|i| text(*i)).collect();
    let mut pattern: Vec<(usize, Operand)> = info.operands.iter().copied().enumerate().rev().collect();
    pattern.retain(|(_, o)| o.kind != Kind::ResultId);
    let (mut set, mut inst) = (None, None);
    for token in &written {
        let token = *token;
        expand(&mut pattern);
        let Some((index, spec)) = pattern.pop() else { return Some(nothing) };
        if spec.quantifier == Quantifier::Many {
            pattern.push((index, spec));
        }
        if let Some(id) = token.strip_prefix('%').filter(|_| info.op == Op::ExtInst && set.is_none()) {
            set = cx.scope.names.get(&hash_name(id)).and_then(|id| cx.scope.import(*id));
        }
        match spec.kind {
            Kind::ExtInstNumber => {
                inst = set.and_then(|s| s.named(token));
                if let Some(known) = inst {
                    pattern = known.operands.iter().enumerate().rev().map(|(n, o)| (OWN + n, *o)).collect();
                }
            }
            kind => {
                for part in token.split('|') {
                    let parameters = kind.named(part).map_or(&[][..], |e| e.parameters);
                    pattern.extend(parameters.iter().rev().map(|o| (usize::MAX, *o)));
                }
            }
        }
    }
    expand(&mut pattern);
    let (index, expected) = pattern.pop().map_or((usize::MAX, None), |(i, o)| (i, Some(o)));
    let starts = expected.is_none_or(|o| o.quantifier != Quantifier::One);
    let in_inst = index.checked_sub(OWN).filter(|_| index != usize::MAX);
    let written = written.into_iter().map(str::to_owned).collect();
    Some(Typing { word, op: Some(info.op), expected, index, set, inst, in_inst, written, starts })
}

/// Positions in an extended instruction's own grammar start here.
const OWN: usize = 1 << 16;

/// Puts one turn of a repeated pair on top of the pattern.
fn expand(pattern: &mut Vec<(usize, Operand)>) {
    let Some((index, spec)) = pattern.last().copied() else { return };
    let pair = match spec.kind {
        Kind::PairLiteralId => [Kind::Id, Kind::TypedLiteral],
        Kind::PairIdLiteral => [Kind::LiteralInteger, Kind::Id],
        _ => return,
    };
    let [last, first] = pair.map(|kind| Operand { kind, quantifier: Quantifier::One });
    pattern.extend([(index, last), (index, Operand { quantifier: Quantifier::Optional, ..first })]);
}
