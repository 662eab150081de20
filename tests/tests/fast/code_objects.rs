//! AMDGPU code objects: what is shown assembles back to the same bytes.

use std::path::Path;
use std::process::Command;

use wavelens_check::disassemble::{IdStyle, disassemble};
use wavelens_tests::required;

const KERNEL: &str = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32 v0, 2, v0
loop:
  s_waitcnt lgkmcnt(0)
  global_load_dword v1, v0, s[0:1]
  v_add_f32 v2, 0x3fc00000, v1
  s_cbranch_vccnz loop
  s_endpgm
.long 0xffffffff
.rodata
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 3
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 3
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
";

fn assemble(folder: &Path, name: &str, text: &str) -> Option<Vec<u8>> {
    let (source, object) = (folder.join(format!("{name}.s")), folder.join(format!("{name}.o")));
    std::fs::write(&source, text).ok()?;
    let done = Command::new("llvm-mc-22")
        .args(["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o"])
        .args([&object, &source])
        .status()
        .ok()?;
    assert!(done.success(), "llvm-mc refuses:\n{text}");
    std::fs::read(object).ok()
}

#[test]
fn instructions_are_shown_with_their_lines_of_the_source() {
    let folder = std::env::temp_dir().join(format!("wavelens-object-lines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let text = KERNEL
        .replace("k:\n", "k:\n.file 1 \"/src\" \"k.hip\"\n.file 2 \"lib/half.h\"\n.loc 1 12 3\n")
        .replace("loop:\n", "loop:\n.loc 2 7 0\n")
        .replace("  v_add_f32", ".loc 1 13 9\n  v_add_f32")
        .replace(".rodata\n", ".section .rodata,\"a\"\n");
    let Some(object) = assemble(&folder, "lines", &text) else {
        required::skip("llvm-mc-22 is not installed");
        return;
    };
    let shown = disassemble(&object, IdStyle::Friendly).expect("it was just assembled");
    let lines = shown.lines().skip_while(|line| *line != "k:").take(10).collect::<Vec<_>>().join("\n");
    let expected = "k:
\t.loc\t1 12 3\t; k.hip:12:3
\ts_load_dwordx2 s[0:1], s[0:1], 0x0
\tv_lshlrev_b32_e32 v0, 2, v0

loop:
.L_000c:
\t.loc\t2 7 0\t; half.h:7:0
\ts_waitcnt lgkmcnt(0)
\tglobal_load_dword v1, v0, s[0:1]";
    assert_eq!(lines, expected, "{shown}");
    assert!(shown.contains("\t.file\t1 \"/src\" \"k.hip\"\n"), "{shown}");
    assert!(shown.contains("\t.file\t2 \"lib\" \"half.h\"\n"), "{shown}");
    // The lines go round as well.
    let again = assemble(&folder, "lines-again", &shown).expect("it assembles");
    assert_eq!(disassemble(&again, IdStyle::Friendly), Ok(shown));
    let _ = std::fs::remove_dir_all(&folder);
    for cut in (0..object.len()).step_by(29) {
        let mut bytes = object.clone();
        bytes[cut] ^= 0x55;
        let _ = disassemble(&bytes, IdStyle::Friendly);
    }
}

#[test]
fn code_objects_assemble_back() {
    let folder = std::env::temp_dir().join(format!("wavelens-objects-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let Some(first) = assemble(&folder, "first", &KERNEL.replace(".rodata\n", ".section .rodata,\"a\"\n"))
    else {
        required::skip("llvm-mc-22 is not installed");
        return;
    };
    let text = disassemble(&first, IdStyle::Friendly).expect("it was just assembled");
    assert!(text.contains("s_cbranch_vccnz .L_000c") && text.contains(".long 0xffffffff"), "{text}");
    assert!(text.contains(".amdhsa_next_free_vgpr 4") && text.contains(".symbol: k.kd"), "{text}");
    let second = assemble(&folder, "second", &text).expect("it assembles");
    let again = disassemble(&second, IdStyle::Friendly).expect("it was just assembled");
    assert_eq!(text, again);
    let _ = std::fs::remove_dir_all(&folder);
    // Whatever is cut off or changed: an answer or an error.
    for cut in (0..first.len()).step_by(37) {
        let _ = disassemble(&first[..cut], IdStyle::Friendly);
        let mut bytes = first.clone();
        bytes[cut] ^= 0x55;
        let _ = disassemble(&bytes, IdStyle::Friendly);
    }
}
