//! What a kernel descriptor asks for against what the kernel uses.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use crate::context::RuleContext;
use crate::flow::{Graph, up_to_multiple};
use wavelens_base::{Diagnostic, Place, TextRange};
use wavelens_isa::processor::ProcessorFacts;

wavelens_syntax::rules! {
    DECLARED_RESOURCES {
        code: "declared-resources",
        severity: wavelens_base::Severity::Warning,
        title: "a kernel must not use more than its descriptor asks for",
        explain: "A wave gets the registers, LDS and scratch that the kernel descriptor asks for. A kernel that uses more reads and \
writes what belongs to others, or faults: `.amdhsa_next_free_vgpr` and `.amdhsa_next_free_sgpr` must be above the \
highest registers that the kernel names, `.amdhsa_accum_offset` above the highest vector register of a kernel that uses \
accumulators, and `scratch_` instructions need a private segment.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\nv_mov_b32 v8, v0\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\nv_mov_b32 v8, v0\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_next_free_vgpr 9\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        source: "LLVM AMDGPU usage guide, \"Kernel Descriptor\" (GRANULATED_WORKITEM_VGPR_COUNT, GRANULATED_WAVEFRONT_SGPR_COUNT)",
    }
}

/// Reports what one kernel uses beyond its descriptor.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, Some(descriptor)) = (cx.graph, cx.descriptor) else { return };
    let machine = ProcessorFacts::of(graph.target);
    let known = |name| {
        let (range, value) = descriptor.get(name)?;
        Some((range, u32::try_from(value?).ok()?))
    };
    let value = |name| known(name).map(|(_, value)| value);
    let used = graph.used();
    let mut report = |range, register: Option<(RegFile, u32)>, message: String| {
        let diagnostic = Diagnostic::new(&DECLARED_RESOURCES, range, message);
        let place = register.and_then(|(file, number)| first_use(graph, file, number));
        cx.diagnostics.push(match place {
            Some(place) => diagnostic.related(Place::Here(place), "it is used here"),
            None => diagnostic,
        });
    };
    let wave32 = value("wavefront_size32").map(|w| w != 0);
    let granule = machine.vgpr_encoding_granule(wave32) as u32;
    if let Some((range, asked)) = known("next_free_vgpr") {
        let got = up_to_multiple(asked.max(1), granule);
        let accumulators = match machine.facts().unified_agprs {
            true => value("accum_offset")
                .filter(|_| used.agprs > 0)
                .map(|offset| offset.saturating_add(used.agprs)),
            false => Some(used.agprs),
        };
        let (file, last, need) = match accumulators {
            Some(need) if need > used.vgprs => (RegFile::Agpr, used.agprs, need),
            _ => (RegFile::Vgpr, used.vgprs, used.vgprs),
        };
        if need > got {
            let letter = if file == RegFile::Agpr { 'a' } else { 'v' };
            report(
                range,
                Some((file, last - 1)),
                format!("the kernel uses `{letter}{}`: this number must be at least {need}", last - 1),
            );
        }
    }
    // Without accumulators nothing else is where they would start.
    if let Some((range, offset)) = known("accum_offset")
        && machine.facts().unified_agprs
        && used.agprs > 0
        && used.vgprs > offset
    {
        report(
            range,
            Some((RegFile::Vgpr, used.vgprs - 1)),
            format!("the kernel uses `v{}`, which is where its accumulators start", used.vgprs - 1),
        );
    }
    if let Some((range, asked)) = known("next_free_sgpr")
        && machine.facts().allocates_sgprs
    {
        let yes = |name| descriptor.get(name).is_none_or(|(_, v)| v.unwrap_or(1) != 0);
        let extra = machine.extra_sgprs(yes("reserve_vcc"), yes("reserve_flat_scratch"), machine.xnack);
        let granule = graph.target.limits().sgpr_granule;
        let got = up_to_multiple(asked.saturating_add(extra), granule);
        if used.sgprs > got {
            report(
                range,
                Some((RegFile::Sgpr, used.sgprs - 1)),
                format!("the kernel uses `s{}`: this number must be at least {}", used.sgprs - 1, used.sgprs),
            );
        }
    }
    if let Some((range, bytes)) = known("group_segment_fixed_size")
        && i64::from(bytes) > machine.local_memory()
    {
        report(range, None, format!("{} has {} bytes of LDS", graph.target, machine.local_memory()));
    }
    if let Some((range, 0)) = known("private_segment_fixed_size") {
        let dynamic = descriptor.get("uses_dynamic_stack").is_some_and(|(_, v)| v != Some(0));
        let scratch = graph.instructions.iter().any(|i| {
            let inst = &i.encoded;
            inst.traits().any(Traits::FLAT) && inst.mnemonic().starts_with("scratch_")
        });
        // A flat pointer that may lead to scratch, and does not have to: the kernel asks where scratch begins.
        let base = Reg::special(Special::PrivateBaseLo, 2);
        let compares = graph.effects.iter().flat_map(|e| e.reads).any(|read| read.reg().overlaps(base));
        if scratch && !dynamic && !compares && !graph.effects.iter().any(|e| e.call) {
            report(range, None, "the kernel uses scratch memory, and this asks for none".to_owned());
        }
    }
}

