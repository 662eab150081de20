//! Memory instructions: images, what some processors lack, accumulation registers.

use wavelens_isa::mir::flag;
use wavelens_syntax::wording;

use super::{Check, Processor, accesses_memory, kind_of, names, target_flag};
use crate::context::{Reg, RuleContext, VirtualKind, fail_in};
use crate::model::*;
use wavelens_base::{Verdict, fail};

wavelens_syntax::rules! {
    IMAGE {
        code: "bad-image-operands",
        severity: wavelens_base::Severity::Error,
        title: "an image instruction has a memory operand, a result and an address of the right size",
        explain: "The result holds the components that `dmask` selects (and one more with `tfe` or `lwe`); the number of address registers depends on the operation and the dimension.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:sgpr_256 = IMPLICIT_DEF
    %2:vgpr_32 = IMAGE_LOAD_V1_V1 %0, %1, 1, -1, 0, 0, 0, 0, 0, 0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:sgpr_256 = IMPLICIT_DEF
    %2:vgpr_32 = IMAGE_LOAD_V1_V1 %0, %1, 1, -1, 0, 0, 0, 0, 0, 0, implicit $exec :: (load (s32))
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"Image instruction returns too many registers for dst register class\", \"image address size does not match dim and a16\"",
    }

    NO_AGPR_MEMORY {
        code: "accumulation-register-access",
        severity: wavelens_base::Severity::Error,
        title: "accumulation registers are loaded and stored only from gfx90a, not mixed with VGPRs",
        explain: "Before gfx90a an AGPR must be copied to a VGPR first.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx908" }
...
---
name: f
body: |
  bb.0:
    $agpr0 = GLOBAL_ATOMIC_ADD_RTN_agpr $vgpr2_vgpr3, $agpr0, 0, 1, implicit $exec :: (load store (s32))
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx908" }
...
---
name: f
body: |
  bb.0:
    $vgpr0 = GLOBAL_ATOMIC_ADD_RTN $vgpr2_vgpr3, $vgpr0, 0, 1, implicit $exec :: (load store (s32))
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"Invalid register class: vdata and vdst should be both VGPR or AGPR\"",
    }

    UNSUPPORTED {
        code: "unsupported-by-processor",
        severity: wavelens_base::Severity::Error,
        title: "an instruction uses only what the processor of the function supports",
        explain: "The processor comes from the `target-cpu` attribute of the IR function, the RUN line or the options. Examples are offsets of flat instructions before gfx9 and global data share.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx803" }
...
---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = FLAT_LOAD_DWORD %0, 16, 0, implicit $exec, implicit $flat_scr :: (load (s32))
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx803" }
...
---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = FLAT_LOAD_DWORD %0, 0, 0, implicit $exec, implicit $flat_scr :: (load (s32))
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"subtarget does not support offsets in flat instructions\"",
    }

    ODD_ADDRESS {
        code: "odd-image-address",
        severity: wavelens_base::Severity::Error,
        title: "vector register tuples start at an even register where the processor requires it",
        explain: "gfx90a and later CDNA processors require even alignment of tuples, also of a single address register of an image instruction.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx90a" }
...
---
name: f
body: |
  bb.0:
    $vgpr0 = IMAGE_SAMPLE_V1_V1_gfx90a $vgpr1, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, $sgpr8_sgpr9_sgpr10_sgpr11, 1, 0, 0, 0, 0, 0, 0, implicit $exec :: (load (s32))
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx90a" }
...
---
name: f
body: |
  bb.0:
    $vgpr0 = IMAGE_SAMPLE_V1_V1_gfx90a $vgpr2, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, $sgpr8_sgpr9_sgpr10_sgpr11, 1, 0, 0, 0, 0, 0, 0, implicit $exec :: (load (s32))
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"Subtarget requires even aligned vector registers\"",
    }
}

