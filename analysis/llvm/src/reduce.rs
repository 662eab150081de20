//! What a reduction takes out of LLVM IR so that the rest stays a module.

use std::collections::HashMap;

use wavelens_syntax::llvm::{LlvmKind, parse};
use wavelens_syntax::machine::{Node, Token};
use wavelens_syntax::{Dialect, TextRange, TextSize};

use wavelens_base::TextEdit;
use wavelens_base::reduction_unit::{Stage, Unit};

type LlvmNode<'t> = Node<'t, LlvmKind>;
type LlvmToken<'t> = Token<'t, LlvmKind>;

/// What a reduction tries to take out of a text.
pub fn units(text: &str, stage: Stage) -> Vec<Unit> {
    let mut units = if stage == Stage::Operands { parameters(text) } else { Vec::new() };
    for span in wavelens_syntax::split(Dialect::Llvm, text).iter() {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        let parsed = parse(chunk);
        for function in parsed.root(chunk).children().filter(|n| n.kind() == LlvmKind::FUNCTION) {
            let from = units.len();
            match stage {
                Stage::Functions => units.extend(to_declaration(function)),
                Stage::Blocks => {
                    blocks(function, &mut units);
                    branches(function, &mut units);
                    merges(function, &mut units);
                }
                Stage::Instructions => instructions(function, &mut units),
                Stage::Values => arguments(function, &mut units),
                Stage::Operands => {
                    substitutions(function, &mut units);
                    operands(function, &mut units);
                    others(function, &mut units);
                }
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

/// A name or a number.
fn is_local(kind: LlvmKind) -> bool {
    matches!(kind, LlvmKind::LOCAL | LlvmKind::LOCAL_ID)
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
    if !tokens.iter().any(|t| is_local(t.kind()) && t.text() == name) {
        return;
    }
    if tokens.iter().any(|t| t.kind() == LlvmKind::PHI_KW) {
        incoming(&tokens, name, unit);
        return;
    }
    let targets = tokens.iter().filter(|t| is_local(t.kind())).skip(1);
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
    let values = locals(function);
    for instruction in function.descendants().filter(|n| n.kind() == LlvmKind::INST) {
        let mut unit = vec![edit(instruction.range(), "")];
        if let Some(result) = instruction.first_token().filter(|t| is_local(t.kind())) {
            let uses = values.iter().filter(|t| t.text() == result.text() && t.range() != result.range());
            unit.extend(uses.map(|t| edit(t.range(), "poison")));
        }
        units.push(unit);
    }
    // A block ends where nothing follows: also in the middle.
    for instruction in function.descendants().filter(|n| n.kind() == LlvmKind::INST) {
        if instruction.first_token().is_some_and(|t| !is_local(t.kind()) && t.text() != "unreachable") {
            units.push(vec![edit(instruction.range(), "unreachable")]);
        }
    }
}

/// Each value that is a name becomes a constant. What is called stays.
fn operands(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let Some(body) = function.child(LlvmKind::BODY) else { return };
    for node in body.descendants() {
        let arguments = node.child(LlvmKind::ARG_LIST).map(|list| list.range().start());
        let values = node.children().filter(|n| n.kind() == LlvmKind::VALUE);
        for value in values.filter(|value| Some(value.range().end()) != arguments) {
            let is_name = |t: LlvmToken<'_>| is_local(t.kind()) || t.kind() == LlvmKind::GLOBAL;
            if value.first_token().is_some_and(is_name) {
                units.push(vec![edit(value.range(), "poison")]);
            }
        }
    }
}

/// Each name or number of a value or block.
fn locals(function: LlvmNode<'_>) -> Vec<LlvmToken<'_>> {
    function.descendants().flat_map(|n| n.tokens()).filter(|t| is_local(t.kind())).collect()
}

/// The name of a block, as branches write it.
fn block_name(block: LlvmNode<'_>) -> Option<String> {
    let label = block.child(LlvmKind::LABEL_DEF).and_then(|l| l.first_token())?;
    Some(format!("%{}", label.text().trim_end_matches(':')))
}

fn is_block(node: &LlvmNode<'_>) -> bool {
    node.kind() == LlvmKind::BLOCK
}

fn is_instruction(node: &LlvmNode<'_>) -> bool {
    node.kind() == LlvmKind::INST
}

/// The tokens of a node and all below it, in order.
fn tokens(node: LlvmNode<'_>) -> Vec<LlvmToken<'_>> {
    let mut tokens: Vec<LlvmToken<'_>> = node.descendants().flat_map(|n| n.tokens()).collect();
    tokens.sort_by_key(|t| t.range().start());
    tokens
}

/// Each conditional branch goes to one of its targets; the phis of the other one forget the block.
fn branches(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let all: Vec<LlvmNode<'_>> = function.descendants().filter(is_block).collect();
    for block in &all {
        let Some(last) = block.children().filter(is_instruction).last() else { continue };
        let words = tokens(last);
        let names: Vec<&str> = words.iter().filter(|t| is_local(t.kind())).map(|t| t.text()).collect();
        let is_branch = words.first().is_some_and(|t| t.kind() == LlvmKind::BR_KW);
        let [.., one, two] = names[..] else { continue };
        if !is_branch || one == two || words.iter().filter(|t| t.text() == "label").count() != 2 {
            continue;
        }
        for (kept, left) in [(two, one), (one, two)] {
            let mut unit = vec![edit(last.range(), &format!("br label {kept}"))];
            let target = all.iter().find(|b| block_name(**b).is_some_and(|name| name == left));
            if let (Some(target), Some(own)) = (target, block_name(*block)) {
                for instruction in target.children().filter(is_instruction) {
                    let words = tokens(instruction);
                    if words.iter().any(|t| t.kind() == LlvmKind::PHI_KW) {
                        incoming(&words, &own, &mut unit);
                    }
                }
            }
            units.push(unit);
        }
    }
}

/// Each block that only one other block branches to, without a choice, becomes the end of that block.
fn merges(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let all: Vec<LlvmNode<'_>> = function.descendants().filter(is_block).collect();
    let uses = |name: &str| -> Vec<(LlvmNode<'_>, LlvmToken<'_>)> {
        let of = |instruction| tokens(instruction).into_iter().map(move |token| (instruction, token));
        let instructions = function.descendants().filter(is_instruction).flat_map(of);
        instructions.filter(|(_, t)| is_local(t.kind()) && t.text() == name).collect()
    };
    for block in &all {
        let Some(name) = block_name(*block) else { continue };
        let is_phi = |i: &LlvmNode<'_>| tokens(*i).iter().any(|t| t.kind() == LlvmKind::PHI_KW);
        let (phis, others): (Vec<_>, Vec<_>) = uses(&name).into_iter().partition(|(i, _)| is_phi(i));
        let [(branch, _)] = others[..] else { continue };
        let before = all.iter().find(|b| {
            b.children().filter(is_instruction).last().is_some_and(|i| i.range() == branch.range())
        });
        let Some(before) = before.filter(|b| b.range() != block.range()) else { continue };
        let words = tokens(branch);
        let is_plain = words.first().is_some_and(|t| t.kind() == LlvmKind::BR_KW) && words.len() == 3;
        let mut own = block.children().filter(is_instruction);
        let Some(first) = own.next().filter(|first| is_plain && !is_phi(first)) else { continue };
        let mut unit = vec![edit(block.range(), "")];
        let end = own.last().map_or(first.range(), |last| last.range()).end();
        let text = text_of(*block, TextRange::new(first.range().start(), end));
        unit.push(edit(branch.range(), &text));
        match block_name(*before) {
            Some(before) => unit.extend(phis.iter().map(|(_, token)| edit(token.range(), &before))),
            None if phis.is_empty() => {}
            None => continue,
        }
        units.push(unit);
    }
}

/// A part of a node's text.
fn text_of(node: LlvmNode<'_>, range: TextRange) -> String {
    let start = node.range().start();
    let text = node.text();
    let inside = std::ops::Range::<usize>::from(range - start);
    text.get(inside).unwrap_or_default().to_owned()
}

/// Each value is replaced by one of the operands that it is computed from.
fn substitutions(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    const TRIED: usize = 4;
    let locals = locals(function);
    let labels: Vec<String> = function.descendants().filter(is_block).filter_map(block_name).collect();
    for instruction in function.descendants().filter(is_instruction) {
        let Some(result) = instruction.first_token().filter(|t| is_local(t.kind())) else {
            continue;
        };
        let uses: Vec<TextRange> = locals
            .iter()
            .filter(|t| t.text() == result.text() && !instruction.range().contains_range(t.range()))
            .map(|t| t.range())
            .collect();
        let mut tried: Vec<String> = Vec::new();
        for value in instruction.children().filter(|n| n.kind() == LlvmKind::VALUE) {
            let text = value.text().to_string();
            let is_known = text == result.text() || labels.contains(&text) || tried.contains(&text);
            if uses.is_empty() || is_known || tried.len() == TRIED {
                continue;
            }
            let mut unit = vec![edit(instruction.range(), "")];
            unit.extend(uses.iter().map(|range| edit(*range, &text)));
            units.push(unit);
            tried.push(text);
        }
    }
}

/// Each value becomes an argument of the function.
fn arguments(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let Some(list) = function.child(LlvmKind::PARAM_LIST) else { return };
    let Some(open) = list.first_token() else { return };
    let comma = if list.children().any(|n| n.kind() == LlvmKind::PARAM) { ", " } else { "" };
    let uses = Uses::of(function);
    let locals = locals(function);
    for (n, instruction) in uses.all.iter().enumerate() {
        let Some(result) = instruction.first_token().filter(|t| is_local(t.kind())) else {
            continue;
        };
        let Some(ty) = result_type(*instruction) else { continue };
        // Numbers of parameters are in their order.
        let name = match result.kind() {
            LlvmKind::LOCAL_ID => result.text().replacen('%', "%v", 1),
            _ => result.text().to_owned(),
        };
        let at = TextRange::empty(open.range().end());
        let mut unit = vec![edit(at, &format!("{ty} {name}{comma}"))];
        if name != result.text() {
            let uses = locals.iter().filter(|t| t.text() == result.text() && t.range() != result.range());
            unit.extend(uses.map(|t| edit(t.range(), &name)));
        }
        unit.extend(uses.only_for(n).map(|range| edit(range, "")));
        units.push(unit);
    }
}

/// The instructions of a function, and which of them use a name.
struct Uses<'t> {
    all: Vec<LlvmNode<'t>>,
    operands: Vec<Vec<&'t str>>,
    users: HashMap<&'t str, Vec<usize>>,
    defined: HashMap<&'t str, usize>,
}

impl<'t> Uses<'t> {
    fn of(function: LlvmNode<'t>) -> Self {
        let all: Vec<LlvmNode<'t>> = function.descendants().filter(is_instruction).collect();
        let (mut users, mut defined) = (HashMap::<_, Vec<usize>>::new(), HashMap::new());
        let mut operands = Vec::new();
        for (n, instruction) in all.iter().enumerate() {
            let result = instruction.first_token().filter(|t| is_local(t.kind()));
            result.map(|result| defined.insert(result.text(), n));
            let names = tokens(*instruction).into_iter().filter(|t| is_local(t.kind()));
            let names = names.map(|t| t.text()).skip(usize::from(result.is_some()));
            let names: Vec<&str> = names.collect();
            names.iter().for_each(|name| users.entry(*name).or_default().push(n));
            operands.push(names);
        }
        Uses { all, operands, users, defined }
    }

    /// An instruction with those whose values nothing else uses.
    fn only_for(&self, instruction: usize) -> impl Iterator<Item = TextRange> {
        let mut gone = vec![instruction];
        let mut next = 0;
        while let Some(n) = gone.get(next) {
            for name in self.operands.get(*n).cloned().unwrap_or_default() {
                let Some(from) = self.defined.get(name).filter(|from| !gone.contains(from)) else { continue };
                if self.users.get(name).is_some_and(|users| users.iter().all(|user| gone.contains(user))) {
                    gone.push(*from);
                }
            }
            next += 1;
        }
        gone.into_iter().filter_map(|n| self.all.get(n).map(|node| node.range()))
    }
}

/// Each parameter of a function of the module, with the arguments of calls.
fn parameters(text: &str) -> Vec<Unit> {
    let mut lists: HashMap<String, Vec<Vec<Unit>>> = HashMap::new();
    for span in wavelens_syntax::split(Dialect::Llvm, text).iter() {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        let parsed = parse(chunk);
        for node in parsed.root(chunk).descendants() {
            let (name, list, element) = match node.kind() {
                LlvmKind::FUNCTION => (node.token(LlvmKind::GLOBAL), LlvmKind::PARAM_LIST, LlvmKind::PARAM),
                LlvmKind::INST => {
                    let callee = node.children().find(|n| n.kind() == LlvmKind::VALUE);
                    (callee.and_then(|n| n.token(LlvmKind::GLOBAL)), LlvmKind::ARG_LIST, LlvmKind::ARG)
                }
                _ => continue,
            };
            let (Some(name), Some(list)) = (name, node.child(list)) else { continue };
            // The signature of an intrinsic is not ours.
            if name.text().starts_with("@llvm.") {
                continue;
            }
            let mut elements = elements(list, element);
            if let Some(body) = node.child(LlvmKind::BODY) {
                let parameters = list.children().filter(|n| n.kind() == element);
                parameters.zip(&mut elements).for_each(|(parameter, unit)| forget(parameter, body, unit));
            }
            let edits = elements.iter_mut().flatten();
            edits.for_each(|edit| edit.range += span.range.start());
            lists.entry(name.text().to_owned()).or_default().push(elements);
        }
    }
    let of_function = |lists: Vec<Vec<Unit>>| {
        let count = lists.iter().map(Vec::len).max().unwrap_or(0);
        (0..count)
            .map(move |n| lists.iter().filter_map(|list| list.get(n)).flatten().cloned().collect::<Unit>())
            .collect::<Vec<_>>()
    };
    let mut lists: Vec<_> = lists.into_iter().collect();
    lists.sort_by(|one, other| one.0.cmp(&other.0));
    lists.into_iter().flat_map(|(_, lists)| of_function(lists)).collect()
}

/// The removal of each element of a list, with a comma; those of all elements at once leave an empty list.
fn elements(list: LlvmNode<'_>, element: LlvmKind) -> Vec<Unit> {
    let ranges: Vec<TextRange> = list.children().filter(|n| n.kind() == element).map(|n| n.range()).collect();
    let commas: Vec<TextRange> =
        list.tokens().filter(|t| t.kind() == LlvmKind::COMMA).map(|t| t.range()).collect();
    let comma = |n: usize| commas.get(n).or(commas.last()).map(|range| edit(*range, ""));
    ranges
        .iter()
        .enumerate()
        .map(|(n, range)| [edit(*range, "")].into_iter().chain(comma(n)).collect())
        .collect()
}

/// Uses of a parameter become poison.
fn forget(parameter: LlvmNode<'_>, body: LlvmNode<'_>, unit: &mut Unit) {
    let Some(name) = parameter.token(LlvmKind::LOCAL).or(parameter.token(LlvmKind::LOCAL_ID)) else { return };
    let locals = body.descendants().flat_map(|n| n.tokens()).filter(|t| is_local(t.kind()));
    unit.extend(locals.filter(|t| t.text() == name.text()).map(|t| edit(t.range(), "poison")));
}

/// Each value becomes the one that the same opcode computed before, or zero.
fn others(function: LlvmNode<'_>, units: &mut Vec<Unit>) {
    let locals = locals(function);
    let mut before: Vec<(String, String)> = Vec::new();
    for instruction in function.descendants().filter(is_instruction) {
        let Some(result) = instruction.first_token().filter(|t| is_local(t.kind())) else {
            continue;
        };
        let Some(ty) = result_type(instruction) else { continue };
        let opcode = instruction.tokens().nth(2).map_or("", |token| token.text());
        let kind = format!("{opcode} {ty}");
        let same = before.iter().rev().find(|(other, _)| *other == kind).map(|(_, name)| name.clone());
        for text in same.into_iter().chain([zero(&ty).to_owned()]) {
            let uses = locals.iter().filter(|t| t.text() == result.text() && t.range() != result.range());
            let mut unit = vec![edit(instruction.range(), "")];
            unit.extend(uses.map(|token| edit(token.range(), &text)));
            units.push(unit);
        }
        before.push((kind, result.text().to_owned()));
    }
}

/// The zero of a type, as it is written.
fn zero(ty: &str) -> &'static str {
    let is_integer = ty.strip_prefix('i').is_some_and(|bits| bits.bytes().all(|b| b.is_ascii_digit()));
    match ty {
        "i1" => "false",
        "half" | "bfloat" | "float" | "double" => "0.0",
        _ if is_integer => "0",
        _ if ty.starts_with("ptr") || ty.ends_with('*') => "null",
        _ => "zeroinitializer",
    }
}

/// The type of an instruction's value, where the text has it.
fn result_type(instruction: LlvmNode<'_>) -> Option<String> {
    let words: Vec<&str> = instruction.tokens().map(|t| t.text()).collect();
    let has = |word: &str| words.contains(&word);
    let types: Vec<String> =
        instruction.children().filter(|n| n.kind() == LlvmKind::TYPE).map(|n| n.text().to_string()).collect();
    if has("icmp") || has("fcmp") {
        return types.first().filter(|ty| !ty.starts_with('<')).map(|_| "i1".to_owned());
    }
    if has("getelementptr") || has("alloca") {
        return Some("ptr".to_owned());
    }
    if has("to") {
        return types.last().cloned();
    }
    if has("select") {
        return types.get(1).cloned();
    }
    let is_other =
        ["extractelement", "extractvalue", "cmpxchg", "atomicrmw", "landingpad"].iter().any(|w| has(w));
    types.first().filter(|_| !is_other).cloned()
}

#[cfg(test)]
mod tests;
