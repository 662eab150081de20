//! Text to instructions, as the reference assembler reads it (SPIRV-Tools, source/text.cpp), but all errors and not the first.

mod injected;
mod operands;
pub(crate) mod rules;

use std::sync::Arc;

use smol_str::SmolStr;
use thin_vec::ThinVec;
use wavelens_syntax::machine::Words;
use wavelens_syntax::spirv::tables::{Kind, Op, Operand};
use wavelens_syntax::spirv::{SYNTAX_ERROR, SpirvKind, words};
use wavelens_syntax::wording;

use super::flat::{BROKEN, Flat, FlatInst, FlatOperand, Form, Interner, NONE, Names, OPEN_STRING, RAW};
use super::literal::{self};
use wavelens_base::configuration::Stated;
use wavelens_base::lazy_box::LazyBox;
use wavelens_base::{Diagnostic, Dialect, Place, Rule, TextRange, TextSize};

/// A lowered chunk: what it says, and where.
#[derive(Debug)]
pub struct Lowered {
    /// The chunk's instructions.
    pub flat: Arc<Flat>,
    /// Byte ranges of [`Flat::insts`].
    pub inst_ranges: ThinVec<TextRange>,
    /// Byte ranges of [`Flat::operands`].
    pub operand_ranges: ThinVec<TextRange>,
    /// What the chunk's comments say.
    pub(crate) stated: LazyBox<Stated>,
    /// Each with the index of the instruction that was read.
    pub(crate) diagnostics: ThinVec<(u32, Diagnostic)>,
    /// Instructions whose injected words are assembled as they are, but make no instruction.
    pub(crate) malformed_injected: ThinVec<(u32, Diagnostic)>,
    /// Where the chunk ends, and the next one's first instruction starts.
    end: TextSize,
}

impl Lowered {
    /// Gives up all ranges: most chunks of a large text have no findings.
    pub fn forget_ranges(&mut self) {
        self.inst_ranges = ThinVec::new();
        self.operand_ranges = ThinVec::new();
    }

    /// Whether the ranges are there.
    pub fn has_ranges(&self) -> bool {
        self.inst_ranges.len() == self.flat.insts.len()
    }

    /// Where an instruction starts; the chunk's end for one past the last.
    pub(crate) fn start(&self, inst: u32) -> TextRange {
        TextRange::empty(self.inst_ranges.get(inst as usize).map_or(self.end, |range| range.start()))
    }

    /// The result id of an instruction.
    pub(crate) fn result_range(&self, inst: u32) -> Option<TextRange> {
        let inst = self.flat.insts.get(inst as usize)?;
        let mut operands = (inst.first..inst.first + inst.count).map(|index| index as usize);
        let is_result =
            |index: &usize| self.flat.operands.get(*index).is_some_and(|o| o.kind == Kind::ResultId);
        self.operand_ranges.get(operands.find(is_result)?).copied()
    }
}

/// Lexes and lowers one chunk.
pub fn lower(text: &str) -> Lowered {
    let mut lowering = Lowering::new(text, words(text, 0..text.len()));
    // Only an empty text ends before the first instruction without an error.
    if lowering.at_end() && lowering.at < lowering.words.kinds().len() {
        let message = wording::expected_token("an opcode or a result id", Some(lowering.word()));
        lowering.report(&SYNTAX_ERROR, message);
    }
    while !lowering.at_end() {
        lowering.instruction();
    }
    lowering.report_open_string();
    let Lowering {
        mut flat,
        names,
        mut inst_ranges,
        mut operand_ranges,
        diagnostics,
        malformed_injected,
        ..
    } = lowering;
    flat.names = names.names;
    flat.insts.shrink_to_fit();
    flat.operands.shrink_to_fit();
    flat.names.shrink_to_fit();
    inst_ranges.shrink_to_fit();
    operand_ranges.shrink_to_fit();
    let in_comments = || Stated::in_comments(Dialect::Spirv, text).into();
    let stated = if flat.is_only_function() { LazyBox::default() } else { in_comments() };
    Lowered {
        flat: Arc::new(flat),
        inst_ranges,
        operand_ranges,
        stated,
        diagnostics,
        malformed_injected,
        end: TextSize::of(text),
    }
}

