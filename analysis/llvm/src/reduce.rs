//! What a reduction takes out of LLVM IR so that the rest stays a module.

use wavelens_syntax::llvm::{LlvmKind, parse};
use wavelens_syntax::machine::{Node, Token};
use wavelens_syntax::{Dialect, TextRange, TextSize};

use wavelens_base::TextEdit;
use wavelens_base::reduction_unit::{Stage, Unit};

type LlvmNode<'t> = Node<'t, LlvmKind>;
type LlvmToken<'t> = Token<'t, LlvmKind>;

/// What a reduction tries to take out of a text.
pub fn units(text: &str, stage: Stage) -> Vec<Unit> {
    let mut units = Vec::new();
    for span in wavelens_syntax::split(Dialect::Llvm, text).iter() {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        let parsed = parse(chunk);
        for function in parsed.root(chunk).children().filter(|n| n.kind() == LlvmKind::FUNCTION) {
            let from = units.len();
            match stage {
                Stage::Functions => units.extend(to_declaration(function)),
                Stage::Blocks => blocks(function, &mut units),
                Stage::Instructions => instructions(function, &mut units),
                Stage::Operands => operands(function, &mut units),
            }
            let edits = units.iter_mut().skip(from).flatten();
            edits.for_each(|edit| edit.range += span.range.start());
        }
    }
    units
}

fn edit(range: TextRange, text: &str) -> TextEdit {
    TextEdit::new(range, text)
}

/// The function without its body.
fn to_declaration(function: LlvmNode<'_>) -> Option<Unit> {
    let (body, define) = (function.child(LlvmKind::BODY)?, function.token(LlvmKind::DEFINE_KW)?);
    Some(vec![edit(define.range(), "declare"), edit(body.range(), "")])
}

/// Each block but the entry: branches to it go to their other target, and its values leave the phis.
fn blocks(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let all: Vec<LlvmNode<'_>> = function.descendants().filter(|n| n.kind() == LlvmKind::BLOCK).collect();
    for block in all.iter().skip(1) {
        let Some(label) = block.child(LlvmKind::LABEL_DEF).and_then(|l| l.first_token()) else { continue };
        let name = format!("%{}", label.text().trim_end_matches(':'));
        let mut unit = vec![edit(block.range(), "")];
        for other in all.iter().filter(|other| other.range() != block.range()) {
            for instruction in other.children().filter(|n| n.kind() == LlvmKind::INST) {
                leave(instruction, &name, &mut unit);
            }
        }
        units.push(unit);
    }
}

/// Takes a block's name out of an instruction of another block.
fn leave(instruction: LlvmNode<'_>, name: &str, unit: &mut Unit) {
    let tokens: Vec<LlvmToken<'_>> = instruction.descendants().flat_map(|n| n.tokens()).collect();
    let mut tokens = tokens;
    tokens.sort_by_key(|t| t.range().start());
    if !tokens.iter().any(|t| t.kind() == LlvmKind::LOCAL && t.text() == name) {
        return;
    }
    if tokens.iter().any(|t| t.kind() == LlvmKind::PHI_KW) {
        incoming(&tokens, name, unit);
        return;
    }
    let targets = tokens.iter().filter(|t| t.kind() == LlvmKind::LOCAL).skip(1);
    let other = targets.map(|t| t.text()).find(|t| *t != name);
    let is_branch = tokens.first().is_some_and(|t| t.kind() == LlvmKind::BR_KW);
    let text = match other.filter(|_| is_branch) {
        Some(other) => format!("br label {other}"),
        None => "unreachable".to_owned(),
    };
    unit.push(edit(instruction.range(), &text));
}

/// The pairs `[ value, %name ]` of a phi, with the comma before or after them.
fn incoming(tokens: &[LlvmToken<'_>], name: &str, unit: &mut Unit) {
    let mut open = None;
    for (n, token) in tokens.iter().enumerate() {
        match token.kind() {
            LlvmKind::L_BRACKET => open = Some(n),
            LlvmKind::R_BRACKET => {
                let Some(first) = open.take() else { continue };
                let from = n.checked_sub(1).and_then(|n| tokens.get(n));
                if from.is_none_or(|t| t.text() != name) {
                    continue;
                }
                let comma =
                    |n: Option<usize>| n.and_then(|n| tokens.get(n)).filter(|t| t.kind() == LlvmKind::COMMA);
                let start = comma(first.checked_sub(1)).or(tokens.get(first));
                let end = match comma(first.checked_sub(1)) {
                    Some(_) => token,
                    None => comma(Some(n + 1)).unwrap_or(token),
                };
                let start = start.map_or(TextSize::new(0), |t| t.range().start());
                unit.push(edit(TextRange::new(start, end.range().end()), ""));
            }
            _ => {}
        }
    }
}

/// Each instruction: where its value is used, any value will do.
fn instructions(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let values: Vec<LlvmToken<'_>> =
        function.descendants().flat_map(|n| n.tokens()).filter(|t| t.kind() == LlvmKind::LOCAL).collect();
    for instruction in function.descendants().filter(|n| n.kind() == LlvmKind::INST) {
        let mut unit = vec![edit(instruction.range(), "")];
        if let Some(result) = instruction.first_token().filter(|t| t.kind() == LlvmKind::LOCAL) {
            let uses = values.iter().filter(|t| t.text() == result.text() && t.range() != result.range());
            unit.extend(uses.map(|t| edit(t.range(), "poison")));
        }
        units.push(unit);
    }
    // A block ends where nothing follows: also in the middle.
    for instruction in function.descendants().filter(|n| n.kind() == LlvmKind::INST) {
        if instruction.first_token().is_some_and(|t| t.kind() != LlvmKind::LOCAL && t.text() != "unreachable")
        {
            units.push(vec![edit(instruction.range(), "unreachable")]);
        }
    }
}

/// Each value that is a name becomes a constant.
fn operands(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let Some(body) = function.child(LlvmKind::BODY) else { return };
    for value in body.descendants().filter(|n| n.kind() == LlvmKind::VALUE) {
        if value.first_token().is_some_and(|t| t.kind() == LlvmKind::LOCAL) {
            units.push(vec![edit(value.range(), "poison")]);
        }
    }
}
