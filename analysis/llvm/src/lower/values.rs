//! Values and constants.

use wavelens_syntax::llvm::LlvmKind::*;
use wavelens_syntax::machine::Element;

use super::{LlvmNode, LlvmToken, Lower, symbol, text};
use crate::body::Opcode;
use crate::lower::rules::INVALID_CONSTANT;
use crate::lower::rules::LOCAL_OUTSIDE;
use crate::operand::{
    AggregateKind, BlockAddress, Const, ConstExpr, ConstId, HexFloat, InlineAsm, Operand, OperandId, Value,
};
use crate::types::{Span, TypeId};
use wavelens_base::{Diagnostic, Rule, TextRange};

impl Lower {
    pub(super) fn constant(&mut self, constant: Const) -> Value {
        self.tables.consts.push(constant);
        Value::Const(ConstId(self.tables.consts.len() as u32 - 1))
    }

    /// A value after its type, and its range.
    #[inline]
    pub(super) fn value(&mut self, node: LlvmNode<'_>, ty: TypeId) -> (Operand, TextRange) {
        let range = node.range();
        let value = match node.first_token() {
            Some(first) => self.value_at(node, first, ty),
            // The syntax error is enough: rules stay quiet about a value that is not there.
            None => return (Operand { ty: TypeId::ERROR, value: Value::Error }, range),
        };
        (Operand { ty, value }, range)
    }

    fn value_at(&mut self, node: LlvmNode<'_>, first: LlvmToken<'_>, ty: TypeId) -> Value {
        match first.kind() {
            LOCAL | LOCAL_ID => self.local(first, ty),
            GLOBAL | GLOBAL_ID => Value::Global(self.symbol(first)),
            NUMBER => {
                let constant = match first.text().parse() {
                    Ok(number) => Const::Int(number),
                    Err(_) => self.wide(first),
                };
                self.constant(constant)
            }
            HEX_NUMBER => {
                let constant = self.wide(first);
                self.constant(constant)
            }
            TRUE_KW => self.constant(Const::Bool(true)),
            FALSE_KW => self.constant(Const::Bool(false)),
            NULL_KW => self.constant(Const::Null),
            UNDEF_KW => self.constant(Const::Undef),
            POISON_KW => self.constant(Const::Poison),
            ZEROINITIALIZER_KW => self.constant(Const::ZeroInitializer),
            NONE_KW => self.constant(Const::None),
            FLOAT => {
                let number: f64 = first.text().parse().unwrap_or(0.0);
                self.constant(Const::Decimal(number.to_bits()))
            }
            HEX_FLOAT => self.hex_float(first),
            L_BRACE => self.aggregate(node, AggregateKind::Struct),
            L_BRACKET => self.aggregate(node, AggregateKind::Array),
            LESS => {
                let packed = node.token(L_BRACE).is_some();
                self.aggregate(node, if packed { AggregateKind::PackedStruct } else { AggregateKind::Vector })
            }
            C_KW => match node.token(STRING) {
                Some(string) => self.constant(Const::String { len: text::byte_length(string.text()) }),
                None => Value::Error,
            },
            ASM_KW => self.asm(node),
            BLOCKADDRESS_KW => self.block_address(node),
            DSO_LOCAL_EQUIVALENT_KW | NO_CFI_KW => {
                match node.tokens().find(|t| matches!(t.kind(), GLOBAL | GLOBAL_ID)) {
                    Some(name) => {
                        let name = self.symbol(name);
                        let no_cfi = first.kind() == NO_CFI_KW;
                        self.constant(if no_cfi {
                            Const::NoCfi(name)
                        } else {
                            Const::DsoLocalEquivalent(name)
                        })
                    }
                    None => Value::Error,
                }
            }
            PTRAUTH_KW => {
                let span = self.operand_list(node);
                self.constant(Const::PtrAuth(span))
            }
            SPLAT_KW => {
                let span = self.operand_list(node);
                if span.is_empty() {
                    Value::Error
                } else {
                    self.constant(Const::Splat(OperandId(span.start)))
                }
            }
            _ => self.expression(node, first),
        }
    }

    /// A warning: LLVM reads the number.
    pub(super) fn too_many_digits(&mut self, rule: &'static Rule, token: LlvmToken<'_>) {
        let message = format!("the number has more than {} digits and is not checked", text::MAX_DIGITS);
        self.diagnostics.push(Diagnostic::warning(rule, token.range(), message));
    }

