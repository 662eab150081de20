//! Hover in Machine IR: registers, opcodes, blocks, frame objects.

mod words;

use std::fmt::Write;

use wavelens_base::{TextRange, TextSize};
use wavelens_check::dialect::{Lowered, Scope};
use wavelens_isa::mir::{Desc, Machine, SubIndex, Tables, flag, is_newer_opcode, operand_kind};
use wavelens_llvm::tables::intrinsics::Intrinsic;
use wavelens_mir::model::*;
use wavelens_syntax::mir::MirKind;

use super::ide_support::{function, ir, register_index, successors, tables, token_at, virtuals};
use super::occurrences::occurrences;
use super::{Cx, flag_words, generic_docs, ir_refs, live, memory_operand, physical, waits, yaml_words};
use crate::answers::{Hover, Role};
use crate::markdown::{self, code};

/// What is shown about the word at an offset of the chunk.
pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::hover::hover(&inner, at);
    }
    let f = function(cx)?;
    let lexed = wavelens_syntax::mir::lex(cx.text);
    let (kind, range) = token_at(&lexed, at)?;
    let by_place = || words::Place::of(cx, &lexed, range).describe(at);
    let text = cx.slice(range);
    let in_memory = f.memory.iter().find(|m| m.range.contains_range(range));
    let markdown = match kind {
        MirKind::IR_VALUE | MirKind::IR_BLOCK => ir_name(cx, f, kind, text)?,
        MirKind::GLOBAL => ir_name(cx, f, kind, text).or_else(|| intrinsic(text))?,
        MirKind::VREG | MirKind::NAMED_VREG => virtual_register(cx, f, text),
        MirKind::PHYSREG => physical::describe(cx, text)?,
        MirKind::STACK_OBJECT | MirKind::FIXED_STACK_OBJECT => frame(f, text)?,
        _ if in_memory.is_some() => {
            let operand = in_memory?;
            return Some(Hover { range: operand.range, markdown: memory_operand::describe(cx, f, operand) });
        }
        MirKind::CONSTANT_POOL => constant(f, text)?,
        MirKind::JUMP_TABLE => jump_table(f, text)?,
        MirKind::CFI_WORD => format!("`{text}`: {}", yaml_words::cfi(text)?),
        MirKind::PLAIN
            if cx.text.get(usize::from(range.end())..).is_some_and(|rest| rest.starts_with(':')) =>
        {
            format!("`{text}`: {}", yaml_words::key(text)?)
        }
        MirKind::IDENT => opcode(cx, f, range, text)
            .or_else(by_place)
            .or_else(|| class_or_part(cx, text))
            .or_else(|| low_level_type(cx, text))?,
        MirKind::SUBREG_NAME => class_or_part(cx, text.strip_prefix("%subreg.")?)?,
        MirKind::LABEL | MirKind::BLOCK_NAME => block(cx, f, text)?,
        _ => match flag_words::meaning(text) {
            Some(meaning) => format!("`{text}`: {meaning}"),
            None => by_place()?,
        },
    };
    Some(Hover { range, markdown })
}

/// `s32`, `p1`: a low-level type, or the element of one.
fn low_level_type(cx: &Cx<'_>, text: &str) -> Option<String> {
    if text == "bf16" {
        return Some("`bf16`: a bfloat, a floating-point number of 16 bits".to_owned());
    }
    let number: u32 = text.get(1..)?.parse().ok()?;
    match text.as_bytes().first()? {
        b's' if number == 0 => Some("`s0`: a token".to_owned()),
        b's' => Some(format!("`{text}`: a scalar of {}: integer or floating point", bits(number))),
        b'i' if number > 0 => Some(format!("`{text}`: an integer of {}", bits(number))),
        b'f' => Some(format!("`{text}`: a floating-point number of {}", bits(number))),
        b'p' => {
            let width = bits(cx.scope.layout.pointer_bits(number));
            Some(format!(
                "`{text}`: a pointer of {width}, address space {number}{}",
                memory_operand::space_name(cx, number)
            ))
        }
        _ => None,
    }
}

fn constant(f: &Function, text: &str) -> Option<String> {
    let id: u32 = text.strip_prefix("%const.")?.parse().ok()?;
    let constant = f.constants.iter().find(|c| c.id == id)?;
    Some(format!("{} in the constant pool:\n\n{}", code(text), markdown::block("llvm", &constant.value.text)))
}

