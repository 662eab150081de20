//! The values that constraints of inline assembly hold: their types, their sizes, and which constants.

use wavelens_isa::Target;
use wavelens_syntax::llvm::NEWER_SINCE;

use super::asm_constraints::tuple;
use super::call_site::Site;
use super::target::values::differs;
use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::body::{LocalKind, Opcode};
use crate::operand::{Const, Operand, Value};
use crate::types::{Type, TypeId};

/// Registers that are pairs by name.
const PAIRS: &[&str] = &["exec", "flat_scratch", "tba", "tma", "vcc", "xnack_mask"];

/// What is wrong with how a constraint and its value go together, and the number of the constraint.
pub(super) fn check(
    site: &Site<'_, '_>,
    constraints: &str,
    target: Option<Target>,
) -> Option<(usize, String)> {
    let types = &site.cx.types;
    let results = match types.get(site.result) {
        Type::Struct { fields, .. } => types.list(fields),
        _ => &[site.result][..],
    };
    let (mut results, mut arguments) = (results.iter(), site.args().iter());
    for (n, constraint) in constraints.split(',').enumerate().filter(|(_, c)| !c.is_empty()) {
        if constraint.starts_with(['~', '!']) {
            continue;
        }
        let code = constraint.trim_start_matches(['=', '&']);
        let is_output = constraint.starts_with('=') && !code.starts_with('*');
        if is_output && site.result == TypeId::VOID {
            return Some((n, format!("the output `{constraint}` has no value: the call returns `void`")));
        }
        let (ty, argument) = if is_output {
            let ty = results.next().copied()?;
            if matches!(types.get(ty), Type::Array { .. }) {
                let display = site.cx.display_ty(ty);
                return Some((
                    n,
                    format!(
                        "an output cannot have the type `{display}`; use a vector, or an output for each element"
                    ),
                ));
            }
            (ty, None)
        } else {
            let argument = arguments.next()?;
            (site.cx.ty(argument.ty), Some(*argument))
        };
        let problem = named(site, code, ty, argument, target).or_else(|| held(site, code, ty, target));
        let problem = problem.or_else(|| argument.and_then(|argument| constant(site, code, ty, argument)));
        if let Some(message) = problem {
            return Some((n, message));
        }
    }
    None
}

/// Bits of a value in a tuple, where LLVM takes tuples of exactly this size only.
fn bits(site: &Site<'_, '_>, ty: TypeId) -> Option<u64> {
    match site.cx.types.get(ty) {
        Type::Ptr(2 | 3 | 5 | 6) => Some(32),
        Type::Ptr(0 | 1 | 4) => Some(64),
        // LLVM extends others to wider ones.
        Type::Int(bits) if !matches!(bits, 1 | 8 | 16) && bits % 32 != 0 => None,
        Type::Int(_) | Type::Vector { .. } => site.cx.scope.layout.bits(site.cx.scope, &site.cx.types, ty),
        _ => match ty {
            TypeId::HALF | TypeId::BFLOAT => Some(16),
            TypeId::FLOAT => Some(32),
            TypeId::DOUBLE => Some(64),
            _ => None,
        },
    }
}

/// A register by name that does not hold its value.
fn named(
    site: &Site<'_, '_>,
    code: &str,
    ty: TypeId,
    argument: Option<Operand>,
    target: Option<Target>,
) -> Option<String> {
    let name = code.strip_prefix('{')?.strip_suffix('}')?.to_ascii_lowercase();
    let display = || site.cx.display_ty(ty);
    if PAIRS.contains(&name.as_str()) {
        // As an output LLVM takes the lower bits.
        if let Some(bits) = bits(site, ty).filter(|bits| *bits < 64 && argument.is_some()) {
            return Some(format!(
                "`{name}` has 64 bits, but a value of type `{}` has {bits} bits",
                display()
            ));
        }
        return divergent(site, &name, argument);
    }
    let (prefix, first, last) = tuple(&name)?;
    let registers = u64::from(last.checked_sub(first)? + 1);
    if registers > 1 {
        if let Some(bits) = bits(site, ty).filter(|bits| *bits != 32 * registers) {
            return Some(format!(
                "`{name}` has {registers} registers of 32 bits, but a value of type `{}` has {bits} bits",
                display()
            ));
        }
        if prefix == "s" {
            return divergent(site, &name, argument);
        }
        let target = target.filter(|target| target.facts().aligns_vector_tuples)?;
        return (first % 2 == 1)
            .then(|| format!("`{name}` is not aligned: tuples of {target} start at an even number"));
    }
    if prefix == "s"
        && let Some(message) = divergent(site, &name, argument)
    {
        return Some(message);
    }
    // Before LLVM 24 the upper bits were lost.
    if let Some(bits) = bits(site, ty).filter(|bits| *bits > 32)
        && site.cx.scope.follows(24)
        && site.cx.types.lanes(ty).is_none()
    {
        return Some(format!("`{name}` has 32 bits, but a value of type `{}` has {bits} bits", display()));
    }
    if let Some((lanes, _)) = site.cx.types.lanes(ty) {
        let bits = bits(site, ty).filter(|bits| *bits != 32)?;
        let element = site.cx.display_ty(site.cx.types.scalar(ty));
        return Some(format!(
            "`{name}` has 32 bits, but {lanes} values of type `{element}` have {bits} bits"
        ));
    }
    let target = target.filter(|target| prefix == "a" && !target.facts().has_agprs)?;
    // LLVM drops the copy of what has no value.
    let is_copied = argument
        .is_some_and(|argument| !matches!(site.cx.constant(argument), Some(Const::Undef | Const::Poison)));
    is_copied.then(|| format!("{target} has no accumulation registers such as `{name}`"))
}

