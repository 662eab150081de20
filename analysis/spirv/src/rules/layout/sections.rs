//! The sections of a module, and what may follow where.

use wavelens_syntax::spirv::tables::{DebugInfo, ExtSet, Op, OpenClDebugInfo100, ShaderDebugInfo100};

use crate::code::Inst;
use crate::ops;

/// Parts of a module, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Capabilities,
    Extensions,
    Imports,
    MemoryModel,
    SamplerImageAddressing,
    EntryPoints,
    ExecutionModes,
    Debug1,
    Debug2,
    Debug3,
    Annotations,
    Types,
    Declarations,
    Definitions,
    Graphs,
}

use Section::*;

impl Section {
    /// What is in the section, for a sentence.
    pub(super) fn contents(self) -> &'static str {
        match self {
            Capabilities => "the capabilities",
            Extensions => "the extensions",
            Imports => "OpExtInstImport",
            MemoryModel => "OpMemoryModel",
            SamplerImageAddressing => "OpSamplerImageAddressingModeNV",
            EntryPoints => "the entry points",
            ExecutionModes => "the execution modes",
            Debug1 => "OpString and OpSource",
            Debug2 => "OpName and OpMemberName",
            Debug3 => "OpModuleProcessed",
            Annotations => "the decorations",
            Types => "the types, constants and global variables",
            Declarations => "the function declarations",
            Definitions => "the functions",
            Graphs => "the graphs",
        }
    }
}

const ORDER: [Section; 15] = [
    Capabilities,
    Extensions,
    Imports,
    MemoryModel,
    SamplerImageAddressing,
    EntryPoints,
    ExecutionModes,
    Debug1,
    Debug2,
    Debug3,
    Annotations,
    Types,
    Declarations,
    Definitions,
    Graphs,
];

pub(super) fn section_of(current: Section, op: Op) -> Section {
    if ops::generates_type(op) || ops::is_constant(op) {
        return Types;
    }
    match op {
        Op::Capability | Op::ConditionalCapabilityINTEL => Capabilities,
        Op::Extension | Op::ConditionalExtensionINTEL => Extensions,
        Op::ExtInstImport => Imports,
        Op::MemoryModel => MemoryModel,
        Op::SamplerImageAddressingModeNV => SamplerImageAddressing,
        Op::EntryPoint | Op::ConditionalEntryPointINTEL => EntryPoints,
        Op::ExecutionMode | Op::ExecutionModeId => ExecutionModes,
        Op::SourceContinued | Op::Source | Op::SourceExtension | Op::String => Debug1,
        Op::Name | Op::MemberName => Debug2,
        Op::ModuleProcessed => Debug3,
        // OpDecorateId takes scopes of aliases.
        Op::AliasDomainDeclINTEL | Op::AliasScopeDeclINTEL | Op::AliasScopeListDeclINTEL => Annotations,
        Op::DecorationGroup => Annotations,
        op if ops::is_decoration(op) => Annotations,
        Op::TypeForwardPointer => Types,
        Op::Variable
        | Op::UntypedVariableKHR
        | Op::ExtInst
        | Op::ExtInstWithForwardRefsKHR
        | Op::Line
        | Op::NoLine
        | Op::Undef
        | Op::PoisonKHR
            if current == Types =>
        {
            Types
        }
        Op::GraphEntryPointARM
        | Op::GraphARM
        | Op::GraphInputARM
        | Op::GraphSetOutputARM
        | Op::GraphEndARM => Graphs,
        Op::ExtInst | Op::ExtInstWithForwardRefsKHR | Op::CompositeExtract if current == Graphs => Graphs,
        Op::Function | Op::FunctionParameter | Op::FunctionEnd if current == Declarations => Declarations,
        _ => Definitions,
    }
}

/// The rank of an instruction's section of the module, before the functions; `None` for instructions of functions.
pub fn rank(op: Op) -> Option<usize> {
    // What is allowed among the types and elsewhere counts as part of the types.
    let section = section_of(Types, op);
    ORDER.iter().position(|s| *s == section).filter(|_| section <= Types)
}

/// Where in the module a reader is.
#[derive(Debug)]
pub(super) struct State {
    pub(super) section: Section,
    pub(super) in_function: bool,
    pub(super) in_block: bool,
    pub(super) blocks: u32,
    /// An instruction was reported to be outside a function or block, and neither has begun or ended since: those that follow are
    /// there for the same reason.
    pub(super) is_lost: bool,
    /// The instruction before could not be read: it may be the OpFunction that those that follow belong to.
    pub(super) is_after_unread: bool,
    /// A function of its own chunk, whose place in the module is checked with the module.
    pub(super) alone: bool,
    /// A second module follows, with a memory model of its own: what precedes its functions has an order too.
    pub(super) is_next_module: bool,
    /// Indexes of the first and the last OpMemoryModel in the module's code, where that is read as a whole.
    pub(super) models: Option<(u32, u32)>,
    /// There is none, and something could not be read that may be it.
    pub(super) is_model_unread: bool,
}

