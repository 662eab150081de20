//! A machine function with its target: names resolved, operands in the order LLVM keeps them, control flow.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use wavelens_isa::Target;
use wavelens_isa::mir::{Class, CpuRows, Desc, Machine, Opcode, Register, SubIndex, Tables, flag, opcode};

use super::ir::IrFunction;
use super::model::*;
use super::scope::Scope;
use wavelens_base::cfg::Cfg;
use wavelens_base::configuration::Origin;
use wavelens_base::{Diagnostic, Fault, Lack, Part, Rule, TextRange, Verdict};

/// What a virtual register is, as far as declarations and uses tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum VirtualKind {
    #[default]
    Unknown,
    Class(Class),
    /// `_`
    Generic,
    /// Index into the target's banks.
    Bank(u16),
    /// Named wrongly, already reported: rules pass over it.
    Error,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Virtual {
    pub(super) kind: VirtualKind,
    pub(super) explicit: bool,
    pub(super) ty: Option<Type>,
    pub(super) definitions: u32,
    /// Instruction and operand (in the flat array) of the first definition.
    pub(super) definition: Option<(u32, u32)>,
    /// Uses other than debug uses.
    pub(super) uses: u32,
}

/// A resolved register operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reg {
    /// `$noreg`, `_`, or something unknown that is already reported.
    None,
    Physical(Register),
    Virtual(u32),
}

/// An instruction with its description.
#[derive(Debug, Clone)]
pub(super) struct Inst<'a> {
    pub(super) index: u32,
    pub(super) source: &'a Instruction,
    pub(super) desc: Desc,
    /// Indices into [`Function::operands`], in the order LLVM keeps them: explicit ones before implicit registers.
    pub(super) order: Vec<u32>,
    /// Operands and those that they are tied to.
    pub(super) ties: Vec<(usize, usize)>,
}

/// A machine function with what rules read of it, and the findings.
pub(super) struct RuleContext<'a> {
    pub(super) f: &'a Function,
    pub(super) scope: &'a Scope,
    pub(super) text: &'a str,
    pub(super) t: &'static Tables,
    pub(super) machine: Machine,
    cpu: Option<&'a str>,
    pub(super) cpu_rows: CpuRows,
    /// The IR function; `None` when the file has no IR module or no such function.
    pub(super) ir: Option<&'a IrFunction>,
    pub(super) virtuals: Vec<Virtual>,
    /// Block number to place.
    pub(super) blocks: FxHashMap<u32, u32>,
    /// One for each instruction; `None` where it was not understood.
    pub(super) instructions: Vec<Option<Inst<'a>>>,
    pub(super) cfg: Cfg,
    pub(super) is_ssa: bool,
    pub(super) has_phis: bool,
    pub(super) tied_rewritten: bool,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// Register units that are reserved here or are not, whatever the tables say; sorted, computed on first use.
    pub(super) reserved: OnceCell<Vec<(u16, bool)>>,
    opcodes: Meanings<Option<Opcode>>,
    registers: Meanings<Option<Register>>,
    classes: Meanings<VirtualKind>,
    sub_indices: Meanings<Option<SubIndex>>,
}

/// What names mean, each looked up once.
struct Meanings<T>(Vec<Option<T>>);

impl<T: Copy> Meanings<T> {
    fn new(names: &Names) -> Self {
        Meanings(vec![None; names.len()])
    }

    fn get(&self, name: Symbol) -> Option<T> {
        self.0.get(name.0 as usize).copied().flatten()
    }

    fn find(&mut self, name: Symbol, find: impl FnOnce() -> T) -> T {
        let Some(slot) = self.0.get_mut(name.0 as usize) else { return find() };
        *slot.get_or_insert_with(find)
    }
}

impl<'a> RuleContext<'a> {
    /// Whether what AMDGPU got after the LLVM whose descriptions the tables are made of is accepted.
    pub(super) fn reads_newer(&self) -> bool {
        let level = self.scope.configuration.llvm_level.value;
        self.machine == Machine::Amdgpu && level >= wavelens_syntax::llvm::NEWER_SINCE
    }

    /// Whether the rules of an AMDGPU machine that came with a version of LLVM are applied: the file is for that version.
    pub(super) fn follows(&self, version: u8) -> bool {
        let level = &self.scope.configuration.llvm_level;
        self.machine == Machine::Amdgpu && level.origin != Origin::Default && level.value >= version
    }

    pub(super) fn new(
        f: &'a Function,
        scope: &'a Scope,
        text: &'a str,
        machine: Machine,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let ir = scope.functions.get(&f.properties.name.text);
        let cpu = scope.cpu_of(ir);
        let cpu_rows = scope.cpu_rows(machine, ir);
        RuleContext {
            f,
            scope,
            text,
            t: machine.tables(),
            machine,
            cpu,
            cpu_rows,
            ir,
            virtuals: vec![Virtual::default(); f.registers.len()],
            blocks: FxHashMap::default(),
            instructions: Vec::new(),
            cfg: Cfg::default(),
            is_ssa: false,
            has_phis: false,
            tied_rewritten: false,
            diagnostics,
            reserved: OnceCell::new(),
            opcodes: Meanings::new(&f.names),
            registers: Meanings::new(&f.names),
            classes: Meanings::new(&f.names),
            sub_indices: Meanings::new(&f.names),
        }
    }

