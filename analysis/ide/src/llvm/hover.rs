//! Hover in LLVM IR.

use rustc_hash::FxHashSet;
use wavelens_base::TextSize;
use wavelens_llvm::body::{Body, InstId, LocalKind, Opcode};
use wavelens_llvm::context::{RuleContext, successors};
use wavelens_llvm::metadata::FieldName;
use wavelens_llvm::names::Names;
use wavelens_llvm::operand::{LocalId, Value};
use wavelens_llvm::scope::GlobalKind;
use wavelens_llvm::tables::Intrinsic;
use wavelens_llvm::tables::debug_words::is_debug_word;
use wavelens_llvm::tables::selection::{Groups, Selection, Selector, leaders};
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::{Node, Token};

use super::cfg::block_name;
use super::place::{Tree, body_at, function_cx, is_keyword, is_number, plain_name};
use super::{Cx, accesses, attached, decode, help, show, strings};
use crate::answers::Hover;
use crate::demangle::demangle;
use crate::markdown::{self, block, code};

/// What is shown about the word at an offset of the chunk.
pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    let tree = Tree::around(cx, at);
    let (token, path) = tree.at(at)?;
    let parent = *path.last()?;
    let mut range = token.range();
    let markdown = match token.kind() {
        LOCAL | LOCAL_ID if parent.kind() == TYPE || parent.kind() == TYPE_DEF => {
            named_type(cx, token.text())?
        }
        LOCAL | LOCAL_ID | LABEL | LABEL_ID if parent.kind() != FIELD => local(cx, token)?,
        GLOBAL | GLOBAL_ID => global(cx, token.text())?,
        COMDAT => comdat(cx, token.text())?,
        ATTR_GROUP_ID => show::attribute_group(cx.scope, plain_name(token.text()).parse().ok()?)?,
        NUMBER | EXCLAIM if matches!(parent.kind(), METADATA_REF | METADATA_DEF) => {
            let number = parent.token(NUMBER)?;
            range = number.range().cover(parent.first_token()?.range());
            show::metadata_node(cx, number.text().parse().ok()?)?
        }
        NUMBER | HEX_NUMBER => number(token, &path)?,
        HEX_FLOAT => format!("`{}`", decode::hex_float(token.text())?),
        STRING if parent.kind() == TARGET_DEF && parent.token(DATALAYOUT_KW).is_some() => {
            decode::data_layout(token.text().trim_matches('"'))
        }
        STRING if parent.kind() == ATTR => {
            let key = parent.first_token()?;
            range = parent.range();
            string_attribute(key.text().trim_matches('"')).or_else(|| keyword(key, &path))?
        }
        STRING => {
            let (own, text) = strings::hover(cx, token, at)?;
            range = own;
            text
        }
        METADATA_NAME => {
            let name = metadata_name(cx, token.text())?;
            let meaning = attachment(cx, token.text(), parent);
            meaning.map_or(name.clone(), |meaning| format!("{name}\n\nHere: {meaning}"))
        }
        INT_TYPE => format!("Integer type of {} bits.", token.text().strip_prefix('i')?),
        HASH | WORD if parent.kind() == DEBUG_RECORD => {
            let name = parent.tokens().nth(1)?;
            range = parent.first_token()?.range().cover(name.range());
            help::word(&format!("#{}", name.text()))?.markdown()
        }
        LABEL if parent.kind() == FIELD => {
            field(token.text(), help::field(token.text().trim_end_matches(':')))?
        }
        _ if parent.kind() == SUMMARY_ENTRY && help::summary(token.text()).is_some() => {
            field(token.text(), help::summary(token.text()))?
        }
        WORD if parent.kind() == FIELD || is_debug_word(token.text()) => debug_word(token.text())?,
        kind if is_keyword(kind) || kind == WORD => keyword(token, &path)?,
        _ => return None,
    };
    Some(Hover { range, markdown })
}

/// What a string attribute is, and the values that it takes.
fn string_attribute(key: &str) -> Option<String> {
    let help = help::string_attribute(key)?;
    let values = super::completion::attribute_values(key).map_or(String::new(), |v| format!(" {v}"));
    Some(format!("{}{values}\n\n{}", help.text, help.link()))
}

