//! Registers of a kernel that are read before anything wrote them.
//!
//! A register counts as written as soon as some path to the read writes it: this finds reads that cannot be right, and stays
//! quiet about those that only may be wrong. Functions get arguments in registers that nothing names, so only kernels are
//! looked at.

use wavelens_isa::{RegFile, Target};

use super::named_operand;
use crate::assembler::kernel_descriptor::Descriptor;
use crate::context::RuleContext;
use crate::flow::{Graph, RegSet, dword_name, dwords};
use wavelens_base::{Diagnostic, Place, TextRange};
use wavelens_isa::processor::ProcessorFacts;

wavelens_syntax::rules! {
    UNINITIALIZED {
        code: "uninitialized-register",
        severity: wavelens_base::Severity::Warning,
        title: "a kernel must not read a register that has no value yet",
        explain: "When a kernel starts, only the registers that its descriptor asks for have values: user SGPRs, workgroup ids after \
them, and work-item ids in `v0` (`v1`, `v2`). Every other register holds what an earlier wave left there.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\nv_mov_b32 v1, v3\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 4\n\
.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nk:\nv_mov_b32 v1, v0\ns_endpgm\n\
.amdhsa_kernel k\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_next_free_vgpr 4\n\
.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n",
        source: "LLVM AMDGPU usage guide, \"Initial Kernel Execution State\"",
    }
}

/// The scalar registers that have a value when a kernel starts: all below this.
pub(crate) fn initial_sgprs(machine: &ProcessorFacts, descriptor: &Descriptor) -> u16 {
    let value = |name| descriptor.get(name).and_then(|(_, value)| value);
    let set = |name, default: i64| value(name).unwrap_or(default) != 0;
    let mut count = descriptor.user_sgprs();
    if machine.facts().has_workgroup_id_sgprs {
        count += i64::from(set("system_sgpr_workgroup_id_x", 1))
            + i64::from(set("system_sgpr_workgroup_id_y", 0))
            + i64::from(set("system_sgpr_workgroup_id_z", 0))
            + i64::from(set("system_sgpr_workgroup_info", 0));
    }
    // Compilers set scratch up from this one as soon as they got the other half of its address.
    let scratch = [
        "system_sgpr_private_segment_wavefront_offset",
        "enable_private_segment",
        "user_sgpr_flat_scratch_init",
        "user_sgpr_private_segment_buffer",
    ];
    count += i64::from(scratch.into_iter().any(|name| set(name, 0)));
    count.clamp(0, 128) as u16
}

/// A descriptor that turns everything off is a graphics shader's: its arguments come in registers that nothing names.
fn asks_for_nothing(machine: &ProcessorFacts, descriptor: &Descriptor) -> bool {
    let off = |name| descriptor.get(name).is_some_and(|(_, value)| value == Some(0));
    let workgroup =
        if machine.facts().has_workgroup_id_sgprs { "system_sgpr_workgroup_id_x" } else { "user_sgpr_count" };
    descriptor.user_sgprs() == 0 && off(workgroup)
}

/// The vector and scalar registers that have a value when a kernel starts; `None` if its descriptor has a mistake or is a graphics shader's.
pub fn initial(target: Target, descriptor: &Descriptor) -> Option<RegSet> {
    let machine = &ProcessorFacts::of(target);
    if !descriptor.complete || asks_for_nothing(machine, descriptor) {
        return None;
    }
    let mut set = RegSet::default();
    let items = descriptor.get("system_vgpr_workitem_id").and_then(|(_, value)| value).unwrap_or(0);
    set.insert_file(RegFile::Sgpr, 0, initial_sgprs(machine, descriptor));
    set.insert_file(RegFile::Vgpr, 0, 1 + items.clamp(0, 2) as u16);
    Some(set)
}

/// Registers that LLVM's comments in a function's text (`; implicit-def: $vgpr4_vgpr5`) declare to hold anything.
pub(crate) fn declared_undefined(graph: &Graph<'_>, text: &str) -> RegSet {
    let mut set = RegSet::default();
    let (Some(first), Some(last)) = (graph.instructions.first(), graph.instructions.last()) else {
        return set;
    };
    let range =
        usize::from(first.range.start())..usize::from(last.range.end()).max(usize::from(first.range.start()));
    for comment in text.get(range).unwrap_or("").split("implicit-def: ").skip(1) {
        let words = comment.lines().next().unwrap_or("").split(|c: char| !c.is_ascii_alphanumeric());
        for word in words {
            let file = match word.trim_end_matches(|c: char| c.is_ascii_digit()) {
                "vgpr" => RegFile::Vgpr,
                "agpr" => RegFile::Agpr,
                "sgpr" => RegFile::Sgpr,
                _ => continue,
            };
            if let Some(index) = word.get(4..).and_then(|n| n.parse::<u16>().ok()) {
                set.insert_file(file, index, index.saturating_add(1));
            }
        }
    }
    set
}

