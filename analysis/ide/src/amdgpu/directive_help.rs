//! What directives, the settings of kernel descriptors and the keys of metadata mean.

/// Name, what follows it, meaning.
type Entry = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const DIRECTIVES: &[Entry] = &[
    (".amdgcn_target", "\"TARGET-ID\"", "The processor that the file is for; must agree with the command line."),
    (".amdhsa_kernel", "NAME", "Begins the kernel descriptor of a kernel."),
    (".end_amdhsa_kernel", "", "Ends a kernel descriptor and writes its 64 bytes to the current section."),
    (".amdhsa_code_object_version", "VERSION", "The version of the code object: 4, 5 or 6."),
    (".amdgpu_metadata", "", "Begins the metadata of the code object, in YAML."),
    (".end_amdgpu_metadata", "", "Ends the metadata."),
    (".amdgpu_pal_metadata", "", "Begins the metadata of a PAL code object, in YAML."),
    (".end_amdgpu_pal_metadata", "", "Ends the metadata."),
    (".amd_amdgpu_pal_metadata", "KEY, VALUE, ...", "The metadata of a PAL code object, as registers and their values."),
    (".amd_amdgpu_isa", "\"TARGET\"", "The target that the file is written for."),
    (".amdgpu_lds", "NAME, SIZE[, ALIGNMENT]", "Declares a variable in LDS."),
    (".amdgpu_hsa_kernel", "NAME", "Marks a symbol as a kernel (old code objects)."),
    (".amd_kernel_code_t", "", "Begins the settings of a kernel (code object version 2)."),
    (".end_amd_kernel_code_t", "", "Ends the settings of a kernel."),
    (".text", "", "Switches to the section of code."),
    (".data", "", "Switches to the section of writable data."),
    (".rodata", "", "Switches to the section of constant data."),
    (".bss", "", "Switches to the section of data that starts as 0."),
    (".section", "NAME[, \"FLAGS\"[, @TYPE]]", "Switches to a section."),
    (".pushsection", "NAME[, \"FLAGS\"[, @TYPE]]", "Switches to a section and remembers the current one."),
    (".popsection", "", "Returns to the section before `.pushsection`."),
    (".previous", "", "Returns to the section before this one."),
    (".globl", "SYMBOL", "Makes a symbol visible to other files."),
    (".global", "SYMBOL", "Makes a symbol visible to other files."),
    (".weak", "SYMBOL", "Makes a symbol weak: a definition elsewhere wins."),
    (".comm", "SYMBOL, BYTES[, ALIGNMENT]", "A symbol that the linker gives memory, the same for all files."),
    (".local", "SYMBOL", "Makes a symbol invisible to other files."),
    (".hidden", "SYMBOL", "Hides a symbol outside of the linked object."),
    (".protected", "SYMBOL", "Makes references inside of the linked object always mean this definition."),
    (".internal", "SYMBOL", "Hides a symbol outside of the linked object."),
    (".type", "SYMBOL, @TYPE", "The type of a symbol: `@function`, `@object`."),
    (".size", "SYMBOL, EXPRESSION", "The size of a symbol in bytes."),
    (".p2align", "POWER[, FILL[, MAX]]", "Aligns to a power of two."),
    (".balign", "BYTES[, FILL[, MAX]]", "Aligns to a number of bytes."),
    (".align", "BYTES[, FILL[, MAX]]", "Aligns to a number of bytes."),
    (".set", "SYMBOL, EXPRESSION", "Gives a symbol a value; it may change later."),
    (".equ", "SYMBOL, EXPRESSION", "Gives a symbol a value; it may change later."),
    (".equiv", "SYMBOL, EXPRESSION", "Gives a symbol a value; an error if it has one."),
    (".macro", "NAME [PARAMETER[=DEFAULT], ...]", "Begins a macro; `\\name` is a parameter, `\\@` a number of the call."),
    (".endm", "", "Ends a macro."),
    (".exitm", "", "Leaves the macro."),
    (".purgem", "NAME", "Removes a macro."),
    (".rept", "COUNT", "Repeats the lines up to `.endr`."),
    (".irp", "SYMBOL, VALUE, ...", "Repeats the lines up to `.endr` for each value."),
    (".irpc", "SYMBOL, CHARACTERS", "Repeats the lines up to `.endr` for each character."),
    (".endr", "", "Ends a repetition."),
    (".if", "EXPRESSION", "Assembles the following lines if the expression is not 0."),
    (".ifdef", "SYMBOL", "Assembles the following lines if the symbol is defined."),
    (".ifndef", "SYMBOL", "Assembles the following lines if the symbol is not defined."),
    (".elseif", "EXPRESSION", "Another condition."),
    (".else", "", "Assembles the following lines if no condition before was true."),
    (".endif", "", "Ends a condition."),
    (".include", "\"FILE\"", "Reads another file here."),
    (".incbin", "\"FILE\"", "Inserts the bytes of a file."),
    (".byte", "EXPRESSION, ...", "Bytes."),
    (".short", "EXPRESSION, ...", "Numbers of 2 bytes."),
    (".long", "EXPRESSION, ...", "Numbers of 4 bytes."),
    (".int", "EXPRESSION, ...", "Numbers of 4 bytes."),
    (".quad", "EXPRESSION, ...", "Numbers of 8 bytes."),
    (".uleb128", "EXPRESSION, ...", "Unsigned numbers of variable length, 7 bits in each byte."),
    (".sleb128", "EXPRESSION, ...", "Signed numbers of variable length, 7 bits in each byte."),
    (".float", "NUMBER, ...", "Single-precision numbers."),
    (".double", "NUMBER, ...", "Double-precision numbers."),
    (".ascii", "\"TEXT\", ...", "Text without a zero at the end."),
    (".asciz", "\"TEXT\", ...", "Text with a zero at the end."),
    (".string", "\"TEXT\", ...", "Text with a zero at the end."),
    (".error", "\"TEXT\"", "Reports an error."),
    (".warning", "\"TEXT\"", "Reports a warning."),
    (".print", "\"TEXT\"", "Prints a text."),
    (".altmacro", "", "Switches on the alternative macro syntax."),
    (".noaltmacro", "", "Switches off the alternative macro syntax."),
    (".fill", "COUNT[, SIZE[, VALUE]]", "Repeats a value."),
    (".space", "BYTES[, FILL]", "Fills a number of bytes."),
    (".skip", "BYTES[, FILL]", "Fills a number of bytes."),
    (".zero", "BYTES", "Fills a number of bytes with 0."),
    (".org", "OFFSET[, FILL]", "Goes on at an offset of the section."),
    (".ident", "\"TEXT\"", "A comment in the object file."),
    (".file", "[NUMBER] \"NAME\"", "A source file, for line numbers."),
    (".loc", "FILE LINE [COLUMN] ...", "The source line of the following instructions."),
    (".addrsig", "", "Writes the table of symbols whose addresses matter."),
    (".addrsig_sym", "SYMBOL", "A symbol whose address matters."),
    (".reloc", "OFFSET, TYPE[, EXPRESSION]", "A relocation."),
    (".cfi_sections", "SECTION, ...", "The sections that call frame information is written to."),
    (".cfi_startproc", "", "Begins the call frame information of a function."),
    (".cfi_endproc", "", "Ends the call frame information of a function."),
    (".cfi_def_cfa", "REGISTER, OFFSET", "The frame's address is a register plus an offset."),
    (".cfi_def_cfa_register", "REGISTER", "The register that the frame's address is computed from."),
    (".cfi_def_cfa_offset", "OFFSET", "The offset that the frame's address is computed with."),
    (".cfi_adjust_cfa_offset", "OFFSET", "Adds to the offset that the frame's address is computed with."),
    (".cfi_offset", "REGISTER, OFFSET", "A register is saved at an offset from the frame's address."),
    (".cfi_rel_offset", "REGISTER, OFFSET", "A register is saved at an offset from the frame register."),
    (".cfi_register", "REGISTER, REGISTER", "A register is saved in another one."),
    (".cfi_restore", "REGISTER", "A register is as it was at the start of the function."),
    (".cfi_undefined", "REGISTER", "The previous value of a register is not saved."),
    (".cfi_same_value", "REGISTER", "A register has its previous value."),
    (".cfi_remember_state", "", "Saves the rules of all registers."),
    (".cfi_restore_state", "", "Restores the rules that were saved last."),
    (".cfi_escape", "BYTE, ...", "Bytes of call frame information as they are."),
];

