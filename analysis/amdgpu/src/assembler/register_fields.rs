//! Operands with named fields: the hardware register `{id: 1, offset: 0, size: 32}`, the event `{export_ready: 1}`.

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
const REGISTER: [(&str, i64); 3] = [("id", 0), ("offset", 0), ("size", 32)];

impl Assembler<'_> {
    /// At the brace. The fields may have any order; the value is that of `hwreg(1, 0, 32)`.
    pub(super) fn named_fields<'a>(&mut self, c: &mut Cursor<'a>, line: &mut Line<'a>) -> Parsed<Value<'a>> {
        if let Some(target) = self.target.filter(|_| line.mnemonic.eq_ignore_ascii_case("s_wait_event")) {
            return self.fields(c, line, "event", &[(wavelens_isa::event_field(target), 0)]);
        }
        self.fields(c, line, "hwreg", &REGISTER)
    }

    fn fields<'a>(
        &mut self,
        c: &mut Cursor<'a>,
        line: &mut Line<'a>,
        name: &'static str,
        fields: &[(&'static str, i64)],
    ) -> Parsed<Value<'a>> {
        let mut values = vec![None; fields.len()];
        c.bump();
        let mut is_first = true;
        while !c.eat(R_BRACE) {
            if !is_first && !c.eat(COMMA) {
                return Err(self.error(c, &SYNTAX_ERROR, c.range(), "expected `,` or `}`"));
            }
            is_first = false;
            let (word, range) = (c.word(), c.range());
            if !c.eat(IDENT) || !c.eat(COLON) {
                let names = fields.iter().map(|(name, _)| format!("`{name}:`"));
                let message = format!("expected {}", wording::alternatives(names));
                return Err(self.error(c, &SYNTAX_ERROR, range, message));
            }
            let field = fields.iter().position(|(name, _)| *name == word);
            let Some(slot) = field.and_then(|field| values.get_mut(field)) else {
                let message = wording::unknown("field", word, fields.iter().map(|(name, _)| *name));
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
                    let message = match name {
                        "hwreg" => "expected a number: the names of hardware registers are for `hwreg(...)`",
                        _ => "expected a number",
                    };
                    return Err(self.error(c, &NOT_ABSOLUTE, c.since(start), message));
                }
            };
        }
        let given = values.into_iter().zip(fields);
        let terms: Vec<_> = given.map(|(value, (_, default))| value.unwrap_or(Term::Int(*default))).collect();
        Ok(Value::Call { name, args: line.store(&terms) })
    }
}
