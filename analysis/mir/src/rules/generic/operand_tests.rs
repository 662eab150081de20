//! Each operand of generic instructions, replaced by one of another type and by a number.

use expect_test::expect;
use wavelens_base::Dialect;
use wavelens_check::check_text;

/// Instructions that are accepted.
const GOOD: &str = "
%r:_(s32) = G_ADD %w, %w
%r:_(s32), %c:_(s1) = G_UADDO %w, %w
%r:_(s32), %c:_(s1) = G_UADDE %w, %w, %b
%r:_(s32) = G_SHL %w, %w
%r:_(s32) = G_FSHL %w, %w, %w
%r:_(s32) = G_SMULH %w, %w
%r:_(s32) = G_SBFX %w, %w, %w
%r:_(s32) = G_CTPOP %x
%r:_(s32) = G_ABS %w
%r:_(s32) = G_BSWAP %w
%r:_(s32) = G_SEXT_INREG %w, 8
%r:_(s32) = G_ASSERT_ZEXT %w, 8
%r:_(p1) = G_ASSERT_ALIGN %p, 8
%r:_(s1) = G_ICMP intpred(eq), %w, %w
%r:_(s1) = G_FCMP floatpred(oeq), %w, %w
%r:_(s32) = G_SCMP %w, %w
%r:_(s32) = G_SELECT %b, %w, %w
%r:_(s64) = G_ZEXT %w
%r:_(s16) = G_TRUNC %w
%r:_(s64) = G_FPEXT %w
%r:_(s16) = G_FPTRUNC %w
%r:_(s32) = G_FPTOSI %x
%r:_(s32) = G_SITOFP %x
%r:_(s32) = G_FPTOSI_SAT %x
%r:_(s64) = G_PTRTOINT %p
%r:_(p1) = G_INTTOPTR %x
%r:_(p1) = G_ADDRSPACE_CAST %f
%r:_(s64) = G_BITCAST %v
%r:_(s32) = G_FADD %w, %w
%r:_(s32) = G_FMA %w, %w, %w
%r:_(s32) = G_FLDEXP %w, %w
%r:_(s32), %e:_(s32) = G_FFREXP %w
%r:_(s32) = G_FPOWI %w, %w
%r:_(s1) = G_IS_FPCLASS %w, 3
%r:_(s32) = G_LROUND %w
%r:_(p1) = G_PTR_ADD %p, %x
%r:_(p1) = G_PTRMASK %p, %x
%r:_(s32) = G_LOAD %p :: (load (s32), addrspace 1)
%r:_(s32) = G_ZEXTLOAD %p :: (load (s16), addrspace 1)
G_STORE %w, %p :: (store (s32), addrspace 1)
%r:_(s32) = G_ATOMICRMW_ADD %p, %w :: (load store seq_cst (s32), addrspace 1)
%r:_(s32) = G_ATOMIC_CMPXCHG %p, %w, %w :: (load store seq_cst seq_cst (s32), addrspace 1)
G_FENCE 5, 0
G_PREFETCH %p, 0, 3, 1 :: (load unknown-size, addrspace 1)
G_MEMCPY %p, %p, %x, 0 :: (store unknown-size, addrspace 1), (load unknown-size, addrspace 1)
G_MEMSET %p, %h, %x, 0 :: (store unknown-size, addrspace 1)
G_BZERO %p, %x, 0 :: (store unknown-size, addrspace 1)
%r:_(p5) = G_DYN_STACKALLOC %w, 0
%r:_(s64) = G_MERGE_VALUES %w, %w
%r:_(s32), %s:_(s32) = G_UNMERGE_VALUES %x
%r:_(<2 x s32>) = G_BUILD_VECTOR %w, %w
%r:_(<2 x s16>) = G_BUILD_VECTOR_TRUNC %w, %w
%r:_(<4 x s32>) = G_CONCAT_VECTORS %v, %v
%r:_(s32) = G_EXTRACT_VECTOR_ELT %v, %w
%r:_(<2 x s32>) = G_INSERT_VECTOR_ELT %v, %w, %w
%r:_(<2 x s32>) = G_SHUFFLE_VECTOR %v, %v, shufflemask(0, 3)
%r:_(<2 x s32>) = G_EXTRACT_SUBVECTOR %v4, 2
%r:_(<4 x s32>) = G_INSERT_SUBVECTOR %v4, %v, 2
%r:_(<vscale x 4 x s32>) = G_SPLAT_VECTOR %w
%r:_(<2 x s32>) = G_VECTOR_COMPRESS %v, %vb, %v
%r:_(s32) = G_VECREDUCE_ADD %v
%r:_(s32) = G_VECREDUCE_SEQ_FADD %w, %v
%r:_(s32) = G_EXTRACT %x, 32
%r:_(s64) = G_INSERT %x, %w, 32
%r:_(s32) = G_FREEZE %w
G_BRCOND %b, %bb.1
%r:_(s32) = G_CONSTANT i32 1
%r:_(s32) = G_FCONSTANT float 1.0
%r:_(p1) = G_GLOBAL_VALUE @g
%r:_(p5) = G_FRAME_INDEX %stack.0
%r:_(s32) = G_VSCALE i32 1
%r:_(<vscale x 2 x s32>) = G_STEP_VECTOR i32 1
%r:_(s64) = G_READCYCLECOUNTER
G_UBSANTRAP 1
%r:_(s32) = G_INTRINSIC_CONVERGENT intrinsic(@llvm.amdgcn.readfirstlane), %w
";

