//! Types of cooperative matrices and vectors, and of tensors.

use wavelens_syntax::spirv::tables::{Capability, Op, Scope as ScopeValue, TensorClampMode};

use super::types::{is_int32, positive_length, wrong};
use crate::code::{Id, Inst};
use crate::context::{Definition, RuleContext};
use crate::ops;
use wavelens_base::Verdict;

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::TypeCooperativeMatrixNV | Op::TypeCooperativeMatrixKHR => coop_matrix(m, inst),
        Op::TypeVectorIdEXT => {
            if !m.is_int(inst.operand(1)) && !m.is_float(inst.operand(1)) {
                return wrong(1, "Component Type of a cooperative vector must be an integer or float type");
            }
            positive_length(m, inst, 2)
        }
        Op::TypeTensorLayoutNV => {
            tensor_dimension(m, inst)?;
            let clamp = inst.operand(2);
            if !is_int32(m, clamp) {
                return wrong(2, "ClampMode must be a 32-bit integer");
            }
            if m.uint(clamp).is_some_and(|v| v > u64::from(TensorClampMode::RepeatMirrored)) {
                return wrong(2, "unknown ClampMode value");
            }
            Ok(())
        }
        Op::TypeTensorViewNV => tensor_view(m, inst),
        Op::TypeTensorARM => tensor_arm(m, inst),
        _ => Ok(()),
    }
}

fn coop_matrix(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let component = inst.operand(1);
    if !m.is_int(component) && !m.is_float(component) {
        return wrong(1, "Component Type of a cooperative matrix must be an integer or float type");
    }
    if m.is_bfloat16(component) && !m.has_capability(Capability::BFloat16CooperativeMatrixKHR) {
        return wrong(1, "bfloat16 components require the BFloat16CooperativeMatrixKHR capability");
    }
    if m.is_fp8(component) && !m.has_capability(Capability::Float8CooperativeMatrixEXT) {
        return wrong(1, "8-bit float components require the Float8CooperativeMatrixEXT capability");
    }
    let last = if inst.op() == Op::TypeCooperativeMatrixKHR { 5 } else { 4 };
    for operand in 2..=last {
        let id = inst.operand(operand);
        if !m.is_int(m.type_of(id)) || !ops::is_constant(m.op(id)) {
            return wrong(operand, format!("`{}` is not an integer constant", m.name(id)));
        }
    }
    if m.uint(inst.operand(2)) == Some(u64::from(ScopeValue::Workgroup)) {
        const NO_SIZE: &str =
            "a cooperative matrix of Workgroup scope requires LocalSize or LocalSizeId on every entry point";
        let sizes = m.local_sizes.get_or_init(|| local_sizes(m));
        if sizes.last <= inst.at {
            return if sizes.are_missing { wrong(2, NO_SIZE) } else { Ok(()) };
        }
        for entry in &m.scope.entry_points {
            let Some(size) = m.scope.local_size(entry.function) else { return wrong(2, NO_SIZE) };
            if size.op() != Op::ExecutionModeId {
                continue;
            }
            let late = |id: &Id| matches!(m.definition(*id), Definition::Module(at) if at > inst.at);
            if let Some(id) = (2..5).map(|i| size.operand(i)).find(late) {
                let message = format!(
                    "a cooperative matrix of Workgroup scope must follow the constants of LocalSizeId, `{}`",
                    m.name(id)
                );
                return wrong(2, message);
            }
        }
    }
    Ok(())
}

/// The sizes of the workgroups of all entry points.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LocalSizes {
    /// Whether an entry point has no size.
    are_missing: bool,
    /// The last of the instructions that define the constants of LocalSizeId.
    last: u32,
}

fn local_sizes(m: &RuleContext<'_>) -> LocalSizes {
    let mut sizes = LocalSizes::default();
    for size in m.scope.entry_points.iter().map(|entry| m.scope.local_size(entry.function)) {
        let Some(size) = size else {
            sizes.are_missing = true;
            continue;
        };
        let ids = (2..5).filter(|_| size.op() == Op::ExecutionModeId).map(|i| m.definition(size.operand(i)));
        let places = ids.filter_map(|d| if let Definition::Module(at) = d { Some(at) } else { None });
        sizes.last = places.fold(sizes.last, u32::max);
    }
    sizes
}

