//! Constraints and operands of inline assembly at their limits: the last that is accepted, and the first that is not.

use expect_test::expect;

use crate::rules::marks;

#[test]
fn constants_of_inline_assembly() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f(i32 %x, i64 %w) "target-cpu"="gfx900" {
          call void asm sideeffect "; $0", "I"(i32 -16)
          call void asm sideeffect "; $0", "I"(i32 -17)
        ;                                   ^ warning[asm-constraint]: the constraint `I` takes an integer from -16 to 64, not -17
          call void asm sideeffect "; $0", "I"(i32 64)
          call void asm sideeffect "; $0", "I"(i32 65)
        ;                                   ^ warning[asm-constraint]: the constraint `I` takes an integer from -16 to 64, not 65
          call void asm sideeffect "; $0", "J"(i32 32767)
          call void asm sideeffect "; $0", "J"(i32 32768)
        ;                                   ^ warning[asm-constraint]: the constraint `J` takes a signed number of 16 bits, not 32768
          call void asm sideeffect "; $0", "J"(i32 -32768)
          call void asm sideeffect "; $0", "J"(i32 -32769)
        ;                                   ^ warning[asm-constraint]: the constraint `J` takes a signed number of 16 bits, not -32769
          call void asm sideeffect "; $0", "A"(i32 -16)
          call void asm sideeffect "; $0", "A"(i32 -17)
        ;                                   ^ warning[asm-constraint]: the constraint `A` takes a constant that needs no literal, not -17
          call void asm sideeffect "; $0", "A"(i32 64)
          call void asm sideeffect "; $0", "A"(i32 65)
        ;                                   ^ warning[asm-constraint]: the constraint `A` takes a constant that needs no literal, not 65
          call void asm sideeffect "; $0", "A"(i32 1065353216)
          call void asm sideeffect "; $0", "A"(i32 1065353217)
        ;                                   ^ warning[asm-constraint]: the constraint `A` takes a constant that needs no literal, not 1065353217
          call void asm sideeffect "; $0", "A"(i32 1042479491)
          call void asm sideeffect "; $0", "A"(i64 64)
          call void asm sideeffect "; $0", "A"(i64 65)
          call void asm sideeffect "; $0", "A"(float 1.0)
          call void asm sideeffect "; $0", "A"(float -4.0)
          call void asm sideeffect "; $0", "A"(float 0.0)
          call void asm sideeffect "; $0", "A"(float 1.5)
        ;                                   ^ warning[asm-constraint]: the constraint `A` takes a constant that needs no literal, not 1.5
          call void asm sideeffect "; $0", "B"(i64 2147483647)
          call void asm sideeffect "; $0", "B"(i64 2147483648)
        ;                                   ^ warning[asm-constraint]: the constraint `B` takes a signed number of 32 bits, not 2147483648
          call void asm sideeffect "; $0", "B"(i64 -2147483648)
          call void asm sideeffect "; $0", "B"(i64 -2147483649)
        ;                                   ^ warning[asm-constraint]: the constraint `B` takes a signed number of 32 bits, not -2147483649
          call void asm sideeffect "; $0", "C"(i64 4294967295)
          call void asm sideeffect "; $0", "C"(i64 4294967296)
        ;                                   ^ warning[asm-constraint]: the constraint `C` takes an unsigned number of 32 bits, not 4294967296
          call void asm sideeffect "; $0", "C"(i64 -16)
          call void asm sideeffect "; $0", "C"(i64 -17)
        ;                                   ^ warning[asm-constraint]: the constraint `C` takes an unsigned number of 32 bits, not -17
          call void asm sideeffect "; $0", "C"(i32 -17)
          call void asm sideeffect "; $0", "^DA"(i64 274877906944)
          call void asm sideeffect "; $0", "^DA"(i64 279172874240)
        ;                                   ^^^ warning[asm-constraint]: the constraint `DA` takes two halves that need no literal, not 279172874240
          call void asm sideeffect "; $0", "^DA"(i64 274877907008)
          call void asm sideeffect "; $0", "^DA"(i64 274877907009)
        ;                                   ^^^ warning[asm-constraint]: the constraint `DA` takes two halves that need no literal, not 274877907009
          call void asm sideeffect "; $0", "^DB"(i64 279172874240)
          call void asm sideeffect "; $0", "i"(i32 100000)
          call void asm sideeffect "; $0", "i"(i32 %x)
        ;                                   ^ warning[asm-constraint]: the constraint `i` needs a constant
          call void asm sideeffect "; $0", "n"(i32 %x)
        ;                                   ^ warning[asm-constraint]: the constraint `n` needs a constant
          call void asm sideeffect "; $0", "I"(i32 %x)
        ;                                   ^ warning[asm-constraint]: the constraint `I` needs a constant
          call void asm sideeffect "; $0", "^DA"(i64 %w)
        ;                                   ^^^ warning[asm-constraint]: the constraint `DA` needs a constant
          ret void
        }
    "#]]);
}