/// The first word of several lines that was not understood: its instruction, and where it starts.
fn open_word(text: &str, diagnostics: &[(u32, Diagnostic)]) -> Option<(u32, TextSize)> {
    let is_open = |range: TextRange| {
        text.get(std::ops::Range::<usize>::from(range))
            .is_some_and(|word| word.contains('\n') && is_one_word(word) && operands::unquote(word).is_none())
    };
    let (index, found) = diagnostics.iter().find(|(_, found)| is_open(found.range))?;
    Some((*index, found.range.start()))
}

/// Whether white space is between quotes only.
fn is_one_word(text: &str) -> bool {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.bytes().all(|byte| {
        is_quoted ^= byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_quoted || !byte.is_ascii_whitespace()
    })
}

/// The first string of several lines, if it or what follows it was not understood.
fn open_string(
    text: &str,
    flat: &Flat,
    operand_ranges: &[TextRange],
    diagnostics: &[(u32, Diagnostic)],
) -> Option<(u32, TextSize)> {
    if diagnostics.is_empty() || !flat.strings.iter().any(|string| string.contains('\n')) {
        return None;
    }
    let is_long = |operand: &FlatOperand| {
        let string = flat.strings.get(operand.value as usize).filter(|_| operand.form == Form::Text);
        string.is_some_and(|string| string.contains('\n'))
    };
    let operand = flat.operands.iter().position(is_long)?;
    let index = flat.insts.iter().rposition(|inst| inst.first as usize <= operand)? as u32;
    let range = *operand_ranges.get(operand)?;
    // The quote that ends it was to begin another one.
    let is_joined = text.get(range.end().into()..).is_some_and(|rest| !rest.starts_with(char::is_whitespace));
    let is_near = diagnostics.iter().any(|(at, _)| (index..=index + 1).contains(at));
    Some((index, range.start())).filter(|_| is_joined && is_near)
}

/// The first word that was not understood on a line with an odd number of quotes, where instructions below belong to its own: the lines
/// between two quotes are one word.
fn open_line(
    text: &str,
    inst_ranges: &[TextRange],
    diagnostics: &[(u32, Diagnostic)],
) -> Option<(u32, TextSize)> {
    let is_open = |(index, found): &&(u32, Diagnostic)| {
        let next = inst_ranges.get(*index as usize + 1).map_or(text.len(), |range| range.start().into());
        let mut lines = text.get(found.range.start().into()..next).unwrap_or_default().lines();
        let is_odd = lines.next().is_some_and(|line| line.matches('"').count() % 2 == 1);
        is_odd && lines.any(|line| line.trim_start().starts_with("Op"))
    };
    let (index, found) = diagnostics.iter().find(is_open)?;
    Some((*index, found.range.start()))
}

struct Lowering<'t> {
    text: &'t str,
    words: Words<SpirvKind>,
    /// The current word.
    at: usize,
    flat: Flat,
    names: Interner,
    inst_ranges: ThinVec<TextRange>,
    operand_ranges: ThinVec<TextRange>,
    diagnostics: ThinVec<(u32, Diagnostic)>,
    malformed_injected: ThinVec<(u32, Diagnostic)>,
    /// Operands still expected, the next one last.
    pattern: Vec<Operand>,
}

const MISSING_RESULT: &str = "missing result id before `=`";

/// A diagnostic was reported; the rest of the instruction is skipped.
struct Reported;

