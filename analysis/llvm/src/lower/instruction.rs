//! Instructions.

use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::Element;

use super::attributes::Place;
use super::function::BodyLower;
use super::types::excluded;
use super::{LlvmNode, LlvmToken};
use crate::body::{
    Atomic, Bundle, Call, Flags, Inst, NO_EXTRA, Opcode, Ordering, OrderingWord, Predicate, RmwOp,
};
use crate::lower::rules::INVALID_TYPE;
use crate::operand::{Operand, OperandId, Value};
use crate::types::{Span, Type, TypeId};
use wavelens_base::TextRange;

fn flag(kind: LlvmKind, text: &str) -> Option<Flags> {
    Some(match kind {
        NUW_KW => Flags::NUW,
        NSW_KW => Flags::NSW,
        EXACT_KW => Flags::EXACT,
        DISJOINT_KW => Flags::DISJOINT,
        NNEG_KW => Flags::NNEG,
        SAMESIGN_KW => Flags::SAMESIGN,
        INBOUNDS_KW => Flags::INBOUNDS,
        NUSW_KW => Flags::NUSW,
        VOLATILE_KW => Flags::VOLATILE,
        ATOMIC_KW => Flags::ATOMIC,
        WORD if text == "elementwise" => Flags::ELEMENTWISE,
        WEAK_KW => Flags::WEAK,
        TAIL_KW => Flags::TAIL,
        MUSTTAIL_KW => Flags::MUSTTAIL,
        NOTAIL_KW => Flags::NOTAIL,
        INALLOCA_KW => Flags::INALLOCA,
        SWIFTERROR_KW => Flags::SWIFTERROR,
        CLEANUP_KW => Flags::CLEANUP,
        CALLER_KW => Flags::UNWIND_TO_CALLER,
        FAST_FLAG_KW => match text {
            "nnan" => Flags::NNAN,
            "ninf" => Flags::NINF,
            "nsz" => Flags::NSZ,
            "arcp" => Flags::ARCP,
            "contract" => Flags::CONTRACT,
            "afn" => Flags::AFN,
            "reassoc" => Flags::REASSOC,
            _ => Flags::FAST,
        },
        _ => return None,
    })
}

fn opcode(kind: LlvmKind, text: &str) -> Opcode {
    match kind {
        CALL_KW | TAIL_KW | MUSTTAIL_KW | NOTAIL_KW => Opcode::Call,
        LOAD_KW => Opcode::Load,
        STORE_KW => Opcode::Store,
        BR_KW => Opcode::Br,
        GETELEMENTPTR_KW => Opcode::GetElementPtr,
        ALLOCA_KW => Opcode::Alloca,
        ICMP_KW => Opcode::ICmp,
        RET_KW => Opcode::Ret,
        PHI_KW => Opcode::Phi,
        _ => Opcode::from_word(text).unwrap_or(Opcode::Error),
    }
}

/// What the loop over an instruction's children has found so far.
struct Parts {
    inst: Inst,
    first_ty: Option<TypeId>,
    last_ty: TypeId,
    orderings: [Ordering; 2],
    ordering_count: usize,
    scope: Option<crate::names::NameId>,
    last_token: LlvmKind,
    /// Lists of extractvalue, insertvalue and landingpad.
    numbers: Vec<u32>,
    address_space: Option<u32>,
}

