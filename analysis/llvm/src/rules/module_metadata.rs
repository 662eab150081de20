//! Named metadata with a meaning of its own: `llvm.module.flags`, `llvm.ident`, `llvm.commandline`.
//!
//! Source: LLVM Language Reference, "Module Flags Metadata".

use rustc_hash::FxHashMap;

use super::super::metadata::MdKind;
use super::super::metadata_view::Md;
use super::super::operand::Value;
use super::super::scope::{GlobalKind, NodeRef, Scope};
use super::super::summary::NamedMetadata;
use super::tbaa;
use crate::context::ModuleContext;
use wavelens_base::{Diagnostic, Place, Related, Rule, Severity, TextRange, fail};
use wavelens_syntax::wording;

wavelens_syntax::rules! {
    FLAG {
        code: "module-flag",
        severity: Severity::Error,
        title: "a module flag is `!{i32 behavior, !\"name\", value}` and occurs once",
        explain: "When modules are linked, the behavior (1 to 8) decides how flags of the same name are merged; it \
            also decides which values are allowed.",
        example: r#"!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", !"4"}
"#,
        fixed: r#"!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
"#,
        source: "LLVM `Verifier::visitModuleFlag`: \"invalid behavior operand in module flag (unexpected \
            constant)\" and \"module flag identifiers must be unique\"; LLVM Language Reference, \"Module \
            Flags Metadata\"",
    }

    IDENT {
        code: "module-ident",
        severity: Severity::Error,
        title: "each entry of `!llvm.ident` and `!llvm.commandline` is a node with one string",
        explain: "Code generation copies these strings to the object file (section `.comment`).",
        example: r#"!llvm.ident = !{!0}
!0 = !{!"clang", !"22"}
"#,
        fixed: r#"!llvm.ident = !{!0}
!0 = !{!"clang version 22"}
"#,
        source: "LLVM `Verifier::visitModuleIdents`: \"incorrect number of operands in llvm.ident metadata\" and \
            `visitModuleCommandLines`",
    }
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    for named in &summary.cold.named_metadata {
        match summary.tables.name(named.name) {
            "llvm.module.flags" => flags(cx, named),
            "llvm.errno.tbaa" => errno(cx, named),
            name @ ("llvm.ident" | "llvm.commandline") => strings(cx, named, name),
            _ => {}
        }
    }
}

/// The place of a node of the module: in this chunk its own range, else the range of the named metadata.
fn place(cx: &ModuleContext<'_>, named: &NamedMetadata, node: NodeRef<'_>) -> (TextRange, Option<Place>) {
    let own = cx.item_range(named.item);
    match node.summary {
        Some(at) if at == cx.summary_index => {
            (cx.ranges.cold.md_nodes.get(node.index as usize).copied().unwrap_or(own), None)
        }
        Some(_) => (own, definition(cx, node)),
        None => (own, None),
    }
}

fn definition(cx: &ModuleContext<'_>, node: NodeRef<'_>) -> Option<Place> {
    let at = node.summary?;
    let def = cx.scope.summary(at)?.cold.metadata.iter().find(|def| def.node == node.index)?;
    Some(cx.scope.place(at, def.item))
}

fn report(
    cx: &mut ModuleContext<'_>,
    rule: &'static Rule,
    named: &NamedMetadata,
    node: NodeRef<'_>,
    message: String,
) {
    let (range, node) = place(cx, named, node);
    add(cx, rule, range, node, message);
}

/// Reports an entry of the list that refers to a node of the wrong kind.
fn report_entry(
    cx: &mut ModuleContext<'_>,
    rule: &'static Rule,
    named: &NamedMetadata,
    node: NodeRef<'_>,
    message: String,
) {
    let index = entries(cx, named).iter().position(|entry| entry.key() == node.key());
    let range = index.map_or_else(|| cx.item_range(named.item), |index| cx.entry_range(named, index));
    let node = definition(cx, node);
    add(cx, rule, range, node, message);
}

/// `node` is the place of the node, where that is not the range.
fn add(
    cx: &mut ModuleContext<'_>,
    rule: &'static Rule,
    range: TextRange,
    node: Option<Place>,
    message: String,
) {
    let mut diagnostic = Diagnostic::new(rule, range, message);
    if let Some(place) = node {
        diagnostic = diagnostic.related(place, "the node");
    }
    cx.diagnostics.push(diagnostic);
}

