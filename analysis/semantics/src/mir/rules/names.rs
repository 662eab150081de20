//! Names that must mean something: opcodes, registers, classes, blocks, frame objects, constants, flags.

use rustc_hash::FxHashMap;
use wavelens_isa::mir::flag;
use wavelens_syntax::spelling::closest;

use crate::llvm::tables::debug_words::is_debug_word;
use crate::mir::context::{Cx, Inst, VirtualKind};
use crate::mir::model::*;
use crate::{Diagnostic, Place, TextRange};

rule!(
    UNKNOWN_OPCODE,
    "unknown-opcode",
    "The target has no instruction of this name.\n\n```mir\n%0:vgpr_32 = V_MVO_B32_e32 0, implicit $exec\n```"
);
rule!(
    UNKNOWN_REGISTER,
    "unknown-register",
    "The target has no physical register of this name. Names are in lower case.\n\n```mir\nliveins: $vgpr9999\n```"
);
rule!(UNKNOWN_SUBREGISTER, "unknown-subregister", "The target has no subregister index of this name.");
rule!(
    UNKNOWN_CLASS,
    "unknown-register-class",
    "The target has neither a register class nor a register bank of this name; `_` stands for a generic register without a bank."
);
rule!(
    UNKNOWN_OPERAND,
    "unknown-operand",
    "A bare word as operand must be a register mask of the target, or the type of an immediate (`i32 7`)."
);
rule!(
    UNKNOWN_TARGET_NAME,
    "unknown-target-name",
    "The target has no flag, index or pseudo source value of this name."
);
rule!(
    UNDEFINED_BLOCK,
    "undefined-machine-block",
    "A `%bb.N` must name a block of this function, with its IR name if one is given."
);
rule!(DUPLICATE_BLOCK, "duplicate-machine-block", "Two blocks have the same number.");
rule!(
    UNDEFINED_FRAME_OBJECT,
    "undefined-frame-object",
    "A stack object must be declared in `stack:` or `fixedStack:`."
);
rule!(UNDEFINED_CONSTANT, "undefined-constant-pool-item", "A `%const.N` must be declared in `constants:`.");
rule!(UNDEFINED_JUMP_TABLE, "undefined-jump-table", "A `%jump-table.N` must be declared in `jumpTable:`.");
rule!(
    BAD_IMMEDIATE,
    "bad-ir-immediate",
    "A typed immediate is an LLVM IR constant: its type is `iN` and its value must fit the type."
);

rule!(
    BAD_EXPRESSION,
    "bad-debug-expression",
    "The elements of a `!DIExpression` are DWARF operations (`DW_OP_plus_uconst`), encodings (`DW_ATE_signed`) and unsigned numbers."
);

pub(in crate::mir) fn opcode(cx: &mut Cx<'_>, instruction: &Instruction) {
    let name = cx.f.opcode_text(instruction).to_owned();
    let mut d = Diagnostic::new(
        &UNKNOWN_OPCODE,
        instruction.opcode_range,
        format!("unknown machine instruction `{name}`"),
    );
    // A file for another target has nothing but unknown opcodes: the first few are worth a search.
    let searched = cx.diagnostics.iter().filter(|d| d.rule == &UNKNOWN_OPCODE).take(5).count();
    if searched < 5 {
        let known = cx.t.opcodes_with_prefix(name.get(..2).unwrap_or(""), usize::MAX);
        d = nearest(d, &name, known.iter().map(|(_, n)| n.as_str()));
    }
    cx.diagnostics.push(d);
}

/// Adds the fix that writes the word that was meant, where one is close.
fn nearest<'n>(d: Diagnostic, name: &str, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    match closest(name, known) {
        Some(near) => {
            let range = d.range;
            d.guess(format!("Change to `{near}`"), range, near)
        }
        None => d,
    }
}

