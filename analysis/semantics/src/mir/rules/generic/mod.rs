//! The generic opcodes of GlobalISel: types of their operands, and what each of them asks for.
//!
//! Source: LLVM `MachineVerifier::verifyPreISelGenericInstruction`, <https://llvm.org/docs/GlobalISel/GenericOpcode.html>.

mod casts;
mod constants;
mod memory;
mod scalars;
mod vectors;

use wavelens_isa::mir::{flag, opcode::*};

use crate::llvm::tables::intrinsics::Intrinsic;
use crate::mir::context::{Inst, Reg, RuleContext};
use crate::mir::model::*;

wavelens_syntax::rules! {
    GENERIC_TYPE {
        code: "generic-type-mismatch",
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
        severity: crate::Severity::Error,
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
pub(in crate::mir) fn type_bits(cx: &RuleContext<'_>, ty: Type) -> Option<u64> {
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
pub(in crate::mir) fn intrinsic(name: &str) -> Option<Intrinsic> {
    Intrinsic::lookup(name)
}

/// One generic instruction, with the types of its operands at hand.
struct Generic<'c, 'a> {
    cx: &'c mut RuleContext<'a>,
    inst: &'c Inst<'a>,
}

impl<'a> Generic<'_, 'a> {
    fn operand(&self, index: usize) -> Option<&'a Operand> {
        self.cx.operand(self.inst, index)
    }

    fn count(&self) -> usize {
        self.inst.order.len()
    }

    /// The type of a register operand; `None` makes a rule pass over the instruction.
    fn ty(&self, index: usize) -> Option<Type> {
        self.cx.type_of(self.operand(index)?)
    }

    fn immediate(&self, index: usize) -> Option<i64> {
        self.operand(index)?.immediate()
    }

    fn memory(&self) -> &'a [MemoryOperand] {
        let f: &'a Function = self.cx.f;
        self.inst.source.memory.of(&f.memory)
    }

    fn bits(&self, ty: Type) -> u64 {
        type_bits(self.cx, ty).unwrap_or(0)
    }

    fn scalar_bits(&self, ty: Type) -> u64 {
        scalar_bits(self.cx, ty)
    }

    fn name(&self) -> &'a str {
        let f: &'a Function = self.cx.f;
        f.opcode_text(self.inst.source)
    }

    /// Reports at an operand, or at the opcode when there is no such operand.
    fn report(&mut self, rule: &'static crate::Rule, index: usize, message: impl Into<String>) {
        let range = self.operand(index).map_or(self.inst.source.opcode_range, |o| o.range);
        self.cx.report(rule, range, message);
    }

    /// Both vectors with as many lanes, or neither.
    fn same_lanes(&mut self, rule: &'static crate::Rule, a: Type, b: Type, index: usize) -> bool {
        let message = if a.is_vector() != b.is_vector() {
            "the operands must all be vectors or all be scalars"
        } else if a.is_vector() && a.lanes() != b.lanes() {
            "the operands must have the same number of lanes"
        } else {
            return true;
        };
        self.report(rule, index, format!("{message}: {a} and {b}"));
        false
    }
}

/// All generic instructions.
pub(super) fn check(cx: &mut RuleContext<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten().filter(|i| i.is_pre_isel()) {
        let mut g = Generic { cx, inst };
        common(&mut g);
        if inst.order.len() >= inst.desc.operand_count() {
            specific(&mut g);
        }
    }
    cx.instructions = instructions;
}

