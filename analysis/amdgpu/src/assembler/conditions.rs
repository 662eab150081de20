//! `.if` and its family.

use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::cursor::{Cursor, unquote};
use super::symbols::Definition;
use crate::assembler::{Assembler, Mode, Parsed};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use crate::rules::directive::unbalanced_condition::{self, CONDITION};
use wavelens_base::TextRange;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    #[default]
    Outside,
    If,
    ElseIf,
    Else,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Condition {
    part: Part,
    met: bool,
    ignore: bool,
    /// The value was not known: no part of it is looked at, nor what comes after an `.else`.
    opened: Option<TextRange>,
}

/// The open conditions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Conditions {
    stack: Vec<Condition>,
    current: Condition,
}

impl Conditions {
    pub(crate) fn ignoring(&self) -> bool {
        self.current.ignore
    }

    pub(crate) fn is_open(&self) -> bool {
        self.current.part != Part::Outside
    }

    /// Where the innermost open condition starts.
    pub(crate) fn opened(&self) -> Option<TextRange> {
        self.current.opened
    }

    pub(crate) fn depth(&self) -> usize {
        self.stack.len()
    }

    pub(crate) fn close_to(&mut self, depth: usize) {
        while self.stack.len() > depth
            && let Some(before) = self.stack.pop()
        {
            self.current = before;
        }
    }

    /// For the next chunk: ranges mean nothing there.
    pub(crate) fn forget_ranges(&mut self) {
        self.current.opened = None;
        self.stack.iter_mut().for_each(|c| c.opened = None);
    }
}

impl Assembler<'_> {
    /// Handles a directive of the family; `false` when it is none.
    pub(crate) fn conditional(&mut self, c: &mut Cursor<'_>, name: &str, range: TextRange) -> Parsed<bool> {
        if !name.get(1..2).is_some_and(|b| b.eq_ignore_ascii_case("i") || b.eq_ignore_ascii_case("e")) {
            return Ok(false);
        }
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            ".else" => {
                self.end_of_line(c)?;
                self.middle(c, range, Part::Else)?;
                let outer = self.outer_ignores();
                let current = &mut self.conditions.current;
                current.ignore = outer || current.met;
            }
            ".elseif" => {
                self.middle(c, range, Part::ElseIf)?;
                if self.outer_ignores() || self.conditions.current.met {
                    self.conditions.current.ignore = true;
                    c.skip_line();
                } else {
                    let value = self.absolute(c)?;
                    self.end_of_line(c)?;
                    self.decide(value.map(|v| v != 0));
                }
            }
            ".endif" => {
                self.end_of_line(c)?;
                let Some(before) = self.conditions.stack.pop() else {
                    return Err(self.error(c, &CONDITION, range, unbalanced_condition::without_if(".endif")));
                };
                self.conditions.current = before;
            }
            ".if" | ".ifeq" | ".ifge" | ".ifgt" | ".ifle" | ".iflt" | ".ifne" | ".ifb" | ".ifnb" | ".ifc"
            | ".ifnc" | ".ifeqs" | ".ifnes" | ".ifdef" | ".ifndef" | ".ifnotdef" => {
                let current = self.conditions.current;
                self.conditions.stack.push(current);
                self.conditions.current.part = Part::If;
                self.conditions.current.opened = Some(self.outer_range(range));
                if current.ignore {
                    c.skip_line();
                } else {
                    // A condition that cannot be read is taken as LLVM takes it: the lines are looked at.
                    let value = self.condition(c, &name)?;
                    self.decide(value);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn decide(&mut self, value: Option<bool>) {
        let current = &mut self.conditions.current;
        match value {
            Some(met) => {
                current.met = met;
                current.ignore = !met;
            }
            None => {
                // Unknown: neither branch is looked at.
                self.program.gap();
                current.met = true;
                current.ignore = true;
                if self.mode == Mode::Whole {
                    self.open = true;
                }
            }
        }
    }

    fn outer_ignores(&self) -> bool {
        self.conditions.stack.last().is_some_and(|c| c.ignore)
    }

    fn middle(&mut self, c: &Cursor<'_>, range: TextRange, part: Part) -> Parsed<()> {
        if !matches!(self.conditions.current.part, Part::If | Part::ElseIf) {
            let what = if part == Part::Else { ".else" } else { ".elseif" };
            return Err(self.error(c, &CONDITION, range, unbalanced_condition::without_if(what)));
        }
        self.conditions.current.part = part;
        Ok(())
    }

    fn condition(&mut self, c: &mut Cursor<'_>, name: &str) -> Parsed<Option<bool>> {
        Ok(match name {
            ".ifb" => Some(c.rest().is_empty()),
            ".ifnb" => Some(!c.rest().is_empty()),
            ".ifc" | ".ifnc" => {
                let start = c.start();
                while !c.at_eol() && !c.at(COMMA) {
                    c.bump();
                }
                let first = c.slice(TextRange::new(start, c.start())).trim();
                self.comma(c)?;
                let second = c.rest().trim();
                Some((first == second) == (name == ".ifc"))
            }
            ".ifeqs" | ".ifnes" => {
                let first = self.string_operand(c)?;
                self.comma(c)?;
                let second = self.string_operand(c)?;
                Some((first == second) == (name == ".ifeqs"))
            }
            ".ifdef" | ".ifndef" | ".ifnotdef" => {
                let Some((symbol, _)) = c.name() else {
                    return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a symbol")));
                };
                self.end_of_line(c)?;
                let id = self.symbol(symbol);
                match self.symbols.get(id).definition {
                    Definition::Unknown => None,
                    Definition::Undefined if self.open => None,
                    Definition::Undefined => Some(name != ".ifdef"),
                    _ => Some(name == ".ifdef"),
                }
            }
            _ => {
                let value = self.absolute(c)?;
                self.end_of_line(c)?;
                value.map(|value| match name {
                    ".ifeq" => value == 0,
                    ".ifge" => value >= 0,
                    ".ifgt" => value > 0,
                    ".ifle" => value <= 0,
                    ".iflt" => value < 0,
                    _ => value != 0,
                })
            }
        })
    }

    fn string_operand<'t>(&mut self, c: &mut Cursor<'t>) -> Parsed<&'t str> {
        if !c.at(STRING) {
            return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a string")));
        }
        let text = unquote(c.word());
        c.bump();
        Ok(text)
    }
}
