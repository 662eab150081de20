//! Whether a function type is one of an intrinsic's.

use std::borrow::Cow;

use super::scope::{Scope, StructDef};
use super::tables::Intrinsic;
use super::tables::intrinsics::{Overload, Signature, Slot};
use super::types::{Type, TypeId, Types};

/// How a function type differs from an intrinsic's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mismatch {
    Result,
    /// The n-th parameter.
    Parameter(usize),
    /// Some parameter that others depend on.
    Parameters,
    TooMany,
    TooFew,
    /// Variable arguments: whether the intrinsic takes them.
    Variadic(bool),
}

/// The overloaded types of an intrinsic at a function type, or how they differ. Function types with an error in them match.
pub(crate) fn match_signature(
    structs: &[StructDef],
    types: &Types,
    intrinsic: Intrinsic,
    ty: TypeId,
) -> Result<Vec<TypeId>, Mismatch> {
    let Type::Function { result, params, vararg } = types.get(ty) else { return Ok(Vec::new()) };
    match_parts(structs, types, intrinsic, result, types.list(params), vararg)
}

/// As [`match_signature`], for a function type in parts.
pub(crate) fn match_parts(
    structs: &[StructDef],
    types: &Types,
    intrinsic: Intrinsic,
    result: TypeId,
    params: &[TypeId],
    vararg: bool,
) -> Result<Vec<TypeId>, Mismatch> {
    if intrinsic.is_open() {
        return Ok(Vec::new());
    }
    match_slots(structs, types, &intrinsic.signature(), result, params, vararg)
}

/// Whether a function type is the signature that a newer version gave an intrinsic.
pub(crate) fn matches_newer(scope: &Scope, types: &Types, intrinsic: Intrinsic, ty: TypeId) -> bool {
    let Type::Function { result, params, vararg } = types.get(ty) else { return false };
    intrinsic.newer_signature().is_some_and(|newer| {
        scope.reads(newer.since)
            && match_slots(&scope.structs, types, &newer.signature, result, types.list(params), vararg)
                .is_ok()
    })
}

/// As [`match_signature`]; a signature that the module's version no longer has does not match.
pub(crate) fn match_current(
    scope: &Scope,
    types: &Types,
    intrinsic: Intrinsic,
    ty: TypeId,
) -> Result<Vec<TypeId>, Mismatch> {
    match (intrinsic.newer_signature(), types.get(ty)) {
        (Some(newer), Type::Function { result, params, vararg })
            if scope.follows(newer.since) && !newer.upgrades =>
        {
            match_slots(&scope.structs, types, &newer.signature, result, types.list(params), vararg)
        }
        _ => match_signature(&scope.structs, types, intrinsic, ty),
    }
}

fn match_slots(
    structs: &[StructDef],
    types: &Types,
    signature: &Signature,
    result: TypeId,
    params: &[TypeId],
    vararg: bool,
) -> Result<Vec<TypeId>, Mismatch> {
    let mut matcher = Matcher {
        structs,
        types,
        slots: &signature.slots,
        at: 0,
        overloads: Vec::new(),
        deferred: Vec::new(),
        unseen: false,
    };
    if !matcher.matches(result, false, 0) {
        return Err(Mismatch::Result);
    }
    let of_result = matcher.deferred.len();
    for (n, param) in params.iter().enumerate() {
        if matcher.at >= matcher.slots.len() || matcher.slots.get(matcher.at) == Some(&Slot::Variadic) {
            return Err(Mismatch::TooMany);
        }
        if !matcher.matches(*param, false, 0) {
            return Err(Mismatch::Parameter(n));
        }
    }
    let end = matcher.at;
    for (n, (ty, at)) in std::mem::take(&mut matcher.deferred).into_iter().enumerate() {
        matcher.at = at;
        if !matcher.matches(ty, true, 0) && !matcher.unseen {
            return Err(if n < of_result { Mismatch::Result } else { Mismatch::Parameters });
        }
    }
    let takes = signature.slots.get(end) == Some(&Slot::Variadic);
    if end + usize::from(takes) < signature.slots.len() {
        return Err(Mismatch::TooFew);
    }
    if takes != vararg {
        return Err(Mismatch::Variadic(takes));
    }
    Ok(matcher.overloads)
}

