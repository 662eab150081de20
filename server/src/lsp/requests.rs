//! Requests: from the protocol's words to offsets, to the analysis, and back.

use std::collections::HashSet;
use std::sync::Arc;

use lsp_types::*;
use tower_lsp::jsonrpc::{Error, Result};
use wavelens_base::{Dialect, TextRange, TextSize};
use wavelens_codegen::Request;
use wavelens_ide::codegen::legalization;
use wavelens_ide::db::View;
use wavelens_ide::features::{self, ActionKind, FoldKind, Role, SourcePlace};

use super::convert::{
    call_item, completion_item, document_symbol, location, location_in, markup, text_edit, workspace_edit,
};
use super::modules::Linked;
use super::snapshot::{DocumentView, Snapshot};
use super::sources::Source;
use super::{commands, costs, diagnostics, lit, reduce, tables, tokens, uri};
use crate::left_alone::left_as_it_is;

/// What is shown of folded CHECK lines.
const CHECKS: &str = "CHECK lines";

/// Documents larger than this get semantic tokens by range only.
const TOKENS_LIMIT: usize = 2 << 20;

/// The document, its view in the database, and the offset of a position in it.
pub(super) fn at<'s>(
    snapshot: &'s Snapshot,
    position: &TextDocumentPositionParams,
) -> Option<(&'s DocumentView, View<'s>, TextSize)> {
    let (document, view) = whole(snapshot)?;
    Some((document, view, document.positions.offset(position.position)))
}

pub(super) fn whole(snapshot: &Snapshot) -> Option<(&DocumentView, View<'_>)> {
    let document = snapshot.document()?;
    Some((document, snapshot.view(document)))
}

/// What a hover says now, and where the rest of it is once the snapshot is given back.
pub(super) struct HoverParts {
    pub hover: Hover,
    /// Its line is shown.
    pub source: Option<Source>,
    /// What a compiler has to be asked.
    pub legalization: Option<Request>,
}

pub(super) fn hover(snapshot: &Snapshot, p: &HoverParams) -> Result<Option<HoverParts>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position_params) else {
        return Ok(None);
    };
    let source = || features::source_place(view, offset).map(|place| source(snapshot, document, &place));
    Ok(features::hover(view, offset).map(|hover| {
        let range = Some(document.positions.range(hover.range));
        let hover = with_registers(document, view, hover);
        let text = match snapshot.config.text_tables {
            true => tables::as_text(&hover.markdown),
            false => hover.markdown,
        };
        let contents = HoverContents::Markup(markup(text));
        HoverParts {
            hover: Hover { contents, range },
            source: source(),
            legalization: legalization(view, offset),
        }
    }))
}

/// What the figures of a kernel mean, after the hover of its name.
fn with_registers(document: &DocumentView, view: View<'_>, hover: features::Hover) -> features::Hover {
    let word = std::ops::Range::<usize>::from(hover.range);
    let word = document.positions.rope.get_byte_slice(word).map(|w| w.to_string()).unwrap_or_default();
    // `%name` is a value there.
    let is_value = view.dialect() == Dialect::Llvm && word.starts_with('%');
    match costs::explained(document, &word).filter(|_| !is_value) {
        Some(registers) => {
            features::Hover { markdown: format!("{}\n\n{registers}", hover.markdown), ..hover }
        }
        None => hover,
    }
}

fn links(document: &DocumentView, targets: Vec<features::Target>) -> Option<GotoDefinitionResponse> {
    let locations: Vec<_> =
        targets.into_iter().filter_map(|t| location_in(document, t.file.as_deref(), t.range)).collect();
    (!locations.is_empty()).then_some(GotoDefinitionResponse::Array(locations))
}

/// A place in a file that debug information names, to be looked for once the snapshot is given back.
fn source(snapshot: &Snapshot, document: &DocumentView, place: &SourcePlace) -> Source {
    let path = uri::path(document.uri.as_str());
    Source::new(place, &snapshot.config.source_files, path.as_deref(), &snapshot.folders)
}

/// Where a definition is.
pub(super) enum Definition {
    Known(Option<GotoDefinitionResponse>),
    /// In another module, or else where this one declares it.
    Linked(Linked, Option<GotoDefinitionResponse>),
    /// In a file of the source, or else in its text inside the document.
    Source(Source, Option<GotoDefinitionResponse>),
}

