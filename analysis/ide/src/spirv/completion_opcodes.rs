//! Which instructions are likely at the start of a line.

use wavelens_base::TextRange;
use wavelens_spirv::flat::hash_name;
use wavelens_spirv::ops;
use wavelens_spirv::rules::layout;
use wavelens_syntax::spirv::tables::{Instruction, Kind, Op};

use super::Cx;
use super::place::{Typing, module};

/// Instructions that most modules have.
const COMMON: &[Op] = &[
    Op::AccessChain,
    Op::Branch,
    Op::BranchConditional,
    Op::Capability,
    Op::CompositeConstruct,
    Op::CompositeExtract,
    Op::Constant,
    Op::ConstantComposite,
    Op::Decorate,
    Op::EntryPoint,
    Op::ExecutionMode,
    Op::ExtInst,
    Op::ExtInstImport,
    Op::FAdd,
    Op::FMul,
    Op::FunctionCall,
    Op::FunctionEnd,
    Op::FunctionParameter,
    Op::IAdd,
    Op::Label,
    Op::Load,
    Op::LoopMerge,
    Op::MemberDecorate,
    Op::MemoryModel,
    Op::Name,
    Op::Phi,
    Op::Return,
    Op::ReturnValue,
    Op::SelectionMerge,
    Op::Store,
    Op::TypeArray,
    Op::TypeBool,
    Op::TypeFloat,
    Op::TypeFunction,
    Op::TypeInt,
    Op::TypeMatrix,
    Op::TypePointer,
    Op::TypeStruct,
    Op::TypeVector,
    Op::TypeVoid,
    Op::Variable,
    Op::VectorShuffle,
];

/// What kind of instruction comes next.
pub(super) struct Next {
    /// The instruction before the cursor, in its chunk.
    previous: Option<Op>,
    in_function: bool,
    /// Whether a result id is written already.
    has_result: bool,
    /// What the result is, by its name and by how the module uses it.
    result: Vec<Op>,
    /// What the module still lacks at this place.
    missing: Option<Op>,
}

impl Next {
    pub(super) fn new(cx: &Cx<'_>, typing: &Typing) -> Next {
        let start = typing.word.start();
        let before = cx.lowered.inst_ranges.iter().take_while(|range| range.end() <= start).count();
        let previous = before.checked_sub(1).and_then(|at| cx.lowered.flat.insts.get(at)).map(|inst| inst.op);
        let line = cx.slice(TextRange::up_to(start)).rsplit('\n').next().unwrap_or("");
        let name = line.trim_end().strip_suffix('=').map(|name| name.trim().trim_start_matches('%'));
        let m = module(cx);
        let in_function = m.is_function();
        let has = |op: Op| cx.scope.code.iter().any(|inst| inst.op() == op);
        let missing = match previous {
            Some(Op::EntryPoint) if !has(Op::ExecutionMode) && needs_mode(cx) => Some(Op::ExecutionMode),
            Some(Op::Capability | Op::Extension | Op::ExtInstImport) if !has(Op::MemoryModel) => {
                Some(Op::MemoryModel)
            }
            Some(Op::MemoryModel) if !has(Op::EntryPoint) => Some(Op::EntryPoint),
            _ => None,
        };
        let result = name.filter(|_| !in_function).map_or(Vec::new(), |name| result(cx, name));
        Next { previous, in_function, has_result: name.is_some(), result, missing }
    }

    /// How much later than others an instruction is listed.
    pub(super) fn rank(&self, info: &Instruction) -> u8 {
        let is_missing = self.missing == Some(info.op) && info.has_result == self.has_result;
        if is_missing || self.result.contains(&info.op) {
            return 0;
        }
        let fits = info.has_result == self.has_result && self.follows(info);
        let is_rare = !COMMON.contains(&info.op);
        let is_other = !self.result.is_empty();
        8 * u8::from(is_rare) + if fits { 0 } else { 40 } + 35 * u8::from(is_other)
    }