struct Matcher<'a> {
    structs: &'a [StructDef],
    types: &'a Types,
    slots: &'a [Slot],
    at: usize,
    overloads: Vec<TypeId>,
    /// Types that wait for an overload which comes later, with their slot.
    deferred: Vec<(TypeId, usize)>,
    /// Whether a struct without a body may contain overloads.
    unseen: bool,
}

impl Matcher<'_> {
    fn matches(&mut self, ty: TypeId, again: bool, depth: u32) -> bool {
        let start = self.at;
        let Some(slot) = self.slots.get(self.at).copied() else { return false };
        self.at += 1;
        if depth > 8 {
            return true;
        }
        let types = self.types;
        let is = |wanted| types.get(ty) == wanted;
        match slot {
            Slot::Void => ty == TypeId::VOID,
            Slot::Variadic => false,
            Slot::Int(bits) => is(Type::Int(bits)),
            Slot::Half => ty == TypeId::HALF,
            Slot::Bfloat => ty == TypeId::BFLOAT,
            Slot::Float => ty == TypeId::FLOAT,
            Slot::Double => ty == TypeId::DOUBLE,
            Slot::Fp128 => ty == TypeId::FP128,
            Slot::PpcFp128 => ty == TypeId::PPC_FP128,
            Slot::X86Amx => ty == TypeId::X86_AMX,
            Slot::Token => ty == TypeId::TOKEN,
            Slot::Metadata => ty == TypeId::METADATA,
            Slot::Svcount => match types.get(ty) {
                Type::Target(index) => types.target(index).is_some_and(|t| t.name == "aarch64.svcount"),
                _ => false,
            },
            Slot::Pointer(space) => is(Type::Ptr(space)),
            Slot::Vector { count, scalable } => match types.get(ty) {
                Type::Vector { len, scalable: theirs, element } => {
                    len == count && theirs == scalable && self.matches(element, again, depth + 1)
                }
                _ => false,
            },
            Slot::Struct(count) => {
                let fields = match types.get(ty) {
                    Type::Struct { fields, .. } => Some(fields),
                    // LLVM turns a named struct into a literal one.
                    Type::NamedStruct(def) => self.structs.get(def as usize).and_then(|def| def.fields),
                    _ => return false,
                };
                let fields = fields.map(|fields| types.list(fields));
                let Some(fields) = fields.filter(|fields| !fields.contains(&TypeId::ERROR)) else {
                    self.skip(count);
                    self.unseen = true;
                    return true;
                };
                fields.len() as u32 == count && fields.iter().all(|f| self.matches(*f, again, depth + 1))
            }
            Slot::Overload(slot, kind) => {
                if let Some(known) = self.overloads.get(slot as usize) {
                    return *known == ty;
                }
                if slot as usize > self.overloads.len() {
                    return again || self.defer(ty, start);
                }
                self.overloads.push(ty);
                match kind {
                    Overload::Any => true,
                    Overload::Int => types.is_int_or_vector(ty),
                    Overload::Float => types.is_float_or_vector(ty),
                    Overload::Vector => types.is_vector(ty),
                    Overload::Pointer => types.is_ptr(ty),
                }
            }
            Slot::Pointers { slot, of } => {
                if !again && self.overloads.len() == slot as usize {
                    self.overloads.push(ty);
                }
                match self.overloads.get(of as usize) {
                    Some(like) => {
                        types.lanes(ty).is_some()
                            && types.lanes(ty) == types.lanes(*like)
                            && types.is_ptr(types.scalar(ty))
                    }
                    None => !again && self.defer(ty, start),
                }
            }
            Slot::Like(of) => {
                let Some(like) = self.overloads.get(of as usize).copied() else {
                    if again {
                        return false;
                    }
                    self.at += 1;
                    return self.defer(ty, start);
                };
                types.lanes(ty) == types.lanes(like) && self.matches(types.scalar(ty), again, depth + 1)
            }
            Slot::Same(of)
            | Slot::Extend(of)
            | Slot::Truncate(of)
            | Slot::Element(of)
            | Slot::Bits(of)
            | Slot::Part { of, .. }
            | Slot::Split { of, .. } => match self.overloads.get(of as usize).copied() {
                Some(like) => self.derived(slot, like, ty),
                None => !again && self.defer(ty, start),
            },
        }
    }

    fn defer(&mut self, ty: TypeId, slot: usize) -> bool {
        self.deferred.push((ty, slot));
        true
    }

    /// Steps over the slots of `count` fields.
    fn skip(&mut self, count: u32) {
        let mut left = count;
        while left > 0 {
            left -= 1;
            match self.slots.get(self.at) {
                Some(Slot::Vector { .. } | Slot::Like(_)) => left += 1,
                Some(Slot::Struct(more)) => left += more,
                None => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Whether `ty` is what `slot` makes of an overloaded type.
    fn derived(&self, slot: Slot, like: TypeId, ty: TypeId) -> bool {
        let types = self.types;
        let (theirs, ours) = (types.scalar(like), types.scalar(ty));
        let same_lanes = types.lanes(like) == types.lanes(ty);
        let width = |id| types.int_bits(id).or_else(|| types.float_bits(id));
        match slot {
            Slot::Extend(_) | Slot::Truncate(_) => {
                let (Some(theirs), Some(ours)) = (width(theirs), width(ours)) else { return false };
                let wanted = if matches!(slot, Slot::Extend(_)) { theirs * 2 } else { theirs / 2 };
                same_lanes && ours == wanted
            }
            Slot::Element(_) => types.is_vector(like) && ty == theirs,
            Slot::Bits(_) => same_lanes && types.is_int(ours) && width(ours) == width(theirs),
            Slot::Part { share, .. } => match (types.lanes(like), types.lanes(ty)) {
                (Some((n, a)), Some((m, b))) => a == b && theirs == ours && m.checked_mul(share) == Some(n),
                _ => false,
            },
            Slot::Split { times, .. } => match (types.lanes(like), types.lanes(ty)) {
                (Some((n, a)), Some((m, b))) => {
                    let halves =
                        width(theirs).zip(width(ours)).is_some_and(|(t, o)| o.checked_mul(times) == Some(t));
                    a == b && n.checked_mul(times) == Some(m) && halves
                }
                _ => false,
            },
            _ => ty == like,
        }
    }
}

/// Prefixes of intrinsics that LLVM upgrades, without `llvm.`, and the numbers of parameters that each once had; none: any. Of two that fit,
/// the longer one counts.
const OLD: &[(&str, &[usize])] = &[
    ("dbg.addr", &[]),
    ("dbg.assign", &[]),
    ("dbg.declare", &[]),
    ("dbg.label", &[]),
    ("dbg.value", &[]),
    ("memcpy.", &[5]),
    ("memmove.", &[5]),
    ("memset.", &[5]),
    ("objectsize.", &[2, 3]),
    ("ptr.annotation.", &[4]),
    ("var.annotation", &[4]),
    ("ctlz.", &[1]),
    ("cttz.", &[1]),
    ("coro.end", &[2]),
    ("experimental.vector.extract.", &[]),
    ("experimental.vector.insert.", &[]),
    ("experimental.vector.splice.", &[]),
    ("experimental.vector.reverse.", &[]),
    ("experimental.vector.interleave", &[]),
    ("experimental.vector.deinterleave", &[]),
    ("experimental.vector.reduce.", &[]),
    ("experimental.vector.partial.reduce.", &[]),
    ("experimental.stepvector.", &[]),
    ("arm.rbit", &[]),
    ("arm.thread.pointer", &[]),
    ("arm.neon.bfdot.v2f32.v8i8", &[]),
    ("arm.neon.bfdot.v4f32.v16i8", &[]),
    ("arm.neon.bfmmla.v4f32.v16i8", &[]),
    ("arm.neon.bfmlalb.v4f32.v16i8", &[]),
    ("arm.neon.bfmlalt.v4f32.v16i8", &[]),
    ("arm.neon.vclz.", &[]),
    ("arm.neon.vcnt.", &[]),
    ("arm.neon.vqadds.", &[]),
    ("arm.neon.vqaddu.", &[]),
    ("arm.neon.vqsubs.", &[]),
    ("arm.neon.vqsubu.", &[]),
    ("arm.neon.vrint", &[]),
    ("arm.neon.vst1.v", &[]),
    ("arm.neon.vst2.v", &[]),
    ("arm.neon.vst3.v", &[]),
    ("arm.neon.vst4.v", &[]),
    ("arm.neon.vst2lane.v", &[]),
    ("arm.neon.vst3lane.v", &[]),
    ("arm.neon.vst4lane.v", &[]),
    ("arm.mve.vctp64", &[]),
    ("arm.mve.vrintn.v", &[]),
    ("aarch64.rbit", &[]),
    ("aarch64.thread.pointer", &[]),
    ("aarch64.neon.bfdot.v2f32.v8i8", &[]),
    ("aarch64.neon.bfdot.v4f32.v16i8", &[]),
    ("aarch64.neon.bfmmla.v4f32.v16i8", &[]),
    ("aarch64.neon.bfmlalb.v4f32.v16i8", &[]),
    ("aarch64.neon.bfmlalt.v4f32.v16i8", &[]),
    ("aarch64.neon.frintn", &[]),
    ("aarch64.neon.rbit", &[]),
    ("aarch64.neon.addp", &[]),
    ("aarch64.neon.bfcvt", &[]),
    ("aarch64.sve.bfdot.lane", &[]),
    ("aarch64.sve.bfmlalb.lane", &[]),
    ("aarch64.sve.bfmlalt.lane", &[]),
    ("aarch64.sve.fcvt.bf16f32", &[]),
    ("aarch64.sve.fcvtnt.bf16f32", &[]),
    ("aarch64.sve.addqv", &[]),
    ("aarch64.sve.ld2.nxv", &[]),
    ("aarch64.sve.ld3.nxv", &[]),
    ("aarch64.sve.ld4.nxv", &[]),
    ("aarch64.sve.tuple.", &[]),
    ("riscv.aes32", &[]),
    ("riscv.sm4", &[]),
    ("riscv.sha256", &[]),
    ("riscv.sm3p", &[]),
    ("wasm.fma.", &[]),
    ("wasm.fms.", &[]),
    ("wasm.laneselect.", &[]),
    ("wasm.dot.i8x16.i7x16.", &[]),
    ("flt.rounds", &[]),
    ("invariant.group.barrier", &[]),
    ("stackprotectorcheck", &[]),
    ("thread.pointer", &[]),
    ("lifetime.", &[2]),
    ("masked.load.", &[4]),
    ("masked.store.", &[4]),
    ("masked.gather.", &[4]),
    ("masked.scatter.", &[4]),
    ("vector.splice", &[]),
    ("amdgcn.alignbit", &[]),
    ("amdgcn.atomic.", &[]),
    ("amdgcn.ds.", &[]),
    ("amdgcn.global.atomic.f", &[]),
    ("amdgcn.flat.atomic.f", &[]),
    ("amdgcn.ldexp.", &[]),
    ("amdgcn.swmmac.i32.16x16x128.iu8.", &[8]),
    ("amdgcn.wmma.", &[]),
    // Targets whose old names and signatures are many.
    ("x86.", &[]),
    ("nvvm.", &[]),
    ("nvvm.brev", &[1]),
    ("nvvm.clz.i", &[1]),
    ("nvvm.popc.i", &[1]),
    ("nvvm.max.", &[2]),
    ("nvvm.min.", &[2]),
];

fn upgrades(name: &str) -> impl Iterator<Item = &'static [usize]> + '_ {
    let rest = name.strip_prefix("llvm.").unwrap_or("");
    // The one that begins like an old one and is none.
    let old = OLD.iter().filter(|_| !rest.starts_with("coro.end.async"));
    let old = old.filter(|(prefix, _)| rest.starts_with(prefix));
    let old = old.filter(|(prefix, _)| *prefix != "x86." || may_be_old_x86(name));
    // Predicates of 64-bit lanes were `<4 x i1>`.
    let is_predicated =
        ["arm.mve.", "arm.cde."].iter().any(|p| rest.starts_with(p)) && rest.ends_with(".v4i1");
    let old = old.max_by_key(|(prefix, _)| prefix.len()).map(|(_, counts)| *counts);
    old.into_iter().chain(is_predicated.then_some(&[][..]))
}

/// Intrinsics of x86 that LLVM still has, and that once had other types, without `llvm.x86.`.
const CHANGED_X86: &[&str] = &[
    "addcarry",
    "avx.dp.ps",
    "avx2.mpsadbw",
    "avx2.vpdp",
    "avx512",
    "rdtscp",
    "sse41.",
    "subborrow",
    "vcvt",
    "xop.",
];

/// Whether LLVM may make calls of an intrinsic of x86 anew: those that it still has mostly had the same types.
fn may_be_old_x86(name: &str) -> bool {
    let rest = name.strip_prefix("llvm.x86.").unwrap_or("");
    Intrinsic::lookup(name).is_none() || CHANGED_X86.iter().any(|prefix| rest.starts_with(prefix))
}

/// Beginnings of names that LLVM replaces without any other change, and what replaces them; without `llvm.`.
const RENAMED: &[(&str, &str)] = &[
    ("experimental.vector.extract.", "vector.extract."),
    ("experimental.vector.insert.", "vector.insert."),
    ("experimental.vector.reverse.", "vector.reverse."),
    ("experimental.vector.interleave2.", "vector.interleave2."),
    ("experimental.vector.deinterleave2.", "vector.deinterleave2."),
    ("experimental.vector.reduce.v2.fadd.", "vector.reduce.fadd."),
    ("experimental.vector.reduce.v2.fmul.", "vector.reduce.fmul."),
    ("experimental.vector.reduce.add.", "vector.reduce.add."),
    ("experimental.vector.reduce.mul.", "vector.reduce.mul."),
    ("experimental.vector.reduce.and.", "vector.reduce.and."),
    ("experimental.vector.reduce.or.", "vector.reduce.or."),
    ("experimental.vector.reduce.xor.", "vector.reduce.xor."),
    ("experimental.vector.reduce.smax.", "vector.reduce.smax."),
    ("experimental.vector.reduce.smin.", "vector.reduce.smin."),
    ("experimental.vector.reduce.umax.", "vector.reduce.umax."),
    ("experimental.vector.reduce.umin.", "vector.reduce.umin."),
    ("experimental.vector.reduce.fmax.", "vector.reduce.fmax."),
    ("experimental.vector.reduce.fmin.", "vector.reduce.fmin."),
    ("experimental.stepvector.", "stepvector."),
    ("arm.neon.vqadds.", "sadd.sat."),
    ("arm.neon.vqaddu.", "uadd.sat."),
    ("arm.neon.vqsubs.", "ssub.sat."),
    ("arm.neon.vqsubu.", "usub.sat."),
];

/// The name that LLVM gives an intrinsic that was renamed and is otherwise the same.
pub(crate) fn current_name(name: &str) -> Cow<'_, str> {
    let Some(rest) = name.strip_prefix("llvm.") else { return name.into() };
    // The one that begins like a renamed one and is none.
    let mut renamed =
        RENAMED.iter().filter(|_| !rest.starts_with("experimental.vector.extract.last.active."));
    let found = renamed.find_map(|(old, new)| Some((new, rest.strip_prefix(old)?)));
    found.map_or(name.into(), |(new, types)| format!("llvm.{new}{types}").into())
}

/// Whether LLVM turns calls of a name with this many parameters into newer code: then no signature is wrong.
pub(crate) fn is_upgraded(name: &str, params: usize) -> bool {
    upgrades(name).any(|counts| counts.is_empty() || counts.contains(&params))
}

/// Whether LLVM knows the name as an older one's.
pub(crate) fn is_old_name(name: &str) -> bool {
    upgrades(name).next().is_some()
}

/// Whether only older versions of LLVM know an intrinsic that is declared with this many parameters: calls of it are made anew, whatever
/// their types are.
pub(crate) fn is_removed(name: &str, params: usize) -> bool {
    is_upgraded(name, params) && Intrinsic::lookup(name).is_none()
}

/// Whether an intrinsic once had this many parameters. LLVM makes calls anew where the declaration and the call have so many, whatever
/// their types are.
pub(crate) fn has_old_shape(name: &str, params: usize) -> bool {
    upgrades(name).all(|counts| !counts.is_empty()) && is_upgraded(name, params)
}

/// Whether LLVM replaces an intrinsic with this many parameters, also one that is defined.
pub(crate) fn is_replaced(name: &str, params: usize) -> bool {
    is_removed(name, params) || has_old_shape(name, params)
}

/// Old declarations that LLVM makes anew before it looks at their calls, so that calls as of today fit them; without `llvm.`.
const REDECLARED: &[&str] = &[
    "memcpy.",
    "memmove.",
    "memset.",
    "objectsize.",
    "ptr.annotation.",
    "ctlz.",
    "cttz.",
    "masked.load.",
    "masked.store.",
    "masked.gather.",
    "masked.scatter.",
];

/// Whether LLVM declares an intrinsic anew, because it is declared with as many parameters as it once had.
pub(crate) fn is_redeclared(name: &str, params: usize) -> bool {
    let rest = name.strip_prefix("llvm.").unwrap_or("");
    REDECLARED.iter().any(|prefix| rest.starts_with(prefix)) && has_old_shape(name, params)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn signatures() {
        let mut types = Types::default();
        let v4 = types.vector(4, false, TypeId::I32);
        let v4i1 = types.vector(4, false, TypeId::I1);
        let v4p = types.vector(4, false, TypeId::PTR);
        let pair = types.literal_struct(&[TypeId::I32, TypeId::I1], false);
        let mut out = String::new();
        let mut case = |name: &str, result, params: &[TypeId], vararg| {
            let ty = types.function(result, params, vararg);
            let matched = Intrinsic::lookup(name).map(|i| match_signature(&[], &types, i, ty));
            out += &format!("{name}: {matched:?}\n");
        };
        case("llvm.ctpop.i32", TypeId::I32, &[TypeId::I32], false);
        case("llvm.ctpop.i32", TypeId::I32, &[TypeId::I64], false);
        case("llvm.ctpop.f32", TypeId::FLOAT, &[TypeId::FLOAT], false);
        case("llvm.sadd.with.overflow.i32", pair, &[TypeId::I32, TypeId::I32], false);
        case("llvm.sadd.with.overflow.i32", pair, &[TypeId::I32], false);
        case("llvm.vector.reduce.add.v4i32", TypeId::I32, &[v4], false);
        case("llvm.vector.reduce.add.v4i32", TypeId::I64, &[v4], false);
        case("llvm.masked.gather.v4i32.v4p0", v4, &[v4p, v4i1, v4], false);
        case("llvm.masked.gather.v4i32.v4p0", v4, &[v4p, v4, v4], false);
        case("llvm.trap", TypeId::VOID, &[TypeId::I32], false);
        case("llvm.trap", TypeId::VOID, &[], true);
        case("llvm.localescape", TypeId::VOID, &[], true);
        expect![[r#"
            llvm.ctpop.i32: Some(Ok([TypeId(17)]))
            llvm.ctpop.i32: Some(Err(Parameter(0)))
            llvm.ctpop.f32: Some(Err(Result))
            llvm.sadd.with.overflow.i32: Some(Ok([TypeId(17)]))
            llvm.sadd.with.overflow.i32: Some(Err(TooFew))
            llvm.vector.reduce.add.v4i32: Some(Ok([TypeId(20)]))
            llvm.vector.reduce.add.v4i32: Some(Err(Result))
            llvm.masked.gather.v4i32.v4p0: Some(Ok([TypeId(20), TypeId(22)]))
            llvm.masked.gather.v4i32.v4p0: Some(Err(Parameter(1)))
            llvm.trap: Some(Err(TooMany))
            llvm.trap: Some(Err(Variadic(false)))
            llvm.localescape: Some(Ok([]))
        "#]]
        .assert_eq(&out);
    }
}
