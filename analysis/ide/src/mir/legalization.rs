//! How a target legalizes a generic instruction: the smallest function that asks the compiler, and what its answer means.

use std::fmt::Write;

use wavelens_base::{TextRange, TextSize};
use wavelens_mir::model::*;

use super::Cx;
use super::ide_support::{function, virtuals};

/// Opcodes between types that the legalizer takes for glue: they meet operands as they are.
const GLUE: &[&str] = &[
    "G_ANYEXT",
    "G_BUILD_VECTOR",
    "G_BUILD_VECTOR_TRUNC",
    "G_CONCAT_VECTORS",
    "G_EXTRACT",
    "G_INSERT",
    "G_MERGE_VALUES",
    "G_SEXT",
    "G_TRUNC",
    "G_UNMERGE_VALUES",
    "G_ZEXT",
];

/// Kinds of instructions that an answer names.
const NAMED: usize = 8;

/// A function around the generic instruction at an offset: its operands are undefined or truncated from a type that every
/// processor has; its results are extended to one. `None` for operands that name something in the function or the module, and
/// after the passes that require legal instructions.
pub fn probe(cx: &Cx<'_>, at: TextSize) -> Option<String> {
    let f = function(cx)?;
    if f.properties.reg_bank_selected || f.properties.selected {
        return None;
    }
    let inst = f.instructions.iter().find(|i| i.opcode_range.contains_inclusive(at))?;
    let opcode = f.opcode_text(inst);
    let operands = f.operands_of(inst);
    if !opcode.starts_with("G_") || inst.flags & instruction_flag::BROKEN != 0 {
        return None;
    }
    if opcode == "G_PHI" {
        return Some(phi(type_of(f, operands.first()?)?));
    }
    let mut probe = Probe { widens: !GLUE.contains(&opcode), ..Probe::default() };
    let (mut results, mut uses) = (Vec::new(), Vec::new());
    let mut start = inst.range.start();
    for operand in operands {
        match operand.kind {
            OperandKind::Register(_) if operand.is_implicit() => return None,
            OperandKind::Register(_) if operand.is_def() => {
                start = operand.range.end();
                results.push(type_of(f, operand)?);
            }
            OperandKind::Register(register) => {
                let index = opcode.ends_with("_VECTOR_ELT").then(|| constant(cx, f, &register)).flatten();
                uses.push(probe.source(type_of(f, operand)?, index));
            }
            OperandKind::Immediate(_)
            | OperandKind::TypedImmediate { .. }
            | OperandKind::FpImmediate { .. }
            | OperandKind::Intrinsic(_)
            | OperandKind::Predicate(_)
            | OperandKind::ShuffleMask(_) => uses.push(cx.slice(operand.range).to_owned()),
            OperandKind::Block(..) if opcode == "G_BRCOND" => uses.push("%bb.1".to_owned()),
            _ => return None,
        }
    }
    // What an intrinsic without inputs becomes depends on the function's arguments.
    if opcode.starts_with("G_INTRINSIC") && !uses.iter().any(|u| u.starts_with('%')) {
        return None;
    }
    let flags = cx.slice(TextRange::new(start, inst.opcode_range.start().max(start)));
    let flags = flags.trim_matches(|c: char| c.is_whitespace() || c == '=');
    let memory: Vec<String> = f.memory_of(inst).iter().map(|m| memory(cx, m)).collect();
    let numbers: Vec<u32> = results.iter().map(|_| probe.number()).collect();
    let mut line = String::new();
    for (place, (number, ty)) in numbers.iter().zip(&results).enumerate() {
        let _ = write!(line, "{}%{number}:_({ty})", if place > 0 { ", " } else { "" });
    }
    let _ = write!(line, "{}", if results.is_empty() { "" } else { " = " });
    let _ = write!(line, "{flags}{}{opcode} {}", if flags.is_empty() { "" } else { " " }, uses.join(", "));
    if !memory.is_empty() {
        let _ = write!(line, " :: {}", memory.join(", "));
    }
    probe.line(line.trim_end());
    numbers.into_iter().zip(results).for_each(|(number, ty)| probe.sink(number, ty));
    Some(document(&format!("  bb.0:\n{}  bb.1:\n    S_ENDPGM 0\n", probe.body)))
}

fn document(body: &str) -> String {
    format!("---\nname: probe\ntracksRegLiveness: true\nbody: |\n{body}...\n")
}

/// A phi's own type is all that matters.
fn phi(ty: Type) -> String {
    let mut probe = Probe { widens: true, ..Probe::default() };
    let first = probe.source(ty, None);
    let before = std::mem::take(&mut probe.body);
    let again = probe.source(ty, None);
    let inside = std::mem::take(&mut probe.body);
    let number = probe.number();
    probe.sink(number, ty);
    document(&format!(
        "  bb.0:\n    successors: %bb.1\n{before}  bb.1:\n    successors: %bb.1, %bb.2\n    %{number}:_({ty}) = G_PHI {first}, %bb.0, {again}, %bb.1\n\
         {inside}{}    S_CBRANCH_SCC0 %bb.1, implicit undef $scc\n  bb.2:\n    S_ENDPGM 0\n",
        probe.body
    ))
}

