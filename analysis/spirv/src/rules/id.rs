//! Ids are defined once, before their use where the rules require that, and have the right class.

use wavelens_syntax::spirv::tables::{DebugInfo, ExtSet, Kind, Op, OpenClDebugInfo100};
use wavelens_syntax::{closest_name, is_one_slip, wording};

use crate::code::{Id, Inst};
use crate::context::{Definition, RuleContext};
use crate::flat::{Form, NONE, Name};
use crate::ops;
use crate::rules::layout;
use wavelens_base::Severity;
use wavelens_base::{Fault, Lack, Part, Verdict, fail, fail_at};

wavelens_syntax::rules! {
    UNDEFINED_ID {
        code: "undefined-id",
        severity: Severity::Error,
        title: "an id is defined, and before its uses unless the operand allows a forward reference",
        explain: "Only branch targets, OpPhi, OpFunctionCall, decorations, names, entry points and declared forward pointers can refer to ids that are defined later.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%vec4 = OpTypeVector %float 4
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
"#,
        source: "SPIR-V specification, section 2.16.1 (Universal Validation Rules); SPIRV-Tools validate_id.cpp: \"has not been defined\"",
    }

    ID_CLASS {
        code: "id-class",
        severity: Severity::Error,
        title: "an operand that must be a value is a value, and one that must be a type is a type",
        explain: "Types, values, labels and strings share one namespace of ids, so that only this check finds one in place of another.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%one = OpConstant %float 1
%null = OpConstantNull %one
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%one = OpConstant %float 1
%null = OpConstantNull %float
"#,
        source: "SPIR-V specification, section 2.16.1 (Universal Validation Rules); SPIRV-Tools validate_id.cpp: \"is not a type id\", \"cannot be a type\", \"requires a type\"",
    }
}

/// Whether an operand may name an id that is defined later.
fn may_be_forward(inst: Inst<'_>, index: usize) -> bool {
    if inst.is_debug_info() {
        return match (inst.raw.set, inst.ext_number()) {
            (Some(ExtSet::ShaderDebugInfo100), _) => inst.op() == Op::ExtInstWithForwardRefsKHR,
            (Some(ExtSet::OpenClDebugInfo100), OpenClDebugInfo100::DebugFunction) => index == 13,
            (Some(ExtSet::OpenClDebugInfo100), OpenClDebugInfo100::DebugTypeComposite) => index >= 13,
            (Some(ExtSet::DebugInfo), DebugInfo::DebugFunction) => index == 13,
            (Some(ExtSet::DebugInfo), DebugInfo::DebugTypeComposite) => index >= 12,
            _ => false,
        };
    }
    match inst.op() {
        op if ops::generates_type(op) => true,
        Op::ExecutionMode
        | Op::ExecutionModeId
        | Op::MemberDecorateIdEXT
        | Op::ConditionalEntryPointINTEL
        | Op::ConditionalCapabilityINTEL
        | Op::ConditionalExtensionINTEL
        | Op::EntryPoint
        | Op::Name
        | Op::MemberName
        | Op::SelectionMerge
        | Op::Decorate
        | Op::MemberDecorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorateString
        | Op::Branch
        | Op::LoopMerge
        | Op::ExtInstWithForwardRefsKHR => true,
        Op::GroupDecorate | Op::GroupMemberDecorate | Op::BranchConditional | Op::Switch => index != 0,
        Op::FunctionCall | Op::ConstantFunctionPointerINTEL => index == 2,
        Op::Phi => index > 1,
        Op::EnqueueKernel => index == 8,
        Op::GetKernelNDrangeSubGroupCount | Op::GetKernelNDrangeMaxSubGroupSize => index == 3,
        Op::GetKernelWorkGroupSize | Op::GetKernelPreferredWorkGroupSizeMultiple => index == 2,
        Op::TypeForwardPointer => index == 0,
        Op::CooperativeMatrixPerElementOpEXT => index == 3,
        Op::CooperativeMatrixReduceEXT => index == 4,
        Op::CooperativeMatrixLoadTensorNV => index > 6,
        _ => false,
    }
}