/// Whether an instruction can scale its offset: scalar loads can, and others that have an offset in a vector register.
fn scales_offset(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> bool {
    let has = |name: u16| check.index(cx, name).is_some();
    let is_scratch = || cx.f.opcode_text(check.inst.source).starts_with("SCRATCH_");
    check.is(target_flag::SMRD)
        || check.is(target_flag::FLAT) && has(names().vaddr) && (has(names().saddr) || is_scratch())
}

/// Number of coordinates and of gradients, by the number of the dimension.
const DIMENSIONS: [(u32, u32); 8] = [(1, 2), (2, 4), (3, 6), (3, 4), (2, 2), (3, 4), (3, 4), (4, 4)];

/// The result against `dmask`.
pub(super) fn check_image_data(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let desc = &check.inst.desc;
    if !check.is(target_flag::IMAGE) {
        return Ok(());
    }
    if check.inst.source.memory.is_empty() && desc.is(flag::MAY_LOAD | flag::MAY_STORE) {
        let name = cx.f.opcode_text(check.inst.source);
        return fail(&IMAGE, format!("missing memory operand of `{name}`"));
    }
    let ids = names();
    let (false, Some(mask)) = (desc.is(flag::MAY_STORE), check.immediate(cx, ids.dmask)) else {
        return Ok(());
    };
    let on = |name: u16| check.immediate(cx, name).is_some_and(|v| v != 0);
    let mut is_packed = false;
    let mut count = if check.is(target_flag::GATHER4) { 4 } else { mask.count_ones() };
    if on(ids.d16) {
        match check.processor {
            Some(p) if !p.unpacked_d16() => {
                count = count.div_ceil(2);
                is_packed = true;
            }
            Some(_) => {}
            None => return Ok(()),
        }
    }
    let with_status = on(ids.tfe) || on(ids.lwe);
    count += u32::from(with_status);
    let Some(data) = check.operand(cx, ids.vdata) else { return Ok(()) };
    let Some(bits) = bits(cx, data) else { return Ok(()) };
    if count > bits / 32 {
        return fail_in(
            &IMAGE,
            data.range,
            format!(
                "the result must have {count} registers for `dmask` {mask:#x}{}{}, has {}",
                if is_packed { " of packed 16-bit data" } else { "" },
                if with_status { " and the status of TFE or LWE" } else { "" },
                bits / 32
            ),
        );
    }
    Ok(())
}

/// Size of a register operand.
fn bits(cx: &RuleContext<'_>, operand: &Operand) -> Option<u32> {
    let register = operand.register()?;
    if register.sub.is_some() {
        return cx
            .known_sub_index(register.sub)
            .map(|s| u32::from(cx.t.sub_index_span(s).0))
            .filter(|b| *b < 65535);
    }
    match cx.reg(register) {
        Reg::Virtual(v) => match cx.virtual_of(v).kind {
            VirtualKind::Class(class) => Some(cx.t.class_bits(class)),
            _ => None,
        },
        Reg::Physical(p) => cx.t.minimal_class(p).map(|c| cx.t.class_bits(c)),
        Reg::None => None,
    }
}

pub(super) fn check_memory(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let ids = names();
    let nonzero = |cx: &RuleContext<'_>, name: u16| -> Option<wavelens_base::TextRange> {
        let operand = check.operand(cx, name)?;
        operand.immediate().filter(|v| *v != 0).map(|_| operand.range)
    };
    if let Some(processor) = check.processor {
        let offset = || nonzero(cx, ids.offset);
        if let Some(range) = offset().filter(|_| check.is(target_flag::FLAT) && !processor.flat_offsets()) {
            return fail_in(
                &UNSUPPORTED,
                range,
                format!("offsets of flat instructions are not supported on {}", check.processor_name(cx)),
            );
        }
        if let Some(range) = nonzero(cx, ids.gds).filter(|_| check.is(target_flag::DS) && !processor.gds()) {
            return fail_in(
                &UNSUPPORTED,
                range,
                format!("global data share is not supported on {}", check.processor_name(cx)),
            );
        }
        // Bit 11 of the cache policy scales the offset.
        let policy = check.operand(cx, ids.cpol).and_then(|o| Some((o.range, o.immediate()?)));
        if let Some((range, _)) = policy.filter(|(_, policy)| policy & 1 << 11 != 0) {
            if !processor.facts().has_scale_offset {
                let message = format!("scaled offsets are not supported on {}", check.processor_name(cx));
                return fail_in(&UNSUPPORTED, range, message);
            }
            if !scales_offset(cx, check) {
                let name = cx.f.opcode_text(check.inst.source);
                return fail_in(&UNSUPPORTED, range, format!("`{name}` does not support scaled offsets"));
            }
        }
        if check.is(target_flag::SMRD)
            && check.inst.desc.is(flag::MAY_STORE)
            && processor.facts().stores_scalars_at_m0
        {
            let m0 = cx.t.register("m0");
            let offset = check.operand(cx, ids.soffset);
            let wrong =
                offset.filter(|o| o.register().is_some_and(|r| Some(cx.reg(r)) != m0.map(Reg::Physical)));
            if let Some(wrong) = wrong {
                return fail_in(
                    &UNSUPPORTED,
                    wrong.range,
                    "the offset register of a scalar store must be `$m0` on gfx8",
                );
            }
        }
        check_accumulation(cx, check, processor)?;
    }
    if check.is(target_flag::IMAGE) {
        check_address(cx, check)?;
    }
    let is_aligned = || check.processor.is_some_and(|p| p.facts().unified_agprs);
    let address = check.operand(cx, ids.vaddr).filter(|_| check.is(target_flag::MIMG) && is_aligned());
    if let Some(operand) = address.filter(|o| is_odd(cx, o)) {
        return fail_in(
            &ODD_ADDRESS,
            operand.range,
            format!(
                "the address of an image instruction must start at an even register on {}",
                check.processor_name(cx)
            ),
        );
    }
    Ok(())
}

