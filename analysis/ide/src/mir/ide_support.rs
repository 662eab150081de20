//! What the answers for editors share.

use wavelens_base::{TextRange, TextSize};
use wavelens_isa::mir::{Tables, flag};
use wavelens_mir::model::{
    Function, Instruction, OperandKind, RegisterName, Symbol, Text, Type, VirtualName,
};
use wavelens_syntax::machine::{Kind, Lexed};
use wavelens_syntax::mir::MirKind;

use super::Cx;

/// The embedded IR of a chunk, as the LLVM dialect's answers want it.
pub(super) fn ir<'db>(cx: &Cx<'db>) -> Option<crate::llvm::Cx<'db>> {
    Some(crate::answers::ChunkCx {
        view: cx.view,
        lowered: cx.lowered.ir.as_ref()?,
        scope: &cx.scope.llvm,
        text: cx.text,
        index: cx.index,
        chunk: cx.chunk,
    })
}

pub(super) fn function<'db>(cx: &Cx<'db>) -> Option<&'db Function> {
    cx.lowered.function.as_ref()
}

/// The tables of the file's target.
pub(super) fn tables(cx: &Cx<'_>) -> Option<&'static Tables> {
    Some(cx.scope.machine?.tables())
}

/// The token at an offset, except blanks: the one that starts there, or the one that ends there.
pub(super) fn token_at(lexed: &Lexed<MirKind>, at: TextSize) -> Option<(MirKind, TextRange)> {
    let index = lexed.at_offset(at);
    [Some(index), index.checked_sub(1)]
        .into_iter()
        .flatten()
        .filter(|i| !lexed.kind(*i).is_trivia() && lexed.kind(*i) != MirKind::NEWLINE)
        .map(|i| (lexed.kind(i), lexed.range(i)))
        .find(|(_, range)| range.contains_inclusive(at))
}

/// From a block's label to the end of its last instruction.
pub(super) fn block_range(f: &Function, block: usize) -> TextRange {
    let Some(block) = f.blocks.get(block) else { return TextRange::default() };
    block.instructions.of(&f.instructions).last().map_or(block.range, |i| block.range.cover(i.range))
}

/// The number after those of all virtual registers.
pub(super) fn next_number(f: &Function) -> u32 {
    let behind = f.registers.iter().filter_map(|r| match r.name {
        VirtualName::Number(n) => Some(n + 1),
        VirtualName::Name(_) => None,
    });
    behind.max().unwrap_or(0)
}

/// Values of the YAML that may name virtual registers (`'%0'`).
pub(super) fn quoted_registers(f: &Function) -> impl Iterator<Item = &Text> {
    let live_ins = f.live_ins.iter().map(|l| &l.virtual_register);
    live_ins.chain(f.register_decls.iter().map(|d| &d.preferred))
}

/// What declarations and uses say of a virtual register.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Virtual {
    pub(super) class: Symbol,
    pub(super) ty: Option<Type>,
    /// The first definition.
    pub(super) definition: Option<TextRange>,
    pub(super) uses: u32,
}

/// All virtual registers of a function.
pub(super) fn virtuals(f: &Function) -> Vec<Virtual> {
    let mut all = vec![Virtual::default(); f.registers.len()];
    for decl in &f.register_decls {
        if let Some(info) = all.get_mut(decl.register as usize) {
            info.class = decl.class;
        }
    }
    for operand in &f.operands {
        let Some(register) = operand.register() else { continue };
        let RegisterName::Virtual(v) = register.name else { continue };
        let Some(info) = all.get_mut(v as usize) else { continue };
        info.ty = info.ty.or(register.ty);
        if register.class.is_some() {
            info.class = register.class;
        }
        if operand.is_def() {
            info.definition.get_or_insert(operand.range);
        } else {
            info.uses += 1;
        }
    }
    all
}

/// The index of the virtual register with a name, `%0`.
pub(super) fn register_index(f: &Function, name: &str) -> Option<u32> {
    (0..f.registers.len() as u32).find(|index| f.register_text(*index) == name)
}

/// The index of the block with a number. Blocks are in the order of their numbers in most files.
pub(super) fn block_index(f: &Function, number: u32) -> Option<usize> {
    let guess = f.blocks.partition_point(|b| b.number < number);
    match f.blocks.get(guess).is_some_and(|b| b.number == number) {
        true => Some(guess),
        false => f.blocks.iter().position(|b| b.number == number),
    }
}

/// The blocks that control goes to from a block: as the text says, or else by its branches and what follows it.
pub(super) fn successors(cx: &Cx<'_>, f: &Function, block: usize) -> Vec<usize> {
    let Some(source) = f.blocks.get(block) else { return Vec::new() };
    let place = |number: u32| block_index(f, number);
    if let Some(span) = source.successors {
        return span.of(&f.successors).iter().filter_map(|s| place(s.block)).collect();
    }
    let own = source.instructions.of(&f.instructions);
    let branches = own.iter().filter(|i| !f.opcode_text(i).ends_with("PHI"));
    let named = branches.flat_map(|i| f.operands_of(i)).filter_map(|o| match o.kind {
        OperandKind::Block(number, _) => place(number),
        _ => None,
    });
    let barrier = |i: &Instruction| {
        let opcode = tables(cx).and_then(|t| Some(t.desc(t.opcode(f.opcode_text(i))?)));
        opcode.is_none_or(|d| d.is(flag::BARRIER))
    };
    let last = own.iter().rev().find(|i| !f.opcode_text(i).starts_with("DBG_"));
    let falls = block + 1 < f.blocks.len() && !last.is_some_and(barrier);
    let mut found: Vec<usize> = Vec::new();
    for target in named.chain(falls.then_some(block + 1)) {
        if !found.contains(&target) {
            found.push(target);
        }
    }
    found
}

/// Whether people write a register class; the tables derive many from others, with long names.
pub(super) fn is_written_class(name: &str) -> bool {
    !["_and_", "_with_", "_lo"].iter().any(|part| name.contains(part))
}

/// The classes of AMDGPU that LLVM's tests name most.
const FREQUENT_CLASSES: [&str; 12] = [
    "sgpr_128",
    "sgpr_32",
    "sgpr_64",
    "sreg_32",
    "sreg_32_xm0_xexec",
    "sreg_64",
    "sreg_64_xexec",
    "vgpr_32",
    "vreg_128",
    "vreg_256",
    "vreg_64",
    "vreg_96",
];

/// The order of a register class in a list.
pub(super) fn class_rank(name: &str) -> u8 {
    match name {
        _ if FREQUENT_CLASSES.contains(&name) => 0,
        _ if is_written_class(name) => 1,
        _ => 9,
    }
}
