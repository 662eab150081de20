//! The order of a module's parts (SPIR-V specification, section 2.4).

mod sections;

use std::sync::Arc;

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{Capability, ExecutionModel, Op};
use wavelens_syntax::wording;

use crate::code::Inst;
use crate::context::RuleContext;
use crate::scope::{Scope, Site, Summary};
use wavelens_base::{ChunkId, Severity};

use sections::Section::{self, *};
pub(in crate::rules) use sections::is_in_functions;
pub use sections::rank;
use sections::{NO_BODY, State, is_in_functions_only, section_of};

wavelens_syntax::rules! {
    LAYOUT {
        code: "module-layout",
        severity: Severity::Error,
        title: "instructions are in the order that the logical layout of a module requires",
        explain: "Consumers read a module once, from front to back: capabilities, extensions, imports, memory model, entry points, execution modes, debug information, annotations, types with constants and global variables, functions. A function is OpFunction, its parameters, blocks that start with OpLabel and end with a terminator, and OpFunctionEnd.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
OpName %void "void"
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %void "void"
%void = OpTypeVoid
"#,
        source: "SPIR-V specification, section 2.4 (Logical Layout of a Module); SPIRV-Tools validate_layout.cpp: \"is in an invalid layout section\", \"must appear in a block\"; VUID-StandaloneSpirv-MeshEXT-07102",
    }

    MISSING_PART {
        code: "missing-module-part",
        severity: Severity::Error,
        title: "a module has a memory model, and an entry point unless it is linked later",
        explain: "Without OpMemoryModel the meaning of pointers is unknown; a module without OpEntryPoint is usable only by a linker, which the Linkage capability declares.",
        example: r#"OpCapability Shader
OpMemoryModel Logical GLSL450
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
"#,
        source: "SPIR-V specification, sections 2.4 and 2.16.1; SPIRV-Tools validate.cpp: \"No OpEntryPoint instruction was found\", \"Missing required OpMemoryModel instruction\"",
    }
}

/// Whether the layout can be followed through an instruction: its opcode is known even if its operands are not.
fn is_followed(inst: Inst<'_>) -> bool {
    inst.is_whole() || inst.op() != Op::Nop && !inst.is_ext_inst()
}

/// The order within a function of its own chunk.
pub fn function(m: &RuleContext<'_>, mut report: impl FnMut(Inst<'_>, String)) {
    // The chunk of the last function contains all that follows it.
    let is_next_module = m.insts().any(|inst| inst.op() == Op::MemoryModel);
    let mut state = State { section: Definitions, alone: true, is_next_module, ..State::NEW };
    for inst in m.insts().filter(|i| is_followed(*i)) {
        if let Some(message) = state.read(inst).filter(|_| !inst.is_broken()) {
            report(inst, message);
        }
    }
}