    /// The processor's name, if one is known.
    pub(super) fn processor_name(&self) -> Option<&'a str> {
        self.cpu
    }

    /// The AMDGPU processor; `None` if none is named, or not a known one.
    pub(super) fn target(&self) -> Option<Target> {
        self.cpu.and_then(Target::named)
    }

    /// Whether a processor is named, known or not.
    pub(super) fn has_processor(&self) -> bool {
        self.cpu.is_some()
    }

    /// Reports what a function lacks, however often it is used.
    pub(super) fn report_once(&mut self, rule: &'static Rule, range: TextRange, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(rule, range, message).once());
    }

    /// Something with a name that the file, whose IR may use it too, does not define.
    pub(super) fn report_undefined(&mut self, rule: &'static Rule, range: TextRange, kind: &str, name: &str) {
        let found = Diagnostic::new(rule, range, format!("use of undefined {kind} `{name}`"));
        self.diagnostics.push(found.with_lack(Lack::InFile(name.into())));
    }

    pub(super) fn report(&mut self, rule: &'static Rule, range: TextRange, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(rule, range, message));
    }

    /// The last operand before a place for which a test holds. `None` after many findings: each of them looks at all operands.
    pub(super) fn operand_before(
        &self,
        place: TextRange,
        mut is_wanted: impl FnMut(&Operand) -> bool,
    ) -> Option<TextRange> {
        let before = self.f.operands.iter().rev().filter(|o| o.range.end() <= place.start());
        before.take(self.searched()).find(|o| is_wanted(o)).map(|o| o.range)
    }

    /// The first operand other than the one at a place for which a test holds, with the same limit.
    pub(super) fn first_operand(
        &self,
        place: TextRange,
        is_wanted: impl Fn(&Operand) -> bool,
    ) -> Option<TextRange> {
        let others = self.f.operands.iter().filter(|o| o.range != place);
        others.take(self.searched()).find(|o| is_wanted(o)).map(|o| o.range)
    }

    /// How many operands are compared to find the other place of a finding.
    fn searched(&self) -> usize {
        if self.diagnostics.len() < 100 { usize::MAX } else { 0 }
    }

    /// The range of a part of an instruction. The whole of it is shown at its opcode.
    pub(super) fn part_range(&self, inst: &Inst<'_>, part: Part) -> TextRange {
        match part {
            Part::Range(range) => range,
            Part::Operand(index) => self.operand(inst, index).map_or(inst.source.opcode_range, |o| o.range),
            Part::Whole => inst.source.opcode_range,
        }
    }

    pub(super) fn report_fault(&mut self, inst: &Inst<'_>, fault: Box<Fault>) {
        let diagnostic = fault.diagnostic(|part| self.part_range(inst, part));
        self.diagnostics.push(diagnostic);
    }

    /// Reports what a check of an instruction found.
    pub(super) fn conclude(&mut self, inst: &Inst<'_>, verdict: Verdict) {
        if let Err(fault) = verdict {
            self.report_fault(inst, fault);
        }
    }

    pub(super) fn opcode(&mut self, name: Symbol) -> Option<Opcode> {
        let (t, f) = (self.t, self.f);
        self.opcodes.find(name, || t.opcode(f.names.get(name)))
    }

    pub(super) fn register(&mut self, name: Symbol) -> Option<Register> {
        let (t, f) = (self.t, self.f);
        self.registers.find(name, || t.register(f.names.get(name)))
    }

    /// A register whose name was looked up before.
    pub(super) fn known_register(&self, name: Symbol) -> Option<Register> {
        self.registers.get(name).flatten()
    }

    pub(super) fn sub_index(&mut self, name: Symbol) -> Option<SubIndex> {
        let (t, f) = (self.t, self.f);
        self.sub_indices.find(name, || t.sub_index(f.names.get(name)))
    }

    pub(super) fn known_sub_index(&self, name: Symbol) -> Option<SubIndex> {
        self.sub_indices.get(name).flatten()
    }

    /// What a class, a bank or `_` means.
    pub(super) fn class_or_bank(&mut self, name: Symbol) -> VirtualKind {
        let (t, f) = (self.t, self.f);
        self.classes.find(name, || {
            let name = f.names.get(name);
            if name == "_" {
                return VirtualKind::Generic;
            }
            if let Some(class) = t.class(name) {
                return VirtualKind::Class(class);
            }
            match t.facts().banks.iter().position(|b| b.name == name) {
                Some(bank) => VirtualKind::Bank(bank as u16),
                None => VirtualKind::Error,
            }
        })
    }

    pub(super) fn reg(&self, operand: &RegisterOperand) -> Reg {
        match operand.name {
            RegisterName::None => Reg::None,
            RegisterName::Virtual(v) => Reg::Virtual(v),
            RegisterName::Physical(name) => match self.known_register(name) {
                Some(Register::NONE) | None => Reg::None,
                Some(register) => Reg::Physical(register),
            },
        }
    }

    pub(super) fn virtual_of(&self, index: u32) -> Virtual {
        self.virtuals.get(index as usize).copied().unwrap_or_default()
    }

    /// The generic type of a register; `None` for physical registers, classes and unknown types.
    pub(super) fn type_of(&self, operand: &Operand) -> Option<Type> {
        match self.reg(operand.register()?) {
            Reg::Virtual(v) => self.virtual_of(v).ty,
            _ => None,
        }
    }

    pub(super) fn operand(&self, inst: &Inst<'_>, index: usize) -> Option<&'a Operand> {
        let f: &'a Function = self.f;
        f.operands.get(*inst.order.get(index)? as usize)
    }

    pub(super) fn operands<'s>(&'s self, inst: &'s Inst<'_>) -> impl Iterator<Item = &'a Operand> + 's {
        let f: &'a Function = self.f;
        inst.order.iter().filter_map(move |i| f.operands.get(*i as usize))
    }

    /// The definition that a use is tied to: by the description, or by `tied-def`.
    pub(super) fn tied_def(&self, inst: &Inst<'_>, index: usize) -> Option<usize> {
        let operand = self.operand(inst, index)?;
        let register = operand.register()?;
        if let Some(tied) = register.tied {
            // Numbered in the order of the text.
            return Some(tied as usize);
        }
        if operand.is_def() || operand.is_implicit() {
            return None;
        }
        inst.desc.operand(index)?.tied.map(usize::from)
    }

    /// The operand that a register operand is tied to, whichever of them is the definition.
    pub(super) fn tied_to(&self, inst: &Inst<'_>, index: usize) -> Option<usize> {
        let to = inst.ties.iter().find(|(tied, _)| *tied == index).map(|(_, def)| *def);
        to.or_else(|| inst.ties.iter().find(|(_, def)| *def == index).map(|(tied, _)| *tied))
    }

    /// The blocks' instructions.
    pub(super) fn block_of(&self, block: u32) -> Option<&'a Block> {
        let f: &'a Function = self.f;
        f.blocks.get(block as usize)
    }

    pub(super) fn block_text(&self, block: u32) -> String {
        self.block_of(block).map_or_else(|| "%bb.?".to_owned(), |b| format!("%bb.{}", b.number))
    }

    /// Where a report about a whole block points.
    pub(super) fn block_range(&self, block: u32) -> TextRange {
        self.block_of(block).map_or_else(|| self.f.properties.name.range, |b| b.range)
    }

    pub(super) fn class_text(&self, class: Class) -> String {
        self.t.class_name(class)
    }

    pub(super) fn register_text(&self, operand: &RegisterOperand) -> String {
        match operand.name {
            RegisterName::None => "_".to_owned(),
            RegisterName::Physical(s) => format!("${}", self.f.names.get(s)),
            RegisterName::Virtual(v) => self.f.register_text(v),
        }
    }
}

