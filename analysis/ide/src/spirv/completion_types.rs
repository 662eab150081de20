//! The type that an operand must have, as far as the opcode and the operands before it decide.

use wavelens_spirv::code::{Id, Inst};
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::flat::{NONE, hash_name};
use wavelens_spirv::ops;
use wavelens_spirv::rules::image::coordinate_count;
use wavelens_syntax::spirv::tables::{Kind, Op};

use super::Cx;
use super::place::Typing;

/// What the type of an operand must be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted {
    Anything,
    /// Values of the type first.
    Guess(Id),
    /// The type.
    Type(Id),
    /// A pointer to the type.
    PointerTo(Id),
    /// Floats of another size than a type, and as many.
    OtherFloat(Id),
    /// Integers of the size of a type, signed or not.
    IntegersLike(Id),
    /// A scalar or vector with as many components as a type, of a kind.
    Like(Id, fn(&RuleContext<'_>, Id) -> bool),
    /// A scalar or vector of a kind with at least so many components.
    AtLeast(u32, fn(&RuleContext<'_>, Id) -> bool),
    /// A vector of the scalar type.
    VectorOf(Id),
    /// A number or vector of numbers of so many bits, or a pointer.
    Bits(u32),
    /// A number or vector of numbers of so many bits.
    NumberBits(u32),
    /// A composite that has a part of the type.
    Holding(Id),
    /// A scalar or a vector of it that has at most so many.
    PartOf(Id, u32),
    /// A pointer of the storage class.
    PointerIn(u32),
    /// A pointer to memory that can be written.
    Writable,
    /// The number of a member of the structure.
    MemberOf(Id),
    /// Nothing.
    Nothing,
    /// A type of a kind.
    Is(fn(&RuleContext<'_>, Id) -> bool),
}

impl Wanted {
    /// What the operand at the cursor must be.
    pub(super) fn new(cx: &Cx<'_>, m: &RuleContext<'_>, typing: &Typing) -> Wanted {
        let Some(op) = typing.op else { return Wanted::Anything };
        let named = |word: Option<&String>| word.map_or(NONE, |word| find(cx, m, word));
        let written = &typing.written;
        let (first, count) = (named(written.first()), written.len());
        let of = |at: usize| m.type_of(named(written.get(at)));
        if matches!(typing.expected.map(|o| o.kind), Some(Kind::ScopeId | Kind::MemorySemanticsId)) {
            return Wanted::Is(|m, ty| m.is_int(ty));
        }
        if let Some(inst) = typing.inst.filter(|_| m.op(first) != Op::TypeVoid) {
            return extended(inst.name, first);
        }
        match (op, count) {
            (Op::Store, 1) => Wanted::known(m.pointer(of(0)).map_or(NONE, |(_, held)| held), Wanted::Type),
            (Op::Load, 1) => Wanted::known(first, Wanted::PointerTo),
            (Op::BranchConditional, 0) => Wanted::Is(|m, ty| m.is_bool(ty)),
            (Op::Switch, 0) => Wanted::Is(|m, ty| m.is_int(ty)),
            (Op::ReturnValue, 0) => Wanted::known(returned(m), Wanted::Type),
            (Op::FunctionCall, 2..) => {
                let function = m.def(of_function(m, named(written.get(1))));
                let parameter = function.and_then(|f| f.words().get(1 + count).copied());
                Wanted::known(parameter.unwrap_or(NONE), Wanted::Type)
            }
            (Op::AccessChain | Op::InBoundsAccessChain, 2..) => {
                selected(m, of(1), written.get(2..).unwrap_or(&[]).iter().map(|word| find(cx, m, word)))
            }
            (Op::PtrAccessChain, 2..) => Wanted::Is(|m, ty| m.is_int(ty)),
            (Op::Store, 0) => Wanted::Writable,
            (Op::VectorShuffle, 1 | 2) => Wanted::VectorOf(m.component(first)),
            (Op::Bitcast, 1) if m.is_pointer(first) => Wanted::Guess(NONE),
            (Op::Bitcast, 1) => {
                let bits = m.dimension(first) * m.width(first);
                if m.is_int_scalar_or_vector(first) { Wanted::Bits(bits) } else { Wanted::NumberBits(bits) }
            }
            (Op::TypeArray, 1) => Wanted::Is(|m, ty| m.is_int(ty)),
            (Op::CompositeExtract, 1) => Wanted::known(first, Wanted::Holding),
            (Op::AccessChain | Op::InBoundsAccessChain, 1) => {
                m.pointer(first).map_or(Wanted::Anything, |(storage, _)| Wanted::PointerIn(storage))
            }
            (Op::CompositeInsert, 2) | (Op::CopyObject, 1) => Wanted::known(first, Wanted::Type),
            (Op::Select, 1) => Wanted::Like(first, |m, ty| m.is_bool_scalar_or_vector(ty)),
            (Op::Select, 2..) => Wanted::known(first, Wanted::Type),
            (Op::Phi, _) if count % 2 == 1 => Wanted::known(first, Wanted::Type),
            (Op::VectorTimesScalar, 2) => Wanted::known(m.component(first), Wanted::Type),
            (Op::VectorTimesScalar, 1) => Wanted::known(first, Wanted::Type),
            (Op::VectorExtractDynamic, 1) => Wanted::VectorOf(first),
            (op, 1) if op.info().is_some_and(|i| i.class == "Atomic" && i.has_type) => {
                Wanted::known(first, Wanted::PointerTo)
            }
            (Op::VectorExtractDynamic, 2) => Wanted::Is(|m, ty| m.is_int(ty)),
            (Op::Dot, 2) => Wanted::known(of(1), Wanted::Type),
            (Op::FConvert, 1) => Wanted::OtherFloat(first),
            (Op::ConvertFToU | Op::ConvertFToS, 1) => {
                Wanted::Like(first, |m, ty| m.is_float_scalar_or_vector(ty))
            }
            (Op::ConvertSToF | Op::ConvertUToF | Op::UConvert | Op::SConvert, 1) => {
                Wanted::Like(first, |m, ty| m.is_int_scalar_or_vector(ty))
            }
            (Op::Any | Op::All, 1) => Wanted::Is(|m, ty| m.is_bool_vector(ty)),
            (Op::ImageWrite, 0) | (Op::SampledImage, 1) => Wanted::Is(|m, ty| m.op(ty) == Op::TypeImage),
            (Op::SampledImage, 2) => Wanted::Is(|m, ty| m.op(ty) == Op::TypeSampler),
            (Op::CompositeConstruct, 1..) if m.op(first) == Op::TypeVector => {
                // Vectors may be made of shorter ones.
                let before: u32 = (1..count).map(|at| m.dimension(of(at))).sum();
                let rest = m.dimension(first).saturating_sub(before);
                if rest == 0 { Wanted::Nothing } else { Wanted::PartOf(m.element(first), rest) }
            }
            (op, 1..) if ops::is_constant(op) || op == Op::CompositeConstruct => part(m, first, count - 1),
            (Op::CooperativeMatrixStoreKHR, 0) | (Op::CooperativeMatrixLoadKHR, 1) => {
                Wanted::Is(|m, ty| m.is_pointer(ty))
            }
            (Op::CooperativeMatrixStoreKHR, 1) => {
                Wanted::Is(|m, ty| m.op(ty) == Op::TypeCooperativeMatrixKHR)
            }
            (Op::CooperativeMatrixStoreKHR | Op::CooperativeMatrixLoadKHR, 2 | 3)
            | (Op::ImageQuerySizeLod, 2) => Wanted::Is(|m, ty| m.is_int(ty)),
            (op, 4..) if op.info().is_some_and(|i| i.class == "Atomic" && i.has_type) => {
                Wanted::known(first, Wanted::Type)
            }
            (op, _) => by_class(m, op, first, of, count),
        }
    }

    fn known(ty: Id, wanted: fn(Id) -> Wanted) -> Wanted {
        if ty == NONE { Wanted::Anything } else { wanted(ty) }
    }

    /// How much later than others a value is listed; `None` where its type does not fit.
    pub(super) fn rank(self, m: &RuleContext<'_>, inst: Inst<'_>) -> Option<u8> {
        let own = inst.ty();
        let fits = match self {
            Wanted::Anything => return Some(2),
            Wanted::Guess(ty) => return Some(if own == ty { 0 } else { 35 }),
            Wanted::Type(ty) => own == ty,
            Wanted::PointerTo(ty) => m.pointer(own).is_some_and(|(_, held)| held == ty || held == NONE),
            Wanted::IntegersLike(ty) => {
                let shape = |ty| (m.dimension(ty), m.width(ty));
                own == ty || m.is_int_scalar_or_vector(own) && shape(own) == shape(ty)
            }
            Wanted::Like(ty, is) => is(m, own) && (ty == NONE || has_as_many(m, own, ty)),
            Wanted::OtherFloat(ty) => {
                m.is_float_scalar_or_vector(own)
                    && has_as_many(m, own, ty)
                    && m.component(own) != m.component(ty)
            }
            Wanted::Is(is) => is(m, own),
            Wanted::AtLeast(least, is) => is(m, own) && m.dimension(own) >= least,
            Wanted::VectorOf(ty) => m.op(own) == Op::TypeVector && (ty == NONE || m.component(own) == ty),
            Wanted::Bits(0) | Wanted::NumberBits(0) => true,
            Wanted::Bits(bits) => m.is_pointer(own) || has_bits(m, own, bits),
            Wanted::NumberBits(bits) => has_bits(m, own, bits),
            Wanted::Holding(ty) => own != ty && holds(m, own, ty),
            Wanted::PartOf(ty, most) => {
                own == ty || m.op(own) == Op::TypeVector && m.element(own) == ty && m.dimension(own) <= most
            }
            Wanted::PointerIn(storage) => m.pointer(own).is_some_and(|(own, _)| own == storage),
            Wanted::Writable => m.pointer(own).is_some_and(|(storage, _)| !is_read_only(storage)),
            Wanted::MemberOf(ty) => {
                let count = m.members(ty).len() as u64;
                inst.op() == Op::Constant && m.uint(inst.id()).is_some_and(|value| value < count)
            }
            Wanted::Nothing => false,
        };
        fits.then_some(0)
    }
}

/// Whether nothing in a storage class can be written.
fn is_read_only(storage: u32) -> bool {
    let name = Kind::StorageClass.valued(storage).map_or("", |known| known.name);
    matches!(name, "UniformConstant" | "Input" | "PushConstant")
}

/// What the next index of an access chain must be.
fn selected(m: &RuleContext<'_>, base: Id, indices: impl Iterator<Item = Id>) -> Wanted {
    let Some((_, mut ty)) = m.pointer(base) else { return Wanted::Is(|m, ty| m.is_int(ty)) };
    for index in indices {
        ty = match m.op(ty) {
            Op::TypeStruct => {
                let member = m.uint(index).and_then(|value| m.members(ty).get(value as usize));
                member.copied().unwrap_or(NONE)
            }
            _ => m.element(ty),
        };
    }
    match m.op(ty) {
        Op::TypeStruct => Wanted::MemberOf(ty),
        Op::TypeInt | Op::TypeFloat | Op::TypeBool | Op::TypePointer => Wanted::Nothing,
        _ => Wanted::Is(|m, ty| m.is_int(ty)),
    }
}

/// An id by its name.
/// The id of a name.
pub(super) fn find(cx: &Cx<'_>, m: &RuleContext<'_>, word: &str) -> Id {
    let Some(name) = word.strip_prefix('%') else { return NONE };
    let hash = hash_name(name);
    let local = cx.lowered.flat.names.iter().position(|n| n.hash == hash);
    let local = local.and_then(|l| m.ids.get(l).copied());
    local.or_else(|| cx.scope.names.get(&hash).copied()).unwrap_or(NONE)
}

/// A condition chooses between whole arrays and structures.
fn has_as_many(m: &RuleContext<'_>, own: Id, ty: Id) -> bool {
    m.dimension(own) == m.dimension(ty) || m.dimension(ty) == 0
}

/// Whether a type is a number or a vector of numbers of so many bits.
fn has_bits(m: &RuleContext<'_>, ty: Id, bits: u32) -> bool {
    !m.is_bool(m.component(ty)) && m.dimension(ty) * m.width(ty) == bits
}

/// Whether a type is another one or has it as a part, at any depth.
fn holds(m: &RuleContext<'_>, ty: Id, part: Id) -> bool {
    ty == part
        || match m.op(ty) {
            Op::TypeStruct => m.members(ty).iter().any(|member| holds(m, *member, part)),
            Op::TypeVector | Op::TypeMatrix | Op::TypeArray => holds(m, m.element(ty), part),
            _ => false,
        }
}

/// The type of a function.
fn of_function(m: &RuleContext<'_>, function: Id) -> Id {
    m.def(function).filter(|inst| inst.op() == Op::Function).map_or(NONE, |inst| inst.word(4))
}

/// The type that the function of the chunk returns.
fn returned(m: &RuleContext<'_>) -> Id {
    m.insts().find(|inst| inst.op() == Op::Function).map_or(NONE, |inst| inst.ty())
}

/// A constituent of a composite.
fn part(m: &RuleContext<'_>, ty: Id, at: usize) -> Wanted {
    match m.op(ty) {
        Op::TypeStruct => Wanted::known(m.members(ty).get(at).copied().unwrap_or(NONE), Wanted::Type),
        Op::TypeVector | Op::TypeArray | Op::TypeMatrix | Op::TypeCooperativeMatrixKHR => {
            Wanted::known(m.element(ty), Wanted::Type)
        }
        _ => Wanted::Anything,
    }
}

/// The operands of extended instructions that have the type of the result.
fn extended(name: &str, result: Id) -> Wanted {
    match name {
        "SAbs" | "SSign" | "UMin" | "SMin" | "UMax" | "SMax" | "UClamp" | "SClamp" => {
            Wanted::known(result, Wanted::IntegersLike)
        }
        "FAbs" | "FSign" | "FMin" | "FMax" | "FClamp" | "FMix" | "NMin" | "NMax" | "NClamp" | "Round"
        | "RoundEven" | "Trunc" | "Floor" | "Ceil" | "Fract" | "Radians" | "Degrees" | "Sin" | "Cos"
        | "Tan" | "Asin" | "Acos" | "Atan" | "Sinh" | "Cosh" | "Tanh" | "Asinh" | "Acosh" | "Atanh"
        | "Atan2" | "Pow" | "Exp" | "Log" | "Exp2" | "Log2" | "Sqrt" | "InverseSqrt" | "Step"
        | "SmoothStep" | "Fma" | "Cross" | "Normalize" | "FaceForward" | "Reflect" => {
            Wanted::known(result, Wanted::Type)
        }
        _ => Wanted::Guess(result),
    }
}

/// The operands of operations that have the type of the result, or all the same.
fn by_class(m: &RuleContext<'_>, op: Op, first: Id, of: impl Fn(usize) -> Id, count: usize) -> Wanted {
    if count == 0 {
        return Wanted::Anything;
    }
    match op {
        Op::FNegate
        | Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FDiv
        | Op::FRem
        | Op::FMod
        | Op::LogicalNot
        | Op::LogicalAnd
        | Op::LogicalOr
        | Op::LogicalEqual
        | Op::LogicalNotEqual
        | Op::UDiv
        | Op::UMod
        | Op::DPdx
        | Op::DPdy
        | Op::Fwidth
        | Op::DPdxFine
        | Op::DPdyFine
        | Op::FwidthFine
        | Op::DPdxCoarse
        | Op::DPdyCoarse
        | Op::FwidthCoarse => Wanted::known(first, Wanted::Type),
        Op::SNegate
        | Op::Not
        | Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::SDiv
        | Op::SRem
        | Op::SMod
        | Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor => Wanted::known(first, Wanted::IntegersLike),
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic if count == 1 => {
            Wanted::known(first, Wanted::IntegersLike)
        }
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
            Wanted::Like(first, |m, ty| m.is_int_scalar_or_vector(ty))
        }
        Op::IEqual
        | Op::INotEqual
        | Op::UGreaterThan
        | Op::SGreaterThan
        | Op::UGreaterThanEqual
        | Op::SGreaterThanEqual
        | Op::ULessThan
        | Op::SLessThan
        | Op::ULessThanEqual
        | Op::SLessThanEqual => match count {
            1 => Wanted::Like(first, |m, ty| m.is_int_scalar_or_vector(ty)),
            _ => Wanted::known(of(1), Wanted::IntegersLike),
        },
        Op::FOrdEqual
        | Op::FOrdNotEqual
        | Op::FOrdLessThan
        | Op::FOrdGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordEqual
        | Op::FUnordNotEqual
        | Op::FUnordLessThan
        | Op::FUnordGreaterThan
        | Op::FUnordLessThanEqual
        | Op::FUnordGreaterThanEqual => match count {
            1 => Wanted::Like(first, |m, ty| m.is_float_scalar_or_vector(ty)),
            _ => Wanted::known(of(1), Wanted::Type),
        },
        op if count == 1 && op.info().is_some_and(|info| info.name.starts_with("OpImageSample")) => {
            Wanted::Is(|m, ty| m.op(ty) == Op::TypeSampledImage)
        }
        Op::ImageFetch
        | Op::ImageRead
        | Op::ImageQuerySize
        | Op::ImageQuerySizeLod
        | Op::ImageQueryLevels
        | Op::ImageQuerySamples
            if count == 1 =>
        {
            Wanted::Is(|m, ty| m.op(ty) == Op::TypeImage)
        }
        Op::Image | Op::ImageGather | Op::ImageDrefGather | Op::ImageQueryLod if count == 1 => {
            Wanted::Is(|m, ty| m.op(ty) == Op::TypeSampledImage)
        }
        Op::ImageWrite if count == 1 => {
            Wanted::AtLeast(coordinate_count(m, op, of(0)), |m, ty| m.is_int_scalar_or_vector(ty))
        }
        Op::ImageFetch | Op::ImageRead if count == 2 => {
            Wanted::AtLeast(coordinate_count(m, op, of(1)), |m, ty| m.is_int_scalar_or_vector(ty))
        }
        op if count == 2 && op.info().is_some_and(|info| info.name.starts_with("OpImage")) => {
            Wanted::AtLeast(coordinate_count(m, op, of(1)), |m, ty| {
                m.is_int_scalar_or_vector(ty) || m.is_float_scalar_or_vector(ty)
            })
        }
        _ if op.info().is_some_and(|info| info.has_type) && first != NONE && m.op(first) != Op::TypeVoid => {
            Wanted::Guess(first)
        }
        _ => Wanted::Anything,
    }
}