impl<'t> Lowering<'t> {
    fn new(text: &'t str, words: Words<SpirvKind>) -> Self {
        // Sums of bytes are found for many words at once.
        let few = |words: &[SpirvKind], of| words.iter().map(|kind| u8::from(*kind == of)).sum::<u8>();
        let count = |of| words.kinds().chunks(255).map(|words| usize::from(few(words, of))).sum::<usize>();
        let insts = count(SpirvKind::OPCODE);
        let operands = words.kinds().len().saturating_sub(insts + count(SpirvKind::EQ));
        Lowering {
            text,
            flat: Flat {
                insts: Vec::with_capacity(insts),
                operands: Vec::with_capacity(operands),
                names: Names::default(),
                strings: Vec::new(),
            },
            names: Interner::with_capacity(insts + insts / 4),
            inst_ranges: ThinVec::with_capacity(insts),
            operand_ranges: ThinVec::with_capacity(operands),
            diagnostics: ThinVec::new(),
            malformed_injected: ThinVec::new(),
            at: 0,
            words,
            pattern: Vec::new(),
        }
    }

    /// Where what follows a string of several lines is not understood, its quote is missing: that is one finding, in place of all that
    /// follow.
    fn report_open_string(&mut self) {
        let Lowering { text, flat, inst_ranges, operand_ranges, diagnostics, .. } = self;
        let open = open_word(text, diagnostics)
            .or_else(|| open_string(text, flat, operand_ranges, diagnostics))
            .or_else(|| open_line(text, inst_ranges, diagnostics));
        let Some((index, start)) = open else { return };
        let line =
            text.get(start.into()..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim_end();
        let message = match line.matches('"').count() {
            1 if line.starts_with('"') => format!("the string `{line}` has no closing quote on its line"),
            1 => format!("the quote in `{line}` has no other one on its line"),
            _ => format!("the quotes in `{line}` are not in pairs"),
        };
        diagnostics.retain(|(at, _)| *at < index);
        let range = TextRange::at(start, TextSize::of(line));
        diagnostics.push((index, Diagnostic::new(&rules::INVALID_LITERAL, range, message)));
        if let Some(inst) = flat.insts.get_mut(index as usize) {
            inst.flags |= OPEN_STRING | BROKEN;
        }
    }

    fn word(&self) -> &'t str {
        self.words.text(self.text, self.at)
    }

    fn kind(&self) -> SpirvKind {
        self.words.kind(self.at)
    }

    fn bump(&mut self) {
        self.at += 1;
    }

    fn at_end(&self) -> bool {
        self.kind() == SpirvKind::EOF
    }

    fn report(&mut self, rule: &'static Rule, message: String) -> Reported {
        let range = self.words.range(self.at);
        self.add(Diagnostic::new(rule, range, message));
        Reported
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push((self.flat.insts.len() as u32, diagnostic));
    }

    /// Reports a missing operand after the last word of the instruction, not at the next instruction, where it is noticed.
    fn report_missing(&mut self, message: String) -> Reported {
        let range = self.words.range(self.at.saturating_sub(1));
        let is_same_line = !self.at_end() && self.is_on_line_of(Some(("", range)));
        let next = self.at + 1;
        let equals = self.words.range(next);
        let is_cut = !self.is_one_line(self.words.range(self.at).end(), equals.start());
        if is_same_line && self.words.kind(next) == SpirvKind::EQ && is_cut {
            // The assembler takes the last operand of this line for the result of the next.
            let lost = Diagnostic::new(&SYNTAX_ERROR, equals, MISSING_RESULT);
            self.add(lost.related(self.next_start(), wording::SPIRV_REFERENCE));
            return Reported;
        }
        self.add(match is_same_line {
            // A word was inserted before the instruction, or the end of the line is lost.
            true => {
                let message =
                    format!("{message}, but `{}` starts another instruction on the same line", self.word());
                Diagnostic::new(&rules::MISSING_OPERAND, range, message)
            }
            false => Diagnostic::new(&rules::MISSING_OPERAND, range, message)
                .related(self.next_start(), wording::SPIRV_REFERENCE),
        });
        Reported
    }

    /// Where the current word starts.
    fn next_start(&self) -> Place {
        Place::Here(TextRange::empty(self.words.range(self.at).start()))
    }

