//! Names of the embedded IR as machine functions write them: `%ir.x`, `%ir-block.b`, `bb.1.b`, `%stack.0.x`, `name: f`, `@g`.
//!
//! In this dialect a local name of an IR function has one key for the whole file, with the function's name in it, so that the
//! IR and its machine function are found, and renamed, together.

use smol_str::SmolStr;
use wavelens_base::{TextRange, TextSize};
use wavelens_mir::lower::bare;
use wavelens_mir::model::{Function, Text};
use wavelens_syntax::mir::MirKind;

use super::Cx;
use crate::answers::{Occurrence, Role, Space, SymbolKey};
use crate::llvm::occurrences::{function_names, with_functions};

/// Separates the function from the name in a key; names that can be renamed do not contain it.
const SEPARATOR: char = '\u{1f}';

/// The file-wide key of a local name of an IR function.
pub(super) fn key(function: &str, name: &str) -> SymbolKey {
    SymbolKey::module(Space::Local, format!("{function}{SEPARATOR}{name}"))
}

/// The file-wide key of a token that names something of the IR and nothing else.
pub(super) fn key_of(function: &str, kind: MirKind, text: &str) -> Option<SymbolKey> {
    match kind {
        MirKind::GLOBAL => Some(SymbolKey::module(Space::Global, bare(text, "@"))),
        MirKind::IR_VALUE => Some(key(function, &bare(text, "%ir."))),
        MirKind::IR_BLOCK => Some(key(function, &bare(text, "%ir-block."))),
        _ => None,
    }
}

/// Function and name of a key that [`key`] made.
pub(super) fn parts(key: &SymbolKey) -> Option<(&str, &str)> {
    if key.space == Space::Local { key.name.split_once(SEPARATOR) } else { None }
}

/// Whether a part of the embedded IR can hold a name, by its text alone.
pub(super) fn may_name(text: &str, wide: &SymbolKey) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '$');
    wide.name.split(SEPARATOR).all(|name| !name.chars().all(plain) || text.contains(name))
}

/// The names of a part of the embedded IR.
pub(super) fn of_ir(inner: &crate::llvm::Cx<'_>) -> Vec<Occurrence> {
    let (mut found, functions) = with_functions(inner);
    for occurrence in &mut found {
        let function = occurrence.key.owner.and_then(|o| functions.get(o as usize));
        if let (Space::Local, Some(function)) = (occurrence.key.space, function) {
            occurrence.key = key(function, &occurrence.key.name);
        }
    }
    found
}

/// A file-wide key as the LLVM dialect has it in this chunk.
pub(super) fn to_llvm(inner: &crate::llvm::Cx<'_>, wide: &SymbolKey) -> SymbolKey {
    let Some((function, name)) = parts(wide) else { return wide.clone() };
    let owner = function_names(inner).iter().position(|f| f == function).unwrap_or(0);
    SymbolKey::local(Space::Local, owner as u32, name)
}

