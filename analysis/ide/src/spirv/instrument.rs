//! Preparing a module of kernels for the translator to LLVM IR: every instruction gets a debug location that names its line in the
//! user's text. The translator keeps lines only in functions that have a scope of the extended instruction set
//! `OpenCL.DebugInfo.100`, so each function gets one; a module's own debug info, which nothing depends on, goes.

use rustc_hash::FxHashSet;
use wavelens_codegen::asm::LINE_MARK;
use wavelens_spirv::binary;
use wavelens_spirv::code::push_string;
use wavelens_spirv::encode::{Encoded, EncodedInst};
use wavelens_syntax::spirv::tables::Op;

/// The set of debug instructions.
const SET: &str = "OpenCL.DebugInfo.100";

// Instructions of `OpenCL.DebugInfo.100`, and what their operands mean (source: its specification, sections 4.1 to 4.9).
const DEBUG_COMPILATION_UNIT: u32 = 1;
const DEBUG_TYPE_FUNCTION: u32 = 8;
const DEBUG_FUNCTION: u32 = 20;
const DEBUG_SCOPE: u32 = 23;
const DEBUG_SOURCE: u32 = 35;
/// Version of the instruction set, and of DWARF.
const DEBUG_VERSIONS: (u32, u32) = (0x0001_0000, 4);
const OPEN_CL_C: u32 = 3;
const FLAG_IS_DEFINITION: u32 = 1 << 3;

/// The module's words with line locations.
pub fn with_line_locations(module: &Encoded, text: &str) -> Vec<u32> {
    let gone = debug_info(&module.insts);
    let kept: Vec<&EncodedInst> = module.insts.iter().filter(|i| !is_debug_info(i, &gone)).collect();
    let void = kept.iter().find(|i| i.opcode() == Op::TypeVoid).and_then(|i| i.words.get(1).copied());
    let Some(void) = void else { return module.words() };
    let lines = lines(&kept, text);
    let mut out = Writer { words: module.header.to_vec(), bound: module.header[3], set: 0, void };
    let (mut has_strings, mut functions) = (false, Functions::default());
    out.set = out.id();
    let file = out.id();
    let (mut in_scope, mut behind_merge) = (false, false);
    for (index, (inst, line)) in kept.iter().zip(&lines).enumerate() {
        let op = inst.opcode();
        if op == Op::MemoryModel {
            out.inst(Op::ExtInstImport, &[&[out.set], &string(SET)[..]].concat());
        }
        if !has_strings && !is_before_strings(op) {
            has_strings = true;
            out.inst(Op::String, &[&[file], &string("-")[..]].concat());
        }
        match op {
            Op::Function if functions.scopes.is_empty() => {
                functions = Functions::describe(&kept, &lines, file, &mut out);
            }
            Op::Function | Op::FunctionParameter | Op::FunctionEnd | Op::Phi | Op::Variable => {}
            Op::Label => in_scope = false,
            _ => {
                if let Some(scope) = functions.scope_at(index) {
                    if !in_scope {
                        let id = out.id();
                        out.debug(id, DEBUG_SCOPE, &[scope]);
                        in_scope = true;
                    }
                    // A merge instruction directly precedes its branch.
                    if !behind_merge {
                        out.inst(Op::Line, &[file, *line, LINE_MARK]);
                    }
                }
            }
        }
        behind_merge = matches!(op, Op::LoopMerge | Op::SelectionMerge);
        out.words.extend(&inst.words);
    }
    if let Some(bound) = out.words.get_mut(3) {
        *bound = out.bound;
    }
    out.words
}

/// The module's words with an OpLine for each instruction of a body, and without its own debug info: drivers crash on
/// sets of it that are not theirs.
pub(crate) fn with_lines(module: &Encoded, text: &str) -> Vec<u32> {
    let gone = debug_info(&module.insts);
    let kept: Vec<&EncodedInst> = module.insts.iter().filter(|i| !is_debug_info(i, &gone)).collect();
    let mut out = Writer { words: module.header.to_vec(), bound: module.header[3], set: 0, void: 0 };
    let file = out.id();
    let (mut has_strings, mut in_body, mut behind_merge) = (false, false, false);
    for (inst, line) in kept.iter().zip(lines(&kept, text)) {
        let op = inst.opcode();
        if !has_strings && !is_before_strings(op) {
            has_strings = true;
            out.inst(Op::String, &[&[file], &string("-")[..]].concat());
        }
        match op {
            Op::Label => in_body = true,
            Op::FunctionEnd => in_body = false,
            Op::Phi | Op::Variable => {}
            // A merge instruction directly precedes its branch.
            _ if in_body && !behind_merge => out.inst(Op::Line, &[file, line, LINE_MARK]),
            _ => {}
        }
        behind_merge = matches!(op, Op::LoopMerge | Op::SelectionMerge);
        out.words.extend(&inst.words);
    }
    if let Some(bound) = out.words.get_mut(3) {
        *bound = out.bound;
    }
    out.words
}

