//! Names in a chunk of LLVM IR.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use wavelens_base::{TextEdit, TextRange};
use wavelens_llvm::body::{Body, LocalKind};
use wavelens_syntax::llvm::LlvmKind::{self, *};
use wavelens_syntax::machine::{Node, Token};

use super::Cx;
use super::place::{Tree, is_number, plain_name, spell as write_name};
use crate::answers::{Occurrence, Role, Space, SymbolKey};

/// Every name in the chunk.
pub fn occurrences(cx: &Cx<'_>) -> Vec<Occurrence> {
    with_functions(cx).0
}

/// Every name in the chunk, and those of its functions as [`function_names`] gives them.
pub(crate) fn with_functions(cx: &Cx<'_>) -> (Vec<Occurrence>, Vec<SmolStr>) {
    let tree = Tree::new(cx.text);
    let mut finder = Finder { found: Vec::new(), owner: 0, function: None };
    for entity in tree.root().children() {
        finder.function = None;
        if entity.kind() == FUNCTION {
            finder.function = entity.tokens().find(|t| is_global(t.kind())).map(|t| t.text());
        }
        finder.entity(entity);
        if entity.kind() == FUNCTION {
            let body = cx.lowered.bodies.iter().find(|b| entity.range().contains_range(b.range));
            body.into_iter().for_each(|b| finder.unwritten(b));
            finder.owner += 1;
        }
    }
    (finder.found, names_in(&tree))
}

/// Names of the chunk's functions, without sigil, in order: a local key's owner is an index into them.
pub(crate) fn function_names(cx: &Cx<'_>) -> Vec<SmolStr> {
    names_in(&Tree::new(cx.text))
}

fn names_in(tree: &Tree<'_>) -> Vec<SmolStr> {
    let functions = tree.root().children().filter(|entity| entity.kind() == FUNCTION);
    let name = |entity: Node<'_, LlvmKind>| {
        entity.tokens().find(|t| is_global(t.kind())).map(|t| plain_name(t.text()))
    };
    functions.map(|entity| name(entity).unwrap_or_default().into()).collect()
}

struct Finder<'t> {
    found: Vec<Occurrence>,
    /// Number of the function among the chunk's.
    owner: u32,
    function: Option<&'t str>,
}

fn is_global(kind: LlvmKind) -> bool {
    matches!(kind, GLOBAL | GLOBAL_ID)
}

fn is_local(kind: LlvmKind) -> bool {
    matches!(kind, LOCAL | LOCAL_ID)
}

impl<'t> Finder<'t> {
    fn add(&mut self, space: Space, token: Token<'t, LlvmKind>, role: Role) {
        self.add_range(space, token.text(), token.range(), role);
    }

    fn add_range(&mut self, space: Space, written: &str, range: TextRange, role: Role) {
        let name = SmolStr::from(plain_name(written));
        let owner = (space == Space::Local).then_some(self.owner);
        self.found.push(Occurrence { key: SymbolKey { space, owner, name }, range, role });
    }

    fn entity(&mut self, entity: Node<'t, LlvmKind>) {
        // Nodes whose names mean something special, decided by a node around them.
        let mut callees = FxHashSet::default();
        let mut written = FxHashSet::default();
        let mut foreign = FxHashSet::default();
        for node in entity.descendants() {
            match node.kind() {
                INST => {
                    let values = || node.children().filter(|c| c.kind() == VALUE);
                    if let Some(list) = node.child(ARG_LIST) {
                        let callee = values().filter(|v| v.range().end() <= list.range().start()).last();
                        callees.extend(callee.map(|v| v.range()));
                    }
                    if node.token(STORE_KW).is_some() {
                        written.extend(values().nth(1).map(|v| v.range()));
                    }
                }
                VALUE if node.token(BLOCKADDRESS_KW).is_some() => {
                    let mut inner = node.children();
                    let function = inner.next().and_then(|n| n.first_token());
                    if function.map(|t| t.text()) != self.function {
                        foreign.extend(inner.next().map(|b| b.range()));
                    }
                }
                _ => {}
            }
            self.node(node, &callees, &written, &foreign);
        }
    }