/// Shows the other flag of a finding, unless it is the same node.
fn relate(cx: &mut ModuleContext<'_>, flag: NodeRef<'_>, node: NodeRef<'_>) {
    let place = definition(cx, flag).filter(|_| flag.key() != node.key());
    if let (Some(place), Some(found)) = (place, cx.diagnostics.last_mut()) {
        found.related.push(Related { place, message: "the flag is here".into() });
    }
}

fn entries<'a>(cx: &ModuleContext<'a>, named: &NamedMetadata) -> Vec<NodeRef<'a>> {
    let values = named.values.of(&cx.summary.cold.named_metadata_values);
    values.iter().filter_map(|v| cx.node(*v)).collect()
}

/// Access tags of `errno`.
fn errno(cx: &mut ModuleContext<'_>, named: &NamedMetadata) {
    if named.values.is_empty() {
        let range = cx.item_range(named.item);
        cx.report(&tbaa::TBAA, range, "`!llvm.errno.tbaa` must have at least one access tag");
    }
    for node in entries(cx, named) {
        let path = node.len() >= 3 && matches!(node.operand(cx.scope, 0), Md::Node(_) | Md::Unknown);
        let verdict = if path || !node.is_tuple() {
            tbaa::check_tag(cx.scope, node)
        } else {
            let form = "`!{base type, access type, offset}`";
            fail(&tbaa::TBAA, format!("a tag in `!llvm.errno.tbaa` must have the form {form}"))
        };
        if let Err(fault) = verdict {
            report(cx, fault.rule, named, node, fault.message);
        }
    }
}