fn jump_table(f: &Function, text: &str) -> Option<String> {
    const LISTED: usize = 32;
    let id: u32 = text.strip_prefix("%jump-table.")?.parse().ok()?;
    let blocks = &f.jump_tables.iter().find(|t| t.id == id)?.blocks;
    let entry = |(n, block): (usize, &Text)| format!("{n}: {}", code(block.text.trim_matches(['\'', '"'])));
    let entries: Vec<String> = blocks.iter().enumerate().take(LISTED).map(entry).collect();
    let more = if blocks.len() > LISTED { ", ..." } else { "" };
    Some(format!("{}, {} entries: {}{more}", code(text), blocks.len(), entries.join(", ")))
}

/// A register class, a register bank, or a part of a register.
fn class_or_part(cx: &Cx<'_>, name: &str) -> Option<String> {
    let tables = tables(cx)?;
    match tables.sub_index(name) {
        Some(index) => Some(format!("`{name}`: {} of a register", span(tables, index))),
        None => class_or_bank(tables, name),
    }
}

/// Which bits a subregister index names.
pub(super) fn span(tables: &Tables, index: SubIndex) -> String {
    let (size, offset) = tables.sub_index_span(index);
    match (size, offset) {
        (u16::MAX, _) | (_, u16::MAX) => "a part".to_owned(),
        (1, offset) => format!("bit {offset}"),
        _ => format!("bits {offset} to {}", u32::from(offset) + u32::from(size).max(1) - 1),
    }
}

fn class_or_bank(tables: &Tables, name: &str) -> Option<String> {
    if let Some(class) = tables.class(name) {
        let (bits, count) = (bits(tables.class_bits(class)), tables.class_len(class));
        return Some(format!("register class `{name}`: {bits}, {count} registers"));
    }
    let bank = tables.facts().banks.iter().find(|b| b.name == name)?;
    Some(format!("register bank `{name}`: up to {} bits", bank.size))
}

pub(super) fn bits(count: u32) -> String {
    format!("{count} bit{}", if count == 1 { "" } else { "s" })
}

fn virtual_register(cx: &Cx<'_>, f: &Function, text: &str) -> String {
    let mut shown = text.to_owned();
    let Some(index) = register_index(f, text) else {
        return markdown::block("mir", &shown);
    };
    let own = virtuals(f).get(index as usize).copied().unwrap_or_default();
    let name = f.names.get(own.class);
    if own.class.is_some() {
        let _ = write!(shown, ":{name}");
    }
    if let Some(ty) = own.ty {
        let _ = write!(shown, "({ty})");
    }
    let mut out = markdown::block("mir", &shown) + "\n";
    if let Some(class) = tables(cx).and_then(|t| class_or_bank(t, name)) {
        let _ = writeln!(out, "{class}\n");
    }
    let plural = if own.uses == 1 { "" } else { "s" };
    let _ = write!(out, "{} use{plural}", own.uses);
    let inst = own.definition.and_then(|d| f.instructions.iter().find(|i| i.range.contains_range(d)));
    if let Some(inst) = inst {
        let line = cx.slice(inst.range).lines().next().unwrap_or("");
        let _ = write!(out, ", defined by\n\n{}", markdown::block("mir", line));
    }
    out
}

/// The line of the embedded IR that defines a name, or declares it where nothing defines it.
fn ir_name(cx: &Cx<'_>, f: &Function, kind: MirKind, text: &str) -> Option<String> {
    let function = f.properties.name.text.as_str();
    let key = ir_refs::key_of(function, kind, text)?;
    let mut found = Vec::new();
    for chunk in cx.view.chunks() {
        cx.view.db.unwind_if_revision_cancelled();
        let (Lowered::Mir(lowered), Scope::Mir(scope)) = (cx.view.lowered(*chunk), cx.view.scope()) else {
            return None;
        };
        if lowered.ir.is_some() && ir_refs::may_name(cx.view.text(*chunk), &key) {
            let index = cx.view.index_of(chunk.id(cx.view.db))?;
            let part = Cx::new(cx.view, index, *chunk, lowered, scope);
            let named = occurrences(&part).into_iter().filter(|o| o.key == key && o.role.introduces());
            found.extend(named.map(|o| (part.text, o)));
        }
    }
    let (text, name) = found.into_iter().min_by_key(|(_, o)| o.role != Role::Definition)?;
    let start = text.get(..usize::from(name.range.start()))?.rfind('\n').map_or(0, |n| n + 1);
    let line = text.get(start..)?.lines().next()?.trim();
    Some(markdown::block("llvm", line))
}

