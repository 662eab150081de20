//! Completion in SPIR-V assembly.

use wavelens_semantics::spirv::blocks::{Body, functions};
use wavelens_semantics::spirv::code::{Id, Inst};
use wavelens_semantics::spirv::context::RuleContext;
use wavelens_semantics::spirv::flat::{NONE, hash_name};
use wavelens_semantics::spirv::ops;
use wavelens_semantics::spirv::rules::layout;
use wavelens_semantics::spirv::scope::Scope;
use wavelens_semantics::spirv::type_names::debug_name;
use wavelens_semantics::{TextRange, TextSize};
use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Instruction, Kind, Op};

use super::completion_literals as literals;
use super::completion_needs::Needs;
use super::place::{Typing, module, requirements, token_kind, typing};
use super::{Cx, help};
use crate::answers::{Completion, CompletionKind, TokenKind};
use crate::spirv::fold::constant_value;

/// Everything that is valid at the cursor; the driver keeps what fits the typed characters, and sorts.
pub fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let Some(typing) = typing(cx, at) else { return Vec::new() };
    let range = typing.word;
    let mut found = literals::complete(cx, &typing, at);
    found.extend(typing.starts.then(|| literals::fresh(cx, &typing, at)).flatten());
    match typing.expected.map(|o| o.kind) {
        Some(Kind::ExtInstNumber) => {
            for known in typing.set.map_or(&[][..], |s| s.instructions()) {
                let operands: Vec<&str> = known.operand_names().collect();
                found.push(
                    Completion::new(CompletionKind::Function, range, known.name).detail(operands.join(", ")),
                );
            }
        }
        Some(kind) if kind.is_id() => ids(cx, &typing, kind, &mut found),
        Some(Kind::SpecConstantOp) => {}
        Some(kind) => enumerants(cx, kind, &typing, &mut found),
        None => {}
    }
    if typing.starts {
        let needed = Needs::new(cx);
        let next = Next::new(cx, &typing);
        for info in &INSTRUCTIONS {
            let needs = lacking(cx.scope, info.capabilities);
            let is_vendors = VENDORS.iter().any(|vendor| info.name.ends_with(vendor));
            let rank = 10 + 10 * u8::from(!needs.is_empty()) + 10 * u8::from(is_vendors) + next.rank(info);
            let also = needed.of(info.capabilities, info.extensions, info.first_version);
            let detail = if needs.is_empty() { info.class.to_owned() } else { needs };
            found.push(
                Completion::new(CompletionKind::Opcode, range, info.name)
                    .rank(rank)
                    .also(also)
                    .detail(detail)
                    .documentation(documented(
                        help::instruction(info),
                        requirements(
                            info.capabilities,
                            info.extensions,
                            info.first_version,
                            info.last_version,
                        ),
                    )),
            );
        }
    }
    found
}

/// What a word means, and below it what it requires.
fn documented(words: Option<String>, needs: String) -> String {
    let parts: Vec<String> = words.into_iter().chain(Some(needs).filter(|needs| !needs.is_empty())).collect();
    parts.join("\n\n")
}

/// Endings of the opcodes of one vendor.
const VENDORS: [&str; 9] = ["INTEL", "ALTERA", "NV", "AMD", "AMDX", "QCOM", "ARM", "HUAWEI", "IMG"];

/// `needs Geometry` where the module declares no capability that would do.
fn lacking(scope: &Scope, capabilities: &[u32]) -> String {
    if capabilities.is_empty() || capabilities.iter().any(|c| scope.has_capability(*c)) {
        return String::new();
    }
    let names: Vec<&str> =
        capabilities.iter().filter_map(|c| Kind::Capability.valued(*c)).map(|e| e.name).collect();
    format!("needs {}", names.join(" or "))
}

/// Named values of the position; in a mask those after `|`, without the ones that the mask has.
fn enumerants(cx: &Cx<'_>, kind: Kind, typing: &Typing, found: &mut Vec<Completion>) {
    let typed = cx.slice(typing.word);
    let (before, start) = match typed.rfind('|').filter(|_| kind.is_mask()) {
        Some(bar) => (typed.get(..bar).unwrap_or(""), typing.word.start() + TextSize::new(bar as u32 + 1)),
        None => ("", typing.word.start()),
    };
    let range = TextRange::new(start, typing.word.end());
    let needed = Needs::new(cx);
    for known in kind.enumerants() {
        if kind.is_mask()
            && (before.split('|').any(|b| b == known.name) || !before.is_empty() && known.value == 0)
        {
            continue;
        }
        let needs = match kind {
            Kind::Capability => String::new(),
            _ => lacking(cx.scope, known.capabilities),
        };
        let rank = if needs.is_empty() { 10 } else { 20 };
        let also = match kind {
            Kind::Capability => needed.of(&[], known.extensions, known.first_version),
            _ => needed.of(known.capabilities, known.extensions, known.first_version),
        };
        let detail = if needs.is_empty() { format!("{kind:?}") } else { needs };
        let documentation =
            requirements(known.capabilities, known.extensions, known.first_version, known.last_version);
        found.push(
            Completion::new(CompletionKind::Constant, range, known.name)
                .detail(detail)
                .documentation(documented(help::enumerant(kind, known.name), documentation))
                .also(also)
                .rank(rank),
        );
    }
}

