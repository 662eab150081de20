//! Functions: header and body.

use rustc_hash::FxHashSet;
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::Element;

use super::attributes::Place;
use super::locals::{Locals, undefined};
use super::module::ModuleLower;
use super::{Bodies, LlvmNode, LlvmToken, Lower};
use crate::body::{Block, Body, DebugRecord, DebugRecordKind, InstId, Local, LocalKind, is_debug_call};
use crate::lower::rules::UNDEFINED_VALUE;
use crate::metadata::MdValue;
use crate::names::Symbol;
use crate::operand::LocalId;
use crate::summary::{DebugFormat, Function, Ordered, Param};
use crate::types::{Span, TypeId};
use wavelens_base::TextRange;

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
                        undefined(count, LocalId(id as u32), local, &locals, &body.insts, &self.l);
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
