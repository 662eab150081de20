//! Lines that are not instructions of the processor: the rules are asked why.

use wavelens_isa::{self as isa, ErrorKind, Line, MatchError};

use super::cursor::Cursor;
use crate::assembler::{Assembler, Parsed};
use crate::rules::instruction::no_processor::{self, NO_PROCESSOR};
use crate::rules::instruction::unknown_instruction::{self, UNKNOWN_INSTRUCTION};
use crate::rules::instruction::{self, RejectedLine};
use wavelens_base::configuration::ASSEMBLER_TARGET;
use wavelens_base::{Diagnostic, TextRange};

/// Looking for a name like an unknown one takes a while: so many times in a file.
const MAX_SUGGESTIONS: u32 = 50;

/// The processor that is asked whether a mnemonic exists on any.
const ANY_PROCESSOR: &str = "gfx1100";

/// Where the parts of a line are in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineRanges<'a> {
    pub(super) whole: TextRange,
    pub(super) mnemonic: TextRange,
    pub(super) operands: &'a [TextRange],
}

impl LineRanges<'_> {
    /// Those of a line of which only the mnemonic matters.
    pub(super) fn of_mnemonic(mnemonic: TextRange) -> Self {
        LineRanges { whole: mnemonic, mnemonic, operands: &[] }
    }
}

impl Assembler<'_> {
    /// Nothing names a processor that is known: only what exists on none of them is wrong.
    pub(super) fn without_processor(&mut self, c: &Cursor<'_>, mnemonic: &str, range: TextRange) {
        let is_named = self.configuration().as_ref().is_none_or(|c| c.processor.is_some());
        let is_first = self.scope.is_none_or(|(_, order)| order == 0);
        if is_first && !is_named && !std::mem::replace(&mut self.no_processor, true) {
            self.error(c, &NO_PROCESSOR, range, no_processor::MESSAGE);
        }
        let exists = isa::Target::named(ANY_PROCESSOR).is_none_or(|any| {
            let error = isa::assemble(any, &of_mnemonic(mnemonic)).err();
            error.is_none_or(|error| error.kind != ErrorKind::UnknownMnemonic)
        });
        if !exists && !self.open {
            self.error(c, &UNKNOWN_INSTRUCTION, range, unknown_instruction::message(mnemonic));
        }
    }

    /// After a malformed operand: replaces what was reported since, if the instruction itself does not exist. Nothing may have been: a
    /// symbol is reported once.
    pub(super) fn blame_mnemonic(
        &mut self,
        c: &mut Cursor<'_>,
        target: isa::Target,
        mnemonic: &str,
        range: TextRange,
        reported: usize,
    ) -> Parsed<()> {
        let line = of_mnemonic(mnemonic);
        if let Err(error) = isa::assemble(target, &line)
            && matches!(error.kind, ErrorKind::UnknownMnemonic | ErrorKind::WrongTarget)
        {
            self.diagnostics.truncate(reported);
            if error.kind == ErrorKind::WrongTarget || !self.open {
                self.reject(c, target, &line, &error, LineRanges::of_mnemonic(range));
            }
        }
        c.skip_line();
        Ok(())
    }

    /// Reports why a line is not an instruction.
    pub(super) fn reject(
        &mut self,
        c: &Cursor<'_>,
        target: isa::Target,
        line: &Line<'_>,
        error: &MatchError,
        ranges: LineRanges<'_>,
    ) {
        let is_name = matches!(error.kind, ErrorKind::UnknownMnemonic | ErrorKind::WrongTarget);
        let may_suggest = error.kind != ErrorKind::UnknownMnemonic || self.suggestions < MAX_SUGGESTIONS;
        self.suggestions += u32::from(may_suggest && error.kind == ErrorKind::UnknownMnemonic);
        let configuration = self.configuration();
        let configuration = configuration.as_ref().filter(|_| target.name() == ASSEMBLER_TARGET);
        let defined = self.macros.iter().filter(|(_, definition)| definition.is_some());
        let found = instruction::report(&RejectedLine {
            target,
            line,
            error,
            text: c.text,
            whole: ranges.whole,
            mnemonic: ranges.mnemonic,
            operands: ranges.operands,
            is_in_file: self.expansions.is_empty(),
            unknown_processor: configuration.and_then(|configuration| configuration.ignored_processor()),
            macros: (is_name && may_suggest).then(|| defined.map(|(name, _)| name.as_str()).collect()),
        });
        let Diagnostic { rule, range, message, fix, .. } = found;
        self.error(c, rule, range, message);
        if let Some(reported) = self.last_finding() {
            reported.fix = fix;
        }
    }
}

fn of_mnemonic(mnemonic: &str) -> Line<'_> {
    let mut line = Line::default();
    line.clear(mnemonic);
    line
}