/// A value that differs between lanes for a scalar register. Newer versions of LLVM read the first lane.
fn divergent(site: &Site<'_, '_>, name: &str, argument: Option<Operand>) -> Option<String> {
    let is_older = site.cx.scope.llvm_level.is_some_and(|level| level < NEWER_SINCE);
    let differs = is_older && is_own(site) && differs(site.cx, argument?, 0);
    let why = "the value differs between lanes; use `llvm.amdgcn.readfirstlane`";
    differs.then(|| format!("`{name}` holds one value for all lanes, but {why}"))
}

/// A type that registers do not hold as it is.
fn held(site: &Site<'_, '_>, code: &str, ty: TypeId, target: Option<Target>) -> Option<String> {
    if !matches!(code, "v" | "s" | "r" | "a" | "^VA") {
        return None;
    }
    let types = &site.cx.types;
    let is_new = target.is_none_or(|target| target.has_feature("16-bit-insts"));
    let scalar = types.scalar(ty);
    let bits = match types.get(scalar) {
        Type::Int(bits) => bits,
        Type::Ptr(2 | 3 | 5 | 6) => 32,
        Type::Ptr(0 | 1 | 4) => 64,
        _ if scalar == TypeId::HALF || scalar == TypeId::BFLOAT => 16,
        _ if scalar == TypeId::FLOAT => 32,
        _ if scalar == TypeId::DOUBLE => 64,
        _ if scalar == TypeId::FP128 => 128,
        _ => return None,
    };
    let lanes = match types.lanes(ty) {
        Some((lanes, false)) => Some(lanes),
        Some((_, true)) => return None,
        None => None,
    };
    let is_held = match (lanes, bits) {
        (None, 16) => is_new || scalar != TypeId::BFLOAT,
        (None, 32 | 64) => true,
        (None, 128) => types.is_int(scalar),
        (Some(lanes), 16) => is_new && matches!(lanes, 2 | 4 | 8 | 16 | 32),
        (Some(lanes), 32) => matches!(lanes, 2..=12 | 16 | 32),
        (Some(lanes), 64) => matches!(lanes, 2..=4 | 8 | 16),
        _ => false,
    };
    if is_held {
        return None;
    }
    let display = site.cx.display_ty(ty);
    let remedy = match bits {
        ..32 if lanes.is_none() => "; convert it to `i32`",
        ..16 => "; convert it to vectors of `i32`",
        _ => "",
    };
    Some(format!("registers do not hold a value of type `{display}`{remedy}"))
}

/// The values that instructions encode without a literal, besides the integers: 0.5, 1, 2 and 4 with both signs, and 1/(2*pi).
const F32: [u64; 9] = [
    0x3f00_0000,
    0xbf00_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x4000_0000,
    0xc000_0000,
    0x4080_0000,
    0xc080_0000,
    0x3e22_f983,
];