/// The kind of a node that is not a tuple, nor reads like one.
fn other_kind(node: NodeRef<'_>) -> Option<&'static str> {
    match node.kind() {
        MdKind::Tuple | MdKind::GenericDINode | MdKind::Unknown => None,
        kind => Some(kind.name()),
    }
}

fn strings(cx: &mut ModuleContext<'_>, named: &NamedMetadata, name: &str) {
    for node in entries(cx, named) {
        if !node.is_tuple() {
            if let Some(kind) = other_kind(node) {
                let message = format!("expected an entry of `!{name}` with a string, found a `!{kind}`");
                report_entry(cx, &IDENT, named, node, message);
            }
            continue;
        }
        let message = match (node.len(), node.operand(cx.scope, 0)) {
            (1, Md::String(_) | Md::Unknown) => continue,
            (1, _) => format!("the operand of an entry of `!{name}` must be a string"),
            (n, _) => format!("expected 1 operand in an entry of `!{name}`, found {n}"),
        };
        report(cx, &IDENT, named, node, message);
    }
}

fn flags(cx: &mut ModuleContext<'_>, named: &NamedMetadata) {
    let scope = cx.scope;
    let nodes = entries(cx, named);
    let mut seen: FxHashMap<&str, NodeRef<'_>> = FxHashMap::default();
    let mut required: Vec<(NodeRef<'_>, NodeRef<'_>)> = Vec::new();
    // A second `!llvm.module.flags` goes on where the first ended.
    let definition = (cx.summary_index, named.item);
    let earlier = |name: &str| scope.module_flag_before(definition, name);
    for node in &nodes {
        if let Md::String(name) = node.operand(scope, 1)
            && let Some(flag) = earlier(name)
        {
            seen.insert(name, flag);
        }
    }
    for node in &nodes {
        let node = *node;
        if !node.is_tuple() {
            if let Some(kind) = other_kind(node) {
                report_entry(cx, &FLAG, named, node, format!("expected a module flag, found a `!{kind}`"));
            }
            continue;
        }
        match flag(scope, node, &mut seen, &mut required) {
            Ok(None) => {}
            Ok(Some(first)) => {
                let message = match node.operand(scope, 1) {
                    Md::String(name) => format!("duplicate flag `{name}`"),
                    _ => "duplicate flag".to_owned(),
                };
                report(cx, &FLAG, named, node, message);
                relate(cx, first, node);
            }
            Err(message) => report(cx, &FLAG, named, node, message),
        }
    }
    for (node, requirement) in required {
        let Md::String(name) = requirement.operand(scope, 0) else { continue };
        match seen.get(name).copied().or_else(|| earlier(name)) {
            // The flag may be one of those that are not known.
            None if nodes.len() < named.values.range().len() => {}
            None => report(
                cx,
                &FLAG,
                named,
                node,
                format!("this flag requires flag `{name}`, which the module does not have"),
            ),
            Some(flag) => {
                if !same(flag.operand(scope, 2), requirement.operand(scope, 1)) {
                    let message = format!("this flag requires another value of flag `{name}`");
                    report(cx, &FLAG, named, node, message);
                    relate(cx, flag, node);
                }
            }
        }
    }
    // Pairs of flags: LLVM 24 asks for the first where the second is set.
    if scope.follows(24)
        && let Some(set) = seen.get("ptrauth-init-fini-address-discrimination").copied()
        && let Md::Int { value: Some(value), .. } = set.operand(scope, 2)
        && value != 0
    {
        let base = seen.get("ptrauth-init-fini").copied().or_else(|| earlier("ptrauth-init-fini"));
        let is_set =
            base.is_some_and(|base| !matches!(base.operand(scope, 2), Md::Int { value: Some(0), .. }));
        if value > 1 || !is_set {
            let message =
                "`ptrauth-init-fini-address-discrimination` must be 0 or 1, and requires `ptrauth-init-fini`";
            report(cx, &FLAG, named, set, message.into());
        }
    }
    let number = |name: &str| {
        let flag = seen.get(name).copied().or_else(|| earlier(name));
        flag.filter(|flag| matches!(flag.operand(scope, 2), Md::Int { .. } | Md::Unknown))
    };
    let platform = number("aarch64-elf-pauthabi-platform");
    let version = number("aarch64-elf-pauthabi-version");
    if let (Some(one), None) | (None, Some(one)) = (platform, version) {
        let message =
            "`aarch64-elf-pauthabi-platform` and `aarch64-elf-pauthabi-version` require each other".into();
        report(cx, &FLAG, named, one, message);
    }
}

/// Whether two metadata values are the same; what is not known is.
fn same(a: Md<'_>, b: Md<'_>) -> bool {
    match (a, b) {
        (Md::Int { bits: a, value: x }, Md::Int { bits: b, value: y }) => a == b && x == y,
        (Md::String(a), Md::String(b)) => a == b,
        (Md::Node(a), Md::Node(b)) => a.key() == b.key() || a.is_tuple() && b.is_tuple(),
        (Md::Unknown, _) | (_, Md::Unknown) | (Md::Value(..), Md::Value(..)) => true,
        _ => false,
    }
}

/// The behavior that LLVM gives to a flag of older modules when it reads them (`UpgradeModuleFlags`).
fn upgraded(name: Md<'_>, behavior: usize) -> usize {
    let Md::String(name) = name else { return behavior };
    match (name, behavior) {
        ("PIC Level", 1 | 7) | ("branch-target-enforcement", 1) => 8,
        ("PIE Level", 1) => 7,
        (name, 1) if name.starts_with("sign-return-address") => 8,
        _ => behavior,
    }
}

const BEHAVIORS: [&str; 9] =
    ["", "error", "warning", "require", "override", "append", "append-unique", "max", "min"];

/// What is wrong with a flag, or the flag that it repeats.
fn flag<'s>(
    scope: &'s Scope,
    node: NodeRef<'s>,
    seen: &mut FxHashMap<&'s str, NodeRef<'s>>,
    required: &mut Vec<(NodeRef<'s>, NodeRef<'s>)>,
) -> Result<Option<NodeRef<'s>>, String> {
    if node.len() != 3 {
        return Err(format!("expected 3 operands in a module flag, found {}", node.len()));
    }
    // LLVM writes this flag anew when it reads a file, whatever its behavior.
    if let (Md::String("Objective-C Garbage Collection"), Md::Int { bits, .. }) =
        (node.operand(scope, 1), node.operand(scope, 2))
        && bits != 8
    {
        return Ok(None);
    }
    let behavior = match node.operand(scope, 0) {
        Md::Int { value: Some(value @ 1..=8), .. } => upgraded(node.operand(scope, 1), value as usize),
        Md::Int { value, .. } => {
            let is = value.map_or_else(String::new, |v| format!(", is {}", v as i32));
            return Err(format!("the behavior of a module flag must be between 1 and 8{is}"));
        }
        Md::Unknown => return Ok(None),
        _ => return Err("the behavior of a module flag must be an integer between 1 and 8".into()),
    };
    let name = match node.operand(scope, 1) {
        Md::String(name) => name,
        Md::Unknown => return Ok(None),
        _ => return Err("the name of a module flag must be a string".into()),
    };
    let value = node.operand(scope, 2);
    let wants =
        |what: &str| Err(format!("flag `{name}` with behavior `{}` requires {what}", BEHAVIORS[behavior]));
    match (behavior, value) {
        (1 | 2 | 4, _) | (_, Md::Unknown) => {}
        (8, Md::Int { bits, value }) => {
            if value.is_some_and(|v| (1..=64).contains(&bits) && v >> (bits - 1) & 1 == 1) {
                return wants("a non-negative integer");
            }
        }
        (8, _) => return wants("a non-negative integer"),
        (7, Md::Int { .. }) => {}
        (7, _) => return wants("an integer"),
        (3, Md::Node(pair)) if pair.len() == 2 => match pair.operand(scope, 0) {
            Md::String(_) => required.push((node, pair)),
            Md::Unknown => {}
            _ => return wants("a pair that begins with the name of a flag"),
        },
        (3, _) => return wants("a pair of a flag's name and its value"),
        (_, Md::Node(_)) => {}
        (_, _) => return wants("a node"),
    }
    if behavior != 3
        && let Some(first) = seen.insert(name, node)
    {
        return Ok(Some(first));
    }
    if scope.follows(24) {
        flag_of_24(name, behavior, value)?;
    }
    match (name, value) {
        (_, Md::Unknown) => {}
        ("wchar_size" | "SemanticInterposition", value) if !matches!(value, Md::Int { .. }) => {
            return Err(format!("flag `{name}` requires an integer"));
        }
        ("Linker Options", _) if !has_named(scope, "llvm.linker.options") => {
            return Err("flag `Linker Options` is no longer supported: use `!llvm.linker.options`".into());
        }
        ("CG Profile", Md::Node(list)) => {
            for entry in list.operands(scope) {
                profile(scope, entry)?;
            }
        }
        // The verifier itself crashes on it.
        ("CG Profile", value) if !matches!(value, Md::Unknown) => {
            return Err("the value of flag `CG Profile` must be a node of entries".into());
        }
        _ => {}
    }
    Ok(None)
}

