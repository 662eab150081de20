//! Macros: definitions, calls, and the text that a call expands to.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::amdgpu::lex;

use super::cursor::Cursor;
use super::expression::When;
use super::outline_text;
use crate::assembler::expansion::ErrorLine;
use crate::assembler::{Assembler, COUNT, Expansion, ExpansionKind, Mode, Parsed};
use crate::rules::directive::directive_argument::DIRECTIVE_ARGUMENT;
use crate::rules::directive::macro_call::{self, DEPTH, MACRO_CALL};
use crate::rules::directive::macro_definition::{self, MACRO_DEFINITION};
use wavelens_base::{Diagnostic, Place, TextRange, TextSize};

/// A parameter of a macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// As in `\name`.
    pub name: SmolStr,
    pub(crate) default: String,
    pub(crate) required: bool,
    pub(crate) vararg: bool,
}

/// A macro as defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Macro {
    /// As it is called.
    pub name: SmolStr,
    /// In the order of the definition.
    pub parameters: Vec<Parameter>,
    /// The place of each parameter.
    by_name: FxHashMap<SmolStr, usize>,
    /// The lines between `.macro` and `.endm`.
    pub body: Arc<str>,
    /// What of the body other chunks can see; of a macro in an outline.
    effect: Arc<str>,
    /// Start of the body in the chunk being read; `None` when it is in another chunk or in an expansion.
    pub(crate) start: Option<TextSize>,
    pub(crate) place: Option<Place>,
}

/// Repetitions, macros and files inside each other.
pub(super) const NESTING: usize = 64;

/// A parameter without text costs as much time as so many bytes of text.
const ARGUMENT_BYTES: usize = 8;

fn is_argument_operator(kind: AmdgpuKind) -> bool {
    matches!(
        kind,
        PLUS | MINUS
            | TILDE
            | SLASH
            | STAR
            | DOT
            | EQUAL
            | EQUAL_EQUAL
            | PIPE
            | PIPE_PIPE
            | CARET
            | AMP
            | AMP_AMP
            | EXCLAIM
            | EXCLAIM_EQUAL
            | LESS
            | LESS_EQUAL
            | LESS_LESS
            | LESS_GREATER
            | GREATER
            | GREATER_EQUAL
            | GREATER_GREATER
    )
}

/// How parameters are replaced in a body.
pub(super) struct Substitution<'p> {
    parameters: &'p FxHashMap<SmolStr, usize>,
    /// What `\@` stands for; `None` leaves it as it is.
    count: Option<String>,
    /// What `\+` stands for: how often this macro was expanded before.
    pub(super) uses: String,
    altmacro: bool,
}

impl Substitution<'_> {
    /// Writes a body with its parameters replaced, and stops soon after `limit` bytes.
    fn write(&self, out: &mut String, body: &str, arguments: &[String], limit: usize) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.');
        let lookup = |name: &str| arguments.get(*self.parameters.get(name)?).map(String::as_str);
        let mut rest = body;
        while !rest.is_empty() && out.len() <= limit {
            if let Some(after) = rest.strip_prefix('\\') {
                if let Some(count) = &self.count
                    && let Some(tail) = after.strip_prefix('@')
                {
                    out.push_str(count);
                    rest = tail;
                } else if let Some(tail) = after.strip_prefix('+') {
                    out.push_str(&self.uses);
                    rest = tail;
                } else if let Some(tail) = after.strip_prefix("()") {
                    rest = tail;
                } else {
                    let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
                    let (name, tail) = after.split_at(end);
                    match lookup(name) {
                        Some(value) => out.push_str(value),
                        None => {
                            out.push('\\');
                            out.push_str(name);
                        }
                    }
                    rest = tail;
                    if self.altmacro {
                        rest = rest.strip_prefix('&').unwrap_or(rest);
                    }
                }
                continue;
            }
            if self.altmacro && rest.starts_with(is_name) {
                let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
                let (name, tail) = rest.split_at(end);
                match lookup(name) {
                    Some(value) => {
                        out.push_str(value);
                        rest = tail.strip_prefix('&').unwrap_or(tail);
                    }
                    None => {
                        out.push_str(name);
                        rest = tail;
                    }
                }
                continue;
            }
            let stop = |c: char| c == '\\' || (self.altmacro && is_name(c));
            let end = rest.char_indices().skip(1).find(|(_, c)| stop(*c)).map_or(rest.len(), |(i, _)| i);
            let (plain, tail) = rest.split_at(end);
            out.push_str(plain);
            rest = tail;
        }
    }
}