    fn node(
        &mut self,
        node: Node<'t, LlvmKind>,
        callees: &FxHashSet<TextRange>,
        written: &FxHashSet<TextRange>,
        foreign: &FxHashSet<TextRange>,
    ) {
        let role = || {
            if callees.contains(&node.range()) {
                Role::Call
            } else if written.contains(&node.range()) {
                Role::Write
            } else {
                Role::Reference
            }
        };
        match node.kind() {
            TYPE => {
                for token in node.tokens().filter(|t| is_local(t.kind())) {
                    self.add(Space::Type, token, Role::Reference);
                }
            }
            TYPE_DEF => self.first(node, is_local, Space::Type, Role::Definition),
            VALUE | ERROR => {
                for token in node.tokens() {
                    if is_local(token.kind()) && !foreign.contains(&node.range()) {
                        self.add(Space::Local, token, role());
                    } else if is_global(token.kind()) {
                        self.add(Space::Global, token, role());
                    }
                }
            }
            PARAM | INST => self.first(node, is_local, Space::Local, Role::Definition),
            LABEL_DEF => {
                if let Some(token) = node.first_token() {
                    let colon = rowan::TextSize::from(u32::from(token.text().ends_with(':')));
                    let range = TextRange::new(token.range().start(), token.range().end() - colon);
                    self.add_range(Space::Local, token.text(), range, Role::Definition);
                }
            }
            GLOBAL_DEF => {
                let declares =
                    node.token(LINKAGE_KW).is_some_and(|t| matches!(t.text(), "external" | "extern_weak"));
                let role = if declares { Role::Declaration } else { Role::Definition };
                self.first(node, is_global, Space::Global, role);
            }
            ALIAS_DEF => self.first(node, is_global, Space::Global, Role::Definition),
            FUNCTION => {
                let defines = node.token(DEFINE_KW).is_some();
                let role = if defines { Role::Definition } else { Role::Declaration };
                self.first(node, is_global, Space::Global, role);
            }
            METADATA_DEF | METADATA_REF => {
                let mut tokens = node.tokens();
                if let (Some(mark), Some(number)) = (tokens.next(), tokens.next())
                    && number.kind() == NUMBER
                {
                    let definition = node.kind() == METADATA_DEF;
                    let role = if definition { Role::Definition } else { Role::Reference };
                    let range = mark.range().cover(number.range());
                    self.add_range(Space::Metadata, number.text(), range, role);
                }
            }
            NAMED_METADATA_DEF => {
                self.first(node, |k| k == METADATA_NAME, Space::Metadata, Role::Definition);
            }
            ATTR_GROUP_DEF => {
                self.first(node, |k| k == ATTR_GROUP_ID, Space::AttributeGroup, Role::Definition);
            }
            ATTR => self.first(node, |k| k == ATTR_GROUP_ID, Space::AttributeGroup, Role::Reference),
            COMDAT_DEF => self.first(node, |k| k == COMDAT, Space::Comdat, Role::Definition),
            SUMMARY_ENTRY => {
                for (index, token) in node.tokens().filter(|t| t.kind() == SUMMARY_ID).enumerate() {
                    let role = if index == 0 { Role::Definition } else { Role::Reference };
                    self.add(Space::SummaryEntry, token, role);
                }
            }
            _ => {}
        }
        if matches!(node.kind(), GLOBAL_DEF | FUNCTION) {
            self.first(node, |k| k == COMDAT, Space::Comdat, Role::Reference);
            // `comdat` alone means the one named like the global: both names are meant here.
            let own = node.token(COMDAT_KW).filter(|_| node.token(COMDAT).is_none());
            let name = node.tokens().find(|t| is_global(t.kind()));
            if let (Some(own), Some(name)) = (own, name) {
                self.add_range(Space::Comdat, name.text(), own.range(), Role::Reference);
                self.add_range(Space::Global, name.text(), own.range(), Role::Reference);
            }
        }
    }

    /// The node's first direct token of a kind; of an instruction the one that names its result.
    fn first(
        &mut self,
        node: Node<'t, LlvmKind>,
        wanted: impl Fn(LlvmKind) -> bool,
        space: Space,
        role: Role,
    ) {
        if let Some(token) = node.tokens().find(|t| wanted(t.kind())) {
            self.add(space, token, role);
        }
    }

    /// Definitions of arguments, blocks and results that are numbered without being written.
    fn unwritten(&mut self, body: &Body) {
        let defined: FxHashSet<SmolStr> = self
            .found
            .iter()
            .filter(|o| o.key.owner == Some(self.owner) && o.role == Role::Definition)
            .map(|o| o.key.name.clone())
            .collect();
        for local in &body.locals {
            let Some(number) = local.name.as_number() else { continue };
            let name = SmolStr::from(number.to_string());
            if local.kind != LocalKind::Undefined && !defined.contains(&name) {
                self.found.push(Occurrence {
                    key: SymbolKey::local(Space::Local, self.owner, name),
                    range: TextRange::empty(local.range.start()),
                    role: Role::Definition,
                });
            }
        }
    }
}

fn sigil(space: Space) -> &'static str {
    match space {
        Space::Global => "@",
        Space::Metadata => "!",
        Space::AttributeGroup => "#",
        Space::Comdat => "$",
        Space::SummaryEntry => "^",
        _ => "%",
    }
}

