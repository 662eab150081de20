//! Functions: header, body, and what `%` names mean.

use std::cell::LazyCell;

use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::Element;
use wavelens_syntax::{differ_in_number, wording};

use super::attributes::Place;
use super::module::ModuleLower;
use super::{Bodies, LlvmNode, LlvmToken, Lower};
use crate::body::{
    Block, Body, DebugRecord, DebugRecordKind, Inst, InstId, Local, LocalKind, Opcode, is_debug_call,
};
use crate::lower::rules::UNDEFINED_VALUE;
use crate::lower::rules::{DUPLICATE_NAME, WRONG_NUMBER};
use crate::metadata::MdValue;
use crate::names::{MAX_COMPARISONS, Names, Symbol, display, suggestion};
use crate::operand::{BlockAddress, LocalId, Operand, Value};
use crate::summary::{DebugFormat, Function, Ordered, Param};
use crate::types::{Span, TypeId};
use wavelens_base::{Diagnostic, TextEdit, TextRange};

/// What `%` names mean in a function.
pub(super) struct Locals {
    pub(super) locals: ThinVec<Local>,
    named: Vec<u32>,
    numbered: FxHashMap<u32, u32>,
    /// The next number that an unnamed value gets.
    next: u32,
    /// The last number that left others out.
    jump: Option<Jump>,
    /// Within a constant.
    pub(super) forbidden: bool,
    /// The function's own name, to recognise its block addresses.
    function: String,
    block_addresses: ThinVec<(Symbol, TextRange)>,
    /// Those that were used as a block before anything defined them, in order.
    used_as_block: Vec<LocalId>,
    /// The number of the first block, if it has no label.
    entry_number: Option<u32>,
}

/// A number that left out those before it.
#[derive(Debug, Clone, Copy)]
struct Jump {
    number: u32,
    /// The first one that is left out.
    expected: u32,
    range: TextRange,
    is_block: bool,
}

const NONE: u32 = u32::MAX;

impl Jump {
    /// The finding at the number that is too high, since the next one, at `after`, is not.
    fn diagnostic(self, after: TextRange, what: &str) -> wavelens_base::Diagnostic {
        let Jump { number, expected, range, is_block } = self;
        let own = if is_block { "block" } else { "instruction" };
        let meant = if is_block { format!("{expected}:") } else { format!("%{expected}") };
        let message = format!(
            "expected number {expected} for this {own}, found {number}: the next {what} has number {}",
            expected + 1
        );
        wavelens_base::Diagnostic::new(&WRONG_NUMBER, range, message)
            .related(wavelens_base::Place::Here(after), wording::REFERENCE)
            .guess(format!("Renumber to `{meant}`"), range, meant.clone())
    }
}

impl Locals {
    /// Lets uses of the number that was meant find what has another one.
    fn rename(&mut self, jump: Jump) {
        let Some(id) = self.find(Symbol::number(jump.number)) else { return };
        let meant = Symbol::number(jump.expected);
        let Some(local) = self.locals.get(id.0 as usize).map(|local| (local.kind, local.range)) else {
            return;
        };
        match self.find(meant).and_then(|id| self.locals.get_mut(id.0 as usize)) {
            Some(used) if used.kind == LocalKind::Undefined => (used.kind, used.range) = local,
            Some(_) => {}
            None => self.insert(meant, id),
        }
    }

    fn new(function: String) -> Self {
        Locals {
            locals: ThinVec::new(),
            named: Vec::new(),
            numbered: FxHashMap::default(),
            next: 0,
            jump: None,
            forbidden: false,
            function,
            block_addresses: ThinVec::new(),
            used_as_block: Vec::new(),
            entry_number: None,
        }
    }

    fn find(&self, symbol: Symbol) -> Option<LocalId> {
        match symbol.as_name() {
            Some(name) => self.named.get(name.0 as usize).copied().filter(|id| *id != NONE),
            None => self.numbered.get(&symbol.as_number()?).copied(),
        }
        .map(LocalId)
    }