fn tensor_dimension(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let dim = inst.operand(1);
    if !is_int32(m, dim) {
        return wrong(1, "Dim must be a 32-bit integer");
    }
    match m.uint(dim) {
        Some(0 | 6..) => wrong(1, "Dim must be between 1 and 5"),
        _ => Ok(()),
    }
}

fn tensor_view(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    tensor_dimension(m, inst)?;
    if !m.is_bool(m.type_of(inst.operand(2))) {
        return wrong(2, "HasDimensions must be a Boolean");
    }
    let dims = inst.count().saturating_sub(3) as u64;
    let (mut mask, mut known) = (0u64, true);
    for operand in 3..inst.count() {
        let id = inst.operand(operand);
        if !is_int32(m, id) {
            return wrong(operand, "a permutation value must be a 32-bit integer");
        }
        match m.uint(id) {
            Some(v) if v >= dims => {
                return wrong(operand, "a permutation value must be less than the number of dimensions");
            }
            Some(v) => mask |= 1 << v.min(63),
            None => known = false,
        }
    }
    if known && dims < 64 && mask != (1 << dims) - 1 {
        return wrong(3, "the permutation values must be a permutation of the dimensions");
    }
    match m.uint(inst.operand(1)) {
        Some(n) if n != dims => {
            wrong(1, format!("expected {n} permutation values for {n} dimensions, found {dims}"))
        }
        _ => Ok(()),
    }
}