/// Reports the reads of one kernel, whose label is at `label` in `text`.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, Some(descriptor)) = (cx.graph, cx.descriptor) else { return };
    let (text, label) = (cx.text, cx.label);
    let unclear = graph.effects.iter().any(|e| e.call || e.indexed);
    // Inline assembly may declare results without an instruction that makes them.
    let start = label.or(graph.range()).map_or(0, |r| usize::from(r.start()));
    let lines = graph.range().and_then(|r| text.get(start..usize::from(r.end())));
    if unclear
        || lines.is_some_and(|t| t.contains(";#ASMSTART"))
        || graph.instructions.iter().any(|i| i.encoded.mnemonic().starts_with("s_set_gpr_idx"))
    {
        return;
    }
    let Some(mut start) = initial(graph.target, descriptor) else { return };
    start.union(&declared_undefined(graph, text));
    let writes = |index: usize, known: &mut RegSet| {
        if graph.follows_gap(index) {
            known.fill();
        }
        let written = graph.effects.get(index).into_iter().flat_map(|e| e.writes);
        written.for_each(|w| known.insert(w.reg()));
    };
    let blocks = graph.forward(start, usize::MAX, writes, |slot, known, _| slot.union(known));
    for (block, mut known) in blocks {
        for index in graph.block(block) {
            if graph.follows_gap(index) {
                known.fill();
            }
            report(graph, index, text, &mut known, label, &mut cx.diagnostics);
        }
    }
}