/// What an operand that is an id must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Any,
    Type,
    TypeOf(Op),
    Constant,
    /// A value of some type.
    Value,
    Pointer,
    Label,
    Function,
    /// A variable in front of the functions.
    Global,
    Import,
    Text,
}

/// The class of the operand at a position of an instruction's grammar.
fn class(op: Op, kind: Kind, index: usize) -> Class {
    if kind == Kind::TypeId {
        return match op {
            Op::Variable | Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain => {
                Class::TypeOf(Op::TypePointer)
            }
            _ => Class::Type,
        };
    }
    if matches!(kind, Kind::ScopeId | Kind::MemorySemanticsId) {
        return Class::Constant;
    }
    match (op, index) {
        (Op::Name | Op::MemberName | Op::Decorate | Op::DecorateId | Op::DecorateString, 0) => Class::Any,
        (Op::MemberDecorate | Op::MemberDecorateString, 0) => Class::TypeOf(Op::TypeStruct),
        (Op::EntryPoint, 1) => Class::Function,
        (Op::EntryPoint, _) => Class::Global,
        (Op::ExecutionMode | Op::ExecutionModeId, 0) | (Op::FunctionCall, 2) => Class::Function,
        (Op::ExtInst | Op::ExtInstWithForwardRefsKHR, 2) => Class::Import,
        (Op::Line | Op::Source, _) => Class::Text,
        (Op::TypeArray, 2) => Class::Constant,
        (Op::TypeMatrix, _) => Class::TypeOf(Op::TypeVector),
        (Op::TypeSampledImage, _) => Class::TypeOf(Op::TypeImage),
        (Op::Function, _) => Class::TypeOf(Op::TypeFunction),
        (op, _) if ops::generates_type(op) => Class::Type,
        (op, _) if ops::is_constant(op) || op == Op::Variable => Class::Constant,
        (Op::Branch | Op::SelectionMerge | Op::LoopMerge, _)
        | (Op::BranchConditional, 1 | 2)
        | (Op::Switch, 1..) => Class::Label,
        (
            Op::Load | Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::ImageTexelPointer,
            2,
        )
        | (Op::Store | Op::AtomicStore, 0)
        | (Op::CopyMemory, _) => Class::Pointer,
        (op, 2) if op.info().is_some_and(|i| i.class == "Atomic") => Class::Pointer,
        _ => Class::Value,
    }
}

fn fits(m: &RuleContext<'_>, class: Class, inst: Inst<'_>, is_global: bool) -> bool {
    let op = inst.op();
    match class {
        Class::Any => true,
        Class::Type => ops::generates_type(op),
        Class::TypeOf(wanted) => op == wanted,
        Class::Constant => ops::is_constant(op),
        Class::Value => inst.ty() != NONE && op != Op::Function,
        Class::Pointer => m.is_pointer(inst.ty()),
        Class::Label => op == Op::Label,
        Class::Function => op == Op::Function,
        Class::Global => matches!(op, Op::Variable | Op::UntypedVariableKHR) && is_global,
        Class::Import => op == Op::ExtInstImport,
        Class::Text => op == Op::String,
    }
}

/// Which values of a function are known at a place.
struct Reach {
    body: Option<Body>,
    /// The last instruction before the place.
    here: u32,
}

impl Reach {
    fn new(cx: &Cx<'_>, m: &RuleContext<'_>, at: TextSize) -> Reach {
        let before = cx.lowered.inst_ranges.partition_point(|range| range.start() < at);
        let here = m.first + (before as u32).saturating_sub(1);
        let around = functions(m).into_iter().find(|(first, last)| (*first..=*last).contains(&here));
        Reach { body: around.and_then(|function| Body::new(m, function)), here }
    }

