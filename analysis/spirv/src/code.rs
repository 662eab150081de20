//! Instructions as words with the module's ids: what the rules read, and what is encoded.

use smol_str::SmolStr;
use wavelens_syntax::spirv::tables::{ExtSet, Kind, Op, Operand, Quantifier};

use super::flat::{BROKEN, DEFERRED, FORWARD, Flat, FlatInst, FlatOperand, Form, NONE, RAW};
use super::literal::{self, NumberType};
use super::lower::rules;
use super::ops;
use super::pattern::push_mask_parameters;
use wavelens_base::Rule;

/// An id of the module: below [`LOCAL`] an index in the scope's names, above it one in the chunk's.
pub type Id = u32;

/// Marks an id that only its chunk knows.
pub(crate) const LOCAL: Id = 1 << 31;

/// An instruction with its words resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeInst {
    pub(crate) op: Op,
    /// See [`super::flat`].
    pub(crate) flags: u8,
    /// The set of an extended instruction.
    pub set: Option<ExtSet>,
    /// Index of the first word (opcode and count).
    pub(crate) word: u32,
    pub(crate) words: u32,
    pub(crate) operand: u32,
    pub(crate) operands: u32,
    /// [`NONE`] without a type.
    pub(crate) ty: Id,
    /// [`NONE`] without a result.
    pub(crate) result: Id,
}

/// One logical operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeOperand {
    /// What the grammar expects there.
    pub kind: Kind,
    /// Words from the instruction's first.
    pub offset: u16,
    /// Number of words.
    pub(crate) len: u16,
}

/// Instructions in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// In the order of the text.
    pub insts: Vec<CodeInst>,
    pub(crate) words: Vec<u32>,
    pub(crate) operands: Vec<CodeOperand>,
}

/// What an instruction's deferred operands depend on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context {
    /// The type of typed literals; `None` if it is not a number type.
    pub number: Option<NumberType>,
    pub(crate) set: Option<ExtSet>,
}

/// Why an operand could not be encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperandError {
    pub(crate) rule: &'static Rule,
    /// Index of the operand in its instruction; one past the last for a missing operand.
    pub(crate) operand: u32,
    pub(crate) message: String,
}

