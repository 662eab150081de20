//! Pieces of LLVM IR as text for people.

use wavelens_check::dialect;
use wavelens_llvm::arena::Tables;
use wavelens_llvm::attribute::AttrValue;
use wavelens_llvm::body::{Body, InstId};
use wavelens_llvm::metadata::{FieldName, MdKind, MdValue};
use wavelens_llvm::names::{Names, Symbol};
use wavelens_llvm::scope::{NodeRef, Scope};
use wavelens_llvm::types::{Span, Type, TypeId};

use super::{Cx, place};
use crate::markdown::{block, code};

/// Does a symbol have this plain name ([`place::plain_name`])?
pub(super) fn symbol_is(symbol: Symbol, names: &Names, name: &str) -> bool {
    match (symbol.as_name(), symbol.as_number()) {
        (Some(id), _) => {
            let own = names.get(id);
            own == name && !place::is_number(name)
                || place::is_number(own)
                    && name.strip_prefix('"').and_then(|n| n.strip_suffix('"')) == Some(own)
        }
        (None, Some(number)) => name.parse() == Ok(number),
        _ => false,
    }
}

/// The plain name of a symbol.
pub(super) fn plain(symbol: Symbol, names: &Names) -> String {
    match symbol.as_name() {
        Some(id) if place::is_number(names.get(id)) => format!("\"{}\"", names.get(id)),
        Some(id) => names.get(id).to_owned(),
        None => symbol.as_number().map_or_else(String::new, |n| n.to_string()),
    }
}

/// A type of a table as it is written.
pub(super) fn local_type(tables: &Tables, ty: TypeId) -> String {
    tables.types.display(ty, &|named| match named {
        Type::Named(symbol) => symbol.display('%', &tables.names),
        _ => "%?".to_owned(),
    })
}

/// At most so many lines.
pub(super) fn first_lines(text: &str, count: usize) -> String {
    let mut lines: Vec<&str> = text.lines().take(count).collect();
    if text.lines().nth(count).is_some() {
        lines.push("...");
    }
    cut(lines.join("\n"), 1500)
}

pub(super) fn cut(mut text: String, limit: usize) -> String {
    if text.len() > limit {
        let end = (0..=limit).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        text.truncate(end);
        text.push_str(" ...");
    }
    text
}

/// What an entity says before its body or at its start.
pub(super) fn header(text: &str, function: bool) -> String {
    let head = if function {
        let line = text.lines().next().unwrap_or("");
        line.trim_end().strip_suffix('{').unwrap_or(line).trim_end()
    } else {
        text.trim_end()
    };
    first_lines(&cut(head.to_owned(), 400), 4)
}

/// Attributes as written, groups as their numbers.
pub(super) fn attrs(tables: &Tables, span: Span) -> String {
    let texts: Vec<String> = tables
        .attrs(span)
        .iter()
        .map(|attr| {
            let word = attr.kind.word();
            match attr.value {
                AttrValue::Int(n) if matches!(word, "align") => format!("align {n}"),
                AttrValue::Int(n)
                    if matches!(word, "dereferenceable" | "dereferenceable_or_null" | "alignstack") =>
                {
                    format!("{word}({n})")
                }
                AttrValue::Type(ty) => format!("{word}({})", local_type(tables, ty)),
                AttrValue::String { key, value: None } => format!("\"{}\"", tables.name(key)),
                AttrValue::String { key, value: Some(value) } => {
                    format!("\"{}\"=\"{}\"", tables.name(key), tables.name(value))
                }
                AttrValue::Group(n) => format!("#{n}"),
                AttrValue::Pair(a, None) => format!("{word}({a})"),
                AttrValue::Pair(a, Some(b)) => format!("{word}({a}, {b})"),
                AttrValue::Int(mask) if word == "memory" => memory(mask),
                AttrValue::Captures { other: 0, ret: 0 } => format!("{word}(none)"),
                AttrValue::Captures { .. } => format!("{word}(...)"),
                _ => word.to_owned(),
            }
        })
        .filter(|t| !t.is_empty())
        .collect();
    texts.join(" ")
}

