//! What Machine IR of LLVM 24 has and LLVM 22 does not read.

use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;

fn errors(body: &str, keys: &str, llvm_level: Option<u8>) -> Vec<String> {
    let head = "--- |\n  target triple = \"amdgcn-amd-amdhsa\"\n  define void @f() #0 { ret void }\n  attributes #0 = { \"target-cpu\"=\"gfx942\" }\n...\n";
    let text = format!("{head}---\nname: f\n{keys}body: |\n  bb.0:\n    {body}\n    S_ENDPGM 0\n...\n");
    let found = check_text(Dialect::Mir, &text, &Options { llvm_level, ..Options::default() });
    found.into_iter().filter(|f| f.severity == Severity::Error).map(|f| f.message).collect()
}

#[test]
fn newer_text_is_read() {
    for (body, keys) in [
        ("S_NOP 0", "machineFunctionInfo:\n  hasNoWWMPoolSGPRSpillFallback: false\n"),
        ("%0:vgpr_32 = IMPLICIT_DEF", "registers:\n  - { id: 0, class: vgpr_32, assigned-phys: '$vgpr0' }\n"),
        ("%0:vgpr_32 = IMPLICIT_DEF", "registers:\n  - { id: 0, class: vgpr_32, anti-hints: [ '%1' ] }\n"),
        ("%0:vgpr_32(i32) = IMPLICIT_DEF", ""),
        ("frame-setup CFI_INSTRUCTION llvm_register_pair $pc_reg, $sgpr30, 32, $sgpr31, 32", ""),
        ("frame-setup CFI_INSTRUCTION llvm_vector_registers $pc_reg, $vgpr63, 0, 32, $vgpr63, 1, 32", ""),
        ("frame-setup CFI_INSTRUCTION llvm_vector_offset $vgpr41, 32, $exec, 64, 0", ""),
        ("%0:_(<2 x bf16>) = G_IMPLICIT_DEF", ""),
        ("%0:vgpr_32 = lr-split WWM_COPY undef %1:vgpr_32", ""),
        ("ASYNCMARK", ""),
        ("KILL implicit-def $sgpr104_128", ""),
        ("$vgpr5_vgpr6 = V_MOV_B64_PSEUDO 0, implicit $exec", ""),
        ("%0:vgpr_16_lo128 = IMPLICIT_DEF", ""),
        ("S_NOP 0", "prefetch-targets: [ 'bb_id 0, 0, 1' ]\n"),
        (
            "INLINEASM &\"v_nop\", sideeffect attdialect, regdef:VGPR_32, def $vgpr0, reguse tiedto:$0, $vgpr0(tied-def 3)",
            "",
        ),
        (
            "INLINEASM &\"v_nop\", mayload maystore attdialect, imm, 7, clobber, implicit-def early-clobber $vgpr3",
            "",
        ),
        (
            "BUFFER_LOAD_DWORD_LDS_OFFSET undef $sgpr8_sgpr9_sgpr10_sgpr11, 0, 0, 0, 0, 0, implicit $exec, implicit undef $m0",
            "",
        ),
        (
            "$vgpr0 = SCRATCH_LOAD_DWORD_SADDR undef $sgpr32, 0, 0, implicit $exec, implicit undef $flat_scr \
:: (\"amdgpu-thread-private\" load (s32), addrspace 5)",
            "",
        ),
    ] {
        assert_eq!(errors(body, keys, None), [""; 0], "{body}");
        assert_eq!(errors(body, keys, Some(24)), [""; 0], "{body}");
        assert_ne!(errors(body, keys, Some(22)), [""; 0], "{body}");
    }
}

/// Words that resemble the newer ones are errors.
#[test]
fn unknown_words_are_reported() {
    for (body, words) in [
        ("INLINEASM &\"v_nop\", sideeffect attdialekt", "attdialekt"),
        ("%0:_(half) = G_IMPLICIT_DEF", "expected a type"),
        ("%0:_(b16) = G_IMPLICIT_DEF", "expected a type"),
        (
            "$vgpr0 = SCRATCH_LOAD_DWORD_SADDR undef $sgpr32, 0, 0, implicit $exec, implicit undef $flat_scr \
:: (\"amdgpu-thread-privat\" load (s32), addrspace 5)",
            "unknown memory flag",
        ),
    ] {
        let found = errors(body, "", Some(24));
        assert!(found.iter().any(|message| message.contains(words)), "{body}: {found:?}");
    }
}

