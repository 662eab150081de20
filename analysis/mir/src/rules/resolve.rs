//! Name resolution: fills the context and reports what LLVM's MIR parser rejects.

use wavelens_isa::mir::{flag, has_newer_operands, is_newer_opcode};

use super::{
    block_names, implicit_operands, ir_names, memory_operands, names, register_declarations, registers,
    target_info, ties, yaml_references,
};
use crate::context::{Inst, Reg, RuleContext};
use crate::model::*;
use wavelens_base::cfg::Cfg;

/// Whether everything could be understood.
pub(super) fn resolve(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = register_declarations::check_declarations(cx);
    cx.blocks = block_names::number_blocks(f, cx.diagnostics);
    ok &= cx.blocks.len() == f.blocks.len();
    ok &= names::check_listed(cx);
    ok &= target_info::check(cx);
    ok &= yaml_references::check(cx);
    for live_in in &f.block_live_ins {
        ok &= names::check_physical(cx, live_in.register, live_in.range);
    }
    cx.instructions.reserve(f.instructions.len());
    for (index, instruction) in f.instructions.iter().enumerate() {
        let inst = self::instruction(cx, index as u32, instruction);
        ok &= inst.is_some();
        cx.instructions.push(inst);
    }
    ok &= registers::check_kinds(cx);
    ok &= control_flow(cx);
    ok
}

fn instruction<'a>(cx: &mut RuleContext<'a>, index: u32, source: &'a Instruction) -> Option<Inst<'a>> {
    let f = cx.f;
    let broken = source.flags & instruction_flag::BROKEN != 0;
    let mut ok = !broken;
    for place in source.operands.indices() {
        let Some(operand) = f.operands.get(place) else { continue };
        match &operand.kind {
            OperandKind::Register(r) => {
                ok &= match r.name {
                    RegisterName::Physical(name) => names::check_physical(cx, name, operand.range),
                    _ => true,
                };
                if r.sub.is_some() {
                    ok &= names::check_sub_index(cx, r.sub, operand.range);
                }
                ok &= registers::check_operand(cx, operand, r, broken);
            }
            OperandKind::Cfi(_) => ok &= names::check_cfi(cx, operand.range),
            _ if broken => {}
            _ => ok &= names::check_operand(cx, operand),
        }
    }
    if broken {
        return None;
    }
    let reads_newer = cx.reads_newer();
    let Some(opcode) = cx.opcode(source.opcode) else {
        let is_known = |name: &str| cx.t.opcode(name).is_some();
        if !(reads_newer && is_newer_opcode(f.opcode_text(source), is_known)) {
            names::report_unknown_opcode(cx, source);
        }
        return None;
    };
    for memory in source.memory.of(&f.memory) {
        ok &= memory_operands::check_target_names(cx, memory);
        ok &= memory_operands::check(cx, memory);
    }
    ok &= ir_names::check_operands(cx, source);
    let desc = cx.t.desc(opcode);
    // LLVM puts explicit operands before implicit registers, whatever the text's order.
    let is_asm = matches!(
        desc.generic,
        wavelens_isa::mir::opcode::INLINEASM | wavelens_isa::mir::opcode::INLINEASM_BR
    );
    let is_implicit =
        |i: &u32| f.operands.get(*i as usize).is_some_and(|o| o.register().is_some() && o.is_implicit());
    let mut order: Vec<u32> = (source.operands.start..source.operands.end).collect();
    if !is_asm {
        order.sort_by_key(is_implicit);
    }
    let is_explicit = |operand: &Operand| operand.register().is_none() || !operand.is_implicit();
    let explicit = source.operands.of(&f.operands).iter().filter(|operand| is_explicit(operand)).count();
    if reads_newer && explicit != desc.operand_count() && has_newer_operands(f.opcode_text(source)) {
        return None;
    }
    let mut inst = Inst { index, source, desc, order, ties: Vec::new() };
    let ties = (0..inst.order.len()).filter_map(|tied| Some((tied, cx.tied_def(&inst, tied)?)));
    inst.ties = ties.collect();
    if ok {
        // What is written is checked all the same: it may tell that the opcode is another one.
        implicit_operands::check(cx, &inst);
        ok &= ties::check_written(cx, &inst);
    }
    ok.then_some(inst)
}

fn control_flow(cx: &mut RuleContext<'_>) -> bool {
    let f = cx.f;
    let mut ok = true;
    let mut edges: Vec<Vec<u32>> = Vec::with_capacity(f.blocks.len());
    for (place, block) in f.blocks.iter().enumerate() {
        let mut targets = Vec::new();
        match block.successors {
            Some(span) => {
                for successor in span.of(&f.successors) {
                    match block_names::resolve_block(cx, successor.block, successor.name, successor.range) {
                        Some(target) => targets.push(target),
                        None => ok = false,
                    }
                }
            }
            None => {
                let instructions = block.instructions.of(&cx.instructions);
                for inst in instructions.iter().flatten().filter(|i| !i.is_phi() && !i.is_bundled()) {
                    for operand in cx.operands(inst) {
                        if let OperandKind::Block(number, _) = operand.kind
                            && let Some(target) = cx.blocks.get(&number).filter(|t| !targets.contains(*t))
                        {
                            targets.push(*target);
                        }
                    }
                }
                let last = instructions.iter().flatten().rfind(|i| !i.is_debug() && !i.is_bundled());
                let falls = last.is_none_or(|i| !i.desc.is(flag::BARRIER));
                let next = place as u32 + 1;
                if falls && (next as usize) < f.blocks.len() && !targets.contains(&next) {
                    targets.push(next);
                }
            }
        }
        edges.push(targets);
    }
    cx.cfg = Cfg::new(edges);
    count_registers(cx);
    ok
}

/// Definitions and uses of virtual registers, and what follows from them.
fn count_registers(cx: &mut RuleContext<'_>) {
    let mut tied = false;
    let mut rewritten = true;
    let mut part_defined = None;
    let mut phis = false;
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        phis |= inst.is_phi();
        for (position, place) in inst.order.iter().enumerate() {
            let Some(operand) = cx.f.operands.get(*place as usize) else { continue };
            let Some(register) = operand.register() else { continue };
            let reg = cx.reg(register);
            if let Reg::Virtual(v) = reg
                && let Some(info) = cx.virtuals.get_mut(v as usize)
            {
                if operand.is_def() {
                    info.definitions += 1;
                    info.definition.get_or_insert((inst.index, *place));
                    if register.sub.is_some() && info.definitions == 1 {
                        part_defined.get_or_insert(v);
                    }
                } else if !operand.has(operand_flag::DEBUG) {
                    info.uses += 1;
                }
            }
            if reg != Reg::None
                && !operand.is_def()
                && let Some(def) = cx.tied_to(inst, position)
            {
                tied = true;
                let same =
                    cx.operand(inst, def).and_then(Operand::register).is_some_and(|d| cx.reg(d) == reg);
                rewritten &= same;
            }
        }
    }
    cx.instructions = instructions;
    let repeated = cx.virtuals.iter().position(|v| v.definitions > 1).map(|v| v as u32);
    let not_ssa = repeated.map(|v| (v, "more than once")).or(part_defined.map(|v| (v, "in part")));
    cx.is_ssa = cx.f.properties.is_ssa.unwrap_or(not_ssa.is_none());
    cx.has_phis = phis;
    cx.tied_rewritten = tied && rewritten;
    super::properties::computed(cx, not_ssa, phis);
}
