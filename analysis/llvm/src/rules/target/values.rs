//! Values of immediates of intrinsics that only some processors have, and types of coordinates.

use wavelens_isa::{Generation, Target};
use wavelens_syntax::llvm::NEWER_SINCE;

use super::super::call_site::Site;
use super::super::conventions::{AMDGPU_KERNEL, SPIR_KERNEL};
use super::REGION;
use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::body::{LocalKind, Opcode};
use crate::context::RuleContext;
use crate::operand::{Const, Operand, Value};
use crate::tables::selection::Selector;
use crate::types::{Type, TypeId};
use wavelens_base::Verdict;

pub(super) fn check(site: &Site<'_, '_>, target: Option<Target>, by: Selector) -> Verdict {
    let (Some(target), Some(short)) = (target, site.name.strip_prefix("llvm.amdgcn.")) else { return Ok(()) };
    let family =
        |name: &str| short.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if family("update.dpp") {
        return dpp_control(site, 2, target);
    }
    if family("mov.dpp") {
        return dpp_control(site, 1, target);
    }
    if family("ds.swizzle") {
        return between(site, 1, "the offset", 0xFFFF);
    }
    if family("s.getreg") {
        return between(site, 0, "the register", 0xFFFF);
    }
    if family("s.setreg") && int(site, 0).is_some_and(|register| register > 0xFFFF) {
        return between(site, 0, "the register", 0xFFFF);
    }
    if (family("s.barrier.signal") || family("s.get.barrier.state"))
        && int(site, 0).is_some_and(|barrier| barrier > LAST_INLINE)
    {
        return between(site, 0, "the barrier", LAST_INLINE);
    }
    // Newer generations take the lowest two bits.
    if matches!(short, "cvt.f32.fp8" | "cvt.f32.bf8") && target.generation() < Generation::Gfx10_1 {
        return between(site, 1, "the byte", 3);
    }
    if matches!(short, "cvt.sr.fp8.f32" | "cvt.sr.bf8.f32") && target.generation() < Generation::Gfx10_1 {
        return between(site, 3, "the byte", 3);
    }
    if let Some(first) = matrix_controls(site, short) {
        return MATRIX_CONTROLS
            .iter()
            .enumerate()
            .try_for_each(|(n, (name, most))| between(site, first + n, name, *most));
    }
    if family("ds.ordered.add") || family("ds.ordered.swap") {
        return ordered_count(site, target);
    }
    if family("s.buffer.load")
        && matches!(site.cx.types.int_bits(site.result), Some(8 | 16))
        && !target.facts().has_small_scalar_loads
    {
        return site.wrong(format!("{target} has no scalar loads of 8 or 16 bits; they came with GFX12"));
    }
    if let Some(region) = site.params.iter().position(|ty| site.cx.types.get(*ty) == Type::Ptr(REGION))
        && short.starts_with("ds.")
        && !target.facts().has_gds
    {
        return site.wrong_argument(region, format!("{target} has no global data share (address space 2)"));
    }
    if family("image.bvh.intersect.ray") && !target.has_feature("gfx10_a-encoding") {
        return site.wrong(format!("{target} has no ray tracing; it came with GFX10.3 and gfx1013"));
    }
    let is_of_flags = |n: usize| site.params.get(n).is_some_and(|ty| site.cx.types.int_bits(*ty) == Some(1));
    // Equality with `false` is folded into the branch that asks whether any lane has it.
    if family("icmp")
        && by == Selector::Dag
        && int(site, 2) != Some(EQUAL)
        && is_of_flags(0)
        && site.cx.types.int_bits(site.result) == Some(64)
        && target.wave_size().lanes() == 32
    {
        let message =
            "LLVM 22 crashes on an `i64` result for `i1` with waves of 32 lanes; the result is `i32`";
        return site.wrong(message);
    }
    if family("permlane64")
        && target.generation() < Generation::Gfx11
        && site.args().first().is_some_and(|value| differs(site.cx, *value, 0))
    {
        return site.wrong(format!("{target} has no swap of the halves of a wave; it came with GFX11"));
    }
    if family("cs.chain") {
        return chain(site, target);
    }
    if short.starts_with("wave.reduce.") && !target.facts().has_dpp {
        return reduction(site, target, by);
    }
    if by == Selector::Dag && !target.facts().has_16_bit_arithmetic && has_short_data(site, short) {
        return site.wrong(format!(
            "{target} has no buffer and image accesses of 16-bit values; they came with GFX8"
        ));
    }
    // Its lowest bit asks for a status next to the data.
    let fail_control = || int(site, site.params.len().checked_sub(2)?);
    if short.starts_with("image.")
        && target.has_feature("gfx90a-insts")
        && matches!(site.cx.types.get(site.result), Type::Struct { .. })
        && fail_control().is_some_and(|control| control & 1 == 1)
    {
        return site.wrong(format!("{target} has no image instructions that return a status (TFE)"));
    }
    // The first argument of a store is data.
    let has_short = || {
        site.params.iter().skip(1).any(|ty| *ty == TypeId::HALF || site.cx.types.int_bits(*ty) == Some(16))
    };
    if short.starts_with("image.") && !target.facts().has_16_bit_coordinates && has_short() {
        return site.wrong(format!(
            "{target} has no image instructions with 16-bit coordinates; they came with GFX9"
        ));
    }
    if !target.has_feature("g16") && has_other_gradients(site, short) {
        let message =
            format!("gradients and coordinates must have one type on {target}; others came with GFX10");
        return site.wrong(message);
    }
    Ok(())
}

