//! The generic opcodes of GlobalISel: types of their operands, and what each of them asks for.
//!
//! Source: LLVM `MachineVerifier::verifyPreISelGenericInstruction`, <https://llvm.org/docs/GlobalISel/GenericOpcode.html>.

mod casts;
mod constants;
mod instruction;
mod memory;
#[cfg(test)]
mod operand_tests;
mod scalars;
pub(super) mod selection;
mod vectors;

use instruction::Generic;
use wavelens_isa::mir::{flag, opcode::*};

use crate::context::{Reg, RuleContext, VirtualKind};
use crate::model::*;
use wavelens_base::{Fault, Fix, TextEdit, Verdict, fail, fail_at};
use wavelens_llvm::tables::intrinsics::Intrinsic;

wavelens_syntax::rules! {
    GENERIC_TYPE {
        code: "generic-type-mismatch",
        severity: wavelens_base::Severity::Error,
        title: "operands of a generic instruction that share a type index have the same type",
        explain: "Each operand is a virtual register with a type.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s64) = G_IMPLICIT_DEF
    %2:_(s32) = G_ADD %0, %1
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = G_IMPLICIT_DEF
    %2:_(s32) = G_ADD %0, %1
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"Type mismatch in generic instruction\"",
    }

    GENERIC_PHYSICAL {
        code: "generic-physical-register",
        severity: wavelens_base::Severity::Error,
        title: "a generic instruction has no physical register operands",
        explain: "Use COPY to move the value to a virtual register.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = G_ADD %0, $vgpr0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = G_ADD %0, %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"Generic instruction cannot have physical register\"",
    }

    GENERIC_SELECTED {
        code: "generic-in-selected",
        severity: wavelens_base::Severity::Error,
        title: "a function with `selected: true` has no generic instructions",
        explain: "After instruction selection nothing lowers them.",
        example: r#"---
name: f
selected: true
body: |
  bb.0:
    successors: %bb.1

    G_BR %bb.1

  bb.1:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
selected: true
body: |
  bb.0:
    successors: %bb.1

    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"Unexpected generic instruction in a Selected function\"",
    }

    GENERIC_BRANCH {
        code: "generic-branch-target",
        severity: wavelens_base::Severity::Error,
        title: "a generic branch names its target block",
        explain: "The operand is a basic block.",
        example: r#"---
name: f
body: |
  bb.0:
    G_BR 7
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    successors: %bb.1

    G_BR %bb.1

  bb.1:
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore",
    }

    GENERIC_CAST {
        code: "generic-cast",
        severity: wavelens_base::Severity::Error,
        title: "a cast, extension or truncation changes the type in its direction",
        explain: "Extensions increase and truncations reduce the size, lane by lane; pointers are converted only by G_PTRTOINT, G_INTTOPTR and G_ADDRSPACE_CAST.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s64) = G_IMPLICIT_DEF
    %1:_(s32) = G_ZEXT %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s64) = G_ZEXT %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"Generic extend has destination type no larger than source\"",
    }

    GENERIC_CONSTANT {
        code: "generic-constant",
        severity: wavelens_base::Severity::Error,
        title: "a constant operand of a generic instruction has the kind, width and range that the opcode requires",
        explain: "The constant must have the type of the result.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s64) = G_CONSTANT i32 7
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_CONSTANT i32 7
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"inconsistent constant size\"",
    }

    GENERIC_MEMORY {
        code: "generic-memory",
        severity: wavelens_base::Severity::Error,
        title: "a generic memory instruction has a pointer and fitting memory operands",
        explain: "The size of the access comes from the memory operand.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(p0) = G_IMPLICIT_DEF
    %1:_(s32) = G_LOAD %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(p0) = G_IMPLICIT_DEF
    %1:_(s32) = G_LOAD %0 :: (load (s32))
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"Generic instruction accessing memory must have one mem operand\"",
    }

    GENERIC_VECTOR {
        code: "generic-vector",
        severity: wavelens_base::Severity::Error,
        title: "element types, lane counts and sizes of a vector instruction agree",
        explain: "Opcodes that build or split vectors neither convert nor drop elements.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(<3 x s32>) = G_BUILD_VECTOR %0, %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(<2 x s32>) = G_BUILD_VECTOR %0, %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"G_BUILD_VECTOR must have an operand for each element\"",
    }

    GENERIC_SCALAR {
        code: "generic-scalar",
        severity: wavelens_base::Severity::Error,
        title: "operands of a generic instruction are scalars, vectors or pointers as the opcode requires",
        explain: "For example G_BSWAP works on multiples of 16 bits.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s8) = G_IMPLICIT_DEF
    %1:_(s8) = G_BSWAP %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_IMPLICIT_DEF
    %1:_(s32) = G_BSWAP %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"G_BSWAP size must be a multiple of 16 bits\"",
    }

    GENERIC_INTRINSIC {
        code: "generic-intrinsic",
        severity: wavelens_base::Severity::Error,
        title: "the opcode of an intrinsic call agrees with the side effects and convergence of the intrinsic",
        explain: "G_INTRINSIC, G_INTRINSIC_W_SIDE_EFFECTS and their convergent variants let passes decide without looking up the intrinsic.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_INTRINSIC_W_SIDE_EFFECTS intrinsic(@llvm.amdgcn.workitem.id.x)
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.workitem.id.x)
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyPreISelGenericInstruction: \"used with intrinsic that accesses memory\"",
    }
}

