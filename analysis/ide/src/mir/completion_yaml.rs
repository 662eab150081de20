//! Completion in the YAML before a body: keys and values, at any depth.

use wavelens_base::{TextRange, TextSize};
use wavelens_isa::mir::{Class, Machine, Tables};
use wavelens_mir::lower::keys::{FUNCTION, Key, Shape, info_keys};
use wavelens_mir::rules::target_info::class_of_field;

use super::Cx;
use super::completion_physical as physical;
use super::ide_support::class_rank;
use crate::answers::{Completion, CompletionKind};

/// The proposals at a place before the body; `None` in the body.
pub(super) fn complete(cx: &Cx<'_>, tables: &Tables, at: TextSize) -> Option<Vec<Completion>> {
    let (before, after) = cx.text.split_at_checked(usize::from(at))?;
    if before.contains("\nbody:") || before.starts_with("body:") {
        return None;
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-$%'".contains(c);
    let start = before.trim_end_matches(is_word).len();
    let rest = after.find(|c| !is_word(c)).unwrap_or(after.len());
    let range = TextRange::new(TextSize::new(start as u32), at + TextSize::new(rest as u32));
    let line = &before[before.rfind('\n').map_or(0, |n| n + 1)..start];
    if line.contains('#') {
        return Some(Vec::new());
    }
    let keys = keys_at(&before[..start], line, cx.scope.machine);
    let own = line.trim_start().trim_start_matches("- ");
    let entry = own.rsplit(['{', ',']).next().unwrap_or("");
    let outer = own.split_once(':').map_or("", |(outer, _)| outer.trim());
    let items = match entry.split_once(':') {
        Some((name, _)) => match register_values(cx, tables, outer, name.trim()) {
            Some(names) => registers(names, &before[start..], &after[..rest], range),
            None => values(keys, name.trim(), tables, range),
        },
        None => keys.iter().map(|k| key(k, range)).collect(),
    };
    Some(items)
}

/// The keys that the line at the end of a text may have: those of what the lines around it are nested in.
fn keys_at(before: &str, line: &str, machine: Option<Machine>) -> &'static [Key] {
    // The keys around, innermost first, by ever smaller indentation.
    let mut path = Vec::new();
    let is_continued = line.trim_start().starts_with('{') || line.contains('{');
    let mut indent = column(line);
    if is_continued && let Some((name, _)) = line.split_once(':').filter(|(name, _)| !name.contains('{')) {
        path.push(name.trim().trim_start_matches("- "));
    }
    for line in before.lines().rev().skip(usize::from(!before.ends_with('\n'))) {
        if indent == 0 {
            break;
        }
        let own = column(line);
        let Some((name, _)) = line.split_once(':').filter(|_| own < indent) else { continue };
        if !line.trim_start().starts_with(['-', '{', '#']) {
            path.push(name.trim());
            indent = own;
        }
    }
    let mut keys = FUNCTION;
    for name in path.into_iter().rev() {
        if name == "machineFunctionInfo" {
            keys = machine.map_or(&[], info_keys);
            continue;
        }
        let Some(key) = keys.iter().find(|key| key.name == name) else { return &[] };
        keys = match key.shape {
            Shape::Map(keys) | Shape::List(&Shape::Map(keys)) => keys,
            _ => &[],
        };
    }
    keys
}