/// What is wrong with the place of an instruction, with another place that explains it. An instruction is named by its chunk and its
/// number there.
struct Misplaced {
    at: Site,
    message: String,
    related: Option<(Site, &'static str)>,
}

impl Misplaced {
    fn new(at: Site, message: impl Into<String>) -> Self {
        Misplaced { at, message: message.into(), related: None }
    }
}

/// The order of the module's parts, and what must be there.
pub fn module(scope: &mut Scope, summaries: &[(ChunkId, Arc<Summary>)]) {
    let is_model = |inst: &Inst<'_>| inst.op() == Op::MemoryModel;
    let (first, last) = (scope.code.iter().find(is_model), scope.code.iter().rfind(is_model));
    let models = first.zip(last).map(|(first, last)| (first.at, last.at));
    let mut state = State { models, ..State::NEW };
    let mut found: Vec<Misplaced> = Vec::new();
    let mut misplaced = FxHashSet::default();
    let mut since = None;
    let mut last = None;
    for (chunk, summary) in summaries {
        let Some((first, count)) = scope.chunks.get(chunk).copied() else { continue };
        if count > 0 {
            last = Some((*chunk, count - 1));
        }
        match &**summary {
            Summary::Preamble { .. } => {
                let insts = (first..first + count).filter_map(|at| scope.code.inst(at)).zip(0..);
                let before = found.len();
                preamble(*chunk, insts, &mut state, &mut since, &mut found);
                misplaced.extend(found.iter().skip(before).map(|m| m.at));
            }
            Summary::Function(function) => {
                let is_first = state.section < Declarations;
                if let Some(head) = scope.code.inst(first)
                    && let Err(message) = state.step(head)
                {
                    found.push(Misplaced::new((*chunk, 0), message));
                }
                if is_first {
                    since = Some((*chunk, 0));
                }
                if function.has_body {
                    state.section = Definitions;
                } else if state.section == Definitions && !function.is_open {
                    found.push(Misplaced::new((*chunk, 0), NO_BODY));
                }
                (state.in_function, state.in_block) = (function.is_open, false);
            }
        }
    }
    if state.in_function
        && let Some(last) = last
    {
        found.push(Misplaced::new(last, "missing OpFunctionEnd at the end of the module"));
    }
    scope.misplaced = misplaced;
    for Misplaced { at: (chunk, item), message, related } in found {
        scope.report_at(chunk, item, &LAYOUT, message);
        if let Some((place, what)) = related {
            scope.relate(place, what);
        }
    }
    missing_parts(scope, summaries.first().map(|(c, _)| *c));
}

/// The order of instructions outside functions. `since` is the first one of the current section.
fn preamble<'a>(
    chunk: ChunkId,
    insts: impl Iterator<Item = (Inst<'a>, u32)>,
    state: &mut State,
    since: &mut Option<Site>,
    found: &mut Vec<Misplaced>,
) {
    let mut insts = insts.filter(|(inst, _)| is_followed(*inst)).peekable();
    // An instruction that is alone in its section: its index, and the section before.
    let mut alone: Option<(Inst<'_>, u32, Section)> = None;
    let mut next_index = 0;
    while let Some((inst, index)) = insts.next() {
        // What could not be read may belong elsewhere: the next instruction tells the section. Memory model and functions are known by
        // their opcode, and in a function nothing else may follow.
        let is_known = matches!(inst.op(), Op::MemoryModel | Op::Function);
        let is_unread = inst.is_broken() && !state.in_function && !is_known;
        if is_unread || index > next_index {
            state.is_model_unread |= state.models.is_none();
            state.is_after_unread = true;
        }
        next_index = index + 1;
        if is_unread {
            continue;
        }
        let is_next_late = insts.peek().is_some_and(|(next, _)| state.is_late(*next));
        if let Some((early, at, before)) = alone.take()
            && is_next_late
            && state.is_late(inst)
            && !is_in_functions_only(early.op())
        {
            let needed = section_of(before, inst.op()).contents();
            let message = format!("{} is out of order: {needed} must precede it", early.op().name());
            let related = Some(((chunk, index), wording::SPIRV_REFERENCE));
            found.push(Misplaced { at: (chunk, at), message, related });
            state.section = before;
        }
        let section = state.section;
        let late = since.filter(|_| state.is_late(inst));
        if let Some(message) = state.read(inst).filter(|_| inst.is_whole()) {
            let related = late.map(|start| (start, "it must precede this"));
            found.push(Misplaced { at: (chunk, index), message, related });
        }
        if state.section != section {
            *since = Some((chunk, index));
            alone = Some((inst, index, section));
        }
    }
}

fn missing_parts(scope: &mut Scope, first: Option<ChunkId>) {
    let Some(first) = first else { return };
    if scope.code.insts.is_empty() {
        let message = "the module has no instructions: it needs at least OpMemoryModel and OpEntryPoint";
        return scope.report_at(first, 0, &MISSING_PART, message);
    }
    let all = |op: Op| scope.code.iter().filter(move |i| i.op() == op).map(|i| i.at).collect::<Vec<u32>>();
    let (memory_models, addressing_modes) = (all(Op::MemoryModel), all(Op::SamplerImageAddressingModeNV));
    // A line that was not understood may be what is missing.
    let is_read = !scope.features.unknown_line;
    if memory_models.is_empty() && is_read {
        scope.report_at(first, 0, &MISSING_PART, "missing OpMemoryModel");
    }
    let is_whole = |at: &&u32| scope.code.inst(**at).is_some_and(|inst| !inst.is_broken());
    let again: Vec<u32> = memory_models.iter().skip(1).filter(is_whole).copied().collect();
    for again in &again {
        scope.report(
            *again,
            &LAYOUT,
            "redefinition of the memory model: a module must have only one OpMemoryModel",
        );
        if let Some(first) = memory_models.first().and_then(|at| scope.origin.get(*at as usize)).copied() {
            scope.relate(first, wording::PREVIOUS);
        }
    }
    for again in addressing_modes.iter().skip(1) {
        let message = "redefinition of the bit width of addresses: a module must have only one \
            OpSamplerImageAddressingModeNV";
        scope.report(*again, &LAYOUT, message);
    }
    if scope.has_capability(Capability::BindlessTextureNV) && addressing_modes.is_empty() {
        scope.report_at(
            first,
            0,
            &MISSING_PART,
            "missing OpSamplerImageAddressingModeNV, which the BindlessTextureNV capability requires",
        );
    }
    let has_entry =
        scope.code.insts.iter().any(|i| {
            matches!(i.op, Op::EntryPoint | Op::ConditionalEntryPointINTEL | Op::GraphEntryPointARM)
        });
    if !has_entry && is_read && !scope.has_capability(Capability::Linkage) {
        scope.report_at(
            first,
            0,
            &MISSING_PART,
            "missing OpEntryPoint in a module without the Linkage capability",
        );
    }
    let any =
        |models: [u32; 2]| scope.entry_points.iter().find(|e| models.contains(&e.model)).map(|e| e.inst);
    let old = any([ExecutionModel::TaskNV, ExecutionModel::MeshNV]);
    let new = any([ExecutionModel::TaskEXT, ExecutionModel::MeshEXT]);
    if let (Some(_), Some(inst)) = (old, new) {
        scope.report(inst, &LAYOUT, "MeshEXT and TaskEXT must not be mixed with MeshNV and TaskNV in a module [VUID-StandaloneSpirv-MeshEXT-07102]");
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::{findings, marks};

    #[test]
    fn the_parts_of_a_module_have_an_order() {
        marks(expect![[r#"
            OpMemoryModel Logical GLSL450
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[missing-module-part]: missing OpEntryPoint in a module without the Linkage capability
            OpCapability Shader
            ;^^^^^^^^^^^^^^^^^^ error[module-layout]: OpCapability is out of order: it must precede OpMemoryModel
            ;                 = line 1:1: it must precede this
            %void = OpTypeVoid
            OpName %void "void"
            ;^^^^^^^^^^^^^^^^^^ error[module-layout]: OpName is out of order: it must precede the types, constants and global variables
            ;                 = line 3:1: it must precede this
            %fn = OpTypeFunction %void
            %f = OpFunction %void None %fn
            OpNop
            ;^^^^ error[module-layout]: OpNop is outside a block: expected OpLabel at the start of the function's body
            OpReturn
            OpUnreachable
            ;^^^^^^^^^^^^ error[module-layout]: OpUnreachable is outside a block: expected OpLabel at the start of the function's body
            %l = OpLabel
            OpFunctionEnd
            ;^^^^^^^^^^^^ error[module-layout]: missing terminator before OpFunctionEnd: the last block does not end with a branch or return
            OpExtension "SPV_KHR_ray_query"
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-layout]: OpExtension must precede the functions
        "#]]);
    }

    #[test]
    fn the_assembler_reads_a_second_module_and_the_rules_do_not() {
        let module = "OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %a \"a\"
%a = OpTypeVoid
%b = OpTypeFunction %a
%f = OpFunction %a None %b
%l = OpLabel
OpReturn
OpFunctionEnd
";
        expect![[r#"
            error[module-layout] 11:1 `OpCapability Shader`: OpCapability must precede the functions; a second module must be in a file of its own
            error[redefined-id] 15:1 `%a`: redefinition of `%a`
              5:1 `%a`: previous definition is here
            error[redefined-id] 16:1 `%b`: redefinition of `%b`
              6:1 `%b`: previous definition is here
              17:1 ``: SPIRV-Tools report it here
            error[redefined-id] 17:1 `%f`: redefinition of `%f`
              7:1 `%f`: previous definition is here
        "#]].assert_eq(&findings(&format!("{module}{module}")));
    }

    #[test]
    fn an_instruction_that_is_too_early() {
        marks(expect![[r#"
            OpReturn
            ;^^^^^^^ error[module-layout]: OpReturn is outside a function
            OpCapability Shader
            OpDecorate %int ArrayStride 16
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-layout]: OpDecorate must not precede OpMemoryModel
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %int = OpTypeInt 32 0
            OpName %int "int"
            ;^^^^^^^^^^^^^^^^ error[module-layout]: OpName is out of order: it must precede the types, constants and global variables
            ;               = line 6:1: it must precede this
            %bool = OpTypeBool
        "#]]);
    }

    #[test]
    fn an_instruction_of_functions_among_the_types() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %float = OpTypeFloat 32
            %v4 float = OpTypeVector %float 4
            ;   ^^^^^ error[syntax-error]: expected `=` after the result id `%v4`, found `float`
            %void = OpLabel
            %int = OpTypeInt 32 0
        "#]]);
    }

    #[test]
    fn what_belongs_before_the_functions() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %fn = OpTypeFunction %void
            %int = OpTypeInt 32 0
            %ptr = OpTypePointer Private %int
            %f = OpFunction %void None %fn
            %l = OpLabel
            OpReturn
            OpFunctionEnd
            %v = OpVariable %ptr Private
            ;^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-layout]: OpVariable must precede the functions, or be in a block
            %g = OpFunction %void None %fn
            %m = OpLabel
            OpName %l "l"
            ;^^^^^^^^^^^^ error[module-layout]: OpName must precede the functions
            OpReturn
            OpFunctionEnd
        "#]]);
    }

    #[test]
    fn aliases_are_declared_with_the_decorations() {
        marks(expect![[r#"
            OpCapability Linkage
            OpCapability Shader
            OpCapability MemoryAccessAliasingINTEL
            OpExtension "SPV_INTEL_memory_access_aliasing"
            OpMemoryModel Logical GLSL450
            %domain = OpAliasDomainDeclINTEL
            %uint = OpTypeInt 32 0
            %late = OpAliasDomainDeclINTEL
            ;^^^^ error[module-layout]: OpAliasDomainDeclINTEL is out of order: it must precede the types, constants and global variables
            ;   = line 7:1: it must precede this
        "#]]);
    }

    #[test]
    fn a_function_whose_beginning_was_not_read_has_a_body() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            %set = OpExtInstImport "DebugInfo"
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %int = OpTypeInt 32 0
            %ptr = OpTypePointer Function %int
            %fn = OpTypeFunction %void
            %f = OpFuncton %void None %fn
            ;    ^^^^^^^^^ error[unknown-opcode]: unknown instruction `OpFuncton`; did you mean `OpFunction`?
            ;            = fix: %f = OpFunction %void None %fn
            %a = OpLabel
            %v = OpVariable %ptr Function
            %s = OpExtInst %void %set DebugNoScope
            OpBranch %b
            %b = OpLabel
            %t = OpExtInst %void %set DebugNoScope
            OpReturn
            OpFunctionEnd
            %c = OpLabel
            ;^ error[module-layout]: OpLabel is outside a function
        "#]]);
    }

    #[test]
    fn a_function_without_its_beginning_is_reported_once() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %int = OpTypeInt 32 0
            %fn = OpTypeFunction %void %int
            %p = OpFunctionParameter %int
            ;^ error[module-layout]: OpFunctionParameter is outside a function
            %l = OpLabel
            %x = OpIAdd %int %p %p
            OpReturn
            OpFunctionEnd
            %f = OpFunction %void None %fn
            %q = OpFunctionParameter %int
            %y = OpIAdd %int %q %q
            ;^^^^^^^^^^^^^^^^^^^^^ error[module-layout]: OpIAdd is outside a block: expected OpLabel at the start of the function's body
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
