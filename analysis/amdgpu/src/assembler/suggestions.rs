//! What a misspelt word or a wrong register may mean: suggestions, and fixes where the line is an instruction with just one of them.

use wavelens_isa::{self as isa, ErrorKind, Line, Takes, Term, Value};
use wavelens_syntax::{closest, is_one_slip, names_same_sizes, nearest, wording};

use super::cursor::Cursor;
use super::mismatch::successor;
use crate::assembler::{Assembler, Mode, Reported};
use wavelens_base::{Diagnostic, Rule, TextEdit, TextRange, TextSize};

/// Looking for a name like an unknown one takes a while: so many times in a file.
const MAX_SUGGESTIONS: u32 = 50;

/// Names in a suggestion.
const MAX_NAMES: usize = 3;

impl Assembler<'_> {
    /// Reports a word that is not one of `known`.
    pub(super) fn unknown_word(
        &mut self,
        c: &Cursor<'_>,
        rule: &'static Rule,
        range: TextRange,
        kind: &str,
        known: &[&str],
    ) -> Reported {
        let word = c.slice(range);
        let reported = self.error(c, rule, range, wording::unknown(kind, word, known.iter().copied()));
        if let Some(near) = closest(word, known.iter().copied())
            && let Some(found) = self.last_finding()
        {
            let edits = vec![TextEdit::new(range, near)];
            match is_one_slip(word, near) {
                true => found.set_fix(format!("Replace with `{near}`"), edits),
                false => found.set_guess(format!("Replace with `{near}`"), edits),
            }
        }
        reported
    }

    /// The finding reported last, if it is one of the text and not of an expansion.
    pub(super) fn last_finding(&mut self) -> Option<&mut Diagnostic> {
        let is_of_text = self.expansions.is_empty() && self.mode != Mode::Outline;
        self.diagnostics.last_mut().filter(|_| is_of_text)
    }

    /// The mnemonics that an unknown one may mean: those with which the line is an instruction, if there are any.
    pub(super) fn near_mnemonics(&mut self, kind: ErrorKind, word: &str, line: &Line<'_>) -> Vec<String> {
        let Some(target) = self.target else { return Vec::new() };
        let name = word.to_ascii_lowercase();
        let near = match kind {
            // Waits of different generations count different things.
            ErrorKind::WrongTarget if !name.starts_with("s_wait") => {
                return successor(target, &name).into_iter().collect();
            }
            ErrorKind::UnknownMnemonic if self.suggestions < MAX_SUGGESTIONS => {
                self.suggestions += 1;
                let macros = self.macros.iter().filter(|(_, definition)| definition.is_some());
                if let Some(near) = closest(word, macros.map(|(name, _)| name.as_str())) {
                    return vec![near.to_owned()];
                }
                similar(target, &name)
            }
            _ => return Vec::new(),
        };
        let is_instruction = |name: &&String| {
            let mut other = line.clone();
            other.mnemonic = name;
            isa::assemble(target, &other).is_ok()
        };
        let fitting: Vec<String> = near.iter().filter(is_instruction).cloned().collect();
        let near = if fitting.is_empty() { near } else { fitting };
        if near.len() > MAX_NAMES { Vec::new() } else { near }
    }

    /// Gives the finding about a mnemonic a fix, if the line is an instruction or a call of a macro with the only other one. The name
    /// that a newer generation gave the instruction is certain, and so is a misspelt one unless it names another size or type.
    pub(super) fn fix_mnemonic(
        &mut self,
        kind: ErrorKind,
        near: &[String],
        word: &str,
        range: TextRange,
        line: &Line<'_>,
    ) {
        let (Some(target), [only]) = (self.target, near) else { return };
        let is_macro = self.macros.get(only.as_str()).is_some_and(|definition| definition.is_some());
        let mut other = line.clone();
        other.mnemonic = only;
        if (is_macro && is_one_slip(word, only) || isa::assemble(target, &other).is_ok())
            && let Some(found) = self.last_finding()
        {
            let (title, edits) =
                (format!("Replace with `{only}`"), vec![TextEdit::new(range, only.as_str())]);
            match kind == ErrorKind::WrongTarget || names_same_sizes(word, only) {
                true => found.set_fix(title, edits),
                false => found.set_guess(title, edits),
            }
        }
    }

    /// Gives the finding about an operand a suggestion, and a fix if the line is an instruction with it.
    pub(super) fn fix_operand(
        &mut self,
        c: &Cursor<'_>,
        kind: ErrorKind,
        index: usize,
        range: TextRange,
        line: &Line<'_>,
    ) {
        let (Some(target), Some(operand)) = (self.target, line.operands.get(index)) else { return };
        match (kind, operand.value) {
            (ErrorKind::InvalidModifier, Value::Named { name, value })
                if modifiers(target, line).contains(&name) =>
            {
                let Some(Term::Word(word)) = line.terms(value).first() else { return };
                let known = isa::values(target, name);
                self.replace_word(c, (line, index), word, range, &borrowed(&known));
            }
            (ErrorKind::InvalidModifier, Value::Word(word) | Value::Named { name: word, .. }) => {
                self.replace_word(c, (line, index), word, range, &modifiers(target, line));
            }
            (ErrorKind::InvalidOperand | ErrorKind::ExtraOperand, Value::Word(_) | Value::Symbol) => {
                let known = words(target, line);
                let known: Vec<&str> = borrowed(&known).into_iter().chain(modifiers(target, line)).collect();
                self.replace_word(c, (line, index), c.slice(range), range, &known);
            }
            (ErrorKind::InvalidOperand, Value::Call { name, args }) => {
                let calls: Vec<&str> =
                    slots(target, line).flat_map(|slot| isa::calls(target, &slot.takes)).collect();
                match line.terms(args).first() {
                    Some(Term::Word(first)) if calls.contains(&name) => {
                        let known = isa::arguments(target, name, 0, first);
                        self.replace_word(c, (line, index), first, range, &known);
                    }
                    _ => self.replace_word(c, (line, index), name, range, &calls),
                }
            }
            (ErrorKind::InvalidOperand, Value::Reg(reg)) => self.resize_tuple(c, (line, index), reg, range),
            _ => {}
        }
    }

    /// Suggests the one of `known` that a word of an operand, or of its arguments, may mean.
    fn replace_word(
        &mut self,
        c: &Cursor<'_>,
        (line, index): (&Line<'_>, usize),
        word: &str,
        range: TextRange,
        known: &[&str],
    ) {
        // A known one has a wrong value, or is one of other processors.
        let is_known = || known.contains(&word) || isa::is_dpp_control(word);
        let near = closest(word, known.iter().copied()).filter(|_| !is_known());
        let (Some(near), Some(at)) = (near, c.slice(range).find(word)) else { return };
        let mut other = line.clone();
        let Some(operand) = other.operands.get_mut(index) else { return };
        let argument = match operand.value {
            Value::Named { name, value } if name != word => Some(value),
            Value::Named { value, .. } => {
                operand.value = Value::Named { name: near, value };
                None
            }
            Value::Call { name, args } if name == word => {
                operand.value = Value::Call { name: near, args };
                None
            }
            Value::Call { args, .. } => Some(args),
            _ => {
                operand.value = isa::named_register(near).map_or(Value::Word(near), Value::Reg);
                None
            }
        };
        if let Some(args) = argument {
            other.set_first_term(args, Term::Word(near));
        }
        let problem = self.target.and_then(|target| isa::assemble(target, &other).err());
        let is_here = |place| matches!(place, isa::Place::Operand(at) if usize::from(at) == index);
        if problem.as_ref().is_some_and(|problem| is_here(problem.place)) {
            return;
        }
        let is_instruction = self.target.is_some() && problem.is_none();
        let Some(found) = self.last_finding() else { return };
        // The one that is likely meant in place of all.
        if let Some(list) = found.message.find("; expected one of ") {
            found.message.truncate(list);
        }
        found.message.push_str(&format!("; did you mean `{near}`?"));
        if is_instruction {
            let start = range.start() + TextSize::new(at as u32);
            let edit = TextEdit::new(TextRange::at(start, TextSize::of(word)), near);
            let title = format!("Replace with `{near}`");
            match names_same_sizes(word, near) {
                true => found.set_fix(title, vec![edit]),
                false => found.set_guess(title, vec![edit]),
            }
        }
    }

    /// Suggests the tuple of the right size that keeps the first or the last register, where just one of these fits.
    fn resize_tuple(
        &mut self,
        c: &Cursor<'_>,
        (line, index): (&Line<'_>, usize),
        reg: isa::Reg,
        range: TextRange,
    ) {
        let (Some(target), Some((prefix, _))) = (self.target, c.slice(range).split_once('[')) else { return };
        let (first, last) = (i64::from(reg.index), i64::from(reg.index) + i64::from(reg.dwords) - 1);
        let sizes = TUPLES.iter().filter(|size| **size != i64::from(reg.dwords));
        let tuples = sizes.flat_map(|size| [(first, first + size - 1), (last - size + 1, last)]);
        let mut fitting = tuples.filter(|(low, high)| {
            let Some(Ok(resized)) = isa::register_range(prefix, *low, *high, reg.half) else { return false };
            let mut other = line.clone();
            if let Some(operand) = other.operands.get_mut(index) {
                operand.value = Value::Reg(resized);
            }
            isa::assemble(target, &other).is_ok()
        });
        let (Some((low, high)), None) = (fitting.next(), fitting.next()) else { return };
        let text = format!("{prefix}[{low}:{high}]");
        if let Some(found) = self.last_finding() {
            found.message.push_str(&format!("; did you mean `{text}`?"));
            let (title, edits) = (format!("Replace with `{text}`"), vec![TextEdit::new(range, text)]);
            // Vector tuples may start anywhere on most processors.
            match reg.file {
                isa::RegFile::Sgpr | isa::RegFile::Ttmp => found.set_fix(title, edits),
                _ => found.set_guess(title, edits),
            }
        }
    }
}

/// Registers of a tuple.
const TUPLES: [i64; 13] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 32];