fn keyword(token: Token<'_, LlvmKind>, path: &[Node<'_, LlvmKind>]) -> Option<String> {
    let text = token.text();
    let attribute = || help::attribute(text);
    let opcode = || help::opcode(text);
    let found = if let Some(first) = path.iter().rfind(|n| n.kind() == ATTR).and_then(|n| n.first_token()) {
        // `argmem` in `memory(argmem: read)`.
        if let Some(value) = help::string(first.text(), text) {
            return Some(format!("{}: {value}", code(text)));
        }
        attribute().or_else(|| help::word(text)).or_else(|| help::attribute(first.text()))
    } else if path.last().is_some_and(|n| n.kind() == INST) {
        match token.kind() {
            // Words that are both: `tail`, `fast`, `acquire` are not instructions; neither is `add` of an atomicrmw here.
            RMW_KW => help::word(text),
            _ => opcode().or_else(|| help::word(text)).or_else(attribute),
        }
    } else {
        help::word(text).or_else(attribute).or_else(opcode)
    };
    let legacy = || {
        let legacy = wavelens_llvm::tables::attributes::LEGACY.iter().find(|l| l.name == text)?;
        Some(format!("Outdated; replaced by `{}`.", legacy.now))
    };
    found.map(super::help::Help::markdown).or_else(legacy)
}

/// The type written in front of a literal gives its width.
fn number(token: Token<'_, LlvmKind>, path: &[Node<'_, LlvmKind>]) -> Option<String> {
    let mut bits = None;
    let value = path.last().filter(|n| n.kind() == VALUE)?;
    if let Some(parent) = path.get(path.len().checked_sub(2)?) {
        let before = parent.children().take_while(|c| c.range().start() < value.range().start());
        let ty = before.filter(|c| c.kind() == TYPE).last();
        bits = ty.and_then(|t| t.text().strip_prefix('i')?.parse().ok());
    }
    decode::integer(token.text(), bits)
}

fn named_type(cx: &Cx<'_>, written: &str) -> Option<String> {
    let name = plain_name(written);
    for (_, summary) in &cx.scope.summaries {
        let names = &summary.tables.names;
        let def = summary.cold.type_defs.iter().find(|d| show::symbol_is(d.name, names, &name));
        if let Some(def) = def {
            let body = def.ty.map_or_else(|| "opaque".to_owned(), |ty| show::local_type(&summary.tables, ty));
            let head = block("llvm", &format!("{} = type {body}", def.name.display('%', names)));
            let ty = cx.scope.named_type(def.name, names);
            return Some(head + &ty.and_then(|ty| accesses::layout_table(cx.scope, ty)).unwrap_or_default());
        }
    }
    None
}

/// `DW_TAG_member`, `DIFlagPublic`, `FullDebug`.
fn debug_word(word: &str) -> Option<String> {
    Some(format!("`{word}`: {}", help::debug_word(word)?))
}

/// The name of a field, which ends in a colon.
fn field(name: &str, text: Option<String>) -> Option<String> {
    Some(format!("{}: {}", code(name.trim_end_matches(':')), text?))
}

/// A value or block of the function around the token.
fn local(cx: &Cx<'_>, token: Token<'_, LlvmKind>) -> Option<String> {
    let body = body_at(cx, token.range().start())?;
    let name = plain_name(token.text());
    let index = body.locals.iter().position(|l| show::symbol_is(l.name, &body.tables.names, &name))?;
    let local = body.locals.get(index)?;
    let view = function_cx(cx, body)?;
    let id = LocalId(index as u32);
    let ty = view.local_ty(id);
    let shown = local.name.display('%', &body.tables.names);
    let uses = uses(body, index as u32);
    let used = match uses.len() {
        0 => "Unused.".to_owned(),
        1 => "One use.".to_owned(),
        n => format!("{n} uses."),
    };
    let variables = source_variables(cx, body, id);
    Some(match local.kind {
        LocalKind::Argument(n) => {
            let param = cx.lowered.summary.params(view.function).get(n as usize)?;
            let attrs = show::attrs(&cx.lowered.summary.tables, param.attrs);
            let attrs = if attrs.is_empty() { String::new() } else { format!("{attrs} ") };
            let function = view.function.head.name.display('@', &cx.lowered.summary.tables.names);
            let text = block("llvm", &format!("{} {attrs}{shown}", view.display_ty(ty)));
            format!("{text}\nParameter {} of {}. {used}{variables}", n + 1, code(&function))
        }
        LocalKind::Inst(inst) => {
            let range = body.inst_range(InstId(inst));
            let mut text = show::first_lines(cx.slice(range), 12);
            if !text.starts_with(['%']) {
                text = format!("{shown} = {text}");
            }
            let own_block = block_name(body, view.block_of_inst(InstId(inst)));
            let ty = if ty.is_error() { String::new() } else { format!("{}. ", code(&view.display_ty(ty))) };
            let line = show::source_line(cx, body, InstId(inst)).map_or(String::new(), |l| format!(" {l}"));
            let address =
                address(&view, InstId(inst)).map_or(String::new(), |a| format!("\n\nAddress: {}.", code(&a)));
            format!(
                "{}\n{ty}{used} In block {}.{line}{variables}{address}",
                block("llvm", &text),
                code(&own_block)
            )
        }
        LocalKind::Block(block) => basic_block(&view, body, block, &shown),
        LocalKind::Undefined => return None,
    })
}

