//! What the metadata of a code object says of a kernel against its descriptor.

use wavelens_base::{Diagnostic, Place, TextRange};

use crate::assembler::kernel_descriptor::Descriptor;
use crate::assembler::metadata::KernelMetadata;

wavelens_syntax::rules! {
    METADATA_MISMATCH {
        code: "metadata-mismatch",
        severity: wavelens_base::Severity::Warning,
        title: "the metadata of a kernel must agree with its descriptor",
        explain: "The runtime finds a kernel through `.symbol`, which must be the name of its descriptor: the kernel's name and `.kd`. It \
allocates what the metadata says, and the hardware is set up by the descriptor: sizes of the arguments, of LDS and of scratch memory, \
and the lanes of a wave must be the same in both, and every argument must end inside of `.kernarg_segment_size`. The rule looks at files \
that have both.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_group_segment_fixed_size 1024\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n\
.amdgpu_metadata\n---\namdhsa.version: [ 1, 2 ]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 0\n\
\x20   .kernarg_segment_align: 4\n    .group_segment_fixed_size: 512\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n\
\x20   .sgpr_count: 8\n    .vgpr_count: 4\n    .max_flat_workgroup_size: 256\n...\n.end_amdgpu_metadata\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_group_segment_fixed_size 1024\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n\
.amdgpu_metadata\n---\namdhsa.version: [ 1, 2 ]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 0\n\
\x20   .kernarg_segment_align: 4\n    .group_segment_fixed_size: 1024\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n\
\x20   .sgpr_count: 8\n    .vgpr_count: 4\n    .max_flat_workgroup_size: 256\n...\n.end_amdgpu_metadata\n",
        source: "LLVM AMDGPU usage guide, \"Code Object Metadata\" (.symbol, .group_segment_fixed_size, ...) and \"Kernel Descriptor\"",
    }
}

/// Keys of the metadata, and the directives that say the same.
const SIZES: [(&str, &str); 3] = [
    (".kernarg_segment_size", "kernarg_size"),
    (".group_segment_fixed_size", "group_segment_fixed_size"),
    (".private_segment_fixed_size", "private_segment_fixed_size"),
];

/// Compares what a file says of one kernel in both places. `is_defined` says whether the file has a symbol.
pub(crate) fn check(
    kernel: &KernelMetadata,
    descriptor: Option<&Descriptor>,
    is_defined: impl Fn(&str) -> bool,
    out: &mut Vec<Diagnostic>,
) {
    let report = |range: TextRange, message: String| Diagnostic::new(&METADATA_MISMATCH, range, message);
    let expected = format!("{}.kd", kernel.name);
    if let Some((symbol, range)) = &kernel.symbol
        && *symbol != expected
        && !is_defined(symbol)
        && is_defined(&expected)
    {
        let message =
            format!("undefined symbol `{symbol}`: the descriptor of `{}` is `{expected}`", kernel.name);
        let own = TextRange::new(range.end() - wavelens_base::TextSize::of(symbol.as_str()), range.end());
        out.push(report(own, message).guess(format!("Replace with `{expected}`"), own, expected.as_str()));
    }
    if let Some((size, _)) = kernel.number(".kernarg_segment_size") {
        for (end, range) in kernel.arguments.iter().filter(|(end, _)| *end > size) {
            let message = format!("this argument ends at byte {end}, but `.kernarg_segment_size` is {size}");
            out.push(report(*range, message));
        }
    }
    let Some(descriptor) = descriptor.filter(|descriptor| descriptor.complete) else { return };
    for (key, name) in SIZES {
        if let (Some((own, range)), Some((place, Some(value)))) = (kernel.number(key), descriptor.get(name))
            && own != value
        {
            let message = format!("`{key}` is {own}, but `.amdhsa_{name}` of the descriptor is {value}");
            out.push(report(range, message).related(Place::Here(place), "the descriptor's value"));
        }
    }
    if let (Some((own, range)), Some((place, Some(value)))) =
        (kernel.number(".wavefront_size"), descriptor.get("wavefront_size32"))
    {
        let lanes = if value != 0 { 32 } else { 64 };
        if own != lanes {
            let message = format!(
                "`.wavefront_size` is {own}, but `.amdhsa_wavefront_size32` is {value}: waves have {lanes} lanes"
            );
            out.push(report(range, message).related(Place::Here(place), "the descriptor's value"));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn metadata_and_descriptor_agree() {
        marks(
            "gfx1100",
            expect![[r#"
                k:
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_kernarg_size 16
                .amdhsa_group_segment_fixed_size 1024
                .amdhsa_private_segment_fixed_size 8
                .amdhsa_wavefront_size32 1
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernels:
                  - .name: k
                    .symbol: kk.kd
                ;            ^^^^^ warning[metadata-mismatch]: undefined symbol `kk.kd`: the descriptor of `k` is `k.kd`
                ;                = guess:     .symbol: k.kd
                    .kernarg_segment_size: 8
                ;   ^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.kernarg_segment_size` is 8, but `.amdhsa_kernarg_size` of the descriptor is 16
                ;                          = line 4:22: the descriptor's value
                    .kernarg_segment_align: 8
                    .group_segment_fixed_size: 512
                ;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.group_segment_fixed_size` is 512, but `.amdhsa_group_segment_fixed_size` of the descriptor is 1024
                ;                                = line 5:34: the descriptor's value
                    .private_segment_fixed_size: 8
                    .wavefront_size: 64
                ;   ^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.wavefront_size` is 64, but `.amdhsa_wavefront_size32` is 1: waves have 32 lanes
                ;                     = line 7:26: the descriptor's value
                    .sgpr_count: 8
                    .vgpr_count: 4
                    .max_flat_workgroup_size: 256
                    .args:
                      - .offset: 0
                        .size: 8
                        .value_kind: by_value
                      - .offset: 8
                        .size: 8
                ;       ^^^^^^^^ warning[metadata-mismatch]: this argument ends at byte 16, but `.kernarg_segment_size` is 8
                        .value_kind: by_value
                ...
                .end_amdgpu_metadata
            "#]],
        );
    }
}