fn report(
    graph: &Graph<'_>,
    index: usize,
    text: &str,
    known: &mut RegSet,
    label: Option<TextRange>,
    out: &mut Vec<Diagnostic>,
) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    // Compilers spill tuples whole, with the parts that have no value yet, and move what they spilled.
    let rest = || text.get(usize::from(instruction.range.end())..).and_then(|t| t.lines().next());
    let spills = || {
        instruction.encoded.mnemonic() == "v_writelane_b32"
            || rest().is_some_and(|c| effect.may_store && c.contains("Spill") || c.contains("Reload"))
    };
    for read in effect.reads.iter().filter(|r| !r.implicit() && !r.partial()) {
        if !matches!(read.reg().file, RegFile::Vgpr | RegFile::Agpr | RegFile::Sgpr) {
            continue;
        }
        // The same register twice is a way to make a constant: `v_xor_b32 v0, v1, v1`.
        let twice = effect.reads.iter().filter(|r| r.reg() == read.reg()).count() > 1;
        // What keeps a part of its old value starts with one that does not matter.
        let kept = effect.writes.iter().any(|w| w.partial() && w.reg() == read.reg());
        // A tuple may have parts that do not matter.
        let unknown = dwords(read.reg()).all(|d| !known.contains(d));
        if twice || kept || !unknown || spills() {
            continue;
        }
        let name = dword_name(dwords(read.reg()).start);
        let message =
            format!("`{name}` is read, but nothing has written it: it has no value when the kernel starts");
        let operand = named_operand::range(graph, text, index, dwords(read.reg()).start, true);
        let mut diagnostic = Diagnostic::new(&UNINITIALIZED, operand, message);
        if let Some(label) = label {
            diagnostic = diagnostic.related(Place::Here(label), "the kernel starts here");
        }
        out.push(graph.show_nested(index, diagnostic));
        known.insert(read.reg());
    }
    effect.writes.iter().for_each(|w| known.insert(w.reg()));
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn kernels_read_what_they_wrote_or_were_given() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_add_u32 v1, s2, v0
                v_add_u32 v2, s3, v1
                ;             ^^ warning[uninitialized-register]: `s3` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                v_xor_b32 v3, v3, v3
                v_mov_b32 v1, v2
                v_mov_b32 v0, v9
                ;             ^^ warning[uninitialized-register]: `v9` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                ;                      ^ warning[declared-resources]: the kernel uses `v9`: this number must be at least 10
                ;                      = line 6:1: it is used here
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn parts_that_do_not_matter_need_no_value() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_writelane_b32 v3, s0, 0
                v_mov_b32 v1, v3
                v_mov_b32 v1, v2 ; 4-byte Reload
                buffer_load_short_d16_hi v2, off, s[0:3], 0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                ;;#ASMSTART
                ; def v2
                ;;#ASMEND
                v_mov_b32 v1, v2
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 4
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
    }

    /// The high bits of register numbers are those of the result where source and result are one register.
    #[test]
    fn results_that_keep_lanes_are_named_once() {
        marks(
            "gfx1250",
            expect![[r#"
                k:
                s_set_vgpr_msb 0x41
                v_permlanex16_b32 v9, v0, s0, s1
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[uninitialized-register]: `v256` is read, but nothing has written it: it has no value when the kernel starts
                ;                              = line 1:1: the kernel starts here
                s_set_vgpr_msb 0x0
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_next_free_vgpr 512
                .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn registers_that_have_values_at_the_start() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s2
                v_mov_b32 v9, s3
                ;             ^^ warning[uninitialized-register]: `s3` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                v_mov_b32 v9, v0
                v_mov_b32 v9, v1
                ;             ^^ warning[uninitialized-register]: `v1` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s1
                v_mov_b32 v9, s2
                ;             ^^ warning[uninitialized-register]: `s2` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_system_sgpr_workgroup_id_x 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s5
                v_mov_b32 v9, s6
                ;             ^^ warning[uninitialized-register]: `s6` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_system_sgpr_workgroup_id_y 1
                .amdhsa_system_sgpr_workgroup_id_z 1
                .amdhsa_system_sgpr_workgroup_info 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s3
                v_mov_b32 v9, s4
                ;             ^^ warning[uninitialized-register]: `s4` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_system_sgpr_private_segment_wavefront_offset 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s8
                v_mov_b32 v9, s9
                ;             ^^ warning[uninitialized-register]: `s9` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_user_sgpr_dispatch_ptr 1
                .amdhsa_user_sgpr_queue_ptr 1
                .amdhsa_user_sgpr_dispatch_id 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s7
                v_mov_b32 v9, s8
                ;             ^^ warning[uninitialized-register]: `s8` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_user_sgpr_private_segment_buffer 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s5
                v_mov_b32 v9, s6
                ;             ^^ warning[uninitialized-register]: `s6` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_count 5
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, v1
                v_mov_b32 v9, v2
                ;             ^^ warning[uninitialized-register]: `v2` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_system_vgpr_workitem_id 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, v2
                v_mov_b32 v9, v3
                ;             ^^ warning[uninitialized-register]: `v3` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .amdhsa_system_vgpr_workitem_id 2
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s5
                v_mov_b32 v9, v5
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_system_sgpr_workgroup_id_x 0
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, s0
                v_mov_b32 v9, s1
                ;             ^^ warning[uninitialized-register]: `s1` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_system_sgpr_workgroup_id_x 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1200",
            expect![[r#"
                k:
                v_mov_b32 v9, s2
                ;             ^^ warning[uninitialized-register]: `s2` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                v_mov_b32 v9, s3
                ;             ^^ warning[uninitialized-register]: `s3` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                v_mov_b32 v9, ttmp9
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx1200",
            expect![[r#"
                k:
                v_mov_b32 v9, s2
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_count 0
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn what_makes_the_start_unclear() {
        marks(
            "gfx900",
            expect![[r#"
                k:
                ; implicit-def: $vgpr4_vgpr5
                v_mov_b32 v9, v4
                ;             ^^ warning[uninitialized-register]: `v4` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                v_mov_b32 v9, v5
                ;             ^^ warning[uninitialized-register]: `v5` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                v_mov_b32 v9, v6
                ;             ^^ warning[uninitialized-register]: `v6` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                v_mov_b32 v9, 0 ; implicit-def: $sgpr7 $agpr3
                v_mov_b32 v9, s7
                v_mov_b32 v9, s8
                ;             ^^ warning[uninitialized-register]: `s8` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                ;#ASMSTART
                v_mov_b32 v9, v4
                ;#ASMEND
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_swappc_b64 s[4:5], s[0:1]
                v_mov_b32 v9, v4
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_set_gpr_idx_on s0, gpr_idx(SRC0)
                v_mov_b32 v9, v4
                s_set_gpr_idx_off
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_cbranch_scc0 l
                v_mov_b32 v4, 0
                l:
                v_mov_b32 v9, v4
                v_mov_b32 v9, v5
                ;             ^^ warning[uninitialized-register]: `v5` is read, but nothing has written it: it has no value when the kernel starts
                ;              = line 1:1: the kernel starts here
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 12
                .amdhsa_next_free_sgpr 16
                .amdhsa_user_sgpr_kernarg_segment_ptr 1
                .end_amdhsa_kernel
            "#]],
        );
    }
}