/// An intrinsic, which no IR need declare.
fn intrinsic(text: &str) -> Option<String> {
    Some(crate::llvm::hover::intrinsic(Intrinsic::lookup(text.strip_prefix('@')?)?))
}

/// An opcode's operands, and what it computes.
fn opcode(cx: &Cx<'_>, f: &Function, at: TextRange, name: &str) -> Option<String> {
    let tables = tables(cx)?;
    let Some(opcode) = tables.opcode(name) else { return newer_opcode(cx, tables, name) };
    let desc = tables.desc(opcode);
    let mut out = format!("```mir\n{}\n```\n", signature_text(cx, name)?.0);
    if let Some(words) = generic_docs::words(name) {
        let _ = writeln!(out, "{words}\n");
    } else if let Some(formula) = formula(cx, name) {
        let _ = writeln!(out, "{formula}\n");
    }
    let types = types_here(f, at, &desc);
    if !types.is_empty() {
        let _ = writeln!(out, "here {types}\n");
    }
    let facts = [
        (flag::TERMINATOR, "terminator"),
        (flag::BRANCH, "branch"),
        (flag::CALL, "call"),
        (flag::RETURN, "return"),
        (flag::BARRIER, "barrier"),
        (flag::MAY_LOAD, "may load"),
        (flag::MAY_STORE, "may store"),
        (flag::SIDE_EFFECTS, "side effects"),
        (flag::CONVERGENT, "convergent"),
        (flag::COMMUTABLE, "commutable"),
    ];
    let facts: Vec<&str> = facts.iter().filter(|(f, _)| desc.is(*f)).map(|(_, n)| *n).collect();
    if !facts.is_empty() {
        let _ = writeln!(out, "{}\n", facts.join(", "));
    }
    let names = |registers: Vec<wavelens_isa::mir::Register>| {
        registers.iter().map(|r| format!("`${}`", tables.register_name(*r))).collect::<Vec<_>>().join(", ")
    };
    let (defs, uses) = (names(desc.implicit_defs().collect()), names(desc.implicit_uses().collect()));
    if !defs.is_empty() {
        let _ = writeln!(out, "defines {defs}\n");
    }
    if !uses.is_empty() {
        let _ = writeln!(out, "reads {uses}");
    }
    if let Some(index) = f.instructions.iter().position(|i| i.opcode_range == at) {
        if let Some(wait) = f.instructions.get(index).and_then(|inst| waits::fields(cx, f, inst)) {
            let _ = writeln!(out, "\nhere `{wait}`");
        }
        if let Some(live) = live::live_before(cx, f, index) {
            let _ = writeln!(out, "\n{live}");
        }
    }
    Some(out)
}

/// An opcode that only newer versions of LLVM have.
fn newer_opcode(cx: &Cx<'_>, tables: &Tables, name: &str) -> Option<String> {
    if cx.scope.machine != Some(Machine::Amdgpu)
        || !is_newer_opcode(name, |name| tables.opcode(name).is_some())
    {
        return None;
    }
    let words = generic_docs::words(name).map(str::to_owned).or_else(|| formula(cx, name));
    let words = words.map_or(String::new(), |words| format!("{words}\n\n"));
    Some(format!(
        "```mir\n{name}\n```\n{words}An opcode that came after LLVM 22; its operands are not known here."
    ))
}

/// What an AMDGPU instruction does, by the mnemonic that it is written with in assembly.
fn formula(cx: &Cx<'_>, opcode: &str) -> Option<String> {
    if cx.scope.machine != Some(Machine::Amdgpu) {
        return None;
    }
    let name = opcode.to_ascii_lowercase();
    let ends = ["_e32", "_e64", "_sdwa", "_dpp", "_imm", "_sgpr", "_saddr", "_offset", "_offen", "_pseudo"];
    let end = ends.iter().filter_map(|end| name.find(end)).min().unwrap_or(name.len());
    crate::amdgpu::formula(name.get(..end)?)
}