impl Code {
    /// The instruction at an index.
    pub fn inst(&self, at: u32) -> Option<Inst<'_>> {
        self.insts.get(at as usize).map(|raw| Inst { code: self, raw, at })
    }

    /// All instructions, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Inst<'_>> + ExactSizeIterator {
        self.insts.iter().enumerate().map(|(at, raw)| Inst { code: self, raw, at: at as u32 })
    }

    fn operand(&mut self, start: usize, kind: Kind, from: usize) {
        let offset = (from - start).min(usize::from(u16::MAX)) as u16;
        let len = (self.words.len() - from).min(usize::from(u16::MAX)) as u16;
        self.operands.push(CodeOperand { kind, offset, len });
    }

    /// Appends one instruction of a chunk, its local names replaced by `ids`.
    pub fn append(
        &mut self,
        flat: &Flat,
        inst: &FlatInst,
        ids: &[Id],
        context: Context,
    ) -> Result<(), OperandError> {
        let start = self.words.len();
        let id = |local: u32| ids.get(local as usize).copied().unwrap_or(NONE);
        let raw = CodeInst {
            op: inst.op,
            flags: inst.flags,
            set: context.set,
            word: start as u32,
            words: 0,
            operand: self.operands.len() as u32,
            operands: 0,
            ty: id(inst.ty),
            result: id(inst.result),
        };
        self.insts.push(raw);
        let injected = inst.flags & RAW != 0 && inst.op == Op::Nop;
        if !injected {
            self.words.push(0);
        }
        let outcome = if inst.flags & (DEFERRED | BROKEN) == DEFERRED {
            self.deferred(flat, inst, &id, context, start)
        } else {
            self.plain_operands(flat, flat.operands_of(inst), &id, start);
            Ok(())
        };
        let (words, operands) = (self.words.len(), self.operands.len());
        let outcome = outcome.and_then(|()| fits(inst.op, words - start));
        if let Some(raw) = self.insts.last_mut() {
            raw.words = (words - start) as u32;
            raw.operands = operands as u32 - raw.operand;
            if outcome.is_err() {
                raw.flags |= BROKEN;
            }
        }
        if let Some(first) = self.words.get_mut(start).filter(|_| !injected) {
            *first = ((words - start) as u32) << 16 | u32::from(inst.op.0);
        }
        outcome
    }

    /// Marks types that are made of later ones; only pointers may be announced. `defs` gives the instruction that defines an id.
    pub(crate) fn mark_forward_types(&mut self, defs: impl Fn(Id) -> u32) {
        let is_pointer = |op| matches!(op, Op::TypePointer | Op::TypeUntypedPointerKHR);
        let is_late = |inst: &Inst<'_>, id: Id| {
            self.inst(defs(id)).is_some_and(|def| def.at >= inst.at && !is_pointer(def.op()))
        };
        let types = self.iter().filter(|i| ops::generates_type(i.op()) && i.op() != Op::TypeForwardPointer);
        let forward: Vec<u32> =
            types.filter(|i| i.ids().any(|(_, _, id)| is_late(i, id))).map(|i| i.at).collect();
        for at in forward {
            if let Some(inst) = self.insts.get_mut(at as usize) {
                inst.flags |= FORWARD;
            }
        }
    }

    fn plain_operands(
        &mut self,
        flat: &Flat,
        operands: &[FlatOperand],
        id: &impl Fn(u32) -> Id,
        start: usize,
    ) {
        // Most operands are one word.
        let words = operands.iter().take_while(|operand| operand.form != Form::Text).count();
        let (words, rest) = operands.split_at(words);
        let offset = |from: usize| (from - start).min(usize::from(u16::MAX)) as u16;
        let from = self.words.len();
        self.words.extend(words.iter().map(|operand| match operand.form {
            Form::Id => id(operand.value),
            Form::Word | Form::Text => operand.value,
        }));
        let operands = words.iter().enumerate();
        self.operands.extend(operands.map(|(at, o)| CodeOperand {
            kind: o.kind,
            offset: offset(from + at),
            len: 1,
        }));
        rest.iter().for_each(|operand| self.plain(flat, operand, id, start));
    }

    fn plain(&mut self, flat: &Flat, operand: &FlatOperand, id: &impl Fn(u32) -> Id, start: usize) {
        let from = self.words.len();
        match operand.form {
            Form::Id => self.words.push(id(operand.value)),
            Form::Word => self.words.push(operand.value),
            Form::Text => push_string(flat.string(operand.value), &mut self.words),
        }
        self.operand(start, operand.kind, from);
    }

    fn deferred(
        &mut self,
        flat: &Flat,
        inst: &FlatInst,
        id: &impl Fn(u32) -> Id,
        context: Context,
        start: usize,
    ) -> Result<(), OperandError> {
        let operands = flat.operands_of(inst);
        if matches!(inst.op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR) {
            // From an injected word on, the grammar says nothing.
            let known = operands.iter().position(|o| o.form == Form::Word).unwrap_or(operands.len());
            let (known, injected) = operands.split_at(known);
            match self.ext_inst(flat, known, id, context.set, start) {
                Err(error) if injected.is_empty() || error.rule != &rules::MISSING_OPERAND => {
                    return Err(error);
                }
                _ => injected.iter().for_each(|operand| self.plain(flat, operand, id, start)),
            }
            return Ok(());
        }
        let mut rest = operands.iter().enumerate().peekable();
        while let Some((index, operand)) = rest.next() {
            if operand.kind != Kind::TypedLiteral {
                self.plain(flat, operand, id, start);
                continue;
            }
            if operand.form == Form::Word {
                // All words injected for one number; a rule asks whether they fit.
                let from = self.words.len();
                self.words.push(operand.value);
                let is_more = |o: &FlatOperand| o.kind == Kind::TypedLiteral && o.form == Form::Word;
                while inst.op != Op::Switch
                    && let Some((_, more)) = rest.next_if(|(_, o)| is_more(o))
                {
                    self.words.push(more.value);
                }
                self.operand(start, Kind::TypedLiteral, from);
                continue;
            }
            let error = |rule, message| OperandError { rule, operand: index as u32, message };
            let number = match (inst.op, context.number) {
                (Op::Switch, Some(n @ NumberType::Int { .. })) => n,
                (Op::Switch, _) => {
                    let message = "the selector of OpSwitch is not an integer scalar".to_owned();
                    return Err(error(&rules::INVALID_LITERAL, message));
                }
                (_, Some(n)) => n,
                (_, None) => {
                    let ty = flat.name(inst.ty);
                    let message = format!(
                        "expected an integer or float type as Result Type of {}, found `%{ty}`",
                        inst.op.name()
                    );
                    return Err(OperandError { rule: &rules::INVALID_LITERAL, operand: 0, message });
                }
            };
            let from = self.words.len();
            literal::encode(flat.string(operand.value), number, &mut self.words)
                .map_err(|e| error(&rules::INVALID_LITERAL, e.message))?;
            self.operand(start, Kind::TypedLiteral, from);
        }
        Ok(())
    }

    /// Matches the tokens of an extended instruction against the grammar of its set.
    fn ext_inst(
        &mut self,
        flat: &Flat,
        operands: &[FlatOperand],
        id: &impl Fn(u32) -> Id,
        set: Option<ExtSet>,
        start: usize,
    ) -> Result<(), OperandError> {
        let (head, tokens) = operands.split_at(operands.len().min(3));
        for operand in head {
            self.plain(flat, operand, id, start);
        }
        let error = |rule, index: usize, message| OperandError { rule, operand: index as u32, message };
        let Some(set) = set else {
            let id = head.get(2).map_or("", |operand| flat.name(operand.value));
            let message = format!("`%{id}` is not the result of OpExtInstImport");
            return Err(error(&rules::INVALID_OPERAND, 2, message));
        };
        let text = |operand: &FlatOperand| match operand.form {
            Form::Text => flat.string(operand.value),
            Form::Id => flat.name(operand.value),
            Form::Word => "",
        };
        let Some((name, tokens)) = tokens.split_first() else {
            let message = rules::missing_operand("OpExtInst", None, Kind::ExtInstNumber);
            return Err(error(&rules::MISSING_OPERAND, 3, message));
        };
        let (mut specs, mut pattern): (&[Operand], Vec<Operand>) = (&[], Vec::new());
        let from = self.words.len();
        match (name.form, set.named(text(name))) {
            (Form::Text, Some(known)) => {
                self.words.push(known.number);
                specs = known.operands;
            }
            (Form::Text, None) if set.is_non_semantic() && text(name).bytes().all(|b| b.is_ascii_digit()) => {
                let Ok(number) = text(name).parse() else {
                    let message = format!("`{}` is not an instruction number", text(name));
                    return Err(error(&rules::INVALID_OPERAND, 3, message));
                };
                self.words.push(number);
                pattern.push(Operand { kind: Kind::Id, quantifier: Quantifier::Many });
            }
            _ if set == ExtSet::NonSemanticUnknown => {
                let message = format!(
                    "expected an instruction number for an unknown extended instruction set, found `{}`",
                    text(name)
                );
                return Err(error(&rules::INVALID_OPERAND, 3, message));
            }
            _ => {
                let message = format!("unknown instruction `{}` of the set {set:?}", text(name));
                return Err(error(&rules::INVALID_OPERAND, 3, message));
            }
        }
        self.operand(start, Kind::ExtInstNumber, from);
        // Most operands are ids.
        let is_id = |(spec, token): &(&Operand, &FlatOperand)| {
            (spec.quantifier, spec.kind, token.form) == (Quantifier::One, Kind::Id, Form::Id)
        };
        let ids = specs.iter().zip(tokens).take_while(is_id).count();
        tokens.iter().take(ids).for_each(|token| {
            self.words.push(id(token.value));
            self.operand(start, Kind::Id, self.words.len() - 1);
        });
        pattern.extend(specs.iter().skip(ids).rev());
        let mut rest = tokens.iter().enumerate().skip(ids).map(|(i, t)| (i + 4, t)).peekable();
        while let Some(spec) = pattern.pop() {
            if spec.quantifier == Quantifier::Many {
                pattern.push(spec);
            }
            let Some((index, token)) = rest.next() else {
                if spec.quantifier == Quantifier::One {
                    let message = rules::missing_operand(text(name), None, spec.kind);
                    return Err(error(&rules::MISSING_OPERAND, operands.len(), message));
                }
                return Ok(());
            };
            let from = self.words.len();
            let invalid = || {
                let mark = if token.form == Form::Id { "%" } else { "" };
                let message =
                    format!("expected {}, found `{mark}{}`", rules::describe(spec.kind), text(token));
                error(&rules::INVALID_OPERAND, index, message)
            };
            match (spec.kind, token.form) {
                (kind, Form::Id) if kind.is_id() => self.words.push(id(token.value)),
                (Kind::LiteralInteger, Form::Text) => {
                    let number = NumberType::Int { width: 32, signed: false };
                    literal::encode(text(token), number, &mut self.words)
                        .map_err(|e| error(&rules::INVALID_LITERAL, index, e.message))?;
                }
                (Kind::LiteralString, Form::Text) if token.kind == Kind::LiteralString => {
                    push_string(text(token), &mut self.words);
                }
                (kind, Form::Text) if kind.is_mask() => {
                    let mut mask = 0;
                    for part in text(token).split('|') {
                        mask |= kind.named(part).ok_or_else(invalid)?.value;
                    }
                    self.words.push(mask);
                    push_mask_parameters(kind, mask, &mut pattern);
                }
                (kind, Form::Text) => {
                    let value = kind.named(text(token)).ok_or_else(invalid)?;
                    self.words.push(value.value);
                    pattern.extend(value.parameters.iter().rev());
                }
                _ => return Err(invalid()),
            }
            self.operand(start, spec.kind, from);
        }
        if let Some((index, token)) = rest.next() {
            let mark = if token.form == Form::Id { "%" } else { "" };
            let message = format!("unexpected operand `{mark}{}` of {}", text(token), text(name));
            return Err(error(&rules::INVALID_OPERAND, index, message));
        }
        Ok(())
    }
}

