//! Hover in Machine IR: registers, opcodes, blocks, frame objects.

use std::fmt::Write;

use wavelens_isa::mir::{flag, operand_kind};
use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::generic_docs;
use super::ide_support::{function, ir, tables, token_at};
use super::model::*;
use crate::ide::Hover;
use crate::{TextSize, llvm};

pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    if let Some(inner) = ir(cx) {
        return llvm::hover::hover(&inner, at);
    }
    let f = function(cx)?;
    let parse = wavelens_syntax::mir::parse(cx.text);
    let (kind, range) = token_at(parse.lexed(), at)?;
    let text = cx.slice(range);
    let markdown = match kind {
        MirKind::VREG | MirKind::NAMED_VREG => virtual_register(cx, f, text),
        MirKind::PHYSREG => physical(cx, text)?,
        MirKind::IDENT => opcode(cx, text)?,
        MirKind::LABEL | MirKind::BLOCK_NAME => block(f, text)?,
        MirKind::STACK_OBJECT | MirKind::FIXED_STACK_OBJECT => frame(f, text)?,
        _ => return None,
    };
    Some(Hover { range, markdown })
}

fn virtual_register(cx: &Cx<'_>, f: &Function, text: &str) -> String {
    let mut out = format!("```mir\n{text}");
    let Some(index) = (0..f.registers.len() as u32).find(|i| f.register_text(*i) == text) else {
        return out + "\n```";
    };
    let mut class = f.register_decls.iter().find(|d| d.register == index).map_or(Symbol::NONE, |d| d.class);
    let (mut ty, mut definition, mut uses) = (None, None, 0);
    for operand in &f.operands {
        let Some(register) = operand.register().filter(|r| r.name == RegisterName::Virtual(index)) else {
            continue;
        };
        ty = ty.or(register.ty);
        if register.class.is_some() {
            class = register.class;
        }
        if operand.is_def() {
            definition.get_or_insert(operand.range);
        } else {
            uses += 1;
        }
    }
    if class.is_some() {
        let _ = write!(out, ":{}", f.names.get(class));
    }
    if let Some(ty) = ty {
        let _ = write!(out, "({ty})");
    }
    out.push_str("\n```\n");
    if let (Some(tables), name) = (tables(cx), f.names.get(class)) {
        if let Some(class) = tables.class(name) {
            let _ = writeln!(
                out,
                "register class `{name}`: {} bits, {} registers\n",
                tables.class_bits(class),
                tables.class_len(class)
            );
        } else if let Some(bank) = tables.facts().banks.iter().find(|b| b.name == name) {
            let _ = writeln!(out, "register bank `{name}`: up to {} bits\n", bank.size);
        }
    }
    let plural = if uses == 1 { "" } else { "s" };
    let _ = write!(out, "{uses} use{plural}");
    let inst = definition.and_then(|d| f.instructions.iter().find(|i| i.range.contains_range(d)));
    if let Some(inst) = inst {
        let line = cx.slice(inst.range).lines().next().unwrap_or("");
        let _ = write!(out, ", defined by\n\n```mir\n{line}\n```");
    }
    out
}

fn physical(cx: &Cx<'_>, text: &str) -> Option<String> {
    let tables = tables(cx)?;
    let register = tables.register(text.get(1..)?)?;
    let mut out = format!("`{text}`");
    if let Some(class) = tables.minimal_class(register) {
        let _ =
            write!(out, ": {} bits, smallest class `{}`", tables.class_bits(class), tables.class_name(class));
    }
    let _ = write!(out, ", hardware encoding {}", tables.encoding(register));
    Some(out)
}

/// An opcode's operands, and what it computes.
fn opcode(cx: &Cx<'_>, name: &str) -> Option<String> {
    let tables = tables(cx)?;
    let desc = tables.desc(tables.opcode(name)?);
    let mut out = format!("```mir\n{}\n```\n", signature_text(cx, name)?.0);
    if let Some(words) = generic_docs::words(name) {
        let _ = writeln!(out, "{words}\n");
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
    Some(out)
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
        let class = tables.operand_class(&operand, cx.scope.cpu.as_deref()).map(|c| tables.class_name(c));
        let what = match (operand.type_index(), class, operand.kind) {
            (Some(index), _, _) => format!("type{index}"),
            (_, Some(class), _) => class,
            (_, _, operand_kind::IMMEDIATE | operand_kind::GENERIC_IMMEDIATE) => "imm".to_owned(),
            _ => "operand".to_owned(),
        };
        match named {
            Some(named) => {
                let _ = write!(out, "{named}:{what}");
            }
            None => out.push_str(&what),
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

fn block(f: &Function, text: &str) -> Option<String> {
    let digits = text.trim_start_matches('%').trim_start_matches("bb.");
    let number: String = digits.chars().take_while(char::is_ascii_digit).collect();
    let block = f.blocks.iter().find(|b| b.number.to_string() == number)?;
    let mut out = format!("block `bb.{number}`");
    if block.name.is_some() {
        let _ = write!(out, " of the IR block `{}`", f.names.get(block.name));
    }
    let _ = write!(out, ": {} instructions", block.instructions.len());
    if let Some(successors) = block.successors {
        let names: Vec<String> =
            successors.of(&f.successors).iter().map(|s| format!("`%bb.{}`", s.block)).collect();
        let _ = write!(
            out,
            "\n\nsuccessors: {}",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        );
    }
    Some(out)
}

fn frame(f: &Function, text: &str) -> Option<String> {
    let fixed = text.starts_with("%fixed-stack.");
    let rest = text.trim_start_matches("%fixed-stack.").trim_start_matches("%stack.");
    let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let object = f.frame.iter().find(|o| o.fixed == fixed && o.id.to_string() == number)?;
    let mut out = format!("`{text}`: {} bytes at offset {}", object.size, object.offset);
    if !object.name.text.is_empty() {
        let _ = write!(out, ", for the alloca `%{}`", object.name.text);
    }
    if !object.kind.text.is_empty() {
        let _ = write!(out, ", {}", object.kind.text);
    }
    Some(out)
}
