//! Attributes written as strings, and the values that they take.

use wavelens_base::{TextRange, TextSize};

use super::constraints::constraints;
use crate::answers::{Completion, CompletionKind};
use crate::llvm::strings::Context;
use crate::llvm::{Cx, help};

/// What a string attribute takes.
enum Value {
    /// It is written alone.
    None,
    /// Some form, with an example.
    Like(&'static str),
    /// One of these.
    Words(&'static [&'static str]),
}
use Value::{Like, None as Alone, Words};

const DENORMALS: &[&str] =
    &["ieee,ieee", "preserve-sign,preserve-sign", "positive-zero,positive-zero", "dynamic,dynamic"];
const BOOL: &[&str] = &["true", "false"];

/// Attributes of functions that AMDGPU's back end reads, and common ones of all targets.
const ATTRIBUTES: &[(&str, Value)] = &[
    ("amdgpu-agpr-alloc", Like("0")),
    ("amdgpu-cluster-dims", Like("1,1,1")),
    ("amdgpu-dynamic-vgpr-block-size", Words(&["16", "32"])),
    ("amdgpu-flat-work-group-size", Like("1,1024")),
    ("amdgpu-gds-size", Like("0")),
    ("amdgpu-git-ptr-high", Like("0")),
    ("amdgpu-ieee", Words(BOOL)),
    ("amdgpu-dx10-clamp", Words(BOOL)),
    ("amdgpu-implicitarg-num-bytes", Like("256")),
    ("amdgpu-lds-size", Like("0")),
    ("amdgpu-max-num-workgroups", Like("1,1,1")),
    ("amdgpu-memory-bound", Words(BOOL)),
    ("amdgpu-no-cluster-id-x", Alone),
    ("amdgpu-no-cluster-id-y", Alone),
    ("amdgpu-no-cluster-id-z", Alone),
    ("amdgpu-no-completion-action", Alone),
    ("amdgpu-no-default-queue", Alone),
    ("amdgpu-no-dispatch-id", Alone),
    ("amdgpu-no-dispatch-ptr", Alone),
    ("amdgpu-no-flat-scratch-init", Alone),
    ("amdgpu-no-heap-ptr", Alone),
    ("amdgpu-no-hostcall-ptr", Alone),
    ("amdgpu-no-implicitarg-ptr", Alone),
    ("amdgpu-no-lds-kernel-id", Alone),
    ("amdgpu-no-multigrid-sync-arg", Alone),
    ("amdgpu-no-queue-ptr", Alone),
    ("amdgpu-no-workgroup-id-x", Alone),
    ("amdgpu-no-workgroup-id-y", Alone),
    ("amdgpu-no-workgroup-id-z", Alone),
    ("amdgpu-no-workitem-id-x", Alone),
    ("amdgpu-no-workitem-id-y", Alone),
    ("amdgpu-no-workitem-id-z", Alone),
    ("amdgpu-num-sgpr", Like("32")),
    ("amdgpu-num-vgpr", Like("64")),
    ("amdgpu-sched-strategy", Words(&["max-ilp", "max-memory-clause", "iterative-ilp"])),
    ("amdgpu-unsafe-fp-atomics", Words(BOOL)),
    ("amdgpu-wave-limiter", Words(BOOL)),
    ("amdgpu-waves-per-eu", Like("1,8")),
    ("denormal-fp-math", Words(DENORMALS)),
    ("denormal-fp-math-f32", Words(DENORMALS)),
    ("frame-pointer", Words(&["all", "non-leaf", "none", "reserved"])),
    ("no-trapping-math", Words(BOOL)),
    ("no-infs-fp-math", Words(BOOL)),
    ("no-nans-fp-math", Words(BOOL)),
    ("stack-protector-buffer-size", Like("8")),
    ("strictfp", Alone),
    ("target-cpu", Like("gfx90a")),
    ("target-features", Like("+wavefrontsize64")),
    ("tune-cpu", Like("generic")),
    ("uniform-work-group-size", Words(BOOL)),
];

/// The values that an attribute takes, as a sentence.
pub(crate) fn values(name: &str) -> Option<String> {
    Some(match &ATTRIBUTES.iter().find(|(known, _)| *known == name)?.1 {
        Alone => "Takes no value.".to_owned(),
        Like(example) => format!("For example `\"{name}\"=\"{example}\"`."),
        Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            format!("Values: {}.", words.join(", "))
        }
    })
}

