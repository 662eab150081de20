//! Arithmetic (SPIR-V specification, section 3.52.13).

use wavelens_syntax::spirv::tables::{Capability, CooperativeMatrixReduce, CooperativeMatrixUse, Op};

use wavelens_syntax::wording;

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use crate::flat::NONE;
use wavelens_base::Severity;
use wavelens_base::{Verdict, fail, fail_at};

wavelens_syntax::rules! {
    OPERAND_TYPE {
        code: "operand-type",
        severity: Severity::Error,
        title: "the types of the operands fit the instruction and its Result Type",
        explain: "Float instructions require floats, integer instructions integers, and component-wise instructions vectors of the same size. SPIR-V does not convert operands.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%sum = OpIAdd %float %one %one
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%sum = OpFAdd %float %one %one
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, Conversion, Arithmetic, Bit, Relational and Logical, and Derivative Instructions; SPIRV-Tools validate_arithmetics.cpp: \"Expected int scalar or vector type as Result Type\"; VUID-PrimitiveId-PrimitiveId-04336, VUID-RuntimeSpirv-None-10824, VUID-StandaloneSpirv-None-04686, VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685, VUID-StandaloneSpirv-OpReadClockKHR-04652, VUID-StandaloneSpirv-PhysicalStorageBuffer64-04710",
    }
}

pub(super) fn wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&OPERAND_TYPE, operand, message)
}

/// Reports an operand, or the Result Type, of another type than `expected`.
pub(super) fn unfit(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize, expected: &str) -> Verdict {
    wrong(operand, wording::expected(expected, m.describe_operand(inst, operand)))
}

pub(super) fn unfit_dimension(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let expected = format!("as many components as in Result Type ({})", m.type_name(inst.ty()));
    unfit(m, inst, operand, &expected)
}

/// Cooperative matrices of one shape.
pub(super) fn same_shape(m: &RuleContext<'_>, left: Id, right: Id, conversion: bool, swap: bool) -> Verdict {
    let (Some(a), Some(b)) = (m.def(left), m.def(right)) else { return Ok(()) };
    let no = |what: &str| fail(&OPERAND_TYPE, format!("the cooperative matrices must have the same {what}"));
    if a.op() != b.op() {
        return no("kind");
    }
    let differ = |x: usize, y: usize| {
        let (x, y) = (m.const_int32(a.operand(x)).1, m.const_int32(b.operand(y)).1);
        x.is_some() && y.is_some() && x != y
    };
    let (rows, columns) = if swap { (4, 3) } else { (3, 4) };
    if differ(2, 2) {
        return no("scope");
    }
    if differ(rows, 3) {
        return no("rows");
    }
    if differ(columns, 4) {
        return no("columns");
    }
    if a.op() == Op::TypeCooperativeMatrixKHR && differ(5, 5) {
        let is_accumulator =
            |ty: Inst<'_>| m.const_int32(ty.operand(5)).1 == Some(CooperativeMatrixUse::MatrixAccumulatorKHR);
        let both_ways = m.has_capability(Capability::CooperativeMatrixConversionsEXT);
        let is_allowed = conversion
            && ((both_ways || m.has_capability(Capability::CooperativeMatrixConversionsNV))
                && is_accumulator(b)
                || both_ways && is_accumulator(a));
        if !is_allowed {
            return no("use");
        }
    }
    Ok(())
}

/// Cooperative vectors of one length.
pub(super) fn same_length(m: &RuleContext<'_>, left: Id, right: Id) -> Verdict {
    let (Some(a), Some(b)) = (m.def(left), m.def(right)) else { return Ok(()) };
    let (x, y) = (m.const_int32(a.operand(2)).1, m.const_int32(b.operand(2)).1);
    if a.op() != b.op() || x.is_some() && y.is_some() && x != y {
        return fail(&OPERAND_TYPE, "the cooperative vectors must have the same length");
    }
    Ok(())
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    match op {
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem | Op::FMod | Op::FNegate => float(m, inst),
        Op::UDiv | Op::UMod => unsigned(m, inst),
        Op::IAdd | Op::ISub | Op::IMul | Op::SDiv | Op::SMod | Op::SRem | Op::SNegate => integer(m, inst),
        Op::Dot => dot(m, inst),
        Op::VectorTimesScalar => {
            if !m.is_float_vector(inst.ty()) && !m.is_float_coop_vector(inst.ty()) {
                return unfit(m, inst, 0, "a float vector as Result Type");
            }
            times_scalar(m, inst)
        }
        Op::MatrixTimesScalar => {
            if !m.is_float_matrix(inst.ty()) && !m.is_coop_matrix(inst.ty()) {
                return unfit(m, inst, 0, "a float matrix as Result Type");
            }
            times_scalar(m, inst)
        }
        Op::VectorTimesMatrix | Op::MatrixTimesVector => vector_matrix(m, inst),
        Op::MatrixTimesMatrix => matrix_matrix(m, inst),
        Op::OuterProduct => outer_product(m, inst),
        Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => extended(m, inst),
        Op::CooperativeMatrixMulAddNV => mul_add_nv(m, inst),
        Op::CooperativeMatrixMulAddKHR => mul_add_khr(m, inst),
        Op::CooperativeMatrixReduceEXT => reduce(m, inst),
        _ => Ok(()),
    }
}

