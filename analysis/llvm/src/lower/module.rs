//! Module-level entities.

use std::sync::Arc;

use thin_vec::ThinVec;
use wavelens_syntax::llvm::LlvmKind::*;
use wavelens_syntax::machine::{Element, Kind};

use super::attributes::Place;
use super::types::excluded;
use super::{Bodies, LlvmNode, LlvmToken, Lower, text};
use crate::Lowered;
use crate::arena::{IndexKind, IndexUse};
use crate::attribute;
use crate::body::Body;
use crate::metadata::MdValue;
use crate::operand::{Operand, OperandId, Value};
use crate::summary::{
    AddressSpace, Alias, AttrGroup, Comdat, ComdatKind, ComdatRef, DllStorage, Global, GlobalHead,
    IndexEntry, Item, Linkage, MetadataDef, NamedMetadata, Summary, TypeDef, UnnamedAddr, UseListOrder,
    Visibility,
};
use crate::types::{Span, TypeId};
use wavelens_base::configuration::Stated;
use wavelens_base::{Dialect, TextRange};

/// A chunk's module-level content under construction.
pub(super) struct ModuleLower {
    pub(super) l: Lower,
    pub(super) summary: Summary,
    pub(super) bodies: Vec<Body>,
    pub(super) read_bodies: Bodies,
    /// Names of the parameters in [`Summary::params`].
    pub(super) param_ranges: ThinVec<TextRange>,
    items: ThinVec<TextRange>,
    item_spans: ThinVec<TextRange>,
}

/// The part of a chunk in which RUN lines are looked for: not the body of a function, which its outline does not have.
fn outside_body(text: &str) -> &str {
    match text.starts_with("define") {
        true => text.rfind("\n}").and_then(|end| text.get(end..)).unwrap_or(""),
        false => text,
    }
}

pub(super) fn lower(root: LlvmNode<'_>, read_bodies: Bodies) -> Lowered {
    let mut m = ModuleLower {
        read_bodies,
        l: Lower::new(None),
        summary: Summary::default(),
        bodies: Vec::new(),
        param_ranges: ThinVec::new(),
        items: ThinVec::new(),
        item_spans: ThinVec::new(),
    };
    for node in root.children() {
        m.summary.has_entities |= !matches!(node.kind(), SOURCE_FILENAME | TARGET_DEF | ERROR);
        match node.kind() {
            FUNCTION => m.function(node),
            METADATA_DEF => m.metadata_def(node),
            NAMED_METADATA_DEF => m.named_metadata(node),
            GLOBAL_DEF => m.global(node),
            ALIAS_DEF => m.alias(node),
            TYPE_DEF => m.type_def(node),
            ATTR_GROUP_DEF => m.attr_group(node),
            COMDAT_DEF => m.comdat(node),
            SOURCE_FILENAME => m.source_filename(node),
            TARGET_DEF => m.target(node),
            MODULE_ASM => m.summary.cold.has_assembly = true,
            SUMMARY_ENTRY => m.index_entry(node),
            USE_LIST_ORDER => {
                let item = m.item(node.range(), node);
                let order = super::use_lists::use_list_order(&mut m.l, node);
                m.summary.cold.use_list_orders.extend(order.map(|(of, count)| UseListOrder {
                    of,
                    count,
                    item,
                }));
            }
            _ => {}
        }
    }
    let stated = Stated::in_comments(Dialect::Llvm, outside_body(root.text()));
    if stated != Stated::default() {
        m.summary.cold.stated = stated;
    }
    m.summary.items = m.items.len() as u32;
    m.items.push(TextRange::empty(root.range().end()));
    m.summary.tables = m.l.tables;
    m.summary.shrink();
    m.l.ranges.shrink();
    m.items.shrink_to_fit();
    m.item_spans.shrink_to_fit();
    m.param_ranges.shrink_to_fit();
    m.bodies.shrink_to_fit();
    Lowered {
        summary: Arc::new(m.summary),
        ranges: m.l.ranges,
        items: m.items,
        item_spans: m.item_spans,
        param_ranges: m.param_ranges,
        bodies: m.bodies,
        diagnostics: m.l.diagnostics,
    }
}

impl ModuleLower {
    fn item(&mut self, name: TextRange, node: LlvmNode<'_>) -> u32 {
        self.items.push(name);
        self.item_spans.push(node.range());
        self.l.item = self.items.len() as u32 - 1;
        self.l.item
    }