const HEAD: &str = "--- |
  target triple = \"amdgcn-amd-amdhsa\"
  @g = addrspace(1) global i32 0
  define void @f() { ret void }
...
---
name: f
stack:
  - { id: 0, size: 4, alignment: 4 }
body: |
  bb.0:
    %b:_(s1) = IMPLICIT_DEF
    %w:_(s32) = IMPLICIT_DEF
    %h:_(s8) = IMPLICIT_DEF
    %x:_(s64) = IMPLICIT_DEF
    %v:_(<2 x s32>) = IMPLICIT_DEF
    %vb:_(<2 x s1>) = IMPLICIT_DEF
    %v4:_(<4 x s32>) = IMPLICIT_DEF
    %p:_(p1) = IMPLICIT_DEF
    %f:_(p0) = IMPLICIT_DEF
    %odd:_(s96) = IMPLICIT_DEF
    G_BR %bb.1
  bb.1:
";

/// Messages about a line in a function, each with the text that it is about.
fn messages(line: &str) -> Vec<String> {
    let text = format!("{HEAD}    {line}\n...\n");
    let found = check_text(Dialect::Mir, &text, &wavelens_base::Options::default());
    let line = HEAD.len()..HEAD.len() + line.len() + 4;
    let here = found.iter().filter(|finding| line.contains(&usize::from(finding.range.start())));
    here.map(|finding| {
        let about = &text[std::ops::Range::<usize>::from(finding.range)];
        format!("`{about}`: {}", finding.message)
    })
    .collect()
}