impl Assembler<'_> {
    /// `.macro`, after the word.
    pub(crate) fn define_macro(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let Some((name, name_range)) = c.name() else {
            return Err(self.error(c, &MACRO_DEFINITION, c.range(), c.expected("the macro's name")));
        };
        c.eat(COMMA);
        let parameters = self.parameters(c, name)?;
        let Some((body, body_range)) = self.body(c, directive, true)? else { return Ok(()) };
        if let Some(old) = self.find_macro(name) {
            let message = macro_definition::redefinition(name);
            let rule = &MACRO_DEFINITION;
            let mut diagnostic = self.located(c.text, rule, directive, message);
            if let Some(place) = old.place {
                diagnostic = diagnostic.related(place, "the first definition");
            }
            self.push(diagnostic);
            return Ok(());
        }
        let main = self.expansions.is_empty();
        let found = Macro {
            name: SmolStr::new(name),
            by_name: parameters.iter().map(|p| p.name.clone()).zip(0..).collect(),
            parameters,
            body: Arc::from(body),
            effect: match self.mode {
                Mode::Outline => Arc::from(outline_text::effect(body)),
                _ => Arc::default(),
            },
            start: (main && self.mode != Mode::Outline).then(|| body_range.start()),
            place: Some(self.place(name_range)),
        };
        self.macro_uses.remove(&found.name);
        self.macros.insert(found.name.clone(), Some(Arc::new(found)));
        Ok(())
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.mode != Mode::Outline {
            self.diagnostics.push(diagnostic);
        }
    }

    fn parameters(&mut self, c: &mut Cursor<'_>, macro_name: &str) -> Parsed<Vec<Parameter>> {
        let rule = &MACRO_DEFINITION;
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut names = FxHashSet::default();
        while !c.at_eol() {
            if parameters.last().is_some_and(|p| p.vararg) {
                return Err(self.error(c, rule, c.range(), "a `vararg` parameter is the last one"));
            }
            let Some((name, range)) = c.name() else {
                return Err(self.error(c, rule, c.range(), c.expected("a parameter's name")));
            };
            if !names.insert(name) {
                let message = macro_definition::duplicate_parameter(macro_name, name);
                return Err(self.error(c, rule, range, message));
            }
            let mut parameter = Parameter {
                name: SmolStr::new(name),
                default: String::new(),
                required: false,
                vararg: false,
            };
            if c.eat(COLON) {
                match c.name() {
                    Some(("req", _)) => parameter.required = true,
                    Some(("vararg", _)) => parameter.vararg = true,
                    _ => return Err(self.error(c, rule, c.range(), "expected `req` or `vararg`")),
                }
            }
            if c.eat(EQUAL) {
                parameter.default = self.argument(c, false)?.0;
            }
            parameters.push(parameter);
            c.eat(COMMA);
        }
        Ok(parameters)
    }

    /// Reads up to the matching end. `None` when this was reported.
    pub(super) fn body<'t>(
        &mut self,
        c: &mut Cursor<'t>,
        directive: TextRange,
        is_macro: bool,
    ) -> Parsed<Option<(&'t str, TextRange)>> {
        c.skip_line();
        c.eat(EOL);
        let start = c.start();
        let mut depth = 0u32;
        loop {
            match c.kind() {
                EOF => {
                    let end = if is_macro { "`.endm`" } else { "`.endr`" };
                    self.error(c, &MACRO_DEFINITION, directive, format!("no matching {end}"));
                    return Ok(None);
                }
                IDENT if c.word().starts_with('.') => {
                    let word = c.word();
                    let (opens, closes) = match is_macro {
                        true => (word == ".macro", matches!(word, ".endm" | ".endmacro")),
                        false => (matches!(word, ".rep" | ".rept" | ".irp" | ".irpc"), word == ".endr"),
                    };
                    if opens {
                        depth += 1;
                    } else if closes && depth == 0 {
                        let range = TextRange::new(start, c.start());
                        c.bump();
                        self.end_of_line(c)?;
                        return Ok(Some((c.slice(range), range)));
                    } else if closes {
                        depth -= 1;
                    }
                }
                _ => {}
            }
            self.skip_unread(c);
            c.eat(EOL);
        }
    }

    /// One argument: its text as it is put into the body, and whether there was any token.
    pub(super) fn argument(&mut self, c: &mut Cursor<'_>, vararg: bool) -> Parsed<(String, bool)> {
        if vararg {
            let rest = c.rest();
            return Ok((rest.to_owned(), !rest.is_empty()));
        }
        let mut text = String::new();
        let (mut any, mut parens) = (false, 0u32);
        let mut add = |text: &mut String, c: &Cursor<'_>| {
            any = true;
            text.push_str(if c.at(STRING) { super::cursor::unquote(c.word()) } else { c.word() });
        };
        // White space separates arguments unless an operator is next to it.
        let mut previous_end: Option<TextSize> = None;
        loop {
            if matches!(c.kind(), EOF | EQUAL) && !(c.at(EOF)) {
                return Err(self.error(c, &MACRO_CALL, c.range(), "`=` is not allowed in a macro argument"));
            }
            if parens == 0 {
                if c.at(COMMA) {
                    break;
                }
                let space = previous_end.is_some_and(|end| end != c.start());
                if is_argument_operator(c.kind()) {
                    add(&mut text, c);
                    c.bump();
                    previous_end = (!c.at_eol()).then(|| c.start());
                    continue;
                }
                if space {
                    break;
                }
            }
            if c.at_eol() {
                break;
            }
            match c.kind() {
                L_PAREN => parens += 1,
                R_PAREN => parens = parens.saturating_sub(1),
                _ => {}
            }
            if parens > 0 && previous_end.is_some_and(|end| end != c.start()) {
                text.push(' ');
            }
            add(&mut text, c);
            previous_end = Some(c.range().end());
            c.bump();
        }
        if parens != 0 {
            return Err(self.error(c, &MACRO_CALL, c.range(), "a parenthesis is not closed"));
        }
        Ok((text, any))
    }

    /// The arguments of a call, one for each parameter, or as many as there are for `.irp`.
    pub(super) fn arguments(&mut self, c: &mut Cursor<'_>, found: Option<&Macro>) -> Parsed<Vec<String>> {
        let rule = &MACRO_CALL;
        let parameters = found.map_or(&[][..], |m| &m.parameters[..]);
        let mut values: Vec<Option<String>> = vec![None; parameters.len()];
        let mut named = false;
        let mut position = 0;
        while parameters.is_empty() || position < parameters.len() {
            let start = c.range();
            let mut index = position;
            if c.at(IDENT) && c.nth(1) == EQUAL {
                named = true;
                let name = c.word();
                c.bump();
                c.bump();
                let Some(at) = found.and_then(|m| m.by_name.get(name)).copied() else {
                    let message = macro_call::no_parameter(found.map(|m| m.name.as_str()), name);
                    return Err(self.error(c, rule, start, message));
                };
                index = at;
            } else if named && !c.at_eol() {
                return Err(self.error(c, rule, start, "positional arguments come before named ones"));
            } else if named {
                break;
            }
            let vararg = parameters.get(position).is_some_and(|p| p.vararg);
            let (text, any) = self.one_argument(c, vararg)?;
            if any {
                if values.len() <= index {
                    values.resize(index + 1, None);
                }
                if let Some(slot) = values.get_mut(index) {
                    *slot = Some(text);
                }
            }
            position += 1;
            if c.at_eol() {
                break;
            }
            c.eat(COMMA);
        }
        if !c.at_eol() {
            return Err(self.error(c, rule, c.range(), "too many arguments"));
        }
        if found.is_some() && parameters.is_empty() && !values.is_empty() {
            return Err(self.error(c, rule, c.range(), "this macro takes no arguments"));
        }
        let mut missing = None;
        for (value, parameter) in values.iter_mut().zip(parameters) {
            if value.is_none() {
                if parameter.required {
                    missing = Some(&parameter.name);
                }
                *value = Some(parameter.default.clone());
            }
        }
        if let Some(name) = missing {
            let message = macro_call::missing(name);
            return Err(self.error(c, rule, c.range(), message));
        }
        Ok(values.into_iter().map(Option::unwrap_or_default).collect())
    }

    pub(super) fn one_argument(&mut self, c: &mut Cursor<'_>, vararg: bool) -> Parsed<(String, bool)> {
        if self.altmacro && c.at(PERCENT) {
            c.bump();
            let start = c.start();
            let expr = self.expression(c)?;
            let range = c.since(start);
            let value = self.absolute_value(c, &expr, range, When::Placed)?;
            return Ok((value.unwrap_or(0).to_string(), true));
        }
        if self.altmacro && matches!(c.kind(), LESS | LESS_LESS | LESS_GREATER | LESS_EQUAL) {
            let rest = c.text.get(usize::from(c.start()) + 1..).unwrap_or("");
            let mut text = String::new();
            let mut chars = rest.char_indices();
            while let Some((at, char)) = chars.next() {
                match char {
                    '>' => {
                        let end = c.start() + TextSize::new(at as u32 + 2);
                        while !c.at_eol() && c.start() < end {
                            c.bump();
                        }
                        return Ok((text, true));
                    }
                    '\n' | '\r' => break,
                    '!' => text.extend(chars.next().map(|(_, c)| c)),
                    _ => text.push(char),
                }
            }
        }
        self.argument(c, vararg)
    }

    /// A statement whose first word is a macro's name.
    pub(crate) fn call_macro(
        &mut self,
        c: &mut Cursor<'_>,
        found: &Arc<Macro>,
        range: TextRange,
    ) -> Parsed<()> {
        if self.expansions.iter().filter(|e| e.kind == ExpansionKind::Macro).count() >= DEPTH {
            let is_same = |e: &Expansion| e.kind != ExpansionKind::Macro || e.name == found.name;
            let own = self.expansions.iter().all(is_same).then_some(found.name.as_str());
            let message = macro_call::too_deep(own);
            return Err(self.error(c, &MACRO_CALL, range, message));
        }
        let body = if self.mode == Mode::Outline { &found.effect } else { &found.body };
        if self.mode == Mode::Outline && body.is_empty() {
            c.skip_line();
            return Ok(());
        }
        if self.expansion_budget.exceeded {
            self.program.gap();
            c.skip_line();
            return Ok(());
        }
        let start = range.start();
        let arguments = self.arguments(c, Some(found))?;
        let uses = self.macro_uses.entry(found.name.clone()).or_default();
        let before = *uses;
        *uses += 1;
        let substitution = self.substitution(&found.by_name, true, before);
        self.macro_count += 1;
        self.enter(Expansion {
            call: self.outer_range(c.since(start)),
            name: found.name.clone(),
            body: found.start.map(|at| (at, found.body.clone())),
            definition: found.place,
            conditions: self.conditions.depth(),
            exit: false,
            kind: ExpansionKind::Macro,
            error_line: ErrorLine::default(),
        });
        if self.expand_lines(1)
            && self.expand_bytes(arguments.len() * ARGUMENT_BYTES)
            && let Some(text) = self.substitute(body, &substitution, &arguments)
        {
            self.lines(&text, &lex(&text));
        }
        self.leave();
        Ok(())
    }

    pub(super) fn substitution<'p>(
        &self,
        parameters: &'p FxHashMap<SmolStr, usize>,
        counted: bool,
        uses: u32,
    ) -> Substitution<'p> {
        let (count, uses) = match self.mode {
            Mode::Outline => (COUNT.to_owned(), COUNT.to_owned()),
            // The call that is being expanded counts itself afterwards.
            _ => (self.macro_count.to_string(), uses.to_string()),
        };
        Substitution { parameters, count: counted.then_some(count), uses, altmacro: self.altmacro }
    }

    /// A body with its parameters replaced; `None` when it would be too long.
    pub(super) fn substitute(
        &mut self,
        body: &str,
        with: &Substitution<'_>,
        arguments: &[String],
    ) -> Option<String> {
        let mut out = String::with_capacity(body.len().min(1 << 16) + 64);
        let limit = usize::try_from(self.expansion_budget.bytes.left()).unwrap_or(usize::MAX);
        with.write(&mut out, body, arguments, limit);
        self.expand_bytes(out.len()).then_some(out)
    }

    /// `.exitm`
    pub(crate) fn exit_macro(&mut self, c: &mut Cursor<'_>, range: TextRange) -> Parsed<()> {
        self.end_of_line(c)?;
        let Some(expansion) = self.expansions.last_mut() else {
            return Err(self.error(c, &MACRO_CALL, range, "`.exitm` outside of a macro"));
        };
        expansion.exit = true;
        let depth = expansion.conditions;
        self.conditions.close_to(depth);
        Ok(())
    }

    /// `.purgem`
    pub(crate) fn purge_macro(&mut self, c: &mut Cursor<'_>, directive: TextRange) -> Parsed<()> {
        let Some((name, _)) = c.name() else {
            return Err(self.error(c, &DIRECTIVE_ARGUMENT, c.range(), c.expected("a macro's name")));
        };
        self.end_of_line(c)?;
        if self.find_macro(name).is_none() {
            let message = format!("undefined macro `{name}`");
            return Err(self.error(c, &MACRO_DEFINITION, directive, message));
        }
        self.macros.insert(SmolStr::new(name), None);
        Ok(())
    }
}