fn column(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A key, with the value that people mean where it says yes or no.
fn key(key: &Key, range: TextRange) -> Completion {
    let value = match key.shape {
        Shape::Bool | Shape::OptionalBool => " true",
        Shape::List(_) | Shape::Map(_) | Shape::Any => "",
        _ => " ",
    };
    Completion::new(CompletionKind::Keyword, range, key.name).insert(format!("{}:{value}", key.name)).rank(1)
}

/// The registers that a field of the target's section may name; `None` for other keys.
fn register_values(cx: &Cx<'_>, tables: &Tables, outer: &str, name: &str) -> Option<Vec<(String, u8)>> {
    if cx.scope.machine != Some(Machine::Amdgpu) {
        return None;
    }
    let field = if outer == name { name.to_owned() } else { format!("{outer}.{name}") };
    let class = tables.class(class_of_field(&field)?)?;
    let usual: &[&str] = match name {
        "scratchRSrcReg" => &["$sgpr0_sgpr1_sgpr2_sgpr3", "$private_rsrc_reg"],
        "frameOffsetReg" => &["$sgpr33", "$fp_reg"],
        "stackPtrOffsetReg" => &["$sgpr32", "$sp_reg"],
        _ => &[],
    };
    let first = usual.iter().map(|name| ((*name).to_owned(), 0));
    Some(first.chain(physical::of_class(tables, class)).collect())
}

/// Registers between quotes: those that are there stay.
fn registers(names: Vec<(String, u8)>, typed: &str, rest: &str, range: TextRange) -> Vec<Completion> {
    let opening = TextSize::new(typed.starts_with('\'').into());
    let closing = TextSize::new(rest.ends_with('\'').into());
    let inner = TextRange::new(range.start() + opening, (range.end() - closing).max(range.start() + opening));
    let item = |(name, rank): (String, u8)| {
        let quoted = if opening == TextSize::new(0) { format!("'{name}'") } else { name.clone() };
        Completion::new(CompletionKind::Register, inner, name).insert(quoted).rank(rank)
    };
    names.into_iter().map(item).collect()
}

fn values(keys: &[Key], name: &str, tables: &Tables, range: TextRange) -> Vec<Completion> {
    let Some(key) = keys.iter().find(|key| key.name == name) else { return Vec::new() };
    let word = |word: &str| Completion::new(CompletionKind::Constant, range, word).rank(1);
    match key.shape {
        Shape::Bool | Shape::OptionalBool => ["true", "false"].map(word).into(),
        Shape::OneOf(words) => words.iter().copied().map(word).collect(),
        Shape::Text if name == "class" => {
            let banks = tables.facts().banks.iter().map(|bank| word(&bank.name));
            let classes = (0..tables.class_count() as u16).map(|class| {
                let name = tables.class_name(Class(class));
                let rank = class_rank(&name);
                Completion::new(CompletionKind::Type, range, name).rank(rank)
            });
            banks.chain(classes).chain([word("_")]).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    fn check(yaml: &str, expected: Expect) {
        let fixture = format!("---\nname: f\n{yaml}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n");
        let found = at_cursor(Dialect::Mir, &fixture, |view, at| {
            features::complete(view, at).items.into_iter().take(4).map(|c| c.label).collect::<Vec<_>>()
        });
        expected.assert_eq(&found.join(" "));
    }

    #[test]
    fn keys_of_entries_and_their_values() {
        check("registers:\n  - { id: 0, c$0 }", expect!["class"]);
        check(
            "registers:\n  - { id: 0, class: vgpr_3$0 }",
            expect!["vgpr_32 vgpr_32_lo128 vgpr_32_lo256 av_64_with_sub0_in_vgpr_32_lo256"],
        );
        check("stack:\n  - { id: 0, type: v$0 }", expect!["variable-sized"]);
        check("frameInfo:\n  stackS$0", expect!["stackSize"]);
        check("tracksRegLiveness: t$0", expect!["true"]);
        check(
            "machineFunctionInfo:\n  scratchRS$0",
            expect!["scratchRSrcReg scratchReservedForDynamicVGPRs"],
        );
        check(
            "machineFunctionInfo:\n  mode:\n    ie$0",
            expect!["ieee fp32-input-denormals fp64-fp16-input-denormals"],
        );
        check("machineFunctionInfo:\n  argumentInfo:\n    workItemIDX: { r$0 }", expect!["reg"]);
        check("machineFunctionInfo:\n  stackPtrOffsetReg: '$0'", expect!["$sgpr32 $sp_reg $sgpr0 $sgpr1"]);
        check(
            "machineFunctionInfo:\n  argumentInfo:\n    workItemIDX: { reg: '$0' }",
            expect!["$vgpr0 $vgpr1 $vgpr2 $vgpr3"],
        );
    }
}