/// The count of an instruction's words has 16 bits.
fn fits(op: Op, words: usize) -> Result<(), OperandError> {
    if words <= usize::from(u16::MAX) {
        return Ok(());
    }
    let message = format!("{words} words exceed the limit of 65535 words for {}", op.name());
    Err(OperandError { rule: &rules::LIMIT, operand: 0, message })
}

/// Appends a literal string: bytes in little-endian words, with an end of zero.
pub fn push_string(text: &str, words: &mut Vec<u32>) {
    // A NUL would end the string for the reference too.
    let bytes = text.as_bytes().split(|b| *b == 0).next().unwrap_or_default();
    let (whole, rest) = bytes.as_chunks::<4>();
    words.extend(whole.iter().map(|w| u32::from_le_bytes(*w)));
    words.push(rest.iter().rev().fold(0, |n, b| n << 8 | u32::from(*b)));
}

/// An instruction to look at; small and free to copy.
#[derive(Debug, Clone, Copy)]
pub struct Inst<'c> {
    pub(crate) code: &'c Code,
    /// The stored form.
    pub raw: &'c CodeInst,
    /// Index in its [`Code`].
    pub at: u32,
}

impl<'c> Inst<'c> {
    /// The opcode.
    pub fn op(self) -> Op {
        self.raw.op
    }