fn common(g: &mut Generic<'_, '_>) {
    let inst = g.inst;
    if g.cx.f.properties.selected {
        let name = g.name();
        g.cx.report(
            &GENERIC_SELECTED,
            inst.source.opcode_range,
            format!("generic instruction `{name}` in a function with `selected: true`"),
        );
    }
    let desc = inst.desc;
    if desc.is(flag::BRANCH) && !desc.is(flag::INDIRECT_BRANCH) {
        let any =
            (0..g.count()).any(|i| matches!(g.operand(i).map(|o| o.kind), Some(OperandKind::Block(..))));
        if !any {
            g.cx.report(&GENERIC_BRANCH, inst.source.opcode_range, "missing target block of the branch");
        }
    }
    let mut types: [Option<(Type, usize)>; 8] = [None; 8];
    for index in 0..desc.operand_count().min(g.count()) {
        let Some(slot) = desc.operand(index).and_then(|o| o.type_index()) else { continue };
        let Some(operand) = g.operand(index) else { continue };
        let Some(register) = operand.register() else {
            g.report(&GENERIC_TYPE, index, "expected a virtual register");
            continue;
        };
        let Some(ty) = g.ty(index) else {
            if g.cx.reg(register) != Reg::None && !already_wrong(g, register) {
                let name = g.cx.register_text(register);
                g.report(&GENERIC_TYPE, index, format!("generic register `{name}` has no type"));
            }
            continue;
        };
        match types.get(usize::from(slot)).copied().flatten() {
            None => {
                if let Some(t) = types.get_mut(usize::from(slot)) {
                    *t = Some((ty, index));
                }
            }
            Some((first, _)) if first != ty => {
                let name = g.cx.register_text(register);
                g.report(&GENERIC_TYPE, index, format!("expected type {first}, but `{name}` has type {ty}"));
            }
            Some(_) => {}
        }
    }
    for index in 0..g.count() {
        let Some(register) = g.operand(index).and_then(Operand::register) else { continue };
        if matches!(g.cx.reg(register), Reg::Physical(_)) {
            let name = g.cx.register_text(register);
            g.report(
                &GENERIC_PHYSICAL,
                index,
                format!("expected a virtual register, found physical register `{name}`"),
            );
        }
    }
}

/// A physical register is reported as such.
fn already_wrong(g: &Generic<'_, '_>, register: &RegisterOperand) -> bool {
    matches!(g.cx.reg(register), Reg::Physical(_))
        || matches!(g.cx.reg(register), Reg::Virtual(v) if g.cx.virtual_of(v).kind == crate::mir::context::VirtualKind::Error)
}

fn specific(g: &mut Generic<'_, '_>) -> Option<()> {
    match g.inst.desc.generic {
        G_ASSERT_SEXT | G_ASSERT_ZEXT | G_SEXT_INREG => constants::extension_width(g),
        G_ASSERT_ALIGN => constants::alignment(g),
        G_CONSTANT => constants::integer(g),
        G_FCONSTANT => constants::float(g),
        G_VSCALE => constants::vscale(g),
        G_STEP_VECTOR => constants::step_vector(g),
        G_UBSANTRAP => constants::trap(g),
        G_PREFETCH => constants::prefetch(g),
        G_JUMP_TABLE | G_BRJT => constants::jump_table(g),
        G_CONSTANT_POOL => constants::constant_pool(g),
        G_IS_FPCLASS => constants::class_test(g),
        G_LOAD | G_STORE | G_ZEXTLOAD | G_SEXTLOAD => memory::access(g),
        G_MEMCPY | G_MEMCPY_INLINE | G_MEMMOVE => memory::copy(g),
        G_MEMSET | G_BZERO => memory::set(g),
        G_DYN_STACKALLOC => memory::dynamic_alloca(g),
        G_PTRAUTH_GLOBAL_VALUE => memory::ptrauth(g),
        G_PHI => scalars::phi(g),
        G_BITCAST => casts::bitcast(g),
        G_INTTOPTR | G_PTRTOINT | G_ADDRSPACE_CAST => casts::pointer_cast(g),
        G_PTR_ADD => casts::pointer_add(g),
        G_PTRMASK => casts::pointer_mask(g),
        G_SEXT | G_ZEXT | G_ANYEXT | G_FPEXT => casts::resize(g, true),
        G_TRUNC | G_TRUNC_SSAT_S | G_TRUNC_SSAT_U | G_TRUNC_USAT_U | G_FPTRUNC => casts::resize(g, false),
        G_SELECT => scalars::select(g),
        G_ICMP | G_FCMP => scalars::compare(g),
        G_SCMP | G_UCMP => scalars::three_way(g),
        G_BSWAP => scalars::byte_swap(g),
        G_SHL | G_LSHR | G_ASHR | G_ROTR | G_ROTL => scalars::shift(g),
        G_SBFX | G_UBFX => scalars::bit_field(g),
        G_LLROUND | G_LROUND => scalars::round(g),
        G_MERGE_VALUES => vectors::merge(g),
        G_UNMERGE_VALUES => vectors::unmerge(g),
        G_BUILD_VECTOR => vectors::build(g),
        G_BUILD_VECTOR_TRUNC => vectors::build_truncating(g),
        G_CONCAT_VECTORS => vectors::concat(g),
        G_EXTRACT => vectors::extract(g),
        G_INSERT => vectors::insert(g),
        G_INSERT_SUBVECTOR => vectors::insert_subvector(g),
        G_EXTRACT_SUBVECTOR => vectors::extract_subvector(g),
        G_SHUFFLE_VECTOR => vectors::shuffle(g),
        G_SPLAT_VECTOR => vectors::splat(g),
        G_EXTRACT_VECTOR_ELT => vectors::extract_element(g),
        G_INSERT_VECTOR_ELT => vectors::insert_element(g),
        G_VECREDUCE_SEQ_FADD | G_VECREDUCE_SEQ_FMUL => vectors::reduce(g, true),
        G_VECREDUCE_FADD | G_VECREDUCE_FMUL | G_VECREDUCE_FMAX | G_VECREDUCE_FMIN | G_VECREDUCE_FMAXIMUM
        | G_VECREDUCE_FMINIMUM | G_VECREDUCE_ADD | G_VECREDUCE_MUL | G_VECREDUCE_AND | G_VECREDUCE_OR
        | G_VECREDUCE_XOR | G_VECREDUCE_SMAX | G_VECREDUCE_SMIN | G_VECREDUCE_UMAX | G_VECREDUCE_UMIN => {
            vectors::reduce(g, false)
        }
        G_INTRINSIC
        | G_INTRINSIC_W_SIDE_EFFECTS
        | G_INTRINSIC_CONVERGENT
        | G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS => intrinsic_call(g),
        _ => None,
    }
}

