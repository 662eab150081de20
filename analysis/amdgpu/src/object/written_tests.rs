//! Code objects that a test writes, as assembly.

use expect_test::expect;

use super::{descriptor, disassemble};
use crate::encode;
use wavelens_base::Options;
use wavelens_isa::Target;
use wavelens_isa::processor::ProcessorFacts;

struct Section<'t> {
    name: &'t str,
    kind: u32,
    flags: u64,
    bytes: &'t [u8],
}

struct Symbol<'t> {
    name: &'t str,
    section: u16,
    offset: u64,
    info: u8,
}

/// The bytes of assembly for a processor.
fn assembled(processor: &str, text: &str) -> Vec<u8> {
    let options = Options { target: Some(processor.into()), ..Options::default() };
    encode(text, &options).0.into_iter().flat_map(|line| line.bytes).collect()
}

/// An ELF file for AMDGPU: these sections, then a symbol table and two tables of names.
fn elf(flags: u32, sections: &[Section<'_>], symbols: &[Symbol<'_>]) -> Vec<u8> {
    let (mut names, mut texts, mut table) = (vec![0u8], vec![0u8], vec![0u8; 24]);
    for symbol in symbols {
        table.extend((texts.len() as u32).to_le_bytes());
        table.extend([symbol.info, 0]);
        table.extend(symbol.section.to_le_bytes());
        table.extend(symbol.offset.to_le_bytes());
        table.extend(0u64.to_le_bytes());
        texts.extend(symbol.name.bytes().chain([0]));
    }
    let plain = |name, kind, bytes| Section { name, kind, flags: 0, bytes };
    let no_names: &[u8] = &[];
    let tables = [plain(".symtab", 2, &table), plain(".strtab", 3, &texts), plain(".shstrtab", 3, no_names)];
    let all: Vec<&Section<'_>> = sections.iter().chain(&tables).collect();
    let name_of: Vec<u32> = all
        .iter()
        .map(|section| {
            let at = names.len() as u32;
            names.extend(section.name.bytes().chain([0]));
            at
        })
        .collect();
    let (mut contents, mut headers) = (vec![0u8; 64], vec![0u8; 64]);
    for (section, name) in all.iter().zip(name_of) {
        let bytes = if section.name == ".shstrtab" { &names } else { section.bytes };
        contents.resize(contents.len().next_multiple_of(8), 0);
        let (link, size) = if section.kind == 2 { (sections.len() as u32 + 2, 24u64) } else { (0, 0) };
        headers.extend([name, section.kind].iter().flat_map(|word| word.to_le_bytes()));
        let place = [section.flags, 0, contents.len() as u64, bytes.len() as u64];
        headers.extend(place.iter().flat_map(|word| word.to_le_bytes()));
        headers.extend([link, 1].iter().flat_map(|word| word.to_le_bytes()));
        headers.extend([1, size].iter().flat_map(|word: &u64| word.to_le_bytes()));
        contents.extend(bytes);
    }
    contents.resize(contents.len().next_multiple_of(8), 0);
    let mut header = b"\x7fELF\x02\x01\x01\x40\x03\0\0\0\0\0\0\0".to_vec();
    header.extend([3u16, 224].iter().flat_map(|half| half.to_le_bytes()));
    header.extend(1u32.to_le_bytes());
    header.extend([0, 0, contents.len() as u64].iter().flat_map(|word: &u64| word.to_le_bytes()));
    header.extend(flags.to_le_bytes());
    let counts = [64, 56, 0, 64, all.len() as u16 + 1, all.len() as u16];
    header.extend(counts.iter().flat_map(|half| half.to_le_bytes()));
    contents[..64].copy_from_slice(&header);
    contents.extend(headers);
    contents
}

/// The note with the metadata `amdhsa.version: [1, 2]`, and a target.
fn note() -> Vec<u8> {
    let metadata = b"\x81\xaeamdhsa.version\x92\x01\x02";
    let mut note: Vec<u8> =
        [7, metadata.len() as u32, 32].iter().flat_map(|word| word.to_le_bytes()).collect();
    note.extend(b"AMDGPU\0\0");
    note.extend(metadata);
    note.resize(note.len().next_multiple_of(4), 0);
    note
}