/// Whether an image instruction takes gradients of another size than its coordinates.
fn has_other_gradients(site: &Site<'_, '_>, short: &str) -> bool {
    let Some(words) = short.strip_prefix("image.") else { return false };
    let mut words = words.split('.');
    // The value to compare with is always of 32 bits.
    let compared = usize::from(words.clone().any(|word| word == "c"));
    let is_float = |ty: &&TypeId| matches!(**ty, TypeId::HALF | TypeId::FLOAT);
    let mut numbers = site.params.iter().filter(is_float).skip(compared);
    words.any(|word| matches!(word, "d" | "cd"))
        && numbers.next().is_some_and(|first| numbers.any(|other| other != first))
}

/// `llvm.amdgcn.cs.chain` gets the lanes that are on as its second argument: a bit for each. The lowest bit of its flags asks for other
/// VGPRs than those of the caller.
fn chain(site: &Site<'_, '_>, target: Target) -> Verdict {
    const FLAGS: usize = 4;
    if target.generation() < Generation::Gfx12 && int(site, FLAGS).is_some_and(|flags| flags & 1 == 1) {
        let message = format!("{target} has no dynamic VGPRs, which the flags ask for; they came with GFX12");
        return site.wrong_argument(FLAGS, message);
    }
    let lanes = target.wave_size().lanes();
    match site.params.get(1).and_then(|ty| site.cx.types.int_bits(*ty)) {
        Some(bits) if bits != lanes => site.wrong_argument(
            1,
            format!("the lanes that are on must be `i{lanes}` with waves of {lanes} lanes, are `i{bits}`"),
        ),
        _ => Ok(()),
    }
}

/// A predicate of `icmp`.
const EQUAL: i64 = 32;

/// Whether a buffer access that converts, or an image instruction, has data of 16 bits.
fn has_short_data(site: &Site<'_, '_>, short: &str) -> bool {
    if short.starts_with("image.load") || short.starts_with("image.sample") {
        return site.cx.types.scalar(site.result) == TypeId::HALF;
    }
    let buffer = short.strip_prefix("raw.").or_else(|| short.strip_prefix("struct."));
    let buffer = buffer.map(|rest| rest.strip_prefix("ptr.").unwrap_or(rest)).unwrap_or_default();
    let data = match () {
        () if buffer.starts_with("buffer.load.format") || buffer.starts_with("tbuffer.load") => {
            Some(&site.result)
        }
        () if buffer.starts_with("tbuffer.store") => site.params.first(),
        () => None,
    };
    data.map(|ty| site.cx.types.scalar(*ty)).is_some_and(|element| {
        matches!(element, TypeId::HALF | TypeId::BFLOAT) || site.cx.types.int_bits(element) == Some(16)
    })
}

