//! Which queries run again after an edit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use wavelens_base::{Dialect, Options, TextRange, TextSize};
use wavelens_ide::{Checked, Database, Document, Edit};
use wavelens_tests::macros;

/// How often each query ran, by name, and how often what was known of it was found to be right: `lowered verified`.
type Runs = BTreeMap<String, usize>;

/// What ran after an edit, and how many bundles the file has.
fn runs_after(dialect: Dialect, text: &str, old: &str, new: &str) -> (Runs, usize) {
    runs_after_the_last(dialect, text, &[(old, new)])
}

/// What ran after the last of several edits, each of which replaces the first of such words.
fn runs_after_the_last(dialect: Dialect, text: &str, edits: &[(&str, &str)]) -> (Runs, usize) {
    let runs = Arc::new(Mutex::new(Runs::new()));
    let log = runs.clone();
    let mut db = Database::with_events(Box::new(move |event| {
        let (key, verified) = match event.kind {
            salsa::EventKind::WillExecute { database_key } => (database_key, ""),
            salsa::EventKind::DidValidateMemoizedValue { database_key } => (database_key, " verified"),
            _ => return,
        };
        let query = format!("{key:?}");
        let name = query.split('(').next().unwrap_or_default();
        *log.lock().expect("no panic").entry(format!("{name}{verified}")).or_default() += 1;
    }));
    let mut document = Document::new(&mut db, dialect, text, Options::default());
    let mut checked = Checked::default();
    checked.chunk_findings(&db, document.file());
    let bundles = document.file().bundles(&db).count();
    let mut text = text.to_owned();
    for (old, new) in edits {
        runs.lock().expect("no panic").clear();
        let at = text.find(old).expect("the text has it");
        let range = TextRange::at(TextSize::new(at as u32), TextSize::of(*old));
        document.edit(&mut db, &Edit { range, text: (*new).to_owned() });
        text.replace_range(at..at + old.len(), new);
        checked.chunk_findings(&db, document.file());
    }
    let runs = runs.lock().expect("no panic").clone();
    (runs, bundles)
}

fn llvm_functions() -> String {
    (0..2000)
        .map(|n| format!("define i32 @f{n}(i32 %x) {{\n  %y = add i32 %x, {n}\n  ret i32 %y\n}}\n\n"))
        .collect()
}

#[test]
fn an_edit_in_a_body_parses_and_checks_that_bundle_alone() {
    let (runs, bundles) = runs_after(Dialect::Llvm, &llvm_functions(), "%x, 1025", "%x, 11025");
    assert!(bundles >= 20, "{bundles} bundles");
    assert_eq!(runs.get("lowered"), Some(&1), "{runs:?}");
    assert_eq!(runs.get("summary"), Some(&1), "{runs:?}");
    assert_eq!(runs.get("check"), Some(&1), "{runs:?}");
    assert_eq!(runs.get("scope"), None, "{runs:?}");
}

/// Each bundle of a file costs an edit as little as the scope needs: whether its summary is as it was.
#[test]
fn an_edit_verifies_what_the_scope_is_made_of_and_nothing_else() {
    let (mut runs, bundles) = runs_after(Dialect::Llvm, &llvm_functions(), "%x, 1025", "%x, 11025");
    runs.retain(|name, _| name.ends_with(" verified"));
    let per_bundle: Vec<&str> =
        runs.iter().filter(|(_, n)| **n + 1 >= bundles).map(|(name, _)| &**name).collect();
    assert_eq!(per_bundle, ["lowered verified", "summary verified"], "{runs:?}");
    let rest: usize = runs.values().filter(|n| **n + 1 < bundles).sum();
    assert!(rest < 10, "{runs:?}");
}

#[test]
fn uses_are_put_together_again_only_when_they_change() {
    let (runs, _) = runs_after(Dialect::Llvm, &llvm_functions(), "%x, 1025", "%x, 11025");
    assert_eq!(runs.get("uses"), Some(&1), "{runs:?}");
    assert_eq!(runs.get("check_uses"), None, "{runs:?}");
    assert_eq!(runs.get("loose_ends"), None, "{runs:?}");
    let (runs, _) =
        runs_after(Dialect::Llvm, &llvm_functions(), "%y = add i32 %x, 1025", "%y = call i32 @f1(i32 2)");
    assert_eq!(runs.get("uses"), Some(&1), "{runs:?}");
    assert_eq!(runs.get("check_uses"), None, "{runs:?}");
    assert_eq!(runs.get("loose_ends"), None, "{runs:?}");
}