    fn insert(&mut self, symbol: Symbol, id: LocalId) {
        match symbol.as_name() {
            Some(name) => {
                let index = name.0 as usize;
                if self.named.len() <= index {
                    self.named.resize(index + 1, NONE);
                }
                self.named[index] = id.0;
            }
            None => {
                self.numbered.insert(symbol.as_number().unwrap_or(0), id.0);
            }
        }
    }

    /// The local that a use means; a new, for now undefined one if it is the first to name it.
    #[inline]
    pub(super) fn used(&mut self, symbol: Symbol, range: TextRange, is_block: bool) -> LocalId {
        if let Some(id) = self.find(symbol) {
            return id;
        }
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: symbol, kind: LocalKind::Undefined, range });
        self.insert(symbol, id);
        if is_block {
            self.used_as_block.push(id);
        }
        id
    }
}

impl Lower {
    /// Notes a block address of this function's own blocks: they must exist.
    pub(super) fn block_address_of(&mut self, address: BlockAddress, block: LlvmToken<'_>) {
        let Some(locals) = &mut self.locals else { return };
        let own = address.function.as_name().is_some_and(|n| self.tables.names.get(n) == locals.function);
        if own {
            locals.block_addresses.push((address.block, block.range()));
        }
    }

    /// Defines what a name means; a second definition gets a local that no use finds. The second definition of a number is reported
    /// once, as a wrong number.
    fn define(&mut self, symbol: Symbol, kind: LocalKind, range: TextRange) -> LocalId {
        let Some(locals) = &mut self.locals else { return LocalId(0) };
        let new = LocalId(locals.locals.len() as u32);
        match locals.find(symbol) {
            Some(id) => match locals.locals.get_mut(id.0 as usize) {
                Some(local) if local.kind == LocalKind::Undefined => {
                    (local.kind, local.range) = (kind, range);
                    id
                }
                first => {
                    let first = first.map(|f| f.range);
                    locals.locals.push(Local { name: symbol, kind, range });
                    if symbol.as_number().is_some() {
                        // `numbered` reported it. An unlabelled block is not meant by the uses that follow.
                        if first.is_some_and(|f| f.is_empty()) {
                            locals.insert(symbol, new);
                        }
                        return new;
                    }
                    let name = symbol.display('%', &self.tables.names);
                    let mut diagnostic =
                        wavelens_base::Diagnostic::new(&DUPLICATE_NAME, range, wording::redefinition(name));
                    if let Some(first) = first {
                        diagnostic = diagnostic.related(wavelens_base::Place::Here(first), wording::PREVIOUS);
                    }
                    self.diagnostics.push(diagnostic);
                    new
                }
            },
            None => {
                locals.locals.push(Local { name: symbol, kind, range });
                locals.insert(symbol, new);
                new
            }
        }
    }

    /// The symbol of something that has or gets a number; reports a number that was passed already.
    fn numbered(&mut self, written: Option<(Symbol, TextRange)>, what: &str) -> Symbol {
        let Some(locals) = &mut self.locals else { return Symbol::number(0) };
        let next = locals.next;
        let written = written
            .filter(|(symbol, _)| symbol.as_number().is_some() || !self.tables.names.is_unnamed(*symbol));
        match written {
            Some((symbol, range)) => {
                if let Some(number) = symbol.as_number() {
                    if let Some(jump) = locals.jump.take_if(|jump| number == jump.expected + 1) {
                        // One number was changed: those after it go on from the one that it had.
                        locals.next = number + 1;
                        locals.rename(jump);
                        self.diagnostics.push(jump.diagnostic(range, what));
                    } else if number < next {
                        // Someone who changed one number wants the others to go on from there.
                        let mut message = format!("expected number {next} or higher for this {what}");
                        if locals.entry_number == Some(number) {
                            message =
                                format!("`%{number}` is the first block, which has no label: {message}");
                        }
                        let sigil = if what == "block" { "" } else { "%" };
                        self.diagnostics.push(
                            wavelens_base::Diagnostic::new(&WRONG_NUMBER, range, message).guess(
                                format!("Renumber to `{sigil}{next}`"),
                                range,
                                format!("{sigil}{next}{}", if what == "block" { ":" } else { "" }),
                            ),
                        );
                    } else {
                        let jump = Jump { number, expected: next, range, is_block: what == "block" };
                        locals.jump = (number > next).then_some(jump).or(locals.jump);
                        locals.next = number + 1;
                    }
                }
                symbol
            }
            None => {
                locals.next += 1;
                Symbol::number(next)
            }
        }
    }
}