    /// The words before a global's or function's type.
    pub(super) fn head(&mut self, node: LlvmNode<'_>) -> Option<GlobalHead> {
        let name = node.tokens().find(|t| matches!(t.kind(), GLOBAL | GLOBAL_ID))?;
        let mut head = GlobalHead {
            name: self.l.symbol(name),
            item: self.item(name.range(), node),
            linkage: Linkage::Implicit,
            visibility: Visibility::Default,
            dll_storage: DllStorage::None,
            is_thread_local: false,
            unnamed_addr: UnnamedAddr::None,
            dso_local: false,
            address_space: None,
            partition: None,
        };
        let mut address_space = false;
        for token in node.tokens() {
            match token.kind() {
                LINKAGE_KW | WEAK_KW => head.linkage = linkage(token.text()),
                DSO_KW => head.dso_local = token.text() == "dso_local",
                VISIBILITY_KW => {
                    head.visibility = match token.text() {
                        "hidden" => Visibility::Hidden,
                        "protected" => Visibility::Protected,
                        _ => Visibility::Default,
                    };
                }
                DLL_KW => {
                    head.dll_storage =
                        if token.text() == "dllimport" { DllStorage::Import } else { DllStorage::Export };
                }
                THREAD_LOCAL_KW => head.is_thread_local = true,
                UNNAMED_ADDR_KW => {
                    head.unnamed_addr =
                        if token.text() == "unnamed_addr" { UnnamedAddr::Global } else { UnnamedAddr::Local };
                }
                ADDRSPACE_KW => address_space = true,
                NUMBER if address_space => {
                    head.address_space = self.l.address_space_number(token).map(AddressSpace::Number);
                    address_space = false;
                }
                STRING if address_space => {
                    let letter = text::unquote(token.text()).bytes().next().unwrap_or(b'P');
                    if !matches!(&*text::unquote(token.text()), "A" | "G" | "P") {
                        let rule = &crate::lower::rules::INVALID_TYPE;
                        self.l.report(
                            rule,
                            token.range(),
                            "expected \"A\", \"G\" or \"P\" as a symbolic address space",
                        );
                    }
                    head.address_space = Some(AddressSpace::Symbolic(letter));
                    address_space = false;
                }
                _ => {}
            }
        }
        Some(head)
    }

    fn source_filename(&mut self, node: LlvmNode<'_>) {
        let Some(string) = node.token(STRING) else { return };
        let item = self.item(string.range(), node);
        self.summary.cold.targets.push(Item { item, value: self.summary.has_entities });
        self.summary.cold.source_filename = Some(self.l.string(string));
    }

    fn target(&mut self, node: LlvmNode<'_>) {
        let Some(string) = node.token(STRING) else { return };
        let item = self.item(string.range(), node);
        self.summary.cold.targets.push(Item { item, value: self.summary.has_entities });
        let value = Some(Item { item, value: self.l.string(string) });
        if node.token(TRIPLE_KW).is_some() {
            self.summary.cold.triple = value;
        } else {
            self.summary.cold.data_layout = value;
        }
    }

    fn type_def(&mut self, node: LlvmNode<'_>) {
        let Some(name) = node.first_token() else { return };
        let symbol = self.l.symbol(name);
        let item = self.item(name.range(), node);
        let opaque = node.token(OPAQUE_KW).is_some();
        let ty = node.child(TYPE).map(|n| self.l.ty(n)).unwrap_or(TypeId::ERROR);
        self.summary.cold.type_defs.push(TypeDef { name: symbol, item, ty: (!opaque).then_some(ty) });
    }

    fn comdat(&mut self, node: LlvmNode<'_>) {
        let Some(name) = node.first_token() else { return };
        let Some(id) = self.l.symbol(name).as_name() else { return };
        let item = self.item(name.range(), node);
        let kind = node.tokens().last().map_or("", |t| t.text());
        let kind = match kind {
            "any" => ComdatKind::Any,
            "exactmatch" => ComdatKind::ExactMatch,
            "largest" => ComdatKind::Largest,
            "nodeduplicate" => ComdatKind::NoDeduplicate,
            "samesize" => ComdatKind::SameSize,
            _ => ComdatKind::Error,
        };
        self.summary.cold.comdats.push(Comdat { name: id, item, kind });
    }