    fn wide(&mut self, token: LlvmToken<'_>) -> Const {
        let Some(value) = text::wide(token.text()) else {
            self.too_many_digits(&INVALID_CONSTANT, token);
            return Const::Error;
        };
        if let ([] | [_], false) =
            (&value.words[..], value.words.first().is_some_and(|w| *w > i64::MAX as u64))
        {
            let magnitude = value.words.first().copied().unwrap_or(0) as i64;
            return Const::Int(if value.negative { -magnitude } else { magnitude });
        }
        self.tables.cold.wide.push(value);
        Const::Wide(self.tables.cold.wide.len() as u32 - 1)
    }

    fn hex_float(&mut self, token: LlvmToken<'_>) -> Value {
        if let Some(value) = self.newer_float(token) {
            return value;
        }
        let digits = token.text().strip_prefix("0x").unwrap_or("");
        let letter = digits.bytes().next().filter(|b| b"KLMHR".contains(b));
        let digits = if letter.is_some() { digits.get(1..).unwrap_or("") } else { digits };
        if matches!(letter, Some(b'H' | b'R')) && digits.trim_start_matches('0').len() > 4 {
            self.report(&INVALID_CONSTANT, token.range(), "the number has too many digits");
            return Value::Error;
        }
        match letter {
            None => {
                let (bits, fits) = text::double_bits(digits);
                if !fits {
                    let message = format!(
                        "the number has more than 64 bits, of which LLVM makes {:?}",
                        f64::from_bits(bits)
                    );
                    self.diagnostics.push(Diagnostic::warning(&INVALID_CONSTANT, token.range(), message));
                }
                self.constant(Const::Double(bits))
            }
            Some(letter) => {
                // LLVM reads the first digits, as many as the format has.
                let most = if letter == b'K' { 20 } else { 32 };
                let digits = digits.get(..most).unwrap_or(digits);
                let bits = u128::from_str_radix(digits, 16).unwrap_or(0);
                // Quad formats are written with their low half first.
                let bits = match letter {
                    b'L' | b'M' if digits.len() > 16 => bits.rotate_right(64),
                    _ => bits,
                };
                self.tables.cold.hex_floats.push(HexFloat { letter, bits, digits: 0 });
                self.constant(Const::HexFloat(self.tables.cold.hex_floats.len() as u32 - 1))
            }
        }
    }

    /// A literal of LLVM 23: `f0x3F800000`, `+inf`, `-nan(0x1)`, `0x1.8p3`.
    fn newer_float(&mut self, token: LlvmToken<'_>) -> Option<Value> {
        let text = token.text();
        if text.contains('.') {
            return Some(self.constant(Const::Decimal(text::binary_exponent(text).to_bits())));
        }
        let (letter, digits) = match text.strip_prefix("f0x") {
            Some(digits) => (b'f', digits),
            None if text.starts_with("0x") => return None,
            None if text.contains("snan") => (b's', ""),
            None => (b'n', ""),
        };
        let bits = u128::from_str_radix(digits, 16).unwrap_or(0);
        let digits = u8::try_from(digits.len()).unwrap_or(u8::MAX);
        self.tables.cold.hex_floats.push(HexFloat { letter, bits, digits });
        Some(self.constant(Const::HexFloat(self.tables.cold.hex_floats.len() as u32 - 1)))
    }

    /// All typed values among a node's children, as a list of operands.
    fn operand_list(&mut self, node: LlvmNode<'_>) -> Span {
        let start = self.pending.len();
        let mut ty = TypeId::ERROR;
        for child in node.children() {
            match child.kind() {
                TYPE => ty = self.ty(child),
                VALUE => {
                    let operand = self.value(child, ty);
                    self.pending.push(operand);
                }
                _ => {}
            }
        }
        self.commit(start)
    }

    fn aggregate(&mut self, node: LlvmNode<'_>, kind: AggregateKind) -> Value {
        // Constants never refer to locals, also those inside of functions.
        let elements = self.without_locals(|l| l.operand_list(node));
        self.constant(Const::Aggregate { kind, elements })
    }