/// OpSpecConstantOp with the length of a cooperative matrix type.
fn is_matrix_length(inst: Inst<'_>) -> bool {
    inst.op() == Op::SpecConstantOp
        && [Op::CooperativeMatrixLengthNV, Op::CooperativeMatrixLengthKHR]
            .iter()
            .any(|op| u32::from(op.0) == inst.word(3))
}

fn can_have_type_operand(inst: Inst<'_>) -> bool {
    let op = inst.op();
    ops::generates_type(op)
        || ops::is_debug(op)
        || inst.is_debug_info()
        || is_matrix_length(inst)
        || inst.is_non_semantic()
        || ops::is_decoration(op)
        || ops::generates_untyped_pointer(op)
        || matches!(
            op,
            Op::SizeOf
                | Op::CooperativeMatrixLengthNV
                | Op::CooperativeMatrixLengthKHR
                | Op::UntypedArrayLengthKHR
                | Op::Function
                | Op::AsmINTEL
                | Op::ConstantSizeOfEXT
                | Op::BufferPointerEXT
                | Op::UntypedImageTexelPointerEXT
                | Op::AbortKHR
        )
}

/// What an instruction takes where an id of another class is found.
fn needed(inst: Inst<'_>, operand: usize) -> &'static str {
    match (inst.op(), operand) {
        (Op::Branch | Op::LoopMerge | Op::SelectionMerge, _) => "a label",
        (Op::BranchConditional | Op::Switch, 1..) => "a label",
        // Pairs of a value and a block after type and result.
        (Op::Phi, 3..) if operand % 2 == 1 => "a label",
        (op, _) => needed_by(op),
    }
}

fn needed_by(op: Op) -> &'static str {
    match op {
        Op::EntryPoint => "a function",
        Op::ExecutionMode | Op::ExecutionModeId => "an entry point",
        op if ops::generates_type(op) => "a type",
        _ => "a value",
    }
}

fn requires_typed_operand(inst: Inst<'_>) -> bool {
    let op = inst.op();
    !ops::is_debug(op)
        && !inst.is_debug_info()
        && !inst.is_non_semantic()
        && !ops::is_decoration(op)
        && !ops::is_branch(op)
        && !ops::generates_untyped_pointer(op)
        && !is_matrix_length(inst)
        && !matches!(
            op,
            Op::ExtInst
                | Op::ExtInstWithForwardRefsKHR
                | Op::ExtInstImport
                | Op::SelectionMerge
                | Op::LoopMerge
                | Op::Function
                | Op::SizeOf
                | Op::CooperativeMatrixLengthNV
                | Op::CooperativeMatrixLengthKHR
                | Op::Phi
                | Op::UntypedArrayLengthKHR
                | Op::AsmINTEL
                | Op::AliasScopeDeclINTEL
                | Op::AliasScopeListDeclINTEL
                | Op::AbortKHR
        )
}

/// Whether the definition precedes the instruction.
fn is_before(m: &RuleContext<'_>, inst: Inst<'_>, definition: Definition) -> bool {
    match definition {
        Definition::Here(at) => at < inst.at,
        Definition::Module(at) => m.is_function() || at < inst.at,
        Definition::Elsewhere | Definition::Missing => false,
    }
}

pub(crate) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    // What has no place in a function is rejected as a whole.
    if m.is_function() && !layout::is_in_functions(inst.op()) {
        return Ok(());
    }
    let mut forward = false;
    for (index, kind, id) in inst.ids() {
        if kind == Kind::TypeId && m.is_function() && m.is_sound_type(id) {
            continue;
        }
        let definition = m.definition(id);
        if is_before(m, inst, definition) {
            defined(m, inst, index, kind, id)?;
        } else if kind != Kind::TypeId && may_be_forward(inst, index) {
            forward = true;
            missing(m, inst, index, id, definition)?;
            if ops::generates_type(inst.op()) && !m.scope.forward_pointers.contains(&id) {
                defined(m, inst, index, kind, id)?;
                if m.def(id).is_some_and(|def| !ops::generates_type(def.op())) {
                    return not_a_type(m, index, id);
                }
                let hint = match m.def(id).map(|def| def.op()) {
                    Some(Op::TypePointer) => ", without an OpTypeForwardPointer for it",
                    _ => "",
                };
                let message = match inst.id() == id {
                    true => format!("`{}` is used in its own definition{hint}", m.name(id)),
                    false => format!("use of `{}` before its definition{hint}", m.name(id)),
                };
                return fail_at(&UNDEFINED_ID, index, message);
            }
        } else {
            missing(m, inst, index, id, definition)?;
            defined(m, inst, index, kind, id)?;
            let message = match inst.id() == id {
                true => format!("`{}` is used in its own definition", m.name(id)),
                false => format!("use of `{}` before its definition", m.name(id)),
            };
            return fail_at(&UNDEFINED_ID, index, message);
        }
    }
    if inst.op() == Op::ExtInstWithForwardRefsKHR {
        if !inst.is_non_semantic() {
            return fail(
                &UNDEFINED_ID,
                "OpExtInstWithForwardRefsKHR can be used only with non-semantic instruction sets",
            );
        }
        if !forward {
            return fail(
                &UNDEFINED_ID,
                "OpExtInstWithForwardRefsKHR must have an operand that is defined later; use OpExtInst",
            );
        }
    }
    Ok(())
}