/// A body under construction.
pub(super) struct BodyLower {
    pub(super) l: Lower,
    pub(super) body: Body,
    /// Parameters that could not be read are not undefined.
    is_header_read: bool,
    /// Names of instructions without a result: their uses are not reported too.
    pub(super) void_names: FxHashSet<Symbol>,
}

impl BodyLower {
    /// Names the result of an instruction that has one.
    pub(super) fn define_result(
        &mut self,
        name: Option<LlvmToken<'_>>,
        inst: u32,
        range: TextRange,
    ) -> LocalId {
        let written = name.map(|t| (self.l.symbol(t), t.range()));
        let symbol = self.l.numbered(written, "instruction");
        let range = written.map_or(range, |(_, r)| r);
        self.l.define(symbol, LocalKind::Inst(inst), range)
    }

    fn block(&mut self, node: LlvmNode<'_>) {
        let number = self.body.blocks.len() as u32;
        let label = node.child(LABEL_DEF).and_then(|l| l.first_token());
        let (symbol, range) = match label {
            Some(token) => {
                self.l.check_name(token, 0);
                let text = token.text().strip_suffix(':').unwrap_or(token.text());
                let name = if token.kind() == LABEL_ID {
                    Symbol::number(super::text::number(text))
                } else {
                    Symbol::name(self.l.tables.names.intern(&super::text::unquote(text)))
                };
                (self.l.numbered(Some((name, token.range())), "block"), token.range())
            }
            None => {
                let start = node.range().start();
                let symbol = self.l.numbered(None, "block");
                if let (0, Some(locals)) = (number, &mut self.l.locals) {
                    locals.entry_number = symbol.as_number();
                }
                (symbol, TextRange::empty(start))
            }
        };
        let local = self.l.define(symbol, LocalKind::Block(number), range);
        let start = self.body.insts.len() as u32;
        self.body.blocks.push(Block { local, insts: Span { start, len: 0 } });
        for child in node.children() {
            match child.kind() {
                INST => self.instruction(child),
                DEBUG_RECORD => self.record(child, number),
                _ => {}
            }
        }
        let len = self.body.insts.len() as u32 - start;
        if let Some(block) = self.body.blocks.last_mut() {
            block.insts.len = len;
        }
    }

    fn use_list_order(&mut self, node: LlvmNode<'_>) {
        if let Some((Ordered::Local(local), count)) = super::use_lists::use_list_order(&mut self.l, node) {
            self.body.cold.use_list_orders.push((local, count, node.range()));
        }
    }

    fn record(&mut self, node: LlvmNode<'_>, block: u32) {
        let kind = match node.tokens().nth(1).map_or("", |t| t.text()) {
            "dbg_value" => DebugRecordKind::Value,
            "dbg_declare" => DebugRecordKind::Declare,
            "dbg_declare_value" => DebugRecordKind::DeclareValue,
            "dbg_assign" => DebugRecordKind::Assign,
            "dbg_label" => DebugRecordKind::Label,
            _ => return,
        };
        let values: Vec<MdValue> = node.children().map(|n| self.l.metadata(n)).collect();
        self.l.ranges.cold.md_values.extend(node.children().map(|n| n.range()));
        let start = self.l.tables.cold.md_values.len() as u32;
        let len = values.len() as u32;
        self.l.tables.cold.md_values.extend(values);
        self.body.cold.records.push(DebugRecord {
            kind,
            block,
            before: InstId(self.body.insts.len() as u32),
            values: Span { start, len },
            range: node.range(),
        });
    }