const LOCAL_DEBUG_INFO: &str =
    "DebugScope, DebugDeclare, DebugValue and similar debug instructions must be in a function body";
const GLOBAL_DEBUG_INFO: &str = "debug information must be between the first type and the functions";
pub(super) const NO_BODY: &str = "a function without a body must precede all functions with a body";

impl State {
    /// At the start of a module.
    pub(super) const NEW: State = State {
        section: Capabilities,
        in_function: false,
        in_block: false,
        blocks: 0,
        is_lost: false,
        is_after_unread: false,
        alone: false,
        is_next_module: false,
        models: None,
        is_model_unread: false,
    };

    /// What is wrong with the place of an instruction. The next one is read as if it were right.
    pub(super) fn read(&mut self, inst: Inst<'_>) -> Option<String> {
        let before = self.section;
        let step = self.step(inst);
        self.is_after_unread = false;
        if is_in_functions_only(inst.op()) && !self.in_function && before < Declarations {
            self.section = before;
        }
        let message = step.err()?;
        let is_second_model =
            self.models.is_some_and(|(first, _)| inst.op() == Op::MemoryModel && inst.at > first);
        match inst.op() {
            _ if before < MemoryModel && self.models.is_some_and(|(_, last)| inst.at < last) => {
                self.section = before;
            }
            Op::Label => self.in_block = self.in_function || self.in_block,
            Op::FunctionEnd => (self.in_function, self.in_block) = (false, false),
            Op::Function => (self.in_function, self.in_block, self.blocks) = (true, false, 0),
            Op::Capability if self.is_next_module => self.section = Capabilities,
            _ => {}
        }
        // A second memory model is reported as such.
        (!is_second_model).then_some(message)
    }

    /// Whether an instruction belongs to a section that is over.
    pub(super) fn is_late(&self, inst: Inst<'_>) -> bool {
        section_of(self.section, inst.op()) < self.section
    }

    pub(super) fn step(&mut self, inst: Inst<'_>) -> Result<(), String> {
        let op = inst.op();
        if self.section < Declarations {
            self.module_scoped(inst, op)
        } else {
            self.function_scoped(inst, op)
        }
    }

    fn module_scoped(&mut self, inst: Inst<'_>, op: Op) -> Result<(), String> {
        if inst.is_ext_inst()
            && let Some(set) = inst.raw.set
        {
            if set.is_debug_info() {
                if is_local_debug_info(set, inst.ext_number()) {
                    return if self.is_lost { Ok(()) } else { Err(LOCAL_DEBUG_INFO.into()) };
                }
                if self.section < Types {
                    return Err(GLOBAL_DEBUG_INFO.into());
                }
            } else if set.is_non_semantic() {
                if self.section < Types {
                    return Err("a non-semantic instruction must not precede the types".into());
                }
            } else if self.section < Definitions && !self.is_lost {
                return Err(format!("{} is outside a block", op.name()));
            }
        }
        while section_of(self.section, op) != self.section {
            if section_of(self.section, op) < self.section {
                return Err(format!(
                    "{} is out of order: it must precede {}",
                    op.name(),
                    self.section.contents()
                ));
            }
            let at = ORDER.iter().position(|s| *s == self.section).unwrap_or(0);
            self.section = ORDER.get(at + 1).copied().unwrap_or(Definitions);
            match self.section {
                MemoryModel if is_in_blocks(op) => return Err(outside_a_block(op, None)),
                MemoryModel if op != Op::MemoryModel && !self.is_model_unread => {
                    return Err(format!("{} must not precede OpMemoryModel", op.name()));
                }
                Declarations => return self.function_scoped(inst, op),
                _ => {}
            }
        }
        Ok(())
    }

