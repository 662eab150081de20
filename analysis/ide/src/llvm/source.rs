//! From LLVM IR to the files that its debug information names.

use wavelens_base::{TextRange, TextSize};
use wavelens_llvm::metadata::{FieldName, MdKind, MdValue};
use wavelens_llvm::scope::{NodeRef, Scope};
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::Node;

use super::Cx;
use super::place::{Tree, body_at};
use super::show::inner;
use crate::answers::SourcePlace;

/// Scopes that are followed to the one that names a file.
const STEPS: usize = 64;

/// The place in the source that a word is about: of the instruction around it, of an attachment, or of a node of debug information.
pub fn place(cx: &Cx<'_>, at: TextSize) -> Option<SourcePlace> {
    let tree = Tree::around(cx, at);
    let (token, path) = tree.at(at)?;
    let around = |kind: LlvmKind| path.iter().rev().find(|node| node.kind() == kind);
    if let Some(attachment) = around(ATTACHMENT) {
        let node = cx.scope.metadata(number(*attachment)?)?;
        return of_node(cx.scope, node, attachment.range());
    }
    if let Some(definition) = around(METADATA_DEF) {
        // References to other nodes lead to these.
        let in_field = around(FIELD).is_some() && around(METADATA_REF).is_none();
        let node = cx.scope.metadata(number(*definition)?).filter(|_| in_field)?;
        return of_node(cx.scope, node, around(FIELD).map_or(token.range(), |field| field.range()));
    }
    let inst = around(INST)?;
    let body = body_at(cx, at)?;
    let index = body.inst_ranges.iter().position(|range| range.contains(inst.range().start()))?;
    let attachments = body.insts.get(index)?.attachments;
    let location = body.tables.attachment(attachments, "dbg")?;
    let node = cx.scope.resolve(location.value, &body.tables, None)?;
    of_node(cx.scope, node, token.range())
}

/// The names of files in `!DIFile`.
pub fn links(cx: &Cx<'_>) -> Vec<SourcePlace> {
    if !cx.text.contains("!DIFile(") {
        return Vec::new();
    }
    let tree = Tree::new(cx.text);
    let files = tree
        .root()
        .descendants()
        .filter(|node| node.kind() == METADATA_DEF && node.text().contains("!DIFile("));
    let link = |definition: Node<'_, LlvmKind>| {
        let node = cx.scope.metadata(number(definition)?)?;
        let name =
            definition.descendants().find(|n| n.kind() == FIELD && n.text().starts_with("filename:"))?;
        let range = name.descendants().flat_map(|n| n.tokens()).find(|t| t.kind() == STRING)?.range();
        // Without the quotes.
        let inner = TextRange::new(range.start() + TextSize::new(1), range.end() - TextSize::new(1));
        of_node(cx.scope, node, inner)
    };
    files.filter_map(link).collect()
}

/// The first number of a node: its own, or that of what it refers to.
fn number(node: Node<'_, LlvmKind>) -> Option<u32> {
    let numbered = node.descendants().flat_map(|n| n.tokens()).find(|token| token.kind() == NUMBER)?;
    numbered.text().parse().ok()
}

/// The file, line and column that a node of debug information has, or that its scope has.
pub(crate) fn of_node(scope: &Scope, node: NodeRef<'_>, origin: TextRange) -> Option<SourcePlace> {
    let unsigned = |name| match node.field(name) {
        Some(MdValue::Unsigned(value)) => u32::try_from(value).unwrap_or(0),
        _ => 0,
    };
    let mut at = node;
    let mut file = None;
    for _ in 0..STEPS {
        file = if at.node.kind == MdKind::DIFile { Some(at) } else { inner(scope, at, FieldName::File) };
        if file.is_some() {
            break;
        }
        at = inner(scope, at, FieldName::Scope)?;
    }
    let file = file?;
    let text = |name| match file.field(name) {
        Some(MdValue::String(id) | MdValue::Text(id)) => file.tables.name(id).to_owned(),
        _ => String::new(),
    };
    let name = text(FieldName::Filename);
    (!name.is_empty()).then(|| SourcePlace {
        origin,
        directory: text(FieldName::Directory),
        file: name,
        line: unsigned(FieldName::Line),
        column: unsigned(FieldName::Column),
        text: None,
    })
}