/// The variables of the source that a value is, by debug records.
fn source_variables(cx: &Cx<'_>, body: &Body, value: LocalId) -> String {
    let mut names: Vec<String> = Vec::new();
    for variable in body.source_variables(value).filter_map(|number| cx.scope.metadata(number)) {
        let name = show::text_field(variable, FieldName::Name).map(|name| code(&name));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    match names.as_slice() {
        [] => String::new(),
        [name] => format!("\n\nVariable {name} of the source."),
        _ => format!("\n\nVariables {} of the source.", names.join(", ")),
    }
}

/// What the address that a `getelementptr` computes selects.
fn address(view: &RuleContext<'_>, id: InstId) -> Option<String> {
    let inst = view.inst(id).filter(|inst| inst.opcode == Opcode::GetElementPtr)?;
    let canonical = |ty| view.ty(ty);
    let (scope, types, tables) = (view.scope, &view.types, &view.body.tables);
    let addresses =
        accesses::Addresses { scope, types, layout: &scope.layout, tables, canonical: &canonical };
    addresses.of_gep(view.body, inst, view).map(|(label, _)| label.trim_start_matches("= ").to_owned())
}

fn basic_block(view: &RuleContext<'_>, body: &Body, block: u32, shown: &str) -> String {
    let names = |blocks: Vec<u32>| {
        let list: Vec<String> = blocks.iter().map(|b| code(&block_name(body, *b))).collect();
        if list.is_empty() { "none".to_owned() } else { list.join(", ") }
    };
    let mut into: Vec<u32> =
        (0..body.blocks.len() as u32).filter(|from| successors(body, *from).any(|to| to == block)).collect();
    into.dedup();
    let mut out: Vec<u32> = successors(body, block).collect();
    out.dedup();
    let count = body.blocks.get(block as usize).map_or(0, |b| b.insts.len);
    let reached =
        if view.dominators().is_reachable(block) { "" } else { " Unreachable from the entry block." };
    let noun = if count == 1 { "instruction" } else { "instructions" };
    format!(
        "{}\n{count} {noun}.{reached}\n\n- Predecessors: {}\n- Successors: {}",
        markdown::block("llvm", &format!("label {shown}")),
        names(into),
        names(out)
    )
}

/// Instructions that use a local.
fn uses(body: &Body, local: u32) -> FxHashSet<u32> {
    let is = |v: Value| matches!(v, Value::Local(id) if id.0 == local);
    let mut uses = FxHashSet::default();
    for (index, inst) in body.insts.iter().enumerate() {
        let own = body.operands(inst.operands).iter().any(|o| is(o.value));
        let call = body.call(inst).is_some_and(|call| {
            is(body.tables.operand(call.callee).value)
                || body.operands(call.args).iter().any(|o| is(o.value))
                || body.operands(call.destinations).iter().any(|o| is(o.value))
                || call
                    .bundles
                    .of(&body.cold.bundles)
                    .iter()
                    .any(|b| body.operands(b.operands).iter().any(|o| is(o.value)))
        });
        if own || call {
            uses.insert(index as u32);
        }
    }
    uses
}

fn global(cx: &Cx<'_>, written: &str) -> Option<String> {
    let name = plain_name(written);
    let intrinsic = Intrinsic::lookup(&name).map(intrinsic);
    let found = cx.scope.globals.iter().find(|g| {
        let summary = cx.scope.summary(g.summary);
        summary.is_some_and(|s| show::symbol_is(g.head.name, &s.tables.names, &name))
    });
    let Some(found) = found else {
        return intrinsic.map(|i| format!("{i}\n\nNot declared in this module."));
    };
    let chunk = cx.scope.summaries.get(found.summary as usize).map(|(chunk, _)| *chunk)?;
    let (index, other) = cx.other(chunk)?;
    let wavelens_check::dialect::Lowered::Llvm(lowered) = cx.view.lowered(other) else { return None };
    let span = lowered.item_spans.get(found.head.item as usize)?;
    let text = cx.view.text(other).get(std::ops::Range::<usize>::from(*span)).unwrap_or("");
    let mut parts = vec![block("llvm", &show::header(text, matches!(found.kind, GlobalKind::Function(_))))];
    parts.extend(demangle(&name).map(|source| code(&source)));
    if let Some((summary, function)) = cx.scope.function(found) {
        let attrs = show::expanded(cx.scope, &summary.tables, function.attrs);
        if !attrs.is_empty() {
            parts.push(format!("Attributes: {attrs}"));
        }
        if let Some(body) = lowered.bodies.iter().find(|b| {
            summary.functions.get(b.function as usize).is_some_and(|f| f.head.item == found.head.item)
        }) {
            let plural =
                |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
            let blocks = plural(body.blocks.len(), "block");
            parts.push(format!("{blocks}, {}.", plural(body.insts.len(), "instruction")));
        }
    } else if let Some((summary, variable)) = cx.scope.variable(found) {
        let ty = show::local_type(&summary.tables, variable.ty);
        let what = if variable.is_constant { "Constant" } else { "Variable" };
        let name = cx.scope.global_name(found);
        parts.push(format!("{what} of type {}; {} is a pointer to it.", code(&ty), code(&name)));
    }
    let line = cx.view.line_of(index, span.start());
    if let Some(line) = line.filter(|_| chunk != cx.id()) {
        parts.push(format!("Declared at line {line}."));
    }
    parts.extend(intrinsic);
    Some(parts.join("\n\n"))
}

pub(crate) fn intrinsic(intrinsic: Intrinsic) -> String {
    let says = [
        ("nomem", "accesses no memory"),
        ("read", "reads memory"),
        ("write", "writes memory"),
        ("convergent", "convergent"),
        ("noreturn", "does not return"),
        ("effects", "has side effects"),
        ("throws", "may throw"),
    ];
    let says: Vec<&str> = says.iter().filter(|(p, _)| intrinsic.has(p)).map(|(_, text)| *text).collect();
    let mut text = format!("Intrinsic `{}`: {}", intrinsic.name(), intrinsic.readable());
    if !says.is_empty() {
        text.push_str(&format!("; {}", says.join(", ")));
    }
    let constants: Vec<String> = intrinsic.immediates().map(|i| (i + 1).to_string()).collect();
    if !constants.is_empty() {
        text.push_str(&format!(". Must be constant: argument {}", constants.join(", ")));
    }
    text.push('.');
    if let Some(processors) = processors(intrinsic) {
        text.push_str(&format!("\n\n{processors}"));
    }
    if let Some(words) = help::intrinsic(intrinsic.name()) {
        text.push_str(&format!("\n\n{words}"));
    }
    text.push_str(&format!(" [Intrinsics]({})", help::intrinsic_page(intrinsic.name())));
    text
}

/// The processors of AMDGPU that have an intrinsic, as far as is known, where not all have it.
fn processors(intrinsic: Intrinsic) -> Option<String> {
    let selection = Selection::of(intrinsic.name().strip_prefix("llvm.amdgcn.")?, Selector::Dag)?;
    let (has, all) = (leaders(selection.any()), leaders(Groups::MAX));
    (has.len() < all.len()).then(|| format!("Selected for: {} and their likes.", has.join(", ")))
}

fn comdat(cx: &Cx<'_>, written: &str) -> Option<String> {
    let name = plain_name(written);
    let (summary, comdat) = cx.scope.comdat(&name)?;
    let kind = match comdat.kind {
        wavelens_llvm::summary::ComdatKind::Any => "any",
        wavelens_llvm::summary::ComdatKind::ExactMatch => "exactmatch",
        wavelens_llvm::summary::ComdatKind::Largest => "largest",
        wavelens_llvm::summary::ComdatKind::NoDeduplicate => "nodeduplicate",
        wavelens_llvm::summary::ComdatKind::SameSize => "samesize",
        wavelens_llvm::summary::ComdatKind::Error => "",
    };
    let shown = wavelens_llvm::names::display('$', names_get(&summary.tables.names, comdat.name));
    let text = help::word(kind).map_or(String::new(), |h| h.text.to_owned());
    Some(format!("{}\n{text}", block("llvm", &format!("{shown} = comdat {kind}"))))
}

fn names_get(names: &Names, id: wavelens_llvm::names::NameId) -> &str {
    names.get(id)
}

/// What the node that is attached under a name says.
fn attachment(cx: &Cx<'_>, written: &str, node: Node<'_, LlvmKind>) -> Option<String> {
    let number = node.descendants().flat_map(|n| n.tokens()).find(|token| token.kind() == NUMBER)?;
    let attached = cx.scope.metadata(number.text().parse().ok()?).filter(|_| node.kind() == ATTACHMENT)?;
    attached::text(cx.scope, written.strip_prefix('!')?, attached).map(|(_, text)| text)
}

/// `!llvm.module.flags`, or the kind of an attachment or node.
fn metadata_name(cx: &Cx<'_>, written: &str) -> Option<String> {
    let name = written.strip_prefix('!')?;
    for (_, summary) in &cx.scope.summaries {
        let names = &summary.tables.names;
        if let Some(named) = summary.cold.named_metadata.iter().find(|n| names.get(n.name) == name) {
            let count = named.values.len;
            let noun = if count == 1 { "node" } else { "nodes" };
            let text = help::named_metadata(name).map_or(String::new(), |text| format!(" {text}"));
            return Some(format!("{}\nNamed metadata of {count} {noun}.{text}", block("llvm", written)));
        }
    }
    let text = help::metadata(name)?;
    (!is_number(name)).then(|| format!("`!{name}`: {text}"))
}