impl BodyLower {
    pub(super) fn instruction(&mut self, node: LlvmNode<'_>) {
        let mut elements = node.elements();
        let mut name = None;
        let head = loop {
            match elements.next() {
                Some(Element::Token(t)) => match t.kind() {
                    LOCAL | LOCAL_ID if name.is_none() => name = Some(t),
                    EQUAL => {}
                    _ => break Some(t),
                },
                Some(Element::Node(_)) => {}
                None => break None,
            }
        };
        let op = head.map_or(Opcode::Error, |t| opcode(t.kind(), t.text()));
        if op.is_call() {
            self.call(node, name, op);
            return;
        }
        let mut p = self.parts(op);
        let start = self.l.pending.len();
        let mut is_cut = false;
        for element in elements {
            is_cut = matches!(element, Element::Token(token) if matches!(token.kind(), COMMA | ALIGN_KW));
            match element {
                Element::Token(token) => self.token(&mut p, token),
                Element::Node(child) => match child.kind() {
                    TYPE => {
                        p.last_ty = if op == Opcode::Ret { self.l.any_type(child) } else { self.l.ty(child) };
                        p.first_ty.get_or_insert(p.last_ty);
                    }
                    VALUE => {
                        let ty = match op {
                            Opcode::CatchSwitch
                            | Opcode::CatchPad
                            | Opcode::CleanupPad
                            | Opcode::CatchRet
                            | Opcode::CleanupRet
                                if self.l.pending.len() == start =>
                            {
                                TypeId::TOKEN
                            }
                            Opcode::Phi if (self.l.pending.len() - start) % 2 == 1 => TypeId::LABEL,
                            _ => p.last_ty,
                        };
                        let operand = self.l.value(child, ty);
                        self.l.pending.push(operand);
                    }
                    ATTACHMENT => {
                        self.l.attachment(child);
                        p.inst.attachments.len += 1;
                    }
                    METADATA_NODE | METADATA_REF | METADATA_STRING | METADATA_VALUE => {
                        let operand = self.metadata_operand(child);
                        self.l.pending.push(operand);
                    }
                    _ => {}
                },
            }
        }
        self.l.replace_attachments(p.inst.attachments);
        let mut inst = p.inst;
        inst.operands = self.l.commit(start);
        inst.ty = match op {
            _ if op.is_cast() || op == Opcode::VaArg => {
                // The value comes first, then the type: with one type only, the second is missing.
                p.last_ty
            }
            // What was not understood after a comma or `align` may be, or hide, the address space.
            Opcode::Alloca if is_cut => TypeId::ERROR,
            Opcode::Load | Opcode::GetElementPtr | Opcode::Alloca | Opcode::LandingPad | Opcode::Phi => {
                p.first_ty.unwrap_or(TypeId::ERROR)
            }
            _ => TypeId::ERROR,
        };
        match op {
            Opcode::Load | Opcode::Store | Opcode::Fence | Opcode::CmpXchg | Opcode::AtomicRmw
                if (p.ordering_count > 0 || inst.flags.has(Flags::ATOMIC)) =>
            {
                inst.extra = self.body.cold.atomics.len() as u32;
                let [ordering, failure] = p.orderings;
                self.body.cold.atomics.push(Atomic { ordering, failure, scope: p.scope });
            }
            Opcode::ExtractValue | Opcode::InsertValue | Opcode::LandingPad => {
                inst.extra = self.body.cold.indices.len() as u32;
                self.body.cold.indices.push(p.numbers.len() as u32);
                self.body.cold.indices.extend_from_slice(&p.numbers);
            }
            Opcode::Alloca => inst.extra = p.address_space.unwrap_or(NO_EXTRA),
            _ => {}
        }
        let has_result = !matches!(
            op,
            Opcode::Store | Opcode::Fence | Opcode::Error | Opcode::Resume | Opcode::Unreachable
        ) && (!op.is_terminator() || op == Opcode::CatchSwitch);
        self.push(inst, name, has_result, node.range());
    }

    fn parts(&mut self, opcode: Opcode) -> Parts {
        Parts {
            inst: Inst {
                opcode,
                sub: 0,
                align: 0,
                flags: Flags::default(),
                ty: TypeId::ERROR,
                operands: Span::default(),
                extra: NO_EXTRA,
                result: None,
                attachments: Span { start: self.l.tables.cold.attachments.len() as u32, len: 0 },
            },
            first_ty: None,
            last_ty: TypeId::ERROR,
            orderings: [Ordering::NotAtomic; 2],
            ordering_count: 0,
            scope: None,
            last_token: EOF,
            numbers: Vec::new(),
            address_space: None,
        }
    }

