//! Questions about types and constants.

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{Decoration, FPEncoding, Op};

use super::code::{Id, Inst};
use super::flat::NONE;
use super::ops;
use crate::context::RuleContext;
use crate::rules;

/// Types nested deeper than this are not looked into.
const DEPTH: u32 = 300;

impl RuleContext<'_> {
    pub(crate) fn is_void(&self, id: Id) -> bool {
        self.op(id) == Op::TypeVoid
    }

    /// Whether a type is the Boolean.
    pub fn is_bool(&self, id: Id) -> bool {
        self.op(id) == Op::TypeBool
    }

    /// Whether a structure is one that a variable in a buffer can hold.
    pub(crate) fn is_block(&self, id: Id) -> bool {
        self.has_decoration(id, Decoration::Block) || self.has_decoration(id, Decoration::BufferBlock)
    }

    /// Whether a type is an integer scalar.
    pub fn is_int(&self, id: Id) -> bool {
        self.op(id) == Op::TypeInt
    }

    pub(crate) fn is_float(&self, id: Id) -> bool {
        self.op(id) == Op::TypeFloat
    }

    pub(crate) fn is_scalar(&self, id: Id) -> bool {
        matches!(self.op(id), Op::TypeInt | Op::TypeFloat | Op::TypeBool)
    }

    pub(crate) fn is_vector(&self, id: Id) -> bool {
        matches!(self.op(id), Op::TypeVector | Op::TypeVectorIdEXT)
    }

    /// Word 2 of the type: the element of a vector, array or matrix column list.
    pub fn element(&self, id: Id) -> Id {
        self.def(id).map_or(NONE, |d| d.word(2))
    }

    fn is_vector_of(&self, id: Id, element: Op) -> bool {
        self.is_vector(id) && self.op(self.element(id)) == element
    }

    /// Whether a type is a vector of Booleans.
    pub fn is_bool_vector(&self, id: Id) -> bool {
        self.is_vector_of(id, Op::TypeBool)
    }

    pub(crate) fn is_int_vector(&self, id: Id) -> bool {
        self.is_vector_of(id, Op::TypeInt)
    }

    pub(crate) fn is_float_vector(&self, id: Id) -> bool {
        self.is_vector_of(id, Op::TypeFloat)
    }

    /// Whether a type is the Boolean or a vector of it.
    pub fn is_bool_scalar_or_vector(&self, id: Id) -> bool {
        self.is_bool(id) || self.is_bool_vector(id)
    }

    /// Whether a type is an integer or a vector of integers.
    pub fn is_int_scalar_or_vector(&self, id: Id) -> bool {
        self.is_int(id) || self.is_int_vector(id)
    }

    /// Whether a type is a float or a vector of floats.
    pub fn is_float_scalar_or_vector(&self, id: Id) -> bool {
        self.is_float(id) || self.is_float_vector(id)
    }

    pub(crate) fn is_unsigned(&self, id: Id) -> bool {
        self.def(id).is_some_and(|d| d.op() == Op::TypeInt && d.word(3) == 0)
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(&self, id: Id) -> bool {
        self.def(id).is_some_and(|d| d.op() == Op::TypeInt && d.word(3) == 1)
    }

    pub(crate) fn is_unsigned_vector(&self, id: Id) -> bool {
        self.is_vector(id) && self.is_unsigned(self.element(id))
    }

    pub(crate) fn is_unsigned_scalar_or_vector(&self, id: Id) -> bool {
        self.is_unsigned(id) || self.is_unsigned_vector(id)
    }

    pub(crate) fn is_float_matrix(&self, id: Id) -> bool {
        self.op(id) == Op::TypeMatrix && self.is_float(self.component(id))
    }

    /// Whether it is a pointer type.
    pub fn is_pointer(&self, id: Id) -> bool {
        matches!(self.op(id), Op::TypePointer | Op::TypeUntypedPointerKHR)
    }

    pub(crate) fn is_bfloat16(&self, id: Id) -> bool {
        self.encoding(id) == Some(FPEncoding::BFloat16KHR)
    }

    pub(crate) fn is_fp8(&self, id: Id) -> bool {
        matches!(self.encoding(id), Some(FPEncoding::Float8E4M3EXT | FPEncoding::Float8E5M2EXT))
    }

    fn encoding(&self, id: Id) -> Option<u32> {
        self.def(id).filter(|d| d.op() == Op::TypeFloat)?.opt_operand(2)
    }

    pub(crate) fn is_bfloat16_scalar_or_vector(&self, id: Id) -> bool {
        self.is_bfloat16(id) || self.is_vector(id) && self.is_bfloat16(self.element(id))
    }

    pub(crate) fn is_fp8_scalar_or_vector(&self, id: Id) -> bool {
        self.is_fp8(id) || self.is_vector(id) && self.is_fp8(self.element(id))
    }

    pub(crate) fn is_acceleration_structure(&self, id: Id) -> bool {
        self.op(id) == Op::TypeAccelerationStructureKHR
    }

    pub(crate) fn is_coop_matrix(&self, id: Id) -> bool {
        matches!(self.op(id), Op::TypeCooperativeMatrixNV | Op::TypeCooperativeMatrixKHR)
    }

    pub(crate) fn is_coop_matrix_khr(&self, id: Id) -> bool {
        self.op(id) == Op::TypeCooperativeMatrixKHR
    }

    pub(crate) fn is_coop_matrix_nv(&self, id: Id) -> bool {
        self.op(id) == Op::TypeCooperativeMatrixNV
    }

    /// Whether a type is a long vector, which cooperative vectors are too.
    pub(crate) fn is_coop_vector(&self, id: Id) -> bool {
        self.op(id) == Op::TypeVectorIdEXT
    }

    pub(crate) fn is_float_coop_matrix(&self, id: Id) -> bool {
        self.is_coop_matrix(id) && self.is_float(self.element(id))
    }

    pub(crate) fn is_int_coop_matrix(&self, id: Id) -> bool {
        self.is_coop_matrix(id) && self.is_int(self.element(id))
    }

    pub(crate) fn is_unsigned_coop_matrix(&self, id: Id) -> bool {
        self.is_coop_matrix(id) && self.is_unsigned(self.element(id))
    }

    pub(crate) fn is_float_coop_vector(&self, id: Id) -> bool {
        self.is_coop_vector(id) && self.is_float(self.element(id))
    }

    pub(crate) fn is_int_coop_vector(&self, id: Id) -> bool {
        self.is_coop_vector(id) && self.is_int(self.element(id))
    }

    pub(crate) fn is_unsigned_coop_vector(&self, id: Id) -> bool {
        self.is_coop_vector(id) && self.is_unsigned(self.element(id))
    }

    /// The use of a KHR cooperative matrix type, where it is a known constant.
    pub(crate) fn coop_matrix_use(&self, id: Id) -> Option<u32> {
        let def = self.def(id).filter(|d| d.op() == Op::TypeCooperativeMatrixKHR)?;
        self.uint(def.word(6)).map(|v| v as u32)
    }

    pub(crate) fn is_unsigned_64_bit_handle(&self, id: Id) -> bool {
        self.is_unsigned(id) && self.width(id) == 64
            || self.is_unsigned_vector(id) && self.dimension(id) == 2 && self.width(id) == 32
    }

    /// A value's type, or the id itself. One step: in a module with errors two constants may each have the other as their type.
    fn type_or_own(&self, id: Id) -> Id {
        let value = self.def(id).filter(|d| !ops::generates_type(d.op()));
        value.map(|d| d.ty()).filter(|ty| *ty != NONE).unwrap_or(id)
    }

    /// The scalar type of a scalar, vector, matrix, or cooperative type; [`NONE`] for other types.
    pub fn component(&self, id: Id) -> Id {
        let id = self.type_or_own(id);
        let Some(def) = self.def(id) else { return NONE };
        match def.op() {
            Op::TypeFloat | Op::TypeInt | Op::TypeBool => id,
            Op::TypeArray
            | Op::TypeVector
            | Op::TypeCooperativeMatrixNV
            | Op::TypeCooperativeMatrixKHR
            | Op::TypeVectorIdEXT
            | Op::TypeTensorARM => def.word(2),
            Op::TypeMatrix => self.element(def.word(2)),
            _ => NONE,
        }
    }

    /// Whether it is not known what an id of an instruction is: a definition that it depends on (its own, that of its type, or of a part of
    /// that) is missing, could not be read, is one of several, or is reported itself and comes before the instruction.
    pub(crate) fn is_incomplete(&self, id: Id, user: u32) -> bool {
        let is_before = |inst: Inst<'_>| self.is_function() || inst.at < user;
        let is_wrong = |inst: Inst<'_>| is_before(inst) && rules::types::is_wrong(self, inst);
        let (mut seen, mut open) = (FxHashSet::default(), vec![id]);
        while let Some(id) = open.pop() {
            if id == NONE || !seen.insert(id) {
                continue;
            }
            if self.scope.redefined.contains(&self.global(id)) {
                return true;
            }
            match self.defining(id) {
                Some(inst) if inst.is_broken() || is_wrong(inst) => return true,
                Some(inst) if ops::generates_type(inst.op()) => {
                    open.extend(inst.ids().map(|(.., part)| part))
                }
                Some(inst) => open.push(inst.ty()),
                None => match self.scope.bodies.get(&id) {
                    Some(body) => open.push(body.ty),
                    None => return true,
                },
            }
        }
        false
    }

    /// Components of a scalar (1) or vector, columns of a matrix; 0 for other types.
    pub fn dimension(&self, id: Id) -> u32 {
        let Some(def) = self.def(self.type_or_own(id)) else { return 0 };
        match def.op() {
            Op::TypeFloat | Op::TypeInt | Op::TypeBool => 1,
            Op::TypeVector | Op::TypeMatrix => def.word(3),
            // 0 if it depends on a specialization constant.
            Op::TypeVectorIdEXT => self.uint(def.word(3)).map_or(0, |n| n as u32),
            _ => 0,
        }
    }

    /// Bits of a scalar, or of a vector's or matrix's component; 1 for Booleans, 0 for other types.
    pub fn width(&self, id: Id) -> u32 {
        match self.def(self.component(id)) {
            Some(d) if matches!(d.op(), Op::TypeFloat | Op::TypeInt) => d.word(2),
            Some(d) if d.op() == Op::TypeBool => 1,
            _ => 0,
        }
    }

    /// Rows, columns, column type and component type of a matrix type.
    pub fn matrix(&self, id: Id) -> Option<(u32, u32, Id, Id)> {
        let matrix = self.def(id).filter(|d| d.op() == Op::TypeMatrix)?;
        let column = self.def(matrix.word(2)).filter(|d| d.op() == Op::TypeVector)?;
        Some((column.word(3), matrix.word(3), matrix.word(2), column.word(2)))
    }

    /// Storage class and pointee of a pointer type; the pointee is [`NONE`] for an untyped one.
    pub fn pointer(&self, id: Id) -> Option<(u32, Id)> {
        let def = self.def(id)?;
        match def.op() {
            Op::TypePointer => Some((def.word(2), def.word(3))),
            Op::TypeUntypedPointerKHR => Some((def.word(2), NONE)),
            _ => None,
        }
    }

    /// The type at the end of a chain of pointers; [`NONE`] where the chain leads back to itself or has an untyped pointer.
    pub fn last_pointee(&self, mut id: Id) -> Id {
        let mut seen = FxHashSet::default();
        while let Some((_, pointee)) = self.pointer(id) {
            if !seen.insert(id) {
                return NONE;
            }
            id = pointee;
        }
        id
    }

    /// Member types of a structure type.
    pub fn members(&self, id: Id) -> &[Id] {
        self.def(id).filter(|d| d.op() == Op::TypeStruct).and_then(|d| d.words().get(2..)).unwrap_or(&[])
    }

    /// Value of an integer constant that no specialization can change.
    pub fn uint(&self, id: Id) -> Option<u64> {
        let def = self.def(id).filter(|d| self.is_int(d.ty()))?;
        match def.op() {
            Op::ConstantNull => Some(0),
            Op::Constant => Some(u64::from(def.word(3)) | u64::from(def.word(4)) << 32),
            _ => None,
        }
    }

    /// Like [`RuleContext::uint`], sign-extended.
    pub(crate) fn sint(&self, id: Id) -> Option<i64> {
        let def = self.def(id)?;
        let value = self.uint(id)?;
        Some(if def.words().len() <= 4 { i64::from(value as u32 as i32) } else { value as i64 })
    }

    /// Whether the id is a 32-bit integer, and its value if it is a constant that no specialization can change.
    pub(crate) fn const_int32(&self, id: Id) -> (bool, Option<u32>) {
        let Some(def) = self.def(id) else { return (false, None) };
        if !self.is_int(def.ty()) || self.width(def.ty()) != 32 {
            return (false, None);
        }
        match def.op() {
            Op::ConstantNull => (true, Some(0)),
            Op::Constant => (true, Some(def.word(3))),
            _ => (true, None),
        }
    }

    /// Whether two types are equal but for the ids of structures and arrays.
    pub(crate) fn logically_match(&self, left: Id, right: Id, decorations: bool) -> bool {
        self.logically_match_at(left, right, decorations, 0, &mut FxHashSet::default())
    }

    /// `seen` are pairs that were compared before: one that differs ends the comparison.
    fn logically_match_at(
        &self,
        left: Id,
        right: Id,
        decorations: bool,
        depth: u32,
        seen: &mut FxHashSet<(Id, Id)>,
    ) -> bool {
        let (Some(a), Some(b)) = (self.def(left), self.def(right)) else { return false };
        if a.op() != b.op() || depth > DEPTH {
            return false;
        }
        if !seen.insert((left, right)) {
            return true;
        }
        if decorations {
            let of = |id: Id| {
                self.decorations(id)
                    .iter()
                    .map(|d| (d.kind, d.member, self.scope.params(d)))
                    .collect::<Vec<_>>()
            };
            let own = of(left);
            if !of(right).iter().all(|d| own.contains(d)) {
                return false;
            }
        }
        let mut same = |x: Id, y: Id| x == y || self.logically_match_at(x, y, decorations, depth + 1, seen);
        match a.op() {
            Op::TypeArray => a.word(3) == b.word(3) && same(a.word(2), b.word(2)),
            Op::TypeStruct => {
                a.count() == b.count() && (1..a.count()).all(|i| same(a.operand(i), b.operand(i)))
            }
            _ => false,
        }
    }

    /// The instruction that a chain of access chains and copies starts from.
    pub(crate) fn trace_pointer(&self, mut id: Id) -> Id {
        for _ in 0..10_000 {
            let Some(def) = self.def(id) else { return id };
            match def.op() {
                Op::AccessChain
                | Op::InBoundsAccessChain
                | Op::PtrAccessChain
                | Op::InBoundsPtrAccessChain
                | Op::CopyObject => id = def.operand(2),
                _ => return id,
            }
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Dialect;
    use wavelens_check::testing;

    /// Each structure has twice the parts of the one before.
    #[test]
    fn types_are_looked_through_once() {
        let mut text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%s0 = OpTypeStruct %float %float\n"
            .to_owned();
        for n in 0..40 {
            text.push_str(&format!("%s{} = OpTypeStruct %s{n} %s{n}\n", n + 1));
        }
        text.push_str("%p = OpTypePointer Private %s40\n%v = OpVariable %p Private\n");
        assert_eq!(testing::findings(Dialect::Spirv, &text), "");
    }

    /// Types and constants that use the one before twice, sixty times over.
    #[test]
    fn shared_parts_are_looked_into_once() {
        let doubled = |line: fn(usize) -> String| (0..60).map(line).collect::<String>();
        let types = doubled(|n| format!("%s{} = OpTypeStruct %s{n} %s{n}\n", n + 1));
        let head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
        let base = "%float = OpTypeFloat 32\n%s0 = OpTypeStruct %float %float\n";
        let check = |rest: &str| testing::findings(Dialect::Spirv, &format!("{head}{base}{types}{rest}"));
        assert_eq!(check("%null = OpConstantNull %s60\n"), "");
        let constants =
            doubled(|n| format!("%c{} = OpSpecConstantComposite %s{} %c{n} %c{n}\n", n + 1, n + 1));
        let first = "%one = OpConstant %float 1\n%c0 = OpSpecConstantComposite %s0 %one %one\n";
        assert_eq!(check(&format!("{first}{constants}")), "");
        let others = doubled(|n| format!("%t{} = OpTypeStruct %t{n} %t{n}\n", n + 1));
        let copy = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%s = OpConstantNull %s60
%f = OpFunction %void None %fn\n%l = OpLabel\n%t = OpCopyLogical %t60 %s\nOpReturn\nOpFunctionEnd\n";
        assert_eq!(check(&format!("%t0 = OpTypeStruct %float %float\n{others}{copy}")), "");
    }

    #[test]
    fn layouts_and_locations_of_shared_parts_are_computed_once() {
        let mut text = "; target-env: vulkan1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %view %in\nOpExecutionMode %main OriginUpperLeft
OpDecorate %s24 Block\nOpDecorate %view DescriptorSet 0\nOpDecorate %view Binding 0\nOpDecorate %in Location 0
OpMemberDecorate %s0 0 Offset 0\n"
            .to_owned();
        for n in 1..=24 {
            text.push_str(&format!(
                "OpMemberDecorate %s{n} 0 Offset 0\nOpMemberDecorate %s{n} 1 Offset {}\n",
                16 << (n - 1)
            ));
        }
        text.push_str("%float = OpTypeFloat 32\n%s0 = OpTypeStruct %float\n%t0 = OpTypeStruct %float\n");
        for n in 0..24 {
            text.push_str(&format!("%s{} = OpTypeStruct %s{n} %s{n}\n", n + 1));
            text.push_str(&format!("%t{} = OpTypeStruct %t{n} %t{n}\n", n + 1));
        }
        text.push_str(
            "%p = OpTypePointer Uniform %s24\n%view = OpVariable %p Uniform
%q = OpTypePointer Input %t24\n%in = OpVariable %q Input\n%void = OpTypeVoid\n%fn = OpTypeFunction %void
%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n",
        );
        expect![""].assert_eq(&testing::findings(Dialect::Spirv, &text));
    }

    #[test]
    fn nesting_does_not_use_the_stack() {
        let mut text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450
%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%a0 = OpTypeArray %uint %one\n"
            .to_owned();
        for n in 0..20_000 {
            text.push_str(&format!("%a{} = OpTypeArray %a{n} %one\n", n + 1));
        }
        text.push_str("%p = OpTypePointer Private %a20000\n%v = OpVariable %p Private\n");
        assert_eq!(testing::findings(Dialect::Spirv, &text), "");
    }

    #[test]
    fn a_type_made_of_itself_is_one_error() {
        let text = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450
%s = OpTypeStruct %a %a %a
%a = OpTypeRuntimeArray %s
%p = OpTypePointer StorageBuffer %s
%v = OpVariable %p StorageBuffer\n";
        expect![[r#"
            error[undefined-id] 4:19 `%a`: use of `%a` before its definition
              5:1 `%a`: defined here
        "#]]
        .assert_eq(&testing::findings(Dialect::Spirv, text));
    }
}
