//! Semantic tokens of SPIR-V assembly.

use rustc_hash::FxHashMap;
use wavelens_base::{TextRange, TextSize};
use wavelens_spirv::flat::{Form, NONE};
use wavelens_syntax::spirv::SpirvKind::*;
use wavelens_syntax::spirv::lex;
use wavelens_syntax::spirv::tables::Kind;

use super::Cx;
use super::place::{defining_op, token_kind};
use crate::answers::{TokenKind, TokenModifiers, TokenSpan};

/// The chunk's tokens, in order.
pub fn tokens(cx: &Cx<'_>) -> Vec<TokenSpan> {
    let flat = &cx.lowered.flat;
    let mut names: FxHashMap<TextSize, (u32, bool)> = FxHashMap::default();
    for (operand, range) in flat.operands.iter().zip(&cx.lowered.operand_ranges) {
        if operand.form == Form::Id {
            names.insert(range.start(), (operand.value, operand.kind == Kind::ResultId));
        }
    }
    let kinds: Vec<TokenKind> = (0..flat.names.len() as u32)
        .map(|local| {
            let own = flat.names.get(local as usize).is_some_and(|n| n.def != NONE);
            let in_function = own && flat.is_function();
            defining_op(cx, local).map_or(TokenKind::Local, |op| token_kind(op, in_function))
        })
        .collect();
    let lexed = lex(cx.text);
    let mut spans = Vec::with_capacity(lexed.len() / 2);
    for index in 0..lexed.len() {
        let range = lexed.range(index);
        let mut modifiers = TokenModifiers::NONE;
        let kind = match lexed.kind(index) {
            COMMENT => TokenKind::Comment,
            OPCODE => TokenKind::Opcode,
            NUMBER | IMMEDIATE => TokenKind::Number,
            STRING => TokenKind::String,
            WORD => TokenKind::Constant,
            EQ => TokenKind::Operator,
            ID => match names.get(&range.start()) {
                Some((local, defines)) => {
                    if *defines {
                        modifiers = TokenModifiers::DEFINITION;
                    }
                    kinds.get(*local as usize).copied().unwrap_or(TokenKind::Local)
                }
                None => TokenKind::Local,
            },
            _ => continue,
        };
        let mut start = range.start();
        for line in cx.slice(range).split_inclusive('\n') {
            let written = TextRange::at(start, TextSize::of(line.trim_end_matches(['\n', '\r'])));
            if !written.is_empty() {
                spans.push(TokenSpan { range: written, kind, modifiers });
            }
            start += TextSize::of(line);
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, TextRange, TextSize};

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn ids_have_the_colour_of_what_they_are() {
        let text = "; c\n%t = OpTypeInt 32 0\n%c = OpConstant %t 1\n%p = OpTypePointer Private %t\n%v = OpVariable %p Private\n%fn = OpTypeFunction %t\n%f = OpFunction %t None %fn\n%l = OpLabel\n%x = OpLoad %t %v\nOpReturnValue %x\nOpFunctionEnd\n";
        let lines = at_cursor(Dialect::Spirv, text, |view, _| {
            let tokens = features::tokens(view, TextRange::up_to(TextSize::of(text)));
            let mut seen = std::collections::BTreeMap::new();
            for token in tokens {
                let word = text.get(std::ops::Range::<usize>::from(token.range)).unwrap_or("");
                seen.entry(word.to_owned()).or_insert(format!("{:?}", token.kind));
            }
            seen.into_iter().map(|(word, kind)| format!("{word} {kind}\n")).collect::<String>()
        });
        expect![[r#"
            %c Constant
            %f Function
            %fn Type
            %l Label
            %p Type
            %t Type
            %v Variable
            %x Local
            0 Number
            1 Number
            32 Number
            ; c Comment
            = Operator
            None Constant
            OpConstant Opcode
            OpFunction Opcode
            OpFunctionEnd Opcode
            OpLabel Opcode
            OpLoad Opcode
            OpReturnValue Opcode
            OpTypeFunction Opcode
            OpTypeInt Opcode
            OpTypePointer Opcode
            OpVariable Opcode
            Private Constant
        "#]]
        .assert_eq(&lines);
    }
}
