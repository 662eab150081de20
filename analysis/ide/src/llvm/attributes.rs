//! Function attributes in place of those of the text: what a change of them would do is found out by compiling.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use wavelens_base::{Dialect, TextEdit, TextRange, TextSize};
use wavelens_syntax::llvm::{LlvmKind, parse};
use wavelens_syntax::machine::Node;

/// `"amdgpu-waves-per-eu"="8"` on a function.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attribute {
    /// Without sigil; empty: all kernels.
    pub function: String,
    /// Without quotes.
    pub name: String,
    /// Without quotes.
    pub value: String,
}

/// The module with the attributes. No line is added or removed.
pub(crate) fn with_attributes<'t>(text: &'t str, attributes: &[Attribute]) -> Cow<'t, str> {
    let edits = attribute_edits(text, attributes);
    TextEdit::apply_all(text, &edits).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// What gives the functions of a module the attributes, in place of their own.
pub fn attribute_edits(text: &str, attributes: &[Attribute]) -> Vec<TextEdit> {
    if attributes.is_empty() {
        return Vec::new();
    }
    let groups = groups(text);
    let mut edits = Vec::new();
    for span in wavelens_syntax::split(Dialect::Llvm, text) {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        if !chunk.contains("define") {
            continue;
        }
        for function in parse(chunk).root(chunk).children().filter(|n| n.kind() == LlvmKind::FUNCTION) {
            let own: Vec<&Attribute> = attributes.iter().filter(|a| is_for(a, function)).collect();
            if !own.is_empty() && function.child(LlvmKind::BODY).is_some() {
                edits.extend(edit(function, &own, &groups).into_iter().map(|mut e| {
                    e.range += span.range.start();
                    e
                }));
            }
        }
    }
    edits
}

fn is_for(attribute: &Attribute, function: Node<'_, LlvmKind>) -> bool {
    let bare = |name: &str| name.trim_start_matches('@').trim_matches('"').to_owned();
    let name = function.token(LlvmKind::GLOBAL).map(|t| bare(t.text()));
    match attribute.function.as_str() {
        "" => function.text().lines().next().is_some_and(|head| head.contains("amdgpu_kernel")),
        own => name.as_deref() == Some(&*bare(own)),
    }
}

/// The attributes of each group, by its name `#0`.
fn groups(text: &str) -> FxHashMap<String, Vec<String>> {
    let mut groups = FxHashMap::default();
    for span in wavelens_syntax::split(Dialect::Llvm, text) {
        let chunk = text.get(std::ops::Range::<usize>::from(span.range)).unwrap_or("");
        if !chunk.contains("attributes") {
            continue;
        }
        for group in parse(chunk).root(chunk).children().filter(|n| n.kind() == LlvmKind::ATTR_GROUP_DEF) {
            let Some(name) = group.token(LlvmKind::ATTR_GROUP_ID) else { continue };
            let own = group.children().filter(|n| n.kind() == LlvmKind::ATTR).map(|n| n.text().to_owned());
            groups.insert(name.text().to_owned(), own.collect());
        }
    }
    groups
}

/// Puts each attribute in the place of the old one, or before all. A group that has an old one is written out, because others share it.
fn edit(
    function: Node<'_, LlvmKind>,
    attributes: &[&Attribute],
    groups: &FxHashMap<String, Vec<String>>,
) -> Vec<TextEdit> {
    let written = |a: &Attribute| format!("\"{}\"=\"{}\"", a.name, a.value);
    let place_of = |text: &str| attributes.iter().position(|a| text.starts_with(&format!("\"{}\"", a.name)));
    let mut placed = vec![false; attributes.len()];
    let mut replaced = |text: &str| match place_of(text) {
        Some(at) => {
            placed[at] = true;
            written(attributes[at])
        }
        None => text.to_owned(),
    };
    let mut edits = Vec::new();
    for attribute in function.children().filter(|n| n.kind() == LlvmKind::ATTR) {
        let text = attribute.text();
        if place_of(text).is_some() {
            edits.push(TextEdit::new(attribute.range(), replaced(text)));
        } else if let Some(group) = groups.get(text).filter(|g| g.iter().any(|a| place_of(a).is_some())) {
            let written_out: Vec<String> = group.iter().map(|a| replaced(a)).collect();
            edits.push(TextEdit::new(attribute.range(), written_out.join(" ")));
        }
    }
    let new: String = attributes
        .iter()
        .zip(&placed)
        .filter(|(_, placed)| !**placed)
        .map(|(a, _)| " ".to_owned() + &written(a))
        .collect();
    if let Some(at) = place(function).filter(|_| !new.is_empty()) {
        edits.push(TextEdit::new(TextRange::new(at, at), new));
    }
    edits
}

/// Where function attributes begin: after the parameters, `unnamed_addr` and the address space.
fn place(function: Node<'_, LlvmKind>) -> Option<TextSize> {
    let start = function.child(LlvmKind::PARAM_LIST)?.range().end();
    let rest = function.text().get(usize::from(start - function.range().start())..)?;
    let mut at = 0;
    loop {
        let blank = rest.get(at..)?.len() - rest.get(at..)?.trim_start().len();
        let word = rest.get(at + blank..)?;
        let length =
            ["local_unnamed_addr", "unnamed_addr"].iter().find(|w| word.starts_with(**w)).map(|w| w.len());
        let space = word.starts_with("addrspace(").then(|| word.find(')').map(|end| end + 1)).flatten();
        match length.or(space) {
            Some(length) => at += blank + length,
            None => return Some(start + TextSize::new(at as u32)),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn attributes_take_the_place_of_others() {
        let text = "define amdgpu_kernel void @k(ptr %p) local_unnamed_addr addrspace(1) #0 {\n  ret void\n}\n\
            define amdgpu_kernel void @l() \"amdgpu-waves-per-eu\"=\"1,2\" {\n  ret void\n}\n\
            define void @f() #0 {\n  ret void\n}\n\
            attributes #0 = { nounwind \"amdgpu-waves-per-eu\"=\"4\" \"x\" }\n";
        let of = |function: &str| Attribute {
            function: function.to_owned(),
            name: "amdgpu-waves-per-eu".to_owned(),
            value: "8".to_owned(),
        };
        let heads = |attributes: &[Attribute]| {
            let text = with_attributes(text, attributes).into_owned();
            text.lines().filter(|l| l.starts_with("define")).map(|l| l.to_owned() + "\n").collect::<String>()
        };
        expect![[r#"
            define amdgpu_kernel void @k(ptr %p) local_unnamed_addr addrspace(1) nounwind "amdgpu-waves-per-eu"="8" "x" {
            define amdgpu_kernel void @l() "amdgpu-waves-per-eu"="8" {
            define void @f() #0 {
        "#]].assert_eq(&heads(&[of("")]));
        expect![[r#"
            define amdgpu_kernel void @k(ptr %p) local_unnamed_addr addrspace(1) #0 {
            define amdgpu_kernel void @l() "amdgpu-waves-per-eu"="1,2" {
            define void @f() nounwind "amdgpu-waves-per-eu"="8" "x" {
        "#]]
        .assert_eq(&heads(&[of("@f")]));
        assert_eq!(with_attributes(text, &[]), text);
        let bare = "define void @f(i32 %x){\n  ret void\n}\n";
        assert_eq!(
            with_attributes(bare, &[of("f")]).lines().next(),
            Some(r#"define void @f(i32 %x) "amdgpu-waves-per-eu"="8"{"#)
        );
    }
}
