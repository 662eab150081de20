//! From the flat tree to the lowered form, in one pass.
//!
//! [`Lower`] fills one set of tables: there is one for a chunk's module-level entities and one for each function body.

mod attributes;
mod function;
mod instruction;
mod locals;
mod metadata;
mod module;
mod outline;
pub(crate) mod rules;
mod text;
mod types;
mod use_lists;
mod values;

use std::sync::Arc;

use locals::Locals;
use wavelens_syntax::llvm::LlvmKind;
use wavelens_syntax::machine::{Node, Token};

use self::rules::INVALID_NAME;
use super::Lowered;
use super::arena::{Ranges, Tables};
use super::names::{NameId, Symbol};
use super::operand::{Operand, OperandId};
use super::summary::Summary;
use super::types::Span;
use wavelens_base::{Diagnostic, Rule, TextRange};

pub(super) use module::convention_name;

type LlvmNode<'t> = Node<'t, LlvmKind>;
type LlvmToken<'t> = Token<'t, LlvmKind>;

/// Lexes, parses and lowers a chunk.
pub fn lower(text: &str) -> Lowered {
    let parse = wavelens_syntax::llvm::parse(text);
    let mut lowered = module::lower(parse.root(text), Bodies::Lowered);
    let mut diagnostics = parse.errors;
    diagnostics.append(&mut lowered.diagnostics);
    diagnostics.shrink_to_fit();
    lowered.diagnostics = diagnostics;
    lowered
}

/// What a chunk of a function most likely says to others, found without reading most of its body; `None` for other chunks.
pub(super) fn outline(text: &str) -> Option<Arc<Summary>> {
    let outline = outline::outline(text)?;
    let parse = wavelens_syntax::llvm::parse(&outline.text);
    let bodies = if outline.is_body_noted { Bodies::Lowered } else { Bodies::Skipped };
    Some(module::lower(parse.root(&outline.text), bodies).summary)
}

/// Whether the bodies of functions are lowered too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bodies {
    Lowered,
    Skipped,
}

/// Fills tables.
struct Lower {
    tables: Tables,
    ranges: Ranges,
    diagnostics: Vec<Diagnostic>,
    /// Operands that wait for their list to be complete.
    pending: Vec<(Operand, TextRange)>,
    /// What `%` names mean; `None` outside of functions.
    locals: Option<Locals>,
    /// The module-level entity that is being read.
    item: u32,
}

impl Lower {
    fn new(locals: Option<Locals>) -> Self {
        Lower {
            tables: Tables::default(),
            ranges: Ranges::default(),
            diagnostics: Vec::new(),
            pending: Vec::new(),
            locals,
            item: 0,
        }
    }

    fn report(&mut self, rule: &'static Rule, range: TextRange, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(rule, range, message));
    }

    /// Moves the operands that have waited since `start` into the table.
    fn commit(&mut self, start: usize) -> Span {
        let first = self.tables.operands.len() as u32;
        let len = self.pending.len().saturating_sub(start) as u32;
        for (operand, range) in self.pending.drain(start.min(self.pending.len())..) {
            self.tables.operands.push(operand);
            self.ranges.operands.push(range);
        }
        Span { start: first, len }
    }

    fn push_operand(&mut self, operand: Operand, range: TextRange) -> OperandId {
        self.tables.operands.push(operand);
        self.ranges.operands.push(range);
        OperandId(self.tables.operands.len() as u32 - 1)
    }

    /// Interns what a string token means.
    fn string(&mut self, token: LlvmToken<'_>) -> NameId {
        self.tables.names.intern(&text::unquote(token.text()))
    }

    /// Interns what follows a sigil.
    fn symbol(&mut self, token: LlvmToken<'_>) -> Symbol {
        self.check_name(token, 1);
        symbol(&mut self.tables, token.text())
    }
}

impl Lower {
    /// Reports a NUL character in a quoted name. `sigil`: the bytes before the name.
    fn check_name(&mut self, token: LlvmToken<'_>, sigil: usize) {
        let name = token.text().get(sigil..).unwrap_or("");
        if name.starts_with('"') && text::unquote(name.strip_suffix(':').unwrap_or(name)).contains('\0') {
            self.report(&INVALID_NAME, token.range(), "a name must not contain a NUL character");
        }
    }
}

/// The symbol of a text with its sigil.
fn symbol(tables: &mut Tables, text: &str) -> Symbol {
    let name = text.get(1..).unwrap_or("");
    match name.as_bytes().first() {
        Some(b'0'..=b'9') => Symbol::number(text::number(name)),
        Some(b'"' | b'\\') => Symbol::name(tables.names.intern(&text::unquote(name))),
        _ => Symbol::name(tables.names.intern(name)),
    }
}