    fn finish(mut self, function: u32, range: TextRange) -> (Body, Vec<wavelens_base::Diagnostic>) {
        let mut body = self.body;
        if let Some(locals) = self.l.locals.take() {
            let mut count = 0;
            for (id, local) in locals.locals.iter().enumerate() {
                let is_undefined =
                    local.kind == LocalKind::Undefined && !self.void_names.contains(&local.name);
                if is_undefined && self.is_header_read {
                    count += 1;
                    let diagnostic =
                        undefined((count, LocalId(id as u32)), local, &locals, &body.insts, &self.l);
                    self.l.diagnostics.push(diagnostic);
                }
            }
            for (symbol, range) in &locals.block_addresses {
                let found = locals.find(*symbol).and_then(|id| locals.locals.get(id.0 as usize));
                if !matches!(found, Some(Local { kind: LocalKind::Block(_), .. })) {
                    let name = symbol.display('%', &self.l.tables.names);
                    self.l.report(&UNDEFINED_VALUE, *range, format!("use of undefined block `{name}`"));
                }
            }
            body.cold.block_address_uses = locals.block_addresses;
            body.locals = locals.locals;
        }
        body.function = function;
        body.range = range;
        body.tables = self.l.tables;
        body.ranges = self.l.ranges;
        body.shrink();
        (body, self.l.diagnostics)
    }
}

/// The one of `defined` that differs from an undefined name in having a number or not.
fn twin(nth: usize, name: &str, defined: impl Iterator<Item = Symbol>, names: &Names) -> Option<String> {
    let word = name.trim_start_matches('%');
    let mut found = None;
    for symbol in defined.take(MAX_COMPARISONS / nth) {
        let other = symbol.display('%', names);
        if differ_in_number(word, other.trim_start_matches('%')) && found.replace(other).is_some() {
            return None;
        }
    }
    found
}

/// A local that nothing defines: names the one that was likely meant.
fn undefined(
    (nth, id): (usize, LocalId),
    local: &Local,
    locals: &Locals,
    insts: &[Inst],
    l: &Lower,
) -> Diagnostic {
    let names = &l.tables.names;
    let name = local.name.display('%', names);
    let is_used_by = |inst: &Inst| {
        let operands: &[Operand] = inst.operands.of(&l.tables.operands);
        inst.opcode != Opcode::Phi && operands.iter().any(|o| o.value == Value::Local(id))
    };
    // A phi may use what is defined later. Not looked for where names are too many to compare.
    let user = LazyCell::new(|| insts.iter().position(is_used_by));
    let is_meant = |local: &&Local| match (local.kind, *user) {
        (LocalKind::Undefined, _) => false,
        (LocalKind::Inst(index), Some(user)) => (index as usize) < user,
        _ => true,
    };
    let defined = locals.locals.iter().filter(is_meant).filter_map(|l| l.name.as_name());
    let defined = defined.map(|d| names.get(d));
    let near = local.name.as_name().and_then(|n| suggestion(nth, locals.locals.len(), names.get(n), defined));
    let is_block = locals.used_as_block.binary_search_by_key(&id.0, |id| id.0).is_ok();
    let near = near.map(|near| display('%', near)).or_else(|| {
        let is_like = |l: &&Local| is_meant(l) && matches!(l.kind, LocalKind::Block(_)) == is_block;
        twin(nth, &name, locals.locals.iter().filter(is_like).map(|l| l.name), names)
    });
    let kind = if is_block { "block" } else { "value" };
    let mut message = wording::undefined(kind, &name, near.as_deref().into_iter());
    if is_block && near.is_none() && local.name.as_name().is_some() && locals.entry_number.is_some() {
        message.push_str("; the first block of the function has no label");
    }
    let mut diagnostic = Diagnostic::new(&UNDEFINED_VALUE, local.range, message);
    let Some(near) = near else { return diagnostic };
    let operands = l.tables.operands.iter().zip(&l.ranges.operands);
    let uses = operands.filter(|(o, _)| o.value == Value::Local(id));
    diagnostic.set_guess(
        format!("Replace with `{near}`"),
        uses.map(|(_, range)| TextEdit::new(*range, near.clone())).collect(),
    );
    diagnostic
}

