//! Assembly full of macros, in three shapes.

use std::fmt::Write;

use crate::random::Random;

const FEW: &str = r#"
.macro mac4 c, a, b
    v_mac_f32 v[\c+0], v[\a+0], v[\b+0]
    v_mac_f32 v[\c+1], v[\a+1], v[\b+0]
    v_mac_f32 v[\c+2], v[\a+0], v[\b+1]
    v_mac_f32 v[\c+3], v[\a+1], v[\b+1]
.endm
.macro mac16 c, a, b
    mac4 \c, \a, \b
    mac4 \c+4, \a, \b+2
    mac4 \c+8, \a+2, \b
    mac4 \c+12, \a+2, \b+2
.endm
.macro loop_begin name, count
    s_mov_b32 s4, \count
\name:
.endm
.macro loop_end name
    s_sub_u32 s4, s4, 1
    s_cmp_lg_u32 s4, 0
    s_cbranch_scc1 \name
.endm
.macro wait vm=-1, lgkm=-1
  .if \vm >= 0 && \lgkm >= 0
    s_waitcnt vmcnt(\vm) & lgkmcnt(\lgkm)
  .elseif \vm >= 0
    s_waitcnt vmcnt(\vm)
  .else
    s_waitcnt lgkmcnt(0)
  .endif
.endm
.macro alloc name, count=1
  .set \name, next_vgpr
  .set next_vgpr, next_vgpr + \count
.endm
.set next_vgpr, 64
"#;

/// A few macros at the top, and kernels that call them.
pub fn few(lines: usize) -> String {
    let mut random = Random::new(1);
    let mut text = format!("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"{FEW}");
    for kernel in 0.. {
        if text.lines().count() >= lines {
            break;
        }
        let _ = write!(text, "\t.globl kernel{kernel}\n\t.type kernel{kernel},@function\nkernel{kernel}:\n");
        let _ = write!(text, ".set next_vgpr, 64\n    alloc acc{kernel}, 16\n    alloc tmp{kernel}\n");
        let _ = writeln!(text, "    loop_begin loop{kernel}, {}", random.below(100));
        for _ in 0..20 + random.below(30) {
            let (a, b) = (random.below(20), random.below(40));
            let _ = match random.below(5) {
                0 => writeln!(text, "    mac4 {}, {a}, {b}", 4 * a),
                1 => writeln!(text, "    mac16 acc{kernel}, {a}, {b}"),
                2 => writeln!(text, "    wait {a}, lgkm={}", a / 2),
                3 => writeln!(text, "    v_mov_b32 v[tmp{kernel}], {b}"),
                _ => writeln!(text, "    v_add_f32 v{a}, v{b}, v{a}"),
            };
        }
        let _ = write!(text, "    loop_end loop{kernel}\n    s_endpgm\n.Lend{kernel}:\n");
        let _ = writeln!(text, "\t.size kernel{kernel}, .Lend{kernel}-kernel{kernel}");
    }
    text
}

/// Many macros, each used nearby, that call each other, with repetitions, conditions and labels of their own.
pub fn many(lines: usize) -> String {
    let mut random = Random::new(2);
    let mut text = String::from("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n");
    for part in 0.. {
        if text.lines().count() >= lines {
            break;
        }
        let _ = write!(
            text,
            ".macro step{part} n, x, y=1\n    v_add_f32 v[\\x], v[\\x+\\y], v[\\n]\n  .if \\n & 1\n    v_mul_f32 v[\\x], v[\\x], v[\\y]\n  \
             .else\n    v_fma_f32 v[\\x], v[\\x], v[\\y], v0\n  .endif\n.endm\n\
             .macro outer{part} base\n    step{part} 1, \\base\n    step{part} 2, \\base, 3\n  .irp r, 1, 2, 3\n    \
             v_xor_b32 v\\r, v\\r, v[\\base]\n  .endr\n.endm\n\
             .macro table{part} n\n.Ltab{part}_\\n\\()_\\@:\n    s_branch .Ltab{part}_\\n\\()_\\@\n.endm\n\
             part{part}:\n.set size{part}, {}\n",
            4 + random.below(8)
        );
        for _ in 0..20 + random.below(60) {
            let n = random.below(40);
            let _ = match random.below(5) {
                0 => writeln!(text, "    step{part} {}, {n}", random.below(20)),
                1 => writeln!(text, "    outer{part} {n}"),
                2 => writeln!(text, "    table{part} {n}"),
                3 => writeln!(text, "    outer{} size{part}", part - random.below(2).min(part)),
                _ => writeln!(text, "    s_add_u32 s{n}, s{n}, 1"),
            };
        }
        let _ = write!(
            text,
            ".rept size{part}\n    outer{part} 2\n.endr\n.if size{part} > 6\n    s_nop 1\n.else\n    step{part} 1, 2\n.endif\n    s_endpgm\n"
        );
    }
    text
}

/// In the manner of kernels written by hand: registers by name, counters in macros, macros that define macros.
pub fn by_hand(lines: usize) -> String {
    let mut random = Random::new(3);
    let mut text = String::from("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\n.text\n");
    for kernel in 0.. {
        if text.lines().count() >= lines {
            break;
        }
        let _ = write!(
            text,
            ".set k{kernel}_ptr, 0\n.set s_ka{kernel}, 2\n.set s_ptr{kernel}, 4\n.set v_c{kernel}, {}\n.set v_a{kernel}, v_c{kernel} + 16\n\
             .macro .clear{kernel} vid, num\n    _v = \\vid\n    .rept \\num\n        v_mov_b32 v[_v], 0\n        _v = _v + 1\n    .endr\n.endm\n\
             .macro .define{kernel} name\n.macro \\name\\()_{kernel} x\n    v_mov_b32 v[\\x], s[s_ptr{kernel}]\n.endm\n.endm\n\
             .define{kernel} fill\n.if defined_above\n.else\n.endif\n\
             kernel{kernel}:\n    s_load_dwordx2 s[s_ptr{kernel}:s_ptr{kernel}+1], s[s_ka{kernel}:s_ka{kernel}+1], k{kernel}_ptr\n",
            random.below(30)
        );
        for line in 0..20 + random.below(40) {
            let n = random.below(12);
            let _ = match random.below(5) {
                0 => writeln!(text, "    .clear{kernel} v_c{kernel}, {n}"),
                1 => writeln!(text, "    fill_{kernel} v_a{kernel}+{n}"),
                2 => writeln!(text, "L_{kernel}_{line}:\n    s_cbranch_scc0 L_{kernel}_{line}"),
                3 => writeln!(text, "    s_mov_b32 s[s_ka{kernel}+{n}], 0x{n:x}"),
                _ => writeln!(text, "    v_mul_lo_u32 v[v_c{kernel}+{n}], v[v_a{kernel}], v{n}"),
            };
        }
        text.push_str("    s_endpgm\n");
    }
    text.replacen(".if defined_above", ".set defined_above, 1\n.if defined_above", 1)
}