#[test]
fn an_edit_in_a_body_of_spirv_checks_that_bundle_alone() {
    let text: String = (0..500)
        .map(|n| {
            format!(
                "%f{n} = OpFunction %void None %fn\n%l{n} = OpLabel\n%v{n} = OpFAdd %float %c %c\n%w{n} = OpFAdd %float %v{n} %c\nOpReturn\nOpFunctionEnd\n"
            )
        })
        .collect();
    let head = "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\nOpName %v7 \"seven\"\n%void = OpTypeVoid\n\
                %fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%c = OpConstant %float 1\n";
    let text = head.to_owned() + &text;
    for (old, new) in [("%w300 =", "%w ="), ("%v300 %c", "%none %c"), ("%l300 = OpLabel\n", "")] {
        let (runs, bundles) = runs_after(Dialect::Spirv, &text, old, new);
        assert!(bundles >= 10, "{bundles} bundles");
        assert_eq!(runs.get("check"), Some(&1), "{old}: {runs:?}");
    }
    // Something else knows the name.
    for (old, new) in [("%v7 = OpFAdd", "%v = OpFAdd"), ("%w300 =", "%w301 =")] {
        let (runs, _) = runs_after(Dialect::Spirv, &text, old, new);
        assert_eq!(runs.get("scope"), Some(&1), "{old}: {runs:?}");
    }
}

#[test]
fn an_edit_of_a_signature_parses_that_bundle_and_checks_all() {
    let (runs, bundles) = runs_after(Dialect::Llvm, &llvm_functions(), "i32 @f1025(i32", "i64 @f1025(i32");
    assert_eq!(runs.get("lowered"), Some(&1), "{runs:?}");
    assert_eq!(runs.get("scope"), Some(&1), "{runs:?}");
    assert_eq!(runs.get("check"), Some(&bundles), "{runs:?}");
}

/// How often the outline was put together and how many of its chunks were checked, of how many, after an edit in assembly full of macros.
fn assembly_runs(text: &str, old: &str, new: &str) -> (usize, usize, usize) {
    let (runs, chunks) = runs_after(Dialect::Amdgpu, text, old, new);
    assert!(chunks >= 5, "{chunks} chunks");
    assert_eq!(runs.get("lowered"), Some(&1), "{runs:?}");
    let count = |query| runs.get(query).copied().unwrap_or(0);
    (count("scope"), count("check"), chunks)
}

#[test]
fn an_edit_of_a_macro_call_checks_that_chunk_alone() {
    let text = macros::few(3000);
    assert_eq!(assembly_runs(&text, "mac16 acc20, ", "mac16 acc20, 1").1, 1);
    assert_eq!(assembly_runs(&text, "mac16 acc20, ", "mac17 acc20, ").1, 1);
}

#[test]
fn an_edit_of_an_instruction_in_assembly_leaves_the_outline() {
    let (scopes, checks, _) = assembly_runs(&macros::few(3000), "v_mov_b32 v[tmp20]", "v_mov_b32 v[tmp21]");
    assert_eq!((scopes, checks), (0, 1));
}

/// Until it is complete it looks like the call of a macro, which can define what others see.
#[test]
fn a_mnemonic_that_is_typed_checks_that_chunk_alone() {
    for new in ["vmov_b32 v[tmp20]", "v v[tmp20]"] {
        let (_, checks, _) = assembly_runs(&macros::few(3000), "v_mov_b32 v[tmp20]", new);
        assert_eq!(checks, 1, "{new}");
    }
}

#[test]
fn what_was_inside_a_block_is_known_when_the_block_is_closed() {
    let (closed, open) = (".endm\n.macro outer12", ".endx\n.macro outer12");
    let (runs, chunks) =
        runs_after_the_last(Dialect::Amdgpu, &macros::many(3000), &[(closed, open), (open, closed)]);
    assert!(chunks >= 5, "{chunks} chunks");
    assert_eq!(runs.get("lowered"), Some(&1), "{runs:?}");
}