/// Size of a type, in bits; of a scalable vector its least.
pub(crate) fn type_bits(cx: &RuleContext<'_>, ty: Type) -> Option<u64> {
    let element = |ty: Type| match ty {
        Type::Scalar(bits) => Some(u64::from(bits)),
        Type::Pointer(space) => Some(cx.pointer_bits(space).0.into()),
        Type::Token | Type::Vector { .. } => None,
    };
    match ty {
        Type::Vector { lanes, .. } => Some(u64::from(lanes) * element(ty.element())?),
        Type::Token => Some(0),
        _ => element(ty),
    }
}

/// Size of a type, or of its elements, in bits.
fn scalar_bits(cx: &RuleContext<'_>, ty: Type) -> u64 {
    type_bits(cx, ty.element()).unwrap_or(0)
}

/// The intrinsic that a name means.
pub(crate) fn intrinsic(name: &str) -> Option<Intrinsic> {
    Intrinsic::lookup(name)
}

/// All generic instructions.
pub(super) fn instructions(cx: &mut RuleContext<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten().filter(|i| i.is_pre_isel()) {
        let faults = faults(&Generic { cx, inst });
        faults.into_iter().for_each(|fault| cx.report_fault(inst, fault));
    }
    cx.instructions = instructions;
}

#[expect(clippy::vec_box, reason = "checks return their faults in a box")]
fn faults(g: &Generic<'_, '_>) -> Vec<Box<Fault>> {
    let mut faults = Vec::new();
    faults.extend(check_selected(g).err());
    faults.extend(check_branch(g).err());
    let mut types = [None; 8];
    for index in 0..g.inst.desc.operand_count().min(g.count()) {
        faults.extend(check_type(g, index, &mut types).err());
    }
    for index in 0..g.count() {
        faults.extend(check_virtual(g, index).err());
    }
    // What could not be read may give a register its type.
    let lacks_type = |index: usize| g.is_register(index) && g.ty(index).is_none();
    let is_known = !g.cx.f.broken || !(0..g.count()).any(lacks_type);
    if is_known && g.count() >= g.inst.desc.operand_count() {
        faults.extend(check_opcode(g).err());
    }
    faults
}

fn check_selected(g: &Generic<'_, '_>) -> Verdict {
    if !g.cx.f.properties.selected {
        return Ok(());
    }
    let name = g.name();
    fail(&GENERIC_SELECTED, format!("generic instruction `{name}` in a function with `selected: true`"))
}

fn check_branch(g: &Generic<'_, '_>) -> Verdict {
    let desc = &g.inst.desc;
    let has_target = || (0..g.count()).any(|i| matches!(g.kind(i), Some(OperandKind::Block(..))));
    if desc.is(flag::BRANCH) && !desc.is(flag::INDIRECT_BRANCH) && !has_target() {
        return fail(&GENERIC_BRANCH, "missing target block of the branch");
    }
    Ok(())
}