/// What a machine function says of the IR.
pub(super) fn of_function(cx: &Cx<'_>, f: &Function, found: &mut Vec<Occurrence>) {
    let function = f.properties.name.text.as_str();
    let mut add = |key: SymbolKey, range: TextRange, role: Role| found.push(Occurrence { key, range, role });
    let global = |name: &str| SymbolKey::module(Space::Global, name);
    let name = &f.properties.name;
    let role = if cx.scope.has_ir { Role::Declaration } else { Role::Definition };
    if !name.text.is_empty() {
        add(global(function), name.range, role);
    }
    for site in &f.called_globals {
        add(global(&site.callee.text), site.callee.range, Role::Reference);
    }
    for object in f.frame.iter().filter(|o| !o.name.text.is_empty()) {
        add(key(function, &object.name.text), object.name.range, Role::Reference);
    }
    let blocks = f.jump_tables.iter().flat_map(|t| &t.blocks).chain(&f.properties.block_refs);
    let slots = f.properties.stack_refs.iter().chain(f.properties.target_values.iter().map(|(_, t)| t));
    for text in blocks.chain(slots) {
        for (prefix, space, owner) in [
            ("%bb.", Space::Block, 0),
            ("%stack.", Space::StackSlot, 0),
            ("%fixed-stack.", Space::StackSlot, 1),
        ] {
            let Some(number) = text.text.strip_prefix(prefix) else { continue };
            let digits = number.bytes().take_while(u8::is_ascii_digit).count();
            add(SymbolKey::local(space, owner, &number[..digits]), text.range, Role::Reference);
            if let Some((name, range)) = suffix(text, prefix) {
                add(key(function, &name), range, Role::Reference);
            }
        }
    }
    for constant in &f.constants {
        globals_in(&constant.value.text, constant.value.range.start(), &mut add);
    }
    let parse = wavelens_syntax::mir::parse(cx.text);
    let lexed = parse.lexed();
    for index in 0..lexed.len() {
        let (kind, text, range) = (lexed.kind(index), lexed.text(cx.text, index), lexed.range(index));
        let token = || Text { text: text.into(), range };
        let (name, range) = match kind {
            MirKind::GLOBAL | MirKind::IR_VALUE | MirKind::IR_BLOCK => {
                let key = key_of(function, kind, text);
                key.into_iter().for_each(|key| add(key, range, Role::Reference));
                continue;
            }
            MirKind::QUOTED_IR => {
                globals_in(text, range.start(), &mut add);
                continue;
            }
            MirKind::LABEL => match suffix(&token(), "bb.") {
                Some(found) => found,
                None => continue,
            },
            MirKind::BLOCK_NAME => match suffix(&token(), "%bb.") {
                Some(found) => found,
                None => continue,
            },
            MirKind::STACK_OBJECT => match suffix(&token(), "%stack.") {
                Some(found) => found,
                None => continue,
            },
            _ => continue,
        };
        add(key(function, &name), range, Role::Reference);
    }
}

/// The name after the number of `%bb.1.name`, and its place.
fn suffix(text: &Text, prefix: &str) -> Option<(String, TextRange)> {
    let rest = text.text.strip_prefix(prefix)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let name = rest.get(digits..)?.strip_prefix('.')?;
    let start = text.range.end() - TextSize::of(name);
    (!name.is_empty()).then(|| (bare(name, ""), TextRange::new(start, text.range.end())))
}

/// `@name` in a constant of the IR.
fn globals_in(text: &str, start: TextSize, add: &mut impl FnMut(SymbolKey, TextRange, Role)) {
    let mut at = 0;
    while let Some(sigil) = text.get(at..).and_then(|t| t.find('@')).map(|p| p + at) {
        let rest = text.get(sigil + 1..).unwrap_or("");
        let length = if rest.starts_with('"') {
            rest.get(1..).and_then(|r| r.find('"')).map_or(rest.len(), |p| p + 2)
        } else {
            rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"_.-$".contains(b)).count()
        };
        let name = bare(rest.get(..length).unwrap_or(""), "");
        let from = start + TextSize::new(sigil as u32);
        let range = TextRange::at(from, TextSize::new(1 + length as u32));
        add(SymbolKey::module(Space::Global, name), range, Role::Reference);
        at = sigil + 1 + length;
    }
}

/// The file-wide key that an IR name gets by a new name, if machine functions can write it without quotes.
pub(super) fn renamed(old: &SymbolKey, name: &str) -> Result<SymbolKey, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '$');
    if name.is_empty() || !name.chars().all(plain) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(
            "machine functions name it too: letters, digits, `_`, `.`, `-` and `$`, and no digit first"
                .to_owned(),
        );
    }
    Ok(match parts(old) {
        Some((function, _)) => key(function, name),
        None => SymbolKey { name: SmolStr::from(name), ..old.clone() },
    })
}

/// How a name of the IR is written at a place of a machine function.
pub(super) fn spell(written: &str, new: &SymbolKey) -> String {
    let name = parts(new).map_or(new.name.as_str(), |(_, name)| name);
    let prefix = ["%ir-block.", "%ir.", "@"].into_iter().find(|p| written.starts_with(p));
    format!("{}{name}", prefix.unwrap_or(""))
}