    /// The result type; [`NONE`] without one.
    pub fn ty(self) -> Id {
        self.raw.ty
    }

    /// The result; [`NONE`] without one.
    pub fn id(self) -> Id {
        self.raw.result
    }

    /// Words, the opcode's first.
    pub fn words(self) -> &'c [u32] {
        let from = self.raw.word as usize;
        self.code.words.get(from..from + self.raw.words as usize).unwrap_or(&[])
    }

    /// A word by its offset; 0 past the end.
    pub fn word(self, offset: usize) -> u32 {
        self.words().get(offset).copied().unwrap_or(0)
    }

    /// Operands in the order of the grammar, without type and result.
    pub fn operands(self) -> &'c [CodeOperand] {
        let from = self.raw.operand as usize;
        self.code.operands.get(from..from + self.raw.operands as usize).unwrap_or(&[])
    }

    /// Number of operands, type and result included.
    pub fn count(self) -> usize {
        self.raw.operands as usize
    }

    /// The first word of an operand; 0 if there is none. Type and result count as operands.
    pub fn operand(self, index: usize) -> u32 {
        self.operands().get(index).map_or(0, |o| self.word(usize::from(o.offset)))
    }

    /// The first word of an operand, if there is one.
    pub fn opt_operand(self, index: usize) -> Option<u32> {
        self.operands().get(index).map(|o| self.word(usize::from(o.offset)))
    }

    pub(crate) fn kind(self, index: usize) -> Option<Kind> {
        self.operands().get(index).map(|o| o.kind)
    }

    /// All words of an operand.
    pub fn operand_words(self, index: usize) -> &'c [u32] {
        let Some(operand) = self.operands().get(index) else { return &[] };
        let from = usize::from(operand.offset);
        self.words().get(from..from + usize::from(operand.len)).unwrap_or(&[])
    }

    /// A string operand.
    pub fn string(self, index: usize) -> SmolStr {
        let bytes: Vec<u8> =
            self.operand_words(index).iter().flat_map(|w| w.to_le_bytes()).take_while(|b| *b != 0).collect();
        SmolStr::new(String::from_utf8_lossy(&bytes))
    }

    /// Ids that the instruction mentions, its result excepted, with the operand's index.
    #[inline]
    pub fn ids(self) -> impl Iterator<Item = (usize, Kind, Id)> {
        let words = self.words();
        self.operands()
            .iter()
            .enumerate()
            .filter(|(_, o)| o.kind.is_id() && o.kind != Kind::ResultId)
            .map(move |(i, o)| (i, o.kind, words.get(usize::from(o.offset)).copied().unwrap_or(0)))
    }

    /// Whether it could not be understood.
    pub fn is_broken(self) -> bool {
        self.raw.flags & BROKEN != 0
    }

    /// Whether the rules may look at it.
    pub fn is_whole(self) -> bool {
        self.raw.flags & (BROKEN | RAW) == 0
    }

    /// Whether others may be judged by what it defines.
    pub(crate) fn is_definite(self) -> bool {
        self.raw.flags & (BROKEN | RAW | FORWARD) == 0
    }

    /// The number of an extended instruction.
    pub fn ext_number(self) -> u32 {
        self.word(4)
    }

    pub(crate) fn is_ext_inst(self) -> bool {
        matches!(self.op(), Op::ExtInst | Op::ExtInstWithForwardRefsKHR)
    }

    pub(crate) fn is_non_semantic(self) -> bool {
        self.is_ext_inst() && self.raw.set.is_some_and(ExtSet::is_non_semantic)
    }

    pub(crate) fn is_debug_info(self) -> bool {
        self.is_ext_inst() && self.raw.set.is_some_and(ExtSet::is_debug_info)
    }
}