/// The module's words without its own debug info, as in [`with_lines`].
pub(crate) fn without_debug_info(module: &Encoded) -> Vec<u32> {
    let gone = debug_info(&module.insts);
    let kept = module.insts.iter().filter(|i| !is_debug_info(i, &gone));
    module.header.iter().chain(kept.flat_map(|i| &i.words)).copied().collect()
}

/// The line of each instruction, counted from 1.
fn lines(insts: &[&EncodedInst], text: &str) -> Vec<u32> {
    let (mut line, mut counted) = (1, 0);
    let mut line_of = |inst: &&EncodedInst| {
        let at = usize::from(inst.range.start());
        line += text.get(counted..at).unwrap_or("").matches('\n').count() as u32;
        counted = counted.max(at);
        line
    };
    insts.iter().map(&mut line_of).collect()
}

/// The functions that have bodies.
#[derive(Default)]
struct Functions {
    /// Index of the instruction that each starts with, and the scope it is.
    scopes: Vec<(usize, u32)>,
}

impl Functions {
    /// Writes a scope for each function.
    fn describe(insts: &[&EncodedInst], lines: &[u32], file: u32, out: &mut Writer) -> Functions {
        let (source, unit, kind) = (out.id(), out.id(), out.id());
        let ((own, dwarf), void) = (DEBUG_VERSIONS, out.void);
        out.debug(source, DEBUG_SOURCE, &[file, file]);
        out.debug(unit, DEBUG_COMPILATION_UNIT, &[own, dwarf, source, OPEN_CL_C]);
        out.debug(kind, DEBUG_TYPE_FUNCTION, &[0, void]);
        let mut functions = Functions::default();
        let mut start = None;
        for (index, inst) in insts.iter().enumerate() {
            match (inst.opcode(), inst.words.get(2)) {
                (Op::Function, Some(id)) => start = Some((index, *id)),
                (Op::Label, _) => {
                    let Some((index, function)) = start.take() else { continue };
                    let line = lines.get(index).copied().unwrap_or(1);
                    let scope = out.id();
                    let place = [source, line, LINE_MARK, unit, file, FLAG_IS_DEFINITION, line];
                    out.debug(scope, DEBUG_FUNCTION, &[&[file, kind], &place[..], &[function]].concat());
                    functions.scopes.push((index, scope));
                }
                _ => {}
            }
        }
        functions
    }

    /// The scope of the function that an instruction is in.
    fn scope_at(&self, index: usize) -> Option<u32> {
        let after = self.scopes.partition_point(|(start, _)| *start <= index);
        self.scopes.get(after.checked_sub(1)?).map(|(_, scope)| *scope)
    }
}

struct Writer {
    words: Vec<u32>,
    /// One more than the greatest id.
    bound: u32,
    /// The debug instruction set.
    set: u32,
    void: u32,
}

impl Writer {
    fn id(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    fn inst(&mut self, op: Op, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | u32::from(op.0));
        self.words.extend(operands);
    }

    fn debug(&mut self, result: u32, instruction: u32, operands: &[u32]) {
        self.inst(Op::ExtInst, &[&[self.void, result, self.set, instruction], operands].concat());
    }
}

/// Whether an instruction precedes the section of strings (source: SPIR-V, 2.4 "Logical Layout of a Module").
fn is_before_strings(op: Op) -> bool {
    matches!(
        op,
        Op::Capability
            | Op::Extension
            | Op::ExtInstImport
            | Op::MemoryModel
            | Op::EntryPoint
            | Op::ExecutionMode
            | Op::ExecutionModeId
    )
}

/// Ids that only debug info defines: sets of instructions that mean nothing to execution, and the results of those.
fn debug_info(insts: &[EncodedInst]) -> FxHashSet<u32> {
    let mut ids = FxHashSet::default();
    for inst in insts {
        match (inst.opcode(), &inst.words[..]) {
            (Op::ExtInstImport, [_, id, name @ ..])
                if binary::string(name).is_some_and(|(name, _)| is_debug_set(&name)) =>
            {
                ids.insert(*id);
            }
            (Op::ExtInst, [_, _, result, set, ..]) if ids.contains(set) => {
                ids.insert(*result);
            }
            _ => {}
        }
    }
    ids
}