impl ModuleLower {
    pub(super) fn function(&mut self, node: LlvmNode<'_>) {
        let is_definition = node.first_token().is_some_and(|t| t.kind() == DEFINE_KW);
        let Some(head) = self.head(node) else {
            // What follows a type may have become a part of it.
            if let Some(result) = node.child(TYPE) {
                self.l.result_type(result);
            }
            return;
        };
        let index = self.summary.functions.len() as u32;
        let mut function = Function {
            head,
            is_definition,
            cc: 0,
            result: TypeId::ERROR,
            ret_attrs: Span::default(),
            params: Span::default(),
            vararg: false,
            attrs: Span::default(),
            section: None,
            comdat: None,
            align: 0,
            gc: None,
            prefix: None,
            prologue: None,
            personality: None,
            attachments: Span { start: self.l.tables.cold.attachments.len() as u32, len: 0 },
            escaped: 0,
        };
        let mut last = None;
        let mut attrs_start = self.l.tables.attrs.len() as u32;
        let mut data_ty = TypeId::ERROR;
        let mut ret = true;
        let mut body = None;
        for element in node.elements() {
            match element {
                Element::Node(n) => match n.kind() {
                    ATTR => {
                        let on_return = function.result.is_error() && ret;
                        self.l.attribute(n, if on_return { Place::Return } else { Place::Function });
                    }
                    TYPE if ret => {
                        ret = false;
                        function.result = self.l.result_type(n);
                        function.ret_attrs =
                            Span { start: attrs_start, len: self.l.tables.attrs.len() as u32 - attrs_start };
                    }
                    TYPE => data_ty = self.l.ty(n),
                    VALUE => {
                        let (operand, range) = self.l.value(n, data_ty);
                        let id = self.l.push_operand(operand, range);
                        match last {
                            Some(PREFIX_KW) => function.prefix = Some(id),
                            Some(PROLOGUE_KW) => function.prologue = Some(id),
                            _ => function.personality = Some(id),
                        }
                    }
                    PARAM_LIST => {
                        function.params = self.params(n, &mut function.vararg);
                        attrs_start = self.l.tables.attrs.len() as u32;
                    }
                    ATTACHMENT => {
                        self.l.attachment(n);
                        function.attachments.len += 1;
                    }
                    BODY => body = Some(n),
                    _ => {}
                },
                Element::Token(t) => {
                    self.header_token(&mut function, node, last, t);
                    if t.kind() != L_PAREN {
                        last = Some(t.kind());
                    }
                }
            }
        }
        function.attrs = Span { start: attrs_start, len: self.l.tables.attrs.len() as u32 - attrs_start };
        self.summary.functions.push(function);
        if let Some(body) = body {
            if self.read_bodies == Bodies::Skipped {
                return;
            }
            let is_header_read = node.child(ERROR).is_none();
            self.body(body, index, &function, is_header_read);
        } else {
            self.check_param_names(&function);
        }
    }

    /// A token of the header of `node`; `last` is the one before it.
    fn header_token(
        &mut self,
        function: &mut Function,
        node: LlvmNode<'_>,
        last: Option<LlvmKind>,
        t: LlvmToken<'_>,
    ) {
        match t.kind() {
            CC_KW => function.cc = super::module::calling_convention(t.text()),
            RISCV_VLS_CC_KW => function.cc = 112,
            NUMBER => match last {
                Some(CC_NUMBER_KW) => function.cc = self.l.unsigned32(t).unwrap_or(0),
                Some(ALIGN_KW) => function.align = self.l.alignment(t),
                _ => {}
            },
            STRING => match last {
                Some(SECTION_KW) => function.section = Some(self.l.string(t)),
                Some(PARTITION_KW) => function.head.partition = Some(self.l.string(t)),
                Some(GC_KW) => function.gc = Some(self.l.string(t)),
                _ => {}
            },
            COMDAT_KW => function.comdat = Some(self.own_comdat(&function.head, node, t)),
            COMDAT => function.comdat = self.l.symbol(t).as_name().map(crate::summary::ComdatRef::Named),
            _ => {}
        }
    }