    fn attr_group(&mut self, node: LlvmNode<'_>) {
        let Some(name) = node.token(ATTR_GROUP_ID) else { return };
        let number = text::number(name.text().get(1..).unwrap_or(""));
        let item = self.item(name.range(), node);
        let attrs = self.l.attributes(node.children(), Place::Function);
        if attrs.is_empty() && node.token(R_BRACE).is_some() && node.token(WORD).is_none() {
            let rule = &crate::lower::rules::INVALID_ATTRIBUTE;
            self.l.report(rule, node.range(), "the attribute group has no attributes");
        }
        let ruled = attribute::ruled(&self.l.tables, self.l.tables.attrs(attrs));
        self.summary.cold.attr_groups.push(AttrGroup { number, item, attrs, ruled });
    }

    fn index_entry(&mut self, node: LlvmNode<'_>) {
        let mut tokens = node.tokens().filter(|t| !t.kind().is_trivia());
        let Some(id) = tokens.next() else { return };
        let item = self.item(id.range(), node);
        let number = |t: LlvmToken<'_>| text::number(t.text().get(1..).unwrap_or(""));
        let kind = match tokens.nth(1).map_or("", |t| t.text()) {
            "gv" => IndexKind::GlobalValue,
            "module" => IndexKind::Module,
            "typeid" | "typeidCompatibleVTable" => IndexKind::TypeId,
            _ => IndexKind::Other,
        };
        self.summary.cold.index.push(IndexEntry { number: number(id), item, kind });
        // What `name:` last stood before a value, list or reference.
        let mut field = "";
        let mut last = "";
        for token in tokens {
            match token.kind() {
                COLON => field = last,
                SUMMARY_ID => {
                    let kind = match field {
                        "module" => IndexKind::Module,
                        "typeTests" | "vFuncId" => IndexKind::TypeId,
                        _ => IndexKind::GlobalValue,
                    };
                    let (number, range) = (number(token), token.range());
                    self.l.ranges.cold.index_uses.push(IndexUse { number, kind, item, range });
                }
                STRING if field == "name" && kind == IndexKind::GlobalValue => {
                    let name = self.l.string(token);
                    self.l.ranges.cold.index_names.push((name, item, token.range()));
                }
                _ => {}
            }
            last = token.text();
        }
    }

    fn metadata_def(&mut self, node: LlvmNode<'_>) {
        let Some(number) = node.token(NUMBER) else { return };
        let range = TextRange::new(node.range().start(), number.range().end());
        let distinct = node.token(DISTINCT_KW).is_some();
        let MdValue::Number(number) = self.l.metadata_number(number) else { return };
        let item = self.item(range, node);
        let index = match node.child(METADATA_NODE) {
            Some(child) => self.l.metadata_node(child, distinct),
            None => {
                // Something was to be defined here: do not report its uses too.
                self.l.tables.cold.md_nodes.push(crate::metadata::MdNode {
                    kind: crate::metadata::MdKind::Unknown,
                    distinct,
                    fields: Span::default(),
                });
                self.l.ranges.cold.md_nodes.push(range);
                self.l.tables.cold.md_nodes.len() as u32 - 1
            }
        };
        self.summary.cold.metadata.push(MetadataDef { number, item, node: index });
    }

    fn named_metadata(&mut self, node: LlvmNode<'_>) {
        let Some(name) = node.first_token() else { return };
        let id = self.l.tables.names.intern(&text::unescape(name.text().get(1..).unwrap_or("")));
        let item = self.item(name.range(), node);
        let start = self.summary.cold.named_metadata_values.len() as u32;
        for child in node.children() {
            let value = self.l.metadata(child);
            self.summary.cold.named_metadata_values.push(value);
            self.l.named_metadata_range(child.range());
        }
        let values = Span { start, len: self.summary.cold.named_metadata_values.len() as u32 - start };
        self.summary.cold.named_metadata.push(NamedMetadata { name: id, item, values });
    }