fn is_debug_set(name: &str) -> bool {
    let several = ["NonSemantic.", "OpenCL.DebugInfo."];
    several.iter().any(|n| name.starts_with(n)) || matches!(name, "DebugInfo" | "SPIRV.debug")
}

fn is_debug_info(inst: &EncodedInst, gone: &FxHashSet<u32>) -> bool {
    match (inst.opcode(), &inst.words[..]) {
        (Op::Line | Op::NoLine, _) => true,
        (Op::ExtInstImport | Op::Name, [_, id, ..]) | (Op::ExtInst, [_, _, id, ..]) => gone.contains(id),
        (Op::Extension, [_, name @ ..]) => name == string("SPV_KHR_non_semantic_info"),
        _ => false,
    }
}

/// The words of a literal string.
fn string(text: &str) -> Vec<u32> {
    let mut words = Vec::new();
    push_string(text, &mut words);
    words
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Options;
    use wavelens_spirv::{IdStyle, disassemble, encode};

    use super::*;

    fn shown(words: &[u32]) -> String {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let shown = disassemble(&bytes, IdStyle::Raw).expect("is a module");
        let lines = shown.lines().filter(|l| !l.starts_with(';'));
        lines.map(|l| format!("{}\n", l.trim())).collect()
    }

    #[test]
    fn instructions_name_their_lines_and_own_debug_info_goes() {
        let text = "OpCapability Kernel
OpCapability Addresses
OpExtension \"SPV_KHR_non_semantic_info\"
%1 = OpExtInstImport \"NonSemantic.Mine\"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %2 \"k\"
%3 = OpString \"mine.cl\"
OpName %2 \"k\"
OpName %9 \"gone\"
%4 = OpTypeVoid
%5 = OpTypeFunction %4
%6 = OpTypeBool
%7 = OpConstantTrue %6
%9 = OpExtInst %4 %1 7
OpLine %3 1 1
%2 = OpFunction %4 None %5
%10 = OpLabel
OpSelectionMerge %11 None
OpBranchConditional %7 %12 %11
%12 = OpLabel
OpLine %3 2 1
OpBranch %11
%11 = OpLabel
OpReturn
OpFunctionEnd
";
        let module = encode(text, &Options::default());
        let kept = shown(&with_lines(&module, text));
        assert!(!kept.contains("NonSemantic") && !kept.contains("gone"), "{kept}");
        let lines: Vec<&str> = kept.lines().filter(|line| line.contains("OpLine")).collect();
        assert_eq!(lines, ["OpLine %13 18 65535", "OpLine %13 22 65535", "OpLine %13 24 65535"]);
        // One of the lines that went is a string of ours.
        assert_eq!(kept.lines().count() - lines.len(), text.lines().count() - 5);
        expect![[r#"
            OpCapability Kernel
            OpCapability Addresses
            %13 = OpExtInstImport "OpenCL.DebugInfo.100"
            OpMemoryModel Physical64 OpenCL
            OpEntryPoint Kernel %2 "k"
            %14 = OpString "-"
            %3 = OpString "mine.cl"
            OpName %2 "k"
            %4 = OpTypeVoid
            %5 = OpTypeFunction %4
            %6 = OpTypeBool
            %7 = OpConstantTrue %6
            %15 = OpExtInst %4 %13 DebugSource %14 %14
            %16 = OpExtInst %4 %13 DebugCompilationUnit 65536 4 %15 OpenCL_C
            %17 = OpExtInst %4 %13 DebugTypeFunction None %4
            %18 = OpExtInst %4 %13 DebugFunction %14 %17 %15 16 65535 %16 %14 FlagIsDefinition 16 %2
            %2 = OpFunction %4 None %5
            %10 = OpLabel
            %19 = OpExtInst %4 %13 DebugScope %18
            OpLine %14 18 65535
            OpSelectionMerge %11 None
            OpBranchConditional %7 %12 %11
            %12 = OpLabel
            %20 = OpExtInst %4 %13 DebugScope %18
            OpLine %14 22 65535
            OpBranch %11
            %11 = OpLabel
            %21 = OpExtInst %4 %13 DebugScope %18
            OpLine %14 24 65535
            OpReturn
            OpFunctionEnd
        "#]]
        .assert_eq(&shown(&with_line_locations(&module, text)));
    }
}