    fn token(&mut self, p: &mut Parts, token: LlvmToken<'_>) {
        let kind = token.kind();
        match kind {
            COMMA | L_PAREN | R_PAREN | L_BRACKET | R_BRACKET | TO_KW => {
                if kind != L_PAREN && kind != COMMA {
                    p.last_token = kind;
                }
                return;
            }
            NUMBER => match p.last_token {
                ALIGN_KW => p.inst.align = self.l.alignment(token),
                ADDRSPACE_KW => p.address_space = self.l.address_space_number(token),
                _ => p.numbers.extend(self.l.unsigned32(token)),
            },
            STRING => match p.last_token {
                SYNCSCOPE_KW => p.scope = Some(self.l.string(token)),
                ADDRSPACE_KW => p.address_space = None,
                _ => {}
            },
            ORDERING_KW => {
                if let (Some(slot), Some(word)) =
                    (p.orderings.get_mut(p.ordering_count), OrderingWord::from_word(token.text()))
                {
                    *slot = ordering(word);
                    p.ordering_count += 1;
                }
            }
            PREDICATE_KW | TRUE_KW | FALSE_KW => {
                p.inst.sub = Predicate::from_word(token.text()).map_or(0, |w| w as u8);
            }
            RMW_KW | ARITH_KW | PLAIN_BINARY_KW | FLOAT_BINARY_KW | OR_KW
                if p.inst.opcode == Opcode::AtomicRmw =>
            {
                p.inst.sub = RmwOp::from_word(token.text()).map_or(0, |w| w as u8);
            }
            CATCH_KW => p.numbers.push(0),
            FILTER_KW => p.numbers.push(1),
            _ => {
                if let Some(flag) = flag(kind, token.text()) {
                    p.inst.flags.insert(flag);
                }
            }
        }
        p.last_token = kind;
    }

    fn push(&mut self, mut inst: Inst, name: Option<LlvmToken<'_>>, has_result: bool, range: TextRange) {
        let index = self.body.insts.len() as u32;
        if has_result {
            inst.result = Some(self.define_result(name, index, range));
        } else if let Some(name) = name
            && inst.opcode != Opcode::Error
        {
            let message = "an instruction without a result must not be named";
            self.l.report(&crate::lower::rules::VOID_NAMED, name.range(), message);
            let name = super::symbol(&mut self.l.tables, name.text());
            self.void_names.insert(name);
        } else if let Some(name) = name {
            // Something was to be defined here: do not report its uses too.
            inst.result = Some(self.define_result(Some(name), index, range));
        }
        self.body.insts.push(inst);
        self.body.inst_ranges.push(range);
    }

    fn metadata_operand(&mut self, node: LlvmNode<'_>) -> (Operand, TextRange) {
        let value = self.l.metadata(node);
        let value = Value::Metadata(self.l.push_md_value(value, node.range()));
        (Operand { ty: TypeId::METADATA, value }, node.range())
    }

    fn call(&mut self, node: LlvmNode<'_>, name: Option<LlvmToken<'_>>, op: Opcode) {
        let mut p = self.parts(op);
        let mut call = Call {
            callee: OperandId(u32::MAX),
            cc: 0,
            address_space: None,
            args: Span::default(),
            arg_attrs: Span::default(),
            ret_attrs: Span { start: self.l.tables.attrs.len() as u32, len: 0 },
            fn_attrs: Span::default(),
            bundles: Span::default(),
            destinations: Span::default(),
            ellipsis: false,
        };
        let mut callee = None;
        let mut destinations = Vec::new();
        for element in node.elements() {
            match element {
                Element::Token(token) => match token.kind() {
                    CC_KW => call.cc = super::module::calling_convention(token.text()),
                    RISCV_VLS_CC_KW => call.cc = 112,
                    NUMBER if p.last_token == CC_NUMBER_KW => call.cc = self.l.unsigned32(token).unwrap_or(0),
                    NUMBER if p.last_token == ADDRSPACE_KW => {
                        call.address_space = self.l.address_space_number(token);
                    }
                    CC_NUMBER_KW | ADDRSPACE_KW => p.last_token = token.kind(),
                    kind => {
                        if let Some(flag) = flag(kind, token.text()) {
                            p.inst.flags.insert(flag);
                        }
                    }
                },
                Element::Node(child) => match child.kind() {
                    TYPE => {
                        if p.first_ty.is_none() {
                            p.inst.ty = self.l.any_type(child);
                            if matches!(p.inst.ty, TypeId::LABEL | TypeId::METADATA) {
                                let message = format!("a function must not return {}", excluded(p.inst.ty));
                                self.l.report(&INVALID_TYPE, child.range(), message);
                                p.inst.ty = TypeId::ERROR;
                            }
                            p.first_ty = Some(p.inst.ty);
                            let start = call.ret_attrs.start;
                            call.ret_attrs.len = self.l.tables.attrs.len() as u32 - start;
                        } else {
                            p.last_ty = self.l.ty(child);
                        }
                    }
                    ATTR => {
                        let place = if p.first_ty.is_none() { Place::Return } else { Place::Function };
                        self.l.attribute(child, place);
                    }
                    VALUE if callee.is_none() => {
                        let space = call.address_space.unwrap_or(0);
                        let ty = self.l.tables.types.ptr(space);
                        callee = Some(self.l.value(child, ty));
                    }
                    VALUE => destinations.push(self.l.value(child, p.last_ty)),
                    ARG_LIST => {
                        self.args(child, &mut call);
                        call.fn_attrs.start = self.l.tables.attrs.len() as u32;
                    }
                    BUNDLE_LIST => {
                        call.fn_attrs.len = self.l.tables.attrs.len() as u32 - call.fn_attrs.start;
                        self.bundles(child, &mut call);
                    }
                    ATTACHMENT => {
                        self.l.attachment(child);
                        p.inst.attachments.len += 1;
                    }
                    _ => {}
                },
            }
        }
        if call.bundles.is_empty() {
            call.fn_attrs.len =
                self.l.tables.attrs.len() as u32 - call.fn_attrs.start.min(self.l.tables.attrs.len() as u32);
        }
        if let Some((operand, range)) = callee {
            call.callee = self.l.push_operand(operand, range);
        }
        let start = self.l.pending.len();
        self.l.pending.append(&mut destinations);
        call.destinations = self.l.commit(start);
        self.l.replace_attachments(p.inst.attachments);
        let mut inst = p.inst;
        inst.operands = call.args;
        inst.extra = self.body.calls.len() as u32;
        self.body.calls.push(call);
        let result = match self.l.tables.types.get(inst.ty) {
            Type::Function { result, .. } => result,
            _ => inst.ty,
        };
        // Whether a call whose type was not understood gives a value shows in whether it is named.
        let has_result = result != TypeId::VOID && (!result.is_error() || name.is_some());
        if result == TypeId::VOID && name.is_some() {
            self.push(inst, name, false, node.range());
        } else {
            self.push(inst, name, has_result, node.range());
        }
    }