fn tensor_arm(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if !m.is_scalar(inst.operand(1)) {
        return wrong(1, "Element Type of a tensor must be a scalar type");
    }
    let Some(rank) = inst.opt_operand(2) else { return Ok(()) };
    if !ops::is_constant(m.op(rank)) || !m.is_int(m.type_of(rank)) {
        return wrong(2, "Rank must be an integer constant");
    }
    let value = m.uint(rank);
    if value == Some(0) {
        return wrong(2, "Rank must be at least 1");
    }
    let Some(shape) = inst.opt_operand(3).and_then(|id| m.def(id)) else { return Ok(()) };
    if !ops::is_constant(shape.op()) {
        return wrong(3, "Shape must be a constant");
    }
    let array = m.def(shape.ty()).filter(|d| d.op() == Op::TypeArray && m.is_int(d.word(2)));
    let length = array.and_then(|a| m.uint(a.word(3)));
    if array.is_none() || value.is_some() && length.is_some() && value != length {
        return wrong(3, "Shape must be an array with an integer for each dimension");
    }
    if (2..shape.count()).any(|i| m.uint(shape.operand(i)) == Some(0)) {
        return wrong(3, "every dimension of Shape must be at least 1");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    const HEAD: &str = "; target-env: spv1.6
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixNV
OpCapability CooperativeMatrixKHR
OpCapability CooperativeVectorNV
OpCapability TensorAddressingNV
OpCapability TensorsARM
OpCapability BFloat16TypeKHR
OpCapability Float8EXT
OpExtension \"SPV_NV_cooperative_matrix\"
OpExtension \"SPV_KHR_cooperative_matrix\"
OpExtension \"SPV_NV_cooperative_vector\"
OpExtension \"SPV_NV_tensor_addressing\"
OpExtension \"SPV_ARM_tensors\"
OpExtension \"SPV_KHR_bfloat16\"
OpExtension \"SPV_EXT_float8\"";

    #[test]
    fn cooperative_matrices_and_vectors() {
        let shader = Shader {
            head: HEAD,
            types: "%bfloat = OpTypeFloat 16 BFloat16KHR
%fp8 = OpTypeFloat 8 Float8E4M3EXT
%unknown = OpUndef %uint
%a = OpTypeCooperativeMatrixKHR %float %u3 %u1 %u2 %u0
%b = OpTypeCooperativeMatrixKHR %int %u2 %i1 %u2 %u1
%c = OpTypeCooperativeMatrixKHR %bool %u3 %u1 %u2 %u0
%d = OpTypeCooperativeMatrixKHR %bfloat %u3 %u1 %u2 %u0
%e = OpTypeCooperativeMatrixKHR %fp8 %u3 %u1 %u2 %u0
%f = OpTypeCooperativeMatrixKHR %float %unknown %u1 %u2 %u0
%g = OpTypeCooperativeMatrixKHR %float %u3 %f1 %u2 %u0
%h = OpTypeCooperativeMatrixKHR %float %u3 %u1 %true %u0
%i = OpTypeCooperativeMatrixKHR %float %u3 %u1 %u2 %f1
%j = OpTypeCooperativeMatrixNV %float %u3 %u1 %u2
%k = OpTypeCooperativeMatrixNV %float %u3 %u1 %f1
%l = OpTypeCooperativeVectorNV %float %u1
%m = OpTypeCooperativeVectorNV %int %u1
%n = OpTypeCooperativeVectorNV %bool %u1
%o = OpTypeCooperativeVectorNV %float %u0
%p = OpTypeCooperativeVectorNV %float %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[type-declaration] `%bool`: Component Type of a cooperative matrix must be an integer or float type
              23:1 `%bool`: defined here
            error[type-declaration] `%bfloat`: bfloat16 components require the BFloat16CooperativeMatrixKHR capability
              44:1 `%bfloat`: defined here
            error[type-declaration] `%fp8`: 8-bit float components require the Float8CooperativeMatrixEXT capability
              45:1 `%fp8`: defined here
            error[type-declaration] `%unknown`: `%unknown` is not an integer constant
              46:1 `%unknown`: defined here
            error[type-declaration] `%f1`: `%f1` is not an integer constant
              39:1 `%f1`: defined here
            error[type-declaration] `%true`: `%true` is not an integer constant
              32:1 `%true`: defined here
            error[type-declaration] `%f1`: `%f1` is not an integer constant
              39:1 `%f1`: defined here
            error[type-declaration] `%f1`: `%f1` is not an integer constant
              39:1 `%f1`: defined here
            error[type-declaration] `%bool`: Component Type of a cooperative vector must be an integer or float type
              23:1 `%bool`: defined here
            error[type-declaration] `%u0`: Length must be at least 1, is 0
              35:1 `%u0`: defined here
            error[type-declaration] `%f1`: expected an integer as Length, found float
              39:1 `%f1`: defined here
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn bfloat16_and_8_bit_floats_with_their_capabilities() {
        let shader = Shader {
            head: "; target-env: spv1.6
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpCapability BFloat16TypeKHR
OpCapability BFloat16CooperativeMatrixKHR
OpCapability Float8EXT
OpCapability Float8CooperativeMatrixEXT
OpExtension \"SPV_KHR_cooperative_matrix\"
OpExtension \"SPV_KHR_bfloat16\"
OpExtension \"SPV_EXT_float8\"",
            types: "%bfloat = OpTypeFloat 16 BFloat16KHR
%fp8 = OpTypeFloat 8 Float8E4M3EXT
%a = OpTypeCooperativeMatrixKHR %bfloat %u3 %u1 %u2 %u0
%b = OpTypeCooperativeMatrixKHR %fp8 %u3 %u1 %u2 %u0",
            ..Shader::NEW
        };
        expect![""].assert_eq(&shader.findings());
    }

    #[test]
    fn matrices_of_workgroups_need_the_size_of_the_workgroup_first() {
        let matrix = "%late = OpConstant %uint 4\n%a = OpTypeCooperativeMatrixKHR %float %u2 %u1 %u2 %u0
%later = OpConstant %uint 5\n%b = OpTypeCooperativeMatrixKHR %int %u2 %u1 %u2 %u0";
        let with = |modes: &str| {
            let entry = format!("OpEntryPoint GLCompute %main \"main\"\n{modes}");
            Shader { head: HEAD, entry: &entry, types: matrix, ..Shader::NEW }.findings()
        };
        expect![[r#"
            error[type-declaration] `%u2`: a cooperative matrix of Workgroup scope requires LocalSize or LocalSizeId on every entry point
              37:1 `%u2`: defined here
            error[type-declaration] `%u2`: a cooperative matrix of Workgroup scope requires LocalSize or LocalSizeId on every entry point
              37:1 `%u2`: defined here
        "#]].assert_eq(&with(""));
        expect![""].assert_eq(&with("OpExecutionMode %main LocalSize 1 1 1"));
        expect![""].assert_eq(&with("OpExecutionModeId %main LocalSizeId %u1 %u1 %late"));
        expect![[r#"
            error[type-declaration] `%u2`: a cooperative matrix of Workgroup scope must follow the constants of LocalSizeId, `%later`
              37:1 `%u2`: defined here
        "#]].assert_eq(&with("OpExecutionModeId %main LocalSizeId %later %u1 %u1"));
        expect![[r#"
            error[type-declaration] `%u2`: a cooperative matrix of Workgroup scope must follow the constants of LocalSizeId, `%later`
              37:1 `%u2`: defined here
        "#]].assert_eq(&with("OpExecutionModeId %main LocalSizeId %u1 %u1 %later"));
    }

    #[test]
    fn layouts_and_views_of_tensors() {
        let shader = Shader {
            head: HEAD,
            types: "%u4 = OpConstant %uint 4
%u5 = OpConstant %uint 5
%u6 = OpConstant %uint 6
%unknown = OpSpecConstant %uint 1
%a = OpTypeTensorLayoutNV %u1 %u0
%b = OpTypeTensorLayoutNV %u5 %u4
%c = OpTypeTensorLayoutNV %u0 %u0
%d = OpTypeTensorLayoutNV %u6 %u0
%e = OpTypeTensorLayoutNV %f1 %u0
%f = OpTypeTensorLayoutNV %u2 %f1
%g = OpTypeTensorLayoutNV %u2 %u5
%h = OpTypeTensorViewNV %u2 %true %u1 %u0
%i = OpTypeTensorViewNV %u2 %true %u0 %u1
%j = OpTypeTensorViewNV %u2 %true %u0 %u0
%k = OpTypeTensorViewNV %u2 %true %u0 %u2
%l = OpTypeTensorViewNV %u3 %true %u0 %u1
%m = OpTypeTensorViewNV %u2 %i1 %u0 %u1
%n = OpTypeTensorViewNV %u2 %true %u0 %f1
%o = OpTypeTensorViewNV %u2 %true %unknown %unknown
%p = OpTypeTensorViewNV %unknown %true %u0 %u1
%q = OpTypeTensorViewNV %u6 %true %u0 %u1",
            ..Shader::NEW
        };
        expect![[r#"
            error[type-declaration] `%u0`: Dim must be between 1 and 5
              35:1 `%u0`: defined here
            error[type-declaration] `%u6`: Dim must be between 1 and 5
              46:1 `%u6`: defined here
            error[type-declaration] `%f1`: Dim must be a 32-bit integer
              39:1 `%f1`: defined here
            error[type-declaration] `%f1`: ClampMode must be a 32-bit integer
              39:1 `%f1`: defined here
            error[type-declaration] `%u5`: unknown ClampMode value
              45:1 `%u5`: defined here
            error[type-declaration] `%u0`: the permutation values must be a permutation of the dimensions
              35:1 `%u0`: defined here
            error[type-declaration] `%u2`: a permutation value must be less than the number of dimensions
              37:1 `%u2`: defined here
            error[type-declaration] `%u3`: expected 3 permutation values for 3 dimensions, found 2
              38:1 `%u3`: defined here
            error[type-declaration] `%i1`: HasDimensions must be a Boolean
              34:1 `%i1`: defined here
            error[type-declaration] `%f1`: a permutation value must be a 32-bit integer
              39:1 `%f1`: defined here
            error[type-declaration] `%u6`: Dim must be between 1 and 5
              46:1 `%u6`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn tensors_of_arm() {
        let shader = Shader {
            head: HEAD,
            types: "%unknown = OpSpecConstant %uint 2
%pair = OpTypeArray %uint %u2
%float_pair = OpTypeArray %float %u2
%pair_struct = OpTypeStruct %uint %uint
%shape = OpConstantComposite %pair %u3 %u2
%empty = OpConstantComposite %pair %u3 %u0
%floats = OpConstantComposite %float_pair %f1 %f1
%members = OpConstantComposite %pair_struct %u1 %u1
%any = OpUndef %pair
%a = OpTypeTensorARM %float
%b = OpTypeTensorARM %int %u2
%c = OpTypeTensorARM %bool %u2 %shape
%d = OpTypeTensorARM %vec2 %u2
%e = OpTypeTensorARM %float %u0
%f = OpTypeTensorARM %float %f1
%g = OpTypeTensorARM %float %u3 %shape
%h = OpTypeTensorARM %float %u2 %empty
%i = OpTypeTensorARM %float %u2 %floats
%j = OpTypeTensorARM %float %u2 %members
%k = OpTypeTensorARM %float %u2 %any
%l = OpTypeTensorARM %float %unknown %shape
%m = OpTypeTensorARM %float %u2 %u2",
            ..Shader::NEW
        };
        expect![[r#"
            error[type-declaration] `%vec2`: Element Type of a tensor must be a scalar type
              28:1 `%vec2`: defined here
            error[type-declaration] `%u0`: Rank must be at least 1
              35:1 `%u0`: defined here
            error[type-declaration] `%f1`: Rank must be an integer constant
              39:1 `%f1`: defined here
            error[type-declaration] `%shape`: Shape must be an array with an integer for each dimension
              48:1 `%shape`: defined here
            error[type-declaration] `%empty`: every dimension of Shape must be at least 1
              49:1 `%empty`: defined here
            error[type-declaration] `%floats`: Shape must be an array with an integer for each dimension
              50:1 `%floats`: defined here
            error[type-declaration] `%members`: Shape must be an array with an integer for each dimension
              51:1 `%members`: defined here
            error[type-declaration] `%any`: Shape must be a constant
              52:1 `%any`: defined here
            error[type-declaration] `%u2`: Shape must be an array with an integer for each dimension
              37:1 `%u2`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }

    #[test]
    fn ranks_and_shapes_of_tensors() {
        let shader = Shader {
            head: HEAD,
            types: "%zero = OpConstantNull %uint
%array1 = OpTypeArray %uint %u1
%array2 = OpTypeArray %uint %u2
%floats = OpTypeArray %float %u2
%long = OpConstantComposite %array2 %u1 %u2
%first = OpConstantComposite %array2 %u0 %u2
%last = OpConstantComposite %array2 %u1 %u0
%short = OpConstantComposite %array1 %u2
%wrong = OpConstantComposite %floats %f1 %f1
%a = OpTypeTensorARM %float
%b = OpTypeTensorARM %float %u2
%c = OpTypeTensorARM %float %u2 %long
%d = OpTypeTensorARM %vec2 %u2 %long
%e = OpTypeTensorARM %float %f1 %long
%f = OpTypeTensorARM %float %u0 %long
%g = OpTypeTensorARM %float %u2 %first
%h = OpTypeTensorARM %float %u2 %last
%i = OpTypeTensorARM %float %u2 %short
%j = OpTypeTensorARM %float %u2 %wrong
%k = OpTypeTensorARM %float %u2 %u1
%l = OpTypeTensorARM %float %u1 %short",
            ..Shader::NEW
        };
        expect![[r#"
            error[type-declaration] `%vec2`: Element Type of a tensor must be a scalar type
              28:1 `%vec2`: defined here
            error[type-declaration] `%f1`: Rank must be an integer constant
              39:1 `%f1`: defined here
            error[type-declaration] `%u0`: Rank must be at least 1
              35:1 `%u0`: defined here
            error[type-declaration] `%first`: every dimension of Shape must be at least 1
              49:1 `%first`: defined here
            error[type-declaration] `%last`: every dimension of Shape must be at least 1
              50:1 `%last`: defined here
            error[type-declaration] `%short`: Shape must be an array with an integer for each dimension
              51:1 `%short`: defined here
            error[type-declaration] `%wrong`: Shape must be an array with an integer for each dimension
              52:1 `%wrong`: defined here
            error[type-declaration] `%u1`: Shape must be an array with an integer for each dimension
              36:1 `%u1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }
}
