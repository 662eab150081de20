//! Signature help in LLVM IR: the function that a call under the cursor calls.

use wavelens_base::{TextRange, TextSize};
use wavelens_llvm::tables::Intrinsic;
use wavelens_syntax::llvm::LlvmKind::{self, *};

use super::place::{Tree, plain_name};
use super::{Cx, help, show};
use crate::answers::Signature;

/// The signature of the call or instruction around an offset of the chunk.
pub fn signature(cx: &Cx<'_>, at: TextSize) -> Option<Signature> {
    let tree = Tree::new(cx.text);
    let tokens = tree.tokens();
    let before: Vec<_> = tokens.into_iter().take_while(|(_, range)| range.start() < at).collect();
    let (callee, active) = open_call(&before)?;
    let name = plain_name(cx.slice(callee));
    let mut signature = declared(cx, &name).or_else(|| intrinsic(&name))?;
    let last = signature.parameters.len().checked_sub(1);
    let variadic = signature.label.contains("...");
    signature.active =
        if variadic { Some(active.min(last?)) } else { Some(active).filter(|a| Some(*a) <= last) };
    Some(signature)
}

/// The name before the parenthesis that is open at the end of the tokens, and the number of commas since, if it is a call's.
fn open_call(tokens: &[(LlvmKind, TextRange)]) -> Option<(TextRange, usize)> {
    let (mut depth, mut commas) = (0u32, 0);
    // An argument list is never longer than this.
    for (index, (kind, _)) in tokens.iter().enumerate().rev().take(4000) {
        match kind {
            R_PAREN | R_BRACKET | R_BRACE | GREATER => depth += 1,
            L_PAREN if depth == 0 => {
                let (kind, range) = *tokens.get(index.checked_sub(1)?)?;
                if matches!(kind, GLOBAL | GLOBAL_ID) {
                    let called = tokens.get(..index)?.iter().rev().take(60);
                    let mut called =
                        called.map(|(k, _)| *k).take_while(|k| !matches!(k, DEFINE_KW | DECLARE_KW | EQUAL));
                    return called
                        .any(|k| matches!(k, CALL_KW | INVOKE_KW | CALLBR_KW))
                        .then_some((range, commas));
                }
                // An attribute's or type's parenthesis within the arguments.
                commas = 0;
            }
            L_PAREN | L_BRACKET | L_BRACE | LESS => depth = depth.saturating_sub(1),
            COMMA if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

fn build(head: String, parameters: impl Iterator<Item = String>, documentation: String) -> Signature {
    let mut label = head;
    label.push('(');
    let mut ranges = Vec::new();
    for (index, parameter) in parameters.enumerate() {
        if index > 0 {
            label.push_str(", ");
        }
        ranges.push(label.len()..label.len() + parameter.len());
        label.push_str(&parameter);
    }
    label.push(')');
    Signature { label, parameters: ranges, active: None, documentation }
}

fn declared(cx: &Cx<'_>, name: &str) -> Option<Signature> {
    let global = cx.scope.global_named(name)?;
    let (summary, function) = cx.scope.function(global)?;
    let tables = &summary.tables;
    let mut parameters: Vec<String> = summary
        .params(function)
        .iter()
        .map(|param| {
            let attrs = show::attrs(tables, param.attrs);
            let name = param.name.map(|n| n.display('%', &tables.names));
            let parts = [Some(show::local_type(tables, param.ty)), Some(attrs), name];
            parts.into_iter().flatten().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ")
        })
        .collect();
    if function.vararg {
        parameters.push("...".to_owned());
    }
    let head = format!("{} {}", show::local_type(tables, function.result), cx.scope.global_name(global));
    let attrs = show::expanded(cx.scope, tables, function.attrs);
    Some(build(head, parameters.into_iter(), attrs))
}

/// From the table, for an intrinsic that is not declared yet.
fn intrinsic(name: &str) -> Option<Signature> {
    let intrinsic = Intrinsic::lookup(name)?;
    let text = intrinsic.readable_signature();
    let (result, parameters) = text.split_once('(')?;
    let parameters = parameters.strip_suffix(')').unwrap_or(parameters);
    let mut depth = 0i32;
    let parts = parameters.split(|c: char| {
        depth += i32::from("<{[(".contains(c)) - i32::from(">}])".contains(c));
        c == ',' && depth == 0
    });
    let parts: Vec<String> = parts.filter(|p| !p.is_empty()).map(str::to_owned).collect();
    let documentation = help::opcode("call").map_or(String::new(), |_| {
        "An intrinsic; [reference](https://llvm.org/docs/LangRef.html#intrinsic-functions)".to_owned()
    });
    let parts = parts.into_iter().map(|p| p.trim().to_owned());
    Some(build(format!("{} @{name}", result.trim()), parts, documentation))
}
