//! Operands of one instruction, by the pattern of its grammar.

use smol_str::SmolStr;
use wavelens_syntax::spirv::tables::{Instruction, Kind, Op, Operand, Quantifier, is_spec_constant_op};
use wavelens_syntax::spirv::{SYNTAX_ERROR, SpirvKind};
use wavelens_syntax::wording;

use super::{Lowering, Reported, after_result, rules};
use crate::flat::{DEFERRED, FlatInst, Form, OPEN_END, RAW};
use crate::literal::{self, NumberType};
use crate::pattern::{expand, push_mask_parameters};
use wavelens_base::{Diagnostic, TextRange};

impl<'t> Lowering<'t> {
    pub(super) fn operands(
        &mut self,
        info: &Instruction,
        inst: &mut FlatInst,
        mut result: Option<(&'t str, TextRange)>,
    ) -> Result<(), Reported> {
        let mut named = self.leading_ids(info.operands, inst, &mut result)?;
        self.pattern.clear();
        self.pattern.extend(info.operands.get(named..).unwrap_or_default().iter().rev());
        let mut unread = self.pattern.len();
        while let Some(spec) = self.pattern.pop() {
            // Above the operands of the instruction are the parameters of the last one.
            let own = (self.pattern.len() < unread).then_some(named);
            named += usize::from(own.is_some());
            let name = || info.operand_names().nth(own?);
            unread = unread.min(self.pattern.len());
            let optional = match spec.quantifier {
                Quantifier::Many => {
                    while spec.kind == Kind::Id && self.at_id() {
                        self.id(Kind::Id)?;
                    }
                    self.pattern.push(spec);
                    expand(spec.kind, &mut self.pattern);
                    continue;
                }
                Quantifier::Optional => true,
                Quantifier::One => false,
            };
            if spec.kind == Kind::ResultId
                && let Some((id, range)) = result.take()
            {
                self.result(inst, id, range)?;
                continue;
            }
            let at_end = self.at_end();
            if at_end || self.at_instruction() {
                if optional {
                    inst.flags |= OPEN_END;
                    break;
                }
                if spec.kind == Kind::SpecConstantOp
                    && let Some(name) = self.word().strip_prefix("Op")
                    && Op::from_name(name).is_some_and(|i| is_spec_constant_op(i.op))
                {
                    let range = self.words.range(self.at);
                    let message = format!(
                        "expected the operation of OpSpecConstantOp without the prefix `Op`: `{name}`"
                    );
                    let wrong = Diagnostic::new(&rules::INVALID_OPERAND, range, message);
                    self.add(wrong.fix(format!("Replace with `{name}`"), range, name.to_owned()));
                    self.bump();
                    return Err(Reported);
                }
                return Err(self.report_missing(rules::missing_operand(inst.op.name(), name(), spec.kind)));
            }
            let is_other = matches!(self.kind(), SpirvKind::STRING | SpirvKind::NUMBER | SpirvKind::WORD);
            if spec.kind == Kind::Id && is_other {
                let message = rules::unexpected_operand(inst.op.name(), name(), self.word());
                return Err(self.report(&rules::INVALID_OPERAND, message));
            }
            self.operand(inst, spec.kind, optional)?;
        }
        Ok(())
    }

    /// Reads the operands up to the first that is not an id, or that may be missing: most instructions have no others. Returns how many.
    fn leading_ids(
        &mut self,
        specs: &[Operand],
        inst: &mut FlatInst,
        result: &mut Option<(&'t str, TextRange)>,
    ) -> Result<usize, Reported> {
        // What follows the set of an extended instruction is not in the grammar.
        let specs = if is_ext_inst(inst.op) { specs.get(..2).unwrap_or(specs) } else { specs };
        for (at, spec) in specs.iter().enumerate() {
            match (spec.quantifier, spec.kind) {
                (Quantifier::One, Kind::ResultId) if let Some((id, range)) = result.take() => {
                    self.result(inst, id, range)?;
                }
                (Quantifier::One, Kind::TypeId) if self.at_id() => inst.ty = self.id(Kind::TypeId)?,
                (Quantifier::One, Kind::Id) if self.at_id() => _ = self.id(Kind::Id)?,
                _ => return Ok(at),
            }
        }
        Ok(specs.len())
    }

    /// At an id that is an operand, not the result of the next instruction.
    fn at_id(&self) -> bool {
        self.kind() == SpirvKind::ID && self.words.kind(self.at + 1) != SpirvKind::EQ
    }

    fn result(&mut self, inst: &mut FlatInst, id: &str, range: TextRange) -> Result<(), Reported> {
        let Some(name) = self.intern(id) else {
            self.add(Diagnostic::new(&rules::INVALID_ID, range, rules::invalid_id(id)));
            return Err(Reported);
        };
        inst.result = name;
        self.push(Kind::ResultId, Form::Id, name, range);
        Ok(())
    }

    /// Ends the instruction at a word that is not an optional literal: the next one starts, and fails, there.
    fn not_an_operand(&mut self, message: String) -> Reported {
        if self.kind() != SpirvKind::ID {
            return self.report(&rules::INVALID_OPERAND, message);
        }
        let is_result = self.is_first_on_line();
        self.bump();
        match self.word() {
            _ if self.at_end() => self.report(&rules::INVALID_OPERAND, message),
            word if is_result => {
                let message = wording::expected_token("`=` after the result id", Some(word));
                self.report(&SYNTAX_ERROR, message)
            }
            _ => self.report(&rules::INVALID_OPERAND, message),
        }
    }

    pub(super) fn operand(
        &mut self,
        inst: &mut FlatInst,
        kind: Kind,
        optional: bool,
    ) -> Result<(), Reported> {
        let (word, range) = (self.word(), self.words.range(self.at));
        if self.kind() == SpirvKind::IMMEDIATE {
            self.immediate()?;
            inst.flags |= RAW;
            let above = self.pattern.iter().rev().position(|o| o.kind == Kind::ResultId);
            let any = Operand { kind: Kind::Any, quantifier: Quantifier::Optional };
            self.pattern.clear();
            self.pattern.push(any);
            if let Some(above) = above {
                self.pattern.push(Operand { kind: Kind::ResultId, quantifier: Quantifier::One });
                self.pattern.extend(std::iter::repeat_n(any, above));
            }
            return Ok(());
        }
        match kind {
            Kind::Id | Kind::TypeId | Kind::ResultId | Kind::MemorySemanticsId | Kind::ScopeId => {
                let id = self.id(kind)?;
                if kind == Kind::TypeId {
                    inst.ty = id;
                } else if is_ext_inst(inst.op) && self.flat.operands.len() as u32 == inst.first + 3 {
                    return self.ext_inst(inst);
                }
                return Ok(());
            }
            Kind::Any => return self.any(),
            Kind::LiteralInteger | Kind::LiteralFloat => {
                let number = match kind {
                    Kind::LiteralFloat => NumberType::Float { width: 32, encoding: None },
                    _ => NumberType::Int { width: 32, signed: false },
                };
                let mut words = Vec::with_capacity(1);
                match literal::encode(word, number, &mut words) {
                    Ok(()) => self.push(kind, Form::Word, words.first().copied().unwrap_or(0), range),
                    Err(e) if optional && e.mismatch => return Err(self.not_an_operand(e.message)),
                    Err(e) => return Err(self.report(&rules::INVALID_LITERAL, e.message)),
                }
            }
            Kind::TypedLiteral => {
                inst.flags |= DEFERRED;
                self.push_text(kind, SmolStr::new(word), range);
            }
            Kind::LiteralString => match unquote(word) {
                Some(text) => self.push_text(kind, text, range),
                None if optional && self.kind() != SpirvKind::NUMBER => {
                    return Err(self.not_an_operand(format!("expected a string, found `{word}`")));
                }
                None => {
                    let message = match self.text.get(usize::from(range.end())..) {
                        Some(rest) if word.starts_with('"') && rest.starts_with('\0') => {
                            format!("the string `{word}` is cut by the invisible character U+0000")
                        }
                        _ => format!("expected a string, found `{word}`"),
                    };
                    return Err(self.report(&rules::INVALID_LITERAL, message));
                }
            },
            Kind::SpecConstantOp => match Op::from_name(word).filter(|i| is_spec_constant_op(i.op)) {
                Some(info) => {
                    self.push(kind, Form::Word, u32::from(info.op.0), range);
                    self.pattern.extend(info.operands.get(2..).unwrap_or_default().iter().rev());
                }
                None => {
                    return Err(self.report(
                        &rules::INVALID_OPERAND,
                        format!("`{word}` is not an operation that OpSpecConstantOp supports"),
                    ));
                }
            },
            // More likely than a wrong enumerant is an instruction that is not complete.
            _ if optional && self.kind() == SpirvKind::ID && self.is_first_on_line() => {
                let (next, place) = (self.words.text(self.text, self.at + 1), self.words.range(self.at + 1));
                let next = Some(next).filter(|next| !next.is_empty());
                let message = wording::expected_token(&after_result(word), next);
                let place = if self.is_one_line(range.end(), place.start()) { place } else { range };
                self.add(Diagnostic::new(&SYNTAX_ERROR, place, message));
                return Err(Reported);
            }
            _ => self.enumerant(kind)?,
        }
        self.bump();
        Ok(())
    }

    fn id(&mut self, kind: Kind) -> Result<u32, Reported> {
        let (word, range) = (self.word(), self.words.range(self.at));
        if !word.starts_with('%') {
            return Err(self.report(
                &rules::INVALID_OPERAND,
                format!("expected {}, found `{word}`", rules::describe(kind)),
            ));
        }
        let Some(id) = self.intern(word) else {
            return Err(self.report(&rules::INVALID_ID, rules::invalid_id(word)));
        };
        self.push(kind, Form::Id, id, range);
        self.bump();
        Ok(id)
    }

    fn enumerant(&mut self, kind: Kind) -> Result<(), Reported> {
        let (word, range) = (self.word(), self.words.range(self.at));
        let invalid = |lowering: &mut Self| {
            lowering.add(rules::invalid_enumerant(kind, word, range));
            Reported
        };
        if !kind.is_mask() {
            let Some(value) = kind.named(word) else {
                return Err(invalid(self));
            };
            self.push(kind, Form::Word, value.value, range);
            self.pattern.extend(value.parameters.iter().rev());
            return Ok(());
        }
        let mut mask = 0;
        for part in word.split('|') {
            let Some(value) = kind.named(part) else {
                return Err(invalid(self));
            };
            mask |= value.value;
        }
        self.push(kind, Form::Word, mask, range);
        push_mask_parameters(kind, mask, &mut self.pattern);
        Ok(())
    }

    /// The rest of an OpExtInst, whose grammar only the module knows.
    fn ext_inst(&mut self, inst: &mut FlatInst) -> Result<(), Reported> {
        inst.flags |= DEFERRED | OPEN_END;
        self.pattern.clear();
        // What precedes `=` was to be the result id of another instruction.
        let ends = |lowering: &Self| {
            lowering.at_end()
                || lowering.at_instruction()
                || lowering.kind() == SpirvKind::EQ
                || lowering.is_first_on_line() && lowering.words.kind(lowering.at + 1) == SpirvKind::EQ
        };
        while !ends(self) {
            let (word, range) = (self.word(), self.words.range(self.at));
            match self.kind() {
                SpirvKind::ID => match self.intern(word) {
                    Some(id) => self.push(Kind::Any, Form::Id, id, range),
                    None => self.push_text(Kind::Any, SmolStr::new(word), range),
                },
                SpirvKind::IMMEDIATE => return self.operand(inst, Kind::Any, true),
                SpirvKind::STRING => match unquote(word) {
                    Some(text) => self.push_text(Kind::LiteralString, text, range),
                    None => self.push_text(Kind::Any, SmolStr::new(word), range),
                },
                _ => self.push_text(Kind::Any, SmolStr::new(word), range),
            }
            self.bump();
        }
        Ok(())
    }

    pub(super) fn immediate(&mut self) -> Result<(), Reported> {
        let (word, range) = (self.word(), self.words.range(self.at));
        match word.get(1..).and_then(literal::parse_u32) {
            Some(value) => {
                self.push(Kind::Any, Form::Word, value, range);
                self.bump();
                Ok(())
            }
            None => Err(self.report(
                &rules::INVALID_LITERAL,
                format!("expected a 32-bit unsigned integer after `!`, found `{word}`"),
            )),
        }
    }

    /// A token after `!`: a number, a string or an id.
    pub(super) fn any(&mut self) -> Result<(), Reported> {
        let (word, range) = (self.word(), self.words.range(self.at));
        let mut words = Vec::with_capacity(1);
        if literal::encode(word, NumberType::Unknown, &mut words).is_ok() {
            self.push(Kind::Any, Form::Word, words.first().copied().unwrap_or(0), range);
        } else if let Some(text) = unquote(word) {
            self.push_text(Kind::LiteralString, text, range);
        } else if let Some(id) = self.intern(word) {
            self.push(Kind::Any, Form::Id, id, range);
        } else {
            return Err(self.report(
                &rules::INVALID_OPERAND,
                format!("expected a number, string or id after `!`, found `{word}`"),
            ));
        }
        self.bump();
        if self.pattern.is_empty() {
            self.pattern.push(Operand { kind: Kind::Any, quantifier: Quantifier::Optional });
        }
        Ok(())
    }
}

fn is_ext_inst(op: Op) -> bool {
    matches!(op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR)
}

/// A string token without quotes and escapes.
pub(super) fn unquote(word: &str) -> Option<SmolStr> {
    let inner = word.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(SmolStr::new(inner));
    }
    let mut escaping = false;
    Some(
        inner
            .chars()
            .filter(|c| {
                escaping = *c == '\\' && !escaping;
                !escaping
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn an_id_in_place_of_an_enumerant_is_reported_on_its_line() {
        let of = |text: &str| wavelens_check::testing::findings(wavelens_base::Dialect::Spirv, text);
        let head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n";
        expect![[r#"
            error[invalid-operand] 4:15 `%c`: unknown MemoryAccess `%c`
        "#]]
        .assert_eq(&of(&format!("{head}OpStore %a %b %c\n%d = OpTypeVoid\n")));
        expect![[r#"
            error[syntax-error] 5:1 `%c`: expected `=` after the result id `%c`, found `%d`
        "#]]
        .assert_eq(&of(&format!("{head}OpStore %a %b\n%c\n%d = OpTypeVoid\n")));
        expect![[r#"
            error[syntax-error] 5:4 `d`: expected `=` after the result id `%c`, found `d`
        "#]]
        .assert_eq(&of(&format!("{head}OpStore %a %b\n%c d = OpTypeVoid\n")));
    }
}