#[derive(Default)]
struct Probe {
    body: String,
    next: u32,
    widens: bool,
}

impl Probe {
    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.body, "    {line}");
    }

    /// A register of a type, by its name.
    fn source(&mut self, ty: Type, constant: Option<i128>) -> String {
        let number = self.number();
        match (wide(ty).filter(|_| self.widens), constant) {
            (_, Some(value)) => self.line(&format!("%{number}:_({ty}) = G_CONSTANT i{} {value}", bits(ty))),
            (Some(from), None) => {
                self.line(&format!("%{number}:_({from}) = IMPLICIT_DEF"));
                let narrow = self.number();
                self.line(&format!("%{narrow}:_({ty}) = G_TRUNC %{number}"));
                return format!("%{narrow}");
            }
            // Unlike G_IMPLICIT_DEF it is not for the legalizer.
            (None, None) => self.line(&format!("%{number}:_({ty}) = IMPLICIT_DEF")),
        }
        format!("%{number}")
    }

    /// A use of a register, so that nothing dies.
    fn sink(&mut self, number: u32, ty: Type) {
        let used = match wide(ty).filter(|_| self.widens) {
            Some(to) => {
                let used = self.number();
                self.line(&format!("%{used}:_({to}) = G_ANYEXT %{number}"));
                used
            }
            None => number,
        };
        self.line(&format!("KILL %{used}"));
    }
}

fn bits(ty: Type) -> u32 {
    match ty.element() {
        Type::Scalar(bits) => bits,
        _ => 0,
    }
}

/// The type that stands for an odd one where a value comes from elsewhere: registers hold whole 32 bits, or two halves.
fn wide(ty: Type) -> Option<Type> {
    let bits = bits(ty);
    let halves = ty.is_vector() && bits == 16 && ty.lanes().0.is_multiple_of(2);
    if bits == 0 || bits.is_multiple_of(32) || halves || ty.is_scalable() {
        return None;
    }
    let whole = bits.checked_next_multiple_of(32)?;
    Some(match ty {
        Type::Vector { scalable, lanes, .. } => {
            Type::Vector { scalable, lanes, element: Element::Scalar(whole) }
        }
        _ => Type::Scalar(whole),
    })
}

fn type_of(f: &Function, operand: &Operand) -> Option<Type> {
    let register = operand.register()?;
    match register.name {
        RegisterName::Virtual(v) if !register.sub.is_some() => {
            register.ty.or_else(|| virtuals(f).get(v as usize)?.ty)
        }
        _ => None,
    }
}

/// The value of a register that one `G_CONSTANT` of a whole type defines: indices that are known are legalized otherwise.
fn constant(cx: &Cx<'_>, f: &Function, register: &RegisterOperand) -> Option<i128> {
    let RegisterName::Virtual(v) = register.name else { return None };
    let definition = virtuals(f).get(v as usize)?.definition?;
    let inst = f.instructions.iter().find(|i| i.range.contains_range(definition))?;
    let [result, value] = f.operands_of(inst) else { return None };
    let whole = type_of(f, result).is_some_and(|t| matches!(t, Type::Scalar(32 | 64)));
    let value = cx.slice(value.range).split_whitespace().nth(1)?.parse().ok()?;
    (whole && f.opcode_text(inst) == "G_CONSTANT").then_some(value)
}

/// A memory operand without the names of what it points at.
fn memory(cx: &Cx<'_>, m: &MemoryOperand) -> String {
    let text = cx.slice(m.range);
    let ends = [" from ", " into ", " on ", ","];
    let end = ends.iter().filter_map(|word| text.find(word)).min();
    let mut out = text.get(..end.unwrap_or(text.len())).unwrap_or(text).to_owned();
    if end.is_none() {
        out.truncate(out.trim_end_matches(')').len());
        // The one that closes the type stays.
        if matches!(m.size, MemorySize::Type(_)) {
            out.push(')');
        }
    }
    if let Some(align) = m.align {
        let _ = write!(out, ", align {align}");
    }
    if let Some(space) = m.address_space {
        let _ = write!(out, ", addrspace {space}");
    }
    out + ")"
}

/// What tells generic instructions apart here.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    opcode: String,
    /// Of the first register.
    ty: Option<Type>,
    /// Of a constant.
    value: Option<i128>,
}

impl Shape {
    fn is_wrapper(&self) -> bool {
        matches!(self.opcode.as_str(), "G_TRUNC" | "G_ANYEXT" | "G_CONSTANT")
    }
}

