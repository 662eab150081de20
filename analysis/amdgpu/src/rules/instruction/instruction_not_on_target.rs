//! Instructions that the processor does not have and others do.

use wavelens_isa::{self as isa, ErrorKind, Fault, Generation, Line, Target};
use wavelens_syntax::wording;

use super::{RejectedLine, carry, lane_mask, other_counters};
use crate::rules::inserted_line::indentation;
use wavelens_base::{Diagnostic, TextEdit};

wavelens_syntax::rules! {
    WRONG_TARGET {
        code: "instruction-not-on-target",
        severity: wavelens_base::Severity::Error,
        title: "an instruction must be supported by the processor that the file is assembled for",
        explain: "Each generation adds and removes instructions. The processor comes from the command line, the settings or \
`.amdgcn_target`.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
s_wait_loadcnt 0x0
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
s_waitcnt vmcnt(0)
"#,
        source: "LLVM AMDGPUAsmParser: \"instruction not supported on this GPU\"",
    }
}

pub(super) fn report(line: &RejectedLine<'_>) -> Diagnostic {
    let (target, word) = (line.target, line.word());
    let waits = other_counters::replacement(line);
    let successor = carry::newer_name(line).or_else(|| successor(target, &word.to_ascii_lowercase()));
    let message = match (&line.error.fault, line.unknown_processor) {
        (_, Some(processor)) => {
            let message = wording::not_supported(word, target);
            return Diagnostic::new(&WRONG_TARGET, line.range(), assumed(&message, processor));
        }
        (Fault::OtherWaveSize(other), _) => {
            format!("`{}` exists for waves of {} lanes only", line.line.mnemonic, other.lanes())
        }
        (Fault::OtherTargets(targets), _) if !targets.is_empty() => {
            let message = wording::not_supported(word, target);
            match (&waits, &successor) {
                (Some(waits), _) => format!("{message}; use {}", waits.quoted()),
                (None, Some(successor)) => format!("{message}; use `{successor}`"),
                (None, None) if is_split_barrier(line) => format!("{message}; use `{SIGNAL}` and `{WAIT}`"),
                (None, None) => format!("{message}; it is supported on {}", generations(targets)),
            }
        }
        _ => format!("`{}` does not exist on {target}", line.line.mnemonic),
    };
    let mut found = Diagnostic::new(&WRONG_TARGET, line.range(), message);
    // Waits of different generations count different things.
    let is_wait = line.line.mnemonic.starts_with("s_wait");
    found.fix = match waits {
        Some(waits) => waits.fix(line),
        None => successor.filter(|_| !is_wait).and_then(|name| lane_mask::renamed(line, &name)),
    };
    if is_split_barrier(line) && line.is_in_file {
        let indent = indentation(line.text, line.range().start());
        let both = format!("{SIGNAL}\n{indent}{WAIT}");
        found.set_guess(
            format!("Replace with `{SIGNAL}` and `{WAIT}`"),
            vec![TextEdit::new(line.range(), both)],
        );
    }
    found
}

/// What `s_barrier` is from gfx12 on: two instructions, for the barrier of the workgroup.
const SIGNAL: &str = "s_barrier_signal -1";
const WAIT: &str = "s_barrier_wait -1";

fn is_split_barrier(line: &RejectedLine<'_>) -> bool {
    line.line.mnemonic == "s_barrier" && line.target.facts().has_split_counters
}

/// A message about the processor that LLVM assumes in place of one that it does not know.
pub(super) fn assumed(message: &str, processor: &str) -> String {
    format!("{message}, which LLVM assumes because it does not know {processor}")
}