/// Inside a string of an attribute list: the attribute's name, or its value.
pub(super) fn complete(cx: &Cx<'_>, at: TextSize) -> Vec<Completion> {
    let before = cx.text.get(..usize::from(at)).unwrap_or("");
    let line = before.get(before.rfind('\n').map_or(0, |n| n + 1)..).unwrap_or("");
    let Some(quote) = line.rfind('"').filter(|_| line.matches('"').count() % 2 == 1) else {
        return Vec::new();
    };
    let (head, typed) = line.split_at(quote);
    let after = cx.text.get(usize::from(at)..).unwrap_or("");
    let rest = after.find(|c: char| c == '"' || c.is_whitespace()).unwrap_or(after.len());
    let closed = after.get(rest..).is_some_and(|rest| rest.starts_with('"'));
    let end = at + TextSize::new((rest + usize::from(closed)) as u32);
    let range = TextRange::new(at - TextSize::of(typed), end);
    let is_attribute = line.starts_with("attributes")
        || line.starts_with("define") && head.contains(')')
        || line.starts_with("declare") && head.contains(')')
        || head.contains("call ") && head.trim_end().ends_with(')');
    if Context::of(head, after) == Some(Context::Constraints) {
        let rest = after.get(..after.find(['"', '\n']).unwrap_or(after.len())).unwrap_or("");
        return constraints(cx, at, typed.trim_start_matches('"'), rest);
    }
    // A name that the word before asks for.
    let word = head.split_whitespace().last().unwrap_or("");
    if !is_attribute || ["gc", "section", "partition"].contains(&word) {
        return names(head, after, closed, range);
    }
    let item = |label: String| Completion::new(CompletionKind::Attribute, range, label);
    if let Some(name) = head.strip_suffix("\"=").and_then(|head| head.rsplit('"').next()) {
        let words = match ATTRIBUTES.iter().find(|(known, _)| *known == name) {
            Some((_, Words(words))) => words.to_vec(),
            Some((_, Like(example))) => vec![*example],
            _ => Vec::new(),
        };
        return words.into_iter().map(|word| item(format!("\"{word}\"")).rank(10)).collect();
    }
    let own = |(name, value): &(&str, Value)| {
        let text = help::string_attribute(name).map_or(String::new(), help::Help::markdown);
        let item = item(format!("\"{name}\"")).documentation(text).rank(10);
        match value {
            Alone => item,
            Like(example) => item.snippet(format!("\"{name}\"=\"${{1:{example}}}\"")),
            Words(words) => {
                let words: Vec<String> = words.iter().map(|word| word.replace(',', "\\,")).collect();
                item.snippet(format!("\"{name}\"=\"${{1|{}|}}\"", words.join(",")))
            }
        }
    };
    ATTRIBUTES.iter().map(own).collect()
}

/// Names in other strings: scopes, bundles, flags, hints of loops.
fn names(head: &str, after: &str, closed: bool, range: TextRange) -> Vec<Completion> {
    let after = after.get(usize::from(closed)..).unwrap_or("");
    let Some(context) = Context::of(head, after.get(..1).filter(|c| *c == "(").unwrap_or("")) else {
        return Vec::new();
    };
    let item = |name: &str, text: String| {
        Completion::new(CompletionKind::Constant, range, format!("\"{name}\"")).documentation(text).rank(10)
    };
    let mut items: Vec<Completion> = Vec::new();
    for section in context.sections() {
        let names = help::strings(section).into_iter();
        items.extend(names.map(|name| item(&name, help::string(section, &name).unwrap_or_default())));
    }
    if context == Context::Metadata {
        let hints = help::loop_hints().into_iter();
        items.extend(hints.map(|name| item(name, help::loop_hint(name).unwrap_or_default())));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_proposed_attribute_is_explained() {
        let names = ATTRIBUTES.iter().map(|(name, _)| *name);
        let missing: Vec<_> = names.filter(|name| help::string_attribute(name).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_proposed_attachment_is_explained() {
        let names = super::super::metadata::ATTACHMENTS.iter();
        let missing: Vec<_> = names.filter(|name| help::metadata(name).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