/// `memory(...)` from its mask.
fn memory(mask: u64) -> String {
    use wavelens_llvm::attribute::memory::{
        ARGMEM, ERRNOMEM, INACCESSIBLEMEM, OTHER, TARGET_MEM0, TARGET_MEM1,
    };
    let access = |shift: u32| match mask >> shift & 3 {
        0 => "none",
        1 => "read",
        2 => "write",
        _ => "readwrite",
    };
    let default = access(OTHER);
    let places = [
        ("argmem", ARGMEM),
        ("inaccessiblemem", INACCESSIBLEMEM),
        ("errnomem", ERRNOMEM),
        ("target_mem0", TARGET_MEM0),
        ("target_mem1", TARGET_MEM1),
    ];
    let mut parts: Vec<String> = places
        .into_iter()
        .filter(|(_, shift)| access(*shift) != default)
        .map(|(name, shift)| format!("{name}: {}", access(shift)))
        .collect();
    if default != "none" || parts.is_empty() {
        parts.insert(0, default.to_owned());
    }
    format!("memory({})", parts.join(", "))
}

/// Attributes with their groups replaced by what is in them.
pub(super) fn expanded(scope: &Scope, tables: &Tables, span: Span) -> String {
    let mut texts = Vec::new();
    for attr in tables.attrs(span) {
        if let AttrValue::Group(number) = attr.value {
            let group = scope.attr_group(number);
            texts.extend(group.map(|(_, summary, group)| attrs(&summary.tables, group.attrs)));
        }
    }
    let own: Vec<String> =
        attrs(tables, span).split(' ').filter(|w| !w.starts_with('#')).map(str::to_owned).collect();
    texts.splice(0..0, own);
    let words: Vec<String> = texts.join(" ").split(' ').filter(|w| !w.is_empty()).map(code).collect();
    words.join(" ")
}

pub(super) fn attribute_group(scope: &Scope, number: u32) -> Option<String> {
    if !scope.has_attr_group(number) {
        return None;
    }
    let mut text = format!("Attribute group `#{number}`\n");
    if let Some((_, summary, group)) = scope.attr_group(number) {
        for (start, attr) in (group.attrs.start..).zip(summary.tables.attrs(group.attrs)) {
            let word = attrs(&summary.tables, Span { start, len: 1 });
            let help = match attr.value {
                AttrValue::String { key, .. } => super::help::string_attribute(summary.tables.name(key)),
                _ => super::help::attribute(attr.kind.word()),
            };
            let help = help.map_or(String::new(), |h| format!(": {}", h.text));
            text.push_str(&format!("\n- {}{help}", code(&word)));
        }
    }
    Some(text)
}

/// The text of `!number` and of the nodes that it names, one step deep; for locations the whole chain of inlining.
pub(super) fn metadata_node(cx: &Cx<'_>, number: u32) -> Option<String> {
    let node = cx.scope.metadata(number)?;
    let text = definition_text(cx, number)?;
    let mut parts = vec![block("llvm", &cut(text, 600))];
    if node.node.kind == MdKind::DILocation
        && let Some(chain) = location_chain(cx.scope, node)
    {
        parts.push(chain);
        return Some(parts.join("\n"));
    }
    let mut below = Vec::new();
    for field in node.fields().iter().take(24) {
        if let MdValue::Number(inner) = field.value
            && inner != number
            && let Some(text) = definition_text(cx, inner)
        {
            below.push(cut(text, 160));
        }
    }
    below.dedup();
    if !below.is_empty() {
        parts.push(format!("Where\n{}", block("llvm", &below.join("\n"))));
    }
    Some(parts.join("\n"))
}

