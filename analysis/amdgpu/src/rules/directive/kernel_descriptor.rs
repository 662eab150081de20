//! `.amdhsa_kernel` to `.end_amdhsa_kernel`.

use wavelens_isa::Target;
use wavelens_isa::processor::ProcessorFacts;

use crate::assembler::kernel_descriptor::Descriptor;

wavelens_syntax::rules! {
    KERNEL_DESCRIPTOR {
        code: "kernel-descriptor",
        severity: wavelens_base::Severity::Error,
        title: "a kernel descriptor must have the required directives, each once, as the processor supports them",
        explain: "Between `.amdhsa_kernel` and `.end_amdhsa_kernel` are the settings of a kernel. The register counts are required; \
some settings exist only on some processors.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\ns_endpgm\n.amdhsa_kernel k\n\
.amdhsa_next_free_vgpr 4\n.end_amdhsa_kernel\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\ns_endpgm\n.amdhsa_kernel k\n\
.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        source: "LLVM AMDGPUAsmParser::ParseDirectiveAMDHSAKernel: \".amdhsa_next_free_sgpr directive is required\"",
    }
}

/// Where a descriptor is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultPlace {
    /// At its end.
    End,
    /// At the value of a directive, where LLVM reports it too.
    Value(&'static str),
    /// At the value of a directive; LLVM reports it at the end.
    EarlierThanLlvm(&'static str),
}

/// What is wrong with a descriptor as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) place: FaultPlace,
    pub(crate) message: String,
}

impl Fault {
    fn at(place: FaultPlace, message: impl Into<String>) -> Result<(), Fault> {
        Err(Fault { place, message: message.into() })
    }
}

/// The message about a value below zero.
pub(crate) fn negative(directive: &str, value: i64) -> String {
    format!("`{directive}` must not be negative, is {value}")
}

/// The message about a directive of other processors, with where it exists.
pub(crate) fn not_here(directive: &str, where_it_exists: &str, target: Target) -> String {
    format!("`{directive}` {where_it_exists}, and this is {target}")
}

/// The message about a directive that is written twice.
pub(crate) fn duplicate(directive: &str) -> String {
    format!("duplicate `{directive}` in this kernel descriptor")
}

/// What is wrong with a value of `.amdhsa_reserve_xnack_mask`. Only a target id that switches XNACK off does without the mask, where
/// the processor has it.
pub(crate) fn xnack_mask(value: u64, machine: &ProcessorFacts, xnack: Option<bool>) -> Option<String> {
    let is_off = machine.replays() && xnack == Some(false);
    let reserves = machine.replays() && !is_off;
    if value == u64::from(reserves) {
        return None;
    }
    let name = machine.target.name();
    Some(match is_off {
        true => format!("without XNACK, {name} has no XNACK mask to reserve"),
        false => format!("{name} has {} XNACK mask to reserve", if reserves { "an" } else { "no" }),
    })
}

/// What is wrong with a descriptor as a whole, as far as its values are known.
pub(crate) fn check(descriptor: &Descriptor, machine: Option<ProcessorFacts>) -> Result<(), Fault> {
    for required in ["next_free_vgpr", "next_free_sgpr"] {
        if descriptor.get(required).is_none() {
            return Fault::at(FaultPlace::End, format!("missing `.amdhsa_{required}`"));
        }
    }
    let Some(machine) = machine else { return Ok(()) };
    let granule = machine.vgpr_encoding_granule(has_wave32(descriptor));
    let vgprs = descriptor.value("next_free_vgpr");
    let blocks = vgprs.map(|vgprs| (vgprs.max(1) as u64).div_ceil(granule) - 1);
    scalar_registers(descriptor, &machine)?;
    if blocks.is_some_and(|blocks| blocks > 63) {
        let message = "more vector registers than a descriptor can ask for";
        return Fault::at(FaultPlace::Value("next_free_vgpr"), message);
    }
    user_registers(descriptor, &machine)?;
    if machine.facts().unified_agprs {
        accumulators(descriptor, vgprs)?;
    }
    shared_registers(descriptor, blocks)
}

fn has_wave32(descriptor: &Descriptor) -> Option<bool> {
    descriptor.value("wavefront_size32").map(|on| on != 0)
}

fn preloaded(descriptor: &Descriptor) -> i64 {
    descriptor.value("user_sgpr_kernarg_preload_length").unwrap_or(0)
}

fn scalar_registers(descriptor: &Descriptor, machine: &ProcessorFacts) -> Result<(), Fault> {
    let Some(sgprs) = descriptor.value("next_free_sgpr") else { return Ok(()) };
    if !machine.facts().allocates_sgprs {
        return Ok(());
    }
    let sgprs = if preloaded(descriptor) > 0 { sgprs.max(descriptor.user_sgprs()) } else { sgprs };
    let most = machine.addressable_sgprs() as i64;
    let too_many = |n: i64| {
        let message = format!("{n} scalar registers are more than the {most} there are");
        Fault::at(FaultPlace::Value("next_free_sgpr"), message)
    };
    let reserves_on_top = machine.facts().reserves_sgprs_on_top && !machine.sgpr_init_bug;
    if reserves_on_top && sgprs > most {
        return too_many(sgprs);
    }
    let yes = |name| descriptor.get(name).is_none_or(|(_, value)| value.unwrap_or(0) != 0);
    let extra = machine.extra_sgprs(yes("reserve_vcc"), yes("reserve_flat_scratch"), machine.xnack);
    let total = sgprs.saturating_add(i64::from(extra));
    if !reserves_on_top && total > most {
        return too_many(total);
    }
    // With this bug of the hardware each wave gets 96.
    let total = if machine.sgpr_init_bug { 96 } else { total };
    // The descriptor counts blocks of 8 in 4 bits.
    if (total.max(1) as u64).div_ceil(8) > 16 {
        return too_many(total);
    }
    Ok(())
}