/// Settings of `.amdhsa_kernel`, without `.amdhsa_`.
#[rustfmt::skip]
const SETTINGS: &[Entry] = &[
    ("group_segment_fixed_size", "BYTES", "LDS that each workgroup takes."),
    ("private_segment_fixed_size", "BYTES", "Scratch memory that each work-item takes."),
    ("kernarg_size", "BYTES", "Size of the kernel's arguments."),
    ("user_sgpr_count", "0 to 16 (32 on gfx125x)", "Scalar registers that the hardware fills before the start; derived from the others by default."),
    ("user_sgpr_private_segment_buffer", "0 or 1", "The descriptor of scratch memory is in 4 user SGPRs."),
    ("user_sgpr_kernarg_preload_length", "DWORDS", "Arguments that are loaded into user SGPRs before the start."),
    ("user_sgpr_kernarg_preload_offset", "DWORDS", "Where the arguments to load begin."),
    ("user_sgpr_dispatch_ptr", "0 or 1", "The address of the dispatch packet is in 2 user SGPRs."),
    ("user_sgpr_queue_ptr", "0 or 1", "The address of the queue is in 2 user SGPRs."),
    ("user_sgpr_kernarg_segment_ptr", "0 or 1", "The address of the arguments is in 2 user SGPRs."),
    ("user_sgpr_dispatch_id", "0 or 1", "The number of the dispatch is in 2 user SGPRs."),
    ("user_sgpr_flat_scratch_init", "0 or 1", "What `flat_scratch` starts with is in 2 user SGPRs."),
    ("user_sgpr_private_segment_size", "0 or 1", "The size of scratch memory is in a user SGPR."),
    ("wavefront_size32", "0 or 1", "Waves have 32 lanes (1) or 64 (0)."),
    ("uses_dynamic_stack", "0 or 1", "The kernel's stack grows by an amount that is not known."),
    ("system_sgpr_private_segment_wavefront_offset", "0 or 1", "The wave's offset in scratch memory is in an SGPR."),
    ("enable_private_segment", "0 or 1", "The kernel uses scratch memory."),
    ("system_sgpr_workgroup_id_x", "0 or 1", "The workgroup's x number is in an SGPR."),
    ("system_sgpr_workgroup_id_y", "0 or 1", "The workgroup's y number is in an SGPR."),
    ("system_sgpr_workgroup_id_z", "0 or 1", "The workgroup's z number is in an SGPR."),
    ("system_sgpr_workgroup_info", "0 or 1", "Information about the workgroup is in an SGPR."),
    ("system_vgpr_workitem_id", "0 to 2", "Which numbers of the work-item are in VGPRs: x, x and y, or all."),
    ("next_free_vgpr", "COUNT", "The highest vector register that is used, plus one; sets how many the wave gets."),
    ("next_free_sgpr", "COUNT", "The highest scalar register that is used, plus one, without the reserved ones."),
    ("accum_offset", "4 to 256, a multiple of 4", "Where the accumulator registers begin in the common register file."),
    ("reserve_vcc", "0 or 1", "Two more SGPRs for `vcc`."),
    ("reserve_flat_scratch", "0 or 1", "More SGPRs for `flat_scratch`."),
    ("reserve_xnack_mask", "0 or 1", "More SGPRs for `xnack_mask`."),
    ("float_round_mode_32", "0 to 3", "How f32 results are rounded: nearest even, up, down, toward zero."),
    ("float_round_mode_16_64", "0 to 3", "How f16 and f64 results are rounded: nearest even, up, down, toward zero."),
    ("float_denorm_mode_32", "0 to 3", "f32 denormals: flush all, flush results, flush sources, keep."),
    ("float_denorm_mode_16_64", "0 to 3", "f16 and f64 denormals: flush all, flush results, flush sources, keep."),
    ("dx10_clamp", "0 or 1", "`clamp` turns NaN into 0."),
    ("ieee_mode", "0 or 1", "Floating-point operations follow IEEE 754 for signaling NaN."),
    ("fp16_overflow", "0 or 1", "f16 results that overflow become the largest number instead of infinity."),
    ("tg_split", "0 or 1", "The waves of a workgroup may run on different compute units."),
    ("workgroup_processor_mode", "0 or 1", "The workgroup runs on a whole workgroup processor (1) or one compute unit (0)."),
    ("memory_ordered", "0 or 1", "Loads return in order."),
    ("forward_progress", "0 or 1", "Waves make progress in the order of their age."),
    ("shared_vgpr_count", "0 to 15", "Vector registers that both halves of a wave of 64 share, in units of 8."),
    ("inst_pref_size", "CACHE LINES", "How much code is fetched ahead at the start."),
    ("exception_fp_ieee_invalid_op", "0 or 1", "Invalid operations trap."),
    ("exception_fp_denorm_src", "0 or 1", "Denormal sources trap."),
    ("exception_fp_ieee_div_zero", "0 or 1", "Floating-point division by zero traps."),
    ("exception_fp_ieee_overflow", "0 or 1", "Overflow traps."),
    ("exception_fp_ieee_underflow", "0 or 1", "Underflow traps."),
    ("exception_fp_ieee_inexact", "0 or 1", "Inexact results trap."),
    ("exception_int_div_zero", "0 or 1", "Integer division by zero traps."),
    ("round_robin_scheduling", "0 or 1", "Waves are scheduled in turn."),
    ("named_barrier_count", "0 to 7", "Named barriers, in units of 4."),
];