/// Operands with the same type index have the same type. `types` holds the first type of each index, with its register and operand.
fn check_type<'g>(
    g: &Generic<'_, 'g>,
    index: usize,
    types: &mut [Option<(Type, &'g RegisterOperand, usize)>; 8],
) -> Verdict {
    let slot = g.inst.desc.operand(index).and_then(|o| o.type_index());
    let (Some(slot), Some(operand)) = (slot, g.operand(index)) else { return Ok(()) };
    let Some(register) = operand.register() else {
        return fail_at(&GENERIC_TYPE, index, "the operand must be a virtual register");
    };
    let Some(ty) = g.ty(index) else {
        // An instruction that cannot be read may give it one.
        if g.cx.reg(register) != Reg::None && !g.cx.f.broken && !is_reported(g, register) {
            let name = g.cx.register_text(register);
            return fail_at(&GENERIC_TYPE, index, format!("generic register `{name}` has no type"));
        }
        return Ok(());
    };
    let Some(known) = types.get_mut(usize::from(slot)) else { return Ok(()) };
    let Some((first, other, first_index)) = *known else {
        *known = Some((ty, register, index));
        return Ok(());
    };
    if first == ty {
        return Ok(());
    }
    let mut rest = (first_index + 1..g.inst.desc.operand_count()).filter(|other| {
        *other != index && g.inst.desc.operand(*other).and_then(|o| o.type_index()) == Some(slot)
    });
    let (name, other) = (g.cx.register_text(register), g.cx.register_text(other));
    // Where all the others agree, the first is wrong.
    if rest.clone().next().is_some() && rest.all(|other| g.ty(other) == Some(ty)) {
        let message = format!("`{other}` has type `{first}`, but must have the type of `{name}`, `{ty}`");
        *known = Some((ty, register, index));
        return fail_at(&GENERIC_TYPE, first_index, message);
    }
    let message = format!("`{name}` has type `{ty}`, but must have the type of `{other}`, `{first}`");
    fail_at(&GENERIC_TYPE, index, message)
}

fn check_virtual(g: &Generic<'_, '_>, index: usize) -> Verdict {
    let Some(register) = g.operand(index).and_then(Operand::register) else { return Ok(()) };
    if matches!(g.cx.reg(register), Reg::Physical(_)) {
        let name = g.cx.register_text(register);
        let message = format!("expected a virtual register, found physical register `{name}`");
        return fail_at(&GENERIC_PHYSICAL, index, message);
    }
    Ok(())
}

/// Whether another rule reports the register: it is physical, or its class is unknown.
fn is_reported(g: &Generic<'_, '_>, register: &RegisterOperand) -> bool {
    match g.cx.reg(register) {
        Reg::Physical(_) => true,
        Reg::Virtual(v) => matches!(g.cx.virtual_of(v).kind, VirtualKind::Error | VirtualKind::Unknown),
        Reg::None => false,
    }
}

/// What the opcode requires beyond its type indices.
fn check_opcode(g: &Generic<'_, '_>) -> Verdict {
    match g.inst.desc.generic {
        G_ASSERT_SEXT | G_ASSERT_ZEXT | G_SEXT_INREG => constants::check_extension_width(g),
        G_ASSERT_ALIGN => constants::check_alignment(g),
        G_CONSTANT => constants::check_integer(g),
        G_FCONSTANT => constants::check_float(g),
        G_VSCALE => constants::check_vscale(g),
        G_STEP_VECTOR => constants::check_step_vector(g),
        G_UBSANTRAP => constants::check_trap(g),
        G_PREFETCH => constants::check_prefetch(g),
        G_JUMP_TABLE | G_BRJT => constants::check_jump_table(g),
        G_CONSTANT_POOL => constants::check_constant_pool(g),
        G_IS_FPCLASS => constants::check_class_test(g),
        G_LOAD | G_STORE | G_ZEXTLOAD | G_SEXTLOAD => memory::check_access(g),
        G_MEMCPY | G_MEMCPY_INLINE | G_MEMMOVE => memory::check_copy(g),
        G_MEMSET | G_BZERO => memory::check_set(g),
        G_DYN_STACKALLOC => memory::check_dynamic_alloca(g),
        G_PTRAUTH_GLOBAL_VALUE => memory::check_ptrauth(g),
        G_PHI => scalars::check_phi(g),
        G_BITCAST => casts::check_bitcast(g),
        G_INTTOPTR | G_PTRTOINT | G_ADDRSPACE_CAST => casts::check_pointer_cast(g),
        G_PTR_ADD => casts::check_pointer_add(g),
        G_PTRMASK => casts::check_pointer_mask(g),
        G_SEXT | G_ZEXT | G_ANYEXT | G_FPEXT => casts::check_resize(g, true),
        G_TRUNC | G_TRUNC_SSAT_S | G_TRUNC_SSAT_U | G_TRUNC_USAT_U | G_FPTRUNC => {
            casts::check_resize(g, false)
        }
        G_SELECT => scalars::check_select(g),
        G_ICMP | G_FCMP => scalars::check_compare(g),
        G_SCMP | G_UCMP => scalars::check_three_way(g),
        G_SMIN | G_SMAX | G_UMIN | G_UMAX => scalars::check_extremum(g),
        G_BSWAP => scalars::check_byte_swap(g),
        G_SHL | G_LSHR | G_ASHR | G_ROTR | G_ROTL => scalars::check_shift(g),
        G_SBFX | G_UBFX => scalars::check_bit_field(g),
        G_LLROUND | G_LROUND => scalars::check_round(g),
        G_MERGE_VALUES => vectors::check_merge(g),
        G_UNMERGE_VALUES => vectors::check_unmerge(g),
        G_BUILD_VECTOR => vectors::check_build(g),
        G_BUILD_VECTOR_TRUNC => vectors::check_build_truncating(g),
        G_CONCAT_VECTORS => vectors::check_concat(g),
        G_EXTRACT => vectors::check_extract(g),
        G_INSERT => vectors::check_insert(g),
        G_INSERT_SUBVECTOR => vectors::check_insert_subvector(g),
        G_EXTRACT_SUBVECTOR => vectors::check_extract_subvector(g),
        G_SHUFFLE_VECTOR => vectors::check_shuffle(g),
        G_SPLAT_VECTOR => vectors::check_splat(g),
        G_EXTRACT_VECTOR_ELT => vectors::check_extract_element(g),
        G_INSERT_VECTOR_ELT => vectors::check_insert_element(g),
        G_VECREDUCE_SEQ_FADD | G_VECREDUCE_SEQ_FMUL => vectors::check_reduce(g, true),
        G_VECREDUCE_FADD | G_VECREDUCE_FMUL | G_VECREDUCE_FMAX | G_VECREDUCE_FMIN | G_VECREDUCE_FMAXIMUM
        | G_VECREDUCE_FMINIMUM | G_VECREDUCE_ADD | G_VECREDUCE_MUL | G_VECREDUCE_AND | G_VECREDUCE_OR
        | G_VECREDUCE_XOR | G_VECREDUCE_SMAX | G_VECREDUCE_SMIN | G_VECREDUCE_UMAX | G_VECREDUCE_UMIN => {
            vectors::check_reduce(g, false)
        }
        G_INTRINSIC
        | G_INTRINSIC_W_SIDE_EFFECTS
        | G_INTRINSIC_CONVERGENT
        | G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS => check_intrinsic_call(g),
        _ => Ok(()),
    }
}

fn check_intrinsic_call(g: &Generic<'_, '_>) -> Verdict {
    let is_result = |o: &Operand| o.is_def() && o.register().is_some() && !o.is_implicit();
    let Some(index) = (0..g.count()).find(|i| g.operand(*i).is_some_and(|o| !is_result(o))) else {
        return Ok(());
    };
    let Some(OperandKind::Intrinsic(name)) = g.kind(index) else {
        let message = "expected `intrinsic(@llvm.name)` as the first operand after the results";
        return fail_at(&GENERIC_INTRINSIC, index, message);
    };
    let Some(found) = intrinsic(g.cx.f.names.get(name)) else { return Ok(()) };
    let has_effects = !found.has("nomem") || found.has("effects");
    let is_convergent = found.has("convergent");
    let name = g.name();
    let right = match (is_convergent, has_effects) {
        (false, false) => "G_INTRINSIC",
        (false, true) => "G_INTRINSIC_W_SIDE_EFFECTS",
        (true, false) => "G_INTRINSIC_CONVERGENT",
        (true, true) => "G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS",
    };
    let message = if has_effects != name.ends_with("W_SIDE_EFFECTS") {
        match has_effects {
            true => "the intrinsic accesses memory or has side effects",
            false => "the intrinsic has no side effects",
        }
    } else if is_convergent != name.contains("CONVERGENT") {
        match is_convergent {
            true => "the intrinsic is convergent",
            false => "the intrinsic is not convergent",
        }
    } else {
        return Ok(());
    };
    let edits = vec![TextEdit::new(g.inst.source.opcode_range, right)];
    let fix = Fix { title: format!("Replace with `{right}`"), certain: true, edits };
    Err(Fault::new(&GENERIC_INTRINSIC, format!("{message}: use `{right}`")).fix(fix))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn types_and_banks() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = G_IMPLICIT_DEF
            ;   ^^^^^^^^^^ error[generic-type-mismatch]: generic register `%0` has no type
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s32), %2:_(s32) = G_ADD %0, %0
            ;              ^^^^^^^^^ error[operand-kind]: this operand must be a use, not a definition
            ;                                    ^^ error[operand-count]: too many operands: `G_ADD` takes 1 definition and 2 other explicit operands
            ...
        "#]]);
    }

    #[test]
    fn the_one_that_differs_is_reported() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                %1:_(s64) = G_ADD %0, %0
            ;   ^^^^^^^^^ error[generic-type-mismatch]: `%1` has type `s64`, but must have the type of `%0`, `s32`
                %2:_(s32) = G_ADD %0, %1
            ;                         ^^ error[generic-type-mismatch]: `%1` has type `s64`, but must have the type of `%2`, `s32`
            ...
        "#]]);
    }

    #[test]
    fn registers_of_lines_that_cannot_be_read_may_have_any_type() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
                :vgpr(p1) = COPY $vgpr3_vgpr4
            ;   ^ error[syntax-error]: expected a machine instruction, found `:`
                %2:_(pp1) = G_IMPLICIT_DEF
            ;        ^^^ error[syntax-error]: expected a number of bits after `s`, or an address space after `p`
                G_STORE %0, %1 :: (store (s32), addrspace 1)
                G_STORE %0, %2 :: (store (s32), addrspace 1)
                %3:_(<2 x s32>) = G_BUILD_VECTOR %0, %1
            ...
        "#]]);
    }
}
