//! Loads of kernel arguments that start after the last argument.

use wavelens_isa::{Half, Reg, RegFile};

use crate::assembler::kernel_descriptor::Descriptor;
use crate::context::RuleContext;
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    KERNEL_ARGUMENTS {
        code: "kernel-arguments",
        severity: wavelens_base::Severity::Warning,
        title: "a kernel must not load arguments from beyond the size that its descriptor gives",
        explain: "The arguments of a kernel are in a segment of `.amdhsa_kernarg_size` bytes, whose address is in the scalar registers that \
`.amdhsa_user_sgpr_kernarg_segment_ptr` asks for. A scalar load from a constant offset at or beyond that size reads memory that is not the \
kernel's. The rule reports loads through these registers as long as nothing has written them; a size of 0 is taken as not known, and a \
load that only ends beyond the size is accepted: compilers widen loads.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\ns_load_dword s2, s[0:1], 0x8\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_kernarg_size 8\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 4\n\
.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\ns_load_dword s2, s[0:1], 0x4\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_kernarg_size 8\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 4\n\
.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        source: "LLVM AMDGPU usage guide, \"Kernel Descriptor\" (KERNARG_SIZE) and \"Initial Kernel Execution State\"",
    }
}

/// The registers that hold the address of the arguments when a kernel starts.
fn address(descriptor: &Descriptor) -> Option<Reg> {
    let first = descriptor.user_sgprs_before("user_sgpr_kernarg_segment_ptr")?;
    Some(Reg { file: RegFile::Sgpr, index: u16::try_from(first).ok()?, dwords: 2, half: Half::Full })
}

/// Reports the loads of one kernel.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, Some(descriptor)) = (cx.graph, cx.descriptor) else { return };
    let Some((place, Some(size))) = descriptor.get("kernarg_size") else { return };
    let Some(address) = address(descriptor).filter(|_| size > 0) else { return };
    let overwrites = |index: usize| {
        graph.effects.get(index).is_none_or(|e| e.call || e.writes.iter().any(|w| w.reg().overlaps(address)))
            || graph.follows_gap(index)
    };
    let all = 0..graph.instructions.len();
    let end = match all.clone().any(overwrites) {
        // Only on the way from the start.
        true => graph.block(0).find(|index| overwrites(*index)).map_or(graph.block(0).end, |index| index + 1),
        false => all.end,
    };
    for (index, instruction) in graph.instructions.iter().enumerate().take(end) {
        let inst = &instruction.encoded;
        let is_load = inst.mnemonic().starts_with("s_load_") && inst.register("sbase") == Some(address);
        let starts = inst.number("offset").filter(|_| is_load && inst.register("soffset").is_none());
        if let Some(starts) = starts.filter(|starts| *starts >= size) {
            let message = format!(
                "the arguments of the kernel have {size} bytes, and this load starts at byte {starts}"
            );
            let diagnostic = Diagnostic::new(&KERNEL_ARGUMENTS, instruction.range, message)
                .related(Place::Here(place), "the size of the arguments");
            cx.diagnostics.push(graph.show_nested(index, diagnostic));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn arguments_are_inside_their_segment() {
        marks(
            "gfx90a",
            expect![[r#"
                k:
                s_load_dwordx2 s[4:5], s[2:3], 0x8
                s_load_dwordx2 s[6:7], s[2:3], 0x10
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[kernel-arguments]: the arguments of the kernel have 16 bytes, and this load starts at byte 16
                ;                                 = line 10:22: the size of the arguments
                s_load_dwordx2 s[8:9], s[0:1], 0x100
                s_load_dwordx2 s[2:3], s[2:3], 0x40
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[kernel-arguments]: the arguments of the kernel have 16 bytes, and this load starts at byte 64
                ;                                 = line 10:22: the size of the arguments
                s_waitcnt lgkmcnt(0)
                s_load_dwordx2 s[4:5], s[2:3], 0x40
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_kernarg_size 16
                .amdhsa_user_sgpr_dispatch_ptr 1
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 16
                .amdhsa_accum_offset 4
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1201",
            expect![[r#"
                k:
                s_load_b64 s[4:5], s[0:1], 0x10
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[kernel-arguments]: the arguments of the kernel have 16 bytes, and this load starts at byte 16
                ;                             = line 5:22: the size of the arguments
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_kernarg_size 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 16
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn an_address_that_is_written_or_a_size_that_is_not_known_says_nothing() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_branch other
                again:
                s_load_dwordx2 s[4:5], s[0:1], 0x40
                s_endpgm
                other:
                s_add_u32 s0, s0, 64
                s_branch again
                .amdhsa_kernel k
                .amdhsa_kernarg_size 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 16
                .end_amdhsa_kernel
                j:
                s_load_dwordx2 s[4:5], s[0:1], 0x40
                s_endpgm
                .amdhsa_kernel j
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 16
                .end_amdhsa_kernel
            "#]],
        );
    }
}