/// Keys of `.amdgpu_metadata`.
#[rustfmt::skip]
const METADATA: &[(&str, &str)] = &[
    ("amdhsa.version", "Version of the metadata, two numbers."),
    ("amdhsa.target", "The target id that the code object is for."),
    ("amdhsa.kernels", "The kernels of the code object."),
    ("amdhsa.printf", "Formats of `printf` calls."),
    (".name", "Name in the source: of the kernel, or of the argument."),
    (".symbol", "Symbol of the kernel descriptor: the name with `.kd`."),
    (".language", "Source language."),
    (".language_version", "Version of the source language, two numbers."),
    (".args", "Arguments of the kernel, in order."),
    (".reqd_workgroup_size", "Required size of workgroups: x, y, z."),
    (".workgroup_size_hint", "Expected size of workgroups: x, y, z."),
    (".vec_type_hint", "Vector type that the kernel computes with."),
    (".device_enqueue_symbol", "Symbol of the handle for enqueueing from the device."),
    (".kernarg_segment_size", "Size of the arguments in bytes."),
    (".kernarg_segment_align", "Alignment of the arguments in bytes."),
    (".group_segment_fixed_size", "LDS of a workgroup in bytes."),
    (".private_segment_fixed_size", "Scratch memory of a work-item in bytes."),
    (".uses_dynamic_stack", "Whether the kernel's stack grows by an amount that is not known."),
    (".workgroup_processor_mode", "Whether a workgroup runs on a whole workgroup processor."),
    (".wavefront_size", "Lanes of a wave: 32 or 64."),
    (".sgpr_count", "Scalar registers of a wave."),
    (".vgpr_count", "Vector registers of a wave, accumulators included where they share the file."),
    (".agpr_count", "Accumulator registers of a wave."),
    (".max_flat_workgroup_size", "Largest number of work-items in a workgroup."),
    (".sgpr_spill_count", "Stores that spill scalar registers."),
    (".vgpr_spill_count", "Stores that spill vector registers."),
    (".uniform_work_group_size", "Whether all workgroups have the same size."),
    (".cluster_dims", "Workgroups of a cluster: x, y, z."),
    (".kind", "Whether the kernel is called by the user, or to initialize or to finish."),
    (".type_name", "Type of the argument in the source."),
    (".size", "Size of the argument in bytes."),
    (".offset", "Offset of the argument in bytes."),
    (".value_kind", "What the argument is: `by_value`, `global_buffer`, `hidden_...`."),
    (".value_type", "Type of the argument's value."),
    (".pointee_align", "Alignment of what the argument points to."),
    (".address_space", "Address space of what the argument points to."),
    (".access", "Declared access of an image or pipe."),
    (".actual_access", "Access that the kernel makes."),
    (".is_const", "Whether the pointer is to constant data."),
    (".is_restrict", "Whether the pointer is restricted."),
    (".is_volatile", "Whether the pointer is to volatile data."),
    (".is_pipe", "Whether the argument is a pipe."),
];

