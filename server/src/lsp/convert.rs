//! Answers of the analysis in the protocol's words.

use lsp_types::*;
use ropey::Rope;
use wavelens_base::includes::IncludedFile;
use wavelens_base::{TextEdit as Edit, TextRange};
use wavelens_ide::features::{self, CompletionKind, HintKind};
use wavelens_syntax::visible;

use super::position::Positions;
use super::snapshot::DocumentView;
use super::uri;

pub(super) fn markup(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

pub(super) fn location(document: &DocumentView, range: TextRange) -> Location {
    Location::new(document.uri.clone(), document.positions.range(range))
}

/// A range of a file that the document includes, if there is one, else of the document.
pub(super) fn location_in(
    document: &DocumentView,
    file: Option<&IncludedFile>,
    range: TextRange,
) -> Option<Location> {
    location_at(&document.uri, &document.positions, file, range)
}

/// The same for a file that may not be open.
pub(super) fn location_at(
    uri: &Uri,
    positions: &Positions,
    file: Option<&IncludedFile>,
    range: TextRange,
) -> Option<Location> {
    let Some(file) = file else { return Some(Location::new(uri.clone(), positions.range(range))) };
    let positions = Positions { rope: Rope::from_str(&file.text), encoding: positions.encoding };
    Some(Location::new(uri::uri(&file.path)?, positions.range(range)))
}

pub(super) fn text_edit(document: &DocumentView, edit: Edit) -> TextEdit {
    TextEdit { range: document.positions.range(edit.range), new_text: edit.text }
}

/// Edits of one document, with its version, so that the client refuses them for another text.
pub(super) fn workspace_edit(document: &DocumentView, edits: Vec<Edit>) -> WorkspaceEdit {
    let edits = edits.into_iter().map(|e| OneOf::Left(text_edit(document, e)));
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                uri: document.uri.clone(),
                version: Some(document.version),
            },
            edits: edits.collect(),
        }])),
        ..Default::default()
    }
}

pub(super) fn symbol_kind(kind: features::SymbolKind) -> SymbolKind {
    match kind {
        features::SymbolKind::Function
        | features::SymbolKind::Declaration
        | features::SymbolKind::EntryPoint => SymbolKind::FUNCTION,
        features::SymbolKind::Variable => SymbolKind::VARIABLE,
        features::SymbolKind::Constant => SymbolKind::CONSTANT,
        features::SymbolKind::Type => SymbolKind::STRUCT,
        features::SymbolKind::Label => SymbolKind::KEY,
        features::SymbolKind::Section => SymbolKind::NAMESPACE,
        // A list of things of one kind, such as declarations.
        features::SymbolKind::Group => SymbolKind::ARRAY,
        features::SymbolKind::Other => SymbolKind::PROPERTY,
    }
}

/// With `demangles` the name in the source comes first, and the symbol after it.
pub(super) fn workspace_symbol(
    name: String,
    kind: SymbolKind,
    location: Location,
    demangles: bool,
) -> WorkspaceSymbol {
    let source = wavelens_ide::demangle(&name).filter(|_| demangles);
    let name = visible::line(&name).into_owned();
    let (name, container_name) = match source {
        Some(source) => (visible::line(&source).into_owned(), Some(name)),
        None => (name, None),
    };
    WorkspaceSymbol { kind, location: OneOf::Left(location), name, tags: None, container_name, data: None }
}

/// With `demangles` the name in the source comes first, and the symbol after it.
#[expect(deprecated, reason = "the field must be given")]
pub(super) fn document_symbol(
    document: &DocumentView,
    symbol: features::Symbol,
    demangles: bool,
) -> DocumentSymbol {
    let children = symbol.children.into_iter().map(|c| document_symbol(document, c, demangles));
    let children: Vec<_> = children.collect();
    let (name, detail) = match wavelens_ide::demangle(&symbol.name).filter(|_| demangles) {
        Some(source) => (source, format!("{} {}", symbol.name, symbol.detail).trim_end().to_owned()),
        None => (symbol.name, symbol.detail),
    };
    DocumentSymbol {
        // Clients refuse empty names.
        name: if name.is_empty() { "?".to_owned() } else { visible::line(&name).into_owned() },
        detail: Some(visible::line(&detail).into_owned()).filter(|d| !d.is_empty()),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: document.positions.range(symbol.range),
        selection_range: document.positions.range(symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

fn completion_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Opcode | CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Type => CompletionItemKind::STRUCT,
        CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Variable | CompletionKind::Local => CompletionItemKind::VARIABLE,
        CompletionKind::Label => CompletionItemKind::REFERENCE,
        CompletionKind::Attribute => CompletionItemKind::PROPERTY,
        CompletionKind::Metadata => CompletionItemKind::FIELD,
        CompletionKind::Register => CompletionItemKind::UNIT,
        CompletionKind::Constant => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    }
}

/// `index`: its place in the order.
pub(super) fn completion_item(
    document: &DocumentView,
    index: usize,
    item: features::Completion,
) -> CompletionItem {
    let snippet = item.snippet.then_some(InsertTextFormat::SNIPPET);
    CompletionItem {
        kind: Some(completion_kind(item.kind)),
        detail: Some(item.detail).filter(|d| !d.is_empty()),
        documentation: (!item.documentation.is_empty())
            .then(|| Documentation::MarkupContent(markup(item.documentation))),
        sort_text: Some(format!("{index:04}")),
        additional_text_edits: (!item.also.is_empty())
            .then(|| item.also.into_iter().map(|e| text_edit(document, e)).collect()),
        // No filter text: it would be the label, and Neovim before 0.8 completes `%` by it without its first character.
        label: item.label,
        insert_text_format: snippet,
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range: document.positions.range(item.range),
            new_text: item.insert,
        })),
        ..Default::default()
    }
}

pub(super) fn inlay_hint(document: &DocumentView, hint: features::Hint) -> InlayHint {
    InlayHint {
        position: document.positions.position(hint.offset),
        label: InlayHintLabel::String(hint.label),
        kind: match hint.kind {
            HintKind::Type => Some(InlayHintKind::TYPE),
            HintKind::Parameter => Some(InlayHintKind::PARAMETER),
            HintKind::Note
            | HintKind::Place
            | HintKind::Demangled
            | HintKind::Access
            | HintKind::Profile
            | HintKind::Range
            | HintKind::AccessType
            | HintKind::LoopHints
            | HintKind::Block
            | HintKind::Decoration
            | HintKind::Live
            | HintKind::LiveCount
            | HintKind::Encoding
            | HintKind::Distance => None,
        },
        text_edits: None,
        tooltip: (!hint.tooltip.is_empty()).then(|| InlayHintTooltip::MarkupContent(markup(hint.tooltip))),
        padding_left: Some(!matches!(hint.kind, HintKind::Parameter)),
        padding_right: Some(matches!(hint.kind, HintKind::Parameter)),
        data: None,
    }
}

pub(super) fn call_item(document: &DocumentView, callable: features::Callable) -> CallHierarchyItem {
    CallHierarchyItem {
        name: visible::line(&callable.name).into_owned(),
        kind: SymbolKind::FUNCTION,
        tags: None,
        detail: Some(visible::line(&callable.detail).into_owned()).filter(|d| !d.is_empty()),
        uri: document.uri.clone(),
        range: document.positions.range(callable.range),
        selection_range: document.positions.range(callable.selection),
        data: None,
    }
}
