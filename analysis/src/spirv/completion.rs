//! Completion in SPIR-V assembly.

use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Kind};

use super::code::Inst;
use super::place::{module, requirements, token_kind, typing};
use super::{Cx, ops};
use crate::TextSize;
use crate::ide::{Completion, CompletionKind, TokenKind};

/// Everything that may stand at the cursor; the driver keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let Some(typing) = typing(cx, at) else { return Vec::new() };
    let range = typing.word;
    let mut found = Vec::new();
    let kind = typing.expected.map(|o| o.kind);
    match kind {
        Some(Kind::ExtInstNumber) => {
            for known in typing.set.map_or(&[][..], |s| s.instructions()) {
                found.push(Completion::new(CompletionKind::Function, range, known.name));
            }
        }
        Some(kind) if kind.is_id() => ids(cx, kind, range, &mut found),
        Some(kind) => {
            for known in kind.enumerants() {
                let needs = requirements(
                    known.capabilities,
                    known.extensions,
                    known.first_version,
                    known.last_version,
                );
                found.push(
                    Completion::new(CompletionKind::Constant, range, known.name)
                        .detail(format!("{kind:?}"))
                        .documentation(needs),
                );
            }
        }
        None => {}
    }
    if typing.starts {
        for info in &INSTRUCTIONS {
            found.push(
                Completion::new(CompletionKind::Opcode, range, info.name)
                    .detail(info.class)
                    .documentation(requirements(
                        info.capabilities,
                        info.extensions,
                        info.first_version,
                        info.last_version,
                    ))
                    .rank(1),
            );
        }
    }
    found
}

/// Names that may stand where an id is wanted.
fn ids(cx: &Cx<'_>, kind: Kind, range: crate::TextRange, found: &mut Vec<Completion>) {
    let m = module(cx);
    let wanted = |inst: Inst<'_>| kind != Kind::TypeId || ops::generates_type(inst.op());
    let mut add = |inst: Inst<'_>, rank: u8| {
        if inst.id() == super::flat::NONE || !wanted(inst) {
            return;
        }
        let (class, detail) = match token_kind(inst.op(), m.is_function()) {
            TokenKind::Type => (CompletionKind::Type, m.type_name(inst.id())),
            TokenKind::Function => (CompletionKind::Function, String::new()),
            TokenKind::Label => (CompletionKind::Label, String::new()),
            TokenKind::Constant => (CompletionKind::Constant, m.type_name(inst.ty())),
            TokenKind::Variable => (CompletionKind::Variable, m.type_name(inst.ty())),
            _ => (CompletionKind::Local, m.type_name(inst.ty())),
        };
        found.push(Completion::new(class, range, m.name(inst.id())).detail(detail).rank(rank));
    };
    if m.is_function() {
        m.insts().for_each(|i| add(i, 0));
    }
    cx.scope.code.iter().for_each(|i| add(i, 1));
}