    fn params(&mut self, node: LlvmNode<'_>, vararg: &mut bool) -> Span {
        let start = self.summary.params.len() as u32;
        for element in node.elements() {
            match element {
                Element::Node(param) if param.kind() == PARAM => {
                    let mut ty = TypeId::ERROR;
                    let attrs = self.l.attributes(param.children(), Place::Parameter);
                    if let Some(child) = param.child(TYPE) {
                        let any = self.l.any_type(child);
                        ty = self.l.parameter_type(any, child.range());
                    }
                    let name = param.tokens().find(|t| matches!(t.kind(), LOCAL | LOCAL_ID));
                    let symbol = name.map(|t| self.l.symbol(t));
                    self.param_ranges.push(name.map_or(param.range(), |t| t.range()));
                    self.summary.params.push(Param { ty, attrs, name: symbol });
                }
                Element::Token(t) if t.kind() == ELLIPSIS => *vararg = true,
                _ => {}
            }
        }
        Span { start, len: self.summary.params.len() as u32 - start }
    }

    /// Defines the parameters in a scope that is thrown away, for what there is to report.
    fn check_param_names(&mut self, function: &Function) {
        let mut l = self.parameters(function);
        self.l.diagnostics.append(&mut l.diagnostics);
    }

    /// A scope with the function's parameters.
    fn parameters(&mut self, function: &Function) -> Lower {
        let name = function.head.name.as_name().map_or("", |n| self.l.tables.names.get(n));
        let mut l = Lower::new(Some(Locals::new(name.to_owned())));
        for (i, index) in function.params.range().enumerate() {
            let (Some(param), Some(range)) = (self.summary.params.get(index), self.param_ranges.get(index))
            else {
                continue;
            };
            let written = param.name.map(|symbol| {
                let text = symbol.as_name().map(|n| self.l.tables.names.get(n));
                (text.map_or(symbol, |t| Symbol::name(l.tables.names.intern(t))), *range)
            });
            let symbol = l.numbered(written, "parameter");
            l.define(symbol, LocalKind::Argument(i as u32), *range);
        }
        l
    }

    fn body(&mut self, node: LlvmNode<'_>, index: u32, function: &Function, is_header_read: bool) {
        let l = self.parameters(function);
        let arguments = l.locals.as_ref().map_or(0, |l| l.locals.len() as u32);
        let mut lower = BodyLower {
            l,
            is_header_read,
            void_names: FxHashSet::default(),
            body: Body { arguments, ..Body::default() },
        };
        for child in node.children() {
            match child.kind() {
                BLOCK => lower.block(child),
                USE_LIST_ORDER => lower.use_list_order(child),
                _ => {}
            }
        }
        let (body, mut diagnostics) = lower.finish(index, node.range());
        self.l.diagnostics.append(&mut diagnostics);
        let escape = body.named_calls().find(|(.., name)| *name == "llvm.localescape");
        if let (Some((_, call, _)), Some(function)) = (escape, self.summary.functions.get_mut(index as usize))
        {
            function.escaped = call.args.len;
        }
        self.summary.debug_format = self.summary.debug_format.or_else(|| debug_format(&body));
        self.bodies.push(body);
    }
}

/// How a body says where variables are, where it first does.
fn debug_format(body: &Body) -> Option<DebugFormat> {
    let call = body.named_calls().find(|(.., name)| is_debug_call(name)).map(|(id, ..)| id);
    match (body.cold.records.first().map(|r| r.before), call) {
        (Some(record), Some(call)) if record <= call => Some(DebugFormat::Records),
        (Some(_), None) => Some(DebugFormat::Records),
        (_, Some(_)) => Some(DebugFormat::Calls),
        (None, None) => None,
    }
}