pub(in crate::mir) fn physical(cx: &mut Cx<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.register(name).is_some() {
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    cx.report(&UNKNOWN_REGISTER, range, format!("unknown register `${text}`"));
    false
}

pub(in crate::mir) fn sub_index(cx: &mut Cx<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.sub_index(name).is_some() {
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    cx.report(&UNKNOWN_SUBREGISTER, range, format!("unknown subregister index `{text}`"));
    false
}

pub(in crate::mir) fn class(cx: &mut Cx<'_>, name: Symbol, range: TextRange) -> VirtualKind {
    let kind = cx.class_or_bank(name);
    if kind == VirtualKind::Error {
        let text = cx.f.names.get(name).to_owned();
        cx.report(&UNKNOWN_CLASS, range, format!("`{text}` is neither a register class nor a register bank"));
    }
    kind
}

/// The block that a number means.
pub(in crate::mir) fn block(cx: &mut Cx<'_>, number: u32, name: Symbol, range: TextRange) -> Option<u32> {
    let found = find_block(cx.f, &cx.blocks, number, name);
    found.map_err(|message| cx.report(&UNDEFINED_BLOCK, range, message)).ok()
}

fn find_block(f: &Function, blocks: &FxHashMap<u32, u32>, number: u32, name: Symbol) -> Result<u32, String> {
    let Some(place) = blocks.get(&number).copied() else {
        return Err(format!("no machine basic block `%bb.{number}` in this function"));
    };
    let wanted = f.names.get(name);
    let own = f.blocks.get(place as usize).map_or("", |b| block_ir_name(f, b));
    if !wanted.is_empty() && wanted != own {
        return Err(format!("the block `%bb.{number}` is named `{own}`, not `{wanted}`"));
    }
    Ok(place)
}

fn block_ir_name<'a>(f: &'a Function, block: &'a Block) -> &'a str {
    if block.name.is_some() {
        return f.names.get(block.name);
    }
    block.ir_blocks.first().map_or("", |b| f.names.get(b.0))
}

/// Places of blocks by their numbers; reports numbers that stand twice.
pub(in crate::mir) fn blocks_by_number(
    f: &Function,
    diagnostics: &mut Vec<Diagnostic>,
) -> FxHashMap<u32, u32> {
    let mut blocks: FxHashMap<u32, u32> = FxHashMap::default();
    for (place, block) in f.blocks.iter().enumerate() {
        let first = *blocks.entry(block.number).or_insert(place as u32);
        if let Some(first) = f.blocks.get(first as usize).filter(|_| first as usize != place) {
            let message = format!("a block `bb.{}` is there already", block.number);
            let d = Diagnostic::new(&DUPLICATE_BLOCK, block.range, message);
            diagnostics.push(d.related(Place::Here(first.range), "first here"));
        }
    }
    blocks
}

/// Blocks that are named and not there, whatever the target.
pub(in crate::mir) fn blocks_on_any_target(f: &Function, diagnostics: &mut Vec<Diagnostic>) {
    let blocks = blocks_by_number(f, diagnostics);
    let operands = f.operands.iter().filter_map(|o| match o.kind {
        OperandKind::Block(number, name) => Some((number, name, o.range)),
        _ => None,
    });
    let successors = f.successors.iter().map(|s| (s.block, s.name, s.range));
    for (number, name, range) in operands.chain(successors) {
        if let Err(message) = find_block(f, &blocks, number, name) {
            diagnostics.push(Diagnostic::new(&UNDEFINED_BLOCK, range, message));
        }
    }
}

pub(in crate::mir) fn frame(cx: &mut Cx<'_>, fixed: bool, id: u32, name: Symbol, range: TextRange) -> bool {
    let object = cx.f.frame.iter().find(|o| o.fixed == fixed && o.id == id);
    let kind = if fixed { "%fixed-stack" } else { "%stack" };
    let Some(object) = object else {
        cx.report(&UNDEFINED_FRAME_OBJECT, range, format!("`{kind}.{id}` is not declared"));
        return false;
    };
    let wanted = cx.f.names.get(name);
    if !wanted.is_empty() && wanted != object.name.text {
        let message = format!("`{kind}.{id}` is named `{}`, not `{wanted}`", object.name.text);
        cx.report(&UNDEFINED_FRAME_OBJECT, range, message);
        return false;
    }
    true
}

/// Everything in an operand that is a name; false where something was reported.
pub(in crate::mir) fn operand(cx: &mut Cx<'_>, operand: &Operand) -> bool {
    let range = operand.range;
    let (message, rule) = match operand.kind {
        OperandKind::Block(number, name) => return block(cx, number, name, range).is_some(),
        OperandKind::Frame { fixed, id, name } => return frame(cx, fixed, id, name, range),
        OperandKind::ConstantPool(id) if !cx.f.constants.iter().any(|c| c.id == id) => {
            (format!("`%const.{id}` is not declared in `constants:`"), &UNDEFINED_CONSTANT)
        }
        OperandKind::JumpTable(id) if !cx.f.jump_tables.iter().any(|t| t.id == id) => {
            (format!("`%jump-table.{id}` is not declared in `jumpTable:`"), &UNDEFINED_JUMP_TABLE)
        }
        OperandKind::SubIndex(name) => return sub_index(cx, name, range),
        OperandKind::Mask(name) => {
            let text = cx.f.names.get(name);
            if cx.t.facts().masks.iter().any(|m| m == text) {
                return true;
            }
            (format!("`{text}` is neither a register mask nor the type of an immediate"), &UNKNOWN_OPERAND)
        }
        OperandKind::TargetIndex(name) => {
            let text = cx.f.names.get(name);
            if cx.t.facts().target_indices.iter().any(|m| m == text) {
                return true;
            }
            (format!("unknown target index `{text}`"), &UNKNOWN_TARGET_NAME)
        }
        OperandKind::TypedImmediate { letter, bits, value, boolean } => {
            let fits = match value {
                _ if boolean => bits == 1,
                _ => true,
            };
            if letter == b'i' && bits > 0 && bits < 1 << 23 && fits {
                return true;
            }
            ("an integer immediate is an IR constant such as `i32 7` or `i1 true`".to_owned(), &BAD_IMMEDIATE)
        }
        OperandKind::Expression => match expression_problem(text_of(cx, range)) {
            Some(message) => (message, &BAD_EXPRESSION),
            None => return true,
        },
        OperandKind::FpImmediate { exact: false, .. } => {
            ("this number has no exact value of its type".to_owned(), &BAD_IMMEDIATE)
        }
        _ => return true,
    };
    cx.report(rule, range, message);
    false
}

fn text_of<'a>(cx: &Cx<'a>, range: TextRange) -> &'a str {
    cx.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
}