#[test]
fn types_that_registers_hold() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f() "target-cpu"="gfx900" {
          call void asm sideeffect "; $0", "v"(i1 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `i1`; convert it to `i32`
          call void asm sideeffect "; $0", "v"(i8 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `i8`; convert it to `i32`
          call void asm sideeffect "; $0", "v"(i16 poison)
          call void asm sideeffect "; $0", "v"(i32 poison)
          call void asm sideeffect "; $0", "v"(i64 poison)
          call void asm sideeffect "; $0", "v"(i128 poison)
          call void asm sideeffect "; $0", "v"(i256 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `i256`
          call void asm sideeffect "; $0", "v"(half poison)
          call void asm sideeffect "; $0", "v"(bfloat poison)
          call void asm sideeffect "; $0", "v"(float poison)
          call void asm sideeffect "; $0", "v"(double poison)
          call void asm sideeffect "; $0", "v"(fp128 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `fp128`
          call void asm sideeffect "; $0", "v"(ptr poison)
          call void asm sideeffect "; $0", "v"(ptr addrspace(3) poison)
          call void asm sideeffect "; $0", "v"(ptr addrspace(7) poison)
          call void asm sideeffect "; $0", "v"(<2 x i8> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<2 x i8>`; convert it to vectors of `i32`
          call void asm sideeffect "; $0", "v"(<2 x half> poison)
          call void asm sideeffect "; $0", "v"(<3 x half> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<3 x half>`
          call void asm sideeffect "; $0", "v"(<4 x i16> poison)
          call void asm sideeffect "; $0", "v"(<32 x half> poison)
          call void asm sideeffect "; $0", "v"(<64 x half> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<64 x half>`
          call void asm sideeffect "; $0", "v"(<1 x i32> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<1 x i32>`
          call void asm sideeffect "; $0", "v"(<2 x i32> poison)
          call void asm sideeffect "; $0", "v"(<12 x i32> poison)
          call void asm sideeffect "; $0", "v"(<13 x i32> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<13 x i32>`
          call void asm sideeffect "; $0", "v"(<16 x float> poison)
          call void asm sideeffect "; $0", "v"(<32 x i32> poison)
          call void asm sideeffect "; $0", "v"(<4 x i64> poison)
          call void asm sideeffect "; $0", "v"(<5 x i64> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<5 x i64>`
          call void asm sideeffect "; $0", "v"(<8 x double> poison)
          call void asm sideeffect "; $0", "v"(<16 x i64> poison)
          call void asm sideeffect "; $0", "v"(<2 x i128> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<2 x i128>`
          call void asm sideeffect "; $0", "v"(<vscale x 2 x i32> poison)
          ret void
        }
    "#]]);
}

#[test]
fn types_that_registers_hold_before_gfx8() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f() "target-cpu"="gfx700" {
          call void asm sideeffect "; $0", "v"(i1 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `i1`; convert it to `i32`
          call void asm sideeffect "; $0", "v"(i8 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `i8`; convert it to `i32`
          call void asm sideeffect "; $0", "v"(i16 poison)
          call void asm sideeffect "; $0", "v"(i32 poison)
          call void asm sideeffect "; $0", "v"(i64 poison)
          call void asm sideeffect "; $0", "v"(i128 poison)
          call void asm sideeffect "; $0", "v"(i256 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `i256`
          call void asm sideeffect "; $0", "v"(half poison)
          call void asm sideeffect "; $0", "v"(bfloat poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `bfloat`; convert it to `i32`
          call void asm sideeffect "; $0", "v"(float poison)
          call void asm sideeffect "; $0", "v"(double poison)
          call void asm sideeffect "; $0", "v"(fp128 poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `fp128`
          call void asm sideeffect "; $0", "v"(ptr poison)
          call void asm sideeffect "; $0", "v"(ptr addrspace(3) poison)
          call void asm sideeffect "; $0", "v"(ptr addrspace(7) poison)
          call void asm sideeffect "; $0", "v"(<2 x i8> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<2 x i8>`; convert it to vectors of `i32`
          call void asm sideeffect "; $0", "v"(<2 x half> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<2 x half>`
          call void asm sideeffect "; $0", "v"(<3 x half> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<3 x half>`
          call void asm sideeffect "; $0", "v"(<4 x i16> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<4 x i16>`
          call void asm sideeffect "; $0", "v"(<32 x half> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<32 x half>`
          call void asm sideeffect "; $0", "v"(<64 x half> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<64 x half>`
          call void asm sideeffect "; $0", "v"(<1 x i32> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<1 x i32>`
          call void asm sideeffect "; $0", "v"(<2 x i32> poison)
          call void asm sideeffect "; $0", "v"(<12 x i32> poison)
          call void asm sideeffect "; $0", "v"(<13 x i32> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<13 x i32>`
          call void asm sideeffect "; $0", "v"(<16 x float> poison)
          call void asm sideeffect "; $0", "v"(<32 x i32> poison)
          call void asm sideeffect "; $0", "v"(<4 x i64> poison)
          call void asm sideeffect "; $0", "v"(<5 x i64> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<5 x i64>`
          call void asm sideeffect "; $0", "v"(<8 x double> poison)
          call void asm sideeffect "; $0", "v"(<16 x i64> poison)
          call void asm sideeffect "; $0", "v"(<2 x i128> poison)
        ;                                   ^ warning[asm-constraint]: registers do not hold a value of type `<2 x i128>`
          call void asm sideeffect "; $0", "v"(<vscale x 2 x i32> poison)
          ret void
        }
    "#]]);
}

#[test]
fn registers_of_inline_assembly() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f() "target-cpu"="gfx900" {
          call void asm sideeffect "; $0", "{v0}"(i32 7)
          call void asm sideeffect "; $0", "{v0}"(i64 7)
          call void asm sideeffect "; $0", "{v[0:1]}"(i64 7)
          call void asm sideeffect "; $0", "{v[0:1]}"(i32 7)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `v[0:1]` has 2 registers of 32 bits, but a value of type `i32` has 32 bits
          call void asm sideeffect "; $0", "{v0}"(<2 x half> zeroinitializer)
          call void asm sideeffect "; $0", "{v0}"(half 0.0)
          call void asm sideeffect "; $0", "{a0}"(i32 7)
        ;                                   ^^^^ warning[asm-constraint]: gfx900 has no accumulation registers such as `a0`
          call void asm sideeffect "; $0", "{a[0:1]}"(i64 7)
          call void asm sideeffect "; $0", "a"(i32 7)
        ;                                   ^ warning[asm-constraint]: gfx900 has no accumulation registers for the constraint `a`
          call void asm sideeffect "; $0", "{s0}"(i32 7)
          call void asm sideeffect "; $0", "{s[0:1]}"(ptr null)
          call void asm sideeffect "; $0", "{m0}"(i32 7)
          call void asm sideeffect "; $0", "{m0}"(i64 7)
          call void asm sideeffect "; $0", "{exec}"(i64 7)
          call void asm sideeffect "; $0", "{exec_lo}"(i64 7)
          call void asm sideeffect "; $0", "{v[1:0]}"(i64 7)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `v[1:0]` ends before it starts
          call void asm sideeffect "; $0", "{v256}"(i32 7)
        ;                                   ^^^^^^ warning[asm-constraint]: register `v256` does not exist
          call void asm sideeffect "; $0", "{v[255:256]}"(i64 7)
          call void asm sideeffect "; $0", "{s102}"(i32 7)
          call void asm sideeffect "; $0", "{s[1:2]}"(i64 7)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `s[1:2]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4
          call void asm sideeffect "; $0", "{s[2:4]}"(<3 x i32> zeroinitializer)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `s[2:4]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4
          call void asm sideeffect "; $0", "{foo}"(i32 7)
        ;                                   ^^^^^ warning[asm-constraint]: unknown register `foo`
          ret void
        }
    "#]]);
}

#[test]
fn registers_of_inline_assembly_with_accumulators() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f() "target-cpu"="gfx90a" {
          call void asm sideeffect "; $0", "{v0}"(i32 7)
          call void asm sideeffect "; $0", "{v0}"(i64 7)
          call void asm sideeffect "; $0", "{v[0:1]}"(i64 7)
          call void asm sideeffect "; $0", "{v[0:1]}"(i32 7)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `v[0:1]` has 2 registers of 32 bits, but a value of type `i32` has 32 bits
          call void asm sideeffect "; $0", "{v0}"(<2 x half> zeroinitializer)
          call void asm sideeffect "; $0", "{v0}"(half 0.0)
          call void asm sideeffect "; $0", "{a0}"(i32 7)
          call void asm sideeffect "; $0", "{a[0:1]}"(i64 7)
          call void asm sideeffect "; $0", "a"(i32 7)
          call void asm sideeffect "; $0", "{s0}"(i32 7)
          call void asm sideeffect "; $0", "{s[0:1]}"(ptr null)
          call void asm sideeffect "; $0", "{m0}"(i32 7)
          call void asm sideeffect "; $0", "{m0}"(i64 7)
          call void asm sideeffect "; $0", "{exec}"(i64 7)
          call void asm sideeffect "; $0", "{exec_lo}"(i64 7)
          call void asm sideeffect "; $0", "{v[1:0]}"(i64 7)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `v[1:0]` ends before it starts
          call void asm sideeffect "; $0", "{v256}"(i32 7)
        ;                                   ^^^^^^ warning[asm-constraint]: register `v256` does not exist
          call void asm sideeffect "; $0", "{v[255:256]}"(i64 7)
        ;                                   ^^^^^^^^^^^^ warning[asm-constraint]: `v[255:256]` is not aligned: tuples of gfx90a start at an even number
          call void asm sideeffect "; $0", "{s102}"(i32 7)
          call void asm sideeffect "; $0", "{s[1:2]}"(i64 7)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `s[1:2]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4
          call void asm sideeffect "; $0", "{s[2:4]}"(<3 x i32> zeroinitializer)
        ;                                   ^^^^^^^^ warning[asm-constraint]: `s[2:4]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4
          call void asm sideeffect "; $0", "{foo}"(i32 7)
        ;                                   ^^^^^ warning[asm-constraint]: unknown register `foo`
          ret void
        }
    "#]]);
}

#[test]
fn clobbers_that_llvm_ignores() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f() "target-cpu"="gfx900" {
          call void asm sideeffect "; $0", "~{v0}"()
          call void asm sideeffect "; $0", "~{v[0:1]}"()
          call void asm sideeffect "; $0", "~{v[1:0]}"()
        ;                                   ^^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: `v[1:0]` ends before it starts
          call void asm sideeffect "; $0", "~{s[1:2]}"()
        ;                                   ^^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: `s[1:2]` is not aligned: a pair starts at an even number, a larger tuple at a multiple of 4
          call void asm sideeffect "; $0", "~{s[4:6]}"()
          call void asm sideeffect "; $0", "~{vgpr3}"()
        ;                                   ^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `vgpr3`; did you mean `v3`?
          call void asm sideeffect "; $0", "~{sgpr[0:1]}"()
        ;                                   ^^^^^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `sgpr[0:1]`; did you mean `s[0:1]`?
          call void asm sideeffect "; $0", "~{agpr2}"()
        ;                                   ^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `agpr2`; did you mean `a2`?
          call void asm sideeffect "; $0", "~{v0-1}"()
        ;                                   ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `v0-1`; did you mean `v[0:1]`?
          call void asm sideeffect "; $0", "~{v0_1}"()
        ;                                   ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `v0_1`; did you mean `v[0:1]`?
          call void asm sideeffect "; $0", "~{v[0-1]}"()
        ;                                   ^^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `v[0-1]`; did you mean `v[0:1]`?
          call void asm sideeffect "; $0", "~{vcc}"()
          call void asm sideeffect "; $0", "~{vccc}"()
        ;                                   ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `vccc`; did you mean `vcc`?
          call void asm sideeffect "; $0", "~{exce}"()
        ;                                   ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `exce`; did you mean `exec`?
          call void asm sideeffect "; $0", "~{execz}"()
        ;                                   ^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `execz`; did you mean `exec`?
          call void asm sideeffect "; $0", "~{memory}"()
          call void asm sideeffect "; $0", "~{memry}"()
        ;                                   ^^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `memry`; did you mean `memory`?
          call void asm sideeffect "; $0", "~{cc}"()
          call void asm sideeffect "; $0", "~{v256}"()
        ;                                   ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: register `v256` does not exist
          call void asm sideeffect "; $0", "~{v[250:260]}"()
          call void asm sideeffect "; $0", "~{s200}"()
          call void asm sideeffect "; $0", "~{ttmp3}"()
          call void asm sideeffect "; $0", "~{src_scc}"()
          call void asm sideeffect "; $0", "~{v0.l}"()
          call void asm sideeffect "; $0", "~{q7}"()
        ;                                   ^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `q7`
          call void asm sideeffect "; $0", "~{vgpr}"()
        ;                                   ^^^^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `vgpr`
          call void asm sideeffect "; $0", "~{v}"()
        ;                                   ^^^^ warning[asm-constraint]: LLVM ignores this clobber: unknown register `v`
          ret void
        }
    "#]]);
}

#[test]
fn what_instructions_of_inline_assembly_get() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f(i32 %x, i64 %w, <2 x i32> %v, ptr addrspace(3) %l, ptr %p) "target-cpu"="gfx900" {
          call void asm sideeffect "s_mov_b32 s0, $0", "i"(i32 64)
          call void asm sideeffect "s_mov_b32 s0, ${0}", "i"(i32 64)
          call void asm sideeffect "s_movk_i32 s0, $0", "i"(i32 -16)
          call void asm sideeffect "s_movk_i32 s0, $0", "i"(i32 -32769)
        ;                                          ^^ warning[asm-instruction]: `s_movk_i32`: expected a 16-bit number, found 0xffff7fff
          call void asm sideeffect "s_movk_i32 s0, $0", "i"(i32 65)
          call void asm sideeffect "s_foo s0, ${0:n}", "i"(i32 64)
          call void asm sideeffect "s_foo s0, ${0", "i"(i32 64)
        ;                                     ^^ warning[asm-operand]: `${` without `}`
          call void asm sideeffect "s_$(mov$|foo$)_b32 s0, 0", ""()
          call void asm sideeffect "s_$(foo|mov$)_b32 s0, 0", ""()
        ;                           ^^^^^^^^^^^^^^^^^ warning[asm-instruction]: unknown instruction `s_foo_b32`; did you mean `s_mov_b32` or `s_not_b32`?
          call void asm sideeffect "$(s_nop 0|s_foo$) ; $$", ""()
          call void asm sideeffect "$(s_nop 0|s_foo$)\0As_bar", ""()
        ;                                               ^^^^^ warning[asm-instruction]: unknown instruction `s_bar`
          call void asm sideeffect "s_foo $x", ""()
        ;                                 ^^ warning[asm-operand]: expected the number of an operand after `$`; write `$$` for a dollar sign
          call void asm sideeffect "s_foo $1", "i"(i32 64)
        ;                                 ^^ warning[asm-operand]: the string names operand 1, counted from 0, but the call has 1 constraint
          call void asm sideeffect "s_foo $$0", ""()
        ;                           ^^^^^ warning[asm-instruction]: unknown instruction `s_foo`
          call void asm sideeffect "v_mov_b32 $0, v0", "v"(i32 %x)
          call void asm sideeffect "s_mov_b32 $0, 0", "v"(i32 %x)
        ;                                     ^^ warning[asm-instruction]: `s_mov_b32`: expected a single scalar register, found `v0`
          call void asm sideeffect "s_mov_b64 $0, 0", "s"(i32 %x)
        ;                                     ^^ warning[asm-instruction]: `s_mov_b64`: expected a pair of scalar registers, found `s0`
          call void asm sideeffect "s_mov_b64 $1, 0", "s,s"(i32 %x, i64 %w)
          call void asm sideeffect "s_mov_b64 $0, 0", "s"(i64 %w)
          call void asm sideeffect "v_mov_b32 $1, $0", "v,v"(i32 %x, i32 %x)
          call void asm sideeffect "s_mov_b32 s0, $0", "i"(i1 true)
          call void asm sideeffect "s_mov_b64 s[0:1], $0", "s"(<2 x i32> %v)
          call void asm sideeffect "s_mov_b32 s0, $0", "{s5}"(i32 %x)
          call void asm sideeffect "s_mov_b32 s0, $0", "{s5}"(i64 %w)
          call void asm sideeffect "s_mov_b32 s0, $0", "{vcc}"(i64 %w)
        ;                                         ^^ warning[asm-instruction]: `s_mov_b32`: expected a single scalar register or an immediate, found `vcc`, which is a pair
          call void asm sideeffect "s_mov_b32 s0, $0", "s"(ptr addrspace(3) %l)
          call void asm sideeffect "s_mov_b32 s0, $0", "s"(ptr %p)
        ;                                         ^^ warning[asm-instruction]: `s_mov_b32`: expected a single scalar register or an immediate, found `s[2:3]`
          call void asm sideeffect "v_mov_b32 v0, $0", "^VA"(i32 %x)
          %a = call { i32, i64 } asm "s_mov_b64 $0, 0\0As_mov_b32 $1, 0", "=s,=s"()
        ;                                       ^^ warning[asm-instruction]: `s_mov_b64`: expected a pair of scalar registers, found `s0`
        ;                                                         ^^ warning[asm-instruction]: `s_mov_b32`: expected a single scalar register, found `s[2:3]`
          %b = call i32 asm "s_mov_b64 $0, $1", "=s,0"(i32 %x)
        ;                              ^^ warning[asm-instruction]: `s_mov_b64`: expected a pair of scalar registers, found `s0`
          %c = call i64 asm "s_mov_b64 $0, $1", "=&s,s"(i64 %w)
          ret void
        }
    "#]]);
}