    fn push(&mut self, kind: Kind, form: Form, value: u32, range: TextRange) {
        self.flat.operands.push(FlatOperand { kind, form, value });
        self.operand_ranges.push(range);
    }

    fn push_text(&mut self, kind: Kind, text: SmolStr, range: TextRange) {
        self.flat.strings.push(text);
        self.push(kind, Form::Text, self.flat.strings.len() as u32 - 1, range);
    }

    fn instruction(&mut self) {
        let start = self.words.range(self.at).start();
        let first = self.flat.operands.len() as u32;
        let mut inst = FlatInst { op: Op::Nop, flags: 0, first, count: 0, ty: NONE, result: NONE };
        let at = self.at;
        if self.read(&mut inst).is_err() {
            inst.flags |= BROKEN;
            if self.at == at {
                self.bump();
            }
            while !self.at_end() && !self.at_instruction() {
                self.note_capability();
                self.bump();
            }
        }
        inst.count = self.flat.operands.len() as u32 - first;
        let end = self.end_of_last(start);
        if inst.flags & (RAW | BROKEN) == RAW
            && let Err(malformed) = injected::reread(&mut self.flat, &mut inst)
        {
            let whole = TextRange::new(start, end);
            let own = self.operand_ranges.get(first as usize + malformed.operand as usize).copied();
            let diagnostic = Diagnostic::new(malformed.rule, own.unwrap_or(whole), malformed.message);
            self.malformed_injected.push((self.flat.insts.len() as u32, diagnostic));
        }
        if let Some(name) = self.names.names.get_mut(inst.result as usize).filter(|n| n.def == NONE) {
            name.def = self.flat.insts.len() as u32;
        }
        self.flat.insts.push(inst);
        self.inst_ranges.push(TextRange::new(start, end));
    }

    /// Keeps the name of a capability in an instruction that is not understood: nothing else is to be reported for want of it.
    fn note_capability(&mut self) {
        if let Some(capability) = Kind::Capability.named(self.word()) {
            self.push(Kind::Capability, Form::Word, capability.value, self.words.range(self.at));
        }
    }

    /// End of the word before the current one.
    fn end_of_last(&self, start: TextSize) -> TextSize {
        let last = self.at.min(self.words.kinds().len()).checked_sub(1);
        last.map_or(start, |last| self.words.range(last).end().max(start))
    }