#[test]
fn registers_that_were_removed() {
    let of = |llvm_level| errors("$sgpr0_hi16 = IMPLICIT_DEF", "", llvm_level);
    assert_eq!((of(None), of(Some(22))), (Vec::new(), Vec::new()));
    assert_eq!(of(Some(24)), ["LLVM 24 does not have the register `$sgpr0_hi16`"]);
}

#[test]
fn a_register_of_the_frame_is_named() {
    let of = |key: &str| errors("S_NOP 0", &format!("machineFunctionInfo:\n  {key}: ''\n"), None).len();
    assert_eq!(
        ["frameOffsetReg", "scratchRSrcReg", "stackPtrOffsetReg", "longBranchReservedReg"].map(of),
        [1, 1, 1, 0]
    );
}

#[test]
fn registers_that_newer_keys_name() {
    for (keys, words) in [
        ("registers:\n  - { id: 0, class: vgpr_32, assigned-phys: '%1' }\n", "expected a physical register"),
        ("registers:\n  - { id: 0, class: vgpr_32, split-from: '$vgpr5' }\n", "expected a virtual register"),
        ("registers:\n  - { id: 0, class: vgpr_32, split-from: '%0' }\n", "names the register itself"),
        (
            "machineFunctionInfo:\n  argumentInfo:\n    firstKernArgPreloadReg: { reg: '$vgpr0' }\n",
            "must be a register of class `sgpr_32`",
        ),
    ] {
        let found = errors("%0:vgpr_32 = IMPLICIT_DEF", keys, Some(24));
        assert!(matches!(&found[..], [one] if one.contains(words)), "{keys}: {found:?}");
    }
}

#[test]
fn functions_without_a_name_are_not_the_same() {
    let function = "---\nname: ''\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n";
    let text = format!(
        "--- |\n  define void @0() {{ ret void }}\n  define void @1() {{ ret void }}\n...\n{function}{function}"
    );
    let found = check_text(Dialect::Mir, &text, &Options::default());
    assert_eq!(found.iter().filter(|f| f.rule.code == "duplicate-machine-function").count(), 0);
}

/// What LLVM 24's verifier asks for and older ones do not.
#[test]
fn operands_that_only_newer_versions_reject() {
    let errors = |processor: &str, body: &str, llvm_level: u8| -> Vec<String> {
        let text = format!(
            "# RUN: llc -mtriple=amdgcn -mcpu={processor} -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:sreg_32 = IMPLICIT_DEF\n    %2:sreg_64 = IMPLICIT_DEF\n    {body}\n...\n"
        );
        let options = Options { llvm_level: Some(llvm_level), ..Options::default() };
        let found = check_text(Dialect::Mir, &text, &options);
        found.into_iter().filter(|f| f.severity == Severity::Error).map(|f| f.message).collect()
    };
    let scalar =
        "%3:vgpr_32, %4:sreg_32_xexec = V_ADD_CO_U32_e64_dpp %0, %0, %1, 0, 228, 12, 15, 0, implicit $exec";
    let number =
        "%3:vgpr_32, %4:sreg_32_xexec = V_ADD_CO_U32_e64_dpp %0, %0, 42, 0, 228, 12, 15, 0, implicit $exec";
    let modifiers = "$vgpr1 = V_CNDMASK_B32_e64 0, 0, $vgpr0, $vgpr0, $sgpr0, implicit $exec";
    for (processor, body, count) in [
        ("gfx1100", scalar, 1),
        ("gfx1150", scalar, 0),
        ("gfx1100", number, 1),
        ("gfx1200", number, 0),
        ("gfx1030", modifiers, 1),
    ] {
        assert_eq!(errors(processor, body, 24).len(), count, "{processor} {body}");
        assert_eq!(errors(processor, body, 22), [""; 0], "{processor} {body}");
    }
    // This holds for every version.
    let shift = "%3:sreg_64 = S_ASHR_I64 %2, $src_flat_scratch_base_hi, implicit-def $scc";
    assert_eq!(errors("gfx1250", shift, 22).len(), 1);
    assert_eq!(errors("gfx1200", shift, 22), [""; 0]);
}