#[test]
fn operands_of_another_type() {
    let mut shown = String::new();
    for line in GOOD.lines().filter(|line| !line.is_empty()) {
        shown += &format!("{line}\n");
        messages(line).iter().for_each(|message| shown += &format!("  as it is: {message}\n"));
        let instruction = line.split(" :: ").next().unwrap_or(line);
        let start = instruction.find("G_").and_then(|at| Some(at + instruction[at..].find(' ')?));
        let Some(start) = start else { continue };
        let (head, memory) = (&line[..start], &line[instruction.len()..]);
        let operands: Vec<&str> = instruction[start..].split(", ").map(str::trim).collect();
        for other in ["%odd", "77"] {
            for index in 0..operands.len() {
                let mut changed = operands.clone();
                changed[index] = other;
                for message in messages(&format!("{head} {}{memory}", changed.join(", "))) {
                    shown += &format!("  {other} for {}: {message}\n", operands[index]);
                }
            }
        }
        if let Some((_, rest)) = head.split_once(":_(").and_then(|(_, rest)| rest.split_once(')')) {
            for message in messages(&format!("%r:_(s96){rest}{}", &line[start..])) {
                shown += &format!("  s96 as result: {message}\n");
            }
        }
    }
    expect![[r#"
        %r:_(s32) = G_ADD %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s32), %c:_(s1) = G_UADDO %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s32), %c:_(s1) = G_UADDE %w, %w, %b
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %b: `%odd`: `%odd` has type `s96`, but must have the type of `%c`, `s1`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for %b: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s32) = G_SHL %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_FSHL %w, %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s32) = G_SMULH %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s32) = G_SBFX %w, %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%w`: `%w` has type `s32`, but must have the type of `%odd`, `s96`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%w`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_CTPOP %x
          77 for %x: `77`: the operand must be a virtual register
        %r:_(s32) = G_ABS %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_BSWAP %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_SEXT_INREG %w, 8
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for 8: `%odd`: the width of `G_SEXT_INREG` must be an immediate
          77 for %w: `77`: the operand must be a virtual register
          77 for 8: `77`: the width must be less than the size of the value, 32 bits, is 77
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_ASSERT_ZEXT %w, 8
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for 8: `%odd`: the width of `G_ASSERT_ZEXT` must be an immediate
          77 for %w: `77`: the operand must be a virtual register
          77 for 8: `77`: the width must be less than the size of the value, 32 bits, is 77
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(p1) = G_ASSERT_ALIGN %p, 8
          %odd for %p: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `p1`
          %odd for 8: `%odd`: the alignment must be an immediate of at least 1
          77 for %p: `77`: the operand must be a virtual register
          s96 as result: `%p`: `%p` has type `p1`, but must have the type of `%r`, `s96`
        %r:_(s1) = G_ICMP intpred(eq), %w, %w
          %odd for %w: `%w`: `%w` has type `s32`, but must have the type of `%odd`, `s96`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%w`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
        %r:_(s1) = G_FCMP floatpred(oeq), %w, %w
          %odd for %w: `%w`: `%w` has type `s32`, but must have the type of `%odd`, `s96`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%w`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
        %r:_(s32) = G_SCMP %w, %w
          %odd for %w: `%w`: `%w` has type `s32`, but must have the type of `%odd`, `s96`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%w`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
        %r:_(s32) = G_SELECT %b, %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %b: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s64) = G_ZEXT %w
          %odd for %w: `%r:_(s64)`: the result must be wider than the source: it is `s64`, and the source is `s96`
          77 for %w: `77`: the operand must be a virtual register
        %r:_(s16) = G_TRUNC %w
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be narrower than the source: it is `s96`, and the source is `s32`
        %r:_(s64) = G_FPEXT %w
          %odd for %w: `%r:_(s64)`: the result must be wider than the source: it is `s64`, and the source is `s96`
          77 for %w: `77`: the operand must be a virtual register
        %r:_(s16) = G_FPTRUNC %w
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be narrower than the source: it is `s96`, and the source is `s32`
        %r:_(s32) = G_FPTOSI %x
          77 for %x: `77`: the operand must be a virtual register
        %r:_(s32) = G_SITOFP %x
          77 for %x: `77`: the operand must be a virtual register
        %r:_(s32) = G_FPTOSI_SAT %x
          77 for %x: `77`: the operand must be a virtual register
        %r:_(s64) = G_PTRTOINT %p
          %odd for %p: `%odd`: the source must be a pointer, found `s96`
          77 for %p: `77`: the operand must be a virtual register
        %r:_(p1) = G_INTTOPTR %x
          77 for %x: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a pointer, found `s96`
        %r:_(p1) = G_ADDRSPACE_CAST %f
          %odd for %f: `%odd`: the source and the result must be pointers
          77 for %f: `77`: the operand must be a virtual register
          s96 as result: `%f`: the source and the result must be pointers
        %r:_(s64) = G_BITCAST %v
          %odd for %v: `%odd`: a bitcast must not change the size: `s96` has 96 bits, but `s64` has 64
          77 for %v: `77`: the operand must be a virtual register
          s96 as result: `%v`: a bitcast must not change the size: `<2 x s32>` has 64 bits, but `s96` has 96
        %r:_(s32) = G_FADD %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s32) = G_FMA %w, %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        %r:_(s32) = G_FLDEXP %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32), %e:_(s32) = G_FFREXP %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_FPOWI %w, %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s1) = G_IS_FPCLASS %w, 3
          %odd for 3: `%odd`: the classes must be an immediate
          77 for %w: `77`: the operand must be a virtual register
        %r:_(s32) = G_LROUND %w
          77 for %w: `77`: the operand must be a virtual register
        %r:_(p1) = G_PTR_ADD %p, %x
          %odd for %p: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `p1`
          %odd for %x: `%odd`: the offset must have 64 bits in address space 1, found `s96`
          77 for %p: `77`: the operand must be a virtual register
          77 for %x: `77`: the operand must be a virtual register
          s96 as result: `%p`: `%p` has type `p1`, but must have the type of `%r`, `s96`
        %r:_(p1) = G_PTRMASK %p, %x
          %odd for %p: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `p1`
          77 for %p: `77`: the operand must be a virtual register
          77 for %x: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a pointer, found `s96`
          s96 as result: `%p`: `%p` has type `p1`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_LOAD %p :: (load (s32), addrspace 1)
          %odd for %p: `%odd`: the address must be a pointer, found `s96`
          77 for %p: `77`: the operand must be a virtual register
        %r:_(s32) = G_ZEXTLOAD %p :: (load (s16), addrspace 1)
          %odd for %p: `%odd`: the address must be a pointer, found `s96`
          77 for %p: `77`: the operand must be a virtual register
        G_STORE %w, %p :: (store (s32), addrspace 1)
          %odd for %p: `%odd`: the address must be a pointer, found `s96`
          77 for %w: `77`: the operand must be a virtual register
          77 for %p: `77`: the operand must be a virtual register
        %r:_(s32) = G_ATOMICRMW_ADD %p, %w :: (load store seq_cst (s32), addrspace 1)
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %p: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_ATOMIC_CMPXCHG %p, %w, %w :: (load store seq_cst seq_cst (s32), addrspace 1)
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %p: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%w`, `s32`
        G_FENCE 5, 0
          %odd for 5: `%odd`: expected an immediate, found a register
          %odd for 0: `%odd`: expected an immediate, found a register
        G_PREFETCH %p, 0, 3, 1 :: (load unknown-size, addrspace 1)
          %odd for %p: `%odd`: the address must be a pointer, found `s96`
          %odd for 0: `%odd`: expected an immediate, found a register
          %odd for 3: `%odd`: expected an immediate, found a register
          %odd for 1: `%odd`: expected an immediate, found a register
          77 for %p: `77`: the operand must be a virtual register
          77 for 0: `77`: read or write must be an immediate between 0 and 1
          77 for 3: `77`: the locality must be an immediate between 0 and 3
          77 for 1: `77`: the cache type must be an immediate between 0 and 1
        G_MEMCPY %p, %p, %x, 0 :: (store unknown-size, addrspace 1), (load unknown-size, addrspace 1)
          %odd for %p: `%odd`: expected a pointer as the address of the destination, found type `s96`
          %odd for %p: `%odd`: expected a pointer as the address of the source, found type `s96`
          %odd for 0: `%odd`: the `tail` flag must be an immediate 0 or 1
          77 for %p: `77`: the operand must be a virtual register
          77 for %p: `77`: the operand must be a virtual register
          77 for %x: `77`: the operand must be a virtual register
          77 for 0: `77`: the `tail` flag must be an immediate 0 or 1
        G_MEMSET %p, %h, %x, 0 :: (store unknown-size, addrspace 1)
          %odd for %p: `%odd`: the address must be a pointer, found `s96`
          %odd for 0: `%odd`: the `tail` flag must be an immediate 0 or 1
          77 for %p: `77`: the operand must be a virtual register
          77 for %h: `77`: the operand must be a virtual register
          77 for %x: `77`: the operand must be a virtual register
          77 for 0: `77`: the `tail` flag must be an immediate 0 or 1
        G_BZERO %p, %x, 0 :: (store unknown-size, addrspace 1)
          %odd for %p: `%odd`: the address must be a pointer, found `s96`
          %odd for 0: `%odd`: the `tail` flag must be an immediate 0 or 1
          77 for %p: `77`: the operand must be a virtual register
          77 for %x: `77`: the operand must be a virtual register
          77 for 0: `77`: the `tail` flag must be an immediate 0 or 1
        %r:_(p5) = G_DYN_STACKALLOC %w, 0
          %odd for 0: `%odd`: expected an immediate, found a register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a pointer, found `s96`
        %r:_(s64) = G_MERGE_VALUES %w, %w
          %odd for %w: `%r:_(s64)`: the sources together must have as many bits as the result: `s64` has 64, but the 2 of `s96` have 192
          %odd for %w: `%odd`: all sources must have the same type: the first is `s32`, and this is `s96`
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the sources together must have as many bits as the result: `s96` has 96, but the 2 of `s32` have 64
        %r:_(s32), %s:_(s32) = G_UNMERGE_VALUES %x
          %odd for %x: `%odd`: the results together must have as many bits as the source: `s96` has 96, but the 2 of `s32` have 64
          s96 as result: `%s:_(s32)`: all results must have the same type
        %r:_(<2 x s32>) = G_BUILD_VECTOR %w, %w
          %odd for %w: `%odd`: the elements of `<2 x s32>` are `s32`, but a source is `s96`
          %odd for %w: `%odd`: all sources must have the same type: the first is `s32`, and this is `s96`
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a vector, found `s96`
        %r:_(<2 x s16>) = G_BUILD_VECTOR_TRUNC %w, %w
          %odd for %w: `%w`: all sources must have the same type: the first is `s96`, and this is `s32`
          %odd for %w: `%odd`: all sources must have the same type: the first is `s32`, and this is `s96`
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a vector, found `s96`
        %r:_(<4 x s32>) = G_CONCAT_VECTORS %v, %v
          %odd for %v: `%odd`: the sources must be vectors, found `s96`
          %odd for %v: `%odd`: all sources must have the same type: the first is `<2 x s32>`, and this is `s96`
          77 for %v: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a vector, found `s96`
        %r:_(s32) = G_EXTRACT_VECTOR_ELT %v, %w
          %odd for %v: `%odd`: the source must be a vector
          %odd for %w: `%odd`: the index must have 32 bits on this target, has 96
          77 for %v: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
        %r:_(<2 x s32>) = G_INSERT_VECTOR_ELT %v, %w, %w
          %odd for %v: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `<2 x s32>`
          %odd for %w: `%odd`: the index must have 32 bits on this target, has 96
          77 for %v: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a vector
          s96 as result: `%v`: `%v` has type `<2 x s32>`, but must have the type of `%r`, `s96`
        %r:_(<2 x s32>) = G_SHUFFLE_VECTOR %v, %v, shufflemask(0, 3)
          %odd for %v: `%v`: `%v` has type `<2 x s32>`, but must have the type of `%odd`, `s96`
          %odd for %v: `%odd`: `%odd` has type `s96`, but must have the type of `%v`, `<2 x s32>`
          %odd for shufflemask(0: `)`: expected `,` before the next operand, found `)`
          %odd for 3): `%odd`: expected an integer or `undef`, found `%odd`
          77 for %v: `77`: the operand must be a virtual register
          77 for %v: `77`: the operand must be a virtual register
          77 for shufflemask(0: `)`: expected `,` before the next operand, found `)`
          s96 as result: `%r:_(s96)`: a shuffle must not change the element type `s32`
        %r:_(<2 x s32>) = G_EXTRACT_SUBVECTOR %v4, 2
          %odd for %v4: `%odd`: expected a vector
          %odd for 2: `%odd`: the index must be an immediate
          77 for %v4: `77`: the operand must be a virtual register
          77 for 2: `77`: the index must be a multiple of 2
          s96 as result: `%r:_(s96)`: expected a vector
        %r:_(<4 x s32>) = G_INSERT_SUBVECTOR %v4, %v, 2
          %odd for %v4: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `<4 x s32>`
          %odd for %v: `%odd`: expected a vector
          %odd for 2: `%odd`: the index must be an immediate
          77 for %v4: `77`: the operand must be a virtual register
          77 for %v: `77`: the operand must be a virtual register
          77 for 2: `77`: the index must be a multiple of 2
          s96 as result: `%r:_(s96)`: expected a vector
          s96 as result: `%v4`: `%v4` has type `<4 x s32>`, but must have the type of `%r`, `s96`
        %r:_(<vscale x 4 x s32>) = G_SPLAT_VECTOR %w
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: the result must be a scalable vector
        %r:_(<2 x s32>) = G_VECTOR_COMPRESS %v, %vb, %v
          %odd for %v: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `<2 x s32>`
          %odd for %v: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `<2 x s32>`
          77 for %v: `77`: the operand must be a virtual register
          77 for %vb: `77`: the operand must be a virtual register
          77 for %v: `77`: the operand must be a virtual register
          s96 as result: `%r:_(s96)`: `%r` has type `s96`, but must have the type of `%v`, `<2 x s32>`
        %r:_(s32) = G_VECREDUCE_ADD %v
          77 for %v: `77`: the operand must be a virtual register
        %r:_(s32) = G_VECREDUCE_SEQ_FADD %w, %v
          %odd for %v: `%odd`: the source of a reduction must be a vector
          77 for %w: `77`: the operand must be a virtual register
          77 for %v: `77`: the operand must be a virtual register
        %r:_(s32) = G_EXTRACT %x, 32
          %odd for 32: `%odd`: the offset must be an immediate
          77 for %x: `77`: the operand must be a virtual register
          77 for 32: `77`: 32 bits from bit 77 exceed the 64 bits of the source
          s96 as result: `32`: 96 bits from bit 32 exceed the 64 bits of the source
        %r:_(s64) = G_INSERT %x, %w, 32
          %odd for %x: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s64`
          %odd for %w: `%odd`: the inserted value must be smaller than the register
          %odd for 32: `%odd`: the offset must be an immediate
          77 for %x: `77`: the operand must be a virtual register
          77 for %w: `77`: the operand must be a virtual register
          77 for 32: `77`: 32 bits at bit 77 exceed the 64 bits of the register
          s96 as result: `%x`: `%x` has type `s64`, but must have the type of `%r`, `s96`
        %r:_(s32) = G_FREEZE %w
          %odd for %w: `%odd`: `%odd` has type `s96`, but must have the type of `%r`, `s32`
          77 for %w: `77`: the operand must be a virtual register
          s96 as result: `%w`: `%w` has type `s32`, but must have the type of `%r`, `s96`
        G_BRCOND %b, %bb.1
          %odd for %bb.1: `G_BRCOND`: missing target block of the branch
          77 for %b: `77`: the operand must be a virtual register
          77 for %bb.1: `G_BRCOND`: missing target block of the branch
        %r:_(s32) = G_CONSTANT i32 1
          %odd for i32 1: `%odd`: expected an integer constant with its type (`i32 7`)
          77 for i32 1: `77`: expected an integer constant with its type (`i32 7`)
          s96 as result: `i32 1`: the constant has 32 bits, but the register has 96
        %r:_(s32) = G_FCONSTANT float 1.0
          %odd for float 1.0: `%odd`: expected a floating point constant with its type (`float 1.0`)
          77 for float 1.0: `77`: expected a floating point constant with its type (`float 1.0`)
          s96 as result: `float 1.0`: the constant has 32 bits, but the register has 96
        %r:_(p1) = G_GLOBAL_VALUE @g
        %r:_(p5) = G_FRAME_INDEX %stack.0
        %r:_(s32) = G_VSCALE i32 1
          %odd for i32 1: `%odd`: expected an integer constant with its type (`i32 7`)
          77 for i32 1: `77`: expected an integer constant with its type (`i32 7`)
        %r:_(<vscale x 2 x s32>) = G_STEP_VECTOR i32 1
          %odd for i32 1: `%odd`: expected an integer constant with its type (`i32 1`)
          77 for i32 1: `77`: expected an integer constant with its type (`i32 1`)
          s96 as result: `%r:_(s96)`: the result must be a scalable vector
        %r:_(s64) = G_READCYCLECOUNTER
        G_UBSANTRAP 1
          %odd for 1: `%odd`: expected an immediate, found a register
        %r:_(s32) = G_INTRINSIC_CONVERGENT intrinsic(@llvm.amdgcn.readfirstlane), %w
          %odd for intrinsic(@llvm.amdgcn.readfirstlane): `%odd`: expected `intrinsic(@llvm.name)` as the first operand after the results
          77 for intrinsic(@llvm.amdgcn.readfirstlane): `77`: expected `intrinsic(@llvm.name)` as the first operand after the results
    "#]].assert_eq(&shown);
}