pub(super) fn definition(snapshot: &Snapshot, p: &GotoDefinitionParams) -> Result<Definition> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position_params) else {
        return Ok(Definition::Known(None));
    };
    let known = links(document, features::definition(view, offset));
    if let Some((name, false)) = features::linked_name_at(view, offset) {
        return Ok(Definition::Linked(Linked::new(snapshot, document, &name), known));
    }
    let place = if known.is_some() { None } else { features::source_place(view, offset) };
    Ok(match place {
        Some(place) => {
            let embedded = place.text.as_ref().and_then(|text| text.range);
            let embedded = embedded.map(|range| GotoDefinitionResponse::Scalar(location(document, range)));
            Definition::Source(source(snapshot, document, &place), embedded)
        }
        None => Definition::Known(known),
    })
}

/// Names of source files, with the places that they name.
pub(super) fn source_links(snapshot: &Snapshot) -> Result<Vec<(Range, Source)>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(Vec::new()) };
    let link =
        |place: SourcePlace| (document.positions.range(place.origin), source(snapshot, document, &place));
    Ok(features::source_links(view).into_iter().map(link).collect())
}

/// Where the code of a line of a source file begins, in all open documents that name the file.
pub(super) fn code_of_line(snapshot: &Snapshot, source_file: &Uri, line: u32) -> Result<Vec<Location>> {
    let Some(path) = uri::path(source_file.as_str()) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for document in &snapshot.documents {
        let is_wanted =
            |place: &SourcePlace| place.line == line + 1 && source(snapshot, document, place).may_be(&path);
        let code = features::code_of_source(snapshot.view(document), is_wanted);
        found.extend(code.into_iter().map(|range| location(document, range)));
    }
    Ok(found)
}

pub(super) fn declaration(
    snapshot: &Snapshot,
    p: &GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position_params) else {
        return Ok(None);
    };
    Ok(links(document, features::declaration(view, offset)))
}

/// References in the document, and the name if other modules can mean it.
pub(super) fn references(
    snapshot: &Snapshot,
    p: &ReferenceParams,
) -> Result<Option<(Vec<Location>, Option<Linked>)>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position) else { return Ok(None) };
    let ranges = features::references(view, offset, p.context.include_declaration);
    let linked =
        features::linked_name_at(view, offset).map(|(name, _)| Linked::new(snapshot, document, &name));
    Ok(Some((ranges.into_iter().map(|r| location(document, r)).collect(), linked)))
}

pub(super) fn highlights(
    snapshot: &Snapshot,
    p: &DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position_params) else {
        return Ok(None);
    };
    let places = features::highlights(view, offset).into_iter().map(|(range, role)| DocumentHighlight {
        range: document.positions.range(range),
        kind: Some(match role {
            Role::Definition | Role::Declaration | Role::Write => DocumentHighlightKind::WRITE,
            Role::Reference | Role::Call => DocumentHighlightKind::READ,
        }),
    });
    Ok(Some(places.collect()))
}

pub(super) fn prepare_rename(
    snapshot: &Snapshot,
    p: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let Some((document, view, offset)) = at(snapshot, p) else { return Ok(None) };
    Ok(features::prepare_rename(view, offset).map(|(range, placeholder)| {
        PrepareRenameResponse::RangeWithPlaceholder { range: document.positions.range(range), placeholder }
    }))
}

pub(super) fn rename(snapshot: &Snapshot, p: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position) else { return Ok(None) };
    match features::rename(view, offset, p.new_name.trim()) {
        Ok(edits) => Ok(Some(workspace_edit(document, edits))),
        Err(reason) => Err(Error::invalid_params(reason)),
    }
}

pub(super) fn document_symbols(snapshot: &Snapshot) -> Result<Option<DocumentSymbolResponse>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let demangles = snapshot.config.demangle;
    let symbols =
        features::document_outline(view).into_iter().map(|s| document_symbol(document, s, demangles));
    Ok(Some(DocumentSymbolResponse::Nested(symbols.collect())))
}

pub(super) fn folding_ranges(snapshot: &Snapshot) -> Result<Option<Vec<FoldingRange>>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let line = |offset| document.positions.position(offset).line;
    let ranges = features::folds(view).into_iter().map(|fold| FoldingRange {
        start_line: line(fold.range.start()),
        end_line: line(fold.range.end()),
        kind: Some(match fold.kind {
            FoldKind::Region | FoldKind::Run(_) => FoldingRangeKind::Region,
            FoldKind::Comment | FoldKind::Checks => FoldingRangeKind::Comment,
            // The kind that editors can fold when a file is opened.
            FoldKind::DebugInfo => FoldingRangeKind::Imports,
        }),
        // Clients know by it which ranges *Fold Checks* folds.
        collapsed_text: (fold.kind == FoldKind::Checks).then(|| CHECKS.to_owned()),
        ..Default::default()
    });
    Ok(Some(ranges.filter(|r| r.end_line > r.start_line).collect()))
}