/// The types that stand for a generic opcode's type indices in the instruction around a place.
fn types_here(f: &Function, at: TextRange, desc: &Desc) -> String {
    let Some(inst) = f.instructions.iter().find(|i| i.range.contains_range(at)) else { return String::new() };
    let all = virtuals(f);
    let mut found: Vec<(u8, Type)> = Vec::new();
    for (index, operand) in f.operands_of(inst).iter().enumerate() {
        let Some(number) = desc.operand(index).and_then(|o| o.type_index()) else { continue };
        let Some(RegisterName::Virtual(v)) = operand.register().map(|r| r.name) else { continue };
        if let Some(ty) = all.get(v as usize).and_then(|v| v.ty)
            && !found.iter().any(|(n, _)| *n == number)
        {
            found.push((number, ty));
        }
    }
    found.iter().map(|(n, ty)| format!("type{n} is `{ty}`")).collect::<Vec<_>>().join(", ")
}

/// An opcode with its operands, and the byte range of each.
pub(super) fn signature_text(cx: &Cx<'_>, name: &str) -> Option<(String, Vec<std::ops::Range<usize>>)> {
    let tables = tables(cx)?;
    let desc = tables.desc(tables.opcode(name)?);
    let (mut out, mut ranges) = (String::new(), Vec::new());
    let defs = usize::from(desc.defs);
    for index in 0..desc.operand_count() {
        if index == defs {
            let _ = write!(out, "{}{name} ", if defs > 0 { " = " } else { "" });
        } else if index > 0 {
            out.push_str(", ");
        }
        let start = out.len();
        let operand = desc.operand(index)?;
        let named = tables.operand_name(&desc, index);
        let class = tables
            .operand_class(&operand, cx.scope.rows_of(cx.lowered.function.as_ref(), tables))
            .map(|c| tables.class_name(c));
        let what = match (operand.type_index(), class, operand.kind) {
            (Some(index), _, _) => format!("type{index}"),
            (_, Some(class), _) => class,
            (_, _, operand_kind::IMMEDIATE | operand_kind::GENERIC_IMMEDIATE) => "imm".to_owned(),
            _ => String::new(),
        };
        match (named, what.as_str()) {
            (Some(named), "") => out.push_str(&named),
            (Some(named), what) => {
                let _ = write!(out, "{named}:{what}");
            }
            (None, "") => out.push_str("operand"),
            (None, what) => out.push_str(what),
        }
        ranges.push(start..out.len());
    }
    if desc.operand_count() <= defs {
        let _ = write!(out, "{}{name}", if defs > 0 { " = " } else { "" });
    }
    if desc.is(flag::VARIADIC) {
        out.push_str(", ...");
    }
    Some((out, ranges))
}

fn block(cx: &Cx<'_>, f: &Function, text: &str) -> Option<String> {
    let digits = text.trim_start_matches('%').trim_start_matches("bb.");
    let number: String = digits.chars().take_while(char::is_ascii_digit).collect();
    let place = f.blocks.iter().position(|b| b.number.to_string() == number)?;
    let block = f.blocks.get(place)?;
    let mut out = format!("block `bb.{number}`");
    if block.name.is_some() {
        let _ = write!(out, " of the IR block {}", code(f.names.get(block.name)));
    }
    let count = block.instructions.len();
    let _ = write!(out, ": {count} instruction{}", if count == 1 { "" } else { "s" });
    let names = |blocks: Vec<usize>| {
        let names: Vec<String> = blocks
            .into_iter()
            .filter_map(|b| f.blocks.get(b))
            .map(|b| format!("`%bb.{}`", b.number))
            .collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let before = (0..f.blocks.len()).filter(|b| successors(cx, f, *b).contains(&place)).collect();
    let _ =
        write!(out, "\n\npredecessors: {}\n\nsuccessors: {}", names(before), names(successors(cx, f, place)));
    let live: Vec<String> =
        block.live_ins.of(&f.block_live_ins).iter().map(|l| code(cx.slice(l.range))).collect();
    if !live.is_empty() {
        let _ = write!(out, "\n\nlive in: {}", live.join(", "));
    }
    Some(out)
}

fn frame(f: &Function, text: &str) -> Option<String> {
    let fixed = text.starts_with("%fixed-stack.");
    let rest = text.trim_start_matches("%fixed-stack.").trim_start_matches("%stack.");
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let object = f.frame.iter().find(|o| o.fixed == fixed && o.id.to_string() == number)?;
    let mut out = format!("{}: {} bytes at offset {}", code(text), object.size, object.offset);
    if !object.name.text.is_empty() {
        let _ = write!(out, ", for the alloca {}", code(&format!("%{}", object.name.text)));
    }
    if !object.kind.text.is_empty() {
        let _ = write!(out, ", {}", code(&object.kind.text));
    }
    Some(out)
}

#[cfg(test)]
mod tests;