    /// Whether the definition at an instruction dominates the place; where blocks are not well-formed, whether it comes before.
    fn allows(&self, definition: u32) -> bool {
        let block_of = |at: u32| {
            let blocks = &self.body.as_ref()?.blocks;
            blocks.iter().position(|b| (b.first..=b.last).contains(&at)).map(|index| index as u32)
        };
        match (&self.body, block_of(definition), block_of(self.here)) {
            (Some(body), Some(from), Some(to)) if from != to => body.dominates(from, to),
            _ => definition < self.here,
        }
    }
}

/// Names of the class that the position wants; those of the type that it wants first.
fn ids(cx: &Cx<'_>, typing: &Typing, kind: Kind, found: &mut Vec<Completion>) {
    let m = module(cx);
    let Some(op) = typing.op else { return };
    let class = match typing.in_inst {
        Some(_) => Class::Value,
        None => class(op, kind, typing.index),
    };
    let wanted = wanted_type(cx, &m, typing);
    let mut add = |inst: Inst<'_>, is_global: bool| {
        if inst.id() == NONE || !fits(&m, class, inst, is_global) {
            return;
        }
        let (shown, detail) = match token_kind(inst.op(), !is_global) {
            TokenKind::Type => (CompletionKind::Type, m.type_name(inst.id())),
            TokenKind::Function => (CompletionKind::Function, String::new()),
            TokenKind::Label => (CompletionKind::Label, String::new()),
            TokenKind::Constant => {
                let value = constant_value(&m, inst.id());
                (CompletionKind::Constant, value.unwrap_or_else(|| m.type_name(inst.ty())))
            }
            TokenKind::Variable => (CompletionKind::Variable, m.type_name(inst.ty())),
            TokenKind::Macro => (CompletionKind::Keyword, inst.string(1).to_string()),
            _ => (CompletionKind::Local, m.type_name(inst.ty())),
        };
        let name = debug_name(&m, inst.id()).filter(|n| format!("%{n}") != m.name(inst.id()));
        let detail = match name {
            Some(name) if detail.is_empty() => name,
            Some(name) => format!("{name}: {detail}"),
            None => detail,
        };
        // A load reads through a pointer to its type.
        let own = match op {
            Op::Load => m.pointer(inst.ty()).map_or(NONE, |(_, held)| held),
            _ => inst.ty(),
        };
        let fit = match (wanted, own == wanted) {
            (NONE, _) => 2,
            (_, true) => 0,
            (_, false) => 35,
        };
        let rank = u8::from(is_global) + fit;
        found.push(Completion::new(shown, typing.word, m.name(inst.id())).detail(detail).rank(rank));
    };
    if m.is_function() {
        let reach = Reach::new(cx, &m, typing.word.start());
        let is_free = op == Op::Phi || matches!(class, Class::Label | Class::Any | Class::Function);
        m.insts().filter(|i| is_free || reach.allows(i.at)).for_each(|i| add(i, false));
    }
    cx.scope.code.iter().for_each(|i| add(i, true));
}

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
struct Next {
    /// The instruction before the cursor, in its chunk.
    previous: Option<Op>,
    in_function: bool,
    /// Whether a result id is written already.
    has_result: bool,
}

impl Next {
    fn new(cx: &Cx<'_>, typing: &Typing) -> Next {
        let start = typing.word.start();
        let before = cx.lowered.inst_ranges.iter().take_while(|range| range.end() <= start).count();
        let previous = before.checked_sub(1).and_then(|at| cx.lowered.flat.insts.get(at)).map(|inst| inst.op);
        let line = cx.slice(TextRange::up_to(start)).rsplit('\n').next().unwrap_or("");
        Next { previous, in_function: module(cx).is_function(), has_result: line.trim_end().ends_with('=') }
    }

    /// How much later than others an instruction is listed.
    fn rank(&self, info: &Instruction) -> u8 {
        let fits = info.has_result == self.has_result && self.follows(info);
        let is_rare = !COMMON.contains(&info.op);
        8 * u8::from(is_rare) + if fits { 0 } else { 40 }
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
            _ if self.in_function => layout::rank(op).is_none_or(|_| op == Op::Undef || op == Op::Line),
            // The same section of the module, or one of the next.
            _ => match (layout::rank(previous), layout::rank(op)) {
                (Some(last), Some(own)) => (last..=last + 2).contains(&own),
                _ => op == Op::Function,
            },
        }
    }
}