    fn follows(&self, info: &Instruction) -> bool {
        let op = info.op;
        let Some(previous) = self.previous else {
            return if self.in_function { op == Op::Function } else { layout::rank(op) == Some(0) };
        };
        match previous {
            Op::Function | Op::FunctionParameter => {
                matches!(op, Op::FunctionParameter | Op::Label | Op::FunctionEnd)
            }
            Op::SelectionMerge => matches!(op, Op::BranchConditional | Op::Switch),
            Op::LoopMerge => matches!(op, Op::Branch | Op::BranchConditional),
            Op::FunctionEnd => op == Op::Function,
            _ if ops::is_terminator(previous) => matches!(op, Op::Label | Op::FunctionEnd),
            Op::Label | Op::Variable if self.in_function && op == Op::Variable => true,
            // These are instructions of the module and of functions.
            _ if self.in_function => {
                layout::rank(op).is_none() || matches!(op, Op::ExtInst | Op::Line | Op::NoLine | Op::Undef)
            }
            // The same section of the module, or one of the next.
            _ => match (layout::rank(previous), layout::rank(op)) {
                (Some(last), Some(own)) => (last..=last + 2).contains(&own),
                _ => op == Op::Function,
            },
        }
    }
}

/// Whether an entry point has an execution model that requires an execution mode.
fn needs_mode(cx: &Cx<'_>) -> bool {
    let model = |name: &str| Kind::ExecutionModel.named(name).map(|known| known.value);
    let models = ["Fragment", "GLCompute", "Geometry", "MeshEXT"].map(model);
    cx.scope.entry_points.iter().any(|entry| models.contains(&Some(entry.model)))
}

/// What declares a global id: its friendly name, and what names and decorates it.
fn result(cx: &Cx<'_>, name: &str) -> Vec<Op> {
    let friendly = friendly(name);
    if !friendly.is_empty() {
        return friendly.to_vec();
    }
    let wanted = hash_name(name);
    let names = &cx.lowered.flat;
    let mut found = Vec::new();
    for inst in &names.insts {
        let operands = names.operands_of(inst);
        let names_it = |at: usize| {
            let operand = operands.get(at).filter(|o| o.kind.is_id());
            let name = operand.and_then(|o| names.names.get(o.value as usize));
            name.is_some_and(|name| name.hash == wanted)
        };
        match inst.op {
            Op::EntryPoint if names_it(1) => found.push(Op::Function),
            Op::EntryPoint if (3..operands.len()).any(names_it) => found.push(Op::Variable),
            Op::MemberName | Op::MemberDecorate if names_it(0) => found.push(Op::TypeStruct),
            Op::Decorate if names_it(0) => found.extend(decorated(operands.get(1).map_or(0, |o| o.value))),
            _ => {}
        }
    }
    found.dedup();
    found
}

/// What has a decoration.
fn decorated(decoration: u32) -> &'static [Op] {
    match Kind::Decoration.valued(decoration).map_or("", |known| known.name) {
        "Block" | "BufferBlock" => &[Op::TypeStruct],
        "ArrayStride" => &[Op::TypeArray, Op::TypeRuntimeArray, Op::TypePointer],
        "Binding" | "DescriptorSet" | "Location" | "NonWritable" | "NonReadable" => &[Op::Variable],
        "SpecId" => &[Op::SpecConstant, Op::SpecConstantTrue, Op::SpecConstantFalse],
        _ => &[],
    }
}

/// What has such a friendly name in the output of `spirv-dis`.
fn friendly(name: &str) -> &'static [Op] {
    let is_number = |digits: &str| digits.starts_with(|c: char| c.is_ascii_digit());
    let is_value = |c: char| c.is_ascii_digit() || c == 'n';
    let is_scalar = |name: &str| {
        let integer = name.strip_prefix('u').unwrap_or(name);
        ["int", "short", "char", "long"].contains(&integer) || ["half", "float", "double"].contains(&name)
    };
    match name {
        "void" => &[Op::TypeVoid],
        "bool" => &[Op::TypeBool],
        "true" => &[Op::ConstantTrue],
        "false" => &[Op::ConstantFalse],
        "half" | "float" | "double" => &[Op::TypeFloat],
        _ if is_scalar(name) => &[Op::TypeInt],
        "main" => &[Op::Function],
        _ if name.starts_with("_ptr_") => &[Op::TypePointer],
        _ if name.starts_with("_arr_") => &[Op::TypeArray],
        _ if name.starts_with("_runtimearr_") => &[Op::TypeRuntimeArray],
        _ if name.starts_with("_struct_") => &[Op::TypeStruct],
        _ if name.strip_prefix('v').is_some_and(is_number) => &[Op::TypeVector],
        _ if name.strip_prefix("mat").is_some_and(is_number) => &[Op::TypeMatrix],
        _ => match name.split_once('_') {
            Some((scalar, value)) if is_scalar(scalar) && value.starts_with(is_value) => &[Op::Constant],
            _ => &[],
        },
    }
}