/// Directives that take a target id in quotes.
pub(super) const TAKES_TARGET: [&str; 2] = [".amdgcn_target", ".amd_amdgpu_isa"];

/// Symbols that the assembler defines.
#[rustfmt::skip]
const PREDEFINED: &[(&str, &str)] = &[
    (".amdgcn.gfx_generation_number", "The major version of the processor: 9 of gfx90a."),
    (".amdgcn.gfx_generation_minor", "The minor version of the processor: 0 of gfx90a."),
    (".amdgcn.gfx_generation_stepping", "The stepping of the processor: 10 of gfx90a."),
    (".amdgcn.next_free_vgpr", "One more than the highest VGPR that was named since the symbol was last set."),
    (".amdgcn.next_free_sgpr", "One more than the highest SGPR that was named since the symbol was last set."),
    (".option.machine_version_major", "The major version of the processor: 9 of gfx90a."),
    (".option.machine_version_minor", "The minor version of the processor: 0 of gfx90a."),
    (".option.machine_version_stepping", "The stepping of the processor: 10 of gfx90a."),
    (".kernel.vgpr_count", "One more than the highest VGPR that was named since the kernel began."),
    (".kernel.sgpr_count", "One more than the highest SGPR that was named since the kernel began."),
    (".kernel.agpr_count", "One more than the highest accumulation register that was named since the kernel began."),
];