    fn read(&mut self, inst: &mut FlatInst) -> Result<(), Reported> {
        if self.kind() == SpirvKind::IMMEDIATE {
            return self.injected(inst);
        }
        let (mut result, mut equals) = (None, None);
        if self.kind() == SpirvKind::ID {
            result = Some((self.word(), self.words.range(self.at)));
            let at = self.at;
            self.bump();
            if self.kind() != SpirvKind::EQ {
                if let Some(unexpected) = self.unexpected_operand(at) {
                    self.add(unexpected.related(self.next_start(), wording::SPIRV_REFERENCE));
                    return Err(Reported);
                }
                // What follows on another line is right.
                let is_cut = !self.at_end() && !self.is_on_line_of(result);
                let word = if is_cut { "" } else { self.word() };
                let word = Some(word).filter(|word| is_cut || !word.is_empty());
                let message = wording::expected_token(&after_result(result.unwrap_or_default().0), word);
                let range = self.words.range(if is_cut { at } else { self.at });
                self.add(Diagnostic::new(&SYNTAX_ERROR, range, message));
                if self.kind() == SpirvKind::OPCODE && self.is_on_line_of(result) {
                    self.define(inst, result);
                    self.bump();
                }
                return Err(Reported);
            }
            equals = Some(self.words.range(self.at));
            self.bump();
        }
        let word = self.word();
        if self.kind() != SpirvKind::OPCODE {
            let expected = if result.is_some() { "an opcode" } else { "an opcode or a result id" };
            // The result is still defined, whatever the opcode was to be.
            self.define(inst, result);
            if result.is_none()
                && let Some(unexpected) = self.unexpected_operand(self.at)
            {
                self.add(unexpected);
                return Err(Reported);
            }
            if let Some(unknown) = rules::opcode_without_prefix(word, self.words.range(self.at)) {
                self.add(unknown);
                return Err(Reported);
            }
            if result.is_none() && self.kind() == SpirvKind::EQ {
                return Err(self.report(&SYNTAX_ERROR, MISSING_RESULT.to_owned()));
            }
            let message = wording::expected_token(expected, Some(word).filter(|word| !word.is_empty()));
            // Unless there is a word on the same line, `=` is the place.
            let found = self.words.range(self.at);
            let equals = equals.filter(|equals| !self.at_end() && !self.is_on_line_of(Some(("", *equals))));
            let missing = Diagnostic::new(&SYNTAX_ERROR, equals.unwrap_or(found), message);
            self.add(match equals {
                Some(_) => missing.related(self.next_start(), wording::SPIRV_REFERENCE),
                None => missing,
            });
            return Err(Reported);
        }
        match result {
            _ if word != "OpUnknown" => {}
            None => return self.unknown(inst),
            Some((id, _)) => {
                self.define(inst, result);
                let message = format!("OpUnknown must not have a result id: `{id}` must be among its words");
                return Err(self.report(&rules::RESULT_ID, message));
            }
        }
        let Some(info) = word.get(2..).and_then(Op::from_name) else {
            self.define(inst, result);
            self.add(rules::unknown_opcode(word, self.words.range(self.at)));
            return Err(Reported);
        };
        inst.op = info.op;
        match (info.has_result, result) {
            // What is before it on its line is what is wrong.
            (true, None) if self.is_reported_on_line() => return Err(Reported),
            (true, None) => {
                return Err(self.report(
                    &rules::RESULT_ID,
                    format!("missing result id: expected `%name = {}`", info.name),
                ));
            }
            // Without the opcode between, what is on the next line seems to have a result.
            (false, Some(_)) if equals.is_some_and(|equals| !self.is_on_line_of(Some(("", equals)))) => {
                self.define(inst, result);
                let message = wording::expected_token("an opcode", Some(""));
                self.add(Diagnostic::new(&SYNTAX_ERROR, equals.unwrap_or_default(), message));
                return Err(Reported);
            }
            (false, Some((id, _))) => {
                self.define(inst, result);
                return Err(self.report(
                    &rules::RESULT_ID,
                    format!("{} does not have a result, found result id `{id}`", info.name),
                ));
            }
            _ => {}
        }
        self.bump();
        let outcome = self.operands(info, inst, result);
        if outcome.is_err() && inst.result == NONE {
            self.define(inst, result);
        }
        outcome
    }

    /// The finding about a word, if it follows the last operand of an instruction on the same line.
    fn unexpected_operand(&self, at: usize) -> Option<Diagnostic> {
        let before = self.flat.insts.last().filter(|inst| inst.flags & BROKEN == 0)?;
        let (word, range) = (self.words.text(self.text, at), self.words.range(at));
        self.is_one_line(self.inst_ranges.last()?.end(), range.start()).then(|| {
            let op = before.op.name();
            let message = format!("unexpected operand `{word}` after the last operand of {op}");
            Diagnostic::new(&SYNTAX_ERROR, range, message)
        })
    }

    /// At the start of an instruction, or at `%id =` at the start of a line, which is meant as one although no opcode
    /// follows.
    fn at_instruction(&self) -> bool {
        match self.kind() {
            SpirvKind::OPCODE => true,
            SpirvKind::ID => self.at_definition(),
            _ => false,
        }
    }

    fn at_definition(&self) -> bool {
        let next = self.at + 1;
        self.words.kind(next) == SpirvKind::EQ
            && (self.words.kind(next + 1) == SpirvKind::OPCODE && !self.is_last_operand()
                || self.is_first_on_line())
    }

