//! Which half of a vector register a 16-bit access of memory uses: the other half may be in flight.

use wavelens_isa::{Access, RegFile, Target};

use crate::assembler::program::Instruction;

/// Bits for the lower and the upper half.
pub(super) type Halves = u8;

pub(super) const BOTH: Halves = 3;
const LOWER: Halves = 1;
const UPPER: Halves = 2;

/// The halves of each dword that an access uses. Before gfx11 compilers know whole registers only. Vector instructions use whole
/// registers always: one that writes a half writes the other back as it was (LLVM's `d16-write-vgpr32`).
pub(super) fn halves(target: Target, instruction: &Instruction, access: &Access) -> Halves {
    let name = access.operand().map_or("", |o| instruction.encoded.operand_name(o.into()));
    let is_data = access.reg().file == RegFile::Vgpr && (name.contains("data") || name == "vdst");
    match target.facts().loads_keep_halves && is_data {
        true => halves_in_memory(instruction.encoded.mnemonic()),
        false => BOTH,
    }
}

/// The halves that an instruction of memory loads into, or stores.
fn halves_in_memory(mnemonic: &str) -> Halves {
    // The formats of buffers fill both halves.
    if mnemonic.contains("_format_") {
        return BOTH;
    }
    let is_store = mnemonic.contains("_store_");
    match (mnemonic.contains("_d16_hi"), mnemonic.contains("_d16")) {
        (true, _) => UPPER,
        (_, true) => LOWER,
        _ if is_store && (mnemonic.ends_with("_b16") || mnemonic.ends_with("_b8")) => LOWER,
        _ => BOTH,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn halves_of_a_register_are_loaded_and_stored_alone() {
        marks(
            "gfx1100",
            expect![[r#"
                global_load_d16_b16 v1, v2, s[2:3]
                global_load_d16_hi_b16 v1, v2, s[2:3] offset:4
                s_waitcnt vmcnt(1)
                ds_store_b16 v3, v1
            "#]],
        );
        marks(
            "gfx1100",
            expect![[r#"
                global_load_d16_b16 v1, v2, s[2:3]
                global_load_d16_hi_b16 v1, v2, s[2:3] offset:4
                s_waitcnt vmcnt(1)
                v_mov_b16_e32 v4.l, v1.l
                ;                   ^^^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v1`
                ;                      = line 2:1: this operation writes it
                ;                      = line 3:1: this wait leaves 1 operation outstanding
                ;                      = fix: s_waitcnt vmcnt(0)
            "#]],
        );
        marks(
            "gfx1100",
            expect![[r#"
                global_load_d16_b16 v1, v2, s[2:3]
                global_load_d16_hi_b16 v1, v2, s[2:3] offset:4
                s_waitcnt vmcnt(1)
                ds_store_b16_d16_hi v3, v1
                ;                       ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v1`
                ;                        = line 2:1: this operation writes it
                ;                        = line 3:1: this wait leaves 1 operation outstanding
                ;                        = fix: s_waitcnt vmcnt(0)
            "#]],
        );
        marks(
            "gfx1100",
            expect![[r#"
                global_load_d16_b16 v1, v2, s[2:3]
                global_load_d16_hi_b16 v1, v2, s[2:3] offset:4
                s_waitcnt vmcnt(1)
                v_mov_b16_e32 v4.l, v1.h
                ;                   ^^^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v1`
                ;                      = line 2:1: this operation writes it
                ;                      = line 3:1: this wait leaves 1 operation outstanding
                ;                      = fix: s_waitcnt vmcnt(0)
            "#]],
        );
        // The first load is not forgotten for the second.
        marks(
            "gfx1100",
            expect![[r#"
                global_load_d16_b16 v1, v2, s[2:3]
                global_load_d16_hi_b16 v1, v2, s[2:3] offset:4
                ds_store_b16 v3, v1
                ;                ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(1)` before this read of `v1`
                ;                 = line 1:1: this operation writes it
                ;                 = fix: s_waitcnt vmcnt(1)
            "#]],
        );
    }

    #[test]
    fn vector_instructions_use_whole_registers() {
        marks(
            "gfx1100",
            expect![[r#"
                ds_load_u8_d16 v1, v10 offset:2
                v_mov_b16_e32 v1.h, 3
                ;             ^^^^ warning[missing-wait]: missing `s_waitcnt lgkmcnt(0)` before this read of `v1`
                ;                = line 1:1: this operation writes it
                ;                = fix: s_waitcnt lgkmcnt(0)
            "#]],
        );
    }

    #[test]
    fn memory_of_gfx1250_keeps_the_other_half() {
        marks(
            "gfx1250",
            expect![[r#"
                global_load_d16_b16 v1, v2, s[2:3]
                global_load_d16_hi_b16 v1, v2, s[2:3] offset:4
                s_wait_loadcnt 0x1
                ds_store_b16 v3, v1
            "#]],
        );
    }
}
