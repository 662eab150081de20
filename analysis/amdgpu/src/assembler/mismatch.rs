//! Why no instruction of the processor fits a line: the rules about instructions, and their reports.

use wavelens_isa::{self as isa, ErrorKind, Line, MatchError};
use wavelens_syntax::wording;

use super::cursor::Cursor;
use crate::assembler::{Assembler, Parsed};
use wavelens_base::configuration::ASSEMBLER_TARGET;
use wavelens_base::{Rule, TextEdit, TextRange};

wavelens_syntax::rules! {
    NO_PROCESSOR {
        code: "no-processor",
        severity: wavelens_base::Severity::Info,
        title: "a file, the command line or a setting must name the processor",
        explain: "Without a processor, only instructions that exist on no processor are reported. A file names it with `.amdgcn_target` \
or in a RUN line; the command line with `--mcpu`; a project in `wavelens.toml`; an editor with the setting `wavelens.target`.",
        example: "v_mov_b32_e32 v0, v1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32_e32 v0, v1\n",
        source: "LLVM uses a generic processor of gfx6 where `llvm-mc` is given none",
    }
    UNKNOWN_INSTRUCTION {
        code: "unknown-instruction",
        severity: wavelens_base::Severity::Error,
        title: "an instruction must exist on some AMDGPU processor, or be a macro that is already defined",
        explain: "The word at the start of a statement is neither an instruction of any processor nor a macro. A macro must be defined \
above its first use.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_ad_f32 v0, v1, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add_f32 v0, v1, v2\n",
        source: "LLVM AMDGPUAsmParser: \"invalid instruction\"",
    }
    WRONG_TARGET {
        code: "instruction-not-on-target",
        severity: wavelens_base::Severity::Error,
        title: "an instruction must be supported by the processor that the file is assembled for",
        explain: "Each generation adds and removes instructions. The processor comes from the command line, the settings or \
`.amdgcn_target`.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_wait_loadcnt 0x0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_waitcnt vmcnt(0)\n",
        source: "LLVM AMDGPUAsmParser: \"instruction not supported on this GPU\"",
    }
    WRONG_ENCODING {
        code: "encoding-not-on-target",
        severity: wavelens_base::Severity::Error,
        title: "a mnemonic suffix must name an encoding that the instruction has on the processor",
        explain: "The suffixes `_e32`, `_e64`, `_dpp` and `_sdwa` ask for one encoding. Without a suffix the assembler takes the shortest \
one that fits.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32_e32 v0, v1, v2, v3\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, v1, v2, v3\n",
        source: "LLVM AMDGPUAsmParser: \"e32 variant of this instruction is not supported\"",
    }
    INVALID_OPERAND {
        code: "invalid-operand",
        severity: wavelens_base::Severity::Error,
        title: "an operand must be of the kind that the instruction expects at its place",
        explain: "The register is in the wrong register file, the tuple has the wrong size, or a constant is written where only a \
register is possible.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 s0, v1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v0, v1\n",
        source: "LLVM AMDGPUAsmParser: \"invalid operand for instruction\"",
    }
    OPERAND_COUNT {
        code: "operand-count",
        severity: wavelens_base::Severity::Error,
        title: "an instruction must have as many operands as its encoding",
        explain: "An operand is missing, or there are more operands than the instruction has.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v0, v1\n",
        source: "LLVM AMDGPUAsmParser: \"too few operands for instruction\"",
    }
    NO_SUCH_REGISTER {
        code: "no-such-register",
        severity: wavelens_base::Severity::Error,
        title: "a register must exist on the processor",
        explain: "Register files differ in size between generations, and some named registers exist only on some processors.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v256, v0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v255, v0\n",
        source: "LLVM AMDGPUAsmParser: \"register index is out of range\", \"register not available on this GPU\"",
    }
    REGISTER_ALIGNMENT {
        code: "register-alignment",
        severity: wavelens_base::Severity::Error,
        title: "a register tuple must start at a register of the right alignment",
        explain: "Scalar pairs start at even registers, larger scalar tuples at multiples of 4, and vector tuples at even registers on \
gfx90a, gfx942 and gfx950.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_mov_b64 s[1:2], 0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_mov_b64 s[2:3], 0\n",
        source: "LLVM AMDGPUAsmParser: \"invalid register alignment\"",
    }
    OPERAND_RANGE {
        code: "operand-out-of-range",
        severity: wavelens_base::Severity::Error,
        title: "a number must fit into its field of the encoding",
        explain: "Offsets, counters and masks have a few bits each; how many depends on the instruction and the generation.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nds_read_b32 v0, v1 offset:70000\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nds_read_b32 v0, v1 offset:65532\n",
        source: "LLVM AMDGPUAsmParser: \"expected a 16-bit unsigned offset\"",
    }
    INVALID_MODIFIER {
        code: "invalid-modifier",
        severity: wavelens_base::Severity::Error,
        title: "a modifier must belong to the instruction, and be written once",
        explain: "The instruction does not have this modifier on this processor, has it twice, or does not take the value.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add_f32 v0, v1, v2 offset:4\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add_f32 v0, v1, v2 clamp\n",
        source: "LLVM AMDGPUAsmParser: \"invalid operand for instruction\", \"not a valid operand\"",
    }
    LITERAL {
        code: "literal-not-allowed",
        severity: wavelens_base::Severity::Error,
        title: "a literal constant needs an encoding with room for it",
        explain: "A 32-bit literal takes a dword after the instruction. Some encodings have no room for it, and none has room for two \
different ones. Inline constants (-16 to 64, 0.5, 1.0, 2.0, 4.0 and their negatives) can always be used.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, 0x12345, v1, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, 64, v1, v2\n",
        source: "LLVM AMDGPUAsmParser: \"literal operands are not supported\", \"only one unique literal operand is allowed\"",
    }
    CONSTANT_BUS {
        code: "constant-bus-limit",
        severity: wavelens_base::Severity::Error,
        title: "a vector instruction must not read more scalar values than the constant bus carries",
        explain: "A vector instruction reads one scalar value before gfx10, and two from gfx10 on. Scalar registers, literals and `vcc` \
count; the same register counts once.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, s0, s1, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_add3_u32 v0, s0, s0, v2\n",
        source: "LLVM AMDGPUAsmParser::validateConstantBusLimitations: \"invalid operand (violates constant bus restrictions)\"",
    }
    OPERAND_CONFLICT {
        code: "operand-conflict",
        severity: wavelens_base::Severity::Error,
        title: "operands that must be equal or disjoint must be so",
        explain: "Some instructions take a register twice, and some write their result before they have read all sources: there, the \
operands must be the same registers or share none.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\nv_mfma_f32_16x16x1f32 a[2:17], v0, v1, a[0:15]\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\nv_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]\n",
        source: "LLVM AMDGPUAsmParser::validateMFMA: \"source 2 operand must not partially overlap with dst\"",
    }
}