    fn args(&mut self, node: LlvmNode<'_>, call: &mut Call) {
        let start = self.l.pending.len();
        call.arg_attrs.start = self.body.cold.arg_attrs.len() as u32;
        for element in node.elements() {
            match element {
                Element::Node(arg) if arg.kind() == ARG => {
                    let mut ty = TypeId::ERROR;
                    let attrs_start = self.l.tables.attrs.len() as u32;
                    let mut value = (Operand { ty, value: Value::Error }, arg.range());
                    for child in arg.children() {
                        match child.kind() {
                            TYPE => {
                                let any = self.l.any_type(child);
                                ty = self.l.parameter_type(any, child.range());
                            }
                            ATTR => self.l.attribute(child, Place::Parameter),
                            VALUE => value = self.l.value(child, ty),
                            _ => value = self.metadata_operand(child),
                        }
                    }
                    self.l.pending.push(value);
                    let len = self.l.tables.attrs.len() as u32 - attrs_start;
                    self.body.cold.arg_attrs.push(Span { start: attrs_start, len });
                    call.arg_attrs.len += 1;
                }
                Element::Token(t) if t.kind() == ELLIPSIS => call.ellipsis = true,
                _ => {}
            }
        }
        call.args = self.l.commit(start);
    }

    fn bundles(&mut self, node: LlvmNode<'_>, call: &mut Call) {
        call.bundles.start = self.body.cold.bundles.len() as u32;
        for bundle in node.children().filter(|n| n.kind() == BUNDLE) {
            let Some(tag) = bundle.token(STRING) else { continue };
            let tag = self.l.string(tag);
            let start = self.l.pending.len();
            let mut ty = TypeId::ERROR;
            for child in bundle.children() {
                let operand = match child.kind() {
                    TYPE => {
                        ty = self.l.ty(child);
                        continue;
                    }
                    VALUE => self.l.value(child, ty),
                    _ => self.metadata_operand(child),
                };
                self.l.pending.push(operand);
            }
            let operands = self.l.commit(start);
            self.body.cold.bundles.push(Bundle { tag, operands, range: bundle.range() });
            call.bundles.len += 1;
        }
    }
}

fn ordering(word: OrderingWord) -> Ordering {
    match word {
        OrderingWord::Unordered => Ordering::Unordered,
        OrderingWord::Monotonic => Ordering::Monotonic,
        OrderingWord::Acquire => Ordering::Acquire,
        OrderingWord::Release => Ordering::Release,
        OrderingWord::AcqRel => Ordering::AcqRel,
        OrderingWord::SeqCst => Ordering::SeqCst,
    }
}