/// The first instruction that names a register.
pub(super) fn first_use(graph: &Graph<'_>, file: RegFile, number: u32) -> Option<TextRange> {
    let is_it = |reg: Reg| {
        let first = u32::from(reg.index);
        reg.file == file && (first..first + u32::from(reg.dwords)).contains(&number)
    };
    let names = |at: usize| {
        graph.effects.get(at).is_some_and(|e| e.reads.iter().chain(e.writes).any(|a| is_it(a.reg())))
    };
    graph.instructions.iter().enumerate().find(|(at, _)| names(*at)).map(|(_, inst)| inst.range)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn kernels_use_what_they_asked_for() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v8, v0
                s_mov_b32 s40, 0
                scratch_store_dword off, v8, s40
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_private_segment_fixed_size 0
                ;                                  ^ warning[declared-resources]: the kernel uses scratch memory, and this asks for none
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                ;                      ^ warning[declared-resources]: the kernel uses `v8`: this number must be at least 9
                ;                      = line 2:1: it is used here
                .amdhsa_next_free_sgpr 8
                ;                      ^ warning[declared-resources]: the kernel uses `s40`: this number must be at least 41
                ;                      = line 3:1: it is used here
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn accumulators_start_after_the_vector_registers() {
        marks(
            "gfx90a",
            expect![[r#"
                k:
                v_mov_b32 v7, v0
                v_accvgpr_write_b32 a0, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx90a",
            expect![[r#"
                k:
                v_mov_b32 v8, v0
                v_accvgpr_write_b32 a0, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 8
                ;                    ^ warning[declared-resources]: the kernel uses `v8`, which is where its accumulators start
                ;                    = line 2:1: it is used here
                .end_amdhsa_kernel
            "#]],
        );
    }

    /// Registers come in granules: 4 vector registers before gfx10, 16 scalar ones, which VCC and others are part of.
    #[test]
    fn registers_up_to_the_end_of_a_granule() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 0
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v4, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 0
                ;                      ^ warning[declared-resources]: the kernel uses `v4`: this number must be at least 5
                ;                      = line 2:1: it is used here
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v4, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                ;                      ^ warning[declared-resources]: the kernel uses `v4`: this number must be at least 5
                ;                      = line 2:1: it is used here
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v7, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 5
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v8, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 5
                ;                      ^ warning[declared-resources]: the kernel uses `v8`: this number must be at least 9
                ;                      = line 2:1: it is used here
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                k:
                v_mov_b32 v7, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 5
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                k:
                v_mov_b32 v8, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 5
                ;                      ^ warning[declared-resources]: the kernel uses `v8`: this number must be at least 9
                ;                      = line 2:1: it is used here
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                k:
                v_mov_b32 v7, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 5
                .amdhsa_next_free_sgpr 8
                .amdhsa_wavefront_size32 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                k:
                v_mov_b32 v4, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                ;                      ^ warning[declared-resources]: the kernel uses `v4`: this number must be at least 5
                ;                      = line 2:1: it is used here
                .amdhsa_next_free_sgpr 8
                .amdhsa_wavefront_size32 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_mov_b32 s15, 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 10
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_mov_b32 s16, 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 10
                ;                      ^^ warning[declared-resources]: the kernel uses `s16`: this number must be at least 17
                ;                       = line 2:1: it is used here
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_mov_b32 s31, 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 11
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_mov_b32 s16, 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 11
                ;                      ^^ warning[declared-resources]: the kernel uses `s16`: this number must be at least 17
                ;                       = line 2:1: it is used here
                .amdhsa_reserve_vcc 0
                .amdhsa_reserve_flat_scratch 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_mov_b32 s16, 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 11
                ;                      ^^ warning[declared-resources]: the kernel uses `s16`: this number must be at least 17
                ;                       = line 2:1: it is used here
                .amdhsa_reserve_flat_scratch 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1030",
            expect![[r#"
                k:
                s_mov_b32 s90, 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn accumulators_count_with_the_vector_registers() {
        marks(
            "gfx90a",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                v_accvgpr_write_b32 a4, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx90a",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                v_accvgpr_write_b32 a4, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 9
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx90a",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                v_accvgpr_write_b32 a4, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                ;                      ^ warning[declared-resources]: the kernel uses `a4`: this number must be at least 13
                ;                      = line 3:1: it is used here
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx90a",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                v_accvgpr_write_b32 a4, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                ;                      ^ warning[declared-resources]: the kernel uses `a4`: this number must be at least 9
                ;                      = line 3:1: it is used here
                .amdhsa_next_free_sgpr 8
                .amdhsa_accum_offset 4
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx908",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                v_accvgpr_write_b32 a8, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                ;                      ^ warning[declared-resources]: the kernel uses `a8`: this number must be at least 9
                ;                      = line 3:1: it is used here
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx908",
            expect![[r#"
                k:
                v_mov_b32 v3, v0
                v_accvgpr_write_b32 a7, v0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn memory_of_a_kernel() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_nop 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_group_segment_fixed_size 65536
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_nop 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_group_segment_fixed_size 65537
                ;                                ^^^^^ warning[declared-resources]: gfx900 has 65536 bytes of LDS
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                scratch_load_dword v1, off, s0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_private_segment_fixed_size 4
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                scratch_load_dword v1, off, s0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_private_segment_fixed_size 0
                ;                                  ^ warning[declared-resources]: the kernel uses scratch memory, and this asks for none
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                scratch_load_dword v1, off, s0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_private_segment_fixed_size 0
                .amdhsa_uses_dynamic_stack 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                scratch_load_dword v1, off, s0
                s_cmp_eq_u64 src_private_base, s[0:1]
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_private_segment_fixed_size 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                scratch_load_dword v1, off, s0
                s_swappc_b64 s[4:5], s[0:1]
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_private_segment_fixed_size 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                global_load_dword v1, v0, s[0:1]
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_private_segment_fixed_size 0
                .end_amdhsa_kernel
            "#]],
        );
    }
}