/// `!5 = ...` as it is written in the file.
fn definition_text(cx: &Cx<'_>, number: u32) -> Option<String> {
    let index = cx.scope.metadata(number)?.summary?;
    let (chunk, summary) = cx.scope.summaries.get(index as usize)?;
    let def = summary.cold.metadata.iter().find(|d| d.number == number)?;
    let (_, other) = cx.other(*chunk)?;
    let dialect::Lowered::Llvm(lowered) = cx.view.lowered(other) else { return None };
    let span = lowered.item_spans.get(def.item as usize)?;
    cx.view.text(other).get(std::ops::Range::<usize>::from(*span)).map(str::to_owned)
}

fn number_field(node: NodeRef<'_>, name: FieldName) -> Option<u64> {
    match node.field(name)? {
        MdValue::Unsigned(n) => Some(n),
        _ => None,
    }
}

pub(super) fn text_field(node: NodeRef<'_>, name: FieldName) -> Option<String> {
    match node.field(name)? {
        MdValue::String(id) | MdValue::Text(id) => Some(node.tables.name(id).to_owned()),
        _ => None,
    }
}

/// The node that a field names.
pub(super) fn inner<'s>(scope: &'s Scope, node: NodeRef<'s>, name: FieldName) -> Option<NodeRef<'s>> {
    scope.resolve(node.field(name)?, node.tables, node.summary)
}

/// A place in the source, shown as `file.c:12:3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourcePoint {
    file: String,
    pub(super) line: u64,
    /// 0 where there is none.
    column: u64,
}

impl std::fmt::Display for SourcePoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SourcePoint { file, line, column } = self;
        write!(f, "{file}:{line}")?;
        if *column == 0 { Ok(()) } else { write!(f, ":{column}") }
    }
}

/// A place with its function; scopes are followed a bounded number of steps.
fn location(scope: &Scope, node: NodeRef<'_>) -> Option<(SourcePoint, Option<String>)> {
    let line = number_field(node, FieldName::Line).unwrap_or(0);
    let column = number_field(node, FieldName::Column).unwrap_or(0);
    let mut at = inner(scope, node, FieldName::Scope)?;
    let mut file = None;
    for _ in 0..64 {
        file = file
            .or_else(|| inner(scope, at, FieldName::File).and_then(|f| text_field(f, FieldName::Filename)));
        if at.node.kind == MdKind::DISubprogram {
            break;
        }
        let Some(outer) = inner(scope, at, FieldName::Scope) else { break };
        at = outer;
    }
    let function = (at.node.kind == MdKind::DISubprogram).then(|| text_field(at, FieldName::Name)).flatten();
    let file = file.unwrap_or_else(|| "?".to_owned());
    let file = file.rsplit('/').next().unwrap_or(&file).to_owned();
    Some((SourcePoint { file, line, column }, function))
}

fn location_chain(scope: &Scope, node: NodeRef<'_>) -> Option<String> {
    let mut lines = Vec::new();
    let mut at = node;
    for _ in 0..32 {
        let (place, function) = location(scope, at)?;
        let function = function.map_or(String::new(), |f| format!(" in {}", code(&f)));
        let lead = if lines.is_empty() { "At" } else { "inlined at" };
        lines.push(format!("{lead} {}{function}", code(&place.to_string())));
        match inner(scope, at, FieldName::InlinedAt) {
            Some(outer) => at = outer,
            None => break,
        }
    }
    Some(lines.join(", "))
}

/// Where an instruction comes from, if debug info says so.
pub(super) fn source_line(cx: &Cx<'_>, body: &Body, inst: InstId) -> Option<String> {
    let inst = body.insts.get(inst.0 as usize)?;
    let attachment = body.tables.attachment(inst.attachments, "dbg")?;
    let node = cx.scope.resolve(attachment.value, &body.tables, None)?;
    location_chain(cx.scope, node)
}

/// The place of a location, for a hint; line 0 is not a place.
pub(super) fn short_location(scope: &Scope, node: NodeRef<'_>) -> Option<SourcePoint> {
    location(scope, node).map(|(place, _)| place).filter(|place| place.line > 0)
}
