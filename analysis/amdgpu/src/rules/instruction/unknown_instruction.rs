//! Mnemonics that no processor has.

use wavelens_isa::{self as isa, Target};
use wavelens_syntax::{closest, is_one_slip, is_slip, names_same_sizes, nearest, wording};

use super::RejectedLine;
use wavelens_base::{Diagnostic, Fix, TextEdit};

wavelens_syntax::rules! {
    UNKNOWN_INSTRUCTION {
        code: "unknown-instruction",
        severity: wavelens_base::Severity::Error,
        title: "an instruction must exist on some AMDGPU processor, or be a macro that is already defined",
        explain: "The word at the start of a statement is neither an instruction of any processor nor a macro. A macro must be defined \
above its first use.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_ad_f32 v0, v1, v2
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add_f32 v0, v1, v2
"#,
        source: "LLVM AMDGPUAsmParser: \"invalid instruction\"",
    }
}

/// Names in a suggestion.
const MAX_NAMES: usize = 3;

pub(super) fn report(line: &RejectedLine<'_>) -> Diagnostic {
    let word = line.word();
    let near = near(line);
    let mut found = Diagnostic::new(
        &UNKNOWN_INSTRUCTION,
        line.range(),
        match near.as_slice() {
            [] => message(line.line.mnemonic),
            near => format!("unknown instruction `{word}`; did you mean {}?", wording::one_of(near)),
        },
    );
    if let [only] = near.as_slice() {
        // A misspelt name is certain unless it names another size or type, its operation exists for another type, or other names begin
        // with it, as with `s_cbranch`.
        let certain = closest(word, [only.as_str()]).is_some()
            && names_same_sizes(word, only)
            && !has_other_types(line.target, word, only)
            && !is_beginning(line.target, word);
        found.fix = fix(line, only, certain);
    }
    found
}

/// Whether the operation of a word exists, as that of `v_and_f16` does for `b32`, and `near` is another operation.
fn has_other_types(target: Target, word: &str, near: &str) -> bool {
    let operation = |name: &str| -> Option<String> {
        let (base, _) = isa::split_mnemonic(name);
        let (operation, ty) = base.rsplit_once('_')?;
        ty.ends_with(|c: char| c.is_ascii_digit()).then(|| format!("{operation}_"))
    };
    let Some(own) = operation(word).filter(|own| operation(near).as_ref() != Some(own)) else { return false };
    let is_of_it = |known: &&str| operation(known).as_ref() == Some(&own);
    target.spellings().iter().any(|known| known.starts_with(own.as_str()) && is_of_it(known))
}

/// Whether names begin with a word and `_`, whatever encoding the word asks for.
fn is_beginning(target: Target, word: &str) -> bool {
    let (word, _) = isa::split_mnemonic(word);
    target.spellings().iter().any(|known| known.strip_prefix(word).is_some_and(|rest| rest.starts_with('_')))
}

pub(crate) fn message(mnemonic: &str) -> String {
    format!("unknown instruction `{mnemonic}`")
}

/// Replaces the mnemonic, if the line is an instruction or a call of a macro with the other one.
pub(super) fn fix(line: &RejectedLine<'_>, name: &str, certain: bool) -> Option<Fix> {
    let is_macro = line.macros.iter().flatten().any(|known| *known == name);
    let fits = || line.fits_with(|other| other.mnemonic = name);
    let is_possible = is_macro && is_one_slip(line.word(), name) || fits();
    let edits = vec![TextEdit::new(line.range(), name)];
    (line.is_in_file && is_possible).then(|| Fix { title: format!("Replace with `{name}`"), certain, edits })
}

/// The macros and mnemonics that may be meant: those with which the line is an instruction, if there are any.
fn near(line: &RejectedLine<'_>) -> Vec<String> {
    let Some(macros) = &line.macros else { return Vec::new() };
    if let Some(near) = closest(line.word(), macros.iter().copied()) {
        return vec![near.to_owned()];
    }
    let word = line.word().to_ascii_lowercase();
    let near = similar(line.target, &word);
    let fits = |name: &String| line.fits_with(|other| other.mnemonic = name.as_str());
    let mut fitting: Vec<String> = near.iter().filter(|name| fits(name)).cloned().collect();
    if fitting.is_empty() {
        fitting = of_other_types(line.target, &word).into_iter().filter(fits).collect();
    }
    // The unit that executes it is known: `ds_load_b256` is not meant as `s_load_b256`.
    let unit = |name: &str| name.split_once('_').map(|(unit, _)| unit.to_owned());
    let own = unit(line.word()).filter(|own| ["s", "v", "ds"].contains(&own.as_str()));
    let is_same_unit = |name: &String| own.is_none() || own == unit(name);
    let near = match fitting.is_empty() {
        true => near.into_iter().filter(is_same_unit).collect(),
        false => fitting,
    };
    if near.len() > MAX_NAMES { Vec::new() } else { near }
}