/// LLVM 22 reduces a value that differs between lanes in a loop that it cannot place without the instructions of GFX8.
fn reduction(site: &Site<'_, '_>, target: Target, by: Selector) -> Verdict {
    if by == Selector::Dag && site.result == TypeId::HALF {
        return site.wrong(format!("{target} cannot reduce `half`; it is supported from GFX8 on"));
    }
    let has_crash = site.cx.scope.llvm_level.is_some_and(|level| level < NEWER_SINCE);
    match site.args().first().filter(|value| has_crash && differs(site.cx, **value, 0)) {
        Some(_) => site.wrong_argument(
            0,
            format!("LLVM 22 crashes on a reduction of a value that differs between lanes on {target}; it is supported from GFX8 on"),
        ),
        None => Ok(()),
    }
}

/// Whether a value is known to differ between lanes.
pub(crate) fn differs(cx: &RuleContext<'_>, operand: Operand, depth: u32) -> bool {
    let Value::Local(local) = operand.value else { return false };
    let is_kernel = matches!(cx.function.cc, AMDGPU_KERNEL | SPIR_KERNEL);
    match cx.body.locals.get(local.0 as usize).map(|local| local.kind) {
        Some(LocalKind::Argument(n)) if !is_kernel => {
            let param = cx.summary.params(cx.function).get(n as usize);
            let attributes = |span| AttributeSet::new(cx.scope, &cx.summary.tables, span, |_| TypeId::ERROR);
            param.is_some_and(|param| !attributes(param.attrs).has(AttrKind::InReg))
        }
        Some(LocalKind::Inst(id)) if depth < 16 => {
            let Some(inst) = cx.body.insts.get(id as usize) else { return false };
            if let Some(call) = cx.body.call(inst) {
                return cx.callee_name(call).is_some_and(|name| name.starts_with("llvm.amdgcn.workitem.id."));
            }
            let is_plain = inst.opcode.is_binary()
                || inst.opcode.is_cast()
                || matches!(inst.opcode, Opcode::GetElementPtr | Opcode::Load);
            is_plain && inst.operands.of(&cx.body.tables.operands).iter().any(|o| differs(cx, *o, depth + 1))
        }
        _ => false,
    }
}

fn int(site: &Site<'_, '_>, argument: usize) -> Option<i64> {
    match site.cx.constant(*site.args().get(argument)?)? {
        Const::Int(value) => Some(value),
        _ => None,
    }
}

/// The largest number that is part of an instruction with a constant operand.
const LAST_INLINE: i64 = 64;

/// An immediate that LLVM writes as it is, though the instruction has no room for it.
fn between(site: &Site<'_, '_>, argument: usize, name: &str, most: i64) -> Verdict {
    match int(site, argument) {
        Some(value) if !(0..=most).contains(&value) => {
            site.wrong_argument(argument, format!("{name} must be between 0 and {most}, is {value}"))
        }
        _ => Ok(()),
    }
}

/// How `v_mfma` and `v_smfmac` arrange the blocks of their operands; `v_smfmac` has the first two.
const MATRIX_CONTROLS: [(&str, i64); 3] = [("`cbsz`", 7), ("`abid`", 15), ("`blgp`", 7)];

/// The first of these arguments, which are the last ones.
fn matrix_controls(site: &Site<'_, '_>, short: &str) -> Option<usize> {
    let count = match short {
        _ if short.starts_with("mfma.scale.") => return None,
        _ if short.starts_with("mfma.") => 3,
        _ if short.starts_with("smfmac.") => 2,
        _ => return None,
    };
    site.params.len().checked_sub(count)
}

