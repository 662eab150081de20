//! Hovers of Machine IR.

use expect_test::expect;
use wavelens_base::Dialect;

use crate::features;
use crate::features::tests::at_cursor;

const FILE: &str = "--- |
  target triple = \"amdgcn-amd-amdhsa\"
  define void @f(ptr addrspace(1) %p) {
  entry:
    br label %next
  next:
    ret void
  }
...
---
name: f
body: |
  bb.0.entry:
    liveins: $vgpr0_vgpr1
    %0:_(p1) = COPY $vgpr0_vgpr1
    %1:_(s64) = G_CONSTANT i64 4
    %2:_(p1) = G_PTR_ADD %0, %1
    %3:_(s32) = G_LOAD %2 :: (volatile load acquire (s32) from %ir.p + 4, align 2, addrspace 1)
    G_BR %bb.1
  bb.1.next:
    S_ENDPGM 0
...
";

fn hover(at: &str) -> String {
    at_cursor(Dialect::Mir, &FILE.replacen(at, &format!("$0{at}"), 1), |view, offset| {
        features::hover(view, offset).map_or("nothing\n".to_owned(), |h| h.markdown + "\n")
    })
}

#[test]
fn registers_and_opcodes() {
    expect![[r#"
        ```mir
        %2:_(p1)
        ```
        1 use, defined by

        ```mir
        %2:_(p1) = G_PTR_ADD %0, %1
        ```
    "#]]
    .assert_eq(&hover("%2 ::"));
    expect![[r#"
        ```mir
        dst:type0 = G_PTR_ADD src1:type0, src2:type1
        ```
        Adds an offset in bytes to a pointer. The offset is as wide as the address space's index.

        here type0 is `p1`, type1 is `s64`


        Live before (2): `%0:_`, `%1:_`

    "#]]
    .assert_eq(&hover("G_PTR_ADD"));
    expect![[r#"
        `$vgpr0_vgpr1`: 64 bits, in the class `vreg_64`, hardware number 0

        parts: `$vgpr0`, `$vgpr1`, `$vgpr0_hi16`, `$vgpr1_hi16`, `$vgpr0_lo16`, `$vgpr1_lo16`

        overlaps: `$vgpr1_vgpr2`, `$vgpr0_vgpr1_vgpr2`, `$vgpr1_vgpr2_vgpr3`, `$vgpr0_vgpr1_vgpr2_vgpr3`, `$vgpr1_vgpr2_vgpr3_vgpr4`, `$vgpr0_vgpr1_vgpr2_vgpr3_vgpr4`, `$vgpr1_vgpr2_vgpr3_vgpr4_vgpr5`, `$vgpr0_vgpr1_vgpr2_vgpr3_vgpr4_vgpr5` and 17 more

        preserved by calls with `amdgpu_allvgprs`, `amdgpu_allvectorregs`
    "#]]
    .assert_eq(&hover("$vgpr0_vgpr1\n    %1"));
}

#[test]
fn words_classes_and_parts() {
    let hover = |line: &str| {
        let text = format!("---\nname: f\nbody: |\n  bb.0:\n    {line}\n...\n");
        at_cursor(Dialect::Mir, &text, |view, offset| {
            features::hover(view, offset).map_or("nothing\n".to_owned(), |h| h.markdown + "\n")
        })
    };
    expect![[r#"
        register class `sreg_64`: 64 bits, 69 registers
    "#]]
    .assert_eq(&hover("%0:sre$0g_64 = IMPLICIT_DEF"));
    expect![[r#"
        register bank `sgpr`: up to 1024 bits
    "#]]
    .assert_eq(&hover("%0:sg$0pr(s32) = G_IMPLICIT_DEF"));
    expect![[r#"
        `sub1`: bits 32 to 63 of a register
    "#]]
    .assert_eq(&hover("%0:sreg_32 = COPY %1.su$0b1"));
    expect![[r#"
        `sub0`: bits 0 to 31 of a register
    "#]]
    .assert_eq(&hover("%0:sreg_64 = REG_SEQUENCE %1, %subreg.su$0b0, %1, %subreg.sub1"));
    expect![[r#"
        Intrinsic `llvm.amdgcn.workitem.id.x`: `i32 ()`; accesses no memory.

        The id of the work item in its workgroup, dimension x. [Intrinsics](https://llvm.org/docs/AMDGPUUsage.html#llvm-ir-intrinsics)
    "#]].assert_eq(&hover("%0:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.work$0item.id.x)"));
    expect![[r#"
        `killed`: Read here for the last time.
    "#]]
    .assert_eq(&hover("%0:sreg_32 = COPY kil$0led %1"));
    expect![[r#"
        ```mir
        vdst:vgpr_32 = V_ADD_U32_e64 src0:vs_32, src1:vs_32, clamp:imm
        ```
        Adds (u32): `D = S0 + S1`

        commutable

        reads `$exec`

        Live before (2): `%1`, `%2`

    "#]]
    .assert_eq(&hover("%0:vgpr_32 = V_ADD$0_U32_e64 %1, %2, 0, implicit $exec"));
    expect![[r#"
        `$scc`: 1 bit, in the class `scc_class`, hardware number 0

        Scalar condition code: one bit. Scalar comparisons write their result, additions their carry, bitwise operations whether the result is not 0; `s_cbranch_scc0`, `s_cbranch_scc1` and `s_cselect` read it.
    "#]]
    .assert_eq(&hover("$scc$0 = IMPLICIT_DEF"));
}

#[test]
fn keys_types_tables_and_directives() {
    let file = "---\nname: f\ntracksRegLiveness: true\nconstants:\n  - { id: 0, value: 'i32 7' }\njumpTable:\n  kind: block-address\n  entries:\n    - { id: 0, blocks: [ '%bb.0', '%bb.1' ] }\nbody: |\n  bb.0:\n    %0:_(p3) = G_JUMP_TABLE %jump-table.0\n    %1:_(s32) = G_LOAD %const.0\n    CFI_INSTRUCTION def_cfa_offset 16\n  bb.1:\n    S_ENDPGM 0\n...\n";
    let hover = |at: &str| {
        at_cursor(Dialect::Mir, &file.replacen(at, &format!("$0{at}"), 1), |view, offset| {
            features::hover(view, offset).map_or("nothing\n".to_owned(), |h| h.markdown + "\n")
        })
    };
    let places = ["tracksRegLiveness", "kind", "p3", "s32", "%jump-table.0", "%const.0", "def_cfa_offset"];
    expect![[r#"
        `tracksRegLiveness`: Live-ins and kills are exact, so that liveness can be relied on.
        `kind`: What the entries of the tables hold.
        `p3`: a pointer of 32 bits, address space 3 (local: LDS)
        `s32`: a scalar of 32 bits: integer or floating point
        `%jump-table.0`, 2 entries: 0: `%bb.0`, 1: `%bb.1`
        `%const.0` in the constant pool:

        ```llvm
        i32 7
        ```
        `def_cfa_offset`: The CFA is at this offset from its register.
    "#]]
    .assert_eq(&places.map(hover).concat());
}

/// What a word says by its place.
#[test]
fn words_by_their_place() {
    let lines = [
        "%0:$0_(s32) = G_IMPLICIT_DEF",
        "%0:_(<4 $0x s32>) = G_IMPLICIT_DEF",
        "%0:_(<vscale x $02 x p3>) = G_IMPLICIT_DEF",
        "%0:_(f$032) = G_FCONSTANT float 1.0",
        "%0:_(s16) = G_FCONSTANT ha$0lf 0xH4200",
        "%0:_(s16) = G_FCONSTANT half 0x$0H4200",
        "%0:_(s64) = G_CONSTANT i$064 3",
        "%0:_(s1) = G_CONSTANT i1 tr$0ue",
        "%0:_(s1) = G_ICMP intpred(u$0ge), %1, %2",
        "%0:_(s1) = G_FCMP floatpred(o$0eq), %1, %2",
        "%0:_(s32) = G_CTTZ_ZERO_POI$0SON %1",
        "ASYNC$0MARK",
        "$sgpr0 = S_MOV_B32 target-flags(amdgpu-rel$032-lo) @x",
        "$sgpr0 = S_MOV_B32 target-flags(amdgpu-abs$064) @x",
        "DBG_VALUE %0, $noreg, !3, !DIExpression(DW_OP_constu, 5, DW_OP_$0swap)",
        "INLINEASM &\"\", sideeffect may$0load attdialect, regdef:VGPR_32, def %0",
        "INLINEASM &\"\", sideeffect attdialect, reg$0def:VGPR_32, def %0",
        "INLINEASM &\"\", sideeffect attdialect, regdef:VG$0PR_32, def %0",
        "S_WAIT_LOADCNT_DSCNT .Loadcnt_3_Ds$0cnt_5",
        "S_WAIT_LOADCNT_DSCNT .All$0Off",
        "SI_CALL %0, @f, csr_am$0dgpu, implicit $sgpr0",
        "EH_LABEL <mcsymbol .Ltmp0>, pre-instr-$0symbol <mcsymbol .Lpre>",
        "successors: %bb.1(0x30$0000000)",
        "liveins: $sgpr0_sgpr1_sgpr2:0x0000$0000000000033",
        "liveins: $vgpr0:0x0000$000000000001",
    ];
    let hover = |line: &str| {
        let text = format!("---\nname: f\nbody: |\n  bb.0:\n    {line}\n...\n");
        at_cursor(Dialect::Mir, &text, |view, offset| {
            features::hover(view, offset).map_or("nothing\n".to_owned(), |h| h.markdown + "\n")
        })
    };
    expect![[r#"
        `_`: a generic register, without a register class or bank yet
        `<4 x s32>`: a vector of 4: 128 bits

        `s32`: a scalar of 32 bits: integer or floating point
        `<vscale x 2 x p3>`: a vector of 2 times `vscale`, which the processor decides

        `p3`: a pointer of 32 bits, address space 3 (local: LDS)
        `f32`: a floating-point number of 32 bits
        `half`: 16-bit IEEE floating point.
        `0xH4200`: equals 3.0
        `i64`: an integer of 64 bits
        `true`: `i1 1`.
        `uge`: Greater or equal, unsigned. On `fcmp`: greater or equal, or NaN involved.
        `oeq`: Equal, and no NaN.
        ```mir
        G_CTTZ_ZERO_POISON
        ```
        Counts zeros from the bottom or from the top; of zero the result is poison.

        An opcode that came after LLVM 22; its operands are not known here.
        ```mir
        ASYNCMARK
        ```
        An opcode that came after LLVM 22; its operands are not known here.
        `amdgpu-rel32-lo`: the low half of the distance from here to the symbol
        `amdgpu-abs64`: the address of the symbol
        `DW_OP_swap`: Swaps the two topmost entries.
        `mayload`: The assembly may read memory.
        `regdef`: A register of this class that the assembly writes.
        register class `vgpr_32`: 32 bits, 1024 registers
        `Loadcnt_3_Dscnt_5`: waits until there are at most 3 left in `loadcnt` and at most 5 left in `dscnt`
        `AllOff`: waits for nothing
        `csr_amdgpu`: the registers that the call leaves as they are, by the callee's calling convention
        `pre-instr-symbol`: A label right before the instruction.
        `0x30000000`: a probability of 37.50 %, in parts of 2^31
        `0x0000000000000033`: `sub0`, `sub2` of the register
        `0x000000000000001`: bits 0 to 15 of the register
    "#]]
    .assert_eq(&lines.map(hover).concat());
}

#[test]
fn values_before_the_body() {
    let file = "---\nname: f\nlegalized: true\nregisters:\n  - { id: 0, class: _, flags: [ WWM_REG ] }\n  \
                - { id: 1, class: vgpr_32, preferred-register: '$vgpr1' }\nstack:\n  - { id: 0, type: spill-slot, size: 8, stack-id: noalloc }\n\
                body: |\n  bb.0:\n    S_ENDPGM 0\n...\n";
    let hover = |at: &str| {
        at_cursor(Dialect::Mir, &file.replacen(at, &format!("$0{at}"), 1), |view, offset| {
            let shown = features::hover(view, offset).map_or("nothing".to_owned(), |h| h.markdown);
            format!("{}\n", shown.lines().next().unwrap_or_default())
        })
    };
    let places = ["f\nleg", "true", "_,", "WWM", "vgpr_32", "'$vgpr1", "spill-slot", "8,", "noalloc"];
    expect![[r#"
        `name`: The name of the function, or of the stack object in the IR.
        `legalized`: All generic instructions are legal for the target.
        `_`: A generic register, without a register class or bank yet.
        `WWM_REG`: The register holds values of all lanes, also of those that are switched off (whole wave mode).
        register class `vgpr_32`: 32 bits, 1024 registers
        `$vgpr1`: 32 bits, in the class `vgpr_32`, hardware number 1
        `spill-slot`: The register allocator keeps a register here.
        `size`: The size in bytes.
        `noalloc`: The object gets no place on the stack.
    "#]].assert_eq(&places.map(hover).concat());
}

#[test]
fn memory_and_names_of_the_ir() {
    expect![[r#"
        Loads one `s32` through `%ir.p`, 4 bytes on, in address space 1 (global), aligned to 2.

        Atomic, acquire: later accesses are not moved before it.

        `volatile`: must happen as written.
    "#]]
    .assert_eq(&hover("load acquire"));
    expect![[r#"
        ```llvm
        define void @f(ptr addrspace(1) %p) {
        ```
    "#]]
    .assert_eq(&hover("%ir.p"));
}

#[test]
fn blocks() {
    expect![[r#"
        block `bb.1` of the IR block `next`: 1 instruction

        predecessors: `%bb.0`

        successors: none
    "#]]
    .assert_eq(&hover("%bb.1"));
    expect![[r#"
        block `bb.0` of the IR block `entry`: 5 instructions

        predecessors: none

        successors: `%bb.1`

        live in: `$vgpr0_vgpr1`
    "#]]
    .assert_eq(&hover("bb.0.entry"));
}

/// Each part of a memory operand is explained.
#[test]
fn memory_operands() {
    let operands = [
        "load (s32)",
        "store (s8)",
        "load store (s64)",
        "load (<4 x s32>) from %stack.0",
        "store (s32) into %fixed-stack.1 + 8",
        "load (s32) from %ir.p + 4, align 2",
        "load (s32) from %ir.p, addrspace 0",
        "load (s32) from %ir.p, addrspace 1",
        "load (s32) from %ir.p, addrspace 2",
        "load (s32) from %ir.p, addrspace 3",
        "load (s32) from %ir.p, addrspace 4",
        "load (s32) from %ir.p, addrspace 5",
        "load (s32) from %ir.p, addrspace 6",
        "load (s32) from %ir.p, addrspace 7",
        "load (s32) from %ir.p, addrspace 8",
        "load (s32) from %ir.p, addrspace 9",
        "load unknown-size from %ir.p",
        "load (s32) from constant-pool",
        "load (s32) from got",
        "load (s32) from call-entry @f",
        "load (s32) from custom \"GWSResource\"",
        "volatile load (s32)",
        "non-temporal dereferenceable invariant load (s32)",
        "load unordered (s32)",
        "load monotonic (s32)",
        "load acquire (s32)",
        "store release (s32)",
        "load store acq_rel acquire (s32)",
        "load seq_cst (s32)",
    ];
    let mut shown = String::new();
    for operand in operands {
        let text = FILE.replacen(
            "(volatile load acquire (s32) from %ir.p + 4, align 2, addrspace 1)",
            &format!("($0{operand})"),
            1,
        );
        let text = text.replacen(
            "body: |",
            "fixedStack:\n  - { id: 1, size: 16 }\nstack:\n  - { id: 0, size: 16 }\nbody: |",
            1,
        );
        let hover = at_cursor(Dialect::Mir, &text, |view, offset| {
            features::hover(view, offset).map_or("nothing".to_owned(), |h| h.markdown)
        });
        shown += &format!("{operand}\n  {}\n", hover.replace("\n\n", "\n").replace('\n', "\n  "));
    }
    expect![[r#"
        load (s32)
          Loads one `s32` at an address that is not known, aligned to its size.
        store (s8)
          Stores one `s8` at an address that is not known, aligned to its size.
        load store (s64)
          Loads and stores one `s64` at an address that is not known, aligned to its size.
        load (<4 x s32>) from %stack.0
          Loads one `<4 x s32>` in the stack object `%stack.0`, aligned to its size.
        store (s32) into %fixed-stack.1 + 8
          Stores one `s32` in the stack object `%fixed-stack.1`, 8 bytes on, aligned to its size.
        load (s32) from %ir.p + 4, align 2
          Loads one `s32` through `%ir.p`, 4 bytes on, aligned to 2.
        load (s32) from %ir.p, addrspace 0
          Loads one `s32` through `%ir.p`, aligned to its size.
        load (s32) from %ir.p, addrspace 1
          Loads one `s32` through `%ir.p`, in address space 1 (global), aligned to its size.
        load (s32) from %ir.p, addrspace 2
          Loads one `s32` through `%ir.p`, in address space 2 (region), aligned to its size.
        load (s32) from %ir.p, addrspace 3
          Loads one `s32` through `%ir.p`, in address space 3 (local: LDS), aligned to its size.
        load (s32) from %ir.p, addrspace 4
          Loads one `s32` through `%ir.p`, in address space 4 (constant), aligned to its size.
        load (s32) from %ir.p, addrspace 5
          Loads one `s32` through `%ir.p`, in address space 5 (private: scratch), aligned to its size.
        load (s32) from %ir.p, addrspace 6
          Loads one `s32` through `%ir.p`, in address space 6 (constant, 32-bit), aligned to its size.
        load (s32) from %ir.p, addrspace 7
          Loads one `s32` through `%ir.p`, in address space 7 (buffer fat pointer), aligned to its size.
        load (s32) from %ir.p, addrspace 8
          Loads one `s32` through `%ir.p`, in address space 8 (buffer resource), aligned to its size.
        load (s32) from %ir.p, addrspace 9
          Loads one `s32` through `%ir.p`, in address space 9, aligned to its size.
        load unknown-size from %ir.p
          Loads an unknown number of bytes through `%ir.p`.
        load (s32) from constant-pool
          Loads one `s32` in memory that has no value in the IR, aligned to its size.
        load (s32) from got
          Loads one `s32` in memory that has no value in the IR, aligned to its size.
        load (s32) from call-entry @f
          Loads one `s32` at the entry of `f`, aligned to its size.
        load (s32) from custom "GWSResource"
          Loads one `s32` in memory that has no value in the IR, aligned to its size.
        volatile load (s32)
          Loads one `s32` at an address that is not known, aligned to its size.
          `volatile`: must happen as written.
        non-temporal dereferenceable invariant load (s32)
          Loads one `s32` at an address that is not known, aligned to its size.
          `non-temporal`: will not be used again soon.
          `dereferenceable`: cannot fault, so it may be done early.
          `invariant`: memory that does not change while the program can see it.
        load unordered (s32)
          Loads one `s32` at an address that is not known, aligned to its size.
          Atomic, unordered: only torn values are ruled out.
        load monotonic (s32)
          Loads one `s32` at an address that is not known, aligned to its size.
          Atomic, monotonic: one order of changes for each address.
        load acquire (s32)
          Loads one `s32` at an address that is not known, aligned to its size.
          Atomic, acquire: later accesses are not moved before it.
        store release (s32)
          Stores one `s32` at an address that is not known, aligned to its size.
          Atomic, release: earlier accesses are not moved after it.
        load store acq_rel acquire (s32)
          Loads and stores one `s32` at an address that is not known, aligned to its size.
          Atomic, acquire and release: nothing moves across it.
        load seq_cst (s32)
          Loads one `s32` at an address that is not known, aligned to its size.
          Atomic, sequentially consistent: one order for all.
    "#]]
    .assert_eq(&shown);
}

/// Parts, aliases and uses of registers of several machines.
#[test]
fn physical_registers() {
    let mut shown = String::new();
    for (triple, registers) in [
        (
            "amdgcn-amd-amdhsa",
            &["$sgpr0", "$sgpr102_sgpr103", "$vcc", "$exec_lo", "$m0", "$scc", "$agpr3", "$mode"][..],
        ),
        ("x86_64-unknown-linux", &["$eax", "$rsp", "$xmm0", "$eflags", "$bh"][..]),
        ("aarch64-linux-gnu", &["$w0", "$x29", "$q1", "$nzcv", "$wzr"][..]),
        ("riscv64", &["$x0", "$x10", "$f10_d"][..]),
    ] {
        for register in registers {
            let text = FILE.replacen("amdgcn-amd-amdhsa", triple, 1).replacen(
                "$vgpr0_vgpr1\n    %0",
                &format!("$0{register}\n    %0"),
                1,
            );
            let hover = at_cursor(Dialect::Mir, &text, |view, offset| {
                features::hover(view, offset).map_or("nothing".to_owned(), |h| h.markdown)
            });
            shown += &format!("{}\n", hover.replace("\n\n", "\n  "));
        }
    }
    expect![[r#"
        `$sgpr0`: 32 bits, in the class `sgpr_32`, hardware number 0
          parts: `$sgpr0_hi16`, `$sgpr0_lo16`
          overlaps: `$sgpr0_sgpr1`, `$sgpr0_sgpr1_sgpr2`, `$sgpr0_sgpr1_sgpr2_sgpr3`, `$sgpr0_sgpr1_sgpr2_sgpr3_sgpr4`, `$sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5`, `$sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6`, `$sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7`, `$sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7_sgpr8` and 5 more
          reserved: not used by the register allocator
          preserved by calls with `amdgpu_allallocatablesregs`
        `$sgpr102_sgpr103`: 64 bits, in the class `sgpr_64`, hardware number 102
          parts: `$sgpr102`, `$sgpr103`, `$sgpr102_hi16`, `$sgpr103_hi16`, `$sgpr102_lo16`, `$sgpr103_lo16`
          overlaps: `$sgpr100_sgpr101_sgpr102`, `$sgpr100_sgpr101_sgpr102_sgpr103`, `$sgpr100_sgpr101_sgpr102_sgpr103_sgpr104`, `$sgpr100_sgpr101_sgpr102_sgpr103_sgpr104_sgpr105`, `$sgpr96_sgpr97_sgpr98_sgpr99_sgpr100_sgpr101_sgpr102`, `$sgpr96_sgpr97_sgpr98_sgpr99_sgpr100_sgpr101_sgpr102_sgpr103`, `$sgpr96_sgpr97_sgpr98_sgpr99_sgpr100_sgpr101_sgpr102_sgpr103_sgpr104`, `$sgpr96_sgpr97_sgpr98_sgpr99_sgpr100_sgpr101_sgpr102_sgpr103_sgpr104_sgpr105` and 4 more
          reserved: not used by the register allocator
          preserved by calls with `amdgpu_allallocatablesregs`, `csr_amdgpu`, `csr_amdgpu_gfx90ainsts`, `csr_amdgpu_sgprs`, `csr_amdgpu_si_gfx`, `csr_amdgpu_si_gfx_gfx90ainsts`, `csr_amdgpu_si_gfx_sgprs`
        `$vcc`: 64 bits, in the class `sreg_64`, hardware number 106
          Vector condition code: a lane mask. Vector comparisons write it, `v_cndmask` and additions with carry read it; bit n belongs to lane n. In wave32 only `vcc_lo` is used.
          parts: `$vcc_hi`, `$vcc_lo`, `$vcc_hi_hi16`, `$vcc_hi_lo16`, `$vcc_lo_hi16`, `$vcc_lo_lo16`
          preserved by calls with `amdgpu_allallocatablesregs`
        `$exec_lo`: 32 bits, in the class `sreg_32`, hardware number 126
          The mask of active lanes: a vector instruction or memory operation has an effect only in the lanes whose bit is 1. Divergent control flow narrows it and restores it. In wave32 only `exec_lo` is used.
          parts: `$exec_lo_hi16`, `$exec_lo_lo16`
          overlaps: `$exec`
          reserved: not used by the register allocator
        `$m0`: 32 bits, in the class `sreg_32`, hardware number 0
          Memory register: LDS limits and offsets, message payloads, indexes of relative moves. What an instruction takes it for is in its description.
          parts: `$m0_hi16`, `$m0_lo16`
          reserved: not used by the register allocator
        `$scc`: 1 bit, in the class `scc_class`, hardware number 0
          Scalar condition code: one bit. Scalar comparisons write their result, additions their carry, bitwise operations whether the result is not 0; `s_cbranch_scc0`, `s_cbranch_scc1` and `s_cselect` read it.
        `$agpr3`: 32 bits, in the class `agpr_32`, hardware number 3
          parts: `$agpr3_hi16`, `$agpr3_lo16`
          overlaps: `$agpr2_agpr3`, `$agpr3_agpr4`, `$agpr1_agpr2_agpr3`, `$agpr2_agpr3_agpr4`, `$agpr3_agpr4_agpr5`, `$agpr0_agpr1_agpr2_agpr3`, `$agpr1_agpr2_agpr3_agpr4`, `$agpr2_agpr3_agpr4_agpr5` and 41 more
          reserved: not used by the register allocator
          preserved by calls with `amdgpu_allagprs`, `amdgpu_allvectorregs`
        `$mode`, hardware number 0
          Floating-point modes: round (bits 3:0), denormals (bits 7:4), DX10 clamp, IEEE, exceptions.
          reserved: not used by the register allocator
        `$eax`: 32 bits, in the class `gr32`, hardware number 0
          same as: `$rax`
          parts: `$ax`, `$ah`, `$al`, `$hax`
          preserved by calls with `csr_32ehret`, `csr_32_allregs`, `csr_32_allregs_avx`, `csr_32_allregs_avx512`, `csr_32_allregs_sse`, `csr_64ehret`, `csr_64_allregs`, `csr_64_allregs_avx`, ...
        `$rsp`: 64 bits, in the class `gr64`, hardware number 4
          same as: `$esp`
          parts: `$sp`, `$hsp`, `$sph`, `$spl`
          reserved: not used by the register allocator
        `$xmm0`: 32 bits, in the class `fr16`, hardware number 0
          same as: `$ymm0`, `$zmm0`
          preserved by calls with `csr_32_allregs_avx`, `csr_32_allregs_avx512`, `csr_32_allregs_sse`, `csr_64_allregs`, `csr_64_allregs_avx`, `csr_64_allregs_avx512`, `csr_64_mostregs`, `csr_64_rt_allregs`, ...
        `$eflags`: 32 bits, in the class `ccr`, hardware number 0
        `$bh`: 8 bits, in the class `gr8`, hardware number 7
          overlaps: `$bx`, `$ebx`, `$rbx`
          preserved by calls with `csr_32`, `csr_32ehret`, `csr_32_allregs`, `csr_32_allregs_avx`, `csr_32_allregs_avx512`, `csr_32_allregs_sse`, `csr_32_regcall`, `csr_32_regcall_nosse`, ...
        `$w0`: 32 bits, in the class `gpr32`, hardware number 0
          overlaps: `$x0`, `$w0_w1`, `$x0_x1`, `$x0_x1_x2_x3_x4_x5_x6_x7`
          preserved by calls with `csr_aarch64_aapcs_thisreturn`, `csr_aarch64_allregs`, `csr_aarch64_allregs_scs`, `csr_aarch64_sme_abi_support_routines_preservemost_from_x0`, `csr_aarch64_smstartstop`, `csr_aarch64_stackprobe_windows`, `csr_darwin_aarch64_aapcs_thisreturn`, `csr_win_aarch64_cfguard_check`
        nothing
        `$q1`: 128 bits, in the class `fpr128`, hardware number 1
          parts: `$d1`, `$s1`, `$h1`, `$b1`, `$b1_hi`, `$d1_hi`, `$h1_hi`, `$s1_hi`
          overlaps: `$z1`, `$d0_d1`, `$d1_d2`, `$q0_q1`, `$q1_q2`, `$d0_d1_d2`, `$d1_d2_d3`, `$d31_d0_d1` and 22 more
          reserved: not used by the register allocator
          preserved by calls with `csr_aarch64_allregs`, `csr_aarch64_allregs_scs`, `csr_aarch64_sme_abi_support_routines_preservemost_from_x0`, `csr_aarch64_sme_abi_support_routines_preservemost_from_x1`, `csr_aarch64_sme_abi_support_routines_preservemost_from_x2`, `csr_aarch64_stackprobe_windows`, `csr_aarch64_tls_elf`, `csr_darwin_aarch64_tls`, ...
        `$nzcv`: 32 bits, in the class `ccr`, hardware number 0
        `$wzr`: 32 bits, in the class `gpr32`, hardware number 31
          overlaps: `$xzr`, `$w30_wzr`, `$lr_xzr`
          reserved: not used by the register allocator
          preserved by calls with `csr_aarch64_aapcs`, `csr_aarch64_aapcs_scs`, `csr_aarch64_aapcs_swifterror`, `csr_aarch64_aapcs_swifterror_scs`, `csr_aarch64_aapcs_swifttail`, `csr_aarch64_aapcs_thisreturn`, `csr_aarch64_aapcs_x18`, `csr_aarch64_aavpcs`, ...
        `$x0`: 64 bits, in the class `gpr`, hardware number 0
          same as: `$x0_h`, `$x0_w`
          overlaps: `$x0_pair`
          reserved: not used by the register allocator
          preserved by calls with `csr_ilp32d_lp64d`, `csr_ilp32d_lp64d_v`, `csr_ilp32e_lp64e`, `csr_ilp32f_lp64f`, `csr_ilp32f_lp64f_v`, `csr_ilp32_lp64`, `csr_ilp32_lp64_v`, `csr_ipra`, ...
        `$x10`: 64 bits, in the class `gpr`, hardware number 10
          same as: `$x10_h`, `$x10_w`
          overlaps: `$x10_x11`
          preserved by calls with `csr_interrupt`, `csr_interrupt_rve`, `csr_rt_mostregs`, `csr_rt_mostregs_rve`, `csr_xlen_f32_interrupt`, `csr_xlen_f32_interrupt_rve`, `csr_xlen_f32_v_interrupt`, `csr_xlen_f32_v_interrupt_rve`, ...
        `$f10_d`: 64 bits, in the class `fpr64`, hardware number 10
          same as: `$f10_f`, `$f10_h`, `$f10_q`
          preserved by calls with `csr_xlen_f32_interrupt`, `csr_xlen_f32_interrupt_rve`, `csr_xlen_f32_v_interrupt`, `csr_xlen_f32_v_interrupt_rve`, `csr_xlen_f64_interrupt`, `csr_xlen_f64_interrupt_rve`, `csr_xlen_f64_v_interrupt`, `csr_xlen_f64_v_interrupt_rve`
    "#]].assert_eq(&shown);
}