/// The key that a name gets by renaming `key` to what the user typed.
///
/// # Errors
/// Why the language does not allow the name.
pub fn renamed(_cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<SymbolKey, String> {
    let typed = new_name.strip_prefix(sigil(key.space)).unwrap_or(new_name);
    if typed.is_empty() {
        return Err("a name must not be empty".to_owned());
    }
    if matches!(key.space, Space::Global | Space::Metadata) && key.name.starts_with("llvm.") {
        return Err(format!("`{}` cannot be renamed: LLVM knows it by its name", key.name));
    }
    let name = plain_name(typed);
    let numbers_only = matches!(key.space, Space::AttributeGroup | Space::SummaryEntry)
        || key.space == Space::Metadata && is_number(&key.name);
    match (numbers_only, is_number(&name)) {
        (true, false) => {
            return Err(format!("`{}{}` can only be renamed to another number", sigil(key.space), key.name));
        }
        (false, true) => {
            return Err(format!("the number {name} does not fit the numbering here: choose a name"));
        }
        _ => {}
    }
    if !numbers_only && is_number(&key.name) {
        return Err(
            "numbers of globals and types follow from their order: add a name to the definition".to_owned()
        );
    }
    if key.space == Space::Metadata && !numbers_only && name.contains(|c: char| c.is_whitespace()) {
        return Err("a metadata name must not contain blanks".to_owned());
    }
    Ok(SymbolKey { name: name.into(), ..key.clone() })
}

/// How an occurrence is written once it has the new name, with sigil and quotes as they are needed there.
pub(crate) fn spell(cx: &Cx<'_>, occurrence: &Occurrence, new: &SymbolKey) -> String {
    if cx.slice(occurrence.range) == "comdat" && !matches!(new.space, Space::Local) {
        let name = if new.space == Space::Comdat { &new.name } else { &occurrence.key.name };
        return format!("comdat({})", write_name("$", name));
    }
    let sigil = sigil(new.space);
    let labels = new.space == Space::Local && !cx.slice(occurrence.range).starts_with(sigil);
    write_name(if labels { "" } else { sigil }, &new.name)
}

/// Takes a rename over from the shared code, when it changes more than the name's places: a numbered value that gets a name moves the
/// numbers after it. Edits are in the file.
pub fn rename(cx: &Cx<'_>, occurrence: &Occurrence, new_name: &str) -> Option<Result<Vec<TextEdit>, String>> {
    let key = &occurrence.key;
    if key.space != Space::Local || !is_number(&key.name) {
        return None;
    }
    let in_file = |e: TextEdit| TextEdit { range: e.range + cx.start(), text: e.text };
    Some(name_numbered(cx, key, new_name).map(|edits| edits.into_iter().map(in_file).collect()))
}

fn name_numbered(cx: &Cx<'_>, key: &SymbolKey, new_name: &str) -> Result<Vec<TextEdit>, String> {
    let typed = new_name.strip_prefix('%').unwrap_or(new_name);
    let name = plain_name(typed);
    if typed.is_empty() || is_number(&name) {
        return Err("a numbered value can only be renamed to a name".to_owned());
    }
    let number: u32 = key.name.parse().map_err(|_| "the number is too large")?;
    let new = SymbolKey { name: name.as_str().into(), ..key.clone() };
    let own: Vec<Occurrence> = occurrences(cx).into_iter().filter(|o| o.key.owner == key.owner).collect();
    if own.iter().any(|o| o.key == new) {
        return Err(format!("the name `%{name}` is already in use"));
    }
    let mut edits = Vec::new();
    for o in &own {
        if o.key.space != Space::Local {
            continue;
        }
        let Ok(at) = o.key.name.parse::<u32>() else { continue };
        if at == number && o.range.is_empty() {
            edits.push(write_definition(cx, o, &name)?);
        } else if at == number {
            edits.push(TextEdit { range: o.range, text: spell(cx, o, &new) });
        } else if at > number && !o.range.is_empty() {
            let less = SymbolKey { name: (at - 1).to_string().into(), ..o.key.clone() };
            edits.push(TextEdit { range: o.range, text: spell(cx, o, &less) });
        }
    }
    edits.sort_by_key(|e| (e.range.start(), e.range.end()));
    Ok(edits)
}

/// The edit that writes the name of something that was numbered without being written.
fn write_definition(cx: &Cx<'_>, definition: &Occurrence, name: &str) -> Result<TextEdit, String> {
    let start = definition.range.start();
    let number = definition.key.name.parse().ok();
    let found = cx.lowered.bodies.iter().find_map(|body| {
        let local = body.locals.iter().find(|l| l.name.as_number() == number && l.range.start() == start)?;
        Some((body, local))
    });
    let (body, local) = found.ok_or("its definition is not in this file")?;
    let insert = |at, text| TextEdit { range: TextRange::empty(at), text };
    Ok(match local.kind {
        LocalKind::Argument(_) => insert(local.range.end(), format!(" {}", write_name("%", name))),
        LocalKind::Inst(_) => insert(start, format!("{} = ", write_name("%", name))),
        LocalKind::Block(block) => {
            let first = body.blocks.get(block as usize).map(|b| b.insts.start as usize);
            let at = first.and_then(|i| body.inst_ranges.get(i)).map_or(start, |r| r.start());
            // The label takes the line's start; the instruction goes to a line of its own.
            let line = cx.text.get(..usize::from(at)).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
            let indent = cx.text.get(line..usize::from(at)).unwrap_or("");
            let (place, indent) =
                if indent.trim().is_empty() { (rowan::TextSize::new(line as u32), "") } else { (at, "  ") };
            insert(place, format!("{}:\n{indent}", write_name("", name)))
        }
        LocalKind::Undefined => return Err("it is not defined".to_owned()),
    })
}
