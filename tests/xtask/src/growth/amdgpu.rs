//! AMDGPU assembly.

use super::{Family, lines, nested};

fn text(body: &str) -> String {
    format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n{body}")
}

pub(super) static FAMILIES: &[Family] = &[
    Family { name: "instructions", text: |n| text(&"s_nop 0\n".repeat(n * 4)) },
    Family { name: "labels", text: |n| text(&lines(n, |i| format!("label_{i}:\n"))) },
    Family { name: "undefined labels", text: |n| text(&lines(n, |i| format!("s_branch undefined_{i}\n"))) },
    Family { name: "redefinitions of a label", text: |n| text(&"l:\ns_nop 0\n".repeat(n)) },
    Family { name: "unknown instructions", text: |n| text(&lines(n, |i| format!("v_unknown_{i} v0, v1\n"))) },
    Family { name: "missing waits", text: |n| text(&"ds_load_b32 v1, v0\nv_mov_b32 v2, v1\n".repeat(n)) },
    Family { name: "unknown directives", text: |n| text(&lines(n, |i| format!(".unknown_{i} 1\n"))) },
    Family {
        name: "chain of symbols",
        text: |n| {
            text(
                &(lines(n, |i| format!(".set s{i}, s{} + 1\n", i + 1))
                    + &format!(".set s{n}, 1\n.long s0\n")),
            )
        },
    },
    Family {
        name: "redefinitions of a symbol",
        text: |n| text(&(".set x, 0\n".to_owned() + &".set x, x + 1\n.long x\n".repeat(n))),
    },
    Family {
        name: "differences of labels",
        text: |n| text(&lines(n, |i| format!("l{i}:\ns_nop 0\n.long l{i} - l0, l{} - l{i}\n", i + 1))),
    },
    Family { name: "a long sum", text: |n| text(&format!(".long 1{}\n", " + 1".repeat(n))) },
    Family { name: "nested parentheses", text: |n| text(&format!(".long {}\n", nested(n, "(", "1", ")"))) },
    Family { name: "nested conditions", text: |n| text(&(".if 1\n".repeat(n) + &".endif\n".repeat(n))) },
    Family { name: "untaken conditions", text: |n| text(&(".if 0\n".repeat(n) + &".endif\n".repeat(n))) },
    Family {
        name: "alternatives",
        text: |n| text(&format!(".if 0\n{}.endif\n", ".elseif 0\ns_nop 1\n".repeat(n))),
    },
    Family { name: "repetitions", text: |n| text(&".rept 10\ns_nop 0\n.endr\n".repeat(n)) },
    Family { name: "nested repetitions", text: |n| text(&(".rept 1\n".repeat(n) + &".endr\n".repeat(n))) },
    Family {
        name: "macros",
        text: |n| text(&lines(n, |i| format!(".macro m{i} a\nv_mov_b32 v\\a, 0\n.endm\nm{i} 3\n"))),
    },
    Family {
        name: "parameters of a macro",
        text: |n| {
            let parameters: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
            let arguments = vec!["1"; n].join(", ");
            text(&format!(".macro m {}\n.long \\p0\n.endm\nm {arguments}\n", parameters.join(", ")))
        },
    },
    Family {
        name: "macros that define macros",
        text: |n| text(&(lines(n, |i| format!(".macro m{i}\n")) + &".endm\n".repeat(n) + "m0\n")),
    },
    Family {
        name: "values of .irp",
        text: |n| text(&format!(".irp x, {}\n.long \\x\n.endr\n", vec!["1"; n].join(", "))),
    },
    Family {
        name: "characters of .irpc",
        text: |n| text(&format!(".irpc x, {}\n.long \\x\n.endr\n", "1".repeat(n))),
    },
    Family {
        name: "kernels",
        text: |n| {
            let kernel = |i: usize| {
                format!(
                    ".amdhsa_kernel k{i}\n.amdhsa_next_free_vgpr 1\n.amdhsa_next_free_sgpr 1\n.end_amdhsa_kernel\n.text\nk{i}:\ns_endpgm\n.rodata\n"
                )
            };
            text(&lines(n, kernel))
        },
    },
    Family {
        name: "kernels in the metadata",
        text: |n| {
            let kernels = lines(n, |i| format!("  - .name: k{i}\n    .symbol: k{i}.kd\n"));
            text(&format!(".amdgpu_metadata\n---\namdhsa.kernels:\n{kernels}...\n.end_amdgpu_metadata\n"))
        },
    },
    Family {
        name: "nested metadata",
        text: |n| {
            text(&format!(
                ".amdgpu_metadata\n---\na: {}\n...\n.end_amdgpu_metadata\n",
                nested(n, "[", "", "]")
            ))
        },
    },
    Family {
        name: "loads and waits",
        text: |n| {
            text(&"global_load_b32 v1, v[2:3], off\nglobal_load_b32 v4, v[2:3], off\ns_waitcnt vmcnt(1)\nv_add_f32 v5, v1, v1\n".repeat(n))
        },
    },
    Family {
        name: "loads without waits",
        text: |n| text(&lines(n, |i| format!("global_load_b32 v{}, v[2:3], off\n", i % 200 + 4))),
    },
    Family {
        name: "branches to all labels",
        text: |n| {
            let block = |i: usize| {
                format!(
                    "l{i}:\nglobal_load_b32 v{}, v[2:3], off\ns_cbranch_scc1 l{}\n",
                    i % 99 + 4,
                    i * 7919 % n
                )
            };
            text(&(lines(n, block) + "s_endpgm\n"))
        },
    },
    Family {
        name: "loops in loops",
        text: |n| {
            let close = |i: usize| format!("s_cbranch_scc1 l{}\n", n - 1 - i);
            text(
                &(lines(n, |i| format!("l{i}:\nv_mov_b32 v{}, v1\n", i % 200))
                    + &lines(n, close)
                    + "s_endpgm\n"),
            )
        },
    },
    Family {
        name: "sections",
        text: |n| text(&lines(n, |i| format!(".pushsection .s{i}, \"a\"\n.long 1\n.popsection\n"))),
    },
    Family { name: "alignments", text: |n| text(&".byte 1\n.p2align 3\n".repeat(n)) },
    Family { name: "escapes of a string", text: |n| text(&format!(".ascii \"{}\"\n", "\\101\\n".repeat(n))) },
    Family { name: "open macros", text: |n| text(&".macro m\n".repeat(n)) },
    Family { name: "junk", text: |n| text(&lines(n, |i| format!("]] {i} )( % @ \" !\n"))) },
];