/// Fails a check at a range.
pub(super) fn fail_in(rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Verdict {
    Err(Fault::new(rule, message).at(Part::Range(range)))
}

impl Inst<'_> {
    pub(super) fn is(&self, shared: u16) -> bool {
        self.desc.generic == shared
    }

    pub(super) fn is_phi(&self) -> bool {
        self.is(opcode::PHI) || self.is(opcode::G_PHI)
    }

    pub(super) fn is_terminator(&self) -> bool {
        self.desc.is(flag::TERMINATOR)
    }

    pub(super) fn is_bundled(&self) -> bool {
        self.source.flags & instruction_flag::BUNDLED != 0
    }

    pub(super) fn is_debug_value(&self) -> bool {
        self.is(opcode::DBG_VALUE) || self.is(opcode::DBG_VALUE_LIST)
    }

    /// Instructions that only describe.
    pub(super) fn is_debug(&self) -> bool {
        self.is_debug_value()
            || self.is(opcode::DBG_LABEL)
            || self.is(opcode::DBG_INSTR_REF)
            || self.is(opcode::DBG_PHI)
    }

    pub(super) fn is_inline_asm(&self) -> bool {
        self.is(opcode::INLINEASM) || self.is(opcode::INLINEASM_BR)
    }

    /// Opcodes of GlobalISel, and `G_ASSERT_*`.
    pub(super) fn is_pre_isel(&self) -> bool {
        let generic = self.desc.generic;
        generic != opcode::NONE
            && (generic >= opcode::G_ADD
                || matches!(generic, opcode::G_ASSERT_SEXT | opcode::G_ASSERT_ZEXT | opcode::G_ASSERT_ALIGN))
    }

    /// As [`Inst::is_pre_isel`] without the optimization hints.
    pub(super) fn is_pre_isel_opcode(&self) -> bool {
        self.desc.generic != opcode::NONE && self.desc.generic >= opcode::G_ADD
    }
}

impl RuleContext<'_> {
    /// Bits of a pointer and of its index, in an address space.
    pub(super) fn pointer_bits(&self, space: u32) -> (u32, u32) {
        (self.scope.layout.pointer_bits(space), self.scope.layout.index_bits(space))
    }
}
