//! Semantic tokens of LLVM IR.

use rustc_hash::FxHashMap;
use wavelens_base::TextRange;
use wavelens_llvm::body::{Body, LocalKind};
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::Node;

use super::Cx;
use super::place::{Tree, is_keyword, plain_name};
use super::show::plain;
use crate::answers::{TokenKind, TokenModifiers, TokenSpan};

/// The chunk's tokens, in order.
pub fn tokens(cx: &Cx<'_>) -> Vec<TokenSpan> {
    let tree = Tree::new(cx.text);
    let mut spans: Vec<TokenSpan> = tree
        .comments()
        .map(|range| TokenSpan { range, kind: TokenKind::Comment, modifiers: TokenModifiers::NONE })
        .collect();
    for entity in tree.root().children() {
        let range = entity.range();
        let body = cx.lowered.bodies.iter().find(|b| range.contains_range(b.range));
        let locals = body.map(local_kinds).unwrap_or_default();
        for node in entity.descendants() {
            add(cx, node, &locals, &mut spans);
        }
    }
    spans.sort_by_key(|s| s.range.start());
    spans
}

/// What each `%` name of a body is.
fn local_kinds(body: &Body) -> FxHashMap<String, TokenKind> {
    let kinds = body.locals.iter().map(|local| {
        let kind = match local.kind {
            LocalKind::Argument(_) => TokenKind::Parameter,
            LocalKind::Block(_) => TokenKind::Label,
            LocalKind::Inst(_) | LocalKind::Undefined => TokenKind::Local,
        };
        (plain(local.name, &body.tables.names), kind)
    });
    kinds.collect()
}

fn add(
    cx: &Cx<'_>,
    node: Node<'_, LlvmKind>,
    locals: &FxHashMap<String, TokenKind>,
    spans: &mut Vec<TokenSpan>,
) {
    let mut first_word = true;
    for token in node.tokens() {
        let (mut range, mut modifiers) = (token.range(), TokenModifiers::NONE);
        let kind = match (node.kind(), token.kind()) {
            (TYPE, LOCAL | LOCAL_ID) => TokenKind::Type,
            (TYPE_DEF, LOCAL | LOCAL_ID) => {
                modifiers = TokenModifiers::DEFINITION;
                TokenKind::Type
            }
            (_, LOCAL | LOCAL_ID) => {
                if matches!(node.kind(), INST | PARAM) {
                    modifiers = TokenModifiers::DEFINITION;
                }
                locals.get(&plain_name(token.text())).copied().unwrap_or(TokenKind::Local)
            }
            (FIELD, LABEL) => TokenKind::Attribute,
            (_, LABEL | LABEL_ID) => {
                modifiers = TokenModifiers::DEFINITION;
                range = TextRange::new(range.start(), range.end() - rowan::TextSize::new(1));
                TokenKind::Label
            }
            (FUNCTION, GLOBAL | GLOBAL_ID) => {
                let defines = node.token(DEFINE_KW).is_some();
                modifiers = if defines { TokenModifiers::DEFINITION } else { TokenModifiers::DECLARATION };
                TokenKind::Function
            }
            (GLOBAL_DEF | ALIAS_DEF, GLOBAL | GLOBAL_ID) => {
                modifiers = TokenModifiers::DEFINITION;
                if node.token(CONSTANT_KW).is_some() {
                    modifiers.0 |= TokenModifiers::READONLY.0;
                }
                TokenKind::Variable
            }
            (_, GLOBAL | GLOBAL_ID) => global(cx, token.text()),
            (_, COMDAT | SUMMARY_ID) => TokenKind::Label,
            (_, ATTR_GROUP_ID) => TokenKind::Attribute,
            (_, METADATA_NAME | EXCLAIM) => TokenKind::Metadata,
            (METADATA_REF | METADATA_DEF, NUMBER) => TokenKind::Metadata,
            (ATTR, STRING) => TokenKind::Attribute,
            (_, NUMBER | HEX_NUMBER | FLOAT | HEX_FLOAT) => TokenKind::Number,
            (_, STRING) => TokenKind::String,
            (_, INT_TYPE | FLOAT_TYPE_KW | PTR_KW | VOID_KW) => TokenKind::Type,
            (TYPE, LABEL_KW | METADATA_KW) => TokenKind::Type,
            (_, WORD) => TokenKind::Constant,
            (ATTR, kind) if is_keyword(kind) => TokenKind::Attribute,
            (DEBUG_RECORD, HASH) => TokenKind::Opcode,
            (
                _,
                TRUE_KW | FALSE_KW | NULL_KW | UNDEF_KW | POISON_KW | ZEROINITIALIZER_KW | NONE_KW
                | PREDICATE_KW | RMW_KW | ORDERING_KW,
            ) => TokenKind::Constant,
            (INST, TAIL_KW | MUSTTAIL_KW | NOTAIL_KW) => TokenKind::Modifier,
            (INST, kind) if is_keyword(kind) => {
                let opcode = std::mem::replace(&mut first_word, false);
                if opcode { TokenKind::Opcode } else { TokenKind::Modifier }
            }
            (FUNCTION | GLOBAL_DEF, kind) if is_keyword(kind) => match kind {
                DEFINE_KW | DECLARE_KW | GLOBAL_KW | CONSTANT_KW => TokenKind::Keyword,
                _ => TokenKind::Modifier,
            },
            (VALUE, kind) if is_keyword(kind) => TokenKind::Opcode,
            (_, kind) if is_keyword(kind) => TokenKind::Keyword,
            _ => continue,
        };
        if !token.text().contains('\n') {
            spans.push(TokenSpan { range, kind, modifiers });
        }
    }
}

fn global(cx: &Cx<'_>, written: &str) -> TokenKind {
    match cx.scope.global_named(&plain_name(written)) {
        Some(found) if matches!(found.kind, wavelens_llvm::scope::GlobalKind::Function(_)) => {
            TokenKind::Function
        }
        None if written.starts_with("@llvm.") => TokenKind::Function,
        _ => TokenKind::Variable,
    }
}