/// As `SIInstrInfo::verifyInstruction` reads `dpp_ctrl`.
fn dpp_control(site: &Site<'_, '_>, argument: usize, target: Target) -> Verdict {
    let Some(control) = int(site, argument) else { return Ok(()) };
    let facts = target.facts();
    let has_shares = facts.has_row_share || facts.has_row_newbcast;
    let problem = match control {
        // `quad_perm`; rows shifted right and left, and rotated; mirrors.
        0..=0xFF | 0x101..=0x10F | 0x111..=0x11F | 0x121..=0x12F | 0x140 | 0x141 => return Ok(()),
        0x130 | 0x134 | 0x138 | 0x13C if facts.has_row_share => "shifts a wave, which ended with GFX9",
        0x142 | 0x143 if facts.has_row_share => "broadcasts a row, which ended with GFX9",
        0x130 | 0x134 | 0x138 | 0x13C | 0x142 | 0x143 => return Ok(()),
        0x150..=0x15F if !has_shares => "is `row_share`, which came with GFX10 and GFX90A",
        0x160..=0x16F if !facts.has_row_share => "is `row_xmask`, which came with GFX10",
        0x150..=0x16F => return Ok(()),
        _ => "is not a lane permutation",
    };
    site.wrong_argument(argument, format!("`dpp_ctrl` 0x{control:X} {problem}: not supported on {target}"))
}

/// Bits 24 to 27 of the index are a number of dwords since GFX10, bits 0 to 5 that of the counter.
fn ordered_count(site: &Site<'_, '_>, target: Target) -> Verdict {
    let Some(index) = int(site, 5) else { return Ok(()) };
    let count = index >> 24 & 0xF;
    let has_count = target.facts().counts_ordered_dwords;
    if has_count && !(1..=4).contains(&count) {
        let message = format!(
            "bits 24 to 27 of the index must be a number of dwords between 1 and 4 on {target}, are {count}"
        );
        return site.wrong_argument(5, message);
    }
    let known = if has_count { 0xF00_003F } else { 0x3F };
    if index & !known != 0 {
        let message =
            format!("the index must be between 0 and 63 on {target}, but {index:#x} has further bits");
        return site.wrong_argument(5, message);
    }
    match (flag(site, 6), flag(site, 7)) {
        (Some(false), Some(true)) => {
            site.wrong_argument(7, "a wave that is done must also release the counter: argument 7 is `false`")
        }
        _ => Ok(()),
    }
}