/// A constant that the constraint does not allow, or a value that is not a constant.
fn constant(site: &Site<'_, '_>, code: &str, ty: TypeId, argument: Operand) -> Option<String> {
    let code = code.trim_start_matches('^');
    if !matches!(code, "I" | "J" | "A" | "B" | "C" | "DA" | "DB" | "i" | "n") {
        return None;
    }
    if is_variable(site, argument) {
        return Some(format!("the constraint `{code}` needs a constant"));
    }
    let value = match site.cx.constant(argument)? {
        Const::Int(value) => value,
        Const::Decimal(bits) | Const::Double(bits) if code == "A" && ty == TypeId::FLOAT => {
            let value = f64::from_bits(bits);
            let bits = u64::from((value as f32).to_bits());
            let is_inline = bits == 0 || F32.contains(&bits);
            return (!is_inline)
                .then(|| format!("the constraint `A` takes a constant that needs no literal, not {value}"));
        }
        _ => return None,
    };
    let bits = site.cx.types.int_bits(ty).filter(|bits| *bits <= 64)?;
    let is_inline = (-16..=64).contains(&value);
    let is_float = |bits: u64| F32.contains(&(bits & 0xffff_ffff));
    let (is_allowed, range) = match code {
        "I" => (is_inline, "an integer from -16 to 64"),
        "J" => (i16::try_from(value).is_ok(), "a signed number of 16 bits"),
        "A" => (is_inline || bits != 32 || is_float(value as u64), "a constant that needs no literal"),
        "B" => (i32::try_from(value).is_ok(), "a signed number of 32 bits"),
        "C" if bits == 64 => (is_inline || u32::try_from(value).is_ok(), "an unsigned number of 32 bits"),
        "DA" if bits == 64 => {
            let half = |half: u64| (-16..=64).contains(&(half as u32).cast_signed()) || is_float(half);
            (half(value as u64) && half(value as u64 >> 32), "two halves that need no literal")
        }
        _ => return None,
    };
    // What is written as unsigned may be a negative number.
    let is_plain = bits > 32 || i64::from(i32::MIN) <= value && value < 1 << (bits - 1).min(62);
    (is_plain && !is_allowed).then(|| format!("the constraint `{code}` takes {range}, not {value}"))
}

/// Whether the function is compiled on its own, and gets the value only when it runs.
fn is_variable(site: &Site<'_, '_>, argument: Operand) -> bool {
    let cx = site.cx;
    if !matches!(argument.value, Value::Local(_)) {
        return false;
    }
    let is_late = match cx.body.local_of(argument).map(|local| local.kind) {
        Some(LocalKind::Argument(_)) => true,
        Some(LocalKind::Inst(inst)) => {
            let inst = cx.body.insts.get(inst as usize);
            inst.is_some_and(|inst| matches!(inst.opcode, Opcode::Load | Opcode::AtomicRmw))
        }
        _ => false,
    };
    is_late && is_own(site)
}

