//! Both sides of the sizes in [`wavelens_base::sizes`] that editor features have: a text, and the same one after a comment that makes it large.

use wavelens_base::{Dialect, Options, TextEdit, TextRange, sizes};

use super::actions::keep_harmless;
use super::tests::at_cursor;
use crate::db::{View, checks_whole_later};
use crate::features::{Action, check_whole, complete, hover};
use crate::{Database, Document};

/// A comment of this size.
fn comment(dialect: Dialect, size: usize) -> String {
    let mark = if dialect == Dialect::Amdgpu { "//" } else { ";" };
    format!("{mark} {}\n", "x".repeat(size))
}

#[test]
fn large_files_are_looked_at_after_a_pause() {
    let test = "; RUN: opt -passes=instcombin -S %s\ndefine void @f() {\n  ret void\n}\n";
    let later = |text: &str| {
        let mut db = Database::default();
        let document = Document::new(&mut db, Dialect::Llvm, text, Options::default());
        checks_whole_later(&db, document.file())
    };
    assert!(!later(test));
    assert!(later(&(comment(Dialect::Llvm, sizes::AFTER_A_PAUSE) + test)));
}

#[test]
fn very_large_files_hold_no_registers() {
    let code = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v0, v1\n";
    let held = |text: &str| check_whole(Dialect::Amdgpu, text, &Options::default()).1.is_some();
    assert!(held(code));
    assert!(!held(&(comment(Dialect::Amdgpu, sizes::WITHOUT_REGISTERS) + code)));
}

#[test]
fn what_is_live_in_a_large_function_is_not_known_at_once() {
    let shown = |lines: usize| {
        let mut text =
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n  .type f,@function\nf:\n  v_mov_b32 v1, v0\n"
                .to_owned();
        text.extend((0..lines).map(|line| format!("  v_add_u32 v{}, {line}, v1\n", line % 30 + 2)));
        text.push_str("  s_endpgm\n  .type g,@function\ng:\n");
        text.push_str(&comment(Dialect::Amdgpu, sizes::AFTER_A_PAUSE));
        let at = text.replacen("  v_add_u32 v5,", "  v_$0add_u32 v5,", 1);
        at_cursor(Dialect::Amdgpu, &at, |view, at| hover(view, at).map_or_else(String::new, |h| h.markdown))
    };
    let (small, large) = (shown(100), shown(sizes::FUNCTION / 16));
    assert!(small.contains("Live before it"), "{small}");
    assert!(!large.is_empty() && !large.contains("Live before it"), "{large}");
}

#[test]
fn words_of_a_large_module_name_their_ids() {
    let module = "OpCapability Kernel\n%uint = OpTypeInt 32 0\n%c = OpCo$0nstant %uint 7\n";
    let shown = |text: &str| {
        at_cursor(Dialect::Spirv, text, |view, at| hover(view, at).map_or_else(String::new, |h| h.markdown))
    };
    let (small, large) = (shown(module), shown(&(comment(Dialect::Spirv, sizes::WORDS) + module)));
    assert!(small.contains("0004002b 00000001 00000002 00000007"), "{small}");
    assert!(large.contains("0004002b %uint %c 00000007"), "{large}");
}

#[test]
fn completions_in_large_files_are_not_tried() {
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
        %float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n%pf = OpTypePointer Function %float\n\
        %pu = OpTypePointer Function %uint\n%one = OpConstant %float 1\n%main = OpFunction %void None %fn\n%l = OpLabel\n\
        %vf = OpVariable %pf Function\n%vu = OpVariable %pu Function\nOpStore %v$0 %one\nOpReturn\nOpFunctionEnd\n";
    let labels = |text: &str| {
        at_cursor(Dialect::Spirv, text, |view, at| {
            complete(view, at).items.into_iter().map(|item| item.label).collect::<Vec<_>>()
        })
    };
    assert_eq!(labels(text), ["%vf"]);
    assert_eq!(labels(&(comment(Dialect::Spirv, sizes::TRIED_COMPLETIONS) + text)), ["%vu", "%vf"]);
}

#[test]
fn actions_in_large_files_are_not_tried() {
    let breaking =
        || Action::in_file("Break", vec![TextEdit { range: TextRange::default(), text: "define".into() }]);
    let is_kept = |text: &str| {
        let mut db = Database::default();
        let document = Document::new(&mut db, Dialect::Llvm, text, Options::default());
        !keep_harmless(View::new(&db, document.file()), vec![breaking()]).is_empty()
    };
    assert!(!is_kept("@g = global i32 1\n"));
    assert!(is_kept(&(comment(Dialect::Llvm, sizes::TRIED_ACTIONS) + "@g = global i32 1\n")));
}