fn flag(site: &Site<'_, '_>, argument: usize) -> Option<bool> {
    match site.cx.constant(*site.args().get(argument)?)? {
        Const::Bool(value) => Some(value),
        Const::Int(value) => Some(value != 0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, findings, marks};

    const CALLS: &str = r#"target triple = "amdgcn-amd-amdpal"
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 immarg)
declare i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2), i32, i32, i32, i1, i32, i1, i1)
declare <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i16(i32, i16, <8 x i32>, i32, i32)
define amdgpu_ps void @f(i32 %x, ptr addrspace(2) inreg %g, i16 %s, <8 x i32> inreg %d, ptr addrspace(1) %p) "target-cpu"="CPU" {
  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 %x, i32 %x, i32 312, i32 15, i32 15, i1 true)
  %b = call i32 @llvm.amdgcn.update.dpp.i32(i32 %x, i32 %a, i32 336, i32 15, i32 15, i1 true)
  %c = call i32 @llvm.amdgcn.update.dpp.i32(i32 %x, i32 %b, i32 256, i32 15, i32 15, i1 true)
  %o = call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) %g, i32 %c, i32 0, i32 0, i1 false, i32 1, i1 true, i1 true)
  %i = call <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i16(i32 15, i16 %s, <8 x i32> %d, i32 0, i32 0)
  store <4 x float> %i, ptr addrspace(1) %p
  ret void
}
"#;

    #[test]
    fn immediates_without_room_in_the_instruction() {
        marks(expect![[r#"
            target triple = "amdgcn-amd-amdhsa"
            declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32, i32, i32)
            declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
            define i32 @f(<4 x half> %a, <4 x float> %c, i32 %x, ptr %p) "target-cpu"="gfx942" {
              %m = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a, <4 x half> %a, <4 x float> %c, i32 7, i32 16, i32 7)
            ;                                                                                                                  ^^ warning[target-intrinsic]: `abid` must be between 0 and 15, is 16
              store <4 x float> %m, ptr %p
              %s = call i32 @llvm.amdgcn.ds.swizzle(i32 %x, i32 65535)
              %t = call i32 @llvm.amdgcn.ds.swizzle(i32 %s, i32 65536)
            ;                                                   ^^^^^ warning[target-intrinsic]: the offset must be between 0 and 65535, is 65536
              %u = call i32 @llvm.amdgcn.s.getreg(i32 70000)
            ;                                         ^^^^^ warning[target-intrinsic]: the register must be between 0 and 65535, is 70000
              call void @llvm.amdgcn.s.setreg(i32 -1, i32 %u)
              %v = call float @llvm.amdgcn.cvt.f32.fp8(i32 %t, i32 4)
            ;                                                      ^ warning[target-intrinsic]: the byte must be between 0 and 3, is 4
              store float %v, ptr %p
              ret i32 %u
            }
            define void @g(ptr %p) "target-cpu"="gfx1200" {
              call void @llvm.amdgcn.s.barrier.signal(i32 -1)
              call void @llvm.amdgcn.s.barrier.signal(i32 65)
            ;                                             ^^ warning[target-intrinsic]: the barrier must be between 0 and 64, is 65
              %v = call float @llvm.amdgcn.cvt.f32.fp8(i32 1, i32 4)
              store float %v, ptr %p
              ret void
            }
        "#]]);
    }

    #[test]
    fn what_came_later() {
        let text = |cpu: &str| {
            format!(
                r#"; RUN: llc -mtriple=amdgcn -mcpu={cpu} < %s
declare i16 @llvm.amdgcn.s.buffer.load.i16(<4 x i32>, i32, i32)
declare i32 @llvm.amdgcn.ds.consume.p2(ptr addrspace(2), i1 immarg)
declare i32 @llvm.amdgcn.wave.reduce.umax.i32(i32, i32 immarg)
declare i32 @llvm.amdgcn.permlane64.i32(i32)
declare float @llvm.amdgcn.image.atomic.min.flt.1d.f32.i32(float, i32, <8 x i32>, i32, i32)
define amdgpu_ps void @f(ptr addrspace(2) inreg %g, <4 x i32> inreg %d, i32 %v, i32 inreg %u, float %x, ptr addrspace(1) %p) {{
  %a = call i16 @llvm.amdgcn.s.buffer.load.i16(<4 x i32> %d, i32 4, i32 0)
  %b = call i32 @llvm.amdgcn.ds.consume.p2(ptr addrspace(2) %g, i1 false)
  %w = add i32 %v, %b
  %c = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %w, i32 1)
  %e = call i32 @llvm.amdgcn.wave.reduce.umax.i32(i32 %u, i32 1)
  %n = call i32 @llvm.amdgcn.permlane64.i32(i32 %v)
  store volatile i32 %n, ptr addrspace(1) %p
  %m = call i32 @llvm.amdgcn.permlane64.i32(i32 %u)
  store volatile i32 %m, ptr addrspace(1) %p
  %s = add i32 %c, %e
  store i32 %s, ptr addrspace(1) %p
  store i16 %a, ptr addrspace(1) %p
  ret void
}}
"#
            )
        };
        check(
            &text("bonaire"),
            expect![[r#"
                warning[target-intrinsic] 8:17 `@llvm.amdgcn.s.buffer.load.i16`: bonaire has no scalar loads of 8 or 16 bits; they came with GFX12
                warning[target-intrinsic] 13:17 `@llvm.amdgcn.permlane64.i32`: bonaire has no swap of the halves of a wave; it came with GFX11
            "#]],
        );
        check(
            &text("gfx950"),
            expect![[r#"
                warning[target-intrinsic] 8:17 `@llvm.amdgcn.s.buffer.load.i16`: gfx950 has no scalar loads of 8 or 16 bits; they came with GFX12
                warning[target-intrinsic] 9:61 `%g`: gfx950 has no global data share (address space 2)
                warning[target-intrinsic] 13:17 `@llvm.amdgcn.permlane64.i32`: gfx950 has no swap of the halves of a wave; it came with GFX11
            "#]],
        );
        check(
            &text("gfx1200"),
            expect![[r#"
                warning[target-intrinsic] 9:61 `%g`: gfx1200 has no global data share (address space 2)
            "#]],
        );
    }

    #[test]
    fn values_by_processor() {
        check(
            &CALLS.replace("CPU", "fiji"),
            expect![[r#"
                warning[target-intrinsic] 7:65 `336`: `dpp_ctrl` 0x150 is `row_share`, which came with GFX10 and GFX90A: not supported on fiji
                warning[target-intrinsic] 8:65 `256`: `dpp_ctrl` 0x100 is not a lane permutation: not supported on fiji
                warning[target-intrinsic] 10:25 `@llvm.amdgcn.image.load.1d.v4f32.i16`: fiji has no image instructions with 16-bit coordinates; they came with GFX9
            "#]],
        );
        check(
            &CALLS.replace("CPU", "gfx1030"),
            expect![[r#"
            warning[target-intrinsic] 6:65 `312`: `dpp_ctrl` 0x138 shifts a wave, which ended with GFX9: not supported on gfx1030
            warning[target-intrinsic] 8:65 `256`: `dpp_ctrl` 0x100 is not a lane permutation: not supported on gfx1030
            warning[target-intrinsic] 9:102 `1`: bits 24 to 27 of the index must be a number of dwords between 1 and 4 on gfx1030, are 0
        "#]],
        );
        check(
            &CALLS.replace("CPU", "gfx90a"),
            expect![[r#"
                warning[target-intrinsic] 8:65 `256`: `dpp_ctrl` 0x100 is not a lane permutation: not supported on gfx90a
                warning[target-intrinsic] 9:17 `@llvm.amdgcn.ds.ordered.add`: `llvm.amdgcn.ds.ordered.add` is not supported on gfx90a; it is supported on gfx600, gfx700, gfx802 and 14 others
            "#]],
        );
    }

    #[test]
    fn data_of_16_bits_and_status() {
        let text = |cpu: &str| {
            format!(
                r#"; RUN: llc -mtriple=amdgcn -mcpu={cpu} < %s
define amdgpu_ps half @f(<4 x i32> inreg %r, <8 x i32> inreg %i, i32 %s, half %v) {{
  %1 = call half @llvm.amdgcn.raw.buffer.load.f16(<4 x i32> %r, i32 0, i32 0, i32 0)
  %2 = call half @llvm.amdgcn.raw.buffer.load.format.f16(<4 x i32> %r, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.tbuffer.store.f16(half %v, <4 x i32> %r, i32 0, i32 0, i32 22, i32 0)
  %3 = call {{ float, i32 }} @llvm.amdgcn.image.load.1d.sl_f32i32s.i32(i32 1, i32 %s, <8 x i32> %i, i32 1, i32 0)
  %4 = fadd half %1, %2
  ret half %4
}}
"#
            )
        };
        check(
            &text("bonaire"),
            expect![[r#"
            warning[target-intrinsic] 4:18 `@llvm.amdgcn.raw.buffer.load.format.f16`: `llvm.amdgcn.raw.buffer.load.format` does not take `half` on bonaire, but `float`
            warning[target-intrinsic] 5:13 `@llvm.amdgcn.raw.tbuffer.store.f16`: bonaire has no buffer and image accesses of 16-bit values; they came with GFX8
        "#]],
        );
        check(
            &text("gfx90a"),
            expect![[r#"
            warning[target-intrinsic] 6:28 `@llvm.amdgcn.image.load.1d.sl_f32i32s.i32`: gfx90a has no image instructions that return a status (TFE)
        "#]],
        );
        check(&text("gfx1030"), expect![""]);
    }

    #[test]
    fn gradients_and_lanes() {
        let found = |cpu: &str| {
            findings(&format!(
                r#"; RUN: llc -mtriple=amdgcn -mcpu={cpu} < %s
define amdgpu_cs_chain void @f(<8 x i32> inreg %r, <4 x i32> inreg %s, half %h, float %x, ptr inreg %next, ptr addrspace(1) %p) {{
  %a = call <4 x float> @llvm.amdgcn.image.sample.d.1d.v4f32.f16.f32(i32 15, half %h, half %h, float %x, <8 x i32> %r, <4 x i32> %s, i1 0, i32 0, i32 0)
  %b = call <4 x float> @llvm.amdgcn.image.sample.c.d.1d.v4f32.f16.f16(i32 15, float %x, half %h, half %h, half %h, <8 x i32> %r, <4 x i32> %s, i1 0, i32 0, i32 0)
  %c = fadd <4 x float> %a, %b
  store <4 x float> %c, ptr addrspace(1) %p
  call void (ptr, i32, <4 x i32>, i32, i32, ...) @llvm.amdgcn.cs.chain(ptr %next, i32 -1, <4 x i32> inreg %s, i32 0, i32 0)
  unreachable
}}
"#
            ))
        };
        expect![[r#"
            3: target-intrinsic: gradients and coordinates must have one type on gfx900; others came with GFX10
            7: target-intrinsic: the lanes that are on must be `i64` with waves of 64 lanes, are `i32`
        "#]].assert_eq(&found("gfx900"));
        expect![[r#""#]].assert_eq(&found("gfx1030"));
    }

    #[test]
    fn counters_and_rays() {
        let text = |cpu: &str| {
            format!(
                r#"; RUN: llc -mtriple=amdgcn-mesa-mesa3d -mcpu={cpu} < %s
declare i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2), i32, i32, i32, i1, i32, i1, i1)
declare <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i32.v3f32(i32, float, <3 x float>, <3 x float>, <3 x float>, <4 x i32>)
declare i64 @llvm.amdgcn.icmp.i64.i1(i1, i1, i32)
define amdgpu_cs void @f(ptr addrspace(2) inreg %g, i32 %v, float %e, <3 x float> %o, <4 x i32> inreg %t, i1 %c, ptr addrspace(1) %p) {{
  %a = call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) %g, i32 %v, i32 0, i32 0, i1 false, i32 16777217, i1 true, i1 true)
  %b = call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) %g, i32 %a, i32 0, i32 0, i1 false, i32 16777281, i1 true, i1 true)
  %d = call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) %g, i32 %b, i32 0, i32 0, i1 false, i32 16777217, i1 false, i1 true)
  %r = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i32.v3f32(i32 %d, float %e, <3 x float> %o, <3 x float> %o, <3 x float> %o, <4 x i32> %t)
  store <4 x i32> %r, ptr addrspace(1) %p
  %i = call i64 @llvm.amdgcn.icmp.i64.i1(i1 %c, i1 false, i32 33)
  store i64 %i, ptr addrspace(1) %p
  ret void
}}
"#
            )
        };
        check(
            &text("gfx900"),
            expect![[r#"
            warning[target-intrinsic] 6:102 `16777217`: the index must be between 0 and 63 on gfx900, but 0x1000001 has further bits
            warning[target-intrinsic] 7:102 `16777281`: the index must be between 0 and 63 on gfx900, but 0x1000041 has further bits
            warning[target-intrinsic] 8:102 `16777217`: the index must be between 0 and 63 on gfx900, but 0x1000001 has further bits
            warning[target-intrinsic] 9:23 `@llvm.amdgcn.image.bvh.intersect.ray.i32.v3f32`: gfx900 has no ray tracing; it came with GFX10.3 and gfx1013
        "#]],
        );
        check(
            &text("gfx1030"),
            expect![[r#"
            warning[target-intrinsic] 7:102 `16777281`: the index must be between 0 and 63 on gfx1030, but 0x1000041 has further bits
            warning[target-intrinsic] 8:125 `true`: a wave that is done must also release the counter: argument 7 is `false`
            warning[target-intrinsic] 11:17 `@llvm.amdgcn.icmp.i64.i1`: LLVM 22 crashes on an `i64` result for `i1` with waves of 32 lanes; the result is `i32`
        "#]],
        );
    }
}