    fn global(&mut self, node: LlvmNode<'_>) {
        let Some(mut head) = self.head(node) else { return };
        let mut global = Global {
            head,
            is_constant: false,
            externally_initialized: false,
            ty: TypeId::ERROR,
            init: None,
            section: None,
            comdat: None,
            align: 0,
            code_model: None,
            sanitizers: 0,
            attrs: Span { start: self.l.tables.attrs.len() as u32, len: 0 },
            attachments: Span { start: self.l.tables.cold.attachments.len() as u32, len: 0 },
        };
        let mut last = None;
        for element in node.elements() {
            match element {
                Element::Node(n) => match n.kind() {
                    TYPE => {
                        let ty = self.l.ty(n);
                        let bad =
                            matches!(ty, TypeId::LABEL | TypeId::METADATA | TypeId::TOKEN | TypeId::X86_AMX)
                                || self.l.tables.types.is_function(ty);
                        if bad {
                            let rule = &crate::lower::rules::INVALID_TYPE;
                            let message = format!("a global variable must not have {}", excluded(ty));
                            self.l.report(rule, n.range(), message);
                        }
                        global.ty = if bad { TypeId::ERROR } else { ty };
                    }
                    VALUE => {
                        let (operand, range) = self.l.value(n, global.ty);
                        global.init = Some(self.l.push_operand(operand, range));
                    }
                    ATTR => self.l.attribute(n, Place::Function),
                    ATTACHMENT => {
                        self.l.attachment(n);
                        global.attachments.len += 1;
                    }
                    _ => {}
                },
                Element::Token(t) => {
                    match t.kind() {
                        CONSTANT_KW => global.is_constant = true,
                        EXTERNALLY_INITIALIZED_KW => global.externally_initialized = true,
                        STRING => match last {
                            Some(SECTION_KW) => global.section = Some(self.l.string(t)),
                            Some(PARTITION_KW) => head.partition = Some(self.l.string(t)),
                            Some(CODE_MODEL_KW) => {
                                if !matches!(
                                    t.text(),
                                    "\"tiny\"" | "\"small\"" | "\"kernel\"" | "\"medium\"" | "\"large\""
                                ) {
                                    let rule = &crate::lower::rules::INVALID_ATTRIBUTE;
                                    let message = "unknown code model: expected \"tiny\", \"small\", \"kernel\", \"medium\" or \"large\"";
                                    self.l.report(rule, t.range(), message);
                                }
                                global.code_model = Some(self.l.string(t));
                            }
                            _ => {}
                        },
                        NUMBER if last == Some(ALIGN_KW) => global.align = self.l.alignment(t),
                        COMDAT_KW => {
                            let replaced = global.comdat.replace(self.own_comdat(&head, node, t));
                            if let Some(comdat) = replaced {
                                self.summary.cold.replaced_comdats.push((head, comdat));
                            }
                        }
                        COMDAT => global.comdat = self.l.symbol(t).as_name().map(ComdatRef::Named),
                        NO_SANITIZE_ADDRESS_KW => global.sanitizers |= 1,
                        NO_SANITIZE_HWADDRESS_KW => global.sanitizers |= 2,
                        SANITIZE_MEMTAG_KW => global.sanitizers |= 4,
                        SANITIZE_ADDRESS_DYNINIT_KW => global.sanitizers |= 8,
                        _ => {}
                    }
                    last = Some(t.kind());
                }
            }
        }
        global.head = head;
        global.attrs.len = self.l.tables.attrs.len() as u32 - global.attrs.start;
        self.summary.globals.push(global);
    }

    /// At `comdat`: without a name it is the global's, which must have one.
    pub(super) fn own_comdat(
        &mut self,
        head: &GlobalHead,
        node: LlvmNode<'_>,
        token: LlvmToken<'_>,
    ) -> ComdatRef {
        let mut after = node.tokens().skip_while(|t| t.range().end() <= token.range().end());
        let has_name = after.next().is_some_and(|t| t.kind() == L_PAREN);
        if !has_name && self.l.tables.names.is_unnamed(head.name) {
            let rule = &crate::lower::rules::INVALID_LINKAGE;
            self.l.report(rule, token.range(), "missing name of the comdat");
        }
        ComdatRef::Own
    }

    fn alias(&mut self, node: LlvmNode<'_>) {
        let Some(mut head) = self.head(node) else { return };
        let mut types = node.children().filter(|n| n.kind() == TYPE);
        let ty = types.next().map_or(TypeId::ERROR, |n| self.l.any_type(n));
        let target_ty = types.next().map(|n| self.l.ty(n));
        let mut target = None;
        if let Some(value) = node.child(VALUE) {
            // An expression's type is its own.
            let (mut operand, range) = self.l.value(value, target_ty.unwrap_or(TypeId::ERROR));
            if target_ty.is_none() {
                operand.ty = self.expression_type(operand);
            }
            target = Some(self.l.push_operand(operand, range));
        }
        let mut attachments = Span { start: self.l.tables.cold.attachments.len() as u32, len: 0 };
        for attachment in node.children().filter(|n| n.kind() == ATTACHMENT) {
            self.l.attachment(attachment);
            attachments.len += 1;
        }
        if let Some(string) = node.token(STRING) {
            head.partition = Some(self.l.string(string));
        }
        let target = target.unwrap_or_else(|| {
            let error = Operand { ty: TypeId::ERROR, value: Value::Error };
            self.l.push_operand(error, node.range())
        });
        let is_ifunc = node.token(IFUNC_KW).is_some();
        self.summary.cold.aliases.push(Alias { head, is_ifunc, ty, target, attachments });
    }