/// Mnemonics like a word, with its encoding suffix; or the word with a suffix like its own.
fn similar(target: isa::Target, word: &str) -> Vec<String> {
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
    nearest(base, target.spellings().iter().copied())
        .into_iter()
        .filter(|known| !isa::differ_in_type(base, known))
        .map(|name| format!("{name}{suffix}"))
        .collect()
}

/// Suffixes that ask for an encoding.
const SUFFIXES: [&str; 4] = ["_e32", "_e64", "_dpp", "_sdwa"];

fn slots(target: isa::Target, line: &Line<'_>) -> impl Iterator<Item = isa::Slot> {
    isa::templates(target, line.mnemonic).into_iter().flat_map(|template| template.slots)
}

/// The modifiers of an instruction.
fn modifiers(target: isa::Target, line: &Line<'_>) -> Vec<&'static str> {
    let mut known = isa::cache_policies(target, line.mnemonic);
    known.iter_mut().for_each(|word| *word = word.trim_end_matches(':'));
    known.extend(slots(target, line).filter_map(|slot| match slot.takes {
        Takes::Word(word) | Takes::Flag(word) | Takes::Named { name: word, .. } => {
            Some(word.trim_end_matches(':'))
        }
        _ => None,
    }));
    known.extend(isa::dpp_controls(target));
    known
}

/// Words that can be operands of an instruction.
fn words(target: isa::Target, line: &Line<'_>) -> Vec<String> {
    let mut known: Vec<String> = isa::special_registers().map(str::to_owned).collect();
    for slot in slots(target, line) {
        match slot.takes {
            Takes::Word(word) => known.push(word.to_owned()),
            Takes::ExportTarget => known.extend(isa::export_targets(target)),
            Takes::Attribute => {
                let channels = |n: u32| ['x', 'y', 'z', 'w'].map(|channel| format!("attr{n}.{channel}"));
                known.extend((0..=MAX_ATTRIBUTE).flat_map(channels));
            }
            _ => {}
        }
    }
    known
}

/// The last attribute of interpolation.
const MAX_ATTRIBUTE: u32 = 32;

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn misspelled_instructions_get_a_suggestion() {
        check(
            "gfx942",
            "v_add_f3 v0, v1, v2\nv_nothing_like_it v0\nv_ceil_f6 v0, v1\nv_ceil_f6 v0, v[1:2]\n",
            expect![[r#"
                1: unknown-instruction: unknown instruction `v_add_f3`; did you mean `v_add_f32`?
                2: unknown-instruction: unknown instruction `v_nothing_like_it`
                3: unknown-instruction: unknown instruction `v_ceil_f6`; did you mean `v_ceil_f16`?
                4: unknown-instruction: unknown instruction `v_ceil_f6`; did you mean `v_ceil_f16` or `v_ceil_f64`?
            "#]],
        );
        // Names of another generation that the assembler accepts.
        check(
            "gfx1200",
            "v_amx_f64 v[0:1], v[2:3], v[4:5]\n",
            expect![[r#"
            1: unknown-instruction: unknown instruction `v_amx_f64`; did you mean `v_max_f64`?
        "#]],
        );
    }

    #[test]
    fn misspelt_words_get_a_suggestion() {
        check(
            "gfx900",
            "s_waitcnt vmct(0)\ns_mulk_i32 vcc__hi, 1\ns_getreg_b32 s0, hwreg(HW_REG_MDOE)\n\
             v_interp_p2_f32 v0, v1, atr0.x\nv_interp_mov_f32 v0, p13, attr0.x\nexp mrtt0 v0, v0, v0, v0\n\
             .siez foo, 8\n.reloc 0, R_AMDPGU_REL32_LO, .data\n.long x@rel2\n\
             .amdhsa_kernel k\n.amdhsa_next_fre_sgpr 8\n.end_amdhsa_kernel\n",
            expect![[r#"
                1: invalid-operand: unknown counter `vmct` of s_waitcnt; did you mean `vmcnt`?
                2: invalid-operand: `s_mulk_i32`: expected a single scalar register, found `vcc__hi`; did you mean `vcc_hi`?
                3: invalid-operand: unknown hardware register `HW_REG_MDOE`; did you mean `HW_REG_MODE`?
                4: invalid-operand: `v_interp_p2_f32`: expected an attribute such as attr0.x, found `atr0.x`; did you mean `attr0.x`?
                5: invalid-operand: `v_interp_mov_f32`: expected p0, p10 or p20, found `p13`
                6: invalid-operand: `exp`: expected an export target such as mrt0, found `mrtt0`; did you mean `mrt0`?
                7: unknown-directive: unknown directive `.siez`; did you mean `.size`?
                8: directive-argument: unknown relocation `R_AMDPGU_REL32_LO`; did you mean `R_AMDGPU_REL32_LO`?
                9: expression: unknown relocation `rel2`
                11: kernel-descriptor: unknown directive `.amdhsa_next_fre_sgpr`; did you mean `.amdhsa_next_free_sgpr`?
            "#]],
        );
    }

    fn fixed(target: &str, text: &str) -> String {
        let options = wavelens_base::Options { target: Some(target.into()), ..Default::default() };
        let found = wavelens_check::check_text(wavelens_base::Dialect::Amdgpu, text, &options);
        let mut new = text.to_owned();
        for fix in found.into_iter().filter_map(|f| f.fix).filter(|f| f.certain) {
            for edit in fix.edits {
                new.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
            }
        }
        new
    }

    #[test]
    fn what_has_one_meaning_has_a_certain_fix() {
        for (target, text, expected) in [
            ("gfx942", "v_ad_f32 v0, v1, v2", "v_add_f32 v0, v1, v2"),
            ("gfx900", "v_suubrev_u32_e32 v1, s1, v3", "v_subrev_u32_e32 v1, s1, v3"),
            // Another size or type is never certain.
            ("gfx942", "v_add_f3 v0, v1, v2", "v_add_f3 v0, v1, v2"),
            ("gfx942", "v_ceil_f6 v[0:1], v[2:3]", "v_ceil_f6 v[0:1], v[2:3]"),
            ("gfx900", "v_subrev_u32_e23 v1, s1, v3", "v_subrev_u32_e23 v1, s1, v3"),
            (
                "gfx950",
                "v_cvt_scalef32_sr_fp4_f32 v10, v1, v2, v3",
                "v_cvt_scalef32_sr_fp4_f32 v10, v1, v2, v3",
            ),
            ("gfx950", "global_load_dwordx5 v[0:3], v[4:5], off", "global_load_dwordx5 v[0:3], v[4:5], off"),
            ("gfx1100", "s_loda_dword s5, s[2:3], s101", "s_load_dword s5, s[2:3], s101"),
            ("gfx942", "ds_load_b32 v0, v1", "ds_read_b32 v0, v1"),
            (
                "gfx942",
                "global_load_dword v0, v[2:3], off ofset:4",
                "global_load_dword v0, v[2:3], off offset:4",
            ),
            ("gfx942", "s_wait_loadcnt 0x0", "s_wait_loadcnt 0x0"),
            // Three operands too few for the name with a carry.
            ("gfx942", "v_add_co_ci_u32 v0, v1, v2", "v_add_co_ci_u32 v0, v1, v2"),
            ("gfx900", "s_waitcnt vmct(0)", "s_waitcnt vmcnt(0)"),
            (
                "gfx900",
                "s_getreg_b32 s0, hwreg(HW_REG_MDOE, 0, 8)",
                "s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8)",
            ),
            ("gfx900", "s_sendmsg sendmsg(MSG_INTERUPT)", "s_sendmsg sendmsg(MSG_INTERRUPT)"),
            ("gfx1030", "s_waitcnt_depctr depct_rsa_sdst(0)", "s_waitcnt_depctr depctr_sa_sdst(0)"),
            ("gfx900", "s_mulk_i32 vcc__hi, 1", "s_mulk_i32 vcc_hi, 1"),
            ("gfx900", "v_interp_p2_f32 v0, v1, atr0.x", "v_interp_p2_f32 v0, v1, attr0.x"),
            // Scalar tuples start at multiples of their size.
            ("gfx900", "s_mov_b64 s[4:4], 0", "s_mov_b64 s[4:5], 0"),
            ("gfx900", "s_load_dwordx4 s[7:7], s[0:1], 0", "s_load_dwordx4 s[4:7], s[0:1], 0"),
            ("gfx900", "v_add_f64 v[0:1], v[2:4], v[6:7]", "v_add_f64 v[0:1], v[2:4], v[6:7]"),
            ("gfx90a", "v_add_f64 v[0:1], v[2:4], v[6:7]", "v_add_f64 v[0:1], v[2:4], v[6:7]"),
            ("gfx900", ".siez foo, 8", ".size foo, 8"),
            ("gfx900", ".cfi_startproc\n.cfi_endporc", ".cfi_startproc\n.cfi_endproc"),
            ("gfx900", "loop:\ns_branch lopo", "loop:\ns_branch loop"),
            ("gfx900", "loop_1:\ns_branch loop_2", "loop_1:\ns_branch loop_2"),
            ("gfx900", "exp mrt0 v0, v0, v0, v0 dnoe", "exp mrt0 v0, v0, v0, v0 done"),
            ("gfx900", "v_mov_b32_sdwa v0, v1 src0_sel:WODR_1", "v_mov_b32_sdwa v0, v1 src0_sel:WORD_1"),
            ("gfx900", ".macro LOAD\n.endm\nLAOD", ".macro LOAD\n.endm\nLOAD"),
            ("gfx900", ".long foo@gotpcrl", ".long foo@gotpcrel"),
        ] {
            assert_eq!(fixed(target, text), expected, "{target}: {text}");
        }
    }

    #[test]
    fn misspelt_keys_of_metadata_have_a_certain_fix() {
        let with = |key: &str| {
            format!(".amdgpu_metadata\n---\namdhsa.version: [ 1, 2 ]\n{key}: []\n...\n.end_amdgpu_metadata\n")
        };
        assert_eq!(fixed("gfx900", &with("amdhsa.kernel")), with("amdhsa.kernels"));
    }
}
