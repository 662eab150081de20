//! Hardware registers with named fields: `{id: 1, offset: 0, size: 32}`.

use wavelens_isa::{Line, Term, Value};
use wavelens_syntax::amdgpu::AmdgpuKind::*;
use wavelens_syntax::amdgpu::SYNTAX_ERROR;
use wavelens_syntax::wording;

use super::cursor::Cursor;
use super::expression::Expr;
use crate::assembler::{Assembler, Parsed};
use crate::rules::instruction::invalid_operand::INVALID_OPERAND;
use crate::rules::symbol::not_absolute::NOT_ABSOLUTE;

/// With the value that each has where it is left out.
const FIELDS: [(&str, i64); 3] = [("id", 0), ("offset", 0), ("size", 32)];

impl Assembler<'_> {
    /// At the brace. The fields may have any order; the value is that of `hwreg(1, 0, 32)`.
    pub(super) fn hardware_register<'a>(
        &mut self,
        c: &mut Cursor<'a>,
        line: &mut Line<'a>,
    ) -> Parsed<Value<'a>> {
        let mut values = [None; FIELDS.len()];
        c.bump();
        let mut is_first = true;
        while !c.eat(R_BRACE) {
            if !is_first && !c.eat(COMMA) {
                return Err(self.error(c, &SYNTAX_ERROR, c.range(), "expected `,` or `}`"));
            }
            is_first = false;
            let (word, range) = (c.word(), c.range());
            if !c.eat(IDENT) || !c.eat(COLON) {
                return Err(self.error(c, &SYNTAX_ERROR, range, "expected `id:`, `offset:` or `size:`"));
            }
            let field = FIELDS.iter().position(|(name, _)| *name == word);
            let Some(slot) = field.and_then(|field| values.get_mut(field)) else {
                let message = wording::unknown("field", word, FIELDS.iter().map(|(name, _)| *name));
                return Err(self.error(c, &INVALID_OPERAND, range, message));
            };
            if slot.is_some() {
                return Err(self.error(c, &INVALID_OPERAND, range, format!("field `{word}` is repeated")));
            }
            let start = c.start();
            *slot = match self.expression(c)? {
                Expr::Const(value) => Some(Term::Int(value)),
                Expr::Unknown => Some(Term::Unknown),
                _ => {
                    let message = "expected a number: the names of hardware registers are for `hwreg(...)`";
                    return Err(self.error(c, &NOT_ABSOLUTE, c.since(start), message));
                }
            };
        }
        let terms = [0, 1, 2].map(|at: usize| values[at].unwrap_or(Term::Int(FIELDS[at].1)));
        Ok(Value::Call { name: "hwreg", args: line.store(&terms) })
    }
}
