//! The live registers of a function.

use wavelens_base::TextSize;
use wavelens_check::dialect::{Lowered, Scope};

use crate::answers::{ChunkCx, LiveMap};
use crate::db::View;
use crate::{amdgpu, mir};

/// The registers that are live at each instruction of the function around an offset. Only Machine IR and assembly have registers.
pub fn live_map(view: View<'_>, offset: TextSize) -> Option<LiveMap> {
    let (index, chunk, at) = view.chunk_at(offset)?;
    match (view.lowered(chunk), view.scope()) {
        (Lowered::Mir(l), Scope::Mir(s)) => mir::live::live_map(&ChunkCx::new(view, index, chunk, l, s)),
        (Lowered::Amdgpu(l), Scope::Amdgpu(s)) => {
            amdgpu::live::live_map(&ChunkCx::new(view, index, chunk, l, s), at)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use super::*;
    use crate::features::tests::at_cursor;

    fn check(dialect: Dialect, fixture: &str, expected: Expect) {
        let shown = at_cursor(dialect, fixture, |view, offset| {
            let Some(map) = live_map(view, offset) else { return "no map\n".to_owned() };
            let text = view.whole_text();
            let width = map.registers.iter().map(|r| r.name.len()).max().unwrap_or(0);
            let mut out = format!("{}\n", map.function);
            for register in &map.registers {
                out.push_str(&format!("{:width$} ", register.name));
                for number in 0..map.instructions.len() as u32 {
                    let is_live = register.spans.iter().any(|(a, b)| (*a..=*b).contains(&number));
                    out.push(if is_live { '#' } else { '.' });
                }
                out.push('\n');
            }
            for at in map.instructions {
                let rest = text.get(usize::from(at)..).unwrap_or("");
                out.push_str(&format!("  {}\n", rest.lines().next().unwrap_or("").trim()));
            }
            out
        });
        expected.assert_eq(&shown);
    }

    #[test]
    fn registers_of_assembly_are_live_from_write_to_last_read() {
        check(
            Dialect::Amdgpu,
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.type f,@function\nf:\n$0v_mov_b32 v2, 1\nl:\nv_add_u32 v2, v2, v0\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc1 l\nv_mov_b32 v9, v2\ns_endpgm\n",
            expect![[r#"
                f
                v0 ####..
                v2 #####.
                v9 ....#.
                s4 ####..
                  v_mov_b32 v2, 1
                  v_add_u32 v2, v2, v0
                  s_cmp_eq_u32 s4, 0
                  s_cbranch_scc1 l
                  v_mov_b32 v9, v2
                  s_endpgm
            "#]],
        );
    }

    #[test]
    fn registers_of_machine_ir_are_live_from_definition_to_last_use() {
        check(
            Dialect::Mir,
            "--- |\n  target triple = \"amdgcn-amd-amdhsa\"\n  define void @f() { ret void }\n...\n---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr1, $sgpr4\n    $0%0:vgpr_32 = COPY $vgpr1\n    %1:sreg_32 = COPY $sgpr4\n    %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec\n  bb.1:\n    %3:vgpr_32 = PHI %0, %bb.0, %4, %bb.1\n    %4:vgpr_32 = V_ADD_U32_e64 %3, %2, 0, implicit $exec\n    S_CMP_EQ_U32 %1, 0, implicit-def $scc\n    S_CBRANCH_SCC1 %bb.1, implicit $scc\n  bb.2:\n    S_ENDPGM 0\n...\n",
            expect![[r#"
                f
                %0:vgpr_32 ###.....
                %1:sreg_32 .######.
                %2:vgpr_32 ..#####.
                %3:vgpr_32 ...##...
                %4:vgpr_32 ....###.
                $vgpr1     #.......
                $sgpr4     ##......
                $scc       .....##.
                  %0:vgpr_32 = COPY $vgpr1
                  %1:sreg_32 = COPY $sgpr4
                  %2:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
                  %3:vgpr_32 = PHI %0, %bb.0, %4, %bb.1
                  %4:vgpr_32 = V_ADD_U32_e64 %3, %2, 0, implicit $exec
                  S_CMP_EQ_U32 %1, 0, implicit-def $scc
                  S_CBRANCH_SCC1 %bb.1, implicit $scc
                  S_ENDPGM 0
            "#]],
        );
    }

    #[test]
    fn languages_without_registers_have_no_map() {
        check(
            Dialect::Llvm,
            "define void @f() {\n  $0ret void\n}\n",
            expect![[r#"
            no map
        "#]],
        );
    }
}