    fn function_scoped(&mut self, inst: Inst<'_>, op: Op) -> Result<(), String> {
        if self.section == Declarations && section_of(self.section, op) != Declarations {
            self.section = Definitions;
        }
        if section_of(self.section, op) == Graphs && !self.in_function {
            self.section = Graphs;
            return Ok(());
        }
        if section_of(self.section, op) != self.section {
            let next = match op {
                Op::Capability if self.is_next_module => "; a second module must be in a file of its own",
                _ => "",
            };
            return Err(format!("{} must precede the functions{next}", op.name()));
        }
        let is_lost = self.is_lost;
        if matches!(op, Op::Function | Op::FunctionEnd)
            || self.in_function && (op == Op::Label || ops::is_terminator(op))
        {
            self.is_lost = false;
        }
        match op {
            Op::Function => {
                if self.in_function {
                    return Err("missing OpFunctionEnd before this OpFunction".into());
                }
                (self.in_function, self.in_block, self.blocks) = (true, false, 0);
            }
            Op::FunctionParameter => {
                if !self.in_function {
                    return self.begin_without_head(op);
                }
                if self.blocks != 0 {
                    return Err("OpFunctionParameter must precede the blocks of the function".into());
                }
            }
            Op::FunctionEnd => {
                if !self.in_function {
                    return if is_lost { Ok(()) } else { Err("OpFunctionEnd without OpFunction".into()) };
                }
                if self.in_block {
                    return Err(
                        "missing terminator before OpFunctionEnd: the last block does not end with a branch or return".into()
                    );
                }
                if self.blocks == 0 && self.section == Definitions && !self.alone {
                    return Err(NO_BODY.into());
                }
                self.in_function = false;
            }
            Op::Line | Op::NoLine => {}
            Op::Label => {
                if !self.in_function {
                    return self.begin_without_head(op);
                }
                if self.in_block {
                    return Err("missing terminator before OpLabel: the previous block does not end with a branch or return".into());
                }
                self.in_block = true;
                self.blocks += 1;
            }
            Op::ExtInst | Op::ExtInstWithForwardRefsKHR => {
                let Some(set) = inst.raw.set else { return Ok(()) };
                if set.is_debug_info() {
                    if !is_local_debug_info(set, inst.ext_number()) {
                        return Err(GLOBAL_DEBUG_INFO.into());
                    }
                    if !self.in_function && !is_lost {
                        return Err(LOCAL_DEBUG_INFO.into());
                    }
                } else if set.is_non_semantic() {
                    if self.in_function && !self.in_block {
                        return Err(
                            "this non-semantic instruction is in a function but outside a block".into()
                        );
                    }
                } else if !self.in_block && !is_lost {
                    return Err(format!("{} is outside a block", op.name()));
                }
            }
            _ => {
                if self.section == Declarations && self.in_function {
                    return Err("expected OpLabel at the start of the function body".into());
                }
                if !self.in_block && ops::generates_type(op) {
                    return Err(format!("{} must precede the functions", op.name()));
                }
                if !self.in_function && section_of(Types, op) == Types {
                    return Err(format!("{} must precede the functions, or be in a block", op.name()));
                }
                if !self.in_block {
                    let message = outside_a_block(op, self.in_function.then_some(self.blocks));
                    self.is_lost = !self.in_function || !ops::is_terminator(op);
                    return if is_lost { Ok(()) } else { Err(message) };
                }
                if ops::is_terminator(op) {
                    self.in_block = false;
                }
            }
        }
        Ok(())
    }

    /// A label or parameter outside a function. The second one, or one after an instruction that was reported to be outside, begins a
    /// function whose OpFunction is missing; the first may be what is wrong itself.
    fn begin_without_head(&mut self, op: Op) -> Result<(), String> {
        if !std::mem::replace(&mut self.is_lost, true) {
            return if self.is_after_unread { Ok(()) } else { Err(outside_a_block(op, None)) };
        }
        let is_label = op == Op::Label;
        (self.section, self.in_function, self.in_block) = (Definitions, true, is_label);
        (self.blocks, self.is_lost) = (u32::from(is_label), false);
        Ok(())
    }
}

fn is_local_debug_info(set: ExtSet, number: u32) -> bool {
    match set {
        ExtSet::OpenClDebugInfo100 => matches!(
            number,
            OpenClDebugInfo100::DebugScope
                | OpenClDebugInfo100::DebugNoScope
                | OpenClDebugInfo100::DebugDeclare
                | OpenClDebugInfo100::DebugValue
        ),
        ExtSet::ShaderDebugInfo100 => matches!(
            number,
            ShaderDebugInfo100::DebugScope
                | ShaderDebugInfo100::DebugNoScope
                | ShaderDebugInfo100::DebugDeclare
                | ShaderDebugInfo100::DebugValue
                | ShaderDebugInfo100::DebugLine
                | ShaderDebugInfo100::DebugNoLine
                | ShaderDebugInfo100::DebugFunctionDefinition
        ),
        _ => matches!(
            number,
            DebugInfo::DebugScope | DebugInfo::DebugNoScope | DebugInfo::DebugDeclare | DebugInfo::DebugValue
        ),
    }
}

/// Whether instructions of this opcode can be in functions.
pub(in crate::rules) fn is_in_functions(op: Op) -> bool {
    section_of(Definitions, op) == Definitions
}

/// Whether instructions of this opcode can be only in functions.
pub(super) fn is_in_functions_only(op: Op) -> bool {
    section_of(Types, op) == Definitions && op != Op::Function
}

/// Whether instructions of this opcode can be only in blocks.
fn is_in_blocks(op: Op) -> bool {
    is_in_functions_only(op) && !matches!(op, Op::FunctionParameter | Op::FunctionEnd | Op::Label)
}

/// spirv-val takes what it does not know for instructions of a function.
/// `blocks` is the number of blocks of the function above the instruction.
fn outside_a_block(op: Op, blocks: Option<u32>) -> String {
    let name = op.name();
    match blocks {
        None => format!("{name} is outside a function"),
        Some(0) => {
            format!("{name} is outside a block: expected OpLabel at the start of the function's body")
        }
        Some(_) => {
            format!("{name} is outside a block: the block above has ended, and OpLabel must begin the next")
        }
    }
}