/// Whether the type of an instruction of the module is defined after it: it is reported there, and what uses the result cannot be judged.
pub(crate) fn has_later_type(m: &RuleContext<'_>, inst: Inst<'_>) -> bool {
    let own = m.definition(inst.id());
    matches!((own, m.definition(inst.ty())), (Definition::Module(own), Definition::Module(ty)) if ty >= own)
}

/// A literal whose type is not defined yet cannot be encoded: the type is what is wrong.
pub(crate) fn undefined_type(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let definition = m.definition(inst.ty());
    if !matches!(inst.op(), Op::Constant | Op::SpecConstant) || is_before(m, inst, definition) {
        return Ok(());
    }
    missing(m, inst, 0, inst.ty(), definition)?;
    defined(m, inst, 0, Kind::TypeId, inst.ty())?;
    fail_at(&UNDEFINED_ID, 0, format!("use of `{}` before its definition", m.name(inst.ty())))
}

/// Names are not compared with more others than this.
pub(crate) const COMPARED: usize = 4096;

/// A name that is used more often is not a slip of another.
const SLIPS: usize = 2;

/// Words in names that generators make of types.
const TYPE_WORDS: [&str; 14] = [
    "bool", "char", "double", "float", "half", "int", "long", "mat", "ptr", "short", "uint", "ulong",
    "ushort", "void",
];

/// Whether two names say the same but for a slip: numbers and words of types tell ids apart.
pub(crate) fn is_same_but_for_a_slip(one: &str, other: &str) -> bool {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let types = |name: &str| -> Vec<&'static str> {
        let words = name.split(|c: char| !c.is_ascii_alphabetic());
        words.filter_map(|word| TYPE_WORDS.into_iter().find(|known| *known == word)).collect()
    };
    let (a, b) = (types(one), types(other));
    // A word of a type that is misspelt is none.
    digits(one) == digits(other) && is_one_slip(one, other) && (a.len() != b.len() || a == b)
}