    /// The type of a cast or getelementptr expression without one before it.
    fn expression_type(&self, operand: Operand) -> TypeId {
        let tables = &self.l.tables;
        let Some(crate::operand::Const::Expr(index)) = tables.const_of(operand) else {
            return TypeId::ERROR;
        };
        let Some(expr) = tables.cold.exprs.get(index as usize) else { return TypeId::ERROR };
        if expr.opcode.is_cast() { expr.ty } else { tables.operand(OperandId(expr.operands.start)).ty }
    }
}

impl Lower {
    fn named_metadata_range(&mut self, range: TextRange) {
        self.ranges.cold.named_metadata_values.push(range);
    }
}

fn linkage(word: &str) -> Linkage {
    match word {
        "external" => Linkage::External,
        "private" => Linkage::Private,
        "internal" => Linkage::Internal,
        "weak" => Linkage::Weak,
        "weak_odr" => Linkage::WeakOdr,
        "linkonce" => Linkage::LinkOnce,
        "linkonce_odr" => Linkage::LinkOnceOdr,
        "available_externally" => Linkage::AvailableExternally,
        "appending" => Linkage::Appending,
        "common" => Linkage::Common,
        "extern_weak" => Linkage::ExternWeak,
        _ => Linkage::Implicit,
    }
}

/// Words of calling conventions with their numbers (`llvm/IR/CallingConv.h`).
const CONVENTIONS: &[(&str, u32)] = &[
    ("ccc", 0),
    ("fastcc", 8),
    ("coldcc", 9),
    ("ghccc", 10),
    ("anyregcc", 13),
    ("preserve_mostcc", 14),
    ("preserve_allcc", 15),
    ("swiftcc", 16),
    ("cxx_fast_tlscc", 17),
    ("tailcc", 18),
    ("cfguard_checkcc", 19),
    ("swifttailcc", 20),
    ("preserve_nonecc", 21),
    ("x86_stdcallcc", 64),
    ("x86_fastcallcc", 65),
    ("arm_apcscc", 66),
    ("arm_aapcscc", 67),
    ("arm_aapcs_vfpcc", 68),
    ("msp430_intrcc", 69),
    ("x86_thiscallcc", 70),
    ("ptx_kernel", 71),
    ("ptx_device", 72),
    ("spir_func", 75),
    ("spir_kernel", 76),
    ("intel_ocl_bicc", 77),
    ("x86_64_sysvcc", 78),
    ("win64cc", 79),
    ("x86_vectorcallcc", 80),
    ("hhvmcc", 81),
    ("hhvm_ccc", 82),
    ("x86_intrcc", 83),
    ("avr_intrcc", 84),
    ("avr_signalcc", 85),
    ("amdgpu_vs", 87),
    ("amdgpu_gs", 88),
    ("amdgpu_ps", 89),
    ("amdgpu_cs", 90),
    ("amdgpu_kernel", 91),
    ("x86_regcallcc", 92),
    ("amdgpu_hs", 93),
    ("amdgpu_ls", 95),
    ("amdgpu_es", 96),
    ("aarch64_vector_pcs", 97),
    ("aarch64_sve_vector_pcs", 98),
    ("amdgpu_gfx", 100),
    ("aarch64_sme_preservemost_from_x0", 102),
    ("aarch64_sme_preservemost_from_x2", 103),
    ("amdgpu_cs_chain", 104),
    ("amdgpu_cs_chain_preserve", 105),
    ("m68k_rtdcc", 106),
    ("graalcc", 107),
    ("riscv_vector_cc", 110),
    ("aarch64_sme_preservemost_from_x1", 111),
    ("amdgpu_gfx_whole_wave", 124),
    ("cheriot_compartmentcallcc", 125),
    ("cheriot_compartmentcalleecc", 126),
    ("cheriot_librarycallcc", 127),
];

/// The number of a calling convention.
pub(super) fn calling_convention(word: &str) -> u32 {
    CONVENTIONS.iter().find(|(w, _)| *w == word).map_or(0, |(_, number)| *number)
}

/// A calling convention as LLVM writes it.
pub(crate) fn convention_name(number: u32) -> String {
    let word = CONVENTIONS.iter().find(|(_, n)| *n == number).map(|(word, _)| (*word).to_owned());
    word.unwrap_or_else(|| format!("cc {number}"))
}
