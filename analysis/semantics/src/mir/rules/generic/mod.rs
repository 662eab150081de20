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
use crate::mir::context::{Cx, Inst, Reg};
use crate::mir::model::*;

rule!(
    GENERIC_TYPE,
    "generic-type-mismatch",
    "Operands of a generic opcode that share a type index have the same type, and each is a virtual register with a type.\n\n```mir\n%2:_(s32) = G_ADD %0:_, %1:_      ; %1 is an s64\n```"
);
rule!(
    GENERIC_PHYSICAL,
    "generic-physical-register",
    "A generic instruction has no physical registers as operands: a COPY brings their value to a virtual register."
);
rule!(
    GENERIC_SELECTED,
    "generic-in-selected",
    "A function that says `selected: true` has no generic instructions left."
);
rule!(GENERIC_BRANCH, "generic-branch-target", "A generic branch names the block it goes to.");
rule!(
    GENERIC_CAST,
    "generic-cast",
    "Casts, extensions and truncations change the type in one direction, lane by lane, and keep pointers and numbers apart."
);
rule!(
    GENERIC_CONSTANT,
    "generic-constant",
    "A generic constant operand is of the kind, width and range that the opcode asks for."
);
rule!(
    GENERIC_MEMORY,
    "generic-memory",
    "Generic loads, stores and block operations access pointers, with memory operands that fit their values."
);
rule!(
    GENERIC_VECTOR,
    "generic-vector",
    "Opcodes that take vectors apart and build them keep element types, numbers of lanes and sizes in step."
);
rule!(GENERIC_SCALAR, "generic-scalar", "The opcode's operands are of the wrong kind of type.");
rule!(
    GENERIC_INTRINSIC,
    "generic-intrinsic",
    "The opcode that calls an intrinsic must say whether it has side effects and whether it is convergent, as the intrinsic does."
);

pub(in crate::mir) const RULES: &[&crate::Rule] = &[
    &GENERIC_TYPE,
    &GENERIC_PHYSICAL,
    &GENERIC_SELECTED,
    &GENERIC_BRANCH,
    &GENERIC_CAST,
    &GENERIC_CONSTANT,
    &GENERIC_MEMORY,
    &GENERIC_VECTOR,
    &GENERIC_SCALAR,
    &GENERIC_INTRINSIC,
];

/// Size of a type, in bits; of a scalable vector its least.
pub(in crate::mir) fn type_bits(cx: &Cx<'_>, ty: Type) -> Option<u64> {
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
fn scalar_bits(cx: &Cx<'_>, ty: Type) -> u64 {
    type_bits(cx, ty.element()).unwrap_or(0)
}

/// The intrinsic that a name means.
pub(in crate::mir) fn intrinsic(name: &str) -> Option<Intrinsic> {
    Intrinsic::lookup(name)
}

/// One generic instruction, with the types of its operands at hand.
struct Generic<'c, 'a> {
    cx: &'c mut Cx<'a>,
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
pub(super) fn check(cx: &mut Cx<'_>) {
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
            format!("`{name}` is generic, but the function says it is selected"),
        );
    }
    let desc = inst.desc;
    if desc.is(flag::BRANCH) && !desc.is(flag::INDIRECT_BRANCH) {
        let any =
            (0..g.count()).any(|i| matches!(g.operand(i).map(|o| o.kind), Some(OperandKind::Block(..))));
        if !any {
            g.cx.report(&GENERIC_BRANCH, inst.source.opcode_range, "the branch names no block");
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
                g.report(&GENERIC_TYPE, index, format!("`{name}` has no type"));
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
                g.report(
                    &GENERIC_TYPE,
                    index,
                    format!("`{name}` has the type {ty}, but this operand must be {first}"),
                );
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
                format!("`{name}` is a physical register: copy it to a virtual one first"),
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
            "the first operand behind the results must be `intrinsic(@llvm.name)`",
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
    g.cx.diagnostics.push(d.fix(format!("Change to `{right}`"), range, right));
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn types_and_banks() {
        expect![[r#"
            error[generic-type-mismatch] 5:5 `%0:vgpr_32`: `%0` has no type
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = G_IMPLICIT_DEF\n"));
        expect![[r#"
            error[operand-kind] 6:16 `%2:_(s32)`: this operand must be a use, not a definition
            error[operand-count] 6:38 `%0`: `G_ADD` has only 3 explicit operands
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:_(s32), %2:_(s32) = G_ADD %0, %0\n",
        ));
    }
}