fn user_registers(descriptor: &Descriptor, machine: &ProcessorFacts) -> Result<(), Fault> {
    let implied = descriptor.implied_user_sgprs();
    if let Some(explicit) = descriptor.value("user_sgpr_count").filter(|explicit| implied > *explicit) {
        let message =
            format!("{implied} user SGPRs are enabled, but `.amdhsa_user_sgpr_count` is {explicit}");
        return Fault::at(FaultPlace::EarlierThanLlvm("user_sgpr_count"), message);
    }
    if descriptor.user_sgprs() >= 1 << machine.facts().user_sgpr_count_bits {
        return Fault::at(FaultPlace::End, "too many user SGPRs");
    }
    let preload = preloaded(descriptor);
    let kernarg = descriptor.value("kernarg_size").unwrap_or(0);
    let offset = descriptor.value("user_sgpr_kernarg_preload_offset").unwrap_or(0);
    if preload > 0 && kernarg > 0 && (preload + offset) * 4 > kernarg {
        let message = "more arguments are preloaded than `.amdhsa_kernarg_size` holds";
        return Fault::at(FaultPlace::EarlierThanLlvm("user_sgpr_kernarg_preload_length"), message);
    }
    Ok(())
}

fn accumulators(descriptor: &Descriptor, vgprs: Option<i64>) -> Result<(), Fault> {
    let place = FaultPlace::EarlierThanLlvm("accum_offset");
    let Some((_, offset)) = descriptor.get("accum_offset") else {
        return Fault::at(FaultPlace::End, "missing `.amdhsa_accum_offset`");
    };
    let Some(offset) = offset else { return Ok(()) };
    if !(4..=256).contains(&offset) || offset % 4 != 0 {
        return Fault::at(place, "`.amdhsa_accum_offset` must be a multiple of 4 between 4 and 256");
    }
    match vgprs {
        Some(vgprs) if offset > (vgprs.max(1) + 3) / 4 * 4 => Fault::at(
            place,
            format!("`.amdhsa_accum_offset` is {offset}, but `.amdhsa_next_free_vgpr` is only {vgprs}"),
        ),
        _ => Ok(()),
    }
}

/// `blocks` are those of the kernel's own vector registers, without the first.
fn shared_registers(descriptor: &Descriptor, blocks: Option<u64>) -> Result<(), Fault> {
    let place = FaultPlace::EarlierThanLlvm("shared_vgpr_count");
    let Some(shared) = descriptor.value("shared_vgpr_count").filter(|shared| *shared > 0) else {
        return Ok(());
    };
    if has_wave32(descriptor) == Some(true) {
        return Fault::at(place, "waves of 32 lanes have no shared vector registers");
    }
    if blocks.is_some_and(|blocks| shared as u64 * 2 + blocks > 63) {
        let message =
            "`.amdhsa_shared_vgpr_count` and the kernel's own vector registers exceed the register file";
        return Fault::at(place, message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn register_counts_are_required() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .end_amdhsa_kernel
                ;^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: missing `.amdhsa_next_free_sgpr`
            "#]],
        );
    }

    #[test]
    fn a_setting_is_there_once_and_where_the_processor_has_it() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_vgpr 8
                ;^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: duplicate `.amdhsa_next_free_vgpr` in this kernel descriptor
                ;                    = line 4:1: the first value is here
                .amdhsa_next_free_sgpr 8
                .amdhsa_wavefront_size32 1
                ;^^^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: `.amdhsa_wavefront_size32` exists from gfx10 on, and this is gfx900
                .amdhsa_ieee_mode 2
                ;                 ^ error[kernel-descriptor]: `.amdhsa_ieee_mode` must be between 0 and 1, is 2
                .amdhsa_reserve_vcc -1
                ;                   ^^ error[kernel-descriptor]: `.amdhsa_reserve_vcc` must not be negative, is -1
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn enabled_user_registers_fit_their_count() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_user_sgpr_count 1
                ;                       ^ error[kernel-descriptor]: 2 user SGPRs are enabled, but `.amdhsa_user_sgpr_count` is 1
                ;                       = line 8:1: LLVM reports it here
                .amdhsa_user_sgpr_dispatch_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn scalar_registers_are_there() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 200
                ;                      ^^^ error[kernel-descriptor]: 200 scalar registers are more than the 102 there are
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn accumulators_start_at_a_multiple_of_4_within_the_vector_registers() {
        marks(
            "gfx90a",
            expect![[r#"
                a:
                b:
                c:
                s_endpgm
                .amdhsa_kernel a
                .amdhsa_next_free_vgpr 16
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
                ;^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: missing `.amdhsa_accum_offset`
                .amdhsa_kernel b
                .amdhsa_next_free_vgpr 16
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 6
                ;                    ^ error[kernel-descriptor]: `.amdhsa_accum_offset` must be a multiple of 4 between 4 and 256
                ;                    = line 13:1: LLVM reports it here
                .end_amdhsa_kernel
                .amdhsa_kernel c
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 8
                ;                    ^ error[kernel-descriptor]: `.amdhsa_accum_offset` is 8, but `.amdhsa_next_free_vgpr` is only 4
                ;                    = line 18:1: LLVM reports it here
                .end_amdhsa_kernel
            "#]],
        );
    }
}