/// A defined name close to that of an operand, with `%`. Numbers are never meant to be others.
pub(crate) fn suggestion(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Option<String> {
    let id = inst.operand(operand);
    let name = m.name(id);
    let word = name.strip_prefix('%').filter(|n| !n.starts_with(|c: char| c.is_ascii_digit()))?;
    let is_costly = m.flat.names.len() + m.scope.texts.len() > COMPARED || m.suggestions.get() == 0;
    if m.definition(id) != Definition::Missing || is_costly {
        return None;
    }
    // Who writes a name again and again means it: its definition is missing.
    let is_name = |local: u32| m.flat.name(local) == word;
    let uses = m.flat.operands.iter().filter(|o| o.form == Form::Id && is_name(o.value));
    if uses.take(SLIPS + 1).count() > SLIPS {
        return None;
    }
    m.suggestions.set(m.suggestions.get() - 1);
    let wants_type = inst.ids().any(|(i, kind, _)| i == operand && kind == Kind::TypeId)
        || is_made_of_types(inst.op()) && (inst.op() != Op::TypeArray || operand == 1);
    let fits = |op: Op| match ops::generates_type(op) {
        true => wants_type || can_have_type_operand(inst),
        false => !wants_type,
    };
    let own_fits = |n: &Name| m.flat.insts.get(n.def as usize).is_some_and(|i| fits(i.op));
    let own =
        (0..).zip(m.flat.names.iter()).filter(|(_, n)| own_fits(n)).map(|(local, _)| m.flat.name(local));
    let fits = |at: u32| m.scope.code.inst(at).is_some_and(|i| fits(i.op()));
    let all = m.scope.texts.iter().zip(&m.scope.defs).filter(|(_, d)| fits(**d)).map(|(t, _)| t.as_str());
    let near = closest_name(word, own.chain(all)).map(|near| format!("%{near}"));
    // An instruction does not use its own result.
    near.filter(|near| *near != m.name(inst.id()))
}

/// Types whose operands are types, of an array the first one.
fn is_made_of_types(op: Op) -> bool {
    matches!(
        op,
        Op::TypeStruct
            | Op::TypeFunction
            | Op::TypePointer
            | Op::TypeVector
            | Op::TypeMatrix
            | Op::TypeArray
            | Op::TypeRuntimeArray
    )
}

/// Reports an operand that nothing defines.
pub(crate) fn missing(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    index: usize,
    id: Id,
    definition: Definition,
) -> Verdict {
    match definition {
        Definition::Missing => {
            let near = suggestion(m, inst, index);
            let name = m.name(id);
            let message = wording::undefined("id", &name, near.as_deref().into_iter());
            let fault = Fault::new(&UNDEFINED_ID, message).at(Part::Operand(index));
            Err(fault.with_lack(Lack::InFile(name.into())))
        }
        Definition::Elsewhere if m.is_function() => {
            fail_at(&UNDEFINED_ID, index, format!("`{}` is defined in another function", m.name(id)))
        }
        _ => Ok(()),
    }
}

fn not_a_type(m: &RuleContext<'_>, index: usize, id: Id) -> Verdict {
    let message = format!("`{}` is the result of {}, not a type", m.name(id), m.op(id).name());
    fail_at(&ID_CLASS, index, message)
}

fn defined(m: &RuleContext<'_>, inst: Inst<'_>, index: usize, kind: Kind, id: Id) -> Verdict {
    let Some(def) = m.def(id) else {
        // A function defines no types.
        return match kind == Kind::TypeId && m.definition(id) == Definition::Elsewhere {
            true => not_a_type(m, index, id),
            false => Ok(()),
        };
    };
    // Most operands are values, and types have no type.
    let is_value = def.ty() != NONE && !def.is_non_semantic();
    if kind != Kind::TypeId && is_value {
        return Ok(());
    }
    let is_type = ops::generates_type(def.op());
    if kind == Kind::TypeId {
        if !is_type {
            return not_a_type(m, index, id);
        }
        return Ok(());
    }
    if is_type && !can_have_type_operand(inst) {
        return fail_at(
            &ID_CLASS,
            index,
            format!("{} expects {}, but `{}` is a type", inst.op().name(), needed(inst, index), m.name(id)),
        );
    }
    let is_alias_list = matches!(def.op(), Op::AliasScopeDeclINTEL | Op::AliasScopeListDeclINTEL);
    if def.ty() == NONE && !is_type && !is_alias_list && requires_typed_operand(inst) {
        return fail_at(
            &ID_CLASS,
            index,
            format!(
                "{} expects {}, but `{}` is the result of {}",
                inst.op().name(),
                needed(inst, index),
                m.name(id),
                def.op().name()
            ),
        );
    }
    if def.is_non_semantic() && !inst.is_non_semantic() {
        return fail_at(
            &ID_CLASS,
            index,
            format!(
                "the result of the non-semantic instruction `{}` can be used only by non-semantic instructions",
                m.name(id)
            ),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::{Shader, marks};

    #[test]
    fn types_and_numbers_in_names_tell_ids_apart() {
        let is_slip = super::is_same_but_for_a_slip;
        assert!(is_slip("%uint_1", "%unit_1") && is_slip("%main", "%mainn"));
        assert!(!is_slip("%int_1", "%uint_1") && !is_slip("%uint_2", "%uint_1"));
        assert!(!is_slip("%ptr_float_int", "%ptr_float_uint"));
    }

    #[test]
    fn ids_are_of_the_class_that_the_operand_wants() {
        let shader = Shader {
            body: "%a = OpFAdd %float %f1 %float
%b = OpFAdd %f1 %f1 %f1
%c = OpFAdd %float %nowhere %f1
%d = OpFAdd %flaot %f1 %f1
OpStore %entry %f1
%e = OpCopyObject %float %later
%later = OpCopyObject %float %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[id-class] `%float`: OpFAdd expects a value, but `%float` is a type
              12:1 `%float`: defined here
            error[id-class] `%f1`: `%f1` is the result of OpConstant, not a type
              25:1 `%f1`: defined here
            error[undefined-id] `%nowhere`: use of undefined id `%nowhere`
            error[undefined-id] `%flaot`: use of undefined id `%flaot`; did you mean `%float`?
              fix: Replace with `%float`
              | %d = OpFAdd %float %f1 %f1
            error[id-class] `%entry`: OpStore expects a value, but `%entry` is the result of OpLabel
              32:1 `%entry = OpLabel`: defined here
            error[undefined-id] `%later`: use of `%later` before its definition
              39:1 `%later = OpCopyObject %float %f1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn branches_take_labels() {
        let shader = Shader { body: "OpBranch %float\n%next = OpLabel", ..Shader::NEW };
        let findings = shader.findings();
        assert!(findings.contains("OpBranch expects a label, but `%float` is a type"), "{findings}");
    }

    #[test]
    fn types_that_read_the_same_are_named() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            OpName %a "S"
            OpName %b "S"
            %void = OpTypeVoid
            %int = OpTypeInt 32 1
            %a = OpTypeStruct %int
            %b = OpTypeStruct %int
            %pa = OpTypePointer Private %a
            %x = OpVariable %pa Private
            %fn = OpTypeFunction %void
            %f = OpFunction %void None %fn
            %entry = OpLabel
            %v = OpUndef %b
            OpStore %x %v
            ;          ^^ error[memory-access]: `%v` is struct S (`%b`), but `%x` points to struct S (`%a`)
            ;           = line 15:1: defined here
            OpReturn
            OpFunctionEnd
        "#]]);
    }

    #[test]
    fn a_suggestion_is_of_the_class_that_the_place_takes() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %float = OpTypeFloat 32
            %in = OpConstant %float 1
            %s = OpTypeStruct %float %int
            ;                        ^^^^ error[undefined-id]: use of undefined id `%int`
            %v = OpConstantComposite %s %floet %im
            ;                           ^^^^^^ error[undefined-id]: use of undefined id `%floet`
            %w = OpConstantComposite %ss %in %in
            ;                        ^^^ error[undefined-id]: use of undefined id `%ss`; did you mean `%s`?
            ;                          = guess: %w = OpConstantComposite %s %in %in
        "#]]);
    }

    #[test]
    fn a_suggestion_is_not_the_result_itself() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %int0 = OpConstantNull %int
            ;                      ^^^^ error[undefined-id]: use of undefined id `%int`
        "#]]);
    }

    #[test]
    fn a_value_is_not_its_own_type() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %v = OpVariable %v StorageBuffer
            ;               ^^ error[id-class]: `%v` is the result of OpVariable, not a type
            ;                = line 4:1: defined here
            %u = OpUndef %u
            ;            ^^ error[id-class]: `%u` is the result of OpUndef, not a type
            ;             = line 5:1: defined here
        "#]]);
    }

    #[test]
    fn a_type_that_is_none_is_named_by_its_id() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpCapability Addresses
            OpMemoryModel Physical64 OpenCL
            ;                        ^^^^^^ error[missing-capability]: OpenCL requires the Kernel capability
            OpTypeForwardPointer %p Function
            ;                    ^^ error[type-declaration]: a forward pointer must point to a structure
            ;                     = line 6:1: defined here
            %p = OpTypePointer Function %p
            %s = OpConstantTrue %p
            ;                   ^^ error[constant-type]: expected a Boolean type as Result Type, found ptr Function %p
            ;                    = line 6:1: defined here
        "#]]);
    }

    #[test]
    fn ids_have_a_bound() {
        marks(expect![[r#"
            OpCapability Shader
            OpCapability Linkage
            OpMemoryModel Logical GLSL450
            %4194302 = OpTypeVoid
            %4194303 = OpTypeBool
            ;^^^^^^^ error[universal-limit]: ids must be less than the limit of 4194303
        "#]]);
    }
}
