//! Waits with nothing to wait for.

use super::Outstanding;
use crate::flow::Graph;
use crate::wait_counters::waits;
use wavelens_base::Diagnostic;

wavelens_syntax::rules! {
    IDLE_WAIT {
        code: "idle-wait",
        severity: wavelens_base::Severity::Hint,
        title: "a wait should have something to wait for",
        explain: "On all paths to this wait, no more operations are outstanding than it leaves, so that it costs an instruction and does \
nothing. Either it can go, or the number in it is too high for what it should cover. The rule reports hints, and only on \
request (`pedantic`). It knows what is outstanding in kernels from their start on, in other functions after a wait for 0, and \
nowhere after calls, cache operations and messages. A hazard may rely on the time that the wait takes: check again without it.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\ns_waitcnt lgkmcnt(0)\nds_read_b32 v0, v1\n\
s_waitcnt lgkmcnt(1)\nv_mov_b32 v2, 0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v3, v0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\ns_waitcnt lgkmcnt(0)\nds_read_b32 v0, v1\n\
v_mov_b32 v2, 0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v3, v0\n",
        source: "instruction set manuals, \"Manually Resolved Dependencies: S_WAITCNT\"",
    }
}

/// Reports the wait at `index` if it waits for nothing.
pub(super) fn find(graph: &Graph<'_>, index: usize, state: &Outstanding, out: &mut Vec<Diagnostic>) -> bool {
    let Some(instruction) = graph.instructions.get(index) else { return false };
    let fields = waits(graph.target, instruction);
    let idle = !fields.is_empty()
        && fields.iter().all(|(counter, left)| state.of(*counter).is_some_and(|q| q.len() <= *left as usize));
    if idle {
        let most =
            fields.iter().filter_map(|(counter, _)| Some(state.of(*counter)?.len())).max().unwrap_or(0);
        let outstanding = match most {
            0 => "no operation is outstanding here".to_owned(),
            1 => "1 operation is outstanding here".to_owned(),
            n => format!("{n} operations are outstanding here"),
        };
        let message = format!("this waits for nothing: {outstanding}");
        out.push(graph.show_nested(index, Diagnostic::new(&IDLE_WAIT, instruction.range, message)));
    }
    idle
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{marks, marks_pedantic};

    #[test]
    fn a_kernel_may_start_after_its_label() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                k:
                s_branch common
                preloaded:
                s_load_dword s0, s[2:3], 0x0
                common:
                s_waitcnt lgkmcnt(0)
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                .amdhsa_next_free_sgpr 16
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn what_is_outstanding_is_known_from_the_start_of_a_kernel() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                k:
                s_waitcnt vmcnt(0)
                ;^^^^^^^^^^^^^^^^^ hint[idle-wait]: this waits for nothing: no operation is outstanding here
                ds_read_b32 v0, v0
                s_waitcnt lgkmcnt(1)
                ;^^^^^^^^^^^^^^^^^^^ hint[idle-wait]: this waits for nothing: 1 operation is outstanding here
                s_waitcnt vmcnt(0) lgkmcnt(0)
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[adjacent-waits]: this wait and the one before can be one: `s_waitcnt vmcnt(0) lgkmcnt(0)`
                ;                           = line 4:1: the wait before
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                .amdhsa_next_free_sgpr 16
                .end_amdhsa_kernel
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                k:
                s_waitcnt vmcnt(0)
                ds_read_b32 v0, v0
                s_waitcnt lgkmcnt(1)
                s_waitcnt vmcnt(0) lgkmcnt(0)
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                .amdhsa_next_free_sgpr 16
                .end_amdhsa_kernel
            "#]],
        );
    }

    #[test]
    fn unknown_callers_and_paths_keep_it_quiet() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                f:
                s_waitcnt vmcnt(0)
                s_setpc_b64 s[30:31]
            "#]],
        );
        marks_pedantic(
            "gfx900",
            expect![[r#"
                k:
                s_cbranch_scc0 l
                ds_read_b32 v0, v0
                l:
                s_waitcnt lgkmcnt(0)
                buffer_wbinvl1_vol
                s_waitcnt vmcnt(0)
                s_endpgm
                .amdhsa_kernel k
                .amdhsa_next_free_vgpr 8
                .amdhsa_next_free_sgpr 16
                .end_amdhsa_kernel
            "#]],
        );
    }
}