/// What is wrong with the elements of a `!DIExpression(...)`.
fn expression_problem(text: &str) -> Option<String> {
    let inside = text.split_once('(')?.1.trim_end().strip_suffix(')')?;
    if inside.trim().is_empty() {
        return None;
    }
    inside.split(',').map(str::trim).find_map(|element| {
        let known = if element.starts_with("DW_OP_") || element.starts_with("DW_ATE_") {
            is_debug_word(element)
        } else {
            element.bytes().all(|b| b.is_ascii_digit()) && element.parse::<u64>().is_ok()
        };
        (!known).then(|| {
            format!("`{element}` is neither a `DW_OP_` operation, a `DW_ATE_` encoding, nor an unsigned 64-bit number")
        })
    })
}

/// Names of registers in CFI directives, custom masks and live-out lists.
pub(in crate::mir) fn listed(cx: &mut Cx<'_>) -> bool {
    let mut ok = true;
    let f = cx.f;
    for (name, range) in &f.listed_registers {
        ok &= physical(cx, *name, *range);
    }
    for (name, range, first) in &f.target_flags {
        let text = f.names.get(*name);
        let facts = cx.t.facts();
        let known = facts.bitmask_flags.iter().any(|n| n == text)
            || (*first && facts.direct_flags.iter().any(|n| n == text));
        if !known {
            ok = false;
            cx.report(&UNKNOWN_TARGET_NAME, *range, format!("unknown target flag `{text}`"));
        }
    }
    ok
}

/// CFI directives need registers that debuggers know.
pub(in crate::mir) fn cfi(cx: &mut Cx<'_>, range: TextRange) -> bool {
    let f = cx.f;
    for (name, at) in f.listed_registers.iter().filter(|(_, r)| range.contains_range(*r)) {
        if let Some(register) = cx.register(*name)
            && !cx.t.has_dwarf_number(register)
            // The tables number registers as 64-bit debuggers do.
            && !cx.scope.has_short_pointers
            && cx.machine.is_uniform()
        {
            let text = f.names.get(*name);
            cx.report(&UNKNOWN_REGISTER, *at, format!("`${text}` has no DWARF number"));
            return false;
        }
    }
    true
}

pub(in crate::mir) fn memory(cx: &mut Cx<'_>, operand: &MemoryOperand) -> bool {
    let mut ok = true;
    for (name, range) in &operand.target_flags {
        let text = cx.f.names.get(*name);
        if !cx.t.facts().memory_flags.iter().any(|n| n == text) {
            ok = false;
            cx.report(&UNKNOWN_TARGET_NAME, *range, format!("unknown memory flag \"{text}\""));
        }
    }
    match operand.pointer {
        Pointer::Frame { fixed, id, name } => ok &= frame(cx, fixed, id, name, operand.pointer_range),
        Pointer::Custom(name) if cx.machine == wavelens_isa::mir::Machine::Amdgpu => {
            let text = cx.f.names.get(name);
            if text != "GWSResource" {
                ok = false;
                cx.report(
                    &UNKNOWN_TARGET_NAME,
                    operand.pointer_range,
                    format!("unknown pseudo source `{text}`"),
                );
            }
        }
        _ => {}
    }
    ok
}