/// Processors by generation, `gfx8, gfx9 and gfx1030`: a generation whose processors are all in the list is named once. Second
/// names of a processor and generic processors are omitted if other names remain.
fn generations(targets: &[&'static str]) -> String {
    let is_plain = |name: &&str| name.starts_with("gfx") && !name.contains('-');
    let plain = Target::names().filter(is_plain);
    let all: Vec<(&str, u8)> = plain.filter_map(|n| Some((n, Target::named(n)?.major()))).collect();
    let mut names: Vec<String> = Vec::new();
    for (target, major) in all.iter().filter(|(name, _)| targets.contains(name)) {
        let mut peers = all.iter().filter(|(_, other)| other == major);
        let name = match peers.all(|(peer, _)| targets.contains(peer)) {
            true => format!("gfx{major}"),
            false => (*target).to_owned(),
        };
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => wording::list(targets),
        [head @ .., last] if (2..=MAX_GENERATIONS).contains(&names.len()) => {
            format!("{} and {last}", head.join(", "))
        }
        _ => wording::list(names),
    }
}

/// As many generations or processors are named in full.
const MAX_GENERATIONS: usize = 6;

/// Names of one operation in several generations.
const RENAMED: &[&[&str]] = &[
    &["v_add_nc_u32", "v_add_u32"],
    &["v_sub_nc_u32", "v_sub_u32"],
    &["v_subrev_nc_u32", "v_subrev_u32"],
    // With carry-out.
    &["v_add_co_u32", "v_add_i32", "v_add_u32"],
    &["v_sub_co_u32", "v_sub_i32", "v_sub_u32"],
    &["v_subrev_co_u32", "v_subrev_i32", "v_subrev_u32"],
    // With carry-in and carry-out.
    &["v_add_co_ci_u32", "v_addc_co_u32", "v_addc_u32"],
    &["v_sub_co_ci_u32", "v_subb_co_u32", "v_subb_u32"],
    &["v_subrev_co_ci_u32", "v_subbrev_co_u32", "v_subbrev_u32"],
    &["s_wait_loadcnt", "s_waitcnt"],
    &["s_wait_storecnt", "s_waitcnt_vscnt", "s_waitcnt"],
    &["s_wait_samplecnt", "s_waitcnt"],
    &["s_wait_bvhcnt", "s_waitcnt"],
    &["s_wait_dscnt", "s_waitcnt"],
    &["s_wait_kmcnt", "s_waitcnt"],
    &["s_wait_expcnt", "s_waitcnt"],
    &["s_wait_alu", "s_waitcnt_depctr"],
    &["s_add_co_u32", "s_add_u32"],
    &["s_sub_co_u32", "s_sub_u32"],
    &["s_add_co_ci_u32", "s_addc_u32"],
    &["s_sub_co_ci_u32", "s_subb_u32"],
];

/// Parts of memory instructions that gfx11 renamed.
const RENAMED_PARTS: &[(&str, &str)] = &[
    ("_dwordx16", "_b512"),
    ("_dwordx8", "_b256"),
    ("_dwordx4", "_b128"),
    ("_dwordx3", "_b96"),
    ("_dwordx2", "_b64"),
    ("_dword", "_b32"),
    ("_ushort", "_u16"),
    ("_sshort", "_i16"),
    ("_short", "_b16"),
    ("_ubyte", "_u8"),
    ("_sbyte", "_i8"),
    ("_byte", "_b8"),
    ("ds_read_", "ds_load_"),
    ("ds_read2_", "ds_load_2addr_"),
    ("ds_write_", "ds_store_"),
    ("ds_write2_", "ds_store_2addr_"),
];

/// What the processor has in place of an instruction of another generation.
pub fn successor(target: Target, name: &str) -> Option<String> {
    let (base, suffix) = ["_e32", "_e64_dpp", "_e64", "_dpp", "_sdwa"]
        .iter()
        .find_map(|suffix| Some((name.strip_suffix(suffix)?, *suffix)))
        .unwrap_or((name, ""));
    let families = RENAMED.iter().filter(|family| family.contains(&base));
    let listed = families.copied().flatten().filter(|n| **n != base).map(|n| format!("{n}{suffix}"));
    let parts = RENAMED_PARTS.iter().flat_map(|(old, new)| [(old, new), (new, old)]);
    let replaced =
        parts.filter(|(from, _)| name.contains(**from)).map(|(from, to)| name.replacen(from, to, 1));
    // gfx8's additions write a carry-out under the names that do not on other processors.
    let is_plain = |name: &str| matches!(name, "v_add_u32" | "v_sub_u32" | "v_subrev_u32");
    let (old, new) = (target.generation() == Generation::Gfx8, base.contains("_nc_"));
    let is_same = |candidate: &str| match is_plain(base) {
        true => candidate.contains("_nc_"),
        false => !is_plain(isa::split_mnemonic(candidate).0) || new != old,
    };
    listed.chain(replaced).find(|candidate| is_same(candidate) && exists(target, candidate))
}

/// Whether the processor has an instruction of this name.
pub(super) fn exists(target: Target, name: &str) -> bool {
    let mut line = Line::default();
    line.clear(name);
    let missing = [ErrorKind::UnknownMnemonic, ErrorKind::WrongTarget, ErrorKind::WrongEncoding];
    isa::assemble(target, &line).err().is_none_or(|e| !missing.contains(&e.kind))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn an_instruction_of_another_generation_names_its_successor() {
        marks(
            "gfx942",
            expect![[r#"
                s_wait_loadcnt 0x0
                ;^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_wait_loadcnt` is not supported on gfx942; use `s_waitcnt vmcnt(0)`
                ;            = guess: s_waitcnt vmcnt(0)
                global_load_b128 v[0:3], v4, s[0:1]
                ;^^^^^^^^^^^^^^^ error[instruction-not-on-target]: `global_load_b128` is not supported on gfx942; use `global_load_dwordx4`
                ;              = fix: global_load_dwordx4 v[0:3], v4, s[0:1]
                v_add_nc_u32 v0, v1, v2
                ;^^^^^^^^^^^ error[instruction-not-on-target]: `v_add_nc_u32` is not supported on gfx942; use `v_add_u32`
                ;          = fix: v_add_u32 v0, v1, v2
                ds_load_2addr_b32 v[0:1], v2
                ;^^^^^^^^^^^^^^^^ error[instruction-not-on-target]: `ds_load_2addr_b32` is not supported on gfx942; use `ds_read2_b32`
                ;               = fix: ds_read2_b32 v[0:1], v2
                ds_load_b32 v0, v1
                ;^^^^^^^^^^ error[instruction-not-on-target]: `ds_load_b32` is not supported on gfx942; use `ds_read_b32`
                ;         = fix: ds_read_b32 v0, v1
            "#]],
        );
        marks(
            "gfx1200",
            expect![[r#"
                v_addc_u32 v0, vcc, v1, v2, vcc
                ;^^^^^^^^^ error[instruction-not-on-target]: `v_addc_u32` is not supported on gfx1200; use `v_add_co_ci_u32`
                ;        = fix: v_add_co_ci_u32 v0, vcc_lo, v1, v2, vcc_lo
                s_waitcnt_vscnt null, 0x0
                ;^^^^^^^^^^^^^^ error[instruction-not-on-target]: `s_waitcnt_vscnt` is not supported on gfx1200; use `s_wait_storecnt 0x0`
                ;             = fix: s_wait_storecnt 0x0
            "#]],
        );
    }

    #[test]
    fn without_a_successor_the_processors_are_named() {
        marks(
            "gfx803",
            expect![[r#"
                v_add_nc_u32 v0, v1, v2
                ;^^^^^^^^^^^ error[instruction-not-on-target]: `v_add_nc_u32` is not supported on gfx803; it is supported on gfx10, gfx11, gfx12 and gfx13
            "#]],
        );
    }

    #[test]
    fn a_successor_with_other_operands_is_not_a_fix() {
        marks(
            "gfx942",
            expect![[r#"
                v_add_co_ci_u32 v0, v1, v2
                ;^^^^^^^^^^^^^^ error[instruction-not-on-target]: `v_add_co_ci_u32` is not supported on gfx942; use `v_addc_co_u32`
            "#]],
        );
    }
}