/// Mnemonics that differ from a word in their last part, which says the size or type of what they work on, or have one where the word
/// does not.
fn of_other_types(target: Target, word: &str) -> Vec<String> {
    let (base, suffix) = isa::split_mnemonic(word);
    let stem = |name: &str| name.rfind(['_', '.']).map_or(0, |at| at);
    let is_operation = |stem: &str| stem.matches('_').count() >= 1;
    let stems = [base, base.get(..stem(base)).unwrap_or(base)];
    let is_of = |known: &&str| {
        let own = known.get(..stem(known)).unwrap_or("");
        stems.iter().any(|stem| is_operation(stem) && (own == *stem || known == stem))
    };
    target.spellings().iter().copied().filter(is_of).map(|name| format!("{name}{suffix}")).collect()
}

/// Mnemonics like a word, with its encoding suffix; or the word with a suffix like its own.
fn similar(target: Target, word: &str) -> Vec<String> {
    let (base, suffix) = isa::split_mnemonic(word);
    if let Some((stem, tail)) = word.rfind('_').map(|at| word.split_at(at))
        && suffix.is_empty()
        && target.spellings().contains(&stem)
    {
        let begun = SUFFIXES.iter().copied().filter(|suffix| tail.len() > 1 && suffix.starts_with(tail));
        let mut near: Vec<&str> = begun.collect();
        if near.is_empty() {
            near = nearest(tail, SUFFIXES);
        }
        return near.into_iter().map(|suffix| format!("{stem}{suffix}")).collect();
    }
    let near = nearest(base, target.spellings().iter().copied());
    let near = near.into_iter().filter(|known| !isa::differ_in_type(base, known));
    let mut near: Vec<String> = near.map(|name| format!("{name}{suffix}")).collect();
    if near.is_empty() && suffix.is_empty() {
        // The slip is where the suffix begins: `v_mov_b3_2e32`.
        let is_near = |name: &String| is_slip(word, name);
        let with = |name: &&str| SUFFIXES.map(|suffix| format!("{name}{suffix}"));
        let begins = |name: &&str| word.get(..4).is_some_and(|start| name.starts_with(start));
        near.extend(
            target.spellings().iter().copied().filter(begins).flat_map(|name| with(&name)).filter(is_near),
        );
    }
    near
}