/// The processor that is asked whether a mnemonic exists on any.
const ANY_PROCESSOR: &str = "gfx1100";

const NO_PROCESSOR_MESSAGE: &str = "missing processor: operands and encodings are not checked; write \
    `.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"`, use `--mcpu gfx1100`, or set a target in the editor or in wavelens.toml";

impl Assembler<'_> {
    /// Nothing names a processor that is known: only what exists on none of them is wrong.
    pub(super) fn without_processor(&mut self, c: &Cursor<'_>, mnemonic: &str, range: TextRange) {
        let is_named = self.configuration().as_ref().is_none_or(|c| c.processor.is_some());
        let is_first = self.scope.is_none_or(|(_, order)| order == 0);
        if is_first && !is_named && !std::mem::replace(&mut self.no_processor, true) {
            self.error(c, &NO_PROCESSOR, range, NO_PROCESSOR_MESSAGE);
        }
        let mut line = Line::default();
        line.clear(mnemonic);
        let error = isa::Target::named(ANY_PROCESSOR).and_then(|any| isa::assemble(any, &line).err());
        if let Some(error) = error.filter(|e| e.kind == ErrorKind::UnknownMnemonic && !self.open) {
            self.mismatch(c, &error, range, (range, &[]), &line);
        }
    }

    /// After a malformed operand: replaces that report if the instruction itself does not exist.
    pub(super) fn blame_mnemonic(
        &mut self,
        c: &mut Cursor<'_>,
        target: isa::Target,
        mnemonic: &str,
        range: TextRange,
    ) -> Parsed<()> {
        let mut line = Line::default();
        line.clear(mnemonic);
        if let Err(error) = isa::assemble(target, &line)
            && matches!(error.kind, ErrorKind::UnknownMnemonic | ErrorKind::WrongTarget)
        {
            self.diagnostics.pop();
            if error.kind == ErrorKind::WrongTarget || !self.open {
                self.mismatch(c, &error, range, (range, &[]), &line);
            }
        }
        c.skip_line();
        Ok(())
    }

    /// Whether the first operand is `vcc` or `exec` of the other size of waves.
    fn is_other_mask(&self, c: &Cursor<'_>, operands: &[TextRange]) -> bool {
        let first = operands.first().map(|range| c.slice(*range));
        first.zip(self.target).is_some_and(|(word, target)| own_mask(target, word).is_some())
    }

    /// Reports `vcc` or `exec` of the other size of waves, if the line is an instruction with that of its own.
    fn wrong_mask(&mut self, c: &Cursor<'_>, operands: &[TextRange], line: &Line<'_>) -> bool {
        let Some(target) = self.target else { return false };
        let own =
            |(index, range): (usize, &TextRange)| Some((index, *range, own_mask(target, c.slice(*range))?));
        let masks: Vec<_> = operands.iter().enumerate().filter_map(own).collect();
        let fits = |masks: &&[(usize, TextRange, &'static str)]| {
            let mut other = line.clone();
            for (index, _, right) in *masks {
                if let (Some(operand), Some(register)) =
                    (other.operands.get_mut(*index), isa::named_register(right))
                {
                    operand.value = isa::Value::Reg(register);
                }
            }
            !masks.is_empty() && isa::assemble(target, &other).is_ok()
        };
        // One of them, or all.
        let Some(wrong) = masks.chunks(1).chain([&masks[..]]).find(fits) else { return false };
        let Some((_, range, right)) = wrong.first().copied() else { return false };
        self.error(c, &INVALID_OPERAND, range, expected_mask(target, right, c.slice(range)));
        if let Some(found) = self.last_finding() {
            let edits = wrong.iter().map(|(_, range, right)| TextEdit::new(*range, *right)).collect();
            found.set_fix(format!("Replace with `{right}`"), edits);
        }
        true
    }

    pub(super) fn mismatch(
        &mut self,
        c: &Cursor<'_>,
        error: &MatchError,
        mnemonic: TextRange,
        (whole, operands): (TextRange, &[TextRange]),
        line: &Line<'_>,
    ) {
        let is_operand = matches!(error.kind, ErrorKind::InvalidOperand | ErrorKind::ExtraOperand);
        if is_operand && self.expansions.is_empty() && self.wrong_mask(c, operands, line) {
            return;
        }
        let range = match error.place {
            // The wide mask of a compare is read as a source, so that its last operand is one too many.
            isa::Place::Operand(_)
                if error.kind == ErrorKind::ExtraOperand && self.is_other_mask(c, operands) =>
            {
                operands.first().copied().unwrap_or(whole)
            }
            isa::Place::Mnemonic => mnemonic,
            isa::Place::Operand(index) => operands.get(usize::from(index)).copied().unwrap_or(whole),
            isa::Place::End => mnemonic,
        };
        let word = c.slice(range);
        let near = self.near_mnemonics(error.kind, word, line);
        let is_assumed = self.target.is_some_and(|target| target.name() == ASSEMBLER_TARGET);
        let ignored = match error.kind {
            ErrorKind::WrongTarget | ErrorKind::WrongEncoding if is_assumed => self.configuration(),
            _ => None,
        };
        let ignored = ignored.as_ref().and_then(|configuration| configuration.ignored_processor());
        let message = match (error.kind, self.target) {
            (ErrorKind::WrongTarget | ErrorKind::WrongEncoding, Some(target))
                if let Some(ignored) = ignored =>
            {
                let message = match error.kind {
                    ErrorKind::WrongTarget => wording::not_supported(word, target),
                    _ => error.message.clone(),
                };
                format!("{message}, which LLVM assumes because it does not know {ignored}")
            }
            (ErrorKind::WrongTarget, Some(target)) if !error.targets.is_empty() => {
                not_supported(target, word, error)
            }
            (ErrorKind::UnknownMnemonic, _) if !near.is_empty() => {
                format!("unknown instruction `{word}`; did you mean {}?", wording::one_of(&near))
            }
            (ErrorKind::ExtraOperand, Some(target)) if let Some(right) = own_mask(target, word) => {
                expected_mask(target, right, word)
            }
            (ErrorKind::InvalidOperand, Some(target)) if let Some(right) = narrow_mask(target, word) => {
                expected_mask(target, right, word)
            }
            (ErrorKind::ExtraOperand, _) if is_after_float(error.place, word, line) => {
                "a floating-point number must not be part of an expression".to_owned()
            }
            // The text of an expression is known here only.
            _ if word.len() <= MAX_QUOTED => {
                as_written(error.message.replacen("this expression", &format!("`{word}`"), 1), word)
            }
            _ => error.message.clone(),
        };
        let other_wave =
            self.target.filter(|_| is_operand && !message.contains(" in wave")).and_then(other_wave_size);
        if let (Some(target), Some(other)) = (self.target, other_wave)
            && isa::assemble(other, line).is_ok()
        {
            let message = if message.contains(" lanes here") { message } else { for_waves(target, &message) };
            self.error(c, rule_of(error.kind), range, message);
            return;
        }
        self.error(c, rule_of(error.kind), range, message);
        // Suggestions for the processor that LLVM assumes do not help.
        if !self.expansions.is_empty() || ignored.is_some() {
            return;
        }
        match error.place {
            isa::Place::Mnemonic => self.fix_mnemonic(error.kind, &near, word, range, line),
            isa::Place::Operand(index) => self.fix_operand(c, error.kind, usize::from(index), range, line),
            isa::Place::End => {}
        }
    }
}

/// A message that ends with a number, which is shown as the text writes it where that is another number: in hexadecimal, or too large
/// for the assembler's numbers.
fn as_written(message: String, word: &str) -> String {
    let written = word.rsplit(':').next().unwrap_or(word);
    let digits = written.strip_prefix('-').unwrap_or(written);
    let is_number =
        digits.bytes().all(|b| b.is_ascii_alphanumeric()) && digits.starts_with(|c: char| c.is_ascii_digit());
    let is_hexadecimal = digits.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    for verb in [", is ", ", found "] {
        match message.rsplit_once(verb) {
            Some((start, shown))
                if is_number
                    && shown.parse::<i64>().is_ok()
                    && (is_hexadecimal || shown.starts_with('-') && digits == written) =>
            {
                return format!("{start}{verb}{written}");
            }
            _ => {}
        }
    }
    message
}

/// A message whose cause is the number of lanes of a wave.
fn for_waves(target: isa::Target, message: &str) -> String {
    format!("{message}, because waves of {target} have {} lanes here", target.wave_size().lanes())
}

/// The same processor with waves of the other size, if it has both.
fn other_wave_size(target: isa::Target) -> Option<isa::Target> {
    let other = match target.wave_size() {
        isa::WaveSize::W32 => isa::WaveSize::W64,
        isa::WaveSize::W64 => isa::WaveSize::W32,
    };
    target.with_wave_size(other)
}

/// Whether a text goes on with an expression that a floating-point number began: `+ 1.0`.
fn is_after_float(place: isa::Place, text: &str, line: &Line<'_>) -> bool {
    let isa::Place::Operand(index) = place else { return false };
    let before = usize::from(index).checked_sub(1).and_then(|before| line.operands.get(before));
    before.is_some_and(|before| matches!(before.value, isa::Value::Float(_)))
        && text.starts_with(['+', '-', '*', '/'])
}

/// An instruction of another generation: what replaces it, and which processors have it.
fn not_supported(target: isa::Target, word: &str, error: &MatchError) -> String {
    let message = wording::not_supported(word, target);
    if let Some(successor) = successor(target, &word.to_ascii_lowercase()) {
        return format!("{message}; use `{successor}`");
    }
    match error.targets.as_slice() {
        [] => message,
        targets => format!("{message}; it is supported on {}", generations(targets)),
    }
}

/// Processors by generation, `gfx8, gfx9 and gfx1030`: a generation whose processors are all in the list is named once. Second
/// names of a processor and generic processors are omitted if other names remain.
fn generations(targets: &[&'static str]) -> String {
    let is_plain = |name: &&str| name.starts_with("gfx") && !name.contains('-');
    let plain = isa::Target::names().filter(is_plain);
    let all: Vec<(&str, u8)> = plain.filter_map(|n| Some((n, isa::Target::named(n)?.major()))).collect();
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

/// Bytes of an expression that a message quotes.
const MAX_QUOTED: usize = 40;

/// As many generations or processors are named in full.
const MAX_GENERATIONS: usize = 6;

/// Names of one operation in several generations.
const RENAMED: &[&[&str]] = &[
    &["v_add_nc_u32", "v_add_u32"],
    &["v_sub_nc_u32", "v_sub_u32"],
    &["v_subrev_nc_u32", "v_subrev_u32"],
    // With carry-out.
    &["v_add_co_u32", "v_add_i32"],
    &["v_sub_co_u32", "v_sub_i32"],
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
pub fn successor(target: isa::Target, name: &str) -> Option<String> {
    let exists = |candidate: &str| {
        let mut line = Line::default();
        line.clear(candidate);
        let missing = [ErrorKind::UnknownMnemonic, ErrorKind::WrongTarget, ErrorKind::WrongEncoding];
        // gfx8's additions write a carry-out under the names that do not on later processors.
        let carry = target.major() == 8 && matches!(candidate, "v_add_u32" | "v_sub_u32" | "v_subrev_u32");
        !carry && isa::assemble(target, &line).err().is_none_or(|e| !missing.contains(&e.kind))
    };
    let (base, suffix) = ["_e32", "_e64_dpp", "_e64", "_dpp", "_sdwa"]
        .iter()
        .find_map(|suffix| Some((name.strip_suffix(suffix)?, *suffix)))
        .unwrap_or((name, ""));
    let family = RENAMED.iter().find(|family| family.contains(&base)).copied().unwrap_or(&[]);
    let listed = family.iter().filter(|n| **n != base).map(|n| format!("{n}{suffix}"));
    let parts = RENAMED_PARTS.iter().flat_map(|(old, new)| [(old, new), (new, old)]);
    let replaced =
        parts.filter(|(from, _)| name.contains(**from)).map(|(from, to)| name.replacen(from, to, 1));
    listed.chain(replaced).find(|candidate| exists(candidate))
}

/// Lane masks of waves of 32 lanes, and of 64.
const MASKS: [(&str, &str); 2] = [("vcc_lo", "vcc"), ("exec_lo", "exec")];

/// The mask of the processor's size of waves, where `word` is that of the other size.
fn own_mask(target: isa::Target, word: &str) -> Option<&'static str> {
    MASKS.iter().find_map(|&(narrow, wide)| match target.wave_size() {
        isa::WaveSize::W32 => (word == wide).then_some(narrow),
        isa::WaveSize::W64 => (word == narrow).then_some(wide),
    })
}

/// The mask of 32 lanes, where `word` is that of 64 and waves have 32. The other way round is not always wrong: half of a wide mask
/// is a scalar register as any other.
fn narrow_mask(target: isa::Target, word: &str) -> Option<&'static str> {
    own_mask(target, word).filter(|_| target.wave_size() == isa::WaveSize::W32)
}

fn expected_mask(target: isa::Target, right: &str, word: &str) -> String {
    let message = wording::expected(format!("`{right}`"), format!("`{word}`"));
    for_waves(target, &message)
}

fn rule_of(kind: ErrorKind) -> &'static Rule {
    match kind {
        ErrorKind::UnknownMnemonic => &UNKNOWN_INSTRUCTION,
        ErrorKind::WrongTarget => &WRONG_TARGET,
        ErrorKind::WrongEncoding => &WRONG_ENCODING,
        ErrorKind::MissingOperand | ErrorKind::ExtraOperand => &OPERAND_COUNT,
        ErrorKind::InvalidOperand => &INVALID_OPERAND,
        ErrorKind::NoSuchRegister => &NO_SUCH_REGISTER,
        ErrorKind::Alignment => &REGISTER_ALIGNMENT,
        ErrorKind::OutOfRange => &OPERAND_RANGE,
        ErrorKind::InvalidModifier => &INVALID_MODIFIER,
        ErrorKind::Literal => &LITERAL,
        ErrorKind::ConstantBus => &CONSTANT_BUS,
        ErrorKind::Conflict => &OPERAND_CONFLICT,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn instructions_of_other_generations_name_their_successors() {
        check(
            "gfx942",
            "s_wait_loadcnt 0x0\nglobal_load_b128 v[0:3], v4, s[0:1]\nv_add_nc_u32 v0, v1, v2\nds_load_2addr_b32 v[0:1], v2\n",
            expect![[r#"
                1: instruction-not-on-target: `s_wait_loadcnt` is not supported on gfx942; use `s_waitcnt`
                2: instruction-not-on-target: `global_load_b128` is not supported on gfx942; use `global_load_dwordx4`
                3: instruction-not-on-target: `v_add_nc_u32` is not supported on gfx942; use `v_add_u32`
                4: instruction-not-on-target: `ds_load_2addr_b32` is not supported on gfx942; use `ds_read2_b32`
            "#]],
        );
        check(
            "gfx1200",
            "v_addc_u32 v0, vcc, v1, v2, vcc\ns_waitcnt_vscnt null, 0x0\n",
            expect![[r#"
            1: instruction-not-on-target: `v_addc_u32` is not supported on gfx1200; use `v_add_co_ci_u32`
            2: instruction-not-on-target: `s_waitcnt_vscnt` is not supported on gfx1200; use `s_wait_storecnt`
        "#]],
        );
        check(
            "gfx803",
            "v_add_nc_u32 v0, v1, v2\n",
            expect![[r#"
                1: instruction-not-on-target: `v_add_nc_u32` is not supported on gfx803; it is supported on gfx10, gfx11, gfx12 and gfx13
            "#]],
        );
    }

    #[test]
    fn masks_have_the_size_of_a_wave() {
        check(
            "gfx1100",
            "v_cmp_lt_f32 vcc, v0, v1\n",
            expect![[r#"
                1: invalid-operand: expected `vcc_lo`, found `vcc`, because waves of gfx1100 have 32 lanes here
            "#]],
        );
        check(
            "gfx900",
            "v_subb_co_u32 v5, vcc_lo, v1, v2, vcc_lo\nv_subb_co_u32 v5, vcc, v1, v2, vcc_lo\n",
            expect![[r#"
                1: invalid-operand: expected `vcc`, found `vcc_lo`, because waves of gfx900 have 64 lanes here
                2: invalid-operand: expected `vcc`, found `vcc_lo`, because waves of gfx900 have 64 lanes here
            "#]],
        );
    }
}