    /// Whether an id before `=` is the last operand of the line before, and the result before `=` is missing: the two are not on one line.
    fn is_last_operand(&self) -> bool {
        !self.is_one_line(self.words.range(self.at).end(), self.words.range(self.at + 1).start())
    }

    fn is_first_on_line(&self) -> bool {
        let before = self.text.get(..usize::from(self.words.range(self.at).start())).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default().trim_start().is_empty()
    }

    /// Whether the current token is on the same line as what was read before.
    fn is_on_line_of(&self, before: Option<(&str, TextRange)>) -> bool {
        before.is_some_and(|(_, range)| self.is_one_line(range.end(), self.words.range(self.at).start()))
    }

    fn is_one_line(&self, from: TextSize, to: TextSize) -> bool {
        let between = self.text.get(from.into()..to.into());
        between.is_some_and(|text| !text.as_bytes().contains(&b'\n'))
    }

    fn is_reported_on_line(&self) -> bool {
        let last = self.diagnostics.last().map(|(_, last)| ("", last.range));
        self.is_on_line_of(last)
    }

    /// The local name of an id; `None` if it is not a valid one.
    fn intern(&mut self, id: &str) -> Option<u32> {
        self.names.intern_if(id.strip_prefix('%')?, is_name)
    }

    /// Notes a result of an instruction whose operands are not read.
    fn define(&mut self, inst: &mut FlatInst, result: Option<(&str, TextRange)>) {
        if let Some((id, range)) = result
            && let Some(name) = self.intern(id)
        {
            inst.result = name;
            self.push(Kind::ResultId, Form::Id, name, range);
        }
    }

    /// An instruction that starts with `!word`.
    fn injected(&mut self, inst: &mut FlatInst) -> Result<(), Reported> {
        inst.flags |= RAW;
        self.immediate()?;
        self.pattern.clear();
        while !self.at_end() && !self.at_instruction() {
            if self.kind() == SpirvKind::IMMEDIATE {
                self.immediate()?;
            } else {
                self.any()?;
            }
        }
        Ok(())
    }

    /// `OpUnknown(opcode, words)` and its operands.
    fn unknown(&mut self, inst: &mut FlatInst) -> Result<(), Reported> {
        inst.flags |= RAW;
        let mut numbers = [0u16; 2];
        let first = self.words.range(self.at);
        self.bump();
        let shape = [
            (SpirvKind::L_PAREN, None),
            (SpirvKind::NUMBER, Some(0)),
            (SpirvKind::COMMA, None),
            (SpirvKind::NUMBER, Some(1)),
            (SpirvKind::R_PAREN, None),
        ];
        for (kind, number) in shape {
            let value = literal::parse_u32(self.word()).and_then(|n| u16::try_from(n).ok());
            if self.kind() != kind || number.is_some() && value.is_none() {
                return Err(self.report(
                    &rules::INVALID_OPERAND,
                    "expected `OpUnknown(opcode, words)` with two 16-bit numbers".to_owned(),
                ));
            }
            if let (Some(slot), Some(value)) = (number.and_then(|n: usize| numbers.get_mut(n)), value) {
                *slot = value;
            }
            self.bump();
        }
        let [opcode, words] = numbers;
        if words == 0 {
            return Err(self.report(
                &rules::INVALID_LITERAL,
                "the word count of OpUnknown must be at least 1".to_owned(),
            ));
        }
        self.push(Kind::Any, Form::Word, u32::from(words) << 16 | u32::from(opcode), first);
        self.pattern.clear();
        for left in (1..words).rev() {
            if self.at_end() || self.at_instruction() {
                return Err(self.report_missing(format!("OpUnknown is missing {left} of its {words} words")));
            }
            if self.kind() == SpirvKind::IMMEDIATE {
                self.immediate()?;
            } else {
                self.any()?;
            }
        }
        Ok(())
    }
}

/// "`=` after the result id `%1`".
fn after_result(id: &str) -> String {
    format!("`=` after the result id `{id}`")
}

/// Whether an id without `%` has letters, digits and `_` only.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