rule!(
    MISSING_IMPLICIT,
    "missing-implicit-operand",
    "An instruction must write out the physical registers that its description reads or writes implicitly, unless it is a call or takes a variable number of operands.\n\n```mir\n%0:vgpr_32 = V_MOV_B32_e32 0          ; lacks `implicit $exec`\n```"
);

/// The registers that the description uses and defines must stand in the text.
pub(in crate::mir) fn implicit_operands(cx: &mut Cx<'_>, inst: &Inst<'_>) -> bool {
    if inst.desc.is(flag::VARIADIC) || inst.desc.is(flag::CALL) {
        return true;
    }
    let defs = inst.desc.implicit_defs().map(|r| (r, true));
    let uses = inst.desc.implicit_uses().map(|r| (r, false));
    for (register, def) in defs.chain(uses) {
        let present = cx.operands(inst).any(|o| {
            o.is_def() == def && o.register().is_some_and(|r| {
                !r.sub.is_some()
                    && matches!(r.name, RegisterName::Physical(n) if cx.known_register(n) == Some(register))
            })
        });
        if present {
            continue;
        }
        let written =
            format!("{} ${}", if def { "implicit-def" } else { "implicit" }, cx.t.register_name(register));
        let operands = inst.source.operands.of(&cx.f.operands);
        let end = operands
            .last()
            .map_or(inst.source.opcode_range.end(), |o| o.range.end().max(inst.source.opcode_range.end()));
        let explicit = operands.iter().any(|o| o.range.start() > inst.source.opcode_range.end());
        let separator = if explicit { ", " } else { " " };
        let at = TextRange::empty(end);
        let name = cx.f.opcode_text(inst.source);
        let d = Diagnostic::new(
            &MISSING_IMPLICIT,
            inst.source.opcode_range,
            format!("`{name}` lacks the implicit operand `{written}`"),
        );
        cx.diagnostics.push(d.fix(format!("Add `{written}`"), at, format!("{separator}{written}")));
        return false;
    }
    true
}

pub(in crate::mir) const RULES: &[&crate::Rule] = &[
    &UNKNOWN_OPCODE,
    &UNKNOWN_REGISTER,
    &UNKNOWN_SUBREGISTER,
    &UNKNOWN_CLASS,
    &UNKNOWN_OPERAND,
    &UNKNOWN_TARGET_NAME,
    &UNDEFINED_BLOCK,
    &DUPLICATE_BLOCK,
    &UNDEFINED_FRAME_OBJECT,
    &UNDEFINED_CONSTANT,
    &UNDEFINED_JUMP_TABLE,
    &BAD_IMMEDIATE,
    &BAD_EXPRESSION,
    &MISSING_IMPLICIT,
];

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn unknown_names() {
        expect![[r#"
            error[unknown-opcode] 5:18 `V_MVO_B32_e32`: unknown machine instruction `V_MVO_B32_e32`
              fix: Change to `V_MOV_B32_e32`
              |     %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = V_MVO_B32_e32 0, implicit $exec\n"));
        expect![[r#"
            error[unknown-register] 5:5 `$vgpr9999`: unknown register `$vgpr9999`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    $vgpr9999 = IMPLICIT_DEF\n"));
        expect![[r#"
            error[unknown-register-class] 5:5 `%0:vgrp_32`: `vgrp_32` is neither a register class nor a register bank
        "#]].assert_eq(&findings("", "  bb.0:\n    %0:vgrp_32 = IMPLICIT_DEF\n"));
        expect![[r#"
            error[unknown-subregister] 6:23 `%0.sub77`: unknown subregister index `sub77`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n    %1:vgpr_32 = COPY %0.sub77\n"));
    }

    #[test]
    fn undefined_numbers() {
        expect![[r#"
            error[undefined-machine-block] 5:14 `%bb.7`: no machine basic block `%bb.7` in this function
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_BRANCH %bb.7\n"));
        expect![[r#"
            error[undefined-frame-object] 5:35 `%stack.3`: `%stack.3` is not declared
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    $vgpr0 = SI_SPILL_V32_RESTORE %stack.3, $sgpr32, 0, implicit $exec\n",
        ));
        expect![[r#"
            error[undefined-metadata] 5:31 `!1`: no metadata `!1`
            error[bad-debug-expression] 5:35 `!DIExpression(DW_OP_plsu)`: `DW_OP_plsu` is neither a `DW_OP_` operation, a `DW_ATE_` encoding, nor an unsigned 64-bit number
        "#]].assert_eq(&findings(
            "",
            "  bb.0:\n    DBG_VALUE $vgpr0, $noreg, !1, !DIExpression(DW_OP_plsu)\n",
        ));
    }
}