/// Whether the function is compiled on its own; where it is inlined, arguments may be constants.
fn is_own(site: &Site<'_, '_>) -> bool {
    let cx = site.cx;
    let own = AttributeSet::new(cx.scope, &cx.summary.tables, cx.function.attrs, |_| TypeId::ERROR);
    !own.has(AttrKind::AlwaysInline) && !cx.function.head.linkage.is_discardable()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, Options};
    use wavelens_check::check_text;

    use crate::rules::check;

    #[test]
    fn registers_are_as_large_as_their_values() {
        check(
            r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i64 %w, <4 x i32> %q, half %h, ptr %p, ptr addrspace(3) %l) {
  call void asm sideeffect "; use $0", "{v[0:3]}"(i64 %w)
  call void asm sideeffect "; use $0", "v,{v[0:1]}"(i64 %w, <4 x i32> %q)
  %a = call <4 x i32> asm sideeffect "; def $0", "={s[8:10]}"()
  %b = call { i32, i64 } asm sideeffect "; def $0", "={v1},={v[2:4]}"()
  call void asm sideeffect "; use $0", "{v0},{v1},{v[2:3]},{v4}"(i64 %w, half %h, ptr %p, ptr addrspace(3) %l)
  call void asm sideeffect "v_mov_b32 v0, $0", "={v1}"()
  call void asm sideeffect "; use $0", "{v0}"(<4 x i32> %q)
  call void asm sideeffect "; use $0", "{vcc}"(i32 1)
  call void asm sideeffect "; use $0", "{s[4:5]}"(i64 1)
  %c = call i32 asm "; def $0", "={vcc}"()
  ret void
}
"#,
            expect![[r#"
                warning[asm-constraint] 3:41 `{v[0:3]}`: `v[0:3]` has 4 registers of 32 bits, but a value of type `i64` has 64 bits
                warning[asm-constraint] 4:43 `{v[0:1]}`: `v[0:1]` has 2 registers of 32 bits, but a value of type `<4 x i32>` has 128 bits
                warning[asm-constraint] 5:51 `={s[8:10]}`: `s[8:10]` has 3 registers of 32 bits, but a value of type `<4 x i32>` has 128 bits
                warning[asm-constraint] 6:60 `={v[2:4]}`: `v[2:4]` has 3 registers of 32 bits, but a value of type `i64` has 64 bits
                warning[asm-constraint] 8:49 `={v1}`: the output `={v1}` has no value: the call returns `void`
                warning[asm-constraint] 9:41 `{v0}`: `v0` has 32 bits, but 4 values of type `i32` have 128 bits
                warning[asm-constraint] 10:41 `{vcc}`: `vcc` has 64 bits, but a value of type `i32` has 32 bits
            "#]],
        );
    }

    #[test]
    fn before_llvm_23_scalar_registers_take_no_values_of_lanes() {
        let text = |constraint: &str, ty: &str| {
            format!(
                "target triple = \"amdgcn-amd-amdhsa\"\ndefine void @f({ty} %x) {{\n  \
                 call void asm sideeffect \"; $0\", \"{{{constraint}}}\"({ty} %x)\n  ret void\n}}\n"
            )
        };
        for (constraint, ty) in [("s4", "half"), ("s[4:5]", "i64"), ("vcc", "i64"), ("exec", "double")] {
            let found = |llvm_level| {
                let options = Options { llvm_level, ..Options::default() };
                check_text(Dialect::Llvm, &text(constraint, ty), &options).len()
            };
            assert_eq!([Some(22), Some(23), None].map(found), [1, 0, 0], "{constraint}");
        }
    }

    #[test]
    fn values_that_registers_do_not_hold() {
        check(
            r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i1 %b, i8 %c, <3 x half> %h, <4 x i8> %q) "target-cpu"="gfx90a" {
  call void asm sideeffect "; $0", "s"(i1 %b)
  call void asm sideeffect "; $0", "v"(i8 %c)
  call void asm sideeffect "; $0", "v"(<3 x half> %h)
  call void asm sideeffect "; $0", "v"(<4 x i8> %q)
  %a = call i1 asm "; $0", "=s"()
  %o = call [2 x i32] asm "; $0", "=v"()
  %t = call i64 asm "; $0", "={v[1:2]}"()
  call void asm sideeffect "; $0", "v,v,s"(i16 1, i128 2, <2 x i64> zeroinitializer)
  ret void
}
"#,
            expect![[r#"
                warning[asm-constraint] 3:37 `s`: registers do not hold a value of type `i1`; convert it to `i32`
                warning[asm-constraint] 4:37 `v`: registers do not hold a value of type `i8`; convert it to `i32`
                warning[asm-constraint] 5:37 `v`: registers do not hold a value of type `<3 x half>`
                warning[asm-constraint] 6:37 `v`: registers do not hold a value of type `<4 x i8>`; convert it to vectors of `i32`
                warning[asm-constraint] 7:29 `=s`: registers do not hold a value of type `i1`; convert it to `i32`
                warning[asm-constraint] 8:36 `=v`: an output cannot have the type `[2 x i32]`; use a vector, or an output for each element
                warning[asm-constraint] 9:30 `={v[1:2]}`: `v[1:2]` is not aligned: tuples of gfx90a start at an even number
            "#]],
        );
    }

    #[test]
    fn constants_that_constraints_take() {
        check(
            r#"target triple = "amdgcn-amd-amdhsa"
define void @f(i32 %x) {
  call void asm sideeffect "; $0", "I"(i32 65)
  call void asm sideeffect "; $0", "J"(i32 65000)
  call void asm sideeffect "; $0", "A"(i32 65)
  call void asm sideeffect "; $0", "B"(i64 4294967296)
  call void asm sideeffect "; $0", "^DA"(i64 77)
  call void asm sideeffect "; $0", "i"(i32 %x)
  call void asm sideeffect "; $0", "I,J,A,A,B,C,^DB,i,n"(i32 -16, i32 -32768, i32 64, i32 1065353216, i64 -5, i32 -77, i64 77, i32 1, i64 2)
  ret void
}
define void @g(i32 %x) alwaysinline {
  call void asm sideeffect "; $0", "i"(i32 %x)
  ret void
}
"#,
            expect![[r#"
                warning[asm-constraint] 3:37 `I`: the constraint `I` takes an integer from -16 to 64, not 65
                warning[asm-constraint] 4:37 `J`: the constraint `J` takes a signed number of 16 bits, not 65000
                warning[asm-constraint] 5:37 `A`: the constraint `A` takes a constant that needs no literal, not 65
                warning[asm-constraint] 6:37 `B`: the constraint `B` takes a signed number of 32 bits, not 4294967296
                warning[asm-constraint] 7:37 `^DA`: the constraint `DA` takes two halves that need no literal, not 77
                warning[asm-constraint] 8:37 `i`: the constraint `i` needs a constant
            "#]],
        );
    }
}