    pub(super) fn without_locals<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let was = self.locals.as_mut().map(|l| std::mem::replace(&mut l.forbidden, true));
        let result = f(self);
        if let (Some(was), Some(locals)) = (was, self.locals.as_mut()) {
            locals.forbidden = was;
        }
        result
    }

    fn asm(&mut self, node: LlvmNode<'_>) -> Value {
        let mut asm = InlineAsm {
            sideeffect: false,
            alignstack: false,
            inteldialect: false,
            unwind: false,
            template: self.tables.names.intern(""),
            constraints: self.tables.names.intern(""),
        };
        let mut strings = 0;
        for token in node.tokens() {
            match token.kind() {
                SIDEEFFECT_KW => asm.sideeffect = true,
                ALIGNSTACK_KW => asm.alignstack = true,
                INTELDIALECT_KW => asm.inteldialect = true,
                UNWIND_KW => asm.unwind = true,
                STRING => {
                    let text = self.string(token);
                    *(if strings == 0 { &mut asm.template } else { &mut asm.constraints }) = text;
                    strings += 1;
                }
                _ => {}
            }
        }
        self.tables.cold.asms.push(asm);
        Value::Asm(self.tables.cold.asms.len() as u32 - 1)
    }

    fn block_address(&mut self, node: LlvmNode<'_>) -> Value {
        let mut names = node.children().filter(|n| n.kind() == VALUE).filter_map(|n| n.first_token());
        let (Some(function), Some(block)) = (names.next(), names.next()) else { return Value::Error };
        if !matches!(function.kind(), GLOBAL | GLOBAL_ID) {
            self.report(
                &INVALID_CONSTANT,
                function.range(),
                "the first operand of `blockaddress` must be a function",
            );
            return Value::Error;
        }
        if !matches!(block.kind(), LOCAL | LOCAL_ID) {
            self.report(
                &INVALID_CONSTANT,
                block.range(),
                "the second operand of `blockaddress` must be a basic block",
            );
            return Value::Error;
        }
        let address =
            BlockAddress { function: self.symbol(function), block: self.symbol(block), item: self.item };
        self.block_address_of(address, block);
        self.tables.cold.block_addresses.push(address);
        self.constant(Const::BlockAddress(self.tables.cold.block_addresses.len() as u32 - 1))
    }

    fn expression(&mut self, node: LlvmNode<'_>, first: LlvmToken<'_>) -> Value {
        let Some(opcode) = Opcode::from_word(first.text()) else { return Value::Error };
        let mut is_inbounds = false;
        let mut ty = TypeId::ERROR;
        let mut inrange = None;
        let mut number = None;
        let start = self.pending.len();
        let mut current = TypeId::ERROR;
        let is_gep = opcode == Opcode::GetElementPtr;
        self.without_locals(|l| {
            for element in node.elements() {
                match element {
                    Element::Node(child) if child.kind() == TYPE => {
                        current = l.ty(child);
                        if !is_gep || ty.is_error() {
                            ty = current;
                        }
                    }
                    Element::Node(child) if child.kind() == VALUE => {
                        let operand = l.value(child, current);
                        l.pending.push(operand);
                    }
                    Element::Token(token) => match token.kind() {
                        INBOUNDS_KW => is_inbounds = true,
                        NUMBER => {
                            let value = token.text().parse().unwrap_or(i64::MAX);
                            match number {
                                Some(low) => inrange = Some((low, value)),
                                None => number = Some(value),
                            }
                        }
                        _ => {}
                    },
                    Element::Node(_) => {}
                }
            }
        });
        if !opcode.is_cast() && !is_gep {
            ty = TypeId::ERROR;
        }
        let operands = self.commit(start);
        self.tables.cold.exprs.push(ConstExpr { opcode, is_inbounds, ty, operands, inrange });
        self.constant(Const::Expr(self.tables.cold.exprs.len() as u32 - 1))
    }

    fn local(&mut self, token: LlvmToken<'_>, ty: TypeId) -> Value {
        match &mut self.locals {
            Some(locals) if !locals.forbidden => {
                let symbol = symbol(&mut self.tables, token.text());
                let local = locals.used(symbol, token.range(), ty == TypeId::LABEL);
                self.check_name(token, 1);
                Value::Local(local)
            }
            locals => {
                let rule = match locals {
                    Some(_) => "constants and metadata nodes must not refer to it",
                    None => "it must not be used outside",
                };
                let message = format!("`{}` is local to a function: {rule}", token.text());
                self.report(&LOCAL_OUTSIDE, token.range(), message);
                Value::Error
            }
        }
    }
}