/// Flags whose behavior and value LLVM 24 checks.
fn flag_of_24(name: &str, behavior: usize, value: Md<'_>) -> Result<(), String> {
    let (wanted, limit) = match name {
        "amdgpu.sramecc" | "amdgpu.xnack" => (1, 1),
        "amdgpu.buffer.oob.mode" | "amdgpu.tbuffer.oob.mode" => (7, 2),
        "ptrauth-init-fini" => (behavior, 1),
        "float-abi" | "long-double-type" => {
            if behavior != 1 {
                return Err(format!("flag `{name}` requires the behavior `error` (1)"));
            }
            let words: &[&str] = match name {
                "float-abi" => &["soft", "hard"],
                _ => &["float", "double", "x86_fp80", "fp128", "ppc_fp128"],
            };
            return match value {
                Md::Unknown => Ok(()),
                Md::String(word) if words.contains(&word) => Ok(()),
                _ => Err(format!("flag `{name}` must be {}", wording::one_of(words))),
            };
        }
        _ => return Ok(()),
    };
    if behavior != wanted {
        let word = BEHAVIORS.get(wanted).unwrap_or(&"");
        return Err(format!("flag `{name}` requires the behavior `{word}` ({wanted})"));
    }
    match value {
        Md::Int { value: Some(value), .. } if value > limit => {
            Err(format!("flag `{name}` must be between 0 and {limit}, is {value}"))
        }
        Md::Int { .. } | Md::Unknown => Ok(()),
        _ => Err(format!("flag `{name}` requires an integer")),
    }
}

pub(super) fn has_named(scope: &Scope, wanted: &str) -> bool {
    scope.summaries.iter().any(|(_, s)| s.cold.named_metadata.iter().any(|n| s.tables.name(n.name) == wanted))
}