/// Operands of cooperative types, which match by shape; `None` for others.
fn cooperative(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    vectors: bool,
    matrices: bool,
    element: fn(&RuleContext<'_>, Id) -> bool,
) -> Option<Verdict> {
    let result = inst.ty();
    if vectors && m.is_coop_vector(result) {
        return Some((2..inst.count()).try_for_each(|i| {
            let ty = m.operand_type(inst, i);
            if !m.is_coop_vector(ty) {
                return unfit(m, inst, i, "a cooperative vector");
            }
            same_length(m, ty, result)
        }));
    }
    if matrices && m.is_coop_matrix_khr(result) {
        return Some((2..inst.count()).try_for_each(|i| {
            let ty = m.operand_type(inst, i);
            if !m.is_coop_matrix_khr(ty) || !element(m, m.element(ty)) {
                return unfit(m, inst, i, "a cooperative matrix of the same kind as Result Type");
            }
            same_shape(m, result, ty, false, false)
        }));
    }
    None
}

fn same_as_result(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    (2..inst.count()).try_for_each(|i| {
        if m.operand_type(inst, i) == inst.ty() {
            return Ok(());
        }
        unfit(m, inst, i, &format!("{}, the Result Type", m.type_name(inst.ty())))
    })
}

fn float(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let (op, result) = (inst.op(), inst.ty());
    let matrices = !matches!(op, Op::FMul | Op::FRem | Op::FMod);
    let vectors = !matches!(op, Op::FRem | Op::FMod);
    let fits = m.is_float_scalar_or_vector(result)
        || matrices && m.is_float_coop_matrix(result)
        || op == Op::FMul && m.is_coop_matrix_khr(result) && m.is_float_coop_matrix(result)
        || vectors && m.is_float_coop_vector(result);
    if !fits {
        return unfit(m, inst, 0, "a float scalar or vector as Result Type");
    }
    cooperative(m, inst, vectors, matrices, |m, id| m.is_float(id)).unwrap_or_else(|| same_as_result(m, inst))
}

fn unsigned(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    let divides = inst.op() == Op::UDiv;
    let fits = m.is_unsigned_scalar_or_vector(result)
        || divides && (m.is_unsigned_coop_matrix(result) || m.is_unsigned_coop_vector(result));
    if !fits {
        return unfit(m, inst, 0, "an unsigned integer scalar or vector as Result Type");
    }
    cooperative(m, inst, divides, divides, |m, id| m.is_unsigned(id))
        .unwrap_or_else(|| same_as_result(m, inst))
}

fn integer(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let (op, result) = (inst.op(), inst.ty());
    let matrices = !matches!(op, Op::IMul | Op::SRem | Op::SMod);
    let vectors = !matches!(op, Op::SRem | Op::SMod);
    let cooperative_result = matrices && m.is_int_coop_matrix(result)
        || op == Op::IMul && m.is_coop_matrix_khr(result) && m.is_int_coop_matrix(result)
        || vectors && m.is_int_coop_vector(result);
    if !m.is_int_scalar_or_vector(result) && !cooperative_result {
        return unfit(m, inst, 0, "an integer scalar or vector as Result Type");
    }
    cooperative(m, inst, vectors, matrices, |m, id| m.is_int(id)).unwrap_or(Ok(()))?;
    for i in 2..inst.count() {
        let ty = m.operand_type(inst, i);
        if ty == NONE || !m.is_int_scalar_or_vector(ty) && !cooperative_result {
            return unfit(m, inst, i, "an integer scalar or vector");
        }
        if m.dimension(ty) != m.dimension(result) {
            return unfit_dimension(m, inst, i);
        }
        if m.width(ty) != m.width(result) {
            return unfit(m, inst, i, &format!("components of the same width as in {}", m.type_name(result)));
        }
    }
    Ok(())
}

fn dot(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_float(inst.ty()) {
        return unfit(m, inst, 0, "a float as Result Type");
    }
    if m.is_bfloat16(inst.ty()) && !m.has_capability(Capability::BFloat16DotProductKHR) {
        return wrong(0, "OpDot on bfloat16 requires the BFloat16DotProductKHR capability");
    }
    for i in 2..inst.count() {
        let ty = m.operand_type(inst, i);
        if !m.is_float_vector(ty) {
            return unfit(m, inst, i, "a float vector");
        }
        if m.element(ty) != inst.ty() {
            return unfit(m, inst, i, &format!("a vector of {}", m.type_name(inst.ty())));
        }
        if m.dimension(ty) != m.dimension(m.operand_type(inst, 2)) {
            return unfit(m, inst, i, "a vector of the same size as the other operand");
        }
    }
    Ok(())
}

fn times_scalar(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let left = m.operand_type(inst, 2);
    if left != inst.ty() {
        return unfit(m, inst, 2, &format!("{}, the Result Type", m.type_name(inst.ty())));
    }
    let component = m.component(left);
    if m.operand_type(inst, 3) != component {
        return unfit(m, inst, 3, &format!("{}, the component type", m.type_name(component)));
    }
    Ok(())
}

fn vector_matrix(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let result = inst.ty();
    if !m.is_float_vector(result) {
        return unfit(m, inst, 0, "a float vector as Result Type");
    }
    let row_vector = inst.op() == Op::VectorTimesMatrix;
    let (vector_at, matrix_at) = if row_vector { (2, 3) } else { (3, 2) };
    let (vector, matrix) = (m.operand_type(inst, vector_at), m.operand_type(inst, matrix_at));
    if !m.is_float_vector(vector) {
        return unfit(m, inst, vector_at, "a float vector");
    }
    let Some((rows, columns, column, component)) = m.matrix(matrix) else {
        return unfit(m, inst, matrix_at, "a float matrix");
    };
    let fits = component == m.element(vector)
        && if row_vector {
            component == m.element(result) && columns == m.dimension(result) && rows == m.dimension(vector)
        } else {
            column == result && columns == m.dimension(vector)
        };
    if fits {
        return Ok(());
    }
    wrong(
        matrix_at,
        format!(
            "{} of {} and {} does not result in {}",
            inst.op().name(),
            m.type_name(vector),
            m.type_name(matrix),
            m.type_name(result)
        ),
    )
}

fn matrix_matrix(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some((_, columns, column, component)) = m.matrix(inst.ty()).filter(|x| m.is_float(x.3)) else {
        return unfit(m, inst, 0, "a float matrix as Result Type");
    };
    let (left, right) = (m.operand_type(inst, 2), m.operand_type(inst, 3));
    let Some((_, left_columns, left_column, _)) = m.matrix(left) else {
        return unfit(m, inst, 2, "a float matrix");
    };
    let Some((right_rows, right_columns, _, right_component)) = m.matrix(right) else {
        return unfit(m, inst, 3, "a float matrix");
    };
    if column == left_column
        && component == right_component
        && columns == right_columns
        && left_columns == right_rows
    {
        return Ok(());
    }
    wrong(
        3,
        format!(
            "{} times {} does not result in {}",
            m.type_name(left),
            m.type_name(right),
            m.type_name(inst.ty())
        ),
    )
}

fn outer_product(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let Some((_, columns, column, component)) = m.matrix(inst.ty()) else {
        return unfit(m, inst, 0, "a float matrix as Result Type");
    };
    if m.operand_type(inst, 2) != column {
        return unfit(m, inst, 2, &format!("{}, the column type of Result Type", m.type_name(column)));
    }
    let right = m.operand_type(inst, 3);
    if !m.is_float_vector(right) || m.element(right) != component || m.dimension(right) != columns {
        return unfit(m, inst, 3, "a vector with a component for each column of the result");
    }
    Ok(())
}

fn extended(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let members = m.members(inst.ty());
    let &[low, high] = members else {
        return unfit(m, inst, 0, "a structure of two members as Result Type");
    };
    let fits = match inst.op() {
        Op::SMulExtended => m.is_int_scalar_or_vector(low),
        _ => m.is_unsigned_scalar_or_vector(low),
    };
    if !fits || low != high {
        return unfit(
            m,
            inst,
            0,
            "a structure of two identical integer or integer vector types as Result Type",
        );
    }
    for i in [2, 3] {
        if m.operand_type(inst, i) != low {
            return unfit(
                m,
                inst,
                i,
                &format!("{}, the type of the members of Result Type", m.type_name(low)),
            );
        }
    }
    Ok(())
}

/// Scope, rows and columns of three matrices that are multiplied and added.
fn shapes_fit(m: &RuleContext<'_>, [a, b, c, d]: [Id; 4]) -> Verdict {
    let of = |ty: Id, at: usize| m.def(ty).and_then(|t| m.const_int32(t.operand(at)).1);
    let differ = |x: Option<u32>, y: Option<u32>| x.is_some() && y.is_some() && x != y;
    let no = |what: &str| fail(&OPERAND_TYPE, format!("the {what} of the cooperative matrices do not match"));
    if differ(of(a, 2), of(b, 2))
        || differ(of(a, 2), of(c, 2))
        || differ(of(a, 2), of(d, 2))
        || differ(of(b, 2), of(c, 2))
    {
        return no("scopes");
    }
    if differ(of(a, 3), of(c, 3)) || differ(of(a, 3), of(d, 3)) || differ(of(c, 3), of(d, 3)) {
        return no("rows (M)");
    }
    if differ(of(b, 4), of(c, 4)) || differ(of(b, 4), of(d, 4)) || differ(of(c, 4), of(d, 4)) {
        return no("columns (N)");
    }
    if differ(of(a, 4), of(b, 3)) {
        return no("inner sizes (K)");
    }
    Ok(())
}

fn mul_add_nv(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    for i in [2, 3, 4] {
        if !m.is_coop_matrix_nv(m.operand_type(inst, i)) {
            return unfit(m, inst, i, "a cooperative matrix");
        }
    }
    if !m.is_coop_matrix_nv(inst.ty()) {
        return unfit(m, inst, 0, "a cooperative matrix as Result Type");
    }
    shapes_fit(m, [m.operand_type(inst, 2), m.operand_type(inst, 3), m.operand_type(inst, 4), inst.ty()])
}

fn mul_add_khr(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let ty = |i: usize| m.operand_type(inst, i);
    let uses = [
        (2, CooperativeMatrixUse::MatrixAKHR, "A"),
        (3, CooperativeMatrixUse::MatrixBKHR, "B"),
        (4, CooperativeMatrixUse::MatrixAccumulatorKHR, "Accumulator"),
    ];
    for (i, needed, name) in uses {
        if !m.is_coop_matrix_khr(ty(i)) || m.coop_matrix_use(ty(i)).is_some_and(|u| u != needed) {
            return unfit(m, inst, i, &format!("a cooperative matrix with use {name}"));
        }
    }
    if !m.is_coop_matrix_khr(inst.ty())
        || m.coop_matrix_use(inst.ty()).is_some_and(|u| u != CooperativeMatrixUse::MatrixAccumulatorKHR)
    {
        return unfit(m, inst, 0, "a cooperative matrix with use Accumulator as Result Type");
    }
    shapes_fit(m, [ty(2), ty(3), ty(4), inst.ty()])
}

fn reduce(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_coop_matrix_khr(inst.ty()) {
        return unfit(m, inst, 0, "a cooperative matrix as Result Type");
    }
    let matrix = m.operand_type(inst, 2);
    if !m.is_coop_matrix_khr(matrix) {
        return unfit(m, inst, 2, "a cooperative matrix");
    }
    if m.element(matrix) != m.element(inst.ty()) {
        return unfit(m, inst, 2, "components of the same type as in Result Type");
    }
    type R = CooperativeMatrixReduce;
    let mask = inst.operand(3);
    if mask & R::_2x2 != 0 && mask & (R::Row | R::Column) != 0 {
        return wrong(3, "2x2 must not be combined with Row or Column");
    }
    let size = |ty: Id, word: usize| m.def(ty).and_then(|d| m.const_int32(d.word(word)).1);
    let sizes = |word: usize| size(inst.ty(), word).zip(size(matrix, word));
    let (rows, columns) = (sizes(4), sizes(5));
    let message = match mask {
        _ if mask & R::_2x2 != 0
            && rows.zip(columns).is_some_and(|(r, c)| r.0 != r.1 / 2 || c.0 != c.1 / 2) =>
        {
            "the result of a 2x2 reduction must have half the rows and half the columns"
        }
        R::Row if rows.is_some_and(|(result, own)| result != own) => {
            "the result of a Row reduction must have the same number of rows"
        }
        R::Column if columns.is_some_and(|(result, own)| result != own) => {
            "the result of a Column reduction must have the same number of columns"
        }
        _ => return combiner(m, inst, m.element(matrix)),
    };
    wrong(0, message)
}

/// A function of two components that results in one.
fn combiner(m: &RuleContext<'_>, inst: Inst<'_>, component: Id) -> Verdict {
    let function = inst.operand(4);
    let ty = m.def(function).filter(|d| d.op() == Op::Function).and_then(|d| m.def(d.operand(3)));
    let fits = ty.is_some_and(|ty| ty.count() == 4 && (1..4).all(|i| ty.operand(i) == component));
    match fits {
        true => Ok(()),
        false => {
            let component = m.type_name(component);
            let message = format!(
                "`{}` must take two parameters of type {component} and return {component}",
                m.name(function)
            );
            wrong(4, message)
        }
    }
}

#[cfg(test)]
mod tests;