/// Suffixes that ask for an encoding.
const SUFFIXES: [&str; 4] = ["_e32", "_e64", "_dpp", "_sdwa"];

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_misspelled_instruction_gets_suggestions() {
        marks(
            "gfx942",
            expect![[r#"
                v_add_f3 v0, v1, v2
                ;^^^^^^^ error[unknown-instruction]: unknown instruction `v_add_f3`; did you mean `v_add_f32`?
                ;      = guess: v_add_f32 v0, v1, v2
                v_nothing_like_it v0
                ;^^^^^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `v_nothing_like_it`
                v_ceil_f6 v0, v1
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `v_ceil_f6`; did you mean `v_ceil_f16`?
                ;       = guess: v_ceil_f16 v0, v1
                v_ceil_f6 v0, v[1:2]
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `v_ceil_f6`; did you mean `v_ceil_f16` or `v_ceil_f64`?
            "#]],
        );
    }

    #[test]
    fn the_rest_of_a_name_may_be_missing() {
        marks(
            "gfx942",
            expect![[r#"
                s_cbranch a
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `s_cbranch`; did you mean `s_branch`?
                ;       = guess: s_branch a
                s_cbranch_e32 a
                ;^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `s_cbranch_e32`; did you mean `s_branch_e32`?
                ;           = guess: s_branch_e32 a
                a:
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn the_size_may_be_missing_or_another() {
        marks(
            "gfx942",
            expect![[r#"
                v_mov_fp4_e32 v0, v1
                ;^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `v_mov_fp4_e32`; did you mean `v_mov_b32_e32`?
                ;           = guess: v_mov_b32_e32 v0, v1
                v_lshl_add_KHR v[2:3], v[4:5], 0, v[6:7]
                ;^^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `v_lshl_add_KHR`; did you mean `v_lshl_add_u64`?
                ;            = guess: v_lshl_add_u64 v[2:3], v[4:5], 0, v[6:7]
                flat_load v[0:3], v[0:1]
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `flat_load`; did you mean `flat_load_dwordx4`?
                ;       = guess: flat_load_dwordx4 v[0:3], v[0:1]
                s_swappc s[30:31], s[0:1]
                ;^^^^^^^ error[unknown-instruction]: unknown instruction `s_swappc`; did you mean `s_swappc_b64`?
                ;      = guess: s_swappc_b64 s[30:31], s[0:1]
                flat_store v[0:1], v2
                ;^^^^^^^^^ error[unknown-instruction]: unknown instruction `flat_store`; did you mean `flat_store_byte`, `flat_store_dword` or `flat_store_short`?
                v_mov_b3_2e32 v0, v1
                ;^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `v_mov_b3_2e32`; did you mean `v_mov_b32_e32`?
                ;           = guess: v_mov_b32_e32 v0, v1
                v_foo_b32 v0, v1
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `v_foo_b32`; did you mean `v_mov_b32` or `v_not_b32`?
            "#]],
        );
    }

    #[test]
    fn names_of_another_generation_that_the_assembler_accepts_are_suggested() {
        marks(
            "gfx1200",
            expect![[r#"
                v_amx_f64 v[0:1], v[2:3], v[4:5]
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `v_amx_f64`; did you mean `v_max_f64`?
                ;       = fix: v_max_f64 v[0:1], v[2:3], v[4:5]
            "#]],
        );
    }

    #[test]
    fn a_misspelled_instruction_has_a_certain_fix_unless_it_may_have_another_type() {
        marks(
            "gfx942",
            expect![[r#"
                v_ad_f32 v0, v1, v2
                ;^^^^^^^ error[unknown-instruction]: unknown instruction `v_ad_f32`; did you mean `v_add_f32`?
                ;      = fix: v_add_f32 v0, v1, v2
                v_add_f3 v0, v1, v2
                ;^^^^^^^ error[unknown-instruction]: unknown instruction `v_add_f3`; did you mean `v_add_f32`?
                ;      = guess: v_add_f32 v0, v1, v2
                v_and_f16 v0, 0x3ff, v31
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `v_and_f16`; did you mean `v_add_f16`?
                ;       = guess: v_add_f16 v0, 0x3ff, v31
                v_ceil_f6 v[0:1], v[2:3]
                ;^^^^^^^^ error[unknown-instruction]: unknown instruction `v_ceil_f6`; did you mean `v_ceil_f64`?
                ;       = guess: v_ceil_f64 v[0:1], v[2:3]
                global_load_dwordx5 v[0:3], v[4:5], off
                ;^^^^^^^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `global_load_dwordx5`; did you mean `global_load_dwordx4`?
                ;                 = guess: global_load_dwordx4 v[0:3], v[4:5], off
            "#]],
        );
        marks(
            "gfx900",
            expect![[r#"
                v_suubrev_u32_e32 v1, s1, v3
                ;^^^^^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `v_suubrev_u32_e32`; did you mean `v_subrev_u32_e32`?
                ;               = fix: v_subrev_u32_e32 v1, s1, v3
                v_subrev_u32_e23 v1, s1, v3
                ;^^^^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `v_subrev_u32_e23`; did you mean `v_subrev_u32_e32`?
                ;              = guess: v_subrev_u32_e32 v1, s1, v3
            "#]],
        );
        marks(
            "gfx950",
            expect![[r#"
                v_cvt_scalef32_sr_fp4_f32 v10, v1, v2, v3
                ;^^^^^^^^^^^^^^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `v_cvt_scalef32_sr_fp4_f32`; did you mean `v_cvt_scalef32_sr_fp8_f32`?
                ;                       = guess: v_cvt_scalef32_sr_fp8_f32 v10, v1, v2, v3
            "#]],
        );
        marks(
            "gfx1100",
            expect![[r#"
                s_loda_dword s5, s[2:3], s101
                ;^^^^^^^^^^^ error[unknown-instruction]: unknown instruction `s_loda_dword`; did you mean `s_load_dword`?
                ;          = fix: s_load_dword s5, s[2:3], s101
            "#]],
        );
    }

    #[test]
    fn a_misspelled_macro_has_a_certain_fix() {
        marks(
            "gfx900",
            expect![[r#"
                .macro LOAD
                .endm
                LAOD
                ;^^^ error[unknown-instruction]: unknown instruction `LAOD`; did you mean `LOAD`?
                ;  = fix: LOAD
            "#]],
        );
    }
}