/// Whether a vector register does not surely start at an even number.
fn is_odd(cx: &RuleContext<'_>, operand: &Operand) -> bool {
    let first = |register| {
        let name = cx.t.register_name(register);
        let digits: String = name.chars().skip(4).take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().unwrap_or(0)
    };
    let Some(register) = operand.register() else { return false };
    match cx.reg(register) {
        Reg::Physical(physical) => first(physical) % 2 == 1,
        Reg::Virtual(v) => {
            let VirtualKind::Class(class) = cx.virtual_of(v).kind else { return false };
            let offset = cx.known_sub_index(register.sub).map_or(0, |s| u32::from(cx.t.sub_index_span(s).1));
            let odd = |register| first(register) % 2 == 1;
            cx.t.class_bits(class) <= 32 || offset / 32 % 2 == 1 || cx.t.class_members(class).any(odd)
        }
        Reg::None => false,
    }
}

fn check_accumulation(cx: &RuleContext<'_>, check: &Check<'_, '_>, processor: Processor) -> Verdict {
    if !accesses_memory(check) {
        return Ok(());
    }
    let ids = names();
    let data_name = if check.is(target_flag::DS) { ids.data0 } else { ids.vdata };
    let register = |name: u16| check.operand(cx, name).filter(|o| o.register().is_some());
    let [result, data, more] = [register(ids.vdst), register(data_name), register(ids.data1)];
    let is_agpr = |o: &Operand| kind_of(cx, o).map(super::Kind::is_accumulator);
    let found = [result, data, more].into_iter().flatten().find(|o| is_agpr(o) == Some(true));
    let Some(found) = found else { return Ok(()) };
    if !processor.gfx90a() {
        return fail_in(
            &NO_AGPR_MEMORY,
            found.range,
            format!("loading and storing AGPRs is not supported on {}", check.processor_name(cx)),
        );
    }
    for (a, b) in [(result, data), (data, more)] {
        if let (Some(a), Some(b)) = (a, b)
            && let (Some(first), Some(second)) = (is_agpr(a), is_agpr(b))
            && first != second
        {
            return fail_in(&NO_AGPR_MEMORY, b.range, "the data registers must all be VGPRs or all be AGPRs");
        }
    }
    Ok(())
}

