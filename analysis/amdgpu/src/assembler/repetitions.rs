//! `.rept`, `.irp` and `.irpc`.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use wavelens_syntax::amdgpu::lex;

use super::cursor::Cursor;
use super::expansion::ErrorLine;
use super::macros::NESTING;
use crate::assembler::{Assembler, Expansion, ExpansionKind, Parsed};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use crate::rules::directive::macro_call::MACRO_CALL;
use wavelens_base::TextRange;

/// What a repetition repeats its body for.
enum Rounds {
    Count(u64),
    /// Values of a parameter.
    Values(String, Vec<String>),
    /// Characters of a word as values of a parameter.
    Chars(String, String),
}

impl Assembler<'_> {
    /// `.rept`, `.irp` and `.irpc`, after the word.
    pub(crate) fn repetition(&mut self, c: &mut Cursor<'_>, name: &str, directive: TextRange) -> Parsed<()> {
        let rule = &DIRECTIVE_ARGUMENT;
        let rounds = if matches!(name, ".rept" | ".rep") {
            let start = c.start();
            let value = match self.absolute(c) {
                Ok(value) => value,
                Err(reported) => {
                    // Its body, if it has one, must not be read as what follows.
                    if c.text.get(c.start().into()..).is_some_and(|rest| rest.contains(".endr")) {
                        self.body(c, directive, false)?;
                        self.program.gap();
                    }
                    return Err(reported);
                }
            };
            let range = c.since(start);
            let Ok(count) = u64::try_from(value.unwrap_or(0)) else {
                return Err(self.error(c, rule, range, "the count is negative"));
            };
            self.end_of_line(c)?;
            value.map(|_| Rounds::Count(count))
        } else {
            let Some((parameter, _)) = c.name() else {
                return Err(self.error(c, rule, c.range(), c.expected("the parameter's name")));
            };
            self.comma(c)?;
            let start = c.start();
            let mut values = self.arguments(c, None)?;
            let rounds = if name == ".irp" {
                Rounds::Values(parameter.to_owned(), values)
            } else if values.len() == 1 {
                Rounds::Chars(parameter.to_owned(), values.remove(0))
            } else {
                return Err(self.error(c, rule, c.since(start), "expected one word"));
            };
            self.end_of_line(c)?;
            Some(rounds)
        };
        let Some((body, body_range)) = self.body(c, directive, false)? else { return Ok(()) };
        let Some(rounds) = rounds else {
            self.program.gap();
            return Ok(());
        };
        if self.expansions.len() >= NESTING {
            return Err(self.error(c, &MACRO_CALL, directive, "repetitions nest too deeply"));
        }
        let main = self.expansions.is_empty();
        self.enter(Expansion {
            call: self.outer_range(directive),
            name: SmolStr::new(name),
            body: main.then(|| (body_range.start(), Arc::from(body))),
            definition: None,
            conditions: self.conditions.depth(),
            exit: false,
            kind: ExpansionKind::Repetition,
            error_line: ErrorLine::default(),
        });
        match rounds {
            Rounds::Count(count) => self.repeat(count, body),
            Rounds::Values(parameter, values) => self.repeat_for(&parameter, values.into_iter(), body),
            Rounds::Chars(parameter, word) => {
                self.repeat_for(&parameter, word.chars().map(String::from), body);
            }
        }
        self.leave();
        Ok(())
    }

    /// Runs the rounds of `.rept`.
    fn repeat(&mut self, count: u64, body: &str) {
        let none = FxHashMap::default();
        let mut substitution = self.substitution(&none, false, 0);
        let Some(mut text) = self.substitute(body, &substitution, &[]) else { return };
        let mut lexed = lex(&text);
        let is_counted = body.contains("\\+");
        let mut left = 0;
        for round in 0..count {
            if !self.next_round(&mut left) {
                return;
            }
            if is_counted && round > 0 {
                substitution.uses = round.to_string();
                let Some(next) = self.substitute(body, &substitution, &[]) else { return };
                text = next;
                lexed = lex(&text);
            }
            self.lines(&text, &lexed);
        }
    }

    /// Runs the rounds of `.irp` and `.irpc`.
    fn repeat_for(&mut self, parameter: &str, values: impl Iterator<Item = String>, body: &str) {
        let parameters = [(SmolStr::new(parameter), 0)].into_iter().collect();
        let mut substitution = self.substitution(&parameters, true, 0);
        let mut left = 0;
        for (round, value) in values.enumerate() {
            if !self.next_round(&mut left) {
                return;
            }
            substitution.uses = round.to_string();
            let Some(text) = self.substitute(body, &substitution, &[value]) else { return };
            self.lines(&text, &lex(&text));
        }
    }
}
