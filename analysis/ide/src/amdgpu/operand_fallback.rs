//! Hover over operands that no encoding takes: in lines with errors, what a word means does not depend on the instruction.

use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::operand_hover::number_detail;
use super::{Cx, operand_help as help};
use crate::answers::Hover;

/// What the word, number or sign at a token means by itself.
pub(super) fn operand(cx: &Cx<'_>, token: usize) -> Option<Hover> {
    let lexed = &cx.lowered.lexed;
    let token = match lexed.kind(token) {
        L_PAREN => token.checked_sub(1)?,
        R_BRACKET if lexed.kind(token.wrapping_sub(1)) == IDENT => token - 1,
        R_PAREN => call(cx, token)?,
        INT | REAL => token.checked_sub(1).filter(|sign| signed_number(cx, *sign).is_some()).unwrap_or(token),
        _ => token,
    };
    let (word, range) = (lexed.text(cx.text, token), lexed.range(token));
    if let Some((range, reg)) = super::hover::register_around(cx, token) {
        return Some(Hover { range, markdown: format!("Register `{}`", reg.name()) });
    }
    if let Some(number) = signed_number(cx, token) {
        let range = range.cover(lexed.range(token + 1));
        return Some(Hover { range, markdown: super::hover::number(&number)? });
    }
    let markdown = match lexed.kind(token) {
        MINUS => help::word("neg")?.to_owned(),
        PIPE => help::word("abs")?.to_owned(),
        IDENT => match modifier(cx, token).filter(|name| *name != word) {
            None => format!("`{word}`: {}", meaning(word)?),
            Some(_) => format!("`{word}`: {}", help::value(word)?),
        },
        _ => match modifier(cx, token) {
            Some(name) => {
                let number = wavelens_amdgpu::assembler::cursor::integer(word);
                let value = number.and_then(|n| i64::try_from(n).ok()).filter(|_| !is_in_list(cx, token));
                let detail = value.and_then(|value| number_detail(name, value));
                let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
                let detail = detail.map(|detail| format!(" {detail}")).unwrap_or_default();
                format!("`{name}`{value}: {}{detail}", help::word(name)?)
            }
            None if !is_in_list(cx, token) => super::hover::number(word)?,
            None => return None,
        },
    };
    Some(Hover { range, markdown })
}

fn meaning(word: &str) -> Option<String> {
    let call = match word {
        "sendmsg" => {
            Some("A message to the hardware or the host: its name or number, an operation and a stream.")
        }
        "hwreg" => {
            Some("A field of a hardware register: its name or number, the first bit and the number of bits.")
        }
        _ => None,
    };
    let plain = call.or_else(|| help::word(word)).or_else(|| help::counter(word)).map(str::to_owned);
    let plain = plain.or_else(|| help::value(word)).or_else(|| help::export_target(word));
    plain.or_else(|| super::operand_hover::attribute(word))
}

/// A number with the sign before it, from the sign on.
fn signed_number(cx: &Cx<'_>, sign: usize) -> Option<String> {
    let lexed = &cx.lowered.lexed;
    let is_signed = lexed.kind(sign) == MINUS && matches!(lexed.kind(sign + 1), INT | REAL);
    let is_alone = || modifier(cx, sign).is_none() && !is_in_list(cx, sign);
    (is_signed && is_alone()).then(|| format!("-{}", lexed.text(cx.text, sign + 1)))
}

/// The name of the call that a parenthesis ends.
fn call(cx: &Cx<'_>, end: usize) -> Option<usize> {
    let lexed = &cx.lowered.lexed;
    let open = (0..end).rev().take_while(|t| lexed.kind(*t) != EOL).find(|t| lexed.kind(*t) == L_PAREN)?;
    open.checked_sub(1).filter(|name| lexed.kind(*name) == IDENT)
}

/// The bracket that is open at a token.
fn open_bracket(cx: &Cx<'_>, token: usize) -> Option<usize> {
    let lexed = &cx.lowered.lexed;
    let open = (0..token).rev().take_while(|t| lexed.kind(*t) != EOL);
    let open = open.into_iter().find(|t| matches!(lexed.kind(*t), L_BRACKET | R_BRACKET))?;
    (lexed.kind(open) == L_BRACKET).then_some(open)
}

fn is_in_list(cx: &Cx<'_>, token: usize) -> bool {
    open_bracket(cx, token).is_some()
}

/// The modifier whose name or value a token is part of: `row_mask` in `row_mask:0xf`.
fn modifier<'t>(cx: &Cx<'t>, token: usize) -> Option<&'t str> {
    let lexed = &cx.lowered.lexed;
    let is_name = |t: &usize| lexed.kind(*t) == IDENT && lexed.kind(t + 1) == COLON;
    let part = open_bracket(cx, token).unwrap_or(token);
    let parts =
        (0..=part).rev().take_while(|t| matches!(lexed.kind(*t), IDENT | INT | COLON | L_BRACKET | MINUS));
    parts.into_iter().find(is_name).map(|name| lexed.text(cx.text, name))
}