#[test]
fn sections_symbols_and_metadata() {
    let code = "f:\n  s_load_dword s0, s[2:3], 0x8\nloop:\n  v_add_f32_e32 v0, v1, v2\n  s_cbranch_scc0 loop\n  s_endpgm\n";
    let mut text = assembled("gfx900", code);
    text.extend([0xff; 4]);
    let data: Vec<u8> = (1..=10).collect();
    let note = note();
    let sections = [
        Section { name: ".text", kind: 1, flags: 6, bytes: &text },
        Section { name: ".rodata", kind: 1, flags: 2, bytes: &[0; 64] },
        Section { name: ".data", kind: 1, flags: 3, bytes: &data },
        Section { name: ".note", kind: 7, flags: 2, bytes: &note },
    ];
    let symbols = [
        Symbol { name: "f", section: 1, offset: 0, info: 0x12 },
        Symbol { name: "inner", section: 1, offset: 12, info: 0 },
        Symbol { name: "f.kd", section: 2, offset: 0, info: 0x11 },
        Symbol { name: "table", section: 3, offset: 4, info: 0x11 },
    ];
    // xnack off, on a processor whose number is 0x2c.
    let found = disassemble(&elf(0x22c, &sections, &symbols));
    expect![[r#"
        	.amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"

        	.text
        	.p2align 8

        	.globl f
        	.type f,@function
        f:
        	s_load_dword s0, s[2:3], 0x8
        .L_0008:
        	v_add_f32_e32 v0, v1, v2

        inner:
        	s_cbranch_scc0 .L_0008
        	s_endpgm
        	.long 0xffffffff

        	.section .rodata,"a",@progbits
        	.p2align 6

        	.amdhsa_kernel f
        		.amdhsa_group_segment_fixed_size 0
        		.amdhsa_private_segment_fixed_size 0
        		.amdhsa_kernarg_size 0
        		.amdhsa_user_sgpr_count 0
        		.amdhsa_user_sgpr_private_segment_buffer 0
        		.amdhsa_user_sgpr_dispatch_ptr 0
        		.amdhsa_user_sgpr_queue_ptr 0
        		.amdhsa_user_sgpr_kernarg_segment_ptr 0
        		.amdhsa_user_sgpr_dispatch_id 0
        		.amdhsa_user_sgpr_flat_scratch_init 0
        		.amdhsa_user_sgpr_private_segment_size 0
        		.amdhsa_uses_dynamic_stack 0
        		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
        		.amdhsa_system_sgpr_workgroup_id_x 0
        		.amdhsa_system_sgpr_workgroup_id_y 0
        		.amdhsa_system_sgpr_workgroup_id_z 0
        		.amdhsa_system_sgpr_workgroup_info 0
        		.amdhsa_system_vgpr_workitem_id 0
        		.amdhsa_float_round_mode_32 0
        		.amdhsa_float_round_mode_16_64 0
        		.amdhsa_float_denorm_mode_32 0
        		.amdhsa_float_denorm_mode_16_64 0
        		.amdhsa_dx10_clamp 0
        		.amdhsa_ieee_mode 0
        		.amdhsa_fp16_overflow 0
        		.amdhsa_exception_fp_ieee_invalid_op 0
        		.amdhsa_exception_fp_denorm_src 0
        		.amdhsa_exception_fp_ieee_div_zero 0
        		.amdhsa_exception_fp_ieee_overflow 0
        		.amdhsa_exception_fp_ieee_underflow 0
        		.amdhsa_exception_fp_ieee_inexact 0
        		.amdhsa_exception_int_div_zero 0
        		.amdhsa_next_free_vgpr 4
        		.amdhsa_next_free_sgpr 4
        		.amdhsa_reserve_vcc 0
        		.amdhsa_reserve_flat_scratch 0
        	.end_amdhsa_kernel

        	.section .data,"aw",@progbits
        	.p2align 6
        	.long 0x04030201

        	.globl table
        	.type table,@object
        table:
        	.long 0x08070605
        	.byte 0x09, 0x0a

        	.amdgpu_metadata
        ---
        amdhsa.version: 
          - 1
          - 2
        ...
        	.end_amdgpu_metadata
    "#]]
    .assert_eq(&found.unwrap_or_else(|error| error));
    // A number that no processor has.
    let found = disassemble(&elf(0xfe, &sections[..1], &symbols[..2]));
    expect![[r#"
        	; unknown processor: processor 0xfe

        	.text
        	.p2align 8

        	.globl f
        	.type f,@function
        f:
        	.long 0xc0020001
        	.long 0x00000008
        	.long 0x02000501

        inner:
        	.long 0xbf84fffe
        	.long 0xbf810000
        	.long 0xffffffff
    "#]]
    .assert_eq(&found.unwrap_or_else(|error| error));
}

/// The fields of descriptors whose bits are all set, or every other one, on processors of each kind.
#[test]
fn fields_of_descriptors() {
    let mut shown = String::new();
    for processor in ["gfx600", "gfx803", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200", "gfx1250"] {
        let machine = ProcessorFacts::of(Target::named(processor).expect("a known processor"));
        for pattern in [0xff, 0x55, 0xaa] {
            let mut text = String::new();
            descriptor::write(&machine, "k", &[pattern; 64], &mut text);
            let fields = text.lines().filter_map(|line| line.trim().strip_prefix(".amdhsa_"));
            shown += &format!("{processor} {pattern:#x}: {}\n", fields.collect::<Vec<_>>().join(", "));
        }
    }
    expect![[r#"
        gfx600 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 31, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 1, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, dx10_clamp 1, ieee_mode 1, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 256, next_free_sgpr 104, reserve_vcc 0
        gfx600 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 10, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 0, user_sgpr_private_segment_size 1, uses_dynamic_stack 0, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, dx10_clamp 0, ieee_mode 0, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 88, next_free_sgpr 44, reserve_vcc 0
        gfx600 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_private_segment_buffer 0, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 0, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, dx10_clamp 1, ieee_mode 1, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 172, next_free_sgpr 84, reserve_vcc 0
        gfx803 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 31, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 1, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, dx10_clamp 1, ieee_mode 1, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 256, next_free_sgpr 102, reserve_vcc 0, reserve_flat_scratch 0
        gfx803 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 10, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 0, user_sgpr_private_segment_size 1, uses_dynamic_stack 0, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, dx10_clamp 0, ieee_mode 0, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 88, next_free_sgpr 48, reserve_vcc 0, reserve_flat_scratch 0
        gfx803 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_private_segment_buffer 0, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 0, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, dx10_clamp 1, ieee_mode 1, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 172, next_free_sgpr 88, reserve_vcc 0, reserve_flat_scratch 0
        gfx90a 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 31, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 1, user_sgpr_kernarg_preload_length 127, user_sgpr_kernarg_preload_offset 511, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, dx10_clamp 1, ieee_mode 1, fp16_overflow 1, tg_split 1, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 512, next_free_sgpr 102, reserve_vcc 0, reserve_flat_scratch 0, accum_offset 256
        gfx90a 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 10, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 0, user_sgpr_private_segment_size 1, user_sgpr_kernarg_preload_length 85, user_sgpr_kernarg_preload_offset 170, uses_dynamic_stack 0, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, dx10_clamp 0, ieee_mode 0, fp16_overflow 1, tg_split 1, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 176, next_free_sgpr 44, reserve_vcc 0, reserve_flat_scratch 0, accum_offset 88
        gfx90a 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_private_segment_buffer 0, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 0, user_sgpr_kernarg_preload_length 42, user_sgpr_kernarg_preload_offset 341, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, dx10_clamp 1, ieee_mode 1, fp16_overflow 0, tg_split 0, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 344, next_free_sgpr 84, reserve_vcc 0, reserve_flat_scratch 0, accum_offset 172
        gfx942 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 31, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, user_sgpr_kernarg_preload_length 127, user_sgpr_kernarg_preload_offset 511, uses_dynamic_stack 1, enable_private_segment 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, dx10_clamp 1, ieee_mode 1, fp16_overflow 1, tg_split 1, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 512, next_free_sgpr 102, reserve_vcc 0, accum_offset 256
        gfx942 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 10, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, user_sgpr_kernarg_preload_length 85, user_sgpr_kernarg_preload_offset 170, uses_dynamic_stack 0, enable_private_segment 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, dx10_clamp 0, ieee_mode 0, fp16_overflow 1, tg_split 1, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 176, next_free_sgpr 42, reserve_vcc 0, accum_offset 88
        gfx942 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_private_segment_size 0, user_sgpr_kernarg_preload_length 42, user_sgpr_kernarg_preload_offset 341, uses_dynamic_stack 1, enable_private_segment 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, dx10_clamp 1, ieee_mode 1, fp16_overflow 0, tg_split 0, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 344, next_free_sgpr 82, reserve_vcc 0, accum_offset 172
        gfx1030 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 31, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 1, wavefront_size32 1, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, dx10_clamp 1, ieee_mode 1, fp16_overflow 1, workgroup_processor_mode 1, memory_ordered 1, forward_progress 1, shared_vgpr_count 15, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 512, next_free_sgpr 0, reserve_vcc 0, reserve_flat_scratch 0
        gfx1030 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 10, user_sgpr_private_segment_buffer 1, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_flat_scratch_init 0, user_sgpr_private_segment_size 1, wavefront_size32 1, uses_dynamic_stack 0, system_sgpr_private_segment_wavefront_offset 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, dx10_clamp 0, ieee_mode 0, fp16_overflow 1, workgroup_processor_mode 0, memory_ordered 1, forward_progress 0, shared_vgpr_count 5, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 176, next_free_sgpr 0, reserve_vcc 0, reserve_flat_scratch 0
        gfx1030 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_private_segment_buffer 0, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_flat_scratch_init 1, user_sgpr_private_segment_size 0, wavefront_size32 0, uses_dynamic_stack 1, system_sgpr_private_segment_wavefront_offset 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, dx10_clamp 1, ieee_mode 1, fp16_overflow 0, workgroup_processor_mode 1, memory_ordered 0, forward_progress 1, shared_vgpr_count 10, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 172, next_free_sgpr 0, reserve_vcc 0, reserve_flat_scratch 0
        gfx1100 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 31, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, wavefront_size32 1, uses_dynamic_stack 1, enable_private_segment 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, dx10_clamp 1, ieee_mode 1, fp16_overflow 1, workgroup_processor_mode 1, memory_ordered 1, forward_progress 1, shared_vgpr_count 15, inst_pref_size 63, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 512, next_free_sgpr 0, reserve_vcc 0
        gfx1100 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 10, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, wavefront_size32 1, uses_dynamic_stack 0, enable_private_segment 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, dx10_clamp 0, ieee_mode 0, fp16_overflow 1, workgroup_processor_mode 0, memory_ordered 1, forward_progress 0, shared_vgpr_count 5, inst_pref_size 21, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 176, next_free_sgpr 0, reserve_vcc 0
        gfx1100 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_private_segment_size 0, wavefront_size32 0, uses_dynamic_stack 1, enable_private_segment 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, dx10_clamp 1, ieee_mode 1, fp16_overflow 0, workgroup_processor_mode 1, memory_ordered 0, forward_progress 1, shared_vgpr_count 10, inst_pref_size 42, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 172, next_free_sgpr 0, reserve_vcc 0
        gfx1200 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 31, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, wavefront_size32 1, uses_dynamic_stack 1, enable_private_segment 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, round_robin_scheduling 1, fp16_overflow 1, workgroup_processor_mode 1, memory_ordered 1, forward_progress 1, inst_pref_size 255, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 512, next_free_sgpr 0, reserve_vcc 0
        gfx1200 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 10, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, wavefront_size32 1, uses_dynamic_stack 0, enable_private_segment 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, round_robin_scheduling 0, fp16_overflow 1, workgroup_processor_mode 0, memory_ordered 1, forward_progress 0, inst_pref_size 85, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 176, next_free_sgpr 0, reserve_vcc 0
        gfx1200 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_private_segment_size 0, wavefront_size32 0, uses_dynamic_stack 1, enable_private_segment 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, round_robin_scheduling 1, fp16_overflow 0, workgroup_processor_mode 1, memory_ordered 0, forward_progress 1, inst_pref_size 170, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 172, next_free_sgpr 0, reserve_vcc 0
        gfx1250 0xff: kernel k, group_segment_fixed_size 4294967295, private_segment_fixed_size 4294967295, kernarg_size 4294967295, user_sgpr_count 63, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, user_sgpr_kernarg_preload_length 127, user_sgpr_kernarg_preload_offset 511, wavefront_size32 1, uses_dynamic_stack 1, enable_private_segment 1, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 3, float_round_mode_32 3, float_round_mode_16_64 3, float_denorm_mode_32 3, float_denorm_mode_16_64 3, round_robin_scheduling 1, fp16_overflow 1, memory_ordered 1, forward_progress 1, inst_pref_size 255, named_barrier_count 7, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 1, exception_int_div_zero 1, next_free_vgpr 1024, next_free_sgpr 0, reserve_vcc 0
        gfx1250 0x55: kernel k, group_segment_fixed_size 1431655765, private_segment_fixed_size 1431655765, kernarg_size 1431655765, user_sgpr_count 42, user_sgpr_dispatch_ptr 0, user_sgpr_queue_ptr 1, user_sgpr_kernarg_segment_ptr 0, user_sgpr_dispatch_id 1, user_sgpr_private_segment_size 1, user_sgpr_kernarg_preload_length 85, user_sgpr_kernarg_preload_offset 170, wavefront_size32 1, uses_dynamic_stack 0, enable_private_segment 1, system_sgpr_workgroup_id_x 0, system_sgpr_workgroup_id_y 1, system_sgpr_workgroup_id_z 0, system_sgpr_workgroup_info 1, system_vgpr_workitem_id 2, float_round_mode_32 1, float_round_mode_16_64 1, float_denorm_mode_32 1, float_denorm_mode_16_64 1, round_robin_scheduling 0, fp16_overflow 1, memory_ordered 1, forward_progress 0, inst_pref_size 85, named_barrier_count 5, exception_fp_ieee_invalid_op 1, exception_fp_denorm_src 0, exception_fp_ieee_div_zero 1, exception_fp_ieee_overflow 0, exception_fp_ieee_underflow 1, exception_fp_ieee_inexact 0, exception_int_div_zero 1, next_free_vgpr 352, next_free_sgpr 0, reserve_vcc 0
        gfx1250 0xaa: kernel k, group_segment_fixed_size 2863311530, private_segment_fixed_size 2863311530, kernarg_size 2863311530, user_sgpr_count 21, user_sgpr_dispatch_ptr 1, user_sgpr_queue_ptr 0, user_sgpr_kernarg_segment_ptr 1, user_sgpr_dispatch_id 0, user_sgpr_private_segment_size 0, user_sgpr_kernarg_preload_length 42, user_sgpr_kernarg_preload_offset 341, wavefront_size32 0, uses_dynamic_stack 1, enable_private_segment 0, system_sgpr_workgroup_id_x 1, system_sgpr_workgroup_id_y 0, system_sgpr_workgroup_id_z 1, system_sgpr_workgroup_info 0, system_vgpr_workitem_id 1, float_round_mode_32 2, float_round_mode_16_64 2, float_denorm_mode_32 2, float_denorm_mode_16_64 2, round_robin_scheduling 1, fp16_overflow 0, memory_ordered 0, forward_progress 1, inst_pref_size 170, named_barrier_count 2, exception_fp_ieee_invalid_op 0, exception_fp_denorm_src 1, exception_fp_ieee_div_zero 0, exception_fp_ieee_overflow 1, exception_fp_ieee_underflow 0, exception_fp_ieee_inexact 1, exception_int_div_zero 0, next_free_vgpr 688, next_free_sgpr 0, reserve_vcc 0
    "#]].assert_eq(&shown);
}