/// The type that a value at the cursor should have: the result's for arithmetic, the pointee's for OpStore. A guess, for the
/// order only.
fn wanted_type(cx: &Cx<'_>, m: &RuleContext<'_>, typing: &Typing) -> Id {
    let named = |word: &str| -> Id {
        let Some(name) = word.strip_prefix('%') else { return NONE };
        let hash = hash_name(name);
        let local = cx.lowered.flat.names.iter().position(|n| n.hash == hash);
        local
            .and_then(|l| m.ids.get(l).copied())
            .or_else(|| cx.scope.names.get(&hash).copied())
            .unwrap_or(NONE)
    };
    let first = typing.written.first().map_or(NONE, |word| named(word));
    match typing.op {
        Some(Op::Store) if typing.index == 1 => m.pointer(m.type_of(first)).map_or(NONE, |(_, held)| held),
        Some(op) if op.info().is_some_and(|i| i.has_type) => first,
        _ => NONE,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_semantics::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    const SHADER: &str = include_str!("testdata/view.spvasm");

    /// The first suggestions for a line typed at the end of the shader's only block.
    fn check(line: &str, expected: Expect) {
        let fixture = SHADER.replacen("OpReturn", &format!("{line}\n OpReturn"), 1);
        let found = at_cursor(Dialect::Spirv, &fixture, features::complete);
        let lines = found.items.iter().take(8).map(|c| format!("{}  {}\n", c.label, c.detail));
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn ids_are_of_the_class_that_the_position_wants() {
        check(
            "%90 = OpLoad %8 %$0",
            expect![[r#"
                %6  ptr Input vec4
                %5  ptr Output vec4
                %26  ptr Uniform mat4
                %view  ptr Uniform struct View
            "#]],
        );
        check(
            "%90 = OpLoad %$0",
            expect![[r#"
                %8  vec4
                %9  mat4
                %17  ptr Uniform mat4
                %2  void
                %3  void()
                %7  float
                %10  uint
                %View  struct View
            "#]],
        );
        check(
            "OpStore %5 %$0",
            expect![[r#"
                %29  vec4
                %23  vec4(0.5, 0.5, 0.5, 0.5)
                %28  vec4
                %25  vec4
                %5  ptr Output vec4
                %27  mat4
                %26  ptr Uniform mat4
                %view  ptr Uniform struct View
            "#]],
        );
        check(
            "%90 = OpFAdd %8 %2$0",
            expect![[r#"
                %29  vec4
                %23  vec4(0.5, 0.5, 0.5, 0.5)
                %28  vec4
                %25  vec4
                %27  mat4
                %26  ptr Uniform mat4
                %22  0.5
                %20  3
            "#]],
        );
        check(
            "OpBranch $0",
            expect![[r#"
            %24  
        "#]],
        );
        check(
            "%90 = OpExtInst %8 %$0",
            expect![[r#"
            %1  GLSL.std.450
        "#]],
        );
        check(
            "%90 = OpFunctionCall %2 $0",
            expect![[r#"
            %4  main
        "#]],
        );
        check(
            "OpSwitch %20 %24 1 $0",
            expect![[r#"
            %24  
        "#]],
        );
    }

    #[test]
    fn words_are_those_of_the_position_with_what_they_need() {
        check(
            "%90 = OpExtInst %8 %1 FM$0",
            expect![[r#"
            FMax  x, y
            FMin  x, y
            FMix  x, y, a
            Fma  a, b, c
            FClamp  x, minVal, maxVal
            FindSMsb  Value
            FindUMsb  Value
        "#]],
        );
        check(
            "%90 = OpVariable %17 Func$0",
            expect![[r#"
            Function  StorageClass
        "#]],
        );
        check(
            "%90 = OpLoad %8 %6 Volatile|$0",
            expect![[r#"
            Aligned  MemoryAccess
            Nontemporal  MemoryAccess
            AliasScopeINTELMask  needs MemoryAccessAliasingINTEL
            MakePointerAvailable  needs VulkanMemoryModel
            MakePointerVisible  needs VulkanMemoryModel
            NoAliasINTELMask  needs MemoryAccessAliasingINTEL
            NonPrivatePointer  needs VulkanMemoryModel
        "#]],
        );
        check(
            "OpEmit$0",
            expect![[r#"
                OpEmitMeshTasksEXT  needs MeshShadingEXT
                OpEmitStreamVertex  needs GeometryStreams
                OpEmitVertex  needs Geometry
                OpTerminateInvocation  Control-Flow
                OpCooperativeMatrixStoreKHR  needs CooperativeMatrixKHR
                OpDemoteToHelperInvocation  needs DemoteToHelperInvocation
                OpEndPrimitive  needs Geometry
                OpEndStreamPrimitive  needs GeometryStreams
            "#]],
        );
    }
}
