//! What the server offers.

use lsp_types::*;
use serde_json::json;
use wavelens_base::configuration::Env;
use wavelens_ide::features::{TokenKind, TokenModifiers};
use wavelens_isa::processor::Processor;

use super::commands;
use super::position::Encoding;

/// Standard types where there are any, so that every theme has a colour.
pub(super) fn token_type(kind: TokenKind) -> SemanticTokenType {
    match kind {
        TokenKind::Comment => SemanticTokenType::COMMENT,
        TokenKind::Keyword | TokenKind::Opcode => SemanticTokenType::KEYWORD,
        TokenKind::Modifier => SemanticTokenType::MODIFIER,
        TokenKind::Type => SemanticTokenType::TYPE,
        TokenKind::Function => SemanticTokenType::FUNCTION,
        TokenKind::Variable | TokenKind::Local => SemanticTokenType::VARIABLE,
        TokenKind::Parameter => SemanticTokenType::PARAMETER,
        TokenKind::Label => SemanticTokenType::new("label"),
        TokenKind::Register => SemanticTokenType::new("register"),
        TokenKind::Metadata => SemanticTokenType::PROPERTY,
        TokenKind::Attribute => SemanticTokenType::DECORATOR,
        TokenKind::Directive | TokenKind::Macro => SemanticTokenType::MACRO,
        TokenKind::Constant => SemanticTokenType::ENUM_MEMBER,
        TokenKind::Number => SemanticTokenType::NUMBER,
        TokenKind::String => SemanticTokenType::STRING,
        TokenKind::Operator => SemanticTokenType::OPERATOR,
        TokenKind::CheckPrefix => SemanticTokenType::new("checkPrefix"),
        TokenKind::CheckBody => SemanticTokenType::new("checkBody"),
        TokenKind::Regex => SemanticTokenType::REGEXP,
    }
}

/// In the order of the bits of [`TokenModifiers`], then the one that marks what the whole file can name.
const MODIFIERS: [SemanticTokenModifier; 5] = [
    SemanticTokenModifier::DEFINITION,
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEPRECATED,
    SemanticTokenModifier::STATIC,
];

pub(super) fn modifier_bits(kind: TokenKind, modifiers: TokenModifiers) -> u32 {
    let global = matches!(kind, TokenKind::Variable | TokenKind::Function);
    u32::from(modifiers.0) | if global { 1 << 4 } else { 0 }
}

/// `pull`: findings are sent when the client asks for them; `resolves`: so is the documentation of proposals.
pub(super) fn server_capabilities(encoding: Encoding, pull: bool, resolves: bool) -> ServerCapabilities {
    let progress = WorkDoneProgressOptions::default();
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            ..Default::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["%", "@", "!", "#", "$", "^", ".", "\""].map(str::to_owned).to_vec()),
            resolve_provider: resolves.then_some(true),
            ..Default::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".to_owned(), ",".to_owned(), " ".to_owned()]),
            ..Default::default()
        }),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: progress,
        }),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR_REWRITE,
                CodeActionKind::REFACTOR_EXTRACT,
                super::reduce::KIND,
            ]),
            ..Default::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "\n".to_owned(),
            more_trigger_character: Some(vec!["}".to_owned(), ":".to_owned()]),
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: progress,
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: TokenKind::ALL.iter().map(|k| token_type(*k)).collect(),
                    token_modifiers: MODIFIERS.to_vec(),
                },
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                ..Default::default()
            }
            .into(),
        ),
        inlay_hint_provider: Some(OneOf::Left(true)),
        diagnostic_provider: pull.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("wavelens".to_owned()),
                inter_file_dependencies: false,
                workspace_diagnostics: false,
                ..Default::default()
            })
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::NAMES.iter().map(|n| (*n).to_owned()).collect(),
            ..Default::default()
        }),
        // For the lists from which users choose what a file is for.
        experimental: Some(json!({
            "targets": {
                "processors": Processor::by_architecture(),
                "environments": Env::names().collect::<Vec<_>>(),
            },
        })),
        ..Default::default()
    }
}
