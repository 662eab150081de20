//! Semantic tokens of Machine IR.

use wavelens_syntax::mir::MirKind;

use super::Cx;
use super::ide_support::ir;
use crate::answers::{TokenKind, TokenModifiers, TokenSpan};

/// The chunk's tokens, in order.
pub fn tokens(cx: &Cx<'_>) -> Vec<TokenSpan> {
    if let Some(inner) = ir(cx) {
        return crate::llvm::tokens::tokens(&inner);
    }
    let parse = wavelens_syntax::mir::parse(cx.text);
    let lexed = parse.lexed();
    let mut found = Vec::new();
    let mut opcode_seen = false;
    for index in 0..lexed.len() {
        let mut modifiers = TokenModifiers::NONE;
        let kind = match lexed.kind(index) {
            MirKind::NEWLINE => {
                opcode_seen = false;
                continue;
            }
            MirKind::COMMENT => TokenKind::Comment,
            MirKind::IDENT if lexed.kind(index.saturating_sub(1)) == MirKind::COLON => TokenKind::Type,
            MirKind::IDENT if lexed.kind(index.saturating_sub(1)) == MirKind::LPAREN => TokenKind::Type,
            MirKind::IDENT if lexed.kind(index.saturating_sub(1)) == MirKind::DOT => TokenKind::Modifier,
            MirKind::IDENT if !opcode_seen => {
                opcode_seen = true;
                TokenKind::Opcode
            }
            MirKind::IDENT => TokenKind::Constant,
            MirKind::REGISTER_FLAG
            | MirKind::INSTRUCTION_FLAG
            | MirKind::MEMORY_FLAG
            | MirKind::SUBREG_NAME => TokenKind::Modifier,
            MirKind::FP_TYPE => TokenKind::Type,
            MirKind::LABEL => {
                modifiers = TokenModifiers::DEFINITION;
                TokenKind::Label
            }
            MirKind::BLOCK_NAME | MirKind::IR_BLOCK => TokenKind::Label,
            MirKind::VREG | MirKind::NAMED_VREG | MirKind::IR_VALUE => TokenKind::Local,
            MirKind::PHYSREG => TokenKind::Register,
            MirKind::STACK_OBJECT
            | MirKind::FIXED_STACK_OBJECT
            | MirKind::CONSTANT_POOL
            | MirKind::JUMP_TABLE => TokenKind::Variable,
            MirKind::GLOBAL | MirKind::EXTERNAL | MirKind::MCSYMBOL => TokenKind::Function,
            MirKind::INT | MirKind::HEX | MirKind::FLOAT => TokenKind::Number,
            MirKind::STRING | MirKind::SINGLE_QUOTED | MirKind::DOUBLE_QUOTED => TokenKind::String,
            MirKind::MD_WORD | MirKind::DIEXPRESSION | MirKind::DILOCATION | MirKind::EXCLAIM => {
                TokenKind::Metadata
            }
            MirKind::DOC_START | MirKind::DOC_END => TokenKind::Keyword,
            MirKind::PLAIN => match lexed.kind(lexed.skip_trivia(index + 1)) {
                MirKind::Y_COLON => TokenKind::Attribute,
                _ => TokenKind::Constant,
            },
            kind if kind.is_body()
                && lexed.text(cx.text, index).starts_with(|c: char| c.is_ascii_lowercase()) =>
            {
                TokenKind::Keyword
            }
            _ => continue,
        };
        found.push(TokenSpan { range: lexed.range(index), kind, modifiers });
    }
    found
}