pub(super) fn selection_ranges(
    snapshot: &Snapshot,
    p: &SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let positions = &document.positions;
    let chain = |position: &Position| {
        let ranges = features::selection_ranges(view, positions.offset(*position));
        let nested = ranges.into_iter().rev().fold(None, |parent, range| {
            Some(SelectionRange { range: positions.range(range), parent: parent.map(Box::new) })
        });
        nested.unwrap_or(SelectionRange { range: Range::new(*position, *position), parent: None })
    };
    Ok(Some(p.positions.iter().map(chain).collect()))
}

fn all_tokens(document: &DocumentView, view: View<'_>) -> Arc<Vec<SemanticToken>> {
    let end = TextSize::new(document.positions.rope.len_bytes() as u32);
    Arc::new(tokens::encode(document, &features::tokens(view, TextRange::up_to(end))))
}

pub(super) fn semantic_tokens_full(snapshot: &Snapshot) -> Result<Option<SemanticTokensResult>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    if document.positions.rope.len_bytes() > TOKENS_LIMIT {
        return Ok(None);
    }
    let data = all_tokens(document, view);
    let (id, _) = snapshot.sent_tokens.exchange(document.uri.as_str(), data.clone(), "");
    let data = data.to_vec();
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: Some(id), data })))
}

pub(super) fn semantic_tokens_delta(
    snapshot: &Snapshot,
    p: &SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    if document.positions.rope.len_bytes() > TOKENS_LIMIT {
        return Ok(None);
    }
    let data = all_tokens(document, view);
    let uri = document.uri.as_str();
    let (id, before) = snapshot.sent_tokens.exchange(uri, data.clone(), &p.previous_result_id);
    Ok(Some(match before {
        Some(before) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
            result_id: Some(id),
            edits: tokens::difference(&before, &data),
        }),
        None => {
            SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id: Some(id), data: data.to_vec() })
        }
    }))
}

pub(super) fn semantic_tokens_range(
    snapshot: &Snapshot,
    p: &SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let range = document.positions.text_range(p.range);
    let mut spans = features::tokens(view, range);
    spans.retain(|t| t.range.intersect(range).is_some());
    let data = tokens::encode(document, &spans);
    Ok(Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data })))
}

pub(super) fn completion(snapshot: &Snapshot, p: &CompletionParams) -> Result<Option<CompletionResponse>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position) else { return Ok(None) };
    let completions = features::complete(view, offset);
    let items =
        completions.items.into_iter().enumerate().map(|(index, item)| completion_item(document, index, item));
    Ok(Some(CompletionResponse::List(CompletionList {
        is_incomplete: completions.incomplete,
        items: items.collect(),
    })))
}

fn format(snapshot: &Snapshot, range: Option<Range>) -> Result<Option<Vec<TextEdit>>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let lines =
        |range: Range| Range::new(Position::new(range.start.line, 0), Position::new(range.end.line + 1, 0));
    let range = range.map(|range| document.positions.text_range(lines(range)));
    let edits = features::format(view, range, snapshot.config.style);
    Ok(Some(edits.into_iter().map(|e| text_edit(document, e)).collect()))
}

/// The edits, and what they leave as it is.
pub(super) fn format_document(snapshot: &Snapshot) -> Result<(Option<Vec<TextEdit>>, Option<String>)> {
    let left = whole(snapshot).and_then(|(_, view)| left_as_it_is(view.dialect(), &view.whole_text()));
    Ok((format(snapshot, None)?, left))
}

pub(super) fn format_range(
    snapshot: &Snapshot,
    p: &DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    format(snapshot, Some(p.range))
}

/// Formats the line that was typed: after a line break, the one before.
pub(super) fn format_on_type(
    snapshot: &Snapshot,
    p: &DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<TextEdit>>> {
    let at = p.text_document_position.position;
    let line = if p.ch == "\n" { at.line.saturating_sub(1) } else { at.line };
    let typed = Position::new(line, 0);
    let mut edits = format(snapshot, Some(Range::new(typed, typed)))?;
    // What is around the cursor is being written.
    if let Some(edits) = &mut edits {
        edits.retain(|e| e.range.end.line == line && e.range.start.line == line);
    }
    Ok(edits)
}

pub(super) fn signature_help(snapshot: &Snapshot, p: &SignatureHelpParams) -> Result<Option<SignatureHelp>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position_params) else {
        return Ok(None);
    };
    let encoding = document.positions.encoding;
    Ok(features::signature(view, offset).map(|signature| {
        let active = signature.active.map(|a| a as u32);
        let units = |end: usize| encoding.len(signature.label.get(..end).unwrap_or(&signature.label));
        let parameters = signature.parameters.iter().map(|range| ParameterInformation {
            label: ParameterLabel::LabelOffsets([units(range.start), units(range.end)]),
            documentation: None,
        });
        SignatureHelp {
            signatures: vec![SignatureInformation {
                parameters: Some(parameters.collect()),
                documentation: (!signature.documentation.is_empty())
                    .then(|| Documentation::MarkupContent(markup(signature.documentation.clone()))),
                active_parameter: active,
                label: signature.label,
            }],
            active_signature: Some(0),
            active_parameter: active,
        }
    }))
}