fn intrinsic_call(g: &mut Generic<'_, '_>) -> Option<()> {
    // The first operand behind the definitions.
    let index = (0..g.count()).find(|i| {
        g.operand(*i).is_some_and(|o| !(o.is_def() && o.register().is_some() && !o.is_implicit()))
    })?;
    let OperandKind::Intrinsic(name) = g.operand(index)?.kind else {
        g.report(
            &GENERIC_INTRINSIC,
            index,
            "expected `intrinsic(@llvm.name)` as the first operand after the results",
        );
        return None;
    };
    let text = g.cx.f.names.get(name);
    let found = intrinsic(text)?;
    let touches = !found.has("nomem") || found.has("effects");
    let convergent = found.has("convergent");
    let name = g.name();
    let says_effects = name.ends_with("W_SIDE_EFFECTS");
    let says_convergent = name.contains("CONVERGENT");
    let right = match (convergent, touches) {
        (false, false) => "G_INTRINSIC",
        (false, true) => "G_INTRINSIC_W_SIDE_EFFECTS",
        (true, false) => "G_INTRINSIC_CONVERGENT",
        (true, true) => "G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS",
    };
    let message = if touches != says_effects {
        if touches {
            "the intrinsic accesses memory or has side effects"
        } else {
            "the intrinsic has no side effects"
        }
    } else if convergent != says_convergent {
        if convergent { "the intrinsic is convergent" } else { "the intrinsic is not convergent" }
    } else {
        return None;
    };
    let range = g.inst.source.opcode_range;
    let d = crate::Diagnostic::new(&GENERIC_INTRINSIC, range, format!("{message}: use `{right}`"));
    g.cx.diagnostics.push(d.fix(format!("Replace with `{right}`"), range, right));
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn types_and_banks() {
        expect![[r#"
            error[generic-type-mismatch] 5:5 `%0:vgpr_32`: generic register `%0` has no type
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = G_IMPLICIT_DEF\n"));
        expect![[r#"
            error[operand-kind] 6:16 `%2:_(s32)`: this operand must be a use, not a definition
            error[operand-count] 6:38 `%0`: too many operands: `G_ADD` has 3 explicit operands
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s32), %2:_(s32) = G_ADD %0, %0\n",
        ));
    }
}