/// What a symbol that the assembler defines holds.
pub(super) fn predefined(name: &str) -> Option<&'static str> {
    PREDEFINED.iter().find(|s| s.0 == name).map(|s| s.1)
}

/// What the linker writes for a relocation.
pub(super) fn relocation(name: &str) -> Option<String> {
    let kind = name.strip_prefix("R_AMDGPU_").or_else(|| name.strip_prefix("BFD_RELOC_"))?;
    let (kind, part) = match kind.strip_suffix("_LO") {
        Some(kind) => (kind, "the low 32 bits of "),
        None => kind.strip_suffix("_HI").map_or((kind, ""), |kind| (kind, "the high 32 bits of ")),
    };
    let size = kind.trim_start_matches(|c: char| !c.is_ascii_digit());
    let what = match kind.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "NONE" => return Some(format!("`{name}`: nothing; it keeps the symbol")),
        "ABS" | "" => "the address of the symbol",
        "REL" => "the distance from here to the symbol",
        "GOTPCREL" => "the distance from here to the symbol's entry in the global offset table",
        "RELATIVE" => "the address that the code is loaded at, plus the addend",
        _ => return None,
    };
    let size = if size.is_empty() || !part.is_empty() { String::new() } else { format!(", in {size} bits") };
    Some(format!("`{name}`: {part}{what}{size}"))
}

/// The names of directives, for completion.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DIRECTIVES.iter().map(|d| d.0)
}

/// The keys of metadata, for completion.
pub(super) fn keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    METADATA.iter().copied()
}

/// How a directive is written and what it does.
pub(super) fn directive(name: &str) -> Option<String> {
    let table = match name.strip_prefix(".amdhsa_") {
        Some(setting) => SETTINGS.iter().find(|s| s.0 == setting),
        None => None,
    };
    let (_, form, text) = table.or_else(|| DIRECTIVES.iter().find(|d| d.0 == name))?;
    Some(format!("```amdgpu\n{}\n```\n{text}", format!("{name} {form}").trim_end()))
}

/// What a key of metadata means.
pub(super) fn key(name: &str) -> Option<&'static str> {
    METADATA.iter().find(|k| k.0 == name).map(|k| k.1)
}

#[cfg(test)]
mod tests {
    use wavelens_amdgpu::assembler::directives::COMMON;
    use wavelens_amdgpu::assembler::kernel_descriptor::directive_names;

    #[test]
    fn every_common_directive_is_described() {
        let missing: Vec<&str> = COMMON.iter().copied().filter(|n| super::directive(n).is_none()).collect();
        assert!(COMMON.len() > 60 && missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_predefined_symbol_and_relocation_is_described() {
        use wavelens_amdgpu::assembler::{PREDEFINED, RELOCATIONS};
        let symbols = PREDEFINED.iter().filter(|name| super::predefined(name).is_none());
        let relocations = RELOCATIONS.iter().filter(|name| super::relocation(name).is_none());
        assert_eq!(symbols.chain(relocations).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn every_setting_of_a_kernel_is_described() {
        let missing: Vec<String> = directive_names().filter(|n| super::directive(n).is_none()).collect();
        assert_eq!(missing, Vec::<String>::new());
    }
}
