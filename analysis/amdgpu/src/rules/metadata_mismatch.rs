//! What the metadata of a code object says of a kernel against its descriptor.

use wavelens_base::{Diagnostic, Place, TextRange};

use crate::assembler::kernel_descriptor::Descriptor;
use crate::assembler::metadata::{Argument, KernelMetadata};
use crate::context::RuleContext;
use crate::rules::declared_resources::first_use;
use wavelens_isa::{RegFile, Target};

wavelens_syntax::rules! {
    METADATA_MISMATCH {
        code: "metadata-mismatch",
        severity: wavelens_base::Severity::Warning,
        title: "the metadata of a kernel must agree with its descriptor",
        explain: "The runtime finds a kernel through `.symbol`, which must be the name of its descriptor: the kernel's name and `.kd`. It \
allocates what the metadata says, and the hardware is set up by the descriptor: sizes of the arguments, of LDS and of scratch memory, \
and the lanes of a wave must be the same in both; only a descriptor's size of arguments may be 0, which leaves it open. Every argument must end inside of `.kernarg_segment_size`, arguments must not overlap, \
`.kernarg_segment_align` is a power of 2, and a workgroup has at most `.max_flat_workgroup_size` lanes, which is 1024 at most. Every kernel of \
the metadata that the file has needs a descriptor, and where the metadata lists kernels, it must list those that have one. `.vgpr_count`, `.agpr_count` and `.sgpr_count`, which the runtime \
reports, count at least the registers that the kernel names.",
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

/// The size that 0 in a descriptor leaves open: the dispatch packet says where the arguments are, and the metadata how many bytes they have.
const UNSPECIFIED_AT_0: &str = "kernarg_size";

/// Lanes of the largest workgroup of any processor.
const MOST_LANES: i64 = 1024;

/// Compares what a file says of one kernel in both places. `is_defined` says whether the file has a symbol, and `is_whole` whether every
/// descriptor of it belongs to a kernel.
pub(crate) fn check(
    kernel: &KernelMetadata,
    descriptor: Option<&Descriptor>,
    target: Option<Target>,
    is_defined: impl Fn(&str) -> bool,
    is_whole: bool,
    out: &mut Vec<Diagnostic>,
) {
    let report = |range: TextRange, message: String| Diagnostic::new(&METADATA_MISMATCH, range, message);
    let expected = format!("{}.kd", kernel.name);
    if let Some((symbol, range)) = kernel.symbol.as_ref().filter(|(symbol, _)| !is_defined(symbol)) {
        let own = TextRange::new(range.end() - wavelens_base::TextSize::of(symbol.as_str()), range.end());
        let message = format!("undefined symbol `{symbol}`: ");
        if is_defined(&expected) {
            let message = format!("{message}the descriptor of `{}` is `{expected}`", kernel.name);
            out.push(report(own, message).guess(
                format!("Replace with `{expected}`"),
                own,
                expected.as_str(),
            ));
        } else if is_whole && descriptor.is_none() && is_defined(kernel.symbol_of_kernel()) {
            out.push(report(own, format!("{message}the kernel has no descriptor")));
        }
    }
    out.extend(check_numbers(kernel).into_iter().map(|(range, message)| report(range, message)));
    let written = descriptor.and_then(|d| d.get("wavefront_size32"));
    let known = written.and_then(|(place, value)| Some((if value? != 0 { 32 } else { 64 }, place)));
    if let Some((own, range)) = kernel.number(".wavefront_size") {
        let only_64 = target.filter(|target| !target.facts().has_wave32 && own != 64);
        if let Some((lanes, place)) = known.filter(|(lanes, _)| own != *lanes) {
            let value = i64::from(lanes == 32);
            let what = format!("`.amdhsa_wavefront_size32` is {value}: waves have {lanes} lanes");
            let message = format!("`.wavefront_size` is {own}, but {what}");
            out.push(report(range, message).related(Place::Here(place), "the descriptor's value"));
        } else if let Some(target) = only_64 {
            out.push(report(
                range,
                format!("`.wavefront_size` is {own}, but waves of {target} have 64 lanes"),
            ));
        }
    }
    let Some(descriptor) = descriptor.filter(|descriptor| descriptor.complete) else { return };
    for (key, name) in SIZES {
        if let (Some((own, range)), Some((place, Some(value)))) = (kernel.number(key), descriptor.get(name))
            && own != value
            && (value != 0 || name != UNSPECIFIED_AT_0)
        {
            let message = format!("`{key}` is {own}, but `.amdhsa_{name}` of the descriptor is {value}");
            out.push(report(range, message).related(Place::Here(place), "the descriptor's value"));
        }
    }
}

/// What is wrong with the numbers of the metadata alone.
fn check_numbers(kernel: &KernelMetadata) -> Vec<(TextRange, String)> {
    let mut found = Vec::new();
    if let Some((size, _)) = kernel.number(".kernarg_segment_size") {
        found.extend(kernel.arguments.iter().filter(|a| a.end > size).map(|a| {
            (a.range, format!("this argument ends at byte {}, but `.kernarg_segment_size` is {size}", a.end))
        }));
    }
    found.extend(overlaps(&kernel.arguments));
    let align = kernel.number(".kernarg_segment_align").filter(|(align, _)| align.count_ones() != 1);
    found.extend(
        align.map(|(align, range)| (range, format!("`.kernarg_segment_align` is {align}, not a power of 2"))),
    );
    let key = "`.max_flat_workgroup_size`";
    if let Some((most, range)) = kernel.number(".max_flat_workgroup_size") {
        if most > MOST_LANES {
            found.push((range, format!("{key} is {most}, but a workgroup has at most {MOST_LANES} lanes")));
        }
        let required = kernel.required_lanes.filter(|(required, _)| *required > most);
        found.extend(required.map(|(required, range)| {
            (range, format!("the kernel requires workgroups of {required} lanes, but {key} is {most}"))
        }));
    }
    found
}

/// Arguments that share bytes with one that is written before them. Each is compared with the one that reaches furthest of those that start
/// before it: compared with all, 40,000 took 0.3 s.
fn overlaps(arguments: &[Argument]) -> Vec<(TextRange, String)> {
    let mut by_start: Vec<&Argument> = arguments.iter().collect();
    by_start.sort_by_key(|argument| argument.start);
    let mut found = Vec::new();
    let mut furthest: Option<&Argument> = None;
    for argument in by_start {
        if let Some(other) = furthest.filter(|o| o.start < argument.end && argument.start < o.end) {
            let is_later = other.range.start() < argument.range.start();
            let (other, later) = if is_later { (other, argument) } else { (argument, other) };
            let own = format!("bytes {} to {}", later.start, later.end);
            let message =
                format!("this argument has {own}, and another one {} to {}", other.start, other.end);
            found.push((later.range, message));
        }
        if furthest.is_none_or(|other| other.end < argument.end) {
            furthest = Some(argument);
        }
    }
    found
}

/// Counts of registers of the metadata that are below those that a kernel names.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, Some(metadata)) = (cx.graph, cx.metadata) else { return };
    let used = graph.used();
    for (key, file, letter, used) in [
        (".vgpr_count", RegFile::Vgpr, 'v', used.vgprs),
        (".agpr_count", RegFile::Agpr, 'a', used.agprs),
        (".sgpr_count", RegFile::Sgpr, 's', used.sgprs),
    ] {
        let counted = metadata.number(key).filter(|(count, _)| *count < i64::from(used));
        if let (Some((count, range)), Some(last)) = (counted, used.checked_sub(1)) {
            let message = format!("`{key}` is {count}, but the kernel uses `{letter}{last}`");
            let place = first_use(graph, file, last);
            let diagnostic = Diagnostic::new(&METADATA_MISMATCH, range, message);
            cx.diagnostics.push(match place {
                Some(place) => diagnostic.related(Place::Here(place), "it is used here"),
                None => diagnostic,
            });
        }
    }
}

/// A kernel with a descriptor in a file whose metadata has only others.
pub(crate) fn not_listed(label: TextRange, name: &str) -> Diagnostic {
    Diagnostic::new(&METADATA_MISMATCH, label, format!("the metadata does not list the kernel `{name}`"))
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

    #[test]
    fn a_descriptor_may_leave_the_size_of_arguments_open() {
        marks(
            "gfx942",
            expect![[r#"
                k:
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_kernarg_size 0
                .amdhsa_group_segment_fixed_size 0
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 4
                .end_amdhsa_kernel
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernels:
                  - .name: k
                    .symbol: k.kd
                    .kernarg_segment_size: 16
                    .kernarg_segment_align: 8
                    .group_segment_fixed_size: 512
                ;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.group_segment_fixed_size` is 512, but `.amdhsa_group_segment_fixed_size` of the descriptor is 0
                ;                                = line 5:34: the descriptor's value
                    .private_segment_fixed_size: 0
                    .wavefront_size: 64
                    .sgpr_count: 8
                    .vgpr_count: 4
                    .max_flat_workgroup_size: 256
                ...
                .end_amdgpu_metadata
            "#]],
        );
    }

    #[test]
    fn numbers_of_the_metadata_agree_with_each_other() {
        marks(
            "gfx906",
            expect![[r#"
                k:
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
                unlisted:
                ;^^^^^^^ warning[metadata-mismatch]: the metadata does not list the kernel `unlisted`
                s_endpgm
                .amdhsa_kernel unlisted
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
                bare:
                s_endpgm
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernels:
                  - .name: "other name"
                    .symbol: k.kd
                    .kernarg_segment_size: 24
                    .kernarg_segment_align: 6
                ;   ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.kernarg_segment_align` is 6, not a power of 2
                    .group_segment_fixed_size: 0
                    .private_segment_fixed_size: 0
                    .wavefront_size: 32
                ;   ^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.wavefront_size` is 32, but waves of gfx906 have 64 lanes
                    .sgpr_count: 8
                    .vgpr_count: 4
                    .max_flat_workgroup_size: 256
                    .reqd_workgroup_size: [ 32, 16, 1 ]
                ;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: the kernel requires workgroups of 512 lanes, but `.max_flat_workgroup_size` is 256
                    .args:
                      - .offset: 0
                        .size: 8
                        .value_kind: by_value
                      - .offset: 8
                        .size: 8
                        .value_kind: by_value
                      - .offset: 12
                        .size: 8
                ;       ^^^^^^^^ warning[metadata-mismatch]: this argument has bytes 12 to 20, and another one 8 to 16
                        .value_kind: by_value
                  - .name: bare
                    .symbol: bare.kd
                ;            ^^^^^^^ warning[metadata-mismatch]: undefined symbol `bare.kd`: the kernel has no descriptor
                    .kernarg_segment_size: 0
                    .kernarg_segment_align: 4
                    .group_segment_fixed_size: 0
                    .private_segment_fixed_size: 0
                    .wavefront_size: 64
                    .sgpr_count: 8
                    .vgpr_count: 4
                    .max_flat_workgroup_size: 2048
                ;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.max_flat_workgroup_size` is 2048, but a workgroup has at most 1024 lanes
                  - .name: elsewhere
                    .symbol: elsewhere.kd
                    .kernarg_segment_size: 0
                    .kernarg_segment_align: 4
                    .group_segment_fixed_size: 0
                    .private_segment_fixed_size: 0
                    .wavefront_size: 64
                    .sgpr_count: 8
                    .vgpr_count: 4
                    .max_flat_workgroup_size: 1024
                ...
                .end_amdgpu_metadata
            "#]],
        );
    }

    #[test]
    fn metadata_counts_the_registers() {
        marks(
            "gfx906",
            expect![[r#"
                k:
                s_mov_b32 s12, 0
                v_mov_b32 v8, s12
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 9
                .amdhsa_next_free_sgpr 13
                .end_amdhsa_kernel
                .amdgpu_metadata
                ---
                amdhsa.version: [ 1, 2 ]
                amdhsa.kernels:
                  - .name: k
                    .symbol: k.kd
                    .kernarg_segment_size: 0
                    .kernarg_segment_align: 4
                    .group_segment_fixed_size: 0
                    .private_segment_fixed_size: 0
                    .wavefront_size: 64
                    .sgpr_count: 12
                ;   ^^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.sgpr_count` is 12, but the kernel uses `s12`
                ;                 = line 2:1: it is used here
                    .vgpr_count: 8
                ;   ^^^^^^^^^^^^^^ warning[metadata-mismatch]: `.vgpr_count` is 8, but the kernel uses `v8`
                ;                = line 3:1: it is used here
                    .max_flat_workgroup_size: 1024
                ...
                .end_amdgpu_metadata
            "#]],
        );
    }
}