fn profile<'s>(scope: &'s Scope, entry: Md<'s>) -> Result<(), String> {
    let entry = match entry {
        Md::Unknown => return Ok(()),
        Md::Node(entry) if entry.len() == 3 => entry,
        _ => return Err("an entry of `CG Profile` must have the form `!{caller, callee, count}`".into()),
    };
    for n in 0..2 {
        let is_function = match entry.operand(scope, n) {
            Md::Null | Md::Unknown => true,
            Md::Value(id, tables) => match tables.operand(id).value {
                Value::Global(symbol) => scope
                    .global(symbol, &tables.names)
                    .is_none_or(|g| matches!(g.kind, GlobalKind::Function(_))),
                _ => false,
            },
            _ => false,
        };
        if !is_function {
            return Err("the caller and callee of a `CG Profile` entry must be functions or `null`".into());
        }
    }
    match entry.operand(scope, 2) {
        Md::Int { .. } | Md::Unknown => Ok(()),
        _ => Err("the count of a `CG Profile` entry must be an integer".into()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn profiles_are_nodes() {
        check(
            "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"CG Profile\", i32 1}\n",
            expect![[r#"
            error[module-flag] 2:6 `!{i32 1, !"CG Profile", i32 1}`: the value of flag `CG Profile` must be a node of entries
        "#]],
        );
        check(
            "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"CG Profile\", !{!{null, null, i64 1}}}\n",
            expect![""],
        );
    }

    #[test]
    fn the_other_flag_is_shown() {
        marks(expect![[r#"
            !llvm.module.flags = !{!0, !1, !2}
            !0 = !{i32 1, !"a", i32 2}
            !1 = !{i32 1, !"a", i32 3}
            ;    ^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: duplicate flag `a`
            ;                        = line 2:1: the flag is here
            !2 = !{i32 3, !"b", !{!"a", i32 7}}
            ;    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: this flag requires another value of flag `a`
            ;                                 = line 3:1: the flag is here
        "#]]);
    }

    #[test]
    fn flags_are_judged_as_llvm_reads_them() {
        let of = |flag: &str| {
            let text = format!("!llvm.module.flags = !{{!0}}\n!0 = !{{{flag}}}\n");
            wavelens_check::testing::findings(wavelens_base::Dialect::Llvm, &text)
        };
        for good in [
            r#"i32 1, !"PIC Level", i32 2"#,
            r#"i32 2, !"PIC Level", !"x""#,
            r#"i32 1, !"PIE Level", i32 -1"#,
            r#"i32 2, !"sign-return-address", !"x""#,
            r#"i32 9, !"Objective-C Garbage Collection", i32 3"#,
            r#"i32 1, !"aarch64-elf-pauthabi-platform", !"x""#,
        ] {
            assert_eq!(of(good), "", "{good}");
        }
        for (bad, words) in [
            (r#"i32 1, !"PIC Level", i32 -1"#, "`min` requires a non-negative integer"),
            (r#"i32 7, !"PIC Level", !"x""#, "`min` requires a non-negative integer"),
            (r#"i32 1, !"PIE Level", !"x""#, "`max` requires an integer"),
            (r#"i32 1, !"branch-target-enforcement", i32 -1"#, "`min` requires a non-negative integer"),
            (r#"i32 1, !"sign-return-address-all", !"x""#, "`min` requires a non-negative integer"),
            (r#"i32 9, !"Objective-C Garbage Collection", i8 3"#, "must be between 1 and 8, is 9"),
            (r#"i32 1, !"aarch64-elf-pauthabi-version", i32 1"#, "require each other"),
        ] {
            assert!(of(bad).contains(words), "{bad}: {}", of(bad));
        }
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            !llvm.errno.tbaa = !{}
            ;^^^^^^^^^^^^^^^ error[tbaa]: `!llvm.errno.tbaa` must have at least one access tag
        "#]]);
        marks(expect![[r#"
            !llvm.module.flags = !{!0}
            !0 = !{i32 1, !"wchar_size", !"x"}
            ;    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-flag]: flag `wchar_size` requires an integer
        "#]]);
        marks(expect![[r#"
            !llvm.errno.tbaa = !{!0}
            !0 = !{!"int", !1, i64 0}
            ;    ^^^^^^^^^^^^^^^^^^^^ error[tbaa]: a tag in `!llvm.errno.tbaa` must have the form `!{base type, access type, offset}`
            !1 = !{!"root"}
        "#]]);
        marks(expect![[r#"
            !llvm.module.flags = !{!0}
            ;                      ^^ error[module-flag]: expected a module flag, found a `!DIFile`
            ;                       = line 3:1: the node
            !llvm.ident = !{!0, !1}
            ;               ^^ error[module-ident]: expected an entry of `!llvm.ident` with a string, found a `!DIFile`
            ;                = line 3:1: the node
            !0 = !DIFile(filename: "f", directory: "")
            !1 = !GenericDINode(tag: 1, header: "x")
        "#]]);
        marks(expect![[r#"
            !llvm.module.flags = !{!0}
            !0 = !{i32 3, !"b", !1}
            ;    ^^^^^^^^^^^^^^^^^^ error[module-flag]: this flag requires flag `a`, which the module does not have
            !1 = !{!"a", i32 2}
        "#]]);
    }
}