/// The generic instructions of a file's first function.
fn shapes(text: &str) -> Vec<Shape> {
    let spans = wavelens_syntax::split(wavelens_base::Dialect::Mir, text);
    let chunks = spans.iter().filter_map(|s| text.get(std::ops::Range::<usize>::from(s.range)));
    let Some(f) = chunks.map(wavelens_mir::lower).find_map(|l| l.function) else {
        return Vec::new();
    };
    let all = virtuals(&f);
    let shape = |inst: &Instruction| {
        let mut opcode = f.opcode_text(inst).to_owned();
        let operands = f.operands_of(inst);
        let ty = operands.iter().filter_map(Operand::register).find_map(|r| match r.name {
            RegisterName::Virtual(v) => r.ty.or_else(|| all.get(v as usize)?.ty),
            _ => None,
        });
        let mut constant = None;
        for operand in operands {
            match operand.kind {
                OperandKind::TypedImmediate { value, .. } if opcode == "G_CONSTANT" => constant = value,
                OperandKind::Intrinsic(name) => opcode = format!("{opcode} @{}", f.names.get(name)),
                _ => {}
            }
        }
        Shape { opcode, ty, value: constant }
    };
    let generic = f.instructions.iter().filter(|i| f.opcode_text(i).starts_with("G_"));
    generic.map(shape).collect()
}

/// What the legalizer made of a probe, in a sentence.
pub fn outcome(probe: &str, made: &str, processor: &str) -> Option<String> {
    let mut asked = shapes(probe);
    let own = asked.iter().position(|s| !s.is_wrapper()).unwrap_or(0);
    let own = (own < asked.len()).then(|| asked.remove(own))?;
    let mut made = shapes(made);
    for wrapper in asked {
        if let Some(at) = made.iter().position(|s| *s == wrapper) {
            made.remove(at);
        }
    }
    if made == [own] {
        return Some(format!("Legal on {processor} with these types."));
    }
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for shape in &made {
        let ty = shape.ty.map_or(String::new(), |t| format!(" ({t})"));
        let name = format!("{}{ty}", shape.opcode);
        match kinds.iter_mut().find(|(n, _)| *n == name) {
            Some((_, count)) => *count += 1,
            None => kinds.push((name, 1)),
        }
    }
    let names: Vec<String> = kinds
        .iter()
        .take(NAMED)
        .map(|(name, count)| match count {
            1 => format!("`{name}`"),
            _ => format!("`{name}` ×{count}"),
        })
        .collect();
    Some(match (made.len(), kinds.len().saturating_sub(NAMED)) {
        (0, _) => format!("Legalized for {processor}, nothing of it is left: its users take its operands."),
        (_, 0) => format!("Legalized for {processor}, it becomes {}.", names.join(", ")),
        (count, more) => format!(
            "Legalized for {processor}, it becomes {count} instructions: {}, and {more} more kind{}.",
            names.join(", "),
            if more == 1 { "" } else { "s" }
        ),
    })
}

/// What is said of an instruction that the legalizer gives up on.
pub fn refused(processor: &str) -> String {
    format!("llc cannot legalize it for {processor} with these types.")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn answers_are_summarized_in_a_sentence() {
        let file = |lines: &str| format!("---\nname: probe\nbody: |\n  bb.0:\n{lines}...\n");
        let summary =
            |asked: &str, made: &str| outcome(&file(asked), &file(made), "gfx900").unwrap_or_default() + "\n";
        let add = "    %0:_(s32) = IMPLICIT_DEF\n    %1:_(s8) = G_TRUNC %0\n    %2:_(s8) = G_ADD %1, %1\n    %3:_(s32) = G_ANYEXT %2\n    KILL %3\n";
        expect![[r#"
            Legalized for gfx900, it becomes `G_ADD (s32)`.
        "#]]
        .assert_eq(&summary(add, "    %3:_(s32) = G_ADD %0, %0\n"));
        expect![[r#"
            Legal on gfx900 with these types.
        "#]]
        .assert_eq(&summary(add, add));
        expect![[r#"
            Legalized for gfx900, it becomes `G_UNMERGE_VALUES (s32)`, `G_INTRINSIC @llvm.amdgcn.rcp (s32)` ×2.
        "#]]
        .assert_eq(&summary(
            add,
            "    %1:_(s32), %2:_(s32) = G_UNMERGE_VALUES %0(s64)\n    %3:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.rcp), %1(s32)\n    %4:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.rcp), %2(s32)\n",
        ));
        expect![[r#"
            Legalized for gfx900, nothing of it is left: its users take its operands.
        "#]]
        .assert_eq(&summary("    %1:_(s64) = G_FREEZE %0(s64)\n", "    KILL %0(s64)\n"));
        let many: String = (0..12).map(|n| format!("    %{n}:_(s{}) = G_IMPLICIT_DEF\n", n + 1)).collect();
        assert!(summary(add, &many).ends_with("and 4 more kinds.\n"));
    }
}