pub(super) fn code_actions(snapshot: &Snapshot, p: &CodeActionParams) -> Result<Option<CodeActionResponse>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let range = document.positions.text_range(p.range);
    let wanted = |kind: &CodeActionKind| {
        p.context.only.as_ref().is_none_or(|only| {
            only.iter().any(|o| {
                kind.as_str() == o.as_str() || kind.as_str().starts_with(&format!("{}.", o.as_str()))
            })
        })
    };
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for action in features::actions(view, range) {
        let kind = match action.kind {
            ActionKind::QuickFix => CodeActionKind::QUICKFIX,
            ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
            ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        };
        let key = (action.title.clone(), action.edits.first().map(|e| e.range));
        if !wanted(&kind) || !seen.insert(key) {
            continue;
        }
        let is_preferred = action.is_certain().then_some(true);
        let finding = action.finding.map(|f| vec![diagnostics::diagnostic(document, f)]);
        all.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title,
            is_preferred,
            kind: Some(kind),
            diagnostics: finding,
            edit: Some(workspace_edit(document, action.edits)),
            ..Default::default()
        }));
    }
    let show = CodeActionKind::new("source");
    if wanted(&show)
        && let Some(command) = commands::show_isa_command(view, document, range.start())
    {
        all.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: command.title.clone(),
            kind: Some(show),
            command: Some(command),
            ..Default::default()
        }));
    }
    if wanted(&reduce::KIND) {
        all.extend(reduce::actions(document, &p.context.diagnostics));
    }
    Ok(Some(all))
}

pub(super) fn code_lenses(snapshot: &Snapshot) -> Result<Option<Vec<CodeLens>>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let mut lenses = commands::lenses(view, document, snapshot.config.resource_lens);
    if snapshot.config.runs_tests && snapshot.config.test_lens {
        lenses.extend(lit::lenses(view, document));
    }
    Ok(Some(lenses))
}

pub(super) fn call_items(
    snapshot: &Snapshot,
    p: &CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let Some((document, view, offset)) = at(snapshot, &p.text_document_position_params) else {
        return Ok(None);
    };
    let items: Vec<_> =
        features::call_items(view, offset).into_iter().map(|c| call_item(document, c)).collect();
    Ok((!items.is_empty()).then_some(items))
}

pub(super) fn incoming_calls(
    snapshot: &Snapshot,
    p: &CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let positions = &document.positions;
    let calls = features::incoming_calls(view, positions.offset(p.item.selection_range.start));
    let calls = calls.into_iter().map(|call| CallHierarchyIncomingCall {
        from: call_item(document, call.other),
        from_ranges: call.ranges.into_iter().map(|r| positions.range(r)).collect(),
    });
    Ok(Some(calls.collect()))
}

pub(super) fn outgoing_calls(
    snapshot: &Snapshot,
    p: &CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let Some((document, view)) = whole(snapshot) else { return Ok(None) };
    let positions = &document.positions;
    let calls = features::outgoing_calls(view, positions.offset(p.item.selection_range.start));
    let calls = calls.into_iter().map(|call| CallHierarchyOutgoingCall {
        to: call_item(document, call.other),
        from_ranges: call.ranges.into_iter().map(|r| positions.range(r)).collect(),
    });
    Ok(Some(calls.collect()))
}

pub(super) fn document_diagnostics(
    snapshot: &Snapshot,
    p: &DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    let report = match snapshot.document() {
        None => RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: None,
                items: snapshot.notice.clone(),
            },
        },
        Some(document) => {
            let id = document.findings_id();
            if p.previous_result_id.as_deref() == Some(&id) {
                let unchanged_document_diagnostic_report =
                    UnchangedDocumentDiagnosticReport { result_id: id };
                let report = RelatedUnchangedDocumentDiagnosticReport {
                    related_documents: None,
                    unchanged_document_diagnostic_report,
                };
                return Ok(DocumentDiagnosticReport::Unchanged(report).into());
            }
            RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: FullDocumentDiagnosticReport {
                    result_id: Some(id),
                    items: document.with_complaints(diagnostics::compute(snapshot, document)),
                },
            }
        }
    };
    Ok(DocumentDiagnosticReport::Full(report).into())
}