/// The number of address registers.
fn check_address(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let ids = names();
    let Some(dim) = check.operand(cx, ids.dim) else { return Ok(()) };
    let Some(number) = dim.immediate() else { return Ok(()) };
    let Some((coordinates, gradients)) =
        usize::try_from(number).ok().and_then(|n| DIMENSIONS.get(n)).copied()
    else {
        let message = wording::out_of_range("dim", 0, DIMENSIONS.len() - 1, number);
        return fail_in(&IMAGE, dim.range, message);
    };
    let (Some(processor), Some(words)) =
        (check.processor, Operation::of(cx.f.opcode_text(check.inst.source)))
    else {
        return Ok(());
    };
    let on = |name: u16| check.immediate(cx, name).is_some_and(|v| v != 0);
    let half = if processor.r128_a16() { on(ids.r128) } else { processor.a16() && on(ids.a16) };
    let components = u32::from(words.coordinates) * coordinates + u32::from(words.level);
    let mut wanted = words.extra + if half { components.div_ceil(2) } else { components };
    if words.gradients {
        let packed = half && !processor.g16() || words.half_gradients;
        wanted += if packed { (gradients / 2).next_multiple_of(2) } else { gradients };
    }
    let resource = if check.is(target_flag::MIMG) { ids.srsrc } else { ids.rsrc };
    let (Some(first), Some(resource)) = (check.index(cx, ids.vaddr0), check.index(cx, resource)) else {
        return Ok(());
    };
    let Some(operand) = cx.operand(check.inst, first) else { return Ok(()) };
    let registers = resource.saturating_sub(first);
    let have = if registers > 1 {
        if processor.partial_nsa() {
            let last = cx.operand(check.inst, resource - 1).and_then(|o| bits(cx, o));
            let Some(last) = last else { return Ok(()) };
            registers as u32 + (last / 32).saturating_sub(1)
        } else {
            registers as u32
        }
    } else {
        if wanted > 12 {
            wanted = 16;
        }
        let Some(bits) = bits(cx, operand) else { return Ok(()) };
        bits / 32
    };
    if have != wanted {
        return fail_in(&IMAGE, operand.range, format!("expected {wanted} address registers, found {have}"));
    }
    Ok(())
}

/// The address operands of an image operation, by its name.
#[derive(Debug, PartialEq, Eq)]
struct Operation {
    coordinates: bool,
    /// Level of detail, its clamp, or a mipmap level.
    level: bool,
    /// Offset, bias, and the value to compare with.
    extra: u32,
    gradients: bool,
    half_gradients: bool,
}

impl Operation {
    /// From an opcode like `IMAGE_SAMPLE_C_D_CL_O_V4_V8_gfx10`; `None` for operations with addresses of their own.
    fn of(opcode: &str) -> Option<Operation> {
        let rest = opcode.strip_prefix("IMAGE_")?;
        let end = rest.find("_V").unwrap_or(rest.len());
        let mut words = rest.get(..end)?.split('_');
        let mut found =
            Operation { coordinates: true, level: false, extra: 0, gradients: false, half_gradients: false };
        match words.next()? {
            "LOAD" | "STORE" => found.level = words.clone().next() == Some("MIP"),
            "ATOMIC" => {}
            "GET" => match words.next()? {
                "RESINFO" => (found.coordinates, found.level) = (false, true),
                "LOD" => {}
                _ => return None,
            },
            "SAMPLE" | "GATHER4" | "GATHER4H" => {
                for word in words {
                    match word {
                        "C" | "B" | "O" => found.extra += 1,
                        "L" | "CL" => found.level = true,
                        "D" | "CD" => found.gradients = true,
                        "G16" => found.half_gradients = true,
                        "LZ" | "nortn" => {}
                        _ => return None,
                    }
                }
            }
            _ => return None,
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_operands_of_image_operations() {
        let of = |name| Operation::of(name).map(|o| (o.coordinates, o.level, o.extra, o.gradients));
        assert_eq!(of("IMAGE_SAMPLE_C_D_CL_O_V4_V8_gfx10"), Some((true, true, 2, true)));
        assert_eq!(of("IMAGE_LOAD_MIP_V4_V3"), Some((true, true, 0, false)));
        assert_eq!(of("IMAGE_GET_RESINFO_V4_V1"), Some((false, true, 0, false)));
        assert_eq!(of("IMAGE_BVH_INTERSECT_RAY_sa_gfx10"), None);
    }
}
